/* linear_figure.c - frequency responses of linear models, and their Bode plot. */
#include "linear_figure.h"
#include "range.h"
#include "report.h"
#include "trammel/plot.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { USUAL_COUNT = 400, NAME_BYTES = 128 };

/* From a tenth of the slowest pole that moves to ten times the fastest. */
static trm_status choose_range(const trm_linear_model *model, double seconds, app_store *store,
                               app_range *range, trm_error *err) {
  const int n = trm_linear_model_size(model);
  double *re = APP_TAKE(store, double, n + 1), *im = APP_TAKE(store, double, n + 1);
  trm_status status = app_store_check(store, err);
  if (status == TRM_OK) status = trm_linear_model_poles(model, re, im, err);
  double least = INFINITY, most = 0.0;
  for (int i = 0; i < n && status == TRM_OK; i++) most = fmax(most, hypot(re[i], im[i]));
  for (int i = 0; i < n && status == TRM_OK; i++) {
    const double size = hypot(re[i], im[i]);
    if (size > 1e-6 * most) least = fmin(least, size); /* less is a rigid-body mode */
  }
  const double hertz = 1.0 / (2.0 * pi * seconds);
  *range = (app_range){.from = 0.1, .to = 10.0, .count = USUAL_COUNT};
  if (most > 0.0) range->from = 0.1 * least * hertz, range->to = 10.0 * most * hertz;
  return status;
}

static trm_status read_range(const char *text, app_range *range, trm_error *err) {
  const app_range_kind kind = {"--frequencies", "0.1..100,200", "Hz", NULL};
  const trm_status status = app_range_read(&kind, text, range, err);
  if (status != TRM_OK) return status;
  if (range->from > 0.0 && range->to >= range->from) return TRM_OK;
  return app_fail(err, TRM_ERR_INPUT, "--frequencies", "frequencies go from a positive number to a "
                  "larger one, in equal ratios, not from %g to %g", range->from, range->to);
}

trm_status app_response_find(const trm_linear_model *model, const trm_system *system,
                             const char *text, app_store *store, app_response *r, trm_error *err) {
  app_range range;
  const double seconds = trm_system_units(system)->seconds;
  trm_status status = text != NULL ? read_range(text, &range, err)
                                   : choose_range(model, seconds, store, &range, err);
  if (status != TRM_OK) return status;
  *r = (app_response){.count = range.count, .nu = trm_system_count(system, TRM_U),
                      .ny = trm_system_count(system, TRM_OUTPUT)};
  const size_t channels = (size_t)r->nu * (size_t)r->ny, count = (size_t)r->count;
  r->hertz = APP_TAKE(store, double, count);
  r->re = APP_TAKE(store, double, channels * count + 1);
  r->im = APP_TAKE(store, double, channels * count + 1);
  double *re = APP_TAKE(store, double, channels + 1), *im = APP_TAKE(store, double, channels + 1);
  status = app_store_check(store, err);
  for (size_t k = 0; k < count && status == TRM_OK; k++) {
    const double part = count > 1 ? (double)k / (double)(count - 1) : 0.0;
    r->hertz[k] = range.from * pow(range.to / range.from, part);
    status = trm_linear_model_response(model, 2.0 * pi * r->hertz[k] * seconds, re, im, err);
    for (size_t i = 0; i < channels; i++) {
      r->re[i * count + k] = re[i];
      r->im[i * count + k] = im[i];
    }
  }
  return status;
}

/* "stretch / f" */
static const char *channel_name(const trm_system *system, int i, int j, app_store *store) {
  trm_label output, input;
  char *name = APP_TAKE(store, char, NAME_BYTES);
  trm_system_label(system, TRM_OUTPUT, i, &output);
  trm_system_label(system, TRM_U, j, &input);
  if (name != NULL) snprintf(name, NAME_BYTES, "%.60s / %.60s", output.name, input.name);
  return name != NULL ? name : "";
}

/* "mm/N": of the output over the input; "" of a plain number, or where both are not known. */
static const char *channel_unit(const trm_system *system, int i, int j, app_store *store) {
  trm_label output, input;
  char *unit = APP_TAKE(store, char, NAME_BYTES);
  trm_system_label(system, TRM_OUTPUT, i, &output);
  trm_system_label(system, TRM_U, j, &input);
  const char *above = trm_system_unit(system, TRM_OUTPUT, &output);
  const char *below = trm_system_unit(system, TRM_U, &input);
  if (unit == NULL || strcmp(above, below) == 0) return "";
  if (below[0] == '\0') return strcpy(unit, above);
  const bool is_product = strpbrk(below, " /") != NULL;
  snprintf(unit, NAME_BYTES, "%s/%s%s%s", above[0] != '\0' ? above : "1", is_product ? "(" : "",
           below, is_product ? ")" : "");
  return unit;
}

/* A panel for each unit of the magnitudes series[0 .. nu ny - 1], in panels. */
static int group_panels(const app_response *r, const trm_system *system,
                        const trm_plot_series *series, trm_plot_panel *panels, app_store *store) {
  const int channels = r->nu * r->ny;
  const char **units = APP_TAKE(store, const char *, channels);
  trm_plot_series *sorted = APP_TAKE(store, trm_plot_series, channels);
  bool *is_placed = APP_TAKE(store, bool, channels);
  if (store->failed) return 0;
  for (int c = 0; c < channels; c++) units[c] = channel_unit(system, c / r->nu, c % r->nu, store);
  int npanels = 0;
  for (int c = 0; c < channels && npanels + 1 < TRM_PLOT_PANELS_MAX; c++) {
    if (is_placed[c]) continue;
    trm_plot_panel *panel = &panels[npanels++];
    *panel = (trm_plot_panel){.y = {.name = "magnitude", .unit = units[c], .is_log = true},
                              .series = sorted};
    for (int k = c; k < channels; k++) {
      if (strcmp(units[k], units[c]) != 0) continue;
      *sorted = series[k];
      sorted->has_style = true, sorted->color = k; /* that of its phase */
      sorted++, panel->nseries++;
      is_placed[k] = true;
    }
  }
  return npanels;
}

/* Phases in degrees without jumps of a full turn. */
static void find_phases(const double *re, const double *im, size_t n, double *phase) {
  double turns = 0.0;
  for (size_t k = 0; k < n; k++) {
    phase[k] = atan2(im[k], re[k]) * 180.0 / pi + turns;
    if (k > 0 && phase[k] - phase[k - 1] > 180.0) turns -= 360.0, phase[k] -= 360.0;
    if (k > 0 && phase[k] - phase[k - 1] < -180.0) turns += 360.0, phase[k] += 360.0;
  }
}

trm_status app_response_draw(const app_response *r, const trm_system *system, const char *path,
                             app_store *store, trm_error *err) {
  const int channels = r->nu * r->ny;
  const size_t n = (size_t)r->count;
  if (channels == 0) {
    return app_fail(err, TRM_ERR_INPUT, "--out", "a frequency response needs 'inputs' and "
                    "'outputs'; the model has %d and %d", r->nu, r->ny);
  }
  trm_plot_series *series = APP_TAKE(store, trm_plot_series, 2 * channels);
  double *values = APP_TAKE(store, double, 2 * (size_t)channels * n);
  trm_status status = app_store_check(store, err);
  if (status != TRM_OK) return status;
  for (int c = 0; c < channels; c++) {
    const double *re = r->re + (size_t)c * n, *im = r->im + (size_t)c * n;
    double *size = values + 2 * (size_t)c * n, *phase = size + n;
    for (size_t k = 0; k < n; k++) size[k] = hypot(re[k], im[k]);
    find_phases(re, im, n, phase);
    const trm_plot_series one = {.name = channel_name(system, c / r->nu, c % r->nu, store),
                                 .x = r->hertz, .n = n};
    series[c] = series[channels + c] = one;
    series[c].y = size;
    series[channels + c].y = phase;
  }
  trm_plot_panel panels[TRM_PLOT_PANELS_MAX];
  const int npanels = group_panels(r, system, series, panels, store);
  panels[npanels] = (trm_plot_panel){.y = {.name = "phase", .unit = "deg"},
                                     .series = series + channels, .nseries = channels};
  const trm_plot_figure figure = {.title = trm_system_name(system), .panels = panels,
                                  .npanels = npanels + 1,
                                  .x = {.name = "frequency", .unit = "Hz", .is_log = true,
                                        .is_tight = true}};
  status = app_store_check(store, err);
  return status == TRM_OK ? trm_plot_write(&figure, path, err) : status;
}
