/* range.c - values of an option that are a range. */
#include "range.h"
#include "report.h"
#include "trammel/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 64 };

/* The number between two places of a text, perhaps with a unit. */
static bool read_number(const char *first, const char *end, const char *unit, double *number) {
  char text[NUMBER_BYTES], *rest = NULL;
  const size_t length = (size_t)(end - first);
  bool has_unit;
  trm_error ignored;
  if (length == 0 || length >= sizeof text) return false;
  memcpy(text, first, length);
  text[length] = '\0';
  *number = strtod(text, &rest);
  if (rest != text && *rest == '\0' && isfinite(*number)) return true;
  return unit != NULL && trm_quantity_read(text, unit, number, &has_unit, &ignored) == TRM_OK;
}

/* Has a number of a range a unit, where none is expected? */
static bool has_unit(const char *text) {
  for (const char *part = text; part != NULL; part = strstr(part, "..")) {
    char *rest = NULL;
    part += part == text ? 0 : strlen("..");
    (void)strtod(part, &rest);
    rest += strspn(rest, " ");
    if (rest != part && *rest != '\0' && strchr(".,", *rest) == NULL) return true;
  }
  return false;
}

trm_status app_range_read(const char *option, const char *example, const char *unit,
                          const char *text, app_range *range, trm_error *err) {
  const char *dots = strstr(text, ".."), *comma = strrchr(text, ',');
  double count = 0.0;
  const bool is_good = dots != NULL && comma != NULL && dots < comma &&
                       read_number(text, dots, unit, &range->from) &&
                       read_number(dots + 2, comma, unit, &range->to) &&
                       read_number(comma + 1, text + strlen(text), NULL, &count);
  if (!is_good && unit == NULL && has_unit(text)) {
    return app_fail(err, TRM_ERR_INPUT, option, "'%.60s' has a unit: its numbers are in the units "
                    "of the model, %s", text, example);
  }
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
