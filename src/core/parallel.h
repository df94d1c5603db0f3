/* parallel.h - large batches in chunks, which the caller's hook may run in parallel.
 *
 * Items of a batch must not change each other's results. Sums over items are computed afterwards,
 * in the order of the items, so that neither the hook nor the chunks affect any bit. */
#ifndef TRMI_PARALLEL_H
#define TRMI_PARALLEL_H
#include "trammel/system.h"

typedef struct trmi_parallel {
  trm_parallel_for *loop; /* NULL: everything in the calling thread */
  void             *self;
} trmi_parallel;

/* Items first .. end-1 of a batch. */
typedef void trmi_items(void *arg, int first, int end);

/* Is it worthwhile to run `count` items in chunks of `chunk`? */
static inline bool trmi_parallel_pays(const trmi_parallel *p, int count, int chunk) {
  return p->loop != NULL && count >= 2 * chunk;
}

/* Run all items by the hook. */
void trmi_parallel_run(const trmi_parallel *p, int count, int chunk, trmi_items *items, void *arg);

#endif
