/* bdf_dense.c - values inside the last step of `bdf`.
 *
 * q, v, x by the polynomial of degree k through the newest k + 1 points, k the order of the step;
 * v' and x' are its slopes, at the end those of the step itself. Increments of q are relative to
 * its newest point. lam, mu and w follow from the polynomial through as many points, except those
 * before the start; variables in loops are solved for at the interpolated state. Stiff parts get a
 * stage of their own there (dense_stage.c). */
#include "integ/bdf.h"
#include <string.h>

static void copy(double *to, const double *from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

/* psi of the points relative to the newest one, computed once for all samples of a step. */
static void unroll(trmi_bdf *bd, int degree) {
  const trmi_alpha *ga = &bd->core;
  const trm_system *sys = ga->ctx.sys;
  double *near = ga->turned;
  if (bd->has_dense) return;
  memset(bd->psi[0], 0, (size_t)sys->n.nv * sizeof(double));
  for (int i = 1; i <= degree; i++) {
    trmi_bdf_before(bd, i, near);
    trmi_group_difference_near(sys, bd->p[i].q, bd->p[0].q, near, bd->psi[i]);
  }
  bd->has_dense = true;
}

static void clear(double *list, int n) {
  if (n > 0) memset(list, 0, (size_t)n * sizeof *list);
}

static void add(double *to, double weight, const double *from, int n) {
  for (int i = 0; i < n; i++) to[i] += weight * from[i];
}

void trmi_bdf_sketch(void *integ, double t, trm_state *s) {
  trmi_bdf *bd = integ;
  trmi_alpha *ga = &bd->core;
  const trm_system *sys = ga->ctx.sys;
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  const int degree = bd->order_last < bd->npoints ? bd->order_last : bd->npoints - 1;
  const int low = degree < bd->nreal ? degree : bd->nreal - 1;
  double w[BDF_POINTS], slope[BDF_POINTS], of_forces[BDF_POINTS];
  unroll(bd, degree);
  trmi_bdf_weights(bd, degree, t, w, slope);
  trmi_bdf_weights(bd, low, t, of_forces, NULL);
  clear(ga->delta, n->nv), clear(s->v, n->nv), clear(s->vd, n->nv);
  clear(s->x, n->nx), clear(s->xd, n->nx);
  clear(s->lam, n->ng), clear(s->mu, n->na), clear(s->w, n->nw);
  for (int i = 0; i <= degree; i++) {
    const bdf_point *p = &bd->p[i];
    add(ga->delta, w[i], bd->psi[i], n->nv);
    add(s->v, w[i], p->v, n->nv);
    add(s->vd, slope[i], p->v, n->nv);
    add(s->x, w[i], p->x, n->nx);
    add(s->xd, slope[i], p->x, n->nx);
    if (i > low) continue;
    add(s->lam, of_forces[i], p->rest + at.lam, n->ng);
    add(s->mu, of_forces[i], p->rest + at.mu, n->na);
    add(s->w, of_forces[i], p->rest + at.w, n->nw);
  }
  trm_system_retract(sys, bd->p[0].q, ga->delta, s->q);
  copy(s->z, ga->now.z, n->nz);
  trmi_state_at(sys, &ga->now, t, s);
}

trm_status trmi_bdf_interpolate(void *integ, double t, trm_state *s, trm_error *err) {
  trmi_bdf *bd = integ;
  trmi_alpha *ga = &bd->core;
  trmi_bdf_sketch(integ, t, s);
  TRMI_TRY(err, trmi_variables_solve(&ga->loops, s, err));
  return trmi_alpha_relax(ga, bd->p[0].t - bd->p[1].t, s, err);
}
