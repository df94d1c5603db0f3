/* test_contact_pairs.c - boxes and capsules against each other: rates of gaps, edges that cross,
 * logs and stacks at rest, energy and momentum of collisions. */
#include "methods.h"
#include "verify/contact_runs.h"
#include <math.h>

static const char *const pairs[][2] = {
  {"capsule: {from: [-.2, 0, 0], to: [.2, .05, 0], radius: .05}",
   "capsule: {from: [0, -.3, 0], to: [.1, .3, .1], radius: .04}"},
  {"box: {size: [.4, .3, .2], rounding: .02}",
   "capsule: {from: [0, -.3, 0], to: [.1, .3, .1], radius: .04}"},
  {"box: {size: [.4, .3, .2], rounding: .02}", "box: {size: [.2, .3, .5], rounding: .03}"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* ---- gaps ----------------------------------------------------------------------------------- */

static void rates_of_gaps_follow_the_motion(void **state) {
  (void)state;
  for (int k = 0; k < PAIRS; k++) {
    char text[700];
    contact_two(pairs[k][0], pairs[k][1], ".1, .2, -.6", text, sizeof text);
    contact_check_rates(text, .3, k);
  }
}

/* ---- rest ----------------------------------------------------------------------------------- */

static void what_falls_on_a_beam_stays_there(void **state) {
  (void)state;
  static const struct {
    const char *below, *above;
    double height;
  } cases[] = {
    /* edges cross: no corner is above the other */
    {"box: {size: [.1, 1, .1], rounding: 5 mm}", "box: {size: [1, .1, .1], rounding: 5 mm}", .1},
    {"capsule: {from: [0, -.5, 0], to: [0, .5, 0], radius: .05}",
     "box: {size: [1, .1, .1], rounding: 5 mm}", .1},
    {"box: {size: [1, 1, .1], rounding: 5 mm}",
     "capsule: {from: [-.1, -.1, 0], to: [.1, .1, 0], radius: .05}", .1},
    {"box: {size: [1, 1, .1], rounding: 5 mm}", "box: {size: [.2, .2, .1], rounding: 5 mm}", .1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static const double within[2] = {1.2e-4, 2e-2};
    contact_check_rest(cases[i].below, cases[i].above, cases[i].height, within, (int)i);
  }
}

/* ---- collisions ----------------------------------------------------------------------------- */

static void collisions_keep_what_they_have_to(void **state) {
  (void)state;
  for (int k = 0; k < PAIRS * all_methods(); k++) {
    contact_check_collision(pairs[k % PAIRS][0], pairs[k % PAIRS][1], methods[k / PAIRS],
                            k % PAIRS);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rates_of_gaps_follow_the_motion),
    cmocka_unit_test(what_falls_on_a_beam_stays_there),
    cmocka_unit_test(collisions_keep_what_they_have_to),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
