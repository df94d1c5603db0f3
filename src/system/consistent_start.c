/* consistent_start.c - assembling a start: given values are kept and only guesses move, if that is
 * enough.
 *
 * At first given values have large weights in (1) and (2) of consistent.c. Moving guesses is enough
 * if then
 *   largest |d_given| <= 1e-5 largest |d_guessed|,  displacements over their units         (1)
 * and the small displacement of given values is undone. Otherwise all values move with equal
 * weights. */
#include "system/consistent.h"
#include <math.h>
#include <string.h>

typedef trm_status (*mover)(trmi_consistent *c, trm_state *s, trm_error *err);

static trm_status move_positions(trmi_consistent *c, trm_state *s, trm_error *err) {
  return trmi_consistent_positions(c, s, 50, err);
}

/* Displacement of list `held` from `first`, in retract increments or velocities. */
static void moved_by(const trmi_consistent *c, trm_quantity held, const trm_state *s, double *by) {
  if (held == TRM_Q) {
    trm_system_difference(c->sys, s->q, c->first, by);
    return;
  }
  for (int i = 0; i < c->sys->n.nv; i++) by[i] = s->v[i] - c->first[i];
}

/* Largest displacements of given and of guessed values. */
static bool guesses_are_enough(const trmi_consistent *c, trm_quantity held, const double *by) {
  const trm_system *sys = c->sys;
  double given = 0.0, guessed = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    double *largest = sys->ops->is_given(sys->self, held, i) ? &given : &guessed;
    *largest = fmax(*largest, fabs(by[i]) / sys->unit_v[i]);
  }
  return given <= 1e-5 * guessed;
}

/* Restore the given values, keep the displacement of the others. */
static void take_back(const trmi_consistent *c, trm_quantity held, double *by, trm_state *s) {
  const trm_system *sys = c->sys;
  for (int i = 0; i < sys->n.nv; i++) {
    if (sys->ops->is_given(sys->self, held, i)) by[i] = 0.0;
    if (held == TRM_V) s->v[i] = c->first[i] + by[i];
  }
  if (held == TRM_Q) trm_system_retract(sys, c->first, by, s->q);
}

/* Move list `held` of a start: with weights, then once more from the restored given values; without
 * weights if moving guesses is not enough. */
static trm_status assemble(trmi_consistent *c, trm_quantity held, mover move, trm_state *s,
                           trm_error *err) {
  const trm_system *sys = c->sys;
  if (sys->ops->is_given == NULL) return move(c, s, err);
  const size_t bytes = (size_t)(held == TRM_Q ? sys->nq : sys->n.nv) * sizeof(double);
  double *values = held == TRM_Q ? s->q : s->v;
  if (bytes == 0) return move(c, s, err);
  memcpy(c->first, values, bytes);
  c->holds = true, c->held = held;
  trm_status status = move(c, s, err);
  bool is_enough = status == TRM_OK;
  if (is_enough) {
    moved_by(c, held, s, c->step);
    is_enough = guesses_are_enough(c, held, c->step);
  }
  if (is_enough) {
    const bool has_moved = held == TRM_Q ? c->moved_q : c->moved_v;
    take_back(c, held, c->step, s);
    if (has_moved) status = move(c, s, err);
  }
  c->holds = false;
  if (is_enough) return status;
  memcpy(values, c->first, bytes);
  return move(c, s, err);
}

trm_status trmi_consistent_assemble_positions(trmi_consistent *c, trm_state *s, trm_error *err) {
  return assemble(c, TRM_Q, move_positions, s, err);
}

trm_status trmi_consistent_assemble_velocities(trmi_consistent *c, trm_state *s, trm_error *err) {
  return assemble(c, TRM_V, trmi_consistent_velocities, s, err);
}
