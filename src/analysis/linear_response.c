/* linear_response.c - poles, zeros and frequency response of a linear model y' = A y + b u,
 * z = c y + d u.
 *
 * Poles are the eigenvalues of A. Zeros are the motions that an input can excite while the output
 * stays zero. With d they belong to u = -c y/d,
 *   y' = (A - b c/d) y                                                                     (1)
 * without it to the first r with h = c A^(r-1) b not zero: the output stays zero if c y, c A y, ..
 * c A^(r-1) y are zero and u = -c A^r y/h. In a basis V of the null space of these r rows
 *   x' = V^T (A - b c A^r/h) V x                                                           (2)
 * whose eigenvalues are the zeros and no others. The pencil [A - s, b; c, d] has the same zeros,
 * but its infinite eigenvalues, r + 1 in one chain, come out finite in floating point. States are
 * scaled first so that rows and columns of A have about the same size. */
#include "analysis/linear_model.h"
#include "analysis/linearize.h"
#include "core/gate.h"
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What counts as zero against the sizes of its factors: outputs are good to 1e-12. */
static const double vanishing = 1e-9;

/* --- eigenvalues ------------------------------------------------------------------------------ */

typedef struct value {
  double re, im;
} value;

static int compare_values(const void *x, const void *y) {
  const value *a = x, *b = y;
  const double p = hypot(a->re, a->im), q = hypot(b->re, b->im);
  if (fabs(p - q) > 1e-12 * (p + q)) return p < q ? -1 : 1;
  if (a->re != b->re) return a->re < b->re ? -1 : 1;
  return a->im < b->im ? -1 : a->im > b->im ? 1 : 0;
}

/* Rounding e turns k eigenvalues zero in one chain into some of size e^(1/k): the first k of a
 * sorted list are zero if their product is, against the size of the matrix. */
static void settle_zeros(value *values, int n, double size) {
  size = fmax(size, hypot(values[n - 1].re, values[n - 1].im));
  double product = 1.0;
  int count = 0;
  for (int k = 0; k < n && size > 0.0; k++) {
    const double part = hypot(values[k].re, values[k].im) / size;
    if (part > 1e-4) break;
    product *= part;
    if (product <= 1e-13) count = k + 1;
  }
  for (int k = 0; k < count; k++) values[k] = (value){0.0, 0.0};
}

/* Eigenvalues of a matrix, row by row, which is destroyed; `size` is what it was made of. */
static trm_status find_values(double *A, int n, double size, trmi_arena *arena, double *re,
                              double *im, trm_error *err) {
  if (n == 0) return TRM_OK;
  value *values = TRMI_TAKE(arena, value, n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (TRMI_LAPACK(dgeev, LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, re, im, NULL, n, NULL, n) != 0) {
    return TRMI_FAIL(err, TRM_ERR_NOT_FINITE, NULL, "eigenvalues of the linear model are not "
                     "found");
  }
  for (int i = 0; i < n; i++) values[i] = (value){re[i], im[i]};
  qsort(values, (size_t)n, sizeof *values, compare_values);
  settle_zeros(values, n, size);
  for (int i = 0; i < n; i++) re[i] = values[i].re, im[i] = values[i].im;
  return TRM_OK;
}

static trm_status poles(const trm_linear_model *m, trmi_arena *arena, double *re, double *im,
                        trm_error *err) {
  const int n = trm_linear_model_size(m);
  double *A = TRMI_TAKE(arena, double, (size_t)n * (size_t)n + 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  memcpy(A, trm_linear_model_matrices(m).A, (size_t)n * (size_t)n * sizeof *A);
  return find_values(A, n, 0.0, arena, re, im, err);
}

/* --- zeros ------------------------------------------------------------------------------------ */

/* One input, one output, with states scaled. */
typedef struct channel {
  int     n;
  double *A, *b, *c, d;
  double *rows;  /* c, c A, .. each of length one   [n n] */
} channel;

static double norm(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static double product(const double *x, const double *y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* out = row A */
static void times_A(const channel *h, const double *row, double *out) {
  const size_t n = (size_t)h->n;
  for (size_t j = 0; j < n; j++) out[j] = 0.0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) out[j] += row[i] * h->A[i * n + j];
  }
}

static trm_status open_channel(const trm_linear_model *m, int input, int output, trmi_arena *arena,
                               channel *h, trm_error *err) {
  const trm_matrices f = trm_linear_model_matrices(m);
  const size_t n = (size_t)trm_linear_model_size(m), nu = (size_t)trmi_linear_model_system(m)->n.nu;
  *h = (channel){.n = (int)n, .d = f.D[(size_t)output * nu + (size_t)input]};
  h->A = TRMI_TAKE(arena, double, n * n + 1);
  h->b = TRMI_TAKE(arena, double, n + 1);
  h->c = TRMI_TAKE(arena, double, n + 1);
  h->rows = TRMI_TAKE(arena, double, n * n + 1);
  double *scale = TRMI_TAKE(arena, double, n + 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  memcpy(h->A, f.A, n * n * sizeof *h->A);
  lapack_int low, high;
  if (n > 0) {
    (void)TRMI_LAPACK(dgebal, LAPACK_ROW_MAJOR, 'S', (lapack_int)n, h->A, (lapack_int)n, &low,
                      &high, scale);
  }
  for (size_t i = 0; i < n; i++) {
    h->b[i] = f.B[i * nu + (size_t)input] / scale[i];
    h->c[i] = f.C[(size_t)output * n + i] * scale[i];
  }
  return TRM_OK;
}

/* The rows of (2), with length one, and c A^(r-1) b over the length of the last of them; r, or -1:
 * the input has no effect. */
static int find_degree(channel *h, double *gain) {
  const int n = h->n;
  const double size_A = norm(h->A, n * n), size_b = norm(h->b, n);
  double *row = h->rows, length = norm(h->c, n);
  if (!(length > 0.0) || !(size_b > 0.0)) return -1;
  for (int i = 0; i < n; i++) row[i] = h->c[i] / length;
  for (int r = 1; r <= n; r++, row += n) {
    *gain = product(row, h->b, n);
    if (fabs(*gain) > vanishing * size_b) return r;
    if (r == n) break;
    times_A(h, row, row + n);
    length = norm(row + n, n);
    if (!(length > 1e-12 * size_A)) return -1;
    for (int i = 0; i < n; i++) row[n + i] /= length;
  }
  return -1;
}

/* A -= b row/divisor */
static void feed_back(channel *h, const double *row, double divisor) {
  const size_t n = (size_t)h->n;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) h->A[i * n + j] -= h->b[i] * row[j] / divisor;
  }
}

/* V^T A V, row by row; V has `count` columns of length n. */
static double *project(const channel *h, const double *V, int count, trmi_arena *arena) {
  const size_t n = (size_t)h->n, k = (size_t)count;
  double *small = TRMI_TAKE(arena, double, k * k + 1), *column = TRMI_TAKE(arena, double, n);
  if (small == NULL || column == NULL) return NULL;
  for (size_t j = 0; j < k; j++) {
    for (size_t i = 0; i < n; i++) column[i] = product(h->A + i * n, V + j * n, (int)n);
    for (size_t i = 0; i < k; i++) small[i * k + j] = product(V + i * n, column, (int)n);
  }
  return small;
}

static trm_status zeros(const trm_linear_model *m, int input, int output, trmi_arena *arena,
                        int *count, double *re, double *im, trm_error *err) {
  channel h;
  TRMI_TRY(err, open_channel(m, input, output, arena, &h, err));
  const int n = h.n;
  const double size = norm(h.A, n * n);
  const double around = norm(h.c, n) * norm(h.b, n) / fmax(size, 1e-300);
  if (h.d != 0.0 && fabs(h.d) > vanishing * around) { /* (1) */
    feed_back(&h, h.c, h.d);
    *count = n;
    return find_values(h.A, n, size, arena, re, im, err);
  }
  double gain = 0.0, *V = NULL;
  const int r = find_degree(&h, &gain);
  *count = -1;
  if (r < 0) return TRM_OK;
  double *last = TRMI_TAKE(arena, double, n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  times_A(&h, h.rows + (size_t)(r - 1) * (size_t)n, last);
  feed_back(&h, last, gain);
  TRMI_TRY(err, trmi_null_space(h.rows, r, n, arena, &V, count, err));
  double *small = project(&h, V, *count, arena);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  return find_values(small, *count, size, arena, re, im, err); /* (2) */
}

/* --- frequency response ----------------------------------------------------------------------- */

static trm_status respond(const trm_linear_model *m, double omega, trmi_arena *arena, double *re,
                          double *im, trm_error *err) {
  const trm_matrices f = trm_linear_model_matrices(m);
  const trm_sizes *sizes = &trmi_linear_model_system(m)->n;
  const size_t n = (size_t)trm_linear_model_size(m), nu = (size_t)sizes->nu;
  lapack_complex_double *K = TRMI_TAKE(arena, lapack_complex_double, n * n + 1);
  lapack_complex_double *X = TRMI_TAKE(arena, lapack_complex_double, n * nu + 1);
  lapack_int *pivot = TRMI_TAKE(arena, lapack_int, n + 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (size_t i = 0; i < n * n; i++) K[i] = -f.A[i];
  for (size_t i = 0; i < n; i++) K[i * n + i] += omega * I;
  for (size_t i = 0; i < n * nu; i++) X[i] = f.B[i];
  const lapack_int size = (lapack_int)n, columns = (lapack_int)nu;
  const bool is_pole = n > 0 && nu > 0 &&
                       TRMI_LAPACK(zgesv, LAPACK_ROW_MAJOR, size, columns, K, size, pivot, X,
                                   columns) > 0;
  for (size_t i = 0; i < (size_t)sizes->noutputs; i++) {
    for (size_t j = 0; j < nu; j++) {
      lapack_complex_double sum = f.D[i * nu + j];
      for (size_t k = 0; k < n; k++) sum += f.C[i * n + k] * X[k * nu + j];
      re[i * nu + j] = is_pole ? INFINITY : creal(sum);
      im[i * nu + j] = is_pole ? INFINITY : cimag(sum);
    }
  }
  return TRM_OK;
}

/* --- the interface ---------------------------------------------------------------------------- */

trm_status trm_linear_model_poles(const trm_linear_model *m, double *re, double *im,
                                  trm_error *err) {
  trmi_arena arena;
  TRMI_NEED(err, m);
  TRMI_NEED(err, re);
  TRMI_NEED(err, im);
  trmi_arena_init(&arena, trmi_linear_model_allocator(m));
  const trm_status status = poles(m, &arena, re, im, err);
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trm_linear_model_zeros(const trm_linear_model *m, int input, int output, int *count,
                                  double *re, double *im, trm_error *err) {
  trmi_arena arena;
  TRMI_NEED(err, m);
  TRMI_NEED(err, count);
  TRMI_NEED(err, re);
  TRMI_NEED(err, im);
  const trm_sizes *n = &trmi_linear_model_system(m)->n;
  if (input < 0 || input >= n->nu || output < 0 || output >= n->noutputs) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the system has %d inputs and %d outputs: there is "
                     "no input %d or output %d", n->nu, n->noutputs, input, output);
  }
  trmi_arena_init(&arena, trmi_linear_model_allocator(m));
  const trm_status status = zeros(m, input, output, &arena, count, re, im, err);
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trm_linear_model_response(const trm_linear_model *m, double omega, double *re,
                                     double *im, trm_error *err) {
  trmi_arena arena;
  TRMI_NEED(err, m);
  TRMI_NEED(err, re);
  TRMI_NEED(err, im);
  if (!isfinite(omega)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the frequency is not finite");
  }
  trmi_arena_init(&arena, trmi_linear_model_allocator(m));
  const trm_status status = respond(m, omega, &arena, re, im, err);
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}
