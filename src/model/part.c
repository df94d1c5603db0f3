/* part.c - values of a part by their paths. */
#include "model/part.h"
#include <string.h>

const trmi_value_def *trmi_part_find(const trmi_part_def *part, const char *path) {
  for (int i = 0; i < part->nvalues; i++) {
    if (strcmp(part->values[i].path, path) == 0) return &part->values[i];
  }
  return NULL;
}

bool trmi_part_has(const trmi_part_def *part, const char *path) {
  const size_t length = strlen(path);
  for (int i = 0; i < part->nvalues; i++) {
    const char *other = part->values[i].path;
    if (strncmp(other, path, length) != 0) continue;
    if (other[length] == '\0' || other[length] == '.') return true;
  }
  return false;
}

const char *trmi_part_word(const trmi_part_def *part, const char *path) {
  const trmi_value_def *value = trmi_part_find(part, path);
  return value != NULL && value->count == 1 ? value->texts[0].text : NULL;
}

trmi_place trmi_part_place(const trmi_part_def *part, const char *path) {
  const trmi_value_def *value = trmi_part_find(part, path);
  return value != NULL ? value->place : part->key.place;
}

const trmi_text *trmi_part_texts(trmi_parameters *p, const trmi_part_def *part, const char *path,
                                 int count) {
  const trmi_value_def *value = trmi_part_find(part, path);
  if (value == NULL) return NULL;
  if (value->count == count) return value->texts;
  trmi_complain(p->complaints, value->place, "%.60s: '%.60s' has %d value%s, expected %s %d",
                part->key.name, path, value->count, value->count == 1 ? "" : "s",
                count == 1 ? "is" : "are", count);
  return NULL;
}

bool trmi_part_numbers(trmi_parameters *p, const trmi_part_def *part, const char *path,
                       const char *unit, int count, double *out) {
  const trmi_text *texts = trmi_part_texts(p, part, path, count);
  const trmi_dimension dimension = trmi_unit_dimension(unit);
  if (texts == NULL) return false;
  bool is_good = true;
  for (int i = 0; i < count; i++) {
    double number;
    is_good = trmi_parameters_number(p, &texts[i], dimension, &number) && is_good;
    if (is_good) out[i] = number;
  }
  return is_good;
}

double trmi_part_number(trmi_parameters *p, const trmi_part_def *part, const char *path,
                        const char *unit, double otherwise) {
  double number = otherwise;
  return trmi_part_numbers(p, part, path, unit, 1, &number) ? number : otherwise;
}
