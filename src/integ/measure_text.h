/* measure_text.h - what a text such as "max(load)" asks for. */
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

/* What a text such as "at(load, 20 ms)" asks for. */
typedef struct trmi_measure_text {
  trmi_reduction reduction;
  const char    *signal; /* inside the text           */
  size_t         length; /* of the name of the signal */
  double         argument; /* time of `at`, level of `crossing` */
  bool           is_si;    /* it has a unit and is in SI; else in units of the system */
  trmi_dimension dimension; /* of that unit                                           */
  const char    *level;        /* the text of the argument if it is no number; NULL otherwise */
  size_t         level_length;
} trmi_measure_text;

/* Read a text; false: `fault` has a sentence. An argument that is no number, which may be an
 * expression of parameters, is a fault for which read->level is set; in all others it is NULL. */
bool trmi_measure_read(const char *text, trmi_measure_text *read,
                       char fault[TRMI_MEASURE_FAULT]);

#endif
