/* option_table.c - every option: name, value, range, commands, help. Names of methods in help texts
 * come from their registry, see option_help.c. */
#include "option_table.h"
#include <math.h>

#define AT(member) offsetof(app_options, member) /* keeps the table narrow */

enum {
  FIXED = APP_RUN | APP_CONVERGE,       /* commands that use one integrator */
  METHOD = FIXED | APP_STEPLIMIT | APP_SPECTRUM, /* and those that only name it */
  LOOP = FIXED | APP_BENCH,
  TUNED = METHOD | APP_BENCH, /* of several integrators it counts for those that read it */
  RUNS = FIXED | APP_BENCH | APP_STEPLIMIT,
  REST = APP_STATIC | APP_MODES | APP_LINEAR,  /* nothing moves */
  MODEL = APP_RUN | APP_CONVERGE | APP_CHECK | APP_BENCH | APP_STEPLIMIT | APP_MODAL | REST,
  FILES = APP_PLOT | APP_EXPORT | APP_EXPLAIN | APP_DIFF | APP_REPORT | APP_STRESS, /* run files */
  ALL = MODEL | APP_MODELS | FILES | APP_SCHEMA | APP_SPECTRUM
};

/* Below this no local error can be resolved in double precision. */
#define TOLERANCE_MIN 1e-15
#define COUNT_MAX 1e9

/* clang-format off */
const app_option app_option_table[APP_OPT_COUNT] = {
  [APP_OPT_END] = {"--end", "T", APP_VALUE_NUMBER, RUNS, AT(sim.end), -INFINITY, INFINITY, 0,
    "end of the run; default: that of the model", "s"},
  [APP_OPT_TOLERANCE] = {"--tolerance", "E", APP_VALUE_NUMBER, APP_RUN, AT(sim.tolerance),
    TOLERANCE_MIN, 1, 0,
    "local error of a step over the scales of the model, which are 1 m\n"
    "and 1 rad unless it says otherwise; default: 1e-5", NULL},
  [APP_OPT_TOLERANCES] = {"--tolerances", "E1,E2,..", APP_VALUE_TOLERANCES, APP_BENCH, 0,
    TOLERANCE_MIN, 1, 0,
    "one row for each; default: 1e-4,1e-5,1e-6,1e-7", NULL},
  [APP_OPT_OMEGA] = {"--omega", "O1,O2,..", APP_VALUE_TOLERANCES, APP_SPECTRUM, 0, 1e-3, 1e8, 0,
    "frequency times step, one row for each; default: 0.01 to 1e5", NULL},
  [APP_OPT_STEP] = {"--step", "H[,H2..]", APP_VALUE_STEPS, APP_RUN, 0, 0, INFINITY, APP_OPEN_LOW,
    "fixed step instead of a tolerance; up to 8 are taken in turn", "s"},
  [APP_OPT_STEPS] = {"--steps", "H1,H2,..", APP_VALUE_PATTERNS, APP_CONVERGE, 0, 0, INFINITY,
    APP_OPEN_LOW,
    "fixed steps, one run for each; 0.01:0.02 alternates", "s"},
  [APP_OPT_STEP_MAX] = {"--step-max", "H", APP_VALUE_NUMBER, APP_RUN | APP_BENCH,
    AT(sim.step_max), 0, INFINITY, APP_OPEN_LOW,
    "largest step under error control; default: no limit", "s"},
  [APP_OPT_STEP_MIN] = {"--step-min", "H", APP_VALUE_NUMBER, APP_RUN | APP_BENCH,
    AT(sim.step_min), 0, INFINITY, APP_OPEN_LOW,
    "smallest step under error control; default: 1e-14 of the run", "s"},
  [APP_OPT_STEP_FIRST] = {"--step-first", "H", APP_VALUE_NUMBER, APP_RUN | APP_BENCH,
    AT(sim.step_first), 0, INFINITY, APP_OPEN_LOW,
    "first step under error control; default: chosen", "s"},
  [APP_OPT_MAX_ORDER] = {"--max-order", "N", APP_VALUE_INT, RUNS | METHOD,
    AT(sim.max_order), 1, 13, 0,
    "largest order; with a fixed step the order itself, default: 5 or 2. ", NULL},
  [APP_OPT_ERROR_IN] = {"--error-in", "NAME", APP_VALUE_TEXT, APP_RUN | APP_BENCH,
    AT(sim.error_in), 0, 0, 0,
    "positions (default), or velocities: these are tested as well,\n"
    "and every vibration in them is followed", NULL},
  [APP_OPT_SCALING] = {"--scaling", "NAME", APP_VALUE_TEXT, TUNED, AT(sim.scaling), 0, 0, 0,
    "scaling of the Newton matrix. a: positions are its\n"
    "unknowns; b: accelerations are; c: the same with constraints over\n"
    "powers of the step; auto (default): c. Results differ by rounding", NULL},
  [APP_OPT_PASSES] = {"--passes", "N", APP_VALUE_INT, TUNED, AT(sim.passes), 2, 100, 0,
    "passes of a step; default: as many as are needed", NULL},
  [APP_OPT_STEP_CONTROL] = {"--step-control", "NAME", APP_VALUE_TEXT, APP_RUN,
    AT(sim.step_control), 0, 0, 0,
    "local (default), or energy: the tolerance is for the relative\n"
    "change of the total energy", NULL},
  [APP_OPT_ENERGY_DATUM] = {"--energy-datum", "E", APP_VALUE_NUMBER, APP_RUN,
    AT(sim.energy_datum), -INFINITY, INFINITY, 0,
    "energy that counts as zero; default: 0; this and the following\n"
    "are for --step-control energy", NULL},
  [APP_OPT_ENERGY_REPETITIONS] = {"--energy-repetitions", "N", APP_VALUE_INT, APP_RUN,
    AT(sim.energy_repetitions), 1, 1000, 0,
    "repeats of a step; after them it is accepted; default: 3", NULL},
  [APP_OPT_ENERGY_WAIT] = {"--energy-wait", "N", APP_VALUE_INT, APP_RUN, AT(sim.energy_wait),
    1, 1000000, 0,
    "steps in a row with little change before growth; default: 8", NULL},
  [APP_OPT_ENERGY_ACCEPT] = {"--energy-accept", "F", APP_VALUE_NUMBER, APP_RUN,
    AT(sim.energy_accept), 0, 100, APP_OPEN_LOW,
    "change that is accepted, the goal, small; over the tolerance;\n"
    "default: 1, 0.95, 0.6", NULL},
  [APP_OPT_ENERGY_REDUCE] = {"--energy-reduce", "F", APP_VALUE_NUMBER, APP_RUN,
    AT(sim.energy_reduce), 0, 100, APP_OPEN_LOW, NULL, NULL},
  [APP_OPT_ENERGY_GROW] = {"--energy-grow", "F", APP_VALUE_NUMBER, APP_RUN, AT(sim.energy_grow),
    0, 100, APP_OPEN_LOW, NULL, NULL},
  [APP_OPT_ENERGY_FROM] = {"--energy-from", "T", APP_VALUE_NUMBER, APP_RUN, AT(sim.energy_from),
    -INFINITY, INFINITY, 0,
    "energy controls from .. to, the local error otherwise;\n"
    "default: always", "s"},
  [APP_OPT_ENERGY_TO] = {"--energy-to", "T", APP_VALUE_NUMBER, APP_RUN, AT(sim.energy_to),
    -INFINITY, INFINITY, 0, NULL, "s"},
  [APP_OPT_MAX_ITERATIONS] = {"--max-iterations", "N", APP_VALUE_INT, RUNS | APP_STATIC,
    AT(sim.max_iterations), 1, 100000, 0,
    "Newton iterations of one try of a step; default: 10, of static: 2000", NULL},
  [APP_OPT_NEWTON_TOLERANCE] = {"--newton-tolerance", "E", APP_VALUE_NUMBER, RUNS,
    AT(sim.newton_tolerance), 0, 1, APP_OPEN_LOW,
    "error left by Newton in scaled positions; default: 1e-4 of the\n"
    "tolerance, of hht si2 and index3 up to 1e-2 in long steps;\n"
    "with a fixed step 1e-8 of h^2 acceleration", NULL},
  [APP_OPT_CONSTRAINT_TOLERANCE] = {"--constraint-tolerance", "E", APP_VALUE_NUMBER, LOOP,
    AT(sim.constraint_tolerance), 0, 1, APP_OPEN_LOW,
    "constraint violation left in a step, over 1 m or 1 rad;\n"
    "default: 1e-9", NULL},
  [APP_OPT_IMPACT_TOLERANCE] = {"--impact-tolerance", "E", APP_VALUE_NUMBER, LOOP,
    AT(sim.impact_tolerance), 0, 0.1, APP_OPEN_LOW,
    "error of the speed in a step of an impact on a stop, as\n"
    "part of the speed before; default: 1e-3", NULL},
  [APP_OPT_CHECKPOINT_STEPS] = {"--checkpoint-steps", "N", APP_VALUE_LONG, FIXED,
    AT(sim.checkpoint_steps), 1, COUNT_MAX, 0,
    "accepted steps from checkpoint to checkpoint; default: 100", NULL},
  [APP_OPT_OUTPUTS] = {"--outputs", "N", APP_VALUE_INT, APP_RUN, AT(sim.outputs), 1, COUNT_MAX, 0,
    "samples at the ends of N equal intervals", NULL},
  [APP_OPT_OUTPUT_STEP] = {"--output-step", "H", APP_VALUE_NUMBER, APP_RUN, AT(sim.output_step),
    0, INFINITY, APP_OPEN_LOW,
    "or the time from sample to sample", "s"},
  [APP_OPT_INTEGRATOR] = {"--integrator", "NAME", APP_VALUE_TEXT, METHOD, AT(sim.integrator),
    0, 0, 0, NULL, NULL},
  [APP_OPT_INTEGRATORS] = {"--integrators", "N1,N2,..", APP_VALUE_INTEGRATORS, APP_BENCH, 0,
    0, 0, 0, NULL, NULL},
  [APP_OPT_REPEATS] = {"--repeats", "N", APP_VALUE_INT, APP_BENCH, AT(repeats), 1, 1000, 0,
    "runs of each row, taken in turn; the fastest counts; default: 3", NULL},
  [APP_OPT_FORMULATION] = {"--formulation", "NAME", APP_VALUE_TEXT, TUNED, AT(sim.formulation),
    0, 0, 0, NULL, NULL},
  [APP_OPT_SOLVER] = {"--solver", "NAME", APP_VALUE_TEXT, RUNS | REST, AT(sim.solver), 0, 0, 0,
    "linear solver: auto (default), block, klu, dense", NULL},
  [APP_OPT_ALPHA] = {"--alpha", "A", APP_VALUE_NUMBER, TUNED, AT(sim.alpha), -1.0 / 3, 0, 0,
    "numerical damping, -1/3 (most) to 0 (none); default: -0.3", NULL},
  [APP_OPT_RHO] = {"--rho", "R", APP_VALUE_NUMBER, TUNED, AT(sim.rho), 0, 1, 0,
    "spectral radius at infinity, 0 to 1; default: 0.5", NULL},
  [APP_OPT_ALPHA_M] = {"--alpha-m", "A", APP_VALUE_NUMBER, TUNED, AT(sim.alpha_m), -10, 1,
    APP_OPEN_HIGH,
    "the four coefficients themselves, all or none", NULL},
  [APP_OPT_ALPHA_F] = {"--alpha-f", "A", APP_VALUE_NUMBER, TUNED, AT(sim.alpha_f), -10, 1,
    APP_OPEN_HIGH, NULL, NULL},
  [APP_OPT_BETA] = {"--beta", "B", APP_VALUE_NUMBER, TUNED, AT(sim.beta), 0, 10, APP_OPEN_LOW,
    NULL, NULL},
  [APP_OPT_GAMMA] = {"--gamma", "G", APP_VALUE_NUMBER, TUNED, AT(sim.gamma), 0, 10, APP_OPEN_LOW,
    NULL, NULL},
  [APP_OPT_SET] = {"--set", "PATH=VALUE", APP_VALUE_SETTING, MODEL, 0, 0, 0, 0,
    "change a parameter, or any value of a model file by its path;\n"
    "may be repeated", NULL},
  [APP_OPT_PLUGINS] = {"--plugins", NULL, APP_VALUE_NONE, MODEL, AT(plugins), 0, 0, 0,
    "load the plug-ins that the model names: their code runs as yours", NULL},
  [APP_OPT_CACHE] = {"--cache", "DIR", APP_VALUE_TEXT,
    MODEL | APP_MODELS | APP_REPORT | APP_STRESS | APP_EXPORT,
    AT(cache), 0, 0, 0,
    "folder in which reduced meshes of flexible bodies are kept, or none;\n"
    "default: $XDG_CACHE_HOME/trammel, or ~/.cache/trammel", NULL},
  [APP_OPT_MEASURE] = {"--measure", "[NAME=]TEXT", APP_VALUE_MEASURE, APP_RUN, 0, 0, 0, 0,
    "an output reduced over the run: max(load), min, rms, mean, final,\n"
    "at(load, 20 ms), or crossing(load, 3), the time at which it first\n"
    "reaches 3; may be repeated", NULL},
  [APP_OPT_INPUT] = {"--input", "NAME=VALUE[,RATE]", APP_VALUE_INPUT, APP_RUN, 0, -INFINITY,
    INFINITY, 0,
    "set an input of the model at the start, or where --restart continues,\n"
    "and its rate from there, default: 0; may be repeated", NULL},
  [APP_OPT_CSV] = {"--csv", "FILE", APP_VALUE_TEXT, APP_RUN, AT(csv), 0, 0, 0,
    "write the samples as a table; 100 intervals unless\n"
    "--outputs or --output-step says otherwise", NULL},
  [APP_OPT_OUT] = {"--out", "F.h5", APP_VALUE_TEXT, APP_RUN, AT(out), 0, 0, 0,
    "write a run file: samples, steps, messages, checkpoints;\n"
    "100 intervals as for --csv", NULL},
  [APP_OPT_RESTART] = {"--restart", "F.h5", APP_VALUE_TEXT, APP_RUN, AT(restart), 0, 0, 0,
    "continue from the last checkpoint of a run file, to the same bits", NULL},
  [APP_OPT_FROM] = {"--from", "T", APP_VALUE_NUMBER, APP_RUN, AT(from), -INFINITY, INFINITY, 0,
    "or from the last one at or before this time", "s"},
  [APP_OPT_VERIFY] = {"--verify", NULL, APP_VALUE_NONE, APP_RUN, AT(verify), 0, 0, 0,
    "run again with a tenth of the tolerance, or half of the step, and\n"
    "show how far each output changes; only the first run is written", NULL},
  [APP_OPT_SHOW] = {"--show", "NAME", APP_VALUE_TEXT, APP_MODELS, AT(model), 0, 0, 0,
    "describe this model; of a model file: print it", NULL},
  [APP_OPT_AS] = {"--as", "LANGUAGE", APP_VALUE_TEXT, APP_MODELS, AT(as), 0, 0, 0,
    "c: print a model file as a C program that builds and runs it;\n"
    "yaml: as one file without includes, repeats and settings", NULL},
  [APP_OPT_PLOT_OUT] = {"--out", "F.svg", APP_VALUE_TEXT, APP_PLOT, AT(out), 0, 0, 0,
    "write a picture: .svg, .png or .pdf; without it a drawing of\n"
    "letters is printed", NULL},
  [APP_OPT_AGAINST] = {"--against", "SIGNAL", APP_VALUE_TEXT, APP_PLOT, AT(against), 0, 0, 0,
    "over this signal instead of over the time", NULL},
  [APP_OPT_SPECTRUM] = {"--spectrum", NULL, APP_VALUE_NONE, APP_PLOT, AT(is_spectrum), 0, 0, 0,
    "amplitudes over frequency, with their peaks", NULL},
  [APP_OPT_XLOG] = {"--xlog", NULL, APP_VALUE_NONE, APP_PLOT, AT(is_xlog), 0, 0, 0,
    "logarithmic axes", NULL},
  [APP_OPT_YLOG] = {"--ylog", NULL, APP_VALUE_NONE, APP_PLOT, AT(is_ylog), 0, 0, 0, NULL, NULL},
  [APP_OPT_TITLE] = {"--title", "TEXT", APP_VALUE_TEXT, APP_PLOT, AT(title), 0, 0, 0,
    "above the picture; default: the name of the model", NULL},
  [APP_OPT_EXPORT_OUT] = {"--out", "F.csv", APP_VALUE_TEXT, APP_EXPORT, AT(out), 0, 0, 0,
    "file to write: .csv, .mat or .pvd", NULL},
  [APP_OPT_FRAMES] = {"--frames", "N", APP_VALUE_LONG, APP_EXPORT, AT(frames), 1, COUNT_MAX, 0,
    "most frames of a .pvd, evenly chosen; default: 1000", NULL},
  [APP_OPT_WITH_STRESS] = {"--stress", NULL, APP_VALUE_NONE, APP_EXPORT, AT(with_stress), 0, 0, 0,
    "with .pvd: flexible bodies with displacement and stress, and files of\n"
    "the largest stress; with .csv: stress at --nodes", NULL},
  [APP_OPT_NODES] = {"--nodes", "LIST", APP_VALUE_TEXT, APP_EXPORT, AT(nodes), 0, 0, 0,
    "of --stress: rod.node12,rod.node15", NULL},
  [APP_OPT_REPORT] = {"--report", "F.html", APP_VALUE_TEXT, APP_RUN, AT(report), 0, 0, 0,
    "write a page that shows the run moving, see 'trammel help report';\n"
    "400 intervals unless --outputs says otherwise", NULL},
  [APP_OPT_LIVE] = {"--live", NULL, APP_VALUE_NONE, APP_RUN, AT(live), 0, 0, 0,
    "show the run in a browser while it goes on, at the address that is\n"
    "printed; the page can pause it, stop it and set its inputs", NULL},
  [APP_OPT_PORT] = {"--port", "N", APP_VALUE_INT, APP_RUN, AT(port), 1, 65535, 0,
    "port of --live on 127.0.0.1; default: any that is free", NULL},
  [APP_OPT_PACE] = {"--pace", "F", APP_VALUE_NUMBER, APP_RUN, AT(pace), 0, INFINITY, 0,
    "seconds of the run for a second of --live; default: 1 for models with\n"
    "inputs, else as fast as it goes, which is 0", NULL},
  [APP_OPT_REPORT_OUT] = {"--out", "F.html", APP_VALUE_TEXT, APP_REPORT, AT(out), 0, 0, 0,
    "page to write; default: as the run file, with .html, if no picture\n"
    "is asked for", NULL},
  [APP_OPT_PNG] = {"--png", "F.png", APP_VALUE_TEXT, APP_REPORT, AT(png), 0, 0, 0,
    "picture of one instant, drawn by chromium", NULL},
  [APP_OPT_REPORT_AT] = {"--at", "T", APP_VALUE_NUMBER, APP_REPORT, AT(picture_time), -INFINITY,
    INFINITY, 0, "time of the picture; default: the last one", "s"},
  [APP_OPT_FRAMES_FOLDER] = {"--frames", "DIR", APP_VALUE_TEXT, APP_REPORT, AT(frames_folder), 0,
    0, 0, "pictures of a film, 30 for each second, in a folder", NULL},
  [APP_OPT_WEBM] = {"--webm", "F.webm", APP_VALUE_TEXT, APP_REPORT, AT(webm), 0, 0, 0,
    "the film itself", NULL},
  [APP_OPT_SIZE] = {"--size", "WxH", APP_VALUE_TEXT, APP_REPORT, AT(size), 0, 0, 0,
    "size of pictures and films; default: 1280x720", NULL},
  [APP_OPT_ALONG] = {"--along", NULL, APP_VALUE_NONE, APP_MODES, AT(along), 0, 0, 0,
    "MODEL is a run file: follow the eigenvalues from sample to sample", NULL},
  [APP_OPT_ALONG_OUT] = {"--out", "F.svg", APP_VALUE_TEXT, APP_MODES, AT(out), 0, 0, 0,
    "with --along: draw both parts over time, as .svg, .png or .pdf", NULL},
  [APP_OPT_MODES_EVERY] = {"--modes-every", "N", APP_VALUE_LONG, APP_RUN, AT(modes_every), 1,
    COUNT_MAX, 0,
    "follow the eigenvalues of small motions at one sample in N;\n"
    "100 intervals as for --csv", NULL},
  [APP_OPT_MODES_OUT] = {"--modes-out", "F.svg", APP_VALUE_TEXT, APP_RUN, AT(modes_out), 0, 0, 0,
    "with --modes-every: draw both parts over time, as .svg, .png or .pdf", NULL},
  [APP_OPT_COUNT_OF] = {"--count", "N", APP_VALUE_INT, APP_MODES, AT(count), 1, 100000, 0,
    "modes wanted, lowest first; default: 20", NULL},
  [APP_OPT_TOP] = {"--top", "N", APP_VALUE_INT, APP_STRESS, AT(count), 1, 100000, 0,
    "hot spots of each body; default: as its model says, or 20", NULL},
  [APP_OPT_RADIUS] = {"--radius", "R", APP_VALUE_NUMBER, APP_STRESS, AT(radius), 0, INFINITY, 0,
    "no two hot spots are closer than this; default: 2 % of the body", NULL},
  [APP_OPT_LOADS] = {"--loads", "F", APP_VALUE_TEXT, APP_STRESS, AT(loads), 0, 0, 0,
    "loads at interfaces in body axes, with inertia: F.csv, or cards for\n"
    "Abaqus and CalculiX (F.inp) or Nastran (F.bdf)", NULL},
  [APP_OPT_LOADS_AT] = {"--at", "T1,T2,..", APP_VALUE_TEXT, APP_STRESS, AT(at), 0, 0, 0,
    "times of --loads; default: all samples in .csv, else that of the\n"
    "highest stress of each body", NULL},
  [APP_OPT_RUN_AT] = {"--at", "STATE", APP_VALUE_TEXT, APP_RUN, AT(at), 0, 0, 0,
    "where to begin: start (default), as given in the model, or static: at\n"
    "rest in the equilibrium, which is found first", NULL},
  [APP_OPT_AT] = {"--at", "STATE", APP_VALUE_TEXT, APP_MODES | APP_LINEAR, AT(at), 0, 0, 0,
    "about which to linearize: start (default), static: the equilibrium,\n"
    "or a time of the model's run", NULL},
  [APP_OPT_METHOD] = {"--method", "NAME", APP_VALUE_TEXT, APP_STATIC, AT(method), 0, 0, 0,
    "auto (default), or one alone of newton, relaxation, load", NULL},
  [APP_OPT_MODES_METHOD] = {"--method", "NAME", APP_VALUE_TEXT, APP_MODES, AT(method), 0, 0, 0,
    "auto (default): dense below 500 velocities; dense, sparse", NULL},
  [APP_OPT_FREQUENCIES] = {"--frequencies", "F1..F2,N", APP_VALUE_TEXT, APP_LINEAR,
    AT(frequencies), 0, 0, 0,
    "frequency response at N frequencies in Hz, F1 to F2 in equal ratios;\n"
    "with --out also without it: 400 about the poles", NULL},
  [APP_OPT_BODE] = {"--out", "F.svg", APP_VALUE_TEXT, APP_LINEAR, AT(out), 0, 0, 0,
    "draw the frequency response, magnitude and phase: .svg, .png or .pdf", NULL},
  [APP_OPT_BENCH_OUT] = {"--out", "F.svg", APP_VALUE_TEXT, APP_BENCH, AT(out), 0, 0, 0,
    "draw work over precision: CPU time and evaluations over the error, a\n"
    "curve for each integrator: .svg, .png or .pdf", NULL},
  [APP_OPT_MODAL_OUT] = {"--out", "F.modal.h5", APP_VALUE_TEXT, APP_MODAL, AT(out), 0, 0, 0,
    "write modes, inertia, interfaces and surface of each body: HDF5", NULL},
  [APP_OPT_SWEEP] = {"--sweep", "P=V1..V2,N", APP_VALUE_TEXT, APP_STATIC, AT(sweep), 0, 0, 0,
    "quasi-statics: the equilibria at P = V1 and after each of N equal\n"
    "changes up to V2, each from the one before; P is a value of the model,\n"
    "V1 and V2 may have units: \"P=0 N..400 N,40\"", NULL},
  [APP_OPT_JSON] = {"--json", NULL, APP_VALUE_NONE, MODEL | FILES | APP_SPECTRUM, AT(json), 0, 0, 0,
    "print exactly one JSON object on stdout", NULL},
  [APP_OPT_QUIET] = {"--quiet", NULL, APP_VALUE_NONE,
    MODEL | APP_PLOT | APP_EXPORT | APP_REPORT | APP_STRESS, AT(quiet), 0, 0, 0,
    "no progress, no notes, no summary of a run; errors stay", NULL},
  [APP_OPT_HELP] = {"--help", NULL, APP_VALUE_NONE, ALL, AT(help), 0, 0, 0,
    "print this text", NULL},
};
/* clang-format on */
