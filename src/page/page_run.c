/* page_run.c - data of a run from its file: method, work, energy, events, messages, and the history
 * of steps. In a long history each row represents several attempts by their smallest accepted
 * step. */
#include "page/page_internal.h"
#include "core/arena.h"
#include "core/fail.h"
#include "io/run_format.h"
#include <math.h>

enum { STEPS_MAX = 8000, LIST_MAX = 2000 };

json_t *trmi_json_number(double number) {
  return isfinite(number) ? json_real(number) : json_null();
}

json_t *trmi_json_numbers(const double *numbers, int count) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(list, trmi_json_number(numbers[i]));
  return list;
}

json_t *trmi_json_text(const char *text) {
  json_t *value = json_string(text);
  return value != NULL ? value : json_string("?");
}

void trmi_json_put_text(json_t *out, const char *key, const char *text) {
  json_object_set_new(out, key, trmi_json_text(text != NULL ? text : ""));
}

static void put_number(json_t *out, const char *key, double number) {
  json_object_set_new(out, key, trmi_json_number(number));
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void put_energy(json_t *out, const trm_audit *audit) {
  json_t *energy = json_object();
  json_object_set_new(out, "audit", energy);
  put_number(energy, "initial", audit->initial);
  put_number(energy, "motions", audit->motions);
  put_number(energy, "forces", audit->forces);
  put_number(energy, "dampers", audit->dampers);
  put_number(energy, "friction", audit->friction);
  put_number(energy, "events", audit->events);
  put_number(energy, "imbalance", audit->imbalance);
  put_number(energy, "scale", audit->scale);
}

static void put_counters(json_t *out, const trm_counters *c) {
  const struct { const char *name; double value; } list[] = {
    {"steps", (double)c->steps}, {"rejected_error", (double)c->rejected_error},
    {"rejected_newton", (double)c->rejected_newton},
    {"newton_iterations", (double)c->newton_iterations}, {"residuals", (double)c->residuals},
    {"jacobians", (double)c->jacobians}, {"factorizations", (double)c->factorizations},
    {"solves", (double)c->solves}, {"events", (double)c->events}, {"step_min", c->step_min},
    {"step_max", c->step_max}, {"violation_position", c->violation_position},
    {"violation_velocity", c->violation_velocity}, {"cpu_seconds", c->seconds},
  };
  json_t *counters = json_object();
  json_object_set_new(out, "counters", counters);
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    put_number(counters, list[i].name, list[i].value);
  }
  put_energy(out, &c->audit);
}

static void put_settings(json_t *out, const char *key, const trm_setting *list, int count) {
  json_t *settings = json_array();
  json_object_set_new(out, key, settings);
  for (int i = 0; i < count; i++) {
    json_t *pair = json_array();
    json_array_append_new(settings, pair);
    json_array_append_new(pair, trmi_json_text(list[i].name));
    json_array_append_new(pair, trmi_json_text(list[i].value));
  }
}

static void put_facts(json_t *out, const trm_run_info *info) {
  trmi_json_put_text(out, "file", info->path);
  trmi_json_put_text(out, "model", info->model);
  trmi_json_put_text(out, "text", info->text);
  trmi_json_put_text(out, "version", info->version);
  trmi_json_put_text(out, "integrator", info->integrator);
  trmi_json_put_text(out, "formulation", info->formulation);
  trmi_json_put_text(out, "solver", info->solver);
  trmi_json_put_text(out, "status", trmi_run_words[info->status]);
  trmi_json_put_text(out, "error", info->sentence);
  trmi_json_put_text(out, "object", info->object);
  put_number(out, "error_time", info->error_t);
  put_number(out, "start", info->start);
  put_number(out, "end", info->end);
  put_number(out, "tolerance", info->tolerance);
  put_number(out, "seconds", info->seconds);
  put_settings(out, "parameters", info->settings, info->nsettings);
  put_settings(out, "options", info->options, info->noptions);
  if (info->has_counters) put_counters(out, &info->counters);
}

/* ---- events and messages -------------------------------------------------------------------- */

static trm_status put_events(trm_run *run, json_t *out, trm_error *err) {
  const long all = trm_run_info_of(run)->nevents, count = all < LIST_MAX ? all : LIST_MAX;
  json_t *list = json_array();
  json_object_set_new(out, "events", list);
  for (long i = 0; i < count; i++) {
    trm_run_event event;
    trm_label label;
    TRMI_TRY(err, trm_run_read_events(run, i, 1, &event, err));
    trm_run_label(run, TRM_EVENT, event.index, &label);
    json_t *entry = json_object();
    json_array_append_new(list, entry);
    put_number(entry, "t", event.t);
    trmi_json_put_text(entry, "name", label.name);
  }
  json_object_set_new(out, "nevents", json_integer(all));
  return TRM_OK;
}

static trm_status put_messages(trm_run *run, json_t *out, trm_error *err) {
  const long all = trm_run_info_of(run)->nmessages, count = all < LIST_MAX ? all : LIST_MAX;
  json_t *list = json_array();
  json_object_set_new(out, "messages", list);
  for (long i = 0; i < count; i++) {
    trm_run_message message;
    TRMI_TRY(err, trm_run_read_messages(run, i, 1, &message, err));
    json_t *entry = json_object();
    json_array_append_new(list, entry);
    put_number(entry, "t", message.t);
    trmi_json_put_text(entry, "text", message.text);
  }
  json_object_set_new(out, "nmessages", json_integer(all));
  return TRM_OK;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Of several attempts the one to show: the smallest accepted step, otherwise the first. */
static const trm_step_record *choose(const trm_step_record *steps, long count, long *rejected) {
  const trm_step_record *best = &steps[0];
  *rejected = 0;
  for (long i = 0; i < count; i++) {
    *rejected += !steps[i].accepted;
    if (!steps[i].accepted) continue;
    if (!best->accepted || steps[i].h < best->h) best = &steps[i];
  }
  return best;
}

static void put_step(trm_run *run, json_t *list, const trm_step_record *s, long rejected) {
  trm_label label = {.name = ""};
  if (s->index >= 0) trm_run_unknown(run, s->list, s->index, &label);
  json_t *row = json_array();
  json_array_append_new(list, row);
  json_array_append_new(row, trmi_json_number(s->t));
  json_array_append_new(row, trmi_json_number(s->h));
  json_array_append_new(row, json_integer(rejected));
  json_array_append_new(row, json_integer(s->limit));
  json_array_append_new(row, trmi_json_text(label.name));
  json_array_append_new(row, json_integer(s->order));
}

static trm_status put_steps(trm_run *run, trmi_arena *arena, json_t *out, trm_error *err) {
  const long all = trm_run_info_of(run)->nsteps;
  const long share = (all + STEPS_MAX - 1) / STEPS_MAX; /* attempts of a row */
  trm_step_record *steps = TRMI_TAKE(arena, trm_step_record, share > 0 ? share : 1);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  json_t *list = json_array();
  json_object_set_new(out, "steps", list);
  for (long first = 0; first < all; first += share) {
    const long count = first + share < all ? share : all - first;
    long rejected;
    TRMI_TRY(err, trm_run_read_steps(run, first, count, steps, err));
    const trm_step_record *shown = choose(steps, count, &rejected);
    put_step(run, list, shown, rejected);
  }
  json_object_set_new(out, "attempts_of_row", json_integer(share));
  return TRM_OK;
}

trm_status trmi_page_run(trmi_page *page, trm_run *run, json_t *out, trm_error *err) {
  trmi_arena arena;
  trmi_arena_init(&arena, &page->html.allocator);
  put_facts(out, trm_run_info_of(run));
  trm_status status = put_events(run, out, err);
  if (status == TRM_OK) status = put_messages(run, out, err);
  if (status == TRM_OK) status = put_steps(run, &arena, out, err);
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}
