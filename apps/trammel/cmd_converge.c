/* cmd_converge.c - observed order of an integrator, as JSON or as a table. */
#include "commands.h"
#include "converge.h"
#include "interrupt.h"
#include "json_out.h"
#include "load_model.h"
#include "report.h"
#include <math.h>

/* ---- JSON ------------------------------------------------------------- */

static json_t *errors_object(const app_study *study, const app_history *run) {
  json_t *errors = json_object(), *rms = json_object();
  for (int k = 0; k < APP_ERROR_KINDS; k++) {
    app_json_put(errors, app_error_name((app_error_kind)k), app_json_number(run->largest[k]));
  }
  app_json_put(errors, "rms", rms);
  app_json_put_list(rms, study->system, TRM_Q, run->rms);
  return errors;
}

/* Orders between a run and the one before it; null in the first row. */
static json_t *orders_object(const app_study *study, const app_history *before,
                             const app_history *run) {
  json_t *orders = json_object(), *rms = json_object();
  const double h1 = run->pattern->h[0], h0 = before != NULL ? before->pattern->h[0] : NAN;
  for (int k = 0; k < APP_ERROR_KINDS; k++) {
    const double e0 = before != NULL ? before->largest[k] : NAN;
    app_json_put(orders, app_error_name((app_error_kind)k),
                 app_json_number(app_order(e0, run->largest[k], h0, h1)));
  }
  app_json_put(orders, "rms", rms);
  for (int i = 0; i < study->nq; i++) {
    trm_label label;
    trm_system_label(study->system, TRM_Q, i, &label);
    const double e0 = before != NULL ? before->rms[i] : NAN;
    app_json_put(rms, label.name, app_json_number(app_order(e0, run->rms[i], h0, h1)));
  }
  return orders;
}

static trm_status print_json(const app_study *study, trm_error *err) {
  json_t *root = json_object(), *rows = json_array();
  app_json_put(root, "rows", rows);
  for (int i = 0; i < study->nruns; i++) {
    const app_history *run = &study->runs[i];
    json_t *row = json_object();
    json_array_append_new(rows, row);
    app_json_put(row, "step", app_json_number(run->pattern->h[0]));
    if (run->pattern->n > 1) {
      json_t *pattern = json_array();
      app_json_put(row, "pattern", pattern);
      for (int k = 0; k < run->pattern->n; k++) {
        json_array_append_new(pattern, app_json_number(run->pattern->h[k]));
      }
    }
    app_json_put(row, "errors", errors_object(study, run));
    app_json_put(row, "orders", orders_object(study, i > 0 ? run - 1 : NULL, run));
  }
  app_json_put_units(root, study->system, NULL);
  return app_json_print(root, err);
}

/* ---- table ------------------------------------------------------------ */

static bool exists(const app_study *study, int kind) {
  return !isnan(study->runs[0].largest[kind]);
}

static void print_row(const app_study *study, int i) {
  const app_history *run = &study->runs[i];
  char step[TRM_STEPS_MAX * 14];
  int used = 0;
  for (int k = 0; k < run->pattern->n; k++) {
    used += snprintf(step + used, sizeof step - (size_t)used, "%s%.4g", k > 0 ? ":" : "",
                     run->pattern->h[k]);
  }
  printf("%-16s", step);
  for (int k = 0; k < APP_ERROR_KINDS; k++) {
    if (!exists(study, k)) continue;
    const double h0 = i > 0 ? run[-1].pattern->h[0] : NAN;
    const double e0 = i > 0 ? run[-1].largest[k] : NAN;
    const double order = app_order(e0, run->largest[k], h0, run->pattern->h[0]);
    printf("  %10.3e", run->largest[k]);
    if (isnan(order)) {
      printf("      -");
    } else {
      printf(" %6.2f", order);
    }
  }
  putchar('\n');
}

static void print_table(const app_study *study) {
  printf("%s: largest error over the run, and observed order\n", study->options->model);
  char step[TRM_UNIT_MAX + 8];
  snprintf(step, sizeof step, "step [%s]", app_model_units(study->options).time);
  printf("%-16s", step);
  for (int k = 0; k < APP_ERROR_KINDS; k++) {
    if (exists(study, k)) printf("  %12s order", app_error_name((app_error_kind)k));
  }
  putchar('\n');
  for (int i = 0; i < study->nruns; i++) print_row(study, i);
}

trm_status app_converge(const app_options *options, trm_error *err) {
  if (options->npatterns == 0) {
    return app_fail(err, TRM_ERR_INPUT, "--steps", "a list of fixed steps is needed, for example "
                    "--steps 0.01,0.005,0.0025");
  }
  app_interrupt_install(options);
  app_study study;
  trm_status status = app_study_create(&study, options, err);
  if (status == TRM_OK) status = app_study_execute(&study, err);
  if (status == TRM_OK && options->json) {
    status = print_json(&study, err);
  } else if (status == TRM_OK) {
    print_table(&study);
  }
  app_study_free(&study);
  return status;
}
