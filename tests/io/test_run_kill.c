/* A process that is killed between any two writes, or in the middle of one, leaves a file
 * that plain HDF5 opens: its own, or before that was complete the one that was there before.
 * The functions that write are replaced by ours, which count and kill; the thread that writes
 * what waits is woken far more often than in a real run. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/recording.h"
#include "io/replace.h"
#include <errno.h>
#include <hdf5.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096, SAMPLES = 1500, SAMPLES_PER_POINT = 100, POINT_BYTES = 6000 };

/* --- writes that are counted --------------------------------------------------- */

static long writes_left = -1; /* until the kill; negative: none     */
static int  pieces = 0;       /* pages of the last write that are made */

/* Declared here, because the library's own declaration may carry attributes. */
ssize_t pwrite(int fd, const void *data, size_t size, off_t place);
ssize_t pwrite(int fd, const void *data, size_t size, off_t place) {
  size_t made = size;
  const bool is_last = writes_left == 0;
  if (writes_left >= 0) writes_left--;
  if (is_last) {
    /* the kernel may stop where a page ends */
    const size_t first = PAGE_BYTES - (size_t)place % PAGE_BYTES;
    made = first + (size_t)pieces * PAGE_BYTES;
    if (pieces < 0 || made >= size) made = pieces < 0 ? 0 : size;
  }
  ssize_t done = 0;
  if (made > 0) {
    if (lseek(fd, place, SEEK_SET) != place) return -1;
    done = write(fd, data, made);
  }
  if (is_last) kill(getpid(), SIGKILL);
  return done;
}

/* The thread sleeps two milliseconds instead of what it asks for. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict lock,
                           const struct timespec *restrict until) {
  (void)condition, (void)until;
  const struct timespec wait = {.tv_sec = 0, .tv_nsec = 2000000};
  pthread_mutex_unlock(lock);
  nanosleep(&wait, NULL);
  pthread_mutex_lock(lock);
  return ETIMEDOUT;
}

/* --- the process that is killed -------------------------------------------------- */

static void tell(int pipe_end, char letter) {
  if (write(pipe_end, &letter, 1) != 1) _exit(9);
}

/* Samples 0, 1, 2, .. in `kinetic`, and checkpoints. Tells 'b' when the run has begun, 'c' for
 * each checkpoint, 'e' at the end. */
static void record(const char *path, int pipe_end) {
  trm_options options = trm_options_default();
  options.end = 1.0;
  trm_system *system = kit_problem("slider-crank", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  trm_run_sink *file = recording_add(sim, path);
  const trm_sink sink = trm_run_sink_of(file);
  static unsigned char data[POINT_BYTES];
  trm_error err;
  if (sink.begin(sink.self, system, &options, &err) != TRM_OK) _exit(1);
  tell(pipe_end, 'b');
  for (int i = 0; i < SAMPLES; i++) {
    const trm_sample sample = {.state = trm_sim_state(sim), .kinetic = i};
    const trm_step_record step = {.t = i, .h = 1.0, .accepted = true};
    if (sink.step(sink.self, &step, &err) != TRM_OK) _exit(2);
    if (sink.sample(sink.self, &sample, &err) != TRM_OK) _exit(3);
    if (i % 37 == 0) sink.message(sink.self, i, "a message");
    if (i % SAMPLES_PER_POINT == SAMPLES_PER_POINT - 1) {
      memset(data, i / SAMPLES_PER_POINT + 1, sizeof data);
      if (sink.checkpoint(sink.self, i, data, sizeof data, &err) != TRM_OK) _exit(4);
      tell(pipe_end, 'c');
    }
    const struct timespec wait = {.tv_sec = 0, .tv_nsec = 10000};
    nanosleep(&wait, NULL);
  }
  if (sink.end(sink.self, trm_sim_counters(sim), NULL, &err) != TRM_OK) _exit(5);
  tell(pipe_end, 'e');
  _exit(0);
}

/* What a child told before it was killed. */
typedef struct story {
  bool has_begun, has_ended;
  int  points;
} story;

static story run_and_kill(const char *path, long writes, int pages) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    writes_left = writes;
    pieces = pages;
    record(path, ends[1]);
  }
  close(ends[1]);
  story told = {false, false, 0};
  char letter;
  while (read(ends[0], &letter, 1) == 1) {
    told.has_begun = told.has_begun || letter == 'b';
    told.has_ended = told.has_ended || letter == 'e';
    told.points += letter == 'c' ? 1 : 0;
  }
  close(ends[0]);
  int status;
  assert_true(waitpid(child, &status, 0) == child);
  assert_true(told.has_ended ? WIFEXITED(status) && WEXITSTATUS(status) == 0
                             : WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  return told;
}

/* --- the file it leaves ------------------------------------------------------------ */

/* As any program would: no driver of ours, no mode of single writers. Returns samples. */
static long read_plainly(const char *path) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  const char *const names[] = {"steps", "samples"};
  hsize_t dims[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    const hid_t id = H5Dopen2(file, names[k], H5P_DEFAULT), space = H5Dget_space(id);
    assert_true(id >= 0 && H5Sget_simple_extent_dims(space, dims, NULL) == 2);
    double *values = malloc((dims[0] + 1) * dims[1] * sizeof *values);
    assert_true(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    const hsize_t column = k == 0 ? 0 : dims[1] - 3; /* t; kinetic, potential, power */
    for (hsize_t i = 0; i < dims[0]; i++) assert_true(values[i * dims[1] + column] == (double)i);
    free(values);
    H5Sclose(space);
    H5Dclose(id);
  }
  H5Fclose(file);
  return (long)dims[0];
}

/* Checkpoints are whole, and none is later than the samples before it. */
static void check_points(const char *path, int told, long samples) {
  trm_run *run = recording_open(path);
  trm_error err;
  static unsigned char data[POINT_BYTES];
  int last = 0;
  for (int k = 0; k < trm_run_info_of(run)->ncheckpoints; k++) {
    assert_int_equal(trm_run_checkpoint_at(run, k)->size, POINT_BYTES);
    CHECK_OK(trm_run_read_checkpoint(run, k, data, &err), err);
    for (int i = 0; i < POINT_BYTES; i++) assert_int_equal(data[i], k + 1);
    last = k + 1;
  }
  /* the one that was being written may be there */
  assert_true(last <= told + 1);
  assert_true(samples >= (long)last * SAMPLES_PER_POINT);
  /* of those that were written at once all are there */
  int at_once = 0;
  for (int power = 1; power <= told; power *= 2) at_once = power;
  assert_true(last >= at_once);
  trm_run_close(run);
}

static void every_write_may_be_the_last(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "kill");
  const int parts[] = {-1, 0, 1}; /* nothing, its first page, two pages of the last write */
  /* each seventh write, or as TRAMMEL_KILL_STRIDE says; 1 takes a minute */
  const char *text = getenv("TRAMMEL_KILL_STRIDE");
  const long stride = text != NULL ? atol(text) : 7;
  long begun = 0, replaced = 0, samples = 0, before = -1; /* samples of the older file, -1: none */
  for (long writes = 1;; writes += stride) {
    const story told = run_and_kill(path, writes, parts[writes % 3]);
    if (!told.has_begun && before < 0) {
      assert_int_not_equal(access(path, F_OK), 0);
    } else if (!told.has_begun) {
      replaced++;
      assert_int_equal(read_plainly(path), before);
    } else {
      begun++;
      before = read_plainly(path);
      samples += before;
      check_points(path, told.points, before);
      uint32_t all[PARTS];
      CHECK_STATUS(recording_read(path, all), TRM_OK);
      for (int i = 0; i < PARTS; i++) assert_true(all[i] != 0);
    }
    if (told.has_ended) break;
  }
  /* again over the complete file */
  for (long writes = 0; writes < 40; writes += stride) {
    const story told = run_and_kill(path, writes, parts[writes % 3]);
    assert_true(!told.has_begun && read_plainly(path) == SAMPLES);
    replaced++;
  }
  print_message("killed at %ld writes after the beginning, %ld samples found\n", begun, samples);
  assert_true(begun > 300 / stride && samples > 100 * begun && replaced > 0);
  unlink(path);
  trmi_replace place; /* the draft of the last one is taken over */
  int descriptor;
  assert_int_equal(trmi_replace_begin(&place, path, &descriptor), 0);
  trmi_replace_discard(&place);
  close(descriptor);
}

static bool at_once(void *self) {
  (void)self;
  return true;
}

/* Someone presses Ctrl-C before the first step: the program names a file to continue from. */
static void a_run_stopped_before_its_first_step_leaves_a_file(void **unused) {
  (void)unused;
  char path[PATH_SIZE];
  recording_path(path, "at-once");
  trm_options options = trm_options_default();
  options.end = 1.0, options.outputs = 10;
  options.should_stop = at_once;
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  trm_run_sink *file = recording_add(sim, path);
  trm_error err;
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_STOPPED);
  trm_sim_free(sim);
  trm_run_sink_free(file);
  trm_system_free(system);
  trm_run *run = recording_open(path);
  assert_true(trm_run_info_of(run)->nsamples >= 1);
  trm_run_close(run);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_write_may_be_the_last),
    cmocka_unit_test(a_run_stopped_before_its_first_step_leaves_a_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
