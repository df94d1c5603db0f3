/* measure_text.h - parses measures such as "max(load)". */
#ifndef TRMI_MEASURE_TEXT_H
#define TRMI_MEASURE_TEXT_H
#include "expr/units.h"
#include <stdbool.h>
#include <stddef.h>

enum { TRMI_MEASURE_FAULT = 200 };

typedef enum trmi_reduction {
  TRMI_MAX, TRMI_MIN, TRMI_RMS, TRMI_MEAN, TRMI_FINAL, TRMI_VALUE_AT, TRMI_CROSSING,
  TRMI_REDUCTIONS
} trmi_reduction;

/* A parsed measure such as "at(load, 20 ms)". */
typedef struct trmi_measure_text {
  trmi_reduction reduction;
  const char    *signal; /* inside the text           */
  size_t         length; /* of the name of the signal */
  double         argument; /* time of `at`, level of `crossing` */
  bool           is_si;    /* it has a unit and is in SI; otherwise in units of the system */
  trmi_dimension dimension; /* of that unit                                           */
  const char    *level;        /* the text of the argument if it is not a number; NULL otherwise */
  size_t         level_length;
} trmi_measure_text;

/* Parse a text; false: `fault` has a sentence. An argument that is not a number may be an
 * expression of parameters: this fault sets read->level, which is NULL for all others. */
bool trmi_measure_read(const char *text, trmi_measure_text *read,
                       char fault[TRMI_MEASURE_FAULT]);

#endif
