/* bdf on slow motions with lightly damped vibrations: the limiter of its order (bdf_order.c) keeps
 * the number of steps near that of order 2, which damps them, and says what it found. */
#include "verify/typed.h"
#include <stdlib.h>

enum { DRAWS = 24 };

/* A slow motion and two vibrations about it; frequencies [rad/s], damping, amplitude [m]. */
static const char light[] =
    "trammel: 1\n"
    "parameters: {w1: 300, w2: 2000, z: 0.01, a: 1e-3}\n"
    "equations:\n"
    "  coordinates: {y0: {value: 1}, y1: {value: 1+a}, y2: {value: 1+a}}\n"
    "  kinetic: 0.5*(y0'^2 + y1'^2 + y2'^2)\n"
    "  forces:\n"
    "    y0: -y0\n"
    "    y1: -w1^2*(y1 - y0) - 2*z*w1*(y1' - y0')\n"
    "    y2: -w2^2*(y2 - y0) - 2*z*w2*(y2' - y0')\n"
    "simulate: {end: 20, integrator: bdf}\n";

typedef struct draw {
  double w1, w2, z, a, tolerance;
} draw;

/* What a run says and takes. */
typedef struct outcome {
  long   steps;
  double error;     /* of the slow motion at the end */
  double frequency; /* of the note [rad/s]; 0: there is none */
  int    notes;
} outcome;

static void hear(void *self, double t, const char *text) {
  outcome *out = self;
  const char *place = strstr(text, "order held at 2: a vibration of about ");
  (void)t;
  if (place == NULL) return;
  out->notes++;
  out->frequency = strtod(place + strlen("order held at 2: a vibration of about "), NULL);
}

static outcome run(const draw *d, int max_order, const char *error_in) {
  char texts[4][32];
  const double numbers[] = {d->w1, d->w2, d->z, d->a};
  const char *const names[] = {"w1", "w2", "z", "a"};
  trm_setting settings[5] = {{0}};
  for (int i = 0; i < 4; i++) {
    snprintf(texts[i], sizeof texts[i], "%.17g", numbers[i]);
    settings[i] = (trm_setting){.name = names[i], .value = texts[i]};
  }
  trm_error err;
  outcome out = {0};
  typed m = typed_text(light, "light.yaml", settings);
  trm_options o = m.options;
  o.tolerance = d->tolerance;
  o.max_order = max_order;
  o.error_in = error_in;
  trm_sim *sim = kit_sim(m.system, &o);
  const trm_sink sink = {.self = &out, .message = hear};
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  kit_run(sim);
  out.steps = trm_sim_counters(sim)->steps;
  out.error = fabs(trm_sim_state(sim)->q[0] - cos(20.0));
  trm_sim_free(sim);
  typed_close(&m);
  return out;
}

/* ---- draws ----------------------------------------------------------------------------------- */

/* splitmix64 */
static double uniform(uint64_t *seed) {
  uint64_t x = *seed += 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  x ^= x >> 31;
  return (double)(x >> 11) / 9007199254740992.0;
}

static double between(uint64_t *seed, double low, double high) {
  return low * pow(high / low, uniform(seed));
}

static draw draw_of(int number) {
  uint64_t seed = (uint64_t)number;
  draw d = {.w1 = between(&seed, 30.0, 300.0), .w2 = between(&seed, 300.0, 5000.0)};
  const bool is_damped = uniform(&seed) > 0.25;
  d.z = between(&seed, 1e-4, 3e-2);
  if (!is_damped) d.z = 0.0;
  d.a = between(&seed, 1e-5, 1e-2);
  d.tolerance = between(&seed, 1e-6, 1e-3);
  return d;
}

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Without the limiter 9 draws of 24 take more than twice as many steps, the worst 178 times. */
static void orders_up_to_five_cost_no_more_than_order_two(void **state) {
  (void)state;
  double ratios[DRAWS];
  print_message("| seed | omega 1 | omega 2 | damping | amplitude | tolerance | order 2 | 1 to 5 | "
                "ratio |\n");
  for (int i = 0; i < DRAWS; i++) {
    const draw d = draw_of(i + 1);
    const outcome two = run(&d, 2, NULL), all = run(&d, 5, NULL);
    ratios[i] = (double)all.steps / (double)two.steps;
    print_message("| %d | %.0f | %.0f | %.1e | %.1e | %.1e | %ld | %ld | %.2f |\n", i + 1, d.w1,
                  d.w2, d.z, d.a, d.tolerance, two.steps, all.steps, ratios[i]);
    CHECK_BETWEEN(ratios[i], 0.0, 1.3, "seed %d", i + 1);
  }
  qsort(ratios, DRAWS, sizeof *ratios, compare_numbers);
  const double median = 0.5 * (ratios[DRAWS / 2 - 1] + ratios[DRAWS / 2]);
  print_message("median %.2f, worst %.2f\n", median, ratios[DRAWS - 1]);
  CHECK_BETWEEN(median, 0.0, 1.0, "median");
}

/* ---- what is said --------------------------------------------------------------------------- */

/* Newton leaves errors of accelerations that are no small part of differences of a hundredth of the
 * tolerance: a quarter. */
static void a_held_order_is_reported_once_with_the_frequency(void **state) {
  (void)state;
  const draw one = {.w1 = 300.0, .w2 = 300.0, .z = 0.005, .a = 1e-3, .tolerance = 1e-4};
  const outcome held = run(&one, 0, NULL);
  assert_int_equal(held.notes, 1);
  CHECK_NEAR(held.frequency, 300.0, 75.0, "frequency");
  CHECK_BETWEEN(held.error, 0.0, 100 * one.tolerance, "slow motion");
  /* nothing vibrates for long, nothing is held */
  const draw still = {.w1 = 300.0, .w2 = 2000.0, .z = 0.7, .a = 0.0, .tolerance = 1e-4};
  assert_int_equal(run(&still, 0, NULL).notes, 0);
}

/* With velocities in the test vibrations are wanted: nothing is held, and many more steps follow
 * them. */
static void velocities_in_the_test_follow_the_vibration(void **state) {
  (void)state;
  const draw d = {.w1 = 300.0, .w2 = 2000.0, .z = 0.005, .a = 1e-3, .tolerance = 1e-3};
  const outcome positions = run(&d, 0, "positions"), velocities = run(&d, 0, "velocities");
  print_message("%ld steps, with velocities %ld\n", positions.steps, velocities.steps);
  assert_int_equal(velocities.notes, 0);
  assert_true(velocities.steps > 10 * positions.steps);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_up_to_five_cost_no_more_than_order_two),
      cmocka_unit_test(a_held_order_is_reported_once_with_the_frequency),
      cmocka_unit_test(velocities_in_the_test_follow_the_vibration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
