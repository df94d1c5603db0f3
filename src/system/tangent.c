/* tangent.c - see tangent.h.
 *
 * With Kt = K + (M v')_q + (G^T lam)_q + (A^T mu)_q, row by row:
 *   motion   M dv' + C dv + Kt dq + G^T dlam + A^T dmu - Q_x dx - Q_w dw                    (1)
 *   lam      G dq,   or  G dv + (G v + g_t)_q dq,   or  G dv' + bias_v dv + bias_q dq        (2)
 *   mu       A dv + (A v + b)_q dq,   or  A dv' + bias_v dv + bias_q dq                      (3)
 *   x        d_v' dv' + d_v dv + d_q dq + d_lam dlam + d_x' dx' + d_x dx + d_w dw            (4)
 *   w        dw - W_v' dv' - W_v dv - W_q dq - W_lam dlam - W_x' dx' - W_x dx - W_w dw       (5)
 * The first term of (5) comes from trmi_matrix_build. At position level rows of mu are A dq:
 * displacements that violate rolling are prevented. Entries at the same position are summed in the
 * order of the table. */
#include "system/tangent.h"

/* Levels of constraints whose rows have an entry, as bits; 0: all rows. */
enum { Q = 1, V = 2, VD = 4 };

typedef struct entry {
  trm_quantity row, col;
  trm_block    block;
  trmi_by      by;
  unsigned     levels;
  bool         is_negative, is_transposed;
} entry;

/* clang-format off */
static const entry table[] = {
  /* motion, (1) */
  {TRM_V, TRM_V, TRM_M, TRMI_BY_INERTIA, 0, false, false},
  {TRM_V, TRM_V, TRM_C, TRMI_BY_VELOCITY, 0, false, false},
  {TRM_V, TRM_V, TRM_K, TRMI_BY_POSITION, 0, false, false},
  {TRM_V, TRM_V, TRM_MU_Q, TRMI_BY_INERTIA_Q, 0, false, false},
  {TRM_V, TRM_V, TRM_GY_Q, TRMI_BY_POSITION, 0, false, false},
  {TRM_V, TRM_V, TRM_AY_Q, TRMI_BY_POSITION, 0, false, false},
  {TRM_V, TRM_LAM, TRM_G, TRMI_BY_MULTIPLIER, 0, false, true},
  {TRM_V, TRM_MU, TRM_A, TRMI_BY_MULTIPLIER, 0, false, true},
  {TRM_V, TRM_X, TRM_Q_X, TRMI_BY_STATE, 0, true, false},
  {TRM_V, TRM_W, TRM_Q_W, TRMI_BY_VARIABLE, 0, true, false},
  /* constraints, (2) and (3) */
  {TRM_LAM, TRM_V, TRM_G, TRMI_BY_POSITION, Q, false, false},
  {TRM_LAM, TRM_V, TRM_G, TRMI_BY_VELOCITY, V, false, false},
  {TRM_LAM, TRM_V, TRM_GV_Q, TRMI_BY_POSITION, V, false, false},
  {TRM_LAM, TRM_V, TRM_G, TRMI_BY_ACCELERATION, VD, false, false},
  {TRM_LAM, TRM_V, TRM_GB_V, TRMI_BY_VELOCITY, VD, false, false},
  {TRM_LAM, TRM_V, TRM_GB_Q, TRMI_BY_POSITION, VD, false, false},
  {TRM_MU, TRM_V, TRM_A, TRMI_BY_POSITION, Q, false, false},
  {TRM_MU, TRM_V, TRM_A, TRMI_BY_VELOCITY, V, false, false},
  {TRM_MU, TRM_V, TRM_AV_Q, TRMI_BY_POSITION, V, false, false},
  {TRM_MU, TRM_V, TRM_A, TRMI_BY_ACCELERATION, VD, false, false},
  {TRM_MU, TRM_V, TRM_AB_V, TRMI_BY_VELOCITY, VD, false, false},
  {TRM_MU, TRM_V, TRM_AB_Q, TRMI_BY_POSITION, VD, false, false},
  /* states, (4) */
  {TRM_X, TRM_V, TRM_D_VD, TRMI_BY_ACCELERATION, 0, false, false},
  {TRM_X, TRM_V, TRM_D_V, TRMI_BY_VELOCITY, 0, false, false},
  {TRM_X, TRM_V, TRM_D_Q, TRMI_BY_POSITION, 0, false, false},
  {TRM_X, TRM_LAM, TRM_D_LAM, TRMI_BY_MULTIPLIER, 0, false, false},
  {TRM_X, TRM_X, TRM_D_XD, TRMI_BY_STATE_RATE, 0, false, false},
  {TRM_X, TRM_X, TRM_D_X, TRMI_BY_STATE, 0, false, false},
  {TRM_X, TRM_W, TRM_D_W, TRMI_BY_VARIABLE, 0, false, false},
  /* variables, (5) */
  {TRM_W, TRM_V, TRM_W_VD, TRMI_BY_ACCELERATION, 0, true, false},
  {TRM_W, TRM_V, TRM_W_V, TRMI_BY_VELOCITY, 0, true, false},
  {TRM_W, TRM_V, TRM_W_Q, TRMI_BY_POSITION, 0, true, false},
  {TRM_W, TRM_LAM, TRM_W_LAM, TRMI_BY_MULTIPLIER, 0, true, false},
  {TRM_W, TRM_X, TRM_W_XD, TRMI_BY_STATE_RATE, 0, true, false},
  {TRM_W, TRM_X, TRM_W_X, TRMI_BY_STATE, 0, true, false},
  {TRM_W, TRM_W, TRM_W_W, TRMI_BY_VARIABLE, 0, true, false},
};
/* clang-format on */
enum { ENTRIES = sizeof table / sizeof *table };
_Static_assert((int)ENTRIES <= (int)TRMI_TANGENT_MAX, "lines have room for the table");

const double trmi_tangent_ones[TRMI_SLOTS] = {
    1.0,  1.0,  1.0,  1.0,  1.0,  1.0,  1.0,  1.0,  1.0,  1.0,  1.0,  1.0,
    -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0};
_Static_assert(TRMI_SLOTS == 24, "as many ones as slots");

/* Levels from the entry's quantity up to that of its row; 0 for other rows. */
static int levels_below(const entry *e, trmi_level level) {
  if (e->levels == 0) return 0;
  const trmi_level own = e->by == TRMI_BY_POSITION   ? TRMI_AT_POSITION
                         : e->by == TRMI_BY_VELOCITY ? TRMI_AT_VELOCITY
                                                     : TRMI_AT_ACCELERATION;
  return (int)level - (int)own;
}

static bool takes(const trmi_tangent *t, const entry *e, trmi_level level) {
  const bool is_inner = e->row != TRM_X && e->row != TRM_W && e->col != TRM_X && e->col != TRM_W;
  if ((t->without & TRMI_BIT(e->block)) != 0 || (t->kinematic && !is_inner)) return false;
  if (e->levels == 0) return (t->by & TRMI_BY_BIT(e->by)) != 0;
  if ((e->levels & (1u << level)) == 0) return false;
  return levels_below(e, level) == 0 || (t->by & TRMI_BY_BIT(e->by)) != 0;
}

static trmi_line line_of(const trmi_tangent *t, const entry *e, trmi_level level) {
  const bool is_scaled = t->scales_rows && e->levels != 0;
  const int by = is_scaled ? (int)TRMI_BY_OWN + levels_below(e, level) : (int)e->by;
  const bool is_turned = e->col == TRM_V && (t->turned & TRMI_BY_BIT(e->by)) != 0;
  return (trmi_line){e->row, e->col, e->block, e->is_negative ? TRMI_BYS + by : by,
                     e->is_transposed, is_turned};
}

int trmi_tangent_lines(const trmi_tangent *t, trmi_line lines[TRMI_TANGENT_MAX]) {
  /* kinds in groups; entries of a group are in the order of the table */
  static const unsigned groups[] = {
      TRMI_BY_BIT(TRMI_BY_POSITION), TRMI_BY_BIT(TRMI_BY_INERTIA_Q), TRMI_BY_BIT(TRMI_BY_INERTIA),
      TRMI_BY_BIT(TRMI_BY_VELOCITY), TRMI_BY_BIT(TRMI_BY_ACCELERATION),
      TRMI_BY_BIT(TRMI_BY_MULTIPLIER) | TRMI_BY_BIT(TRMI_BY_STATE) | TRMI_BY_BIT(TRMI_BY_VARIABLE),
      TRMI_BY_BIT(TRMI_BY_STATE_RATE)};
  const int ngroups = t->positions_first ? (int)(sizeof groups / sizeof *groups) : 1;
  int count = 0;
  for (int g = 0; g < ngroups; g++) {
    const unsigned group = t->positions_first ? groups[g] : TRMI_BY_ALL;
    for (int i = 0; i < ENTRIES; i++) {
      const entry *e = &table[i];
      const trmi_level level = e->row == TRM_LAM ? t->lam : t->mu;
      if ((group & TRMI_BY_BIT(e->by)) == 0 || !takes(t, e, level)) continue;
      lines[count++] = line_of(t, e, level);
    }
  }
  return count;
}
