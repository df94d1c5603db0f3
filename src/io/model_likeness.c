/* model_likeness.c - searches for keys of model files at the beginnings of lines. */
#include "io/model_likeness.h"
#include "io/schema.h"
#include <string.h>

/* Is this one of the keys at the top of a model file? */
static bool is_key(const char *word, size_t length) {
  const trmi_field *row;
  for (int i = 0; (row = trmi_schema_at(i)) != NULL; i++) {
    if (length > 0 && strlen(row->path) == length && memcmp(row->path, word, length) == 0) {
      return true;
    }
  }
  return false;
}

bool trmi_is_like_a_model(const char *text, size_t length) {
  static const char blanks[] = " \t\r{,\"'", letters[] = "abcdefghijklmnopqrstuvwxyz";
  for (size_t p = 0; p < length;) {
    while (p < length && text[p] != '\0' && strchr(blanks, text[p]) != NULL) p++;
    const size_t from = p;
    while (p < length && text[p] != '\0' && strchr(letters, text[p]) != NULL) p++;
    size_t end = p;
    while (end < length && (text[end] == '"' || text[end] == '\'' || text[end] == ' ')) end++;
    if (end < length && text[end] == ':' && is_key(text + from, p - from)) return true;
    const char *next = memchr(text + p, '\n', length - p);
    p = next != NULL ? (size_t)(next - text) + 1 : length;
  }
  return false;
}
