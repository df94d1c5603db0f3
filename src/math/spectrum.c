/* spectrum.c - window, transform, peaks.
 *
 *   w_j = (1 - cos(2 pi j / N)) / 2                        Hann window          (1)
 *   a_k = 2 |sum_j w_j (x_j - mean) exp(-2 pi i j k / N)| / sum w               (2)
 *
 * computed at lines at most 1 / (2 T) apart, by zero padding. Peaks are the tops of parabolas
 * through the logarithms of three lines. A sine of amplitude A also makes smaller tops, d lines of
 * 1 / T away from it, that are no sines themselves; they stay below
 *
 *   A / (pi d (d^2 - 1)),  d > 1                                                 (3)
 *
 * Samples that are not evenly spaced are first put on an even grid by cubic Hermite
 * interpolation with slopes of the parabola through three neighbours. */
#include "math/spectrum.h"
#include "math/fft.h"
#include <math.h>

enum { SAMPLES_MIN = 8, RESAMPLE_FACTOR = 4, FINER_MAX = 65536 };
/* Evenly spaced up to the rounding of times. */
static const double EVEN = 1e-6;
/* Smaller peaks than this part of the largest are leakage or noise. */
static const double PEAK_MIN = 0.01;
/* And smaller ones than this part of the largest number are rounding. */
static const double ROUNDING = 1e-12;

/* ---- even grid ------------------------------------------------------------ */

/* Copy without repeated times; of two samples at one time the later counts. */
static size_t drop_doubles(const double *t, const double *x, size_t n, double *t_out,
                           double *x_out) {
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    if (m > 0 && !(t[i] > t_out[m - 1])) m--;
    t_out[m] = t[i];
    x_out[m++] = x[i];
  }
  return m;
}

static bool is_even(const double *t, size_t n, double *smallest) {
  const double h = (t[n - 1] - t[0]) / (double)(n - 1);
  bool even = true;
  *smallest = h;
  for (size_t i = 0; i < n; i++) {
    if (!(fabs(t[i] - (t[0] + (double)i * h)) <= EVEN * h)) even = false;
    if (i > 0) *smallest = fmin(*smallest, t[i] - t[i - 1]);
  }
  return even;
}

/* Slope at i of the parabola through i and its neighbours. */
static double slope(const double *t, const double *x, size_t n, size_t i) {
  const size_t mid = i == 0 ? 1 : i == n - 1 ? n - 2 : i;
  const double h0 = t[mid] - t[mid - 1], h1 = t[mid + 1] - t[mid];
  const double s0 = (x[mid] - x[mid - 1]) / h0, s1 = (x[mid + 1] - x[mid]) / h1;
  const double curve = (s1 - s0) / (h0 + h1);
  return s0 + curve * (2.0 * t[i] - t[mid - 1] - t[mid]);
}

static void resample(const double *t, const double *x, size_t n, double *out, size_t count) {
  size_t i = 0;
  for (size_t k = 0; k < count; k++) {
    const double at = t[0] + (t[n - 1] - t[0]) * ((double)k / (double)(count - 1));
    while (i + 2 < n && at > t[i + 1]) i++;
    const double h = t[i + 1] - t[i], s = fmin(1.0, (at - t[i]) / h), r = 1.0 - s;
    out[k] = x[i] * r * r * (1 + 2 * s) + x[i + 1] * s * s * (1 + 2 * r) +
             h * s * r * (r * slope(t, x, n, i) - s * slope(t, x, n, i + 1));
  }
}

/* ---- transform ------------------------------------------------------------ */

static double window(size_t j, size_t n) { /* (1) */
  return 0.5 - 0.5 * cos(2.0 * acos(-1.0) * (double)j / (double)n);
}

/* Apply the window to the samples minus their mean. */
static void apply_window(double *x, size_t n) {
  double mean = 0.0, sum = 0.0;
  for (size_t j = 0; j < n; j++) {
    mean += window(j, n) * x[j];
    sum += window(j, n);
  }
  mean /= sum;
  for (size_t j = 0; j < n; j++) x[j] = 2.0 / sum * window(j, n) * (x[j] - mean);
}

/* (2) of `n` samples and zeros up to `lines`. */
static trm_status amplitudes(const double *x, size_t n, size_t lines, double *a,
                             trmi_arena *arena, trm_error *err) {
  double *padded = TRMI_TAKE(arena, double, lines), *im = TRMI_TAKE(arena, double, lines / 2 + 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (size_t j = 0; j < n; j++) padded[j] = x[j];
  TRMI_TRY(err, trmi_fft_real(padded, lines, a, im, &arena->allocator, err));
  for (size_t k = 0; k <= lines / 2; k++) a[k] = hypot(a[k], im[k]);
  return TRM_OK;
}

static size_t lines_of(size_t n) {
  size_t lines = 1;
  while (lines < (n <= FINER_MAX ? 4 : 2) * n) lines *= 2;
  return lines;
}

/* ---- peaks ---------------------------------------------------------------- */

static trm_peak refine(const double *a, size_t k, double spacing) {
  const double left = log(a[k - 1]), top = log(a[k]), right = log(a[k + 1]);
  const double bend = left - 2.0 * top + right;
  const double d = bend < 0.0 ? 0.5 * (left - right) / bend : 0.0;
  return (trm_peak){.frequency = ((double)k + d) * spacing,
                     .amplitude = exp(top - 0.25 * (left - right) * d)};
}

/* A side lobe of a larger peak, or the peak itself again. */
static bool belongs_to(double amplitude, double frequency, const trm_peak *peak, double line) {
  const double d = fabs(frequency - peak->frequency) / line;
  const double most = d > 1.0 ? peak->amplitude / (acos(-1.0) * d * (d * d - 1.0)) : INFINITY;
  return amplitude < 1.5 * most; /* (3), with room for the tails of other peaks */
}

/* The largest top that is a peak of its own, 0 if there is none. */
static size_t next_peak(const trm_spectrum *s, double least, double line) {
  const double *a = s->amplitude;
  size_t best = 0;
  for (size_t k = 1; k + 1 < s->n; k++) {
    const bool is_top = a[k] > a[k - 1] && a[k] >= a[k + 1];
    if (!is_top || !(a[k] > least) || (best > 0 && a[k] <= a[best])) continue;
    bool is_own = true;
    for (int i = 0; i < s->npeaks && is_own; i++) {
      is_own = !belongs_to(a[k], s->frequency[k], &s->peaks[i], line);
    }
    if (is_own) best = k;
  }
  return best;
}

static void find_peaks(trm_spectrum *s, double line, double size) {
  double least = ROUNDING * size;
  for (size_t k = 0; k < s->n; k++) least = fmax(least, PEAK_MIN * s->amplitude[k]);
  while (s->npeaks < TRM_PEAKS_MAX) {
    const size_t k = next_peak(s, least, line);
    if (k == 0) return;
    s->peaks[s->npeaks++] = refine(s->amplitude, k, s->frequency[1]);
  }
}

/* ---- entry ---------------------------------------------------------------- */

static trm_status check(const double *t, const double *x, size_t n, trm_error *err) {
  for (size_t i = 0; i < n; i++) {
    if (isfinite(t[i]) && isfinite(x[i]) && !(i > 0 && t[i] < t[i - 1])) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "sample %zu of %zu is not a finite number or not in order of time", i + 1, n);
  }
  return TRM_OK;
}

trm_status trmi_spectrum_make(const double *t, const double *x, size_t n, trmi_arena *arena,
                              trm_spectrum *spectrum, trm_error *err) {
  *spectrum = (trm_spectrum){.n = 0};
  TRMI_TRY(err, check(t, x, n, err));
  double *times = TRMI_TAKE(arena, double, n), *values = TRMI_TAKE(arena, double, n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  size_t m = drop_doubles(t, x, n, times, values);
  if (m < SAMPLES_MIN) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "%zu samples at different times are too few for a spectrum: it needs %d", m,
                     SAMPLES_MIN);
  }
  const double span = times[m - 1] - times[0];
  double smallest;
  if (!is_even(times, m, &smallest)) {
    /* as dense as the densest part, up to a limit */
    const double wish = ceil(span / smallest) + 1.0, most = (double)RESAMPLE_FACTOR * (double)m;
    const size_t count = (size_t)fmin(wish, most);
    double *even = TRMI_TAKE(arena, double, count);
    TRMI_TRY(err, trmi_arena_check(arena, err));
    resample(times, values, m, even, count);
    values = even;
    m = count;
    spectrum->is_resampled = true;
  }
  const size_t lines = lines_of(m);
  spectrum->samples = m;
  spectrum->n = lines / 2 + 1;
  spectrum->frequency = TRMI_TAKE(arena, double, spectrum->n);
  spectrum->amplitude = TRMI_TAKE(arena, double, spectrum->n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  double size = 0.0;
  for (size_t i = 0; i < m; i++) size = fmax(size, fabs(values[i]));
  apply_window(values, m);
  TRMI_TRY(err, amplitudes(values, m, lines, spectrum->amplitude, arena, err));
  const double rate = (double)(m - 1) / span;
  for (size_t k = 0; k < spectrum->n; k++) {
    spectrum->frequency[k] = (double)k * rate / (double)lines;
  }
  find_peaks(spectrum, rate / (double)m, size);
  return TRM_OK;
}

/* ---- public --------------------------------------------------------------------- */

/* A spectrum with the memory it lives in. */
typedef struct owned {
  trm_spectrum spectrum; /* first */
  trmi_arena   arena;
} owned;

trm_status trm_spectrum_create(const double *t, const double *x, size_t n,
                               const trm_allocator *allocator, trm_spectrum **spectrum,
                               trm_error *err) {
  TRMI_NEED(err, spectrum);
  const trm_allocator none = {0};
  trmi_arena arena;
  *spectrum = NULL;
  TRMI_NEED(err, t, x);
  trmi_arena_init(&arena, allocator != NULL ? allocator : &none);
  owned *o = TRMI_TAKE(&arena, owned, 1);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) status = trmi_spectrum_make(t, x, n, &arena, &o->spectrum, err);
  if (status != TRM_OK) {
    trmi_arena_clear(&arena);
    return status;
  }
  o->arena = arena;
  *spectrum = &o->spectrum;
  return TRM_OK;
}

void trm_spectrum_free(trm_spectrum *spectrum) {
  if (spectrum == NULL) return;
  trmi_arena arena = ((owned *)spectrum)->arena; /* the spectrum itself is in it */
  trmi_arena_clear(&arena);
}
