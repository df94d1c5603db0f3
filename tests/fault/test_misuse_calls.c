/* test_misuse_calls.c - calls of the library at the wrong moment: by sinks and callbacks of a
 * simulation that is at work, with objects that belong to others, lists and numbers that are not
 * there. Each gives a status with a sentence, or an empty answer; the run goes on as if nothing had
 * happened. Also under sanitizers. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "fault/bob.h"
#include "trammel/page.h"
#include "trammel/trammel.h"
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static const char OTHER[] =
    "trammel: 1\nequations: {coordinates: {x: 1, y: 2}, mass: {x: 1, y: 1}, "
    "forces: {x: -x, y: -y}}\noutputs: {o: x}\n";

typedef struct kit {
  trm_system *system;
  trm_sim    *sim;
  trm_options options;
  trm_error   err;
} kit;

static kit open_kit(const char *text) {
  kit k = {.options = trm_options_default()};
  trm_model *model;
  memset(&k.err, 0x41, sizeof k.err); /* rubbish, as a careless caller has it */
  k.options.integrator = "hht";
  k.options.end = 1.0, k.options.outputs = 10, k.options.checkpoint_steps = 5;
  CHECK_OK(trm_model_read_text(text, "m", NULL, 0, NULL, &model, &k.err), k.err);
  CHECK_OK(trm_model_create_system(model, NULL, &k.system, &k.err), k.err);
  CHECK_OK(trm_sim_create(k.system, &k.options, &k.sim, &k.err), k.err);
  trm_model_free(model);
  return k;
}

static void close_kit(kit *k) {
  trm_sim_free(k->sim);
  trm_system_free(k->system);
}

static void refused(trm_status status, const trm_error *err, trm_status wanted,
                    const char *words) {
  assert_int_equal(status, wanted);
  assert_int_equal(err->status, wanted);
  check_says(err->message, words, "refused");
}

/* ---- by those whom the simulation calls ------------------------------------------------------ */

typedef enum act { STEP, RUN, ADVANCE, LOAD, OUTPUT, INTERPOLATE, MEASURE, SINK, ACTS } act;

static struct {
  trm_sim   *sim;
  act        what;
  int        times;
  trm_status status;
  trm_error  err;
} inner;

static trm_status do_act(void) {
  static unsigned char bytes[1 << 16];
  const trm_sink none = {0};
  const trm_state *s;
  double value;
  bool done;
  const size_t size = trm_sim_save_size(inner.sim);
  switch (inner.what) {
  case STEP: return trm_sim_step(inner.sim, &done, &inner.err);
  case RUN: return trm_sim_run(inner.sim, &inner.err);
  case ADVANCE: return trm_sim_advance(inner.sim, 0.99, &inner.err);
  case LOAD:
    assert_true(size <= sizeof bytes);
    trm_sim_save(inner.sim, bytes);
    return trm_sim_load(inner.sim, bytes, size, &inner.err);
  case OUTPUT: return trm_sim_output(inner.sim, "a", &value, &inner.err);
  case INTERPOLATE:
    return trm_sim_interpolate(inner.sim, 0.999 * trm_sim_state(inner.sim)->t, &s, &inner.err);
  case MEASURE: return trm_sim_add_measure(inner.sim, "m", "max(a)", &inner.err);
  case SINK: return trm_sim_add_sink(inner.sim, &none, &inner.err);
  case ACTS: break;
  }
  return TRM_OK;
}

static void act_once(double t) {
  if (t < 0.3 || inner.times++ > 0) return;
  inner.status = do_act();
  trm_sim_prepare_save(inner.sim); /* has no status: it does nothing */
}

static trm_status act_in_sample(void *self, const trm_sample *sample, trm_error *err) {
  (void)self, (void)err;
  act_once(sample->state->t);
  return TRM_OK;
}

static trm_status act_in_step(void *self, const trm_step_record *record, trm_error *err) {
  (void)self, (void)err;
  act_once(record->t);
  return TRM_OK;
}

static trm_status act_in_checkpoint(void *self, double t, const void *data, size_t size,
                                    trm_error *err) {
  (void)self, (void)data, (void)size, (void)err;
  act_once(t);
  return TRM_OK;
}

static trm_status act_at_end(void *self, const trm_counters *counters, const trm_error *failure,
                             trm_error *err) {
  (void)self, (void)counters, (void)failure, (void)err;
  act_once(1.0);
  return TRM_OK;
}

static bool act_in_stop(void *self) {
  (void)self;
  if (inner.sim != NULL) act_once(trm_sim_state(inner.sim)->t);
  return false;
}

enum { NOWHERE, IN_SAMPLE, IN_STEP, IN_CHECKPOINT, AT_END, IN_STOP, PLACES };

/* A simulation that acts at a place; the error of the simulation itself is that of the kit. */
static void prepare(kit *k, int place) {
  const trm_sink sinks[PLACES] = {[IN_SAMPLE] = {.sample = act_in_sample},
                                  [IN_STEP] = {.step = act_in_step},
                                  [IN_CHECKPOINT] = {.checkpoint = act_in_checkpoint},
                                  [AT_END] = {.end = act_at_end}};
  trm_sim_free(k->sim);
  k->options.should_stop = place == IN_STOP ? act_in_stop : NULL;
  inner.sim = NULL, inner.times = 0;
  CHECK_OK(trm_sim_create(k->system, &k->options, &k->sim, &k->err), k->err);
  CHECK_OK(trm_sim_add_sink(k->sim, &sinks[place], &k->err), k->err);
  inner.sim = k->sim;
}

/* 40 cases: nothing that changes the simulation is possible, and the motion stays to the bit. */
static void calls_by_sinks_and_callbacks_are_refused(void **state) {
  (void)state;
  kit k = open_kit(BOB_MODEL);
  double angle = NAN, found;
  for (int place = NOWHERE; place < PLACES; place++) {
    for (inner.what = STEP; inner.what < ACTS; inner.what++) {
      prepare(&k, place);
      CHECK_OK(trm_sim_run(k.sim, &k.err), k.err);
      if (place != NOWHERE) {
        const bool is_early = inner.what == MEASURE || inner.what == SINK;
        refused(inner.status, &inner.err, TRM_ERR_ORDER,
                is_early ? "before the run" : "while the simulation is at work");
      }
      CHECK_OK(trm_sim_output(k.sim, "a", &found, &k.err), k.err);
      if (isnan(angle)) angle = found;
      if (found != angle) fail_msg("place %d, act %d: %g for %g", place, inner.what, found, angle);
    }
  }
  close_kit(&k);
}

static trm_status free_in_step(void *self, const trm_step_record *record, trm_error *err) {
  (void)err;
  if (record->t > 0.3) trm_sim_free(self);
  return TRM_OK;
}

/* Its run ends, and then it is freed, once. */
static void a_simulation_freed_by_its_sink(void **state) {
  (void)state;
  for (int by_step = 0; by_step < 2; by_step++) {
    kit k = open_kit(BOB_MODEL);
    const trm_sink sink = {.self = k.sim, .step = free_in_step};
    bool done = false;
    trm_status status = TRM_OK;
    CHECK_OK(trm_sim_add_sink(k.sim, &sink, &k.err), k.err);
    if (by_step == 0) status = trm_sim_run(k.sim, &k.err);
    while (by_step == 1 && status == TRM_OK && !done) status = trm_sim_step(k.sim, &done, &k.err);
    refused(status, &k.err, TRM_ERR_ORDER, "was freed while it was at work");
    trm_system_free(k.system);
  }
}

static void *run_in_thread(void *status) {
  trm_error err;
  *(trm_status *)status = trm_sim_run(inner.sim, &err);
  return NULL;
}

/* One of the two runs it; the other is refused, or comes when it has ended. */
static void one_simulation_in_two_threads(void **state) {
  (void)state;
  kit k = open_kit(BOB_MODEL);
  trm_status status[2] = {TRM_OK, TRM_OK};
  pthread_t threads[2];
  inner.sim = k.sim;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run_in_thread, &status[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert_true((status[0] == TRM_OK) != (status[1] == TRM_OK));
  assert_int_equal(status[0] + status[1], TRM_ERR_ORDER);
  close_kit(&k);
}

/* ---- objects of others ----------------------------------------------------------------------- */

static void instances_belong_to_their_simulation(void **state) {
  (void)state;
  kit k = open_kit(BOB_MODEL);
  trm_system_free(trm_sim_system(k.sim)); /* the sim keeps it */
  CHECK_OK(trm_sim_run(k.sim, &k.err), k.err);
  assert_null(trm_sim_system(NULL));
  assert_null(trm_static_system(NULL));
  close_kit(&k);
}

static void one_sink_for_two_simulations(void **state) {
  (void)state;
  kit k = open_kit(BOB_MODEL), other = open_kit(OTHER);
  char path[64];
  trm_run_sink *file;
  trm_csv_sink *table;
  bool done;
  snprintf(path, sizeof path, "/tmp/trammel-misuse-%ld.h5", (long)getpid());
  const trm_run_facts facts = trm_run_facts_default(k.sim);
  CHECK_OK(trm_run_sink_create(path, &facts, NULL, &file, &k.err), k.err);
  const trm_sink sink = trm_run_sink_of(file);
  CHECK_OK(trm_sim_add_sink(k.sim, &sink, &k.err), k.err);
  CHECK_OK(trm_sim_add_sink(other.sim, &sink, &k.err), k.err);
  CHECK_OK(trm_sim_step(k.sim, &done, &k.err), k.err);
  refused(trm_sim_step(other.sim, &done, &k.err), &k.err, TRM_ERR_ORDER,
          "a sink records one simulation");
  CHECK_OK(trm_sim_run(k.sim, &k.err), k.err);
  trm_run_sink_free(file);
  close_kit(&other);
  other = open_kit(OTHER);
  CHECK_OK(trm_csv_sink_create("/dev/null", NULL, &table, &k.err), k.err);
  const trm_sink rows = trm_csv_sink_of(table);
  CHECK_OK(trm_sim_add_sink(other.sim, &rows, &k.err), k.err);
  CHECK_OK(trm_sim_add_sink(other.sim, &rows, &k.err), k.err); /* each row would be there twice */
  refused(trm_sim_run(other.sim, &k.err), &k.err, TRM_ERR_ORDER, "add it once");
  trm_csv_sink_free(table);
  unlink(path);
  close_kit(&k);
  close_kit(&other);
}

static trm_run *record(kit *k, char path[64]) {
  trm_run_sink *file;
  trm_run *run;
  snprintf(path, 64, "/tmp/trammel-misuse-%ld.h5", (long)getpid());
  const trm_run_facts facts = trm_run_facts_default(k->sim);
  CHECK_OK(trm_run_sink_create(path, &facts, NULL, &file, &k->err), k->err);
  const trm_sink sink = trm_run_sink_of(file);
  CHECK_OK(trm_sim_add_sink(k->sim, &sink, &k->err), k->err);
  CHECK_OK(trm_sim_run(k->sim, &k->err), k->err);
  trm_run_sink_free(file);
  CHECK_OK(trm_run_open(path, NULL, &run, &k->err), k->err);
  return run;
}

static void runs_of_another_system_and_ranges(void **state) {
  (void)state;
  kit k = open_kit(BOB_MODEL), other = open_kit(OTHER);
  char path[64];
  double value;
  trm_step_record step;
  trm_run *run = record(&k, path);
  trm_state s = *trm_sim_state(other.sim);
  refused(trm_run_read_state(run, other.system, 0, &s, &k.err), &k.err, TRM_ERR_INPUT,
          "is not a run of this system");
  refused(trm_run_read_state(run, k.system, 0, NULL, &k.err), &k.err, TRM_ERR_INPUT, "'s' is NULL");
  const long ranges[][2] = {{-1, 2}, {1, LONG_MAX}, {LONG_MAX, LONG_MAX}, {0, -1}, {LONG_MIN, 1}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    refused(trm_run_read_range(run, 0, ranges[i][0], ranges[i][1], &value, &k.err), &k.err,
            TRM_ERR_INPUT, "samples from number");
    refused(trm_run_read_steps(run, ranges[i][0], ranges[i][1], &step, &k.err), &k.err,
            TRM_ERR_INPUT, "attempted steps, not");
  }
  trm_run_label(run, TRM_Q, 0, NULL);
  trm_run_unknown(run, TRM_Q, 0, NULL);
  trm_run_close(run);
  unlink(path);
  close_kit(&k);
  close_kit(&other);
}

/* ---- numbers and lists that are not there ---------------------------------------------------- */

static void times_that_are_none(void **state) {
  (void)state;
  kit k = open_kit(BOB_MODEL);
  trm_options o = k.options;
  trm_sim *sim;
  const trm_state empty = {0};
  refused(trm_sim_advance(k.sim, INFINITY, &k.err), &k.err, TRM_ERR_INPUT, "inf is not a time");
  o.outputs = 0, o.output_step = 1e-300;
  refused(trm_sim_create(k.system, &o, &sim, &k.err), &k.err, TRM_ERR_INPUT,
          "lost in the rounding");
  o.output_step = 0.0, o.noutput_times = 5;
  refused(trm_sim_create(k.system, &o, &sim, &k.err), &k.err, TRM_ERR_INPUT, "none are given");
  o.noutput_times = -5;
  refused(trm_sim_create(k.system, &o, &sim, &k.err), &k.err, TRM_ERR_INPUT, "none are given");
  o.noutput_times = 0, o.from = &empty;
  refused(trm_sim_create(k.system, &o, &sim, &k.err), &k.err, TRM_ERR_INPUT,
          "has lists that are NULL");
  trm_sim_save(k.sim, NULL);
  close_kit(&k);
}

/* The lists that count are enough. */
static void a_start_without_accelerations(void **state) {
  (void)state;
  kit k = open_kit(BOB_MODEL);
  const trm_state *all = trm_sim_state(k.sim);
  const trm_state some = {.t = all->t, .q = all->q, .v = all->v, .x = all->x, .w = all->w,
                          .z = all->z};
  double end[2];
  for (int i = 0; i < 2; i++) {
    trm_options o = k.options;
    trm_sim *sim;
    o.from = i == 0 ? all : &some;
    CHECK_OK(trm_sim_create(k.system, &o, &sim, &k.err), k.err);
    CHECK_OK(trm_sim_run(sim, &k.err), k.err);
    end[i] = trm_sim_state(sim)->q[0];
    trm_sim_free(sim);
  }
  assert_true(end[0] == end[1]);
  close_kit(&k);
}

static void empty_answers(void **state) {
  (void)state;
  kit k = open_kit(BOB_MODEL);
  char text[8] = "x";
  double q[16] = {1.0};
  trm_columns *columns;
  trm_hot_spot list[2];
  assert_int_equal(trm_system_find(k.system, TRM_Q, NULL), -1);
  trm_system_retract(k.system, NULL, q, q);
  trm_system_difference(k.system, q, NULL, q);
  CHECK_OK(trm_columns_create(k.system, NULL, &columns, &k.err), k.err);
  assert_int_equal(trm_columns_first(columns, (trm_signal_group)99), 0);
  assert_int_equal(trm_columns_first(columns, (trm_signal_group)-1), 0);
  assert_int_equal(trm_columns_gather(columns, NULL, TRM_GROUP_TIME, q), 0);
  trm_columns_free(columns);
  assert_string_equal(trm_signal_group_name((trm_signal_group)99), "?");
  assert_int_equal(trm_hot_spots_list(NULL, 2, 1.0, list), 0);
  assert_int_equal(trm_hot_spots_at(NULL, 0).point, -1);
  trm_hot_spots_add(NULL, 1, q);
  assert_false(trm_options_read(&k.options, NULL, "1"));
  assert_false(trm_options_read(&k.options, "end", NULL));
  assert_true(trm_options_shape_steps(NULL));
  assert_false(trm_is_same_file(NULL, "x") || trm_method_group(-1, text, sizeof text));
  trm_method_orders(NULL, text, sizeof text);
  assert_string_equal(text, "");
  trm_method_all_orders(NULL, 0);
  trm_method_prefix(1, NULL, 0);
  close_kit(&k);
}

static void writers_figures_and_beams(void **state) {
  (void)state;
  kit k = open_kit(BOB_MODEL);
  const double x[2] = {0.0, 1.0};
  double loads[6];
  trm_plot_series series = {.name = "s", .n = 2};
  const trm_plot_panel panel = {.series = &series, .nseries = 1};
  trm_plot_figure figure = {.npanels = 1};
  const trm_plot_terminal terminal = {.width = 60, .rows = 10};
  refused(trm_plot_write(&figure, "/tmp/x.svg", &k.err), &k.err, TRM_ERR_INPUT, "panels");
  figure.panels = &panel;
  refused(trm_plot_write(&figure, "/tmp/x.svg", &k.err), &k.err, TRM_ERR_INPUT, "are NULL");
  series.x = series.y = x, series.has_style = true, series.color = -7; /* any number is a colour */
  char path[64];
  snprintf(path, sizeof path, "/tmp/trammel-misuse-%ld.svg", (long)getpid());
  CHECK_OK(trm_plot_write(&figure, path, &k.err), k.err);
  unlink(path);
  refused(trm_plot_text(&figure, &terminal, NULL, NULL, &k.err), &k.err, TRM_ERR_INPUT,
          "'write' is NULL");
  refused(trm_plot_text(&figure, NULL, NULL, NULL, &k.err), &k.err, TRM_ERR_INPUT, "is NULL");
  refused(trm_schema_json(NULL, NULL, &k.err), &k.err, TRM_ERR_INPUT, "'write' is NULL");
  refused(trm_beam_loads(k.system, NULL, x, NULL, loads, &k.err), &k.err, TRM_ERR_INPUT,
          "'place' is NULL");
  assert_int_equal(trm_fail(&k.err, TRM_ERR_INPUT, NULL, NULL), TRM_ERR_INPUT);
  assert_string_equal(k.err.message, "");
  close_kit(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(calls_by_sinks_and_callbacks_are_refused),
    cmocka_unit_test(a_simulation_freed_by_its_sink),
    cmocka_unit_test(one_simulation_in_two_threads),
    cmocka_unit_test(instances_belong_to_their_simulation),
    cmocka_unit_test(one_sink_for_two_simulations),
    cmocka_unit_test(runs_of_another_system_and_ranges),
    cmocka_unit_test(times_that_are_none),
    cmocka_unit_test(a_start_without_accelerations),
    cmocka_unit_test(empty_answers),
    cmocka_unit_test(writers_figures_and_beams),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
