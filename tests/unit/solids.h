/* solids.h - meshes of solid elements for tests. */
#ifndef TRM_TEST_SOLIDS_H
#define TRM_TEST_SOLIDS_H
#include "check.h"
#include "fem/solid_grid.h"
#include "fem/solid_matrices.h"
#include "fem/solid_shapes.h"
#include "fem/support.h"
#include <math.h>
#include <string.h>

/* A finished mesh of one material; its memory is in the arena. */
static inline trmi_solid_mesh solids_grid(const trmi_grid_def *def, trmi_arena *arena,
                                          trmi_solid_material material) {
  char fault[TRMI_SOLID_FAULT] = "";
  trmi_solid_draft draft;
  trmi_solid_mesh mesh;
  trmi_solid_draft_init(&draft, NULL);
  const bool is_made = trmi_solid_grid(def, &draft, fault);
  if (!is_made) print_error("%s\n", fault);
  assert_true(is_made);
  const int made = trmi_draft_material(&draft, "ONE");
  trmi_solid_material *one = trmi_draft_material_at(&draft, made);
  memcpy(material.name, one->name, sizeof material.name);
  *one = material;
  trmi_draft_section(&draft, trmi_draft_set(&draft, "ALL", true), made);
  const bool is_finished = trmi_solid_mesh_finish(&draft, arena, &mesh, fault);
  if (!is_finished) print_error("%s\n", fault);
  assert_true(is_finished);
  trmi_solid_draft_free(&draft);
  return mesh;
}

static inline trmi_fem solids_matrices(const trmi_solid_mesh *mesh, bool has_exact_mass,
                                       trmi_arena *arena) {
  char fault[TRMI_SOLID_FAULT] = "";
  trmi_fem fem;
  const bool is_made = trmi_fem_assemble(mesh, has_exact_mass, arena, NULL, &fem, fault);
  if (!is_made) print_error("%s\n", fault);
  assert_true(is_made);
  return fem;
}

/* An interface of the nodes of a set, at their centroid. */
static inline trmi_interface solids_face(const trmi_solid_mesh *mesh, const char *set,
                                         bool is_rigid) {
  const trmi_solid_set *nodes = trmi_solid_mesh_set(mesh, set, false);
  assert_non_null(nodes);
  trmi_interface one = {.name = set, .is_rigid = is_rigid, .count = nodes->count,
                        .nodes = nodes->list};
  for (int k = 0; k < nodes->count; k++) {
    for (int d = 0; d < 3; d++) one.at[d] += mesh->x[3 * nodes->list[k] + d] / nodes->count;
  }
  return one;
}

#endif
