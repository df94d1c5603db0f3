/* servo: first-order states, variables and an algebraic loop together with a constraint. Every
 * accepted step is compared. The fastest part, a filter of .1 s, takes 25 steps of the coarsest
 * run: orders are in 2 +- .1 from there on. */
#include "runs.h"

static const model servo = {"servo", {{0}}};
enum { RUNS = 4, ALL = SET_Q | SET_V | SET_VD | SET_LAM | SET_X | SET_W };

static void check_servo(const char *integrator, double end, double h, double h2) {
  trm_options o = options_steps(end, h, h2);
  o.integrator = integrator;
  check_halving(integrator, &servo, &o, RUNS, ALL, 1.9, 2.1);
}

static void constant_steps_are_second_order_in_all_unknowns(void **state) {
  (void)state;
  check_servo("hht", 2.0, 4e-3, 0.0);
  check_servo("alpha", 2.0, 4e-3, 0.0);
}

static void alternating_steps_are_second_order_in_all_unknowns(void **state) {
  (void)state;
  check_servo("hht", 1.8, 2e-3, 4e-3);
  check_servo("hht", 2.0, 1e-3, 4e-3);
  check_servo("alpha", 1.8, 2e-3, 4e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_steps_are_second_order_in_all_unknowns),
      cmocka_unit_test(alternating_steps_are_second_order_in_all_unknowns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
