/* range.h - values of an option that are a range, "0..400,40", "0 N..400 N,40". */
#ifndef APP_RANGE_H
#define APP_RANGE_H
#include "trammel/model.h"

typedef struct app_range {
  double from, to;
  long   count;
} app_range;

/* The range expected by an option. */
typedef struct app_range_kind {
  const char      *option, *example; /* for messages                             */
  const char      *unit;  /* of SI, gives the dimension of both ends; "": any, the same for both */
  const trm_model *model; /* ends with units are in its units; NULL: SI          */
} app_range_kind;

/* Read FROM..TO,COUNT; both ends finite, with or without a unit, COUNT from 1 to a million. */
TRM_CHECKED trm_status app_range_read(const app_range_kind *kind, const char *text,
                                      app_range *range, trm_error *err);

#endif
