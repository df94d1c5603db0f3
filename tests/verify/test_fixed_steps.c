/* Fixed steps that are long for stiff parts or for Newton's method: runs that must come to their
 * end with results that the step allows. */
#include "verify/typed.h"

/* What a run left. */
typedef struct outcome {
  double energy_first, energy_last, energy_most;
  double outputs[3], most[3]; /* at the end; largest sizes */
} outcome;

typedef struct listener {
  int      noutputs, count;
  outcome *found;
} listener;

static trm_status keep(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  listener *l = self;
  const double energy = sample->kinetic + sample->potential;
  if (l->count++ == 0) l->found->energy_first = energy;
  l->found->energy_last = energy;
  l->found->energy_most = fmax(l->found->energy_most, energy);
  for (int i = 0; i < l->noutputs; i++) {
    l->found->outputs[i] = sample->outputs[i];
    l->found->most[i] = fmax(l->found->most[i], fabs(sample->outputs[i]));
  }
  return TRM_OK;
}

/* Run with fixed steps; 100 samples, or one at each step. end = 0: that of the model. */
static outcome run(const typed *m, const char *integrator, const char *formulation, double h,
                   double end) {
  trm_error err = {.message = ""};
  outcome found = {.energy_most = -INFINITY};
  listener l = {.noutputs = trm_system_count(m->system, TRM_OUTPUT), .found = &found};
  assert_true(l.noutputs <= 3);
  trm_options o = m->options;
  o.integrator = integrator;
  o.formulation = formulation;
  o.steps[0] = h;
  o.nsteps = 1;
  o.output_step = 0.0;
  if (end > 0.0) o.end = end;
  o.outputs = (int)fmin(100.0, round(o.end / h));
  trm_sim *sim = kit_sim(m->system, &o);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &l, .sample = keep}, &err), err);
  const trm_status status = trm_sim_run(sim, &err);
  if (status != TRM_OK) print_error("%s %s, h = %g: ", integrator, formulation, h);
  CHECK_OK(status, err);
  trm_sim_free(sim);
  return found;
}

/* ---- start of stiff parts ----------------------------------------------------------------- */

/* A vibration that the step is far from resolving, beside one that it resolves. */
static const char two_springs[] =
    "trammel: 1\n"
    "name: two springs\n"
    "equations:\n"
    "  coordinates: {x: {value: 1e-6, velocity: 1e-2}, y: {value: 1}}\n"
    "  kinetic: 0.5*(x'^2 + y'^2)\n"
    "  potential: 0.5e8*x^2 + 0.5*y^2\n"
    "outputs: {x: x, v: x', y: y}\n"
    "simulate: {end: 1}\n";

/* omega = 1e4, amplitude hypot(1e-6, 1e-2/omega) = 1.4e-6, h omega = 100. What a method of order 2
 * makes of it may be of the size of the amplitude in x and of that over h in v; the start value
 * acc + theta h jerk made 0.05 h^2 omega^2 = 500 times as much in x. */
static void unresolved_vibrations_are_not_enlarged_by_the_start(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "alpha"};
  static const char *const forms[] = {"si2", "index3", "cm"};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) {
      typed m = typed_text(two_springs, "two springs", NULL);
      const outcome found = run(&m, methods[i], forms[k], 1e-2, 1.0);
      const double amplitude = 1.42e-6;
      CHECK_BETWEEN(found.most[0], 0.0, 20 * amplitude, "%s %s: x", methods[i], forms[k]);
      CHECK_BETWEEN(found.most[1], 0.0, 0.02, "%s %s: v, from 0.01", methods[i], forms[k]);
      /* C h^2 t = 1e-5 */
      CHECK_NEAR(found.outputs[2], cos(1.0), 3e-5, "%s %s: the slow one", methods[i], forms[k]);
      typed_close(&m);
    }
  }
}

static void beams_start_with_long_steps(void **state) {
  (void)state;
  typed m = typed_model("spinning-beam", NULL);
  outcome found = run(&m, "hht", NULL, 5e-3, 20.0);
  CHECK_BETWEEN(found.most[1], 0.5, 0.65, "spin-up: largest lag, 0.575");
  CHECK_BETWEEN(fabs(found.outputs[1]), 0.0, 0.02, "spin-up: lag after it");
  typed_close(&m);

  m = typed_model("slider-crank-beam", NULL);
  found = run(&m, "hht", NULL, 1e-3, 0.0);
  CHECK_BETWEEN(found.most[2], 6e-4, 10e-4, "bow of the rod");
  typed_close(&m);

  m = typed_model("cantilever-tdg", NULL);
  /* ten steps for a period: off by 0.03, four times less with half of the step */
  found = run(&m, "hht", NULL, 5e-3, 0.0);
  CHECK_NEAR(found.most[1], 0.927, 0.03, "tip of the cantilever, hht");
  found = run(&m, "alpha", NULL, 5e-3, 0.0);
  CHECK_NEAR(found.most[1], 0.927, 0.03, "tip of the cantilever, alpha");
  typed_close(&m);
}

/* A condition whose branches are equal restarts the method at 10 s. The same state is found without
 * it, as well as a second-order method lets it: -0.15107. */
static void a_restart_of_a_beam_changes_nothing(void **state) {
  (void)state;
  static const char law[] = "omega/T*(time^2/2 + (T/(2*pi))^2*(cos(2*pi*time/T) - 1))";
  char text[300];
  snprintf(text, sizeof text, "if(time < 10, %s, %s)", law, law);
  const trm_setting branches[] = {{"motions.spin.position", text}, {NULL, NULL}};
  const trm_setting plain[] = {{"motions.spin.position", law}, {NULL, NULL}};
  typed m = typed_model("spinning-beam", branches), other = typed_model("spinning-beam", plain);
  static const char *const methods[] = {"hht", "alpha"};
  for (int i = 0; i < 2; i++) {
    const outcome with = run(&m, methods[i], NULL, 5e-3, 12.0);
    const outcome without = run(&other, methods[i], NULL, 5e-3, 12.0);
    CHECK_NEAR(with.outputs[1], -0.15107, 5e-4, "%s: with the condition", methods[i]);
    CHECK_NEAR(with.outputs[1], without.outputs[1], 5e-4, "%s: without it", methods[i]);
  }
  typed_close(&m);
  typed_close(&other);
}

/* ---- Newton ------------------------------------------------------------------------------- */

/* Four poses of the run are singular, where rounding makes corrections of 1e-9. */
static void corrections_that_rounding_explains_are_no_divergence(void **state) {
  (void)state;
  static const char *const forms[] = {"si2", "index2", "cm", "cs"};
  typed m = typed_model("four-bars", NULL);
  for (int k = 0; k < 4; k++) {
    const outcome found = run(&m, "hht", forms[k], 2e-3, 6.0);
    /* 1.3e-3 of 35 J that were exchanged, at second order */
    CHECK_NEAR(found.energy_last, 1.5, 0.01, "energy of the four-bars, %s", forms[k]);
  }
  typed_close(&m);
}

static void corrections_stagnate_where_rounding_lets_them(void **state) {
  (void)state;
  typed m = typed_model("cantilever-tdg", NULL);
  outcome found = run(&m, "radau", NULL, 1e-2, 0.0);
  CHECK_NEAR(found.most[1], 0.927, 0.01, "tip, radau");
  found = run(&m, "tdg", NULL, 2e-2, 0.0);
  CHECK_NEAR(found.most[1], 0.927, 0.01, "tip, tdg");
  typed_close(&m);
}

/* The load rises and falls without corners; the beam bends by a third of its length and moves by
 * several degrees in a step: corrections grow at first, or there is not a method for whole ones. */
static void newton_finds_its_way_through_long_steps_of_a_beam(void **state) {
  (void)state;
  static const char law[] = "[0, 'F*havsin(time, 0, 0, T, 1)*havsin(time, T, 1, 2*T, 0)', 0]";
  const trm_setting smooth[] = {{"forces.tip.force", law}, {NULL, NULL}};
  static const char *const methods[] = {"hht", "alpha", "tdg", "radau"};
  typed m = typed_model("cantilever-tdg", smooth);
  for (int i = 0; i < 4; i++) {
    for (double h = 2e-2; h < 5e-2; h *= 2) {
      const outcome found = run(&m, methods[i], NULL, h, 0.0);
      print_message("%s, h = %g: tip %.4f\n", methods[i], h, found.most[1]);
      CHECK_NEAR(found.most[1], 0.926, 0.02, "%s, h = %g: tip", methods[i], h);
    }
  }
  typed_close(&m);
}

/* Iterations that are not Newton's: of `projected`, and of `cm` without a part of the tangent. */
static void other_iterations_find_their_way_too(void **state) {
  (void)state;
  typed m = typed_model("slider-crank-beam", NULL);
  outcome found = run(&m, "alpha", "projected", 2e-3, 0.0);
  CHECK_BETWEEN(found.most[2], 6e-4, 10e-4, "bow of the rod");
  typed_close(&m);

  m = typed_model("double-pendulum-typed", NULL);
  found = run(&m, "alpha", "projected", 0.1, 0.0);
  const outcome si2 = run(&m, "alpha", "si2", 0.1, 0.0);
  CHECK_NEAR(found.energy_last, si2.energy_last, 1.0, "energy of the double pendulum");
  typed_close(&m);

  m = typed_model("chain-elements", NULL);
  const outcome cm = run(&m, "alpha", "cm", 0.03, 0.0);
  const outcome index2 = run(&m, "alpha", "index2", 0.03, 0.0);
  for (int i = 0; i < 3; i++) {
    /* what Newton leaves of 1e-8 grows in a whipping chain */
    CHECK_NEAR(cm.outputs[i], index2.outputs[i], 2e-3, "one root: tip of the chain, %d", i);
  }
  typed_close(&m);
}

/* [ALPHA] Fig. 3 has a path with h = 0.1, h omega = 3. The swing keeps -0.01 J of the 5 J, with rho
 * = 0.75 some of the vibration is left. Roots on which the pendulum passes its pivot have 600 J. */
static void the_largest_step_of_the_stiff_spring_is_possible(void **state) {
  (void)state;
  static const char *const forms[] = {"si2", "index3", "index2", "cs", "cm", "projected"};
  static const char *const radii[] = {"0", "0.25", "0.5", "0.75"};
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 4; i++) {
      typed m = typed_model("stiff-spring", NULL);
      m.options.has_rho = true;
      m.options.rho = atof(radii[i]);
      const outcome found = run(&m, "alpha", forms[k], 0.1, 0.0);
      CHECK_BETWEEN(found.energy_most, 0.0, 6.5, "%s, rho %s: energy", forms[k], radii[i]);
      const double left = i < 3 ? 0.06 : 0.3;
      CHECK_NEAR(found.energy_last, -0.01, left, "%s, rho %s: left", forms[k], radii[i]);
      CHECK_NEAR(found.outputs[0], 1.0, 0.03, "%s, rho %s: length", forms[k], radii[i]);
      typed_close(&m);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unresolved_vibrations_are_not_enlarged_by_the_start),
      cmocka_unit_test(beams_start_with_long_steps),
      cmocka_unit_test(a_restart_of_a_beam_changes_nothing),
      cmocka_unit_test(corrections_that_rounding_explains_are_no_divergence),
      cmocka_unit_test(corrections_stagnate_where_rounding_lets_them),
      cmocka_unit_test(newton_finds_its_way_through_long_steps_of_a_beam),
      cmocka_unit_test(other_iterations_find_their_way_too),
      cmocka_unit_test(the_largest_step_of_the_stiff_spring_is_possible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
