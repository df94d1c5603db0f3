/* The order that `radau` chooses: it rises where that saves work, mechanisms that turn included,
 * errors follow the tolerance, and where it would not pay it stays. */
#include "runs.h"
#include "verify/watch.h"

/* Counted work: evaluations of the equations, factorizations as two of them, solves as half of
 * one; fits the times of the shipped models to a tenth. */
static double work_of(const trm_counters *c) {
  return (double)c->residuals + 2.0 * (double)c->factorizations + 0.5 * (double)c->solves;
}

static history run_radau(const model *m, double end, double tolerance, int max_order) {
  trm_options o = options_until(end);
  o.integrator = "radau";
  o.tolerance = tolerance;
  o.max_order = max_order;
  return run(m, &o, KEEP_LAST);
}

static const model pendulums = {"double-pendulum", {{0}}}, chain = {"chain", {{0}}},
                   disc = {"rolling-disc", {{0}}}, top = {"heavy-top", {{0}}};

/* Steps and work of all orders over those of order five. Measured are 0.20 and 0.46 for the
 * pendulums, 0.22 and 0.56 for the chain, 0.21 and 0.66 for the disc. */
static void higher_orders_save_steps_and_work(void **state) {
  (void)state;
  const model *const models[] = {&pendulums, &chain, &disc};
  const double most_work[] = {0.6, 0.7, 0.8};
  for (int k = 0; k < 3; k++) {
    history low = run_radau(models[k], 2.0, 1e-10, 5), all = run_radau(models[k], 2.0, 1e-10, 13);
    const double steps = (double)all.counters.steps / (double)low.counters.steps;
    const double work = work_of(&all.counters) / work_of(&low.counters);
    print_message("%s: steps %.2f, work %.2f of those of order 5\n", models[k]->problem, steps,
                  work);
    CHECK_BETWEEN(steps, 0.0, 0.4, "%s: steps", models[k]->problem);
    CHECK_BETWEEN(work, 0.0, most_work[k], "%s: work", models[k]->problem);
    history_free(&low);
    history_free(&all);
  }
}

/* Where longer steps would cost more iterations than they save, nothing is lost by looking: a
 * tenth is for a try that does not pay. */
static void where_it_does_not_pay_nothing_is_lost(void **state) {
  (void)state;
  const model *const models[] = {&pendulums, &chain, &disc, &top};
  const double ends[] = {2.0, 2.0, 2.0, 0.3};
  for (int k = 0; k < 4; k++) {
    for (double tolerance = 1e-4; tolerance > 0.5e-8; tolerance *= 1e-1) {
      history low = run_radau(models[k], ends[k], tolerance, 5);
      history all = run_radau(models[k], ends[k], tolerance, 13);
      const double work = work_of(&all.counters) / work_of(&low.counters);
      print_message("%s at %g: work %.2f of that of order 5, steps %ld of %ld\n",
                    models[k]->problem, tolerance, work, all.counters.steps, low.counters.steps);
      CHECK_BETWEEN(work, 0.0, 1.1, "%s at %g", models[k]->problem, tolerance);
      history_free(&low);
      history_free(&all);
    }
  }
}

/* The chain is chaotic: errors grow by some thousand in two seconds; one second is enough. */
static void errors_follow_the_tolerance_at_any_order(void **state) {
  (void)state;
  const model *const models[] = {&pendulums, &chain, &disc, &top};
  const double ends[] = {2.0, 1.0, 2.0, 0.3};
  for (int k = 0; k < 4; k++) {
    for (double tolerance = 1e-6; tolerance > 0.5e-11; tolerance *= 1e-1) {
      history h = run_radau(models[k], ends[k], tolerance, 13);
      errors e;
      compare(models[k], ends[k], &h, 1, &e);
      print_message("%s at %g: q off by %.2g, %ld steps\n", models[k]->problem, tolerance,
                    e.largest[OF_Q], h.counters.steps);
      /* some ten to hundred steps, whose errors grow along the motion */
      CHECK_BETWEEN(e.largest[OF_Q], 0.0, 300 * tolerance, "%s at %g", models[k]->problem,
                    tolerance);
      history_free(&h);
    }
  }
}

/* --- gyroscope ---------------------------------------------------------------------------- */

/* Steady precession: lean and azimuth are known. */
static void look_at_gyroscope(const trm_sample *sample, watch *w) {
  const double azimuth = 3.0 * sample->state->t;
  watch_note(w, 0, sample->outputs[0], acos(-1.0) / 3.0);
  watch_note(w, 1, remainder(sample->outputs[1] - azimuth, 2.0 * acos(-1.0)), 0.0);
}

typedef struct spin {
  trm_counters counters;
  double       off; /* the larger of lean and azimuth [rad] */
} spin;

static spin run_gyroscope(double tolerance, int max_order) {
  typed m = typed_model("gyroscope", NULL);
  m.options.integrator = "radau";
  m.options.tolerance = tolerance;
  m.options.max_order = max_order;
  trm_error err = {.message = ""};
  watch w = {.look = look_at_gyroscope};
  trm_sim *sim = kit_sim(m.system, &m.options);
  const trm_sink sink = {.self = &w, .sample = watch_sample};
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  kit_run(sim);
  const spin result = {*trm_sim_counters(sim), fmax(w.worst[0], w.worst[1])};
  trm_sim_free(sim);
  typed_close(&m);
  return result;
}

/* Newton contracts by 0.04 to 0.07 a pass there, because the spin turns the equations: by that
 * alone the order never rose. Measured at 1e-9, 1e-10, 1e-11, 1e-12: 0.26, 0.25, 0.20, 0.19 of the
 * steps of order five. */
static void a_fast_spin_does_not_hold_the_order_down(void **state) {
  (void)state;
  for (double tolerance = 1e-9; tolerance > 0.5e-12; tolerance *= 1e-1) {
    const spin low = run_gyroscope(tolerance, 5), all = run_gyroscope(tolerance, 13);
    const double steps = (double)all.counters.steps / (double)low.counters.steps;
    const double work = work_of(&all.counters) / work_of(&low.counters);
    print_message("gyroscope at %g: steps %.2f, work %.2f, off by %.1e, order 5 by %.1e\n",
                  tolerance, steps, work, all.off, low.off);
    CHECK_BETWEEN(steps, 0.0, 0.4, "steps at %g", tolerance);
    CHECK_BETWEEN(work, 0.0, 0.95, "work at %g", tolerance);
    /* a hundred steps, whose errors grow along the motion */
    CHECK_BETWEEN(all.off, 0.0, 300 * tolerance, "angles at %g", tolerance);
  }
}

/* --- states alone --------------------------------------------------------------------------- */

/* The equations are linear: the first correction is exact, and a second one shows it, which with
 * the rate of a step before is not always needed. */
static void states_alone_take_no_more_than_two_iterations(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nname: states\nequations:\n  states:\n"
      "    a: {value: 1, residual: \"a' - b\"}\n    b: {value: 0, residual: \"b' + a\"}\n"
      "simulate: {end: 10, tolerance: 1e-8}\n";
  typed m = typed_text(text, "states.yaml", NULL);
  m.options.integrator = "radau";
  trm_sim *sim = kit_sim(m.system, &m.options);
  kit_run(sim);
  const trm_counters *c = trm_sim_counters(sim);
  print_message("%ld iterations in %ld steps\n", c->newton_iterations, c->steps);
  CHECK_BETWEEN((double)c->newton_iterations / (double)c->steps, 1.0, 2.0, "iterations of a step");
  /* some ten steps, each with an error of the tolerance */
  CHECK_NEAR(trm_sim_state(sim)->x[0], cos(10.0), 1e-6, "a at the end");
  trm_sim_free(sim);
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(higher_orders_save_steps_and_work),
      cmocka_unit_test(where_it_does_not_pay_nothing_is_lost),
      cmocka_unit_test(errors_follow_the_tolerance_at_any_order),
      cmocka_unit_test(a_fast_spin_does_not_hold_the_order_down),
      cmocka_unit_test(states_alone_take_no_more_than_two_iterations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
