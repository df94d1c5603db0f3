/* verify.c - keep samples of one run, compare them with those of a second one.
 *
 * Memory is bounded: when it is full, every other sample is dropped and only every other one is
 * kept from then on. A difference is called large if it is more than `limit` of the largest value:
 *   1 %, or 10000 times the tolerance where that is less                                   (1)
 * Values that are rounding next to the others, below 1e-12 of the largest, are not judged.
 *
 * Local errors explain the difference d of coordinates over their scales as long as
 *   d <= 5 sum, seldom 30 sum (error_sum.c)                                                (2)
 * Where they do not, up to three runs from other starts show whether the motion is unstable
 * (verify_growth.c). They are pushed by as much as should change the motion by `limit`,
 *   sum min(1, limit size/d)                                                               (3)
 * so that differences are neither as large as the motion nor lost in errors. */
#include "verify.h"
#include "console.h"
#include "interrupt.h"
#include "load_model.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 1 << 22, SAMPLES_MIN = 128, SHOWN_MAX = 12, PUSHES = 3 };
static const double EXPECTED = 0.01, TOLERANCES = 1e4, NOISE = 1e-12; /* (1) */
static const double SUMS = 5.0, SUMS_MOST = 30.0;                     /* (2), error_sum.c */
static const double GROWN = 3.0; /* of a free body: 1; a push is shared out by constraints */
static const double PUSH_MIN = 1e-9; /* of scales; where nothing is known of local errors */
static const double TOLERANCE_PART = 0.1, STEP_PART = 0.5, TOLERANCE_MIN = 1e-15;

trm_status app_verify_init(app_verify *verify, const trm_system *system,
                           const trm_options *first, trm_error *err) {
  *verify = (app_verify){.stride = 1, .tolerance = NAN, .step = NAN, .end = NAN, .last_t = NAN};
  if (first->nsteps == 0 && TOLERANCE_PART * first->tolerance < TOLERANCE_MIN) {
    return app_fail(err, TRM_ERR_INPUT, "--verify", "a tenth of the tolerance %.3g is below %.3g",
                    first->tolerance, TOLERANCE_MIN);
  }
  verify->noutputs = trm_system_count(system, TRM_OUTPUT);
  verify->nvalues = verify->noutputs + trm_system_count(system, TRM_Q);
  const size_t n = (size_t)verify->nvalues + 1;
  const size_t fitting = NUMBERS_MAX / n / 2 * 2;
  verify->capacity = fitting > SAMPLES_MIN ? (long)fitting : SAMPLES_MIN;
  const size_t samples = (size_t)verify->capacity + 1;
  verify->nv = trm_system_count(system, TRM_V);
  verify->system = system;
  verify->motion = (app_verify_motion){.index = -1, .t = NAN, .from = NAN, .growth = NAN};
  verify->scale = calloc((size_t)verify->nv + 1, sizeof *verify->scale);
  verify->moved = calloc((size_t)verify->nv + 1, sizeof *verify->moved);
  verify->apart = calloc(samples, sizeof *verify->apart);
  verify->values = calloc(n, sizeof *verify->values);
  verify->last = calloc(n, sizeof *verify->last);
  verify->times = calloc(samples, sizeof *verify->times);
  verify->kept = calloc(samples * n, sizeof *verify->kept);
  if (verify->values == NULL || verify->last == NULL || verify->times == NULL ||
      verify->kept == NULL || verify->scale == NULL || verify->moved == NULL ||
      verify->apart == NULL) {
    return app_fail_memory(err);
  }
  for (int i = 0; i < verify->nvalues; i++) verify->values[i].t = verify->values[i].from = NAN;
  for (int i = 0; i < verify->nv; i++) {
    trm_label label;
    trm_system_label(system, TRM_V, i, &label);
    verify->scale[i] = label.scale;
  }
  return TRM_OK;
}

void app_verify_free(app_verify *verify) {
  free(verify->values);
  free(verify->last);
  free(verify->times);
  free(verify->kept);
  free(verify->scale);
  free(verify->moved);
  free(verify->apart);
  app_growth_free(&verify->growth);
  *verify = (app_verify){0};
}

/* ---- first run --------------------------------------------------------------------- */

static double *row_of(const app_verify *verify, long sample) {
  return verify->kept + sample * verify->nvalues;
}

static void gather(const app_verify *verify, const trm_sample *now, double *values) {
  const int n = verify->noutputs, nq = verify->nvalues - n;
  if (n > 0) memcpy(values, now->outputs, (size_t)n * sizeof *values);
  if (nq > 0) memcpy(values + n, now->state->q, (size_t)nq * sizeof *values);
}

static void keep_last(app_verify *verify) {
  verify->times[verify->count] = verify->last_t;
  memcpy(row_of(verify, verify->count), verify->last, (size_t)verify->nvalues * sizeof(double));
  verify->count++;
}

/* Every other one goes. */
static void thin(app_verify *verify) {
  const size_t bytes = (size_t)verify->nvalues * sizeof(double);
  verify->count /= 2;
  for (long i = 1; i < verify->count; i++) {
    verify->times[i] = verify->times[2 * i];
    memcpy(row_of(verify, i), row_of(verify, 2 * i), bytes);
  }
  verify->stride *= 2;
}

static trm_status keep(void *self, const trm_sample *now, trm_error *err) {
  (void)err;
  app_verify *verify = self;
  if (verify->seen > 0 && !(now->state->t > verify->last_t)) return TRM_OK;
  verify->last_t = now->state->t;
  gather(verify, now, verify->last);
  for (int i = 0; i < verify->nvalues; i++) {
    verify->values[i].size = fmax(verify->values[i].size, fabs(verify->last[i]));
  }
  if (verify->count == verify->capacity) thin(verify);
  if (verify->seen++ % verify->stride == 0) keep_last(verify);
  return TRM_OK;
}

trm_sink app_verify_sink(app_verify *verify) {
  return (trm_sink){.self = verify, .sample = keep};
}

/* ---- the other runs ------------------------------------------------------------------- */

/* Largest part of the increment from one configuration to another, over the scales. */
static double distance(app_verify *verify, const double *q1, const double *q0, int *at) {
  double most = 0.0;
  trm_system_difference(verify->system, q1, q0, verify->moved);
  for (int i = 0; i < verify->nv; i++) {
    const double part = fabs(verify->moved[i]) / verify->scale[i];
    if (part > most) most = part, *at = i;
  }
  return most;
}

/* The second run at a sample, whose configuration takes the place of that of the first. */
static void compare_motion(app_verify *verify, double *first, const double *q, double t) {
  app_verify_motion *motion = &verify->motion;
  int at = -1;
  if (verify->nv == 0) return;
  motion->size = fmax(motion->size, distance(verify, q, row_of(verify, 0) + verify->noutputs, &at));
  const double error = distance(verify, q, first, &at);
  if (error > motion->error) {
    motion->error = error;
    motion->index = at;
    motion->t = t;
  }
  verify->apart[verify->compared] = error;
  memcpy(first, q, (size_t)trm_system_count(verify->system, TRM_Q) * sizeof *first);
}

/* A run from another start at a sample. */
static void compare_growth(app_verify *verify, const double *second, const double *q) {
  app_verify_motion *motion = &verify->motion;
  int at = -1;
  motion->farthest = fmax(motion->farthest, distance(verify, q, second, &at));
}

static trm_status compare(void *self, const trm_sample *now, trm_error *err) {
  (void)err;
  app_verify *verify = self;
  if (verify->compared == verify->count) return TRM_OK;
  double *first = row_of(verify, verify->compared);
  if (verify->is_pushed) {
    compare_growth(verify, first + verify->noutputs, now->state->q);
    verify->compared++;
    return TRM_OK;
  }
  const double t = verify->times[verify->compared];
  gather(verify, now, verify->last);
  for (int i = 0; i < verify->nvalues; i++) {
    app_verify_value *value = &verify->values[i];
    const double error = fabs(verify->last[i] - first[i]);
    if (isnan(value->t) || error > value->error) {
      value->error = error;
      value->t = t;
    }
    if (isnan(value->from) && error > verify->limit * value->size) value->from = t;
  }
  compare_motion(verify, first + verify->noutputs, now->state->q, t);
  verify->compared++;
  return TRM_OK;
}

/* The options of the second run. */
static void tighten(app_verify *verify, const trm_options *first, trm_options *second) {
  *second = *first;
  second->outputs = 0;
  second->output_step = 0.0;
  second->output_times = verify->times;
  second->noutput_times = (int)verify->count;
  if (second->newton_tolerance > 0.0) second->newton_tolerance *= TOLERANCE_PART;
  verify->limit = EXPECTED;
  if (first->nsteps > 0) {
    for (int i = 0; i < first->nsteps; i++) second->steps[i] *= STEP_PART;
    verify->step = second->steps[0];
  } else {
    second->tolerance = verify->tolerance = TOLERANCE_PART * first->tolerance;
    verify->limit = fmin(EXPECTED, TOLERANCES * first->tolerance);
  }
}

static void judge(app_verify *verify) {
  double largest = 0.0;
  for (int i = 0; i < verify->nvalues; i++) largest = fmax(largest, verify->values[i].size);
  for (int i = 0; i < verify->nvalues; i++) {
    app_verify_value *value = &verify->values[i];
    const bool is_noise = fmax(value->size, value->error) <= NOISE * largest;
    value->is_large = !is_noise && !(value->error <= verify->limit * value->size);
  }
}

/* The start of the second run is kept, that of the third one measured. */
static trm_status note_start(app_verify *verify, const trm_sim *sim, const trm_options *options,
                             trm_error *err) {
  const trm_state *start = trm_sim_state(sim);
  if (!verify->is_pushed) {
    return app_growth_keep(&verify->growth, verify->system, start, options->end - start->t, err);
  }
  app_growth_measure(&verify->growth, start, verify->scale);
  return TRM_OK;
}

static trm_status run_again(app_verify *verify, const app_options *options,
                            const trm_options *second, trm_error *err) {
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  app_console console;
  app_console_init(&console, options, "verify ");
  trm_sink progress = app_console_sink(&console);
  progress.message = NULL; /* the notes of the first run are enough */
  const trm_sink sink = {.self = verify, .sample = compare};
  trm_status status = app_model_create(options, &system, err);
  if (status == TRM_OK) status = trm_sim_create(system, second, &sim, err);
  if (status == TRM_OK) status = note_start(verify, sim, second, err);
  if (status == TRM_OK) status = app_model_set_inputs(options, sim, err);
  if (status == TRM_OK) status = trm_sim_add_sink(sim, &sink, err);
  if (status == TRM_OK) status = trm_sim_add_sink(sim, &progress, err);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  app_console_erase(&console);
  if (sim != NULL && !verify->is_pushed) {
    verify->steps = trm_sim_counters(sim)->steps;
    verify->end = trm_sim_state(sim)->t;
  }
  trm_sim_free(sim);
  trm_system_free(system);
  return status;
}

/* When coordinates begin to differ by more than is expected. */
static void find_first(app_verify *verify) {
  app_verify_motion *motion = &verify->motion;
  for (long i = verify->compared; i-- > 0;) {
    if (verify->apart[i] > verify->limit * motion->size) motion->from = verify->times[i];
  }
}

/* More than local errors explain, and than is expected? */
static bool is_far(const app_verify *verify) {
  const app_verify_motion *motion = &verify->motion;
  return motion->error > SUMS * motion->sum && motion->error > verify->limit * motion->size;
}

/* Does the growth of a change of the start explain what local errors alone do not? */
static bool is_explained(const app_verify *verify, double sums) {
  const app_verify_motion *motion = &verify->motion;
  return motion->growth > GROWN && motion->error <= sums * motion->growth * motion->sum;
}

/* One more run, with the options of the second, from a start that is a little different. */
static trm_status run_pushed(app_verify *verify, const app_options *options,
                             const trm_options *second, int number, trm_error *err) {
  const app_verify_motion *motion = &verify->motion;
  const double part = fmin(1.0, verify->limit * motion->size / motion->error); /* (3) */
  trm_options other = *second;
  app_growth_push(&verify->growth, number, verify->scale, fmax(part * motion->sum, PUSH_MIN));
  other.from = &verify->growth.from;
  verify->compared = 0;
  verify->motion.farthest = 0.0;
  return run_again(verify, options, &other, err);
}

/* The largest growth in some directions: any of them may lie across that of the instability. */
static trm_status find_growth(app_verify *verify, const app_options *options,
                              const trm_options *second, trm_error *err) {
  app_verify_motion *motion = &verify->motion;
  const long compared = verify->compared;
  trm_status status = TRM_OK;
  if (!is_far(verify) || verify->failure.status != TRM_OK) return TRM_OK;
  verify->is_pushed = true;
  for (int k = 0; k < PUSHES && status == TRM_OK && !is_explained(verify, SUMS); k++) {
    trm_error own = {.status = TRM_OK};
    status = run_pushed(verify, options, second, k, &own);
    const double pushed = verify->growth.pushed;
    if (status == TRM_ERR_STOPPED || status == TRM_ERR_MEMORY) *err = own;
    else if (status == TRM_OK && verify->compared == compared && pushed > 0.0)
      motion->growth = fmax(motion->growth, motion->farthest / pushed);
  }
  verify->compared = compared;
  return status == TRM_ERR_STOPPED || status == TRM_ERR_MEMORY ? status : TRM_OK;
}

trm_status app_verify_run(app_verify *verify, const app_options *options,
                          const trm_options *first, const trm_sim *done, trm_error *err) {
  trm_options second;
  if (verify->count > 0 && verify->times[verify->count - 1] < verify->last_t) keep_last(verify);
  tighten(verify, first, &second);
  verify->motion.sum = trm_sim_counters(done)->errors.sum;
  trm_error own = {.status = TRM_OK};
  const trm_status status = run_again(verify, options, &second, &own);
  if (status == TRM_ERR_STOPPED || status == TRM_ERR_MEMORY) {
    *err = own;
    return status;
  }
  verify->failure = own;
  verify->failure.status = status;
  judge(verify);
  find_first(verify);
  return find_growth(verify, options, &second, err);
}

/* ---- words --------------------------------------------------------------------------- */

static void label_of(const app_verify *verify, const trm_system *system, int i, trm_label *label) {
  const bool is_output = i < verify->noutputs;
  trm_system_label(system, is_output ? TRM_OUTPUT : TRM_Q, is_output ? i : i - verify->noutputs,
                   label);
}

/* Outputs are what the user asks for; without any the coordinates are judged. */
static int count_judged(const app_verify *verify) {
  return verify->noutputs > 0 ? verify->noutputs : verify->nvalues;
}

static bool is_short(const app_verify *verify) {
  return verify->failure.status == TRM_OK && verify->compared < verify->count;
}

/* Of the second run. */
static const char *finer(const app_verify *verify) {
  return isnan(verify->step) ? "a tenth of the tolerance" : "half of the step";
}

/* What is known of the motion as a whole where a third run was needed. */
static bool motion_sentence(const app_verify *verify, const trm_system *system, char *text,
                            size_t size) {
  const app_verify_motion *motion = &verify->motion;
  const char *unit = trm_system_units(system)->time;
  const bool is_unstable = is_explained(verify, SUMS_MOST);
  if (isnan(motion->growth)) return false;
  if (!is_unstable && motion->error <= SUMS_MOST * fmax(1.0, motion->growth) * motion->sum) {
    return false; /* the tolerance is loose */
  }
  trm_label label;
  trm_system_label(system, TRM_V, motion->index, &label);
  int used = snprintf(text, size, "local errors add up to %.2g of the scale, but %s moves by %.2g "
                      "at t = %.6g %s with %s: ", motion->sum, label.object, motion->error,
                      motion->t, unit, finer(verify));
  text += used, size -= (size_t)used;
  if (is_unstable) {
    snprintf(text, size, "the motion is unstable, it magnifies a change of its start %.3g times, "
             "and what depends on this is not to be trusted from t = %.6g %s on", motion->growth,
             motion->from, unit);
  } else {
    snprintf(text, size, "the motion magnifies a change of its start only %.3g times, so look for "
             "branches, jumps, short pulses and friction that breaks away from t = %.6g %s on",
             motion->growth, motion->from, unit);
  }
  return true;
}

bool app_verify_sentence(const app_verify *verify, const trm_system *system, int number,
                         char *text, size_t size) {
  const char *unit = trm_system_units(system)->time;
  if (verify->failure.status != TRM_OK && number-- == 0) {
    snprintf(text, size, "the second run failed at t = %.6g %s, nothing is known from there on: %s",
             verify->end, unit, verify->failure.message);
    return true;
  }
  if (is_short(verify) && number-- == 0) {
    snprintf(text, size, "the second run ends at t = %.9g %s, the first one at t = %.9g %s",
             verify->end, unit, verify->times[verify->count - 1], unit);
    return true;
  }
  for (int i = 0; i < count_judged(verify); i++) {
    const app_verify_value *value = &verify->values[i];
    if (!value->is_large || number-- > 0) continue;
    trm_label label;
    label_of(verify, system, i, &label);
    int used = snprintf(text, size, "'%s' changes by %.3g at t = %.6g %s with %s, %.2g %% of its "
                        "largest value", label.name, value->error, value->t, unit, finer(verify),
                        100.0 * value->error / fmax(value->size, value->error));
    text += used, size -= (size_t)used;
    if (value->from < value->t) {
      used = snprintf(text, size, ", and by more than %.2g %% from t = %.6g %s on",
                      100.0 * verify->limit, value->from, unit);
      text += used, size -= (size_t)used;
    }
    if (is_explained(verify, SUMS_MOST)) {
      snprintf(text, size, ": the motion is unstable, see below");
    } else {
      snprintf(text, size, ": trust no more digits than that; if a %s does not help, the motion "
               "is chaotic, branches, or jumps there",
               isnan(verify->step) ? "tighter tolerance" : "smaller step");
    }
    return true;
  }
  return number == 0 && motion_sentence(verify, system, text, size);
}

static json_t *values_object(const app_verify *verify, const trm_system *system, int from,
                             int to) {
  json_t *object = json_object();
  for (int i = from; i < to; i++) {
    const app_verify_value *value = &verify->values[i];
    trm_label label;
    label_of(verify, system, i, &label);
    json_t *entry = json_object();
    app_json_put(entry, "error", app_json_number(isnan(value->t) ? NAN : value->error));
    app_json_put(entry, "time", app_json_number(value->t));
    app_json_put(entry, "from", app_json_number(value->from));
    app_json_put(entry, "size", app_json_number(value->size));
    app_json_put(object, label.name, entry);
  }
  return object;
}

static json_t *motion_object(const app_verify *verify, const trm_system *system) {
  const app_verify_motion *motion = &verify->motion;
  json_t *object = json_object();
  trm_label label = {0};
  if (motion->index >= 0) trm_system_label(system, TRM_V, motion->index, &label);
  app_json_put(object, "errors", app_json_number(motion->sum));
  app_json_put(object, "error", app_json_number(motion->error));
  app_json_put(object, "time", app_json_number(motion->t));
  app_json_put(object, "most", motion->index < 0 ? json_null() : json_string(label.name));
  app_json_put(object, "from", app_json_number(motion->from));
  app_json_put(object, "growth", app_json_number(motion->growth));
  return object;
}

json_t *app_verify_json(const app_verify *verify, const trm_system *system) {
  json_t *root = json_object(), *sentences = json_array();
  const bool is_good = verify->failure.status == TRM_OK;
  app_json_put(root, "status", json_string(is_good ? "ok" : "error"));
  app_json_put(root, "tolerance", app_json_number(verify->tolerance));
  app_json_put(root, "step", app_json_number(verify->step));
  app_json_put(root, "steps", json_integer(verify->steps));
  app_json_put(root, "samples", json_integer(verify->compared));
  app_json_put(root, "outputs", values_object(verify, system, 0, verify->noutputs));
  app_json_put(root, "coordinates",
               values_object(verify, system, verify->noutputs, verify->nvalues));
  app_json_put(root, "motion", motion_object(verify, system));
  app_json_put(root, "warnings", sentences);
  char text[TRM_MESSAGE_MAX + 200];
  for (int i = 0; app_verify_sentence(verify, system, i, text, sizeof text); i++) {
    json_array_append_new(sentences, app_json_text(text));
  }
  return root;
}

void app_verify_print(const app_verify *verify, const trm_system *system) {
  const char *unit = trm_system_units(system)->time;
  printf("  %-12s against ", "verify");
  if (isnan(verify->step)) {
    printf("tolerance %.3g", verify->tolerance);
  } else {
    printf("step %.3g %s", verify->step, unit);
  }
  printf(", %ld steps, at %ld samples: largest difference\n", verify->steps, verify->compared);
  const int count = count_judged(verify), shown = count < SHOWN_MAX ? count : SHOWN_MAX;
  for (int i = 0; i < shown; i++) {
    const app_verify_value *value = &verify->values[i];
    trm_label label;
    label_of(verify, system, i, &label);
    printf("  %-12s %-20s %20.3g  at t = %.6g %s, of at most %.3g\n", "", label.name, value->error,
           value->t, unit, value->size);
  }
  if (count > shown) printf("  %-12s .. and %d more, see --json\n", "", count - shown);
}
