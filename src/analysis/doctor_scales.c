/* doctor_scales.c - directions without mass, and numbers that look like a wrong unit.
 *
 * Every limit lies far outside of what mechanisms have, so that a sentence here means something:
 * a part of a gram that moves beside a ship is no reason to speak. */
#include "analysis/doctor_parts.h"
#include "system/freedom.h"
#include <math.h>
#include <string.h>

static const double lightest_mass = 1e-12; /* of a free direction, over the heaviest    */
static const double mass_ratio = 1e12;     /* of the masses of coordinates in metres    */
static const double angle_most = 31.5;     /* [rad], five turns: more looks like degrees */
static const double length_most = 1e7;     /* [m]                                       */
static const double speed_most = 1e6;      /* [m/s]                                     */

static trm_status weigh_directions(trmi_doctor *d, trmi_arena *scratch, trm_error *err) {
  trm_system *sys = d->sim->sys;
  const trm_state *s = trm_sim_state(d->sim);
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
    trmi_doctor_warn(d, "next to nothing has a mass that moves with %s alone (%.1g of the "
                     "heaviest): give it a mass or inertia, or a constraint that holds it", names,
                     mass);
  }
  return TRM_OK;
}

/* Masses of coordinates in metres, as they stand on the diagonal. */
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

static void look_at_starts(trmi_doctor *d) {
  const trm_system *sys = d->sim->sys;
  const trm_unit_names *units = &sys->units;
  const double farthest = length_most / units->metres;
  const double fastest = speed_most / units->metres * units->seconds;
  const trm_state *s = trm_sim_state(d->sim);
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

trm_status trmi_doctor_weigh(trmi_doctor *d, trm_error *err) {
  trm_system *sys = d->sim->sys;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &d->arena.allocator);
  const trm_status status = weigh_directions(d, &scratch, err);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  TRMI_TRY(err, trmi_system_want(sys, TRM_M, err));
  TRMI_TRY(err, trmi_system_blocks(sys, trm_sim_state(d->sim), TRMI_BIT(TRM_M), NULL, NULL, NULL,
                                   err));
  compare_masses(d);
  look_at_starts(d);
  return TRM_OK;
}
