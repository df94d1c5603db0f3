/* instance.h - options for creating an instance of a system. */
#ifndef TRM_INSTANCE_H
#define TRM_INSTANCE_H
#include "trammel/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A loop whose iterations may run in parallel: it calls body(arg, i) once for each i from 0 to
 *  n-1, in any order and in any threads, and returns when all calls have returned. */
typedef void trm_parallel_for(void *self, int n, void (*body)(void *arg, int i), void *arg);

/** Options for creating an instance of a system. */
typedef struct trm_instance_options {
  trm_allocator     allocator;
  trm_parallel_for *parallel_for; /**< of the simulation, trm_options; NULL: none */
  void             *parallel_self;
} trm_instance_options;

#ifdef __cplusplus
}
#endif
#endif
