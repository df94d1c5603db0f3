/* One plan refilled many times, as in a time loop: parts of its blocks vanish and return, some
 * with the mark of a run and some without, coefficients become zero, values fail to be numbers.
 * Whatever was there before, the matrix is the sum of its terms and solutions are its own: with and
 * without blocks left out, with right-hand sides that a factorization knows and without. */
#include "core/compiler.h"
#include "linalg/block.h"
#include "unit/kit.h"

enum { LISTS = 8, ENTRIES = 4000, SIZE = 128, NODES = 40, RUNS = 60, SLOTS = 6, TERMS = 9 };
enum { IN_M, IN_K, IN_C, IN_G, IN_QX, IN_DQ, IN_DV, IN_DX }; /* as in a system with contacts */

typedef struct list {
  trmi_sparse S;
  int         row[ENTRIES], col[ENTRIES], run[ENTRIES];
  double      values[ENTRIES];
  int         nruns, first[RUNS], end[RUNS]; /* its runs */
} list;

typedef struct setup {
  uint64_t      seed;
  int           nv, ng, nx, n, nodes, nrot;
  int           bodies, joints; /* nodes of velocities, and of multipliers behind them */
  int           first[NODES + 1], rotation[NODES]; /* first columns of rotations */
  bool          turns[NODES];                      /* nodes that have one        */
  bool          is_modal[NODES];                   /* nodes with a diagonal block only */
  bool          turns_G;
  unsigned char is_constraint[NODES];
  list          of[LISTS];
  double        c[SLOTS], T[9 * NODES];
  bool          has_T;
  double        A[SIZE][SIZE], size[SIZE][SIZE]; /* the sum of the terms, and of their sizes */
} setup;

static setup u;

static int below(int n) {
  return kit_below(&u.seed, n);
}

static void put(int l, int row, int col) {
  list *at = &u.of[l];
  const int k = at->S.n++;
  assert_true(k < ENTRIES);
  at->row[k] = row, at->col[k] = col, at->run[k] = -1;
  at->values[k] = kit_random(&u.seed);
}

/* The entries from `first` on vanish together. */
static void end_run(int l, int first) {
  list *at = &u.of[l];
  if (at->S.n == first) return;
  assert_true(at->nruns < RUNS);
  at->first[at->nruns] = first, at->end[at->nruns++] = at->S.n;
  for (int k = first; k < at->S.n; k++) at->run[k] = first;
}

static int size_of(int node) {
  return u.first[node + 1] - u.first[node];
}

static void add_node(int size, bool is_constraint) {
  u.is_constraint[u.nodes++] = is_constraint;
  u.n += size;
  u.first[u.nodes] = u.n;
}

/* A rectangle by rows or by columns, perhaps with gaps, perhaps with its mirror image at once. */
static void rectangle(int l, int row, int rows, int col, int cols) {
  const bool by_rows = below(2) == 0, is_mirrored = rows == cols && l < IN_G && below(3) == 0;
  const int missing = l != IN_G && below(3) == 0 ? 1 + below(4) : 0;
  for (int k = 0; k < rows * cols; k++) {
    const int i = by_rows ? k / cols : k % rows, j = by_rows ? k % cols : k / rows;
    if (below(12) < missing) continue;
    put(l, row + i, col + j);
    if (is_mirrored) put(l, col + j, row + i);
  }
}

/* The four rectangles of a force between two nodes in K or C, sometimes of their rotations only. */
static void couple(int l, int a, int b, bool is_run) {
  const int first = u.of[l].S.n, nodes[2] = {a, b};
  const bool turns = u.turns[a] && u.turns[b] && below(3) == 0;
  for (int k = 0; k < 4; k++) {
    const int row = nodes[k / 2], col = nodes[k % 2];
    if (row == col && u.is_modal[row]) continue;
    if (turns) rectangle(l, u.first[row] + 3, 3, u.first[col] + 3, 3);
    else rectangle(l, u.first[row], size_of(row), u.first[col], size_of(col));
  }
  if (is_run) end_run(l, first);
}

static void make_nodes(void) {
  static const int sizes[] = {6, 6, 6, 6, 1, 2, 3, 5, 7, 8, 11};
  u.bodies = 3 + below(6);
  for (int k = 0; k < u.bodies; k++) {
    const int size = sizes[below(11)], at = u.n;
    u.is_modal[k] = size >= 6 && below(4) == 0;
    u.turns[k] = size >= 6 && size <= 8 && !u.is_modal[k] && below(4) > 0;
    if (u.turns[k]) u.rotation[u.nrot++] = at + 3;
    add_node(size, false);
  }
  u.nv = u.n;
  u.joints = below(u.bodies);
  for (int k = 0; k < u.joints && k + 1 < u.bodies; k++) { /* no more rows than either end has */
    const int least = size_of(k) < size_of(k + 1) ? size_of(k) : size_of(k + 1);
    add_node(1 + below(least < 3 ? least : 3), true);
  }
  u.ng = u.n - u.nv;
  for (int k = below(8); k > 0; k--) add_node(1 + below(4), false);
  u.nx = u.n - u.nv - u.ng;
  assert_true(u.n <= SIZE && u.nodes <= NODES);
}

static void make_blocks(void) {
  for (int k = 0; k < u.bodies; k++) {
    const int at = u.first[k], size = size_of(k);
    for (int i = 0; i < size * size; i++) {
      if (!u.is_modal[k] || i / size == i % size) put(IN_M, at + i / size, at + i % size);
    }
  }
  for (int k = below(12); k > 0; k--) {
    couple(below(2) == 0 ? IN_K : IN_C, below(u.bodies), below(u.bodies), below(3) > 0);
  }
  for (int k = 0; k < u.joints; k++) {
    const int node = u.bodies + k, rows = size_of(node);
    const int ends[2] = {k, k + 1};
    for (int e = 0; e < 2; e++) {
      rectangle(IN_G, u.first[node] - u.nv, rows, u.first[ends[e]], size_of(ends[e]));
    }
  }
  for (int node = u.bodies + u.joints; node < u.nodes; node++) {
    const int x = u.first[node] - u.nv - u.ng, nz = size_of(node), other = below(u.bodies);
    rectangle(IN_DX, x, nz, x, nz);
    for (int i = 0; i < nz; i++) put(IN_DX, x + i, x + i);
    for (int l = IN_QX; l <= IN_DV; l++) {
      const int first = u.of[l].S.n, v = u.first[other], size = size_of(other);
      if (l == IN_QX) rectangle(l, v, size, x, nz);
      else rectangle(l, x, nz, v, size);
      end_run(l, first);
    }
  }
}

static int terms_of(trmi_term *term) {
  const int lam = u.nv, x = u.nv + u.ng;
  const trmi_term all[TERMS] = {
      {.block = &u.of[IN_M].S, .slot = 0},
      {.block = &u.of[IN_K].S, .slot = 1, .times_T = true},
      {.block = &u.of[IN_C].S, .slot = 2},
      {.block = &u.of[IN_G].S, .row = lam, .slot = 3, .times_T = u.turns_G},
      {.block = &u.of[IN_G].S, .col = lam, .slot = 3, .transposed = true},
      {.block = &u.of[IN_QX].S, .col = x, .slot = 4},
      {.block = &u.of[IN_DQ].S, .row = x, .slot = 1, .times_T = true},
      {.block = &u.of[IN_DV].S, .row = x, .slot = 2},
      {.block = &u.of[IN_DX].S, .row = x, .col = x, .slot = 5}};
  memcpy(term, all, sizeof all);
  return TERMS;
}

static void make(uint64_t seed) {
  memset(&u, 0, sizeof u);
  u.seed = seed * 7919 + 1;
  for (int l = 0; l < LISTS; l++) {
    list *at = &u.of[l];
    at->S = (trmi_sparse){.row = at->row, .col = at->col, .values = at->values};
  }
  u.turns_G = below(4) > 0;
  make_nodes();
  make_blocks();
  for (int l = 0; l < LISTS; l++) {
    list *at = &u.of[l];
    at->S.rows = at->S.cols = u.n;
    if (at->nruns > 0) at->S.run = at->run;
  }
}

/* ---- values ------------------------------------------------------------------------------- */

static void new_values(void) {
  for (int l = 0; l < LISTS; l++) {
    list *at = &u.of[l];
    for (int k = 0; k < at->S.n; k++) {
      const bool is_own = (l == IN_M || l == IN_DX) && at->row[k] == at->col[k];
      at->values[k] = kit_random(&u.seed) + (is_own ? 60.0 : 0.0);
    }
    for (int r = 0; r < at->nruns; r++) {
      double *run = at->values + at->first[r], *end = at->values + at->end[r];
      const int kind = below(6); /* vanishes with its mark, or without, or but for one entry */
      for (double *v = run; v < end && kind < 4; v++) *v = 0.0;
      if (kind == 3) run[below((int)(end - run))] = kit_random(&u.seed);
      trmi_run_mark(run, end, kind < 2);
    }
  }
  for (int s = 0; s < SLOTS; s++) u.c[s] = 1.0 + 0.5 * kit_random(&u.seed);
  for (int s = 1; s < 5; s++) u.c[s] = s != 3 && below(6) == 0 ? 0.0 : u.c[s];
  u.has_T = below(5) > 0;
  for (int k = 0; k < 9 * u.nrot; k++) u.T[k] = (k % 9 % 4 == 0) + 0.3 * kit_random(&u.seed);
}

static void add(const trmi_term *term, int k, double c, int rotation) {
  const trmi_sparse *S = term->block;
  const double value = c * S->values[k];
  int row = S->row[k], col = S->col[k];
  if (term->transposed) row = S->col[k], col = S->row[k];
  row += term->row, col += term->col;
  for (int m = 0; m < 3; m++) {
    const int first = rotation >= 0 ? u.rotation[rotation] : col;
    if (rotation < 0 && m > 0) break;
    const double turn = rotation >= 0 ? u.T[9 * rotation + 3 * (col - first) + m] : 1.0;
    u.A[row][first + m] += value * turn;
    u.size[row][first + m] += fabs(value * turn);
  }
}

static void dense_sum(void) {
  trmi_term term[TERMS];
  const int count = terms_of(term);
  memset(u.A, 0, sizeof u.A);
  memset(u.size, 0, sizeof u.size);
  for (int t = 0; t < count; t++) {
    for (int k = 0; k < term[t].block->n; k++) {
      int rotation = -1;
      for (int m = 0; m < u.nrot && u.has_T && term[t].times_T; m++) {
        const int off = term[t].block->col[k] - u.rotation[m];
        if (off >= 0 && off < 3) rotation = m;
      }
      if (u.c[term[t].slot] != 0.0) add(&term[t], k, u.c[term[t].slot], rotation);
    }
  }
}

static void check_matrix(const trmi_plan *plan, const char *what, int trial, int pass) {
  for (int j = 0; j < u.n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      const int i = plan->Ai[k];
      /* rounding of some ten terms, added in another order */
      CHECK_NEAR(trmi_plan_at(plan, k), u.A[i][j], 1e-14 * (1.0 + u.size[i][j]),
                 "%s, trial %d, pass %d: entry %d, %d", what, trial, pass, i, j);
    }
  }
}

/* ---- solutions ---------------------------------------------------------------------------- */

enum { WAYS = 2 }; /* all blocks, nothing expected; blocks that vanish left out, and expected */

typedef struct solver {
  trmi_arena  arena;
  trmi_plan   plan;
  trmi_linear lin;
  trmi_tally  tally;
} solver;

static solver way[WAYS];

static void open_way(int w) {
  solver *s = &way[w];
  trmi_term term[TERMS];
  trm_error err;
  const int count = terms_of(term);
  trmi_arena_init(&s->arena, &(trm_allocator){0});
  CHECK_OK(trmi_plan_build(&s->plan, &s->arena, u.n, term, count,
                           (trmi_rotations){.count = u.nrot, .first = u.rotation}, u.nv, 0, &err),
           err);
  s->plan.nodes = (trmi_node_list){.count = u.nodes, .first = u.first,
                                   .is_constraint = u.is_constraint};
  s->plan.may_vanish = w == 1;
  s->tally = (trmi_tally){0};
  CHECK_OK(trmi_linear_init(&s->lin, &s->arena, &s->plan, "block", &s->tally, &err), err);
  s->lin.keeps_rung = true;
}

static void close_way(int w) {
  trmi_linear_free(&way[w].lin);
  trmi_arena_clear(&way[w].arena);
}

static void right_hand_side(double *b) {
  for (int i = 0; i < u.n; i++) b[i] = kit_random(&u.seed);
  for (int k = 0; k < u.nodes; k++) {
    for (int i = u.first[k]; i < u.first[k + 1] && below(3) == 0; i++) b[i] = 0.0;
  }
}

/* |r| over |A| |x| + |b|, the largest of all rows, r = b - A x by the sum of the terms. */
static double backward_error(const double *x, const double *b, double *r) {
  double worst = 0.0;
  for (int i = 0; i < u.n; i++) {
    double size = fabs(b[i]);
    r[i] = b[i];
    for (int j = 0; j < u.n; j++) {
      r[i] -= u.A[i][j] * x[j];
      size += fabs(u.A[i][j] * x[j]);
    }
    if (!(fabs(r[i]) <= worst * (size + 1e-12))) worst = fabs(r[i]) / (size + 1e-12);
  }
  return worst;
}

/* Small pivots of random nodes lose up to ten digits; solving for what is left brings them back,
 * but not with the factors of another matrix. */
static const double first_error = 0.1, last_error = 1e-8;

/* Padding of the blocks, which arithmetic reads: zeros. */
static void check_padding(const trmi_block *b, int trial, int pass) {
  for (int k = 0; k < b->count; k++) {
    for (int e = b->first[k] - 1; e < b->first[k + 1]; e++) {
      const bool is_own = e < b->first[k];
      const int j = is_own ? k : b->node[e], place[2] = {is_own ? b->diagonal[k] : b->upper[e],
                                                         is_own ? -1 : b->lower[e]};
      for (int m = 0; m < 2 * b->dim[k] * b->ld[j]; m++) {
        const int at = place[m % 2], i = m / 2;
        if (at < 0 || i % b->ld[j] < b->dim[j]) continue;
        CHECK_NEAR(b->A[at + i], 0.0, 0.0, "trial %d, pass %d: padding %d of nodes %d, %d", trial,
                   pass, i, k, j);
      }
    }
  }
}

static void solve_by(const trmi_block_ops *kernels, trmi_block *b, const double *rhs, double *x) {
  for (int i = 0; i < u.n; i++) b->y[0][b->padded[i]] = rhs[i];
  b->nvisited = b->nlinked;
  for (int k = 0; k < b->nalone_nodes; k++) b->linked[b->nvisited++] = b->alone_node[k];
  kernels->solve(b, 1, false);
  for (int i = 0; i < u.n; i++) x[i] = b->y[0][b->padded[i]];
}

/* The kernels of every machine that this one can be: fill, factor and solve with all nodes. */
static void check_kernels(solver *s, const double *rhs, int trial, int pass) {
  const trmi_block_ops *const tables[] = {
      &trmi_block_base, TRMI_HAS_AVX2() ? &trmi_block_avx2 : &trmi_block_base,
      TRMI_HAS_AVX512() ? &trmi_block_avx512 : &trmi_block_base};
  trmi_block *b = s->lin.content;
  const trmi_filling filling = {&s->plan, u.c, u.has_T ? u.T : NULL};
  for (int t = 0; t < 3 && b->filled != NULL; t++) { /* else a rotation lies in two tiles */
    double x[SIZE], more[SIZE], r[SIZE];
    b->is_symmetric = false;
    const bool is_good = tables[t]->factor(b, &filling, 0);
    check_matrix(&s->plan, tables[t]->name, trial, pass);
    check_padding(b, trial, pass);
    if (!is_good) continue;
    solve_by(tables[t], b, rhs, x);
    for (int k = 0; k < 3 && backward_error(x, rhs, r) > last_error; k++) {
      solve_by(tables[t], b, r, more);
      for (int i = 0; i < u.n; i++) x[i] += more[i];
    }
    CHECK_NEAR(backward_error(x, rhs, r), 0.0, last_error, "%s, trial %d, pass %d", tables[t]->name,
               trial, pass);
  }
}

static int factored, failed;

/* New values are filled and factored by both ways, and solved with as they are used in a step. */
static void solve_pass(int trial, int pass) {
  double b[3][SIZE], x[WAYS][3][SIZE];
  trm_status status[WAYS];
  trm_error err;
  const double *const T = u.has_T ? u.T : NULL;
  const int expected = below(3), solves = below(4);
  const bool is_first_pair = below(4) == 0 ? expected == 1 : expected == 2; /* not as expected */
  for (int k = 0; k < 3; k++) right_hand_side(b[k]);
  for (int w = 0; w < WAYS; w++) {
    trmi_linear *lin = &way[w].lin;
    memcpy(x[w], b, sizeof b);
    trmi_linear_fill(lin, u.c, T);
    if (w == 1 && expected > 0) trmi_linear_expect(lin, x[w][0], expected == 2 ? x[w][1] : NULL);
    status[w] = trmi_linear_factor(lin, &err);
    check_matrix(&way[w].plan, w == 0 ? "all blocks" : "those that count", trial, pass);
    for (int k = 0; k < solves && status[w] == TRM_OK; k++) {
      const bool is_pair = k == 0 ? is_first_pair : k + 1 < solves;
      if (is_pair) status[w] = trmi_linear_solve2(lin, x[w][k], x[w][k + 1], &err);
      else status[w] = trmi_linear_solve(lin, x[w][k], &err);
      k += is_pair;
    }
  }
  assert_int_equal(status[0], status[1]);
  factored++;
  failed += status[0] != TRM_OK;
  for (int k = 0; k < solves && k < 3 && status[0] == TRM_OK; k++) {
    for (int i = 0; i < u.n; i++) {
      CHECK_NEAR(x[1][k][i], x[0][k][i], 0.0, "trial %d, pass %d, solution %d, unknown %d", trial,
                 pass, k, i);
    }
    double r[SIZE];
    const double error = backward_error(x[1][k], b[k], r);
    CHECK_NEAR(error, 0.0, first_error, "trial %d, pass %d, solution %d", trial, pass, k);
  }
  if (status[0] == TRM_OK) check_kernels(&way[below(2)], b[0], trial, pass);
}

/* A value that is no number, or none at all, in a matrix that is given up. */
static void spoil(void) {
  const int l = below(LISTS);
  const list *at = &u.of[l];
  const double bad[] = {NAN, INFINITY, -INFINITY};
  if (at->S.n == 0) return;
  const int k = below(at->S.n), run = at->run[k];
  if (run >= 0) trmi_run_mark(at->S.values + run, at->S.values + k + 1, false);
  at->S.values[k] = bad[below(3)];
  for (int w = 0; w < WAYS; w++) {
    trm_error err;
    double b[SIZE];
    right_hand_side(b);
    trmi_linear_fill(&way[w].lin, u.c, u.has_T ? u.T : NULL);
    trmi_linear_expect(&way[w].lin, w == 1 ? b : NULL, NULL);
    if (trmi_linear_factor(&way[w].lin, &err) == TRM_OK) {
      (void)!trmi_linear_solve(&way[w].lin, b, &err);
    }
    trmi_linear_forget(&way[w].lin);
    way[w].lin.refinements = 0;
  }
}

/* Values by columns go out, and others in: the next fill leaves nothing of them. */
static void put_back(void) {
  static double columns[SIZE * SIZE];
  for (int w = 0; w < WAYS; w++) {
    trmi_plan_get(&way[w].plan, columns);
    for (int k = 0; k < way[w].plan.Ap[u.n]; k++) columns[k] += 1.0;
    trmi_plan_put(&way[w].plan, columns);
  }
}

static void refilled_matrices_are_solved(void **unused) {
  (void)unused;
  factored = failed = 0;
  for (int trial = 0; trial < 150; trial++) {
    make((uint64_t)trial);
    for (int w = 0; w < WAYS; w++) open_way(w);
    for (int pass = 0; pass < 24; pass++) {
      new_values();
      if (below(5) == 0) spoil(), new_values();
      if (below(8) == 0) put_back();
      if (below(12) == 0) {
        for (int w = 0; w < WAYS; w++) {
          trmi_linear_renew(&way[w].lin, &way[w].plan);
          way[w].lin.keeps_rung = true;
        }
      }
      dense_sum();
      solve_pass(trial, pass);
    }
    for (int w = 0; w < WAYS; w++) close_way(w);
  }
  print_message("%d matrices, %d without a solution\n", factored, failed);
  assert_true(failed < factored / 10);
}

/* Rotations of two bodies that depend on each other are columns of a tile that nothing clears: the
 * numbers behind them, which are turned with them four at a time, are padding. */
static void what_is_no_number_does_not_stay(void **unused) {
  (void)unused;
  memset(&u, 0, sizeof u);
  for (int l = 0; l < LISTS; l++) {
    list *at = &u.of[l];
    at->S = (trmi_sparse){.rows = 12, .cols = 12, .row = at->row, .col = at->col,
                          .values = at->values};
  }
  for (int k = 0; k < 2; k++) {
    u.rotation[u.nrot++] = u.n + 3;
    add_node(6, false);
  }
  u.nv = u.n;
  for (int i = 0; i < u.n; i++) put(IN_M, i, i);
  for (int i = 0; i < 9; i++) put(IN_K, 3 + i / 3, 9 + i % 3);
  for (int i = 0; i < 9; i++) put(IN_K, 9 + i / 3, 3 + i % 3);
  for (int w = 0; w < WAYS; w++) open_way(w);
  for (int pass = 0; pass < 4; pass++) {
    new_values();
    for (int s = 0; s < SLOTS; s++) u.c[s] = 1.0;
    u.has_T = true;
    if (pass % 2 == 0) u.of[IN_K].values[4] = pass == 0 ? NAN : INFINITY;
    dense_sum();
    for (int w = 0; w < WAYS; w++) {
      double b[SIZE];
      trm_error err;
      right_hand_side(b);
      trmi_linear_fill(&way[w].lin, u.c, u.T);
      trm_status status = trmi_linear_factor(&way[w].lin, &err);
      if (status == TRM_OK) status = trmi_linear_solve(&way[w].lin, b, &err);
      assert_true(pass % 2 == 0 ? status > 0 : status == TRM_OK);
      if (pass % 2 == 1) check_padding(way[w].lin.content, 0, pass);
    }
  }
  for (int w = 0; w < WAYS; w++) close_way(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refilled_matrices_are_solved),
      cmocka_unit_test(what_is_no_number_does_not_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
