/* links_reaction.c - derivatives of the reaction of a joint.
 *
 * With (F, T) = G_B^T lam in the columns of marker B's carrier, s from its origin to the marker:
 *   force = -F,   torque at the marker = R mb,   mb = s x R^T F - T                         (1)
 * and for a turn theta of B
 *   d(R^T F) = R^T dF + R^T F x theta,   d(R mb) = R (dmb + theta x mb)                     (2)
 * dF and dT are columns of GY_Q at y = lam, and rows of G. B counts as a body also where it is the
 * ground or a point, so that rows of B exist. Where a marker maps, columns become those of its
 * body, (2) of elements/body/carrier.h. */
#include "elements/joint/links_reaction.h"
#include <string.h>

enum { SIZE = 6, COLUMNS = 12, ENTRIES_MAX = COLUMNS * COLUMNS };

/* One block of the link as a full matrix in the columns of A and of B. */
static void evaluate(const trmi_link *link, trm_block block, const trmi_pose *A,
                     const trmi_pose *B, const double *lam, double out[COLUMNS][COLUMNS]) {
  const trmi_link_place at = {.row = 0, .v_A = 0, .v_B = SIZE};
  double entries[ENTRIES_MAX];
  int row[ENTRIES_MAX], col[ENTRIES_MAX];
  const int count = trmi_link_entries(link, block, &at, row, col);
  const trmi_link_blocks blocks = {.G = block == TRM_G ? entries : NULL,
                                   .GY_Q = block == TRM_GY_Q ? entries : NULL, .y = lam};
  trmi_link_fill(link, A, B, &blocks);
  memset(out, 0, sizeof(double) * COLUMNS * COLUMNS);
  for (int k = 0; k < count; k++) out[row[k]][col[k]] += entries[k];
}

/* Where B is, its marker, and (1). */
typedef struct moment {
  const double *R;
  trmi_vec3     s, F_b, mb;
} moment;

/* Column of the derivative of (1) from dF and dT, and a turn of B. */
static void put_column(const moment *z, const double d[SIZE], trmi_vec3 theta, double *out,
                       int width) {
  const trmi_vec3 dF = v3_load(d);
  const trmi_vec3 dF_b = v3_add(m3_tmul(z->R, dF), v3_cross(z->F_b, theta)); /* (2) */
  const trmi_vec3 dmb = v3_sub(v3_cross(z->s, dF_b), v3_load(d + 3));
  double column[SIZE];
  v3_store(column, v3_neg(dF));
  v3_store(column + 3, m3_mul(z->R, v3_add(dmb, v3_cross(theta, z->mb))));
  for (int i = 0; i < SIZE; i++) out[i * width] = column[i];
}

void trmi_link_reaction_columns(const trmi_link *link, const trmi_carriers *carriers,
                                const int ends[2], const double *lam, double *out) {
  const trmi_carrier *const sides[2] = {&carriers->list[ends[0]], &carriers->list[ends[1]]};
  const trmi_pose *A = &carriers->poses[ends[0]], *B = &carriers->poses[ends[1]];
  const int of_A = trmi_carrier_columns(sides[0]), of_q = of_A + trmi_carrier_columns(sides[1]);
  const int rows = trmi_rows_size(link->rows, link->nrows), width = of_q + rows;
  double G[COLUMNS][COLUMNS], GY_Q[COLUMNS][COLUMNS];
  trmi_link of_B = *link;
  trmi_vec3 force, torque;
  of_B.B = TRMI_CARRIER_BODY;
  evaluate(&of_B, TRM_G, A, B, NULL, G);
  evaluate(&of_B, TRM_GY_Q, A, B, lam, GY_Q);
  trmi_link_reaction(link, A, B, lam, &force, &torque);
  const moment z = {.R = B->R, .s = link->s_b, .F_b = v3_neg(m3_tmul(B->R, force)),
                    .mb = m3_tmul(B->R, torque)};
  memset(out, 0, SIZE * (size_t)width * sizeof *out);
  for (int k = 0; k < 2; k++) {
    double local[SIZE][SIZE];
    for (int c = 0; c < SIZE; c++) {
      const bool is_turn = k == 1 && c >= 3;
      const trmi_vec3 theta = is_turn ? v3(c == 3, c == 4, c == 5) : v3(0, 0, 0);
      double d[SIZE];
      for (int i = 0; i < SIZE; i++) d[i] = GY_Q[SIZE + i][SIZE * k + c];
      put_column(&z, d, theta, &local[0][c], SIZE);
    }
    trmi_carrier_right(sides[k], (trmi_dense){&local[0][0], SIZE}, SIZE, TRMI_MAP_J,
                       (trmi_dense){out + k * of_A, width});
  }
  for (int r = 0; r < rows; r++) put_column(&z, &G[r][SIZE], v3(0, 0, 0), out + of_q + r, width);
}

/* Components of the reaction that depend on a column. */
static void mark(bool *is_zero, int width, int first, int count, int column) {
  for (int i = first; i < first + count; i++) is_zero[i * width + column] = false;
}

/* Of one row of the list: the positions its part of the reaction depends on. */
static void mark_row(const trmi_link *link, trmi_row_kind kind, int width, bool *is_zero) {
  const bool turns = kind == TRMI_ROW_DOT || kind == TRMI_ROW_TWIST;
  const int first = turns ? 3 : 0, of_A = (int)link->A, of_B = (int)link->B;
  const bool by_turn_B = turns || kind == TRMI_ROW_DISTANCE;
  if (kind == TRMI_ROW_POINT) return; /* its multipliers are the force itself */
  for (int c = kind == TRMI_ROW_DISTANCE ? 0 : 3; c < of_A; c++) mark(is_zero, width, first, 3, c);
  for (int c = kind == TRMI_ROW_DISTANCE ? 0 : 3; c < of_B && by_turn_B; c++) {
    mark(is_zero, width, first, 3, of_A + c);
  }
}

void trmi_link_reaction_zeros(const trmi_link *link, bool *is_zero) {
  int row = (int)link->A + (int)link->B;
  const int width = row + trmi_rows_size(link->rows, link->nrows);
  for (int k = 0; k < SIZE * width; k++) is_zero[k] = true;
  for (int k = 0; k < link->nrows; k++) {
    const trmi_row_kind kind = link->rows[k].kind;
    mark_row(link, kind, width, is_zero);
    if (kind == TRMI_ROW_POINT) {
      for (int i = 0; i < 3; i++) mark(is_zero, width, i, 1, row++);
      continue;
    }
    mark(is_zero, width, kind == TRMI_ROW_DOT || kind == TRMI_ROW_TWIST ? 3 : 0, 3, row++);
  }
}
