/* run_read.c - read a run file.
 *
 * HDF5 verifies its structures by checksums and our tables have one per chunk, so damage is
 * detected before data are used; the rest is checked here: types, sizes, ranges of numbers, ends of
 * texts. */
#include "io/columns.h"
#include "io/lookup3.h"
#include "io/run_read_internal.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCAN_BLOCK = 1 << 14, WIDTH_MAX = 1 << 24, TEXT_MAX = 1 << 28 /* bytes of a model */ };

/* Bound of the compression ratio of a chunk. */
static const haddr_t DEFLATE_MOST = 1032;

const table_plan trmi_table_plans[TABLES] = {
  [SAMPLES] = {"samples", "sums/samples", 2, H5T_FLOAT},
  [STEPS] = {"steps", "sums/steps", 2, H5T_FLOAT},
  [EVENTS] = {"events", "sums/events", 2, H5T_FLOAT},
  [MESSAGE_TIMES] = {"message_times", "sums/message_times", 1, H5T_FLOAT},
  [MESSAGES] = {"messages", "sums/messages", 1, H5T_STRING},
};

trm_status trmi_run_damaged(const trm_run *run, const char *what, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' is damaged: %s cannot be read",
                   run->file.path, what);
}

/* --- single datasets -------------------------------------------------------- */

/* Read a whole dataset of rank 0 or 1 with exactly `count` entries. */
static bool read_whole(trm_run *run, const char *name, hid_t type, int rank, hsize_t count,
                       void *data) {
  hsize_t dims[2] = {1, 1};
  const hid_t id = trmi_run_dataset(run, name, rank, H5Tget_class(type), dims);
  return id >= 0 && (rank == 0 || dims[0] == count) &&
         H5Dread(id, type, H5S_ALL, H5S_ALL, run->file.transfer, data) >= 0;
}

/* Texts of `size` bytes with the last one zero, whatever the file contains. */
static bool read_texts(trm_run *run, const char *name, int rank, hsize_t count, char *texts,
                       size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  const bool is_done = read_whole(run, name, type, rank, count, texts);
  H5Tclose(type);
  for (hsize_t i = 0; i < (count > 0 ? count : 1) && is_done; i++) texts[(i + 1) * size - 1] = '\0';
  return is_done;
}

static bool read_word(trm_run *run, const char *name, const char **word) {
  char *text = TRMI_TAKE(&run->arena, char, TRM_MESSAGE_MAX);
  *word = text;
  return text != NULL && read_texts(run, name, 0, 0, text, TRM_MESSAGE_MAX);
}

static bool read_number(trm_run *run, const char *name, double *number) {
  return read_whole(run, name, H5T_NATIVE_DOUBLE, 0, 1, number);
}

/* Number of entries of a list, 0 if it does not exist. A list longer than the file is damage. */
static bool read_length(trm_run *run, const char *name, H5T_class_t class, int *length) {
  *length = 0;
  if (!trmi_run_has(run, name)) return true;
  hsize_t dims[2];
  if (trmi_run_dataset(run, name, 1, class, dims) < 0) return false;
  if (dims[0] > WIDTH_MAX || dims[0] > run->file.size) return false;
  *length = (int)dims[0];
  return true;
}

/* Two lists of texts as settings. */
static bool read_pairs(trm_run *run, const char *names, const char *values,
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
static bool read_model_text(trm_run *run, const char **text) {
  *text = NULL;
  if (!trmi_run_has(run, "model_text")) return true;
  hsize_t dims[2];
  if (trmi_run_dataset(run, "model_text", 1, H5T_INTEGER, dims) < 0) return false;
  if (dims[0] > TEXT_MAX || dims[0] > run->file.size * DEFLATE_MOST) return false;
  char *bytes = TRMI_TAKE(&run->arena, char, dims[0] + 1);
  *text = bytes;
  return bytes != NULL && read_whole(run, "model_text", H5T_NATIVE_UCHAR, 1, dims[0], bytes);
}

/* --- tables ----------------------------------------------------------------- */

/* Rows of a table that must have this width. */
static bool read_rows(trm_run *run, int which, hsize_t width, long *rows) {
  const table_plan *plan = &trmi_table_plans[which];
  hsize_t dims[2] = {0, 1};
  if (trmi_run_dataset(run, plan->name, plan->rank, plan->class, dims) < 0) return false;
  const haddr_t most = run->file.size * DEFLATE_MOST / sizeof(double) / width;
  if (dims[1] != width || dims[0] > most || dims[0] > LONG_MAX) return false;
  *rows = (long)dims[0];
  return true;
}

/* --- contents --------------------------------------------------------------- */

static trm_status read_format(trm_run *run, trm_error *err) {
  char format[TRMI_WORD_MAX * 2];
  if (!read_texts(run, "format", 0, 0, format, sizeof format) ||
      strncmp(format, TRMI_RUN_FORMAT, strlen("trammel run ")) != 0) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' is an HDF5 file of another program, not a "
                                            "run file",
                     run->file.path);
  }
  if (strcmp(format, TRMI_RUN_FORMAT) != 0) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' has the format '%s', this version reads '%s'",
                     run->file.path, format, TRMI_RUN_FORMAT);
  }
  return TRM_OK;
}

static double option_number(const trm_run_info *info, const char *name) {
  for (int i = 0; i < info->noptions; i++) {
    if (strcmp(info->options[i].name, name) != 0) continue;
    char *end;
    const double number = strtod(info->options[i].value, &end);
    if (*end == '\0' && end != info->options[i].value) return number;
  }
  return NAN;
}

static bool read_facts(trm_run *run) {
  trm_run_info *info = &run->info;
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
static bool read_end(trm_run *run) {
  trm_run_info *info = &run->info;
  const char *status;
  trmi_run_end *end = TRMI_TAKE(&run->arena, trmi_run_end, 1);
  uint32_t sum;
  int count = 0;
  if (end == NULL || !read_word(run, "status", &status)) return false;
  int word = 2;
  while (word >= 0 && strcmp(status, trmi_run_words[word]) != 0) word--;
  if (word < 0) return false;
  info->status = (trm_run_status)word;
  info->has_counters = info->status != TRM_RUN_UNFINISHED;
  info->sentence = info->object = "";
  info->error_t = info->error_h = NAN;
  if (info->status == TRM_RUN_UNFINISHED) return true;
  if (!read_texts(run, "error", 0, 0, end->sentence, sizeof end->sentence) ||
      !read_texts(run, "error_object", 0, 0, end->object, sizeof end->object) ||
      !read_whole(run, "error_code", H5T_NATIVE_INT64, 0, 1, &end->code) ||
      !read_whole(run, "error_place", H5T_NATIVE_DOUBLE, 1, 2, end->place) ||
      !read_length(run, "counters", H5T_FLOAT, &count) || count > TRMI_COUNTERS ||
      !read_whole(run, "counters", H5T_NATIVE_DOUBLE, 1, (hsize_t)count, end->counters) ||
      !read_whole(run, "end_sum", H5T_NATIVE_UINT32, 0, 1, &sum) ||
      trmi_lookup3(end, offsetof(trmi_run_end, counters) + (size_t)count * sizeof(double), 0) !=
          sum) {
    return false;
  }
  for (int i = count; i < TRMI_COUNTERS; i++) end->counters[i] = NAN; /* unknown to older files */
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
    .errors = {.sum = n[25], .list = n[26] == TRM_X ? TRM_X : TRM_V,
               .index = n[27] >= 0.0 && n[27] <= INT_MAX ? (int)n[27] : -1},
  };
  return true;
}

static trm_signal_group find_group(const char *name) {
  for (int g = 0; g < TRM_GROUPS; g++) {
    if (strcmp(trm_signal_group_name((trm_signal_group)g), name) == 0) return (trm_signal_group)g;
  }
  return TRM_GROUPS;
}

/* Names, labels, .. of the columns; signal 0 must be the time. */
static bool read_signals(trm_run *run) {
  int n;
  if (!read_length(run, "names", H5T_STRING, &n) || n == 0) return false;
  const size_t count = (size_t)n;
  run->info.nsignals = n;
  run->signals = TRMI_TAKE(&run->arena, trm_signal, count);
  run->lists = TRMI_TAKE(&run->arena, signed char, count);
  char *names = TRMI_TAKE(&run->arena, char, count * TRM_COLUMN_MAX);
  char *labels = TRMI_TAKE(&run->arena, char, count * TRM_LABEL_MAX);
  char *groups = TRMI_TAKE(&run->arena, char, count * TRM_UNIT_MAX);
  char *units = TRMI_TAKE(&run->arena, char, count * TRM_UNIT_MAX);
  char *objects = TRMI_TAKE(&run->arena, char, count * TRM_OBJECT_MAX);
  signed char *kinds = TRMI_TAKE(&run->arena, signed char, count);
  double *scales = TRMI_TAKE(&run->arena, double, count);
  if (run->arena.failed || !read_texts(run, "names", 1, count, names, TRM_COLUMN_MAX) ||
      !read_texts(run, "labels", 1, count, labels, TRM_LABEL_MAX) ||
      !read_texts(run, "groups", 1, count, groups, TRM_UNIT_MAX) ||
      !read_texts(run, "units", 1, count, units, TRM_UNIT_MAX) ||
      !read_texts(run, "objects", 1, count, objects, TRM_OBJECT_MAX) ||
      !read_whole(run, "kinds", H5T_NATIVE_SCHAR, 1, count, kinds) ||
      !read_whole(run, "lists", H5T_NATIVE_SCHAR, 1, count, run->lists) ||
      !read_whole(run, "scales", H5T_NATIVE_DOUBLE, 1, count, scales)) {
    return false;
  }
  int columns[TRM_GROUPS + 1] = {0};
  for (size_t i = 0; i < count; i++) {
    trm_signal *signal = &run->signals[i];
    memcpy(signal->name, names + i * TRM_COLUMN_MAX, TRM_COLUMN_MAX);
    memcpy(signal->label, labels + i * TRM_LABEL_MAX, TRM_LABEL_MAX);
    memcpy(signal->unit, units + i * TRM_UNIT_MAX, TRM_UNIT_MAX);
    memcpy(signal->object, objects + i * TRM_OBJECT_MAX, TRM_OBJECT_MAX);
    if (kinds[i] >= 0 && kinds[i] <= TRM_KIND_BRISTLE) signal->kind = (trm_kind)kinds[i];
    signal->scale = scales[i];
    signal->group = find_group(groups + i * TRM_UNIT_MAX);
    signal->column = columns[signal->group]++;
    if (signal->group == TRM_GROUPS) return false;
  }
  return run->signals[0].group == TRM_GROUP_TIME;
}

/* The column `order` is missing in older files. */
static bool read_steps_size(trm_run *run) {
  for (int width = TRMI_STEP_COLUMNS; width >= TRMI_STEP_COLUMNS_OLD; width--) {
    run->step_width = width;
    if (read_rows(run, STEPS, (hsize_t)width, &run->info.nsteps)) return true;
  }
  return false;
}

/* Texts of a list that may be missing. */
static bool read_names(trm_run *run, const char *name, int *count,
                       char (**names)[TRM_LABEL_MAX]) {
  if (!read_length(run, name, H5T_STRING, count)) return false;
  const size_t n = (size_t)*count;
  *names = trmi_arena_take(&run->arena, n, sizeof **names);
  return n == 0 || (*names != NULL && read_texts(run, name, 1, n, (*names)[0], TRM_LABEL_MAX));
}

static bool read_sizes(trm_run *run) {
  trm_run_info *info = &run->info;
  long texts = 0;
  if (!read_rows(run, SAMPLES, (hsize_t)info->nsignals, &info->nsamples) ||
      !read_steps_size(run) ||
      !read_rows(run, EVENTS, 2, &info->nevents) ||
      !read_rows(run, MESSAGE_TIMES, 1, &info->nmessages) ||
      !read_rows(run, MESSAGES, 1, &texts)) {
    return false;
  }
  if (texts < info->nmessages) info->nmessages = texts;
  return read_names(run, "event_names", &run->nevent_names, &run->events) &&
         read_names(run, "gap_names", &run->ngap_names, &run->gaps) &&
         read_names(run, "slip_names", &run->nslip_names, &run->slips);
}

/* --- checkpoints ------------------------------------------------------------ */

static bool is_head(const trmi_checkpoint_head *head) {
  return memcmp(head->mark, TRMI_CHECKPOINT_MARK, sizeof head->mark) == 0 &&
         head->head_sum == trmi_lookup3(head, offsetof(trmi_checkpoint_head, head_sum), 0);
}

static bool add_point(trm_run *run, const trmi_checkpoint_head *head, hsize_t place) {
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

static bool read_bytes(trm_run *run, const hsize_t first[2], const hsize_t count[2],
                       void *data) {
  return trmi_run_read_part(run, "checkpoints", 2, H5T_NATIVE_UCHAR, first, count, data);
}

/* The next head at or after `place`, which is damaged: look at every eighth byte. */
static bool find_head(trm_run *run, hsize_t size, hsize_t *place) {
  unsigned char block[SCAN_BLOCK];
  for (hsize_t at = *place; at + sizeof(trmi_checkpoint_head) <= size;) {
    const hsize_t first[2] = {at, 0};
    const hsize_t count[2] = {size - at < SCAN_BLOCK ? size - at : SCAN_BLOCK, 1};
    if (!read_bytes(run, first, count, block)) return false;
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

static bool read_points(trm_run *run) {
  static const char nothing[8] = {0};
  hsize_t dims[2] = {0, 1};
  if (trmi_run_dataset(run, "checkpoints", 2, H5T_INTEGER, dims) < 0) return false;
  if (dims[0] > run->file.size) return false;
  trmi_checkpoint_head head;
  for (hsize_t place = 0; place + sizeof head <= dims[0];) {
    const hsize_t first[2] = {place, 0}, count[2] = {sizeof head, 1};
    if (!read_bytes(run, first, count, &head)) return false;
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

static trm_status read_contents(trm_run *run, trm_error *err) {
  TRMI_TRY(err, read_format(run, err));
  const char *what = !read_facts(run)     ? "what was run"
                     : !read_end(run)     ? "how the run ended"
                     : !read_signals(run) ? "the list of signals"
                     : !read_sizes(run)   ? "the size of its tables"
                     : !read_points(run)  ? "the list of checkpoints"
                                          : NULL;
  TRMI_TRY(err, trmi_arena_check(&run->arena, err));
  return what != NULL ? trmi_run_damaged(run, what, err) : TRM_OK;
}

/* Time and energy of the start: the first sample of a run that was not resumed. If that cannot be
 * read they are unknown. */
static void read_start(trm_run *run) {
  trm_run_info *info = &run->info;
  info->seconds = trmi_unit_seconds(run->signals[0].unit);
  info->start = info->resumed_from;
  if (info->nsamples == 0 || !isnan(info->start)) return;
  double kinetic = NAN, potential = NAN;
  trm_error ignored;
  for (int i = 0; i < info->nsignals; i++) {
    const trm_signal *signal = &run->signals[i];
    double *value = signal->group == TRM_GROUP_TIME                                ? &info->start
                    : signal->group == TRM_GROUP_ENERGY && signal->column == 0 ? &kinetic
                    : signal->group == TRM_GROUP_ENERGY && signal->column == 1 ? &potential
                                                                          : NULL;
    if (value != NULL && trm_run_read_range(run, i, 0, 1, value, &ignored) != TRM_OK) return;
  }
  info->energy_initial = kinetic + potential;
}

trm_status trm_run_open(const char *path, const trm_allocator *allocator, trm_run **out,
                         trm_error *err) {
  TRMI_NEED(err, out);
  static const trm_allocator none = {0};
  if (allocator == NULL) allocator = &none;
  *out = NULL;
  TRMI_NEED(err, path);
  trm_run *run = trmi_allocate(allocator, sizeof *run);
  if (run == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory to read a run");
  *run = (trm_run){.h5 = -1};
  run->file.fd = -1;
  trmi_arena_init(&run->arena, allocator);
  char *copy = TRMI_TAKE(&run->arena, char, strlen(path) + 1);
  if (copy != NULL) memcpy(copy, path, strlen(path) + 1);
  trm_status status = trmi_arena_check(&run->arena, err);
  if (status == TRM_OK) status = trmi_run_file_open(&run->file, copy, err);
  if (status == TRM_OK) {
    const trmi_silence before = trmi_silence_begin();
    run->h5 = trmi_run_file_h5(&run->file);
    status = run->h5 >= 0 ? read_contents(run, err)
                          : trmi_run_damaged(run, "its list of contents", err);
    trmi_silence_end(before);
  }
  if (status != TRM_OK) {
    trm_run_close(run);
    return trmi_note(err, __func__, status);
  }
  read_start(run);
  *out = run;
  return TRM_OK;
}

void trm_run_close(trm_run *run) {
  if (run == NULL) return;
  const trmi_silence before = trmi_silence_begin();
  trmi_run_close_datasets(run);
  if (run->h5 >= 0) H5Fclose(run->h5);
  trmi_silence_end(before);
  trmi_run_file_close(&run->file);
  const trm_allocator allocator = run->arena.allocator;
  trmi_release(&allocator, run->points);
  trmi_arena_clear(&run->arena);
  trmi_release(&allocator, run);
}

const trm_run_info *trm_run_info_of(const trm_run *run) {
  if (run == NULL) return NULL;
  return &run->info;
}
