/* The time loop takes no memory: after the first steps every request fails, and the run
 * comes to its end. What KLU takes for itself, it takes when it looks for new pivots. */
#include "fault/typed_memory.h"
#include "methods.h"
#include "unit/glider.h"

static const struct {
  const char *problem, *name, *value;
  double      step, end;
} problems[] = {
    {"pendulum", NULL, NULL, 1e-2, 3.0},     {"servo", NULL, NULL, 1e-2, 1.0},
    {"heavy-top", NULL, NULL, 5e-4, 0.1},    {"rolling-disc", NULL, NULL, 5e-3, 1.0},
    {"chain", "links", "5", 5e-3, 0.5},      {"slider-crank", NULL, NULL, 2e-5, 4e-3},
    {"double-pendulum", NULL, NULL, 5e-3, 1.0},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static const struct {
  const char *integrator, *formulation;
  bool        is_fixed;
} forms[] = {
    {"hht", "si2", true},     {"hht", "si2", false},         {"alpha", "index3", true},
    {"alpha", "si2", false},  {"explicit", "dop853", false}, {"explicit", "dopri5", true},
    {"tdg", "multicorrector", true}, {"tdg", "newton", false}, {"radau", "index3", true},
    {"radau", "index3", false}, {"radau", "index1", false},  {"alpha", "cs", true},
    {"bdf", "si2", true},     {"bdf", "si2", false},         {"bdf", "cs", false},
    {"bdf", "cm", false},
};
enum { FORMS = sizeof forms / sizeof *forms, WARM_UP = 3 };

static trm_options options_of(int p, int m, meter *ours) {
  trm_options options = trm_options_default();
  options.integrator = forms[m].integrator;
  options.formulation = forms[m].formulation;
  options.end = problems[p].end;
  options.steps[0] = problems[p].step;
  options.nsteps = forms[m].is_fixed ? 1 : 0;
  options.tolerance = strcmp(forms[m].integrator, "explicit") == 0 ? 1e-9 : 1e-5;
  options.outputs = 50;
  options.checkpoint_steps = 1000000;
  options.allocator = meter_allocator(ours);
  return options;
}

/* A problem whose system and simulation take their memory from the meter. */
static trm_system *create(int p, meter *ours) {
  trm_error err;
  trm_system *sys = NULL;
  const trm_allocator allocator = meter_allocator(ours);
  const trm_setting setting = {.name = problems[p].name, .value = problems[p].value};
  CHECK_OK(trm_problem_create(trm_problem_find(problems[p].problem), &setting,
                              setting.name != NULL ? 1 : 0, &allocator, &sys, &err),
           err);
  return sys;
}

static trm_status listen(void *self, const trm_sample *sample, trm_error *err) {
  (void)sample, (void)err;
  ++*(int *)self;
  return TRM_OK;
}

/* Warm up, shut the doors, go on to the end. */
static void check_loop(int p, int m, const char *kind) {
  trm_error err;
  meter ours = {0};
  int samples = 0;
  bool done = false;
  char what[96];
  snprintf(what, sizeof what, "%s, %s %s %s, %s", problems[p].problem, forms[m].integrator,
           forms[m].formulation, forms[m].is_fixed ? "fixed" : "adaptive", kind);
  trm_system *sys = create(p, &ours);
  trm_options options = options_of(p, m, &ours);
  options.solver = kind;
  trm_sim *sim = kit_sim(sys, &options);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &samples, .sample = listen}, &err), err);
  for (int i = 0; i < WARM_UP && !done; i++) CHECK_OK(trm_sim_step(sim, &done, &err), err);
  assert_false(done);
  ours.is_shut = true;
  const trm_status status = trm_sim_run(sim, &err);
  if (status != TRM_OK) fail_msg("%s: %s at t = %g", what, err.message, err.t);
  if (ours.refused != 0) fail_msg("%s: %ld requests in the loop", what, ours.refused);
  assert_int_equal(samples, 51);
  trm_sim_free(sim);
  trm_system_free(sys);
  assert_int_equal(ours.live, 0);
}

static void no_step_takes_memory(void **unused) {
  (void)unused;
  const char *const solvers[] = {"auto", "block", "klu", "dense"};
  for (int p = 0; p < PROBLEMS; p++) {
    for (int m = 0; m < FORMS; m++) {
      for (int s = 0; s < 4; s++) check_loop(p, m, solvers[s]);
    }
  }
}

/* ---- models of files: joints, forces, beams, expressions, events --------------------------- */

enum { STEPS = 100 };

/* False: the method refuses the model. */
static bool check_model(const char *name, const typed *m, meter *ours, const char *integrator) {
  trm_error err;
  bool done = false;
  trm_options options = typed_options(m, integrator, typed_part(name, integrator));
  options.allocator = meter_allocator(ours);
  options.checkpoint_steps = 1000000;
  if (method_refuses(m->system, &options)) return false;
  const long live = ours->live;
  trm_sim *sim = kit_sim(m->system, &options);
  for (int i = 0; i < WARM_UP && !done; i++) CHECK_OK(trm_sim_step(sim, &done, &err), err);
  ours->is_shut = true;
  for (int i = 0; i < STEPS && !done; i++) {
    const trm_status status = trm_sim_step(sim, &done, &err);
    if (status != TRM_OK) fail_msg("%s, %s: %s at t = %g", name, integrator, err.message, err.t);
  }
  if (ours->refused != 0) fail_msg("%s, %s: %ld requests", name, integrator, ours->refused);
  ours->is_shut = false;
  trm_sim_free(sim);
  assert_int_equal(ours->live, live);
  return true;
}

static void no_step_of_a_model_takes_memory(void **unused) {
  (void)unused;
  const int count = every_method();
  int runs[sizeof methods / sizeof *methods] = {0};
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    const char *name = trm_shipped_model_at(i)->name;
    const bool is_large = typed_is_large(name);
    if (is_large && IS_SANITIZED) continue;
    meter ours = {0};
    typed m = typed_metered(name, &ours);
    for (int k = 0; k < count; k++) {
      if (is_large && strcmp(methods[k], "hht") != 0) continue;
      runs[k] += check_model(name, &m, &ours, methods[k]);
    }
    typed_close(&m);
    assert_int_equal(ours.live, 0);
  }
  for (int k = 0; k < count; k++) {
    if (runs[k] == 0) fail_msg("no model for %s", methods[k]);
  }
}

/* Neither do rates and derivatives by differences, inputs that change, and restarts. */
static void no_difference_and_no_restart_takes_memory(void **unused) {
  (void)unused;
  const trm_system_ops *const tables[] = {&glider_full, &glider_without_rates,
                                          &glider_equations_only};
  for (int k = 0; k < 3 * FORMS; k++) {
    trm_error err;
    meter ours = {0};
    bool done = false;
    glider self = {.entry = -1};
    trm_system_def def = trm_system_def_default();
    def.ops = tables[k / FORMS];
    def.self = &self;
    def.allocator = meter_allocator(&ours);
    trm_system *sys = NULL;
    CHECK_OK(trm_system_create(&def, &sys, &err), err);
    trm_options options = options_of(1, k % FORMS, &ours);
    options.end = 0.5;
    trm_sim *sim = kit_sim(sys, &options);
    for (int i = 0; i < WARM_UP; i++) CHECK_OK(trm_sim_step(sim, &done, &err), err);
    ours.is_shut = true;
    CHECK_OK(trm_sim_set_input(sim, 0, 2.0, 0.0, &err), err);
    kit_run(sim);
    assert_int_equal(ours.refused, 0);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

/* KLU: requests of each step, beside the factorizations. */
typedef struct klu_use {
  long steps, busy;      /* steps after the warm-up, those with requests  */
  long requests, checkpoints;
} klu_use;

static klu_use follow_klu(int p, int m, long checkpoint_steps) {
  trm_error err;
  meter ours = {0};
  klu_use use = {0};
  bool done = false;
  klu_meter = (meter){0};
  trm_system *sys = create(p, &ours);
  trm_options options = options_of(p, m, &ours);
  options.solver = "klu";
  options.checkpoint_steps = checkpoint_steps;
  trm_sim *sim = kit_sim(sys, &options);
  while (!done) {
    const long before = klu_meter.requests, steps = trm_sim_counters(sim)->steps;
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    if (steps < WARM_UP) continue;
    use.steps++;
    use.checkpoints += steps % checkpoint_steps == 0;
    use.requests += klu_meter.requests - before;
    use.busy += klu_meter.requests > before;
  }
  trm_sim_free(sim);
  trm_system_free(sys);
  assert_int_equal(klu_meter.live, 0);
  return use;
}

/* Between checkpoints old pivots serve. What remains is one step in which a matrix is
 * factored for the first time: the heavy one, where light ones converge no more (alpha.c);
 * measured, that is the servo with error control, and no other of these. */
static void klu_takes_memory_only_for_new_pivots(void **unused) {
  (void)unused;
  for (int p = 0; p < PROBLEMS; p++) {
    for (int m = 0; m < FORMS; m++) {
      const klu_use use = follow_klu(p, m, 1000000);
      if (use.busy > 1) {
        fail_msg("%s, %s %s: requests in %ld of %ld steps", problems[p].problem,
                 forms[m].integrator, forms[m].formulation, use.busy, use.steps);
      }
    }
  }
}

/* A checkpoint forgets the pivots: one busy step behind each, and that one step. Dense output of
 * explicit, radau and tdg has a matrix of its own, used where the next sample falls. tdg has two
 * matrices, of which the second is used only where passes are slow. */
static void klu_takes_memory_after_checkpoints(void **unused) {
  (void)unused;
  for (int p = 0; p < PROBLEMS; p++) {
    for (int m = 0; m < FORMS; m++) {
      const klu_use use = follow_klu(p, m, 10);
      const bool is_idle = use.busy == 0 && use.checkpoints > 0; /* radau may be there before */
      const bool is_tdg = strcmp(forms[m].integrator, "tdg") == 0;
      const bool has_dense = is_tdg || strcmp(forms[m].integrator, "radau") == 0 ||
                             strcmp(forms[m].integrator, "explicit") == 0;
      const long each = 1 + (is_tdg ? 1 : 0) + (has_dense ? 1 : 0);
      if (use.busy > each * use.checkpoints + 1 || is_idle) {
        fail_msg("%s, %s %s: requests in %ld of %ld steps, %ld checkpoints", problems[p].problem,
                 forms[m].integrator, forms[m].formulation, use.busy, use.steps,
                 use.checkpoints);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_step_takes_memory),
      cmocka_unit_test(no_step_of_a_model_takes_memory),
      cmocka_unit_test(no_difference_and_no_restart_takes_memory),
      cmocka_unit_test(klu_takes_memory_only_for_new_pivots),
      cmocka_unit_test(klu_takes_memory_after_checkpoints),
  };
  klu_meter_install();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
