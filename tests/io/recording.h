/* recording.h - what the tests of run files share: a folder, a run that is recorded, and
 * everything a file says, read in one go. */
#ifndef TRM_TEST_RECORDING_H
#define TRM_TEST_RECORDING_H
#include "io/lookup3.h"
#include "trammel/run_file.h"
#include "io/run_sink.h"
#include "unit/kit.h"
#include <unistd.h>

enum { PATH_SIZE = 64 };

/* A name for a file of this process, in memory where there is such a folder. */
static inline void recording_path(char path[PATH_SIZE], const char *name) {
  const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(path, PATH_SIZE, "%s/trammel-%ld-%s.h5", folder, (long)getpid(), name);
}

static inline trm_run_sink *recording_add(trm_sim *sim, const char *path) {
  static const trm_setting parameters[] = {{"length", "0.5"}, {"mass", "1"}};
  trm_error err;
  const trm_run_facts facts = {
    .parameters = parameters, .nparameters = 2, .integrator = trm_sim_integrator(sim),
    .formulation = trm_sim_formulation(sim), .solver = trm_sim_solver(sim),
    .resumed_from = NAN, .energy_initial = NAN,
  };
  trm_run_sink *file = NULL;
  CHECK_OK(trm_run_sink_create(path, &facts, NULL, &file, &err), err);
  const trm_sink sink = trm_run_sink_of(file);
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  return file;
}

/* Record a system to the end and free it; returns the calls of write. */
static inline long recording_run(const char *path, trm_system *system,
                                 const trm_options *options) {
  trm_sim *sim = kit_sim(system, options);
  trm_run_sink *file = recording_add(sim, path);
  kit_run(sim);
  const long writes = trmi_run_sink_writes(file);
  trm_sim_free(sim);
  trm_run_sink_free(file);
  trm_system_free(system);
  return writes;
}

static inline long recording_make(const char *path, const char *problem,
                                  const trm_options *options) {
  return recording_run(path, kit_problem(problem, NULL, NULL), options);
}

static inline trm_run *recording_open(const char *path) {
  trm_error err;
  trm_run *run = NULL;
  CHECK_OK(trm_run_open(path, NULL, &run, &err), err);
  return run;
}

/* Sums of all that a file says, in the order of this list; a part that cannot be read is
 * zero, and then the sentence is checked. */
enum { PART_FACTS, PART_SAMPLES, PART_STEPS, PART_EVENTS, PART_MESSAGES, PART_POINTS, PARTS };

static inline uint32_t recording_text(const char *text, uint32_t sum) {
  return trmi_lookup3(text, strlen(text), sum);
}

static inline uint32_t recording_facts(const trm_run *run) {
  const trm_run_info *info = trm_run_info_of(run);
  uint32_t sum = recording_text(info->model, 1);
  sum = recording_text(info->integrator, sum);
  sum = recording_text(info->formulation, sum);
  sum = recording_text(info->sentence, sum);
  for (int i = 0; i < info->noptions; i++) sum = recording_text(info->options[i].value, sum);
  for (int i = 0; i < info->nsettings; i++) sum = recording_text(info->settings[i].value, sum);
  sum = trmi_lookup3(&info->counters, sizeof info->counters, sum);
  for (int i = 0; i < info->nsignals; i++) {
    sum = recording_text(trm_run_signal(run, i)->name, sum);
    sum = recording_text(trm_run_signal(run, i)->unit, sum);
  }
  return sum;
}

/* Room for `count` things of `size` bytes; a file that claims more than this is refused. */
static inline void *recording_room(long count, size_t size) {
  assert_true((double)count * (double)size < 1e9);
  void *room = malloc((size_t)count * size + 1);
  assert_non_null(room);
  memset(room, 0, (size_t)count * size + 1);
  return room;
}

static inline uint32_t recording_signals(trm_run *run, trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  double *values = recording_room(info->nsamples, sizeof *values);
  uint32_t sum = 1;
  const int stride = 1 + info->nsignals / 4; /* a few: a chunk has many columns */
  for (int i = 0; i < info->nsignals && sum != 0; i += stride) {
    const bool is_read = trm_run_read_signal(run, i, values, err) == TRM_OK;
    sum = is_read ? trmi_lookup3(values, (size_t)info->nsamples * sizeof *values, sum) : 0;
  }
  free(values);
  return sum;
}

static inline uint32_t recording_steps(trm_run *run, trm_error *err) {
  const long count = trm_run_info_of(run)->nsteps;
  trm_step_record *steps = recording_room(count, sizeof *steps);
  const bool is_read = trm_run_read_steps(run, 0, count, steps, err) == TRM_OK;
  uint32_t sum = is_read ? 1 : 0;
  for (long i = 0; i < count && is_read; i++) {
    trm_label label;
    trm_run_label(run, steps[i].list, steps[i].index, &label);
    const double numbers[] = {steps[i].t, steps[i].h, steps[i].accepted, steps[i].limit,
                              steps[i].index, steps[i].error, steps[i].iterations,
                              steps[i].violation_position, steps[i].violation_velocity};
    sum = trmi_lookup3(numbers, sizeof numbers, recording_text(label.name, sum));
  }
  free(steps);
  return sum;
}

static inline uint32_t recording_points(trm_run *run, trm_error *err) {
  uint32_t sum = 1;
  for (int k = 0; k < trm_run_info_of(run)->ncheckpoints; k++) {
    const trm_run_checkpoint *point = trm_run_checkpoint_at(run, k);
    void *data = recording_room((long)point->size, 1);
    /* a damaged one must be told, the others count */
    if (trm_run_read_checkpoint(run, k, data, err) == TRM_OK) {
      sum += trmi_lookup3(data, point->size, (uint32_t)point->steps);
    } else {
      assert_true(err->status == TRM_ERR_IO);
    }
    free(data);
  }
  return sum;
}

/* Read everything. Returns the status of opening. */
static inline trm_status recording_read(const char *path, uint32_t parts[PARTS]) {
  trm_error err = {.status = TRM_OK};
  trm_run *run = NULL;
  memset(parts, 0, PARTS * sizeof *parts);
  const trm_status status = trm_run_open(path, NULL, &run, &err);
  if (status != TRM_OK) {
    assert_true(err.status == status && err.message[0] != '\0' && run == NULL);
    return status;
  }
  const trm_run_info *info = trm_run_info_of(run);
  parts[PART_FACTS] = recording_facts(run);
  parts[PART_SAMPLES] = recording_signals(run, &err);
  parts[PART_STEPS] = recording_steps(run, &err);
  trm_run_event *events = recording_room(info->nevents, sizeof *events);
  if (trm_run_read_events(run, 0, info->nevents, events, &err) == TRM_OK) {
    parts[PART_EVENTS] = 1;
    for (long i = 0; i < info->nevents; i++) {
      parts[PART_EVENTS] = trmi_lookup3(&events[i].t, sizeof(double), parts[PART_EVENTS]);
    }
  }
  trm_run_message *texts = recording_room(info->nmessages, sizeof *texts);
  if (trm_run_read_messages(run, 0, info->nmessages, texts, &err) == TRM_OK) {
    parts[PART_MESSAGES] = 1;
    for (long i = 0; i < info->nmessages; i++) {
      parts[PART_MESSAGES] = recording_text(texts[i].text, parts[PART_MESSAGES]);
    }
  }
  parts[PART_POINTS] = recording_points(run, &err);
  free(events);
  free(texts);
  trm_run_close(run);
  return TRM_OK;
}

#endif
