/* bench_figure.c - work over precision: CPU time and evaluations over the error, logarithmic. */
#include "bench_figure.h"
#include "report.h"
#include "store.h"
#include "trammel/plot.h"
#include <math.h>
#include <string.h>

/* Curves of one panel, from the runs that have an error; returns how many. */
static int collect(const app_bench_point *points, int n, bool is_time, trm_plot_series *series,
                   double *values) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    const app_bench_point *p = &points[i];
    if (!isfinite(p->error)) continue;
    const bool is_next = count == 0 || strcmp(series[count - 1].name, p->integrator) != 0;
    double *x = values + 2 * i, *y = x + 1;
    *x = p->error;
    *y = is_time ? p->seconds : p->evaluations;
    if (is_next) series[count++] = (trm_plot_series){.name = p->integrator};
    series[count - 1].n++;
  }
  return count;
}

/* Pairs x, y of each curve become a list of x and a list of y. */
static void separate(const double *values, const app_bench_point *points, int n,
                     trm_plot_series *series, double *lists) {
  int number = 0;
  size_t used = 0;
  for (int i = 0; i < n; i++) {
    if (!isfinite(points[i].error)) continue;
    trm_plot_series *one = &series[number];
    if (used == 0) one->x = lists, one->y = lists + one->n;
    lists[used] = values[2 * i];
    lists[one->n + used] = values[2 * i + 1];
    if (++used < one->n) continue;
    lists += 2 * one->n;
    used = 0;
    number++;
  }
}

trm_status app_bench_draw(const char *title, const app_bench_point *points, int n,
                          const char *path, trm_error *err) {
  static const char *const names[2] = {"CPU time", "evaluations"};
  app_store store = {.blocks = NULL};
  trm_plot_panel panels[2];
  trm_status status = TRM_OK;
  for (int k = 0; k < 2 && status == TRM_OK; k++) {
    trm_plot_series *series = APP_TAKE(&store, trm_plot_series, n);
    double *values = APP_TAKE(&store, double, 2 * n), *lists = APP_TAKE(&store, double, 2 * n);
    status = app_store_check(&store, err);
    if (status != TRM_OK) break;
    const int count = collect(points, n, k == 0, series, values);
    separate(values, points, n, series, lists);
    for (int i = 0; i < count; i++) series[i].look = TRM_PLOT_LINE_AND_DOTS;
    panels[k] = (trm_plot_panel){.y = {.name = names[k], .unit = k == 0 ? "s" : "", .is_log = true},
                                 .series = series, .nseries = count};
  }
  if (status == TRM_OK && panels[0].nseries == 0) {
    status = app_fail(err, TRM_ERR_INPUT, "--out", "there is nothing to draw: no run has a "
                      "reference to compare with");
  }
  const trm_plot_figure figure = {.title = title, .panels = panels, .npanels = 2,
                                  .x = {.name = "error at the end, 10^-mescd", .is_log = true}};
  if (status == TRM_OK) status = trm_plot_write(&figure, path, err);
  app_store_clear(&store);
  return status;
}
