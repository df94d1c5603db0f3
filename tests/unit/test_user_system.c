/* Systems of a user: missing derivatives change nothing but the work, wrong ones are
 * found by name, inputs act from the next step on, and bad definitions are refused. */
#include "unit/glider.h"
#include "unit/kit.h"

enum { NV = 6, NQ = 7 };

/* The end of a run: q, v, lam, mu, x, w. */
typedef struct end_state {
  double numbers[NQ + NV + 4];
  long   iterations;
} end_state;

static end_state run(const trm_system_ops *ops, glider *self, const trm_options *options) {
  end_state end;
  trm_system *sys = kit_system(ops, self);
  trm_sim *sim = kit_sim(sys, options);
  kit_run(sim);
  const trm_state *s = trm_sim_state(sim);
  memcpy(end.numbers, s->q, NQ * sizeof(double));
  memcpy(end.numbers + NQ, s->v, NV * sizeof(double));
  const double rest[4] = {s->lam[0], s->mu[0], s->x[0], s->w[0]};
  memcpy(end.numbers + NQ + NV, rest, sizeof rest);
  end.iterations = trm_sim_counters(sim)->newton_iterations;
  trm_sim_free(sim);
  trm_system_free(sys);
  return end;
}

static void check_same(const end_state *a, const end_state *b, double tol, const char *what) {
  for (int i = 0; i < NQ + NV; i++) {
    CHECK_NEAR(a->numbers[i], b->numbers[i], tol, "%s: q, v number %d", what, i);
  }
  for (int i = NQ + NV; i < NQ + NV + 4; i++) {
    /* multipliers and variables are accelerations: larger, and not summed up */
    CHECK_NEAR(a->numbers[i], b->numbers[i], 100 * tol, "%s: lam, mu, x, w number %d", what, i);
  }
}

static trm_options fixed(const char *integrator, const char *formulation) {
  trm_options options = trm_options_default();
  options.integrator = integrator;
  options.formulation = formulation;
  options.end = 0.5;
  options.steps[0] = 0.01;
  options.nsteps = 1;
  options.newton_tolerance = 1e-13;
  return options;
}

static const struct {
  const char *integrator, *formulation;
} methods[] = {{"hht", "si2"}, {"hht", "index3"}, {"alpha", "si2"}, {"explicit", "dop853"},
               {"tdg", "multicorrector"}, {"radau", "index3"}, {"bdf", "si2"}};
enum { METHODS = sizeof methods / sizeof *methods };

static void equations_alone_give_the_same_motion(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    const trm_options options = fixed(methods[m].integrator, methods[m].formulation);
    glider self = {.entry = -1};
    const end_state full = run(&glider_full, &self, &options);
    assert_true(self.calls_of_blocks > 0);
    self.calls_of_blocks = 0;
    const end_state bare = run(&glider_equations_only, &self, &options);
    assert_int_equal(self.calls_of_blocks, 0);
    /* differences are good to 1e-10; through rates they enter the equations themselves */
    check_same(&bare, &full, 1e-8, methods[m].integrator);
  }
}

static void missing_rates_give_the_same_motion(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    const trm_options options = fixed(methods[m].integrator, methods[m].formulation);
    glider self = {.entry = -1};
    const end_state full = run(&glider_full, &self, &options);
    const end_state bare = run(&glider_without_rates, &self, &options);
    check_same(&bare, &full, 1e-8, methods[m].integrator); /* as above */
  }
}

/* A missing block enters Newton's matrix alone: the solution is the same to what Newton
 * leaves. G and A are exact in either way. */
static void each_missing_block_gives_the_same_motion(void **unused) {
  (void)unused;
  const trm_options options = fixed("hht", "si2");
  glider self = {.entry = -1};
  const end_state full = run(&glider_full, &self, &options);
  for (int i = 0; i < GLIDER_BLOCKS; i++) {
    glider some = {.omitted = UINT64_C(1) << glider_table[i].block, .entry = -1};
    const end_state end = run(&glider_full, &some, &options);
    check_same(&end, &full, 1e-10, trm_block_name(glider_table[i].block));
    /* differences are as good as derivatives: no more iterations but for a few */
    CHECK_BETWEEN((double)end.iterations, 0.0, 1.1 * (double)full.iterations, "without %s",
                  trm_block_name(glider_table[i].block));
  }
}

static void error_control_takes_the_same_steps_with_differences(void **unused) {
  (void)unused;
  trm_options options = trm_options_default();
  options.end = 0.5;
  options.tolerance = 1e-6;
  glider self = {.entry = -1};
  const end_state full = run(&glider_full, &self, &options);
  const end_state bare = run(&glider_equations_only, &self, &options);
  /* Newton leaves 1e-3 of the tolerance in each of some 100 steps */
  check_same(&bare, &full, 1e-6, "adaptive");
  CHECK_BETWEEN((double)bare.iterations, 0.9 * (double)full.iterations,
                1.1 * (double)full.iterations, "iterations of all steps");
}

/* --- checking of blocks ------------------------------------------------------------ */

typedef struct point {
  double q[NQ], v[NV], vd[NV], lam[1], mu[1], x[1], xd[1], w[1], u[1], ud[1];
} point;

static trm_state random_state(const trm_system *sys, uint64_t seed, point *p) {
  double *numbers = (double *)p;
  for (size_t i = 0; i < sizeof *p / sizeof(double); i++) numbers[i] = kit_random(&seed);
  const double zero[NV] = {0};
  trm_system_retract(sys, p->q, zero, p->q); /* quaternion of length one */
  return (trm_state){.t = 0.3, .q = p->q, .v = p->v, .vd = p->vd, .lam = p->lam, .mu = p->mu,
                     .x = p->x, .xd = p->xd, .w = p->w, .u = p->u, .ud = p->ud};
}

static void right_blocks_pass_the_check(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    trm_error err;
    point p;
    glider self = {.entry = -1};
    trm_system *sys = kit_system(seed % 2 == 0 ? &glider_full : &glider_without_rates, &self);
    const trm_state s = random_state(sys, seed, &p);
    trm_block_check worst[TRM_BLOCKS];
    CHECK_OK(trm_system_check_blocks(sys, &s, worst, &err), err);
    for (int b = 0; b < TRM_BLOCKS; b++) {
      assert_int_equal(worst[b].block, b);
      /* a difference of a difference of rates: 1e-10 over a step of 6e-6 */
      const double tol = b == TRM_GB_Q || b == TRM_GB_V || b == TRM_AB_Q || b == TRM_AB_V
                             ? 3e-5 : 1e-9;
      CHECK_NEAR(worst[b].error, 0.0, tol, "%s", trm_block_name((trm_block)b));
    }
    trm_system_free(sys);
  }
}

static void a_wrong_derivative_is_named_by_block_row_and_column(void **unused) {
  (void)unused;
  for (int i = 0; i < GLIDER_BLOCKS; i++) {
    const trm_block block = glider_table[i].block;
    for (int k = 0; k < glider_table[i].rows * glider_table[i].cols; k++) {
      trm_error err;
      point p;
      glider self = {.wrong = block, .entry = k};
      trm_system *sys = kit_system(&glider_full, &self);
      const trm_state s = random_state(sys, 7, &p);
      trm_block_check worst[TRM_BLOCKS];
      CHECK_OK(trm_system_check_blocks(sys, &s, worst, &err), err);
      for (int b = 0; b < TRM_BLOCKS; b++) {
        assert_int_equal(worst[b].error > 1e-3, b == (int)block);
      }
      assert_int_equal(worst[block].row, glider_table[i].row + k / glider_table[i].cols);
      assert_int_equal(worst[block].col, glider_table[i].col + k % glider_table[i].cols);
      CHECK_NEAR(worst[block].given - worst[block].difference, 0.5, 1e-8, "differences are good");
      trm_system_free(sys);
    }
  }
}

static void entries_left_out_of_a_pattern_count_as_zero(void **unused) {
  (void)unused;
  for (int i = 0; i < GLIDER_BLOCKS; i++) {
    if (glider_table[i].rows == 0) continue; /* really empty */
    trm_error err;
    point p;
    const trm_block block = glider_table[i].block;
    glider self = {.emptied = UINT64_C(1) << block, .entry = -1};
    trm_system *sys = kit_system(&glider_full, &self);
    const trm_state s = random_state(sys, 8, &p);
    trm_block_check worst[TRM_BLOCKS];
    CHECK_OK(trm_system_check_blocks(sys, &s, worst, &err), err);
    for (int b = 0; b < TRM_BLOCKS; b++) {
      assert_int_equal(worst[b].error > 1e-3, b == (int)block);
    }
    assert_true(worst[block].given == 0.0);
    trm_system_free(sys);
  }
}

/* --- constraints that move ------------------------------------------------------------- */

/* A bead is led along q0 = 0.3 sin(3 t), another hangs on it by a spring; g_t is not zero. */
static const double lead = 0.3, omega = 3.0, stiffness = 4.0;

static void beads_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 2, .ng = 1};
}

static trm_status beads_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[1] = 0.1;
  return TRM_OK;
}

static trm_status beads_values(void *self, const trm_state *s, const trm_values *out,
                               trm_error *err) {
  (void)self, (void)err;
  const double phase = omega * s->t, pull = stiffness * (s->q[1] - s->q[0]);
  if (out->motion != NULL) {
    out->motion[0] = s->vd[0] + s->lam[0] - pull;
    out->motion[1] = s->vd[1] + pull;
  }
  if (out->g != NULL) out->g[0] = s->q[0] - lead * sin(phase);
  if (out->g_rate != NULL) out->g_rate[0] = s->v[0] - lead * omega * cos(phase);
  if (out->g_bias != NULL) out->g_bias[0] = lead * omega * omega * sin(phase);
  return TRM_OK;
}

static void missing_rates_of_moving_constraints_are_made(void **unused) {
  (void)unused;
  for (int k = 0; k < 2 * METHODS; k++) {
    trm_system_ops ops = {.name = "beads", .sizes = beads_sizes, .start = beads_start,
                          .values = beads_values, .gives_rates = k % 2 == 0};
    const int m = k / 2;
    trm_options options = fixed(methods[m].integrator, methods[m].formulation);
    options.steps[0] = 0.001;
    trm_system *sys = kit_system(&ops, NULL);
    trm_sim *sim = kit_sim(sys, &options);
    kit_run(sim);
    const trm_state *s = trm_sim_state(sim);
    const double phase = omega * s->t, q0 = lead * sin(phase);
    /* held to rounding; the rate by differences in time is good to 1e-10, and index 3
     * holds positions only: its velocities are of second order */
    const double tol = strcmp(methods[m].formulation, "index3") == 0 ? 1e-5 : 1e-9;
    CHECK_NEAR(s->q[0], q0, 1e-12, "%s: q0", methods[m].formulation);
    CHECK_NEAR(s->v[0], lead * omega * cos(phase), tol, "%s: v0", methods[m].formulation);
    /* what leads the bead: its inertia and the spring, to second order in h */
    const double load = lead * omega * omega * sin(phase) + stiffness * (s->q[1] - q0);
    CHECK_NEAR(s->lam[0], load, 1e-4, "%s: lam", methods[m].formulation);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

/* --- inputs ------------------------------------------------------------------------- */

static void cart_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 1, .nu = 2};
}

static trm_status cart_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_OK;
}

/* m x'' = u0 + u1, m = 2 */
static trm_status cart_values(void *self, const trm_state *s, const trm_values *out,
                              trm_error *err) {
  (void)self, (void)err;
  if (out->motion != NULL) out->motion[0] = 2.0 * s->vd[0] - s->u[0] - s->u[1];
  return TRM_OK;
}

static const trm_system_ops cart = {.name = "cart", .sizes = cart_sizes, .start = cart_start,
                                    .values = cart_values};

static void inputs_act_from_the_next_step_on(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err;
    bool done = false;
    trm_options options = fixed(methods[m].integrator, methods[m].formulation);
    options.end = 3.0;
    options.steps[0] = 0.25;
    trm_system *sys = kit_system(&cart, NULL);
    trm_sim *sim = kit_sim(sys, &options);
    /* at rest for 1 s, 4 N for 1 s, 4 - 8 N for 1 s */
    for (int k = 0; k < 4; k++) CHECK_OK(trm_sim_step(sim, &done, &err), err);
    assert_true(trm_sim_state(sim)->q[0] == 0.0);
    CHECK_OK(trm_sim_set_input(sim, 0, 4.0, 0.0, &err), err);
    assert_true(trm_sim_state(sim)->u[0] == 0.0); /* not yet */
    for (int k = 0; k < 4; k++) CHECK_OK(trm_sim_step(sim, &done, &err), err);
    assert_true(trm_sim_state(sim)->u[0] == 4.0);
    /* the motion is a parabola, which every method has exactly: rounding */
    CHECK_NEAR(trm_sim_state(sim)->t, 2.0, 1e-15, "no step was lost");
    CHECK_NEAR(trm_sim_state(sim)->q[0], 1.0, 1e-12, "%s", methods[m].integrator);
    CHECK_OK(trm_sim_set_input(sim, 1, -8.0, 0.0, &err), err);
    kit_run(sim);
    CHECK_NEAR(trm_sim_state(sim)->q[0], 1.0 + 2.0 - 1.0, 1e-12, "%s", methods[m].integrator);
    CHECK_NEAR(trm_sim_state(sim)->vd[0], -2.0, 1e-12, "%s", methods[m].integrator);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

static void inputs_that_do_not_exist_or_are_not_finite_are_refused(void **unused) {
  (void)unused;
  trm_error err;
  const trm_options options = fixed("hht", NULL);
  trm_system *sys = kit_system(&cart, NULL);
  trm_sim *sim = kit_sim(sys, &options);
  CHECK_STATUS(trm_sim_set_input(sim, 2, 1.0, 0.0, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_sim_set_input(sim, -1, 1.0, 0.0, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_sim_set_input(sim, 0, NAN, 0.0, &err), TRM_ERR_INPUT);
  kit_run(sim);
  assert_true(trm_sim_state(sim)->q[0] == 0.0); /* none of them acted */
  trm_sim_free(sim);
  trm_system_free(sys);
}

/* --- definitions -------------------------------------------------------------------- */

static void bad_rotation(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 5, .nrot = 1};
}
static void no_unknown(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.ng = 1};
}
static void negative(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 1, .nx = -1};
}
static void bad_entry(const void *self, trm_pattern *p) {
  (void)self;
  trm_pattern_entry(p, TRM_K, 0, 1);
}
static void bad_node(const void *self, trm_pattern *p) {
  (void)self;
  trm_pattern_node(p, TRM_V, 0, 2);
}
static void stiff_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 1, .nstiff = 1};
}

static int freed; /* calls of counted_free */
static void counted_free(void *self) {
  (void)self;
  freed++;
}

static const struct {
  trm_system_ops ops;
  const char    *says;
} bad[] = {
    {{.name = "a", .sizes = cart_sizes, .start = cart_start}, "values"},
    {{.name = "a", .sizes = cart_sizes, .values = cart_values}, "start"},
    {{.sizes = cart_sizes, .start = cart_start, .values = cart_values}, "name"},
    {{.name = "a", .start = cart_start, .values = cart_values}, "sizes"},
    {{.name = "a", .sizes = bad_rotation, .start = cart_start, .values = cart_values},
     "rotations"},
    {{.name = "a", .sizes = bad_rotation, .rotation = glider_rotation, .start = cart_start,
      .values = cart_values}, "rotation 0 starts at velocity 3"},
    {{.name = "a", .sizes = no_unknown, .start = cart_start, .values = cart_values},
     "neither a coordinate nor a state"},
    {{.name = "a", .sizes = negative, .start = cart_start, .values = cart_values}, "-1"},
    {{.name = "a", .sizes = cart_sizes, .start = cart_start, .values = cart_values,
      .patterns = bad_entry}, "blocks with their patterns"},
    {{.name = "a", .sizes = cart_sizes, .start = cart_start, .values = cart_values,
      .patterns = bad_entry, .blocks = glider_blocks}, "block K has an entry at row 0, column 1"},
    {{.name = "a", .sizes = cart_sizes, .start = cart_start, .values = cart_values,
      .patterns = bad_node, .blocks = glider_blocks}, "trm_pattern_node"},
    {{.name = "a", .sizes = stiff_sizes, .start = cart_start, .values = cart_values},
     "STIFF_K"},
};

static void bad_definitions_are_refused_and_self_is_freed(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    trm_error err;
    trm_system *sys = (trm_system *)&freed; /* must become NULL */
    trm_system_ops ops = bad[i].ops;
    ops.free = counted_free;
    trm_system_def def = trm_system_def_default();
    def.ops = &ops;
    freed = 0;
    CHECK_STATUS(trm_system_create(&def, &sys, &err), TRM_ERR_INPUT);
    assert_null(sys);
    assert_int_equal(freed, 1);
    if (strstr(err.message, bad[i].says) == NULL) fail_msg("%s: %s", bad[i].says, err.message);
  }
  trm_error err;
  trm_system *sys = NULL;
  CHECK_STATUS(trm_system_create(&(trm_system_def){.ops = &cart}, &sys, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "trm_system_def_default"));
}

static void names_are_complete_without_a_label_function(void **unused) {
  (void)unused;
  glider self = {.entry = -1};
  trm_system *sys = kit_system(&glider_full, &self);
  static const struct {
    trm_quantity list;
    int          i;
    const char  *name, *object;
  } expected[] = {{TRM_Q, 6, "q6", "unknown 'q6'"},     {TRM_V, 0, "v0", "unknown 'v0'"},
                  {TRM_LAM, 0, "lam0", "constraint 'lam0'"}, {TRM_MU, 0, "mu0", "constraint 'mu0'"},
                  {TRM_X, 0, "x0", "unknown 'x0'"},     {TRM_U, 0, "u0", "unknown 'u0'"}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    trm_label label;
    trm_system_label(sys, expected[k].list, expected[k].i, &label);
    assert_string_equal(label.name, expected[k].name);
    assert_string_equal(label.object, expected[k].object);
    assert_true(label.scale == 1.0);
  }
  assert_int_equal(trm_system_count(sys, TRM_Q), NQ);
  assert_string_equal(trm_system_name(sys), "glider");
  trm_system_free(sys);
}

/* What is given stays, what is left empty is put together of it. */
static void film_units(const void *self, trm_unit_names *names) {
  (void)self;
  snprintf(names->length, sizeof names->length, "px");
  snprintf(names->time, sizeof names->time, "0.04 s");
  snprintf(names->speed, sizeof names->speed, "px/frame");
  names->metres = 1e-3;
  names->seconds = 0.04;
}

static void units_are_si_unless_the_system_names_them(void **unused) {
  (void)unused;
  const trm_unit_names si = trm_unit_names_si();
  trm_system_ops ops = cart;
  trm_system *sys = kit_system(&ops, NULL);
  assert_memory_equal(trm_system_units(sys), &si, sizeof si);
  assert_string_equal(si.acceleration, "m/s^2");
  assert_string_equal(si.turning_rate, "rad/s^2");
  assert_true(si.seconds == 1.0 && si.metres == 1.0);
  trm_system_free(sys);
  ops.units = film_units;
  sys = kit_system(&ops, NULL);
  const trm_unit_names *names = trm_system_units(sys);
  assert_string_equal(names->speed, "px/frame");
  assert_string_equal(names->acceleration, "px/(0.04 s)^2");
  assert_string_equal(names->torque, "N px");
  assert_string_equal(names->energy, "N px");
  assert_string_equal(names->mass, "kg");
  assert_true(names->seconds == 0.04);
  trm_system_free(sys);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_alone_give_the_same_motion),
      cmocka_unit_test(missing_rates_give_the_same_motion),
      cmocka_unit_test(each_missing_block_gives_the_same_motion),
      cmocka_unit_test(error_control_takes_the_same_steps_with_differences),
      cmocka_unit_test(right_blocks_pass_the_check),
      cmocka_unit_test(a_wrong_derivative_is_named_by_block_row_and_column),
      cmocka_unit_test(entries_left_out_of_a_pattern_count_as_zero),
      cmocka_unit_test(missing_rates_of_moving_constraints_are_made),
      cmocka_unit_test(inputs_act_from_the_next_step_on),
      cmocka_unit_test(inputs_that_do_not_exist_or_are_not_finite_are_refused),
      cmocka_unit_test(bad_definitions_are_refused_and_self_is_freed),
      cmocka_unit_test(names_are_complete_without_a_label_function),
      cmocka_unit_test(units_are_si_unless_the_system_names_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
