/* parallel.c - see parallel.h. */
#include "core/parallel.h"

typedef struct batch {
  trmi_items *items;
  void       *arg;
  int         count, chunk;
} batch;

static void run_chunk(void *arg, int i) {
  const batch *b = arg;
  const int first = i * b->chunk, end = first + b->chunk;
  b->items(b->arg, first, end < b->count ? end : b->count);
}

void trmi_parallel_run(const trmi_parallel *p, int count, int chunk, trmi_items *items, void *arg) {
  batch b = {.items = items, .arg = arg, .count = count, .chunk = chunk};
  p->loop(p->self, (count + chunk - 1) / chunk, run_chunk, &b);
}
