/* States between the steps, on the heavy top, whose rotation by 150 rad/s makes them
 * difficult. Inside times are nodes of the reference, which is explicit at fixed steps:
 * no interpolation is compared with another one. */
#include "runs.h"

static const model top = {"heavy-top", {{0}}};
enum { RUNS = 4, PARTS = 4, TIMES_MAX = 4096 };

/* Largest errors at the inside quarters of steps h up to `end`; options o otherwise. */
static errors errors_inside(const trm_options *given, double h, double end) {
  double times[TIMES_MAX];
  int n = 0;
  for (int i = 1; i * (h / PARTS) < end; i++) {
    if (i % PARTS == 0) continue;
    assert_true(n < TIMES_MAX);
    times[n++] = i * (h / PARTS);
  }
  trm_options o = *given, reference = options_explicit(end, 0.0);
  o.end = end;
  o.output_times = times;
  o.noutput_times = n;
  history inside = run(&top, &o, KEEP_SAMPLES);
  assert_int_equal(inside.count, n);
  /* the top turns by .08 rad at most: order 8 leaves nothing but rounding */
  reference.steps[0] = h / (h > 5e-4 ? 4 * PARTS : PARTS);
  reference.nsteps = 1;
  errors e;
  compare_with(&top, &reference, &inside, 1, &e);
  history_free(&inside);
  return e;
}

/* Errors inside the first step, from exact values, or inside all steps up to .2 s. */
static void inside_halved_steps(const char *integrator, const char *formulation, double h,
                                bool first, errors *e) {
  for (int k = 0; k < RUNS; k++, h *= 0.5) {
    trm_options o = options_steps(1.0, h, 0.0);
    o.integrator = integrator;
    o.formulation = formulation;
    e[k] = errors_inside(&o, h, first ? h : 0.2);
  }
}

/* One step errs by O(h^3), Hermite by less; its derivative is one order lower. */
static void hht_is_third_order_inside_a_step(void **state) {
  (void)state;
  static const char *const integrators[] = {"hht", "alpha"};
  errors e[RUNS];
  for (int i = 0; i < 2; i++) {
    inside_halved_steps(integrators[i], NULL, 2e-3, true, e);
    check_orders("inside the first step", e, RUNS, SET_Q, 2.9, 3.5);
    check_orders("inside the first step", e, RUNS, SET_V, 1.9, 3.5);
  }
}

/* Distance of the interpolated velocity from that of the state, a little before the end
 * of each step: nothing but the acceleration of 700 rad/s^2 over that time, and rounding
 * of a derivative over a step of 1 ms. It takes the right transformation of the rates of
 * rotation, which leaves no other trace in the order. */
static void hht_velocities_join_at_the_steps(void **state) {
  (void)state;
  trm_error err;
  trm_sim *sim = NULL;
  const trm_options o = options_steps(0.1, 1e-3, 0.0);
  trm_system *system = model_create(&top);
  CHECK_OK(trm_sim_create(system, &o, &sim, &err), err);
  double worst = 0.0, before = 1e-12;
  for (bool done = false; !done;) {
    double v[6];
    const trm_state *s = NULL;
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    memcpy(v, trm_sim_state(sim)->v, sizeof v);
    CHECK_OK(trm_sim_interpolate(sim, trm_sim_state(sim)->t - before, &s, &err), err);
    enlarge(&worst, s->v, v, 6);
  }
  print_message("velocities join to %.2g\n", worst);
  CHECK_NEAR(worst, 0.0, 1e-8, "velocity before the end of a step");
  trm_sim_free(sim);
  trm_system_free(system);
}

/* Global errors are O(h^2) at the steps, and stay that between them. */
static void hht_keeps_second_order_between_steps(void **state) {
  (void)state;
  errors e[RUNS];
  inside_halved_steps("hht", NULL, 2e-3, false, e);
  check_orders("between steps", e, RUNS, SET_Q | SET_V | SET_LAM, 1.9, 2.1);
}

/* The polynomials have degree 7 and 4, errors O(h^8) and O(h^5); the finest step is
 * left out where errors reach rounding. */
static void explicit_keeps_high_order_between_steps(void **state) {
  (void)state;
  errors e[RUNS];
  inside_halved_steps("explicit", "dop853", 8e-3, false, e);
  check_orders("dop853", e, RUNS - 1, SET_Q | SET_V | SET_LAM, 7.5, 8.5);
  inside_halved_steps("explicit", "dopri5", 4e-3, false, e);
  check_orders("dopri5", e, RUNS, SET_Q | SET_V | SET_LAM, 4.8, 6.0);
}

/* Ten times the tolerance; rates relative to 150 rad/s. */
static void explicit_is_accurate_between_steps(void **state) {
  (void)state;
  static const char *const formulations[] = {"dop853", "dopri5"};
  for (int i = 0; i < 2; i++) {
    trm_options o = options_explicit(1.0, 1e-11);
    o.formulation = formulations[i];
    const errors e = errors_inside(&o, 1e-3, 0.3);
    print_message("%s: q %.2g v %.2g\n", formulations[i], e.largest[OF_Q], e.largest[OF_V]);
    CHECK_NEAR(e.largest[OF_Q], 0.0, 1e-10, "positions of %s", formulations[i]);
    CHECK_NEAR(e.largest[OF_V], 0.0, 150 * 1e-10, "velocities of %s", formulations[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hht_is_third_order_inside_a_step),
      cmocka_unit_test(hht_velocities_join_at_the_steps),
      cmocka_unit_test(hht_keeps_second_order_between_steps),
      cmocka_unit_test(explicit_keeps_high_order_between_steps),
      cmocka_unit_test(explicit_is_accurate_between_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
