/* spline.c - curves through points from slopes at the points.
 *
 * Points (x_i, y_i), i = 0 .. n-1, with h_i = x_{i+1} - x_i, m_i = (y_{i+1} - y_i)/h_i, and slopes
 * t_i. Piece i of (1) in spline.h takes value and slope at both of its ends:
 *   c_0 = y_i,  c_2 = (3 m_i - 2 t_i - t_{i+1})/h_i,
 *   c_1 = t_i,  c_3 = (t_i + t_{i+1} - 2 m_i)/h_i^2                                        (1)
 *
 * Akima [Akima70]: the slope has a larger weight on the side where the chords change less,
 *   t_i = (a m_{i-1} + b m_i)/(a + b),  a = |m_{i+1} - m_i|,  b = |m_{i-1} - m_{i-2}|       (2)
 * and is (m_{i-1} + m_i)/2 where both weights are zero. Two chords are added beyond each
 * end so that chords change there by equal amounts (a parabola):
 *   m_{-1} = 2 m_0 - m_1,  m_{-2} = 2 m_{-1} - m_0,  and likewise m_{n-1}, m_n             (3)
 * Two points have one chord: all are equal, a straight line. Three and four points have
 * the two chords that (3) needs: three points give their parabola.
 *
 * Natural cubic spline: second derivative continuous at inner points and zero at the ends,
 *   h_i t_{i-1} + 2 (h_{i-1} + h_i) t_i + h_{i-1} t_{i+1} = 3 (h_i m_{i-1} + h_{i-1} m_i)   (4)
 *   2 t_0 + t_1 = 3 m_0,  t_{n-2} + 2 t_{n-1} = 3 m_{n-2}                                   (5)
 * a tridiagonal system, solved without pivoting: the diagonal is dominant. */
#include "expr/spline.h"
#include <math.h>

static trm_status check_points(const double *x, const double *y, int n, trm_error *err) {
  if (n < 2) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "a curve needs at least 2 points, not %d", n);
  }
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i]) || !isfinite(y[i])) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "point %d of the curve is not finite: (%g, %g)",
                       i + 1, x[i], y[i]);
    }
    if (i > 0 && !(x[i] > x[i - 1])) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                       "point %d of the curve does not ascend: x = %.10g follows %.10g", i + 1,
                       x[i], x[i - 1]);
    }
  }
  return TRM_OK;
}

/* Chords m_{-2} .. m_n; m points at m_0 and has room for two more on both sides. */
static void add_end_chords(double *m, int n) {
  const double second = n > 2 ? m[1] : m[0], last_but_one = n > 2 ? m[n - 3] : m[n - 2];
  m[-1] = 2.0 * m[0] - second; /* (3) */
  m[-2] = 2.0 * m[-1] - m[0];
  m[n - 1] = 2.0 * m[n - 2] - last_but_one;
  m[n] = 2.0 * m[n - 1] - m[n - 2];
}

static void akima_slopes(double *t, double *m, int n) {
  add_end_chords(m, n);
  for (int i = 0; i < n; i++) {
    const double after = fabs(m[i + 1] - m[i]), before = fabs(m[i - 1] - m[i - 2]);
    const double sum = after + before;
    const double share = sum > 0.0 ? after / sum : 0.5;
    t[i] = share * m[i - 1] + (1.0 - share) * m[i]; /* (2) */
  }
}

/* work: the upper diagonal after elimination */
static void spline_slopes(double *t, double *work, const double *x, const double *m, int n) {
  work[0] = 0.5;
  t[0] = 1.5 * m[0]; /* (5) */
  for (int i = 1; i < n - 1; i++) {
    const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    /* (4), divided by h0 + h1 so that nothing overflows */
    const double a = h1 / (h0 + h1), b = h0 / (h0 + h1);
    const double pivot = 2.0 - a * work[i - 1];
    work[i] = b / pivot;
    t[i] = (3.0 * (a * m[i - 1] + b * m[i]) - a * t[i - 1]) / pivot;
  }
  t[n - 1] = (3.0 * m[n - 2] - t[n - 2]) / (2.0 - work[n - 2]);
  for (int i = n - 2; i >= 0; i--) t[i] -= work[i] * t[i + 1];
}

/* Coefficients of all pieces by (1). */
static void fill_pieces(trmi_spline *curve, const double *y, const double *t, const double *m) {
  const int n = curve->n;
  const bool is_linear = curve->kind == TRMI_SPLINE_LINEAR;
  for (int i = 0; i < n - 1; i++) {
    double *c = curve->c[i + 1];
    const double h = curve->x[i + 1] - curve->x[i];
    c[0] = y[i];
    c[1] = is_linear ? m[i] : t[i];
    c[2] = is_linear ? 0.0 : (3.0 * m[i] - 2.0 * t[i] - t[i + 1]) / h;
    c[3] = is_linear ? 0.0 : (t[i] + t[i + 1] - 2.0 * m[i]) / h / h;
  }
  curve->c[0][0] = y[0];
  curve->c[0][1] = is_linear ? m[0] : t[0];
  curve->c[n][0] = y[n - 1];
  curve->c[n][1] = is_linear ? m[n - 2] : t[n - 1];
}

/* Finite points may be too far apart or too close together for finite slopes. */
static trm_status check_pieces(const trmi_spline *curve, trm_error *err) {
  for (int i = 0; i <= curve->n; i++) {
    const double *c = curve->c[i];
    if (!isfinite(c[1]) || !isfinite(c[2]) || !isfinite(c[3])) {
      const int point = i < 1 ? 1 : i;
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                       "the curve is too steep at point %d, x = %.10g: its slope is not finite",
                       point, curve->x[point - 1]);
    }
  }
  return TRM_OK;
}

trm_status trmi_spline_make(trmi_spline *curve, trmi_arena *arena, trmi_spline_kind kind,
                           const double *x, const double *y, int n, trm_error *err) {
  *curve = (trmi_spline){.kind = kind};
  TRMI_TRY(err, check_points(x, y, n, err));
  double *knots = TRMI_TAKE(arena, double, n);
  double(*c)[4] = trmi_arena_take(arena, (size_t)n + 1, sizeof *c);
  double *t = TRMI_TAKE(arena, double, n), *work = TRMI_TAKE(arena, double, n);
  double *chords = TRMI_TAKE(arena, double, (size_t)n + 3);
  TRMI_TRY(err, trmi_arena_check(arena, err));

  double *m = chords + 2;
  for (int i = 0; i < n; i++) knots[i] = x[i];
  for (int i = 0; i < n - 1; i++) m[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  if (kind == TRMI_SPLINE_AKIMA) akima_slopes(t, m, n);
  if (kind == TRMI_SPLINE_CUBIC) spline_slopes(t, work, x, m, n);
  *curve = (trmi_spline){.kind = kind, .n = n, .x = knots, .c = c};
  fill_pieces(curve, y, t, m);
  return check_pieces(curve, err);
}

int trmi_spline_find(const trmi_spline *curve, double x) {
  int low = 0, high = curve->n; /* the number of points up to x is in low .. high */
  while (low < high) {
    const int middle = (low + high) / 2;
    if (curve->x[middle] <= x) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static double knot_of(const trmi_spline *curve, int piece) {
  return curve->x[piece > 0 ? piece - 1 : 0];
}

double trmi_spline_at(const trmi_spline *curve, int order, double x) {
  const int piece = trmi_spline_find(curve, x);
  const double *c = curve->c[piece];
  const double s = x - knot_of(curve, piece);
  switch (order) {
  case 0: return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
  case 1: return c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]);
  case 2: return 2.0 * c[2] + 6.0 * c[3] * s;
  case 3: return 6.0 * c[3];
  default: return 0.0;
  }
}

double trmi_spline_piece(const trmi_spline *curve, int order, double piece) {
  int i = 0;
  if (piece >= curve->n) {
    i = curve->n;
  } else if (piece > 0.0) { /* false for NaN */
    i = (int)(piece + 0.5);
  }
  if (order < 0) return knot_of(curve, i);
  return order < 4 ? curve->c[i][order] : 0.0;
}
