/* bodies.c - contributor of rigid bodies and points: poses of all markers, inertia, gravity.
 *
 * Bodies own the rows of motion of their velocities: they write them before others add. They are
 * independent of each other, so large numbers of them run in chunks; energies are added in their
 * order. Poses are computed once if values and blocks are requested at the same state. */
#include "elements/body/bodies.h"
#include <string.h>

enum { BODY_BLOCKS = 4, CHUNK = 128 };
static const trm_block body_blocks[BODY_BLOCKS] = {TRM_M, TRM_MU_Q, TRM_K, TRM_C};

typedef struct body {
  trmi_body_part part; /* q0 and v0 point to the numbers below */
  trmi_pose     *pose;
  int            entries[BODY_BLOCKS];
  int            first[BODY_BLOCKS]; /* entries of the bodies before it */
  double         q0[7], v0[6];
} body;

struct trmi_bodies {
  trmi_vec3  gravity;
  body      *list;
  int        count;
  trmi_carriers *carriers;
  const trmi_parallel *parallel;
  bool          is_one_piece; /* coordinates, and velocities, of all bodies are contiguous   */
  int           nq, nv;       /* of all bodies                                               */
  const double *q;            /* address of the coordinates of the known poses               */
  double       *moved;        /* copy of these, then velocities               [13 bodies]   */
  unsigned      misses;       /* states since the last known one                             */
};

/* Request to the bodies of a chunk. */
typedef struct work {
  const trmi_bodies *bodies;
  const trm_state   *s;
  double            *motion;
  const trm_block_request *request;
} work;

/* All bodies, in chunks if there are many. */
static void run(const work *w, trmi_items *items) {
  const trmi_bodies *b = w->bodies;
  if (trmi_parallel_pays(b->parallel, b->count, CHUNK)) {
    trmi_parallel_run(b->parallel, b->count, CHUNK, items, (void *)w);
  } else {
    items((void *)w, 0, b->count);
  }
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  const trmi_bodies *b = self;
  (void)err;
  for (int i = 0; i < b->count; i++) {
    const trmi_body_part *part = &b->list[i].part;
    const size_t nv = (size_t)part->kind, nq = part->kind == TRMI_CARRIER_BODY ? 7 : 3;
    if (part->q0 != NULL) memcpy(s->q + part->q, part->q0, nq * sizeof(double));
    if (part->v0 != NULL) memcpy(s->v + part->v, part->v0, nv * sizeof(double));
  }
  return TRM_OK;
}

/* ---- values --------------------------------------------------------------------------------- */

static void move_some(void *arg, int first, int end) {
  const work *w = arg;
  const trmi_bodies *b = w->bodies;
  const trm_state *s = w->s;
  for (int i = first; i < end; i++) {
    const trmi_body_part *part = &b->list[i].part;
    const double *q = s->q + part->q, *v = s->v + part->v;
    trmi_pose *pose = b->list[i].pose;
    if (part->kind == TRMI_CARRIER_BODY) {
      trmi_pose_load(q, v, pose);
      continue;
    }
    pose->x = v3_load(q); /* a point does not turn */
    pose->v = v3_load(v);
  }
}

/* Are the poses of this state known? If not, record it, since they will be. */
static bool is_known(trmi_bodies *b, const trm_state *s) {
  if (!b->is_one_piece || b->count == 0) return false;
  const double *q = s->q + b->list[0].part.q, *v = s->v + b->list[0].part.v;
  const size_t nq = (size_t)b->nq * sizeof *q, nv = (size_t)b->nv * sizeof *v;
  if (q == b->q && memcmp(q, b->moved, nq) == 0 && memcmp(v, b->moved + b->nq, nv) == 0) {
    b->misses = 0;
    return true;
  }
  const bool is_worth = ++b->misses <= 4 || b->misses % 4 == 0; /* states of samples are not
                                                                   repeated */
  b->q = is_worth ? q : NULL;                                   /* poses point to quaternions */
  if (!is_worth) return false;
  memcpy(b->moved, q, nq);
  memcpy(b->moved + b->nq, v, nv);
  return false;
}

static void move(void *self, const trm_state *s) {
  if (!is_known(self, s)) run(&(work){.bodies = self, .s = s}, move_some);
}

static void owns(const void *self, trmi_span rows[TRMI_ROWS]) {
  const trmi_bodies *b = self;
  for (int i = 0; i < b->count; i++) { /* as far as they are contiguous; others are cleared */
    const trmi_body_part *part = &b->list[i].part;
    if (i > 0 && part->v != rows[TRMI_ROWS_MOTION].end) return;
    if (i == 0) rows[TRMI_ROWS_MOTION].first = part->v;
    rows[TRMI_ROWS_MOTION].end = part->v + (int)part->kind;
  }
}

static void write_motion(void *arg, int first, int end) {
  const work *w = arg;
  const trmi_bodies *b = w->bodies;
  for (int i = first; i < end; i++) {
    const trmi_body_part *part = &b->list[i].part;
    trmi_inertia_motion(&part->inertia, b->list[i].pose, w->s->vd + part->v, b->gravity,
                        w->motion + part->v);
  }
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const trmi_bodies *b = self;
  (void)err;
  if (out->motion != NULL) run(&(work){.bodies = b, .s = s, .motion = out->motion}, write_motion);
  for (int i = 0; i < b->count && out->energy != NULL; i++) {
    trmi_inertia_energy(&b->list[i].part.inertia, b->list[i].pose, b->gravity, out->energy);
  }
  return TRM_OK;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const trmi_bodies *b = self;
  int count = 0;
  if (block != TRM_M && block != TRM_MU_Q && block != TRM_K && block != TRM_C) return 0;
  for (int i = 0; i < b->count; i++) {
    const trmi_body_part *part = &b->list[i].part;
    count += trmi_inertia_pattern(&part->inertia, p, block, part->v);
  }
  return count;
}

static void nodes(const void *self, trm_pattern *p) {
  const trmi_bodies *b = self;
  for (int i = 0; i < b->count; i++) {
    trm_pattern_node(p, TRM_V, b->list[i].part.v, (int)b->list[i].part.kind);
  }
}

static void fill_some(void *arg, int first, int end) {
  const work *w = arg;
  const trmi_bodies *b = w->bodies;
  const trm_block_request *request = w->request;
  double *place[BODY_BLOCKS];
  for (int k = 0; k < BODY_BLOCKS; k++) {
    place[k] = request->values[body_blocks[k]];
    if (place[k] != NULL && first > 0) place[k] += b->list[first].first[k];
  }
  for (int i = first; i < end; i++) {
    const body *one = &b->list[i];
    const trmi_inertia_blocks out = {
      .M = trmi_next_entries(&place[0], one->entries[0]),
      .MU_Q = trmi_next_entries(&place[1], one->entries[1]),
      .K = trmi_next_entries(&place[2], one->entries[2]),
      .C = trmi_next_entries(&place[3], one->entries[3]),
      .u = request->u != NULL ? request->u + one->part.v : NULL,
    };
    trmi_inertia_fill(&one->part.inertia, one->pose, b->gravity, &out);
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)s, (void)err;
  run(&(work){.bodies = self, .request = request}, fill_some);
  return TRM_OK;
}

/* ---- creation ------------------------------------------------------------------------------- */

static const trmi_contributor_ops ops = {
  .name = "rigid bodies", .rank = TRMI_RANK_CARRIERS,
  .owns = owns, .pattern = pattern, .nodes = nodes, .start = start, .move = move,
  .values = values, .blocks = blocks,
};

trmi_bodies *trmi_bodies_create(trmi_assembly *a, trmi_carriers *carriers, int most,
                                trmi_vec3 gravity) {
  trmi_bodies *b = TRMI_TAKE(&a->elements, trmi_bodies, 1);
  body *list = TRMI_TAKE(&a->elements, body, most);
  double *moved = TRMI_TAKE(&a->elements, double, 13 * (size_t)most);
  if (a->elements.failed) return NULL;
  *b = (trmi_bodies){.gravity = gravity, .list = list, .carriers = carriers,
                     .parallel = &a->parallel, .is_one_piece = true, .moved = moved};
  trmi_assembly_add(a, &ops, b);
  return a->arena.failed ? NULL : b;
}

int trmi_bodies_add(trmi_bodies *b, const trmi_body_part *part) {
  body *one = &b->list[b->count++];
  const size_t nv = (size_t)part->kind, nq = part->kind == TRMI_CARRIER_BODY ? 7 : 3;
  *one = (body){.part = *part};
  if (part->q0 != NULL) one->part.q0 = memcpy(one->q0, part->q0, nq * sizeof(double));
  if (part->v0 != NULL) one->part.v0 = memcpy(one->v0, part->v0, nv * sizeof(double));
  for (int k = 0; k < BODY_BLOCKS; k++) {
    one->entries[k] = trmi_inertia_pattern(&part->inertia, NULL, body_blocks[k], part->v);
    if (b->count > 1) one->first[k] = one[-1].first[k] + one[-1].entries[k];
  }
  b->is_one_piece = b->is_one_piece && part->q == b->list[0].part.q + b->nq &&
                    part->v == b->list[0].part.v + b->nv;
  b->nq += (int)nq, b->nv += (int)nv;
  const int carrier = trmi_carriers_add(
      b->carriers, (trmi_carrier){.kind = part->kind, .q = part->q, .v = part->v});
  one->pose = &b->carriers->poses[carrier];
  return carrier;
}
