/* doctor_pose.c - tests whether constraints are dependent only in this pose.
 *
 * At an assembled start q of rank r, with free directions Z, another assembled position is near
 *   q (+) Z w,   w_k = cos(1 + 2.4 k + 1.7 j),  its largest part 1e-3 of the scales        (1)
 * for a few numbers j, some of them at a later time, when motions prescribe another position: a
 * start in a dead centre of its drive can move only then. If the rank there is larger than r, the
 * start is a singular pose: rows to release are determined from the relations remaining there. If
 * nothing can move, or no position is found nearby, the start itself is used. Theory:
 * docs/theory/06-start-and-rank.md. */
#include "analysis/doctor_internal.h"
#include "system/consistent.h"
#include "system/freedom.h"
#include "system/relations.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIRECTIONS = 4, TIMES = 4, ITERATIONS = 50 };
static const double later[TIMES] = {1e-3, 3e-3, 1e-2, 3e-2}; /* of the run, for motions */
static const double disturbance = 1e-3; /* of (1)                                             */
static const double farthest = 1e-2;    /* larger displacements by assembly are not near      */
static const double pivot_least = 1e-7; /* between the remainder of assembly, at most 1e-9, and
                                           (1) */

typedef struct place {
  trm_state       s;
  double         *step; /* [nv] */
  trmi_freedom    freedom;
  trmi_consistent consistent;
  trm_rank        rank;
  trmi_relations  relations;
} place;

static double largest_part(const trm_system *sys, const double *step) {
  double largest = 0.0;
  for (int i = 0; i < sys->n.nv; i++) largest = fmax(largest, fabs(step[i]) / sys->scale_v[i]);
  return largest;
}

/* (1) */
static void choose_step(const trm_system *sys, int number, place *p) {
  const int nv = sys->n.nv;
  memset(p->step, 0, (size_t)nv * sizeof(double));
  for (int k = 0; k < p->freedom.count; k++) {
    const double weight = cos(1.0 + 2.4 * k + 1.7 * number);
    for (int i = 0; i < nv; i++) {
      p->step[i] += weight * p->freedom.Z[(size_t)k * (size_t)nv + (size_t)i];
    }
  }
  const double largest = largest_part(sys, p->step);
  for (int i = 0; i < nv && largest > 0.0; i++) p->step[i] *= disturbance / largest;
}

/* Rank at an assembled position; `is_near`: there is one. Only a lack of memory is an error. */
static trm_status look(trmi_doctor *d, int number, trmi_arena *scratch, place *p, bool *is_near,
                       trm_error *err) {
  trm_system *sys = d->sim->sys;
  const trm_state *start = d->state;
  trm_error own;
  *is_near = false;
  choose_step(sys, number, p);
  trmi_state_copy(sys, start, &p->s);
  trm_system_retract(sys, start->q, p->step, p->s.q);
  if (number >= DIRECTIONS) {
    const double span = d->sim->options.end - start->t;
    trmi_state_at(sys, start, start->t + later[number - DIRECTIONS] * span, &p->s);
  }
  trm_status status = trmi_consistent_positions(&p->consistent, &p->s, ITERATIONS, &own);
  if (status == TRM_OK) {
    trm_system_difference(sys, p->s.q, start->q, p->step);
    if (!(largest_part(sys, p->step) < farthest)) return TRM_OK;
    status = trmi_rank_relate(sys, &p->s, pivot_least, scratch, &p->rank, &p->relations, &own);
    *is_near = status == TRM_OK;
  }
  if (status != TRM_ERR_MEMORY) return TRM_OK;
  if (err != NULL) *err = own;
  return trmi_note(err, __func__, status);
}

/* Relations at the position of largest rank, if larger than at the start. */
static trm_status look_around(trmi_doctor *d, trmi_arena *scratch, place *p,
                              trmi_relations *left, int *rank, trm_error *err) {
  *rank = d->out.rank.rank;
  for (int number = 0; number < DIRECTIONS + TIMES; number++) {
    bool is_near;
    TRMI_TRY(err, look(d, number, scratch, p, &is_near, err));
    if (!is_near || p->rank.rank <= *rank) continue;
    *rank = p->rank.rank;
    *left = p->relations;
  }
  return TRM_OK;
}

static bool is_member(const trm_doctor_set *set, int joint) {
  for (int i = 0; i < set->njoints; i++) {
    if (set->joints[i] == joint) return true;
  }
  return false;
}

/* Hints of the remaining sets replace those of the start. */
static void replace_hints(trmi_doctor *d, const trm_doctor_set *left, int nleft) {
  for (int k = 0; k < d->out.nsets; k++) {
    trm_doctor_set *set = &d->sets[k];
    int found = 0;
    set->hint[0] = '\0';
    set->relax = -1;
    for (int l = 0; l < nleft; l++) {
      if (!is_member(set, left[l].joints[0])) continue;
      set->relax = found == 0 ? left[l].relax : -1;
      if (found++ > 0) strncat(set->hint, "; ", sizeof set->hint - strlen(set->hint) - 1);
      strncat(set->hint, left[l].hint, sizeof set->hint - strlen(set->hint) - 1);
    }
  }
}

static trm_status test_pose(trmi_doctor *d, trmi_arena *scratch, place *p, trm_error *err) {
  trmi_relations left;
  int rank;
  TRMI_TRY(err, look_around(d, scratch, p, &left, &rank, err));
  const int gained = rank - d->out.rank.rank;
  if (gained == 0) return TRM_OK;
  for (int k = 0; k < left.count; k++) { /* rows that are not dependent at the start: rounding */
    for (int i = 0; i < left.list[k].n; i++) {
      if (d->joint_of[left.list[k].row[i]] < 0) return TRM_OK;
    }
  }
  trm_doctor_set *sets = NULL;
  int nsets = 0;
  if (left.count > 0) TRMI_TRY(err, trmi_doctor_find_sets(d, &left, &sets, &nsets, err));
  replace_hints(d, sets, nsets);
  char motions[2][TRM_OBJECT_MAX] = {""}, centre[TRM_OBJECT_MAX + 24] = "";
  for (int k = 0; k < d->sim->relations.count && motions[0][0] == '\0'; k++) {
    (void)trmi_relation_motions(d->sim->sys, &d->sim->relations.list[k], motions);
  }
  if (motions[0][0] != '\0') snprintf(centre, sizeof centre, ", a dead centre of %s", motions[0]);
  trmi_doctor_warn(d, "%d of these constraint rows %s dependent in this pose only: the start is a "
                   "singular pose%s, where the motion may branch%s", gained,
                   gained == 1 ? "is" : "are", centre,
                   nsets > 0 ? "; hints are for constraints that stay dependent outside it" : "");
  return TRM_OK;
}

trm_status trmi_doctor_test_pose(trmi_doctor *d, trm_error *err) {
  trm_system *sys = d->sim->sys;
  if (d->sim->relations.count == 0 || !d->out.rank.complete) return TRM_OK;
  trmi_arena scratch;
  place p = {.step = NULL};
  trmi_arena_init(&scratch, &d->arena.allocator);
  p.step = TRMI_TAKE(&scratch, double, sys->n.nv);
  trmi_state_take(sys, &scratch, &p.s);
  trm_status status = trmi_arena_check(&scratch, err);
  if (status == TRM_OK) {
    status = trmi_freedom_find(sys, d->state, &d->out.rank, &scratch, &p.freedom, err);
  }
  if (status == TRM_OK && p.freedom.count > 0) {
    status = trmi_consistent_init(&p.consistent, sys, &scratch, d->sim->options.solver, true, err);
    if (status == TRM_OK) status = test_pose(d, &scratch, &p, err);
    trmi_consistent_free(&p.consistent);
  }
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}
