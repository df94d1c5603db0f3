/* Shipped mechanisms against stated answers: robot arm, Stewart platform, quarter car. */
#include "math/so3.h"
#include "math/vec.h"
#include "trammel/analysis.h"
#include "verify/watch.h"

static void check_freedoms(const char *name, int expected) {
  int freedoms;
  assert_int_equal(watch_redundant(name, &freedoms), 0);
  assert_int_equal(freedoms, expected);
}

/* x turned about a unit axis */
static trmi_vec3 turn(trmi_vec3 axis, double angle, trmi_vec3 x) {
  const trmi_vec3 across = v3_cross(axis, x);
  return v3_add(v3_add(v3_scale(cos(angle), x), v3_scale(sin(angle), across)),
                v3_scale((1 - cos(angle)) * v3_dot(axis, x), axis));
}

/* ---- robot arm ---------------------------------------------------------------------------- */

enum { JOINTS = 6 };

/* The stretched pose of the model, and its controller. */
static const struct {
  double axis[3], at[3], mass, centre[3], K, target;
} arm[JOINTS] = {
  {{0, 0, 1}, {0, 0, 0}, 30, {0, 0, 0.3}, 3000, 40},
  {{0, -1, 0}, {0, 0, 0.6}, 12, {0.25, 0, 0.6}, 4000, 50},
  {{0, -1, 0}, {0.5, 0, 0.6}, 7, {0.68, 0, 0.6}, 2000, -70},
  {{1, 0, 0}, {0.9, 0, 0.6}, 2, {0.92, 0, 0.6}, 300, 30},
  {{0, -1, 0}, {0.96, 0, 0.6}, 1.5, {1.0, 0, 0.6}, 300, 45},
  {{1, 0, 0}, {1.04, 0, 0.6}, 2.5, {1.12, 0.03, 0.57}, 100, 60},
};

/* Torques that hold the weight at given angles: each part turns about all joints before it, the
 * last one first. */
static void weights(const double *angle, double *torque) {
  trmi_vec3 axis[JOINTS], at[JOINTS], centre[JOINTS];
  for (int k = 0; k < JOINTS; k++) {
    axis[k] = v3_load(arm[k].axis), at[k] = v3_load(arm[k].at), centre[k] = v3_load(arm[k].centre);
  }
  for (int i = JOINTS - 1; i >= 0; i--) {
    const trmi_vec3 a = v3_load(arm[i].axis), p = v3_load(arm[i].at);
    for (int k = i; k < JOINTS; k++) {
      centre[k] = v3_add(p, turn(a, angle[i], v3_sub(centre[k], p)));
      at[k] = v3_add(p, turn(a, angle[i], v3_sub(at[k], p)));
      axis[k] = turn(a, angle[i], axis[k]);
    }
  }
  for (int i = 0; i < JOINTS; i++) {
    torque[i] = 0.0;
    for (int k = i; k < JOINTS; k++) {
      const trmi_vec3 way = v3_cross(axis[i], v3_sub(centre[k], at[i]));
      torque[i] += arm[k].mass * 9.81 * v3_dot(v3(0, 0, 1), way);
    }
  }
}

/* K (target - angle) = torque(angle), by repetition: torques change by 5 % of K at most. */
static void find_rest(double *angle) {
  double torque[JOINTS] = {0};
  for (int k = 0; k < 60; k++) {
    for (int i = 0; i < JOINTS; i++) {
      angle[i] = arm[i].target * acos(-1.0) / 180 - torque[i] / arm[i].K;
    }
    weights(angle, torque);
  }
}

static void look_at_arm(const trm_sample *sample, watch *w) {
  const double *rest = w->about, *x = sample->state->x;
  const double energy = sample->kinetic + sample->potential;
  if (w->count == 0) w->worst[7] = energy;
  watch_note(w, 0, energy - w->worst[7], x[6]); /* the state `work` */
  for (int i = 0; i < JOINTS && sample->state->t > 3.99; i++) {
    watch_note(w, 1, sample->outputs[i], rest[i]);
    watch_note(w, 2, x[i], arm[i].K * (arm[i].target * acos(-1.0) / 180 - rest[i]));
  }
}

static void the_arm_rests_where_its_motors_carry_the_weight(void **state) {
  (void)state;
  double rest[JOINTS];
  find_rest(rest);
  check_freedoms("robot-arm", 6);
  typed m = typed_model("robot-arm", NULL);
  m.options.integrator = "radau";
  m.options.tolerance = 1e-9;
  const watch w = watch_run_about(&m, look_at_arm, rest, NULL);
  print_message("robot arm: angles %.1e, torques %.1e, energy against work %.1e\n", w.worst[1],
                w.worst[2], w.worst[0]);
  /* the slowest part of the controller, K/D = 7.5 1/s of the first joint: exp(-22) of 0.1 rad after
   * three seconds, and the tolerance */
  CHECK_NEAR(w.worst[1], 0.0, 1e-8, "angles at rest");
  CHECK_NEAR(w.worst[2], 0.0, 1e-5, "torques at rest"); /* times K */
  CHECK_NEAR(w.worst[0], 0.0, 1e-5, "work of the motors"); /* of 100 J and 1e-9 in a step */
  typed_close(&m);
}

/* ---- Stewart platform --------------------------------------------------------------------- */

/* Place, turn and their first two derivatives by the path of the model. */
typedef struct pose {
  trmi_vec3 x, v, a, e;
  double    angle, rate, bend;
} pose;

static pose path_at(double t) {
  const double w = 2, x0 = 0.15, y0 = 0.1, z0 = 0.08, a0 = 0.25;
  const double s1 = sin(w * t), s2 = sin(2 * w * t), s3 = sin(3 * w * t);
  return (pose){
    .x = v3(x0 * s1, y0 * s2, 1.1 + z0 * s3),
    .v = v3(x0 * w * cos(w * t), 2 * y0 * w * cos(2 * w * t), 3 * z0 * w * cos(3 * w * t)),
    .a = v3_scale(-w * w, v3(x0 * s1, 4 * y0 * s2, 9 * z0 * s3)),
    .e = v3(2.0 / 7, 3.0 / 7, 6.0 / 7),
    .angle = a0 * s2, .rate = 2 * a0 * w * cos(2 * w * t), .bend = -4 * a0 * w * w * s2};
}

/* Angle of foot or ball i by half the angle of a pair. */
static trmi_vec3 on_circle(double radius, int i, double gap) {
  const double angle = (120 * (i / 2) + (i % 2 == 0 ? -gap : gap)) * acos(-1.0) / 180;
  return v3(radius * cos(angle), radius * sin(angle), 0);
}

/* Newton and Euler for the platform alone, on legs without mass: force and torque (body axes) that
 * are left over. */
static void balance(const pose *p, const double *forces, trmi_vec3 *force, trmi_vec3 *torque) {
  const trmi_vec3 J = v3(6, 8, 11), spin = v3_scale(p->rate, p->e);
  *force = v3_scale(-80, v3_add(p->a, v3(0, 0, 9.81)));
  *torque = v3_neg(v3_add(v3_times(J, v3_scale(p->bend, p->e)), v3_cross(spin, v3_times(J, spin))));
  for (int i = 0; i < 6; i++) {
    const trmi_vec3 ball = on_circle(0.5, i, 48);
    const trmi_vec3 at = v3_add(p->x, turn(p->e, p->angle, ball));
    const trmi_vec3 leg = v3_sub(at, on_circle(0.9, i, 12));
    const trmi_vec3 push = v3_scale(forces[i] / v3_norm(leg), leg);
    *force = v3_add(*force, push);
    *torque = v3_add(*torque, v3_cross(ball, turn(p->e, -p->angle, push)));
  }
}

static void look_at_platform(const trm_sample *sample, watch *w) {
  const trm_state *s = sample->state;
  const pose p = path_at(s->t);
  const double half = 0.5 * p.angle, sign = s->q[3] < 0 ? -1 : 1;
  const double expected[4] = {cos(half), p.e.x * sin(half), p.e.y * sin(half), p.e.z * sin(half)};
  watch_note(w, 0, v3_norm(v3_sub(v3_load(s->q), p.x)), 0.0);
  for (int k = 0; k < 4; k++) watch_note(w, 1, sign * s->q[3 + k], expected[k]);
  watch_note(w, 2, v3_norm(v3_sub(v3_load(s->v), p.v)), 0.0);
  double power = 0.0;
  for (int i = 0; i < 6; i++) power += sample->outputs[i] * sample->outputs[6 + i];
  watch_note(w, 3, sample->power, power);
  trmi_vec3 force, torque;
  balance(&p, sample->outputs, &force, &torque);
  watch_note(w, 4, v3_norm(force), 0.0);
  watch_note(w, 5, v3_norm(torque), 0.0);
}

static void the_platform_follows_its_path(void **state) {
  (void)state;
  check_freedoms("stewart-platform", 0);
  typed m = typed_model("stewart-platform", NULL);
  const watch w = watch_run(&m, look_at_platform, NULL);
  print_message("Stewart platform: place %.1e, turn %.1e, velocity %.1e, power %.1e, energy %.1e\n",
                w.worst[0], w.worst[1], w.worst[2], w.worst[3],
                w.last_energy - w.first_energy - w.work);
  assert_int_equal(w.count, 401);
  CHECK_NEAR(w.worst[0], 0.0, 1e-10, "place");
  CHECK_NEAR(w.worst[1], 0.0, 1e-10, "turn");
  CHECK_NEAR(w.worst[2], 0.0, 1e-10, "velocity");
  CHECK_NEAR(w.worst[3], 0.0, 1e-9, "power of the legs"); /* rounding of 1000 W */
  /* a whole period: both are zero, up to Simpson's error of the sixth part of it */
  CHECK_NEAR(w.last_energy - w.first_energy, w.work, 1e-6, "energy");
  assert_true(w.worst_energy > 100.0); /* while it goes up and down in between */
  assert_true(w.worst[4] > 1.0);       /* legs have mass */
  typed_close(&m);
}

static void its_legs_carry_weight_and_accelerations(void **state) {
  (void)state;
  const trm_setting light[] = {{"mc", "1e-12"}, {"mr", "1e-12"}, {"Jc", "1e-12"},
                               {"Jr", "1e-12"}, {"Ja", "1e-12"}, {0}};
  typed m = typed_model("stewart-platform", light);
  const watch w = watch_run(&m, look_at_platform, NULL);
  print_message("platform on light legs: force %.1e, torque %.1e\n", w.worst[4], w.worst[5]);
  /* rounding of 800 N through a matrix of condition 1e3 */
  CHECK_NEAR(w.worst[4], 0.0, 1e-8, "force");
  CHECK_NEAR(w.worst[5], 0.0, 1e-8, "torque");
  typed_close(&m);
}

/* ---- quarter car -------------------------------------------------------------------------- */

enum { TRAVEL, LIFT, TYRE, STRUT, ROAD, CAMBER, CAR_OUTPUTS };
static const double car_weight = (380 + 42 + 6 + 3) * 9.81;

static void car_at_rest(typed *m, double *outputs, double *ride, double *hop) {
  trm_error err = {.message = ""};
  trm_static *rest = NULL;
  trm_modes *modes = NULL;
  const trm_static_options o = trm_static_options_default();
  const trm_modes_options modes_options = trm_modes_options_default();
  CHECK_OK(trm_static_find(m->system, &o, &rest, &err), err);
  const trm_values values = {.outputs = outputs};
  CHECK_OK(trm_system_values(trm_static_system(rest), trm_static_state(rest), &values, &err), err);
  CHECK_OK(trm_modes_find(trm_static_system(rest), trm_static_state(rest),
                          &modes_options, &modes, &err), err);
  *ride = trm_mode_at(modes, 0).frequency;
  *hop = trm_mode_at(modes, 1).frequency;
  trm_modes_free(modes);
  trm_static_free(rest);
}

static void look_at_car(const trm_sample *sample, watch *w) {
  const double *rest = w->about;
  if (sample->state->t < 9.99) return;
  for (int i = 0; i < CAR_OUTPUTS; i++) watch_note(w, i, sample->outputs[i], rest[i]);
}

static void the_car_rests_on_its_tyre(void **state) {
  (void)state;
  double rest[CAR_OUTPUTS], ride, hop;
  check_freedoms("quarter-car", 12);
  typed m = typed_model("quarter-car", NULL);
  car_at_rest(&m, rest, &ride, &hop);
  print_message("quarter car: lift %.2f mm, strut %.1f N, ride %.3f Hz, wheel %.2f Hz\n",
                1e3 * rest[LIFT], rest[STRUT], ride, hop);
  CHECK_NEAR(rest[TYRE], car_weight, 1e-6, "tyre"); /* what the search leaves unbalanced */
  /* virtual work of the head of the model; bushings turn with the wishbones by 3 mm/0.4 m, which
   * takes 10 N m, and the ratio changes with travel: some percent */
  const double ratio = 0.25 / 0.4 * 0.48 / hypot(0.48, 0.1);
  CHECK_NEAR(rest[STRUT] / ((380 + 4.5) * 9.81 / ratio), 1.0, 0.03, "strut");
  const double wheel_rate = 60000 * ratio * ratio, tyre = 220000;
  const double rough = sqrt(1 / (1 / wheel_rate + 1 / tyre) / 380) / (2 * acos(-1.0));
  /* bushings stiffen the wheel by 800 N/m of 22 kN/m, the geometry by as much */
  CHECK_NEAR(ride / rough, 1.0, 0.06, "ride");
  /* wheel and what the wishbones add, a third of each */
  const double rough_hop = sqrt((wheel_rate + tyre) / (42 + 3)) / (2 * acos(-1.0));
  CHECK_NEAR(hop / rough_hop, 1.0, 0.06, "wheel on its tyre");
  m.options.integrator = "radau";
  m.options.end = 10.0;
  const watch w = watch_run_about(&m, look_at_car, rest, NULL);
  /* ride decays by exp(-1.66 t): 1e-6 of 30 mm after 9.6 s, and of the forces of 1 kN */
  for (int i = 0; i < CAR_OUTPUTS; i++) {
    CHECK_NEAR(w.worst[i], 0.0, i == TYRE || i == STRUT ? 1e-2 : 1e-7, "output %d after a run", i);
  }
  typed_close(&m);
}

enum { CAR_SAMPLES = 2001 };
typedef struct car_path {
  double numbers[CAR_SAMPLES][CAR_OUTPUTS];
} car_path;

static void keep_car(const trm_sample *sample, watch *w) {
  car_path *path = (car_path *)w->about;
  memcpy(path->numbers[w->count], sample->outputs, sizeof path->numbers[0]);
  w->worst[0] = fmax(w->worst[0], sample->outputs[TYRE]);
  w->worst[1] = fmax(w->worst[1], -sample->outputs[TYRE]);
}

static watch run_car(const char *integrator, double tolerance, car_path *path) {
  typed m = typed_model("quarter-car", NULL);
  m.options.integrator = integrator;
  m.options.tolerance = tolerance;
  m.options.outputs = CAR_SAMPLES - 1;
  const watch w = watch_run_about(&m, keep_car, path, NULL);
  typed_close(&m);
  return w;
}

static void a_bump_is_the_same_for_hht_and_radau(void **state) {
  (void)state;
  static car_path by_hht, by_radau;
  const watch radau = run_car("radau", 1e-9, &by_radau);
  const watch hht = run_car("hht", 1e-8, &by_hht);
  double worst[CAR_OUTPUTS] = {0};
  for (int k = 0; k < CAR_SAMPLES; k++) {
    for (int i = 0; i < CAR_OUTPUTS; i++) {
      worst[i] = fmax(worst[i], fabs(by_hht.numbers[k][i] - by_radau.numbers[k][i]));
    }
  }
  print_message("bump: tyre up to %.0f N; hht off radau by %.1e m, %.1e N; energy %.1e of %.1f J\n",
                radau.worst[0], worst[LIFT], worst[TYRE],
                radau.last_energy - radau.first_energy - radau.work, radau.worst_energy);
  assert_true(radau.worst[0] > 1.5 * car_weight && radau.worst[1] == 0.0); /* it never pulls */
  /* hht of order two makes 1e-8 in each of some thousand steps */
  CHECK_NEAR(worst[LIFT], 0.0, 1e-5, "lift");
  CHECK_NEAR(worst[TRAVEL], 0.0, 1e-5, "travel");
  CHECK_NEAR(worst[TYRE], 0.0, 10.0, "tyre");
  /* Simpson over 1 ms of a power that changes within 10 ms and has corners at lift-off */
  CHECK_NEAR(radau.last_energy - radau.first_energy, radau.work, 1e-3 * radau.worst_energy,
             "energy");
  CHECK_NEAR(hht.last_energy, radau.last_energy, 1e-3, "energy of both");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_arm_rests_where_its_motors_carry_the_weight),
    cmocka_unit_test(the_platform_follows_its_path),
    cmocka_unit_test(its_legs_carry_weight_and_accelerations),
    cmocka_unit_test(the_car_rests_on_its_tyre),
    cmocka_unit_test(a_bump_is_the_same_for_hht_and_radau),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
