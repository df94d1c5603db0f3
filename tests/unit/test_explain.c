/* test_explain.c - the explanation of runs whose trouble is built in: it must name the
 * culprit and the cause. All runs go through a run file. */
#define _DEFAULT_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) for mkstemps */
#include "check.h"
#include "trammel/explain.h"
#include "unit/kit.h"
#include <stdlib.h>
#include <unistd.h>

/* ---- a small world: masses on a line with unit mass, one law of force for each test --- */

enum { MASSES_MAX = 4 };

typedef struct world {
  int         n;
  const char *names[MASSES_MAX];
  double      scales[MASSES_MAX];
  double      q[MASSES_MAX], v[MASSES_MAX];  /* at the start */
  trm_status (*forces)(const trm_state *s, double *f);
  double (*stiffness)(int i);                /* given as K(i,i); NULL: by differences */
  double (*event)(const trm_state *s);       /* NULL: none */
  void (*react)(trm_state *s);
} world;

static void sizes(const void *self, trm_sizes *n) {
  const world *w = self;
  *n = (trm_sizes){.nv = w->n, .nevents = w->event != NULL ? 1 : 0};
}

static void label(const void *self, trm_quantity list, int i, trm_label *l) {
  const world *w = self;
  if (list == TRM_EVENT) {
    snprintf(l->name, sizeof l->name, "switch");
  } else if (list == TRM_Q || list == TRM_V) {
    snprintf(l->name, sizeof l->name, "%s", w->names[i]);
    snprintf(l->object, sizeof l->object, "mass '%s'", w->names[i]);
    l->scale = w->scales[i];
  }
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  const world *w = self;
  for (int i = 0; i < w->n; i++) s->q[i] = w->q[i], s->v[i] = w->v[i];
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const world *w = self;
  if (out->motion != NULL) {
    double f[MASSES_MAX] = {0};
    const trm_status status = w->forces(s, f);
    if (status != TRM_OK) return trm_fail(err, status, NULL, "outside of the domain");
    for (int i = 0; i < w->n; i++) out->motion[i] = s->vd[i] - f[i];
  }
  if (out->events != NULL) out->events[0] = w->event(s);
  if (out->energy != NULL) out->energy[0] = out->energy[1] = out->energy[2] = 0;
  return TRM_OK;
}

static void event_info(const void *self, int i, trm_event_info *info) {
  (void)self, (void)i;
  *info = (trm_event_info){.kind = TRM_EVENT_RESTART, .direction = -1};
}

static trm_status event(void *self, int i, trm_state *s, trm_error *err) {
  (void)i, (void)err;
  const world *w = self;
  if (w->react != NULL) w->react(s);
  return TRM_OK;
}

static void patterns(const void *self, trm_pattern *p) {
  const world *w = self;
  if (w->stiffness == NULL) return;
  for (int i = 0; i < w->n; i++) trm_pattern_entry(p, TRM_K, i, i);
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)s, (void)err;
  const world *w = self;
  if (request->values[TRM_K] == NULL) return TRM_OK;
  for (int i = 0; i < w->n; i++) request->values[TRM_K][i] = w->stiffness(i);
  return TRM_OK;
}

static const trm_system_ops ops = {.name = "world", .sizes = sizes, .label = label, .start = start,
                                   .values = values, .event_info = event_info, .event = event,
                                   .patterns = patterns, .blocks = blocks};

/* ---- run and explain ------------------------------------------------------------------ */

typedef struct result {
  trm_explanation e;       /* its pointers are gone */
  trm_suspect     culprit;
  char             advice[TRM_ADVICE_MAX * TRM_MESSAGE_MAX]; /* all in one text */
} result;

static void run_to_file(world *w, const trm_options *options, const char *path) {
  trm_error err;
  trm_system *system = kit_system(&ops, w);
  trm_sim *sim = kit_sim(system, options);
  const trm_run_facts facts = {.integrator = trm_sim_integrator(sim),
                                .formulation = trm_sim_formulation(sim),
                                .solver = trm_sim_solver(sim), .resumed_from = NAN};
  trm_run_sink *recording = NULL;
  CHECK_OK(trm_run_sink_create(path, &facts, NULL, &recording, &err), err);
  const trm_sink sink = trm_run_sink_of(recording);
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err);
  trm_sim_free(sim);
  trm_run_sink_free(recording);
  trm_system_free(system);
}

static result explain(world *w, const trm_options *options) {
  char path[] = "explain-XXXXXX.h5";
  const int file = mkstemps(path, 3);
  assert_true(file >= 0);
  close(file);
  run_to_file(w, options, path);
  trm_error err;
  trm_run *run = NULL;
  CHECK_OK(trm_run_open(path, NULL, &run, &err), err);
  const trm_explanation *e = NULL;
  CHECK_OK(trm_run_explain(run, &e, &err), err);
  result r = {.e = *e};
  if (e->culprit != NULL) r.culprit = *e->culprit;
  for (int i = 0; i < e->nadvice; i++) {
    strcat(r.advice, e->advice[i]);
    strcat(r.advice, "\n");
  }
  trm_run_close(run);
  remove(path);
  return r;
}

static trm_options options_of(const char *integrator, double tolerance, double end) {
  trm_options options = trm_options_default();
  options.integrator = integrator;
  options.tolerance = tolerance;
  options.end = end;
  options.outputs = 200;
  return options;
}

static void check_verdict(const result *r, trm_cause cause, const char *culprit,
                          const char *advice) {
  if (r->e.cause != cause || strcmp(r->e.culprit_name, culprit) != 0) {
    print_error("cause %s, culprit '%s'; expected %s, '%s'\n%s", trm_cause_name(r->e.cause),
                r->e.culprit_name, trm_cause_name(cause), culprit, r->advice);
    fail();
  }
  if (strstr(r->advice, advice) == NULL) fail_msg("no '%s' in: %s", advice, r->advice);
}

static long sum(const long counts[TRM_LIMITS]) {
  long total = 0;
  for (int k = 0; k < TRM_LIMITS; k++) total += counts[k];
  return total;
}

/* ---- local error ---------------------------------------------------------------------- */

static trm_status springs(const trm_state *s, double *f) {
  f[0] = -s->q[0];
  f[1] = -1.2 * s->q[1];
  f[2] = -0.8 * s->q[2];
  return TRM_OK;
}

static world three_springs(void) {
  return (world){.n = 3, .names = {"left", "middle", "right"}, .scales = {1, 1, 1},
                 .q = {1, 1, 1}, .forces = springs};
}

static void a_scale_that_is_too_small_is_found(void **state) {
  (void)state;
  const trm_options options = options_of("hht", 1e-5, 10);
  world w = three_springs();
  const result good = explain(&w, &options);
  assert_int_equal(good.e.cause, TRM_CAUSE_ACCURACY);
  assert_non_null(strstr(good.advice, "a tolerance of 0.0001"));
  w.scales[2] = 1e-6;
  const result bad = explain(&w, &options);
  check_verdict(&bad, TRM_CAUSE_SCALE, "right", "its scale is 1e-06");
  assert_non_null(strstr(bad.advice, "a scale of about 1"));
  /* nearly all steps are put down to it, and the file counts them all */
  assert_true(bad.e.accepted > 10 * good.e.accepted);
  assert_int_equal(sum(bad.e.steps), bad.e.accepted);
  assert_true(bad.culprit.steps[TRM_LIMIT_ERROR] > 9 * bad.e.accepted / 10);
  assert_string_equal(bad.e.culprit_object, "mass 'right'");
}

static trm_status follower(const trm_state *s, double *f) {
  f[0] = -s->q[0];
  f[1] = -1e6 * (s->q[1] - s->q[0]) - 2e3 * (s->v[1] - s->v[0]);
  return TRM_OK;
}

static void stiffness_is_told_from_accuracy(void **state) {
  (void)state;
  world w = {.n = 2, .names = {"slow", "stiff"}, .scales = {1, 1}, .q = {1, 1}, .forces = follower};
  trm_options options = options_of("explicit", 1e-5, 3);
  const result stiff = explain(&w, &options);
  check_verdict(&stiff, TRM_CAUSE_STIFF, "stiff", "use --integrator hht");
  options.formulation = "dopri5";
  const result fifth = explain(&w, &options);
  check_verdict(&fifth, TRM_CAUSE_STIFF, "stiff", "use --integrator hht");
  /* the advice is right: hht needs far fewer steps, and they are not called stiff */
  options = options_of("hht", 1e-5, 3);
  const result implicit = explain(&w, &options);
  assert_true(implicit.e.accepted < stiff.e.accepted / 5);
  assert_int_equal(implicit.e.cause, TRM_CAUSE_ACCURACY);
  /* and an explicit run without the stiff spring is not called stiff */
  world easy = three_springs();
  options = options_of("explicit", 1e-5, 60);
  const result accurate = explain(&easy, &options);
  assert_true(accurate.e.steps[TRM_LIMIT_ERROR] > accurate.e.accepted / 2);
  assert_int_equal(accurate.e.cause, TRM_CAUSE_ACCURACY);
}

static trm_status fast_and_slow(const trm_state *s, double *f) {
  f[0] = -s->q[0];
  f[1] = -1e6 * s->q[1]; /* 159 Hz */
  return TRM_OK;
}

static void a_fast_motion_is_named_with_its_frequency(void **state) {
  (void)state;
  world w = {.n = 2, .names = {"slow", "quick"}, .scales = {1, 1}, .q = {1, 0.01},
             .forces = fast_and_slow};
  const trm_options options = options_of("hht", 1e-5, 0.2);
  const result r = explain(&w, &options);
  check_verdict(&r, TRM_CAUSE_FAST, "quick", "steps each period");
  double frequency = 0;
  sscanf(strstr(r.advice, "(about ") + strlen("(about "), "%lf", &frequency);
  CHECK_NEAR(frequency, 159.2, 8, "frequency"); /* few samples: a few per cent */
}

/* ---- orders --------------------------------------------------------------------------- */

/* "about X times fewer", NaN if it is not said. */
static double promised(const result *r) {
  const char *place = strstr(r->advice, "would take about ");
  return place != NULL ? strtod(place + strlen("would take about "), NULL) : NAN;
}

/* The saving by a looser tolerance is that of the method that ran, as a second run shows. */
static void advice_on_the_tolerance_is_that_of_the_method(void **state) {
  (void)state;
  static const struct {
    const char *integrator, *formulation;
    int         max_order, order;
  } methods[] = {{"hht", NULL, 0, 2},           {"alpha", NULL, 0, 2},
                 {"tdg", NULL, 0, 3},           {"radau", NULL, 5, 5},
                 {"explicit", "dop853", 0, 8},  {"explicit", "dopri5", 0, 5}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    world w = three_springs();
    trm_options options = options_of(methods[i].integrator, 1e-6, 60);
    options.formulation = methods[i].formulation;
    options.max_order = methods[i].max_order;
    const result tight = explain(&w, &options);
    options.tolerance = 1e-5;
    const result loose = explain(&w, &options);
    assert_int_equal(tight.e.orders[methods[i].order], tight.e.accepted);
    /* two digits are printed; some steps are those of the start and the end */
    const double real = (double)tight.e.accepted / (double)loose.e.accepted;
    CHECK_NEAR(promised(&tight), real, 0.1 * real, "%s: times fewer", methods[i].integrator);
  }
}

/* A vibration of 1000 rad/s that order 2 damps; the note names it to a quarter. */
static void a_held_order_is_told_with_the_frequency(void **state) {
  (void)state;
  world w = {.n = 2, .names = {"slow", "quick"}, .scales = {1, 1}, .q = {1, 0.001},
             .forces = fast_and_slow};
  const trm_options options = options_of("bdf", 1e-4, 20);
  const result r = explain(&w, &options);
  const char *place = strstr(r.advice, "order held at 2: a vibration of about ");
  if (place == NULL) fail_msg("nothing is said of the vibration: %s", r.advice);
  const double omega = strtod(place + strlen("order held at 2: a vibration of about "), NULL);
  CHECK_NEAR(omega, 1000.0, 250.0, "frequency");
  assert_true(r.e.orders[2] > 20 && r.e.orders[2] < r.e.accepted); /* 29: a hold of 30 steps */
}

static void radau_is_told_that_it_changes_its_order(void **state) {
  (void)state;
  world w = three_springs();
  trm_options options = options_of("radau", 1e-9, 60);
  const result r = explain(&w, &options);
  check_verdict(&r, TRM_CAUSE_ACCURACY, r.e.culprit_name, "answers with a lower order");
  assert_null(strstr(r.advice, "--integrator radau"));
  assert_true(r.e.orders[5] > 0 && r.e.orders[9] + r.e.orders[13] > r.e.orders[5]);
  assert_int_equal(r.e.orders[5] + r.e.orders[9] + r.e.orders[13], r.e.accepted);
}

static void a_low_order_at_a_tight_tolerance_is_told_of_a_better_method(void **state) {
  (void)state;
  const char *const names[] = {"hht", "alpha", "tdg"};
  for (int i = 0; i < 3; i++) {
    world w = three_springs();
    trm_options options = options_of(names[i], 1e-8, 2);
    const result r = explain(&w, &options);
    check_verdict(&r, TRM_CAUSE_ACCURACY, r.e.culprit_name, "try --integrator radau");
    options.integrator = "radau";
    const result better = explain(&w, &options);
    assert_true(better.e.accepted < r.e.accepted / 5);
  }
}

static void fixed_steps_are_judged_by_the_order(void **state) {
  (void)state;
  const struct {
    const char *integrator, *part;
  } methods[] = {{"hht", "1/4,"}, {"tdg", "1/8,"}, {"radau", "1/32,"}, {"explicit", "1/256,"}};
  for (int i = 0; i < 4; i++) {
    world w = three_springs();
    trm_options options = options_of(methods[i].integrator, 1e-5, 2);
    options.nsteps = 1, options.steps[0] = 0.1;
    const result r = explain(&w, &options);
    check_verdict(&r, TRM_CAUSE_FIXED, "", methods[i].part);
  }
}

/* Files of the version before have no column `order`. */
static void older_files_are_read(void **state) {
  (void)state;
  trm_error err;
  trm_run *run = NULL;
  CHECK_OK(trm_run_open(TEST_DATA "/steps-without-order.h5", NULL, &run, &err), err);
  const trm_explanation *e = NULL, *again = NULL;
  CHECK_OK(trm_run_explain(run, &e, &err), err);
  CHECK_OK(trm_run_explain(run, &again, &err), err);
  assert_ptr_equal(e, again); /* it is kept */
  assert_true(e->accepted > 0);
  assert_int_equal(e->orders[5], e->accepted);
  trm_run_close(run);
}

/* ---- Newton and domain ---------------------------------------------------------------- */

static trm_status soft_and_hard(const trm_state *s, double *f) {
  f[0] = -s->q[0];
  f[1] = -1e4 * s->q[1];
  return TRM_OK;
}

static double wrong_stiffness(int i) {
  return i == 0 ? 1.0 : 0.0; /* right, and wrong by all of it */
}

static void newton_failures_name_the_unknown_with_the_wrong_derivative(void **state) {
  (void)state;
  world w = {.n = 2, .names = {"right", "wrong"}, .scales = {1, 1}, .q = {0.01, 1e-7},
             .forces = soft_and_hard, .stiffness = wrong_stiffness};
  const trm_options options = options_of("hht", 1e-4, 5);
  const result r = explain(&w, &options);
  check_verdict(&r, TRM_CAUSE_NEWTON, "wrong", "wrong derivative");
  assert_true(r.e.rejected[TRM_LIMIT_NEWTON] > 0);
  assert_int_equal(r.e.rejected[TRM_LIMIT_NEWTON], r.culprit.rejected[TRM_LIMIT_NEWTON]);
}

static trm_status wall(const trm_state *s, double *f) {
  if (!(s->q[0] < 1.0)) return TRM_RETRY_DOMAIN;
  f[0] = -100 * s->q[0] - 1e-9 / ((1 - s->q[0]) * (1 - s->q[0]));
  return TRM_OK;
}

static void attempts_outside_of_the_domain_are_counted(void **state) {
  (void)state;
  world w = {.n = 1, .names = {"ball"}, .scales = {1e4}, .v = {9.99999}, .forces = wall};
  const trm_options options = options_of("hht", 1e-2, 10);
  const result r = explain(&w, &options);
  assert_int_equal(r.e.cause, TRM_CAUSE_DOMAIN);
  assert_true(r.e.rejected[TRM_LIMIT_DOMAIN] > 0);
  assert_non_null(strstr(r.advice, "--step-max"));
}

/* ---- events --------------------------------------------------------------------------- */

static double tick(const trm_state *s) {
  return sin(60 * s->t);
}

static void restarts_by_a_regular_event_are_its_fault(void **state) {
  (void)state;
  world w = three_springs();
  w.event = tick;
  const trm_options options = options_of("hht", 1e-5, 10);
  const result r = explain(&w, &options);
  check_verdict(&r, TRM_CAUSE_EVENT, "switch", "event 'switch' fires");
  CHECK_BETWEEN((double)r.e.events, 80, 95, "events"); /* two in one step are not seen */
  assert_non_null(strstr(r.advice, "silent event"));
  assert_null(strstr(r.advice, "chatters"));
}

static trm_status gravity(const trm_state *s, double *f) {
  (void)s;
  f[0] = -10;
  return TRM_OK;
}

static double height(const trm_state *s) {
  return s->q[0];
}

static void bounce(trm_state *s) {
  s->q[0] = 0;
  s->v[0] *= -0.7;
}

static void a_bouncing_ball_chatters(void **state) {
  (void)state;
  world w = {.n = 1, .names = {"ball"}, .scales = {1}, .q = {1}, .forces = gravity,
             .event = height, .react = bounce};
  /* bounces end at sqrt(0.2) (1 + 0.7) / (1 - 0.7) = 2.534 s */
  const trm_options options = options_of("hht", 1e-5, 2.53);
  const result r = explain(&w, &options);
  check_verdict(&r, TRM_CAUSE_EVENT, "switch", "it chatters");
}

/* ---- steps that are limited from outside ---------------------------------------------- */

static void the_longest_step_is_named(void **state) {
  (void)state;
  world w = three_springs();
  trm_options options = options_of("hht", 1e-3, 10);
  options.step_max = 0.01;
  const result r = explain(&w, &options);
  check_verdict(&r, TRM_CAUSE_MAXIMUM, "", "--step-max 0.01 allows");
  CHECK_NEAR(r.e.h_median, 0.01, 6e-4, "median"); /* classes of 6 per cent */
}

static void fixed_steps_have_no_limit(void **state) {
  (void)state;
  world w = three_springs();
  trm_options options = options_of("hht", 0, 1);
  options.tolerance = 1e-5;
  options.steps[0] = 0.01;
  options.nsteps = 1;
  const result r = explain(&w, &options);
  check_verdict(&r, TRM_CAUSE_FIXED, "", "their error is not tested");
  assert_int_equal(r.e.steps[TRM_LIMIT_NONE], 100);
}

/* A kick at t = 3 s, narrow and smooth. */
static trm_status kicked(const trm_state *s, double *f) {
  const double x = (s->t - 3) / 1e-3;
  f[0] = -s->q[0] + 1e4 * exp(-x * x);
  return TRM_OK;
}

static void rejected_steps_are_found_where_they_cluster(void **state) {
  (void)state;
  world w = {.n = 1, .names = {"ball"}, .scales = {1}, .q = {1}, .forces = kicked};
  trm_options options = options_of("hht", 1e-6, 10);
  options.step_max = 0.002; /* so that the kick is not stepped over */
  const result r = explain(&w, &options);
  assert_true(r.e.rejected[TRM_LIMIT_ERROR] >= 3);
  assert_true(r.e.nclusters >= 1);
  CHECK_NEAR(r.e.clusters[0].from, 3, 0.01, "first rejection of the cluster");
  CHECK_NEAR(r.e.clusters[0].to, 3, 0.01, "last rejection of the cluster");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_scale_that_is_too_small_is_found),
    cmocka_unit_test(stiffness_is_told_from_accuracy),
    cmocka_unit_test(a_fast_motion_is_named_with_its_frequency),
    cmocka_unit_test(advice_on_the_tolerance_is_that_of_the_method),
    cmocka_unit_test(a_held_order_is_told_with_the_frequency),
    cmocka_unit_test(radau_is_told_that_it_changes_its_order),
    cmocka_unit_test(a_low_order_at_a_tight_tolerance_is_told_of_a_better_method),
    cmocka_unit_test(fixed_steps_are_judged_by_the_order),
    cmocka_unit_test(older_files_are_read),
    cmocka_unit_test(newton_failures_name_the_unknown_with_the_wrong_derivative),
    cmocka_unit_test(attempts_outside_of_the_domain_are_counted),
    cmocka_unit_test(restarts_by_a_regular_event_are_its_fault),
    cmocka_unit_test(a_bouncing_ball_chatters),
    cmocka_unit_test(the_longest_step_is_named),
    cmocka_unit_test(fixed_steps_have_no_limit),
    cmocka_unit_test(rejected_steps_are_found_where_they_cluster),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
