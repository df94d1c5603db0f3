/* store.c - blocks in a list. */
#include "store.h"
#include "report.h"
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct app_block {
  struct app_block *next;
  alignas(max_align_t) char bytes[];
} app_block;

void *app_store_take(app_store *store, size_t count, size_t size) {
  const size_t room = SIZE_MAX - sizeof(app_block);
  app_block *block = NULL;
  if (size == 0 || count <= room / size) block = calloc(1, sizeof *block + count * size);
  if (block == NULL) {
    store->failed = true;
    return NULL;
  }
  block->next = store->blocks;
  store->blocks = block;
  return block->bytes;
}

trm_status app_store_check(const app_store *store, trm_error *err) {
  return store->failed ? app_fail_memory(err) : TRM_OK;
}

void app_store_clear(app_store *store) {
  for (app_block *block = store->blocks, *next; block != NULL; block = next) {
    next = block->next;
    free(block);
  }
  *store = (app_store){.blocks = NULL};
}
