/* visit.h - one function lists the data to be saved; it is used to count, to save and to load, so
 * the three cannot diverge. */
#ifndef TRMI_VISIT_H
#define TRMI_VISIT_H
#include <stddef.h>
#include <string.h>

typedef enum trmi_visit_mode { TRMI_COUNT, TRMI_SAVE, TRMI_LOAD } trmi_visit_mode;

typedef struct trmi_visitor {
  trmi_visit_mode mode;
  unsigned char  *data; /* saved bytes; only read when loading */
  size_t          used;
} trmi_visitor;

static inline void trmi_visit(trmi_visitor *v, void *item, size_t bytes) {
  if (v->mode == TRMI_SAVE && bytes > 0) memcpy(v->data + v->used, item, bytes);
  if (v->mode == TRMI_LOAD && bytes > 0) memcpy(item, v->data + v->used, bytes);
  v->used += bytes;
}

#endif
