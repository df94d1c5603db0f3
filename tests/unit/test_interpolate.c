/* Dense output between two steps: it joins them, and its rates are the derivatives of
 * its positions, rotations and states, up to the offset of velocities of the alpha family. */
#include "unit/glider.h"
#include "unit/kit.h"

enum { NV = 6, NQ = 7 };

static const struct {
  const char *integrator, *formulation;
  double      rate_tol; /* of a rate against the derivative of what it is the rate of */
  bool        has_offset;
} methods[] = {
    /* a cubic and its own derivative: truncation of the difference, e^2 times h^-1; velocities of
       a step are off by C_q h^2 v'' all along it, turned as the body turns */
    {"hht", "si2", 1e-8, true},
    {"alpha", "index3", 1e-8, true},
    /* polynomials of order 7 and 4 beside rates of the equations: h^7, h^4 and less */
    {"explicit", "dop853", 1e-7, false},
    {"explicit", "dopri5", 1e-4, false},
    /* polynomials of degree s in accelerations and rates beside those of the equations: h^3
       and h^4 */
    {"tdg", "multicorrector", 1e-4, false},
    {"radau", "index3", 1e-6, false},
    {"radau", "index1", 1e-6, false},
    /* polynomials of degree 4 of positions and of velocities: h^4 times the fifth derivative */
    {"bdf", "si2", 1e-2, false},
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

/* Rates at t against the difference of two points 2 e apart: how far velocities are off. */
static void check_rates(trm_sim *sim, const trm_system *sys, double t, int m, double off[NV]) {
  const double e = 1e-6, tol = methods[m].rate_tol;
  const char *what = methods[m].formulation;
  const point now = point_at(sim, t), before = point_at(sim, t - e), after = point_at(sim, t + e);
  double step[NV];
  trm_system_difference(sys, after.q, before.q, step);
  for (int i = 0; i < NV; i++) {
    off[i] = step[i] / (2 * e) - now.v[i];
    if (!methods[m].has_offset) CHECK_NEAR(off[i], 0.0, tol, "%s: v %d", what, i);
  }
  CHECK_NEAR((after.x - before.x) / (2 * e), now.xd, tol, "%s: rate of the state", what);
}

/* Velocities are off by the same in the whole step. */
static void check_offset(double off[4][NV], double h, int m) {
  for (int i = 0; i < NV && methods[m].has_offset; i++) {
    const char *what = methods[m].formulation;
    /* C_q h^2 v'' with the longer step, v'' up to 100; rotations turn it by a part h of it */
    CHECK_NEAR(off[1][i], 0.0, 100 * 0.11 * 0.05 * 0.05, "%s: offset of v %d", what, i);
    const double turn = i < 3 ? 1e-8 : 2 * h * fabs(off[1][3]) + 2 * h * fabs(off[1][4]) +
                                           2 * h * fabs(off[1][5]) + 1e-8;
    for (int k = 2; k < 4; k++) CHECK_NEAR(off[k][i], off[1][i], turn, "%s: v %d", what, i);
  }
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
    if (strcmp(methods[m].integrator, "bdf") == 0) options.max_order = 4;
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
      double off[4][NV] = {{0.0}};
      for (int k = 1; k < 4; k++) {
        check_rates(sim, sys, start.t + 0.25 * k * (end.t - start.t), m, off[k]);
      }
      check_offset(off, end.t - start.t, m);
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
