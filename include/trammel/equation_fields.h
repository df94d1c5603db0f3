/** @file
 * Fields of typed equations, tables, inputs and outputs, as lists; see trammel/part_fields.h. What
 * is an expression by its nature is a text of its struct. */
#ifndef TRM_EQUATION_FIELDS_H
#define TRM_EQUATION_FIELDS_H
#include "trammel/part_fields.h"

/** Energies: keys of `equations` itself. */
#define TRM_FIELDS_ENERGIES(F, S)                                                                  \
  F(S, T1, kinetic, "kinetic", EXPRESSION,                                                         \
    .meaning = "Kinetic energy. Lagrange's equations follow from it and the potential.")           \
  F(S, T1, potential, "potential", EXPRESSION, .meaning = "Potential energy.")

/** Unknowns, and names for values. */
#define TRM_FIELDS_COORDINATE(F, S)                                                                \
  F(S, D1, value, "value", NUMBER, LIVE, INITIAL(0),                                               \
    .meaning = "Position at the start. Constraints may move it.")                                  \
  F(S, D1, guess, "guess", NUMBER, LIVE,                                                           \
    .meaning = "Instead of value: a guess, moved by the assembly before any value is.")            \
  F(S, D1, velocity, "velocity", NUMBER, LIVE, INITIAL(0), .meaning = "Rate at the start.")        \
  F(S, D1, scale, "scale", NUMBER, LIVE, .fallback = "1 m, 1 rad, 1 of its SI unit", POSITIVE,     \
    .meaning = "Size that counts as one in the error test.")                                       \
  F(S, T1, kind, "kind", WORD("none|length|angle|modal"), .fallback = "none",                      \
    .meaning = "The quantity it measures; decides its unit and its scale.")
#define TRM_FIELDS_STATE(F, S)                                                                     \
  F(S, D1, value, "value", NUMBER, LIVE, INITIAL(0), .meaning = "Value at the start.")             \
  F(S, T1, rate, "rate", EXPRESSION, .meaning = "The right-hand side: x' equals this expression.") \
  F(S, T1, residual, "residual", EXPRESSION,                                                       \
    .meaning = "Or an expression with x and x' that is held at zero.")                             \
  F(S, D1, scale, "scale", NUMBER, LIVE, .fallback = "1 of its SI unit", POSITIVE,                 \
    .meaning = "Size that counts as one in the error test.")
#define TRM_FIELDS_VARIABLE(F, S)                                                                  \
  F(S, T1, equals, "equals", EXPRESSION, REQUIRED,                                                 \
    .meaning = "The expression that the variable equals.")                                         \
  F(S, D1, guess, "guess", NUMBER, LIVE, INITIAL(0),                                               \
    .meaning = "First guess for a variable of a loop; without a loop it has no effect.")
#define TRM_FIELDS_DISCRETE(F, S)                                                                  \
  F(S, D1, value, "value", NUMBER, LIVE, REQUIRED, .meaning = "Value at the start.")
#define TRM_FIELDS_INPUT(F, S)                                                                     \
  F(S, D1, value, "value", NUMBER, LIVE, INITIAL(0), .meaning = "Value at the start.")             \
  F(S, D1, rate, "rate", NUMBER, LIVE, INITIAL(0),                                                 \
    .meaning = "Rate at the start: the value changes with it until the input is set.")

/** Parts that are one expression. */
#define TRM_FIELDS_EXPRESSION(F, S)                                                                \
  F(S, T1, equals, "equals", EXPRESSION, REQUIRED, .meaning = "The expression.")

/** Events. */
#define TRM_FIELDS_EVENT(F, S)                                                                     \
  F(S, T1, when, "when", EXPRESSION,                                                               \
    .meaning = "Expression whose zero is looked for, or a condition like x > 3.")                  \
  F(S, D1, every, "every", NUMBER, LIVE, UNIT("s"), POSITIVE, .meaning = "Or a period.")           \
  F(S, D1, first, "first", NUMBER, LIVE, UNIT("s"), .fallback = "one period after the start",      \
    .meaning = "Time of the first one, with every.")                                               \
  F(S, T1, direction, "direction", WORD("both|rising|falling"), .fallback = "both",                \
    .meaning = "Which crossings count.")                                                           \
  F(S, T1, action, "do", WORD("silent|restart|stop"),                                              \
    .fallback = "restart if it sets, else silent",                                                 \
    .meaning = "silent: only reported; restart: the integrator starts anew; stop: the run ends.")  \
  F(S, PARTS, set, "set", OF_KINDS(TRMI_ASSIGNMENTS),                                              \
    .meaning = "New values of discrete values, states, coordinates or velocities (y'), of bodies " \
               "their places and velocities (ball.vz).")

/** What the page draws. */
#define TRM_FIELDS_DRAWN(F, S)                                                                     \
  F(S, T3, at, "at", EXPRESSIONS("3"),                                                             \
    .meaning = "A point: its place, ground axes, as three expressions like those of outputs.")     \
  F(S, T64, between, "between", ANY_TEXTS,                                                         \
    .meaning = "Or a line through points of this section, two or more, by their names.")           \
  F(S, D1, radius, "radius", NUMBER, UNIT("m"), POSITIVE, .fallback = "chosen by the page",        \
    .meaning = "Of the ball at the point, or of the line.")                                        \
  F(S, T1, color, "color", TEXT, .fallback = "chosen",                                             \
    .meaning = "Name of a colour, or #rrggbb in quotes.")

/** Tables. */
#define TRM_FIELDS_TABLE(F, S)                                                                     \
  F(S, LIST, x, "x", NUMBERS_OR_COLUMN, REQUIRED,                                                  \
    .meaning = "Points, ascending; with file: name or number of a column.")                        \
  F(S, LIST, y, "y", NUMBERS_OR_COLUMN, REQUIRED,                                                  \
    .meaning = "Values at the points; with file: name or number of a column.")                     \
  F(S, T1, file, "file", TEXT,                                                                     \
    .meaning = "File of comma-separated values, relative to this one. Its first line may name "    \
               "the columns; lines that begin with # are left out.")                               \
  F(S, T1, interpolation, "interpolation", WORD("linear|akima|cubic"), .fallback = "akima",        \
    .meaning = "linear is sharp: its corners restart the integrator. akima does not overshoot; "   \
               "cubic is the natural spline.")

/** All kinds, as in trammel/part_fields.h. */
#define TRM_KINDS_OF_ENERGIES(K) K(energies, ENERGIES, NULL, "Energies of typed equations.")
#define TRM_KINDS_OF_COORDINATES(K)                                                                \
  K(coordinate, COORDINATE, NULL, "One coordinate; a number alone is its value at the start.")
#define TRM_KINDS_OF_STATES(K) K(state, STATE, NULL, "One state.")
#define TRM_KINDS_OF_VARIABLES(K)                                                                  \
  K(variable, VARIABLE, NULL, "One variable; an expression alone is its value.")
#define TRM_KINDS_OF_DISCRETE(K) K(discrete, DISCRETE, NULL, "Value at the start.")
#define TRM_KINDS_OF_INPUTS(K)                                                                     \
  K(input, INPUT, NULL, "One input; a number alone is its value at the start.")
#define TRM_KINDS_OF_MASSES(K) K(mass, EXPRESSION, NULL, "The entry.")
#define TRM_KINDS_OF_COORDINATE_FORCES(K)                                                          \
  K(coordinate_force, EXPRESSION, NULL, "Force on that coordinate.")
#define TRM_KINDS_OF_HOLONOMIC(K)                                                                  \
  K(holonomic, EXPRESSION, NULL, "Expression that is held at zero.")
#define TRM_KINDS_OF_NONHOLONOMIC(K)                                                               \
  K(nonholonomic, EXPRESSION, NULL, "Expression that is held at zero.")
#define TRM_KINDS_OF_EVENTS(K) K(event, EVENT, NULL, "One event.")
#define TRM_KINDS_OF_ASSIGNMENTS(K)                                                                \
  K(assignment, EXPRESSION, NULL, "The new value, from the values just before the event.")
#define TRM_KINDS_OF_OUTPUTS(K) K(output, EXPRESSION, NULL, "The expression.")
#define TRM_KINDS_OF_DRAWN(K) K(drawn, DRAWN, NULL, "A point or a line that is drawn.")
#define TRM_KINDS_OF_TABLES(K) K(table, TABLE, NULL, "One curve.")

#endif
