/* complaint.c - the list of faults: one for a place, in the order of the text. */
#include "core/complaint.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int kept(const trmi_complaints *c) {
  return c->count < TRMI_COMPLAINTS_MAX ? c->count : TRMI_COMPLAINTS_MAX;
}

/* Negative, zero or positive: a is before, at or after b. */
static int compare(trmi_place a, trmi_place b) {
  if (a.file != b.file) return a.file < b.file ? -1 : 1;
  if (a.line != b.line) return a.line < b.line ? -1 : 1;
  return (a.column > b.column) - (a.column < b.column);
}

static bool has_place(const trmi_complaints *c, trmi_place place) {
  if (place.line == 0) return false;
  for (int i = 0; i < kept(c); i++) {
    if (compare(c->list[i].place, place) == 0) return true;
  }
  return false;
}

/* A truncated sentence must not end inside a UTF-8 letter. */
static void mend_end(char *text, size_t length) {
  size_t first = length;
  while (first > 0 && ((unsigned char)text[first - 1] & 0xc0) == 0x80) first--;
  if (first == 0) return;
  const unsigned char lead = (unsigned char)text[first - 1];
  const size_t need = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  if (length - (first - 1) < need) text[first - 1] = '\0';
}

void trmi_complain(trmi_complaints *c, trmi_place place, const char *fmt, ...) {
  if (has_place(c, place)) return;
  if (c->count < TRMI_COMPLAINTS_MAX) {
    trmi_complaint *new = &c->list[c->count];
    new->place = place;
    va_list args;
    va_start(args, fmt);
    const int length = vsnprintf(new->sentence, sizeof new->sentence, fmt, args);
    va_end(args);
    if (length < 0) new->sentence[0] = '\0';
    if (length >= TRMI_SENTENCE_MAX) mend_end(new->sentence, TRMI_SENTENCE_MAX - 1);
    if (place.is_copy && length >= 0 && length < TRMI_SENTENCE_MAX) {
      snprintf(new->sentence + length, sizeof new->sentence - (size_t)length, " (index %d)",
               place.index);
    }
  }
  c->count++;
}

void trmi_complaints_name(trmi_complaints *c, int first, const char *word, const char *name) {
  for (int i = first; i < kept(c); i++) {
    char sentence[TRMI_SENTENCE_MAX];
    memcpy(sentence, c->list[i].sentence, sizeof sentence);
    const int length = snprintf(c->list[i].sentence, sizeof sentence, "%s '%.60s': %s", word, name,
                                sentence);
    if (length >= TRMI_SENTENCE_MAX) mend_end(c->list[i].sentence, TRMI_SENTENCE_MAX - 1);
  }
}

/* Insertion keeps the order of those without a place; there are at most 20. */
void trmi_complaints_sort(trmi_complaints *c) {
  for (int i = 1; i < kept(c); i++) {
    const trmi_complaint one = c->list[i];
    int k = i;
    while (k > 0 && compare(c->list[k - 1].place, one.place) > 0) {
      c->list[k] = c->list[k - 1];
      k--;
    }
    c->list[k] = one;
  }
}
