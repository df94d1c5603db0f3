/* buffer.c - growing by doubling. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "core/buffer.h"
#include "core/arena.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void trmi_buffer_init(trmi_buffer *buffer, const trm_allocator *allocator) {
  *buffer = (trmi_buffer){.used = 0};
  if (allocator != NULL) buffer->allocator = *allocator;
}

void trmi_buffer_free(trmi_buffer *buffer) {
  trmi_release(&buffer->allocator, buffer->data);
  buffer->data = NULL;
  buffer->used = buffer->size = 0;
}

/* Room for `count` more bytes and the closing zero. */
static bool grow(trmi_buffer *buffer, size_t count) {
  if (buffer->failed || count >= SIZE_MAX / 4 - buffer->used) {
    buffer->failed = true;
    return false;
  }
  const size_t need = buffer->used + count + 1;
  if (need <= buffer->size) return true;
  const size_t size = need < 2048 ? 4096 : 2 * need;
  char *data = trmi_allocate(&buffer->allocator, size);
  if (data == NULL) {
    buffer->failed = true;
    return false;
  }
  if (buffer->used > 0) memcpy(data, buffer->data, buffer->used);
  trmi_release(&buffer->allocator, buffer->data);
  buffer->data = data;
  buffer->size = size;
  return true;
}

void trmi_buffer_add(trmi_buffer *buffer, const void *bytes, size_t count) {
  if (!grow(buffer, count)) return;
  if (count > 0) memcpy(buffer->data + buffer->used, bytes, count);
  buffer->used += count;
  buffer->data[buffer->used] = '\0';
}

void trmi_buffer_text(trmi_buffer *buffer, const char *text) {
  trmi_buffer_add(buffer, text, strlen(text));
}

void trmi_buffer_print(trmi_buffer *buffer, const char *fmt, ...) {
  char text[512];
  va_list args;
  va_start(args, fmt);
  const int length = vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  if (length > 0) trmi_buffer_text(buffer, text);
}

trm_status trmi_buffer_check(const trmi_buffer *buffer, trm_error *err) {
  if (!buffer->failed) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory: a text of %zu bytes cannot grow",
                   buffer->used);
}
