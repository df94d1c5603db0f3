/* linear_figure.h - frequency responses: their table, and their picture. */
#ifndef APP_LINEAR_FIGURE_H
#define APP_LINEAR_FIGURE_H
#include "store.h"
#include "trammel/analysis.h"

/* Responses of all outputs to all inputs; everything lives in the store. */
typedef struct app_response {
  long    count;
  double *hertz;     /* [count]                                                  */
  int     nu, ny;    /* inputs, outputs                                          */
  double *re, *im;   /* channel (output i, input j) at (i nu + j) count   [ny nu count] */
} app_response;

/* `range` "F1..F2,N" in Hz; NULL: 400 frequencies about the poles. */
TRM_CHECKED trm_status app_response_find(const trm_linear_model *model, const trm_system *system,
                                         const char *range, app_store *store,
                                         app_response *response, trm_error *err);

/* Magnitude and phase over the frequency, a curve for each channel, to a file. */
TRM_CHECKED trm_status app_response_draw(const app_response *response, const trm_system *system,
                                         const char *path, app_store *store, trm_error *err);

#endif
