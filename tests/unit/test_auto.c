/* `auto` tries methods and uses the best one; its decisions give the same bits in a restarted run,
 * and do not depend on samples. */
#include "fault/memory.h"
#include "unit/kit.h"
#include <math.h>

enum { TAPES_MAX = 200, TURNS_MAX = 64, EVERY = 5 };

/* A run to its end. */
typedef struct ending {
  int        turns;
  trm_turn   turn[TURNS_MAX];
  double     t, q[KIT_VALUES], v[KIT_VALUES];
  kit_record record;
  kit_notes  notes;
} ending;

/* All checkpoints of a run. */
typedef struct tape {
  int    count;
  void  *data[TAPES_MAX];
  size_t size[TAPES_MAX];
} tape;

static trm_status keep(void *self, double t, const void *data, size_t size, trm_error *err) {
  (void)t, (void)err;
  tape *p = self;
  assert_true(p->count < TAPES_MAX);
  p->data[p->count] = malloc(size);
  assert_non_null(p->data[p->count]);
  memcpy(p->data[p->count], data, size);
  p->size[p->count++] = size;
  return TRM_OK;
}

static trm_options options_of(double end) {
  trm_options options = trm_options_default();
  options.integrator = "auto";
  options.end = end;
  options.checkpoint_steps = 10;
  return options;
}

/* Runs a problem, from checkpoint number `at` of `load` if that is not NULL. */
static void run(const char *problem, const trm_options *options, tape *save, const tape *load,
                int at, ending *end) {
  trm_error err;
  trm_system *system = kit_problem(problem, NULL, NULL);
  trm_sim *sim = kit_sim(system, options);
  *end = (ending){.turns = 0};
  kit_listen(sim, &end->record);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &end->notes, .message = kit_note}, &err), err);
  if (save != NULL) {
    CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = save, .checkpoint = keep}, &err), err);
  }
  if (load != NULL) CHECK_OK(trm_sim_load(sim, load->data[at], load->size[at], &err), err);
  kit_run(sim);
  const trm_state *s = trm_sim_state(sim);
  end->turns = trm_sim_turn_count(sim);
  assert_in_range(end->turns, 1, TURNS_MAX);
  for (int i = 0; i < end->turns; i++) end->turn[i] = trm_sim_turn(sim, i);
  assert_string_equal(end->turn[end->turns - 1].integrator, trm_sim_integrator(sim));
  end->t = s->t;
  for (int i = 0; i < KIT_VALUES && i < trm_system_count(system, TRM_V); i++) {
    end->q[i] = s->q[i];
    end->v[i] = s->v[i];
  }
  trm_sim_free(sim);
  trm_system_free(system);
}

static void check_same(const ending *one, const ending *two) {
  assert_int_equal(one->turns, two->turns);
  for (int i = 0; i < one->turns; i++) {
    assert_string_equal(one->turn[i].integrator, two->turn[i].integrator);
    assert_true(one->turn[i].from == two->turn[i].from);
  }
  assert_true(one->t == two->t);
  assert_memory_equal(one->q, two->q, sizeof one->q);
  assert_memory_equal(one->v, two->v, sizeof one->v);
}

static bool has_turn(const ending *end, const char *name) {
  for (int i = 0; i < end->turns; i++) {
    if (strcmp(end->turn[i].integrator, name) == 0) return true;
  }
  return false;
}

/* The crank ends where another method alone comes to at 1e-9. */
static void check_crank(const ending *end, trm_options options, const char *integrator) {
  trm_error err;
  options.integrator = integrator;
  options.tolerance = 1e-9;
  trm_system *system = kit_problem("slider-crank", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  CHECK_OK(trm_sim_run(sim, &err), err);
  assert_int_equal(trm_sim_turn_count(sim), 0); /* only `auto` has any */
  assert_true(isnan(trm_sim_turn(sim, 0).from));
  for (int i = 0; i < 7; i++) assert_true(fabs(end->q[i] - trm_sim_state(sim)->q[i]) < 1e-4);
  trm_sim_free(sim);
  trm_system_free(system);
}

static void methods_are_tried_and_the_best_one_stays(void **unused) {
  (void)unused;
  ending end;
  trm_options options = options_of(0.1);
  run("slider-crank", &options, NULL, NULL, 0, &end);
  assert_true(has_turn(&end, "radau") && has_turn(&end, "bdf"));
  assert_string_equal(end.turn[end.turns - 1].integrator, "radau");
  assert_non_null(strstr(end.notes.text, "auto takes 'radau': motion of up to about"));
  for (int i = 1; i < end.turns; i++) assert_true(end.turn[i].from > end.turn[i - 1].from);
  check_crank(&end, options, "radau");
}

static void restarted_runs_change_at_the_same_steps(void **unused) {
  (void)unused;
  tape *saved = calloc(1, sizeof *saved);
  ending *whole = calloc(2, sizeof *whole), *rest = whole + 1;
  assert_true(saved != NULL && whole != NULL);
  const trm_options options = options_of(0.1);
  run("slider-crank", &options, saved, NULL, 0, whole);
  assert_true(whole->turns >= 4 && saved->count >= 8);
  for (int at = 0; at < saved->count; at++) {
    if (at < 8 || at % EVERY == 0) {
      run("slider-crank", &options, NULL, saved, at, rest);
      check_same(whole, rest);
    }
    free(saved->data[at]);
  }
  free(saved);
  free(whole);
}

static void samples_leave_no_trace(void **unused) {
  (void)unused;
  ending *many = calloc(2, sizeof *many), *few = many + 1;
  assert_non_null(many);
  trm_options options = options_of(0.05);
  options.outputs = 400;
  run("slider-crank", &options, NULL, NULL, 0, many);
  options.outputs = 2;
  run("slider-crank", &options, NULL, NULL, 0, few);
  check_same(many, few);
  free(many);
}

static void fixed_steps_are_those_of_hht(void **unused) {
  (void)unused;
  ending end;
  trm_options options = options_of(0.1);
  options.steps[0] = 0.01;
  options.nsteps = 1;
  run("pendulum", &options, NULL, NULL, 0, &end);
  assert_int_equal(end.turns, 1);
  assert_string_equal(end.turn[0].integrator, "hht");
  assert_non_null(strstr(end.notes.text, "auto takes 'hht': steps are fixed"));
}

/* Bytes of another model, whose method is another one: the simulation can still run. */
static void checkpoints_of_other_models_are_refused(void **unused) {
  (void)unused;
  trm_error err;
  const trm_options options = options_of(1.0);
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_system *second = kit_problem("slider-crank", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options), *other = kit_sim(second, &options);
  const size_t size = trm_sim_save_size(other);
  void *data = malloc(size);
  assert_non_null(data);
  assert_string_not_equal(trm_sim_integrator(sim), trm_sim_integrator(other));
  trm_sim_save(other, data);
  CHECK_STATUS(trm_sim_load(sim, data, size, &err), TRM_ERR_INPUT);
  kit_run(sim);
  assert_true(trm_sim_state(sim)->t == 1.0);
  /* nothing failed: the first turn is still that of the bytes */
  assert_string_equal(trm_sim_turn(sim, 0).integrator, trm_sim_integrator(other));
  trm_sim_free(sim);
  trm_sim_free(other);
  trm_system_free(system);
  trm_system_free(second);
  free(data);
}

/* Bytes of other methods, or of nothing, are refused, and the simulation is as good as before. */
static void foreign_checkpoints_are_refused(void **unused) {
  (void)unused;
  trm_error err;
  trm_options options = options_of(1.0), other = options;
  other.integrator = "hht";
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_system *second = kit_problem("pendulum", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options), *hht = kit_sim(second, &other);
  const size_t size = trm_sim_save_size(hht), own = trm_sim_save_size(sim);
  unsigned char *data = calloc(1, size + own);
  assert_non_null(data);
  CHECK_STATUS(trm_sim_load(sim, data, 0, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_sim_load(sim, data, own, &err), TRM_ERR_INPUT);
  trm_sim_save(hht, data);
  CHECK_STATUS(trm_sim_load(sim, data, size, &err), TRM_ERR_INPUT);
  trm_sim_save(sim, data);
  CHECK_STATUS(trm_sim_load(hht, data, own, &err), TRM_ERR_INPUT);
  kit_run(sim);
  trm_sim_free(sim);
  trm_sim_free(hht);
  trm_system_free(system);
  trm_system_free(second);
  free(data);
}

/* One iteration is too few for Newton's method of bdf, not for radau. */
static void a_method_that_fails_hands_over(void **unused) {
  (void)unused;
  ending end;
  trm_options options = options_of(0.1);
  options.max_iterations = 1;
  options.tolerance = 1e-6;
  run("slider-crank", &options, NULL, NULL, 0, &end);
  assert_string_equal(end.turn[end.turns - 1].integrator, "radau");
  assert_true(end.t == 0.1);
  assert_non_null(strstr(end.notes.text, "auto takes 'radau'"));
  assert_non_null(strstr(end.notes.text, "auto changes to 'radau': bdf failed: the step fell"));
  check_crank(&end, options, "explicit");
}

/* No method passes with steps of that size: the run fails, and says where. */
static void a_run_fails_when_all_methods_do(void **unused) {
  (void)unused;
  trm_error err;
  trm_options options = options_of(1.0);
  options.tolerance = 1e-12;
  options.step_min = options.step_first = 0.5;
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_STEP);
  assert_true(err.t == 0.0);
  assert_non_null(strstr(err.message, "the step fell below 0.5"));
  trm_sim_free(sim);
  trm_system_free(system);
}

/* Where memory is refused at a change, the run ends with that, and nothing is lost. */
static void refused_memory_is_told(void **unused) {
  (void)unused;
  int told = 0;
  for (long n = 1;; n++) {
    meter ours = {.fail_at = n};
    trm_error err = {.status = TRM_OK};
    trm_options options = options_of(0.02);
    options.allocator = meter_allocator(&ours);
    trm_system *system = kit_problem("slider-crank", NULL, NULL);
    trm_sim *sim = NULL;
    trm_status status = trm_sim_create(system, &options, &sim, &err);
    if (status == TRM_OK) status = trm_sim_run(sim, &err);
    trm_sim_free(sim);
    trm_system_free(system);
    assert_int_equal(ours.live, 0);
    if (ours.requests < n) break;
    assert_true(status == TRM_OK || status == TRM_ERR_MEMORY);
    told += status == TRM_ERR_MEMORY;
  }
  assert_true(told > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(methods_are_tried_and_the_best_one_stays),
    cmocka_unit_test(restarted_runs_change_at_the_same_steps),
    cmocka_unit_test(samples_leave_no_trace),
    cmocka_unit_test(fixed_steps_are_those_of_hht),
    cmocka_unit_test(foreign_checkpoints_are_refused),
    cmocka_unit_test(checkpoints_of_other_models_are_refused),
    cmocka_unit_test(a_method_that_fails_hands_over),
    cmocka_unit_test(a_run_fails_when_all_methods_do),
    cmocka_unit_test(refused_memory_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
