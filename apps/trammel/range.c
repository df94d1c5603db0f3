/* range.c - values of an option that are a range. */
#include "range.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 64 };

/* The text between two places without blanks around it; false: it is empty or too long. */
static bool cut(const char *first, const char *end, char text[NUMBER_BYTES]) {
  while (first < end && *first == ' ') first++;
  while (end > first && end[-1] == ' ') end--;
  const size_t length = (size_t)(end - first);
  if (length == 0 || length >= NUMBER_BYTES) return false;
  memcpy(text, first, length);
  text[length] = '\0';
  return true;
}

/* Where the unit of a number begins, or its end. */
static const char *unit_in(const char *text) {
  char *rest = NULL;
  (void)strtod(text, &rest);
  return rest + strspn(rest, " ");
}

static bool is_plain(const char *text, double *number) {
  char *rest = NULL;
  *number = strtod(text, &rest);
  return rest != text && *rest == '\0' && isfinite(*number);
}

/* One end of a range; the sentence explains a fault of its unit. */
static trm_status read_end(const app_range_kind *kind, const char *unit, const char *text,
                           double *number, trm_error *err) {
  bool has_unit;
  if (is_plain(text, number)) return TRM_OK;
  trm_error own;
  const trm_status status =
      kind->model != NULL ? trm_model_quantity(kind->model, text, unit, number, &has_unit, &own)
                          : trm_quantity_read(text, unit, number, &has_unit, &own);
  return status == TRM_OK ? TRM_OK : app_fail(err, status, kind->option, "%s", own.message);
}

/* Both ends; if any unit is allowed, both must have the same dimension. */
static trm_status read_ends(const app_range_kind *kind, const char *from, const char *to,
                            app_range *range, trm_error *err) {
  trm_status status = read_end(kind, kind->unit, from, &range->from, err);
  const bool is_any = kind->unit[0] == '\0';
  if (status == TRM_OK) {
    status = read_end(kind, is_any ? unit_in(from) : kind->unit, to, &range->to, err);
  }
  return status;
}

trm_status app_range_read(const app_range_kind *kind, const char *text, app_range *range,
                          trm_error *err) {
  const char *dots = strstr(text, ".."), *comma = strrchr(text, ',');
  char from[NUMBER_BYTES], to[NUMBER_BYTES], many[NUMBER_BYTES];
  double count = 0.0;
  const bool is_good = dots != NULL && comma != NULL && dots < comma && cut(text, dots, from) &&
                       cut(dots + 2, comma, to) && cut(comma + 1, text + strlen(text), many) &&
                       unit_in(from) != from && unit_in(to) != to && is_plain(many, &count);
  if (!is_good) {
    return app_fail(err, TRM_ERR_INPUT, kind->option, "'%.60s' is not a range such as %s: from, to "
                    "and how many", text, kind->example);
  }
  if (!(count >= 1.0) || count > 1e6 || count != floor(count)) {
    return app_fail(err, TRM_ERR_INPUT, kind->option, "the count %g is not a whole number from 1 "
                    "to 1e6", count);
  }
  range->count = (long)count;
  return read_ends(kind, from, to, range, err);
}
