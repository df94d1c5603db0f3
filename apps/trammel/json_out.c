/* json_out.c - the objects of `run --json` and of failures. */
#include "json_out.h"
#include "report.h"
#include "trammel/trammel.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The objects are small and there is nothing to save: exit immediately. */
static void *allocate(size_t size) {
  void *block = malloc(size);
  if (block == NULL && size > 0) {
    fputs("trammel: out of memory while printing JSON\n", stderr);
    exit(APP_EXIT_NUMERICAL);
  }
  return block;
}

void app_json_init(void) {
  json_set_alloc_funcs(allocate, free);
}

json_t *app_json_number(double number) {
  return isfinite(number) ? json_real(number) : json_null();
}

json_t *app_json_complex(double re, double im) {
  json_t *pair = json_array();
  json_array_append_new(pair, app_json_number(re));
  json_array_append_new(pair, app_json_number(im));
  return pair;
}

json_t *app_json_text(const char *text) {
  json_t *value = json_string(text);
  if (value != NULL) return value;
  char plain[TRM_MESSAGE_MAX];
  snprintf(plain, sizeof plain, "%s", text);
  for (char *c = plain; *c != '\0'; c++) {
    if ((unsigned char)*c > 126) *c = '?';
  }
  return json_string(plain);
}

void app_json_put(json_t *object, const char *key, json_t *value) {
  json_object_set_new_nocheck(object, key, value);
}

void app_json_put_list(json_t *object, const trm_system *system, trm_quantity list,
                       const double *values) {
  const int count = trm_system_count(system, list);
  for (int i = 0; i < count; i++) {
    trm_label label;
    trm_system_label(system, list, i, &label);
    app_json_put(object, label.name, app_json_number(values[i]));
  }
}

void app_json_put_list_units(json_t *object, const trm_system *system, trm_quantity list) {
  const int count = trm_system_count(system, list);
  for (int i = 0; i < count; i++) {
    trm_label label;
    trm_system_label(system, list, i, &label);
    app_json_put(object, label.name, app_json_text(trm_system_unit(system, list, &label)));
  }
}

void app_json_put_units(json_t *root, const trm_system *system, const trm_sim *sim) {
  const trm_unit_names *names = trm_system_units(system);
  const struct {
    const char *key, *name;
  } base[] = {{"length", names->length}, {"mass", names->mass}, {"time", names->time},
              {"force", names->force}, {"energy", names->energy}};
  json_t *units = json_object(), *outputs = json_object(), *variables = json_object();
  app_json_put(root, "units", units);
  for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
    app_json_put(units, base[i].key, app_json_text(base[i].name));
  }
  app_json_put(units, "outputs", outputs);
  app_json_put_list_units(outputs, system, TRM_OUTPUT);
  app_json_put(units, "variables", variables);
  app_json_put_list_units(variables, system, TRM_W);
  app_json_put_list_units(variables, system, TRM_SHOWN);
  json_t *inputs = json_object();
  app_json_put(units, "inputs", inputs);
  app_json_put_list_units(inputs, system, TRM_U);
  if (sim == NULL) return;
  json_t *measures = json_object();
  app_json_put(units, "measures", measures);
  for (int i = 0; i < trm_sim_measure_count(sim); i++) {
    app_json_put(measures, trm_sim_measure_name(sim, i),
                 app_json_text(trm_sim_measure_unit(sim, i)));
  }
}

trm_status app_json_print(json_t *root, trm_error *err) {
  const int result = json_dumpf(root, stdout, JSON_REAL_PRECISION(17));
  json_decref(root);
  if (result != 0 || putchar('\n') == EOF || fflush(stdout) != 0) {
    return app_fail(err, TRM_ERR_IO, NULL, "cannot write to standard output");
  }
  return TRM_OK;
}

json_t *app_json_error_object(const trm_error *error) {
  json_t *root = json_object();
  app_json_put(root, "status", json_string("error"));
  app_json_put(root, "code", json_string(trm_status_name(error->status)));
  app_json_put(root, "message", app_json_text(error->message));
  app_json_put(root, "object", app_json_text(error->object));
  app_json_put(root, "time", app_json_number(error->t));
  app_json_put(root, "step", app_json_number(error->h));
  return root;
}

void app_json_error(const trm_error *error) {
  json_t *root = app_json_error_object(error);
  /* if stdout is broken, the line on stderr has reported everything */
  trm_error ignored;
  if (app_json_print(root, &ignored) != TRM_OK) return;
}

static void put_counters(json_t *root, const trm_counters *counters, double resumed_from) {
  const struct {
    const char *key;
    long        count;
  } counts[] = {
    {"rejected_error", counters->rejected_error},
    {"rejected_newton", counters->rejected_newton},
    {"newton_iterations", counters->newton_iterations},
    {"residuals", counters->residuals},
    {"jacobians", counters->jacobians},
    {"factorizations", counters->factorizations},
    {"solves", counters->solves},
    {"lu_entries", counters->lu_entries},
  };
  app_json_put(root, "steps", json_integer(counters->steps));
  app_json_put(root, "resumed_from", app_json_number(resumed_from));
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    app_json_put(root, counts[i].key, json_integer(counts[i].count));
  }
  app_json_put(root, "cpu_seconds", app_json_number(counters->seconds));
  app_json_put(root, "cpu_setup_seconds", app_json_number(counters->seconds_setup));
  app_json_put(root, "step_min", app_json_number(counters->step_min));
  app_json_put(root, "step_max", app_json_number(counters->step_max));
}

void app_json_put_state(json_t *root, const trm_system *system, const trm_state *s,
                        const double *shown) {
  const struct {
    const char   *key;
    trm_quantity  list;
    const double *values;
  } lists[] = {
    {"coordinates", TRM_Q, s->q},   {"velocities", TRM_V, s->v}, {"accelerations", TRM_V, s->vd},
    {"multipliers", TRM_LAM, s->lam}, {"multipliers", TRM_MU, s->mu}, {"states", TRM_X, s->x},
    {"variables", TRM_W, s->w}, {"variables", TRM_SHOWN, shown}, {"inputs", TRM_U, s->u},
  };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    json_t *object = json_object_get(root, lists[i].key);
    if (object == NULL) app_json_put(root, lists[i].key, object = json_object());
    app_json_put_list(object, system, lists[i].list, lists[i].values);
  }
}

/* Energies of the end and the balance of the run. */
static json_t *energy_object(const trm_audit *audit, const app_recorder *recorder) {
  const struct {
    const char *key;
    double      value;
  } works[] = {{"motions", audit->motions}, {"forces", audit->forces}, {"dampers", audit->dampers},
               {"friction", audit->friction}, {"events", audit->events}};
  json_t *energy = json_object(), *work = json_object();
  app_json_put(energy, "initial", app_json_number(recorder->initial));
  app_json_put(energy, "final", app_json_number(recorder->kinetic + recorder->potential));
  app_json_put(energy, "kinetic", app_json_number(recorder->kinetic));
  app_json_put(energy, "potential", app_json_number(recorder->potential));
  app_json_put(energy, "work", work);
  for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
    app_json_put(work, works[i].key, app_json_number(works[i].value));
  }
  app_json_put(energy, "imbalance", app_json_number(audit->imbalance));
  app_json_put(energy, "uncertainty", app_json_number(audit->uncertainty));
  app_json_put(energy, "scale", app_json_number(audit->scale));
  return energy;
}

static json_t *errors_object(const trm_errors *errors, const trm_system *system) {
  json_t *object = json_object();
  const bool has_any = errors->index >= 0;
  trm_label label = {0};
  if (has_any) trm_system_label(system, errors->list, errors->index, &label);
  app_json_put(object, "sum", app_json_number(errors->sum));
  app_json_put(object, "of", has_any ? app_json_text(label.name) : json_null());
  return object;
}

json_t *app_json_orders(const long orders[TRM_ORDERS]) {
  json_t *object = json_object();
  for (int k = 0; k < TRM_ORDERS; k++) {
    char name[8];
    snprintf(name, sizeof name, "%d", k);
    if (orders[k] > 0) app_json_put(object, name, json_integer(orders[k]));
  }
  return object;
}

/* The methods used by `auto`. */
static void put_turns(json_t *root, const trm_sim *sim) {
  if (trm_sim_turn_count(sim) == 0) return;
  json_t *turns = json_array();
  app_json_put(root, "integrators", turns);
  for (int i = 0; i < trm_sim_turn_count(sim); i++) {
    const trm_turn turn = trm_sim_turn(sim, i);
    json_t *one = json_object();
    app_json_put(one, "integrator", app_json_text(turn.integrator));
    app_json_put(one, "from", app_json_number(turn.from));
    json_array_append_new(turns, one);
  }
}

json_t *app_json_run_object(const trm_sim *sim, const trm_system *system,
                            const app_recorder *recorder) {
  const trm_state *s = trm_sim_state(sim);
  const trm_counters *counters = trm_sim_counters(sim);
  json_t *root = json_object();
  app_json_put(root, "trammel", json_string(TRM_VERSION));
  app_json_put(root, "model", app_json_text(trm_system_name(system)));
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "integrator", app_json_text(trm_sim_integrator(sim)));
  put_turns(root, sim);
  app_json_put(root, "formulation", app_json_text(trm_sim_formulation(sim)));
  app_json_put(root, "solver", app_json_text(trm_sim_solver(sim)));
  app_json_put(root, "time", app_json_number(s->t));
  put_counters(root, counters, recorder->resumed_from);
  if (trm_method_find(trm_sim_integrator(sim))->orders != NULL) {
    app_json_put(root, "orders", app_json_orders(recorder->orders));
  }
  app_json_put_state(root, system, s, recorder->shown);

  json_t *outputs = json_object();
  app_json_put(root, "outputs", outputs);
  app_json_put_list(outputs, system, TRM_OUTPUT, recorder->outputs);

  json_t *measures = json_object();
  app_json_put(root, "measures", measures);
  for (int i = 0; i < trm_sim_measure_count(sim); i++) {
    app_json_put(measures, trm_sim_measure_name(sim, i), app_json_number(trm_sim_measure(sim, i)));
  }

  app_json_put(root, "energy", energy_object(&counters->audit, recorder));

  app_json_put(root, "errors", errors_object(&counters->errors, system));

  json_t *violation = json_object();
  app_json_put(root, "violation", violation);
  app_json_put(violation, "position", app_json_number(counters->violation_position));
  app_json_put(violation, "velocity", app_json_number(counters->violation_velocity));

  app_json_put_units(root, system, sim);

  json_t *notes = json_array();
  app_json_put(root, "notes", notes);
  for (int i = 0; i < app_recorder_notes(recorder); i++) {
    json_t *note = json_object();
    app_json_put(note, "time", app_json_number(recorder->note_times[i]));
    app_json_put(note, "text", app_json_text(recorder->notes[i]));
    json_array_append_new(notes, note);
  }
  return root;
}
