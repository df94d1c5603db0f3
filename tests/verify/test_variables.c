/* Variables of typed models: without a loop they are expressions and belong to the state at hand,
 * in events, samples and conditions alike; in a loop they are solved for, inside steps as well. */
#include "methods.h"
#include "verify/typed.h"
#include <math.h>
#include <string.h>


/* How far the variable of a sample is from the coordinate it is the name of. */
typedef struct compared {
  int    samples;
  double off;
} compared;

static trm_status compare(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  compared *c = self;
  const double *variable = sample->shown != NULL ? sample->shown : sample->state->w;
  c->samples++;
  c->off = fmax(c->off, fabs(variable[0] - sample->state->q[0]));
  return TRM_OK;
}

static trm_status compare_unknown(void *self, const trm_sample *sample, trm_error *err) {
  const trm_sample only_state = {.state = sample->state};
  return compare(self, &only_state, err);
}

/* A ball falls from 1 m; the event watches a variable that equals the height. */
static void check_fall(const char *variable, const char *method, double tolerance, int unknowns) {
  char text[400];
  trm_error err;
  snprintf(text, sizeof text, "trammel: 1\nequations:\n  coordinates: {s: 1}\n  mass: {s: 1}\n"
           "  forces: {s: -9.81}\n  variables: {h: \"%s\"}\n"
           "  events: {ground: {when: h, direction: falling, do: stop}}\n", variable);
  typed m = typed_text(text, "fall", NULL);
  assert_int_equal(trm_system_sizes(m.system)->nw, unknowns);
  assert_int_equal(trm_system_sizes(m.system)->nshown, 1 - unknowns);
  m.options.integrator = method, m.options.end = 10.0, m.options.outputs = 1000;
  trm_sim *sim = kit_sim(m.system, &m.options);
  compared c = {0};
  const trm_sink sink = {.self = &c, .sample = unknowns > 0 ? compare_unknown : compare};
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err);
  CHECK_NEAR(trm_sim_state(sim)->t, sqrt(2.0 / 9.81), 1e-12, "%s, %s: stop", method, variable);
  CHECK_NEAR(c.off, 0.0, tolerance, "%s, %s: samples", method, variable);
  assert_true(c.samples > 40);
  trm_sim_free(sim);
  typed_close(&m);
}

static void events_see_the_state(void **state) {
  (void)state;
  for (int i = 0; i < all_methods(); i++) {
    check_fall("s", methods[i], 0.0, 0);
    check_fall("2*s - h", methods[i], 1e-13, 1); /* a loop, and solved inside the step */
    check_fall("s + 0.5*tanh(s - h)", methods[i], 1e-13, 1);
  }
}

/* Friction in a band on a variable, or on the velocity itself: the same bits. */
static void conditions_see_the_state(void **state) {
  (void)state;
  static const char *const laws[] = {"V*if(abs(V) > 1e-6, 1, 0)", "y'*if(abs(y') > 1e-6, 1, 0)"};
  for (int i = 0; i < all_methods(); i++) {
    double end[2];
    for (int k = 0; k < 2; k++) {
      char text[400];
      trm_error err;
      snprintf(text, sizeof text, "trammel: 1\nequations:\n  variables: {V: \"y'\"}\n"
               "  coordinates: {y: 0}\n  mass: {y: 8}\n"
               "  forces: {y: \"60*sin(6*time) - 100*%s\"}\n", laws[k]);
      typed m = typed_text(text, "band", NULL);
      m.options.integrator = methods[i], m.options.end = 20.0;
      trm_sim *sim = kit_sim(m.system, &m.options);
      CHECK_OK(trm_sim_run(sim, &err), err);
      end[k] = trm_sim_state(sim)->v[0];
      trm_sim_free(sim);
      typed_close(&m);
    }
    CHECK_NEAR(end[0], 0.0925, 6e-4, "%s: velocity", methods[i]);
    assert_true(end[0] == end[1]);
  }
}

/* --- which of them are unknowns ------------------------------------------------------------ */

static void check_unknowns(const char *variables, const char *force, const char *unknowns) {
  char text[600], names[200] = "";
  snprintf(text, sizeof text, "trammel: 1\nequations:\n  coordinates: {x: 1, y: 0}\n"
           "  mass: {x: 2, y: 1}\n  states: {p: {value: 1, rate: -p}}\n"
           "  constraints: {rod: y - x^2}\n  variables: {%s}\n  forces: {x: \"%s\"}\n",
           variables, force);
  typed m = typed_text(text, "unknowns", NULL);
  for (int i = 0; i < trm_system_count(m.system, TRM_W); i++) {
    trm_label label;
    trm_system_label(m.system, TRM_W, i, &label);
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", label.name);
  }
  assert_string_equal(names, unknowns);
  typed_close(&m);
}

static void only_loops_are_unknowns(void **state) {
  (void)state;
  check_unknowns("a: 2*x, b: a + c, c: x'", "b", "");
  check_unknowns("m: 2 + x^2", "1/m", "");                   /* started from a guess of 0 */
  check_unknowns("a: x - b, b: tanh(a), c: a + b, d: 2*x", "c + d", "a b ");
  check_unknowns("a: x - tanh(a)", "a", "a ");
  /* two loops and what lies between them */
  check_unknowns("a: x - tanh(a), b: 2*a, c: b + 0.1*sin(d), d: 0.1*c", "d", "a c d ");
  /* acceleration and reaction: a loop only where a force uses them */
  check_unknowns("a: \"x''\", b: 2*a, r: rod", "x", "");
  check_unknowns("a: \"x''\", b: 0.2*a, r: rod", "b", "b ");
  check_unknowns("a: \"x''\", b: a + rod, r: 0.1*rod", "r*x", "r ");
}

static void a_guess_is_not_needed(void **state) {
  (void)state;
  trm_error err;
  for (int i = 0; i < all_methods(); i++) {
    typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 1}\n  mass: {x: 1}\n"
                         "  variables: {m: 2 + x^2}\n  forces: {x: 1/m}\n", "guess", NULL);
    m.options.integrator = methods[i], m.options.end = 1.0;
    trm_sim *sim = kit_sim(m.system, &m.options);
    CHECK_OK(trm_sim_run(sim, &err), err);
    CHECK_NEAR(trm_sim_state(sim)->q[0], 1.16364, 2e-4, "%s", methods[i]);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* A thousand variables, each of the next one: no stack is exhausted. */
static void long_chains_are_no_trouble(void **state) {
  (void)state;
  enum { N = 1000, ROOM = 60000 };
  char *text = malloc(ROOM);
  assert_non_null(text);
  int used = snprintf(text, ROOM, "trammel: 1\nequations:\n  coordinates: {x: 1}\n  mass: {x: 1}\n"
                      "  forces: {x: -a0}\n  variables:\n");
  for (int i = 0; i < N; i++) {
    used += snprintf(text + used, (size_t)(ROOM - used), "    a%d: a%d + 0.001*x\n", i, i + 1);
  }
  snprintf(text + used, (size_t)(ROOM - used), "    a%d: 0\n", N);
  typed m = typed_text(text, "chain", NULL);
  free(text);
  trm_error err;
  assert_int_equal(trm_system_count(m.system, TRM_W), 0);
  m.options.integrator = "radau", m.options.tolerance = 1e-9, m.options.end = 1.0;
  trm_sim *sim = kit_sim(m.system, &m.options);
  CHECK_OK(trm_sim_run(sim, &err), err);
  CHECK_NEAR(trm_sim_state(sim)->q[0], cos(1.0), 1e-7, "x");
  trm_sim_free(sim);
  typed_close(&m);
}

/* Conditions on conditions: the constraint is right from the start on, whatever order they are
 * met in. */
static void conditions_of_conditions_settle(void **state) {
  (void)state;
  typed m = typed_text(
      "trammel: 1\nequations:\n  coordinates: {x: 1, y: {guess: 0}}\n"
      "  mass: {x: 1, y: 1}\n  constraints: {c: \"y - if(if(if(if(if(x > 2, 5, 1) > 2, 5, 1) > 2, "
      "5, 1) > 2, 5, 1) > 2, 3, 7)\"}\n", "nested", NULL);
  point p;
  point_start(&p, m.system);
  CHECK_NEAR(p.s.q[1], 7.0, 1e-12, "y");
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(events_see_the_state),
    cmocka_unit_test(conditions_see_the_state),
    cmocka_unit_test(only_loops_are_unknowns),
    cmocka_unit_test(a_guess_is_not_needed),
    cmocka_unit_test(long_chains_are_no_trouble),
    cmocka_unit_test(conditions_of_conditions_settle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
