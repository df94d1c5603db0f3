/* arena.c - chunks of at least 16 kB; what does not fit gets a chunk of its own. */
#include "core/arena.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 16384, ALIGN = 64, POOL_BYTES = 16384 };

struct trmi_chunk {
  trmi_chunk *next;       /* the one before it */
  trmi_chunk *newer;
  size_t      used, size; /* bytes of data[], from the first aligned one */
  unsigned char *data;
};

void *trmi_allocate(const trm_allocator *allocator, size_t bytes) {
  if (allocator->alloc != NULL) return allocator->alloc(allocator->self, bytes);
  return malloc(bytes);
}

void trmi_release(const trm_allocator *allocator, void *block) {
  if (allocator->release != NULL) {
    allocator->release(allocator->self, block);
  } else {
    free(block);
  }
}

void trmi_arena_init(trmi_arena *arena, const trm_allocator *allocator) {
  *arena = (trmi_arena){.allocator = *allocator};
}

static trmi_chunk *add_chunk(trmi_arena *arena, size_t bytes) {
  const size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
  trmi_chunk *chunk = trmi_allocate(&arena->allocator, sizeof *chunk + size + ALIGN);
  if (chunk == NULL) return NULL;
  const uintptr_t first = (uintptr_t)(chunk + 1);
  const uintptr_t shift = (ALIGN - first % ALIGN) % ALIGN;
  *chunk = (trmi_chunk){.next = arena->chunks, .size = size};
  chunk->data = (unsigned char *)(chunk + 1) + shift;
  if (arena->chunks != NULL) arena->chunks->newer = chunk;
  arena->chunks = chunk;
  return chunk;
}

/* A chunk with room: the one being filled, the next after a rewind, or a new one. */
static trmi_chunk *find_room(trmi_arena *arena, size_t bytes) {
  trmi_chunk *chunk = arena->current;
  if (chunk != NULL && chunk->size - chunk->used >= bytes) return chunk;
  if (chunk != NULL && chunk->newer != NULL && chunk->newer->size >= bytes) return chunk->newer;
  return add_chunk(arena, bytes);
}

void *trmi_arena_take(trmi_arena *arena, size_t count, size_t size) {
  if (arena->failed || (size > 0 && count > (SIZE_MAX - 2 * ALIGN) / 2 / size)) {
    arena->failed = true;
    return NULL;
  }
  const size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN + (count == 0 ? ALIGN : 0);
  trmi_chunk *chunk = find_room(arena, bytes);
  if (chunk == NULL) {
    arena->failed = true;
    return NULL;
  }
  arena->current = chunk;
  void *block = chunk->data + chunk->used;
  chunk->used += bytes;
  memset(block, 0, bytes);
  return block;
}

void *trmi_pool_take(trmi_pool *pool, size_t bytes) {
  bytes = (bytes + 7) / 8 * 8;
  if (bytes > POOL_BYTES / 4) return trmi_arena_take(pool->arena, bytes, 1);
  if (pool->block == NULL || pool->used + bytes > POOL_BYTES) {
    pool->block = trmi_arena_take(pool->arena, POOL_BYTES, 1);
    pool->used = 0;
    if (pool->block == NULL) return NULL;
  }
  void *taken = pool->block + pool->used;
  pool->used += bytes;
  return taken;
}

void trmi_arena_rewind(trmi_arena *arena) {
  for (trmi_chunk *chunk = arena->chunks; chunk != NULL; chunk = chunk->next) {
    chunk->used = 0;
    arena->current = chunk; /* the oldest in the end */
  }
  arena->failed = false;
}

bool trmi_arena_holds(const trmi_arena *arena, const void *address) {
  const uintptr_t at = (uintptr_t)address;
  for (const trmi_chunk *chunk = arena->chunks; chunk != NULL; chunk = chunk->next) {
    const uintptr_t first = (uintptr_t)chunk->data;
    if (at >= first && at < first + chunk->size) return true;
  }
  return false;
}

void trmi_arena_clear(trmi_arena *arena) {
  while (arena->chunks != NULL) {
    trmi_chunk *next = arena->chunks->next;
    trmi_release(&arena->allocator, arena->chunks);
    arena->chunks = next;
  }
  arena->current = NULL;
  arena->failed = false;
}

trm_status trmi_arena_check(const trmi_arena *arena, trm_error *err) {
  if (!arena->failed) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory: an allocation failed");
}
