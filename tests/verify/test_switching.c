/* Conditions that change nothing, cause a kink or a jump: their cost and their errors. */
#include "methods.h"
#include "verify/typed.h"
#include <math.h>


typedef struct outcome {
  double x[2];
  long   steps, events;
} outcome;

static outcome run(const char *text, const char *method, double tolerance, double step) {
  typed m = typed_text(text, "switch", NULL);
  trm_options o = m.options;
  o.integrator = method;
  o.formulation = NULL;
  o.tolerance = tolerance;
  if (step > 0.0) o.steps[0] = step, o.nsteps = 1;
  trm_sim *sim = kit_sim(m.system, &o);
  kit_run(sim);
  const trm_state *s = trm_sim_state(sim);
  const trm_counters *c = trm_sim_counters(sim);
  const outcome r = {{s->q[0], s->v[0]}, c->steps, c->events};
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

#define SWING \
  "trammel: 1\nequations:\n  coordinates: {x: {value: 1}}\n  mass: {x: 1}\n  forces: {x: \""
#define END "\"}\nsimulate: {end: 20}\n"

/* An `if` with branches that are equal, though not to be seen so, in time and in the coordinate:
 * the same steps as without it. */
static void equal_branches_cost_nothing(void **state) {
  (void)state;
  static const char plain[] = SWING "-4*x + .3*sin(time)" END;
  static const char in_time[] =
      SWING "if(time < 7.3, -4*x, -4*x*(sin(x)^2 + cos(x)^2)) + .3*sin(time)" END;
  static const char in_x[] =
      SWING "if(x > 0.1, -4*x, -4*x*(sin(x)^2 + cos(x)^2)) + .3*sin(time)" END;
  for (int m = 0; m < all_methods(); m++) {
    for (int k = 0; k < 4; k++) {
      const double step = k < 2 ? 0.0 : 0.01;
      const outcome a = run(plain, methods[m], 1e-6, step);
      const outcome b = run(k % 2 == 0 ? in_time : in_x, methods[m], 1e-6, step);
      print_message("%s%s: %ld and %ld steps, %ld events, off by %.1e\n", methods[m],
                    step > 0.0 ? " fixed" : "", a.steps, b.steps, b.events, a.x[0] - b.x[0]);
      /* a condition that comes nearer may shorten a step; hht itself is off by 4e-3 */
      const double off = k < 2 ? 2e-5 : 1e-9;
      CHECK_NEAR(b.x[0], a.x[0], off, "position");
      CHECK_NEAR(b.x[1], a.x[1], 4 * off, "velocity");
      assert_true(labs(a.steps - b.steps) <= (k < 2 ? 12 + a.steps / 100 : 0));
      assert_true(b.events >= 1);
    }
  }
}

/* A spring that is twice as stiff on one side: kinks. Half periods pi/2 and pi/sqrt(8) are exact;
 * errors stay within what the tolerance gives a smooth spring. */
static void kinks_keep_the_accuracy(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846, w0 = 2.0, w1 = sqrt(8.0);
  const double t = 20.0 - 0.5 * pi / w0, period = pi / w0 + pi / w1;
  const double rest = fmod(t, period); /* from x = 0 downwards, with speed w0 */
  const double x = rest < pi / w1 ? -w0 / w1 * sin(w1 * rest) : sin(w0 * (rest - pi / w1));
  static const char kinks[] = SWING "if(x > 0, -4*x, -8*x)" END;
  static const char smooth[] = SWING "-6*x" END;
  for (int m = 0; m < all_methods(); m++) {
    for (int p = 5; p <= 8; p++) {
      const outcome a = run(smooth, methods[m], pow(10.0, -p), 0.0);
      const outcome b = run(kinks, methods[m], pow(10.0, -p), 0.0);
      const double usual = fabs(a.x[0] - cos(sqrt(6.0) * 20.0)), off = fabs(b.x[0] - x);
      print_message("%s 1e-%d: %ld and %ld steps, off by %.1e and %.1e\n", methods[m], p, a.steps,
                    b.steps, usual, off);
      assert_true(off < 5 * usual + 30 * pow(10.0, -p));
    }
  }
}

/* At rest on a jump, where x > 0 does not hold: it is pushed down and swings about -0.2, back to
 * less than zero. Dense output that dips above zero first, by its error, is no crossing. */
static void a_start_on_a_jump_stays_on_its_side(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {x: 0}\n  mass: {x: 1}\n"
      "  forces: {x: \"-x - 0.1*x' + if(x > 0, 0.2 + sqrt(x), -0.2)\"}\nsimulate: {end: 20}\n";
  const double w = sqrt(1.0 - 0.05 * 0.05), t = 20.0;
  const double x = -0.2 + 0.2 * exp(-0.05 * t) * (cos(w * t) + 0.05 / w * sin(w * t));
  for (int m = 0; m < all_methods(); m++) {
    for (int p = 4; p <= 8; p += 2) {
      const outcome a = run(text, methods[m], pow(10.0, -p), 0.0);
      /* the error of hht at the end of three swings goes like tolerance^(2/3) */
      CHECK_NEAR(a.x[0], x, 20 * pow(10.0, -p * 2.0 / 3.0), "%s at 1e-%d", methods[m], p);
    }
  }
}

/* Circles about 1 and -1 in the plane of x and x', changed at x = 0.3; the end from circles and
 * crossings by bisection. Dense output of explicit, at the crossings, would be off by 2e-8 at a
 * tolerance of 1e-8 and 4e-10 at 1e-10. */
static void jumps_are_met_by_steps_of_their_own(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {x: {value: 1, velocity: -1}}\n  mass: {x: 1}\n"
      "  forces: {x: \"-x + if(x > 0.3, 1, -1)\"}\nsimulate: {end: 5}\n";
  const double x = -0.9784190707913201;
  const outcome at_8 = run(text, "explicit", 1e-8, 0.0), at_10 = run(text, "explicit", 1e-10, 0.0);
  CHECK_NEAR(at_8.x[0], x, 1e-8, "explicit at 1e-8");
  CHECK_NEAR(at_10.x[0], x, 1e-10, "explicit at 1e-10");
  CHECK_NEAR(run(text, "radau", 1e-10, 0.0).x[0], x, 1e-10, "radau at 1e-10");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_branches_cost_nothing),
      cmocka_unit_test(kinks_keep_the_accuracy),
      cmocka_unit_test(a_start_on_a_jump_stays_on_its_side),
      cmocka_unit_test(jumps_are_met_by_steps_of_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
