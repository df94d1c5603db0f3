/* run_explain.c - passes the steps and events of a file to an explanation, and measures motions. */
#include "analysis/explain.h"
#include "integ/integrator.h"
#include "io/run_read_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps and numbers held at a time; rows are read in whole chunks of a file. */
enum { STEP_BLOCK = 4096, NUMBERS = 1 << 20, CHUNK_ROWS = 256, OTHERS_MAX = 64 };

/* ---- signals ---------------------------------------------------------------------- */

static int group_size(const trm_run *run, trm_signal_group group) {
  int count = 0;
  for (int i = 0; i < trm_run_info_of(run)->nsignals; i++) {
    if (trm_run_signal(run, i)->group == group) count++;
  }
  return count;
}

/* The signal in a column of a group, or -1. */
static int signal_at(const trm_run *run, trm_signal_group group, int column) {
  for (int i = 0; i < trm_run_info_of(run)->nsignals; i++) {
    const trm_signal *signal = trm_run_signal(run, i);
    if (signal->group == group && signal->column == column) return i;
  }
  return -1;
}

/* Without rotations there is one coordinate for each velocity. */
static bool has_positions(const trm_run *run) {
  return group_size(run, TRM_GROUP_COORDINATES) == group_size(run, TRM_GROUP_VELOCITIES);
}

void trm_run_unknown(const trm_run *run, trm_quantity list, int index, trm_label *label) {
  if (run == NULL || label == NULL) return;
  trm_run_label(run, list, index, label);
  if (list != TRM_V || !has_positions(run)) return;
  const int signal = signal_at(run, TRM_GROUP_COORDINATES, index);
  if (signal >= 0) memcpy(label->name, trm_run_signal(run, signal)->label, sizeof label->name);
}

static void label_of(void *self, trm_quantity list, int index, trm_label *label) {
  trm_run_unknown(self, list, index, label);
}

/* ---- motions ---------------------------------------------------------------------- */

/* Samples read at a time. */
static long block_rows(const trm_run_info *info) {
  const long rows = NUMBERS / info->nsignals;
  if (rows >= info->nsamples) return info->nsamples;
  return rows >= CHUNK_ROWS ? rows / CHUNK_ROWS * CHUNK_ROWS : rows >= 16 ? rows / 16 * 16 : 16;
}

/* Range, mean and size of some numbers. */
typedef struct spread {
  double low, high, sum, squares;
  long   n;
} spread;

static void count_number(spread *s, double number) {
  if (!isfinite(number)) return;
  s->low = fmin(s->low, number);
  s->high = fmax(s->high, number);
  s->sum += number;
  s->squares += number * number;
  s->n++;
}

/* Root of the mean square around the mean; NaN without numbers. */
static double deviation(const spread *s) {
  const double mean = s->sum / (double)s->n;
  return sqrt(fmax(0.0, s->squares / (double)s->n - mean * mean));
}

/* An unknown whose motion is measured by three signals: position, rate, second rate. */
typedef struct watched {
  trm_quantity list;
  int          index;
  int          signals[3]; /* -1: there is none */
  spread       spreads[3];
} watched;

static watched watch(const trm_run *run, trm_quantity list, int index) {
  const bool is_state = list == TRM_X;
  watched w = {.list = list, .index = index};
  w.signals[1] = signal_at(run, is_state ? TRM_GROUP_STATES : TRM_GROUP_VELOCITIES, index);
  w.signals[2] = signal_at(run, is_state ? TRM_GROUP_STATE_RATES : TRM_GROUP_ACCELERATIONS, index);
  w.signals[0] = is_state             ? w.signals[1]
                 : has_positions(run) ? signal_at(run, TRM_GROUP_COORDINATES, index)
                                      : -1;
  for (int k = 0; k < 3; k++) w.spreads[k] = (spread){.low = INFINITY, .high = -INFINITY};
  return w;
}

/* All signals of all unknowns in one pass over the samples. */
static trm_status measure(trm_run *run, watched *list, int count, double *block,
                          trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  const long most = block_rows(info);
  for (long first = 0; first < info->nsamples; first += most) {
    const long rows = info->nsamples - first < most ? info->nsamples - first : most;
    TRMI_TRY(err, trm_run_read_block(run, 0, info->nsignals, first, rows, block, err));
    for (int i = 0; i < 3 * count; i++) {
      const int signal = list[i / 3].signals[i % 3];
      for (long row = 0; row < rows && signal >= 0; row++) {
        count_number(&list[i / 3].spreads[i % 3], block[row * info->nsignals + signal]);
      }
    }
  }
  return TRM_OK;
}

/* Half of the range, frequency and scale of an unknown. The frequency comes from
 * derivatives in the file: so it is found even from widely spaced samples. */
static trmi_unknown_motion motion_from(const trm_run *run, const watched *w) {
  const spread *p = &w->spreads[0], *r = &w->spreads[1], *c = &w->spreads[2];
  trm_label label;
  trm_run_label(run, w->list, w->index, &label);
  const double omega = deviation(c) / deviation(r);
  return (trmi_unknown_motion){
    .omega = omega > 0.0 ? omega : NAN, .usual = NAN, .usual_omega = NAN,
    .scale = label.scale > 0.0 ? label.scale : 1.0,
    .amplitude = p->n > 0 ? 0.5 * (p->high - p->low) : sqrt(2.0) * deviation(r) / omega};
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* NaN if there are none. */
static double median(double *numbers, size_t count) {
  if (count > 0) qsort(numbers, count, sizeof *numbers, ascending);
  return count > 0 ? numbers[count / 2] : NAN;
}

/* The unknown first, then some others. Returns their number. */
static int watch_all(const trm_run *run, trm_quantity list, int index, watched *all) {
  const int nv = group_size(run, TRM_GROUP_VELOCITIES), n = nv + group_size(run, TRM_GROUP_STATES);
  const int stride = n / OTHERS_MAX + 1;
  int count = 0;
  all[count++] = watch(run, list, index);
  for (int i = 0; i < n && i < OTHERS_MAX * stride; i += stride) {
    const trm_quantity other = i < nv ? TRM_V : TRM_X;
    const int place = i < nv ? i : i - nv;
    if (other != list || place != index) all[count++] = watch(run, other, place);
  }
  return count;
}

static trm_status motion_of(void *self, trm_quantity list, int index, trmi_unknown_motion *m,
                            trm_error *err) {
  trm_run *run = self;
  if (list != TRM_V && list != TRM_X) return TRM_OK;
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  const trm_run_info *info = trm_run_info_of(run);
  watched *all = TRMI_TAKE(&arena, watched, OTHERS_MAX + 1);
  double *block = TRMI_TAKE(&arena, double, block_rows(info) * info->nsignals);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) {
    const int count = watch_all(run, list, index, all);
    status = measure(run, all, count, block, err);
    *m = motion_from(run, &all[0]);
    double moved[OTHERS_MAX], omega[OTHERS_MAX]; /* medians of the others */
    size_t nmoved = 0, nomega = 0;
    for (int i = 1; i < count; i++) {
      const trmi_unknown_motion other = motion_from(run, &all[i]);
      if (isfinite(other.amplitude)) moved[nmoved++] = other.amplitude / other.scale;
      if (isfinite(other.omega)) omega[nomega++] = other.omega;
    }
    m->usual = median(moved, nmoved);
    m->usual_omega = median(omega, nomega);
  }
  trmi_arena_clear(&arena);
  return status;
}

/* ---- the run ---------------------------------------------------------------------- */

static double option_number(const trm_run_info *info, const char *name, double fallback) {
  for (int i = 0; i < info->noptions; i++) {
    if (strcmp(info->options[i].name, name) == 0) return strtod(info->options[i].value, NULL);
  }
  return fallback;
}

static trm_status read_messages(trm_run *run, trmi_explain_run *about, trm_error *err) {
  for (long i = 0; i < trm_run_info_of(run)->nmessages; i++) {
    trm_run_message message;
    TRMI_TRY(err, trm_run_read_messages(run, i, 1, &message, err));
    if (strstr(message.text, TRMI_NOTE_STIFF) != NULL) about->said_stiff = true;
    if (strstr(message.text, TRMI_NOTE_ORDER_HELD) == NULL) continue;
    snprintf(about->said_hold, sizeof about->said_hold, "%s", message.text);
  }
  return TRM_OK;
}

static trm_status describe(trm_run *run, trmi_explain_run *about, trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  *about = (trmi_explain_run){
    .integrator = info->integrator, .formulation = info->formulation,
    .time_unit = trm_run_signal(run, 0)->unit,
    .seconds = info->seconds,
    .tolerance = info->tolerance, .self = run, .label = label_of, .motion = motion_of,
    .step_max = option_number(info, "step-max", 0.0),
    .max_order = (int)fmax(0.0, fmin(1e6, option_number(info, "max-order", 0.0))),
    .max_iterations = (int)fmin(1e6, option_number(info, "max-iterations", 10.0)),
  };
  if (info->nsteps > 0) {
    trm_step_record first, last;
    TRMI_TRY(err, trm_run_read_steps(run, 0, 1, &first, err));
    TRMI_TRY(err, trm_run_read_steps(run, info->nsteps - 1, 1, &last, err));
    about->from = first.t;
    about->to = last.t + (last.accepted ? last.h : 0.0);
  }
  TRMI_TRY(err, read_messages(run, about, err));
  return TRM_OK;
}

static long smaller(long a, long b) {
  return a < b ? a : b;
}

/* Every step and every event once, in blocks. */
static trm_status feed(trm_run *run, trmi_explain *explain, trmi_arena *arena, trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  trm_step_record *steps = TRMI_TAKE(arena, trm_step_record, smaller(info->nsteps, STEP_BLOCK));
  trm_run_event *events = TRMI_TAKE(arena, trm_run_event, smaller(info->nevents, STEP_BLOCK));
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (long first = 0; first < info->nsteps; first += STEP_BLOCK) {
    const long count = smaller(info->nsteps - first, STEP_BLOCK);
    TRMI_TRY(err, trm_run_read_steps(run, first, count, steps, err));
    for (long i = 0; i < count; i++) TRMI_TRY(err, trmi_explain_step(explain, &steps[i], err));
  }
  for (long first = 0; first < info->nevents; first += STEP_BLOCK) {
    const long count = smaller(info->nevents - first, STEP_BLOCK);
    TRMI_TRY(err, trm_run_read_events(run, first, count, events, err));
    for (long i = 0; i < count; i++) {
      TRMI_TRY(err, trmi_explain_event(explain, events[i].t, events[i].index, err));
    }
  }
  return TRM_OK;
}

trm_status trm_run_explain(trm_run *run, const trm_explanation **explanation, trm_error *err) {
  TRMI_NEED(err, run, explanation);
  *explanation = run->explanation;
  if (run->explanation != NULL) return TRM_OK;
  trmi_explain_run about;
  TRMI_TRY(err, describe(run, &about, err));
  trmi_explain *explain;
  TRMI_TRY(err, trmi_explain_create(&run->arena, &about, &explain, err));
  TRMI_TRY(err, feed(run, explain, &run->arena, err));
  TRMI_TRY(err, trmi_explain_finish(explain, &run->explanation, err));
  *explanation = run->explanation;
  return TRM_OK;
}
