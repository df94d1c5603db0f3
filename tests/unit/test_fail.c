/* Errors: written once, completed on the way up, never longer than their fields. */
#include "check.h"
#include "core/fail.h"
#include "trammel/system.h"
#include <string.h>

static void raising_writes_sentence_object_and_status(void **unused) {
  (void)unused;
  trm_error err;
  CHECK_STATUS(TRMI_FAIL(&err, TRM_ERR_INPUT, "body 'a'", "mass %g", -1.0), TRM_ERR_INPUT);
  assert_int_equal(err.status, TRM_ERR_INPUT);
  assert_string_equal(err.message, "mass -1");
  assert_string_equal(err.object, "body 'a'");
  assert_true(isnan(err.t) && isnan(err.h));
  assert_int_equal(err.depth, 1);
  assert_string_equal(err.trail[0], __func__);
}

static void long_texts_are_cut_and_closed(void **unused) {
  (void)unused;
  char text[1000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  trm_error err;
  CHECK_STATUS(TRMI_FAIL(&err, TRM_ERR_IO, text, "%s", text), TRM_ERR_IO);
  assert_int_equal(strlen(err.message), TRM_MESSAGE_MAX - 1);
  assert_int_equal(strlen(err.object), TRM_OBJECT_MAX - 1);
}

static void without_a_place_for_the_error_only_the_status_is_left(void **unused) {
  (void)unused;
  CHECK_STATUS(TRMI_FAIL(NULL, TRM_ERR_ORDER, NULL, "nobody reads this"), TRM_ERR_ORDER);
  CHECK_STATUS(trmi_note(NULL, "f", TRM_ERR_ORDER), TRM_ERR_ORDER);
  CHECK_STATUS(trmi_note_time(NULL, 1.0, 2.0, TRM_ERR_ORDER), TRM_ERR_ORDER);
}

static trm_status deep(int levels, trm_error *err) {
  if (levels == 0) return trm_fail(err, TRM_ERR_SINGULAR, NULL, "50% of it");
  TRMI_TRY(err, deep(levels - 1, err));
  return TRM_OK;
}

static void trail_keeps_the_innermost_functions(void **unused) {
  (void)unused;
  trm_error err;
  CHECK_STATUS(deep(20, &err), TRM_ERR_SINGULAR);
  assert_string_equal(err.message, "50% of it"); /* a sentence is no format */
  assert_int_equal(err.depth, TRM_TRAIL_MAX);
  assert_string_equal(err.trail[0], "trm_fail");
  for (int i = 1; i < TRM_TRAIL_MAX; i++) assert_string_equal(err.trail[i], "deep");
}

static void the_first_time_and_step_stay(void **unused) {
  (void)unused;
  trm_error err;
  CHECK_STATUS(TRMI_FAIL(&err, TRM_ERR_STEP, NULL, "x"), TRM_ERR_STEP);
  CHECK_STATUS(trmi_note_time(&err, 0.5, 1e-3, TRM_ERR_STEP), TRM_ERR_STEP);
  CHECK_STATUS(trmi_note_time(&err, 0.7, 1e-4, TRM_ERR_STEP), TRM_ERR_STEP);
  assert_true(err.t == 0.5 && err.h == 1e-3);
}

static void every_status_has_a_name_of_its_own(void **unused) {
  (void)unused;
  for (int a = TRM_ERR_STOPPED; a <= TRM_RETRY_SINGULAR; a++) {
    const char *name = trm_status_name((trm_status)a);
    assert_int_equal(strncmp(name, "TRM_", 4), 0);
    for (int b = TRM_ERR_STOPPED; b < a; b++) {
      assert_string_not_equal(name, trm_status_name((trm_status)b));
    }
  }
  assert_string_equal(trm_status_name((trm_status)99), "unknown status");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(raising_writes_sentence_object_and_status),
      cmocka_unit_test(long_texts_are_cut_and_closed),
      cmocka_unit_test(without_a_place_for_the_error_only_the_status_is_left),
      cmocka_unit_test(trail_keeps_the_innermost_functions),
      cmocka_unit_test(the_first_time_and_step_stay),
      cmocka_unit_test(every_status_has_a_name_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
