/* linear_response.c - poles, zeros and frequency response of a linear model y' = A y + b u,
 * z = c y + d u.
 *
 * Poles are the eigenvalues of A. Zeros are the motions that an input can excite while the output
 * stays zero. With d they belong to u = -c y/d,
 *   y' = (A - b c/d) y                                                                     (1)
 * Without d, c y remains zero. A reflection H maps c to a multiple of the last unit vector: the
 * last of the states H y is then zero, and its rate is the output of a system with one state less,
 *   A, b, c, d <- (H A H)_11, (H b)_1, (H A H)_21, (H b)_2                                 (2)
 * until there is a d, or no output is left [EmamiNaeiniVanDooren]. The pencil [A - s, b; c, d] has
 * the same zeros, but its infinite eigenvalues come out finite in floating point.
 *
 * Rounding e turns k zero eigenvalues in one chain into some of size e^(1/k), and eigenvalues that
 * are small relative to others have that size as well. So zeros are removed first: where A P = Q R
 * has rank r by QR with column pivoting, Q2^T A = 0 and
 *   Q^T A Q = [Q1^T A Q1, Q1^T A Q2; 0, 0]                                                 (3)
 * has n - r eigenvalues zero, and those of Q1^T A Q1, to which the same applies. States are scaled
 * first so that rows and columns of [A, b; c, 0] have about the same size. */
#include "analysis/linear_model.h"
#include "analysis/linearize.h"
#include "core/gate.h"
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bound of zero relative to the sizes of factors, and in (3) relative to the largest column:
 * outputs are accurate to 1e-12. */
static const double vanishing = 1e-11, singular = 1e-12;

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

/* (3) once, for an n x n matrix column by column; F, T, tau and pivot are work space. Returns the
 * rank against `size`, zero: the largest column. */
static int deflate_once(double *A, int n, double *size, double *F, double *T, double *tau,
                        lapack_int *pivot, double *work, int lwork) {
  const size_t m = (size_t)n;
  memcpy(F, A, m * m * sizeof *F);
  memset(pivot, 0, m * sizeof *pivot);
  (void)TRMI_LAPACK(dgeqp3_work, LAPACK_COL_MAJOR, n, n, F, n, pivot, tau, work, lwork);
  if (*size == 0.0) *size = fabs(F[0]);
  int rank = 0;
  while (rank < n && fabs(F[(size_t)rank * (m + 1)]) > singular * *size) rank++;
  if (rank == n || rank == 0) return rank;
  const size_t r = (size_t)rank;
  memset(T, 0, r * m * sizeof *T); /* Q1^T A = R1 P^T */
  for (size_t j = 0; j < m; j++) {
    for (size_t i = 0; i < r && i <= j; i++) T[(size_t)(pivot[j] - 1) * r + i] = F[j * m + i];
  }
  (void)TRMI_LAPACK(dorgqr_work, LAPACK_COL_MAJOR, n, rank, rank, F, n, tau, work, lwork);
  for (size_t j = 0; j < r; j++) {
    for (size_t i = 0; i < r; i++) {
      double sum = 0.0;
      for (size_t k = 0; k < m; k++) sum += T[k * r + i] * F[j * m + k];
      A[j * r + i] = sum;
    }
  }
  return rank;
}

/* (3) until the rest is regular; returns its size. */
static trm_status deflate(double *A, int n, trmi_arena *arena, int *rest, trm_error *err) {
  const size_t m = (size_t)n;
  const int lwork = 64 * (n + 1);
  double *F = TRMI_TAKE(arena, double, m * m), *T = TRMI_TAKE(arena, double, m * m);
  double *tau = TRMI_TAKE(arena, double, m), *work = TRMI_TAKE(arena, double, lwork);
  lapack_int *pivot = TRMI_TAKE(arena, lapack_int, m);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  double size = 0.0;
  *rest = n;
  while (*rest > 0) {
    const int rank = deflate_once(A, *rest, &size, F, T, tau, pivot, work, lwork);
    if (rank == *rest) break;
    *rest = rank;
  }
  return TRM_OK;
}

/* Eigenvalues of a matrix, which is destroyed, row by row or column by column. */
static trm_status find_values(double *A, int n, trmi_arena *arena, double *re, double *im,
                              trm_error *err) {
  if (n == 0) return TRM_OK;
  value *values = TRMI_TAKE(arena, value, n);
  double *scale = TRMI_TAKE(arena, double, n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  lapack_int low, high;
  int rest = n;
  (void)TRMI_LAPACK(dgebal, LAPACK_COL_MAJOR, 'S', n, A, n, &low, &high, scale);
  TRMI_TRY(err, deflate(A, n, arena, &rest, err));
  for (int i = 0; i < n; i++) re[i] = im[i] = 0.0;
  if (rest > 0 && TRMI_LAPACK(dgeev, LAPACK_COL_MAJOR, 'N', 'N', rest, A, rest, re, im, NULL, rest,
                              NULL, rest) != 0) {
    return TRMI_FAIL(err, TRM_ERR_NOT_FINITE, NULL, "eigenvalues of the linear model are not "
                     "found");
  }
  for (int i = 0; i < n; i++) values[i] = (value){re[i], im[i]};
  qsort(values, (size_t)n, sizeof *values, compare_values);
  for (int i = 0; i < n; i++) re[i] = values[i].re, im[i] = values[i].im;
  return TRM_OK;
}

static trm_status poles(const trm_linear_model *m, trmi_arena *arena, double *re, double *im,
                        trm_error *err) {
  const int n = trm_linear_model_size(m);
  double *A = TRMI_TAKE(arena, double, (size_t)n * (size_t)n + 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  memcpy(A, trm_linear_model_matrices(m).A, (size_t)n * (size_t)n * sizeof *A);
  return find_values(A, n, arena, re, im, err);
}

/* --- zeros ------------------------------------------------------------------------------------ */

/* One input, one output, with states scaled. */
typedef struct channel {
  int     n;     /* remaining states                                  */
  int     width; /* of a row of A                                     */
  double *A, *b, *c, d;
  double *mirror; /* of (2), and work space                 [n] each  */
  double *work;
} channel;

static double norm(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* x times `wanted` over its norm; returns the factor, 0: x is zero. */
static double normalize(double *x, int n, double wanted) {
  const double size = norm(x, n);
  if (!(size > 0.0)) return 0.0;
  for (int i = 0; i < n; i++) x[i] *= wanted / size;
  return wanted / size;
}

/* Scale b and c to the size of A, then scale the whole. */
static trm_status open_channel(const trm_linear_model *m, int input, int output, trmi_arena *arena,
                               channel *h, trm_error *err) {
  const trm_matrices f = trm_linear_model_matrices(m);
  const size_t n = (size_t)trm_linear_model_size(m), nu = (size_t)trmi_linear_model_system(m)->n.nu;
  const size_t w = n + 1;
  *h = (channel){.n = (int)n, .width = (int)w, .d = f.D[(size_t)output * nu + (size_t)input]};
  double *all = TRMI_TAKE(arena, double, w * w), *scale = TRMI_TAKE(arena, double, w);
  h->b = TRMI_TAKE(arena, double, w);
  h->c = TRMI_TAKE(arena, double, w);
  h->mirror = TRMI_TAKE(arena, double, w);
  h->work = TRMI_TAKE(arena, double, w);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (size_t i = 0; i < n; i++) {
    memcpy(all + i * w, f.A + i * n, n * sizeof *all);
    h->b[i] = f.B[i * nu + (size_t)input];
    h->c[i] = f.C[(size_t)output * n + i];
  }
  const double size = fmax(norm(f.A, (int)(n * n)), 1e-300);
  h->d *= normalize(h->b, (int)n, size) * normalize(h->c, (int)n, size);
  if (h->d == 0.0) h->d = f.D[(size_t)output * nu + (size_t)input]; /* no b or no c: it alone */
  for (size_t i = 0; i < n; i++) all[i * w + n] = h->b[i], all[n * w + i] = h->c[i];
  lapack_int low, high;
  (void)TRMI_LAPACK(dgebal, LAPACK_ROW_MAJOR, 'S', (lapack_int)w, all, (lapack_int)w, &low, &high,
                    scale);
  for (size_t i = 0; i < n; i++) h->b[i] = all[i * w + n], h->c[i] = all[n * w + i];
  h->A = all;
  return TRM_OK;
}

/* (2): c has the length `length`. */
static void reduce(channel *h, double length) {
  const size_t n = (size_t)h->n, w = (size_t)h->width;
  double *v = h->mirror, square = 0.0;
  for (size_t i = 0; i < n; i++) v[i] = h->c[i] / length;
  v[n - 1] += copysign(1.0, v[n - 1]);
  for (size_t i = 0; i < n; i++) square += v[i] * v[i];
  const double factor = 2.0 / square; /* H = 1 - factor v v^T */
  for (int side = 0; side < 2; side++) { /* A H, then H A */
    const size_t along = side == 0 ? 1 : w, across = side == 0 ? w : 1;
    for (size_t i = 0; i < n; i++) {
      double sum = 0.0;
      for (size_t k = 0; k < n; k++) sum += h->A[i * across + k * along] * v[k];
      h->work[i] = factor * sum;
    }
    for (size_t i = 0; i < n; i++) {
      for (size_t k = 0; k < n; k++) h->A[i * across + k * along] -= h->work[i] * v[k];
    }
  }
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += v[i] * h->b[i];
  for (size_t i = 0; i < n; i++) h->b[i] -= factor * sum * v[i];
  for (size_t i = 0; i + 1 < n; i++) h->c[i] = h->A[(n - 1) * w + i];
  h->d = h->b[n - 1];
  h->n--;
}

/* (2) until there is a d; false: the input has no effect on the output. */
static bool find_feedthrough(channel *h) {
  const int n = h->n;
  double size = 0.0;
  for (int i = 0; i < n; i++) size = hypot(size, norm(h->A + (size_t)i * (size_t)h->width, n));
  double size_b = norm(h->b, n), size_c = norm(h->c, n);
  if (h->d != 0.0 && fabs(h->d) * size > vanishing * size_c * size_b) return true;
  const double least = singular * fmax(size, size_c);
  while (h->n > 0 && size_c > least && size_b > 0.0) {
    reduce(h, size_c);
    if (fabs(h->d) > vanishing * size_b) return true;
    size_b = norm(h->b, h->n);
    size_c = norm(h->c, h->n);
  }
  return false;
}

static trm_status zeros(const trm_linear_model *m, int input, int output, trmi_arena *arena,
                        int *count, double *re, double *im, trm_error *err) {
  channel h;
  TRMI_TRY(err, open_channel(m, input, output, arena, &h, err));
  *count = -1;
  if (!find_feedthrough(&h)) return TRM_OK;
  const size_t n = (size_t)h.n, w = (size_t)h.width;
  double *closed = TRMI_TAKE(arena, double, n * n + 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) closed[i * n + j] = h.A[i * w + j] - h.b[i] * h.c[j] / h.d;
  }
  *count = h.n;
  return find_values(closed, h.n, arena, re, im, err); /* (1) */
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
