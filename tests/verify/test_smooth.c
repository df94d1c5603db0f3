/* smooth: slow motion with averaged vibrations, against resolved runs. References are runs of
 * `explicit` at 1e-13; all errors below are those of docs/theory/16-smooth.md, with room. */
#include "verify/typed.h"

/* The end of a run with fixed steps, or a tolerance. */
typedef struct outcome {
  double q[12], v[12];
  long   steps, residuals;
  char   note[400];
} outcome;

static outcome run_end(typed *m, const trm_options *o) {
  outcome out = {.note = ""};
  kit_record record = {0};
  trm_error err;
  trm_sim *sim = kit_sim(m->system, o);
  const trm_sink sink = {.self = &record, .message = kit_message};
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  kit_run(sim);
  const trm_sizes *n = trm_system_sizes(m->system);
  for (int i = 0; i < n->nv + n->nrot && i < 12; i++) out.q[i] = trm_sim_state(sim)->q[i];
  for (int i = 0; i < n->nv && i < 12; i++) out.v[i] = trm_sim_state(sim)->v[i];
  out.steps = trm_sim_counters(sim)->steps;
  out.residuals = trm_sim_counters(sim)->residuals;
  snprintf(out.note, sizeof out.note, "%s", record.message);
  trm_sim_free(sim);
  return out;
}

static trm_options plain(const typed *m) {
  trm_options o = m->options;
  o.outputs = 0; /* samples take evaluations */
  return o;
}

static outcome run_steps(const char *model, const char *name, const char *value, double h) {
  const trm_setting settings[] = {{.name = name, .value = value}, {0}};
  typed m = typed_model(model, settings);
  trm_options o = plain(&m);
  o.steps[0] = h, o.nsteps = 1;
  const outcome out = run_end(&m, &o);
  typed_close(&m);
  return out;
}

/* [OSC] stiff pendulum, 446 J and more of vibration: 154 evaluations, a resolved run at 1e-4 needs
 * 4394, 43 538, 434 906. The error is that of the slow step and of 1/omega^2. */
static void pendulum_is_followed_by_long_steps(void **unused) {
  (void)unused;
  static const struct {
    const char *eps2;
    double      theta, r, error;
  } cases[] = {{"1e-3", 2.711140579962397, 1.0759510270317143, 7e-4},
               {"1e-5", 2.7222317793196096, 1.0285075941451616, 1.0e-3},
               {"1e-7", 2.7219100394104725, 0.9166922920630065, 1.0e-3}};
  for (int i = 0; i < 3; i++) {
    const outcome out = run_steps("smooth-pendulum", "eps2", cases[i].eps2, 0.4546);
    assert_true(out.residuals <= 160);
    CHECK_NEAR(atan2(out.q[1], out.q[0]), cases[i].theta, cases[i].error, "theta, eps2 = %s",
               cases[i].eps2);
    CHECK_NEAR(hypot(out.q[0], out.q[1]), cases[i].r, 1e-3, "r, eps2 = %s", cases[i].eps2);
  }
}

/* Two masses: the frequency depends on the angle, and the vibration pushes the slow motion.
 * Resolved runs need 9350, 95 186, 932 666 evaluations for 1e4, 1e6, 1e8. Errors are those of
 * NUMERICS-bdf 6; that of 1e7 was 1.2e-3 while stages lay off the constraints. */
static void vibrations_push_the_slow_motion(void **unused) {
  (void)unused;
  static const struct {
    const char *k;
    double      x, y, error;
  } cases[] = {{"1e4", 0.5973518986723705, -0.09798603764061616, 2.2e-3},
               {"1e6", 0.6126286675439316, -0.11372956442862427, 5.7e-5},
               {"1e7", 0.6142977089284531, -0.11417587238689841, 5.7e-5},
               {"1e8", 0.614671745662751, -0.11460379616692505, 5.8e-5}};
  for (int i = 0; i < 4; i++) {
    const outcome out = run_steps("smooth-rod", "k", cases[i].k, 0.0883);
    assert_true(out.residuals <= 480);
    CHECK_NEAR(out.q[3], cases[i].x, cases[i].error, "x, k = %s", cases[i].k);
    CHECK_NEAR(out.q[4], cases[i].y, cases[i].error, "y, k = %s", cases[i].k);
  }
}

/* The local error controls the steps: errors fall with the tolerance to those of averaging. */
static void tolerance_controls_the_slow_motion(void **unused) {
  (void)unused;
  double error[2];
  for (int i = 0; i < 2; i++) {
    typed m = typed_model("smooth-rod", (const trm_setting[]){{.name = "k", .value = "1e8"}, {0}});
    trm_options o = plain(&m);
    o.tolerance = i == 0 ? 1e-4 : 1e-7;
    const outcome out = run_end(&m, &o);
    error[i] = hypot(out.q[3] - 0.614671745662751, out.q[4] + 0.11460379616692505);
    typed_close(&m);
  }
  assert_true(error[0] < 0.2 && error[1] < 2e-4 && error[1] < 0.1 * error[0]);
}

/* Bushing (10) of [OSC]: frequencies 28 against 100 and 112. The error is 4 % of theta, and a note
 * says so; twice the size is refused. */
static void bushing_is_good_for_small_vibrations(void **unused) {
  (void)unused;
  typed m = typed_model("smooth-bushing", NULL);
  const trm_options o = plain(&m);
  const outcome out = run_end(&m, &o);
  CHECK_NEAR(2.0 * atan2(out.q[6], out.q[3]), -0.008832778042833505, 0.04 * 0.0094, "theta");
  assert_non_null(strstr(out.note, "resolved by another integrator"));
  typed_close(&m);
}

/* ---- starts ---------------------------------------------------------------------------------- */

static const char spinning[] =
    "trammel: 1\n"
    "parameters: {k: 1e5, c: 0}\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  arm: {mass: 2, inertia: [0.05, 0.08, 0.06, 0.01, 0, 0.005], com: [0.05, 0, 0.02],\n"
    "        at: [0.4, 0.1, 0], angular_velocity: [1, 2, 0.5], velocity: [0.05, 0.2, -0.7]}\n"
    "  tip: {mass: 0.5, inertia: [0.04, 0.06, 0.05], at: [0.8, 0.1, 0], velocity: [0, 0.4, -1.6]}\n"
    "joints:\n"
    "  hook: {type: spherical, bodies: [ground, arm], at: [0, 0, 0]}\n"
    "forces:\n"
    "  link: {type: spring, bodies: [arm, tip], points: [[0.6, 0.1, 0.1], [0.9, 0.1, 0.05]],\n"
    "         stiffness: k, damping: c, length: 0.3, vibrations: averaged}\n"
    "simulate: {end: 0.4, integrator: smooth, tolerance: 1e-7}\n";

/* Bodies that turn, a joint, a start in full motion: the slow velocity follows from momentum.
 * Vibration 0.0041 m, 480 rad/s; errors are of the order of its square and of 1/omega^2. */
static void turning_bodies_start_in_full_motion(void **unused) {
  (void)unused;
  typed m = typed_text(spinning, "spinning.yaml", NULL);
  trm_options o = m.options;
  const outcome out = run_end(&m, &o);
  o.integrator = "explicit", o.tolerance = 1e-12;
  const outcome exact = run_end(&m, &o);
  for (int i = 0; i < 12; i++) {
    CHECK_NEAR(out.q[i], exact.q[i], 1e-4, "q[%d]", i);
    CHECK_NEAR(out.v[i], exact.v[i], 1e-2, "v[%d]", i);
  }
  typed_close(&m);
}

/* With damping the vibration dies out as it should: J' = -c J. */
static void damping_takes_the_vibration_away(void **unused) {
  (void)unused;
  typed m = typed_text(spinning, "spinning.yaml",
                       (const trm_setting[]){{.name = "c", .value = "10"}, {0}});
  trm_options o = m.options;
  const outcome out = run_end(&m, &o);
  o.integrator = "explicit", o.tolerance = 1e-12;
  const outcome exact = run_end(&m, &o);
  for (int i = 0; i < 12; i++) {
    CHECK_NEAR(out.q[i], exact.q[i], 1e-4, "q[%d]", i);
    CHECK_NEAR(out.v[i], exact.v[i], 1e-2, "v[%d]", i);
  }
  typed_close(&m);
}

/* eta, B and K of marked forces: B is the derivative of eta (checked by differences). */
static void stiff_blocks_are_those_of_the_deformations(void **unused) {
  (void)unused;
  trm_block_check worst[TRM_BLOCKS];
  trm_error err;
  static const char *const models[] = {"smooth-pendulum", "smooth-rod", "smooth-bushing"};
  for (int i = 0; i < 3; i++) {
    typed m = typed_model(models[i], NULL);
    const trm_options o = plain(&m);
    trm_sim *sim = kit_sim(m.system, &o);
    assert_true(trm_system_sizes(m.system)->nstiff == (i == 2 ? 2 : 1));
    CHECK_OK(trm_system_check_blocks(trm_sim_system(sim), trm_sim_state(sim), worst, &err), err);
    CHECK_NEAR(worst[TRM_STIFF_B].error, 0.0, 1e-8, "%s", models[i]); /* of differences */
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* ---- dense output and checkpoints ------------------------------------------------------------ */

static void samples_lie_on_the_motion(void **unused) {
  (void)unused;
  typed m = typed_model("smooth-pendulum", NULL);
  trm_options o = m.options;
  kit_record record = {0}, exact = {0};
  trm_error err;
  o.outputs = 40, o.tolerance = 1e-6;
  for (int i = 0; i < 2; i++) {
    trm_sim *sim = kit_sim(m.system, &o);
    const trm_sink sink = {.self = i == 0 ? &record : &exact, .begin = kit_begin,
                           .sample = kit_sample};
    CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
    kit_run(sim);
    trm_sim_free(sim);
    o.integrator = "explicit", o.tolerance = 1e-12;
  }
  assert_int_equal(record.nsamples, exact.nsamples);
  for (int i = 0; i < exact.nsamples; i++) {
    const double *a = record.sample_q[i], *b = exact.sample_q[i];
    CHECK_NEAR(hypot(a[0], a[1]), hypot(b[0], b[1]), 5e-4, "r at sample %d", i);
    CHECK_NEAR(atan2(a[1], a[0]), atan2(b[1], b[0]), 1.5e-3, "theta at sample %d", i);
  }
  typed_close(&m);
}

static void a_restart_gives_the_same_bits(void **unused) {
  (void)unused;
  typed m = typed_model("smooth-bushing", NULL);
  trm_error err;
  static unsigned char data[1 << 16];
  bool done = false;
  trm_options o = m.options;
  o.checkpoint_steps = 5;
  trm_sim *first = kit_sim(m.system, &o), *second = kit_sim(m.system, &o);
  for (int i = 0; i < 10; i++) CHECK_OK(trm_sim_step(first, &done, &err), err);
  const size_t size = trm_sim_save_size(first);
  assert_true(size <= sizeof data && !done);
  trm_sim_save(first, data);
  CHECK_OK(trm_sim_load(second, data, size, &err), err);
  kit_run(first);
  kit_run(second);
  const trm_state *a = trm_sim_state(first), *b = trm_sim_state(second);
  const trm_sizes *n = trm_system_sizes(m.system);
  assert_memory_equal(a->q, b->q, (size_t)(n->nv + n->nrot) * sizeof(double));
  assert_memory_equal(a->v, b->v, (size_t)n->nv * sizeof(double));
  assert_memory_equal(a->vd, b->vd, (size_t)n->nv * sizeof(double));
  assert_int_equal(trm_sim_counters(first)->steps, trm_sim_counters(second)->steps + 10);
  trm_sim_free(first);
  trm_sim_free(second);
  typed_close(&m);
}

/* ---- refusals -------------------------------------------------------------------------------- */

#define POINT(...) "trammel: 1\ngravity: [0, -1, 0]\nbodies:\n  bob: {type: point, mass: 1, " \
                   "at: [1, 0, 0]" __VA_ARGS__ "}\nsimulate: {end: 1, integrator: smooth}\n"     \
                   "forces:\n"
#define ROD(...) "  rod: {type: spring, bodies: [ground, bob], points: [[0, 0, 0], [1, 0, 0]], " \
                 "length: 0.999, vibrations: averaged, " __VA_ARGS__ "}\n"

/* A block in a guide next to it. */
#define GUIDE(...) "trammel: 1\nbodies:\n  bob: {type: point, mass: 1, at: [1, 0, 0]}\n"          \
                   "  block: {mass: 1, inertia: [1, 1, 1], at: [3, 0, 0], velocity: [1, 0, 0]}\n" \
                   "joints:\n  guide: {type: translational, bodies: [ground, block], "            \
                   "at: [3, 0, 0], axis: [1, 0, 0], " __VA_ARGS__ "}\n"                           \
                   "simulate: {end: 1, integrator: smooth}\nforces:\n" ROD("stiffness: 1e6")

static const struct {
  const char *text, *says;
} refused[] = {
  {GUIDE("limits: {upper: 0.3, stiffness: 2e4, depth: 1 mm}"),
   "does not treat stops and contacts, as 'guide"},
  {GUIDE("friction: {static: 0.3, dynamic: 0.2, velocity: 5 mm/s}"),
   "does not treat dry friction, as 'guide"},
  {GUIDE("friction: {static: 0.3, dynamic: 0.2, velocity: 5 mm/s, model: bristle}"),
   "does not treat friction with bristles, as 'guide"},
  {POINT("") ROD("stiffness: 1e6") "equations:\n  variables: {w: 0.5*sin(w) + bob.y}\n",
   "does not treat variables in a loop, as 'w'"},
  {GUIDE("") "equations:\n  states: {mean: {value: 0, rate: guide.force.z - mean}}\n",
   "does not treat states that depend on accelerations or reactions, as 'mean'"},
  {POINT("") "  rod: {type: spring, bodies: [ground, bob], points: [[0, 0, 0], [1, 0, 0]], "
             "stiffness: 1e6}\n", "write 'vibrations: averaged'"},
  {POINT("") ROD("stiffness: -1e6"), "not positive definite at 'rod.length'"},
  {POINT("") ROD("stiffness: 1e6")
   "  again: {type: spring, bodies: [ground, bob], points: [[0, 0, 0], [1, 0, 0]], length: 1, "
   "stiffness: 1e6, vibrations: averaged}\n", "cannot vibrate"},
  {POINT("") ROD("stiffness: 1e6")
   "equations:\n  events:\n    low: {when: bob.y + 0.5, do: stop}\n",
   "does not treat events, as 'low'"},
  {POINT("") ROD("stiffness: 1e6")
   "  side: {type: spring, bodies: [ground, bob], points: [[1, 1, 0], [1, 0, 0]], length: 1, "
   "stiffness: 2e6, vibrations: averaged}\n"
   "  up: {type: spring, bodies: [ground, bob], points: [[1, 0, 1], [1, 0, 0]], length: 1, "
   "stiffness: 3e6, vibrations: averaged}\n", "nothing slow is left"},
  {POINT(", velocity: [0, 20, 0]") ROD("stiffness: 1e4")
   "  side: {type: spring, bodies: [ground, bob], points: [[1, 1, 0], [1, 0, 0]], length: 0.999, "
   "stiffness: 4e4, vibrations: averaged}\n", "nearly in a ratio of two"},
  {"trammel: 1\nbodies:\n  bob: {type: point, mass: 1, at: [1, 0, 0]}\n"
   "repeat:\n  row: {count: 6, bodies: {c<i>: {type: point, mass: 1, at: [<i+2>, 0, 0]}}}\n"
   "simulate: {end: 1, integrator: smooth, tolerance: 1e-8}\nforces:\n" ROD("stiffness: 1e4"),
   "counts for up to 12 slow freedoms; here are 20"},
  {POINT("") ROD("stiffness: 1e6, value: 8e5*(rod.length - 0.999)"), "they are nearly as stiff"},
};

/* By name, at the start or in the first step. */
static void what_cannot_be_done_is_refused_by_name(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    trm_error err = {.message = ""};
    trm_sim *sim = NULL;
    typed m = typed_text(refused[i].text, "refused.yaml", NULL);
    trm_status status = trm_sim_create(m.system, &m.options, &sim, &err);
    if (status == TRM_OK) status = trm_sim_run(sim, &err);
    if (status >= 0 || strstr(err.message, refused[i].says) == NULL) {
      fail_msg("case %d: status %d, '%s'", (int)i, (int)status, err.message);
    }
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* The 0.1 of [OSC] is too large for the bushing; fixed steps as short as the vibration are. */
static void runs_that_leave_the_range_stop(void **unused) {
  (void)unused;
  static const char *const says[] = {"its beat with another one", "its phase advances by 1 radian"};
  for (int i = 0; i < 2; i++) {
    const trm_setting settings[] = {{.name = "size", .value = i == 0 ? "0.1" : "0.001"}, {0}};
    typed m = typed_model("smooth-bushing", settings);
    trm_options o = m.options;
    trm_error err = {.message = ""};
    trm_sim *sim = NULL;
    if (i == 1) o.steps[0] = 0.01, o.nsteps = 1;
    trm_status status = trm_sim_create(m.system, &o, &sim, &err);
    if (status == TRM_OK) status = trm_sim_run(sim, &err);
    assert_int_equal(status, TRM_ERR_STEP);
    if (strstr(err.message, says[i]) == NULL) fail_msg("'%s'", err.message);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_is_followed_by_long_steps),
      cmocka_unit_test(vibrations_push_the_slow_motion),
      cmocka_unit_test(tolerance_controls_the_slow_motion),
      cmocka_unit_test(bushing_is_good_for_small_vibrations),
      cmocka_unit_test(turning_bodies_start_in_full_motion),
      cmocka_unit_test(damping_takes_the_vibration_away),
      cmocka_unit_test(stiff_blocks_are_those_of_the_deformations),
      cmocka_unit_test(samples_lie_on_the_motion),
      cmocka_unit_test(a_restart_gives_the_same_bits),
      cmocka_unit_test(what_cannot_be_done_is_refused_by_name),
      cmocka_unit_test(runs_that_leave_the_range_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
