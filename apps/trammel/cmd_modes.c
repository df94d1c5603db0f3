/* cmd_modes.c - modes about the start, an equilibrium, or a time of a run. */
#include "along.h"
#include "commands.h"
#include "json_out.h"
#include "load_model.h"
#include "report.h"
#include "state_choice.h"
#include "trammel/trammel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Data of the command; freed as a whole. */
typedef struct modes_run {
  trm_system      *system;
  app_state_choice state;
  trm_modes       *modes;
} modes_run;

/* {NAME: VALUE}; a shape without imaginary parts is a list of plain numbers. */
static void put_shape(json_t *shape, const trm_system *system, trm_quantity list, const double *re,
                      const double *im, bool is_real) {
  for (int i = 0; i < trm_system_count(system, list); i++) {
    trm_label label;
    trm_system_label(system, list, i, &label);
    app_json_put(shape, label.name,
                 is_real ? app_json_number(re[i]) : app_json_complex(re[i], im[i]));
  }
}

static bool is_real_shape(const trm_system *system, const trm_mode *mode) {
  for (int i = 0; i < trm_system_count(system, TRM_V); i++) {
    if (mode->shape_im[i] != 0.0) return false;
  }
  for (int i = 0; i < trm_system_count(system, TRM_X); i++) {
    if (mode->state_im[i] != 0.0) return false;
  }
  return true;
}

static trm_status print_json(const modes_run *r, trm_error *err) {
  json_t *root = json_object(), *list = json_array();
  const double seconds = trm_system_units(r->system)->seconds;
  app_json_put(root, "trammel", json_string(TRM_VERSION));
  app_json_put(root, "model", app_json_text(trm_system_name(r->system)));
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "analysis", json_string("modes"));
  app_json_put(root, "method", json_string(trm_modes_method(r->modes)));
  app_json_put(root, "time", app_json_number(trm_modes_state(r->modes)->t));
  app_json_put(root, "modes", list);
  for (int k = 0; k < trm_modes_count(r->modes); k++) {
    const trm_mode mode = trm_mode_at(r->modes, k);
    const bool is_real = is_real_shape(r->system, &mode);
    json_t *entry = json_object(), *shape = json_object();
    app_json_put(entry, "frequency_hz", app_json_number(mode.frequency / seconds));
    app_json_put(entry, "damping", app_json_number(mode.damping));
    app_json_put(entry, "eigenvalue", app_json_complex(mode.re, mode.im));
    app_json_put(entry, "shape", shape);
    put_shape(shape, r->system, TRM_V, mode.shape_re, mode.shape_im, is_real);
    put_shape(shape, r->system, TRM_X, mode.state_re, mode.state_im, is_real);
    json_array_append_new(list, entry);
  }
  json_t *notes = json_array();
  app_json_put(root, "notes", notes);
  const char *note = trm_modes_note(r->modes);
  if (note[0] != '\0') json_array_append_new(notes, app_json_text(note));
  return app_json_print(root, err);
}

/* The largest parts of a shape, "x 1, y -0.618". */
static void print_parts(const trm_system *system, const trm_mode *mode) {
  enum { PARTS = 3 };
  const int nv = trm_system_count(system, TRM_V), nx = trm_system_count(system, TRM_X);
  int shown[PARTS], count = 0;
  while (count < PARTS) {
    int best = -1;
    double largest = 1e-3; /* smaller parts are not printed */
    for (int i = 0; i < nv + nx; i++) {
      const double size = i < nv ? hypot(mode->shape_re[i], mode->shape_im[i])
                                 : hypot(mode->state_re[i - nv], mode->state_im[i - nv]);
      bool is_shown = false;
      for (int k = 0; k < count; k++) is_shown |= shown[k] == i;
      if (!is_shown && size > largest * (1.0 + 1e-9)) largest = size, best = i;
    }
    if (best < 0) break;
    shown[count++] = best;
    trm_label label;
    trm_system_label(system, best < nv ? TRM_V : TRM_X, best < nv ? best : best - nv, &label);
    const double re = best < nv ? mode->shape_re[best] : mode->state_re[best - nv];
    const double im = best < nv ? mode->shape_im[best] : mode->state_im[best - nv];
    printf("%s%s %.3g", count > 1 ? ", " : "", label.name, re);
    if (fabs(im) > 1e-3) printf("%+.3gi", im);
  }
  putchar('\n');
}

static void print_text(const modes_run *r) {
  const int count = trm_modes_count(r->modes);
  const trm_unit_names *units = trm_system_units(r->system);
  printf("%s: %d mode%s at t = %.12g %s, %s\n", trm_system_name(r->system), count,
         count == 1 ? "" : "s", trm_modes_state(r->modes)->t, units->time,
         trm_modes_method(r->modes));
  char eigenvalue[TRM_UNIT_MAX + 16];
  snprintf(eigenvalue, sizeof eigenvalue, "eigenvalue [1/%s]", units->time);
  printf("  %4s %18s %12s %26s   %s\n", "", "frequency [Hz]", "damping", eigenvalue,
         "largest parts of the shape");
  for (int k = 0; k < count; k++) {
    const trm_mode mode = trm_mode_at(r->modes, k);
    char value[64];
    snprintf(value, sizeof value, mode.im != 0.0 ? "%.6g%+.6gi" : "%.6g", mode.re, mode.im);
    printf("  %4d %18.10g %12.6g %26s   ", k + 1, mode.frequency / units->seconds,
           mode.damping, value);
    print_parts(r->system, &mode);
  }
  if (trm_modes_note(r->modes)[0] != '\0') printf("  note %s\n", trm_modes_note(r->modes));
}

trm_status app_modes(const app_options *given, trm_error *err) {
  if (given->along) return app_modes_along(given, err);
  if (given->out != NULL) {
    return app_fail(err, TRM_ERR_INPUT, "--out", "is for --along: a picture over time");
  }
  app_options options = *given;
  options.is_check = true; /* the end of a run is that of --at */
  modes_run r = {.system = NULL};
  trm_options sim;
  trm_modes_options find = trm_modes_options_default();
  trm_status status = app_model_options(&options, &sim, err);
  if (status == TRM_OK) status = app_model_create(&options, &r.system, err);
  if (status == TRM_OK) status = app_state_choose(&options, &sim, r.system, &r.state, err);
  find.start = sim.start;
  find.solver = sim.solver;
  find.method = options.method;
  if (options.count > 0) find.count = options.count;
  if (status == TRM_OK) {
    status = trm_modes_find(r.state.system, r.state.at, &find, &r.modes, err);
  }
  if (status == TRM_OK) app_state_note(&options, r.system, trm_modes_state(r.modes));
  if (status == TRM_OK) app_held_note(&options, r.system);
  if (status == TRM_OK && options.json) {
    status = print_json(&r, err);
  } else if (status == TRM_OK && !options.quiet) {
    print_text(&r);
  }
  trm_modes_free(r.modes);
  app_state_free(&r.state);
  trm_system_free(r.system);
  return status;
}
