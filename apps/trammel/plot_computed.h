/* plot_computed.h - signals of a plot that a run file does not contain: the run is repeated. */
#ifndef APP_PLOT_COMPUTED_H
#define APP_PLOT_COMPUTED_H
#include "options.h"
#include "store.h"
#include "trammel/run_file.h"

typedef struct app_computed {
  const char *name;               /* "hinge.angle"            */
  char        unit[TRM_UNIT_MAX];
  double     *values;             /* [samples of the run]     */
} app_computed;

/* Find the names that a run does not contain, and compute them as outputs of its model.
 * @param names  [count]
 * @param list   receives the computed ones, room for `count`; their numbers live in the store
 * @param found receives their number
 * @return TRM_OK; TRM_ERR_INPUT: one of them is neither a signal nor an expression of the model, or
 *         the run cannot be made again; the sentence names what to do */
TRM_CHECKED trm_status app_plot_compute(const app_options *options, trm_run *run,
                                        const char *const *names, int count, app_store *store,
                                        app_computed *list, int *found, trm_error *err);

#endif
