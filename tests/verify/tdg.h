/* tdg.h - what the tests of tdg share. */
#ifndef TRM_TEST_TDG_H
#define TRM_TEST_TDG_H
#include "runs.h"
#include "unit/kit.h"
#include <complex.h>

static inline trm_options options_tdg(double end, double h, const char *formulation) {
  trm_options o = options_steps(end, h, 0.0);
  o.integrator = "tdg";
  o.formulation = formulation;
  return o;
}

/* ---- linear oscillator ------------------------------------------------------------- */

/* x'' + x = 0 from a given start */
static inline void one_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 1};
}

static inline trm_status one_start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  s->q[0] = ((const double *)self)[0];
  s->v[0] = ((const double *)self)[1];
  return TRM_OK;
}

static inline trm_status one_values(void *self, const trm_state *s, const trm_values *out,
                                    trm_error *err) {
  (void)self, (void)err;
  if (out->motion != NULL) out->motion[0] = s->vd[0] + s->q[0];
  return TRM_OK;
}

static const trm_system_ops oscillator = {.name = "oscillator", .sizes = one_sizes,
                                          .start = one_start, .values = one_values};

/* Eigenvalue of one step of size h with the largest imaginary part, and the other one. */
static inline void eigenvalues(double h, const char *formulation, double complex l[2]) {
  double A[2][2];
  for (int j = 0; j < 2; j++) {
    trm_error err;
    bool done;
    double start[2] = {j == 0, j == 1 ? 1.0 / h : 0.0}; /* (x, h v) */
    trm_system *sys = kit_system(&oscillator, start);
    const trm_options o = options_tdg(2 * h, h, formulation);
    trm_sim *sim = kit_sim(sys, &o);
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    A[0][j] = trm_sim_state(sim)->q[0];
    A[1][j] = h * trm_sim_state(sim)->v[0];
    trm_sim_free(sim);
    trm_system_free(sys);
  }
  const double half = (A[0][0] + A[1][1]) / 2, det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  const double complex root = csqrt(half * half - det);
  l[0] = half + root;
  l[1] = half - root;
}

/* ---- a slider crank with singular poses ---------------------------------------------- */

/* Two masses on rods of length 1, the second held at the height of the pivot, [TDG] 5.2:
 * theta1 from the vertical, theta2 of the second rod relative to the first.
 *   g = cos theta1 + cos(theta1 + theta2);  G = 0 where both rods are vertical. */
static const double gravity = 9.81;

static inline void two_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 2, .ng = 1};
}

static inline trm_status two_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[0] = acos(-1.0) / 4;
  s->q[1] = acos(-1.0) / 2;
  return TRM_OK;
}

static inline trm_status two_values(void *self, const trm_state *s, const trm_values *out,
                                    trm_error *err) {
  (void)self, (void)err;
  const double a = s->q[0], b = s->q[0] + s->q[1], c2 = cos(s->q[1]), s2 = sin(s->q[1]);
  const double *v = s->v, *u = s->vd, vb = v[0] + v[1];
  const double G[2] = {-sin(a) - sin(b), -sin(b)};
  if (out->motion != NULL) {
    out->motion[0] = (3 + 2 * c2) * u[0] + (1 + c2) * u[1] - s2 * v[1] * (2 * v[0] + v[1]) +
                     gravity * (2 * sin(a) + sin(b)) + G[0] * s->lam[0];
    out->motion[1] = (1 + c2) * u[0] + u[1] + s2 * v[0] * v[0] + gravity * sin(b) +
                     G[1] * s->lam[0];
  }
  if (out->g != NULL) out->g[0] = cos(a) + cos(b);
  if (out->g_rate != NULL) out->g_rate[0] = G[0] * v[0] + G[1] * v[1];
  if (out->g_bias != NULL) out->g_bias[0] = -cos(a) * v[0] * v[0] - cos(b) * vb * vb;
  return TRM_OK;
}

static const trm_system_ops two_mass = {.name = "two-mass", .sizes = two_sizes,
                                        .start = two_start, .values = two_values,
                                        .gives_rates = true};

/* ---- orders -------------------------------------------------------------------------- */

static const model pendulum = {"pendulum", {{0}}};

/* Position at 10 s, and the energy on the way there. The error of [TDG] is that of the method
 * without projection, 4.13e-5; with it the error is 6.44e-5, but velocities and multipliers have
 * order three, too. */
static inline double check_energy(const char *formulation, double step, double error_at_10) {
  const trm_options o = options_tdg(10.0, step, formulation);
  const trm_options best = options_explicit(10.0, 1e-14);
  history h = run(&pendulum, &o, KEEP_STEPS), end = run(&pendulum, &best, KEEP_LAST);
  const trm_state s = history_last(&h), r = history_last(&end);
  const double error = hypot(s.q[0] - r.q[0], s.q[1] - r.q[1]);
  double before = energy_of(&pendulum, &h, 0), worst = -1.0;
  const double first = before;
  for (int i = 1; i < h.count; i++) {
    const double now = energy_of(&pendulum, &h, i);
    worst = fmax(worst, now - before);
    before = now;
  }
  print_message("%s, h=%g: error at 10 s %.4g, |g| %.2g, energy lost %.3g, largest gain %.2g\n",
                formulation, step, error, h.counters.violation_position, first - before, worst);
  if (error_at_10 > 0.0) CHECK_NEAR(error, error_at_10, 0.02 * error_at_10, "position at 10 s");
  CHECK_NEAR(h.counters.violation_position, 0.0, 1e-14, "%s: constraint, h=%g", formulation, step);
  CHECK_BETWEEN(worst, -1.0, 0.0, "%s: energy of a step, h=%g", formulation, step);
  history_free(&h);
  history_free(&end);
  return first - before;
}

/* Largest difference over the largest value. */
static inline double off(const double *a, const double *b, int n) {
  double difference = 0.0, size = 1e-30;
  for (int i = 0; i < n; i++) {
    difference = fmax(difference, fabs(a[i] - b[i]));
    size = fmax(size, fabs(b[i]));
  }
  return difference / size;
}

typedef struct angles_record {
  double theta[4096];
  int    count;
} angles_record;

static inline trm_status record_angle(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  angles_record *r = self;
  if (r->count < 4096) r->theta[r->count++] = sample->state->q[0];
  return TRM_OK;
}

static inline void record_run(const trm_system_ops *ops, const trm_options *o, angles_record *r) {
  trm_error err;
  trm_system *sys = kit_system(ops, NULL);
  trm_sim *sim = kit_sim(sys, o);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = r, .sample = record_angle}, &err), err);
  kit_run(sim);
  trm_sim_free(sim);
  trm_system_free(sys);
}

/* Others come through, too, or say what is singular; which of both is a matter of rounding. */
static inline void pass_or_name(const trm_system_ops *ops, const char *integrator, double tolerance,
                                const char *name) {
  trm_error err = {0};
  trm_options o = options_until(20.0);
  o.integrator = integrator;
  o.tolerance = tolerance;
  trm_system *sys = kit_system(ops, NULL);
  trm_sim *sim = kit_sim(sys, &o);
  const trm_status status = trm_sim_run(sim, &err);
  print_message("%s, %s at %g: %s%s\n", ops->name, integrator, tolerance,
                status == TRM_OK ? "passes" : "stops: ", status == TRM_OK ? "" : err.message);
  if (status != TRM_OK) {
    assert_non_null(strstr(err.message, "singular"));
    assert_non_null(strstr(strstr(err.message, "singular"), name));
    if (ops == &two_mass) assert_string_equal(err.object, "constraint 'lam0'");
  }
  trm_sim_free(sim);
  trm_system_free(sys);
}

#endif
