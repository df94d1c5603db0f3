/* types.c - all types of forces, and reading those of a definition. */
#include "force/force.h"
#include <string.h>

static const trmi_force_type *const types[] = {&trmi_force_force, &trmi_force_spring};

const trmi_force_type *trmi_force_type_at(int i) {
  return i >= 0 && i < (int)(sizeof types / sizeof *types) ? types[i] : NULL;
}

void trmi_read_actions(trmi_mechanism *m) {
  const trmi_parts_def *parts = &m->def->actions;
  for (int i = 0; i < parts->count; i++) {
    const trmi_part_def *part = &parts->list[i];
    const char *name = trmi_part_word(part, "type");
    const trmi_force_type *type = NULL;
    for (int k = 0; name != NULL && trmi_force_type_at(k) != NULL; k++) {
      if (strcmp(types[k]->name, name) == 0) type = types[k];
    }
    if (type == NULL) {
      trmi_complain(m->complaints, trmi_part_place(part, "type"), "force '%.60s': %s%.40s%s",
                    part->key.name, name != NULL ? "there is no type '" : "it needs a type",
                    name != NULL ? name : "", name != NULL ? "'" : "");
      continue;
    }
    trmi_check_keys(m, part, type->name, "type", type->keys);
    type->build(m, part);
  }
}
