/* test_parse_texts.c - the parser on whole texts: bytes and places, nesting and length, memory,
 * conditions and tables that are held. */
#include "unit/parsing.h"

static void other_bytes_are_named(void **unused) {
  (void)unused;
  static const fault list[] = {
      {"x \xff y", 2, "the byte 0xff is not text: expressions are UTF-8"},
      {"x \xc3", 2, "the byte 0xc3 is not text: expressions are UTF-8"},
      {"\xed\xa0\x80", 0, "the byte 0xed is not text: expressions are UTF-8"},
      {"x \x01", 2, "a control character (code 1) is not allowed here"},
      {"x \x7f", 2, "a control character (code 127) is not allowed here"},
      {"x \xe2\x88\x92 y", 2, "'\xe2\x88\x92' (U+2212) is not read here; write '-'"},
      {"x\xe2\x80\x99", 1, "'\xe2\x80\x99' (U+2019) is not read here; write \"'\""},
      {"x\xc2\xb2", 1, "'\xc2\xb2' (U+00B2) is not read here; write '^2'"},
      {"\xcf\x89 + x y", 0, "'\xcf\x89' is not known"},
      {"x \xe2\x82\xac", 2, "'\xe2\x82\xac' has no meaning in an expression"},
  };
  xp_scope s;
  xp_open(&s, false);
  check_faults(&s, list, sizeof list / sizeof list[0]);
  const fault zero = {"x\0y", 1, "a control character (code 0) is not allowed here"};
  check_fault(&s, &zero, 3);
  /* columns count letters */
  const fault letters = {"x*(1 + 2) + \xcf\x86\xcf\x86", 12, "'\xcf\x86\xcf\x86' is not known"};
  check_fault(&s, &letters, strlen(letters.text));
  xp_close(&s);
}

static void places_follow_the_lines_of_the_file(void **unused) {
  (void)unused;
  /* three lines of a block in a file, indented by 6; the last two bytes of "aé" are one letter */
  const char *text = "1 +\na\xc3\xa9 +\nbad + 2\nx";
  const trmi_anchor anchors[] = {
      {0, {.file = 2, .line = 10, .column = 7}}, {4, {.file = 2, .line = 12, .column = 7}},
      {10, {.file = 2, .line = 13, .column = 7}}};
  const trmi_text t = {.text = text, .length = strlen(text), .anchors = anchors, .nanchors = 3};
  static const struct {
    size_t offset;
    int    line, column;
  } cases[] = {{0, 10, 7}, {2, 10, 9}, {4, 12, 7}, {5, 12, 8}, {6, 12, 8}, {7, 12, 9},
               {10, 13, 7}, {13, 13, 10}, {18, 14, 1}, {19, 14, 2}, {99, 14, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const trmi_place place = trmi_text_place(&t, cases[i].offset);
    assert_int_equal(place.file, 2);
    assert_int_equal(place.line, cases[i].line);
    assert_int_equal(place.column, cases[i].column);
  }
  /* the parser finds the same */
  xp_scope s;
  xp_open(&s, false);
  const char *wrong = "1 +\nx +\nbad + 2";
  const trmi_anchor lines[] = {{0, {.file = 1, .line = 3, .column = 9}},
                               {4, {.file = 1, .line = 4, .column = 5}},
                               {8, {.file = 1, .line = 6, .column = 5}}};
  const trmi_text w = {.text = wrong, .length = strlen(wrong), .anchors = lines, .nanchors = 3};
  const trmi_parser parser = {.graph = &s.graph, .scope = &s.scope, .units = &s.units,
                              .complaints = &s.complaints};
  trmi_meaning term;
  assert_false(trmi_parse(&parser, &w, &term));
  const trmi_place place = s.complaints.list[0].place;
  assert_int_equal(place.file, 1);
  assert_int_equal(place.line, 6);
  assert_int_equal(place.column, 5);
  xp_close(&s);
}

/* Nodes know where they were written. */
static void nodes_have_the_place_of_their_operator(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  assert_int_equal(trmi_graph_place(&s.graph, xp_read(&s, "x + y*z").node).column, 13);
  assert_int_equal(trmi_graph_place(&s.graph, xp_read(&s, "sqrt(x - 7)").node).column, 11);
  assert_int_equal(trmi_graph_place(&s.graph, xp_read(&s, "   x/z").node).column, 15);
  xp_close(&s);
}

static void nesting_ends_with_a_sentence(void **unused) {
  (void)unused;
  static const struct {
    const char *unit, *middle, *close;
    int         levels; /* that are allowed */
  } cases[] = {{"(", "x", ")", 199}, {"sin(", "x", ")", 199}, {"2^", "x", "", 199},
               {"-(", "x", ")", 199}, {"if(x < 0, 1, ", "x", ")", 199}};
  xp_scope s;
  xp_open(&s, false);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int more = 0; more < 2; more++) {
      const int levels = cases[i].levels + more;
      char *inner = repeated(cases[i].middle, cases[i].close, levels, "");
      char *text = repeated("", cases[i].unit, levels, inner);
      trmi_meaning term;
      s.complaints.count = 0;
      assert_int_equal(xp_read_bytes(&s, text, strlen(text), &term), more == 0);
      if (more == 1) {
        assert_string_equal(s.complaints.list[0].sentence,
                            "more than 200 levels of parentheses and exponents");
      }
      free(text);
      free(inner);
    }
  }
  xp_close(&s);
}

/* A megabyte of each must be read or refused at once; a test of time would fail on slow
 * machines, but what is quadratic takes minutes here. */
static void long_texts_are_read_in_linear_time(void **unused) {
  (void)unused;
  static const struct {
    const char *before, *unit, *after;
  } cases[] = {
      {"x", "+x*y", ""}, {"x", "*y", ""}, {"x", "/y", ""}, {"", "-", "x"}, {"", "+", "x"},
      {"", "(", ""}, {"", "2^", "x"}, {"", "x ", ""}, {"max(x", ",y", ")"}, {"", "a", ""},
      {"", "a.", "b"}, {"", "1", ""}, {"", "0.", ""}, {"1 m", "*m", ""}, {"", "not ", "x < 1"},
      {"x < 0", " and x < 0", ""}, {"x", "'", ""}, {"", " ", ""}, {"", "\n", "+"},
      {"1e", "9", ""}, {"if(", "if(", ""}, {"sin(x)", "+sin(x)", ""}, {"", "\xc3\xa9", ""},
      {"POLY(x, 0", ", 1", ")"}, {"2 N*s", "+2 N*s", ""}, {"x", "+1 mm", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    xp_scope s;
    xp_open(&s, false);
    const int times = 1000000 / (int)strlen(cases[i].unit);
    char *text = repeated(cases[i].before, cases[i].unit, times, cases[i].after);
    trmi_meaning term;
    const bool is_right = xp_read_bytes(&s, text, strlen(text), &term);
    assert_int_equal(s.complaints.count, is_right ? 0 : 1);
    assert_false(s.graph.failed);
    free(text);
    xp_close(&s);
  }
}

static void names_that_are_faulty_stop_without_a_word(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  trmi_meaning term;
  s.is_faulty = true;
  assert_false(xp_read_bytes(&s, "1/x", 3, &term));
  assert_int_equal(s.complaints.count, 0);
  /* or the scope complains itself */
  s.is_faulty = false;
  s.says = "x goes in circles";
  assert_false(xp_read_bytes(&s, "1/x", 3, &term));
  assert_int_equal(s.complaints.count, 1);
  assert_string_equal(s.complaints.list[0].sentence, "x goes in circles");
  assert_int_equal(s.complaints.list[0].place.column, 13);
  xp_close(&s);
}

static void a_whole_text_may_be_a_condition(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  trmi_meaning term = xp_read(&s, "y < 0");
  assert_true(term.is_condition);
  assert_int_equal(s.graph.nodes[term.node].op, TRMI_OP_LESS);
  assert_int_equal(s.graph.nodes[term.node].a, s.symbols[2]);
  term = xp_read(&s, "(y > 0) and x <= 1");
  assert_true(term.is_condition);
  assert_false(xp_read(&s, "if(y < 0, 1, 2)").is_condition);
  xp_close(&s);
}

static void a_graph_that_is_full_is_remembered(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, false);
  s.graph.limit = 40;
  trmi_meaning term;
  char *text = repeated("x", "+sin(y*1)^7+x^3*y^5+exp(z)", 20, "");
  assert_false(xp_read_bytes(&s, text, strlen(text), &term));
  assert_true(s.graph.failed);
  assert_int_equal(term.node, 0);
  free(text);
  xp_close(&s);
}

/* Requests up to number `fail_at` are served. */
typedef struct scarce {
  int requests, fail_at, live;
} scarce;

static void *scarce_alloc(void *self, size_t bytes) {
  scarce *m = self;
  if (++m->requests >= m->fail_at) return NULL;
  m->live++;
  return malloc(bytes);
}

static void scarce_release(void *self, void *block) {
  if (block == NULL) return;
  ((scarce *)self)->live--;
  free(block);
}

static void every_allocation_may_fail(void **unused) {
  (void)unused;
  char *text = repeated("max(x", ", STEP(x, 0, 1, 2, y*z) + min(x, y)^3*spring(x)", 60, ")");
  bool is_done = false;
  for (int fail_at = 1; !is_done; fail_at++) {
    scarce memory = {.fail_at = fail_at};
    const trm_allocator allocator = {.self = &memory, .alloc = scarce_alloc,
                                     .release = scarce_release};
    xp_scope s;
    xp_open(&s, false);
    trmi_graph_free(&s.graph);
    trmi_graph_init(&s.graph, &allocator, 0);
    for (int i = 0; i < XP_NAMES; i++) s.symbols[i] = trmi_symbol(&s.graph, i);
    s.scope.is_steady = NULL;
    trmi_meaning term;
    is_done = xp_read_bytes(&s, text, strlen(text), &term);
    assert_int_equal(s.complaints.count, 0);
    assert_int_equal(s.graph.failed, !is_done);
    xp_close(&s);
    assert_int_equal(memory.live, 0);
    assert_true(fail_at < 100);
  }
  free(text);
}

/* ---- conditions that are held ---- */

static void sharp_functions_are_held_where_values_move(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    int         held;
    double      yes, no; /* value with the condition 1 and 0, at x = 2, y = 3 */
    double      asked;   /* what was asked to be above zero                   */
  } cases[] = {
      {"abs(x)", 1, 2, -2, 2},
      {"sign(x)", 1, 1, -1, 2},
      {"min(x, y)", 1, 2, 3, 1},
      {"max(x, y)", 1, 2, 3, -1},
      {"if(x < y, 1, 0)", 1, 0, 1, -1},
      {"if(x >= y, 1, 0)", 1, 1, 0, -1},
      {"if(x > y, 1, 0)", 1, 0, 1, 1},
      {"if(x <= y, 1, 0)", 1, 1, 0, 1},
      {"if(x > y and not x > y or x > y, 1, 0)", 1, 0, 1, 1},
      {"IMPACT(x, 0, 5, 10, 1, 0, 1)", 1, 0, 30, -3},
      {"IMPACT(x, 0, 5, 10, 0.5, 0, 1)", 1, 0, 17.320508075688775, -3},
      {"BISTOP(x, 0, 3, 4, 10, 1, 0, 1)", 2, 0, 10, -1},
      {"abs(gear)", 0, 2, 2, 0},
      {"if(gear == 2, x, y)", 0, 2, 2, 0},
      {"if(1 < 2, x, y)", 0, 2, 2, 0},
      {"min(gear, 1)", 0, 1, 1, 0},
      {"STEP(x, 0, 1, 1, 5)", 0, 5, 5, 0},
      {"IMPACT(x, y, 1, 1, 1.5, 1, 1)", 0, 0, 0, 0},
      {"IMPACT(gear, 0, 5, 10, 1, 0, 1)", 0, 30, 30, 0},
      {"cbrt(x)", 0, 1.2599210498948732, 1.2599210498948732, 0},
      {"CUBSPL(1 + 0*x, 0, spring)", 0, 2, 2, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    xp_scope s;
    xp_open(&s, true);
    const trmi_node n = xp_read(&s, cases[i].text).node;
    xp_inputs in = {.name = {[1] = 2.0, [2] = 3.0, [9] = 2.0}};
    if (strncmp(cases[i].text, "BISTOP", 6) == 0) in.held[1] = 1.0;
    if (s.nheld != cases[i].held) fail_msg("%s: %d held", cases[i].text, s.nheld);
    CHECK_NEAR(xp_value(&s, n, &in), cases[i].no, 1e-14, "%s, no", cases[i].text);
    if (s.nheld > 0) {
      CHECK_NEAR(xp_value(&s, s.asked[0], &in), cases[i].asked, 1e-15, "%s", cases[i].text);
    }
    in.held[0] = 1.0;
    CHECK_NEAR(xp_value(&s, n, &in), cases[i].yes, 1e-14, "%s, yes", cases[i].text);
    xp_close(&s);
  }
}

static void straight_tables_are_held_by_their_piece(void **unused) {
  (void)unused;
  xp_scope s;
  xp_open(&s, true);
  static const char *const texts[] = {"spring(x)", "TABLE(x, spring)"};
  for (int i = 0; i < 2; i++) {
    const trmi_node n = xp_read(&s, texts[i]).node;
    assert_int_equal(s.asked_piece, s.symbols[1]);
    xp_inputs in = {.name = {[1] = 0.5}, .piece = 1.0};
    CHECK_NEAR(xp_value(&s, n, &in), 1.0, 1e-15, "on its piece");
    in.name[1] = 1.25; /* beyond the piece, but held */
    CHECK_NEAR(xp_value(&s, n, &in), 2.5, 1e-15, "beyond its piece");
    in.piece = 2.0;
    CHECK_NEAR(xp_value(&s, n, &in), 2.0 - 0.25 / 1.5, 1e-15, "on the next piece");
  }
  s.asked_piece = 0;
  xp_read(&s, "spring(gear)");
  s.table_kind = TRMI_SPLINE_AKIMA;
  xp_read(&s, "spring(x)");
  assert_int_equal(s.asked_piece, 0);
  xp_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_bytes_are_named),
      cmocka_unit_test(places_follow_the_lines_of_the_file),
      cmocka_unit_test(nodes_have_the_place_of_their_operator),
      cmocka_unit_test(nesting_ends_with_a_sentence),
      cmocka_unit_test(long_texts_are_read_in_linear_time),
      cmocka_unit_test(names_that_are_faulty_stop_without_a_word),
      cmocka_unit_test(a_whole_text_may_be_a_condition),
      cmocka_unit_test(a_graph_that_is_full_is_remembered),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(sharp_functions_are_held_where_values_move),
      cmocka_unit_test(straight_tables_are_held_by_their_piece),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
