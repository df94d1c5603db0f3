/* Dense output between two steps: it joins them, and its rates are the derivatives of
 * its positions, rotations and states. */
#include "unit/glider.h"
#include "unit/kit.h"

enum { NV = 6, NQ = 7 };

static const struct {
  const char *integrator, *formulation;
  double      rate_tol; /* of a rate against the derivative of what it is the rate of */
} methods[] = {
    /* a cubic and its own derivative: truncation of the difference, e^2 times h^-1 */
    {"hht", "si2", 1e-8},
    {"alpha", "index3", 1e-8},
    /* polynomials of order 7 and 4 beside rates of the equations: h^7, h^4 and less */
    {"explicit", "dop853", 1e-7},
    {"explicit", "dopri5", 1e-4},
    /* polynomials of degree s in accelerations and rates beside those of the equations: h^3
       and h^4 */
    {"tdg", "multicorrector", 1e-4},
    {"radau", "index3", 1e-6},
    {"radau", "index1", 1e-6},
};
enum { METHODS = sizeof methods / sizeof *methods };

/* What is compared of a state. */
typedef struct point {
  double t, q[NQ], v[NV], x, xd;
} point;

static point copy_point(const trm_state *s) {
  point p = {.t = s->t, .x = s->x[0], .xd = s->xd[0]};
  memcpy(p.q, s->q, sizeof p.q);
  memcpy(p.v, s->v, sizeof p.v);
  return p;
}

static point point_at(trm_sim *sim, double t) {
  trm_error err;
  const trm_state *s = NULL;
  CHECK_OK(trm_sim_interpolate(sim, t, &s, &err), err);
  assert_true(s->t == t);
  return copy_point(s);
}

static void check_join(const point *a, const point *b, const char *what) {
  const double tol = 1e-11; /* rounding, and accelerations of 10 over a time of 1e-13 */
  for (int i = 0; i < NQ; i++) CHECK_NEAR(a->q[i], b->q[i], tol, "%s: q %d", what, i);
  for (int i = 0; i < NV; i++) CHECK_NEAR(a->v[i], b->v[i], tol, "%s: v %d", what, i);
  CHECK_NEAR(a->x, b->x, tol, "%s: state", what);
}

/* Rates at t against the difference of two points 2 e apart. */
static void check_rates(trm_sim *sim, const trm_system *sys, double t, double tol,
                        const char *what) {
  const double e = 1e-6;
  const point now = point_at(sim, t), before = point_at(sim, t - e), after = point_at(sim, t + e);
  double step[NV];
  trm_system_difference(sys, after.q, before.q, step);
  for (int i = 0; i < NV; i++) CHECK_NEAR(step[i] / (2 * e), now.v[i], tol, "%s: v %d", what, i);
  CHECK_NEAR((after.x - before.x) / (2 * e), now.xd, tol, "%s: rate of the state", what);
}

static void dense_output_joins_the_steps_and_has_their_rates(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err;
    bool done = false;
    glider self = {.entry = -1};
    trm_options options = trm_options_default();
    options.integrator = methods[m].integrator;
    options.formulation = methods[m].formulation;
    options.end = 0.4;
    options.steps[0] = 0.02;
    options.steps[1] = 0.05;
    options.nsteps = 2;
    trm_system *sys = kit_system(&glider_full, &self);
    trm_sim *sim = kit_sim(sys, &options);
    while (!done) {
      const point start = copy_point(trm_sim_state(sim));
      CHECK_OK(trm_sim_step(sim, &done, &err), err);
      const point end = copy_point(trm_sim_state(sim));
      /* the end itself is not interpolated: a time of 1e-13 before it */
      const point first = point_at(sim, start.t), last = point_at(sim, end.t - 1e-13);
      check_join(&first, &start, methods[m].formulation);
      check_join(&last, &end, methods[m].formulation);
      for (int k = 1; k < 4; k++) {
        check_rates(sim, sys, start.t + 0.25 * k * (end.t - start.t), methods[m].rate_tol,
                    methods[m].formulation);
      }
    }
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

/* The end of a run with an interpolation in each step, or without. */
static void run(int m, const char *solver, bool is_watched, double end[NQ]) {
  trm_error err;
  bool done = false;
  glider self = {.entry = -1};
  trm_options options = trm_options_default();
  options.integrator = methods[m].integrator;
  options.formulation = methods[m].formulation;
  options.solver = solver;
  options.end = 0.5;
  trm_system *sys = kit_system(&glider_full, &self);
  trm_sim *sim = kit_sim(sys, &options);
  while (!done) {
    const double t = trm_sim_state(sim)->t;
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    if (is_watched) (void)point_at(sim, 0.5 * (t + trm_sim_state(sim)->t));
  }
  memcpy(end, trm_sim_state(sim)->q, NQ * sizeof(double));
  trm_sim_free(sim);
  trm_system_free(sys);
}

/* Not even in the last bit: samples are asked for by whoever looks on. */
static void interpolation_changes_no_step(void **unused) {
  (void)unused;
  const char *const solvers[] = {"klu", "dense", "block"};
  for (int k = 0; k < 3 * METHODS; k++) {
    double alone[NQ], watched[NQ];
    run(k / 3, solvers[k % 3], false, alone);
    run(k / 3, solvers[k % 3], true, watched);
    for (int i = 0; i < NQ; i++) {
      CHECK_NEAR(watched[i], alone[i], 0.0, "%s %s: q %d, the same bits",
                 methods[k / 3].formulation, solvers[k % 3], i);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dense_output_joins_the_steps_and_has_their_rates),
      cmocka_unit_test(interpolation_changes_no_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
