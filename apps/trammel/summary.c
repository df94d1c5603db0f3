/* summary.c - counters, energies and end values as text. */
#include "summary.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUES_MAX = 12 };

void app_summary_values(const char *title, const trm_system *system, trm_quantity list,
                        const double *values) {
  const int count = trm_system_count(system, list);
  const int shown = count > VALUES_MAX ? VALUES_MAX : count;
  for (int i = 0; i < shown; i++) {
    trm_label label;
    trm_system_label(system, list, i, &label);
    const char *unit = trm_system_unit(system, list, &label);
    printf("  %-12s %-20s %20.12g%s%s\n", i == 0 ? title : "", label.name,
           values[i] + 0.0 /* not -0 */, unit[0] != '\0' ? " " : "", unit);
  }
  if (count > shown) printf("  %-12s .. and %d more, see --json\n", "", count - shown);
}

static void print_counters(const trm_counters *n, const char *time) {
  const bool has_pace = n->pace_max > 0.0; /* else all of them were cut short */
  printf("  %-12s %ld, from %.3g to %.3g %s\n", "steps", n->steps,
         has_pace ? n->pace_min : n->step_min, has_pace ? n->pace_max : n->step_max, time);
  printf("  %-12s %ld by the error test, %ld by Newton\n", "rejected", n->rejected_error,
         n->rejected_newton);
  printf("  %-12s %ld Newton, %ld factorizations, %ld solves\n", "iterations",
         n->newton_iterations, n->factorizations, n->solves);
  printf("  %-12s %.4g s, set-up %.4g s\n", "CPU", n->seconds, n->seconds_setup);
}

/* Where the change of the energy comes from; sources that did nothing are left out. */
static void print_balance(const trm_audit *a, const char *energy) {
  const struct {
    const char *name;
    double      work;
  } sources[] = {{"motions", a->motions}, {"forces", a->forces}, {"dampers", a->dampers},
                 {"friction", a->friction}, {"events", a->events}};
  if (!isfinite(a->imbalance)) return;
  printf("  %-12s", "balance");
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    if (sources[i].work != 0.0) printf(" %s %+.4g,", sources[i].name, sources[i].work);
  }
  printf(" off by %+.2g %s", a->imbalance, energy);
  if (a->imbalance != 0.0 && a->scale > 0.0) {
    printf(", %.1e of the energy that was exchanged", fabs(a->imbalance) / a->scale);
  }
  printf("\n");
}

static void print_errors(const trm_errors *errors, const trm_system *system) {
  if (errors->index < 0) return;
  trm_label label;
  trm_system_label(system, errors->list, errors->index, &label);
  printf("  %-12s of single steps add up to %.2g of the scale, most in %s\n", "errors", errors->sum,
         label.name);
}

/* Bodies without weight are worth a line: the model may lack its gravity. */
static void print_gravity(const trm_system *system) {
  double gravity[3];
  if (!trm_system_gravity(system, gravity)) return;
  if (gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] != 0.0) return;
  for (int i = 0; i < trm_system_count(system, TRM_V); i++) {
    trm_label label;
    trm_system_label(system, TRM_V, i, &label);
    if (strncmp(label.object, "body '", 6) != 0) continue;
    printf("  %-12s none: bodies have no weight\n", "gravity");
    return;
  }
}

void app_summary(const trm_sim *sim, const trm_system *system, const app_recorder *recorder) {
  const trm_state *s = trm_sim_state(sim);
  const trm_counters *counters = trm_sim_counters(sim);
  const trm_unit_names *units = trm_system_units(system);
  printf("%s: %s %s, solver %s, t = %.12g %s\n", trm_system_name(system), trm_sim_integrator(sim),
         trm_sim_formulation(sim), trm_sim_solver(sim), s->t, units->time);
  if (isfinite(recorder->resumed_from)) {
    printf("  %-12s from t = %.12g %s; steps and work are those since then\n", "resumed",
           recorder->resumed_from, units->time);
  }
  print_gravity(system);
  print_counters(counters, units->time);
  app_summary_values("coordinates", system, TRM_Q, s->q);
  app_summary_values("states", system, TRM_X, s->x);
  app_summary_values("outputs", system, TRM_OUTPUT, recorder->outputs);
  for (int i = 0; i < trm_sim_measure_count(sim); i++) {
    const double value = trm_sim_measure(sim, i);
    printf("  %-12s %-20s ", i == 0 ? "measures" : "", trm_sim_measure_name(sim, i));
    const char *unit = trm_sim_measure_unit(sim, i);
    if (isnan(value)) printf("%20s\n", "never");
    else printf("%20.12g%s%s\n", value + 0.0 /* not -0 */, unit[0] != '\0' ? " " : "", unit);
  }
  if (trm_system_count(system, TRM_V) > 0) { /* states alone have no energy */
    const double final = recorder->kinetic + recorder->potential;
    printf("  %-12s %.9g %s at the start, %.9g %s at the end (%+.3g)\n", "energy",
           recorder->initial, units->energy, final, units->energy, final - recorder->initial);
    print_balance(&counters->audit, units->energy);
  }
  print_errors(&counters->errors, system);
  if (trm_system_count(system, TRM_LAM) + trm_system_count(system, TRM_MU) > 0) {
    printf("  %-12s %.3g in positions, %.3g in velocities\n", "violation",
           counters->violation_position, counters->violation_velocity);
  }
  for (int i = 0; i < app_recorder_notes(recorder); i++) {
    printf("  %-12s at %.6g %s: %s\n", "note", recorder->note_times[i], units->time,
           recorder->notes[i]);
  }
}
