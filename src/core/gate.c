/* gate.c - see gate.h. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "core/gate.h"
#ifdef __unix__
#include <sched.h>
#endif

static trmi_gate trmi_gate_lapack = {ATOMIC_FLAG_INIT};
trmi_gate trmi_gate_arpack = {ATOMIC_FLAG_INIT};

void trmi_gate_enter(trmi_gate *gate) {
  while (atomic_flag_test_and_set_explicit(&gate->is_closed, memory_order_acquire)) {
#ifdef __unix__
    (void)sched_yield();
#endif
  }
}

int trmi_gate_leave(trmi_gate *gate, int info) {
  atomic_flag_clear_explicit(&gate->is_closed, memory_order_release);
  return info;
}

void trm_lapack_enter(void) {
  trmi_gate_enter(&trmi_gate_lapack);
}

void trm_lapack_leave(void) {
  (void)trmi_gate_leave(&trmi_gate_lapack, 0);
}
