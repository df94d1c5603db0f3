/* range.c - values of an option that are a range. */
#include "range.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 64 };

/* The number between two places of a text. */
static bool read_number(const char *first, const char *end, double *number) {
  char text[NUMBER_BYTES], *rest = NULL;
  const size_t length = (size_t)(end - first);
  if (length == 0 || length >= sizeof text) return false;
  memcpy(text, first, length);
  text[length] = '\0';
  *number = strtod(text, &rest);
  return rest != text && *rest == '\0' && isfinite(*number);
}

trm_status app_range_read(const char *option, const char *example, const char *text,
                          app_range *range, trm_error *err) {
  const char *dots = strstr(text, ".."), *comma = strrchr(text, ',');
  double count = 0.0;
  const bool is_good = dots != NULL && comma != NULL && dots < comma &&
                       read_number(text, dots, &range->from) &&
                       read_number(dots + 2, comma, &range->to) &&
                       read_number(comma + 1, text + strlen(text), &count);
  if (!is_good) {
    return app_fail(err, TRM_ERR_INPUT, option, "'%.60s' is not a range such as %s: from, to and "
                    "how many", text, example);
  }
  if (!(count >= 1.0) || count > 1e6 || count != floor(count)) {
    return app_fail(err, TRM_ERR_INPUT, option, "the count %g is not a whole number from 1 to 1e6",
                    count);
  }
  range->count = (long)count;
  return TRM_OK;
}
