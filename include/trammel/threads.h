/** @file
 * LAPACK in programs with threads. OpenBLAS built without threads, which Debian offers, shares its
 * scratch between callers: the library lets one caller in at a time. A program that calls BLAS or
 * LAPACK itself while simulations run in other threads must use this lock, too. */
#ifndef TRM_THREADS_H
#define TRM_THREADS_H
#include "trammel/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Wait until no other thread is in LAPACK, and keep others out. Never call it twice, nor a
 *  function of this library, before trm_lapack_leave. */
TRM_API void trm_lapack_enter(void);

/** Release LAPACK for other threads. */
TRM_API void trm_lapack_leave(void);

#ifdef __cplusplus
}
#endif
#endif
