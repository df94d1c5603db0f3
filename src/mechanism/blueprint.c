/* blueprint.c - keeping the definition of a system, and reading its parts again. */
#include "mechanism/blueprint.h"
#include "model/definition_copy.h"
#include <string.h>

trmi_blueprint *trmi_blueprint_make(const trmi_definition *def, const trm_allocator *allocator) {
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  trmi_blueprint *bp = TRMI_TAKE(&arena, trmi_blueprint, 1);
  if (bp == NULL) return NULL;
  bp->arena = arena;
  trmi_arena_init(&bp->parts_arena, allocator);
  trmi_arena_init(&bp->native_arena, allocator);
  trmi_definition_copy(&bp->def, def, &bp->arena);
  if (!bp->arena.failed) return bp;
  trmi_blueprint_free(bp);
  return NULL;
}

void trmi_blueprint_free(void *blueprint) {
  trmi_blueprint *bp = blueprint;
  if (bp == NULL) return;
  if (bp->is_open) trmi_parameters_free(&bp->parameters);
  trmi_arena_clear(&bp->parts_arena);
  trmi_arena_clear(&bp->native_arena);
  trmi_arena arena = bp->arena; /* bp lies in it */
  trmi_arena_clear(&arena);
}

void trmi_blueprint_keep(trmi_blueprint *bp, trmi_equations *eq) {
  bp->eq = eq;
  bp->builder = (trmi_builder){.eq = eq, .def = &bp->def};
  bp->structure = bp->m.structure;
  if (eq->native != NULL) memcpy(bp->entries, eq->native->entries, sizeof bp->entries);
  eq->keeper = bp;
  eq->free_keeper = trmi_blueprint_free;
  eq->ops.count_values = trmi_values_count;
  eq->ops.value_at = trmi_values_at;
  eq->ops.find_value = trmi_values_find;
  eq->ops.set_value = trmi_values_set;
  eq->ops.rate_value = trmi_values_rate;
}

/* ---- decisions ------------------------------------------------------------------------------ */

bool trmi_decide(trmi_mechanism *m, bool is_so) {
  m->structure = (m->structure ^ (is_so ? 2 : 1)) * UINT64_C(0x100000001B3);
  return is_so;
}

/* ---- reading again -------------------------------------------------------------------------- */

/* Derived numbers that are no members of what was read. */
static void compute_all(trmi_mechanism *m) {
  for (const trmi_derived *d = m->derived; d != NULL; d = d->next) d->compute(m, d->of, d->numbers);
}

/* Were as many things read, into the same memory? */
static bool is_same(const trmi_mechanism *m, const trmi_mechanism *before) {
  const trmi_additions *a = &m->extension.add, *b = &before->extension.add;
  return memcmp(a, b, sizeof *a) == 0 && m->nbodies == before->nbodies &&
         m->njoints == before->njoints && m->nactions == before->nactions &&
         m->bodies == before->bodies && m->joints == before->joints &&
         m->actions == before->actions;
}

/* All parts of the definition once more, and the native part. False: there are others. */
static bool read_again(trmi_blueprint *bp, trmi_complaints *complaints) {
  trmi_mechanism *m = &bp->m;
  const trmi_mechanism before = *m;
  *m = (trmi_mechanism){.def = &bp->def, .parameters = &bp->parameters, .complaints = complaints,
                        .arena = before.arena, .native_arena = before.native_arena,
                        .b = &bp->builder, .kept = before.kept, .derived = before.derived,
                        .volumes = before.volumes, .extension = before.extension,
                        .is_renewed = true};
  m->extension.add = (trmi_additions){0};
  trmi_mechanism_read(m);
  if (complaints->count > 0 || !is_same(m, &before)) return false;
  trmi_mechanism_start(m);
  trmi_mechanism_native(m);
  compute_all(m);
  return m->structure == bp->structure && bp->eq->native != NULL &&
         memcmp(bp->eq->native->entries, bp->entries, sizeof bp->entries) == 0;
}

trm_status trmi_blueprint_renew(trmi_blueprint *bp, trm_error *err) {
  trmi_complaints complaints = {.count = 0};
  trmi_equations *eq = bp->eq;
  if (bp->m.bodies == NULL) return TRM_OK; /* typed equations alone */
  if (eq->native != NULL) eq->native->free(eq->native->self);
  eq->native = NULL;
  trmi_arena_rewind(&bp->parts_arena);
  trmi_arena_rewind(&bp->native_arena);
  const bool is_good = read_again(bp, &complaints);
  bp->m.complaints = NULL;
  TRMI_TRY(err, trmi_arena_check(&bp->parts_arena, err));
  TRMI_TRY(err, trmi_arena_check(&bp->native_arena, err));
  if (complaints.count > 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s", complaints.list[0].sentence);
  }
  if (is_good) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "this needs a new build: the equations would have "
                   "other terms");
}
