/* gate.h - libraries that are not safe for threads, one caller at a time.
 *
 * OpenBLAS built without threads, which Debian offers for LAPACK, shares its scratch between
 * callers (MUMPS, which calls it, uses the same gate), and ARPACK keeps variables from call to
 * call. Simulations in several threads would get wrong numbers without a message. The core links no
 * library of threads: a gate is an atomic flag, and those who find it closed let others run. It
 * costs nothing that can be measured while there is one thread. Never call through a gate what may
 * wait at the same gate. */
#ifndef TRMI_GATE_H
#define TRMI_GATE_H
#include "trammel/threads.h"
#include <stdatomic.h>

typedef struct trmi_gate {
  atomic_flag is_closed;
} trmi_gate;

extern trmi_gate trmi_gate_arpack;

void trmi_gate_enter(trmi_gate *gate);
/* Gives back `info`, so that a call can be written between the two. */
int trmi_gate_leave(trmi_gate *gate, int info);

/* The gate of LAPACK, BLAS and MUMPS. libtrammel-io has a copy of internal functions: both must
 * wait at one gate, which therefore is behind the exported functions of trammel/threads.h. */
static inline int trmi_lapack_leave(int info) {
  trm_lapack_leave();
  return info;
}

/* What a function of LAPACKE gives: TRMI_LAPACK(dgetrf_work, LAPACK_COL_MAJOR, ..). */
#define TRMI_LAPACK(name, ...) \
  (trm_lapack_enter(), trmi_lapack_leave((int)LAPACKE_##name(__VA_ARGS__)))

#endif
