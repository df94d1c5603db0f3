/* slider_crank.c - rigid crank, elastic connecting rod, sliding block; problem
 * 19 of the test set for initial value problems, [CRANK].
 *
 * Coordinates (phi1, phi2, x3, q1..q4), d = phi1 - phi2, rho times a vector of
 * the paper is written with a capital letter, C1 = rho c_1 and so on. k0 =
 * l1 l2 m2/2, A = k0 + l1 C1.q, N = l1 C2.q, no gravity:
 *   M11 = J1 + m2 l1^2,  M22 = J2 + q.Md q + 2 C12.q,  M33 = m3             (1)
 *   M12 = A cos d + N sin d                                                 (2)
 *   M1q = l1 (-sin d C1 + cos d C2),  M2q = C21 - B q,  Mqq = Md            (3)
 *   Q1  = phi2'^2 (N cos d - A sin d) - 2 l1 phi2' (cos d C1 + sin d C2).q' (4)
 *   Q2  = phi1'^2 (A sin d - N cos d) - 2 phi2' (C12 + Md q).q'             (5)
 *   Qq  = phi2'^2 (Md q + C12) + l1 phi1'^2 (cos d C1 + sin d C2)
 *         + 2 phi2' B q' - grad W(q) - D q'                                 (6)
 *   W   = q.K q/2 + kn (q1^2 q4/2 + 2 q2^2 q4 - beta q1 q2 (2 q4 - 4 q3))   (7)
 *   g   = (l1 sin phi1 + L sin phi2, x3 - l1 cos phi1 - L cos phi2,
 *          phi1 - Omega t),   L = l2 + q4                                   (8)
 * B = -B^T, so q'.B q' of the paper is zero; kn = 0 for the linear beam.
 * Energy is kept: d/dt(kinetic + W) = lam . g_t - q'.D q'                   (9)
 * The stiffness of q1 is K11 + kn q4: compressed by more than K11/kn, Euler's load, the rod
 * buckles. (7) has no terms of fourth order that would stop it: it bends without bound, in a
 * finite time. Runs end where it bends by a tenth of its length.             (10)
 *
 * Where the paper is not followed: K22 = 2/3 pi^4 (h/l2)^2 E d h/l2, which gives
 * its frequency omega_2; the start has x3 = l1 + l2 + q4 and phi2' = -Omega l1/L,
 * which satisfy (8) to rounding. Md keeps the literal 8, 1, 1, 2 of the paper:
 * all published numbers use it. Those were computed with pi = 3.1415927, hence
 * the parameter `pi`. */
#include "problems/problem.h"
#include "problems/slider_crank_rod.h"
#include <math.h>
#include <string.h>

enum { NV = 7, NG = 3, NE = TRMI_CRANK_ELASTIC, ELASTIC = 3 }; /* first elastic coordinate is 3 */

static const double l1 = 0.15, l2 = 0.30;             /* [m]      */
static const double J1 = 0.002727, J2 = 0.0045339259; /* [kg m^2] */
static const double m2 = 0.151104, m3 = 0.075552;     /* [kg]     */

typedef struct crank {
  trmi_arena arena;
  bool is_nonlinear, is_smooth;
  double speed; /* Omega of the crank         [rad/s] */
  double k0;    /* l1 l2 m2/2                         */
  double M11;   /* of (1)                             */
  trmi_crank_rod rod;
} crank;

/* What (2) to (6) have in common at one state. */
typedef struct frame {
  double c, s, A, N; /* cos d, sin d, A and N of (2) */
  double A_d, N_d; /* l1 C1.q', l1 C2.q'      */
  double Mdq[NE];  /* Md q                    */
  double p1, p2;   /* phi1', phi2'            */
  double M12, M22, M1q[NE], M2q[NE]; /* of (1) to (3) */
} frame;

static double dot(const double a[NE], const double b[NE]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static frame frame_of(const crank *p, const trm_state *s) {
  const double *q = s->q + ELASTIC, *qd = s->v + ELASTIC, d = s->q[0] - s->q[1];
  frame f = {.c = cos(d), .s = sin(d), .p1 = s->v[0], .p2 = s->v[1],
             .A = p->k0 + l1 * dot(p->rod.C1, q), .N = l1 * dot(p->rod.C2, q),
             .A_d = l1 * dot(p->rod.C1, qd), .N_d = l1 * dot(p->rod.C2, qd)};
  four_store(f.Mdq, four_times(p->rod.Md, q));
  f.M12 = f.A * f.c + f.N * f.s;
  f.M22 = J2 + dot(q, f.Mdq) + 2.0 * dot(p->rod.C12, q);
  const four across = four_more(four_scale(-f.s, four_load(p->rod.C1)), f.c, p->rod.C2);
  four_store(f.M1q, four_scale(l1, across));
  four_store(f.M2q, four_add(four_load(p->rod.C21), four_times(p->rod.B, q)));
  return f;
}

/* (1) to (3) */
static void mass(const crank *p, const frame *f, double M[NV][NV]) {
  memset(M, 0, NV * sizeof *M);
  M[0][0] = p->M11;
  M[0][1] = M[1][0] = f->M12;
  M[1][1] = f->M22, M[2][2] = m3;
  for (int i = 0; i < NE; i++) {
    M[0][ELASTIC + i] = M[ELASTIC + i][0] = f->M1q[i];
    M[1][ELASTIC + i] = M[ELASTIC + i][1] = f->M2q[i];
    for (int j = 0; j < NE; j++) M[ELASTIC + i][ELASTIC + j] = p->rod.Md[i][j];
  }
}

/* out = M u - Q, without the zeros of M */
static void times_mass(const crank *p, const frame *f, const double *u, const double Q[NV],
                       double out[NV]) {
  const double *uq = u + ELASTIC;
  trmi_both angles = both_add(both(-Q[0], -Q[1]), both_scale(u[0], both(p->M11, f->M12)));
  angles = both_add(angles, both_scale(u[1], both(f->M12, f->M22)));
  TRMI_UNROLL for (int i = 0; i < NE; i++) {
    angles = both_add(angles, both_scale(uq[i], both(f->M1q[i], f->M2q[i])));
  }
  both_store(out, angles);
  out[2] = -Q[2] + m3 * u[2];
  four rod = four_more(four_scale(-1.0, four_load(Q + ELASTIC)), u[0], f->M1q);
  rod = four_more(rod, u[1], f->M2q);
  TRMI_UNROLL for (int j = 0; j < NE; j++) rod = four_more(rod, uq[j], p->rod.Md[j]);
  four_store(out + ELASTIC, rod);
}

/* grad W and, if asked for, its derivative, (7) */
static void elastic(const crank *p, const double q[NE], double grad[NE], double hesse[NE][NE]) {
  const double a = 2.0 * q[3] - 4.0 * q[2], b = p->rod.beta, k = p->rod.kn;
  const double bend[NE] = {q[0] * q[3] - b * q[1] * a, 4.0 * q[1] * q[3] - b * q[0] * a,
                           4.0 * b * q[0] * q[1],
                           0.5 * q[0] * q[0] + 2.0 * q[1] * q[1] - 2.0 * b * q[0] * q[1]};
  four_store(grad, four_more(four_times(p->rod.K, q), k, bend));
  if (hesse == NULL) return;
  const double second[NE][NE] = {{q[3], -b * a, 4.0 * b * q[1], q[0] - 2.0 * b * q[1]},
                                 {-b * a, 4.0 * q[3], 4.0 * b * q[0], 4.0 * q[1] - 2.0 * b * q[0]},
                                 {4.0 * b * q[1], 4.0 * b * q[0], 0.0, 0.0},
                                 {q[0] - 2.0 * b * q[1], 4.0 * q[1] - 2.0 * b * q[0], 0.0, 0.0}};
  for (int i = 0; i < NE; i++) {
    for (int j = 0; j < NE; j++) hesse[i][j] = p->rod.K[i][j] + k * second[i][j];
  }
}

static double strain_energy(const crank *p, const double q[NE]) {
  double linear = 0.0, Kq[NE];
  four_store(Kq, four_times(p->rod.K, q));
  for (int i = 0; i < NE; i++) linear += 0.5 * q[i] * Kq[i];
  return linear + p->rod.kn * (0.5 * q[0] * q[0] * q[3] + 2.0 * q[1] * q[1] * q[3] -
                           p->rod.beta * q[0] * q[1] * (2.0 * q[3] - 4.0 * q[2]));
}

/* (4) to (6) */
static void forces(const crank *p, const frame *f, const trm_state *s, double Q[NV]) {
  const double *q = s->q + ELASTIC, *qd = s->v + ELASTIC;
  const double swing = f->A * f->s - f->N * f->c;
  double grad[NE];
  elastic(p, q, grad, NULL);
  Q[0] = -f->p2 * f->p2 * swing - 2.0 * f->p2 * (f->c * f->A_d + f->s * f->N_d);
  Q[1] = f->p1 * f->p1 * swing - 2.0 * f->p2 * (dot(p->rod.C12, qd) + dot(f->Mdq, qd));
  Q[2] = 0.0;
  const four along = four_more(four_scale(f->c, four_load(p->rod.C1)), f->s, p->rod.C2);
  four rod = four_scale(f->p2 * f->p2, four_add(four_load(f->Mdq), four_load(p->rod.C12)));
  rod = four_add(rod, four_scale(l1 * f->p1 * f->p1, along));
  rod = four_sub(rod, four_scale(2.0 * f->p2, four_times(p->rod.B, qd)));
  four_store(Q + ELASTIC, four_sub(four_sub(rod, four_load(grad)), four_times(p->rod.D, qd)));
}

/* What (8) and its derivatives have in common. */
typedef struct loop {
  double s1, c1, s2, c2; /* of phi1 and phi2     */
  double L;              /* length of the rod [m] */
} loop;

static loop loop_of(const trm_state *s) {
  return (loop){sin(s->q[0]), cos(s->q[0]), sin(s->q[1]), cos(s->q[1]), l2 + s->q[6]};
}

/* entries of G in the order of `patterns` */
enum { G_ENTRIES = 8 };
static const int G_row[G_ENTRIES] = {0, 0, 0, 1, 1, 1, 1, 2};
static const int G_col[G_ENTRIES] = {0, 1, 6, 0, 1, 2, 6, 0};

static void jacobian(const loop *c, double G[G_ENTRIES]) {
  const double entries[G_ENTRIES] = {l1 * c->c1,   c->L * c->c2, c->s2,  l1 * c->s1,
                                     c->L * c->s2, 1.0,          -c->c2, 1.0};
  memcpy(G, entries, sizeof entries);
}

static void add_reactions(const loop *c, const double *lam, double *motion) {
  double G[G_ENTRIES];
  jacobian(c, G);
  for (int k = 0; k < G_ENTRIES; k++) motion[G_col[k]] += G[k] * lam[G_row[k]];
}

static void constraints(const crank *p, const loop *c, const trm_state *s, const trm_values *out) {
  const double *v = s->v, w1 = v[0] * v[0], w2 = v[1] * v[1], stretch = 2.0 * v[1] * v[6];
  if (out->g != NULL) {
    out->g[0] = l1 * c->s1 + c->L * c->s2;
    out->g[1] = s->q[2] - l1 * c->c1 - c->L * c->c2;
    out->g[2] = s->q[0] - p->speed * s->t;
  }
  if (out->g_rate != NULL) {
    double G[G_ENTRIES];
    jacobian(c, G);
    out->g_rate[0] = out->g_rate[1] = 0.0;
    out->g_rate[2] = -p->speed;
    for (int k = 0; k < G_ENTRIES; k++) out->g_rate[G_row[k]] += G[k] * v[G_col[k]];
  }
  if (out->g_bias != NULL) {
    out->g_bias[0] = -l1 * c->s1 * w1 - c->L * c->s2 * w2 + c->c2 * stretch;
    out->g_bias[1] = l1 * c->c1 * w1 + c->L * c->c2 * w2 + c->s2 * stretch;
    out->g_bias[2] = 0.0;
  }
}

static void energies(const crank *p, const frame *f, const trm_state *s, const trm_values *out) {
  const double *qd = s->v + ELASTIC;
  double Mv[NV], Dv[NE], twice = 0.0, damping = 0.0;
  times_mass(p, f, s->v, (const double[NV]){0.0}, Mv);
  for (int i = 0; i < NV; i++) twice += s->v[i] * Mv[i];
  four_store(Dv, four_times(p->rod.D, qd));
  for (int i = 0; i < NE; i++) damping -= qd[i] * Dv[i];
  out->energy[0] = 0.5 * twice;
  out->energy[1] = strain_energy(p, s->q + ELASTIC);
  out->energy[2] = damping - p->speed * s->lam[2]; /* (9) */
  if (out->powers == NULL) return;
  out->powers[TRM_POWER_MOTIONS] = -p->speed * s->lam[2];
  out->powers[TRM_POWER_DAMPERS] = damping;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const crank *p = self;
  const bool has_loop = out->motion != NULL || out->g != NULL || out->g_rate != NULL ||
                        out->g_bias != NULL;
  const loop c = has_loop ? loop_of(s) : (loop){0};
  constraints(p, &c, s, out);
  if (out->motion == NULL && out->energy == NULL) return TRM_OK;
  const frame f = frame_of(p, s);
  if (out->motion != NULL) {
    double Q[NV];
    forces(p, &f, s, Q);
    times_mass(p, &f, s->vd, Q, out->motion);
    add_reactions(&c, s->lam, out->motion);
  }
  if (out->energy != NULL) energies(p, &f, s, out);
  return TRM_OK;
}

/* d(M u)/dq, from (1) to (3) */
static void mass_tangent(const crank *p, const frame *f, const double *u, double T[NV][NV]) {
  const double *uq = u + ELASTIC;
  const double M12_d = f->N * f->c - f->A * f->s; /* dM12/dd */
  double bend = 0.0;                              /* dM1q/dd . u */
  memset(T, 0, NV * sizeof *T);
  for (int i = 0; i < NE; i++) bend -= l1 * (f->c * p->rod.C1[i] + f->s * p->rod.C2[i]) * uq[i];
  T[0][0] = M12_d * u[1] + bend;
  T[1][0] = M12_d * u[0];
  for (int j = 0; j < NE; j++) {
    const double M12_q = l1 * (f->c * p->rod.C1[j] + f->s * p->rod.C2[j]);
    T[0][ELASTIC + j] = M12_q * u[1];
    T[1][ELASTIC + j] = M12_q * u[0] + 2.0 * (f->Mdq[j] + p->rod.C12[j]) * u[1];
    for (int i = 0; i < NE; i++) {
      T[1][ELASTIC + j] -= p->rod.B[i][j] * uq[i];
      T[ELASTIC + i][ELASTIC + j] = -p->rod.B[i][j] * u[1];
    }
    T[ELASTIC + j][0] = -M12_q * u[0];
  }
  /* everything depends on d = phi1 - phi2 only */
  for (int i = 0; i < NV; i++) T[i][1] = -T[i][0];
}

/* -dQ/dq, from (4) to (6) */
static void stiffness(const crank *p, const frame *f, const trm_state *s, double K[NV][NV]) {
  const double *qd = s->v + ELASTIC, w1 = f->p1 * f->p1, w2 = f->p2 * f->p2;
  const double swing_d = f->A * f->c + f->N * f->s;
  double grad[NE], hesse[NE][NE];
  memset(K, 0, NV * sizeof *K);
  elastic(p, s->q + ELASTIC, grad, hesse);
  K[0][0] = w2 * swing_d + 2.0 * f->p2 * (f->c * f->N_d - f->s * f->A_d);
  K[1][0] = -w1 * swing_d;
  for (int j = 0; j < NE; j++) {
    const double swing_q = l1 * (f->s * p->rod.C1[j] - f->c * p->rod.C2[j]);
    K[0][ELASTIC + j] = w2 * swing_q;
    K[1][ELASTIC + j] = -w1 * swing_q + 2.0 * f->p2 * dot(p->rod.Md[j], qd);
    K[ELASTIC + j][0] = w1 * swing_q;
    for (int i = 0; i < NE; i++) K[ELASTIC + i][ELASTIC + j] = hesse[i][j] - w2 * p->rod.Md[i][j];
  }
  for (int i = 0; i < NV; i++) K[i][1] = -K[i][0];
}

/* -dQ/dv, from (4) to (6) */
static void damping(const crank *p, const frame *f, const trm_state *s, double C[NV][NV]) {
  const double *qd = s->v + ELASTIC;
  const double swing = f->A * f->s - f->N * f->c;
  memset(C, 0, NV * sizeof *C);
  C[0][1] = 2.0 * f->p2 * swing + 2.0 * (f->c * f->A_d + f->s * f->N_d);
  C[1][0] = -2.0 * f->p1 * swing;
  C[1][1] = 2.0 * (dot(p->rod.C12, qd) + dot(f->Mdq, qd));
  for (int j = 0; j < NE; j++) {
    const double along = l1 * (f->c * p->rod.C1[j] + f->s * p->rod.C2[j]);
    C[0][ELASTIC + j] = 2.0 * f->p2 * along;
    C[1][ELASTIC + j] = 2.0 * f->p2 * (p->rod.C12[j] + f->Mdq[j]);
    C[ELASTIC + j][0] = -2.0 * f->p1 * along;
    C[ELASTIC + j][1] = -2.0 * f->p2 * (f->Mdq[j] + p->rod.C12[j]) - 2.0 * dot(p->rod.B[j], qd);
    for (int i = 0; i < NE; i++) {
      C[ELASTIC + i][ELASTIC + j] = p->rod.D[i][j] - 2.0 * f->p2 * p->rod.B[i][j];
    }
  }
}

/* The tangents couple all coordinates but x3; entries row by row. */
enum { COUPLED = 6, TANGENT_ENTRIES = COUPLED * COUPLED };
static const int coupled[COUPLED] = {0, 1, 3, 4, 5, 6};

static void gather(double T[NV][NV], double *entries) {
  for (int k = 0; k < TANGENT_ENTRIES; k++) {
    entries[k] = T[coupled[k / COUPLED]][coupled[k % COUPLED]];
  }
}

/* d(G v)/dq and d(bias)/d(q, v) have the columns phi1, phi2, q4 in rows 0, 1 */
enum { RATE_ENTRIES = 6, RATE_COLUMNS = 3, HESSE_ENTRIES = 4 };
static const int rate_column[RATE_COLUMNS] = {0, 1, 6};
/* d(G^T y)/dq: phi1, and (phi2, q4) among themselves except q4 with itself */
static const int hesse_row[HESSE_ENTRIES] = {0, 1, 1, 6}, hesse_col[HESSE_ENTRIES] = {0, 1, 6, 1};

static void loop_blocks(const trm_state *s, const trm_block_request *request) {
  const loop c = loop_of(s);
  const double *v = s->v, *y = request->y, w1 = v[0] * v[0], w2 = v[1] * v[1];
  double *const *b = request->values;
  if (b[TRM_G] != NULL) jacobian(&c, b[TRM_G]);
  if (b[TRM_GY_Q] != NULL) {
    const double cross = c.c2 * y[0] + c.s2 * y[1];
    const double entries[HESSE_ENTRIES] = {l1 * (c.c1 * y[1] - c.s1 * y[0]),
                                           c.L * (c.c2 * y[1] - c.s2 * y[0]), cross, cross};
    memcpy(b[TRM_GY_Q], entries, sizeof entries);
  }
  if (b[TRM_GV_Q] != NULL) {
    const double entries[RATE_ENTRIES] = {
        -l1 * c.s1 * v[0], -c.L * c.s2 * v[1] + c.c2 * v[6], c.c2 * v[1],
        l1 * c.c1 * v[0],  c.L * c.c2 * v[1] + c.s2 * v[6],  c.s2 * v[1]};
    memcpy(b[TRM_GV_Q], entries, sizeof entries);
  }
  if (b[TRM_GB_Q] != NULL) {
    const double stretch = 2.0 * v[1] * v[6];
    const double entries[RATE_ENTRIES] = {
        -l1 * c.c1 * w1, -c.L * c.c2 * w2 - c.s2 * stretch, -c.s2 * w2,
        -l1 * c.s1 * w1, -c.L * c.s2 * w2 + c.c2 * stretch, c.c2 * w2};
    memcpy(b[TRM_GB_Q], entries, sizeof entries);
  }
  if (b[TRM_GB_V] != NULL) {
    const double entries[RATE_ENTRIES] = {
        -2.0 * l1 * c.s1 * v[0], 2.0 * (c.c2 * v[6] - c.L * c.s2 * v[1]), 2.0 * c.c2 * v[1],
        2.0 * l1 * c.c1 * v[0],  2.0 * (c.s2 * v[6] + c.L * c.c2 * v[1]), 2.0 * c.s2 * v[1]};
    memcpy(b[TRM_GB_V], entries, sizeof entries);
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)err;
  const crank *p = self;
  double *const *b = request->values;
  double T[NV][NV];
  loop_blocks(s, request);
  const frame f = frame_of(p, s);
  if (b[TRM_M] != NULL) {
    mass(p, &f, T);
    gather(T, b[TRM_M]);
    b[TRM_M][TANGENT_ENTRIES] = m3;
  }
  if (b[TRM_MU_Q] != NULL) {
    mass_tangent(p, &f, request->u, T);
    gather(T, b[TRM_MU_Q]);
  }
  if (b[TRM_K] != NULL) {
    stiffness(p, &f, s, T);
    gather(T, b[TRM_K]);
  }
  if (b[TRM_C] != NULL) {
    damping(p, &f, s, T);
    gather(T, b[TRM_C]);
  }
  return TRM_OK;
}

static void patterns(const void *self, trm_pattern *p) {
  (void)self;
  static const trm_block tangents[] = {TRM_M, TRM_MU_Q, TRM_K, TRM_C};
  static const trm_block rates[] = {TRM_GV_Q, TRM_GB_Q, TRM_GB_V};
  trmi_pattern_all_given(p);
  for (int b = 0; b < 4; b++) {
    for (int k = 0; k < TANGENT_ENTRIES; k++) {
      trm_pattern_entry(p, tangents[b], coupled[k / COUPLED], coupled[k % COUPLED]);
    }
  }
  trm_pattern_entry(p, TRM_M, 2, 2);
  for (int k = 0; k < G_ENTRIES; k++) trm_pattern_entry(p, TRM_G, G_row[k], G_col[k]);
  for (int k = 0; k < HESSE_ENTRIES; k++) {
    trm_pattern_entry(p, TRM_GY_Q, hesse_row[k], hesse_col[k]);
  }
  for (int b = 0; b < 3; b++) {
    for (int k = 0; k < RATE_ENTRIES; k++) {
      trm_pattern_entry(p, rates[b], k / RATE_COLUMNS, rate_column[k % RATE_COLUMNS]);
    }
  }
}

static void sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = NV, .ng = NG};
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  (void)self;
  static const struct {
    const char *q, *v, *object;
    trm_kind kind;
    double scale;
  } coordinates[NV] = {
      {"phi1", "vphi1", "coordinate 'phi1'", TRM_KIND_RADIAN, 1.0},
      {"phi2", "vphi2", "coordinate 'phi2'", TRM_KIND_RADIAN, 1.0},
      {"x3", "vx3", "coordinate 'x3'", TRM_KIND_METRE, 1.0},
      {"q1", "vq1", "coordinate 'q1'", TRM_KIND_MODAL, 1e-3},
      {"q2", "vq2", "coordinate 'q2'", TRM_KIND_MODAL, 1e-4},
      {"q3", "vq3", "coordinate 'q3'", TRM_KIND_MODAL, 1e-4},
      {"q4", "vq4", "coordinate 'q4'", TRM_KIND_MODAL, 1e-4},
  };
  static const struct {
    const char *name, *object;
    trm_kind kind;
  } rows[NG] = {
      {"lam1", "joint 'block' height", TRM_KIND_NEWTON},
      {"lam2", "joint 'block' position", TRM_KIND_NEWTON},
      {"lam3", "drive 'crank'", TRM_KIND_NEWTON_METRE},
  };
  if (list == TRM_LAM) {
    trmi_label(out, rows[i].name, rows[i].object, rows[i].kind, 0.0);
  } else if (list == TRM_Q || list == TRM_V) {
    trmi_label(out, list == TRM_Q ? coordinates[i].q : coordinates[i].v, coordinates[i].object,
               coordinates[i].kind, coordinates[i].scale);
  }
}

/* The smooth start is tabulated for 150 rad/s; at another speed its leading term is
 * used, deformations that grow with speed^2. */
static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  static const double table_q[NE] = {0.0, 0.0, 0.103339863e-4, 0.169327969e-4};
  static const double table_v[NE] = {0.4448961125815990, 0.4634339319238670e-2,
                                     -0.1785910760000550e-5, -0.2689386719979040e-5};
  const crank *p = self;
  const double ratio = p->speed / 150.0;
  for (int i = 0; p->is_smooth && i < NE; i++) {
    s->q[ELASTIC + i] = ratio * ratio * table_q[i];
    s->v[ELASTIC + i] = ratio * ratio * ratio * table_v[i];
  }
  s->q[2] = l1 + (l2 + s->q[6]);
  s->v[0] = p->speed;
  s->v[1] = -p->speed * l1 / (l2 + s->q[6]);
  s->v[2] = s->v[6];
  return TRM_OK;
}

/* (10) */
static trm_status test_step(void *self, const trm_state *s, trm_error *err) {
  const crank *p = self;
  const double *q = s->q + ELASTIC, bend = fmax(fabs(q[0]), fabs(q[1]));
  if (!p->is_nonlinear || bend < 0.1 * l2) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_STEP, "connecting rod",
                   "it buckles: its end is displaced by %.2g mm, it loses its bending stiffness "
                   "at %.2g mm, and the nonlinear beam of the paper has nothing that stops it; "
                   "lower the speed of %g rad/s", 1e3 * q[3], -1e3 * p->rod.K[0][0] / p->rod.kn,
                   p->speed);
}

static const trm_system_ops ops = {
    .name = "slider-crank",
    .sizes = sizes,
    .label = label,
    .patterns = patterns,
    .start = start,
    .values = values,
    .test_step = test_step,
    .gives_rates = true,
    .blocks = blocks,
    .shares_self = true,
    .free = trmi_problem_free,
};

enum { NONLINEAR, DAMPING, START, PI, SPEED, PARAMETERS };

static const trm_parameter parameters[PARAMETERS] = {
    [NONLINEAR] = {"nonlinear", "0", "0|1", "1: bending and stretching of the rod are coupled"},
    [DAMPING] = {"damping", "0", "0|1", "1: half a percent of damping in the rod"},
    [START] = {"start", "smooth", "smooth|rigid", "deformation at the start: slow motion, or none"},
    [PI] = {"pi", "exact", "exact|3.1415927", "value of pi in the formulas"},
    [SPEED] = {"speed", "150", NULL, "of the crank [rad/s]"},
};
static const trmi_rule rules[PARAMETERS] = {[SPEED] = TRMI_ANY};

static trm_status build(const double *value, const trm_allocator *allocator, trm_system_def *def,
                        trm_error *err) {
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(crank), &def->self, err));
  crank *p = def->self;
  p->is_nonlinear = value[NONLINEAR] == 1.0;
  p->is_smooth = value[START] == 0.0;
  p->speed = value[SPEED];
  p->k0 = 0.5 * l1 * l2 * m2, p->M11 = J1 + m2 * l1 * l1;
  trmi_crank_rod_fill(&p->rod, l2, value[PI] == 0.0 ? acos(-1.0) : 3.1415927, p->is_nonlinear,
                      value[DAMPING] == 1.0);
  def->ops = &ops;
  return TRM_OK;
}

const trmi_problem trmi_problem_slider_crank = {
    .about = {"slider-crank", "crank, elastic rod, block: problem 19 of the IVP test set", 0.1,
              parameters, PARAMETERS},
    .rules = rules,
    .build = build,
};
