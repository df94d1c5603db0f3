/* doctor.c - joints with redundant rows, and displacements by assembly; the other parts are in
 * doctor_sets.c, doctor_pose.c, doctor_scales.c, doctor_bodies.c and doctor_advice.c. */
#include "analysis/doctor_internal.h"
#include "core/index.h"
#include "system/feedback.h"
#include "integ/diagnose.h"
#include "system/relations.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Changes of the start below this, in metres or radians and per second, are rounding, not
 * assembly. */
static const double moved_min = 1e-12;

void trmi_doctor_warn(trmi_doctor *d, const char *fmt, ...) {
  if (d->out.nwarnings == TRMI_WARNINGS_MAX) return;
  char *text = TRMI_TAKE(&d->arena, char, TRM_MESSAGE_MAX);
  if (text == NULL) return; /* the arena records it */
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, TRM_MESSAGE_MAX, fmt, args);
  va_end(args);
  d->warnings[d->out.nwarnings++] = text;
}

/* --- joints ------------------------------------------------------------------- */

static trm_status find_joints(trmi_doctor *d, trm_error *err) {
  const trm_system *sys = d->sim->sys;
  const trm_rank *rank = &d->out.rank;
  int most = 0;
  for (int i = 0; i < rank->rows; i++) most += rank->redundant[i] || rank->not_unique[i];
  d->out.joints = d->joints = TRMI_TAKE(&d->arena, trm_doctor_joint, most);
  d->joint_of = TRMI_TAKE(&d->arena, int, rank->rows);
  TRMI_TRY(err, trmi_arena_check(&d->arena, err));
  trmi_index names = {.size = 0};
  for (int pass = 0; pass < 2 && most > 0; pass++) { /* those with findings, then all */
    for (int i = 0; i < rank->rows; i++) {
      trm_label label;
      char name[TRM_OBJECT_MAX];
      if (pass == 0 && !rank->redundant[i] && !rank->not_unique[i]) continue;
      trmi_row_label(sys, i, &label);
      trmi_joint_name(&label, name);
      const int known = trmi_index_find(&names, name, strlen(name));
      d->joint_of[i] = known;
      if (pass == 1) {
        if (known >= 0) d->joints[known].rows++;
        continue;
      }
      trm_doctor_joint *joint = &d->joints[known >= 0 ? known : d->out.njoints++];
      joint->not_unique += rank->not_unique[i] != 0;
      if (known >= 0) continue;
      memcpy(joint->name, name, sizeof name);
      memcpy(joint->object, label.object, sizeof joint->object);
      trmi_index_add(&names, &d->arena, joint->name, strlen(name), d->out.njoints - 1);
      TRMI_TRY(err, trmi_arena_check(&d->arena, err));
    }
  }
  const int dependent = rank->rows - rank->rank;
  if (dependent > 0) {
    char unsure[TRM_MESSAGE_MAX];
    TRMI_TRY(err, trmi_feedback_unsure(d->sim->sys, &d->sim->start, rank, &d->sim->relations,
                                       unsure, sizeof unsure, err));
    const bool is_right = unsure[0] == '\0';
    trmi_doctor_warn(d, "%d of %d constraint rows follow%s from the others: %sthe reactions of "
                     "some joints are not unique", dependent, rank->rows,
                     dependent == 1 ? "s" : "", is_right ? "the motion is right, but " : "");
    if (!is_right) trmi_doctor_warn(d, "%s", unsure);
  }
  char nearly[TRM_MESSAGE_MAX];
  if (trmi_diagnose_nearly(d->sim, nearly, sizeof nearly)) trmi_doctor_warn(d, "%s", nearly);
  if (!rank->complete) {
    trmi_doctor_warn(d, "a closed loop is too large for the search for redundant constraints: its "
                        "rows count as independent");
  }
  return TRM_OK;
}

static void count_redundant(trmi_doctor *d) {
  for (int k = 0; k < d->out.nsets; k++) {
    for (int i = 0; i < d->sets[k].surplus; i++) {
      const int joint = d->joint_of[d->sets[k].release[i]];
      if (joint >= 0) d->joints[joint].redundant++;
    }
  }
}

/* Two drives on one degree of freedom whose motions agree at the start. */
static void find_rivals(trmi_doctor *d) {
  const trmi_relations *all = &d->sim->relations;
  for (int k = 0; k < all->count; k++) {
    char motions[2][TRM_OBJECT_MAX];
    if (trmi_relation_motions(d->sim->sys, &all->list[k], motions) < 2) continue;
    trmi_doctor_warn(d, "%s and %s drive the same freedom: leave one of them out", motions[0],
                     motions[1]);
  }
}

/* --- assembly ------------------------------------------------------------------- */

/* Add the square of a change to its kind. */
static void add_change(const trm_system *sys, int i, double change, double *length, double *angle,
                       double *other) {
  trm_label label;
  trm_system_label(sys, TRM_V, i, &label);
  double *sum = label.kind == TRM_KIND_METRE    ? length
                : label.kind == TRM_KIND_RADIAN ? angle
                                                : other;
  for (int k = 0; k < sys->n.nrot; k++) {
    if (i >= sys->rot_v[k] && i < sys->rot_v[k] + 3) sum = angle;
  }
  *sum += change * change;
}

/* Coordinates of one object are consecutive. */
static trm_status find_moves(trmi_doctor *d, trm_error *err) {
  const trm_sim *sim = d->sim;
  const trm_system *sys = sim->sys;
  trm_doctor_move *moves = TRMI_TAKE(&d->arena, trm_doctor_move, sys->n.nv);
  TRMI_TRY(err, trmi_arena_check(&d->arena, err));
  d->out.moves = moves;
  for (int i = 0; i < sys->n.nv; i++) {
    const bool has_moved = fabs(sim->start_displacement[i]) > moved_min * sys->unit_v[i];
    const bool has_changed = sim->v_moved[i] > moved_min * sys->unit_v[i] / sys->second;
    if (!has_moved && !has_changed) continue;
    trm_label label;
    trm_system_label(sys, TRM_V, i, &label);
    const bool is_same = d->out.nmoves > 0 &&
                         strcmp(moves[d->out.nmoves - 1].object, label.object) == 0;
    trm_doctor_move *move = &moves[is_same ? d->out.nmoves - 1 : d->out.nmoves++];
    memcpy(move->object, label.object, sizeof move->object);
    if (has_moved) {
      add_change(sys, i, sim->start_displacement[i], &move->length, &move->angle, &move->other);
    }
    if (has_changed) {
      add_change(sys, i, sim->v_moved[i], &move->speed, &move->turning, &move->rate);
    }
  }
  for (int k = 0; k < d->out.nmoves; k++) {
    double *const sums[] = {&moves[k].length, &moves[k].angle,   &moves[k].other,
                            &moves[k].speed,  &moves[k].turning, &moves[k].rate};
    for (int l = 0; l < 6; l++) *sums[l] = sqrt(*sums[l]);
  }
  return TRM_OK;
}

/* --- all ------------------------------------------------------------------------ */

static trm_status examine(trmi_doctor *d, bool frequencies, trm_error *err) {
  TRMI_TRY(err, find_joints(d, err));
  TRMI_TRY(err, trmi_doctor_find_sets(d, &d->sim->relations, &d->sets, &d->out.nsets, err));
  d->out.sets = d->sets;
  count_redundant(d);
  find_rivals(d);
  TRMI_TRY(err, trmi_doctor_test_pose(d, err));
  TRMI_TRY(err, find_moves(d, err));
  TRMI_TRY(err, trmi_doctor_weigh(d, err));
  TRMI_TRY(err, trmi_doctor_inspect(d, err));
  if (frequencies) TRMI_TRY(err, trmi_doctor_listen(d, err));
  TRMI_TRY(err, trmi_doctor_recommend(d, err));
  d->out.warnings = d->warnings;
  TRMI_TRY(err, trmi_arena_check(&d->arena, err));
  return TRM_OK;
}

trm_status trm_doctor_examine(trm_sim *sim, bool frequencies, trm_doctor **doctor,
                              trm_error *err) {
  TRMI_NEED(err, doctor);
  *doctor = NULL;
  TRMI_NEED(err, sim);
  const trm_allocator *allocator = &sim->arena.allocator;
  trmi_doctor *d = trmi_allocate(allocator, sizeof *d);
  if (d == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for the "
                                                             "examination");
  *d = (trmi_doctor){.sim = sim, .state = sim->has_plan ? trm_sim_state(sim) : &sim->start,
                     .out = {.rank = sim->rank, .frequency_min = NAN, .frequency_max = NAN,
                             .freedoms_by_count = sim->rank.nv - sim->rank.rows}};
  trmi_arena_init(&d->arena, allocator);
  const trm_status status = examine(d, frequencies, err);
  if (status != TRM_OK) {
    trm_doctor_free(&d->out);
    return trmi_note(err, __func__, status);
  }
  *doctor = &d->out;
  return TRM_OK;
}

trm_status trm_doctor_examine_start(trm_system *system, const trm_options *options, trm_sim **sim,
                                    trm_doctor **doctor, trm_error *err) {
  TRMI_NEED(err, sim, doctor);
  *doctor = NULL;
  TRMI_NEED(err, system, options);
  TRMI_TRY(err, trmi_sim_assemble(system, options, sim, err));
  const trm_status status = trm_doctor_examine(*sim, false, doctor, err);
  if (status == TRM_OK) return TRM_OK;
  trm_sim_free(*sim);
  *sim = NULL;
  return trmi_note(err, __func__, status);
}

void trm_doctor_free(trm_doctor *doctor) {
  if (doctor == NULL) return;
  trmi_doctor *d = (trmi_doctor *)doctor; /* `out` is its first member */
  const trm_allocator allocator = d->arena.allocator;
  trmi_arena_clear(&d->arena);
  trmi_release(&allocator, d);
}
