/* Programs that fill the tiles of the block solver: every number of the matrix is the sum of the
 * entries that were put there, whatever their pattern and order. */
#include "block_mechanism.h"

enum { SUMS = 64 }; /* unknowns at most */

static int below(int n) {
  const int k = (int)((uniform() + 1) / 2 * n);
  return k < n ? k : n - 1;
}

/* Entries between two nodes, as elements list them: row by row or column by column, the lower half
 * of a symmetric block with its mirror image next to it, or not at all. */
static void couple(int a, int b) {
  const int rows = mech.first[a + 1] - mech.first[a], cols = mech.first[b + 1] - mech.first[b];
  const bool by_rows = below(2) == 0, is_mirrored = a != b && below(2) == 0;
  const int missing = below(4), outer = by_rows ? rows : cols, inner = by_rows ? cols : rows;
  for (int i = 0; i < outer; i++) {
    const int from = below(3) == 0 ? below(inner) : 0;
    for (int j = from; j < inner; j++) {
      if (missing > 0 && below(12) < missing) continue;
      const int row = mech.first[a] + (by_rows ? i : j), col = mech.first[b] + (by_rows ? j : i);
      const double value = uniform();
      put(row, col, value);
      if (is_mirrored) put(col, row, value);
    }
  }
}

static void put_some(int nodes) {
  static const int sizes[] = {6, 6, 6, 8, 5, 3, 1};
  begin();
  for (int k = 0; k < nodes; k++) {
    const int size = sizes[below(7)];
    if (below(3) == 0) body(size);
    else add_node(size, false);
  }
  for (int i = 0; i < mech.n; i++) put(i, i, 3.0);
  for (int k = 0; k < nodes; k++) {
    couple(k, k);
    if (k > 0) couple(k, k - 1);
    couple(below(nodes), below(nodes));
  }
}

/* The matrix of `mech`, filled for the block solver, less the sums of its entries. */
static double largest_difference(void) {
  static double sums[SUMS][SUMS];
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_plan plan;
  trmi_linear lin;
  trmi_tally tally = {0};
  trm_error err;
  const trmi_term term = {.block = &mech.S};
  mech.S.rows = mech.S.cols = mech.n;
  CHECK_OK(trmi_plan_build(&plan, &arena, mech.n, &term, 1, (trmi_rotations){0}, mech.n, 0, &err),
           err);
  plan.nodes = (trmi_node_list){.count = mech.nodes, .first = mech.first,
                                .is_constraint = mech.is_constraint};
  CHECK_OK(trmi_linear_init(&lin, &arena, &plan, "block", &tally, &err), err);
  trmi_plan_fill(&plan, (double[]){2.0}, NULL);
  for (int i = 0; i < mech.n; i++) {
    for (int j = 0; j < mech.n; j++) sums[i][j] = 0.0;
  }
  for (int k = 0; k < mech.S.n; k++) sums[rows_[k]][cols_[k]] += 2.0 * values_[k];
  double most = 0.0;
  for (int j = 0; j < mech.n; j++) {
    for (int k = plan.Ap[j]; k < plan.Ap[j + 1]; k++) {
      most = fmax(most, fabs(trmi_plan_at(&plan, k) - sums[plan.Ai[k]][j]));
    }
  }
  trmi_linear_free(&lin);
  trmi_arena_clear(&arena);
  return most;
}

static void tiles_hold_the_sums_of_their_entries(void **unused) {
  (void)unused;
  for (int k = 0; k < 2000; k++) {
    seed = 1 + (uint64_t)k;
    put_some(2 + below(6));
    assert_true(mech.n <= SUMS);
    /* rounding of a few numbers of size one, added in another order */
    CHECK_NEAR(largest_difference(), 0.0, 1e-14, "pattern %d", k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_hold_the_sums_of_their_entries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
