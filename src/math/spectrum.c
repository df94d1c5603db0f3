/* spectrum.c - window, transform, peaks.
 *
 *   w_j = (1 - cos(2 pi j / N)) / 2                        Hann window          (1)
 *   a_k = 2 |sum_j w_j (x_j - mean) exp(-2 pi i j k / N)| / sum w               (2)
 *
 * A sine of amplitude A and frequency (k + d) / T, |d| <= 1/2, has around its peak
 *   a_k = A sin(pi d) / (pi d (1 - d^2)),  a_(k+1) / a_k = (1 + d) / (2 - d)
 * so that the ratio r of the larger neighbour to the peak gives
 *   d = (2 r - 1) / (r + 1),  A = a_k pi d (1 - d^2) / sin(pi d)                (3)
 * both exact up to the leakage of other sines. Samples that are not evenly spaced
 * are first put on an even grid by cubic Hermite interpolation with slopes of the
 * parabola through three neighbours. */
#include "math/spectrum.h"
#include "math/fft.h"
#include <math.h>

enum { SAMPLES_MIN = 8, RESAMPLE_FACTOR = 4 };
/* Evenly spaced up to the rounding of times. */
static const double EVEN = 1e-6;
/* Smaller peaks than this part of the largest are leakage or noise. */
static const double PEAK_MIN = 0.01;
/* And smaller ones than this part of the largest number are rounding. */
static const double ROUNDING = 1e-12;

/* ---- even grid ------------------------------------------------------------ */

/* Copy without samples at the time of the one before; of two the later counts. */
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

static trm_status amplitudes(double *x, size_t n, double *a, trmi_arena *arena, trm_error *err) {
  double mean = 0.0, sum = 0.0;
  for (size_t j = 0; j < n; j++) {
    mean += window(j, n) * x[j];
    sum += window(j, n);
  }
  mean /= sum;
  for (size_t j = 0; j < n; j++) x[j] = window(j, n) * (x[j] - mean);
  double *im = TRMI_TAKE(arena, double, n / 2 + 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, trmi_fft_real(x, n, a, im, &arena->allocator, err));
  for (size_t k = 0; k <= n / 2; k++) a[k] = 2.0 * hypot(a[k], im[k]) / sum; /* (2) */
  return TRM_OK;
}

/* ---- peaks ---------------------------------------------------------------- */

static trmi_peak refine(const double *a, size_t k, double resolution) { /* (3) */
  const bool is_right = a[k + 1] > a[k - 1];
  const double r = (is_right ? a[k + 1] : a[k - 1]) / a[k];
  const double d = fmax(0.0, (2.0 * r - 1.0) / (r + 1.0));
  const double pi_d = acos(-1.0) * d;
  const double factor = d > 1e-6 ? pi_d * (1.0 - d * d) / sin(pi_d) : 1.0;
  return (trmi_peak){.frequency = ((double)k + (is_right ? d : -d)) * resolution,
                     .amplitude = a[k] * factor};
}

static void insert_peak(trmi_spectrum *s, trmi_peak peak) {
  int place = s->npeaks < TRMI_PEAKS_MAX ? s->npeaks++ : TRMI_PEAKS_MAX;
  for (; place > 0 && s->peaks[place - 1].amplitude < peak.amplitude; place--) {
    if (place < TRMI_PEAKS_MAX) s->peaks[place] = s->peaks[place - 1];
  }
  if (place < TRMI_PEAKS_MAX) s->peaks[place] = peak;
}

static void find_peaks(trmi_spectrum *s, double resolution, double size) {
  const double *a = s->amplitude;
  double least = ROUNDING * size;
  for (size_t k = 0; k < s->n; k++) least = fmax(least, PEAK_MIN * a[k]);
  for (size_t k = 1; k + 1 < s->n; k++) {
    const bool is_top = a[k] > a[k - 1] && a[k] >= a[k + 1];
    if (is_top && a[k] > least) insert_peak(s, refine(a, k, resolution));
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
                              trmi_spectrum *spectrum, trm_error *err) {
  *spectrum = (trmi_spectrum){.n = 0};
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
    /* as dense as the densest part, but not without limit */
    const double wish = ceil(span / smallest) + 1.0, most = (double)RESAMPLE_FACTOR * (double)m;
    const size_t count = (size_t)fmin(wish, most);
    double *even = TRMI_TAKE(arena, double, count);
    TRMI_TRY(err, trmi_arena_check(arena, err));
    resample(times, values, m, even, count);
    values = even;
    m = count;
    spectrum->is_resampled = true;
  }
  spectrum->samples = m;
  spectrum->n = m / 2 + 1;
  spectrum->frequency = TRMI_TAKE(arena, double, spectrum->n);
  spectrum->amplitude = TRMI_TAKE(arena, double, spectrum->n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  double size = 0.0;
  for (size_t i = 0; i < m; i++) size = fmax(size, fabs(values[i]));
  TRMI_TRY(err, amplitudes(values, m, spectrum->amplitude, arena, err));
  const double resolution = (double)(m - 1) / span / (double)m;
  for (size_t k = 0; k < spectrum->n; k++) spectrum->frequency[k] = (double)k * resolution;
  find_peaks(spectrum, resolution, size);
  return TRM_OK;
}
