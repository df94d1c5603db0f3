/* amplification.c - run an oscillator with step one and find the roots of its recurrence.
 *
 * On q'' + omega^2 q = 0 with the fixed step h a linear method multiplies its state by a
 * matrix; positions and velocities of successive steps obey a recurrence
 *   y_{n+d} + c_{d-1} y_{n+d-1} + .. + c_0 y_n = 0,   d = 2, or 3 with a hidden variable  (1)
 * whose roots z are the eigenvalues. Of the pair z = exp((-zeta +- i) wbar h):
 *   spectral radius  max |z|,   damping  zeta,   period error  omega/wbar - 1             (2)
 * Formulas of k backward differences have k roots for each of the two motions exp(+-i omega t), too
 * many to be separated in a run. They are computed from the formula itself, w = 1/z:
 *   sum_(j=1..k) (1 - w)^j / j = i omega h                                                (3) */
#include "trammel/analysis.h"
#include "core/fail.h"
#include "core/gate.h"
#include "trammel/methods.h"
#include "trammel/system.h"
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Recorded points; with slow motions one in several steps, after the hidden part has decayed. */
enum { POINTS = 12, WARM_UP = 400, ORDER_MAX = 3 };
/* An unstable run may end early, with numbers above the limit; this number of points is enough: two
 * equations for each coefficient of (1). */
static const double grown = 1e6;
enum { POINTS_MIN = 2 * ORDER_MAX };

/* Smallest amplitude at the end of a run. */
typedef struct points {
  double y[2][POINTS]; /* q and v/omega */
  int    count;
} points;

/* --- the oscillator: nothing else in this file is a system ------------------------ */

static void sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 1};
}

static void patterns(const void *self, trm_pattern *p) {
  (void)self;
  for (int block = 0; block < TRM_BLOCKS; block++) trm_pattern_given(p, (trm_block)block);
  trm_pattern_entry(p, TRM_M, 0, 0);
  trm_pattern_entry(p, TRM_K, 0, 0);
}

/* Both parts of the motion are present with the same size. */
static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  s->q[0] = 0.6;
  s->v[0] = 0.8 * *(const double *)self;
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const double omega = *(const double *)self, force = -omega * omega * s->q[0];
  if (out->motion != NULL) out->motion[0] = s->vd[0] - force;
  if (out->energy != NULL) {
    out->energy[0] = 0.5 * s->v[0] * s->v[0];
    out->energy[1] = -0.5 * force * s->q[0];
    out->energy[2] = 0.0;
  }
  return TRM_OK;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)s, (void)err;
  const double omega = *(const double *)self;
  if (request->values[TRM_M] != NULL) request->values[TRM_M][0] = 1.0;
  if (request->values[TRM_K] != NULL) request->values[TRM_K][0] = omega * omega;
  return TRM_OK;
}

static const trm_system_ops oscillator = {.name = "oscillator", .sizes = sizes,
                                          .patterns = patterns, .start = start,
                                          .values = values, .gives_rates = true,
                                          .blocks = blocks, .shares_self = true};

/* --- recurrence and roots ----------------------------------------------------------- */

/* Coefficients of (1) by least squares over q and v/omega; returns the remainder of the
 * right-hand side, relative. */
static double fit(const points *p, int d, double *c) {
  enum { ROWS = 2 * POINTS };
  double A[ROWS * ORDER_MAX] = {0}, b[ROWS] = {0}, size = 0.0, left = 0.0;
  lapack_int pivot[ORDER_MAX] = {0}, rank = 0;
  int rows = 0;
  for (int k = 0; k < 2; k++) {
    for (int n = 0; n + d < p->count; n++, rows++) {
      for (int j = 0; j < d; j++) A[rows * d + j] = p->y[k][n + j];
      b[rows] = -p->y[k][n + d];
    }
  }
  double copy[ROWS * ORDER_MAX], right[ROWS];
  memcpy(copy, A, sizeof copy);
  memcpy(right, b, sizeof right);
  if (TRMI_LAPACK(dgelsy, LAPACK_ROW_MAJOR, rows, d, 1, copy, d, right, 1, pivot, 1e-11,
                  &rank) != 0) {
    return INFINITY;
  }
  memcpy(c, right, (size_t)d * sizeof *c);
  for (int i = 0; i < rows; i++) {
    double r = -b[i];
    for (int j = 0; j < d; j++) r += A[i * d + j] * c[j];
    left = fmax(left, fabs(r));
    size = fmax(size, fabs(b[i]));
  }
  return size > 0.0 ? left / size : 0.0;
}

/* Eigenvalues of the companion matrix. */
static int roots_of(const double *c, int d, double complex *z) {
  double A[ORDER_MAX * ORDER_MAX] = {0}, re[ORDER_MAX], im[ORDER_MAX];
  for (int i = 0; i + 1 < d; i++) A[i * d + i + 1] = 1.0;
  for (int j = 0; j < d; j++) A[(d - 1) * d + j] = -c[j];
  if (TRMI_LAPACK(dgeev, LAPACK_ROW_MAJOR, 'N', 'N', d, A, d, re, im, NULL, d, NULL,
                  d) != 0) return 0;
  for (int i = 0; i < d; i++) z[i] = re[i] + im[i] * I;
  return d;
}

/* (2) of the largest root, with the growth removed over `stride` steps. */
static void judge(double complex root, double growth, int stride, trm_amplification *out) {
  const double decay = -(log(cabs(root)) + growth) / stride, turn = fabs(carg(root)) / stride;
  out->spectral_radius = exp(-decay);
  out->damping = decay / hypot(decay, turn);
  out->period_error = turn > 0.0 ? out->omega_h / turn - 1.0 : (double)NAN;
}

static double complex largest_of(const double complex *z, int count) {
  double complex last = 0.0;
  for (int i = 0; i < count; i++) {
    if (cabs(z[i]) > cabs(last) * (1.0 + 1e-12)) last = z[i];
  }
  return last;
}

/* Roots of (3) by the companion matrix of its polynomial in z. */
static void measure_formula(int k, trm_amplification *out) {
  enum { MOST = 6 };
  double complex a[MOST + 1] = {0}, A[MOST * MOST] = {0}, z[MOST] = {0};
  for (int j = 1; j <= k; j++) { /* a_m, the factor of w^m */
    double binomial = 1.0;
    for (int m = 0; m <= j; m++) {
      a[m] += binomial / j;
      binomial *= -(double)(j - m) / (m + 1);
    }
  }
  a[0] -= out->omega_h * I;
  for (int m = 1; m <= k; m++) A[m - 1] = -a[m] / a[0];
  for (int m = 1; m < k; m++) A[m * k + m - 1] = 1.0;
  const lapack_int status = TRMI_LAPACK(zgeev, LAPACK_ROW_MAJOR, 'N', 'N', k, A, k, z, NULL, k,
                                        NULL, k);
  judge(status == 0 ? largest_of(z, k) : (double)NAN, 0.0, 1, out);
}

static double size_of(const points *p, int n) {
  return fmax(fabs(p->y[0][n]), fabs(p->y[1][n]));
}

/* Divide y_n by g^n, g the mean growth of an unstable run, so that all equations of (1) count;
 * roots become z/g. Returns log g, 0 if nothing grows. */
static double take_growth(points *p) {
  const int last = p->count - 1;
  const double growth = log(size_of(p, last) / size_of(p, 0)) / last;
  if (!(growth * last > log(grown))) return 0.0;
  for (int n = 0; n <= last; n++) {
    for (int k = 0; k < 2; k++) p->y[k][n] *= exp(-growth * n);
  }
  return growth;
}

/* (2) from points that are `stride` steps apart. */
static void measure(points *p, int stride, trm_amplification *out) {
  double c[ORDER_MAX];
  double complex z[ORDER_MAX];
  const double growth = take_growth(p);
  const int d = stride > 1 || fit(p, 2, c) < 1e-9 ? 2 : ORDER_MAX;
  (void)fit(p, d, c);
  judge(largest_of(z, roots_of(c, d, z)), growth, stride, out);
}

/* --- the run -------------------------------------------------------------------------- */

/* Runs of unstable methods end when numbers overflow: this is not a failure. */
static trm_status record(trm_sim *sim, double omega, int first, int stride, points *p,
                         trm_error *err) {
  const int steps = first + (POINTS - 1) * stride;
  for (int n = 0; n <= steps; n++) {
    bool done = false;
    const trm_state *s = trm_sim_state(sim);
    const double before = fmax(fabs(s->q[0]), fabs(s->v[0] / omega));
    const trm_status status = n > 0 ? trm_sim_step(sim, &done, err) : TRM_OK;
    const bool is_overflow = status == TRM_ERR_STEP || status == TRM_ERR_NOT_FINITE;
    if (is_overflow && before > grown) return TRM_OK;
    TRMI_TRY(err, status);
    if (n < first || (n - first) % stride != 0) continue;
    s = trm_sim_state(sim);
    p->y[0][p->count] = s->q[0];
    p->y[1][p->count++] = s->v[0] / omega;
  }
  return TRM_OK;
}

trm_status trm_amplification_find(const trm_options *options, double omega_h,
                                   trm_amplification *out, trm_error *err) {
  TRMI_NEED(err, options, out);
  if (!(omega_h >= 1e-3 && omega_h <= 1e8)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "omega h = %g: expected a number 1e-3 .. 1e8",
                     omega_h);
  }
  *out = (trm_amplification){.omega_h = omega_h};
  const int stride = omega_h < 0.25 ? (int)(0.5 / omega_h) : 1, first = stride > 1 ? WARM_UP : 0;
  double omega = omega_h;
  points p = {.count = 0};
  trm_options run = *options;
  run.steps[0] = 1.0;
  run.nsteps = 1;
  run.end = first + POINTS * stride + 1.0;
  run.outputs = 0;
  trm_system_def def = trm_system_def_default();
  def.ops = &oscillator;
  def.self = &omega;
  def.allocator = options->allocator;
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  TRMI_TRY(err, trm_system_create(&def, &system, err));
  trm_status status = trm_sim_create(system, &run, &sim, err);
  const trm_method *method = status == TRM_OK ? trm_method_find(trm_sim_integrator(sim)) : NULL;
  const bool is_formula = method != NULL && method->is_multistep;
  if (status == TRM_OK && !is_formula) status = record(sim, omega, first, stride, &p, err);
  trm_sim_free(sim);
  trm_system_free(system);
  TRMI_TRY(err, status);
  if (is_formula) {
    measure_formula(run.max_order > 0 ? run.max_order : method->formulations[0].order, out);
  } else if (p.count >= POINTS_MIN) {
    measure(&p, stride, out);
  } else {
    out->spectral_radius = INFINITY;
    out->damping = out->period_error = NAN;
  }
  return TRM_OK;
}
