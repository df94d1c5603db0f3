/* bench_figure.h - work over precision: the rows of `trammel bench` as a picture. */
#ifndef APP_BENCH_FIGURE_H
#define APP_BENCH_FIGURE_H
#include "trammel/status.h"

/* One run. Runs of one integrator follow each other. */
typedef struct app_bench_point {
  const char *integrator;
  double      error;       /* at the end of the run; NaN: there is none, or the run failed */
  double      seconds;     /* CPU time of the time loop                                    */
  double      evaluations; /* of the equations                                             */
} app_bench_point;

/* Draw CPU time and evaluations over the error, a curve for each integrator.
 * @param path must have the extension of a picture
 * @return TRM_OK, TRM_ERR_INPUT (no run has an error), TRM_ERR_IO or TRM_ERR_MEMORY */
TRM_CHECKED trm_status app_bench_draw(const char *title, const app_bench_point *points, int n,
                                      const char *path, trm_error *err);

#endif
