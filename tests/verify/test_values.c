/* test_values.c - values of a built system that are set count as if it had been built with them:
 * all of all shipped models and elements. */
#include "element/samples.h"
#include "sanitized.h"
#include "verify/value_runs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One value of so many: all in the long form and, without sanitizers, of elements. Neither has a
 * divisor in common with the seven numbers below, so that all of these take part. */
static int stride_of_models(void) {
  return getenv("TRM_LONG") != NULL ? 1 : IS_SANITIZED ? 11 : 3;
}
enum { STRIDE_OF_ELEMENTS = IS_SANITIZED ? 11 : 1 };

/* Numbers at which equations could be made otherwise: zero, the other sign, half a turn, half a
 * turn away, one. The short form takes one of them for each value. */
static void check_value(const char *file, const char *shipped, trm_system *set,
                        const trm_options *options, int i, tally *sum) {
  trm_error err = {.message = ""};
  trm_value value;
  trm_system_value_at(set, i, &value);
  const double old = value.number, pi = acos(-1.0);
  const double numbers[] = {old == 0.0 ? 0.01 : 1.03125 * old, -old, 0.0, old + pi, pi, 1.0, -1.0};
  const int count = (int)(sizeof numbers / sizeof *numbers);
  const int first = getenv("TRM_LONG") != NULL ? 0 : i % count;
  const int end = getenv("TRM_LONG") != NULL ? count : first + 1;
  for (int k = first; k < end; k++) {
    check_number(file, shipped, set, options, &value, numbers[k], sum);
  }
  if (value.change == TRM_CHANGE_STRUCTURAL) return;
  CHECK_OK(trm_system_set(set, value.name, old, &err), err);
}

/* Values one after the other. */
static tally check_model(typed *m, const char *name, int stride) {
  static outcome before, after;
  trm_error err = {.message = ""};
  plain_text plain = {NULL, 0, 0};
  tally sum = {0, 0, 0};
  trm_model *models[2];
  int count;
  CHECK_OK(trm_model_write_yaml(m->model, append, &plain, &err), err);
  trm_system *set = build(plain.text, NULL, &models[0], &err);
  trm_system *fresh = build(plain.text, NULL, &models[1], &err);
  assert_true(set != NULL && fresh != NULL);
  CHECK_OK(trm_system_value_count(set, &count, &err), err);
  for (int i = 0; i < count; i += stride) {
    check_value(plain.text, name, set, &m->options, i, &sum);
    check_tapes(set, fresh, name, "a value set back");
  }
  run(set, &m->options, &after);
  run(fresh, &m->options, &before);
  check_same(&after, &before, name, "all values set back");
  trm_system_free(set);
  trm_system_free(fresh);
  for (int k = 0; k < 2; k++) trm_model_free(models[k]);
  free(plain.text);
  return sum;
}

/* The frame is reduced anew for every value: two minutes, for the long form alone. */
static void every_value_of_every_model_counts_as_if_built_with_it(void **state) {
  (void)state;
  for (int k = 0; k < trm_shipped_model_count(); k++) {
    const char *name = trm_shipped_model_at(k)->name;
    const bool takes_long = strcmp(name, "ladder-frame") == 0 && getenv("TRM_LONG") == NULL;
    if (typed_is_large(name) || takes_long) continue;
    typed m = typed_model(name, NULL);
    const tally sum = check_model(&m, name, stride_of_models());
    print_message("%-24s %4d set, %3d structural, %3d refused\n", name, sum.set, sum.structural,
                  sum.refused);
    assert_true(sum.set > 0 || stride_of_models() > 1);
    typed_close(&m);
  }
}

static void every_value_of_every_element_counts_as_if_built_with_it(void **state) {
  char text[8000];
  (void)state;
  for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
    snprintf(text, sizeof text, "%sgravity: [.4, -.3, -9.81]\n%s", sample_bodies, samples[k].text);
    typed m = typed_text(text, samples[k].type, NULL);
    const tally sum = check_model(&m, samples[k].text, STRIDE_OF_ELEMENTS);
    assert_true(STRIDE_OF_ELEMENTS * sum.set > 20); /* of bodies and markers alone there are more */
    typed_close(&m);
  }
}

/* Numbers at which folding once took another way than a build with them: components of axes that
 * become one and cease to be, a factor 1/2 that is made of a parameter, a zero with a sign. */
static void numbers_at_which_rules_would_change(void **state) {
  const double pi = acos(-1.0);
  const struct { const char *model, *name; double numbers[4]; } cases[] = {
      {"geneva", "bodies.wheel.orientation.vector.3", {pi, 0.0, 1.25 * pi}},
      {"geneva", "bodies.tips.orientation.vector.3", {pi, -pi}},
      {"pushed-cart", "M", {1.0, 2.0, 0.5, 1.0}},
      {"governor", "theta0", {0.0, -0.25, 0.0}},
  };
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    trm_error err = {.message = ""};
    plain_text plain = {NULL, 0, 0};
    tally sum = {0, 0, 0};
    trm_model *model;
    trm_value value;
    typed m = typed_model(cases[k].model, NULL);
    CHECK_OK(trm_model_write_yaml(m.model, append, &plain, &err), err);
    trm_system *set = build(plain.text, NULL, &model, &err);
    assert_non_null(set);
    CHECK_OK(trm_system_value(set, cases[k].name, &value, &err), err);
    for (int i = 0; i < 4; i++) {
      check_number(plain.text, cases[k].model, set, &m.options, &value, cases[k].numbers[i], &sum);
    }
    check_number(plain.text, cases[k].model, set, &m.options, &value, value.number, &sum);
    assert_true(sum.set > 2 && sum.structural == 0);
    trm_system_free(set);
    trm_model_free(model);
    free(plain.text);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_value_of_every_model_counts_as_if_built_with_it),
    cmocka_unit_test(every_value_of_every_element_counts_as_if_built_with_it),
    cmocka_unit_test(numbers_at_which_rules_would_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
