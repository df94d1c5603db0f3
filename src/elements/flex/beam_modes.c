/* beam_modes.c - vibrations of a free beam as sums of its strains.
 *
 * The strains e at all Gauss points have exactly the energy 1/2 e.D e, D = L L^T with a block for
 * each point, and their number is that of the elastic degrees of freedom. With B^T = de/dq at the
 * reference and M of the free beam
 *   A = B^T M^-1 B,   S = L^T A L                                                          (1)
 *   S u = omega^2 u                                                                        (2)
 * are the small vibrations without rigid motions. In any pose
 *   eta_i = u_i.L^T e/omega_i:   2 energy = sum omega_i^2 eta_i^2,                         (3)
 *   force = -sum B_i omega_i^2 (eta_i + beta eta_i'),  B_i^T = d eta_i/dq                  (4)
 * since the u_i are orthonormal: eta are coordinates of the strains, in large motion too. */
#include "elements/flex/beam_modes.h"
#include "core/fail.h"
#include "math/jacobi.h"
#include <math.h>
#include <string.h>

/* Dense matrices for the computation of modes. */
typedef struct search {
  int     ns, nv, nnodes;
  double *B;         /* de/dq                                   [ns nv]         */
  double *W;         /* M^-1 of the columns of B                [ns nv]         */
  double *mass;      /* of translation, then its factor         [nnodes nnodes] */
  double *turning;   /* rotary inertia                          [9 nnodes]      */
  double *S, *V;     /*                                         [ns ns]         */
  double  L[36];     /* factor of D of a section                                */
} search;

/* A = L L^T in the lower half; false: it is not positive. */
static bool factor(double *A, int n) {
  for (int j = 0; j < n; j++) {
    const double size = A[n * j + j];
    for (int k = 0; k < j; k++) A[n * j + j] -= A[n * j + k] * A[n * j + k];
    if (!(A[n * j + j] > 1e-14 * size)) return false;
    A[n * j + j] = sqrt(A[n * j + j]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) A[n * i + j] -= A[n * i + k] * A[n * j + k];
      A[n * i + j] /= A[n * j + j];
    }
  }
  return true;
}

/* x = (L L^T)^-1 x, entries of x `stride` apart */
static void solve(const double *L, int n, double *x, int stride) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) x[stride * i] -= L[n * i + j] * x[stride * j];
    x[stride * i] /= L[n * i + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[stride * i] -= L[n * j + i] * x[stride * j];
    x[stride * i] /= L[n * i + i];
  }
}

static void take(search *w, trmi_arena *arena) {
  w->B = TRMI_TAKE(arena, double, w->ns * w->nv);
  w->W = TRMI_TAKE(arena, double, w->ns * w->nv);
  w->mass = TRMI_TAKE(arena, double, w->nnodes * w->nnodes);
  w->turning = TRMI_TAKE(arena, double, 9 * w->nnodes);
  w->S = TRMI_TAKE(arena, double, w->ns * w->ns);
  w->V = TRMI_TAKE(arena, double, w->ns * w->ns);
}

/* B and the mass, element by element. */
static trm_status read_beam(search *w, const trmi_free_beam *beam) {
  for (int i = 0; i < beam->count; i++) {
    const trmi_beam *element = &beam->elements[i];
    const int n = element->n, first = i * (n - 1);
    double e[6 * TRMI_BEAM_POINTS], by_q[6 * TRMI_BEAM_POINTS * TRMI_BEAM_SIZE];
    trmi_beam_state at = {.v = {NULL}};
    for (int k = 0; k < n; k++) {
      at.q[k] = (const double *)((const char *)beam->q + beam->stride * (size_t)(first + k));
    }
    const trm_status status = trmi_beam_strains(element, &at, e, by_q);
    if (status != TRM_OK) return status;
    for (int k = 0; k < 6 * (n - 1); k++) {
      memcpy(w->B + w->nv * (6 * first + k) + 6 * first, by_q + 6 * n * k,
             (size_t)(6 * n) * sizeof(double));
    }
    for (int k = 0; k < n; k++) {
      for (int l = 0; l < n; l++) {
        w->mass[w->nnodes * (first + k) + first + l] += element->mass[k][l];
      }
      for (int l = 0; l < 9; l++) {
        w->turning[9 * (first + k) + l] += element->share[k] * element->section->J[l];
      }
    }
  }
  return TRM_OK;
}

/* W; false: mass or rotary inertia is missing */
static bool find_responses(search *w) {
  if (!factor(w->mass, w->nnodes)) return false;
  for (int k = 0; k < w->nnodes; k++) {
    if (!factor(w->turning + 9 * k, 3)) return false;
  }
  memcpy(w->W, w->B, (size_t)w->ns * (size_t)w->nv * sizeof *w->W);
  for (int i = 0; i < w->ns; i++) {
    double *x = w->W + w->nv * i;
    for (int k = 0; k < 3; k++) solve(w->mass, w->nnodes, x + k, 6);
    for (int k = 0; k < w->nnodes; k++) solve(w->turning + 9 * k, 3, x + 6 * k + 3, 1);
  }
  return true;
}

/* Length represented by strain k. */
static double length_of(const trmi_free_beam *beam, int k) {
  const int points = beam->elements[0].n - 1;
  return beam->elements[k / (6 * points)].point[k / 6 % points].ds;
}

/* x = L^T x for one list of strains, entries `stride` apart */
static void times_factor(const search *w, const trmi_free_beam *beam, double *x, int stride) {
  for (int p = 0; p < w->ns; p += 6) {
    const double root = sqrt(length_of(beam, p));
    for (int i = 0; i < 6; i++) { /* from the top: later components are still unchanged */
      double sum = 0.0;
      for (int k = i; k < 6; k++) sum += w->L[6 * k + i] * x[stride * (p + k)];
      x[stride * (p + i)] = root * sum;
    }
  }
}

/* (1) */
static void find_matrix(search *w, const trmi_free_beam *beam) {
  const int ns = w->ns;
  for (int i = 0; i < ns; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < w->nv; k++) sum += w->B[w->nv * i + k] * w->W[w->nv * j + k];
      w->S[ns * i + j] = w->S[ns * j + i] = sum;
    }
  }
  for (int i = 0; i < ns; i++) times_factor(w, beam, w->S + ns * i, 1);
  for (int i = 0; i < ns; i++) times_factor(w, beam, w->S + i, ns);
}

/* (3): rows e = u.L^T e/omega */
static void set_row(const search *w, const trmi_free_beam *beam, int u, double *row) {
  const double omega = sqrt(w->S[w->ns * u + u]);
  for (int p = 0; p < w->ns; p += 6) {
    const double root = sqrt(length_of(beam, p));
    for (int k = 0; k < 6; k++) { /* (L u)_k */
      double sum = 0.0;
      for (int i = 0; i <= k; i++) sum += w->L[6 * k + i] * w->V[w->ns * (p + i) + u];
      row[p + k] = root * sum / omega;
    }
  }
}

/* The fast ones in their order. */
static void keep(const search *w, const trmi_free_beam *beam, double least, int *order,
                 trmi_beam_modes *out) {
  const int ns = w->ns;
  int count = 0;
  for (int u = 0; u < ns; u++) {
    const double value = w->S[ns * u + u];
    if (!(value >= least * least)) continue;
    int at = count++;
    for (; at > 0 && w->S[ns * order[at - 1] + order[at - 1]] > value; at--) {
      order[at] = order[at - 1];
    }
    order[at] = u;
  }
  for (int i = 0; i < count; i++) {
    out->omega2[i] = w->S[ns * order[i] + order[i]];
    set_row(w, beam, order[i], out->rows + ns * i);
  }
}

trm_status trmi_beam_modes_find(const trmi_free_beam *beam, double least, trmi_arena *arena,
                                trmi_beam_modes *out, trm_error *err) {
  const trmi_beam *first = &beam->elements[0];
  const int points = first->n - 1, nnodes = beam->count * points + 1;
  search w = {.ns = 6 * points * beam->count, .nv = 6 * nnodes, .nnodes = nnodes};
  if (w.ns > TRMI_BEAM_STRAINS || w.ns / beam->count != 6 * points) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "its vibrations are averaged with at most %d nodes; "
                     "use fewer elements", TRMI_BEAM_STRAINS / 6 + 1);
  }
  take(&w, arena);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  memcpy(w.L, first->section->D, sizeof w.L);
  TRMI_TRY(err, read_beam(&w, beam));
  if (!factor(w.L, 6) || !find_responses(&w)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "to average its vibrations it needs mass and rotary "
                     "inertia about all axes");
  }
  find_matrix(&w, beam);
  trmi_diagonalize(w.S, w.V, w.ns);
  *out = (trmi_beam_modes){.nstrains = w.ns};
  for (int u = 0; u < w.ns; u++) out->count += w.S[w.ns * u + u] >= least * least;
  out->omega2 = TRMI_TAKE(arena, double, out->count);
  out->rows = TRMI_TAKE(arena, double, out->count * w.ns);
  int *order = TRMI_TAKE(arena, int, w.ns);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  keep(&w, beam, least, order, out);
  return TRM_OK;
}

trm_status trmi_beam_modes_add(const trmi_beam_modes *modes, const trmi_beam *beam, int element,
                               const trmi_beam_state *at, const trmi_beam_modes_out *out) {
  const int n = beam->n, strains = 6 * (n - 1), size = 6 * n, first = strains * element;
  const int count = modes->count - out->first < 6 ? modes->count - out->first : 6;
  double e[6 * TRMI_BEAM_POINTS], by_q[6 * TRMI_BEAM_POINTS * TRMI_BEAM_SIZE];
  const trm_status status = trmi_beam_strains(beam, at, e, out->derivatives != NULL ? by_q : NULL);
  if (status != TRM_OK) return status;
  for (int i = 0; i < count; i++) {
    const double *row = modes->rows + modes->nstrains * (out->first + i) + first;
    for (int k = 0; k < strains; k++) out->eta[i] += row[k] * e[k];
    if (out->derivatives == NULL) continue;
    double *to = out->derivatives + 6 * out->nnodes * i + first;
    for (int k = 0; k < strains; k++) {
      for (int c = 0; c < size; c++) to[c] += row[k] * by_q[size * k + c];
    }
  }
  return TRM_OK;
}
