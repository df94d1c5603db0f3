/* yaml_places.c - compares the source of a scalar with its text.
 *
 * The text lacks parts removed by YAML: indentation, line ends that become one blank, quotes,
 * escapes. After every such gap an anchor marks where the text continues. */
#include "io/yaml_places.h"
#include <string.h>

/* Bytes of the line break at p, 0 if there is none: those of YAML 1.1. */
static size_t line_break(const char *text, size_t length, size_t p) {
  const unsigned char *s = (const unsigned char *)text + p;
  const size_t left = length - p;
  if (left == 0 || (s[0] > '\r' && s[0] < 0xC2)) return 0; /* most letters */
  if (s[0] == '\n') return 1;
  if (s[0] == '\r') return left >= 2 && s[1] == '\n' ? 2 : 1;
  if (left >= 2 && s[0] == 0xC2 && s[1] == 0x85) return 2;
  if (left >= 3 && s[0] == 0xE2 && s[1] == 0x80 && (s[2] == 0xA8 || s[2] == 0xA9)) return 3;
  return 0;
}

bool trmi_yaml_lines_find(trmi_yaml_lines *lines, trmi_arena *arena) {
  for (int pass = 0; pass < 2; pass++) {
    lines->count = 1;
    for (size_t p = 0; p < lines->length;) {
      const size_t bytes = line_break(lines->text, lines->length, p);
      p += bytes > 0 ? bytes : 1;
      if (bytes == 0) continue;
      if (pass == 1) lines->start[lines->count] = p;
      lines->count++;
    }
    if (pass == 0) lines->start = TRMI_TAKE(arena, size_t, lines->count + 1);
    if (lines->start == NULL) return false;
  }
  lines->start[lines->count] = lines->length;
  return true;
}

static bool is_inner(char c) { /* a byte inside a letter of UTF-8 */
  return ((unsigned char)c & 0xC0) == 0x80;
}

size_t trmi_yaml_offset(trmi_yaml_lines *lines, size_t line, size_t column) {
  if (line >= (size_t)lines->count) return lines->length;
  if (line != lines->line || column < lines->column || lines->byte < lines->start[line]) {
    lines->line = line;
    lines->column = 0;
    lines->byte = lines->start[line];
  }
  size_t p = lines->byte;
  const size_t end = lines->start[line + 1];
  for (; lines->column < column && p < end; lines->column++) {
    p++;
    while (p < end && is_inner(lines->text[p])) p++;
  }
  lines->byte = p;
  return p;
}

/* ---- the walk ---------------------------------------------------------- */

typedef struct walk {
  const char  *source; /* whole text of the file        */
  size_t       s, to;  /* here, and the end of the span */
  size_t       line, column; /* of s, from 0            */
  const char  *text;
  size_t       t, length;
  int          file;
  trmi_anchor *anchors;
  int          count, size;
} walk;

static void add_anchor(walk *w) {
  const trmi_anchor anchor = {
    .offset = w->t,
    .place = {.file = w->file, .line = (int)w->line + 1, .column = (int)w->column + 1},
  };
  /* of two for the same letter the later one holds */
  int i = w->count;
  if (i > 0 && i <= w->size && w->anchors[i - 1].offset == w->t) i--;
  if (i < w->size) w->anchors[i] = anchor;
  w->count = i + 1;
}

/* One letter, or a line break, of the source. */
static void step(walk *w) {
  const size_t bytes = line_break(w->source, w->to, w->s);
  if (bytes > 0) {
    w->s += bytes;
    w->line++;
    w->column = 0;
    return;
  }
  w->s++;
  while (w->s < w->to && is_inner(w->source[w->s])) w->s++;
  w->column++;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* Skipped blanks and line ends. */
typedef struct gap {
  int  breaks;
  bool is_kept; /* the first one is kept in the text: U+2028 or U+2029 */
} gap;

static gap skip_space(walk *w) {
  gap skipped = {.breaks = 0};
  while (w->s < w->to) {
    const size_t bytes = line_break(w->source, w->to, w->s);
    if (bytes == 0 && !is_blank(w->source[w->s])) break;
    if (bytes == 3 && skipped.breaks == 0) skipped.is_kept = true;
    skipped.breaks += bytes > 0;
    step(w);
  }
  return skipped;
}

static void skip_text_breaks(walk *w, int count) {
  for (; count > 0 && w->t < w->length; count--) w->t += line_break(w->text, w->length, w->t);
}

/* Between the lines of a text outside of blocks: one line end is a blank, of several the first
 * is left out. */
static void fold(walk *w, gap skipped) {
  if (skipped.is_kept || skipped.breaks > 1) {
    skip_text_breaks(w, skipped.is_kept ? skipped.breaks : skipped.breaks - 1);
  } else if (w->t < w->length) {
    w->t++;
  }
  add_anchor(w);
}

/* In blocks, where nothing is escaped: the next letters of both belong together. */
static void go_on(walk *w) {
  while (w->t < w->length) {
    const size_t bytes = line_break(w->text, w->length, w->t);
    if (bytes == 0 && !is_blank(w->text[w->t])) break;
    w->t += bytes > 0 ? bytes : 1;
  }
  add_anchor(w);
}

/* Bytes of a code point in UTF-8. */
static size_t utf8_bytes(unsigned long code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

static size_t hex_escape(const walk *w, size_t digits) {
  unsigned long code = 0;
  for (size_t i = 0; i < digits && w->s + i < w->to; i++) {
    const char c = w->source[w->s + i];
    const int value = c >= '0' && c <= '9' ? c - '0' : ((c | 32) - 'a') + 10;
    code = code * 16 + (unsigned long)(value & 15);
  }
  return utf8_bytes(code);
}

/* An escape of a text in double quotes; s is after the backslash. */
static void take_escape(walk *w) {
  if (w->s >= w->to) return;
  if (line_break(w->source, w->to, w->s) > 0) {
    skip_text_breaks(w, skip_space(w).breaks - 1);
    add_anchor(w);
    return;
  }
  const char c = w->source[w->s];
  const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  step(w);
  size_t bytes = c == 'N' || c == '_' ? 2 : c == 'L' || c == 'P' ? 3 : 1;
  if (digits > 0) bytes = hex_escape(w, digits);
  for (size_t i = 0; i < digits && w->s < w->to; i++) step(w);
  w->t = w->t + bytes < w->length ? w->t + bytes : w->length;
  add_anchor(w);
}

/* A letter, or blanks and line ends: blanks that lead to no line end are copied. */
static void take_letter(walk *w, bool is_block) {
  const size_t from = w->s;
  const bool is_space =
      is_blank(w->source[w->s]) || line_break(w->source, w->to, w->s) > 0;
  gap skipped = {.breaks = 0};
  if (is_space) {
    skipped = skip_space(w);
  } else {
    step(w);
  }
  if (skipped.breaks > 0) {
    if (is_block) {
      go_on(w);
    } else {
      fold(w, skipped);
    }
    return;
  }
  w->t = w->s - from < w->length - w->t ? w->t + (w->s - from) : w->length;
}

int trmi_yaml_anchors(const trmi_yaml_lines *lines, const trmi_yaml_span *span, const char *text,
                      size_t length, trmi_anchor *anchors, int size) {
  walk w = {.source = lines->text, .s = span->from, .to = span->to, .line = span->line,
            .column = span->column, .text = text, .length = length, .file = span->file,
            .anchors = anchors, .size = size};
  const char first = w.s < w.to ? w.source[w.s] : ' ';
  const bool is_block = span->style == TRMI_YAML_PLAIN && (first == '|' || first == '>');
  if (span->style != TRMI_YAML_PLAIN) {
    step(&w); /* the quote */
    add_anchor(&w);
  } else if (is_block) {
    const size_t line = w.line; /* the head of a block has nothing of its text */
    while (w.s < w.to && w.line == line) step(&w);
    skip_space(&w);
    add_anchor(&w);
    go_on(&w);
  } else {
    add_anchor(&w);
  }
  while (w.s < w.to && w.t < w.length) {
    const char c = w.source[w.s];
    const bool is_double = span->style == TRMI_YAML_DOUBLE;
    const bool is_pair = span->style == TRMI_YAML_SINGLE && c == '\'';
    if (is_double && c == '\\') {
      step(&w);
      take_escape(&w);
    } else if (is_pair) {
      step(&w);
      if (w.s < w.to) step(&w);
      w.t++;
      add_anchor(&w);
    } else {
      take_letter(&w, is_block);
    }
  }
  return w.count;
}
