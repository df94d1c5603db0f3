/* The forms of the alpha paper: index2, cs, cs-qr, cm, projected: orders, listed errors, one root,
 * what they cost. */
#include "listed.h"
#include "runs.h"

enum { RUNS = 3, FORMS = 6 };
static const char *const forms[FORMS] = {"index2", "cs", "cs-qr", "cm", "projected",
                                         "projected-final"};

static trm_options options_form(const char *form, double end, double h, double rho) {
  trm_options o = options_steps(end, h, 0.0);
  o.integrator = "alpha";
  o.formulation = form;
  o.rho = rho;
  o.has_rho = true;
  return o;
}

/* c h^2 + d h^3: the second term is below 10 % of the first at these steps */
static const double low = 1.85, high = 2.15;

static void all_forms_are_second_order(void **state) {
  (void)state;
  static const struct {
    model  model;
    double end, h;
    int    set;
  } cases[] = {
    {{"unit-pendulum", {{0}}}, 2.0, 0.0125, SET_Q | SET_V | SET_LAM},
    {{"double-pendulum", {{0}}}, 1.0, 0.005, SET_Q | SET_V | SET_LAM},
    {{"heavy-top", {{0}}}, 0.1, 1e-4, SET_Q | SET_V | SET_LAM},
    {{"rolling-disc", {{0}}}, 1.0, 0.005, SET_Q | SET_V | SET_MU},
    {{"servo", {{0}}}, 1.0, 0.01, SET_Q | SET_V | SET_LAM | SET_X | SET_W},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int k = 0; k < FORMS; k++) {
      char what[80];
      const trm_options o = options_form(forms[k], cases[i].end, cases[i].h, 0.5);
      snprintf(what, sizeof what, "%s, %s", cases[i].model.problem, forms[k]);
      check_halving(what, &cases[i].model, &o, RUNS, cases[i].set, low, high);
    }
  }
}

static void hht_and_alternating_steps_are_second_order(void **state) {
  (void)state;
  const model angles = {"double-pendulum", {{"coordinates", "angles"}}};
  for (int k = 0; k < FORMS; k++) {
    char what[80];
    trm_options o = options_form(forms[k], 1.0, 0.005 / 3, 0.5);
    o.integrator = "hht";
    o.has_rho = false;
    o.steps[1] = 2 * o.steps[0];
    o.nsteps = 2;
    snprintf(what, sizeof what, "angles, hht, steps 1:2, %s", forms[k]);
    check_halving(what, &angles, &o, RUNS, SET_Q | SET_V | SET_LAM, low, high);
  }
}

/* Errors at the end, N = 320 steps to t = 2. The listed multiplier belongs to g = x^2 + y^2 - 1,
 * ours to half of it, so ours counts half. */
static void listed_are_those_listed(void **state) {
  (void)state;
  const model unit = {"unit-pendulum", {{0}}};
  for (int i = 0; i < LISTED; i++) {
    for (int k = 0; k < FORMS; k++) {
      const trm_options o = options_form(forms[k], 2.0, 2.0 / 320, listed[i].rho);
      history end = run(&unit, &o, KEEP_LAST);
      errors e;
      compare(&unit, 2.0, &end, 1, &e);
      history_free(&end);
      print_message("%s rho=%g: q %.3g (%.3g) v %.3g (%.3g) lam/2 %.3g (%.3g)\n", forms[k],
                    listed[i].rho, e.largest[OF_Q], listed[i].q, e.largest[OF_V], listed[i].v,
                    0.5 * e.largest[OF_LAM], listed[i].lam);
      /* ours starts with a of second order, the listed runs with a = v': a few per cent */
      CHECK_BETWEEN(e.largest[OF_Q] / listed[i].q, 0.9, 1.1, "%s: q", forms[k]);
      CHECK_BETWEEN(e.largest[OF_V] / listed[i].v, 0.9, 1.1, "%s: v", forms[k]);
      CHECK_BETWEEN(0.5 * e.largest[OF_LAM] / listed[i].lam, 0.9, 1.1, "%s: lam", forms[k]);
    }
  }
}

/* The forms have one root: what is left is that the correction of positions is measured where
 * the step was predicted, not where it ends, and Newton's tolerance. */
static void all_forms_end_in_one_root(void **state) {
  (void)state;
  static const struct {
    model  model;
    double end, h;
  } cases[] = {{{"unit-pendulum", {{0}}}, 2.0, 2.0 / 320},
               {{"slider-crank", {{0}}}, 0.01, 1e-5},
               {{"heavy-top", {{0}}}, 0.1, 1e-4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    history first = {0};
    for (int k = 0; k < FORMS; k++) {
      trm_options o = options_form(forms[k], cases[i].end, cases[i].h, 0.5);
      o.newton_tolerance = 1e-11;
      history h = run(&cases[i].model, &o, KEEP_LAST);
      const trm_state a = history_last(k == 0 ? &h : &first), b = history_last(&h);
      double size = 0.0, off = 0.0;
      for (int j = 0; j < h.nq; j++) {
        size = fmax(size, fabs(a.q[j]));
        off = fmax(off, fabs(a.q[j] - b.q[j]));
      }
      CHECK_NEAR(off / size, 0.0, 1e-7, "%s: q of %s", cases[i].model.problem, forms[k]);
      if (k == 0) first = h;
      else history_free(&h);
    }
    history_free(&first);
  }
}

/* The splitting disappears from cm and costs no factorization, and neither does the term that it
 * leaves out, which makes iterations slow where steps are long. */
static void check_cost(const char *links, trm_options o) {
  const model chain = {"chain", {{"links", links}}};
  history si2 = run(&chain, &o, KEEP_LAST);
  o.formulation = "cm";
  history cm = run(&chain, &o, KEEP_LAST);
  const trm_counters *a = &si2.counters, *b = &cm.counters;
  print_message("%s links, tolerance %g, step %g: steps %ld, %ld, iterations %ld, %ld, "
                "factorizations %ld, %ld, solves %ld, %ld\n", links, o.tolerance, o.steps[0],
                a->steps, b->steps, a->newton_iterations, b->newton_iterations, a->factorizations,
                b->factorizations, a->solves, b->solves);
  assert_true(b->factorizations <= a->factorizations);
  assert_true((double)b->solves / (double)b->newton_iterations <=
              (double)a->solves / (double)a->newton_iterations + 1.0);
  history_free(&si2);
  history_free(&cm);
}

static void cm_costs_at_most_one_solve_more_per_iteration(void **state) {
  (void)state;
  static const char *const links[] = {"5", "20", "100"};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    for (double tolerance = 1e-3; tolerance > 0.5e-7; tolerance *= 0.1) {
      trm_options o = options_until(0.5);
      o.tolerance = tolerance;
      check_cost(links[i], o);
    }
    for (double h = 1e-3; h < 3e-2; h *= 5) check_cost(links[i], options_steps(0.5, h, 0.0));
  }
  check_cost("10", options_until(2.0));
}

/* Under error control every form follows the tolerance. */
static void error_control_works_with_all_forms(void **state) {
  (void)state;
  const model pendulum = {"pendulum", {{0}}};
  for (int k = 0; k < FORMS; k++) {
    trm_options o = options_until(5.0);
    o.formulation = forms[k];
    o.tolerance = 1e-6;
    history h = run(&pendulum, &o, KEEP_LAST);
    errors e;
    compare(&pendulum, 5.0, &h, 1, &e);
    print_message("%s: %ld steps, error %.2e\n", forms[k], h.counters.steps, e.largest[OF_Q]);
    /* si2 makes .0027 m in 10 s with 1557 steps */
    CHECK_BETWEEN(e.largest[OF_Q], 0.0, 2.7e-3, "%s: error", forms[k]);
    CHECK_BETWEEN((double)h.counters.steps, 500, 1000, "%s: steps", forms[k]);
    history_free(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_forms_are_second_order),
    cmocka_unit_test(hht_and_alternating_steps_are_second_order),
    cmocka_unit_test(listed_are_those_listed),
    cmocka_unit_test(all_forms_end_in_one_root),
    cmocka_unit_test(cm_costs_at_most_one_solve_more_per_iteration),
    cmocka_unit_test(error_control_works_with_all_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
