/* test_amplification.c - eigenvalues found from runs are those of the methods. */
#include "trammel/analysis.h"
#include "kit.h"

static trm_amplification find(const char *integrator, double rho, double omega_h) {
  trm_options o = trm_options_default();
  trm_error err;
  trm_amplification a;
  o.integrator = integrator;
  if (strcmp(integrator, "alpha") == 0) o.rho = rho, o.has_rho = true;
  CHECK_OK(trm_amplification_find(&o, omega_h, &a, &err), err);
  return a;
}

/* rho is the spectral radius at infinity; at 1e5 the double root is 1e-5 off */
static void alpha_has_the_radius_it_is_asked_for(void **state) {
  (void)state;
  static const double rhos[] = {0.0, 0.25, 0.5, 0.75, 1.0};
  for (int i = 0; i < 5; i++) {
    const trm_amplification a = find("alpha", rhos[i], 1e5);
    CHECK_NEAR(a.spectral_radius, rhos[i], 1e-3, "rho = %g", rhos[i]);
  }
}

/* (1 + alpha)/(1 - alpha) at infinity, alpha = -0.3 */
static void hht_damps_fast_motions(void **state) {
  (void)state;
  CHECK_NEAR(find("hht", 0.0, 1e5).spectral_radius, 0.7 / 1.3, 1e-4, "hht");
}

/* The trapezoidal rule, rho = 1, turns by 2 atan(W/2): no damping at all. */
static void undamped_alpha_is_the_trapezoidal_rule(void **state) {
  (void)state;
  for (double w = 0.01; w < 50.0; w *= 3.0) {
    const trm_amplification a = find("alpha", 1.0, w);
    /* roots of a fit to a dozen numbers of rounding 1e-16; slow motions turn little per step */
    CHECK_NEAR(a.spectral_radius, 1.0, 1e-9, "radius at %g", w);
    CHECK_NEAR(a.period_error, w / (2.0 * atan(0.5 * w)) - 1.0, 1e-7, "period at %g", w);
  }
}

/* DOP853: error of a turn O(W^9), unstable above W = 6 or so */
static void explicit_is_exact_for_slow_motions_only(void **state) {
  (void)state;
  CHECK_NEAR(find("explicit", 0.0, 0.1).damping, 0.0, 1e-10, "damping");
  CHECK_NEAR(find("explicit", 0.0, 0.1).period_error, 0.0, 1e-10, "period");
  CHECK_BETWEEN(find("explicit", 0.0, 9.0).spectral_radius, 1.0, 1e3, "radius");
}

/* Two-stage Radau IIA: damping W^3/72, period error W^4/270, next terms of relative size W^2 */
static void tdg_has_the_constants_of_radau(void **state) {
  (void)state;
  const double w = 0.1;
  const trm_amplification a = find("tdg", 0.0, w);
  CHECK_NEAR(a.damping / (w * w * w), 1.0 / 72.0, 1e-4, "damping");
  CHECK_NEAR(a.period_error / (w * w * w * w), 1.0 / 270.0, 2e-5, "period");
}

static void all_forms_are_one_method(void **state) {
  (void)state;
  static const char *const forms[] = {"index3", "index2", "cs", "cm", "projected"};
  const trm_amplification si2 = find("hht", 0.0, 1.0);
  for (int i = 0; i < 5; i++) {
    trm_options o = trm_options_default();
    trm_error err;
    trm_amplification a;
    o.formulation = forms[i];
    CHECK_OK(trm_amplification_find(&o, 1.0, &a, &err), err);
    CHECK_NEAR(a.damping, si2.damping, 1e-9, "%s", forms[i]);
  }
}

/* Order 2 damps everything, the higher ones feed vibrations up to h omega = 1.93, 4.71, 9.36; slow
 * motions have the constants of the formulas, damping W^3/4 of order 2 and W^4/4 fed by order 3. */
static void bdf_feeds_vibrations_from_order_three_on(void **state) {
  (void)state;
  static const double edges[] = {1.93, 4.71, 9.36};
  trm_options o = trm_options_default();
  trm_error err;
  trm_amplification a;
  o.integrator = "bdf";
  for (double w = 0.01; w < 200.0; w *= 2.0) {
    CHECK_OK(trm_amplification_find(&o, w, &a, &err), err);
    CHECK_BETWEEN(a.spectral_radius, 0.0, 1.0, "order 2 at %g", w);
  }
  for (int k = 3; k <= 5; k++) {
    o.max_order = k;
    CHECK_OK(trm_amplification_find(&o, 0.99 * edges[k - 3], &a, &err), err);
    CHECK_BETWEEN(a.spectral_radius, 1.0, 1.1, "order %d below its edge", k);
    CHECK_OK(trm_amplification_find(&o, 1.01 * edges[k - 3], &a, &err), err);
    CHECK_BETWEEN(a.spectral_radius, 0.0, 1.0, "order %d above its edge", k);
  }
  const double w = 0.03; /* next terms are of relative size W^2 */
  o.max_order = 2;
  CHECK_OK(trm_amplification_find(&o, w, &a, &err), err);
  CHECK_NEAR(a.damping / (w * w * w), 0.25, 5e-3, "damping of order 2");
  CHECK_NEAR(a.period_error / (w * w), 1.0 / 3.0, 5e-3, "period of order 2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(alpha_has_the_radius_it_is_asked_for),
    cmocka_unit_test(hht_damps_fast_motions),
    cmocka_unit_test(undamped_alpha_is_the_trapezoidal_rule),
    cmocka_unit_test(explicit_is_exact_for_slow_motions_only),
    cmocka_unit_test(tdg_has_the_constants_of_radau),
    cmocka_unit_test(all_forms_are_one_method),
    cmocka_unit_test(bdf_feeds_vibrations_from_order_three_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
