/* Complex matrices P0 + z P1 + z^2 P2 against known solutions: small, sparse and by blocks, old
 * pivots, border, singular ones. */
#include "linalg/complex.h"
#include "unit/kit.h"

enum { N = 40, ENTRIES_MAX = N * N };

typedef struct setup {
  uint64_t     seed;
  trmi_arena   arena;
  int          n, entries;
  int          row[ENTRIES_MAX], col[ENTRIES_MAX];
  double       values[ENTRIES_MAX];
  trmi_sparse  block;
  trmi_plan    plan;
  int          first[N + 1], order[N]; /* of the nodes */
  unsigned char is_constraint[N];
  double      *part[3];
  trmi_complex m;
  trmi_tally   tally;
} setup;

/* Nodes of one to nine unknowns. */
static void divide(setup *u) {
  int count = 0;
  for (int i = 0; i < u->n; i = u->first[count]) {
    const int end = i + 1 + count * 5 % 9;
    u->order[count] = count;
    u->first[++count] = end < u->n ? end : u->n;
  }
  u->plan.nodes = (trmi_node_list){.count = count, .first = u->first,
                                   .is_constraint = u->is_constraint, .order = u->order};
}

/* A random pattern with a full diagonal, random parts. */
static setup *begin(int n, int border, const char *solver) {
  trm_error err;
  setup *u = calloc(1, sizeof *u);
  assert_non_null(u);
  u->seed = 7;
  u->n = n;
  trmi_arena_init(&u->arena, &(trm_allocator){0});
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      if (i != j && kit_below(&u->seed, 5) != 0) continue;
      u->row[u->entries] = i;
      u->col[u->entries++] = j;
    }
  }
  u->block = (trmi_sparse){.rows = n, .cols = n, .n = u->entries, .row = u->row, .col = u->col,
                           .values = u->values};
  const trmi_term term = {.block = &u->block};
  CHECK_OK(trmi_plan_build(&u->plan, &u->arena, n, &term, 1, (trmi_rotations){0}, 0, border, &err),
           err);
  divide(u);
  for (int k = 0; k < 3; k++) u->part[k] = TRMI_TAKE(&u->arena, double, u->plan.Ap[n]);
  CHECK_OK(trmi_complex_init(&u->m, &u->arena, &u->plan, solver, &u->tally, &err), err);
  return u;
}

static void end(setup *u) {
  trmi_complex_free(&u->m);
  trmi_arena_clear(&u->arena);
  free(u);
}

static void random_parts(setup *u) {
  for (int j = 0; j < u->n; j++) {
    for (int k = u->plan.Ap[j]; k < u->plan.Ap[j + 1]; k++) {
      for (int p = 0; p < 3; p++) u->part[p][k] = kit_random(&u->seed);
      if (u->plan.Ai[k] == j) u->part[0][k] += 6.0; /* far from singular */
    }
  }
}

/* Largest error of a solution that is known, of the matrix without its border. */
static double error_of_solution(setup *u, const double z[2]) {
  double x[2][N], b[2][N] = {{0.0}};
  for (int i = 0; i < u->n; i++) x[0][i] = kit_random(&u->seed), x[1][i] = kit_random(&u->seed);
  const double q[2] = {z[0] * z[0] - z[1] * z[1], 2 * z[0] * z[1]};
  for (int j = 0; j < u->n; j++) {
    for (int k = u->plan.Ap[j]; k < u->plan.Ap[j + 1]; k++) {
      const int i = u->plan.Ai[k];
      const double re = u->part[0][k] + z[0] * u->part[1][k] + q[0] * u->part[2][k];
      const double im = z[1] * u->part[1][k] + q[1] * u->part[2][k];
      b[0][i] += re * x[0][j] - im * x[1][j];
      b[1][i] += re * x[1][j] + im * x[0][j];
    }
  }
  trmi_complex_solve(&u->m, b[0], b[1]);
  double worst = 0.0;
  for (int i = 0; i < u->n; i++) {
    worst = fmax(worst, hypot(b[0][i] - x[0][i], b[1][i] - x[1][i]));
  }
  return worst;
}

/* Rounding of sums of some ten terms of size ten. */
static const double tol = 1e-12;
static const double z[2] = {0.3, 0.2};

static void small_and_sparse_matrices_are_solved(void **unused) {
  (void)unused;
  const char *const solvers[] = {"auto", "dense", "klu", "block"};
  const int sizes[] = {1, 5, 10, 30, N};
  for (int s = 0; s < 4; s++) {
    for (int k = 0; k < 5; k++) {
      trm_error err;
      setup *u = begin(sizes[k], 0, solvers[s]);
      if (s == 3 && sizes[k] > 24) assert_true(u->m.sparse == &trmi_complex_block);
      for (int again = 0; again < 3; again++) { /* sparse: the second time with old pivots */
        random_parts(u);
        CHECK_OK(trmi_complex_factor(&u->m, u->part, z, &err), err);
        CHECK_NEAR(error_of_solution(u, z), 0.0, tol, "%s, %d unknowns, time %d", solvers[s],
                   sizes[k], again);
        if (again == 1) trmi_complex_forget(&u->m);
      }
      assert_int_equal(u->tally.factorizations, 3);
      assert_int_equal(u->tally.solves, 3);
      end(u);
    }
  }
}

/* Diagonals are about 6: a border of 5e-3 leaves 1e-3 of a solution, and (1e-3)^4 of it after three
 * refinements. */
static void the_border_is_refined_away(void **unused) {
  (void)unused;
  const char *const solvers[] = {"dense", "klu", "block"};
  for (int s = 0; s < 3; s++) {
    trm_error err;
    setup *u = begin(12, 4, solvers[s]);
    random_parts(u);
    for (int b = 0; b < 4; b++) u->plan.border[b] = -2e-3 - 1e-3 * b;
    CHECK_OK(trmi_complex_factor(&u->m, u->part, z, &err), err);
    for (int b = 0; b < 4; b++) u->plan.border[b] = -1.0; /* raised later: not in these factors */
    CHECK_NEAR(error_of_solution(u, z), 0.0, 1e-11, "%s", solvers[s]);
    end(u);
  }
}

/* An unknown that is in no equation, as the multiplier of a redundant constraint: it stays zero,
 * and the others are those of the rest. */
static void the_border_makes_a_singular_matrix_regular(void **unused) {
  (void)unused;
  const char *const solvers[] = {"dense", "klu", "block"};
  for (int s = 0; s < 3; s++) {
    trm_error err;
    setup *u = begin(12, 4, solvers[s]);
    random_parts(u);
    for (int j = 0; j < u->n; j++) {
      for (int k = u->plan.Ap[j]; k < u->plan.Ap[j + 1]; k++) {
        if (j != 2 && u->plan.Ai[k] != 2) continue;
        for (int p = 0; p < 3; p++) u->part[p][k] = 0.0;
      }
    }
    u->plan.border[2] = -1e-6;
    CHECK_OK(trmi_complex_factor(&u->m, u->part, z, &err), err);
    double re[N], im[N];
    for (int i = 0; i < u->n; i++) re[i] = i == 2 ? 0.0 : 1.0, im[i] = 0.0;
    trmi_complex_solve(&u->m, re, im);
    CHECK_NEAR(re[2], 0.0, 0.0, "%s: free unknown", solvers[s]);
    for (int i = 0; i < u->n; i++) assert_true(isfinite(re[i]) && fabs(re[i]) < 10.0);
    end(u);
  }
}

static void a_singular_matrix_names_its_column(void **unused) {
  (void)unused;
  const char *const solvers[] = {"dense", "klu", "block"};
  for (int s = 0; s < 3; s++) {
    trm_error err;
    setup *u = begin(12, 0, solvers[s]);
    random_parts(u);
    for (int k = u->plan.Ap[7]; k < u->plan.Ap[8]; k++) {
      for (int p = 0; p < 3; p++) u->part[p][k] = 0.0;
    }
    CHECK_STATUS(trmi_complex_factor(&u->m, u->part, z, &err), TRM_RETRY_SINGULAR);
    assert_int_equal(u->m.bad_column, 7);
    random_parts(u); /* and it recovers */
    CHECK_OK(trmi_complex_factor(&u->m, u->part, z, &err), err);
    CHECK_NEAR(error_of_solution(u, z), 0.0, tol, "%s after a singular one", solvers[s]);
    end(u);
  }
}

/* The first pivot is zero, except the second time: the general solver takes over for one matrix,
 * and in the end because the caller says so. It alone has old pivots. */
static void a_matrix_without_pivots_in_blocks_is_solved(void **unused) {
  (void)unused;
  trm_error err;
  setup *u = begin(N, 0, "block");
  for (int time = 0; time < 4; time++) {
    const bool has_pivot = time == 1 || time == 3;
    random_parts(u);
    u->m.is_general = time == 3;
    for (int p = 0; p < 3; p++) {
      for (int k = u->plan.Ap[0]; k < u->plan.Ap[1] && !has_pivot; k++) {
        if (u->plan.Ai[k] == 0) u->part[p][k] = 0.0;
      }
    }
    trmi_complex_forget(&u->m);
    CHECK_OK(trmi_complex_factor(&u->m, u->part, z, &err), err);
    assert_int_equal(u->m.has_pivots, time != 1);
    CHECK_NEAR(error_of_solution(u, z), 0.0, 1e-10, "time %d", time);
  }
  end(u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_and_sparse_matrices_are_solved),
      cmocka_unit_test(the_border_is_refined_away),
      cmocka_unit_test(the_border_makes_a_singular_matrix_regular),
      cmocka_unit_test(a_singular_matrix_names_its_column),
      cmocka_unit_test(a_matrix_without_pivots_in_blocks_is_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
