/* test_contact_models.c - the shipped models with contacts have the answers that they state. */
#include "verify/typed.h"
#include <math.h>

typedef struct outcome {
  double out[6];
  double hits[4]; /* times at which output 0 becomes negative, between steps */
  int    nhits;
  double largest[6], least[6];
} outcome;

static outcome run(const char *name, const char *method, double end) {
  typed m = typed_model(name, NULL);
  trm_options o = m.options;
  trm_error err = {.message = ""};
  outcome r = {.nhits = 0};
  double before = 1.0, t0 = 0.0;
  bool done = false;
  if (method != NULL) o.integrator = method, o.formulation = NULL;
  if (end > 0.0) o.end = end;
  trm_sim *sim = kit_sim(m.system, &o);
  const int n = trm_system_sizes(m.system)->noutputs;
  assert_true(n <= 6);
  while (!done) {
    const trm_status status = trm_sim_step(sim, &done, &err);
    if (status != TRM_OK) fail_msg("%s: %s", name, err.message);
    CHECK_OK(trm_sim_outputs(sim, r.out, &err), err);
    const double t = trm_sim_state(sim)->t;
    for (int k = 0; k < 10; k++) { /* also between steps */
      const trm_state *s = NULL;
      double out[6];
      CHECK_OK(trm_sim_interpolate(sim, t - .1 * k * (t - t0), &s, &err), err);
      CHECK_OK(trm_system_values(trm_sim_system(sim), s, &(trm_values){.outputs = out}, &err), err);
      for (int i = 0; i < n; i++) {
        r.largest[i] = fmax(r.largest[i], out[i]), r.least[i] = fmin(r.least[i], out[i]);
      }
    }
    if (before > 0.0 && r.out[0] <= 0.0 && r.nhits < 4) {
      r.hits[r.nhits++] = t0 + before / (before - r.out[0]) * (t - t0);
    }
    before = r.out[0], t0 = t;
  }
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

/* Hits after sqrt(2 h/g), then 2 r^n v/g each; the contact itself takes some ms. */
static void the_ball_hits_when_it_should(void **state) {
  (void)state;
  static const char *const methods[] = {"hht", "bdf", "tdg", "radau"};
  for (int i = 0; i < 4; i++) {
    const outcome r = run("ball-on-floor", methods[i], 0.0);
    const double v = sqrt(2 * 9.81 * .5);
    double t = v / 9.81;
    assert_int_equal(r.nhits, 4);
    for (int k = 0; k < 4; k++) {
      /* contacts of 2 to 3 ms, of which .7 replaces a part; errors of .7 of 1e-3 */
      CHECK_NEAR(r.hits[k], t, 4e-3 * (k + 1), "%s: hit %d", methods[i], k);
      t += 2 * pow(.7, k + 1) * v / 9.81;
    }
    CHECK_NEAR(r.out[0], -pow(.4 * 9.81 / 1e7, 1 / 1.5), 1e-6, "%s: at rest", methods[i]);
  }
}

/* The last ball rises to the angle of the first, and gives it back. */
static void the_cradle_hands_the_swing_on(void **state) {
  (void)state;
  const double lifted = 20 * acos(-1.0) / 180;
  const outcome r = run("newton-cradle", NULL, 1.6);
  /* gaps of 1 mm on 40 cm: the balls hang apart, and meet below their rest by up to 1e-2 */
  CHECK_NEAR(-r.least[1], lifted, 0.05 * lifted, "the last ball");
  assert_true(r.largest[2] > 100.0); /* of the first blow, N */
}

static void the_block_stays_where_it_is(void **state) {
  (void)state;
  const outcome r = run("block-on-slope", NULL, 0.0);
  const double weight = 2 * 9.81, a = 20 * acos(-1.0) / 180;
  CHECK_NEAR(r.out[0], 0.0, 2e-5, "bristles of 10 um, bent by .73, and the settling");
  CHECK_NEAR(r.out[1], 0.0, 1e-7, "speed at steps of 20 s");
  CHECK_NEAR(r.out[2], weight * sin(a), 5e-3 * weight, "friction: .005 of the bristles");
  CHECK_NEAR(r.out[3], weight * cos(a), 1e-2, "load");
  CHECK_NEAR(r.out[4], 1.0, 0.0, "it sticks");
}

static void the_ball_rolls_with_five_sevenths(void **state) {
  (void)state;
  const outcome r = run("slide-and-roll", NULL, 0.0);
  CHECK_NEAR(r.out[1], 20.0 / 7.0, 5e-4, "radius of rolling R - p/2: 1e-4");
  CHECK_NEAR(r.out[2], 0.0, 1e-8, "no slip");
  const outcome sliding = run("slide-and-roll", NULL, .1);
  CHECK_NEAR(sliding.out[3], .5 * 3 * 9.81, 1e-3 * 15, "friction while it slides");
}

static void the_box_rests_on_four_corners(void **state) {
  (void)state;
  const outcome r = run("box-on-edge", NULL, 0.0);
  CHECK_NEAR(r.out[0], .05 - pow(9.81 / 4 / 1e7, 1 / 1.5), 1e-5, "height");
  CHECK_NEAR(r.out[1], 9.81, 1e-2, "its weight");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_ball_hits_when_it_should),
    cmocka_unit_test(the_cradle_hands_the_swing_on),
    cmocka_unit_test(the_block_stays_where_it_is),
    cmocka_unit_test(the_ball_rolls_with_five_sevenths),
    cmocka_unit_test(the_box_rests_on_four_corners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
