/* run_sink.c - write a run file.
 *
 * All datasets are created when the run begins; after that HDF5 is in its single-writer mode and
 * datasets only grow by rows. The file gets its name with the first row, when no other sink can
 * refuse the run any more. Rows wait in memory until a chunk is full or 0.4 s have passed. A
 * checkpoint reaches the file after all rows before it, so that a restart continues where the
 * samples end or
 * earlier: checkpoints 1, 2, 4, 8, .. with the rows at once, the others wait with
 * them. Space for them is allocated beforehand; the mark by which a reader finds them is written
 * last, so that an incomplete one is never found. The end of the run is written over texts and
 * numbers at known addresses, so that it can be recorded even if the disk is full. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/run_sink.h"
#include "core/arena.h"
#include "io/columns.h"
#include "io/lookup3.h"
#include "io/run_facts.h"
#include "io/run_file.h"
#include "io/run_format.h"
#include "io/run_table.h"
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Longest time that rows wait; the documented limit is a second. */
static const long WAIT_NANOSECONDS = 400000000;
enum {
  SAMPLE_BYTES = 1 << 21, /* samples that wait in memory, approximately */
  SAMPLE_ROWS_MIN = 16, SAMPLE_ROWS_MAX = 256,
  STEP_ROWS = 512, EVENT_ROWS = 64, MESSAGE_ROWS = 8,
  CHECKPOINT_CHUNK = 1 << 16, /* bytes */
  CHECKPOINTS_WAITING = 1 << 20, /* bytes of checkpoints that wait, unless one is larger */
  FIRST_BYTES = 1 << 18, COLUMN_BYTES = 512 /* upper bound of the initial content */
};

enum { SAMPLES, STEPS, EVENTS, MESSAGE_TIMES, MESSAGES, TABLES };

/* Texts and numbers known only at the end. */
enum { END_STATUS, END_SENTENCE, END_OBJECT, END_CODE, END_PLACE, END_COUNTERS, END_SUM, ENDS };

struct trm_run_sink {
  const char     *path;
  trm_run_facts  facts;
  trmi_arena      arena;
  trmi_run_file   file;
  hid_t           h5;           /* negative: not open                 */
  const trm_system *system;
  trmi_columns    columns;
  trmi_packer    *packer;
  trmi_table      tables[TABLES];
  hid_t           text_type;    /* of a message                       */
  haddr_t         ends[ENDS];   /* their places in the file           */

  hid_t           points;       /* dataset of checkpoints             */
  hsize_t         points_size, points_used; /* bytes                  */
  unsigned char  *waiting;      /* checkpoints with their heads       */
  size_t          waiting_size, waiting_used; /* bytes                */
  long            npoints;      /* checkpoints so far                 */
  long            steps;        /* accepted so far                    */

  pthread_t       writer;       /* writes what waits                  */
  pthread_mutex_t lock;         /* held while anything above is used  */
  pthread_cond_t  wake;
  bool            has_writer, is_over, is_published;
};

static trm_status fail(const trm_run_sink *sink, trm_error *err) {
  return trmi_run_file_fail(&sink->file, "write", err);
}

/* --- initial content --------------------------------------------------------- */

/* Initial values of data known only at the end. */
static bool place_ends(trm_run_sink *sink) {
  char status[TRMI_WORD_MAX];
  trmi_text_set(status, sizeof status, trmi_run_words[0]);
  trmi_run_end end = {.place = {NAN, NAN}};
  for (int i = 0; i < TRMI_COUNTERS; i++) end.counters[i] = NAN;
  const uint32_t sum = 0;
  const hid_t h5 = sink->h5, number = H5T_IEEE_F64LE;
  haddr_t *at = sink->ends;
  return trmi_run_place(h5, "status", -1, sizeof status, 0, status, &at[END_STATUS]) &&
         trmi_run_place(h5, "error", -1, sizeof end.sentence, 0, end.sentence,
                        &at[END_SENTENCE]) &&
         trmi_run_place(h5, "error_object", -1, sizeof end.object, 0, end.object,
                        &at[END_OBJECT]) &&
         trmi_run_place(h5, "error_code", H5T_STD_I64LE, 0, 0, &end.code, &at[END_CODE]) &&
         trmi_run_place(h5, "error_place", number, 0, 2, end.place, &at[END_PLACE]) &&
         trmi_run_place(h5, "counters", number, 0, TRMI_COUNTERS, end.counters,
                        &at[END_COUNTERS]) &&
         trmi_run_place(h5, "end_sum", H5T_STD_U32LE, 0, 0, &sum, &at[END_SUM]);
}

static bool create_tables(trm_run_sink *sink) {
  const hsize_t n = (hsize_t)sink->columns.n;
  hsize_t rows = SAMPLE_BYTES / (n * sizeof(double));
  if (rows < SAMPLE_ROWS_MIN) rows = SAMPLE_ROWS_MIN;
  if (rows > SAMPLE_ROWS_MAX) rows = SAMPLE_ROWS_MAX;
  sink->text_type = H5Tcopy(H5T_C_S1);
  H5Tset_size(sink->text_type, TRM_MESSAGE_MAX);
  H5Tset_strpad(sink->text_type, H5T_STR_NULLPAD);
  sink->packer = trmi_packer_create();
  const hid_t number = H5T_NATIVE_DOUBLE;
  const hid_t group = H5Gcreate2(sink->h5, "sums", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0 || H5Gclose(group) < 0 || sink->packer == NULL) return false;
  const struct {
    const char *name;
    trmi_table_rows rows;
  } plans[TABLES] = {
    [SAMPLES] = {"samples", {.rank = 2, .type = number, .width = n, .chunk = rows}},
    [STEPS] = {"steps",
               {.rank = 2, .type = number, .width = TRMI_STEP_COLUMNS, .chunk = STEP_ROWS}},
    [EVENTS] = {"events", {.rank = 2, .type = number, .width = 2, .chunk = EVENT_ROWS}},
    [MESSAGE_TIMES] = {"message_times",
                       {.rank = 1, .type = number, .width = 1, .chunk = MESSAGE_ROWS}},
    [MESSAGES] = {"messages",
                  {.rank = 1, .type = sink->text_type, .width = 1, .chunk = MESSAGE_ROWS}},
  };
  for (int i = 0; i < TABLES; i++) {
    trmi_table *t = &sink->tables[i];
    t->rows = plans[i].rows;
    t->rows.file = &sink->file;
    t->rows.packer = sink->packer;
    if (!trmi_table_create(t, sink->h5, plans[i].name, &sink->arena)) return false;
  }
  return true;
}

static bool create_points(trm_run_sink *sink) {
  const hsize_t size[2] = {CHECKPOINT_CHUNK, 1}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
  const hid_t space = H5Screate_simple(2, size, most);
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(dcpl, false);
  H5Pset_chunk(dcpl, 2, size);
  H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(dcpl, H5D_FILL_TIME_NEVER);
  sink->points = H5Dcreate2(sink->h5, "checkpoints", H5T_STD_U8LE, space, H5P_DEFAULT, dcpl,
                            H5P_DEFAULT);
  sink->points_size = size[0];
  H5Pclose(dcpl);
  H5Sclose(space);
  return sink->points >= 0;
}

/* --- waiting data ------------------------------------------------------------- */

/* Room for so many more bytes of checkpoints, announced to the file before it is used. */
static bool make_room(trm_run_sink *sink, hsize_t bytes) {
  if (sink->points_used + bytes <= sink->points_size) return true;
  const hsize_t wish = sink->points_used + bytes + sink->points_size / 8;
  const hsize_t size[2] = {(wish / CHECKPOINT_CHUNK + 1) * CHECKPOINT_CHUNK, 1};
  if (!trmi_run_file_ensure(&sink->file, size[0] - sink->points_size)) return false;
  if (H5Dset_extent(sink->points, size) < 0 || H5Dflush(sink->points) < 0) return false;
  sink->points_size = size[0];
  return sink->file.reason == 0;
}

/* Write the first waiting bytes to their position. */
static bool write_bytes(trm_run_sink *sink, hsize_t bytes) {
  const hsize_t first[2] = {sink->points_used, 0}, count[2] = {bytes, 1};
  const hid_t space = H5Dget_space(sink->points), memory = H5Screate_simple(2, count, NULL);
  const bool is_done =
      H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
      H5Dwrite(sink->points, H5T_STD_U8LE, memory, space, H5P_DEFAULT, sink->waiting) >= 0;
  H5Sclose(memory);
  H5Sclose(space);
  return is_done;
}

/* Write the waiting checkpoints. A kill may interrupt a write at the end of a page; so the mark of
 * the first one, without which a reader sees the end of the list, is written after all the rest. */
static bool write_points(trm_run_sink *sink) {
  const hsize_t bytes = sink->waiting_used;
  const size_t mark = sizeof ((trmi_checkpoint_head *)0)->mark;
  sink->waiting_used = 0;
  if (bytes == 0) return true;
  if (!make_room(sink, bytes)) return false;
  memset(sink->waiting, 0, mark);
  bool is_done = write_bytes(sink, bytes);
  memcpy(sink->waiting, TRMI_CHECKPOINT_MARK, mark);
  is_done = is_done && write_bytes(sink, mark);
  sink->points_used += bytes;
  return is_done;
}

/* Write all waiting data: rows first, then the checkpoints that follow them. */
static bool write_waiting(trm_run_sink *sink) {
  hsize_t waiting = sink->waiting_used;
  for (int i = 0; i < TABLES; i++) waiting += trmi_table_waiting(&sink->tables[i]);
  if (waiting == 0) return true;
  bool is_done = true;
  const trmi_silence before = trmi_silence_begin();
  for (int i = 0; i < TABLES; i++) is_done = trmi_table_write(&sink->tables[i]) && is_done;
  is_done = H5Fflush(sink->h5, H5F_SCOPE_LOCAL) >= 0 && is_done;
  is_done = is_done && sink->file.reason == 0 && write_points(sink);
  trmi_silence_end(before);
  return is_done;
}

static void *write_regularly(void *self) {
  trm_run_sink *sink = self;
  pthread_mutex_lock(&sink->lock);
  while (!sink->is_over) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WAIT_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!sink->is_over && pthread_cond_timedwait(&sink->wake, &sink->lock, &until) == 0) {}
    if (!sink->is_over)
      write_waiting(sink); /* errors are stored in the file and reported by the next call */
  }
  pthread_mutex_unlock(&sink->lock);
  return NULL;
}

static bool start_writer(trm_run_sink *sink) {
  pthread_condattr_t clock;
  if (pthread_condattr_init(&clock) != 0) return false;
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&sink->wake, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutex_init(&sink->lock, NULL);
  /* signals are for the thread that runs the simulation */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  sink->has_writer = pthread_create(&sink->writer, NULL, write_regularly, sink) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return sink->has_writer;
}

static void stop_writer(trm_run_sink *sink) {
  if (!sink->has_writer) return;
  pthread_mutex_lock(&sink->lock);
  sink->is_over = true;
  pthread_cond_signal(&sink->wake);
  pthread_mutex_unlock(&sink->lock);
  pthread_join(sink->writer, NULL);
  pthread_cond_destroy(&sink->wake);
  pthread_mutex_destroy(&sink->lock);
  sink->has_writer = false;
}

/* --- the sink --------------------------------------------------------------- */

static void close_all(trm_run_sink *sink) {
  if (sink->h5 >= 0) {
    for (int i = 0; i < TABLES; i++) trmi_table_close(&sink->tables[i]);
    if (sink->points > 0) H5Dclose(sink->points);
    if (sink->text_type > 0) H5Tclose(sink->text_type);
    H5Fclose(sink->h5);
    sink->h5 = -1;
  }
  trmi_run_file_close(&sink->file);
}

static bool create_contents(trm_run_sink *sink, const trm_options *options) {
  sink->h5 = trmi_run_file_h5(&sink->file);
  return sink->h5 >= 0 &&
         trmi_run_facts_write(sink->h5, &sink->facts, sink->system, options, &sink->columns,
                              &sink->arena) &&
         place_ends(sink) && create_tables(sink) && create_points(sink) &&
         H5Fstart_swmr_write(sink->h5) >= 0 && H5Fflush(sink->h5, H5F_SCOPE_LOCAL) >= 0 &&
         trmi_run_file_ensure(&sink->file, 0);
}

static trm_status begin(void *self, const trm_system *system, const trm_options *options,
                        trm_error *err) {
  trm_run_sink *sink = self;
  TRMI_TRY(err, trmi_columns_create(system, &sink->arena, &sink->columns, err));
  sink->system = system;
  const haddr_t room = FIRST_BYTES + (haddr_t)sink->columns.n * COLUMN_BYTES;
  TRMI_TRY(err, trmi_run_file_create(&sink->file, sink->path, room, err));
  const trmi_silence before = trmi_silence_begin();
  bool is_done = create_contents(sink, options);
  if (is_done && !start_writer(sink)) is_done = false;
  trm_status status = TRM_OK;
  if (!is_done) {
    status = sink->arena.failed ? trmi_arena_check(&sink->arena, err) : fail(sink, err);
    close_all(sink);
  }
  trmi_silence_end(before);
  return status;
}

/* Every call of the simulation is between enter and leave. With the first one the run has started:
 * the file replaces an older one; if that fails, `leave` reports it. */
static void enter(trm_run_sink *sink) {
  pthread_mutex_lock(&sink->lock);
  if (!sink->is_published) trmi_run_file_publish(&sink->file);
  sink->is_published = true;
}

static trm_status leave(trm_run_sink *sink, bool is_done, trm_error *err) {
  const bool has_failed = !is_done || sink->file.reason != 0 || sink->file.full != 0;
  const trm_status status = has_failed ? fail(sink, err) : TRM_OK;
  pthread_mutex_unlock(&sink->lock);
  return status;
}

static trm_status sample(void *self, const trm_sample *now, trm_error *err) {
  trm_run_sink *sink = self;
  enter(sink);
  trmi_table *t = &sink->tables[SAMPLES];
  trmi_columns_gather(&sink->columns, sink->system, now, TRM_GROUP_LOADS, trmi_table_next(t));
  bool is_done = trmi_table_add(t);
  /* the start does not wait: a restart reports its energy */
  if (t->rows.before == 0 && t->rows.filled == 1) is_done = write_waiting(sink) && is_done;
  return leave(sink, is_done, err);
}

static trm_status step(void *self, const trm_step_record *record, trm_error *err) {
  trm_run_sink *sink = self;
  enter(sink);
  if (record->accepted) sink->steps++;
  trmi_table *t = &sink->tables[STEPS];
  double *row = trmi_table_next(t);
  row[TRMI_STEP_T] = record->t;
  row[TRMI_STEP_H] = record->h;
  row[TRMI_STEP_ACCEPTED] = record->accepted ? 1.0 : 0.0;
  row[TRMI_STEP_LIMIT] = record->limit;
  row[TRMI_STEP_LIST] = record->list;
  row[TRMI_STEP_INDEX] = record->index;
  row[TRMI_STEP_ERROR] = record->error;
  row[TRMI_STEP_ITERATIONS] = record->iterations;
  row[TRMI_STEP_POSITION] = record->violation_position;
  row[TRMI_STEP_VELOCITY] = record->violation_velocity;
  row[TRMI_STEP_ORDER] = record->order;
  return leave(sink, trmi_table_add(t), err);
}

static trm_status event(void *self, double t, int index, trm_error *err) {
  trm_run_sink *sink = self;
  enter(sink);
  double *row = trmi_table_next(&sink->tables[EVENTS]);
  row[0] = t;
  row[1] = index;
  return leave(sink, trmi_table_add(&sink->tables[EVENTS]), err);
}

static void message(void *self, double t, const char *text) {
  trm_run_sink *sink = self;
  if (!sink->has_writer) return;
  enter(sink);
  trmi_table *times = &sink->tables[MESSAGE_TIMES], *texts = &sink->tables[MESSAGES];
  *(double *)trmi_table_next(times) = t;
  trmi_text_set(trmi_table_next(texts), TRM_MESSAGE_MAX, text);
  const bool is_done = trmi_table_add(texts) && trmi_table_add(times);
  trm_error ignored; /* the next call that may fail reports it */
  if (leave(sink, is_done, &ignored) != TRM_OK) return;
}

/* Memory for one more checkpoint; if it does not fit, the others are written first. */
static trm_status make_waiting_room(trm_run_sink *sink, size_t bytes, bool *is_done,
                                    trm_error *err) {
  *is_done = true;
  if (sink->waiting_used + bytes <= sink->waiting_size) return TRM_OK;
  if (sink->waiting_used > 0) *is_done = write_waiting(sink);
  if (bytes <= sink->waiting_size) return TRM_OK;
  const trm_allocator *allocator = &sink->arena.allocator;
  trmi_release(allocator, sink->waiting);
  sink->waiting_size = 0;
  const size_t size = bytes > CHECKPOINTS_WAITING ? bytes : CHECKPOINTS_WAITING;
  sink->waiting = trmi_allocate(allocator, size);
  if (sink->waiting == NULL) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for a checkpoint of %zu bytes",
                     bytes);
  }
  sink->waiting_size = size;
  return TRM_OK;
}

static trm_status checkpoint(void *self, double t, const void *data, size_t size, trm_error *err) {
  trm_run_sink *sink = self;
  enter(sink);
  trmi_checkpoint_head head = {.t = t, .steps = (uint64_t)sink->steps, .size = size};
  const size_t bytes = (sizeof head + size + 7) / 8 * 8;
  bool is_done;
  const trm_status status = make_waiting_room(sink, bytes, &is_done, err);
  if (status != TRM_OK) {
    pthread_mutex_unlock(&sink->lock);
    return status;
  }
  memcpy(head.mark, TRMI_CHECKPOINT_MARK, sizeof head.mark);
  head.data_sum = trmi_lookup3(data, size, 0);
  head.head_sum = trmi_lookup3(&head, offsetof(trmi_checkpoint_head, head_sum), 0);
  unsigned char *place = sink->waiting + sink->waiting_used;
  memset(place + bytes - 8, 0, 8);
  memcpy(place, &head, sizeof head);
  memcpy(place + sizeof head, data, size);
  sink->waiting_used += bytes;
  sink->npoints++;
  const bool is_power = (sink->npoints & (sink->npoints - 1)) == 0;
  if (is_power) is_done = write_waiting(sink) && is_done;
  return leave(sink, is_done, err);
}

/* Overwrite the initial values by the end of the run. */
static bool write_ends(trm_run_sink *sink, const trm_counters *c, const trm_error *failure) {
  trmi_run_end end = {
    .counters = {(double)c->steps, (double)c->rejected_error, (double)c->rejected_newton,
                 (double)c->newton_iterations, (double)c->residuals, (double)c->jacobians,
                 (double)c->factorizations, (double)c->solves, (double)c->lu_entries,
                 (double)c->events, c->step_min, c->step_max, c->violation_position,
                 c->violation_velocity, c->seconds, c->seconds_setup,
                 c->audit.initial, c->audit.motions, c->audit.forces, c->audit.dampers,
                 c->audit.friction, c->audit.events, c->audit.imbalance, c->audit.uncertainty,
                 c->audit.scale, c->errors.sum, (double)c->errors.list,
                 (double)c->errors.index},
    .place = {NAN, NAN}};
  if (failure != NULL) {
    trmi_text_set(end.sentence, sizeof end.sentence, failure->message);
    trmi_text_set(end.object, sizeof end.object, failure->object);
    end.code = failure->status;
    end.place[0] = failure->t;
    end.place[1] = failure->h;
  }
  const uint32_t sum = trmi_lookup3(&end, sizeof end, 0);
  char status[TRMI_WORD_MAX];
  trmi_text_set(status, sizeof status, trmi_run_words[failure != NULL ? 2 : 1]);
  const struct {
    int         end;
    const void *data;
    size_t      size;
  } parts[ENDS] = {
    {END_SENTENCE, end.sentence, sizeof end.sentence}, {END_OBJECT, end.object, sizeof end.object},
    {END_CODE, &end.code, sizeof end.code},            {END_PLACE, end.place, sizeof end.place},
    {END_COUNTERS, end.counters, sizeof end.counters}, {END_SUM, &sum, sizeof sum},
    {END_STATUS, status, sizeof status}, /* last: it marks the rest as valid */
  };
  bool is_done = true;
  for (int i = 0; i < ENDS && is_done; i++) {
    is_done = trmi_run_file_patch(&sink->file, sink->ends[parts[i].end], parts[i].data,
                                  parts[i].size);
  }
  return is_done;
}

static trm_status end(void *self, const trm_counters *counters, const trm_error *failure,
                      trm_error *err) {
  trm_run_sink *sink = self;
  if (sink->h5 < 0) return TRM_OK;
  stop_writer(sink);
  const trmi_silence before = trmi_silence_begin();
  /* a run that failed before its first row does not replace the older file */
  if (!sink->is_published && failure == NULL) trmi_run_file_publish(&sink->file);
  bool is_done = write_waiting(sink);
  is_done = write_ends(sink, counters, failure) && is_done;
  close_all(sink);
  trmi_silence_end(before);
  const bool has_failed = !is_done || sink->file.reason != 0 || sink->file.full != 0;
  return has_failed ? fail(sink, err) : TRM_OK;
}

trm_sink trm_run_sink_of(trm_run_sink *sink) {
  if (sink == NULL) return (trm_sink){0};
  return (trm_sink){.self = sink, .wants_loads = true, .begin = begin, .sample = sample,
                    .step = step, .event = event, .message = message,
                    .checkpoint = checkpoint, .end = end};
}

trm_status trm_run_sink_create(const char *path, const trm_run_facts *facts,
                                const trm_allocator *allocator, trm_run_sink **out,
                                trm_error *err) {
  TRMI_NEED(err, out);
  static const trm_allocator none = {0};
  if (allocator == NULL) allocator = &none;
  *out = NULL;
  TRMI_NEED(err, path, facts);
  trm_run_sink *sink = trmi_allocate(allocator, sizeof *sink);
  if (sink == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for a "
                                                                "recording");
  *sink = (trm_run_sink){.path = path, .facts = *facts, .h5 = -1, .steps = facts->resumed_steps};
  sink->file.fd = -1;
  trmi_arena_init(&sink->arena, allocator);
  *out = sink;
  return TRM_OK;
}

long trmi_run_sink_writes(const trm_run_sink *sink) {
  return sink->file.writes;
}

void trm_run_sink_free(trm_run_sink *sink) {
  if (sink == NULL) return;
  stop_writer(sink);
  const trmi_silence before = trmi_silence_begin();
  close_all(sink);
  trmi_silence_end(before);
  const trm_allocator allocator = sink->arena.allocator;
  trmi_packer_free(sink->packer);
  trmi_release(&allocator, sink->waiting);
  trmi_arena_clear(&sink->arena);
  trmi_release(&allocator, sink);
}
