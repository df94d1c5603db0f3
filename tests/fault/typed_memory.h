/* typed_memory.h - a shipped model whose memory is counted and can be made to fail. */
#ifndef TRM_TEST_TYPED_MEMORY_H
#define TRM_TEST_TYPED_MEMORY_H
#include "fault/memory.h"
#include "verify/typed.h"

/* Model and system take their memory from the meter. */
static inline typed typed_metered(const char *name, meter *ours) {
  trm_error err;
  const trm_allocator allocator = meter_allocator(ours);
  const trm_shipped_model *shipped = trm_shipped_model_find(name);
  typed m = {.options = trm_options_default()};
  CHECK_OK(trm_model_read_text(shipped->text, name, NULL, 0, &allocator, &m.model, &err), err);
  CHECK_OK(trm_model_create_system(m.model, &allocator, &m.system, &err), err);
  trm_model_options(m.model, &m.options);
  return m;
}

#endif
