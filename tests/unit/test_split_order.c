/* test_split_order.c - columns are eliminated in an order that keeps factors of G^T small, whatever
 * rows are taken as pivots. */
#include "kit.h"
#include "linalg/split_part.h"

enum { JOINTS = 1000, ROWS = 2 * JOINTS, COLS = 3 * (JOINTS + 1), ENTRIES = 6 * ROWS };

/* Bodies with three coordinates, joints with two rows; joint k is between bodies k + 1 and
 * from[k]. */
typedef struct tree {
  int             Ap[COLS + 1], Ai[ENTRIES], order[ROWS];
  trmi_split_part part;
} tree;

static void tree_fill(tree *t, const int *from) {
  int n = 0;
  for (int j = 0; j < ROWS; j++) {
    const int body[2] = {j / 2 + 1, from[j / 2]};
    for (int i = 0; i < 6; i++) t->Ai[n++] = 3 * body[i / 3] + i % 3;
    t->Ap[j + 1] = n;
  }
  for (int j = ROWS; j < COLS; j++) t->Ap[j + 1] = n;
  t->part = (trmi_split_part){.rows = ROWS, .cols = COLS, .Ap = t->Ap, .Ai = t->Ai};
}

static int group_of(int *group, int row) {
  while (group[row] != row) row = group[row] = group[group[row]];
  return row;
}

/* Bound of the entries of L for any choice of pivots: the rows of a column become alike, and one
 * of them is the pivot. */
static long bound(const tree *t, const int *order) {
  static int group[COLS], size[COLS];
  long sum = 0;
  for (int i = 0; i < COLS; i++) group[i] = i, size[i] = 1;
  for (int k = 0; k < ROWS; k++) {
    const int *Ai = t->Ai + t->Ap[order[k]];
    for (int p = 1; p < 6; p++) {
      const int a = group_of(group, Ai[0]), b = group_of(group, Ai[p]);
      if (a == b) continue;
      group[b] = a;
      size[a] += size[b];
    }
    sum += size[group_of(group, Ai[0])]--;
  }
  return sum;
}

/* Orders a tree; returns how much larger the factors of the natural order may be. */
static double gain(tree *t, const char *name) {
  trm_error err;
  static int natural[ROWS];
  bool is_there[ROWS] = {0};
  CHECK_OK(trmi_split_order(&t->part, t->order, &(trm_allocator){0}, &err), err);
  for (int k = 0; k < ROWS; k++) {
    natural[k] = k;
    assert_in_range(t->order[k], 0, ROWS - 1);
    assert_false(is_there[t->order[k]]);
    is_there[t->order[k]] = true;
  }
  const long ours = bound(t, t->order), theirs = bound(t, natural);
  print_message("%s: %ld entries, %ld in the natural order\n", name, ours, theirs);
  return (double)theirs / (double)ours;
}

static void a_chain_has_small_factors(void **state) {
  (void)state;
  static tree t;
  int from[JOINTS];
  for (int k = 0; k < JOINTS; k++) from[k] = k;
  tree_fill(&t, from);
  assert_true(gain(&t, "chain") > 10.0);
  /* one independent coordinate a link, in two columns of each of the log2 n = 10 middles */
  assert_true(bound(&t, t.order) < 2 * 10 * JOINTS + 8 * ROWS);
}

/* Arms of ten links on one body, and a tree of which each body carries two others. */
static void trees_have_smaller_factors(void **state) {
  (void)state;
  static tree t;
  int from[JOINTS];
  for (int k = 0; k < JOINTS; k++) from[k] = k % 10 == 0 ? 0 : k;
  tree_fill(&t, from);
  assert_true(gain(&t, "arms") > 1.0);
  for (int k = 0; k < JOINTS; k++) from[k] = k / 2;
  tree_fill(&t, from);
  assert_true(gain(&t, "tree") > 5.0);
}

static void any_graph_is_ordered(void **state) {
  (void)state;
  static tree t;
  int from[JOINTS];
  for (uint64_t seed = 1; seed <= 20; seed++) {
    uint64_t draw = seed;
    for (int k = 0; k < JOINTS; k++) from[k] = kit_below(&draw, JOINTS + 1);
    tree_fill(&t, from);
    (void)gain(&t, "random");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_has_small_factors),
      cmocka_unit_test(trees_have_smaller_factors),
      cmocka_unit_test(any_graph_is_ordered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
