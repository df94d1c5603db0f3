/* contact_quantities.c - numbers of contacts in expressions, with their derivatives.
 *
 * Of a contact with several points: the normal forces add up, gap and rate are those of the
 * smallest gap, the slip is that of the point with the largest normal force (or of the smallest
 * gap if it is open), the place is
 *   x = sum N_i x_i / sum N_i,   or where the gap is smallest                              (1)
 *   dx = sum (dN_i (x_i - x) + N_i dx_i)/sum N_i                                           (2) */
#include "elements/contact/contacts_internal.h"
#include <string.h>

enum { COLUMNS_MAX = 24 }; /* positions of A and B, their velocities */

/* All points of a contact at one instant. */
typedef struct survey {
  const trmi_contacts *o;
  const trmi_contact  *c;
  const double        *v_minus;
  int                  least;    /* point with the smallest gap                  */
  int                  loaded;   /* with the largest force, else the same        */
  double               N;
  trmi_vec3            force, x; /* on B, ground axes                            */
} survey;

/* Point k at work; an open one has no force. */
static void look_at(const survey *v, int k, trmi_contact_state *at) {
  memset(&at->normal, 0, sizeof at->normal);
  at->force = v3(0, 0, 0);
  (void)trmi_contact_evaluate(v->o, v->c, k, v->v_minus[k], at);
}

static double sign_of(const survey *v, int k) { /* of the force on side 0 as force on B */
  return v->c->points[k].carrier[0] == v->c->carrier[0] ? -1.0 : 1.0;
}

static survey survey_of(const trmi_contacts *o, const trmi_contact *c) {
  survey v = {.o = o, .c = c, .v_minus = o->v_minus + trmi_contact_first(o, c), .loaded = -1,
              .force = v3(0, 0, 0), .x = v3(0, 0, 0)};
  double gap = 0.0, N = 0.0;
  trmi_vec3 open = v3(0, 0, 0);
  for (int k = 0; k < c->npoints; k++) {
    trmi_contact_state at;
    look_at(&v, k, &at);
    if (k == 0 || at.touch.gap < gap) gap = at.touch.gap, v.least = k, open = at.touch.x;
    if (at.normal.N > N) N = at.normal.N, v.loaded = k;
    v.N += at.normal.N;
    v.force = v3_add(v.force, v3_scale(sign_of(&v, k), at.force));
    v.x = v3_add(v.x, v3_scale(at.normal.N, at.touch.x));
  }
  if (v.loaded < 0) v.loaded = v.least;
  v.x = v.N > 0.0 ? v3_scale(1.0 / v.N, v.x) : open; /* (1) */
  return v;
}

static void fill_values(const survey *v, trmi_contact_set set, double values[6]) {
  trmi_contact_state least, loaded;
  if (set == TRMI_CONTACT_LOAD) {
    v3_store(values, v->force);
    v3_store(values + 3, v->x);
    return;
  }
  look_at(v, v->least, &least);
  look_at(v, v->loaded, &loaded);
  values[0] = v->N;
  values[1] = least.touch.gap, values[2] = least.touch.rate;
  values[3] = v3_norm(loaded.touch.slip);
  values[4] = values[5] = 0.0;
}

/* Share of one point in one column of the derivatives. */
static void add_column(const survey *v, trmi_contact_set set, int k, const trmi_contact_state *at,
                       const trmi_touch_change *d, trmi_vec3 dF, double column[6]) {
  const double dN = -at->normal.by_p * d->gap - at->normal.by_rate * d->rate;
  if (set == TRMI_CONTACT_LOAD) {
    v3_accumulate(column, v3_scale(sign_of(v, k), dF));
    if (v->N > 0.0) { /* (2) */
      const trmi_vec3 moved = v3_add(v3_scale(dN, v3_sub(at->touch.x, v->x)),
                                     v3_scale(at->normal.N, d->x));
      v3_accumulate(column + 3, v3_scale(1.0 / v->N, moved));
    } else if (k == v->least) {
      v3_accumulate(column + 3, d->x);
    }
    return;
  }
  const double speed = v3_norm(at->touch.slip);
  column[0] += dN;
  if (k == v->least) column[1] = d->gap, column[2] = d->rate;
  if (k == v->loaded && speed > 0.0) column[3] = v3_dot(at->touch.slip, d->slip) / speed;
}

static void fill_derivatives(const survey *v, trmi_contact_set set, double *derivatives) {
  double columns[COLUMNS_MAX][6] = {{0.0}};
  const trmi_carrier *list = v->o->carriers->list;
  const int of_A = (int)list[v->c->carrier[0]].kind;
  const int half = of_A + (int)list[v->c->carrier[1]].kind;
  for (int k = 0; k < v->c->npoints; k++) {
    const trmi_touch_point *p = &v->c->points[k];
    trmi_contact_state at;
    look_at(v, k, &at);
    for (int i = 0; i < 4; i++) {
      const int side = i % 2;
      const bool is_A = p->carrier[side] == v->c->carrier[0];
      const int first = (i < 2 ? 0 : half) + (is_A ? 0 : of_A);
      for (int n = 0; n < (int)list[p->carrier[side]].kind; n++) {
        trmi_touch_change d;
        const trmi_vec3 dF = trmi_contact_force_column(&at, side, i >= 2, n, &d);
        add_column(v, set, k, &at, &d, dF, columns[first + n]);
      }
    }
  }
  for (int i = 0; i < 6; i++) {
    for (int n = 0; n < 2 * half; n++) derivatives[i * 2 * half + n] = columns[n][i];
  }
}

trm_status trmi_contact_quantities(void *self, int set, const trm_state *s, double values[6],
                                   double *derivatives, trm_error *err) {
  const trmi_contacts *o = self;
  const trmi_contact_set part = (trmi_contact_set)(set % TRMI_CONTACT_SETS);
  const survey v = survey_of(o, &o->list[set / TRMI_CONTACT_SETS]);
  (void)s, (void)err;
  fill_values(&v, part, values);
  if (derivatives != NULL) fill_derivatives(&v, part, derivatives);
  return TRM_OK;
}
