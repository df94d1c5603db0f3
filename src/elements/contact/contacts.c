/* contacts.c - all contacts of a mechanism as one contributor.
 *
 * A contact is a list of points with a radius on one body that meet shapes of another; each point
 * has a gap, which integrators watch (integ/impacts.c). Where a restitution is given the law needs
 * the speed with which the gap closed. It is predicted at the end of every step that leaves the gap
 * open, with its rate r and acceleration a at that time,
 *   v- = sqrt(r^2 - 2 a gap),   0 where it does not close                                 (1)
 * and is memory: it does not change within a step, nor by attempts that are rejected.
 * Forces and derivatives: contact_loads.c. Theory: docs/theory/15-contact.md. */
#include "elements/contact/contacts_internal.h"
#include "core/fail.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- gaps ----------------------------------------------------------------------------------- */

/* Gap, its rate and the rate of that. */
static void gap_of(const trmi_contacts *o, const trmi_touch_point *p, const trm_state *s,
                   double gap[3]) {
  trmi_touch t;
  const double *vd[2];
  int columns[2];
  trmi_touch_find(p, o->carriers->poses, &t);
  for (int k = 0; k < 2; k++) {
    const trmi_carrier *carrier = &o->carriers->list[p->carrier[k]];
    columns[k] = (int)carrier->kind;
    vd[k] = columns[k] > 0 ? s->vd + carrier->v : NULL;
  }
  gap[0] = t.gap, gap[1] = t.rate;
  gap[2] = trmi_touch_acceleration(&t, vd, columns);
}

static void watched(const void *self, trmi_watched *count) {
  count->gaps = ((const trmi_contacts *)self)->npoints;
}

static void place(void *self, const trmi_watched *first) {
  ((trmi_contacts *)self)->gap = first->gaps;
}

/* The contact of point i of all, and its number there. */
static const trmi_contact *contact_of(const trmi_contacts *o, int *i) {
  const trmi_contact *c = o->list;
  while (*i >= c->npoints) *i -= c->npoints, c++;
  return c;
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  const trmi_contacts *o = self;
  (void)list;
  const trmi_contact *c = contact_of(o, &i);
  if (c->npoints == 1) snprintf(out->name, sizeof out->name, "%.43s.gap", c->name);
  else snprintf(out->name, sizeof out->name, "%.32s.gap%d", c->name, i + 1);
  snprintf(out->object, sizeof out->object, "%s", c->object);
  out->kind = TRM_KIND_METRE;
  out->scale = o->length;
}

/* Laws of contacts begin with p^e, not within a depth of their own: steps of (2) in
 * integ/impacts.c may be longer. */
static void gap_info(const void *self, int i, trm_gap_info *info) {
  const trmi_contact *c = contact_of(self, &i);
  if (c->tolerance > 0.0) info->tolerance = c->tolerance;
  if (c->law.impact_depth == 0.0) info->stride = 1.3;
}

static trm_status step_limit(void *self, const trm_state *s, double tolerance,
                             trm_step_limit *limit, trm_error *err) {
  const trmi_contacts *o = self;
  int number = o->gap;
  (void)err;
  for (int i = 0; i < o->count; i++) {
    for (int k = 0; k < o->list[i].npoints; k++) {
      double gap[3];
      gap_of(o, &o->list[i].points[k], s, gap);
      trmi_gap_limit(gap, tolerance * o->length, number++, limit);
    }
  }
  return TRM_OK;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* (1) */
static double predicted_speed(const double gap[3]) {
  const double square = gap[1] * gap[1] - 2.0 * gap[2] * gap[0];
  const bool closes = gap[1] < 0.0 || gap[2] < 0.0;
  return closes && square > 0.0 ? sqrt(square) : 0.0;
}

static trm_status accept_step(void *self, const trm_state *s, trm_error *err) {
  trmi_contacts *o = self;
  double *v_minus = o->v_minus;
  (void)err;
  for (int i = 0; i < o->count; i++) {
    for (int k = 0; k < o->list[i].npoints; k++, v_minus++) {
      double gap[3];
      gap_of(o, &o->list[i].points[k], s, gap);
      if (gap[0] > 0.0) *v_minus = predicted_speed(gap);
    }
  }
  return TRM_OK;
}

/* At the start a contact may be closed: it closes with the speed that it has. */
static trm_status settle(void *self, trm_state *s, bool *changed, trm_error *err) {
  trmi_contacts *o = self;
  double *v_minus = o->v_minus;
  (void)err;
  for (int i = 0; i < o->count; i++) {
    for (int k = 0; k < o->list[i].npoints; k++, v_minus++) {
      double gap[3];
      gap_of(o, &o->list[i].points[k], s, gap);
      const double before = *v_minus;
      if (gap[0] > 0.0) *v_minus = predicted_speed(gap);
      else if (before == 0.0) *v_minus = fmax(-gap[1], 0.0);
      *changed = *changed || (gap[0] <= 0.0 && *v_minus != before);
    }
  }
  return TRM_OK;
}

static size_t memory_size(const void *self) {
  return (size_t)((const trmi_contacts *)self)->npoints * sizeof(double);
}

static void memory_save(const void *self, void *data) {
  memcpy(data, ((const trmi_contacts *)self)->v_minus, memory_size(self));
}

static void memory_load(void *self, const void *data) {
  memcpy(((trmi_contacts *)self)->v_minus, data, memory_size(self));
}

/* A core is reached where overlaps are as deep as both radii: half of that is too much. */
static trm_status test_depth(const trmi_contacts *o, trm_status as, trm_error *err) {
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    for (int k = 0; k < c->npoints; k++) {
      const trmi_touch_point *p = &c->points[k];
      const double most = 0.5 * (p->radius + p->core.radius);
      trmi_touch t;
      if (p->core.kind == TRMI_CORE_PLANE) continue;
      trmi_touch_find(p, o->carriers->poses, &t);
      if (-t.gap <= most) continue;
      return TRMI_FAIL(err, as, c->object, "the shapes overlap by %.3g, more than half of their "
                       "radii: contact '%.40s' is too soft, or they began inside each other",
                       -t.gap, c->name);
    }
  }
  return TRM_OK;
}

static trm_status test_step(void *self, const trm_state *s, trm_error *err) {
  (void)s;
  return test_depth(self, TRM_RETRY_DOMAIN, err);
}

/* ---- values --------------------------------------------------------------------------------- */

static void add_loads(const trmi_contacts *o, const trmi_touch_point *p,
                      const trmi_contact_state *at, double *motion) {
  double Q[2][6];
  trmi_contact_loads(at, Q);
  for (int k = 0; k < 2; k++) {
    const trmi_carrier *carrier = &o->carriers->list[p->carrier[k]];
    for (int i = 0; i < (int)carrier->kind; i++) motion[carrier->v + i] -= Q[k][i];
  }
}

static void add_energy(const trmi_contact_state *at, const trm_values *out) {
  const double damping = (at->normal.N - at->normal.elastic) * at->touch.rate;
  out->energy[1] += at->normal.stored;
  out->energy[2] += damping;
  if (out->powers != NULL) out->powers[TRM_POWER_DAMPERS] += damping;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const trmi_contacts *o = self;
  const double *v_minus = o->v_minus;
  double *gap = out->gaps != NULL ? out->gaps + 3 * o->gap : NULL;
  (void)err;
  if (gap == NULL && out->motion == NULL && out->energy == NULL) return TRM_OK;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    for (int k = 0; k < c->npoints; k++, v_minus++) {
      trmi_contact_state at;
      if (gap != NULL) gap_of(o, &c->points[k], s, gap), gap += 3;
      if (out->motion == NULL && out->energy == NULL) continue;
      if (!trmi_contact_evaluate(o, c, k, *v_minus, &at)) continue;
      if (out->motion != NULL) add_loads(o, &c->points[k], &at, out->motion);
      if (out->energy != NULL) add_energy(&at, out);
    }
  }
  return TRM_OK;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Four rectangles, rows and columns of A and B */
static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const trmi_contacts *o = self;
  int count = 0;
  if (block != TRM_K && block != TRM_C) return 0;
  for (int i = 0; i < 4 * o->count; i++) {
    const trmi_contact *c = &o->list[i / 4];
    const trmi_carrier *row = &o->carriers->list[c->carrier[i / 2 % 2]];
    const trmi_carrier *col = &o->carriers->list[c->carrier[i % 2]];
    const int rows = (int)row->kind, cols = (int)col->kind;
    if (p != NULL && rows * cols > 0) trm_pattern_dense(p, block, row->v, col->v, rows, cols);
    count += rows * cols;
  }
  return count;
}

static double *write_entries(const trmi_contacts *o, const trmi_contact *c, double K[12][12],
                             double *out) {
  for (int i = 0; i < 4; i++) {
    const int rows = (int)o->carriers->list[c->carrier[i / 2]].kind;
    const int cols = (int)o->carriers->list[c->carrier[i % 2]].kind;
    for (int r = 0; r < rows; r++) {
      for (int k = 0; k < cols; k++) *out++ = K[6 * (i / 2) + r][6 * (i % 2) + k];
    }
  }
  return out;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  const trmi_contacts *o = self;
  double *K_out = request->values[TRM_K], *C_out = request->values[TRM_C];
  const double *v_minus = o->v_minus;
  (void)s, (void)err;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    double K[12][12] = {{0.0}}, C[12][12] = {{0.0}};
    for (int k = 0; k < c->npoints; k++, v_minus++) {
      trmi_contact_state at;
      if (!trmi_contact_evaluate(o, c, k, *v_minus, &at)) continue;
      if (K_out != NULL) trmi_contact_add_tangent(o, c, k, &at, false, K);
      if (C_out != NULL) trmi_contact_add_tangent(o, c, k, &at, true, C);
    }
    if (K_out != NULL) K_out = write_entries(o, c, K, K_out);
    if (C_out != NULL) C_out = write_entries(o, c, C, C_out);
  }
  return TRM_OK;
}

/* ---- making --------------------------------------------------------------------------------- */

static const trmi_contributor_ops ops = {
  .name = TRMI_CONTACTS_NAME, .rank = TRMI_RANK_FORCES, .hooks_read_carriers = true,
  .watched = watched, .place = place, .label = label, .gap_info = gap_info,
  .pattern = pattern, .settle = settle, .values = values, .blocks = blocks,
  .quantities = trmi_contact_quantities, .accept_step = accept_step, .step_limit = step_limit,
  .test_step = test_step, .memory_size = memory_size, .memory_save = memory_save,
  .memory_load = memory_load,
};

bool trmi_contacts_join(trmi_assembly *a, const trmi_carriers *carriers, const trmi_contact *list,
                        int count, double length) {
  trmi_contacts *o = TRMI_TAKE(&a->elements, trmi_contacts, 1);
  trmi_contact *own = TRMI_TAKE(&a->elements, trmi_contact, count);
  if (a->elements.failed) return false;
  *o = (trmi_contacts){.carriers = carriers, .list = own, .count = count, .length = length};
  memcpy(own, list, (size_t)count * sizeof *own);
  for (int i = 0; i < count; i++) {
    const size_t n = (size_t)own[i].npoints;
    own[i].points = TRMI_TAKE(&a->elements, trmi_touch_point, n);
    if (own[i].points == NULL) return false;
    memcpy(own[i].points, list[i].points, n * sizeof *own[i].points);
    o->npoints += own[i].npoints;
  }
  o->v_minus = TRMI_TAKE(&a->elements, double, o->npoints);
  if (a->elements.failed) return false;
  memset(o->v_minus, 0, (size_t)o->npoints * sizeof *o->v_minus);
  trmi_assembly_add(a, &ops, o);
  return !a->arena.failed;
}
