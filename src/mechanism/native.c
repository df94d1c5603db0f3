/* native.c - inertia, joints and beams of a mechanism at work, without the tape.
 *
 * Poses of all bodies are computed once per call, then every element works on its own numbers.
 * Entries of a block are those of all bodies, then of all joints, then of all other elements, in
 * their order. */
#include "mechanism/mechanism.h"
#include <stdio.h>
#include <string.h>

enum { LINK_BLOCKS = 5, BODY_BLOCKS = 4 };
static const trm_block link_blocks[LINK_BLOCKS] = {TRM_G, TRM_GV_Q, TRM_GB_Q, TRM_GB_V, TRM_GY_Q};
static const trm_block body_blocks[BODY_BLOCKS] = {TRM_M, TRM_MU_Q, TRM_K, TRM_C};

typedef struct part_body {
  trmi_side_kind kind;
  int          q, v;
  trmi_inertia inertia;
  int          entries[BODY_BLOCKS];
} part_body;

typedef struct part_link {
  trmi_link       link;
  trmi_link_place at;
  int             A, B; /* poses */
  int             rows;
  int             entries[LINK_BLOCKS];
  trmi_held       held;
  const char     *name;
} part_link;

typedef struct parts {
  trmi_native native;
  trmi_vec3   gravity;
  int         nbody, nlink;
  int         first_v, end_v;    /* numbers of bodies among all velocities  */
  int         nv, native_rows, ng;
  part_body  *bodies;            /* [nbody]                                 */
  part_link  *links;             /* [nlink]                                 */
  trmi_pose  *poses;             /* ground first                [nbody + 1] */
  trmi_element *elements;        /* [nelement]                              */
  int         nelement;
  bool        has_tests, has_begins; /* some of them       */
  double    *place[TRM_BLOCKS];  /* where the next entries of a block go    */
} parts;

/* ---- values ---------------------------------------------------------------------------------- */

static void load_pose(const part_body *body, const trm_state *s, trmi_pose *pose) {
  const double *q = s->q + body->q, *v = s->v + body->v;
  if (body->kind == TRMI_SIDE_BODY) {
    trmi_pose_load(q, v, pose);
    return;
  }
  pose->x = v3_load(q); /* a point does not turn */
  pose->v = v3_load(v);
}

static void load_poses(parts *m, const trm_state *s) {
  for (int i = 0; i < m->nbody; i++) load_pose(&m->bodies[i], s, &m->poses[i + 1]);
}

static void clear(double *list, int from, int to) {
  if (list != NULL && to > from) memset(list + from, 0, (size_t)(to - from) * sizeof *list);
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  parts *m = self;
  const bool rows = out->g != NULL || out->g_rate != NULL || out->g_bias != NULL;
  if (!rows && out->motion == NULL && out->energy == NULL) return TRM_OK;
  clear(out->motion, 0, m->first_v);
  clear(out->motion, m->end_v, m->nv);
  clear(out->energy, 0, 3);
  for (int i = 0; i < m->nbody; i++) {
    const part_body *body = &m->bodies[i];
    trmi_pose *pose = &m->poses[i + 1];
    load_pose(body, s, pose);
    if (out->motion != NULL) {
      trmi_inertia_motion(&body->inertia, pose, s->vd + body->v, m->gravity,
                          out->motion + body->v);
    }
    if (out->energy != NULL) trmi_inertia_energy(&body->inertia, pose, m->gravity, out->energy);
  }
  for (int i = 0; i < m->nlink; i++) {
    const part_link *l = &m->links[i];
    const trmi_pose *A = &m->poses[l->A], *B = &m->poses[l->B];
    if (out->motion != NULL) {
      trmi_link_force(&l->link, A, B, s->lam + l->at.row,
                      l->A > 0 ? out->motion + l->at.v_A : NULL,
                      l->B > 0 ? out->motion + l->at.v_B : NULL);
    }
    if (!rows) continue;
    const trmi_link_values at = {
      .g = out->g != NULL ? out->g + l->at.row : NULL,
      .g_rate = out->g_rate != NULL ? out->g_rate + l->at.row : NULL,
      .g_bias = out->g_bias != NULL ? out->g_bias + l->at.row : NULL,
    };
    trmi_link_evaluate(&l->link, A, B, &at);
  }
  for (int i = 0; i < m->nelement && (out->motion != NULL || out->energy != NULL); i++) {
    const trmi_element *e = &m->elements[i];
    TRMI_TRY(err, e->ops->values(e->self, s, m->poses, out, err));
  }
  clear(out->g, m->native_rows, m->ng);
  clear(out->g_rate, m->native_rows, m->ng);
  clear(out->g_bias, m->native_rows, m->ng);
  return TRM_OK;
}

static trm_status tell(void *self, const trm_state *s, trm_error *err) {
  parts *m = self;
  load_poses(m, s);
  for (int i = 0; i < m->nelement; i++) {
    const trmi_element *e = &m->elements[i];
    if (e->ops->tell != NULL) TRMI_TRY(err, e->ops->tell(e->self, s, m->poses, err));
  }
  return TRM_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Quaternion of a body; NULL: it does not turn. */
static const double *quat_of(const parts *m, const trm_state *s, int body) {
  if (body == 0 || m->bodies[body - 1].kind != TRMI_SIDE_BODY) return NULL;
  return s->q + m->bodies[body - 1].q + 3;
}

static trm_status test_links(const parts *m, const trm_state *s, trm_status as, trm_error *err) {
  for (int i = 0; i < m->nlink; i++) {
    const part_link *l = &m->links[i];
    if (l->held == TRMI_HOLDS_NONE) continue;
    if (!trmi_link_is_flipped(&l->link, l->held, quat_of(m, s, l->A), quat_of(m, s, l->B))) {
      continue;
    }
    char object[TRM_OBJECT_MAX];
    snprintf(object, sizeof object, "joint '%.48s'", l->name);
    return TRMI_FAIL(err, as, object, "its markers are half a turn away from where it holds them, "
                     "a second solution of its equations; %s", as < 0
                         ? "give start values nearer to the first one"
                         : "take shorter steps");
  }
  return TRM_OK;
}

static trm_status test(void *self, const trm_state *s, trm_status as, trm_error *err) {
  parts *m = self;
  TRMI_TRY(err, test_links(m, s, as, err));
  if (!m->has_tests) return TRM_OK;
  load_poses(m, s);
  for (int i = 0; i < m->nelement; i++) {
    const trmi_element *e = &m->elements[i];
    if (e->ops->test != NULL) TRMI_TRY(err, e->ops->test(e->self, s, m->poses, as, err));
  }
  return TRM_OK;
}

static trm_status begin(void *self, const trm_state *s, trm_error *err) {
  parts *m = self;
  load_poses(m, s);
  for (int i = 0; i < m->nelement; i++) {
    const trmi_element *e = &m->elements[i];
    if (e->ops->begin != NULL) TRMI_TRY(err, e->ops->begin(e->self, s, m->poses, err));
  }
  return TRM_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The place for the next element's entries of a block, or NULL. */
static double *next(parts *m, trm_block block, int entries) {
  double *here = m->place[block];
  if (here != NULL) m->place[block] += entries;
  return here;
}

static void fill_bodies(parts *m, const trm_block_request *request) {
  for (int i = 0; i < m->nbody; i++) {
    const part_body *body = &m->bodies[i];
    const trmi_inertia_blocks out = {
      .M = next(m, TRM_M, body->entries[0]), .MU_Q = next(m, TRM_MU_Q, body->entries[1]),
      .K = next(m, TRM_K, body->entries[2]), .C = next(m, TRM_C, body->entries[3]),
      .u = request->u != NULL ? request->u + body->v : NULL,
    };
    trmi_inertia_fill(&body->inertia, &m->poses[i + 1], m->gravity, &out);
  }
}

static void fill_links(parts *m, const trm_block_request *request) {
  for (int i = 0; i < m->nlink; i++) {
    const part_link *l = &m->links[i];
    const trmi_link_blocks out = {
      .G = next(m, TRM_G, l->entries[0]), .GV_Q = next(m, TRM_GV_Q, l->entries[1]),
      .GB_Q = next(m, TRM_GB_Q, l->entries[2]), .GB_V = next(m, TRM_GB_V, l->entries[3]),
      .GY_Q = next(m, TRM_GY_Q, l->entries[4]),
      .y = request->y != NULL ? request->y + l->at.row : NULL,
    };
    trmi_link_fill(&l->link, &m->poses[l->A], &m->poses[l->B], &out);
  }
}

static trm_status fill_elements(parts *m, const trm_state *s, const trm_block_request *request,
                                trm_error *err) {
  for (int i = 0; i < m->nelement; i++) {
    const trmi_element *e = &m->elements[i];
    trm_block_request own = *request;
    bool is_any = false;
    for (int k = 0; k < TRM_BLOCKS; k++) {
      own.values[k] = e->entries[k] > 0 ? next(m, (trm_block)k, e->entries[k]) : NULL;
      is_any = is_any || own.values[k] != NULL;
    }
    if (is_any) TRMI_TRY(err, e->ops->blocks(e->self, s, m->poses, &own, err));
  }
  return TRM_OK;
}

static bool is_wanted(const trm_block_request *request, const trm_block *blocks, int count) {
  for (int k = 0; k < count; k++) {
    if (request->values[blocks[k]] != NULL) return true;
  }
  return false;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  parts *m = self;
  const bool bodies = is_wanted(request, body_blocks, BODY_BLOCKS);
  const bool links = is_wanted(request, link_blocks, LINK_BLOCKS);
  if (!bodies && !links && m->nelement == 0) return TRM_OK;
  for (int k = 0; k < TRM_BLOCKS; k++) m->place[k] = request->values[k];
  load_poses(m, s);
  if (bodies) fill_bodies(m, request);
  if (links) fill_links(m, request);
  TRMI_TRY(err, fill_elements(m, s, request, err));
  return TRM_OK;
}

static void patterns(const void *self, trm_pattern *p) {
  const parts *m = self;
  for (int i = 0; i < m->nbody; i++) {
    const part_body *body = &m->bodies[i];
    for (int k = 0; k < BODY_BLOCKS; k++) {
      (void)trmi_inertia_pattern(&body->inertia, p, body_blocks[k], body->v);
    }
    trm_pattern_node(p, TRM_V, body->v, (int)body->kind);
  }
  for (int i = 0; i < m->nlink; i++) {
    const part_link *l = &m->links[i];
    for (int k = 0; k < LINK_BLOCKS; k++) {
      (void)trmi_link_pattern(&l->link, p, link_blocks[k], &l->at);
    }
    if (l->rows > 0) trm_pattern_node(p, TRM_LAM, l->at.row, l->rows);
  }
  for (int i = 0; i < m->nelement; i++) {
    const trmi_element *e = &m->elements[i];
    for (int k = 0; k < TRM_BLOCKS; k++) {
      if (e->entries[k] > 0) (void)e->ops->pattern(e->self, p, (trm_block)k);
    }
  }
}

/* ---- making --------------------------------------------------------------------------------- */

static void make_body(parts *m, const trmi_body *from, part_body *body) {
  *body = (part_body){.kind = from->kind, .q = from->q, .v = from->v, .inertia = from->inertia};
  for (int k = 0; k < BODY_BLOCKS; k++) {
    body->entries[k] = trmi_inertia_pattern(&body->inertia, NULL, body_blocks[k], body->v);
    m->native.entries[body_blocks[k]] += body->entries[k];
  }
}

static void make_link(parts *m, const trmi_mechanism *from, const trmi_joint *j, part_link *l) {
  const trmi_joint_type *type = j->type;
  *l = (part_link){.A = j->A.body, .B = j->B.body,
                   .rows = trmi_rows_size(type->rows, type->nrows),
                   .held = trmi_rows_hold(type->rows, type->nrows)};
  l->link = (trmi_link){.rows = type->rows, .nrows = type->nrows,
                        .A = from->bodies[l->A].kind, .B = from->bodies[l->B].kind,
                        .s_a = j->A.s, .s_b = j->B.s, .offset = j->offset, .length = j->length};
  memcpy(l->link.E_a, j->A.E, sizeof j->A.E);
  memcpy(l->link.E_b, j->B.E, sizeof j->B.E);
  trmi_marker_quats(from, &j->A, &j->B, l->link.m_a, l->link.m_b);
  l->at = (trmi_link_place){.row = j->row, .v_A = from->bodies[l->A].v,
                            .v_B = from->bodies[l->B].v};
  for (int k = 0; k < LINK_BLOCKS; k++) {
    l->entries[k] = trmi_link_pattern(&l->link, NULL, link_blocks[k], &l->at);
    m->native.entries[link_blocks[k]] += l->entries[k];
  }
}

static const char *copy_name(trmi_arena *arena, const char *name) {
  char *room = TRMI_TAKE(arena, char, strlen(name) + 1);
  return room != NULL ? strcpy(room, name) : "";
}

static void free_list(const trmi_element *list, int count) {
  for (int i = 0; i < count; i++) {
    if (list[i].ops->free != NULL) list[i].ops->free(list[i].self);
  }
}

static void free_parts(void *self) {
  const parts *m = self;
  free_list(m->elements, m->nelement);
}

void trmi_add_element(trmi_mechanism *m, const trmi_element_ops *ops, void *self) {
  if (m->nelements == m->elements_size) {
    const int size = m->elements_size == 0 ? 16 : 2 * m->elements_size;
    trmi_element *list = TRMI_TAKE(m->native_arena, trmi_element, size);
    if (list == NULL) {
      if (ops->free != NULL) ops->free(self);
      return;
    }
    for (int i = 0; i < m->nelements; i++) list[i] = m->elements[i];
    m->elements = list, m->elements_size = size;
  }
  trmi_element *e = &m->elements[m->nelements++];
  *e = (trmi_element){.ops = ops, .self = self};
  for (int k = 0; k < TRM_BLOCKS; k++) e->entries[k] = ops->pattern(self, NULL, (trm_block)k);
}

static const trmi_native *give_up(trmi_mechanism *from) {
  free_list(from->elements, from->nelements);
  from->nelements = 0;
  return NULL;
}

const trmi_native *trmi_native_make(trmi_mechanism *from) {
  trmi_arena *arena = from->native_arena;
  parts *m = TRMI_TAKE(arena, parts, 1);
  if (m == NULL || from->complaints->count > 0) return give_up(from);
  *m = (parts){.gravity = from->gravity, .nbody = from->nbodies - 1, .nv = from->b->eq->n.nv,
               .native_rows = from->extension.add.native_rows, .ng = from->b->eq->n.ng};
  m->bodies = TRMI_TAKE(arena, part_body, m->nbody);
  m->links = TRMI_TAKE(arena, part_link, from->njoints);
  m->poses = TRMI_TAKE(arena, trmi_pose, m->nbody + 1);
  if (arena->failed) return give_up(from);
  m->first_v = m->end_v = from->def->ncoordinates;
  for (int i = 0; i <= m->nbody; i++) {
    m->poses[i].R[0] = m->poses[i].R[4] = m->poses[i].R[8] = 1.0;
  }
  for (int i = 0; i < m->nbody; i++) {
    make_body(m, &from->bodies[i + 1], &m->bodies[i]);
    m->end_v += (int)m->bodies[i].kind;
  }
  for (int i = 0; i < from->njoints; i++) {
    const trmi_joint *j = &from->joints[i];
    if (j->row < 0) continue;
    part_link *l = &m->links[m->nlink++];
    make_link(m, from, j, l);
    l->name = copy_name(arena, j->def->key.name);
  }
  m->elements = from->elements, m->nelement = from->nelements;
  for (int i = 0; i < m->nelement; i++) {
    for (int k = 0; k < TRM_BLOCKS; k++) m->native.entries[k] += m->elements[i].entries[k];
    m->has_tests = m->has_tests || m->elements[i].ops->test != NULL;
    m->has_begins = m->has_begins || m->elements[i].ops->begin != NULL;
  }
  m->native.self = m;
  m->native.patterns = patterns;
  m->native.values = values;
  m->native.blocks = blocks;
  m->native.tell = tell;
  m->native.test = test;
  if (m->has_begins) m->native.begin = begin;
  m->native.free = free_parts;
  return &m->native;
}
