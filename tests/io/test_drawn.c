/* test_drawn.c - points and lines of `show`: what is recorded of them, and what is refused. */
#include "io/model_reading.h"
#include "trammel/mechanism.h"
#include <math.h>

#define SWING                                                                       \
  HEAD "parameters: {l: 2}\n"                                                       \
       "equations: {coordinates: {a: {value: 0.5, kind: angle}}, kinetic: a'^2/2}\n" \
       "show:\n"

static const char good[] = SWING "  bob: {at: [l*sin(a), 1 cm, 'if(a > 1, 0, -l*cos(a))']}\n"
                                 "  pivot: {at: [0, 0, 0]}\n"
                                 "  rod: {between: [pivot, bob], radius: 0.1}\n";

static void places_are_recorded(void **state) {
  (void)state;
  trm_model *model = read_good(good);
  trm_system *system;
  trm_error err;
  CHECK_OK(trm_model_create_system(model, NULL, &system, &err), err);
  const trm_sizes n = *trm_system_sizes(system);
  assert_int_equal(n.nrecorded, 6);
  static const char *const names[] = {"show.bob.x",   "show.bob.y",   "show.bob.z",
                                      "show.pivot.x", "show.pivot.y", "show.pivot.z"};
  for (int i = 0; i < 6; i++) {
    trm_label label;
    trm_system_label(system, TRM_RECORDED, i, &label);
    assert_string_equal(label.name, names[i]);
    assert_string_equal(label.object, i < 3 ? "point 'bob'" : "point 'pivot'");
  }
  double q = 0.7, v = 0.0, vd = 0.0, recorded[6];
  const trm_state at = {.q = &q, .v = &v, .vd = &vd};
  const trm_values out = {.recorded = recorded};
  CHECK_OK(trm_system_values(system, &at, &out, &err), err);
  const double right[6] = {2.0 * sin(0.7), 0.01, -2.0 * cos(0.7), 0.0, 0.0, 0.0};
  for (int i = 0; i < 6; i++) CHECK_NEAR(recorded[i], right[i], 4e-16, "%s", names[i]);
  trm_system_free(system);
  trm_model_free(model);
}

static void faults_are_named(void **state) {
  (void)state;
  refuses(SWING "  rod: {between: [a, b]}\n", 5, 19, "joins 'a', and `show` has no such point");
  refuses(SWING "  p: {at: [0, 0, 0]}\n  r: {between: [p]}\n", 6, 3, "two points or more");
  refuses(SWING "  p: {at: [0, 0, 0]}\n  r: {between: [p, r]}\n", 6, 20, "a line itself");
  refuses(SWING "  p: {at: [0, 0]}\n", 5, 11, "3");
  refuses(SWING "  p: {at: [0, 2 s, 0]}\n", 5, 15, "s");
  refuses(SWING "  p: {at: [0, b, 0]}\n", 5, 15, "'b'");
  refuses(SWING "  p: {radius: 1}\n", 5, 3, "needs one of at|between");
  refuses(SWING "  p: {at: [0, 0, 0], between: [p, p]}\n", 5, 22, "'at' and 'between'");
  refuses(SWING "  p: {at: [0, 0, 0], radius: 0}\n", 5, 30, "greater than 0");
  refuses(SWING "  a123456789b123456789c123456789d1234567890: {at: [0, 0, 0]}\n", 5, 3, "40");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(places_are_recorded),
    cmocka_unit_test(faults_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
