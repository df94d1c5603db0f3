/* memory.h - memory that is counted and can be made to fail, for tests: as an allocator
 * of ours, and underneath KLU, which takes its own through SuiteSparse_config. */
#ifndef TRM_TEST_MEMORY_H
#define TRM_TEST_MEMORY_H
#include "sanitized.h"
#include "unit/kit.h"
#include <SuiteSparse_config.h>
#include <dlfcn.h>

typedef struct meter {
  long requests; /* so far                                             */
  long live;     /* blocks not yet given back                          */
  long fail_at;  /* this request fails, 0: none                        */
  bool is_shut;  /* every request fails                                */
  long refused;  /* requests that failed                               */
  bool refused_to_resize; /* the last of them was for another size     */
} meter;

static inline bool meter_refuses(meter *m) {
  const bool refused = ++m->requests == m->fail_at || m->is_shut;
  m->refused += refused;
  if (refused) m->refused_to_resize = false;
  return refused;
}

static inline void *meter_alloc(void *self, size_t bytes) {
  meter *m = self;
  if (meter_refuses(m)) return NULL;
  void *block = malloc(bytes);
  assert_non_null(block);
  memset(block, 0xa5, bytes); /* it need not be cleared, so it is not */
  m->live++;
  return block;
}

static inline void meter_release(void *self, void *block) {
  if (block != NULL) ((meter *)self)->live--;
  free(block);
}

static inline trm_allocator meter_allocator(meter *m) {
  return (trm_allocator){.self = m, .alloc = meter_alloc, .release = meter_release};
}

/* Something that takes memory and gives all of it back. */
typedef trm_status (*meter_task)(const void *self, const trm_allocator *allocator, trm_error *err);

/* Request number n fails, for every n until there are fewer; each failure is told as such and
 * leaves nothing behind. With sanitizers, beyond the first requests, one of seventeen. Returns how
 * many requests there are. */
static inline long meter_exhaust(meter_task task, const void *self, const char *name) {
  enum { FIRST = 50, STRIDE = IS_SANITIZED ? 17 : 1 };
  for (long n = 1;; n += n < FIRST ? 1 : STRIDE) {
    trm_error err = {.status = TRM_OK};
    meter ours = {.fail_at = n};
    const trm_allocator allocator = meter_allocator(&ours);
    const trm_status status = task(self, &allocator, &err);
    if (ours.live != 0) fail_msg("%s, request %ld: %ld blocks are lost", name, n, ours.live);
    if (ours.requests < n) { /* nothing failed any more */
      CHECK_OK(status, err);
      return ours.requests;
    }
    if (status != TRM_ERR_MEMORY || err.status != TRM_ERR_MEMORY) {
      fail_msg("%s, request %ld of memory fails: %s, '%s'", name, n, trm_status_name(status),
               err.message);
    }
  }
}

/* --- KLU: its functions have no self --------------------------------------------------- */

static meter klu_meter;

static inline void *klu_meter_malloc(size_t bytes) {
  if (meter_refuses(&klu_meter)) return NULL;
  klu_meter.live++;
  return malloc(bytes);
}

static inline void *klu_meter_calloc(size_t count, size_t bytes) {
  if (meter_refuses(&klu_meter)) return NULL;
  klu_meter.live++;
  return calloc(count, bytes);
}

static inline void *klu_meter_realloc(void *block, size_t bytes) {
  if (meter_refuses(&klu_meter)) {
    klu_meter.refused_to_resize = true;
    return NULL;
  }
  if (block == NULL) klu_meter.live++;
  return realloc(block, bytes);
}

static inline void klu_meter_free(void *block) {
  if (block != NULL) klu_meter.live--;
  free(block);
}

/* Puts the meter under KLU, for the rest of the process. */
static inline void klu_meter_install(void) {
  void *process = dlopen(NULL, RTLD_LAZY);
  assert_non_null(process);
  struct SuiteSparse_config_struct *config = dlsym(process, "SuiteSparse_config");
  assert_non_null(config);
  config->malloc_func = klu_meter_malloc;
  config->calloc_func = klu_meter_calloc;
  config->realloc_func = klu_meter_realloc;
  config->free_func = klu_meter_free;
  dlclose(process);
}

#endif
