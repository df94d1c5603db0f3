/* check.c - values of a part against the rows of its kind. */
#include "parts/check.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Is this a number of values that the field may have? */
static bool allows_count(const trmi_field *field, int count) {
  const unsigned single = TRMI_IS_NUMBER | TRMI_IS_COUNT | TRMI_IS_WORD | TRMI_IS_TEXT |
                          TRMI_IS_EXPRESSION;
  const unsigned lists[] = {TRMI_IS_NUMBERS, TRMI_IS_TEXTS, TRMI_IS_EXPRESSIONS, TRMI_IS_MATRIX};
  if (count == 1 && (field->types & single) != 0) return true;
  if (field->sizes == NULL) return (field->types & ~single) != 0;
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    trmi_size size;
    if ((field->types & lists[k]) == 0) continue;
    for (int i = 0; trmi_field_size(field, lists[k], i, &size); i++) {
      if (size.rows == 0 && size.columns == count) return true;
      if (size.rows > 0 && size.rows * size.columns == count) return true;
      if (size.or_more && count % size.columns == 0 && count / size.columns >= size.rows) {
        return true;
      }
    }
  }
  return false;
}

static void check_numbers(const trmi_part *part, const trmi_field *field,
                          trmi_complaints *complaints) {
  int count;
  const double *numbers = trmi_part_list(part, field->path, &count);
  for (int k = 0; k < count; k++) {
    char range[80];
    if (trmi_field_allows(field, numbers[k])) continue;
    trmi_field_range(field, range, sizeof range);
    trmi_complain(complaints, part->key.place, "%s: %.6g is out of range: it must be %s",
                  field->path, numbers[k], range);
    return;
  }
}

static void check_field(const trmi_part *part, int i, trmi_complaints *complaints) {
  const trmi_field *field = &part->kind->fields[i];
  const trmi_given *given = &part->given[i];
  const char *dot = strrchr(field->path, '.');
  char group[TRMI_WORD_BYTES];
  snprintf(group, sizeof group, "%.*s", dot != NULL ? (int)(dot - field->path) : 0, field->path);
  const bool is_needed = field->is_required && field->store != TRMI_STORE_NONE &&
                         (dot == NULL || trmi_part_has(part, group));
  if (!given->is_given) {
    if (is_needed) trmi_complain(complaints, part->key.place, "it has no '%s'", field->path);
    return;
  }
  if (field->store == TRMI_STORE_NONE) return;
  if (!allows_count(field, given->count)) {
    char content[80];
    const unsigned lists = field->types & (TRMI_IS_NUMBERS | TRMI_IS_TEXTS | TRMI_IS_EXPRESSIONS);
    const unsigned type = lists != 0 ? lists : field->types & TRMI_IS_MATRIX;
    trmi_field_content(field, type, content, sizeof content);
    trmi_complain(complaints, part->key.place, "'%s' must have %s, not %d", field->path,
                  type != 0 ? content : "one value", given->count);
  } else if ((field->types & TRMI_IS_WORD) != 0) {
    if (trmi_word_find(field->choices, trmi_part_word(part, field->path)) >= 0) return;
    trmi_complain(complaints, part->key.place, "'%.40s' is not a word for %s; known are (%s)",
                  trmi_part_word(part, field->path), field->path, field->choices);
  } else if (field->store == TRMI_STORE_NUMBERS || field->store == TRMI_STORE_LIST) {
    if (given->texts == NULL) check_numbers(part, field, complaints);
  } else if (field->store == TRMI_STORE_COUNT) {
    const double count = trmi_part_number(part, field->path);
    if (trmi_field_allows(field, count)) return;
    trmi_complain(complaints, part->key.place, "%s: %g is out of range", field->path, count);
  }
}

/* How many of the keys "a|b|c" below a row are given. */
static int count_given(const trmi_part *part, const trmi_field *row, const char *keys) {
  char word[TRMI_WORD_BYTES], path[2 * TRMI_WORD_BYTES];
  int count = 0;
  for (int i = 0; trmi_word_at(keys, i, word); i++) {
    snprintf(path, sizeof path, "%s%s%s", row->path, row->path[0] != '\0' ? "." : "", word);
    count += trmi_part_has(part, path) ? 1 : 0;
  }
  return count;
}

static void check_choice(const trmi_part *part, const trmi_field *row,
                         trmi_complaints *complaints) {
  const int least = row->path[0] == '\0' ? 1 : 0; /* a key that holds others may be missing */
  const int count = row->one_of != NULL ? count_given(part, row, row->one_of) : least;
  if (count < least || count > 1) {
    trmi_complain(complaints, part->key.place, "it needs one of %s", row->one_of);
  }
  if (row->not_both != NULL && count_given(part, row, row->not_both) > 1) {
    trmi_complain(complaints, part->key.place, "at most one of %s may be given", row->not_both);
  }
}

bool trmi_part_check(const trmi_part *part, trmi_complaints *complaints) {
  const int before = complaints->count;
  for (int i = 0; i < part->kind->nfields; i++) {
    check_choice(part, &part->kind->fields[i], complaints);
    if (i > 0) check_field(part, i, complaints);
  }
  trmi_complaints_name(complaints, before, trmi_part_group_word(part->kind->group), part->key.name);
  return complaints->count == before;
}
