/* Typed models against each other and against closed forms: units, moving frames, masses off the
 * diagonal, kinks, balance of energy, and what cannot be computed. */
#include "verify/typed.h"

/* End of a run by explicit. */
static void run_to(const char *text, const trm_setting *settings, double end, point *out) {
  typed m = typed_text(text, "test", settings);
  trm_options o = trm_options_default();
  o.integrator = "explicit";
  o.tolerance = 1e-12;
  o.end = end;
  trm_sim *sim = kit_sim(m.system, &o);
  kit_run(sim);
  point_clear(out);
  trmi_state_copy(m.system, trm_sim_state(sim), &out->s);
  trm_sim_free(sim);
  typed_close(&m);
}

/* --- units ------------------------------------------------------------------------ */

/* All numbers have units: the motion is the same in every set. */
#define SPRING(units, weight)                                                   \
  "trammel: 1\n"                                                                \
  "units: " units "\n"                                                          \
  "parameters: {m: 2 kg, k: 300 N/m, c: 4 N*s/m, " weight "}\n"                 \
  "equations:\n"                                                                \
  "  coordinates: {x: {value: 5 cm, velocity: 0.3 m/s}, y: {value: -1 in}}\n"   \
  "  kinetic: 0.5*m*(x'^2 + y'^2) + 0.3 kg*x'*y'\n"                             \
  "  potential: 0.5*k*(x^2 + y^2) + W*x\n"                                      \
  "  forces: {x: -c*x', y: -c*y'}\n"
#define NEWTON "W: 19.62 N"

static void motion_does_not_depend_on_units(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double      length, time; /* in SI */
  } sets[] = {{SPRING("SI", NEWTON), 1.0, 1.0},
              {SPRING("N-kg-ms-mm", NEWTON), 1e-3, 1e-3},
              {SPRING("lbf-lbm-in-s", NEWTON), 0.0254, 1.0},
              {SPRING("mm-t-s-N", NEWTON), 1e-3, 1.0},
              {SPRING("{length: cm, time: ms, mass: g, force: kN}", NEWTON), 1e-2, 1e-3}};
  point first, other;
  run_to(sets[0].text, NULL, 1.0, &first);
  for (size_t i = 1; i < sizeof sets / sizeof *sets; i++) {
    run_to(sets[i].text, NULL, 1.0 / sets[i].time, &other);
    for (int k = 0; k < 2; k++) {
      /* tolerances of 1e-12 of other scales */
      CHECK_NEAR(other.s.q[k] * sets[i].length, first.s.q[k], 1e-10, "set %zu, q%d", i, k);
      CHECK_NEAR(other.s.v[k] * sets[i].length / sets[i].time, first.s.v[k], 1e-9, "set %zu, v%d",
                 i, k);
    }
  }
}

/* A weight by its mass lacks the factor between kg mm/ms^2 and N: refused, where it matters. */
static void a_mass_among_forces_is_refused_where_units_do_not_fit(void **state) {
  (void)state;
  static const struct {
    const char *text;
    trm_status  status;
  } cases[] = {{SPRING("N-kg-ms-mm", "g: 9.81 m/s^2, W: m*g"), TRM_ERR_INPUT},
               {SPRING("lbf-lbm-in-s", "g: 9.81 m/s^2, W: m*g"), TRM_ERR_INPUT},
               {SPRING("mm-t-s-N", "g: 9.81 m/s^2, W: m*g"), TRM_OK},
               {SPRING("SI", "g: 9.81 m/s^2, W: m*g"), TRM_OK}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    trm_error err = {.message = ""};
    trm_model *model = NULL;
    CHECK_STATUS(trm_model_read_text(cases[i].text, "w", NULL, 0, NULL, &model, &err),
                 cases[i].status);
    if (cases[i].status != TRM_OK) {
      const trm_complaint c = trm_model_complaint_at(model, 0);
      assert_int_equal(c.line, 7);
      assert_non_null(strstr(c.sentence, "'W' has a mass in its unit"));
    }
    trm_model_free(model);
  }
}

/* --- mechanics ---------------------------------------------------------------------- */

static const char pumped_angle[] =
    "trammel: 1\n"
    "parameters: {a: 0.05, w: 8}\n"
    "equations:\n"
    "  coordinates: {phi: 0.5}\n"
    "  kinetic: 0.5*(phi'*cos(phi))^2 + 0.5*(phi'*sin(phi) + a*w*cos(w*time))^2\n"
    "  potential: -9.81*(cos(phi) - a*sin(w*time))\n";
static const char pumped_rod[] =
    "trammel: 1\n"
    "parameters: {a: 0.05, w: 8}\n"
    "equations:\n"
    "  coordinates: {x: {value: sin(0.5)}, y: {value: -cos(0.5), velocity: a*w}}\n"
    "  mass: {x: 1, y: 1}\n"
    "  potential: 9.81*y\n"
    "  constraints: {rod: x^2 + (y - a*sin(w*time))^2 - 1}\n";

/* A pivot that moves: in the kinetic energy (with terms linear in the rate, and without), or in
 * a constraint. */
static void a_moving_pivot_is_the_same_in_energy_and_constraint(void **state) {
  (void)state;
  point angle, rod;
  run_to(pumped_angle, NULL, 5.0, &angle);
  run_to(pumped_rod, NULL, 5.0, &rod);
  const double phi = atan2(rod.s.q[0], 0.05 * sin(40.0) - rod.s.q[1]);
  print_message("moving pivot: off by %.1e\n", angle.s.q[0] - phi);
  CHECK_NEAR(angle.s.q[0], phi, 1e-9, "angle after 5 s"); /* tolerance 1e-12, some hundred steps */
}

static const char by_kinetic[] =
    "trammel: 1\n"
    "equations:\n"
    "  coordinates: {a: {value: 0.4, velocity: 1}, b: {value: -0.3, velocity: -0.5}}\n"
    "  kinetic: 0.5*(2 + cos(b))*a'^2 + 0.6*a'*b' + 0.5*b'^2\n"
    "  potential: -3*cos(a) - cos(a + b)\n";
/* Q_a = sin(b) a' b', Q_b = -sin(b) a'^2/2 by hand */
static const char by_mass[] =
    "trammel: 1\n"
    "equations:\n"
    "  coordinates: {a: {value: 0.4, velocity: 1}, b: {value: -0.3, velocity: -0.5}}\n"
    "  mass: {a: 2 + cos(b), \"b, a\": 0.6, b: 1}\n"
    "  forces: {a: sin(b)*a'*b', b: -0.5*sin(b)*a'^2}\n"
    "  potential: -3*cos(a) - cos(a + b)\n";

static void masses_and_forces_by_hand_move_as_the_kinetic_energy(void **state) {
  (void)state;
  point one, two;
  run_to(by_kinetic, NULL, 3.0, &one);
  run_to(by_mass, NULL, 3.0, &two);
  for (int i = 0; i < 2; i++) CHECK_NEAR(one.s.q[i], two.s.q[i], 1e-10, "q%d after 3 s", i);
}

/* V = |x| from x = 1: parabolas, a quarter of the period is sqrt 2. */
static void a_kink_of_the_potential_is_an_event(void **state) {
  (void)state;
  static const char text[] = "trammel: 1\nequations: {coordinates: {x: 1}, mass: {x: 1}, "
                             "potential: abs(x)}\n";
  point end;
  run_to(text, NULL, 10.0, &end);
  const double quarter = sqrt(2.0), left = 10.0 - 4.0 * quarter; /* in the second period */
  const double fall = left - 2.0 * quarter;                     /* from x = -1 upward   */
  CHECK_NEAR(end.s.q[0], fall < quarter ? -1.0 + 0.5 * fall * fall
                                        : 1.0 - 0.5 * pow(2.0 * quarter - fall, 2.0),
             1e-11, "x after 10 s");
}

/* A function of time needs no unit, a coordinate with a unit may be compared with time. */
static void time_fits_everywhere(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {x: 0 mm, a: 0 deg}\n  mass: {x: 1, a: 1}\n"
      "  forces: {x: sin(time) + exp(-time)}\n  constraints: {drive: a - time}\n";
  point end;
  run_to(text, NULL, 2.0, &end);
  CHECK_NEAR(end.s.q[0], 2.0 - sin(2.0) + 1.0 * 2.0 - 1.0 + exp(-2.0), 1e-10, "x");
  CHECK_NEAR(end.s.q[1], 2.0, 1e-12, "a");
}

/* The variable is rounding where it passes zero, beside a multiplier of 12. */
static void a_variable_may_pass_zero(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {x: 1, y: 0}\n  mass: {x: 1, y: 1}\n"
      "  potential: 9.81*y\n  constraints: {rod: sqrt(x^2 + y^2) - 1}\n"
      "  variables: {pull: \"2*max(rod - 12, 0) - pull\"}\n";
  point end;
  run_to(text, NULL, 2.0, &end);
  const double lam = -3.0 * 9.81 * end.s.q[1]; /* of a pendulum that begins at y = 0 */
  CHECK_NEAR(end.s.lam[0], lam, 1e-9, "force in the rod");
  CHECK_NEAR(end.s.w[0], fmax(lam - 12.0, 0.0), 1e-9, "variable");
}

/* --- energy --------------------------------------------------------------------------- */

/* Work by Simpson's rule over the samples. */
typedef struct work {
  int    n;
  double first, last, power, sum;
} work;

static trm_status add_work(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  work *w = self;
  const double weight = w->n == 0 ? 1.0 : w->n % 2 == 1 ? 4.0 : 2.0;
  w->power = sample->power;
  w->last = sample->kinetic + sample->potential;
  if (w->n++ == 0) w->first = w->last;
  w->sum += weight * sample->power;
  return TRM_OK;
}

static void check_balance(typed *m, double end) {
  enum { INTERVALS = 4000 };
  trm_error err;
  trm_options o = trm_options_default();
  work w = {0};
  o.integrator = "explicit";
  o.tolerance = 1e-11;
  o.end = end;
  o.outputs = INTERVALS;
  trm_sim *sim = kit_sim(m->system, &o);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &w, .sample = add_work}, &err), err);
  kit_run(sim);
  assert_int_equal(w.n, INTERVALS + 1);
  const double done = (w.sum - w.power) * end / INTERVALS / 3.0;
  print_message("%s: energy changes by %.9g, work %.9g\n", trm_model_name(m->model),
                w.last - w.first, done);
  /* Simpson's rule on fast parts of 4 kHz, and the tolerance */
  CHECK_NEAR(w.last - w.first, done, 1e-7 * (fabs(w.first) + fabs(w.last)), "balance of energy");
  trm_sim_free(sim);
  typed_close(m);
}

static void work_done_is_the_change_of_energy(void **state) {
  (void)state;
  static const struct {
    const char *model;
    trm_setting settings[3];
    double      end;
  } cases[] = {{"slider-crank-typed", {{"damping", "1"}}, 0.05}, /* drive and dampers */
               {"servo-typed", {{0}}, 2.0},                      /* controller        */
               {"bushing-pendulum", {{0}}, 0.5},                 /* by variables      */
               {"rolling-disc-typed", {{0}}, 2.0}};              /* none              */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    typed m = typed_model(cases[i].model, cases[i].settings);
    check_balance(&m, cases[i].end);
  }
  typed m = typed_text(pumped_rod, "pumped-rod", NULL); /* a constraint that moves */
  check_balance(&m, 3.0);
}

/* --- what cannot be computed -------------------------------------------------------------- */

/* Dry friction brings the mass to rest; there is no motion after that in this sense. */
static void a_motion_that_would_slide_along_a_jump_is_named(void **state) {
  (void)state;
  static const char text[] = "trammel: 1\nequations:\n  coordinates: {x: {velocity: 1}}\n"
                             "  mass: {x: 1}\n  forces: {x: -3*sign(x')}\n";
  trm_error err = {.message = ""};
  typed m = typed_text(text, "friction", NULL);
  trm_options o = trm_options_default();
  o.end = 1.0;
  trm_sim *sim = kit_sim(m.system, &o);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_STEP);
  CHECK_NEAR(err.t, 1.0 / 3.0, 0.02, "where it comes to rest");
  assert_non_null(strstr(err.message, "slide along it"));
  trm_sim_free(sim);
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motion_does_not_depend_on_units),
      cmocka_unit_test(a_mass_among_forces_is_refused_where_units_do_not_fit),
      cmocka_unit_test(a_moving_pivot_is_the_same_in_energy_and_constraint),
      cmocka_unit_test(masses_and_forces_by_hand_move_as_the_kinetic_energy),
      cmocka_unit_test(a_kink_of_the_potential_is_an_event),
      cmocka_unit_test(time_fits_everywhere),
      cmocka_unit_test(a_variable_may_pass_zero),
      cmocka_unit_test(work_done_is_the_change_of_energy),
      cmocka_unit_test(a_motion_that_would_slide_along_a_jump_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
