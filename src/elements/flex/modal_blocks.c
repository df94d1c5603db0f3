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
 * Newton's matrix is requested without weak entries: those of two modes off the diagonal, and G u_a
 * and (J2 a') w, which are those of the frame times a deflection over the size of the body. */
#include "elements/flex/modal_body.h"
#include "math/combine.h"
#include "system/system.h"
#include <string.h>

static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, two[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};

static trmi_vec3 axis(int k) {
  return v3(k == 0, k == 1, k == 2);
}

/* Column j of a matrix of three padded rows. */
static trmi_vec3 column(const double *A, int width, int j) {
  return v3(A[j], A[width + j], A[2 * width + j]);
}

/* A body, and a matrix [nv nv] of it: an arrow without entries of two modes, or full. */
typedef struct filling {
  const trmi_modal_inertia *in;
  const trmi_modal_moment  *z;
  int     n, nv, width;
  bool    is_strong; /* entries of two modes are not written */
  double *at;        /* rows of the frame, nv apart; of a full matrix all */
  double *below;     /* entry (mode j, column k of the frame) at [by_mode j + by_column k] */
  double *own;       /* diagonal of the modes, at [by_own j] */
  int     by_mode, by_column, by_own;
  double *rows;      /* scratch [6 width] */
} filling;

/* Where the matrix is: an arrow at `out`, or a full one in scratch that `finish` stores there. */
static void place(filling *f, double *full, double *out) {
  const trmi_arrow_parts parts = trmi_arrow_split(f->is_strong ? out : full, f->nv, f->nv, true);
  f->at = parts.head;
  f->below = f->at + 6 * f->nv;
  f->own = f->is_strong ? parts.own : f->below + 6;
  f->by_mode = f->is_strong ? 1 : f->nv;
  f->by_column = f->is_strong ? f->n : 1;
  f->by_own = f->is_strong ? 1 : f->nv + 1;
}

static void finish(const filling *f, double *out) {
  const trmi_arrow_parts parts = trmi_arrow_split(out, f->nv, f->nv, true);
  if (!f->is_strong) trmi_arrow_store(&parts, f->at);
}

static void clear(const filling *f) {
  if (!f->is_strong) {
    memset(f->at, 0, (size_t)(f->nv * f->nv) * sizeof *f->at);
    return;
  }
  if (!f->in->has_D) { /* others are zero, or always written */
    for (int i = 0; i < 6; i++) memset(f->at + f->nv * i, 0, 6 * sizeof *f->at);
    return;
  }
  memset(f->at, 0, (size_t)(6 * f->nv + 7 * f->n) * sizeof *f->at);
}

/* Rows first .. first + 2 of a column. */
static void put(const filling *f, int first, int col, trmi_vec3 v) {
  double *at = f->at + f->nv * first + col;
  at[0] = v.x, at[f->nv] = v.y, at[2 * f->nv] = v.z;
}

/* Columns 3, 4, 5 of a mode. */
static void put_row(const filling *f, int mode, trmi_vec3 v) {
  double *at = f->below + f->by_mode * mode + 3 * f->by_column;
  at[0] = v.x, at[f->by_column] = v.y, at[2 * f->by_column] = v.z;
}

static trmi_vec3 D_of(const filling *f, int j) {
  return f->in->has_D ? column(f->in->D, f->width, j) : v3(0, 0, 0);
}

/* The matrix of the six pairs `six` times a vector. */
static trmi_vec3 pair_product(const double six[TRMI_AXIS_PAIRS], trmi_vec3 w) {
  return v3(six[0] * w.x + six[3] * w.y + six[4] * w.z, six[3] * w.x + six[1] * w.y + six[5] * w.z,
            six[4] * w.x + six[5] * w.y + six[2] * w.z);
}

/* Factors of pairs, 3 x 6: the matrix of the pairs times w, then times A. */
static void pair_factors(const double A[9], trmi_vec3 w, double out[18]) {
  const double rows[18] = {w.x, 0, 0, w.y, w.z, 0, 0, w.y, 0, w.x, 0, w.z, 0, 0, w.z, 0, w.x, w.y};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 6; k++) {
      out[6 * i + k] = A[3 * i] * rows[k] + A[3 * i + 1] * rows[6 + k] +
                       A[3 * i + 2] * rows[12 + k];
    }
  }
}

/* Columns of modes of the rows of w: C times padded rows, three or, of pairs, six. */
static void put_rows(const filling *f, const double *C, int terms, const double *A, bool adds) {
  trmi_combine(f->n, 3, terms, adds, (trmi_long_const){C, terms}, (trmi_long_const){A, f->width},
               (trmi_long_rows){f->at + 3 * f->nv + 6, f->nv});
}

/* Modes and modes: out = factor sum_i w_i G_i, zero on the diagonal */
static void put_G(const filling *f, trmi_vec3 w, double factor) {
  const int n = f->n;
  double *G = f->rows;
  if (f->is_strong) return;
  for (int i = 0; i < n; i++) {
    double *row = f->at + f->nv * (6 + i) + 6;
    for (int k = 0; k < 3; k++) trmi_packed_row(&f->in->G[k], i, G + n * k);
    for (int j = 0; j < n; j++) row[j] = factor * v3_dot(w, column(G, n, j));
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
  memset(below, 0, (size_t)(3 * n) * sizeof *out);
  for (int i = 0; i < 3; i++) {
    const double *B = z->B + f->width * i;
    memcpy(out + nv * (3 + i) + 6, B, (size_t)n * sizeof *out);
    memcpy(below + n * (3 + i), B, (size_t)n * sizeof *out);
  }
  for (int j = 0; j < n; j++) diagonal[j] = 1.0;
  for (int j = 0; j < n && f->in->has_D; j++) {
    const trmi_vec3 RD = m3_mul(z->R, D_of(f, j));
    put(&top, 0, 6 + j, RD);
    below[j] = RD.x, below[n + j] = RD.y, below[2 * n + j] = RD.z;
  }
}

/* Products with D: rows A D of x, columns D x c of w and its transpose below. */
static void put_D(const filling *f, const double A[9], trmi_vec3 c, bool adds) {
  for (int j = 0; j < f->n && f->in->has_D; j++) {
    const trmi_vec3 D = D_of(f, j), turned = v3_cross(D, c);
    put(f, 0, 6 + j, m3_mul(A, D));
    if (!adds) continue;
    double *at = f->at + 3 * f->nv + 6 + j;
    at[0] += turned.x, at[f->nv] += turned.y, at[2 * f->nv] += turned.z;
    put_row(f, j, turned);
  }
}

static void fill_MU_Q(const filling *f, trmi_modal_body *body, const double *u) {
  const trmi_modal_moment *z = f->z;
  const int n = f->n;
  const trmi_vec3 al = m3_tmul(z->R, v3_load(u)), uw = v3_load(u + 3);
  trmi_vec3 flow = v3_cross(uw, z->mc);
  double C[18], W[9], RW[9];
  clear(f);
  for (int j = 0; j < n && f->in->has_D; j++) {
    flow = v3_add(flow, v3_scale(u[6 + j], D_of(f, j)));
  }
  for (int k = 0; k < 3; k++) {
    put(f, 0, 3 + k, m3_mul(z->R, v3_cross(axis(k), flow)));
    put(f, 3, 3 + k, v3_cross(z->mc, v3_cross(al, axis(k))));
  }
  pair_factors(one, uw, C);
  put_rows(f, C, 6, z->Ja, false);
  m3_skew(uw, W);
  m3_mm(z->R, W, RW);
  put_D(f, RW, al, true);
  for (int j = 0; j < n && f->is_strong; j++) f->own[j] = 0.0;
  if (!f->is_strong) { /* rows (G_i u_a)^T */
    trmi_modal_turn(body, u + 6, f->rows);
    put_rows(f, one, 3, f->rows, true);
  }
  put_G(f, uw, -1.0);
}

/* Modes and modes of K. */
static void put_stiffness(const filling *f) {
  const trmi_vec3 w = f->z->w;
  const int n = f->n;
  const double ww[6] = {w.x * w.x, w.y * w.y, w.z * w.z, 2.0 * w.x * w.y, 2.0 * w.x * w.z,
                        2.0 * w.y * w.z};
  double *own = f->rows;
  if (f->is_strong) {
    trmi_combine(n, 1, 6, false, (trmi_long_const){ww, 0},
                 (trmi_long_const){f->in->J2_own, f->width}, (trmi_long_rows){own, 0});
  }
  for (int i = 0; i < n && f->is_strong; i++) f->own[i] = f->in->omega2[i] - own[i];
  for (int i = 0; i < n && !f->is_strong; i++) {
    double *row = f->at + f->nv * (6 + i) + 6;
    for (int k = 0; k < 6; k++) {
      trmi_packed_row(&f->in->J2[k], i, f->rows);
      for (int j = 0; j < n; j++) row[j] -= ww[k] * f->rows[j];
    }
    row[i] += f->in->omega2[i];
  }
}

static void fill_K(const filling *f, trmi_vec3 gravity) {
  const trmi_modal_moment *z = f->z;
  const trmi_vec3 w = z->w, ga = m3_tmul(z->R, gravity);
  const trmi_vec3 b1 = v3_add(v3_cross(w, v3_cross(w, z->mc)),
                              v3_scale(2.0, v3_cross(w, z->D1)));
  double C[18], W[9], RW[9], RWW[9];
  clear(f);
  for (int k = 0; k < 3; k++) {
    put(f, 0, 3 + k, m3_mul(z->R, v3_cross(axis(k), b1)));
    put(f, 3, 3 + k, v3_cross(z->mc, v3_cross(axis(k), ga)));
  }
  m3_skew(w, W);
  pair_factors(W, w, C);
  put_rows(f, C, 6, z->Ja, false);
  put_rows(f, W, 3, z->G1, true);
  if (!f->is_strong) {
    pair_factors(two, w, C);
    put_rows(f, C, 6, z->J21, true);
  }
  m3_mm(z->R, W, RW);
  m3_mm(RW, W, RWW);
  put_D(f, RWW, v3_neg(ga), true);
  put_stiffness(f);
}

static void fill_C(const filling *f) {
  const trmi_modal_moment *z = f->z;
  const int n = f->n;
  const trmi_vec3 w = z->w, Jw = m3_mul(z->J, w), wmc = v3_cross(w, z->mc);
  const trmi_vec3 none = v3(0, 0, 0);
  double C[18], W[9], W2[9], RW2[9];
  clear(f);
  put_G(f, w, -2.0);
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 e = axis(k);
    trmi_vec3 top = v3_add(v3_cross(w, v3_cross(e, z->mc)), v3_cross(e, wmc));
    top = v3_add(top, v3_scale(2.0, v3_cross(e, z->D1)));
    const trmi_vec3 middle = v3_add(v3_cross(w, m3_column(z->J, k)),
                                    v3_cross(e, v3_add(Jw, z->B1)));
    put(f, 0, 3 + k, m3_mul(z->R, top));
    put(f, 3, 3 + k, v3_add(middle, pair_product(z->Ja1, e)));
  }
  pair_factors(one, w, C);
  put_rows(f, C, 6, z->Ja, false);
  for (int i = 0; i < 3; i++) { /* (Ja w + 2 G a') of all modes, then W B */
    const double *Jaw = f->at + f->nv * (3 + i) + 6, *G1 = z->G1 + f->width * i;
    for (int j = 0; j < n; j++) f->rows[f->width * i + j] = Jaw[j] + 2.0 * G1[j];
  }
  m3_skew(w, W);
  put_rows(f, W, 3, z->B, true);
  for (int j = 0; j < n; j++) {
    put_row(f, j, v3_neg(column(f->rows, f->width, j)));
    f->own[f->by_own * j] = f->in->damping[j]; /* G is antisymmetric */
  }
  m3_mm(two, W, W2);
  m3_mm(z->R, W2, RW2);
  put_D(f, RW2, none, false);
}

void trmi_modal_body_blocks(trmi_modal_body *body, const trm_state *s,
                            const trm_block_request *request, double **places) {
  const int n = body->inertia.n, nv = 6 + n;
  filling f = {.in = &body->inertia, .z = &body->now, .n = n, .nv = nv,
               .width = body->inertia.width,
               .is_strong = request->is_strong && !body->is_fast, .rows = body->rows};
  const trmi_modal_wish wish = {.G1 = true, .J21 = places[TRM_K] != NULL && !f.is_strong};
  trmi_modal_body_at(body, s->q + body->q, s->v + body->v, wish);
  double *M = trmi_next_entries(&places[TRM_M], 6 * nv + 7 * n);
  double *MU_Q = trmi_next_entries(&places[TRM_MU_Q], nv * nv);
  double *K = trmi_next_entries(&places[TRM_K], nv * nv);
  double *C = trmi_next_entries(&places[TRM_C], nv * nv);
  if (M != NULL) fill_M(&f, M);
  if (MU_Q != NULL) {
    place(&f, body->full, MU_Q);
    fill_MU_Q(&f, body, request->u + body->v);
    finish(&f, MU_Q);
  }
  if (K != NULL) {
    place(&f, body->full, K);
    fill_K(&f, body->gravity);
    finish(&f, K);
  }
  if (C != NULL) {
    place(&f, body->full, C);
    fill_C(&f);
    finish(&f, C);
  }
}
