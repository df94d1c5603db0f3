/* alpha_update.c - applies a correction of Newton's iteration to the iterate, (3) of
 * alpha_newton.c, and measures its size. */
#include "integ/alpha.h"
#include "math/both.h"
#include <math.h>

/* Corrections of bristles have a smaller weight: Newton's method may leave 3e-3 of their permitted
 * error in a step (0.005 of their limit at a tolerance of 1e-5), against 1e-3 for positions. With
 * 5e-3 the beads of `capstan`, light bodies under large forces, begin to bounce. */
static const double part_of_bristles = 0.3;

/* Sums of squares of P and of the corrections da = P + d of a over the scales, and where da is
 * largest. */
typedef struct motion_sums {
  double P, a, worst;
  int    index;
} motion_sums;

static inline void count_motion(motion_sums *sums, double P, double da, double per_scale, int i) {
  const double eP = P * per_scale, ea = da * per_scale;
  sums->P += eP * eP;
  sums->a += ea * ea;
  if (!(fabs(ea) <= sums->worst)) sums->worst = fabs(ea), sums->index = i;
}

static inline void add_some(double *to, trmi_both x, bool two) {
  both_keep(to, both_add(both_some(to, two), x), two);
}

/* Data of (3); none of the lists overlap. */
typedef struct motion_lists {
  const double *P, *d, *scale; /* d is NULL if there is no second solve */
  double       *delta, *a, *v, *vd;
  double        bh2, gh, c;
} motion_lists;

/* (3) for components i and i + 1, or i alone. */
static TRMI_INLINE void move_pair(const motion_lists *l, int i, bool two, motion_sums *sums) {
  const trmi_both P = both_some(l->P + i, two);
  const trmi_both da = l->d != NULL ? both_add(P, both_some(l->d + i, two)) : P;
  const trmi_both per = both_div(both(1.0, 1.0), both_some(l->scale + i, two));
  add_some(l->delta + i, both_scale(l->bh2, P), two);
  add_some(l->a + i, da, two);
  add_some(l->v + i, both_scale(l->gh, da), two);
  add_some(l->vd + i, both_scale(l->c, da), two);
  for (int k = 0; k <= two; k++) {
    count_motion(sums, both_at(P, k), both_at(da, k), both_at(per, k), i + k);
  }
}

static motion_sums move_motion(trmi_alpha *ga, double h, const double *d) {
  const int nv = ga->ctx.sys->n.nv;
  const motion_lists lists = {.P = ga->r, .d = d, .scale = ga->ctx.scale_v, .delta = ga->delta,
                              .a = ga->a_next, .v = ga->next.v, .vd = ga->next.vd,
                              .bh2 = ga->beta * h * h, .gh = ga->gamma * h, .c = ga->c};
  motion_sums sums = {.index = -1};
  int i = 0;
  for (; i + 1 < nv; i += 2) move_pair(&lists, i, true, &sums);
  if (i < nv) move_pair(&lists, i, false, &sums);
  return sums;
}

alpha_correction trmi_alpha_update(trmi_alpha *ga, double h) {
  const trm_system *sys = ga->ctx.sys;
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  const double bh2 = ga->beta * h * h, gh = ga->gamma * h;
  const double *P = ga->r, *d = ga->r2;
  const bool two = trmi_alpha_has_projection(ga);
  const double cx = ga->form == ALPHA_PAPER ? 1.0 : ga->c;
  trm_state *s = &ga->next;
  double sum_x = 0.0;
  const bool is_cut = trmi_alpha_cut_states(ga, h, two);
  const motion_sums of = move_motion(ga, h, two ? d : NULL);
  double worst = of.worst;
  alpha_correction result = {.list = TRM_V, .index = of.index, .is_cut = is_cut};
  for (int i = 0; i < n->ng; i++) s->lam[i] += P[at.lam + i] + (two ? d[at.lam + i] : 0.0);
  for (int i = 0; i < n->na; i++) s->mu[i] += P[at.mu + i] + (two ? d[at.mu + i] : 0.0);
  for (int i = 0; i < n->nx; i++) {
    const double dy = P[at.x + i] + (two ? d[at.x + i] : 0.0);
    ga->y_next[i] += dy;
    s->xd[i] += cx * dy;
    s->x[i] += gh * dy;
    const bool is_bristle = sys->unit_x[i] < sys->scale_x[i];
    const double part = is_bristle ? part_of_bristles : 1.0;
    const double e = part * gh * dy / fmax(sys->scale_x[i], fabs(s->x[i]));
    sum_x += e * e;
    if (!(fabs(e) <= bh2 * worst)) {
      worst = fabs(e) / bh2;
      result.list = TRM_X;
      result.index = i;
    }
  }
  for (int i = 0; i < n->nw; i++) s->w[i] += P[at.w + i] + (two ? d[at.w + i] : 0.0);
  if (ga->rule != NULL) {
    ga->rule->place(ga);
  } else {
    trm_system_retract(sys, ga->now.q, ga->delta, s->q);
  }
  const double of_v = n->nv > 0 ? bh2 * sqrt(fmax(of.P, of.a) / n->nv) : 0.0;
  const double of_x = n->nx > 0 ? sqrt(sum_x / n->nx) : 0.0;
  result.size = isnan(of.P + of.a + sum_x) ? NAN : fmax(of_v, of_x);
  return result;
}
