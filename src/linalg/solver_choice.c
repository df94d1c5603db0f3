/* solver_choice.c - which solver takes a matrix: by name, or the one that is expected to be the
 * fastest for its pattern. */
#include "core/compiler.h"
#include "linalg/block.h"
#include <stdio.h>
#include <string.h>

/* LU of the full matrix beats the others where a small matrix is full, and KLU where it is very
 * small; blocks do where nodes have some size; see docs/dev/performance.md. */
enum { DENSE_MIN = 8, DENSE_MAX = 64, DENSE_ALWAYS = 16 };
static const double dense_part = 0.6, block_size = 2.5;

/* Blocks or KLU: work to fill, factor and solve once, counted in numbers that a kernel of blocks
 * reads or writes. KLU handles its entries and operations one by one, by index; blocks do 4 to 8
 * at a time, and without wide vectors 2. Both are counted in the order they use, that of nodes: KLU
 * takes diagonal pivots in that order and has up to twice the entries that AMD leaves on small
 * mechanisms. The constants are fitted to times on one machine; ratios of times on others, idle or
 * busy, differ from the ratio of the counts by a fifth at most for large matrices, which is the
 * margin. See docs/dev/performance.md. */
static const double klu_entry = 6.6, klu_operation = 0.66, margin = 1.25;
static const double block_operation[2] = {0.22, 0.05}; /* plain, wide */
static const double block_sum = 20.0, block_tile[2] = {110.0, 10.0};

/* The general solver with complex numbers, over real ones; and what it takes to put the numbers of
 * an entry into blocks one by one. With these, blocks are taken by all of 15 mechanisms of 65 to
 * 1455 unknowns, whose runs take 0.5 to 1.0 of the time. */
static const double complex_work = 4.0, put_entry = 6.0;

/* Does the general solver take more work than `least`? Without fill is a lower bound, which is
 * quickly found. */
static trm_status is_general_slower(const trmi_plan *plan, double least,
                                    const trm_allocator *allocator, bool *is_slower,
                                    trm_error *err) {
  *is_slower = false;
  for (int pass = 0; pass < 2 && !*is_slower; pass++) {
    double entries = 0.0, operations = 0.0;
    TRMI_TRY(err, trmi_solvers.count(plan, pass == 0, allocator, &entries, &operations, err));
    *is_slower = klu_entry * entries + klu_operation * operations > least;
  }
  return TRM_OK;
}

static trm_status count_blocks(const trmi_plan *plan, bool has_wide_vectors,
                               const trm_allocator *allocator, double *blocks, trm_error *err) {
  trmi_block_work work;
  TRMI_TRY(err, trmi_block_count(plan, allocator, &work, err));
  const int wide = has_wide_vectors ? 1 : 0;
  *blocks = work.numbers + block_operation[wide] * work.operations + block_sum * work.sums +
            block_tile[wide] * work.tiles;
  return TRM_OK;
}

trm_status trmi_blocks_pay(const trmi_plan *plan, bool has_wide_vectors,
                           const trm_allocator *allocator, bool *pays, trm_error *err) {
  double blocks = 0.0;
  *pays = true;
  if (trmi_solvers.count == NULL) return TRM_OK;
  TRMI_TRY(err, count_blocks(plan, has_wide_vectors, allocator, &blocks, err));
  TRMI_TRY(err, is_general_slower(plan, margin * blocks, allocator, pays, err));
  return TRM_OK;
}

trm_status trmi_blocks_pay_as_real(const trmi_plan *plan, const trmi_plan *real,
                                   bool has_wide_vectors, const trm_allocator *allocator,
                                   bool *pays, trm_error *err) {
  double blocks = 0.0;
  *pays = true;
  if (trmi_solvers.count == NULL) return TRM_OK;
  TRMI_TRY(err, count_blocks(real, has_wide_vectors, allocator, &blocks, err));
  blocks += put_entry * plan->Ap[plan->n];
  TRMI_TRY(err, is_general_slower(plan, margin * blocks / complex_work, allocator, pays, err));
  return TRM_OK;
}

/* The order of elimination is the same for all that count or use it. */
static trm_status know_order(trmi_linear *lin, trm_error *err) {
  trmi_plan *plan = lin->plan;
  int *order = TRMI_TAKE(lin->arena, int, plan->nodes.count);
  TRMI_TRY(err, trmi_arena_check(lin->arena, err));
  TRMI_TRY(err, trmi_order_find(&plan->nodes, plan->Ap, plan->Ai, order, &lin->allocator, err));
  plan->nodes.order = order;
  return TRM_OK;
}

/* Choice for "auto": depends only on the pattern and on wide vectors. */
static trm_status choose_best(trmi_linear *lin, bool has_blocks, trm_error *err) {
  const trmi_plan *plan = lin->plan;
  const bool is_full = plan->Ap[plan->n] > dense_part * plan->n * plan->n;
  lin->ops = plan->n <= DENSE_ALWAYS ? &trmi_solver_dense : trmi_solvers.general;
  if (is_full && plan->n >= DENSE_MIN && plan->n <= DENSE_MAX) {
    lin->ops = &trmi_solver_dense;
  } else if (has_blocks && plan->n > block_size * plan->nodes.count) {
    bool pays = false;
    TRMI_TRY(err, know_order(lin, err));
    TRMI_TRY(err, trmi_blocks_pay(plan, TRMI_HAS_AVX2(), &lin->allocator, &pays, err));
    if (pays) lin->ops = &trmi_solver_block;
  }
  return TRM_OK;
}

trm_status trmi_linear_choose(trmi_linear *lin, const char *solver, trm_error *err) {
  const bool has_blocks = TRMI_HAS_VECTORS && lin->plan->nodes.count > 0 && !lin->plan->is_scaled;
  if (solver == NULL || strcmp(solver, "auto") == 0) return choose_best(lin, has_blocks, err);
  char names[100] = "auto";
  for (const trmi_solver_ops *const *known = trmi_solvers.named; *known != NULL; known++) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", known[1] == NULL ? " or " : ", ",
             (*known)->name);
    if (strcmp(solver, (*known)->name) != 0) continue;
    lin->ops = *known == &trmi_solver_block && !has_blocks ? trmi_solvers.general : *known;
    return TRM_OK;
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no solver '%s': %s", solver, names);
}
