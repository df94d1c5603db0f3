/* modes_turning.c - effects of rotating bodies that modes do not contain.
 *
 * Coefficients count as constant in fixed axes (head of linearize.c). That holds at rest and for
 * bodies of revolution that spin about their axis n: with J the inertia and B the coupling of
 * rotations with all other velocities in M,
 *   J n || n,   e.J e the same for all e across n,   B n = 0                                  (1)
 * Other rotating bodies are stiffened by their rotation, which modes contain only in part. At rest
 * the effect of a motion that prescribes a speed of rotation is missing completely. */
#include "analysis/modes.h"
#include "math/vec.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double round_off = 1e-6; /* of (1), over the inertia */
static const double least_spin = 1e-6; /* [rad/s] */

/* M of the rotation that begins at velocity `first`, and the size of B n. */
static void read_inertia(const trm_system *sys, int first, trmi_vec3 n, double J[9],
                         double *coupling) {
  const trmi_sparse *M = &sys->block[TRM_M];
  const double axis[3] = {n.x, n.y, n.z};
  memset(J, 0, 9 * sizeof *J);
  *coupling = 0.0;
  for (int k = 0; k < M->n; k++) {
    const int i = M->row[k] - first, j = M->col[k] - first;
    if (j < 0 || j > 2) continue;
    if (i >= 0 && i < 3) J[3 * i + j] += M->values[k];
    else *coupling += fabs(M->values[k] * axis[j]);
  }
}

/* (1) */
static bool is_round(const trm_system *sys, int first, trmi_vec3 n) {
  double J[9], coupling;
  read_inertia(sys, first, n, J, &coupling);
  const double size = J[0] + J[4] + J[8], most = round_off * size;
  const trmi_vec3 Jn = m3_mul(J, n), off = v3_sub(Jn, v3_scale(v3_dot(n, Jn), n));
  const trmi_vec3 other = fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
  const trmi_vec3 across = v3_cross(n, other), e = v3_scale(1.0 / v3_norm(across), across);
  const trmi_vec3 f = v3_cross(n, e), Je = m3_mul(J, e), Jf = m3_mul(J, f);
  return v3_norm(off) <= most && fabs(v3_dot(e, Je) - v3_dot(f, Jf)) <= 2.0 * most &&
         fabs(v3_dot(e, Jf)) <= most && coupling <= most;
}

/* The fastest rotation that is not (1); -1: there is none. */
static int find_turning(const trm_system *sys, const trm_state *s, double *speed) {
  int fastest = -1;
  *speed = least_spin / sys->units.seconds;
  for (int k = 0; k < sys->n.nrot; k++) {
    const trmi_vec3 w = v3_load(s->v + sys->rot_v[k]);
    const double size = v3_norm(w);
    if (!(size > *speed) || is_round(sys, sys->rot_v[k], v3_scale(1.0 / size, w))) continue;
    fastest = sys->rot_v[k];
    *speed = size;
  }
  return fastest;
}

/* The row of the motion that prescribes the fastest rotation not present in the state; -1: none. */
static trm_status find_left_out(trm_system *sys, const trm_state *s, trmi_arena *scratch, int *row,
                                double *speed, trm_error *err) {
  double *rate = TRMI_TAKE(scratch, double, sys->n.ng);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  *row = -1;
  *speed = least_spin / sys->units.seconds;
  if (sys->n.ng == 0) return TRM_OK;
  TRMI_TRY(err, trm_system_values(sys, s, &(trm_values){.g_rate = rate}, err));
  for (int i = 0; i < sys->n.ng; i++) {
    trm_label label;
    trm_system_label(sys, TRM_LAM, i, &label);
    const bool is_motion = strncmp(label.object, "motion '", 8) == 0;
    if (!is_motion || label.kind != TRM_KIND_NEWTON_METRE || !(fabs(rate[i]) > *speed)) continue;
    *row = i;
    *speed = fabs(rate[i]);
  }
  return TRM_OK;
}

trm_status trmi_modes_describe_turning(trm_system *sys, const trm_state *s, trmi_arena *scratch,
                                       char text[TRM_MESSAGE_MAX], trm_error *err) {
  trm_label label;
  double speed = 0.0;
  int row = -1;
  text[0] = '\0';
  const int first = find_turning(sys, s, &speed);
  if (first >= 0) {
    trm_system_label(sys, TRM_V, first, &label);
    snprintf(text, TRM_MESSAGE_MAX, "%s turns with %.4g %s, and modes leave out part of the "
             "stiffness that this adds: 'plot --spectrum' of a run shows all of it", label.object,
             speed, sys->units.turning);
    return TRM_OK;
  }
  TRMI_TRY(err, find_left_out(sys, s, scratch, &row, &speed, err));
  if (row < 0) return TRM_OK;
  trm_system_label(sys, TRM_LAM, row, &label);
  snprintf(text, TRM_MESSAGE_MAX, "%s asks for %.4g %s, and at rest the stiffness that this "
           "rotation adds is left out: 'plot --spectrum' of a run shows it",
           label.object, speed, sys->units.turning);
  return TRM_OK;
}
