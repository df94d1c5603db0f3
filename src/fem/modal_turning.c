/* modal_turning.c - inertia of a mass matrix with rotations, of shells and beams.
 *
 * Mass, centre, inertia, D and the antisymmetric part of L follow exactly from the six rigid
 * motions R about the origin, R^T M R and R^T M Phi. L and N need a number for each pair of nodes,
 * which is that of their displacements (given_matrices.c); the modes are normalized in M, so
 *   N_pq <- Z N_pq Z,   Z = (N_11 + N_22 + N_33)^-1/2                                      (1)
 * Directions with more than half of their mass in rotations, such as the twist of a beam, are not
 * changed. */
#include "fem/fields.h"
#include "fem/reduction.h"
#include <math.h>
#include <string.h>

static trm_status set_rigid(const trmi_reduction_def *def, const double *phi,
                            const trmi_modal_lists *lists, trmi_arena *scratch,
                            trmi_modal_arrays *out, trm_error *err) {
  const size_t size = 3 * (size_t)def->mesh->nnodes;
  const int n = out->n;
  const double origin[3] = {0.0, 0.0, 0.0};
  double *R = TRMI_TAKE(scratch, double, 6 * size), *MR = TRMI_TAKE(scratch, double, 6 * size);
  double *C = TRMI_TAKE(scratch, double, 6 * n), G[36];
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  trmi_rigid_fields(def->mesh, origin, R);
  trmi_fem_mass(def->fem, 6, R, MR);
  trmi_fields_dot(size, 6, R, 6, MR, G); /* symmetric */
  trmi_fields_dot(size, 6, MR, n, phi, C);
  out->mass = G[0];
  out->mc[0] = G[6 * 1 + 5], out->mc[1] = G[6 * 2 + 3], out->mc[2] = G[6 * 0 + 4];
  const double trace = G[6 * 3 + 3] + G[6 * 4 + 4] + G[6 * 5 + 5];
  for (int k = 0; k < 9; k++) { /* J = tr(Sigma) 1 - Sigma */
    const double J = G[6 * (3 + k / 3) + 3 + k % 3];
    out->Sigma[k] = (k % 4 == 0 ? 0.5 * trace : 0.0) - J;
  }
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < 3; i++) {
      const int p = (i + 1) % 3, q = (i + 2) % 3;
      double *pq = &lists->L[n * (3 * p + q) + j], *qp = &lists->L[n * (3 * q + p) + j];
      const double mean = 0.5 * (*pq + *qp), half = 0.5 * C[6 * j + 3 + i];
      *pq = mean + half, *qp = mean - half; /* B = (L_23 - L_32, ..) */
      lists->D[n * i + j] = C[6 * j + i];
    }
  }
  return TRM_OK;
}

/* (1) */
static trm_status scale_products(const trmi_modal_lists *lists, trmi_arena *scratch,
                                 trmi_modal_arrays *out, trm_error *err) {
  const int n = out->n, square = n * n;
  double *T = TRMI_TAKE(scratch, double, square), *Z = TRMI_TAKE(scratch, double, square);
  double *e = TRMI_TAKE(scratch, double, n), *NZ = TRMI_TAKE(scratch, double, square);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int i = 0; i < 3 * square; i++) T[i % square] += lists->N[i];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) T[n * i + k] = T[n * k + i] = 0.5 * (T[n * i + k] + T[n * k + i]);
  }
  TRMI_TRY(err, trmi_fields_eigen(scratch, n, T, e, err));
  for (int k = 0; k < n; k++) {
    const double scale = e[k] > 0.5 ? 1.0 / sqrt(e[k]) : 1.0;
    out->scalar_rest = fmax(out->scalar_rest, fabs(e[k] - 1.0));
    for (int i = 0; i < square; i++) Z[i] += scale * T[n * k + i / n] * T[n * k + i % n];
  }
  for (int p = 0; p < TRMI_AXIS_PAIRS; p++) {
    double *N = lists->N + (size_t)p * (size_t)square; /* row major; Z is symmetric */
    memset(NZ, 0, (size_t)square * sizeof *NZ);
    for (int i = 0; i < square; i++) {
      for (int k = 0; k < n; k++) NZ[i] += N[n * (i / n) + k] * Z[n * k + i % n];
    }
    memset(N, 0, (size_t)square * sizeof *N);
    for (int i = 0; i < square; i++) {
      for (int k = 0; k < n; k++) N[i] += Z[n * (i / n) + k] * NZ[n * k + i % n];
    }
  }
  return TRM_OK;
}

trm_status trmi_modal_arrays_turn(const trmi_reduction_def *def, const double *phi,
                                  const trmi_modal_lists *lists, trmi_arena *scratch,
                                  trmi_modal_arrays *out, trm_error *err) {
  TRMI_TRY(err, set_rigid(def, phi, lists, scratch, out, err));
  TRMI_TRY(err, scale_products(lists, scratch, out, err));
  return TRM_OK;
}
