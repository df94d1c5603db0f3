/* Run files that were changed: an input is a list of changes of one good file. Some are damage
 * that checksums must find. The others go past them: contents, types and shapes are changed
 * through HDF5, and the checksums of rows, checkpoints and of the end are made right again,
 * because HDF5 itself does not survive every structure with right checksums and is not what is
 * tested. Then everything is read, explained and exported: each call returns, and a refusal has
 * a sentence. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "fuzz.h"
#include "io/lookup3.h"
#include "io/run_file.h"
#include "io/run_format.h"
#include "run_reading.h"
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  CHANGES = 6,        /* of one input, at most                                   */
  ROWS_EXPLAINED = 20000, ROWS_EXPORTED = 300, CONTENT_MAX = 1 << 16, POINTS_MAX = 8
};

/* --- the good file ------------------------------------------------------------- */

static struct {
  char     folder[64], path[96], csv[96], mat[96], pvd[96];
  uint8_t *bytes;
  size_t   size;
  size_t   points[POINTS_MAX]; /* places of the heads of checkpoints */
  size_t   npoints;
} good;

static void require_ok(trm_status status, const trm_error *err) {
  if (status == TRM_OK) return;
  fprintf(stderr, "%s\n", err->message);
  abort();
}

static void put_rows(const trm_sink *sink, const trm_sim *sim) {
  trm_error err;
  for (int i = 0; i < 40; i++) {
    const double tip[3] = {0.1 * i, 1.0, 2.0}; /* the outputs of the chain */
    const trm_sample sample = {.state = trm_sim_state(sim), .outputs = tip, .kinetic = 1.0 + i};
    const trm_step_record step = {.t = 0.1 * i, .h = 0.1, .accepted = i % 5 != 0,
                                  .limit = TRM_LIMIT_ERROR, .list = TRM_V, .index = i % 4,
                                  .error = 0.5, .iterations = 2};
    require_ok(sink->sample(sink->self, &sample, &err), &err);
    require_ok(sink->step(sink->self, &step, &err), &err);
    if (i % 10 == 9) {
      char state[100];
      memset(state, i, sizeof state);
      sink->message(sink->self, 0.1 * i, "a message");
      require_ok(sink->event(sink->self, 0.1 * i, 0, &err), &err);
      require_ok(sink->checkpoint(sink->self, 0.1 * i, state, sizeof state, &err), &err);
    }
  }
}

static void record(void) {
  static const trm_setting links = {.name = "links", .value = "2"};
  trm_options options = trm_options_default();
  options.end = 4.0;
  trm_system *system;
  trm_sim *sim;
  trm_run_sink *file;
  trm_error err;
  require_ok(trm_problem_create(trm_problem_find("chain"), &links, 1, NULL, &system, &err), &err);
  require_ok(trm_sim_create(system, &options, &sim, &err), &err);
  const trm_run_facts facts = {.text = "trammel: 1\n", .parameters = &links, .nparameters = 1,
                                .integrator = "hht", .formulation = "si2", .solver = "block",
                                .resumed_from = NAN, .energy_initial = NAN};
  require_ok(trm_run_sink_create(good.path, &facts, NULL, &file, &err), &err);
  const trm_sink sink = trm_run_sink_of(file);
  require_ok(sink.begin(sink.self, system, &options, &err), &err);
  put_rows(&sink, sim);
  require_ok(sink.end(sink.self, trm_sim_counters(sim), NULL, &err), &err);
  trm_run_sink_free(file);
  trm_sim_free(sim);
  trm_system_free(system);
}

static void clean(void) {
  const char *const files[] = {good.path, good.csv, good.mat, good.pvd};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i]);
  for (int i = 0; i < 100; i++) {
    char frame[160];
    snprintf(frame, sizeof frame, "%s/a/a_%06d.vtu", good.folder, i);
    unlink(frame);
  }
  char frames[96];
  snprintf(frames, sizeof frames, "%s/a", good.folder);
  rmdir(frames);
  rmdir(good.folder);
  free(good.bytes);
}

static void prepare(void) {
  const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(good.folder, sizeof good.folder, "%s/trammel-fuzz-%ld", place, (long)getpid());
  FUZZ_REQUIRE(mkdir(good.folder, 0700) == 0);
  snprintf(good.path, sizeof good.path, "%s/a.h5", good.folder);
  snprintf(good.csv, sizeof good.csv, "%s/a.csv", good.folder);
  snprintf(good.mat, sizeof good.mat, "%s/a.mat", good.folder);
  snprintf(good.pvd, sizeof good.pvd, "%s/a.pvd", good.folder);
  atexit(clean);
  record();
  struct stat facts;
  FUZZ_REQUIRE(stat(good.path, &facts) == 0);
  good.size = (size_t)facts.st_size;
  good.bytes = malloc(good.size);
  const int fd = open(good.path, O_RDONLY);
  FUZZ_REQUIRE(fd >= 0 && read(fd, good.bytes, good.size) == (ssize_t)good.size);
  close(fd);
  for (size_t i = 0; i + sizeof(trmi_checkpoint_head) < good.size; i++) {
    if (memcmp(good.bytes + i, TRMI_CHECKPOINT_MARK, 8) == 0) good.points[good.npoints++] = i;
  }
  FUZZ_REQUIRE(good.npoints == 4);
}

/* --- changes through HDF5 -------------------------------------------------------- */

static const char *const contents[] = {
  "samples", "steps", "events", "message_times", "messages", /* the first five have sums */
  "format", "trammel", "model", "integrator", "formulation", "solver", "resumed_from",
  "resumed_energy", "options", "option_values", "parameters", "parameter_values", "status",
  "error", "error_object", "error_code", "error_place", "counters", "end_sum", "names", "labels",
  "groups", "units", "objects", "kinds", "lists", "scales", "checkpoints", "event_names",
  "sums/samples", "sums/steps", "sums/events", "sums/messages", "sums/message_times", "sums",
  "model_text",
};
enum { TABLES = 5, CONTENTS = sizeof contents / sizeof *contents };

/* Bytes of a dataset in memory, and how many; NULL if it is not there, empty or too long. */
static uint8_t *read_content(hid_t id, hid_t type, size_t *size) {
  const hid_t space = H5Dget_space(id);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  *size = count > 0 ? (size_t)count * H5Tget_size(type) : 0;
  if (*size == 0 || *size > CONTENT_MAX || H5Tis_variable_str(type) > 0) return NULL;
  uint8_t *data = malloc(*size);
  FUZZ_REQUIRE(data != NULL);
  if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) return data;
  free(data);
  return NULL;
}

/* Other bytes somewhere in a dataset. */
static void change_content(hid_t file, const char *name, fuzz_input *in) {
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
  const uint32_t place = fuzz_below(in, CONTENT_MAX);
  const size_t length = 1 + fuzz_byte(in);
  if (id < 0) return;
  const hid_t type = H5Dget_type(id);
  size_t size;
  uint8_t *data = read_content(id, type, &size);
  if (data != NULL) {
    const size_t at = place % size, room = size - at;
    fuzz_take(in, data + at, length < room ? length : room);
    H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    free(data);
  }
  H5Tclose(type);
  H5Dclose(id);
}

/* Numbers of all sorts, texts of fixed and of free length. The caller closes it. */
static hid_t take_type(fuzz_input *in) {
  const hid_t numbers[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT64,
                           H5T_NATIVE_UCHAR,  H5T_NATIVE_SCHAR, H5T_NATIVE_UINT32};
  const int choice = fuzz_byte(in) % 9;
  if (choice < 6) return H5Tcopy(numbers[choice]);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, choice == 8 ? H5T_VARIABLE : (size_t)(1 + fuzz_byte(in)));
  return type;
}

/* Another dataset, or none, in the place of one. */
static void replace(hid_t file, const char *name, fuzz_input *in) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const int rank = fuzz_byte(in) % 5 - 1;
  if (rank < 0) return;
  hsize_t dims[3], chunk[3], count = 1;
  for (int i = 0; i < rank; i++) {
    dims[i] = fuzz_byte(in);
    chunk[i] = dims[i] + 1;
    count *= dims[i];
  }
  const hid_t type = take_type(in);
  const size_t size = (size_t)count * H5Tget_size(type);
  const hid_t space = rank > 0 ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  if (rank > 0 && fuzz_byte(in) % 2 == 0) H5Pset_chunk(dcpl, rank, chunk);
  const hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  if (id >= 0 && size > 0 && size <= CONTENT_MAX && H5Tis_variable_str(type) <= 0) {
    uint8_t *data = malloc(size);
    FUZZ_REQUIRE(data != NULL);
    fuzz_take(in, data, size);
    H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    free(data);
  }
  if (id >= 0) H5Dclose(id);
  H5Pclose(dcpl);
  H5Sclose(space);
  H5Tclose(type);
}

/* HDF5 takes long to make a very long table short: those stay as they are. */
static bool set_size(hid_t id, const hsize_t size[2]) {
  hsize_t now[8] = {0};
  const hid_t space = H5Dget_space(id);
  const bool is_table = H5Sget_simple_extent_dims(space, now, NULL) > 0 && now[0] <= CONTENT_MAX;
  H5Sclose(space);
  return is_table && H5Dset_extent(id, size) >= 0;
}

/* A table that claims other sizes than it has rows for. Checkpoints would be reserved. */
static void resize(hid_t file, const char *name, fuzz_input *in) {
  uint64_t rows;
  fuzz_take(in, &rows, sizeof rows);
  hsize_t size[2] = {rows >> fuzz_byte(in) % 64, fuzz_byte(in)};
  if (strcmp(name, "checkpoints") == 0) size[0] %= CONTENT_MAX;
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
  if (id < 0) return;
  set_size(id, size);
  H5Dclose(id);
}

/* Make the sums of the rows of a table right. */
static void fix_sums(hid_t file, const char *name) {
  char sums[64];
  snprintf(sums, sizeof sums, "sums/%s", name);
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT), sum_id = H5Dopen2(file, sums, H5P_DEFAULT);
  const hid_t type = id >= 0 ? H5Dget_type(id) : -1, space = id >= 0 ? H5Dget_space(id) : -1;
  hsize_t dims[8] = {0}, sum_dims[2] = {0, 1};
  size_t size = 0;
  uint8_t *data = NULL;
  if (sum_id >= 0 && id >= 0 && H5Sget_simple_extent_dims(space, dims, NULL) > 0) {
    data = read_content(id, type, &size);
  }
  if (data != NULL) {
    sum_dims[0] = dims[0];
    uint32_t *sum = malloc((size_t)dims[0] * sizeof *sum);
    FUZZ_REQUIRE(sum != NULL);
    const size_t row = size / (size_t)dims[0];
    for (size_t i = 0; i < dims[0]; i++) sum[i] = trmi_lookup3(data + i * row, row, 0);
    if (set_size(sum_id, sum_dims)) {
      H5Dwrite(sum_id, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, sum);
    }
    free(sum);
  }
  free(data);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (id >= 0) H5Dclose(id);
  if (sum_id >= 0) H5Dclose(sum_id);
}

/* Make the sum of what tells how the run ended right. */
static void fix_end(hid_t file) {
  static const char *const parts[] = {"error", "error_object", "error_code", "error_place",
                                      "counters"};
  trmi_run_end end = {.code = 0};
  const size_t sizes[] = {sizeof end.sentence, sizeof end.object, sizeof end.code,
                          sizeof end.place, sizeof end.counters};
  void *const to[] = {end.sentence, end.object, &end.code, end.place, end.counters};
  for (int i = 0; i < 5; i++) {
    const hid_t id = H5Dopen2(file, parts[i], H5P_DEFAULT);
    if (id < 0) return;
    const hid_t type = H5Dget_type(id);
    size_t size;
    uint8_t *data = read_content(id, type, &size);
    if (data != NULL) memcpy(to[i], data, size < sizes[i] ? size : sizes[i]);
    free(data);
    H5Tclose(type);
    H5Dclose(id);
  }
  end.sentence[sizeof end.sentence - 1] = end.object[sizeof end.object - 1] = '\0';
  const uint32_t sum = trmi_lookup3(&end, sizeof end, 0);
  const hid_t id = H5Dopen2(file, "end_sum", H5P_DEFAULT);
  if (id < 0) return;
  const hid_t space = H5Dget_space(id);
  if (H5Sget_simple_extent_npoints(space) == 1) { /* not where it was replaced by a list */
    H5Dwrite(id, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &sum);
  }
  H5Sclose(space);
  H5Dclose(id);
}

/* --- changes of bytes ---------------------------------------------------------------- */

static void damage(int fd, fuzz_input *in) {
  const uint32_t place = fuzz_below(in, (uint32_t)good.size);
  uint8_t bytes[64];
  const size_t length = 1 + fuzz_byte(in) % sizeof bytes;
  fuzz_take(in, bytes, length);
  for (size_t i = 0; i < length && place + i < good.size; i++) bytes[i] ^= good.bytes[place + i];
  FUZZ_REQUIRE(pwrite(fd, bytes, length, place) == (ssize_t)length);
}

/* A head of a checkpoint with other numbers and a right sum. */
static void change_point(int fd, fuzz_input *in) {
  const size_t place = good.points[fuzz_byte(in) % good.npoints];
  trmi_checkpoint_head head;
  memcpy(&head, good.bytes + place, sizeof head);
  const int what = fuzz_byte(in);
  if ((what & 1) != 0) fuzz_take(in, &head.t, sizeof head.t);
  if ((what & 2) != 0) fuzz_take(in, &head.steps, sizeof head.steps);
  if ((what & 4) != 0) fuzz_take(in, &head.size, sizeof head.size);
  if ((what & 8) != 0) fuzz_take(in, &head.data_sum, sizeof head.data_sum);
  head.head_sum = trmi_lookup3(&head, offsetof(trmi_checkpoint_head, head_sum), 0);
  FUZZ_REQUIRE(pwrite(fd, &head, sizeof head, (off_t)place) == (ssize_t)sizeof head);
}

/* --- everything a file says ------------------------------------------------------------ */

/* Explain it, and export it in one of the forms; not if it claims to be long. */
static void use(trm_run *run, size_t choice) {
  if (trm_run_info_of(run)->nsteps > ROWS_EXPLAINED) return;
  trm_error err;
  const trm_explanation *explanation;
  require_sentence(trm_run_explain(run, &explanation, &err), &err);
  if (trm_run_info_of(run)->nsamples > ROWS_EXPORTED) return;
  const char *const forms[] = {good.csv, good.mat, good.pvd};
  require_sentence(trm_export(run, forms[choice % 3], 3, &err), &err);
}

static void read_everything(size_t choice) {
  trm_run *run = NULL;
  trm_error err;
  const trm_status status = trm_run_open(good.path, NULL, &run, &err);
  require_sentence(status, &err);
  FUZZ_REQUIRE((run != NULL) == (status == TRM_OK));
  if (run == NULL) return;
  read_tables(run);
  read_points(run, 100 * good.size);
  read_options(trm_run_info_of(run));
  use(run, choice);
  trm_run_close(run);
}

/* --- one input --------------------------------------------------------------------------- */

enum { CHANGE_CONTENT, REPLACE, RESIZE, DAMAGE, CHANGE_POINT, CUT, FOREIGN, KINDS };

static void change_by_hdf5(int kind, fuzz_input *in) {
  const hid_t file = H5Fopen(good.path, H5F_ACC_RDWR, H5P_DEFAULT);
  if (file < 0) return; /* it was damaged before */
  const int what = fuzz_byte(in) % CONTENTS;
  const bool is_fixed = fuzz_byte(in) % 8 != 7;
  if (kind == CHANGE_CONTENT) change_content(file, contents[what], in);
  if (kind == REPLACE) replace(file, contents[what], in);
  if (kind == RESIZE) resize(file, contents[what], in);
  if (is_fixed && what < TABLES) fix_sums(file, contents[what]);
  if (is_fixed && what >= TABLES) fix_end(file);
  H5Fclose(file);
}

static void change(fuzz_input *in) {
  const int kind = fuzz_byte(in) % KINDS;
  if (kind <= RESIZE) {
    change_by_hdf5(kind, in);
    return;
  }
  const int fd = open(good.path, O_WRONLY);
  FUZZ_REQUIRE(fd >= 0);
  if (kind == DAMAGE) damage(fd, in);
  if (kind == CHANGE_POINT) change_point(fd, in);
  if (kind == CUT) FUZZ_REQUIRE(ftruncate(fd, fuzz_below(in, (uint32_t)good.size)) == 0);
  if (kind == FOREIGN) {
    FUZZ_REQUIRE(ftruncate(fd, 0) == 0 && write(fd, in->data, in->left) == (ssize_t)in->left);
    in->left = 0;
  }
  close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (good.bytes == NULL) prepare();
  const int fd = open(good.path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  FUZZ_REQUIRE(fd >= 0 && write(fd, good.bytes, good.size) == (ssize_t)good.size);
  close(fd);
  const trmi_silence before = trmi_silence_begin();
  fuzz_input in = {data, size};
  for (int i = 0; i < CHANGES && in.left > 0; i++) change(&in);
  trmi_silence_end(before);
  read_everything(size);
  return 0;
}
