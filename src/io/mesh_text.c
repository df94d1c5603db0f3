/* mesh_text.c - shared by readers of mesh files: lines, fields, numbers, faults with a line. */
#include "io/mesh_text.h"
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool trmi_mesh_next(trmi_mesh_text *t) {
  if (t->text >= t->end) return false;
  const size_t left = (size_t)(t->end - t->text);
  const char *end = memchr(t->text, '\n', left);
  t->at = t->text;
  t->length = end != NULL ? (size_t)(end - t->text) : left;
  t->text += end != NULL ? t->length + 1 : t->length;
  if (t->length > 0 && t->at[t->length - 1] == '\r') t->length--;
  t->line++;
  return true;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool trmi_mesh_field_next(const trmi_mesh_text *t, char separator, size_t *from,
                          trmi_mesh_field *field) {
  size_t p = *from;
  while (p < t->length && is_blank(t->at[p])) p++;
  if (p >= t->length) return false;
  size_t end = p;
  while (end < t->length && t->at[end] != separator && !(separator == ' ' && t->at[end] == '\t')) {
    end++;
  }
  *from = end + 1;
  while (end > p && is_blank(t->at[end - 1])) end--;
  *field = (trmi_mesh_field){.text = t->at + p, .length = end - p};
  return true;
}

bool trmi_mesh_int(trmi_mesh_field field, int *number) {
  char copy[24], *end;
  if (field.length == 0 || field.length >= sizeof copy) return false;
  memcpy(copy, field.text, field.length);
  copy[field.length] = '\0';
  if (!isdigit((unsigned char)copy[0]) && copy[0] != '-' && copy[0] != '+') return false;
  const long long value = strtoll(copy, &end, 10);
  if (*end != '\0' || end == copy || value > INT_MAX - 1 || value < -INT_MAX) return false;
  *number = (int)value;
  return true;
}

bool trmi_mesh_number(trmi_mesh_field field, double *number) {
  char copy[64], *end;
  if (field.length == 0 || field.length >= sizeof copy) return false;
  for (size_t i = 0; i < field.length; i++) {
    const char c = field.text[i];
    if (c == '\0' || strchr("0123456789+-.eEdD", c) == NULL) return false;
    copy[i] = c == 'd' || c == 'D' ? 'e' : c;
  }
  copy[field.length] = '\0';
  *number = strtod(copy, &end);
  return *end == '\0' && end != copy && isfinite(*number);
}

bool trmi_mesh_is(trmi_mesh_field field, const char *word) {
  if (strlen(word) != field.length) return false;
  for (size_t i = 0; i < field.length; i++) {
    if (toupper((unsigned char)field.text[i]) != toupper((unsigned char)word[i])) return false;
  }
  return true;
}

void trmi_mesh_copy(trmi_mesh_field field, bool to_upper, char name[TRMI_SOLID_NAME]) {
  size_t n = 0;
  for (; n < field.length && n < TRMI_SOLID_NAME - 1; n++) {
    const unsigned char c = (unsigned char)field.text[n];
    name[n] = !isprint(c) ? '?' : to_upper ? (char)toupper(c) : (char)c;
  }
  name[n] = '\0';
}

bool trmi_mesh_fail(const trmi_mesh_text *t, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const int used = snprintf(t->fault, TRMI_SOLID_FAULT, "line %d: ", t->line);
  vsnprintf(t->fault + used, (size_t)(TRMI_SOLID_FAULT - used), fmt, args);
  va_end(args);
  return false;
}

void trmi_mesh_note(const trmi_mesh_text *t, const char *fmt, ...) {
  enum { NOTES_MAX = 10000 };
  char sentence[200];
  if (t->draft->notes.used > NOTES_MAX) return;
  va_list args;
  va_start(args, fmt);
  vsnprintf(sentence, sizeof sentence, fmt, args);
  va_end(args);
  trmi_buffer_print(&t->draft->notes, "line %d: %s\n", t->line, sentence);
}

static bool ends_with(const char *name, const char *ending) {
  const size_t n = strlen(name), m = strlen(ending);
  return n >= m && trmi_mesh_is((trmi_mesh_field){.text = name + n - m, .length = m}, ending);
}

bool trmi_mesh_read(const char *name, const char *text, size_t length, trmi_solid_draft *draft,
                    trmi_arena *arena, trmi_solid_mesh *mesh, char fault[TRMI_SOLID_FAULT]) {
  bool is_read;
  fault[0] = '\0';
  if (ends_with(name, ".inp")) {
    is_read = trmi_mesh_read_inp(text, length, draft, fault);
  } else if (ends_with(name, ".msh")) {
    is_read = trmi_mesh_read_msh(text, length, draft, fault);
  } else if (ends_with(name, ".bdf") || ends_with(name, ".nas") || ends_with(name, ".dat")) {
    is_read = trmi_mesh_read_bdf(text, length, draft, fault);
  } else {
    snprintf(fault, TRMI_SOLID_FAULT, "the ending of its name must be .inp (Abaqus, CalculiX), "
             ".msh (Gmsh) or .bdf, .nas, .dat (Nastran)");
    return false;
  }
  return is_read && trmi_solid_mesh_finish(draft, arena, mesh, fault);
}
