/* arena.h - memory that grows while something is built and is freed as a whole. */
#ifndef TRMI_ARENA_H
#define TRMI_ARENA_H
#include "core/fail.h"
#include "trammel/memory.h"
#include <stdbool.h>

typedef struct trmi_chunk trmi_chunk;

typedef struct trmi_arena {
  trm_allocator allocator;
  trmi_chunk   *chunks; /* newest first */
  trmi_chunk   *current; /* that is being filled */
  bool          failed; /* an allocation failed since trmi_arena_init */
} trmi_arena;

void trmi_arena_init(trmi_arena *arena, const trm_allocator *allocator);

/* Cleared memory aligned to 64 bytes, or NULL and arena->failed. count may be 0. */
void *trmi_arena_take(trmi_arena *arena, size_t count, size_t size);

/* Make all memory available again: blocks of the same sizes, taken in the same order, then have the
 * same addresses. */
void trmi_arena_rewind(trmi_arena *arena);

/* Is this address inside one of its blocks? */
bool trmi_arena_holds(const trmi_arena *arena, const void *address);

/* Frees everything; the arena may be used again. */
void trmi_arena_clear(trmi_arena *arena);

/* Check all allocations of a function once, at its end. */
trm_status trmi_arena_check(const trmi_arena *arena, trm_error *err);

/* Keeps element types and sizes together. */
#define TRMI_TAKE(arena, type, count) \
  ((type *)trmi_arena_take((arena), (size_t)(count), sizeof(type)))

/* Small blocks, carved out of large ones: a plain arena rounds up to 64 bytes. */
typedef struct trmi_pool {
  trmi_arena *arena;
  char       *block;
  size_t      used;
} trmi_pool;

/* Cleared memory aligned to 8 bytes, or NULL and arena->failed. */
void *trmi_pool_take(trmi_pool *pool, size_t bytes);

/* One object from an allocator, for data outside any arena. */
void *trmi_allocate(const trm_allocator *allocator, size_t bytes);
void trmi_release(const trm_allocator *allocator, void *block);

#endif
