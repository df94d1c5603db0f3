/* rates.c - rates of the constraints that a system does not provide.
 *
 *   G v + g_t: row j of G is motion(lam = e_j) - motion(lam = 0), exactly;
 *              g_t is a central difference of g in time alone               (1)
 *   bias = d/ds of the rate along q (+) s v, t + s, with v fixed            (2) */
#include "system/system.h"
#include <math.h>
#include <string.h>

void trmi_rates_take(trm_system *sys) {
  if (sys->ops->gives_rates) return;
  const trm_sizes *n = &sys->n;
  const int rows = n->ng > n->na ? n->ng : n->na;
  trmi_state_take(sys, &sys->arena, &sys->moved);
  trmi_state_take(sys, &sys->arena, &sys->unit);
  sys->unit_out = TRMI_TAKE(&sys->arena, double, n->nv);
  sys->unit_zero = TRMI_TAKE(&sys->arena, double, n->nv);
  sys->g_ahead = TRMI_TAKE(&sys->arena, double, n->ng);
  sys->g_behind = TRMI_TAKE(&sys->arena, double, n->ng);
  sys->rate_ahead = TRMI_TAKE(&sys->arena, double, rows);
  sys->rate_behind = TRMI_TAKE(&sys->arena, double, rows);
}

static double time_step(const trm_system *sys, const trm_state *s) {
  return 6e-6 * fmax(1e-3 * sys->second, fabs(s->t)); /* cbrt(eps), see differences.c */
}

/* (1); s is not the scratch state `unit` */
static trm_status rate_of_g(trm_system *sys, const trm_state *s, double *rate, trm_error *err) {
  trm_state *p = &sys->unit;
  const int ng = sys->n.ng, nv = sys->n.nv;
  trmi_state_copy(sys, s, p);
  memset(p->lam, 0, (size_t)ng * sizeof(double));
  TRMI_ASK(err, sys->ops->name, "values",
           sys->ops->values(sys->self, p, &(trm_values){.motion = sys->unit_zero}, err));
  for (int j = 0; j < ng; j++) {
    p->lam[j] = 1.0;
    TRMI_ASK(err, sys->ops->name, "values",
             sys->ops->values(sys->self, p, &(trm_values){.motion = sys->unit_out}, err));
    p->lam[j] = 0.0;
    rate[j] = 0.0;
    for (int i = 0; i < nv; i++) rate[j] += (sys->unit_out[i] - sys->unit_zero[i]) * s->v[i];
  }
  const double e = time_step(sys, s);
  p->t = s->t + e;
  TRMI_ASK(err, sys->ops->name, "values",
           sys->ops->values(sys->self, p, &(trm_values){.g = sys->g_ahead}, err));
  p->t = s->t - e;
  TRMI_ASK(err, sys->ops->name, "values",
           sys->ops->values(sys->self, p, &(trm_values){.g = sys->g_behind}, err));
  for (int j = 0; j < ng; j++) rate[j] += (sys->g_ahead[j] - sys->g_behind[j]) / (2 * e);
  return TRM_OK;
}

/* The state `moved`: s a time e later on a straight path. */
static void move(trm_system *sys, const trm_state *s, double e) {
  trm_state *p = &sys->moved;
  trmi_state_copy(sys, s, p);
  for (int i = 0; i < sys->n.nv; i++) sys->unit_out[i] = e * s->v[i];
  trm_system_retract(sys, s->q, sys->unit_out, p->q);
  p->t = s->t + e;
}

/* A time during which nothing moves by more than cbrt(eps) of its scale. */
static double motion_step(const trm_system *sys, const trm_state *s) {
  double fastest = 1.0 / sys->second;
  for (int i = 0; i < sys->n.nv; i++) fastest = fmax(fastest, fabs(s->v[i]) / sys->scale_v[i]);
  return 6e-6 / fastest;
}

/* (2) */
static trm_status bias(trm_system *sys, const trm_state *s, bool holonomic, double *out,
                       trm_error *err) {
  const double e = motion_step(sys, s);
  double *const rate[2] = {sys->rate_ahead, sys->rate_behind};
  for (int side = 0; side < 2; side++) {
    move(sys, s, side == 0 ? e : -e);
    if (holonomic) {
      TRMI_TRY(err, rate_of_g(sys, &sys->moved, rate[side], err));
    } else {
      TRMI_ASK(err, sys->ops->name, "values",
               sys->ops->values(sys->self, &sys->moved, &(trm_values){.a_rate = rate[side]}, err));
    }
  }
  const int rows = holonomic ? sys->n.ng : sys->n.na;
  for (int j = 0; j < rows; j++) out[j] = (rate[0][j] - rate[1][j]) / (2 * e);
  return TRM_OK;
}

trm_status trmi_difference_rates(trm_system *sys, const trm_state *s, const trm_values *out,
                                 trm_error *err) {
  if (out->g_rate != NULL) TRMI_TRY(err, rate_of_g(sys, s, out->g_rate, err));
  if (out->g_bias != NULL) TRMI_TRY(err, bias(sys, s, true, out->g_bias, err));
  if (out->a_bias != NULL) TRMI_TRY(err, bias(sys, s, false, out->a_bias, err));
  return TRM_OK;
}
