/* driven_stops.c - stops and contacts closed by a prescribed motion, which they cannot stop.
 *
 * Such a gap depends on the constraints alone: no admissible velocity changes its rate. With some
 * velocity r and its admissible part u,
 *   [M G^T A^T; G 0 0; A 0 0] [u; *; *] = [M r; 0; 0],   |gap'(v + u) - gap'(v)| << that of r   (1)
 * The force of the stop is then balanced by the multipliers l of
 *   [M G^T A^T; G 0 0; A 0 0] [*; l; *] = [J^T; 0; 0],   J = d gap'/dv                         (2)
 * and motions whose rows carry part of it are reported, once for each gap, when its penetration
 * exceeds the tolerance. From then on it limits no steps, since nothing there changes a speed. A
 * start beyond a stop is reported by elements/joint/limits.c, and IMPACT may act in another
 * direction than its gap: both are excluded. */
#include "integ/driver.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double is_nothing = 1e-7; /* of (1), of l in (2) */

/* Change of the rate of gap i by an additional velocity; sim->dense is a copy of s. */
static trm_status change_by(trm_sim *sim, int i, const trm_state *s, const double *more,
                            double *change, trm_error *err) {
  for (int m = 0; m < sim->sys->n.nv; m++) sim->dense.v[m] = s->v[m] + more[m];
  const trm_values one = {.gaps = sim->gap_probe, .only_gap = i + 1};
  TRMI_TRY(err, trm_system_values(sim->sys, &sim->dense, &one, err));
  *change = sim->gap_probe[3 * i + 1] - sim->gap_now[3 * i + 1];
  return TRM_OK;
}

/* (1); leaves the matrix factored. */
static trm_status find_driven(trm_sim *sim, int i, const trm_state *s, trmi_matrix **matrix,
                              bool *is_driven, trm_error *err) {
  const trm_system *sys = sim->sys;
  double *r = sim->probe, *u = sim->consistent.rhs, all = 0.0, allowed = 0.0;
  TRMI_TRY(err, trmi_consistent_factor(&sim->consistent, s, false, matrix, err));
  memset(u, 0, (size_t)trmi_places_of(sys).n * sizeof(double));
  for (int m = 0; m < sys->n.nv; m++) r[m] = sys->unit_v[m] * (1.5 + sin(7.0 * m));
  trmi_sparse_add_mul(&sys->block[TRM_M], 1.0, r, u);
  TRMI_TRY(err, trmi_linear_solve(&(*matrix)->lin, u, err));
  TRMI_TRY(err, change_by(sim, i, s, r, &all, err));
  TRMI_TRY(err, change_by(sim, i, s, u, &allowed, err));
  *is_driven = fabs(allowed) < is_nothing * fabs(all);
  return TRM_OK;
}

/* (2) into the scratch of the consistent matrices. */
static trm_status find_multipliers(trm_sim *sim, int i, const trm_state *s, trmi_matrix *matrix,
                                   trm_error *err) {
  const trm_system *sys = sim->sys;
  double *J = sim->consistent.rhs;
  memset(sim->probe, 0, (size_t)sys->n.nv * sizeof(double));
  memset(J, 0, (size_t)trmi_places_of(sys).n * sizeof(double));
  for (int m = 0; m < sys->n.nv; m++) {
    sim->probe[m] = sys->unit_v[m];
    TRMI_TRY(err, change_by(sim, i, s, sim->probe, &J[m], err));
    J[m] /= sys->unit_v[m];
    sim->probe[m] = 0.0;
  }
  return trmi_linear_solve(&matrix->lin, J, err);
}

/* What drives it: motions, or the row with the largest part of (2). */
static void name_drives(const trm_sim *sim, char *text, size_t size) {
  const trm_system *sys = sim->sys;
  const double *l = sim->consistent.rhs + trmi_places_of(sys).lam;
  double most = 0.0;
  trm_label label = {.object = "the constraints"}, last = {.object = ""};
  size_t at = 0;
  for (int i = 0; i < sys->n.ng; i++) {
    if (!(fabs(l[i]) > most)) continue;
    most = fabs(l[i]);
    trm_system_label(sys, TRM_LAM, i, &label);
  }
  snprintf(text, size, "%s", label.object);
  for (int i = 0; i < sys->n.ng && at < size; i++) {
    trm_system_label(sys, TRM_LAM, i, &label);
    if (!(fabs(l[i]) > is_nothing * most) || strncmp(label.object, "motion ", 7) != 0) continue;
    if (strcmp(last.object, label.object) == 0) continue;
    at += (size_t)snprintf(text + at, size - at, "%s%s", at > 0 ? ", " : "", label.object);
    last = label;
  }
}

/* Do constraints depend on time? Otherwise nothing is driven. */
static trm_status find_drives(trm_sim *sim, const trm_state *s, bool *has_drives, trm_error *err) {
  const int ng = sim->sys->n.ng;
  double *rate = sim->consistent.rhs;
  *has_drives = false;
  trmi_state_copy(sim->sys, s, &sim->dense);
  memset(sim->dense.v, 0, (size_t)sim->sys->n.nv * sizeof(double));
  TRMI_TRY(err, trm_system_values(sim->sys, &sim->dense, &(trm_values){.g_rate = rate}, err));
  for (int i = 0; i < ng; i++) *has_drives = *has_drives || rate[i] != 0.0;
  return TRM_OK;
}

trm_status trmi_driven_stop_look(trm_sim *sim, int i, const trm_state *s, trm_error *err) {
  char drives[240], text[500];
  trm_label label;
  trmi_matrix *matrix = NULL;
  bool has_drives = false, is_driven = false;
  trm_system_label(sim->sys, TRM_GAP, i, &label);
  if (sim->sys->n.ng == 0 || strncmp(label.object, "impact ", 7) == 0) return TRM_OK;
  TRMI_TRY(err, find_drives(sim, s, &has_drives, err));
  if (!has_drives) return TRM_OK;
  TRMI_TRY(err, find_driven(sim, i, s, &matrix, &is_driven, err));
  if (!is_driven) return TRM_OK;
  sim->impacts[i].is_driven = true;
  TRMI_TRY(err, find_multipliers(sim, i, s, matrix, err));
  name_drives(sim, drives, sizeof drives);
  snprintf(text, sizeof text, "%s is passed at %.6g %s: %s moves on whatever pushes back, so that "
           "the force of the %s only loads the drive", label.object, sim->impacts[i].touch,
           sim->sys->units.time, drives,
           strncmp(label.object, "stop ", 5) == 0 ? "stop" : "contact");
  trmi_sinks_message(sim, text);
  return TRM_OK;
}
