/* buffer.h - growing buffers: texts and files are built in memory, then written. */
#ifndef TRMI_BUFFER_H
#define TRMI_BUFFER_H
#include "core/fail.h"
#include "trammel/memory.h"
#include <stdbool.h>

/* Adding to a buffer does not return errors: `failed` remains true once memory ran out, and is
 * tested once at the end. */
typedef struct trmi_buffer {
  trm_allocator allocator;
  char         *data;       /* ends with a zero byte, not counted */
  size_t        used, size;
  bool          failed;
} trmi_buffer;

/* allocator may be NULL: malloc. */
void trmi_buffer_init(trmi_buffer *buffer, const trm_allocator *allocator);
void trmi_buffer_free(trmi_buffer *buffer);

void trmi_buffer_add(trmi_buffer *buffer, const void *bytes, size_t count);
void trmi_buffer_text(trmi_buffer *buffer, const char *text);
/* At most 511 letters at a time. */
void trmi_buffer_print(trmi_buffer *buffer, const char *fmt, ...) TRMI_PRINTF(2, 3);

/* TRM_OK or TRM_ERR_MEMORY. */
trm_status trmi_buffer_check(const trmi_buffer *buffer, trm_error *err);

#endif
