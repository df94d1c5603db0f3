/* unit_choice.c - units of a model from their names. */
#include "parts/unit_choice.h"
#include <string.h>

enum { PARTS = 4, FORCE = 3, ANY = -1 };
static const char *const parts[PARTS] = {"length", "mass", "time", "force"};

const char *trmi_units_part(int i) {
  return i < PARTS ? parts[i] : NULL;
}

trmi_unit_choice trmi_units_begin(void) {
  return (trmi_unit_choice){.size = {1.0, 1.0, 1.0, 1.0}};
}

trmi_units trmi_units_end(const trmi_unit_choice *c) {
  trmi_units units = {.length = c->size[0], .mass = c->size[1], .time = c->size[2],
                      .force = c->size[FORCE]};
  const bool is_given = c->is_given[FORCE];
  if (!is_given) units.force = units.mass * units.length / (units.time * units.time);
  return units;
}

/* Which of length, mass, time, force is this unit? ANY: none of them. */
static int part_of(trmi_dimension d) {
  const int exponents[PARTS] = {d.length, d.mass, d.time, d.force};
  int part = ANY;
  for (int i = 0; i < PARTS; i++) {
    if (exponents[i] == 0) continue;
    if (part >= 0 || exponents[i] != 1) return ANY;
    part = i;
  }
  return part;
}

/* One unit by its name; `wanted`: which it must be. */
static void take(trmi_unit_choice *c, const char *name, size_t length, int wanted,
                 trmi_place place, trmi_complaints *complaints) {
  trmi_dimension dimension;
  double si;
  const int shown = length < 40 ? (int)length : 40;
  if (!trmi_unit_find(name, length, &dimension, &si)) {
    trmi_complain(complaints, place, "'%.*s' is not a unit", shown, name);
    return;
  }
  const int part = part_of(dimension);
  if (part < 0 || (wanted >= 0 && part != wanted)) {
    trmi_complain(complaints, place, "'%.*s' is not a unit of %s", shown, name,
                  wanted >= 0 ? parts[wanted] : "length, mass, time or force");
  } else if (c->is_given[part]) {
    trmi_complain(complaints, place, "'%.*s' is a second unit of %s", shown, name, parts[part]);
  } else {
    c->is_given[part] = true;
    c->size[part] = si;
  }
}

void trmi_units_take(trmi_unit_choice *c, int i, const trmi_text *text,
                     trmi_complaints *complaints) {
  take(c, text->text, text->length, i, trmi_text_place(text, 0), complaints);
}

void trmi_units_take_set(trmi_unit_choice *c, const trmi_text *text, trmi_complaints *complaints) {
  if (strcmp(text->text, "SI") == 0) return;
  const int faults = complaints->count;
  for (const char *name = text->text; *name != '\0';) {
    const size_t length = strcspn(name, "-");
    const trmi_place place = trmi_text_place(text, (size_t)(name - text->text));
    take(c, name, length, ANY, place, complaints);
    name += length + (name[length] == '-' ? 1 : 0);
  }
  for (int i = 0; i < FORCE; i++) {
    if (c->is_given[i] || complaints->count > faults) continue;
    trmi_complain(complaints, trmi_text_place(text, 0),
                  "the set of units has no unit of %s; sets are SI or like N-kg-ms-mm", parts[i]);
  }
}
