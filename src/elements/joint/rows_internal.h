/* rows_internal.h - shared by values and blocks of rows: vectors with their rates, and sums over
 * rows weighted with multipliers. Symbols and equations: head of rows.c. */
#ifndef TRMI_ROWS_INTERNAL_H
#define TRMI_ROWS_INTERNAL_H
#include "core/compiler.h"
#include "elements/joint/rows.h"

/* A vector u and u', in any axes. */
typedef struct trmi_rated {
  trmi_vec3 u, u1;
} trmi_rated;

/* A vector u, u' and u'' without the part of accelerations; in any axes. */
typedef struct trmi_moving {
  trmi_vec3 u, u1, u2;
} trmi_moving;

/* s, c and f of a vector fixed in a body, body axes */
static inline trmi_moving trmi_fixed_vector(trmi_vec3 s, trmi_vec3 w) {
  const trmi_vec3 c = v3_cross(w, s);
  return (trmi_moving){s, c, v3_cross(w, c)};
}
static inline trmi_moving trmi_moving_mul(const double R[9], trmi_moving m) {
  return (trmi_moving){m3_mul(R, m.u), m3_mul(R, m.u1), m3_mul(R, m.u2)};
}
static inline trmi_moving trmi_moving_tmul(const double R[9], trmi_moving m) {
  return (trmi_moving){m3_tmul(R, m.u), m3_tmul(R, m.u1), m3_tmul(R, m.u2)};
}
static inline trmi_moving trmi_moving_sub(trmi_moving a, trmi_moving b) {
  return (trmi_moving){v3_sub(a.u, b.u), v3_sub(a.u1, b.u1), v3_sub(a.u2, b.u2)};
}

/* D = P_B - x_A, ground axes */
static inline trmi_moving trmi_link_reach(const trmi_link *link, const trmi_pose *A,
                                          const trmi_pose *B) {
  const trmi_moving r_B = trmi_moving_mul(B->R, trmi_fixed_vector(link->s_b, B->w));
  return (trmi_moving){v3_add(v3_sub(B->x, A->x), r_B.u), v3_add(v3_sub(B->v, A->v), r_B.u1),
                       r_B.u2};
}

/* d = P_B - P_A, ground axes */
static inline trmi_vec3 trmi_link_gap(const trmi_link *link, const trmi_pose *A,
                                      const trmi_pose *B) {
  return v3_sub(v3_add(B->x, m3_mul(B->R, link->s_b)), v3_add(A->x, m3_mul(A->R, link->s_a)));
}

/* Rows of a list times their multipliers y, grouped by kind of load. */
typedef struct trmi_row_sums {
  trmi_vec3 point;   /* y of POINT, ground axes                                     */
  trmi_vec3 turn[3]; /* Y_j = sum of y a over DOT with axis j of B, A axes         */
  trmi_vec3 along;   /* sum of y a over ALONG, A axes                               */
  double distance;   /* sum of y/L over DISTANCE                                    */
  double twist;      /* sum of y over TWIST                                         */
  bool has_turn[3], has_along, has_distance, has_twist;
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
      sums.twist += *y;
      sums.has_twist = true;
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

/* The list of TRMI_LINK_HINGE; the first entry is that of TRMI_LINK_POINT. */
static const trmi_row trmi_hinge_rows[3] = {{.kind = TRMI_ROW_POINT},
                                            {.kind = TRMI_ROW_DOT, .a = 0, .b = 2},
                                            {.kind = TRMI_ROW_DOT, .a = 1, .b = 2}};

/* The only Y_j of a hinge, axes of A */
static inline trmi_vec3 trmi_hinge_turn(const trmi_link *link, const double *y) {
  return v3_add(v3_scale(y[3], m3_row(link->E_a, 0)), v3_scale(y[4], m3_row(link->E_a, 1)));
}

/* ---- rows_twist.c --------------------------------------------------------------- */

/* The row and its rate; its bias. */
void trmi_twist_rates(const trmi_link *link, const trmi_pose *A, const trmi_pose *B, double *g,
                      double *g_rate);
double trmi_twist_bias(const trmi_link *link, const trmi_pose *A, const trmi_pose *B);
/* Entries of G and GV_Q for A, body axes; those of B are the opposite. */
trmi_vec3 trmi_twist_gradient(const trmi_link *link, const trmi_pose *A, const trmi_pose *B);
trmi_vec3 trmi_twist_GV_Q(const trmi_link *link, const trmi_pose *A, const trmi_pose *B);
/* Entries of GB_Q and GB_V, body axes. */
typedef struct trmi_twist_biases {
  trmi_vec3 GB_Q_A, GB_Q_B, GB_V_A, GB_V_B;
} trmi_twist_biases;
trmi_twist_biases trmi_twist_bias_turns(const trmi_link *link, const trmi_pose *A,
                                        const trmi_pose *B);
/* Add the parts of rotations of GY_Q; those of B with A are the transpose of AB. */
void trmi_twist_tangent(const trmi_link *link, const trmi_pose *A, const trmi_pose *B, double y,
                        double AA[9], double BB[9], double AB[9]);

/* ---- blocks ------------------------------------------------------------------- */

/* The two bodies of a link. */
typedef struct trmi_link_pair {
  const trmi_link *link;
  const trmi_pose *A, *B;
  double S[9]; /* R_A^T R_B; not set for a single POINT */
} trmi_link_pair;

/* Write three numbers at p; returns the next position. */
static inline double *trmi_put(double *p, trmi_vec3 u) {
  v3_store(p, u);
  return p + 3;
}

/* Destination of declared entries; p is NULL if they are not declared, row and col if they are not
 * listed. */
typedef struct trmi_declaration {
  trm_pattern *p;
  trm_block block;
  int count;
  int *row, *col;
} trmi_declaration;

static inline void trmi_declare(trmi_declaration *d, int row, int col, int rows, int cols) {
  if (d->p != NULL) trm_pattern_dense(d->p, d->block, row, col, rows, cols);
  for (int k = 0; d->row != NULL && k < rows * cols; k++) {
    d->row[d->count + k] = row + k / cols;
    d->col[d->count + k] = col + k % cols;
  }
  d->count += rows * cols;
}

/* rows_tangent.c: pattern and values of GY_Q */
void trmi_tangent_declare(trmi_declaration *d, const trmi_link *link, const trmi_link_place *at);
void trmi_tangent_fill(const trmi_link_pair *of, const double *y, double *p);

#endif
