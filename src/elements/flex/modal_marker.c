/* modal_marker.c - an interface of a modal body as a marker, with all functions of assembly/map.h.
 *
 * Its position s in the frame of the body and its rotation vector th relative to it are of second
 * order in the modes if loads stiffen the body, H and Hr of (3) in fem/modal_stiffening.c:
 *   s = s0 + F a - 1/2 a.H a,   th = S a - 1/2 a.Hr a,   Fe = F - H a,   Se = S - Hr a     (0)
 * With E = exp(th~), T(th) its tangent (w = T th'), W = E^T w, u = T th', th' = Se a':
 *   v_m = x' + R (w x s + Fe a'),   w_m = W + u                                            (1)
 *   J = (1, -R s~, R Fe ; 0, E^T, T Se)                                                    (2)
 *   bias = R (w x (w x s) + 2 w x Fe a' - a'.H a'),
 *          W x u + f - T (a'.Hr a'),   f = (dT/dth th') th'                                (3)
 * Increments: dR = R dtheta~, ds = Fe da, dth = Se da, d(Fe a') = -H a' da, d(E^T y) = (E^T y) x
 * (T dth). T y and its derivatives, with b = (1 - cos t)/t^2, c = (t - sin t)/t^3, b1 = b'/t,
 * b2 = b1'/t, c1, c2 likewise:
 *   T y = y - b t x y + c t x (t x y)                                                      (4)
 * For a fixed load (f, tau), f in ground and tau in marker axes, ga = R^T f, T^T(th) = T(-th):
 *   J^T (f, tau) = (f,  s x ga + E tau,  Fe^T ga + Se^T T^T tau)                           (5)
 * The derivative of its last part has -ga.H - (T^T tau).Hr: loads stiffen the body. */
#include "elements/flex/modal_body.h"
#include "math/combine.h"
#include <string.h>

static trmi_vec3 axis(int k) {
  return v3(k == 0, k == 1, k == 2);
}

/* ---- derivatives of T ------------------------------------------------------------------------ */

typedef struct series {
  double b, b1, b2, c, c1, c2;
} series;

/* b = sum (-t^2)^k/(2k + 2)!, c = sum (-t^2)^k/(2k + 3)!, and derivatives term by term, until terms
 * of the second derivative are rounding: five terms for the small rotations of modes, forty for
 * more than one turn. */
static series series_of(trmi_vec3 t) {
  const double x = v3_dot(t, t);
  series s = {0};
  double even = 0.5, before[3] = {1.0, 0.0, 0.0}; /* 1/(2k + 2)!; x^k, x^(k-1), x^(k-2) */
  for (int k = 0; k < 60; k++) {
    const double odd = even / (2 * k + 3), first = 2.0 * k, second = first * (2.0 * k - 2.0);
    s.b += even * before[0], s.c += odd * before[0];
    s.b1 += first * even * before[1], s.c1 += first * odd * before[1];
    s.b2 += second * even * before[2], s.c2 += second * odd * before[2];
    if (k > 3 && fabs(second * even * before[2]) < 1e-20) break;
    even /= -(2.0 * k + 3.0) * (2.0 * k + 4.0);
    before[2] = before[1], before[1] = before[0], before[0] *= x;
  }
  return s;
}

/* Derivative of T(t) y along d. */
static trmi_vec3 slope(const series *s, trmi_vec3 t, trmi_vec3 y, trmi_vec3 d) {
  const trmi_vec3 ty = v3_cross(t, y), tty = v3_cross(t, ty), dy = v3_cross(d, y);
  const double td = v3_dot(t, d);
  trmi_vec3 out = v3_add(v3_scale(-s->b1 * td, ty), v3_scale(-s->b, dy));
  out = v3_add(out, v3_scale(s->c1 * td, tty));
  return v3_add(out, v3_scale(s->c, v3_add(v3_cross(d, ty), v3_cross(t, dy))));
}

/* Derivative of slope(t, y, d) by t along e. */
static trmi_vec3 curvature(const series *s, trmi_vec3 t, trmi_vec3 y, trmi_vec3 d, trmi_vec3 e) {
  const trmi_vec3 ty = v3_cross(t, y), tty = v3_cross(t, ty);
  const trmi_vec3 dy = v3_cross(d, y), ey = v3_cross(e, y);
  const double td = v3_dot(t, d), te = v3_dot(t, e), ed = v3_dot(e, d);
  const trmi_vec3 along_d = v3_add(v3_cross(d, ty), v3_cross(t, dy));
  const trmi_vec3 along_e = v3_add(v3_cross(e, ty), v3_cross(t, ey));
  const trmi_vec3 both = v3_add(v3_cross(d, ey), v3_cross(e, dy));
  trmi_vec3 out = v3_scale(-s->b2 * te * td - s->b1 * ed, ty);
  out = v3_add(out, v3_add(v3_scale(-s->b1 * td, ey), v3_scale(-s->b1 * te, dy)));
  out = v3_add(out, v3_scale(s->c2 * te * td + s->c1 * ed, tty));
  out = v3_add(out, v3_add(v3_scale(s->c1 * td, along_e), v3_scale(s->c1 * te, along_d)));
  return v3_add(out, v3_scale(s->c, both));
}

/* ---- matrices of columns -------------------------------------------------------------------- */

/* Column j of three padded rows. */
static trmi_vec3 column(const double *A, int width, int j) {
  return v3(A[j], A[width + j], A[2 * width + j]);
}

/* Column j of a 6 x nv matrix. */
static void put(double *M, int nv, int j, trmi_vec3 top, trmi_vec3 bottom) {
  M[j] = top.x, M[nv + j] = top.y, M[2 * nv + j] = top.z;
  M[3 * nv + j] = bottom.x, M[4 * nv + j] = bottom.y, M[5 * nv + j] = bottom.z;
}

/* Two matrices of three padded rows, one behind the other, times a padded vector. */
static void products(const double *A, int width, const double *a, trmi_vec3 *top,
                     trmi_vec3 *bottom) {
  double out[8];
  trmi_combine_dots(width, 6, A, a, out);
  *top = v3_load(out);
  *bottom = v3_load(out + 3);
}

/* Three rows of a matrix, behind the six columns of the frame: T A of three padded rows. */
static void put_modes(const trmi_modal_marker *m, double *rows, const double T[9],
                      const double *A) {
  trmi_combine(m->n, 3, 3, false, (trmi_long_const){T, 3}, (trmi_long_const){A, m->width},
               (trmi_long_rows){rows + 6, 6 + m->n});
}

/* The same, added. */
static void add_modes(const trmi_modal_marker *m, double *rows, const double T[9],
                      const double *A) {
  trmi_combine(m->n, 3, 3, true, (trmi_long_const){T, 3}, (trmi_long_const){A, m->width},
               (trmi_long_rows){rows + 6, 6 + m->n});
}

static void scale_matrix(double factor, const double A[9], double out[9]) {
  for (int k = 0; k < 9; k++) out[k] = factor * A[k];
}

/* Lower three rows of a 6 x nv matrix. */
static double *lower(double *M, int n) {
  return M + 3 * (6 + n);
}

/* (2) */
static void fill_J(const trmi_map *map) {
  const trmi_modal_marker *m = map->self;
  const int nv = 6 + m->n;
  double *J = map->J;
  for (int k = 0; k < 3; k++) {
    put(J, nv, k, axis(k), v3(0, 0, 0));
    put(J, nv, 3 + k, m3_mul(m->R, v3_cross(axis(k), m->s)), m3_tmul(m->E, axis(k)));
  }
  put_modes(m, J, m->R, m->Fe);
  put_modes(m, lower(J, m->n), m->T, m->Se);
}

/* The vector rotated by R in (3). */
static trmi_vec3 bias_of_point(const trmi_modal_marker *m) {
  const trmi_vec3 bias = v3_add(v3_cross(m->w, v3_cross(m->w, m->s)),
                                v3_scale(2.0, v3_cross(m->w, m->s1)));
  return m->H != NULL ? v3_add(bias, m->s2) : bias;
}

/* Scratch for all quantities that depend on the state. */
bool trmi_modal_marker_room(trmi_modal_marker *m, trmi_arena *arena) {
  const int width = m->width;
  m->xy = TRMI_TAKE(arena, double, (m->H != NULL ? 14 : 2) * width);
  m->Fe = m->F, m->Se = m->S;
  if (m->H == NULL) return !arena->failed;
  m->bent = TRMI_TAKE(arena, double, 6 * width);
  m->F1 = TRMI_TAKE(arena, double, 6 * width);
  if (arena->failed) return false;
  m->Fe = m->bent, m->Se = m->bent + 3 * width;
  m->S1 = m->F1 + 3 * width;
  return true;
}

bool trmi_modal_marker_take(trmi_modal_marker *m, const trmi_modal_interface *at,
                            trmi_arena *arena) {
  const int n = m->n, width = m->width;
  const size_t bytes = (size_t)n * sizeof(double);
  m->F = TRMI_TAKE(arena, double, 6 * width);
  if (arena->failed) return false;
  m->S = m->F + 3 * width;
  for (int k = 0; k < 3; k++) {
    memcpy(m->F + width * k, at->F + n * k, bytes);
    memcpy(m->S + width * k, at->S + n * k, bytes);
  }
  if (at->H == NULL) return trmi_modal_marker_room(m, arena);
  trmi_packed *list = TRMI_TAKE(arena, trmi_packed, 6);
  for (int k = 0; k < 6 && !arena->failed; k++) {
    (void)trmi_packed_make(&list[k], at->H + (size_t)k * (size_t)(n * n),
                           &(trmi_packing){.n = n}, arena);
  }
  if (arena->failed) return false;
  m->H = list;
  return trmi_modal_marker_room(m, arena);
}

/* (0) and its rates */
static void bend(trmi_modal_marker *m) {
  const int width = m->width;
  const double *a = m->xy, *a1 = a + width;
  trmi_vec3 s, th;
  trmi_packed_multiply(m->H, 6, 2, a, m->xy + 2 * width);
  for (int k = 0; k < 6; k++) {
    const double *straight = m->F + width * k, *Ha = m->xy + 2 * width * (k + 1);
    const double *Ha1 = Ha + width;
    double *Fe = m->bent + width * k, *F1 = m->F1 + width * k;
    for (int j = 0; j < width; j++) Fe[j] = straight[j] - Ha[j], F1[j] = -Ha1[j];
  }
  products(m->F, width, a, &s, &th);
  m->s = s, m->th = th;
  products(m->Fe, width, a, &s, &th);
  m->s = v3_scale(0.5, v3_add(m->s, s));
  m->th = v3_scale(0.5, v3_add(m->th, th));
  products(m->F1, width, a1, &m->s2, &m->th2);
}

void trmi_modal_marker_move(trmi_modal_marker *m, const double *q, const double *v,
                            trmi_pose *pose) {
  double th[3], turn[4];
  trmi_quat_matrix(q + 3, m->R);
  memcpy(m->xy, q + 7, (size_t)m->n * sizeof *q);
  memcpy(m->xy + m->width, v + 6, (size_t)m->n * sizeof *v);
  if (m->H != NULL) {
    bend(m);
  } else {
    products(m->F, m->width, m->xy, &m->s, &m->th);
  }
  m->s = v3_add(m->s0, m->s);
  products(m->Fe, m->width, m->xy + m->width, &m->s1, &m->th1);
  v3_store(th, m->th);
  trmi_so3_exp(th, turn);
  trmi_quat_matrix(turn, m->E);
  trmi_so3_T(th, m->T);
  m->w = v3_load(v + 3);
  m->W = m3_tmul(m->E, m->w);
  m->u = m3_mul(m->T, m->th1);
  trmi_quat_mul(q + 3, turn, m->p);
  trmi_quat_matrix(m->p, pose->R);
  pose->p = m->p;
  pose->x = v3_add(v3_load(q), m3_mul(m->R, m->s));
  pose->v = v3_add(v3_load(v), m3_mul(m->R, v3_add(v3_cross(m->w, m->s), m->s1)));
  pose->w = v3_add(m->W, m->u);
  m->has_old_J = true;
  const series s = series_of(m->th);
  v3_store(m->map->bias, m3_mul(m->R, bias_of_point(m)));
  v3_store(m->map->bias + 3, v3_add(v3_cross(m->W, m->u), slope(&s, m->th, m->th1, m->th1)));
  if (m->H != NULL) v3_accumulate(m->map->bias + 3, m3_mul(m->T, m->th2));
}

/* Derivatives of w_m and of its bias by th and th'. */
typedef struct turning {
  double rate_t[9];            /* d(W + u)/dth            */
  double bias_t[9], bias_1[9]; /* d(W x u + f)/dth, /dth' */
} turning;

static void differentiate(const trmi_modal_marker *m, turning *out) {
  const series s = series_of(m->th);
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 e = axis(k), Te = m3_mul(m->T, e);
    const trmi_vec3 dW = v3_cross(m->W, Te), du = slope(&s, m->th, m->th1, e);
    m3_set_column(out->rate_t, k, v3_add(dW, du));
    m3_set_column(out->bias_t, k, v3_add(v3_add(v3_cross(dW, m->u), v3_cross(m->W, du)),
                                         curvature(&s, m->th, m->th1, m->th1, e)));
    m3_set_column(out->bias_1, k,
                  v3_add(v3_cross(m->W, Te), v3_add(slope(&s, m->th, e, m->th1), du)));
  }
}

/* Shares of H: Fe a' changes by F1 da, a'.H a' by -2 F1 da', T th2 by th. */
static void add_bent_bias(const trmi_modal_marker *m, const turning *t, const double RW2[9],
                          const trmi_map *map) {
  const int n = m->n;
  const series s = series_of(m->th);
  double R2[9], T2[9], turned[9];
  scale_matrix(2.0, m->R, R2);
  scale_matrix(2.0, m->T, T2);
  for (int k = 0; k < 3; k++) m3_set_column(turned, k, slope(&s, m->th, m->th2, axis(k)));
  add_modes(m, map->bias_q, RW2, m->F1);
  add_modes(m, lower(map->bias_q, n), t->bias_1, m->S1);
  add_modes(m, lower(map->bias_q, n), turned, m->Se);
  add_modes(m, map->bias_v, R2, m->F1);
  add_modes(m, lower(map->bias_v, n), T2, m->S1);
}

/* bias_q and bias_v */
static void fill_bias(const trmi_modal_marker *m, const turning *t, const double RW[9],
                      const double W[9], const trmi_map *map) {
  const int n = m->n, nv = 6 + n;
  const trmi_vec3 zero = v3(0, 0, 0), bias = bias_of_point(m), ws = v3_cross(m->w, m->s);
  double RWW[9], RW2[9];
  for (int k = 0; k < 3; k++) {
    const trmi_vec3 e = axis(k), Ee = m3_tmul(m->E, e);
    trmi_vec3 top = v3_add(v3_cross(e, ws), v3_cross(m->w, v3_cross(e, m->s)));
    top = v3_add(top, v3_scale(2.0, v3_cross(e, m->s1)));
    put(map->bias_q, nv, k, zero, zero);
    put(map->bias_v, nv, k, zero, zero);
    put(map->bias_q, nv, 3 + k, m3_mul(m->R, v3_cross(e, bias)), zero);
    put(map->bias_v, nv, 3 + k, m3_mul(m->R, top), v3_cross(Ee, m->u));
  }
  m3_mm(RW, W, RWW);
  scale_matrix(2.0, RW, RW2);
  put_modes(m, map->bias_q, RWW, m->Fe);
  put_modes(m, map->bias_v, RW2, m->Fe);
  put_modes(m, lower(map->bias_q, n), t->bias_t, m->Se);
  put_modes(m, lower(map->bias_v, n), t->bias_1, m->Se);
  if (m->H != NULL) add_bent_bias(m, t, RW2, map);
}

static void tangents(const trmi_map *map, bool with_bias) {
  const trmi_modal_marker *m = map->self;
  const int n = m->n, nv = 6 + n;
  const trmi_vec3 zero = v3(0, 0, 0), speed = v3_add(v3_cross(m->w, m->s), m->s1);
  double W[9], RW[9];
  turning t;
  differentiate(m, &t);
  for (int k = 0; k < 3; k++) {
    put(map->Jv_q, nv, k, zero, zero);
    put(map->Jv_q, nv, 3 + k, m3_mul(m->R, v3_cross(axis(k), speed)), zero);
  }
  m3_skew(m->w, W);
  m3_mm(m->R, W, RW);
  put_modes(m, map->Jv_q, RW, m->Fe);
  put_modes(m, lower(map->Jv_q, n), t.rate_t, m->Se);
  if (m->H != NULL) {
    add_modes(m, map->Jv_q, m->R, m->F1);
    add_modes(m, lower(map->Jv_q, n), m->T, m->S1);
  }
  if (with_bias) fill_bias(m, &t, RW, W, map);
}

/* -ga.H - (T^T tau).Hr */
static void stiffen(const trmi_modal_marker *m, trmi_vec3 ga, trmi_vec3 tau, double *out) {
  const int n = m->n, nv = 6 + n;
  double load[6];
  v3_store(load, ga);
  v3_store(load + 3, m3_tmul(m->T, tau));
  for (int i = 0; i < n; i++) {
    double *row = out + nv * (6 + i) + 6, *H = m->xy;
    for (int k = 0; k < 6; k++) {
      trmi_packed_row(&m->H[k], i, H);
      for (int j = 0; j < n; j++) row[j] -= load[k] * H[j];
    }
  }
}

/* Modes and modes: Se^T (d(T^T tau)/dth) Se, then H */
static void fill_modes(const trmi_modal_marker *m, trmi_vec3 ga, trmi_vec3 tau, double *out) {
  const int n = m->n, nv = 6 + n;
  const series s = series_of(m->th);
  const trmi_vec3 back = v3_neg(m->th);
  double turned[9];
  for (int k = 0; k < 3; k++) {
    m3_set_column(turned, k, v3_neg(slope(&s, back, tau, axis(k))));
  }
  for (int j = 0; j < n; j++) {
    const trmi_vec3 dT = m3_mul(turned, column(m->Se, m->width, j));
    for (int i = 0; i < n; i++) {
      out[nv * (6 + i) + 6 + j] = v3_dot(column(m->Se, m->width, i), dT);
    }
  }
  if (m->H != NULL) stiffen(m, ga, tau, out);
}

/* Derivative of (5): rows 3 to 5. */
static void fill_turned_rows(const trmi_modal_marker *m, trmi_vec3 ga, trmi_vec3 tau,
                             double *rows) {
  const int nv = 6 + m->n;
  double back[9], Etau[9], EtauT[9];
  for (int k = 0; k < 3; k++) {
    double top[3];
    v3_store(top, v3_cross(m->s, v3_cross(ga, axis(k))));
    for (int i = 0; i < 3; i++) rows[nv * i + k] = 0.0, rows[nv * i + 3 + k] = top[i];
  }
  m3_skew(v3_neg(ga), back); /* rows of w: -ga~ Fe - E tau~ T Se */
  for (int k = 0; k < 3; k++) {
    m3_set_column(Etau, k, m3_mul(m->E, v3_cross(axis(k), tau)));
  }
  m3_mm(Etau, m->T, EtauT);
  put_modes(m, rows, back, m->Fe);
  add_modes(m, rows, EtauT, m->Se);
}

static void transposed_q(const trmi_map *map, const double y[6], double *out) {
  const trmi_modal_marker *m = map->self;
  const int n = m->n, nv = 6 + n;
  const trmi_vec3 ga = m3_tmul(m->R, v3_load(y)), tau = v3_load(y + 3);
  memset(out, 0, 3 * (size_t)nv * sizeof *out);
  fill_turned_rows(m, ga, tau, out + 3 * nv);
  for (int i = 0; i < n; i++) { /* Fe^T ga~ */
    v3_store(out + nv * (6 + i), v3(0, 0, 0));
    v3_store(out + nv * (6 + i) + 3, v3_cross(column(m->Fe, m->width, i), ga));
  }
  fill_modes(m, ga, tau, out);
}

static void transposed_q_strong(const trmi_map *map, const double y[6], double *rows,
                                double *columns) {
  const trmi_modal_marker *m = map->self;
  const int n = m->n;
  const trmi_vec3 ga = m3_tmul(m->R, v3_load(y)), tau = v3_load(y + 3);
  const double *F1 = m->Fe, *F2 = F1 + m->width, *F3 = F2 + m->width;
  fill_turned_rows(m, ga, tau, rows);
  for (int i = 0; i < n; i++) { /* Fe^T ga~ */
    columns[i] = F2[i] * ga.z - F3[i] * ga.y;
    columns[n + i] = F3[i] * ga.x - F1[i] * ga.z;
    columns[2 * n + i] = F1[i] * ga.y - F2[i] * ga.x;
  }
}

void trmi_modal_marker_connect(trmi_modal_marker *m) {
  trmi_map *map = m->map;
  map->self = m;
  map->is_old = &m->has_old_J;
  map->fill = fill_J;
  map->tangents = tangents;
  map->transposed_q = transposed_q;
  map->transposed_q_strong = transposed_q_strong;
}
