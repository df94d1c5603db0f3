/* test_public_face.c - results through public headers alone: columns, tables, run files,
 * explanations, figures, spectra, the schema. */
#include "fault/memory.h"
#include "trammel/trammel.h"
#include <unistd.h>

enum { SAMPLES = 21, WIDTH_MAX = 64 };

/* All samples of a run, as columns give them. */
typedef struct table {
  const trm_columns *columns;
  int                width, n;
  double             rows[SAMPLES][WIDTH_MAX];
} table;

static trm_status keep(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  table *t = self;
  assert_true(t->n < SAMPLES);
  assert_int_equal(trm_columns_gather(t->columns, sample, TRM_GROUP_ENERGY, t->rows[t->n++]),
                   t->width);
  return TRM_OK;
}

typedef struct recorded {
  table table;
  char  csv[64], h5[64];
} recorded;

/* The pendulum, watched by all three. */
static void record(recorded *r, trm_columns **columns) {
  trm_error err;
  trm_options options = trm_options_default();
  options.end = 1.0;
  options.outputs = SAMPLES - 1;
  snprintf(r->csv, sizeof r->csv, "/tmp/trammel-face-%ld.csv", (long)getpid());
  snprintf(r->h5, sizeof r->h5, "/tmp/trammel-face-%ld.h5", (long)getpid());
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  trm_csv_sink *csv = NULL;
  trm_run_sink *file = NULL;
  const trm_run_facts facts = trm_run_facts_default(sim);
  CHECK_OK(trm_columns_create(system, NULL, columns, &err), err);
  CHECK_OK(trm_csv_sink_create(r->csv, NULL, &csv, &err), err);
  CHECK_OK(trm_run_sink_create(r->h5, &facts, NULL, &file, &err), err);
  r->table = (table){.columns = *columns,
                     .width = trm_columns_first(*columns, TRM_GROUP_ENERGY + 1)};
  assert_true(r->table.width <= WIDTH_MAX);
  const trm_sink sinks[] = {{.self = &r->table, .sample = keep}, trm_csv_sink_of(csv),
                            trm_run_sink_of(file)};
  for (int i = 0; i < 3; i++) CHECK_OK(trm_sim_add_sink(sim, &sinks[i], &err), err);
  kit_run(sim);
  trm_sim_free(sim);
  trm_csv_sink_free(csv);
  trm_run_sink_free(file);
  trm_system_free(system);
  assert_int_equal(r->table.n, SAMPLES);
}

static void table_has_the_numbers_of_the_columns(const recorded *r) {
  char line[4096];
  FILE *file = fopen(r->csv, "r");
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  char *word = strtok(line, ",\n");
  for (int i = 0; i < r->table.width; i++, word = strtok(NULL, ",\n")) {
    assert_string_equal(word, trm_columns_name(r->table.columns, i));
  }
  for (int n = 0; n < SAMPLES; n++) {
    assert_non_null(fgets(line, sizeof line, file));
    const char *at = line;
    for (int i = 0; i < r->table.width; i++) {
      char *end;
      const double value = strtod(at, &end); /* 17 digits: the same bits */
      assert_true(value == r->table.rows[n][i]);
      at = end + 1;
    }
  }
  assert_null(fgets(line, sizeof line, file));
  fclose(file);
}

static void run_file_has_the_numbers_of_the_columns(const recorded *r) {
  trm_error err;
  trm_run *run = NULL;
  CHECK_OK(trm_run_open(r->h5, NULL, &run, &err), err);
  const trm_run_info *info = trm_run_info_of(run);
  assert_int_equal(info->nsamples, SAMPLES);
  assert_int_equal(info->status, TRM_RUN_OK);
  assert_string_equal(info->version, trm_version());
  assert_true(info->seconds == 1.0 && isnan(info->resumed_from));
  for (int i = 0; i < r->table.width; i++) {
    double values[SAMPLES];
    int signal;
    CHECK_OK(trm_run_find(run, trm_columns_name(r->table.columns, i), &signal, &err), err);
    CHECK_OK(trm_run_read_signal(run, signal, values, &err), err);
    for (int n = 0; n < SAMPLES; n++) assert_true(values[n] == r->table.rows[n][i]);
  }
  const trm_explanation *explanation = NULL;
  CHECK_OK(trm_run_explain(run, &explanation, &err), err);
  assert_int_equal(explanation->accepted, info->counters.steps);
  trm_run_close(run);
}

static void columns_tables_and_run_files_agree(void **state) {
  (void)state;
  recorded *r = calloc(1, sizeof *r);
  trm_columns *columns = NULL;
  assert_non_null(r);
  record(r, &columns);
  table_has_the_numbers_of_the_columns(r);
  run_file_has_the_numbers_of_the_columns(r);
  trm_columns_free(columns);
  remove(r->csv);
  remove(r->h5);
  free(r);
}

static void columns_are_found_by_name(void **state) {
  (void)state;
  trm_error err;
  trm_system *system = kit_problem("slider-crank", NULL, NULL);
  trm_columns *columns = NULL;
  CHECK_OK(trm_columns_create(system, NULL, &columns, &err), err);
  for (int i = 0; i < trm_columns_first(columns, TRM_GROUPS); i++) {
    assert_int_equal(trm_columns_find(columns, trm_columns_name(columns, i)), i);
  }
  assert_int_equal(trm_columns_find(columns, "nonesuch"), -1);
  assert_string_equal(trm_columns_name(columns, 0), "t");
  assert_string_equal(trm_signal_group_name(TRM_GROUP_MULTIPLIERS), "multipliers");
  trm_columns_free(columns);
  trm_columns_free(NULL);
  trm_system_free(system);
}

static void a_table_that_cannot_be_written_ends_the_run(void **state) {
  (void)state;
  trm_error err;
  trm_options options = trm_options_default();
  options.end = 0.1;
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  trm_csv_sink *csv = NULL;
  CHECK_OK(trm_csv_sink_create("/nonesuch/table.csv", NULL, &csv, &err), err);
  const trm_sink sink = trm_csv_sink_of(csv);
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_IO);
  assert_non_null(strstr(err.message, "/nonesuch/table.csv"));
  trm_sim_free(sim);
  trm_csv_sink_free(csv);
  trm_csv_sink_free(NULL);
  trm_system_free(system);
}

/* ---- pictures and texts --------------------------------------------------------------- */

typedef struct text {
  char   start[200]; /* what came first */
  size_t length;
} text;

static void take(void *self, const char *bytes, size_t count) {
  text *t = self;
  for (size_t i = 0; i < count && t->length + i + 1 < sizeof t->start; i++) {
    t->start[t->length + i] = bytes[i];
  }
  t->length += count;
}

static void figures_go_to_files_and_writers(void **state) {
  (void)state;
  static const double x[] = {0, 1, 2, 3}, y[] = {1, 3, 2, 4};
  const trm_plot_series series = {.name = "a", .x = x, .y = y, .n = 4};
  const trm_plot_panel panel = {.y = {.name = "y", .unit = "m"}, .series = &series, .nseries = 1};
  const trm_plot_figure figure = {.title = "title", .panels = &panel, .npanels = 1};
  const trm_plot_terminal terminal = {.width = 60, .rows = 8};
  trm_error err;
  text shown = {.length = 0};
  char path[64], start[6] = "";
  CHECK_OK(trm_plot_text(&figure, &terminal, take, &shown, &err), err);
  assert_true(shown.length > 8 * 10);
  snprintf(path, sizeof path, "/tmp/trammel-face-%ld.pdf", (long)getpid());
  CHECK_OK(trm_plot_write(&figure, path, &err), err);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fread(start, 1, 5, file), 5);
  fclose(file);
  remove(path);
  assert_string_equal(start, "%PDF-");
  CHECK_STATUS(trm_plot_write(&figure, "/tmp/figure.xyz", &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_plot_write(&figure, "/nonesuch/figure.svg", &err), TRM_ERR_IO);
}

static void the_schema_is_written(void **state) {
  (void)state;
  trm_error err;
  text json = {.length = 0}, page = {.length = 0};
  CHECK_OK(trm_schema_json(take, &json, &err), err);
  CHECK_OK(trm_schema_reference(take, &page, &err), err);
  assert_true(json.start[0] == '{' && json.length > 10000);
  assert_true(page.start[0] == '#' && page.length > 10000);
}

/* ---- spectra -------------------------------------------------------------------------- */

enum { TIMES = 1000 };

static void spectrum_finds_the_sine(void **state) {
  (void)state;
  static double t[TIMES], x[TIMES];
  trm_error err;
  for (int i = 0; i < TIMES; i++) {
    t[i] = 0.01 * i;
    x[i] = 5.0 + 2.0 * sin(2.0 * 3.14159265358979 * 7.0 * t[i]);
  }
  trm_spectrum *spectrum = NULL;
  CHECK_OK(trm_spectrum_create(t, x, TIMES, NULL, &spectrum, &err), err);
  assert_true(spectrum->npeaks >= 1);
  /* a line is 0.1 Hz wide; its top is found by a parabola */
  CHECK_NEAR(spectrum->peaks[0].frequency, 7.0, 1e-2, "frequency");
  CHECK_NEAR(spectrum->peaks[0].amplitude, 2.0, 2e-2, "amplitude");
  trm_spectrum_free(spectrum);
  CHECK_STATUS(trm_spectrum_create(t, x, 7, NULL, &spectrum, &err), TRM_ERR_INPUT);
  assert_null(spectrum);
  trm_spectrum_free(NULL);
}

/* ---- memory --------------------------------------------------------------------------- */

static trm_status make_columns(const void *self, const trm_allocator *allocator, trm_error *err) {
  trm_columns *columns = NULL;
  const trm_status status = trm_columns_create(self, allocator, &columns, err);
  assert_true((columns != NULL) == (status == TRM_OK));
  trm_columns_free(columns);
  return status;
}

static trm_status make_spectrum(const void *self, const trm_allocator *allocator, trm_error *err) {
  trm_spectrum *spectrum = NULL;
  const trm_status status = trm_spectrum_create(self, self, 10, allocator, &spectrum, err);
  assert_true((spectrum != NULL) == (status == TRM_OK));
  trm_spectrum_free(spectrum);
  return status;
}

static trm_status make_table(const void *self, const trm_allocator *allocator, trm_error *err) {
  (void)self;
  trm_csv_sink *sink = NULL;
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_status status = trm_csv_sink_create("/dev/null", allocator, &sink, err);
  if (status == TRM_OK) {
    const trm_sink functions = trm_csv_sink_of(sink);
    const trm_options options = trm_options_default();
    status = functions.begin(functions.self, system, &options, err);
  }
  trm_csv_sink_free(sink);
  trm_system_free(system);
  return status;
}

static void lack_of_memory_is_reported_and_nothing_is_lost(void **state) {
  (void)state;
  static const double numbers[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  assert_true(meter_exhaust(make_columns, system, "columns") > 0);
  assert_true(meter_exhaust(make_spectrum, numbers, "spectrum") > 0);
  assert_true(meter_exhaust(make_table, NULL, "table") > 0);
  trm_system_free(system);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(columns_tables_and_run_files_agree),
    cmocka_unit_test(columns_are_found_by_name),
    cmocka_unit_test(a_table_that_cannot_be_written_ends_the_run),
    cmocka_unit_test(figures_go_to_files_and_writers),
    cmocka_unit_test(the_schema_is_written),
    cmocka_unit_test(spectrum_finds_the_sine),
    cmocka_unit_test(lack_of_memory_is_reported_and_nothing_is_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
