/* fft.h - discrete Fourier transform of any length. */
#ifndef TRMI_FFT_H
#define TRMI_FFT_H
#include "core/fail.h"
#include "trammel/memory.h"
#include <stddef.h>

/* X_k = sum_j x_j exp(-2 pi i j k / n), k = 0 .. n/2, of n >= 1 real numbers.
 *  re, im     receive X  [n/2 + 1]
 *  allocator  for scratch; NULL: malloc
 *  @return TRM_OK or TRM_ERR_MEMORY */
trm_status trmi_fft_real(const double *x, size_t n, double *re, double *im,
                         const trm_allocator *allocator, trm_error *err);

#endif
