/* run_read_rows.c - reads the rows of a run file: samples, steps, events, messages. */
#include "trammel/nearest.h"
#include "integ/integrator.h"
#include "io/lookup3.h"
#include "io/run_read_internal.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows read at a time, a multiple of the rows of a chunk; bytes of the last chunk, at most. */
enum { STEP_BLOCK = 4096, EVENT_BLOCK = 256, TAIL_MAX = 1 << 28 };

/* The last chunk of a table has no checksum of HDF5: compare its rows with their sums. Rows whose
 * sums did not reach the file are accepted. */
static bool check_last(trm_run *run, int which) {
  const table_plan *plan = &trmi_table_plans[which];
  if (run->is_checked[which]) return true;
  hsize_t sum_dims[2], dims[2] = {0, 1}, chunk[2] = {0, 1};
  if (trmi_run_dataset(run, plan->sums, 2, H5T_INTEGER, sum_dims) < 0) return false;
  const hid_t id = trmi_run_dataset(run, plan->name, plan->rank, plan->class, dims);
  if (id < 0) return false;
  const hid_t dcpl = H5Dget_create_plist(id), type = H5Dget_type(id);
  const bool is_chunked = H5Pget_chunk(dcpl, plan->rank, chunk) == plan->rank && chunk[0] > 0;
  const size_t row = H5Tget_size(type) * dims[1];
  H5Pclose(dcpl);
  const hsize_t rows = sum_dims[0] < dims[0] ? sum_dims[0] : dims[0];
  const hsize_t first[2] = {is_chunked ? dims[0] / chunk[0] * chunk[0] : 0, 0};
  bool is_good = is_chunked && row > 0 && chunk[0] <= TAIL_MAX / row;
  if (is_good && rows > first[0]) {
    const hsize_t count[2] = {rows - first[0], dims[1]}, one_column[2] = {count[0], 1};
    unsigned char *data = trmi_allocate(&run->arena.allocator, count[0] * row);
    uint32_t *sum = trmi_allocate(&run->arena.allocator, count[0] * sizeof *sum);
    is_good = data != NULL && sum != NULL &&
              trmi_run_read_part(run, plan->name, plan->rank, type, first, count, data) &&
              trmi_run_read_part(run, plan->sums, 2, H5T_NATIVE_UINT32, first, one_column, sum);
    for (hsize_t i = 0; i < count[0] && is_good; i++) {
      is_good = trmi_lookup3(data + i * row, row, 0) == sum[i];
    }
    trmi_release(&run->arena.allocator, data);
    trmi_release(&run->arena.allocator, sum);
  }
  H5Tclose(type);
  run->is_checked[which] = is_good;
  return is_good;
}

static bool is_inside(long first, long count, long rows) {
  return first >= 0 && count >= 0 && first <= rows && count <= rows - first;
}

/* A number of the file as one of 0 .. most, or `other`. */
static int to_int(double number, int most, int other) {
  return number >= 0.0 && number <= most ? (int)number : other;
}

/* --- signals ---------------------------------------------------------------- */

const trm_signal *trm_run_signal(const trm_run *run, int i) {
  if (run == NULL || i < 0 || i >= run->info.nsignals) return NULL;
  return &run->signals[i];
}

static const char *signal_name(const void *list, int i) {
  return trm_run_signal(list, i)->name;
}

/* "velocities/x" */
static bool is_full_name(const trm_signal *signal, const char *name) {
  const char *group = trm_signal_group_name(signal->group);
  const size_t length = strlen(group);
  return strncmp(name, group, length) == 0 && name[length] == '/' &&
         strcmp(name + length + 1, signal->label) == 0;
}

trm_status trm_run_find(const trm_run *run, const char *name, int *index, trm_error *err) {
  TRMI_NEED(err, run, name, index);
  for (int full = 0; full < 2; full++) {
    for (*index = 0; *index < run->info.nsignals; ++*index) {
      const trm_signal *signal = &run->signals[*index];
      if (full != 0 ? is_full_name(signal, name) : strcmp(signal->name, name) == 0) return TRM_OK;
    }
  }
  *index = -1;
  const char *near = trm_nearest_close(name, run, run->info.nsignals, signal_name);
  if (near[0] == '\0') {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.150s' has no signal '%.60s'; signals are chosen "
                     "when a model is run: --set outputs.NAME=%.60s", run->file.path, name, name);
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                   "'%.150s' has no signal '%.60s', the nearest one is '%s'", run->file.path, name,
                   near);
}

trm_status trm_run_read_block(trm_run *run, int signal, int nsignals, long first, long count,
                               double *values, trm_error *err) {
  TRMI_NEED(err, run, values);
  if (!is_inside(signal, nsignals, run->info.nsignals) || nsignals == 0 ||
      !is_inside(first, count, run->info.nsamples)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run has no %ld samples from number %ld on of "
                     "signal %d: it has %ld, and %d signals", count, first, signal,
                     run->info.nsamples, run->info.nsignals);
  }
  const hsize_t at[2] = {(hsize_t)first, (hsize_t)signal};
  const hsize_t size[2] = {(hsize_t)count, (hsize_t)nsignals};
  const trmi_silence before = trmi_silence_begin();
  const bool is_done = check_last(run, SAMPLES) &&
                       trmi_run_read_part(run, "samples", 2, H5T_NATIVE_DOUBLE, at, size, values);
  trmi_silence_end(before);
  return is_done ? TRM_OK : trmi_run_damaged(run, "a part of its samples", err);
}

trm_status trm_run_read_range(trm_run *run, int signal, long first, long count, double *values,
                               trm_error *err) {
  TRMI_NEED(err, run, values);
  TRMI_TRY(err, trm_run_read_block(run, signal, 1, first, count, values, err));
  return TRM_OK;
}

trm_status trm_run_read_signal(trm_run *run, int signal, double *values, trm_error *err) {
  TRMI_NEED(err, run, values);
  TRMI_TRY(err, trm_run_read_range(run, signal, 0, run->info.nsamples, values, err));
  return TRM_OK;
}

trm_status trm_run_read_times(trm_run *run, double *times, trm_error *err) {
  TRMI_NEED(err, run, times);
  TRMI_TRY(err, trm_run_read_signal(run, 0, times, err));
  return TRM_OK;
}

void trm_run_label(const trm_run *run, trm_quantity list, int index, trm_label *label) {
  if (run == NULL || label == NULL) return;
  *label = (trm_label){.name = "?"};
  if (list == TRM_EVENT && index >= 0 && index < run->nevent_names) {
    memcpy(label->name, run->events[index], sizeof label->name);
    return;
  }
  if (list == TRM_GAP && index >= 0 && index < run->ngap_names) {
    memcpy(label->name, run->gaps[index], sizeof label->name);
    snprintf(label->object, sizeof label->object, "%s", label->name);
    return;
  }
  if (list == TRM_SLIP && index >= 0 && index < run->nslip_names) {
    memcpy(label->name, run->slips[index], sizeof label->name);
    snprintf(label->object, sizeof label->object, "%s", label->name);
    return;
  }
  for (int i = 0, place = 0; i < run->info.nsignals && index >= 0; i++) {
    const trm_signal *signal = &run->signals[i];
    const bool is_rate = signal->group == TRM_GROUP_ACCELERATIONS ||
                         signal->group == TRM_GROUP_STATE_RATES;
    if (is_rate || run->lists[i] != (signed char)list || place++ < index) continue;
    memcpy(label->name, signal->label, sizeof label->name);
    memcpy(label->object, signal->object, sizeof label->object);
    label->kind = signal->kind;
    label->scale = signal->scale;
    return;
  }
}

/* --- steps, events, messages, checkpoints ----------------------------------- */

static trm_status out_of_range(const char *what, long first, long count, long rows,
                               trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run has %ld %s, not %ld from number %ld on", rows,
                   what, count, first);
}

static trm_step_record to_step(const double *row, bool has_order) {
  const int most = INT_MAX - 1;
  return (trm_step_record){
    .t = row[TRMI_STEP_T], .h = row[TRMI_STEP_H], .accepted = row[TRMI_STEP_ACCEPTED] == 1.0,
    .limit = (trm_limit)to_int(row[TRMI_STEP_LIMIT], TRM_LIMIT_SLIP, TRM_LIMIT_NONE),
    .list = (trm_quantity)to_int(row[TRMI_STEP_LIST], TRM_SLIP, TRM_Q),
    .index = to_int(row[TRMI_STEP_INDEX], most, -1), .error = row[TRMI_STEP_ERROR],
    .iterations = to_int(row[TRMI_STEP_ITERATIONS], most, 0),
    .violation_position = row[TRMI_STEP_POSITION], .violation_velocity = row[TRMI_STEP_VELOCITY],
    .order = has_order ? to_int(row[TRMI_STEP_ORDER], most, 0) : 0,
  };
}

trm_status trm_run_read_steps(trm_run *run, long first, long count, trm_step_record *steps,
                               trm_error *err) {
  TRMI_NEED(err, run, steps);
  if (!is_inside(first, count, run->info.nsteps)) {
    return out_of_range("attempted steps", first, count, run->info.nsteps, err);
  }
  const int width = run->step_width;
  const size_t most = (size_t)(count < STEP_BLOCK ? count : STEP_BLOCK);
  double *rows = trmi_allocate(&run->arena.allocator, (most * (size_t)width + 1) * sizeof *rows);
  if (rows == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory to read steps");
  const trmi_silence before = trmi_silence_begin();
  bool is_done = check_last(run, STEPS);
  for (long done = 0; done < count && is_done; done += STEP_BLOCK) {
    const long part = count - done < STEP_BLOCK ? count - done : STEP_BLOCK;
    const hsize_t at[2] = {(hsize_t)(first + done), 0};
    const hsize_t size[2] = {(hsize_t)part, (hsize_t)width};
    is_done = trmi_run_read_part(run, "steps", 2, H5T_NATIVE_DOUBLE, at, size, rows);
    for (long i = 0; i < part && is_done; i++) {
      steps[done + i] = to_step(rows + i * width, width == TRMI_STEP_COLUMNS);
    }
  }
  trmi_silence_end(before);
  trmi_release(&run->arena.allocator, rows);
  return is_done ? TRM_OK : trmi_run_damaged(run, "a part of its steps", err);
}

trm_status trm_run_read_events(trm_run *run, long first, long count, trm_run_event *events,
                                trm_error *err) {
  TRMI_NEED(err, run, events);
  if (!is_inside(first, count, run->info.nevents)) {
    return out_of_range("events", first, count, run->info.nevents, err);
  }
  const trmi_silence before = trmi_silence_begin();
  bool is_done = check_last(run, EVENTS);
  double rows[EVENT_BLOCK][2];
  for (long done = 0; done < count && is_done; done += EVENT_BLOCK) {
    const long part = count - done < EVENT_BLOCK ? count - done : EVENT_BLOCK;
    const hsize_t at[2] = {(hsize_t)(first + done), 0}, size[2] = {(hsize_t)part, 2};
    is_done = trmi_run_read_part(run, "events", 2, H5T_NATIVE_DOUBLE, at, size, rows);
    for (long i = 0; i < part && is_done; i++) {
      events[done + i] = (trm_run_event){rows[i][0], to_int(rows[i][1], INT_MAX - 1, -1)};
    }
  }
  trmi_silence_end(before);
  return is_done ? TRM_OK : trmi_run_damaged(run, "a part of its events", err);
}

trm_status trm_run_read_messages(trm_run *run, long first, long count,
                                  trm_run_message *messages, trm_error *err) {
  TRMI_NEED(err, run, messages);
  if (!is_inside(first, count, run->info.nmessages)) {
    return out_of_range("messages", first, count, run->info.nmessages, err);
  }
  const trmi_silence before = trmi_silence_begin();
  const hid_t type = H5Tcopy(H5T_C_S1);
  bool is_done = type >= 0 && H5Tset_size(type, TRM_MESSAGE_MAX) >= 0 &&
                 check_last(run, MESSAGE_TIMES) && check_last(run, MESSAGES);
  for (long i = 0; i < count && is_done; i++) {
    const hsize_t at[2] = {(hsize_t)(first + i), 0}, size[2] = {1, 1};
    is_done = trmi_run_read_part(run, "message_times", 1, H5T_NATIVE_DOUBLE, at, size,
                                 &messages[i].t) &&
              trmi_run_read_part(run, "messages", 1, type, at, size, messages[i].text);
    messages[i].text[TRM_MESSAGE_MAX - 1] = '\0';
    messages[i].is_choice = strncmp(messages[i].text, TRMI_NOTE_AUTO, strlen(TRMI_NOTE_AUTO)) == 0;
  }
  if (type >= 0) H5Tclose(type);
  trmi_silence_end(before);
  return is_done ? TRM_OK : trmi_run_damaged(run, "a part of its messages", err);
}

const trm_run_checkpoint *trm_run_checkpoint_at(const trm_run *run, int k) {
  if (run == NULL || k < 0 || k >= run->info.ncheckpoints) return NULL;
  return &run->points[k].facts;
}

trm_status trm_run_read_checkpoint(trm_run *run, int k, void *data, trm_error *err) {
  TRMI_NEED(err, run, data);
  if (k < 0 || k >= run->info.ncheckpoints) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "checkpoint %d: '%.150s' has %d, from 0 on", k,
                     run->file.path, run->info.ncheckpoints);
  }
  const point *p = &run->points[k];
  const hsize_t at[2] = {p->place, 0}, size[2] = {p->facts.size, 1};
  const trmi_silence before = trmi_silence_begin();
  const bool is_done = trmi_run_read_part(run, "checkpoints", 2, H5T_NATIVE_UCHAR, at, size,
                                          data) &&
                       trmi_lookup3(data, p->facts.size, 0) == p->data_sum;
  trmi_silence_end(before);
  if (is_done) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_IO, NULL, "the checkpoint at t = %.9g %s in '%.200s' is damaged",
                   p->facts.t, trm_run_signal(run, 0)->unit, run->file.path);
}
