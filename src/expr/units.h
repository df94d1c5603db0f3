/* units.h - units of measure: values of `8 mm` and `30 deg` in the units of a model.
 *
 * A model computes in its own units of length, mass, time and force. The four are
 * free: N, kg, mm, ms is allowed although 1 kg mm/ms^2 is 1000 N; masses are then multiplied by the
 * factor trmi_units_inertia before they are combined with forces. Therefore the exponent of force
 * is separate from kg m/s^2 until dimensions are compared. */
#ifndef TRMI_EXPR_UNITS_H
#define TRMI_EXPR_UNITS_H
#include <stdbool.h>
#include <stddef.h>

/* Exponents. A number written without a unit has an unknown dimension: it fits everywhere. Angles
 * are plain numbers, in radians. */
typedef struct trmi_dimension {
  bool        is_known;
  signed char length, mass, time, force;
} trmi_dimension;

/* The units of a model, each in SI. */
typedef struct trmi_units {
  double length, mass, time, force;
} trmi_units;

trmi_units trmi_units_si(void);

/* Does one of two dimensions that agree have a force where the other has a mass times an
 * acceleration, though these are not the same number in the units of a model? */
bool trmi_dimension_mixes(const trmi_units *units, trmi_dimension a, trmi_dimension b);

/* The force that gives one unit of mass one unit of acceleration, in units of force. */
double trmi_units_inertia(const trmi_units *units);

/* One unit by its name ("mm", "lbf", "deg"): its dimension and its size in SI. */
bool trmi_unit_find(const char *name, size_t length, trmi_dimension *dimension, double *si);

/* Read a product of units as it may follow a number: "rad/s", "kg*m^2", "N/mm", "m/s^2".
 * Returns the letters used; 0 if the text does not begin with a unit. There are no blanks
 * in a product; a `*` or `/` that is not followed by a unit is not consumed. Exponents beyond +-9.9
 * are not read; with one that is not whole, "N/m^1.5", the dimension is not known. */
size_t trmi_unit_read(const char *text, size_t length, const trmi_units *units,
                      trmi_dimension *dimension, double *factor);

/* One unit of SI of a dimension, in the units of the model: 1000 for a length in mm; 1 for one that
 * is not known. */
double trmi_units_one(const trmi_units *units, trmi_dimension dimension);

/* The dimension of a product of units, "kg*m^2", "1/s"; "1" is a plain number, NULL anything. */
trmi_dimension trmi_unit_dimension(const char *unit);

/* Same dimension, after force has become mass length/time^2. Unknown ones agree with all. */
bool trmi_dimension_agrees(trmi_dimension a, trmi_dimension b);
bool trmi_dimension_is_number(trmi_dimension a); /* unknown, or without any unit */
/* a b (sign 1) or a/b (sign -1); unknown if one of them is, or beyond exponents of 100. */
trmi_dimension trmi_dimension_product(trmi_dimension a, trmi_dimension b, int sign);
/* a^exponent: unknown if an exponent is not whole. */
trmi_dimension trmi_dimension_power(trmi_dimension a, double exponent);
/* "N/m", "m/s^2", "1": for messages. */
void trmi_dimension_print(trmi_dimension a, char *text, size_t size);

/* Name number i of the table of units, or NULL after the last; for the reference page. */
const char *trmi_unit_name(int i, const char **meaning);

#endif
