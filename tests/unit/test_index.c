/* test_index.c - names and their numbers. */
#include "check.h"
#include "core/index.h"
#include "fault/memory.h"
#include <stdio.h>
#include <string.h>

enum { MANY = 5000 };

static void every_name_is_found(void **state) {
  (void)state;
  static char names[MANY][12];
  const trm_allocator none = {0};
  trmi_arena arena;
  trmi_index index = {.size = 0};
  trmi_arena_init(&arena, &none);
  assert_int_equal(trmi_index_find(&index, "a", 1), -1);
  for (int i = 0; i < MANY; i++) {
    snprintf(names[i], sizeof names[i], "link%d", i);
    trmi_index_add(&index, &arena, names[i], strlen(names[i]), i);
  }
  for (int i = 0; i < MANY; i++) {
    assert_int_equal(trmi_index_find(&index, names[i], strlen(names[i])), i);
  }
  assert_int_equal(trmi_index_find(&index, "link", 4), -1);
  assert_int_equal(trmi_index_find(&index, "link5000", 8), -1);
  assert_int_equal(trmi_index_find(&index, "link12.end", 6), 12); /* only its letters count */
  assert_int_equal((int)index.count, MANY);
  trmi_arena_clear(&arena);
}

static void the_first_of_equal_names_stays(void **state) {
  (void)state;
  const trm_allocator none = {0};
  trmi_arena arena;
  trmi_index index = {.size = 0};
  trmi_arena_init(&arena, &none);
  trmi_index_add(&index, &arena, "pin", 3, 4);
  trmi_index_add(&index, &arena, "pin", 3, 9);
  trmi_index_add(&index, &arena, "", 0, 2);
  assert_int_equal(trmi_index_find(&index, "pin", 3), 4);
  assert_int_equal(trmi_index_find(&index, "", 0), 2);
  trmi_arena_clear(&arena);
}

static void memory_may_end(void **state) {
  (void)state;
  meter m = {.fail_at = 1};
  const trm_allocator allocator = meter_allocator(&m);
  trmi_arena arena;
  trmi_index index = {.size = 0};
  trmi_arena_init(&arena, &allocator);
  trmi_index_add(&index, &arena, "pin", 3, 4);
  assert_true(arena.failed);
  assert_int_equal(trmi_index_find(&index, "pin", 3), -1);
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_name_is_found),
    cmocka_unit_test(the_first_of_equal_names_stays),
    cmocka_unit_test(memory_may_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
