/* differences.c - derivatives that a system does not provide.
 *
 * Linear terms are exact, by unit vectors:
 *   M e_j   = motion(v' = e_j) - motion(0)                                  (1)
 *   G^T e_j = motion(lam = e_j) - motion(0),  A^T e_j likewise with mu      (2)
 * where motion(0) has v' = lam = mu = 0, that is -Q. Everything else is a central
 * difference with a step of cbrt(eps) = 6e-6 of the scale of the varied quantity: the
 * truncation error is its square, the rounding error eps over it, both 1e-10. */
#include "system/system.h"
#include <math.h>
#include <string.h>

/* The list of values that is differenced. */
typedef enum source {
  FORCE,    /* motion(0) = -Q                       */
  MASS_U,   /* motion(v' = u) - motion(0) = M u     */
  GT_Y,     /* motion(lam = y) - motion(0) = G^T y  */
  AT_Y,     /* motion(mu = ya) - motion(0) = A^T ya */
  G_RATE, G_BIAS, A_RATE, A_BIAS, STATE, VARIABLE, ETA
} source;

/* The quantity that is varied; TIME is t. */
typedef enum variation { BY_Q, BY_V, BY_VD, BY_LAM, BY_X, BY_XD, BY_W, BY_U, BY_TIME } variation;

static const struct {
  source    of;
  variation by;
  double    sign;
  bool      transposed; /* the block is the transpose of the derivative */
} recipe[TRM_BLOCKS] = {
    [TRM_M] = {MASS_U, BY_VD, 1, false},   [TRM_MU_Q] = {MASS_U, BY_Q, 1, false},
    [TRM_K] = {FORCE, BY_Q, 1, false},     [TRM_C] = {FORCE, BY_V, 1, false},
    [TRM_Q_X] = {FORCE, BY_X, -1, false},  [TRM_Q_W] = {FORCE, BY_W, -1, false},
    [TRM_Q_U] = {FORCE, BY_U, -1, false},  [TRM_Q_T] = {FORCE, BY_TIME, -1, false},
    [TRM_G] = {GT_Y, BY_LAM, 1, true},     [TRM_GY_Q] = {GT_Y, BY_Q, 1, false},
    [TRM_GV_Q] = {G_RATE, BY_Q, 1, false}, [TRM_GB_Q] = {G_BIAS, BY_Q, 1, false},
    [TRM_GB_V] = {G_BIAS, BY_V, 1, false}, [TRM_A] = {AT_Y, BY_LAM, 1, true},
    [TRM_AY_Q] = {AT_Y, BY_Q, 1, false},   [TRM_AV_Q] = {A_RATE, BY_Q, 1, false},
    [TRM_AB_Q] = {A_BIAS, BY_Q, 1, false}, [TRM_AB_V] = {A_BIAS, BY_V, 1, false},
    [TRM_D_XD] = {STATE, BY_XD, 1, false}, [TRM_D_X] = {STATE, BY_X, 1, false},
    [TRM_D_Q] = {STATE, BY_Q, 1, false},   [TRM_D_V] = {STATE, BY_V, 1, false},
    [TRM_D_VD] = {STATE, BY_VD, 1, false}, [TRM_D_LAM] = {STATE, BY_LAM, 1, false},
    [TRM_D_W] = {STATE, BY_W, 1, false},   [TRM_D_U] = {STATE, BY_U, 1, false},
    [TRM_W_Q] = {VARIABLE, BY_Q, -1, false}, [TRM_W_U] = {VARIABLE, BY_U, -1, false},
    [TRM_W_V] = {VARIABLE, BY_V, -1, false}, [TRM_W_VD] = {VARIABLE, BY_VD, -1, false},
    [TRM_W_X] = {VARIABLE, BY_X, -1, false}, [TRM_W_XD] = {VARIABLE, BY_XD, -1, false},
    [TRM_W_LAM] = {VARIABLE, BY_LAM, -1, false}, [TRM_W_W] = {VARIABLE, BY_W, -1, false},
    [TRM_STIFF_B] = {ETA, BY_Q, 1, true},
};

static const double relative_step = 6e-6; /* cbrt(eps) */

void trmi_differences_take(trm_system *sys) {
  const trm_sizes *n = &sys->n;
  trmi_state_take(sys, &sys->arena, &sys->probe);
  const int sizes[] = {n->nv, n->ng, n->na, n->nx, n->nw, n->nstiff};
  int longest = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    if (sizes[i] > longest) longest = sizes[i];
  }
  sys->probe_plus = TRMI_TAKE(&sys->arena, double, longest);
  sys->probe_minus = TRMI_TAKE(&sys->arena, double, longest);
  sys->probe_zero = TRMI_TAKE(&sys->arena, double, longest);
  sys->probe_v = TRMI_TAKE(&sys->arena, double, n->nv);
}

/* motion at p with the v', lam, mu of p, minus motion(0). */
static trm_status linear_part(trm_system *sys, trm_state *p, double *out, trm_error *err) {
  const trm_sizes *n = &sys->n;
  TRMI_ASK(err, sys->ops->name, "values",
           sys->ops->values(sys->self, p, &(trm_values){.motion = out}, err));
  memset(p->vd, 0, (size_t)n->nv * sizeof(double));
  memset(p->lam, 0, (size_t)n->ng * sizeof(double));
  memset(p->mu, 0, (size_t)n->na * sizeof(double));
  TRMI_ASK(err, sys->ops->name, "values",
           sys->ops->values(sys->self, p, &(trm_values){.motion = sys->probe_zero}, err));
  for (int i = 0; i < n->nv; i++) out[i] -= sys->probe_zero[i];
  return TRM_OK;
}

/* The values `of` at the probe; overwrites v', lam, mu of the probe. */
static trm_status evaluate(trm_system *sys, source of, const trm_block_request *request,
                           double *out, trm_error *err) {
  trm_state *p = &sys->probe;
  const trm_sizes *n = &sys->n;
  trm_values wanted = {0};
  if (of == FORCE || of == MASS_U || of == GT_Y || of == AT_Y) {
    if (of != MASS_U) memset(p->vd, 0, (size_t)n->nv * sizeof(double));
    if (of != GT_Y) memset(p->lam, 0, (size_t)n->ng * sizeof(double));
    if (of != AT_Y) memset(p->mu, 0, (size_t)n->na * sizeof(double));
  }
  switch (of) {
  case FORCE: wanted.motion = out; break;
  case MASS_U:
    if (n->nv > 0) memcpy(p->vd, request->u, (size_t)n->nv * sizeof(double));
    return linear_part(sys, p, out, err);
  case GT_Y:
    if (n->ng > 0) memcpy(p->lam, request->y, (size_t)n->ng * sizeof(double));
    return linear_part(sys, p, out, err);
  case AT_Y:
    if (n->na > 0) memcpy(p->mu, request->ya, (size_t)n->na * sizeof(double));
    return linear_part(sys, p, out, err);
  case G_RATE: wanted.g_rate = out; break;
  case G_BIAS: wanted.g_bias = out; break;
  case A_RATE: wanted.a_rate = out; break;
  case A_BIAS: wanted.a_bias = out; break;
  case STATE: wanted.d = out; break;
  case VARIABLE: wanted.w = out; break;
  case ETA: wanted.eta = out; break;
  }
  if (!sys->ops->gives_rates && (of == G_RATE || of == G_BIAS || of == A_BIAS)) {
    return trmi_difference_rates(sys, p, &wanted, err);
  }
  TRMI_ASK(err, sys->ops->name, "values", sys->ops->values(sys->self, p, &wanted, err));
  return TRM_OK;
}

/* Set the probe to s, varied by e in component j. */
static void vary(trm_system *sys, const trm_state *s, variation by, int j, double e) {
  trm_state *p = &sys->probe;
  trmi_state_copy(sys, s, p);
  switch (by) {
  case BY_Q:
    memset(sys->probe_v, 0, (size_t)sys->n.nv * sizeof(double));
    sys->probe_v[j] = e;
    trm_system_retract(sys, s->q, sys->probe_v, p->q);
    break;
  case BY_V: p->v[j] += e; break;
  case BY_VD: p->vd[j] += e; break;
  case BY_LAM: p->lam[j] += e; break;
  case BY_X: p->x[j] += e; break;
  case BY_XD: p->xd[j] += e; break;
  case BY_W: p->w[j] += e; break;
  case BY_U: p->u[j] += e; break;
  case BY_TIME: p->t += e; break;
  }
}

static double step_of(const trm_system *sys, const trm_state *s, variation by, int j) {
  const double second = sys->second;
  switch (by) {
  case BY_Q: return relative_step * sys->scale_v[j];
  case BY_V: return relative_step * fmax(sys->scale_v[j] / second, fabs(s->v[j]));
  case BY_VD: return relative_step * fmax(sys->scale_v[j] / (second * second), fabs(s->vd[j]));
  case BY_LAM: return relative_step * fmax(1.0, fabs(s->lam[j]));
  case BY_X: return relative_step * fmax(sys->unit_x[j], fabs(s->x[j]));
  case BY_XD: return relative_step * fmax(sys->unit_x[j] / second, fabs(s->xd[j]));
  case BY_W: return relative_step * fmax(1.0, fabs(s->w[j]));
  case BY_U: return relative_step * fmax(1.0, fabs(s->u[j]));
  case BY_TIME: return relative_step * fmax(1e-3 * second, fabs(s->t));
  }
  return relative_step;
}

/* (1), (2): column j of M, or row j of G or A, without truncation error */
static trm_status unit_column(trm_system *sys, const trm_state *s, trm_block block, int j,
                              double *out, trm_error *err) {
  trm_state *p = &sys->probe;
  trmi_state_copy(sys, s, p);
  memset(p->vd, 0, (size_t)sys->n.nv * sizeof(double));
  memset(p->lam, 0, (size_t)sys->n.ng * sizeof(double));
  memset(p->mu, 0, (size_t)sys->n.na * sizeof(double));
  *(block == TRM_M ? p->vd + j : block == TRM_G ? p->lam + j : p->mu + j) = 1.0;
  return linear_part(sys, p, out, err);
}

static trm_status difference_column(trm_system *sys, const trm_state *s, trm_block block, int j,
                                    const trm_block_request *request, trm_error *err) {
  const source of = recipe[block].of;
  const variation by = recipe[block].by;
  const double e = step_of(sys, s, by, j);
  vary(sys, s, by, j, +e);
  TRMI_TRY(err, evaluate(sys, of, request, sys->probe_plus, err));
  vary(sys, s, by, j, -e);
  TRMI_TRY(err, evaluate(sys, of, request, sys->probe_minus, err));
  const int rows = recipe[block].transposed ? trmi_block_cols(&sys->n, block)
                                            : trmi_block_rows(&sys->n, block);
  for (int i = 0; i < rows; i++) {
    sys->probe_plus[i] =
        recipe[block].sign * (sys->probe_plus[i] - sys->probe_minus[i]) / (2 * e);
  }
  if (block == TRM_W_W) sys->probe_plus[j] += 1.0; /* values are w - W */
  return TRM_OK;
}

trm_status trmi_difference_block(trm_system *sys, const trm_state *s, trm_block block,
                                 const trm_block_request *request, double *dense, trm_error *err) {
  const bool transposed = recipe[block].transposed;
  const int rows = trmi_block_rows(&sys->n, block), cols = trmi_block_cols(&sys->n, block);
  const int varied = transposed ? rows : cols, length = transposed ? cols : rows;
  for (int j = 0; j < varied; j++) {
    if (block == TRM_M || block == TRM_G || block == TRM_A) {
      TRMI_TRY(err, unit_column(sys, s, block, j, sys->probe_plus, err));
    } else {
      TRMI_TRY(err, difference_column(sys, s, block, j, request, err));
    }
    for (int i = 0; i < length; i++) {
      dense[transposed ? (size_t)j * (size_t)cols + (size_t)i
                       : (size_t)i * (size_t)cols + (size_t)j] = sys->probe_plus[i];
    }
  }
  return TRM_OK;
}
