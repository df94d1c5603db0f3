/* followers.c - converts rows and columns of followers to those of their bodies.
 *
 * Subscript m: in the columns of a follower, as on the tape; J, b and their derivatives:
 * assembly/map.h. Values: v_m = J v, v_m' = J v' + b, rows of motion act by J^T; g_bias on the tape
 * has dg_rate/dv_m b. With S_m the derivative in a block,
 *   G = G_m J,   GV_Q = GV_Q_m J + G_m d(J v)/dq                                             (1)
 *   GB_Q = GB_Q_m J + GB_V_m d(J v)/dq + G_m db/dq,   GB_V = GB_V_m J + G_m db/dv            (2)
 *   C = J^T C_m J,   K = J^T (K_m J + C_m d(J v)/dq) - d(J^T y)/dq at y = Q_m                (3)
 *   GY_Q = J^T GY_Q_m J + d(J^T y)/dq at y = G_m^T y                                         (4)
 * likewise for rows A; for rows of states and variables
 *   D_Q = D_Q_m J + D_V_m d(J v)/dq + D_VD_m (db/dq + d(J u)/dq at u = v'),
 *   D_V = D_V_m J + D_VD_m db/dv,   D_VD = D_VD_m J,   y^T d(J u)/dq = u^T d(J^T y)/dq       (5)
 * Entries of the tape are gathered in cells, rectangles over the velocities of a body. */
#include "equations/followers.h"
#include "math/lanes.h"
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6, TERMS = 4 };

/* A term of a block: derivatives of another block of the tape, times a matrix of the map. */
typedef struct term {
  trm_block     from;
  trmi_map_part by;
} term;

typedef struct block_rule {
  bool moves;  /* rows are those of motion                      */
  bool has_v;  /* columns are positions, velocities, accelerations */
  int  count;
  term terms[TERMS];
} block_rule;

#define ROWS_OF(G, GY_Q, GV_Q, GB_Q, GB_V)                                                     \
  [G] = {.has_v = true, .count = 1, .terms = {{G, TRMI_MAP_J}}},                               \
  [GV_Q] = {.has_v = true, .count = 2, .terms = {{GV_Q, TRMI_MAP_J}, {G, TRMI_MAP_JV_Q}}},     \
  [GB_Q] = {.has_v = true, .count = 3,                                                         \
            .terms = {{GB_Q, TRMI_MAP_J}, {GB_V, TRMI_MAP_JV_Q}, {G, TRMI_MAP_BIAS_Q}}},       \
  [GB_V] = {.has_v = true, .count = 2, .terms = {{GB_V, TRMI_MAP_J}, {G, TRMI_MAP_BIAS_V}}},   \
  [GY_Q] = {.moves = true, .has_v = true, .count = 1, .terms = {{GY_Q, TRMI_MAP_J}}}
#define STATES_OF(Q, V, VD)                                                                    \
  [Q] = {.has_v = true, .count = 3,                                                            \
         .terms = {{Q, TRMI_MAP_J}, {V, TRMI_MAP_JV_Q}, {VD, TRMI_MAP_BIAS_Q}}},               \
  [V] = {.has_v = true, .count = 2, .terms = {{V, TRMI_MAP_J}, {VD, TRMI_MAP_BIAS_V}}},        \
  [VD] = {.has_v = true, .count = 1, .terms = {{VD, TRMI_MAP_J}}}
#define FORCES_OF(block) [block] = {.moves = true, .count = 1, .terms = {{block, TRMI_MAP_J}}}

/* Other blocks are those of the tape. */
static const block_rule rules[TRM_BLOCKS] = {
  ROWS_OF(TRM_G, TRM_GY_Q, TRM_GV_Q, TRM_GB_Q, TRM_GB_V), /* (1), (2), (4) */
  ROWS_OF(TRM_A, TRM_AY_Q, TRM_AV_Q, TRM_AB_Q, TRM_AB_V),
  STATES_OF(TRM_D_Q, TRM_D_V, TRM_D_VD), /* (5) */
  STATES_OF(TRM_W_Q, TRM_W_V, TRM_W_VD),
  [TRM_K] = {.moves = true, .has_v = true, .count = 2, /* (3) */
             .terms = {{TRM_K, TRMI_MAP_J}, {TRM_C, TRMI_MAP_JV_Q}}},
  [TRM_C] = {.moves = true, .has_v = true, .count = 1, .terms = {{TRM_C, TRMI_MAP_J}}},
  FORCES_OF(TRM_Q_X), FORCES_OF(TRM_Q_W), FORCES_OF(TRM_Q_U), FORCES_OF(TRM_Q_T),
  FORCES_OF(TRM_STIFF_B),
};

/* Rows and columns: each is one number of the system or all velocities of the body of a
 * follower. */
typedef struct cell {
  int row, col;               /* of a follower: its first on the tape   */
  int first_row, first_col;   /* of the system                          */
  int rows, cols;
  int first;                  /* of its entries                         */
} cell;

typedef struct target {
  cell *cells;
  int   count, entries;
  bool *moves; /* a follower has cells, thus needs its map [followers] */
} target;

struct trmi_followers {
  trmi_follower *list;
  int            count;
  int            nq, nv;      /* of the system                        */
  double        *q, *v, *vd;  /* followed by those of followers       */
  double        *bias;        /* [6 count]                            */
  double        *turned;      /* scratch: velocities of a body squared */
  size_t         turned_size;
  trm_state      state;
  target         targets[TRM_BLOCKS];
};

static const trmi_follower *follower_of(const trmi_followers *f, int number) {
  return number >= f->nv ? &f->list[(number - f->nv) / COLUMNS] : NULL;
}

/* ---- state ---------------------------------------------------------------------------------- */

const trm_state *trmi_followers_extend(trmi_equations *eq, const trm_state *s) {
  trmi_followers *f = eq->followers;
  const int *used = eq->used[TRMI_IN_VD]; /* accelerations that expressions name */
  f->state = *s;
  f->state.q = memcpy(f->q, s->q, (size_t)f->nq * sizeof *f->q);
  f->state.v = memcpy(f->v, s->v, (size_t)f->nv * sizeof *f->v);
  f->state.vd = memcpy(f->vd, s->vd, (size_t)f->nv * sizeof *f->vd);
  trmi_assembly_move(eq->assembly, s);
  for (int i = 0; i < f->count; i++) {
    const trmi_follower *one = &f->list[i];
    const trmi_map *map = one->map;
    one->pose(one->self, f->q + f->nq + 7 * i, f->v + f->nv + COLUMNS * i);
    for (int k = 0; k < COLUMNS; k++) {
      const int number = f->nv + COLUMNS * i + k;
      f->bias[COLUMNS * i + k] = map->bias[k];
      if (number < used[0] || number >= used[1]) continue;
      f->vd[number] = map->bias[k] + trmi_lanes_dot(map->n, trmi_map_J(map) + map->n * k,
                                                      s->vd + one->v);
    }
  }
  return &f->state;
}

void trmi_followers_fold(const trmi_equations *eq, const double *rows, double *motion) {
  const trmi_followers *f = eq->followers;
  for (int i = 0; i < f->nv; i++) motion[i] += rows[i];
  for (int i = 0; i < COLUMNS * f->count; i++) {
    const trmi_follower *one = follower_of(f, f->nv + i);
    if (rows[f->nv + i] == 0.0) continue; /* no force: most followers are only measured */
    const double *J = trmi_map_J(one->map) + one->map->n * (i % COLUMNS);
    for (int j = 0; j < one->map->n; j++) motion[one->v + j] += J[j] * rows[f->nv + i];
  }
}

/* ---- planning ------------------------------------------------------------------------------- */

/* First number on the tape of what a number belongs to: itself, or its follower. */
static int unit_of(const trmi_followers *f, int number, bool is_velocity) {
  if (!is_velocity || number < f->nv) return number;
  return number - (number - f->nv) % COLUMNS;
}

static int by_place(const void *x, const void *y) {
  const cell *a = x, *b = y;
  return a->row != b->row ? a->row - b->row : a->col - b->col;
}

static cell make_cell(const trmi_followers *f, const block_rule *rule, int row, int col) {
  const trmi_follower *of_row = rule->moves ? follower_of(f, row) : NULL;
  const trmi_follower *of_col = rule->has_v ? follower_of(f, col) : NULL;
  return (cell){.row = row, .col = col,
                .first_row = of_row != NULL ? of_row->v : row,
                .first_col = of_col != NULL ? of_col->v : col,
                .rows = of_row != NULL ? of_row->map->n : 1,
                .cols = of_col != NULL ? of_col->map->n : 1};
}

/* Does an entry of another block contribute nothing to this one? Only velocities of followers
 * depend on positions of their bodies, and accelerations on both. */
static bool is_foreign(const trmi_followers *f, const block_rule *rule, int k, int col) {
  return k > 0 && rule->has_v && col < f->nv;
}

/* Does a block contain the derivative of the transformed load of a follower, (3) and (4)? */
static bool is_pushed(const trmi_equations *eq, trm_block block, int own) {
  const int group = block == TRM_K      ? TRMI_RESULT_FOLLOWED
                    : block == TRM_GY_Q ? TRMI_RESULT_BLOCKS + (int)TRM_G
                    : block == TRM_AY_Q ? TRMI_RESULT_BLOCKS + (int)TRM_A
                                        : -1;
  for (int i = group < 0 ? 0 : eq->group[group]; group >= 0 && i < eq->group[group + 1]; i++) {
    const trmi_entry *e = &eq->entries[i];
    const int number = block == TRM_K ? e->row : e->col;
    if (e->node != 0 && number >= own && number < own + COLUMNS) return true;
  }
  return false;
}

/* The followers of the rows and columns of a cell. */
static void note_followers(const trmi_followers *f, const block_rule *rule, const cell *c,
                           bool *moves) {
  if (rule->moves && c->row >= f->nv) moves[(c->row - f->nv) / COLUMNS] = true;
  if (rule->has_v && c->col >= f->nv) moves[(c->col - f->nv) / COLUMNS] = true;
}

/* All cells of a block, sorted, each once. */
static void plan_block(trmi_equations *eq, trm_block block) {
  trmi_followers *f = eq->followers;
  const block_rule *rule = &rules[block];
  target *to = &f->targets[block];
  int most = f->count;
  for (int k = 0; k < rule->count; k++) {
    const int group = TRMI_RESULT_BLOCKS + (int)rule->terms[k].from;
    most += eq->group[group + 1] - eq->group[group];
  }
  to->cells = TRMI_TAKE(&eq->arena, cell, most);
  to->moves = TRMI_TAKE(&eq->arena, bool, f->count);
  if (eq->arena.failed) return;
  for (int k = 0; k < rule->count; k++) {
    const int group = TRMI_RESULT_BLOCKS + (int)rule->terms[k].from;
    for (int i = eq->group[group]; i < eq->group[group + 1]; i++) {
      const trmi_entry *e = &eq->entries[i];
      if (is_foreign(f, rule, k, e->col)) continue;
      to->cells[to->count++] = make_cell(f, rule, unit_of(f, e->row, rule->moves),
                                         unit_of(f, e->col, rule->has_v));
    }
  }
  for (int i = 0; i < f->count; i++) {
    const int own = f->nv + COLUMNS * i;
    if (is_pushed(eq, block, own)) to->cells[to->count++] = make_cell(f, rule, own, own);
  }
  for (int i = 0; i < to->count; i++) note_followers(f, rule, &to->cells[i], to->moves);
  qsort(to->cells, (size_t)to->count, sizeof *to->cells, by_place);
  int count = 0;
  for (int i = 0; i < to->count; i++) {
    if (count > 0 && by_place(&to->cells[count - 1], &to->cells[i]) == 0) continue;
    to->cells[count] = to->cells[i];
    to->cells[count].first = to->entries;
    to->entries += to->cells[count].rows * to->cells[count].cols;
    count++;
  }
  to->count = count;
}

trm_status trmi_followers_plan(trmi_equations *eq, trm_error *err) {
  trmi_followers *f = eq->followers;
  int most = 0;
  for (int i = 0; i < f->count; i++) most = f->list[i].map->n > most ? f->list[i].map->n : most;
  f->turned_size = (size_t)most * (size_t)most;
  f->turned = TRMI_TAKE(&eq->arena, double, f->turned_size);
  for (int block = 0; block < TRM_BLOCKS; block++) {
    if (rules[block].count > 0) plan_block(eq, (trm_block)block);
  }
  return trmi_arena_check(&eq->arena, err);
}

void trmi_follow(trmi_compiler *b, int i, const trmi_follower *follower) {
  trmi_equations *eq = b->eq;
  trmi_arena *arena = &eq->arena;
  if (eq->followers == NULL) {
    const int count = b->extension->add.followers, nq = eq->nq + 7 * count, nv = b->nv_all;
    trmi_followers *f = TRMI_TAKE(arena, trmi_followers, 1);
    if (f == NULL) return;
    *f = (trmi_followers){.count = count, .nq = eq->nq, .nv = eq->n.nv,
                          .list = TRMI_TAKE(arena, trmi_follower, count),
                          .q = TRMI_TAKE(arena, double, nq), .v = TRMI_TAKE(arena, double, nv),
                          .vd = TRMI_TAKE(arena, double, nv)};
    eq->bias = f->bias = TRMI_TAKE(arena, double, COLUMNS * count);
    eq->rows = TRMI_TAKE(arena, double, nv);
    eq->rows_size = (size_t)nv * sizeof *eq->rows;
    if (arena->failed) return;
    eq->followers = f;
  }
  eq->followers->list[i] = *follower;
}

void trmi_followers_own(trmi_equations *eq, trmi_arena *arena) {
  const trmi_followers *from = eq->followers;
  const int nq = from->nq + 7 * from->count, nv = from->nv + COLUMNS * from->count;
  trmi_followers *f = TRMI_TAKE(arena, trmi_followers, 1);
  if (f == NULL) return;
  *f = *from;
  f->list = TRMI_TAKE(arena, trmi_follower, f->count);
  f->q = TRMI_TAKE(arena, double, nq);
  f->v = TRMI_TAKE(arena, double, nv);
  f->vd = TRMI_TAKE(arena, double, nv);
  f->turned = TRMI_TAKE(arena, double, from->turned_size);
  eq->bias = f->bias = TRMI_TAKE(arena, double, COLUMNS * f->count);
  eq->rows = TRMI_TAKE(arena, double, nv);
  eq->followers = f;
}

int trmi_followers_pattern(const trmi_equations *eq, trm_pattern *p, trm_block block) {
  const target *to = &eq->followers->targets[block];
  const int group = TRMI_RESULT_BLOCKS + (int)block;
  if (rules[block].count == 0) {
    for (int i = eq->group[group]; p != NULL && i < eq->group[group + 1]; i++) {
      trm_pattern_entry(p, block, eq->entries[i].row, eq->entries[i].col);
    }
    return eq->group[group + 1] - eq->group[group];
  }
  for (int i = 0; p != NULL && i < to->count; i++) {
    const cell *c = &to->cells[i];
    trm_pattern_dense(p, block, c->first_row, c->first_col, c->rows, c->cols);
  }
  return to->entries;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static const cell *find_cell(const target *to, int row, int col) {
  const cell key = {.row = row, .col = col};
  return bsearch(&key, to->cells, (size_t)to->count, sizeof key, by_place);
}

/* The entry of a term, spread over its cell. */
static void add_entry(const trmi_followers *f, const block_rule *rule, trmi_map_part by,
                      const trmi_entry *e, double value, const cell *c, double *out) {
  static const double one = 1.0;
  const double *left = &one, *right = &one;
  const trmi_follower *row = rule->moves ? follower_of(f, e->row) : NULL;
  const trmi_follower *col = rule->has_v ? follower_of(f, e->col) : NULL;
  if (row != NULL) left = trmi_map_J(row->map) + row->map->n * (e->row - c->row);
  if (col != NULL) right = trmi_map_matrix(col->map, by) + col->map->n * (e->col - c->col);
  for (int i = 0; i < c->rows; i++) {
    for (int j = 0; j < c->cols; j++) out[c->first + c->cols * i + j] += value * left[i] * right[j];
  }
}

/* d(J^T y)/dq of each follower, (3) and (4); y follows those of the system. */
static void add_turned(const trmi_followers *f, const target *to, const double *y, double sign,
                       double *out) {
  for (int i = 0; i < f->count; i++) {
    const int own = f->nv + COLUMNS * i, n = f->list[i].map->n;
    const cell *c = find_cell(to, own, own);
    if (c == NULL) continue; /* no load acts on it */
    f->list[i].map->transposed_q(f->list[i].map, y + own, f->turned);
    for (int k = 0; k < n * n; k++) out[c->first + k] += sign * f->turned[k];
  }
}

/* The last part of (5). */
static void add_accelerations(const trmi_equations *eq, trm_block from, const target *to,
                              double *out) {
  const trmi_followers *f = eq->followers;
  const int group = TRMI_RESULT_BLOCKS + (int)from;
  for (int i = eq->group[group]; i < eq->group[group + 1]; i++) {
    const trmi_entry *e = &eq->entries[i];
    const trmi_follower *one = follower_of(f, e->col);
    if (one == NULL) continue;
    const cell *c = find_cell(to, e->row, unit_of(f, e->col, true));
    const int n = one->map->n;
    double y[COLUMNS] = {0.0};
    y[e->col - c->col] = eq->tape.value[e->slot];
    one->map->transposed_q(one->map, y, f->turned);
    for (int k = 0; k < n * n; k++) {
      out[c->first + k % n] += f->state.vd[one->v + k / n] * f->turned[k];
    }
  }
}

/* y of (4): the product of a block of rows with a vector, after nv numbers. */
static void multiply_rows(trmi_equations *eq, trm_block block, const double *y) {
  const int group = TRMI_RESULT_BLOCKS + (int)block;
  memset(eq->rows, 0, eq->rows_size);
  for (int i = eq->group[group]; i < eq->group[group + 1]; i++) {
    const trmi_entry *e = &eq->entries[i];
    eq->rows[e->col] += eq->tape.value[e->slot] * y[e->row];
  }
}

/* Q_m of (3) */
static void load_forces(trmi_equations *eq) {
  for (int i = eq->group[TRMI_RESULT_FOLLOWED]; i < eq->group[TRMI_RESULT_FOLLOWED + 1]; i++) {
    eq->rows[eq->entries[i].row] = eq->tape.value[eq->entries[i].slot];
  }
}

/* One block; returns zero, or NaN if something on the tape is not finite. */
static double fill_block(trmi_equations *eq, trm_block block, const trm_block_request *request,
                         double *out) {
  const trmi_followers *f = eq->followers;
  const block_rule *rule = &rules[block];
  const target *to = &f->targets[block];
  double sum = 0.0;
  memset(out, 0, (size_t)to->entries * sizeof *out);
  for (int k = 0; k < rule->count; k++) {
    const int group = TRMI_RESULT_BLOCKS + (int)rule->terms[k].from;
    for (int i = eq->group[group]; i < eq->group[group + 1]; i++) {
      const trmi_entry *e = &eq->entries[i];
      if (is_foreign(f, rule, k, e->col)) continue;
      const cell *c = find_cell(to, unit_of(f, e->row, rule->moves),
                                unit_of(f, e->col, rule->has_v));
      add_entry(f, rule, rule->terms[k].by, e, eq->tape.value[e->slot], c, out);
      sum += 0.0 * eq->tape.value[e->slot];
    }
  }
  if (block == TRM_K) load_forces(eq);
  if (block == TRM_GY_Q) multiply_rows(eq, TRM_G, request->y);
  if (block == TRM_AY_Q) multiply_rows(eq, TRM_A, request->ya);
  if (rule->moves && rule->has_v && block != TRM_C) {
    add_turned(f, to, eq->rows, block == TRM_K ? -1.0 : 1.0, out);
  }
  if (block == TRM_D_Q) add_accelerations(eq, TRM_D_VD, to, out);
  if (block == TRM_W_Q) add_accelerations(eq, TRM_W_VD, to, out);
  return sum;
}

/* Groups of the tape used by a block. */
static uint64_t groups_of(trm_block block) {
  uint64_t groups = UINT64_C(1) << (TRMI_RESULT_BLOCKS + (int)block);
  for (int k = 0; k < rules[block].count; k++) {
    groups |= UINT64_C(1) << (TRMI_RESULT_BLOCKS + (int)rules[block].terms[k].from);
  }
  if (block == TRM_K) groups |= UINT64_C(1) << TRMI_RESULT_FOLLOWED;
  if (block == TRM_GY_Q) groups |= UINT64_C(1) << (TRMI_RESULT_BLOCKS + (int)TRM_G);
  if (block == TRM_AY_Q) groups |= UINT64_C(1) << (TRMI_RESULT_BLOCKS + (int)TRM_A);
  return groups;
}

trm_status trmi_followers_blocks(trmi_equations *eq, const trm_state *s,
                                 const trm_block_request *request, trm_error *err) {
  const trmi_followers *f = eq->followers;
  uint64_t groups = 0;
  double sum = 0.0;
  for (int k = 0; k < TRM_BLOCKS; k++) {
    if (request->values[k] != NULL) groups |= groups_of((trm_block)k);
  }
  TRMI_TRY(err, trmi_equations_request(eq, s, request, groups, err));
  for (int i = 0; i < f->count; i++) {
    bool moves = false; /* followers that are only measured have no cells */
    for (int k = 0; k < TRM_BLOCKS && !moves; k++) {
      moves = request->values[k] != NULL && f->targets[k].moves != NULL && f->targets[k].moves[i];
    }
    if (moves) f->list[i].map->tangents(f->list[i].map, true);
  }
  for (int k = 0; k < TRM_BLOCKS; k++) {
    double *out = request->values[k];
    if (out == NULL) continue;
    sum += rules[k].count > 0 ? fill_block(eq, (trm_block)k, request, out)
                              : trmi_equations_gather(eq, TRMI_RESULT_BLOCKS + k, out);
  }
  return sum == 0.0 ? TRM_OK : trmi_equations_blame(eq, groups, err);
}
