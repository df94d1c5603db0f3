/* problem.c - what all built-in problems share. */
#include "problems/problem.h"
#include <stdio.h>

trm_status trmi_problem_self(const trm_allocator *allocator, size_t bytes, void **self,
                             trm_error *err) {
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  *self = trmi_arena_take(&arena, 1, bytes);
  TRMI_TRY(err, trmi_arena_check(&arena, err));
  *(trmi_arena *)*self = arena;
  return TRM_OK;
}

void trmi_problem_free(void *self) {
  if (self == NULL) return;
  trmi_arena arena = *(trmi_arena *)self; /* a copy: self goes with its arena */
  trmi_arena_clear(&arena);
}

bool trmi_problem_without_power(const void *self) {
  (void)self;
  return false;
}

void trmi_pattern_all_given(trm_pattern *p) {
  for (int block = 0; block < TRM_BLOCKS; block++) trm_pattern_given(p, (trm_block)block);
}

void trmi_label(trm_label *label, const char *name, const char *object, trm_kind kind,
                double scale) {
  snprintf(label->name, sizeof label->name, "%s", name);
  snprintf(label->object, sizeof label->object, "%s", object);
  label->kind = kind;
  label->scale = scale;
}
