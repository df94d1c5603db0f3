/* cmd_static.c - find an equilibrium and print it. */
#include "commands.h"
#include "interrupt.h"
#include "json_out.h"
#include "load_model.h"
#include "report.h"
#include "static_sweep.h"
#include "summary.h"
#include "trammel/trammel.h"
#include <stdlib.h>

trm_status app_find_static(const app_options *options, const trm_options *sim, trm_system *system,
                           trm_static **result, trm_error *err) {
  return app_find_static_from(options, sim, system, NULL, result, err);
}

trm_status app_find_static_from(const app_options *options, const trm_options *sim,
                                trm_system *system, const trm_state *from, trm_static **result,
                                trm_error *err) {
  trm_static_options find = trm_static_options_default();
  find.start = sim->start;
  find.from = from;
  find.renews_values = true; /* a sweep may have set values they depend on */
  find.solver = sim->solver;
  find.should_stop = app_interrupt_asked;
  app_interrupt_install(options);
  if (options->given[APP_OPT_METHOD]) find.method = options->method;
  if (options->given[APP_OPT_MAX_ITERATIONS]) find.max_iterations = options->sim.max_iterations;
  return trm_static_find(system, &find, result, err);
}

static trm_status print_json(const trm_static *result, const trm_system *system,
                             const trm_values *values, trm_error *err) {
  const trm_state *s = trm_static_state(result);
  const trm_static_facts *facts = trm_static_facts_of(result);
  json_t *root = json_object();
  app_json_put(root, "trammel", json_string(TRM_VERSION));
  app_json_put(root, "model", app_json_text(trm_system_name(system)));
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "analysis", json_string("static"));
  app_json_put(root, "method", json_string(facts->method));
  app_json_put(root, "time", app_json_number(s->t));
  app_json_put(root, "newton_iterations", json_integer(facts->iterations));
  app_json_put(root, "residuals", json_integer(facts->residuals));
  app_json_put(root, "factorizations", json_integer(facts->factorizations));
  app_json_put(root, "unbalanced", app_json_number(facts->unbalanced));
  app_json_put(root, "moved", app_json_number(facts->moved));
  app_json_put(root, "states_held", json_boolean(facts->holds_states));
  app_json_put(root, "neutral", facts->neutral < 0 ? json_null() : json_integer(facts->neutral));
  app_json_put(root, "unstable", facts->unstable < 0 ? json_null() : json_integer(facts->unstable));
  app_json_put_state(root, system, s, values->shown);

  json_t *named = json_object(), *energies = json_object(), *violation = json_object();
  app_json_put(root, "outputs", named);
  app_json_put_list(named, system, TRM_OUTPUT, values->outputs);
  app_json_put(root, "energy", energies);
  app_json_put(energies, "kinetic", app_json_number(values->energy[0]));
  app_json_put(energies, "potential", app_json_number(values->energy[1]));
  app_json_put(root, "violation", violation);
  app_json_put(violation, "position", app_json_number(facts->violation));
  app_json_put_units(root, system, NULL);
  return app_json_print(root, err);
}

static void print_text(const trm_static *result, const trm_system *system, const double *outputs,
                       const double *energy) {
  const trm_state *s = trm_static_state(result);
  const trm_static_facts *facts = trm_static_facts_of(result);
  const trm_unit_names *units = trm_system_units(system);
  printf("%s: at rest, t = %.12g %s\n", trm_system_name(system), s->t, units->time);
  printf("  %-12s %s, %d Newton steps, %ld factorizations\n", "found by", facts->method,
         facts->iterations, facts->factorizations);
  printf("  %-12s %.3g %s or %s at most\n", "unbalanced", facts->unbalanced, units->force,
         units->torque);
  if (facts->neutral > 0) {
    printf("  %-12s %d direction%s without stiffness: the place there is arbitrary\n", "neutral",
           facts->neutral, facts->neutral > 1 ? "s" : "");
  }
  if (facts->unstable > 0) {
    printf("  %-12s %d direction%s with negative stiffness\n", "unstable", facts->unstable,
           facts->unstable > 1 ? "s" : "");
  }
  if (facts->holds_states) {
    printf("  %-12s states never come to rest; they keep their start values\n", "states");
  }
  app_summary_values("coordinates", system, TRM_Q, s->q);
  app_summary_values("multipliers", system, TRM_LAM, s->lam);
  app_summary_values("states", system, TRM_X, s->x);
  app_summary_values("outputs", system, TRM_OUTPUT, outputs);
  printf("  %-12s %.9g %s potential\n", "energy", energy[1], units->energy);
  if (trm_system_count(system, TRM_LAM) > 0) {
    printf("  %-12s %.3g in positions\n", "violation", facts->violation);
  }
}

static trm_status print(const app_options *options, const trm_static *result,
                        const trm_system *system, trm_error *err) {
  const size_t noutputs = (size_t)trm_system_count(system, TRM_OUTPUT);
  const size_t nshown = (size_t)trm_system_count(system, TRM_SHOWN);
  double energy[3] = {0.0}, *outputs = calloc(noutputs + nshown + 1, sizeof *outputs);
  if (outputs == NULL) return app_fail_memory(err);
  const trm_values out = {.outputs = outputs, .shown = outputs + noutputs, .energy = energy};
  trm_status status =
      trm_system_values(trm_static_system(result), trm_static_state(result), &out, err);
  if (status == TRM_OK && options->json) {
    status = print_json(result, system, &out, err);
  } else if (status == TRM_OK && !options->quiet) {
    print_text(result, system, outputs, energy);
  }
  free(outputs);
  return status;
}

trm_status app_static(const app_options *given, trm_error *err) {
  app_options options = *given;
  options.is_check = true; /* the end of a run does not matter */
  trm_system *system = NULL;
  trm_static *result = NULL;
  trm_options sim;
  trm_status status = app_model_options(&options, &sim, err);
  if (status == TRM_OK) status = app_model_create(&options, &system, err);
  if (status == TRM_OK && options.sweep != NULL) {
    status = app_static_sweep(&options, &sim, system, err);
  } else if (status == TRM_OK) {
    status = app_find_static(&options, &sim, system, &result, err);
    if (status == TRM_OK) status = print(&options, result, system, err);
  }
  trm_static_free(result);
  trm_system_free(system);
  return status;
}
