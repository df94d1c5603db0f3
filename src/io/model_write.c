/* model_write.c - texts in quotes, and passing a written model to its reader. */
#include "io/model_write.h"

void trmi_put_quoted(trmi_buffer *out, const char *text, bool is_c) {
  trmi_buffer_text(out, "\"");
  for (; *text != '\0'; text++) {
    const unsigned char letter = (unsigned char)*text;
    const bool is_trigraph = is_c && letter == '?';
    if (letter == '"' || letter == '\\' || is_trigraph) trmi_buffer_print(out, "\\%c", letter);
    else if (letter >= ' ' && letter != 127) trmi_buffer_add(out, text, 1);
    else if (is_c) trmi_buffer_print(out, "\\%03o", letter);
    else trmi_buffer_print(out, "\\x%02x", letter);
  }
  trmi_buffer_text(out, "\"");
}

trm_status trmi_model_write(const trm_model *model,
                            void (*put)(trmi_buffer *out, const trm_model *model),
                            trm_writer *writer, void *self, trm_error *err) {
  trmi_buffer buffer;
  if (model->complaints.count > 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the model has faults");
  }
  if (writer == NULL) return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'writer' is NULL");
  trmi_buffer_init(&buffer, NULL);
  put(&buffer, model);
  const trm_status status = trmi_buffer_check(&buffer, err);
  if (status == TRM_OK) writer(self, buffer.data, buffer.used);
  trmi_buffer_free(&buffer);
  return status;
}
