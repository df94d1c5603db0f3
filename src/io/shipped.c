/* shipped.c - model files inside the library. */
#include "io/shipped.h"
#include <string.h>

int trm_shipped_model_count(void) {
  return trmi_shipped_model_count;
}

const trm_shipped_model *trm_shipped_model_at(int i) {
  return i >= 0 && i < trmi_shipped_model_count ? &trmi_shipped_models[i] : NULL;
}

const trm_shipped_model *trm_shipped_model_find(const char *name) {
  for (int i = 0; i < trmi_shipped_model_count; i++) {
    if (strcmp(trmi_shipped_models[i].name, name) == 0) return &trmi_shipped_models[i];
  }
  return NULL;
}
