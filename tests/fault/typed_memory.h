/* typed_memory.h - a shipped model whose memory is counted and can be made to fail. */
#ifndef TRM_TEST_TYPED_MEMORY_H
#define TRM_TEST_TYPED_MEMORY_H
#include "fault/memory.h"
#include "verify/typed.h"

/* Read a shipped model, with the cache of reduced meshes: requests of a reduction are looked at by
 * test_flexible_files, where it is small. */
static inline trm_status typed_read(const trm_shipped_model *shipped,
                                    const trm_allocator *allocator, trm_model **model,
                                    trm_error *err) {
  const trm_model_source source = {.text = shipped->text, .name = shipped->name,
                                   .reductions = {.cache = typed_cache()}};
  return trm_model_read(&source, allocator, model, err);
}

/* Model and system take their memory from the meter. */
static inline typed typed_metered(const char *name, meter *ours) {
  trm_error err;
  const trm_allocator allocator = meter_allocator(ours);
  const trm_shipped_model *shipped = trm_shipped_model_find(name);
  typed m = {.options = trm_options_default()};
  CHECK_OK(typed_read(shipped, &allocator, &m.model, &err), err);
  CHECK_OK(trm_model_create_system(m.model, &allocator, &m.system, &err), err);
  trm_model_options(m.model, &m.options);
  return m;
}

#endif
