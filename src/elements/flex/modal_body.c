/* modal_body.c - flexible bodies with modal coordinates as a contributor: motion and energies.
 *
 * Coordinates x (ground axes), the rotation R of the frame, a; velocities x', w (body axes), a'.
 * With the arrays of fem/modal_arrays.h, pairs of axes p, q and ijk cyclic:
 *   G_i = N_jk - N_kj,   B = B0 - (G_1 a, G_2 a, G_3 a),   B0 = (L_23 - L_32, ..)          (1)
 *   J = tr(Sigma) 1 - Sigma + J1 a + a.J2 a,   Ja = dJ/da = J1 + 2 J2 a,
 *   J1_pq = 2 delta_pq sum_r L_rr - L_pq - L_qp,
 *   J2_pq = delta_pq sum_r N_rr - sym N_pq - Kg_pq                                         (2)
 *   M = (m, -R mc~, R D ; ., J, B ; ., ., 1),   mc = mc0 + D a                             (3)
 *   motion = M v' + ( R b1 - m g,  b2 - mc x R^T g,  b3 - D^T R^T g + omega^2 a + d a' ),
 *   b1 = w x (w x mc) + 2 w x D a',   b2 = w x J w + (Ja a') w + w x B a',
 *   b3 = -2 sum_i w_i G_i a' - 1/2 w.Ja w                                                  (4)
 *   kinetic = 1/2 v.M v,  potential = 1/2 a.omega^2 a - g.(m x + R mc),  power = -d a'.a'  (5)
 * Products of (1) and (2): modal_moment.c. Derivation: docs/theory/17-modal.md; tests compare (3)
 * to (5) with sums over nodes of a mesh. */
#include "elements/flex/modal_body.h"
#include "math/combine.h"
#include "math/lanes.h"
#include "system/system.h"
#include <string.h>

enum { GROUP = 8 }; /* modes of a node */

struct trmi_modal_bodies {
  trmi_assembly   *a;
  trmi_carriers   *carriers;
  trmi_vec3        gravity;
  int              count;
  trmi_modal_body *list;
};

/* (Ja a') w: the matrix of the six pairs times w */
static trmi_vec3 pair_product(const double six[TRMI_AXIS_PAIRS], trmi_vec3 w) {
  return v3(six[0] * w.x + six[3] * w.y + six[4] * w.z, six[3] * w.x + six[1] * w.y + six[5] * w.z,
            six[4] * w.x + six[5] * w.y + six[2] * w.z);
}

/* ---- values --------------------------------------------------------------------------------- */

/* (4) for x and w */
static void add_frame_rows(const trmi_modal_body *b, const double *vd, double *motion) {
  const trmi_modal_inertia *in = &b->inertia;
  const trmi_modal_moment *z = &b->now;
  const trmi_vec3 w = z->w, wd = v3_load(vd + 3), acceleration = v3_sub(v3_load(vd), b->gravity);
  memcpy(z->x, vd + 6, (size_t)in->n * sizeof *vd);
  trmi_vec3 turned = v3_add(v3_cross(wd, z->mc), v3_cross(w, v3_cross(w, z->mc)));
  if (in->has_D) {
    turned = v3_add(turned, v3_add(trmi_modal_times(in, in->D, z->x),
                                   v3_scale(2.0, v3_cross(w, z->D1))));
  }
  v3_accumulate(motion, v3_add(v3_scale(in->mass, acceleration), m3_mul(z->R, turned)));
  trmi_vec3 rows = v3_add(v3_cross(z->mc, m3_tmul(z->R, acceleration)), m3_mul(z->J, wd));
  rows = v3_add(rows, trmi_modal_times(in, z->B, z->x));
  rows = v3_add(rows, v3_cross(w, v3_add(m3_mul(z->J, w), z->B1)));
  v3_accumulate(motion + 3, v3_add(rows, pair_product(z->Ja1, w)));
}

/* (4) for the modes: terms of B, G1 and Ja */
static void add_turned_rows(const trmi_modal_inertia *in, const trmi_modal_moment *z, trmi_vec3 wd,
                            double *motion) {
  const trmi_vec3 w = z->w;
  const double by_B[3] = {wd.x, wd.y, wd.z}, by_G[3] = {-2.0 * w.x, -2.0 * w.y, -2.0 * w.z};
  const double by_J[TRMI_AXIS_PAIRS] = {-0.5 * w.x * w.x, -0.5 * w.y * w.y, -0.5 * w.z * w.z,
                                        -w.x * w.y, -w.x * w.z, -w.y * w.z}; /* -1/2 w.Ja w */
  const trmi_long_rows rows = {motion, 0};
  trmi_combine(in->n, 1, 3, true, (trmi_long_const){by_B, 0}, (trmi_long_const){z->B, in->width},
               rows);
  trmi_combine(in->n, 1, 3, true, (trmi_long_const){by_G, 0}, (trmi_long_const){z->G1, in->width},
               rows);
  trmi_combine(in->n, 1, TRMI_AXIS_PAIRS, true, (trmi_long_const){by_J, 0},
               (trmi_long_const){z->Ja, in->width}, rows);
}

/* (4) for the modes */
static void add_mode_rows(const trmi_modal_body *b, const double *q, const double *v,
                          const double *vd, double *restrict motion) {
  const trmi_modal_inertia *in = &b->inertia;
  const trmi_modal_moment *z = &b->now;
  const int n = in->n;
  const double *a = q + 7, *a1 = v + 6, *a2 = vd + 6, *omega2 = in->omega2, *damping = in->damping;
  for (int j = 0; j < n; j++) motion[6 + j] += a2[j] + omega2[j] * a[j] + damping[j] * a1[j];
  add_turned_rows(in, z, v3_load(vd + 3), motion + 6);
  if (!in->has_D) return;
  double own[3];
  v3_store(own, m3_tmul(z->R, v3_sub(v3_load(vd), b->gravity)));
  trmi_combine(n, 1, 3, true, (trmi_long_const){own, 0}, (trmi_long_const){in->D, in->width},
               (trmi_long_rows){motion + 6, 0});
}

/* (5) */
static void add_energy(const trmi_modal_body *b, const double *q, const double *v,
                       const trm_values *out) {
  const trmi_modal_inertia *in = &b->inertia;
  const trmi_modal_moment *z = &b->now;
  const int n = in->n;
  const trmi_vec3 x1 = v3_load(v), w = z->w;
  const trmi_vec3 flow = m3_mul(z->R, v3_add(v3_cross(w, z->mc), z->D1));
  double damped = 0.0, strain = 0.0;
  for (int j = 0; j < n; j++) {
    strain += 0.5 * in->omega2[j] * q[7 + j] * q[7 + j];
    damped += in->damping[j] * v[6 + j] * v[6 + j];
  }
  out->energy[0] += 0.5 * in->mass * v3_dot(x1, x1) + v3_dot(x1, flow) +
                    0.5 * v3_dot(w, m3_mul(z->J, w)) + v3_dot(w, z->B1) +
                    0.5 * trmi_lanes_dot(n, v + 6, v + 6);
  out->energy[1] += strain - v3_dot(b->gravity, v3_add(v3_scale(in->mass, v3_load(q)),
                                                       m3_mul(z->R, z->mc)));
  out->energy[2] -= damped;
  if (out->powers != NULL) out->powers[TRM_POWER_DAMPERS] -= damped;
}

void trmi_modal_body_motion(trmi_modal_body *b, const trm_state *s, double *rows) {
  const double *q = s->q + b->q, *v = s->v + b->v;
  add_frame_rows(b, s->vd + b->v, rows);
  add_mode_rows(b, q, v, s->vd + b->v, rows);
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  trmi_modal_bodies *all = self;
  (void)err;
  if (out->motion == NULL && out->energy == NULL) return TRM_OK;
  for (int i = 0; i < all->count; i++) {
    trmi_modal_body *b = &all->list[i];
    const double *q = s->q + b->q, *v = s->v + b->v;
    trmi_modal_body_at(b, q, v, (trmi_modal_wish){.G1 = out->motion != NULL});
    if (out->motion != NULL) trmi_modal_body_motion(b, s, out->motion + b->v);
    if (out->energy != NULL) add_energy(b, q, v, out);
  }
  return TRM_OK;
}

/* ---- the contributor ------------------------------------------------------------------------ */

static trm_status start(void *self, trm_state *s, trm_error *err) {
  const trmi_modal_bodies *all = self;
  (void)err;
  for (int i = 0; i < all->count; i++) {
    const trmi_modal_body *b = &all->list[i];
    if (b->q0 == NULL) continue; /* known to the equations */
    memcpy(s->q + b->q, b->q0, (7 + (size_t)b->inertia.n) * sizeof *b->q0);
    memcpy(s->v + b->v, b->v0, (6 + (size_t)b->inertia.n) * sizeof *b->v0);
  }
  return TRM_OK;
}

/* Are the markers at this state? If not, record it, since they will be. */
static bool is_moved(trmi_modal_body *b, const double *q, const double *v) {
  const size_t nq = 7 + (size_t)b->inertia.n, nv = 6 + (size_t)b->inertia.n;
  if (b->has_moved && memcmp(b->moved, q, nq * sizeof *q) == 0 &&
      memcmp(b->moved + nq, v, nv * sizeof *v) == 0) {
    return true;
  }
  memcpy(b->moved, q, nq * sizeof *q);
  memcpy(b->moved + nq, v, nv * sizeof *v);
  b->has_moved = true;
  return false;
}

static void move(void *self, const trm_state *s) {
  trmi_modal_bodies *all = self;
  for (int i = 0; i < all->count; i++) {
    trmi_modal_body *b = &all->list[i];
    if (is_moved(b, s->q + b->q, s->v + b->v)) continue;
    for (int k = 0; k < b->nmarkers; k++) {
      trmi_modal_marker *m = &b->markers[k];
      trmi_modal_marker_move(m, s->q + b->q, s->v + b->v, &b->carriers->poses[m->carrier]);
    }
  }
}

/* M: rows of the frame, columns of the frame below them one by one, the diagonal of the modes. In
 * mean axes translations and modes are not coupled. */
static void pattern_M(const trmi_modal_body *b, trm_pattern *p) {
  const int n = b->inertia.n, top = b->inertia.has_D ? 0 : 3;
  for (int i = 0; i < top; i++) {
    trm_pattern_dense(p, TRM_M, b->v + i, b->v, 1, 6);
    trmi_pattern_weak(p, TRM_M, b->v + i, b->v + 6, 1, n);
  }
  trm_pattern_dense(p, TRM_M, b->v + top, b->v, 6 - top, 6 + n);
  for (int k = 0; k < top; k++) trmi_pattern_weak(p, TRM_M, b->v + 6, b->v + k, n, 1);
  for (int k = top; k < 6; k++) trm_pattern_dense(p, TRM_M, b->v + 6, b->v + k, n, 1);
  for (int j = 0; j < n; j++) trm_pattern_entry(p, TRM_M, b->v + 6 + j, b->v + 6 + j);
}

static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const trmi_modal_bodies *all = self;
  int entries = 0;
  if (block != TRM_M && block != TRM_MU_Q && block != TRM_K && block != TRM_C) return 0;
  for (int i = 0; i < all->count; i++) {
    const trmi_modal_body *b = &all->list[i];
    const int n = b->inertia.n, nv = 6 + n;
    entries += block == TRM_M ? 6 * nv + 7 * n : nv * nv;
    if (p == NULL) continue;
    if (block != TRM_M) {
      const bool is_mean = !b->inertia.has_D; /* axes: D = 0 */
      const trmi_arrow arrow = {.row = b->v, .col = b->v, .rows = nv, .cols = nv,
                                .head = b->is_fast ? nv : 6, .zero_rows = is_mean ? 3 : 0,
                                .zero_cols = !is_mean ? 0 : block == TRM_C ? 3 : 6};
      trmi_pattern_arrow(p, block, &arrow);
      continue;
    }
    pattern_M(b, p);
  }
  return entries;
}

/* Modes are not coupled; groups of them form nodes of a size suited to the block solver. */
static void nodes(const void *self, trm_pattern *p) {
  const trmi_modal_bodies *all = self;
  for (int i = 0; i < all->count; i++) {
    const trmi_modal_body *b = &all->list[i];
    trm_pattern_node(p, TRM_V, b->v, 6);
    for (int j = 0; j < b->inertia.n; j += GROUP) {
      const int left = b->inertia.n - j;
      trm_pattern_node(p, TRM_V, b->v + 6 + j, left < GROUP ? left : GROUP);
    }
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  trmi_modal_bodies *all = self;
  double *places[TRM_BLOCKS];
  (void)err;
  memcpy(places, request->values, sizeof places);
  for (int i = 0; i < all->count; i++) {
    trmi_modal_body_blocks(&all->list[i], s, request, places);
  }
  return TRM_OK;
}

static const trmi_contributor_ops modal_ops = {
  .name = "modal bodies", .rank = TRMI_RANK_CARRIERS, .pattern = pattern, .nodes = nodes,
  .start = start, .move = move, .values = values, .blocks = blocks,
};

trmi_modal_bodies *trmi_modal_bodies_create(trmi_assembly *a, trmi_carriers *carriers, int count,
                                            trmi_vec3 gravity) {
  trmi_modal_bodies *all = TRMI_TAKE(&a->elements, trmi_modal_bodies, 1);
  trmi_modal_body *list = TRMI_TAKE(&a->elements, trmi_modal_body, count);
  if (a->elements.failed) return NULL;
  *all = (trmi_modal_bodies){.a = a, .carriers = carriers, .gravity = gravity, .list = list};
  trmi_assembly_add(a, &modal_ops, all);
  return all;
}

bool trmi_modal_body_room(trmi_modal_body *b, trmi_arena *arena) {
  const int n = b->inertia.n;
  if (!trmi_modal_moment_take(&b->now, n, arena)) return false;
  b->rows = TRMI_TAKE(arena, double, 6 * b->inertia.width);
  b->full = TRMI_TAKE(arena, double, (6 + n) * (6 + n));
  b->moved = TRMI_TAKE(arena, double, 13 + 2 * n);
  b->markers = TRMI_TAKE(arena, trmi_modal_marker, b->nmarkers);
  return !arena->failed;
}

const trmi_modal_body *trmi_modal_bodies_at(const trmi_modal_bodies *bodies, int i) {
  return &bodies->list[i];
}

int trmi_modal_bodies_add(trmi_modal_bodies *bodies, const trmi_modal_part *part) {
  trmi_arena *arena = &bodies->a->elements;
  trmi_modal_body *b = &bodies->list[bodies->count];
  int first = -1;
  *b = (trmi_modal_body){.gravity = bodies->gravity, .is_fast = part->is_fast, .q = part->q,
                         .v = part->v, .q0 = part->q0, .v0 = part->v0, .carriers = bodies->carriers,
                         .nmarkers = part->arrays->ninterfaces};
  if (!trmi_modal_inertia_make(part->arrays, part->damping, arena, &b->inertia)) return -1;
  if (!trmi_modal_body_room(b, arena)) return -1;
  for (int k = 0; k < b->nmarkers; k++) {
    const trmi_modal_interface *at = &part->arrays->interfaces[k];
    trmi_modal_marker *m = &b->markers[k];
    *m = (trmi_modal_marker){.n = b->inertia.n, .width = b->inertia.width, .s0 = v3_load(at->at),
                             .map = trmi_map_create(arena, 6 + b->inertia.n)};
    if (m->map == NULL || !trmi_modal_marker_take(m, at, arena)) return -1;
    trmi_modal_marker_connect(m);
    m->carrier = trmi_carriers_add(bodies->carriers,
                                   (trmi_carrier){.kind = TRMI_CARRIER_BODY, .q = part->q,
                                                  .v = part->v, .map = m->map});
    if (k == 0) first = m->carrier;
  }
  bodies->count++;
  return first;
}
