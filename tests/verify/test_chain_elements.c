/* test_chain_elements.c - the shipped chain of bodies and joints against listed tips, and step by
 * step against the chain written in C. */
#include "verify/runs.h"
#include "verify/typed.h"

static typed open_chain(const char *links) {
  return typed_model("chain-elements", (const trm_setting[]){{"links", links}, {NULL, NULL}});
}

/* ---- tips ---------------------------------------------------------------------------- */

static void check_tip(const char *links, double x, double z) {
  const double tol = 1e-8; /* listed to 1e-9; local errors of 1e-10, some 200 steps */
  trm_error err = {.message = ""};
  double tip[3];
  typed m = open_chain(links);
  const trm_options o = options_explicit(2.0, 1e-10);
  trm_sim *sim = kit_sim(m.system, &o);
  kit_run(sim);
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                             &(trm_values){.outputs = tip}, &err), err);
  CHECK_NEAR(tip[0], x, tol, "x of the tip, %s links", links);
  CHECK_NEAR(tip[1], 0.0, tol, "y of the tip, %s links", links);
  CHECK_NEAR(tip[2], z, tol, "z of the tip, %s links", links);
  trm_sim_free(sim);
  typed_close(&m);
}

static void tips_match_listed_values(void **state) {
  (void)state;
  check_tip("1", 0.9994654895, -0.0326915166);
  check_tip("10", -7.6000551084, -5.9561571406);
  check_tip("100", 93.5065203838, -19.62); /* the free end falls freely */
}

/* ---- step by step ---------------------------------------------------------------------- */

static void check_counters(const trm_counters *a, const trm_counters *b, const char *what) {
  const long one[] = {a->steps, a->rejected_error, a->rejected_newton, a->newton_iterations,
                      a->residuals, a->jacobians, a->factorizations, a->solves, a->lu_entries};
  const long two[] = {b->steps, b->rejected_error, b->rejected_newton, b->newton_iterations,
                      b->residuals, b->jacobians, b->factorizations, b->solves, b->lu_entries};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
    if (one[i] != two[i]) fail_msg("%s: counter %zu is %ld, in C %ld", what, i, one[i], two[i]);
  }
}

/* Both chains step alike: positions, velocities, time; `tol`: rounding that motion has grown. */
static void step_together(const char *links, const trm_options *o, double tol) {
  typed m = open_chain(links);
  trm_system *other = kit_problem("chain", "links", links);
  trm_sim *a = kit_sim(m.system, o), *b = kit_sim(other, o);
  const trm_sizes *n = trm_system_sizes(other);
  assert_int_equal(trm_system_sizes(m.system)->nv, n->nv);
  assert_int_equal(trm_system_sizes(m.system)->ng, n->ng);
  double worst = 0.0;
  for (bool done = false, is_other_done; !done;) {
    trm_error err;
    CHECK_OK(trm_sim_step(a, &done, &err), err);
    CHECK_OK(trm_sim_step(b, &is_other_done, &err), err);
    const trm_state *s = trm_sim_state(a), *r = trm_sim_state(b);
    assert_int_equal(done, is_other_done);
    worst = fmax(worst, fabs(s->t - r->t));
    for (int i = 0; i < trm_system_count(other, TRM_Q); i++) {
      worst = fmax(worst, fabs(s->q[i] - r->q[i]));
    }
    for (int i = 0; i < n->nv; i++) worst = fmax(worst, fabs(s->v[i] - r->v[i]));
  }
  print_message("%s links, %s: %.2g apart\n", links, o->integrator, worst);
  CHECK_NEAR(worst, 0.0, tol, "%s links, %s", links, o->integrator);
  const trm_counters one = *trm_sim_counters(a), two = *trm_sim_counters(b);
  check_counters(&one, &two, links);
  trm_sim_free(a);
  trm_sim_free(b);
  trm_system_free(other);
  typed_close(&m);
}

static void steps_are_those_of_the_chain_in_c(void **state) {
  (void)state;
  trm_options fixed = options_steps(1.0, 1e-3, 0.0), free = options_until(2.0);
  free.tolerance = 1e-6;
  /* rounding of 1e-16 in a thousand steps; the last links of ten whip it up */
  step_together("1", &free, 1e-11);
  step_together("10", &free, 1e-9);
  step_together("10", &fixed, 1e-9);
  step_together("100", &fixed, 1e-10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(tips_match_listed_values),
    cmocka_unit_test(steps_are_those_of_the_chain_in_c),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
