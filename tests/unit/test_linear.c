/* Linear solvers on the matrices of mechanisms,
 *   [M  G^T] [a  ]   [b]
 *   [G   0 ] [lam] = [c]                                                      (1)
 * against known solutions; singular ones; old pivots; the border. */
#include "linalg/linear.h"
#include "unit/kit.h"

enum { NV = 14, NG = 6, N = NV + NG };

/* Bodies of 6, 5, 1, 2 unknowns and joints of 1, 3, 2. */
enum { NODES = 7 };
static const int node_first[NODES + 1] = {0, 6, 11, 12, 14, 15, 18, 20};
static const unsigned char node_kind[NODES] = {0, 0, 0, 0, 1, 1, 1};

/* One matrix (1) behind one plan and one solver. */
typedef struct setup {
  uint64_t    seed;
  trmi_arena  arena;
  double      A[N * N];           /* row by row                               */
  int         n;
  int         row[N * N], col[N * N];
  double      values[N * N];
  trmi_sparse block;
  trmi_plan   plan;
  trmi_linear lin;
  trmi_tally  tally;
  long        room; /* of the block solver, 0: plenty */
} setup;

/* M positive definite, G of full rank: both by strong diagonals. */
static void random_saddle(setup *u) {
  memset(u->A, 0, sizeof u->A);
  for (int i = 0; i < NV; i++) {
    for (int j = 0; j < i; j++) {
      if (kit_below(&u->seed, 3) == 0) u->A[i * N + j] = u->A[j * N + i] = kit_random(&u->seed);
    }
    u->A[i * N + i] = 8.0 + kit_random(&u->seed);
  }
  for (int i = 0; i < NG; i++) {
    for (int j = 0; j < NV; j++) {
      const double g = j == 2 * i ? 3.0 : kit_below(&u->seed, 3) == 0 ? kit_random(&u->seed) : 0.0;
      u->A[(NV + i) * N + j] = u->A[j * N + NV + i] = g;
    }
  }
}

/* Plan and solver for the present A. The pattern has all places that are not zero,
 * and those of column `also`, if that is not negative. */
static void prepare(setup *u, const char *solver, int border_first, int nborder, int also) {
  trm_error err;
  const trm_allocator allocator = {0};
  trmi_arena_init(&u->arena, &allocator);
  u->n = N;
  u->block = (trmi_sparse){.rows = N, .cols = N, .row = u->row, .col = u->col,
                           .values = u->values};
  for (int k = 0; k < N * N; k++) {
    if (u->A[k] == 0.0 && k % N != also) continue;
    u->row[u->block.n] = k / N;
    u->col[u->block.n++] = k % N;
  }
  const trmi_term term = {.block = &u->block};
  CHECK_OK(trmi_plan_build(&u->plan, &u->arena, N, &term, 1, (trmi_rotations){0}, border_first,
                           nborder, &err),
           err);
  u->plan.nodes = (trmi_node_list){.count = NODES, .first = node_first,
                                   .is_constraint = node_kind};
  u->plan.block_room = u->room;
  CHECK_OK(trmi_linear_init(&u->lin, &u->arena, &u->plan, solver, &u->tally, &err), err);
}

static void fill(setup *u) {
  for (int k = 0; k < u->block.n; k++) u->values[k] = u->A[u->row[k] * N + u->col[k]];
  trmi_plan_fill(&u->plan, (const double[]){1.0}, NULL);
}

static void release(setup *u) {
  trmi_linear_free(&u->lin);
  trmi_arena_clear(&u->arena);
}

static void multiply(const setup *u, const double *x, double *b) {
  for (int i = 0; i < N; i++) {
    b[i] = 0.0;
    for (int j = 0; j < N; j++) b[i] += u->A[i * N + j] * x[j];
  }
}

static void check_solution(setup *u, double tol, const char *what) {
  trm_error err;
  double x[N], b[N];
  for (int i = 0; i < N; i++) x[i] = kit_random(&u->seed);
  multiply(u, x, b);
  CHECK_OK(trmi_linear_solve(&u->lin, b, &err), err);
  for (int i = 0; i < N; i++) CHECK_NEAR(b[i], x[i], tol, "%s, unknown %d", what, i);
}

static const char *const solvers[] = {"klu", "dense", "block"};
enum { SOLVERS = 3 };

static void known_solutions_are_found(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    for (int s = 0; s < SOLVERS; s++) {
      trm_error err;
      setup u = {.seed = seed};
      random_saddle(&u);
      prepare(&u, solvers[s], 0, 0, -1);
      fill(&u);
      CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
      /* condition about 100, rounding 1e-16, growth of a few: 1e-13 */
      for (int k = 0; k < 3; k++) check_solution(&u, 1e-12, solvers[s]);
      assert_int_equal(u.tally.solves, 3);
      assert_true(u.tally.entries >= N);
      release(&u);
    }
  }
}

/* Blocks that would make too much fill give up when they see it, before any number. */
static void too_much_fill_is_left_to_klu(void **unused) {
  (void)unused;
  trm_error err;
  setup u = {.seed = 3, .room = 100};
  random_saddle(&u);
  prepare(&u, "block", 0, 0, -1);
  assert_ptr_equal(u.lin.ops, &trmi_solver_klu);
  assert_int_equal(u.tally.fallbacks, 1);
  assert_int_equal(u.lin.rung, 1);
  for (int k = 0; k < 3; k++) {
    fill(&u);
    CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
    check_solution(&u, 1e-12, "after too much fill"); /* as of known_solutions_are_found */
  }
  release(&u);
}

static void old_pivots_serve_other_values(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 50; seed++) {
    trm_error err;
    setup u = {.seed = seed};
    random_saddle(&u);
    prepare(&u, "klu", 0, 0, -1);
    for (int k = 0; k < 5; k++) {
      for (int i = 0; i < N * N; i++) u.A[i] *= 1.0 + 0.1 * kit_random(&u.seed);
      fill(&u);
      CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
      check_solution(&u, 1e-12, "refactored"); /* as above */
    }
    assert_int_equal(u.lin.new_pivots, 1);
    assert_int_equal(u.tally.factorizations, 5);
    release(&u);
  }
}

/* A matrix whose old pivots all but vanish must be solved with others. */
static void pivots_that_became_small_are_replaced(void **unused) {
  (void)unused;
  trm_error err;
  setup u = {.seed = 3};
  random_saddle(&u);
  for (int i = 0; i < NV; i++) u.A[i * N + (i + 1) % NV] += 0.5;
  prepare(&u, "klu", 0, 0, -1);
  fill(&u);
  CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
  check_solution(&u, 1e-12, "before");
  for (int i = 0; i < NV; i++) {
    u.A[i * N + i] *= 1e-17;
    u.A[i * N + (i + 1) % NV] += 6.0;
  }
  fill(&u);
  CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
  check_solution(&u, 1e-11, "after"); /* not diagonally dominant: condition 1e3 */
  assert_true(u.lin.new_pivots > 1);
  assert_true(u.lin.backward_error <= 1e-9);
  release(&u);
}

static void a_column_of_zeros_is_named(void **unused) {
  (void)unused;
  for (int s = 0; s < SOLVERS; s++) {
    for (int column = 0; column < NV; column++) {
      trm_error err;
      setup u = {.seed = 11};
      random_saddle(&u);
      for (int i = 0; i < N; i++) u.A[i * N + column] = 0.0;
      prepare(&u, solvers[s], 0, 0, column);
      fill(&u);
      CHECK_STATUS(trmi_linear_factor(&u.lin, &err), TRM_RETRY_SINGULAR);
      assert_int_equal(u.lin.bad_column, column);
      assert_non_null(strstr(err.message, "pivot"));
      release(&u);
    }
  }
}

/* Two equal constraints: exactly singular, but rounding may hide it from the pivots.
 * A wrong solution must not come out in either case. */
static void duplicated_rows_are_not_solved_silently(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    trm_error err;
    setup u = {.seed = seed};
    random_saddle(&u);
    for (int j = 0; j < NV; j++) {
      u.A[(NV + 1) * N + j] = u.A[j * N + NV + 1] = u.A[NV * N + j];
    }
    prepare(&u, solvers[seed % SOLVERS], 0, 0, -1);
    fill(&u);
    trm_status status = trmi_linear_factor(&u.lin, &err);
    double b[N];
    for (int i = 0; i < N; i++) b[i] = kit_random(&u.seed); /* rows contradict each other */
    if (status == TRM_OK) status = trmi_linear_solve(&u.lin, b, &err);
    if (status == TRM_OK) {
      double largest = 0.0;
      for (int i = 0; i < N; i++) largest = fmax(largest, fabs(b[i]));
      assert_true(largest > 1e6); /* solved, as rounding made it regular: huge numbers */
    } else {
      assert_int_equal(status, TRM_RETRY_SINGULAR);
    }
    release(&u);
  }
}

static void not_a_number_is_never_a_solution(void **unused) {
  (void)unused;
  for (int s = 0; s < SOLVERS; s++) {
    for (int where = 0; where < 2; where++) {
      trm_error err;
      setup u = {.seed = 5};
      random_saddle(&u);
      prepare(&u, solvers[s], 0, 0, -1);
      if (where == 0) u.A[3 * N + 3] = NAN;
      fill(&u);
      trm_status status = trmi_linear_factor(&u.lin, &err);
      double b[N] = {1.0, 2.0, where == 1 ? NAN : 3.0};
      if (status == TRM_OK) status = trmi_linear_solve(&u.lin, b, &err);
      assert_true(status != TRM_OK || isnan(b[0]) || isnan(b[2]));
      release(&u);
    }
  }
}

/* A right-hand side of numbers with hardly a digit left does not make a matrix singular. */
static void tiny_numbers_are_no_failure(void **unused) {
  (void)unused;
  for (int s = 0; s < SOLVERS; s++) {
    trm_error err;
    setup u = {.seed = 5};
    random_saddle(&u);
    prepare(&u, solvers[s], 0, 0, -1);
    fill(&u);
    CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
    double b[N] = {3e-321, 5e-320, 7e-322};
    CHECK_OK(trmi_linear_solve(&u.lin, b, &err), err);
    release(&u);
  }
}

/* Accelerations of (1) from its first `rows` constraints, by the dense solver. */
static void solve_independent(const setup *full, const double *rhs, int skip, double *a) {
  trm_error err;
  setup u = {.seed = 1};
  memcpy(u.A, full->A, sizeof u.A);
  for (int j = 0; j < NV; j++) u.A[(NV + skip) * N + j] = u.A[j * N + NV + skip] = 0.0;
  u.A[(NV + skip) * N + NV + skip] = 1.0;
  double b[N];
  memcpy(b, rhs, sizeof b);
  b[NV + skip] = 0.0;
  prepare(&u, "dense", 0, 0, -1);
  fill(&u);
  CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
  CHECK_OK(trmi_linear_solve(&u.lin, b, &err), err);
  memcpy(a, b, N * sizeof(double));
  release(&u);
}

/* Row 1 repeats row 0 with the factor f: of all multipliers with the same effect,
 * lam0 + f lam1 = L, the border takes those smallest in the weight s_j ~ (1, f^2),
 * which is lam1 = lam0 / f. */
static void border_shares_out_by_least_squares(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    trm_error err;
    setup u = {.seed = seed};
    const double f = seed % 3 == 0 ? -0.5 : seed % 3 == 1 ? 1.0 : 2.0;
    random_saddle(&u);
    for (int j = 0; j < NV; j++) {
      u.A[(NV + 1) * N + j] = u.A[j * N + NV + 1] = f * u.A[NV * N + j];
    }
    prepare(&u, solvers[seed % SOLVERS], NV, NG, -1);
    fill(&u);
    for (int i = 0; i < NG; i++) {
      double size = 0.0;
      for (int j = 0; j < NV; j++) size += pow(u.A[(NV + i) * N + j], 2) / u.A[j * N + j];
      u.plan.border[i] = -1e-12 * size;
    }
    CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
    double b[N], single[N], reference[N];
    for (int i = 0; i < N; i++) b[i] = kit_random(&u.seed);
    b[NV + 1] = f * b[NV]; /* consistent */
    memcpy(reference, b, sizeof reference);
    solve_independent(&u, reference, 1, single);
    CHECK_OK(trmi_linear_solve(&u.lin, b, &err), err);
    /* accelerations and unique multipliers: as without the row, condition 100 */
    for (int i = 0; i < NV; i++) CHECK_NEAR(b[i], single[i], 1e-11, "acceleration %d", i);
    for (int i = 2; i < NG; i++) CHECK_NEAR(b[NV + i], single[NV + i], 1e-11, "lam %d", i);
    /* the shared ones: rounding over the border, 1e-16 / 1e-12, times a few */
    CHECK_NEAR(b[NV] + f * b[NV + 1], single[NV], 1e-11, "sum of both");
    CHECK_NEAR(b[NV + 1], b[NV] / f, 3e-3, "shares, factor %g", f);
    release(&u);
  }
}

/* Two right-hand sides in one pass are two solves, bit for bit. */
static void two_right_hand_sides_give_the_bits_of_two_solves(void **unused) {
  (void)unused;
  for (int s = 0; s < SOLVERS; s++) {
    trm_error err;
    setup u = {.seed = 31};
    random_saddle(&u);
    prepare(&u, solvers[s], 0, 0, -1);
    fill(&u);
    CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
    check_solution(&u, 1e-12, "the first, measured"); /* as above */
    double b1[N], b2[N], c1[N], c2[N];
    for (int i = 0; i < N; i++) {
      b1[i] = c1[i] = kit_random(&u.seed);
      b2[i] = c2[i] = kit_random(&u.seed);
    }
    CHECK_OK(trmi_linear_solve2(&u.lin, b1, b2, &err), err);
    CHECK_OK(trmi_linear_solve(&u.lin, c1, &err), err);
    CHECK_OK(trmi_linear_solve(&u.lin, c2, &err), err);
    assert_memory_equal(b1, c1, sizeof b1);
    assert_memory_equal(b2, c2, sizeof b2);
    release(&u);
  }
}

/* The last body (12, 13) hangs on the last joint (18, 19). */
static void tie_last_body(setup *u) {
  for (int i = 12; i < 14; i++) u->A[i * N + i + 6] = u->A[(i + 6) * N + i] = 2.0;
}

/* It loses its mass: the order of nodes has no pivot for it, the matrix has. */
static void take_mass_of_last_body(setup *u) {
  for (int i = 12; i < 14; i++) {
    for (int j = 0; j < NV; j++) u->A[i * N + j] = u->A[j * N + i] = 0.0;
  }
}

static void what_blocks_cannot_do_goes_down_the_ladder(void **unused) {
  (void)unused;
  for (int s = 0; s < SOLVERS; s++) {
    trm_error err;
    setup u = {.seed = 41};
    random_saddle(&u);
    tie_last_body(&u);
    prepare(&u, solvers[s], 0, 0, -1);
    take_mass_of_last_body(&u);
    fill(&u);
    CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
    check_solution(&u, 1e-11, solvers[s]); /* condition 1e3 */
    if (strcmp(solvers[s], "block") == 0) assert_true(u.tally.fallbacks > 0);
    release(&u);
  }
}

static void after_forgetting_the_bits_are_those_of_a_new_solver(void **unused) {
  (void)unused;
  for (int s = 0; s < SOLVERS; s++) {
    trm_error err;
    setup old = {.seed = 21}, fresh = {.seed = 21};
    random_saddle(&old);
    prepare(&old, solvers[s], 0, 0, -1);
    fill(&old);
    CHECK_OK(trmi_linear_factor(&old.lin, &err), err);
    for (int k = 0; k < N * N; k++) old.A[k] *= 1.0 + 0.5 * kit_random(&old.seed);
    memcpy(fresh.A, old.A, sizeof fresh.A);
    prepare(&fresh, solvers[s], 0, 0, -1);
    trmi_linear_forget(&old.lin);
    fill(&old);
    fill(&fresh);
    CHECK_OK(trmi_linear_factor(&old.lin, &err), err);
    CHECK_OK(trmi_linear_factor(&fresh.lin, &err), err);
    double a[N], b[N];
    for (int i = 0; i < N; i++) a[i] = b[i] = kit_random(&old.seed);
    CHECK_OK(trmi_linear_solve(&old.lin, a, &err), err);
    CHECK_OK(trmi_linear_solve(&fresh.lin, b, &err), err);
    assert_memory_equal(a, b, sizeof a);
    release(&old);
    release(&fresh);
  }
}

/* A plan whose nodes nobody named is no work for blocks. */
static void solvers_are_chosen_by_name_or_filling(void **unused) {
  (void)unused;
  enum { FULL = 20 };
  for (int full = 0; full < 2; full++) {
    trm_error err;
    const trm_allocator allocator = {0};
    trmi_tally tally = {0};
    int row[FULL * FULL], col[FULL * FULL];
    double values[FULL * FULL];
    trmi_sparse block = {.rows = FULL, .cols = FULL, .row = row, .col = col, .values = values};
    for (int k = 0; k < FULL * FULL; k++) {
      if (!full && k / FULL != k % FULL) continue;
      values[block.n] = k / FULL == k % FULL ? 1.0 : 0.0;
      row[block.n] = k / FULL;
      col[block.n++] = k % FULL;
    }
    const trmi_term term = {.block = &block};
    trmi_arena arena;
    trmi_plan plan;
    trmi_linear lin;
    trmi_arena_init(&arena, &allocator);
    CHECK_OK(trmi_plan_build(&plan, &arena, FULL, &term, 1, (trmi_rotations){0}, 0, 0, &err), err);
    CHECK_OK(trmi_linear_init(&lin, &arena, &plan, "auto", &tally, &err), err);
    assert_string_equal(lin.ops->name, full ? "dense" : "klu");
    trmi_linear_free(&lin);
    CHECK_STATUS(trmi_linear_init(&lin, &arena, &plan, "umfpack", &tally, &err), TRM_ERR_INPUT);
    assert_non_null(strstr(err.message, "umfpack"));
    trmi_linear_free(&lin);
    trmi_arena_clear(&arena);
  }
}

static void a_matrix_without_unknowns_is_solved(void **unused) {
  (void)unused;
  for (int s = 0; s < SOLVERS; s++) {
    trm_error err;
    const trm_allocator allocator = {0};
    trmi_tally tally = {0};
    trmi_arena arena;
    trmi_plan plan;
    trmi_linear lin;
    trmi_arena_init(&arena, &allocator);
    CHECK_OK(trmi_plan_build(&plan, &arena, 0, NULL, 0, (trmi_rotations){0}, 0, 0, &err), err);
    CHECK_OK(trmi_linear_init(&lin, &arena, &plan, solvers[s], &tally, &err), err);
    CHECK_OK(trmi_linear_factor(&lin, &err), err);
    CHECK_OK(trmi_linear_solve(&lin, NULL, &err), err);
    trmi_linear_free(&lin);
    trmi_arena_clear(&arena);
  }
}

/* The largest entries lie off the diagonal: pivots change places; conditions are below 10. */
static void full_matrices_of_all_small_sizes_are_solved(void **unused) {
  (void)unused;
  enum { LARGEST = 26, SQUARE = LARGEST * LARGEST };
  trm_error err;
  for (int n = 1; n <= LARGEST; n++) {
    const trm_allocator allocator = {0};
    trmi_tally tally = {0};
    uint64_t seed = (uint64_t)n;
    int row[SQUARE], col[SQUARE];
    double values[SQUARE], x[LARGEST] = {0.0};
    trmi_sparse block = {.rows = n, .cols = n, .row = row, .col = col, .values = values};
    for (int k = 0; k < n * n; k++, block.n++) {
      row[k] = k / n, col[k] = k % n;
      values[k] = kit_random(&seed) + ((row[k] + 1) % n == col[k] ? 2.0 * n : 0.0);
      x[row[k]] += values[k] * (1.0 + col[k]);
    }
    const trmi_term term = {.block = &block};
    trmi_plan plan;
    trmi_linear lin;
    trmi_arena arena;
    trmi_arena_init(&arena, &allocator);
    CHECK_OK(trmi_plan_build(&plan, &arena, n, &term, 1, (trmi_rotations){0}, 0, 0, &err), err);
    CHECK_OK(trmi_linear_init(&lin, &arena, &plan, "dense", &tally, &err), err);
    trmi_plan_fill(&plan, (const double[]){1.0}, NULL);
    CHECK_OK(trmi_linear_factor(&lin, &err), err);
    CHECK_OK(trmi_linear_solve(&lin, x, &err), err);
    for (int i = 0; i < n; i++) assert_true(fabs(x[i] - 1.0 - i) < 1e-14 * n);
    trmi_linear_free(&lin);
    trmi_arena_clear(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_solutions_are_found),
      cmocka_unit_test(too_much_fill_is_left_to_klu),
      cmocka_unit_test(old_pivots_serve_other_values),
      cmocka_unit_test(pivots_that_became_small_are_replaced),
      cmocka_unit_test(a_column_of_zeros_is_named),
      cmocka_unit_test(duplicated_rows_are_not_solved_silently),
      cmocka_unit_test(not_a_number_is_never_a_solution),
      cmocka_unit_test(tiny_numbers_are_no_failure),
      cmocka_unit_test(border_shares_out_by_least_squares),
      cmocka_unit_test(two_right_hand_sides_give_the_bits_of_two_solves),
      cmocka_unit_test(what_blocks_cannot_do_goes_down_the_ladder),
      cmocka_unit_test(after_forgetting_the_bits_are_those_of_a_new_solver),
      cmocka_unit_test(solvers_are_chosen_by_name_or_filling),
      cmocka_unit_test(a_matrix_without_unknowns_is_solved),
      cmocka_unit_test(full_matrices_of_all_small_sizes_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
