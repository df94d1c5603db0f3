/* block.c - structure of the block solver: tiles, fill, places, sums. Its arithmetic, (1) to (3) of
 * block.h, is in block_kernels.h, the loop over nodes in block_numeric.h. */
#include "linalg/block_building.h"
#include <string.h>

/* Numbers of the matrix and of its factors, and sums: their places are ints. */
static const long room = 1000000000L;

/* Blocks begin at lines of the cache. */
static int rounded(int numbers) {
  return (numbers + 7) / 8 * 8;
}

static int pad(int dim) {
  return dim <= 4 ? 4 : 8;
}

/* Nodes in their order, large ones cut into tiles of nearly equal size. */
static trm_status take_tiles(trmi_block_building *w, trm_error *err) {
  trmi_block *b = w->b;
  const trmi_node_list *nodes = &w->plan->nodes;
  int *order = TRMI_TAKE(w->scratch, int, nodes->count);
  TRMI_TRY(err, trmi_arena_check(w->scratch, err));
  TRMI_TRY(err, trmi_order_find(nodes, w->plan->Ap, w->plan->Ai, order, &b->arena.allocator, err));
  for (int k = 0; k < nodes->count; k++) {
    b->count += (nodes->first[k + 1] - nodes->first[k] + BLOCK_MAX - 1) / BLOCK_MAX;
  }
  int **const lists[] = {&b->dim, &b->ld, &b->unknown, &b->place,
                         &b->diagonal, &b->pivot};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
    *lists[l] = TRMI_TAKE(&b->arena, int, b->count);
  }
  b->padded = TRMI_TAKE(&b->arena, int, w->plan->n);
  w->tile_of = TRMI_TAKE(w->scratch, int, w->plan->n);
  w->row_of = TRMI_TAKE(w->scratch, int, w->plan->n);
  TRMI_TRY(err, trmi_arena_check(&b->arena, err));
  TRMI_TRY(err, trmi_arena_check(w->scratch, err));
  int tile = 0;
  for (int k = 0; k < nodes->count; k++) {
    const int first = nodes->first[order[k]], size = nodes->first[order[k] + 1] - first;
    const int parts = (size + BLOCK_MAX - 1) / BLOCK_MAX;
    for (int part = 0; part < parts; part++, tile++) {
      const int from = first + size * part / parts, to = first + size * (part + 1) / parts;
      b->unknown[tile] = from;
      b->dim[tile] = to - from;
      b->ld[tile] = pad(to - from);
      b->place[tile] = b->ld[tile] == BLOCK_MAX ? rounded(b->vector) : b->vector;
      b->vector = b->place[tile] + b->ld[tile]; /* long ones are lines of the cache */
      for (int i = from; i < to; i++) {
        w->tile_of[i] = tile;
        w->row_of[i] = i - from;
        b->padded[i] = b->place[tile] + i - from;
      }
    }
  }
  return TRM_OK;
}

/* Later tiles that the pattern couples with a tile, in no order, perhaps repeated:
 * those in its own columns and, collected beforehand, those in its rows. */
static trm_status list_pattern(trmi_block_building *w, int **row_first, int **row_tile,
                               trm_error *err) {
  const trmi_plan *plan = w->plan;
  const int count = w->b->count;
  int *first = TRMI_TAKE(w->scratch, int, count + 2);
  int *tiles = TRMI_TAKE(w->scratch, int, plan->Ap[plan->n]);
  TRMI_TRY(err, trmi_arena_check(w->scratch, err));
  for (int pass = 0; pass < 2; pass++) {
    for (int j = 0; j < plan->n; j++) {
      for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
        const int a = w->tile_of[plan->Ai[k]], c = w->tile_of[j];
        if (a == c) continue;
        const int early = a < c ? a : c, late = a < c ? c : a;
        if (pass == 0) {
          first[early + 2]++;
        } else {
          tiles[first[early + 1]++] = late;
        }
      }
    }
    for (int t = 0; pass == 0 && t < count; t++) first[t + 2] += first[t + 1];
  }
  *row_first = first;
  *row_tile = tiles;
  return TRM_OK;
}

static void sort(int *list, int n) {
  for (int i = 1; i < n; i++) { /* short lists, nearly sorted */
    const int value = list[i];
    int k = i;
    for (; k > 0 && list[k - 1] > value; k--) list[k] = list[k - 1];
    list[k] = value;
  }
}

/* Neighbours with fill: those of the pattern, and those inherited from every earlier
 * tile whose first neighbour this one is. */
static trm_status find_fill(trmi_block_building *w, trm_error *err) {
  const int count = w->b->count;
  int *first = NULL, *tiles = NULL;
  TRMI_TRY(err, list_pattern(w, &first, &tiles, err));
  int *list = TRMI_TAKE(w->scratch, int, count), *child = TRMI_TAKE(w->scratch, int, count);
  int *sibling = TRMI_TAKE(w->scratch, int, count);
  w->mark = TRMI_TAKE(w->scratch, int, count);
  w->ncount = TRMI_TAKE(w->scratch, int, count);
  w->neighbours = TRMI_TAKE(w->scratch, int *, count);
  TRMI_TRY(err, trmi_arena_check(w->scratch, err));
  for (int k = 0; k < count; k++) child[k] = -1, w->mark[k] = -1;
  for (int k = 0; k < count; k++) {
    int n = 0;
    w->mark[k] = k;
    for (int e = first[k]; e < first[k + 1]; e++) {
      if (w->mark[tiles[e]] == k) continue;
      w->mark[tiles[e]] = k;
      list[n++] = tiles[e];
    }
    for (int c = child[k]; c >= 0; c = sibling[c]) {
      for (int e = 0; e < w->ncount[c]; e++) {
        const int j = w->neighbours[c][e];
        if (w->mark[j] == k) continue;
        w->mark[j] = k;
        list[n++] = j;
      }
    }
    sort(list, n);
    w->neighbours[k] = TRMI_TAKE(w->scratch, int, n);
    TRMI_TRY(err, trmi_arena_check(w->scratch, err));
    memcpy(w->neighbours[k], list, (size_t)n * sizeof *list);
    w->ncount[k] = n;
    if (n > 0) sibling[k] = child[list[0]], child[list[0]] = k;
  }
  return TRM_OK;
}

/* What pivot k costs: its row of blocks, (2) and (3), and its part in the sums of later ones. */
static void count_pivot(const trmi_block_building *w, int k, trmi_block_work *work) {
  const trmi_block *b = w->b;
  const double d = b->dim[k];
  double later = 0.0; /* padded rows of the neighbours behind the present one */
  work->numbers += 2.0 * d * b->ld[k];
  for (int e = w->ncount[k] - 1; e >= 0; e--) {
    const double dim = b->dim[w->neighbours[k][e]], ld = b->ld[w->neighbours[k][e]];
    work->numbers += 3.0 * d * ld; /* A_kj, A_jk and L_jk, or with fill U_kj and L_jk */
    work->operations += 2.0 * d * d * ld + 2.0 * d * dim * (ld + 2.0 * later);
    later += ld;
  }
  work->tiles += 1.0;
  work->sums += 0.5 * w->ncount[k] * (w->ncount[k] + 1.0);
}

static trm_status take_entries(trmi_block_building *w, trm_error *err) {
  trmi_block *b = w->b;
  long entries = 0, size = 0, sums = 0;
  for (int k = 0; k < b->count; k++) {
    entries += w->ncount[k];
    sums += (long)w->ncount[k] * (w->ncount[k] + 1L) / 2;
    size += rounded(b->dim[k] * b->ld[k]);
    b->entries += b->dim[k] * b->dim[k];
    for (int e = 0; e < w->ncount[k]; e++) {
      size += 2L * rounded(b->dim[k] * b->ld[w->neighbours[k][e]]);
      b->entries += 2L * b->dim[k] * b->dim[w->neighbours[k][e]];
    }
  }
  const long most = w->plan->block_room > 0 ? w->plan->block_room : room;
  if (size > most || sums > most) {
    return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL,
                     "too much fill for the block solver: %ld numbers and %ld sums", size, sums);
  }
  b->first = TRMI_TAKE(&b->arena, int, b->count + 1);
  int **const lists[] = {&b->node,  &b->owner,   &b->upper, &b->lower,
                         &b->scaled, &b->reduced, &b->kept};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
    *lists[l] = TRMI_TAKE(&b->arena, int, entries);
  }
  b->live_first = TRMI_TAKE(&b->arena, int, b->count + 1);
  b->live = TRMI_TAKE(&b->arena, trmi_block_live, entries + 2 * TRMI_BLOCK_AHEAD);
  if (w->plan->may_vanish) {
    b->is_zero = TRMI_TAKE(&b->arena, unsigned char, entries);
    b->linked = TRMI_TAKE(&b->arena, int, b->count);
    b->alone_node = TRMI_TAKE(&b->arena, int, b->count);
    b->alone = TRMI_TAKE(&b->arena, trmi_block_alone, b->count);
  }
  b->source_first = TRMI_TAKE(&b->arena, int, entries + 1);
  b->diag_first = TRMI_TAKE(&b->arena, int, b->count + 1);
  TRMI_TRY(err, trmi_arena_check(&b->arena, err));
  b->live += TRMI_BLOCK_AHEAD;
  int e = 0;
  for (int k = 0; k < b->count; k++) {
    b->first[k] = e;
    for (int m = 0; m < w->ncount[k]; m++, e++) {
      b->node[e] = w->neighbours[k][m];
      b->owner[e] = k;
      b->kept[e] = e;
    }
  }
  b->first[b->count] = e;
  return TRM_OK;
}

/* Entry (k, j) by bisection. */
static int entry_of(const trmi_block *b, int k, int j) {
  int low = b->first[k], high = b->first[k + 1] - 1;
  while (low < high) {
    const int mid = (low + high) / 2;
    if (b->node[mid] < j) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}

/* Sources of all sums: every pair of neighbours of every pivot, in the order of pivots. */
static trm_status find_sources(trmi_block_building *w, trm_error *err) {
  trmi_block *b = w->b;
  for (int pass = 0; pass < 2; pass++) {
    for (int p = 0; p < b->count; p++) {
      for (int x = b->first[p]; x < b->first[p + 1]; x++) {
        const int i = b->node[x];
        if (pass == 0) {
          b->diag_first[i + 1]++;
        } else {
          b->diag_source[b->diag_first[i]++] = (trmi_block_source){x, x};
        }
        for (int y = x + 1; y < b->first[p + 1]; y++) {
          const int e = entry_of(b, i, b->node[y]);
          if (pass == 0) {
            b->source_first[e + 1]++;
          } else {
            b->source[b->source_first[e]++] = (trmi_block_source){x, y};
          }
        }
      }
    }
    const int entries = b->first[b->count];
    if (pass == 0) {
      for (int k = 0; k < b->count; k++) b->diag_first[k + 1] += b->diag_first[k];
      for (int e = 0; e < entries; e++) b->source_first[e + 1] += b->source_first[e];
      b->source = TRMI_TAKE(&b->arena, trmi_block_source, b->source_first[entries]);
      b->diag_source = TRMI_TAKE(&b->arena, trmi_block_source, b->diag_first[b->count]);
      TRMI_TRY(err, trmi_arena_check(&b->arena, err));
    } else {
      for (int k = b->count; k > 0; k--) b->diag_first[k] = b->diag_first[k - 1];
      for (int e = entries; e > 0; e--) b->source_first[e] = b->source_first[e - 1];
      b->diag_first[0] = b->source_first[0] = 0;
    }
  }
  return TRM_OK;
}

/* Lists of sums, which change with the matrix only where something vanishes. */
static trm_status take_sums(trmi_block *b, trm_error *err) {
  const int entries = b->first[b->count];
  b->sum_end = b->source_first + 1, b->diag_end = b->diag_first + 1;
  b->sum = b->source, b->diag_sum = b->diag_source;
  b->kept_end = b->first + 1;
  if (b->is_zero == NULL) return TRM_OK;
  b->sum_end = TRMI_TAKE(&b->arena, int, entries);
  b->diag_end = TRMI_TAKE(&b->arena, int, b->count);
  b->kept_end = TRMI_TAKE(&b->arena, int, b->count);
  b->sum = TRMI_TAKE(&b->arena, trmi_block_source, b->source_first[entries]);
  b->diag_sum = TRMI_TAKE(&b->arena, trmi_block_source, b->diag_first[b->count]);
  return trmi_arena_check(&b->arena, err);
}

/* Marks the entries in which the matrix has something, and the diagonal blocks. */
static void mark_pattern(trmi_block_building *w, bool *is_used, bool *has_diagonal) {
  const trmi_plan *plan = w->plan;
  for (int j = 0; j < plan->n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      const int a = w->tile_of[plan->Ai[k]], c = w->tile_of[j];
      if (a == c) has_diagonal[a] = true;
      else is_used[a < c ? entry_of(w->b, a, c) : entry_of(w->b, c, a)] = true;
    }
  }
}

/* Places of all blocks. Nothing is stored twice: what fill alone makes is not in A, what
 * elimination leaves as it is not in F. Solutions read V_kj in the first pass and U_kj with D_k in
 * the second: each of them lies in one piece. Diagonal blocks without entries, those of joints, are
 * not in A either: blocks that are left out of the passes through A make these slower. */
static trm_status place_blocks(trmi_block_building *w, trm_error *err) {
  trmi_block *b = w->b;
  const int entries = b->first[b->count];
  bool *is_used = TRMI_TAKE(w->scratch, bool, entries);
  bool *has_diagonal = TRMI_TAKE(w->scratch, bool, b->count);
  w->begin = TRMI_TAKE(w->scratch, int, b->count);
  TRMI_TRY(err, trmi_arena_check(w->scratch, err));
  mark_pattern(w, is_used, has_diagonal);
  for (int k = 0; k < b->count; k++) {
    w->begin[k] = b->matrix;
    b->diagonal[k] = has_diagonal[k] ? b->matrix : -1;
    b->matrix += has_diagonal[k] ? rounded(b->dim[k] * b->ld[k]) : 0;
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {
      const int numbers = rounded(b->dim[k] * b->ld[b->node[e]]);
      b->upper[e] = is_used[e] ? b->matrix : -1;
      b->lower[e] = is_used[e] ? b->matrix + numbers : -1;
      b->matrix += is_used[e] ? 2 * numbers : 0;
      b->scaled[e] = b->factors;
      b->factors += numbers;
    }
  }
  b->first_reduced = b->factors;
  for (int k = 0; k < b->count; k++) {
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {
      const bool has_sums = b->source_first[e] < b->source_first[e + 1];
      b->reduced[e] = has_sums ? b->factors : b->upper[e] - b->matrix;
      if (has_sums) b->factors += rounded(b->dim[k] * b->ld[b->node[e]]);
    }
    b->pivot[k] = b->factors;
    b->factors += rounded(b->dim[k] * b->ld[k]);
  }
  return TRM_OK;
}

/* Position of each entry of the compressed columns in the blocks. */
static void place_columns(trmi_block_building *w, int *index) {
  const trmi_block *b = w->b;
  const trmi_plan *plan = w->plan;
  for (int j = 0; j < plan->n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      const int i = plan->Ai[k], a = w->tile_of[i], c = w->tile_of[j];
      const int row = w->row_of[i], col = w->row_of[j];
      if (a == c) {
        index[k] = b->diagonal[a] + b->ld[a] * col + row; /* transposed */
      } else if (a < c) {
        index[k] = b->upper[entry_of(b, a, c)] + b->ld[c] * row + col;
      } else {
        index[k] = b->lower[entry_of(b, c, a)] + b->ld[a] * col + row; /* transposed */
      }
    }
  }
}

/* Nodes without sums whose unknowns do not meet each other, such as modes of a body; small ones,
 * bodies among them, save little. */
static trm_status find_diagonals(trmi_block_building *w, trm_error *err) {
  trmi_block *b = w->b;
  const trmi_plan *plan = w->plan;
  b->is_diagonal = TRMI_TAKE(&b->arena, bool, b->count);
  TRMI_TRY(err, trmi_arena_check(&b->arena, err));
  for (int k = 0; k < b->count; k++) {
    b->is_diagonal[k] = b->dim[k] > BLOCK_FULL && b->diag_first[k] == b->diag_first[k + 1];
  }
  for (int j = 0; j < plan->n; j++) {
    const int tile = w->tile_of[j];
    for (int e = plan->Ap[j]; e < plan->Ap[j + 1]; e++) {
      if (plan->Ai[e] != j && w->tile_of[plan->Ai[e]] == tile) b->is_diagonal[tile] = false;
    }
  }
  return TRM_OK;
}

static trm_status build(trmi_block_building *w, trmi_plan *plan, trm_error *err) {
  trmi_block *b = w->b;
  TRMI_TRY(err, take_tiles(w, err));
  TRMI_TRY(err, find_fill(w, err));
  TRMI_TRY(err, take_entries(w, err));
  TRMI_TRY(err, find_sources(w, err));
  TRMI_TRY(err, take_sums(b, err));
  TRMI_TRY(err, find_diagonals(w, err));
  TRMI_TRY(err, place_blocks(w, err));
  const int entries = b->first[b->count];
  b->has_many_sums = b->source_first[entries] > 2 * entries;
  int *index = TRMI_TAKE(w->keep, int, w->plan->Ap[w->plan->n]);
  b->A = TRMI_TAKE(w->keep, double, (size_t)b->matrix + (size_t)b->factors);
  b->y[0] = TRMI_TAKE(&b->arena, double, b->vector);
  b->y[1] = TRMI_TAKE(&b->arena, double, b->vector);
  for (int k = 0; k < 3; k++) b->work[k] = TRMI_TAKE(&b->arena, double, b->vector);
  if (w->plan->nborder > 0) b->border = TRMI_TAKE(&b->arena, double, b->vector);
  TRMI_TRY(err, trmi_arena_check(&b->arena, err));
  TRMI_TRY(err, trmi_arena_check(w->keep, err));
  b->F = b->A + b->matrix;
  for (int k = 0; k < b->count; k++) trmi_block_list_live(b, k);
  place_columns(w, index);
  trmi_plan_target target = {.Ax = b->A, .nAx = b->matrix, .index = index,
                             .run = w->kernels->fill};
  TRMI_TRY(err, trmi_block_list_tiles(w, &target, err));
  TRMI_TRY(err, trmi_plan_redirect(plan, w->keep, &target, err));
  TRMI_TRY(err, trmi_block_read_fill(w, target.tiles, err));
  return TRM_OK;
}

trm_status trmi_block_count(const trmi_plan *plan, const trm_allocator *allocator,
                            trmi_block_work *work, trm_error *err) {
  *work = (trmi_block_work){0};
  trmi_block b = {0};
  trmi_arena scratch;
  trmi_arena_init(&b.arena, allocator);
  trmi_arena_init(&scratch, allocator);
  trmi_block_building w = {.b = &b, .plan = plan, .scratch = &scratch};
  trm_status status = take_tiles(&w, err);
  if (status == TRM_OK) status = find_fill(&w, err);
  for (int k = 0; k < b.count && status == TRM_OK; k++) count_pivot(&w, k, work);
  trmi_arena_clear(&scratch);
  trmi_arena_clear(&b.arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trmi_block_analyze(trmi_block **block, trmi_plan *plan, const trmi_block_ops *kernels,
                              trmi_arena *keep, trm_error *err) {
  *block = NULL;
  const trm_allocator *allocator = &keep->allocator;
  trmi_block *b = trmi_allocate(allocator, sizeof *b);
  if (b == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for the block "
                                                             "solver");
  *b = (trmi_block){0};
  trmi_arena_init(&b->arena, allocator);
  trmi_arena scratch;
  trmi_arena_init(&scratch, allocator);
  trmi_block_building w = {.b = b, .plan = plan, .kernels = kernels, .scratch = &scratch,
                .keep = keep};
  const trm_status status = build(&w, plan, err);
  trmi_arena_clear(&scratch);
  if (status != TRM_OK) {
    trmi_block_free(b);
    return trmi_note(err, __func__, status);
  }
  *block = b;
  return TRM_OK;
}

void trmi_block_free(trmi_block *b) {
  const trm_allocator allocator = b->arena.allocator;
  trmi_arena_clear(&b->arena);
  trmi_release(&allocator, b);
}
