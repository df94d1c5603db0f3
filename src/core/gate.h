/* gate.h - locks for libraries that are not thread-safe, one caller at a time.
 *
 * OpenBLAS built without threads, which Debian offers for LAPACK, shares its scratch between
 * callers (MUMPS, which calls it, uses the same gate), and ARPACK keeps variables from call to
 * call. Simulations in several threads would get wrong numbers without a message. The core links no
 * thread library: a gate is an atomic flag, and callers that find it closed yield. With one thread
 * its cost is not measurable. Never call a function through a gate that may wait at the same
 * gate. */
#ifndef TRMI_GATE_H
#define TRMI_GATE_H
#include "trammel/threads.h"
#include <stdatomic.h>

typedef struct trmi_gate {
  atomic_flag is_closed;
} trmi_gate;

extern trmi_gate trmi_gate_arpack;

void trmi_gate_enter(trmi_gate *gate);
/* Returns `info`, so that a call can be written between the two. */
int trmi_gate_leave(trmi_gate *gate, int info);

/* The gate of LAPACK, BLAS and MUMPS. libtrammel-io has a copy of internal functions: both must use
 * one gate, which is therefore accessed by the exported functions of trammel/threads.h. */
static inline int trmi_lapack_leave(int info) {
  trm_lapack_leave();
  return info;
}

/* Result of a function of LAPACKE: TRMI_LAPACK(dgetrf_work, LAPACK_COL_MAJOR, ..). */
#define TRMI_LAPACK(name, ...) \
  (trm_lapack_enter(), trmi_lapack_leave((int)LAPACKE_##name(__VA_ARGS__)))

#endif
