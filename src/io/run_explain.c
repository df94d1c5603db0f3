/* run_explain.c - feed the steps and events of a file to an explanation, measure motions. */
#include "io/run_explain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, OTHERS_MAX = 64 };

/* ---- signals ---------------------------------------------------------------------- */

static int group_size(const trmi_run *run, trmi_group group) {
  int count = 0;
  for (int i = 0; i < trmi_run_info_of(run)->nsignals; i++) {
    if (trmi_run_signal(run, i)->group == group) count++;
  }
  return count;
}

/* The signal in a column of a group, or -1. */
static int signal_at(const trmi_run *run, trmi_group group, int column) {
  for (int i = 0; i < trmi_run_info_of(run)->nsignals; i++) {
    const trmi_signal *signal = trmi_run_signal(run, i);
    if (signal->group == group && signal->column == column) return i;
  }
  return -1;
}

/* Without rotations there is one coordinate for each velocity. */
static bool has_positions(const trmi_run *run) {
  return group_size(run, TRMI_COORDINATES) == group_size(run, TRMI_VELOCITIES);
}

void trmi_run_unknown(const trmi_run *run, trm_quantity list, int index, trm_label *label) {
  trmi_run_label(run, list, index, label);
  if (list != TRM_V || !has_positions(run)) return;
  const int signal = signal_at(run, TRMI_COORDINATES, index);
  if (signal >= 0) memcpy(label->name, trmi_run_signal(run, signal)->label, sizeof label->name);
}

static void label_of(void *self, trm_quantity list, int index, trm_label *label) {
  trmi_run_unknown(self, list, index, label);
}

/* ---- motions ---------------------------------------------------------------------- */

/* Range, mean and size of some numbers. */
typedef struct spread {
  double low, high, sum, squares;
  long   n;
} spread;

static trm_status measure(trmi_run *run, int signal, spread *s, trm_error *err) {
  *s = (spread){.low = INFINITY, .high = -INFINITY};
  const long n = trmi_run_info_of(run)->nsamples;
  double block[BLOCK];
  for (long first = 0; signal >= 0 && first < n; first += BLOCK) {
    const long count = n - first < BLOCK ? n - first : BLOCK;
    TRMI_TRY(err, trmi_run_read_range(run, signal, first, count, block, err));
    for (long i = 0; i < count; i++) {
      if (!isfinite(block[i])) continue;
      s->low = fmin(s->low, block[i]);
      s->high = fmax(s->high, block[i]);
      s->sum += block[i];
      s->squares += block[i] * block[i];
      s->n++;
    }
  }
  return TRM_OK;
}

/* Root of the mean square around the mean; NaN without numbers. */
static double deviation(const spread *s) {
  const double mean = s->sum / (double)s->n;
  return sqrt(fmax(0.0, s->squares / (double)s->n - mean * mean));
}

/* Half of the range, frequency and scale of an unknown. The frequency comes from
 * derivatives that stand in the file: also samples far apart show it. */
static trm_status measure_motion(trmi_run *run, trm_quantity list, int index, trmi_motion *m,
                                 trm_error *err) {
  const bool is_state = list == TRM_X;
  const int rate = signal_at(run, is_state ? TRMI_STATES : TRMI_VELOCITIES, index);
  const int change = signal_at(run, is_state ? TRMI_STATE_RATES : TRMI_ACCELERATIONS, index);
  const int position = is_state             ? rate
                       : has_positions(run) ? signal_at(run, TRMI_COORDINATES, index)
                                            : -1;
  spread p, r, c;
  TRMI_TRY(err, measure(run, position, &p, err));
  TRMI_TRY(err, measure(run, rate, &r, err));
  TRMI_TRY(err, measure(run, change, &c, err));
  trm_label label;
  trmi_run_label(run, list, index, &label);
  const double omega = deviation(&c) / deviation(&r);
  *m = (trmi_motion){.omega = omega > 0.0 ? omega : NAN, .usual = NAN, .usual_omega = NAN,
                     .scale = label.scale > 0.0 ? label.scale : 1.0};
  m->amplitude = p.n > 0 ? 0.5 * (p.high - p.low) : sqrt(2.0) * deviation(&r) / omega;
  return TRM_OK;
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

/* Medians over some other unknowns. */
static trm_status usual_motion(trmi_run *run, trm_quantity list, int index, trmi_motion *motion,
                               trm_error *err) {
  const int nv = group_size(run, TRMI_VELOCITIES), n = nv + group_size(run, TRMI_STATES);
  const int stride = n / OTHERS_MAX + 1;
  double moved[OTHERS_MAX], omega[OTHERS_MAX];
  size_t nmoved = 0, nomega = 0;
  for (int i = 0; i < n && i < OTHERS_MAX * stride; i += stride) {
    const trm_quantity other = i < nv ? TRM_V : TRM_X;
    const int place = i < nv ? i : i - nv;
    if (other == list && place == index) continue;
    trmi_motion m = {.amplitude = NAN};
    TRMI_TRY(err, measure_motion(run, other, place, &m, err));
    if (isfinite(m.amplitude)) moved[nmoved++] = m.amplitude / m.scale;
    if (isfinite(m.omega)) omega[nomega++] = m.omega;
  }
  motion->usual = median(moved, nmoved);
  motion->usual_omega = median(omega, nomega);
  return TRM_OK;
}

static trm_status motion_of(void *self, trm_quantity list, int index, trmi_motion *m,
                            trm_error *err) {
  trmi_run *run = self;
  if (list != TRM_V && list != TRM_X) return TRM_OK;
  TRMI_TRY(err, measure_motion(run, list, index, m, err));
  TRMI_TRY(err, usual_motion(run, list, index, m, err));
  return TRM_OK;
}

/* ---- the run ---------------------------------------------------------------------- */

static double option_number(const trmi_run_info *info, const char *name, double fallback) {
  for (int i = 0; i < info->noptions; i++) {
    if (strcmp(info->options[i].name, name) == 0) return strtod(info->options[i].value, NULL);
  }
  return fallback;
}

static trm_status read_messages(trmi_run *run, bool *said_stiff, trm_error *err) {
  for (long i = 0; i < trmi_run_info_of(run)->nmessages; i++) {
    trmi_run_message message;
    TRMI_TRY(err, trmi_run_read_messages(run, i, 1, &message, err));
    if (strstr(message.text, "is stiff") != NULL) *said_stiff = true;
  }
  return TRM_OK;
}

static trm_status describe(trmi_run *run, trmi_explain_run *about, trm_error *err) {
  const trmi_run_info *info = trmi_run_info_of(run);
  *about = (trmi_explain_run){
    .integrator = info->integrator, .formulation = info->formulation,
    .time_unit = trmi_run_signal(run, 0)->unit,
    .seconds = trmi_unit_seconds(trmi_run_signal(run, 0)->unit),
    .tolerance = info->tolerance, .self = run, .label = label_of, .motion = motion_of,
    .step_max = option_number(info, "step-max", 0.0),
    .max_iterations = (int)fmin(1e6, option_number(info, "max-iterations", 10.0)),
  };
  if (info->nsteps > 0) {
    trm_step_record first, last;
    TRMI_TRY(err, trmi_run_read_steps(run, 0, 1, &first, err));
    TRMI_TRY(err, trmi_run_read_steps(run, info->nsteps - 1, 1, &last, err));
    about->from = first.t;
    about->to = last.t + (last.accepted ? last.h : 0.0);
  }
  TRMI_TRY(err, read_messages(run, &about->said_stiff, err));
  return TRM_OK;
}

static trm_status feed(trmi_run *run, trmi_explain *explain, trm_error *err) {
  const trmi_run_info *info = trmi_run_info_of(run);
  trm_step_record steps[BLOCK / 8];
  for (long first = 0; first < info->nsteps; first += BLOCK / 8) {
    const long count = info->nsteps - first < BLOCK / 8 ? info->nsteps - first : BLOCK / 8;
    TRMI_TRY(err, trmi_run_read_steps(run, first, count, steps, err));
    for (long i = 0; i < count; i++) TRMI_TRY(err, trmi_explain_step(explain, &steps[i], err));
  }
  trmi_run_event events[BLOCK / 8];
  for (long first = 0; first < info->nevents; first += BLOCK / 8) {
    const long count = info->nevents - first < BLOCK / 8 ? info->nevents - first : BLOCK / 8;
    TRMI_TRY(err, trmi_run_read_events(run, first, count, events, err));
    for (long i = 0; i < count; i++) {
      TRMI_TRY(err, trmi_explain_event(explain, events[i].t, events[i].index, err));
    }
  }
  return TRM_OK;
}

trm_status trmi_run_explain(trmi_run *run, trmi_arena *arena,
                            const trmi_explanation **explanation, trm_error *err) {
  trmi_explain_run about;
  TRMI_TRY(err, describe(run, &about, err));
  trmi_explain *explain;
  TRMI_TRY(err, trmi_explain_create(arena, &about, &explain, err));
  TRMI_TRY(err, feed(run, explain, err));
  TRMI_TRY(err, trmi_explain_finish(explain, explanation, err));
  return TRM_OK;
}
