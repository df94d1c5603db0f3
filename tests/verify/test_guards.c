/* Guarded expressions never leave their domain: at the corner, past it inside Newton and in the
 * gradient, and costs no accuracy. */
#include "methods.h"
#include "verify/typed.h"
#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 50 };

/* Positions and velocities of a run of one coordinate. */
typedef struct history {
  int    n;
  double x[SAMPLES + 8], v[SAMPLES + 8];
  trm_counters counters;
} history;

static trm_status record(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  history *h = self;
  if (h->n < SAMPLES + 8) {
    h->x[h->n] = sample->state->q[0];
    h->v[h->n++] = sample->state->v[0];
  }
  return TRM_OK;
}

static void run(const char *equations, const char *method, double tolerance, double end,
                history *out) {
  trm_error err;
  typed m = typed_text(equations, "guards", NULL);
  m.options.integrator = method, m.options.tolerance = tolerance;
  m.options.end = end, m.options.outputs = SAMPLES;
  trm_sim *sim = kit_sim(m.system, &m.options);
  *out = (history){0};
  const trm_sink sink = {.self = out, .sample = record};
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  const trm_status status = trm_sim_run(sim, &err);
  if (status != TRM_OK) fail_msg("%s at %g: %s\n%s", method, tolerance, err.message, equations);
  out->counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  typed_close(&m);
}

static void run_law(const char *force, double start, const char *method, double tolerance,
                    history *out) {
  char text[500];
  snprintf(text, sizeof text, "trammel: 1\nequations:\n  coordinates: {x: %.17g}\n  mass: {x: 1}\n"
           "  forces: {x: \"%s\"}\n", start, force);
  run(text, method, tolerance, 20.0, out);
}

static double distance(const history *a, const history *b) {
  double worst = 0.0;
  assert_int_equal(a->n, b->n);
  for (int i = 0; i < a->n; i++) {
    worst = fmax(worst, fmax(fabs(a->x[i] - b->x[i]), fabs(a->v[i] - b->v[i])));
  }
  return worst;
}

/* ---- six forms ---------------------------------------------------------------------------- */

static const struct form {
  const char *force;
  double      exponent; /* of the law -sign(x) |x|^exponent */
} forms[] = {
  {"-sign(x)*abs(x)^1.5", 1.5},
  {"max(-x,0)^1.5 - max(x,0)^1.5", 1.5},
  {"if(x<0, (-x)^1.5, -x^1.5)", 1.5},
  {"abs(min(x,0))^1.5 - abs(max(x,0))^1.5", 1.5},
  {"sqrt(max(-x,0)) - sqrt(max(x,0))", 0.5},
  {"-sign(x)*sqrt(abs(x))", 0.5},
};
enum { FORMS = sizeof forms / sizeof *forms, STARTS = 10 };

static double start_at(int k) {
  return 0.7 + 0.07 * k;
}

/* Mean error over some starts: that of a single run is a matter of luck. */
static double mean_error(const char *force, const char *method, double tolerance,
                         const history *reference, int starts) {
  double sum = 0.0;
  for (int k = 0; k < starts; k++) {
    history h;
    run_law(force, start_at(k), method, tolerance, &h);
    sum += log(distance(&h, &reference[k]));
  }
  return exp(sum / starts);
}

/* x comes back to its start after the period that the energy gives. */
static void check_reference(const struct form *form) {
  const double n = form->exponent, p = 1.0 / (n + 1.0), pi = 3.14159265358979323846;
  const double period = 4.0 * sqrt((n + 1.0) / 2.0 * pi) * tgamma(1.0 + p) / tgamma(0.5 + p);
  char text[300];
  history h;
  snprintf(text, sizeof text, "trammel: 1\nequations:\n  coordinates: {x: 1}\n  mass: {x: 1}\n"
           "  forces: {x: \"%s\"}\n", form->force);
  run(text, "explicit", 1e-13, period, &h);
  CHECK_NEAR(h.x[h.n - 1], 1.0, 1e-10, "%s: x after a period", form->force);
  CHECK_NEAR(h.v[h.n - 1], 0.0, 1e-8, "%s: velocity", form->force);
}

/* Error over that of a smooth law. Steps that lead to the edge of sqrt(x) and away from it have
 * errors of opposite sign. bdf, whose points reach across the edge, has them cancel where a step
 * passes it; at a guard, where a step ends, the first ones stay: 5 times as much. */
static double most_of(const char *method, int law) {
  return law == 1 && strcmp(method, "bdf") == 0 ? 8.0 : 3.0;
}

static void guards_cost_no_accuracy(void **state) {
  (void)state;
  static const double tolerances[] = {1e-4, 1e-6, 1e-8};
  static const char *const smooth[] = {"-x*(x^2 + 1e-8)^0.25", "-x*(x^2 + 1e-8)^(-0.25)"};
  static history exact[2][STARTS], exact_smooth[2][STARTS];
  const bool is_long = getenv("TRM_LONG") != NULL;
  for (int k = 0; k < STARTS; k++) {
    for (int law = 0; law < 2; law++) {
      run_law(forms[law == 0 ? 2 : 5].force, start_at(k), "explicit", 1e-13, &exact[law][k]);
      run_law(smooth[law], start_at(k), "explicit", 1e-13, &exact_smooth[law][k]);
    }
  }
  for (int i = 0; i < all_methods(); i++) {
    for (int t = 0; t < 3; t++) {
      const int starts = is_long || t < 2 ? STARTS : 5;
      double limit[2];
      for (int law = 0; law < 2; law++) {
        limit[law] = most_of(methods[i], law) * mean_error(smooth[law], methods[i], tolerances[t],
                                                           exact_smooth[law], starts);
      }
      for (int f = 0; f < FORMS; f++) {
        const int law = forms[f].exponent > 1.0 ? 0 : 1;
        /* forms 1 to 4 come down to one law: one of them is measured, all are run */
        const int count = is_long || f == 0 || f >= 4 ? starts : 1;
        const double error = mean_error(forms[f].force, methods[i], tolerances[t], exact[law],
                                        count);
        if (count == starts && error > limit[law]) {
          fail_msg("%s, %s at %g: error %.2e, with a smooth law %.2e", forms[f].force, methods[i],
                   tolerances[t], error, limit[law] / most_of(methods[i], law));
        }
        if (law == 0 && f > 0) assert_true(error < 20 * limit[0]);
      }
    }
  }
}

static void laws_with_a_continuous_slope_have_no_events(void **state) {
  (void)state;
  for (int f = 0; f < FORMS; f++) {
    history h;
    if (forms[f].exponent < 1.0) continue;
    check_reference(&forms[f]);
    run_law(forms[f].force, 1.0, "radau", 1e-6, &h);
    assert_int_equal(h.counters.events, 0);
  }
  check_reference(&forms[4]);
  check_reference(&forms[5]);
}

/* ---- relatives ---------------------------------------------------------------------------- */

/* A kink or a jump beside a function that has no value past it: by all methods, at the corner at
 * the start, too. */
static void nothing_leaves_its_domain(void **state) {
  (void)state;
  static const char *const laws[] = {
    "-x - if(x > 0, sqrt(x), 0)",                 /* the branch ends at the corner        */
    "-4*x + if(x > 0.1, 0.2 + sqrt(x - 0.1), -0.2)", /* and jumps                         */
    "-x - if(x > 0.3, (x - 0.3)^0.7, 0)",
    "-x - if(0.3 < x, sqrt(x^2 - 0.09), 0)",      /* its end is no multiple of the corner */
    "-x - if(x > 0 and x' > 0, sqrt(x*x'), 0)",
    "-x - if(x > 0.1, log(x/0.1), 0)",
    "-x + acos(max(min(x, 0.5), -0.5)/0.5)/2 - 0.7",
    "-x - acosh(max(1, 1 + x))/4",
    "-x + 0.01/max(abs(x), 0.02)",
    "-x*sqrt(max(1 - x'^2, 0)) - sqrt(max(x - 0.4, 0))",
    "-x - max(x, 0)^0.3",
    "-x - sqrt(min(abs(x), 0.5))*sign(x)",
  };
  static const double starts[] = {0.9, 0.0, 0.3, -0.5};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    for (int i = 0; i < all_methods(); i++) {
      for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
        history rough, fine;
        run_law(laws[k], starts[s], methods[i], 1e-6, &rough);
        run_law(laws[k], starts[s], "explicit", 1e-9, &fine);
        if (rough.n != fine.n) fail_msg("%s from %g: %s", laws[k], starts[s], methods[i]);
        CHECK_NEAR(distance(&rough, &fine), 0.0, 0.05, "%s from %g: %s", laws[k], starts[s],
                   methods[i]);
      }
    }
  }
}

/* What nobody guarded fails with its place: a condition that has nothing to do with it is none. */
static void what_is_not_guarded_fails(void **state) {
  (void)state;
  static const char *const laws[] = {"-1 - if(time < 9, sqrt(x), 0)",
                                     "-1 - sqrt(max(x, -0.5))",
                                     "-1 - if(x > -0.2, x^0.5, 0)"};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    char text[300];
    trm_error err = {.message = ""};
    snprintf(text, sizeof text, "trammel: 1\nequations:\n  coordinates: {x: 1}\n  mass: {x: 1}\n"
             "  forces: {x: \"%s\"}\n", laws[k]);
    typed m = typed_text(text, "faulty", NULL);
    m.options.integrator = "hht", m.options.end = 5.0;
    trm_sim *sim = kit_sim(m.system, &m.options);
    const trm_status status = trm_sim_run(sim, &err);
    assert_true(status != TRM_OK);
    if (strstr(err.message, "the root of -") == NULL) fail_msg("%s: %s", laws[k], err.message);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A motor with a guard against division by zero; near zero its torque is that of the law without
 * one, and so is the slip after 20 s. */
static void guarded_division(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nparameters: {ws: 15.7, sk: 0.1, Tk: 120}\nbodies:\n"
      "  crank: {mass: 30, inertia: [8, 8, 8], angular_velocity: [0, 15, 0]}\njoints:\n"
      "  main: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}\n"
      "equations:\n  variables:\n    slip: (ws - main.angle')/ws\n"
      "    Tm: \"2*Tk/(slip/sk + sk/max(abs(slip), 1e-6)*sign(slip))\"\n"
      "    good: \"2*Tk*slip*sk/(slip^2 + sk^2)\"\nforces:\n"
      "  motor: {type: joint, joint: main, value: %s}\n"
      "  load: {type: joint, joint: main, value: 60*sin(6*time)}\noutputs: {slip: slip}\n";
  static const double tolerances[] = {1e-4, 1e-5, 1e-6};
  double wanted = 0.0;
  for (int k = -1; k < all_methods() * 3; k++) {
    char model[1200];
    trm_error err;
    double slip = 0.0;
    snprintf(model, sizeof model, text, k < 0 ? "good" : "Tm");
    typed m = typed_text(model, "motor", NULL);
    m.options.integrator = k < 0 ? "explicit" : methods[k / 3], m.options.end = 20.0;
    m.options.tolerance = k < 0 ? 1e-11 : tolerances[k % 3];
    trm_sim *sim = kit_sim(m.system, &m.options);
    CHECK_OK(trm_sim_run(sim, &err), err);
    CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                               &(trm_values){.outputs = &slip}, &err), err);
    if (k < 0) wanted = slip;
    CHECK_NEAR(slip, wanted, k < 0 || k % 3 > 0 ? 1e-4 : 5e-4, "%s at %g", m.options.integrator,
               m.options.tolerance);
    trm_sim_free(sim);
    typed_close(&m);
  }
  CHECK_NEAR(wanted, -0.00735, 1e-5, "slip");
}

/* ---- corners of constraints --------------------------------------------------------------- */

/* A bead on a rail of hat functions that is level between its ends rests at a node of them: no
 * force holds it. Nodes that are not numbers of the machine are corners to rounding only. */
static void level_on_both_sides_is_level(void **state) {
  (void)state;
  static const struct { double pitch, at; } cases[] = {
    {1.0, 1.0}, {1.0, 1.000001}, {1.0, 0.999999}, {0.1, 0.3}, {0.1, 0.2}, {0.3, 0.6}, {0.7, 0.7},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (int i = 0; i < all_methods(); i++) {
      char text[1500];
      trm_error err;
      double force = NAN;
      int used = snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -10]\nbodies: {bead: "
                          "{type: point, mass: 1, at: [%.17g, 0, 5]}}\njoints:\n  rail: {type: "
                          "constraint, equals: \"bead.z - 5*(0", cases[k].at);
      for (int n = 0; n < 5; n++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         " + max(0, 1 - abs(bead.x/%.17g - %d))", cases[k].pitch, n);
      }
      snprintf(text + used, sizeof text - (size_t)used, ")\"}\n  y: {type: constraint, equals: "
               "bead.y}\nmotions: {hold: {of: bead.x, position: %.17g}}\n"
               "outputs: {F: hold.force}\n", cases[k].at);
      typed m = typed_text(text, "rail", NULL);
      m.options.integrator = methods[i], m.options.end = 0.1;
      trm_sim *sim = kit_sim(m.system, &m.options);
      CHECK_OK(trm_sim_run(sim, &err), err);
      CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                                 &(trm_values){.outputs = &force}, &err), err);
      CHECK_NEAR(force, 0.0, 1e-9, "%s, pitch %g at %g", methods[i], cases[k].pitch, cases[k].at);
      trm_sim_free(sim);
      typed_close(&m);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(guards_cost_no_accuracy),
    cmocka_unit_test(laws_with_a_continuous_slope_have_no_events),
    cmocka_unit_test(nothing_leaves_its_domain),
    cmocka_unit_test(what_is_not_guarded_fails),
    cmocka_unit_test(guarded_division),
    cmocka_unit_test(level_on_both_sides_is_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
