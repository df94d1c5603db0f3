/* plot_figure.h - signals of run files as a figure: one panel for each unit. */
#ifndef APP_PLOT_FIGURE_H
#define APP_PLOT_FIGURE_H
#include "plot_computed.h"
#include "store.h"
#include "trammel/plot.h"
#include "trammel/run_file.h"
#include "trammel/spectrum.h"

enum { APP_PLOT_RUNS_MAX = 16, APP_PLOT_SIGNALS_MAX = 64 };

/* Definition of a figure. */
typedef struct app_plot_request {
  trm_run   *runs[APP_PLOT_RUNS_MAX];
  int         nruns;
  const char *signals[APP_PLOT_SIGNALS_MAX];
  int         nsignals;
  const char *against;       /* NULL: over the time */
  const char *title;         /* NULL: the model     */
  bool        is_spectrum, is_xlog, is_ylog;
  const app_computed *computed[APP_PLOT_RUNS_MAX]; /* signals not in the run   [ncomputed]  */
  int         ncomputed[APP_PLOT_RUNS_MAX];
} app_plot_request;

/* One curve with its data. */
typedef struct app_plot_curve {
  const char       *signal, *unit, *run; /* names                            */
  trm_plot_series       series;
  trm_spectrum     *spectrum;            /* NULL unless spectra are drawn    */
} app_plot_curve;

/* Everything but the spectra lives in the store. */
typedef struct app_plot {
  trm_plot_figure     figure;
  app_plot_curve *curves;  /* signal by signal, run by run [ncurves] */
  int             ncurves;
} app_plot;

/* Read the signals and arrange them. An unknown signal is TRM_ERR_INPUT with the nearest one. */
TRM_CHECKED trm_status app_plot_make(const app_plot_request *request, app_store *store,
                                     app_plot *plot, trm_error *err);

/* Free the spectra. */
void app_plot_free(app_plot *plot);

#endif
