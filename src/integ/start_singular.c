/* start_singular.c - accelerations of a start in a singular pose, and a note about such poses.
 *
 * If constraints are dependent only in the pose of the start, they restrict accelerations less
 * there than near it, and the smallest accelerations are not those of the motion. The motion leaves
 * the pose along v. States ahead at distances of e,
 *   q_j = q (+) (j e v + (j e)^2/2 v'),  v_j = v + j e v',   projected onto the constraints  (1)
 * have accelerations a_j, and so has the start by continuity:
 *   v' = 4 a_1 - 6 a_2 + 4 a_3 - a_4                                                      (2)
 * once with v' = 0 in (1), then with the v' found. Multipliers are extrapolated likewise. */
#include "integ/driver.h"
#include "integ/singular_pose.h"
#include "system/rank.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AHEAD = 4, ROUNDS = 2 };
static const double weights[AHEAD] = {4.0, -6.0, 4.0, -1.0};
/* Distance of the first state ahead over the scales: rounding, divided by its third power, and the
 * error of (2) are both far below the quantity to be corrected. */
static const double distance = 1e-2;

/* State number j of (1) into sim->dense. */
static trm_status look_ahead(trm_sim *sim, const trm_state *s, const double *vd, double e,
                             trm_error *err) {
  trm_system *sys = sim->sys;
  trm_state *p = &sim->dense;
  double *displacement = sim->consistent.step;
  trmi_state_copy(sys, s, p);
  for (int i = 0; i < sys->n.nv; i++) {
    displacement[i] = e * (s->v[i] + 0.5 * e * vd[i]);
    p->v[i] = s->v[i] + e * vd[i];
  }
  trm_system_retract(sys, s->q, displacement, p->q);
  for (int i = 0; i < sys->n.nx; i++) p->x[i] += e * s->xd[i];
  trmi_state_at(sys, s, s->t + e, p);
  TRMI_TRY(err, trmi_consistent_positions(&sim->consistent, p, 10, err));
  TRMI_TRY(err, trmi_consistent_velocities(&sim->consistent, p, err));
  TRMI_TRY(err, trmi_consistent_accelerations(&sim->consistent, p, err));
  return TRM_OK;
}

/* Are more constraints independent ahead than at the start? */
static trm_status is_singular(trm_sim *sim, const trm_state *s, double e, const double *zeros,
                              bool *singular, trm_error *err) {
  trm_rank rank;
  trmi_arena scratch;
  *singular = false;
  TRMI_TRY(err, look_ahead(sim, s, zeros, e, err));
  trmi_arena_init(&scratch, &sim->arena.allocator);
  const trm_status status = trmi_rank_find(sim->sys, &sim->dense, &scratch, &rank, err);
  if (status == TRM_OK) *singular = rank.rank > sim->rank.rank;
  if (*singular) sim->rank_ahead = rank.rank;
  trmi_arena_clear(&scratch);
  return status;
}

static void add(double *sum, double weight, const double *what, int n) {
  for (int i = 0; i < n; i++) sum[i] += weight * what[i];
}

/* (2) into `found`: accelerations, lam, mu. */
static trm_status extrapolate(trm_sim *sim, const trm_state *s, double e, double *found,
                              trm_error *err) {
  const trm_sizes *n = &sim->sys->n;
  const int all = n->nv + n->ng + n->na;
  double *sum = found + all;
  memset(found, 0, (size_t)all * sizeof(double));
  for (int k = 0; k < ROUNDS; k++) {
    memset(sum, 0, (size_t)all * sizeof(double));
    for (int j = 0; j < AHEAD; j++) {
      TRMI_TRY(err, look_ahead(sim, s, found, (j + 1) * e, err));
      add(sum, weights[j], sim->dense.vd, n->nv);
      add(sum + n->nv, weights[j], sim->dense.lam, n->ng);
      add(sum + n->nv + n->ng, weights[j], sim->dense.mu, n->na);
    }
    memcpy(found, sum, (size_t)all * sizeof(double));
  }
  return TRM_OK;
}

trm_status trmi_start_pose(trm_sim *sim, trm_state *s, trm_error *err) {
  const trm_system *sys = sim->sys;
  const trm_sizes *n = &sys->n;
  const int all = n->nv + n->ng + n->na;
  double speed = 0.0;
  for (int i = 0; i < n->nv; i++) speed = fmax(speed, fabs(s->v[i]) / sim->scale_v[i]);
  if (!sim->bordered || n->ng == 0 || !(speed > 0.0)) return TRM_OK;
  const double e = distance / speed;
  double *found = TRMI_TAKE(&sim->arena, double, 2 * (size_t)all);
  TRMI_TRY(err, trmi_arena_check(&sim->arena, err));
  memset(found, 0, (size_t)all * sizeof(double));
  bool singular = false;
  trm_error own = {.status = TRM_OK}; /* without states ahead the start remains unchanged */
  trm_status status = is_singular(sim, s, e, found, &singular, &own);
  if (status == TRM_OK && singular) status = extrapolate(sim, s, e, found, &own);
  if (status == TRM_ERR_MEMORY) {
    if (err != NULL) *err = own;
    return trmi_note(err, __func__, status);
  }
  if (status != TRM_OK || !singular) return TRM_OK;
  memcpy(s->vd, found, (size_t)n->nv * sizeof(double));
  memcpy(s->lam, found + n->nv, (size_t)n->ng * sizeof(double));
  memcpy(s->mu, found + n->nv + n->ng, (size_t)n->na * sizeof(double));
  sim->consistent.least_ahead = e;
  return TRM_OK;
}

void trmi_singular_pose_report(const trmi_context *ctx, double t) {
  char text[300];
  snprintf(text, sizeof text,
           "a step ended next to a singular pose at %.6g %s, where the motion could branch: "
           "compare it with that of another integrator or tolerance", t, ctx->sys->units.time);
  ctx->message(ctx->message_self, text);
}
