/* Chain pendulum: tips, order, energy. Longer chains: test_slow_chain.c. */
#include "chains.h"

enum { RUNS = 4, ALL = SET_Q | SET_V | SET_LAM };
static const double h_fine = 1e-3;

static void tips_match_listed_values(void **state) {
  (void)state;
  check_tip("1", 0.9994654895, -0.0326915166);
  check_tip("10", -7.6000551084, -5.9561571406);
  check_tip("100", 93.5065203838, -19.62); /* the free end falls freely */
}

/* The last links whip: at 2 ms, and below, terms of higher order are under 5 %. */
static void hht_is_second_order_on_ten_links(void **state) {
  (void)state;
  const model m = {"chain", {{"links", "10"}}};
  const trm_options o = options_steps(2.0, 2e-3, 0.0);
  check_halving("10 links", &m, &o, RUNS, ALL, 1.9, 2.1);
}

/* Straight and at rest at zero height, the chain has no energy and keeps it; 10 links
 * exchange some 300 J in 2 s. hht loses some to its damping, which is a second-order
 * effect as the error is; `explicit` only local errors of 1e-10. */
static void spherical_chain_keeps_its_energy(void **state) {
  (void)state;
  const model m = {"chain", {{"links", "10"}, {"joint", "spherical"}}};
  const trm_options hht = options_steps(2.0, h_fine, 0.0);
  const trm_options explicit = options_explicit(2.0, 1e-10);
  history damped = run(&m, &hht, KEEP_STEPS), exact = run(&m, &explicit, KEEP_STEPS);
  double lost = 0.0, drift = 0.0;
  for (int i = 0; i < damped.count; i++) lost = fmax(lost, fabs(energy_of(&m, &damped, i)));
  for (int i = 0; i < exact.count; i++) drift = fmax(drift, fabs(energy_of(&m, &exact, i)));
  print_message("energy: hht off by %.2g J, explicit by %.2g J\n", lost, drift);
  CHECK_NEAR(lost, 0.0, 3e-2, "energy, hht at h=%g", h_fine); /* 1e-4 of what is exchanged */
  CHECK_NEAR(drift, 0.0, 1e-6, "energy, explicit");
  history_free(&damped);
  history_free(&exact);
}

/* In its plane a spherical joint does what a revolute one does. */
static void spherical_and_revolute_chains_move_alike_in_the_plane(void **state) {
  (void)state;
  const model revolute = {"chain", {{"links", "10"}}};
  const model spherical = {"chain", {{"links", "10"}, {"joint", "spherical"}}};
  const trm_options o = options_steps(2.0, h_fine, 0.0);
  history a = run(&revolute, &o, KEEP_LAST), b = run(&spherical, &o, KEEP_LAST);
  double q = 0.0;
  enlarge(&q, history_last(&a).q, history_last(&b).q, a.nq);
  print_message("spherical and revolute differ by %.2g\n", q);
  CHECK_NEAR(q, 0.0, 1e-9, "positions at the end"); /* rounding of 2000 steps, whipped up */
  history_free(&a);
  history_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tips_match_listed_values),
      cmocka_unit_test(hht_is_second_order_on_ten_links),
      cmocka_unit_test(spherical_chain_keeps_its_energy),
      cmocka_unit_test(spherical_and_revolute_chains_move_alike_in_the_plane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
