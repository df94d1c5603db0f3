/* Epochs, hooks and memory: patterns that follow the motion change no number, elements
 * with memory are told of every step in its order, and their memory travels.
 *
 * Six carts on a line, each on a spring to its place; cart 0 runs into cart 1, which
 * has a bumper of length r in front:
 *   m x_i'' = -k (x_i - a_i) - c x_i',   bumper: f = b p^2, p = r - (x_1 - x_0) > 0
 * The pattern has the bumper only while it is near. The last cart is on dry ground:
 * its spring is fixed to a point that is dragged along, w in memory. */
#include "methods.h"
#include "unit/kit.h"

enum { CARTS = 6, TRACE = 20000 };

static const double mass = 1.0, k_spring = 20.0, c_spring = 0.1, r_bumper = 0.3, b_bumper = 2e4,
                    margin = 0.2, k_drag = 50.0, slack = 0.02;

typedef struct carts {
  bool is_full;    /* the bumper is always in the pattern            */
  bool has_mark;   /* an event: cart 0 passes 0.35 on its way back   */
  bool is_reset;   /* the start begins the memory anew               */
  double at;       /* cart 0 at the start                            */
  /* memory */
  bool   is_near;  /* the bumper is in the pattern                   */
  int    epoch;
  double anchor;   /* where the drag holds the last cart             */
  /* what was called: B begin, A accept, R reject */
  int    ntrace;
  char   trace[TRACE];
  double begin_t, begin_h, accept_t;
  int    disorder; /* steps that did not begin where the last ended  */
  int    fail_at;  /* accept number that fails, 0: none              */
  int    naccepted, saved, loaded;
  bool   declared; /* the bumper was in the pattern when it was read */
  int    mismatch; /* blocks wanted by another pattern than that of now */
} carts;

static void sizes(const void *self, trm_sizes *n) {
  *n = (trm_sizes){.nv = CARTS, .nevents = ((const carts *)self)->has_mark ? 1 : 0};
}

static void patterns(const void *self, trm_pattern *p) {
  const carts *o = self;
  for (int i = 0; i < CARTS; i++) {
    trm_pattern_entry(p, TRM_M, i, i);
    trm_pattern_entry(p, TRM_K, i, i);
    trm_pattern_entry(p, TRM_C, i, i);
  }
  ((carts *)self)->declared = o->is_full || o->is_near; /* for the test alone */
  if (o->is_full || o->is_near) {
    trm_pattern_entry(p, TRM_K, 0, 1);
    trm_pattern_entry(p, TRM_K, 1, 0);
  }
  trm_pattern_given(p, TRM_MU_Q);
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  carts *o = self;
  for (int i = 0; i < CARTS; i++) s->q[i] = i;
  s->q[0] = o->at;
  s->v[CARTS - 1] = 1.0;
  if (o->is_reset) {
    o->anchor = CARTS - 1;
    o->is_near = s->q[1] - s->q[0] < r_bumper + margin;
    o->epoch++;
    o->naccepted = 0;
  }
  return TRM_OK;
}

static double pressed(const trm_state *s) {
  return fmax(r_bumper - (s->q[1] - s->q[0]), 0.0);
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const carts *o = self;
  if (out->motion != NULL) {
    const double f = b_bumper * pressed(s) * pressed(s);
    for (int i = 0; i < CARTS; i++) {
      out->motion[i] = mass * s->vd[i] + k_spring * (s->q[i] - i) + c_spring * s->v[i];
    }
    out->motion[0] += f;
    out->motion[1] -= f;
    out->motion[CARTS - 1] += k_drag * (s->q[CARTS - 1] - o->anchor);
  }
  if (out->events != NULL) out->events[0] = s->q[0] - 0.35;
  return TRM_OK;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)err;
  carts *o = self;
  double *const *b = request->values;
  if (o->declared != (o->is_full || o->is_near)) o->mismatch++;
  const double slope = 2 * b_bumper * pressed(s);
  for (int i = 0; i < CARTS; i++) {
    if (b[TRM_M] != NULL) b[TRM_M][i] = mass;
    if (b[TRM_C] != NULL) b[TRM_C][i] = c_spring;
    if (b[TRM_K] != NULL) b[TRM_K][i] = k_spring + (i < 2 ? slope : 0.0);
  }
  if (b[TRM_K] != NULL) b[TRM_K][CARTS - 1] += k_drag;
  if (b[TRM_K] != NULL && o->declared) { /* a real system would write out of bounds */
    b[TRM_K][CARTS] = b[TRM_K][CARTS + 1] = -slope;
  }
  return TRM_OK;
}

static void event_info(const void *self, int i, trm_event_info *info) {
  (void)self, (void)i;
  *info = (trm_event_info){.kind = TRM_EVENT_RESTART, .direction = -1};
}

static void note(carts *o, char what) {
  assert_true(o->ntrace + 1 < TRACE);
  o->trace[o->ntrace++] = what;
}

static trm_status begin_step(void *self, const trm_state *s, double h, trm_error *err) {
  (void)err;
  carts *o = self;
  if (o->naccepted > 0 && s->t != o->accept_t) o->disorder++;
  o->begin_t = s->t;
  o->begin_h = h;
  note(o, 'B');
  return TRM_OK;
}

static trm_status accept_step(void *self, const trm_state *s, trm_error *err) {
  carts *o = self;
  note(o, 'A');
  if (!(s->t > o->begin_t && s->t <= o->begin_t + o->begin_h * (1 + 1e-12))) o->disorder++;
  o->accept_t = s->t;
  if (++o->naccepted == o->fail_at) return trm_fail(err, TRM_ERR_IO, "cart 5", "off the rails");
  const bool near = s->q[1] - s->q[0] < r_bumper + margin;
  if (near != o->is_near) o->epoch++;
  o->is_near = near;
  const double stretch = s->q[CARTS - 1] - o->anchor;
  if (fabs(stretch) > slack) o->anchor += stretch - copysign(slack, stretch);
  return TRM_OK;
}

static void reject_step(void *self) {
  note(self, 'R');
}

static int epoch(const void *self) {
  return ((const carts *)self)->epoch;
}

/* The memory, in the order of the struct. */
static size_t memory_size(const void *self) {
  (void)self;
  return sizeof(bool) + sizeof(int) + sizeof(double);
}

static void memory_save(const void *self, void *data) {
  const carts *o = self;
  unsigned char *to = data;
  ((carts *)self)->saved++;
  memcpy(to, &o->is_near, sizeof(bool));
  memcpy(to + sizeof(bool), &o->epoch, sizeof(int));
  memcpy(to + sizeof(bool) + sizeof(int), &o->anchor, sizeof(double));
}

static void memory_load(void *self, const void *data) {
  carts *o = self;
  const unsigned char *from = data;
  o->loaded++;
  memcpy(&o->is_near, from, sizeof(bool));
  memcpy(&o->epoch, from + sizeof(bool), sizeof(int));
  memcpy(&o->anchor, from + sizeof(bool) + sizeof(int), sizeof(double));
}

static const trm_system_ops ops = {
    .name = "carts", .sizes = sizes, .patterns = patterns, .start = start, .values = values,
    .blocks = blocks, .event_info = event_info, .begin_step = begin_step,
    .accept_step = accept_step, .reject_step = reject_step, .epoch = epoch,
    .memory_size = memory_size, .memory_save = memory_save, .memory_load = memory_load,
};
/* The same, but nobody is told of its memory. */
static const trm_system_ops forgetful = {
    .name = "carts", .sizes = sizes, .patterns = patterns, .start = start, .values = values,
    .blocks = blocks, .event_info = event_info, .begin_step = begin_step,
    .accept_step = accept_step, .reject_step = reject_step, .epoch = epoch,
};

static carts *new_carts(void) {
  carts *o = calloc(1, sizeof *o);
  assert_non_null(o);
  o->anchor = CARTS - 1;
  o->at = -1.0;
  return o;
}

static trm_options options_of(const char *integrator, double step) {
  trm_options options = trm_options_default();
  options.integrator = integrator;
  options.end = 3.0; /* three blows: long enough for the bumper to come and go */
  options.tolerance = 1e-6;
  options.steps[0] = step;
  options.nsteps = step > 0.0 ? 1 : 0;
  return options;
}

typedef struct ending {
  double       q[CARTS], v[CARTS];
  trm_counters counters;
} ending;

static ending run(carts *self, const trm_options *options) {
  ending end;
  trm_system *sys = kit_system(&ops, self);
  trm_sim *sim = kit_sim(sys, options);
  kit_run(sim);
  memcpy(end.q, trm_sim_state(sim)->q, sizeof end.q);
  memcpy(end.v, trm_sim_state(sim)->v, sizeof end.v);
  end.counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  trm_system_free(sys);
  return end;
}

static const char *const solvers[] = {"klu", "dense", "auto"};

static void patterns_that_follow_the_motion_change_no_number(void **unused) {
  (void)unused;
  const struct {
    const char *integrator;
    double      step;
  } runs[] = {{"hht", 1e-3}, {"alpha", 1e-3}, {"hht", 0.0}, {"explicit", 0.0},
              {"tdg", 1e-3}, {"radau", 0.0}, {"tdg", 0.0},  {"radau", 1e-3},
              {"bdf", 0.0},  {"bdf", 1e-3}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    for (int s = 0; s < 3; s++) {
      carts *moving = new_carts(), *fixed = new_carts();
      fixed->is_full = true;
      trm_options options = options_of(runs[k].integrator, runs[k].step);
      options.solver = solvers[s];
      options.newton_tolerance = 1e-14;
      if (strcmp(runs[k].integrator, "radau") == 0) options.max_order = 5;
      const ending a = run(moving, &options), b = run(fixed, &options);
      assert_true(moving->epoch >= 4); /* it came and went twice at least */
      assert_int_equal(moving->mismatch, 0);
      for (int i = 0; i < CARTS; i++) {
        /* Newton leaves 1e-14 in each step; an error grows about tenfold in a blow */
        CHECK_NEAR(a.q[i], b.q[i], 1e-12, "%s %g %s: x %d", runs[k].integrator, runs[k].step,
                   solvers[s], i);
        CHECK_NEAR(a.v[i], b.v[i], 1e-10, "%s %g %s: v %d", runs[k].integrator, runs[k].step,
                   solvers[s], i); /* times the frequency of the bumper */
      }
      free(moving);
      free(fixed);
    }
  }
}

/* The patterns are read when a system is created; the start may change them, and so may
 * a run that ended elsewhere. */
static void the_first_epoch_is_that_of_the_start(void **unused) {
  (void)unused;
  const double at[] = {0.75, -1.0}; /* against the bumper, and far from it */
  for (int k = 0; k < 4; k++) {
    carts *moving = new_carts(), *fixed = new_carts();
    moving->is_reset = fixed->is_reset = fixed->is_full = true;
    moving->at = fixed->at = at[k % 2];
    moving->is_near = k / 2 == 1; /* when it is created */
    trm_options options = options_of("hht", 1e-3);
    options.end = 1.3; /* which is near the bumper */
    options.solver = "klu";
    const ending whole = run(fixed, &options);
    trm_system *sys = kit_system(&ops, moving);
    for (int again = 0; again < 2; again++) {
      trm_sim *sim = kit_sim(sys, &options);
      kit_run(sim);
      /* the same matrices, so the same bits, and not one iteration more */
      assert_memory_equal(trm_sim_state(sim)->q, whole.q, sizeof whole.q);
      assert_int_equal(trm_sim_counters(sim)->newton_iterations,
                       whole.counters.newton_iterations);
      trm_sim_free(sim);
    }
    assert_int_equal(moving->mismatch, 0);
    trm_system_free(sys);
    free(moving);
    free(fixed);
  }
}

/* B R* A, over and over, and as many of each as the counters say. */
static void hooks_are_called_in_order_and_number(void **unused) {
  (void)unused;

  for (int k = 0; k < all_methods(); k++) {
    carts *o = new_carts();
    const trm_options options = options_of(methods[k], 0.0);
    const ending end = run(o, &options);
    long begun = 0, rejected = 0, accepted = 0;
    for (int i = 0; i < o->ntrace; i++) {
      const char now = o->trace[i], before = i > 0 ? o->trace[i - 1] : 'A';
      if (now == 'B') assert_true(before == 'A');
      if (now != 'B') assert_true(before == 'B' || before == 'R');
      begun += now == 'B', rejected += now == 'R', accepted += now == 'A';
    }
    assert_int_equal(accepted, end.counters.steps);
    assert_int_equal(begun, accepted);
    assert_int_equal(rejected, end.counters.rejected_error + end.counters.rejected_newton);
    assert_true(rejected > 0); /* the blows are too fast for the step before them */
    assert_int_equal(o->disorder, 0);
    free(o);
  }
}

/* A step that an event cuts short is accepted at the event: no element may remember
 * what did not happen. */
static void steps_cut_by_an_event_are_accepted_there(void **unused) {
  (void)unused;

  for (int k = 0; k < all_methods(); k++) {
    carts *o = new_carts();
    o->has_mark = true;
    const trm_options options = options_of(methods[k], 0.0);
    const ending end = run(o, &options);
    assert_true(end.counters.events > 0);
    assert_int_equal(o->disorder, 0);
    free(o);
  }
}

static void a_hook_that_fails_ends_the_run_with_its_sentence(void **unused) {
  (void)unused;
  trm_error err;
  carts *o = new_carts();
  o->fail_at = 7;
  const trm_options options = options_of("hht", 0.01);
  trm_system *sys = kit_system(&ops, o);
  trm_sim *sim = kit_sim(sys, &options);
  CHECK_STATUS(trm_sim_run(sim, &err), TRM_ERR_IO);
  assert_string_equal(err.object, "cart 5");
  assert_string_equal(err.message, "off the rails");
  CHECK_NEAR(err.t, 0.07, 1e-15, "rounding: time of the seventh step");
  trm_sim_free(sim);
  trm_system_free(sys);
  free(o);
}

/* A mass drifts freely; from the end of the step at t = 1 on it is pushed. */
static void mass_sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 1, .noutputs = 1};
}

static trm_status mass_start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->v[0] = 1.0;
  return TRM_OK;
}

static trm_status mass_values(void *self, const trm_state *s, const trm_values *out,
                              trm_error *err) {
  (void)err;
  const double push = *(const double *)self;
  if (out->motion != NULL) out->motion[0] = s->vd[0] - push;
  if (out->outputs != NULL) out->outputs[0] = push;
  if (out->energy != NULL) out->energy[0] = out->energy[1] = out->energy[2] = 0.0;
  return TRM_OK;
}

static trm_status mass_accept(void *self, const trm_state *s, trm_error *err) {
  (void)err;
  if (s->t > 0.99) *(double *)self = 100.0;
  return TRM_OK;
}

static trm_status check_free(void *self, const trm_sample *sample, trm_error *err) {
  (void)self, (void)err;
  const trm_state *s = sample->state;
  if (s->t >= 1.0) return TRM_OK;
  /* a straight line, which every method has to rounding */
  CHECK_NEAR(s->q[0], s->t, 1e-13, "position at %g", s->t);
  CHECK_NEAR(s->vd[0], 0.0, 1e-13, "acceleration at %g", s->t);
  CHECK_NEAR(sample->outputs[0], 0.0, 0.0, "output at %g", s->t);
  return TRM_OK;
}

static void samples_inside_a_step_do_not_see_what_its_end_brings(void **unused) {
  (void)unused;
  static const trm_system_ops drifter = {.name = "mass", .sizes = mass_sizes,
                                         .start = mass_start,
                                         .values = mass_values,
                                         .accept_step = mass_accept};

  for (int k = 0; k < all_methods(); k++) {
    trm_error err;
    double push = 0.0;
    trm_options options = options_of(methods[k], 0.5);
    options.end = 1.5;
    options.output_step = 0.1;
    trm_system *sys = kit_system(&drifter, &push);
    trm_sim *sim = kit_sim(sys, &options);
    CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.sample = check_free}, &err), err);
    kit_run(sim);
    assert_true(push == 100.0);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

/* --- memory -------------------------------------------------------------------------- */

enum { SAVED_MAX = 16384 };

typedef struct tape {
  double        t, wanted; /* the first checkpoint after `wanted` is kept */
  size_t        size;
  unsigned char data[SAVED_MAX];
} tape;

static trm_status checkpoint(void *self, double t, const void *data, size_t size, trm_error *err) {
  (void)err;
  tape *p = self;
  if (p->size > 0 || t < p->wanted) return TRM_OK;
  assert_true(size <= SAVED_MAX);
  p->t = t;
  p->size = size;
  memcpy(p->data, data, size);
  return TRM_OK;
}

/* Runs to the end; keeps a checkpoint, or goes on from one. */
static ending run_with_tape(const trm_system_ops *table, carts *self, const trm_options *options,
                            tape *keep, const tape *from) {
  trm_error err;
  ending end;
  trm_system *sys = kit_system(table, self);
  trm_sim *sim = kit_sim(sys, options);
  if (keep != NULL) {
    CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = keep, .checkpoint = checkpoint}, &err),
             err);
  }
  if (from != NULL) CHECK_OK(trm_sim_load(sim, from->data, from->size, &err), err);
  kit_run(sim);
  memcpy(end.q, trm_sim_state(sim)->q, sizeof end.q);
  memcpy(end.v, trm_sim_state(sim)->v, sizeof end.v);
  trm_sim_free(sim);
  trm_system_free(sys);
  return end;
}

static void memory_travels_with_a_checkpoint(void **unused) {
  (void)unused;
  const struct {
    const char *integrator;
    double      step, at;
  } runs[] = {{"hht", 1e-3, 0.9},     {"hht", 0.0, 0.9},   {"explicit", 0.0, 0.3},
              {"alpha", 2e-3, 2.0},   {"tdg", 1e-3, 0.9},  {"tdg", 0.0, 0.9},
              {"radau", 1e-3, 0.9},   {"radau", 0.0, 0.3}, {"alpha", 0.0, 0.9},
              {"bdf", 1e-3, 0.9},     {"bdf", 0.0, 0.9}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    trm_options options = options_of(runs[k].integrator, runs[k].step);
    options.checkpoint_steps = 5;
    carts *whole = new_carts(), *rest = new_carts();
    tape *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->wanted = runs[k].at;
    const ending a = run_with_tape(&ops, whole, &options, p, NULL);
    assert_true(p->size > 0 && whole->saved > 0);
    const ending b = run_with_tape(&ops, rest, &options, NULL, p);
    assert_int_equal(rest->loaded, 1);
    assert_memory_equal(a.q, b.q, sizeof a.q);
    assert_memory_equal(a.v, b.v, sizeof a.v);
    assert_int_equal(whole->epoch, rest->epoch);
    free(whole);
    free(rest);
    free(p);
  }
}

/* The test above can fail: without its memory the last cart goes another way. */
static void without_memory_the_motion_goes_another_way(void **unused) {
  (void)unused;
  trm_options options = options_of("hht", 1e-3);
  options.checkpoint_steps = 5;
  carts *whole = new_carts(), *rest = new_carts();
  tape *p = calloc(1, sizeof *p);
  assert_non_null(p);
  p->wanted = 0.9;
  const ending a = run_with_tape(&forgetful, whole, &options, p, NULL);
  const ending b = run_with_tape(&forgetful, rest, &options, NULL, p);
  assert_true(fabs(a.q[CARTS - 1] - b.q[CARTS - 1]) > 1e-6);
  free(whole);
  free(rest);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_that_follow_the_motion_change_no_number),
      cmocka_unit_test(the_first_epoch_is_that_of_the_start),
      cmocka_unit_test(hooks_are_called_in_order_and_number),
      cmocka_unit_test(steps_cut_by_an_event_are_accepted_there),
      cmocka_unit_test(a_hook_that_fails_ends_the_run_with_its_sentence),
      cmocka_unit_test(samples_inside_a_step_do_not_see_what_its_end_brings),
      cmocka_unit_test(memory_travels_with_a_checkpoint),
      cmocka_unit_test(without_memory_the_motion_goes_another_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
