/* flexible_reduce.c - reads a mesh file and reduces it to a flexible body, for the loader. */
#include "io/flexible_reduce.h"
#include "fem/reduction.h"
#include "fem/solid_shapes.h"
#include "io/flexible_loads.h"
#include "io/flexible_matrices.h"
#include "io/flexible_nodes.h"
#include "io/mesh_text.h"
#include "io/reduction_cache.h"
#include "math/vec.h"
#include <stdio.h>
#include <string.h>

typedef struct work {
  const trmi_flexible_def *def;
  trmi_arena      *arena;   /* results */
  trmi_arena       scratch;
  trmi_arena       of_K;    /* of the stiffness of a mesh */
  trmi_buffer      file;    /* bytes of the mesh file, and a zero; of matrices one after another */
  size_t           ends[TRMI_MATRIX_FILES]; /* of the files of matrices in it, zeros included */
  trmi_solid_draft draft;
  trmi_solid_mesh  mesh;
  trmi_fem         fem;
  trmi_interface  *interfaces;
  const trmi_solid_load *loads;
  char            *fault;   /* [TRMI_FLEXIBLE_FAULT] */
} work;

static bool fail(const work *w, const char *sentence) {
  snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "%s", sentence);
  return false;
}

/* ---- mesh and materials ---------------------------------------------------------------------- */

static bool fail_mesh(const work *w, const char *sentence) {
  snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "the mesh '%.200s': %s", w->def->mesh, sentence);
  return false;
}

/* Files of matrices, each with a zero at its end. */
static bool read_matrix_files(work *w) {
  for (int k = 0; k < TRMI_MATRIX_FILES; k++) {
    char reason[TRMI_LOADER_FAULT] = "";
    const char *path = w->def->matrices[k];
    const bool is_good = path == NULL || trmi_file_loader.read_file(path, &w->file, reason);
    trmi_buffer_add(&w->file, "", 1);
    w->ends[k] = w->file.used;
    if (w->file.failed) w->scratch.failed = true;
    if (is_good && !w->file.failed) continue;
    snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "the file '%.200s': %s", path, reason);
    return false;
  }
  return true;
}

static bool read_file(work *w) {
  char reason[TRMI_LOADER_FAULT] = "";
  if (w->def->matrices[0] != NULL) return read_matrix_files(w);
  if (w->def->mesh == NULL) return true;
  const bool is_good = trmi_file_loader.read_file(w->def->mesh, &w->file, reason);
  trmi_buffer_add(&w->file, "", 1);
  if (w->file.failed) w->scratch.failed = true;
  return (is_good && !w->file.failed) || fail_mesh(w, reason);
}

static bool read_mesh(work *w) {
  char fault[TRMI_SOLID_FAULT] = "";
  const bool is_good = trmi_mesh_read(w->def->mesh, w->file.data, w->file.used - 1, &w->draft,
                                      &w->scratch, &w->mesh, fault);
  if (trmi_solid_draft_failed(&w->draft)) w->scratch.failed = true;
  trmi_buffer_free(&w->file); /* its bytes are no longer needed */
  return is_good || fail_mesh(w, fault);
}

static bool make_matrices(work *w) {
  const trmi_matrix_files files = {.def = w->def, .bytes = w->file.data, .ends = w->ends,
                                   .notes = &w->draft.notes, .fault = w->fault};
  const bool is_good = trmi_flexible_matrices(&files, &w->scratch, &w->mesh, &w->fem);
  trmi_buffer_free(&w->file);
  return is_good;
}

static bool make_mesh(work *w) {
  char fault[TRMI_SOLID_FAULT] = "";
  if (w->def->matrices[0] != NULL) return make_matrices(w);
  if (w->def->mesh != NULL) {
    if (!read_mesh(w)) return false;
    for (int i = 0; i < 3 * w->mesh.nnodes; i++) w->mesh.x[i] *= w->def->scale;
    return true;
  }
  if (!trmi_solid_grid(&w->def->grid, &w->draft, fault) ||
      !trmi_solid_mesh_finish(&w->draft, &w->scratch, &w->mesh, fault)) {
    return fail(w, fault);
  }
  return true;
}

/* Materials of the file in units of the model; density is converted to inertia. */
static bool convert_materials(work *w) {
  const trmi_flexible_def *def = w->def;
  trmi_solid_mesh *mesh = &w->mesh;
  for (int i = 0; i < mesh->nmaterials; i++) {
    trmi_solid_material *m = &mesh->materials[i];
    m->E *= def->file_E, m->density *= def->file_density;
    const double si = m->density * def->si_density;
    m->density *= def->inertia;
    if (!(m->E > 0.0) || !(m->nu > -1.0 && m->nu < 0.5) || !(m->density > 0.0)) {
      snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "material '%.60s' of the mesh file needs Young's "
               "modulus, Poisson's ratio (below 0.5) and density", m->name);
      return false;
    }
    if (si < 1.0 || si > 30000.0) {
      snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "material '%.60s' of the mesh file has a density of "
               "%.3g kg/m^3, which no material has: is `length`, the unit of the file, right?",
               m->name, si);
      return false;
    }
  }
  return true;
}

/* Add a material of the model after those of the file. @return its number */
static int add_material(const work *w, trmi_solid_mesh *mesh, const trmi_solid_material *given) {
  mesh->materials[mesh->nmaterials] = *given;
  mesh->materials[mesh->nmaterials].density *= w->def->inertia;
  return mesh->nmaterials++;
}

/* `material` is that of all elements, `materials` those of sets. */
static bool assign_materials(work *w) {
  const trmi_flexible_def *def = w->def;
  trmi_solid_mesh *mesh = &w->mesh;
  const bool is_given = isfinite(def->material.E);
  const trmi_solid_material *old = mesh->materials;
  const size_t count = (size_t)(mesh->nmaterials + def->nmaterials + 1);
  if (!is_given && !convert_materials(w)) return false;
  mesh->materials = TRMI_TAKE(&w->scratch, trmi_solid_material, count);
  if (mesh->materials == NULL) return false;
  if (mesh->nmaterials > 0) memcpy(mesh->materials, old, (size_t)mesh->nmaterials * sizeof *old);
  const int all = is_given ? add_material(w, mesh, &def->material) : -1;
  for (int e = 0; e < mesh->nelements && is_given; e++) mesh->elements[e].material = all;
  for (int i = 0; i < def->nmaterials; i++) {
    const trmi_solid_set *set = trmi_solid_mesh_set(mesh, def->materials[i].name, true);
    if (set == NULL) {
      snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "the mesh has no element set '%.60s'",
               def->materials[i].name);
      return false;
    }
    const int one = add_material(w, mesh, &def->materials[i]);
    for (int k = 0; k < set->count; k++) mesh->elements[set->list[k]].material = one;
  }
  for (int e = 0; e < mesh->nelements; e++) {
    if (mesh->elements[e].material >= 0) continue;
    snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "element %d has no material: give `material`, or one "
             "in the mesh file", mesh->elements[e].number);
    return false;
  }
  return true;
}

/* ---- interfaces ------------------------------------------------------------------------------ */

/* Append rotations of the nodes of a rigid interface. */
static bool add_rotations(work *w, trmi_interface *one) {
  const trmi_solid_mesh *mesh = &w->mesh;
  if (mesh->nturning == 0 || !one->is_rigid) return true;
  bool *is_tied = TRMI_TAKE(&w->scratch, bool, mesh->nnodes);
  int *list = TRMI_TAKE(&w->scratch, int, one->count + mesh->nturning);
  if (w->scratch.failed) return false;
  if (one->count > 0) memcpy(list, one->nodes, (size_t)one->count * sizeof *list);
  for (int i = 0; i < one->count; i++) is_tied[list[i]] = true;
  for (int i = 0; i < mesh->nturning; i++) {
    if (!is_tied[mesh->turning[i]]) continue;
    list[one->count + one->turning++] = trmi_solid_mesh_places(mesh) + i;
  }
  one->nodes = list;
  return true;
}

static bool choose_nodes(work *w, const trmi_flexible_interface *one, trmi_interface *out) {
  trmi_node_request request = {.mesh = &w->mesh, .sort = "interface", .name = one->name,
                               .of = &one->nodes, .fault = w->fault};
  const bool is_good = trmi_flexible_nodes(&request, &w->scratch);
  *out = (trmi_interface){.name = one->name, .is_rigid = one->is_rigid, .count = request.count,
                          .nodes = request.nodes};
  for (int k = 0; k < 3; k++) {
    out->at[k] = one->at[k];
    for (int i = 0; i < request.count && !one->has_at; i++) {
      out->at[k] += w->mesh.x[3 * request.nodes[i] + k] / request.count;
    }
  }
  return is_good && add_rotations(w, out);
}

static bool choose_interfaces(work *w) {
  w->interfaces = TRMI_TAKE(&w->scratch, trmi_interface, w->def->ninterfaces);
  if (w->interfaces == NULL) return false;
  for (int i = 0; i < w->def->ninterfaces; i++) {
    if (!choose_nodes(w, &w->def->interfaces[i], &w->interfaces[i])) return false;
  }
  return true;
}

/* ---- reduction ------------------------------------------------------------------------------- */

/* Position of the largest displacement of each mode. */
static void find_places(const work *w, const trmi_mesh_reduction *r, trmi_flexible_body *out) {
  const size_t size = 3 * (size_t)w->mesh.nnodes;
  for (int k = 0; k < r->arrays.n; k++) {
    const double *mode = r->phi + (size_t)k * size;
    double most = -1.0;
    int best = 0;
    for (int i = 0; i < trmi_solid_mesh_places(&w->mesh); i++) {
      const trmi_vec3 u = v3_load(mode + 3 * i);
      if (v3_dot(u, u) > most) most = v3_dot(u, u), best = i;
    }
    memcpy(out->place + 3 * k, w->mesh.x + 3 * best, 3 * sizeof *out->place);
    out->at_node[k] = w->mesh.number[best];
  }
}

/* NULL stays NULL. */
static const double *keep_list(trmi_arena *arena, const double *list, size_t count) {
  if (list == NULL) return NULL;
  double *copy = TRMI_TAKE(arena, double, count);
  if (copy != NULL && count > 0) memcpy(copy, list, count * sizeof *copy);
  return copy;
}

static const char *keep_text(trmi_arena *arena, const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = TRMI_TAKE(arena, char, size);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}

static trmi_modal_load *keep_loads(trmi_arena *arena, const trmi_modal_arrays *in) {
  const size_t n = (size_t)in->n;
  trmi_modal_load *list = TRMI_TAKE(arena, trmi_modal_load, in->nloads);
  for (int i = 0; i < in->nloads && !arena->failed; i++) {
    list[i] = in->loads[i];
    list[i].name = keep_text(arena, in->loads[i].name);
    list[i].f = keep_list(arena, in->loads[i].f, n);
    list[i].X = keep_list(arena, in->loads[i].X, 3 * n);
  }
  return list;
}

/* Files of matrices contain only nodes. */
static int last_number(const trmi_solid_mesh *mesh) {
  int last = mesh->last_number;
  for (int i = 0; i < trmi_solid_mesh_places(mesh); i++) {
    if (mesh->number[i] > last) last = mesh->number[i];
  }
  return last;
}

/* Copy results without the shapes of modes at inner nodes, which are large. */
static trmi_flexible_body *keep(work *w, const trmi_mesh_reduction *r) {
  trmi_arena *a = w->arena;
  const trmi_modal_arrays *in = &r->arrays;
  const size_t n = (size_t)in->n;
  trmi_flexible_body *out = TRMI_TAKE(a, trmi_flexible_body, 1);
  trmi_modal_interface *list = TRMI_TAKE(a, trmi_modal_interface, in->ninterfaces);
  char *notes = TRMI_TAKE(a, char, w->draft.notes.used + 1);
  if (a->failed) return NULL;
  if (w->draft.notes.used > 0) memcpy(notes, w->draft.notes.data, w->draft.notes.used);
  *out = (trmi_flexible_body){.arrays = *in, .nnodes = trmi_solid_mesh_places(&w->mesh),
                              .notes = notes, .nelements = w->mesh.nelements, .nfixed = r->nfixed,
                              .nconstraint = r->nconstraint, .nstatic = r->nstatic,
                              .ndropped = r->ndropped, .rigid_ratio = r->rigid_ratio};
  out->last_number = last_number(&w->mesh);
  out->arrays.omega2 = keep_list(a, in->omega2, n);
  out->arrays.D = keep_list(a, in->D, 3 * n);
  out->arrays.L = keep_list(a, in->L, 9 * n);
  out->arrays.size = keep_list(a, in->size, n);
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) out->arrays.N[k] = keep_list(a, in->N[k], n * n);
  out->arrays.Kg = keep_list(a, in->Kg, 6 * n * n);
  out->fixed = keep_list(a, r->fixed, (size_t)r->nfixed);
  out->place = TRMI_TAKE(a, double, 3 * n);
  out->at_node = TRMI_TAKE(a, int, n);
  out->tied = TRMI_TAKE(a, int, in->ninterfaces);
  out->is_rigid = TRMI_TAKE(a, bool, in->ninterfaces);
  out->arrays.interfaces = list;
  out->arrays.loads = keep_loads(a, in);
  for (int i = 0; i < in->ninterfaces && !a->failed; i++) {
    const char *name = keep_text(a, in->interfaces[i].name);
    const double *F = keep_list(a, in->interfaces[i].F, 6 * n);
    if (a->failed) return NULL;
    list[i] = in->interfaces[i];
    list[i].name = name, list[i].F = F, list[i].S = F + 3 * n;
    list[i].H = keep_list(a, in->interfaces[i].H, 6 * n * n);
    out->tied[i] = w->interfaces[i].count, out->is_rigid[i] = w->interfaces[i].is_rigid;
  }
  if (a->failed) return NULL;
  find_places(w, r, out);
  return out;
}

/* Report progress of the body. */
static void report(void *self, const char *step, double done) {
  const trmi_flexible_def *def = self;
  const trm_reduction_news news = {.body = def->name, .step = step, .done = done};
  if (def->reductions != NULL && def->reductions->report != NULL) {
    def->reductions->report(def->reductions->self, &news);
  }
}

static void report_note(const trmi_flexible_def *def, const char *note) {
  const trm_reduction_news news = {.body = def->name, .note = note};
  if (note[0] != '\0' && def->reductions->report != NULL) {
    def->reductions->report(def->reductions->self, &news);
  }
}

static void note_rotations(work *w, const trmi_mesh_reduction *r) {
  if (!(r->arrays.scalar_rest > 0.0)) return;
  trmi_buffer_print(&w->draft.notes, "its mass matrix has rotations: products of two modes in the "
                    "inertia of the moving body are those of displacements, scaled to the mass of "
                    "the mode, which has up to %.2g of it in rotations or between axes\n",
                    r->arrays.scalar_rest);
}

/* Without one of two equal modes a body that is the same in two directions is not any more. */
static void note_pair(work *w, const trmi_mesh_reduction *r) {
  if (!r->is_pair_cut) return;
  trmi_buffer_print(&w->draft.notes, "its modes: vibrations %d and %d%s have the same frequency, "
                    "and `fixed: %d` keeps one of the two: the body moves more in one direction "
                    "than in the other; ask for %d or %d\n", r->nfixed, r->nfixed + 1,
                    w->def->ninterfaces > 0 ? " with interfaces held" : "", r->nfixed,
                    r->nfixed - 1, r->nfixed + 1);
}

static trmi_flexible_body *reduce(work *w) {
  char fault[TRMI_SOLID_FAULT] = "";
  trmi_mesh_reduction r;
  trm_error err = {.message = ""};
  const trmi_progress progress = {.report = report, .self = (void *)w->def};
  report(progress.self, "mesh", 0.0);
  if (!make_mesh(w)) return NULL;
  trmi_solid_draft_shed(&w->draft);
  if (!assign_materials(w) || !choose_interfaces(w)) return NULL;
  if (w->def->matrices[0] == NULL &&
      !trmi_fem_assemble(&w->mesh, true, &w->scratch, &w->of_K, &w->fem, fault)) {
    (void)fail(w, fault);
    return NULL;
  }
  w->loads = trmi_flexible_loads(w->def, &w->mesh, &w->scratch, w->fault);
  if (w->loads == NULL) return NULL;
  const trmi_reduction_def def = {.mesh = &w->mesh, .fem = &w->fem, .fixed = w->def->fixed,
                                  .ninterfaces = w->def->ninterfaces,
                                  .interfaces = w->interfaces, .up_to = w->def->up_to,
                                  .inertia = w->def->has_inertia_modes,
                                  .is_exact = w->def->has_exact_inertia,
                                  .stiffening = w->def->stiffening,
                                  .nloads = w->def->nloads, .loads = w->loads,
                                  .progress = progress};
  const trm_status status = trmi_reduce(&def, &w->scratch, &r, &err);
  if (status == TRM_ERR_MEMORY) w->scratch.failed = true;
  if (status != TRM_OK) {
    (void)fail(w, err.message);
    return NULL;
  }
  note_rotations(w, &r);
  note_pair(w, &r);
  trmi_progress_report(&progress, "stress", 0.9);
  trmi_flexible_body *body = keep(w, &r);
  if (body == NULL || trmi_stress_modes_make(&def, r.arrays.n, r.phi, w->def->has_inner_stress,
                                             w->arena, &body->stress, &err) != TRM_OK) {
    w->scratch.failed = true;
    return NULL;
  }
  return body;
}

/* From the cache, or reduced and stored there. A failure of the cache is not an error. */
static const trmi_flexible_body *obtain(work *w) {
  const trmi_flexible_def *def = w->def;
  const char *folder = def->reductions != NULL ? def->reductions->cache : NULL;
  trmi_cache_entry entry;
  trmi_flexible_body *body = NULL;
  if (!read_file(w)) return NULL;
  if (folder != NULL) {
    trmi_cache_find(&entry, folder, def, w->file.data, w->file.used);
    body = trmi_cache_read(&entry, w->arena);
    report_note(def, entry.note);
  }
  if (body != NULL || w->arena->failed) return body;
  body = reduce(w);
  if (body != NULL && folder != NULL) {
    if (trmi_cache_write(&entry, body, &w->arena->allocator)) {
      body->kept = trmi_cache_kept(&entry, w->arena);
    }
    report_note(def, entry.note);
  }
  report((void *)def, "done", 1.0);
  return body;
}

const trmi_flexible_body *trmi_flexible_reduce(const trmi_flexible_def *def, trmi_arena *arena,
                                               char fault[TRMI_FLEXIBLE_FAULT]) {
  work w = {.def = def, .arena = arena, .fault = fault};
  snprintf(fault, TRMI_FLEXIBLE_FAULT, "out of memory");
  trmi_arena_init(&w.scratch, &arena->allocator);
  trmi_arena_init(&w.of_K, &arena->allocator);
  trmi_buffer_init(&w.file, &arena->allocator);
  trmi_solid_draft_init(&w.draft, &arena->allocator);
  const trmi_flexible_body *body = obtain(&w);
  if (w.scratch.failed) arena->failed = true;
  trmi_buffer_free(&w.file);
  trmi_solid_draft_free(&w.draft);
  trmi_arena_clear(&w.scratch);
  trmi_arena_clear(&w.of_K);
  return body;
}
