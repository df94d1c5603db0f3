/* split_order.c - order of the columns of G^T by dissection.
 *
 * Columns that share coordinates are neighbours. From a column at one end of a set, the others
 * lie at distances 0, 1, .. ; those at one distance in the middle part the set in two,
 *        left | middle | right         order: left, right, middle               (1)
 * and left and right are parted in the same way. A coordinate that stays independent is never
 * a pivot row and remains in the factors of all later columns that it reaches. In the order (1)
 * these are the middles around it, log2 n of them on a chain of n joints; from one end to the
 * other they would be all the joints that follow. */
#include "linalg/split_part.h"

enum { SMALL = 16 }; /* a set of so many columns is not parted any more */

typedef struct dissection {
  const trmi_split_part *part;
  int *start, *column; /* columns of each coordinate                     [cols + 1], [entries] */
  int *order;          /* the result; a set is a range of it             [rows]           */
  int *range, nranges; /* of sets to be parted: first and end            [2 rows + 2]     */
  int *set;            /* of a column, named by a first place; -1: none  [rows]           */
  int *distance;       /* -1: not reached                                [rows]           */
  int *reached;        /* columns in this order, at the places of a set  [rows]           */
  int *seen, stamp;    /* coordinates in the present search              [cols]           */
} dissection;

static void list_columns(dissection *d) {
  const trmi_split_part *part = d->part;
  for (int p = 0; p < part->Ap[part->rows]; p++) d->start[part->Ai[p] + 1]++;
  for (int i = 0; i < part->cols; i++) d->start[i + 1] += d->start[i];
  for (int j = 0; j < part->rows; j++) {
    for (int p = part->Ap[j]; p < part->Ap[j + 1]; p++) d->column[d->start[part->Ai[p]]++] = j;
  }
  for (int i = part->cols; i > 0; i--) d->start[i] = d->start[i - 1];
  d->start[0] = 0;
}

/* Distances from a column to all that it reaches within its set, which are written to
 * `reached` in this order; returns how many. */
static int search(dissection *d, int from, int *reached) {
  const trmi_split_part *part = d->part;
  int count = 0;
  d->stamp++;
  d->distance[from] = 0;
  reached[count++] = from;
  for (int k = 0; k < count; k++) {
    const int column = reached[k];
    for (int p = part->Ap[column]; p < part->Ap[column + 1]; p++) {
      const int coordinate = part->Ai[p];
      if (d->seen[coordinate] == d->stamp) continue;
      d->seen[coordinate] = d->stamp;
      for (int e = d->start[coordinate]; e < d->start[coordinate + 1]; e++) {
        const int other = d->column[e];
        if (d->set[other] != d->set[from] || d->distance[other] >= 0) continue;
        d->distance[other] = d->distance[column] + 1;
        reached[count++] = other;
      }
    }
  }
  return count;
}

/* The columns of a range that reach each other become sets, the farthest from the first last. */
static void make_sets(dissection *d, int first, int end) {
  for (int k = first; k < end; k++) d->set[d->order[k]] = first, d->distance[d->order[k]] = -1;
  for (int k = first, next = first; k < end; k++) {
    if (d->distance[d->order[k]] >= 0) continue;
    const int count = search(d, d->order[k], d->reached + next);
    if (count > SMALL) {
      d->range[d->nranges++] = next;
      d->range[d->nranges++] = next + count;
    }
    next += count;
  }
  for (int k = first; k < end; k++) d->order[k] = d->reached[k];
}

/* Of the distances that reach into the middle third of a set, the one of fewest columns; -1:
 * none has something on both sides. */
static int middle_of(const dissection *d, int first, int end) {
  const int last = d->distance[d->reached[end - 1]], size = end - first;
  int best = -1, best_count = size;
  for (int k = first; k < end;) {
    const int at = d->distance[d->reached[k]], start = k;
    while (k < end && d->distance[d->reached[k]] == at) k++;
    const bool is_central = 3 * (k - first) > size && 3 * (start - first) < 2 * size;
    if (at == 0 || at == last || !is_central || k - start >= best_count) continue;
    best = at;
    best_count = k - start;
  }
  return best;
}

/* (1) for one set. */
static void part_set(dissection *d, int first, int end) {
  const int far = d->order[end - 1];
  for (int k = first; k < end; k++) d->distance[d->order[k]] = -1;
  search(d, far, d->reached + first);
  const int middle = middle_of(d, first, end);
  if (middle < 0) return;
  int left = first, right = end; /* end of the left, start of the right among those reached */
  while (d->distance[d->reached[left]] < middle) left++;
  while (d->distance[d->reached[right - 1]] > middle) right--;
  int next = first;
  for (int k = first; k < left; k++) d->order[next++] = d->reached[k];
  for (int k = right; k < end; k++) d->order[next++] = d->reached[k];
  for (int k = left; k < right; k++) {
    d->set[d->reached[k]] = -1;
    d->order[next++] = d->reached[k];
  }
  make_sets(d, first, left);
  make_sets(d, left, left + end - right);
}

trm_status trmi_split_order(const trmi_split_part *part, int *order,
                            const trm_allocator *allocator, trm_error *err) {
  const int rows = part->rows, cols = part->cols;
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  dissection d = {.part = part, .order = order};
  d.start = TRMI_TAKE(&arena, int, cols + 1);
  d.column = TRMI_TAKE(&arena, int, part->Ap[rows]);
  d.range = TRMI_TAKE(&arena, int, 2 * rows + 2);
  d.set = TRMI_TAKE(&arena, int, rows);
  d.distance = TRMI_TAKE(&arena, int, rows);
  d.reached = TRMI_TAKE(&arena, int, rows);
  d.seen = TRMI_TAKE(&arena, int, cols);
  const trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) {
    list_columns(&d);
    for (int j = 0; j < rows; j++) order[j] = j;
    make_sets(&d, 0, rows);
    while (d.nranges > 0) {
      d.nranges -= 2;
      part_set(&d, d.range[d.nranges], d.range[d.nranges + 1]);
    }
  }
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}
