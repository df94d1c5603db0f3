/* value_compile.c - sets a value that changes which terms the equations contain.
 *
 * Terms with a factor zero are omitted from the equations, and numbers decide which elements act at
 * all. If setting a value changes that, the definition stored with the system is compiled again
 * with the number in place of its text. No files are read, and the result equals a new build by
 * construction. */
#include "mechanism/blueprint.h"
#include "parts/part_values.h"
#include <stdio.h>
#include <string.h>

/* The text of a value in the definition of its blueprint; NULL: it was given as a number. */
static trmi_text *text_of(trmi_blueprint *bp, const trmi_settable_value *value) {
  if (value->parameter >= 0) return &bp->def.parameters.list[value->parameter].text;
  const trmi_field *field = value->field;
  const trmi_given *given = &value->part->given[field - value->part->kind->fields];
  if (given->texts == NULL) return NULL;
  int count;
  const double *first = trmi_part_list(value->part, field->path, &count);
  return (trmi_text *)given->texts + (value->target - first); /* in the arena of the blueprint */
}

/* Replace the text of a value that was set by its number. */
static void write_number(trmi_blueprint *bp, trmi_settable_value *value, trmi_text *text) {
  enum { BYTES = 40 };
  if (value->written == NULL) value->written = TRMI_TAKE(&bp->arena, char, BYTES);
  if (value->written == NULL) return;
  snprintf(value->written, BYTES, "%.17g", value->number);
  text->text = value->written;
  text->length = strlen(value->written);
}

/* Put numbers that were set into the definition. */
static void write_numbers(trmi_blueprint *bp) {
  for (int i = 0; i < bp->nvalues; i++) {
    trmi_settable_value *value = &bp->values[i];
    if (!value->is_set || value->target == NULL) continue;
    trmi_text *text = text_of(bp, value);
    if (text != NULL) write_number(bp, value, text);
    else *value->target = value->number;
  }
}

static trm_status fail_first(const trmi_complaints *complaints, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s", complaints->list[0].sentence);
}

/* Build a system from the present definition. */
static trm_status build(trmi_blueprint *bp, trm_system_def *def, trm_error *err) {
  trmi_complaints complaints = {.count = 0};
  trmi_parameters parameters;
  TRMI_TRY(err, trmi_arena_check(&bp->arena, err));
  TRMI_TRY(err, trmi_parameters_init(&parameters, &bp->def, &bp->arena.allocator, &complaints,
                                     err));
  trmi_part_values_read(&bp->def, &parameters);
  trm_status status = trmi_graph_check(&parameters.graph, err);
  if (status == TRM_OK && complaints.count > 0) status = fail_first(&complaints, err);
  if (status == TRM_OK) {
    status = trmi_mechanism_build(&bp->def, &parameters, &complaints, def, err);
    if (status == TRM_ERR_INPUT && complaints.count > 0) status = fail_first(&complaints, err);
  }
  trmi_parameters_free(&parameters);
  return status;
}

/* List its values with their existing names. */
static trm_status list_values(const trm_system_def *def, trmi_value_names *names, trm_error *err) {
  trmi_blueprint *bp = ((trmi_assembly *)def->self)->keeper;
  trmi_value_names_share(bp, names);
  return trmi_values_open(bp, err);
}

/* Build the system with a value; afterwards the definition contains the texts of that system. */
static trm_status build_with(trmi_blueprint *bp, trmi_settable_value *value, double number,
                             trm_system_def *def, trm_error *err) {
  value->is_set = true;
  value->number = number;
  write_numbers(bp);
  return build(bp, def, err);
}

trm_status trmi_values_compile(void *self, int i, double number, trm_system_def *def,
                               trm_error *err) {
  trmi_blueprint *bp = ((trmi_assembly *)self)->keeper;
  trmi_settable_value *value = &bp->values[i];
  TRMI_TRY(err, trmi_values_open(bp, err));
  if (value->target == NULL || value->is_structural) return trmi_value_needs_build(value, err);
  TRMI_TRY(err, trmi_value_check(value, number, err));
  const trmi_settable_value before = *value;
  trmi_text *text = text_of(bp, value);
  const trmi_text written = text != NULL ? *text : (trmi_text){.text = NULL};
  trm_status status = build_with(bp, value, number, def, err);
  const bool is_built = status == TRM_OK;

  /* the old system is unchanged */
  value->is_set = before.is_set;
  value->number = before.number;
  if (text != NULL) *text = written;
  trm_error unused; /* it was valid before */
  const trm_status back = trmi_values_apply(bp, is_built ? err : &unused);
  if (is_built) status = back == TRM_OK ? list_values(def, bp->names, err) : back;
  if (status == TRM_OK) return TRM_OK;
  if (is_built) def->ops->free(def->self);
  return trmi_note(err, __func__, status);
}
