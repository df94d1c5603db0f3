/* cmd_linear.c - a model to first order about a state: matrices, poles, zeros, frequency
 * response. */
#include "commands.h"
#include "json_out.h"
#include "linear_figure.h"
#include "load_model.h"
#include "report.h"
#include "state_choice.h"
#include "trammel/plot.h"
#include "trammel/trammel.h"
#include <math.h>
#include <string.h>

enum { SHOWN_SIZE = 12 }; /* larger matrices are not printed */

/* Data of the command; freed as a whole. */
typedef struct linear_run {
  trm_system       *system;
  app_state_choice  state;
  trm_linear_model *model;
  int               n, nu, ny;
  double           *re, *im; /* of poles, then of zeros [n] */
  bool              has_response;
  app_response      response;
  app_store         store;
} linear_run;

static trm_label label_of(const linear_run *r, trm_quantity list, int i) {
  trm_label label;
  trm_system_label(r->system, list, i, &label);
  return label;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *matrix_json(const double *values, int rows, int cols) {
  json_t *matrix = json_array();
  for (int i = 0; i < rows; i++) {
    json_t *row = json_array();
    for (int j = 0; j < cols; j++) {
      json_array_append_new(row, app_json_number(values[i * cols + j]));
    }
    json_array_append_new(matrix, row);
  }
  return matrix;
}

static json_t *values_json(const linear_run *r, int count) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(list, app_json_complex(r->re[i], r->im[i]));
  return list;
}

static json_t *names_json(const linear_run *r, trm_quantity list, int count) {
  json_t *names = json_array();
  for (int i = 0; i < count; i++) {
    json_array_append_new(names, app_json_text(label_of(r, list, i).name));
  }
  return names;
}

static trm_status put_zeros(linear_run *r, json_t *root, trm_error *err) {
  json_t *all = json_object();
  trm_status status = TRM_OK;
  app_json_put(root, "zeros", all);
  for (int i = 0; i < r->ny && status == TRM_OK; i++) {
    json_t *of_output = json_object();
    app_json_put(all, label_of(r, TRM_OUTPUT, i).name, of_output);
    for (int j = 0; j < r->nu && status == TRM_OK; j++) {
      int count = 0;
      status = trm_linear_model_zeros(r->model, j, i, &count, r->re, r->im, err);
      if (status != TRM_OK) break;
      app_json_put(of_output, label_of(r, TRM_U, j).name,
                   count < 0 ? json_null() : values_json(r, count));
    }
  }
  return status;
}

static void put_response(const linear_run *r, json_t *root) {
  json_t *all = json_object(), *hertz = json_array();
  const app_response *f = &r->response;
  app_json_put(root, "response", all);
  app_json_put(all, "frequency_hz", hertz);
  for (long k = 0; k < f->count; k++) json_array_append_new(hertz, app_json_number(f->hertz[k]));
  json_t *outputs = json_object();
  app_json_put(all, "outputs", outputs);
  for (int i = 0; i < r->ny; i++) {
    json_t *of_output = json_object();
    app_json_put(outputs, label_of(r, TRM_OUTPUT, i).name, of_output);
    for (int j = 0; j < r->nu; j++) {
      json_t *list = json_array();
      const size_t first = (size_t)(i * r->nu + j) * (size_t)f->count;
      for (long k = 0; k < f->count; k++) {
        json_array_append_new(list, app_json_complex(f->re[first + (size_t)k],
                                                     f->im[first + (size_t)k]));
      }
      app_json_put(of_output, label_of(r, TRM_U, j).name, list);
    }
  }
}

static trm_status print_json(linear_run *r, trm_error *err) {
  const trm_matrices f = trm_linear_model_matrices(r->model);
  json_t *root = json_object(), *states = json_array();
  app_json_put(root, "trammel", json_string(TRM_VERSION));
  app_json_put(root, "model", app_json_text(trm_system_name(r->system)));
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "analysis", json_string("linear"));
  app_json_put(root, "time", app_json_number(trm_linear_model_state(r->model)->t));
  app_json_put(root, "states", states);
  for (int i = 0; i < r->n; i++) {
    trm_label label;
    trm_linear_model_label(r->model, i, &label);
    json_array_append_new(states, app_json_text(label.name));
  }
  app_json_put(root, "inputs", names_json(r, TRM_U, r->nu));
  app_json_put(root, "outputs", names_json(r, TRM_OUTPUT, r->ny));
  app_json_put(root, "A", matrix_json(f.A, r->n, r->n));
  app_json_put(root, "B", matrix_json(f.B, r->n, r->nu));
  app_json_put(root, "C", matrix_json(f.C, r->ny, r->n));
  app_json_put(root, "D", matrix_json(f.D, r->ny, r->nu));
  trm_status status = trm_linear_model_poles(r->model, r->re, r->im, err);
  if (status == TRM_OK) app_json_put(root, "poles", values_json(r, r->n));
  if (status == TRM_OK) status = put_zeros(r, root, err);
  if (status == TRM_OK && r->has_response) put_response(r, root);
  app_json_put_units(root, r->system, NULL);
  if (status == TRM_OK) return app_json_print(root, err);
  json_decref(root);
  return status;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_matrix(const char *name, const double *values, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (rows > SHOWN_SIZE || cols > SHOWN_SIZE) {
    printf("  %-4s %d x %d, see --json\n", name, rows, cols);
    return;
  }
  for (int i = 0; i < rows; i++) {
    printf("  %-4s", i == 0 ? name : "");
    for (int j = 0; j < cols; j++) printf(" %12.6g", values[i * cols + j]);
    putchar('\n');
  }
}

/* A pair of complex values is one line. */
static void print_values(const linear_run *r, int count) {
  const double seconds = trm_system_units(r->system)->seconds;
  for (int i = 0; i < count; i++) {
    const double re = r->re[i], im = r->im[i], size = hypot(re, im);
    if (im < 0.0) continue;
    char value[64];
    snprintf(value, sizeof value, im != 0.0 ? "%.9g +- %.9gi" : "%.9g", re, im);
    printf("    %-36s", value);
    if (im != 0.0) {
      printf(" %.9g Hz, damping %.6g", size / (2.0 * 3.14159265358979323846 * seconds), -re / size);
    }
    putchar('\n');
  }
}

static trm_status print_zeros(linear_run *r, trm_error *err) {
  trm_status status = TRM_OK;
  for (int k = 0; k < r->ny * r->nu && status == TRM_OK; k++) {
    int count = 0;
    status = trm_linear_model_zeros(r->model, k % r->nu, k / r->nu, &count, r->re, r->im, err);
    if (status != TRM_OK) break;
    const trm_label output = label_of(r, TRM_OUTPUT, k / r->nu);
    const trm_label input = label_of(r, TRM_U, k % r->nu);
    printf("  zeros of %s / %s%s\n", output.name, input.name,
           count < 0 ? ": the input has no effect" : count == 0 ? ": none" : "");
    print_values(r, count);
  }
  return status;
}

static trm_status print_text(linear_run *r, trm_error *err) {
  const trm_matrices f = trm_linear_model_matrices(r->model);
  const trm_unit_names *units = trm_system_units(r->system);
  printf("%s: %d state%s, %d input%s, %d output%s at t = %.12g %s\n", trm_system_name(r->system),
         r->n, r->n == 1 ? "" : "s", r->nu, r->nu == 1 ? "" : "s", r->ny, r->ny == 1 ? "" : "s",
         trm_linear_model_state(r->model)->t, units->time);
  printf("  states");
  for (int i = 0; i < r->n; i++) {
    trm_label label;
    trm_linear_model_label(r->model, i, &label);
    printf("%s %s", i > 0 ? "," : "", label.name);
  }
  putchar('\n');
  print_matrix("A", f.A, r->n, r->n);
  print_matrix("B", f.B, r->n, r->nu);
  print_matrix("C", f.C, r->ny, r->n);
  print_matrix("D", f.D, r->ny, r->nu);
  trm_status status = trm_linear_model_poles(r->model, r->re, r->im, err);
  if (status != TRM_OK) return status;
  printf("  poles [1/%s]\n", units->time);
  print_values(r, r->n);
  return print_zeros(r, err);
}

/* ---- command --------------------------------------------------------------------------------- */

static trm_status prepare(linear_run *r, const app_options *options, trm_error *err) {
  r->n = trm_linear_model_size(r->model);
  r->nu = trm_system_count(r->system, TRM_U);
  r->ny = trm_system_count(r->system, TRM_OUTPUT);
  r->re = APP_TAKE(&r->store, double, r->n + 1);
  r->im = APP_TAKE(&r->store, double, r->n + 1);
  trm_status status = app_store_check(&r->store, err);
  r->has_response = options->frequencies != NULL || options->out != NULL;
  if (status == TRM_OK && r->has_response) {
    status = app_response_find(r->model, r->system, options->frequencies, &r->store, &r->response,
                               err);
  }
  if (status == TRM_OK && options->out != NULL) {
    status = app_response_draw(&r->response, r->system, options->out, &r->store, err);
  }
  return status;
}

trm_status app_linear(const app_options *given, trm_error *err) {
  app_options options = *given;
  options.is_check = true; /* the end of a run is that of --at */
  linear_run r = {.system = NULL};
  trm_options sim;
  trm_plot_format format;
  trm_linear_options find = trm_linear_options_default();
  trm_status status = options.out != NULL ? trm_plot_format_of(options.out, &format, err) : TRM_OK;
  if (status == TRM_OK) status = app_model_options(&options, &sim, err);
  if (status == TRM_OK) status = app_model_create(&options, &r.system, err);
  if (status == TRM_OK) status = app_state_choose(&options, &sim, r.system, &r.state, err);
  if (status == TRM_OK) {
    find.start = sim.start;
    find.solver = sim.solver;
    status = trm_linear_model_find(r.state.system, r.state.at, &find, &r.model, err);
  }
  if (status == TRM_OK) status = prepare(&r, &options, err);
  if (status == TRM_OK) app_state_note(&options, r.system, trm_linear_model_state(r.model));
  if (status == TRM_OK) app_held_note(&options, r.system);
  if (status == TRM_OK && options.json) {
    status = print_json(&r, err);
  } else if (status == TRM_OK && !options.quiet) {
    status = print_text(&r, err);
  }
  trm_linear_model_free(r.model);
  app_state_free(&r.state);
  trm_system_free(r.system);
  app_store_clear(&r.store);
  return status;
}
