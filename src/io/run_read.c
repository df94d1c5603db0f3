/* run_read.c - read a run file.
 *
 * HDF5 verifies its structures by checksums and our tables have one per chunk, so
 * damage shows before anything is believed; what is left is checked here: types,
 * sizes, ranges of numbers, ends of texts. */
#include "io/run_read.h"
#include "core/nearest.h"
#include "io/lookup3.h"
#include "io/run_file.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_BLOCK = 256, SCAN_BLOCK = 1 << 14, WIDTH_MAX = 1 << 24, TAIL_MAX = 1 << 28,
       TEXT_MAX = 1 << 28 /* bytes of a model */ };

/* A compressed chunk is at most so many times smaller than its content. */
static const haddr_t DEFLATE_MOST = 1032;

/* The tables of a file. */
enum { SAMPLES, STEPS, EVENTS, MESSAGE_TIMES, MESSAGES, TABLES };
typedef struct table_plan {
  const char *name;
  int         rank;
  H5T_class_t class;
} table_plan;
static const table_plan table_plans[TABLES] = {
  [SAMPLES] = {"samples", 2, H5T_FLOAT},   [STEPS] = {"steps", 2, H5T_FLOAT},
  [EVENTS] = {"events", 2, H5T_FLOAT},     [MESSAGE_TIMES] = {"message_times", 1, H5T_FLOAT},
  [MESSAGES] = {"messages", 1, H5T_STRING},
};

/* Where a checkpoint stands. */
typedef struct point {
  trmi_run_checkpoint facts;
  hsize_t             place;    /* of its bytes */
  uint32_t            data_sum;
} point;

struct trmi_run {
  trmi_arena     arena;
  trmi_run_file  file;
  hid_t          h5;
  trmi_run_info  info;
  trmi_signal   *signals;    /* [info.nsignals]     */
  signed char   *lists;      /* trm_quantity of each, or -1 */
  char         (*events)[TRMI_LABEL_MAX]; /* names   [nevent_names] */
  int            nevent_names;
  point         *points;     /* [info.ncheckpoints] */
  int            points_room;
  bool           is_checked[TABLES]; /* the last rows are right */
};

static trm_status damaged(const trmi_run *run, const char *what, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' is damaged: %s cannot be read",
                   run->file.path, what);
}

/* --- single datasets -------------------------------------------------------- */

/* Open a dataset of this rank and class of type; its dimensions go to `dims`. Texts of free
 * length are never ours. */
static hid_t open_dataset(const trmi_run *run, const char *name, int rank, H5T_class_t class,
                          hsize_t dims[2]) {
  if (H5Lexists(run->h5, name, H5P_DEFAULT) <= 0) return -1;
  const hid_t id = H5Dopen2(run->h5, name, H5P_DEFAULT);
  if (id < 0) return -1;
  const hid_t type = H5Dget_type(id), space = H5Dget_space(id);
  const bool is_right = type >= 0 && space >= 0 && H5Tget_class(type) == class &&
                        H5Tis_variable_str(type) <= 0 &&
                        H5Sget_simple_extent_ndims(space) == rank &&
                        (rank == 0 || H5Sget_simple_extent_dims(space, dims, NULL) == rank);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (is_right) return id;
  H5Dclose(id);
  return -1;
}

/* Read a whole dataset of rank 0 or 1 with exactly `count` entries. */
static bool read_whole(const trmi_run *run, const char *name, hid_t type, int rank, hsize_t count,
                       void *data) {
  hsize_t dims[2] = {1, 1};
  const hid_t id = open_dataset(run, name, rank, H5Tget_class(type), dims);
  const bool is_done = id >= 0 && (rank == 0 || dims[0] == count) &&
                       H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  if (id >= 0) H5Dclose(id);
  return is_done;
}

/* Texts of `size` bytes with the last one zero, whatever the file says. */
static bool read_texts(const trmi_run *run, const char *name, int rank, hsize_t count, char *texts,
                       size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  const bool is_done = read_whole(run, name, type, rank, count, texts);
  H5Tclose(type);
  for (hsize_t i = 0; i < (count > 0 ? count : 1) && is_done; i++) texts[(i + 1) * size - 1] = '\0';
  return is_done;
}

static bool read_word(trmi_run *run, const char *name, const char **word) {
  char *text = TRMI_TAKE(&run->arena, char, TRM_MESSAGE_MAX);
  *word = text;
  return text != NULL && read_texts(run, name, 0, 0, text, TRM_MESSAGE_MAX);
}

static bool read_number(const trmi_run *run, const char *name, double *number) {
  return read_whole(run, name, H5T_NATIVE_DOUBLE, 0, 1, number);
}

/* Entries of a list, 0 if it is not there. A list longer than the file is damage. */
static bool read_length(const trmi_run *run, const char *name, H5T_class_t class, int *length) {
  *length = 0;
  if (H5Lexists(run->h5, name, H5P_DEFAULT) <= 0) return true;
  hsize_t dims[2];
  const hid_t id = open_dataset(run, name, 1, class, dims);
  if (id < 0) return false;
  H5Dclose(id);
  if (dims[0] > WIDTH_MAX || dims[0] > run->file.size) return false;
  *length = (int)dims[0];
  return true;
}

/* Two lists of texts as settings. */
static bool read_pairs(trmi_run *run, const char *names, const char *values,
                       const trm_setting **pairs, int *count) {
  *pairs = NULL;
  if (!read_length(run, names, H5T_STRING, count)) return false;
  if (*count == 0) return true;
  const size_t n = (size_t)*count;
  char *name = TRMI_TAKE(&run->arena, char, n * TRMI_WORD_MAX);
  char *value = TRMI_TAKE(&run->arena, char, n * TRMI_VALUE_MAX);
  trm_setting *list = TRMI_TAKE(&run->arena, trm_setting, n);
  if (run->arena.failed || !read_texts(run, names, 1, n, name, TRMI_WORD_MAX) ||
      !read_texts(run, values, 1, n, value, TRMI_VALUE_MAX)) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    list[i] = (trm_setting){.name = name + i * TRMI_WORD_MAX, .value = value + i * TRMI_VALUE_MAX};
  }
  *pairs = list;
  return true;
}

/* The text of a model file; NULL if there is none. */
static bool read_model_text(trmi_run *run, const char **text) {
  *text = NULL;
  if (H5Lexists(run->h5, "model_text", H5P_DEFAULT) <= 0) return true;
  hsize_t dims[2];
  const hid_t id = open_dataset(run, "model_text", 1, H5T_INTEGER, dims);
  if (id < 0) return false;
  H5Dclose(id);
  if (dims[0] > TEXT_MAX || dims[0] > run->file.size * DEFLATE_MOST) return false;
  char *bytes = TRMI_TAKE(&run->arena, char, dims[0] + 1);
  *text = bytes;
  return bytes != NULL && read_whole(run, "model_text", H5T_NATIVE_UCHAR, 1, dims[0], bytes);
}

/* --- tables ----------------------------------------------------------------- */

/* Rows of a table that must have this width. */
static bool read_rows(const trmi_run *run, int which, hsize_t width, long *rows) {
  const table_plan *plan = &table_plans[which];
  hsize_t dims[2] = {0, 1};
  const hid_t id = open_dataset(run, plan->name, plan->rank, plan->class, dims);
  if (id < 0) return false;
  H5Dclose(id);
  const haddr_t most = run->file.size * DEFLATE_MOST / sizeof(double) / width;
  if (dims[1] != width || dims[0] > most || dims[0] > LONG_MAX) return false;
  *rows = (long)dims[0];
  return true;
}

/* A part of a table: rows first[0].., columns first[1]... */
static bool read_part(const trmi_run *run, const char *name, int rank, hid_t type,
                      const hsize_t first[2], const hsize_t count[2], void *data) {
  if (count[0] == 0) return true;
  hsize_t dims[2];
  const hid_t id = open_dataset(run, name, rank, H5Tget_class(type), dims);
  if (id < 0) return false;
  const hid_t space = H5Dget_space(id), memory = H5Screate_simple(rank, count, NULL);
  const bool is_done =
      space >= 0 && memory >= 0 &&
      H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
      H5Sselect_valid(space) > 0 && H5Dread(id, type, memory, space, H5P_DEFAULT, data) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  H5Dclose(id);
  return is_done;
}

/* The last chunk of a table has no checksum of HDF5: compare its rows with their sums. Rows
 * whose sums did not reach the file are believed. */
static bool check_last(trmi_run *run, int which) {
  const table_plan *plan = &table_plans[which];
  if (run->is_checked[which]) return true;
  hsize_t sum_dims[2], dims[2] = {0, 1}, chunk[2] = {0, 1};
  char name[64];
  snprintf(name, sizeof name, "sums/%s", plan->name);
  const hid_t sums = open_dataset(run, name, 2, H5T_INTEGER, sum_dims);
  if (sums < 0) return false;
  H5Dclose(sums);
  const hid_t id = open_dataset(run, plan->name, plan->rank, plan->class, dims);
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
              read_part(run, plan->name, plan->rank, type, first, count, data) &&
              read_part(run, name, 2, H5T_NATIVE_UINT32, first, one_column, sum);
    for (hsize_t i = 0; i < count[0] && is_good; i++) {
      is_good = trmi_lookup3(data + i * row, row, 0) == sum[i];
    }
    trmi_release(&run->arena.allocator, data);
    trmi_release(&run->arena.allocator, sum);
  }
  H5Tclose(type);
  H5Dclose(id);
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

/* --- contents --------------------------------------------------------------- */

static trm_status read_format(trmi_run *run, trm_error *err) {
  char format[TRMI_WORD_MAX * 2];
  if (!read_texts(run, "format", 0, 0, format, sizeof format) ||
      strncmp(format, TRMI_RUN_FORMAT, strlen("trammel run ")) != 0) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' is an HDF5 file of others, not a run file",
                     run->file.path);
  }
  if (strcmp(format, TRMI_RUN_FORMAT) != 0) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' has the format '%s', this version reads '%s'",
                     run->file.path, format, TRMI_RUN_FORMAT);
  }
  return TRM_OK;
}

static double option_number(const trmi_run_info *info, const char *name) {
  for (int i = 0; i < info->noptions; i++) {
    if (strcmp(info->options[i].name, name) != 0) continue;
    char *end;
    const double number = strtod(info->options[i].value, &end);
    if (*end == '\0' && end != info->options[i].value) return number;
  }
  return NAN;
}

static bool read_facts(trmi_run *run) {
  trmi_run_info *info = &run->info;
  info->path = run->file.path;
  const bool is_done =
      read_word(run, "trammel", &info->version) && read_word(run, "model", &info->model) &&
      read_model_text(run, &info->text) &&
      read_word(run, "integrator", &info->integrator) &&
      read_word(run, "formulation", &info->formulation) &&
      read_word(run, "solver", &info->solver) &&
      read_number(run, "resumed_from", &info->resumed_from) &&
      read_number(run, "resumed_energy", &info->energy_initial) &&
      read_pairs(run, "parameters", "parameter_values", &info->settings, &info->nsettings) &&
      read_pairs(run, "options", "option_values", &info->options, &info->noptions);
  if (!is_done) return false;
  info->end = option_number(info, "end");
  info->tolerance = option_number(info, "tolerance");
  return true;
}

static long to_count(double number) {
  return number >= 0.0 && number <= 9e15 ? (long)number : 0;
}

/* How the run ended: one of three words, and the rest if it is over. */
static bool read_end(trmi_run *run) {
  trmi_run_info *info = &run->info;
  const char *status;
  trmi_run_end *end = TRMI_TAKE(&run->arena, trmi_run_end, 1);
  uint32_t sum;
  if (end == NULL || !read_word(run, "status", &status)) return false;
  int word = 2;
  while (word >= 0 && strcmp(status, trmi_run_words[word]) != 0) word--;
  if (word < 0) return false;
  info->status = (trmi_run_status)word;
  info->has_counters = info->status != TRMI_RUN_UNFINISHED;
  info->sentence = info->object = "";
  info->error_t = info->error_h = NAN;
  if (info->status == TRMI_RUN_UNFINISHED) return true;
  if (!read_texts(run, "error", 0, 0, end->sentence, sizeof end->sentence) ||
      !read_texts(run, "error_object", 0, 0, end->object, sizeof end->object) ||
      !read_whole(run, "error_code", H5T_NATIVE_INT64, 0, 1, &end->code) ||
      !read_whole(run, "error_place", H5T_NATIVE_DOUBLE, 1, 2, end->place) ||
      !read_whole(run, "counters", H5T_NATIVE_DOUBLE, 1, TRMI_COUNTERS, end->counters) ||
      !read_whole(run, "end_sum", H5T_NATIVE_UINT32, 0, 1, &sum) ||
      trmi_lookup3(end, sizeof *end, 0) != sum) {
    return false;
  }
  info->sentence = end->sentence;
  info->object = end->object;
  info->code = end->code < 0 && end->code >= TRM_ERR_STOPPED ? (trm_status)end->code : TRM_OK;
  info->error_t = end->place[0];
  info->error_h = end->place[1];
  const double *n = end->counters;
  info->counters = (trm_counters){
    .steps = to_count(n[0]), .rejected_error = to_count(n[1]), .rejected_newton = to_count(n[2]),
    .newton_iterations = to_count(n[3]), .residuals = to_count(n[4]), .jacobians = to_count(n[5]),
    .factorizations = to_count(n[6]), .solves = to_count(n[7]), .lu_entries = to_count(n[8]),
    .events = to_count(n[9]), .step_min = n[10], .step_max = n[11], .violation_position = n[12],
    .violation_velocity = n[13], .seconds = n[14], .seconds_setup = n[15],
    .audit = {.initial = n[16], .motions = n[17], .forces = n[18], .dampers = n[19],
              .friction = n[20], .events = n[21], .imbalance = n[22], .uncertainty = n[23],
              .scale = n[24]},
  };
  return true;
}

static trmi_group find_group(const char *name) {
  for (int g = 0; g < TRMI_GROUPS; g++) {
    if (strcmp(trmi_group_name((trmi_group)g), name) == 0) return (trmi_group)g;
  }
  return TRMI_GROUPS;
}

/* Names, labels, .. of the columns; signal 0 must be the time. */
static bool read_signals(trmi_run *run) {
  int n;
  if (!read_length(run, "names", H5T_STRING, &n) || n == 0) return false;
  const size_t count = (size_t)n;
  run->info.nsignals = n;
  run->signals = TRMI_TAKE(&run->arena, trmi_signal, count);
  run->lists = TRMI_TAKE(&run->arena, signed char, count);
  char *names = TRMI_TAKE(&run->arena, char, count * TRMI_COLUMN_MAX);
  char *labels = TRMI_TAKE(&run->arena, char, count * TRMI_LABEL_MAX);
  char *groups = TRMI_TAKE(&run->arena, char, count * TRMI_UNIT_MAX);
  char *units = TRMI_TAKE(&run->arena, char, count * TRMI_UNIT_MAX);
  char *objects = TRMI_TAKE(&run->arena, char, count * TRM_OBJECT_MAX);
  signed char *kinds = TRMI_TAKE(&run->arena, signed char, count);
  double *scales = TRMI_TAKE(&run->arena, double, count);
  if (run->arena.failed || !read_texts(run, "names", 1, count, names, TRMI_COLUMN_MAX) ||
      !read_texts(run, "labels", 1, count, labels, TRMI_LABEL_MAX) ||
      !read_texts(run, "groups", 1, count, groups, TRMI_UNIT_MAX) ||
      !read_texts(run, "units", 1, count, units, TRMI_UNIT_MAX) ||
      !read_texts(run, "objects", 1, count, objects, TRM_OBJECT_MAX) ||
      !read_whole(run, "kinds", H5T_NATIVE_SCHAR, 1, count, kinds) ||
      !read_whole(run, "lists", H5T_NATIVE_SCHAR, 1, count, run->lists) ||
      !read_whole(run, "scales", H5T_NATIVE_DOUBLE, 1, count, scales)) {
    return false;
  }
  int columns[TRMI_GROUPS + 1] = {0};
  for (size_t i = 0; i < count; i++) {
    trmi_signal *signal = &run->signals[i];
    memcpy(signal->name, names + i * TRMI_COLUMN_MAX, TRMI_COLUMN_MAX);
    memcpy(signal->label, labels + i * TRMI_LABEL_MAX, TRMI_LABEL_MAX);
    memcpy(signal->unit, units + i * TRMI_UNIT_MAX, TRMI_UNIT_MAX);
    memcpy(signal->object, objects + i * TRM_OBJECT_MAX, TRM_OBJECT_MAX);
    signal->kind = kinds[i] >= 0 && kinds[i] <= TRM_KIND_STATE ? (trm_kind)kinds[i] : TRM_KIND_NONE;
    signal->scale = scales[i];
    signal->group = find_group(groups + i * TRMI_UNIT_MAX);
    signal->column = columns[signal->group]++;
    if (signal->group == TRMI_GROUPS) return false;
  }
  return run->signals[0].group == TRMI_TIME;
}

static bool read_sizes(trmi_run *run) {
  trmi_run_info *info = &run->info;
  long texts = 0;
  if (!read_rows(run, SAMPLES, (hsize_t)info->nsignals, &info->nsamples) ||
      !read_rows(run, STEPS, TRMI_STEP_COLUMNS, &info->nsteps) ||
      !read_rows(run, EVENTS, 2, &info->nevents) ||
      !read_rows(run, MESSAGE_TIMES, 1, &info->nmessages) ||
      !read_rows(run, MESSAGES, 1, &texts)) {
    return false;
  }
  if (texts < info->nmessages) info->nmessages = texts;
  if (!read_length(run, "event_names", H5T_STRING, &run->nevent_names)) return false;
  const size_t count = (size_t)run->nevent_names;
  run->events = trmi_arena_take(&run->arena, count, sizeof *run->events);
  return count == 0 || (run->events != NULL && read_texts(run, "event_names", 1, count,
                                                          run->events[0], TRMI_LABEL_MAX));
}

/* --- checkpoints ------------------------------------------------------------ */

static bool is_head(const trmi_checkpoint_head *head) {
  return memcmp(head->mark, TRMI_CHECKPOINT_MARK, sizeof head->mark) == 0 &&
         head->head_sum == trmi_lookup3(head, offsetof(trmi_checkpoint_head, head_sum), 0);
}

static bool add_point(trmi_run *run, const trmi_checkpoint_head *head, hsize_t place) {
  const int count = run->info.ncheckpoints;
  if (count == run->points_room) {
    const int room = count < 64 ? 64 : 2 * count;
    point *points = trmi_allocate(&run->arena.allocator, (size_t)room * sizeof *points);
    if (points == NULL) return false;
    if (count > 0) memcpy(points, run->points, (size_t)count * sizeof *points);
    trmi_release(&run->arena.allocator, run->points);
    run->points = points;
    run->points_room = room;
  }
  run->points[count] = (point){
    .facts = {.t = head->t, .steps = (long)head->steps, .size = head->size},
    .place = place + sizeof *head, .data_sum = head->data_sum};
  run->info.ncheckpoints++;
  return true;
}

/* The next head at or after `place`, which is damaged: look at every eighth byte. */
static bool find_head(const trmi_run *run, hsize_t size, hsize_t *place) {
  unsigned char block[SCAN_BLOCK];
  for (hsize_t at = *place; at + sizeof(trmi_checkpoint_head) <= size;) {
    const hsize_t first[2] = {at, 0};
    const hsize_t count[2] = {size - at < SCAN_BLOCK ? size - at : SCAN_BLOCK, 1};
    if (!read_part(run, "checkpoints", 2, H5T_NATIVE_UCHAR, first, count, block)) return false;
    for (hsize_t i = 0; i + sizeof(trmi_checkpoint_head) <= count[0]; i += 8) {
      trmi_checkpoint_head head;
      memcpy(&head, block + i, sizeof head);
      if (!is_head(&head)) continue;
      *place = at + i;
      return true;
    }
    at += count[0] - (count[0] < SCAN_BLOCK ? 0 : sizeof(trmi_checkpoint_head));
    if (count[0] < SCAN_BLOCK) break;
  }
  *place = size;
  return true;
}

static bool read_points(trmi_run *run) {
  static const char nothing[8] = {0};
  hsize_t dims[2] = {0, 1};
  const hid_t id = open_dataset(run, "checkpoints", 2, H5T_INTEGER, dims);
  if (id < 0) return false;
  H5Dclose(id);
  if (dims[0] > run->file.size) return false;
  trmi_checkpoint_head head;
  for (hsize_t place = 0; place + sizeof head <= dims[0];) {
    const hsize_t first[2] = {place, 0}, count[2] = {sizeof head, 1};
    if (!read_part(run, "checkpoints", 2, H5T_NATIVE_UCHAR, first, count, &head)) return false;
    if (memcmp(head.mark, nothing, sizeof nothing) == 0) break;
    const bool is_good = is_head(&head) && head.size <= dims[0] - place - sizeof head &&
                         head.steps <= LONG_MAX && isfinite(head.t);
    if (!is_good) {
      place += 8;
      if (!find_head(run, dims[0], &place)) return false;
      continue;
    }
    if (!add_point(run, &head, place)) return false;
    place += (sizeof head + head.size + 7) / 8 * 8;
  }
  return true;
}

/* --- open and close --------------------------------------------------------- */

static trm_status read_contents(trmi_run *run, trm_error *err) {
  TRMI_TRY(err, read_format(run, err));
  const char *what = !read_facts(run)     ? "what was run"
                     : !read_end(run)     ? "how the run ended"
                     : !read_signals(run) ? "the list of signals"
                     : !read_sizes(run)   ? "the size of its tables"
                     : !read_points(run)  ? "the list of checkpoints"
                                          : NULL;
  TRMI_TRY(err, trmi_arena_check(&run->arena, err));
  return what != NULL ? damaged(run, what, err) : TRM_OK;
}

/* Time and energy of the start: the first sample of a run that was not resumed. Where that
 * cannot be read they are not known. */
static void read_start(trmi_run *run) {
  trmi_run_info *info = &run->info;
  info->start = info->resumed_from;
  if (info->nsamples == 0 || !isnan(info->start)) return;
  double kinetic = NAN, potential = NAN;
  trm_error ignored;
  for (int i = 0; i < info->nsignals; i++) {
    const trmi_signal *signal = &run->signals[i];
    double *value = signal->group == TRMI_TIME                                ? &info->start
                    : signal->group == TRMI_ENERGY && signal->column == 0 ? &kinetic
                    : signal->group == TRMI_ENERGY && signal->column == 1 ? &potential
                                                                          : NULL;
    if (value != NULL && trmi_run_read_range(run, i, 0, 1, value, &ignored) != TRM_OK) return;
  }
  info->energy_initial = kinetic + potential;
}

trm_status trmi_run_open(const char *path, const trm_allocator *allocator, trmi_run **out,
                         trm_error *err) {
  static const trm_allocator none = {0};
  if (allocator == NULL) allocator = &none;
  *out = NULL;
  trmi_run *run = trmi_allocate(allocator, sizeof *run);
  if (run == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "no room to read a run");
  *run = (trmi_run){.h5 = -1};
  run->file.fd = -1;
  trmi_arena_init(&run->arena, allocator);
  char *copy = TRMI_TAKE(&run->arena, char, strlen(path) + 1);
  if (copy != NULL) memcpy(copy, path, strlen(path) + 1);
  trm_status status = trmi_arena_check(&run->arena, err);
  if (status == TRM_OK) status = trmi_run_file_open(&run->file, copy, err);
  if (status == TRM_OK) {
    const trmi_silence before = trmi_silence_begin();
    run->h5 = trmi_run_file_h5(&run->file);
    status = run->h5 >= 0 ? read_contents(run, err) : damaged(run, "its list of contents", err);
    trmi_silence_end(before);
  }
  if (status != TRM_OK) {
    trmi_run_close(run);
    return trmi_note(err, __func__, status);
  }
  read_start(run);
  *out = run;
  return TRM_OK;
}

void trmi_run_close(trmi_run *run) {
  if (run == NULL) return;
  const trmi_silence before = trmi_silence_begin();
  if (run->h5 >= 0) H5Fclose(run->h5);
  trmi_silence_end(before);
  trmi_run_file_close(&run->file);
  const trm_allocator allocator = run->arena.allocator;
  trmi_release(&allocator, run->points);
  trmi_arena_clear(&run->arena);
  trmi_release(&allocator, run);
}

const trmi_run_info *trmi_run_info_of(const trmi_run *run) {
  return &run->info;
}

/* --- signals ---------------------------------------------------------------- */

const trmi_signal *trmi_run_signal(const trmi_run *run, int i) {
  return &run->signals[i];
}

static const char *signal_name(const void *list, int i) {
  return trmi_run_signal(list, i)->name;
}

/* "velocities/x" */
static bool is_full_name(const trmi_signal *signal, const char *name) {
  const char *group = trmi_group_name(signal->group);
  const size_t length = strlen(group);
  return strncmp(name, group, length) == 0 && name[length] == '/' &&
         strcmp(name + length + 1, signal->label) == 0;
}

trm_status trmi_run_find(const trmi_run *run, const char *name, int *index, trm_error *err) {
  for (int full = 0; full < 2; full++) {
    for (*index = 0; *index < run->info.nsignals; ++*index) {
      const trmi_signal *signal = &run->signals[*index];
      if (full != 0 ? is_full_name(signal, name) : strcmp(signal->name, name) == 0) return TRM_OK;
    }
  }
  *index = -1;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                   "'%.150s' has no signal '%.60s', the nearest one is '%s'", run->file.path, name,
                   trmi_nearest(name, run, run->info.nsignals, signal_name));
}

trm_status trmi_run_read_block(trmi_run *run, int signal, int nsignals, long first, long count,
                               double *values, trm_error *err) {
  if (!is_inside(signal, nsignals, run->info.nsignals) || nsignals == 0 ||
      !is_inside(first, count, run->info.nsamples)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run has no samples %ld to %ld of signal %d",
                     first, first + count - 1, signal);
  }
  const hsize_t at[2] = {(hsize_t)first, (hsize_t)signal};
  const hsize_t size[2] = {(hsize_t)count, (hsize_t)nsignals};
  const trmi_silence before = trmi_silence_begin();
  const bool is_done = check_last(run, SAMPLES) &&
                       read_part(run, "samples", 2, H5T_NATIVE_DOUBLE, at, size, values);
  trmi_silence_end(before);
  return is_done ? TRM_OK : damaged(run, "a part of its samples", err);
}

trm_status trmi_run_read_range(trmi_run *run, int signal, long first, long count, double *values,
                               trm_error *err) {
  TRMI_TRY(err, trmi_run_read_block(run, signal, 1, first, count, values, err));
  return TRM_OK;
}

trm_status trmi_run_read_signal(trmi_run *run, int signal, double *values, trm_error *err) {
  TRMI_TRY(err, trmi_run_read_range(run, signal, 0, run->info.nsamples, values, err));
  return TRM_OK;
}

trm_status trmi_run_read_times(trmi_run *run, double *times, trm_error *err) {
  TRMI_TRY(err, trmi_run_read_signal(run, 0, times, err));
  return TRM_OK;
}

void trmi_run_label(const trmi_run *run, trm_quantity list, int index, trm_label *label) {
  *label = (trm_label){.name = "?"};
  if (list == TRM_EVENT && index >= 0 && index < run->nevent_names) {
    memcpy(label->name, run->events[index], sizeof label->name);
    return;
  }
  for (int i = 0, place = 0; i < run->info.nsignals && index >= 0; i++) {
    const trmi_signal *signal = &run->signals[i];
    const bool is_rate = signal->group == TRMI_ACCELERATIONS || signal->group == TRMI_STATE_RATES;
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
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run has %ld %s, not %ld to %ld", rows, what,
                   first, first + count - 1);
}

static trm_step_record to_step(const double row[TRMI_STEP_COLUMNS]) {
  const int most = INT_MAX - 1;
  return (trm_step_record){
    .t = row[TRMI_STEP_T], .h = row[TRMI_STEP_H], .accepted = row[TRMI_STEP_ACCEPTED] == 1.0,
    .limit = (trm_limit)to_int(row[TRMI_STEP_LIMIT], TRM_LIMIT_MAXIMUM, TRM_LIMIT_NONE),
    .list = (trm_quantity)to_int(row[TRMI_STEP_LIST], TRM_STIFF, TRM_Q),
    .index = to_int(row[TRMI_STEP_INDEX], most, -1), .error = row[TRMI_STEP_ERROR],
    .iterations = to_int(row[TRMI_STEP_ITERATIONS], most, 0),
    .violation_position = row[TRMI_STEP_POSITION], .violation_velocity = row[TRMI_STEP_VELOCITY],
  };
}

trm_status trmi_run_read_steps(trmi_run *run, long first, long count, trm_step_record *steps,
                               trm_error *err) {
  if (!is_inside(first, count, run->info.nsteps)) {
    return out_of_range("attempted steps", first, count, run->info.nsteps, err);
  }
  double rows[STEP_BLOCK][TRMI_STEP_COLUMNS];
  const trmi_silence before = trmi_silence_begin();
  bool is_done = check_last(run, STEPS);
  for (long done = 0; done < count && is_done; done += STEP_BLOCK) {
    const long part = count - done < STEP_BLOCK ? count - done : STEP_BLOCK;
    const hsize_t at[2] = {(hsize_t)(first + done), 0};
    const hsize_t size[2] = {(hsize_t)part, TRMI_STEP_COLUMNS};
    is_done = read_part(run, "steps", 2, H5T_NATIVE_DOUBLE, at, size, rows);
    for (long i = 0; i < part && is_done; i++) steps[done + i] = to_step(rows[i]);
  }
  trmi_silence_end(before);
  return is_done ? TRM_OK : damaged(run, "a part of its steps", err);
}

trm_status trmi_run_read_events(trmi_run *run, long first, long count, trmi_run_event *events,
                                trm_error *err) {
  if (!is_inside(first, count, run->info.nevents)) {
    return out_of_range("events", first, count, run->info.nevents, err);
  }
  const trmi_silence before = trmi_silence_begin();
  bool is_done = check_last(run, EVENTS);
  for (long i = 0; i < count && is_done; i++) {
    const hsize_t at[2] = {(hsize_t)(first + i), 0}, size[2] = {1, 2};
    double row[2];
    is_done = read_part(run, "events", 2, H5T_NATIVE_DOUBLE, at, size, row);
    if (is_done) events[i] = (trmi_run_event){row[0], to_int(row[1], INT_MAX - 1, -1)};
  }
  trmi_silence_end(before);
  return is_done ? TRM_OK : damaged(run, "a part of its events", err);
}

trm_status trmi_run_read_messages(trmi_run *run, long first, long count,
                                  trmi_run_message *messages, trm_error *err) {
  if (!is_inside(first, count, run->info.nmessages)) {
    return out_of_range("messages", first, count, run->info.nmessages, err);
  }
  const trmi_silence before = trmi_silence_begin();
  const hid_t type = H5Tcopy(H5T_C_S1);
  bool is_done = type >= 0 && H5Tset_size(type, TRM_MESSAGE_MAX) >= 0 &&
                 check_last(run, MESSAGE_TIMES) && check_last(run, MESSAGES);
  for (long i = 0; i < count && is_done; i++) {
    const hsize_t at[2] = {(hsize_t)(first + i), 0}, size[2] = {1, 1};
    is_done = read_part(run, "message_times", 1, H5T_NATIVE_DOUBLE, at, size, &messages[i].t) &&
              read_part(run, "messages", 1, type, at, size, messages[i].text);
    messages[i].text[TRM_MESSAGE_MAX - 1] = '\0';
  }
  if (type >= 0) H5Tclose(type);
  trmi_silence_end(before);
  return is_done ? TRM_OK : damaged(run, "a part of its messages", err);
}

const trmi_run_checkpoint *trmi_run_checkpoint_at(const trmi_run *run, int k) {
  return &run->points[k].facts;
}

trm_status trmi_run_read_checkpoint(trmi_run *run, int k, void *data, trm_error *err) {
  const point *p = &run->points[k];
  const hsize_t at[2] = {p->place, 0}, size[2] = {p->facts.size, 1};
  const trmi_silence before = trmi_silence_begin();
  const bool is_done = read_part(run, "checkpoints", 2, H5T_NATIVE_UCHAR, at, size, data) &&
                       trmi_lookup3(data, p->facts.size, 0) == p->data_sum;
  trmi_silence_end(before);
  if (is_done) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_IO, NULL, "the checkpoint at t = %.9g %s in '%.200s' is damaged",
                   p->facts.t, trmi_run_signal(run, 0)->unit, run->file.path);
}
