/* test_split.c - dependent coordinates are chosen well, kept while they serve, and chosen anew. */
#include "kit.h"
#include "linalg/split.h"

enum { ROWS = 4, COLS = 9, ENTRIES = ROWS * COLS };

typedef struct full {
  int         row[ENTRIES], col[ENTRIES];
  double      values[ENTRIES];
  trmi_sparse G;
  trmi_arena  arena;
  trmi_split  split;
} full;

static void setup(full *f, uint64_t seed) {
  for (int k = 0; k < ENTRIES; k++) {
    f->row[k] = k / COLS, f->col[k] = k % COLS, f->values[k] = kit_random(&seed);
  }
  f->G = (trmi_sparse){ROWS, COLS, ENTRIES, f->row, f->col, f->values};
  trmi_arena_init(&f->arena, &(trm_allocator){0});
  trmi_split_init(&f->split, &f->G, &f->arena);
}

static void dependent_rows_vanish(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    full f;
    setup(&f, seed);
    assert_true(trmi_split_follow(&f.split));
    double r[COLS], s[ROWS], left[COLS];
    uint64_t other = seed + 1000;
    for (int i = 0; i < COLS; i++) left[i] = r[i] = kit_random(&other);
    trmi_split_solve(&f.split, r, s);
    for (int k = 0; k < ENTRIES; k++) left[f.col[k]] += f.values[k] * s[f.row[k]];
    for (int k = 0; k < ROWS; k++) {
      /* rounding, times the condition of a well pivoted matrix of four rows */
      CHECK_NEAR(left[f.split.dependent[k]], 0.0, 1e-12, "seed %d, row %d", (int)seed, k);
    }
    trmi_arena_clear(&f.arena);
  }
}

static void the_choice_is_kept_until_it_degrades(void **state) {
  (void)state;
  full f;
  setup(&f, 7);
  assert_true(trmi_split_follow(&f.split));
  for (int k = 0; k < ENTRIES; k++) f.values[k] *= 1.01;
  assert_true(trmi_split_follow(&f.split));
  assert_int_equal(f.split.choices, 1);
  const int lost = f.split.dependent[0]; /* this column of G fades: a pivot would be tiny */
  for (int k = 0; k < ENTRIES; k++) {
    if (f.col[k] == lost) f.values[k] *= 1e-4;
  }
  assert_true(trmi_split_follow(&f.split));
  assert_int_equal(f.split.choices, 2);
  for (int k = 0; k < ROWS; k++) assert_int_not_equal(f.split.dependent[k], lost);
  trmi_arena_clear(&f.arena);
}

static void redundant_rows_have_no_splitting(void **state) {
  (void)state;
  full f;
  setup(&f, 3);
  for (int i = 0; i < COLS; i++) f.values[3 * COLS + i] = f.values[i] - 2.0 * f.values[COLS + i];
  assert_false(trmi_split_follow(&f.split));
  trmi_arena_clear(&f.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(dependent_rows_vanish),
    cmocka_unit_test(the_choice_is_kept_until_it_degrades),
    cmocka_unit_test(redundant_rows_have_no_splitting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
