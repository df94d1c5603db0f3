/* alpha_forms.c - the forms of [ALPHA] where they differ from si2.
 *
 * index2, cs, cm, projected end a step with (10) of alpha.c: v' and lam at the new q, v are
 * those of the index-1 system
 *   M v' + G^T lam + A^T mu = Q,   G v' + g_bias = 0,   A v' + a_bias = 0,   d = 0,  w = W   (1)
 * and the auxiliary acceleration follows from (2) of alpha.c. The second matrix of the step
 * solves (1) by iteration: with C = 0 it is the matrix of (1) except for the factor c and the small
 * change of q since it was factored.
 *
 * cs and cs-qr differ from index2 by a term in the tangent: alpha_split.c. cm omits this term and
 * mixes its corrections (anderson.h); projected is in alpha_projected.c. */
#include "integ/alpha.h"
#include <math.h>
#include <string.h>

/* Negative residual of (1) in the form of the matrices, whose unknown is v'/c. */
trm_status trmi_alpha_index1(trmi_alpha *ga, const trm_state *s, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  double *r = ga->r;
  const trm_values out = {.motion = r, .g_bias = r + at.lam, .a_bias = r + at.mu,
                          .d = r + at.x, .w = r + at.w};
  TRMI_TRY(err, trm_system_values(sys, s, &out, err));
  const trmi_block_set rows = ga->projection_matrix.blocks & (TRMI_BIT(TRM_G) | TRMI_BIT(TRM_A));
  TRMI_TRY(err, trmi_system_blocks(sys, s, rows, NULL, NULL, NULL, err));
  if (sys->n.ng > 0) trmi_sparse_add_mul(&sys->block[TRM_G], 1.0, s->vd, r + at.lam);
  if (sys->n.na > 0) trmi_sparse_add_mul(&sys->block[TRM_A], 1.0, s->vd, r + at.mu);
  for (int i = 0; i < at.n; i++) r[i] = i >= at.lam && i < at.x ? -r[i] / ga->c : -r[i];
  return TRM_OK;
}

/* Apply a correction; its size in scaled positions. */
static double index1_update(trmi_alpha *ga, double h) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  trm_state *s = &ga->next;
  double sum = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    s->vd[i] += ga->c * ga->r[i];
    sum += ga->r[i] / ga->ctx.scale_v[i] * (ga->r[i] / ga->ctx.scale_v[i]);
  }
  for (int i = 0; i < sys->n.ng; i++) s->lam[i] += ga->r[at.lam + i];
  for (int i = 0; i < sys->n.na; i++) s->mu[i] += ga->r[at.mu + i];
  for (int i = 0; i < sys->n.nx; i++) s->xd[i] += ga->c * ga->r[at.x + i];
  for (int i = 0; i < sys->n.nw; i++) s->w[i] += ga->r[at.w + i];
  return ga->beta * h * h * sqrt(sum / sys->n.nv);
}

trm_status trmi_alpha_resolve(trmi_alpha *ga, double h, trm_error *err) {
  enum { TRIES = 4 };
  const trm_system *sys = ga->ctx.sys;
  if (sys->n.ng == 0) return TRM_OK; /* (1) holds already */
  const double limit = trmi_alpha_limit(ga, h);
  double last = INFINITY, rate = fmin(10 * ga->resolve_rate, 1.0); /* cautious between steps */
  bool is_done = false;
  for (int k = 0; k < TRIES && !is_done; k++) {
    TRMI_TRY(err, trmi_alpha_index1(ga, &ga->next, err));
    TRMI_TRY(err, trmi_linear_solve(&ga->projection_matrix.lin, ga->r, err));
    const double size = index1_update(ga, h);
    if (k > 0) ga->resolve_rate = rate = fmax(size / last, 1e-6);
    if (k > 0 && !(rate < 0.3)) break; /* the second matrix contains damping, (1) does not */
    is_done = rate < 0.99 && rate / (1.0 - rate) * size <= limit;
    last = size;
  }
  if (!is_done) {
    TRMI_TRY(err, trmi_consistent_accelerations(ga->ctx.consistent, &ga->next, err));
  }
  const double rest = 1.0 / (1.0 - ga->am);
  for (int i = 0; i < sys->n.nv; i++) {
    ga->a_next[i] =
        rest * ((1 - ga->af) * ga->next.vd[i] + ga->af * ga->now.vd[i] - ga->am * ga->an[i]);
  }
  for (int i = 0; i < sys->n.nx; i++) {
    ga->y_next[i] =
        rest * ((1 - ga->af) * ga->next.xd[i] + ga->af * ga->now.xd[i] - ga->am * ga->yn[i]);
  }
  return TRM_OK;
}

/* The norm covers corrections of positions r, of accelerations r + r2 and of states, over their
 * scales. */
static void weigh(trmi_alpha *ga, double h) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const double rate = ga->gamma / (ga->beta * h); /* of states relative to positions */
  double *weight = ga->anderson.weight;
  memset(weight, 0, 2 * (size_t)at.n * sizeof(double));
  for (int i = 0; i < sys->n.nv; i++) {
    weight[i] = weight[at.n + i] = 1.0 / (ga->ctx.scale_v[i] * ga->ctx.scale_v[i]);
  }
  for (int i = 0; i < sys->n.nx; i++) {
    const double scale = rate / fmax(sys->scale_x[i], fabs(ga->next.x[i]));
    weight[at.n + at.x + i] = scale * scale;
  }
}

void trmi_alpha_accelerate(trmi_alpha *ga, double h, bool is_first) {
  const int n = trmi_places_of(ga->ctx.sys).n;
  double *both = ga->both;
  if (is_first) weigh(ga, h);
  for (int i = 0; i < n; i++) both[i] = ga->r[i], both[n + i] = ga->r[i] + ga->r2[i];
  trmi_anderson_next(&ga->anderson, both, is_first);
  for (int i = 0; i < n; i++) ga->r[i] = both[i], ga->r2[i] = both[n + i] - both[i];
}
