/* rerun.c - see rerun.h. A run that began elsewhere than its model says (--at static) is begun at
 * the first sample of the file. */
#include "rerun.h"
#include "load_model.h"
#include "report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 256 };

/* The signal of the file with number 0 of a group, or -1. */
static int first_of(const trm_run *run, trm_signal_group group) {
  for (int i = 0; i < trm_run_info_of(run)->nsignals; i++) {
    const trm_signal *signal = trm_run_signal(run, i);
    if (signal->group == group && signal->column == 0) return i;
  }
  return -1;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Coordinates of sample `row` of the file. */
static trm_status read_row(app_rerun *r, long row, const double **q, trm_error *err) {
  trm_run *file = r->restart.run;
  const int nq = trm_system_count(r->system, TRM_Q);
  if (row < r->first || row >= r->first + r->rows) {
    const long left = trm_run_info_of(file)->nsamples - row;
    r->first = row;
    r->rows = left < BLOCK_ROWS ? left : BLOCK_ROWS;
    const trm_status status = trm_run_read_block(file, first_of(file, TRM_GROUP_COORDINATES), nq,
                                                 row, r->rows, r->block, err);
    if (status != TRM_OK) r->rows = 0;
    if (status != TRM_OK) return status;
  }
  *q = r->block + (row - r->first) * nq;
  return TRM_OK;
}

trm_status app_rerun_compare(app_rerun *r, const trm_state *state, long row, trm_error *err) {
  const double *was = NULL;
  const int nq = trm_system_count(r->system, TRM_Q);
  if (nq == 0) return TRM_OK;
  const trm_status status = read_row(r, row, &was, err);
  if (status != TRM_OK) return status;
  for (int i = 0; i < nq; i++) {
    if (fabs(state->q[i] - was[i]) <= 1e-9 * fmax(1.0, fabs(was[i]))) continue;
    trm_label label;
    trm_system_label(r->system, TRM_Q, i, &label);
    return app_fail(err, TRM_ERR_INPUT, r->wish.object, "the motion of '%.150s' does not come "
                    "again: at t = %.6g '%s' was %.9g and is %.9g; a run with inputs or from a "
                    "checkpoint cannot be repeated: %s", trm_run_info_of(r->restart.run)->path,
                    state->t, label.name, was[i], state->q[i], r->wish.instead);
  }
  return TRM_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The simulation once more, from the first sample of the file; the rest of the state follows from
 * these numbers. */
static trm_status begin_at_sample(app_rerun *r, trm_error *err) {
  trm_state from = {0}, s = {0};
  const struct {
    double     **list, **recorded;
    trm_quantity count;
  } lists[] = {{&s.q, &from.q, TRM_Q}, {&s.v, &from.v, TRM_V},      {&s.x, &from.x, TRM_X},
               {&s.w, &from.w, TRM_W}, {&s.z, &from.z, TRM_Z},      {&s.vd, NULL, TRM_V},
               {&s.lam, NULL, TRM_LAM}, {&s.mu, NULL, TRM_MU},      {&s.xd, NULL, TRM_X},
               {&s.u, NULL, TRM_U},    {&s.ud, NULL, TRM_U}};
  enum { LISTS = sizeof lists / sizeof *lists };
  trm_status status = TRM_OK;
  for (int i = 0; i < LISTS && status == TRM_OK; i++) {
    const int n = trm_system_count(r->system, lists[i].count);
    *lists[i].list = calloc((size_t)n + 1, sizeof(double));
    if (*lists[i].list == NULL) status = app_fail_memory(err);
    if (lists[i].recorded != NULL) *lists[i].recorded = *lists[i].list;
  }
  if (status == TRM_OK) status = trm_run_read_state(r->restart.run, r->system, 0, &from, err);
  s.t = trm_sim_state(r->sim)->t;
  trm_options options = r->sim_options;
  options.from = &s;
  trm_sim_free(r->sim);
  r->sim = NULL;
  if (status == TRM_OK) status = trm_sim_create(r->system, &options, &r->sim, err);
  for (int i = 0; i < LISTS; i++) free(*lists[i].list);
  return status;
}

/* Expressions become outputs as those of measures do. */
static trm_status add_quantities(app_rerun *r, trm_error *err) {
  for (int i = 0; i < r->wish.count; i++) {
    char name[32], text[TRM_MESSAGE_MAX];
    snprintf(name, sizeof name, "repeat%d", i);
    snprintf(text, sizeof text, "final(%.390s)", r->wish.quantities[i]);
    trm_error own;
    const trm_status status = trm_model_add_measure(r->options.loaded, name, text, &own);
    if (status != TRM_OK) return app_fail(err, status, r->wish.object, "%s", own.message);
  }
  return TRM_OK;
}

static trm_status open_file(app_rerun *r, const app_options *given, trm_error *err) {
  app_options options = *given;
  options.restart = r->wish.path;
  options.model = options.out = NULL;
  const trm_status status = app_restart_open(&r->restart, &options, &r->options, err);
  if (status != TRM_OK) {
    if (strcmp(err->object, "--restart") != 0) return status;
    snprintf(err->object, sizeof err->object, "%s", r->wish.object);
    return status;
  }
  const trm_run_info *info = trm_run_info_of(r->restart.run);
  if (info->nsamples > 0 && !isfinite(info->resumed_from)) return TRM_OK;
  if (info->nsamples == 0) {
    return app_fail(err, TRM_ERR_INPUT, r->wish.object, "'%.150s' has no samples", info->path);
  }
  return app_fail(err, TRM_ERR_INPUT, r->wish.object, "'%.150s' was resumed from a checkpoint: "
                  "take the run that it goes on from, or %s", info->path, r->wish.instead);
}

trm_status app_rerun_open(app_rerun *r, const app_options *given, const app_rerun_wish *wish,
                           trm_error *err) {
  r->wish = *wish;
  trm_status status = open_file(r, given, err);
  if (status == TRM_OK) status = add_quantities(r, err);
  if (status == TRM_OK) status = app_model_options(&r->options, &r->sim_options, err);
  if (r->until != NULL) {
    r->sim_options.should_stop = r->until;
    r->sim_options.should_stop_self = r->until_self;
  }
  if (status == TRM_OK) status = app_model_create(&r->options, &r->system, err);
  if (status == TRM_OK) status = trm_sim_create(r->system, &r->sim_options, &r->sim, err);
  if (status != TRM_OK) return status;
  const size_t nq = (size_t)trm_system_count(r->system, TRM_Q);
  r->block = calloc(BLOCK_ROWS * nq + 1, sizeof *r->block);
  if (r->block == NULL) return app_fail_memory(err);
  status = app_rerun_compare(r, trm_sim_state(r->sim), 0, err);
  if (status == TRM_OK) return TRM_OK;
  status = begin_at_sample(r, err);
  return status == TRM_OK ? app_rerun_compare(r, trm_sim_state(r->sim), 0, err) : status;
}

void app_rerun_free(app_rerun *r) {
  trm_sim_free(r->sim);
  trm_system_free(r->system);
  trm_model_free(r->options.loaded);
  app_restart_free(&r->restart);
  free(r->block);
}
