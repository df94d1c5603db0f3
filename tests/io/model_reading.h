/* model_reading.h - model files given as texts: those that are good and those that are refused. */
#ifndef TEST_MODEL_READING_H
#define TEST_MODEL_READING_H
#include "check.h"
#include "io/model_file.h"
#include "trammel/model.h"
#include <string.h>

#define HEAD "trammel: 1\n"

static inline trm_model *read_with(const char *text, const trm_setting *settings, int n) {
  trm_model *model;
  trm_error err;
  CHECK_OK(trm_model_read_stored(text, "model.yaml", settings, n, NULL, &model, &err), err);
  return model;
}

static inline trm_model *read_good(const char *text) {
  return read_with(text, NULL, 0);
}

/* Complaint i of a text stands at line:column and has this part. */
static inline void refuses_at(const char *text, int i, int line, int column, const char *part) {
  trm_model *model;
  trm_error err;
  CHECK_STATUS(trm_model_read_stored(text, "model.yaml", NULL, 0, NULL, &model, &err),
               TRM_ERR_INPUT);
  if (trm_model_complaint_count(model) <= i) fail_msg("%s: no complaint %d", text, i);
  const trm_complaint c = trm_model_complaint_at(model, i);
  if (c.line != line || c.column != column || strstr(c.sentence, part) == NULL) {
    fail_msg("%s: %d:%d: %s, expected %d:%d: %s", text, c.line, c.column, c.sentence, line, column,
             part);
  }
  trm_model_free(model);
}

static inline void refuses(const char *text, int line, int column, const char *part) {
  refuses_at(text, 0, line, column, part);
}

#endif
