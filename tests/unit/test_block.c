/* Block solver: every set of kernels this machine runs, on random mechanisms, against
 * known solutions. */
#include "core/compiler.h"
#include "linalg/block.h"
#include "unit/kit.h"

enum { BODIES = 12, NODES = 2 * BODIES, N = 200 };

/* A mechanism: bodies of 1 .. 12 unknowns, a joint of each with an earlier body or
 * ground, now and then a joint more. All numbers row by row in A. */
typedef struct setup {
  uint64_t      seed;
  trmi_arena    arena;
  int           n, count;
  int           first[NODES + 1];
  unsigned char kind[NODES];
  double       *A;
  int          *row, *col;
  double       *values;
  trmi_sparse   block;
  trmi_plan     plan;
  trmi_linear   lin;
  trmi_tally    tally;
} setup;

static void put_block(setup *u, int a, int b) {
  for (int i = u->first[a]; i < u->first[a + 1]; i++) {
    for (int j = u->first[b]; j < u->first[b + 1]; j++) {
      const double value = kit_random(&u->seed);
      u->A[i * u->n + j] = u->A[j * u->n + i] = value;
    }
  }
}

static void random_mechanism(setup *u) {
  const int bodies = 1 + kit_below(&u->seed, BODIES);
  int end[NODES][2], size[NODES], joints = 0;
  for (int b = 0; b < bodies; b++) size[b] = 1 + kit_below(&u->seed, 12);
  for (int b = 0; b < bodies; b++) {
    /* at most as many rows as half of the columns of the body: well conditioned */
    const int rows = kit_below(&u->seed, (size[b] + 1) / 2 + 1);
    if (rows == 0) continue;
    end[joints][0] = b;
    end[joints][1] = kit_below(&u->seed, b + 1) - 1;
    size[bodies + joints++] = rows;
  }
  u->count = bodies + joints;
  for (int a = 0; a < u->count; a++) {
    u->first[a + 1] = u->first[a] + size[a];
    u->kind[a] = a >= bodies;
  }
  u->n = u->first[u->count];
  assert_true(u->n <= N);
  u->A = calloc((size_t)u->n * (size_t)u->n, sizeof(double));
  assert_non_null(u->A);
  for (int b = 0; b < bodies; b++) {
    put_block(u, b, b);
    for (int i = u->first[b]; i < u->first[b + 1]; i++) u->A[i * u->n + i] = 15.0;
  }
  for (int k = 0; k < joints; k++) {
    put_block(u, bodies + k, end[k][0]);
    if (end[k][1] >= 0) put_block(u, bodies + k, end[k][1]);
  }
}

static void setup_open(setup *u, uint64_t seed) {
  trm_error err;
  const trm_allocator allocator = {0};
  *u = (setup){.seed = seed};
  random_mechanism(u);
  trmi_arena_init(&u->arena, &allocator);
  const size_t most = (size_t)u->n * (size_t)u->n;
  u->row = TRMI_TAKE(&u->arena, int, most);
  u->col = TRMI_TAKE(&u->arena, int, most);
  u->values = TRMI_TAKE(&u->arena, double, most);
  u->block = (trmi_sparse){.rows = u->n, .cols = u->n, .row = u->row, .col = u->col,
                           .values = u->values};
  for (int k = 0; k < u->n * u->n; k++) {
    if (u->A[k] == 0.0) continue;
    u->row[u->block.n] = k / u->n;
    u->col[u->block.n] = k % u->n;
    u->values[u->block.n++] = u->A[k];
  }
  const trmi_term term = {.block = &u->block};
  CHECK_OK(trmi_plan_build(&u->plan, &u->arena, u->n, &term, 1, (trmi_rotations){0}, 0, 0, &err),
           err);
  u->plan.nodes = (trmi_node_list){.count = u->count, .first = u->first,
                                   .is_constraint = u->kind};
  CHECK_OK(trmi_linear_init(&u->lin, &u->arena, &u->plan, "block", &u->tally, &err), err);
  assert_string_equal(u->lin.ops->name, "block");
  trmi_plan_fill(&u->plan, (const double[]){1.0}, NULL);
}

static void setup_close(setup *u) {
  trmi_linear_free(&u->lin);
  trmi_arena_clear(&u->arena);
  free(u->A);
}

/* Sets of kernels; those the machine lacks are left out. */
static int kernels(const trmi_block_ops *tables[3]) {
  int count = 0;
  tables[count++] = &trmi_block_base;
  if (TRMI_HAS_AVX2()) tables[count++] = &trmi_block_avx2;
  if (TRMI_HAS_AVX512()) tables[count++] = &trmi_block_avx512;
  return count;
}

static void multiply(const setup *u, const double *x, double *b) {
  for (int i = 0; i < u->n; i++) {
    b[i] = 0.0;
    for (int j = 0; j < u->n; j++) b[i] += u->A[i * u->n + j] * x[j];
  }
}

static void every_kernel_finds_known_solutions(void **unused) {
  (void)unused;
  const trmi_block_ops *tables[3];
  const int ntables = kernels(tables);
  for (uint64_t seed = 1; seed <= 150; seed++) {
    for (int k = 0; k < ntables; k++) {
      setup u;
      double x[2][N], b[2][N];
      setup_open(&u, seed);
      trmi_block *block = u.lin.content;
      for (int m = 0; m < 2; m++) {
        for (int i = 0; i < u.n; i++) x[m][i] = kit_random(&u.seed);
        multiply(&u, x[m], b[m]);
        for (int i = 0; i < u.n; i++) block->y[m][block->padded[i]] = b[m][i];
      }
      assert_true(tables[k]->factor(block));
      tables[k]->solve(block, 2);
      for (int m = 0; m < 2; m++) {
        double found[N], again[N];
        for (int i = 0; i < u.n; i++) found[i] = block->y[m][block->padded[i]];
        multiply(&u, found, again);
        for (int i = 0; i < u.n; i++) {
          /* random rows: condition and growth of pivots of up to 1e4 without refinement */
          CHECK_NEAR(found[i], x[m][i], 1e-10, "%s, seed %d, unknown %d", tables[k]->name,
                     (int)seed, i);
          CHECK_NEAR(again[i], b[m][i], 1e-10, "%s, seed %d, row %d", tables[k]->name,
                     (int)seed, i);
        }
      }
      setup_close(&u);
    }
  }
}

static void every_kernel_multiplies(void **unused) {
  (void)unused;
  const trmi_block_ops *tables[3];
  const int ntables = kernels(tables);
  for (uint64_t seed = 1; seed <= 60; seed++) {
    setup u;
    double x[N], b[N];
    setup_open(&u, seed);
    trmi_block *block = u.lin.content;
    for (int i = 0; i < u.n; i++) {
      x[i] = kit_random(&u.seed);
      block->work[0][block->padded[i]] = x[i];
    }
    multiply(&u, x, b);
    for (int k = 0; k < ntables; k++) {
      tables[k]->multiply(block, block->work[0], block->work[1], block->work[2]);
      for (int i = 0; i < u.n; i++) {
        double size = 0.0;
        for (int j = 0; j < u.n; j++) size += fabs(u.A[i * u.n + j] * x[j]);
        /* rounding of sums over at most 40 numbers below 15 */
        CHECK_NEAR(block->work[1][block->padded[i]], b[i], 1e-13, "%s, row %d", tables[k]->name,
                   i);
        CHECK_NEAR(block->work[2][block->padded[i]], size, 1e-13, "%s: sizes, row %d",
                   tables[k]->name, i);
      }
    }
    setup_close(&u);
  }
}

/* Old numbers leave no trace: factor A, then B, is the same as B alone. */
static void factoring_again_gives_the_bits_of_the_first_time(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    trm_error err;
    setup u, v;
    double b[N], c[N];
    setup_open(&u, seed);
    setup_open(&v, seed);
    CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
    for (int k = 0; k < u.block.n; k++) v.values[k] = u.values[k] *= 1.0 + 0.1 * sin(k);
    trmi_plan_fill(&u.plan, (const double[]){1.0}, NULL);
    trmi_plan_fill(&v.plan, (const double[]){1.0}, NULL);
    trmi_linear_forget(&u.lin);
    CHECK_OK(trmi_linear_factor(&u.lin, &err), err);
    CHECK_OK(trmi_linear_factor(&v.lin, &err), err);
    for (int i = 0; i < u.n; i++) b[i] = c[i] = kit_random(&u.seed);
    CHECK_OK(trmi_linear_solve(&u.lin, b, &err), err);
    CHECK_OK(trmi_linear_solve(&v.lin, c, &err), err);
    assert_memory_equal(b, c, (size_t)u.n * sizeof(double));
    setup_close(&u);
    setup_close(&v);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kernel_finds_known_solutions),
      cmocka_unit_test(every_kernel_multiplies),
      cmocka_unit_test(factoring_again_gives_the_bits_of_the_first_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
