/* lent_mass.c - temporary masses for massless velocities in the search for equilibria.
 *
 * At rest M does not enter the balance of forces; it only measures displacements in steps of the
 * search. A massless beam is given a temporary mass there: with scales s_i, and the largest e = max
 * M_kk s_k^2 of all velocities, or one if there is no mass at all,
 *   M_ii = share e/s_i^2   where M_ii = 0                                                     (1)
 */
#include "system/system.h"
#include <math.h>
#include <string.h>

static const double share = 1e-2;

/* Sums of diagonal entries, of which there may be several at one position. */
static void add_diagonal(const trm_system *sys, double *sum) {
  const trmi_sparse *M = &sys->block[TRM_M];
  memset(sum, 0, (size_t)sys->n.nv * sizeof(double));
  for (int k = 0; k < M->n; k++) {
    if (M->row[k] == M->col[k]) sum[M->row[k]] += M->values[k];
  }
}

void trmi_lent_mass_fill(trm_system *sys) {
  const trmi_sparse *M = &sys->block[TRM_M];
  double *sum = sys->lent_mass, largest = 0.0;
  add_diagonal(sys, sum);
  for (int i = 0; i < sys->n.nv; i++) {
    largest = fmax(largest, sum[i] * sys->scale_v[i] * sys->scale_v[i]);
  }
  if (!(largest > 0.0)) largest = 1.0;
  for (int k = 0; k < M->n; k++) {
    const int i = M->row[k];
    if (i != M->col[k] || sum[i] != 0.0) continue;
    M->values[k] = sum[i] = share * largest / (sys->scale_v[i] * sys->scale_v[i]); /* (1) */
  }
}

trm_status trmi_system_lend_mass(trm_system *sys, const trm_state *s, trmi_arena *scratch,
                                 bool *is_whole, trm_error *err) {
  *is_whole = true;
  sys->lent_mass = TRMI_TAKE(scratch, double, sys->n.nv);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  TRMI_TRY(err, trmi_system_want(sys, TRM_M, err));
  TRMI_TRY(err, trmi_system_blocks(sys, s, TRMI_BIT(TRM_M), NULL, NULL, NULL, err));
  for (int i = 0; i < sys->n.nv; i++) *is_whole = *is_whole && sys->lent_mass[i] > 0.0;
  if (!*is_whole) sys->lent_mass = NULL;
  return TRM_OK;
}
