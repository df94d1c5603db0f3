/* complex_block.c - large complex matrices by the block solver of real ones, see complex.h.
 *
 * A (u + i v) = c + i d with real numbers is
 *   [re A   im A] [ u]   [c]
 *   [im A  -re A] [-v] = [d]                                                      (1)
 * which is symmetric where A is. Rows and columns of (1) are interleaved: the two numbers of an
 * unknown follow each other. So nodes remain nodes, pivots of two unknowns (block_kernels.h) are
 * complex numbers, and an interleaved right-hand side c, d needs no other order. (1) takes twice as
 * many multiplications as complex arithmetic, but four or eight at a time. If a block has no pivot,
 * this matrix is factored by the general solver. */
#include "core/compiler.h"
#include "linalg/block.h"
#include "linalg/complex.h"

typedef struct twin {
  trmi_plan    plan;  /* of (1): a pattern without terms                                     */
  trmi_linear  lin;   /* its block solver                                                    */
  trmi_tally   tally; /* of `lin`; the work of the run is counted in complex.c               */
  int         *place; /* of the four numbers of each entry in the values of the plan [4 nnz] */
  trmi_arena  *arena;
  trmi_complex other; /* the general solver, from its first use on                           */
  bool         uses_other;
} twin;

/* The pattern of (1), with the nodes of A. */
static trm_status make_plan(const trmi_plan *of, trmi_plan *plan, trmi_arena *arena,
                            trm_error *err) {
  const int n = of->n, count = of->nodes.count;
  *plan = (trmi_plan){.n = 2 * n, .border_scale = 1.0, .border_least = 1.0, .nodes = of->nodes,
                      .block_room = of->block_room, .may_vanish = of->may_vanish};
  int *first = TRMI_TAKE(arena, int, count + 1);
  plan->Ap = TRMI_TAKE(arena, int, 2 * n + 1);
  plan->Ai = TRMI_TAKE(arena, int, 4 * (size_t)of->Ap[n]);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int k = 0; k <= count; k++) first[k] = 2 * of->nodes.first[k];
  plan->nodes.first = first;
  int entries = 0;
  for (int column = 0; column < 2 * n; column++) {
    for (int k = of->Ap[column / 2]; k < of->Ap[column / 2 + 1]; k++) {
      plan->Ai[entries++] = 2 * of->Ai[k];
      plan->Ai[entries++] = 2 * of->Ai[k] + 1;
    }
    plan->Ap[column + 1] = entries;
  }
  return TRM_OK;
}

trm_status trmi_complex_blocks_pay(const trmi_plan *plan, const trm_allocator *allocator,
                                   bool *pays, trm_error *err) {
  trmi_plan real;
  trmi_arena scratch;
  trmi_arena_init(&scratch, allocator);
  trm_status status = make_plan(plan, &real, &scratch, err);
  if (status == TRM_OK) {
    status = trmi_blocks_pay_as_real(plan, &real, TRMI_HAS_AVX2(), allocator, pays, err);
  }
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* Where the numbers re, im, im, -re of each entry are. */
static void find_places(const trmi_plan *of, twin *t) {
  const int *index = t->plan.index;
  for (int j = 0; j < of->n; j++) {
    const int first = of->Ap[j], rows = of->Ap[j + 1] - first;
    for (int k = first; k < of->Ap[j + 1]; k++) {
      for (int part = 0; part < 4; part++) {
        const int at = 4 * first + 2 * (k - first) + 2 * rows * (part / 2) + part % 2;
        t->place[4 * k + part] = index != NULL ? index[at] : at;
      }
    }
  }
}

static trm_status init_blocks(trmi_complex *m, trmi_arena *arena, trm_error *err) {
  twin *t = TRMI_TAKE(arena, twin, 1);
  m->b = TRMI_TAKE(arena, double, 2 * (size_t)m->n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  m->content = t;
  t->arena = arena;
  t->place = TRMI_TAKE(arena, int, 4 * (size_t)m->plan->Ap[m->n]);
  TRMI_TRY(err, make_plan(m->plan, &t->plan, arena, err));
  TRMI_TRY(err, trmi_linear_init(&t->lin, arena, &t->plan, trmi_solver_block.name, &t->tally, err));
  find_places(m->plan, t);
  t->uses_other = t->lin.ops != &trmi_solver_block; /* too much fill */
  return TRM_OK;
}

/* By the general solver. Its old pivots are those of a factorization since the last
 * trmi_complex_forget: results do not depend on what was before. */
static trm_status factor_other(trmi_complex *m, trm_error *err) {
  twin *t = m->content;
  trmi_complex *other = &t->other;
  if (other->content == NULL) {
    *other = *m;
    other->content = NULL;
    TRMI_TRY(err, trmi_solvers.complex_sparse->init(other, t->arena, err));
    other->b = m->b;
  }
  other->has_pivots = m->has_pivots;
  const trm_status status = trmi_solvers.complex_sparse->factor(other, err);
  m->has_pivots = other->has_pivots;
  m->bad_column = other->bad_column;
  TRMI_TRY(err, status);
  return TRM_OK;
}

static trm_status factor_blocks(trmi_complex *m, trm_error *err) {
  twin *t = m->content;
  if (t->lin.ops == &trmi_solver_block && !m->is_general) {
    double *values = t->plan.Ax;
    const int *place = t->place, entries = m->plan->Ap[m->n];
    for (int k = 0; k < entries; k++, place += 4) {
      const double re = m->Ax[2 * k], im = m->Ax[2 * k + 1];
      values[place[0]] = re, values[place[1]] = im;
      values[place[2]] = im, values[place[3]] = -re;
    }
    t->uses_other = trmi_solver_block.factor(&t->lin, true, NULL) != TRM_OK;
    if (!t->uses_other) return TRM_OK;
  }
  t->uses_other = true;
  TRMI_TRY(err, factor_other(m, err));
  return TRM_OK;
}

static void solve_blocks(trmi_complex *m) {
  twin *t = m->content;
  if (t->uses_other) {
    trmi_solvers.complex_sparse->solve(&t->other);
    return;
  }
  trmi_solver_block.solve(&t->lin, m->b, NULL);
  for (int i = 0; i < m->n; i++) m->b[2 * i + 1] = -m->b[2 * i + 1];
}

static void release(trmi_complex *m) {
  twin *t = m->content;
  trmi_linear_free(&t->lin);
  if (t->other.content != NULL) trmi_solvers.complex_sparse->free(&t->other);
}

const trmi_complex_sparse trmi_complex_block = {
    .init = init_blocks, .factor = factor_blocks, .solve = solve_blocks, .free = release};
