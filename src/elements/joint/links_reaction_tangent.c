/* links_reaction_tangent.c - derivatives of the reaction of a joint.
 *
 * With the sums over rows of rows.c, f, Y_j, Y_d, k, and h of TWIST rows with their sum z:
 *   force = -(f + R_A Y_d + k d),   torque = sum (R_A Y_j) x (R_B b_j) + z R_A h            (1)
 * The derivative by a multiplier is the contribution of its row with one in place of y:
 *   POINT -e_i;  ALONG -R_A a;  DISTANCE -d/L;  DOT (R_A a) x (R_B b);  TWIST R_A h         (2)
 * Vectors R u fixed in a body change by R (theta x u) when it rotates by theta; d = P_B - P_A also
 * changes with its displacements. z h is the moment on A in body axes; its derivatives by theta_A
 * and theta_B are parts of GY_Q in rows_twist.c.                                            (3)
 * If a marker maps, columns are converted to those of its body, (2) of elements/body/carrier.h. */
#include "elements/joint/links_reaction_tangent.h"
#include "elements/joint/rows_internal.h"
#include <string.h>

enum { SIZE = 6, FORCE = 0, TORQUE = 3, THETA = 3 };

/* Destination of the columns of one side, six rows. */
typedef struct side {
  double *at;
  int     width, columns; /* none, x alone, or x and theta */
} side;

static inline trmi_vec3 unit(int c) {
  return v3(c == 0, c == 1, c == 2);
}

static inline void add(const side *to, int row, int column, trmi_vec3 u) {
  double *at = to->at + row * to->width + column;
  at[0] += u.x;
  at[to->width] += u.y;
  at[2 * to->width] += u.z;
}

/* (3) for R u times `factor` in rows of the force */
static void add_turned(const side *to, const double R[9], trmi_vec3 u, double factor) {
  if (to->columns <= THETA) return;
  for (int c = 0; c < 3; c++) {
    add(to, FORCE, THETA + c, v3_scale(factor, m3_mul(R, v3_cross(unit(c), u))));
  }
}

/* (3) for Y x b */
static void add_couple(const trmi_pose *A, const trmi_pose *B, trmi_vec3 Y_a, trmi_vec3 b_b,
                       const side to[2]) {
  const trmi_vec3 Y = m3_mul(A->R, Y_a), b = m3_mul(B->R, b_b);
  for (int c = 0; c < 3 && to[0].columns > THETA; c++) {
    add(&to[0], TORQUE, THETA + c, v3_cross(m3_mul(A->R, v3_cross(unit(c), Y_a)), b));
  }
  for (int c = 0; c < 3 && to[1].columns > THETA; c++) {
    add(&to[1], TORQUE, THETA + c, v3_cross(Y, m3_mul(B->R, v3_cross(unit(c), b_b))));
  }
}

/* (3) for z R_A h */
static void add_twist(const trmi_link *link, const trmi_pose *A, const trmi_pose *B, double z,
                      const side to[2]) {
  const trmi_vec3 zh = v3_scale(z, trmi_twist_gradient(link, A, B));
  double AA[9] = {0.0}, BB[9] = {0.0}, AB[9] = {0.0};
  trmi_twist_tangent(link, A, B, z, AA, BB, AB);
  for (int c = 0; c < 3; c++) {
    const trmi_vec3 by_A = v3_add(v3_cross(unit(c), zh), m3_column(AA, c));
    if (to[0].columns > THETA) add(&to[0], TORQUE, THETA + c, m3_mul(A->R, by_A));
    if (to[1].columns > THETA) add(&to[1], TORQUE, THETA + c, m3_mul(A->R, m3_column(AB, c)));
  }
}

static void add_positions(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                          const double *lam, const bool wanted[2], const side to[2]) {
  const trmi_row_sums sums = trmi_sum_rows(link, lam);
  const double k = sums.distance;
  if (wanted[0] && sums.has_along) add_turned(&to[0], A->R, sums.along, -1.0);
  if (wanted[0] && sums.has_distance) {
    for (int c = 0; c < 3 && to[0].columns > 0; c++) add(&to[0], FORCE, c, v3_scale(k, unit(c)));
    for (int c = 0; c < 3 && to[1].columns > 0; c++) add(&to[1], FORCE, c, v3_scale(-k, unit(c)));
    add_turned(&to[0], A->R, link->s_a, k);
    add_turned(&to[1], B->R, link->s_b, -k);
  }
  for (int j = 0; j < 3 && wanted[1]; j++) {
    if (sums.has_turn[j]) add_couple(A, B, sums.turn[j], m3_row(link->E_b, j), to);
  }
  if (wanted[1] && sums.has_twist) add_twist(link, A, B, sums.twist, to);
}

/* (2) */
static void add_multipliers(const trmi_link *link, const trmi_pose *A, const trmi_pose *B,
                            const bool wanted[2], const side *to) {
  int column = 0;
  for (int r = 0; r < link->nrows; r++) {
    const trmi_row *row = &link->rows[r];
    const bool turns = row->kind == TRMI_ROW_DOT || row->kind == TRMI_ROW_TWIST;
    if (!wanted[turns ? 1 : 0]) {
      column += row->kind == TRMI_ROW_POINT ? 3 : 1;
      continue;
    }
    const trmi_vec3 a = m3_mul(A->R, m3_row(link->E_a, row->a));
    switch (row->kind) {
    case TRMI_ROW_POINT:
      for (int i = 0; i < 3; i++) add(to, FORCE, column + i, v3_neg(unit(i)));
      column += 2;
      break;
    case TRMI_ROW_ALONG: add(to, FORCE, column, v3_neg(a)); break;
    case TRMI_ROW_DISTANCE:
      add(to, FORCE, column, v3_scale(-1.0 / link->length, trmi_link_gap(link, A, B)));
      break;
    case TRMI_ROW_DOT:
      add(to, TORQUE, column, v3_cross(a, m3_mul(B->R, m3_row(link->E_b, row->b))));
      break;
    case TRMI_ROW_TWIST:
      add(to, TORQUE, column, m3_mul(A->R, trmi_twist_gradient(link, A, B)));
      break;
    }
    column++;
  }
}

void trmi_link_reaction_columns(const trmi_link *link, const trmi_carriers *carriers,
                                const int ends[2], const double *lam, const bool wanted[2],
                                double *out) {
  const trmi_carrier *const carrier[2] = {&carriers->list[ends[0]], &carriers->list[ends[1]]};
  const trmi_pose *A = &carriers->poses[ends[0]], *B = &carriers->poses[ends[1]];
  const int of_A = trmi_carrier_columns(carrier[0]);
  const int of_q = of_A + trmi_carrier_columns(carrier[1]);
  const int width = of_q + trmi_rows_size(link->rows, link->nrows);
  double local[2][SIZE * SIZE];
  side to[2];
  memset(out, 0, SIZE * (size_t)width * sizeof *out);
  for (int k = 0; k < 2; k++) {
    to[k] = (side){out + k * of_A, width, (int)carrier[k]->kind};
    if (carrier[k]->map == NULL) continue;
    memset(local[k], 0, sizeof local[k]);
    to[k] = (side){local[k], SIZE, SIZE};
  }
  add_positions(link, A, B, lam, wanted, to);
  for (int k = 0; k < 2; k++) {
    if (carrier[k]->map == NULL) continue;
    trmi_carrier_right(carrier[k], (trmi_dense){local[k], SIZE}, SIZE, TRMI_MAP_J,
                       (trmi_dense){out + k * of_A, width});
  }
  add_multipliers(link, A, B, wanted, &(side){out + of_q, width, width - of_q});
}

/* Components of the reaction that depend on a column. */
static void mark(bool *is_zero, int width, int first, int count, int column) {
  for (int i = first; i < first + count; i++) is_zero[i * width + column] = false;
}

/* For one row of the list: the positions on which its part of the reaction depends. */
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
