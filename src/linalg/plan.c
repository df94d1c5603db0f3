/* plan.c - merging patterns and refilling, see plan.h.
 *
 * Merging: every target (row, column) of every entry is written into one long
 * list; two stable bucket sorts, by row and then by column, put equal targets
 * side by side; equal ones share a place. */
#include "linalg/plan.h"
#include <limits.h>
#include <string.h>

/* Places are ints, and tables of twice as many are made (fill.c). */
enum { TARGETS_MAX = INT_MAX / 4 };

/* All targets, in the order in which the terms produce them. */
typedef struct targets {
  int  count;
  int *row, *col;
} targets;

static int rotation_at(trmi_rotations rotations, int column) {
  int low = 0, high = rotations.count - 1;
  while (low <= high) {
    const int mid = (low + high) / 2;
    if (column < rotations.first[mid]) {
      high = mid - 1;
    } else if (column >= rotations.first[mid] + 3) {
      low = mid + 1;
    } else {
      return mid;
    }
  }
  return -1;
}

static bool is_left_out(const trmi_term *term, int k) {
  return term->is_strong && trmi_sparse_is_weak(term->block, k);
}

static void count_term(const trmi_term *term, trmi_rotations rotations, trmi_term_map *map) {
  const trmi_sparse *S = term->block;
  for (int k = 0; k < S->n; k++) {
    if (is_left_out(term, k)) continue;
    if (term->times_T && rotation_at(rotations, S->col[k]) >= 0) {
      map->nturned++;
    } else {
      map->nplain++;
    }
  }
}

static void take_map(trmi_arena *arena, trmi_term_map *map) {
  map->entry = TRMI_TAKE(arena, int, map->nplain);
  map->place = TRMI_TAKE(arena, int, map->nplain);
  map->turned = TRMI_TAKE(arena, int, map->nturned);
  map->T_row = TRMI_TAKE(arena, int, map->nturned);
  map->T_place = TRMI_TAKE(arena, int, 3 * (size_t)map->nturned);
}

static void add_target(targets *all, int row, int col) {
  all->row[all->count] = row;
  all->col[all->count++] = col;
}

/* Writes the targets of a term: all plain ones first, then the turned ones. */
static void list_term(const trmi_term *term, trmi_rotations rotations, trmi_term_map *map,
                      targets *all) {
  const trmi_sparse *S = term->block;
  int plain = 0, turned = 0;
  for (int k = 0; k < S->n; k++) {
    if (is_left_out(term, k)) continue;
    const int rotation = term->times_T ? rotation_at(rotations, S->col[k]) : -1;
    if (rotation >= 0) {
      map->turned[turned] = k;
      map->T_row[turned++] = 9 * rotation + 3 * (S->col[k] - rotations.first[rotation]);
    } else {
      map->entry[plain++] = k;
      const int row = term->transposed ? S->col[k] : S->row[k];
      const int col = term->transposed ? S->row[k] : S->col[k];
      add_target(all, term->row + row, term->col + col);
    }
  }
  for (int e = 0; e < turned; e++) {
    const int k = map->turned[e];
    const int first = rotations.first[map->T_row[e] / 9];
    for (int m = 0; m < 3; m++) add_target(all, term->row + S->row[k], term->col + first + m);
  }
}

/* order[] sorted stably by key[], 0 <= key < n; start is scratch of n + 1. */
static void bucket_sort(int count, const int *key, int n, int *start, const int *order_in,
                        int *order_out) {
  memset(start, 0, ((size_t)n + 1) * sizeof *start);
  for (int k = 0; k < count; k++) start[key[k] + 1]++;
  for (int i = 0; i < n; i++) start[i + 1] += start[i];
  for (int k = 0; k < count; k++) {
    const int target = order_in != NULL ? order_in[k] : k;
    order_out[start[key[target]]++] = target;
  }
}

/* place[k] of target k in compressed columns; Ap, Ai filled in. Returns entries. */
static int merge(const targets *all, int n, const int *order, int *Ap, int *Ai, int *place) {
  int entries = 0, last_row = -1, last_col = -1;
  memset(Ap, 0, ((size_t)n + 1) * sizeof *Ap);
  for (int k = 0; k < all->count; k++) {
    const int target = order[k];
    if (all->col[target] != last_col || all->row[target] != last_row) {
      last_col = all->col[target];
      last_row = all->row[target];
      Ai[entries++] = last_row;
      Ap[last_col + 1]++;
    }
    place[target] = entries - 1;
  }
  for (int j = 0; j < n; j++) Ap[j + 1] += Ap[j];
  return entries;
}

/* Hands the places back to the maps, in the order in which targets were listed. */
static void spread_places(trmi_plan *plan, const int *place) {
  for (int t = 0; t < plan->nterms; t++) {
    trmi_term_map *map = &plan->maps[t];
    memcpy(map->place, place, (size_t)map->nplain * sizeof *place);
    place += map->nplain;
    memcpy(map->T_place, place, 3 * (size_t)map->nturned * sizeof *place);
    place += 3 * (size_t)map->nturned;
  }
  memcpy(plan->border_place, place, (size_t)plan->nborder * sizeof *place);
}

size_t trmi_plan_targets(const trmi_plan *plan) {
  size_t total = (size_t)plan->nborder;
  for (int t = 0; t < plan->nterms; t++) {
    total += (size_t)plan->maps[t].nplain + 3 * (size_t)plan->maps[t].nturned;
  }
  return total;
}

static trm_status merge_all(trmi_plan *plan, trmi_arena *arena, trmi_arena *scratch,
                            trmi_rotations rotations, trm_error *err) {
  const int total = (int)trmi_plan_targets(plan);
  targets all = {.row = TRMI_TAKE(scratch, int, total), .col = TRMI_TAKE(scratch, int, total)};
  int *start = TRMI_TAKE(scratch, int, plan->n + 1);
  int *by_row = TRMI_TAKE(scratch, int, total), *order = TRMI_TAKE(scratch, int, total);
  int *place = TRMI_TAKE(scratch, int, total), *Ai = TRMI_TAKE(scratch, int, total);
  plan->Ap = TRMI_TAKE(arena, int, plan->n + 1);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  TRMI_TRY(err, trmi_arena_check(arena, err));

  /* list, sort, merge */
  for (int t = 0; t < plan->nterms; t++) {
    list_term(&plan->terms[t], rotations, &plan->maps[t], &all);
  }
  for (int b = 0; b < plan->nborder; b++) {
    add_target(&all, plan->border_index[b], plan->border_index[b]);
  }
  bucket_sort(total, all.row, plan->n, start, NULL, by_row);
  bucket_sort(total, all.col, plan->n, start, by_row, order);
  const int entries = merge(&all, plan->n, order, plan->Ap, Ai, place);
  plan->Ai = TRMI_TAKE(arena, int, entries);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  memcpy(plan->Ai, Ai, (size_t)entries * sizeof *Ai);
  spread_places(plan, place);
  return TRM_OK;
}

trm_status trmi_plan_build(trmi_plan *plan, trmi_arena *arena, int n, const trmi_term *terms,
                           int nterms, trmi_rotations rotations, int border_first, int nborder,
                           trm_error *err) {
  *plan = (trmi_plan){.n = n, .nterms = nterms, .nborder = nborder,
                      .border_scale = 1.0, .border_least = 1.0};
  plan->terms = TRMI_TAKE(arena, trmi_term, nterms);
  plan->maps = TRMI_TAKE(arena, trmi_term_map, nterms);
  plan->border_index = TRMI_TAKE(arena, int, nborder);
  plan->border_place = TRMI_TAKE(arena, int, nborder);
  plan->border = TRMI_TAKE(arena, double, nborder);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (nterms > 0) memcpy(plan->terms, terms, (size_t)nterms * sizeof *terms);
  for (int t = 0; t < nterms; t++) {
    count_term(&terms[t], rotations, &plan->maps[t]);
  }
  if (trmi_plan_targets(plan) > TARGETS_MAX) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL,
                     "a matrix of %d unknowns is a sum of more than %d numbers: too many for the "
                     "solvers", n, TARGETS_MAX);
  }
  for (int t = 0; t < nterms; t++) take_map(arena, &plan->maps[t]);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int b = 0; b < nborder; b++) plan->border_index[b] = border_first + b;

  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  const trm_status status = merge_all(plan, arena, &scratch, rotations, err);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trmi_plan_redirect(trmi_plan *plan, trmi_arena *arena, const trmi_plan_target *target,
                              trm_error *err) {
  for (int t = 0; t < plan->nterms; t++) {
    trmi_term_map *map = &plan->maps[t];
    for (int k = 0; k < map->nplain; k++) map->place[k] = target->index[map->place[k]];
    for (int k = 0; k < 3 * map->nturned; k++) map->T_place[k] = target->index[map->T_place[k]];
  }
  plan->Ax = target->Ax;
  plan->nAx = target->nAx;
  plan->index = target->index;
  TRMI_TRY(err, trmi_fill_build(&plan->fill, plan, target->tiles, target->ntiles, arena, err));
  if (plan->fill != NULL) plan->fill->run = target->run;
  return TRM_OK;
}

static const double no_turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Adds all entries of a term. */
static void add_term(const trmi_plan *plan, int t, double c, const double *T) {
  const trmi_term_map *map = &plan->maps[t];
  const double *values = plan->terms[t].block->values;
  double *Ax = plan->Ax;
  for (int k = 0; k < map->nplain; k++) Ax[map->place[k]] += c * values[map->entry[k]];
  for (int k = 0; k < map->nturned; k++) {
    const double *row = T != NULL ? T + map->T_row[k] : no_turn + map->T_row[k] % 9;
    const double value = c * values[map->turned[k]];
    for (int m = 0; m < 3; m++) Ax[map->T_place[3 * k + m]] += value * row[m];
  }
}

void trmi_plan_fill(trmi_plan *plan, const double *coefficient, const double *T) {
  if (plan->fill != NULL) {
    plan->fill->run(plan->fill, plan, coefficient, T, (int[2]){0, plan->fill->ntiles});
    return;
  }
  memset(plan->Ax, 0, (size_t)plan->nAx * sizeof(double));
  for (int t = 0; t < plan->nterms; t++) {
    const double c = coefficient[plan->terms[t].slot];
    if (c != 0.0) add_term(plan, t, c, T);
  }
}

void trmi_plan_get(const trmi_plan *plan, double *columns) {
  for (int k = 0; k < plan->Ap[plan->n]; k++) columns[k] = trmi_plan_at(plan, k);
}

void trmi_plan_put(trmi_plan *plan, const double *columns) {
  const trmi_fill *fill = plan->fill;
  if (fill != NULL) memset(fill->is_zero, 0, (size_t)fill->ntiles * sizeof *fill->is_zero);
  for (int k = 0; k < plan->Ap[plan->n]; k++) {
    plan->Ax[plan->index != NULL ? plan->index[k] : k] = columns[k];
  }
}
