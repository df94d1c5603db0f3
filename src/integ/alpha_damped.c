/* alpha_damped.c - Newton's method of one step of the alpha family: with the old matrix, then a new
 * one, then damping (system/newton.h).
 *
 * Unknowns and corrections are those of alpha_newton.c; both matrices are formed at every iterate.
 * Sizes of the unknowns of the first matrix, from which (2) of newton.c estimates rounding:
 *   q/(beta h^2) for a,   lam, mu,   x/(gamma h) for y,   w                                (1) */
#include "integ/alpha.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Corrections above the first value are never noise; up to the second they are noise if constraints
 * hold to rounding: in singular poses the linear solver drops meaningless components, a varying
 * number of them from iterate to iterate. */
static const double largest_noise = 1e-6, singular_noise = 1e-8, satisfied = 1e-12;
/* `projected` satisfies its constraints to this accuracy. */
static const double on_constraints = 1e-14;

typedef struct damped {
  trmi_alpha   *ga;
  double        whole, h;     /* the whole step, the part being solved */
  double        last, before; /* parts whose solutions were found            */
  trmi_attempt *result;
} damped;

static bool has_projection(const trmi_alpha *ga) {
  return ga->traits->has_rates && ga->ctx.sys->n.ng > 0 && !trmi_alpha_is_projected(ga);
}

/* The correction in r and r2 without applying it. */
static double size_of(const trmi_alpha *ga, double h) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const double bh2 = ga->beta * h * h, gh = ga->gamma * h;
  const bool two = has_projection(ga);
  double sum_P = 0.0, sum_a = 0.0, sum_x = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    const double eP = ga->r[i] / ga->ctx.scale_v[i];
    const double ea = two ? eP + ga->r2[i] / ga->ctx.scale_v[i] : eP;
    sum_P += eP * eP;
    sum_a += ea * ea;
  }
  for (int i = 0; i < sys->n.nx; i++) {
    const double dy = ga->r[at.x + i] + (two ? ga->r2[at.x + i] : 0.0);
    const double e = gh * dy / fmax(sys->scale_x[i], fabs(ga->next.x[i]));
    sum_x += e * e;
  }
  const double of_v = sys->n.nv > 0 ? bh2 * sqrt(fmax(sum_P, sum_a) / sys->n.nv) : 0.0;
  const double of_x = sys->n.nx > 0 ? sqrt(sum_x / sys->n.nx) : 0.0;
  return isnan(sum_P + sum_a + sum_x) ? (double)NAN : fmax(of_v, of_x);
}

static trm_status correct(void *self, bool is_new, double *size, trm_error *err) {
  const damped *step = self;
  trmi_alpha *ga = step->ga;
  if (trmi_alpha_is_projected(ga)) {
    TRMI_TRY(err, trmi_alpha_projected_correct(ga, step->h, is_new, err));
  } else {
    const int both = ALPHA_INDEX3_MATRIX | ALPHA_PROJECTION_MATRIX;
    TRMI_TRY(err, trmi_alpha_residual(ga, err));
    TRMI_TRY(err, is_new ? trmi_alpha_renew(ga, step->h, both, err)
                         : trmi_alpha_correct(ga, step->h, err));
  }
  *size = size_of(ga, step->h);
  if (!isfinite(*size)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a value of the equations is not finite");
  }
  return TRM_OK;
}

static void keep(void *self) {
  trmi_alpha *ga = ((const damped *)self)->ga;
  const size_t bytes = (size_t)trmi_places_of(ga->ctx.sys).n * sizeof(double);
  memcpy(ga->direction, ga->r, bytes);
  memcpy(ga->direction2, ga->r2, bytes);
}

static void move(void *self, double part) {
  const damped *step = self;
  trmi_alpha *ga = step->ga;
  const int n = trmi_places_of(ga->ctx.sys).n;
  for (int i = 0; i < n; i++) {
    ga->r[i] = part * ga->direction[i];
    ga->r2[i] = part * ga->direction2[i];
  }
  if (trmi_alpha_is_projected(ga)) {
    (void)trmi_alpha_projected_update(ga, step->h, step->result);
    return;
  }
  const alpha_correction now = trmi_alpha_update(ga, step->h);
  step->result->list = now.list;
  step->result->index = now.index;
}

/* Sizes (1). */
static void sizes_of(trmi_alpha *ga, double h) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const trm_state *s = &ga->next;
  double *size = ga->sizes;
  int i = 0; /* v-index, the q-index is i + k; rotations count as one */
  for (int k = 0; k <= sys->n.nrot; k++, i += 3) {
    const int end = k < sys->n.nrot ? sys->rot_v[k] : sys->n.nv;
    for (; i < end; i++) size[i] = fabs(s->q[i + k]) / (ga->beta * h * h);
    for (int m = 0; k < sys->n.nrot && m < 3; m++) size[end + m] = 1.0 / (ga->beta * h * h);
  }
  for (i = 0; i < sys->n.ng; i++) size[at.lam + i] = fabs(s->lam[i]);
  for (i = 0; i < sys->n.na; i++) size[at.mu + i] = fabs(s->mu[i]);
  for (i = 0; i < sys->n.nx; i++) size[at.x + i] = fabs(s->x[i]) / (ga->gamma * h);
  for (i = 0; i < sys->n.nw; i++) size[at.w + i] = fabs(s->w[i]);
}

/* Noise of the second solve, into r2: the correction d caused by rounding of velocities in its rows
 * and by the noise P of the first solve in r. */
static trm_status second_noise(trmi_alpha *ga, double h, trm_error *err) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  double *size = ga->sizes, *out = ga->r2;
  memset(size, 0, (size_t)at.n * sizeof *size);
  for (int i = 0; i < sys->n.nv; i++) size[i] = fabs(ga->next.v[i]) / (ga->gamma * h);
  trmi_newton_rounding(&ga->projection_matrix.plan, size, out);
  for (int i = 0; i < at.n; i++) {
    if (i < at.lam || i >= at.mu) out[i] = 0.0;
  }
  trmi_group_apply(sys, ga->T, ga->r, ga->turned);
  trmi_sparse_add_mul(&sys->block[TRM_GV_Q], -ga->beta * h / ga->gamma, ga->turned, out + at.lam);
  trmi_sparse_add_mul(&sys->block[TRM_G], -1.0, ga->r, out + at.lam);
  TRMI_TRY(err, trmi_linear_solve(&ga->projection_matrix.lin, out, err));
  return TRM_OK;
}

static trm_status measure_noise(trmi_alpha *ga, double h, double *size, trm_error *err) {
  sizes_of(ga, h);
  trmi_newton_rounding(&ga->index3_matrix.plan, ga->sizes, ga->r);
  TRMI_TRY(err, trmi_linear_solve(&ga->index3_matrix.lin, ga->r, err));
  if (has_projection(ga)) TRMI_TRY(err, second_noise(ga, h, err));
  *size = size_of(ga, h);
  if (trmi_alpha_is_projected(ga)) *size *= on_constraints / DBL_EPSILON;
  return TRM_OK;
}

static trm_status noise(void *self, double *size, trm_error *err) {
  const damped *step = self;
  return measure_noise(step->ga, step->h, size, err);
}

trm_status trmi_alpha_is_noise(trmi_alpha *ga, double h, double size, bool *is_noise,
                               trm_error *err) {
  double rounding = 0.0;
  *is_noise = false;
  if (!ga->ctx.fixed || ga->is_light || size > largest_noise) return TRM_OK;
  TRMI_TRY(err, measure_noise(ga, h, &rounding, err));
  *is_noise = size <= trmi_newton_noisy * rounding;
  if (*is_noise || ga->ctx.sys->n.ng == 0 || size > singular_noise) return TRM_OK;
  trmi_violation off;
  TRMI_TRY(err, trmi_consistent_violation(ga->ctx.consistent, &ga->next, &off, err));
  *is_noise = fmax(off.position, h * off.velocity) <= satisfied;
  return TRM_OK;
}

static trm_status hold(void *self, bool is_noise, bool *holds, trm_error *err) {
  const damped *step = self;
  if (trmi_alpha_is_projected(step->ga)) {
    *holds = true;
    return trmi_alpha_projected_end(step->ga, &step->result->off, err);
  }
  TRMI_TRY(err, trmi_alpha_constraints(step->ga, step->h, &step->result->off, holds, err));
  *holds = *holds || is_noise;
  return TRM_OK;
}

/* The solutions of two parts are extrapolated; the first one belongs to a step of length zero. */
static void begin(void *self, double from, double to) {
  damped *step = self;
  trmi_alpha *ga = step->ga;
  const int n = trmi_places_of(ga->ctx.sys).n;
  step->h = to * step->whole;
  if (from == 0.0) {
    trmi_unknowns_gather(ga->ctx.sys, &ga->now, ga->found[1]);
    step->last = step->before = 0.0;
  }
  const double width = step->last - step->before;
  const double c = width > 0.0 ? (to - step->last) / width : 0.0;
  const double *last = ga->found[1], *before = ga->found[0];
  for (int i = 0; i < n; i++) ga->r[i] = c > 0.0 ? last[i] + c * (last[i] - before[i]) : last[i];
  trmi_alpha_first(ga, step->h);
}

static void found(void *self) {
  damped *step = self;
  trmi_alpha *ga = step->ga;
  double *const before = ga->found[0];
  ga->found[0] = ga->found[1];
  ga->found[1] = before;
  trmi_unknowns_gather(ga->ctx.sys, &ga->next, ga->found[1]);
  step->before = step->last;
  step->last = step->h / step->whole;
}

/* The iteration with damping, for fixed steps whose plain iteration failed. */
static trm_status iterate_damped(trmi_alpha *ga, double h, trmi_attempt *result, trm_error *err) {
  damped step = {.ga = ga, .whole = h, .h = h, .result = result};
  /* without (G^T lam)_q convergence is only linear */
  const int slower = ga->traits->has_hessian ? 4 : 16;
  const trmi_newton newton = {.self = &step, .limit = trmi_alpha_limit(ga, h),
                              .most = slower * ga->ctx.options->max_iterations,
                              .correct = correct, .keep = keep, .move = move, .noise = noise,
                              .hold = hold, .begin = begin, .found = found};
  trmi_newton_result end;
  ga->is_light = false;
  const trm_status status = trmi_newton_solve(&newton, &end, err);
  result->iterations += end.iterations;
  TRMI_TRY(err, status);
  if (end.end == NEWTON_CONVERGED) {
    ga->measured = ga->rate = 0.5;
    ga->h_matrix = 0.0; /* the next step forms its own */
    return TRM_OK;
  }
  const trmi_worst worst = {.list = result->list, .index = result->index};
  return trmi_newton_failed(ga->ctx.sys, end.end, end.iterations, end.size, worst, err);
}

static trm_status solve_once(trmi_alpha *ga, const alpha_scheme *scheme, double h,
                             trmi_attempt *result, trm_error *err) {
  scheme->predict(ga, h);
  return scheme->iterate(ga, h, result, err);
}

trm_status trmi_alpha_solve(trmi_alpha *ga, const alpha_scheme *scheme, double h,
                            trmi_attempt *result, trm_error *err) {
  const bool is_stated = ga->ctx.fixed && ga->ctx.options->newton_tolerance > 0.0;
  ga->is_mixed = ga->form == ALPHA_CM && !is_stated; /* a given tolerance is that of [ALPHA] */
  scheme->choose_matrix(ga, h);
  const bool is_plain_better = ga->is_mixed && ga->ctx.fixed; /* otherwise a shorter step is */
  const bool was_poor = ga->h_matrix > 0.0 || ga->is_light || is_plain_better;
  trm_status status = solve_once(ga, scheme, h, result, err);
  if (status > 0 && status != TRM_RETRY_PATTERN && was_poor) {
    /* perhaps only the matrix was too old or too light */
    ga->h_matrix = 0.0;
    if (ga->is_light) ga->heavy = HEAVY_STEPS;
    ga->is_light = false;
    ga->is_mixed = ga->is_mixed && !is_plain_better;
    status = solve_once(ga, scheme, h, result, err);
  }
  if (status <= 0 || status == TRM_RETRY_PATTERN || !ga->ctx.fixed || is_stated) return status;
  trm_error own; /* if nothing helps, the first failure is more informative */
  scheme->predict(ga, h);
  const trm_status last = iterate_damped(ga, h, result, &own);
  if ((last < 0 || last == TRM_RETRY_PATTERN) && err != NULL) *err = own;
  return last <= 0 || last == TRM_RETRY_PATTERN ? last : status;
}
