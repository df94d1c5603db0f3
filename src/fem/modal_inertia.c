/* modal_inertia.c - the arrays (1) of modal_arrays.h from a mesh and its modes. With the columns
 * s_p and phi_p of one axis and the scalar mass m: L_pq = s_p . m phi_q, N_pq = phi_p . m phi_q. */
#include "fem/fields.h"
#include "fem/reduction.h"
#include <math.h>
#include <string.h>

/* Component p of fields [count][nodes 3] as fields [count][nodes]. */
static void pick(size_t nodes, int count, const double *fields, int p, double *out) {
  for (size_t i = 0; i < (size_t)count * nodes; i++) out[i] = fields[3 * i + (size_t)p];
}

typedef struct columns {
  double *s[3], *phi[3], *m_phi[3]; /* [nodes], [n][nodes] */
  double *m_s[3], *m_one;           /* m s_p and m 1 [nodes] */
} columns;

static trm_status make_columns(const trmi_reduction_def *def, int n, const double *phi,
                               trmi_arena *scratch, columns *c, trm_error *err) {
  const size_t nodes = (size_t)def->mesh->nnodes;
  double *moved = TRMI_TAKE(scratch, double, 3 * nodes * (size_t)n);
  double *one = TRMI_TAKE(scratch, double, 3 * nodes), *m = TRMI_TAKE(scratch, double, 3 * nodes);
  c->m_one = TRMI_TAKE(scratch, double, nodes);
  for (int p = 0; p < 3; p++) {
    c->s[p] = TRMI_TAKE(scratch, double, nodes);
    c->m_s[p] = TRMI_TAKE(scratch, double, nodes);
    c->phi[p] = TRMI_TAKE(scratch, double, nodes * (size_t)n);
    c->m_phi[p] = TRMI_TAKE(scratch, double, nodes * (size_t)n);
  }
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  trmi_fem scalar = *def->fem; /* effects of rotations are added later */
  scalar.M = NULL;
  trmi_fem_mass(&scalar, n, phi, moved);
  for (int p = 0; p < 3; p++) {
    pick(nodes, n, phi, p, c->phi[p]);
    pick(nodes, n, moved, p, c->m_phi[p]);
  }
  for (size_t i = 0; i < 3 * nodes; i++) one[i] = 1.0;
  trmi_fem_mass(&scalar, 1, one, m);
  pick(nodes, 1, m, 0, c->m_one);
  trmi_fem_mass(&scalar, 1, def->mesh->x, m);
  for (int p = 0; p < 3; p++) {
    pick(nodes, 1, def->mesh->x, p, c->s[p]);
    pick(nodes, 1, m, p, c->m_s[p]);
  }
  return TRM_OK;
}

static void add_rigid_part(const columns *c, size_t nodes, trmi_modal_arrays *out) {
  for (size_t i = 0; i < nodes; i++) out->mass += c->m_one[i];
  for (int p = 0; p < 3; p++) {
    for (size_t i = 0; i < nodes; i++) out->mc[p] += c->m_s[p][i];
    for (int q = 0; q < 3; q++) {
      for (size_t i = 0; i < nodes; i++) out->Sigma[3 * p + q] += c->s[p][i] * c->m_s[q][i];
    }
  }
}

/* Largest displacement of a node. */
static double largest(size_t nodes, const double *mode) {
  double most = 0.0;
  for (size_t i = 0; i < nodes; i++) {
    const double *u = mode + 3 * i;
    most = fmax(most, u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  }
  return sqrt(most);
}

static trm_status make_interfaces(const trmi_reduction_def *def, int n, const double *phi,
                                  trmi_arena *arena, trmi_arena *scratch, trmi_modal_arrays *out,
                                  trm_error *err) {
  const size_t size = 3 * (size_t)def->mesh->nnodes;
  double *rows = TRMI_TAKE(scratch, double, 6 * size), *C = TRMI_TAKE(scratch, double, 6 * n);
  out->ninterfaces = def->ninterfaces;
  out->interfaces = TRMI_TAKE(arena, trmi_modal_interface, def->ninterfaces);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < def->ninterfaces; i++) {
    double *F = TRMI_TAKE(arena, double, 6 * n);
    TRMI_TRY(err, trmi_arena_check(arena, err));
    (void)trmi_average_rows(def->mesh, &def->interfaces[i], rows);
    trmi_fields_dot(size, 6, rows, n, phi, C);
    for (int k = 0; k < 6 * n; k++) F[n * (k % 6) + k / 6] = C[k];
    out->interfaces[i] = (trmi_modal_interface){.name = def->interfaces[i].name, .F = F,
                                                .S = F + 3 * n};
    memcpy(out->interfaces[i].at, def->interfaces[i].at, sizeof out->interfaces[i].at);
  }
  return TRM_OK;
}

static trm_status make(const trmi_reduction_def *def, int n, const double *phi, trmi_arena *arena,
                       trmi_arena *scratch, trmi_modal_arrays *out, trm_error *err) {
  const size_t nodes = (size_t)def->mesh->nnodes;
  columns c;
  TRMI_TRY(err, make_columns(def, n, phi, scratch, &c, err));
  add_rigid_part(&c, nodes, out);
  double *D = TRMI_TAKE(arena, double, 3 * n), *L = TRMI_TAKE(arena, double, 9 * n);
  double *size = TRMI_TAKE(arena, double, n), *N = TRMI_TAKE(arena, double, 6 * n * n);
  double *C = TRMI_TAKE(scratch, double, n * n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int q = 0; q < 3; q++) {
    trmi_fields_dot(nodes, 1, c.m_one, n, c.phi[q], D + n * q);
    for (int p = 0; p < 3; p++) {
      trmi_fields_dot(nodes, 1, c.m_s[p], n, c.phi[q], L + n * (3 * p + q));
    }
  }
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) { /* C[b n + a] is entry a, b of N: row major */
    trmi_fields_dot(nodes, n, c.phi[trmi_axis_pairs[k][0]], n, c.m_phi[trmi_axis_pairs[k][1]], C);
    double *own = N + (size_t)k * (size_t)(n * n);
    for (int i = 0; i < n * n; i++) own[n * (i % n) + i / n] = C[i];
    out->N[k] = own;
  }
  const size_t places = (size_t)trmi_solid_mesh_places(def->mesh);
  for (int k = 0; k < n; k++) size[k] = largest(places, phi + (size_t)k * 3 * nodes);
  out->D = D, out->L = L, out->size = size;
  if (def->fem->M != NULL) {
    const trmi_modal_lists lists = {.D = D, .L = L, .N = N};
    TRMI_TRY(err, trmi_modal_arrays_turn(def, phi, &lists, scratch, out, err));
  }
  TRMI_TRY(err, make_interfaces(def, n, phi, arena, scratch, out, err));
  return TRM_OK;
}

trm_status trmi_modal_arrays_make(const trmi_reduction_def *def, int n, const double *phi,
                                  trmi_arena *arena, trmi_modal_arrays *out, trm_error *err) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  *out = (trmi_modal_arrays){.n = n};
  const trm_status status = make(def, n, phi, arena, &scratch, out, err);
  trmi_arena_clear(&scratch);
  return status == TRM_OK ? TRM_OK : trmi_note(err, __func__, status);
}
