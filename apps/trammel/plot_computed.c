/* plot_computed.c - see plot_computed.h. Every sample of the repeated run is compared with that of
 * the file, so that no curve belongs to another motion. */
#include "plot_computed.h"
#include "interrupt.h"
#include "rerun.h"
#include "report.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct computing {
  app_rerun    again;
  app_computed *list;
  int           count, *outputs; /* number of the output of each [count] */
  long          samples, wanted;
} computing;

/* A word alone is a name of the file, or a mistake. */
static bool is_expression(const char *name) {
  for (const char *c = name; *c != '\0'; c++) {
    if (!isalnum((unsigned char)*c) && *c != '_') return true;
  }
  return false;
}

static trm_status take_sample(void *self, const trm_sample *now, trm_error *err) {
  computing *c = self;
  if (c->samples >= c->wanted) return TRM_OK;
  const trm_status status = app_rerun_compare(&c->again, now->state, c->samples, err);
  if (status != TRM_OK) return status;
  for (int i = 0; i < c->count; i++) c->list[i].values[c->samples] = now->outputs[c->outputs[i]];
  c->samples++;
  return TRM_OK;
}

static bool is_over(void *self) {
  const computing *c = self;
  return c->samples >= c->wanted || app_interrupt_asked(NULL);
}

static trm_status find_outputs(computing *c, trm_run *run, trm_error *err) {
  for (int i = 0; i < c->count; i++) {
    trm_label label = {.name = ""};
    const int n = trm_system_count(c->again.system, TRM_OUTPUT);
    int k = 0;
    for (; k < n; k++) {
      trm_system_label(c->again.system, TRM_OUTPUT, k, &label);
      if (strcmp(label.name, c->list[i].name) == 0) break;
    }
    int unused;
    if (k == n) return trm_run_find(run, c->list[i].name, &unused, err);
    c->outputs[i] = k;
    snprintf(c->list[i].unit, sizeof c->list[i].unit, "%s",
             trm_system_unit(c->again.system, TRM_OUTPUT, &label));
  }
  return TRM_OK;
}

static trm_status compute(computing *c, const app_options *options, trm_run *run,
                          const char *const *names, trm_error *err) {
  const app_rerun_wish wish = {
    .path = trm_run_info_of(run)->path, .object = names[0], .quantities = names, .count = c->count,
    .instead = "run it with --set outputs.NAME=EXPRESSION"};
  trm_status status = app_rerun_open(&c->again, options, &wish, err);
  if (status == TRM_OK) status = find_outputs(c, run, err);
  if (status != TRM_OK) return status;
  char note[TRM_MESSAGE_MAX];
  snprintf(note, sizeof note, "'%.100s' does not hold %.100s%s: the run is made again", wish.path,
           names[0], c->count > 1 ? " and others" : "");
  if (!options->quiet) app_note(options, NAN, note);
  const trm_sink sink = {.self = c, .sample = take_sample};
  status = trm_sim_add_sink(c->again.sim, &sink, err);
  if (status == TRM_OK) status = trm_sim_run(c->again.sim, err);
  if (c->samples == c->wanted) return TRM_OK; /* however the run ended */
  return status != TRM_OK ? status
                          : app_fail(err, TRM_ERR_INPUT, names[0], "the run of '%.150s' made again "
                                     "has %ld of its %ld samples: %s", wish.path, c->samples,
                                     c->wanted, wish.instead);
}

trm_status app_plot_compute(const app_options *options, trm_run *run, const char *const *names,
                            int count, app_store *store, app_computed *list, int *found,
                            trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  const char **missing = APP_TAKE(store, const char *, count);
  computing c = {.list = list, .wanted = info->nsamples};
  c.outputs = APP_TAKE(store, int, count);
  *found = 0;
  for (int i = 0; i < count && !store->failed; i++) {
    int signal;
    const trm_status status = trm_run_find(run, names[i], &signal, err);
    if (status == TRM_OK) continue;
    if (info->text == NULL || !is_expression(names[i])) return status;
    missing[c.count] = names[i];
    list[c.count++] = (app_computed){
      .name = names[i], .values = APP_TAKE(store, double, info->nsamples)};
  }
  trm_status status = app_store_check(store, err);
  if (status != TRM_OK || c.count == 0) return status;
  c.again.until = is_over;
  c.again.until_self = &c;
  status = compute(&c, options, run, missing, err);
  app_rerun_free(&c.again);
  *found = c.count;
  return status;
}
