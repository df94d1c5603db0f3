/* test_misuse.c - 54 ways to call the library wrongly. Each gives a status with a sentence, or an
 * empty answer where there is no status; none crashes, which the sanitizers see. */
#include "fault/bob.h"
#include "trammel/trammel.h"
#include <string.h>

static const char MODEL[] =
    "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
    "inputs: {u: 0}\nforces: {f: {type: torque, body: b, torque: [0, 0, u]}}\n"
    "outputs: {a: j.angle}\nsimulate: {end: 1}\n";

static int ncases;

/* The call was refused, with a sentence that has these words. */
static void refused(trm_status status, const trm_error *err, const char *words) {
  ncases++;
  assert_int_not_equal(status, TRM_OK);
  if (status > 0) fail_msg("%s: a retry reached the caller", trm_status_name(status));
  assert_int_equal(err->status, status);
  if (strstr(err->message, words) == NULL) fail_msg("'%s' not in '%s'", words, err->message);
}

/* An empty answer of a function that has no status. */
static void empty(bool is_empty) {
  ncases++;
  assert_true(is_empty);
}

/* An error as a careless caller has it: full of rubbish. */
static trm_error rubbish(void) {
  trm_error err;
  memset(&err, 0x41, sizeof err);
  return err;
}

typedef struct kit {
  trm_model *model;
  trm_system *system;
  trm_sim *sim;
  trm_error err;
} kit;

static kit open_kit(void) {
  kit k = {.err = rubbish()};
  trm_options o = trm_options_default();
  o.integrator = "hht";
  o.end = 1.0;
  CHECK_OK(trm_model_read_text(MODEL, "m", NULL, 0, NULL, &k.model, &k.err), k.err);
  CHECK_OK(trm_model_create_system(k.model, NULL, &k.system, &k.err), k.err);
  CHECK_OK(trm_sim_create(k.system, &o, &k.sim, &k.err), k.err);
  return k;
}

static void close_kit(kit *k) {
  trm_sim_free(k->sim);
  trm_system_free(k->system);
  trm_model_free(k->model);
}

static void null_arguments_of_models(void **state) {
  (void)state;
  trm_error err = rubbish();
  trm_model *model;
  trm_system *system;
  trm_mechanism *mechanism;
  const trm_setting none = {0};
  refused(trm_model_read_file(NULL, NULL, 0, NULL, &model, &err), &err, "'path' is NULL");
  refused(trm_model_read_text(NULL, "m", NULL, 0, NULL, &model, &err), &err, "'text' is NULL");
  refused(trm_model_read_text(MODEL, "m", NULL, 0, NULL, NULL, &err), &err, "'model' is NULL");
  refused(trm_model_read_text(MODEL, "m", NULL, 1, NULL, &model, &err), &err, "is NULL");
  refused(trm_model_read_text(MODEL, "m", &none, 1, NULL, &model, &err), &err, "is NULL");
  refused(trm_model_create_system(NULL, NULL, &system, &err), &err, "'model' is NULL");
  assert_null(system);
  refused(trm_model_mechanism(NULL, NULL, &mechanism, &err), &err, "'model' is NULL");
  assert_int_equal(trm_model_create_system(NULL, NULL, NULL, NULL), TRM_ERR_INPUT); /* no error */
  empty(trm_model_complaint_count(NULL) == 0 && trm_model_name(NULL)[0] == '\0');
}

static void null_arguments_of_names_and_units(void **state) {
  (void)state;
  double gravity[3];
  trm_label label = {.name = "x"};
  kit k = open_kit();
  empty(trm_system_unit(NULL, TRM_Q, &label)[0] == '\0');
  empty(trm_system_unit(k.system, TRM_Q, NULL)[0] == '\0');
  empty(!trm_system_gravity(NULL, gravity));
  empty(!trm_system_gravity(k.system, NULL));
  empty(trm_sim_measure_unit(NULL, 0)[0] == '\0');
  empty(trm_sim_measure_unit(k.sim, 3)[0] == '\0');
  empty(trm_modes_note(NULL)[0] == '\0');
  close_kit(&k);
}

static void null_arguments_of_simulations(void **state) {
  (void)state;
  trm_error err = rubbish();
  trm_options o = trm_options_default();
  trm_sim *sim;
  bool done;
  double value;
  kit k = open_kit();
  o.end = 1.0;
  refused(trm_sim_create(NULL, &o, &sim, &err), &err, "trm_sim_create: 'system' is NULL");
  refused(trm_sim_create(k.system, NULL, &sim, &err), &err, "'options' is NULL");
  refused(trm_sim_create(k.system, &o, NULL, &err), &err, "is NULL");
  refused(trm_sim_run(NULL, &err), &err, "'sim' is NULL");
  refused(trm_sim_step(k.sim, NULL, &err), &err, "'done' is NULL");
  refused(trm_sim_step(NULL, &done, &err), &err, "'sim' is NULL");
  refused(trm_sim_output(k.sim, NULL, &value, &err), &err, "'name' is NULL");
  refused(trm_sim_add_sink(k.sim, NULL, &err), &err, "'sink' is NULL");
  refused(trm_sim_load(k.sim, NULL, 0, &err), &err, "'data' is NULL");
  empty(trm_sim_state(NULL) == NULL && trm_sim_save_size(NULL) == 0);
  empty(trm_system_name(NULL)[0] == '\0' && trm_system_count(NULL, TRM_Q) == 0);
  trm_sim_free(NULL);
  trm_system_free(NULL);
  trm_model_free(NULL);
  close_kit(&k);
}

static void null_arguments_of_parts(void **state) {
  (void)state;
  trm_error err = rubbish();
  trm_mechanism *m;
  trm_system *system;
  const trm_body_def def = trm_body_default();
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  refused(trm_mechanism_create(NULL, NULL, &err), &err, "is NULL");
  refused(trm_add_body(NULL, "b", &def, NULL, &err), &err, "is NULL");
  refused(trm_add_body(m, "b", NULL, NULL, &err), &err, "'def' is NULL");
  refused(trm_add_body(m, NULL, &def, NULL, &err), &err, "cannot be a name");
  refused(trm_add_parameter(m, "p", NULL, &err), &err, "'text' is NULL");
  refused(trm_add_table(m, "t", NULL, NULL, &err), &err, "is NULL");
  refused(trm_mechanism_build(NULL, NULL, &system, &err), &err, "is NULL");
  trm_mechanism_free(m);
}

static void parts_that_do_not_exist(void **state) {
  (void)state;
  trm_error err = rubbish();
  trm_mechanism *m;
  trm_system *system;
  trm_part part = {.group = 99, .index = -7, .inner = 1000};
  trm_body_def def = trm_body_default();
  const trm_body_def zeros = {0};
  const trm_marker_def marker = trm_marker_default();
  const double x[] = {0.0, 1.0, 1.0};
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  refused(trm_set_number(m, part, "mass", 1.0, &err), &err, "part");
  refused(trm_set_text(m, part, "mass", "1", &err), &err, "part");
  refused(trm_add_marker(m, part, "e", &marker, NULL, &err), &err, "");
  empty(trm_get_text(m, part, "mass") == NULL);
  empty(!trm_part_at(m, -1, &part, NULL) && !trm_part_at(m, 5, &part, NULL));
  refused(trm_add_body(m, "b", &zeros, NULL, &err), &err, "mass");
  trm_table_def table = trm_table_default();
  table.x = table.y = (trm_numbers){.list = x, .count = 3};
  refused(trm_add_table(m, "t", &table, NULL, &err), &err, "ascend");
  table.x.count = table.y.count = -3;
  refused(trm_add_table(m, "t", &table, NULL, &err), &err, "");
  table.x = table.y = (trm_numbers){.list = NULL, .count = 3};
  refused(trm_add_table(m, "t", &table, NULL, &err), &err, "");
  refused(trm_mechanism_build(m, NULL, &system, &err), &err, "");
  def.mass = 1.0;
  def.inertia[0] = def.inertia[1] = def.inertia[2] = 1.0;
  CHECK_OK(trm_add_body(m, "b", &def, &part, &err), err);
  refused(trm_add_body(m, "b", &def, NULL, &err), &err, "'b'");
  refused(trm_set_text(m, part, "masss", "1", &err), &err, "masss");
  trm_mechanism_free(m);
}

static void options_that_are_none(void **state) {
  (void)state;
  trm_error err = rubbish();
  trm_options zeros, garbage;
  trm_sim *sim;
  trm_static *rest;
  trm_modes *modes;
  const trm_static_options no_static = {0};
  const trm_modes_options no_modes = {0};
  kit k = open_kit();
  memset(&zeros, 0, sizeof zeros);
  memset(&garbage, 0x5a, sizeof garbage);
  refused(trm_sim_create(k.system, &zeros, &sim, &err), &err, "trm_options_default");
  refused(trm_sim_create(k.system, &garbage, &sim, &err), &err, "trm_options_default");
  refused(trm_static_find(k.system, &no_static, &rest, &err), &err, "default");
  refused(trm_modes_find(k.system, NULL, &no_modes, &modes, &err), &err, "default");
  refused(trm_static_find(k.system, NULL, &rest, &err), &err, "default");
  close_kit(&k);
}

static void numbers_out_of_range(void **state) {
  (void)state;
  trm_error err = rubbish();
  kit k = open_kit();
  trm_label label;
  trm_value value;
  refused(trm_sim_set_input(k.sim, 7, 0.0, 0.0, &err), &err, "input");
  refused(trm_sim_set_input(k.sim, -1, 0.0, 0.0, &err), &err, "input");
  refused(trm_sim_set_input(k.sim, 0, NAN, 0.0, &err), &err, "");
  refused(trm_sim_advance(k.sim, NAN, &err), &err, "");
  refused(trm_sim_advance(k.sim, -1.0, &err), &err, "");
  empty(trm_model_complaint_at(k.model, 0).sentence == NULL);
  empty(trm_model_parameter_at(k.model, 3).name == NULL);
  trm_system_label(k.system, TRM_Q, 1000000, &label);
  empty(strcmp(label.name, "?") == 0);
  trm_system_label(k.system, (trm_quantity)99, 0, &label);
  empty(strcmp(label.name, "?") == 0);
  trm_system_value_at(k.system, -1, &value);
  empty(value.name[0] == '\0');
  empty(strcmp(trm_block_name((trm_block)1000), "?") == 0);
  close_kit(&k);
}

/* ---- order of calls -------------------------------------------------------- */

static void calls_in_the_wrong_order(void **state) {
  (void)state;
  trm_error err = rubbish();
  kit k = open_kit();
  const trm_state *s;
  const trm_sink sink = {0};
  bool done = false;
  refused(trm_sim_interpolate(k.sim, 0.5, &s, &err), &err, "not inside the last step");
  refused(trm_system_set(trm_sim_system(k.sim), "b.mass", 2.0, &err), &err, "instance");
  CHECK_OK(trm_sim_run(k.sim, &err), err);
  refused(trm_sim_run(k.sim, &err), &err, "has ended");
  refused(trm_sim_step(k.sim, &done, &err), &err, "has ended");
  refused(trm_sim_add_sink(k.sim, &sink, &err), &err, "before the run");
  close_kit(&k);
}

/* Whoever frees the system first loses nothing. */
static void a_system_freed_before_its_simulation(void **state) {
  (void)state;
  kit k = open_kit();
  double value;
  trm_system_free(k.system);
  trm_model_free(k.model);
  CHECK_OK(trm_sim_run(k.sim, &k.err), k.err);
  CHECK_OK(trm_sim_output(k.sim, "a", &value, &k.err), k.err);
  trm_sim_free(k.sim);
  ncases++;
}

/* ---- checkpoints ----------------------------------------------------------- */

/* Each byte once, and the sizes. */
static void altered_checkpoints_are_refused(void **state) {
  (void)state;
  kit k = open_kit(), other = open_kit();
  CHECK_OK(trm_sim_advance(k.sim, 0.5, &k.err), k.err);
  trm_sim_prepare_save(k.sim);
  const size_t size = trm_sim_save_size(k.sim);
  unsigned char *data = malloc(size);
  assert_non_null(data);
  trm_sim_save(k.sim, data);
  for (size_t i = 0; i < size; i++) {
    data[i] ^= 0x40;
    if (trm_sim_load(other.sim, data, size, &k.err) != TRM_ERR_INPUT) fail_msg("byte %zu", i);
    data[i] ^= 0x40;
  }
  refused(TRM_ERR_INPUT, &k.err, "not those that were saved");
  refused(trm_sim_load(other.sim, data, size - 1, &k.err), &k.err, "does not fit");
  CHECK_OK(trm_sim_load(other.sim, data, size, &k.err), k.err);
  CHECK_OK(trm_sim_run(other.sim, &k.err), k.err);
  free(data);
  close_kit(&k);
  close_kit(&other);
}

/* ---- callbacks ------------------------------------------------------------- */

static trm_status silent_at; /* what the callback below returns */
static double silent_since;

static trm_status silent_values(void *self, const trm_state *s, const trm_values *out,
                                trm_error *err) {
  if (s->t > silent_since) return silent_at;
  return bob_values(self, s, out, err);
}

static trm_status silent_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_ERR_INPUT;
}

/* The sentence of a run of `ops`. */
static trm_status run_ops(const trm_system_ops *ops, const trm_sink *sink, trm_error *err) {
  bob b = bob_on(0);
  trm_system_def def = trm_system_def_default();
  trm_options o = trm_options_default();
  trm_system *system;
  trm_sim *sim = NULL;
  *err = rubbish();
  def.ops = ops, def.self = &b;
  o.end = 1.0;
  CHECK_OK(trm_system_create(&def, &system, err), *err);
  trm_status status = trm_sim_create(system, &o, &sim, err);
  if (status == TRM_OK && sink != NULL) status = trm_sim_add_sink(sim, sink, err);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  trm_sim_free(sim);
  trm_system_free(system);
  return status;
}

static void callbacks_that_fail_without_a_sentence(void **state) {
  (void)state;
  trm_system_ops ops = {.name = "bob", .sizes = bob_sizes, .start = bob_start,
                        .values = silent_values};
  trm_error err;
  silent_at = TRM_ERR_INPUT, silent_since = -1.0;
  refused(run_ops(&ops, NULL, &err), &err, "its function 'values' returned TRM_ERR_INPUT");
  assert_string_equal(err.object, "bob");
  silent_since = 0.3;
  refused(run_ops(&ops, NULL, &err), &err, "its function 'values' returned TRM_ERR_INPUT");
  silent_at = TRM_RETRY_DOMAIN;
  refused(run_ops(&ops, NULL, &err), &err, "its function 'values' returned TRM_RETRY_DOMAIN");
  silent_at = (trm_status)-77;
  refused(run_ops(&ops, NULL, &err), &err, "returned -77, which is not a status");
  ops.values = bob_values, ops.start = silent_start;
  refused(run_ops(&ops, NULL, &err), &err, "its function 'start' returned TRM_ERR_INPUT");
}

static trm_status silent_sample(void *self, const trm_sample *sample, trm_error *err) {
  (void)self, (void)sample, (void)err;
  return TRM_ERR_IO;
}

static trm_status silent_end(void *self, const trm_counters *counters, const trm_error *failure,
                             trm_error *err) {
  (void)self, (void)counters, (void)failure, (void)err;
  return TRM_ERR_IO;
}

static void sinks_that_fail_without_a_sentence(void **state) {
  (void)state;
  const trm_system_ops ops = {.name = "bob", .sizes = bob_sizes, .start = bob_start,
                              .values = bob_values};
  const trm_sink sampling = {.sample = silent_sample}, ending = {.end = silent_end};
  trm_error err;
  refused(run_ops(&ops, &sampling, &err), &err, "its function 'sample' returned TRM_ERR_IO");
  refused(run_ops(&ops, &ending, &err), &err, "its function 'end' returned TRM_ERR_IO");
}

static void definitions_without_functions(void **state) {
  (void)state;
  trm_error err = rubbish();
  trm_system *system;
  trm_system_def def = trm_system_def_default(), zeros = {0};
  const trm_system_ops none = {.name = "none"};
  refused(trm_system_create(NULL, &system, &err), &err, "'def' is NULL");
  refused(trm_system_create(&zeros, &system, &err), &err, "trm_system_def_default");
  refused(trm_system_create(&def, &system, &err), &err, "needs");
  def.ops = &none;
  refused(trm_system_create(&def, &system, &err), &err, "needs");
}

static void run_files_that_are_none(void **state) {
  (void)state;
  trm_error err = rubbish();
  trm_run *run;
  refused(trm_run_open(NULL, NULL, &run, &err), &err, "'path' is NULL");
  refused(trm_run_open("/nowhere/at/all.h5", NULL, &run, &err), &err, "cannot read");
  refused(trm_run_read_times(NULL, NULL, &err), &err, "'run' is NULL");
  empty(trm_run_info_of(NULL) == NULL && trm_run_signal(NULL, 0) == NULL);
}

static void there_are_54_and_more(void **state) {
  (void)state;
  assert_in_range(ncases, 54, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(null_arguments_of_models),
    cmocka_unit_test(null_arguments_of_names_and_units),
    cmocka_unit_test(null_arguments_of_simulations),
    cmocka_unit_test(null_arguments_of_parts),
    cmocka_unit_test(parts_that_do_not_exist),
    cmocka_unit_test(options_that_are_none),
    cmocka_unit_test(numbers_out_of_range),
    cmocka_unit_test(calls_in_the_wrong_order),
    cmocka_unit_test(a_system_freed_before_its_simulation),
    cmocka_unit_test(altered_checkpoints_are_refused),
    cmocka_unit_test(callbacks_that_fail_without_a_sentence),
    cmocka_unit_test(sinks_that_fail_without_a_sentence),
    cmocka_unit_test(definitions_without_functions),
    cmocka_unit_test(run_files_that_are_none),
    cmocka_unit_test(there_are_54_and_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
