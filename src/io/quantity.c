/* quantity.c - a number with a unit outside a model, as in options of a program. */
#include "core/fail.h"
#include "expr/units.h"
#include "io/model_file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Converted to `units` if a unit is written. */
static trm_status read_quantity(const trmi_units *units, const char *text, const char *unit,
                                double *number, bool *has_unit, trm_error *err) {
  trmi_dimension dimension;
  double factor = 1.0;
  const bool is_any = unit[0] == '\0';
  const size_t digits = strspn(text, "0123456789+-.eE");
  char *end = NULL;
  *number = strtod(text, &end);
  const bool is_number = end > text && end <= text + digits && isfinite(*number);
  const char *rest = is_number ? end + strspn(end, " ") : "";
  *has_unit = rest[0] != '\0';
  if (is_number && !*has_unit && *end == '\0') return TRM_OK;
  const size_t length = strlen(rest);
  if (!is_number || length == 0 ||
      trmi_unit_read(rest, length, units, &dimension, &factor) != length) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' is not a finite decimal number, or one "
                     "with a unit such as %.20s", text, is_any ? "N" : unit);
  }
  if (!trmi_dimension_agrees(dimension, trmi_unit_dimension(is_any ? NULL : unit))) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' is not a number of %.20s", text, unit);
  }
  *number *= factor;
  return TRM_OK;
}

trm_status trm_quantity_read(const char *text, const char *unit, double *number, bool *has_unit,
                             trm_error *err) {
  TRMI_NEED(err, text, unit, number, has_unit);
  const trmi_units si = trmi_units_si();
  return read_quantity(&si, text, unit, number, has_unit, err);
}

trm_status trm_model_quantity(const trm_model *model, const char *text, const char *unit,
                              double *number, bool *has_unit, trm_error *err) {
  TRMI_NEED(err, model, text, unit, number, has_unit);
  return read_quantity(&model->def.units, text, unit, number, has_unit, err);
}
