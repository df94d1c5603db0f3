/* contact_quantities.c - numbers of contacts in expressions, with their derivatives.
 *
 * Columns: positions of A and B, or of all bodies of a crowd, their velocities, states of all
 * points.
 * For a contact with several points, the normal forces and the magnitudes of the friction forces
 * add up, gap and rate belong to the smallest gap, the slip to the point with the largest normal
 * force (or of the smallest gap if it is open), and the point of action is
 *   x = sum N_i x_i / sum N_i,   or where the gap is smallest                              (1)
 *   dx = sum (dN_i (x_i - x) + N_i dx_i)/sum N_i                                           (2) */
#include "elements/contact/contacts_internal.h"
#include "core/fail.h"
#include <string.h>

/* A point of a contact. */
typedef struct spot {
  const trmi_contact *c;
  int                 point;
} spot;

/* All points of a contact at one instant, in all of its places. */
typedef struct survey {
  const trmi_contacts *o;
  const trmi_contact  *c;        /* its first place                              */
  int                  places;
  const trm_state     *s;
  spot                 least;    /* with the smallest gap; NULL: no pair is near */
  spot                 loaded;   /* with the largest force, otherwise the same   */
  int                  touching;
  double               N, friction;
  trmi_vec3            force, x; /* on B, ground axes                            */
} survey;

static double sign_of(spot at) { /* of the force on side 0 as force on B */
  return at.c->points[at.point].carrier[0] == at.c->carrier[0] ? -1.0 : 1.0;
}

static bool is_same(spot a, spot b) {
  return a.c == b.c && a.point == b.point;
}

/* Force across the normal, on side 0. */
static trmi_vec3 drag_of(const trmi_contact_state *at) {
  return v3_sub(at->force, v3_scale(at->normal.N * at->touch.share, at->touch.n));
}

static void add_to_survey(survey *v, spot here, double *gap, double *N, trmi_vec3 *open) {
  trmi_contact_state at;
  v->touching += trmi_contact_evaluate(v->o, here.c, here.point, v->s, &at);
  if (v->least.c == NULL || at.touch.gap < *gap) {
    *gap = at.touch.gap, v->least = here, *open = at.touch.x;
  }
  if (at.normal.N > *N) *N = at.normal.N, v->loaded = here;
  v->N += at.normal.N;
  v->friction += v3_norm(drag_of(&at));
  v->force = v3_add(v->force, v3_scale(sign_of(here), at.force));
  v->x = v3_add(v->x, v3_scale(at.normal.N, at.touch.x));
}

static survey survey_of(const trmi_contacts *o, int contact, const trm_state *s) {
  survey v = {.o = o, .c = &o->list[o->first[contact]], .s = s,
              .places = o->first[contact + 1] - o->first[contact],
              .force = v3(0, 0, 0), .x = v3(0, 0, 0)};
  double gap = 0.0, N = 0.0;
  trmi_vec3 open = v3(0, 0, 0);
  for (const trmi_contact *c = v.c; c < v.c + v.places; c++) {
    for (int k = 0; k < c->used; k++) add_to_survey(&v, (spot){c, k}, &gap, &N, &open);
  }
  if (v.loaded.c == NULL) v.loaded = v.least;
  v.x = v.N > 0.0 ? v3_scale(1.0 / v.N, v.x) : open; /* (1) */
  return v;
}

/* Without a near pair, the gap is the scale of lengths. */
static void fill_numbers(const survey *v, double values[6]) {
  trmi_contact_state least, loaded;
  memset(values, 0, 6 * sizeof *values);
  values[1] = v->o->length;
  if (v->least.c == NULL) return;
  (void)trmi_contact_evaluate(v->o, v->least.c, v->least.point, v->s, &least);
  const bool touches = trmi_contact_evaluate(v->o, v->loaded.c, v->loaded.point, v->s, &loaded);
  const double slip = v3_norm(loaded.touch.slip);
  const bool sticks = touches && loaded.has_friction && loaded.slide.grip < 1.0 &&
                      slip < v->c->friction.velocity;
  values[0] = v->N;
  values[1] = least.touch.gap, values[2] = least.touch.rate;
  values[3] = slip;
  values[4] = v->friction;
  values[5] = sticks ? 1.0 : 0.0;
}

static void fill_values(const survey *v, trmi_contact_set set, double values[6]) {
  if (set == TRMI_CONTACT_NUMBERS) {
    fill_numbers(v, values);
  } else if (set == TRMI_CONTACT_LOAD) {
    v3_store(values, v->force);
    v3_store(values + 3, v->x);
  } else {
    memset(values, 0, 6 * sizeof *values);
    values[0] = v->touching;
  }
}

/* Share of one point in one column of the derivatives. */
static void add_column(const survey *v, trmi_contact_set set, spot here,
                       const trmi_contact_state *at, const trmi_contact_change *d,
                       double column[6]) {
  if (set == TRMI_CONTACT_LOAD) {
    v3_accumulate(column, v3_scale(sign_of(here), d->force));
    if (v->N > 0.0) { /* (2) */
      const trmi_vec3 moved = v3_add(v3_scale(d->N, v3_sub(at->touch.x, v->x)),
                                     v3_scale(at->normal.N, d->touch.x));
      v3_accumulate(column + 3, v3_scale(1.0 / v->N, moved));
    } else if (is_same(here, v->least)) {
      v3_accumulate(column + 3, d->touch.x);
    }
    return;
  }
  const trmi_vec3 drag = drag_of(at), slip = at->touch.slip;
  const trmi_vec3 normal = trmi_contact_push_change(at, d);
  const double speed = v3_norm(slip), size = v3_norm(drag);
  column[0] += d->N;
  if (is_same(here, v->least)) column[1] = d->touch.gap, column[2] = d->touch.rate;
  if (is_same(here, v->loaded) && speed > 0.0) column[3] = v3_dot(slip, d->touch.slip) / speed;
  if (size > 0.0) column[4] += v3_dot(drag, v3_sub(d->force, normal)) / size;
}

/* ---- columns -------------------------------------------------------------------------------- */

static const trmi_carrier *carrier_of(const survey *v, int carrier) {
  return &v->o->carriers->list[carrier];
}

static int columns_of(const survey *v, int carrier) {
  return trmi_carrier_columns(carrier_of(v, carrier));
}

/* Positions of all bodies. */
static int half_of(const survey *v) {
  if (v->c->crowd != NULL) return v->c->crowd->ncolumns;
  return columns_of(v, v->c->carrier[0]) + columns_of(v, v->c->carrier[1]);
}

/* The first column of a body. */
static int column_of(const survey *v, int carrier) {
  if (v->c->crowd != NULL) return v->c->crowd->columns[carrier];
  return carrier == v->c->carrier[0] ? 0 : columns_of(v, v->c->carrier[0]);
}

/* Derivatives by the six columns of a marker on a body with other velocities, of which those of the
 * marker depend on positions as well: (2) of contact_blocks.c. `out` begins with its positions. */
static void add_mapped(const trmi_carrier *carrier, double own[6][6], bool is_velocity, int half,
                       trmi_dense out) {
  const trmi_dense A = {own[0], 6}, by_v = {out.at + half, out.width};
  if (!is_velocity) {
    trmi_carrier_right(carrier, A, 6, TRMI_MAP_J, out);
    return;
  }
  carrier->map->tangents(carrier->map, false);
  trmi_carrier_right(carrier, A, 6, TRMI_MAP_JV_Q, out);
  trmi_carrier_right(carrier, A, 6, TRMI_MAP_J, by_v);
}

/* Six columns of one side of a point: of positions or velocities. */
static void add_side(const survey *v, trmi_contact_set set, spot here,
                     const trmi_contact_state *at, int side, bool is_velocity, trmi_dense out) {
  const int number = here.c->points[here.point].carrier[side], half = half_of(v);
  const trmi_carrier *carrier = carrier_of(v, number);
  const int first = column_of(v, number);
  double own[6][6] = {{0.0}};
  for (int n = 0; n < (int)carrier->kind; n++) {
    const trmi_contact_change d = trmi_contact_column(at, side, is_velocity, n);
    double column[6] = {0.0};
    add_column(v, set, here, at, &d, column);
    for (int r = 0; r < 6; r++) own[r][n] = column[r];
  }
  if (carrier->map != NULL) {
    add_mapped(carrier, own, is_velocity, half, (trmi_dense){out.at + first, out.width});
    return;
  }
  for (int r = 0; r < 6; r++) {
    double *row = out.at + r * out.width + first + (is_velocity ? half : 0);
    for (int n = 0; n < (int)carrier->kind; n++) row[n] += own[r][n];
  }
}

/* Columns of positions and velocities of a point, then of its states. */
static void add_point(const survey *v, trmi_contact_set set, spot here, int width, double *out) {
  const int half = half_of(v);
  trmi_contact_state at;
  (void)trmi_contact_evaluate(v->o, here.c, here.point, v->s, &at);
  for (int i = 0; i < 4; i++) {
    add_side(v, set, here, &at, i % 2, i >= 2, (trmi_dense){out, width});
  }
  const int states = 2 * half + (here.c->x - v->c->x) + here.point * at.nz;
  for (int n = 0; n < at.nz; n++) {
    const trmi_contact_change d = trmi_contact_state_column(&at, n);
    double column[6] = {0.0};
    add_column(v, set, here, &at, &d, column);
    for (int r = 0; r < 6; r++) out[r * width + states + n] = column[r];
  }
}

static void fill_derivatives(const survey *v, trmi_contact_set set, double *derivatives) {
  const int width = 2 * half_of(v) + v->places * v->c->npoints * trmi_contact_states(v->c);
  memset(derivatives, 0, 6 * (size_t)width * sizeof *derivatives);
  for (const trmi_contact *c = v->c; c < v->c + v->places && set != TRMI_CONTACT_COUNTS; c++) {
    for (int k = 0; k < c->used; k++) add_point(v, set, (spot){c, k}, width, derivatives);
  }
}

trm_status trmi_contact_quantities(void *self, int set, const trm_state *s, const bool wanted[2],
                                   double values[6], double *derivatives, trm_error *err) {
  trmi_contacts *o = self;
  const trmi_contact_set part = (trmi_contact_set)(set % TRMI_CONTACT_SETS);
  TRMI_TRY(err, trmi_pools_cover(o, s, err));
  const survey v = survey_of(o, set / TRMI_CONTACT_SETS, s);
  (void)wanted;
  fill_values(&v, part, values);
  if (derivatives != NULL) fill_derivatives(&v, part, derivatives);
  return TRM_OK;
}
