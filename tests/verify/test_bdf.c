/* bdf: orders 1 to 5 with equal and alternating steps, its forms, steps and errors under error
 * control, and its start with stiff motions. */
#include "runs.h"
#include "verify/typed.h"

static const model pendulum = {"pendulum", {{0}}}, top = {"heavy-top", {{0}}},
                   angles = {"double-pendulum", {{0}}}, disc = {"rolling-disc", {{0}}},
                   servo = {"servo", {{0}}};

/* ---- orders --------------------------------------------------------------------------------- */

/* A motion, its steps, and what is compared: of order k - 0.1, and of order k - 0.2, or k - 0.5 at
 * order 5, where rounding shows. */
typedef struct motion {
  const model *model;
  double       end, h, h_fifth;
  int          of_motion, of_forces;
} motion;

static const motion motions[] = {
    {&top, 0.2, 5e-4, 5e-4, SET_Q | SET_V, SET_LAM},
    {&angles, 1.0, 5e-3, 5e-3, SET_Q | SET_V, SET_LAM},
    {&disc, 1.0, 2.5e-3, 5e-3, SET_Q | SET_V, SET_LAM | SET_MU},
    {&servo, 1.0, 1e-3, 8e-3, SET_Q | SET_V | SET_X, SET_LAM | SET_W},
};
enum { MOTIONS = sizeof motions / sizeof *motions, ORDERS = 5 };

/* Steps of the order k, all equal or h, 2 h in turn, of the same mean. */
static trm_options options_bdf(const motion *m, const char *form, int k, bool alternates) {
  const double h = k == 5 ? m->h_fifth : m->h;
  trm_options o = alternates ? options_steps(m->end, h * 2 / 3, h * 4 / 3)
                             : options_steps(m->end, h, 0.0);
  o.integrator = "bdf";
  o.formulation = form;
  o.max_order = k;
  return o;
}

static void check_form(const char *form, bool alternates) {
  for (int i = 0; i < MOTIONS; i++) {
    for (int k = 1; k <= ORDERS; k++) {
      const trm_options o = options_bdf(&motions[i], form, k, alternates);
      char what[64];
      errors e[2];
      snprintf(what, sizeof what, "%s %s %s order %d", motions[i].model->problem, form,
               alternates ? "h, 2h" : "equal", k);
      halve_steps(motions[i].model, &o, 2, e);
      check_orders(what, e, 2, motions[i].of_motion, k - 0.1, k + 0.6);
      check_orders(what, e, 2, motions[i].of_forces, k - (k < 5 ? 0.2 : 0.5), k + 0.6);
    }
  }
}

static void si2_has_its_orders(void **state) {
  (void)state;
  check_form("si2", false);
}

static void si2_keeps_its_orders_with_alternating_steps(void **state) {
  (void)state;
  check_form("si2", true);
}

static void cm_has_its_orders(void **state) {
  (void)state;
  check_form("cm", false);
}

static void cm_keeps_its_orders_with_alternating_steps(void **state) {
  (void)state;
  check_form("cm", true);
}

/* ---- error control -------------------------------------------------------------------------- */

/* Largest error of a coordinate at the end, quaternions as they are, over the largest of them. */
static double error_of(const model *m, double end, const history *h) {
  const trm_options best = options_explicit(end, 1e-13);
  history reference = run(m, &best, KEEP_LAST);
  const trm_state s = history_last(h), r = history_last(&reference);
  double size = 1.0, error = 0.0;
  for (int i = 0; i < h->nq; i++) {
    size = fmax(size, fabs(r.q[i]));
    enlarge(&error, &s.q[i], &r.q[i], 1);
  }
  history_free(&reference);
  return error / size;
}

/* Steps and errors of positions at the end when the method was tried out (hht takes 1557 steps for
 * an error of 3.2e-4 of the pendulum at 1e-6): steps may be a tenth more, errors twice as large. */
static void steps_and_errors_are_those_of_the_study(void **state) {
  (void)state;
  static const struct {
    const model *model;
    double       end, tolerance, steps, error;
  } runs[] = {{&pendulum, 10.0, 1e-4, 273, 2.1e-3}, {&pendulum, 10.0, 1e-6, 565, 5.2e-5},
              {&pendulum, 10.0, 1e-8, 1208, 1.2e-7}, {&angles, 2.0, 1e-4, 70, 1.1e-3},
              {&angles, 2.0, 1e-6, 145, 2.9e-5},     {&angles, 2.0, 1e-8, 309, 4.1e-7},
              {&top, 1.0, 1e-4, 309, 1.6e-3},        {&top, 1.0, 1e-6, 554, 3.7e-4},
              {&top, 1.0, 1e-8, 1038, 1.7e-5}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    trm_options o = options_until(runs[i].end);
    o.integrator = "bdf";
    o.tolerance = runs[i].tolerance;
    history h = run(runs[i].model, &o, KEEP_LAST);
    const double error = error_of(runs[i].model, runs[i].end, &h);
    const char *name = runs[i].model->problem;
    print_message("%s at %g: %ld steps, %ld rejected, %.2f iterations a step, error %.2g\n", name,
                  o.tolerance, h.counters.steps, h.counters.rejected_error,
                  (double)h.counters.newton_iterations / (double)h.counters.steps, error);
    CHECK_BETWEEN((double)h.counters.steps, 1.0, 1.1 * runs[i].steps, "%s: steps", name);
    CHECK_BETWEEN(error, 0.0, 2.0 * runs[i].error, "%s: error", name);
    assert_int_equal(h.counters.rejected_newton, 0);
    history_free(&h);
  }
}

/* The error follows the tolerance: twenty times smaller for a tolerance a hundred times smaller. */
static void the_error_follows_the_tolerance(void **state) {
  (void)state;
  const model *const models[] = {&pendulum, &top, &disc, &servo, &angles};
  const double ends[] = {10.0, 0.3, 2.0, 1.0, 2.0};
  for (int m = 0; m < 5; m++) {
    double last = INFINITY;
    for (double tolerance = 1e-4; tolerance > 0.5e-10; tolerance *= 1e-3) {
      trm_options o = options_until(ends[m]);
      o.integrator = "bdf";
      o.tolerance = tolerance;
      history h = run(models[m], &o, KEEP_LAST);
      errors e;
      compare(models[m], ends[m], &h, 1, &e);
      print_message("%s at %g: q off by %.2g, %ld steps\n", models[m]->problem, tolerance,
                    e.largest[OF_Q], h.counters.steps);
      CHECK_BETWEEN(e.largest[OF_Q], 0.0, 0.05 * last, "%s at %g", models[m]->problem, tolerance);
      last = e.largest[OF_Q];
      history_free(&h);
    }
  }
}

/* Forms differ in Newton's path and in multipliers, not in the motion: steps may differ by what
 * Newton leaves, a fiftieth of the tolerance, and errors with them. */
static void all_forms_take_the_same_steps(void **state) {
  (void)state;
  static const char *const forms[] = {"si2", "lm", "index2", "cs", "cs-qr", "cm", "index3"};
  const model *const models[] = {&pendulum, &angles, &top, &disc};
  for (int m = 0; m < 4; m++) {
    double steps[7];
    for (int f = 0; f < 7; f++) {
      trm_options o = options_until(1.0);
      o.integrator = "bdf";
      o.formulation = forms[f];
      o.tolerance = 1e-6;
      history h = run(models[m], &o, KEEP_LAST);
      steps[f] = (double)h.counters.steps;
      print_message("%s %s: %ld steps, %ld iterations, %ld factorizations, %ld solves\n",
                    models[m]->problem, forms[f], h.counters.steps, h.counters.newton_iterations,
                    h.counters.factorizations, h.counters.solves);
      CHECK_NEAR(steps[f], steps[0], 0.05 * steps[0] + 2, "%s %s", models[m]->problem, forms[f]);
      history_free(&h);
    }
  }
}

/* ---- start of fixed steps ------------------------------------------------------------------- */

static void count_notes(void *self, double t, const char *text) {
  (void)t;
  if (strstr(text, "bdf begins with steps of the orders 1 to 4") != NULL) ++*(int *)self;
}

/* A stiff follower of a slow motion: backwards it explodes, forwards it is damped at once. */
static int run_follower(const char *rate, double h, double *off) {
  char text[300];
  snprintf(text, sizeof text,
           "trammel: 1\nequations:\n  coordinates: {y: {value: 1}, z: {value: 1.001}}\n"
           "  kinetic: 0.5*(y'^2 + z'^2)\n  forces: {y: -y, z: -%s^2*(z - y) - 2*%s*(z' - y')}\n"
           "simulate: {end: 2, integrator: bdf, max_order: 4, step: %g}\n", rate, rate, h);
  trm_error err;
  int notes = 0;
  typed m = typed_text(text, "follower.yaml", NULL);
  trm_sim *sim = kit_sim(m.system, &m.options);
  const trm_sink sink = {.self = &notes, .message = count_notes};
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  kit_run(sim);
  *off = fabs(trm_sim_state(sim)->q[0] - cos(2.0)); /* z' - y' at the start moves nothing else */
  trm_sim_free(sim);
  typed_close(&m);
  return notes;
}

/* Points of order 4 where there are such, with an error of h^4; else orders 1 to 4, whose first
 * steps cost h^2, and a note. */
static void fixed_steps_begin_with_points_or_with_low_orders(void **state) {
  (void)state;
  double off = NAN;
  assert_int_equal(run_follower("10", 0.01, &off), 0);
  CHECK_NEAR(off, 0.0, 1e-8, "slow motion by order 4");
  assert_int_equal(run_follower("1e5", 0.01, &off), 1);
  CHECK_NEAR(off, 0.0, 2e-4, "slow motion of a stiff system");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(si2_has_its_orders),
      cmocka_unit_test(si2_keeps_its_orders_with_alternating_steps),
      cmocka_unit_test(cm_has_its_orders),
      cmocka_unit_test(cm_keeps_its_orders_with_alternating_steps),
      cmocka_unit_test(steps_and_errors_are_those_of_the_study),
      cmocka_unit_test(the_error_follows_the_tolerance),
      cmocka_unit_test(all_forms_take_the_same_steps),
      cmocka_unit_test(fixed_steps_begin_with_points_or_with_low_orders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
