/* schema_table.c - the keys of model files, in the order of the reference page; those of mechanisms
 * are in schema_mechanism.c. */
#include "io/schema_words.h"
#include <string.h>

#define EQUATIONS "equations."
#define COORDINATE EQUATIONS "coordinates.*."
#define STATE EQUATIONS "states.*."
#define VARIABLE EQUATIONS "variables.*."
#define EVENT EQUATIONS "events.*."
#define SIMULATE "simulate."

/* clang-format off */
static const trmi_schema_row table[] = {
  {.path = "", .types = MAP, .meaning = "A model file."},
  {.path = "trammel", .types = COUNT, .is_required = true,
   .meaning = "Version of the format; stands first. This is version 1."},
  {.path = "name", .types = TEXT, .fallback = "name of the file",
   .meaning = "Name of the model in results."},
  {.path = "summary", .types = TEXT, .fallback = "first comment",
   .meaning = "One line that says what the model is."},
  {.path = "include", .types = TEXT | TEXTS,
   .meaning = "Files whose keys are added to this one, relative to it. "
              "What stands in both is an error, except trammel, name and summary."},
  {.path = "units", .types = MAP | TEXT, .fallback = "SI",
   .meaning = "What numbers without a unit mean: SI, or four units with a dash between, "
              "N-kg-ms-mm, lbf-lbm-in-s, mm-t-s-N; or one by one."},
  {.path = "units.length", .types = TEXT, .unit = "m", .fallback = "m",
   .meaning = "Unit of length."},
  {.path = "units.mass", .types = TEXT, .unit = "kg", .fallback = "kg", .meaning = "Unit of mass."},
  {.path = "units.time", .types = TEXT, .unit = "s", .fallback = "s", .meaning = "Unit of time."},
  {.path = "units.force", .types = TEXT, .unit = "N", .fallback = "mass length/time^2",
   .meaning = "Unit of force. It may be any: N with kg, mm and ms is allowed."},
  {.path = "parameters", .types = NAMES,
   .meaning = "Numbers by name, each an expression of others, in any order. They never change "
              "in a run; --set NAME=VALUE replaces one."},
  {.path = "parameters.*", .types = NUMBER, .meaning = "Value of the parameter."},
  {.path = "tables", .types = NAMES,
   .meaning = "Curves by points, used in expressions by AKISPL, CUBSPL and their like."},
  {.path = "tables.*", .types = MAP, .meaning = "One curve."},
  {.path = "tables.*.x", .types = NUMBERS | COUNT | TEXT, .is_required = true,
   .meaning = "Points, ascending; with file: name or number of a column."},
  {.path = "tables.*.y", .types = NUMBERS | COUNT | TEXT, .is_required = true,
   .meaning = "Values at the points; with file: name or number of a column."},
  {.path = "tables.*.file", .types = TEXT,
   .meaning = "File of comma-separated values, relative to this one. Its first line may name the "
              "columns; lines that begin with # are left out."},
  {.path = "tables.*.interpolation", .types = WORD, .choices = "linear|akima|cubic",
   .fallback = "akima",
   .meaning = "linear is sharp: its corners restart the integrator. akima does not overshoot; "
              "cubic is the natural spline."},

  {.path = "equations", .types = MAP,
   .meaning = "Typed equations; a model has these, bodies or both."},
  {.path = EQUATIONS "coordinates", .types = NAMES,
   .meaning = "Unknowns of second order. x' and x'' are their rates in expressions."},
  {.path = EQUATIONS "coordinates.*", .types = MAP | NUMBER, .shorthand = "value",
   .meaning = "One coordinate; a number alone is its value at the start."},
  {.path = COORDINATE "value", .types = NUMBER, .fallback = "0",
   .meaning = "Position at the start. Constraints may move it."},
  {.path = COORDINATE "guess", .types = NUMBER,
   .meaning = "Instead of value: a guess, moved by the assembly before any value is."},
  {.path = COORDINATE "velocity", .types = NUMBER, .fallback = "0",
   .meaning = "Rate at the start."},
  {.path = COORDINATE "scale", .types = NUMBER, .fallback = "1 m, 1 rad, 1 of its SI unit",
   POSITIVE, .meaning = "Size that counts as one in the error test."},
  {.path = COORDINATE "kind", .types = WORD, .choices = "none|length|angle|modal",
   .fallback = "none", .meaning = "What it measures: decides its unit and its scale."},
  {.path = EQUATIONS "kinetic", .types = EXPRESSION,
   .meaning = "Kinetic energy. Lagrange's equations follow from it and the potential."},
  {.path = EQUATIONS "potential", .types = EXPRESSION, .meaning = "Potential energy."},
  {.path = EQUATIONS "mass", .types = NAMES, .names = TRMI_NAME_TEXT,
   .meaning = "Entries of the mass matrix, instead of kinetic: x: m on the diagonal, "
              "\"x, y\": m beside it (and at y, x)."},
  {.path = EQUATIONS "mass.*", .types = EXPRESSION, .meaning = "The entry."},
  {.path = EQUATIONS "forces", .types = NAMES,
   .meaning = "Generalized forces by coordinate; they add to those of the energies."},
  {.path = EQUATIONS "forces.*", .types = EXPRESSION, .meaning = "Force on that coordinate."},
  {.path = EQUATIONS "constraints", .types = NAMES,
   .meaning = "Equations between coordinates (and the time) by name."},
  {.path = EQUATIONS "constraints.*", .types = EXPRESSION,
   .meaning = "Expression that is held at zero."},
  {.path = EQUATIONS "nonholonomic", .types = NAMES,
   .meaning = "Equations linear in velocities by name: rolling, skates."},
  {.path = EQUATIONS "nonholonomic.*", .types = EXPRESSION,
   .meaning = "Expression that is held at zero."},
  {.path = EQUATIONS "states", .types = NAMES, .meaning = "Unknowns of first order."},
  {.path = EQUATIONS "states.*", .types = MAP, .meaning = "One state; it needs rate or residual."},
  {.path = STATE "value", .types = NUMBER, .fallback = "0", .meaning = "Value at the start."},
  {.path = STATE "rate", .types = EXPRESSION, .meaning = "What x' is equal to."},
  {.path = STATE "residual", .types = EXPRESSION,
   .meaning = "Or an expression with x and x' that is held at zero."},
  {.path = STATE "scale", .types = NUMBER, .fallback = "1 of its SI unit", POSITIVE,
   .meaning = "Size that counts as one in the error test."},
  {.path = EQUATIONS "variables", .types = NAMES,
   .meaning = "Names for expressions; they may depend on each other in loops."},
  {.path = EQUATIONS "variables.*", .types = MAP | EXPRESSION, .shorthand = "equals",
   .meaning = "One variable; an expression alone is what it equals."},
  {.path = VARIABLE "equals", .types = EXPRESSION, .is_required = true,
   .meaning = "What the variable is equal to."},
  {.path = VARIABLE "guess", .types = NUMBER, .fallback = "0",
   .meaning = "Where the solution of a loop begins; without a loop it has no effect."},
  {.path = EQUATIONS "discrete", .types = NAMES,
   .meaning = "Values that change only at events."},
  {.path = EQUATIONS "discrete.*", .types = NUMBER, .meaning = "Value at the start."},
  {.path = EQUATIONS "events", .types = NAMES, .names = TRMI_NAME_TEXT,
   .meaning = "What happens when something crosses zero, or at regular times."},
  {.path = EQUATIONS "events.*", .types = MAP, .meaning = "One event; it needs when or every."},
  {.path = EVENT "when", .types = EXPRESSION,
   .meaning = "Expression whose zero is looked for, or a condition like x > 3."},
  {.path = EVENT "every", .types = NUMBER, .unit = "s", POSITIVE,
   .meaning = "Or a period."},
  {.path = EVENT "first", .types = NUMBER, .unit = "s", .fallback = "one period after the start",
   .meaning = "Time of the first one, with every."},
  {.path = EVENT "direction", .types = WORD, .choices = "both|rising|falling", .fallback = "both",
   .meaning = "Which crossings count."},
  {.path = EVENT "do", .types = WORD, .choices = "silent|restart|stop",
   .fallback = "restart if it sets, else silent",
   .meaning = "silent: only reported; restart: the integrator starts anew; stop: the run ends."},
  {.path = EVENT "set", .types = NAMES, .names = TRMI_NAME_TEXT,
   .meaning = "New values of discrete values, states, coordinates or velocities (y'), of bodies "
              "their places and velocities (ball.vz)."},
  {.path = EVENT "set.*", .types = EXPRESSION,
   .meaning = "The new value, from the values just before the event."},

  {.path = "outputs", .types = NAMES, .names = TRMI_NAME_TEXT,
   .meaning = "Expressions shown with the results."},
  {.path = "outputs.*", .types = EXPRESSION, .meaning = "The expression."},

  {.path = "simulate", .types = MAP,
   .meaning = "How to run the model. Options of the command line have the same names and win."},
  {.path = SIMULATE "start", .types = NUMBER, .unit = "s", .fallback = "0",
   .meaning = "Time of the start."},
  {.path = SIMULATE "end", .types = NUMBER, .unit = "s",
   .meaning = "End of the run; needed here or on the command line."},
  {.path = SIMULATE "tolerance", .types = NUMBER, .unit = "1", .fallback = "1e-5",
   BETWEEN(1e-15, 1), .meaning = "Local error of a step, relative to the scales of the model."},
  {.path = SIMULATE "step", .types = NUMBER | NUMBERS, .unit = "s", POSITIVE,
   .meaning = "Instead of a tolerance: a fixed step, or a list of up to 8 taken in turn."},
  {.path = SIMULATE "step_max", .types = NUMBER, .unit = "s", .fallback = "no limit", POSITIVE,
   .meaning = "Largest step under error control."},
  {.path = SIMULATE "step_min", .types = NUMBER, .unit = "s", .fallback = "1e-14 of the run",
   POSITIVE, .meaning = "Smallest step under error control."},
  {.path = SIMULATE "step_first", .types = NUMBER, .unit = "s", .fallback = "chosen", POSITIVE,
   .meaning = "First step under error control."},
  {.path = SIMULATE "integrator", .types = WORD,
   .choice_at = trmi_schema_method_at, .write_fallback = trmi_schema_usual_method,
   .write_meaning = trmi_schema_methods},
  {.path = SIMULATE "formulation", .types = WORD,
   .choice_at = trmi_schema_formulation_at, .write_fallback = trmi_schema_usual_formulations,
   .write_meaning = trmi_schema_formulations},
  {.path = SIMULATE "solver", .types = WORD, .choices = "auto|block|klu|dense", .fallback = "auto",
   .meaning = "Linear solver."},
  {.path = SIMULATE "alpha", .types = NUMBER, .unit = "1", .fallback = "-0.3",
   BETWEEN(-1.0 / 3.0, 0), .reads = TRM_READS_ALPHA,
   .meaning = "numerical damping, -1/3 (most) to 0 (none)."},
  {.path = SIMULATE "rho", .types = NUMBER, .unit = "1", .fallback = "0.5", BETWEEN(0, 1),
   .reads = TRM_READS_RHO, .meaning = "spectral radius at infinity."},
  {.path = SIMULATE "alpha_m", .types = NUMBER, .unit = "1", .low = -10, .high = 1,
   .open = TRMI_OPEN_HIGH, .meaning = "The four coefficients themselves, all or none."},
  {.path = SIMULATE "alpha_f", .types = NUMBER, .unit = "1", .low = -10, .high = 1,
   .open = TRMI_OPEN_HIGH, .meaning = "See alpha_m."},
  {.path = SIMULATE "beta", .types = NUMBER, .unit = "1", .low = 0, .high = 10,
   .open = TRMI_OPEN_LOW, .meaning = "See alpha_m."},
  {.path = SIMULATE "gamma", .types = NUMBER, .unit = "1", .low = 0, .high = 10,
   .open = TRMI_OPEN_LOW, .meaning = "See alpha_m."},
  {.path = SIMULATE "max_order", .types = COUNT, .fallback = "13; 5 with fixed steps",
   BETWEEN(5, 13), .reads = TRM_READS_MAX_ORDER,
   .meaning = "largest order, 5, 9 or 13; with fixed steps the order itself."},
  {.path = SIMULATE "passes", .types = COUNT, .fallback = "as many as it takes", BETWEEN(2, 100),
   .reads = TRM_READS_PASSES, .meaning = "passes of a step."},
  {.path = SIMULATE "step_control", .types = WORD, .choices = "local|energy", .fallback = "local",
   .reads = TRM_READS_ENERGY,
   .meaning = "local error, or relative change of the total energy below the tolerance."},
  {.path = SIMULATE "energy_datum", .types = NUMBER, .unit = "J", .fallback = "0",
   .meaning = "Energy that counts as zero."},
  {.path = SIMULATE "energy_repetitions", .types = COUNT, .fallback = "3", BETWEEN(1, 1000),
   .meaning = "Repetitions of a step, then it counts all the same."},
  {.path = SIMULATE "energy_wait", .types = COUNT, .fallback = "8", BETWEEN(1, 1000000),
   .meaning = "Steps in a row with little change before growth."},
  {.path = SIMULATE "energy_accept", .types = NUMBER, .unit = "1", .fallback = "1", .low = 0,
   .high = 100, .open = TRMI_OPEN_LOW, .meaning = "Change that is accepted, over the tolerance."},
  {.path = SIMULATE "energy_reduce", .types = NUMBER, .unit = "1", .fallback = "0.95", .low = 0,
   .high = 100, .open = TRMI_OPEN_LOW, .meaning = "What a repetition aims at."},
  {.path = SIMULATE "energy_grow", .types = NUMBER, .unit = "1", .fallback = "0.6", .low = 0,
   .high = 100, .open = TRMI_OPEN_LOW, .meaning = "What is little."},
  {.path = SIMULATE "energy_from", .types = NUMBER, .unit = "s", .fallback = "always",
   .meaning = "Energy controls from here on, the local error before."},
  {.path = SIMULATE "energy_to", .types = NUMBER, .unit = "s", .fallback = "always",
   .meaning = "And until then."},
  {.path = SIMULATE "max_iterations", .types = COUNT, .fallback = "10", BETWEEN(1, 1000),
   .meaning = "Newton iterations of one attempt."},
  {.path = SIMULATE "newton_tolerance", .types = NUMBER, .unit = "1", .low = 0, .high = 1,
   .open = TRMI_OPEN_LOW, .fallback = "1e-4 of the tolerance",
   .meaning = "Error left by Newton in scaled positions."},
  {.path = SIMULATE "constraint_tolerance", .types = NUMBER, .unit = "1", .low = 0, .high = 1,
   .open = TRMI_OPEN_LOW, .fallback = "1e-9",
   .meaning = "Constraint violation left in a step, scaled."},
  {.path = SIMULATE "impact_tolerance", .types = NUMBER, .unit = "1", .low = 0, .high = 0.1,
   .open = TRMI_OPEN_LOW, .fallback = "1e-3",
   .meaning = "Error of the speed in a step of an impact on a stop, as part of the speed before."},
  {.path = SIMULATE "outputs", .types = COUNT, BETWEEN(1, COUNT_MAX),
   .meaning = "Samples at the ends of so many equal intervals."},
  {.path = SIMULATE "output_step", .types = NUMBER, .unit = "s", POSITIVE,
   .meaning = "Or samples at this distance."},
  {.path = SIMULATE "checkpoint_steps", .types = COUNT, .fallback = "100", BETWEEN(1, COUNT_MAX),
   .meaning = "Accepted steps from checkpoint to checkpoint."},
  {.path = SIMULATE "max_steps", .types = COUNT, .fallback = "no limit", BETWEEN(1, COUNT_MAX),
   .meaning = "End with an error after so many attempted steps."},
};
/* clang-format on */
enum { ROWS = sizeof table / sizeof *table };

/* The row after one; the last has no path. */
static const trmi_schema_row *row_after(const trmi_schema_row *row) {
  return row + 1 != &table[ROWS] ? row + 1 : trmi_schema_mechanism;
}

const trmi_schema_row *trmi_schema_at(int i) {
  const trmi_schema_row *row = i < ROWS ? &table[i] : &trmi_schema_mechanism[i - ROWS];
  return row->path != NULL ? row : NULL;
}

const char *trmi_schema_key(const trmi_schema_row *row) {
  const char *dot = strrchr(row->path, '.');
  return dot != NULL ? dot + 1 : row->path;
}

/* The rest of a path below that of `row`, NULL: it is not below. */
static const char *path_below(const trmi_schema_row *row, const char *path) {
  const size_t length = strlen(row->path);
  if (path == NULL || length == 0) return path;
  if (strncmp(path, row->path, length) != 0 || path[length] != '.') return NULL;
  return path + length + 1;
}

const trmi_schema_row *trmi_schema_next_child(const trmi_schema_row *row,
                                              const trmi_schema_row *last) {
  const char *rest;
  const trmi_schema_row *other = row_after(last);
  for (; (rest = path_below(row, other->path)) != NULL; other = row_after(other)) {
    if (strchr(rest, '.') == NULL) return other;
  }
  return NULL;
}

const trmi_schema_row *trmi_schema_child_at(const trmi_schema_row *row, int i) {
  const trmi_schema_row *child = trmi_schema_next_child(row, row);
  for (; i > 0 && child != NULL; i--) child = trmi_schema_next_child(row, child);
  return child;
}

const trmi_schema_row *trmi_schema_child(const trmi_schema_row *row, const char *key) {
  if ((row->types & TRMI_IS_PARTS) != 0) {
    row = trmi_schema_child(trmi_schema_at(0), trmi_schema_key(row));
  }
  if ((row->types & TRMI_IS_NAMES) != 0) return trmi_schema_next_child(row, row);
  const char *rest;
  const trmi_schema_row *other = row_after(row);
  for (; (rest = path_below(row, other->path)) != NULL; other = row_after(other)) {
    if (strcmp(rest, key) == 0) return other;
  }
  return NULL;
}

trmi_dimension trmi_schema_dimension(const trmi_schema_row *row) {
  trmi_dimension dimension = {.is_known = false};
  if (row->unit == NULL) return dimension;
  double factor;
  const trmi_units si = trmi_units_si();
  trmi_unit_read(row->unit, strlen(row->unit), &si, &dimension, &factor);
  dimension.is_known = true;
  return dimension;
}
