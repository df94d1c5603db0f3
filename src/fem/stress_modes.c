/* stress_modes.c - displacement and stress of the modes of a body at points of its surface. */
#include "fem/stress_modes.h"
#include "fem/reduction.h"
#include "fem/solid_recovery.h"
#include <string.h>

/* Nodes of elements that touch a rigid interface. */
static void mark_rigid(const trmi_reduction_def *def, bool *is_near, bool *is_tied) {
  const trmi_solid_mesh *mesh = def->mesh;
  for (int i = 0; i < def->ninterfaces; i++) {
    const trmi_interface *one = &def->interfaces[i];
    for (int k = 0; k < one->count && one->is_rigid; k++) is_tied[one->nodes[k]] = true;
  }
  for (int e = 0; e < mesh->nelements; e++) {
    const int *nodes = mesh->connections + mesh->elements[e].first;
    const int n = trmi_solid_infos[mesh->elements[e].type].nodes;
    bool touches = false;
    for (int k = 0; k < n; k++) touches = touches || is_tied[nodes[k]];
    for (int k = 0; k < n && touches; k++) is_near[nodes[k]] = true;
  }
}

/* Elements as cells of VTK, whose order of nodes is that of Abaqus. */
static void fill_cells(const trmi_solid_mesh *mesh, const trmi_solid_surface *s,
                       trmi_stress_modes *out) {
  static const unsigned char types[TRMI_SOLID_TYPES] = {
      [TRMI_C3D4] = 10, [TRMI_C3D10] = 24, [TRMI_C3D8I] = 12, [TRMI_C3D20] = 25,
      [TRMI_C3D20R] = 25, [TRMI_C3D6] = 13, [TRMI_C3D15] = 26};
  int *point = out->cell_points;
  for (int e = 0; e < out->ncells; e++) {
    const trmi_solid_element *element = &mesh->elements[e];
    out->cell_type[e] = types[element->type];
    for (int k = 0; k < trmi_solid_infos[element->type].nodes; k++) {
      *point++ = trmi_solid_surface_point(s, mesh->connections[element->first + k],
                                          element->material);
    }
  }
}

static trm_status make(const trmi_reduction_def *def, int n, const double *phi, bool has_inner,
                       trmi_arena *arena, trmi_arena *scratch, trmi_stress_modes *out,
                       trm_error *err) {
  const trmi_solid_mesh *mesh = def->mesh;
  const size_t size = 3 * (size_t)mesh->nnodes;
  trmi_solid_surface s;
  bool *is_near = TRMI_TAKE(scratch, bool, mesh->nnodes);
  bool *is_tied = TRMI_TAKE(scratch, bool, mesh->nnodes);
  if (!trmi_solid_surface_make(mesh, has_inner, scratch, &s)) scratch->failed = true;
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  mark_rigid(def, is_near, is_tied);
  const size_t count = (size_t)s.npoints, row = (size_t)n;
  const trmi_stress_fields fields = {.n = n, .fields = phi, .nloads = def->nloads,
                                     .loads = def->loads};
  *out = (trmi_stress_modes){.npoints = s.npoints, .ntriangles = s.ntriangles,
                             .columns = trmi_stress_columns(&fields),
                             .ncells = has_inner ? mesh->nelements : 0,
                             .ncell_points = has_inner ? mesh->nconnections : 0};
  out->cell_type = TRMI_TAKE(arena, unsigned char, out->ncells);
  out->cell_points = TRMI_TAKE(arena, int, out->ncell_points);
  out->number = TRMI_TAKE(arena, int, count);
  out->x = TRMI_TAKE(arena, double, 3 * count);
  out->corners = TRMI_TAKE(arena, int, 3 * (size_t)s.ntriangles);
  out->phi = TRMI_TAKE(arena, float, 3 * count * row);
  out->sigma = TRMI_TAKE(arena, float, 6 * count * (size_t)out->columns);
  out->is_excluded = TRMI_TAKE(arena, bool, count);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  fill_cells(mesh, &s, out);
  memcpy(out->corners, s.corners, 3 * (size_t)s.ntriangles * sizeof *s.corners);
  for (size_t p = 0; p < count; p++) {
    const size_t node = (size_t)s.node[p];
    out->number[p] = mesh->number[node];
    out->is_excluded[p] = is_near[node];
    memcpy(out->x + 3 * p, mesh->x + 3 * node, 3 * sizeof *out->x);
    for (size_t k = 0; k < 3; k++) {
      float *own = out->phi + (3 * p + k) * row;
      for (size_t j = 0; j < row; j++) own[j] = (float)phi[j * size + 3 * node + k];
    }
  }
  TRMI_TRY(err, trmi_solid_stress(mesh, &s, &fields, scratch, out->sigma, err));
  return TRM_OK;
}

trm_status trmi_stress_modes_make(const trmi_reduction_def *def, int n, const double *phi,
                                  bool has_inner, trmi_arena *arena, trmi_stress_modes *out,
                                  trm_error *err) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  const trm_status status = make(def, n, phi, has_inner, arena, &scratch, out, err);
  trmi_arena_clear(&scratch);
  return status;
}
