/* cs on chains whose loop has more rows than a dense splitting takes: the same motion as without
 * any splitting, second order, and no more steps. */
#include "linalg/split.h"
#include "runs.h"

static trm_options options_form(const char *form, double end) {
  trm_options o = options_until(end);
  o.integrator = "alpha";
  o.formulation = form;
  return o;
}

/* Largest difference of positions at the end, over the size of the chain. */
static double distance(const history *a, const history *b) {
  const trm_state at = history_last(a), other = history_last(b);
  double size = 0.0, off = 0.0;
  for (int i = 0; i < a->nq; i++) {
    size = fmax(size, fabs(at.q[i]));
    off = fmax(off, fabs(at.q[i] - other.q[i]));
  }
  return off / size;
}

static void check_motion(const char *links, const char *joint) {
  static const char *const others[] = {"cs-qr", "si2"};
  const model chain = {"chain", {{"links", links}, {"joint", joint}}};
  trm_options o = options_form("cs", 0.2);
  o.steps[0] = 4e-3;
  o.nsteps = 1;
  o.newton_tolerance = 1e-12;
  history cs = run(&chain, &o, KEEP_LAST);
  assert_true(cs.n.ng > TRMI_SPLIT_MAX);
  for (int k = 0; k < 2; k++) {
    o.formulation = others[k];
    history other = run(&chain, &o, KEEP_LAST);
    const double off = distance(&cs, &other);
    print_message("%s links, %s: cs and %s differ by %.1e; %ld and %ld iterations\n", links, joint,
                  others[k], off, cs.counters.newton_iterations, other.counters.newton_iterations);
    /* cs-qr: Newton's tolerance. si2 measures the correction of positions elsewhere, O(h^5) */
    CHECK_NEAR(off, 0.0, k == 0 ? 1e-10 : 1e-7, "%s links, %s: %s", links, joint, others[k]);
    if (k == 0) {
      assert_true(cs.counters.newton_iterations <= other.counters.newton_iterations + 2);
    }
    history_free(&other);
  }
  history_free(&cs);
}

static void large_chains_move_as_without_splitting(void **state) {
  (void)state;
  check_motion("200", "revolute");
  check_motion("400", "revolute");
  check_motion("150", "spherical");
}

static void large_loops_are_second_order(void **state) {
  (void)state;
  const model chain = {"chain", {{"links", "61"}}}; /* 305 rows */
  trm_options o = options_form("cs", 0.2);
  o.steps[0] = 2e-3;
  o.nsteps = 1;
  /* c h^2 + d h^3: the second term is below 10 % of the first at these steps */
  check_halving("chain, 61 links", &chain, &o, 3, SET_Q | SET_V | SET_LAM, 1.85, 2.15);
}

/* The splitting changes the tangent, not the root: steps under error control are the same but
 * for what Newton leaves. */
static void large_loops_take_no_more_steps(void **state) {
  (void)state;
  const model chain = {"chain", {{"links", "200"}}};
  trm_options o = options_form("cs", 1.0);
  history cs = run(&chain, &o, KEEP_LAST);
  o.formulation = "si2";
  history si2 = run(&chain, &o, KEEP_LAST);
  print_message("cs: %ld steps, %ld iterations; si2: %ld steps, %ld iterations\n",
                cs.counters.steps, cs.counters.newton_iterations, si2.counters.steps,
                si2.counters.newton_iterations);
  assert_true(cs.counters.steps <= si2.counters.steps + 1);
  assert_true(cs.counters.newton_iterations <= si2.counters.newton_iterations);
  history_free(&cs);
  history_free(&si2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(large_chains_move_as_without_splitting),
    cmocka_unit_test(large_loops_are_second_order),
    cmocka_unit_test(large_loops_take_no_more_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
