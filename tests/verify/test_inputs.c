/* test_inputs.c - inputs of models: set while a simulation runs, with rates, jumps and events. */
#include "trammel/mechanism.h"
#include "verify/typed.h"

static const char *const methods[] = {"hht", "alpha", "tdg", "radau", "explicit", "bdf"};
enum { METHODS = sizeof methods / sizeof *methods };

/* Inputs in a force, a state, a variable in a loop and one without. */
static const char model[] =
    "trammel: 1\n"
    "inputs: {push: {value: 2 N, rate: 1 N/s}, valve: 0.5}\n"
    "equations:\n"
    "  coordinates: {x: 0 m}\n"
    "  mass: {x: 2}\n"
    "  forces: {x: push + 0.1*loop}\n"
    "  states: {tank: {rate: valve*(1 + 0.1*x)}}\n"
    "  variables: {loop: 0.5*loop*valve^2 + push*valve, square: push^2}\n"
    "outputs: {push: push, valve: valve, square: square}\n"
    "simulate: {end: 3}\n";

static typed open_text(const char *text, const char *integrator, double tolerance) {
  typed m = typed_text(text, "inputs.yaml", NULL);
  m.options.integrator = integrator;
  m.options.tolerance = tolerance;
  return m;
}

static const char plain[] =
    "trammel: 1\n"
    "inputs: {push: {value: 2 N, rate: 1 N/s}, valve: 0.5}\n"
    "equations:\n"
    "  coordinates: {x: 0 m}\n"
    "  mass: {x: 2}\n"
    "  forces: {x: push}\n"
    "  states: {tank: {rate: valve}}\n"
    "  variables: {square: push^2}\n"
    "outputs: {push: push, square: square}\n"
    "simulate: {end: 3}\n";

static void advance(trm_sim *sim, double t) {
  trm_error err = {.message = ""};
  CHECK_OK(trm_sim_advance(sim, t, &err), err);
}

static void input(trm_sim *sim, const char *name, double value, double rate) {
  trm_error err = {.message = ""};
  CHECK_OK(trm_sim_input(sim, name, value, rate, &err), err);
}

static double output(trm_sim *sim, const char *name) {
  trm_error err = {.message = ""};
  double value = NAN;
  CHECK_OK(trm_sim_output(sim, name, &value, &err), err);
  return value;
}

/* 2 x'' = u and tank' = valve in stretches; u is linear in each of them. */
static void values_and_rates_act_from_the_time_they_are_set(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    typed o = open_text(plain, methods[m], 1e-9);
    trm_sim *sim = kit_sim(o.system, &o.options);
    advance(sim, 1.0); /* u = 2 + t: v = 1 + 1/4, x = 1/2 + 1/12 */
    CHECK_NEAR(output(sim, "push"), 3.0, 1e-13, "%s: rounding of sums", methods[m]);
    CHECK_NEAR(output(sim, "square"), 9.0, 1e-12, "%s: the same", methods[m]);
    input(sim, "push", 4.0, -2.0);
    input(sim, "valve", -1.0, 0.0);
    advance(sim, 2.0); /* u = 4 - 2 (t - 1): v += 2 - 1/2, x += v + 1 - 1/6 */
    const trm_state *s = trm_sim_state(sim);
    const double v = 1.25 + 1.5, x = 7.0 / 12 + 1.25 + 5.0 / 6;
    /* 1e-9 of a step, some hundred steps; a tolerance of order-2 methods at a distance of 2 s */
    CHECK_NEAR(s->q[0], x, 1e-5, "%s: position", methods[m]);
    CHECK_NEAR(s->v[0], v, 1e-5, "%s: velocity", methods[m]);
    CHECK_NEAR(s->x[0], 0.5 - 1.0, 1e-9, "%s: integral of a constant", methods[m]);
    CHECK_NEAR(s->vd[0], 0.5 * 2.0, 1e-6, "%s: acceleration", methods[m]);
    CHECK_NEAR(s->u[0], 2.0, 1e-13, "%s: rounding of sums", methods[m]);
    trm_sim_free(sim);
    typed_close(&o);
  }
}

/* Samples inside steps have the input of their time. */
static trm_status look(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  double *worst = self;
  *worst = fmax(*worst, fabs(sample->outputs[0] - (2.0 + sample->state->t)));
  return TRM_OK;
}

static void samples_have_the_input_of_their_time(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err;
    double worst = 0.0;
    typed o = open_text(plain, methods[m], 1e-6);
    o.options.outputs = 997;
    trm_sim *sim = kit_sim(o.system, &o.options);
    const trm_sink sink = {.self = &worst, .sample = look};
    CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
    kit_run(sim);
    CHECK_NEAR(worst, 0.0, 1e-13, "%s: rounding of sums", methods[m]);
    trm_sim_free(sim);
    typed_close(&o);
  }
}

/* An input that is set before the first step is that of the start, accelerations included. */
static void the_start_can_be_set(void **unused) {
  (void)unused;
  trm_error err;
  kit_record record;
  typed o = open_text(plain, "radau", 1e-9);
  trm_sim *sim = kit_sim(o.system, &o.options);
  kit_listen(sim, &record);
  input(sim, "push", 10.0, 0.0);
  bool done;
  CHECK_OK(trm_sim_step(sim, &done, &err), err);
  assert_true(record.nsamples == 1 && record.sample_t[0] == 0.0);
  CHECK_NEAR(trm_sim_state(sim)->vd[0], 5.0, 1e-13, "rounding");
  CHECK_NEAR(trm_sim_counters(sim)->audit.initial, 0.0, 0.0, "energy at the start");
  trm_sim_free(sim);
  typed_close(&o);
}

static void wrong_inputs_are_refused(void **unused) {
  (void)unused;
  trm_error err;
  typed o = open_text(plain, "radau", 1e-9);
  trm_sim *sim = kit_sim(o.system, &o.options);
  CHECK_STATUS(trm_sim_input(sim, "psuh", 1.0, 0.0, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "there is no input 'psuh'; the nearest is 'push'"));
  CHECK_STATUS(trm_sim_input(sim, "push", NAN, 0.0, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_sim_input(sim, "push", 1.0, INFINITY, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "'push' cannot be set to the value 1 with the rate inf"));
  CHECK_STATUS(trm_sim_set_input(sim, 2, 1.0, 0.0, &err), TRM_ERR_INPUT);
  trm_sim_free(sim);
  typed_close(&o);
}

/* ---- how the integrator goes on ------------------------------------------------------------ */

/* Steps to the end when x follows sin at points in time, by jumps or as one signal. */
static long steps_of(const char *integrator, bool jumps) {
  trm_error err;
  typed o = open_text(plain, integrator, 1e-6);
  trm_sim *sim = kit_sim(o.system, &o.options);
  for (int k = 0; k < 60; k++) {
    const double t = 0.05 * k, value = sin(t), rate = (sin(t + 0.05) - value) / 0.05 + 1e-3;
    advance(sim, t);
    CHECK_OK(jumps ? trm_sim_set_input(sim, 0, value, rate, &err)
                   : trm_sim_follow_input(sim, 0, value, rate, &err), err);
  }
  advance(sim, 3.0);
  /* x'' = sin(t)/2: x = (t - sin t)/2; points 0.05 apart, 5e-5 off at their ends */
  CHECK_NEAR(trm_sim_state(sim)->q[0], 0.5 * (3.0 - sin(3.0)), 1e-2, "%s", integrator);
  const long steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  typed_close(&o);
  return steps;
}

static void a_signal_without_jumps_keeps_the_step(void **unused) {
  (void)unused;
  for (int m = 0; m < 2; m++) { /* methods that start with short steps */
    const long followed = steps_of(methods[m], false), jumped = steps_of(methods[m], true);
    if (followed * 4 > jumped * 3) {
      fail_msg("%s: %ld steps, with jumps %ld", methods[m], followed, jumped);
    }
  }
}

/* The same value and rate again change no bit. */
static void setting_what_is_there_does_nothing(void **unused) {
  (void)unused;
  typed o = open_text(plain, "hht", 1e-6);
  trm_sim *sim = kit_sim(o.system, &o.options), *other = kit_sim(o.system, &o.options);
  trm_sim_free(other);
  advance(sim, 0.7);
  const long residuals = trm_sim_counters(sim)->residuals;
  input(sim, "push", trm_sim_state(sim)->u[0], 1.0);
  input(sim, "valve", 0.5, 0.0);
  advance(sim, 0.7 + 1e-4);
  assert_true(trm_sim_counters(sim)->residuals - residuals < 20); /* no new start */
  trm_sim_free(sim);
  typed_close(&o);
}

/* ---- events -------------------------------------------------------------------------------- */

static const char switched[] =
    "trammel: 1\n"
    "inputs: {level: 0}\n"
    "equations:\n"
    "  coordinates: {x: 0}\n"
    "  mass: {x: 1}\n"
    "  forces: {x: \"if(level > 1, 1, 0)\"}\n"
    "  discrete: {count: 0}\n"
    "  events:\n"
    "    seen: {when: level > 0.5}\n"
    "    counted: {when: level - 0.75, direction: rising, set: {count: count + 1}}\n"
    "    over: {when: level > 3, do: stop}\n"
    "outputs: {count: count}\n"
    "simulate: {end: 10, integrator: radau, tolerance: 1e-8}\n";

static void jumps_carry_events_across_zero(void **unused) {
  (void)unused;
  trm_error err;
  kit_record record;
  typed o = open_text(switched, "radau", 1e-8);
  trm_sim *sim = kit_sim(o.system, &o.options);
  kit_listen(sim, &record);
  advance(sim, 1.0);
  input(sim, "level", 2.0, 0.0);
  advance(sim, 2.0);
  assert_int_equal(record.nevents, 2);
  assert_true(record.event_t[0] == 1.0 && record.event_t[1] == 1.0);
  CHECK_NEAR(output(sim, "count"), 1.0, 0.0, "counted once");
  CHECK_NEAR(trm_sim_state(sim)->v[0], 1.0, 1e-9, "the force is on since 1 s");
  input(sim, "level", 0.0, 0.0); /* falling: not counted, but not seen either */
  advance(sim, 3.0);
  CHECK_NEAR(output(sim, "count"), 1.0, 0.0, "counted once");
  CHECK_NEAR(trm_sim_state(sim)->v[0], 1.0, 1e-9, "the force is off since 2 s");
  input(sim, "level", 4.0, 0.0);
  bool done = false;
  CHECK_OK(trm_sim_step(sim, &done, &err), err);
  assert_true(done);
  CHECK_NEAR(trm_sim_state(sim)->t, 3.0, 0.0, "it stops where the input jumped");
  trm_sim_free(sim);
  typed_close(&o);
}

/* With a rate they happen inside a step. */
static void rates_carry_events_across_zero(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    kit_record record;
    typed o = open_text(switched, methods[m], 1e-8);
    trm_sim *sim = kit_sim(o.system, &o.options);
    kit_listen(sim, &record);
    input(sim, "level", 0.0, 0.5);
    kit_run(sim);
    CHECK_NEAR(trm_sim_state(sim)->t, 6.0, 1e-9, "%s: level 3", methods[m]);
    CHECK_NEAR(trm_sim_state(sim)->v[0], 4.0, 1e-6, "%s: level 1 at 2 s", methods[m]);
    CHECK_NEAR(record.event_t[0], 1.0, 1e-9, "%s: level 0.5", methods[m]);
    trm_sim_free(sim);
    typed_close(&o);
  }
}

/* A sink that sets the input in every step; in the next one it must have that value. */
typedef struct setter {
  trm_sim *sim;
  long     steps, lost;
  double   value;
} setter;

static trm_status set_again(void *self, const trm_step_record *record, trm_error *err) {
  setter *p = self;
  if (!record->accepted) return TRM_OK;
  if (p->steps++ > 0 && trm_sim_state(p->sim)->u[0] != p->value) p->lost++;
  p->value = 1e-6 * (double)p->steps;
  return trm_sim_follow_input(p->sim, 0, p->value, 0.0, err);
}

static const char beating[] =
    "trammel: 1\n"
    "inputs: {push: 0}\n"
    "equations:\n"
    "  coordinates: {x: 1}\n"
    "  mass: {x: 1}\n"
    "  forces: {x: push - 1e4*x}\n"
    "  discrete: {count: 0}\n"
    "  events: {passed: {when: x, set: {count: count + 1}}}\n"
    "simulate: {end: 0.3}\n";

/* Also where an event ends the step in which it is set, or `auto` changes the method after it. */
static void what_a_sink_sets_is_not_lost(void **unused) {
  (void)unused;
  for (int m = 0; m <= METHODS; m++) {
    trm_error err;
    const bool is_auto = m == METHODS;
    typed o = open_text(beating, is_auto ? "auto" : methods[m], 1e-6);
    if (is_auto) o.options.end = 20.0; /* long enough for trials of other methods */
    setter p = {.sim = kit_sim(o.system, &o.options)};
    const trm_sink sink = {.self = &p, .step = set_again};
    CHECK_OK(trm_sim_add_sink(p.sim, &sink, &err), err);
    kit_run(p.sim);
    assert_true(trm_sim_counters(p.sim)->events >= 9); /* one each 31 ms */
    if (is_auto) assert_true(trm_sim_turn_count(p.sim) > 1);
    if (p.lost > 0) {
      fail_msg("%s: %ld of %ld inputs are lost", o.options.integrator, p.lost, p.steps);
    }
    trm_sim_free(p.sim);
    typed_close(&o);
  }
}

/* ---- derivatives, saving, other ways to write a model --------------------------------------- */

static void derivatives_by_inputs_are_exact(void **unused) {
  (void)unused;
  trm_error err = {.message = ""};
  static const trm_block blocks[] = {TRM_Q_U, TRM_Q_W, TRM_D_U, TRM_W_U};
  typed o = open_text(model, "radau", 1e-8);
  point p;
  point_start(&p, o.system);
  trm_block_check worst[TRM_BLOCKS];
  CHECK_OK(trm_system_check_blocks(o.system, &p.s, worst, &err), err);
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    assert_true(o.system->given[blocks[k]]);
    /* central differences of numbers of size one */
    CHECK_NEAR(worst[blocks[k]].error, 0.0, 1e-9, "%s", trm_block_name(blocks[k]));
  }
  assert_int_equal(o.system->block[TRM_Q_U].n, 1);
  assert_int_equal(o.system->block[TRM_D_U].n, 1);
  assert_int_equal(o.system->block[TRM_W_U].n, 2);
  typed_close(&o);
}

/* To 1.2 s with a change of rate at 0.5 s; saved there and loaded into another simulation. */
static void saved_and_loaded_inputs_have_the_same_bits(void **unused) {
  (void)unused;
  for (int m = 0; m < METHODS; m++) {
    trm_error err;
    typed o = open_text(plain, methods[m], 1e-6), b = open_text(plain, methods[m], 1e-6);
    trm_sim *sim = kit_sim(o.system, &o.options), *other = kit_sim(b.system, &b.options);
    advance(sim, 0.5);
    CHECK_OK(trm_sim_follow_input(sim, 0, 2.6, -3.0, &err), err); /* it waits for the next step */
    trm_sim_prepare_save(sim);
    const size_t size = trm_sim_save_size(sim);
    void *data = malloc(size);
    assert_non_null(data);
    trm_sim_save(sim, data);
    CHECK_OK(trm_sim_load(other, data, size, &err), err);
    advance(sim, 1.2);
    advance(other, 1.2);
    const trm_state *s = trm_sim_state(sim), *t = trm_sim_state(other);
    assert_true(s->q[0] == t->q[0] && s->v[0] == t->v[0] && s->x[0] == t->x[0]);
    assert_true(s->u[0] == t->u[0] && s->ud[0] == -3.0 && t->ud[0] == -3.0);
    CHECK_NEAR(s->u[0], 2.6 - 3.0 * 0.7, 1e-13, "%s: rounding of sums", methods[m]);
    free(data);
    trm_sim_free(sim);
    trm_sim_free(other);
    typed_close(&o);
    typed_close(&b);
  }
}

static void an_input_built_in_c_has_the_bits_of_the_file(void **unused) {
  (void)unused;
  trm_error err = {.message = ""};
  trm_mechanism *m;
  trm_system *system;
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  trm_input_def input = trm_input_default();
  trm_coordinate_def x = trm_coordinate_default();
  trm_state_def tank = trm_state_default();
  trm_part part;
  CHECK_OK(trm_add_input(m, "push", &input, &part, &err), err);
  CHECK_OK(trm_set_text(m, part, "value", "2 N", &err), err);
  CHECK_OK(trm_set_text(m, part, "rate", "1 N/s", &err), err);
  input.value = 0.5;
  CHECK_OK(trm_add_input(m, "valve", &input, NULL, &err), err);
  CHECK_STATUS(trm_add_input(m, "push", &input, NULL, &err), TRM_ERR_INPUT); /* twice */
  CHECK_OK(trm_add_coordinate(m, "x", &x, &part, &err), err);
  CHECK_OK(trm_set_text(m, part, "value", "0 m", &err), err);
  CHECK_OK(trm_add_mass(m, "x", &(trm_mass_def){"2"}, NULL, &err), err);
  CHECK_OK(trm_add_coordinate_force(m, "x", &(trm_coordinate_force_def){"push"}, NULL, &err), err);
  tank.rate = "valve";
  CHECK_OK(trm_add_state(m, "tank", &tank, NULL, &err), err);
  CHECK_OK(trm_mechanism_build(m, NULL, &system, &err), err);
  typed o = open_text(plain, "hht", 1e-6);
  trm_sim *one = kit_sim(system, &o.options), *two = kit_sim(o.system, &o.options);
  kit_run(one);
  kit_run(two);
  const trm_state *s = trm_sim_state(one), *t = trm_sim_state(two);
  assert_true(s->q[0] == t->q[0] && s->v[0] == t->v[0] && s->x[0] == t->x[0]);
  assert_true(s->u[0] == t->u[0]);
  trm_sim_free(one);
  trm_sim_free(two);
  typed_close(&o);
  trm_system_free(system);
  trm_mechanism_free(m);
}

static void check_refused(const char *equations, const char *sentence) {
  trm_error err = {.message = ""};
  trm_model *m = NULL;
  trm_system *system = NULL;
  char text[400];
  snprintf(text, sizeof text, "trammel: 1\ninputs: {u: 1}\nequations:\n  coordinates: {x: 0}\n%s\n",
           equations);
  trm_status status = trm_model_read_text(text, "refused.yaml", NULL, 0, NULL, &m, &err);
  if (status == TRM_OK) status = trm_model_create_system(m, NULL, &system, &err);
  CHECK_STATUS(status, TRM_ERR_INPUT);
  if (strstr(err.message, sentence) == NULL) fail_msg("'%s', not '%s'", err.message, sentence);
  trm_model_free(m);
}

static void inputs_stand_where_their_rates_are_honoured(void **unused) {
  (void)unused;
  trm_model *m = NULL;
  trm_error err = {.message = ""};
  const char *law = "trammel: 1\ninputs: {u: {value: '2*sin(time)'}}\n"
                    "equations: {coordinates: {x: 0}, mass: {x: 1}}\n";
  CHECK_STATUS(trm_model_read_text(law, "law", NULL, 0, NULL, &m, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "law:2:28: input 'u': a number is known before a run"));
  trm_model_free(m);
  check_refused("  kinetic: x'^2\n  constraints: {g: x - u}",
                "'u' is an input and cannot be used in a constraint");
  check_refused("  kinetic: x'^2\n  nonholonomic: {g: x' - u}",
                "'u' is an input and cannot be used in a nonholonomic constraint");
  check_refused("  kinetic: u*x'^2", "'u' is an input and cannot be used in the kinetic energy");
  check_refused("  kinetic: x'^2\n  potential: u*x",
                "'u' is an input and cannot be used in the potential");
  check_refused("  kinetic: x'^2\n  forces: {x: u'}",
                "'u' is an input: it has no time derivative here");
  check_refused("  kinetic: x'^2\n  variables: {w: 2*u}\n  constraints: {g: x - w}",
                "'w' is a variable that depends on an input and cannot be used in a constraint");
  check_refused("  kinetic: x'^2\n  states: {u: {rate: 1}}", "the name 'u' is used twice");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_and_rates_act_from_the_time_they_are_set),
    cmocka_unit_test(samples_have_the_input_of_their_time),
    cmocka_unit_test(the_start_can_be_set),
    cmocka_unit_test(wrong_inputs_are_refused),
    cmocka_unit_test(a_signal_without_jumps_keeps_the_step),
    cmocka_unit_test(setting_what_is_there_does_nothing),
    cmocka_unit_test(jumps_carry_events_across_zero),
    cmocka_unit_test(rates_carry_events_across_zero),
    cmocka_unit_test(what_a_sink_sets_is_not_lost),
    cmocka_unit_test(derivatives_by_inputs_are_exact),
    cmocka_unit_test(saved_and_loaded_inputs_have_the_same_bits),
    cmocka_unit_test(an_input_built_in_c_has_the_bits_of_the_file),
    cmocka_unit_test(inputs_stand_where_their_rates_are_honoured),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
