/* run_reading.h - read everything that a run file has: each call returns, and a refusal has a
 * sentence. */
#ifndef TRM_RUN_READING_H
#define TRM_RUN_READING_H
#include "fuzz.h"
#include "trammel/trammel.h"

enum { ROWS_READ = 600 /* of a table that claims to be long, at both ends */, POINTS_READ = 8,
       TEXT_BYTES_MAX = 1 << 16 };

static void require_sentence(trm_status status, const trm_error *err) {
  if (status == TRM_OK) return;
  FUZZ_REQUIRE(status < 0 && status == err->status);
  FUZZ_REQUIRE(err->message[0] != '\0' && memchr(err->message, '\0', sizeof err->message) != NULL);
}

/* Beginning and end of about `most` signals. */
static void read_signals(trm_run *run, int most) {
  const trm_run_info *info = trm_run_info_of(run);
  trm_error err;
  static double values[ROWS_READ];
  const long count = info->nsamples < ROWS_READ ? info->nsamples : ROWS_READ;
  for (int i = 0; i < info->nsignals; i += 1 + info->nsignals / most) {
    const trm_signal *signal = trm_run_signal(run, i);
    int found;
    FUZZ_REQUIRE(trm_run_find(run, signal->name, &found, &err) == TRM_OK && found <= i);
    require_sentence(trm_run_find(run, signal->label, &found, &err), &err);
    require_sentence(trm_run_read_range(run, i, 0, count, values, &err), &err);
    require_sentence(trm_run_read_range(run, i, info->nsamples - count, count, values, &err),
                     &err);
  }
}

/* The last steps. */
static void read_steps(trm_run *run) {
  const trm_run_info *info = trm_run_info_of(run);
  trm_error err;
  static trm_step_record steps[ROWS_READ];
  const long nsteps = info->nsteps < ROWS_READ ? info->nsteps : ROWS_READ;
  if (trm_run_read_steps(run, info->nsteps - nsteps, nsteps, steps, &err) != TRM_OK) return;
  for (long i = 0; i < nsteps; i++) {
    trm_label label;
    trm_run_label(run, steps[i].list, steps[i].index, &label);
    trm_run_unknown(run, steps[i].list, steps[i].index, &label);
  }
}

/* The first events and messages. */
static void read_events(trm_run *run, long most) {
  const trm_run_info *info = trm_run_info_of(run);
  trm_error err;
  for (long i = 0; i < info->nevents && i < most; i++) {
    trm_run_event event = {0.0, 0};
    require_sentence(trm_run_read_events(run, i, 1, &event, &err), &err);
    trm_label label;
    trm_run_label(run, TRM_EVENT, event.index, &label);
  }
}

static void read_messages(trm_run *run, long most) {
  trm_error err;
  for (long i = 0; i < trm_run_info_of(run)->nmessages && i < most; i++) {
    trm_run_message message;
    require_sentence(trm_run_read_messages(run, i, 1, &message, &err), &err);
  }
}

/* None of them is larger than `most`. */
static void read_points(trm_run *run, size_t most) {
  trm_error err;
  for (int k = 0; k < trm_run_info_of(run)->ncheckpoints && k < POINTS_READ; k++) {
    const size_t size = trm_run_checkpoint_at(run, k)->size;
    FUZZ_REQUIRE(size <= most);
    void *data = malloc(size + 1);
    FUZZ_REQUIRE(data != NULL);
    require_sentence(trm_run_read_checkpoint(run, k, data, &err), &err);
    free(data);
  }
}

static void read_options(const trm_run_info *info) {
  FUZZ_REQUIRE(info->text == NULL || strlen(info->text) < TEXT_BYTES_MAX);
  trm_options options = trm_options_default();
  for (int i = 0; i < info->noptions; i++) {
    trm_options_read(&options, info->options[i].name, info->options[i].value);
    trm_options_shape_steps(info->options[i].name);
  }
}

#endif
