/* The consistent start does not depend on units, on the size of a mechanism, or on its distance
 * from the origin: every bound is a part of the terms that are added up. All numbers of the texts
 * have units; only `units` changes. */
#include "verify/typed.h"

static const char *const units[] = {"SI", "N-kg-ms-mm", "{length: cm, mass: g}", "lbf-lbm-in-s",
                                    "{length: km, mass: g, time: min}", "mm-t-s-N"};
enum { UNITS = sizeof units / sizeof *units, TEXT = 4096 };

/* Create a simulation, which assembles the start; the status of that. */
static trm_status begin(const char *unit, const char *rest, trm_error *err) {
  char text[TEXT];
  const int length = snprintf(text, sizeof text, "trammel: 1\nunits: %s\n%s", unit, rest);
  assert_true(length > 0 && length < TEXT);
  typed m = typed_text(text, "test", NULL);
  trm_sim *sim = NULL;
  trm_status status = trm_sim_create(m.system, &m.options, &sim, err);
  bool done = false;
  if (status == TRM_OK) status = trm_sim_step(sim, &done, err);
  trm_sim_free(sim);
  typed_close(&m);
  return status;
}

/* A body that a revolute and a spherical joint lock, in a random pose, of the size of `size` metres
 * and so many metres from the origin; its velocity must go. */
static void put_locked_body(uint64_t *seed, double size, double far, char *text) {
  double p[3][3], o[3], axis[3];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) p[k][i] = 0.3 * size * kit_random(seed) + (i == 0 ? far : 0.0);
  }
  for (int i = 0; i < 3; i++) o[i] = kit_random(seed), axis[i] = kit_random(seed);
  const double inertia = 0.02 * size * size;
  const int length = snprintf(
      text, TEXT - 100,
      "gravity: [0, 0, -9.81 m/s^2]\n"
      "bodies: {a: {mass: 2 kg, inertia: [%.17g kg*m^2, %.17g kg*m^2, %.17g kg*m^2],\n"
      "  at: [%.17g m, %.17g m, %.17g m], orientation: {vector: [%.17g, %.17g, %.17g]},\n"
      "  velocity: [%.17g m/s, 0, 0], angular_velocity: [3 rad/s, 0, 0]}}\n"
      "joints:\n"
      "  j1: {type: revolute, bodies: [ground, a], at: [%.17g m, %.17g m, %.17g m],\n"
      "       axis: [%.17g, %.17g, %.17g]}\n"
      "  j2: {type: spherical, bodies: [ground, a], at: [%.17g m, %.17g m, %.17g m]}\n"
      "simulate: {end: 0.1 s}\n",
      inertia, inertia, inertia, p[0][0], p[0][1], p[0][2], o[0], o[1], o[2], 0.5 * size, p[1][0],
      p[1][1], p[1][2], axis[0], axis[1], axis[2], p[2][0], p[2][1], p[2][2]);
  assert_true(length > 0 && length < TEXT - 100);
}

static void check_locked(double size, double far, int poses) {
  char rest[TEXT];
  for (int u = 0; u < UNITS; u++) {
    int failed = 0;
    trm_error err, last = {.message = ""};
    uint64_t seed = 7;
    for (int k = 0; k < poses; k++) {
      put_locked_body(&seed, size, far, rest);
      if (begin(units[u], rest, &err) != TRM_OK) failed++, last = err;
    }
    if (failed > 0) {
      fail_msg("%s, size %g m, %g m away: %d of %d poses fail, the last: %s: %s", units[u], size,
               far, failed, poses, last.object, last.message);
    }
  }
}

static void locked_bodies_start_in_all_units(void **unused) {
  (void)unused;
  check_locked(1.0, 0.0, 240);
}

static void locked_bodies_start_far_from_the_origin(void **unused) {
  (void)unused;
  check_locked(1.0, 1e3, 60);
  check_locked(1.0, 1e6, 20);
}

static void locked_bodies_of_any_size_start(void **unused) {
  (void)unused;
  check_locked(1e-4, 0.0, 40);
  check_locked(1e3, 0.0, 40);
}

/* Redundant rows beside a variable of a loop: multipliers that are rounding but for their effect
 * do not keep the loop from converging. */
static void loops_converge_beside_redundant_rows(void **unused) {
  (void)unused;
  for (int u = 0; u < UNITS; u++) {
    trm_error err;
    const trm_status status = begin(
        units[u],
        "gravity: [0, 0, -9.81 m/s^2]\n"
        "parameters: {i: 2e-4 kg*m^2, j: 4e-3 kg*m^2}\n"
        "bodies:\n"
        "  b0: {mass: 0.3 kg, inertia: [i, i, i], orientation: {vector: [0.3, 0.2, 0.1]}}\n"
        "  b1: {mass: 0.5 kg, inertia: [j, j, j], at: [10 cm, 0, 0],\n"
        "       orientation: {vector: [-0.4, 0.2, 0.5]}}\n"
        "joints:\n"
        "  j0: {type: revolute, bodies: [ground, b0], at: [0, 0, 0], axis: [0.1, 0.9, 0.2]}\n"
        "  j1: {type: spherical, bodies: [b1, b0], at: [5 cm, 3 cm, 1 cm]}\n"
        "  j2: {type: planar, bodies: [b0, b1], at: [6 cm, 1 cm, 2 cm], axis: [0.3, 0.2, 0.9]}\n"
        "equations: {variables: {c: \"cos(c)*0.5\"}}\n"
        "simulate: {end: 0.2 s}\n",
        &err);
    if (status != TRM_OK) fail_msg("%s: %s: %s", units[u], err.object, err.message);
  }
}

/* ---- contradictions ----------------------------------------------------------------------- */

/* A slider whose guide and motion say one thing and a second motion another, by a part 1e-4 of its
 * size: of positions, velocities or accelerations. */
static void contradictions_are_refused_in_all_units(void **unused) {
  (void)unused;
  static const char *const laws[] = {"1.0001*l", "l*(1 + 1e-4*time/T)", "l*(1 + 1e-4*(time/T)^2)"};
  static const char *const levels[] = {"the position", "the velocity", "the acceleration"};
  static const double sizes[] = {1.0, 1e-3, 1e3};
  for (int level = 0; level < 3; level++) {
    for (int k = 0; k < 3 * UNITS; k++) {
      char rest[TEXT - 100];
      trm_error err = {.message = ""};
      snprintf(rest, sizeof rest,
               "parameters: {l: %g m, T: 1 s, i: %g kg*m^2}\n"
               "bodies: {a: {mass: 1 kg, inertia: [i, i, i], at: [l, 0, 0]}}\n"
               "joints: {guide: {type: translational, bodies: [ground, a], at: [0, 0, 0],\n"
               "                 axis: [1, 0, 0]}}\n"
               "motions:\n"
               "  one: {of: a.x, position: l + 0*time/T*l}\n"
               "  two: {of: a.x, position: %s}\n"
               "simulate: {end: 0.1 s}\n",
               sizes[k / UNITS], 0.01 * sizes[k / UNITS] * sizes[k / UNITS], laws[level]);
      CHECK_STATUS(begin(units[k % UNITS], rest, &err), TRM_ERR_ASSEMBLY);
      if (strstr(err.message, levels[level]) == NULL || strstr(err.object, "motion") == NULL) {
        fail_msg("%s, %g m, %s: %s: %s", units[k % UNITS], sizes[k / UNITS], levels[level],
                 err.object, err.message);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(locked_bodies_start_in_all_units),
      cmocka_unit_test(locked_bodies_start_far_from_the_origin),
      cmocka_unit_test(locked_bodies_of_any_size_start),
      cmocka_unit_test(loops_converge_beside_redundant_rows),
      cmocka_unit_test(contradictions_are_refused_in_all_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
