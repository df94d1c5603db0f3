/* test_pulses.c - short smooth pulses on a body at rest: no step passes over one. */
#include "methods.h"
#include "verify/typed.h"

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
    cmocka_unit_test(the_quarter_car_meets_its_bump),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
