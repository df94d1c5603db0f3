/* Units: every size against its definition, products, dimensions and their arithmetic. */
#include "check.h"
#include "expr/units.h"
#include <string.h>

static trmi_dimension dimension(int length, int mass, int time, int force) {
  return (trmi_dimension){.is_known = true, .length = (signed char)length,
                          .mass = (signed char)mass, .time = (signed char)time,
                          .force = (signed char)force};
}

static bool is_same(trmi_dimension a, trmi_dimension b) {
  return a.is_known == b.is_known && a.length == b.length && a.mass == b.mass &&
         a.time == b.time && a.force == b.force;
}

/* Sizes written from their definitions, not from the table. */
static void units_have_their_size(void **unused) {
  (void)unused;
  const double pi = 4.0 * atan(1.0), pound = 0.45359237, g0 = 9.80665, inch = 0.0254;
  const struct {
    const char *name;
    double      si;
    int         length, mass, time, force;
  } cases[] = {
      {"m", 1, 1, 0, 0, 0}, {"km", 1e3, 1, 0, 0, 0}, {"dm", 0.1, 1, 0, 0, 0},
      {"cm", 1e-2, 1, 0, 0, 0},
      {"mm", 1e-3, 1, 0, 0, 0}, {"um", 1e-6, 1, 0, 0, 0}, {"nm", 1e-9, 1, 0, 0, 0},
      {"in", inch, 1, 0, 0, 0}, {"inch", inch, 1, 0, 0, 0}, {"ft", 12 * inch, 1, 0, 0, 0},
      {"yd", 36 * inch, 1, 0, 0, 0}, {"mile", 5280 * 12 * inch, 1, 0, 0, 0},
      {"kg", 1, 0, 1, 0, 0}, {"g", 1e-3, 0, 1, 0, 0}, {"mg", 1e-6, 0, 1, 0, 0},
      {"t", 1e3, 0, 1, 0, 0}, {"lbm", pound, 0, 1, 0, 0}, {"lb", pound, 0, 1, 0, 0},
      {"oz", pound / 16, 0, 1, 0, 0}, {"slug", pound * g0 / (12 * inch), 0, 1, 0, 0},
      {"s", 1, 0, 0, 1, 0}, {"ms", 1e-3, 0, 0, 1, 0}, {"us", 1e-6, 0, 0, 1, 0},
      {"ns", 1e-9, 0, 0, 1, 0}, {"min", 60, 0, 0, 1, 0}, {"h", 3600, 0, 0, 1, 0},
      {"N", 1, 0, 0, 0, 1}, {"mN", 1e-3, 0, 0, 0, 1}, {"kN", 1e3, 0, 0, 0, 1},
      {"MN", 1e6, 0, 0, 0, 1}, {"dyn", 1e-5, 0, 0, 0, 1}, {"lbf", pound * g0, 0, 0, 0, 1},
      {"kgf", g0, 0, 0, 0, 1}, {"rad", 1, 0, 0, 0, 0}, {"mrad", 1e-3, 0, 0, 0, 0},
      {"deg", pi / 180, 0, 0, 0, 0}, {"D", pi / 180, 0, 0, 0, 0}, {"grad", pi / 200, 0, 0, 0, 0},
      {"rev", 2 * pi, 0, 0, 0, 0}, {"Hz", 1, 0, 0, -1, 0}, {"kHz", 1e3, 0, 0, -1, 0},
      {"MHz", 1e6, 0, 0, -1, 0}, {"rpm", 2 * pi / 60, 0, 0, -1, 0}, {"J", 1, 1, 0, 0, 1},
      {"mJ", 1e-3, 1, 0, 0, 1}, {"kJ", 1e3, 1, 0, 0, 1}, {"MJ", 1e6, 1, 0, 0, 1},
      {"W", 1, 1, 0, -1, 1}, {"mW", 1e-3, 1, 0, -1, 1}, {"kW", 1e3, 1, 0, -1, 1},
      {"MW", 1e6, 1, 0, -1, 1}, {"Pa", 1, -2, 0, 0, 1}, {"kPa", 1e3, -2, 0, 0, 1},
      {"MPa", 1e6, -2, 0, 0, 1}, {"GPa", 1e9, -2, 0, 0, 1}, {"bar", 1e5, -2, 0, 0, 1},
      {"psi", pound * g0 / (inch * inch), -2, 0, 0, 1},
  };
  int count = 0;
  while (trmi_unit_name(count, NULL) != NULL) count++;
  assert_int_equal(count, sizeof cases / sizeof cases[0]);
  for (int i = 0; i < count; i++) {
    trmi_dimension d;
    double si;
    assert_true(trmi_unit_find(cases[i].name, strlen(cases[i].name), &d, &si));
    /* a few roundings of the definitions above */
    CHECK_NEAR(si, cases[i].si, 4e-16 * cases[i].si, "%s", cases[i].name);
    assert_true(is_same(d, dimension(cases[i].length, cases[i].mass, cases[i].time,
                                     cases[i].force)));
    const char *meaning = NULL;
    assert_string_equal(trmi_unit_name(i, &meaning), cases[i].name);
    assert_true(strlen(meaning) > 0);
  }
  trmi_dimension d;
  double si;
  assert_false(trmi_unit_find("mm", 1 + 2, &d, &si)); /* with its zero byte */
  assert_false(trmi_unit_find("Mm", 2, &d, &si));
  assert_false(trmi_unit_find("", 0, &d, &si));
  assert_null(trmi_unit_name(-1, NULL));
}

static void products_are_read_as_far_as_they_go(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    size_t      used;
    double      factor;
    int         length, mass, time, force;
  } cases[] = {
      {"rad/s", 5, 1, 0, 0, -1, 0}, {"kg*m^2", 6, 1, 2, 1, 0, 0}, {"N/mm", 4, 1e3, -1, 0, 0, 1},
      {"m/s^2", 5, 1, 1, 0, -2, 0}, {"m/s**2", 6, 1, 1, 0, -2, 0}, {"mm^2", 4, 1e-6, 2, 0, 0, 0},
      {"s^-1", 4, 1, 0, 0, -1, 0}, {"m^+2", 4, 1, 2, 0, 0, 0}, {"N*s/m", 5, 1, -1, 0, 1, 1},
      {"N/m*s", 5, 1, -1, 0, 1, 1}, {"m/s/s", 5, 1, 1, 0, -2, 0}, {"mm*x", 2, 1e-3, 1, 0, 0, 0},
      {"m/x", 1, 1, 1, 0, 0, 0}, {"m*", 1, 1, 1, 0, 0, 0}, {"m * s", 1, 1, 1, 0, 0, 0},
      {"m/s(x)", 1, 1, 1, 0, 0, 0}, {"m/s'", 1, 1, 1, 0, 0, 0}, {"m/s.x", 1, 1, 1, 0, 0, 0},
      {"m/s.5", 3, 1, 1, 0, -1, 0}, {"m^10", 1, 1, 1, 0, 0, 0}, {"m^x", 1, 1, 1, 0, 0, 0},
      {"m^0.55", 1, 1, 1, 0, 0, 0}, {"m^0", 3, 1, 0, 0, 0, 0}, {"m^", 1, 1, 1, 0, 0, 0},
      {"m**", 1, 1, 1, 0, 0, 0}, {"m^-", 1, 1, 1, 0, 0, 0}, {"km/h", 4, 1 / 3.6, 1, 0, -1, 0},
      {"in)", 2, 0.0254, 1, 0, 0, 0}, {"m+s", 1, 1, 1, 0, 0, 0},
  };
  const trmi_units si = trmi_units_si();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    trmi_dimension d;
    double factor;
    const size_t used = trmi_unit_read(cases[i].text, strlen(cases[i].text), &si, &d, &factor);
    if (used != cases[i].used) fail_msg("%s: %zu letters used", cases[i].text, used);
    CHECK_NEAR(factor, cases[i].factor, 1e-15 * cases[i].factor, "%s", cases[i].text);
    const trmi_dimension expected =
        dimension(cases[i].length, cases[i].mass, cases[i].time, cases[i].force);
    if (!is_same(d, expected)) fail_msg("%s has the wrong dimension", cases[i].text);
  }
  static const char *const none[] = {"", "x", "mm2", "m_", "_m", "Nm", "5", "*m", "^2", "s(", "s'"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    trmi_dimension d;
    double factor;
    assert_int_equal(trmi_unit_read(none[i], strlen(none[i]), &si, &d, &factor), 0);
  }
  /* exponents that are not whole count, but the dimension is not known */
  trmi_dimension broken;
  double size;
  assert_int_equal(trmi_unit_read("N/mm^1.5", 8, &si, &broken, &size), 8);
  assert_false(broken.is_known);
  CHECK_NEAR(size, pow(1e3, 1.5), 1e-10, "rounding of pow"); /* 3e4 */
  /* nothing beyond the length is read */
  trmi_dimension d;
  double factor;
  assert_int_equal(trmi_unit_read("m/s^2", 3, &si, &d, &factor), 3);
  assert_int_equal(trmi_unit_read("m/s^2", 4, &si, &d, &factor), 3);
}

static void models_compute_in_their_own_units(void **unused) {
  (void)unused;
  const trmi_units metric = {.length = 1e-3, .mass = 1.0, .time = 1e-3, .force = 1.0};
  CHECK_NEAR(trmi_units_inertia(&metric), 1000.0, 1e-12, "1 kg mm/ms^2 is 1000 N");
  const trmi_units inches = {.length = 0.0254, .mass = 0.45359237, .time = 1.0,
                             .force = 4.4482216152605};
  CHECK_NEAR(trmi_units_inertia(&inches), 1.0 / 386.08858267716535, 1e-17, "lbm in/s^2 in lbf");
  const trmi_units si = trmi_units_si();
  assert_true(trmi_units_inertia(&si) == 1.0);
  static const struct {
    const char *text;
    double      metric, inches;
  } cases[] = {{"mm", 1, 1 / 25.4},          {"N/mm", 1, 25.4 / 4.4482216152605},
               {"s", 1000, 1},               {"lbf/in", 4.4482216152605 / 25.4, 1},
               {"MPa", 1, 145.03773773020923}, {"Hz", 1e-3, 1},
               {"kg", 1, 1 / 0.45359237},    {"m/s^2", 1e-3, 1 / 0.0254},
               {"J", 1e3, 8.850745791327184}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    trmi_dimension d;
    double factor;
    trmi_unit_read(cases[i].text, strlen(cases[i].text), &metric, &d, &factor);
    CHECK_NEAR(factor, cases[i].metric, 1e-15 * cases[i].metric, "%s in mm, ms", cases[i].text);
    trmi_unit_read(cases[i].text, strlen(cases[i].text), &inches, &d, &factor);
    CHECK_NEAR(factor, cases[i].inches, 1e-15 * cases[i].inches, "%s in inches", cases[i].text);
  }
}

static void dimensions_agree_as_force_does_with_mass(void **unused) {
  (void)unused;
  const trmi_dimension unknown = {0}, newton = dimension(0, 0, 0, 1);
  assert_true(trmi_dimension_agrees(newton, dimension(1, 1, -2, 0)));
  assert_true(trmi_dimension_agrees(dimension(2, 1, -2, 0), dimension(1, 0, 0, 1)));
  assert_false(trmi_dimension_agrees(newton, dimension(1, 1, -1, 0)));
  assert_false(trmi_dimension_agrees(newton, dimension(0, 0, 0, 0)));
  assert_true(trmi_dimension_agrees(unknown, newton));
  assert_true(trmi_dimension_agrees(newton, unknown));
  assert_true(trmi_dimension_is_number(unknown));
  assert_true(trmi_dimension_is_number(dimension(0, 0, 0, 0)));
  assert_true(trmi_dimension_is_number(dimension(-1, -1, 2, 1)));
  assert_false(trmi_dimension_is_number(newton));
}

static void exponents_are_computed_and_bounded(void **unused) {
  (void)unused;
  const trmi_dimension unknown = {0}, metre = dimension(1, 0, 0, 0), large = dimension(90, 0, 0, 0);
  assert_true(is_same(trmi_dimension_product(metre, metre, 1), dimension(2, 0, 0, 0)));
  assert_true(is_same(trmi_dimension_product(metre, metre, -1), dimension(0, 0, 0, 0)));
  assert_false(trmi_dimension_product(metre, unknown, 1).is_known);
  assert_false(trmi_dimension_product(unknown, metre, -1).is_known);
  assert_false(trmi_dimension_product(large, large, 1).is_known);
  assert_true(is_same(trmi_dimension_power(metre, 3), dimension(3, 0, 0, 0)));
  assert_true(is_same(trmi_dimension_power(dimension(4, -2, 0, 0), 0.5), dimension(2, -1, 0, 0)));
  assert_true(is_same(trmi_dimension_power(dimension(-1, -1, 0, 1), 0.5), dimension(0, 0, -1, 0)));
  assert_false(trmi_dimension_power(metre, 0.5).is_known);
  assert_false(trmi_dimension_power(metre, 1e9).is_known);
  assert_false(trmi_dimension_power(metre, (double)NAN).is_known);
  assert_false(trmi_dimension_power(unknown, 2).is_known);
  assert_true(is_same(trmi_dimension_power(dimension(0, 0, 0, 0), 0.3), dimension(0, 0, 0, 0)));
}

static void dimensions_print_as_they_are_written(void **unused) {
  (void)unused;
  static const struct {
    int         length, mass, time, force;
    const char *text;
  } cases[] = {{0, 0, 0, 0, "1"},      {1, 0, 0, 0, "m"},     {1, 0, -1, 0, "m/s"},
               {1, 0, -2, 0, "m/s^2"}, {-1, 0, 0, 1, "N/m"},  {2, 1, 0, 0, "kg*m^2"},
               {0, 0, -1, 0, "1/s"},   {-2, -1, 0, 0, "1/kg/m^2"}};
  char text[64];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    trmi_dimension_print(dimension(cases[i].length, cases[i].mass, cases[i].time, cases[i].force),
                         text, sizeof text);
    assert_string_equal(text, cases[i].text);
  }
  trmi_dimension_print((trmi_dimension){0}, text, sizeof text);
  assert_string_equal(text, "?");
  /* a short text is cut, not overrun */
  for (size_t size = 1; size < 20; size++) {
    memset(text, 'x', sizeof text);
    trmi_dimension_print(dimension(-99, -99, -99, -99), text, size);
    assert_true(strlen(text) < size);
    assert_int_equal(text[size], 'x');
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_have_their_size),
      cmocka_unit_test(products_are_read_as_far_as_they_go),
      cmocka_unit_test(models_compute_in_their_own_units),
      cmocka_unit_test(dimensions_agree_as_force_does_with_mass),
      cmocka_unit_test(exponents_are_computed_and_bounded),
      cmocka_unit_test(dimensions_print_as_they_are_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
