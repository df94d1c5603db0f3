/* test_mechanism_files.c - different ways to write the same mechanism: markers of the ground. */
#include "io/model_reading.h"
#include "verify/mechanics.h"

#define ROD "gravity: [0, 0, -9.81]\n" \
            "outputs: {x: rod.x, z: rod.z}\n"

/* Two texts give the same motion, up to `tol`. */
static void move_alike(const char *one, const char *other, double tol) {
  mechanics a = mechanics_run(one, 0.5), b = mechanics_run(other, 0.5);
  const int n = trm_system_count(a.model.system, TRM_OUTPUT);
  assert_int_equal(trm_system_count(b.model.system, TRM_OUTPUT), n);
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(a.outputs[i], b.outputs[i], tol, "output %d of %s", i, other);
  }
  mechanics_close(&a);
  mechanics_close(&b);
}

static void ground_has_markers(void **state) {
  (void)state;
  /* axes of the joint are found on two ways, so rounding differs, and grows a little in a run */
  move_alike(HEAD ROD
             "bodies: {rod: {mass: 1, inertia: [1e-3, 0.1, 0.1], at: [1.5, 0, 1]}}\n"
             "joints: {pin: {type: revolute, bodies: [ground, rod], at: [1, 0, 1],\n"
             "               axis: [0, 1, 0]}}\n",
             HEAD ROD
             "bodies:\n"
             "  ground: {markers: {post: {at: [1, 0, 1], orientation: {z: [0, 1, 0]}}}}\n"
             "  rod: {mass: 1, inertia: [1e-3, 0.1, 0.1], at: [1.5, 0, 1],\n"
             "        markers: {end: {at: [-0.5, 0, 0], orientation: {z: [0, 1, 0]}}}}\n"
             "joints: {pin: {type: revolute, markers: [ground.post, rod.end]}}\n",
             1e-11);
}

static void markers_of_ground_stand_in_expressions(void **state) {
  (void)state;
  mechanics m = mechanics_run(HEAD "bodies:\n"
                                   "  ground: {markers: {post: {at: [1, 2, 3]}, other: }}\n"
                                   "  ball: {type: point, mass: 1, velocity: [1, 0, 0]}\n"
                                   "outputs: {y: ground.post.y, d: 'DX(ball, ground.post)',\n"
                                   "          o: ground.other.z}\n", 0.5);
  CHECK_NEAR(m.outputs[0], 2.0, 0.0, "a constant");
  CHECK_NEAR(m.outputs[1], -0.5, 1e-14, "rounding of a motion with constant velocity");
  CHECK_NEAR(m.outputs[2], 0.0, 0.0, "a constant");
  mechanics_close(&m);
}

static void faults_of_the_ground(void **state) {
  (void)state;
  refuses(HEAD "bodies: {ground: {at: [1, 0, 0]}, c: {type: point, mass: 1}}\n", 2, 19,
          "the ground does not move and has only markers, no 'at'");
  refuses(HEAD "bodies: {ground: {markers: {x: {}}}, c: {type: point, mass: 1}}\n", 2, 29,
          "'x' is a value of the body itself");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ground_has_markers),
    cmocka_unit_test(markers_of_ground_stand_in_expressions),
    cmocka_unit_test(faults_of_the_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
