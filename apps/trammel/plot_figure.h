/* plot_figure.h - signals of run files as a figure: one panel for each unit. */
#ifndef APP_PLOT_FIGURE_H
#define APP_PLOT_FIGURE_H
#include "core/arena.h"
#include "io/run_read.h"
#include "math/spectrum.h"
#include "plot/plot.h"

enum { APP_PLOT_RUNS_MAX = 16, APP_PLOT_SIGNALS_MAX = 64 };

/* What shall be drawn. */
typedef struct app_plot_request {
  trmi_run   *runs[APP_PLOT_RUNS_MAX];
  int         nruns;
  const char *signals[APP_PLOT_SIGNALS_MAX];
  int         nsignals;
  const char *against;       /* NULL: over the time */
  const char *title;         /* NULL: the model     */
  bool        is_spectrum, is_xlog, is_ylog;
} app_plot_request;

/* One curve and what is known of it. */
typedef struct app_plot_curve {
  const char       *signal, *unit, *run; /* names                            */
  trmi_series       series;
  trmi_spectrum     spectrum;            /* only of spectra                  */
} app_plot_curve;

/* Everything lives in the arena. */
typedef struct app_plot {
  trmi_figure     figure;
  app_plot_curve *curves;  /* signal by signal, run by run [ncurves] */
  int             ncurves;
} app_plot;

/* Read the signals and arrange them. An unknown signal is TRM_ERR_INPUT with the nearest one. */
TRM_CHECKED trm_status app_plot_make(const app_plot_request *request, trmi_arena *arena,
                                     app_plot *plot, trm_error *err);

#endif
