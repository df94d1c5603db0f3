/* test_pulses.c - short smooth pulses on a body at rest: no step passes over one. */
#include "methods.h"
#include "verify/typed.h"
#include <math.h>
#include <stdlib.h>

/* A mass of 1 kg, no other force. The integral of each law from 0 to 3 is its speed at the end. */
typedef struct pulse {
  const char *law;
  double      impulse;
} pulse;

static const pulse pulses[] = {
  {"STEP(time, 1, 0, 1.05, 1) - STEP(time, 1.05, 0, 1.1, 1)", 0.05},
  {"STEP5(time, 1, 0, 1.02, 1) - STEP5(time, 2, 0, 2.02, 1)", 1.0},
  {"HAVSIN(time, 2.9, 0, 2.92, 1) - HAVSIN(time, 2.95, 0, 2.97, 1)", 0.05},
  {"STEP(2*time - 4, -1, 0, -0.9, 1) - STEP(-time, -1.6, 1, -1.55, 0)", 0.05},
  /* free expressions; that of a bell a exp(-((t - t0)/b)^2) is a b sqrt(pi) */
  {"1000*exp(-((time-1)/0.01)^2)", 17.724538509055159},
  {"1000*exp(-((time-1.3333)/0.0005)^2)", 0.88622692545275794},
  {"1/(1 + ((time-2)/0.002)^2)", 0.0062771853},
  {"exp(-((time-1)/0.01)^2)*sin(100*(time-0.99))", NAN},
  {"500*sin(40*time)*0 + 5*exp(-((time-2.5)/0.003)^2)", 0.026586807763582737},
  {"tanh(300*(time-1)) - tanh(300*(time-1.02))", 0.04},
  {"sin(3.14159265358979324*time/6)^2000", NAN},
  {"5*smooth(time)", NAN}, {"CUBSPL(time, 0, round, 0)", NAN}, {"smooth(3 - time)", NAN},
};

static double speed_after(const pulse *p, const char *method, double tolerance) {
  char text[900];
  trm_error err;
  snprintf(text, sizeof text,
           "trammel: 1\n"
           "tables:\n"
           "  smooth: {x: [0, 0.5, 1, 1.48, 1.5, 1.51, 1.52, 1.53, 1.55, 2, 3],\n"
           "           interpolation: akima,\n"
           "           y: [0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0]}\n"
           "  round: {x: [0, 1, 1.1, 1.15, 1.2, 2, 3], y: [0, 0, 0, 1, 0, 0, 0],\n"
           "          interpolation: cubic}\n"
           "equations:\n"
           "  coordinates: {x: 0}\n"
           "  kinetic: 0.5*x'^2\n"
           "  forces: {x: \"%s\"}\n"
           "simulate: {end: 3}\n", p->law);
  typed m = typed_text(text, method, NULL);
  trm_sim *sim = typed_sim(&m, method, tolerance);
  CHECK_OK(trm_sim_run(sim, &err), err);
  const double v = trm_sim_state(sim)->v[0];
  trm_sim_free(sim);
  typed_close(&m);
  return v;
}

static void no_method_passes_over_a_pulse(void **state) {
  (void)state;
  const int n = all_methods();
  for (size_t i = 0; i < sizeof pulses / sizeof *pulses; i++) {
    const pulse *p = &pulses[i];
    const double exact = isnan(p->impulse) ? speed_after(p, "radau", 1e-12) : p->impulse;
    for (int k = 0; k < n; k++) {
      /* methods that test positions alone leave errors of the speed (bdf 8 % at 1e-6); of a pulse
       * that is passed over all is missing, of one of its sides half */
      const double v = speed_after(p, methods[k], 1e-8);
      CHECK_NEAR(v, exact, 0.05 * fabs(exact), "%s by %s", p->law, methods[k]);
    }
  }
}

/* The shortest pulse that is promised: above 2 % of its height for 1/4000 of the run, anywhere,
 * alone and beside a wave of a thousand times its size. */
/* A strong pulse of 200 N whose second half was left in one step by tdg, of which both stages were
 * beyond it: 30 % of the speed remained, without a word; hht kept 86 % and bdf 32 % at 1e-3. */
static void a_pulse_is_followed_to_its_end(void **state) {
  (void)state;
  const pulse p = {"200*exp(-((time-1.005)/0.002)^2)", 0.70898154036220641};
  for (int k = 0; k < all_methods(); k++) {
    for (int power = 3; power <= 5; power++) {
      const double v = speed_after(&p, methods[k], pow(10.0, -power));
      print_message("%s 1e-%d: %.4f\n", methods[k], power, v / p.impulse);
      /* local errors of places are larger errors of speeds in short steps: 9 % by hht and bdf */
      CHECK_NEAR(v / p.impulse, 1.0, 0.12, "%s 1e-%d", methods[k], power);
    }
  }
}

static void the_shortest_pulse_that_is_promised(void **state) {
  (void)state;
  static const char *const laws[] = {"1e3*exp(-((time - %.17g)/%.17g)^2)",
                                     "1e6*(sin(2*time) - 2*sin(time)*cos(time)) + "
                                     "1e3*exp(-((time - %.17g)/%.17g)^2)"};
  const double width = 3.0 / 4000.0, b = width / (2 * sqrt(log(50.0)));
  uint64_t seed = 7;
  for (int i = 0; i < 12; i++) {
    char law[200];
    const double at = 1.5 + 1.3 * kit_random(&seed);
    snprintf(law, sizeof law, laws[i % 2], at, b);
    const pulse p = {law, 1772.4538509055159 * b};
    const char *const by[] = {"hht", "radau", "bdf"};
    const double v = speed_after(&p, by[i % 3], 1e-9);
    CHECK_NEAR(v, p.impulse, 0.05 * p.impulse, "%s by %s", law, by[i % 3]);
  }
}

/* A step after a long rest, whose points bdf does not believe: without that 2 and 8 % are missing.
 * What is left, .33 and .14 %, are errors of the speed that positions do not show. */
static void bdf_begins_anew_at_a_pulse(void **state) {
  (void)state;
  static const int number[] = {0, 2};
  for (int i = 0; i < 2; i++) {
    const pulse *p = &pulses[number[i]];
    CHECK_NEAR(speed_after(p, "bdf", 1e-6), p->impulse, 0.01 * p->impulse, "%s", p->law);
  }
}

/* A variable is a name for its expression: steps end at the same marks. */
static void pulses_of_variables_have_marks(void **state) {
  (void)state;
  static const char *const laws[][2] = {
    {"", "50*STEP(time - 1.3, 0, 0, 0.01, 1) - 50*STEP(time, 1.31, 0, 1.32 + 0*time, 1)"},
    {"  variables: {tau: time - 1.3, end: 1.32 + 0*time, now: tau + 1.3}\n",
     "50*STEP(tau, 0, 0, 0.01, 1) - 50*STEP(time, 1.31, 0, end, 1)"}};
  for (int k = 0; k < all_methods(); k++) {
    double x[2];
    long steps[2];
    for (int i = 0; i < 2; i++) {
      char text[500];
      trm_error err;
      snprintf(text, sizeof text, "trammel: 1\nequations:\n  coordinates: {x: 0}\n"
               "  mass: {x: 1}\n%s  forces: {x: \"%s\"}\nsimulate: {end: 3}\n",
               laws[i][0], laws[i][1]);
      typed m = typed_text(text, "pulse", NULL);
      trm_sim *sim = typed_sim(&m, methods[k], 1e-5);
      CHECK_OK(trm_sim_run(sim, &err), err);
      x[i] = trm_sim_state(sim)->q[0];
      steps[i] = trm_sim_counters(sim)->steps;
      trm_sim_free(sim);
      typed_close(&m);
    }
    assert_int_equal(steps[0], steps[1]);
    CHECK_NEAR(x[0], x[1], 1e-12, "%s", methods[k]); /* sums in another order */
  }
}

/* Events of pulses happen, although nothing moves. */
static void events_of_pulses_happen(void **state) {
  (void)state;
  static const char *const when[] = {
    "exp(-((time - 1)/0.01)^2) > 0.5",
    "STEP(time, 1, 0, 1.02, 1) - STEP(time, 1.02, 0, 1.04, 1) > 0.5"};
  for (int k = 0; k < 2 * all_methods(); k++) {
    char text[400];
    trm_error err;
    snprintf(text, sizeof text,
             "trammel: 1\nequations:\n  coordinates: {x: 0}\n  mass: {x: 1}\n  discrete: {n: 0}\n"
             "  events: {now: {when: \"%s\", set: {n: n + 1}}}\nsimulate: {end: 3}\n", when[k % 2]);
    typed m = typed_text(text, "pulse", NULL);
    trm_sim *sim = typed_sim(&m, methods[k / 2], 1e-6);
    CHECK_OK(trm_sim_run(sim, &err), err);
    CHECK_NEAR(trm_sim_state(sim)->z[0], 1.0, 0.0, "%s: %s", methods[k / 2], when[k % 2]);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* Both run to their end, the second from a checkpoint of the first: same bits. */
static void resume(trm_sim *whole, trm_sim *part) {
  trm_error err;
  const size_t size = trm_sim_save_size(whole);
  void *data = malloc(size);
  trm_sim_save(whole, data);
  CHECK_OK(trm_sim_load(part, data, size, &err), err);
  free(data);
  CHECK_OK(trm_sim_run(whole, &err), err);
  CHECK_OK(trm_sim_run(part, &err), err);
  assert_memory_equal(trm_sim_state(part)->q, trm_sim_state(whole)->q, sizeof(double));
  assert_memory_equal(trm_sim_state(part)->v, trm_sim_state(whole)->v, sizeof(double));
}

/* Wherever the run is saved, at the beginning of a pulse too. */
static void bdf_begins_anew_after_a_restart_as_well(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {x: 0}\n  kinetic: 0.5*x'^2\n  forces: {x: \""
      "STEP(time, 2, 0, 2.01, 1) - STEP(time, 2.01, 0, 2.02, 1)\"}\nsimulate: {end: 3}\n";
  typed m = typed_text(text, "pulse", NULL);
  m.options.checkpoint_steps = 1;
  bool begins = false;
  for (int steps = 1; steps <= 9; steps++) {
    trm_error err;
    trm_sim *whole = typed_sim(&m, "bdf", 1e-6), *part = typed_sim(&m, "bdf", 1e-6);
    bool done = false;
    for (int i = 0; i < steps; i++) CHECK_OK(trm_sim_step(whole, &done, &err), err);
    begins = begins || fabs(trm_sim_state(whole)->t - 2.0) < 1e-12;
    resume(whole, part);
    trm_sim_free(whole);
    trm_sim_free(part);
  }
  assert_true(begins);
  typed_close(&m);
}

/* A restart has the same steps: times of pulses are found anew from the same run. */
static void a_restart_meets_the_pulse_with_the_same_bits(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {x: 0}\n  kinetic: 0.5*x'^2\n"
      "  forces: {x: \"exp(-((time-2)/0.01)^2)\"}\nsimulate: {end: 3}\n";
  for (int k = 0; k < all_methods(); k++) {
    trm_error err;
    typed m = typed_text(text, "pulse", NULL);
    m.options.checkpoint_steps = 2;
    trm_sim *whole = typed_sim(&m, methods[k], 1e-6), *part = typed_sim(&m, methods[k], 1e-6);
    bool done = false;
    for (int i = 0; i < 4; i++) CHECK_OK(trm_sim_step(whole, &done, &err), err);
    resume(whole, part);
    assert_true(trm_sim_state(whole)->v[0] > 0.017);
    trm_sim_free(whole);
    trm_sim_free(part);
    typed_close(&m);
  }
}

/* The quarter car begins at rest on a flat road; its bump lifts it by more than 2 cm. */
static void the_quarter_car_meets_its_bump(void **state) {
  (void)state;
  const int n = all_methods();
  for (int k = 0; k < n; k++) {
    if (strcmp(methods[k], "explicit") == 0) continue; /* bushings are stiff */
    trm_error err;
    typed m = typed_model("quarter-car", NULL);
    trm_static_options options = trm_static_options_default();
    trm_static *rest = NULL;
    trm_sim *sim = NULL;
    CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
    m.options.integrator = methods[k];
    m.options.from = trm_static_state(rest);
    CHECK_OK(trm_sim_create(m.system, &m.options, &sim, &err), err);
    CHECK_OK(trm_sim_add_measure(sim, "lift", "max(lift)", &err), err);
    CHECK_OK(trm_sim_run(sim, &err), err);
    const double lift = trm_sim_measure(sim, 0);
    if (!(lift > 0.02)) fail_msg("%s: the bump lifts the car by %g m", methods[k], lift);
    trm_sim_free(sim);
    trm_static_free(rest);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_method_passes_over_a_pulse),
    cmocka_unit_test(a_pulse_is_followed_to_its_end),
    cmocka_unit_test(the_shortest_pulse_that_is_promised),
    cmocka_unit_test(bdf_begins_anew_at_a_pulse),
    cmocka_unit_test(pulses_of_variables_have_marks),
    cmocka_unit_test(events_of_pulses_happen),
    cmocka_unit_test(bdf_begins_anew_after_a_restart_as_well),
    cmocka_unit_test(a_restart_meets_the_pulse_with_the_same_bits),
    cmocka_unit_test(the_quarter_car_meets_its_bump),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
