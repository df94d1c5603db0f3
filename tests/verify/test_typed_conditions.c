/* Jumps and kinks in typed equations: every one is an event, nothing smooth is, and the motion
 * between them is exact. */
#include "check.h"
#include "trammel/trammel.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct result {
  double       t, q[4], v[4];
  trm_counters counters;
} result;

static trm_status run(const char *equations, const char *integrator, double end, result *out,
                      trm_error *err) {
  char text[1200];
  trm_model *model = NULL;
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  snprintf(text, sizeof text, "trammel: 1\n%s", equations);
  trm_status status = trm_model_read_text(text, "test", NULL, 0, NULL, &model, err);
  if (status == TRM_OK) status = trm_model_create_system(model, NULL, &system, err);
  trm_options o = trm_options_default();
  o.integrator = integrator;
  o.tolerance = strcmp(integrator, "explicit") == 0 ? 1e-12 : 1e-7;
  o.end = end;
  if (status == TRM_OK) status = trm_sim_create(system, &o, &sim, err);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  if (status == TRM_OK) {
    const trm_state *s = trm_sim_state(sim);
    const int n = trm_system_sizes(system)->nv;
    out->t = s->t;
    for (int i = 0; i < n && i < 4; i++) out->q[i] = s->q[i], out->v[i] = s->v[i];
    out->counters = *trm_sim_counters(sim);
  }
  trm_sim_free(sim);
  trm_system_free(system);
  trm_model_free(model);
  return status;
}

/* One period brings x back to 1, with so many events; by explicit and by hht. */
static void check_period(const char *what, const char *equations, double period, long events) {
  /* explicit at 1e-12, with event times to rounding; hht at 1e-7 errs by some 1e-4 */
  static const double tolerance[] = {1e-9, 1e-3};
  static const char *const names[] = {"explicit", "hht"};
  for (int i = 0; i < 2; i++) {
    result r;
    trm_error err;
    CHECK_OK(run(equations, names[i], period, &r, &err), err);
    CHECK_NEAR(r.q[0], 1.0, tolerance[i], "%s, %s: x after a period", what, names[i]);
    CHECK_NEAR(r.v[0], 0.0, 10 * tolerance[i], "%s, %s: velocity", what, names[i]);
    assert_int_equal(r.counters.events, events);
  }
}

static const double pi = 3.14159265358979323846;

static void a_spring_of_two_stiffnesses_keeps_its_period(void **state) {
  (void)state;
  check_period("if",
               "equations:\n  coordinates: {x: 1}\n  kinetic: 0.5*x'^2\n"
               "  forces: {x: \"-if(x > 0, 1, 4)*x\"}\n",
               1.5 * pi, 2);
}

static void kinks_of_abs_min_max_and_sign_are_events(void **state) {
  (void)state;
  /* x'' = -1 where x > 0, +1 below: four parabolas of sqrt(2) s */
  const double period = 4.0 * sqrt(2.0);
  check_period("abs", "equations:\n  coordinates: {x: 1}\n  kinetic: 0.5*x'^2\n"
               "  potential: abs(x)\n", period, 2);
  check_period("max", "equations:\n  coordinates: {x: 1}\n  kinetic: 0.5*x'^2\n"
               "  potential: max(x, -x)\n", period, 2);
  check_period("sign", "equations:\n  coordinates: {x: 1}\n  kinetic: 0.5*x'^2\n"
               "  forces: {x: -sign(x)}\n", period, 2);
}

/* Slope 1 within 0.5, 3 beyond: from x = 1 to 0.5 the force is 3 x - 1. */
static void corners_of_a_linear_table_are_events(void **state) {
  (void)state;
  const double w = sqrt(3.0), amplitude = 1.0 - 1.0 / 3, edge = 0.5 - 1.0 / 3;
  const double outside = acos(edge / amplitude) / w;
  const double speed = w * sqrt(amplitude * amplitude - edge * edge);
  const double inside = atan(0.5 / speed);
  check_period("table",
               "tables:\n  f: {x: [-2, -0.5, 0.5, 2], y: [-5, -0.5, 0.5, 5],\n"
               "      interpolation: linear}\n"
               "equations:\n  coordinates: {x: 1}\n  kinetic: 0.5*x'^2\n  forces: {x: -f(x)}\n",
               4.0 * (outside + inside), 4);
}

static void smooth_functions_make_no_events(void **state) {
  (void)state;
  static const char *const forces[] = {
    "-x*STEP(x, -0.5, 1, 0.5, 2)", "-x*STEP5(x, -0.5, 1, 0.5, 2)", "-x*HAVSIN(x, -0.5, 1, 0.5, 2)",
    "IMPACT(x, x', 0.5, 10, 1.5, 0, 0.1) - x - 1", "BISTOP(x, x', -0.5, 0.5, 10, 1.5, 0, 0.1)",
    "-AKISPL(x, 0, f)", "-CUBSPL(x, 0, f)",
  };
  for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
    char text[600];
    result r;
    trm_error err;
    snprintf(text, sizeof text,
             "tables:\n  f: {x: [-2, -0.5, 0, 0.5, 2], y: [-3, -0.5, 0, 0.5, 3]}\n"
             "equations:\n  coordinates: {x: 1}\n  kinetic: 0.5*x'^2\n  forces: {x: \"%s\"}\n"
             "outputs: {side: \"if(x > 0, 1, -1)\", far: \"abs(x)\"}\n", forces[i]);
    CHECK_OK(run(text, "hht", 5.0, &r, &err), err);
    assert_int_equal(r.counters.events, 0);
  }
}

/* A push of 1 N up to 0.5 s, on a mass of 1 kg. */
static void conditions_of_time_are_met_exactly(void **state) {
  (void)state;
  result r;
  trm_error err;
  CHECK_OK(run("equations:\n  coordinates: {x: 0}\n  kinetic: 0.5*x'^2\n"
               "  forces: {x: \"if(time < 0.5, 1, 0)\"}\n", "explicit", 2.0, &r, &err), err);
  CHECK_NEAR(r.v[0], 0.5, 1e-14, "velocity"); /* rounding */
  CHECK_NEAR(r.q[0], 0.125 + 0.75, 1e-14, "position");
  assert_int_equal(r.counters.events, 1);
}

/* At the very edge of a condition the side follows from where the motion goes. */
static void a_start_on_the_edge_takes_the_right_side(void **state) {
  (void)state;
  static const double speeds[] = {1.0, -1.0};
  for (int i = 0; i < 2; i++) {
    char text[300];
    result r;
    trm_error err;
    snprintf(text, sizeof text,
             "equations:\n  coordinates: {x: {value: 0, velocity: %g}}\n  kinetic: 0.5*x'^2\n"
             "  forces: {x: \"if(x > 0, 1, 3)*x'\"}\n", speeds[i]);
    CHECK_OK(run(text, "explicit", 0.5, &r, &err), err);
    const double rate = i == 0 ? 1.0 : 3.0;
    CHECK_NEAR(r.v[0], speeds[i] * exp(0.5 * rate), 1e-10, "speed %g", speeds[i]);
    assert_int_equal(r.counters.events, 0);
  }
}

/* Dry friction holds the mass: the sign would have to be both. */
static void sliding_along_a_jump_is_explained(void **state) {
  (void)state;
  result r;
  trm_error err;
  const trm_status status =
      run("equations:\n  coordinates: {x: {value: 0, velocity: 1}}\n  kinetic: 0.5*x'^2\n"
          "  forces: {x: -sign(x')}\n", "hht", 2.0, &r, &err);
  assert_int_equal(status, TRM_ERR_STEP);
  assert_non_null(strstr(err.message, "it would slide along it"));
  assert_string_equal(err.object, "condition in line 5, column 16");
  CHECK_NEAR(err.t, 1.0, 0.05, "time"); /* it chatters for a step or two before it sticks */
}

static void given_values_stay_and_guesses_move(void **state) {
  (void)state;
  result r;
  trm_error err;
  CHECK_OK(run("equations:\n  coordinates: {x: {value: 0.6, velocity: 2}, y: {guess: 0.5}}\n"
               "  mass: {x: 1, y: 1}\n  constraints: {rod: x^2 + y^2 - 1}\n", "explicit", 1e-9, &r,
               &err), err);
  /* after 1e-9 s, at a speed of 2 */
  CHECK_NEAR(r.q[0], 0.6, 1e-8, "x");
  CHECK_NEAR(r.q[1], 0.8, 1e-8, "y");
  CHECK_NEAR(r.v[0], 2.0, 1e-7, "x'");
  CHECK_NEAR(r.v[1], -1.5, 1e-7, "y'");
}

/* The first branch holds at the start; the second has no solution. */
static void assembly_knows_the_side_of_conditions(void **state) {
  (void)state;
  result r;
  trm_error err;
  CHECK_OK(run("equations:\n  coordinates: {x: 0.1, y: 0}\n  mass: {x: 1, y: 1}\n"
               "  constraints: {place: 'if(time < 1, 0.2 - x, 5 + x^2)'}\n", "explicit", 1e-9,
               &r, &err), err);
  CHECK_NEAR(r.q[0], 0.2, 1e-12, "x"); /* to rounding */
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_spring_of_two_stiffnesses_keeps_its_period),
    cmocka_unit_test(kinks_of_abs_min_max_and_sign_are_events),
    cmocka_unit_test(corners_of_a_linear_table_are_events),
    cmocka_unit_test(smooth_functions_make_no_events),
    cmocka_unit_test(conditions_of_time_are_met_exactly),
    cmocka_unit_test(a_start_on_the_edge_takes_the_right_side),
    cmocka_unit_test(sliding_along_a_jump_is_explained),
    cmocka_unit_test(given_values_stay_and_guesses_move),
    cmocka_unit_test(assembly_knows_the_side_of_conditions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
