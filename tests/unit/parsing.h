/* parsing.h - what the tests of the parser share. */
#ifndef TRM_TEST_PARSING_H
#define TRM_TEST_PARSING_H
#include "expressions.h"

/* Column 11 is the first letter of the text; the caret of the message stands `at` letters on. */
typedef struct fault {
  const char *text;
  int         at;
  const char *sentence;
} fault;

static inline void check_fault(xp_scope *s, const fault *f, size_t length) {
  trmi_meaning term = {.node = 99};
  s->complaints.count = 0;
  const bool is_right = xp_read_bytes(s, f->text, length, &term);
  const trmi_complaint *c = &s->complaints.list[0];
  const bool is_expected = !is_right && s->complaints.count == 1 && term.node == 0 &&
                           c->place.line == 7 && c->place.column == 11 + f->at &&
                           strcmp(c->sentence, f->sentence) == 0;
  if (!is_expected) {
    print_error("'%s': %s, %d complaints, at %d: %s\n      expected at %d: %s\n", f->text,
                is_right ? "accepted" : "refused", s->complaints.count, c->place.column - 11,
                s->complaints.count > 0 ? c->sentence : "", f->at, f->sentence);
    fail();
  }
  assert_false(s->graph.failed);
}

static inline void check_faults(xp_scope *s, const fault *list, size_t count) {
  for (size_t i = 0; i < count; i++) check_fault(s, &list[i], strlen(list[i].text));
  CHECK_NEAR(xp_number(s, "1 + x", 2.0, 0, 0), 3.0, 0.0, "the graph is still good");
}

/* A text of `unit` repeated, between two others. */
static inline char *repeated(const char *before, const char *unit, int times, const char *after) {
  const size_t n = strlen(unit), first = strlen(before), last = strlen(after);
  char *text = malloc(first + n * (size_t)times + last + 1);
  assert_non_null(text);
  memcpy(text, before, first);
  for (int i = 0; i < times; i++) memcpy(text + first + n * (size_t)i, unit, n);
  memcpy(text + first + n * (size_t)times, after, last + 1);
  return text;
}

#endif
