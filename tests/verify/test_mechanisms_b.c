/* Shipped mechanisms against stated answers: gear train, governor, bushing pendulum in space, block
 * with friction and a stop. */
#include "verify/watch.h"

static void check_freedoms(const char *name, int expected) {
  int freedoms;
  assert_int_equal(watch_redundant(name, &freedoms), 0);
  assert_int_equal(freedoms, expected);
}

static typed open_for(const char *name, const char *integrator, double tolerance) {
  typed m = typed_model(name, NULL);
  m.options.integrator = integrator;
  m.options.tolerance = tolerance;
  return m;
}

/* ---- gear train --------------------------------------------------------------------------- */

/* Acceleration of the motor and the torque of the first pair on it: the head of the model. */
static double train_acceleration(double *tooth) {
  const double n1 = 3, n2 = 2, n3 = 1 + 60.0 / 24, r = 0.084, spin = 1 - 60.0 / 18;
  const double carrier = 0.4 + 3 * (0.8 * r * r + 6e-4 * spin * spin);
  const double total = n1 * n2 * n3;
  const double J = 0.02 + 0.06 / (n1 * n1) + 0.03 / (n1 * n1 * n2 * n2) + carrier / (total * total);
  const double a = (12 - 150 / total) / J;
  *tooth = 0.02 * a - 12;
  return a;
}

static void look_at_train(const trm_sample *sample, watch *w) {
  const double t = sample->state->t, *y = sample->outputs;
  double tooth;
  const double a = train_acceleration(&tooth);
  watch_note(w, 0, y[0], a * t);
  watch_note(w, 1, y[1], 0.5 * a * t * t / (2 * acos(-1.0)));
  watch_note(w, 2, y[2], a * t / 21);
  watch_note(w, 3, y[3], tooth);
  watch_note(w, 4, y[4], 9 * 9.81);
  watch_note(w, 5, y[5], (7 + 3 * 0.8) * 9.81);
}

/* Steps of explicit and radau turn the motor by up to six turns each: none of them is lost. */
static void a_gear_train_has_its_reflected_inertia(void **state) {
  (void)state;
  static const char *const methods[] = {"explicit", "radau"};
  check_freedoms("gear-train", 1);
  for (int k = 0; k < 2; k++) {
    typed m = open_for("gear-train", methods[k], 1e-10);
    const watch w = watch_run(&m, look_at_train, NULL);
    print_message("gear train by %s: speed %.1e, turns %.1e, tooth %.1e, energy %.1e\n", methods[k],
                  w.worst[0], w.worst[1], w.worst[3], w.last_energy - w.first_energy - w.work);
    /* 1e-10 of positions in each of some ten steps of 0.1 s; speeds of 341 rad/s to 1e-8 */
    CHECK_NEAR(w.worst[0], 0.0, 1e-5, "%s: speed of the motor", methods[k]);
    CHECK_NEAR(w.worst[1], 0.0, 1e-6, "%s: turns of the motor", methods[k]);
    CHECK_NEAR(w.worst[2], 0.0, 1e-6, "%s: speed of the carrier", methods[k]);
    /* reactions follow: rounding of 12 N m, and of forces of planets, m_p w^2 r = 18 N */
    CHECK_NEAR(w.worst[3], 0.0, 1e-9, "%s: torque of the first pair", methods[k]);
    CHECK_NEAR(w.worst[4], 0.0, 1e-9, "%s: bearing of the motor", methods[k]);
    CHECK_NEAR(w.worst[5], 0.0, 1e-5, "%s: bearing of the carrier", methods[k]);
    /* power is linear in time: Simpson is exact */
    CHECK_NEAR(w.last_energy - w.first_energy, w.work, 1e-5, "%s: energy", methods[k]);
    typed_close(&m);
  }
}

/* Samples lie inside of steps of up to two turns. */
static void turns_are_counted_inside_of_long_steps(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "alpha", "tdg"};
  for (int k = 0; k < 3; k++) {
    typed m = open_for("gear-train", methods[k], 1e-6);
    const watch w = watch_run(&m, look_at_train, NULL);
    print_message("gear train by %s: turns %.1e\n", methods[k], w.worst[1]);
    CHECK_NEAR(w.worst[1], 0.0, 1e-3, "%s: turns", methods[k]); /* 1e-6 rad in each of 250 steps */
    typed_close(&m);
  }
}

/* The angle 100 t^3/6 cannot be told from the start of a step of one second. */
static void turns_that_cannot_be_counted_are_refused(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "forces: {f: {type: joint, joint: pin, value: 100*time}}\n"
      "outputs: {angle: pin.angle}\n";
  trm_error err = {.message = ""};
  typed m = typed_text(text, "jerk", NULL);
  m.options.integrator = "explicit";
  m.options.end = 1.0;
  m.options.nsteps = 1;
  m.options.steps[0] = 0.1; /* 0.02 rad from what is expected: no trouble */
  trm_sim *sim = kit_sim(m.system, &m.options);
  kit_run(sim);
  trm_sim_free(sim);
  m.options.steps[0] = 1.0;
  sim = kit_sim(m.system, &m.options);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_STEP);
  assert_string_equal(err.object, "joint 'pin'");
  assert_non_null(strstr(err.message, "its angle changes so unevenly"));
  trm_sim_free(sim);
  typed_close(&m);
}

/* ---- governor ----------------------------------------------------------------------------- */

/* The head of the model. */
static double governor_angle(double W) {
  const double m = 1.5, M = 2, g = 9.81, l = 0.3, a = 0.15, k = 400, J = m * l * l + 5e-4;
  const double theta0 = acos(-1.0) / 6;
  return acos((m * g * l + M * g * a + 2 * k * a * a * cos(theta0)) / (W * W * J + 2 * k * a * a));
}

static void look_at_governor(const trm_sample *sample, watch *w) {
  const double t = sample->state->t, *y = sample->outputs, rpm = acos(-1.0) / 30;
  if (fabs(t - 1.5) < 1e-9) watch_note(w, 0, y[0], governor_angle(90 * rpm));
  if (t < 4.99) return;
  watch_note(w, 1, y[0], governor_angle(120 * rpm));
  watch_note(w, 2, y[1], 0.3 * (cos(acos(-1.0) / 6) - cos(y[0])));
  watch_note(w, 4, y[4], (5 + 2 + 2 * 1.5) * 9.81);
}

static void the_governor_comes_to_its_angle(void **state) {
  (void)state;
  check_freedoms("governor", 1);
  /* samples lie inside steps as long as the vibrations: they have some tolerance^0.6 */
  typed m = open_for("governor", "radau", 1e-12);
  m.options.outputs = 2000;
  const watch w = watch_run(&m, look_at_governor, NULL);
  print_message("governor: angle %.1e slow, %.1e fast, weight %.1e, energy %.1e of %.3g\n",
                w.worst[0], w.worst[1], w.worst[4], w.last_energy - w.first_energy - w.work,
                w.work);
  /* with u = 2 a sin(theta) vibrations decay by c u^2/(4 J + 2 M u^2) = 3.2 and 4.6 1/s: what is
   * left of 0.18 rad after 1.5 s, and of 0.1 rad after 2.5 s */
  CHECK_NEAR(w.worst[0], 0.0, 1.4e-3, "angle at the slow speed");
  CHECK_NEAR(w.worst[1], 0.0, 1e-6, "angle at the fast speed");
  CHECK_NEAR(w.worst[2], 0.0, 1e-9, "sleeve"); /* geometry: of the error of positions */
  CHECK_NEAR(w.worst[4], 0.0, 1e-3, "weight"); /* of the accelerations that are left */
  /* Simpson with 2.5 ms of a power that changes within 0.1 s: (h/T)^4 */
  CHECK_NEAR(w.last_energy - w.first_energy, w.work, 1e-6, "energy");
  typed_close(&m);
}

/* ---- bushing pendulum in space ------------------------------------------------------------ */

typedef struct pendulum_path {
  double x[51], y[51], energy[51];
} pendulum_path;

static void keep_pendulum(const trm_sample *sample, watch *w) {
  pendulum_path *path = (pendulum_path *)w->about;
  path->x[w->count] = sample->state->q[3];
  path->y[w->count] = sample->state->q[4];
  path->energy[w->count] = sample->kinetic + sample->potential;
}

static void look_at_bob(const trm_sample *sample, watch *w) {
  const pendulum_path *path = w->about;
  watch_note(w, 0, sample->state->q[7], path->x[w->count]);
  watch_note(w, 1, sample->outputs[0], path->y[w->count]);
  watch_note(w, 2, sample->outputs[1], 0.0);
  watch_note(w, 3, sample->kinetic + sample->potential, path->energy[w->count]);
}

/* In any plane through the x axis the motion is that of the model in the plane. */
static void a_bushing_in_space_is_that_in_the_plane(void **state) {
  (void)state;
  pendulum_path path;
  check_freedoms("bushing-pendulum-space", 2);
  typed plane = open_for("bushing-pendulum", "explicit", 1e-12);
  plane.options.outputs = 50;
  watch_run_about(&plane, keep_pendulum, &path, NULL);
  typed_close(&plane);
  static const char *const tilts[] = {"0", "30 deg", "2 rad"};
  for (int k = 0; k < 3; k++) {
    typed m = typed_model("bushing-pendulum-space", (trm_setting[]){{"tilt", tilts[k]}, {0}});
    m.options.integrator = "explicit";
    m.options.tolerance = 1e-12;
    m.options.outputs = 50;
    const watch w = watch_run_about(&m, look_at_bob, &path, NULL);
    print_message("bushing pendulum, tilt %s: x %.1e, y %.1e, aside %.1e, energy %.1e\n", tilts[k],
                  w.worst[0], w.worst[1], w.worst[2], w.worst[3]);
    /* errors of steps of both, which are not the same, and of samples between them */
    for (int i = 0; i < 2; i++) CHECK_NEAR(w.worst[i], 0.0, 1e-10, "coordinate %d", i);
    CHECK_NEAR(w.worst[2], 0.0, 1e-15, "aside");
    CHECK_NEAR(w.worst[3], 0.0, 1e-10, "energy");
    typed_close(&m);
  }
}

/* ---- block with a stop -------------------------------------------------------------------- */

static void look_at_block(const trm_sample *sample, watch *w) {
  const double t = sample->state->t, *y = sample->outputs, slope = acos(-1.0) / 6, g = 9.81;
  const double a = g * (sin(slope) - 0.25 * cos(slope)), N = 3 * g * cos(slope);
  watch_note(w, 0, y[3], N);
  if (y[0] < 0.3 && w->worst[7] == 0.0) { /* before it meets the stop */
    watch_note(w, 1, y[0], 0.4 * t + 0.5 * a * t * t);
    watch_note(w, 2, y[2], -0.25 * N);
  } else {
    w->worst[7] = 1.0;
    w->worst[6] = fmax(w->worst[6], fabs(y[2])); /* largest friction on the way up and at rest */
  }
  if (t < 9.99) return;
  watch_note(w, 3, y[4], -3 * g * sin(slope));
  watch_note(w, 4, y[0], 0.3 + 3 * g * sin(slope) / 2e4 + 0.5e-3); /* k (way in - depth/2) */
  watch_note(w, 5, y[1], 0.0);
}

static watch run_block(const char *integrator, double end, int outputs) {
  typed m = open_for("block-with-stop", integrator, 1e-10);
  m.options.end = end;
  m.options.outputs = outputs;
  const watch w = watch_run(&m, look_at_block, NULL);
  typed_close(&m);
  return w;
}

static void a_block_slides_into_its_stop_and_rests(void **state) {
  (void)state;
  check_freedoms("block-with-stop", 1);
  /* the tolerance is one of positions: energies at the stop are better by explicit */
  const watch w = run_block("radau", 10.0, 1000), dense = run_block("explicit", 1.5, 30000);
  print_message("block: way %.1e, friction %.1e; at rest stop %.1e, place %.1e, speed %.1e; "
                "energy %.1e of %.3g\n", w.worst[1], w.worst[2], w.worst[3], w.worst[4], w.worst[5],
                dense.last_energy - dense.first_energy - dense.work, dense.work);
  /* the load is rounded off at 1e-4 of the weight: sqrt(N^2 + (1e-4 m g)^2) */
  CHECK_NEAR(w.worst[0], 0.0, 2e-7, "load");
  CHECK_NEAR(w.worst[1], 0.0, 1e-8, "way to the stop"); /* tolerance 1e-10 in some steps */
  CHECK_NEAR(w.worst[2], 0.0, 1e-7, "friction of sliding"); /* that of the load */
  CHECK_BETWEEN(w.worst[6], 0.25 * 25.4, 0.35 * 25.5, "friction of coming to rest");
  /* creeping: friction 1.5 static N v/vs against the stop has a time constant of 0.13 s; e^-60 */
  CHECK_NEAR(w.worst[3], 0.0, 1e-9, "force of the stop at rest");
  CHECK_NEAR(w.worst[4], 0.0, 1e-12, "place of rest");
  CHECK_NEAR(w.worst[5], 0.0, 1e-12, "speed at rest");
  /* Simpson with 50 us of a damper whose 100 W set in within 0.8 ms: (1/16)^3 of 0.08 J */
  CHECK_NEAR(dense.last_energy - dense.first_energy, dense.work, 2e-5, "energy");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_gear_train_has_its_reflected_inertia),
    cmocka_unit_test(turns_are_counted_inside_of_long_steps),
    cmocka_unit_test(turns_that_cannot_be_counted_are_refused),
    cmocka_unit_test(the_governor_comes_to_its_angle),
    cmocka_unit_test(a_bushing_in_space_is_that_in_the_plane),
    cmocka_unit_test(a_block_slides_into_its_stop_and_rests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
