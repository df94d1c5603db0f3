/* The registry of methods is complete, and its statements about each method are true. */
#include "methods.h"
#include "trammel/problems.h"
#include "unit/kit.h"
#include <string.h>

static const unsigned options[] = {TRM_READS_ALPHA,     TRM_READS_RHO,    TRM_READS_COEFFICIENTS,
                                   TRM_READS_MAX_ORDER, TRM_READS_PASSES, TRM_READS_ENERGY,
                                   TRM_READS_ERROR_IN,  TRM_READS_SCALING};
static const unsigned tasks[] = {TRM_SUITS_MOST,   TRM_SUITS_TIGHT,    TRM_SUITS_FREE,
                                 TRM_SUITS_DRIVEN, TRM_SUITS_SINGULAR, TRM_SUITS_REDUNDANT,
                                 TRM_SUITS_UNNAMED};
enum { OPTIONS = sizeof options / sizeof *options, TASKS = sizeof tasks / sizeof *tasks };

static void every_task_has_one_method_and_every_option_a_reader(void **unused) {
  (void)unused;
  const trm_method *method;
  for (int k = 0; k < TASKS; k++) {
    int n = 0;
    for (int i = 0; (method = trm_method_at(i)) != NULL; i++) n += (method->suits & tasks[k]) != 0;
    assert_int_equal(n, 1);
  }
  for (int k = 0; k < OPTIONS; k++) {
    char names[80];
    trm_method_readers(options[k], ", ", names, sizeof names);
    assert_true(names[0] != '\0');
  }
}

static void names_are_found_and_unique(void **unused) {
  (void)unused;
  const trm_method *method;
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    assert_ptr_equal(trm_method_find(method->name), method);
    assert_true(method->meaning[strlen(method->meaning) - 1] == '.');
    const trm_formulation *form = method->formulations;
    assert_ptr_equal(trm_method_formulation(method, NULL), form);
    for (; form->name != NULL; form++) {
      assert_ptr_equal(trm_method_formulation(method, form->name), form);
    }
    assert_null(trm_method_formulation(method, "none"));
  }
  assert_null(trm_method_find("none"));
  assert_null(trm_method_at(-1));
}

static void lists_are_cut_off_at_their_size(void **unused) {
  (void)unused;
  char names[8];
  trm_method_readers(0, ",", names, sizeof names);
  assert_string_equal(names, "hht,alp");
  assert_true(trm_method_group(0, names, sizeof names));
  assert_string_equal(names, "hht, al");
}

static trm_status note_order(void *self, const trm_step_record *record, trm_error *err) {
  (void)err;
  *(int *)self = record->order;
  return TRM_OK;
}

/* Create a simulation of a pendulum with fixed steps, and make one; its order. */
static trm_status try_step(const trm_options *given, int *order, trm_error *err) {
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  bool done;
  CHECK_OK(trm_problem_create(trm_problem_find("unit-pendulum"), NULL, 0, NULL, &system, err),
           *err);
  trm_status status = trm_sim_create(system, given, &sim, err);
  const trm_sink sink = {.self = order, .step = note_order};
  if (status == TRM_OK) status = trm_sim_add_sink(sim, &sink, err);
  if (status == TRM_OK) status = trm_sim_step(sim, &done, err);
  trm_sim_free(sim);
  trm_system_free(system);
  return status;
}

static trm_options fixed(const trm_method *method, const trm_formulation *form) {
  trm_options o = trm_options_default();
  o.integrator = method->name, o.formulation = form->name;
  o.end = 1.0, o.steps[0] = 0.01, o.nsteps = 1;
  return o;
}

static void orders_are_those_of_the_steps(void **unused) {
  (void)unused;
  for (int i = 0; i < all_methods(); i++) {
    const trm_method *method = trm_method_find(methods[i]);
    for (const trm_formulation *form = method->formulations; form->name != NULL; form++) {
      const trm_options o = fixed(method, form);
      trm_error err;
      int order = 0;
      CHECK_OK(try_step(&o, &order, &err), err);
      if (order == form->order) continue;
      fail_msg("%s %s: order %d, not %d", method->name, form->name, order, form->order);
    }
  }
}

static trm_options with(trm_options o, unsigned option) {
  switch (option) {
  case TRM_READS_ALPHA: o.alpha = -0.1, o.has_alpha = true; break;
  case TRM_READS_RHO: o.rho = 0.5, o.has_rho = true; break;
  case TRM_READS_COEFFICIENTS:
    o.has_coefficients = true, o.alpha_f = 0.3, o.beta = 0.4225, o.gamma = 0.8;
    break;
  case TRM_READS_MAX_ORDER: o.max_order = 5; break;
  case TRM_READS_PASSES: o.passes = 3; break;
  case TRM_READS_SCALING: o.scaling = "b"; break;
  case TRM_READS_ERROR_IN: o.error_in = "velocities"; break;
  default: o.step_control = "energy", o.nsteps = 0; break;
  }
  return o;
}

/* Taken by the methods that read them and by no other, with a sentence that names the readers. */
static void options_are_taken_by_their_readers_alone(void **unused) {
  (void)unused;
  for (int k = 0; k < OPTIONS * all_methods(); k++) {
    const trm_method *method = trm_method_find(methods[k / OPTIONS]);
    const unsigned option = options[k % OPTIONS];
    for (const trm_formulation *form = method->formulations; form->name != NULL; form++) {
      const trm_options o = with(fixed(method, form), option);
      const bool is_read = (method->reads & option) != 0, is_taken = (form->ignores & option) == 0;
      trm_error err;
      int order;
      char readers[80];
      const trm_status status = try_step(&o, &order, &err);
      if (is_read && is_taken) {
        CHECK_OK(status, err);
        continue;
      }
      assert_int_equal(status, TRM_ERR_INPUT);
      trm_method_readers(option, " and ", readers, sizeof readers);
      if (!is_read) assert_non_null(strstr(err.message, readers));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_task_has_one_method_and_every_option_a_reader),
    cmocka_unit_test(names_are_found_and_unique),
    cmocka_unit_test(lists_are_cut_off_at_their_size),
    cmocka_unit_test(orders_are_those_of_the_steps),
    cmocka_unit_test(options_are_taken_by_their_readers_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
