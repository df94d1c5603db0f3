/* Bytes of a YAML text. Every letter of a scalar has a place where the text has that letter, or
 * the escape it came from; every fault has a sentence and a place in the text. */
#include "fuzz.h"
#include "io/yaml.h"
#include <ctype.h>

/* Bytes of the line break of YAML 1.1 at p, or 0. */
static size_t line_break(const uint8_t *p, size_t left) {
  if (p[0] == '\n') return 1;
  if (p[0] == '\r') return left > 1 && p[1] == '\n' ? 2 : 1;
  if (left > 1 && p[0] == 0xC2 && p[1] == 0x85) return 2;
  return left > 2 && p[0] == 0xE2 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9) ? 3 : 0;
}

/* A text and where its lines begin. */
typedef struct lined {
  const uint8_t *data;
  size_t         size, *starts;
  int            count;
} lined;

static lined find_lines(const uint8_t *data, size_t size) {
  lined text = {.data = data, .size = size, .starts = malloc((size + 2) * sizeof(size_t))};
  FUZZ_REQUIRE(text.starts != NULL);
  size_t p = size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  text.starts[text.count++] = p;
  while (p < size) {
    const size_t length = line_break(data + p, size - p);
    p += length > 0 ? length : 1;
    if (length > 0) text.starts[text.count++] = p;
  }
  return text;
}

/* The byte at a place, or -1 if the text has no such place. */
static int byte_at(const lined *text, trmi_place place) {
  if (place.line < 1 || place.line > text->count) return -1;
  size_t p = text->starts[place.line - 1];
  for (int column = 1; column < place.column; column++) {
    if (p >= text->size || line_break(text->data + p, text->size - p) > 0) return -1;
    p++;
    while (p < text->size && (text->data[p] & 0xC0) == 0x80) p++;
  }
  return p < text->size ? text->data[p] : -1;
}

static void check_text(const trmi_text *text, const lined *source) {
  FUZZ_REQUIRE(text->nanchors > 0 && text->anchors[0].offset == 0);
  FUZZ_REQUIRE(strlen(text->text) <= text->length);
  for (int i = 1; i < text->nanchors; i++) {
    FUZZ_REQUIRE(text->anchors[i].offset > text->anchors[i - 1].offset);
    FUZZ_REQUIRE(text->anchors[i].offset <= text->length);
  }
  for (size_t i = 0; i < text->length && i < 100; i++) {
    const unsigned char letter = (unsigned char)text->text[i];
    if (!isalnum(letter)) continue;
    const int there = byte_at(source, trmi_text_place(text, i));
    FUZZ_REQUIRE(there == letter || there == '\\');
  }
}

static int check_node(const trmi_yaml *node, const lined *source, int depth) {
  FUZZ_REQUIRE(depth <= TRMI_YAML_DEPTH_MAX);
  FUZZ_REQUIRE(node->place.line > 0 && node->place.column > 0);
  if (node->kind == TRMI_YAML_SCALAR) check_text(&node->text, source);
  int count = 0, all = 1;
  for (const trmi_yaml *e = node->first; e != NULL; e = e->next, count++) {
    FUZZ_REQUIRE((e->key != NULL) == (node->kind == TRMI_YAML_MAPPING));
    if (e->key != NULL) FUZZ_REQUIRE(trmi_yaml_find(node, e->key) != NULL);
    all += check_node(e, source, depth + 1);
  }
  FUZZ_REQUIRE(count == node->count);
  return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static trmi_complaints complaints;
  trmi_arena arena;
  trmi_yaml *root;
  trm_error err;
  complaints.count = 0;
  trmi_arena_init(&arena, &(trm_allocator){0});
  const trmi_yaml_source source = {.text = (const char *)data, .length = size};
  FUZZ_REQUIRE(trmi_yaml_read(&source, &arena, &complaints, &root, &err) == TRM_OK);
  if (root != NULL && complaints.count == 0) {
    const lined lines = find_lines(data, size);
    FUZZ_REQUIRE(check_node(root, &lines, 0) <= (int)size + 1);
    free(lines.starts);
  }
  for (int i = 0; i < complaints.count && i < TRMI_COMPLAINTS_MAX; i++) {
    FUZZ_REQUIRE(complaints.list[i].sentence[0] != '\0');
    FUZZ_REQUIRE(complaints.list[i].place.line > 0 && complaints.list[i].place.column > 0);
  }
  trmi_arena_clear(&arena);
  return 0;
}
