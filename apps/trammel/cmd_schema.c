/* cmd_schema.c - print the JSON Schema of model files, or their reference page. */
#include "commands.h"
#include "io/schema.h"
#include "report.h"
#include <string.h>

trm_status app_schema(const app_options *options, trm_error *err) {
  const bool is_page = options->model != NULL && strcmp(options->model, "reference") == 0;
  if (options->model != NULL && !is_page) {
    return app_fail(err, TRM_ERR_INPUT, NULL,
                    "'%.60s': it prints the JSON Schema, or with 'reference' the reference page",
                    options->model);
  }
  trmi_buffer buffer;
  trmi_buffer_init(&buffer, NULL);
  if (is_page) {
    trmi_schema_reference(&buffer);
  } else {
    trmi_schema_json(&buffer);
  }
  const trm_status status = trmi_buffer_check(&buffer, err);
  if (status == TRM_OK) fwrite(buffer.data, 1, buffer.used, stdout);
  trmi_buffer_free(&buffer);
  return status;
}
