/* modal_stiffening.c - geometric stiffness of the modes under the loads of modal_arrays.h.
 *
 * A load with the products f_j = phi_j . f has the static displacement
 *   u = sum_j phi_j f_j/omega_j^2                                                          (1)
 * Modes are orthogonal to rigid motion, so this is the response to the load minus the inertia
 * forces of the rigid motion that it causes: a load in balance. With the static modes of inertia
 * loads and interfaces it is exact. For w_p w_q the load m (delta_pq s - (e_p s_q + e_q s_p)/2) has
 *   f_j = delta_pq sum_r L_rr - (L_pq + L_qp)/2                                            (2)
 * and that of unit forces and moments at an interface is its row of F and S. With k of the stress
 * of u (solid_matrices.h):  Kg = Phi^T k Phi                                               (3) */
#include "fem/fields.h"
#include "fem/reduction.h"
#include <string.h>

typedef struct work {
  const trmi_reduction_def *def;
  const trmi_modal_arrays  *in;
  const double      *phi;
  trmi_solid_tables *tables; /* of each type */
  double *u, *moved;         /* one field; k Phi */
  double *load;              /* [n] */
  trmi_fem fem;              /* k in place of the mass */
} work;

static trm_status prepare(work *w, trmi_arena *scratch, trm_error *err) {
  const size_t size = 3 * (size_t)w->def->mesh->nnodes, n = (size_t)w->in->n;
  w->fem = *w->def->fem;
  w->fem.m = TRMI_TAKE(scratch, double, w->fem.first[w->fem.n]);
  w->tables = TRMI_TAKE(scratch, trmi_solid_tables, TRMI_SOLID_TYPES);
  w->u = TRMI_TAKE(scratch, double, size);
  w->moved = TRMI_TAKE(scratch, double, size * n);
  w->load = TRMI_TAKE(scratch, double, n);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int t = 0; t < TRMI_SOLID_TYPES; t++) {
    trmi_solid_tables_make((trmi_solid_type)t, true, &w->tables[t]);
  }
  return TRM_OK;
}

/* (1), (3) for w->load */
static void find_Kg(work *w, double *Kg) {
  const int n = w->in->n;
  const size_t size = 3 * (size_t)w->def->mesh->nnodes;
  for (int j = 0; j < n; j++) w->load[j] /= w->in->omega2[j];
  memset(w->u, 0, size * sizeof *w->u);
  trmi_fields_add(size, n, w->phi, 1, w->load, 1.0, w->u);
  trmi_fem_geometric(w->def->mesh, &w->fem, w->tables, w->u, w->fem.m);
  trmi_fem_mass(&w->fem, n, w->phi, w->moved);
  trmi_fields_dot(size, n, w->phi, n, w->moved, Kg);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) {
      Kg[n * i + k] = Kg[n * k + i] = 0.5 * (Kg[n * i + k] + Kg[n * k + i]);
    }
  }
}

/* (2) of all pairs */
static void find_rotation(work *w, double *Kg) {
  const int n = w->in->n;
  const double *L = w->in->L;
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) {
    const int p = trmi_axis_pairs[k][0], q = trmi_axis_pairs[k][1];
    for (int j = 0; j < n; j++) {
      w->load[j] = -0.5 * (L[n * (3 * p + q) + j] + L[n * (3 * q + p) + j]);
      if (p == q) w->load[j] += L[j] + L[4 * n + j] + L[8 * n + j];
    }
    find_Kg(w, Kg + (size_t)k * (size_t)(n * n));
  }
}

static void find_interface(work *w, const trmi_modal_interface *at, double *H) {
  const int n = w->in->n;
  for (int k = 0; k < 6; k++) {
    memcpy(w->load, k < 3 ? at->F + n * k : at->S + n * (k - 3), (size_t)n * sizeof *w->load);
    find_Kg(w, H + (size_t)k * (size_t)(n * n));
  }
}

static trm_status make(work *w, trmi_arena *arena, trmi_arena *scratch, trmi_modal_arrays *out,
                       trm_error *err) {
  const size_t count = 6 * (size_t)(out->n * out->n);
  TRMI_TRY(err, prepare(w, scratch, err));
  double *Kg = TRMI_TAKE(arena, double, count);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  find_rotation(w, Kg);
  out->Kg = Kg;
  for (int i = 0; i < out->ninterfaces && w->def->stiffening == TRMI_STIFFENING_FULL; i++) {
    double *H = TRMI_TAKE(arena, double, count);
    TRMI_TRY(err, trmi_arena_check(arena, err));
    find_interface(w, &out->interfaces[i], H);
    out->interfaces[i].H = H;
  }
  return TRM_OK;
}

trm_status trmi_modal_stiffening_make(const trmi_reduction_def *def, const double *phi,
                                      trmi_arena *arena, trmi_modal_arrays *out, trm_error *err) {
  if (def->stiffening == TRMI_STIFFENING_OFF) return TRM_OK;
  work w = {.def = def, .in = out, .phi = phi};
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  const trm_status status = make(&w, arena, &scratch, out, err);
  trmi_arena_clear(&scratch);
  return status == TRM_OK ? TRM_OK : trmi_note(err, __func__, status);
}
