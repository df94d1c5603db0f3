/* doctor_scales.c - massless directions, and numbers that suggest a wrong unit.
 *
 * Every limit is far outside the range of mechanisms, so that a warning is meaningful: a part of a
 * gram on a ship is not a reason for one. */
#include "analysis/doctor_internal.h"
#include "system/freedom.h"
#include <math.h>
#include <string.h>

static const double lightest_mass = 1e-12; /* of a free direction, over the heaviest    */
static const double mass_ratio = 1e12;     /* of the masses of coordinates in metres    */
static const double angle_most = 31.5;     /* [rad], five turns: more looks like degrees */
static const double length_most = 1e7;     /* [m]                                       */
static const double speed_most = 1e6;      /* [m/s]                                     */
static const double gravity_least = 0.5, gravity_most = 50.0; /* [m/s^2], unless it is zero */
static const double tolerance_most = 0.1;  /* largest meaningful tolerance              */
static const double motion_most = 0.1;     /* of a start that a motion moves [m, rad]  */
static const double gravity_earth = 9.80665;                  /* [m/s^2]                    */

/* Is the largest part of a direction one of a rotation? */
static bool is_rotation(const trm_system *sys, const double *direction) {
  int worst = 0;
  for (int i = 1; i < sys->n.nv; i++) {
    const double size = fabs(direction[i]) / sys->scale_v[i];
    if (size > fabs(direction[worst]) / sys->scale_v[worst]) worst = i;
  }
  trm_label label;
  return trmi_coordinate_label(sys, worst, &label);
}

static trm_status weigh_directions(trmi_doctor *d, trmi_arena *scratch, trm_error *err) {
  trm_system *sys = d->sim->sys;
  const trm_state *s = d->state;
  trmi_freedom freedom;
  double mass = 1.0, *direction = TRMI_TAKE(scratch, double, sys->n.nv);
  char names[160];
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  TRMI_TRY(err, trmi_freedom_find(sys, s, &d->out.rank, scratch, &freedom, err));
  TRMI_TRY(err, trmi_freedom_lightest(sys, s, &freedom, direction, &mass, err));
  if (!(mass < lightest_mass)) return TRM_OK;
  trmi_direction_names(sys, direction, names, sizeof names);
  if (mass < -lightest_mass) {
    trmi_doctor_warn(d, "the mass is negative where %s move%s: no such thing exists", names,
                     strchr(names, ',') != NULL ? "" : "s");
  } else {
    trmi_doctor_warn(d, "the mass that moves with %s alone is negligible (%.1g of the "
                     "heaviest): give it a mass or inertia, or a constraint that holds it%s", names,
                     mass, is_rotation(sys, direction) ? "; a mass that does not turn is a body of "
                                                         "type: point" : "");
  }
  return TRM_OK;
}

/* Masses of coordinates in metres, from the diagonal. */
static void compare_masses(trmi_doctor *d) {
  const trm_system *sys = d->sim->sys;
  const trmi_sparse *M = &sys->block[TRM_M];
  double least = INFINITY, most = 0.0;
  trm_label light, heavy, label;
  for (int k = 0; k < M->n; k++) {
    if (M->row[k] != M->col[k]) continue;
    trm_system_label(sys, TRM_V, M->row[k], &label);
    const double mass = fabs(M->values[k]);
    if (label.kind != TRM_KIND_METRE || !(mass > 0.0)) continue;
    if (mass < least) least = mass, light = label;
    if (mass > most) most = mass, heavy = label;
  }
  if (!(most > mass_ratio * least)) return;
  trmi_doctor_warn(d, "masses reach from %.2g ('%s') to %.2g ('%s'): is one of them in another "
                   "unit?", least, light.name, most, heavy.name);
}

static void look_at_gravity(trmi_doctor *d) {
  const trm_system *sys = d->sim->sys;
  const trm_unit_names *units = &sys->units;
  double g[3] = {0.0, 0.0, 0.0};
  if (sys->ops->gravity != NULL) sys->ops->gravity(sys->self, g);
  const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  const double si = size * units->metres / (units->seconds * units->seconds);
  if (!(size > 0.0) || (si >= gravity_least && si <= gravity_most)) return;
  trmi_doctor_warn(d, "gravity is %.4g %s, %.4g times that of the earth: is it in another unit?",
                   size, units->acceleration, si / gravity_earth);
}

/* Steps without error control have no tolerance. */
static void look_at_tolerance(trmi_doctor *d) {
  const trm_options *o = &d->sim->options;
  if (o->nsteps > 0 || !(o->tolerance >= tolerance_most)) return;
  trmi_doctor_warn(d, "the tolerance is %g: a step may be wrong by that part of 1 m or 1 rad; "
                   "usual are 1e-3 to 1e-8", o->tolerance);
}

/* Motions that move the start far, from their rows at the given start, without the displacement by
 * assembly. */
static trm_status look_at_motions(trmi_doctor *d, trmi_arena *scratch, trm_error *err) {
  trm_system *sys = d->sim->sys;
  trm_state p;
  trmi_state_take(sys, scratch, &p);
  double *g = TRMI_TAKE(scratch, double, sys->n.ng), *back = TRMI_TAKE(scratch, double, sys->n.nv);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  trmi_state_copy(sys, d->state, &p);
  for (int i = 0; i < sys->n.nv; i++) back[i] = -d->sim->start_displacement[i];
  trm_system_retract(sys, d->state->q, back, p.q);
  if (trm_system_values(sys, &p, &(trm_values){.g = g}, NULL) != TRM_OK) return TRM_OK;
  for (int i = 0; i < sys->n.ng; i++) {
    trm_label label;
    trm_system_label(sys, TRM_LAM, i, &label);
    const bool is_motion = strncmp(label.object, "motion '", 8) == 0;
    if (!is_motion || !(fabs(g[i]) > motion_most * sys->scale_g[i])) continue;
    const double asked = sys->ops->asked != NULL ? sys->ops->asked(sys->self, i) : NAN;
    const char *unit = label.kind == TRM_KIND_NEWTON_METRE ? "rad"
                       : label.kind == TRM_KIND_NEWTON     ? sys->units.length
                                                           : "";
    trmi_doctor_warn(d, "%s asks for %.6g %s at the start, and the bodies are given at %.6g %s: "
                     "assembly moves them", label.object, asked, unit, asked + g[i], unit);
  }
  return TRM_OK;
}

static void look_at_remarks(trmi_doctor *d) {
  const trm_system *sys = d->sim->sys;
  const trm_remark *remark = NULL;
  for (int i = 0; sys->ops->remark != NULL; i++) {
    if ((remark = sys->ops->remark(sys->self, i)) == NULL) return;
    trmi_doctor_warn(d, "%s: %s", remark->object, remark->text);
  }
}

static void look_at_events(trmi_doctor *d) {
  char text[TRM_MESSAGE_MAX];
  for (int i = 0; i < d->sim->sys->n.nevents; i++) {
    if (trmi_say_clock(d->sim, i, text, sizeof text)) trmi_doctor_warn(d, "%s", text);
  }
}

static void look_at_starts(trmi_doctor *d) {
  const trm_system *sys = d->sim->sys;
  const trm_unit_names *units = &sys->units;
  const double farthest = length_most / units->metres;
  const double fastest = speed_most / units->metres * units->seconds;
  const trm_state *s = d->state;
  trm_label label;
  for (int i = 0; i < sys->nq; i++) {
    trm_system_label(sys, TRM_Q, i, &label);
    if (label.kind == TRM_KIND_RADIAN && fabs(s->q[i]) > angle_most) {
      trmi_doctor_warn(d, "'%s' starts at %g rad, %.3g turns: degrees are written as '%g deg'",
                       label.name, s->q[i], s->q[i] / 6.283185307179586, s->q[i]);
    }
    if (label.kind == TRM_KIND_METRE && fabs(s->q[i]) > farthest) {
      trmi_doctor_warn(d, "'%s' starts at %g %s: is it in another unit?", label.name, s->q[i],
                       units->length);
    }
  }
  for (int i = 0; i < sys->n.nv; i++) {
    trm_system_label(sys, TRM_V, i, &label);
    if (label.kind == TRM_KIND_METRE && fabs(s->v[i]) > fastest) {
      trmi_doctor_warn(d, "'%s' starts at %g %s: is it in another unit?", label.name, s->v[i],
                       units->speed);
    }
  }
}

/* Stops and contacts closed at the start, but not by resting bodies: they open with more than twice
 * the acceleration of free fall. */
static trm_status look_at_overlaps(trmi_doctor *d, trm_error *err) {
  const trm_system *sys = d->sim->sys;
  const trm_unit_names *units = &sys->units;
  const double most = 2.0 * gravity_earth * units->seconds * units->seconds / units->metres;
  double *gaps = d->sim->gap_probe;
  if (sys->n.ngaps == 0) return TRM_OK;
  TRMI_TRY(err, trm_system_values(d->sim->sys, d->state, &(trm_values){.gaps = gaps}, err));
  int deepest = -1; /* of the points of one pair, which are consecutive */
  trm_label label, before = {0};
  for (int i = 0; i <= sys->n.ngaps; i++) {
    label = (trm_label){0};
    if (i < sys->n.ngaps) trm_system_label(sys, TRM_GAP, i, &label);
    if (deepest >= 0 && strcmp(label.object, before.object) != 0) {
      trmi_doctor_warn(d, "%s: closed at the start by %.3g %s, which throws it open with %.3g %s",
                       before.object, -gaps[3 * deepest], units->length, gaps[3 * deepest + 2],
                       units->acceleration);
      deepest = -1;
    }
    before = label;
    if (i == sys->n.ngaps || label.kind != TRM_KIND_METRE) continue;
    if (!(gaps[3 * i] < 0.0 && gaps[3 * i + 2] > most)) continue;
    if (deepest < 0 || gaps[3 * i] < gaps[3 * deepest]) deepest = i;
  }
  return TRM_OK;
}

trm_status trmi_doctor_weigh(trmi_doctor *d, trm_error *err) {
  trm_system *sys = d->sim->sys;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &d->arena.allocator);
  const trm_status status = weigh_directions(d, &scratch, err);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  TRMI_TRY(err, trmi_system_want(sys, TRM_M, err));
  TRMI_TRY(err, trmi_system_blocks(sys, d->state, TRMI_BIT(TRM_M), NULL, NULL, NULL,
                                   err));
  compare_masses(d);
  look_at_gravity(d);
  look_at_starts(d);
  look_at_remarks(d);
  look_at_events(d);
  TRMI_TRY(err, look_at_overlaps(d, err));
  look_at_tolerance(d);
  trmi_arena_init(&scratch, &d->arena.allocator);
  const trm_status moved = look_at_motions(d, &scratch, err);
  trmi_arena_clear(&scratch);
  return moved;
}
