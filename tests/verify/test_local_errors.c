/* test_local_errors.c - what a run says of its own errors: their sum, and notes where a run goes on
 * without end or comes to nothing. */
#include "verify/typed.h"

/* Two oscillators, 1 and 7 rad/s, from rest: x = cos t, y = .3 cos 7 t. Errors of an undamped
 * vibration are neither spread nor forgotten. */
static const char oscillators[] =
    "trammel: 1\n"
    "equations:\n"
    "  coordinates: {x: 1, y: .3}\n"
    "  kinetic: .5*x'^2 + .5*y'^2\n"
    "  potential: .5*x^2 + 24.5*y^2\n"
    "simulate: {end: 20}\n";

static const char *const methods[] = {"hht", "alpha", "tdg", "radau", "explicit", "bdf"};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct outcome {
  double     off; /* at the end */
  trm_errors errors;
} outcome;

static outcome run_oscillators(const char *integrator, double tolerance, double step) {
  typed m = typed_text(oscillators, "oscillators", NULL);
  m.options.integrator = integrator;
  m.options.tolerance = tolerance;
  if (step > 0.0) m.options.steps[0] = step, m.options.nsteps = 1;
  trm_sim *sim = kit_sim(m.system, &m.options);
  kit_run(sim);
  const double *q = trm_sim_state(sim)->q;
  const outcome r = {.off = fmax(fabs(q[0] - cos(20.0)), fabs(q[1] - 0.3 * cos(140.0))),
                     .errors = trm_sim_counters(sim)->errors};
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

/* Methods of even order leave less than the sum, where errors of single steps cancel. */
static void errors_of_steps_add_up_to_that_of_the_run(void **state) {
  (void)state;
  for (int i = 0; i < METHODS; i++) {
    for (int k = 5; k <= 9; k += 2) {
      const outcome r = run_oscillators(methods[i], pow(10.0, -k), 0.0);
      print_message("%s at 1e-%d: off by %.2e, said %.2e\n", methods[i], k, r.off, r.errors.sum);
      assert_true(r.off <= 5 * r.errors.sum);
      assert_true(r.errors.list == TRM_V && r.errors.index == 1); /* the fast one */
    }
  }
}

static void fixed_steps_have_errors_too(void **state) {
  (void)state;
  for (int i = 0; i < METHODS; i++) {
    const outcome r = run_oscillators(methods[i], 1e-5, 0.005);
    print_message("%s, 5 ms: off by %.2e, said %.2e\n", methods[i], r.off, r.errors.sum);
    assert_true(r.off <= 5 * r.errors.sum);
  }
}

/* A push of 60 ms and free flight: errors of velocities in its few steps move the mass as long as
 * it flies. Those of bdf were not in the sum, which was 10 to 14 times too small. */
static void errors_of_velocities_count(void **state) {
  (void)state;
  for (int k = 4; k <= 6; k++) {
    typed m = typed_text("trammel: 1\n"
                         "equations:\n"
                         "  coordinates: {x: 0}\n"
                         "  kinetic: .5*x'^2\n"
                         "  forces: {x: '100*exp(-((time - .1)/.02)^2)'}\n"
                         "simulate: {end: .3}\n", "push", NULL);
    trm_sim *sim = typed_sim(&m, "bdf", pow(10.0, -k));
    kit_run(sim);
    const double off = fabs(trm_sim_state(sim)->q[0] - .4 * sqrt(acos(-1.0)));
    const double said = trm_sim_counters(sim)->errors.sum;
    print_message("bdf at 1e-%d: off by %.2e, said %.2e\n", k, off, said);
    assert_true(off <= 5 * said && off > said);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A run that is saved and goes on elsewhere says the same in the end. */
static void check_restart(const char *integrator) {
  trm_error err;
  typed m = typed_text(oscillators, "oscillators", NULL);
  m.options.integrator = integrator;
  trm_sim *whole = kit_sim(m.system, &m.options);
  CHECK_OK(trm_sim_advance(whole, 8.0, &err), err);
  trm_sim_prepare_save(whole);
  void *data = malloc(trm_sim_save_size(whole));
  assert_non_null(data);
  const size_t size = trm_sim_save_size(whole);
  trm_sim_save(whole, data);
  kit_run(whole);
  const trm_errors right = trm_sim_counters(whole)->errors;
  trm_sim_free(whole);
  trm_sim *rest = kit_sim(m.system, &m.options);
  CHECK_OK(trm_sim_load(rest, data, size, &err), err);
  kit_run(rest);
  assert_memory_equal(&right, &trm_sim_counters(rest)->errors, sizeof right);
  assert_true(right.sum > 0.0);
  trm_sim_free(rest);
  free(data);
  typed_close(&m);
}

static void sums_go_on_after_a_restart(void **state) {
  (void)state;
  for (int i = 0; i < METHODS; i++) check_restart(methods[i]);
}

/* ---- notes ---------------------------------------------------------------------------------- */

static kit_notes run_with_notes(const char *text, const char *integrator, double tolerance) {
  kit_notes n = {.text = ""};
  trm_error err;
  typed m = typed_text(text, integrator, NULL);
  m.options.integrator = integrator;
  m.options.tolerance = tolerance;
  trm_sim *sim = kit_sim(m.system, &m.options);
  const trm_sink sink = {.self = &n, .message = kit_note};
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  kit_run(sim);
  trm_sim_free(sim);
  typed_close(&m);
  return n;
}

static void a_picture_of_a_motion_is_called_one(void **state) {
  (void)state;
  const kit_notes loose = run_with_notes(oscillators, "hht", 1e-3);
  assert_non_null(strstr(loose.text, "local errors add up to about"));
  assert_non_null(strstr(loose.text, "'vy'"));
  const kit_notes tight = run_with_notes(oscillators, "hht", 1e-7);
  assert_string_equal(tight.text, "");
}

/* A force of 100 N that always pushes back, from 0.1 mm away: a thousand changes in 3 s. */
static void a_jump_that_ends_all_steps_is_named(void **state) {
  (void)state;
  const kit_notes n = run_with_notes(
      "trammel: 1\n"
      "equations:\n"
      "  coordinates: {x: 1e-4}\n"
      "  kinetic: .5*x'^2\n"
      "  forces: {x: 'if(x > 0, -100, 100)'}\n"
      "simulate: {end: 4}\n", "radau", 1e-6);
  assert_non_null(strstr(n.text, "condition in line 5"));
  assert_non_null(strstr(n.text, "has ended 1000 steps one after another"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_of_steps_add_up_to_that_of_the_run),
      cmocka_unit_test(fixed_steps_have_errors_too),
      cmocka_unit_test(errors_of_velocities_count),
      cmocka_unit_test(sums_go_on_after_a_restart),
      cmocka_unit_test(a_picture_of_a_motion_is_called_one),
      cmocka_unit_test(a_jump_that_ends_all_steps_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
