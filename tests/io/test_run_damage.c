/* Files that are damaged, cut off, of others, or made to deceive: reading gives what was
 * written or a sentence, and always returns. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/recording.h"
#include "io/run_file.h"
#include "io/run_format.h"
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* How often bytes are flipped; TRAMMEL_FLIPS=1000 in the environment for more. */
static int flips(void) {
  const char *text = getenv("TRAMMEL_FLIPS");
  return text != NULL ? atoi(text) : 250;
}

/* The file under test: its bytes, and what it says. */
typedef struct original {
  char     path[PATH_SIZE];
  unsigned char *bytes;
  long     size;
  uint32_t parts[PARTS];
} original;

static void load(original *o) {
  struct stat facts;
  assert_int_equal(stat(o->path, &facts), 0);
  o->size = (long)facts.st_size;
  o->bytes = malloc((size_t)o->size);
  const int fd = open(o->path, O_RDONLY);
  assert_true(fd >= 0 && read(fd, o->bytes, (size_t)o->size) == o->size);
  close(fd);
  CHECK_STATUS(recording_read(o->path, o->parts), TRM_OK);
  for (int i = 0; i < PARTS; i++) assert_true(o->parts[i] != 0);
}

static void save(const char *path, const unsigned char *bytes, long size) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_true(fd >= 0 && write(fd, bytes, (size_t)size) == size);
  close(fd);
}

static void unload(original *o) {
  free(o->bytes);
  unlink(o->path);
}

/* A file that is whole. */
static original finished(void) {
  original o;
  recording_path(o.path, "damage");
  trm_options options = trm_options_default();
  options.integrator = "hht";
  options.end = 0.02, options.outputs = 600, options.checkpoint_steps = 50;
  recording_make(o.path, "slider-crank", &options);
  load(&o);
  return o;
}

/* Between two steps: take your time. */
static bool dawdle(void *self) {
  (void)self;
  const struct timespec wait = {.tv_sec = 0, .tv_nsec = 1000000};
  nanosleep(&wait, NULL);
  return false;
}

/* Does a file that is being recorded have that much to be damaged? */
static bool has_enough(const char *path) {
  trm_error err;
  trm_run *run = NULL;
  if (trm_run_open(path, NULL, &run, &err) != TRM_OK) return false; /* not there yet */
  const trm_run_info *info = trm_run_info_of(run);
  const bool is_enough = info->nsamples >= 300 && info->ncheckpoints >= 1;
  trm_run_close(run);
  return is_enough;
}

/* A file of a process that was killed while it recorded, as soon as there is enough in it. */
static original killed(void) {
  original o;
  recording_path(o.path, "killed");
  const pid_t child = fork();
  if (child == 0) {
    trm_options options = trm_options_default();
    options.end = 1e5, options.output_step = 0.01, options.checkpoint_steps = 50;
    options.should_stop = dawdle;
    recording_make(o.path, "pendulum", &options);
    _exit(1);
  }
  const struct timespec wait = {.tv_sec = 0, .tv_nsec = 50000000};
  int looks = 0;
  for (; looks < 2000 && !has_enough(o.path); looks++) { /* 100 s: then it does not record */
    nanosleep(&wait, NULL);
    if (waitpid(child, NULL, WNOHANG) != 0) fail_msg("the process that records has ended");
  }
  kill(child, SIGKILL);
  int status;
  assert_true(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  assert_true(looks < 2000);
  load(&o);
  return o;
}

/* What is read is what was written, or nothing. Returns true if damage was told. */
static bool check_honest(const original *o, const char *what, long place) {
  uint32_t parts[PARTS];
  const trm_status status = recording_read(o->path, parts);
  if (status != TRM_OK) {
    assert_true(status == TRM_ERR_IO);
    return true;
  }
  bool is_told = false;
  for (int i = 0; i < PARTS; i++) {
    if (parts[i] == o->parts[i]) continue;
    is_told = true;
    /* checkpoints that are damaged are left out one by one */
    if (parts[i] != 0 && i != PART_POINTS) {
      fail_msg("%s at byte %ld: part %d of the file changed and nobody said so", what, place, i);
    }
  }
  return is_told;
}

static void flip(original *o, uint64_t seed, int length) {
  int told = 0;
  for (int k = 0; k < flips(); k++) {
    const long place = (long)(0.5 * (kit_random(&seed) + 1.0) * (double)(o->size - length));
    const unsigned char change = (unsigned char)(1 + kit_below(&seed, 255));
    unsigned char damage[64];
    for (int i = 0; i < length; i++) damage[i] = (unsigned char)(o->bytes[place + i] ^ change);
    const int fd = open(o->path, O_WRONLY);
    assert_true(fd >= 0 && pwrite(fd, damage, (size_t)length, place) == length);
    if (check_honest(o, "flip", place)) told++;
    assert_true(pwrite(fd, o->bytes + place, (size_t)length, place) == length);
    close(fd);
  }
  /* most of a file is data; the rest is room for checkpoints and what was written over */
  CHECK_BETWEEN(told, flips() / 10, flips(), "flips that were noticed");
}

static void flipped_bytes_are_told_or_do_not_matter(void **state) {
  (void)state;
  original o = finished();
  flip(&o, 1, 1);
  flip(&o, 2, 64);
  unload(&o);
}

static void flipped_bytes_of_a_killed_run_too(void **state) {
  (void)state;
  original o = killed();
  flip(&o, 3, 1);
  unload(&o);
}

/* Every byte of the beginning, where HDF5 looks first. */
static void every_byte_of_the_beginning(void **state) {
  (void)state;
  original o = finished();
  for (long place = 0; place < 500; place++) {
    unsigned char byte = (unsigned char)(o.bytes[place] ^ 0x41);
    const int fd = open(o.path, O_WRONLY);
    assert_true(fd >= 0 && pwrite(fd, &byte, 1, place) == 1);
    const bool is_told = check_honest(&o, "byte", place);
    if (place < TRMI_SUPERBLOCK_SIZE) assert_true(is_told);
    assert_true(pwrite(fd, o.bytes + place, 1, place) == 1);
    close(fd);
  }
  unload(&o);
}

static void files_that_are_cut_off_are_refused(void **state) {
  (void)state;
  original o = finished();
  uint64_t seed = 5;
  for (int k = 0; k < 100; k++) {
    const long size = k < 50 ? k : (long)(0.5 * (kit_random(&seed) + 1.0) * (double)o.size);
    save(o.path, o.bytes, size);
    trm_error err;
    trm_run *run;
    CHECK_STATUS(trm_run_open(o.path, NULL, &run, &err), TRM_ERR_IO);
    if (size > TRMI_SUPERBLOCK_SIZE) assert_non_null(strstr(err.message, "is cut off"));
  }
  unload(&o);
}

/* --- files of others ---------------------------------------------------------- */

/* An HDF5 file with one dataset `format`, in the old format or the new one. */
static void make_foreign(const char *path, bool is_new, const char *format) {
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  if (is_new) H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  const hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 32);
  char text[32] = "";
  snprintf(text, sizeof text, "%s", format);
  const hid_t id = H5Dcreate2(file, "format", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
  H5Dclose(id);
  H5Tclose(type);
  H5Sclose(space);
  H5Fclose(file);
  H5Pclose(fapl);
}

static void refused(const char *path, const char *part) {
  trm_error err;
  trm_run *run;
  CHECK_STATUS(trm_run_open(path, NULL, &run, &err), TRM_ERR_IO);
  if (strstr(err.message, part) == NULL) fail_msg("'%s' is not in: %s", part, err.message);
}

static void files_of_others_are_refused(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "foreign");
  refused("/nonexistent.h5", "No such file");
  refused("/tmp", "is not a run file");
  refused("/dev/null", "is not a run file");
  save(path, (const unsigned char *)"", 0);
  refused(path, "is not a run file");
  unsigned char text[5000];
  memset(text, 'x', sizeof text);
  save(path, text, sizeof text);
  refused(path, "is not a run file");
  make_foreign(path, false, "trammel run 1");
  refused(path, "HDF5 file of another program");
  make_foreign(path, true, "something");
  refused(path, "HDF5 file of another program");
  make_foreign(path, true, "trammel run 99");
  refused(path, "this version reads 'trammel run 1'");
  make_foreign(path, true, "trammel run 1");
  refused(path, "is damaged: what was run");
  unlink(path);
}

/* --- files that are whole for HDF5 and wrong for us ---------------------------- */

static const char *const contents[] = {
  "format", "trammel", "model", "integrator", "formulation", "solver", "resumed_from",
  "resumed_energy", "options", "option_values", "parameters", "parameter_values", "status",
  "error", "error_object", "error_code", "error_place", "counters", "end_sum", "names", "labels",
  "groups", "units", "objects", "kinds", "lists", "scales", "samples", "steps", "events",
  "message_times", "messages", "checkpoints", "event_names", "sums/samples", "sums/steps",
  "sums/events", "sums/messages", "sums/message_times", "sums",
};
enum { CONTENTS = sizeof contents / sizeof *contents };

/* Some type: numbers of all sorts, texts of fixed and of free length. The caller closes it. */
static hid_t some_type(uint64_t *seed) {
  const hid_t numbers[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT64,
                           H5T_NATIVE_UCHAR,  H5T_NATIVE_SCHAR, H5T_NATIVE_UINT32};
  const int choice = kit_below(seed, 9);
  if (choice < 6) return H5Tcopy(numbers[choice]);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, choice == 8 ? H5T_VARIABLE : (size_t)(1 + kit_below(seed, 500)));
  return type;
}

/* Put something else in the place of a dataset: nothing, or another type, shape, content. */
static void replace(hid_t file, uint64_t *seed) {
  const char *name = contents[kit_below(seed, CONTENTS)];
  H5Ldelete(file, name, H5P_DEFAULT);
  if (kit_below(seed, 4) == 0) return;
  const int rank = kit_below(seed, 4);
  hsize_t dims[3], points = 1, most[3];
  for (int i = 0; i < rank; i++) {
    dims[i] = (hsize_t)kit_below(seed, i == 0 ? 70 : 40);
    most[i] = dims[i] + 1;
    points *= dims[i];
  }
  const hid_t type = some_type(seed);
  const hid_t space = rank > 0 ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  if (rank > 0 && kit_below(seed, 2) == 0) H5Pset_chunk(dcpl, rank, most);
  const hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  if (id >= 0 && points > 0 && H5Tis_variable_str(type) <= 0) {
    unsigned char *data = malloc(points * H5Tget_size(type));
    for (size_t i = 0; i < points * H5Tget_size(type); i++) {
      data[i] = (unsigned char)kit_below(seed, 256);
    }
    H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    free(data);
  }
  if (id >= 0) H5Dclose(id);
  H5Pclose(dcpl);
  H5Sclose(space);
  H5Tclose(type);
}

static void other_contents_are_refused_or_read(void **state) {
  (void)state;
  original o = finished();
  uint64_t seed = 7;
  int opened = 0;
  const trmi_silence before = trmi_silence_begin();
  for (int k = 0; k < 400; k++) {
    save(o.path, o.bytes, o.size);
    const hid_t file = H5Fopen(o.path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    for (int i = kit_below(&seed, 3); i >= 0; i--) replace(file, &seed);
    H5Fclose(file);
    uint32_t parts[PARTS];
    const trm_status status = recording_read(o.path, parts);
    assert_true(status == TRM_OK || status == TRM_ERR_IO);
    if (status == TRM_OK) opened++;
  }
  trmi_silence_end(before);
  CHECK_BETWEEN(opened, 10, 390, "files that could be opened");
  unload(&o);
}

/* --- checkpoints ---------------------------------------------------------------- */

/* Damage in one checkpoint leaves all others, also when its head is gone. */
static void a_damaged_checkpoint_leaves_the_others(void **state) {
  (void)state;
  original o = finished();
  trm_run *run = recording_open(o.path);
  const int count = trm_run_info_of(run)->ncheckpoints;
  trm_run_close(run);
  assert_true(count >= 3);
  int k = 0;
  for (long place = 0; place + 8 < o.size; place++) {
    if (memcmp(o.bytes + place, TRMI_CHECKPOINT_MARK, 8) != 0) continue;
    for (int part = 0; part < 2; part++) { /* its head, its bytes */
      const long at = place + (part == 0 ? 12 : (long)sizeof(trmi_checkpoint_head) + 5);
      const unsigned char byte = (unsigned char)(o.bytes[at] ^ 1);
      const int fd = open(o.path, O_WRONLY);
      assert_true(fd >= 0 && pwrite(fd, &byte, 1, at) == 1);
      run = recording_open(o.path);
      assert_int_equal(trm_run_info_of(run)->ncheckpoints, part == 0 ? count - 1 : count);
      for (int i = 0; i < trm_run_info_of(run)->ncheckpoints; i++) {
        void *data = malloc(trm_run_checkpoint_at(run, i)->size);
        trm_error err;
        const bool is_damaged = part == 1 && i == k;
        CHECK_STATUS(trm_run_read_checkpoint(run, i, data, &err),
                     is_damaged ? TRM_ERR_IO : TRM_OK);
        free(data);
      }
      trm_run_close(run);
      assert_true(pwrite(fd, o.bytes + at, 1, at) == 1);
      close(fd);
    }
    k++;
  }
  assert_int_equal(k, count);
  unload(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(flipped_bytes_are_told_or_do_not_matter),
    cmocka_unit_test(flipped_bytes_of_a_killed_run_too),
    cmocka_unit_test(every_byte_of_the_beginning),
    cmocka_unit_test(files_that_are_cut_off_are_refused),
    cmocka_unit_test(files_of_others_are_refused),
    cmocka_unit_test(other_contents_are_refused_or_read),
    cmocka_unit_test(a_damaged_checkpoint_leaves_the_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
