/* equations_units.c - names of the units of outputs and variables, "mm/ms", from the dimensions of
 * their expressions. A plain number may be an angle or a ratio: it has no unit. */
#include "equations/equations_internal.h"
#include "parts/model_units.h"
#include <stdio.h>
#include <string.h>

/* Append a unit such as " mm^2" to the numerator, or "/ms" to the denominator. */
static size_t append(char *text, size_t size, size_t used, const char *name, int exponent) {
  const bool is_below = exponent < 0, is_multiple = strchr(name, ' ') != NULL;
  const int power = is_below ? -exponent : exponent;
  const char *join = is_below ? (used == 0 ? "1/" : "/") : (used == 0 ? "" : " ");
  char raised[16] = "";
  if (power > 1) snprintf(raised, sizeof raised, "^%d", power);
  if (used >= size) return used;
  return used + (size_t)snprintf(text + used, size - used, "%s%s%s%s%s", join,
                                 is_multiple ? "(" : "", name, is_multiple ? ")" : "", raised);
}

void trmi_unit_of_label(const trmi_units *units, trmi_dimension d, trm_label *label) {
  trm_unit_names names = {.seconds = 1.0};
  char text[4 * TRM_UNIT_MAX] = "";
  size_t used = 0;
  label->unit[0] = '\0';
  if (!d.is_known || trmi_dimension_is_number(d)) return;
  trmi_units_name(units, &names);
  const char *const name[4] = {names.force, names.mass, names.length, names.time};
  const int exponent[4] = {d.force, d.mass, d.length, d.time};
  for (int sign = 1; sign >= -1; sign -= 2) {
    for (int i = 0; i < 4; i++) {
      if (sign * exponent[i] > 0) used = append(text, sizeof text, used, name[i], exponent[i]);
    }
  }
  if (used < sizeof label->unit)
    memcpy(label->unit, text, used + 1); /* otherwise no room:
                                                                         omitted */
}
