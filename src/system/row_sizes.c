/* row_sizes.c - see row_sizes.h.
 *
 * With B = [G; A], sums over the columns j of a row i:
 *   position      sum |G_ij| p_j,   p_j = |q_j|, or 1 for a rotation                       (1)
 *   velocity      sum |B_ij v_j| + |rate_i|                                                (2)
 *   acceleration  sum |B_ij v'_j| + |bias_i|                                               (3)
 *   rounding      sum |B_ij| (|F|_j / M_jj + |v_j| omega),   omega the fastest |v_j|       (4)
 * |F|_j adds the sizes of M v', G^T lam and A^T mu in row j. The derivative of a joint's row with
 * respect to a rotation is the lever arm, so (1) includes distances from the origin and inside a
 * body. Rows with terms that are small relative to others of their kind (lengths or all others)
 * have the size of those, or a part of it: common unknowns carry rounding from row to row. Theory:
 * docs/theory/06-start-and-rank.md. */
#include "system/row_sizes.h"
#include <math.h>
#include <string.h>

/* The size of a position row is its own, but at least this part of the largest. */
static const double position_part = 1e-3;
/* Smallest size, as a part of the scale of a row per second or per second squared: a row may have
 * terms that do not appear in its derivatives. */
static const double least = 1e-2;

static double scale_of(const trm_system *sys, int row) {
  return row < sys->n.ng ? sys->scale_g[row] : sys->scale_a[row - sys->n.ng];
}

/* size_i += sum over j of |B_ij x_j| */
static void add_terms(const trm_system *sys, const double *x, double *size) {
  const trmi_sparse *const blocks[2] = {&sys->block[TRM_G], &sys->block[TRM_A]};
  for (int b = 0; b < 2; b++) {
    const int shift = b == 0 ? 0 : sys->n.ng;
    for (int k = 0; k < blocks[b]->n && blocks[b]->values != NULL; k++) {
      size[shift + blocks[b]->row[k]] += fabs(blocks[b]->values[k] * x[blocks[b]->col[k]]);
    }
  }
}

/* Raise sizes to a part of the largest size among rows of the same kind, and to the floor. */
static void raise(const trm_system *sys, double part, double floor, double *size) {
  const int rows = sys->n.ng + sys->n.na;
  double largest[2] = {0.0, 0.0};
  for (int i = 0; i < rows; i++) {
    double *kind = &largest[sys->is_length[i]];
    *kind = fmax(*kind, size[i] / scale_of(sys, i));
  }
  for (int i = 0; i < rows; i++) {
    const double others = fmax(part * largest[sys->is_length[i]], floor);
    size[i] = fmax(size[i], others * scale_of(sys, i));
  }
}

void trmi_row_sizes_position(const trm_system *sys, const trm_state *s, double *size) {
  const trmi_sparse *G = &sys->block[TRM_G];
  memset(size, 0, (size_t)(sys->n.ng + sys->n.na) * sizeof *size);
  for (int k = 0; k < G->n; k++) {
    int before = 0; /* rotations up to here */
    for (int low = 0, high = sys->n.nrot; low < high;) {
      const int mid = (low + high) / 2;
      if (sys->rot_v[mid] <= G->col[k]) {
        low = before = mid + 1;
      } else {
        high = mid;
      }
    }
    const bool turns = before > 0 && G->col[k] < sys->rot_v[before - 1] + 3;
    const double p = turns ? 1.0 : fabs(s->q[G->col[k] + before]);
    size[G->row[k]] += fabs(G->values[k]) * p;
  }
  raise(sys, position_part, least, size);
}

void trmi_row_sizes_velocity(const trm_system *sys, const trm_state *s, const double *rate,
                             double *size) {
  for (int i = 0; i < sys->n.ng + sys->n.na; i++) size[i] = fabs(rate[i]);
  add_terms(sys, s->v, size);
  raise(sys, 1.0, least / sys->second, size);
}

void trmi_row_sizes_acceleration(const trm_system *sys, const trm_state *s, const double *bias,
                                 double *size) {
  for (int i = 0; i < sys->n.ng + sys->n.na; i++) size[i] = fabs(bias[i]);
  add_terms(sys, s->vd, size);
  raise(sys, 1.0, least / (sys->second * sys->second), size);
}

/* force_j += sum over i of |B_ij y_i| */
static void add_reactions(const trmi_sparse *B, const double *y, double *force) {
  for (int k = 0; k < B->n && B->values != NULL; k++) {
    force[B->col[k]] += fabs(B->values[k] * y[B->row[k]]);
  }
}

void trmi_row_sizes_rounding(const trm_system *sys, const trm_state *s, double *force,
                             double *size) {
  const trmi_sparse *M = &sys->block[TRM_M];
  double fastest = 0.0;
  memset(force, 0, (size_t)sys->n.nv * sizeof *force);
  memset(size, 0, (size_t)(sys->n.ng + sys->n.na) * sizeof *size);
  for (int k = 0; k < M->n; k++) force[M->row[k]] += fabs(M->values[k] * s->vd[M->col[k]]);
  add_reactions(&sys->block[TRM_G], s->lam, force);
  add_reactions(&sys->block[TRM_A], s->mu, force);
  for (int j = 0; j < sys->n.nv; j++) fastest = fmax(fastest, fabs(s->v[j]) / sys->unit_v[j]);
  for (int k = 0; k < M->n; k++) {
    const int j = M->row[k];
    if (j == M->col[k] && M->values[k] != 0.0) force[j] /= fabs(M->values[k]);
  }
  add_terms(sys, force, size);
  for (int j = 0; j < sys->n.nv; j++) force[j] = fastest * s->v[j];
  add_terms(sys, force, size);
  raise(sys, 1.0, 0.0, size);
}

double trmi_worst_row(const double *r, const double *scale, int n, int *index) {
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    if (fabs(r[i]) <= worst * scale[i]) continue; /* faster than a division */
    const double size = fabs(r[i]) / scale[i];
    if (!(size <= worst)) {
      worst = size;
      *index = i;
      if (isnan(size)) break;
    }
  }
  return worst;
}
