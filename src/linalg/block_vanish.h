/* block_vanish.h - which entries of the present matrix vanish, see block.h; a part of
 * block_numeric.h. */

/* Is a block of the matrix zero? */
static bool has_nothing(const trmi_block *b, int place, int numbers) {
  const row8 *A = (const row8 *)(b->A + place); /* blocks are whole lines of the cache */
  for (int i = 0; place >= 0 && i < (numbers + 7) / 8; i++) {
    const bits8 some = (bits8)A[i] & INT64_MAX;
    for (int k = 0; k < 8; k++) {
      if (some[k] != 0) return false;
    }
  }
  return true;
}

/* The same for a block that may be a tile, whose mark may know it. */
static TRMI_INLINE bool is_empty(const trmi_block *b, const int *tiles, int e, int place,
                                 int numbers) {
  if (b->tile_is_zero != NULL && tiles[e] >= 0 && b->tile_is_zero[tiles[e]]) return true;
  return has_nothing(b, place, numbers);
}

/* Sources of node k that do not vanish. @return where their list ends */
static int keep_sources(const unsigned char *zero, const trmi_block_source *all, int first, int end,
                        trmi_block_source *kept) {
  int n = first;
  for (int s = first; s < end; s++) {
    if (!(zero[all[s].x] | zero[all[s].y])) kept[n++] = all[s];
  }
  return n;
}

/* Before the first node. */
static void begin_vanishing(trmi_block *b) {
  b->end_scaled = 0;
  b->end_reduced = b->first_reduced;
  b->begin_alone = b->factors;
  b->nlinked = b->nalone = b->nalone_nodes = 0;
}

/* Numbers of a block, in whole lines of the cache. */
static TRMI_INLINE int lines_of(int numbers) {
  return (numbers + 7) / 8 * 8;
}

/* Add node k to those that are alone. */
static void list_alone(trmi_block *b, int k) {
  const trmi_block_alone *last = b->nalone > 0 ? &b->alone[b->nalone - 1] : NULL;
  if (last == NULL || last->end != b->unknown[k] || last->count == TRMI_BLOCK_ALONE) {
    b->alone[b->nalone++] = (trmi_block_alone){.first = b->unknown[k], .nodes = b->nalone_nodes};
  }
  trmi_block_alone *alone = &b->alone[b->nalone - 1];
  alone->end = b->unknown[k] + b->dim[k];
  alone->count++;
  b->alone_node[b->nalone_nodes++] = k;
}

/* Places of the factors of node k, of which `live` entries do not vanish. */
static void place_node(trmi_block *b, int k, int live) {
  const int numbers = lines_of(b->dim[k] * b->ld[k]);
  for (int i = b->first[k]; i < b->kept_end[k]; i++) {
    const int e = b->kept[i], size = lines_of(b->dim[k] * b->ld[b->node[e]]);
    b->scaled[e] = b->end_scaled;
    b->end_scaled += size;
    if (b->source_first[e] == b->source_first[e + 1]) continue; /* U_kj is that of A */
    b->reduced[e] = b->end_reduced;
    b->end_reduced += size;
  }
  if (live > 0 || b->diag_first[k] < b->diag_end[k]) {
    b->linked[b->nlinked++] = k;
    b->pivot[k] = b->end_reduced;
    b->end_reduced += numbers;
  } else {
    list_alone(b, k);
    b->pivot[k] = b->begin_alone -= numbers;
  }
}

/* Which entries of node k vanish, and what is left of its sums: before it is factored. Those of
 * diagonal nodes are not looked at. The first entry is factored even so if others are: it takes
 * part in the inverse (invert_with), and a test for it there makes factors of chains 5 % slower. */
static void find_vanishing(trmi_block *b, int k) {
  unsigned char *zero = b->is_zero;
  int n = b->first[k], live = 0;
  b->diag_end[k] = keep_sources(zero, b->diag_source, b->diag_first[k], b->diag_first[k + 1],
                                b->diag_sum);
  for (int e = b->first[k]; e < b->first[k + 1]; e++) {
    const int first = b->source_first[e], numbers = b->dim[k] * b->ld[b->node[e]];
    b->sum_end[e] = keep_sources(zero, b->source, first, b->source_first[e + 1], b->sum);
    zero[e] = !b->is_diagonal[k] && b->sum_end[e] == first &&
              is_empty(b, b->upper_tile, e, b->upper[e], numbers) &&
              is_empty(b, b->lower_tile, e, b->lower[e], numbers);
    live += !zero[e];
    if (!zero[e] || e == b->first[k]) b->kept[n++] = e;
  }
  b->kept_end[k] = live > 0 ? n : b->first[k];
  place_node(b, k, live);
}
