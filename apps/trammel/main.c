/* main.c - the program: find the command, parse its options, report its error. */
#include "commands.h"
#include "interrupt.h"
#include "json_out.h"
#include "load_model.h"
#include "output_files.h"
#include "reductions.h"
#include "report.h"
#include "terminal.h"
#include "trammel/nearest.h"
#include "trammel/trammel.h"
#include <string.h>

static const char run_details[] =
    "Without --step the steps follow the tolerance. Nothing is written without a file option.\n"
    "If an option is given twice, the last one counts.\n"
    "\n"
    "With --restart the model, its parameters and the options come from the file; MODEL and\n"
    "options may be repeated, and must then be the same, except --end and the samples. The\n"
    "counters are those of the remaining part.\n"
    "\n"
    "--at static finds where the model rests, as the command static does, and begins there with\n"
    "all velocities zero, except those that motions ask for.\n"
    "\n"
    "--verify compares at the samples: 100 intervals, if nothing else is said. The largest\n"
    "difference is about the error of the run; a note says where it is more than 1 % of the\n"
    "largest value, or than 10000 times the tolerance where that is less.\n"
    "\n"
    "Columns of --csv: t, coordinates, velocities, accelerations, multipliers, states,\n"
    "variables, outputs, kinetic, potential. A velocity without a name of its own is d(x), its\n"
    "derivative dd(x); a velocity with a name, crank.vx, has the derivative d(crank.vx). A\n"
    "name used before gets its list in front: output:x.\n";

static const char check_details[] =
    "Completes the start values and counts what is free to move. A redundant row is one that\n"
    "follows from others; the reactions of joints that share such rows are not unique, and the\n"
    "hint says which rows can be released. Prints mass, centre and inertia of every body and of\n"
    "all together, names bodies that hang on nothing, and recommends a method.\n";

static const char static_details[] =
    "Finds where the model rests: all velocities zero, forces in balance, at the time of the\n"
    "start. The start values are where the search begins. Newton's method with a trust region\n"
    "comes first, then the load in growing parts, then relaxation; a place of least energy is\n"
    "preferred. Relaxation takes long steps: where several places are stable, as beyond a\n"
    "buckling load, it may end at another one than a load that grows leads to.\n"
    "States of controls are at rest too, or keep their values if that cannot be.\n"
    "\n"
    "--sweep follows an equilibrium while a value of the model changes: a parameter, k, or a\n"
    "number of a part, strut.stiffness. Its ends may have units, \"P=0 N..400 N,40\"; without\n"
    "them they are in the units of the model.\n";

static const char modes_details[] =
    "Linearizes about a state and prints frequencies, damping ratios and shapes of the motions\n"
    "Re(shape exp(eigenvalue t)), with all constraints, damping, gyroscopic terms and states.\n"
    "Frequency is |eigenvalue|/2 pi, damping -Re/|eigenvalue|; rigid-body modes have frequency\n"
    "zero. A shape has its largest part one.\n"
    "\n"
    "--along makes the run of a run file again and follows the eigenvalues by their shapes from\n"
    "sample to sample: which branches there are, where they begin and end, and where a pair\n"
    "becomes real. Samples must be close enough for shapes to be alike. Off equilibrium the\n"
    "values depend on the coordinates: they say what a Newton matrix sees, not what is stable.\n";

static const char linear_details[] =
    "Linearizes about a state: y' = A y + B du, d(outputs) = C y + D du. y has the free positions\n"
    "(of rotations their increments, int(crank.wx)), the free velocities and the states, u the\n"
    "'inputs' of the model. Poles are the eigenvalues of A; zeros are of each output over each\n"
    "input. --frequencies puts the frequency response into --json, --out draws it.\n";

static const char diff_details[] =
    "Compares signals of the same name and unit at the times that both files have, and prints the\n"
    "largest difference of each, when it occurs, and its largest value.\n";

static const char converge_details[] =
    "Each run is compared at its accepted steps (400 of them, if there are more) with one\n"
    "reference run: integrator explicit, formulation dop853, tolerance 1e-13. Shown are the\n"
    "largest error over the run and the observed order log(e1/e2)/log(h1/h2) from row to row;\n"
    "--json adds the rms error of each coordinate.\n";

static const char bench_details[] =
    "One row for each integrator and tolerance, as in the run characteristics of the IVP test\n"
    "set: steps tried, steps accepted, evaluations of the equations (#f) and of their derivatives\n"
    "(#Jac), factorizations (#LU), CPU time without set-up. Digits right at the end of the run:\n"
    "scd = -log10 of the largest relative error of coordinates and multipliers, mescd = -log10 of\n"
    "the largest |error| / (1 + |value|) of all numbers. The reference is a table of 24 digits\n"
    "for five cases of slider-crank, otherwise a run of explicit dop853 at 1e-13. Options of\n"
    "methods, --formulation and others, count for the integrators that read them. --out draws\n"
    "work over precision.\n";

static const char steplimit_details[] =
    "Runs the model with N equal steps and finds the smallest N that reaches the end, by\n"
    "doubling and bisection. The stopping test is stated with the result: --newton-tolerance\n"
    "(1e-10 unless given) within --max-iterations (10) of each try. A step whose first try fails\n"
    "with an old or simplified matrix is tried again with a new one, so a step may count more\n"
    "iterations than that.\n";

static const char spectrum_details[] =
    "Runs the vibration q'' + omega^2 q = 0 with the integrator itself and finds the eigenvalues\n"
    "of its steps from the recurrence that they obey. Damping is the ratio to critical damping of\n"
    "the root that dies last, period error the relative lengthening of the period. 'unstable', in\n"
    "JSON null, is a spectral radius so large that numbers overflow within a few steps.\n";

static const char plot_details[] =
    "Signals have the names of the columns of --csv; without any the signals of the files are\n"
    "listed. Words that end in .h5 are further run files, drawn into the same picture. Signals of\n"
    "one unit share a panel. Many samples are thinned so that the picture looks the same.\n"
    "\n"
    "A quantity of the model that the file does not hold, hinge.angle, or an expression, is\n"
    "computed: the run is made again, and compared with the file sample by sample.\n";

static const char modal_details[] =
    "For each body under flexible: its mass, what its interfaces are tied to, frequencies with\n"
    "all interfaces held, and those of the free body, which are its modal coordinates.\n";

static const char stress_details[] =
    "For each body under flexible: where von Mises stress is largest over all samples of the run,\n"
    "and when. Points at rigid interfaces are left out, since stress there depends on the mesh.\n"
    "For each beam with a section: the same along it, with the point of its section.\n"
    "With --loads: forces and moments at the interfaces of flexible bodies, body axes, with the\n"
    "motion of their frames: what a static analysis of the mesh needs.\n";

static const char export_details[] =
    ".csv  a table of all signals, with 17 digits\n"
    ".mat  for MATLAB and Octave: t, signals (a struct), names, fields, units\n"
    ".pvd  for ParaView: points and lines of bodies, a .vtu file for each sample in a folder\n"
    "With --stress: flexible bodies with displacement and stress in .pvd, or stress over time at\n"
    "--nodes in .csv.\n";

static const char report_details[] =
    "One HTML file that opens in any browser, without a network: the mechanism moving in 3-D,\n"
    "its signals, steps, energy and messages. A second run is drawn over the first as a ghost.\n"
    "Pictures and films are drawn by chromium, if it is installed.\n";

static const char explain_details[] =
    "Where the time went, what limited the steps and how often, where steps were rejected, and\n"
    "what to change.\n";

static const app_command commands[] = {
  {"run", "MODEL", "simulate a model", run_details, APP_RUN, true, app_run},
  {"check", "MODEL", "count freedoms, find redundant constraints, assemble", check_details,
   APP_CHECK, true, app_check},
  {"static", "MODEL", "find where a model rests", static_details, APP_STATIC, true, app_static},
  {"modes", "MODEL", "frequencies, damping and shapes of small motions", modes_details, APP_MODES,
   true, app_modes},
  {"modal", "MODEL", "reduce the meshes of flexible bodies: modes, masses, ties", modal_details,
   APP_MODAL, true, app_modal},
  {"linear", "MODEL", "A, B, C, D, poles, zeros, frequency response", linear_details, APP_LINEAR,
   true, app_linear},
  {"converge", "MODEL", "observed order of an integrator over a list of steps", converge_details,
   APP_CONVERGE, true, app_converge},
  {"bench", "MODEL", "table of work and accuracy over integrators and tolerances", bench_details,
   APP_BENCH, true, app_bench},
  {"steplimit", "MODEL", "largest fixed step without failure of Newton's method",
   steplimit_details, APP_STEPLIMIT, true, app_steplimit},
  {"spectrum", "", "damping, period error, spectral radius of an integrator", spectrum_details,
   APP_SPECTRUM, false, app_spectrum},
  {"models", "[NAME]", "list the built-in models, or describe one", "", APP_MODELS, false,
   app_models},
  {"plot", "RUN.h5 SIGNAL..", "draw signals of run files, or list them", plot_details, APP_PLOT,
   true, app_plot_command},
  {"export", "RUN.h5", "write a run as .csv, .mat or .pvd", export_details, APP_EXPORT, true,
   app_export},
  {"stress", "RUN.h5", "hot spots of flexible bodies and beams: place, instant, stress",
   stress_details, APP_STRESS, true, app_stress},
  {"report", "RUN.h5 [B.h5]", "write a page that shows a run moving", report_details, APP_REPORT,
   true, app_report_command},
  {"diff", "A.h5 B.h5", "largest differences of two runs", diff_details, APP_DIFF, true, app_diff},
  {"explain", "RUN.h5", "why a run took its steps, and what to change", explain_details,
   APP_EXPLAIN, true, app_explain},
  {"schema", "[reference]", "print the JSON Schema of model files, or their reference", "",
   APP_SCHEMA, false, app_schema},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const char *command_name(const void *list, int i) {
  (void)list;
  return commands[i].name;
}

static void print_help(FILE *file) {
  fputs("trammel " TRM_VERSION " - dynamics of flexible multibody systems\n\nusage:\n", file);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    const int used = fprintf(file, "  trammel %s %s", commands[i].name, commands[i].argument);
    fprintf(file, "%*s%s\n", 33 - used, "", commands[i].summary);
  }
  fputs("  trammel help COMMAND           its options; also trammel COMMAND --help\n"
        "  trammel --version              print the version\n"
        "\nMODEL is a model file (docs/guide/equations.md) or the name of a built-in model.\n"
        "Exit codes: 0 ok, 2 bad input, 3 numerical failure, 4 files.\n",
        file);
}

static void print_command_help(const app_command *command) {
  printf("usage: trammel %s %s [OPTIONS]\n%s\n\noptions:\n", command->name, command->argument,
         command->summary);
  app_options_help(command->bit, stdout);
  if ((command->bit & (APP_RUN | APP_CONVERGE | APP_BENCH | APP_STEPLIMIT | APP_MODES |
                       APP_LINEAR)) != 0) {
    fputs("\nTimes, and an energy, are in the units of the model: s and J, unless it has a key "
          "'units'.\nA time may have a unit of its own: --end '200 ms'.\n", stdout);
  }
  if (command->details[0] != '\0') printf("\n%s", command->details);
}

/* Words of other programs for a command; "": none. */
static const char *command_meant(const char *name) {
  static const char *const words[][2] = {
    {"simulate", "run"},  {"solve", "run"},        {"start", "run"},     {"dynamics", "run"},
    {"eigen", "modes"},   {"frequencies", "modes"}, {"modal-analysis", "modes"},
    {"equilibrium", "static"}, {"linearize", "linear"}, {"compare", "diff"}, {"validate", "check"},
    {"verify", "check"},  {"info", "check"},       {"draw", "plot"},     {"list", "models"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i][0], name) == 0) return words[i][1];
  }
  return "";
}

static trm_status find_command(const char *name, const app_command **command, trm_error *err) {
  for (int i = 0; i < COMMAND_COUNT; i++) {
    *command = &commands[i];
    if (strcmp(name, commands[i].name) == 0) return TRM_OK;
  }
  *command = NULL;
  const char *dot = strrchr(name, '.');
  if (dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0)) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "a command comes first: 'trammel run %.200s', or "
                    "check, static, modes; 'trammel help' lists them", name);
  }
  const char *near = command_meant(name);
  if (near[0] == '\0') near = trm_nearest_close(name, NULL, COMMAND_COUNT, command_name);
  if (near[0] == '\0') {
    return app_fail(err, TRM_ERR_INPUT, NULL, "unknown command '%.60s'; 'trammel help' lists them",
                    name);
  }
  return app_fail(err, TRM_ERR_INPUT, NULL, "unknown command '%.60s', the nearest one is '%s'",
                  name, near);
}

/* A full disk is detected only when the text is flushed. */
static trm_status flush_output(trm_error *err) {
  if (fflush(stdout) == 0 && ferror(stdout) == 0) return TRM_OK;
  return app_fail(err, TRM_ERR_IO, NULL, "cannot write to standard output");
}

static trm_status execute(const app_command *command, app_options *options,
                          app_reductions *reductions, int argc, char **argv, trm_error *err) {
  trm_status status = app_options_parse(options, command->bit, argc, argv, err);
  if (status == TRM_OK) status = app_reductions_init(reductions, options, err);
  if (status != TRM_OK) return status;
  if (options->help) {
    print_command_help(command);
    return flush_output(err);
  }
  if (command->needs_model && options->model == NULL && options->restart == NULL) {
    const bool is_model = strcmp(command->argument, "MODEL") == 0;
    return app_fail(err, TRM_ERR_INPUT, NULL, "%s is missing; %s",
                    is_model ? command->argument : "RUN.h5",
                    is_model ? "'trammel models' lists the names"
                             : "'trammel run MODEL --out RUN.h5' makes one");
  }
  const unsigned models = APP_RUN | APP_CHECK | APP_CONVERGE | APP_BENCH | APP_STEPLIMIT |
                          APP_STATIC | APP_MODES | APP_LINEAR | APP_MODAL;
  if ((command->bit & models) != 0 && options->model != NULL && options->restart == NULL &&
      !options->along) {
    status = app_model_load(options, err);
    if (status != TRM_OK) return status;
  }
  app_options_convert(options, app_model_units(options).seconds);
  status = app_outputs_check(options, err);
  if (status != TRM_OK) return status;
  status = command->execute(options, err);
  return status == TRM_OK ? flush_output(err) : status;
}

static trm_status execute_help(int argc, char **argv, trm_error *err) {
  const app_command *command;
  if (argc == 0) {
    print_help(stdout);
  } else {
    const trm_status status = find_command(argv[0], &command, err);
    if (status != TRM_OK) return status;
    print_command_help(command);
  }
  return flush_output(err);
}

int main(int argc, char **argv) {
  app_json_init();
  app_terminal_guard();
  app_interrupt_allow_limits();
  if (argc < 2) {
    print_help(stderr);
    return APP_EXIT_INPUT;
  }
  const char *word = argv[1];
  const bool is_help = strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
                       strcmp(word, "-h") == 0;
  app_options options;
  app_reductions reductions;
  app_options_init(&options, argc - 2, argv + 2);
  trm_error err = {.status = TRM_OK};
  const char *context = NULL;
  trm_status status = TRM_OK;
  if (is_help) {
    status = execute_help(argc - 2, argv + 2, &err);
  } else if (strcmp(word, "--version") == 0) {
    puts("trammel " TRM_VERSION);
    status = flush_output(&err);
  } else {
    const app_command *command;
    status = find_command(word, &command, &err);
    if (status == TRM_OK) {
      status = execute(command, &options, &reductions, argc - 2, argv + 2, &err);
    }
    /* sentences about run files name the file themselves */
    const unsigned others =
        APP_PLOT | APP_EXPORT | APP_EXPLAIN | APP_DIFF | APP_REPORT | APP_STRESS | APP_SCHEMA |
        APP_SPECTRUM;
    const bool is_model = command != NULL && (command->bit & others) == 0 && options.model != NULL;
    context = command == NULL ? NULL : is_model ? options.model : command->name;
    /* so does the sentence about a model file that cannot be read */
    if (status == TRM_ERR_IO && is_model && options.loaded == NULL && options.restart == NULL &&
        app_model_is_text(options.model)) {
      context = NULL;
    }
  }
  err.status = status;
  const int code = status == TRM_OK ? APP_EXIT_OK : app_report(context, &options, &err);
  trm_model_free(options.loaded);
  return code;
}
