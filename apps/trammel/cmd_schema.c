/* cmd_schema.c - print the JSON Schema of model files, or their reference page. */
#include "commands.h"
#include "report.h"
#include "trammel/schema.h"
#include <stdio.h>
#include <string.h>

static void print(void *self, const char *bytes, size_t count) {
  (void)self;
  fwrite(bytes, 1, count, stdout);
}

trm_status app_schema(const app_options *options, trm_error *err) {
  const bool is_page = options->model != NULL && strcmp(options->model, "reference") == 0;
  if (options->model != NULL && !is_page) {
    return app_fail(err, TRM_ERR_INPUT, NULL,
                    "'%.60s': it prints the JSON Schema, or with 'reference' the reference page",
                    options->model);
  }
  return is_page ? trm_schema_reference(print, NULL, err) : trm_schema_json(print, NULL, err);
}
