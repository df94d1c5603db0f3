/* modal_blocks.c - exact blocks of a modal body. With al = R^T u_x, ga = R^T g, W = w~, G u the
 * rows (G_i u)^T, and Ja w, J2 a' w contracted over one axis (names of modal_body.c):
 *   M     (3) there
 *   MU_Q  x: theta -R (u_w x mc + D u_a)~,  a R u_w~ D
 *         w: theta mc~ al~,  a -al~ D + Ja u_w + G u_a      a: theta D^T al~,  a -sum u_wi G_i
 *   K     x: theta -R b1~,  a R W W D
 *         w: theta -mc~ ga~,  a ga~ D + W (Ja w) + 2 (J2 a') w + W G a'
 *         a: theta -D^T ga~,  a omega^2 - w.J2 w
 *   C     x: w R (-W mc~ - (w x mc)~ - 2 (D a')~),  a' 2 R W D
 *         w: w W J - (J w)~ + Ja a' - (B a')~,  a' Ja w + W B
 *         a: w -2 (G a')^T - (Ja w)^T,  a' -2 sum w_i G_i + d                              (1)
 * Newton's matrix is asked for without weak entries: those of two modes off the diagonal, and
 * G u_a and (J2 a') w, which are those of the frame times a deflection over the size of the
 * body. */
#include "elements/flex/modal_body.h"
#include <string.h>

static trmi_vec3 axis(int k) {
  return v3(k == 0, k == 1, k == 2);
}

/* Column j of a 3 x n matrix. */
static trmi_vec3 column(const double *A, int n, int j) {
  return v3(A[j], A[n + j], A[2 * n + j]);
}

/* A body, and a dense matrix [nv nv] of it. */
typedef struct filling {
  const trmi_modal_inertia *in;
  const trmi_modal_moment  *z;
  int     n, nv;
  bool    is_strong; /* entries of two modes are left as they are */
  double *at;
  double *rows;      /* scratch [3 n] */
} filling;

static void clear(const filling *f) {
  if (!f->is_strong) {
    memset(f->at, 0, (size_t)(f->nv * f->nv) * sizeof *f->at);
    return;
  }
  memset(f->at, 0, (size_t)(6 * f->nv) * sizeof *f->at);
  for (int i = 6; i < f->nv; i++) {
    memset(f->at + f->nv * i, 0, 6 * sizeof *f->at);
    f->at[(f->nv + 1) * i] = 0.0;
  }
}

/* Rows first .. first + 2 of a column. */
static void put(const filling *f, int first, int col, trmi_vec3 v) {
  double *at = f->at + f->nv * first + col;
  at[0] = v.x, at[f->nv] = v.y, at[2 * f->nv] = v.z;
}

/* Columns 3, 4, 5 of a row. */
static void put_row(const filling *f, int row, trmi_vec3 v) {
  v3_store(f->at + f->nv * row + 3, v);
}

static trmi_vec3 D_of(const filling *f, int j) {
  return f->in->has_D ? column(f->in->D, f->n, j) : v3(0, 0, 0);
}

/* The matrix of six pairs, those of mode j in A [6 n], times a vector. */
static trmi_vec3 pair_product(const double *A, int n, int j, trmi_vec3 w) {
  const double *six = A + j;
  return v3(six[0] * w.x + six[3 * n] * w.y + six[4 * n] * w.z,
            six[3 * n] * w.x + six[n] * w.y + six[5 * n] * w.z,
            six[4 * n] * w.x + six[5 * n] * w.y + six[2 * n] * w.z);
}

/* Modes and modes: out = factor sum_i w_i G_i, zero on the diagonal */
static void put_G(const filling *f, trmi_vec3 w, double factor) {
  const int n = f->n;
  double *G = f->rows;
  if (f->is_strong) return;
  for (int i = 0; i < n; i++) {
    double *row = f->at + f->nv * (6 + i) + 6;
    for (int k = 0; k < 3; k++) trmi_packed_row(&f->in->G[k], i, G + n * k);
    for (int j = 0; j < n; j++) {
      row[j] = factor * (w.x * G[j] + w.y * G[n + j] + w.z * G[2 * n + j]);
    }
  }
}

static void fill_M(const filling *f, double *out) {
  const trmi_modal_moment *z = f->z;
  const int n = f->n, nv = f->nv;
  filling top = *f;
  top.at = out;
  memset(out, 0, (size_t)(6 * nv) * sizeof *out);
  for (int k = 0; k < 3; k++) {
    put(&top, 0, k, v3_scale(f->in->mass, axis(k)));
    put(&top, 0, 3 + k, m3_mul(z->R, v3_cross(axis(k), z->mc)));
    put(&top, 3, k, v3_cross(z->mc, m3_tmul(z->R, axis(k))));
    put(&top, 3, 3 + k, m3_column(z->J, k));
  }
  double *below = out + 6 * nv, *diagonal = below + 6 * n;
  for (int j = 0; j < n; j++) {
    const trmi_vec3 RD = m3_mul(z->R, D_of(f, j)), B = column(z->B, n, j);
    put(&top, 0, 6 + j, RD);
    put(&top, 3, 6 + j, B);
    v3_store(below + 6 * j, RD);
    v3_store(below + 6 * j + 3, B);
    diagonal[j] = 1.0;
  }
}

static void fill_MU_Q(const filling *f, trmi_modal_body *body, const double *u) {
  const trmi_modal_moment *z = f->z;
  const int n = f->n;
  const trmi_vec3 al = m3_tmul(z->R, v3_load(u)), uw = v3_load(u + 3);
  trmi_vec3 flow = v3_cross(uw, z->mc);
  clear(f);
  for (int j = 0; j < n; j++) flow = v3_add(flow, v3_scale(u[6 + j], D_of(f, j)));
  for (int k = 0; k < 3; k++) {
    put(f, 0, 3 + k, m3_mul(z->R, v3_cross(axis(k), flow)));
    put(f, 3, 3 + k, v3_cross(z->mc, v3_cross(al, axis(k))));
  }
  for (int j = 0; j < n; j++) {
    const trmi_vec3 D = D_of(f, j);
    put(f, 0, 6 + j, m3_mul(z->R, v3_cross(uw, D)));
    put(f, 3, 6 + j, v3_add(v3_cross(D, al), pair_product(z->Ja, n, j, uw)));
    put_row(f, 6 + j, v3_cross(D, al));
  }
  if (!f->is_strong) trmi_modal_turn(body, u + 6, f->rows);
  for (int i = 0; i < 3 && !f->is_strong; i++) { /* rows (G_i u_a)^T */
    for (int j = 0; j < n; j++) f->at[f->nv * (3 + i) + 6 + j] += f->rows[n * i + j];
  }
  put_G(f, uw, -1.0);
}

static void fill_K(const filling *f, trmi_vec3 gravity) {
  const trmi_modal_moment *z = f->z;
  const int n = f->n;
  const trmi_vec3 w = z->w, ga = m3_tmul(z->R, gravity);
  const trmi_vec3 b1 = v3_add(v3_cross(w, v3_cross(w, z->mc)),
                              v3_scale(2.0, v3_cross(w, z->D1)));
  const double ww[6] = {w.x * w.x, w.y * w.y, w.z * w.z, 2.0 * w.x * w.y, 2.0 * w.x * w.z,
                        2.0 * w.y * w.z};
  clear(f);
  for (int k = 0; k < 3; k++) {
    put(f, 0, 3 + k, m3_mul(z->R, v3_cross(axis(k), b1)));
    put(f, 3, 3 + k, v3_cross(z->mc, v3_cross(axis(k), ga)));
  }
  for (int j = 0; j < n; j++) {
    const trmi_vec3 D = D_of(f, j), turned = v3_add(pair_product(z->Ja, n, j, w),
                                                    column(z->G1, n, j));
    put(f, 0, 6 + j, m3_mul(z->R, v3_cross(w, v3_cross(w, D))));
    trmi_vec3 middle = v3_add(v3_cross(ga, D), v3_cross(w, turned));
    if (!f->is_strong) {
      middle = v3_add(middle, v3_scale(2.0, pair_product(z->J21, n, j, w)));
    }
    put(f, 3, 6 + j, middle);
    put_row(f, 6 + j, v3_cross(ga, D));
  }
  for (int i = 0; i < n; i++) {
    double *row = f->at + f->nv * (6 + i) + 6, *J2 = f->rows;
    for (int k = 0; k < 6 && f->is_strong; k++) row[i] -= ww[k] * f->in->J2_own[n * k + i];
    for (int k = 0; k < 6 && !f->is_strong; k++) {
      trmi_packed_row(&f->in->J2[k], i, J2);
      for (int j = 0; j < n; j++) row[j] -= ww[k] * J2[j];
    }
    row[i] += f->in->omega2[i];
  }
}

static void fill_C(const filling *f, const double *a1) {
  const trmi_modal_moment *z = f->z;
  const int n = f->n;
  const trmi_vec3 w = z->w, Jw = m3_mul(z->J, w), wmc = v3_cross(w, z->mc);
  trmi_vec3 B1 = v3(0, 0, 0);
  clear(f);
  put_G(f, w, -2.0);
  for (int j = 0; j < n; j++) B1 = v3_add(B1, v3_scale(a1[j], column(z->B, n, j)));
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 e = axis(k);
    trmi_vec3 top = v3_add(v3_cross(w, v3_cross(e, z->mc)), v3_cross(e, wmc));
    top = v3_add(top, v3_scale(2.0, v3_cross(e, z->D1)));
    trmi_vec3 middle = v3_add(v3_cross(w, m3_column(z->J, k)), v3_cross(e, v3_add(Jw, B1)));
    for (int j = 0; j < n; j++) {
      middle = v3_add(middle, v3_scale(a1[j], pair_product(z->Ja, n, j, e)));
    }
    put(f, 0, 3 + k, m3_mul(z->R, top));
    put(f, 3, 3 + k, middle);
  }
  for (int j = 0; j < n; j++) {
    const trmi_vec3 Jaw = pair_product(z->Ja, n, j, w);
    put(f, 0, 6 + j, m3_mul(z->R, v3_scale(2.0, v3_cross(w, D_of(f, j)))));
    put(f, 3, 6 + j, v3_add(Jaw, v3_cross(w, column(z->B, n, j))));
    put_row(f, 6 + j, v3_neg(v3_add(Jaw, v3_scale(2.0, column(z->G1, n, j)))));
    f->at[(f->nv + 1) * (6 + j)] += f->in->damping[j];
  }
}

void trmi_modal_body_blocks(trmi_modal_body *body, const trm_state *s,
                            const trm_block_request *request, double **places) {
  const int n = body->inertia.n, nv = 6 + n;
  filling f = {.in = &body->inertia, .z = &body->now, .n = n, .nv = nv,
               .is_strong = request->is_strong && !body->is_fast, .rows = body->rows};
  trmi_modal_body_at(body, s->q + body->q, s->v + body->v, places[TRM_K] != NULL && !f.is_strong);
  double *M = trmi_next_entries(&places[TRM_M], 6 * nv + 7 * n);
  if (M != NULL) fill_M(&f, M);
  f.at = trmi_next_entries(&places[TRM_MU_Q], nv * nv);
  if (f.at != NULL) fill_MU_Q(&f, body, request->u + body->v);
  f.at = trmi_next_entries(&places[TRM_K], nv * nv);
  if (f.at != NULL) fill_K(&f, body->gravity);
  f.at = trmi_next_entries(&places[TRM_C], nv * nv);
  if (f.at != NULL) fill_C(&f, s->v + body->v + 6);
}
