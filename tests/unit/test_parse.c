/* Parser: precedence, units, names, dimensions; every fault has its sentence and its place; long,
 * deep and broken texts. */
#include "unit/parsing.h"

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
  for (int i = 1; i < 200; i++) { /* a third of them differ by a digit from i * 0.001 */
    char text[16];
    snprintf(text, sizeof text, "%d ms", i);
    assert_true(xp_number(&s, text, 0, 0, 0) == i / 1000.0);
  }
  assert_true(xp_number(&s, "180 deg", 0, 0, 0) == 3.14159265358979323846);
  xp_close(&s);
}

static void grammar_faults_stand_at_their_letter(void **unused) {
  (void)unused;
  static const fault list[] = {
      {"", 0, "the expression is empty"},
      {"  \t ", 0, "the expression is empty"},
      {"1 +", 3, "the expression ends where a value is expected"},
      {"2 * ", 4, "the expression ends where a value is expected"},
      {"1 + * 2", 4, "a value is missing before '*'"},
      {"(1 + 2", 0, "this '(' is never closed"},
      {"3*(1 + (2*x)", 2, "this '(' is never closed"},
      {"sin(1 + 2", 3, "this '(' of sin is never closed"},
      {"1 + 2)", 5, "this ')' has no '(' before it"},
      {"()", 1, "a value is missing before ')'"},
      {"min(1,)", 6, "a value is missing before ')'"},
      {"min(,1)", 4, "a value is missing before ','"},
      {"x, y", 1, "',' is allowed only between the arguments of a function"},
      {"x y", 2, "an operator is missing before 'y'"},
      {"(x y)", 3, "an operator or ')' is missing before 'y'"},
      {"sin(x y)", 6, "',' or ')' is missing before 'y'"},
      {"x (y)", 2, "'x' is not a function or a table: is an operator missing before '('?"},
      {"(x)(y)", 3, "an operator is missing before '('"},
      {"x 2", 2, "an operator is missing before '2'"},
      {"1..2", 2, "an operator is missing before '.2'"},
      {"x.", 1, "'.' has no meaning in an expression"},
      {"x = 2", 2, "'=' compares nothing; write '==' or '<='"},
      {"x; y", 1, "arguments are separated by ',', not by ';'"},
      {"[x]", 0, "'[' has no meaning here; write '('"},
      {"x}", 1, "'}' has no meaning here; write ')'"},
      {"5 %", 2, "'%' has no meaning here; write 0.05 for 5 %"},
      {"x & y", 2, "'&' has no meaning in an expression; write and"},
      {"x @ y", 2, "'@' has no meaning in an expression"},
      {"x'^", 3, "the expression ends where a value is expected"},
      {"2'", 1, "a prime may only follow a name, as in x'"},
      {"(x)'", 3, "a prime may only follow a name, as in x'"},
  };
  xp_scope s;
  xp_open(&s, false);
  check_faults(&s, list, sizeof list / sizeof list[0]);
  xp_close(&s);
}

static void faults_of_names_say_the_nearest(void **unused) {
  (void)unused;
  static const fault list[] = {
      {"1 + lenght*2", 4, "'lenght' is not known; did you mean 'length'?"},
      {"crank.angel", 0, "'crank.angel' is not known; did you mean 'crank.angle'?"},
      {"1 + rod.3.x", 4, "'rod.3.x' is not known"}, /* words after a dot may begin with a digit */
      {"qwertyuiop", 0, "'qwertyuiop' is not known"},
      {"sine(x)", 0, "'sine' is not a function or a table; did you mean 'sin'?"},
      {"STEP(1)", 0, "STEP needs 5 arguments (x, x0, h0, x1, h1), not 1"},
      {"1 + STEP(x,0,1,1)", 4, "STEP needs 5 arguments (x, x0, h0, x1, h1), not 4"},
      {"sin()", 0, "sin needs 1 argument (x), not 0"},
      {"sin(x, y)", 0, "sin needs 1 argument (x), not 2"},
      {"min(x)", 0, "min needs at least 2 arguments (a, b, ...), not 1"},
      {"AKISPL(x, 0)", 0, "AKISPL needs 3 or 4 arguments (x, 0, table, order), not 2"},
      {"sin + 1", 0, "sin is a function: its arguments are written in parentheses"},
      {"sin x", 0, "sin is a function: its arguments are written in parentheses"},
      {"sin'(x)", 0, "a prime may not follow the name of a function"},
      {"1 + z'", 4, "'z' has no rate, so that a prime means nothing"},
      {"pi'", 0, "'pi' has no rate, so that a prime means nothing"},
      {"x''", 0, "'x' has no rate, so that a prime means nothing"},
      {"foo'", 0, "'foo' is not known"},
      {"2*mm", 2,
       "'mm' is not known here; a unit follows its number directly, as in 8 mm or 5 kg*m^2"},
      {"AKISPL(x, 0, sprig)", 13, "'sprig' is not a table of this model"},
      {"AKISPL(x, 0, 1)", 13, "AKISPL needs the name of a table here"},
      {"AKISPL(x, 1, spring)", 10,
       "AKISPL needs 0 as its second argument: tables are curves, not surfaces"},
      {"AKISPL(x, 0, spring, 3)", 21, "AKISPL needs 0, 1 or 2 as the order of the derivative"},
      {"CUBSPL(x, 0, spring, x)", 21, "CUBSPL needs 0, 1 or 2 as the order of the derivative"},
      {"TABLE(x, spring + 1)", 16, "',' or ')' is missing before '+'"},
      {"spring(1, 2)", 0, "table 'spring' needs 1 argument (x), not 2"},
  };
  xp_scope s;
  xp_open(&s, false);
  check_faults(&s, list, sizeof list / sizeof list[0]);
  xp_close(&s);
}

static void faults_of_numbers_and_units(void **unused) {
  (void)unused;
  static const fault list[] = {
      {"1 + 1e999", 4, "1e999 is too large for a number"},
      {"1e-999", 0, "1e-999 is too small for a number"},
      {"1e308 km", 0, "this is too large in the units of the model"},
      {"2x", 1, "an operator is missing before 'x': write 2*x"},
      {"2 sin(x)", 2, "an operator is missing before 'sin': write 2*sin"},
      {"8 mmm", 2, "'mmm' is not a unit; did you mean 'mm'?"},
      {"8 parsecs", 2, "'parsecs' is not a unit that is known"},
      {"5 N m", 4, "an operator is missing before 'm': units are joined by * and /, like N*m"},
      {"5 m^0.55", 3, "the exponent of a unit is a number as -2 or 1.5 right behind it; for "
       "a power of the quantity write parentheses: (2 m)^x"},
      {"5 m ^2", 4, "the exponent of a unit is a number as -2 or 1.5 right behind it; for "
       "a power of the quantity write parentheses: (2 m)^x"},
      {"5 m**12", 3, "the exponent of a unit is a number as -2 or 1.5 right behind it; for "
       "a power of the quantity write parentheses: (2 m)^x"},
      {"2*5 N*s", 6, "'s' is a unit and a name of this model: write ' * s' with blanks for the "
       "name, or put the quantity in parentheses"},
      {"x/0", 1, "division by zero"},
      {"1/(2 - 2)", 1, "division by zero"},
      {"sqrt(-1)", 0, "'sqrt' has no finite value here"},
      {"1 + log(0)", 4, "'log' has no finite value here"},
      {"log10(-1)", 0, "'log10' has no finite value here"},
      {"(-2)^0.5", 4, "'^' has no finite value here"},
      {"0^-1", 1, "'^' has no finite value here"},
      {"1e300*1e300", 5, "'*' has no finite value here"},
      {"1e300*x*1e300", 7, "'*' has no finite value here"},
      {"1e308 + 1e308", 6, "'+' has no finite value here"},
      {"STEP(x, 1, 0, 1, 1)", 14, "STEP needs an end x1 different from x0, not 1"},
      {"HAVSIN(x, y, 0, y, 1)", 16, "HAVSIN needs an end x1 different from x0"},
      {"IMPACT(x, y, 1, 1e3, 0, 1, 1)", 21, "IMPACT needs an exponent e > 0, not 0"},
      {"IMPACT(x, y, 1, 1e3, 2, 1, 0)", 27, "IMPACT needs d > 0, not 0"},
      {"IMPACT(x, y, 1, -1, 2, 1, 1)", 16, "IMPACT needs k >= 0, not -1"},
      {"IMPACT(x, y, 1, 1, 2, -1, 1)", 22, "IMPACT needs cmax >= 0, not -1"},
      {"BISTOP(x, y, 1, 0, 1, 2, 1, 1)", 16, "BISTOP needs x2 above x1, not 0"},
      {"SWEEP(x, 1, 0, 1, 0, 2, 1)", 18, "SWEEP needs x1 above x0, not 0"},
      {"SWEEP(x, 1, 0, 1, 1, 2, 0)", 24, "SWEEP needs dx > 0, not 0"},
  };
  xp_scope s;
  xp_open(&s, false);
  check_faults(&s, list, sizeof list / sizeof list[0]);
  xp_close(&s);
}

static void faults_of_conditions(void **unused) {
  (void)unused;
  static const char number[] = "a comparison is allowed only in if(...), not as a number";
  static const fault list[] = {
      {"1 + (x < 0)", 7, number},
      {"(x < 0)*3", 3, number},
      {"-(x < 0)", 4, number},
      {"(x < 0)^2", 3, number},
      {"2^(x < 0)", 5, number},
      {"sin(x < 0)", 6, number},
      {"if(x < 0, y > 1, 2)", 12, number},
      {"(x < 0) < 1", 3, number},
      {"min(1, x > 0 or y > 0)", 13, number},
      {"if(x, 1, 2)", 3, "'if' needs a condition such as x > 0 here"},
      {"not x", 4, "'not' needs a condition such as x > 0 here"},
      {"if(x > 0 and y, 1, 2)", 13, "'and' needs a condition such as x > 0 here"},
      {"if((x + 1) or y > 0, 1, 2)", 3, "'or' needs a condition such as x > 0 here"},
      {"0 < x < 1", 6, "comparisons do not chain: write a < b and b < c"},
      {"if(x == 1, 1, 2)", 5,
       "'==' needs values that change only at events; use <, <=, > or >="},
      {"if(x != gear, 1, 2)", 5,
       "'!=' needs values that change only at events; use <, <=, > or >="},
  };
  for (int held = 0; held < 2; held++) {
    xp_scope s;
    xp_open(&s, held == 1);
    check_faults(&s, list, sizeof list / sizeof list[0]);
    xp_close(&s);
  }
}

static const fault conflicts[] = {
    {"len + len'", 4, "'+' joins m and m/s"},
    {"len - mass", 4, "'-' joins m and kg"},
    {"1 mm + 2 s", 5, "'+' joins m and s"},
    {"len*len + len", 8, "'+' joins m^2 and m"},
    {"if(len < time, 1, 2)", 7, "'<' compares m and s"},
    {"if(x < 1, len, time)", 15, "'if' joins m and s"},
    {"min(1, len, time)", 12, "'min' joins m and s"},
    {"hypot(len, mass)", 11, "'hypot' joins m and kg"},
    {"atan2(len, time)", 11, "'atan2' joins m and s"},
    {"sin(len)", 4, "sin needs a number without a unit, not m"},
    {"exp(2*time/time)", 0, NULL},
    {"exp(time)", 4, "exp needs a number without a unit, not s"},
    {"2^len", 1, "an exponent is a number without a unit, not m"},
    {"pow(2, len)", 7, "pow needs a number as exponent, not m"},
    {"force + mass*len/time/time", 0, NULL},
    {"force + mass", 6, "'+' joins N and kg"},
    {"1/time + len", 0, NULL},
    {"len/len/time + len", 13, "'+' joins 1/s and m"},
    {"sqrt(len) + time", 0, NULL},
    {"sqrt(len*len) + time", 14, "'+' joins m and s"},
    {"sqrt(force/len/mass) + len", 21, "'+' joins 1/s and m"},
    {"cbrt(len^3) + time", 12, "'+' joins m and s"},
    {"len^2 + time", 6, "'+' joins m^2 and s"},
    {"len^0.5 + time", 0, NULL},
    {"len^x + time", 0, NULL},
    {"2*len + time", 0, NULL},
    {"len + 3", 0, NULL},
    {"3 + len + time", 8, "'+' joins m and s"},
    {"angle + 3 deg + 1 rad", 0, NULL},
    {"angle + len", 6, "'+' joins 1 and m"},
    {"STEP(time, 0, len, 1, mass)", 22, "'STEP' joins m and kg"},
    {"STEP(time, len, 0, 1, 1)", 11, "'STEP' joins s and m"},
    {"STEP(time, 0, len, 1, 1) + time", 25, "'+' joins m and s"},
    {"IMPACT(len, len', mass, 1, 2, 1, 1)", 18, "'IMPACT' joins m and kg"},
    {"IMPACT(len, len, 1, 1, 2, 1, 1)", 12, "'IMPACT' joins m/s and m"},
    {"IMPACT(len, len', 1, 1 N/m, 1, 1 N, 1)", 31, "'IMPACT' joins N and N*m/s"},
    {"IMPACT(len, len', 1, 1 N/m^2, 2, 1 N*s^1/m, 1) + len", 47, "'+' joins N and m"},
    {"POLY(time, 0, len, len', 3) + mass", 28, "'+' joins m and kg"},
    {"POLY(time, 0, len, len)", 19, "'POLY' joins m and m*s"},
    {"CHEBY(len, 0, 1)", 6, "CHEBY needs a number as x, not m"},
    {"FORSIN(time, 0, len, 1, 2)", 16, "FORSIN needs a number as w x, not m*s"},
    {"FORCOS(time, 0, 2 rad/s, len, time)", 30, "'FORCOS' joins m and s"},
    {"SHF(time, 0, len, 1 Hz, 0, time)", 27, "'SHF' joins m and s"},
    {"SHF(time, 0, len, 1 Hz, len, len)", 24, "SHF needs a number as phase, not m"},
    {"SWEEP(time, len, 0, 1 Hz, 5 s, 9 Hz, 1 s) + mass", 42, "'+' joins m and kg"},
    {"SWEEP(time, len, 0, 1 m, 5 s, 9 Hz, 1 s)", 20, "SWEEP needs a number as f0 x, not m*s"},
    {"SWEEP(time, len, 0, 1 Hz, 5 s, 9 Hz, 1 m)", 37, "'SWEEP' joins s and m"},
    {"IMPACT(len, len', 1, 1, 2, 1, 1 kg)", 30, "'IMPACT' joins m and kg"},
    {"abs(len) + time", 9, "'+' joins m and s"},
    {"-len + time", 5, "'+' joins m and s"},
    {"max(len, 2) + time", 12, "'+' joins m and s"},
    {"sign(len) + time", 0, NULL},
    {"spring(len) + time", 0, NULL},
};

static void conflicts_of_dimensions_name_both(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  for (size_t i = 0; i < sizeof conflicts / sizeof conflicts[0]; i++) {
    if (conflicts[i].sentence == NULL) {
      xp_read(&s, conflicts[i].text);
    } else {
      check_fault(&s, &conflicts[i], strlen(conflicts[i].text));
    }
  }
  xp_close(&s);
}

static void dimensions_come_out(void **unused) {
  (void)unused;
  static const struct {
    const char *text, *dimension;
  } cases[] = {
      {"len*mass", "kg*m"}, {"len/time^2", "m/s^2"}, {"force*len", "N*m"}, {"1/time", "?"},
      {"len/len", "1"}, {"3", "?"}, {"3 mm", "m"}, {"3 deg", "1"}, {"3 N/mm", "N/m"},
      {"3 kg*m^2", "kg*m^2"}, {"3 rpm", "1/s"}, {"len'", "m/s"}, {"sin(x)", "?"},
      {"3*len", "?"}, {"3 + len", "m"}, {"len + 3", "m"}, {"if(x < 0, 1, len)", "m"},
      {"hypot(len, 3)", "m"}, {"len < 3", "?"}, {"mass^-1", "1/kg"}, {"(3 m)^2", "m^2"},
      {"len^-2", "1/m^2"}, {"len^200", "?"}, {"(len^90)^2", "?"}, {"atan2(len, len)", "?"},
  };
  xp_scope s;
  xp_open(&s, false);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[48];
    trmi_dimension_print(xp_read(&s, cases[i].text).dimension, text, sizeof text);
    if (strcmp(text, cases[i].dimension) != 0) {
      fail_msg("%s is %s, expected %s", cases[i].text, text, cases[i].dimension);
    }
  }
  xp_close(&s);
}

static void units_read_to_their_end(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    double      value;
  } cases[] = {
      {"9.81 m/s^2 * x", 19.62}, {"9.81 m/s^2*x", 19.62}, {"3 N*s", 3}, {"3 N * s", 12},
      {"30 deg + 0", 0.52359877559829887308}, {"30D", 0.52359877559829887308},
      {"60 rpm", 6.28318530717958647693}, {"1 rev/min", 0.10471975511965977462},
      {"10 N/x", 5}, {"10 m/s.y", 0}, {"36 km/h", 10}, {"2 mm**2", 2e-6}, {"2 s^-1", 2},
      {"if(2 m > 1 m and 3 s > 2 s, 1, 0)", 1}, {"-5 kg*m^2", -5}, {"2 m/s/s", 2},
      {"6 m/x*3", 9}, {"x*(3 N*s)", 6}, {"max(2 N*s, 3 N*s)", 3}, {"+(2 N*s)", 2},
  };
  xp_scope s;
  xp_open(&s, false);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (strcmp(cases[i].text, "10 m/s.y") == 0) continue;
    CHECK_NEAR(xp_number(&s, cases[i].text, 2.0, 3.0, 1.0), cases[i].value,
               1e-15 * fabs(cases[i].value), "%s", cases[i].text);
  }
  /* a dotted name behind '/' is no unit */
  const fault dotted = {"10 m/s.y", 5, "'s.y' is not known"};
  check_fault(&s, &dotted, strlen(dotted.text));
  /* in a model in mm, ms, kg, N */
  s.units = (trmi_units){.length = 1e-3, .mass = 1.0, .time = 1e-3, .force = 1.0};
  CHECK_NEAR(xp_number(&s, "5 N/mm", 0, 0, 0), 5.0, 0.0, "N/mm");
  CHECK_NEAR(xp_number(&s, "5 m/s", 0, 0, 0), 5.0, 1e-15, "m/s is mm/ms");
  CHECK_NEAR(xp_number(&s, "3 m", 0, 0, 0), 3000.0, 0.0, "m");
  CHECK_NEAR(xp_number(&s, "2 J", 0, 0, 0), 2000.0, 0.0, "J is N m");
  xp_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_bind_as_in_mathematics),
      cmocka_unit_test(numbers_are_rounded_once),
      cmocka_unit_test(grammar_faults_stand_at_their_letter),
      cmocka_unit_test(faults_of_names_say_the_nearest),
      cmocka_unit_test(faults_of_numbers_and_units),
      cmocka_unit_test(faults_of_conditions),
      cmocka_unit_test(conflicts_of_dimensions_name_both),
      cmocka_unit_test(dimensions_come_out),
      cmocka_unit_test(units_read_to_their_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
