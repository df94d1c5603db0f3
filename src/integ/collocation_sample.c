/* collocation_sample.c - a state inside a step as a stage of its own, where parts are stiff.
 *
 * The polynomial of the step is off by e between the stages. Stiff forces make K e of that, which
 * is no small load: 1e-8 m in a steel rod are some newton. With K e the acceleration solved for at
 * that point is off by M^-1 K e, and so are loads that come from positions alone, as stresses of
 * beams and forces of springs do. So where z2 K is larger than M somewhere, the polynomial is taken
 * as the prediction of one more stage, with psi, psi', psi'', x, x' of the polynomial and
 *   psi = psi_p + z2 d,   psi' = psi'_p + z1 d,   psi'' = psi''_p + d,   x = x_p + z1 d_x       (1)
 * that satisfies all equations of a stage, found by Newton with the matrix
 *   S = P0 + z1 P1 + z2 P2                                                                      (2)
 * A mode of frequency om moves by -e z2 om^2/(1 + z2 om^2): stiff ones go back to where forces and
 * smooth accelerations balance, and accelerations are off by e/z2 at most. Slow ones keep their
 * place, but the polynomial has them better by itself: (1) counts only where the accelerations that
 * are solved for at both places differ by much more than d                                      (3)
 * Derivation: docs/theory/08-collocation.md. */
#include "integ/collocation.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { CORRECTIONS_MAX = 10 };
/* What may be left of a correction, over all of d, and the largest ratio of two of them. */
static const double good_part = 1e-3, worst_growth = 2.0;
static const double much = 3.0; /* (3) */

/* The numbers of (1). */
typedef struct sample {
  double           t, z1, z2;
  trmi_dense_point of;       /* the polynomial there                        */
  double          *unknowns; /* psi'', lam, mu, x', w of the stage     [n]  */
} sample;

/* z1 and z2 of (2) are those of the matrices of steps. */
static sample open_sample(const trmi_collocation *co, double t) {
  const double h = co->h, z = h * co->rk_old->gamma;
  return (sample){.t = t, .z1 = co->is_tdg ? h / 2 : z, .z2 = co->is_tdg ? h * h / 6 : z * z};
}

bool trmi_collocation_is_stiff(const trmi_collocation *co) {
  const double z2 = open_sample(co, 0.0).z2;
  for (int m = 0; m < co->ctx.sys->n.nv; m++) {
    const int k = co->real.diagonal[m];
    if (k >= 0 && z2 * fabs(co->part[2][k]) > fabs(co->part[0][k])) return true;
  }
  return false;
}

/* (1) into co->stage. */
static void set_stage(trmi_collocation *co, const sample *sm) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  trm_state *st = &co->stage;
  double *u = sm->unknowns, *psi = co->work + at.n, *rate = co->work + 2 * at.n;
  for (int m = 0; m < sys->n.nv; m++) {
    const double d = u[m] - sm->of.unknowns[m];
    psi[m] = sm->of.psi[m] + sm->z2 * d;
    rate[m] = sm->of.rate[m] + sm->z1 * d;
  }
  for (int m = 0; m < sys->n.nx; m++) {
    st->x[m] = sm->of.x[m] + sm->z1 * (u[at.x + m] - sm->of.unknowns[at.x + m]);
  }
  trmi_state_at(sys, &co->now, sm->t, st);
  st->lam = u + at.lam, st->mu = u + at.mu, st->xd = u + at.x, st->w = u + at.w;
  trmi_collocation_turn(co, co->next.q, psi, rate, u); /* `next` is the start: swapped by accept */
}

/* (2) at the present iterate. Where blocks may grow their patterns, which a sample must not do, with
 * the derivatives of the step, which do not serve parts that turn much in it. */
static trm_status factor(trmi_collocation *co, const sample *sm, trm_error *err) {
  trm_system *sys = co->ctx.sys;
  if (!co->has_sample_matrix) {
    TRMI_TRY(err, trmi_collocation_build(co, co->real.plan.nborder > 0, &co->sample, err));
    co->has_sample_matrix = true;
  }
  if (sys->ops->epoch == NULL) {
    const trm_state *s = &co->stage;
    set_stage(co, sm);
    trmi_group_T(sys, co->work + trmi_places_of(sys).n, co->sample_T);
    TRMI_TRY(err, trmi_system_strong_blocks(sys, s, co->sample.blocks, s->vd, s->lam, s->mu, err));
    trmi_collocation_fill(&co->sample.plan, (double[]){1.0, sm->z1, sm->z2}, co->sample_T);
  } else {
    trmi_plan *plan = &co->sample.plan;
    for (int k = 0; k < plan->Ap[plan->n]; k++) {
      co->columns[k] = co->part[0][k] + sm->z1 * co->part[1][k] + sm->z2 * co->part[2][k];
    }
    trmi_plan_put(plan, co->columns);
  }
  return trmi_matrix_factor_filled(&co->sample, sys, err);
}

/* Length of u - other over the scales: rms of v, largest of x; other NULL: 0. */
static double length(const trmi_collocation *co, double z1, const double *u, const double *other) {
  const trm_system *sys = co->ctx.sys;
  const int at_x = trmi_places_of(sys).x;
  double sum = 0.0, most = 0.0;
  for (int m = 0; m < sys->n.nv; m++) {
    const double e = (u[m] - (other != NULL ? other[m] : 0.0)) / co->ctx.scale_v[m];
    sum += e * e;
  }
  for (int m = at_x; m < at_x + sys->n.nx; m++) {
    const double e = fabs(u[m] - (other != NULL ? other[m] : 0.0)) /
                     fmax(sys->scale_x[m - at_x], fabs(co->now.x[m - at_x]));
    most = fmax(most, e / z1); /* as accelerations have it */
  }
  return fmax(sqrt(sum / fmax(sys->n.nv, 1)), most);
}

/* One correction of Newton, and its length. */
static trm_status correct(trmi_collocation *co, const sample *sm, double *size, trm_error *err) {
  const trmi_places at = trmi_places_of(co->ctx.sys);
  const double of_g = co->level == LEVEL_POSITION ? 1 / sm->z2
                      : co->level == LEVEL_VELOCITY ? 1 / sm->z1 : 1.0;
  const double of_a = co->level == LEVEL_ACCELERATION ? 1.0 : 1 / sm->z1;
  double *r = co->re;
  set_stage(co, sm);
  TRMI_TRY(err, trmi_collocation_equations(co, r, err));
  for (int m = at.lam; m < at.mu; m++) r[m] *= of_g;
  for (int m = at.mu; m < at.x; m++) r[m] *= of_a;
  TRMI_TRY(err, trmi_linear_solve(&co->sample.lin, r, err));
  for (int m = 0; m < at.n; m++) sm->unknowns[m] -= r[m];
  *size = length(co, sm->z1, r, NULL);
  return TRM_OK;
}

/* The stage; TRM_RETRY_NEWTON if it is not found. */
static trm_status solve(trmi_collocation *co, const sample *sm, trm_error *err) {
  const double rounding = 100 * DBL_EPSILON * co->q_size / sm->z2;
  double last = INFINITY, size = 0.0;
  TRMI_TRY(err, factor(co, sm, err));
  for (int k = 0; k < CORRECTIONS_MAX; k++, last = size) {
    TRMI_TRY(err, correct(co, sm, &size, err));
    const double all = length(co, sm->z1, sm->unknowns, sm->of.unknowns);
    if (size <= fmax(good_part * all, rounding)) return TRM_OK;
    if (!(size <= worst_growth * last)) return TRM_RETRY_NEWTON;
    if (size > trmi_slow_rate * last) TRMI_TRY(err, factor(co, sm, err));
  }
  return TRM_RETRY_NEWTON;
}

trm_status trmi_collocation_sample(trmi_collocation *co, double t, trm_state *s, trm_error *err) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  sample sm = open_sample(co, t);
  sm.of = (trmi_dense_point){.psi = co->d[0], .rate = co->d[1], .unknowns = co->r[0],
                             .x = co->r[1]};
  sm.unknowns = co->work;
  trmi_collocation_polynomial(co, t, &sm.of);
  trmi_collocation_between(co, (t - co->next.t) / co->h, sm.unknowns);
  memcpy(sm.unknowns, sm.of.unknowns, (size_t)sys->n.nv * sizeof(double));
  for (int m = at.x; m < at.w; m++) sm.unknowns[m] = sm.of.unknowns[m];
  trm_error own; /* what cannot be found stays as it is */
  trmi_error_clear(&own);
  trm_status status = solve(co, &sm, &own);
  set_stage(co, &sm);
  const double change = length(co, sm.z1, sm.unknowns, sm.of.unknowns);
  if (status == TRM_OK) status = trmi_consistent_accelerations(&co->dense, &co->stage, &own);
  if (status < 0 && err != NULL) *err = own;
  if (status != TRM_OK) return status < 0 ? status : TRM_OK;
  double *there = co->re, *here = co->im;
  trmi_unknowns_gather(sys, &co->stage, there);
  trmi_unknowns_gather(sys, s, here);
  if (length(co, sm.z1, there, here) <= much * change) return TRM_OK; /* (3) */
  memcpy(s->q, co->stage.q, (size_t)(sys->n.nv + sys->n.nrot) * sizeof(double));
  memcpy(s->v, co->stage.v, (size_t)sys->n.nv * sizeof(double));
  if (sys->n.nx > 0) memcpy(s->x, co->stage.x, (size_t)sys->n.nx * sizeof(double));
  trmi_unknowns_scatter(sys, there, s);
  return TRM_OK;
}
