/* The table of all Newton matrices: what methods take of it. */
#include "system/tangent.h"
#include "unit/kit.h"

static const trmi_level levels[] = {TRMI_AT_POSITION, TRMI_AT_VELOCITY, TRMI_AT_ACCELERATION};

static int lines_of(trmi_tangent t, trmi_line *lines) {
  return trmi_tangent_lines(&t, lines);
}

/* How often a block stands in the rows of a list; *kind is that of its last line. */
static int count_of(const trmi_line *lines, int n, trm_quantity row, trm_block block,
                    trmi_by *kind) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (lines[i].row != row || lines[i].block != block) continue;
    *kind = trmi_tangent_kind(&lines[i]);
    count++;
  }
  return count;
}

static void rows_of_constraints_follow_their_level(void **unused) {
  (void)unused;
  static const trm_block lower[3][2] = {
      {TRM_BLOCKS, TRM_BLOCKS}, {TRM_GV_Q, TRM_BLOCKS}, {TRM_GB_V, TRM_GB_Q}};
  static const trmi_by own[] = {TRMI_BY_POSITION, TRMI_BY_VELOCITY, TRMI_BY_ACCELERATION};
  for (int k = 0; k < 6; k++) {
    trmi_line lines[TRMI_TANGENT_MAX];
    const trmi_level level = levels[k / 2];
    const bool is_scaled = k % 2 == 1;
    trmi_by kind = TRMI_BYS;
    const int n = lines_of((trmi_tangent){.by = TRMI_BY_ALL, .lam = level, .mu = level,
                                          .scales_rows = is_scaled}, lines);
    assert_int_equal(count_of(lines, n, TRM_LAM, TRM_G, &kind), 1);
    assert_int_equal(kind, is_scaled ? TRMI_BY_OWN : own[level]);
    int rows = 0;
    for (int i = 0; i < n; i++) rows += lines[i].row == TRM_LAM;
    assert_int_equal(rows, 1 + (int)level);
    for (int i = 0; i < (int)level; i++) {
      assert_int_equal(count_of(lines, n, TRM_LAM, lower[level][i], &kind), 1);
      if (is_scaled) assert_int_equal(kind, (int)TRMI_BY_BELOW + i);
    }
    /* the row itself takes part whatever else does not */
    assert_int_equal(lines_of((trmi_tangent){.lam = level, .mu = level}, lines), 2);
  }
}

static void kinds_and_blocks_can_be_left_out(void **unused) {
  (void)unused;
  trmi_line all[TRMI_TANGENT_MAX], some[TRMI_TANGENT_MAX];
  trmi_tangent t = {.by = TRMI_BY_ALL, .turned = TRMI_BY_BIT(TRMI_BY_POSITION),
                    .mu = TRMI_AT_VELOCITY};
  const int n = lines_of(t, all);
  for (int i = 0; i < n; i++) {
    assert_true(!all[i].times_T || (all[i].col == TRM_V && !all[i].transposed));
    t.without = TRMI_BIT(all[i].block);
    trmi_by kind;
    const int left = lines_of(t, some);
    assert_true(left < n);
    assert_int_equal(count_of(some, left, all[i].row, all[i].block, &kind), 0);
  }
  t.without = 0, t.kinematic = true;
  const int inner = lines_of(t, some);
  for (int i = 0; i < inner; i++) {
    assert_true(some[i].row != TRM_X && some[i].row != TRM_W);
    assert_true(some[i].col != TRM_X && some[i].col != TRM_W);
  }
  t.kinematic = false, t.by &= ~TRMI_BY_BIT(TRMI_BY_VELOCITY);
  const int slow = lines_of(t, some);
  for (int i = 0; i < slow; i++) assert_true(some[i].block != TRM_C && some[i].block != TRM_D_V);
}

/* The order of sums changes, and nothing else. */
static void positions_first_is_the_same_matrix(void **unused) {
  (void)unused;
  trmi_line plain[TRMI_TANGENT_MAX], sorted[TRMI_TANGENT_MAX];
  trmi_tangent t = {.by = TRMI_BY_ALL, .mu = TRMI_AT_VELOCITY};
  const int n = lines_of(t, plain);
  t.positions_first = true;
  assert_int_equal(lines_of(t, sorted), n);
  for (int i = 0; i < n; i++) {
    int found = 0;
    for (int j = 0; j < n; j++) {
      found += plain[i].row == sorted[j].row && plain[i].col == sorted[j].col &&
               plain[i].block == sorted[j].block && plain[i].slot == sorted[j].slot;
    }
    assert_int_equal(found, 1);
  }
  assert_int_equal(sorted[0].block, TRM_K);
  assert_int_equal(plain[0].block, TRM_M);
}

static void negative_slots_have_negative_coefficients(void **unused) {
  (void)unused;
  double slots[TRMI_SLOTS];
  for (int k = 0; k < TRMI_BYS; k++) slots[k] = k;
  trmi_tangent_complete(slots);
  for (int k = 0; k < TRMI_BYS; k++) {
    CHECK_NEAR(slots[TRMI_BYS + k], -k, 0.0, "slot %d", k);
    CHECK_NEAR(trmi_tangent_ones[TRMI_BYS + k], -trmi_tangent_ones[k], 0.0, "one %d", k);
  }
  assert_false(signbit(slots[TRMI_BYS]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_of_constraints_follow_their_level),
    cmocka_unit_test(kinds_and_blocks_can_be_left_out),
    cmocka_unit_test(positions_first_is_the_same_matrix),
    cmocka_unit_test(negative_slots_have_negative_coefficients),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
