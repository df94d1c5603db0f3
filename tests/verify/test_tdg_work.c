/* test_tdg_work.c - work of a step of tdg, and the singular poses of a slider crank. */
#include "verify/tdg.h"

/* ---- work ---------------------------------------------------------------------------- */

/* What a run of fixed steps did; solves of passes and of the ends of the steps apart. */
static void check_work(const char *what, const trm_counters *n) {
  const double steps = (double)n->steps;
  const double of_ends = (double)(n->solves - 2 * n->newton_iterations) / steps;
  print_message("%s: %ld steps, %.2f passes, %ld factorizations, %ld solves: 2 a pass and %.2f at "
                "the end of a step\n",
                what, n->steps, (double)n->newton_iterations / steps, n->factorizations, n->solves,
                of_ends);
  /* the end of the first step, which is not predicted, has its own */
  CHECK_BETWEEN((double)n->factorizations, steps, steps + 1, "%s: factorizations", what);
  /* velocities, then accelerations and multipliers, from 1e-2 to rounding at a contraction of 1e-5
     to 1e-3 (chain early and late), and positions where the passes left more than rounding */
  CHECK_BETWEEN(of_ends, 2.0, 9.0, "%s: solves at the end", what);
}

static void a_step_factors_once_and_solves_twice_a_pass(void **state) {
  (void)state;
  const model chain = {"chain", {{"links", "5"}}};
  const model *const models[] = {&pendulum, &chain, &chain};
  const trm_options o = options_tdg(1.0, 0.005, NULL), fine = options_tdg(0.05, 5e-4, NULL);
  for (int k = 0; k < 3; k++) { /* in fine steps passes end in rounding */
    history h = run(models[k], k < 2 ? &o : &fine, KEEP_LAST);
    check_work(models[k]->problem, &h.counters);
    history_free(&h);
  }
  trm_system *sys = kit_system(&two_mass, NULL);
  trm_sim *sim = kit_sim(sys, &o); /* its first singular pose is at 1.03 s */
  kit_run(sim);
  check_work("two masses", trm_sim_counters(sim));
  trm_sim_free(sim);
  trm_system_free(sys);
}

/* Under error control, with long steps and stiff parts: one for each attempt, and the first. */
static void an_attempt_factors_once(void **state) {
  (void)state;
  static const struct {
    model  of;
    double end, tolerance;
  } runs[] = {
    {{"chain", {{"links", "100"}}}, 2.0, 1e-4}, {{"chain", {{"links", "100"}}}, 1.0, 1e-5},
    {{"chain", {{"links", "5"}}}, 2.0, 1e-6},   {{"slider-crank", {{0}}}, 0.02, 1e-4},
    {{"slider-crank", {{0}}}, 0.01, 1e-6},      {{"double-pendulum", {{0}}}, 1.0, 1e-5},
  };
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    trm_options o = options_until(runs[k].end);
    o.integrator = "tdg";
    o.tolerance = runs[k].tolerance;
    history h = run(&runs[k].of, &o, KEEP_LAST);
    const trm_counters *c = &h.counters;
    const long attempts = c->steps + c->rejected_error + c->rejected_newton;
    print_message("%s at %g: %ld factorizations in %ld attempts\n", runs[k].of.problem,
                  runs[k].tolerance, c->factorizations, attempts);
    assert_true(c->factorizations <= attempts + 1);
    history_free(&h);
  }
}

/* `newton` closes its steps with matrices made for that: same equations, same solution. */
static void ends_of_steps_are_those_of_their_own_matrices(void **state) {
  (void)state;
  static const struct {
    model  of;
    double end, step;
  } runs[] = {{{"heavy-top", {{0}}}, 0.05, 1e-3}, {{"rolling-disc", {{0}}}, 0.5, 0.01},
              {{"chain", {{"links", "5"}}}, 0.5, 0.005}, {{"servo", {{0}}}, 0.5, 0.025},
              {{"slider-crank", {{0}}}, 0.002, 1e-5}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    const trm_options o = options_tdg(runs[k].end, runs[k].step, NULL),
                      best = options_tdg(runs[k].end, runs[k].step, "newton");
    history h = run(&runs[k].of, &o, KEEP_LAST), reference = run(&runs[k].of, &best, KEEP_LAST);
    const trm_state s = history_last(&h), r = history_last(&reference);
    const char *what = runs[k].of.problem;
    const double off_v = off(s.v, r.v, h.n.nv), off_vd = off(s.vd, r.vd, h.n.nv),
                 off_lam = off(s.lam, r.lam, h.n.ng);
    print_message("%s: v, v', lam differ by %.1e, %.1e, %.1e; %ld factorizations in %ld steps\n",
                  what, off_v, off_vd, off_lam, h.counters.factorizations, h.counters.steps);
    assert_true(h.counters.factorizations < 2 * h.counters.steps);
    /* what each of some fifty steps leaves, 1e-14 and 1e-12, grown along the motion */
    CHECK_NEAR(off_v, 0.0, 1e-11, "%s: v", what);
    CHECK_NEAR(off_vd, 0.0, 1e-9, "%s: v'", what);
    CHECK_NEAR(off_lam, 0.0, 1e-9, "%s: lam", what);
    history_free(&h);
    history_free(&reference);
  }
}

/* Two passes leave a third of a third of the first error, so results differ, but not much. */
static void passes_can_be_fixed(void **state) {
  (void)state;
  const trm_options all = options_tdg(1.0, 0.01, NULL);
  history whole = run(&pendulum, &all, KEEP_LAST);
  double last = 1.0;
  for (int passes = 2; passes <= 4; passes++) {
    trm_options o = all;
    o.passes = passes;
    history h = run(&pendulum, &o, KEEP_LAST);
    const double off = fabs(history_last(&h).q[1] - history_last(&whole).q[1]);
    print_message("%d passes: off by %.2g\n", passes, off);
    assert_int_equal(h.counters.newton_iterations, passes * h.counters.steps);
    assert_true(off < last && off < 1e-4);
    last = off;
    history_free(&h);
  }
  history_free(&whole);
}

/* ---- singular poses ------------------------------------------------------------------ */

/* The same motion by theta1 alone: (1 + 4 cos^2) theta'' = 4 cos sin theta'^2 - g sin. */
static trm_status free_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[0] = acos(-1.0) / 4;
  return TRM_OK;
}

static trm_status free_values(void *self, const trm_state *s, const trm_values *out,
                              trm_error *err) {
  (void)self, (void)err;
  const double c = cos(s->q[0]), sn = sin(s->q[0]), w = s->v[0];
  if (out->motion != NULL) {
    out->motion[0] = (1 + 4 * c * c) * s->vd[0] - 4 * c * sn * w * w + gravity * sn;
  }
  return TRM_OK;
}

static const trm_system_ops one_angle = {.name = "one-angle", .sizes = one_sizes,
                                         .start = free_start, .values = free_values};

static void singular_poses_are_passed_at_order_three(void **state) {
  (void)state;
  angles_record *r = calloc(4, sizeof *r);
  assert_non_null(r);
  trm_options o = options_explicit(10.0, 1e-13);
  o.output_step = 0.02;
  record_run(&one_angle, &o, &r[3]);
  double error[3];
  for (int k = 0; k < 3; k++) {
    o = options_tdg(10.0, 0.01 / (1 << k), NULL);
    o.output_step = 0.02;
    record_run(&two_mass, &o, &r[k]);
    error[k] = 0.0;
    assert_int_equal(r[k].count, r[3].count);
    for (int i = 0; i < r[k].count; i++) {
      error[k] = fmax(error[k], fabs(r[k].theta[i] - r[3].theta[i]));
    }
    print_message("two masses, h=%g: theta1 off by %.3g\n", o.steps[0], error[k]);
  }
  CHECK_BETWEEN(error[1], 0.0, 2e-7, "theta1 at h=5e-3");
  CHECK_BETWEEN(order(error[0], error[1]), 2.9, 3.1, "order");
  CHECK_BETWEEN(order(error[1], error[2]), 2.9, 3.1, "order");
  free(r);
}

/* The same mechanism by positions of both masses, y downward: where both rods are vertical no row
 * vanishes, but the three depend on each other. */
static void three_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 4, .ng = 3};
}

static trm_status three_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  const double r = sqrt(0.5);
  s->q[0] = s->q[1] = r;
  s->q[2] = 2 * r;
  return TRM_OK;
}

static trm_status three_values(void *self, const trm_state *s, const trm_values *out,
                               trm_error *err) {
  (void)self, (void)err;
  const double *q = s->q, *v = s->v, d[2] = {q[2] - q[0], q[3] - q[1]},
               w[2] = {v[2] - v[0], v[3] - v[1]};
  if (out->motion != NULL) {
    for (int i = 0; i < 2; i++) {
      out->motion[i] = s->vd[i] + 2 * q[i] * s->lam[0] - 2 * d[i] * s->lam[1] - i * gravity;
      out->motion[2 + i] = s->vd[2 + i] + 2 * d[i] * s->lam[1] + i * (s->lam[2] - gravity);
    }
  }
  if (out->g != NULL) {
    out->g[0] = q[0] * q[0] + q[1] * q[1] - 1;
    out->g[1] = d[0] * d[0] + d[1] * d[1] - 1;
    out->g[2] = q[3];
  }
  if (out->g_rate != NULL) {
    out->g_rate[0] = 2 * (q[0] * v[0] + q[1] * v[1]);
    out->g_rate[1] = 2 * (d[0] * w[0] + d[1] * w[1]);
    out->g_rate[2] = v[3];
  }
  if (out->g_bias != NULL) {
    out->g_bias[0] = 2 * (v[0] * v[0] + v[1] * v[1]);
    out->g_bias[1] = 2 * (w[0] * w[0] + w[1] * w[1]);
    out->g_bias[2] = 0.0;
  }
  return TRM_OK;
}

static const trm_system_ops three_rows = {.name = "three-rows", .sizes = three_sizes,
                                          .start = three_start, .values = three_values,
                                          .gives_rates = true};

static void other_integrators_pass_or_name_the_constraint(void **state) {
  (void)state;
  static const struct {
    const char *integrator;
    double      tolerance;
  } runs[] = {{"hht", 1e-5},   {"hht", 1e-7},       {"alpha", 1e-6},     {"tdg", 1e-6},
              {"radau", 1e-6}, {"radau", 1e-12},    {"radau", 1e-14},    {"explicit", 1e-6},
              {"explicit", 1e-10}, {"explicit", 1e-13}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    pass_or_name(&two_mass, runs[k].integrator, runs[k].tolerance, "'lam0'");
    pass_or_name(&three_rows, runs[k].integrator, runs[k].tolerance, "lam0");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_factors_once_and_solves_twice_a_pass),
      cmocka_unit_test(an_attempt_factors_once),
      cmocka_unit_test(ends_of_steps_are_those_of_their_own_matrices),
      cmocka_unit_test(passes_can_be_fixed),
      cmocka_unit_test(singular_poses_are_passed_at_order_three),
      cmocka_unit_test(other_integrators_pass_or_name_the_constraint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
