/* remarks.c - sentences about a model that its user shall read at the start of each run. */
#include "model/equations_parts.h"
#include <stdarg.h>
#include <stdio.h>

void trmi_remark_add(trmi_builder *b, const char *format, ...) {
  trmi_remark *remark = TRMI_TAKE(&b->eq->arena, trmi_remark, 1);
  if (remark == NULL) return; /* the arena remembers */
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(remark->text, sizeof remark->text, format, arguments);
  va_end(arguments);
  trmi_remark **last = &b->eq->remarks;
  while (*last != NULL) last = &(*last)->next;
  *last = remark;
}
