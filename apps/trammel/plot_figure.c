/* plot_figure.c - from signals to curves, from curves to panels. */
#include "plot_figure.h"
#include "report.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------ */

static const char *copy_text(app_store *store, const char *text) {
  char *copy = APP_TAKE(store, char, strlen(text) + 1);
  if (copy != NULL) memcpy(copy, text, strlen(text) + 1);
  return copy != NULL ? copy : "";
}

/* "runs/a.h5" becomes "a"; if two runs would have the same name, paths are kept. */
static const char *run_name(const app_plot_request *request, int i, app_store *store) {
  char names[APP_PLOT_RUNS_MAX][128];
  for (int k = 0; k < request->nruns; k++) {
    const char *path = trm_run_info_of(request->runs[k])->path;
    const char *slash = strrchr(path, '/');
    snprintf(names[k], sizeof names[k], "%.127s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(names[k], '.');
    if (dot != NULL && dot != names[k]) *dot = '\0';
  }
  for (int k = 0; k < request->nruns; k++) {
    if (k != i && strcmp(names[k], names[i]) == 0) return trm_run_info_of(request->runs[i])->path;
  }
  return copy_text(store, names[i]);
}

/* Text of the legend: distinguishes this curve from the others. */
static const char *curve_name(const app_plot_request *request, const app_plot_curve *curve,
                              app_store *store) {
  if (request->nruns == 1) return curve->signal;
  if (request->nsignals == 1) return curve->run;
  char text[256];
  snprintf(text, sizeof text, "%.100s, %.120s", curve->signal, curve->run);
  return copy_text(store, text);
}

/* ---- curves ------------------------------------------------------------------------- */

/* A signal of a run: of the file, or computed. */
typedef struct column {
  const char   *name, *unit;
  int           signal;   /* of the file                  */
  const double *computed; /* NULL: it is in the file      */
} column;

static trm_status find_column(const app_plot_request *request, int k, const char *name,
                              column *found, trm_error *err) {
  for (int i = 0; i < request->ncomputed[k]; i++) {
    const app_computed *c = &request->computed[k][i];
    if (strcmp(c->name, name) != 0) continue;
    *found = (column){.name = c->name, .unit = c->unit, .computed = c->values};
    return TRM_OK;
  }
  int signal = 0;
  const trm_status status = trm_run_find(request->runs[k], name, &signal, err);
  if (status != TRM_OK) return status;
  const trm_signal *facts = trm_run_signal(request->runs[k], signal);
  *found = (column){.name = facts->name, .unit = facts->unit, .signal = signal};
  return TRM_OK;
}

static trm_status read_column(trm_run *run, const column *from, double factor, app_store *store,
                              const double **values, trm_error *err) {
  if (from->computed != NULL) {
    *values = from->computed;
    return TRM_OK;
  }
  const long n = trm_run_info_of(run)->nsamples;
  double *numbers = APP_TAKE(store, double, n);
  trm_status status = app_store_check(store, err);
  if (status == TRM_OK) status = trm_run_read_range(run, from->signal, 0, n, numbers, err);
  if (status != TRM_OK) return status;
  for (long i = 0; i < n && factor != 1.0; i++) numbers[i] *= factor;
  *values = numbers;
  return TRM_OK;
}

static double time_unit(const trm_run *run) {
  return trm_run_info_of(run)->seconds;
}

/* Times are drawn in the unit of the first run; spectra need seconds. */
static double time_factor(const app_plot_request *request, const trm_run *run) {
  if (request->against != NULL) return 1.0;
  return time_unit(run) / (request->is_spectrum ? 1.0 : time_unit(request->runs[0]));
}

/* The signal over the time, or over another signal, of run number k. */
static trm_status read_curve(const app_plot_request *request, int k, const char *name,
                             app_store *store, app_plot_curve *curve, trm_error *err) {
  trm_run *run = request->runs[k];
  column signal, against = {.signal = 0};
  trm_status status = find_column(request, k, name, &signal, err);
  if (status == TRM_OK && request->against != NULL) {
    status = find_column(request, k, request->against, &against, err);
  }
  if (status != TRM_OK) return status;
  curve->signal = signal.name;
  curve->unit = signal.unit;
  curve->series.n = (size_t)trm_run_info_of(run)->nsamples;
  const double factor = time_factor(request, run);
  status = read_column(run, &against, factor, store, &curve->series.x, err);
  if (status == TRM_OK) status = read_column(run, &signal, 1.0, store, &curve->series.y, err);
  return status;
}

static trm_status to_spectrum(app_plot_curve *curve, trm_error *err) {
  trm_plot_series *s = &curve->series;
  const trm_status status = trm_spectrum_create(s->x, s->y, s->n, NULL, &curve->spectrum, err);
  if (status == TRM_ERR_INPUT) snprintf(err->object, sizeof err->object, "%s", curve->signal);
  if (status != TRM_OK) return status;
  /* without the mean, which was taken out */
  s->x = curve->spectrum->frequency + 1;
  s->y = curve->spectrum->amplitude + 1;
  s->n = curve->spectrum->n - 1;
  return TRM_OK;
}

/* Spectra end where amplitudes become negligible. */
static double last_frequency(const app_plot *plot) {
  static const double SEEN = 3e-3, ROOM = 1.25;
  enum { LINES_MIN = 16 };
  double last = 0;
  for (int i = 0; i < plot->ncurves; i++) {
    const trm_plot_series *s = &plot->curves[i].series;
    double largest = 0;
    for (size_t k = 0; k < s->n; k++) largest = s->y[k] > largest ? s->y[k] : largest;
    size_t end = s->n < LINES_MIN ? s->n : LINES_MIN;
    for (size_t k = end; k < s->n; k++) end = s->y[k] > SEEN * largest ? k + 1 : end;
    const double frequency = ROOM * s->x[end - 1], highest = s->x[s->n - 1];
    last = fmax(last, fmin(frequency, highest));
  }
  return last;
}

static trm_status make_curves(const app_plot_request *request, app_store *store, app_plot *plot,
                              trm_error *err) {
  plot->curves = APP_TAKE(store, app_plot_curve, request->nsignals * request->nruns);
  trm_status status = app_store_check(store, err);
  for (int i = 0; i < request->nsignals && status == TRM_OK; i++) {
    for (int k = 0; k < request->nruns && status == TRM_OK; k++) {
      app_plot_curve *curve = &plot->curves[plot->ncurves++];
      status = read_curve(request, k, request->signals[i], store, curve, err);
      if (status != TRM_OK) break;
      curve->run = run_name(request, k, store);
      curve->series.name = curve_name(request, curve, store);
      /* one colour for each signal, one kind of line for each run */
      curve->series.has_style = request->nruns > 1;
      curve->series.color = request->nsignals > 1 ? i : k;
      curve->series.dash = k;
      if (request->is_spectrum) status = to_spectrum(curve, err);
    }
  }
  return status;
}

/* ---- panels ------------------------------------------------------------------------- */

/* Peaks of one spectrum as remarks. */
static void add_peaks(const app_plot_request *request, const app_plot_curve *curve, int series,
                      trm_plot_panel *panel, trm_plot_remark *remarks, app_store *store) {
  for (int i = 0; request->is_spectrum && i < curve->spectrum->npeaks; i++) {
    const trm_peak *peak = &curve->spectrum->peaks[i];
    char text[64];
    snprintf(text, sizeof text, "%.4g Hz", peak->frequency);
    remarks[panel->nremarks++] = (trm_plot_remark){.x = peak->frequency, .y = peak->amplitude,
                                               .text = copy_text(store, text), .series = series};
  }
}

/* All curves with the unit of `first` that are not in a panel yet. */
static void fill_panel(const app_plot_request *request, app_plot *plot, int first, bool *is_used,
                       trm_plot_panel *panel, app_store *store) {
  const app_plot_curve *model = &plot->curves[first];
  trm_plot_series *series = APP_TAKE(store, trm_plot_series, plot->ncurves);
  trm_plot_remark *remarks = APP_TAKE(store, trm_plot_remark, plot->ncurves * TRM_PEAKS_MAX);
  if (store->failed) return;
  *panel = (trm_plot_panel){.series = series, .remarks = remarks};
  bool is_one_signal = true;
  for (int i = first; i < plot->ncurves; i++) {
    const app_plot_curve *curve = &plot->curves[i];
    if (is_used[i] || strcmp(curve->unit, model->unit) != 0) continue;
    is_used[i] = true;
    is_one_signal = is_one_signal && strcmp(curve->signal, model->signal) == 0;
    add_peaks(request, curve, panel->nseries, panel, remarks, store);
    series[panel->nseries++] = curve->series;
  }
  char label[TRM_COLUMN_MAX + 16];
  snprintf(label, sizeof label, "%s%s%s", request->is_spectrum ? "amplitude" : "",
           request->is_spectrum && is_one_signal ? " of " : "",
           is_one_signal ? model->signal : "");
  panel->y = (trm_plot_axis){.name = copy_text(store, label), .unit = model->unit,
                         .is_log = request->is_ylog};
}

static void set_x_axis(const app_plot_request *request, app_plot *plot) {
  trm_plot_axis *x = &plot->figure.x;
  *x = (trm_plot_axis){.name = "time", .unit = trm_run_signal(request->runs[0], 0)->unit,
                   .is_log = request->is_xlog, .is_tight = true};
  if (request->is_spectrum) {
    x->name = "frequency";
    x->unit = "Hz";
    x->high = request->is_ylog || request->is_xlog ? 0 : last_frequency(plot);
  } else if (request->against != NULL) {
    column against;
    if (find_column(request, 0, request->against, &against, NULL) != TRM_OK) return;
    x->name = against.name;
    x->unit = against.unit;
    x->is_tight = false;
  }
}

/* The model, if all runs are of the same one. */
static const char *default_title(const app_plot_request *request) {
  const char *model = trm_run_info_of(request->runs[0])->model;
  for (int k = 1; k < request->nruns; k++) {
    if (strcmp(trm_run_info_of(request->runs[k])->model, model) != 0) return NULL;
  }
  return model;
}

trm_status app_plot_make(const app_plot_request *request, app_store *store, app_plot *plot,
                         trm_error *err) {
  *plot = (app_plot){.ncurves = 0};
  const trm_status status = make_curves(request, store, plot, err);
  if (status != TRM_OK) return status;
  trm_plot_panel *panels = APP_TAKE(store, trm_plot_panel, plot->ncurves);
  bool *is_used = APP_TAKE(store, bool, plot->ncurves);
  for (int i = 0; i < plot->ncurves && !store->failed; i++) {
    if (is_used[i]) continue;
    fill_panel(request, plot, i, is_used, &panels[plot->figure.npanels++], store);
  }
  plot->figure.panels = panels;
  plot->figure.title = request->title != NULL ? request->title : default_title(request);
  set_x_axis(request, plot);
  return app_store_check(store, err);
}

void app_plot_free(app_plot *plot) {
  for (int i = 0; i < plot->ncurves; i++) trm_spectrum_free(plot->curves[i].spectrum);
  plot->ncurves = 0;
}
