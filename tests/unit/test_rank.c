/* Rank of the constraints against full elimination, on random matrices with known
 * structure and on mechanisms whose freedoms everybody knows. */
#include "system/freedom.h"
#include "unit/kit.h"

enum { ROWS = 40, COLS = 40 };

/* Unit masses under linear constraints B q = 0; the last `na` rows are nonholonomic. */
typedef struct rows {
  int    nv, ng, na;
  int    body, joint;       /* size of the nodes of v and of lam, 0: no nodes */
  double B[ROWS][COLS];
  double scale[COLS];       /* of coordinates, 0: one                         */
} rows;

static void sizes(const void *self, trm_sizes *n) {
  const rows *r = self;
  *n = (trm_sizes){.nv = r->nv, .ng = r->ng, .na = r->na};
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  const rows *r = self;
  if (list == TRM_V) out->scale = r->scale[i];
  if (list == TRM_LAM && r->joint > 0) {
    snprintf(out->object, sizeof out->object, "joint %d", i / r->joint);
  }
}

/* Entry k of G or A; returns false after the last. Zeros are left out. */
static void list_entries(const rows *r, trm_pattern *p, trm_block block, int first, int count,
                         double *values) {
  int k = 0;
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < r->nv; j++) {
      if (r->B[first + i][j] == 0.0) continue;
      if (p != NULL) trm_pattern_entry(p, block, i, j);
      if (values != NULL) values[k++] = r->B[first + i][j];
    }
  }
}

static void patterns(const void *self, trm_pattern *p) {
  const rows *r = self;
  trm_pattern_given(p, TRM_G);
  trm_pattern_given(p, TRM_A);
  list_entries(r, p, TRM_G, 0, r->ng, NULL);
  list_entries(r, p, TRM_A, r->ng, r->na, NULL);
  for (int i = 0; r->body > 0 && i < r->nv; i += r->body) {
    trm_pattern_node(p, TRM_V, i, r->body);
  }
  for (int i = 0; r->joint > 0 && i < r->ng; i += r->joint) {
    trm_pattern_node(p, TRM_LAM, i, r->joint);
  }
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const rows *r = self;
  for (int j = 0; out->motion != NULL && j < r->nv; j++) {
    out->motion[j] = s->vd[j];
    for (int i = 0; i < r->ng; i++) out->motion[j] += r->B[i][j] * s->lam[i];
    for (int i = 0; i < r->na; i++) out->motion[j] += r->B[r->ng + i][j] * s->mu[i];
  }
  for (int i = 0; i < r->ng + r->na; i++) {
    double *const at = i < r->ng ? out->g : out->a_rate;
    const double *x = i < r->ng ? s->q : s->v;
    const int row = i < r->ng ? i : i - r->ng;
    if (at == NULL) continue;
    at[row] = 0.0;
    for (int j = 0; j < r->nv; j++) at[row] += r->B[i][j] * x[j];
  }
  return TRM_OK;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)s, (void)err;
  const rows *r = self;
  list_entries(r, NULL, TRM_G, 0, r->ng, request->values[TRM_G]);
  list_entries(r, NULL, TRM_A, r->ng, r->na, request->values[TRM_A]);
  return TRM_OK;
}

static const trm_system_ops ops = {.name = "rows", .sizes = sizes, .label = label,
                                   .patterns = patterns, .start = start, .values = values,
                                   .blocks = blocks};

/* Rank by elimination with full pivoting of the rows that are kept. */
static int full_rank(const rows *r, const bool *kept) {
  double B[ROWS][COLS];
  int count = 0, rank = 0;
  for (int i = 0; i < r->ng + r->na; i++) {
    if (kept == NULL || kept[i]) memcpy(B[count++], r->B[i], sizeof B[0]);
  }
  for (; rank < count && rank < r->nv; rank++) {
    int row = rank, col = 0;
    for (int i = rank; i < count; i++) {
      for (int j = 0; j < r->nv; j++) {
        if (fabs(B[i][j]) > fabs(B[row][col])) row = i, col = j;
      }
    }
    if (fabs(B[row][col]) < 1e-9) break; /* numbers of size one, rounding 1e-15 */
    for (int j = 0; j < r->nv; j++) {
      const double keep = B[rank][j];
      B[rank][j] = B[row][j], B[row][j] = keep;
    }
    for (int i = rank + 1; i < count; i++) {
      const double f = B[i][col] / B[rank][col];
      for (int j = 0; j < r->nv; j++) B[i][j] -= f * B[rank][j];
      B[i][col] = 0.0;
    }
  }
  return rank;
}

/* Finds the rank of the system in `arena`. */
static trm_rank find(rows *r, trmi_arena *arena, char *sentence, size_t size) {
  trm_error err;
  const trm_allocator allocator = {0};
  trm_rank rank;
  trm_state s;
  trmi_arena_init(arena, &allocator);
  trm_system *sys = kit_system(&ops, r);
  trmi_state_take(sys, arena, &s);
  CHECK_OK(trmi_rank_find(sys, &s, arena, &rank, &err), err);
  if (sentence != NULL) trmi_rank_sentence(sys, &rank, true, sentence, size);
  trm_system_free(sys);
  return rank;
}

/* Relations: each vanishes on all columns, none can do without one of its rows, and together they
 * are as many as rows depend on others. */
static void check_relations(rows *r, int surplus) {
  trm_error err;
  trmi_arena arena;
  trm_rank rank;
  trm_state s;
  trmi_relations relations;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trm_system *sys = kit_system(&ops, r);
  trmi_state_take(sys, &arena, &s);
  CHECK_OK(trmi_rank_relate(sys, &s, 0.0, &arena, &rank, &relations, &err), err);
  assert_int_equal(relations.count, surplus);
  for (int k = 0; k < relations.count; k++) {
    const trmi_relation *y = &relations.list[k];
    bool kept[ROWS] = {false};
    for (int i = 0; i < y->n; i++) kept[y->row[i]] = true;
    for (int j = 0; j < r->nv; j++) {
      double sum = 0.0, size = 1e-300;
      for (int i = 0; i < y->n; i++) {
        sum += y->y[i] * r->B[y->row[i]][j];
        size = fmax(size, fabs(y->y[i] * r->B[y->row[i]][j]));
      }
      /* parts below 1e-7 are left out of a relation */
      CHECK_NEAR(sum / size, 0.0, 1e-6, "relation %d on column %d", k, j);
    }
    assert_int_equal(full_rank(r, kept), y->n - 1);
    for (int i = 0; i < y->n; i++) {
      kept[y->row[i]] = false;
      assert_int_equal(full_rank(r, kept), y->n - 1);
      kept[y->row[i]] = true;
    }
  }
  trm_system_free(sys);
  trmi_arena_clear(&arena);
}

/* Free directions satisfy all rows, are independent, and have the mass of their unit masses. */
static void check_directions(rows *r, const trm_rank *rank) {
  trm_error err;
  trmi_arena arena;
  trm_state s;
  trmi_freedom freedom;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trm_system *sys = kit_system(&ops, r);
  trmi_state_take(sys, &arena, &s);
  CHECK_OK(trmi_freedom_find(sys, &s, rank, &arena, &freedom, &err), err);
  assert_int_equal(freedom.count, rank->freedoms);
  for (int k = 0; k < freedom.count; k++) {
    const double *z = freedom.Z + k * r->nv;
    for (int i = 0; i < r->ng + r->na; i++) {
      double sum = 0.0, of_row = 1e-300, of_z = 0.0;
      for (int j = 0; j < r->nv; j++) {
        sum += r->B[i][j] * z[j];
        of_row = fmax(of_row, fabs(r->B[i][j]));
        of_z = fmax(of_z, fabs(z[j]));
      }
      /* rounding 1e-15, times the condition of the rows, which are random */
      CHECK_NEAR(sum / (of_row * of_z), 0.0, 1e-9, "row %d of direction %d", i, k);
    }
    for (int l = 0; l < freedom.count; l++) { /* of the free coordinates each has one */
      const double part = z[freedom.coordinate[l]];
      assert_true(k == l ? part != 0.0 : part == 0.0);
    }
  }
  double direction[COLS], mass = 1.0;
  CHECK_OK(trmi_freedom_lightest(sys, &s, &freedom, direction, &mass, &err), err);
  assert_true(mass > 0.0 && mass <= 1.0);
  trm_system_free(sys);
  trmi_arena_clear(&arena);
}

/* Everything that trm_rank says, against elimination. */
static void check_rank(rows *r) {
  trmi_arena arena;
  const trm_rank rank = find(r, &arena, NULL, 0);
  const int nrows = r->ng + r->na, expected = full_rank(r, NULL);
  assert_int_equal(rank.nv, r->nv);
  assert_int_equal(rank.rows, nrows);
  assert_int_equal(rank.rank, expected);
  check_relations(r, nrows - expected);
  check_directions(r, &rank);
  assert_int_equal(rank.freedoms, r->nv - expected);
  assert_true(rank.complete);
  /* rows not called redundant are independent and span all */
  bool kept[ROWS] = {false};
  int nredundant = 0;
  for (int i = 0; i < nrows; i++) {
    kept[i] = !rank.redundant[i];
    nredundant += rank.redundant[i];
  }
  assert_int_equal(nredundant, nrows - expected);
  assert_int_equal(full_rank(r, kept), expected);
  /* a multiplier is not unique if and only if its row can go without loss */
  for (int i = 0; i < nrows; i++) {
    for (int k = 0; k < nrows; k++) kept[k] = k != i;
    assert_int_equal(rank.not_unique[i], full_rank(r, kept) == expected);
  }
  trmi_arena_clear(&arena);
}

static void random_row(rows *r, int i, uint64_t *seed, int first, int count) {
  for (int j = first; j < first + count; j++) r->B[i][j] = kit_random(seed);
}

/* Row i becomes a combination of some rows above it. */
static void depend(rows *r, int i, uint64_t *seed) {
  memset(r->B[i], 0, sizeof r->B[i]);
  for (int k = 0; k < 3; k++) {
    const int other = kit_below(seed, i);
    for (int j = 0; j < r->nv; j++) r->B[i][j] += (k + 1) * r->B[other][j] / 3.0;
  }
}

static void full_matrices_are_counted_right(void **unused) {
  (void)unused;
  for (uint64_t k = 1; k <= 60; k++) {
    uint64_t seed = k;
    rows r = {.nv = 4 + kit_below(&seed, 20)};
    r.ng = 1 + kit_below(&seed, r.nv + 4);
    r.na = kit_below(&seed, 4);
    for (int i = 0; i < r.ng + r.na; i++) {
      if (i > 0 && kit_below(&seed, 4) == 0) {
        depend(&r, i, &seed);
      } else {
        random_row(&r, i, &seed, 0, r.nv);
      }
    }
    check_rank(&r);
  }
}

/* Bodies of three columns in chains and loops, joints of two rows: peeling must not
 * change any statement. */
static void mechanisms_are_counted_right(void **unused) {
  (void)unused;
  for (uint64_t k = 1; k <= 120; k++) {
    uint64_t seed = k;
    rows r = {.body = 3, .joint = 2};
    const int bodies = 2 + kit_below(&seed, 8);
    r.nv = 3 * bodies;
    for (int b = 0; b < bodies; b++) {
      const int loops = kit_below(&seed, 3) == 0 ? 2 : 1;
      for (int l = 0; l < loops && r.ng + 2 <= ROWS; l++, r.ng += 2) {
        const int other = kit_below(&seed, bodies + 1);
        for (int i = 0; i < 2; i++) {
          random_row(&r, r.ng + i, &seed, 3 * b, 3);
          if (other < bodies) random_row(&r, r.ng + i, &seed, 3 * other, 3);
        }
        /* now and then a joint that is redundant in itself */
        if (kit_below(&seed, 5) == 0) memcpy(r.B[r.ng + 1], r.B[r.ng], sizeof r.B[0]);
      }
    }
    check_rank(&r);
  }
}

static void chains_have_full_rank(void **unused) {
  (void)unused;
  const char *const joints[] = {"revolute", "spherical"};
  for (int k = 0; k < 2; k++) {
    trm_system *sys = kit_problem("chain", "joint", joints[k]);
    trm_options options = trm_options_default();
    options.end = 1.0;
    trm_sim *sim = kit_sim(sys, &options);
    const trm_rank *rank = trm_sim_rank(sim);
    assert_int_equal(rank->nv, 60);
    assert_int_equal(rank->rank, k == 0 ? 50 : 30);
    assert_int_equal(rank->rank, rank->rows);
    assert_int_equal(rank->freedoms, k == 0 ? 10 : 30);
    for (int i = 0; i < rank->rows; i++) assert_false(rank->redundant[i] || rank->not_unique[i]);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

/* Rows of a revolute joint about y at point p between bodies a and b (-1: ground), all
 * axes parallel: x, y, z of the point, turns about x and z. Columns: x, theta. */
static void revolute(rows *r, int a, int b, const double p[3], const double centre[][3]) {
  const int body[2] = {a, b};
  for (int side = 0; side < 2; side++) {
    if (body[side] < 0) continue;
    const double sign = side == 0 ? -1.0 : 1.0, *c = centre[body[side]];
    const double s[3] = {p[0] - c[0], p[1] - c[1], p[2] - c[2]};
    double *const row[5] = {r->B[r->ng] + 6 * body[side], r->B[r->ng + 1] + 6 * body[side],
                            r->B[r->ng + 2] + 6 * body[side], r->B[r->ng + 3] + 6 * body[side],
                            r->B[r->ng + 4] + 6 * body[side]};
    for (int i = 0; i < 3; i++) row[i][i] = sign;
    /* theta x s */
    row[0][4] = sign * s[2], row[0][5] = -sign * s[1];
    row[1][3] = -sign * s[2], row[1][5] = sign * s[0];
    row[2][3] = sign * s[1], row[2][4] = -sign * s[0];
    row[3][3] = row[4][5] = sign;
  }
  r->ng += 5;
}

/* Four revolute joints about y at these points (x, z); bodies between them. */
static rows four_bar(const double x[4], const double z[4]) {
  rows r = {.nv = 18, .body = 6, .joint = 5};
  double centre[3][3];
  for (int b = 0; b < 3; b++) {
    centre[b][0] = 0.5 * (x[b] + x[b + 1]) + 0.1;
    centre[b][1] = 0.05 * b;
    centre[b][2] = 0.5 * (z[b] + z[b + 1]);
  }
  for (int k = 0; k < 4; k++) {
    const double p[3] = {x[k], 0.0, z[k]};
    revolute(&r, k - 1, k < 3 ? k : -1, p, (const double(*)[3])centre);
  }
  return r;
}

/* In space a planar four-bar has 18 - 20 = -2 freedoms by count, and one in truth: the
 * three conditions that keep the loop plane are redundant. */
static void four_bar_in_space_has_one_freedom(void **unused) {
  (void)unused;
  rows r = four_bar((const double[]){0.0, 0.2, 1.1, 1.0}, (const double[]){0.0, 0.5, 0.7, 0.0});
  trmi_arena arena;
  char sentence[320];
  const trm_rank rank = find(&r, &arena, sentence, sizeof sentence);
  assert_int_equal(rank.rank, 17);
  assert_int_equal(rank.freedoms, 1);
  for (int i = 0; i < 20; i++) {
    /* forces in the plane are unique, y and the turning moments are not */
    assert_int_equal(rank.not_unique[i], i % 5 != 0 && i % 5 != 2);
    if (rank.redundant[i]) assert_true(rank.not_unique[i]);
  }
  assert_non_null(strstr(sentence, "3 of 20"));
  assert_non_null(strstr(sentence, "joint "));
  trmi_arena_clear(&arena);
  check_rank(&r);
}

/* All four points in line: the plane mechanism, too, loses a row. */
static void four_bar_in_line_has_a_freedom_more(void **unused) {
  (void)unused;
  rows r = four_bar((const double[]){0.0, 0.3, 1.3, 1.0}, (const double[]){0.0, 0.0, 0.0, 0.0});
  trmi_arena arena;
  const trm_rank rank = find(&r, &arena, NULL, 0);
  assert_int_equal(rank.rank, 16);
  assert_int_equal(rank.freedoms, 2);
  /* now forces along the line (x) are not unique either; those across (z) are */
  for (int i = 0; i < 20; i++) assert_int_equal(rank.not_unique[i], i % 5 != 2);
  trmi_arena_clear(&arena);
}

static void units_do_not_change_the_rank(void **unused) {
  (void)unused;
  rows r = four_bar((const double[]){0.0, 0.2, 1.1, 1.0}, (const double[]){0.0, 0.5, 0.7, 0.0});
  uint64_t seed = 9;
  for (int j = 0; j < r.nv; j++) {
    /* coordinate j in a unit 10^k times as large, and its scale with it */
    r.scale[j] = pow(10.0, kit_below(&seed, 13) - 6);
    for (int i = 0; i < r.ng; i++) r.B[i][j] /= r.scale[j];
  }
  for (int i = 0; i < r.ng; i++) {
    const double unit = pow(10.0, kit_below(&seed, 13) - 6);
    for (int j = 0; j < r.nv; j++) r.B[i][j] *= unit;
  }
  trmi_arena arena;
  const trm_rank rank = find(&r, &arena, NULL, 0);
  assert_int_equal(rank.rank, 17);
  for (int i = 0; i < 20; i++) assert_int_equal(rank.not_unique[i], i % 5 != 0 && i % 5 != 2);
  trmi_arena_clear(&arena);
}

static void rows_of_zeros_are_redundant(void **unused) {
  (void)unused;
  rows r = {.nv = 3, .ng = 3, .B = {{1, 1, 0}, {0, 0, 0}, {0, 1, 1}}};
  trmi_arena arena;
  const trm_rank rank = find(&r, &arena, NULL, 0);
  assert_int_equal(rank.rank, 2);
  assert_true(!rank.redundant[0] && rank.redundant[1] && !rank.redundant[2]);
  trmi_arena_clear(&arena);
}

static void without_constraints_all_is_free_and_nothing_is_said(void **unused) {
  (void)unused;
  rows r = {.nv = 5};
  trmi_arena arena;
  char sentence[320] = "x";
  const trm_rank rank = find(&r, &arena, sentence, sizeof sentence);
  assert_true(rank.rank == 0 && rank.rows == 0 && rank.freedoms == 5);
  assert_string_equal(sentence, "");
  trmi_arena_clear(&arena);
}

/* --- a loop too large for dense algebra: v_i + v_(i+1) = 0 around a ring ---------- */

enum { RING = 2001 };

static void ring_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = RING, .ng = RING};
}

static void ring_patterns(const void *self, trm_pattern *p) {
  (void)self;
  for (int i = 0; i < RING; i++) {
    trm_pattern_entry(p, TRM_G, i, i);
    trm_pattern_entry(p, TRM_G, i, (i + 1) % RING);
  }
}

static trm_status ring_blocks(void *self, const trm_state *s, const trm_block_request *request,
                              trm_error *err) {
  (void)self, (void)s, (void)err;
  for (int k = 0; k < 2 * RING && request->values[TRM_G] != NULL; k++) {
    request->values[TRM_G][k] = 1.0;
  }
  return TRM_OK;
}

static trm_status ring_values(void *self, const trm_state *s, const trm_values *out,
                              trm_error *err) {
  (void)self, (void)s, (void)out, (void)err;
  return TRM_OK;
}

static void a_loop_that_is_too_large_is_not_judged(void **unused) {
  (void)unused;
  static const trm_system_ops ring = {.name = "ring", .sizes = ring_sizes,
                                      .patterns = ring_patterns, .start = start,
                                      .values = ring_values, .blocks = ring_blocks};
  trm_error err;
  const trm_allocator allocator = {0};
  trmi_arena arena;
  trm_rank rank;
  trm_state s;
  trmi_arena_init(&arena, &allocator);
  trm_system *sys = kit_system(&ring, NULL);
  trmi_state_take(sys, &arena, &s);
  CHECK_OK(trmi_rank_find(sys, &s, &arena, &rank, &err), err);
  assert_false(rank.complete);
  assert_int_equal(rank.rank, RING);
  trm_system_free(sys);
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_matrices_are_counted_right),
      cmocka_unit_test(mechanisms_are_counted_right),
      cmocka_unit_test(chains_have_full_rank),
      cmocka_unit_test(four_bar_in_space_has_one_freedom),
      cmocka_unit_test(four_bar_in_line_has_a_freedom_more),
      cmocka_unit_test(units_do_not_change_the_rank),
      cmocka_unit_test(rows_of_zeros_are_redundant),
      cmocka_unit_test(without_constraints_all_is_free_and_nothing_is_said),
      cmocka_unit_test(a_loop_that_is_too_large_is_not_judged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
