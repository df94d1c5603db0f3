/* kit.h - what tests of linear algebra and of whole simulations share: random
 * numbers that are the same in every run, creation that must succeed, and a sink
 * that writes down what it is told. */
#ifndef TRM_TEST_KIT_H
#define TRM_TEST_KIT_H
#include "check.h"
#include "trammel/trammel.h"
#include <string.h>

/* A number in -1 .. 1. */
static inline double kit_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005U + 1442695040888963407U;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0; /* 53 bits over 2^52 */
}

/* A seed that belongs to a text (FNV-1a): what is beside it in a table does not change it. */
static inline uint64_t kit_seed(const char *text) {
  uint64_t seed = 14695981039346656037U;
  for (const char *c = text; *c != '\0'; c++) {
    seed = (seed ^ (unsigned char)*c) * 1099511628211U;
  }
  return seed;
}

/* Slope of the fourth order from values at -2h, -h, h, 2h: the error is h^4 f^(5)/30, small even
 * near singular states, where derivatives of higher order are large. */
static inline double kit_slope(const double f[4], double h) {
  return (8.0 * (f[2] - f[1]) - (f[3] - f[0])) / (12.0 * h);
}

/* A whole number in 0 .. below - 1. */
static inline int kit_below(uint64_t *seed, int below) {
  return (int)(0.5 * (kit_random(seed) + 1.0) * below);
}

static inline trm_system *kit_system(const trm_system_ops *ops, void *self) {
  trm_error err;
  trm_system_def def = trm_system_def_default();
  def.ops = ops;
  def.self = self;
  trm_system *system = NULL;
  CHECK_OK(trm_system_create(&def, &system, &err), err);
  return system;
}

/* A built-in problem with one changed parameter, or none (name NULL). */
static inline trm_system *kit_problem(const char *problem, const char *name, const char *value) {
  trm_error err;
  const trm_setting setting = {.name = name, .value = value};
  trm_system *system = NULL;
  CHECK_OK(trm_problem_create(trm_problem_find(problem), &setting, name != NULL ? 1 : 0, NULL,
                              &system, &err),
           err);
  return system;
}

static inline trm_sim *kit_sim(trm_system *system, const trm_options *options) {
  trm_error err;
  trm_sim *sim = NULL;
  CHECK_OK(trm_sim_create(system, options, &sim, &err), err);
  return sim;
}

static inline void kit_run(trm_sim *sim) {
  trm_error err;
  CHECK_OK(trm_sim_run(sim, &err), err);
}

enum { KIT_EVENTS = 64, KIT_SAMPLES = 512, KIT_VALUES = 8 };

/* What came through a sink. */
typedef struct kit_record {
  int    nsamples, nevents, nmessages, nends;
  long   accepted, rejected;                     /* records of steps             */
  double sample_t[KIT_SAMPLES];
  double sample_q[KIT_SAMPLES][KIT_VALUES];      /* first numbers of q           */
  double event_t[KIT_EVENTS];
  int    event[KIT_EVENTS];
  int    samples_before[KIT_EVENTS];             /* samples given before the event */
  trm_step_record last;                          /* last record of a step        */
  char   message[400];                           /* last message                 */
  int    nq;
} kit_record;

static inline trm_status kit_begin(void *self, const trm_system *system,
                                   const trm_options *options, trm_error *err) {
  (void)options, (void)err;
  kit_record *r = self;
  r->nq = trm_system_count(system, TRM_Q);
  return TRM_OK;
}

static inline trm_status kit_sample(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  kit_record *r = self;
  assert_true(r->nsamples < KIT_SAMPLES);
  r->sample_t[r->nsamples] = sample->state->t;
  for (int i = 0; i < KIT_VALUES && i < r->nq; i++) {
    r->sample_q[r->nsamples][i] = sample->state->q[i];
  }
  r->nsamples++;
  return TRM_OK;
}

static inline trm_status kit_step(void *self, const trm_step_record *record, trm_error *err) {
  (void)err;
  kit_record *r = self;
  *(record->accepted ? &r->accepted : &r->rejected) += 1;
  r->last = *record;
  return TRM_OK;
}

static inline trm_status kit_event(void *self, double t, int index, trm_error *err) {
  (void)err;
  kit_record *r = self;
  assert_true(r->nevents < KIT_EVENTS);
  r->event_t[r->nevents] = t;
  r->event[r->nevents] = index;
  r->samples_before[r->nevents++] = r->nsamples;
  return TRM_OK;
}

static inline void kit_message(void *self, double t, const char *text) {
  (void)t;
  kit_record *r = self;
  r->nmessages++;
  snprintf(r->message, sizeof r->message, "%s", text);
}

static inline trm_status kit_end(void *self, const trm_counters *counters, const trm_error *failure,
                                 trm_error *err) {
  (void)counters, (void)failure, (void)err;
  ((kit_record *)self)->nends++;
  return TRM_OK;
}

/* Notes of a run, one after the other: the `self` of kit_note, a message function of sinks. */
typedef struct kit_notes {
  char text[4000];
} kit_notes;

static inline void kit_note(void *self, double t, const char *text) {
  kit_notes *n = self;
  (void)t;
  const size_t used = strlen(n->text);
  snprintf(n->text + used, sizeof n->text - used, "%s\n", text);
}

/* What `auto` takes is no message. */
static inline void kit_choice(void *self, double t, const char *text) {
  (void)self, (void)t, (void)text;
}

static inline void kit_listen(trm_sim *sim, kit_record *record) {
  trm_error err;
  *record = (kit_record){0};
  const trm_sink sink = {.self = record,     .begin = kit_begin, .sample = kit_sample,
                         .step = kit_step,   .event = kit_event, .message = kit_message,
                         .choice = kit_choice, .end = kit_end};
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
}

#endif
