/* cmd_bench.c - run characteristics over integrators and tolerances, as JSON or as a table
 * like Table II.19.3 of the IVP test set [CRANK]. */
#include "bench_figure.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "json_out.h"
#include "load_model.h"
#include "recorder.h"
#include "reference.h"
#include "report.h"
#include "trammel/methods.h"
#include "trammel/plot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One integrator at one tolerance. */
typedef struct row {
  const char  *integrator;
  double       tolerance;
  bool         failed;
  trm_error    failure;
  trm_counters counters;     /* of the fastest run         */
  double       scd, mescd;   /* NaN without reference      */
  json_t      *object;       /* with --json                */
} row;

typedef struct bench {
  const app_options *options;
  app_reference      reference;
  row               *rows;   /* [nrows] */
  int                nrows;
} bench;

/* ---- runs ------------------------------------------------------------- */

/* Keep the common data of a row from the first run, and the smallest times. */
static void keep_run(const bench *b, row *r, int repeat, const trm_sim *sim,
                     const trm_system *system, const app_recorder *recorder) {
  const trm_counters *now = trm_sim_counters(sim);
  if (repeat == 0) {
    r->counters = *now;
    app_reference_digits(&b->reference, system, trm_sim_state(sim), &r->scd, &r->mescd);
    if (b->options->json) r->object = app_json_run_object(sim, system, recorder);
  }
  r->counters.seconds = fmin(r->counters.seconds, now->seconds);
  r->counters.seconds_setup = fmin(r->counters.seconds_setup, now->seconds_setup);
}

/* Options of the command line that a method reads; those of other methods do not count. */
static void take_given(const app_options *options, const trm_method *method, trm_options *sim) {
  const trm_options *given = &options->sim;
  const unsigned reads = method->reads;
  if (options->given[APP_OPT_FORMULATION]) {
    const bool has = trm_method_formulation(method, given->formulation) != NULL;
    sim->formulation = has ? given->formulation : NULL;
  }
  if (given->has_alpha) sim->has_alpha = (reads & TRM_READS_ALPHA) != 0, sim->alpha = given->alpha;
  if (given->has_rho) sim->has_rho = (reads & TRM_READS_RHO) != 0, sim->rho = given->rho;
  if (given->has_coefficients) {
    sim->has_coefficients = (reads & TRM_READS_COEFFICIENTS) != 0;
    sim->alpha_m = given->alpha_m, sim->alpha_f = given->alpha_f;
    sim->beta = given->beta, sim->gamma = given->gamma;
  }
  if (options->given[APP_OPT_MAX_ORDER]) {
    sim->max_order = trm_method_has_order(method, given->max_order) ? given->max_order : 0;
  }
  if (options->given[APP_OPT_ERROR_IN]) {
    sim->error_in = (reads & TRM_READS_ERROR_IN) != 0 ? given->error_in : NULL;
  }
  if (options->given[APP_OPT_SCALING]) {
    sim->scaling = (reads & TRM_READS_SCALING) != 0 ? given->scaling : NULL;
  }
  if (options->given[APP_OPT_PASSES]) {
    sim->passes = (reads & TRM_READS_PASSES) != 0 ? given->passes : 0;
  }
}

/* Options for one of the integrators. */
static trm_status options_for(const app_options *options, const char *integrator,
                              trm_options *sim, trm_error *err) {
  const trm_status status = app_model_options(options, sim, err);
  if (status != TRM_OK) return status;
  app_model_use_integrator(sim, integrator);
  const trm_method *method = trm_method_find(integrator);
  if (method != NULL) take_given(options, method, sim);
  return TRM_OK;
}

/* A formulation that none of the integrators has is a mistake. */
static trm_status check_formulation(const app_options *options, trm_error *err) {
  if (!options->given[APP_OPT_FORMULATION]) return TRM_OK;
  for (int i = 0; i < options->nintegrators; i++) {
    const trm_method *method = trm_method_find(options->integrators[i]);
    if (method == NULL || trm_method_formulation(method, options->sim.formulation) != NULL) {
      return TRM_OK;
    }
  }
  return app_fail(err, TRM_ERR_INPUT, "--formulation", "none of the integrators has a formulation "
                  "'%.60s'", options->sim.formulation);
}

static trm_status simulate(const bench *b, row *r, int repeat, trm_error *err) {
  trm_options options;
  trm_status status = options_for(b->options, r->integrator, &options, err);
  options.tolerance = r->tolerance;
  options.nsteps = 0;
  char label[40];
  snprintf(label, sizeof label, "%.20s %.4g ", r->integrator, r->tolerance);
  app_console console;
  app_console_init(&console, b->options, label);
  if (repeat > 0) console.is_quiet = true; /* the first run has reported everything */
  app_recorder recorder = {.outputs = NULL};
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  if (status == TRM_OK) status = app_model_create(b->options, &system, err);
  if (status == TRM_OK) status = app_recorder_init(&recorder, system, err);
  if (status == TRM_OK) status = trm_sim_create(system, &options, &sim, err);
  const trm_sink sinks[] = {app_recorder_sink(&recorder), app_console_sink(&console)};
  for (int i = 0; i < 2 && status == TRM_OK; i++) status = trm_sim_add_sink(sim, &sinks[i], err);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  app_console_erase(&console);
  if (status == TRM_OK) keep_run(b, r, repeat, sim, system, &recorder);
  trm_sim_free(sim);
  app_recorder_free(&recorder);
  trm_system_free(system);
  return status;
}

/* A run that fails numerically is a row of the table; anything else ends the command. */
static trm_status run_row(const bench *b, row *r, int repeat, trm_error *err) {
  if (r->failed) return TRM_OK;
  const trm_status status = simulate(b, r, repeat, err);
  if (status == TRM_OK || status == TRM_ERR_INPUT || status == TRM_ERR_MEMORY ||
      status == TRM_ERR_STOPPED) {
    return status;
  }
  r->failed = true;
  r->failure = *err;
  r->failure.status = status;
  if (b->options->json) {
    r->object = app_json_error_object(&r->failure);
    app_json_put(r->object, "integrator", app_json_text(r->integrator));
  }
  return TRM_OK;
}

/* Check names first, not after minutes of work. */
static trm_status check_integrators(const app_options *options, trm_error *err) {
  trm_plot_format format;
  trm_status checked = check_formulation(options, err);
  if (checked == TRM_OK && options->out != NULL) {
    checked = trm_plot_format_of(options->out, &format, err);
  }
  if (checked != TRM_OK) return checked;
  for (int i = 0; i < options->nintegrators; i++) {
    trm_options sim_options;
    trm_system *system = NULL;
    trm_sim *sim = NULL;
    trm_status status = options_for(options, options->integrators[i], &sim_options, err);
    if (status == TRM_OK) status = app_model_create(options, &system, err);
    if (status == TRM_OK) status = trm_sim_create(system, &sim_options, &sim, err);
    trm_sim_free(sim);
    trm_system_free(system);
    if (status != TRM_OK) return status;
  }
  return TRM_OK;
}

static trm_status take_rows(bench *b, trm_error *err) {
  const app_options *options = b->options;
  b->nrows = options->nintegrators * options->ntolerances;
  b->rows = calloc((size_t)b->nrows, sizeof *b->rows);
  if (b->rows == NULL) return app_fail_memory(err);
  for (int i = 0; i < b->nrows; i++) {
    b->rows[i] = (row){.integrator = options->integrators[i / options->ntolerances],
                       .tolerance = options->tolerances[i % options->ntolerances],
                       .scd = NAN, .mescd = NAN};
  }
  return TRM_OK;
}

static trm_status execute(bench *b, trm_error *err) {
  trm_status status = check_integrators(b->options, err);
  if (status == TRM_OK) status = take_rows(b, err);
  if (status == TRM_OK) status = app_reference_find(&b->reference, b->options, err);
  for (int repeat = 0; repeat < b->options->repeats; repeat++) {
    for (int i = 0; i < b->nrows && status == TRM_OK; i++) {
      status = run_row(b, &b->rows[i], repeat, err);
    }
  }
  return status;
}

/* ---- JSON and table --------------------------------------------------- */

static long attempted(const trm_counters *n) {
  return n->steps + n->rejected_error + n->rejected_newton;
}

static trm_status print_json(bench *b, trm_error *err) {
  json_t *root = json_object(), *rows = json_array();
  app_json_put(root, "rows", rows);
  for (int i = 0; i < b->nrows; i++) {
    row *r = &b->rows[i];
    json_array_append_new(rows, r->object);
    app_json_put(r->object, "tolerance", app_json_number(r->tolerance));
    if (!r->failed) {
      app_json_put(r->object, "cpu_seconds", app_json_number(r->counters.seconds));
      app_json_put(r->object, "cpu_setup_seconds", app_json_number(r->counters.seconds_setup));
      app_json_put(r->object, "attempted", json_integer(attempted(&r->counters)));
      if (b->reference.exists) {
        app_json_put(r->object, "scd", app_json_number(r->scd));
        app_json_put(r->object, "mescd", app_json_number(r->mescd));
      }
    }
    r->object = NULL;
  }
  return app_json_print(root, err);
}

static void print_digits(double digits) {
  if (isnan(digits)) {
    printf(" %6s", "-");
  } else {
    printf(" %6.2f", digits);
  }
}

static void print_table(const bench *b) {
  const app_options *options = b->options;
  printf("%s: run characteristics; CPU [s]: fastest of %d\n", options->model, options->repeats);
  printf("reference: %s\n", b->reference.source);
  printf("%-12s %9s %6s %6s %8s %8s %8s %8s %8s %10s\n", "integrator", "tolerance", "mescd", "scd",
         "steps", "accept", "#f", "#Jac", "#LU", "CPU");
  for (int i = 0; i < b->nrows; i++) {
    const row *r = &b->rows[i];
    const trm_counters *n = &r->counters;
    printf("%-12s %9.3g", r->integrator, r->tolerance);
    if (r->failed) {
      printf("  failed: %s\n", r->failure.message);
      continue;
    }
    print_digits(r->mescd);
    print_digits(r->scd);
    printf(" %8ld %8ld %8ld %8ld %8ld %10.6f\n", attempted(n), n->steps, n->residuals,
           n->jacobians, n->factorizations, n->seconds);
  }
}

static trm_status draw(const bench *b, trm_error *err) {
  app_bench_point *points = calloc((size_t)b->nrows, sizeof *points);
  if (points == NULL) return app_fail_memory(err);
  for (int i = 0; i < b->nrows; i++) {
    const row *r = &b->rows[i];
    points[i] = (app_bench_point){.integrator = r->integrator,
                                  .error = r->failed ? NAN : pow(10.0, -r->mescd),
                                  .seconds = r->counters.seconds,
                                  .evaluations = (double)r->counters.residuals};
  }
  const trm_status status =
      app_bench_draw(b->options->model, points, b->nrows, b->options->out, err);
  free(points);
  return status;
}

/* An error only if no row has a result. */
static trm_status first_failure(const bench *b, trm_error *err) {
  for (int i = 0; i < b->nrows; i++) {
    if (!b->rows[i].failed) return TRM_OK;
  }
  *err = b->rows[0].failure;
  return err->status;
}

trm_status app_bench(const app_options *options, trm_error *err) {
  app_interrupt_install(options);
  bench b = {.options = options};
  trm_status status = execute(&b, err);
  if (status == TRM_OK) status = first_failure(&b, err);
  if (status == TRM_OK && options->out != NULL) status = draw(&b, err);
  if (status == TRM_OK && options->json) {
    status = print_json(&b, err);
  } else if (status == TRM_OK) {
    print_table(&b);
  }
  for (int i = 0; i < b.nrows; i++) json_decref(b.rows[i].object);
  free(b.rows);
  app_reference_free(&b.reference);
  return status;
}
