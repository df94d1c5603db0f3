/* test_contact_memory.c - bristles that a touch has left: how they act on the next touch does not
 * depend on the steps between the two. */
#include "integ/driver.h"
#include "verify/typed.h"
#include <math.h>

/* A cylinder that falls on a tyre touches it with one rim, then with the other: in between its
 * nearest point jumps, and the normal turns by more than 25 degrees. */
static const char rims[] =
    "trammel: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  a: {at: [0.688307, 0.052891, 0.517172], mass: 1.0323, inertia: [2.0852e-3, 1.7568e-3,"
    " 1.9306e-3],\n"
    "      orientation: {quaternion: [0.148896, -0.296107, 0.943315, -0.017518]},\n"
    "      velocity: [-0.549263, 2.93657, 0.273618], angular_velocity: [1.613588, -0.904405,"
    " -1.558309],\n"
    "      shape: {cylinder: {from: [0.010924, -0.024545, -0.076837], to: [-0.010924,"
    " 0.024545, 0.076837],\n"
    "              radius: 0.077276, rounding: 0.015}}}\n"
    "  b: {at: [0.625871, 0.343557, 0.59987], mass: 1.1035, inertia: [2.4081e-3, 2.6346e-3,"
    " 1.7654e-3],\n"
    "      orientation: {quaternion: [-0.080527, -0.24890, 0.07479, 0.962273]},\n"
    "      angular_velocity: [-2.131041, 1.889384, -2.769099],\n"
    "      shape: {torus: {axis: [0.582432, 0.812801, -0.011306], radius: 0.1, tube: 0.04}}}\n"
    "contacts:\n"
    "  c: {between: [a, b], stiffness: 1.365e10, exponent: 2, restitution: 0.3,\n"
    "      friction: {static: 0.5761, dynamic: 0.5172, velocity: 0.01, depth: 0.002, time: 0.003,\n"
    "                 rolling: 0.0028827}}\n"
    "simulate: {end: 0.0945}\n";

/* A mesh of six corners that rolls over a floor: pairs of a corner come and go, and take places of
 * each other. */
static const char corners[] =
    "trammel: 1\nunits: N-kg-ms-mm\ngravity: [0, 0, -9.81e-3]\nbodies:\n"
    "  ground: {shapes: {f: {plane: {normal: [0.099732, 0.169895, 0.980403]}}}}\n"
    "  a: {at: [24.933, 42.4737, 245.1007], mass: 0.9329, inertia: [2375.39, 1299.63, 1282.29],\n"
    "      orientation: {quaternion: [-0.0479688, -0.0845936, -0.9343441, 0.3428468]},\n"
    "      velocity: [-0.67113, -0.472797, -1.040378], angular_velocity: [6.8182e-4,"
    " 1.6848e-3, 1.79217e-3],\n"
    "      shape: {mesh: {radius: 15, points: [[106.5486, 0, 0], [-106.5486, 0, 0], [0,"
    " 106.5486, 0],\n"
    "        [0, -106.5486, 0], [0, 0, 138.5131], [0, 0, -85.2389]], triangles: [[0, 2, 4],"
    " [2, 1, 4],\n"
    "        [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]}}}\n"
    "contacts:\n"
    "  c: {between: [ground, a], stiffness: 23.9638, exponent: 1, impact: {damping: 648.64,"
    " depth: 1},\n"
    "      friction: {static: 0.1406, dynamic: 0.1083, velocity: 0.01, depth: 2, time: 10,\n"
    "                 torsion: 19.351, rolling: 3.7013}}\n"
    "simulate: {end: 250}\n";

/* Two balls, one of which turns about itself: in its axes the normal turns in flight. */
static const char spin[] =
    "trammel: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  a: {mass: 1, inertia: [4e-3, 4e-3, 4e-3], angular_velocity: [20, 30, 10],\n"
    "      shape: {sphere: {radius: 0.1}}}\n"
    "  b: {at: [0.3, 0.05, 0], mass: 1, inertia: [4e-3, 4e-3, 4e-3], velocity: [-1, 0, 0.1],\n"
    "      shape: {sphere: {radius: 0.1}}}\n"
    "contacts: {c: {between: [b, a], stiffness: 2e5, restitution: 0.5,\n"
    "               friction: {static: 0.4, depth: 2 mm, time: 3 ms}}}\n"
    "simulate: {end: 0.2}\n";

/* The largest difference of coordinates at the end between runs with other steps. */
static double spread_of(const char *text, double tolerance, const double *longest, int count) {
  double first[14], far = 0.0;
  typed m = typed_text(text, "memory.yaml", NULL);
  for (int k = 0; k < count; k++) {
    m.options.step_max = longest[k];
    m.options.impact_tolerance = 1e-6;
    trm_sim *sim = typed_sim(&m, "radau", tolerance);
    kit_run(sim);
    const double *q = trm_sim_state(sim)->q;
    const int nq = sim->sys->nq;
    for (int i = 0; i < nq; i++) {
      if (k == 0) first[i] = q[i];
      else far = fmax(far, fabs(q[i] - first[i]));
    }
    trm_sim_free(sim);
  }
  typed_close(&m);
  return far;
}

/* Axes belonged to the normal of a step long before the touch, in whose course they turned about
 * the present one: 1.2e-5 whatever the tolerance. And while bristles of the first touch were left
 * they were chosen anew at the end of a step with another normal: 2.4e-4. */
static void axes_do_not_depend_on_steps_in_flight(void **state) {
  (void)state;
  const double longest[] = {0.0, 1e-2, 1e-3, 3e-4, 1e-4};
  CHECK_NEAR(spread_of(spin, 1e-7, longest, 5), 0.0, 1e-6, "local errors");
  /* magnified by impacts, and the turn of the axes in the first step of the second */
  CHECK_NEAR(spread_of(rims, 1e-7, longest, 5), 0.0, 5e-5, "local errors, axes");
}

/* They began with the bristles of another pair: 4e-3 mm. */
static void new_pairs_begin_without_friction(void **state) {
  (void)state;
  const double longest[] = {0.0, 1.0, 0.3, 0.1};
  CHECK_NEAR(spread_of(corners, 1e-8, longest, 4), 0.0, 1e-3, "places [mm] and quaternions");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(axes_do_not_depend_on_steps_in_flight),
    cmocka_unit_test(new_pairs_begin_without_friction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
