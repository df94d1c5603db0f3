/* model_write.h - shared by writers of models: model_c.c, model_yaml.c. */
#ifndef TRMI_MODEL_WRITE_H
#define TRMI_MODEL_WRITE_H
#include "core/buffer.h"
#include "io/model_file.h"

/* A text in double quotes, with the escapes of C, or of YAML. */
void trmi_put_quoted(trmi_buffer *out, const char *text, bool is_c);

/* Write a model without faults by `put`. */
trm_status trmi_model_write(const trm_model *model,
                            void (*put)(trmi_buffer *out, const trm_model *model),
                            trm_writer *writer, void *self, trm_error *err);

#endif
