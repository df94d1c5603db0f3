/* spectrum.h - amplitudes over frequency of a sampled signal. */
#ifndef TRMI_SPECTRUM_H
#define TRMI_SPECTRUM_H
#include "core/arena.h"
#include <stdbool.h>

enum { TRMI_PEAKS_MAX = 5 };

/* One sine in the signal. */
typedef struct trmi_peak {
  double frequency; /* [Hz]                 */
  double amplitude; /* unit of the signal   */
} trmi_peak;

typedef struct trmi_spectrum {
  double   *frequency;    /* [Hz], from 0 to half the sampling rate [n] */
  double   *amplitude;    /* of a sine of that frequency            [n] */
  size_t    n;
  size_t    samples;      /* evenly spaced numbers that were used       */
  bool      is_resampled; /* the given ones were not evenly spaced      */
  trmi_peak peaks[TRMI_PEAKS_MAX]; /* the largest, falling      [npeaks] */
  int       npeaks;
} trmi_spectrum;

/* Spectrum of a signal, without its mean, under a Hann window.
 *  t, x   times, not decreasing, and values, all finite [n]
 *  arena  where the arrays live
 *  @return TRM_OK, TRM_ERR_INPUT (fewer than 8 samples at different times, a time or value
 *          that is not finite), TRM_ERR_MEMORY */
trm_status trmi_spectrum_make(const double *t, const double *x, size_t n, trmi_arena *arena,
                              trmi_spectrum *spectrum, trm_error *err);

#endif
