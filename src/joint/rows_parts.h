/* rows_parts.h - what values and blocks of rows share: vectors with their rates, and sums over
 * rows weighted with multipliers. Equations: head of rows.c. */
#ifndef TRMI_ROWS_PARTS_H
#define TRMI_ROWS_PARTS_H
#include "joint/rows.h"

/* A vector u, u' and u'' without the part of accelerations; in any axes. */
typedef struct trmi_moving {
  trmi_vec3 u, u1, u2;
} trmi_moving;

/* d = P_B - P_A, ground axes */
static inline trmi_vec3 trmi_link_gap(const trmi_link *link, const trmi_pose *A,
                                      const trmi_pose *B) {
  return v3_sub(v3_add(B->x, m3_mul(B->R, link->s_b)), v3_add(A->x, m3_mul(A->R, link->s_a)));
}

/* Rows of a list times their multipliers y, sorted by what they act on. */
typedef struct trmi_row_sums {
  trmi_vec3 point;   /* y of POINT, ground axes                                     */
  trmi_vec3 turn[3]; /* Y_j = sum of y a over DOT and TWIST with axis j of B, A axes */
  trmi_vec3 along;   /* sum of y a over ALONG, A axes                               */
  double distance;   /* sum of y/L over DISTANCE                                    */
  bool has_turn[3], has_along, has_distance;
} trmi_row_sums;

static inline void trmi_add_turn(trmi_row_sums *sums, double y, trmi_vec3 a, int b) {
  sums->turn[b] = v3_add(sums->turn[b], v3_scale(y, a));
  sums->has_turn[b] = true;
}

static inline trmi_row_sums trmi_sum_rows(const trmi_link *link, const double *y) {
  trmi_row_sums sums = {0};
  for (int k = 0; k < link->nrows; k++) {
    const trmi_row *row = &link->rows[k];
    switch (row->kind) {
    case TRMI_ROW_POINT:
      sums.point = v3_add(sums.point, v3_load(y));
      y += 3;
      continue;
    case TRMI_ROW_DOT: trmi_add_turn(&sums, *y, m3_row(link->E_a, row->a), row->b); break;
    case TRMI_ROW_TWIST:
      trmi_add_turn(&sums, *y, m3_row(link->E_a, row->a), row->b);
      trmi_add_turn(&sums, -*y, m3_row(link->E_a, row->a2), row->b2);
      break;
    case TRMI_ROW_ALONG:
      sums.along = v3_add(sums.along, v3_scale(*y, m3_row(link->E_a, row->a)));
      sums.has_along = true;
      break;
    case TRMI_ROW_DISTANCE:
      sums.distance += *y / link->length;
      sums.has_distance = true;
      break;
    }
    y++;
  }
  return sums;
}

#endif
