/* units.c - one table of units, their products, and the arithmetic of dimensions. */
#include "expr/units.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Exponents of length, mass, time, force. */
typedef struct unit {
  const char *name;
  double      si;
  signed char length, mass, time, force;
  const char *meaning;
} unit;

/* clang-format off */
static const unit UNITS[] = {
  /* length */
  {"m",    1.0,       1, 0, 0, 0, "metre"},
  {"km",   1000.0,    1, 0, 0, 0, "kilometre"},
  {"dm",   0.1,       1, 0, 0, 0, "decimetre"},
  {"cm",   0.01,      1, 0, 0, 0, "centimetre"},
  {"mm",   0.001,     1, 0, 0, 0, "millimetre"},
  {"um",   1e-6,      1, 0, 0, 0, "micrometre"},
  {"nm",   1e-9,      1, 0, 0, 0, "nanometre"},
  {"in",   0.0254,    1, 0, 0, 0, "inch"},
  {"inch", 0.0254,    1, 0, 0, 0, "inch"},
  {"ft",   0.3048,    1, 0, 0, 0, "foot"},
  {"yd",   0.9144,    1, 0, 0, 0, "yard"},
  {"mile", 1609.344,  1, 0, 0, 0, "mile"},
  /* mass */
  {"kg",   1.0,                    0, 1, 0, 0, "kilogram"},
  {"g",    0.001,                  0, 1, 0, 0, "gram"},
  {"mg",   1e-6,                   0, 1, 0, 0, "milligram"},
  {"t",    1000.0,                 0, 1, 0, 0, "tonne"},
  {"lbm",  0.45359237,             0, 1, 0, 0, "pound, the mass"},
  {"lb",   0.45359237,             0, 1, 0, 0, "pound, the mass"},
  {"oz",   0.45359237 / 16.0,      0, 1, 0, 0, "ounce, the mass"},
  {"slug", 4.4482216152605 / 0.3048, 0, 1, 0, 0, "slug, lbf s^2/ft"},
  /* time */
  {"s",    1.0,       0, 0, 1, 0, "second"},
  {"ms",   0.001,     0, 0, 1, 0, "millisecond"},
  {"us",   1e-6,      0, 0, 1, 0, "microsecond"},
  {"ns",   1e-9,      0, 0, 1, 0, "nanosecond"},
  {"min",  60.0,      0, 0, 1, 0, "minute"},
  {"h",    3600.0,    0, 0, 1, 0, "hour"},
  /* force */
  {"N",    1.0,       0, 0, 0, 1, "newton"},
  {"mN",   0.001,     0, 0, 0, 1, "millinewton"},
  {"kN",   1000.0,    0, 0, 0, 1, "kilonewton"},
  {"MN",   1e6,       0, 0, 0, 1, "meganewton"},
  {"dyn",  1e-5,      0, 0, 0, 1, "dyne"},
  {"lbf",  4.4482216152605, 0, 0, 0, 1, "pound, the force"},
  {"kgf",  9.80665,   0, 0, 0, 1, "kilogram, the force"},
  /* angle: plain numbers */
  {"rad",  1.0,          0, 0, 0, 0, "radian"},
  {"mrad", 0.001,        0, 0, 0, 0, "milliradian"},
  {"deg",  0.017453292519943295,   0, 0, 0, 0, "degree"},
  {"D",    0.017453292519943295,   0, 0, 0, 0, "degree, as ADAMS writes it: 30D"},
  {"grad", 0.015707963267948967,   0, 0, 0, 0, "gradian"},
  {"rev",  6.283185307179586,     0, 0, 0, 0, "revolution, 2 pi"},
  /* frequency and rotational speed */
  {"Hz",   1.0,        0, 0, -1, 0, "hertz, 1/s"},
  {"kHz",  1000.0,     0, 0, -1, 0, "kilohertz"},
  {"MHz",  1e6,        0, 0, -1, 0, "megahertz"},
  {"rpm",  0.10471975511965977,  0, 0, -1, 0, "revolutions in a minute, 2 pi/60 rad/s"},
  /* energy and power */
  {"J",    1.0,        1, 0, 0, 1, "joule, N m"},
  {"mJ",   0.001,      1, 0, 0, 1, "millijoule"},
  {"kJ",   1000.0,     1, 0, 0, 1, "kilojoule"},
  {"MJ",   1e6,        1, 0, 0, 1, "megajoule"},
  {"W",    1.0,        1, 0, -1, 1, "watt, N m/s"},
  {"mW",   0.001,      1, 0, -1, 1, "milliwatt"},
  {"kW",   1000.0,     1, 0, -1, 1, "kilowatt"},
  {"MW",   1e6,        1, 0, -1, 1, "megawatt"},
  /* pressure */
  {"Pa",   1.0,        -2, 0, 0, 1, "pascal, N/m^2"},
  {"kPa",  1000.0,     -2, 0, 0, 1, "kilopascal"},
  {"MPa",  1e6,        -2, 0, 0, 1, "megapascal, N/mm^2"},
  {"GPa",  1e9,        -2, 0, 0, 1, "gigapascal"},
  {"bar",  1e5,        -2, 0, 0, 1, "bar"},
  {"psi",  4.4482216152605 / 0.0254 / 0.0254, -2, 0, 0, 1, "lbf/in^2"},
};
/* clang-format on */

enum { NUNITS = sizeof UNITS / sizeof UNITS[0], EXPONENT_MAX = 9, DIMENSION_MAX = 100 };

trmi_units trmi_units_si(void) {
  return (trmi_units){.length = 1.0, .mass = 1.0, .time = 1.0, .force = 1.0};
}

double trmi_units_inertia(const trmi_units *u) {
  return u->mass * u->length / (u->time * u->time) / u->force;
}

const char *trmi_unit_name(int i, const char **meaning) {
  if (i < 0 || i >= NUNITS) return NULL;
  if (meaning != NULL) *meaning = UNITS[i].meaning;
  return UNITS[i].name;
}

static trmi_dimension dimension_of(const unit *u) {
  return (trmi_dimension){
      .is_known = true, .length = u->length, .mass = u->mass, .time = u->time, .force = u->force};
}

bool trmi_unit_find(const char *name, size_t length, trmi_dimension *dimension, double *si) {
  for (int i = 0; i < NUNITS; i++) {
    const unit *u = &UNITS[i];
    if (strlen(u->name) != length || memcmp(u->name, name, length) != 0) continue;
    *dimension = dimension_of(u);
    *si = u->si;
    return true;
  }
  return false;
}

/* ---- products of units ---- */

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (unsigned char)c >= 0x80;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* One unit: a whole word of the table. A dotted name, a call or a name with a prime is a name of
 * the model. */
static size_t read_name(const char *text, size_t length, trmi_dimension *dimension, double *si) {
  size_t n = 0;
  while (n < length && is_word(text[n])) n++;
  if (n == 0 || !trmi_unit_find(text, n, dimension, si)) return 0;
  if (n < length && (text[n] == '(' || text[n] == '\'')) return 0;
  if (n + 1 < length && text[n] == '.' && is_word(text[n + 1]) && !is_digit(text[n + 1])) return 0;
  return n;
}

/* "^2", "^-1", "**2", "^1.5": the letters used, 0 if this is no exponent in -9.9 .. 9.9. */
static size_t read_exponent(const char *text, size_t length, double *exponent) {
  size_t n = 0;
  if (length > 0 && text[0] == '^') n = 1;
  if (length > 1 && text[0] == '*' && text[1] == '*') n = 2;
  if (n == 0) return 0;
  const bool is_negative = n < length && text[n] == '-';
  if (n < length && (text[n] == '-' || text[n] == '+')) n++;
  if (n >= length || !is_digit(text[n])) return 0;
  double size = text[n] - '0';
  n++;
  if (n + 1 < length && text[n] == '.' && is_digit(text[n + 1])) {
    size += (text[n + 1] - '0') / 10.0;
    n += 2;
  }
  if (n < length && (is_word(text[n]) || text[n] == '.')) return 0;
  *exponent = is_negative ? -size : size;
  return n;
}

static double whole_power(double base, int exponent) {
  double result = 1.0;
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++) result *= base;
  return exponent < 0 ? 1.0 / result : result;
}

/* Whole numbers and their inverses are exact: mm in a model in m is 1/1000. */
static double in_model_units(double si, trmi_dimension d, const trmi_units *units) {
  return si / (whole_power(units->length, d.length) * whole_power(units->mass, d.mass) *
               whole_power(units->time, d.time) * whole_power(units->force, d.force));
}

/* Exponents must be whole: otherwise the dimension is unknown. */
static trmi_dimension powered(trmi_dimension d, double power) {
  const int exponent = (int)power;
  if (exponent != power) return (trmi_dimension){.is_known = false};
  trmi_dimension result = {.is_known = true};
  const int sign = exponent < 0 ? -1 : 1;
  for (int i = 0; i < sign * exponent; i++) result = trmi_dimension_product(result, d, sign);
  return result;
}

double trmi_units_one(const trmi_units *units, trmi_dimension dimension) {
  return dimension.is_known ? in_model_units(1.0, dimension, units) : 1.0;
}

size_t trmi_unit_read(const char *text, size_t length, const trmi_units *units,
                      trmi_dimension *dimension, double *factor) {
  trmi_dimension sum = {.is_known = true};
  double product = 1.0;
  size_t used = 0;
  for (;;) {
    /* the operator before all but the first */
    size_t at = used;
    int sign = 1;
    if (used > 0) {
      const bool is_times = at < length && text[at] == '*';
      const bool is_over = at < length && text[at] == '/';
      if (!is_times && !is_over) break;
      sign = is_over ? -1 : 1;
      at++;
    }

    /* a unit and its exponent */
    trmi_dimension one;
    double si;
    const size_t letters = read_name(text + at, length - at, &one, &si);
    if (letters == 0) break;
    at += letters;
    double exponent = 1.0;
    at += read_exponent(text + at, length - at, &exponent);
    sum = trmi_dimension_product(sum, powered(one, exponent), sign);
    const double size = in_model_units(si, one, units);
    const int whole = (int)exponent;
    product *= whole == exponent ? whole_power(size, sign * whole) : pow(size, sign * exponent);
    used = at;
  }
  if (used > 0) {
    *dimension = sum;
    *factor = product;
  }
  return used;
}

/* ---- dimensions ---- */

/* Force becomes mass length/time^2. */
static trmi_dimension without_force(trmi_dimension a) {
  const trmi_dimension force = {.is_known = true, .length = 1, .mass = 1, .time = -2, .force = -1};
  return trmi_dimension_product(a, powered(force, a.force), 1);
}

static bool is_same(trmi_dimension a, trmi_dimension b) {
  return a.length == b.length && a.mass == b.mass && a.time == b.time && a.force == b.force;
}

bool trmi_dimension_agrees(trmi_dimension a, trmi_dimension b) {
  if (!a.is_known || !b.is_known || is_same(a, b)) return true;
  const trmi_dimension c = without_force(a), d = without_force(b);
  return !c.is_known || !d.is_known || is_same(c, d);
}

bool trmi_dimension_mixes(const trmi_units *units, trmi_dimension a, trmi_dimension b) {
  const bool has_both = a.is_known && b.is_known && a.force != b.force;
  return has_both && fabs(trmi_units_inertia(units) - 1.0) > 1e-12;
}

bool trmi_dimension_is_number(trmi_dimension a) {
  return trmi_dimension_agrees(a, (trmi_dimension){.is_known = true});
}

trmi_dimension trmi_dimension_product(trmi_dimension a, trmi_dimension b, int sign) {
  const int e[4] = {a.length + sign * b.length, a.mass + sign * b.mass, a.time + sign * b.time,
                    a.force + sign * b.force};
  bool is_known = a.is_known && b.is_known;
  for (int i = 0; i < 4; i++) {
    is_known = is_known && e[i] >= -DIMENSION_MAX && e[i] <= DIMENSION_MAX;
  }
  if (!is_known) return (trmi_dimension){.is_known = false};
  return (trmi_dimension){.is_known = true,
                          .length = (signed char)e[0],
                          .mass = (signed char)e[1],
                          .time = (signed char)e[2],
                          .force = (signed char)e[3]};
}

/* Each exponent times `exponent`, if all results are whole. */
static bool scaled(trmi_dimension a, double exponent, trmi_dimension *out) {
  const int old[4] = {a.length, a.mass, a.time, a.force};
  signed char new[4];
  for (int i = 0; i < 4; i++) {
    const double e = old[i] * exponent, whole = round(e);
    if (!(fabs(e - whole) < 1e-9) || !(fabs(whole) <= DIMENSION_MAX)) return false;
    new[i] = (signed char)whole;
  }
  *out = (trmi_dimension){
      .is_known = true, .length = new[0], .mass = new[1], .time = new[2], .force = new[3]};
  return true;
}

trmi_dimension trmi_dimension_power(trmi_dimension a, double exponent) {
  trmi_dimension result;
  if (!a.is_known) return a;
  if (scaled(a, exponent, &result) || scaled(without_force(a), exponent, &result)) return result;
  return (trmi_dimension){.is_known = false};
}

/* Append "*m^2" or "/s". */
static size_t print_one(char *text, size_t size, size_t used, const char *name, int exponent) {
  if (exponent == 0 || used + 8 > size) return used;
  const char *join = exponent < 0 ? (used == 0 ? "1/" : "/") : (used == 0 ? "" : "*");
  const int e = exponent < 0 ? -exponent : exponent;
  const int n = e == 1 ? snprintf(text + used, size - used, "%s%s", join, name)
                       : snprintf(text + used, size - used, "%s%s^%d", join, name, e);
  return n < 0 || used + (size_t)n >= size ? strlen(text) : used + (size_t)n;
}

void trmi_dimension_print(trmi_dimension a, char *text, size_t size) {
  if (size == 0) return;
  text[0] = '\0';
  const char *const names[4] = {"N", "kg", "m", "s"};
  const int e[4] = {a.force, a.mass, a.length, a.time};
  size_t used = 0;
  for (int i = 0; i < 4; i++) {
    if (e[i] > 0) used = print_one(text, size, used, names[i], e[i]);
  }
  for (int i = 0; i < 4; i++) {
    if (e[i] < 0) used = print_one(text, size, used, names[i], e[i]);
  }
  if (used == 0) snprintf(text, size, "%s", a.is_known ? "1" : "?");
}

trmi_dimension trmi_unit_dimension(const char *text) {
  const trmi_units si = trmi_units_si();
  trmi_dimension dimension = {.is_known = text != NULL};
  double factor;
  char turned[64]; /* "1/s" as "rad/s": an angle is a plain number */
  if (text != NULL && strncmp(text, "1/", 2) == 0) {
    snprintf(turned, sizeof turned, "rad%.60s", text + 1);
    text = turned;
  }
  if (text != NULL && strcmp(text, "1") != 0) {
    (void)trmi_unit_read(text, strlen(text), &si, &dimension, &factor);
  }
  return dimension;
}
