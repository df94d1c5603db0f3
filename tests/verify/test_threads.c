/* test_threads.c - several simulations and analyses of one system, one after the other in small
 * steps and in threads: each has the bits of a run alone. Batches in chunks by parallel_for. */
#include "trammel/analysis.h"
#include "trammel/values.h"
#include "unit/glider.h"
#include "verify/threads.h"

/* Shipped models with all kinds of contributors, with memory, events, states and inputs, and
 * problems in C. */
static const char *const names[] = {
  "chain-elements", "slider-crank-rigid", "slider-crank-beam", "bushing-pendulum-space",
  "sampled-controller", "pushed-cart", "robot-arm", "gear-train", "governor", "spring-table",
  "bang-bang", "slider-crank-typed", "block-with-stop", "quarter-car", "rolling-disc-typed",
  "slider-crank", "slider-crank-hermite", "chain", "double-pendulum", "servo"};

typedef struct opened {
  typed       m;
  trm_options options;
} opened;

static opened open_named(const char *name) {
  opened o = {.options = trm_options_default()};
  if (trm_shipped_model_find(name) != NULL) {
    o.m = typed_model(name, NULL);
    o.options = o.m.options;
  } else {
    o.m.system = kit_problem(name, NULL, NULL);
    o.options.end = 1.0;
  }
  return o;
}

/* Jobs that this model can do: beams are too stiff for explicit. */
static int choose_jobs(const opened *o, const char *name, job jobs[JOBS]) {
  int count = 0;
  for (int i = 0; i < JOBS; i++) {
    const bool is_explicit = strcmp(all_jobs[i].integrator, "explicit") == 0;
    if (is_explicit && strstr(name, "crank") != NULL) continue;
    jobs[count] = all_jobs[i];
    jobs[count].system = o->m.system;
    jobs[count++].options = o->options;
  }
  return count;
}

static void check_job(const job *j, uint64_t alone, const char *name, const char *how) {
  if (j->status != TRM_OK) {
    fail_msg("%s by %s %g, %s: %s", name, j->integrator, j->tolerance, how, j->err.message);
  }
  if (j->digest != alone) {
    fail_msg("%s by %s %g: %s it is not the run alone", name, j->integrator, j->tolerance, how);
  }
}

static void run_in_threads(job *jobs, int count, const uint64_t *alone, const char *name) {
  pthread_t threads[JOBS];
  for (int i = 0; i < count; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, job_run, &jobs[i]), 0);
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < count; i++) check_job(&jobs[i], alone[i], name, "in threads");
}

static void simulations_of_one_system_do_not_meet(void **state) {
  (void)state;
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    job jobs[JOBS];
    uint64_t alone[JOBS];
    opened shared = open_named(names[n]);
    const int count = choose_jobs(&shared, names[n], jobs);
    for (int i = 0; i < count; i++) { /* alone: in a system of its own */
      opened own = open_named(names[n]);
      jobs[i].system = own.m.system;
      job_run(&jobs[i]);
      alone[i] = jobs[i].digest;
      check_job(&jobs[i], alone[i], names[n], "alone");
      assert_true(jobs[i].steps > 0);
      jobs[i].system = shared.m.system;
      typed_close(&own.m);
    }
    for (int i = 0; i < count; i++) job_open(&jobs[i]);
    for (int k = 0; k < STEPS_MAX; k++) {
      for (int i = 0; i < count; i++) job_step(&jobs[i]);
    }
    for (int i = 0; i < count; i++) job_close(&jobs[i]);
    for (int i = 0; i < count; i++) check_job(&jobs[i], alone[i], names[n], "step by step");
    run_in_threads(jobs, 2, alone, names[n]);
    run_in_threads(jobs, count, alone, names[n]);
    typed_close(&shared.m);
  }
}

/* ---- analyses -------------------------------------------------------------------------------- */

typedef struct study {
  trm_system *system;
  uint64_t    digest;
  trm_status  status;
  trm_error   err;
} study;

static trm_status look_at(study *s, trm_static *rest, trm_error *err) {
  const trm_modes_options how = trm_modes_options_default();
  const trm_linear_options options = trm_linear_options_default();
  trm_modes *modes = NULL;
  trm_linear_model *linear = NULL;
  trm_system *where = trm_static_system(rest);
  trm_status status = trm_modes_find(where, trm_static_state(rest), &how, &modes, err);
  if (status == TRM_OK) {
    for (int i = 0; i < trm_modes_count(modes); i++) {
      const trm_mode mode = trm_mode_at(modes, i);
      digest_add(&s->digest, &mode.re, sizeof mode.re);
      digest_add(&s->digest, &mode.im, sizeof mode.im);
    }
    status = trm_linear_model_find(where, trm_static_state(rest), &options, &linear, err);
  }
  if (status == TRM_OK) {
    const size_t n = (size_t)trm_linear_model_size(linear);
    digest_add(&s->digest, trm_linear_model_matrices(linear).A, n * n * sizeof(double));
  }
  trm_linear_model_free(linear);
  trm_modes_free(modes);
  return status;
}

static void *study_run(void *arg) {
  study *s = arg;
  const trm_static_options options = trm_static_options_default();
  double outputs[OUTPUTS_MAX];
  trm_static *rest = NULL;
  const trm_values values = {.outputs = outputs};
  s->digest = 14695981039346656037U;
  s->status = trm_static_find(s->system, &options, &rest, &s->err);
  if (s->status == TRM_OK) {
    s->status =
        trm_system_values(trm_static_system(rest), trm_static_state(rest), &values, &s->err);
    const size_t count = (size_t)trm_system_count(s->system, TRM_OUTPUT);
    digest_add(&s->digest, outputs, count * sizeof *outputs);
    digest_state(&s->digest, s->system, trm_static_state(rest));
  }
  if (s->status == TRM_OK) s->status = look_at(s, rest, &s->err);
  trm_static_free(rest);
  return NULL;
}

static void analyses_of_one_system_do_not_meet(void **state) {
  (void)state;
  enum { THREADS = 4 };
  static const char *const hanging[] = {"chain-elements", "bushing-pendulum-space", "quarter-car",
                                        "chain"};
  for (size_t n = 0; n < sizeof hanging / sizeof *hanging; n++) {
    opened shared = open_named(hanging[n]), own = open_named(hanging[n]);
    study alone = {.system = own.m.system}, list[THREADS];
    pthread_t threads[THREADS], runner;
    job jobs[JOBS];
    (void)choose_jobs(&shared, hanging[n], jobs);
    study_run(&alone);
    CHECK_OK(alone.status, alone.err);
    assert_int_equal(pthread_create(&runner, NULL, job_run, &jobs[0]), 0);
    for (int i = 0; i < THREADS; i++) {
      list[i] = (study){.system = shared.m.system};
      assert_int_equal(pthread_create(&threads[i], NULL, study_run, &list[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_join(runner, NULL);
    CHECK_OK(jobs[0].status, jobs[0].err);
    for (int i = 0; i < THREADS; i++) {
      CHECK_OK(list[i].status, list[i].err);
      assert_true(list[i].digest == alone.digest);
    }
    typed_close(&shared.m);
    typed_close(&own.m);
  }
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char flap[] =
    "trammel: 1\nparameters: {k: 20}\ngravity: [0, 0, -9.81]\n"
    "bodies: {b: {mass: 2, inertia: [.1, .2, .3], at: [0.4, 0, 0]}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
    "forces: {s: {type: joint, joint: pin, stiffness: k, damping: 0.1}}\n"
    "outputs: {angle: pin.angle, load: pin.force.z}\nsimulate: {end: 1, tolerance: 1e-6}\n";

static uint64_t run_flap(const char *k) {
  const trm_setting settings[] = {{"k", k}, {NULL, NULL}};
  typed m = typed_text(flap, "flap", settings);
  job j = all_jobs[0];
  j.system = m.system;
  j.options = m.options;
  job_run(&j);
  CHECK_OK(j.status, j.err);
  typed_close(&m);
  return j.digest;
}

/* A value that is set while a simulation runs counts from the next one on. */
static void values_belong_to_a_simulation(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  typed m = typed_text(flap, "flap", NULL);
  job first = all_jobs[0], second = all_jobs[0];
  first.system = second.system = m.system;
  first.options = second.options = m.options;
  job_open(&first);
  for (int i = 0; i < 10; i++) job_step(&first);
  CHECK_OK(trm_system_set(m.system, "k", 45.0, &err), err);
  CHECK_OK(trm_system_set(m.system, "b.mass", 3.0, &err), err);
  CHECK_OK(trm_system_set(m.system, "b.mass", 2.0, &err), err);
  job_open(&second);
  for (int i = 0; i < STEPS_MAX; i++) job_step(&first), job_step(&second);
  CHECK_OK(first.status, first.err);
  CHECK_OK(second.status, second.err);
  assert_true(first.digest == run_flap("20"));
  assert_true(second.digest == run_flap("45"));
  assert_true(first.digest != second.digest);

  /* derivatives by values are those of the simulation whose state it is */
  double rates[2];
  const trm_values out = {.outputs = rates};
  CHECK_OK(trm_system_value_rates(trm_sim_system(second.sim), "k", trm_sim_state(second.sim), &out,
                                  &err), err);
  assert_true(isfinite(rates[0]) && isfinite(rates[1]));
  CHECK_STATUS(trm_system_value_rates(trm_sim_system(first.sim), "k", trm_sim_state(first.sim),
                                      &out, &err), TRM_ERR_ORDER);
  job_close(&first);
  job_close(&second);
  typed_close(&m);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void memory_is_where_the_state_is(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  double outputs[2], shown[2];
  const trm_values out = {.outputs = outputs};
  typed m = typed_text(flap, "flap", NULL);
  trm_sim *sim = kit_sim(m.system, &m.options), *other = NULL;
  const trm_modes_options how = trm_modes_options_default();
  trm_modes *modes = NULL;
  CHECK_STATUS(trm_system_values(m.system, trm_sim_state(sim), &out, &err), TRM_ERR_ORDER);
  assert_non_null(strstr(err.message, "trm_sim_system"));
  CHECK_STATUS(trm_modes_find(m.system, trm_sim_state(sim), &how, &modes, &err), TRM_ERR_ORDER);
  CHECK_STATUS(trm_modes_find(trm_sim_system(sim), NULL, &how, &modes, &err), TRM_ERR_ORDER);
  CHECK_STATUS(trm_sim_create(trm_sim_system(sim), &m.options, &other, &err), TRM_ERR_ORDER);
  CHECK_STATUS(trm_system_set(trm_sim_system(sim), "k", 1.0, &err), TRM_ERR_ORDER);
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim), &out, &err), err);
  CHECK_OK(trm_sim_outputs(sim, shown, &err), err);
  assert_memory_equal(outputs, shown, sizeof shown);
  trm_sim_free(sim);
  typed_close(&m);
}

static void other_systems_have_one_simulation_at_a_time(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  glider self = {.entry = -1};
  trm_system *system = kit_system(&glider_full, &self);
  trm_options options = trm_options_default();
  options.end = 1.0;
  trm_sim *first = kit_sim(system, &options), *second = NULL;
  assert_ptr_equal(trm_sim_system(first), system);
  CHECK_STATUS(trm_sim_create(system, &options, &second, &err), TRM_ERR_ORDER);
  assert_null(second);
  trm_sim_free(first);
  second = kit_sim(system, &options);
  trm_sim_free(second);
  trm_system_free(system);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Long enough for chunks: bodies, joints, and two beams, one with damping and a follower load. */
static const char beams[] =
    "trammel: 1\ngravity: [0, 0, -9.81]\n"
    "beams:\n"
    "  rod: {points: [[0, 0, 0], [2, 0, 0]], elements: 40, nodes: 2, fix: first, mass: 2,\n"
    "        stiffness: [1e5, 4e4, 4e4, 30, 40, 50], damping: 1e-3, follower: [0, 1, 2]}\n"
    "  long: {points: [[0, 1, 0], [2, 1, 0]], elements: 33, nodes: 3, fix: first, mass: 1,\n"
    "        stiffness: [1e5, 4e4, 4e4, 30, 40, 50]}\n"
    "outputs: {z: rod.last.z, end: long.last.z}\nsimulate: {end: 1, tolerance: 1e-4}\n";

static uint64_t run_in_chunks(typed *m, const char *integrator, int threads, long *calls) {
  pool p;
  job j = {.integrator = integrator, .tolerance = 1e-4, .system = m->system,
           .options = m->options};
  if (threads > 0) {
    pool_open(&p, threads);
    j.options.parallel_for = pool_for;
    j.options.parallel_self = &p;
  }
  job_open(&j);
  for (int i = 0; i < 8; i++) job_step(&j);
  job_close(&j);
  *calls = threads > 0 ? p.calls : 0;
  if (threads > 0) pool_close(&p);
  CHECK_OK(j.status, j.err);
  return j.digest;
}

static void chunks_do_not_change_a_bit(void **state) {
  (void)state;
  static const char *const integrators[] = {"hht", "bdf", "radau"};
  const trm_setting settings[] = {{"links", "300"}, {NULL, NULL}};
  typed models[] = {typed_model("chain-elements", settings), typed_text(beams, "beams", NULL)};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++) {
      long calls;
      const uint64_t plain = run_in_chunks(&models[k], integrators[i], 0, &calls);
      for (int threads = 1; threads <= 4; threads *= 2) {
        assert_true(run_in_chunks(&models[k], integrators[i], threads, &calls) == plain);
        assert_true(calls > 20);
      }
    }
    typed_close(&models[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(simulations_of_one_system_do_not_meet),
    cmocka_unit_test(analyses_of_one_system_do_not_meet),
    cmocka_unit_test(values_belong_to_a_simulation),
    cmocka_unit_test(memory_is_where_the_state_is),
    cmocka_unit_test(other_systems_have_one_simulation_at_a_time),
    cmocka_unit_test(chunks_do_not_change_a_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
