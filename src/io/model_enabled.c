/* model_enabled.c - removes parts with `enabled: false` from the tree before it is checked. */
#include "io/model_file.h"
#include <string.h>

static bool is_disabled(const trmi_yaml *part) {
  const trmi_yaml *word = trmi_yaml_find(part, "enabled");
  return word != NULL && word->kind == TRMI_YAML_SCALAR && strcmp(word->text.text, "false") == 0;
}

static void drop_disabled(trmi_yaml *section) {
  trmi_yaml **link = &section->first, *last = NULL;
  section->count = 0;
  while (*link != NULL) {
    trmi_yaml *part = *link;
    if (part->kind == TRMI_YAML_MAPPING && is_disabled(part)) {
      *link = part->next;
      continue;
    }
    last = part;
    section->count++;
    link = &part->next;
  }
  section->last = last;
}

void trmi_model_drop_disabled(trm_model *m) {
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    trmi_yaml *section = trmi_model_section(m, (trmi_part_group)g);
    if (section != NULL) drop_disabled(section);
  }
}
