/* carts.h - six carts with a bumper whose pattern follows the motion, for tests of epochs. */
#ifndef TRM_TEST_CARTS_H
#define TRM_TEST_CARTS_H
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

static inline void sizes(const void *self, trm_sizes *n) {
  *n = (trm_sizes){.nv = CARTS, .nevents = ((const carts *)self)->has_mark ? 1 : 0};
}

static inline void patterns(const void *self, trm_pattern *p) {
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

static inline trm_status start(void *self, trm_state *s, trm_error *err) {
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

static inline double pressed(const trm_state *s) {
  return fmax(r_bumper - (s->q[1] - s->q[0]), 0.0);
}

static inline trm_status values(void *self, const trm_state *s, const trm_values *out,
                                trm_error *err) {
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

static inline trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
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

static inline void event_info(const void *self, int i, trm_event_info *info) {
  (void)self, (void)i;
  *info = (trm_event_info){.kind = TRM_EVENT_RESTART, .direction = -1};
}

static inline void note(carts *o, char what) {
  assert_true(o->ntrace + 1 < TRACE);
  o->trace[o->ntrace++] = what;
}

static inline trm_status begin_step(void *self, const trm_state *s, double h, trm_error *err) {
  (void)err;
  carts *o = self;
  if (o->naccepted > 0 && s->t != o->accept_t) o->disorder++;
  o->begin_t = s->t;
  o->begin_h = h;
  note(o, 'B');
  return TRM_OK;
}

static inline trm_status accept_step(void *self, const trm_state *s, trm_error *err) {
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

static inline void reject_step(void *self) {
  note(self, 'R');
}

static inline int epoch(const void *self) {
  return ((const carts *)self)->epoch;
}

/* The memory, in the order of the struct. */
static inline size_t memory_size(const void *self) {
  (void)self;
  return sizeof(bool) + sizeof(int) + sizeof(double);
}

static inline void memory_save(const void *self, void *data) {
  const carts *o = self;
  unsigned char *to = data;
  ((carts *)self)->saved++;
  memcpy(to, &o->is_near, sizeof(bool));
  memcpy(to + sizeof(bool), &o->epoch, sizeof(int));
  memcpy(to + sizeof(bool) + sizeof(int), &o->anchor, sizeof(double));
}

static inline void memory_load(void *self, const void *data) {
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

static inline carts *new_carts(void) {
  carts *o = calloc(1, sizeof *o);
  assert_non_null(o);
  o->anchor = CARTS - 1;
  o->at = -1.0;
  return o;
}

static inline trm_options options_of(const char *integrator, double step) {
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

/* --- memory -------------------------------------------------------------------------- */

enum { SAVED_MAX = 16384 };

typedef struct tape {
  double        t, wanted; /* the first checkpoint after `wanted` is kept */
  size_t        size;
  unsigned char data[SAVED_MAX];
} tape;

static inline trm_status checkpoint(void *self, double t, const void *data, size_t size,
                                    trm_error *err) {
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
static inline ending run_with_tape(const trm_system_ops *table, carts *self,
                                   const trm_options *options, tape *keep, const tape *from) {
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

#endif
