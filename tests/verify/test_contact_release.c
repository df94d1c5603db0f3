/* test_contact_release.c - contacts that are released: bodies leave with the energy that is stored
 * in them, whatever held them before. */
#include "methods.h"
#include "verify/contact_runs.h"
#include <math.h>

/* A ball that begins 10 um inside of a floor, three feet that do, and one 0.2 mm inside: they leave
 * with what is stored. hht left with 9 to 20 % more speed, bdf with 50 %. */
static void what_begins_overlapped_leaves_with_its_energy(void **state) {
  (void)state;
  static const struct {
    double k, p, mass, v;
    int    feet;
  } cases[] = {{4e10, 1e-5, 3, 0, 1}, {1e10, 1e-5, 3, .02, 3}, {1e9, 2e-4, .3, -.5, 1}};
  for (int c = 0; c < 3; c++) {
    const double stored = cases[c].feet * cases[c].k * pow(cases[c].p, 2.5) / 2.5;
    const double v = sqrt(2 * stored / cases[c].mass + cases[c].v * cases[c].v);
    for (int i = 0; i < all_methods(); i++) {
      char text[900];
      double out[1];
      snprintf(text, sizeof text, "trammel: 1\nbodies:\n  ground: {shapes: {floor: {plane: {}}}}\n"
               "  b: {mass: %g, inertia: [.03, .03, .03], at: [0, 0, %.9g], velocity: [0, 0, %g],\n"
               "      shapes: {a: {sphere: {radius: .05%s}}%s}}\n"
               "contacts: {c: {between: [b, ground], stiffness: %g}}\n"
               "outputs: {v: b.vz}\nsimulate: {end: .5}\n", cases[c].mass, .05 - cases[c].p,
               cases[c].v, cases[c].feet == 1 ? "" : ", at: [.2, 0, 0]",
               cases[c].feet == 1 ? "" : ", b: {sphere: {radius: .05, at: [-.1, .17, 0]}},\n"
               "        c: {sphere: {radius: .05, at: [-.1, -.17, 0]}}", cases[c].k);
      contact_run(text, methods[i], out);
      CHECK_NEAR(out[0] / v, 1.0, 1e-2, "case %d, %s", c, methods[i]); /* the bound of impacts */
    }
  }
}

/* A ball that a force presses into a floor, until the force vanishes. */
static void press(const char *law, double k, double force, double mass, char *text, size_t size) {
  snprintf(text, size, "trammel: 1\nbodies:\n  ground: {shapes: {floor: {plane: {}}}}\n"
           "  b: {mass: %g, inertia: [.03, .03, .03], at: [0, 0, %.17g],\n"
           "      shape: {sphere: {radius: .05}}}\n"
           "contacts: {c: {between: [b, ground], stiffness: %g}}\n"
           "forces: {f: {type: force, body: b, force: [0, 0, \"-%g*%s\"]}}\n"
           "outputs: {v: b.vz}\nsimulate: {end: .2}\n", mass, .05 - pow(force / k, 1 / 1.5), k,
           force, law);
}

/* Its speed, by the classical Runge-Kutta method with small steps. */
static double reference_speed(double k, double force, double mass) {
  enum { STEPS = 200000 };
  const double h = 2e-2 / STEPS;
  double p = pow(force / k, 1 / 1.5), v = 0.0;
  for (int n = 0; n < STEPS; n++) {
    double slope[5][2] = {{0.0}};
    for (int i = 1; i <= 4; i++) {
      const double part = i == 1 ? 0.0 : i == 4 ? h : h / 2;
      const double x = fmin((n * h + part) / 1e-4, 1.0), left = 1 - x * x * (3 - 2 * x);
      const double deep = fmax(p + part * slope[i - 1][0], 0.0);
      slope[i][0] = -(v + part * slope[i - 1][1]);
      slope[i][1] = (k * pow(deep, 1.5) - left * force) / mass;
    }
    p += h * (slope[1][0] + 2 * slope[2][0] + 2 * slope[3][0] + slope[4][0]) / 6;
    v += h * (slope[1][1] + 2 * slope[2][1] + 2 * slope[3][1] + slope[4][1]) / 6;
  }
  return v;
}

/* At once, or within part of the time in which it is thrown off: steps of the rest went on into it.
 * hht left with .26 to 1.2 of the speed, bdf with .42 to 1.4, radau with .985 to 1. */
static void what_held_it_is_taken_away(void **state) {
  (void)state;
  static const double cases[][3] = {{4e10, 1265, 3}, {1e10, 300, 3}, {1e9, 3000, .3}, {1e7, 50, 1}};
  static const char *const laws[] = {"if(time < 0.1, 1, 0)",
                                     "(1 - step(time, 0.1, 0, 0.1001, 1))"};
  for (int c = 0; c < 8; c++) {
    const double *of = cases[c / 2], p = pow(of[1] / of[0], 1 / 1.5);
    char text[800];
    double right = sqrt(2 * of[0] * pow(p, 2.5) / 2.5 / of[2]), out[1];
    press(laws[c % 2], of[0], of[1], of[2], text, sizeof text);
    if (c % 2 == 1) right = reference_speed(of[0], of[1], of[2]);
    for (int i = 0; i < all_methods(); i++) {
      contact_run(text, methods[i], out);
      CHECK_NEAR(out[0] / right, 1.0, 1e-2, "case %d, %s", c, methods[i]); /* that of impacts */
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_begins_overlapped_leaves_with_its_energy),
      cmocka_unit_test(what_held_it_is_taken_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
