/* tangent.h - positions of the blocks in Newton matrices: one table for all of them.
 *
 * Rows of motion, constraints, states and variables depend on positions, velocities,
 * accelerations, multipliers, states, their rates, and variables. A method chooses the derivatives
 * and the level of its constraints, and gives one coefficient for each kind: the derivative of that
 * quantity with respect to the unknown of the matrix. */
#ifndef TRMI_TANGENT_H
#define TRMI_TANGENT_H
#include "system/matrix.h"

/* Kinds of derivatives. */
typedef enum trmi_by {
  TRMI_BY_INERTIA,      /* accelerations in M v'                                   */
  TRMI_BY_INERTIA_Q,    /* positions in M v'                                       */
  TRMI_BY_VELOCITY,
  TRMI_BY_POSITION,
  TRMI_BY_MULTIPLIER,
  TRMI_BY_ACCELERATION, /* in all rows except those of motion                      */
  TRMI_BY_STATE_RATE,
  TRMI_BY_STATE,
  TRMI_BY_VARIABLE,
  TRMI_BY_OWN,          /* rows of constraints that are divided by the coefficient of their own
                           level: derivatives by quantities of that level, */
  TRMI_BY_BELOW,        /* one level below it, positions below velocities,         */
  TRMI_BY_TWO_BELOW,    /* .. and two                                              */
  TRMI_BYS
} trmi_by;

#define TRMI_BY_BIT(by) (1u << (by))
#define TRMI_BY_ALL (TRMI_BY_BIT(TRMI_BYS) - 1u)

/* Slots of coefficients in a plan: one for each kind, then their negatives; a set of them is an
 * unsigned, TRMI_BY_ALL contains those that are not negative. */
enum { TRMI_SLOTS = 2 * TRMI_BYS };

/* Level at which constraints enter the matrix. */
typedef enum trmi_level { TRMI_AT_POSITION, TRMI_AT_VELOCITY, TRMI_AT_ACCELERATION } trmi_level;

/* The part of the table used by a matrix. */
typedef struct trmi_tangent {
  unsigned       by;         /* bits of kinds; the level of a row itself is always included */
  unsigned       turned;     /* bits of kinds whose columns of v are multiplied by T       */
  trmi_level     lam, mu;    /* levels of g = 0 and of A v + b = 0                         */
  bool           scales_rows; /* of constraints: divided by the coefficient of their level  */
  bool           kinematic;  /* only v, lam, mu                                            */
  bool           positions_first; /* order of sums: stiffness first, inertia and rates last */
  trmi_block_set without;    /* omitted blocks                                              */
} trmi_tangent;

enum { TRMI_TANGENT_MAX = 40 };

/* Lines of a matrix for trmi_matrix_build; returns their number. */
int trmi_tangent_lines(const trmi_tangent *tangent, trmi_line lines[TRMI_TANGENT_MAX]);

/* The kind of a line. */
static inline trmi_by trmi_tangent_kind(const trmi_line *line) {
  return (trmi_by)(line->slot % TRMI_BYS);
}

/* Coefficients of all slots from those of the kinds, which must be set. */
static inline void trmi_tangent_complete(double slots[TRMI_SLOTS]) {
  for (int k = 0; k < TRMI_BYS; k++) slots[TRMI_BYS + k] = 0.0 - slots[k]; /* never -0 */
}

/* Set all coefficients to one. */
extern const double trmi_tangent_ones[TRMI_SLOTS];

#endif
