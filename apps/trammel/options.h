/* options.h - the options of the command line. One table (option_table.c) drives parsing, help and
 * errors. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H
#include "trammel/model.h"
#include "trammel/problems.h"
#include "trammel/sim.h"
#include <stdbool.h>
#include <stdio.h>

/* Commands as bits: each option has the bits of its commands. */
enum { APP_RUN = 1, APP_CHECK = 2, APP_CONVERGE = 4, APP_MODELS = 8, APP_BENCH = 16,
       APP_PLOT = 32, APP_EXPORT = 64, APP_EXPLAIN = 128, APP_SCHEMA = 256,
       APP_STEPLIMIT = 512, APP_SPECTRUM = 1024, APP_STATIC = 2048, APP_MODES = 4096,
       APP_LINEAR = 8192, APP_DIFF = 16384, APP_REPORT = 32768, APP_MODAL = 65536,
       APP_STRESS = 131072 };

enum {
  APP_SETTINGS_MAX = 64,
  APP_PATTERNS_MAX = 64,
  APP_LIST_MAX = 32,
  APP_WORDS_MAX = 80,
  APP_DEFAULT_INTERVALS = 100,
  APP_PAGE_INTERVALS = 400 /* default for the finer curves of a page */
};

typedef enum app_option_id {
  APP_OPT_END, APP_OPT_TOLERANCE, APP_OPT_TOLERANCES, APP_OPT_OMEGA, APP_OPT_STEP, APP_OPT_STEPS,
  APP_OPT_STEP_MAX, APP_OPT_STEP_MIN, APP_OPT_STEP_FIRST, APP_OPT_MAX_ORDER, APP_OPT_ERROR_IN,
  APP_OPT_SCALING, APP_OPT_PASSES,
  APP_OPT_STEP_CONTROL, APP_OPT_ENERGY_DATUM, APP_OPT_ENERGY_REPETITIONS, APP_OPT_ENERGY_WAIT,
  APP_OPT_ENERGY_ACCEPT, APP_OPT_ENERGY_REDUCE, APP_OPT_ENERGY_GROW, APP_OPT_ENERGY_FROM,
  APP_OPT_ENERGY_TO, APP_OPT_MAX_ITERATIONS,
  APP_OPT_NEWTON_TOLERANCE, APP_OPT_CONSTRAINT_TOLERANCE, APP_OPT_IMPACT_TOLERANCE,
  APP_OPT_CHECKPOINT_STEPS,
  APP_OPT_OUTPUTS, APP_OPT_OUTPUT_STEP, APP_OPT_INTEGRATOR, APP_OPT_INTEGRATORS, APP_OPT_REPEATS,
  APP_OPT_FORMULATION, APP_OPT_SOLVER, APP_OPT_ALPHA, APP_OPT_RHO, APP_OPT_ALPHA_M,
  APP_OPT_ALPHA_F, APP_OPT_BETA, APP_OPT_GAMMA, APP_OPT_SET, APP_OPT_PLUGINS, APP_OPT_CACHE,
  APP_OPT_MEASURE, APP_OPT_INPUT, APP_OPT_CSV, APP_OPT_OUT,
  APP_OPT_RESTART, APP_OPT_FROM, APP_OPT_VERIFY, APP_OPT_SHOW, APP_OPT_AS, APP_OPT_PLOT_OUT,
  APP_OPT_AGAINST,
  APP_OPT_SPECTRUM, APP_OPT_XLOG, APP_OPT_YLOG, APP_OPT_TITLE, APP_OPT_EXPORT_OUT,
  APP_OPT_FRAMES, APP_OPT_WITH_STRESS, APP_OPT_NODES,
  APP_OPT_REPORT, APP_OPT_LIVE, APP_OPT_PORT, APP_OPT_PACE, APP_OPT_REPORT_OUT,
  APP_OPT_PNG, APP_OPT_REPORT_AT, APP_OPT_FRAMES_FOLDER, APP_OPT_WEBM, APP_OPT_SIZE,
  APP_OPT_ALONG, APP_OPT_ALONG_OUT, APP_OPT_MODES_EVERY, APP_OPT_MODES_OUT,
  APP_OPT_COUNT_OF, APP_OPT_TOP, APP_OPT_RADIUS, APP_OPT_LOADS, APP_OPT_LOADS_AT,
  APP_OPT_RUN_AT, APP_OPT_AT, APP_OPT_METHOD,
  APP_OPT_MODES_METHOD, APP_OPT_FREQUENCIES, APP_OPT_BODE, APP_OPT_BENCH_OUT, APP_OPT_MODAL_OUT,
  APP_OPT_SWEEP,
  APP_OPT_JSON, APP_OPT_QUIET, APP_OPT_HELP, APP_OPT_COUNT
} app_option_id;

/* --input NAME=VALUE[,RATE] */
typedef struct app_input {
  const char *name;
  double      value, rate;
} app_input;

/* Fixed steps taken in turn. */
typedef struct app_pattern {
  double h[TRM_STEPS_MAX]; /* [s] */
  int    n;
} app_pattern;

/* The command line after parsing. Strings are those of argv. */
typedef struct app_options {
  const char *model;                     /* MODEL, NAME or RUN.h5; NULL if not given */
  const char *as;                        /* models: language of the output           */
  const char *words[APP_WORDS_MAX];      /* words after RUN.h5 of plot               */
  int         nwords;
  trm_options sim;                       /* `end` is NaN if not given                */
  app_pattern patterns[APP_PATTERNS_MAX]; /* --steps of converge                     */
  int         npatterns;
  double      tolerances[APP_LIST_MAX];  /* --tolerances of bench, --omega of spectrum */
  int         ntolerances;
  const char *integrators[APP_LIST_MAX]; /* --integrators of bench                   */
  int         nintegrators;
  int         repeats;                   /* of each run of bench                     */
  trm_setting settings[APP_SETTINGS_MAX]; /* --set                                   */
  int         nsettings;
  const char *measures[APP_LIST_MAX];    /* --measure                                */
  int         nmeasures;
  app_input   inputs[APP_LIST_MAX];      /* --input                                  */
  int         ninputs;
  const char *csv;                       /* file name or NULL                        */
  const char *report;                    /* page of a run, or NULL                   */
  bool        live;                      /* show the run while it is computed        */
  int         port;                      /* of the server; 0: any                    */
  double      pace;                      /* simulated seconds in a second; 0: free   */
  const char *out;                       /* run file, picture, export; or NULL       */
  const char *restart;                   /* run file to continue, or NULL            */
  double      from;                      /* latest checkpoint to take [s]            */
  bool        verify;                    /* run again, more accurately               */
  const char *against, *title;           /* of plot; or NULL                         */
  bool        is_spectrum, is_xlog, is_ylog;
  long        frames;                    /* of export                                */
  bool        with_stress;               /* of export                                */
  const char *nodes;                     /* of export: of stress, or NULL            */
  const char *png, *webm, *frames_folder; /* of report: pictures, or NULL            */
  const char *size;                      /* of pictures, "1280x720"                  */
  double      picture_time;              /* of --png                                 */
  int         count;                     /* of modes; 0 if not given                 */
  double      radius;                    /* of stress: between hot spots             */
  const char *loads;                     /* of stress: file of them, or NULL         */
  bool        along;                     /* modes at all samples of a run file       */
  long        modes_every;               /* run: modes at one sample in so many, or 0 */
  const char *modes_out;                 /* picture of them, or NULL                 */
  const char *at;                        /* modes: "static", a time; stress: times; or NULL */
  const char *method;                    /* of static and modes; or NULL             */
  const char *frequencies;               /* of linear: "F1..F2,N"; or NULL           */
  const char *sweep;                     /* of static: "P=V1..V2,N"; or NULL         */
  trm_model  *loaded;                    /* MODEL, if it is a file or shipped; or NULL */
  bool        plugins;                   /* libraries of the model may be loaded     */
  const char *cache;                     /* of reduced meshes: a folder, "none", or NULL */
  trm_reductions reductions;             /* of meshes, from the command line         */
  bool        is_check;                  /* the end of the run does not matter       */
  bool        json, quiet, help;
  bool        given[APP_OPT_COUNT];      /* the option is on the command line        */
  bool        in_si[APP_OPT_COUNT];      /* its numbers have units: they are in SI   */
  bool        is_plain[APP_OPT_COUNT];   /* one of its numbers has none              */
} app_options;

/* Options before anything is parsed. `json` is already set, so that an error of the command line
 * itself is reported in the requested form. */
void app_options_init(app_options *options, int argc, char **argv);

/* Parse what follows the command. Splits settings at their '=' in place.
 * command_bit: options of other commands are unknown. */
TRM_CHECKED trm_status app_options_parse(app_options *options, unsigned command_bit, int argc,
                                         char **argv, trm_error *err);

/* Convert numbers with units to those of the model, whose unit of time has this number of
 * seconds. */
void app_options_convert(app_options *options, double seconds);

/* Print the options of a command, a few lines each. */
void app_options_help(unsigned command_bit, FILE *file);

#endif
