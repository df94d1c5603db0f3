/* explicit_dense.c - states inside the last step of `explicit`, (2) to (4) of explicit.c, and
 * its stages for the energy balance: weights of P are those of y'. */
#include "integ/explicit.h"
#include <string.h>

/* (3), corrected to end at the projected state; f0 is y1 - y0 of component m */
static double dense_low(const trmi_explicit *ex, int m, double f0, double x) {
  double sum = 0.0, end = 0.0;
  for (int i = 0; i < 7; i++) {
    const double *p = ex->rk->dense + 4 * i;
    sum += ex->k[i][m] * (x * (p[0] + x * (p[1] + x * (p[2] + x * p[3]))));
    end += ex->k[i][m] * (p[0] + p[1] + p[2] + p[3]);
  }
  return ex->h * sum + (f0 - ex->h * end) * x * x * (3 - 2 * x);
}

/* (4); f0 is y1 - y0 of component m */
static double dense_high(const trmi_explicit *ex, int m, double f0, double x) {
  double f[7] = {f0, ex->h * ex->k[0][m] - f0, 2 * f0 - ex->h * (ex->k[12][m] + ex->k[0][m])};
  for (int r = 0; r < 4; r++) {
    const double *d = ex->rk->dense + 16 * r;
    for (int i = 0; i < 16; i++) f[3 + r] += ex->h * d[i] * ex->k[i][m];
  }
  double y = 0.0;
  for (int i = 6; i >= 0; i--) y = (y + f[i]) * (i % 2 == 0 ? x : 1 - x);
  return y;
}

trm_status trmi_explicit_interpolate(void *integ, double t, trm_state *s, trm_error *err) {
  trmi_explicit *ex = integ;
  trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  const trm_state *s0 = &ex->next, *s1 = &ex->now; /* swapped by accept */
  for (int i = ex->rk->stages; i < ex->rk->dense_stages && !ex->has_dense; i++) {
    TRMI_TRY(err, trmi_explicit_stage(ex, s0, i, ex->h, ex->y, err));
  }
  ex->has_dense = true;
  const double x = (t - s0->t) / ex->h;
  double *delta = ex->y, *y = ex->y_before;
  trmi_explicit_point(ex, s0, ex->rk->stages - 1, ex->h, y); /* before the projection */
  trmi_group_difference_near(sys, s1->q, s0->q, y, delta);
  for (int i = 0; i < nv; i++) delta[nv + i] = s1->v[i] - s0->v[i];
  for (int i = 0; i < sys->n.nx; i++) delta[2 * nv + i] = s1->x[i] - s0->x[i];
  for (int m = 0; m < ex->n; m++) {
    y[m] = ex->rk == &trmi_dop853 ? dense_high(ex, m, delta[m], x)
                                  : dense_low(ex, m, delta[m], x);
  }
  for (int i = 0; i < nv; i++) y[nv + i] += s0->v[i];
  for (int i = 0; i < sys->n.nx; i++) y[2 * nv + i] += s0->x[i];
  trmi_state_copy(sys, s1, s);
  trmi_explicit_unpack(ex, y, s0->q, s);
  trmi_state_at(sys, s1, t, s);
  TRMI_TRY(err, trmi_consistent_accelerations(&ex->dense, s, err));
  return TRM_OK;
}

bool trmi_explicit_recall(void *integ, int i, trmi_stage *out) {
  trmi_explicit *ex = integ;
  const trm_system *sys = ex->ctx.sys;
  const trm_sizes *n = &sys->n;
  const trm_state *s0 = &ex->next; /* swapped by accept */
  const int last = ex->rk->stages - 1;
  trm_state *s = out->state;
  if (ex->h == 0.0 || i > last) return false;
  out->is_end = i == last;
  out->weight = out->is_end ? 0.0 : ex->h * ex->rk->a[last * (last - 1) / 2 + i];
  out->off = ex->h * ex->rk->e[i];
  if (ex->rk->e_low != NULL) out->low = ex->h * ex->rk->e_low[i];
  if (out->is_end || out->weight == 0.0) return true;
  trmi_state_copy(sys, s0, s);
  if (i == 0) return true;
  trmi_explicit_point(ex, s0, i, ex->h, ex->y_before);
  trmi_explicit_unpack(ex, ex->y_before, s0->q, s);
  trmi_state_at(sys, s0, s0->t + ex->rk->c[i] * ex->h, s);
  const double *k = ex->k[i] + n->nv, *load = ex->loads[i];
  for (int m = 0; m < n->nv; m++) s->vd[m] = *k++;
  for (int m = 0; m < n->nx; m++) s->xd[m] = *k++;
  for (int m = 0; m < n->ng; m++) s->lam[m] = *load++;
  for (int m = 0; m < n->na; m++) s->mu[m] = *load++;
  for (int m = 0; m < n->nw; m++) s->w[m] = *load++;
  return true;
}
