/* Every shipped model: exact derivatives, and runs by all methods that go on after an
 * interruption with the same bits. */
#include "methods.h"
#include "sanitized.h"
#include "verify/typed.h"

/* What the default spread does not suit: stiff models start from where they are. */
static const struct {
  const char *model;
  spread by;
} spreads[] = {
    {"slider-crank-typed", {0.3, 20.0, 0.0, 0.01}},
    {"bouncing-ball", {0.5, 1.0, 0.0, 1.0}},
    {"quarter-car", {1e-3, 0.1, 0.0, 1.0}}, /* bushings of 6e6 N/m */
    {"bricard", {0.0, 1.0, 0.0, 1.0}}, /* movable only where its loop is closed */
    {"four-bars", {0.0, 1.0, 0.0, 1.0}}, /* starts in a singular pose */
    {"cantilever-tdg", {0.0, 1.0, 0.0, 1.0}}, /* beams bear strains of 1e-3, not of 0.1 */
    {"slider-crank-beam", {0.0, 1.0, 0.0, 0.0}},
    {"spinning-beam", {0.0, 1.0, 0.0, 0.01}},
    {"flexible-link", {0.0, 1.0, 0.0, 0.01}}, /* modes turn their interfaces by 40 rad/m */
    {"satellite", {0.0, 1.0, 0.0, 0.01}},
    {"ladder-frame", {0.0, 1.0, 0.0, 0.01}},
    {"slider-crank-modal", {0.0, 1.0, 0.0, 0.0}},
    {"block-on-slope", {0.0, 1.0, 0.0, 1.0}}, /* contacts are pressed in by micrometres */
    {"newton-cradle", {0.0, 1.0, 0.0, 1.0}},
    {"slide-and-roll", {0.0, 1.0, 0.0, 1.0}},
    {"gripper", {0.0, 1.0, 0.0, 1.0}},
    {"spheres", {0.0, 1.0, 0.5, 1.0}}, /* farther off other pairs would be near */
};

/* Differences have a step of 6e-6 times the scale: truncation and rounding stay below 1e-8. Forces
 * of 1e10 N, steps of 6e-10 m of the elastic crank, and stiffnesses of 1e9 N/m of beams bury more
 * digits in rounding; the forces of the car are 1e4 N and leave eps 1e4/6e-6 in zero blocks, those
 * of contacts bend within the step, which is as long as their depth (tests of contacts have samples
 * with steps that fit); 500 kg at 6 m in the winch leave eps 3e3/6e-6 in zero blocks. Modes of
 * flexible bodies have scales of 1e-4 and less (1 mm over their largest displacement), steps of
 * 6e-10; tests/element compares their blocks with steps that fit. */
static double tolerance_of(const char *model) {
  static const struct {
    const char *model;
    double tolerance;
  } stiff[] = {{"bushing-alpha", 1e-5}, {"slider-crank-typed", 1e-5}, {"slider-crank-beam", 1e-4},
               {"cantilever-tdg", 1e-4}, {"spinning-beam", 1e-6}, {"block-on-slope", 1e-3},
               {"slide-and-roll", 1e-3}, {"winch", 1e-6}, {"cam-follower", 1e-7},
               {"geneva", 1e-5}, {"rattleback", 1e-5},
               {"flexible-link", 1e-6}, {"satellite", 1e-6}, {"slider-crank-modal", 1e-6},
               {"ladder-frame", 1e-6}};
  for (size_t i = 0; i < sizeof stiff / sizeof *stiff; i++) {
    if (strcmp(model, stiff[i].model) == 0) return stiff[i].tolerance;
  }
  return strcmp(model, "quarter-car") == 0 ? 2e-6 : 1e-8;
}

/* Of mechanisms: closed loops and driven joints are found again from nearby only. */
static spread spread_of(const char *model, const trm_system *system) {
  for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
    if (strcmp(spreads[i].model, model) == 0) return spreads[i].by;
  }
  const bool is_mechanism = trm_system_sizes(system)->nrot > 0;
  return is_mechanism ? (spread){.q = 0.02, .v = 1.0, .x = 0.5, .t = 0.01}
                      : (spread){.q = 0.2, .v = 1.0, .x = 0.5, .t = 1.0};
}

static void check_blocks(const char *name) {
  enum { STATES = IS_SANITIZED ? 2 : 5 };
  trm_error err;
  trm_block_check worst[TRM_BLOCKS];
  typed m = typed_model(name, NULL);
  const spread by = spread_of(name, m.system);
  const double tolerance = tolerance_of(name);
  solver v;
  point start, here;
  uint64_t seed = 11;
  double error = 0.0;
  const char *block = "";
  solver_open(&v, m.system);
  point_start(&start, m.system);
  for (int k = 0; k < STATES; k++) {
    point_random(&here, &start, &v, &by, &seed);
    CHECK_OK(trm_system_check_blocks(m.system, &here.s, worst, &err), err);
    for (int b = 0; b < TRM_BLOCKS; b++) {
      if (worst[b].error > error) error = worst[b].error, block = trm_block_name((trm_block)b);
      CHECK_NEAR(worst[b].error, 0.0, tolerance, "%s: %s[%d][%d] is %g, by differences %g", name,
                 trm_block_name((trm_block)b), worst[b].row, worst[b].col, worst[b].given,
                 worst[b].difference);
    }
  }
  print_message("%s: blocks off differences by %.1e (%s)\n", name, error, block);
  solver_close(&v);
  typed_close(&m);
}

static void blocks_are_derivatives(void **state) {
  (void)state;
  assert_true(trm_shipped_model_count() >= 14);
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    const char *name = trm_shipped_model_at(i)->name;
    if (!typed_is_large(name)) check_blocks(name);
  }
}

/* --- runs ------------------------------------------------------------------------ */

enum { SAVED_MAX = 1 << 16 };

/* A checkpoint. */
typedef struct saved {
  double t;
  size_t size;
  unsigned char data[SAVED_MAX];
} saved;

/* Of all checkpoints of a run the numbers 1, 2, 4, 8 .. are kept in turn: when it is over the one
 * before the last lies between a quarter and a half of it, or at its start. */
typedef struct keeper {
  long  count;
  saved last, before;
} keeper;

static trm_status keep(void *self, double t, const void *data, size_t size, trm_error *err) {
  (void)err;
  keeper *k = self;
  assert_true(size <= SAVED_MAX);
  k->count++;
  if ((k->count & (k->count - 1)) != 0) return TRM_OK;
  k->before = k->count > 1 ? k->last : (saved){.size = 0};
  k->last.t = t;
  k->last.size = size;
  memcpy(k->last.data, data, size);
  return TRM_OK;
}

/* Run to the end; `to` and `from` may be NULL. Returns the accepted steps. */
static long finish(const typed *m, const trm_options *o, keeper *to, const saved *from,
                   point *end) {
  trm_error err;
  trm_sim *sim = kit_sim(m->system, o);
  if (to != NULL)
    CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = to, .checkpoint = keep}, &err), err);
  if (from != NULL) CHECK_OK(trm_sim_load(sim, from->data, from->size, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err);
  point_clear(end);
  trmi_state_copy(m->system, trm_sim_state(sim), &end->s);
  const long steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  return steps;
}

/* A run goes on in a system of its own. False: the method refuses the model. */
static bool check_restart(const char *name, const typed m[2], const char *integrator) {
  /* the whole run where it is hardest for some methods, and short */
  const double part = strcmp(name, "bricard") == 0 ? 1.0 : typed_part(name, integrator);
  static keeper all;
  point whole, rest;
  trm_options o = typed_options(&m[0], integrator, part);
  o.checkpoint_steps = 2;
  if (method_refuses(m[0].system, &o)) return false;
  all.count = 0;
  const long steps = finish(&m[0], &o, &all, NULL, &whole);
  assert_true(all.count > 0);
  const saved *kept = all.count > 1 ? &all.before : &all.last;
  finish(&m[1], &o, NULL, kept, &rest);
  print_message("%s %s: %ld steps to t = %g, again from %g\n", name, integrator, steps, whole.s.t,
                kept->t);
  assert_true(whole.s.t == rest.s.t);
  for (int k = 0; k < 10; k++) {
    if (memcmp(whole.room[k], rest.room[k], sizeof whole.room[k]) != 0) {
      fail_msg("%s %s: list %d differs after a restart from t = %g", name, integrator, k, kept->t);
    }
  }
  return true;
}

static void all_methods_go_on_with_the_same_bits(void **state) {
  (void)state;
  const int count = every_method();
  int runs[sizeof methods / sizeof *methods] = {0};
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    const char *name = trm_shipped_model_at(i)->name;
    if (typed_is_large(name)) continue;
    typed m[2] = {typed_model(name, NULL), typed_model(name, NULL)};
    for (int k = 0; k < count; k++) {
      if (takes_part(i, k, runs[k])) runs[k] += check_restart(name, m, methods[k]);
    }
    for (int k = 0; k < 2; k++) typed_close(&m[k]);
  }
  for (int k = 0; k < count; k++) {
    if (runs[k] == 0) fail_msg("no model for %s", methods[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_derivatives),
      cmocka_unit_test(all_methods_go_on_with_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
