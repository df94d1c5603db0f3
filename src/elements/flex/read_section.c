/* read_section.c - reads the shape of a section from its keys. */
#include "elements/elements.h"
#include <stdio.h>

static bool fail(char fault[TRMI_SECTION_FAULT], const char *sentence) {
  snprintf(fault, TRMI_SECTION_FAULT, "%s", sentence);
  return false;
}

/* Check that keys replaced by `section` are not given, and those it needs are. */
static bool check_keys(const trmi_part *part, char fault[TRMI_SECTION_FAULT]) {
  static const char *const replaced[] = {"area", "Iy", "Iz", "J", "shear_y", "shear_z"};
  for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
    if (trmi_part_find(part, replaced[i]) == NULL) continue;
    snprintf(fault, TRMI_SECTION_FAULT, "give 'section' or '%s', not both", replaced[i]);
    return false;
  }
  if (trmi_part_find(part, "E") != NULL && trmi_part_find(part, "G") != NULL) return true;
  return fail(fault, "with 'section' it needs E and G");
}

bool trmi_read_section(const trmi_part *part, trmi_arena *arena, trmi_section *out,
                       char fault[TRMI_SECTION_FAULT]) {
  static const struct { const char *key; trmi_section_shape shape; int sizes; } list[] = {
    {"section.rectangle", TRMI_SECTION_RECTANGLE, 2}, {"section.ellipse", TRMI_SECTION_ELLIPSE, 2},
    {"section.tube", TRMI_SECTION_TUBE, 2},           {"section.box", TRMI_SECTION_BOX, 3},
    {"section.I", TRMI_SECTION_I, 4},                 {"section.channel", TRMI_SECTION_CHANNEL, 4}};
  trmi_section_def def = {.shape = TRMI_SECTION_POLYGON};
  if (!check_keys(part, fault)) return false;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (trmi_part_numbers(part, list[i].key, list[i].sizes, def.size)) def.shape = list[i].shape;
  }
  if (def.shape == TRMI_SECTION_POLYGON) {
    def.corners = trmi_part_list(part, "section.polygon", &def.ncorners);
    if (def.corners == NULL) return fail(fault, "its section has no shape");
    def.ncorners /= 2;
  }
  return trmi_section_make(&def, arena, out, fault);
}
