/* Vibrations much smaller than the motion and much larger than the tolerance: no method may lose
 * them by numerical damping. A mass on a stiff spring is let go where the spring is unstretched,
 * while other masses fall half a metre:
 *   x(t) = -A (1 - cos w t),  A = g/w^2,  w = sqrt(k/m) */
#include "verify/typed.h"
#include <math.h>
#include <stdio.h>

static const double g = 9.81, end = 0.3;

/* The model, with `others` masses that fall. */
static void write_model(char *text, size_t size, double w, int others) {
  size_t n = 0;
  n += (size_t)snprintf(text + n, size - n,
                        "trammel: 1\nequations:\n  coordinates:\n"
                        "    x: {value: 0, velocity: 0, kind: length, scale: 1}\n");
  for (int i = 1; i <= others; i++) {
    n += (size_t)snprintf(text + n, size - n,
                          "    y%d: {value: 0, velocity: 0, kind: length, scale: 1}\n", i);
  }
  n += (size_t)snprintf(text + n, size - n, "  kinetic: 0.5 kg*(x'^2");
  for (int i = 1; i <= others; i++) n += (size_t)snprintf(text + n, size - n, " + y%d'^2", i);
  n += (size_t)snprintf(text + n, size - n, ")\n  potential: 0.5*%.17g N/m*x^2 + 9.81 N*(x", w * w);
  for (int i = 1; i <= others; i++) n += (size_t)snprintf(text + n, size - n, " + y%d", i);
  n += (size_t)snprintf(text + n, size - n, ")\nsimulate: {end: %.17g}\n", end);
  assert_true(n < size);
}

/* Largest error of x over samples of a run, and its steps. */
static double error_of(const char *method, double w, int others, double tolerance, long *steps) {
  enum { SAMPLES = 60 };
  char text[6000];
  write_model(text, sizeof text, w, others);
  typed m = typed_text(text, "vibration", NULL);
  trm_options o = m.options;
  trm_error err = {.message = ""};
  o.integrator = method;
  o.tolerance = tolerance;
  trm_sim *sim = kit_sim(m.system, &o);
  double worst = 0.0;
  bool done = false;
  for (int k = 1; !done;) {
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    const double t1 = trm_sim_state(sim)->t;
    for (; k <= SAMPLES && k * end / SAMPLES <= t1; k++) {
      const trm_state *s = NULL;
      const double t = k * end / SAMPLES;
      CHECK_OK(trm_sim_interpolate(sim, t, &s, &err), err);
      worst = fmax(worst, fabs(s->q[0] + g / (w * w) * (1 - cos(w * t))));
    }
  }
  if (steps != NULL) *steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  typed_close(&m);
  return worst;
}

/* A = 1e-5: a hundred tolerances. A step may be off by two of them; over the 48 periods of the run
 * errors of phase add up, and samples have those of dense output: a third of A is enough to say
 * that the vibration is there. tdg damps it by and by, with 1e-8 in each of some hundred steps.
 * Without (6) of collocation_error.c radau is off by 0.6 A, tdg by all of it. */
static void small_vibrations_are_not_lost(void **state) {
  (void)state;
  const double w = 1000.0, A = g / (w * w);
  CHECK_NEAR(error_of("radau", w, 1, 1e-7, NULL), 0.0, A / 3, "radau, A = %g", A);
  CHECK_NEAR(error_of("radau", w, 1, 1e-9, NULL), 0.0, A / 30, "radau at 1e-9, A = %g", A);
  CHECK_NEAR(error_of("tdg", w, 40, 1e-8, NULL), 0.0, 0.7 * A, "tdg, A = %g", A);
}

/* A = 1e-9 is below the tolerance: 4800 periods are stepped over, and a tenth of the
 * tolerance has room for it. */
static void vibrations_below_the_tolerance_cost_nothing(void **state) {
  (void)state;
  const double w = 1e5, A = g / (w * w);
  const char *const methods[] = {"radau", "tdg"};
  for (int i = 0; i < 2; i++) {
    long steps = 0;
    CHECK_NEAR(error_of(methods[i], w, 1, 1e-7, &steps), 0.0, 1e-8, "%s, A = %g", methods[i], A);
    CHECK_NEAR((double)steps, 0.0, 100.0, "%s: steps", methods[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_vibrations_are_not_lost),
      cmocka_unit_test(vibrations_below_the_tolerance_cost_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
