/* collocation_damped.c - one step of `tdg` and `radau` by Newton's method with damping
 * (system/newton.h).
 *
 * Every iterate has the matrix of all stages with derivatives at each (collocation_full.c). Sizes
 * of its unknowns, from which (2) of newton.c estimates rounding:
 *   q/h^2 for psi'',   lam, mu,   x/h for x',   w                                          (1) */
#include "integ/collocation.h"
#include <math.h>
#include <string.h>

typedef struct damped {
  trmi_collocation *co;
  double            whole, h; /* the whole step, the part being solved */
} damped;

static trm_status correct(void *self, bool is_new, double *size, trm_error *err) {
  const damped *step = self;
  trmi_collocation *co = step->co;
  const double h = step->h;
  for (int i = 0; i < co->rk->s; i++) TRMI_TRY(err, trmi_collocation_residual(co, i, h, err));
  if (co->is_exact) TRMI_TRY(err, trmi_collocation_exact(co, h, err));
  TRMI_TRY(err, trmi_collocation_correct_full(co, h, is_new, err));
  *size = trmi_collocation_measure(co, h);
  if (!isfinite(*size)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a value of the equations is not finite");
  }
  return TRM_OK;
}

static void keep(void *self) {
  trmi_collocation *co = ((const damped *)self)->co;
  const size_t bytes = (size_t)trmi_places_of(co->ctx.sys).n * sizeof(double);
  for (int i = 0; i < co->rk->s; i++) memcpy(co->direction[i], co->d[i], bytes);
}

static void move(void *self, double part) {
  trmi_collocation *co = ((const damped *)self)->co;
  const int n = trmi_places_of(co->ctx.sys).n;
  for (int i = 0; i < co->rk->s; i++) {
    for (int m = 0; m < n; m++) co->z[i][m] += part * co->direction[i][m];
  }
}

/* (1) for stage i; positions and states of the start of the step have the same size. */
static void sizes_of(const trmi_collocation *co, int i, double h, double *size) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  int m = 0; /* v-index, the q-index is m + k; rotations count as one */
  for (int k = 0; k <= sys->n.nrot; k++, m += 3) {
    const int end = k < sys->n.nrot ? sys->rot_v[k] : sys->n.nv;
    for (; m < end; m++) size[m] = fabs(co->now.q[m + k]) / (h * h);
    for (int j = 0; k < sys->n.nrot && j < 3; j++) size[end + j] = 1.0 / (h * h);
  }
  for (m = at.lam; m < at.n; m++) size[m] = fabs(co->z[i][m]);
  for (m = 0; m < sys->n.nx; m++) size[at.x + m] = fabs(co->now.x[m]) / h;
}

static trm_status noise(void *self, double *size, trm_error *err) {
  const damped *step = self;
  trmi_collocation *co = step->co;
  const int n = trmi_places_of(co->ctx.sys).n;
  for (int i = 0; i < co->rk->s; i++) sizes_of(co, i, step->h, co->sizes + i * n);
  trmi_newton_rounding(&co->full_plan, co->sizes, co->full_b);
  TRMI_TRY(err, trmi_linear_solve(&co->full, co->full_b, err));
  for (int i = 0; i < co->rk->s; i++) {
    memcpy(co->d[i], co->full_b + i * n, (size_t)n * sizeof(double));
  }
  *size = trmi_collocation_measure(co, step->h);
  return TRM_OK;
}

/* The end of the step is projected onto its constraints later. */
static trm_status hold(void *self, bool is_noise, bool *holds, trm_error *err) {
  (void)self, (void)is_noise, (void)err;
  *holds = true;
  return TRM_OK;
}

/* The stages keep their values when the part changes. */
static void begin(void *self, double from, double to) {
  damped *step = self;
  trmi_collocation *co = step->co;
  const size_t bytes = (size_t)trmi_places_of(co->ctx.sys).n * sizeof(double);
  step->h = to * step->whole;
  if (from == 0.0) {
    trmi_collocation_predict(co, step->h);
    return;
  }
  for (int i = 0; i < co->rk->s; i++) memcpy(co->z[i], co->found[i], bytes);
}

static void found(void *self) {
  const damped *step = self;
  trmi_collocation *co = step->co;
  const size_t bytes = (size_t)trmi_places_of(co->ctx.sys).n * sizeof(double);
  for (int i = 0; i < co->rk->s; i++) memcpy(co->found[i], co->z[i], bytes);
}

trm_status trmi_collocation_damped(trmi_collocation *co, double h, trmi_attempt *result,
                                   trm_error *err) {
  damped step = {.co = co, .whole = h, .h = h};
  const trmi_newton newton = {.self = &step, .limit = trmi_collocation_limit(co, h),
                              .most = 4 * co->ctx.options->max_iterations,
                              .correct = correct, .keep = keep, .move = move, .noise = noise,
                              .hold = hold, .begin = begin, .found = found};
  trmi_newton_result end;
  const trm_status status = trmi_newton_solve(&newton, &end, err);
  co->h_matrix = 0.0; /* the next step forms its own */
  co->theta = 0.5;
  result->iterations += end.iterations;
  TRMI_TRY(err, status);
  if (end.end == NEWTON_CONVERGED) return TRM_OK;
  return trmi_collocation_failed(co, h, end.end, end.size, result, err);
}
