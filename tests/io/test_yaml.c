/* test_yaml.c - the tree of a YAML text, the places in it, and what is refused. */
#include "check.h"
#include "io/yaml.h"
#include <string.h>
#include <time.h>

/* A text that was read. */
typedef struct reading {
  trmi_arena      arena;
  trmi_complaints complaints;
  trmi_yaml      *root;
} reading;

static void read_bytes(reading *r, const char *text, size_t length) {
  trm_error err;
  *r = (reading){.root = NULL};
  trmi_arena_init(&r->arena, &(trm_allocator){0});
  const trmi_yaml_source source = {.text = text, .length = length};
  CHECK_OK(trmi_yaml_read(&source, &r->arena, &r->complaints, &r->root, &err), err);
}

static void read_good(reading *r, const char *text) {
  read_bytes(r, text, strlen(text));
  if (r->complaints.count > 0) fail_msg("%s: %s", text, r->complaints.list[0].sentence);
  assert_non_null(r->root);
}

/* The only complaint stands at this place and has this part. */
static void refuses(const char *text, int line, int column, const char *part) {
  reading r;
  read_bytes(&r, text, strlen(text));
  if (r.complaints.count != 1) fail_msg("%s: %d complaints", text, r.complaints.count);
  const trmi_complaint *c = &r.complaints.list[0];
  if (c->place.line != line || c->place.column != column || strstr(c->sentence, part) == NULL) {
    fail_msg("%s: %d:%d: %s, expected %d:%d: %s", text, c->place.line, c->place.column,
             c->sentence, line, column, part);
  }
  trmi_arena_clear(&r.arena);
}

/* The part of the text at key x that begins with `word` stands at line:column. */
static void stands_at(const char *text, const char *word, int line, int column) {
  reading r;
  read_good(&r, text);
  const trmi_yaml *x = trmi_yaml_find(r.root, "x");
  assert_non_null(x);
  const char *found = strstr(x->text.text, word);
  if (found == NULL) fail_msg("'%s' is not in '%s'", word, x->text.text);
  const trmi_place place = trmi_text_place(&x->text, (size_t)(found - x->text.text));
  if (place.line != line || place.column != column) {
    fail_msg("%s: '%s' at %d:%d, expected %d:%d", text, word, place.line, place.column, line,
             column);
  }
  trmi_arena_clear(&r.arena);
}

static void entries_keep_their_order_and_places(void **state) {
  (void)state;
  reading r;
  read_good(&r, "a: 1\nlist: [2, 'three', {b: 4}]\nmap:\n  c: 5\n");
  assert_int_equal(r.root->kind, TRMI_YAML_MAPPING);
  assert_int_equal(r.root->count, 3);
  const trmi_yaml *list = trmi_yaml_find(r.root, "list");
  assert_int_equal(list->kind, TRMI_YAML_SEQUENCE);
  assert_true(list->is_flow);
  assert_string_equal(list->first->text.text, "2");
  assert_string_equal(list->first->next->text.text, "three");
  assert_true(list->first->next->is_quoted);
  const trmi_yaml *c = trmi_yaml_find(trmi_yaml_find(r.root, "map"), "c");
  assert_int_equal(c->key_place.line, 4);
  assert_int_equal(c->key_place.column, 3);
  assert_int_equal(c->place.column, 6);
  assert_null(trmi_yaml_find(r.root, "d"));
  trmi_arena_clear(&r.arena);
}

static void json_is_read(void **state) {
  (void)state;
  reading r;
  read_good(&r, "{\n\t\"a\": [1, 2.5e-3, \"x\\u00e9y\"],\n\t\"b\": {\"c\": null}\n}\n");
  const trmi_yaml *a = trmi_yaml_find(r.root, "a");
  assert_int_equal(a->count, 3);
  assert_string_equal(a->last->text.text, "x\xc3\xa9y");
  assert_true(trmi_yaml_is_missing(trmi_yaml_find(trmi_yaml_find(r.root, "b"), "c")));
  trmi_arena_clear(&r.arena);
}

static void missing_values_are_told_from_empty_texts(void **state) {
  (void)state;
  reading r;
  read_good(&r, "a:\nb: ~\nc: ''\nd: null\ne: \"null\"\n");
  const bool expected[] = {true, true, false, true, false};
  int i = 0;
  for (const trmi_yaml *e = r.root->first; e != NULL; e = e->next) {
    assert_int_equal(trmi_yaml_is_missing(e), expected[i++]);
  }
  trmi_arena_clear(&r.arena);
}

static void every_letter_of_a_scalar_has_its_place(void **state) {
  (void)state;
  stands_at("x: one two", "two", 1, 8);
  stands_at("x:   one", "one", 1, 6);
  stands_at("x: '\xc3\xa9\xc3\xa9 two'", "two", 1, 8); /* letters, not bytes */
  stands_at("\xc3\xa9: 0\nx: two", "two", 2, 4);
  stands_at("x: 'it''s two'", "two", 1, 11);
  stands_at("x: \"a\\tb\\u00e9 two\"", "two", 1, 16);
  stands_at("x: \"a\\\n   b two\"", "two", 2, 6);
  stands_at("x: one\n  two\n\n  three", "two", 2, 3);
  stands_at("x: one\n  two\n\n  three", "three", 4, 3);
  stands_at("x: 'one\n  two   \n  three'", "three", 3, 3);
  stands_at("x: |\n  one\n    two\n", "two", 3, 5);
  stands_at("x: >\n  one\n  two\n\n  three\n", "three", 5, 3);
  stands_at("x: |2\n   one\n", "one", 2, 4);
  stands_at("x: | # comment\n\n  one\n", "one", 3, 3);
  stands_at("a: 0\r\nx: |\r\n  one\r\n  two\r\n", "two", 4, 3);
  stands_at("{\"y\": 1, \"x\": \"one two\"}", "two", 1, 20);
  stands_at("\xef\xbb\xbfx: two", "two", 1, 4); /* the mark of some editors is no letter */
}

static void faults_have_a_sentence_and_a_place(void **state) {
  (void)state;
  refuses("a: 1\nb: 2\na: 3\n", 3, 1, "'a' is given twice, first in line 1");
  refuses("a:\n\tb: 1\n", 2, 1, "tab");
  refuses("a: *b\n", 1, 4, "alias");
  refuses("a: !!int 3\n", 1, 4, "tag");
  refuses("a: &b 3\n", 1, 4, "anchor");
  refuses("a: 1\n---\nb: 2\n", 2, 1, "second document");
  refuses("a: [1, 2\n", 2, 1, "',' or ']'");
  refuses("a: {b: 1\n", 2, 1, "',' or '}'");
  refuses("a: 'b\n\n", 1, 4, "not closed");
  refuses("a: b: c\n", 1, 5, "second ': '");
  refuses("a: 1\n  b: 2\n", 2, 4, "indented");
  refuses("a: @b\n", 1, 4, "quotes");
  refuses("a: \"\\q\"\n", 1, 5, "escape");
  refuses("? [a]\n: 1\n", 1, 3, "key must be a text");
  refuses("a: b\xff\n", 1, 5, "UTF-8");
  refuses("a: \"\\0\"\n", 1, 4, "zero byte");
  refuses("a:\n b\n: 1\n", 3, 1, "key");
}

static void twice_is_found_in_long_mappings_too(void **state) {
  (void)state;
  char text[2000];
  size_t used = 0;
  for (int i = 0; i < 100; i++) used += (size_t)sprintf(text + used, "a%d: 0\n", i % 90);
  reading r;
  read_bytes(&r, text, used);
  assert_int_equal(r.complaints.count, 10);
  trmi_complaints_sort(&r.complaints);
  assert_int_equal(r.complaints.list[0].place.line, 91);
  trmi_arena_clear(&r.arena);
}

/* n times `part` after `head`. */
static char *repeat(const char *head, const char *part, size_t n, size_t *length) {
  const size_t a = strlen(head), b = strlen(part);
  char *text = malloc(a + b * n + 1);
  assert_non_null(text);
  memcpy(text, head, a);
  for (size_t i = 0; i < n; i++) memcpy(text + a + i * b, part, b);
  *length = a + b * n;
  text[*length] = '\0';
  return text;
}

static void no_text_of_a_megabyte_hangs(void **state) {
  (void)state;
  static const char *const parts[][2] = {
    {"", "["}, {"", "{"}, {"", "- "}, {"", "? "}, {"x: [", "a,"}, {"x: [", "'a',"},
    {"x: \"", "\\x41"}, {"x: '", "''"}, {"x: |\n", " a\n"}, {"x:\n", " a\n"}, {"x: ", "a  "},
    {"", "#\n"}, {"", "?\n"}, {"x: ", "&a "}, {"", "---\n"}, {"", "a: "}, {"x: ", "\t"},
    {"", "- - "}, {"{", "a,"}, {"", "\xe2\x80\xa8"}, {"x: \"", "\xe2\x80\xa8"}, {"", "a: {b: c}\n"},
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    size_t length;
    char *text = repeat(parts[i][0], parts[i][1], 1000000 / strlen(parts[i][1]), &length);
    reading r;
    const clock_t start = clock();
    read_bytes(&r, text, length);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    /* half a second where it is slowest; sanitizers and busy machines take ten times that */
    CHECK_BETWEEN(seconds, 0, 10, "seconds for '%s'", parts[i][1]);
    trmi_arena_clear(&r.arena);
    free(text);
  }
}

static void limits_are_kept(void **state) {
  (void)state;
  reading r;
  size_t length;
  char *text = repeat("", "[", 65, &length);
  read_bytes(&r, text, length);
  assert_non_null(strstr(r.complaints.list[0].sentence, "deeper than 64"));
  trmi_arena_clear(&r.arena);
  free(text);
  text = repeat("[", "a,", 2000001, &length);
  read_bytes(&r, text, length);
  assert_non_null(strstr(r.complaints.list[0].sentence, "2 million"));
  trmi_arena_clear(&r.arena);
  read_bytes(&r, text, (size_t)TRMI_YAML_BYTES_MAX + 1); /* is not looked into */
  assert_non_null(strstr(r.complaints.list[0].sentence, "16 MB"));
  trmi_arena_clear(&r.arena);
  free(text);
}

static void the_tree_can_be_changed(void **state) {
  (void)state;
  reading r;
  read_good(&r, "a: {b: 1}\n");
  trmi_yaml *a = trmi_yaml_find(r.root, "a");
  const trmi_place place = {.line = 7, .column = 5};
  trmi_yaml *c = trmi_yaml_add(a, "c", place, TRMI_YAML_SCALAR, &r.arena);
  assert_true(trmi_yaml_set(c, "2 m", 3, place, &r.arena));
  assert_int_equal(a->count, 2);
  assert_string_equal(trmi_yaml_find(a, "c")->text.text, "2 m");
  assert_int_equal(trmi_text_place(&c->text, 2).column, 7);
  trmi_arena_clear(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(entries_keep_their_order_and_places),
    cmocka_unit_test(json_is_read),
    cmocka_unit_test(missing_values_are_told_from_empty_texts),
    cmocka_unit_test(every_letter_of_a_scalar_has_its_place),
    cmocka_unit_test(faults_have_a_sentence_and_a_place),
    cmocka_unit_test(twice_is_found_in_long_mappings_too),
    cmocka_unit_test(no_text_of_a_megabyte_hangs),
    cmocka_unit_test(limits_are_kept),
    cmocka_unit_test(the_tree_can_be_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
