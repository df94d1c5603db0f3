/* contact_quantities.c - numbers of contacts in expressions, with their derivatives.
 *
 * Columns: positions of A and B, their velocities, states of all points.
 * Of a contact with several points: the normal forces and the sizes of the frictions add up, gap
 * and rate are those of the smallest gap, the slip is that of the point with the largest normal
 * force (or of the smallest gap if it is open), the place is
 *   x = sum N_i x_i / sum N_i,   or where the gap is smallest                              (1)
 *   dx = sum (dN_i (x_i - x) + N_i dx_i)/sum N_i                                           (2) */
#include "elements/contact/contacts_internal.h"
#include <string.h>


/* All points of a contact at one instant. */
typedef struct survey {
  const trmi_contacts *o;
  const trmi_contact  *c;
  const trm_state     *s;
  int                  least;    /* point with the smallest gap                  */
  int                  loaded;   /* with the largest force, else the same        */
  double               N, friction;
  trmi_vec3            force, x; /* on B, ground axes                            */
} survey;

static double sign_of(const survey *v, int k) { /* of the force on side 0 as force on B */
  return v->c->points[k].carrier[0] == v->c->carrier[0] ? -1.0 : 1.0;
}

/* Force across the normal, on side 0. */
static trmi_vec3 drag_of(const trmi_contact_state *at) {
  return v3_sub(at->force, v3_scale(at->normal.N, at->touch.n));
}

static survey survey_of(const trmi_contacts *o, const trmi_contact *c, const trm_state *s) {
  survey v = {.o = o, .c = c, .s = s, .loaded = -1,
              .force = v3(0, 0, 0), .x = v3(0, 0, 0)};
  double gap = 0.0, N = 0.0;
  trmi_vec3 open = v3(0, 0, 0);
  for (int k = 0; k < c->npoints; k++) {
    trmi_contact_state at;
    (void)trmi_contact_evaluate(o, c, k, s, &at);
    if (k == 0 || at.touch.gap < gap) gap = at.touch.gap, v.least = k, open = at.touch.x;
    if (at.normal.N > N) N = at.normal.N, v.loaded = k;
    v.N += at.normal.N;
    v.friction += v3_norm(drag_of(&at));
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
  (void)trmi_contact_evaluate(v->o, v->c, v->least, v->s, &least);
  const bool touches = trmi_contact_evaluate(v->o, v->c, v->loaded, v->s, &loaded);
  const double slip = v3_norm(loaded.touch.slip);
  const bool sticks = touches && loaded.has_friction && loaded.slide.grip < 1.0 &&
                      slip < v->c->friction.velocity;
  values[0] = v->N;
  values[1] = least.touch.gap, values[2] = least.touch.rate;
  values[3] = slip;
  values[4] = v->friction;
  values[5] = sticks ? 1.0 : 0.0;
}

/* Share of one point in one column of the derivatives. */
static void add_column(const survey *v, trmi_contact_set set, int k, const trmi_contact_state *at,
                       const trmi_contact_change *d, double column[6]) {
  if (set == TRMI_CONTACT_LOAD) {
    v3_accumulate(column, v3_scale(sign_of(v, k), d->force));
    if (v->N > 0.0) { /* (2) */
      const trmi_vec3 moved = v3_add(v3_scale(d->N, v3_sub(at->touch.x, v->x)),
                                     v3_scale(at->normal.N, d->touch.x));
      v3_accumulate(column + 3, v3_scale(1.0 / v->N, moved));
    } else if (k == v->least) {
      v3_accumulate(column + 3, d->touch.x);
    }
    return;
  }
  const trmi_vec3 drag = drag_of(at), slip = at->touch.slip;
  const trmi_vec3 normal = v3_add(v3_scale(d->N, at->touch.n),
                                  v3_scale(at->normal.N, d->touch.n));
  const double speed = v3_norm(slip), size = v3_norm(drag);
  column[0] += d->N;
  if (k == v->least) column[1] = d->touch.gap, column[2] = d->touch.rate;
  if (k == v->loaded && speed > 0.0) column[3] = v3_dot(slip, d->touch.slip) / speed;
  if (size > 0.0) column[4] += v3_dot(drag, v3_sub(d->force, normal)) / size;
}

/* Columns of positions and velocities of a point, then of its states. */
static void add_point(const survey *v, trmi_contact_set set, int k, int width, double *out) {
  const trmi_carrier *list = v->o->carriers->list;
  const trmi_touch_point *p = &v->c->points[k];
  const int of_A = (int)list[v->c->carrier[0]].kind;
  const int half = of_A + (int)list[v->c->carrier[1]].kind;
  trmi_contact_state at;
  (void)trmi_contact_evaluate(v->o, v->c, k, v->s, &at);
  for (int i = 0; i < 4; i++) {
    const int side = i % 2;
    const bool is_A = p->carrier[side] == v->c->carrier[0];
    const int first = (i < 2 ? 0 : half) + (is_A ? 0 : of_A);
    for (int n = 0; n < (int)list[p->carrier[side]].kind; n++) {
      const trmi_contact_change d = trmi_contact_column(&at, side, i >= 2, n);
      double column[6];
      for (int r = 0; r < 6; r++) column[r] = out[r * width + first + n];
      add_column(v, set, k, &at, &d, column);
      for (int r = 0; r < 6; r++) out[r * width + first + n] = column[r];
    }
  }
  for (int n = 0; n < at.nz; n++) {
    const trmi_contact_change d = trmi_contact_state_column(&at, n);
    double column[6] = {0.0};
    add_column(v, set, k, &at, &d, column);
    for (int r = 0; r < 6; r++) out[r * width + 2 * half + k * at.nz + n] = column[r];
  }
}

static void fill_derivatives(const survey *v, trmi_contact_set set, double *derivatives) {
  const trmi_contact *c = v->c;
  const trmi_carrier *list = v->o->carriers->list;
  const int half = (int)list[c->carrier[0]].kind + (int)list[c->carrier[1]].kind;
  const int width = 2 * half + c->npoints * trmi_contact_states(c);
  memset(derivatives, 0, 6 * (size_t)width * sizeof *derivatives);
  for (int k = 0; k < c->npoints; k++) add_point(v, set, k, width, derivatives);
}

trm_status trmi_contact_quantities(void *self, int set, const trm_state *s, const bool wanted[2],
                                   double values[6], double *derivatives, trm_error *err) {
  const trmi_contacts *o = self;
  const trmi_contact_set part = (trmi_contact_set)(set % TRMI_CONTACT_SETS);
  const survey v = survey_of(o, &o->list[set / TRMI_CONTACT_SETS], s);
  (void)wanted, (void)err;
  fill_values(&v, part, values);
  if (derivatives != NULL) fill_derivatives(&v, part, derivatives);
  return TRM_OK;
}
