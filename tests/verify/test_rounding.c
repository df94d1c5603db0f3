/* test_rounding.c - floor, ceil, round and mod, and IF of ADAMS, at random places and across their
 * jumps. */
#include "verify/mechanics.h"

static void values_are_those_of_the_library(void **state) {
  (void)state;
  unsigned seed = 1u;
  for (int k = 0; k < 200; k++) {
    seed = seed * 1664525u + 1013904223u;
    const double x = ((double)(seed >> 8) / 16777216.0 - 0.5) * 20.0;
    char text[600];
    double out[5];
    snprintf(text, sizeof text,
             "trammel: 1\nequations: {coordinates: {x: %.17g}, mass: {x: 1}}\n"
             "outputs: {a: floor(x), b: ceil(x), c: round(x), d: \"mod(x, 1.7)\",\n"
             "          e: \"IF(x: -1, 0, 1)\"}\n", x);
    typed m = typed_text(text, "test", NULL);
    trm_options o = trm_options_default();
    o.end = 1.0;
    trm_error err = {.message = ""};
    trm_sim *sim = kit_sim(m.system, &o);
    CHECK_OK(trm_sim_outputs(sim, out, &err), err);
    assert_true(out[0] == floor(x) && out[1] == ceil(x) && out[2] == floor(x + 0.5));
    CHECK_NEAR(out[3], x - 1.7 * floor(x / 1.7), 1e-14, "mod of %g", x); /* of size 10 */
    assert_true(out[4] == (x > 0.0 ? 1.0 : -1.0));
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A force of one on each odd meter: v^2/2 grows by one for each of them. */
static void a_staircase_of_a_coordinate(void **state) {
  (void)state;
  mechanics m = mechanics_run(
      "trammel: 1\nequations: {coordinates: {x: {value: 0, velocity: 2}}, mass: {x: 1},\n"
      "            forces: {x: \"mod(floor(x), 2)\"}}\n"
      "outputs: {energy: \"0.5*x'^2\", x: x, n: floor(x)}\n", 3.0);
  const double x = m.outputs[1], n = floor(x);
  const double meters = floor(n / 2.0) + (fmod(n, 2.0) == 1.0 ? x - n : 0.0);
  assert_true(x > 6.0 && m.outputs[2] == n);
  CHECK_NEAR(m.outputs[0], 2.0 + meters, 1e-9, "work"); /* tolerance 1e-12, seven events */
  mechanics_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_are_those_of_the_library),
    cmocka_unit_test(a_staircase_of_a_coordinate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
