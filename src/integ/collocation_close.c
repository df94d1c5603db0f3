/* collocation_close.c - the end of a step of `tdg`, without a matrix of its own.
 *
 * Positions and velocities are projected onto the constraints by the shortest displacement in the
 * metric of M, then v', lam, mu, x', w are solved for. All quantities are at the end of the step:
 *   M d + G^T n = 0,  G d + g = 0;                                  q <- q (+) d            (1)
 *   M d + G^T n + A^T m = 0,  G d + G v + g_t = 0,  A d + A v + b = 0;  v <- v + d          (2)
 *   M v' + G^T lam + A^T mu - Q = 0,  G v' + g_bias = 0,  A v' + a_bias = 0,  d = 0,  w = W (3)
 * The matrix S = P0 + h/2 P1 + h^2/6 P2 of the passes, formed at the predicted end of the step,
 * differs from that of (1) to (3) by terms of order h. Corrections y from the residuals r of these
 * equations, solved with S and multiplied by T, which is a factor of its columns, therefore
 * converge to the same solution at a rate of order h:
 *   S y = -r,   (d, n, m) += T y,   r += [M G^T A^T; G 0 0; A 0 0] T y                      (4)
 * If r is updated by (4), the iteration is linear and its corrections are mixed (anderson.h):
 * stiffness that is not small against M then costs some more solves. With states or variables, r of
 * (3) is evaluated in each pass. If forces depend strongly on accelerations, or more stiff modes
 * are present than the mixing has pairs, (4) converges slowly; then the matrices of
 * system/consistent.c are factored, for this step and the following ones.
 *
 * In both tdg and radau, stiff forces turn small remainders of fast vibrations at the end of the
 * step into accelerations and multipliers of (3) unrelated to the motion. If these differ from
 * those of the last stage, which is also the end of the step, by much more than stages differ from
 * each other, those of the last stage are kept                                              (5) */
#include "integ/collocation.h"
#include <math.h>
#include <string.h>

/* Maximum number of solves for one list, slowest accepted contraction, steps without (4) after a
 * slower one. */
enum { SOLVES_MAX = 10, SOLVES_MIXED = ANDERSON_PAIRS, BAD_STEPS = 20 };
static const double worst_rate = 0.3;
static const double satisfied = 1e-14; /* violation of constraints: rounding */
static const double near_limit = 30.0; /* times the limit, if rounding prevents it */

/* Equations to solve: (1), (2) or (3). */
typedef enum target { POSITIONS, VELOCITIES, UNKNOWNS } target;

/* Corrections of (4): the last one, and its ratio to the one before. */
typedef struct series {
  int    count;
  double last, rate;
} series;

typedef enum outcome { GOES_ON, IS_DONE, IS_BAD } outcome;

/* After a correction of this size: is the remainder small, or will it not become small in time? */
static outcome judge(series *of, double size, double limit) {
  if (!isfinite(size)) return IS_BAD;
  if (of->count > 0 && of->last > 10 * limit) of->rate = fmax(size / of->last, 1e-6);
  of->last = size;
  of->count++;
  if (of->rate < 0.99 && of->rate / (1.0 - of->rate) * size <= limit) return IS_DONE;
  if (of->count == 1) return GOES_ON;
  if (of->rate > worst_rate) return IS_BAD;
  return size * pow(of->rate, SOLVES_MAX - of->count) <= limit ? GOES_ON : IS_BAD;
}

static double largest(const double *values, const double *scale, int n) {
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    const double size = fabs(values[i]) / scale[i];
    if (!(size <= worst)) worst = size;
  }
  return worst;
}

static trm_status residual(trmi_collocation *co, target what, double *r, trm_error *err) {
  trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const trm_state *s = &co->next;
  trm_values out = {.motion = r, .g_bias = r + at.lam, .a_bias = r + at.mu, .d = r + at.x,
                    .w = r + at.w};
  if (what == POSITIONS) out = (trm_values){.g = r + at.lam};
  if (what == VELOCITIES) out = (trm_values){.g_rate = r + at.lam, .a_rate = r + at.mu};
  memset(r, 0, (size_t)at.n * sizeof(double));
  TRMI_TRY(err, trm_system_values(sys, s, &out, err));
  if (what != UNKNOWNS) return TRM_OK;
  if (sys->n.ng > 0) trmi_sparse_add_mul(&sys->block[TRM_G], 1.0, s->vd, r + at.lam);
  if (sys->n.na > 0) trmi_sparse_add_mul(&sys->block[TRM_A], 1.0, s->vd, r + at.mu);
  return TRM_OK;
}

/* T y of (4). */
static trm_status correct(trmi_collocation *co, const double *r, double *y, trm_error *err) {
  const trm_system *sys = co->ctx.sys;
  const int n = trmi_places_of(sys).n;
  for (int m = 0; m < n; m++) y[m] = -r[m];
  TRMI_TRY(err, trmi_linear_solve(&co->real.lin, y, err));
  if (sys->n.nrot > 0) trmi_group_apply(sys, co->T, y, y);
  return TRM_OK;
}

/* r of (4) after a correction. */
static void follow(const trmi_collocation *co, const double *y, double *r) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const trmi_sparse *const rows[2] = {&sys->block[TRM_G], &sys->block[TRM_A]};
  const int place[2] = {at.lam, at.mu};
  trmi_sparse_add_mul(&sys->block[TRM_M], 1.0, y, r);
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < rows[b]->n; k++) {
      const int i = rows[b]->col[k], j = place[b] + rows[b]->row[k];
      r[i] += rows[b]->values[k] * y[j];
      r[j] += rows[b]->values[k] * y[i];
    }
  }
}

/* Add a correction of (3); returns its largest size relative to its list, or to a small part of all
 * lists: a list may be only rounding of others. */
static double add_unknowns(trmi_collocation *co, const double *y) {
  enum { LISTS = 5 };
  const trm_sizes *n = &co->ctx.sys->n;
  const trmi_places at = trmi_places_of(co->ctx.sys);
  const trm_state *s = &co->next;
  double *const lists[LISTS] = {s->vd, s->lam, s->mu, s->xd, s->w};
  const int first[LISTS] = {at.v, at.lam, at.mu, at.x, at.w};
  const int count[LISTS] = {n->nv, n->ng, n->na, n->nx, n->nw};
  double size[LISTS], change[LISTS], all = 1e-30, worst = 0.0;
  for (int l = 0; l < LISTS; l++) {
    size[l] = change[l] = 0.0;
    for (int i = 0; i < count[l]; i++) {
      const double d = y[first[l] + i];
      lists[l][i] += d;
      size[l] = fmax(size[l], fabs(lists[l][i]));
      if (!(fabs(d) <= change[l])) change[l] = fabs(d);
    }
    all = fmax(all, size[l]);
  }
  for (int l = 0; l < LISTS; l++) {
    const double part = change[l] / fmax(size[l], 1e-5 * all);
    if (!(part <= worst)) worst = part;
  }
  return worst;
}

/* Add a correction; returns its size in the norm of `limit_of`. */
static double add(trmi_collocation *co, target what, double *y) {
  const trm_system *sys = co->ctx.sys;
  if (what == UNKNOWNS) return add_unknowns(co, y);
  if (what == POSITIONS) {
    trm_system_retract(sys, co->next.q, y, co->next.q);
  } else {
    for (int m = 0; m < sys->n.nv; m++) co->next.v[m] += y[m];
  }
  return largest(y, co->ctx.scale_v, sys->n.nv);
}

/* Tolerance: rounding, or a small part of the tolerance of the run where that is larger. */
static double limit_of(const trmi_collocation *co, target what) {
  const trm_system *sys = co->ctx.sys;
  const double tolerance = co->ctx.fixed ? 0.0 : co->ctx.tolerance;
  if (what == POSITIONS) return satisfied * co->q_size;
  if (what == UNKNOWNS) return fmax(1e-12, 1e-3 * tolerance);
  const double size = fmax(1.0 / sys->second, largest(co->next.v, co->ctx.scale_v, sys->n.nv));
  return fmax(satisfied, 1e-5 * tolerance) * size;
}

/* Largest violation in r. */
static double violation(const trmi_collocation *co, const double *r) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  return fmax(largest(r + at.lam, sys->scale_g, sys->n.ng),
              largest(r + at.mu, sys->scale_a, sys->n.na));
}

/* (4) for one target; `follows`: r is updated by (4) instead of evaluated. */
static trm_status iterate(trmi_collocation *co, target what, bool follows, outcome *how,
                          trm_error *err) {
  const double limit = limit_of(co, what);
  double *r = co->work, *y = co->re;
  series of = {.rate = fmin(10 * co->close_rate, 1.0)}; /* cautious between steps */
  TRMI_TRY(err, residual(co, what, r, err));
  *how = what != UNKNOWNS && violation(co, r) <= satisfied ? IS_DONE : GOES_ON;
  while (*how == GOES_ON) {
    TRMI_TRY(err, correct(co, r, y, err));
    *how = judge(&of, add(co, what, y), limit);
    if (*how != GOES_ON) break;
    if (follows) {
      follow(co, y, r);
    } else {
      TRMI_TRY(err, residual(co, what, r, err));
    }
    if (what == POSITIONS && !follows && violation(co, r) <= satisfied) *how = IS_DONE;
  }
  if (of.count > 1) co->close_rate = of.rate;
  return TRM_OK;
}

/* Residual r of (2) or (3) over the scales: coordinates by the diagonal of M, in co->first. S
 * reduces stiff modes, so small corrections alone would not prove that these have converged. */
static double left_over(const trmi_collocation *co, const double *r) {
  const trm_system *sys = co->ctx.sys;
  double worst = violation(co, r);
  for (int m = 0; m < sys->n.nv; m++) {
    const double size = fabs(r[m]) / (co->first[m] * co->ctx.scale_v[m]);
    if (!(size <= worst)) worst = size;
  }
  return worst;
}

/* The diagonal of M, and the norm of corrections: that of coordinates over their scales. */
static void weigh(trmi_collocation *co) {
  const trm_system *sys = co->ctx.sys;
  const trmi_sparse *M = &sys->block[TRM_M];
  double *weight = co->close_anderson.weight,
         *diagonal = co->first; /* recomputed by dense output */
  memset(weight, 0, (size_t)co->close_anderson.n * sizeof(double));
  memset(diagonal, 0, (size_t)sys->n.nv * sizeof(double));
  for (int k = 0; k < M->n; k++) {
    if (M->row[k] == M->col[k]) diagonal[M->row[k]] += M->values[k];
  }
  for (int m = 0; m < sys->n.nv; m++) {
    weight[m] = 1.0 / (co->ctx.scale_v[m] * co->ctx.scale_v[m]);
  }
}

/* (4) for (2), or for (3) without states and variables, mixed. Velocities for which it does not
 * converge are left unchanged: part of a displacement is not the shortest one. */
static trm_status iterate_mixed(trmi_collocation *co, target what, outcome *how, trm_error *err) {
  const trm_system *sys = co->ctx.sys;
  const double size = what == UNKNOWNS ? largest(co->next.vd, co->ctx.scale_v, sys->n.nv) : 1.0;
  const double limit = limit_of(co, what) * size;
  const size_t bytes = (size_t)sys->n.nv * sizeof(double);
  double *r = co->work, *y = co->re, *v = co->im;
  memcpy(v, co->next.v, bytes);
  TRMI_TRY(err, residual(co, what, r, err));
  double left = left_over(co, r), before = INFINITY;
  /* up to the limit, or as close to it as rounding permits */
  for (int k = 0; k < SOLVES_MIXED && left > limit; k++) {
    if (left > 0.5 * before && left < near_limit * limit) break;
    before = left;
    TRMI_TRY(err, correct(co, r, y, err));
    trmi_anderson_next(&co->close_anderson, y, k == 0);
    (void)add(co, what, y);
    follow(co, y, r);
    left = left_over(co, r);
    if (k == 0) co->close_rate = fmin(fmax(left / before, 1e-6), 1.0); /* rate of (4) alone */
  }
  *how = left <= near_limit * limit ? IS_DONE : IS_BAD;
  if (*how == IS_BAD) memcpy(co->next.v, v, bytes);
  return TRM_OK;
}

static trm_status evaluate(trmi_collocation *co, trm_error *err) {
  const trmi_block_set set = TRMI_BIT(TRM_M) | TRMI_BIT(TRM_G) | TRMI_BIT(TRM_A);
  return trmi_system_blocks(co->ctx.sys, &co->next, set & co->real.blocks, NULL, NULL, NULL, err);
}

/* (1). If stages are on the constraints, only the error of the passes is removed: then the metric
 * does not matter and G of the step is accurate enough. Drift must be removed by the shortest
 * displacement. */
static trm_status move_positions(trmi_collocation *co, outcome *how, trm_error *err) {
  *how = IS_DONE;
  if (co->ctx.sys->n.ng == 0) return TRM_OK;
  if (co->level == LEVEL_ACCELERATION) {
    TRMI_TRY(err, evaluate(co, err));
    TRMI_TRY(err, iterate(co, POSITIONS, true, how, err));
    if (*how != IS_DONE) return TRM_OK;
  }
  return iterate(co, POSITIONS, false, how, err);
}

/* Solve (1) to (3) with S. */
static trm_status close_with_passes(trmi_collocation *co, outcome *how, trm_error *err) {
  const trm_sizes *n = &co->ctx.sys->n;
  TRMI_TRY(err, move_positions(co, how, err));
  if (*how != IS_DONE) return TRM_OK;
  TRMI_TRY(err, evaluate(co, err));
  weigh(co);
  if (n->ng + n->na > 0) TRMI_TRY(err, iterate_mixed(co, VELOCITIES, how, err));
  if (*how != IS_DONE) return TRM_OK;
  if (n->nx + n->nw == 0) return iterate_mixed(co, UNKNOWNS, how, err);
  return iterate(co, UNKNOWNS, false, how, err);
}

/* (5), by accelerations. Those of two stages have errors as large as their change in a step. */
static bool vibrates(const trmi_collocation *co, const double *of_stage, const double *found) {
  const double much = 10.0, *scale = co->ctx.scale_v;
  double off = 0.0, range = 0.0;
  for (int m = 0; m < co->ctx.sys->n.nv; m++) {
    off = fmax(off, fabs(found[m] - of_stage[m]) / scale[m]);
    range = fmax(range, trmi_collocation_range(co, co->rk->s, m) / scale[m]);
  }
  return off > much * range;
}

/* (5); `of_stage` has v', lam, mu, x', w of the last stage. */
static trm_status keep_smooth(trmi_collocation *co, const double *of_stage, trm_error *err) {
  const trm_system *sys = co->ctx.sys;
  double *found = co->re;
  trmi_unknowns_gather(sys, &co->next, found);
  if (!vibrates(co, of_stage, found)) return TRM_OK;
  trmi_unknowns_scatter(sys, of_stage, &co->next);
  return trmi_consistent_minimum_norm(co->ctx.consistent, &co->next, err);
}

/* Sets whether matrices of the end of the step were factored. */
static trm_status close_step(trmi_collocation *co, double h, bool *has_factors, trm_error *err) {
  *has_factors = false;
  const bool has_matrix = co->is_tdg && co->h_matrix == h && co->is_of_end;
  if (has_matrix && co->real.plan.nborder == 0 && co->close_wait == 0) {
    outcome how = IS_BAD;
    TRMI_TRY(err, close_with_passes(co, &how, err));
    if (how == IS_DONE) return TRM_OK;
    co->close_wait = BAD_STEPS;
    co->close_rate = 1.0;
  }
  *has_factors = true;
  TRMI_TRY(err, trmi_consistent_close(co->ctx.consistent, &co->next, err));
  return TRM_OK;
}

/* Next to a singular pose the rounding error of the constraints matters: project once more.
 * Singular poses are recognized by dependent rows, a failure of Newton's method, or by the last
 * step. */
static trm_status polish(trmi_collocation *co, trm_error *err) {
  trmi_consistent *c = co->ctx.consistent;
  if (co->ctx.sys->n.ng == 0) return TRM_OK;
  if (!c->bordered && co->failed == 0 && co->closeness == 0.0) return TRM_OK;
  TRMI_TRY(err, trmi_consistent_sensitivity(c, &co->next, co->work, &co->closeness_next, err));
  if (!(co->closeness_next > TRMI_SINGULAR_NEAR * co->closeness_least)) return TRM_OK;
  TRMI_TRY(err, trmi_consistent_polish(c, &co->next, err));
  return trmi_consistent_accelerations(c, &co->next, err);
}

trm_status trmi_collocation_close(trmi_collocation *co, double h, trm_error *err) {
  double *of_stage = co->last; /* recomputed by dense output */
  trmi_unknowns_gather(co->ctx.sys, &co->next, of_stage);
  bool has_factors = false;
  co->closeness_next = 0.0; /* not known */
  TRMI_TRY(err, close_step(co, h, &has_factors, err));
  if (has_factors) TRMI_TRY(err, polish(co, err));
  TRMI_TRY(err, keep_smooth(co, of_stage, err));
  return TRM_OK;
}
