/* Whichever request for memory fails, the library says so, gives back all it has, and
 * works the next time. */
#include "fault/memory.h"

static const struct {
  const char *problem, *name, *value;
  double      step; /* a good one, and the run is ten of them */
} problems[] = {
    {"pendulum", NULL, NULL, 1e-2},    {"servo", NULL, NULL, 1e-2},
    {"heavy-top", NULL, NULL, 1e-3},   {"rolling-disc", NULL, NULL, 1e-2},
    {"chain", "links", "3", 1e-2},     {"chain", "links", "7", 1e-2},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static const struct {
  const char *integrator, *formulation;
} methods[] = {{"hht", NULL}, {"alpha", "index3"}, {"explicit", NULL}, {"tdg", NULL},
             {"radau", NULL}, {"alpha", "cs"}, {"bdf", NULL}};
enum { METHODS = sizeof methods / sizeof *methods };

static trm_status count_samples(void *self, const trm_sample *sample, trm_error *err) {
  (void)sample, (void)err;
  ++*(int *)self;
  return TRM_OK;
}

static trm_status take_checkpoint(void *self, double t, const void *data, size_t size,
                                  trm_error *err) {
  (void)self, (void)t, (void)data, (void)size, (void)err;
  return TRM_OK;
}

/* Builds, runs and frees; the first failure counts. */
static trm_status live(int p, int m, const char *solver, const trm_allocator *allocator,
                       trm_error *err) {
  trm_system *sys = NULL;
  trm_sim *sim = NULL;
  int samples = 0;
  const trm_setting setting = {.name = problems[p].name, .value = problems[p].value};
  trm_options options = trm_options_default();
  options.integrator = methods[m].integrator;
  options.formulation = methods[m].formulation;
  options.solver = solver;
  options.steps[0] = problems[p].step;
  options.nsteps = 1;
  options.end = 10 * problems[p].step;
  options.outputs = 20;
  options.checkpoint_steps = 4;
  options.allocator = *allocator;
  const trm_sink sink = {.self = &samples, .sample = count_samples,
                         .checkpoint = take_checkpoint};
  trm_status status = trm_problem_create(trm_problem_find(problems[p].problem), &setting,
                                         setting.name != NULL ? 1 : 0, allocator, &sys, err);
  if (status == TRM_OK) status = trm_sim_create(sys, &options, &sim, err);
  if (status == TRM_OK) status = trm_sim_add_sink(sim, &sink, err);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  if (status == TRM_OK) assert_int_equal(samples, 21);
  trm_sim_free(sim);
  trm_system_free(sys);
  return status;
}

/* Request number n fails, for every n until the run has fewer requests than that. */
static long exhaust(int p, int m, const char *solver, meter *failing, meter *ours) {
  for (long n = 1;; n++) {
    trm_error err = {.status = TRM_OK};
    *ours = klu_meter = (meter){0};
    failing->fail_at = n;
    const trm_allocator allocator = meter_allocator(ours);
    const trm_status status = live(p, m, solver, &allocator, &err);
    if (ours->live != 0 || klu_meter.live != 0) {
      fail_msg("%s %s %s, request %ld: %ld blocks of ours, %ld of KLU are lost",
               problems[p].problem, methods[m].integrator, solver, n, ours->live, klu_meter.live);
    }
    if (failing->requests < n) { /* nothing failed any more */
      CHECK_STATUS(status, TRM_OK);
      return n - 1;
    }
    /* the factors are shrunk to their size at last: KLU goes on with the larger ones */
    if (status == TRM_OK && failing->refused_to_resize) continue;
    if (status != TRM_ERR_MEMORY || err.status != TRM_ERR_MEMORY) {
      fail_msg("%s %s %s, request %ld of memory fails: %s, '%s'", problems[p].problem,
               methods[m].integrator, solver, n, trm_status_name(status), err.message);
    }
    if (strstr(err.message, "memory") == NULL && strstr(err.message, "no room") == NULL) {
      fail_msg("'%s' does not speak of memory", err.message);
    }
  }
}

static void any_request_of_ours_may_fail(void **unused) {
  (void)unused;
  const char *const solvers[] = {"auto", "block", "klu", "dense"};
  for (int p = 0; p < PROBLEMS; p++) {
    for (int m = 0; m < METHODS; m++) {
      for (int s = 0; s < 4; s++) {
        meter ours;
        const long requests = exhaust(p, m, solvers[s], &ours, &ours);
        assert_true(requests > 10); /* there was something to fail */
      }
    }
  }
}

static void any_request_of_klu_may_fail(void **unused) {
  (void)unused;
  for (int p = 0; p < PROBLEMS; p++) {
    for (int m = 0; m < METHODS; m++) {
      meter ours;
      assert_true(exhaust(p, m, "klu", &klu_meter, &ours) > 10);
      /* the others do not need it */
      assert_int_equal(exhaust(p, m, "dense", &klu_meter, &ours), 0);
    }
  }
}

/* A simulation that failed leaves its system fit for another one. */
static void a_system_survives_a_simulation_without_memory(void **unused) {
  (void)unused;
  trm_system *sys = kit_problem("chain", "links", "3");
  trm_options options = trm_options_default();
  options.end = 0.1;
  double first[7], again[7];
  for (int k = 0; k < 2; k++) {
    trm_sim *sim = kit_sim(sys, &options);
    kit_run(sim);
    memcpy(k == 0 ? first : again, trm_sim_state(sim)->q, sizeof first);
    trm_sim_free(sim);
    for (long n = 1; n <= 40; n++) {
      trm_error err;
      meter ours = {.fail_at = n};
      trm_options poor = options;
      poor.allocator = meter_allocator(&ours);
      sim = NULL;
      trm_status status = trm_sim_create(sys, &poor, &sim, &err);
      if (status == TRM_OK) status = trm_sim_run(sim, &err);
      assert_true(status == TRM_OK || status == TRM_ERR_MEMORY);
      trm_sim_free(sim);
      assert_int_equal(ours.live, 0);
    }
  }
  assert_memory_equal(first, again, sizeof first);
  trm_system_free(sys);
}

/* A run that breaks off in the middle: nothing more is to be had after the third step. */
static bool shut_after_three(void *self) {
  static int asked;
  if (self == NULL) {
    asked = 0;
  } else if (++asked == 4) {
    ((meter *)self)->is_shut = klu_meter.is_shut = true;
  }
  return false;
}

static void a_checkpoint_without_memory_ends_the_run(void **unused) {
  (void)unused;
  trm_error err;
  meter ours = {0};
  klu_meter = (meter){0};
  trm_system *sys = kit_problem("chain", "links", "3");
  trm_options options = trm_options_default();
  options.integrator = "hht";
  options.end = 0.5;
  options.checkpoint_steps = 10;
  options.allocator = meter_allocator(&ours);
  options.should_stop = shut_after_three;
  options.should_stop_self = &ours;
  (void)shut_after_three(NULL);
  trm_sim *sim = kit_sim(sys, &options);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.checkpoint = take_checkpoint}, &err), err);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_MEMORY);
  assert_non_null(strstr(err.message, "checkpoint"));
  assert_int_equal(trm_sim_counters(sim)->steps, 10);
  assert_true(err.t > 0.0);
  trm_sim_free(sim);
  trm_system_free(sys);
  assert_int_equal(ours.live, 0);
  assert_int_equal(klu_meter.live, 0);
}

/* --- a system that changes its patterns, and has no memory for it -------------------- */

enum { MASSES = 40 };

typedef struct shifting {
  int    epoch;
  long   accepted;
  meter *meter;  /* shut with the third step, if not NULL */
} shifting;

static void shifting_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = MASSES};
}

static void shifting_patterns(const void *self, trm_pattern *p) {
  for (int i = 0; i < MASSES; i++) trm_pattern_entry(p, TRM_M, i, i);
  trm_pattern_given(p, TRM_MU_Q);
  trm_pattern_given(p, TRM_C);
  trm_pattern_given(p, TRM_K);
  for (int i = 0; i < MASSES && ((const shifting *)self)->epoch % 2 == 1; i++) {
    trm_pattern_dense(p, TRM_K, i, 0, 1, MASSES);
  }
}

static trm_status shifting_start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  shifting *o = self;
  for (int i = 0; i < MASSES; i++) s->v[i] = i;
  o->accepted = 0;
  return TRM_OK;
}

static trm_status shifting_values(void *self, const trm_state *s, const trm_values *out,
                                  trm_error *err) {
  (void)self, (void)err;
  for (int i = 0; i < MASSES && out->motion != NULL; i++) out->motion[i] = s->vd[i] + 1.0;
  return TRM_OK;
}

static trm_status shifting_blocks(void *self, const trm_state *s, const trm_block_request *request,
                                  trm_error *err) {
  (void)self, (void)s, (void)err;
  for (int i = 0; i < MASSES && request->values[TRM_M] != NULL; i++) {
    request->values[TRM_M][i] = 1.0;
  }
  for (int i = 0; i < MASSES * MASSES && request->values[TRM_K] != NULL; i++) {
    request->values[TRM_K][i] = 0.0;
  }
  return TRM_OK;
}

static trm_status shifting_accept(void *self, const trm_state *s, trm_error *err) {
  (void)s, (void)err;
  shifting *o = self;
  o->accepted++;
  o->epoch++;
  if (o->accepted == 3 && o->meter != NULL) o->meter->is_shut = true;
  return TRM_OK;
}

static int shifting_epoch(const void *self) {
  return ((const shifting *)self)->epoch;
}

static void patterns_without_memory_end_the_run_and_are_read_again(void **unused) {
  (void)unused;
  static const trm_system_ops ops = {
      .name = "shifting", .sizes = shifting_sizes, .patterns = shifting_patterns,
      .start = shifting_start, .values = shifting_values, .blocks = shifting_blocks,
      .accept_step = shifting_accept, .epoch = shifting_epoch};
  trm_error err;
  meter ours = {0};
  shifting self = {.meter = &ours};
  klu_meter = (meter){0};
  trm_system_def def = trm_system_def_default();
  def.ops = &ops;
  def.self = &self;
  def.allocator = meter_allocator(&ours);
  trm_system *sys = NULL;
  CHECK_OK(trm_system_create(&def, &sys, &err), err);
  trm_options options = trm_options_default();
  options.end = 1.0;
  options.steps[0] = 0.1;
  options.nsteps = 1;
  trm_sim *sim = kit_sim(sys, &options);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_MEMORY);
  CHECK_NEAR(err.t, 0.3, 1e-15, "rounding: after the third step");
  trm_sim_free(sim);
  /* memory is back, and the system is as good as new */
  ours.is_shut = false;
  self.meter = NULL;
  sim = kit_sim(sys, &options);
  kit_run(sim);
  CHECK_NEAR(trm_sim_state(sim)->q[7], 6.5, 1e-12, "rounding: a parabola");
  trm_sim_free(sim);
  trm_system_free(sys);
  assert_int_equal(ours.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_request_of_ours_may_fail),
      cmocka_unit_test(any_request_of_klu_may_fail),
      cmocka_unit_test(a_system_survives_a_simulation_without_memory),
      cmocka_unit_test(a_checkpoint_without_memory_ends_the_run),
      cmocka_unit_test(patterns_without_memory_end_the_run_and_are_read_again),
  };
  klu_meter_install();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
