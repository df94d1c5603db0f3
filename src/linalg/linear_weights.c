/* linear_weights.c - weights by which sizes of rows with different units are compared.
 *
 *   w_i^2 = |A_ii|                      where an unknown has a diagonal entry of its own  (1)
 *   w_j^2 = sum_i A_ji^2 / |A_ii|       for constraints                                   (2)
 *   w_k^2 = sum_j A_jk^2 / w_j^2        for massless unknowns, only in constraints        (3)
 * A force over the root of a mass, and an acceleration times the root of the effective mass of a
 * constraint, have the same unit for all units of length, mass and time.
 *
 * Rows that the plan calls constraints are few, and their entries are listed once. Only where
 * another diagonal entry is zero does (2) need a pass over the whole matrix. */
#include "linalg/linear.h"
#include <math.h>
#include <string.h>

/* An entry A_ji of (2), in the order of the columns, and its place in the plan. */
typedef struct trmi_row_entry {
  int place, row, col;
} trmi_row_entry;

/* Is an unknown, ascending from call to call, in a node of multipliers? */
static bool is_constraint(const trmi_plan *plan, int i, int *node) {
  const trmi_node_list *nodes = &plan->nodes;
  if (nodes->count == 0) return false;
  while (nodes->first[*node + 1] <= i) ++*node;
  return nodes->is_constraint[*node];
}

static int place_of(const trmi_plan *plan, int k) {
  return plan->index != NULL ? plan->index[k] : k;
}

/* The entries of rows of constraints in other columns; counted only where `held` is NULL. */
static int list_held(const trmi_plan *plan, const bool *is_row, trmi_row_entry *held) {
  int n = 0;
  for (int j = 0; j < plan->n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1] && !is_row[j]; k++) {
      if (!is_row[plan->Ai[k]]) continue;
      if (held != NULL) {
        held[n] = (trmi_row_entry){.place = place_of(plan, k), .row = plan->Ai[k], .col = j};
      }
      n++;
    }
  }
  return n;
}

trm_status trmi_linear_list_weights(trmi_linear *lin, trm_error *err) {
  const trmi_plan *plan = lin->plan;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &lin->allocator);
  bool *is_row = TRMI_TAKE(&scratch, bool, plan->n);
  lin->diagonal = TRMI_TAKE(lin->arena, int, plan->n);
  trm_status status = trmi_arena_check(&scratch, err);
  if (status == TRM_OK) status = trmi_arena_check(lin->arena, err);
  for (int j = 0, node = 0; j < plan->n && status == TRM_OK; j++) {
    int k = plan->Ap[j];
    while (k < plan->Ap[j + 1] && plan->Ai[k] < j) k++; /* rows are sorted */
    lin->diagonal[j] = k < plan->Ap[j + 1] && plan->Ai[k] == j ? place_of(plan, k) : -1;
    is_row[j] = is_constraint(plan, j, &node);
  }
  if (status == TRM_OK) {
    lin->nheld = list_held(plan, is_row, NULL);
    lin->held = TRMI_TAKE(lin->arena, trmi_row_entry, lin->nheld);
    status = trmi_arena_check(lin->arena, err);
  }
  if (status == TRM_OK) list_held(plan, is_row, lin->held);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* The square of (3) for unknown k; those of (2) are negative. */
static double weight_by_constraints(const trmi_plan *plan, const double *w, int k) {
  double sum = trmi_tiny;
  for (int m = plan->Ap[k]; m < plan->Ap[k + 1]; m++) {
    const double a = trmi_plan_at(plan, m), square = w[plan->Ai[m]];
    if (square < -trmi_tiny) sum -= a * a / square;
  }
  return sum;
}

/* (1); the marks of constraints are negative numbers. @return is a row of no constraint one? */
static bool weigh_diagonal(trmi_linear *lin) {
  const trmi_plan *plan = lin->plan;
  bool has_others = false;
  for (int i = 0, node = 0; i < plan->n; i++) {
    const int place = lin->diagonal[i];
    const double own = place >= 0 ? fabs(plan->Ax[place]) : 0.0;
    const bool is_held = is_constraint(plan, i, &node);
    has_others |= !is_held && own == 0.0;
    lin->weight[i] = is_held || own == 0.0 ? -trmi_tiny : own;
  }
  return has_others;
}

/* (2), all columns. */
static void weigh_all(const trmi_plan *plan, double *w) {
  for (int j = 0; j < plan->n; j++) {
    if (w[j] < 0.0) continue;
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      const double a = trmi_plan_at(plan, k);
      if (w[plan->Ai[k]] < 0.0) w[plan->Ai[k]] -= a * a / w[j];
    }
  }
}

void trmi_linear_weigh(trmi_linear *lin) {
  const trmi_plan *plan = lin->plan;
  double *w = lin->weight;
  if (lin->has_weights) return;
  lin->has_weights = true;
  if (weigh_diagonal(lin)) {
    weigh_all(plan, w);
  } else {
    for (int i = 0; i < lin->nheld; i++) {
      const trmi_row_entry *held = &lin->held[i];
      const double a = plan->Ax[held->place];
      w[held->row] -= a * a / w[held->col];
    }
  }
  for (int j = 0; j < plan->n; j++) {
    if (w[j] == -trmi_tiny) w[j] = weight_by_constraints(plan, w, j);
  }
  for (int i = 0; i < plan->n; i++) w[i] = sqrt(fabs(w[i]));
}
