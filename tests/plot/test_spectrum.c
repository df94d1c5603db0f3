/* test_spectrum.c - the Fourier transform against its definition, and spectra of sines
 * whose frequencies and amplitudes are known. */
#include "check.h"
#include "math/fft.h"
#include "math/spectrum.h"
#include "unit/kit.h"

static const double PI = 3.14159265358979323846;

/* ---- transform -------------------------------------------------------------- */

static void compare_with_definition(size_t n) {
  trm_error err;
  uint64_t seed = n;
  double *x = calloc(n, sizeof *x), *re = calloc(n, sizeof *re), *im = calloc(n, sizeof *im);
  for (size_t j = 0; j < n; j++) x[j] = kit_random(&seed);
  CHECK_OK(trmi_fft_real(x, n, re, im, NULL, &err), err);
  for (size_t k = 0; k <= n / 2; k++) {
    double a = 0, b = 0;
    for (size_t j = 0; j < n; j++) {
      const double angle = 2 * PI * (double)(j * k % n) / (double)n;
      a += x[j] * cos(angle);
      b -= x[j] * sin(angle);
    }
    /* rounding: n terms of size one, each transform loses a few digits more */
    CHECK_NEAR(re[k], a, 2e-15 * (double)n + 1e-15, "re of %zu in %zu", k, n);
    CHECK_NEAR(im[k], b, 2e-15 * (double)n + 1e-15, "im of %zu in %zu", k, n);
  }
  free(x);
  free(re);
  free(im);
}

static void transform_is_that_of_the_definition(void **state) {
  (void)state;
  for (size_t n = 1; n <= 40; n++) compare_with_definition(n);
  const size_t more[] = {64, 97, 100, 127, 128, 129, 255, 256, 360, 1000, 1024};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) compare_with_definition(more[i]);
}

static void squares_of_a_long_transform_have_the_same_sum(void **state) {
  (void)state;
  trm_error err;
  const size_t n = 1000003; /* prime: the way by convolution */
  uint64_t seed = 5;
  double *x = calloc(n, sizeof *x), *re = calloc(n, sizeof *re), *im = calloc(n, sizeof *im);
  double in = 0, out = 0;
  for (size_t j = 0; j < n; j++) x[j] = kit_random(&seed), in += x[j] * x[j];
  CHECK_OK(trmi_fft_real(x, n, re, im, NULL, &err), err);
  for (size_t k = 0; k <= n / 2; k++) {
    out += (k == 0 ? 1 : 2) * (re[k] * re[k] + im[k] * im[k]) / (double)n;
  }
  CHECK_NEAR(out / in, 1, 1e-12, "Parseval"); /* rounding of a million terms */
  free(x);
  free(re);
  free(im);
}

/* ---- spectra ------------------------------------------------------------------ */

enum { SAMPLES = 1501 };

/* A time of sample i: even, or moved about by up to 0.4 of the distance. */
static double time_of(int i, double irregular, uint64_t *seed) {
  const double jitter = i == 0 || i == SAMPLES - 1 ? 0 : 0.4 * irregular * kit_random(seed);
  return 0.002 * (i + jitter);
}

static void check_two_sines(double irregular, double tol_frequency, double tol_amplitude) {
  trm_error err;
  static double t[SAMPLES], x[SAMPLES];
  uint64_t seed = 7;
  for (int i = 0; i < SAMPLES; i++) {
    t[i] = time_of(i, irregular, &seed);
    x[i] = 7 + 0.5 * sin(2 * PI * 12.34 * t[i] + 0.3) + 0.03 * cos(2 * PI * 57.1 * t[i]);
  }
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trm_spectrum s;
  CHECK_OK(trmi_spectrum_make(t, x, SAMPLES, &arena, &s, &err), err);
  assert_int_equal(s.is_resampled, irregular > 0);
  assert_true(s.npeaks >= 2);
  CHECK_NEAR(s.peaks[0].frequency, 12.34, tol_frequency, "first peak");
  CHECK_NEAR(s.peaks[0].amplitude, 0.5, tol_amplitude, "first amplitude");
  CHECK_NEAR(s.peaks[1].frequency, 57.1, tol_frequency, "second peak");
  CHECK_NEAR(s.peaks[1].amplitude, 0.03, tol_amplitude, "second amplitude");
  /* the mean does not leak into the lowest frequencies */
  assert_true(s.amplitude[0] < 1e-3 && s.amplitude[1] < 1e-3);
  CHECK_NEAR(s.frequency[s.n - 1], 0.5 * (double)(s.samples - 1) / 3.0, 1e-9, "last frequency");
  double largest = 0, at = 0;
  for (size_t k = 0; k < s.n; k++) {
    if (s.amplitude[k] > largest) largest = s.amplitude[k], at = s.frequency[k];
  }
  CHECK_NEAR(largest, 0.5, 0.02, "top of the curve"); /* an eighth of a line beside the peak */
  CHECK_NEAR(at, 12.34, 0.125 / 3 + 1e-3, "its frequency");
  trmi_arena_clear(&arena);
}

static void peaks_are_at_the_frequencies_of_the_sines(void **state) {
  (void)state;
  /* leakage of one sine into the peak of the other, far below the distance 1/3 Hz of lines */
  check_two_sines(0, 2e-4, 1e-4);
}

static void uneven_samples_are_put_on_an_even_grid(void **state) {
  (void)state;
  /* interpolation: h^4 w^4 / 384 of each sine, h = 0.0036 s at most */
  check_two_sines(1, 2e-3, 2e-3);
}

static void frequency_is_found_anywhere_between_two_lines(void **state) {
  (void)state;
  trm_error err;
  static double t[400], x[400];
  for (int k = 0; k <= 20; k++) {
    const double f = 5.0 + 0.05 * k;
    for (int i = 0; i < 400; i++) t[i] = i / 100.0, x[i] = 2 * sin(2 * PI * f * t[i] + 1);
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    trm_spectrum s;
    CHECK_OK(trmi_spectrum_make(t, x, 400, &arena, &s, &err), err);
    /* leakage of the negative frequency, (1/40)^3 of a line of 1/4 Hz */
    CHECK_NEAR(s.peaks[0].frequency, f, 1e-4, "frequency");
    CHECK_NEAR(s.peaks[0].amplitude, 2, 1e-3, "amplitude");
    trmi_arena_clear(&arena);
  }
}

static void what_has_no_spectrum_gets_a_sentence(void **state) {
  (void)state;
  trm_error err;
  double t[20], x[20];
  for (int i = 0; i < 20; i++) t[i] = i, x[i] = i % 3;
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trm_spectrum s;
  CHECK_STATUS(trmi_spectrum_make(t, x, 7, &arena, &s, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "7 samples"));
  x[5] = NAN;
  CHECK_STATUS(trmi_spectrum_make(t, x, 20, &arena, &s, &err), TRM_ERR_INPUT);
  x[5] = 0, t[7] = 3;
  CHECK_STATUS(trmi_spectrum_make(t, x, 20, &arena, &s, &err), TRM_ERR_INPUT);
  for (int i = 0; i < 20; i++) t[i] = 1;
  CHECK_STATUS(trmi_spectrum_make(t, x, 20, &arena, &s, &err), TRM_ERR_INPUT);
  /* a constant has no peak */
  for (int i = 0; i < 20; i++) t[i] = i, x[i] = 1.1;
  CHECK_OK(trmi_spectrum_make(t, x, 20, &arena, &s, &err), err);
  assert_int_equal(s.npeaks, 0);
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(transform_is_that_of_the_definition),
    cmocka_unit_test(squares_of_a_long_transform_have_the_same_sum),
    cmocka_unit_test(peaks_are_at_the_frequencies_of_the_sines),
    cmocka_unit_test(uneven_samples_are_put_on_an_even_grid),
    cmocka_unit_test(frequency_is_found_anywhere_between_two_lines),
    cmocka_unit_test(what_has_no_spectrum_gets_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
