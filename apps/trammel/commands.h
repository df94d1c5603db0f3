/* commands.h - the commands of the program.
 *
 * main.c parses the command line, calls one of these and reports its error. A
 * command writes its result on stdout and returns a status; it never exits. */
#ifndef APP_COMMANDS_H
#define APP_COMMANDS_H
#include "options.h"
#include "trammel/analysis.h"

/* One command. `details` is printed by its help after the list of options. */
typedef struct app_command {
  const char *name;
  const char *argument; /* "MODEL", "[NAME]"                        */
  const char *summary;  /* one line                                 */
  const char *details;  /* more lines, each ending in \n            */
  unsigned    bit;      /* APP_RUN, ..: selects its options         */
  bool        needs_model;
  trm_status (*execute)(const app_options *options, trm_error *err);
} app_command;

trm_status app_run(const app_options *options, trm_error *err);
trm_status app_check(const app_options *options, trm_error *err);
trm_status app_converge(const app_options *options, trm_error *err);
trm_status app_bench(const app_options *options, trm_error *err);
trm_status app_models(const app_options *options, trm_error *err);
trm_status app_plot_command(const app_options *options, trm_error *err);
trm_status app_export(const app_options *options, trm_error *err);
trm_status app_explain(const app_options *options, trm_error *err);
trm_status app_spectrum(const app_options *options, trm_error *err);
trm_status app_steplimit(const app_options *options, trm_error *err);
trm_status app_static(const app_options *options, trm_error *err);
trm_status app_modes(const app_options *options, trm_error *err);
trm_status app_modal(const app_options *options, trm_error *err);
trm_status app_linear(const app_options *options, trm_error *err);
trm_status app_diff(const app_options *options, trm_error *err);
trm_status app_report_command(const app_options *options, trm_error *err);
trm_status app_stress(const app_options *options, trm_error *err);
trm_status app_schema(const app_options *options, trm_error *err);

/* The equilibrium that options ask for, for `static` and --at static; searched from a state, or
 * from the start values if NULL. */
trm_status app_find_static(const app_options *options, const trm_options *sim, trm_system *system,
                           trm_static **result, trm_error *err);
trm_status app_find_static_from(const app_options *options, const trm_options *sim,
                                trm_system *system, const trm_state *from, trm_static **result,
                                trm_error *err);

#endif
