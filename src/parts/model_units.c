/* model_units.c - the units of a model by their names.
 *
 * The unit of force may have no name, where it is not given: in g, mm, s it is g mm/s^2. */
#include "parts/model_units.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sizes that differ by rounding are the same: a unit of force may be a quotient. */
static bool is_same(double a, double b) {
  return fabs(a - b) <= 1e-12 * fabs(b);
}

/* The first unit of the table with the dimension of `si_name` and this size; false: none. */
static bool find_name(const char *si_name, double size, char name[TRM_UNIT_MAX]) {
  const trmi_dimension wanted = trmi_unit_dimension(si_name);
  const char *entry;
  for (int i = 0; (entry = trmi_unit_name(i, NULL)) != NULL; i++) {
    trmi_dimension dimension;
    double si;
    if (!trmi_unit_find(entry, strlen(entry), &dimension, &si)) continue;
    if (!trmi_dimension_agrees(dimension, wanted) || !is_same(si, size)) continue;
    snprintf(name, TRM_UNIT_MAX, "%s", entry);
    return true;
  }
  return false;
}

/* Its name, or how many of the unit of SI it is. */
static void name_unit(const char *si_name, double size, char name[TRM_UNIT_MAX]) {
  if (!find_name(si_name, size, name)) snprintf(name, TRM_UNIT_MAX, "%.6g %s", size, si_name);
}

/* MASS LENGTH^a/TIME^b; empty if there is no room for it. */
static void name_product(const trm_unit_names *n, const char *a, const char *b,
                         char name[TRM_UNIT_MAX]) {
  char text[4 * TRM_UNIT_MAX];
  const int length =
      snprintf(text, sizeof text, "%s %s%s/%s%s", n->mass, n->length, a, n->time, b);
  if (length > 0 && length < TRM_UNIT_MAX) memcpy(name, text, (size_t)length + 1);
}

void trmi_units_name(const trmi_units *units, trm_unit_names *names) {
  name_unit("m", units->length, names->length);
  name_unit("kg", units->mass, names->mass);
  name_unit("s", units->time, names->time);
  names->metres = units->length;
  names->seconds = units->time;
  names->newtons = units->force;
  names->kilograms = units->mass;
  if (!is_same(trmi_units_inertia(units), 1.0) || find_name("N", units->force, names->force)) {
    name_unit("N", units->force, names->force);
    return;
  }
  name_unit("N", units->force, names->force); /* if the product is too long */
  name_product(names, "", "^2", names->force);
  name_product(names, "^2", "^2", names->torque);
  name_product(names, "^2", "^3", names->power);
}
