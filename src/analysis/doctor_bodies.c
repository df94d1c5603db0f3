/* doctor_bodies.c - mass properties of single bodies and of the whole, from the mass matrix at the
 * start, and unconnected bodies.
 *
 * A body has the velocity v of its origin, ground axes, and its angular velocity w, body axes.
 * With R its axes, c its centre of mass and J_o its inertia about the origin, both in body axes,
 *   M = [m, -m R c~; m c~ R^T, J_o],   J = J_o - m (c.c - c c^T)                              (1)
 * In total, about the common centre x = sum m_i x_i/m, ground axes,
 *   J = sum R_i J_i R_i^T + m_i ((x_i - x).(x_i - x) - (x_i - x) (x_i - x)^T)               (2)
 * Nodes of beams share masses m_ij: sums of m_ij x_i x_j replace m_i x_i x_i, and their sections
 * add R_i J_ij R_j^T. A body is unconnected if no constraint involves it and, at random states
 * without accelerations, its rows contain only its own inertia and gravity:
 *   m R (w x (w x c)) - m g,   w x J_o w - m c x R^T g                                      (3) */
#include "analysis/doctor_internal.h"
#include "math/so3.h"
#include "math/vec.h"
#include <math.h>
#include <string.h>

/* One body under examination. */
typedef struct carrier {
  int  v, q;      /* first velocity, first coordinate          */
  bool turns, is_beam;
  trm_label label;
} carrier;

typedef struct inspection {
  trmi_doctor *d;
  carrier *list;
  int      n;
  int     *of_v; /* number of the carrier of a velocity, -1: none   [nv] */
  int     *body_of; /* number of its body in the findings             [n] */
  double  *block; /* of the mass matrix, 6 x 6 row by row             [36 n] */
} inspection;

/* Bodies, points and nodes of beams: three velocities in metres, perhaps with a rotation after. */
static void find_carriers(inspection *p) {
  const trm_system *sys = p->d->sim->sys;
  int rotation = 0;
  for (int i = 0; i < sys->n.nv; i++) p->of_v[i] = -1;
  for (int i = 0; i + 2 < sys->n.nv;) {
    trm_label label;
    trm_system_label(sys, TRM_V, i, &label);
    while (rotation < sys->n.nrot && sys->rot_v[rotation] < i) rotation++;
    const bool is_body = strncmp(label.object, "body '", 6) == 0;
    const bool is_beam = strncmp(label.object, "node '", 6) == 0;
    const size_t length = strlen(label.name);
    const bool is_first = length > 3 && strcmp(label.name + length - 3, ".vx") == 0;
    if ((!is_body && !is_beam) || !is_first) {
      i++;
      continue;
    }
    const bool turns = rotation < sys->n.nrot && sys->rot_v[rotation] == i + 3;
    carrier *c = &p->list[p->n];
    *c = (carrier){.v = i, .q = i + rotation, .turns = turns, .is_beam = is_beam, .label = label};
    const int count = turns ? 6 : 3;
    for (int k = 0; k < count; k++) p->of_v[i + k] = p->n;
    p->n++;
    i += count;
  }
}

static void read_blocks(inspection *p) {
  const trmi_sparse *M = &p->d->sim->sys->block[TRM_M];
  for (int k = 0; k < M->n; k++) {
    const int a = p->of_v[M->row[k]];
    if (a < 0 || a != p->of_v[M->col[k]]) continue;
    const int i = M->row[k] - p->list[a].v, j = M->col[k] - p->list[a].v;
    p->block[36 * a + 6 * i + j] += M->values[k];
  }
}

static void axes_of(const inspection *p, const carrier *c, double R[9]) {
  static const double one[4] = {1, 0, 0, 0};
  trmi_quat_matrix(c->turns ? p->d->state->q + c->q + 3 : one, R);
}

/* J += m (a.b - a b^T), symmetric part */
static void add_point(double m, trmi_vec3 a, trmi_vec3 b, double J[9]) {
  const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 9; i++) {
    const double mixed = 0.5 * (x[i / 3] * y[i % 3] + x[i % 3] * y[i / 3]);
    J[i] += m * ((i % 4 == 0 ? v3_dot(a, b) : 0.0) - mixed);
  }
}

/* Ixx Iyy Izz Ixy Ixz Iyz */
static void pack(const double J[9], double out[6]) {
  static const int at[6] = {0, 4, 8, 1, 2, 5};
  for (int i = 0; i < 6; i++) out[i] = 0.5 * (J[at[i]] + J[3 * (at[i] % 3) + at[i] / 3]);
}

/* (1) */
static void weigh_body(const inspection *p, int i, trm_doctor_body *body, double J[9]) {
  const carrier *c = &p->list[i];
  const double *M = p->block + 36 * i, m = M[0];
  double R[9], RtB[9] = {0}, B[9];
  axes_of(p, c, R);
  for (int k = 0; k < 9; k++) B[k] = M[6 * (k / 3) + 3 + k % 3];
  for (int k = 0; k < 9; k++) J[k] = c->turns ? M[6 * (3 + k / 3) + 3 + k % 3] : 0.0;
  for (int k = 0; k < 9; k++) {
    for (int l = 0; l < 3; l++) RtB[k] += R[3 * l + k / 3] * B[3 * l + k % 3];
  }
  const double scale = m > 0.0 ? -0.5 / m : 0.0; /* -m c~ twice, off its diagonal */
  const trmi_vec3 com = v3(scale * (RtB[7] - RtB[5]), scale * (RtB[2] - RtB[6]),
                           scale * (RtB[3] - RtB[1]));
  add_point(-m, com, com, J);
  memcpy(body->object, c->label.object, sizeof body->object);
  body->mass = m;
  const trmi_vec3 x = v3_add(v3_load(p->d->state->q + c->q), m3_mul(R, com));
  v3_store(body->centre, x);
  pack(J, body->inertia);
}

/* R J R^T added to `sum`. */
static void add_turned(const double R[9], const double J[9], const double R2[9], double sum[9]) {
  double RJ[9];
  m3_mm(R, J, RJ);
  for (int i = 0; i < 9; i++) {
    sum[i] += v3_dot(m3_row(RJ, i / 3), m3_row(R2, i % 3));
  }
}

/* Beams in (2), about the origin: translations share masses, sections turn. */
static void add_beams(const inspection *p, double *mass, double first[3], double J[9]) {
  const trmi_sparse *M = &p->d->sim->sys->block[TRM_M];
  const double *q = p->d->state->q;
  for (int k = 0; k < M->n; k++) {
    const int a = p->of_v[M->row[k]], b = p->of_v[M->col[k]];
    if (a < 0 || b < 0 || !p->list[a].is_beam || !p->list[b].is_beam) continue;
    const int i = M->row[k] - p->list[a].v, j = M->col[k] - p->list[b].v;
    const double m = M->values[k];
    if (i == 0 && j == 0) {
      const trmi_vec3 x = v3_load(q + p->list[a].q), y = v3_load(q + p->list[b].q);
      *mass += m;
      for (int l = 0; l < 3; l++) first[l] += m * q[p->list[b].q + l];
      add_point(m, x, y, J);
    } else if (i >= 3 && j >= 3) {
      double R[9], R2[9], one[9] = {0};
      axes_of(p, &p->list[a], R);
      axes_of(p, &p->list[b], R2);
      one[3 * (i - 3) + j - 3] = m;
      add_turned(R, one, R2, J);
    }
  }
}

/* (2) */
static void add_up(inspection *p, const trm_doctor_body *bodies, int nbodies) {
  trm_doctor_body *total = &p->d->out.total;
  double J[9] = {0}, first[3] = {0}, mass = 0.0;
  add_beams(p, &mass, first, J);
  for (int i = 0, k = 0; i < p->n && k < nbodies; i++) {
    double R[9];
    if (p->list[i].is_beam) continue;
    const trm_doctor_body *b = &bodies[k++];
    const double *I = b->inertia;
    const double own[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    axes_of(p, &p->list[i], R);
    add_turned(R, own, R, J);
    add_point(b->mass, v3_load(b->centre), v3_load(b->centre), J);
    mass += b->mass;
    for (int l = 0; l < 3; l++) first[l] += b->mass * b->centre[l];
  }
  total->mass = mass;
  for (int l = 0; l < 3; l++) total->centre[l] = mass > 0.0 ? first[l] / mass : 0.0;
  add_point(-mass, v3_load(total->centre), v3_load(total->centre), J);
  pack(J, total->inertia);
}

/* --- unconnected bodies ----------------------------------------------------------------------- */

/* Mark the carriers involved in rows of constraints. */
static void touch(const inspection *p, trm_block block, bool *is_held) {
  const trmi_sparse *b = &p->d->sim->sys->block[block];
  for (int k = 0; k < b->n; k++) {
    if (p->of_v[b->col[k]] >= 0) is_held[p->of_v[b->col[k]]] = true;
  }
}

enum { SAMPLES = 8 };

/* -1 to 1 */
static double next_random(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* A pseudo-random state: displaced, moving, at a later time. Accelerations and multipliers are
 * zero. */
static void scatter(const inspection *p, unsigned *seed, double *displacement, trm_state *s) {
  const trm_system *sys = p->d->sim->sys;
  const double end = p->d->sim->options.end, now = p->d->state->t;
  const double later = isfinite(end) && end > now ? end - now : 10.0 * sys->second;
  trmi_state_copy(sys, p->d->state, s);
  s->t = now + 0.5 * (1.0 + next_random(seed)) * later;
  for (int i = 0; i < sys->n.nv; i++) {
    displacement[i] = 0.3 * next_random(seed) * sys->scale_v[i];
    s->v[i] = next_random(seed) * sys->scale_v[i] / sys->second;
    s->vd[i] = 0.0;
  }
  trm_system_retract(sys, p->d->state->q, displacement, s->q);
  for (int i = 0; i < sys->n.ng; i++) s->lam[i] = 0.0;
  for (int i = 0; i < sys->n.na; i++) s->mu[i] = 0.0;
}

/* (3) */
static void own_rows(const inspection *p, int i, const trm_state *s, double rows[6]) {
  const trm_system *sys = p->d->sim->sys;
  const carrier *c = &p->list[i];
  const trm_doctor_body *body = &p->d->out.bodies[p->body_of[i]];
  const double *M = p->block + 36 * i, one[4] = {1, 0, 0, 0};
  double R[9], R0[9], g[3] = {0, 0, 0}, J[9];
  if (sys->ops->gravity != NULL) sys->ops->gravity(sys->self, g);
  trmi_quat_matrix(c->turns ? s->q + c->q + 3 : one, R);
  axes_of(p, c, R0);
  const trmi_vec3 com =
      m3_tmul(R0, v3_sub(v3_load(body->centre), v3_load(p->d->state->q + c->q)));
  const trmi_vec3 w = c->turns ? v3_load(s->v + c->v + 3) : v3(0, 0, 0);
  for (int k = 0; k < 9; k++) J[k] = M[6 * (3 + k / 3) + 3 + k % 3];
  const trmi_vec3 pull = m3_mul(R, v3_cross(w, v3_cross(w, com)));
  v3_store(rows, v3_scale(body->mass, v3_sub(pull, v3_load(g))));
  const trmi_vec3 moment = v3_scale(body->mass, v3_cross(com, m3_tmul(R, v3_load(g))));
  v3_store(rows + 3, v3_sub(v3_cross(w, m3_mul(J, w)), moment));
}

/* Bodies whose rows always equal (3). */
static trm_status find_pushed(inspection *p, bool *is_held, trmi_arena *scratch, trm_error *err) {
  trm_system *sys = p->d->sim->sys;
  trm_state s;
  unsigned seed = 1u;
  trmi_state_take(sys, scratch, &s);
  double *motion = TRMI_TAKE(scratch, double, sys->n.nv);
  double *displacement = TRMI_TAKE(scratch, double, sys->n.nv);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int k = 0; k < SAMPLES; k++) {
    scatter(p, &seed, displacement, &s);
    const trm_values out = {.motion = motion};
    const bool is_known = trm_system_values(sys, &s, &out, NULL) == TRM_OK;
    for (int i = 0; i < p->n; i++) {
      double rows[6], size = 0.0, apart = 0.0;
      const int count = p->list[i].turns ? 6 : 3;
      if (p->list[i].is_beam || is_held[i]) continue;
      own_rows(p, i, &s, rows);
      for (int l = 0; l < count; l++) {
        size = fmax(size, fabs(rows[l]));
        apart = fmax(apart, fabs(rows[l] - motion[p->list[i].v + l]));
      }
      is_held[i] = !is_known || !(apart <= 1e-9 * size);
    }
  }
  return TRM_OK;
}

/* Bodies that may touch others: a gap changes when they move. */
static trm_status find_touching(inspection *p, bool *is_held, trmi_arena *scratch,
                                trm_error *err) {
  trm_system *sys = p->d->sim->sys;
  const int ngaps = sys->n.ngaps;
  trm_state s;
  trmi_state_take(sys, scratch, &s);
  double *rest = TRMI_TAKE(scratch, double, 3 * (size_t)ngaps);
  double *moved = TRMI_TAKE(scratch, double, 3 * (size_t)ngaps);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  trmi_state_copy(sys, p->d->state, &s);
  const trm_values first = {.gaps = rest}, second = {.gaps = moved};
  TRMI_TRY(err, trm_system_values(sys, &s, &first, err));
  for (int i = 0; i < p->n; i++) {
    const carrier *c = &p->list[i];
    const int count = c->turns ? 6 : 3;
    if (is_held[i]) continue;
    for (int l = 0; l < count; l++) s.v[c->v + l] += (l + 1) * sys->scale_v[c->v + l] / sys->second;
    TRMI_TRY(err, trm_system_values(sys, &s, &second, err));
    for (int k = 0; k < ngaps; k++) is_held[i] = is_held[i] || rest[3 * k + 1] != moved[3 * k + 1];
    for (int l = 0; l < count; l++) s.v[c->v + l] = p->d->state->v[c->v + l];
  }
  return TRM_OK;
}

static trm_status find_loose(inspection *p, trm_error *err) {
  trm_system *sys = p->d->sim->sys;
  trmi_arena scratch;
  bool *is_held = TRMI_TAKE(&p->d->arena, bool, p->n + 1);
  TRMI_TRY(err, trmi_arena_check(&p->d->arena, err));
  static const trm_block blocks[] = {TRM_G, TRM_A};
  for (int k = 0; k < 2; k++) {
    if (sys->block[blocks[k]].n == 0) continue;
    TRMI_TRY(err, trmi_system_want(sys, blocks[k], err));
    TRMI_TRY(err, trmi_system_blocks(sys, p->d->state, TRMI_BIT(blocks[k]), NULL, NULL, NULL, err));
    touch(p, blocks[k], is_held);
  }
  trmi_arena_init(&scratch, &p->d->arena.allocator);
  trm_status status = find_pushed(p, is_held, &scratch, err);
  if (status == TRM_OK && sys->n.ngaps > 0) status = find_touching(p, is_held, &scratch, err);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  for (int i = 0; i < p->n; i++) {
    const carrier *c = &p->list[i];
    if (is_held[i] || c->is_beam) continue;
    trmi_doctor_warn(p->d, "%s is not connected: no joint and no force acts on it",
                     c->label.object);
  }
  return TRM_OK;
}

/* The mass matrix is in force time^2/length: masses in the unit that is shown beside them. */
static void set_units(trmi_doctor *d, trm_doctor_body *bodies) {
  const trm_unit_names *u = &d->sim->sys->units;
  const double factor = u->newtons * u->seconds * u->seconds / (u->metres * u->kilograms);
  if (fabs(factor - 1.0) <= 1e-12) return; /* rounding of four sizes */
  for (int i = 0; i <= d->out.nbodies; i++) {
    trm_doctor_body *body = i < d->out.nbodies ? &bodies[i] : &d->out.total;
    body->mass *= factor;
    for (int k = 0; k < 6; k++) body->inertia[k] *= factor;
  }
}

trm_status trmi_doctor_inspect(trmi_doctor *d, trm_error *err) {
  trm_system *sys = d->sim->sys;
  inspection p = {.d = d};
  p.list = TRMI_TAKE(&d->arena, carrier, sys->n.nv + 1);
  p.of_v = TRMI_TAKE(&d->arena, int, sys->n.nv + 1);
  TRMI_TRY(err, trmi_arena_check(&d->arena, err));
  find_carriers(&p);
  p.block = TRMI_TAKE(&d->arena, double, 36 * (size_t)p.n + 1);
  p.body_of = TRMI_TAKE(&d->arena, int, p.n + 1);
  trm_doctor_body *bodies = TRMI_TAKE(&d->arena, trm_doctor_body, p.n + 1);
  TRMI_TRY(err, trmi_arena_check(&d->arena, err));
  TRMI_TRY(err, trmi_system_want(sys, TRM_M, err));
  TRMI_TRY(err, trmi_system_blocks(sys, d->state, TRMI_BIT(TRM_M), NULL, NULL, NULL, err));
  read_blocks(&p);
  d->out.bodies = bodies;
  for (int i = 0; i < p.n; i++) {
    double J[9];
    if (p.list[i].is_beam) continue;
    p.body_of[i] = d->out.nbodies;
    weigh_body(&p, i, &bodies[d->out.nbodies++], J);
  }
  add_up(&p, bodies, d->out.nbodies);
  TRMI_TRY(err, find_loose(&p, err));
  set_units(d, bodies);
  return TRM_OK;
}
