/* part.c - values of a part by their keys. */
#include "parts/part.h"
#include "trammel/parts.h"
#include <math.h>
#include <string.h>

/* ---- making -------------------------------------------------------------------------------- */

/* Numbers are NaN; texts, lists and counts are zero bytes. */
void trmi_kind_clear(const trmi_kind *kind, void *def) {
  memset(def, 0, kind->size);
  for (int i = 0; i < kind->nfields; i++) {
    const trmi_field *field = &kind->fields[i];
    if (field->store != TRMI_STORE_NUMBERS) continue;
    double *numbers = (double *)(void *)((char *)def + field->offset);
    for (int k = 0; k < field->room; k++) numbers[k] = NAN;
  }
}

bool trmi_part_make(trmi_part *part, const trmi_kind *kind, trmi_arena *arena) {
  part->kind = kind;
  part->def = trmi_arena_take(arena, 1, kind->size);
  part->given = TRMI_TAKE(arena, trmi_given, kind->nfields);
  if (part->def == NULL || part->given == NULL) return false;
  trmi_kind_clear(kind, part->def);
  return true;
}

/* ---- asking -------------------------------------------------------------------------------- */

/* Number of a field, or -1. */
static int find(const trmi_part *part, const char *key) {
  for (int i = 1; part->kind != NULL && i < part->kind->nfields; i++) {
    if (strcmp(part->kind->fields[i].path, key) == 0) return i;
  }
  return -1;
}

const trmi_given *trmi_part_find(const trmi_part *part, const char *key) {
  const int i = find(part, key);
  return i >= 0 && part->given[i].is_given ? &part->given[i] : NULL;
}

bool trmi_part_has(const trmi_part *part, const char *key) {
  const size_t length = strlen(key);
  for (int i = 1; part->kind != NULL && i < part->kind->nfields; i++) {
    const char *path = part->kind->fields[i].path;
    if (!part->given[i].is_given || strncmp(path, key, length) != 0) continue;
    if (path[length] == '\0' || path[length] == '.') return true;
  }
  return false;
}

trmi_place trmi_part_place(const trmi_part *part, const char *key) {
  const trmi_given *given = trmi_part_find(part, key);
  return given != NULL ? given->place : part->key.place;
}

static const void *member(const trmi_part *part, int i) {
  return (const char *)part->def + part->kind->fields[i].offset;
}

double trmi_part_number_or(const trmi_part *part, const char *key, double otherwise) {
  const int i = find(part, key);
  if (i < 0 || !part->given[i].is_given) return otherwise;
  if (part->kind->fields[i].store == TRMI_STORE_COUNT) return *(const int *)member(part, i);
  return *(const double *)member(part, i);
}

double trmi_part_number(const trmi_part *part, const char *key) {
  const int i = find(part, key);
  const bool has_initial = i >= 0 && part->kind->fields[i].has_initial;
  return trmi_part_number_or(part, key, has_initial ? part->kind->fields[i].initial : NAN);
}

bool trmi_part_numbers(const trmi_part *part, const char *key, int count, double *out) {
  int given;
  const double *numbers = trmi_part_list(part, key, &given);
  if (numbers == NULL) return false;
  for (int k = 0; k < count && k < given; k++) out[k] = numbers[k];
  return true;
}

const double *trmi_part_list(const trmi_part *part, const char *key, int *count) {
  const int i = find(part, key);
  *count = 0;
  if (i < 0 || !part->given[i].is_given) return NULL;
  *count = part->given[i].count;
  if (part->kind->fields[i].store != TRMI_STORE_LIST) return member(part, i);
  return ((const trm_numbers *)member(part, i))->list;
}

const char *trmi_part_word(const trmi_part *part, const char *key) {
  const int i = find(part, key);
  if (i < 0 || part->kind->fields[i].store != TRMI_STORE_TEXTS) return NULL;
  return *(const char *const *)member(part, i);
}

const trmi_text *trmi_part_texts(const trmi_part *part, const char *key) {
  const trmi_given *given = trmi_part_find(part, key);
  return given != NULL ? given->texts : NULL;
}

const trmi_text *trmi_part_text(const trmi_part *part, const char *key) {
  static const trmi_text none = {.text = NULL};
  const trmi_text *texts = trmi_part_texts(part, key);
  return texts != NULL ? texts : &none;
}

int trmi_part_choice(const trmi_part *part, const char *key) {
  const int i = find(part, key);
  const char *word = trmi_part_word(part, key);
  const int choice = word != NULL ? trmi_word_find(part->kind->fields[i].choices, word) : 0;
  return choice > 0 ? choice : 0;
}

bool trmi_part_check_turning(const trmi_part *part, bool turns, const trmi_units *units,
                             trmi_complaints *complaints) {
  bool is_good = true;
  for (int i = 1; i < part->kind->nfields; i++) {
    const trmi_field *field = &part->kind->fields[i];
    const trmi_given *given = &part->given[i];
    if (field->unit_turning == NULL || !given->is_given || given->texts == NULL) continue;
    const trmi_dimension unit = trmi_unit_dimension(turns ? field->unit_turning : field->unit);
    is_good = trmi_check_dimension(complaints, units, given->texts, given->dimension, unit) &&
              is_good;
  }
  return is_good;
}
