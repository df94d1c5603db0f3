/* converge.c - run, keep, compare.
 *
 * Errors are largest absolute differences over all samples and unknowns of a
 * kind. Configurations are compared by the increment that moves one to the
 * other, so a rotation counts with its angle and the sign of a quaternion does
 * not matter. */
#include "converge.h"
#include "console.h"
#include "interrupt.h"
#include "load_model.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MIN = 400, SAMPLES_MAX = 20000, NUMBERS_MAX = 4000000 };
static const double REFERENCE_TOLERANCE = 1e-13;
static const double SAME_TIME = 1e-12; /* relative to the end: rounding of times */
static const double FALLBACK_REFINEMENT = 20; /* finest step over that of the reference */

const char *app_error_name(app_error_kind kind) {
  static const char *const names[APP_ERROR_KINDS] = {
    [APP_ERROR_POSITION] = "position",         [APP_ERROR_VELOCITY] = "velocity",
    [APP_ERROR_ACCELERATION] = "acceleration", [APP_ERROR_MULTIPLIER] = "multiplier",
    [APP_ERROR_STATE] = "state",               [APP_ERROR_VARIABLE] = "variable",
  };
  return names[kind];
}

double app_order(double e0, double e1, double h0, double h1) {
  const double order = log(e0 / e1) / log(h0 / h1);
  return isfinite(order) ? order : NAN;
}

/* ---- a study ---------------------------------------------------------- */

trm_status app_study_create(app_study *study, const app_options *options, trm_error *err) {
  *study = (app_study){.options = options};
  trm_status status = app_model_create(options, &study->system, err);
  if (status != TRM_OK) return status;
  const trm_sizes n = study->sizes = *trm_system_sizes(study->system);
  study->nq = trm_system_count(study->system, TRM_Q);
  study->width = study->nq + 2 * n.nv + n.ng + n.na + n.nx + n.nw + n.nshown;
  study->runs = calloc((size_t)options->npatterns, sizeof *study->runs);
  study->scratch = calloc((size_t)(n.nv + study->nq) + 1, sizeof(double));
  if (study->runs == NULL || study->scratch == NULL) return app_fail_memory(err);
  study->nruns = options->npatterns;
  for (int i = 0; i < study->nruns; i++) {
    study->runs[i].pattern = &options->patterns[i];
    study->runs[i].rms = calloc((size_t)study->nq + 1, sizeof(double));
    if (study->runs[i].rms == NULL) return app_fail_memory(err);
  }
  return TRM_OK;
}

void app_study_free(app_study *study) {
  for (int i = 0; i < study->nruns; i++) {
    free(study->runs[i].t);
    free(study->runs[i].numbers);
    free(study->runs[i].rms);
  }
  free(study->runs);
  free(study->scratch);
  trm_system_free(study->system);
  *study = (app_study){.options = NULL};
}

/* ---- runs with fixed steps -------------------------------------------- */

static double *put(double *place, const double *values, int count) {
  if (count > 0) memcpy(place, values, (size_t)count * sizeof *place);
  return place + count;
}

static trm_status keep_sample(const app_study *study, app_history *run, trm_system *system,
                              const trm_state *s, trm_error *err) {
  const size_t width = (size_t)study->width;
  if (run->n == run->capacity) {
    const size_t capacity = run->capacity > 0 ? 2 * (size_t)run->capacity : SAMPLES_MIN + 8;
    double *t = realloc(run->t, capacity * sizeof *t);
    if (t != NULL) run->t = t;
    double *numbers = realloc(run->numbers, capacity * width * sizeof *numbers);
    if (numbers != NULL) run->numbers = numbers;
    if (t == NULL || numbers == NULL) return app_fail_memory(err);
    run->capacity = (int)capacity;
  }
  const trm_sizes *n = &study->sizes;
  double *place = run->numbers + (size_t)run->n * width;
  place = put(place, s->q, study->nq);
  place = put(place, s->v, n->nv);
  place = put(place, s->vd, n->nv);
  place = put(place, s->lam, n->ng);
  place = put(place, s->mu, n->na);
  place = put(place, s->x, n->nx);
  place = put(place, s->w, n->nw);
  run->t[run->n++] = s->t;
  return trm_system_values(system, s, &(trm_values){.shown = place}, err);
}

/* Number of steps between kept samples. All steps of a cycle must be sampled: the multiplier may be
 * wrong only after the long one. So the stride has no factor in common with their number. */
static long choose_stride(const app_pattern *pattern, double span, int width) {
  const int room = NUMBERS_MAX / (width > 0 ? width : 1);
  const int most = room < SAMPLES_MIN ? SAMPLES_MIN : room > SAMPLES_MAX ? SAMPLES_MAX : room;
  double sum = 0;
  for (int i = 0; i < pattern->n; i++) sum += pattern->h[i];
  const double steps = span / sum * pattern->n;
  long stride = steps > most ? (long)ceil(steps / most) : 1;
  for (;; stride++) {
    long a = stride, b = pattern->n;
    while (b != 0) {
      const long rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1) return stride;
  }
}

static trm_status take_steps(const app_study *study, app_history *run, trm_sim *sim, double end,
                             trm_error *err) {
  const long stride = choose_stride(run->pattern, end - trm_sim_state(sim)->t, study->width);
  bool is_done = false;
  for (long step = 1; !is_done; step++) {
    trm_status status = trm_sim_step(sim, &is_done, err);
    if (status == TRM_OK && (is_done || step % stride == 0)) {
      status = keep_sample(study, run, trm_sim_system(sim), trm_sim_state(sim), err);
    }
    if (status == TRM_OK && app_interrupt_asked(NULL)) {
      status = app_fail(err, TRM_ERR_STOPPED, NULL, "stopped by the user");
    }
    if (status != TRM_OK) return status;
  }
  return TRM_OK;
}

/* A simulation of its own system, so that runs are independent. */
static trm_status open_sim(const app_study *study, const trm_options *options,
                           app_console *console, trm_system **system, trm_sim **sim,
                           trm_error *err) {
  trm_status status = app_model_create(study->options, system, err);
  if (status == TRM_OK) status = trm_sim_create(*system, options, sim, err);
  const trm_sink sink = app_console_sink(console);
  if (status == TRM_OK) status = trm_sim_add_sink(*sim, &sink, err);
  return status;
}

static trm_status run_pattern(const app_study *study, app_history *run, trm_error *err) {
  trm_options options;
  trm_status status = app_model_options(study->options, &options, err);
  memcpy(options.steps, run->pattern->h, sizeof options.steps);
  options.nsteps = run->pattern->n;
  app_model_leave_energy(&options);
  char label[40];
  snprintf(label, sizeof label, "step %.4g ", run->pattern->h[0]);
  app_console console;
  app_console_init(&console, study->options, label);
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  if (status == TRM_OK) status = open_sim(study, &options, &console, &system, &sim, err);
  if (status == TRM_OK) status = take_steps(study, run, sim, options.end, err);
  app_console_erase(&console);
  trm_sim_free(sim);
  trm_system_free(system);
  return status;
}

/* ---- comparison ------------------------------------------------------- */

/* NaN counts as the largest, so that it is not hidden. */
static void enlarge(double *largest, const double *a, const double *b, int count) {
  for (int i = 0; i < count; i++) {
    const double error = fabs(a[i] - (b != NULL ? b[i] : 0));
    if (!(error <= *largest) && !isnan(*largest)) *largest = error;
  }
}

/* Compare sample number `next` of a run with one of the reference. */
static void compare_sample(const app_study *study, app_history *run, const trm_sample *now) {
  const trm_sizes *n = &study->sizes;
  const trm_state *s = now->state;
  const double *q = run->numbers + (size_t)run->next * (size_t)study->width;
  const double *v = q + study->nq, *vd = v + n->nv, *lam = vd + n->nv, *mu = lam + n->ng;
  const double *x = mu + n->na, *w = x + n->nx;
  double *dpi = study->scratch, *q_near = study->scratch + n->nv;

  /* q_near is q with the signs of its quaternions as in the reference */
  trm_system_difference(study->system, q, s->q, dpi);
  trm_system_retract(study->system, s->q, dpi, q_near);
  for (int i = 0; i < study->nq; i++) {
    run->rms[i] += (q_near[i] - s->q[i]) * (q_near[i] - s->q[i]);
  }

  enlarge(&run->largest[APP_ERROR_POSITION], dpi, NULL, n->nv);
  enlarge(&run->largest[APP_ERROR_VELOCITY], v, s->v, n->nv);
  enlarge(&run->largest[APP_ERROR_ACCELERATION], vd, s->vd, n->nv);
  enlarge(&run->largest[APP_ERROR_MULTIPLIER], lam, s->lam, n->ng);
  enlarge(&run->largest[APP_ERROR_MULTIPLIER], mu, s->mu, n->na);
  enlarge(&run->largest[APP_ERROR_STATE], x, s->x, n->nx);
  enlarge(&run->largest[APP_ERROR_VARIABLE], w, s->w, n->nw);
  enlarge(&run->largest[APP_ERROR_VARIABLE], w + n->nw, now->shown, n->nshown);
  run->compared++;
}

static trm_status compare(void *self, const trm_sample *now, trm_error *err) {
  (void)err;
  const app_study *study = self;
  for (int i = 0; i < study->nruns; i++) {
    app_history *run = &study->runs[i];
    for (; run->next < run->n; run->next++) {
      const double late = now->state->t - run->t[run->next];
      if (late < -study->same_time) break;
      if (late <= study->same_time) compare_sample(study, run, now);
    }
  }
  return TRM_OK;
}

static void begin_comparison(app_study *study) {
  const trm_sizes *n = &study->sizes;
  const int counts[APP_ERROR_KINDS] = {
    [APP_ERROR_POSITION] = n->nv,           [APP_ERROR_VELOCITY] = n->nv,
    [APP_ERROR_ACCELERATION] = n->nv,       [APP_ERROR_MULTIPLIER] = n->ng + n->na,
    [APP_ERROR_STATE] = n->nx,              [APP_ERROR_VARIABLE] = n->nw + n->nshown,
  };
  for (int i = 0; i < study->nruns; i++) {
    app_history *run = &study->runs[i];
    run->next = run->compared = 0;
    for (int k = 0; k < APP_ERROR_KINDS; k++) run->largest[k] = counts[k] > 0 ? 0 : NAN;
    memset(run->rms, 0, (size_t)study->nq * sizeof *run->rms);
  }
}

/* A reference ended early by an event leaves samples without partner. */
static trm_status end_comparison(app_study *study, trm_error *err) {
  int missing = 0;
  for (int i = 0; i < study->nruns; i++) {
    app_history *run = &study->runs[i];
    if (run->compared == 0) {
      return app_fail(err, TRM_ERR_ORDER, NULL,
                      "the reference run ended before the first sample of step %g %s",
                      run->pattern->h[0], app_model_units(study->options).time);
    }
    missing += run->n - run->compared;
    for (int k = 0; k < study->nq; k++) run->rms[k] = sqrt(run->rms[k] / run->compared);
  }
  if (missing > 0 && !study->options->quiet) {
    char text[120];
    snprintf(text, sizeof text, "the reference run ended early: %d samples are not compared",
             missing);
    app_note(study->options, NAN, text);
  }
  return TRM_OK;
}

/* ---- reference -------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* All sample times, ascending, each once. */
static trm_status collect_times(const app_study *study, double **times, int *count,
                                trm_error *err) {
  size_t total = 0;
  for (int i = 0; i < study->nruns; i++) total += (size_t)study->runs[i].n;
  *count = 0;
  *times = malloc((total + 1) * sizeof **times);
  if (*times == NULL) return app_fail_memory(err);
  double *end = *times;
  for (int i = 0; i < study->nruns; i++) end = put(end, study->runs[i].t, study->runs[i].n);
  qsort(*times, total, sizeof **times, compare_numbers);
  for (size_t i = 0; i < total; i++) {
    if (*count == 0 || (*times)[i] > (*times)[*count - 1]) (*times)[(*count)++] = (*times)[i];
  }
  return TRM_OK;
}

static trm_status run_reference(app_study *study, const trm_options *options, trm_error *err) {
  begin_comparison(study);
  app_console console;
  app_console_init(&console, study->options, "reference ");
  const trm_sink sink = {.self = study, .sample = compare};
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  trm_status status = open_sim(study, options, &console, &system, &sim, err);
  if (status == TRM_OK) status = trm_sim_add_sink(sim, &sink, err);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  app_console_erase(&console);
  trm_sim_free(sim);
  trm_system_free(system);
  return status != TRM_OK ? status : end_comparison(study, err);
}

/* Finest step of all patterns. */
static double finest_step(const app_study *study) {
  double finest = INFINITY;
  for (int i = 0; i < study->nruns; i++) {
    const app_pattern *pattern = study->runs[i].pattern;
    for (int k = 0; k < pattern->n; k++) finest = fmin(finest, pattern->h[k]);
  }
  return finest;
}

static trm_status find_reference(app_study *study, const double *times, int ntimes,
                                 trm_error *err) {
  trm_options given;
  trm_status status = app_model_options(study->options, &given, err);
  if (status != TRM_OK) return status;
  given.outputs = 0, given.output_step = 0.0; /* of the model file */
  given.output_times = times;
  given.noutput_times = ntimes;

  trm_options best = trm_options_default();
  best.start = given.start;
  best.end = given.end;
  study->same_time = SAME_TIME * fabs(given.end);
  best.integrator = "explicit";
  best.formulation = "dop853";
  best.tolerance = REFERENCE_TOLERANCE;
  best.output_times = times;
  best.noutput_times = ntimes;
  best.should_stop = given.should_stop;
  status = run_reference(study, &best, err);
  if (status == TRM_OK || status == TRM_ERR_STOPPED) return status;

  if (!study->options->quiet) {
    char text[TRM_MESSAGE_MAX + 200];
    snprintf(text, sizeof text,
             "the reference by explicit dop853 failed (%s); the same integrator with a step %g "
             "times finer is the reference instead",
             err->message, FALLBACK_REFINEMENT);
    app_note(study->options, err->t, text);
  }
  given.steps[0] = finest_step(study) / FALLBACK_REFINEMENT;
  given.nsteps = 1;
  app_model_leave_energy(&given);
  return run_reference(study, &given, err);
}

trm_status app_study_execute(app_study *study, trm_error *err) {
  trm_status status = TRM_OK;
  for (int i = 0; i < study->nruns && status == TRM_OK; i++) {
    status = run_pattern(study, &study->runs[i], err);
  }
  double *times = NULL;
  int ntimes = 0;
  if (status == TRM_OK) status = collect_times(study, &times, &ntimes, err);
  if (status == TRM_OK) status = find_reference(study, times, ntimes, err);
  free(times);
  return status;
}
