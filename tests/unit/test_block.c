/* The block solver on matrices of mechanisms: bodies of six unknowns with a definite block, joints
 * of some rows without one, springs between bodies, [M + springs  G^T; G  0] x = b. */
#include "block_mechanism.h"
#include "core/compiler.h"
#include <string.h>

static int below(int n) {
  const int k = (int)((uniform() + 1) / 2 * n);
  return k < n ? k : n - 1;
}

/* B^T D B between two nodes (-1: ground), D positive: a spring of given stiffness. */
static void spring(int a, int b, double stiffness) {
  double d[16];
  const int at[2] = {a >= 0 ? mech.first[a] : -1, mech.first[b]};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 12; i++) d[i] = uniform();
    for (int i = 0; i < 12; i++) {
      for (int j = 0; j < 12; j++) {
        if (at[i / 6] < 0 || at[j / 6] < 0) continue;
        put(at[i / 6] + i % 6, at[j / 6] + j % 6, stiffness * d[i] * d[j]);
      }
    }
  }
}

static void joint(int a, int b, int size) {
  const int node = add_node(size, true), at = mech.first[node];
  const int bodies[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    if (bodies[k] < 0) continue;
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < 6; j++) {
        const double g = (i == j) + 0.5 * uniform();
        put(at + i, mech.first[bodies[k]] + j, g);
        put(mech.first[bodies[k]] + j, at + i, g);
      }
    }
  }
}

/* Joints must be numbered after all bodies, as in a system: sorted by this. */
static int joint_a[NODES], joint_b[NODES], joint_size[NODES], njoints;
static void plan_joint(int a, int b, int size) {
  joint_a[njoints] = a, joint_b[njoints] = b, joint_size[njoints++] = size;
}
static void make_joints(void) {
  mech.border_first = mech.n;
  for (int k = 0; k < njoints; k++) joint(joint_a[k], joint_b[k], joint_size[k]);
  njoints = 0;
}

/* --- solving ----------------------------------------------------------------- */

typedef struct solved {
  double      error, refined; /* backward error, and after one refinement        */
  const char *solver;         /* at the end of the ladder                        */
  long        fallbacks;
  double      x[NODES * 8];
} solved;

static solved out;

/* Backward error of lin->x after one more refinement, row by row; rows that are zero
 * but for rounding do not count. */
static double refine(trmi_linear *lin, const double *b) {
  double error = 0, largest = 0;
  for (int pass = 0; pass < 2; pass++) {
    if (lin->ops->multiply == NULL) return lin->backward_error;
    lin->ops->multiply(lin, lin->x, lin->r, lin->size);
    for (int i = 0; i < mech.n; i++) {
      lin->r[i] = b[i] - lin->r[i];
      lin->size[i] += fabs(b[i]);
      largest = fmax(largest, lin->size[i]);
    }
    if (pass == 1) break;
    lin->ops->solve(lin, lin->r, NULL);
    for (int i = 0; i < mech.n; i++) lin->x[i] += lin->r[i];
  }
  for (int i = 0; i < mech.n; i++) {
    error = fmax(error, fabs(lin->r[i]) / fmax(lin->size[i], 1e-8 * largest));
  }
  return error;
}

/* The plan of the sum of `count` terms, with the nodes of the mechanism. */
static void make_plan(trmi_plan *plan, trmi_arena *arena, const trmi_term *terms, int count) {
  trm_error err;
  mech.S.rows = mech.S.cols = mech.n;
  CHECK_OK(trmi_plan_build(plan, arena, mech.n, terms, count, (trmi_rotations){0},
                           mech.border_first, mech.nborder, &err), err);
  plan->nodes = (trmi_node_list){.count = mech.nodes, .first = mech.first,
                                 .is_constraint = mech.is_constraint};
}

/* Solves for b; statuses other than OK fail the test. */
static void solve(const char *solver, const double *b) {
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_plan plan;
  trmi_linear lin;
  trmi_tally tally = {0};
  trm_error err;
  const trmi_term term = {.block = &mech.S};
  make_plan(&plan, &arena, &term, 1);
  for (int k = 0; k < plan.nborder; k++) plan.border[k] = -1e-12;
  CHECK_OK(trmi_linear_init(&lin, &arena, &plan, solver, &tally, &err), err);
  trmi_plan_fill(&plan, (double[]){1.0}, NULL);
  CHECK_OK(trmi_linear_factor(&lin, &err), err);
  for (int i = 0; i < mech.n; i++) out.x[i] = b[i];
  CHECK_OK(trmi_linear_solve(&lin, out.x, &err), err);
  out.error = lin.backward_error;
  out.refined = refine(&lin, b);
  out.solver = lin.ops->name;
  out.fallbacks = tally.fallbacks;
  trmi_linear_free(&lin);
  trmi_arena_clear(&arena);
}

static void check_block(const char *what) {
  static double b[NODES * 8];
  for (int i = 0; i < mech.n; i++) b[i] = uniform();
  solve("block", b);
  print_message("%-24s n = %5d: backward error %.1e, refined %.1e\n", what, mech.n, out.error,
                out.refined);
  assert_string_equal(out.solver, "block");
  CHECK_NEAR(out.error, 0.0, 1e-13, "%s: backward error", what); /* above, it refines itself */
  CHECK_NEAR(out.refined, 0.0, 1e-14, "%s: refined", what);      /* rounding */
}

static void chain(int n) {
  begin();
  for (int k = 0; k < n; k++) body(6);
  for (int k = 0; k < n; k++) plan_joint(k - 1, k, 5);
  make_joints();
}

/* Four-bars in a row, planar enough to be consistent: 3 rows a joint. */
static void ladder(int n) {
  begin();
  for (int k = 0; k < n; k++) body(6);
  for (int k = 0; k < n; k += 3) {
    plan_joint(k > 0 ? k - 1 : -1, k, 3);
    plan_joint(k, k + 1, 3);
    plan_joint(k + 1, k + 2, 3);
    plan_joint(-1, k + 2, 3);
  }
  make_joints();
}

static void chains_ladders_trees_nets_and_beams_are_solved_to_rounding(void **unused) {
  (void)unused;
  chain(10);
  check_block("chain 10");
  chain(1000);
  check_block("chain 1000");

  ladder(300);
  check_block("ladder of 100 four-bars");

  begin();
  for (int k = 0; k < 511; k++) body(6);
  for (int k = 0; k < 511; k++) plan_joint(k > 0 ? (k - 1) / 2 : -1, k, 5);
  make_joints();
  check_block("binary tree 511");

  /* nets: grid of bodies tied by springs, and by joints of 2 rows */
  begin();
  for (int k = 0; k < 400; k++) body(6);
  for (int k = 0; k < 400; k++) {
    if (k % 20 < 19) spring(k, k + 1, 100.0);
    if (k + 20 < 400) spring(k, k + 20, 100.0);
  }
  check_block("net of bushings 20 x 20");
  begin();
  for (int k = 0; k < 144; k++) body(6);
  for (int k = 0; k < 144; k++) {
    if (k % 12 < 11) plan_joint(k, k + 1, 2);
    if (k + 12 < 144) plan_joint(k, k + 12, 2);
  }
  make_joints();
  check_block("net of joints 12 x 12");

  begin();
  for (int k = 0; k < 300; k++) body(6);
  for (int k = 0; k < 300; k++) spring(k - 1, k, 1e4);
  check_block("beam 300");
}

static void a_thousand_random_mechanisms_are_solved_to_rounding(void **unused) {
  (void)unused;
  double worst = 0;
  int fallen = 0;
  for (int trial = 0; trial < 1000; trial++) {
    seed = (uint64_t)trial * 7919 + 3;
    begin();
    const int bodies = 2 + below(20);
    int loops[24] = {0};
    for (int k = 0; k < bodies; k++) body(6);
    for (int k = 0; k < bodies; k++) plan_joint(below(k + 1) - 1, k, 1 + below(5));
    for (int k = below(bodies); k > 0; k--) {
      /* a loop of one row per body at most: no part is ever overconstrained */
      const int a = below(bodies), b = below(bodies);
      if (a == b || loops[a] + loops[b] > 0) continue;
      loops[a] = loops[b] = 1;
      plan_joint(a, b, 1);
    }
    for (int k = below(bodies); k > 0; k--) {
      const int a = below(bodies), b = below(bodies);
      if (a != b) spring(a, b, pow(10, 2 + 2 * uniform()));
    }
    make_joints();
    static double b[NODES * 8];
    for (int i = 0; i < mech.n; i++) b[i] = uniform();
    solve("block", b);
    worst = fmax(worst, out.refined);
    fallen += out.fallbacks > 0;
    CHECK_NEAR(out.refined, 0.0, 1e-14, "mechanism %d: refined backward error", trial);
  }
  print_message("largest backward error %.1e, %d of 1000 left the block solver\n", worst, fallen);
  assert_int_equal(fallen, 0);
}

/* x of the bodies must be that of the same mechanism without the copies. */
static void duplicated_joints_give_the_same_accelerations(void **unused) {
  (void)unused;
  static double single[64];
  static double b[200];
  for (int copies = 1; copies <= 3; copies++) {
    seed = 5;
    begin();
    for (int k = 0; k < 4; k++) body(6);
    for (int k = 0; k < 4; k++) plan_joint(k - 1, k, 5);
    const uint64_t before = (uniform(), seed);
    mech.border_first = mech.n;
    for (int c = 0; c < copies; c++) { /* the same numbers each time */
      seed = before;
      for (int k = 0; k < 4; k++) joint(joint_a[k], joint_b[k], joint_size[k]);
    }
    njoints = 0;
    mech.nborder = copies > 1 ? mech.n - mech.border_first : 0;
    memset(b, 0, sizeof b);
    for (int i = 0; i < 24; i++) b[i] = i % 6 == 2 ? -9.81 : 0.0;
    solve("block", b);
    for (int i = 0; i < 24; i++) {
      if (copies == 1) single[i] = out.x[i];
      /* border 1e-12, refined against the matrix without it */
      CHECK_NEAR(out.x[i], single[i], 1e-9, "%d copies: acceleration %d", copies, i);
    }
    /* the shortest multipliers: every copy carries the same, to rounding times the
     * condition over the border, 1e-16 1e2 / 1e-12 */
    for (int i = 0; i < 20 && copies > 1; i++) {
      CHECK_NEAR(out.x[24 + i], out.x[44 + i], 1e-2, "%d copies: multiplier %d", copies, i);
    }
  }
}

static void bad_mass_blocks_end_in_the_right_answer(void **unused) {
  (void)unused;
  static double expected[200], b[200];
  for (int kind = 0; kind < 4; kind++) {
    seed = 11 + (uint64_t)kind;
    chain(5);
    for (int k = 0; k < mech.S.n; k++) {
      if (rows_[k] != cols_[k] || rows_[k] >= 30) continue;
      const int i = rows_[k];
      if (kind == 0 && i == 2) values_[k] = -3.0;       /* indefinite                    */
      if (kind == 1 && i == 14) values_[k] = 1e-13;     /* nearly singular               */
      if (kind == 2 && i % 6 == 5) values_[k] = 0.0;    /* no inertia about one axis     */
      if (kind == 3 && i / 6 == 2) values_[k] = 1e-15;  /* a body almost without mass    */
    }
    for (int i = 0; i < mech.n; i++) expected[i] = uniform(), b[i] = 0.0;
    for (int k = 0; k < mech.S.n; k++) b[rows_[k]] += values_[k] * expected[cols_[k]];
    solve("block", b);
    print_message("kind %d: solved by %s after %ld steps down, backward error %.1e\n", kind,
                  out.solver, out.fallbacks, out.error);
    CHECK_NEAR(out.error, 0.0, 1e-13, "kind %d: backward error", kind);
    /* condition of these systems: up to 1e4 */
    for (int i = 0; i < mech.n; i++) {
      CHECK_NEAR(out.x[i], expected[i], 1e-9, "kind %d: unknown %d", kind, i);
    }
  }
}

static void large_nodes_are_cut_into_tiles(void **unused) {
  (void)unused;
  static double expected[400], b[400];
  begin();
  body(6);
  const int modal = add_node(140, false), at = mech.first[modal];
  for (int i = 0; i < 140; i++) {
    for (int j = 0; j < 140; j++) put(at + i, at + j, (i == j) * 4.0 + 0.02 * sin(i * j + 1.0));
    for (int j = 0; j < 6; j++) {
      const double c = 0.1 * uniform();
      put(at + i, j, c);
      put(j, at + i, c);
    }
  }
  plan_joint(0, modal, 3);
  plan_joint(-1, 0, 3);
  make_joints();
  for (int i = 0; i < mech.n; i++) expected[i] = uniform(), b[i] = 0.0;
  for (int k = 0; k < mech.S.n; k++) b[rows_[k]] += values_[k] * expected[cols_[k]];
  solve("block", b);
  assert_string_equal(out.solver, "block");
  for (int i = 0; i < mech.n; i++) {
    CHECK_NEAR(out.x[i], expected[i], 1e-11, "unknown %d", i); /* condition about 100 */
  }
}

/* Modes that meet bodies and joints but not each other, in nodes of all sizes. */
static void nodes_with_a_diagonal_block_are_solved_to_rounding(void **unused) {
  (void)unused;
  begin();
  const int frame = body(6);
  for (int size = 2; size <= 8; size++) {
    for (int many = 0; many < 3; many++) {
      const int modes = add_node(size, false), at = mech.first[modes];
      for (int i = 0; i < size; i++) {
        put(at + i, at + i, 1.0 + uniform() * uniform() + 100.0 * i);
        for (int j = 0; j < 6; j++) {
          put(at + i, mech.first[frame] + j, 0.1 * uniform());
          put(mech.first[frame] + j, at + i, 0.1 * uniform());
        }
      }
      if (many == 0) plan_joint(frame, modes, size < 3 ? size : 3);
    }
  }
  make_joints();
  check_block("diagonal nodes");
}

/* Filled on the way the matrix and its factors have the same bits, whatever was there before. */
static void check_filling(const trmi_block_ops *kernels, trmi_block *b, const trmi_plan *plan) {
  static double whole[40000];
  const int numbers = b->matrix + b->factors;
  assert_true(numbers <= 40000);
  memcpy(whole, b->A, (size_t)numbers * sizeof *whole);
  for (int k = 0; k < plan->Ap[plan->n]; k++) b->A[plan->index[k]] = NAN;
  assert_true(kernels->factor(b, &(trmi_filling){plan, (double[]){1.0}, NULL}, 0));
  assert_memory_equal(whole, b->A, (size_t)numbers * sizeof *whole);
}

/* All kernels of this machine on one matrix; those with fused operations have the same bits. */
static void kernels_of_all_machines_agree(void **unused) {
  (void)unused;
  static double last[400];
  const trmi_block_ops *const tables[] = {
      &trmi_block_base, TRMI_HAS_AVX2() ? &trmi_block_avx2 : &trmi_block_base,
      TRMI_HAS_AVX512() ? &trmi_block_avx512 : &trmi_block_base};
  for (int k = 0; k < 3; k++) {
    seed = 17;
    chain(12);
    for (int m = 0; m < 5; m++) spring(m, m + 3, 10.0);
    mech.S.rows = mech.S.cols = mech.n;
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    trmi_plan plan;
    trmi_block *b = NULL;
    trm_error err;
    const trmi_term term = {.block = &mech.S};
    make_plan(&plan, &arena, &term, 1);
    CHECK_OK(trmi_block_analyze(&b, &plan, tables[k], &arena, &err), err);
    trmi_plan_fill(&plan, (double[]){1.0}, NULL);
    assert_true(tables[k]->factor(b, NULL, 0));
    for (int i = 0; i < mech.n; i++) b->y[0][b->padded[i]] = b->y[1][b->padded[i]] = sin(i);
    tables[k]->solve(b, 2, false);
    check_filling(tables[k], b, &plan);
    for (int i = 0; i < mech.n; i++) {
      const double x = b->y[0][b->padded[i]];
      /* not refined: rounding with and without fused operations, condition about 1e6 */
      const double near = tables[k] == &trmi_block_avx512 ? 0.0 : 1e-9 * (1 + fabs(x));
      if (k > 0) CHECK_NEAR(x, last[i], near, "%s: unknown %d", tables[k]->name, i);
      last[i] = x;
      CHECK_NEAR(b->y[1][b->padded[i]], x, 0.0, "%s: second right-hand side", tables[k]->name);
    }
    trmi_block_free(b);
    trmi_arena_clear(&arena);
  }
}

/* The matrix of `mech` once as it is and once from M, G and G^T, whose blocks have one place for
 * both: the same values by columns and the same solution, filled on the way or before. A pivot that
 * is zero is found in both ways, and the matrix is complete for the next rung. */
static void transposed_blocks_have_one_place(void **unused) {
  (void)unused;
  static double columns[2][40000], x[2][400];
  static int row[2][40000], col[2][40000];
  static double values[2][40000];
  for (int is_singular = 0; is_singular < 2; is_singular++) {
    chain(20);
    mech.S.rows = mech.S.cols = mech.n;
    trmi_sparse part[2]; /* M, G */
    for (int p = 0; p < 2; p++) {
      part[p] = (trmi_sparse){.rows = mech.n, .cols = mech.n, .row = row[p], .col = col[p],
                              .values = values[p]};
    }
    for (int k = 0; k < mech.S.n; k++) {
      const bool is_below = mech.S.row[k] >= mech.border_first;
      if (mech.S.col[k] >= mech.border_first) continue;
      if (is_singular && mech.S.row[k] == mech.n - 1) mech.S.values[k] = 0.0; /* no pivot there */
      trmi_sparse *to = &part[is_below];
      to->row[to->n] = mech.S.row[k], to->col[to->n] = mech.S.col[k];
      to->values[to->n++] = mech.S.values[k];
    }
    for (int way = 0; way < 2; way++) {
      const trmi_term terms[] = {{.block = &part[0]}, {.block = &part[1]},
                                 {.block = &part[1], .transposed = true}};
      trmi_arena arena;
      trmi_arena_init(&arena, &(trm_allocator){0});
      trmi_plan plan;
      trmi_linear lin;
      trmi_tally tally = {0};
      trm_error err;
      make_plan(&plan, &arena, terms, 3);
      CHECK_OK(trmi_linear_init(&lin, &arena, &plan, way == 0 ? "klu" : "block", &tally, &err),
               err);
      trmi_linear_fill(&lin, (double[]){1.0}, NULL);
      assert_int_equal(trmi_linear_factor(&lin, &err), is_singular ? TRM_RETRY_SINGULAR : TRM_OK);
      trmi_plan_get(&plan, columns[way]);
      assert_int_equal(tally.fallbacks > 0, is_singular);
      for (int i = 0; i < mech.n; i++) x[way][i] = sin(i);
      if (!is_singular) CHECK_OK(trmi_linear_solve(&lin, x[way], &err), err);
      const trmi_block *b = lin.content;
      for (int e = 0; way == 1 && !is_singular && e < b->first[b->count]; e++) {
        assert_int_equal(b->lower[e], b->upper[e]);
      }
      if (way == 1) {
        assert_memory_equal(columns[0], columns[1], (size_t)plan.Ap[plan.n] * sizeof(double));
      }
      trmi_linear_free(&lin);
      trmi_arena_clear(&arena);
    }
    for (int i = 0; i < mech.n; i++) CHECK_NEAR(x[1][i], x[0][i], 1e-9, "unknown %d", i);
  }
}

/* A net of springs; values with three of four springs open, their blocks being zero, and all. */
static void springs_that_open(int side, double values[2][ENTRIES]) {
  begin();
  for (int k = 0; k < side * side; k++) body(6);
  memcpy(values[0], mech.S.values, (size_t)mech.S.n * sizeof(double));
  for (int k = 0; k < side * side; k++) {
    const int first = mech.S.n;
    if (k % side < side - 1) spring(k, k + 1, 100.0);
    if (k + side < side * side) spring(k, k + side, 100.0);
    for (int i = first; i < mech.S.n; i++) values[0][i] = k % 4 == 1 ? mech.S.values[i] : 0.0;
  }
  memcpy(values[1], mech.S.values, (size_t)mech.S.n * sizeof(double));
}

/* With and without entries left out the same numbers, also where factors of other values are. */
static void blocks_that_vanish_are_left_out(void **unused) {
  (void)unused;
  static double values[2][ENTRIES], x[2][NODES * 8];
  springs_that_open(12, values);
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_plan plan[2];
  trmi_linear lin[2];
  trmi_tally tally = {0};
  trm_error err;
  const trmi_term term = {.block = &mech.S};
  for (int way = 0; way < 2; way++) {
    make_plan(&plan[way], &arena, &term, 1);
    plan[way].may_vanish = way == 1;
    CHECK_OK(trmi_linear_init(&lin[way], &arena, &plan[way], "block", &tally, &err), err);
  }
  for (int pass = 0; pass < 4; pass++) {
    memcpy(mech.S.values, values[pass % 2], (size_t)mech.S.n * sizeof(double));
    for (int way = 0; way < 2; way++) {
      for (int i = 0; i < mech.n; i++) x[way][i] = sin(1.0 + i);
      trmi_linear_fill(&lin[way], (double[]){1.0}, NULL);
      CHECK_OK(trmi_linear_factor(&lin[way], &err), err);
      CHECK_OK(trmi_linear_solve(&lin[way], x[way], &err), err);
    }
    for (int i = 0; i < mech.n; i++) assert_true(x[0][i] == x[1][i]);
    const trmi_block *b = lin[1].content;
    int left_out = 0;
    for (int e = 0; e < b->first[b->count]; e++) left_out += b->is_zero[e];
    assert_true(pass % 2 == 0 ? 4 * left_out > b->first[b->count] : left_out == 0);
  }
  for (int way = 0; way < 2; way++) trmi_linear_free(&lin[way]);
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_ladders_trees_nets_and_beams_are_solved_to_rounding),
      cmocka_unit_test(a_thousand_random_mechanisms_are_solved_to_rounding),
      cmocka_unit_test(duplicated_joints_give_the_same_accelerations),
      cmocka_unit_test(bad_mass_blocks_end_in_the_right_answer),
      cmocka_unit_test(large_nodes_are_cut_into_tiles),
      cmocka_unit_test(nodes_with_a_diagonal_block_are_solved_to_rounding),
      cmocka_unit_test(kernels_of_all_machines_agree),
      cmocka_unit_test(transposed_blocks_have_one_place),
      cmocka_unit_test(blocks_that_vanish_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
