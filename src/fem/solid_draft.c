/* solid_draft.c - the content of a mesh file as readers find it, in lists that grow. */
#include "fem/solid_draft.h"
#include "fem/solid_shapes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void visit(trmi_solid_draft *draft, void (*act)(trmi_buffer *, const trm_allocator *),
                  const trm_allocator *allocator) {
  trmi_buffer *const all[] = {&draft->nodes,   &draft->elements,  &draft->connections,
                              &draft->sets,    &draft->members,   &draft->materials,
                              &draft->sections, &draft->notes};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) act(all[i], allocator);
}

static void free_one(trmi_buffer *buffer, const trm_allocator *allocator) {
  (void)allocator;
  trmi_buffer_free(buffer);
}

void trmi_solid_draft_init(trmi_solid_draft *draft, const trm_allocator *allocator) {
  visit(draft, trmi_buffer_init, allocator);
}

void trmi_solid_draft_free(trmi_solid_draft *draft) {
  visit(draft, free_one, NULL);
}

void trmi_solid_draft_shed(trmi_solid_draft *draft) {
  trmi_buffer *const lists[] = {&draft->nodes, &draft->elements, &draft->connections,
                                &draft->sets, &draft->members, &draft->materials,
                                &draft->sections};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) trmi_buffer_free(lists[i]);
}

bool trmi_solid_draft_failed(const trmi_solid_draft *draft) {
  return draft->nodes.failed || draft->elements.failed || draft->connections.failed ||
         draft->sets.failed || draft->members.failed || draft->materials.failed ||
         draft->sections.failed || draft->notes.failed;
}

void trmi_draft_node(trmi_solid_draft *draft, int number, const double x[3], int line) {
  const trmi_draft_node_entry node = {.x = {x[0], x[1], x[2]}, .number = number, .line = line};
  trmi_buffer_add(&draft->nodes, &node, sizeof node);
}

void trmi_draft_element(trmi_solid_draft *draft, trmi_solid_type type, int number,
                        const int *nodes, int set, int line) {
  const trmi_draft_element_entry element = {
      .type = type, .number = number, .line = line,
      .first = TRMI_DRAFT_COUNT(int, draft->connections)};
  trmi_buffer_add(&draft->elements, &element, sizeof element);
  trmi_buffer_add(&draft->connections, nodes,
                  (size_t)trmi_solid_infos[type].nodes * sizeof *nodes);
  if (set >= 0) trmi_draft_member(draft, set, number);
}

int trmi_draft_set(trmi_solid_draft *draft, const char *name, bool of_elements) {
  const int count = TRMI_DRAFT_COUNT(trmi_draft_set_entry, draft->sets);
  const trmi_draft_set_entry *sets = TRMI_DRAFT_LIST(trmi_draft_set_entry, draft->sets);
  trmi_draft_set_entry set = {.of_elements = of_elements};
  snprintf(set.name, sizeof set.name, "%s", name);
  for (int i = 0; i < count; i++) {
    if (sets[i].of_elements == of_elements && strcmp(sets[i].name, set.name) == 0) return i;
  }
  trmi_buffer_add(&draft->sets, &set, sizeof set);
  return draft->sets.failed ? -1 : count;
}

void trmi_draft_member(trmi_solid_draft *draft, int set, int number) {
  const trmi_draft_member_entry member = {.set = set, .number = number, .last = number, .step = 1};
  trmi_buffer_add(&draft->members, &member, sizeof member);
}

void trmi_draft_members(trmi_solid_draft *draft, int set, int first, int last, int step) {
  const trmi_draft_member_entry member = {.set = set, .number = first, .last = last, .step = step};
  trmi_buffer_add(&draft->members, &member, sizeof member);
}

void trmi_draft_subset(trmi_solid_draft *draft, int set, int from) {
  const trmi_draft_member_entry member = {.set = set, .number = from, .is_set = true};
  trmi_buffer_add(&draft->members, &member, sizeof member);
}

int trmi_draft_material(trmi_solid_draft *draft, const char *name) {
  const int count = TRMI_DRAFT_COUNT(trmi_solid_material, draft->materials);
  trmi_solid_material material = {.E = NAN, .nu = NAN, .density = NAN, .expansion = NAN};
  snprintf(material.name, sizeof material.name, "%s", name);
  for (int i = 0; i < count; i++) {
    if (strcmp(trmi_draft_material_at(draft, i)->name, material.name) == 0) return i;
  }
  trmi_buffer_add(&draft->materials, &material, sizeof material);
  return draft->materials.failed ? -1 : count;
}

trmi_solid_material *trmi_draft_material_at(trmi_solid_draft *draft, int material) {
  return (trmi_solid_material *)(void *)draft->materials.data + material;
}

void trmi_draft_section(trmi_solid_draft *draft, int set, int material) {
  const trmi_draft_section_entry section = {.set = set, .material = material};
  trmi_buffer_add(&draft->sections, &section, sizeof section);
}
