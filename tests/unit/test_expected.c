/* Right-hand sides that a factorization knows, trmi_linear_expect: the solutions that follow, and
 * those after them, have the bits of a factorization that knows none. */
#include "block_mechanism.h"
#include <string.h>

/* 30 bodies in a row, on joints of three rows, with links across some of them; the values of every
 * other pass leave links out. */
static void row_of_bodies(bool has_links) {
  enum { BODIES = 30, JOINT = 3 };
  seed = 7;
  begin();
  for (int k = 0; k < BODIES; k++) body(6);
  mech.border_first = mech.n;
  for (int k = 1; k < BODIES; k++) {
    const int at = mech.first[add_node(JOINT, true)];
    for (int i = 0; i < JOINT; i++) {
      for (int j = 0; j < 12; j++) {
        const double g = (j % 6 == i) + 0.5 * uniform();
        put(at + i, 6 * (k - 1) + j, g);
        put(6 * (k - 1) + j, at + i, g);
      }
    }
  }
  for (int k = 0; k + 4 < BODIES; k += 3) {
    for (int i = 0; i < 36; i++) put(6 * k + i / 6, 6 * (k + 4) + i % 6, has_links ? uniform() : 0);
  }
  mech.S.rows = mech.S.cols = mech.n;
}

/* Two factorizations, two solutions each: the first is expected by `way` 1, the second never. */
static void check(bool may_vanish, int count) {
  static double x[2][2][2][NODES]; /* [way][solution][right-hand side] */
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_plan plan[2];
  trmi_linear lin[2];
  trmi_tally tally = {0};
  trm_error err;
  row_of_bodies(true);
  const trmi_term term = {.block = &mech.S};
  for (int way = 0; way < 2; way++) {
    CHECK_OK(trmi_plan_build(&plan[way], &arena, mech.n, &term, 1, (trmi_rotations){0},
                             mech.border_first, 0, &err), err);
    plan[way].nodes = (trmi_node_list){.count = mech.nodes, .first = mech.first,
                                       .is_constraint = mech.is_constraint};
    plan[way].may_vanish = may_vanish;
    CHECK_OK(trmi_linear_init(&lin[way], &arena, &plan[way], "block", &tally, &err), err);
  }
  for (int pass = 0; pass < 40; pass++) { /* one factorization in 16 is measured */
    row_of_bodies(pass % 2 == 0);
    for (int way = 0; way < 2; way++) {
      trmi_linear_fill(&lin[way], (double[]){1.0}, NULL);
      for (int i = 0; i < 4 * mech.n; i++) {
        x[way][i / mech.n / 2][i / mech.n % 2][i % mech.n] = sin(1.0 + pass + i);
      }
      double(*first)[NODES] = x[way][0], (*second)[NODES] = x[way][1];
      if (way == 1) trmi_linear_expect(&lin[way], first[0], count == 2 ? first[1] : NULL);
      CHECK_OK(trmi_linear_factor(&lin[way], &err), err);
      if (count == 2) CHECK_OK(trmi_linear_solve2(&lin[way], first[0], first[1], &err), err);
      else CHECK_OK(trmi_linear_solve(&lin[way], first[0], &err), err);
      CHECK_OK(trmi_linear_solve2(&lin[way], second[0], second[1], &err), err);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
  }
  for (int way = 0; way < 2; way++) {
    assert_string_equal(lin[way].ops->name, "block");
    trmi_linear_free(&lin[way]);
  }
  trmi_arena_clear(&arena);
}

static void expected_sides_give_the_same_bits(void **unused) {
  (void)unused;
  for (int k = 0; k < 4; k++) check(k / 2 == 1, 1 + k % 2);
}

/* Without the pass that the factorization has made the second one is done to other numbers: the
 * solution comes from it, not from a pass of its own. */
static void the_factorization_does_the_first_pass(void **unused) {
  (void)unused;
  static double b[2][NODES];
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_plan plan;
  trmi_linear lin;
  trmi_tally tally = {0};
  trm_error err;
  row_of_bodies(true);
  const trmi_term term = {.block = &mech.S};
  CHECK_OK(trmi_plan_build(&plan, &arena, mech.n, &term, 1, (trmi_rotations){0}, mech.border_first,
                           0, &err), err);
  plan.nodes = (trmi_node_list){.count = mech.nodes, .first = mech.first,
                                .is_constraint = mech.is_constraint};
  CHECK_OK(trmi_linear_init(&lin, &arena, &plan, "block", &tally, &err), err);
  for (int pass = 0; pass < 2; pass++) { /* the first is measured */
    for (int i = 0; i < mech.n; i++) b[0][i] = b[1][i] = sin(1.0 + i);
    trmi_linear_fill(&lin, (double[]){1.0}, NULL);
    trmi_linear_expect(&lin, b[0], NULL);
    CHECK_OK(trmi_linear_factor(&lin, &err), err);
    const trmi_block *blocks = lin.content;
    assert_int_equal(blocks->eliminated, 1);
    if (pass == 1) memset(b[0], 0, sizeof b[0]); /* it is not read any more */
    CHECK_OK(trmi_linear_solve(&lin, b[0], &err), err);
    assert_int_equal(blocks->eliminated, 0);
    CHECK_OK(trmi_linear_solve(&lin, b[1], &err), err);
    for (int i = 0; i < mech.n && pass == 1; i++) assert_true(b[0][i] == b[1][i]);
  }
  trmi_linear_free(&lin);
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expected_sides_give_the_same_bits),
      cmocka_unit_test(the_factorization_does_the_first_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
