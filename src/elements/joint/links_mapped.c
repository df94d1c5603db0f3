/* links_mapped.c - rows of a joint on markers that map.
 *
 * Subscript m: in the six columns of each marker, 12 in all, from rows.c; J, b and their
 * derivatives of elements/body/carrier.h, for both markers side by side, with y fixed in (5):
 *   G = G_m J,   g_bias = bias_m + G_m b                                                   (1)
 *   GV_Q = GV_Q_m J + G_m d(J v)/dq                                                        (2)
 *   GB_Q = GB_Q_m J + GB_V_m d(J v)/dq + d(G_m b)/dq_m J + G_m db/dq                        (3)
 *   GB_V = GB_V_m J + G_m db/dv                                                            (4)
 *   GY_Q = J^T GY_Q_m J + d(J^T f)/dq at f = G_m^T y                                       (5)
 * d(G_m b)/dq_m is GV_Q_m with b in place of the velocities. */
#include "elements/joint/links_mapped.h"
#include "math/combine.h"
#include "system/system.h"
#include <string.h>

enum { COLUMNS = 12, BLOCKS = 5 };
static const trm_block block_of[BLOCKS] = {TRM_G, TRM_GV_Q, TRM_GB_Q, TRM_GB_V, TRM_GY_Q};

/* Entries of one block in the columns of the markers. */
typedef struct entry_list {
  int  count;
  int *row, *col;
} entry_list;

struct trmi_mapped_link {
  trmi_link            link;
  const trmi_carriers *carriers;
  int                  ends[2]; /* carriers A, B */
  int                  row, rows;
  bool                 turns;   /* GY_Q_m has no entries of translations */
  entry_list           lists[BLOCKS];
  double              *entries; /* scratch: of one block              */
  double              *product; /* scratch: 6 x velocities            */
  double              *turned;  /* scratch: velocities squared        */
  double              *full;    /* scratch: a rectangle of GY_Q with weak entries, as large */
};

/* A matrix in the columns of both markers. */
typedef struct local {
  double at[COLUMNS][COLUMNS];
} local;

static const trmi_carrier *end_of(const trmi_mapped_link *m, int k) {
  return &m->carriers->list[m->ends[k]];
}

static const trmi_pose *pose_of(const trmi_mapped_link *m, int k) {
  return &m->carriers->poses[m->ends[k]];
}

/* One block of rows.h as a full matrix. */
static void evaluate(const trmi_mapped_link *m, int which, const trmi_pose *A, const trmi_pose *B,
                     const double *y, local *out) {
  trmi_link_blocks blocks = {.y = y};
  double **const places[BLOCKS] = {&blocks.G, &blocks.GV_Q, &blocks.GB_Q, &blocks.GB_V,
                                   &blocks.GY_Q};
  const entry_list *list = &m->lists[which];
  *places[which] = m->entries;
  trmi_link_fill(&m->link, A, B, &blocks);
  memset(out, 0, sizeof *out);
  for (int k = 0; k < list->count; k++) out->at[list->row[k]][list->col[k]] += m->entries[k];
}

/* ---- values --------------------------------------------------------------------------------- */

static void add_motion(const trmi_mapped_link *m, const double *lam, double *motion) {
  double f[2][6] = {{0.0}};
  trmi_link_force(&m->link, pose_of(m, 0), pose_of(m, 1), lam, m->ends[0] > 0 ? f[0] : NULL,
                  m->ends[1] > 0 ? f[1] : NULL);
  for (int k = 0; k < 2; k++) {
    trmi_carrier_left(end_of(m, k), (trmi_dense){f[k], 1}, 1,
                      (trmi_dense){motion + end_of(m, k)->v, 1});
  }
}

/* (1) */
static void add_bias(const trmi_mapped_link *m, double *g_bias) {
  local G;
  evaluate(m, 0, pose_of(m, 0), pose_of(m, 1), NULL, &G);
  for (int k = 0; k < 2; k++) {
    const trmi_map *map = end_of(m, k)->map;
    for (int i = 0; map != NULL && i < m->rows; i++) {
      for (int j = 0; j < 6; j++) g_bias[i] += G.at[i][6 * k + j] * map->bias[j];
    }
  }
}

void trmi_mapped_link_values(const trmi_mapped_link *m, const trm_state *s,
                             const trm_values *out) {
  const trmi_link_values rows = {.g = out->g, .g_rate = out->g_rate, .g_bias = out->g_bias};
  const trmi_link_place at = {.row = m->row};
  if (out->motion != NULL) add_motion(m, s->lam + m->row, out->motion);
  if (rows.g == NULL && rows.g_rate == NULL && rows.g_bias == NULL) return;
  trmi_link_evaluate(&m->link, &at, pose_of(m, 0), pose_of(m, 1), &rows);
  if (rows.g_bias != NULL) add_bias(m, rows.g_bias + m->row);
}

/* ---- blocks --------------------------------------------------------------------------------- */

int trmi_mapped_link_pattern(const trmi_mapped_link *m, trm_pattern *p, trm_block block) {
  int count = 0;
  for (int i = 0; i < 2; i++) {
    const trmi_carrier *row = end_of(m, i);
    const int n = trmi_carrier_columns(row);
    if (block != TRM_GY_Q) {
      if (p != NULL && n > 0) trm_pattern_dense(p, block, m->row, row->v, m->rows, n);
      count += m->rows * n;
      continue;
    }
    for (int j = 0; j < 2; j++) {
      const trmi_carrier *col = end_of(m, j);
      const int cols = trmi_carrier_columns(col);
      const int zeros = m->turns ? 3 : 0;
      const trmi_arrow arrow = {.row = row->v, .col = col->v, .rows = n, .cols = cols, .head = 6,
                                .has_weak_diagonal = true, .zero_rows = zeros,
                                .zero_cols = zeros};
      if (p != NULL && n * cols > 0) trmi_pattern_arrow(p, block, &arrow);
      count += n * cols;
    }
  }
  return count;
}

/* Rectangles of both sides, out += A B; `parts` selects the matrix B of the maps. */
static void add_rows(const trmi_mapped_link *m, local *A, trmi_map_part part, double *out) {
  for (int k = 0; k < 2; k++) {
    const int n = trmi_carrier_columns(end_of(m, k));
    trmi_carrier_right(end_of(m, k), (trmi_dense){A->at[0] + 6 * k, COLUMNS}, m->rows, part,
                       (trmi_dense){out, n});
    out += m->rows * n;
  }
}

/* (3) */
static void fill_GB_Q(const trmi_mapped_link *m, local *G, double *out) {
  trmi_pose biased[2];
  local A;
  for (int k = 0; k < 2; k++) {
    const trmi_map *map = end_of(m, k)->map;
    biased[k] = *pose_of(m, k);
    biased[k].v = map != NULL ? v3_load(map->bias) : v3(0, 0, 0);
    biased[k].w = map != NULL ? v3_load(map->bias + 3) : v3(0, 0, 0);
  }
  evaluate(m, 2, pose_of(m, 0), pose_of(m, 1), NULL, &A);
  add_rows(m, &A, TRMI_MAP_J, out);
  evaluate(m, 3, pose_of(m, 0), pose_of(m, 1), NULL, &A);
  add_rows(m, &A, TRMI_MAP_JV_Q, out);
  evaluate(m, 1, &biased[0], &biased[1], NULL, &A);
  add_rows(m, &A, TRMI_MAP_J, out);
  add_rows(m, G, TRMI_MAP_BIAS_Q, out);
}

static void clear_rectangle(int rows, int cols, int width, double *out) {
  for (int i = 0; i < rows; i++) memset(out + width * i, 0, (size_t)cols * sizeof *out);
}

/* Lower rows of J of end k: those of w, E^T and T Se in columns 3 and on; of a marker that does not
 * map, the identity. */
static trmi_long_const turning_rows(const trmi_mapped_link *m, int k) {
  static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const trmi_map *map = end_of(m, k)->map;
  if (map == NULL) return (trmi_long_const){one, 3};
  return (trmi_long_const){trmi_map_J(map) + 3 * map->n + 3, map->n};
}

/* The first part of (5) between ends i and j without weak entries, if translations do not
 * contribute. */
static void fill_turning(const trmi_mapped_link *m, const local *Y, int i, int j,
                         const trmi_arrow_parts *out) {
  const int rows = out->rows, cols = out->cols, modes = rows - out->top;
  const trmi_long_const left = turning_rows(m, i), right = turning_rows(m, j);
  double E[9], P[9];
  clear_rectangle(out->top, out->left, cols, out->head);
  if (rows < 6 || cols < 6) return; /* points do not rotate */
  trmi_combine(cols - 3, 3, 3, false, (trmi_long_const){&Y->at[6 * i + 3][6 * j + 3], COLUMNS},
               right, (trmi_long_rows){m->product, cols});
  for (int k = 0; k < 9; k++) E[k] = left.at[left.stride * (k % 3) + k / 3]; /* transposed */
  trmi_combine(cols - 3, 3, 3, false, (trmi_long_const){E, 3},
               (trmi_long_const){m->product, cols},
               (trmi_long_rows){out->head + 3 * cols + 3, cols});
  for (int k = 0; k < 9; k++) P[k] = m->product[cols * (k % 3) + k / 3];
  trmi_combine(modes, 3, 3, false, (trmi_long_const){P, 3},
               (trmi_long_const){left.at + 3, left.stride},
               (trmi_long_rows){out->below + 3 * modes, modes});
}

/* (5) between ends i and j without weak entries; f: the load on end i. */
static void fill_strong(const trmi_mapped_link *m, const local *Y, int i, int j,
                        const double *f, const trmi_arrow_parts *out) {
  const trmi_carrier *row = end_of(m, i), *col = end_of(m, j);
  if (m->turns) {
    fill_turning(m, Y, i, j, out);
  } else {
    const trmi_dense product = {m->product, out->cols};
    memset(m->product, 0, 6 * (size_t)out->cols * sizeof *m->product);
    trmi_carrier_right(col, (trmi_dense){(double *)Y->at[6 * i] + 6 * j, COLUMNS}, 6, TRMI_MAP_J,
                       product);
    memset(out->head, 0, (size_t)(out->top * out->cols) * sizeof *out->head);
    memset(out->below, 0, (size_t)(out->left * (out->rows - out->top)) * sizeof *out->below);
    trmi_carrier_left_strong(row, product, out);
  }
  if (i == j) trmi_carrier_turned_strong(row, f, m->product, out);
}

/* (5) between ends i and j in a full matrix */
static void fill_full(const trmi_mapped_link *m, const local *Y, int i, int j, const double *f,
                      trmi_dense out) {
  const trmi_carrier *row = end_of(m, i), *col = end_of(m, j);
  const int rows = trmi_carrier_columns(row), cols = trmi_carrier_columns(col);
  const trmi_dense product = {m->product, cols};
  memset(m->product, 0, 6 * (size_t)cols * sizeof *m->product);
  trmi_carrier_right(col, (trmi_dense){(double *)Y->at[6 * i] + 6 * j, COLUMNS}, 6, TRMI_MAP_J,
                     product);
  clear_rectangle(rows, cols, cols, out.at);
  trmi_carrier_left(row, product, cols, out);
  if (i == j) trmi_carrier_turned(row, f, 1.0, m->turned, out);
}

/* (5) */
static void fill_GY_Q(const trmi_mapped_link *m, const double *y, bool is_strong, double *out) {
  local Y;
  double f[2][6] = {{0.0}};
  evaluate(m, 4, pose_of(m, 0), pose_of(m, 1), y, &Y);
  trmi_link_force(&m->link, pose_of(m, 0), pose_of(m, 1), y, m->ends[0] > 0 ? f[0] : NULL,
                  m->ends[1] > 0 ? f[1] : NULL);
  for (int i = 0; i < 2; i++) {
    const int rows = trmi_carrier_columns(end_of(m, i));
    for (int j = 0; j < 2; j++) {
      const int cols = trmi_carrier_columns(end_of(m, j));
      const trmi_arrow_parts parts = trmi_arrow_split(out, rows, cols, false);
      if (is_strong) {
        fill_strong(m, &Y, i, j, f[i], &parts);
      } else {
        fill_full(m, &Y, i, j, f[i], (trmi_dense){m->full, cols});
        trmi_arrow_store(&parts, m->full);
      }
      out += rows * cols;
    }
  }
}

static void clear(const trmi_mapped_link *m, trm_block block, double *out) {
  if (out == NULL) return;
  memset(out, 0, (size_t)trmi_mapped_link_pattern(m, NULL, block) * sizeof *out);
}

void trmi_mapped_link_fill(const trmi_mapped_link *m, const trmi_link_blocks *out) {
  double *const places[BLOCKS] = {out->G, out->GV_Q, out->GB_Q, out->GB_V, out->GY_Q};
  const trmi_pose *A = pose_of(m, 0), *B = pose_of(m, 1);
  local G, X;
  for (int k = 0; k < BLOCKS - 1; k++) clear(m, block_of[k], places[k]);
  for (int k = 0; k < 2 && (out->GV_Q != NULL || out->GB_Q != NULL || out->GB_V != NULL); k++) {
    const trmi_map *map = end_of(m, k)->map;
    if (map != NULL) map->tangents(map, out->GB_Q != NULL || out->GB_V != NULL);
  }
  evaluate(m, 0, A, B, NULL, &G);
  if (out->G != NULL) add_rows(m, &G, TRMI_MAP_J, out->G);
  if (out->GV_Q != NULL) { /* (2) */
    evaluate(m, 1, A, B, NULL, &X);
    add_rows(m, &X, TRMI_MAP_J, out->GV_Q);
    add_rows(m, &G, TRMI_MAP_JV_Q, out->GV_Q);
  }
  if (out->GB_Q != NULL) fill_GB_Q(m, &G, out->GB_Q);
  if (out->GB_V != NULL) { /* (4) */
    evaluate(m, 3, A, B, NULL, &X);
    add_rows(m, &X, TRMI_MAP_J, out->GB_V);
    add_rows(m, &G, TRMI_MAP_BIAS_V, out->GB_V);
  }
  if (out->GY_Q != NULL) fill_GY_Q(m, out->y, out->is_strong, out->GY_Q);
}

/* ---- creation ------------------------------------------------------------------------------- */

trmi_mapped_link *trmi_mapped_link_create(trmi_arena *arena, const trmi_link *link,
                                          const trmi_carriers *carriers, int A, int B, int row) {
  const trmi_link_place at = {.row = 0, .v_A = 0, .v_B = 6};
  trmi_mapped_link *m = TRMI_TAKE(arena, trmi_mapped_link, 1);
  if (m == NULL) return NULL;
  *m = (trmi_mapped_link){.link = *link, .carriers = carriers, .ends = {A, B}, .row = row,
                          .rows = trmi_rows_size(link->rows, link->nrows)};
  int most = 0, n = 6;
  for (int k = 0; k < BLOCKS; k++) {
    entry_list *list = &m->lists[k];
    list->count = trmi_link_pattern(link, NULL, block_of[k], &at);
    list->row = TRMI_TAKE(arena, int, list->count);
    list->col = TRMI_TAKE(arena, int, list->count);
    if (arena->failed) return NULL;
    (void)trmi_link_entries(link, block_of[k], &at, list->row, list->col);
    most = list->count > most ? list->count : most;
  }
  m->turns = true;
  for (int k = 0; k < m->lists[4].count; k++) {
    m->turns = m->turns && m->lists[4].row[k] % 6 >= 3 && m->lists[4].col[k] % 6 >= 3;
  }
  for (int k = 0; k < 2; k++) {
    const int columns = trmi_carrier_columns(end_of(m, k));
    n = columns > n ? columns : n;
  }
  m->entries = TRMI_TAKE(arena, double, most);
  m->product = TRMI_TAKE(arena, double, 6 * n);
  m->turned = TRMI_TAKE(arena, double, n * n);
  m->full = TRMI_TAKE(arena, double, n * n);
  return arena->failed ? NULL : m;
}
