/* linearize.h - a system to first order about a state: products with its blocks, the null
 * space of its constraints. Equations: head of linearize.c. */
#ifndef TRMI_LINEARIZE_H
#define TRMI_LINEARIZE_H
#include "analysis/operating_point.h"
#include "system/tangent.h"

typedef struct trmi_linearized {
  trmi_operating_point *base;
  double    *spin;     /* skew matrices of the angular velocities, row major  [nrot 9] */
  double    *mass, *diagonal; /* diagonals of M and Kt                          [nv]    */
  bool       is_spinning;
} trmi_linearized;

/* Terms included in (2) to (5) of linearize.c. */
extern const trmi_tangent trmi_linearized_tangent;

/* Evaluate all blocks at base->s; they remain in the system until the next evaluation. */
trm_status trmi_linearize(trmi_linearized *l, trmi_operating_point *base, trm_error *err);

/* y += Kt x, (2). */
void trmi_linearized_stiffness(const trmi_linearized *l, const double *x, double *y);
/* |x|' |Kt| |x|: the measure of rounding in x' Kt x. */
double trmi_linearized_stiffness_size(const trmi_linearized *l, const double *x);
/* Largest stiffness over mass, by diagonals [1/s^2]. */
double trmi_linearized_kappa(const trmi_linearized *l);
/* y = S x, (1). */
void trmi_linearized_spin(const trmi_linearized *l, const double *x, double *y);

/* Orthonormal basis of the null space of a dense matrix B (rows x cols, row i at
 * B + i cols; destroyed): Z has *count columns of length cols. All from `arena`. */
trm_status trmi_null_space(double *B, int rows, int cols, trmi_arena *arena, double **Z,
                           int *count, trm_error *err);
/* The same of the constraints G. */
trm_status trmi_linearized_freedoms(const trmi_linearized *l, trmi_arena *arena, double **Z,
                                    int *count, trm_error *err);

/* P = Z' S Z of a sparse matrix, column by column; adds to P [count count]. */
typedef void (*trmi_product)(const trmi_linearized *l, const double *x, double *y);
trm_status trmi_linearized_project(const trmi_linearized *l, trmi_product product, const double *Z,
                                   int count, trmi_arena *arena, double *P, trm_error *err);
/* Products for the above. */
void trmi_linearized_mass(const trmi_linearized *l, const double *x, double *y);

#endif
