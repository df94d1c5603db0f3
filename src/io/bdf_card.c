/* bdf_card.c - lines and cards of Nastran's bulk data. */
#include "io/bdf_card.h"
#include <ctype.h>
#include <string.h>

trmi_mesh_field trmi_bdf_trimmed(const char *text, size_t length) {
  while (length > 0 && isspace((unsigned char)*text)) text++, length--;
  while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
  return (trmi_mesh_field){.text = text, .length = length};
}

static void add_field(trmi_bdf_card *c, trmi_mesh_field field) {
  if (c->count < TRMI_BDF_FIELDS) {
    c->field[c->count++] = field;
  } else {
    c->is_too_long = true;
  }
}

void trmi_bdf_take(trmi_bdf_card *c, const trmi_mesh_text *t, bool is_first) {
  const char *comma = memchr(t->at, ',', t->length);
  int taken = 0, wanted = 8;
  size_t from;
  if (comma != NULL) {
    from = (size_t)(comma - t->at) + 1;
    if (is_first) c->name = trmi_bdf_trimmed(t->at, from - 1);
    for (; from <= t->length && taken < wanted; taken++) {
      const char *next = memchr(t->at + from, ',', t->length - from);
      const size_t end = next != NULL ? (size_t)(next - t->at) : t->length;
      add_field(c, trmi_bdf_trimmed(t->at + from, end - from));
      from = end + 1;
    }
  } else {
    const size_t head = t->length < 8 ? t->length : 8;
    const bool is_large = memchr(t->at, '*', head) != NULL;
    const size_t width = is_large ? 16 : 8;
    if (is_first) c->name = trmi_bdf_trimmed(t->at, head);
    wanted = is_large ? 4 : 8;
    for (from = 8; from < t->length && taken < wanted; taken++, from += width) {
      const size_t left = t->length - from;
      add_field(c, trmi_bdf_trimmed(t->at + from, left < width ? left : width));
    }
  }
  for (; taken < wanted; taken++) add_field(c, (trmi_mesh_field){.text = "", .length = 0});
  if (is_first && c->name.length > 0 && c->name.text[c->name.length - 1] == '*') c->name.length--;
}

void trmi_bdf_strip(trmi_mesh_text *t) {
  const char *comment = memchr(t->at, '$', t->length);
  if (comment != NULL) t->length = (size_t)(comment - t->at);
  while (t->length > 0 && isspace((unsigned char)t->at[t->length - 1])) t->length--;
}

bool trmi_bdf_continues(const trmi_mesh_text *t) {
  return t->length > 0 && strchr("+* ,\t", t->at[0]) != NULL;
}

bool trmi_bdf_number(trmi_mesh_field field, double *number) {
  enum { LONGEST = 30 };
  char copy[2 * LONGEST]; /* every sign may bring a letter */
  size_t n = 0;
  if (field.length == 0 || field.length > LONGEST) return false;
  for (size_t i = 0; i < field.length; i++) {
    const char c = field.text[i];
    const char before = i > 0 ? field.text[i - 1] : ' ';
    if ((c == '+' || c == '-') && (isdigit((unsigned char)before) || before == '.')) {
      copy[n++] = 'E';
    }
    copy[n++] = c;
  }
  return trmi_mesh_number((trmi_mesh_field){.text = copy, .length = n}, number);
}
