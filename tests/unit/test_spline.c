/* Curves: they go through their points, are as smooth as they claim, and follow their rules. */
#include "check.h"
#include "expr/spline.h"
#include "kit.h"

enum { POINTS = 7 };
static const double X[POINTS] = {-2.0, -1.5, 0.0, 0.3, 1.0, 4.0, 4.5};
static const double Y[POINTS] = {1.0, 3.0, -2.0, -2.5, 0.0, 0.5, 6.0};

static trmi_arena new_arena(void) {
  const trm_allocator allocator = {0};
  trmi_arena arena;
  trmi_arena_init(&arena, &allocator);
  return arena;
}

static trmi_spline make(trmi_arena *arena, trmi_spline_kind kind, const double *x, const double *y,
                       int n) {
  trm_error err;
  trmi_spline curve;
  CHECK_OK(trmi_spline_make(&curve, arena, kind, x, y, n, &err), err);
  return curve;
}

static void curves_meet_their_points(void **unused) {
  (void)unused;
  trmi_arena arena = new_arena();
  for (int kind = 0; kind < 3; kind++) {
    for (int n = 2; n <= POINTS; n++) {
      const trmi_spline c = make(&arena, (trmi_spline_kind)kind, X, Y, n);
      for (int i = 0; i < n; i++) {
        assert_true(trmi_spline_at(&c, 0, X[i]) == Y[i]);
        /* from the left, where the piece ends: rounding of a cubic */
        const double *p = c.c[i], s = X[i] - (i > 0 ? X[i - 1] : X[0]);
        CHECK_NEAR(p[0] + s * (p[1] + s * (p[2] + s * p[3])), Y[i], 1e-14,
                   "kind %d, point %d of %d", kind, i, n);
      }
    }
  }
  trmi_arena_clear(&arena);
}

/* Slope from both sides of each point; the ends go on straight. */
static void slopes_are_continuous(void **unused) {
  (void)unused;
  trmi_arena arena = new_arena();
  for (int kind = TRMI_SPLINE_AKIMA; kind <= TRMI_SPLINE_CUBIC; kind++) {
    for (int n = 2; n <= POINTS; n++) {
      const trmi_spline c = make(&arena, (trmi_spline_kind)kind, X, Y, n);
      for (int i = 0; i < n; i++) {
        const double *p = c.c[i], s = X[i] - (i > 0 ? X[i - 1] : X[0]);
        CHECK_NEAR(p[1] + s * (2 * p[2] + s * 3 * p[3]), trmi_spline_at(&c, 1, X[i]), 1e-13,
                   "kind %d, slope at %d of %d", kind, i, n);
        if (kind == TRMI_SPLINE_AKIMA) continue;
        CHECK_NEAR(2 * p[2] + 6 * p[3] * s, trmi_spline_at(&c, 2, X[i]), 1e-12,
                   "curvature at %d of %d", i, n);
      }
    }
  }
  trmi_arena_clear(&arena);
}

static void derivatives_match_differences(void **unused) {
  (void)unused;
  /* Central differences of cubics of size 10: truncation eps^2, rounding 1e-15/eps. */
  const double eps = 1e-5, tol = 1e-8;
  trmi_arena arena = new_arena();
  for (int kind = 0; kind < 3; kind++) {
    const trmi_spline c = make(&arena, (trmi_spline_kind)kind, X, Y, POINTS);
    for (double x = -2.77; x < 6.0; x += 0.0717) {
      for (int order = 0; order < 3; order++) {
        const double difference =
            (trmi_spline_at(&c, order, x + eps) - trmi_spline_at(&c, order, x - eps)) / (2 * eps);
        CHECK_NEAR(trmi_spline_at(&c, order + 1, x), difference, tol * 100,
                   "kind %d order %d at %g", kind, order, x);
      }
      assert_true(trmi_spline_at(&c, 4, x) == 0.0);
    }
  }
  trmi_arena_clear(&arena);
}

static void pieces_are_numbered_from_the_left_end(void **unused) {
  (void)unused;
  trmi_arena arena = new_arena();
  const trmi_spline c = make(&arena, TRMI_SPLINE_LINEAR, X, Y, POINTS);
  assert_int_equal(trmi_spline_find(&c, -2.1), 0);
  assert_int_equal(trmi_spline_find(&c, -2.0), 1);
  assert_int_equal(trmi_spline_find(&c, -1.6), 1);
  assert_int_equal(trmi_spline_find(&c, -1.5), 2);
  assert_int_equal(trmi_spline_find(&c, 4.49), POINTS - 1);
  assert_int_equal(trmi_spline_find(&c, 4.5), POINTS);
  assert_int_equal(trmi_spline_find(&c, INFINITY), POINTS);
  assert_int_equal(trmi_spline_find(&c, -INFINITY), 0);
  assert_in_range(trmi_spline_find(&c, (double)NAN), 0, POINTS);
  for (int i = 0; i <= POINTS; i++) {
    const double knot = X[i > 0 ? i - 1 : 0];
    assert_true(trmi_spline_piece(&c, -1, i) == knot);
    assert_true(trmi_spline_piece(&c, 0, i) == Y[i > 0 ? i - 1 : 0]);
    assert_true(trmi_spline_piece(&c, 1, i + 0.4) == c.c[i][1]);
    assert_true(trmi_spline_piece(&c, 2, i) == 0.0);
  }
  /* clipped, whatever comes */
  assert_true(trmi_spline_piece(&c, 1, -5.0) == c.c[0][1]);
  assert_true(trmi_spline_piece(&c, 1, 1e300) == c.c[POINTS][1]);
  assert_true(trmi_spline_piece(&c, 1, (double)NAN) == c.c[0][1]);
  assert_true(trmi_spline_piece(&c, 5, 1.0) == 0.0);
  trmi_arena_clear(&arena);
}

static void two_points_are_a_straight_line(void **unused) {
  (void)unused;
  trmi_arena arena = new_arena();
  for (int kind = 0; kind < 3; kind++) {
    const trmi_spline c = make(&arena, (trmi_spline_kind)kind, X, Y, 2);
    for (double x = -5.0; x < 5.0; x += 0.37) {
      CHECK_NEAR(trmi_spline_at(&c, 0, x), 1.0 + 4.0 * (x + 2.0), 1e-13, "kind %d at %g", kind, x);
    }
  }
  trmi_arena_clear(&arena);
}

/* y = 2 x^2 - x at uneven points; Akima's end rule is that of a parabola for even steps. */
static void akima_repeats_what_it_should(void **unused) {
  (void)unused;
  trmi_arena arena = new_arena();
  const double even[5] = {0.0, 0.5, 1.0, 1.5, 2.0};
  double y[5];
  for (int i = 0; i < 5; i++) y[i] = 2.0 * even[i] * even[i] - even[i];
  for (int n = 3; n <= 5; n++) {
    const trmi_spline c = make(&arena, TRMI_SPLINE_AKIMA, even, y, n);
    for (double x = 0.0; x <= even[n - 1]; x += 0.0625) {
      CHECK_NEAR(trmi_spline_at(&c, 0, x), 2.0 * x * x - x, 1e-14, "parabola of %d points at %g", n,
                 x);
    }
  }
  /* a corner between two straight parts: all of it stays straight */
  const double cx[7] = {0, 1, 2, 3, 4, 5, 6}, cy[7] = {0, 0, 0, 0, 1, 2, 3};
  const trmi_spline c = make(&arena, TRMI_SPLINE_AKIMA, cx, cy, 7);
  for (double x = 0.0; x <= 2.0; x += 0.125)
    CHECK_NEAR(trmi_spline_at(&c, 0, x), 0.0, 0.0, "%g", x);
  CHECK_NEAR(trmi_spline_at(&c, 1, 3.0), 0.5, 1e-15, "both weights are zero: the mean");
  trmi_arena_clear(&arena);
}

/* Slopes of (2) in curve.c written out once more, from chords at hand. */
static void akima_slopes_follow_the_paper(void **unused) {
  (void)unused;
  trmi_arena arena = new_arena();
  const trmi_spline c = make(&arena, TRMI_SPLINE_AKIMA, X, Y, POINTS);
  double m[POINTS + 3];
  for (int i = 0; i < POINTS - 1; i++) m[i + 2] = (Y[i + 1] - Y[i]) / (X[i + 1] - X[i]);
  m[1] = 2 * m[2] - m[3];
  m[0] = 2 * m[1] - m[2];
  m[POINTS + 1] = 2 * m[POINTS] - m[POINTS - 1];
  m[POINTS + 2] = 2 * m[POINTS + 1] - m[POINTS];
  for (int i = 0; i < POINTS; i++) {
    const double *k = m + i; /* four chords around point i */
    const double w1 = fabs(k[3] - k[2]), w2 = fabs(k[1] - k[0]);
    CHECK_NEAR(trmi_spline_at(&c, 1, X[i]), (w1 * k[1] + w2 * k[2]) / (w1 + w2), 1e-13, "point %d",
               i);
  }
  trmi_arena_clear(&arena);
}

/* The example on the page of AKIMA_SPLINE in [AdamsSolver], printed with three digits. */
static void akima_agrees_with_adams(void **unused) {
  (void)unused;
  trmi_arena arena = new_arena();
  const double x[4] = {1, 2, 3, 4}, y[4] = {0, 2, 1, 3};
  static const double printed[10] = {0.0, 1.0, 1.667, 2.0, 1.778, 1.222, 1.0, 1.333, 2.0, 3.0};
  const trmi_spline c = make(&arena, TRMI_SPLINE_AKIMA, x, y, 4);
  for (int i = 0; i < 10; i++) {
    CHECK_NEAR(trmi_spline_at(&c, 0, 1.0 + i / 3.0), printed[i], 5.1e-4, "point %d", i);
  }
  trmi_arena_clear(&arena);
}

static void spline_ends_without_curvature(void **unused) {
  (void)unused;
  trmi_arena arena = new_arena();
  for (int n = 3; n <= POINTS; n++) {
    const trmi_spline c = make(&arena, TRMI_SPLINE_CUBIC, X, Y, n);
    CHECK_NEAR(trmi_spline_at(&c, 2, X[0]), 0.0, 1e-13, "left of %d", n);
    CHECK_NEAR(trmi_spline_at(&c, 2, X[n - 1] - 1e-12), 0.0, 1e-9, "right of %d", n);
  }
  trmi_arena_clear(&arena);
}

/* The natural spline minimizes the integral of the square of its second derivative. */
static void spline_bends_least(void **unused) {
  (void)unused;
  trmi_arena arena = new_arena();
  double energy[2];
  for (int k = 0; k < 2; k++) {
    const trmi_spline c =
        make(&arena, k == 0 ? TRMI_SPLINE_CUBIC : TRMI_SPLINE_AKIMA, X, Y, POINTS);
    energy[k] = 0.0;
    for (double x = X[0] + 5e-4; x < X[POINTS - 1]; x += 1e-3) {
      energy[k] += 1e-3 * trmi_spline_at(&c, 2, x) * trmi_spline_at(&c, 2, x);
    }
  }
  assert_true(energy[0] < energy[1]);
  trmi_arena_clear(&arena);
}

static void wrong_points_are_named(void **unused) {
  (void)unused;
  static const struct {
    int         n;
    double      x[3], y[3];
    const char *message;
  } cases[] = {
      {1, {0}, {0}, "a curve needs at least 2 points, not 1"},
      {0, {0}, {0}, "a curve needs at least 2 points, not 0"},
      {3, {0, 1, 1}, {0, 0, 0}, "point 3 of the curve does not ascend: x = 1 follows 1"},
      {3, {0, -1, 2}, {0, 0, 0}, "point 2 of the curve does not ascend: x = -1 follows 0"},
      {3, {0, 1, INFINITY}, {0, 0, 0}, "point 3 of the curve is not finite: (inf, 0)"},
      {2, {0, 1, 0}, {0, -INFINITY, 0}, "point 2 of the curve is not finite: (1, -inf)"},
      {2, {0, 1e-300, 0}, {0, 1e300, 0},
       "the curve is too steep at point 1, x = 0: its slope is not finite"},
  };
  trmi_arena arena = new_arena();
  for (int kind = 0; kind < 3; kind++) {
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      trm_error err;
      trmi_spline curve;
      CHECK_STATUS(trmi_spline_make(&curve, &arena, (trmi_spline_kind)kind, cases[i].x, cases[i].y,
                                   cases[i].n, &err),
                   TRM_ERR_INPUT);
      assert_string_equal(err.message, cases[i].message);
    }
  }
  trmi_arena_clear(&arena);
}

static void many_points_of_all_sizes_work(void **unused) {
  (void)unused;
  enum { MANY = 2000 };
  static double x[MANY], y[MANY];
  uint64_t seed = 5;
  trmi_arena arena = new_arena();
  for (int i = 0; i < MANY; i++) {
    x[i] = (i > 0 ? x[i - 1] : -3.0) + pow(10.0, 3.0 * kit_random(&seed));
    y[i] = kit_random(&seed);
  }
  for (int kind = 0; kind < 3; kind++) {
    const trmi_spline c = make(&arena, (trmi_spline_kind)kind, x, y, MANY);
    for (int i = 0; i < MANY; i++) assert_true(trmi_spline_at(&c, 0, x[i]) == y[i]);
    for (int i = 1; i < MANY; i++) {
      assert_int_equal(trmi_spline_find(&c, 0.5 * (x[i - 1] + x[i])), i);
    }
  }
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_meet_their_points),
      cmocka_unit_test(slopes_are_continuous),
      cmocka_unit_test(derivatives_match_differences),
      cmocka_unit_test(pieces_are_numbered_from_the_left_end),
      cmocka_unit_test(two_points_are_a_straight_line),
      cmocka_unit_test(akima_repeats_what_it_should),
      cmocka_unit_test(akima_slopes_follow_the_paper),
      cmocka_unit_test(akima_agrees_with_adams),
      cmocka_unit_test(spline_ends_without_curvature),
      cmocka_unit_test(spline_bends_least),
      cmocka_unit_test(wrong_points_are_named),
      cmocka_unit_test(many_points_of_all_sizes_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
