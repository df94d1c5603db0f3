/* kept_matrices.c - keeps matrices whose patterns may recur.
 *
 * If patterns change during a run (contacts that open and close), a matrix replaced at a new epoch
 * is kept with its merged pattern, its solver, the elimination order and all positions of entries:
 * most of the work of trmi_matrix_build. When the same table is built for the same patterns again,
 * the matrix is reused in its state after the first build. Keys are compared in full. Nothing that
 * depends on values is reused, so that results do not depend on the order of patterns; for the same
 * reason a matrix whose solver changed during the run is not kept. Systems whose patterns never
 * change keep nothing. */
#include "system/kept_matrices.h"
#include <string.h>

/* Enough matrices for five patterns of an integrator, including those of its starts. */
enum { KEPT_MAX = 20 };

struct trmi_kept_matrix {
  trmi_arena   arena; /* of the matrix and of its key */
  trm_system  *sys;
  trmi_matrix  matrix;
  trmi_matrix_key   key;
  trmi_kept_matrix *next;
};

/* ---- keys ----------------------------------------------------------------------------------- */

static void put(trmi_matrix_key *key, const int *numbers, int count) {
  if (key->numbers != NULL && count > 0) {
    memcpy(key->numbers + key->count, numbers, (size_t)count * sizeof *numbers);
  }
  key->count += count;
}

static void put_nodes(trmi_matrix_key *key, const trmi_nodes *nodes) {
  put(key, &nodes->count, 1);
  put(key, nodes->first, nodes->count + 1);
}

static void put_term(trmi_matrix_key *key, const trmi_term *term) {
  const trmi_sparse *S = term->block;
  const bool has_weak = term->is_strong && S->weak != NULL;
  const int facts[] = {term->row, term->col, term->slot, term->transposed, term->times_T, has_weak,
                       S->run != NULL, S->n};
  put(key, facts, sizeof facts / sizeof *facts);
  put(key, S->row, S->n);
  put(key, S->col, S->n);
  if (S->run != NULL) put(key, S->run, S->n);
  for (int k = 0; k < S->n && has_weak; k++) put(key, &(int){S->weak[k]}, 1);
}

/* All input of the build except sizes of the system and its rotations, which are constant. */
static void put_all(trmi_matrix_key *key, const trm_system *sys, const trmi_matrix_spec *spec,
                    const trmi_term *terms, int nterms) {
  const int facts[] = {spec->kinematic, spec->bordered, spec->scaled, spec->slot_one, nterms};
  put(key, facts, sizeof facts / sizeof *facts);
  for (const char *c = spec->solver != NULL ? spec->solver : "auto"; *c != '\0'; c++) {
    put(key, &(int){*c}, 1);
  }
  put(key, &(int){0}, 1);
  const trmi_nodes *const lists[] = {&sys->node_v, &sys->node_lam, &sys->node_mu, &sys->node_x,
                                     &sys->node_w};
  for (int l = 0; l < 5; l++) put_nodes(key, lists[l]);
  for (int t = 0; t < nterms; t++) put_term(key, &terms[t]);
}

trm_status trmi_matrix_key_make(trmi_matrix_key *key, trmi_arena *arena, const trm_system *sys,
                                const trmi_matrix_spec *spec, const trmi_term *terms, int nterms,
                                trm_error *err) {
  *key = (trmi_matrix_key){0};
  put_all(key, sys, spec, terms, nterms);
  key->numbers = TRMI_TAKE(arena, int, key->count);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  key->count = 0;
  put_all(key, sys, spec, terms, nterms);
  return TRM_OK;
}

static bool is_same(const trmi_matrix_key *a, const trmi_matrix_key *b) {
  return a->count == b->count &&
         memcmp(a->numbers, b->numbers, (size_t)a->count * sizeof *a->numbers) == 0;
}

/* ---- life ----------------------------------------------------------------------------------- */

static void discard(trmi_kept_matrix *kept) {
  const trm_allocator allocator = kept->arena.allocator;
  trmi_linear_free(&kept->matrix.lin);
  trmi_arena_clear(&kept->arena);
  trmi_release(&allocator, kept);
}

trmi_arena *trmi_kept_arena(trmi_kept_matrix *kept) {
  return &kept->arena;
}

trm_status trmi_kept_create(trm_system *sys, trmi_kept_matrix **out, trm_error *err) {
  trmi_kept_matrix *kept = trmi_allocate(&sys->arena.allocator, sizeof *kept);
  *out = kept;
  if (kept == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "no room for a matrix");
  *kept = (trmi_kept_matrix){.sys = sys};
  trmi_arena_init(&kept->arena, &sys->arena.allocator);
  return TRM_OK;
}

void trmi_kept_name(trmi_kept_matrix *kept, const trmi_matrix_key *key) {
  kept->key = *key;
}

bool trmi_kept_find(trm_system *sys, const trmi_matrix_key *key, trmi_matrix *matrix) {
  for (trmi_kept_matrix **at = &sys->kept; *at != NULL; at = &(*at)->next) {
    trmi_kept_matrix *kept = *at;
    if (!is_same(&kept->key, key)) continue;
    *at = kept->next;
    *matrix = kept->matrix;
    matrix->kept = kept;
    return true;
  }
  return false;
}

void trmi_kept_return(trmi_matrix *matrix) {
  trmi_kept_matrix *kept = matrix->kept;
  trm_system *sys = kept->sys;
  const bool is_whole = kept->key.numbers != NULL && matrix->lin.rung == 0;
  kept->matrix = *matrix;
  *matrix = (trmi_matrix){0};
  if (!is_whole) {
    discard(kept);
    return;
  }
  kept->next = sys->kept;
  sys->kept = kept;
  int count = 0;
  for (trmi_kept_matrix **at = &sys->kept; *at != NULL; count++) {
    trmi_kept_matrix *old = *at;
    if (count < KEPT_MAX) {
      at = &old->next;
      continue;
    }
    *at = old->next; /* the least recently used one */
    discard(old);
  }
}

void trmi_kept_clear(trm_system *sys) {
  while (sys->kept != NULL) {
    trmi_kept_matrix *kept = sys->kept;
    sys->kept = kept->next;
    discard(kept);
  }
}
