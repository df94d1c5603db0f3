/* flexible_matrices.c - nodes, stiffness and mass of a flexible body from files of another program.
 * Stiffness is in N over the length of the files, mass in N s^2 over it. */
#include "io/flexible_matrices.h"
#include "io/matrix_text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct work {
  const trmi_matrix_files *files;
  trmi_solid_mesh *mesh;
  trmi_arena      *arena;
  int             *order;
  trmi_matrix_rows rows;
} work;

static const char *text_of(const work *w, int file, size_t *length) {
  const size_t from = file > 0 ? w->files->ends[file - 1] : 0;
  *length = w->files->ends[file] - from - 1;
  return w->files->bytes + from;
}

static bool fail(const work *w, int file, const char *sentence) {
  snprintf(w->files->fault, TRMI_FLEXIBLE_FAULT, "the file '%.200s': %s",
           w->files->def->matrices[file], sentence);
  return false;
}

static bool read_nodes(work *w) {
  char fault[TRMI_SOLID_FAULT] = "";
  size_t length;
  const char *text = text_of(w, TRMI_MATRIX_NODES, &length);
  if (!trmi_matrix_nodes(text, length, w->arena, w->mesh, &w->order, fault)) {
    return fail(w, TRMI_MATRIX_NODES, fault);
  }
  text = text_of(w, TRMI_MATRIX_DOFS, &length);
  if (!trmi_matrix_dofs(text, length, w->mesh, w->order, w->arena, &w->rows, fault)) {
    return fail(w, TRMI_MATRIX_DOFS, fault);
  }
  for (int i = 0; i < 3 * w->mesh->nnodes; i++) w->mesh->x[i] *= w->files->def->scale;
  return true;
}

/* Entries times the unit of the file. */
static bool read_matrix(const work *w, int file, double unit, trmi_buffer *entries,
                        trmi_given_matrix *out) {
  char fault[TRMI_SOLID_FAULT] = "";
  size_t length;
  const char *text = text_of(w, file, &length);
  const bool is_mass = file == TRMI_MATRIX_MASS;
  trmi_matrix_reading reading = {.mesh = w->mesh, .rows = &w->rows, .first = is_mass ? 'M' : 'K',
                                 .entries = entries, .fault = fault};
  const bool is_read = trmi_matrix_read(text, length, &reading);
  if (entries->failed) w->arena->failed = true;
  if (!is_read) return fail(w, file, fault);
  *out = (trmi_given_matrix){.name = is_mass ? "mass" : "stiffness", .is_full = reading.is_full,
                             .entries = (trmi_given_entry *)(void *)entries->data,
                             .count = entries->used / sizeof(trmi_given_entry)};
  for (size_t i = 0; i < out->count; i++) { /* of rotations: moments, or forces by radians */
    trmi_given_entry *e = &out->entries[i];
    const int first = 3 * w->mesh->nnodes, turns = (e->row >= first) + (e->column >= first);
    e->value *= unit * (turns == 0 ? 1.0 : turns == 1 ? w->files->def->scale
                                         : w->files->def->scale * w->files->def->scale);
  }
  return true;
}

/* A body is not denser than the box around it filled with the densest material. */
static bool check_density(const work *w, const trmi_fem *fem) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double mass = 0.0, volume = 1.0;
  for (int i = 0; i < 3 * trmi_solid_mesh_places(w->mesh); i++) {
    low[i % 3] = fmin(low[i % 3], w->mesh->x[i]);
    high[i % 3] = fmax(high[i % 3], w->mesh->x[i]);
  }
  for (int i = 0; i < fem->n; i++) {
    for (int e = fem->first[i]; e < fem->first[i + 1]; e++) {
      mass += fem->m[e] * (fem->column[e] != i ? 2.0 : 1.0);
    }
  }
  for (int k = 0; k < 3; k++) volume *= high[k] - low[k];
  const double si = mass / w->files->def->inertia * w->files->def->si_density / volume;
  if (!(volume > 0.0) || si <= 30000.0) return true;
  snprintf(w->files->fault, TRMI_FLEXIBLE_FAULT, "the mass matrix gives %.3g kg/m^3 over the box "
           "around the nodes, which no material has: is `length`, the unit of the files, right?",
           si);
  return false;
}

static bool make(work *w, trmi_buffer lists[2], trmi_fem *fem) {
  const trmi_flexible_def *def = w->files->def;
  const double in_mass = def->file_density * def->scale * def->scale * def->scale * def->inertia;
  trmi_given_def given = {.mesh = w->mesh, .notes = w->files->notes};
  char fault[TRMI_SOLID_FAULT] = "";
  given.fault = fault;
  if (!read_nodes(w) ||
      !read_matrix(w, TRMI_MATRIX_STIFFNESS, def->file_E * def->scale, &lists[0],
                   &given.stiffness) ||
      !read_matrix(w, TRMI_MATRIX_MASS, in_mass, &lists[1], &given.mass)) {
    return false;
  }
  if (!trmi_given_rotations(&given, w->mesh, w->arena)) return false;
  if (!trmi_fem_given(&given, w->arena, fem)) {
    snprintf(w->files->fault, TRMI_FLEXIBLE_FAULT, "%s", fault);
    return false;
  }
  return check_density(w, fem);
}

bool trmi_flexible_matrices(const trmi_matrix_files *files, trmi_arena *arena,
                            trmi_solid_mesh *mesh, trmi_fem *fem) {
  work w = {.files = files, .mesh = mesh, .arena = arena};
  trmi_buffer lists[2];
  for (int k = 0; k < 2; k++) trmi_buffer_init(&lists[k], &arena->allocator);
  const bool is_good = make(&w, lists, fem);
  for (int k = 0; k < 2; k++) trmi_buffer_free(&lists[k]);
  return is_good;
}
