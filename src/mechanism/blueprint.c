/* blueprint.c - stores the definition of a system, and reads its parts again. */
#include "mechanism/blueprint.h"
#include "system/system.h"
#include "parts/definition_copy.h"
#include <string.h>

trmi_blueprint *trmi_blueprint_make(const trmi_definition *def, const trm_allocator *allocator) {
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  trmi_blueprint *bp = TRMI_TAKE(&arena, trmi_blueprint, 1);
  if (bp == NULL) return NULL;
  bp->arena = arena;
  trmi_arena_init(&bp->parts_arena, allocator);
  trmi_definition_copy(&bp->def, def, &bp->arena);
  if (!bp->arena.failed) return bp;
  trmi_blueprint_free(bp);
  return NULL;
}

void trmi_blueprint_free(void *blueprint) {
  trmi_blueprint *bp = blueprint;
  if (bp == NULL) return;
  if (bp->is_open) trmi_parameters_free(&bp->parameters);
  trmi_value_names_leave(bp->names);
  trmi_arena_clear(&bp->parts_arena);
  trmi_arena arena = bp->arena; /* contains bp */
  trmi_arena_clear(&arena);
}

/* ---- instances ------------------------------------------------------------------------------ */

/* Contributors of elements, from the data read from the parts. The blueprint is not changed. */
static trm_status make_elements(const trmi_blueprint *bp, trmi_assembly *a, trmi_equations *eq,
                                trm_error *err) {
  trmi_complaints complaints = {.count = 0};
  trmi_compiler builder = {.eq = eq, .assembly = a, .def = &bp->def};
  trmi_mechanism m = bp->m;
  m.b = &builder;
  m.complaints = &complaints;
  m.carriers = NULL;
  m.pairs = NULL;
  m.is_renewed = true;
  trmi_mechanism_native(&m);
  if (complaints.count == 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s", complaints.list[0].sentence);
}

static trm_status fill_instance(const trmi_assembly *origin, trmi_assembly *a, trm_error *err) {
  const trmi_blueprint *bp = origin->keeper;
  trmi_equations *eq = trmi_equations_instance(bp->eq, &a->arena.allocator);
  if (eq == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  trmi_assembly_add(a, &eq->ops, eq); /* its rank is the last */
  if (bp->m.bodies != NULL) TRMI_TRY(err, make_elements(bp, a, eq, err));
  TRMI_TRY(err, trmi_assembly_join(a, origin, err));
  return TRM_OK;
}

static trm_status make_instance(const void *self, const trm_instance_options *options,
                                void **instance, trm_error *err) {
  const trmi_assembly *origin = self;
  trmi_assembly *a = trmi_assembly_instance(origin, options);
  if (a == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  const trm_status status = fill_instance(origin, a, err);
  if (status == TRM_OK) {
    *instance = a;
    return TRM_OK;
  }
  trmi_assembly_free(a);
  return trmi_note(err, __func__, status);
}

void trmi_blueprint_keep(trmi_blueprint *bp, trmi_assembly *a) {
  bp->assembly = a;
  bp->eq = trmi_equations_of(a);
  bp->builder = (trmi_compiler){.eq = bp->eq, .assembly = a, .def = &bp->def};
  bp->m.b = &bp->builder;
  bp->built = bp->m;
  a->keeper = bp;
  a->free_keeper = trmi_blueprint_free;
  a->ops.count_values = trmi_values_count;
  a->ops.value_at = trmi_values_at;
  a->ops.find_value = trmi_values_find;
  a->ops.set_value = trmi_values_set;
  a->ops.compile_value = trmi_values_compile;
  a->ops.rate_value = trmi_values_rate;
  a->ops.instance = make_instance;
}

/* ---- reading again -------------------------------------------------------------------------- */

/* Derived numbers that are not members of the structs read from parts. */
static void compute_all(trmi_mechanism *m) {
  for (const trmi_derived *d = m->derived; d != NULL; d = d->next) d->compute(m, d->of, d->numbers);
}

/* Was the same number of objects read, into the same memory? */
static bool is_same(const trmi_mechanism *m, const trmi_mechanism *built) {
  const trmi_additions *a = &m->extension.add, *b = &built->extension.add;
  return memcmp(a, b, sizeof *a) == 0 && m->nbodies == built->nbodies &&
         m->njoints == built->njoints && m->nforces == built->nforces &&
         m->nmotions == built->nmotions && m->bodies == built->bodies &&
         m->joints == built->joints && m->forces == built->forces &&
         m->nflexible == built->nflexible && m->ncontacts == built->ncontacts &&
         m->contacts == built->contacts;
}

/* Read all parts of the definition again, and rebuild contributors. False: they differ. */
static bool read_again(trmi_blueprint *bp, trmi_complaints *complaints) {
  trmi_mechanism *m = &bp->m;
  const trmi_mechanism *built = &bp->built;
  *m = (trmi_mechanism){.def = &bp->def, .parameters = &bp->parameters, .complaints = complaints,
                        .arena = built->arena,
                        .b = &bp->builder, .kept = built->kept, .derived = built->derived,
                        .shapes = built->shapes, .reduced = built->reduced,
                        .extension = built->extension, .is_renewed = true};
  m->extension.add = (trmi_additions){0};
  trmi_mechanism_read(m);
  if (complaints->count > 0 || !is_same(m, built)) return false;
  trmi_mechanism_start(m);
  trmi_mechanism_native(m);
  compute_all(m);
  return m->structure == built->structure && m->carriers != NULL &&
         trmi_assembly_refit(bp->assembly);
}

trm_status trmi_blueprint_renew(trmi_blueprint *bp, trm_error *err) {
  trmi_complaints complaints = {.count = 0};
  if (bp->built.bodies == NULL) return TRM_OK; /* only typed equations */
  trmi_assembly_strip(bp->assembly);
  trmi_arena_rewind(&bp->parts_arena);
  const bool is_good = read_again(bp, &complaints);
  bp->m.complaints = NULL;
  TRMI_TRY(err, trmi_arena_check(&bp->parts_arena, err));
  TRMI_TRY(err, trmi_arena_check(&bp->assembly->elements, err));
  if (complaints.count > 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s", complaints.list[0].sentence);
  }
  if (is_good) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "this needs a new build: the equations would have "
                   "other terms");
}

/* A system whose table of functions is inside the system itself is an assembly; addresses of
 * functions cannot be compared, since libtrammel-io has copies. */
const trmi_mechanism *trmi_mechanism_of(const trm_system *system) {
  if (system == NULL || system->self == NULL) return NULL;
  const trmi_assembly *a = system->self;
  if (system->ops != &a->ops) return NULL;
  const trmi_blueprint *bp = a->keeper;
  return bp != NULL ? &bp->m : NULL;
}
