/* oscillators: against the closed form, which the problem gives as outputs. No
 * reference run is needed. */
#include "runs.h"

enum { RUNS = 4, MODELS = 4 };
static const model models[MODELS] = {
    {"oscillators", {{0}}},
    {"oscillators", {{"masses", "1"}}},
    {"oscillators", {{"damping", "2"}}},  /* every mode oscillates       */
    {"oscillators", {{"damping", "30"}}}, /* the fast mode creeps        */
};

/* Largest distance of the first and the last mass from the closed form, at all steps. */
static double error_of(const model *m, const trm_options *o) {
  trm_error err;
  trm_system *system = model_create(m);
  history h = run(m, o, KEEP_STEPS);
  double exact[2] = {0.0, 0.0}, worst = 0.0;
  for (int i = 0; i < h.count; i++) {
    const trm_state s = history_state(&h, i);
    CHECK_OK(trm_system_values(system, &s, &(trm_values){.outputs = exact}, &err), err);
    enlarge(&worst, &s.q[0], &exact[0], 1);
    enlarge(&worst, &s.q[h.nq - 1], &exact[h.nq > 1 ? 1 : 0], 1);
  }
  history_free(&h);
  trm_system_free(system);
  return worst;
}

/* The fastest frequency is 20 rad/s: (h w)^2 < .01 is the size of the next terms. */
static void check_order_of(const model *m, const char *integrator, double h, double h2) {
  double last = 0.0;
  print_message("%s, %s=%s, steps %g %g:", integrator,
                m->settings[0].name != NULL ? m->settings[0].name : "default",
                m->settings[0].name != NULL ? m->settings[0].value : "", h, h2);
  for (int k = 0; k < RUNS; k++, h *= 0.5, h2 *= 0.5) {
    trm_options o = options_steps(5.0, h, h2);
    o.integrator = integrator;
    const double e = error_of(m, &o);
    print_message(k == 0 ? " %.3g" : " %.3g (%.2f)", e, order(last, e));
    if (k > 0) CHECK_BETWEEN(order(last, e), 1.9, 2.1, "order at step %g", h);
    last = e;
  }
  print_message("\n");
}

static void hht_and_alpha_are_second_order(void **state) {
  (void)state;
  for (int i = 0; i < MODELS; i++) {
    check_order_of(&models[i], "hht", 4e-3, 0.0);
    check_order_of(&models[i], "hht", 1e-3, 4e-3);
    check_order_of(&models[i], "alpha", 4e-3, 0.0);
  }
}

/* Local errors of 1e-13, over some 1000 steps that nothing damps. */
static void explicit_follows_the_closed_form(void **state) {
  (void)state;
  for (int i = 0; i < MODELS; i++) {
    const trm_options o = options_explicit(5.0, 1e-13);
    const double e = error_of(&models[i], &o);
    print_message("explicit, model %d: %.2g\n", i, e);
    CHECK_NEAR(e, 0.0, 1e-11, "model %d", i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hht_and_alpha_are_second_order),
      cmocka_unit_test(explicit_follows_the_closed_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
