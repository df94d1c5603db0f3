/* state_choice.c - the state that --at names. */
#include "state_choice.h"
#include "commands.h"
#include "report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

trm_status app_state_choose(const app_options *options, const trm_options *given,
                            trm_system *system, app_state_choice *choice, trm_error *err) {
  *choice = (app_state_choice){.system = system};
  if (options->at == NULL || strcmp(options->at, "start") == 0) return TRM_OK;
  if (strcmp(options->at, "static") == 0) {
    const trm_status status = app_find_static(options, given, system, &choice->rest, err);
    if (status != TRM_OK) return status;
    choice->at = trm_static_state(choice->rest);
    choice->system = trm_static_system(choice->rest);
    return TRM_OK;
  }
  trm_options sim = *given;
  char *end = NULL;
  sim.end = strtod(options->at, &end);
  if (end == options->at || *end != '\0' || !isfinite(sim.end)) {
    return app_fail(err, TRM_ERR_INPUT, "--at", "'%.40s' is neither start, static nor a time",
                    options->at);
  }
  trm_status status = trm_sim_create(system, &sim, &choice->sim, err);
  if (status == TRM_OK) status = trm_sim_run(choice->sim, err);
  if (status != TRM_OK) return status;
  choice->at = trm_sim_state(choice->sim);
  choice->system = trm_sim_system(choice->sim);
  return TRM_OK;
}

void app_state_note(const app_options *options, const trm_system *system, const trm_state *s) {
  const double least = 1e-6; /* of accelerations that count: far below gravity in all units */
  double most = least;
  int at = -1;
  if (options->at != NULL && strcmp(options->at, "start") != 0) return;
  for (int i = 0; i < trm_system_count(system, TRM_V); i++) {
    if (fabs(s->vd[i]) > most) most = fabs(s->vd[i]), at = i;
  }
  if (at < 0) return;
  char text[TRM_MESSAGE_MAX];
  trm_label label;
  trm_system_label(system, TRM_V, at, &label);
  snprintf(text, sizeof text, "the start is no equilibrium: %s%s'%s' has an acceleration of %.3g; "
           "--at static begins with the equilibrium", label.object, label.object[0] ? ", " : "",
           label.name, s->vd[at]);
  app_note(options, NAN, text);
}

void app_held_note(const app_options *options, const trm_system *system) {
  char text[TRM_MESSAGE_MAX], names[160] = "";
  size_t used = 0;
  int more = 0;
  for (int i = 0; i < trm_system_count(system, TRM_Z); i++) {
    trm_label label;
    trm_system_label(system, TRM_Z, i, &label);
    /* others are sides of conditions, or next times of events */
    if (strncmp(label.object, "discrete value '", 16) != 0) continue;
    const size_t length = strlen(label.name) + 2;
    if (used + length < sizeof names) {
      used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                               label.name);
    } else {
      more++;
    }
  }
  if (used == 0) return;
  char rest[32] = "";
  if (more > 0) snprintf(rest, sizeof rest, " and %d more", more);
  snprintf(text, sizeof text, "discrete values keep their values here: %s%s; a controller that "
           "changes them at events has no part in the result", names, rest);
  app_note(options, NAN, text);
}

void app_state_free(app_state_choice *choice) {
  trm_sim_free(choice->sim);
  trm_static_free(choice->rest);
  *choice = (app_state_choice){0};
}
