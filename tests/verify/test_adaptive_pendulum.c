/* Error against number of steps of error-controlled hht si2, and what a tolerance
 * means, on the pendulum in 10 s. Defaults in everything but the tolerance. */
#include "runs.h"

enum { POINTS = 6 };
static const double tolerances[POINTS] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};

/* What a prototype of the method reached with the same estimate: steps, and largest
 * errors of position [m] and of the multiplier. */
static const double steps_listed[POINTS] = {190, 404, 858, 1838, 3946, 8487};
static const double q_listed[POINTS] = {0.15, 3.9e-2, 9.0e-3, 2.0e-3, 4.5e-4, 1.0e-4};
static const double lam_listed[POINTS] = {6.4, 1.7, 0.40, 8.9e-2, 2.0e-2, 4.4e-3};

static const model pendulum = {"pendulum", {{0}}};
static errors e[POINTS];
static double steps[POINTS];

static int run_all(void **state) {
  (void)state;
  history runs[POINTS];
  for (int i = 0; i < POINTS; i++) {
    trm_options o = options_until(10.0);
    o.tolerance = tolerances[i];
    runs[i] = run(&pendulum, &o, KEEP_STEPS);
    steps[i] = (double)runs[i].counters.steps;
  }
  compare(&pendulum, 10.0, runs, POINTS, e);
  for (int i = 0; i < POINTS; i++) history_free(&runs[i]);
  return 0;
}

/* The listed error at n steps: straight lines between the points, in logarithms, the
 * first and the last of them prolonged. */
static double on_curve(const double *listed, double n) {
  int i = 0;
  while (i < POINTS - 2 && n > steps_listed[i + 1]) i++;
  const double x = log(n / steps_listed[i]) / log(steps_listed[i + 1] / steps_listed[i]);
  return listed[i] * pow(listed[i + 1] / listed[i], x);
}

static void error_per_step_is_not_above_the_listed_curve(void **state) {
  (void)state;
  print_message("tolerance  steps  error of q (curve), over it   error of lam (curve), over it\n");
  for (int i = 0; i < POINTS; i++) {
    const double q = on_curve(q_listed, steps[i]), lam = on_curve(lam_listed, steps[i]);
    print_message("%9.0e %6.0f  %8.3g (%8.3g) %6.4f   %8.3g (%8.3g) %6.4f\n", tolerances[i],
                  steps[i], e[i].largest[OF_Q], q, e[i].largest[OF_Q] / q, e[i].largest[OF_LAM],
                  lam, e[i].largest[OF_LAM] / lam);
  }
  for (int i = 0; i < POINTS; i++) {
    CHECK_BETWEEN(e[i].largest[OF_Q], 0.0, on_curve(q_listed, steps[i]),
                  "position at tolerance %g, %g steps", tolerances[i], steps[i]);
    CHECK_BETWEEN(e[i].largest[OF_LAM], 0.0, on_curve(lam_listed, steps[i]),
                  "multiplier at tolerance %g, %g steps", tolerances[i], steps[i]);
  }
}

/* The estimate is that of the prototype; its step control was a little more careful. */
static void steps_are_as_many_as_listed(void **state) {
  (void)state;
  for (int i = 0; i < POINTS; i++) {
    CHECK_BETWEEN(steps[i] / steps_listed[i], 0.75, 1.1, "steps over the listed number at %g",
                  tolerances[i]);
  }
}

/* Local errors of the tolerance mean steps like tolerance^(1/3), and a global error of
 * second order tolerance^(2/3); at the coarse end terms of higher order are felt. */
static void error_goes_like_two_thirds_of_the_tolerance(void **state) {
  (void)state;
  for (int i = 2; i + 1 < POINTS; i++) {
    const double ratio = log(tolerances[i] / tolerances[i + 1]);
    CHECK_BETWEEN(log(e[i].largest[OF_Q] / e[i + 1].largest[OF_Q]) / ratio, 0.61, 0.69,
                  "power of the error from tolerance %g on", tolerances[i]);
    CHECK_BETWEEN(log(steps[i + 1] / steps[i]) / ratio, 0.32, 0.345,
                  "power of the steps from tolerance %g on", tolerances[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(error_per_step_is_not_above_the_listed_curve),
      cmocka_unit_test(steps_are_as_many_as_listed),
      cmocka_unit_test(error_goes_like_two_thirds_of_the_tolerance),
  };
  return cmocka_run_group_tests(tests, run_all, NULL);
}
