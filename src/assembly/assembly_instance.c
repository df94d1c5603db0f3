/* assembly_instance.c - an assembly for one simulation. Numbering, rows to clear and names belong
 * to its origin; contributors, scratch, the epoch and labels whose scales can be set are its
 * own. */
#include "assembly/assembly_internal.h"
#include <string.h>

static void copy_labels(trmi_assembly *a, const trmi_assembly *origin, trm_quantity list,
                        int count) {
  trm_label *labels = TRMI_TAKE(&a->arena, trm_label, count);
  a->labels[list] = labels;
  if (labels == NULL || count == 0) return;
  memcpy(labels, origin->labels[list], (size_t)count * sizeof *labels);
}

trmi_assembly *trmi_assembly_instance(const trmi_assembly *origin,
                                      const trm_instance_options *options) {
  const trm_allocator *allocator = &options->allocator;
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  trmi_assembly *a = TRMI_TAKE(&arena, trmi_assembly, 1);
  int *epoch = TRMI_TAKE(&arena, int, 1);
  trm_block_request *request = TRMI_TAKE(&arena, trm_block_request, 1);
  trmi_contributor *list = TRMI_TAKE(&arena, trmi_contributor, origin->count);
  if (arena.failed) {
    trmi_arena_clear(&arena);
    return NULL;
  }
  *a = *origin;
  a->arena = arena;
  trmi_arena_init(&a->elements, allocator);
  a->epoch = epoch;
  *a->epoch = *origin->epoch;
  a->request = request;
  a->list = list;
  a->count = 0;
  a->size = origin->count;
  a->parallel = (trmi_parallel){options->parallel_for, options->parallel_self};
  a->keeper = NULL;
  a->free_keeper = NULL;
  copy_labels(a, origin, TRM_V, origin->n.nv);
  copy_labels(a, origin, TRM_X, origin->n.nx);
  return a;
}

trm_status trmi_assembly_join(trmi_assembly *a, const trmi_assembly *origin, trm_error *err) {
  TRMI_TRY(err, trmi_arena_check(&a->arena, err));
  TRMI_TRY(err, trmi_arena_check(&a->elements, err));
  bool is_same = a->count == origin->count;
  for (int i = 0; is_same && i < a->count; i++) {
    trmi_contributor *c = &a->list[i];
    const trmi_contributor made = *c;
    is_same = strcmp(made.ops->name, origin->list[i].ops->name) == 0;
    *c = origin->list[i];
    c->ops = made.ops, c->self = made.self;
    if (c->ops->place != NULL) c->ops->place(c->self, &c->first);
  }
  if (is_same) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_ORDER, a->ops.name, "an instance has other contributors than its "
                   "system");
}
