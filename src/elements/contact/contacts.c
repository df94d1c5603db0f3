/* contacts.c - all contacts of a mechanism as one contributor.
 *
 * A contact is a list of points with a radius on one body that meet shapes of another; each point
 * has a gap, which integrators watch (integ/impact_steps.c). Where a restitution is given the law
 * needs the speed of approach. It is predicted at the end of every step that leaves the gap open,
 * from its rate r and acceleration a at that time,
 *   v- = sqrt(r^2 - 2 a gap),   0 where it does not close                                 (1)
 * and is memory: it does not change within a step, nor by rejected attempts. So are the axes of
 * sliding, (1) of contact_point.c. Dry friction that is a function of the speed is watched like
 * that of joints (integ/slips.c); bristles are states, whose error is controlled.
 * Forces and derivatives: contact_point.c, contact_blocks.c. Theory: docs/theory/15-contact.md. */
#include "elements/contact/contacts_internal.h"
#include "core/fail.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- gaps ----------------------------------------------------------------------------------- */

/* Gap of an active point, with first and second rate. */
static void find_gap(const trmi_contacts *o, const trmi_touch_point *p, const trm_state *s,
                     trmi_touch *t, double gap[3]) {
  const double *vd[2];
  double own[2][6];
  int columns[2];
  trmi_touch_find(p, o->carriers->poses, t);
  for (int k = 0; k < 2; k++) {
    const trmi_carrier *carrier = &o->carriers->list[p->carrier[k]];
    columns[k] = (int)carrier->kind;
    vd[k] = columns[k] > 0 ? own[k] : NULL;
    if (columns[k] > 0) trmi_contact_rates(carrier, s->vd, own[k]);
  }
  gap[0] = t->gap, gap[1] = t->rate;
  gap[2] = trmi_touch_acceleration(t, vd, columns);
}

/* Only the gap; if clearly open, a lower bound. */
static void find_side(const trmi_contacts *o, const trmi_contact *c, int point, double gap[3]) {
  const double clear = 1e-3; /* of the shapes */
  const trmi_touch_point *p = &c->points[point];
  trmi_touch t;
  gap[0] = INFINITY, gap[1] = gap[2] = 0.0;
  if (point >= c->used || trmi_touch_is_beyond(p, o->carriers->poses, clear)) return;
  trmi_touch_find(p, o->carriers->poses, &t);
  gap[0] = t.gap, gap[1] = t.rate;
}

/* The same, infinite for an unused point. `cut`, if not NULL: has damping cut off the force? */
static void gap_of(const trmi_contacts *o, const trmi_contact *c, int point, const trm_state *s,
                   double gap[3], double *cut) {
  trmi_touch t;
  if (point >= c->used) {
    gap[0] = INFINITY, gap[1] = gap[2] = 0.0;
    return;
  }
  find_gap(o, &c->points[point], s, &t, gap);
  if (cut == NULL || !(t.gap < 0.0)) return;
  const trmi_normal_force f =
      trmi_normal_force_at(&c->law, o->memory[c->first + point].v_minus, -t.gap, -t.rate);
  *cut = trmi_normal_is_cut(&f);
}

static bool is_watched(const trmi_contact *c) {
  return c->friction.kind == TRMI_FRICTION_REGULARIZED;
}

static void watched(const void *self, trmi_watched *count) {
  const trmi_contacts *o = self;
  count->gaps = o->npoints;
  for (int i = 0; i < o->count; i++) {
    if (is_watched(&o->list[i])) count->slips += o->list[i].npoints;
  }
}

static void place(void *self, const trmi_watched *first) {
  trmi_contacts *o = self;
  o->gap = first->gaps, o->slip = first->slips;
}

/* The contact of gap or slip i of all, and its number there. */
static const trmi_contact *contact_of(const trmi_contacts *o, trm_quantity list, int *i) {
  const trmi_contact *c = o->list;
  for (;; c++) {
    const int count = list == TRM_GAP || is_watched(c) ? c->npoints : 0;
    if (*i < count) return c;
    *i -= count;
  }
}

/* The first place of its crowd, or itself. */
static const trmi_contact *first_place(const trmi_contacts *o, const trmi_contact *c) {
  for (int i = 0; i < o->npools && c->crowd != NULL; i++) {
    if (o->pools[i].crowd == c->crowd) return &o->list[o->pools[i].first];
  }
  return c;
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  const trmi_contacts *o = self;
  const trmi_contact *c = contact_of(o, list, &i);
  const char *word = list == TRM_GAP ? "gap" : "sliding";
  i += (int)(c - first_place(o, c)) * c->npoints;
  const bool is_one = c->npoints == 1 && c->crowd == NULL;
  if (is_one) snprintf(out->name, sizeof out->name, "%.39s.%s", c->name, word);
  else snprintf(out->name, sizeof out->name, "%.28s.%s%d", c->name, word, i + 1);
  if (list == TRM_GAP) snprintf(out->object, sizeof out->object, "%s", c->object);
  else snprintf(out->object, sizeof out->object, "friction of contact '%.36s'", c->name);
  out->kind = TRM_KIND_METRE;
  out->scale = o->length;
}

/* Laws of contacts begin with p^e, not within a depth of their own: steps of (2) in
 * integ/impact_steps.c may be longer. */
static void gap_info(const void *self, int i, trm_gap_info *info) {
  const trmi_contact *c = contact_of(self, TRM_GAP, &i);
  if (c->tolerance > 0.0) info->tolerance = c->tolerance;
  if (c->law.impact_depth == 0.0) info->stride = 1.3;
  info->keeps_speed = c->law.restitution_y > 0.0;
}

static trm_status step_limit(void *self, const trm_state *s, double tolerance,
                             trm_step_limit *limit, trm_error *err) {
  const trmi_contacts *o = self;
  int number = o->gap;
  (void)s, (void)err;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    for (int k = 0; k < c->used; k++) {
      trmi_gap_limit(tolerance * o->length, number + k, limit);
    }
    number += c->npoints;
  }
  return TRM_OK;
}

/* Speed of sliding of a point, its rate, and the speed of reversal of the force. */
static void slip_of(const trmi_contacts *o, const trmi_contact *c, int point, const trm_state *s,
                    double slip[7]) {
  const trmi_touch_point *p = &c->points[point];
  trmi_touch t;
  trmi_vec3 rate = v3(0, 0, 0);
  memset(slip, 0, 6 * sizeof *slip);
  slip[6] = 2.0 * c->friction.velocity;
  if (point >= c->used) return;
  trmi_touch_find(p, o->carriers->poses, &t);
  for (int i = 0; i < 4; i++) {
    const trmi_carrier *carrier = &o->carriers->list[p->carrier[i % 2]];
    const trmi_pose *pose = &o->carriers->poses[p->carrier[i % 2]];
    double along[6] = {0.0};
    if (i < 2) {
      v3_store(along, pose->v);
      v3_store(along + 3, pose->w);
    } else if (carrier->kind != TRMI_CARRIER_GROUND) {
      trmi_contact_rates(carrier, s->vd, along);
    }
    for (int k = 0; k < (int)carrier->kind; k++) {
      const trmi_touch_change d = trmi_touch_column(&t, i % 2, i >= 2, k);
      rate = v3_add(rate, v3_scale(along[k], d.slip));
    }
  }
  v3_store(slip, t.slip);
  v3_store(slip + 3, rate);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* (1) */
static double predicted_speed(const double gap[3]) {
  const double square = gap[1] * gap[1] - 2.0 * gap[2] * gap[0];
  const bool closes = gap[1] < 0.0 || gap[2] < 0.0;
  return closes && square > 0.0 ? sqrt(square) : 0.0;
}

static void reject_step(void *self) {
  trmi_pools_return(self);
}

static trm_status accept_step(void *self, const trm_state *s, trm_error *err) {
  trmi_contacts *o = self;
  o->has_kept = false;
  TRMI_TRY(err, trmi_pools_renew(o, s, err));
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    trmi_contact_memory *memory = &o->memory[c->first];
    for (int k = 0; k < c->used; k++, memory++) {
      trmi_contact_state at;
      double gap[3];
      find_gap(o, &c->points[k], s, &at.touch, gap);
      if (gap[0] > 0.0) memory->v_minus = predicted_speed(gap);
      memory->closed = gap[0] > 0.0 ? 0.0 : memory->closed + 1.0;
      trmi_contact_remember(c, &at, trmi_contact_is_bent(c, k, s), memory);
    }
  }
  return TRM_OK;
}

/* A contact may be closed at the start: its closing speed is then the present one. */
static trm_status settle(void *self, trm_state *s, bool *changed, trm_error *err) {
  trmi_contacts *o = self;
  const int before = o->epoch;
  TRMI_TRY(err, trmi_pools_renew(o, s, err));
  *changed = *changed || o->epoch != before;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    trmi_contact_memory *memory = &o->memory[c->first];
    for (int k = 0; k < c->used; k++, memory++) {
      double gap[3];
      gap_of(o, c, k, s, gap, NULL);
      if (gap[0] > 0.0 || memory->v_minus > 0.0) continue;
      memory->v_minus = fmax(-gap[1], 0.0);
      *changed = *changed || memory->v_minus > 0.0;
    }
  }
  return accept_step(self, s, err);
}

static size_t memory_of_points(const trmi_contacts *o) {
  return (size_t)o->npoints * sizeof(trmi_contact_memory);
}

static size_t memory_size(const void *self) {
  const trmi_contacts *o = self;
  size_t sum = memory_of_points(o);
  for (int i = 0; i < o->npools; i++) sum += (size_t)o->pools[i].nmemory * sizeof(double);
  return sum;
}

static void memory_save(const void *self, void *data) {
  const trmi_contacts *o = self;
  char *at = (char *)data + memory_of_points(o);
  memcpy(data, o->memory, memory_of_points(o));
  for (int i = 0; i < o->npools; i++) {
    const size_t bytes = (size_t)o->pools[i].nmemory * sizeof(double);
    memcpy(at, o->pools[i].memory, bytes);
    at += bytes;
  }
}

static void memory_load(void *self, const void *data) {
  trmi_contacts *o = self;
  const char *at = (const char *)data + memory_of_points(o);
  memcpy(o->memory, data, memory_of_points(o));
  for (int i = 0; i < o->npools; i++) {
    const size_t bytes = (size_t)o->pools[i].nmemory * sizeof(double);
    memcpy(o->pools[i].memory, at, bytes);
    at += bytes;
  }
  o->has_kept = false;
  trmi_pools_restore(o);
}

/* Permitted overlap of two shapes, before a core is reached or the nearest point to it is no longer
 * unique. */
static double room_of(const trmi_touch_point *p) {
  const double *half = p->core.size;
  if (p->core.kind == TRMI_CORE_TERRAIN) return p->core.terrain->ridge;
  if (p->solid != TRMI_SOLID_NONE) return p->room;
  if (p->sheet == NULL) return p->radius + p->core.radius;
  const double least = fmin(half[0], fmin(half[1], half[2]));
  return p->radius + least * least / fmax(half[0], fmax(half[1], half[2])); /* of curvature */
}

static trm_status fail_ring(const trmi_contact *c, trm_status as, trm_error *err) {
  return TRMI_FAIL(err, as, c->object, "something reaches into the hole of a torus, which only "
                   "spheres may: make the ring of contact '%.40s' of several capsules", c->name);
}

static trm_status fail_hollow(const trmi_contact *c, trm_status as, trm_error *err) {
  return TRMI_FAIL(err, as, c->object, "an edge is tilted so much in a hollow arc of a profile "
                   "that it touches both sides of the arc, of which contact '%.40s' sees one: make "
                   "the profile a mesh", c->name);
}

/* A pin that violates (1) of contact_shape.c. */
static trm_status fail_pin(const trmi_contact *c, double tilt, trm_status as, trm_error *err) {
  const double degrees = tilt * 180.0 / 3.14159265358979323846;
  if (!(sin(tilt) > trmi_pin_tilt)) {
    return TRMI_FAIL(err, as, c->object, "a pin is no longer between the ends of its profile, "
                     "which contact '%.40s' takes for endless: give it 'pins: free' (a cylinder "
                     "then needs a 'rounding')", c->name);
  }
  return TRMI_FAIL(err, as, c->object, "a pin is tilted by %.3g deg against the axis of its "
                   "profile, along which contact '%.40s' takes it to lie up to 2 deg: give it "
                   "'pins: free' (a cylinder then needs a 'rounding')", degrees, c->name);
}

/* An overlap of more than half of that is an error, or requires a smaller step: `as`. */
static trm_status test_depth(const trmi_contacts *o, trm_status as, trm_error *err) {
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    for (int k = 0; k < c->used; k++) {
      const trmi_touch_point *p = &c->points[k];
      const double most = 0.5 * room_of(p);
      double tilt;
      trmi_touch t;
      if (p->core.kind == TRMI_CORE_PLANE || trmi_contact_is_idle(o, c, k)) continue;
      trmi_touch_find(p, o->carriers->poses, &t);
      if (t.gap < 0.0 && trmi_touch_is_in_ring(p, o->carriers->poses)) return fail_ring(c, as, err);
      if (t.gap < 0.0 && trmi_touch_is_across(p, o->carriers->poses)) {
        return fail_hollow(c, as, err);
      }
      if (t.gap < 0.0 && trmi_touch_is_astray(p, o->carriers->poses, &tilt)) {
        return fail_pin(c, tilt, as, err);
      }
      if (-t.gap <= most) continue;
      return TRMI_FAIL(err, as, c->object, "the shapes overlap by %.3g, more than half of their "
                       "radii: contact '%.40s' is too soft, or they began inside each other",
                       -t.gap, c->name);
    }
  }
  return TRM_OK;
}

static trm_status test_step(void *self, const trm_state *s, trm_error *err) {
  TRMI_TRY(err, test_depth(self, TRM_RETRY_DOMAIN, err));
  TRMI_TRY(err, trmi_contact_test_bristles(self, s, err));
  return TRM_OK;
}

/* ---- values --------------------------------------------------------------------------------- */

static void add_loads(const trmi_contacts *o, const trmi_touch_point *p,
                      const trmi_contact_state *at, double *motion) {
  double Q[2][6];
  trmi_contact_loads(at, Q);
  for (int k = 0; k < 2; k++) {
    const trmi_carrier *carrier = &o->carriers->list[p->carrier[k]];
    for (int i = 0; i < (int)carrier->kind; i++) Q[k][i] = -Q[k][i];
    trmi_carrier_left(carrier, (trmi_dense){Q[k], 1}, 1, (trmi_dense){motion + carrier->v, 1});
  }
}

static void add_energy(const trmi_contact_state *at, const trm_values *out) {
  const trmi_touch *t = &at->touch;
  const double damping = (at->normal.N - at->normal.elastic) * t->rate;
  const double friction = v3_dot(at->force, t->slip) +
                          v3_dot(at->torque, v3_sub(t->w[0], t->w[1]));
  out->energy[1] += at->normal.stored;
  out->energy[2] += damping + friction;
  if (out->powers == NULL) return;
  out->powers[TRM_POWER_DAMPERS] += damping;
  out->powers[TRM_POWER_FRICTION] += friction;
}

static void note_limits(double limit[3], double slide, double spin, double roll) {
  limit[0] = slide, limit[1] = spin, limit[2] = roll;
}

static void add_point(const trmi_contacts *o, const trmi_contact *c, int point,
                      const trm_state *s, const trm_values *out) {
  const int nz = trmi_contact_states(c), x = c->x + point * nz;
  double *limit = o->limit + 3 * (c->first + point);
  note_limits(limit, INFINITY, INFINITY, INFINITY);
  if (trmi_contact_is_idle(o, c, point)) {
    for (int k = x; k < x + nz && out->d != NULL; k++) {
      out->d[k] += s->xd[k] + s->x[k] / c->friction.time;
    }
    return;
  }
  trmi_contact_state at;
  const bool touches = trmi_contact_evaluate(o, c, point, s, &at);
  for (int k = 0; k < nz && out->d != NULL; k++) out->d[x + k] += s->xd[x + k] - at.rate[k];
  if (!touches) return;
  if (at.has_friction) note_limits(limit, at.slide.limit, at.spin.limit, at.roll.limit);
  if (out->motion != NULL) add_loads(o, &c->points[point], &at, out->motion);
  if (out->energy != NULL) add_energy(&at, out);
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  trmi_contacts *o = self;
  double *gap = out->gaps != NULL ? out->gaps + 3 * o->gap : NULL;
  double *cut = out->cuts != NULL ? out->cuts + o->gap : NULL;
  double *slip = out->slips != NULL ? out->slips + 7 * o->slip : NULL;
  int number = o->gap; /* of the gap */
  const bool is_at_work = out->motion != NULL || out->energy != NULL || out->d != NULL;
  if (gap == NULL && slip == NULL && !is_at_work) return TRM_OK;
  if (is_at_work) TRMI_TRY(err, trmi_pools_cover(o, s, err));
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    for (int k = 0; k < c->npoints; k++, number++) {
      const bool is_whole = out->only_gap == 0 || out->only_gap == number + 1;
      if (gap != NULL && is_whole) gap_of(o, c, k, s, gap, cut), gap += 3;
      else if (gap != NULL) find_side(o, c, k, gap), gap += 3;
      if (cut != NULL) cut++;
      if (slip != NULL && is_watched(c)) slip_of(o, c, k, s, slip), slip += 7;
      if (is_at_work) add_point(o, c, k, s, out);
    }
  }
  return TRM_OK;
}

/* ---- creation ------------------------------------------------------------------------------- */

static int epoch(const void *self) {
  return ((const trmi_contacts *)self)->epoch;
}

#define OPS                                                                                        \
  .name = TRMI_CONTACTS_NAME, .rank = TRMI_RANK_FORCES, .hooks_read_carriers = true,               \
  .watched = watched, .place = place, .label = label, .gap_info = gap_info,                        \
  .pattern = trmi_contact_pattern, .nodes = trmi_contact_nodes, .settle = settle,                  \
  .values = values,                                                                                \
  .blocks = trmi_contact_blocks,                                                                   \
  .quantities = trmi_contact_quantities, .accept_step = accept_step, .step_limit = step_limit,     \
  .begin_step = trmi_contact_begin_step, .reject_step = reject_step, .test_step = test_step,       \
  .cut_states = trmi_contact_cut_states, .match_states = trmi_contact_match_states,                \
  .sliding_error = trmi_contact_sliding_error,                                                     \
  .memory_size = memory_size, .memory_save = memory_save,                                          \
  .memory_load = memory_load

static const trmi_contributor_ops ops = {OPS, .keeps_gaps = true}; /* places change them */
static const trmi_contributor_ops changing_ops = {OPS, .epoch = epoch};

/* A copy of a crowd: the original may be read again while this one is in use. */
static const trmi_contact_crowd *copy_crowd(const trmi_contact_crowd *c, trmi_arena *arena) {
  trmi_contact_crowd *own = TRMI_TAKE(arena, trmi_contact_crowd, 1);
  trmi_contact_item *items = TRMI_TAKE(arena, trmi_contact_item, c->nitems);
  trmi_carrier_pair *apart = TRMI_TAKE(arena, trmi_carrier_pair, c->napart);
  int *columns = TRMI_TAKE(arena, int, c->nbodies);
  if (arena->failed) return NULL;
  memcpy(items, c->items, (size_t)c->nitems * sizeof *items);
  if (c->napart > 0) memcpy(apart, c->apart, (size_t)c->napart * sizeof *apart);
  memcpy(columns, c->columns, (size_t)c->nbodies * sizeof *columns);
  *own = *c;
  own->items = items, own->apart = apart, own->columns = columns;
  return own;
}

/* Contact i of the model in all of its places. */
static bool add_places(trmi_contacts *o, const trmi_contact *c, trmi_arena *arena) {
  const int places = trmi_contact_places(c);
  const trmi_contact_crowd *crowd = NULL;
  if (c->crowd != NULL) {
    trmi_contact_pool *pool = &o->pools[o->npools++];
    crowd = copy_crowd(c->crowd, arena);
    if (crowd == NULL) return false;
    *pool = (trmi_contact_pool){.crowd = crowd, .first = o->count};
    if (!trmi_pool_make(pool, arena)) return false;
  }
  for (int i = 0; i < places; i++) {
    trmi_contact *own = &o->list[o->count++];
    const size_t n = (size_t)c->npoints;
    *own = *c;
    own->crowd = crowd;
    own->points = TRMI_TAKE(arena, trmi_touch_point, n);
    if (own->points == NULL) return false;
    if (c->points != NULL) memcpy(own->points, c->points, n * sizeof *own->points);
    own->x = c->x + i * c->npoints * trmi_contact_states(c);
    own->first = o->npoints;
    o->npoints += c->npoints;
  }
  return true;
}

/* Initial axes of sliding: those of the shapes. */
static void begin_memory(trmi_contacts *o) {
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    for (int k = 0; k < c->used; k++) {
      const double *E = c->points[k].E;
      o->memory[c->first + k] = (trmi_contact_memory){.closed = INFINITY, .n = m3_row(E, 2),
                                                            .t = m3_row(E, 0)};
    }
  }
}

bool trmi_contacts_join(trmi_assembly *a, const trmi_carriers *carriers, const trmi_contact *list,
                        int count, double length) {
  trmi_contacts *o = TRMI_TAKE(&a->elements, trmi_contacts, 1);
  int places = 0, crowds = 0;
  for (int i = 0; i < count; i++) {
    places += trmi_contact_places(&list[i]);
    crowds += list[i].crowd != NULL;
  }
  if (o == NULL) return false;
  *o = (trmi_contacts){.carriers = carriers, .length = length,
                       .list = TRMI_TAKE(&a->elements, trmi_contact, places),
                       .first = TRMI_TAKE(&a->elements, int, count + 1),
                       .pools = TRMI_TAKE(&a->elements, trmi_contact_pool, crowds)};
  if (a->elements.failed) return false;
  for (int i = 0; i < count; i++) {
    o->first[i] = o->count;
    if (!add_places(o, &list[i], &a->elements)) return false;
  }
  o->first[count] = o->count;
  o->memory = TRMI_TAKE(&a->elements, trmi_contact_memory, o->npoints);
  o->kept = TRMI_TAKE(&a->elements, trmi_contact_memory, o->npoints);
  o->limit = TRMI_TAKE(&a->elements, double, 3 * o->npoints);
  o->bent = TRMI_TAKE(&a->elements, double, 3 * o->npoints);
  o->grip = TRMI_TAKE(&a->elements, double, o->npoints);
  o->columns = trmi_carriers_mapped_columns(carriers);
  o->product = TRMI_TAKE(&a->elements, double, 6 * o->columns);
  o->turned = TRMI_TAKE(&a->elements, double, (size_t)o->columns * (size_t)o->columns);
  if (a->elements.failed) return false;
  begin_memory(o);
  for (int i = 0; i < 3 * o->npoints; i++) o->limit[i] = INFINITY, o->bent[i] = 0.0;
  for (int i = 0; i < o->npoints; i++) o->grip[i] = INFINITY;
  trmi_assembly_add(a, crowds > 0 ? &changing_ops : &ops, o);
  return !a->arena.failed;
}
