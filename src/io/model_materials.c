/* model_materials.c - `material` by element set: `material: {E: .., LID: {E: ..}}` becomes
 * `material: {E: ..}` and `materials: {LID: {E: ..}}` before the tree is checked. */
#include "io/model_file.h"
#include <string.h>

/* The entry of a mapping after which `node` comes; NULL: it is the first. */
static trmi_yaml *before(const trmi_yaml *mapping, const trmi_yaml *node) {
  trmi_yaml *last = NULL;
  for (trmi_yaml *e = mapping->first; e != node; e = e->next) last = e;
  return last;
}

static void take_out(trmi_yaml *mapping, trmi_yaml *node) {
  trmi_yaml *last = before(mapping, node);
  if (last == NULL) mapping->first = node->next;
  else last->next = node->next;
  if (mapping->last == node) mapping->last = last;
  mapping->count--;
  node->next = NULL;
}

static void put_in(trmi_yaml *mapping, trmi_yaml *node) {
  if (mapping->last == NULL) mapping->first = node;
  else mapping->last->next = node;
  mapping->last = node;
  mapping->count++;
}

/* The first mapping that is no key of a material: E and others keep the complaints of tables. */
static trmi_yaml *next_set(const trmi_yaml *material) {
  const trmi_field *row = trmi_field_child(trmi_kind_at(TRMI_FLEXIBLE, 0)->fields, "material");
  trmi_yaml *e = material->first;
  while (e != NULL && (e->kind != TRMI_YAML_MAPPING || trmi_field_child(row, e->key) != NULL)) {
    e = e->next;
  }
  return e;
}

static void divide(trm_model *m, trmi_yaml *body) {
  trmi_yaml *material = trmi_yaml_find(body, "material"), *sets;
  trmi_yaml *list = trmi_yaml_find(body, "materials");
  if (material == NULL || material->kind != TRMI_YAML_MAPPING || next_set(material) == NULL) return;
  if (list == NULL) {
    list = trmi_yaml_add(body, "materials", material->key_place, TRMI_YAML_MAPPING, &m->arena);
    if (list == NULL) return;
    list->place = material->place;
  }
  if (list->kind != TRMI_YAML_MAPPING) return;
  while ((sets = next_set(material)) != NULL) {
    take_out(material, sets);
    const trmi_yaml *twin = trmi_yaml_find(list, sets->key);
    if (twin != NULL) {
      trmi_complain(&m->complaints, sets->key_place, "flexible body '%.60s' has the material of "
                    "'%.60s' twice, in `material` and in `materials`", body->key, sets->key);
    } else {
      put_in(list, sets);
    }
  }
  if (material->count == 0) take_out(body, material);
}

void trmi_model_divide_materials(trm_model *m) {
  const trmi_yaml *section = trmi_model_section(m, TRMI_FLEXIBLE);
  for (trmi_yaml *e = section != NULL ? section->first : NULL; e != NULL; e = e->next) {
    if (e->kind == TRMI_YAML_MAPPING) divide(m, e);
  }
}
