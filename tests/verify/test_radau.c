/* radau, Radau IIA with three, five and seven stages: orders, formulations, the slider crank
 * against `explicit`, event times, stiffness. */
#include "fault/bob.h"
#include "runs.h"

static trm_options options_radau(double end, double h, int order_wanted, const char *formulation) {
  trm_options o = options_steps(end, h, 0.0);
  o.integrator = "radau";
  o.formulation = formulation;
  o.max_order = order_wanted;
  return o;
}

static const model pendulum = {"pendulum", {{0}}}, top = {"heavy-top", {{0}}},
                   disc = {"rolling-disc", {{0}}}, servo = {"servo", {{0}}},
                   angles = {"double-pendulum", {{"coordinates", "angles"}}};
enum { ALL = SET_Q | SET_V | SET_VD | SET_LAM };

static void all_formulations_have_order_five(void **state) {
  (void)state;
  static const char *const forms[] = {"index3", "index2", "index1"};
  for (int f = 0; f < 3; f++) {
    char what[64];
    const trm_options slow = options_radau(2.0, 0.04, 5, forms[f]);
    const trm_options fast = options_radau(1.0, 0.02, 5, forms[f]);
    snprintf(what, sizeof what, "pendulum %s", forms[f]);
    check_halving(what, &pendulum, &slow, 3, ALL, 4.8, 5.3);
    snprintf(what, sizeof what, "angles %s", forms[f]);
    check_halving(what, &angles, &fast, 3, ALL, 4.8, 5.3);
  }
}

/* Rows of index 1 in the matrix have the derivatives of their biases: 6.9 iterations a step, 8.0
 * without. */
static void index1_knows_how_its_rows_depend_on_velocities(void **state) {
  (void)state;
  const trm_options o = options_radau(0.3, 1.5e-3, 5, "index1");
  history h = run(&top, &o, KEEP_LAST);
  const double iterations = (double)h.counters.newton_iterations / (double)h.counters.steps;
  print_message("heavy-top index1: %.2f iterations a step\n", iterations);
  CHECK_BETWEEN(iterations, 1.0, 7.4, "iterations a step");
  history_free(&h);
}

/* Rates and multipliers of the top are known to 1e-11 and 1e-9 only: one halving. */
static void order_five_holds_with_rotations_rolling_and_control(void **state) {
  (void)state;
  const trm_options fast = options_radau(0.3, 1.5e-3, 5, NULL);
  const trm_options slow = options_radau(1.0, 0.04, 5, NULL);
  const trm_options control = options_radau(0.5, 0.05, 5, NULL);
  check_halving("heavy-top", &top, &fast, 2, SET_Q | SET_V | SET_LAM, 4.8, 5.3);
  check_halving("rolling-disc", &disc, &slow, 3, SET_Q | SET_V | SET_LAM | SET_MU, 4.8, 5.3);
  check_halving("servo", &servo, &control, 3, SET_Q | SET_V | SET_LAM | SET_X | SET_W, 4.8, 5.3);
}

/* Steps of a tenth of a swing; next terms are of the size of h^2. */
static void seven_stages_beat_five_and_both_have_their_order(void **state) {
  (void)state;
  const trm_options nine = options_radau(2.0, 0.2, 9, NULL);
  const trm_options thirteen = options_radau(2.0, 0.25, 13, NULL);
  check_halving("order 9", &pendulum, &nine, 2, ALL, 8.5, 10.0);
  check_halving("order 13", &pendulum, &thirteen, 2, ALL, 11.5, 14.5);
}

static void alternating_steps_keep_the_order(void **state) {
  (void)state;
  trm_options o = options_radau(2.0, 0.02, 5, NULL);
  o.steps[1] = 0.06, o.nsteps = 2;
  check_halving("pendulum, steps 1:3", &pendulum, &o, 3, ALL, 4.7, 5.3);
}

/* Digits of positions and multipliers at the end, as in the IVP test set. */
static double digits(const trm_state *s, const trm_state *r) {
  double worst = 0.0;
  for (int i = 0; i < 7; i++) worst = fmax(worst, fabs(s->q[i] - r->q[i]) / fabs(r->q[i]));
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(s->lam[i] - r->lam[i]) / fabs(r->lam[i]));
  return -log10(worst);
}

static void all_slider_cranks_agree_with_explicit_to_eight_digits(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    const model crank = {"slider-crank", {{"nonlinear", k & 1 ? "1" : "0"},
                                          {"damping", k & 2 ? "1" : "0"},
                                          {"start", k & 4 ? "rigid" : "smooth"}}};
    trm_options o = options_until(0.1);
    o.integrator = "radau";
    o.tolerance = 1e-14;
    const trm_options best = options_explicit(0.1, 1e-13);
    history h = run(&crank, &o, KEEP_LAST), reference = run(&crank, &best, KEEP_LAST);
    const trm_state s = history_last(&h), r = history_last(&reference);
    const double scd = digits(&s, &r);
    print_message("slider crank %d: scd %.2f, %ld steps\n", k, scd, h.counters.steps);
    CHECK_BETWEEN(scd, 8.0, 20.0, "variant %d", k);
    history_free(&h);
    history_free(&reference);
  }
}

/* The error follows the tolerance, and the constraint holds to rounding. */
static void the_error_follows_the_tolerance(void **state) {
  (void)state;
  const model *const models[] = {&pendulum, &top, &disc, &servo};
  const double ends[] = {10.0, 0.3, 2.0, 1.0};
  for (int m = 0; m < 4; m++) {
    for (double tolerance = 1e-4; tolerance > 0.5e-10; tolerance *= 1e-2) {
      trm_options o = options_until(ends[m]);
      o.integrator = "radau";
      o.tolerance = tolerance;
      history h = run(models[m], &o, KEEP_LAST);
      errors e;
      compare(models[m], ends[m], &h, 1, &e);
      print_message("%s at %g: q off by %.2g, %ld steps, %ld rejected\n", models[m]->problem,
                    tolerance, e.largest[OF_Q], h.counters.steps,
                    h.counters.rejected_error + h.counters.rejected_newton);
      /* some ten to hundred steps, whose errors grow along the motion */
      CHECK_BETWEEN(e.largest[OF_Q], 0.0, 300 * tolerance, "%s at %g", models[m]->problem,
                    tolerance);
      history_free(&h);
    }
  }
}

/* Two equal rods: the border shares the tension out, the motion is that on one. */
static void redundant_rods_share_the_tension(void **state) {
  (void)state;
  static const struct {
    const char *integrator, *formulation;
  } methods[] = {{"tdg", "multicorrector"}, {"tdg", "newton"}, {"radau", "index3"},
                 {"radau", "index2"}, {"radau", "index1"}};
  for (int k = 0; k < 10; k++) {
    double x[2] = {0.0}, tension[2] = {0.0};
    for (int rods = 1; rods <= 2; rods++) {
      bob self = bob_on(rods);
      trm_options o = k < 5 ? options_until(1.0) : options_steps(1.0, 0.01, 0.0);
      o.integrator = methods[k % 5].integrator;
      o.formulation = methods[k % 5].formulation;
      o.tolerance = 1e-8;
      trm_system *sys = kit_system(&bob_ops, &self);
      trm_sim *sim = kit_sim(sys, &o);
      kit_run(sim);
      const trm_state *s = trm_sim_state(sim);
      x[rods - 1] = s->q[0];
      tension[rods - 1] = s->lam[0] + (rods == 2 ? s->lam[1] : 0.0);
      /* G by differences has rounding of 1e-16, over the border of 1e-12 */
      if (rods == 2) CHECK_NEAR(s->lam[0], s->lam[1], 1e-2, "%s: tensions", o.formulation);
      trm_sim_free(sim);
      trm_system_free(sys);
    }
    /* Newton's rest, at most a part of the tolerance in each step */
    CHECK_NEAR(x[0], x[1], 1e-7, "%s %s: position", methods[k % 5].integrator,
               methods[k % 5].formulation);
    CHECK_NEAR(tension[0], tension[1], 1e-5, "%s %s: tension", methods[k % 5].integrator,
               methods[k % 5].formulation);
  }
}

/* ---- dense output --------------------------------------------------------------------- */

/* Samples between the steps against `explicit` at the same times. */
static void dense_output_is_as_good_as_the_steps(void **state) {
  (void)state;
  const model *const models[] = {&pendulum, &disc, &servo};
  for (int m = 0; m < 3; m++) {
    trm_options o = options_until(1.0);
    o.integrator = "radau";
    o.tolerance = 1e-11;
    o.output_step = 1.0 / 97;
    history h = run(models[m], &o, KEEP_SAMPLES);
    errors e;
    compare(models[m], 1.0, &h, 1, &e);
    print_message("%s: samples off by %.2g in q, %.2g in v (%ld steps)\n", models[m]->problem,
                  e.largest[OF_Q], e.largest[OF_V], h.counters.steps);
    /* the polynomial has order s + 3 in q and s + 2 in v */
    CHECK_BETWEEN(e.largest[OF_Q], 0.0, 1e-7, "%s: positions", models[m]->problem);
    CHECK_BETWEEN(e.largest[OF_V], 0.0, 1e-5, "%s: velocities", models[m]->problem);
    history_free(&h);
  }
}

/* An oscillator x'' + x = 0 that says when it passes zero. */
static void swing_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 1, .nevents = 1};
}

static trm_status swing_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[0] = 1.0;
  return TRM_OK;
}

static trm_status swing_values(void *self, const trm_state *s, const trm_values *out,
                               trm_error *err) {
  (void)self, (void)err;
  if (out->motion != NULL) out->motion[0] = s->vd[0] + s->q[0];
  if (out->events != NULL) out->events[0] = s->q[0];
  return TRM_OK;
}

static void event_times_are_exact_to_1e_10(void **state) {
  (void)state;
  static const trm_system_ops swing = {.name = "swing", .sizes = swing_sizes,
                                       .start = swing_start, .values = swing_values};
  trm_options o = options_until(10.0);
  o.integrator = "radau";
  o.tolerance = 1e-13;
  trm_system *sys = kit_system(&swing, NULL);
  trm_sim *sim = kit_sim(sys, &o);
  kit_record record = {0};
  kit_listen(sim, &record);
  kit_run(sim);
  assert_int_equal(record.nevents, 3);
  for (int i = 0; i < 3; i++) {
    const double exact = (i + 0.5) * acos(-1.0);
    print_message("zero %d at %.12f, off by %.2g\n", i, record.event_t[i],
                  record.event_t[i] - exact);
    CHECK_NEAR(record.event_t[i], exact, 1e-10, "zero %d", i);
  }
  trm_sim_free(sim);
  trm_system_free(sys);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_formulations_have_order_five),
      cmocka_unit_test(index1_knows_how_its_rows_depend_on_velocities),
      cmocka_unit_test(order_five_holds_with_rotations_rolling_and_control),
      cmocka_unit_test(seven_stages_beat_five_and_both_have_their_order),
      cmocka_unit_test(alternating_steps_keep_the_order),
      cmocka_unit_test(all_slider_cranks_agree_with_explicit_to_eight_digits),
      cmocka_unit_test(the_error_follows_the_tolerance),
      cmocka_unit_test(redundant_rods_share_the_tension),
      cmocka_unit_test(dense_output_is_as_good_as_the_steps),
      cmocka_unit_test(event_times_are_exact_to_1e_10),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
