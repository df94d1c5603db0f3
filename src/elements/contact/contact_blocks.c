/* contact_blocks.c - patterns and blocks of contacts.
 *
 * K and C of a contact are four rectangles, rows and columns of A and B, to which all of its points
 * add. The states z of a point have the rows d = z' - rate:
 *   D_XD = 1,   D_X = -d(rate)/dz,   D_Q, D_V = -d(rate)/d(q, v),   Q_X = dQ/dz            (1)
 * On a body whose velocities are not the six of a marker, with y the loads of all points there,
 *   K = J^T (K_m J + C_m d(J v)/dq) - d(J^T y)/dq,   C = J^T C_m J,   Q_X = J^T Q_X_m,
 *   D_Q = D_Q_m J + D_V_m d(J v)/dq,   D_V = D_V_m J                                      (2)
 * Entries that are zero while it is open, all but those of D_XD and D_X, are a run (sparse.h).
 * Marked runs are already zero: values were zero before the first call, and copies are complete. */
#include "elements/contact/contacts_internal.h"
#include "core/fail.h"
#include "system/system.h"
#include <string.h>

/* Derivatives of one point, in the columns of A, then of B. */
typedef struct tangent {
  double load_z[12][TRMI_CONTACT_STATES];
  double rate[2][TRMI_CONTACT_STATES][12]; /* by q, by v */
  double rate_z[TRMI_CONTACT_STATES][TRMI_CONTACT_STATES];
} tangent;

static int columns_of(const trmi_contacts *o, const trmi_contact *c, int end) {
  return trmi_carrier_columns(&o->carriers->list[c->carrier[end]]);
}

/* All points of a place: loads, K and C in the columns of markers. */
typedef struct sums {
  bool   has_any; /* they are zero before the first point that touches */
  double y[12], blocks[2][12][12];
} sums;

/* ---- pattern -------------------------------------------------------------------------------- */

static int declare(trm_pattern *p, trm_block block, int at_row, int at_col, int rows, int cols) {
  if (p != NULL && rows * cols > 0) trm_pattern_dense(p, block, at_row, at_col, rows, cols);
  return rows * cols;
}

/* Blocks that contain entries of unused places. */
static bool is_of_states(trm_block block) {
  return block == TRM_D_XD || block == TRM_D_X;
}

/* The last entries, which vanish together. */
static void declare_run(trm_pattern *p, trm_block block, int count) {
  if (p != NULL && count > 0) trmi_pattern_run(p, block, count);
}

/* Blocks of (1) of one point; an unused point has no load. */
static int point_pattern(const trmi_contacts *o, const trmi_contact *c, int point, trm_pattern *p,
                         trm_block block) {
  const int nz = trmi_contact_states(c), x = c->x + point * nz;
  int count = 0;
  for (int i = 0; i < nz && block == TRM_D_XD; i++) count += declare(p, block, x + i, x + i, 1, 1);
  if (block == TRM_D_X) count += declare(p, block, x, x, nz, nz);
  for (int k = 0; k < 2 && point < c->used; k++) {
    const int v = o->carriers->list[c->carrier[k]].v, n = columns_of(o, c, k);
    if (block == TRM_Q_X) count += declare(p, block, v, x, n, nz);
    if (block == TRM_D_Q || block == TRM_D_V) count += declare(p, block, x, v, nz, n);
  }
  if (!is_of_states(block)) declare_run(p, block, count);
  return count;
}

int trmi_contact_pattern(const void *self, trm_pattern *p, trm_block block) {
  const trmi_contacts *o = self;
  int count = 0;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    const int nz = trmi_contact_states(c);
    if (c->used == 0 && !is_of_states(block)) continue;
    int own = 0;
    for (int k = 0; k < 4 && c->used > 0 && (block == TRM_K || block == TRM_C); k++) {
      own += declare(p, block, o->carriers->list[c->carrier[k / 2]].v,
                     o->carriers->list[c->carrier[k % 2]].v, columns_of(o, c, k / 2),
                     columns_of(o, c, k % 2));
    }
    declare_run(p, block, own);
    count += own;
    for (int k = 0; k < c->npoints && nz > 0; k++) {
      count += point_pattern(o, c, k, p, block);
    }
  }
  return count;
}

/* The states of a point form a node and are eliminated together. */
void trmi_contact_nodes(const void *self, trm_pattern *p) {
  const trmi_contacts *o = self;
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    const int nz = trmi_contact_states(c);
    for (int k = 0; k < c->npoints && nz > 0; k++) trm_pattern_node(p, TRM_X, c->x + k * nz, nz);
  }
}

/* ---- values --------------------------------------------------------------------------------- */

/* Columns of q or v of one point: loads are added to K, rates go into `t`. */
static void add_columns(const trmi_contacts *o, const trmi_contact *c, int point,
                        const trmi_contact_state *at, bool is_velocity, double K[12][12],
                        tangent *t) {
  const trmi_touch_point *p = &c->points[point];
  const bool is_swapped = p->carrier[0] != c->carrier[0];
  double Q[2][6], dQ[2][6];
  trmi_contact_loads(at, Q);
  for (int side = 0; side < 2; side++) {
    const int columns = (int)o->carriers->list[p->carrier[side]].kind;
    const int first = 6 * (is_swapped ? 1 - side : side);
    for (int k = 0; k < columns; k++) {
      const trmi_contact_change d = trmi_contact_column(at, side, is_velocity, k);
      trmi_contact_change_loads(at, &d, side, Q, dQ);
      for (int i = 0; i < 12; i++) {
        K[is_swapped ? (i + 6) % 12 : i][first + k] -= dQ[i / 6][i % 6];
      }
      for (int i = 0; i < at->nz; i++) t->rate[is_velocity][i][first + k] = d.rate[i];
    }
  }
}

static void add_states(const trmi_contact *c, int point, const trmi_contact_state *at, tangent *t) {
  const bool is_swapped = c->points[point].carrier[0] != c->carrier[0];
  double Q[2][6], dQ[2][6];
  trmi_contact_loads(at, Q);
  for (int k = 0; k < at->nz; k++) {
    const trmi_contact_change d = trmi_contact_state_column(at, k);
    trmi_contact_change_loads(at, &d, 0, Q, dQ);
    for (int i = 0; i < 12; i++) {
      t->load_z[is_swapped ? (i + 6) % 12 : i][k] = dQ[i / 6][i % 6];
    }
    for (int i = 0; i < at->nz; i++) t->rate_z[i][k] = d.rate[i];
  }
}

static const trm_block of_runs[] = {TRM_Q_X, TRM_D_Q, TRM_D_V}; /* of a point */
enum { OF_RUNS = sizeof of_runs / sizeof *of_runs };

/* (1), in the order of point_pattern */
static void write_states(const trmi_contacts *o, const trmi_contact *c, int point,
                         const tangent *t, double *out[TRM_BLOCKS]) {
  const int nz = trmi_contact_states(c);
  double *first[OF_RUNS];
  for (int i = 0; i < OF_RUNS; i++) first[i] = out[of_runs[i]];
  for (int i = 0; i < nz && out[TRM_D_XD] != NULL; i++) *out[TRM_D_XD]++ = 1.0;
  for (int i = 0; i < nz * nz && out[TRM_D_X] != NULL; i++) {
    *out[TRM_D_X]++ = -t->rate_z[i / nz][i % nz];
  }
  for (int k = 0; k < 2 && point < c->used; k++) {
    const int n = columns_of(o, c, k);
    for (int i = 0; i < n * nz && out[TRM_Q_X] != NULL; i++) {
      *out[TRM_Q_X]++ = t->load_z[6 * k + i / nz][i % nz];
    }
    for (int i = 0; i < nz * n && out[TRM_D_Q] != NULL; i++) {
      *out[TRM_D_Q]++ = -t->rate[0][i / n][6 * k + i % n];
    }
    for (int i = 0; i < nz * n && out[TRM_D_V] != NULL; i++) {
      *out[TRM_D_V]++ = -t->rate[1][i / n][6 * k + i % n];
    }
  }
  for (int i = 0; i < OF_RUNS; i++) trmi_run_mark(first[i], out[of_runs[i]], false);
}

/* The same on bodies with other velocities, (2). */
static void write_mapped_states(const trmi_contacts *o, const trmi_contact *c, const tangent *t,
                                double *out[TRM_BLOCKS]) {
  const int nz = trmi_contact_states(c);
  double *first[OF_RUNS], load_z[12][TRMI_CONTACT_STATES], rate[2][TRMI_CONTACT_STATES][12];
  for (int i = 0; i < OF_RUNS; i++) first[i] = out[of_runs[i]];
  for (int i = 0; i < 12; i++) memcpy(load_z[i], t->load_z[i], sizeof load_z[i]);
  for (int i = 0; i < 2 * nz * 12; i++) {
    const int of = i / (nz * 12), row = i / 12 % nz;
    rate[of][row][i % 12] = -t->rate[of][row][i % 12];
  }
  for (int i = 0; i < nz && out[TRM_D_XD] != NULL; i++) *out[TRM_D_XD]++ = 1.0;
  for (int i = 0; i < nz * nz && out[TRM_D_X] != NULL; i++) {
    *out[TRM_D_X]++ = -t->rate_z[i / nz][i % nz];
  }
  for (int k = 0; k < 2; k++) {
    const trmi_carrier *carrier = &o->carriers->list[c->carrier[k]];
    const int n = trmi_carrier_columns(carrier);
    const trmi_dense by_q = {&rate[0][0][6 * k], 12}, by_v = {&rate[1][0][6 * k], 12};
    for (int i = 0; i < OF_RUNS; i++) {
      double *values = out[of_runs[i]];
      if (values == NULL) continue;
      memset(values, 0, (size_t)(n * nz) * sizeof *values);
      out[of_runs[i]] += n * nz;
      if (of_runs[i] == TRM_Q_X) {
        trmi_carrier_left(carrier, (trmi_dense){&load_z[6 * k][0], TRMI_CONTACT_STATES}, nz,
                          (trmi_dense){values, nz});
        continue;
      }
      const bool is_q = of_runs[i] == TRM_D_Q;
      trmi_carrier_right(carrier, is_q ? by_q : by_v, nz, TRMI_MAP_J, (trmi_dense){values, n});
      if (is_q) trmi_carrier_right(carrier, by_v, nz, TRMI_MAP_JV_Q, (trmi_dense){values, n});
    }
  }
  for (int i = 0; i < OF_RUNS; i++) trmi_run_mark(first[i], out[of_runs[i]], false);
}

/* A run that is zero. */
static void write_zeros(int count, double **out) {
  if (*out == NULL || count == 0) return;
  double *first = *out;
  *out += count;
  if (trmi_run_is_zero(first)) return;
  memset(first, 0, (size_t)count * sizeof *first);
  trmi_run_mark(first, *out, true);
}

/* (1) of a point that is open */
static void write_idle(const trmi_contacts *o, const trmi_contact *c, int point,
                       double *out[TRM_BLOCKS]) {
  const int nz = trmi_contact_states(c);
  for (int i = 0; i < nz && out[TRM_D_XD] != NULL; i++) *out[TRM_D_XD]++ = 1.0;
  for (int i = 0; i < nz * nz && out[TRM_D_X] != NULL; i++) {
    *out[TRM_D_X]++ = i / nz == i % nz ? 1.0 / c->friction.time : 0.0;
  }
  if (point >= c->used) return;
  const int count = (columns_of(o, c, 0) + columns_of(o, c, 1)) * nz;
  for (int i = 0; i < OF_RUNS; i++) write_zeros(count, &out[of_runs[i]]);
}

static void write_rectangles(const trmi_contacts *o, const trmi_contact *c, double K[12][12],
                             double **out) {
  double *first = *out;
  for (int i = 0; i < 4 && *out != NULL; i++) {
    const int rows = columns_of(o, c, i / 2), cols = columns_of(o, c, i % 2);
    for (int k = 0; k < rows * cols; k++) {
      *(*out)++ = K[6 * (i / 2) + k / cols][6 * (i % 2) + k % cols];
    }
  }
  trmi_run_mark(first, *out, false);
}

/* (2) for K or C. */
static void write_mapped(const trmi_contacts *o, const trmi_contact *c, sums *u, bool is_velocity,
                         double **out) {
  double *first = *out;
  for (int i = 0; i < 4 && *out != NULL; i++) {
    const trmi_carrier *row = &o->carriers->list[c->carrier[i / 2]];
    const trmi_carrier *col = &o->carriers->list[c->carrier[i % 2]];
    const int rows = trmi_carrier_columns(row), cols = trmi_carrier_columns(col);
    const trmi_dense K = {&u->blocks[0][6 * (i / 2)][6 * (i % 2)], 12};
    const trmi_dense C = {&u->blocks[1][6 * (i / 2)][6 * (i % 2)], 12};
    const trmi_dense product = {o->product, cols}, here = {*out, cols};
    memset(*out, 0, (size_t)(rows * cols) * sizeof **out);
    memset(o->product, 0, 6 * (size_t)cols * sizeof *o->product);
    trmi_carrier_right(col, is_velocity ? C : K, 6, TRMI_MAP_J, product);
    if (!is_velocity) trmi_carrier_right(col, C, 6, TRMI_MAP_JV_Q, product);
    trmi_carrier_left(row, product, cols, here);
    if (i % 3 == 0 && !is_velocity) { /* on the diagonal */
      trmi_carrier_turned(row, u->y + 6 * (i / 2), -1.0, o->turned, here);
    }
    *out += rows * cols;
  }
  trmi_run_mark(first, *out, false);
}

static void add_loads(const trmi_contact *c, int point, const trmi_contact_state *at, sums *u) {
  const bool is_swapped = c->points[point].carrier[0] != c->carrier[0];
  double Q[2][6];
  trmi_contact_loads(at, Q);
  for (int i = 0; i < 12; i++) u->y[is_swapped ? (i + 6) % 12 : i] += Q[i / 6][i % 6];
}

/* Blocks of a point; K of a place is cleared before its first point in contact. */
static void fill_point(const trmi_contacts *o, const trmi_contact *c, int point,
                       const trm_state *s, sums *u, double *out[TRM_BLOCKS]) {
  const bool is_mapped = trmi_contact_is_mapped(o, c);
  trmi_contact_state at;
  tangent t;
  const bool wants_q = out[TRM_K] != NULL || out[TRM_D_Q] != NULL;
  const bool wants_v = out[TRM_C] != NULL || out[TRM_D_V] != NULL || (is_mapped && wants_q);
  if (trmi_contact_is_idle(o, c, point) || !trmi_contact_evaluate(o, c, point, s, &at)) {
    write_idle(o, c, point, out);
    return;
  }
  if (!u->has_any) memset(u, 0, sizeof *u);
  u->has_any = true;
  if (at.nz > 0) memset(&t, 0, sizeof t);
  if (wants_q) add_columns(o, c, point, &at, false, u->blocks[0], &t);
  if (wants_v) add_columns(o, c, point, &at, true, u->blocks[1], &t);
  if (is_mapped) add_loads(c, point, &at, u);
  if (at.nz == 0) return;
  add_states(c, point, &at, &t);
  if (is_mapped) write_mapped_states(o, c, &t, out);
  else write_states(o, c, point, &t, out);
}

/* Derivatives of the maps of a contact, if K or D_Q is wanted. */
static void find_tangents(const trmi_contacts *o, const trmi_contact *c,
                          const trm_block_request *request) {
  if (request->values[TRM_K] == NULL && request->values[TRM_D_Q] == NULL) return;
  for (int k = 0; k < 2; k++) {
    const trmi_map *map = o->carriers->list[c->carrier[k]].map;
    if (map != NULL) map->tangents(map, false);
  }
}

/* Does a block of the request depend on the pairs in the places? D_XD has entries of all points. */
static bool has_places(const trm_block_request *request) {
  static const trm_block blocks[] = {TRM_K, TRM_C, TRM_D_X, TRM_Q_X, TRM_D_Q, TRM_D_V};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    if (request->values[blocks[i]] != NULL) return true;
  }
  return false;
}

trm_status trmi_contact_blocks(void *self, const trm_state *s, const trm_block_request *request,
                               trm_error *err) {
  trmi_contacts *o = self;
  const int before = o->epoch;
  double *out[TRM_BLOCKS];
  if (has_places(request)) TRMI_TRY(err, trmi_pools_cover(o, s, err));
  if (o->epoch != before) return trmi_contributor_ask(TRMI_CONTACTS_NAME, err);
  memcpy(out, request->values, sizeof out);
  for (int i = 0; i < o->count; i++) {
    const trmi_contact *c = &o->list[i];
    sums u;
    u.has_any = false;
    if (c->used > 0) find_tangents(o, c, request);
    for (int k = 0; k < c->npoints; k++) fill_point(o, c, k, s, &u, out);
    if (c->used == 0) continue;
    const int columns = columns_of(o, c, 0) + columns_of(o, c, 1);
    for (int k = 0; k < 2; k++) {
      double **place = &out[k == 0 ? TRM_K : TRM_C];
      if (!u.has_any) write_zeros(columns * columns, place);
      else if (trmi_contact_is_mapped(o, c)) write_mapped(o, c, &u, k == 1, place);
      else write_rectangles(o, c, u.blocks[k], place);
    }
  }
  return TRM_OK;
}
