/* part_values.c - numbers of parts from their texts. */
#include "parts/part_values.h"
#include "trammel/parts.h"
#include <math.h>
#include <string.h>

/* ---- one number --------------------------------------------------------------------------- */

/* A path without `*`, for messages: "simulate.end" or "every". */
static const char *name_of(const trmi_field *field) {
  const bool is_of_file = strchr(field->path, '*') == NULL && field->store == TRMI_STORE_NONE;
  return is_of_file ? field->path : trmi_field_key(field);
}

bool trmi_part_value_read(trmi_parameters *p, const trmi_field *field, const trmi_text *text,
                     double *number, trmi_dimension *dimension) {
  const unsigned counts = TRMI_IS_COUNT | TRMI_IS_NUMBER | TRMI_IS_NUMBERS;
  if (!trmi_parameters_value(p, text, number, dimension)) return false;
  if (dimension->is_known && field->unit_turning == NULL &&
      !trmi_check_dimension(p->complaints, &p->def->units, text, *dimension,
                            trmi_field_dimension(field))) {
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
    if (!trmi_part_value_read(p, field, &given->texts[k], &number, &given->dimension)) continue;
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

/* ---- tables --------------------------------------------------------------------------------- */

/* Place of number i of x: its own, that of its text, or that of the table. */
static trmi_place place_of_x(const trmi_part *table, const trmi_place *places, int i) {
  const trmi_text *texts = trmi_part_texts(table, "x");
  if (places != NULL) return places[i];
  return texts != NULL ? trmi_text_place(&texts[i], 0) : table->key.place;
}

bool trmi_table_check(const trmi_part *table, const trmi_place *places,
                      trmi_complaints *complaints) {
  int nx, ny;
  const double *x = trmi_part_list(table, "x", &nx);
  (void)trmi_part_list(table, "y", &ny);
  const char *name = table->key.name;
  if (nx != ny) {
    trmi_complain(complaints, table->key.place, "tables.%.60s has %d x and %d y", name, nx, ny);
    return false;
  }
  if (nx < 2) {
    trmi_complain(complaints, table->key.place, "tables.%.60s needs at least two points", name);
    return false;
  }
  for (int i = 1; i < nx; i++) {
    if (x[i] > x[i - 1]) continue;
    trmi_complain(complaints, place_of_x(table, places, i),
                  "tables.%.60s: x does not ascend: %.9g follows %.9g", name, x[i], x[i - 1]);
    return false;
  }
  return true;
}

/* Are x and y lists? A single value is the column of a file. */
static bool has_lists(const trmi_part *table, trmi_complaints *complaints) {
  static const char *const keys[] = {"x", "y"};
  bool is_good = true;
  for (int k = 0; k < 2; k++) {
    const trmi_given *given = trmi_part_find(table, keys[k]);
    if (given == NULL) is_good = false;
    const bool is_list = given != NULL && (given->rows > 0 || given->count > 1);
    if (given == NULL || given->texts == NULL || is_list) continue;
    trmi_complain(complaints, trmi_text_place(given->texts, 0), "a list of numbers is expected "
                                                                "here, or a file");
    is_good = false;
  }
  return is_good;
}

/* Points from files are read by io. */
static void read_table(trmi_part *table, trmi_parameters *p) {
  if (trmi_part_find(table, "file") != NULL) return;
  if (!has_lists(table, p->complaints)) return;
  const int before = p->complaints->count;
  read_part(table, p);
  if (p->complaints->count == before) (void)trmi_table_check(table, NULL, p->complaints);
}

/* ---- all of them ---------------------------------------------------------------------------- */

void trmi_part_values_read(trmi_definition *def, trmi_parameters *p) {
  read_part(&def->world, p);
  for (int i = 0; i < def->parts[TRMI_TABLES].count; i++) {
    read_table(&def->parts[TRMI_TABLES].list[i], p);
  }
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    for (int i = 0; g != TRMI_TABLES && i < def->parts[g].count; i++) {
      trmi_part *part = &def->parts[g].list[i];
      const int before = p->complaints->count;
      read_part(part, p);
      if (part->kind == NULL) continue;
      trmi_complaints_name(p->complaints, before, trmi_part_group_word(part->kind->group),
                           part->key.name);
    }
  }
}
