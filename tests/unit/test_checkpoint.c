/* Checkpoints: a run that continues from saved bytes, in a new simulation of a new system, ends
 * with the same bits as the run that was never interrupted. */
#include "unit/kit.h"

enum { SAVED_MAX = 1 << 16, TAPES = 3, NUMBERS = 128 };

/* Checkpoints that are kept: number 1, 4 and the last. */
typedef struct tape {
  int           count;
  double        t[TAPES];
  size_t        size[TAPES];
  unsigned char data[TAPES][SAVED_MAX];
} tape;

static trm_status keep(void *self, double t, const void *data, size_t size, trm_error *err) {
  (void)err;
  tape *p = self;
  const int place = p->count == 0 ? 0 : p->count <= 3 ? 1 : 2;
  assert_true(size <= SAVED_MAX);
  p->count++;
  p->t[place] = t;
  p->size[place] = size;
  memcpy(p->data[place], data, size);
  return TRM_OK;
}

/* Every number of a state, and the samples on the way. */
typedef struct ending {
  int        count;
  double     numbers[NUMBERS];
  kit_record record;
} ending;

static void copy_state(const trm_system *sys, const trm_state *s, ending *end) {
  const trm_quantity lists[] = {TRM_Q, TRM_V, TRM_V, TRM_LAM, TRM_MU, TRM_X, TRM_X, TRM_W, TRM_Z};
  const double *const values[] = {s->q, s->v, s->vd, s->lam, s->mu, s->x, s->xd, s->w, s->z};
  end->numbers[0] = s->t;
  end->count = 1;
  for (int l = 0; l < 9; l++) {
    const int n = trm_system_count(sys, lists[l]);
    assert_true(end->count + n <= NUMBERS);
    memcpy(end->numbers + end->count, values[l], (size_t)n * sizeof(double));
    end->count += n;
  }
}

/* Runs a system to the end; frees it. `save` keeps checkpoints, `load` is where it goes
 * on from, or -1. */
static void run(trm_system *sys, const trm_options *options, tape *save, const tape *load, int at,
                ending *end) {
  trm_error err;
  trm_sim *sim = kit_sim(sys, options);
  kit_listen(sim, &end->record);
  if (save != NULL) {
    save->count = 0;
    memset(save->size, 0, sizeof save->size);
    CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = save, .checkpoint = keep}, &err), err);
  }
  if (load != NULL) CHECK_OK(trm_sim_load(sim, load->data[at], load->size[at], &err), err);
  kit_run(sim);
  copy_state(sys, trm_sim_state(sim), end);
  trm_sim_free(sim);
  trm_system_free(sys);
}

static void check_same(const ending *whole, const ending *rest, double since, const char *what) {
  assert_int_equal(whole->count, rest->count);
  for (int i = 0; i < whole->count; i++) {
    if (memcmp(&whole->numbers[i], &rest->numbers[i], sizeof(double)) != 0) {
      fail_msg("%s from t = %g: number %d is %.17g, uninterrupted %.17g", what, since, i,
               rest->numbers[i], whole->numbers[i]);
    }
  }
  /* the samples after the checkpoint, and no other */
  const kit_record *a = &whole->record, *b = &rest->record;
  const int skipped = a->nsamples - b->nsamples;
  assert_true(skipped >= 0 && b->nsamples > 0);
  for (int i = 0; i < b->nsamples; i++) {
    assert_true(a->sample_t[skipped + i] == b->sample_t[i] && b->sample_t[i] > since);
    assert_memory_equal(a->sample_q[skipped + i], b->sample_q[i], sizeof b->sample_q[i]);
  }
}

static const struct {
  const char *integrator, *formulation;
} methods[] = {{"hht", "si2"},   {"hht", "index3"},      {"hht", "paper"},
               {"alpha", "si2"}, {"explicit", "dop853"}, {"explicit", "dopri5"},
               {"hht", "cs"},    {"alpha", "cm"},        {"alpha", "projected"},
               {"tdg", "multicorrector"}, {"tdg", "newton"}, {"radau", NULL}, {"radau", "index2"},
               {"bdf", "si2"},   {"bdf", "cs"},          {"bdf", "cm"}};
enum { METHODS = sizeof methods / sizeof *methods };

static const struct {
  const char *problem, *name, *value;
  double      step, end;
} problems[] = {
    {"servo", NULL, NULL, 5e-3, 0.5},
    {"chain", "links", "3", 5e-3, 0.4},
    {"rolling-disc", NULL, NULL, 5e-3, 0.4},
    {"slider-crank", NULL, NULL, 1e-5, 1e-3},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static trm_options options_of(int p, int m, bool is_fixed) {
  trm_options options = trm_options_default();
  options.integrator = methods[m].integrator;
  options.formulation = methods[m].formulation;
  options.end = problems[p].end;
  options.outputs = 40;
  options.checkpoint_steps = 3;
  options.tolerance = strcmp(methods[m].integrator, "explicit") == 0 ? 1e-12
                      : strcmp(methods[m].integrator, "radau") == 0  ? 1e-10
                                                                     : 1e-6;
  options.steps[0] = problems[p].step;
  options.steps[1] = 0.5 * problems[p].step;
  options.nsteps = is_fixed ? 2 : 0;
  return options;
}

static trm_system *create(int p) {
  return kit_problem(problems[p].problem, problems[p].name, problems[p].value);
}

/* Multipliers of index 3 jump where the step changes, and the controller of the servo
 * listens to them: such a run does not come to its end (docs/theory/03-alpha.md, 3.6). */
static bool is_hopeless(int p, int m, bool is_fixed) {
  const bool is_hht = strcmp(methods[m].integrator, "hht") == 0;
  const bool has_jumps = is_hht && (strcmp(methods[m].formulation, "index3") == 0 ||
                                    strcmp(methods[m].formulation, "paper") == 0);
  return !is_fixed && has_jumps && strcmp(problems[p].problem, "servo") == 0;
}

static void check_problem(int p, bool is_fixed) {
  tape *saved = calloc(1, sizeof *saved);
  ending *whole = calloc(2, sizeof *whole), *rest = whole + 1;
  assert_true(saved != NULL && whole != NULL);
  for (int m = 0; m < METHODS; m++) {
    char what[96];
    if (is_hopeless(p, m, is_fixed)) continue;
    snprintf(what, sizeof what, "%s, %s %s, %s", problems[p].problem, methods[m].integrator,
             methods[m].formulation, is_fixed ? "fixed" : "adaptive");
    const trm_options options = options_of(p, m, is_fixed);
    run(create(p), &options, saved, NULL, 0, whole);
    assert_true(saved->count >= 2);
    for (int at = 0; at < TAPES; at++) {
      if (saved->size[at] == 0 || saved->t[at] >= options.end) continue;
      run(create(p), &options, NULL, saved, at, rest);
      check_same(whole, rest, saved->t[at], what);
    }
  }
  free(saved);
  free(whole);
}

static void fixed_steps_go_on_with_the_same_bits(void **unused) {
  (void)unused;
  for (int p = 0; p < PROBLEMS; p++) check_problem(p, true);
}

static void error_controlled_steps_go_on_with_the_same_bits(void **unused) {
  (void)unused;
  for (int p = 0; p < PROBLEMS; p++) check_problem(p, false);
}

/* A run that goes on keeps checkpoints of its own, good for a third one. */
static void a_second_interruption_is_no_different(void **unused) {
  (void)unused;
  tape *first = calloc(1, sizeof *first), *second = calloc(1, sizeof *second);
  ending *whole = calloc(2, sizeof *whole), *rest = whole + 1;
  assert_true(first != NULL && second != NULL && whole != NULL);
  const trm_options options = options_of(1, 0, false);
  run(create(1), &options, first, NULL, 0, whole);
  run(create(1), &options, second, first, 0, rest);
  assert_true(second->count >= 4);
  for (int at = 0; at < 2; at++) {
    run(create(1), &options, NULL, second, at, rest);
    check_same(whole, rest, second->t[at], "second");
  }
  free(first);
  free(second);
  free(whole);
}

static bool stop_soon(void *self) {
  return --*(int *)self < 0;
}

/* What is left of a run that was stopped from outside is its last checkpoint. */
static void a_run_stopped_from_outside_goes_on(void **unused) {
  (void)unused;
  trm_error err;
  tape *saved = calloc(1, sizeof *saved);
  ending *whole = calloc(2, sizeof *whole), *rest = whole + 1;
  assert_true(saved != NULL && whole != NULL);
  trm_options options = options_of(0, 0, false);
  run(create(0), &options, NULL, NULL, 0, whole);
  int patience = 21;
  options.should_stop = stop_soon;
  options.should_stop_self = &patience;
  trm_system *sys = create(0);
  trm_sim *sim = kit_sim(sys, &options);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = saved, .checkpoint = keep}, &err), err);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_STOPPED);
  assert_true(err.t == trm_sim_state(sim)->t && err.t < options.end);
  const long steps = trm_sim_counters(sim)->steps; /* it is asked after rejected attempts, too */
  assert_in_range(steps, 15, 21);
  assert_int_equal(saved->count, steps / 3);
  trm_sim_free(sim);
  trm_system_free(sys);
  options.should_stop = NULL;
  run(create(0), &options, NULL, saved, 2, rest);
  check_same(whole, rest, saved->t[2], "stopped");
  free(saved);
  free(whole);
}

static void bytes_of_another_size_are_refused(void **unused) {
  (void)unused;
  trm_error err;
  const trm_options options = options_of(0, 0, true);
  trm_system *sys = create(0);
  trm_sim *sim = kit_sim(sys, &options);
  const size_t size = trm_sim_save_size(sim);
  unsigned char *data = calloc(1, size + 1);
  assert_non_null(data);
  const size_t wrong[] = {0, 1, size - 1, size + 1};
  for (int i = 0; i < 4; i++) {
    CHECK_STATUS(trm_sim_load(sim, data, wrong[i], &err), TRM_ERR_INPUT);
    char number[32];
    snprintf(number, sizeof number, "%zu bytes", wrong[i]);
    assert_non_null(strstr(err.message, number));
  }
  kit_run(sim); /* and nothing happened to the simulation */
  free(data);
  trm_sim_free(sim);
  trm_system_free(sys);
}

/* Steps once, or saves and loads before that; the state after it. */
static void first_step(const trm_system_ops *ops, bool is_saved, double input, ending *end) {
  trm_error err;
  bool done = false;
  trm_options options = trm_options_default();
  options.end = 1.0;
  options.steps[0] = 0.1;
  options.nsteps = 1;
  trm_system *sys = kit_system(ops, NULL), *other = kit_system(ops, NULL);
  trm_sim *sim = kit_sim(sys, &options), *loaded = kit_sim(other, &options);
  CHECK_OK(trm_sim_set_input(sim, 0, input, 0.0, &err), err);
  if (is_saved) {
    const size_t size = trm_sim_save_size(sim);
    void *data = malloc(size);
    assert_non_null(data);
    trm_sim_save(sim, data);
    CHECK_OK(trm_sim_load(loaded, data, size, &err), err);
    free(data);
  }
  trm_sim *used = is_saved ? loaded : sim;
  CHECK_OK(trm_sim_step(used, &done, &err), err);
  copy_state(is_saved ? other : sys, trm_sim_state(used), end);
  trm_sim_free(sim);
  trm_sim_free(loaded);
  trm_system_free(sys);
  trm_system_free(other);
}

static void cart_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 1, .nu = 1};
}

static trm_status no_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_OK;
}

static trm_status cart_values(void *self, const trm_state *s, const trm_values *out,
                              trm_error *err) {
  (void)self, (void)err;
  if (out->motion != NULL) out->motion[0] = s->vd[0] + sin(s->q[0]) - s->u[0];
  return TRM_OK;
}

/* "Everything that shapes the next steps", and an input that waits for one does. */
static void an_input_that_waits_for_the_next_step_is_saved(void **unused) {
  (void)unused;
  static const trm_system_ops cart = {.name = "cart", .sizes = cart_sizes, .start = no_start,
                                      .values = cart_values};
  ending *a = calloc(2, sizeof *a), *b = a + 1;
  assert_non_null(a);
  first_step(&cart, false, 3.0, a);
  first_step(&cart, true, 3.0, b);
  assert_true(a->numbers[1] > 0.01); /* the input acts */
  CHECK_NEAR(b->numbers[1], a->numbers[1], 0.0, "position after the step: the same bits");
  free(a);
}

/* --- a solver that had to step down for a while ------------------------------------- */

/* Two coordinates tied together; the second loses its mass from 0.2 to 0.3 s. */
static void tied_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 2, .ng = 1};
}

static trm_status tied_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[0] = s->q[1] = 0.7;
  return TRM_OK;
}

static trm_status tied_values(void *self, const trm_state *s, const trm_values *out,
                              trm_error *err) {
  (void)self, (void)err;
  const double mass = s->t > 0.2 && s->t < 0.3 ? 0.0 : 0.8;
  if (out->motion != NULL) {
    out->motion[0] = 1.1 * s->vd[0] + 3.0 * sin(s->q[0]) + 0.2 * s->v[0] - s->lam[0];
    out->motion[1] = mass * s->vd[1] + s->lam[0];
  }
  if (out->g != NULL) out->g[0] = s->q[1] - s->q[0];
  if (out->energy != NULL) out->energy[0] = out->energy[1] = out->energy[2] = 0.0;
  return TRM_OK;
}

static void a_solver_that_stepped_down_is_the_same_after_a_restart(void **unused) {
  (void)unused;
  static const trm_system_ops tied = {.name = "tied", .sizes = tied_sizes, .start = tied_start,
                                      .values = tied_values};
  const char *const solvers[] = {"block", "klu", "dense"};
  tape *saved = calloc(1, sizeof *saved);
  ending *whole = calloc(2, sizeof *whole), *rest = whole + 1;
  assert_true(saved != NULL && whole != NULL);
  for (int k = 0; k < 6; k++) {
    trm_options options = trm_options_default();
    options.integrator = k < 3 ? "hht" : "explicit";
    options.solver = solvers[k % 3];
    options.end = 2.0;
    options.steps[0] = 0.01;
    options.nsteps = 1;
    options.outputs = 20;
    options.checkpoint_steps = 50;
    run(kit_system(&tied, NULL), &options, saved, NULL, 0, whole);
    run(kit_system(&tied, NULL), &options, NULL, saved, 0, rest); /* from 0.5 s */
    check_same(whole, rest, saved->t[0], solvers[k % 3]);
  }
  free(saved);
  free(whole);
}

/* --- events ---------------------------------------------------------------------------- */

/* A pendulum on a rod; its lowest point is an event that starts the integrator anew, a
 * mark at 0.2 s is silent. */
static void swing_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 2, .ng = 1, .nevents = 2};
}

static trm_status swing_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[0] = 0.8, s->q[1] = -0.6;
  return TRM_OK;
}

static trm_status swing_values(void *self, const trm_state *s, const trm_values *out,
                               trm_error *err) {
  (void)self, (void)err;
  const double x = s->q[0], y = s->q[1];
  if (out->motion != NULL) {
    out->motion[0] = s->vd[0] + x * s->lam[0];
    out->motion[1] = s->vd[1] + y * s->lam[0] + 9.81;
  }
  if (out->g != NULL) out->g[0] = 0.5 * (x * x + y * y - 1.0);
  if (out->energy != NULL) out->energy[0] = out->energy[1] = out->energy[2] = 0.0;
  if (out->events != NULL) out->events[0] = x, out->events[1] = s->t - 0.2;
  return TRM_OK;
}

static void swing_info(const void *self, int i, trm_event_info *info) {
  (void)self;
  *info = (trm_event_info){.kind = i == 0 ? TRM_EVENT_RESTART : TRM_EVENT_SILENT};
}

static void events_after_a_restart_are_those_of_the_whole_run(void **unused) {
  (void)unused;
  static const trm_system_ops swing = {.name = "swing", .sizes = swing_sizes,
                                       .start = swing_start, .values = swing_values,
                                       .event_info = swing_info};
  tape *saved = calloc(1, sizeof *saved);
  ending *whole = calloc(2, sizeof *whole), *rest = whole + 1;
  assert_true(saved != NULL && whole != NULL);
  for (int k = 0; k < 4; k++) {
    trm_options options = trm_options_default();
    options.integrator = k % 2 == 0 ? "hht" : "explicit";
    options.end = 5.0;
    options.steps[0] = 0.01;
    options.nsteps = k / 2;
    options.outputs = 20;
    options.checkpoint_steps = k == 1 ? 5 : 50; /* explicit takes longer steps */
    run(kit_system(&swing, NULL), &options, saved, NULL, 0, whole);
    assert_true(whole->record.nevents >= 5 && saved->t[0] > 0.3);
    run(kit_system(&swing, NULL), &options, NULL, saved, 0, rest);
    check_same(whole, rest, saved->t[0], options.integrator);
    const int skipped = whole->record.nevents - rest->record.nevents;
    assert_true(skipped > 0);
    for (int i = 0; i < rest->record.nevents; i++) {
      assert_true(rest->record.event_t[i] > saved->t[0]);
      assert_true(rest->record.event_t[i] == whole->record.event_t[skipped + i]);
    }
  }
  free(saved);
  free(whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_steps_go_on_with_the_same_bits),
      cmocka_unit_test(error_controlled_steps_go_on_with_the_same_bits),
      cmocka_unit_test(a_second_interruption_is_no_different),
      cmocka_unit_test(a_run_stopped_from_outside_goes_on),
      cmocka_unit_test(bytes_of_another_size_are_refused),
      cmocka_unit_test(an_input_that_waits_for_the_next_step_is_saved),
      cmocka_unit_test(a_solver_that_stepped_down_is_the_same_after_a_restart),
      cmocka_unit_test(events_after_a_restart_are_those_of_the_whole_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
