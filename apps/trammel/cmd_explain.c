/* cmd_explain.c - causes of the step sizes of a run, as text or as JSON. */
#include "commands.h"
#include "trammel/explain.h"
#include "json_out.h"
#include "report.h"
#include "trammel/trammel.h"
#include <math.h>
#include <stdio.h>

enum { UNKNOWNS_SHOWN = 8, UNKNOWNS_JSON = 100 };

/* ---- what both forms need ------------------------------------------------------------ */

static long sum(const long counts[TRM_LIMITS]) {
  long total = 0;
  for (int k = 0; k < TRM_LIMITS; k++) total += counts[k];
  return total;
}


static const char *status_word(const trm_run_info *info) {
  static const char *const words[] = {"unfinished", "ok", "error"};
  return words[info->status];
}

/* ---- JSON ---------------------------------------------------------------------------- */

static json_t *limits_object(const long counts[TRM_LIMITS]) {
  json_t *object = json_object();
  for (int k = 0; k < TRM_LIMITS; k++) {
    app_json_put(object, trm_limit_name((trm_limit)k), json_integer(counts[k]));
  }
  return object;
}

static json_t *unknowns_array(const trm_run *run, const trm_explanation *e) {
  json_t *unknowns = json_array();
  for (int i = 0; i < e->nsuspects && i < UNKNOWNS_JSON; i++) {
    const trm_suspect *s = &e->suspects[i];
    trm_label label;
    trm_run_unknown(run, s->list, s->index, &label);
    json_t *entry = json_object();
    app_json_put(entry, "name", app_json_text(label.name));
    app_json_put(entry, "object", app_json_text(label.object));
    app_json_put(entry, "event", json_boolean(s->list == TRM_EVENT));
    app_json_put(entry, "steps", limits_object(s->steps));
    app_json_put(entry, "rejected", limits_object(s->rejected));
    app_json_put(entry, "step_min", app_json_number(s->h_smallest));
    app_json_put(entry, "step_min_time", app_json_number(s->t_smallest));
    json_array_append_new(unknowns, entry);
  }
  return unknowns;
}

static json_t *clusters_array(const trm_explanation *e) {
  json_t *clusters = json_array();
  for (int i = 0; i < e->nclusters; i++) {
    json_t *entry = json_object();
    app_json_put(entry, "from", app_json_number(e->clusters[i].from));
    app_json_put(entry, "to", app_json_number(e->clusters[i].to));
    app_json_put(entry, "rejected", json_integer(e->clusters[i].count));
    json_array_append_new(clusters, entry);
  }
  return clusters;
}

/* The next note of `auto` about its methods after number *i; false: none. */
static bool next_choice(trm_run *run, long *i, trm_run_message *note) {
  trm_error err;
  while (++*i < trm_run_info_of(run)->nmessages) {
    if (trm_run_read_messages(run, *i, 1, note, &err) != TRM_OK) return false;
    if (note->is_choice) return true;
  }
  return false;
}

/* A member only of runs of `auto`. */
static void put_choices(json_t *root, trm_run *run) {
  json_t *choices = json_array();
  trm_run_message note;
  for (long i = -1; next_choice(run, &i, &note);) {
    json_t *entry = json_object();
    app_json_put(entry, "time", app_json_number(note.t));
    app_json_put(entry, "text", app_json_text(note.text));
    json_array_append_new(choices, entry);
  }
  if (json_array_size(choices) > 0) app_json_put(root, "choices", choices);
  else json_decref(choices);
}

static trm_status print_json(trm_run *run, const trm_explanation *e, trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  const double steps = (double)info->counters.steps;
  json_t *root = json_object(), *advice = json_array();
  app_json_put(root, "trammel", json_string(TRM_VERSION));
  app_json_put(root, "model", app_json_text(info->model));
  app_json_put(root, "status", json_string(status_word(info)));
  app_json_put(root, "integrator", app_json_text(info->integrator));
  app_json_put(root, "formulation", app_json_text(info->formulation));
  put_choices(root, run);
  app_json_put(root, "tolerance", app_json_number(info->tolerance));
  const bool has = info->has_counters;
  app_json_put(root, "cpu_seconds", app_json_number(has ? info->counters.seconds : NAN));
  app_json_put(root, "cpu_setup_seconds",
               app_json_number(has ? info->counters.seconds_setup : NAN));
  app_json_put(root, "cpu_seconds_per_step",
               app_json_number(has ? info->counters.seconds / steps : NAN));
  app_json_put(root, "steps", json_integer(e->accepted));
  app_json_put(root, "step_min", app_json_number(e->h_smallest));
  app_json_put(root, "step_min_time", app_json_number(e->t_smallest));
  app_json_put(root, "step_median", app_json_number(e->h_median));
  app_json_put(root, "step_max", app_json_number(e->h_largest));
  app_json_put(root, "orders", app_json_orders(e->orders));
  app_json_put(root, "newton_iterations", json_integer(e->iterations));
  app_json_put(root, "events", json_integer(e->events));
  app_json_put(root, "limited_by", limits_object(e->steps));
  app_json_put(root, "rejected", limits_object(e->rejected));
  app_json_put(root, "clusters", clusters_array(e));
  app_json_put(root, "unknowns", unknowns_array(run, e));
  app_json_put(root, "cause", json_string(trm_cause_name(e->cause)));
  app_json_put(root, "culprit",
               e->culprit != NULL ? app_json_text(e->culprit_name) : json_null());
  app_json_put(root, "advice", advice);
  for (int i = 0; i < e->nadvice; i++) json_array_append_new(advice, app_json_text(e->advice[i]));
  return app_json_print(root, err);
}

/* ---- text ---------------------------------------------------------------------------- */

static void print_head(const trm_run_info *info, const char *unit) {
  printf("%s: %s, %s %s", info->path, info->model, info->integrator, info->formulation);
  if (!isnan(info->tolerance)) printf(", tolerance %g", info->tolerance);
  putchar('\n');
  if (info->status == TRM_RUN_UNFINISHED) {
    printf("  %-12s the run is still going, or was killed\n", "unfinished");
  } else if (info->status == TRM_RUN_ERROR) {
    printf("  %-12s %s%s%s", "failed", info->object, info->object[0] != '\0' ? ": " : "",
           info->sentence);
    if (isfinite(info->error_t)) printf("  [t = %.9g %s]", info->error_t, unit);
    putchar('\n');
  }
}

static void print_time(const trm_run_info *info) {
  if (!info->has_counters) return;
  const trm_counters *c = &info->counters;
  const double all = c->seconds + c->seconds_setup;
  printf("  %-12s %.3g s in %ld steps (%.3g us each), set-up %.3g s (%.0f %%)\n", "CPU", c->seconds,
         c->steps, 1e6 * c->seconds / (double)(c->steps > 0 ? c->steps : 1), c->seconds_setup,
         all > 0 ? 100 * c->seconds_setup / all : 0.0);
  if (c->steps > 0) {
    printf("  %-12s a step: %.2g evaluations, %.2g of blocks, %.2g factorizations, %.2g solves\n",
           "work", (double)c->residuals / (double)c->steps,
           (double)c->jacobians / (double)c->steps,
           (double)c->factorizations / (double)c->steps, (double)c->solves / (double)c->steps);
  }
}

static void print_limits(const trm_explanation *e) {
  static const char *const words[] = {
    "given, or the first", "error", "Newton", "domain", "events", "growth", "maximum or end",
    "stops", "friction"};
  printf("  %-12s", "limited by");
  const char *comma = "";
  for (int k = 0; k < TRM_LIMITS; k++) {
    const int place = (k + 1) % TRM_LIMITS; /* the first of all at the end */
    if (e->steps[place] == 0) continue;
    printf("%s %s %ld (%.0f %%)", comma, words[place], e->steps[place],
           100.0 * (double)e->steps[place] / (double)e->accepted);
    comma = ",";
  }
  putchar('\n');
}

/* A line only for methods that change their order. */
static void print_orders(const trm_explanation *e) {
  int count = 0;
  for (int k = 1; k < TRM_ORDERS; k++) count += e->orders[k] > 0;
  if (count < 2) return;
  printf("  %-12s", "orders");
  const char *comma = "";
  for (int k = 1; k < TRM_ORDERS; k++) {
    if (e->orders[k] == 0) continue;
    printf("%s %d in %ld steps", comma, k, e->orders[k]);
    comma = ",";
  }
  putchar('\n');
}

static void print_unknowns(const trm_run *run, const trm_explanation *e, const char *unit) {
  if (e->nsuspects == 0) return;
  printf("  %-24s %8s %9s  %s\n", "unknown", "steps", "rejected", "smallest step");
  for (int i = 0; i < e->nsuspects && i < UNKNOWNS_SHOWN; i++) {
    const trm_suspect *s = &e->suspects[i];
    trm_label label;
    trm_run_unknown(run, s->list, s->index, &label);
    printf("    %-22s %8ld %9ld", label.name, sum(s->steps), sum(s->rejected));
    if (s->list == TRM_EVENT) {
      fputs("  event", stdout);
    } else if (isfinite(s->h_smallest)) {
      printf("  %.2g %s at t = %.5g %s", s->h_smallest, unit, s->t_smallest, unit);
    }
    const bool has_object = label.object[0] != '\0' && s->list != TRM_EVENT;
    if (has_object && s->list != TRM_GAP && s->list != TRM_SLIP) printf("  (%s)", label.object);
    putchar('\n');
  }
  if (e->nsuspects > UNKNOWNS_SHOWN) printf("    and %d more\n", e->nsuspects - UNKNOWNS_SHOWN);
}

static void print_rejected(const trm_explanation *e, const char *unit) {
  const long rejected = sum(e->rejected), all = rejected + e->accepted;
  printf("  %-12s %ld of %ld attempts (%.0f %%): %ld error, %ld Newton, %ld domain\n", "rejected",
         rejected, all, all > 0 ? 100.0 * (double)rejected / (double)all : 0.0,
         e->rejected[TRM_LIMIT_ERROR], e->rejected[TRM_LIMIT_NEWTON],
         e->rejected[TRM_LIMIT_DOMAIN]);
  for (int i = 0; i < e->nclusters; i++) {
    printf("  %-12s %ld between t = %.5g and %.5g %s\n", "", e->clusters[i].count,
           e->clusters[i].from, e->clusters[i].to, unit);
  }
  if (e->nclusters_all > e->nclusters) {
    printf("  %-12s and %d smaller clusters\n", "", e->nclusters_all - e->nclusters);
  }
}

static void print_choices(trm_run *run, const char *unit) {
  trm_run_message note;
  for (long i = -1; next_choice(run, &i, &note);) {
    printf("  %-12s %s  [t = %.9g %s]\n", "method", note.text, note.t, unit);
  }
}

static void print_text(trm_run *run, const trm_explanation *e) {
  const trm_run_info *info = trm_run_info_of(run);
  const char *unit = trm_run_signal(run, 0)->unit;
  print_head(info, unit);
  if (e->accepted + sum(e->rejected) == 0) {
    puts("  no step was taken");
    return;
  }
  print_choices(run, unit);
  print_time(info);
  if (e->accepted > 0) {
    printf("  %-12s %ld, from %.2g %s (at t = %.5g %s) to %.2g %s, half of them below %.2g %s\n",
           "steps", e->accepted, e->h_smallest, unit, e->t_smallest, unit, e->h_largest, unit,
           e->h_median, unit);
    print_limits(e);
    print_orders(e);
  }
  print_unknowns(run, e, unit);
  print_rejected(e, unit);
  printf("  %-12s %s%s%s\n", "cause", trm_cause_name(e->cause), e->culprit != NULL ? ": " : "",
         e->culprit_name);
  for (int i = 0; i < e->nadvice; i++) {
    printf("  %-12s %s\n", i == 0 ? "advice" : "", e->advice[i]);
  }
  if (e->nadvice == 0) printf("  %-12s nothing to change\n", "advice");
}

/* ---- command ------------------------------------------------------------------------- */

trm_status app_explain(const app_options *options, trm_error *err) {
  trm_run *run = NULL;
  const trm_explanation *explanation = NULL;
  trm_status status = trm_run_open(options->model, NULL, &run, err);
  if (status == TRM_OK) status = trm_run_explain(run, &explanation, err);
  if (status == TRM_OK && options->json) {
    status = print_json(run, explanation, err);
  } else if (status == TRM_OK) {
    print_text(run, explanation);
  }
  trm_run_close(run);
  return status;
}
