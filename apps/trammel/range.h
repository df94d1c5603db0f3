/* range.h - values of an option that are a range, "0..400,40". */
#ifndef APP_RANGE_H
#define APP_RANGE_H
#include "trammel/status.h"

typedef struct app_range {
  double from, to;
  long   count;
} app_range;

/* Read FROM..TO,COUNT; both ends finite, COUNT from 1 to a million. A message shows `example`. The
 * ends may have a unit of the sort of `unit`, which is of SI; NULL: they have none. */
TRM_CHECKED trm_status app_range_read(const char *option, const char *example, const char *unit,
                                      const char *text, app_range *range, trm_error *err);

#endif
