/* spectrum.h - amplitudes over frequency of a sampled signal. */
#ifndef TRM_SPECTRUM_H
#define TRM_SPECTRUM_H
#include "trammel/memory.h"
#include "trammel/status.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Upper bound of the number of peaks. */
enum { TRM_PEAKS_MAX = 5 };

/** One sine in the signal. */
typedef struct trm_peak {
  double frequency; /**< [Hz]               */
  double amplitude; /**< unit of the signal */
} trm_peak;

/** The spectrum of a signal. */
typedef struct trm_spectrum {
  double  *frequency;    /**< from 0 to half the sampling rate [Hz]        [n] */
  double  *amplitude;    /**< of a sine of that frequency                  [n] */
  size_t   n;            /**< number of lines                                  */
  size_t   samples;      /**< number of evenly spaced values used              */
  bool     is_resampled; /**< the given ones were not evenly spaced            */
  trm_peak peaks[TRM_PEAKS_MAX]; /**< the largest, in descending order [npeaks] */
  int      npeaks;       /**< how many                                         */
} trm_spectrum;

/** Spectrum of a signal, without its mean, under a Hann window.
 *  @param t, x       times, not decreasing, and values, all finite [n]
 *  @param allocator  NULL: malloc
 *  @param spectrum   receives the spectrum, to be freed by trm_spectrum_free; NULL on failure
 *  @return TRM_OK, TRM_ERR_INPUT (fewer than 8 samples at different times, a time or value that is
 *          not finite), TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_spectrum_create(const double *t, const double *x, size_t n,
                                                   const trm_allocator *allocator,
                                                   trm_spectrum **spectrum, trm_error *err);

/** Free a spectrum. Accepts NULL. */
TRM_API void trm_spectrum_free(trm_spectrum *spectrum);

#ifdef __cplusplus
}
#endif
#endif
