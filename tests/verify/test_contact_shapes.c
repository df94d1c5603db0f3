/* test_contact_shapes.c - capsules, boxes, cylinders, tori and ellipsoids against planes
 * and spheres: rates of
 * gaps, where things rest, how they roll and bounce. */
#include "math/so3.h"
#include "math/vec.h"
#include "trammel/analysis.h"
#include "verify/contact_runs.h"
#include <math.h>

/* Shapes of the body `a`, of 1 kg and with a radius of .05 somewhere. */
static const char *const shapes[] = {
  "sphere: {at: [.01, 0, 0], radius: .05}",
  "capsule: {from: [-.1, .02, 0], to: [.1, 0, .01], radius: .05}",
  "box: {size: [.2, .16, .1], rounding: .01}",
  "cylinder: {from: [-.1, 0, 0], to: [.1, .01, 0], radius: .05}",
  "torus: {axis: [.1, 1, 0], radius: .1, tube: .05}",
  "ellipsoid: {at: [.01, 0, 0], radii: [.15, .08, .05]}",
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ---- gaps ----------------------------------------------------------------------------------- */

/* Against a ball and a plane that move as well. */
static void rates_of_gaps_follow_the_motion(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  for (int k = 0; k < 2 * SHAPES; k++) {
    char text[700];
    uint64_t seed = (uint64_t)k + 1;
    snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
             "  a: {mass: 1, inertia: [.01, .01, .01], shape: {%s}}\n"
             "  b: {mass: 1, inertia: [.01, .01, .01], at: [.1, .2, -.3], shape: {%s}}\n"
             "contacts: {c: {between: [a, b], stiffness: 1e6}}\n", shapes[k / 2],
             k % 2 == 0 ? "plane: {normal: [.3, .2, 1]}" : "sphere: {radius: .05}");
    typed m = typed_text(text, "gaps", NULL);
    const int n = trm_system_sizes(m.system)->ngaps;
    for (int i = 0; i < 5; i++) {
      point p;
      double at[24], plus[24], minus[24], dpi[12];
      const double h = 1e-5;
      assert_true(n <= 8);
      point_clear(&p);
      CHECK_OK(trmi_system_start(m.system, &p.s, &err), err);
      for (int j = 0; j < 12; j++) {
        dpi[j] = .1 * kit_random(&seed);
        p.s.v[j] = kit_random(&seed), p.s.vd[j] = kit_random(&seed);
      }
      trm_system_retract(m.system, p.s.q, dpi, p.s.q);
      contact_gaps_at(m.system, &p, 0.0, at);
      contact_gaps_at(m.system, &p, h, plus), contact_gaps_at(m.system, &p, -h, minus);
      for (int j = 0; j < n; j++) { /* h^2 times derivatives of up to 100; rounding 1e-16/h */
        CHECK_NEAR((plus[3 * j] - minus[3 * j]) / (2 * h), at[3 * j + 1], 1e-7, "%s: rate", text);
        CHECK_NEAR((plus[3 * j + 1] - minus[3 * j + 1]) / (2 * h), at[3 * j + 2], 1e-6, "%s: bend",
                   text);
      }
    }
    typed_close(&m);
  }
}

/* ---- rest ----------------------------------------------------------------------------------- */

/* How high each of them lies on a floor, and on how many points. */
static void shapes_rest_where_they_touch(void **state) {
  (void)state;
  static const struct {
    const char *shape;
    double      height;
    int         points;
  } cases[] = {{"sphere: {radius: .05}", .05, 1},
               {"capsule: {from: [-.1, 0, 0], to: [.1, 0, 0], radius: .05}", .05, 2},
               {"box: {size: [.2, .16, .1], rounding: .01}", .05, 4},
               {"box: {size: [.2, .16, .1]}", .05, 4},
               {"cylinder: {from: [-.1, 0, 0], to: [.1, 0, 0], radius: .05}", .05, 2},
               {"torus: {axis: [0, 1, 0], radius: .1, tube: .05}", .15, 1},
               {"ellipsoid: {radii: [.1, .08, .05]}", .05, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[700];
    trm_error err = {.message = ""};
    snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  ground: {shapes: {floor: {plane: {}}}}\n"
             "  a: {mass: 1, inertia: [.01, .01, .01], at: [0, 0, %g], shape: {%s}}\n"
             "contacts: {c: {between: [a, ground], stiffness: 1e7}}\n", cases[k].height,
             cases[k].shape);
    typed m = typed_text(text, "rest", NULL);
    trm_static *rest = NULL;
    const trm_static_options options = trm_static_options_default();
    CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
    const double depth = pow(9.81 / cases[k].points / 1e7, 1 / 1.5);
    CHECK_NEAR(trm_static_state(rest)->q[2], cases[k].height - depth, 1e-8,
               "%s: tolerance of statics", cases[k].shape);
    trm_static_free(rest);
    typed_close(&m);
  }
}

/* ---- motion --------------------------------------------------------------------------------- */

typedef struct outcome {
  double q[14], v[12], last, energy;
  long   steps;
} outcome;

static outcome run(const char *text, const char *method, double tolerance) {
  typed m = typed_text(text, "shapes", NULL);
  trm_error err = {.message = ""};
  outcome r = {.steps = 0};
  double e[2][3];
  bool done = false;
  trm_sim *sim = typed_sim(&m, method, tolerance);
  const trm_sizes *n = trm_system_sizes(m.system);
  for (int k = 0; k < 2; k++) {
    const trm_state *s = trm_sim_state(sim);
    CHECK_OK(trm_system_values(trm_sim_system(sim), s, &(trm_values){.energy = e[k]}, &err), err);
    for (double h = 0.0, before = 0.0; k == 0 && !done; before = h) {
      const double t = trm_sim_state(sim)->t;
      const trm_status status = trm_sim_step(sim, &done, &err);
      if (status != TRM_OK) fail_msg("%s: %s\n%s", method, err.message, text);
      h = trm_sim_state(sim)->t - t;
      r.last = fmax(h, before);
    }
  }
  memcpy(r.q, trm_sim_state(sim)->q, (size_t)(n->nv + n->nrot) * sizeof *r.q);
  memcpy(r.v, trm_sim_state(sim)->v, (size_t)n->nv * sizeof *r.v);
  r.energy = (e[1][0] + e[1][1]) / (e[0][0] + e[0][1]);
  r.steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

/* About the origin; the inertia of both bodies is the same about all axes. */
static trmi_vec3 angular_momentum(const outcome *r) {
  static const double mass[2] = {1.0, .5}, J[2] = {.01, 1e-3};
  trmi_vec3 L = v3(0, 0, 0);
  for (int i = 0; i < 2; i++) {
    const double *q = r->q + 7 * i, *v = r->v + 6 * i;
    double R[9];
    trmi_quat_matrix(q + 3, R);
    L = v3_add(L, v3_scale(J[i], m3_mul(R, v3_load(v + 3))));
    L = v3_add(L, v3_scale(mass[i], v3_cross(v3_load(q), v3_load(v))));
  }
  return L;
}

/* A ball hits each shape off its middle: momentum, angular momentum and energy are kept. */
static void collisions_keep_momentum_and_energy(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "bdf", "radau", "explicit"};
  for (int k = 1; k < SHAPES; k++) {
    for (int i = 0; i < 4; i++) {
      char text[700];
      snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
               "  a: {mass: 1, inertia: [.01, .01, .01], shape: {%s}}\n"
               "  b: {mass: .5, inertia: [1e-3, 1e-3, 1e-3], at: [.11, .02, .3],\n"
               "      velocity: [0, 0, -2], shape: {sphere: {radius: .05}}}\n"
               "contacts: {c: {between: [a, b], stiffness: 1e8}}\n"
               "simulate: {end: .3}\n", shapes[k]);
      const outcome end = run(text, methods[i], 1e-5);
      CHECK_NEAR(end.v[2] + .5 * end.v[8], -1.0, 1e-12, "%s: momentum", shapes[k]);
      CHECK_NEAR(end.v[0] + .5 * end.v[6], 0.0, 1e-12, "%s: momentum", shapes[k]);
      CHECK_NEAR(end.energy, 1.0, 1e-2, "%s %s: energy", methods[i], shapes[k]);
      const trmi_vec3 L = angular_momentum(&end), before = v3(-.02, .11, 0);
      CHECK_NEAR(v3_norm(v3_sub(L, before)), 0.0, 1e-3 * .11, "%s %s: angular momentum, at 1e-5",
                 methods[i], shapes[k]);
      assert_true(fabs(end.v[8] + 2.0) > .1); /* it was hit */
    }
  }
}

/* Section 6: a plate of 1 mm is never passed, at 1 to 1000 m/s. */
static void a_thin_plate_is_never_passed(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "alpha", "bdf", "tdg", "radau", "explicit"};
  static const double speeds[] = {1.0, 20.0, 1000.0}, stiffness[] = {1e9, 1e9, 1e13};
  for (int k = 0; k < 18; k++) {
    const double v = speeds[k % 3];
    char text[600];
    snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
             "  ground: {shapes: {plate: {box: {size: [.2, .2, 1e-3], rounding: 3e-4}}}}\n"
             "  shot: {mass: .01, inertia: [1e-6, 1e-6, 1e-6], at: [.01, .02, .5],\n"
             "         velocity: [0, 0, -%g], shape: {sphere: {radius: 2e-3}}}\n"
             "contacts: {c: {between: [shot, ground], stiffness: %g}}\n"
             "simulate: {end: %g}\n", v, stiffness[k % 3], .7 / v);
    const outcome end = run(text, methods[k / 3], 1e-5);
    CHECK_NEAR(end.v[2] / v, 1.0, 6e-3, "%s at %g m/s", methods[k / 3], v); /* impact_tolerance */
  }
}

/* A solid cylinder rolls down a slope of 10 degrees with 2/3 g sin, without slipping. */
static void a_cylinder_rolls_down_a_slope(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "alpha", "bdf", "radau"};
  const double a = 10 * acos(-1.0) / 180, g = 9.81 * sin(a) * 2 / 3;
  for (int i = 0; i < 4; i++) {
    const outcome end = run(
        "trammel: 1\nparameters: {a: 10 deg}\ngravity: ['9.81*sin(a)', 0, '-9.81*cos(a)']\n"
        "bodies:\n  ground: {shapes: {floor: {plane: {}}}}\n"
        "  roll: {density: 2000, at: [0, 0, .05],\n"
        "         shape: {cylinder: {from: [0, -.1, 0], to: [0, .1, 0], radius: .05}}}\n"
        "contacts: {c: {between: [roll, ground], stiffness: 1e8, restitution: .3,\n"
        "               friction: {static: .3}}}\nsimulate: {end: 1}\n", methods[i], 1e-6);
    /* the radius of rolling is shorter by half the penetration, 10 um of 5 cm */
    CHECK_NEAR(end.v[0], g, 2e-3 * g, "%s: speed after 1 s", methods[i]);
    CHECK_NEAR(end.v[4] * .05, end.v[0], 5e-4 * g, "%s: it rolls", methods[i]);
    CHECK_NEAR(end.v[1], 0.0, 1e-6, "%s: straight on", methods[i]);
  }
}

/* Section 6: dropped on its edge, at rest after 2 s, 2000 steps, the last above .1 s. */
static void a_box_falls_from_its_edge_and_rests(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "alpha", "bdf", "tdg", "radau"};
  for (int i = 0; i < 5; i++) {
    const outcome end = run(
        "trammel: 1\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  ground: {shapes: {floor: {plane: {}}}}\n"
        "  box: {mass: 1, inertia: [5e-3, 5e-3, 5e-3], at: [0, 0, .2],\n"
        "        orientation: {vector: [0, .4, 0]}, shape: {box: {size: [.2, .2, .1]}}}\n"
        "contacts: {c: {between: [box, ground], stiffness: 1e7, restitution: .3,\n"
        "               friction: {static: .5}}}\nsimulate: {end: 3}\n", methods[i], 1e-5);
    const double depth = pow(9.81 / 4 / 1e7, 1 / 1.5);
    CHECK_NEAR(end.q[2], .05 - depth, 1e-5, "%s: height", methods[i]);
    for (int k = 0; k < 6; k++) CHECK_NEAR(end.v[k], 0.0, 1e-4, "%s: speed %d", methods[i], k);
    if (end.steps > 2000) fail_msg("%s takes %ld steps", methods[i], end.steps);
    if (end.last < .1) fail_msg("%s: the last step is %g", methods[i], end.last);
  }
}

/* ---- terrain -------------------------------------------------------------------------------- */

/* A slope is the same as terrain and as plane: what bounces, slides and tumbles on it, too. */
static void a_terrain_without_hills_is_a_plane(void **state) {
  (void)state;
  static const char *const grounds[] = {
    "plane: {normal: [-.2, .1, 1]}",
    "terrain: {points: [[-1, -1, -.1], [2, -1, .5], [-1, 3, -.5], [2, 3, .1]]}"};
  for (int k = 0; k < 3; k++) { /* sphere, capsule, box */
    double q[2][7];
    for (int i = 0; i < 2; i++) {
      char text[700];
      snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
               "  ground: {shape: {%s}}\n"
               "  a: {mass: 1, inertia: [.01, .01, .01], at: [.1, .2, .3], shape: {%s}}\n"
               "contacts: {c: {between: [a, ground], stiffness: 1e6, restitution: .5,\n"
               "               friction: {static: .2}}}\n", grounds[i], shapes[k]);
      typed m = typed_text(text, "slope", NULL);
      m.options.end = .3;
      trm_sim *sim = typed_sim(&m, "hht", 1e-5);
      kit_run(sim);
      memcpy(q[i], trm_sim_state(sim)->q, sizeof q[i]);
      trm_sim_free(sim);
      typed_close(&m);
    }
    /* rounding, which some impacts enlarge */
    for (int i = 0; i < 7; i++) CHECK_NEAR(q[1][i], q[0][i], 1e-7, "shape %d: q%d", k, i);
  }
}

/* A ball that slides without friction in a trough z = x^2/2, R = 1: in its middle radius 1 - r
 * remains, small swings take 2 pi sqrt((1 - r)/g). */
static void a_ball_swings_in_a_trough(void **state) {
  (void)state;
  char text[4000], points[3000] = "";
  for (int k = 0; k < 34; k++) {
    const double x = .05 * (k % 17 - 8);
    snprintf(points + strlen(points), sizeof points - strlen(points), "%s[%g, %d, %.12g]",
             k > 0 ? ", " : "", x, k / 17 * 2 - 1, x * x / 2);
  }
  snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
           "  ground: {shape: {terrain: {points: [%s]}}}\n"
           "  a: {mass: 1, inertia: [.01, .01, .01], at: [0, 0, .1], velocity: [.02, 0, 0],\n"
           "      shape: {sphere: {radius: .1}}}\n"
           "contacts: {c: {between: [a, ground], stiffness: 1e7, restitution: .5}}\n"
           "outputs: {x: a.x}\n", points);
  typed m = typed_text(text, "trough", NULL);
  const double w = sqrt(9.81 / .9);
  m.options.end = acos(-1.0) / (2 * w); /* a quarter of a swing: v/w is where it turns */
  trm_sim *sim = typed_sim(&m, "hht", 1e-7);
  kit_run(sim);
  /* the spline of a parabola with natural ends is off by 1e-4 in the middle */
  CHECK_NEAR(trm_sim_state(sim)->q[0], .02 / w, 2e-3 * .02 / w, "where it turns");
  CHECK_NEAR(trm_sim_state(sim)->v[0], 0.0, 2e-3 * .02, "speed there");
  trm_sim_free(sim);
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rates_of_gaps_follow_the_motion),
    cmocka_unit_test(shapes_rest_where_they_touch),
    cmocka_unit_test(collisions_keep_momentum_and_energy),
    cmocka_unit_test(a_thin_plate_is_never_passed),
    cmocka_unit_test(a_cylinder_rolls_down_a_slope),
    cmocka_unit_test(a_box_falls_from_its_edge_and_rests),
    cmocka_unit_test(a_terrain_without_hills_is_a_plane),
    cmocka_unit_test(a_ball_swings_in_a_trough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
