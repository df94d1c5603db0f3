/* alpha_matrices.c - the matrices (1) and (2) of alpha_newton.c, and a correction by them.
 *
 * Both matrices and their factors are larger than the caches next to the processor. So a matrix is
 * factored right before it is used, the second one after the solution of (1), and the forward half
 * of a solution is computed during the factorization, node by node (trmi_linear_expect). */
#include "integ/alpha.h"
#include "math/both.h"
#include <string.h>

/* The matrix of (1): increments of positions are multiplied by T. */
static trmi_tangent index3_tangent(const trmi_alpha *ga) {
  const unsigned positions = TRMI_BY_BIT(TRMI_BY_POSITION) | TRMI_BY_BIT(TRMI_BY_INERTIA_Q);
  return (trmi_tangent){
      .by = TRMI_BY_ALL, .turned = positions, .lam = TRMI_AT_POSITION, .mu = TRMI_AT_VELOCITY,
      .scales_rows = true,
      .without = ga->traits->has_hessian ? 0 : TRMI_BIT(TRM_GY_Q) | TRMI_BIT(TRM_AY_Q)};
}

/* The matrix of (2). */
static const trmi_tangent projection_tangent = {
    .by = TRMI_BY_ALL & ~(TRMI_BY_BIT(TRMI_BY_POSITION) | TRMI_BY_BIT(TRMI_BY_INERTIA_Q)),
    .lam = TRMI_AT_VELOCITY, .mu = TRMI_AT_VELOCITY, .scales_rows = true};

/* Kinds with the coefficient one, (3). */
static const unsigned ones = TRMI_BY_BIT(TRMI_BY_MULTIPLIER) | TRMI_BY_BIT(TRMI_BY_OWN);

/* A matrix assembled from this many terms per unknown costs several iterations, whichever solver
 * factors it. Chains have 20 terms, small contacts and beams up to 80; modal bodies, and bodies
 * that may touch many others, 110 to 200. */
enum { MANY_TERMS = 100 };

trm_status trmi_alpha_plan(trmi_alpha *ga, bool bordered, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  trmi_line lines[TRMI_TANGENT_MAX];
  const trmi_tangent index3 = index3_tangent(ga);
  trmi_matrix_free(&ga->index3_matrix);
  trmi_matrix_free(&ga->projection_matrix);
  trmi_split_free(&ga->split);
  trmi_dense_stage_drop(&ga->inside);
  trmi_arena_clear(&ga->arena);
  ga->index3_matrix = ga->projection_matrix = (trmi_matrix){0};
  ga->h_matrix = 0.0;
  trmi_matrix_spec spec = {.lines = lines, .nlines = trmi_tangent_lines(&index3, lines),
                           .slot_one = TRMI_BY_VARIABLE, .ones = ones, .bordered = bordered,
                           .iterated = true, .simplified = true, .scaled = trmi_alpha_is_scaled(ga),
                           .solver = ga->ctx.options->solver};
  TRMI_TRY(err, trmi_matrix_build(&ga->index3_matrix, sys, &ga->arena, &spec, err));
  spec.nlines = trmi_tangent_lines(&projection_tangent, lines);
  TRMI_TRY(err, trmi_matrix_build(&ga->projection_matrix, sys, &ga->arena, &spec, err));
  const trmi_plan *plan = &ga->index3_matrix.plan;
  ga->has_many_terms = trmi_plan_targets(plan) > MANY_TERMS * (size_t)plan->n;
  if (trmi_alpha_has_projection(ga)) {
    TRMI_TRY(err, trmi_system_want(sys, TRM_GV_Q, err));
    ga->index3_matrix.blocks |= TRMI_BIT(TRM_GV_Q);
  }
  if (ga->form == ALPHA_CS) TRMI_TRY(err, trmi_alpha_split_plan(ga, err));
  if (ga->form == ALPHA_CM) {
    const int both = 2 * trmi_places_of(sys).n;
    trmi_anderson_plan(&ga->anderson, both, &ga->arena);
    ga->both = TRMI_TAKE(&ga->arena, double, both);
  }
  TRMI_TRY(err, trmi_variables_init(&ga->loops, sys, &ga->arena, err));
  TRMI_TRY(err, trmi_dense_stage_plan(&ga->inside, bordered, err));
  TRMI_TRY(err, trmi_arena_check(&ga->arena, err));
  return TRM_OK;
}

/* Changes of all quantities with the unknowns, (3). */
static void coefficients(const trmi_alpha *ga, double h, double slots[TRMI_SLOTS]) {
  const double gh = ga->gamma * h, bh2 = ga->beta * h * h;
  const double cx = ga->form == ALPHA_PAPER ? 1.0 : ga->c;
  slots[TRMI_BY_INERTIA] = ga->c;
  slots[TRMI_BY_VELOCITY] = slots[TRMI_BY_STATE] = gh;
  slots[TRMI_BY_POSITION] = slots[TRMI_BY_INERTIA_Q] = bh2;
  slots[TRMI_BY_ACCELERATION] = slots[TRMI_BY_STATE_RATE] = cx;
  slots[TRMI_BY_MULTIPLIER] = slots[TRMI_BY_VARIABLE] = slots[TRMI_BY_OWN] = 1.0; /* `ones` */
  slots[TRMI_BY_BELOW] = ga->beta * h / ga->gamma;
  slots[TRMI_BY_TWO_BELOW] = 0.0; /* there are none */
  trmi_tangent_complete(slots);
}

/* With right-hand sides b1, b2 of the solution that follows; NULL: not known. */
static trm_status factor(const trmi_alpha *ga, double h, trmi_matrix *matrix,
                         const double *coefficient, const double *T, const double *b1,
                         const double *b2, trm_error *err) {
  if (matrix->plan.is_scaled) trmi_alpha_scale(ga, h, matrix);
  trmi_matrix_set_off(matrix, ga->off, trmi_border_most);
  trmi_linear_expect(&matrix->lin, b1, b2);
  return trmi_matrix_factor(matrix, ga->ctx.sys, coefficient, T, err);
}

/* New matrices of a step h: those that are not factored yet. */
typedef struct renewal {
  double h;
  bool   index3, projection;
  double coefficient[TRMI_SLOTS];
} renewal;

static trm_status factor_index3(trmi_alpha *ga, renewal *todo, const double *b, trm_error *err) {
  if (!todo->index3) return TRM_OK;
  TRMI_TRY(err, factor(ga, todo->h, &ga->index3_matrix, todo->coefficient, ga->T, b, NULL, err));
  return TRM_OK;
}

static trm_status factor_projection(trmi_alpha *ga, renewal *todo, const double *b1,
                                    const double *b2, trm_error *err) {
  if (!todo->projection) return TRM_OK;
  TRMI_TRY(err, factor(ga, todo->h, &ga->projection_matrix, todo->coefficient, NULL, b1, b2, err));
  return TRM_OK;
}

/* Blocks and T of the matrices asked for. The multipliers of cs take the second one at once. */
static trm_status evaluate(trmi_alpha *ga, int which, renewal *todo, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  const trm_state *s = &ga->next;
  todo->index3 = (which & ALPHA_INDEX3_MATRIX) && !ga->is_light;
  todo->projection =
      (which & ALPHA_PROJECTION_MATRIX) && (ga->is_light || trmi_alpha_has_projection(ga));
  const trmi_block_set blocks = (todo->projection ? ga->projection_matrix.blocks : 0) |
                                (todo->index3 ? ga->index3_matrix.blocks : 0);
  const bool splits = ga->form == ALPHA_CS && sys->n.ng > 0 && todo->index3;
  coefficients(ga, todo->h, todo->coefficient);
  if (splits) {
    todo->projection = true;
    TRMI_TRY(err, trmi_system_blocks(sys, s, ga->projection_matrix.blocks, NULL, NULL, NULL, err));
    TRMI_TRY(err, factor_projection(ga, todo, NULL, NULL, err));
    TRMI_TRY(err, trmi_alpha_split(ga, err));
    todo->projection = false;
  }
  TRMI_TRY(err, trmi_system_strong_blocks(sys, s, blocks, s->vd,
                                          splits ? ga->multipliers : s->lam, s->mu, err));
  if (!todo->index3) return TRM_OK;
  if (ga->rule != NULL) {
    ga->rule->turn(ga);
  } else {
    trmi_group_T(sys, ga->delta, ga->T);
  }
  return TRM_OK;
}

/* What the rules for old matrices have to know of new ones. */
static trm_status note(trmi_alpha *ga, const renewal *done, trm_error *err) {
  if (!done->index3 && !ga->is_light) return TRM_OK;
  ga->h_matrix = done->h;
  ga->gh_matrix = ga->gamma * done->h;
  ga->age = 0;
  TRMI_TRY(err, trmi_alpha_stops_note(ga, err));
  return TRM_OK;
}

trm_status trmi_alpha_refresh(trmi_alpha *ga, double h, int which, trm_error *err) {
  renewal todo;
  todo.h = h;
  TRMI_TRY(err, evaluate(ga, which, &todo, err));
  TRMI_TRY(err, factor_index3(ga, &todo, NULL, err));
  TRMI_TRY(err, factor_projection(ga, &todo, NULL, NULL, err));
  TRMI_TRY(err, note(ga, &todo, err));
  return TRM_OK;
}

void trmi_alpha_displace(const trmi_alpha *ga, double h, const double *u, double *out) {
  const trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const int place[] = {[TRM_V] = at.v, [TRM_X] = at.x, [TRM_W] = at.w};
  double coefficient[TRMI_SLOTS];
  trmi_line lines[TRMI_TANGENT_MAX];
  const trmi_tangent index3 = index3_tangent(ga);
  const int count = trmi_tangent_lines(&index3, lines);
  const unsigned displaced = TRMI_BY_BIT(TRMI_BY_VELOCITY) | TRMI_BY_BIT(TRMI_BY_POSITION) |
                             TRMI_BY_BIT(TRMI_BY_INERTIA_Q) | TRMI_BY_BIT(TRMI_BY_STATE);
  coefficients(ga, h, coefficient);
  memset(out, 0, (size_t)at.n * sizeof *out);
  for (int i = 0; i < count; i++) {
    const trmi_line *line = &lines[i];
    if ((displaced & TRMI_BY_BIT(trmi_tangent_kind(line))) == 0) continue;
    trmi_sparse_add_strong(&sys->block[line->block], -coefficient[line->slot],
                           u + place[line->col], out + place[line->row]);
  }
}

/* Two divisions at once take as long as one. */
static void divide(const double *list, double by, int n, double *out) {
  const trmi_both both_by = both(by, by);
  int i = 0;
  for (; i + 1 < n; i += 2) both_store(out + i, both_div(both_load(list + i), both_by));
  if (i < n) out[i] = list[i] / by;
}

/* The correction by the last matrices, or by those of `todo`. */
static TRMI_INLINE trm_status correct(trmi_alpha *ga, double h, renewal *todo, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  const int ng = sys->n.ng, na = sys->n.na;
  const trmi_places at = trmi_places_of(sys);
  const double bh2 = ga->beta * h * h, gh = ga->gamma * h;
  trmi_linear *first = &ga->index3_matrix.lin, *second = &ga->projection_matrix.lin;

  /* right-hand sides of (1) and, where it is known already, of (2) */
  for (int i = 0; i < at.lam; i++) ga->r[i] = -ga->r[i];
  divide(ga->g, -bh2, ng, ga->r + at.lam);
  if (na > 0) divide(ga->a_rate, -gh, na, ga->r + at.mu);
  for (int i = at.x; i < at.n; i++) ga->r[i] = -ga->r[i];
  const bool has_second = trmi_alpha_has_projection(ga);
  if (has_second) {
    memset(ga->r2, 0, (size_t)at.n * sizeof(double));
    divide(ga->g_rate, -gh, ng, ga->r2 + at.lam);
  }

  if (ga->is_light) {
    for (int i = at.lam; i < at.mu && has_second; i++) ga->r2[i] -= ga->r[i]; /* (4) */
    double *b2 = has_second ? ga->r2 : NULL;
    if (todo != NULL) TRMI_TRY(err, factor_projection(ga, todo, ga->r, b2, err));
    return has_second ? trmi_linear_solve2(second, ga->r, b2, err)
                      : trmi_linear_solve(second, ga->r, err);
  }

  /* index-3 step (1), then velocity projection (2) */
  if (todo != NULL) TRMI_TRY(err, factor_index3(ga, todo, ga->r, err));
  TRMI_TRY(err, trmi_linear_solve(first, ga->r, err));
  if (!has_second) return TRM_OK;
  trmi_group_apply(sys, ga->T, ga->r, ga->turned);
  trmi_sparse_add_mul(&sys->block[TRM_GV_Q], -bh2 / gh, ga->turned, ga->r2 + at.lam);
  trmi_sparse_add_mul(&sys->block[TRM_G], -1.0, ga->r, ga->r2 + at.lam);
  if (todo != NULL) TRMI_TRY(err, factor_projection(ga, todo, ga->r2, NULL, err));
  TRMI_TRY(err, trmi_linear_solve(second, ga->r2, err));
  return TRM_OK;
}

trm_status trmi_alpha_correct(trmi_alpha *ga, double h, trm_error *err) {
  return correct(ga, h, NULL, err);
}

trm_status trmi_alpha_renew(trmi_alpha *ga, double h, int which, trm_error *err) {
  renewal todo;
  todo.h = h;
  TRMI_TRY(err, evaluate(ga, which, &todo, err));
  TRMI_TRY(err, correct(ga, h, &todo, err));
  TRMI_TRY(err, note(ga, &todo, err));
  return TRM_OK;
}
