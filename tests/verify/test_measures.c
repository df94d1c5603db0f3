/* test_measures.c - functions of markers against closed forms. */
#include "verify/claims.h"

/* Body a turns about x by phi, body b about z by psi. Both follow their motions at rounding. */
#define PHI "(.3*time^2)"
#define PHI1 "(.6*time)"
#define PSI "(.4*time - .1*time^2)"
#define PSI1 "(.4 - .2*time)"
#define TURNING(outputs)                                                                     \
  "trammel: 1\n"                                                                             \
  "bodies:\n"                                                                                \
  "  a: {mass: 1, inertia: [1, 1, 1], markers: {m: {at: [.5, 2, 0]},\n"                       \
  "      n: {orientation: {vector: [0, .4, 0]}}}}\n"                                          \
  "  b: {mass: 1, inertia: [1, 1, 1], markers: {m: {at: [3, 0, 0]}}}\n"                       \
  "joints:\n"                                                                                \
  "  to_a: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}\n"           \
  "  to_b: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"           \
  "motions: {on_a: {joint: to_a, position: " PHI "}, on_b: {joint: to_b, position: " PSI "}}\n" \
  "outputs:\n" outputs "simulate: {end: 2}\n"

/* Places are closed to 1e-12 and accelerations follow from them. */
#define KINEMATIC WAYS({"kinematic", 1e-6, 1e-10})

static void differences_of_markers_in_ground_axes(void **state) {
  (void)state;
  outputs_are_zero(
      TURNING(
          "  dx: DX(a.m, b.m) - (.5 - 3*cos" PSI ")\n"
          "  dy: DY(a.m, b.m) - (2*cos" PHI " - 3*sin" PSI ")\n"
          "  dz: DZ(a.m, b.m) - 2*sin" PHI "\n"
          "  vx: VX(a.m, b.m) - 3*sin" PSI "*" PSI1 "\n"
          "  vy: VY(a.m, b.m) - (-2*sin" PHI "*" PHI1 " - 3*cos" PSI "*" PSI1 ")\n"
          "  vz: VZ(a.m, b.m) - 2*cos" PHI "*" PHI1 "\n"
          "  ax: ACCX(a.m, b.m) - 3*(cos" PSI "*" PSI1 "^2 - .2*sin" PSI ")\n"
          "  ay: ACCY(a.m, b.m) - (-2*cos" PHI "*" PHI1 "^2 - 1.2*sin" PHI " + 3*sin" PSI "*" PSI1
          "^2 + .6*cos" PSI ")\n"
          "  az: ACCZ(a.m, b.m) - (-2*sin" PHI "*" PHI1 "^2 + 1.2*cos" PHI ")\n"
          "  wx: WX(a.m, b.m) - " PHI1 "\n"
          "  wy: WY(a.m, b.m)\n"
          "  wz: WZ(a.m, b.m) + " PSI1 "\n"
          "  wdtx: WDTX(a.m, b.m) - .6\n"
          "  wdty: WDTY(a.m, b.m)\n"
          "  wdtz: WDTZ(a.m, b.m) - .2\n"),
      "ground axes", KINEMATIC);
}

static void lengths_angles_and_axes_of_a_third(void **state) {
  (void)state;
  outputs_are_zero(
      TURNING(
          "  along: DX(a.m, b.m, b.m) - (.5*cos" PSI " + 2*cos" PHI "*sin" PSI " - 3)\n"
          "  across: VZ(a.m, ground, a) - 2*" PHI1 "\n"
          "  dm: DM(a.m) - sqrt(4.25)\n"
          "  vm: VM(a.m) - 2*" PHI1 "\n"
          "  wm: WM(a.m, b.m)^2 - " PHI1 "^2 - " PSI1 "^2\n"
          "  accm: ACCM(a.m)^2 - 4*(" PHI1 "^4 + .36)\n"
          "  wdtm: WDTM(a.m, b.m)^2 - .4\n"
          "  vr: VR(a.m, b.m)*DM(a.m, b.m) - DX(a.m, b.m)*VX(a.m, b.m) -\n"
          "      DY(a.m, b.m)*VY(a.m, b.m) - DZ(a.m, b.m)*VZ(a.m, b.m)\n"
          "  about_x: AX(a.m) - " PHI "\n"
          "  about_y: AY(a.n, a.m) - .4\n"
          "  about_z: AZ(b.m, ground) - " PSI "\n"),
      "lengths and angles", KINEMATIC);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(differences_of_markers_in_ground_axes),
    cmocka_unit_test(lengths_angles_and_axes_of_a_third),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
