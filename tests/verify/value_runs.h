/* value_runs.h - short runs of systems with values that were set, next to new builds with them. */
#ifndef VALUE_RUNS_H
#define VALUE_RUNS_H
#include "equations/equations_internal.h"
#include "trammel/mechanism.h"
#include "trammel/values.h"
#include "verify/typed.h"

enum { STEPS = 3, NUMBERS = 200000 };

/* All numbers of a short run, or why there is none. */
typedef struct outcome {
  trm_status status;
  char       message[TRM_MESSAGE_MAX];
  int        count;
  double     numbers[NUMBERS];
} outcome;

static inline void keep(outcome *out, const double *numbers, int count) {
  assert_true(out->count + count <= NUMBERS);
  if (count > 0) memcpy(out->numbers + out->count, numbers, (size_t)count * sizeof *numbers);
  out->count += count;
}

static inline void keep_state(outcome *out, trm_sim *sim, const trm_system *sys) {
  const trm_state *s = trm_sim_state(sim);
  keep(out, &s->t, 1);
  keep(out, s->q, sys->nq);
  keep(out, s->v, sys->n.nv);
  keep(out, s->vd, sys->n.nv);
  keep(out, s->lam, sys->n.ng);
  keep(out, s->mu, sys->n.na);
  keep(out, s->x, sys->n.nx);
  keep(out, s->w, sys->n.nw);
  keep(out, s->z, sys->n.nz);
}

static inline void run(trm_system *system, const trm_options *options, outcome *out) {
  trm_error err = {.message = ""};
  trm_sim *sim = NULL;
  bool is_done = false;
  double outputs[500];
  out->count = 0;
  out->status = trm_sim_create(system, options, &sim, &err);
  for (int i = 0; i < STEPS && !is_done && out->status == TRM_OK; i++) {
    keep_state(out, sim, system);
    out->status = trm_sim_step(sim, &is_done, &err);
  }
  if (out->status == TRM_OK) {
    assert_true(system->n.noutputs <= 500);
    keep_state(out, sim, system);
    out->status = trm_sim_outputs(sim, outputs, &err);
    keep(out, outputs, system->n.noutputs);
  }
  snprintf(out->message, sizeof out->message, "%s", err.message);
  trm_sim_free(sim);
}

/* A system that was set is the one that is built with the value: not only its runs, all that it is
 * evaluated by. */
static inline void check_tapes(const trm_system *x, const trm_system *y, const char *model,
                               const char *name) {
  const trmi_equations *a = trmi_equations_of(x->self), *b = trmi_equations_of(y->self);
  const trmi_tape *s = &a->tape, *t = &b->tape;
  const bool has_sizes = s->nslots == t->nslots && s->nsymbols == t->nsymbols &&
                         s->nruns == t->nruns && s->ncode == t->ncode && a->nq == b->nq;
  if (!has_sizes) fail_msg("%s: %s: the equations are others", model, name);
  if (memcmp(s->code, t->code, (size_t)s->ncode * sizeof *s->code) != 0) {
    fail_msg("%s: %s: the equations are others", model, name);
  }
  const int computed = s->nruns > 0 ? s->runs[0].slot : s->nslots;
  for (int i = s->nsymbols; i < computed; i++) {
    if (memcmp(&s->value[i], &t->value[i], sizeof(double)) == 0) continue;
    fail_msg("%s: %s: constant %d is %.17g, of a new build %.17g", model, name, i, s->value[i],
             t->value[i]);
  }
  for (int i = 0; i < a->nq; i++) {
    if (memcmp(&a->q[i], &b->q[i], sizeof(double)) == 0) continue;
    fail_msg("%s: %s: start %d is %.17g, of a new build %.17g", model, name, i, a->q[i], b->q[i]);
  }
  for (int i = 0; i < a->n.nslips; i++) {
    assert_true(a->labels[TRM_SLIP][i].scale == b->labels[TRM_SLIP][i].scale);
  }
}

static inline void check_same(const outcome *a, const outcome *b, const char *model,
                              const char *name) {
  if (a->status != b->status || strcmp(a->message, b->message) != 0) {
    fail_msg("%s: %s: %d '%s' is not %d '%s'", model, name, a->status, a->message, b->status,
             b->message);
  }
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count; i++) {
    if (memcmp(&a->numbers[i], &b->numbers[i], sizeof(double)) == 0) continue;
    fail_msg("%s: %s: number %d of the run is %.17g, of a new build %.17g", model, name, i,
             a->numbers[i], b->numbers[i]);
  }
}

/* A model as one plain file: what is repeated has names of its own there. */
typedef struct plain_text {
  char  *text;
  size_t used, size;
} plain_text;

static inline void append(void *self, const char *text, size_t length) {
  plain_text *plain = self;
  if (plain->used + length + 1 > plain->size) {
    plain->size = 2 * (plain->used + length + 1);
    plain->text = realloc(plain->text, plain->size);
    assert_non_null(plain->text);
  }
  memcpy(plain->text + plain->used, text, length);
  plain->used += length;
  plain->text[plain->used] = '\0';
}

typedef struct tally { int set, structural, refused; } tally;

/* A system of the model with one setting, NULL: none; NULL: it cannot be read. */
static inline trm_system *build(const char *file, const trm_setting *setting, trm_model **model,
                                trm_error *err) {
  trm_system *system = NULL;
  if (trm_model_read_stored(file, "plain", setting, setting != NULL, NULL, model, err) != TRM_OK) {
    return NULL;
  }
  trm_model_use_plugins(*model, TRM_PLUGINS_LOADED);
  assert_int_equal(trm_model_create_system(*model, NULL, &system, err), TRM_OK);
  return system;
}

static inline trm_system *build_with(const char *file, const char *name, double number,
                                     trm_model **model, trm_error *err) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", number);
  return build(file, &(trm_setting){name, text}, model, err);
}

/* A value with a number, or a sentence that refuses it; a build with the number agrees. */
static inline void check_number(const char *file, const char *shipped, trm_system *set,
                                const trm_options *options, const trm_value *value, double number,
                                tally *sum) {
  static outcome ours, fresh;
  trm_error err = {.message = ""}, other = {.message = ""};
  trm_model *model = NULL;
  const trm_status status = trm_system_set(set, value->name, number, &err);
  if (status != TRM_OK) {
    assert_int_equal(status, TRM_ERR_INPUT);
    const bool needs_build = strstr(err.message, "new build") != NULL;
    sum->structural += needs_build;
    sum->refused += !needs_build;
    if (needs_build != (value->change == TRM_CHANGE_STRUCTURAL)) {
      fail_msg("%s: %s = %g: %s", shipped, value->name, number, err.message);
    }
    if (needs_build) return;
    if (build_with(file, value->name, number, &model, &other) != NULL) {
      fail_msg("%s: %s = %g is refused, but can be built: %s", shipped, value->name, number,
               err.message);
    }
    trm_model_free(model);
    return;
  }
  if (value->change == TRM_CHANGE_STRUCTURAL) {
    if (number != value->number) fail_msg("%s: %s was set", shipped, value->name);
    return;
  }
  sum->set++;
  trm_system *system = build_with(file, value->name, number, &model, &other);
  if (system == NULL) {
    fail_msg("%s: %s = %g: %s", shipped, value->name, number, other.message);
  }
  check_tapes(set, system, shipped, value->name);
  run(set, options, &ours);
  run(system, options, &fresh);
  check_same(&ours, &fresh, shipped, value->name);
  trm_system_free(system);
  trm_model_free(model);
}

#endif
