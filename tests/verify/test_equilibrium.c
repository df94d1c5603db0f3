/* Equilibria against closed forms, from starts far away, by each method; messages when there is
 * none. */
#include "verify/analyses.h"

/* Newton ends at rounding; positions of size one. */
static const double tight = 1e-12;

/* --- closed forms ------------------------------------------------------------------------- */

/* m g = k (r - 1): a stiff spring with gravity, from a start at right angles. */
static void stiff_spring_sags_by_its_load(void **state) {
  (void)state;
  static const char *const stiffness[] = {"1e2", "1e6", "1e10"};
  for (int i = 0; i < 3; i++) {
    const trm_setting settings[] = {{"k", stiffness[i]}, {0}};
    typed m = typed_text("trammel: 1\nparameters: {k: 1, g: 9.81, m: 2}\nequations:\n"
                         "  coordinates: {x: 0.9, y: 0.1}\n  kinetic: 0.5*m*(x'^2 + y'^2)\n"
                         "  potential: 0.5*k*(hypot(x, y) - 1)^2 + m*g*y\n", "spring", settings);
    trm_static *at = rest_by(m.system, NULL);
    const trm_state *s = trm_static_state(at);
    CHECK_NEAR(s->q[0], 0.0, tight, "k = %s", stiffness[i]);
    CHECK_NEAR(s->q[1], -1.0 - 2.0 * 9.81 / atof(stiffness[i]), tight, "k = %s", stiffness[i]);
    assert_int_equal(trm_static_facts_of(at)->unstable, 0);
    trm_static_free(at);
    typed_close(&m);
  }
}

/* Links that start horizontal end straight below each other; no step of Newton alone does that. */
static void chain_falls_and_hangs(void **state) {
  (void)state;
  static const char *const methods[] = {NULL, "newton", "relaxation"};
  for (int k = 0; k < 3; k++) {
    trm_system *system = kit_problem("chain", "links", "10");
    trm_static *at = rest_by(system, methods[k]);
    const trm_state *s = trm_static_state(at);
    for (int i = 0; i < 10; i++) {
      CHECK_NEAR(s->q[7 * i], 0.0, 1e-10, "link %d stays on the line", i);
      CHECK_NEAR(s->q[7 * i + 2], -0.5 - i, 1e-10, "link %d is below the last", i);
      /* the joint above carries what hangs below, 9.81 N each */
      CHECK_NEAR(s->lam[5 * i + 2], -9.81 * (10 - i), 1e-9, "joint %d", i);
    }
    trm_static_free(at);
    trm_system_free(system);
  }
}

/* Equal rods between two nails: H and V balance at every joint, tan of the slopes falls by the
 * same amount from rod to rod. */
static void rods_between_two_nails_are_a_catenary(void **state) {
  (void)state;
  enum { N = 8 };
  char text[4096];
  size_t used = (size_t)snprintf(text, sizeof text, "trammel: 1\nequations:\n  coordinates:\n");
  for (int i = 1; i < N; i++) { /* a start that is not symmetric, and does not fit */
    used += (size_t)snprintf(text + used, sizeof text - used, "    x%d: %g\n    y%d: %g\n", i,
                             0.75 * i, i, i < 3 ? 0.4 * i : 0.8 - 0.2 * (i - 2));
  }
  used += (size_t)snprintf(text + used, sizeof text - used, "  kinetic: 0");
  for (int i = 1; i < N; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, " + 0.5*(x%d'^2 + y%d'^2)", i, i);
  }
  used += (size_t)snprintf(text + used, sizeof text - used, "\n  potential: 0");
  for (int i = 1; i < N; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, " + 9.81*y%d", i);
  }
  used += (size_t)snprintf(text + used, sizeof text - used,
                           "\n  constraints:\n    r1: hypot(x1, y1) - 1\n");
  for (int i = 2; i < N; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "    r%d: hypot(x%d - x%d, y%d - y%d) - 1\n", i, i, i - 1, i, i - 1);
  }
  used += (size_t)snprintf(text + used, sizeof text - used,
                           "    r%d: hypot(6 - x%d, y%d) - 1\n", N, N - 1, N - 1);
  typed m = typed_text(text, "rods", NULL);
  trm_static *at = rest_by(m.system, NULL);
  const double *q = trm_static_state(at)->q;
  double slope[N];
  for (int i = 0; i < N; i++) {
    const double x0 = i > 0 ? q[2 * i - 2] : 0.0, y0 = i > 0 ? q[2 * i - 1] : 0.0;
    const double x1 = i + 1 < N ? q[2 * i] : 6.0, y1 = i + 1 < N ? q[2 * i + 1] : 0.0;
    slope[i] = (y1 - y0) / (x1 - x0);
  }
  assert_true(slope[0] < 0.0); /* it hangs and does not stand like an arch */
  for (int i = 0; i < N; i++) {
    CHECK_NEAR(slope[i], -slope[N - 1 - i], 1e-10, "rod %d: symmetric", i);
    if (i > 1) CHECK_NEAR(slope[i] - slope[i - 1], slope[1] - slope[0], 1e-10, "rod %d", i);
  }
  trm_static_free(at);
  typed_close(&m);
}

/* Two bars of half width 1 and height 0.2: P = 2 k (l0/l - 1) y... The load is above the limit
 * load, so the point goes through to the other side, where y satisfies the closed form. */
static const char truss[] =
    "trammel: 1\nparameters: {k: 1000, h: 0.2, P: 3}\nequations:\n"
    "  coordinates: {x: 0, y: h}\n  kinetic: 0.5*(x'^2 + y'^2)\n"
    "  potential: 0.5*k*(hypot(1 + x, y) - hypot(1, h))^2 + 0.5*k*(hypot(1 - x, y) - hypot(1, h))^2"
    " + P*y\n";

static double truss_force(double y) { /* upwards, on the point */
  const double l = hypot(1.0, y), l0 = hypot(1.0, 0.2);
  return -2.0 * 1000.0 * (l - l0) * y / l;
}

static void truss_snaps_through(void **state) {
  (void)state;
  static const struct {
    const char *P, *method;
    bool        snaps;
  } cases[] = {{"2", NULL, false}, {"4", NULL, true}, {"4", "newton", true},
               {"4", "relaxation", true}, {"2", "load", false},
               {"4", "load", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const trm_setting settings[] = {{"P", cases[i].P}, {0}};
    typed m = typed_text(truss, "truss", settings);
    trm_static *at = rest_by(m.system, cases[i].method);
    const trm_state *s = trm_static_state(at);
    CHECK_NEAR(truss_force(s->q[1]), atof(cases[i].P), 1e-9, "P = %s", cases[i].P);
    CHECK_NEAR(s->q[0], 0.0, tight, "P = %s", cases[i].P);
    assert_int_equal(s->q[1] < 0.0, cases[i].snaps);
    assert_int_equal(trm_static_facts_of(at)->unstable, 0);
    trm_static_free(at);
    typed_close(&m);
  }
}

/* A force that saturates, V = sqrt(1 + x^2): Newton's step from 3 leads to -27, from there to
 * 19683. Newton alone, held back by the work it does. */
static void overshooting_is_held_back(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 3, y: -4}\n"
                       "  kinetic: 0.5*(x'^2 + y'^2)\n"
                       "  potential: sqrt(1 + x^2) + 2*sqrt(1 + y^2)\n", "saturated", NULL);
  trm_static *at = rest_by(m.system, "newton");
  CHECK_NEAR(trm_static_state(at)->q[0], 0.0, tight, "x");
  CHECK_NEAR(trm_static_state(at)->q[1], 0.0, tight, "y");
  assert_true(trm_static_facts_of(at)->iterations < 40);
  trm_static_free(at);
  typed_close(&m);
}

/* A top may turn about its axis: the matrix is singular, Newton alone goes on without it. */
static void neutral_direction_does_not_stop_newton(void **state) {
  (void)state;
  trm_system *system = kit_problem("heavy-top", NULL, NULL);
  trm_static *at = rest_by(system, "newton");
  CHECK_NEAR(trm_static_state(at)->q[2], -1.0, tight, "it hangs");
  assert_int_equal(trm_static_facts_of(at)->neutral, 1);
  assert_true(trm_static_facts_of(at)->iterations < 40);
  trm_static_free(at);
  trm_system_free(system);
}

/* Forces without an energy: K = [1 4; 0 1] is regular, its symmetric part is not positive, and
 * "downhill" leads round in circles. Load steps find it. */
static void forces_without_energy_are_balanced(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 3, y: -2}\n"
                       "  kinetic: 0.5*(x'^2 + y'^2)\n"
                       "  forces: {x: 1 - x - 4*(y + y^3/5), y: 0.5 - y}\n", "circulatory", NULL);
  trm_static *at = rest_by(m.system, NULL);
  const trm_state *s = trm_static_state(at);
  CHECK_NEAR(s->q[1], 0.5, tight, "y");
  CHECK_NEAR(s->q[0], 1.0 - 4.0 * (0.5 + 0.025), tight, "x");
  trm_static_free(at);
  at = rest_by(m.system, "load");
  CHECK_NEAR(trm_static_state(at)->q[0], 1.0 - 4.0 * (0.5 + 0.025), tight, "x by load steps");
  assert_string_equal(trm_static_facts_of(at)->method, "load");
  trm_static_free(at);
  typed_close(&m);
}

/* --- states, rolling, redundancy ----------------------------------------------------------- */

/* An integrating controller moves the mass until the error is zero, x = 0.3, and its state holds
 * the load: 5 s = 7. */
static void controller_comes_to_rest(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 0}\n  kinetic: x'^2/2\n"
                       "  variables: {e: 0.3 - x}\n  states: {s: {value: 0, rate: e}}\n"
                       "  forces: {x: 40*e - 9*x' + 5*s - 7}\n", "controller", NULL);
  trm_static *at = rest_by(m.system, NULL);
  const trm_state *s = trm_static_state(at);
  CHECK_NEAR(s->q[0], 0.3, tight, "place");
  CHECK_NEAR(s->x[0], 1.4, 1e-11, "state");
  trm_error err;
  double e = 1.0;
  CHECK_OK(trm_system_values(m.system, s, &(trm_values){.shown = &e}, &err), err);
  CHECK_NEAR(e, 0.0, tight, "error");
  assert_false(trm_static_facts_of(at)->holds_states);
  trm_static_free(at);
  typed_close(&m);
}

/* No coordinates at all: 2 a = b, a + b = 3. */
static void states_alone_come_to_rest(void **state) {
  (void)state;
  static const char *const methods[] = {NULL, "relaxation", "load"};
  for (int i = 0; i < 3; i++) {
    typed m = typed_text("trammel: 1\nequations:\n  states:\n"
                         "    a: {value: 5, rate: -2*a + b}\n    b: {value: 0, rate: 3 - b - a}\n",
                         "states", NULL);
    trm_static *at = rest_by(m.system, methods[i]);
    CHECK_NEAR(trm_static_state(at)->x[0], 1.0, tight, "a");
    CHECK_NEAR(trm_static_state(at)->x[1], 2.0, tight, "b");
    trm_static_free(at);
    typed_close(&m);
  }
}

static bool stop_at_five(void *self) {
  return ++*(int *)self > 5;
}

static void search_can_be_stopped(void **state) {
  (void)state;
  int asked = 0;
  trm_error err = {.message = ""};
  trm_static *result = NULL;
  trm_static_options o = trm_static_options_default();
  o.should_stop = stop_at_five;
  o.should_stop_self = &asked;
  trm_system *system = kit_problem("chain", "links", "10");
  CHECK_STATUS(trm_static_find(system, &o, &result, &err), TRM_ERR_STOPPED);
  assert_int_equal(asked, 6);
  trm_system_free(system);
}

/* A clock never rests: it keeps its value, and the rest is found with that. */
static void clock_keeps_its_time(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 0}\n  kinetic: x'^2/2\n"
                       "  states: {clock: {value: 2, rate: 1}}\n  forces: {x: -4*x + clock}\n",
                       "clock", NULL);
  trm_static *at = rest_by(m.system, NULL);
  CHECK_NEAR(trm_static_state(at)->q[0], 0.5, tight, "place");
  CHECK_NEAR(trm_static_state(at)->x[0], 2.0, 0.0, "clock");
  assert_true(trm_static_facts_of(at)->holds_states);
  trm_static_free(at);
  typed_close(&m);
}

/* Two equal rods share the load. */
static void redundant_rods_share_the_load(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 0.6, y: 0.8}\n"
                       "  kinetic: 0.5*(x'^2 + y'^2)\n  potential: 10*y\n"
                       "  constraints:\n    a: hypot(x, y) - 1\n    b: hypot(x, y) - 1\n",
                       "rods", NULL);
  trm_static *at = rest_by(m.system, NULL);
  const trm_state *s = trm_static_state(at);
  CHECK_NEAR(s->q[1], -1.0, tight, "it hangs");
  /* multipliers that are not unique carry rounding over the border, 1e-16/1e-12 */
  CHECK_NEAR(s->lam[0], 5.0, 1e-3, "rod a");
  CHECK_NEAR(s->lam[1], 5.0, 1e-3, "rod b");
  CHECK_NEAR(s->lam[0] + s->lam[1], 10.0, 1e-9, "together");
  trm_static_free(at);
  typed_close(&m);
}

/* A start that is an equilibrium stays to the bit; an unstable one is said to be. */
static void balanced_start_stays(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {th: 0}\n  kinetic: th'^2/2\n"
                       "  potential: cos(th)\n", "upright", NULL);
  trm_static *at = rest_by(m.system, NULL);
  assert_true(trm_static_state(at)->q[0] == 0.0);
  assert_int_equal(trm_static_facts_of(at)->unstable, 1);
  trm_static_free(at);
  typed_close(&m);
}

/* A little beside the top of the hill it goes down, not up. */
static void least_energy_is_preferred(void **state) {
  (void)state;
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {th: 0.01}\n  kinetic: th'^2/2\n"
                       "  potential: cos(th)\n", "beside", NULL);
  trm_static *at = rest_by(m.system, NULL);
  CHECK_NEAR(cos(trm_static_state(at)->q[0]), -1.0, tight, "at the bottom");
  assert_int_equal(trm_static_facts_of(at)->unstable, 0);
  trm_static_free(at);
  typed_close(&m);
}

/* --- no equilibrium ------------------------------------------------------------------------- */

static trm_error fail_to_find(const char *text) {
  typed m = typed_text(text, "model", NULL);
  trm_error err = {.message = ""};
  trm_static *result = NULL;
  const trm_static_options o = trm_static_options_default();
  CHECK_STATUS(trm_static_find(m.system, &o, &result, &err), TRM_ERR_BALANCE);
  assert_null(result);
  typed_close(&m);
  print_message("%s: %s\n", err.object, err.message);
  return err;
}

static void free_body_is_named(void **state) {
  (void)state;
  trm_error err = fail_to_find("trammel: 1\nequations:\n  coordinates: {a: 0, z: 0, b: 1}\n"
                               "  kinetic: 0.5*(a'^2 + 3*z'^2 + b'^2)\n"
                               "  potential: 50*a^2 + 3*9.81*z + 20*(b - a)^2\n");
  assert_non_null(strstr(err.message, "nothing holds 'z' against 29.43 N"));
  assert_non_null(strstr(err.object, "'z'"));
  err = fail_to_find("trammel: 1\nequations:\n  coordinates: {y: 0}\n  kinetic: y'^2/2\n"
                     "  forces: {y: -1}\n");
  assert_non_null(strstr(err.message, "nothing holds 'y' against 1 N"));
}

/* A force that no place balances. */
static void restless_force_is_named(void **state) {
  (void)state;
  const trm_error err = fail_to_find("trammel: 1\nequations:\n  coordinates: {x: 0, y: 0}\n"
                                     "  kinetic: 0.5*(x'^2 + y'^2)\n"
                                     "  forces: {x: 2 + sin(x), y: -y}\n");
  assert_non_null(strstr(err.message, "'x'"));
}

static void wrong_options_are_told(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  trm_static *result = NULL;
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_static_options o = trm_static_options_default();
  o.method = "guess";
  CHECK_STATUS(trm_static_find(system, &o, &result, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "newton, relaxation or load"));
  o = (trm_static_options){.max_iterations = 3};
  CHECK_STATUS(trm_static_find(system, &o, &result, &err), TRM_ERR_INPUT);
  trm_static_free(NULL);
  trm_system_free(system);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiff_spring_sags_by_its_load),
      cmocka_unit_test(chain_falls_and_hangs),
      cmocka_unit_test(rods_between_two_nails_are_a_catenary),
      cmocka_unit_test(truss_snaps_through),
      cmocka_unit_test(overshooting_is_held_back),
      cmocka_unit_test(neutral_direction_does_not_stop_newton),
      cmocka_unit_test(forces_without_energy_are_balanced),
      cmocka_unit_test(controller_comes_to_rest),
      cmocka_unit_test(clock_keeps_its_time),
      cmocka_unit_test(states_alone_come_to_rest),
      cmocka_unit_test(search_can_be_stopped),
      cmocka_unit_test(redundant_rods_share_the_load),
      cmocka_unit_test(balanced_start_stays),
      cmocka_unit_test(least_energy_is_preferred),
      cmocka_unit_test(free_body_is_named),
      cmocka_unit_test(restless_force_is_named),
      cmocka_unit_test(wrong_options_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
