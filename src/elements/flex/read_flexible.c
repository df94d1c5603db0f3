/* read_flexible.c - flexible bodies of a definition: mesh, material, interfaces, start. Interfaces
 * join the bodies behind all others, "rod.big": they follow the body (equations/followers.h). */
#include "elements/elements.h"
#include "elements/flex/modal_body.h"
#include "math/so3.h"
#include "trammel/parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool complain(trmi_mechanism *m, const trmi_part *part, const char *path,
                     const char *sentence) {
  trmi_complain(m->complaints, trmi_part_place(part, path), "flexible body '%.60s': %s",
                part->key.name, sentence);
  return false;
}

/* ---- mesh ------------------------------------------------------------------------------------ */

/* Cells are whole numbers. */
static bool read_cells(trmi_mechanism *m, const trmi_part *part, const char *key, int count,
                       int cells[3]) {
  double numbers[3] = {0.0};
  trmi_part_numbers(part, key, count, numbers);
  for (int k = 0; k < count; k++) {
    if (!(numbers[k] >= 1.0 && numbers[k] <= 1e6) || numbers[k] != (int)numbers[k]) {
      return complain(m, part, key, "its cells must be whole numbers from 1 on");
    }
    cells[k] = (int)numbers[k];
  }
  return true;
}

static bool read_grid(trmi_mechanism *m, const trmi_part *part, trmi_grid_def *grid) {
  static const struct {
    const char     *name, *size, *cell_key, *element;
    trmi_grid_shape shape;
    int             sizes, cells;
  } list[] = {{"box", "box.size", "box.cells", "box.element", TRMI_GRID_BOX, 3, 3},
              {"rod", "rod.size", "rod.cells", "rod.element", TRMI_GRID_ROD, 2, 2},
              {"tube", "tube.size", "tube.cells", "tube.element", TRMI_GRID_TUBE, 3, 3},
              {"frame", "frame.size", "frame.cells", "frame.element", TRMI_GRID_FRAME, 2, 3}};
  static const trmi_solid_type types[] = {TRMI_C3D20, TRMI_C3D20R, TRMI_C3D10, TRMI_C3D8I,
                                          TRMI_C3D15, TRMI_C3D4, TRMI_C3D6}; /* as the words */
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (!trmi_part_has(part, list[i].name)) continue;
    grid->shape = list[i].shape;
    grid->type = types[trmi_part_choice(part, list[i].element)];
    trmi_part_numbers(part, list[i].size, list[i].sizes, grid->size);
    trmi_part_numbers(part, "frame.tube", 3, grid->tube);
    if (!read_cells(m, part, list[i].cell_key, list[i].cells, grid->cells)) return false;
    if (grid->shape == TRMI_GRID_ROD) grid->cells[2] = grid->cells[1];
    return true;
  }
  return complain(m, part, "mesh", "it needs a mesh");
}

/* Units of the file: N, s and its length, so that mass is N s^2 over that length. */
static bool read_units(trmi_mechanism *m, const trmi_part *part, trmi_flexible_def *def) {
  const trmi_units *u = &m->def->units;
  const trmi_text *text = trmi_part_text(part, "length");
  double length = u->length;
  if (text->text != NULL && trmi_part_text(part, "mesh")->text == NULL &&
      trmi_part_text(part, "matrices.nodes")->text == NULL) {
    return complain(m, part, "length", "'length' is the unit of a mesh file, and it has none: "
                    "write units with the numbers, as in 30 mm");
  }
  if (text->text != NULL) {
    const trmi_units si = trmi_units_si();
    trmi_dimension dimension;
    if (trmi_unit_read(text->text, text->length, &si, &dimension, &length) != text->length ||
        !trmi_dimension_agrees(dimension, trmi_unit_dimension("m"))) {
      return complain(m, part, "length", "its length must be a unit such as mm");
    }
  }
  const double density = u->mass / (u->length * u->length * u->length);
  def->scale = length / u->length;
  def->file_E = u->length * u->length / (u->force * length * length);
  def->file_density = 1.0 / (length * length * length * length * density);
  def->si_density = density;
  def->inertia = trmi_units_inertia(u);
  return true;
}

/* False: no nodes are chosen. */
static bool read_nodes(const trmi_part *part, trmi_node_selection *out) {
  *out = (trmi_node_selection){.radius = NAN, .set = trmi_part_word(part, "nodes"),
                               .tolerance = trmi_part_number_or(part, "tolerance", NAN)};
  out->numbers = trmi_part_list(part, "numbers", &out->nnumbers);
  if (out->numbers != NULL) {
    out->choice = TRMI_NODES_NUMBERS;
  } else if (trmi_part_numbers(part, "cylinder.from", 3, out->from)) {
    out->choice = TRMI_NODES_CYLINDER;
    trmi_part_numbers(part, "cylinder.to", 3, out->to);
    out->radius = trmi_part_number(part, "cylinder.radius");
  } else if (trmi_part_numbers(part, "box.from", 3, out->from)) {
    out->choice = TRMI_NODES_BOX;
    trmi_part_numbers(part, "box.to", 3, out->to);
  } else if (trmi_part_numbers(part, "plane.at", 3, out->from)) {
    out->choice = TRMI_NODES_PLANE;
    trmi_part_numbers(part, "plane.normal", 3, out->to);
  } else {
    return out->set != NULL;
  }
  return true;
}

static bool read_interface(trmi_mechanism *m, const trmi_part *body, const trmi_part *part,
                           trmi_flexible_interface *out) {
  *out = (trmi_flexible_interface){.name = part->key.name,
                                   .is_rigid = trmi_part_choice(part, "type") == 0};
  out->has_at = trmi_part_numbers(part, "at", 3, out->at);
  if (read_nodes(part, &out->nodes)) return true;
  trmi_complain(m->complaints, part->key.place, "flexible body '%.60s': an interface needs nodes",
                body->key.name);
  return false;
}

/* Is rod.NAME a coordinate of the body, as rod.x, rod.wz and rod.mode3 are? */
static bool is_coordinate(const char *name) {
  const char *axis = name[0] == 'v' || name[0] == 'w' ? name + 1 : name;
  if (strlen(axis) == 1 && strchr("xyz", axis[0]) != NULL) return true;
  if (strncmp(name, "mode", 4) != 0 || name[4] == '\0') return false;
  return name[4 + strspn(name + 4, "0123456789")] == '\0';
}

/* The fault of a load, or NULL. Keys of one kind of load do not apply to the other. */
static const char *fault_of_load(const trmi_part *body, const trmi_part *part,
                                 const trmi_flexible_load *load, bool has_nodes) {
  const bool has_at = trmi_part_has(part, "at");
  if (is_coordinate(part->key.name)) return "has the name of a coordinate of the body";
  if (strlen(body->key.name) + 1 + strlen(part->key.name) > TRMI_NAME_MAX) {
    return "has a name too long for results: with that of the body, more than 47 letters";
  }
  if (load->is_heat) {
    if (has_nodes || trmi_part_has(part, "tolerance")) return "heats elements, not nodes";
    return has_at && !load->has_gradient ? "has `at`, which needs a `gradient`" : NULL;
  }
  if (!has_nodes) return "is a pressure and needs nodes";
  return load->elements != NULL || load->has_gradient || has_at
             ? "is a pressure: elements, gradient and at are of temperatures"
             : NULL;
}

static bool read_load(trmi_mechanism *m, const trmi_part *body, const trmi_part *part,
                      trmi_flexible_load *out) {
  *out = (trmi_flexible_load){.name = part->key.name,
                              .is_heat = trmi_part_has(part, "temperature"),
                              .elements = trmi_part_word(part, "elements")};
  out->has_gradient = trmi_part_numbers(part, "gradient", 3, out->gradient);
  trmi_part_numbers(part, "at", 3, out->at);
  const bool has_nodes = read_nodes(part, &out->nodes);
  const char *fault = fault_of_load(body, part, out, has_nodes);
  if (fault == NULL) return true;
  trmi_complain(m->complaints, part->key.place, "flexible body '%.60s': its load '%.48s' %s",
                body->key.name, part->key.name, fault);
  return false;
}

/* Of an element set. */
static void read_material(const trmi_part *part, trmi_solid_material *out) {
  *out = (trmi_solid_material){.E = trmi_part_number(part, "E"), .nu = trmi_part_number(part, "nu"),
                               .density = trmi_part_number(part, "density"),
                               .expansion = trmi_part_number_or(part, "expansion", NAN)};
  snprintf(out->name, sizeof out->name, "%s", part->key.name);
}

/* Matrices assembled by another program have neither elements nor materials. */
static bool read_matrices(trmi_mechanism *m, const trmi_part *part, trmi_flexible_def *def) {
  static const char *const keys[TRMI_MATRIX_FILES] = {
      [TRMI_MATRIX_STIFFNESS] = "matrices.stiffness", [TRMI_MATRIX_MASS] = "matrices.mass",
      [TRMI_MATRIX_NODES] = "matrices.nodes", [TRMI_MATRIX_DOFS] = "matrices.dofs"};
  for (int k = 0; k < TRMI_MATRIX_FILES; k++) def->matrices[k] = trmi_part_word(part, keys[k]);
  if (trmi_part_has(part, "material") || def->nmaterials > 0) {
    return complain(m, part, "material", "matrices have their material in them: leave it out");
  }
  if (def->nloads > 0) {
    return complain(m, part, "loads", "distributed loads need a mesh of elements: matrices have "
                    "none");
  }
  if (trmi_part_choice(part, "modes.stiffening") > 0) {
    return complain(m, part, "modes.stiffening", "stiffening needs a mesh of elements: matrices "
                    "have none");
  }
  return true;
}

/* Lists are in `scratch`. */
static bool read_def(trmi_mechanism *m, const trmi_part *part, trmi_arena *scratch,
                     trmi_flexible_def *def) {
  *def = (trmi_flexible_def){
      .name = part->key.name, .reductions = &m->def->reductions,
      .mesh = trmi_part_word(part, "mesh"), .fixed = (int)trmi_part_number(part, "modes.fixed"),
      .up_to = trmi_part_number_or(part, "modes.up_to", INFINITY),
      .has_inertia_modes = trmi_part_choice(part, "modes.inertia") != 1,
      .has_exact_inertia = trmi_part_choice(part, "modes.inertia") == 2,
      .stiffening = (trmi_stiffening)trmi_part_choice(part, "modes.stiffening"),
      .has_inner_stress = trmi_part_choice(part, "stress.nodes") == 1,
      .material = {.name = "", .E = trmi_part_number_or(part, "material.E", NAN),
                   .nu = trmi_part_number_or(part, "material.nu", NAN),
                   .density = trmi_part_number_or(part, "material.density", NAN),
                   .expansion = trmi_part_number_or(part, "material.expansion", NAN)}};
  int count = 0;
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) count++;
  trmi_flexible_interface *list = TRMI_TAKE(scratch, trmi_flexible_interface, count);
  trmi_solid_material *materials = TRMI_TAKE(scratch, trmi_solid_material, count);
  trmi_flexible_load *loads = TRMI_TAKE(scratch, trmi_flexible_load, count);
  if (scratch->failed) m->arena->failed = true;
  if (scratch->failed || !read_units(m, part, def)) return false;
  def->interfaces = list, def->materials = materials, def->loads = loads;
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    if (inner->kind->group == TRMI_MATERIALS) {
      read_material(inner, &materials[def->nmaterials++]);
    } else if (inner->kind->group == TRMI_BODY_LOADS) {
      if (!read_load(m, part, inner, &loads[def->nloads++])) return false;
    } else if (!read_interface(m, part, inner, &list[def->ninterfaces++])) {
      return false;
    }
  }
  if (trmi_part_has(part, "matrices")) return read_matrices(m, part, def);
  return def->mesh != NULL || read_grid(m, part, &def->grid);
}

/* The position for a message of the reduction: one about a load or an interface begins with its
 * name. */
static trmi_place place_of(const trmi_part *part, const trmi_flexible_def *def,
                           const char *fault) {
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    char start[80];
    const bool is_load = inner->kind->group == TRMI_BODY_LOADS;
    if (!is_load && inner->kind->group != TRMI_INTERFACES) continue;
    snprintf(start, sizeof start, "%s '%.60s'", is_load ? "load" : "interface", inner->key.name);
    if (strncmp(fault, start, strlen(start)) == 0) return inner->key.place;
  }
  return trmi_part_place(part, def->mesh != NULL ? "mesh"
                               : def->matrices[0] != NULL ? "matrices" : "interfaces");
}

static trmi_reduced_mesh *load(trmi_mechanism *m, const trmi_part *part, trmi_arena *scratch) {
  char fault[TRMI_FLEXIBLE_FAULT] = "flexible bodies need a program that reads files";
  trmi_flexible_def def;
  if (!read_def(m, part, scratch, &def)) return NULL;
  const trmi_loader *loader = m->def->loader;
  const trmi_flexible_body *body = NULL;
  if (loader != NULL && loader->reduce != NULL) body = loader->reduce(&def, m->kept, fault);
  trmi_reduced_mesh *r = TRMI_TAKE(m->kept, trmi_reduced_mesh, 1);
  if (m->kept->failed) {
    m->arena->failed = true;
    return NULL;
  }
  if (body == NULL) {
    trmi_complain(m->complaints, place_of(part, &def, fault), "flexible body '%.60s': %s",
                  part->key.name, fault);
    return NULL;
  }
  *r = (trmi_reduced_mesh){.part = part, .body = body, .next = m->reduced};
  m->reduced = r;
  return r;
}

/* A mesh is reduced once: numbers it depends on cannot be set later. Its memory is not in m->arena,
 * where all parts have the same addresses when they are read again. */
static trmi_reduced_mesh *reduce(trmi_mechanism *m, const trmi_part *part) {
  for (trmi_reduced_mesh *r = m->reduced; r != NULL; r = r->next) {
    if (r->part == part) return r;
  }
  trmi_arena scratch;
  trmi_arena_init(&scratch, &m->arena->allocator);
  trmi_reduced_mesh *r = load(m, part, &scratch);
  trmi_arena_clear(&scratch);
  return r;
}

/* ---- damping and start ----------------------------------------------------------------------- */

/* A ratio of damping holds for frequencies below `hertz`, and not below that of the band before;
 * the last one for all above, too. */
typedef struct band {
  double hertz, ratio;
} band;

enum { BANDS_MAX = TRM_TEXTS_MAX / 2 };

/* A frequency in Hz or a ratio. */
static bool read_band_number(trmi_mechanism *m, const trmi_part *part, const trmi_text *text,
                             bool is_ratio, double *number) {
  const trmi_dimension should = trmi_unit_dimension(is_ratio ? "1" : "Hz");
  const int before = m->complaints->count;
  trmi_dimension is;
  if (!is_ratio && trmi_word_find("inf|.inf|.Inf|.INF", text->text) >= 0) {
    *number = INFINITY;
    return true;
  }
  const bool is_good = trmi_parameters_value(m->parameters, text, number, &is) &&
                       trmi_check_dimension(m->complaints, &m->def->units, text, is, should);
  trmi_complaints_name(m->complaints, before, "flexible body", part->key.name);
  if (!is_ratio) *number /= m->def->units.time;
  return is_good;
}

/* Bands of a list of rows [frequency, ratio]; returns their number, 0 after a complaint. */
static int read_rows(trmi_mechanism *m, const trmi_part *part, const trmi_given *given,
                     band bands[BANDS_MAX]) {
  char sentence[200] = "";
  const int count = given->count / 2;
  if (count > BANDS_MAX) {
    snprintf(sentence, sizeof sentence, "its damping has %d bands; there is room for %d", count,
             BANDS_MAX);
  }
  for (int i = 0; i < count && sentence[0] == '\0'; i++) {
    band *b = &bands[i];
    const double last = i > 0 ? bands[i - 1].hertz : 0.0;
    if (!read_band_number(m, part, &given->texts[2 * i], false, &b->hertz) ||
        !read_band_number(m, part, &given->texts[2 * i + 1], true, &b->ratio)) {
      return 0;
    }
    if (!(b->hertz > last)) {
      snprintf(sentence, sizeof sentence, "frequencies of its damping must be positive and "
               "increase: row %d has %g Hz", i + 1, b->hertz);
    } else if (!(b->ratio >= 0.0)) {
      snprintf(sentence, sizeof sentence, "its damping must not be negative: row %d has the ratio "
               "%g", i + 1, b->ratio);
    }
  }
  if (sentence[0] == '\0') return count;
  complain(m, part, "damping", sentence);
  return 0;
}

/* The bands of `damping` in any form; returns their number, 0 after a complaint. */
static int read_bands(trmi_mechanism *m, const trmi_part *part, band bands[BANDS_MAX]) {
  static const band usual[] = {{100.0, 0.01}, {1000.0, 0.1}, {INFINITY, 1.0}};
  const trmi_given *given = trmi_part_find(part, "damping");
  const trmi_text *text = trmi_part_text(part, "damping");
  if (given != NULL && given->count > 1) return read_rows(m, part, given, bands);
  if (text->text == NULL || strcmp(text->text, "bands") == 0) {
    memcpy(bands, usual, sizeof usual);
    return (int)(sizeof usual / sizeof *usual);
  }
  bands->hertz = INFINITY;
  const int before = m->complaints->count;
  if (read_band_number(m, part, text, true, &bands->ratio) && bands->ratio >= 0.0) return 1;
  m->complaints->count = before; /* one message is enough */
  complain(m, part, "damping", "its damping must be a ratio that is not negative, such as 0.05 for "
           "5 %, or bands, or a list of bands such as [[100 Hz, 0.01], [inf, 0.1]]");
  return 0;
}

/* Ratio of each mode, computed once like the modes themselves. */
static bool read_damping(trmi_mechanism *m, trmi_reduced_mesh *r) {
  const trmi_modal_arrays *arrays = &r->body->arrays;
  band bands[BANDS_MAX];
  if (r->damping != NULL) return true;
  const int count = read_bands(m, r->part, bands);
  if (count == 0) return false;
  double *damping = TRMI_TAKE(m->kept, double, arrays->n);
  if (damping == NULL) {
    m->arena->failed = true;
    return false;
  }
  for (int j = 0; j < arrays->n; j++) {
    const double hertz = sqrt(arrays->omega2[j]) / (2.0 * 3.14159265358979323846 *
                                                    m->def->units.time);
    int i = 0;
    while (i < count - 1 && !(hertz < bands[i].hertz)) i++;
    damping[j] = bands[i].ratio;
  }
  r->damping = damping;
  return true;
}

static const char *join_names(trmi_mechanism *m, const char *body, const char *word) {
  const size_t size = strlen(body) + strlen(word) + 2;
  char *text = TRMI_TAKE(m->arena, char, size);
  if (text == NULL) return "";
  snprintf(text, size, "%s.%s", body, word);
  return text;
}

/* The part of interface number k. */
static const trmi_part *interface_part(const trmi_part *body, int k) {
  const trmi_part *part = body->inner;
  while (part != NULL && (part->kind->group != TRMI_INTERFACES || k-- > 0)) part = part->next;
  return part;
}

/* Interfaces as followers, at their positions on the undeformed body. */
static void add_interfaces(trmi_mechanism *m, trmi_flexible_part *body) {
  const trmi_modal_arrays *arrays = &body->reduced->arrays;
  double R[9];
  trmi_quat_matrix(body->q0 + 3, R);
  body->first = m->nbodies;
  for (int i = 0; i < arrays->ninterfaces; i++) {
    const trmi_vec3 arm = m3_mul(R, v3_load(arrays->interfaces[i].at));
    const trmi_vec3 w = m3_mul(R, v3_load(body->v0 + 3));
    trmi_body *one = &m->bodies[m->nbodies];
    *one = (trmi_body){.name = join_names(m, body->def->key.name, arrays->interfaces[i].name),
                       .shaped = interface_part(body->def, i), .kind = TRMI_CARRIER_BODY,
                       .carrier_n = 6 + arrays->n, .flexible = body};
    memcpy(one->q0, body->q0, sizeof one->q0);
    memcpy(one->v0, body->v0, sizeof one->v0);
    v3_store(one->q0, v3_add(v3_load(body->q0), arm));
    v3_store(one->v0, v3_add(v3_load(body->v0), v3_cross(w, arm)));
    trmi_index_add(&m->body_names, m->arena, one->name, strlen(one->name), m->nbodies);
    m->nbodies++;
  }
}

static bool read_flexible(trmi_mechanism *m, trmi_flexible_part *body) {
  const trmi_part *part = body->def;
  trmi_reduced_mesh *reduced = reduce(m, part);
  if (reduced == NULL) return false;
  body->reduced = reduced->body;
  body->loads = TRMI_TAKE(m->arena, trmi_body_load, body->reduced->arrays.nloads);
  trmi_flexible_def units = {.scale = 1.0};
  if (body->loads == NULL || !read_units(m, part, &units)) return false;
  body->length = units.scale;
  body->q0[3] = 1.0;
  trmi_part_numbers(part, "at", 3, body->q0);
  trmi_part_numbers(part, "velocity", 3, body->v0);
  trmi_part_numbers(part, "angular_velocity", 3, body->v0 + 3);
  if (!trmi_read_orientation(m, part, body->q0 + 3)) return false;
  if (!read_damping(m, reduced)) return false;
  body->damping = reduced->damping;
  return true;
}

void trmi_read_flexible(trmi_mechanism *m) {
  const trmi_parts *parts = &m->def->parts[TRMI_FLEXIBLE];
  m->flexible = TRMI_TAKE(m->arena, trmi_flexible_part, parts->count);
  if (parts->count == 0 || m->flexible == NULL) return;
  int count = m->nbodies;
  for (int i = 0; i < parts->count; i++) {
    m->flexible[i].def = &parts->list[i];
    if (!read_flexible(m, &m->flexible[i])) return;
    count += m->flexible[i].reduced->arrays.ninterfaces;
  }
  trmi_body *bodies = TRMI_TAKE(m->arena, trmi_body, count);
  if (bodies == NULL) return;
  memcpy(bodies, m->bodies, (size_t)m->nbodies * sizeof *bodies);
  m->bodies = bodies;
  for (; m->nflexible < parts->count; m->nflexible++) {
    add_interfaces(m, &m->flexible[m->nflexible]);
  }
}

const trmi_flexible_part *trmi_find_flexible(const trmi_mechanism *m, const char *name,
                                             size_t length) {
  for (int i = 0; i < m->nflexible; i++) {
    const char *known = m->flexible[i].def->key.name;
    if (strlen(known) == length && memcmp(known, name, length) == 0) return &m->flexible[i];
  }
  return NULL;
}

/* ---- contributor ----------------------------------------------------------------------------- */

/* Couplings of modes by rotation are small up to a fifth of the first frequency. */
static bool turns_fast(const trmi_flexible_part *body) {
  const trmi_vec3 w = v3_load(body->v0 + 3);
  return v3_dot(w, w) > 0.04 * body->reduced->arrays.omega2[0];
}

void trmi_contribute_flexible(trmi_mechanism *m) {
  trmi_assembly *a = m->b->assembly;
  if (m->nflexible == 0 || m->carriers == NULL) return;
  trmi_modal_bodies *all = trmi_modal_bodies_create(a, m->carriers, m->nflexible, m->gravity);
  if (all == NULL) return;
  m->modal = all;
  for (int i = 0; i < m->nflexible; i++) {
    const trmi_flexible_part *body = &m->flexible[i];
    const trmi_modal_part part = {.arrays = &body->reduced->arrays, .damping = body->damping,
                                  .is_fast = turns_fast(body), .q = body->q, .v = body->v};
    (void)trmi_modal_bodies_add(all, &part); /* the arena records failures */
    for (int j = 0; j < part.arrays->n; j++) {
      if (body->damping[j] > 0.0) a->has_power = true;
    }
  }
}
