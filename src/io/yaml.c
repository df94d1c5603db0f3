/* yaml.c - converts events of libyaml to a tree with positions. */
#include "io/yaml.h"
#include "io/yaml_places.h"
#include "parts/field.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { ANCHORS_MAX = 4096, KEY_BYTES = 1000 };

typedef struct reader {
  trmi_arena      *arena;
  trmi_complaints *complaints;
  trmi_yaml_lines  lines;
  int              file;
  yaml_parser_t    parser;
  trmi_pool        pool;
  trmi_yaml       *stack[TRMI_YAML_DEPTH_MAX + 1]; /* open sequences and mappings */
  int              depth;
  trmi_yaml       *root;
  int              nodes;
  const char      *key; /* of the next value, in a mapping; NULL: a key follows */
  trmi_place       key_place;
  bool             is_over; /* reading has ended                              */
} reader;

/* ---- places ------------------------------------------------------------ */

static trmi_place place_of(const reader *r, yaml_mark_t mark) {
  return (trmi_place){.file = r->file, .line = (int)mark.line + 1, .column = (int)mark.column + 1};
}

/* The place of a byte. */
static trmi_place place_at(const reader *r, size_t byte) {
  int line = 0;
  while (line + 1 < r->lines.count && r->lines.start[line + 1] <= byte) line++;
  int column = 0;
  for (size_t p = r->lines.start[line]; p < byte && p < r->lines.length; p++) {
    if (((unsigned char)r->lines.text[p] & 0xC0) != 0x80) column++;
  }
  return (trmi_place){.file = r->file, .line = line + 1, .column = column + 1};
}

/* One anchor if the text is unchanged in one line, otherwise by yaml_places.c. */
static bool find_anchors(reader *r, const yaml_event_t *event, trmi_text *text) {
  const yaml_scalar_style_t style = event->data.scalar.style;
  const yaml_mark_t from = event->start_mark, to = event->end_mark;
  if (style == YAML_PLAIN_SCALAR_STYLE && from.line == to.line) {
    trmi_anchor *anchor = trmi_pool_take(&r->pool, sizeof *anchor);
    if (anchor == NULL) return false;
    *anchor = (trmi_anchor){.offset = 0, .place = place_of(r, from)};
    text->anchors = anchor;
    text->nanchors = 1;
    return true;
  }
  const trmi_yaml_span span = {
    .from = trmi_yaml_offset(&r->lines, from.line, from.column),
    .to = trmi_yaml_offset(&r->lines, to.line, to.column),
    .line = from.line, .column = from.column, .file = r->file,
    .style = style == YAML_SINGLE_QUOTED_SCALAR_STYLE   ? TRMI_YAML_SINGLE
             : style == YAML_DOUBLE_QUOTED_SCALAR_STYLE ? TRMI_YAML_DOUBLE
                                                        : TRMI_YAML_PLAIN,
  };
  int count = trmi_yaml_anchors(&r->lines, &span, text->text, text->length, NULL, 0);
  if (count > ANCHORS_MAX) count = ANCHORS_MAX;
  trmi_anchor *anchors = trmi_pool_take(&r->pool, (size_t)count * sizeof *anchors);
  if (anchors == NULL) return false;
  const int found = trmi_yaml_anchors(&r->lines, &span, text->text, text->length, anchors, count);
  text->anchors = anchors;
  text->nanchors = found < count ? found : count;
  return true;
}

/* ---- errors of libyaml -------------------------------------------------- */

static const struct {
  const char *problem, *sentence;
} sentences[] = {
  {"found character that cannot start any token",
   "a value cannot begin with this letter: put the text in quotes"},
  {"mapping values are not allowed in this context",
   "a second ': ' in this line, or a line that is indented too far"},
  {"did not find expected key",
   "a key is expected here: the line is not indented like those above"},
  {"could not find expected ':'", "a ':' is missing after a key"},
  {"did not find expected ',' or '}'", "a ',' or '}' is missing in {..}"},
  {"did not find expected ',' or ']'", "a ',' or ']' is missing in [..]"},
  {"did not find expected '-' indicator",
   "a '-' is expected here: the line is not indented like those above"},
  {"block sequence entries are not allowed in this context", "a list cannot begin in this line"},
  {"block mapping entries are not allowed in this context", "a key is not allowed here"},
  {"mapping keys are not allowed in this context", "a '?' is not allowed here"},
  {"found unexpected end of stream", "the quotes that begin here are not closed"},
  {"found unexpected document indicator", "the quotes before this line are not closed"},
  {"did not find expected node content", "a value is missing here"},
  {"found a tab character that violates indentation", "a tab: indent with blanks"},
  {"found a tab character where an indentation space is expected", "a tab: indent with blanks"},
  {"did not find expected <document start>", "there is text after the end of the quoted text"},
  {"did not find the expected comment or line break", "only a comment may follow here"},
  {"did not find expected comment or line break", "only a comment may follow here"},
  {"found unknown escape character", "'\\' and this letter are not an escape in \"..\""},
  {"invalid leading UTF-8 octet", "this is not UTF-8 text"},
  {"invalid trailing UTF-8 octet", "this is not UTF-8 text"},
  {"incomplete UTF-8 octet sequence", "this is not UTF-8 text"},
  {"control characters are not allowed", "a control character"},
};

/* First byte of a word in the line of `byte`, up to there, that is too long for a name; SIZE_MAX:
 * none. libyaml gives up on keys of more than 1024 bytes and then misses a ':' or a ','. */
static size_t find_long_word(const reader *r, size_t byte) {
  const char *text = r->lines.text;
  size_t from = byte, length = 0;
  while (from > 0 && text[from - 1] != '\n') from--;
  for (size_t p = from; p < r->lines.length && text[p] != '\n'; p++) {
    const char c = text[p];
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '_';
    length = is_letter ? length + 1 : 0;
    if (length > KEY_BYTES) return p + 1 - length;
  }
  return SIZE_MAX;
}

/* Is there a ': ' in the last line with text before this one? Comments do not count as text. */
static bool has_colon_before(const reader *r, size_t byte, size_t *line_start) {
  const char *text = r->lines.text;
  size_t end = byte < r->lines.length ? byte : r->lines.length;
  while (end > 0 && text[end - 1] != '\n') end--;
  while (end > 0) {
    size_t from = end - 1;
    while (from > 0 && text[from - 1] != '\n') from--;
    size_t first = from;
    while (first < end && (text[first] == ' ' || text[first] == '\n')) first++;
    if (first < end && text[first] != '#') {
      *line_start = first;
      for (size_t p = first; p + 1 < end; p++) {
        if (text[p] == ':' && (text[p + 1] == ' ' || text[p + 1] == '\n')) return true;
      }
      return false;
    }
    end = from;
  }
  return true;
}

static void complain_problem(reader *r) {
  const yaml_parser_t *p = &r->parser;
  const char *problem = p->problem != NULL ? p->problem : "unknown fault";
  const char *sentence = NULL;
  for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
    if (strcmp(problem, sentences[i].problem) == 0) sentence = sentences[i].sentence;
  }
  yaml_mark_t mark = p->problem_mark;
  if (strcmp(problem, "found unexpected end of stream") == 0 ||
      strcmp(problem, "could not find expected ':'") == 0) {
    mark = p->context_mark; /* of the quotes, of the key */
  }
  trmi_place place = place_of(r, mark);
  if (p->error == YAML_READER_ERROR) place = place_at(r, p->problem_offset);
  const size_t byte = trmi_yaml_offset(&r->lines, mark.line, mark.column);
  const char letter = byte < r->lines.length ? r->lines.text[byte] : '\0';
  if (p->error == YAML_SCANNER_ERROR && letter == '\t') sentence = "a tab: indent with blanks";
  if ((letter == '}' || letter == ']') && strcmp(problem, "did not find expected key") == 0) {
    sentence = letter == '}' ? "a '}' that closes nothing" : "a ']' that closes nothing";
  }
  size_t before;
  if (strcmp(problem, "mapping values are not allowed in this context") == 0 &&
      !has_colon_before(r, byte, &before)) {
    place = place_at(r, before);
    sentence = "a key and its value have ': ' between them, a colon and a blank";
  }
  const size_t word = find_long_word(r, byte < r->lines.length ? byte : r->lines.length);
  if (word != SIZE_MAX) {
    trmi_complain(r->complaints, place_at(r, word), "names have at most %d characters",
                  TRMI_NAME_MAX);
  } else if (sentence != NULL) {
    trmi_complain(r->complaints, place, "%s", sentence);
  } else {
    trmi_complain(r->complaints, place, "not valid YAML: %.200s", problem);
  }
}

/* ---- the tree ----------------------------------------------------------- */

static void stop(reader *r, trmi_place place, const char *sentence) {
  trmi_complain(r->complaints, place, "%s", sentence);
  r->is_over = true;
}

static trmi_yaml *new_node(reader *r, const yaml_event_t *event, trmi_yaml_kind kind) {
  if (++r->nodes > TRMI_YAML_NODES_MAX) {
    stop(r, place_of(r, event->start_mark), "more than 2 million values");
    return NULL;
  }
  trmi_yaml *node = trmi_pool_take(&r->pool, sizeof *node);
  if (node == NULL) return NULL;
  *node = (trmi_yaml){.kind = kind, .place = place_of(r, event->start_mark)};
  return node;
}

static void append(trmi_yaml *parent, trmi_yaml *node) {
  if (parent->last != NULL) {
    parent->last->next = node;
  } else {
    parent->first = node;
  }
  parent->last = node;
  parent->count++;
}

static void attach(reader *r, trmi_yaml *node) {
  if (r->depth == 0) {
    r->root = node;
    return;
  }
  trmi_yaml *parent = r->stack[r->depth - 1];
  if (parent->kind == TRMI_YAML_MAPPING) {
    node->key = r->key;
    node->key_place = r->key_place;
    r->key = NULL;
  }
  append(parent, node);
}

static bool expects_key(const reader *r) {
  return r->depth > 0 && r->stack[r->depth - 1]->kind == TRMI_YAML_MAPPING && r->key == NULL;
}

static void refuse_extras(reader *r, const yaml_event_t *event, const yaml_char_t *tag,
                          const yaml_char_t *anchor) {
  const trmi_place place = place_of(r, event->start_mark);
  if (tag != NULL) {
    trmi_complain(r->complaints, place, "the tag '%.60s' has no meaning in a model file",
                  (const char *)tag);
  } else if (anchor != NULL) {
    trmi_complain(r->complaints, place, "'&%.60s' is an anchor of YAML, which model files do not "
                                        "have: put the text in quotes", (const char *)anchor);
  }
}

static void take_scalar(reader *r, const yaml_event_t *event) {
  const char *value = (const char *)event->data.scalar.value;
  const size_t length = event->data.scalar.length;
  char *text = trmi_pool_take(&r->pool, length + 1);
  if (text == NULL) return;
  memcpy(text, value, length);
  text[length] = '\0';
  if (strlen(text) != length) {
    trmi_complain(r->complaints, place_of(r, event->start_mark), "a zero byte in a text");
  }
  refuse_extras(r, event, event->data.scalar.tag, event->data.scalar.anchor);
  if (expects_key(r)) {
    r->key = text;
    r->key_place = place_of(r, event->start_mark);
    if (length == 0) trmi_complain(r->complaints, r->key_place, "a key is empty");
    return;
  }
  trmi_yaml *node = new_node(r, event, TRMI_YAML_SCALAR);
  if (node == NULL) return;
  node->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  node->text = (trmi_text){.text = text, .length = length};
  if (find_anchors(r, event, &node->text)) attach(r, node);
}

static void open_node(reader *r, const yaml_event_t *event, trmi_yaml_kind kind) {
  if (expects_key(r)) {
    stop(r, place_of(r, event->start_mark), "a key must be a text, not a list or a mapping");
    return;
  }
  if (r->depth == TRMI_YAML_DEPTH_MAX) {
    stop(r, place_of(r, event->start_mark), "nested deeper than 64 levels");
    return;
  }
  const bool is_mapping = kind == TRMI_YAML_MAPPING;
  if (is_mapping) {
    refuse_extras(r, event, event->data.mapping_start.tag, event->data.mapping_start.anchor);
  } else {
    refuse_extras(r, event, event->data.sequence_start.tag, event->data.sequence_start.anchor);
  }
  trmi_yaml *node = new_node(r, event, kind);
  if (node == NULL) return;
  node->is_flow = is_mapping ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                             : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
  attach(r, node);
  r->stack[r->depth++] = node;
}

/* ---- keys that appear twice ----------------------------------------------- */

/* By name; of the same name in order of the text. */
static int compare_keys(const void *a, const void *b) {
  const trmi_yaml *x = *(trmi_yaml *const *)a, *y = *(trmi_yaml *const *)b;
  const int order = strcmp(x->key, y->key);
  if (order != 0) return order;
  if (x->key_place.line != y->key_place.line) return x->key_place.line < y->key_place.line ? -1 : 1;
  return x->key_place.column < y->key_place.column ? -1 : x->key_place.column > y->key_place.column;
}

/* {position: STEP(time, 0, 0, 1, 1)}: commas have split an expression, and its parts look like
 * keys. The check of keys reports this. */
static bool is_cut(const trmi_yaml *mapping, const trmi_yaml *key) {
  if (!mapping->is_flow || !trmi_yaml_is_missing(key)) return false;
  const trmi_yaml *entry = mapping->first;
  while (entry != key && entry != NULL && !trmi_yaml_is_open(entry)) entry = entry->next;
  return entry != key && entry != NULL;
}

static void complain_twice(reader *r, const trmi_yaml *mapping, const trmi_yaml *first,
                           const trmi_yaml *second) {
  if (is_cut(mapping, second)) return;
  trmi_complain(r->complaints, second->key_place, "'%.80s' is given twice, first in line %d",
                second->key, first->key_place.line);
}

static void check_keys(reader *r, const trmi_yaml *mapping) {
  enum { FEW = 12 };
  if (mapping->count <= FEW) {
    for (const trmi_yaml *a = mapping->first; a != NULL; a = a->next) {
      for (const trmi_yaml *b = a->next; b != NULL; b = b->next) {
        if (strcmp(a->key, b->key) == 0) complain_twice(r, mapping, a, b);
      }
    }
    return;
  }
  trmi_yaml **list = TRMI_TAKE(r->arena, trmi_yaml *, mapping->count);
  if (list == NULL) return;
  int n = 0;
  for (trmi_yaml *a = mapping->first; a != NULL; a = a->next) list[n++] = a;
  qsort(list, (size_t)n, sizeof *list, compare_keys);
  for (int i = 1; i < n; i++) {
    if (strcmp(list[i - 1]->key, list[i]->key) != 0) continue;
    complain_twice(r, mapping, list[i - 1], list[i]);
  }
}

/* ---- events -------------------------------------------------------------- */

static void take_event(reader *r, const yaml_event_t *event) {
  const trmi_place place = place_of(r, event->start_mark);
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    if (r->root != NULL) stop(r, place, "a second document: a model file has only one");
    break;
  case YAML_ALIAS_EVENT:
    stop(r, place, "'*' begins an alias of YAML, which model files do not have: "
                   "use parameters, or put the text in quotes");
    break;
  case YAML_SCALAR_EVENT: take_scalar(r, event); break;
  case YAML_SEQUENCE_START_EVENT: open_node(r, event, TRMI_YAML_SEQUENCE); break;
  case YAML_MAPPING_START_EVENT: open_node(r, event, TRMI_YAML_MAPPING); break;
  case YAML_MAPPING_END_EVENT: check_keys(r, r->stack[r->depth - 1]); r->depth--; break;
  case YAML_SEQUENCE_END_EVENT: r->depth--; break;
  case YAML_STREAM_END_EVENT: r->is_over = true; break;
  default: break;
  }
  if (r->arena->failed) r->is_over = true;
}

static void read_events(reader *r) {
  while (!r->is_over) {
    yaml_event_t event;
    if (yaml_parser_parse(&r->parser, &event) == 0) {
      if (r->parser.error == YAML_MEMORY_ERROR) {
        r->arena->failed = true;
      } else {
        complain_problem(r);
      }
      return;
    }
    take_event(r, &event);
    yaml_event_delete(&event);
  }
}

trm_status trmi_yaml_read(const trmi_yaml_source *source, trmi_arena *arena,
                          trmi_complaints *complaints, trmi_yaml **root, trm_error *err) {
  *root = NULL;
  const trmi_place start = {.file = source->file, .line = 1, .column = 1};
  if (source->length >= 8 && memcmp(source->text, "\x89HDF\r\n\x1a\n", 8) == 0) {
    trmi_complain(complaints, start, "this is an HDF5 file, perhaps results of a run, and not a "
                  "model: 'trammel run MODEL --restart FILE' continues a run");
    return TRM_OK;
  }
  if (source->length > TRMI_YAML_BYTES_MAX) {
    trmi_complain(complaints, start, "%zu bytes, a model file has at most 16 MB", source->length);
    return TRM_OK;
  }
  const char *text = source->text;
  size_t length = source->length;
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* a mark of some editors */
    text += 3;
    length -= 3;
  }
  reader *r = TRMI_TAKE(arena, reader, 1);
  if (r == NULL) return trmi_arena_check(arena, err);
  *r = (reader){.arena = arena, .complaints = complaints, .file = source->file,
                .pool = {.arena = arena},
                .lines = {.text = text, .length = length}};
  if (!trmi_yaml_lines_find(&r->lines, arena) || yaml_parser_initialize(&r->parser) == 0) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory: an allocation failed");
  }
  yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&r->parser, (const unsigned char *)text, length);
  read_events(r);
  yaml_parser_delete(&r->parser);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  *root = r->root;
  return TRM_OK;
}

/* ---- use of the tree ------------------------------------------------------ */

trmi_yaml *trmi_yaml_find(const trmi_yaml *mapping, const char *key) {
  if (mapping == NULL || mapping->kind != TRMI_YAML_MAPPING) return NULL;
  for (trmi_yaml *entry = mapping->first; entry != NULL; entry = entry->next) {
    if (strcmp(entry->key, key) == 0) return entry;
  }
  return NULL;
}

bool trmi_yaml_is_missing(const trmi_yaml *node) {
  if (node->kind != TRMI_YAML_SCALAR || node->is_quoted) return false;
  const char *text = node->text.text;
  return text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0;
}

static int count_letter(const char *text, char letter) {
  int n = 0;
  for (; *text != '\0'; text++) n += *text == letter;
  return n;
}

const char trmi_yaml_comma[] =
    "a comma inside {..} ends a value: put the expression before it in quotes, \" or '";

bool trmi_yaml_is_open(const trmi_yaml *node) {
  if (node->kind != TRMI_YAML_SCALAR || node->is_quoted) return false;
  return count_letter(node->text.text, '(') > count_letter(node->text.text, ')') ||
         count_letter(node->text.text, '[') > count_letter(node->text.text, ']');
}

trmi_yaml *trmi_yaml_add(trmi_yaml *mapping, const char *key, trmi_place place,
                         trmi_yaml_kind kind, trmi_arena *arena) {
  trmi_yaml *node = TRMI_TAKE(arena, trmi_yaml, 1);
  if (node == NULL) return NULL;
  *node = (trmi_yaml){.kind = kind, .key = key, .key_place = place, .place = place};
  append(mapping, node);
  return node;
}

bool trmi_yaml_set(trmi_yaml *node, const char *text, size_t length, trmi_place place,
                   trmi_arena *arena) {
  char *copy = TRMI_TAKE(arena, char, length + 1);
  trmi_anchor *anchor = TRMI_TAKE(arena, trmi_anchor, 1);
  if (arena->failed) return false;
  memcpy(copy, text, length);
  *anchor = (trmi_anchor){.offset = 0, .place = place};
  node->kind = TRMI_YAML_SCALAR;
  node->is_quoted = false;
  node->place = place;
  node->first = node->last = NULL;
  node->count = 0;
  node->text = (trmi_text){.text = copy, .length = length, .anchors = anchor, .nanchors = 1};
  return true;
}
