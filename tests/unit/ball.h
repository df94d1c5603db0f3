/* ball.h - a ball that falls through air and bounces, for tests of events.
 *
 * v' = -g - k v; thrown up from the ground with v0
 *   x(t) = (v0 + g/k)/k (1 - exp(-k t)) - g t/k                               (1)
 * Beside the ground there are marks in time and height that do nothing or stop. */
#ifndef TRM_TEST_BALL_H
#define TRM_TEST_BALL_H
#include "unit/kit.h"

enum { GROUND, APEX, FIRST_MARK, MARKS = 4 };

static const double gravity = 9.81, drag = 0.5, restitution = 0.8, height = 1.0;

/* A mark is crossed when sign * (t - at) rises, or sign * (x - at) if of_height. */
typedef struct mark {
  double         at, sign;
  bool           of_height;
  trm_event_kind kind;
  int            direction;
} mark;

typedef struct ball {
  trm_event_kind at_ground;
  int            nmarks;
  mark           marks[MARKS];
  bool           has_no_event_function;
} ball;

static inline void sizes(const void *self, trm_sizes *n) {
  const ball *b = self;
  *n = (trm_sizes){.nv = 1, .nz = 1, .nevents = FIRST_MARK + b->nmarks};
}

static inline trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[0] = height;
  return TRM_OK;
}

static inline trm_status values(void *self, const trm_state *s, const trm_values *out,
                                trm_error *err) {
  (void)err;
  const ball *b = self;
  if (out->motion != NULL) out->motion[0] = s->vd[0] + gravity + drag * s->v[0];
  if (out->energy != NULL) out->energy[0] = out->energy[1] = out->energy[2] = 0.0;
  if (out->events == NULL) return TRM_OK;
  out->events[GROUND] = s->q[0];
  out->events[APEX] = s->v[0];
  for (int i = 0; i < b->nmarks; i++) {
    const mark *m = &b->marks[i];
    out->events[FIRST_MARK + i] = m->sign * ((m->of_height ? s->q[0] : s->t) - m->at);
  }
  return TRM_OK;
}

static inline void event_info(const void *self, int i, trm_event_info *info) {
  const ball *b = self;
  if (i == GROUND) *info = (trm_event_info){.kind = b->at_ground, .direction = -1};
  if (i == APEX) *info = (trm_event_info){.kind = TRM_EVENT_SILENT, .direction = -1};
  if (i >= FIRST_MARK) {
    *info = (trm_event_info){.kind = b->marks[i - FIRST_MARK].kind,
                              .direction = b->marks[i - FIRST_MARK].direction};
  }
}

static inline trm_status event(void *self, int i, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  if (i != GROUND) return TRM_OK;
  s->v[0] *= -restitution;
  s->z[0] += 1.0;
  return TRM_OK;
}

static const trm_system_ops ops = {.name = "ball", .sizes = sizes, .start = start,
                                   .values = values, .event_info = event_info, .event = event};

/* --- closed form -------------------------------------------------------------------- */

static inline double x_of(double x0, double v0, double t) {
  return x0 + (v0 + gravity / drag) / drag * -expm1(-drag * t) - gravity * t / drag;
}

static inline double v_of(double v0, double t) {
  return (v0 + gravity / drag) * exp(-drag * t) - gravity / drag;
}

/* Time of flight from x0 with v0 to the ground. */
static inline double flight(double x0, double v0) {
  double t = (v0 + sqrt(v0 * v0 + 2 * gravity * x0)) / gravity; /* without air */
  for (int k = 0; k < 50; k++) t -= x_of(x0, v0, t) / v_of(v0, t);
  return t;
}

/* Times of the first n bounces; `apex` receives those of the tops behind them. */
static inline void bounces(int n, double *at, double *apex) {
  double t = 0.0, x0 = height, v0 = 0.0;
  for (int i = 0; i < n; i++) {
    const double T = flight(x0, v0);
    t += T;
    v0 = -restitution * v_of(v0, T);
    x0 = 0.0;
    at[i] = t;
    if (apex != NULL) apex[i] = t + log1p(v0 * drag / gravity) / drag;
  }
}

/* --- runs --------------------------------------------------------------------------- */

typedef struct result {
  kit_record   record;
  double       t, x, v, z;
  trm_counters counters;
} result;

static inline trm_options options_of(const char *integrator, const char *formulation,
                                     double tolerance) {
  trm_options options = trm_options_default();
  options.integrator = integrator;
  options.formulation = formulation;
  options.tolerance = tolerance;
  options.end = 2.0;
  return options;
}

static inline void run(ball *self, const trm_options *options, result *r) {
  trm_system *sys = kit_system(&ops, self);
  trm_sim *sim = kit_sim(sys, options);
  kit_listen(sim, &r->record);
  kit_run(sim);
  const trm_state *s = trm_sim_state(sim);
  r->t = s->t, r->x = s->q[0], r->v = s->v[0], r->z = s->z[0];
  r->counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  trm_system_free(sys);
}

/* Event number k of kind `index`. */
static inline double time_of(const kit_record *r, int index, int k) {
  for (int i = 0; i < r->nevents; i++) {
    if (r->event[i] == index && k-- == 0) return r->event_t[i];
  }
  return NAN;
}

static inline void check_ascending(const kit_record *r) {
  for (int i = 1; i < r->nsamples; i++) {
    if (!(r->sample_t[i] > r->sample_t[i - 1])) {
      fail_msg("sample %d at %.17g after %.17g", i, r->sample_t[i], r->sample_t[i - 1]);
    }
  }
  for (int i = 1; i < r->nevents; i++) {
    if (!(r->event_t[i] >= r->event_t[i - 1])) {
      fail_msg("event %d at %.17g told after %.17g", i, r->event_t[i], r->event_t[i - 1]);
    }
  }
}

#endif
