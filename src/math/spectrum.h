/* spectrum.h - trm_spectrum in memory of the caller. */
#ifndef TRMI_SPECTRUM_H
#define TRMI_SPECTRUM_H
#include "core/arena.h"
#include "trammel/spectrum.h"

/* As trm_spectrum_create; the arrays live in the arena. */
trm_status trmi_spectrum_make(const double *t, const double *x, size_t n, trmi_arena *arena,
                              trm_spectrum *spectrum, trm_error *err);

#endif
