/* values.c - numbers of parts from their texts. */
#include "model/values.h"
#include "trammel/parts.h"
#include <math.h>
#include <string.h>

/* ---- one number --------------------------------------------------------------------------- */

/* A path without `*`, for messages: "simulate.end" or "every". */
static const char *name_of(const trmi_field *field) {
  const bool is_of_file = strchr(field->path, '*') == NULL && field->store == TRMI_STORE_NONE;
  return is_of_file ? field->path : trmi_field_key(field);
}

bool trmi_value_read(trmi_parameters *p, const trmi_field *field, const trmi_text *text,
                     double *number, trmi_dimension *dimension) {
  const unsigned counts = TRMI_IS_COUNT | TRMI_IS_NUMBER | TRMI_IS_NUMBERS;
  if (!trmi_parameters_value(p, text, number, dimension)) return false;
  if (dimension->is_known && field->unit_turning == NULL &&
      !trmi_check_dimension(p->complaints, text, *dimension, trmi_field_dimension(field))) {
    return false;
  }
  if (!trmi_field_allows(field, *number)) {
    char range[80];
    trmi_field_range(field, range, sizeof range);
    trmi_complain(p->complaints, trmi_text_place(text, 0),
                  "%s: %.6g is out of range: it must be %s", name_of(field), *number, range);
    return false;
  }
  if ((field->types & counts) == TRMI_IS_COUNT && *number != floor(*number)) {
    trmi_complain(p->complaints, trmi_text_place(text, 0), "%s: %.9g is not a whole number",
                  name_of(field), *number);
    return false;
  }
  return true;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static bool has_numbers(const trmi_field *field) {
  const bool is_expression = (field->types & (TRMI_IS_EXPRESSION | TRMI_IS_EXPRESSIONS)) != 0;
  return !is_expression && field->store != TRMI_STORE_NONE && field->store != TRMI_STORE_TEXTS;
}

/* Where number k of a field goes; NULL: there is no room for it. */
static double *place_of(const trmi_field *field, trmi_part *part, int k) {
  void *member = (char *)part->def + field->offset;
  if (field->store == TRMI_STORE_LIST) {
    trm_numbers *numbers = member;
    return k < numbers->count ? (double *)numbers->list + k : NULL;
  }
  return field->store == TRMI_STORE_NUMBERS && k < field->room ? (double *)member + k : NULL;
}

static void read_field(trmi_part *part, int i, trmi_parameters *p) {
  const trmi_field *field = &part->kind->fields[i];
  trmi_given *given = &part->given[i];
  for (int k = 0; k < given->count && given->texts != NULL; k++) {
    double number, *place = place_of(field, part, k);
    if (!trmi_value_read(p, field, &given->texts[k], &number, &given->dimension)) continue;
    if (place != NULL) *place = number;
    if (field->store == TRMI_STORE_COUNT) *(int *)((char *)part->def + field->offset) = (int)number;
  }
}

static void read_part(trmi_part *part, trmi_parameters *p) {
  if (part->kind == NULL) return;
  for (int i = 1; i < part->kind->nfields; i++) {
    if (part->given[i].is_given && has_numbers(&part->kind->fields[i])) read_field(part, i, p);
  }
  for (trmi_part *inner = part->inner; inner != NULL; inner = inner->next) read_part(inner, p);
}

void trmi_values_read(trmi_definition *def, trmi_parameters *p) {
  trmi_parts *const lists[] = {&def->bodies, &def->beams, &def->joints, &def->motions,
                               &def->actions};
  read_part(&def->world, p);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    for (int i = 0; i < lists[k]->count; i++) {
      trmi_part *part = &lists[k]->list[i];
      const int before = p->complaints->count;
      read_part(part, p);
      if (part->kind == NULL) continue;
      trmi_complaints_name(p->complaints, before, trmi_group_word(part->kind->group),
                           part->key.name);
    }
  }
}
