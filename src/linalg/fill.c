/* fill.c - the program of fill.h, made once for a plan; fill_numeric.h runs it. */
#include "linalg/fill.h"
#include "linalg/plan.h"
#include <string.h>

enum { GAP_MAX = 1000, COUNT_MAX = 64 }; /* between entries of a piece, and their number */
/* A copy follows some tiles behind its twin: by then the numbers of that are in the cache;
 * right behind their stores would still be pending. */
enum { LAG = 6 };

/* Entries of one kind, sorted by tile. */
typedef struct items {
  int *term, *entry, *place; /*                                    [count]      */
  int *T_place;              /* of turned ones: places of a row of T, index in `T_place` */
  int *T;                    /* and place of their matrix          [count]      */
  bool *is_first;            /* first at its place                 [count]      */
  int *first;                /* of each tile                       [ntiles + 2] */
} items;

typedef struct building {
  const trmi_plan *plan;
  trmi_tile       *tiles;
  int              ntiles;
  trmi_arena      *arena, *scratch;
  trmi_fill       *fill;
  int             *tile_of; /* of a place                          [nAx]   */
  bool            *touched; /* already set                         [nAx]   */
  int             *last_piece; /* that has it, + 1                 [nAx]   */
  items            turned, plain;
  int              npieces, nturns, npairs;
  bool             fits;    /* every rotation has its columns for itself, in one tile   */
  int             *hash;    /* pieces by their shape, + 1          [nhash] */
  int              nhash;
} building;

/* Do the three columns of every turned entry lie in one tile, a constant step apart? */
static bool lie_in_tiles(const building *w) {
  for (int t = 0; t < w->plan->nterms; t++) {
    const trmi_term_map *map = &w->plan->maps[t];
    for (int k = 0; k < map->nturned; k++) {
      const int *place = map->T_place + 3 * k;
      const int step = place[1] - place[0], tile = w->tile_of[place[0]];
      if (step != 1 && step != w->tiles[tile].ld) return false;
      if (place[2] - place[1] != step || w->tile_of[place[2]] != tile) return false;
    }
  }
  return true;
}

static trm_status take_items(building *w, items *all, int count, trm_error *err) {
  int **const lists[] = {&all->term, &all->entry, &all->place, &all->T_place, &all->T};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
    *lists[l] = TRMI_TAKE(w->scratch, int, count);
  }
  all->is_first = TRMI_TAKE(w->scratch, bool, count);
  all->first = TRMI_TAKE(w->scratch, int, w->ntiles + 2);
  return trmi_arena_check(w->scratch, err);
}

/* Place of a turned entry itself, among the three that T spreads it over. */
static int own_place(const trmi_term_map *map, int k) {
  return map->T_place[3 * k + map->T_row[k] % 9 / 3];
}

/* Items of all terms, sorted stably by tile: counted in the first pass, placed in the
 * second. */
static void sort_items(building *w, items *all, bool turned) {
  for (int pass = 0; pass < 2; pass++) {
    for (int t = 0; t < w->plan->nterms; t++) {
      const trmi_term_map *map = &w->plan->maps[t];
      const int count = turned ? map->nturned : map->nplain;
      for (int k = 0; k < count; k++) {
        const int place = turned ? own_place(map, k) : map->place[k];
        int *first = all->first + w->tile_of[place];
        if (pass == 0) {
          first[2]++;
          continue;
        }
        const int at = first[1]++;
        all->term[at] = t;
        all->entry[at] = (turned ? map->turned : map->entry)[k];
        all->place[at] = place;
        all->T_place[at] = 3 * k;
        all->T[at] = turned ? map->T_row[k] - map->T_row[k] % 9 : 0;
      }
    }
    for (int i = 0; pass == 0 && i < w->ntiles; i++) all->first[i + 2] += all->first[i + 1];
  }
}

/* The pairs at the end of the list, or the same ones if they were there before. */
static int share_shape(building *w, const trmi_fill_piece *made) {
  trmi_fill *fill = w->fill;
  const trmi_fill_pair *pair = fill->pair + w->npairs;
  const int count = made->count;
  unsigned key = (unsigned)count;
  for (int k = 0; k < count; k++) key = (key ^ (pair[k].entry * 8191u + pair[k].place)) * 16777619u;
  unsigned slot = key % (unsigned)w->nhash;
  for (; w->hash[slot] > 0; slot = (slot + 1) % (unsigned)w->nhash) {
    const trmi_fill_piece *other = &fill->piece[w->hash[slot] - 1];
    const size_t size = (size_t)count * sizeof *pair;
    const bool is_alike = other->count == count && other->fours == made->fours &&
                          other->blocks4 == made->blocks4 && other->blocks3 == made->blocks3;
    if (is_alike && memcmp(fill->pair + other->shape, pair, size) == 0) return other->shape;
  }
  w->hash[slot] = w->npieces + 1; /* the piece that is being made */
  w->npairs += count;
  return w->npairs - count;
}

/* Do four pairs follow each other, with places so far apart? */
static bool is_four(const trmi_fill_pair *pair, int left, int step) {
  for (int k = 1; k < 4; k++) {
    if (k >= left || pair[k].entry != pair->entry + k || pair[k].place != pair->place + step * k) {
      return false;
    }
  }
  return true;
}

/* No place twice? Sums of one place keep their order. */
static bool are_distinct(building *w, const trmi_fill_pair *pair, int count, int start) {
  for (int k = 0; k < count; k++) {
    int *last = &w->last_piece[start + pair[k].place];
    if (*last == w->npieces + 1) return false;
    *last = w->npieces + 1;
  }
  return true;
}

/* Pairs of a piece in a new order, and those that are not in it yet. */
typedef struct sorting {
  const trmi_fill_pair *pair;
  int            count, ld, nsorted;
  trmi_fill_pair sorted[COUNT_MAX];
  bool           is_done[COUNT_MAX];
} sorting;

static void take(sorting *s, int first, int count) {
  for (int k = first; k < first + count; k++) {
    s->sorted[s->nsorted++] = s->pair[k];
    s->is_done[k] = true;
  }
}

/* Are this pair and the next three not in the new order yet? */
static bool are_left(const sorting *s, int first) {
  bool are = first + 4 <= s->count;
  for (int k = first; k < first + 4 && are; k++) are = !s->is_done[k];
  return are;
}

/* The four pairs left that are a column of a block at this place, -1: there are none. */
static int find_column(const sorting *s, int place) {
  for (int k = 0; k < s->count; k++) {
    if (s->pair[k].place == place && is_four(s->pair + k, s->count - k, s->ld)) {
      return are_left(s, k) ? k : -1;
    }
  }
  return -1;
}

/* Blocks of so many columns. Three columns are moved as four numbers a row, within the tile; six
 * are twice three. @return how many */
static int take_blocks(sorting *s, int columns) {
  int count = 0;
  for (int k = 0; k < s->count; k++) {
    int column[6], n = 0;
    const int place = s->pair[k].place;
    while (n < 6 && (column[n] = find_column(s, place + n)) >= 0) n++;
    const bool is_part = find_column(s, place - 1) >= 0;
    const bool fits = columns == 4 ? n > 3 && n != 6 : n >= 3 && place % s->ld + 4 <= s->ld;
    if (s->is_done[k] || column[0] != k || is_part || !fits) continue;
    for (int c = 0; c < columns; c++) take(s, column[c], 4);
    count++;
  }
  return count;
}

/* Blocks and fours come first. */
static void sort_pairs(building *w, trmi_fill_pair *pair, const trmi_tile *tile,
                       trmi_fill_piece *piece) {
  sorting s = {.pair = pair, .count = piece->count, .ld = tile->ld};
  if (!are_distinct(w, pair, s.count, tile->place)) return;
  piece->blocks4 = (int8_t)take_blocks(&s, 4);
  piece->blocks3 = (int8_t)take_blocks(&s, 3);
  for (int k = 0; k < s.count; k++) {
    if (!are_left(&s, k) || !is_four(pair + k, s.count - k, 1)) continue;
    take(&s, k, 4);
    piece->fours++;
  }
  for (int k = 0; k < s.count; k++) {
    if (!s.is_done[k]) take(&s, k, 1);
  }
  memcpy(pair, s.sorted, (size_t)s.count * sizeof *pair);
}

/* The run of an item, -1: it is in none. */
static int run_of(const building *w, const items *all, int k) {
  const int *run = w->plan->terms[all->term[k]].block->run;
  return run != NULL ? run[all->entry[k]] : -1;
}

/* Items `from` .. `to` - 1 of a tile, those that come first at their place or the others, as
 * one piece. */
static void make_piece(building *w, const items *all, const int range[2], const trmi_tile *tile,
                       bool sets) {
  trmi_fill_piece piece = {.term = all->term[range[0]], .entry = all->entry[range[0]],
                           .run = run_of(w, all, range[0]), .sets = sets};
  for (int k = range[0]; k < range[1]; k++) {
    if (all->is_first[k] != sets) continue;
    w->fill->pair[w->npairs + piece.count++] = (trmi_fill_pair){
        (uint16_t)(all->entry[k] - piece.entry), (uint16_t)(all->place[k] - tile->place)};
  }
  if (piece.count == 0) return;
  sort_pairs(w, w->fill->pair + w->npairs, tile, &piece);
  piece.shape = share_shape(w, &piece);
  w->fill->piece[w->npieces++] = piece;
}

/* Cuts the items of a tile into stretches of one term and run and of entries near each other. */
static void make_pieces(building *w, const items *all, int tile) {
  const int end = all->first[tile + 1];
  for (int from = all->first[tile], to = from; from < end; from = to) {
    for (; to < end && to - from < COUNT_MAX && all->term[to] == all->term[from]; to++) {
      const int gap = to > from ? all->entry[to] - all->entry[to - 1] : 0;
      if (gap < 0 || gap > GAP_MAX || run_of(w, all, to) != run_of(w, all, from)) break;
      all->is_first[to] = !w->touched[all->place[to]];
      w->touched[all->place[to]] = true;
    }
    make_piece(w, all, (int[2]){from, to}, &w->tiles[tile], true);
    make_piece(w, all, (int[2]){from, to}, &w->tiles[tile], false);
  }
}

/* Turned in place, columns of two rotations must not mix. */
static bool are_apart(const trmi_fill_turn *a, const trmi_fill_turn *b) {
  const int distance = a->place < b->place ? b->place - a->place : a->place - b->place;
  return a->step == b->step && distance >= 3 * a->step;
}

/* One turn for each rotation that the items of a tile name. All its places must hold
 * something known: false if they do not, and the tile is to be cleared. */
static bool make_turns(building *w, int tile) {
  const items *all = &w->turned;
  const int start = w->tiles[tile].place, ld = w->tiles[tile].ld, first = w->nturns;
  bool is_full = true;
  for (int k = all->first[tile]; k < all->first[tile + 1]; k++) {
    const int *place = w->plan->maps[all->term[k]].T_place + all->T_place[k];
    for (int m = 0; m < 3; m++) {
      is_full = is_full && w->touched[place[m]];
      w->touched[place[m]] = true;
    }
    const int step = place[1] - place[0], offset = place[0] - start;
    const trmi_fill_turn turn = {
        .T = all->T[k], .step = step, .place = step == 1 ? offset % ld : offset - offset % ld};
    bool is_known = false;
    for (int m = first; m < w->nturns && !is_known; m++) {
      const trmi_fill_turn *other = &w->fill->turn[m];
      is_known = other->T == turn.T && other->step == step && other->place == turn.place;
      if (!is_known && !are_apart(other, &turn)) w->fits = false;
    }
    if (!is_known) w->fill->turn[w->nturns++] = turn;
  }
  for (int k = w->plain.first[tile]; k < w->plain.first[tile + 1] && w->nturns > first; k++) {
    is_full = is_full && w->touched[w->plain.place[k]];
  }
  return is_full;
}

/* Does a tile hold the same entries of the same block with the same factor as its twin? The
 * twin is the one without T, or the earlier one. */
static bool is_copy(const building *w, int tile) {
  const int twin = w->tiles[tile].twin;
  if (twin < 0) return false;
  const items *turned = &w->turned, *plain = &w->plain;
  int a = turned->first[tile], b = plain->first[tile], c = plain->first[twin];
  const int a_end = turned->first[tile + 1], b_end = plain->first[tile + 1];
  const int c_end = plain->first[twin + 1];
  if (turned->first[twin] < turned->first[twin + 1] || c == c_end) return false;
  if (a_end - a + b_end - b != c_end - c || (a == a_end && tile < twin)) return false;
  const int shift = w->tiles[tile].place - w->tiles[twin].place;
  const int one = a < a_end ? turned->term[a] : plain->term[b], other = plain->term[c];
  const trmi_term *x = &w->plan->terms[one], *y = &w->plan->terms[other];
  if (x->block != y->block || x->slot != y->slot) return false;
  for (; c < c_end; c++) {
    const bool from_turned = a < a_end && (b == b_end || turned->entry[a] < plain->entry[b]);
    const items *all = from_turned ? turned : plain;
    const int k = from_turned ? a++ : b++;
    if (all->term[k] != one || plain->term[c] != other) return false;
    if (all->entry[k] != plain->entry[c] || all->place[k] != plain->place[c] + shift) return false;
  }
  return true;
}

static bool is_turned(const building *w, int tile) {
  return w->turned.first[tile] < w->turned.first[tile + 1];
}

static bool is_empty(const building *w, int tile) {
  return !is_turned(w, tile) && w->plain.first[tile] == w->plain.first[tile + 1];
}

/* Entries of tiles that are not made are found in their twins. */
static void share_twins(building *w) {
  const trmi_plan *plan = w->plan;
  for (int k = 0; k < plan->Ap[plan->n]; k++) {
    const trmi_tile *tile = &w->tiles[w->tile_of[plan->index[k]]];
    if (tile->is_same) plan->index[k] += w->tiles[tile->twin].place - tile->place;
  }
}

static void make_tile(building *w, int tile, bool copied) {
  const trmi_tile *t = &w->tiles[tile];
  const int first = w->npieces;
  trmi_fill_tile made = {.place = t->place, .rows = t->rows, .ld = t->ld, .twin = -1};
  if (copied) {
    made.twin = w->tiles[t->twin].place;
  } else {
    make_pieces(w, &w->turned, tile);
  }
  made.turned_end = w->npieces;
  const bool is_full = make_turns(w, tile);
  made.clears = !is_full && !copied;
  made.turn_end = w->nturns;
  if (!copied) make_pieces(w, &w->plain, tile);
  made.plain_end = w->npieces;
  made.may_vanish = !copied;
  for (int k = first; k < w->npieces; k++) made.may_vanish &= w->fill->piece[k].run >= 0;
  made.clears |= made.may_vanish;
  w->fill->tile[w->fill->ntiles++] = made;
}

static trm_status take_all(building *w, trm_error *err) {
  int nplain = 0, nturned = 0;
  for (int t = 0; t < w->plan->nterms; t++) {
    nplain += w->plan->maps[t].nplain;
    nturned += w->plan->maps[t].nturned;
  }
  w->nhash = 2 * (nplain + nturned) + 1;
  w->hash = TRMI_TAKE(w->scratch, int, w->nhash);
  w->touched = TRMI_TAKE(w->scratch, bool, w->plan->nAx);
  w->last_piece = TRMI_TAKE(w->scratch, int, w->plan->nAx);
  TRMI_TRY(err, take_items(w, &w->turned, nturned, err));
  TRMI_TRY(err, take_items(w, &w->plain, nplain, err));
  *w->fill = (trmi_fill){.tile = TRMI_TAKE(w->scratch, trmi_fill_tile, w->ntiles),
                         .piece = TRMI_TAKE(w->scratch, trmi_fill_piece, nplain + nturned + 1),
                         .turn = TRMI_TAKE(w->scratch, trmi_fill_turn, nturned),
                         .pair = TRMI_TAKE(w->scratch, trmi_fill_pair, nplain + nturned)};
  return trmi_arena_check(w->scratch, err);
}

/* Lists made in scratch memory, cut to size. */
static trm_status keep_all(building *w, trm_error *err) {
  trmi_fill *fill = w->fill;
  const trmi_fill made = *fill;
  fill->tile = TRMI_TAKE(w->arena, trmi_fill_tile, made.ntiles);
  fill->piece = TRMI_TAKE(w->arena, trmi_fill_piece, w->npieces);
  fill->turn = TRMI_TAKE(w->arena, trmi_fill_turn, w->nturns);
  fill->pair = TRMI_TAKE(w->arena, trmi_fill_pair, w->npairs);
  fill->is_zero = TRMI_TAKE(w->arena, unsigned char, made.ntiles);
  TRMI_TRY(err, trmi_arena_check(w->arena, err));
  memcpy(fill->tile, made.tile, (size_t)made.ntiles * sizeof *made.tile);
  memcpy(fill->piece, made.piece, (size_t)w->npieces * sizeof *made.piece);
  memcpy(fill->turn, made.turn, (size_t)w->nturns * sizeof *made.turn);
  memcpy(fill->pair, made.pair, (size_t)w->npairs * sizeof *made.pair);
  return TRM_OK;
}

static trm_status build(building *w, trm_error *err) {
  w->tile_of = TRMI_TAKE(w->scratch, int, w->plan->nAx);
  TRMI_TRY(err, trmi_arena_check(w->scratch, err));
  for (int i = 0; i < w->ntiles; i++) {
    const trmi_tile *tile = &w->tiles[i];
    for (int k = 0; k < tile->rows * tile->ld; k++) w->tile_of[tile->place + k] = i;
  }
  w->fits = lie_in_tiles(w);
  if (!w->fits) return TRM_OK;
  w->fill = TRMI_TAKE(w->arena, trmi_fill, 1);
  TRMI_TRY(err, trmi_arena_check(w->arena, err));
  TRMI_TRY(err, take_all(w, err));
  sort_items(w, &w->turned, true);
  sort_items(w, &w->plain, false);
  for (int i = 0; i < w->ntiles + LAG; i++) {
    if (i < w->ntiles && !is_copy(w, i) && !is_empty(w, i)) make_tile(w, i, false);
    const int twin = i >= LAG ? w->tiles[i - LAG].twin : -1;
    if (twin < 0 || !is_copy(w, twin)) continue;
    w->tiles[twin].is_same = !is_turned(w, twin);
    if (is_turned(w, twin)) make_tile(w, twin, true);
  }
  if (!w->fits) return TRM_OK;
  share_twins(w);
  return keep_all(w, err);
}

trm_status trmi_fill_build(trmi_fill **fill, const trmi_plan *plan, trmi_tile *tiles,
                           int ntiles, trmi_arena *arena, trm_error *err) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  building w = {.plan = plan, .tiles = tiles, .ntiles = ntiles, .arena = arena,
                .scratch = &scratch};
  const trm_status status = build(&w, err);
  trmi_arena_clear(&scratch);
  *fill = w.fits ? w.fill : NULL;
  TRMI_TRY(err, status);
  return TRM_OK;
}
