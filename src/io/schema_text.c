/* schema_text.c - public functions that write the schema. */
#include "trammel/schema.h"
#include "io/schema.h"

static trm_status give(trmi_buffer *buffer, trm_writer *write, void *self, trm_error *err) {
  const trm_status status = write != NULL
                                ? trmi_buffer_check(buffer, err)
                                : TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'write' is NULL");
  if (status == TRM_OK) write(self, buffer->data, buffer->used);
  trmi_buffer_free(buffer);
  return status;
}

trm_status trm_schema_json(trm_writer *write, void *self, trm_error *err) {
  trmi_buffer buffer;
  trmi_buffer_init(&buffer, NULL);
  trmi_schema_json(&buffer);
  return give(&buffer, write, self, err);
}

trm_status trm_schema_reference(trm_writer *write, void *self, trm_error *err) {
  trmi_buffer buffer;
  trmi_buffer_init(&buffer, NULL);
  trmi_schema_reference(&buffer);
  return give(&buffer, write, self, err);
}
