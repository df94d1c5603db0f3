/* cmd_plot.c - draw signals of run files, or list them. */
#define _DEFAULT_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) for TIOCGWINSZ */
#include "commands.h"
#include "json_out.h"
#include "plot_figure.h"
#include "report.h"
#include "terminal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- words ------------------------------------------------------------------------ */

static bool is_run_file(const char *word) {
  const char *dot = strrchr(word, '.');
  return dot != NULL && strcmp(dot, ".h5") == 0;
}

/* The first word is a file, and so is every other that ends in .h5. */
static trm_status sort_words(const app_options *options, app_plot_request *request,
                             const char *paths[APP_PLOT_RUNS_MAX], trm_error *err) {
  paths[request->nruns++] = options->model;
  for (int i = 0; i < options->nwords; i++) {
    const char *word = options->words[i];
    if (is_run_file(word)) {
      if (request->nruns == APP_PLOT_RUNS_MAX) {
        return app_fail(err, TRM_ERR_INPUT, NULL, "more than %d run files", APP_PLOT_RUNS_MAX);
      }
      paths[request->nruns++] = word;
    } else if (request->nsignals == APP_PLOT_SIGNALS_MAX) {
      return app_fail(err, TRM_ERR_INPUT, NULL, "more than %d signals", APP_PLOT_SIGNALS_MAX);
    } else {
      request->signals[request->nsignals++] = word;
    }
  }
  return TRM_OK;
}

/* ---- list of signals -------------------------------------------------------------- */

static trm_status print_signals_json(const app_plot_request *request, trm_error *err) {
  json_t *root = json_object(), *runs = json_array();
  app_json_put(root, "runs", runs);
  for (int k = 0; k < request->nruns; k++) {
    const trm_run_info *info = trm_run_info_of(request->runs[k]);
    json_t *run = json_object(), *signals = json_array();
    json_array_append_new(runs, run);
    app_json_put(run, "file", app_json_text(info->path));
    app_json_put(run, "model", app_json_text(info->model));
    app_json_put(run, "samples", json_integer(info->nsamples));
    app_json_put(run, "signals", signals);
    for (int i = 0; i < info->nsignals; i++) {
      const trm_signal *signal = trm_run_signal(request->runs[k], i);
      json_t *entry = json_object();
      app_json_put(entry, "name", app_json_text(signal->name));
      app_json_put(entry, "unit", app_json_text(signal->unit));
      app_json_put(entry, "group", app_json_text(trm_signal_group_name(signal->group)));
      json_array_append_new(signals, entry);
    }
  }
  return app_json_print(root, err);
}

/* Letters that a terminal might take for commands are not shown. */
static void print_plain(const char *text) {
  for (const char *c = text; *c != '\0'; c++) {
    putchar((unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
  }
}

/* One line for each group of signals with the same unit, broken at the width. */
static void print_signals(const trm_run *run) {
  enum { WIDTH = 79, COLUMN = 27 };
  const trm_run_info *info = trm_run_info_of(run);
  printf("%s: %s, %ld samples; signals, each with its unit:\n", info->path, info->model,
         info->nsamples);
  int used = 0;
  for (int i = 0; i < info->nsignals; i++) {
    const trm_signal *signal = trm_run_signal(run, i);
    const trm_signal *before = i > 0 ? trm_run_signal(run, i - 1) : NULL;
    const bool is_new = before == NULL || before->group != signal->group ||
                        strcmp(before->unit, signal->unit) != 0;
    const int length = (int)strlen(signal->name) + 2;
    if (is_new) {
      if (i > 0) putchar('\n');
      char unit[TRM_UNIT_MAX + 4];
      snprintf(unit, sizeof unit, "[%s]", signal->unit);
      used = printf("  %-14s %-9s", trm_signal_group_name(signal->group),
                    signal->unit[0] != '\0' ? unit : "");
      used = used < COLUMN ? used : COLUMN;
    } else if (used + length > WIDTH) {
      printf("\n%*s", COLUMN - 1, "");
      used = COLUMN - 1;
    }
    fputs("  ", stdout);
    print_plain(signal->name);
    used += length;
  }
  putchar('\n');
}

/* ---- output ----------------------------------------------------------------------- */

static trm_status print_result_json(const app_options *options, const app_plot *plot,
                                    trm_error *err) {
  json_t *root = json_object(), *curves = json_array();
  app_json_put(root, "out", options->out != NULL ? app_json_text(options->out) : json_null());
  app_json_put(root, "panels", json_integer(plot->figure.npanels));
  app_json_put(root, "curves", curves);
  for (int i = 0; i < plot->ncurves; i++) {
    const app_plot_curve *curve = &plot->curves[i];
    json_t *entry = json_object();
    json_array_append_new(curves, entry);
    app_json_put(entry, "signal", app_json_text(curve->signal));
    app_json_put(entry, "unit", app_json_text(curve->unit));
    app_json_put(entry, "run", app_json_text(curve->run));
    app_json_put(entry, "points", json_integer((json_int_t)curve->series.n));
    if (!options->is_spectrum) continue;
    app_json_put(entry, "resampled", json_boolean(curve->spectrum->is_resampled));
    json_t *peaks = json_array();
    app_json_put(entry, "peaks", peaks);
    for (int k = 0; k < curve->spectrum->npeaks; k++) {
      json_t *peak = json_object();
      app_json_put(peak, "frequency", app_json_number(curve->spectrum->peaks[k].frequency));
      app_json_put(peak, "amplitude", app_json_number(curve->spectrum->peaks[k].amplitude));
      json_array_append_new(peaks, peak);
    }
  }
  return app_json_print(root, err);
}

/* Peaks in words; a note about resampling. */
static void print_peaks(const app_options *options, const app_plot *plot) {
  for (int i = 0; i < plot->ncurves && options->is_spectrum; i++) {
    const app_plot_curve *curve = &plot->curves[i];
    if (curve->spectrum->is_resampled && !options->quiet) {
      app_note(options, NAN, "samples are not evenly spaced: put on an even grid by interpolation");
    }
    if (options->quiet) continue;
    print_plain(curve->series.name);
    fputs(curve->spectrum->npeaks > 0 ? ": peaks" : ": no peaks", stdout);
    for (int k = 0; k < curve->spectrum->npeaks; k++) {
      const trm_peak *peak = &curve->spectrum->peaks[k];
      printf("%s %.6g Hz (%.3g%s%s)", k > 0 ? "," : "", peak->frequency, peak->amplitude,
             curve->unit[0] != '\0' ? " " : "", curve->unit);
    }
    putchar('\n');
  }
}

static trm_plot_terminal find_terminal(int npanels) {
  trm_plot_terminal terminal = {.width = 80, .rows = npanels == 1 ? 20 : npanels == 2 ? 12 : 8};
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  struct winsize size;
  if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = size.ws_col;
  }
  const char *kind = getenv("TERM"), *plain = getenv("NO_COLOR");
  terminal.has_colors = is_terminal && (plain == NULL || plain[0] == '\0') && kind != NULL &&
                        strcmp(kind, "dumb") != 0;
  return terminal;
}

static void print(void *self, const char *bytes, size_t count) {
  const bool *is_shown = self;
  if (*is_shown) fwrite(bytes, 1, count, stdout);
}

static trm_status show(const app_options *options, const app_plot *plot, trm_error *err) {
  trm_status status = TRM_OK;
  if (options->out != NULL) {
    status = trm_plot_write(&plot->figure, options->out, err);
  } else { /* with --json only tests whether it can be drawn */
    const trm_plot_terminal terminal = find_terminal(plot->figure.npanels);
    bool is_shown = !options->json;
    app_terminal_allow_colours();
    status = trm_plot_text(&plot->figure, &terminal, print, &is_shown, err);
  }
  if (status != TRM_OK) return status;
  if (options->json) return print_result_json(options, plot, err);
  print_peaks(options, plot);
  return TRM_OK;
}

/* ---- command ---------------------------------------------------------------------- */

/* Report signals that the files do not contain. */
static trm_status compute(const app_options *options, app_plot_request *request, app_store *store,
                          trm_error *err) {
  const char *names[APP_PLOT_SIGNALS_MAX + 1];
  int count = 0;
  for (int i = 0; i < request->nsignals; i++) names[count++] = request->signals[i];
  if (request->against != NULL) names[count++] = request->against;
  trm_status status = TRM_OK;
  for (int k = 0; k < request->nruns && status == TRM_OK; k++) {
    app_computed *list = APP_TAKE(store, app_computed, count);
    request->computed[k] = list;
    if (list == NULL) return app_fail_memory(err);
    status = app_plot_compute(options, request->runs[k], names, count, store, list,
                              &request->ncomputed[k], err);
  }
  return status;
}

static trm_status draw(const app_options *options, app_plot_request *request, trm_error *err) {
  app_store store = {.blocks = NULL};
  app_plot plot = {.ncurves = 0};
  trm_status status = compute(options, request, &store, err);
  if (status == TRM_OK) status = app_plot_make(request, &store, &plot, err);
  if (status == TRM_OK) status = show(options, &plot, err);
  app_plot_free(&plot);
  app_store_clear(&store);
  return status;
}

static trm_status check(const app_options *options, trm_error *err) {
  trm_plot_format format;
  if (options->is_spectrum && options->against != NULL) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "--spectrum and --against cannot be given together");
  }
  return options->out != NULL ? trm_plot_format_of(options->out, &format, err) : TRM_OK;
}

trm_status app_plot_command(const app_options *options, trm_error *err) {
  app_plot_request request = {
    .against = options->against, .title = options->title, .is_spectrum = options->is_spectrum,
    .is_xlog = options->is_xlog, .is_ylog = options->is_ylog,
  };
  const char *paths[APP_PLOT_RUNS_MAX] = {NULL};
  trm_status status = check(options, err);
  if (status == TRM_OK) status = sort_words(options, &request, paths, err);
  for (int k = 0; k < request.nruns && status == TRM_OK; k++) {
    status = trm_run_open(paths[k], NULL, &request.runs[k], err);
  }
  if (status == TRM_OK && request.nsignals > 0) {
    status = draw(options, &request, err);
  } else if (status == TRM_OK && options->json) {
    status = print_signals_json(&request, err);
  } else if (status == TRM_OK) {
    for (int k = 0; k < request.nruns; k++) print_signals(request.runs[k]);
  }
  for (int k = 0; k < request.nruns; k++) trm_run_close(request.runs[k]);
  return status;
}
