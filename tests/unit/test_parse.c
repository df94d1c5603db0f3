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
  for (int i = 1; i < 200; i++) { /* a third of them differ by a digit from i * 0.001 */
    char text[16];
    snprintf(text, sizeof text, "%d ms", i);
    assert_true(xp_number(&s, text, 0, 0, 0) == i / 1000.0);
  }
  assert_true(xp_number(&s, "180 deg", 0, 0, 0) == 3.14159265358979323846);
  xp_close(&s);
}

/* Column 11 is the first letter of the text; the caret of the message stands `at` letters on. */
typedef struct fault {
  const char *text;
  int         at;
  const char *sentence;
} fault;

static void check_fault(xp_scope *s, const fault *f, size_t length) {
  trmi_meaning term = {.node = 99};
  s->complaints.count = 0;
  const bool is_right = xp_read_bytes(s, f->text, length, &term);
  const trmi_complaint *c = &s->complaints.list[0];
  const bool is_expected = !is_right && s->complaints.count == 1 && term.node == 0 &&
                           c->place.line == 7 && c->place.column == 11 + f->at &&
                           strcmp(c->sentence, f->sentence) == 0;
  if (!is_expected) {
    print_error("'%s': %s, %d complaints, at %d: %s\n      expected at %d: %s\n", f->text,
                is_right ? "accepted" : "refused", s->complaints.count, c->place.column - 11,
                s->complaints.count > 0 ? c->sentence : "", f->at, f->sentence);
    fail();
  }
  assert_false(s->graph.failed);
}

static void check_faults(xp_scope *s, const fault *list, size_t count) {
  for (size_t i = 0; i < count; i++) check_fault(s, &list[i], strlen(list[i].text));
  CHECK_NEAR(xp_number(s, "1 + x", 2.0, 0, 0), 3.0, 0.0, "the graph is still good");
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
      {"x, y", 1, "',' may only stand between the arguments of a function"},
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
      {"x & y", 2, "'&' has no meaning in an expression"},
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
      {"STEP(1)", 0, "STEP needs 5 arguments (x, x0, h0, x1, h1), here is 1"},
      {"1 + STEP(x,0,1,1)", 4, "STEP needs 5 arguments (x, x0, h0, x1, h1), here are 4"},
      {"sin()", 0, "sin needs 1 argument (x), here are 0"},
      {"sin(x, y)", 0, "sin needs 1 argument (x), here are 2"},
      {"min(x)", 0, "min needs at least 2 arguments (a, b, ...), here is 1"},
      {"AKISPL(x, 0)", 0, "AKISPL needs 3 or 4 arguments (x, 0, table, order), here are 2"},
      {"sin + 1", 0, "sin is a function: its arguments stand in parentheses"},
      {"sin x", 0, "sin is a function: its arguments stand in parentheses"},
      {"sin'(x)", 0, "a prime may not follow the name of a function"},
      {"1 + z'", 4, "'z' has no rate that a prime could stand for"},
      {"pi'", 0, "'pi' has no rate that a prime could stand for"},
      {"x''", 0, "'x' has no rate that a prime could stand for"},
      {"foo'", 0, "'foo' is not known"},
      {"2*mm", 2,
       "'mm' is not known here; a unit stands right behind its number, as in 8 mm or 5 kg*m^2"},
      {"AKISPL(x, 0, sprig)", 13, "'sprig' is not a table of this model"},
      {"AKISPL(x, 0, 1)", 13, "AKISPL needs the name of a table here"},
      {"AKISPL(x, 1, spring)", 10,
       "AKISPL needs 0 as its second argument: tables are curves, not surfaces"},
      {"AKISPL(x, 0, spring, 3)", 21, "AKISPL needs 0, 1 or 2 as the order of the derivative"},
      {"CUBSPL(x, 0, spring, x)", 21, "CUBSPL needs 0, 1 or 2 as the order of the derivative"},
      {"TABLE(x, spring + 1)", 16, "',' or ')' is missing before '+'"},
      {"spring(1, 2)", 0, "table 'spring' needs 1 argument (x), here are 2"},
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
      {"5 N m", 4, "an operator is missing before 'm'"},
      {"5 m^0.5", 3, "the exponent of a unit is a whole number from -9 to 9 right behind it; for "
       "a power of the quantity write parentheses: (2 m)^x"},
      {"5 m ^2", 4, "the exponent of a unit is a whole number from -9 to 9 right behind it; for "
       "a power of the quantity write parentheses: (2 m)^x"},
      {"5 m**12", 3, "the exponent of a unit is a whole number from -9 to 9 right behind it; for "
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
      {"STEP(x, 1, 0, 1, 1)", 14, "STEP needs an end x1 different from x0, here is 1"},
      {"HAVSIN(x, y, 0, y, 1)", 16, "HAVSIN needs an end x1 different from x0"},
      {"IMPACT(x, y, 1, 1e3, 0, 1, 1)", 21, "IMPACT needs an exponent e > 0, here is 0"},
      {"IMPACT(x, y, 1, 1e3, 2, 1, 0)", 27, "IMPACT needs d > 0, here is 0"},
      {"IMPACT(x, y, 1, -1, 2, 1, 1)", 16, "IMPACT needs k >= 0, here is -1"},
      {"IMPACT(x, y, 1, 1, 2, -1, 1)", 22, "IMPACT needs cmax >= 0, here is -1"},
      {"BISTOP(x, y, 1, 0, 1, 2, 1, 1)", 16, "BISTOP needs x2 above x1, here is 0"},
      {"SWEEP(x, 1, 0, 1, 0, 2, 1)", 18, "SWEEP needs x1 above x0, here is 0"},
      {"SWEEP(x, 1, 0, 1, 1, 2, 0)", 24, "SWEEP needs dx > 0, here is 0"},
  };
  xp_scope s;
  xp_open(&s, false);
  check_faults(&s, list, sizeof list / sizeof list[0]);
  xp_close(&s);
}

static void faults_of_conditions(void **unused) {
  (void)unused;
  static const char number[] = "a comparison may only stand in if(...), not as a number";
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

static void conflicts_of_dimensions_name_both(void **unused) {
  (void)unused;
  static const fault list[] = {
      {"len + len'", 4, "'+' joins m and m/s"},
      {"len - mass", 4, "'-' joins m and kg"},
      {"1 mm + 2 s", 5, "'+' joins m and s"},
      {"len*len + len", 8, "'+' joins m^2 and m"},
      {"if(len < time, 1, 2)", 7, "'<' compares m and s"},
      {"if(x < 1, len, time)", 15, "'if' joins m and s"},
      {"min(1, len, time)", 12, "'min' joins m and s"},
      {"hypot(len, mass)", 11, "'hypot' joins m and kg"},
      {"atan2(len, time)", 11, "'atan2' joins m and s"},
      {"sin(len)", 4, "sin needs a number without a unit, here is m"},
      {"exp(2*time/time)", 0, NULL},
      {"exp(time)", 4, "exp needs a number without a unit, here is s"},
      {"2^len", 1, "an exponent is a number without a unit, here is m"},
      {"pow(2, len)", 7, "pow needs a number as exponent, here is m"},
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
      {"CHEBY(len, 0, 1)", 6, "CHEBY needs a number as x, here is m"},
      {"FORSIN(time, 0, len, 1, 2)", 16, "FORSIN needs a number as w x, here is m*s"},
      {"FORCOS(time, 0, 2 rad/s, len, time)", 30, "'FORCOS' joins m and s"},
      {"SHF(time, 0, len, 1 Hz, 0, time)", 27, "'SHF' joins m and s"},
      {"SHF(time, 0, len, 1 Hz, len, len)", 24, "SHF needs a number as phase, here is m"},
      {"SWEEP(time, len, 0, 1 Hz, 5 s, 9 Hz, 1 s) + mass", 42, "'+' joins m and kg"},
      {"SWEEP(time, len, 0, 1 m, 5 s, 9 Hz, 1 s)", 20, "SWEEP needs a number as f0 x, here is m*s"},
      {"SWEEP(time, len, 0, 1 Hz, 5 s, 9 Hz, 1 m)", 37, "'SWEEP' joins s and m"},
      {"IMPACT(len, len', 1, 1, 2, 1, 1 kg)", 30, "'IMPACT' joins m and kg"},
      {"abs(len) + time", 9, "'+' joins m and s"},
      {"-len + time", 5, "'+' joins m and s"},
      {"max(len, 2) + time", 12, "'+' joins m and s"},
      {"sign(len) + time", 0, NULL},
      {"spring(len) + time", 0, NULL},
  };
  xp_scope s;
  xp_open(&s, false);
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    if (list[i].sentence == NULL) {
      xp_read(&s, list[i].text);
    } else {
      check_fault(&s, &list[i], strlen(list[i].text));
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

static void other_bytes_are_named(void **unused) {
  (void)unused;
  static const fault list[] = {
      {"x \xff y", 2, "the byte 0xff is not text: expressions are UTF-8"},
      {"x \xc3", 2, "the byte 0xc3 is not text: expressions are UTF-8"},
      {"\xed\xa0\x80", 0, "the byte 0xed is not text: expressions are UTF-8"},
      {"x \x01", 2, "a control character (code 1) may not stand here"},
      {"x \x7f", 2, "a control character (code 127) may not stand here"},
      {"x \xe2\x88\x92 y", 2, "'\xe2\x88\x92' (U+2212) is not read here; write '-'"},
      {"x\xe2\x80\x99", 1, "'\xe2\x80\x99' (U+2019) is not read here; write \"'\""},
      {"x\xc2\xb2", 1, "'\xc2\xb2' (U+00B2) is not read here; write '^2'"},
      {"\xcf\x89 + x y", 0, "'\xcf\x89' is not known"},
      {"x \xe2\x82\xac", 2, "'\xe2\x82\xac' has no meaning in an expression"},
  };
  xp_scope s;
  xp_open(&s, false);
  check_faults(&s, list, sizeof list / sizeof list[0]);
  const fault zero = {"x\0y", 1, "a control character (code 0) may not stand here"};
  check_fault(&s, &zero, 3);
  /* columns count letters */
  const fault letters = {"x*(1 + 2) + \xcf\x86\xcf\x86", 12, "'\xcf\x86\xcf\x86' is not known"};
  check_fault(&s, &letters, strlen(letters.text));
  xp_close(&s);
}

static void places_follow_the_lines_of_the_file(void **unused) {
  (void)unused;
  /* three lines of a block in a file, indented by 6; the last two bytes of "aé" are one letter */
  const char *text = "1 +\na\xc3\xa9 +\nbad + 2\nx";
  const trmi_anchor anchors[] = {
      {0, {.file = 2, .line = 10, .column = 7}}, {4, {.file = 2, .line = 12, .column = 7}},
      {10, {.file = 2, .line = 13, .column = 7}}};
  const trmi_text t = {.text = text, .length = strlen(text), .anchors = anchors, .nanchors = 3};
  static const struct {
    size_t offset;
    int    line, column;
  } cases[] = {{0, 10, 7}, {2, 10, 9}, {4, 12, 7}, {5, 12, 8}, {6, 12, 8}, {7, 12, 9},
               {10, 13, 7}, {13, 13, 10}, {18, 14, 1}, {19, 14, 2}, {99, 14, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const trmi_place place = trmi_text_place(&t, cases[i].offset);
    assert_int_equal(place.file, 2);
    assert_int_equal(place.line, cases[i].line);
    assert_int_equal(place.column, cases[i].column);
  }
  /* the parser finds the same */
  xp_scope s;
  xp_open(&s, false);
  const char *wrong = "1 +\nx +\nbad + 2";
  const trmi_anchor lines[] = {{0, {.file = 1, .line = 3, .column = 9}},
                               {4, {.file = 1, .line = 4, .column = 5}},
                               {8, {.file = 1, .line = 6, .column = 5}}};
  const trmi_text w = {.text = wrong, .length = strlen(wrong), .anchors = lines, .nanchors = 3};
  const trmi_parser parser = {.graph = &s.graph, .scope = &s.scope, .units = &s.units,
                              .complaints = &s.complaints};
  trmi_meaning term;
  assert_false(trmi_parse(&parser, &w, &term));
  const trmi_place place = s.complaints.list[0].place;
  assert_int_equal(place.file, 1);
  assert_int_equal(place.line, 6);
  assert_int_equal(place.column, 5);
  xp_close(&s);
}

/* Nodes know where they were written. */
static void nodes_have_the_place_of_their_operator(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  assert_int_equal(trmi_graph_place(&s.graph, xp_read(&s, "x + y*z").node).column, 13);
  assert_int_equal(trmi_graph_place(&s.graph, xp_read(&s, "sqrt(x - 7)").node).column, 11);
  assert_int_equal(trmi_graph_place(&s.graph, xp_read(&s, "   x/z").node).column, 15);
  xp_close(&s);
}

/* A text of `unit` repeated, between two others. */
static char *repeated(const char *before, const char *unit, int times, const char *after) {
  const size_t n = strlen(unit), first = strlen(before), last = strlen(after);
  char *text = malloc(first + n * (size_t)times + last + 1);
  assert_non_null(text);
  memcpy(text, before, first);
  for (int i = 0; i < times; i++) memcpy(text + first + n * (size_t)i, unit, n);
  memcpy(text + first + n * (size_t)times, after, last + 1);
  return text;
}

static void nesting_ends_with_a_sentence(void **unused) {
  (void)unused;
  static const struct {
    const char *unit, *middle, *close;
    int         levels; /* that are allowed */
  } cases[] = {{"(", "x", ")", 199}, {"sin(", "x", ")", 199}, {"2^", "x", "", 199},
               {"-(", "x", ")", 199}, {"if(x < 0, 1, ", "x", ")", 199}};
  xp_scope s;
  xp_open(&s, false);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int more = 0; more < 2; more++) {
      const int levels = cases[i].levels + more;
      char *inner = repeated(cases[i].middle, cases[i].close, levels, "");
      char *text = repeated("", cases[i].unit, levels, inner);
      trmi_meaning term;
      s.complaints.count = 0;
      assert_int_equal(xp_read_bytes(&s, text, strlen(text), &term), more == 0);
      if (more == 1) {
        assert_string_equal(s.complaints.list[0].sentence,
                            "more than 200 levels of parentheses and exponents");
      }
      free(text);
      free(inner);
    }
  }
  xp_close(&s);
}

/* A megabyte of each must be read or refused at once; a test of time would fail on slow
 * machines, but what is quadratic takes minutes here. */
static void long_texts_are_read_in_linear_time(void **unused) {
  (void)unused;
  static const struct {
    const char *before, *unit, *after;
  } cases[] = {
      {"x", "+x*y", ""}, {"x", "*y", ""}, {"x", "/y", ""}, {"", "-", "x"}, {"", "+", "x"},
      {"", "(", ""}, {"", "2^", "x"}, {"", "x ", ""}, {"max(x", ",y", ")"}, {"", "a", ""},
      {"", "a.", "b"}, {"", "1", ""}, {"", "0.", ""}, {"1 m", "*m", ""}, {"", "not ", "x < 1"},
      {"x < 0", " and x < 0", ""}, {"x", "'", ""}, {"", " ", ""}, {"", "\n", "+"},
      {"1e", "9", ""}, {"if(", "if(", ""}, {"sin(x)", "+sin(x)", ""}, {"", "\xc3\xa9", ""},
      {"POLY(x, 0", ", 1", ")"}, {"2 N*s", "+2 N*s", ""}, {"x", "+1 mm", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    xp_scope s;
    xp_open(&s, false);
    const int times = 1000000 / (int)strlen(cases[i].unit);
    char *text = repeated(cases[i].before, cases[i].unit, times, cases[i].after);
    trmi_meaning term;
    const bool is_right = xp_read_bytes(&s, text, strlen(text), &term);
    assert_int_equal(s.complaints.count, is_right ? 0 : 1);
    assert_false(s.graph.failed);
    free(text);
    xp_close(&s);
  }
}

static void names_that_are_faulty_stop_without_a_word(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  trmi_meaning term;
  s.is_faulty = true;
  assert_false(xp_read_bytes(&s, "1/x", 3, &term));
  assert_int_equal(s.complaints.count, 0);
  /* or the scope complains itself */
  s.is_faulty = false;
  s.says = "x goes in circles";
  assert_false(xp_read_bytes(&s, "1/x", 3, &term));
  assert_int_equal(s.complaints.count, 1);
  assert_string_equal(s.complaints.list[0].sentence, "x goes in circles");
  assert_int_equal(s.complaints.list[0].place.column, 13);
  xp_close(&s);
}

static void a_whole_text_may_be_a_condition(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  trmi_meaning term = xp_read(&s, "y < 0");
  assert_true(term.is_condition);
  assert_int_equal(s.graph.nodes[term.node].op, TRMI_OP_LESS);
  assert_int_equal(s.graph.nodes[term.node].a, s.symbols[2]);
  term = xp_read(&s, "(y > 0) and x <= 1");
  assert_true(term.is_condition);
  assert_false(xp_read(&s, "if(y < 0, 1, 2)").is_condition);
  xp_close(&s);
}

static void a_graph_that_is_full_is_remembered(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  s.graph.limit = 40;
  trmi_meaning term;
  char *text = repeated("x", "+sin(y*1)^7+x^3*y^5+exp(z)", 20, "");
  assert_false(xp_read_bytes(&s, text, strlen(text), &term));
  assert_true(s.graph.failed);
  assert_int_equal(term.node, 0);
  free(text);
  xp_close(&s);
}

/* Requests up to number `fail_at` are served. */
typedef struct scarce {
  int requests, fail_at, live;
} scarce;

static void *scarce_alloc(void *self, size_t bytes) {
  scarce *m = self;
  if (++m->requests >= m->fail_at) return NULL;
  m->live++;
  return malloc(bytes);
}

static void scarce_release(void *self, void *block) {
  if (block == NULL) return;
  ((scarce *)self)->live--;
  free(block);
}

static void every_allocation_may_fail(void **unused) {
  (void)unused;
  char *text = repeated("max(x", ", STEP(x, 0, 1, 2, y*z) + min(x, y)^3*spring(x)", 60, ")");
  bool is_done = false;
  for (int fail_at = 1; !is_done; fail_at++) {
    scarce memory = {.fail_at = fail_at};
    const trm_allocator allocator = {.self = &memory, .alloc = scarce_alloc,
                                     .release = scarce_release};
    xp_scope s;
    xp_open(&s, false);
    trmi_graph_free(&s.graph);
    trmi_graph_init(&s.graph, &allocator, 0);
    for (int i = 0; i < XP_NAMES; i++) s.symbols[i] = trmi_symbol(&s.graph, i);
    s.scope.is_steady = NULL;
    trmi_meaning term;
    is_done = xp_read_bytes(&s, text, strlen(text), &term);
    assert_int_equal(s.complaints.count, 0);
    assert_int_equal(s.graph.failed, !is_done);
    xp_close(&s);
    assert_int_equal(memory.live, 0);
    assert_true(fail_at < 100);
  }
  free(text);
}

/* ---- conditions that are held ---- */

static void sharp_functions_are_held_where_values_move(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    int         held;
    double      yes, no; /* value with the condition 1 and 0, at x = 2, y = 3 */
    double      asked;   /* what was asked to be above zero                   */
  } cases[] = {
      {"abs(x)", 1, 2, -2, 2},
      {"sign(x)", 1, 1, -1, 2},
      {"min(x, y)", 1, 2, 3, 1},
      {"max(x, y)", 1, 2, 3, -1},
      {"if(x < y, 1, 0)", 1, 0, 1, -1},
      {"if(x >= y, 1, 0)", 1, 1, 0, -1},
      {"if(x > y, 1, 0)", 1, 0, 1, 1},
      {"if(x <= y, 1, 0)", 1, 1, 0, 1},
      {"if(x > y and not x > y or x > y, 1, 0)", 1, 0, 1, 1},
      {"IMPACT(x, 0, 5, 10, 1, 0, 1)", 1, 0, 30, -3},
      {"IMPACT(x, 0, 5, 10, 0.5, 0, 1)", 1, 0, 17.320508075688775, -3},
      {"BISTOP(x, 0, 3, 4, 10, 1, 0, 1)", 2, 0, 10, -1},
      {"abs(gear)", 0, 2, 2, 0},
      {"if(gear == 2, x, y)", 0, 2, 2, 0},
      {"if(1 < 2, x, y)", 0, 2, 2, 0},
      {"min(gear, 1)", 0, 1, 1, 0},
      {"STEP(x, 0, 1, 1, 5)", 0, 5, 5, 0},
      {"IMPACT(x, y, 1, 1, 1.5, 1, 1)", 0, 0, 0, 0},
      {"IMPACT(gear, 0, 5, 10, 1, 0, 1)", 0, 30, 30, 0},
      {"cbrt(x)", 0, 1.2599210498948732, 1.2599210498948732, 0},
      {"CUBSPL(1 + 0*x, 0, spring)", 0, 2, 2, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    xp_scope s;
    xp_open(&s, true);
    const trmi_node n = xp_read(&s, cases[i].text).node;
    xp_inputs in = {.name = {[1] = 2.0, [2] = 3.0, [9] = 2.0}};
    if (strncmp(cases[i].text, "BISTOP", 6) == 0) in.held[1] = 1.0;
    if (s.nheld != cases[i].held) fail_msg("%s: %d held", cases[i].text, s.nheld);
    CHECK_NEAR(xp_value(&s, n, &in), cases[i].no, 1e-14, "%s, no", cases[i].text);
    if (s.nheld > 0) {
      CHECK_NEAR(xp_value(&s, s.asked[0], &in), cases[i].asked, 1e-15, "%s", cases[i].text);
    }
    in.held[0] = 1.0;
    CHECK_NEAR(xp_value(&s, n, &in), cases[i].yes, 1e-14, "%s, yes", cases[i].text);
    xp_close(&s);
  }
}

static void straight_tables_are_held_by_their_piece(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, true);
  static const char *const texts[] = {"spring(x)", "TABLE(x, spring)"};
  for (int i = 0; i < 2; i++) {
    const trmi_node n = xp_read(&s, texts[i]).node;
    assert_int_equal(s.asked_piece, s.symbols[1]);
    xp_inputs in = {.name = {[1] = 0.5}, .piece = 1.0};
    CHECK_NEAR(xp_value(&s, n, &in), 1.0, 1e-15, "on its piece");
    in.name[1] = 1.25; /* beyond the piece, but held */
    CHECK_NEAR(xp_value(&s, n, &in), 2.5, 1e-15, "beyond its piece");
    in.piece = 2.0;
    CHECK_NEAR(xp_value(&s, n, &in), 2.0 - 0.25 / 1.5, 1e-15, "on the next piece");
  }
  s.asked_piece = 0;
  xp_read(&s, "spring(gear)");
  s.table_kind = TRMI_CURVE_AKIMA;
  xp_read(&s, "spring(x)");
  assert_int_equal(s.asked_piece, 0);
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
      cmocka_unit_test(other_bytes_are_named),
      cmocka_unit_test(places_follow_the_lines_of_the_file),
      cmocka_unit_test(nodes_have_the_place_of_their_operator),
      cmocka_unit_test(nesting_ends_with_a_sentence),
      cmocka_unit_test(long_texts_are_read_in_linear_time),
      cmocka_unit_test(names_that_are_faulty_stop_without_a_word),
      cmocka_unit_test(a_whole_text_may_be_a_condition),
      cmocka_unit_test(a_graph_that_is_full_is_remembered),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(sharp_functions_are_held_where_values_move),
      cmocka_unit_test(straight_tables_are_held_by_their_piece),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
