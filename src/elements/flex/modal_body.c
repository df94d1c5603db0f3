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
 * Derivation: docs/theory/17-modal.md; tests compare (3) to (5) with sums over nodes of a mesh. */
#include "elements/flex/modal_body.h"
#include "math/lanes.h"
#include "system/system.h"
#include <string.h>

enum { GROUP = 4 }; /* modes of a node */

struct trmi_modal_bodies {
  trmi_assembly   *a;
  trmi_carriers   *carriers;
  trmi_vec3        gravity;
  int              count;
  trmi_modal_body *list;
};

/* ---- arrays --------------------------------------------------------------------------------- */

static void make_J0(const trmi_modal_arrays *in, trmi_modal_inertia *out) {
  const int n = in->n;
  const double trace = in->Sigma[0] + in->Sigma[4] + in->Sigma[8];
  for (int k = 0; k < 9; k++) out->J0[k] = (k % 4 == 0 ? trace : 0.0) - in->Sigma[k];
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) { /* (2) */
    const int p = trmi_axis_pairs[k][0], q = trmi_axis_pairs[k][1];
    for (int j = 0; j < n; j++) {
      const double sum = in->L[j] + in->L[4 * n + j] + in->L[8 * n + j];
      out->J1[n * k + j] = (p == q ? 2.0 * sum : 0.0) - in->L[n * (3 * p + q) + j] -
                           in->L[n * (3 * q + p) + j];
    }
  }
}

/* (2); `full` [n n] is scratch */
static bool make_J2(const trmi_modal_arrays *in, trmi_arena *arena, double *full,
                    trmi_modal_inertia *out) {
  const int n = in->n, square = n * n;
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) {
    const bool is_square = trmi_axis_pairs[k][0] == trmi_axis_pairs[k][1];
    for (int i = 0; i < square; i++) {
      const int back = n * (i % n) + i / n;
      full[i] = (is_square ? in->N[0][i] + in->N[1][i] + in->N[2][i] : 0.0) -
                0.5 * (in->N[k][i] + in->N[k][back]);
      if (in->Kg != NULL) full[i] -= in->Kg[square * k + i];
    }
    for (int i = 0; i < n; i++) out->J2_own[n * k + i] = full[(n + 1) * i];
    if (!trmi_packed_make(&out->J2[k], full, false, n, arena)) return false;
  }
  out->has_trace = in->Kg == NULL; /* modes are normal: N_11 + N_22 + N_33 = 1 */
  for (int i = 0; i < square && out->has_trace; i++) {
    const double sum = in->N[0][i] + in->N[1][i] + in->N[2][i];
    out->has_trace = fabs(sum - (i % (n + 1) == 0 ? 1.0 : 0.0)) < 1e-12;
  }
  return true;
}

/* (1): pairs 23, 31 (minus 13), 12 */
static bool make_G(const trmi_modal_arrays *in, trmi_arena *arena, double *full,
                   trmi_modal_inertia *out) {
  static const int pair[3] = {5, 4, 3};
  const int n = in->n, square = n * n;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double sign = i == 1 ? -1.0 : 1.0;
    const double *N = in->N[pair[i]];
    for (int e = 0; e < square; e++) full[e] = sign * (N[e] - N[n * (e % n) + e / n]);
    for (int e = 0; e < n; e++) {
      out->B0[n * i + e] = in->L[n * (3 * j + k) + e] - in->L[n * (3 * k + j) + e];
    }
    if (!trmi_packed_make(&out->G[i], full, true, n, arena)) return false;
  }
  return true;
}

static bool make_products(const trmi_modal_arrays *in, trmi_arena *arena,
                          trmi_modal_inertia *out) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  double *full = TRMI_TAKE(&scratch, double, in->n * in->n);
  const bool is_good = full != NULL && make_J2(in, arena, full, out) &&
                       make_G(in, arena, full, out);
  if (full == NULL) arena->failed = true;
  trmi_arena_clear(&scratch);
  return is_good;
}

/* Made of the arrays of a reduction; false: out of memory. `damping` is the ratio of each mode. */
static bool make_inertia(const trmi_modal_arrays *arrays, const double *damping, trmi_arena *arena,
                         trmi_modal_inertia *out) {
  const int n = arrays->n;
  *out = (trmi_modal_inertia){.n = n, .mass = arrays->mass, .omega2 = arrays->omega2};
  out->damping = TRMI_TAKE(arena, double, n);
  out->D = TRMI_TAKE(arena, double, 3 * n);
  out->B0 = TRMI_TAKE(arena, double, 3 * n);
  out->J1 = TRMI_TAKE(arena, double, 6 * n);
  out->J2_own = TRMI_TAKE(arena, double, 6 * n);
  if (arena->failed) return false;
  memcpy(out->mc, arrays->mc, sizeof out->mc);
  make_J0(arrays, out);
  if (!make_products(arrays, arena, out)) return false;
  double largest = 0.0;
  for (int j = 0; j < 3 * n; j++) largest = fmax(largest, fabs(arrays->D[j]));
  /* mean axes up to rounding: int phi against the root of the mass, as modes are normal */
  out->has_D = !(largest <= 1e-12 * sqrt(arrays->mass));
  if (out->has_D) memcpy(out->D, arrays->D, 3 * (size_t)n * sizeof *out->D);
  for (int j = 0; j < n; j++) {
    out->damping[j] = 2.0 * damping[j] * sqrt(fmax(arrays->omega2[j], 0.0));
  }
  return true;
}

/* ---- a body at a state ---------------------------------------------------------------------- */

static trmi_vec3 times(int n, const double *A, const double *a) {
  return v3(trmi_lanes_dot(n, A, a), trmi_lanes_dot(n, A + n, a),
            trmi_lanes_dot(n, A + 2 * n, a));
}

/* Is this the state of the products? If not, it is from now on. Bytes are compared: nobody has to
 * say that a state is new. */
static bool is_here(trmi_modal_moment *z, int n, const double *q, const double *v) {
  const size_t nq = 4 + (size_t)n, nv = 3 + (size_t)n;
  if (z->is_known && memcmp(z->state, q + 3, nq * sizeof *q) == 0 &&
      memcmp(z->state + nq, v + 3, nv * sizeof *v) == 0) {
    return true;
  }
  memcpy(z->state, q + 3, nq * sizeof *q);
  memcpy(z->state + nq, v + 3, nv * sizeof *v);
  z->is_known = true;
  z->has_J21 = false;
  return false;
}

/* Where vectors and their products are in `xy`. */
static double *room(const trmi_modal_body *body, int i) {
  return body->now.xy + i * trmi_packed_width(body->inertia.n);
}

/* J2 x of all pairs [6 n] for the first vector of the room */
static void multiply_J2(trmi_modal_body *body, double *out) {
  const trmi_modal_inertia *in = &body->inertia;
  const int n = in->n;
  const size_t bytes = (size_t)n * sizeof(double);
  const double *x = room(body, 0);
  double *y = room(body, 2);
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) {
    if (k == 2 && in->has_trace) {
      for (int j = 0; j < n; j++) out[2 * n + j] = (2.0 * x[j] - out[j]) - out[n + j];
      continue;
    }
    trmi_packed_multiply(&in->J2[k], 1, x, y);
    memcpy(out + n * k, y, bytes);
  }
}

/* (2) */
static void find_J(trmi_modal_body *body, const double *a) {
  const trmi_modal_inertia *in = &body->inertia;
  trmi_modal_moment *z = &body->now;
  const int n = in->n;
  memcpy(z->J, in->J0, sizeof z->J);
  multiply_J2(body, z->Ja);
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) {
    double *Ja = z->Ja + n * k;
    const double J = trmi_lanes_dot(n, in->J1 + n * k, a) + trmi_lanes_dot(n, Ja, a);
    const int p = trmi_axis_pairs[k][0], r = trmi_axis_pairs[k][1];
    z->J[3 * p + r] += J;
    if (p != r) z->J[3 * r + p] += J;
    for (int j = 0; j < n; j++) Ja[j] = in->J1[n * k + j] + 2.0 * Ja[j];
  }
}

/* (1), for both vectors of the room */
static void find_B(trmi_modal_body *body) {
  const trmi_modal_inertia *in = &body->inertia;
  const int n = in->n;
  const double *Ga = room(body, 2), *G1 = room(body, 3);
  for (int i = 0; i < 3; i++) {
    double *B = body->now.B + n * i;
    trmi_packed_multiply(&in->G[i], 2, room(body, 0), room(body, 2));
    for (int j = 0; j < n; j++) B[j] = in->B0[n * i + j] - Ga[j];
    memcpy(body->now.G1 + n * i, G1, (size_t)n * sizeof *G1);
  }
}

void trmi_modal_turn(trmi_modal_body *body, const double *u, double *out) {
  const int n = body->inertia.n;
  memcpy(room(body, 0), u, (size_t)n * sizeof *u);
  for (int i = 0; i < 3; i++) {
    trmi_packed_multiply(&body->inertia.G[i], 1, room(body, 0), room(body, 2));
    memcpy(out + n * i, room(body, 2), (size_t)n * sizeof *out);
  }
}

void trmi_modal_body_at(trmi_modal_body *body, const double *q, const double *v, bool with_J21) {
  const trmi_modal_inertia *in = &body->inertia;
  trmi_modal_moment *z = &body->now;
  const int n = in->n;
  const size_t bytes = (size_t)n * sizeof(double);
  const double *a = q + 7, *a1 = v + 6;
  const bool was_here = is_here(z, n, q, v);
  if (with_J21 && !z->has_J21) {
    memcpy(room(body, 0), a1, bytes);
    multiply_J2(body, z->J21);
    z->has_J21 = true;
  }
  if (was_here) return;
  trmi_quat_matrix(q + 3, z->R);
  z->w = v3_load(v + 3);
  z->mc = v3_load(in->mc);
  z->D1 = v3(0, 0, 0);
  if (in->has_D) {
    z->mc = v3_add(z->mc, times(n, in->D, a));
    z->D1 = times(n, in->D, a1);
  }
  memcpy(room(body, 0), a, bytes);
  memcpy(room(body, 1), a1, bytes);
  find_J(body, a);
  find_B(body);
}

/* (Ja a') w: the matrix of the six pairs times w */
static trmi_vec3 pair_product(const double six[TRMI_AXIS_PAIRS], trmi_vec3 w) {
  return v3(six[0] * w.x + six[3] * w.y + six[4] * w.z, six[3] * w.x + six[1] * w.y + six[5] * w.z,
            six[4] * w.x + six[5] * w.y + six[2] * w.z);
}

/* ---- values --------------------------------------------------------------------------------- */

/* (4) for x and w */
static void add_frame_rows(const trmi_modal_body *b, const double *v, const double *vd,
                           double *motion) {
  const trmi_modal_inertia *in = &b->inertia;
  const trmi_modal_moment *z = &b->now;
  const int n = in->n;
  const double *a1 = v + 6, *a2 = vd + 6;
  const trmi_vec3 w = z->w, wd = v3_load(vd + 3), acceleration = v3_sub(v3_load(vd), b->gravity);
  double six[TRMI_AXIS_PAIRS];
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) six[k] = trmi_lanes_dot(n, z->Ja + n * k, a1);
  trmi_vec3 turned = v3_add(v3_cross(wd, z->mc), v3_cross(w, v3_cross(w, z->mc)));
  if (in->has_D) {
    turned = v3_add(turned, v3_add(times(n, in->D, a2), v3_scale(2.0, v3_cross(w, z->D1))));
  }
  v3_accumulate(motion, v3_add(v3_scale(in->mass, acceleration), m3_mul(z->R, turned)));
  trmi_vec3 rows = v3_add(v3_cross(z->mc, m3_tmul(z->R, acceleration)), m3_mul(z->J, wd));
  rows = v3_add(rows, times(n, z->B, a2));
  rows = v3_add(rows, v3_cross(w, v3_add(m3_mul(z->J, w), times(n, z->B, a1))));
  v3_accumulate(motion + 3, v3_add(rows, pair_product(six, w)));
}

/* 1/2 w.Ja w of mode j */
static double half_square(const trmi_modal_moment *z, int n, int j) {
  const double *Ja = z->Ja + j;
  const trmi_vec3 w = z->w;
  return 0.5 * (w.x * w.x * Ja[0] + w.y * w.y * Ja[n] + w.z * w.z * Ja[2 * n]) +
         w.x * w.y * Ja[3 * n] + w.x * w.z * Ja[4 * n] + w.y * w.z * Ja[5 * n];
}

/* (4) for the modes */
static void add_mode_rows(const trmi_modal_body *b, const double *q, const double *v,
                          const double *vd, double *motion) {
  const trmi_modal_inertia *in = &b->inertia;
  const trmi_modal_moment *z = &b->now;
  const int n = in->n;
  const trmi_vec3 wd = v3_load(vd + 3);
  const trmi_vec3 own = m3_tmul(z->R, v3_sub(v3_load(vd), b->gravity));
  for (int j = 0; j < n; j++) {
    const double *B = z->B + j, *G1 = z->G1 + j;
    double row = vd[6 + j] + in->omega2[j] * q[7 + j] + in->damping[j] * v[6 + j];
    row += B[0] * wd.x + B[n] * wd.y + B[2 * n] * wd.z;
    row -= 2.0 * (z->w.x * G1[0] + z->w.y * G1[n] + z->w.z * G1[2 * n]);
    row -= half_square(z, n, j);
    if (in->has_D) row += in->D[j] * own.x + in->D[n + j] * own.y + in->D[2 * n + j] * own.z;
    motion[6 + j] += row;
  }
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
                    0.5 * v3_dot(w, m3_mul(z->J, w)) + v3_dot(w, times(n, z->B, v + 6)) +
                    0.5 * trmi_lanes_dot(n, v + 6, v + 6);
  out->energy[1] += strain - v3_dot(b->gravity, v3_add(v3_scale(in->mass, v3_load(q)),
                                                       m3_mul(z->R, z->mc)));
  out->energy[2] -= damped;
  if (out->powers != NULL) out->powers[TRM_POWER_DAMPERS] -= damped;
}

void trmi_modal_body_motion(trmi_modal_body *b, const trm_state *s, double *rows) {
  const double *q = s->q + b->q, *v = s->v + b->v;
  add_frame_rows(b, v, s->vd + b->v, rows);
  add_mode_rows(b, q, v, s->vd + b->v, rows);
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  trmi_modal_bodies *all = self;
  (void)err;
  if (out->motion == NULL && out->energy == NULL) return TRM_OK;
  for (int i = 0; i < all->count; i++) {
    trmi_modal_body *b = &all->list[i];
    const double *q = s->q + b->q, *v = s->v + b->v;
    trmi_modal_body_at(b, q, v, false);
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
    if (b->q0 == NULL) continue; /* equations know it */
    memcpy(s->q + b->q, b->q0, (7 + (size_t)b->inertia.n) * sizeof *b->q0);
    memcpy(s->v + b->v, b->v0, (6 + (size_t)b->inertia.n) * sizeof *b->v0);
  }
  return TRM_OK;
}

/* Are the markers at this state? If not, they will be. */
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

/* M: rows of the frame, columns of the frame below them, the diagonal of the modes. */
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
      const trmi_arrow arrow = {.row = b->v, .col = b->v, .rows = nv, .cols = nv,
                                .head = b->is_fast ? nv : 6};
      trmi_pattern_arrow(p, block, &arrow);
      continue;
    }
    trm_pattern_dense(p, block, b->v, b->v, 6, nv);
    trm_pattern_dense(p, block, b->v + 6, b->v, n, 6);
    for (int j = 0; j < n; j++) trm_pattern_entry(p, block, b->v + 6 + j, b->v + 6 + j);
  }
  return entries;
}

/* Modes do not couple; some together are a node, so that kernels of the block solver have work. */
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
  b->now.Ja = TRMI_TAKE(arena, double, 6 * n);
  b->now.J21 = TRMI_TAKE(arena, double, 6 * n);
  b->now.B = TRMI_TAKE(arena, double, 3 * n);
  b->now.G1 = TRMI_TAKE(arena, double, 3 * n);
  b->now.state = TRMI_TAKE(arena, double, 7 + 2 * n);
  b->now.xy = TRMI_TAKE(arena, double, 4 * trmi_packed_width(n));
  b->rows = TRMI_TAKE(arena, double, 3 * n);
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
  if (!make_inertia(part->arrays, part->damping, arena, &b->inertia)) return -1;
  if (!trmi_modal_body_room(b, arena)) return -1;
  for (int k = 0; k < b->nmarkers; k++) {
    const trmi_modal_interface *at = &part->arrays->interfaces[k];
    trmi_modal_marker *m = &b->markers[k];
    *m = (trmi_modal_marker){.n = b->inertia.n, .s0 = v3_load(at->at), .F = at->F, .S = at->S,
                             .Fe = at->F, .Se = at->S,
                             .map = trmi_map_create(arena, 6 + b->inertia.n)};
    if (m->map == NULL || !trmi_modal_marker_take(m, at->H, arena)) return -1;
    m->map->self = m;
    m->map->tangents = trmi_modal_marker_tangents;
    m->map->transposed_q = trmi_modal_marker_transposed_q;
    m->carrier = trmi_carriers_add(bodies->carriers,
                                   (trmi_carrier){.kind = TRMI_CARRIER_BODY, .q = part->q,
                                                  .v = part->v, .map = m->map});
    if (k == 0) first = m->carrier;
  }
  bodies->count++;
  return first;
}
