/* mesh_bdf.c - meshes of Nastran, bulk data.
 *
 * Read are GRID, CTETRA, CHEXA, CPENTA, PSOLID and MAT1, in small fields (8 columns), large ones
 * (16 columns, the name ends with *) and free ones (with commas), continued or not. Everything
 * before BEGIN BULK and other cards are skipped, with a note for each name. Properties become
 * element sets PSOLID_n. Middle nodes of hexahedra and wedges go around the bottom, up the sides,
 * then around the top; ours have the sides last. */
#include "io/bdf_card.h"
#include "fem/solid_shapes.h"
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 64 };

typedef struct pending {
  int property, material; /* PSOLID */
} pending;

typedef struct reader {
  trmi_mesh_text t;
  trmi_bdf_card  now;
  int            line;   /* where the card began */
  trmi_buffer    properties;
  char           skipped[NAMES_MAX][TRMI_SOLID_NAME];
  int            nskipped;
} reader;

static const struct {
  const char     *name;
  int             nodes;
  trmi_solid_type type;
  int             order[TRMI_SOLID_NODES_MAX];
} types[] = {
  {"CTETRA", 4, TRMI_C3D4, {0, 1, 2, 3}},
  {"CTETRA", 10, TRMI_C3D10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
  {"CHEXA", 8, TRMI_C3D8I, {0, 1, 2, 3, 4, 5, 6, 7}},
  {"CHEXA", 20, TRMI_C3D20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15}},
  {"CPENTA", 6, TRMI_C3D6, {0, 1, 2, 3, 4, 5}},
  {"CPENTA", 15, TRMI_C3D15, {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 9, 10, 11}},
};

/* ---- cards ----------------------------------------------------------------------------------- */

/* The next card with its continuations; false at the end. */
static bool next_card(reader *r) {
  r->now = (trmi_bdf_card){.count = 0};
  do {
    if (!trmi_mesh_next(&r->t)) return false;
    trmi_bdf_strip(&r->t);
  } while (r->t.length == 0);
  r->line = r->t.line;
  trmi_bdf_take(&r->now, &r->t, true);
  for (;;) {
    trmi_mesh_text ahead = r->t;
    do {
      if (!trmi_mesh_next(&ahead)) return true;
      trmi_bdf_strip(&ahead);
    } while (ahead.length == 0);
    if (!trmi_bdf_continues(&ahead)) return true;
    r->t = ahead;
    trmi_bdf_take(&r->now, &r->t, false);
  }
}

static bool card_int(reader *r, int i, const char *what, int *number) {
  if (i < r->now.count && trmi_mesh_int(r->now.field[i], number)) return true;
  return trmi_mesh_fail(&r->t, "%.*s of line %d: %s is not a whole number",
                        (int)r->now.name.length, r->now.name.text, r->line, what);
}

static bool read_grid(reader *r) {
  int number;
  double x[3] = {0.0, 0.0, 0.0};
  if (!card_int(r, 0, "its number", &number)) return false;
  if (r->now.field[1].length > 0 && !trmi_mesh_is(r->now.field[1], "0")) {
    return trmi_mesh_fail(&r->t, "GRID %d is given in another coordinate system; only the basic "
                          "one is known", number);
  }
  for (int k = 0; k < 3; k++) {
    if (r->now.field[2 + k].length > 0 && !trmi_bdf_number(r->now.field[2 + k], &x[k])) {
      return trmi_mesh_fail(&r->t, "GRID %d: coordinate %d is not a number", number, k + 1);
    }
  }
  trmi_draft_node(r->t.draft, number, x, r->line);
  return true;
}

static int set_of(reader *r, int property) {
  char name[TRMI_SOLID_NAME];
  snprintf(name, sizeof name, "PSOLID_%d", property);
  return trmi_draft_set(r->t.draft, name, true);
}

static bool read_element(reader *r, const char *name) {
  int number, property, nodes[TRMI_SOLID_NODES_MAX], given[TRMI_SOLID_NODES_MAX], n = 0;
  if (!card_int(r, 0, "its number", &number) || !card_int(r, 1, "its property", &property)) {
    return false;
  }
  int last = r->now.count;
  while (last > 2 && r->now.field[last - 1].length == 0) last--;
  for (int k = 2; k < last && n < TRMI_SOLID_NODES_MAX; k++) {
    if (r->now.field[k].length == 0) {
      return trmi_mesh_fail(&r->t, "%s %d: some middle nodes are missing", name, number);
    }
    if (!card_int(r, k, "a node", &given[n++])) return false;
  }
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (strcmp(types[i].name, name) != 0 || types[i].nodes != n || last - 2 != n) continue;
    for (int k = 0; k < n; k++) nodes[k] = given[types[i].order[k]];
    trmi_draft_element(r->t.draft, types[i].type, number, nodes, set_of(r, property), r->line);
    return true;
  }
  return trmi_mesh_fail(&r->t, "%s %d has %d nodes", name, number, last - 2);
}

/* Materials are named by their numbers, MAT1_n. */
static int material_of(reader *r, int number) {
  char name[TRMI_SOLID_NAME];
  snprintf(name, sizeof name, "MAT1_%d", number);
  return trmi_draft_material(r->t.draft, name);
}

/* MID, E, G, NU, RHO, A; of E, G and NU two are enough: E = 2 G (1 + nu). */
static bool read_material(reader *r) {
  int number;
  double E = NAN, G = NAN, nu = NAN, density = NAN, expansion = NAN;
  double *const values[5] = {&E, &G, &nu, &density, &expansion};
  if (!card_int(r, 0, "its number", &number)) return false;
  for (int k = 0; k < 5; k++) {
    if (r->now.field[1 + k].length > 0 && !trmi_bdf_number(r->now.field[1 + k], values[k])) {
      return trmi_mesh_fail(&r->t, "MAT1 %d: field %d is not a number", number, k + 3);
    }
  }
  if (isnan(nu)) nu = E / (2.0 * G) - 1.0;
  if (isnan(E)) E = 2.0 * G * (1.0 + nu);
  const int material = material_of(r, number);
  if (material < 0) return false;
  trmi_solid_material *m = trmi_draft_material_at(r->t.draft, material);
  m->E = E, m->nu = nu, m->density = density, m->expansion = expansion;
  return true;
}

static bool read_property(reader *r) {
  pending one;
  if (!card_int(r, 0, "its number", &one.property) ||
      !card_int(r, 1, "its material", &one.material)) {
    return false;
  }
  trmi_buffer_add(&r->properties, &one, sizeof one);
  return true;
}

static void note_skipped(reader *r) {
  char name[TRMI_SOLID_NAME];
  trmi_mesh_copy(r->now.name, true, name);
  for (int i = 0; i < r->nskipped; i++) {
    if (strcmp(r->skipped[i], name) == 0) return;
  }
  if (r->nskipped >= NAMES_MAX || name[0] == '\0') return;
  memcpy(r->skipped[r->nskipped++], name, sizeof name);
  trmi_mesh_note(&r->t, "%.40s is left out", name);
}

static bool read_card(reader *r) {
  const trmi_mesh_field name = r->now.name;
  if (r->now.is_too_long) {
    return trmi_mesh_fail(&r->t, "the card of line %d is too long", r->line);
  }
  if (trmi_mesh_is(name, "GRID")) return read_grid(r);
  if (trmi_mesh_is(name, "CTETRA")) return read_element(r, "CTETRA");
  if (trmi_mesh_is(name, "CHEXA")) return read_element(r, "CHEXA");
  if (trmi_mesh_is(name, "CPENTA")) return read_element(r, "CPENTA");
  if (trmi_mesh_is(name, "MAT1")) return read_material(r);
  if (trmi_mesh_is(name, "PSOLID")) return read_property(r);
  if (trmi_mesh_is(name, "INCLUDE")) {
    return trmi_mesh_fail(&r->t, "INCLUDE is not supported: write all into one file");
  }
  if (!trmi_mesh_is(name, "ENDDATA")) note_skipped(r);
  return true;
}

/* Behind BEGIN BULK, or from the beginning if there is none. */
static void skip_head(reader *r) {
  trmi_mesh_text ahead = r->t;
  while (trmi_mesh_next(&ahead)) {
    const trmi_mesh_field line = trmi_bdf_trimmed(ahead.at, ahead.length);
    if (line.length < 10 ||
        !trmi_mesh_is((trmi_mesh_field){.text = line.text, .length = 5}, "BEGIN")) {
      continue;
    }
    r->t = ahead;
    return;
  }
}

bool trmi_mesh_read_bdf(const char *text, size_t length, trmi_solid_draft *draft,
                        char fault[TRMI_SOLID_FAULT]) {
  reader r = {.t = {.text = text, .end = text + length, .draft = draft, .fault = fault}};
  trmi_buffer_init(&r.properties, &draft->nodes.allocator);
  skip_head(&r);
  bool is_read = true;
  while (is_read && next_card(&r)) is_read = read_card(&r) && !trmi_solid_draft_failed(draft);
  const pending *list = (const pending *)(const void *)r.properties.data;
  for (int i = 0; is_read && i < (int)(r.properties.used / sizeof *list); i++) {
    const int set = set_of(&r, list[i].property), material = material_of(&r, list[i].material);
    if (set >= 0 && material >= 0) trmi_draft_section(draft, set, material);
  }
  if (r.properties.failed) draft->sets.failed = true;
  trmi_buffer_free(&r.properties);
  return is_read && !draft->sets.failed;
}
