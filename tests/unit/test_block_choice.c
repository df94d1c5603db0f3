/* Blocks or KLU: the choice by counted operations for mechanisms with known times. */
#include "block_mechanism.h"
#include "core/compiler.h"
#include "linalg/complex.h"

/* A matrix of the present mechanism. */
static void make_plan(trmi_plan *plan, trmi_arena *arena) {
  trm_error err;
  mech.S.rows = mech.S.cols = mech.n;
  const trmi_term term = {.block = &mech.S};
  trmi_arena_init(arena, &(trm_allocator){0});
  CHECK_OK(trmi_plan_build(plan, arena, mech.n, &term, 1, (trmi_rotations){0}, 0, 0, &err), err);
  plan->nodes = (trmi_node_list){.count = mech.nodes, .first = mech.first,
                                 .is_constraint = mech.is_constraint};
}

/* Do blocks pay for it, on a machine with or without wide vectors? */
static bool pays(bool has_wide_vectors) {
  trmi_arena arena;
  trmi_plan plan;
  trm_error err;
  bool answer[2] = {false, false};
  make_plan(&plan, &arena);
  for (int k = 0; k < 2; k++) { /* counted, not timed: the same answer again */
    CHECK_OK(trmi_blocks_pay(&plan, has_wide_vectors, &arena.allocator, &answer[k], &err), err);
  }
  assert_true(answer[0] == answer[1]);
  assert_null(plan.Ax); /* nobody has decided yet where the values stand */
  trmi_arena_clear(&arena);
  return answer[0];
}

/* The same for complex matrices, on this machine. */
static bool complex_pays(void) {
  trmi_arena arena;
  trmi_plan plan;
  trm_error err;
  bool answer = false;
  make_plan(&plan, &arena);
  CHECK_OK(trmi_complex_blocks_pay(&plan, &arena.allocator, &answer, &err), err);
  trmi_arena_clear(&arena);
  return answer;
}

/* Patterns as mechanisms have them, without zeros: a body with mass and inertia. */
static int thin_body(void) {
  const int node = add_node(6, false), at = mech.first[node];
  for (int i = 0; i < 3; i++) put(at + i, at + i, 1.0);
  for (int k = 0; k < 9; k++) put(at + 3 + k / 3, at + 3 + k % 3, k % 4 == 0 ? 1.0 : 0.1);
  return node;
}

/* Three rows for a point, others for directions; -1 is ground. */
static void thin_joint(int a, int b, int rows) {
  const int node = add_node(rows, true), at = mech.first[node], body_of[2] = {a, b};
  for (int side = 0; side < 2; side++) {
    if (body_of[side] < 0) continue;
    const int v = mech.first[body_of[side]];
    for (int i = 0; i < rows; i++) {
      for (int j = i < 3 ? 2 : 3; j < 6; j++) {
        const int col = v + (j == 2 ? i : j);
        put(at + i, col, 1.0);
        put(col, at + i, 1.0);
      }
    }
  }
}

/* The ladder and the chain of bench/mechanism.c. */
static void thin_ladder(int n) {
  begin();
  for (int k = 0; k <= 2 * n; k++) thin_body();
  thin_joint(-1, 0, 5);
  for (int k = 0; k < n; k++) {
    const int left = k == 0 ? 0 : 2 * k - 1, right = 2 * k + 1, coupler = 2 * k + 2;
    thin_joint(-1, right, 5);
    thin_joint(left, coupler, 4);
    thin_joint(coupler, right, 3);
  }
}

static void thin_chain(int n) {
  begin();
  for (int k = 0; k < n; k++) thin_body();
  for (int k = 0; k < n; k++) thin_joint(k - 1, k, 5);
}

static void thin_spring(int a, int b) {
  for (int k = 0; k < 36; k++) {
    put(mech.first[a] + k / 6, mech.first[b] + k % 6, 0.1);
    put(mech.first[b] + k / 6, mech.first[a] + k % 6, 0.1);
  }
}

static void net_of_springs(int n) {
  begin();
  for (int k = 0; k < n * n; k++) body(6);
  for (int k = 0; k < n * n; k++) {
    if (k % n < n - 1) thin_spring(k, k + 1);
    if (k + n < n * n) thin_spring(k, k + n);
  }
}

/* Masses of the nodes of a beam: each number is coupled with one of the next node. */
static void masses_of_beam(int n) {
  begin();
  for (int k = 0; k < n; k++) {
    const int at = mech.first[add_node(6, false)];
    for (int i = 0; i < 6; i++) put(at + i, at + i, 1.0);
    for (int i = 0; k > 0 && i < 6; i++) put(at + i, at - 6 + i, 0.2), put(at - 6 + i, at + i, 0.2);
  }
}

/* As measured beside KLU in its own order, that of nodes: docs/dev/performance.md. Without wide
 * vectors whole steps are 3.3 times faster by blocks on chains, twice as fast on ladders. */
static void counted_operations_choose_the_faster_solver(void **unused) {
  (void)unused;
  thin_chain(1000);
  assert_true(pays(true));
  assert_true(pays(false));
  thin_ladder(200);
  assert_true(pays(true));
  assert_true(pays(false));
  net_of_springs(30);
  assert_true(pays(true));
  assert_true(pays(false));
  masses_of_beam(100);
  assert_false(pays(true));
  assert_false(pays(false));
}

/* Chains of 10 and 100 links: whole runs of radau by complex blocks take .73 of those by complex
 * KLU. Masses of beams are left to KLU as real ones are. */
static void complex_matrices_of_mechanisms_take_blocks(void **unused) {
  (void)unused;
  thin_chain(100);
  assert_true(complex_pays() || !TRMI_HAS_AVX2());
  net_of_springs(30);
  assert_true(complex_pays() || !TRMI_HAS_AVX2());
  masses_of_beam(100);
  assert_false(complex_pays());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counted_operations_choose_the_faster_solver),
      cmocka_unit_test(complex_matrices_of_mechanisms_take_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
