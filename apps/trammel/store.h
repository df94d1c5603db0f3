/* store.h - memory that is freed as a whole. */
#ifndef APP_STORE_H
#define APP_STORE_H
#include "trammel/status.h"
#include <stdbool.h>
#include <stddef.h>

/* All zero: empty. */
typedef struct app_store {
  struct app_block *blocks; /* newest first               */
  bool              failed; /* there was not enough memory */
} app_store;

/* Cleared memory, or NULL and store->failed. count may be 0. */
void *app_store_take(app_store *store, size_t count, size_t size);
#define APP_TAKE(store, type, count) \
  ((type *)app_store_take((store), (size_t)(count), sizeof(type)))

/* TRM_OK or TRM_ERR_MEMORY. */
TRM_CHECKED trm_status app_store_check(const app_store *store, trm_error *err);

void app_store_clear(app_store *store);

#endif
