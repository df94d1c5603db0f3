/* modal_moment.c - a modal body at a state: its arrays in the form for products, and the products
 * shared by values and blocks; names, (1) and (2) as in modal_body.c. Rows of modes are padded with
 * zeros to a multiple of eight. */
#include "elements/flex/modal_body.h"
#include "math/combine.h"
#include "math/eight.h"
#include <string.h>

/* ---- arrays --------------------------------------------------------------------------------- */

static void make_J0(const trmi_modal_arrays *in, trmi_modal_inertia *out) {
  const int n = in->n;
  const double trace = in->Sigma[0] + in->Sigma[4] + in->Sigma[8];
  for (int k = 0; k < 9; k++) out->J0[k] = (k % 4 == 0 ? trace : 0.0) - in->Sigma[k];
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) { /* (2) */
    const int p = trmi_axis_pairs[k][0], q = trmi_axis_pairs[k][1];
    for (int j = 0; j < n; j++) {
      const double sum = in->L[j] + in->L[4 * n + j] + in->L[8 * n + j];
      out->J1[out->width * k + j] = (p == q ? 2.0 * sum : 0.0) - in->L[n * (3 * p + q) + j] -
                                    in->L[n * (3 * q + p) + j];
    }
  }
}

/* Modes are normal: numbers of J2 and G are at most one, and those up to here are rounding. */
static const double zero = 1e-13;

static bool pack(const double *full, bool is_antisymmetric, trmi_arena *arena,
                 const trmi_modal_inertia *out, trmi_packed *to) {
  const trmi_packing how = {.n = out->n, .is_antisymmetric = is_antisymmetric,
                            .number = out->order.number, .zero = zero};
  return trmi_packed_make(to, full, &how, arena);
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
    for (int i = 0; i < n; i++) out->J2_own[out->width * k + i] = full[(n + 1) * i];
    if (!pack(full, false, arena, out, &out->J2[k])) return false;
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
      out->B0[out->width * i + e] = in->L[n * (3 * j + k) + e] - in->L[n * (3 * k + j) + e];
    }
    if (!pack(full, true, arena, out, &out->G[i])) return false;
  }
  return true;
}

static bool make_products(const trmi_modal_arrays *in, trmi_arena *arena,
                          trmi_modal_inertia *out) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  double *full = TRMI_TAKE(&scratch, double, in->n * in->n);
  const bool is_good = full != NULL && trmi_mode_classes(in, zero, arena, &out->order) &&
                       make_J2(in, arena, full, out) && make_G(in, arena, full, out);
  if (full == NULL) arena->failed = true;
  trmi_arena_clear(&scratch);
  return is_good;
}

bool trmi_modal_inertia_make(const trmi_modal_arrays *arrays, const double *damping,
                             trmi_arena *arena, trmi_modal_inertia *out) {
  const int n = arrays->n, width = trmi_packed_width(n);
  *out = (trmi_modal_inertia){.n = n, .width = width, .mass = arrays->mass,
                              .omega2 = arrays->omega2};
  out->damping = TRMI_TAKE(arena, double, width);
  out->D = TRMI_TAKE(arena, double, 3 * width);
  out->B0 = TRMI_TAKE(arena, double, 3 * width);
  out->J1 = TRMI_TAKE(arena, double, 6 * width);
  out->J2_own = TRMI_TAKE(arena, double, 6 * width);
  if (arena->failed) return false;
  memcpy(out->mc, arrays->mc, sizeof out->mc);
  make_J0(arrays, out);
  if (!make_products(arrays, arena, out)) return false;
  double largest = 0.0;
  for (int j = 0; j < 3 * n; j++) largest = fmax(largest, fabs(arrays->D[j]));
  /* mean axes up to rounding: int phi against the root of the mass, as modes are normal */
  out->has_D = !(largest <= 1e-12 * sqrt(arrays->mass));
  for (int i = 0; i < 3 && out->has_D; i++) {
    memcpy(out->D + width * i, arrays->D + n * i, (size_t)n * sizeof *out->D);
  }
  for (int j = 0; j < n; j++) {
    out->damping[j] = 2.0 * damping[j] * sqrt(fmax(arrays->omega2[j], 0.0));
  }
  return true;
}

bool trmi_modal_moment_take(trmi_modal_moment *z, int n, trmi_arena *arena) {
  const int width = trmi_packed_width(n);
  z->Ja = TRMI_TAKE(arena, double, 6 * width);
  z->J21 = TRMI_TAKE(arena, double, 6 * width);
  z->B = TRMI_TAKE(arena, double, 3 * width);
  z->G1 = TRMI_TAKE(arena, double, 3 * width);
  z->state = TRMI_TAKE(arena, double, 7 + 2 * n);
  z->x = TRMI_TAKE(arena, double, 2 * width);
  z->y = TRMI_TAKE(arena, double, 6 * width);
  z->sorted = TRMI_TAKE(arena, double, 2 * width);
  return !arena->failed;
}

/* ---- products at a state -------------------------------------------------------------------- */

trmi_vec3 trmi_modal_times(const trmi_modal_inertia *in, const double *A, const double *x) {
  double out[TRMI_EIGHT];
  trmi_combine_dots(in->width, 3, A, x, out);
  return v3_load(out);
}

/* Is this the state of the products? If not, record it. Bytes are compared, so new states need not
 * be announced. */
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

/* out_j = in_(at_j): into the order of the arrays, or back; at NULL: as they are. One by one:
 * gathering by vectors takes longer. */
static void pick(int width, const int *at, const double *in, double *out) {
  for (int j = 0; j < width && at != NULL; j++) out[j] = in[at[j]];
  if (at == NULL) memcpy(out, in, (size_t)width * sizeof *in);
}

/* Products of arrays with the first `vectors` of x into y [matrices][vectors][width], in the order
 * of the arrays. */
static void multiply(const trmi_modal_inertia *in, trmi_modal_moment *z, const trmi_packed *list,
                     int matrices, int vectors) {
  const int width = in->width, *number = in->order.number;
  for (int i = 0; i < vectors && number != NULL; i++) {
    pick(width, number, z->x + width * i, z->sorted + width * i);
  }
  trmi_packed_multiply(list, matrices, vectors, number != NULL ? z->sorted : z->x, z->y);
}

/* J2 x of all pairs [6 width] */
static void multiply_J2(const trmi_modal_inertia *in, trmi_modal_moment *z, double *out) {
  const int width = in->width;
  const double *x = z->x;
  const int most = in->has_trace ? 2 : 3;
  multiply(in, z, in->J2, most, 1);
  for (int k = 0; k < most; k++) pick(width, in->order.place, z->y + width * k, out + width * k);
  multiply(in, z, in->J2 + 3, 3, 1);
  for (int k = 0; k < 3; k++) {
    pick(width, in->order.place, z->y + width * k, out + width * (3 + k));
  }
  for (int j = 0; j < width && in->has_trace; j++) {
    out[2 * width + j] = (2.0 * x[j] - out[j]) - out[width + j];
  }
}

/* (2): out = J1 + 2 J2 a of one pair, of which it holds J2 a; *sum = J1 a + a.J2 a in lanes */
static TRMI_INLINE void finish_pair(int width, const double *J1, const double *a, double *out,
                                    trmi_eight *sum) {
  for (int c = 0; c < width; c += TRMI_EIGHT) {
    trmi_eight J, product, at;
    eight_load(&J, J1 + c), eight_load(&product, out + c), eight_load(&at, a + c);
    eight_add(&J, &product);
    eight_add_product(sum, &J, &at);
    eight_add(&J, &product);
    eight_store(out + c, &J);
  }
}

TRMI_CLONES
static void finish_pairs(const trmi_modal_inertia *in, const double *a, double *Ja,
                         double sums[TRMI_EIGHT]) {
  trmi_eight all[TRMI_EIGHT] = {0}, total = {0};
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) {
    finish_pair(in->width, in->J1 + in->width * k, a, Ja + in->width * k, &all[k]);
  }
  eight_add_sums(&total, all);
  eight_store(sums, &total);
}

/* (2) */
static void find_J(const trmi_modal_inertia *in, trmi_modal_moment *z) {
  double sums[TRMI_EIGHT];
  multiply_J2(in, z, z->Ja);
  finish_pairs(in, z->x, z->Ja, sums);
  memcpy(z->J, in->J0, sizeof z->J);
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) {
    const int p = trmi_axis_pairs[k][0], r = trmi_axis_pairs[k][1];
    z->J[3 * p + r] += sums[k];
    if (p != r) z->J[3 * r + p] += sums[k];
  }
}

/* (1), and on request G a' */
static void find_B(const trmi_modal_inertia *in, trmi_modal_moment *z, bool with_G1) {
  const int width = in->width, *place = in->order.place, vectors = with_G1 ? 2 : 1;
  multiply(in, z, in->G, 3, vectors);
  for (int i = 0; i < 3; i++) {
    const double *Ga = z->y + vectors * width * i, *B0 = in->B0 + width * i;
    double *B = z->B + width * i;
    pick(width, place, Ga, B);
    for (int j = 0; j < width; j++) B[j] = B0[j] - B[j];
    if (with_G1) pick(width, place, Ga + width, z->G1 + width * i);
  }
  z->has_G1 = with_G1;
}

void trmi_modal_turn(trmi_modal_body *body, const double *u, double *out) {
  const trmi_modal_inertia *in = &body->inertia;
  trmi_modal_moment *z = &body->now;
  memcpy(z->x, u, (size_t)in->n * sizeof *u);
  multiply(in, z, in->G, 3, 1);
  for (int i = 0; i < 3; i++) {
    pick(in->width, in->order.place, z->y + in->width * i, out + in->width * i);
  }
}

void trmi_modal_body_at(trmi_modal_body *body, const double *q, const double *v,
                        trmi_modal_wish wish) {
  const trmi_modal_inertia *in = &body->inertia;
  trmi_modal_moment *z = &body->now;
  const int n = in->n;
  const size_t bytes = (size_t)n * sizeof(double);
  const bool was_here = is_here(z, n, q, v);
  double *a = z->x, *a1 = a + in->width;
  if (wish.J21 && !z->has_J21) {
    memcpy(a, v + 6, bytes);
    multiply_J2(in, z, z->J21);
    z->has_J21 = true;
  }
  if (was_here && wish.G1 && !z->has_G1) {
    trmi_modal_turn(body, v + 6, z->G1);
    z->has_G1 = true;
  }
  if (was_here) return;
  memcpy(a, q + 7, bytes);
  memcpy(a1, v + 6, bytes);
  trmi_quat_matrix(q + 3, z->R);
  z->w = v3_load(v + 3);
  z->mc = v3_load(in->mc);
  z->D1 = v3(0, 0, 0);
  if (in->has_D) {
    z->mc = v3_add(z->mc, trmi_modal_times(in, in->D, a));
    z->D1 = trmi_modal_times(in, in->D, a1);
  }
  find_J(in, z);
  find_B(in, z, wish.G1);
  trmi_combine_dots(in->width, TRMI_AXIS_PAIRS, z->Ja, a1, z->Ja1);
  z->B1 = trmi_modal_times(in, z->B, a1);
}
