/* good_run.h - a small good run file in memory, and where its contents are.
 *
 * A sink writes it; its chunks are made for long runs and would take most of the time of an input,
 * so all is copied into chunks of few rows, by the driver of run files: full ones compressed, the
 * last one raw. */
#ifndef TRM_GOOD_RUN_H
#define TRM_GOOD_RUN_H
#include "fuzz.h"
#include "io/run_file.h"
#include "io/run_format.h"
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { POINTS = 4, GOOD_ROWS = 20, CHUNK_ROWS = 16, POINT_BYTES = 1024 };
static const unsigned RAW_CHUNK = 7; /* filters that are left out: all three */

/* Contents that inputs change. */
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

/* Plain bytes of a content: all of a contiguous one, the last rows of a table. */
typedef struct place {
  size_t at, size; /* in the file; size 0: none */
  size_t row;      /* bytes of a row            */
} place;

static struct {
  char     folder[64], path[96], csv[96], mat[96], pvd[96];
  uint8_t *bytes;
  size_t   size;
  size_t   points[POINTS]; /* places of the heads of checkpoints */
  place    places[CONTENTS], sums[TABLES];
  int      fd;             /* of the file that is read           */
} good;

static void require_ok(trm_status status, const trm_error *err) {
  if (status == TRM_OK) return;
  fprintf(stderr, "%s\n", err->message);
  abort();
}

/* --- recorded ------------------------------------------------------------------ */

static void put_rows(const trm_sink *sink, const trm_sim *sim) {
  trm_error err;
  for (int i = 0; i < GOOD_ROWS; i++) {
    const double tip[3] = {0.1 * i, 1.0, 2.0}; /* the outputs of the chain */
    const trm_sample sample = {.state = trm_sim_state(sim), .outputs = tip, .kinetic = 1.0 + i};
    const trm_step_record step = {.t = 0.1 * i, .h = 0.1, .accepted = i % 5 != 0,
                                  .limit = TRM_LIMIT_ERROR, .list = TRM_V, .index = i % 4,
                                  .error = 0.5, .iterations = 2};
    require_ok(sink->sample(sink->self, &sample, &err), &err);
    require_ok(sink->step(sink->self, &step, &err), &err);
    if (i % (GOOD_ROWS / POINTS) == 2) {
      char state[100];
      memset(state, i, sizeof state);
      sink->message(sink->self, 0.1 * i, "a message");
      require_ok(sink->event(sink->self, 0.1 * i, 0, &err), &err);
      require_ok(sink->checkpoint(sink->self, 0.1 * i, state, sizeof state, &err), &err);
    }
  }
}

static void record(const char *path) {
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
  require_ok(trm_run_sink_create(path, &facts, NULL, &file, &err), &err);
  const trm_sink sink = trm_run_sink_of(file);
  require_ok(sink.begin(sink.self, system, &options, &err), &err);
  put_rows(&sink, sim);
  require_ok(sink.end(sink.self, trm_sim_counters(sim), NULL, &err), &err);
  trm_run_sink_free(file);
  trm_sim_free(sim);
  trm_system_free(system);
}

/* --- copied in small chunks ------------------------------------------------------ */

static bool is_chunked(hid_t dcpl) { return H5Pget_layout(dcpl) == H5D_CHUNKED; }

/* The rows after the last full chunk, without filters. */
static void write_last_rows(hid_t copy, hid_t type, const hsize_t dims[2], const uint8_t *data) {
  const size_t row = (size_t)dims[1] * H5Tget_size(type);
  const hsize_t first[2] = {dims[0] / CHUNK_ROWS * CHUNK_ROWS, 0};
  if (first[0] == dims[0]) return;
  uint8_t *chunk = calloc(CHUNK_ROWS, row);
  FUZZ_REQUIRE(chunk != NULL);
  memcpy(chunk, data + first[0] * row, (size_t)(dims[0] - first[0]) * row);
  FUZZ_REQUIRE(H5Dwrite_chunk(copy, H5P_DEFAULT, RAW_CHUNK, first, CHUNK_ROWS * row, chunk) >= 0);
  free(chunk);
}

static void copy_content(hid_t from, hid_t to, const char *name) {
  const hid_t id = H5Dopen2(from, name, H5P_DEFAULT), type = H5Dget_type(id);
  const hid_t space = H5Dget_space(id), dcpl = H5Dget_create_plist(id);
  const int rank = H5Sget_simple_extent_ndims(space);
  const bool is_points = strcmp(name, "checkpoints") == 0;
  hsize_t dims[2] = {1, 1};
  FUZZ_REQUIRE(rank <= 2 && H5Sget_simple_extent_dims(space, dims, NULL) == rank);
  const size_t size = (size_t)(dims[0] * dims[1]) * H5Tget_size(type);
  uint8_t *data = malloc(size + 1);
  FUZZ_REQUIRE(data != NULL);
  FUZZ_REQUIRE(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  if (is_points) dims[0] = POINT_BYTES;
  if (is_chunked(dcpl)) {
    const hsize_t chunk[2] = {is_points ? POINT_BYTES : CHUNK_ROWS, dims[1]};
    const hsize_t most[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
    FUZZ_REQUIRE(H5Pset_chunk(dcpl, rank, chunk) >= 0);
    FUZZ_REQUIRE(H5Sset_extent_simple(space, rank, dims, most) >= 0);
  }
  const hid_t copy = H5Dcreate2(to, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  FUZZ_REQUIRE(copy >= 0 && H5Dwrite(copy, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  if (is_chunked(dcpl) && !is_points) write_last_rows(copy, type, dims, data);
  free(data);
  H5Dclose(copy);
  H5Pclose(dcpl);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(id);
}

static herr_t copy_object(hid_t from, const char *name, const H5O_info_t *info, void *to) {
  if (info->type == H5O_TYPE_DATASET) copy_content(from, *(hid_t *)to, name);
  if (info->type != H5O_TYPE_GROUP || strcmp(name, ".") == 0) return 0;
  const hid_t group = H5Gcreate2(*(hid_t *)to, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return H5Gclose(group);
}

static void copy_small(const char *path, const char *copy) {
  const hid_t from = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  trmi_run_file file;
  trm_error err;
  require_ok(trmi_run_file_create(&file, copy, 1 << 16, &err), &err);
  hid_t to = trmi_run_file_h5(&file);
  FUZZ_REQUIRE(from >= 0 && to >= 0);
  FUZZ_REQUIRE(H5Ovisit(from, H5_INDEX_NAME, H5_ITER_INC, copy_object, &to) >= 0);
  FUZZ_REQUIRE(H5Fclose(to) >= 0 && H5Fclose(from) >= 0 && trmi_run_file_publish(&file));
  trmi_run_file_close(&file);
}

/* --- places ------------------------------------------------------------------------ */

static place find_place(hid_t file, const char *name) {
  place found = {0};
  const hid_t id = H5Lexists(file, name, H5P_DEFAULT) > 0 && strcmp(name, "sums") != 0
                       ? H5Dopen2(file, name, H5P_DEFAULT)
                       : -1;
  if (id < 0) return found;
  const hid_t type = H5Dget_type(id), space = H5Dget_space(id), dcpl = H5Dget_create_plist(id);
  hsize_t dims[2] = {1, 1}, bytes = 0;
  unsigned mask = 0;
  haddr_t at = HADDR_UNDEF;
  H5Sget_simple_extent_dims(space, dims, NULL);
  const size_t row = (size_t)dims[1] * H5Tget_size(type);
  const hsize_t first[2] = {dims[0] / CHUNK_ROWS * CHUNK_ROWS, 0};
  if (!is_chunked(dcpl)) {
    at = H5Dget_offset(id);
    if (at != HADDR_UNDEF) found = (place){(size_t)at, (size_t)dims[0] * row, row};
  } else if (strcmp(name, "checkpoints") != 0 && first[0] < dims[0]) {
    FUZZ_REQUIRE(H5Dget_chunk_info_by_coord(id, first, &mask, &at, &bytes) >= 0);
    FUZZ_REQUIRE(mask == RAW_CHUNK && at != HADDR_UNDEF);
    found = (place){(size_t)at, (size_t)(dims[0] - first[0]) * row, row};
  }
  H5Pclose(dcpl);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(id);
  return found;
}

static void find_places(void) {
  const hid_t file = H5Fopen(good.path, H5F_ACC_RDONLY, H5P_DEFAULT);
  FUZZ_REQUIRE(file >= 0);
  for (int i = 0; i < CONTENTS; i++) good.places[i] = find_place(file, contents[i]);
  for (int i = 0; i < TABLES; i++) {
    char name[64];
    snprintf(name, sizeof name, "sums/%s", contents[i]);
    good.sums[i] = find_place(file, name);
    FUZZ_REQUIRE(good.places[i].size / good.places[i].row == good.sums[i].size / 4);
  }
  H5Fclose(file);
  int npoints = 0;
  for (size_t i = 0; i + sizeof(trmi_checkpoint_head) < good.size; i++) {
    if (memcmp(good.bytes + i, TRMI_CHECKPOINT_MARK, 8) != 0) continue;
    FUZZ_REQUIRE(npoints < POINTS);
    good.points[npoints++] = i;
  }
  FUZZ_REQUIRE(npoints == POINTS);
}

/* --- all of it ------------------------------------------------------------------------ */

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
  const char *where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(good.folder, sizeof good.folder, "%s/trammel-fuzz-%ld", where, (long)getpid());
  FUZZ_REQUIRE(mkdir(good.folder, 0700) == 0);
  snprintf(good.path, sizeof good.path, "%s/a.h5", good.folder);
  snprintf(good.csv, sizeof good.csv, "%s/a.csv", good.folder);
  snprintf(good.mat, sizeof good.mat, "%s/a.mat", good.folder);
  snprintf(good.pvd, sizeof good.pvd, "%s/a.pvd", good.folder);
  char recorded[112];
  snprintf(recorded, sizeof recorded, "%s/recorded.h5", good.folder);
  atexit(clean);
  H5dont_atexit();
  H5set_free_list_limits(-1, -1, -1, -1, -1, -1); /* HDF5 keeps its memory from input to input */
  record(recorded);
  copy_small(recorded, good.path);
  unlink(recorded);
  good.fd = open(good.path, O_RDWR);
  struct stat facts;
  FUZZ_REQUIRE(good.fd >= 0 && fstat(good.fd, &facts) == 0);
  good.size = (size_t)facts.st_size;
  good.bytes = malloc(good.size);
  FUZZ_REQUIRE(good.bytes != NULL);
  FUZZ_REQUIRE(pread(good.fd, good.bytes, good.size, 0) == (ssize_t)good.size);
  find_places();
}

#endif
