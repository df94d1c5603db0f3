/* Plans: the merged matrix equals the sum of its terms, written out densely. */
#include "linalg/block.h"
#include "unit/kit.h"

enum { ENTRIES = 60, SIZE = 24, TERMS = 7, SLOTS = 3, TILES = 5 };

/* A plan over random blocks, and everything it was made from. */
typedef struct setup {
  uint64_t    seed;
  trmi_arena  arena;
  int         n, nterms, nrot;
  int         first[3]; /* of the rotations, as columns of a block */
  int         row[TERMS][ENTRIES], col[TERMS][ENTRIES];
  double      values[TERMS][ENTRIES];
  trmi_sparse block[TERMS];
  trmi_term   term[TERMS];
  double      T[27];
  trmi_plan   plan;
} setup;

static void random_term(setup *u, int t) {
  trmi_sparse *S = &u->block[t];
  *S = (trmi_sparse){.rows = 1 + kit_below(&u->seed, 12), .cols = 1 + kit_below(&u->seed, 12),
                     .n = kit_below(&u->seed, ENTRIES), .row = u->row[t], .col = u->col[t],
                     .values = u->values[t]};
  trmi_term *term = &u->term[t];
  *term = (trmi_term){.block = S, .slot = kit_below(&u->seed, SLOTS)};
  const int kind = kit_below(&u->seed, 3);
  term->transposed = kind == 1;
  term->times_T = kind == 2;
  if (term->times_T) S->cols = 12; /* all columns of the rotations */
  term->row = kit_below(&u->seed, SIZE - (term->transposed ? S->cols : S->rows) + 1);
  term->col = kit_below(&u->seed, SIZE - (term->transposed ? S->rows : S->cols) + 1);
  for (int k = 0; k < S->n; k++) {
    S->row[k] = kit_below(&u->seed, S->rows);
    S->col[k] = kit_below(&u->seed, S->cols);
    S->values[k] = kit_random(&u->seed);
  }
}

/* Places in tiles of 5 rows with all their columns, stored by rows or by columns, with a
 * gap behind each. */
static void place_in_tiles(const setup *u, bool by_columns, int *index, trmi_tile *tiles) {
  for (int t = 0; t < TILES; t++) {
    const int rows = t + 1 < TILES ? 5 : SIZE - 5 * t, place = t * (8 * SIZE + 8);
    tiles[t] = (trmi_tile){.place = place, .rows = by_columns ? SIZE : rows,
                           .ld = by_columns ? 8 : SIZE, .twin = -1};
  }
  for (int j = 0; j < SIZE; j++) {
    for (int k = u->plan.Ap[j]; k < u->plan.Ap[j + 1]; k++) {
      const int row = u->plan.Ai[k] % 5, start = tiles[u->plan.Ai[k] / 5].place;
      index[k] = start + (by_columns ? 8 * j + row : SIZE * row + j);
    }
  }
}

/* A place for the values, as a solver would give it: in the order of the columns; in tiles;
 * in no order, so that rotations lie anywhere. */
static void give_place(setup *u, uint64_t seed) {
  trm_error err;
  const int entries = u->plan.Ap[SIZE];
  if (seed % 3 == 0) {
    u->plan.nAx = entries;
    u->plan.Ax = TRMI_TAKE(&u->arena, double, entries);
    CHECK_OK(trmi_arena_check(&u->arena, &err), err);
    return;
  }
  trmi_tile tiles[TILES];
  trmi_plan_target target = {.nAx = TILES * (8 * SIZE + 8), .ntiles = TILES,
                             .tiles = tiles, .run = trmi_block_base.fill};
  target.Ax = TRMI_TAKE(&u->arena, double, target.nAx);
  target.index = TRMI_TAKE(&u->arena, int, entries);
  CHECK_OK(trmi_arena_check(&u->arena, &err), err);
  place_in_tiles(u, seed % 2 == 0, target.index, tiles);
  for (int k = entries - 1; k > 0 && seed % 3 == 1; k--) {
    const int other = kit_below(&u->seed, k + 1), held = target.index[k];
    target.index[k] = target.index[other], target.index[other] = held;
  }
  CHECK_OK(trmi_plan_redirect(&u->plan, &u->arena, &target, &err), err);
  if (seed % 3 == 2) assert_non_null(u->plan.fill);
}

/* The terms. */
static void setup_make(setup *u, uint64_t seed) {
  const trm_allocator allocator = {0};
  *u = (setup){.seed = seed, .n = SIZE, .first = {1, 4, 9}};
  trmi_arena_init(&u->arena, &allocator);
  u->nterms = 1 + kit_below(&u->seed, TERMS);
  u->nrot = kit_below(&u->seed, 4);
  for (int t = 0; t < u->nterms; t++) {
    random_term(u, t);
    /* in tiles the columns of a rotation are the same for all terms, as in every method */
    if (seed % 3 == 2 && u->term[t].times_T) u->term[t].col = 0;
  }
  for (int i = 0; i < 27; i++) u->T[i] = kit_random(&u->seed);
}

/* And their plan. */
static void setup_plan(setup *u, uint64_t seed, int border_first, int nborder) {
  trm_error err;
  const trmi_rotations rotations = {.count = u->nrot, .first = u->first};
  CHECK_OK(trmi_plan_build(&u->plan, &u->arena, SIZE, u->term, u->nterms, rotations, border_first,
                           nborder, &err),
           err);
  give_place(u, seed);
}

static void setup_open(setup *u, uint64_t seed, int border_first, int nborder) {
  setup_make(u, seed);
  setup_plan(u, seed, border_first, nborder);
}

static void setup_close(setup *u) {
  trmi_arena_clear(&u->arena);
}

/* Column j of the matrix T that stands behind a block: full[i][j]. */
static void full_T(const setup *u, const double *T, double full[SIZE][SIZE]) {
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) full[i][j] = i == j ? 1.0 : 0.0;
  }
  for (int k = 0; k < u->nrot && T != NULL; k++) {
    for (int m = 0; m < 9; m++) full[u->first[k] + m / 3][u->first[k] + m % 3] = T[9 * k + m];
  }
}

/* The sum, entry by entry. */
static void dense_sum(const setup *u, const double *coefficient, const double *T,
                      double sum[SIZE][SIZE]) {
  double full[SIZE][SIZE];
  full_T(u, T, full);
  memset(sum, 0, sizeof(double[SIZE][SIZE]));
  for (int t = 0; t < u->nterms; t++) {
    const trmi_term *term = &u->term[t];
    const trmi_sparse *S = term->block;
    for (int k = 0; k < S->n; k++) {
      const double value = coefficient[term->slot] * S->values[k];
      if (term->transposed) {
        sum[term->row + S->col[k]][term->col + S->row[k]] += value;
        continue;
      }
      for (int j = 0; j < S->cols; j++) {
        const double turn = term->times_T ? full[S->col[k]][j] : S->col[k] == j ? 1.0 : 0.0;
        sum[term->row + S->row[k]][term->col + j] += value * turn;
      }
    }
  }
}

static void check_equal(const setup *u, double sum[SIZE][SIZE], const char *what) {
  double found[SIZE][SIZE] = {{0}};
  for (int j = 0; j < SIZE; j++) {
    for (int k = u->plan.Ap[j]; k < u->plan.Ap[j + 1]; k++) {
      found[u->plan.Ai[k]][j] = trmi_plan_at(&u->plan, k);
    }
  }
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      /* rounding of at most 400 terms of size one, added in another order */
      CHECK_NEAR(found[i][j], sum[i][j], 1e-13, "%s, entry %d, %d", what, i, j);
    }
  }
}

static void matrix_is_the_sum_of_its_terms(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    setup u;
    double sum[SIZE][SIZE];
    setup_open(&u, seed, 0, 0);
    const double first[SLOTS] = {0.5, -2.0, 3.0}, second[SLOTS] = {0.0, 1.0, -0.25};
    trmi_plan_fill(&u.plan, first, u.T);
    dense_sum(&u, first, u.T, sum);
    check_equal(&u, sum, "with T");
    /* nothing of the old values stays, a coefficient may be zero */
    trmi_plan_fill(&u.plan, second, u.T);
    dense_sum(&u, second, u.T, sum);
    check_equal(&u, sum, "other coefficients");
    trmi_plan_fill(&u.plan, first, NULL);
    dense_sum(&u, first, NULL, sum);
    check_equal(&u, sum, "T of ones");
    setup_close(&u);
  }
}

static void new_values_of_a_block_are_seen_by_the_next_fill(void **unused) {
  (void)unused;
  setup u;
  double sum[SIZE][SIZE];
  const double coefficient[SLOTS] = {1.0, 1.0, 1.0};
  setup_open(&u, 7, 0, 0);
  trmi_plan_fill(&u.plan, coefficient, u.T);
  for (int t = 0; t < u.nterms; t++) {
    for (int k = 0; k < u.block[t].n; k++) u.values[t][k] = kit_random(&u.seed);
  }
  trmi_plan_fill(&u.plan, coefficient, u.T);
  dense_sum(&u, coefficient, u.T, sum);
  check_equal(&u, sum, "new values");
  setup_close(&u);
}

/* Cuts the entries of all terms into runs of three, but for every fourth; every second run is zero,
 * behind the mark whatever the plan must not read. */
static void make_runs(setup *u, int run[TERMS][ENTRIES], bool is_filled) {
  for (int t = 0; t < u->nterms; t++) {
    trmi_sparse *S = &u->block[t];
    for (int k = 0; k < S->n; k++) run[t][k] = k % 12 < 9 ? k - k % 3 : -1;
    for (int k = 0; k < S->n && is_filled; k++) {
      const bool is_zero = run[t][k] >= 0 && run[t][k] % 2 == 0;
      if (is_zero) S->values[k] = run[t][k] == k ? -0.0 : NAN;
      else if (run[t][k] == k) trmi_run_mark(S->values + k, S->values + k + 1, false);
    }
    S->run = run[t];
  }
}

static void runs_that_are_zero_are_not_read(void **unused) {
  (void)unused;
  const double coefficient[SLOTS] = {0.5, -2.0, 3.0};
  int zeros = 0;
  for (uint64_t seed = 2; seed <= 200; seed += 3) { /* those in tiles, which have a program */
    static int run[TERMS][ENTRIES];
    setup u;
    double sum[SIZE][SIZE];
    setup_make(&u, seed);
    make_runs(&u, run, false);
    setup_plan(&u, seed, 0, 0);
    assert_non_null(u.plan.fill);
    make_runs(&u, run, true);
    trmi_plan_fill(&u.plan, coefficient, u.T);
    for (int t = 0; t < u.nterms; t++) {
      for (int k = 0; k < u.block[t].n; k++) {
        if (isnan(u.values[t][k])) u.values[t][k] = 0.0, zeros++;
      }
    }
    dense_sum(&u, coefficient, u.T, sum);
    check_equal(&u, sum, "with runs");
    setup_close(&u);
  }
  assert_true(zeros > 100);
}

static void columns_hold_ascending_rows_once(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    setup u;
    setup_open(&u, seed, 10, 6);
    assert_int_equal(u.plan.Ap[0], 0);
    for (int j = 0; j < SIZE; j++) {
      for (int k = u.plan.Ap[j]; k < u.plan.Ap[j + 1]; k++) {
        assert_true(u.plan.Ai[k] >= 0 && u.plan.Ai[k] < SIZE);
        if (k > u.plan.Ap[j]) assert_true(u.plan.Ai[k] > u.plan.Ai[k - 1]);
      }
    }
    setup_close(&u);
  }
}

static void border_has_places_but_stays_out_of_the_values(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 50; seed++) {
    setup u;
    double sum[SIZE][SIZE];
    const double coefficient[SLOTS] = {1.0, 2.0, 3.0};
    setup_open(&u, seed, 15, 5);
    for (int b = 0; b < 5; b++) {
      const int j = 15 + b, place = u.plan.border_place[b];
      assert_int_equal(u.plan.border_index[b], j);
      assert_true(place >= u.plan.Ap[j] && place < u.plan.Ap[j + 1]);
      assert_int_equal(u.plan.Ai[place], j);
      u.plan.border[b] = 1e6;
    }
    trmi_plan_fill(&u.plan, coefficient, u.T);
    dense_sum(&u, coefficient, u.T, sum);
    check_equal(&u, sum, "with border");
    setup_close(&u);
  }
}

static void a_plan_without_terms_is_empty(void **unused) {
  (void)unused;
  trm_error err;
  const trm_allocator allocator = {0};
  trmi_arena arena;
  trmi_plan plan;
  trmi_arena_init(&arena, &allocator);
  CHECK_OK(trmi_plan_build(&plan, &arena, 3, NULL, 0, (trmi_rotations){0}, 0, 0, &err), err);
  for (int j = 0; j <= 3; j++) assert_int_equal(plan.Ap[j], 0);
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrix_is_the_sum_of_its_terms),
      cmocka_unit_test(new_values_of_a_block_are_seen_by_the_next_fill),
      cmocka_unit_test(runs_that_are_zero_are_not_read),
      cmocka_unit_test(columns_hold_ascending_rows_once),
      cmocka_unit_test(border_has_places_but_stays_out_of_the_values),
      cmocka_unit_test(a_plan_without_terms_is_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
