/* mesh_inp.c - meshes of Abaqus and CalculiX, .inp.
 *
 * Read are *NODE, *ELEMENT, *NSET, *ELSET, *MATERIAL, *ELASTIC, *DENSITY, *EXPANSION and *SOLID
 * SECTION, with GENERATE and continued lines. Any other keyword is named once in a note and its
 * lines are skipped. Names of sets and materials are upper case: the format knows no case. */
#include "io/mesh_text.h"
#include "fem/solid_shapes.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef enum keyword {
  NONE, NODE, ELEMENT, NSET, ELSET, MATERIAL, ELASTIC, DENSITY, EXPANSION, SOLID_SECTION, PART,
  INSTANCE, SKIPPED
} keyword;

static const struct {
  const char *name;
  keyword     word;
} keywords[] = {{"NODE", NODE},         {"ELEMENT", ELEMENT}, {"NSET", NSET},
                {"ELSET", ELSET},       {"MATERIAL", MATERIAL}, {"ELASTIC", ELASTIC},
                {"DENSITY", DENSITY},   {"EXPANSION", EXPANSION}, {"SOLID SECTION", SOLID_SECTION},
                {"PART", PART},         {"INSTANCE", INSTANCE},
                {"END PART", NONE},     {"ASSEMBLY", NONE},   {"END ASSEMBLY", NONE},
                {"END INSTANCE", NONE}, {"HEADING", NONE},    {"PREPRINT", NONE}};

/* Element types of files; `note` names the type used instead. */
static const struct {
  const char     *name;
  trmi_solid_type type;
  bool            note;
} types[] = {{"C3D4", TRMI_C3D4, false},   {"C3D4H", TRMI_C3D4, true},
             {"C3D10", TRMI_C3D10, false}, {"C3D10T", TRMI_C3D10, true},
             {"C3D10M", TRMI_C3D10, true}, {"C3D10H", TRMI_C3D10, true},
             {"C3D10HS", TRMI_C3D10, true}, {"C3D8I", TRMI_C3D8I, false},
             {"C3D8", TRMI_C3D8I, true},   {"C3D8R", TRMI_C3D8I, true},
             {"C3D8H", TRMI_C3D8I, true},  {"C3D20", TRMI_C3D20, false},
             {"C3D20H", TRMI_C3D20, true}, {"C3D20R", TRMI_C3D20R, false},
             {"C3D20RH", TRMI_C3D20R, true}, {"C3D6", TRMI_C3D6, false},
             {"C3D15", TRMI_C3D15, false}};

enum { NAMES_MAX = 64 };

typedef struct reader {
  trmi_mesh_text t;
  keyword  now;
  char     name[TRMI_SOLID_NAME];     /* of the keyword */
  char     set[TRMI_SOLID_NAME], of[TRMI_SOLID_NAME]; /* NSET= or ELSET=, MATERIAL= or NAME= */
  char     type[TRMI_SOLID_NAME];
  bool     generates;
  int      set_number, material, parts;
  trmi_solid_type element;
  int      numbers[1 + TRMI_SOLID_NODES_MAX], count; /* of an element so far */
  int      line;                                      /* where it began */
  bool     has_data;                                  /* a line of data was read */
  char     skipped[NAMES_MAX][TRMI_SOLID_NAME];
  int      nskipped;
} reader;

/* ---- keywords -------------------------------------------------------------------------------- */

/* NAME=VALUE, NAME. */
static void take_parameter(reader *r, trmi_mesh_field field) {
  const char *equal = memchr(field.text, '=', field.length);
  size_t before = equal != NULL ? (size_t)(equal - field.text) : field.length;
  trmi_mesh_field value = {.text = "", .length = 0};
  if (equal != NULL) {
    value = (trmi_mesh_field){.text = equal + 1, .length = field.length - before - 1};
    while (value.length > 0 && isspace((unsigned char)*value.text)) value.text++, value.length--;
    if (value.length > 1 && value.text[0] == '"' && value.text[value.length - 1] == '"') {
      value.text++, value.length -= 2;
    }
  }
  while (before > 0 && isspace((unsigned char)field.text[before - 1])) before--;
  const trmi_mesh_field name = {.text = field.text, .length = before};
  if (trmi_mesh_is(name, "TYPE")) trmi_mesh_copy(value, true, r->type);
  if (trmi_mesh_is(name, "GENERATE")) r->generates = true;
  if (trmi_mesh_is(name, "NSET") || trmi_mesh_is(name, "ELSET")) {
    trmi_mesh_copy(value, true, r->set);
  }
  if (trmi_mesh_is(name, "MATERIAL") || trmi_mesh_is(name, "NAME")) {
    trmi_mesh_copy(value, true, r->of);
  }
}

/* The keyword with all its parameters, also on the lines that continue it. */
static bool take_keyword(reader *r) {
  trmi_mesh_field field;
  size_t from = 1;
  r->set[0] = r->of[0] = r->type[0] = r->name[0] = '\0';
  r->generates = r->has_data = false;
  r->count = 0;
  if (trmi_mesh_field_next(&r->t, ',', &from, &field)) trmi_mesh_copy(field, true, r->name);
  for (;;) {
    bool is_last = true;
    while (trmi_mesh_field_next(&r->t, ',', &from, &field)) {
      take_parameter(r, field);
    }
    for (size_t i = r->t.length; i > 0 && is_last; i--) {
      if (r->t.at[i - 1] == ',') is_last = false;
      if (!isspace((unsigned char)r->t.at[i - 1])) break;
    }
    if (is_last) break;
    if (!trmi_mesh_next(&r->t)) break;
    from = 0;
  }
  r->now = SKIPPED;
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    if (strcmp(keywords[i].name, r->name) == 0) r->now = keywords[i].word;
  }
  return true;
}

static void note_skipped(reader *r) {
  for (int i = 0; i < r->nskipped; i++) {
    if (strcmp(r->skipped[i], r->name) == 0) return;
  }
  if (r->nskipped >= NAMES_MAX) return;
  memcpy(r->skipped[r->nskipped++], r->name, sizeof r->name);
  trmi_mesh_note(&r->t, "*%.40s is left out", r->name);
}

static bool begin_element(reader *r) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (strcmp(types[i].name, r->type) != 0) continue;
    r->element = types[i].type;
    r->set_number = r->set[0] != '\0' ? trmi_draft_set(r->t.draft, r->set, true) : -1;
    if (types[i].note) {
      trmi_mesh_note(&r->t, "elements %.20s are taken as %s", r->type,
                     trmi_solid_infos[types[i].type].name);
    } else if (trmi_solid_infos[types[i].type].is_stiff) {
      trmi_mesh_note(&r->t, "elements %.20s bend 7 to 50 %% too stiff: use those with middle "
                     "nodes", r->type);
    }
    return true;
  }
  if (r->type[0] == '\0') return trmi_mesh_fail(&r->t, "*ELEMENT without TYPE=");
  trmi_mesh_note(&r->t, "elements of type %.20s are left out: they are not solids that are known",
                 r->type);
  r->now = NONE;
  return true;
}

static bool begin_section(reader *r) {
  if (r->set[0] == '\0' || r->of[0] == '\0') {
    return trmi_mesh_fail(&r->t, "*SOLID SECTION needs ELSET= and MATERIAL=");
  }
  const int set = trmi_draft_set(r->t.draft, r->set, true);
  const int material = trmi_draft_material(r->t.draft, r->of);
  if (set < 0 || material < 0) return false;
  trmi_draft_section(r->t.draft, set, material);
  r->now = NONE;
  return true;
}

static bool begin(reader *r) {
  if (!take_keyword(r)) return false;
  switch (r->now) {
  case NODE:
    r->set_number = r->set[0] != '\0' ? trmi_draft_set(r->t.draft, r->set, false) : -1;
    return true;
  case ELEMENT: return begin_element(r);
  case NSET:
  case ELSET:
    if (r->set[0] == '\0') return trmi_mesh_fail(&r->t, "*%s without a name", r->name);
    r->set_number = trmi_draft_set(r->t.draft, r->set, r->now == ELSET);
    return r->set_number >= 0;
  case MATERIAL:
    if (r->of[0] == '\0') return trmi_mesh_fail(&r->t, "*MATERIAL without NAME=");
    r->material = trmi_draft_material(r->t.draft, r->of);
    return r->material >= 0;
  case ELASTIC:
  case DENSITY:
  case EXPANSION:
    if (r->material < 0) return trmi_mesh_fail(&r->t, "*%s before any *MATERIAL", r->name);
    if (r->now != DENSITY && r->type[0] != '\0' && strncmp(r->type, "ISO", 3) != 0) {
      return trmi_mesh_fail(&r->t, "*%s, TYPE=%.30s: only isotropic materials are known", r->name,
                            r->type);
    }
    return true;
  case SOLID_SECTION: return begin_section(r);
  case PART:
    if (++r->parts > 1) return trmi_mesh_fail(&r->t, "a second *PART: give one part in a file");
    return true;
  case SKIPPED:
    if (strcmp(r->name, "INCLUDE") == 0) {
      return trmi_mesh_fail(&r->t, "*INCLUDE is not supported: write all into one file");
    }
    note_skipped(r);
    return true;
  default: return true;
  }
}

/* ---- data ---------------------------------------------------------------------------------- */

static bool take_node(reader *r) {
  trmi_mesh_field field;
  size_t from = 0;
  double x[3] = {0.0, 0.0, 0.0};
  int number;
  if (!trmi_mesh_field_next(&r->t, ',', &from, &field) || !trmi_mesh_int(field, &number)) {
    return trmi_mesh_fail(&r->t, "a line of *NODE begins with the number of the node");
  }
  for (int k = 0; k < 3 && trmi_mesh_field_next(&r->t, ',', &from, &field); k++) {
    if (field.length > 0 && !trmi_mesh_number(field, &x[k])) {
      return trmi_mesh_fail(&r->t, "node %d: coordinate %d is not a number", number, k + 1);
    }
  }
  trmi_draft_node(r->t.draft, number, x, r->t.line);
  if (r->set_number >= 0) trmi_draft_member(r->t.draft, r->set_number, number);
  return true;
}

static bool take_element(reader *r) {
  const int needed = 1 + trmi_solid_infos[r->element].nodes;
  trmi_mesh_field field;
  size_t from = 0;
  if (r->count == 0) r->line = r->t.line;
  while (trmi_mesh_field_next(&r->t, ',', &from, &field)) {
    if (field.length == 0) continue;
    if (r->count >= needed) {
      return trmi_mesh_fail(&r->t, "element %d (%s) has more than %d nodes", r->numbers[0],
                            r->type, needed - 1);
    }
    if (!trmi_mesh_int(field, &r->numbers[r->count++])) {
      return trmi_mesh_fail(&r->t, "number %d of an element is not a whole number", r->count);
    }
  }
  if (r->count < needed) return true; /* it continues */
  trmi_draft_element(r->t.draft, r->element, r->numbers[0], r->numbers + 1, r->set_number,
                     r->line);
  r->count = 0;
  return true;
}

static bool take_range(reader *r) {
  int range[3] = {0, 0, 1}, n = 0;
  trmi_mesh_field field;
  size_t from = 0;
  while (trmi_mesh_field_next(&r->t, ',', &from, &field)) {
    if (field.length == 0) continue;
    if (n >= 3 || !trmi_mesh_int(field, &range[n++])) {
      return trmi_mesh_fail(&r->t, "GENERATE needs first, last and step");
    }
  }
  if (n < 2 || range[2] <= 0 || range[1] < range[0]) {
    return trmi_mesh_fail(&r->t, "GENERATE needs first, last and a positive step");
  }
  trmi_draft_members(r->t.draft, r->set_number, range[0], range[1], range[2]);
  return true;
}

static bool take_members(reader *r) {
  trmi_mesh_field field;
  size_t from = 0;
  int number;
  if (r->generates) return take_range(r);
  while (trmi_mesh_field_next(&r->t, ',', &from, &field)) {
    if (field.length == 0) continue;
    if (trmi_mesh_int(field, &number)) {
      trmi_draft_member(r->t.draft, r->set_number, number);
      continue;
    }
    char name[TRMI_SOLID_NAME];
    trmi_mesh_copy(field, true, name);
    const int other = trmi_draft_set(r->t.draft, name, r->now == ELSET);
    if (other < 0) return false;
    trmi_draft_subset(r->t.draft, r->set_number, other);
  }
  return true;
}

/* First line of *ELASTIC, *DENSITY or *EXPANSION: values at the first temperature. */
static bool take_material(reader *r) {
  trmi_solid_material *m = trmi_draft_material_at(r->t.draft, r->material);
  double values[2] = {0.0, 0.0};
  const int needed = r->now == ELASTIC ? 2 : 1;
  trmi_mesh_field field;
  size_t from = 0;
  if (r->has_data) {
    trmi_mesh_note(&r->t, "*%s of '%.40s': only the first line counts", r->name, m->name);
    return true;
  }
  r->has_data = true;
  for (int k = 0; k < needed; k++) {
    if (!trmi_mesh_field_next(&r->t, ',', &from, &field) || !trmi_mesh_number(field, &values[k])) {
      return trmi_mesh_fail(&r->t, "*%s needs %s", r->name,
                            needed == 2 ? "Young's modulus and Poisson's ratio" : "a number");
    }
  }
  if (r->now == DENSITY) {
    m->density = values[0];
  } else if (r->now == EXPANSION) {
    m->expansion = values[0];
  } else {
    m->E = values[0], m->nu = values[1];
  }
  return true;
}

static bool take_data(reader *r) {
  switch (r->now) {
  case NODE: return take_node(r);
  case ELEMENT: return take_element(r);
  case NSET:
  case ELSET: return take_members(r);
  case ELASTIC:
  case DENSITY:
  case EXPANSION: return take_material(r);
  case INSTANCE:
    return trmi_mesh_fail(&r->t, "*INSTANCE moves its part: write the mesh where it is");
  default: return true;
  }
}

static bool is_empty(const trmi_mesh_text *t) {
  for (size_t i = 0; i < t->length; i++) {
    if (!isspace((unsigned char)t->at[i])) return false;
  }
  return true;
}

bool trmi_mesh_read_inp(const char *text, size_t length, trmi_solid_draft *draft,
                        char fault[TRMI_SOLID_FAULT]) {
  reader r = {.t = {.text = text, .end = text + length, .draft = draft, .fault = fault},
              .material = -1, .set_number = -1};
  while (trmi_mesh_next(&r.t)) {
    const bool is_keyword = r.t.length > 0 && r.t.at[0] == '*';
    if (is_empty(&r.t) || (is_keyword && r.t.length > 1 && r.t.at[1] == '*')) continue;
    if (is_keyword && r.count > 0) {
      return trmi_mesh_fail(&r.t, "element %d (%s) has only %d of %d nodes", r.numbers[0], r.type,
                            r.count - 1, trmi_solid_infos[r.element].nodes);
    }
    if (!(is_keyword ? begin(&r) : take_data(&r))) return false;
    if (trmi_solid_draft_failed(draft)) return false;
  }
  if (r.count > 0) {
    return trmi_mesh_fail(&r.t, "the file ends within element %d", r.numbers[0]);
  }
  return true;
}
