/* matrix.c - see matrix.h.
 *
 * Border of redundant constraints: with D the diagonal of the rows of motion,
 *   -eps s_j at multiplier j,  s_j = sum_i G_ji^2 / D_i,  eps = 1e-12       (1)
 * The solver refines against the matrix without it, so the border only selects among the
 * multipliers; minimum_norm.c makes it the shortest. Rows that are redundant only where all of them
 * hold are independent at positions that violate them by `off` over the scales: G M^-1 G^T then has
 * an eigenvalue of about (off/lever)^2 belonging to the free direction, and an exact solution would
 * lock it. The border
 *   max(eps, 1e4 off^2) s_j,  at most 1e-4 s_j                                            (2)
 * is a hundred times as large for levers of a tenth of the scale and keeps it free, (1) of
 * linear.c. Rows that are nearly singular need a small border. The residual it leaves in other rows
 * is removed by the next iterate: the residual contains no border. Derivation:
 * docs/theory/06-start-and-rank.md. */
#include "system/kept_matrices.h"
#include <math.h>
#include <string.h>

static const double border_size = 1e-12;
/* (2), over border_size. */
static const double border_off = 1e16;
/* With old pivots one stage in this number is measured: at least one in a step of DOP853. An
 * inaccurate solution of a stage is detected by the error of the step. */
enum { STAGES_MEASURED = 8 };

/* A list of a state, which may be empty, and its position. */
typedef struct part {
  double *list;
  int     place, count;
} part;

enum { PARTS = 5 };

static void list_parts(const trm_system *sys, const trm_state *s, part parts[PARTS]) {
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  parts[0] = (part){s->vd, at.v, n->nv};
  parts[1] = (part){s->lam, at.lam, n->ng};
  parts[2] = (part){s->mu, at.mu, n->na};
  parts[3] = (part){s->xd, at.x, n->nx};
  parts[4] = (part){s->w, at.w, n->nw};
}

void trmi_unknowns_gather(const trm_system *sys, const trm_state *s, double *vector) {
  part p[PARTS];
  list_parts(sys, s, p);
  for (int l = 0; l < PARTS; l++) {
    if (p[l].count == 0) continue;
    memcpy(vector + p[l].place, p[l].list, (size_t)p[l].count * sizeof(double));
  }
}

void trmi_unknowns_scatter(const trm_system *sys, const double *vector, trm_state *s) {
  part p[PARTS];
  list_parts(sys, s, p);
  for (int l = 0; l < PARTS; l++) {
    if (p[l].count == 0) continue;
    memcpy(p[l].list, vector + p[l].place, (size_t)p[l].count * sizeof(double));
  }
}

static int place_of(const trmi_places *at, trm_quantity list) {
  switch (list) {
  case TRM_LAM: return at->lam;
  case TRM_MU: return at->mu;
  case TRM_X: return at->x;
  case TRM_W: return at->w;
  default: return at->v;
  }
}

void trmi_place_unknown(const trm_system *sys, int place, trm_quantity *list, int *index) {
  const trmi_places at = trmi_places_of(sys);
  const trm_quantity lists[] = {TRM_W, TRM_X, TRM_MU, TRM_LAM, TRM_V};
  for (int l = 0; l < 5; l++) {
    const int first = place_of(&at, lists[l]);
    if (place < first) continue;
    *list = lists[l];
    *index = place - first;
    if (*index < trm_system_count(sys, *list)) return;
  }
}

static trm_status take_identity(trmi_matrix *matrix, trmi_arena *arena, int n, trm_error *err) {
  trmi_sparse *one = &matrix->identity;
  *one = (trmi_sparse){.rows = n, .cols = n, .n = n};
  one->row = TRMI_TAKE(arena, int, n);
  one->col = TRMI_TAKE(arena, int, n);
  one->values = TRMI_TAKE(arena, double, n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < n; i++) one->row[i] = one->col[i] = i, one->values[i] = 1.0;
  return TRM_OK;
}

static void find_diagonal(trmi_matrix *matrix, int nv) {
  const trmi_plan *plan = &matrix->plan;
  for (int j = 0; j < nv; j++) {
    matrix->diagonal[j] = -1;
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      if (plan->Ai[k] == j) matrix->diagonal[j] = k;
    }
  }
}

/* The nodes of the system, list after list. */
static trm_status take_nodes(trmi_plan *plan, const trm_system *sys, trmi_arena *arena,
                             bool kinematic, trm_error *err) {
  const trmi_places at = trmi_places_of(sys);
  const trmi_nodes *const lists[] = {&sys->node_v, &sys->node_lam, &sys->node_mu, &sys->node_x,
                                     &sys->node_w};
  const int place[] = {at.v, at.lam, at.mu, at.x, at.w};
  const int used = kinematic ? 3 : 5;
  int count = 0;
  for (int l = 0; l < used; l++) count += lists[l]->count;
  int *first = TRMI_TAKE(arena, int, count + 1);
  unsigned char *is_constraint = TRMI_TAKE(arena, unsigned char, count);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  count = 0;
  for (int l = 0; l < used; l++) {
    for (int k = 0; k < lists[l]->count; k++) {
      first[count] = place[l] + lists[l]->first[k];
      is_constraint[count++] = l == 1 || l == 2;
    }
  }
  first[count] = plan->n;
  plan->nodes = (trmi_node_list){.count = count, .first = first, .is_constraint = is_constraint};
  return TRM_OK;
}

static int slot_of(const trmi_matrix_spec *spec, const trmi_line *line) {
  return (spec->ones & 1u << line->slot) != 0 ? spec->slot_one : line->slot;
}

void trmi_matrix_set_staged(trmi_matrix *matrix) {
  matrix->lin.good_error = trmi_good_stage;
  matrix->lin.measure_every = STAGES_MEASURED;
}

static bool has_ones(const trm_system *sys, const trmi_matrix_spec *spec) {
  return sys->n.nw > 0 && !spec->kinematic;
}

/* Terms of the table with entries; there is room for all lines and one more, the ones of w, which
 * come last if present. */
static trm_status list_terms(trmi_matrix *matrix, trm_system *sys, const trmi_matrix_spec *spec,
                             trmi_term *terms, int *count, trm_error *err) {
  const trmi_places at = trmi_places_of(sys);
  *count = 0;
  for (int l = 0; l < spec->nlines; l++) {
    const trmi_line *line = &spec->lines[l];
    if (!trmi_system_may_fill(sys, line->block)) continue;
    TRMI_TRY(err, trmi_system_want(sys, line->block, err));
    matrix->blocks |= TRMI_BIT(line->block);
    if (sys->block[line->block].n == 0) continue; /* no entries at present */
    terms[(*count)++] = (trmi_term){.block = &sys->block[line->block],
                                    .row = place_of(&at, line->row),
                                    .col = place_of(&at, line->col),
                                    .slot = slot_of(spec, line),
                                    .transposed = line->transposed,
                                    .times_T = line->times_T,
                                    .is_strong = spec->simplified};
  }
  if (!has_ones(sys, spec)) return TRM_OK;
  terms[(*count)++] =
      (trmi_term){.block = &matrix->identity, .row = at.w, .col = at.w, .slot = spec->slot_one};
  return TRM_OK;
}

/* Requirements on the solutions of a matrix. */
static void set_accuracy(trmi_matrix *matrix, const trmi_matrix_spec *spec) {
  /* the error caused by a border also depends on the right-hand side; iterations correct it */
  matrix->lin.measures_each = spec->bordered && !spec->iterated;
  /* the border is a perturbation that refinement must remove */
  if (spec->iterated && !spec->bordered) matrix->lin.good_error = trmi_good_correction;
  if (spec->staged && !spec->bordered) trmi_matrix_set_staged(matrix);
}

static trm_status build(trmi_matrix *matrix, trm_system *sys, trmi_arena *arena,
                        const trmi_matrix_spec *spec, const trmi_term *terms, int nterms,
                        trm_error *err) {
  const trmi_places at = trmi_places_of(sys);
  const trmi_rotations rotations = {.count = sys->n.nrot, .first = sys->rot_v};
  sys->tally.analyses++;
  TRMI_TRY(err, trmi_plan_build(&matrix->plan, arena, spec->kinematic ? at.x : at.n, terms, nterms,
                                rotations, at.lam, spec->bordered ? sys->n.ng + sys->n.na : 0,
                                err));
  TRMI_TRY(err, take_nodes(&matrix->plan, sys, arena, spec->kinematic, err));
  matrix->plan.is_scaled = spec->scaled;
  matrix->plan.may_vanish = sys->n.ngaps > 0;
  matrix->diagonal = TRMI_TAKE(arena, int, sys->n.nv);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  find_diagonal(matrix, sys->n.nv);
  TRMI_TRY(err, trmi_linear_init(&matrix->lin, arena, &matrix->plan, spec->solver, &sys->tally,
                                 err));
  return TRM_OK;
}

/* The same in memory that outlives the epoch, or a kept matrix. */
static trm_status build_or_find(trmi_matrix *matrix, trm_system *sys, const trmi_matrix_spec *spec,
                                trmi_term *terms, int nterms, trm_error *err) {
  const trmi_block_set blocks = matrix->blocks;
  trmi_matrix_key key;
  TRMI_TRY(err, trmi_kept_create(sys, &matrix->kept, err));
  trmi_arena *arena = trmi_kept_arena(matrix->kept);
  if (has_ones(sys, spec)) TRMI_TRY(err, take_identity(matrix, arena, sys->n.nw, err));
  TRMI_TRY(err, trmi_matrix_key_make(&key, arena, sys, spec, terms, nterms, err));
  trmi_matrix found;
  if (trmi_kept_find(sys, &key, &found)) {
    trmi_matrix_free(matrix);
    *matrix = found;
    matrix->blocks = blocks;
    if (has_ones(sys, spec)) matrix->plan.terms[nterms - 1].block = &matrix->identity;
    trmi_linear_renew(&matrix->lin, &matrix->plan);
    return TRM_OK;
  }
  TRMI_TRY(err, build(matrix, sys, arena, spec, terms, nterms, err));
  trmi_kept_name(matrix->kept, &key);
  return TRM_OK;
}

trm_status trmi_matrix_build(trmi_matrix *matrix, trm_system *sys, trmi_arena *arena,
                             const trmi_matrix_spec *spec, trm_error *err) {
  *matrix = (trmi_matrix){0};
  trmi_term *terms = TRMI_TAKE(arena, trmi_term, spec->nlines + 1);
  int nterms = 0;
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, list_terms(matrix, sys, spec, terms, &nterms, err));
  if (sys->ops->epoch != NULL) {
    TRMI_TRY(err, build_or_find(matrix, sys, spec, terms, nterms, err));
  } else {
    if (has_ones(sys, spec)) TRMI_TRY(err, take_identity(matrix, arena, sys->n.nw, err));
    TRMI_TRY(err, build(matrix, sys, arena, spec, terms, nterms, err));
  }
  set_accuracy(matrix, spec);
  return TRM_OK;
}

void trmi_matrix_free(trmi_matrix *matrix) {
  if (matrix->kept != NULL) trmi_kept_return(matrix);
  else trmi_linear_free(&matrix->lin);
}

void trmi_matrix_set_off(trmi_matrix *matrix, double off, double most) {
  matrix->plan.border_least = fmin(fmax(1.0, border_off * off * off), most);
}

/* (1), (2) */
static void set_border(trmi_matrix *matrix, int nv) {
  trmi_plan *plan = &matrix->plan;
  const double scale = fmax(plan->border_scale, plan->border_least);
  for (int b = 0; b < plan->nborder; b++) {
    const int j = plan->border_index[b];
    double size = 0.0;
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1] && plan->Ai[k] < nv; k++) {
      const int d = matrix->diagonal[plan->Ai[k]];
      const double D = d >= 0 ? fabs(trmi_plan_at(plan, d)) : 0.0, G = trmi_plan_at(plan, k);
      if (D > 0.0) size += G * G / D;
    }
    plan->border[b] = -border_size * scale * (size > 0.0 ? size : 1.0);
  }
}

/* Is the diagonal of M zero for velocity i? */
static bool has_no_mass(const trm_system *sys, int i) {
  const trmi_sparse *M = &sys->block[TRM_M];
  double mass = 0.0;
  for (int k = 0; k < M->n && M->values != NULL; k++) {
    if (M->row[k] == i && M->col[k] == i) mass += fabs(M->values[k]);
  }
  return M->values != NULL && mass == 0.0;
}

static const char *why_no_pivot(const trm_system *sys, trm_quantity list, int i,
                                const trm_label *label) {
  if (list == TRM_LAM || list == TRM_MU) return "a redundant constraint, or a singular pose";
  if (list != TRM_V || !has_no_mass(sys, i)) {
    return "a coordinate without mass, or an equation that does not determine its unknown";
  }
  if (strncmp(label->object, "node '", 6) == 0) {
    return "its beam has no mass, which only 'static' allows: give it a density or a mass";
  }
  for (int k = 0; k < sys->n.nrot; k++) {
    if (i < sys->rot_v[k] || i >= sys->rot_v[k] + 3) continue;
    return "it can turn about this axis but has no inertia: give it an inertia, a joint that holds "
           "it, or 'type: point'";
  }
  return "it has no mass: give it one, or a constraint that holds it";
}

trm_status trmi_matrix_singular(const trm_system *sys, int bad, trm_error *err) {
  trm_label label;
  trm_quantity list = TRM_V;
  int index = 0;
  trmi_place_unknown(sys, bad, &list, &index);
  trm_system_label(sys, list, index, &label);
  return TRMI_FAIL(err, TRM_RETRY_SINGULAR, label.object,
                   "the iteration matrix has no pivot for '%s': %s", label.name,
                   why_no_pivot(sys, list, index, &label));
}

trm_status trmi_matrix_factor_filled(trmi_matrix *matrix, const trm_system *sys, trm_error *err) {
  set_border(matrix, sys->n.nv);
  const trm_status status = trmi_linear_factor(&matrix->lin, err);
  if (status != TRM_RETRY_SINGULAR || matrix->lin.bad_column < 0) {
    return status == TRM_OK ? TRM_OK : trmi_note(err, __func__, status);
  }
  return trmi_matrix_singular(sys, matrix->lin.bad_column, err);
}

trm_status trmi_matrix_factor(trmi_matrix *matrix, const trm_system *sys, const double *coefficient,
                              const double *T, trm_error *err) {
  trmi_linear_fill(&matrix->lin, coefficient, T);
  return trmi_matrix_factor_filled(matrix, sys, err);
}
