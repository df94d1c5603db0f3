/* Complaints: one for a place, the first 20 kept and all counted, in the order of the text. */
#include "check.h"
#include "core/complaint.h"
#include <string.h>

static trmi_place at(int file, int line, int column) {
  return (trmi_place){.file = file, .line = line, .column = column};
}

static void one_place_has_one_complaint(void **unused) {
  (void)unused;
  static trmi_complaints c;
  c.count = 0;
  trmi_complain(&c, at(0, 1, 2), "first %d", 1);
  trmi_complain(&c, at(0, 1, 2), "second");
  trmi_complain(&c, at(1, 1, 2), "other file");
  trmi_complain(&c, at(0, 1, 3), "other column");
  assert_int_equal(c.count, 3);
  assert_string_equal(c.list[0].sentence, "first 1");
  assert_string_equal(c.list[1].sentence, "other file");
  assert_string_equal(c.list[2].sentence, "other column");
}

static void those_without_a_place_are_all_kept(void **unused) {
  (void)unused;
  static trmi_complaints c;
  c.count = 0;
  trmi_complain(&c, at(0, 0, 0), "a");
  trmi_complain(&c, at(0, 0, 0), "b");
  assert_int_equal(c.count, 2);
}

static void the_first_twenty_are_kept_and_all_counted(void **unused) {
  (void)unused;
  static trmi_complaints c;
  c.count = 0;
  for (int i = 0; i < 50; i++) trmi_complain(&c, at(0, 50 - i, 1), "number %d", i);
  assert_int_equal(c.count, 50);
  assert_string_equal(c.list[TRMI_COMPLAINTS_MAX - 1].sentence, "number 19");
  trmi_complaints_sort(&c);
  for (int i = 0; i < TRMI_COMPLAINTS_MAX; i++) assert_int_equal(c.list[i].place.line, 31 + i);
}

static void sorting_follows_file_line_and_column(void **unused) {
  (void)unused;
  static trmi_complaints c;
  c.count = 0;
  trmi_complain(&c, at(1, 1, 1), "f");
  trmi_complain(&c, at(0, 2, 9), "d");
  trmi_complain(&c, at(0, 2, 10), "e");
  trmi_complain(&c, at(0, 1, 5), "c");
  trmi_complain(&c, at(0, 0, 0), "a");
  trmi_complain(&c, at(0, 0, 0), "b");
  trmi_complaints_sort(&c);
  for (int i = 0; i < 6; i++) {
    const char letter[] = {(char)('a' + i), '\0'};
    assert_string_equal(c.list[i].sentence, letter);
  }
}

static void a_long_sentence_ends_with_a_whole_letter(void **unused) {
  (void)unused;
  static trmi_complaints c;
  for (int shift = 0; shift < 4; shift++) {
    char text[2 * TRMI_SENTENCE_MAX];
    size_t n = 0;
    for (int i = 0; i < shift; i++) text[n++] = 'x';
    while (n + 4 < sizeof text) { /* U+20AC, three bytes */
      text[n++] = '\xe2', text[n++] = '\x82', text[n++] = '\xac';
    }
    text[n] = '\0';
    c.count = 0;
    trmi_complain(&c, at(0, 1, 1), "%s", text);
    const size_t length = strlen(c.list[0].sentence);
    assert_int_equal((length - (size_t)shift) % 3, 0);
    assert_in_range(length, TRMI_SENTENCE_MAX - 3, TRMI_SENTENCE_MAX - 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_place_has_one_complaint),
      cmocka_unit_test(those_without_a_place_are_all_kept),
      cmocka_unit_test(the_first_twenty_are_kept_and_all_counted),
      cmocka_unit_test(sorting_follows_file_line_and_column),
      cmocka_unit_test(a_long_sentence_ends_with_a_whole_letter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
