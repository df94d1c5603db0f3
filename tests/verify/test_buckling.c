/* Equilibrium beyond a lateral buckling load. A strip, clamped at one end and high in the direction
 * of a force at its tip, tips over sideways at Michell's load, 4.013 sqrt(EI GJ)/L^2 with EI that
 * of the weak axis. A small lateral force makes the branch unique on which the tip is found when
 * the load grows from zero: it moves with the lateral force. The branch against it and the one
 * between them, which is not stable, are in balance as well. */
#include "verify/analyses.h"
#include <math.h>

static const char strip[] =
    "trammel: 1\n"
    "parameters: {b: 2 mm, d: 50 mm, E: 70e9, G: 26e9, ratio: 1, side: 1e-3,\n"
    "             P: 'ratio*4.013*sqrt(E*d*b^3/12*G*d*b^3/3)'}\n"
    "beams:\n"
    "  strip: {points: [[0, 0, 0], [1, 0, 0]], fix: first, elements: 4, y: [0, 1, 0], E: E, G: G,\n"
    "          area: b*d, Iy: b*d^3/12, Iz: d*b^3/12, J: d*b^3/3, density: 2700}\n"
    "forces:\n"
    "  tip: {type: force, marker: strip.last, force: [0, side*P, -P]}\n";

static const double ratios[] = {0.95, 0.98, 1.0, 1.01, 1.02, 1.05, 1.1,
                                1.15, 1.2,  1.3, 1.4,  1.6,  1.8,  2.0};
enum { RATIOS = sizeof ratios / sizeof *ratios };

typedef struct tip {
  double y, z;
  const char *method;
} tip;

static tip tip_at(double ratio, double side, const char *method) {
  char of_ratio[40], of_side[40];
  snprintf(of_ratio, sizeof of_ratio, "%.17g", ratio);
  snprintf(of_side, sizeof of_side, "%.17g", side);
  const trm_setting settings[] = {{"ratio", of_ratio}, {"side", of_side}, {NULL, NULL}};
  typed m = typed_text(strip, "strip", settings);
  trm_static *at = rest_by(m.system, method);
  const double *q = trm_static_state(at)->q + trm_system_count(m.system, TRM_Q) - 7;
  const tip found = {q[1], q[2], trm_static_facts_of(at)->method};
  assert_int_equal(trm_static_facts_of(at)->unstable, 0);
  trm_static_free(at);
  typed_close(&m);
  return found;
}

/* The load grows: the tip moves on along one branch, by less than the pitchfork's parabola
 * y = 1.2 sqrt(ratio - .99) does, and never to the other side. */
static void deflection_grows_with_the_load(void **state) {
  (void)state;
  double last = 0.0;
  for (int i = 0; i < 10; i++) {
    const tip at = tip_at(ratios[i], 1e-3, "load");
    assert_string_equal(at.method, "load");
    assert_true(at.y > last);
    assert_true(at.y < 1.2 * sqrt(fmax(ratios[i] - 0.96, 0.0)) + 0.02);
    last = at.y;
  }
}

/* The methods go different ways; rounding of steps of 1e-9 is what may differ at the end. */
static void newton_and_auto_find_the_branch_of_the_load(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "newton"};
  for (int i = 0; i < RATIOS; i++) {
    const tip path = tip_at(ratios[i], 1e-3, "load");
    assert_true(path.y > 0.0);
    for (int m = 0; m < 2; m++) {
      const tip at = tip_at(ratios[i], 1e-3, methods[m]);
      CHECK_NEAR(at.y, path.y, 1e-8, "%s, y at %g of the load", methods[m], ratios[i]);
      CHECK_NEAR(at.z, path.z, 1e-8, "%s, z at %g of the load", methods[m], ratios[i]);
    }
  }
}

/* Relaxation takes long steps: beyond the buckling load rounding decides on which of the two stable
 * branches it ends, 4 of 70 times against the load. That one has a tip nearer to the middle. */
static void relaxation_finds_one_of_the_stable_branches(void **state) {
  (void)state;
  for (int i = 0; i < RATIOS; i++) {
    const tip path = tip_at(ratios[i], 1e-3, "load"), at = tip_at(ratios[i], 1e-3, "relaxation");
    if (at.y > 0.0 || ratios[i] < 1.02) {
      CHECK_NEAR(at.y, path.y, 1e-8, "y at %g of the load", ratios[i]);
      CHECK_NEAR(at.z, path.z, 1e-8, "z at %g of the load", ratios[i]);
    } else {
      CHECK_BETWEEN(-at.y / path.y, 0.8, 1.0, "y at %g of the load", ratios[i]);
    }
  }
}

/* The smaller the lateral load, the closer the branches; its sign decides all the same. Far beyond
 * the buckling load the tip hardly depends on its size. */
static void sign_of_a_small_lateral_load_decides(void **state) {
  (void)state;
  static const double sides[] = {1e-4, 1e-5, 1e-6};
  static const char *const methods[] = {"auto", "newton", "load"};
  for (int m = 0; m < 3; m++) {
    for (int i = 0; i < 3; i++) {
      const double with = tip_at(1.4, sides[i], methods[m]).y;
      const double against = tip_at(1.4, -sides[i], methods[m]).y;
      assert_true(with > 0.4 && with < 0.5);
      CHECK_NEAR(against, -with, 1e-8, "%s, lateral load %g", methods[m], sides[i]);
    }
  }
}

/* A search that ends too soon does not know that there is no equilibrium. */
static void unfinished_search_says_so(void **state) {
  (void)state;
  static const int steps[] = {5, 50, 200, 400, 800};
  for (int i = 0; i < 5; i++) {
    const trm_setting settings[] = {{"ratio", "1.2"}, {"b", "1 mm"}, {NULL, NULL}};
    typed m = typed_text(strip, "strip", settings);
    trm_error err = {.message = ""};
    trm_static *result = NULL;
    trm_static_options o = trm_static_options_default();
    o.method = "newton";
    o.max_iterations = steps[i];
    CHECK_STATUS(trm_static_find(m.system, &o, &result, &err), TRM_ERR_BALANCE);
    assert_null(strstr(err.message, "there is no"));
    assert_non_null(strstr(err.message, "no equilibrium was found in"));
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deflection_grows_with_the_load),
      cmocka_unit_test(newton_and_auto_find_the_branch_of_the_load),
      cmocka_unit_test(relaxation_finds_one_of_the_stable_branches),
      cmocka_unit_test(sign_of_a_small_lateral_load_decides),
      cmocka_unit_test(unfinished_search_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
