/* start_from.c - begins a simulation at a given state, such as an equilibrium.
 *
 * Elements with memory (angles over full turns) know the start of the system. They are led to the
 * given state along
 *   q_k = q_0 (+) k/n (q (-) q_0),  k = 1 .. n                                              (1) */
#include "integ/driver.h"
#include <math.h>

enum { PIECES = 16 }; /* no angle changes by half a turn in one of them */

/* sim->dense becomes state number k of (1). */
static void place(trm_sim *sim, const trm_state *from, int k) {
  trm_state *p = &sim->dense;
  trmi_state_copy(sim->sys, from, p);
  for (int i = 0; i < sim->sys->n.nv; i++)
    sim->v_moved[i] = sim->start_displacement[i] * k / PIECES;
  trm_system_retract(sim->sys, sim->start.q, sim->v_moved, p->q);
}

trm_status trmi_start_from(trm_sim *sim, trm_error *err) {
  const trm_system *sys = sim->sys;
  const trm_state *from = sim->options.from;
  trm_state *s = &sim->start;
  const trm_sizes *n = &sys->n;
  if ((n->nv > 0 && (from->q == NULL || from->v == NULL)) || (n->nx > 0 && from->x == NULL) ||
      (n->nw > 0 && from->w == NULL) || (n->nz > 0 && from->z == NULL)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the state to begin with has lists that are NULL: "
                     "give one of this system, as of trm_static_state or trm_sim_state");
  }
  const double t = isfinite(sim->options.start) ? sim->options.start : from->t;
  trm_system_difference(sys, from->q, s->q, sim->start_displacement);
  for (int k = 1; k <= PIECES && sys->ops->accept_step != NULL; k++) {
    place(sim, from, k);
    sim->dense.t = t;
    TRMI_ASK(err, sys->ops->name, "accept_step",
             sys->ops->accept_step(sys->self, &sim->dense, err));
  }
  trmi_state_copy(sys, from, s);
  s->t = t;
  return TRM_OK;
}
