/* memory.h - memory functions used by the library. */
#ifndef TRM_MEMORY_H
#define TRM_MEMORY_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Functions to allocate and release. All zero means malloc and free. Memory
 *  need not be cleared; `release` accepts NULL. The sparse solver KLU takes its
 *  memory from the process, not from here. */
typedef struct trm_allocator {
  void *self;
  void *(*alloc)(void *self, size_t bytes);
  void (*release)(void *self, void *block);
} trm_allocator;

#ifdef __cplusplus
}
#endif
#endif
