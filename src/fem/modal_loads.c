/* modal_loads.c - distributed loads in the modes phi of a body. With the forces f of a load at the
 * nodes, body axes:
 *   force = sum f,  moment = sum s x f,  f_j = phi_j . f,  X_j = sum phi_j x f                 (1)
 * Heat is in balance at every displacement, so it has f_j alone. */
#include "fem/fields.h"
#include "fem/reduction.h"
#include "math/vec.h"
#include <string.h>

/* Force, moment and X of a pressure. */
static void add_up(const trmi_solid_mesh *mesh, int n, const double *phi, const double *f,
                   trmi_modal_load *out, double *X) {
  const size_t size = 3 * (size_t)mesh->nnodes;
  for (int i = 0; i < mesh->nnodes; i++) {
    const trmi_vec3 push = v3_load(f + 3 * i);
    v3_accumulate(out->force, push);
    v3_accumulate(out->moment, v3_cross(v3_load(mesh->x + 3 * i), push));
  }
  for (int j = 0; j < n; j++) {
    double sum[3] = {0.0};
    for (int i = 0; i < mesh->nnodes; i++) {
      const trmi_vec3 u = v3_load(phi + (size_t)j * size + 3 * (size_t)i);
      v3_accumulate(sum, v3_cross(u, v3_load(f + 3 * i)));
    }
    for (int k = 0; k < 3; k++) X[n * k + j] = sum[k];
  }
}

trm_status trmi_modal_loads_make(const trmi_reduction_def *def, const double *phi,
                                 trmi_arena *arena, trmi_modal_arrays *out, trm_error *err) {
  const int n = out->n;
  out->nloads = def->nloads;
  out->loads = TRMI_TAKE(arena, trmi_modal_load, def->nloads);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < def->nloads; i++) {
    const trmi_solid_load *load = &def->loads[i];
    double *f = TRMI_TAKE(arena, double, n), *X = TRMI_TAKE(arena, double, 3 * n);
    TRMI_TRY(err, trmi_arena_check(arena, err));
    trmi_fields_dot(3 * (size_t)def->mesh->nnodes, n, phi, 1, load->force, f);
    out->loads[i] = (trmi_modal_load){.name = load->name, .is_heat = load->is_heat, .f = f, .X = X};
    if (!load->is_heat) add_up(def->mesh, n, phi, load->force, &out->loads[i], X); /* (1) */
  }
  return TRM_OK;
}
