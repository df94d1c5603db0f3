/* watch.h - what the tests of shipped mechanisms share: runs that are looked at in every sample,
 * outputs by their names, freedoms. */
#ifndef TRM_TEST_WATCH_H
#define TRM_TEST_WATCH_H
#include "trammel/doctor.h"
#include "verify/typed.h"

/* What was seen in a run. */
typedef struct watch {
  void (*look)(const trm_sample *sample, struct watch *w);
  const void *about;  /* for `look`                           */
  double worst[8];    /* largest errors of what it looks at   */
  double first_energy, worst_energy;
  double last_energy;
  double work;        /* of forces and motions, by Simpson    */
  double powers[2];   /* of the last two samples              */
  double last_t;
  int    count;
} watch;

/* Samples at equal distances: two of them at a time. */
static inline void watch_work(watch *w, const trm_sample *sample) {
  const double h = sample->state->t - w->last_t, power = sample->power;
  if (w->count > 0 && w->count % 2 == 0) {
    w->work += h / 3.0 * (w->powers[0] + 4.0 * w->powers[1] + power);
  }
  w->powers[0] = w->powers[1];
  w->powers[1] = power;
  w->last_t = sample->state->t;
}

static inline trm_status watch_sample(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  watch *w = self;
  const double energy = sample->kinetic + sample->potential;
  if (w->look != NULL) w->look(sample, w);
  watch_work(w, sample);
  if (w->count++ == 0) w->first_energy = energy;
  w->worst_energy = fmax(w->worst_energy, fabs(energy - w->first_energy));
  w->last_energy = energy;
  return TRM_OK;
}

/* Keep the largest error. */
static inline void watch_note(watch *w, int i, double actual, double expected) {
  const double error = fabs(actual - expected);
  if (!(error <= w->worst[i])) w->worst[i] = error;
}

static inline watch watch_run_about(typed *m, void (*look)(const trm_sample *, watch *),
                                    const void *about, point *end) {
  trm_error err = {.message = ""};
  watch w = {.look = look, .about = about};
  trm_sim *sim = kit_sim(m->system, &m->options);
  const trm_sink sink = {.self = &w, .sample = watch_sample};
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  kit_run(sim);
  if (end != NULL) {
    point_clear(end);
    trmi_state_copy(m->system, trm_sim_state(sim), &end->s);
  }
  trm_sim_free(sim);
  return w;
}

static inline watch watch_run(typed *m, void (*look)(const trm_sample *, watch *), point *end) {
  return watch_run_about(m, look, NULL, end);
}

/* Rows of a shipped model beyond its rank, and its freedoms. */
static inline int watch_redundant(const char *name, int *freedoms) {
  trm_error err = {.message = ""};
  typed m = typed_model(name, NULL);
  trm_doctor *doctor = NULL;
  trm_sim *sim = kit_sim(m.system, &m.options);
  CHECK_OK(trm_doctor_examine(sim, false, &doctor, &err), err);
  const int rows = doctor->rank.rows - doctor->rank.rank;
  *freedoms = trm_system_sizes(m.system)->nv - doctor->rank.rank;
  trm_doctor_free(doctor);
  trm_sim_free(sim);
  typed_close(&m);
  return rows;
}

#endif
