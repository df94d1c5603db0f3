/* complete_units.c - names of units: SI, and names composed of others. */
#include "system/system.h"
#include <stdio.h>
#include <string.h>

/* Set a name that is not given yet to ABCD. A name without room is omitted, not truncated. */
static void join(char name[TRM_UNIT_MAX], const char *a, const char *b, const char *c,
                 const char *d) {
  if (name[0] != '\0') return;
  char text[4 * TRM_UNIT_MAX];
  const int length = snprintf(text, sizeof text, "%s%s%s%s", a, b, c, d);
  if (length > 0 && length < TRM_UNIT_MAX) memcpy(name, text, (size_t)length + 1);
}

void trmi_unit_names_complete(trm_unit_names *n) {
  const bool is_joule = strcmp(n->force, "N") == 0 && strcmp(n->length, "m") == 0;
  const bool is_watt = is_joule && strcmp(n->time, "s") == 0;
  char time[TRM_UNIT_MAX + 2]; /* "ms", "(0.04 s)" */
  const bool is_multiple = strchr(n->time, ' ') != NULL;
  snprintf(time, sizeof time, "%s%s%s", is_multiple ? "(" : "", n->time, is_multiple ? ")" : "");
  join(n->speed, n->length, "/", time, "");
  join(n->acceleration, n->length, "/", time, "^2");
  join(n->turning, "rad", "/", time, "");
  join(n->turning_rate, "rad", "/", time, "^2");
  join(n->torque, n->force, " ", n->length, "");
  join(n->energy, is_joule ? "J" : n->torque, "", "", "");
  if (is_watt) {
    join(n->power, "W", "", "", "");
  } else if (n->energy[0] != '\0') {
    join(n->power, n->energy, "/", time, "");
  }
}

trm_unit_names trmi_unit_names_basic(void) {
  return (trm_unit_names){
      .length = "m", .mass = "kg", .time = "s", .force = "N", .metres = 1.0, .seconds = 1.0,
      .newtons = 1.0, .kilograms = 1.0};
}

trm_unit_names trm_unit_names_si(void) {
  trm_unit_names names = trmi_unit_names_basic();
  trmi_unit_names_complete(&names);
  return names;
}

const char *trmi_unit_of_kind(const trm_unit_names *names, trm_kind kind, int rate) {
  const char *const metre[] = {names->length, names->speed, names->acceleration};
  const char *const radian[] = {"rad", names->turning, names->turning_rate};
  switch (kind) {
  case TRM_KIND_METRE: return metre[rate];
  case TRM_KIND_RADIAN: return radian[rate];
  case TRM_KIND_NEWTON: return names->force;
  case TRM_KIND_NEWTON_METRE: return names->torque;
  default: return "";
  }
}

const char *trm_system_unit(const trm_system *sys, trm_quantity list, const trm_label *label) {
  if (sys == NULL || label == NULL) return "";
  if (label->unit[0] != '\0') return label->unit;
  return trmi_unit_of_kind(&sys->units, label->kind, list == TRM_V ? 1 : 0);
}

const trm_unit_names *trm_system_units(const trm_system *sys) {
  if (sys == NULL) return NULL;
  return &sys->units;
}
