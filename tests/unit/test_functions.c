/* Functions: values against plain C written here, first and second derivatives against differences
 * of values on both sides of every kink, and the smoothness that is promised. */
#include "expressions.h"

static const double PI = 3.14159265358979323846;

/* ---- the definitions once more, in plain C ---- */

static double c_unit(double x, double x0, double x1) {
  const double u = (x - x0) / (x1 - x0);
  return u <= 0 ? 0 : u >= 1 ? 1 : u;
}

static double c_step(double x, double x0, double h0, double x1, double h1) {
  const double d = c_unit(x, x0, x1);
  return h0 + (h1 - h0) * d * d * (3 - 2 * d);
}

static double c_step5(double x, double x0, double h0, double x1, double h1) {
  const double d = c_unit(x, x0, x1);
  return h0 + (h1 - h0) * d * d * d * (10 - 15 * d + 6 * d * d);
}

static double c_havsin(double x, double x0, double h0, double x1, double h1) {
  return (h0 + h1) / 2 + (h1 - h0) / 2 * sin(c_unit(x, x0, x1) * PI - PI / 2);
}

static double c_impact(double x, double v, double x1, double k, double e, double cmax, double d) {
  if (x >= x1) return 0;
  return fmax(0, k * pow(x1 - x, e) - c_step(x, x1 - d, cmax, x1, 0) * v);
}

static double c_bistop(double x, double v, double x1, double x2, double e) {
  const double k = 100, cmax = 5, d = 0.1;
  if (x < x1) return fmax(k * pow(x1 - x, e) - c_step(x, x1 - d, cmax, x1, 0) * v, 0);
  if (x > x2) return fmin(-k * pow(x - x2, e) - c_step(x, x2, 0, x2 + d, cmax) * v, 0);
  return 0;
}

/* The phase as the integral of the frequency, by the midpoint rule: exact for straight lines. */
static double c_sweep(double x) {
  const double a = 2, x0 = 0.5, f0 = 1, x1 = 2, f1 = 3, dx = 0.4;
  double phase = 0;
  if (x > x0) {
    const double end = x < x1 ? x : x1;
    phase = (end - x0) * (f0 + (f1 - f0) * (0.5 * (x0 + end) - x0) / (x1 - x0));
  }
  if (x > x1) phase += (x - x1) * f1;
  return a * c_step5(x, x0, 0, x0 + dx, 1) * sin(2 * PI * phase);
}

/* By the closed form on -1 .. 1, outside by the other one. */
static double c_chebyshev(int n, double x) {
  if (fabs(x) <= 1) return cos(n * acos(x));
  return (x < 0 && n % 2 == 1 ? -1 : 1) * cosh(n * acosh(fabs(x)));
}

static double c_cheby(double x) {
  double sum = 0;
  for (int i = 0; i < 5; i++) sum += (i - 1.5) * c_chebyshev(i, x - 0.25);
  return sum;
}

static double c_table(int kind, int order, double x) {
  const trm_allocator allocator = {0};
  trmi_arena arena;
  trmi_arena_init(&arena, &allocator);
  trmi_spline curve;
  trm_error err;
  CHECK_OK(
      trmi_spline_make(&curve, &arena, (trmi_spline_kind)kind, XP_X, XP_Y, XP_POINTS, &err), err);
  const double y = trmi_spline_at(&curve, order, x);
  trmi_arena_clear(&arena);
  return y;
}

/* clang-format off */
static double f_sin(double x) { return sin(x); }
static double f_cos(double x) { return cos(x); }
static double f_tan(double x) { return tan(x); }
static double f_asin(double x) { return asin(x); }
static double f_acos(double x) { return acos(x); }
static double f_atan(double x) { return atan(x); }
static double f_atan2(double x) { return atan2(x, 0.5 - x * x); }
static double f_sinh(double x) { return sinh(x); }
static double f_cosh(double x) { return cosh(x); }
static double f_tanh(double x) { return tanh(x); }
static double f_asinh(double x) { return asinh(x); }
static double f_acosh(double x) { return acosh(x); }
static double f_atanh(double x) { return atanh(x); }
static double f_exp(double x) { return exp(x); }
static double f_log(double x) { return log(x); }
static double f_log10(double x) { return log10(x); }
static double f_log2(double x) { return log2(x); }
static double f_sqrt(double x) { return sqrt(x); }
static double f_cbrt(double x) { return cbrt(x); }
static double f_pow(double x) { return pow(x, 1.7); }
static double f_power(double x) { return pow(x, x); }
static double f_hypot(double x) { return sqrt(x * x + 4.0 + 9.0 * x * x * x * x); }
static double f_abs(double x) { return fabs(x); }
static double f_sign(double x) { return x >= 0 ? 1 : -1; }
static double f_floor(double x) { return floor(x); }
static double f_ceil(double x) { return ceil(x); }
static double f_round(double x) { return floor(x + 0.5); }
static double f_mod(double x) { return x - 0.7 * floor(x / 0.7); }
static double f_three(double x) { return x < 0 ? x : x > 0 ? x * x : 3; }
static double f_min(double x) { return fmin(fmin(x, 1 - x), 0.25); }
static double f_max(double x) { return fmax(fmax(x, 1 - x), 0.75); }
static double f_if(double x) {
  return x < 0.5 && !(x < 0) ? x * x : x > 2 || x < -1 ? 1 / x : 3 * x;
}
static double f_guarded(double x) { return x > 0 ? pow(x, 1.5) : 0; }
static double f_guarded_root(double x) { return x > 1 ? sqrt(x - 1) * x : log(2 - x) / (2 - x); }
static double f_guarded_twice(double x) {
  return x > 1 ? sqrt(x) + x * sqrt(x) + (x > 2 ? log(sqrt(x)) : 0) : 1 + x;
}
static double f_step(double x) { return c_step(x, -0.5, 1, 1, 4); }
static double f_step_back(double x) { return c_step(x, 1, 1, -0.5, 4); }
static double f_step5(double x) { return c_step5(x, -0.5, 1, 1, 4); }
static double f_havsin(double x) { return c_havsin(x, -0.5, 1, 1, 4); }
static double f_impact15(double x) { return c_impact(x, -0.3, 0.5, 100, 1.5, 5, 0.1); }
static double f_impact22(double x) { return c_impact(x, 0.3 * x, 0.5, 100, 2.2, 5, 0.1); }
static double f_impact1(double x) { return c_impact(x, -0.3, 0.5, 100, 1, 5, 0.1); }
static double f_impact05(double x) { return c_impact(x, -0.3, 0.5, 100, 0.5, 5, 0.1); }
static double f_bistop(double x) { return c_bistop(x, 0.1, -0.5, 0.75, 1.5); }
static double f_bistop1(double x) { return c_bistop(x, 0.1, -0.5, 0.75, 1); }
static double f_poly(double x) {
  const double s = x - 1.5;
  return 1 + 2 * s - 3 * s * s + 0.5 * s * s * s;
}
static double f_cheby(double x) { return c_cheby(x); }
static double f_forsin(double x) {
  const double s = x - 0.25;
  return 1 + 2 * sin(3 * s) - sin(6 * s) + 0.5 * sin(9 * s);
}
static double f_forcos(double x) {
  const double s = x - 0.25;
  return 1 + 2 * cos(3 * s) - cos(6 * s) + 0.5 * cos(9 * s);
}
static double f_shf(double x) { return 5 * sin(3 * (x - 0.25) - 0.4) + 2; }
static double f_sweep(double x) { return c_sweep(x); }
static double f_akima(double x) { return c_table(TRMI_SPLINE_AKIMA, 0, x); }
static double f_akima1(double x) { return c_table(TRMI_SPLINE_AKIMA, 1, x); }
static double f_cubic(double x) { return c_table(TRMI_SPLINE_CUBIC, 0, x); }
static double f_cubic2(double x) { return c_table(TRMI_SPLINE_CUBIC, 2, x); }
static double f_linear(double x) { return c_table(TRMI_SPLINE_LINEAR, 0, x); }

/* Smooth: derivatives continuous up to this order at the kinks. */
typedef struct sample {
  const char *text;
  double    (*plain)(double x);
  double      from, to;   /* where it is looked at              */
  int         smooth;
  double      kinks[6];   /* NAN ends the list                  */
} sample;

static const sample SAMPLES[] = {
  {"sin(x)",   f_sin,   -3, 3, 9, {NAN}},      {"cos(x)",   f_cos,   -3, 3, 9, {NAN}},
  {"tan(x)",   f_tan,   -1.2, 1.2, 9, {NAN}},  {"asin(x)",  f_asin,  -0.9, 0.9, 9, {NAN}},
  {"acos(x)",  f_acos,  -0.9, 0.9, 9, {NAN}},  {"atan(x)",  f_atan,  -3, 3, 9, {NAN}},
  {"atan2(x, 0.5 - x^2)", f_atan2, -2, 2, 9, {NAN}},
  {"sinh(x)",  f_sinh,  -2, 2, 9, {NAN}},      {"cosh(x)",  f_cosh,  -2, 2, 9, {NAN}},
  {"tanh(x)",  f_tanh,  -2, 2, 9, {NAN}},      {"asinh(x)", f_asinh, -3, 3, 9, {NAN}},
  {"acosh(x)", f_acosh, 1.2, 4, 9, {NAN}},     {"atanh(x)", f_atanh, -0.9, 0.9, 9, {NAN}},
  {"exp(x)",   f_exp,   -2, 2, 9, {NAN}},      {"log(x)",   f_log,   0.3, 4, 9, {NAN}},
  {"ln(x)",    f_log,   0.3, 4, 9, {NAN}},     {"log10(x)", f_log10, 0.3, 4, 9, {NAN}},
  {"log2(x)",  f_log2,  0.3, 4, 9, {NAN}},     {"sqrt(x)",  f_sqrt,  0.3, 4, 9, {NAN}},
  {"cbrt(x)",  f_cbrt,  0.3, 4, 9, {NAN}},     {"cbrt(x)",  f_cbrt,  -4, -0.3, 9, {NAN}},
  {"pow(x, 1.7)", f_pow, 0.3, 4, 9, {NAN}},    {"x^1.7",    f_pow,   0.3, 4, 9, {NAN}},
  {"x^x",      f_power, 0.3, 2, 9, {NAN}},     {"hypot(x, 2, 3*x^2)", f_hypot, -1, 1, 9, {NAN}},
  {"abs(x)",   f_abs,   -1, 1, 0, {0, NAN}},   {"sign(x)",  f_sign,  -1, 1, -1, {0, NAN}},
  {"floor(x)", f_floor, -1.4, 1.6, -1, {-1, 0, 1, NAN}},
  {"ceil(x)",  f_ceil,  -1.4, 1.6, -1, {-1, 0, 1, NAN}},
  {"round(x)", f_round, -1.4, 1.4, -1, {-0.5, 0.5, NAN}},
  {"mod(x, 0.7)", f_mod, -1, 1, -1, {-0.7, 0, 0.7, NAN}},
  {"if(x: x, 3, x^2)", f_three, -1, 1, -1, {0, NAN}},
  {"min(x, 1 - x, 0.25)", f_min, -1, 2, 0, {0.25, 0.75, NAN}},
  {"max(x, 1 - x, 0.75)", f_max, -1, 2, 0, {0.25, 0.75, NAN}},
  {"if(x < 0.5 and not x < 0, x^2, if(x > 2 or x < -1, 1/x, 3*x))", f_if, -2, 3, -1,
   {-1, 0, 0.5, 2, NAN}},
  {"if(x > 0, x^1.5, 0)", f_guarded, -1, 1, 1, {0, NAN}},
  {"if(x > 1, sqrt(x - 1)*x, log(2 - x)/(2 - x))", f_guarded_root, -1, 4, -1, {1, NAN}},
  {"if(x > 1, sqrt(x), 1) + if(x > 1, x*sqrt(x), x) + if(x > 2, log(sqrt(x)), 0)",
   f_guarded_twice, -1, 4, -1, {1, 2, NAN}},
  {"STEP(x, -0.5, 1, 1, 4)",   f_step,   -1, 2, 1, {-0.5, 1, NAN}},
  {"STEP(x, 1, 1, -0.5, 4)",   f_step_back, -1, 2, 1, {-0.5, 1, NAN}},
  {"STEP5(x, -0.5, 1, 1, 4)",  f_step5,  -1, 2, 2, {-0.5, 1, NAN}},
  {"HAVSIN(x, -0.5, 1, 1, 4)", f_havsin, -1, 2, 1, {-0.5, 1, NAN}},
  {"IMPACT(x, -0.3, 0.5, 100, 1.5, 5, 0.1)", f_impact15, -0.5, 1, 1, {0.4, 0.5, NAN}},
  {"IMPACT(x, 0.3*x, 0.5, 100, 2.2, 5, 0.1)", f_impact22, -0.5, 0.45, 1, {0.4, NAN}},
  {"IMPACT(x, -0.3, 0.5, 100, 1, 5, 0.1)", f_impact1, -0.5, 1, 0, {0.4, 0.5, NAN}},
  {"IMPACT(x, -0.3, 0.5, 100, 0.5, 5, 0.1)", f_impact05, -0.5, 1, 0, {0.4, 0.5, NAN}},
  {"BISTOP(x, 0.1, -0.5, 0.75, 100, 1.5, 5, 0.1)", f_bistop, -1, -0.55, 1, {-0.6, NAN}},
  {"BISTOP(x, 0.1, -0.5, 0.75, 100, 1.5, 5, 0.1)", f_bistop, -0.4, 1.2, 1, {0.75, 0.85, NAN}},
  {"BISTOP(x, 0.1, -0.5, 0.75, 100, 1, 5, 0.1)", f_bistop1, -0.4, 1.2, 0, {0.75, 0.85, NAN}},
  {"POLY(x, 1.5, 1, 2, -3, 0.5)", f_poly, -1, 3, 9, {NAN}},
  {"CHEBY(x, 0.25, -1.5, -0.5, 0.5, 1.5, 2.5)", f_cheby, -1.6, 2, 9, {NAN}},
  {"FORSIN(x, 0.25, 3, 1, 2, -1, 0.5)", f_forsin, -2, 2, 9, {NAN}},
  {"FORCOS(x, 0.25, 3, 1, 2, -1, 0.5)", f_forcos, -2, 2, 9, {NAN}},
  {"SHF(x, 0.25, 5, 3, 0.4, 2)", f_shf, -2, 2, 9, {NAN}},
  {"SWEEP(x, 2, 0.5, 1, 2, 3, 0.4)", f_sweep, 0, 3, 1, {0.5, 0.9, 2, NAN}},
  {"AKISPL(x, 0, spring)", f_akima, -1, 7, 1, {0, 1, 2.5, 3, 5, NAN}},
  {"AKISPL(x, 0, spring, 1)", f_akima1, 1.1, 2.4, 0, {NAN}},
  {"CUBSPL(x, 0, spring)", f_cubic, -1, 7, 2, {0, 1, 2.5, 3, 5, NAN}},
  {"CUBSPL(x, 0, spring, 2)", f_cubic2, 1.1, 2.4, 0, {NAN}},
  {"TABLE(x, spring)", f_linear, -1, 7, 0, {0, 1, 2.5, 3, 5, NAN}},
  {"spring(x)", f_linear, -1, 7, 0, {0, 1, 2.5, 3, 5, NAN}},
};
/* clang-format on */
enum { NSAMPLES = sizeof SAMPLES / sizeof SAMPLES[0], STEPS = 97 };

/* Value and two derivatives of a sample by x. */
typedef struct derived {
  trmi_node n[3];
} derived;

static derived derive(xp_scope *s, const char *text) {
  derived d;
  d.n[0] = xp_read(s, text).node;
  d.n[1] = xp_derivative(s, d.n[0], s->symbols[1]);
  d.n[2] = xp_derivative(s, d.n[1], s->symbols[1]);
  return d;
}

static double at_x(const xp_scope *s, trmi_node n, double x) {
  const xp_inputs in = {.name = {[1] = x}};
  return xp_value(s, n, &in);
}

static bool is_near_kink(const sample *f, double x, double distance) {
  for (int i = 0; i < 6 && !isnan(f->kinks[i]); i++) {
    if (fabs(x - f->kinks[i]) < distance) return true;
  }
  return false;
}

static void values_match_plain_c(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  for (int i = 0; i < NSAMPLES; i++) {
    const sample *f = &SAMPLES[i];
    const trmi_node n = xp_read(&s, f->text).node;
    for (int k = 0; k <= STEPS; k++) {
      const double x = f->from + (f->to - f->from) * k / STEPS, expected = f->plain(x);
      /* the other order of operations in this file; closed form of Chebyshev */
      CHECK_NEAR(at_x(&s, n, x), expected, 1e-14 * (1 + 10 * fabs(expected)), "%s at %g", f->text,
                 x);
    }
  }
  xp_close(&s);
}

static void derivatives_match_differences(void **unused) {
  (void)unused;
  /* Central differences: truncation eps^2 f'''/6, rounding 1e-16 f/eps; f''' is up to 1e4 of f'. */
  const double eps = 1e-5;
  xp_scope s;
  xp_open(&s, false);
  for (int i = 0; i < NSAMPLES; i++) {
    const sample *f = &SAMPLES[i];
    const derived d = derive(&s, f->text);
    for (int k = 0; k <= STEPS; k++) {
      const double x = f->from + (f->to - f->from) * k / STEPS;
      if (is_near_kink(f, x, 2 * eps)) continue;
      for (int order = 0; order < 2; order++) {
        const double change =
            (at_x(&s, d.n[order], x + eps) - at_x(&s, d.n[order], x - eps)) / (2 * eps);
        CHECK_NEAR(at_x(&s, d.n[order + 1], x), change, 1e-6 * (1 + fabs(change)),
                   "derivative %d of %s at %g", order + 1, f->text, x);
      }
    }
  }
  xp_close(&s);
}

/* One-sided differences close to each kink, on both sides of it. */
static void derivatives_hold_up_to_the_kinks(void **unused) {
  (void)unused;
  const double eps = 1e-6;
  xp_scope s;
  xp_open(&s, false);
  for (int i = 0; i < NSAMPLES; i++) {
    const sample *f = &SAMPLES[i];
    const derived d = derive(&s, f->text);
    for (int k = 0; k < 6 && !isnan(f->kinks[k]); k++) {
      for (int side = -1; side <= 1; side += 2) {
        const double x = f->kinks[k] + side * 3 * eps;
        const double change = (at_x(&s, d.n[0], x + eps) - at_x(&s, d.n[0], x - eps)) / (2 * eps);
        /* powers below 2 are steep here: eps^2/6 of their third derivative is 3 % of the first */
        CHECK_NEAR(at_x(&s, d.n[1], x), change, 1e-6 + 0.03 * fabs(change),
                   "slope of %s beside %g", f->text, f->kinks[k]);
        assert_true(isfinite(at_x(&s, d.n[2], x)));
      }
      /* at the kink itself all is a number */
      assert_true(isfinite(at_x(&s, d.n[0], f->kinks[k])));
      assert_true(isfinite(at_x(&s, d.n[1], f->kinks[k])));
    }
  }
  xp_close(&s);
}

static void smooth_functions_have_no_jump_at_their_knots(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  for (int i = 0; i < NSAMPLES; i++) {
    const sample *f = &SAMPLES[i];
    const derived d = derive(&s, f->text);
    for (int k = 0; k < 6 && !isnan(f->kinks[k]); k++) {
      for (int order = 0; order <= f->smooth && order < 3; order++) {
        const double x = f->kinks[k], eps = 1e-9;
        const double left = at_x(&s, d.n[order], x - eps), right = at_x(&s, d.n[order], x + eps);
        /* change of the derivative over 2e-9: 150 sqrt(1e-9) for the exponent 1.5 */
        CHECK_NEAR(left, right, order == 0 ? 4e-3 : 6e-3, "derivative %d of %s at %g", order,
                   f->text, x);
      }
    }
  }
  xp_close(&s);
}

/* No event comes from a function with a continuous slope, one from each sharp one. */
static void only_sharp_functions_are_held(void **unused) {
  (void)unused;
  for (int i = 0; i < NSAMPLES; i++) {
    const sample *f = &SAMPLES[i];
    xp_scope s;
    xp_open(&s, true);
    xp_read(&s, f->text);
    const bool is_held = s.nheld > 0 || s.held_piece != 0;
    const bool is_if = strncmp(f->text, "if(", 3) == 0; /* the user decides what is sharp */
    const bool is_sharp = is_if || (f->smooth <= 0 && !isnan(f->kinks[0]));
    if (is_held != is_sharp) fail_msg("%s is %s", f->text, is_held ? "held" : "live");
    xp_close(&s);
  }
}

/* Where damping cuts off the force of IMPACT a held sign says so; what it watches has the sign of
 * the force in contact and is finite everywhere, with its slopes. */
static void the_cut_of_an_impact_has_the_sign_of_its_force(void **unused) {
  (void)unused;
  static const char *const exponents[] = {"0.5", "1", "1.5", "2", "2.2", "3", "gear"};
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
    xp_scope s;
    char text[100];
    xp_open(&s, true);
    snprintf(text, sizeof text, "IMPACT(x, y, 0.5, 5, %s, 5, 0.1)", exponents[i]);
    xp_read(&s, text);
    assert_int_equal(s.ncuts, 1);
    const trmi_node cut = s.cut, force = s.cut_force;
    const trmi_node slopes[2] = {xp_derivative(&s, cut, s.symbols[1]),
                                 xp_derivative(&s, cut, s.symbols[2])};
    int pulls = 0;
    for (int k = -40; k <= 40; k++) {
      for (int m = -20; m <= 20; m++) {
        const double p = k * abs(k) * 2.5e-4, v = m * abs(m) * 0.025;
        xp_inputs in = {.name = {[1] = 0.5 - p, [2] = v, [9] = 1.7}};
        const double f = xp_value(&s, cut, &in);
        for (int d = 0; d < 2; d++) assert_true(isfinite(xp_value(&s, slopes[d], &in)));
        assert_true(isfinite(f));
        if (p <= 0.0 || 0.5 - (0.5 - p) <= 0.0) continue;
        const double F = xp_value(&s, force, &in);
        if (fabs(F) > 1e-12 && (f > 0.0) != (F > 0.0)) {
          fail_msg("%s at p = %g, v = %g: %g for a force of %g", text, p, v, f, F);
        }
        pulls += F < 0.0;
      }
    }
    assert_true(pulls > 100);
    xp_close(&s);
  }
  xp_scope s;
  xp_open(&s, true);
  xp_read(&s, "IMPACT(x, y, 0.5, 100, 1.5, 0, 0.1)");
  assert_int_equal(s.ncuts, 0);
  xp_read(&s, "BISTOP(x, y, 0.5, 1, 100, 1.5, 1, 0.1)");
  assert_int_equal(s.ncuts, 2);
  xp_close(&s);
}

/* Derivatives by the other arguments: all arguments are symbols. */
static void derivatives_by_every_argument(void **unused) {
  (void)unused;
  static const char *const texts[] = {
      "STEP(x, y, z, len/1 m, mass/1 kg)", "STEP5(x, y, z, len/1 m, mass/1 kg)",
      "HAVSIN(x, y, z, len/1 m, mass/1 kg)", "POLY(x, y, z, gear, angle)",
      "CHEBY(x, y, z, gear, angle)", "FORSIN(x, y, z, gear, angle)", "FORCOS(x, y, z, gear, angle)",
      "SHF(x, y, z, gear, angle, crank.angle)", "IMPACT(x, angle, gear, 50, z + 1, 3, 0.2)",
      "IMPACT(x, angle, gear, z, crank.angle + 1.1, y, 0.9)",
      "BISTOP(x, angle, gear - 3, gear, z, 1.6, y, crank.angle)",
      "SWEEP(x, y, angle - 1, gear, angle + 1, z, crank.angle)", "pow(x, y)", "atan2(x, y)",
      "hypot(x, y, z)", "x*y/z - x^3*y^-2", "min(x, y, z)*max(x, y, z)",
  };
  const double eps = 1e-6;
  xp_scope s;
  xp_open(&s, false);
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    const trmi_node n = xp_read(&s, texts[i]).node;
    for (int k = 1; k < XP_NAMES; k++) {
      const trmi_node slope = xp_derivative(&s, n, s.symbols[k]);
      for (int point = 0; point < 5; point++) {
        xp_inputs in = {.name = {0.5, 0.8 + 0.11 * point, 0.6, 1.3, 1.7, 2.1, 1.1, 0.4, 0.35, 1.45,
                                 1.9, 0.7}};
        const double exact = xp_value(&s, slope, &in);
        in.name[k] += eps;
        const double right = xp_value(&s, n, &in);
        in.name[k] -= 2 * eps;
        const double change = (right - xp_value(&s, n, &in)) / (2 * eps);
        CHECK_NEAR(exact, change, 1e-7 * (1 + fabs(change)), "%s by %s, point %d", texts[i],
                   XP_NAME[k].name, point);
      }
    }
  }
  xp_close(&s);
}

static void ends_are_exact(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  static const char *const texts[] = {"STEP(x, 0.1, 0.1, 0.4, 0.3)", "STEP5(x, 0.1, 0.1, 0.4, 0.3)",
                                      "HAVSIN(x, 0.1, 0.1, 0.4, 0.3)"};
  for (int i = 0; i < 3; i++) {
    const trmi_node n = xp_read(&s, texts[i]).node;
    assert_true(at_x(&s, n, -3.0) == 0.1 && at_x(&s, n, 0.1) == 0.1);
    assert_true(at_x(&s, n, 5.0) == 0.3 && at_x(&s, n, 0.5) == 0.3);
  }
  assert_true(xp_number(&s, "log10(1000)", 0, 0, 0) == 3.0);
  assert_true(xp_number(&s, "log2(8)", 0, 0, 0) == 3.0);
  CHECK_NEAR(xp_number(&s, "cbrt(-27)", 0, 0, 0), -3.0, 5e-16, "cbrt");
  assert_true(xp_number(&s, "sign(0)", 0, 0, 0) == 1.0);
  assert_true(isnan(at_x(&s, xp_read(&s, "STEP(x, 0, 0, 1, 1)").node, (double)NAN)));
  xp_close(&s);
}

static void the_list_of_functions_is_complete(void **unused) {
  (void)unused;
  int count = 0;
  for (const trmi_function_info *f; (f = trmi_function_at(count)) != NULL; count++) {
    assert_true(strlen(f->name) > 0 && strlen(f->arguments) > 0 && strlen(f->meaning) > 0);
    /* every function has a sample here */
    bool is_tested = false;
    for (int i = 0; i < NSAMPLES; i++) {
      const size_t n = strlen(f->name);
      const bool is_here = strncmp(SAMPLES[i].text, f->name, n) == 0 && SAMPLES[i].text[n] == '(';
      is_tested = is_tested || is_here;
    }
    if (!is_tested) fail_msg("no sample of %s", f->name);
  }
  assert_int_equal(count, 45);
  assert_null(trmi_function_at(-1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_match_plain_c),
      cmocka_unit_test(derivatives_match_differences),
      cmocka_unit_test(derivatives_hold_up_to_the_kinks),
      cmocka_unit_test(smooth_functions_have_no_jump_at_their_knots),
      cmocka_unit_test(only_sharp_functions_are_held),
      cmocka_unit_test(the_cut_of_an_impact_has_the_sign_of_its_force),
      cmocka_unit_test(derivatives_by_every_argument),
      cmocka_unit_test(ends_are_exact),
      cmocka_unit_test(the_list_of_functions_is_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
