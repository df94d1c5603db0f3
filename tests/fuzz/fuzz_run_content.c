/* Contents of run files: an input is a list of changes of good contents, with checksums made right
 * again, which the reader gets from memory instead of HDF5. Damage that HDF5 itself meets is for
 * fuzz_run_file, which is a thousand times slower. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/lookup3.h"
#include "io/run_format.h"
#include <math.h>
#include <unistd.h>

#include "memory_hdf5.h"
#include "run_reading.h"

enum {
  CHANGES = 6, FILE_BYTES = 4096, SIGNALS = TRM_GROUPS + 1, SAMPLES = 6, STEPS = 8, EVENTS = 2,
  MESSAGES = 2, TABLES = 5, DATA = 40, POINT = sizeof(trmi_checkpoint_head) + DATA,
  POOL = 1 << 18, STEPS_EXPLAINED = 1000
};

/* ---- good contents --------------------------------------------------------------------------- */

static struct {
  char     names[SIGNALS][TRM_COLUMN_MAX], labels[SIGNALS][TRM_LABEL_MAX];
  char     groups[SIGNALS][TRM_UNIT_MAX], units[SIGNALS][TRM_UNIT_MAX];
  char     objects[SIGNALS][TRM_OBJECT_MAX];
  int8_t   kinds[SIGNALS], lists[SIGNALS];
  double   scales[SIGNALS], samples[SAMPLES][SIGNALS], steps[STEPS][TRMI_STEP_COLUMNS];
  double   events[EVENTS][2], times[MESSAGES];
  char     messages[MESSAGES][TRM_MESSAGE_MAX];
  uint32_t sums[TABLES][STEPS];
  char     options[2][TRMI_WORD_MAX], values[2][TRMI_VALUE_MAX];
  char     parts[2][TRM_LABEL_MAX], words[9][TRM_MESSAGE_MAX];
  double   nothing, place[2], counters[TRMI_COUNTERS];
  int64_t  code;
  uint32_t end_sum;
  uint8_t  points[2 * POINT];
  memory_content contents[MEMORY_CONTENTS];
  int      ncontents;
} good;

static char file_path[64];
static const char *const tables[TABLES] = {"samples", "steps", "events", "message_times",
                                           "messages"};
static const char *const sums[TABLES] = {"sums/samples", "sums/steps", "sums/events",
                                         "sums/message_times", "sums/messages"};

static void add(const char *name, memory_type type, int rank, hsize_t rows, hsize_t columns,
                const void *bytes) {
  FUZZ_REQUIRE(good.ncontents < MEMORY_CONTENTS);
  good.contents[good.ncontents++] = (memory_content){
    .name = name, .type = type, .rank = rank, .dims = {rows, columns}, .chunk = {4, columns},
    .is_chunked = rank > 0, .is_there = true, .bytes = bytes,
    .size = type.size * (size_t)(rank > 0 ? rows : 1) * (size_t)(rank > 1 ? columns : 1)};
}

static memory_type text_of(size_t size) {
  return (memory_type){.class = H5T_STRING, .size = size};
}

static memory_type whole_of(size_t size, bool is_signed) {
  return (memory_type){.class = H5T_INTEGER, .size = size, .is_signed = is_signed};
}

static const memory_type real = {.class = H5T_FLOAT, .size = 8, .is_signed = true};

static void add_words(void) {
  static const char *const words[9][2] = {
    {"format", TRMI_RUN_FORMAT}, {"trammel", "0.1.0"}, {"model", "chain"}, {"integrator", "hht"},
    {"formulation", "si2"}, {"solver", "block"}, {"status", "ok"}, {"error", ""},
    {"error_object", ""}};
  for (int i = 0; i < 9; i++) {
    snprintf(good.words[i], TRM_MESSAGE_MAX, "%s", words[i][1]);
    add(words[i][0], text_of(i < 8 ? TRM_MESSAGE_MAX : TRM_OBJECT_MAX), 0, 0, 0, good.words[i]);
  }
  good.nothing = NAN;
  add("resumed_from", real, 0, 0, 0, &good.nothing);
  add("resumed_energy", real, 0, 0, 0, &good.nothing);
  add("error_code", whole_of(8, true), 0, 0, 0, &good.code);
  add("error_place", real, 1, 2, 0, good.place);
  add("counters", real, 1, TRMI_COUNTERS, 0, good.counters);
  add("end_sum", whole_of(4, false), 0, 0, 0, &good.end_sum);
  snprintf(good.options[0], TRMI_WORD_MAX, "end");
  snprintf(good.options[1], TRMI_WORD_MAX, "tolerance");
  snprintf(good.values[0], TRMI_VALUE_MAX, "4");
  snprintf(good.values[1], TRMI_VALUE_MAX, "1e-5");
  add("options", text_of(TRMI_WORD_MAX), 1, 2, 0, good.options);
  add("option_values", text_of(TRMI_VALUE_MAX), 1, 2, 0, good.values);
  add("parameters", text_of(TRMI_WORD_MAX), 1, 1, 0, good.options);
  add("parameter_values", text_of(TRMI_VALUE_MAX), 1, 1, 0, good.values);
  add("model_text", whole_of(1, false), 1, 11, 0, "trammel: 1\n");
}

static void add_signals(void) {
  for (int i = 0; i < SIGNALS; i++) {
    const int group = i < TRM_GROUPS ? i : TRM_GROUP_ENERGY;
    snprintf(good.names[i], TRM_COLUMN_MAX, "s%d", i);
    snprintf(good.labels[i], TRM_LABEL_MAX, "l%d", i);
    snprintf(good.groups[i], TRM_UNIT_MAX, "%s", trm_signal_group_name((trm_signal_group)group));
    snprintf(good.units[i], TRM_UNIT_MAX, "s");
    snprintf(good.objects[i], TRM_OBJECT_MAX, "body 'b%d'", i);
    good.lists[i] = (int8_t)(i % 5 - 1);
    good.scales[i] = 1.0;
    for (int k = 0; k < SAMPLES; k++) good.samples[k][i] = i == 0 ? 0.5 * k : sin(i + k);
  }
  add("names", text_of(TRM_COLUMN_MAX), 1, SIGNALS, 0, good.names);
  add("labels", text_of(TRM_LABEL_MAX), 1, SIGNALS, 0, good.labels);
  add("groups", text_of(TRM_UNIT_MAX), 1, SIGNALS, 0, good.groups);
  add("units", text_of(TRM_UNIT_MAX), 1, SIGNALS, 0, good.units);
  add("objects", text_of(TRM_OBJECT_MAX), 1, SIGNALS, 0, good.objects);
  add("kinds", whole_of(1, true), 1, SIGNALS, 0, good.kinds);
  add("lists", whole_of(1, true), 1, SIGNALS, 0, good.lists);
  add("scales", real, 1, SIGNALS, 0, good.scales);
  snprintf(good.parts[0], TRM_LABEL_MAX, "hit");
  snprintf(good.parts[1], TRM_LABEL_MAX, "stop");
  add("event_names", text_of(TRM_LABEL_MAX), 1, 2, 0, good.parts);
  add("gap_names", text_of(TRM_LABEL_MAX), 1, 2, 0, good.parts);
  add("slip_names", text_of(TRM_LABEL_MAX), 1, 2, 0, good.parts);
}

static void add_tables(void) { /* first, in the order of `tables`, then their sums */
  for (int i = 0; i < STEPS; i++) {
    good.steps[i][TRMI_STEP_T] = 0.5 * i, good.steps[i][TRMI_STEP_H] = 0.5;
    good.steps[i][TRMI_STEP_ACCEPTED] = i % 3 != 0, good.steps[i][TRMI_STEP_LIMIT] = i;
    good.steps[i][TRMI_STEP_ERROR] = 0.4, good.steps[i][TRMI_STEP_ORDER] = 2;
  }
  snprintf(good.messages[0], TRM_MESSAGE_MAX, "a message");
  add(tables[0], real, 2, SAMPLES, SIGNALS, good.samples);
  add(tables[1], real, 2, STEPS, TRMI_STEP_COLUMNS, good.steps);
  add(tables[2], real, 2, EVENTS, 2, good.events);
  add(tables[3], real, 1, MESSAGES, 1, good.times);
  add(tables[4], text_of(TRM_MESSAGE_MAX), 1, MESSAGES, 1, good.messages);
  for (int i = 0; i < TABLES; i++) {
    add(sums[i], whole_of(4, false), 2, good.contents[i].dims[0], 1, good.sums[i]);
  }
}

static void put_point(uint8_t *to, trmi_checkpoint_head head) {
  memcpy(head.mark, TRMI_CHECKPOINT_MARK, sizeof head.mark);
  head.head_sum = trmi_lookup3(&head, offsetof(trmi_checkpoint_head, head_sum), 0);
  memcpy(to, &head, sizeof head);
}

/* The reader looks at a file before it asks HDF5: that of a run, of which only the beginning
 * counts. */
static void make_file(void) {
  static uint8_t bytes[FILE_BYTES] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 3, 8, 8, 0};
  const uint32_t sum = trmi_lookup3(bytes, 44, 0);
  for (int i = 0; i < 4; i++) bytes[44 + i] = (uint8_t)(sum >> 8 * i);
  snprintf(file_path, sizeof file_path, "%s/trammel-content-XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  const int fd = mkstemp(file_path);
  FUZZ_REQUIRE(fd >= 0 && write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes);
  close(fd);
}

static void remove_file(void) {
  unlink(file_path);
}

static void prepare(void) {
  memory_prepare();
  make_file();
  atexit(remove_file);
  add_tables();
  add_words();
  add_signals();
  static const uint8_t data[DATA] = {1, 2, 3};
  const trmi_checkpoint_head head = {.t = 1.0, .steps = 3, .size = DATA,
                                     .data_sum = trmi_lookup3(data, DATA, 0)};
  for (size_t i = 0; i < 2; i++) {
    put_point(good.points + i * POINT, head);
    memcpy(good.points + i * POINT + sizeof head, data, DATA);
  }
  add("checkpoints", whole_of(1, false), 2, sizeof good.points, 1, good.points);
}

/* ---- changes -------------------------------------------------------------------------------- */

static _Alignas(8) uint8_t pool[POOL + 8]; /* bytes that were changed */
static size_t  pool_used;

/* Bytes of a content that may be changed, with room for at least `size`. */
static uint8_t *own(memory_content *c, size_t size) {
  if (size < c->size) size = c->size;
  if (size > POOL - pool_used) return NULL;
  uint8_t *bytes = pool + pool_used;
  pool_used += (size + 7) / 8 * 8;
  memset(bytes, 0, size);
  memcpy(bytes, c->bytes, c->size);
  c->bytes = bytes;
  c->size = size;
  return bytes;
}

static void change_bytes(memory_content *c, fuzz_input *in) {
  const uint32_t place = fuzz_below(in, 1 << 16);
  const size_t length = 1 + fuzz_byte(in) % 64;
  uint8_t *bytes = c->size > 0 ? own(c, 0) : NULL;
  if (bytes == NULL) return;
  const size_t at = place % c->size, room = c->size - at;
  fuzz_take(in, bytes + at, length < room ? length : room);
}

static void change_type(memory_content *c, fuzz_input *in) {
  static const H5T_class_t classes[] = {H5T_FLOAT, H5T_INTEGER, H5T_STRING, H5T_BITFIELD};
  static const size_t sizes[] = {1, 2, 4, 8};
  const uint8_t choice = fuzz_byte(in), size = fuzz_byte(in);
  c->type = (memory_type){.class = classes[choice % 4], .is_signed = (choice & 64) != 0};
  c->type.size = c->type.class == H5T_STRING  ? 1 + (size_t)size * 2
                 : c->type.class == H5T_FLOAT ? sizes[2 + size % 2]
                                              : sizes[size % 4];
  c->type.is_free = c->type.class == H5T_STRING && (choice & 128) != 0;
}

/* Other sizes than there are rows for. */
static void change_shape(memory_content *c, fuzz_input *in) {
  const uint8_t what = fuzz_byte(in);
  if ((what & 3) == 3) c->rank = fuzz_byte(in) % 4;
  uint16_t rows;
  fuzz_take(in, &rows, sizeof rows);
  c->dims[0] = (hsize_t)(rows >> fuzz_byte(in) % 16);
  if ((what & 48) == 48) c->dims[0] <<= fuzz_byte(in) % 48;
  if ((what & 4) != 0) c->dims[1] = fuzz_byte(in);
  if ((what & 8) != 0) c->chunk[0] = fuzz_byte(in);
  if ((what & 64) != 0) c->is_chunked = !c->is_chunked;
}

/* A head with other numbers and a right sum. */
static void change_point(memory_content *c, fuzz_input *in) {
  const size_t place = fuzz_byte(in) % 2 * (size_t)POINT;
  uint8_t *bytes = own(c, 0);
  if (bytes == NULL || c->size < place + POINT) return;
  trmi_checkpoint_head head;
  memcpy(&head, bytes + place, sizeof head);
  const int what = fuzz_byte(in);
  if ((what & 1) != 0) fuzz_take(in, &head.t, sizeof head.t);
  if ((what & 2) != 0) fuzz_take(in, &head.steps, sizeof head.steps);
  if ((what & 4) != 0) fuzz_take(in, &head.size, sizeof head.size);
  if ((what & 8) != 0) fuzz_take(in, &head.data_sum, sizeof head.data_sum);
  put_point(bytes + place, head);
}

/* Make the sums of the rows of a table right, where it is not long. */
static void fix_sums(int which) {
  const memory_content *c = &memory.contents[which];
  memory_content *sum = &memory.contents[TABLES + which];
  const size_t row = c->type.size * (size_t)(c->rank > 1 ? c->dims[1] : 1);
  if (c->dims[0] > STEPS || c->rank == 0 || row > 4096 || sum->dims[0] > STEPS) return;
  uint32_t *to = (uint32_t *)(void *)own(sum, sizeof good.sums[0]);
  uint8_t copy[4096];
  for (size_t i = 0; i < c->dims[0] && to != NULL; i++) {
    memset(copy, 0, row);
    const size_t place = i * row, left = place < c->size ? c->size - place : 0;
    if (left > 0) memcpy(copy, c->bytes + place, left < row ? left : row);
    to[i] = trmi_lookup3(copy, row, 0);
  }
}

/* Make the sum of the facts about the end of the run right. */
static void fix_end(void) {
  trmi_run_end end = {.code = 0};
  static const char *const parts[] = {"error", "error_object", "error_code", "error_place",
                                      "counters"};
  const size_t sizes[] = {sizeof end.sentence, sizeof end.object, sizeof end.code,
                          sizeof end.place, sizeof end.counters};
  void *const to[] = {end.sentence, end.object, &end.code, end.place, end.counters};
  const int sum = find_content("end_sum");
  for (int i = 0; i < 5; i++) {
    const int k = find_content(parts[i]);
    if (k < 0 || sum < 0) return;
    const memory_content *c = &memory.contents[k];
    memcpy(to[i], c->bytes, c->size < sizes[i] ? c->size : sizes[i]);
  }
  end.sentence[sizeof end.sentence - 1] = end.object[sizeof end.object - 1] = '\0';
  const uint32_t number = trmi_lookup3(&end, sizeof end, 0);
  uint8_t *bytes = own(&memory.contents[sum], sizeof number);
  if (bytes != NULL) memcpy(bytes, &number, sizeof number);
}

static void change(fuzz_input *in) {
  memory_content *c = &memory.contents[fuzz_byte(in) % memory.ncontents];
  switch (fuzz_byte(in) % 8) {
  case 0: change_type(c, in); break;
  case 1: change_shape(c, in); break;
  case 2: c->is_there = false; break;
  case 3: change_point(&memory.contents[memory.ncontents - 1], in); break;
  default: change_bytes(c, in); break;
  }
}

/* ---- one input ------------------------------------------------------------------------------ */

/* @param is_good  nothing was changed */
static void read_everything(bool is_good) {
  trm_run *run = NULL;
  trm_error err;
  const trm_explanation *explanation;
  const trm_status status = trm_run_open(file_path, NULL, &run, &err);
  require_sentence(status, &err);
  FUZZ_REQUIRE((run != NULL) == (status == TRM_OK) && (run != NULL || !is_good));
  if (run == NULL) return;
  read_signals(run, 7);
  read_steps(run);
  read_events(run, 20);
  read_messages(run, 20);
  read_points(run, FILE_BYTES);
  FUZZ_REQUIRE(!is_good || trm_run_info_of(run)->ncheckpoints == 2);
  read_options(trm_run_info_of(run));
  const trm_run_info *info = trm_run_info_of(run);
  if (info->nsteps <= STEPS_EXPLAINED && info->nsamples <= STEPS_EXPLAINED) {
    const trm_status explained = trm_run_explain(run, &explanation, &err);
    require_sentence(explained, &err);
    FUZZ_REQUIRE(explained == TRM_OK || !is_good);
  }
  trm_run_close(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (good.ncontents == 0) prepare();
  memcpy(memory.contents, good.contents, sizeof good.contents);
  memory.ncontents = good.ncontents;
  pool_used = 0;
  fuzz_input in = {data, size};
  const uint8_t fixes = fuzz_byte(&in);
  for (int i = 0; i < CHANGES && in.left > 0; i++) change(&in);
  if ((fixes & 1) == 0) {
    for (int i = 0; i < TABLES; i++) fix_sums(i);
  }
  if ((fixes & 2) == 0) fix_end();
  read_everything(size <= 1 && (fixes & 3) == 0);
  FUZZ_REQUIRE(memory.nopen == 0);
  return 0;
}
