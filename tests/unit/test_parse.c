/* Parser: precedence, units, names, dimensions; every fault has its sentence and its place; long,
 * deep and broken texts. */
#include "expressions.h"

static void operators_bind_as_in_mathematics(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  static const struct {
    const char *text;
    double      value;
  } cases[] = {
      {"1 + 2*3", 7}, {"(1 + 2)*3", 9}, {"10 - 4 - 3", 3}, {"100/10/5", 2}, {"100/10*5", 50},
      {"2^3^2", 512}, {"2**3**2", 512}, {"-2^2", -4}, {"(-2)^2", 4}, {"2^-2", 0.25},
      {"2^-1^2", 0.5}, {"--3", 3}, {"-+-3", 3}, {"+3", 3}, {"2*-3", -6}, {"2 - -3", 5},
      {"6/2*3", 9}, {"2*3^2", 18}, {"-3^2*2", -18}, {"1e3", 1000}, {"1.5E-3", 0.0015},
      {".5", 0.5}, {"5.", 5}, {"1.e2", 100}, {"  7\t\n+ 1 ", 8}, {"((((4))))", 4},
      {"if(1 < 2, 3, 4)", 3}, {"if(1 >= 2, 3, 4)", 4}, {"if(1 > 2 or 2 > 1, 3, 4)", 3},
      {"if(1 > 2 and 2 > 1, 3, 4)", 4}, {"if(not 1 > 2, 3, 4)", 3}, {"if(!1 > 2, 3, 4)", 3},
      {"if(1 < 2 || 1 > 2 && 1 > 2, 3, 4)", 3}, {"if((1 < 2 or 1 > 2) and 1 > 2, 3, 4)", 4},
      {"if(not not 1 > 2, 3, 4)", 4}, {"if(1 == 1 AND 1 != 2, 3, 4)", 3},
      {"if(not 1 > 2 and 2 <= 2, 3, 4)", 3}, {"1 + if(2 + 1 < 2*2, 1, 0)", 2},
      {"pi", 3.14159265358979323846}, {"PI/2", 1.57079632679489661923}, {"x", 2}, {"x*y - z", 5},
      {"crank.angle", 0.25}, {"TIME", 0.75}, {"Sin(0) + COS(0)", 1}, {"if(gear == 2, 1, 0)", 1},
      {"sin (0)", 0}, {"2 - 3 mm", 1.997},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    CHECK_NEAR(xp_number(&s, cases[i].text, 2.0, 3.0, 1.0), cases[i].value,
               1e-15 * fabs(cases[i].value), "%s", cases[i].text);
  }
  xp_close(&s);
}

static void numbers_are_rounded_once(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  assert_true(xp_number(&s, "0.1", 0, 0, 0) == 0.1);
  assert_true(xp_number(&s, "123456789.987654321e-7", 0, 0, 0) == 123456789.987654321e-7);
  assert_true(xp_number(&s, "00000000000000000000000000000.1e1", 0, 0, 0) == 1.0);
  assert_true(xp_number(&s, "1.7976931348623157e308", 0, 0, 0) == 1.7976931348623157e308);
  assert_true(xp_number(&s, "4.9406564584124654e-324", 0, 0, 0) > 0.0);
  assert_true(xp_number(&s, "0e-999", 0, 0, 0) == 0.0);
  assert_true(xp_number(&s, "35 mm", 0, 0, 0) == 0.035);
  assert_true(xp_number(&s, "7 ms", 0, 0, 0) == 0.007);
  assert_true(xp_number(&s, "180 deg", 0, 0, 0) == 3.14159265358979323846);
  xp_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_bind_as_in_mathematics),
      cmocka_unit_test(numbers_are_rounded_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
