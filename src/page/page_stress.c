/* page_stress.c - the stress of a run at the surface of a flexible body, by few shapes.
 *
 * With m modes of stress S [6 points][m] and amplitudes a_k at samples k, the field S a_k is
 * replaced by one of rank r <= 16 that is nearest to it in the sum of squares over all points and
 * samples. From
 *     (1)  S^T S = Q D Q^T,   y_k = D^1/2 Q^T a_k,  so that |y_k| = |S a_k|,
 *     (2)  sum_k y_k y_k^T = W L W^T,   L descending,
 * follow r shapes and what their amplitudes are:
 *     (3)  S a ~ (S P) b,   P = Q D^-1/2 W_r,   b = B a,   B = W_r^T D^1/2 Q^T.
 * r is the smallest with  sum_{i>r} L_i <= (1e-4)^2 sum L_i. The page holds S P and B; of surfaces
 * whose modes of displacement F would be too large for it also F P in place of F. */
#include "page/page_internal.h"
#include "core/arena.h"
#include "fem/fields.h"
#include "trammel/stress.h"
#include <math.h>

enum { BLOCK = 256, COMPARED = 50 };

static const double lost = 1e-4; /* of the root of the sum of squares */

/* A += row row^T, upper triangle by columns. */
static void add_square(double *A, const double *row, int m) {
  for (int j = 0; j < m; j++) {
    const double factor = row[j];
    double *column = A + (size_t)j * (size_t)m;
    for (int i = 0; i <= j; i++) column[i] += factor * row[i];
  }
}

/* The scratch of a body. */
typedef struct stress_work {
  const trm_flexible_surface *surface;
  trm_run *run;
  trm_run_amplitudes at;
  int      m;      /* modes and heat */
  double  *Q, *D;  /* (1) [m m], [m]; of D its root */
  double  *W, *L;  /* (2) [m m], [m] */
  double  *block;  /* amplitudes [BLOCK m] */
  double  *row;    /* [m] */
} stress_work;

/* (1) */
static trm_status find_metric(stress_work *w, trmi_arena *arena, trm_error *err) {
  const size_t rows = 6 * (size_t)w->surface->points;
  for (size_t i = 0; i < rows; i++) {
    const float *from = w->surface->stress + i * (size_t)w->m;
    for (int k = 0; k < w->m; k++) w->row[k] = (double)from[k];
    add_square(w->Q, w->row, w->m);
  }
  TRMI_TRY(err, trmi_fields_eigen(arena, w->m, w->Q, w->D, err));
  const double largest = w->D[w->m - 1];
  for (int k = 0; k < w->m; k++) {
    /* modes without stress of their own: rounding in single precision */
    w->D[k] = w->D[k] > 1e-12 * largest ? sqrt(w->D[k]) : 0.0;
  }
  return TRM_OK;
}

/* y of (1), of amplitudes a. */
static void weigh(const stress_work *w, const double *a, double *y) {
  for (int k = 0; k < w->m; k++) {
    const double *q = w->Q + (size_t)k * (size_t)w->m;
    double sum = 0.0;
    for (int i = 0; i < w->m; i++) sum += q[i] * a[i];
    y[k] = w->D[k] * sum;
  }
}

/* (2) */
static trm_status find_shapes(stress_work *w, trmi_arena *arena, trm_error *err) {
  const long n = trm_run_info_of(w->run)->nsamples;
  for (long first = 0; first < n; first += BLOCK) {
    const long count = n - first < BLOCK ? n - first : BLOCK;
    TRMI_TRY(err, trm_run_read_amplitudes(w->run, &w->at, first, count, w->block, err));
    for (long k = 0; k < count; k++) {
      weigh(w, w->block + k * w->m, w->row);
      add_square(w->W, w->row, w->m);
    }
  }
  return trmi_fields_eigen(arena, w->m, w->W, w->L, err);
}

static int find_rank(const stress_work *w) {
  double total = 0.0, tail = 0.0;
  int rank = w->m;
  for (int k = 0; k < w->m; k++) total += fmax(w->L[k], 0.0);
  for (int k = 0; k < w->m - 1; k++) { /* ascending */
    tail += fmax(w->L[k], 0.0);
    if (tail > lost * lost * total) break;
    rank--;
  }
  return rank < TRMI_PAGE_RANK_MOST ? rank : TRMI_PAGE_RANK_MOST;
}

/* (3) */
static void make_shapes(const stress_work *w, double *P, trmi_page_stress *out) {
  const int m = w->m;
  for (int r = 0; r < out->rank; r++) {
    const double *shape = w->W + (size_t)(m - 1 - r) * (size_t)m;
    for (int i = 0; i < m; i++) {
      double sum_p = 0.0, sum_b = 0.0;
      for (int k = 0; k < m; k++) {
        const double q = w->Q[(size_t)k * (size_t)m + (size_t)i];
        if (w->D[k] > 0.0) sum_p += q / w->D[k] * shape[k];
        sum_b += q * w->D[k] * shape[k];
      }
      P[i * out->rank + r] = sum_p;
      out->map[r * m + i] = sum_b;
    }
  }
}

/* Rows of `count` numbers times the first rows of P. */
static void combine(const double *P, const float *modes, int count, size_t rows,
                    const trmi_page_stress *out, float *to) {
  for (size_t row = 0; row < rows; row++) {
    const float *from = modes + row * (size_t)count;
    for (int r = 0; r < out->rank; r++) {
      double sum = 0.0;
      for (int i = 0; i < count; i++) sum += (double)from[i] * P[i * out->rank + r];
      to[row * (size_t)out->rank + (size_t)r] = (float)sum;
    }
  }
}

static double product(const float *row, const double *amplitudes, int count) {
  double sum = 0.0;
  for (int k = 0; k < count; k++) sum += (double)row[k] * amplitudes[k];
  return sum;
}

static double mises_of(const float *rows, const double *amplitudes, int count) {
  double s[6];
  for (int i = 0; i < 6; i++) s[i] = product(rows + i * count, amplitudes, count);
  return trm_mises(s);
}

/* Largest number so far, and largest error of it. */
typedef struct deviation {
  double largest, error;
} deviation;

static void deviate(deviation *d, double whole, double part) {
  d->largest = fmax(d->largest, fabs(whole));
  d->error = fmax(d->error, fabs(whole - part));
}

static double relative(const deviation *d) {
  return d->largest > 0.0 ? d->error / d->largest : 0.0;
}

/* Largest errors of stress and displacement at some instants, over the largest at them. */
static trm_status compare(const stress_work *w, trmi_page_stress *out, trm_error *err) {
  const long n = trm_run_info_of(w->run)->nsamples, count = n < COMPARED ? n : COMPARED;
  const size_t m = (size_t)w->m, modes = (size_t)w->surface->modes, rank = (size_t)out->rank;
  double b[TRMI_PAGE_RANK_MOST];
  deviation stress = {0.0, 0.0}, displacement = {0.0, 0.0};
  for (long i = 0; i < count; i++) {
    const long k = count > 1 ? i * (n - 1) / (count - 1) : 0;
    TRMI_TRY(err, trm_run_read_amplitudes(w->run, &w->at, k, 1, w->block, err));
    for (int r = 0; r < out->rank; r++) {
      b[r] = 0.0;
      for (int j = 0; j < w->m; j++) b[r] += out->map[r * w->m + j] * w->block[j];
    }
    for (int p = 0; p < w->surface->points; p++) {
      const size_t row = 6 * (size_t)p;
      deviate(&stress, mises_of(w->surface->stress + row * m, w->block, w->m),
              mises_of(out->modes + row * rank, b, out->rank));
    }
    for (size_t row = 0; row < 3 * (size_t)w->surface->points; row++) {
      const float *whole = w->surface->displacement + row * modes;
      deviate(&displacement, product(whole, w->block, w->surface->modes),
              product(out->displacement + row * rank, b, out->rank));
    }
  }
  out->error = relative(&stress);
  out->displacement_error = relative(&displacement);
  return TRM_OK;
}

trm_status trmi_page_stress_of(const trm_flexible_surface *surface, trm_run *run,
                               const trm_run_amplitudes *at, trmi_arena *arena,
                               trmi_page_stress *out, trm_error *err) {
  const size_t m = (size_t)surface->columns, points = (size_t)surface->points;
  stress_work w = {.surface = surface, .run = run, .at = *at, .m = surface->columns,
                   .Q = TRMI_TAKE(arena, double, m * m), .D = TRMI_TAKE(arena, double, m),
                   .W = TRMI_TAKE(arena, double, m * m), .L = TRMI_TAKE(arena, double, m),
                   .block = TRMI_TAKE(arena, double, BLOCK * m),
                   .row = TRMI_TAKE(arena, double, m)};
  double *P = TRMI_TAKE(arena, double, m * TRMI_PAGE_RANK_MOST);
  out->map = TRMI_TAKE(arena, double, m * TRMI_PAGE_RANK_MOST);
  out->modes = TRMI_TAKE(arena, float, 6 * points * TRMI_PAGE_RANK_MOST);
  out->displacement = TRMI_TAKE(arena, float, 3 * points * TRMI_PAGE_RANK_MOST);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, find_metric(&w, arena, err));
  TRMI_TRY(err, find_shapes(&w, arena, err));
  out->rank = find_rank(&w);
  make_shapes(&w, P, out);
  combine(P, surface->stress, w.m, 6 * points, out, out->modes);
  combine(P, surface->displacement, surface->modes, 3 * points, out, out->displacement);
  return compare(&w, out, err);
}
