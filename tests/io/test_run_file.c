/* What is recorded comes back: numbers, names, steps, events, messages, checkpoints, and how
 * the run ended. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/recording.h"
#include "io/run_options.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static trm_options options_of(double end, int outputs) {
  trm_options options = trm_options_default();
  options.end = end;
  options.outputs = outputs;
  return options;
}

/* --- pieces ----------------------------------------------------------------- */

/* values published with lookup3 */
static void checksum_is_lookup3(void **state) {
  (void)state;
  const char *text = "Four score and seven years ago";
  assert_int_equal(trmi_lookup3("", 0, 0), 0xdeadbeef);
  assert_int_equal(trmi_lookup3(text, 30, 0), 0x17770551);
  assert_int_equal(trmi_lookup3(text, 30, 1), 0xcd628161);
}

static void options_come_back_from_their_text(void **state) {
  (void)state;
  trm_options options = options_of(0.1 + 0.2, 7);
  options.steps[0] = 1e-3, options.steps[1] = 1.0 / 3.0, options.nsteps = 2;
  options.formulation = "index3", options.has_alpha = true, options.alpha = 0.0;
  options.newton_tolerance = 1e-300, options.checkpoint_steps = 17;
  trm_option_text texts[TRM_OPTION_TEXTS];
  const int count = trm_options_write(&options, texts);
  trm_options back = trm_options_default();
  for (int i = 0; i < count; i++) {
    assert_true(trm_options_read(&back, texts[i].name, texts[i].value));
    assert_true(strcmp(texts[i].name, "tolerance") != 0); /* the steps are fixed */
  }
  assert_true(back.end == options.end && back.outputs == 7 && back.nsteps == 2);
  assert_true(back.steps[1] == 1.0 / 3.0 && back.has_alpha && !back.has_rho);
  assert_true(back.newton_tolerance == 1e-300 && back.checkpoint_steps == 17);
  assert_string_equal(back.formulation, "index3");
}

static void texts_that_are_no_values_are_refused(void **state) {
  (void)state;
  trm_options options = trm_options_default();
  assert_false(trm_options_read(&options, "nonesuch", "1"));
  assert_false(trm_options_read(&options, "end", "1x"));
  assert_false(trm_options_read(&options, "end", ""));
  assert_false(trm_options_read(&options, "end", "nan"));
  assert_false(trm_options_read(&options, "step", "1,2,3,4,5,6,7,8,9"));
  assert_false(trm_options_read(&options, "step", "1;2"));
  assert_false(trm_options_read(&options, "step", "1,nan"));
  assert_false(trm_options_read(&options, "solver", ""));
  assert_false(trm_options_read(&options, "outputs", "1e300"));
  assert_false(trm_options_read(&options, "outputs", "1.5"));
}

/* --- a file and what was told to the sinks ------------------------------------ */

static void samples_and_steps_come_back(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "samples");
  const trm_options options = options_of(3.0, 400); /* more than one chunk */
  trm_system *system = kit_problem("pendulum", NULL, NULL);
  trm_sim *sim = kit_sim(system, &options);
  static kit_record heard;
  kit_listen(sim, &heard);
  trm_run_sink *file = recording_add(sim, path);
  kit_run(sim);

  trm_run *run = recording_open(path);
  const trm_run_info *info = trm_run_info_of(run);
  assert_int_equal(info->nsamples, 401);
  assert_int_equal(info->nsamples, heard.nsamples);
  assert_int_equal(info->nsteps, heard.accepted + heard.rejected);
  double values[401];
  int x;
  trm_error err;
  CHECK_OK(trm_run_find(run, "x", &x, &err), err);
  CHECK_OK(trm_run_read_signal(run, x, values, &err), err);
  for (int i = 0; i < 401; i++) assert_true(values[i] == heard.sample_q[i][0]);
  CHECK_OK(trm_run_read_times(run, values, &err), err);
  for (int i = 0; i < 401; i++) assert_true(values[i] == heard.sample_t[i]);
  CHECK_OK(trm_run_read_range(run, 0, 300, 5, values, &err), err);
  assert_true(values[4] == heard.sample_t[304]);
  trm_step_record last;
  CHECK_OK(trm_run_read_steps(run, info->nsteps - 1, 1, &last, &err), err);
  assert_true(last.t == heard.last.t && last.h == heard.last.h && last.accepted);
  assert_true(last.error == heard.last.error && last.iterations == heard.last.iterations);
  assert_true(last.violation_position == heard.last.violation_position);

  trm_run_close(run);
  trm_sim_free(sim);
  trm_run_sink_free(file);
  trm_system_free(system);
  unlink(path);
}

static void facts_come_back(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "facts");
  trm_options options = options_of(1.0, 10);
  options.integrator = "alpha", options.has_rho = true, options.rho = 0.8;
  recording_make(path, "pendulum", &options);
  trm_run *run = recording_open(path);
  const trm_run_info *info = trm_run_info_of(run);
  assert_string_equal(info->model, "pendulum");
  assert_string_equal(info->version, TRM_VERSION);
  assert_string_equal(info->integrator, "alpha");
  assert_string_equal(info->formulation, "si2");
  assert_int_equal(info->nsettings, 2);
  assert_string_equal(info->settings[0].name, "length");
  assert_true(info->status == TRM_RUN_OK && info->has_counters && info->counters.steps > 5);
  assert_true(info->start == 0.0 && info->end == 1.0 && info->tolerance == 1e-5);
  assert_true(isnan(info->resumed_from));
  int kinetic;
  double energy[2];
  trm_error err;
  CHECK_OK(trm_run_find(run, "kinetic", &kinetic, &err), err);
  for (int i = 0; i < 2; i++) {
    CHECK_OK(trm_run_read_range(run, kinetic + i, 0, 1, &energy[i], &err), err);
  }
  assert_true(info->energy_initial == energy[0] + energy[1] && energy[1] < -1.0);
  const trm_signal *first = trm_run_signal(run, 0), *speed = trm_run_signal(run, 3);
  assert_string_equal(first->name, "t");
  assert_string_equal(first->unit, "s");
  assert_string_equal(speed->unit, "m/s");
  assert_string_equal(speed->object, "body 'bob'");
  trm_run_close(run);
  unlink(path);
}

static void signals_have_two_names_and_a_nearest_one(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "names");
  const trm_options options = options_of(0.1, 2);
  recording_make(path, "slider-crank", &options);
  trm_run *run = recording_open(path);
  trm_error err;
  int a, b;
  CHECK_OK(trm_run_find(run, "d(vx3)", &a, &err), err);
  CHECK_OK(trm_run_find(run, "accelerations/vx3", &b, &err), err);
  assert_true(a == b && trm_run_signal(run, a)->group == TRM_GROUP_ACCELERATIONS);
  CHECK_STATUS(trm_run_find(run, "phi3", &a, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "'phi1'"));
  trm_label label;
  trm_run_label(run, TRM_LAM, 2, &label);
  assert_string_equal(label.name, "lam3");
  assert_string_equal(label.object, "drive 'crank'");
  trm_run_label(run, TRM_V, 6, &label);
  assert_string_equal(label.name, "vq4");
  trm_run_label(run, TRM_V, 7, &label);
  assert_string_equal(label.name, "?");
  trm_run_close(run);
  unlink(path);
}

/* --- a sink that is driven by hand -------------------------------------------- */

/* A recording of the pendulum that has begun, and one state of it. */
typedef struct hand {
  trm_system    *system;
  trm_sim       *sim;
  trm_run_sink *file;
  trm_sink       sink;
} hand;

static hand begin_by_hand(const char *path) {
  const trm_options options = options_of(1.0, 0);
  hand h = {.system = kit_problem("pendulum", NULL, NULL)};
  h.sim = kit_sim(h.system, &options);
  h.file = recording_add(h.sim, path);
  h.sink = trm_run_sink_of(h.file);
  trm_error err;
  CHECK_OK(h.sink.begin(h.sink.self, h.system, &options, &err), err);
  return h;
}

static void free_hand(hand *h) {
  trm_sim_free(h->sim);
  trm_run_sink_free(h->file);
  trm_system_free(h->system);
}

static trm_status put_sample(const hand *h, double kinetic, trm_error *err) {
  const trm_sample sample = {.state = trm_sim_state(h->sim), .kinetic = kinetic, .power = 7.0};
  return h->sink.sample(h->sink.self, &sample, err);
}

static void end_by_hand(hand *h, const trm_error *failure) {
  trm_error err;
  CHECK_OK(h->sink.end(h->sink.self, trm_sim_counters(h->sim), failure, &err), err);
}

static void events_and_messages_come_back(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "events");
  hand h = begin_by_hand(path);
  trm_error err;
  for (int i = 0; i < 150; i++) {
    char text[600];
    const char *kind = i % 10 == 3 ? "auto say" : i % 10 == 4 ? "automate" : "message ";
    snprintf(text, sizeof text, "%s%d %0*d", kind, i, i == 149 ? 500 : 1, 0);
    h.sink.message(h.sink.self, 0.5 * i, text);
    CHECK_OK(h.sink.event(h.sink.self, 0.25 * i, i % 3, &err), err);
  }
  end_by_hand(&h, NULL);
  trm_run *run = recording_open(path);
  assert_int_equal(trm_run_info_of(run)->nevents, 150);
  assert_int_equal(trm_run_info_of(run)->nmessages, 150);
  trm_run_event event;
  trm_run_message message;
  for (int i = 0; i < 150; i++) {
    CHECK_OK(trm_run_read_events(run, i, 1, &event, &err), err);
    CHECK_OK(trm_run_read_messages(run, i, 1, &message, &err), err);
    assert_true(event.t == 0.25 * i && event.index == i % 3 && message.t == 0.5 * i);
    assert_int_equal(atoi(message.text + strlen("message ")), i);
    assert_int_equal(message.is_choice, i % 10 == 3); /* "automate" is a word of its own */
  }
  assert_int_equal(strlen(message.text), TRM_MESSAGE_MAX - 1); /* cut, not overrun */
  CHECK_STATUS(trm_run_read_events(run, 149, 2, &event, &err), TRM_ERR_INPUT);
  trm_run_close(run);
  free_hand(&h);
  unlink(path);
}

static void a_failure_is_told_in_the_file(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "failure");
  hand h = begin_by_hand(path);
  trm_error err, failure = {.status = TRM_ERR_STEP, .message = "the step fell below 1e-14 s",
                            .object = "body 'bob'", .t = 0.25, .h = 1e-14};
  CHECK_OK(put_sample(&h, 3.0, &err), err);
  end_by_hand(&h, &failure);
  trm_run *run = recording_open(path);
  const trm_run_info *info = trm_run_info_of(run);
  assert_true(info->status == TRM_RUN_ERROR && info->code == TRM_ERR_STEP);
  assert_string_equal(info->sentence, failure.message);
  assert_string_equal(info->object, failure.object);
  assert_true(info->error_t == 0.25 && info->error_h == 1e-14 && info->nsamples == 1);
  trm_run_close(run);
  free_hand(&h);
  unlink(path);
}

/* --- a process that is killed ------------------------------------------------- */

/* In a child: record, say so, and wait for the kill. */
static void record_and_wait(const char *path, int ready) {
  hand h = begin_by_hand(path);
  trm_error err;
  for (int i = 0; i < 300; i++) CHECK_OK(put_sample(&h, i, &err), err);
  const char data[] = "checkpoint";
  CHECK_OK(h.sink.checkpoint(h.sink.self, 0.5, data, sizeof data, &err), err);
  if (write(ready, "x", 1) != 1) _exit(1);
  for (;;) pause(); /* a step that takes very long */
}

/* Kill a child so many seconds after its last sample. */
static void kill_after(const char *path, double seconds) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) record_and_wait(path, ends[1]);
  close(ends[1]);
  char letter;
  assert_int_equal(read(ends[0], &letter, 1), 1);
  const struct timespec wait = {.tv_sec = (time_t)seconds,
                                .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
  nanosleep(&wait, NULL);
  kill(child, SIGKILL);
  int status;
  assert_true(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  close(ends[0]);
}

static void samples_of_a_second_ago_survive_a_kill(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "killed");
  kill_after(path, 1.0);
  trm_run *run = recording_open(path);
  const trm_run_info *info = trm_run_info_of(run);
  assert_int_equal(info->nsamples, 300);
  assert_true(info->status == TRM_RUN_UNFINISHED && !info->has_counters);
  double values[300];
  int kinetic;
  trm_error err;
  CHECK_OK(trm_run_find(run, "kinetic", &kinetic, &err), err);
  CHECK_OK(trm_run_read_signal(run, kinetic, values, &err), err);
  for (int i = 0; i < 300; i++) assert_true(values[i] == i);
  trm_run_close(run);
  unlink(path);
}

static void checkpoints_survive_a_kill_at_once(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "point");
  kill_after(path, 0.0);
  trm_run *run = recording_open(path);
  assert_int_equal(trm_run_info_of(run)->ncheckpoints, 1);
  const trm_run_checkpoint *point = trm_run_checkpoint_at(run, 0);
  assert_true(point->t == 0.5 && point->size == sizeof "checkpoint");
  char data[sizeof "checkpoint"];
  trm_error err;
  CHECK_OK(trm_run_read_checkpoint(run, 0, data, &err), err);
  assert_string_equal(data, "checkpoint");
  trm_run_close(run);
  unlink(path);
}

/* --- writing ------------------------------------------------------------------ */

/* In a child, because the limit stays: a file may have so many bytes. Returns its status. */
static trm_status record_with_limit(const char *path, long bytes) {
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit limit = {.rlim_cur = (rlim_t)bytes, .rlim_max = (rlim_t)bytes};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    trm_options options = options_of(20.0, 20000);
    trm_system *system = kit_problem("pendulum", NULL, NULL);
    trm_sim *sim = kit_sim(system, &options);
    trm_run_sink *file = recording_add(sim, path);
    trm_error err;
    const trm_status status = trm_sim_run(sim, &err);
    trm_sim_free(sim);
    trm_run_sink_free(file);
    trm_system_free(system);
    _exit(-status);
  }
  int status;
  assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return (trm_status)-WEXITSTATUS(status);
}

static void a_full_disk_leaves_a_readable_file(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "full");
  long readable = 0;
  for (long bytes = 1000; bytes < 1000000; bytes += bytes / 2) {
    unlink(path);
    CHECK_STATUS(record_with_limit(path, bytes), TRM_ERR_IO);
    trm_run *run = NULL;
    trm_error err;
    if (access(path, F_OK) != 0) continue; /* not even the beginning fitted in */
    CHECK_OK(trm_run_open(path, NULL, &run, &err), err);
    const trm_run_info *info = trm_run_info_of(run);
    assert_true(info->status == TRM_RUN_ERROR && info->code == TRM_ERR_IO);
    assert_non_null(strstr(info->sentence, "File too large"));
    uint32_t parts[PARTS];
    CHECK_STATUS(recording_read(path, parts), TRM_OK);
    for (int i = 0; i < PARTS; i++) assert_true(parts[i] != 0);
    readable += info->nsamples;
    trm_run_close(run);
  }
  assert_true(readable > 1000);
  unlink(path);
}

/* Each chunk is written once, with what refers to it; nothing is written for a sample. */
static void writes_go_by_chunks_not_by_samples(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "writes");
  trm_options options = options_of(1.0, 10);
  options.nsteps = 1, options.steps[0] = 1e-3, options.checkpoint_steps = 100;
  const long few = recording_make(path, "pendulum", &options);
  options.outputs = 10240;
  const long many = recording_make(path, "pendulum", &options);
  /* 40 chunks of samples and of sums; indices and the clock add a few */
  CHECK_BETWEEN((double)(many - few), 40, 40 * 4, "writes for 10000 samples");
  unlink(path);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* 1001 samples of 2407 numbers: 10 rows of 29 chunks. */
static void a_thousand_samples_of_the_chain_are_a_few_hundred_writes(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "chain");
  const trm_options options = options_of(1.0, 1000);
  const double begin = seconds_now();
  const long writes =
      recording_run(path, kit_problem("chain", "links", "100"), &options);
  const double flushes = floor((seconds_now() - begin) / 0.4);
  print_message("%ld writes for 1001 samples\n", writes);
  /* each chunk once, as much again for all that refers to them, for checkpoints and facts; and
     what the clock writes before a chunk is full: its parts, raw */
  CHECK_BETWEEN((double)writes, 290, 2 * 290 + flushes * 2 * 29, "writes for 1001 samples");
  unlink(path);
}

static void nothing_is_touched_if_the_file_cannot_be_made(void **state) {
  (void)state;
  const trm_options options = options_of(1.0, 10);
  const char *const paths[] = {"/nonexistent/a.h5", "/tmp", "/dev/null"};
  for (int i = 0; i < 3; i++) {
    trm_system *system = kit_problem("pendulum", NULL, NULL);
    trm_sim *sim = kit_sim(system, &options);
    trm_run_sink *file = recording_add(sim, paths[i]);
    trm_error err;
    CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_IO);
    assert_non_null(strstr(err.message, paths[i]));
    assert_int_equal(trm_sim_counters(sim)->steps, 0);
    trm_sim_free(sim);
    trm_run_sink_free(file);
    trm_system_free(system);
  }
}

static void a_second_writer_is_refused(void **state) {
  (void)state;
  char path[PATH_SIZE];
  recording_path(path, "second");
  hand h = begin_by_hand(path);
  trm_error err;
  CHECK_OK(put_sample(&h, 1.0, &err), err);
  const pid_t child = fork();
  if (child == 0) { /* the descriptor of the first writer is not this process's lock */
    const trm_options options = options_of(1.0, 10);
    trm_system *system = kit_problem("pendulum", NULL, NULL);
    trm_sim *sim = kit_sim(system, &options);
    trm_run_sink *file = recording_add(sim, path);
    const trm_sink sink = trm_run_sink_of(file);
    const bool is_refused = sink.begin(sink.self, system, &options, &err) == TRM_ERR_IO &&
                            strstr(err.message, "another run is writing it") != NULL;
    _exit(is_refused ? 0 : 1);
  }
  int status;
  assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  end_by_hand(&h, NULL);
  trm_run *run = recording_open(path);
  assert_int_equal(trm_run_info_of(run)->nsamples, 1);
  trm_run_close(run);
  free_hand(&h);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(checksum_is_lookup3),
    cmocka_unit_test(options_come_back_from_their_text),
    cmocka_unit_test(texts_that_are_no_values_are_refused),
    cmocka_unit_test(samples_and_steps_come_back),
    cmocka_unit_test(facts_come_back),
    cmocka_unit_test(signals_have_two_names_and_a_nearest_one),
    cmocka_unit_test(events_and_messages_come_back),
    cmocka_unit_test(a_failure_is_told_in_the_file),
    cmocka_unit_test(samples_of_a_second_ago_survive_a_kill),
    cmocka_unit_test(checkpoints_survive_a_kill_at_once),
    cmocka_unit_test(a_full_disk_leaves_a_readable_file),
    cmocka_unit_test(writes_go_by_chunks_not_by_samples),
    cmocka_unit_test(a_thousand_samples_of_the_chain_are_a_few_hundred_writes),
    cmocka_unit_test(nothing_is_touched_if_the_file_cannot_be_made),
    cmocka_unit_test(a_second_writer_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
