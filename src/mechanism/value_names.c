/* value_names.c - names of values live as long as their system, although setting a value may
 * rebuild its blueprint (value_compile.c): returned names remain valid. */
#include "mechanism/blueprint.h"
#include <string.h>

trm_status trmi_value_names_make(trmi_blueprint *bp, trm_error *err) {
  trmi_arena arena;
  trmi_arena_init(&arena, &bp->arena.allocator);
  trmi_pool pool = {.arena = &arena};
  trmi_value_names *names = TRMI_TAKE(&arena, trmi_value_names, 1);
  const char **list = TRMI_TAKE(&arena, const char *, bp->nvalues);
  for (int i = 0; i < bp->nvalues && !arena.failed; i++) {
    char *copy = trmi_pool_take(&pool, strlen(bp->values[i].name) + 1);
    if (copy != NULL) list[i] = strcpy(copy, bp->values[i].name);
  }
  const trm_status status = trmi_arena_check(&arena, err);
  if (status != TRM_OK) {
    trmi_arena_clear(&arena);
    return status;
  }
  *names = (trmi_value_names){.arena = arena, .list = list, .count = bp->nvalues};
  trmi_value_names_share(bp, names);
  return TRM_OK;
}

void trmi_value_names_share(trmi_blueprint *bp, trmi_value_names *names) {
  if (bp->names != names) names->users++;
  bp->names = names;
  for (int i = 0; i < bp->nvalues && i < names->count; i++) bp->values[i].name = names->list[i];
}

void trmi_value_names_leave(trmi_value_names *names) {
  if (names == NULL || --names->users > 0) return;
  trmi_arena arena = names->arena; /* contains names */
  trmi_arena_clear(&arena);
}
