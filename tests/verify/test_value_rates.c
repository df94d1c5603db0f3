/* test_value_rates.c - derivatives of the equations by values against differences. */
#include "element/samples.h"
#include "trammel/values.h"
#include "verify/typed.h"
#include <math.h>

enum { MOST = 3000 };

/* All that can be differentiated, in one list. */
typedef struct column {
  double numbers[MOST];
  int    count;
} column;

static trm_values lists_of(const trm_system *sys, column *c) {
  const trm_sizes *n = &sys->n;
  const int sizes[] = {n->nv, n->ng, n->ng, n->ng, n->na, n->na, n->nx, n->nw, n->noutputs};
  double *at[9];
  c->count = 0;
  for (int k = 0; k < 9; k++) {
    at[k] = c->numbers + c->count;
    c->count += sizes[k];
    assert_true(c->count <= MOST);
  }
  return (trm_values){.motion = at[0], .g = at[1], .g_rate = at[2], .g_bias = at[3],
                      .a_rate = at[4], .a_bias = at[5], .d = at[6], .w = at[7], .outputs = at[8]};
}

/* A state that is nowhere special: from the start, with other velocities, accelerations and
 * multipliers. */
static void shake(const trm_system *sys, trm_state *s) {
  for (int i = 0; i < sys->n.nv; i++) {
    s->v[i] += 0.1 * sin(1.0 + i);
    s->vd[i] = cos(2.0 + i);
  }
  for (int i = 0; i < sys->n.ng; i++) s->lam[i] = sin(3.0 + 2 * i);
  for (int i = 0; i < sys->n.na; i++) s->mu[i] = sin(4.0 + 2 * i);
  s->t += 0.013;
}

static void evaluate(trm_system *sys, const trm_state *s, column *c) {
  trm_error err = {.message = ""};
  const trm_values out = lists_of(sys, c);
  CHECK_OK(trm_system_values(sys, s, &out, &err), err);
}

/* Central differences of the whole. Truncation goes with the square of 1e-4, rounding is 1e-16 of
 * the largest number over 1e-4: both are below 1e-7 of the column, and of the numbers themselves
 * 1e-10. What is kept from the start (angles, tied coordinates) belongs to the state. */
static bool check_value(trm_system *sys, const trm_state *s, const char *model, int i) {
  static column exact, plus, minus;
  trm_error err = {.message = ""};
  trm_value value;
  trm_system_value_at(sys, i, &value);
  const double p = value.number, unit = p != 0.0 ? fabs(p) : 1.0, h = 1e-4 * unit;
  if (value.change == TRM_CHANGE_STRUCTURAL) return false;
  if (trm_system_set(sys, value.name, p + h, &err) != TRM_OK) return false;
  evaluate(sys, s, &plus);
  if (trm_system_set(sys, value.name, p - h, &err) != TRM_OK) {
    CHECK_OK(trm_system_set(sys, value.name, p, &err), err);
    return false;
  }
  evaluate(sys, s, &minus);
  CHECK_OK(trm_system_set(sys, value.name, p, &err), err);
  const trm_values rates = lists_of(sys, &exact);
  const trm_status status = trm_system_value_rates(sys, value.name, s, &rates, &err);
  if (p == 0.0 && status == TRM_ERR_INPUT) { /* what is zero may have left terms out, and says so */
    if (strstr(err.message, "zero") == NULL) fail_msg("%s: %s", value.name, err.message);
    return false;
  }
  CHECK_OK(status, err);
  double size = 0.0, largest = 0.0;
  for (int k = 0; k < exact.count; k++) {
    size = fmax(size, fabs(exact.numbers[k]));
    largest = fmax(largest, fabs(plus.numbers[k]));
  }
  for (int k = 0; k < exact.count; k++) {
    const double difference = (plus.numbers[k] - minus.numbers[k]) / (2 * h);
    const double tolerance = 3e-7 * size + 1e-10 * largest / unit;
    CHECK_NEAR(exact.numbers[k], difference, tolerance, "%s: %s, row %d", model, value.name, k);
  }
  return true;
}

static int check_model(typed *m, const char *name) {
  trm_error err = {.message = ""};
  trm_state s;
  trmi_arena arena;
  int count, checked = 0;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_state_take(m->system, &arena, &s);
  assert_false(arena.failed);
  CHECK_OK(trmi_system_start(m->system, &s, &err), err);
  shake(m->system, &s);
  CHECK_OK(trm_system_value_count(m->system, &count, &err), err);
  for (int i = 0; i < count; i++) checked += check_value(m->system, &s, name, i);
  trmi_arena_clear(&arena);
  return checked;
}

static void rates_match_differences_for_every_element(void **state) {
  char text[8000];
  (void)state;
  for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
    snprintf(text, sizeof text, "%sgravity: [.4, -.3, -9.81]\n%s", sample_bodies, samples[k].text);
    typed m = typed_text(text, samples[k].type, NULL);
    assert_true(check_model(&m, samples[k].text) > 10);
    typed_close(&m);
  }
}

static void rates_match_differences_for_typed_models(void **state) {
  static const char *const names[] = {"slider-crank-typed", "servo-typed", "stiff-spring",
                                      "rolling-disc-typed", "double-pendulum-typed"};
  (void)state;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    typed m = typed_model(names[k], NULL);
    assert_true(check_model(&m, names[k]) > 0);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rates_match_differences_for_every_element),
    cmocka_unit_test(rates_match_differences_for_typed_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
