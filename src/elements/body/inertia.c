/* inertia.c - a rigid body with its frame anywhere in it.
 *
 * x is the origin of the body frame, c the centre of mass in body axes, J the inertia about the
 * origin in body axes, J = J_com + m (c.c I - c c^T), f = w x (w x c):
 *   m (x'' + R (w' x c + f)) = m gravity                                       (1)
 *   J w' + w x J w + m c x R^T x'' = m c x R^T gravity                         (2)
 * so that, with c~ the matrix of c x,
 *   M = [[m I, -m R c~], [m c~ R^T, J]]                                        (3)
 *   d(M u)/dtheta, u = (a, b):  -m R (b x c)~  and  m c~ (R^T a)~              (4)
 *   K = -dQ/dtheta:             -m R f~        and  -m c~ (R^T gravity)~       (5)
 *   C = -dQ/dw:   -m R ((w x c)~ + w~ c~)      and  w~ J - (J w)~              (6)
 *   kinetic  m/2 |x' + R (w x c)|^2 + 1/2 w.J_com w,  potential -m gravity.(x + R c)   (7)
 * A point has the first rows only, with c = 0. Theory: docs/theory/13-mechanisms.md. */
#include "elements/body/inertia.h"
#include <string.h>

trmi_inertia trmi_inertia_make(double mass, trmi_vec3 com, const double J_com[9]) {
  trmi_inertia in = {.mass = mass, .com = com};
  const double cc = v3_dot(com, com), c[3] = {com.x, com.y, com.z};
  bool is_diagonal = true;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      in.J[3 * i + j] = J_com[3 * i + j] + mass * ((i == j ? cc : 0.0) - c[i] * c[j]);
      is_diagonal = is_diagonal && (i == j || in.J[3 * i + j] == 0.0);
    }
  }
  in.kind = cc > 0.0 ? TRMI_INERTIA_GENERAL
            : is_diagonal ? TRMI_INERTIA_DIAGONAL
                          : TRMI_INERTIA_CENTRED;
  return in;
}

/* ---- values ------------------------------------------------------------------------ */

static trmi_vec3 centre_force(const trmi_inertia *in, const trmi_pose *pose, trmi_vec3 wd) {
  const trmi_vec3 f = v3_cross(pose->w, v3_cross(pose->w, in->com));
  return m3_mul(pose->R, v3_add(v3_cross(wd, in->com), f));
}

/* (1) and (2) without the terms of c, if it is zero */
static void full_motion(const trmi_inertia *in, const trmi_pose *pose, const double *vd,
                        trmi_vec3 gravity, double *motion) {
  const trmi_vec3 wd = v3_load(vd + 3), w = pose->w;
  trmi_vec3 a = v3_sub(v3_load(vd), gravity);
  trmi_vec3 moment = v3_add(m3_mul(in->J, wd), v3_cross(w, m3_mul(in->J, w)));
  if (in->kind == TRMI_INERTIA_GENERAL) {
    moment = v3_add(moment, v3_scale(in->mass, v3_cross(in->com, m3_tmul(pose->R, a))));
    a = v3_add(a, centre_force(in, pose, wd));
  }
  v3_store(motion, v3_scale(in->mass, a));
  v3_store(motion + 3, moment);
}

void trmi_inertia_motion(const trmi_inertia *in, const trmi_pose *pose, const double *vd,
                         trmi_vec3 gravity, double *motion) {
  if (in->kind == TRMI_INERTIA_DIAGONAL) {
    const trmi_vec3 J = v3(in->J[0], in->J[4], in->J[8]), wd = v3_load(vd + 3), w = pose->w;
    v3_store(motion, v3_scale(in->mass, v3_sub(v3_load(vd), gravity)));
    v3_store(motion + 3, v3_add(v3_times(J, wd), v3_cross(w, v3_times(J, w))));
  } else if (in->kind == TRMI_INERTIA_POINT) {
    v3_store(motion, v3_scale(in->mass, v3_sub(v3_load(vd), gravity)));
  } else if (in->kind == TRMI_INERTIA_NONE) {
    memset(motion, 0, 6 * sizeof(double));
  } else {
    full_motion(in, pose, vd, gravity, motion);
  }
}

/* (7); with u = x' and c from the origin the mixed term is m u.R (w x c) */
void trmi_inertia_energy(const trmi_inertia *in, const trmi_pose *pose, trmi_vec3 gravity,
                         double *energy) {
  if (in->kind == TRMI_INERTIA_NONE) return;
  double twice = in->mass * v3_dot(pose->v, pose->v);
  trmi_vec3 centre = pose->x;
  if (in->kind != TRMI_INERTIA_POINT) twice += v3_dot(pose->w, m3_mul(in->J, pose->w));
  if (in->kind == TRMI_INERTIA_GENERAL) {
    const trmi_vec3 u = m3_mul(pose->R, v3_cross(pose->w, in->com));
    twice += 2.0 * in->mass * v3_dot(pose->v, u);
    centre = v3_add(centre, m3_mul(pose->R, in->com));
  }
  energy[0] += 0.5 * twice;
  energy[1] -= in->mass * v3_dot(gravity, centre);
}

/* ---- blocks ------------------------------------------------------------------------ */

/* Entries of a block by kind of inertia: diagonal of x, diagonal of theta, theta without its
 * diagonal, and dense x-theta, theta-x, theta-theta. */
enum { X = 1, THETA_DIAGONAL = 2, THETA_BESIDE = 4, X_THETA = 8, THETA_X = 16, THETA = 32 };

static unsigned shape_of(trmi_inertia_kind kind, trm_block block) {
  static const unsigned shapes[5][4] = {
    [TRMI_INERTIA_NONE] = {0, 0, 0, 0},
    [TRMI_INERTIA_POINT] = {X, 0, 0, 0},
    [TRMI_INERTIA_DIAGONAL] = {X | THETA_DIAGONAL, 0, 0, THETA_BESIDE},
    [TRMI_INERTIA_CENTRED] = {X | THETA, 0, 0, THETA},
    [TRMI_INERTIA_GENERAL] = {X | X_THETA | THETA_X | THETA, X_THETA | THETA, X_THETA | THETA,
                              X_THETA | THETA},
  };
  switch (block) {
  case TRM_M: return shapes[kind][0];
  case TRM_MU_Q: return shapes[kind][1];
  case TRM_K: return shapes[kind][2];
  case TRM_C: return shapes[kind][3];
  default: return 0;
  }
}

static int declare(trm_pattern *p, trm_block block, int row, int col) {
  if (p != NULL) trm_pattern_entry(p, block, row, col);
  return 1;
}

int trmi_inertia_pattern(const trmi_inertia *in, trm_pattern *p, trm_block block, int v) {
  const unsigned shape = shape_of(in->kind, block);
  int n = 0;
  for (int k = 0; k < 3 && (shape & X) != 0; k++) n += declare(p, block, v + k, v + k);
  for (int k = 3; k < 6 && (shape & THETA_DIAGONAL) != 0; k++) n += declare(p, block, v + k, v + k);
  for (int k = 0; k < 9 && (shape & THETA_BESIDE) != 0; k++) {
    if (k % 4 != 0) n += declare(p, block, v + 3 + k / 3, v + 3 + k % 3);
  }
  const struct { unsigned bit; int row, col; } dense[] = {
    {X_THETA, 0, 3}, {THETA_X, 3, 0}, {THETA, 3, 3}};
  for (int i = 0; i < 3; i++) {
    if ((shape & dense[i].bit) == 0) continue;
    for (int k = 0; k < 9; k++) {
      n += declare(p, block, v + dense[i].row + k / 3, v + dense[i].col + k % 3);
    }
  }
  return n;
}

/* out = factor R s~ */
static void put_turned(double factor, const double R[9], trmi_vec3 s, double out[9]) {
  double S[9];
  m3_skew(v3_scale(factor, s), S);
  m3_mm(R, S, out);
}

/* out = factor a~ b~ */
static void put_double(double factor, trmi_vec3 a, trmi_vec3 b, double out[9]) {
  double S[9];
  m3_skew(v3_scale(factor, a), S);
  put_turned(1.0, S, b, out);
}

static void put_mass(const trmi_inertia *in, const trmi_pose *pose, double *out) {
  out[0] = out[1] = out[2] = in->mass;
  if (in->kind == TRMI_INERTIA_POINT) return;
  if (in->kind == TRMI_INERTIA_DIAGONAL) {
    for (int i = 0; i < 3; i++) out[3 + i] = in->J[4 * i];
    return;
  }
  double *J = out + 3;
  if (in->kind == TRMI_INERTIA_GENERAL) { /* (3): the second block is the first transposed */
    put_turned(-in->mass, pose->R, in->com, out + 3);
    for (int k = 0; k < 9; k++) out[12 + k] = out[3 + 3 * (k % 3) + k / 3];
    J = out + 21;
  }
  memcpy(J, in->J, sizeof in->J);
}

/* (6); of a diagonal inertia only the entries off the diagonal */
static void put_gyroscopic(const trmi_inertia *in, const trmi_pose *pose, double *out) {
  const trmi_vec3 w = pose->w;
  if (in->kind == TRMI_INERTIA_DIAGONAL) {
    trmi_principal_gyroscopic(v3(in->J[0], in->J[4], in->J[8]), w, out);
    return;
  }
  double S[9], spin[9], *moment = out;
  if (in->kind == TRMI_INERTIA_GENERAL) {
    double inner[9];
    put_double(-in->mass, w, in->com, inner);
    m3_skew(v3_scale(-in->mass, v3_cross(w, in->com)), S);
    for (int k = 0; k < 9; k++) inner[k] += S[k];
    m3_mm(pose->R, inner, out);
    moment = out + 9;
  }
  m3_skew(w, S);
  m3_mm(S, in->J, spin);
  m3_skew(m3_mul(in->J, w), S);
  for (int k = 0; k < 9; k++) moment[k] = spin[k] - S[k];
}

void trmi_inertia_fill(const trmi_inertia *in, const trmi_pose *pose, trmi_vec3 gravity,
                       const trmi_inertia_blocks *out) {
  if (in->kind == TRMI_INERTIA_NONE) return;
  if (out->M != NULL) put_mass(in, pose, out->M);
  if (in->kind == TRMI_INERTIA_POINT) return;
  if (out->C != NULL) put_gyroscopic(in, pose, out->C);
  if (in->kind != TRMI_INERTIA_GENERAL) return;
  if (out->MU_Q != NULL) { /* (4) */
    const trmi_vec3 a = m3_tmul(pose->R, v3_load(out->u)), b = v3_load(out->u + 3);
    put_turned(-in->mass, pose->R, v3_cross(b, in->com), out->MU_Q);
    put_double(in->mass, in->com, a, out->MU_Q + 9);
  }
  if (out->K != NULL) { /* (5) */
    const trmi_vec3 f = v3_cross(pose->w, v3_cross(pose->w, in->com));
    put_turned(-in->mass, pose->R, f, out->K);
    put_double(-in->mass, in->com, m3_tmul(pose->R, gravity), out->K + 9);
  }
}
