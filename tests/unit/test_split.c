/* test_split.c - dependent coordinates are chosen well, kept while they serve, and chosen anew;
 * loop by loop, dense and sparse. */
#include "loops.h"
#include <math.h>

typedef struct fixture {
  loops      l;
  trmi_arena arena;
  trmi_split split;
  double     r[LOOP_COLS], left[LOOP_COLS], s[LOOP_ROWS];
} fixture;

static fixture *setup(uint64_t seed) {
  trm_error err;
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  loops_fill(&f->l, seed);
  trmi_arena_init(&f->arena, &(trm_allocator){0});
  CHECK_OK(trmi_split_init(&f->split, &f->l.G, &f->arena, &err), err);
  return f;
}

static void teardown(fixture *f) {
  trmi_split_free(&f->split);
  trmi_arena_clear(&f->arena);
  free(f);
}

static bool follow(fixture *f) {
  trm_error err;
  bool is_full = false;
  CHECK_OK(trmi_split_follow(&f->split, &is_full, &err), err);
  return is_full;
}

/* The part that has a row. */
static trmi_split_part *part_of(fixture *f, int row) {
  for (int i = 0; i < f->split.nparts; i++) {
    trmi_split_part *part = &f->split.part[i];
    for (int k = 0; k < part->rows; k++) {
      if (part->row[k] == row) return part;
    }
  }
  fail_msg("row %d is in no part", row);
  return NULL;
}

static void parts_are_the_loops(void **state) {
  (void)state;
  fixture *f = setup(1);
  assert_int_equal(f->split.nparts, LOOPS);
  for (int k = 0; k < LOOPS; k++) {
    const trmi_split_part *part = part_of(f, f->l.first_row[k]);
    assert_int_equal(part->rows, loop_rows[k]);
    assert_int_equal(part->Ap[part->rows], loop_rows[k] * LOOP_WIDTH);
    assert_int_equal(part->sparse != NULL, loop_rows[k] > TRMI_SPLIT_MAX);
    for (int i = 0; i < part->rows; i++) assert_int_equal(f->l.loop[part->row[i]], k);
  }
  teardown(f);
}

/* Solves for a random r; every dependent row of r + G^T s vanishes, and no two are the same. */
static void check_dependent_rows(fixture *f, uint64_t seed) {
  bool is_taken[LOOP_COLS] = {0};
  double size = 1.0;
  for (int i = 0; i < f->l.cols; i++) f->r[i] = kit_random(&seed);
  trmi_split_solve(&f->split, f->r, f->s);
  loops_left(&f->l, f->r, f->s, f->left);
  for (int i = 0; i < f->l.rows; i++) size = fmax(size, fabs(f->s[i]));
  for (int i = 0; i < f->split.nparts; i++) {
    const trmi_split_part *part = &f->split.part[i];
    for (int k = 0; k < part->rows; k++) {
      const int col = part->col[part->dependent[k]];
      /* rounding of elimination with pivoting, some tens of operations on numbers like s */
      CHECK_NEAR(f->left[col] / size, 0.0, 1e-14, "part %d, row %d", i, k);
      assert_false(is_taken[col]);
      is_taken[col] = true;
    }
  }
}

static void dependent_rows_vanish(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    fixture *f = setup(seed);
    assert_true(follow(f));
    check_dependent_rows(f, seed + 1000);
    /* and with old pivots and new values */
    uint64_t change = seed;
    for (int k = 0; k < f->l.G.n; k++) f->l.values[k] *= 1.0 + 0.01 * kit_random(&change);
    assert_true(follow(f));
    assert_int_equal(f->split.choices, LOOPS);
    check_dependent_rows(f, seed + 2000);
    teardown(f);
  }
}

/* P G^T = 0 in all rows, also the independent ones, and the multipliers come back. */
static void nothing_is_left_of_reactions(void **state) {
  (void)state;
  fixture *f = setup(5);
  double y[LOOP_ROWS], none[LOOP_COLS] = {0};
  uint64_t seed = 99;
  assert_true(follow(f));
  for (int i = 0; i < f->l.rows; i++) y[i] = kit_random(&seed);
  loops_left(&f->l, none, y, f->r);
  trmi_split_solve(&f->split, f->r, f->s);
  loops_left(&f->l, f->r, f->s, f->left);
  /* rounding, times the condition of G Y, which pivoting leaves at some tens here */
  for (int i = 0; i < f->l.rows; i++) CHECK_NEAR(f->s[i], -y[i], 1e-13, "multiplier %d", i);
  for (int i = 0; i < f->l.cols; i++) CHECK_NEAR(f->left[i], 0.0, 1e-13, "row %d", i);
  teardown(f);
}

static double size_of(const double *x, int n) {
  double size = 0.0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

/* LAPACK on a large loop: with the coordinates of KLU it gives the same multipliers, and with
 * its own ones not much smaller ones. */
static void sparse_choice_is_as_good_as_dense(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    fixture *f = setup(seed);
    assert_true(follow(f));
    trmi_split_part *part = part_of(f, f->l.first_row[1]), dense = *part;
    const int rows = part->rows, cols = part->cols;
    assert_non_null(part->sparse);
    dense.sparse = NULL;
    trmi_split_dense_init(&dense, &f->arena);
    dense.dependent = TRMI_TAKE(&f->arena, int, rows);
    memcpy(dense.dependent, part->dependent, (size_t)rows * sizeof(int));
    double *GT = TRMI_TAKE(&f->arena, double, (size_t)rows * (size_t)cols);
    assert_false(f->arena.failed);
    assert_true(trmi_split_dense_factor(&dense, f->split.order) > 0.0);
    double x[LOOP_ROWS], x_dense[LOOP_ROWS];
    uint64_t other = seed + 100;
    for (int i = 0; i < rows; i++) x[i] = x_dense[i] = kit_random(&other);
    trmi_split_klu.solve(part, x);
    trmi_split_dense_solve(&dense, x_dense);
    const double size = size_of(x, rows);
    /* rounding, times a condition of some tens */
    for (int i = 0; i < rows; i++) CHECK_NEAR(x[i] / size, x_dense[i] / size, 1e-13, "%d", i);

    trmi_split_dense_choose(&dense, GT, f->split.order);
    const double smallest = trmi_split_dense_factor(&dense, f->split.order);
    for (int i = 0; i < rows; i++) x_dense[i] = kit_random(&other);
    trmi_split_dense_solve(&dense, x_dense);
    print_message("sparse: pivot %.2e, multipliers %.2e; dense: %.2e, %.2e\n", part->smallest,
                  size, smallest, size_of(x_dense, rows));
    /* both follow the same rule in another order of columns: measured, 0.5 to 1.4 */
    CHECK_BETWEEN(size / size_of(x_dense, rows), 0.0, 3.0, "multipliers");
    CHECK_BETWEEN(smallest / part->smallest, 0.0, 3.0, "smallest pivot");
    teardown(f);
  }
}

/* The column of a dependent coordinate fades: only this loop chooses anew, and not that one. */
static void check_fading(int loop) {
  fixture *f = setup(7);
  assert_true(follow(f));
  for (int k = 0; k < f->l.G.n; k++) f->l.values[k] *= 1.01;
  assert_true(follow(f));
  assert_int_equal(f->split.choices, LOOPS);
  trmi_split_part *part = part_of(f, f->l.first_row[loop]);
  const int lost = part->dependent[0], column = part->col[lost];
  for (int k = 0; k < f->l.G.n; k++) {
    if (f->l.col[k] == column) f->l.values[k] *= 1e-4;
  }
  assert_true(follow(f));
  assert_int_equal(f->split.choices, LOOPS + 1);
  for (int k = 0; k < part->rows; k++) assert_int_not_equal(part->dependent[k], lost);
  check_dependent_rows(f, 3);
  teardown(f);
}

static void the_choice_is_kept_until_it_degrades(void **state) {
  (void)state;
  for (int loop = 0; loop < LOOPS; loop++) check_fading(loop);
}

/* Two rows of a loop become the same but for a factor; later they are not any more. */
static void redundant_rows_have_no_splitting(void **state) {
  (void)state;
  for (int loop = 0; loop < LOOPS; loop++) {
    fixture *f = setup(3);
    double kept[LOOP_ENTRIES];
    memcpy(kept, f->l.values, sizeof kept);
    assert_true(follow(f));
    loops_make_redundant(&f->l, loop);
    assert_false(follow(f));
    memcpy(f->l.values, kept, sizeof kept);
    assert_true(follow(f));
    check_dependent_rows(f, 4);
    teardown(f);
  }
}

/* A row of zeros, a number that is none, in each loop. */
static void spoiled_rows_have_no_splitting(void **state) {
  (void)state;
  for (int k = 0; k < 2 * LOOPS; k++) {
    fixture *f = setup(9);
    const int row = f->l.first_row[k / 2];
    if (k % 2 == 0) assert_true(follow(f)); /* spoiled from the start, or later */
    for (int e = 0; e < f->l.G.n; e++) {
      if (f->l.row[e] == row) f->l.values[e] = 0.0;
    }
    assert_false(follow(f));
    for (int e = 0; e < f->l.G.n; e++) {
      if (f->l.row[e] == row) f->l.values[e] = NAN;
    }
    assert_false(follow(f));
    teardown(f);
  }
}

/* Three rows on two columns beside a good one; a row without any column. */
static void too_many_rows_have_no_splitting(void **state) {
  (void)state;
  for (int rows = 3; rows <= 5; rows++) {
    trm_error err;
    int row[] = {0, 1, 2, 0, 1, 2, 3}, col[] = {0, 0, 0, 1, 1, 1, 2};
    double values[] = {1.0, 2.0, 3.0, 3.0, 2.0, 1.0, 1.0};
    const trmi_sparse G = {.rows = rows, .cols = 4, .n = rows > 3 ? 7 : 6, .row = row,
                           .col = col, .values = values};
    bool is_full = true;
    trmi_arena arena;
    trmi_split split;
    trmi_arena_init(&arena, &(trm_allocator){0});
    CHECK_OK(trmi_split_init(&split, &G, &arena, &err), err);
    CHECK_OK(trmi_split_follow(&split, &is_full, &err), err);
    assert_false(is_full);
    trmi_split_forget(&split);
    trmi_split_free(&split);
    trmi_arena_clear(&arena);
  }
}

/* Rows of a hub would fill the factors: coordinates of the spokes that are as large are taken. */
static void a_hub_stays_independent(void **state) {
  (void)state;
  enum { SPOKES = TRMI_SPLIT_MAX + 50 };
  trm_error err;
  int row[3 * SPOKES], col[3 * SPOKES];
  double values[3 * SPOKES];
  for (int k = 0; k < SPOKES; k++) {
    for (int i = 0; i < 3; i++) {
      row[3 * k + i] = k, col[3 * k + i] = i == 0 ? 0 : 2 * k + i;
      values[3 * k + i] = i == 0 ? -1.0 : i == 1 ? 0.95 : 0.5;
    }
  }
  const trmi_sparse G = {.rows = SPOKES, .cols = 2 * SPOKES + 1, .n = 3 * SPOKES, .row = row,
                         .col = col, .values = values};
  bool is_full = false;
  trmi_arena arena;
  trmi_split split;
  trmi_arena_init(&arena, &(trm_allocator){0});
  CHECK_OK(trmi_split_init(&split, &G, &arena, &err), err);
  CHECK_OK(trmi_split_follow(&split, &is_full, &err), err);
  assert_true(is_full && split.nparts == 1);
  /* the last column may take the hub: there is nothing left to fill */
  for (int k = 0; k < SPOKES - 1; k++) assert_int_equal(split.part[0].dependent[k] % 2, 1);
  trmi_split_free(&split);
  trmi_arena_clear(&arena);
}

/* What came before leaves no trace: a new choice at the same point gives the same bits. */
static void a_forgotten_choice_is_made_anew(void **state) {
  (void)state;
  fixture *f = setup(11);
  double first[LOOP_ROWS];
  uint64_t seed = 17;
  for (int i = 0; i < f->l.cols; i++) f->r[i] = kit_random(&seed);
  assert_true(follow(f));
  trmi_split_solve(&f->split, f->r, first);
  trmi_split_forget(&f->split);
  assert_true(follow(f));
  assert_int_equal(f->split.choices, 2 * LOOPS);
  trmi_split_solve(&f->split, f->r, f->s);
  assert_memory_equal(first, f->s, sizeof first);
  teardown(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(parts_are_the_loops),
    cmocka_unit_test(dependent_rows_vanish),
    cmocka_unit_test(nothing_is_left_of_reactions),
    cmocka_unit_test(sparse_choice_is_as_good_as_dense),
    cmocka_unit_test(the_choice_is_kept_until_it_degrades),
    cmocka_unit_test(redundant_rows_have_no_splitting),
    cmocka_unit_test(spoiled_rows_have_no_splitting),
    cmocka_unit_test(too_many_rows_have_no_splitting),
    cmocka_unit_test(a_hub_stays_independent),
    cmocka_unit_test(a_forgotten_choice_is_made_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
