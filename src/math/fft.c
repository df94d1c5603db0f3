/* fft.c - radix 2, and Bluestein's algorithm for lengths that are not a power of two.
 *
 *   X_k = sum_j x_j w^(jk),  w = exp(-2 pi i / n)                             (1)
 *   jk = (j^2 + k^2 - (k - j)^2) / 2  makes (1) a convolution:
 *   X_k = c_k sum_j (x_j c_j) conj(c_(k-j)),  c_j = exp(-pi i j^2 / n)        (2)
 *
 * which is computed by three transforms of a power of two m >= 2n - 1. Angles are computed
 * individually from whole numbers reduced modulo the period, so rounding does not grow with the
 * length. */
#include "math/fft.h"
#include "core/arena.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct complex_number {
  double re, im;
} complex_number;

static complex_number product(complex_number a, complex_number b) {
  return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* exp(-2 pi i k / n) */
static complex_number unit_root(uint64_t k, uint64_t n) {
  const double angle = 2.0 * acos(-1.0) * (double)(k % n) / (double)n;
  return (complex_number){cos(angle), -sin(angle)};
}

/* Places in the order of reversed bits. */
static void reorder(complex_number *x, size_t n) {
  for (size_t i = 1, j = 0; i < n; i++) {
    size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    const complex_number kept = x[i];
    x[i] = x[j];
    x[j] = kept;
  }
}

/* (1) in place, n a power of two; roots[k] = w^k, k < n/2. */
static void transform(complex_number *x, size_t n, const complex_number *roots) {
  reorder(x, n);
  for (size_t half = 1; half < n; half *= 2) {
    const size_t stride = n / (2 * half);
    for (size_t block = 0; block < n; block += 2 * half) {
      for (size_t k = 0; k < half; k++) {
        complex_number *a = &x[block + k], *b = a + half;
        const complex_number turned = product(*b, roots[k * stride]);
        *b = (complex_number){a->re - turned.re, a->im - turned.im};
        *a = (complex_number){a->re + turned.re, a->im + turned.im};
      }
    }
  }
}

/* (2); work and kernel have m places, chirp n. */
static void bluestein(const double *x, size_t n, size_t m, complex_number *work,
                      complex_number *kernel, complex_number *chirp,
                      const complex_number *roots) {
  for (size_t j = 0; j < n; j++) {
    chirp[j] = unit_root((uint64_t)j * j % (2 * n), 2 * n);
    work[j] = (complex_number){x[j] * chirp[j].re, x[j] * chirp[j].im};
    kernel[j] = (complex_number){chirp[j].re, -chirp[j].im};
    if (j > 0) kernel[m - j] = kernel[j];
  }
  transform(work, m, roots);
  transform(kernel, m, roots);
  /* back: the transform of the conjugate is the conjugate of the inverse */
  for (size_t k = 0; k < m; k++) {
    const complex_number z = product(work[k], kernel[k]);
    work[k] = (complex_number){z.re / (double)m, -z.im / (double)m};
  }
  transform(work, m, roots);
  for (size_t k = 0; k < n; k++) {
    work[k] = product((complex_number){work[k].re, -work[k].im}, chirp[k]);
  }
}

trm_status trmi_fft_real(const double *x, size_t n, double *re, double *im,
                         const trm_allocator *allocator, trm_error *err) {
  if (n > SIZE_MAX / 256) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "%zu numbers cannot be transformed", n);
  }
  size_t m = 1;
  while (m < n) m *= 2;
  const bool is_power = m == n;
  if (!is_power) m *= 2; /* 2n - 1 <= m */
  trmi_arena arena;
  trmi_arena_init(&arena, allocator != NULL ? allocator : &(trm_allocator){0});
  complex_number *work = TRMI_TAKE(&arena, complex_number, m);
  complex_number *roots = TRMI_TAKE(&arena, complex_number, m / 2 + 1);
  complex_number *kernel = is_power ? NULL : TRMI_TAKE(&arena, complex_number, m);
  complex_number *chirp = is_power ? NULL : TRMI_TAKE(&arena, complex_number, n);
  const trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) {
    for (size_t k = 0; k < m / 2; k++) roots[k] = unit_root(k, m);
    if (is_power) {
      for (size_t j = 0; j < n; j++) work[j].re = x[j];
      transform(work, n, roots);
    } else {
      bluestein(x, n, m, work, kernel, chirp, roots);
    }
    for (size_t k = 0; k <= n / 2; k++) {
      re[k] = work[k].re;
      im[k] = work[k].im;
    }
  }
  trmi_arena_clear(&arena);
  return status;
}
