/* state_choice.h - the state that --at names, for analyses about a state. */
#ifndef APP_STATE_CHOICE_H
#define APP_STATE_CHOICE_H
#include "options.h"
#include "trammel/analysis.h"

/* What the state belongs to; freed as a whole. All zero: nothing. */
typedef struct app_state_choice {
  const trm_state *at;     /* NULL: the start                          */
  trm_system      *system; /* of the analysis: that of the model, or an instance of it */
  trm_static      *rest;
  trm_sim         *sim;
} app_state_choice;

/* start, static, or a time of the run that `sim` describes. */
TRM_CHECKED trm_status app_state_choose(const app_options *options, const trm_options *sim,
                                        trm_system *system, app_state_choice *choice,
                                        trm_error *err);
/* A note where the start is no equilibrium, with what accelerates most: frequencies and poles are
 * those of a motion that goes on meanwhile. Not for states that --at asks for. */
void app_state_note(const app_options *options, const trm_system *system, const trm_state *s);
/* A note that names the discrete values of a model, which linearizing leaves as they are. */
void app_held_note(const app_options *options, const trm_system *system);
void app_state_free(app_state_choice *choice);

#endif
