/* Mechanisms without freedom: positions, velocities and driving forces at every sample against
 * closed forms; models that cannot be solved in this manner are rejected by name. */
#include "fault/memory.h"
#include "verify/typed.h"

/* --- slider crank, driven ----------------------------------------------------- */

static const char crank_text[] =
    "trammel: 1\n"
    "name: driven crank\n"
    "parameters: {speed: 5, l1: 0.3, l2: 0.8, J1: 0.02, J2: 0.1, m3: 3, weight: 7}\n"
    "equations:\n"
    "  coordinates:\n"
    "    phi: {value: 0.2, kind: angle}\n"
    "    psi: {value: -0.1, kind: angle}\n"
    "    x: {value: 1, kind: length}\n"
    "  variables: {lift: weight*sin(phi)}\n"
    "  kinetic: 0.5*J1*phi'^2 + 0.5*J2*psi'^2 + 0.5*m3*x'^2\n"
    "  forces: {x: -lift}\n"
    "  constraints:\n"
    "    line: l1*sin(phi) + l2*sin(psi)\n"
    "    length: x - l1*cos(phi) - l2*cos(psi)\n"
    "    drive: phi - speed*time - 0.2\n"
    "simulate: {end: 2, integrator: kinematic}\n";

/* Closed form at a time: positions, rates, accelerations of phi, psi, x. */
typedef struct crank {
  double q[3], v[3], vd[3];
} crank;

static crank crank_at(double t) {
  const double w = 5, l1 = 0.3, l2 = 0.8, phi = w * t + 0.2;
  const double s = -l1 / l2 * sin(phi), s1 = -l1 / l2 * cos(phi) * w, s2 = -s * w * w;
  const double c = sqrt(1 - s * s), psi1 = s1 / c, psi2 = (s2 + s * psi1 * psi1) / c;
  return (crank){
      .q = {phi, asin(s), l1 * cos(phi) + l2 * c},
      .v = {w, psi1, -l1 * sin(phi) * w - l2 * s * psi1},
      .vd = {0, psi2, -l1 * cos(phi) * w * w - l2 * c * psi1 * psi1 - l2 * s * psi2},
  };
}

typedef struct watch {
  int samples;
  double last;
} watch;

static trm_status watch_crank(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  watch *w = self;
  const trm_state *s = sample->state;
  const crank c = crank_at(s->t);
  for (int i = 0; i < 3; i++) {
    /* rounding of angles up to 10 rad, of 1e-14 in g */
    CHECK_NEAR(s->q[i], c.q[i], 1e-13, "q%d at %g", i, s->t);
    CHECK_NEAR(s->v[i], c.v[i], 1e-12, "v%d at %g", i, s->t);   /* times 5 */
    CHECK_NEAR(s->vd[i], c.vd[i], 1e-11, "vd%d at %g", i, s->t); /* times 25 */
  }
  /* virtual power: the drive does what masses and the force -lift on x take */
  const double lift = 7 * sin(c.q[0]);
  const double power = 0.1 * c.v[1] * c.vd[1] + 3 * c.v[2] * c.vd[2] + lift * c.v[2];
  CHECK_NEAR(sample->shown[0], lift, 1e-12, "variable at %g", s->t);
  CHECK_NEAR(-s->lam[2] * 5, power, 1e-10, "power at %g", s->t); /* numbers of size 100 */
  if (w->samples > 0) assert_true(s->t > w->last);
  w->last = s->t;
  w->samples++;
  return TRM_OK;
}

static void run_crank(const trm_options *options, int samples) {
  trm_error err;
  typed m = typed_text(crank_text, "crank", NULL);
  trm_options o = *options;
  o.integrator = "kinematic", o.end = 2.0;
  watch w = {0};
  trm_sim *sim = kit_sim(m.system, &o);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &w, .sample = watch_crank}, &err), err);
  kit_run(sim);
  assert_int_equal(w.samples, samples);
  assert_string_equal(trm_sim_integrator(sim), "kinematic");
  /* rounding of g: |q| is 10 */
  CHECK_BETWEEN(trm_sim_counters(sim)->violation_position, 0.0, 1e-14, "violation");
  trm_sim_free(sim);
  typed_close(&m);
}

static void driven_crank_is_its_closed_form_at_every_sample(void **unused) {
  (void)unused;
  trm_options o = trm_options_default();
  o.outputs = 40;
  run_crank(&o, 41);
  o.outputs = 0, o.output_step = 0.013; /* samples beside the steps */
  o.nsteps = 1, o.steps[0] = 0.05;
  run_crank(&o, 155);
}

/* 1.5 rad of the crank at a time: the guess is far off, Newton needs steps between. */
static void long_steps_stay_on_their_branch(void **unused) {
  (void)unused;
  trm_options o = trm_options_default();
  o.nsteps = 1, o.steps[0] = 0.3, o.output_step = 0.1;
  run_crank(&o, 21);
  o.nsteps = 0, o.output_step = 0.0, o.step_max = 2.0, o.outputs = 10;
  run_crank(&o, 11);
}

/* --- a body whose rotation is given ------------------------------------------- */

static const double spin = 3.0, tilt = 2.0; /* [rad/s] */
static const double J[3] = {0.3, 0.5, 0.7};

typedef struct quat {
  double c[4];
} quat;

static quat product(quat a, quat b) {
  const double *p = a.c, *q = b.c;
  return (quat){{p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                 p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                 p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                 p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]}};
}

static quat conjugate(quat a) {
  return (quat){{a.c[0], -a.c[1], -a.c[2], -a.c[3]}};
}

static quat pure(const double v[3]) {
  return (quat){{0.0, v[0], v[1], v[2]}};
}

/* p = turn about z by spin t, then about x by tilt t; rates in body axes and their derivatives */
static quat given_turn(double t, double w[3], double wd[3]) {
  const double z = 0.5 * spin * t, x = 0.5 * tilt * t, a = tilt * t;
  w[0] = tilt, w[1] = spin * sin(a), w[2] = spin * cos(a);
  wd[0] = 0.0, wd[1] = spin * tilt * cos(a), wd[2] = -spin * tilt * sin(a);
  return product((quat){{cos(z), 0, 0, sin(z)}}, (quat){{cos(x), sin(x), 0, 0}});
}

static void body_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 3, .nrot = 1, .ng = 3};
}

static int body_rotation(const void *self, int i) {
  (void)self, (void)i;
  return 0;
}

static trm_status body_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_OK;
}

/* r = p* q, g = 2 (r1, r2, r3), G = r0 I + [r]x, r' = (r w - wp r)/2 */
static trm_status body_values(void *self, const trm_state *s, const trm_values *out,
                              trm_error *err) {
  (void)self, (void)err;
  double wp[3], wpd[3];
  const quat p = given_turn(s->t, wp, wpd), q = {{s->q[0], s->q[1], s->q[2], s->q[3]}};
  const quat r = product(conjugate(p), q), w = pure(s->v);
  quat rate = product(r, w), turn = product(pure(wp), r), rd;
  for (int k = 0; k < 4; k++) rate.c[k] -= turn.c[k], rd.c[k] = 0.5 * rate.c[k];
  const quat a = product(rd, w), b = product(pure(wp), rd), c = product(pure(wpd), r);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (out->motion != NULL) { /* J w' + w x J w + G^T lam */
      const double gyro = (J[k] - J[j]) * s->v[j] * s->v[k];
      const double pull = r.c[0] * s->lam[i] + r.c[1 + k] * s->lam[j] - r.c[1 + j] * s->lam[k];
      out->motion[i] = J[i] * s->vd[i] + gyro + pull;
    }
    if (out->g != NULL) out->g[i] = 2 * r.c[1 + i];
    if (out->g_rate != NULL) out->g_rate[i] = rate.c[1 + i];
    if (out->g_bias != NULL) out->g_bias[i] = a.c[1 + i] - b.c[1 + i] - c.c[1 + i];
  }
  if (out->energy != NULL) memset(out->energy, 0, 3 * sizeof(double));
  return TRM_OK;
}

static const trm_system_ops body_ops = {.name = "turned body", .sizes = body_sizes,
                                        .rotation = body_rotation, .start = body_start,
                                        .values = body_values, .gives_rates = true};

static trm_status watch_body(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  watch *w = self;
  const trm_state *s = sample->state;
  double wp[3], wpd[3];
  const quat p = given_turn(s->t, wp, wpd), q = {{s->q[0], s->q[1], s->q[2], s->q[3]}};
  const quat r = product(conjugate(p), q);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    CHECK_NEAR(2 * r.c[1 + i], 0.0, 1e-13, "angle %d at %g", i, s->t); /* rounding of g */
    CHECK_NEAR(s->v[i], wp[i], 1e-12, "rate %d at %g", i, s->t);
    /* G by differences of a linear function: rounding over its unit vectors */
    CHECK_NEAR(-s->lam[i], J[i] * wpd[i] + (J[k] - J[j]) * wp[j] * wp[k], 1e-10, "moment %d", i);
  }
  w->samples++;
  return TRM_OK;
}

static void turned_body_follows_its_rotation(void **unused) {
  (void)unused;
  trm_error err;
  trm_system *sys = kit_system(&body_ops, NULL);
  trm_options o = trm_options_default();
  o.integrator = "kinematic", o.end = 6.0, o.outputs = 60; /* 0.36 rad a step, several turns */
  watch w = {0};
  trm_sim *sim = kit_sim(sys, &o);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &w, .sample = watch_body}, &err), err);
  kit_run(sim);
  assert_int_equal(w.samples, 61);
  trm_sim_free(sim);
  trm_system_free(sys);
}

/* --- three parallel cranks: one is redundant, and all fold flat at phi = pi --------- */

static const char parallel_text[] =
    "trammel: 1\n"
    "name: parallel cranks\n"
    "parameters: {r: 0.5, m: 2}\n"
    "equations:\n"
    "  coordinates: {a: {value: 0.3}, b: {value: 0.3}, c: {value: 0.3}, x: {value: 0.5},\n"
    "                y: {value: 0.15}, tilt: {value: 0}}\n"
    "  kinetic: 0.5*m*(x'^2 + y'^2) + 0.01*(a'^2 + b'^2 + c'^2 + tilt'^2)\n"
    "  potential: 9.81*m*y\n"
    "  constraints:\n"
    "    ax: x - cos(tilt) - r*cos(a) + 1\n"
    "    ay: y - sin(tilt) - r*sin(a)\n"
    "    bx: x - r*cos(b)\n"
    "    by: y - r*sin(b)\n"
    "    cx: x + cos(tilt) - r*cos(c) - 1\n"
    "    cy: y + sin(tilt) - r*sin(c)\n"
    "    drive: a - 0.3 - time\n"
    "simulate: {end: 5, integrator: kinematic, outputs: 50}\n";

static trm_status watch_parallel(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  watch *w = self;
  const trm_state *s = sample->state;
  for (int i = 0; i < 3; i++) CHECK_NEAR(s->q[i], 0.3 + s->t, 1e-12, "crank %d, %g s", i, s->t);
  CHECK_NEAR(s->q[5], 0.0, 1e-12, "tilt at %g", s->t);
  /* power of the drive against weight; the motion is uniform. Shares of redundant constraints
   * carry noise (theory page 6), which does no work. */
  CHECK_NEAR(-s->lam[6], 9.81 * 2 * 0.5 * cos(0.3 + s->t), 1e-9, "torque at %g", s->t);
  w->samples++;
  return TRM_OK;
}

static void redundant_cranks_turn_through_their_flat_pose(void **unused) {
  (void)unused;
  trm_error err;
  typed m = typed_text(parallel_text, "parallel", NULL);
  watch w = {0};
  trm_sim *sim = kit_sim(m.system, &m.options);
  const trm_rank *rank = trm_sim_rank(sim);
  assert_int_equal(rank->rows - rank->rank, 1);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &w, .sample = watch_parallel}, &err), err);
  kit_run(sim);
  assert_int_equal(w.samples, 51);
  trm_sim_free(sim);
  typed_close(&m);
}

/* --- checkpoints ------------------------------------------------------------------- */

typedef struct tape {
  size_t size;
  unsigned char data[1 << 14];
} tape;

static trm_status keep_first(void *self, double t, const void *data, size_t size, trm_error *err) {
  (void)t, (void)err;
  tape *p = self;
  assert_true(size <= sizeof p->data);
  if (p->size == 0) memcpy(p->data, data, size), p->size = size;
  return TRM_OK;
}

static void a_run_goes_on_from_a_checkpoint_to_the_same_bits(void **unused) {
  (void)unused;
  trm_error err;
  static tape saved;
  static kit_record whole, rest;
  double q[3], lam[3];
  for (int k = 0; k < 2; k++) {
    typed m = typed_text(crank_text, "crank", NULL);
    m.options.output_step = 0.03, m.options.step_max = 0.07, m.options.checkpoint_steps = 11;
    trm_sim *sim = kit_sim(m.system, &m.options);
    kit_listen(sim, k == 0 ? &whole : &rest);
    const trm_sink tape_sink = {.self = &saved, .checkpoint = keep_first};
    if (k == 0) CHECK_OK(trm_sim_add_sink(sim, &tape_sink, &err), err);
    if (k == 1) CHECK_OK(trm_sim_load(sim, saved.data, saved.size, &err), err);
    kit_run(sim);
    const trm_state *s = trm_sim_state(sim);
    if (k == 1) assert_memory_equal(q, s->q, sizeof q);
    if (k == 1) assert_memory_equal(lam, s->lam, sizeof lam);
    memcpy(q, s->q, sizeof q);
    memcpy(lam, s->lam, sizeof lam);
    trm_sim_free(sim);
    typed_close(&m);
  }
  const int skipped = whole.nsamples - rest.nsamples;
  assert_true(rest.nsamples > 10 && skipped > 10);
  for (int i = 0; i < rest.nsamples; i++) {
    assert_memory_equal(whole.sample_q[skipped + i], rest.sample_q[i], sizeof rest.sample_q[i]);
  }
}

static void the_time_loop_takes_no_memory(void **unused) {
  (void)unused;
  trm_error err;
  meter ours = {0};
  typed m = typed_text(crank_text, "crank", NULL);
  m.options.allocator = meter_allocator(&ours);
  m.options.nsteps = 1, m.options.steps[0] = 0.3, m.options.output_step = 0.1;
  kit_record record;
  trm_sim *sim = kit_sim(m.system, &m.options);
  kit_listen(sim, &record);
  bool done = false;
  CHECK_OK(trm_sim_step(sim, &done, &err), err);
  ours.is_shut = true;
  while (!done) CHECK_OK(trm_sim_step(sim, &done, &err), err);
  assert_int_equal(ours.refused, 0);
  assert_int_equal(record.nsamples, 21);
  trm_sim_free(sim);
  typed_close(&m);
}

/* --- refusals ---------------------------------------------------------------------- */

static void check_refused(const char *equations, const char *message, const char *what) {
  trm_error err = {.message = ""};
  char text[1000];
  trm_sim *sim = NULL;
  snprintf(text, sizeof text, "trammel: 1\nequations:\n%s\nsimulate: {end: 1}\n", equations);
  typed m = typed_text(text, what, NULL);
  m.options.integrator = "kinematic";
  CHECK_STATUS(trm_sim_create(m.system, &m.options, &sim, &err), TRM_ERR_INPUT);
  if (strstr(err.message, message) == NULL) fail_msg("%s: '%s'", what, err.message);
  assert_non_null(strstr(err.message, "hht"));
  typed_close(&m);
}

static void what_is_free_to_move_is_refused_by_name(void **unused) {
  (void)unused;
  check_refused("  coordinates: {x: 0.6, y: 0.8}\n  kinetic: 0.5*(x'^2 + y'^2)\n"
                "  constraints: {rod: x^2 + y^2 - 1}",
                "1 freedom is left, for example of '", "pendulum");
  check_refused("  coordinates: {x: 0, y: 0}\n  kinetic: 0.5*(x'^2 + y'^2)",
                "2 freedoms are left, for example of 'x', 'y'", "point");
  /* the rod stands across its drive */
  check_refused("  coordinates: {x: 1, y: 0}\n  kinetic: 0.5*(x'^2 + y'^2)\n"
                "  constraints: {rod: x^2 + y^2 - 1, drive: x - cos(time)}",
                "1 freedom is left at the start, for example of 'y', although", "singular pose");
  check_refused("  coordinates: {x: 0}\n  kinetic: 0.5*x'^2\n  constraints: {c: x - time}\n"
                "  states: {p: {value: 0, rate: 1 - p}}",
                "the state 'p' has a rate", "state");
  check_refused("  coordinates: {x: 0}\n  kinetic: 0.5*x'^2\n  nonholonomic: {roll: x' - 1}",
                "the constraint 'roll' is one of velocities", "rolling");
}

/* The rod is too short for the crank to turn over: the run stops there and says what does not
 * close. */
static void a_mechanism_that_locks_is_named(void **unused) {
  (void)unused;
  trm_error err = {.message = ""};
  const trm_setting settings[] = {{"l2", "0.2"}, {NULL, NULL}};
  for (int fixed = 0; fixed < 2; fixed++) {
    typed m = typed_text(crank_text, "crank", settings);
    m.options.nsteps = fixed, m.options.steps[0] = 0.01;
    trm_sim *sim = kit_sim(m.system, &m.options);
    const trm_status status = trm_sim_run(sim, &err);
    assert_true(status == TRM_ERR_STEP || status == TRM_ERR_SINGULAR);
    /* 0.3 sin(phi) = 0.2: phi = 0.7297 rad at t = 0.1059 s; fixed steps end at their grid */
    CHECK_BETWEEN(trm_sim_state(sim)->t, 0.0999, 0.10595, "locked at");
    assert_non_null(strstr(err.message, "'line'"));
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* Two drives of one crank that part at 0.5 s. */
static void contradicting_drives_are_named(void **unused) {
  (void)unused;
  trm_error err = {.message = ""};
  for (int fixed = 0; fixed < 2; fixed++) {
    typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 0}\n  kinetic: 0.5*x'^2\n"
                         "  constraints:\n    a: x - time\n"
                         "    b: 2*x - 2*time - 0.1*step(time, 0.5, 0, 0.6, 1)\n"
                         "simulate: {end: 1, integrator: kinematic}\n", "drives", NULL);
    m.options.nsteps = fixed, m.options.steps[0] = 0.01;
    trm_sim *sim = kit_sim(m.system, &m.options);
    assert_true(trm_sim_run(sim, &err) < 0);
    /* the drives part by 0.1*3*(10 (t - 0.5))^2, which is noticed at 1e-10: 2e-6 s later */
    CHECK_BETWEEN(trm_sim_state(sim)->t, 0.489, 0.50001, "end of the run");
    assert_true(strstr(err.message, "'a'") != NULL || strstr(err.message, "'b'") != NULL);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(driven_crank_is_its_closed_form_at_every_sample),
      cmocka_unit_test(long_steps_stay_on_their_branch),
      cmocka_unit_test(turned_body_follows_its_rotation),
      cmocka_unit_test(redundant_cranks_turn_through_their_flat_pose),
      cmocka_unit_test(a_run_goes_on_from_a_checkpoint_to_the_same_bits),
      cmocka_unit_test(the_time_loop_takes_no_memory),
      cmocka_unit_test(what_is_free_to_move_is_refused_by_name),
      cmocka_unit_test(a_mechanism_that_locks_is_named),
      cmocka_unit_test(contradicting_drives_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
