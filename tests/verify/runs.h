/* runs.h - what the verification tests share: run a built-in problem, keep its
 * states, compare them with a reference, observe orders.
 *
 * The reference is integrator explicit, dop853, tolerance 1e-13, sampled at the
 * very times of the runs. Configurations are compared by the increment that moves
 * one to the other, so a rotation counts with its angle. Errors are the largest
 * over all kept states and all unknowns of a kind; NaN wins. */
#ifndef TRM_TEST_RUNS_H
#define TRM_TEST_RUNS_H
#include "check.h"
#include "trammel/trammel.h"
#include <string.h>

enum { SETTINGS_MAX = 4, RUNS_MAX = 8, RMS_MAX = 16 };

/* A built-in problem with changed parameters. */
typedef struct model {
  const char *problem;
  trm_setting settings[SETTINGS_MAX]; /* up to the first without a name */
} model;

/* Kinds of unknowns, and sets of them. */
typedef enum kind { OF_Q, OF_V, OF_VD, OF_LAM, OF_MU, OF_X, OF_W, KINDS } kind;
enum {
  SET_Q = 1 << OF_Q,
  SET_V = 1 << OF_V,
  SET_VD = 1 << OF_VD,
  SET_LAM = 1 << OF_LAM,
  SET_MU = 1 << OF_MU,
  SET_X = 1 << OF_X,
  SET_W = 1 << OF_W
};

/* States of one run, in order of time. */
typedef struct history {
  trm_sizes n;
  int nq, width;         /* numbers of q; numbers of one state */
  int count, capacity;   /* states kept; room                  */
  double *t;             /*                     [count]         */
  double *numbers;       /* q v vd lam mu x xd w [count * width] */
  trm_counters counters; /* after the run                      */
} history;

/* Largest error of each kind, rms over the states of each v-coordinate of q. */
typedef struct errors {
  double largest[KINDS];
  double rms[RMS_MAX];
  int compared;
} errors;

/* ---- runs ------------------------------------------------------------------ */

static inline trm_system *model_create(const model *m) {
  trm_error err;
  trm_system *system = NULL;
  int n = 0;
  while (n < SETTINGS_MAX && m->settings[n].name != NULL) n++;
  CHECK_OK(trm_problem_create(trm_problem_find(m->problem), m->settings, n, NULL, &system, &err),
           err);
  return system;
}

/* hht si2, as all defaults of that method */
static inline trm_options options_until(double end) {
  trm_options o = trm_options_default();
  o.integrator = "hht";
  o.end = end;
  return o;
}

/* hht si2 with the fixed steps h and, unless it is zero, h2 in turn */
static inline trm_options options_steps(double end, double h, double h2) {
  trm_options o = options_until(end);
  o.steps[0] = h;
  o.steps[1] = h2;
  o.nsteps = h2 > 0.0 ? 2 : 1;
  return o;
}

static inline trm_options options_explicit(double end, double tolerance) {
  trm_options o = options_until(end);
  o.integrator = "explicit";
  o.tolerance = tolerance;
  return o;
}

static inline void history_free(history *h) {
  free(h->t);
  free(h->numbers);
  *h = (history){0};
}

/* Kept state i, as pointers into the history; none of the problems has z or u. */
static inline trm_state history_state(const history *h, int i) {
  double *at = h->numbers + (size_t)i * (size_t)h->width;
  trm_state s = {.t = h->t[i]};
  double **const lists[] = {&s.q, &s.v, &s.vd, &s.lam, &s.mu, &s.x, &s.xd, &s.w};
  const int counts[] = {h->nq, h->n.nv, h->n.nv, h->n.ng, h->n.na, h->n.nx, h->n.nx, h->n.nw};
  for (int k = 0; k < 8; k++) {
    *lists[k] = at;
    at += counts[k];
  }
  return s;
}

static inline trm_state history_last(const history *h) {
  return history_state(h, h->count - 1);
}

static inline void history_keep(history *h, const trm_state *s) {
  if (h->count == h->capacity) {
    h->capacity = h->capacity > 0 ? 2 * h->capacity : 256;
    h->t = realloc(h->t, (size_t)h->capacity * sizeof(double));
    h->numbers = realloc(h->numbers, (size_t)h->capacity * (size_t)h->width * sizeof(double));
    assert_non_null(h->t);
    assert_non_null(h->numbers);
  }
  h->t[h->count++] = s->t;
  const trm_state to = history_last(h);
  const struct {
    double *to;
    const double *from;
    int n;
  } lists[] = {{to.q, s->q, h->nq},       {to.v, s->v, h->n.nv},   {to.vd, s->vd, h->n.nv},
               {to.lam, s->lam, h->n.ng}, {to.mu, s->mu, h->n.na}, {to.x, s->x, h->n.nx},
               {to.xd, s->xd, h->n.nx},   {to.w, s->w, h->n.nw}};
  for (int k = 0; k < 8; k++) {
    if (lists[k].n > 0) memcpy(lists[k].to, lists[k].from, (size_t)lists[k].n * sizeof(double));
  }
}

static inline trm_status history_sample(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  history_keep(self, sample->state);
  return TRM_OK;
}

typedef enum keep { KEEP_STEPS, KEEP_SAMPLES, KEEP_LAST } keep;

/* Run to the end, from a new system; keep accepted steps, samples, or the end only. */
static inline history run(const model *m, const trm_options *o, keep what) {
  trm_error err;
  trm_sim *sim = NULL;
  trm_system *system = model_create(m);
  history h = {.n = *trm_system_sizes(system), .nq = trm_system_count(system, TRM_Q)};
  h.width = h.nq + 2 * h.n.nv + h.n.ng + h.n.na + 2 * h.n.nx + h.n.nw;
  CHECK_OK(trm_sim_create(system, o, &sim, &err), err);
  const trm_sink sink = {.self = &h, .sample = history_sample};
  if (what == KEEP_SAMPLES) CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  for (bool done = false; !done;) {
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    if (what == KEEP_STEPS || (what == KEEP_LAST && done)) history_keep(&h, trm_sim_state(sim));
  }
  h.counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  trm_system_free(system);
  return h;
}

/* Kinetic plus potential energy of a kept state. */
static inline double energy_of(const model *m, const history *h, int i) {
  trm_error err;
  double energy[3];
  trm_system *system = model_create(m);
  const trm_state s = history_state(h, i);
  CHECK_OK(trm_system_values(system, &s, &(trm_values){.energy = energy}, &err), err);
  trm_system_free(system);
  return energy[0] + energy[1];
}

/* ---- comparison ------------------------------------------------------------- */

/* Place of the reference in a list of times, and of every run in its history. */
typedef struct comparison {
  const trm_system *system;
  const double *times;
  int ntimes, sample;
  const history *runs;
  errors *e;
  int nruns, next[RUNS_MAX];
  double *dpi; /* [nv] */
} comparison;

static inline void enlarge(double *largest, const double *a, const double *b, int n) {
  for (int i = 0; i < n; i++) {
    const double e = fabs(a[i] - b[i]);
    if (!(e <= *largest) && !isnan(*largest)) *largest = e;
  }
}

/* Add the errors of s against the state r of the reference. */
static inline void compare_states(const trm_system *system, const trm_state *s, const trm_state *r,
                                  double *dpi, errors *e) {
  const trm_sizes *n = trm_system_sizes(system);
  trm_system_difference(system, s->q, r->q, dpi);
  for (int i = 0; i < n->nv; i++) {
    enlarge(&e->largest[OF_Q], &dpi[i], &(double){0.0}, 1);
    if (i < RMS_MAX) e->rms[i] += dpi[i] * dpi[i];
  }
  enlarge(&e->largest[OF_V], s->v, r->v, n->nv);
  enlarge(&e->largest[OF_VD], s->vd, r->vd, n->nv);
  enlarge(&e->largest[OF_LAM], s->lam, r->lam, n->ng);
  enlarge(&e->largest[OF_MU], s->mu, r->mu, n->na);
  enlarge(&e->largest[OF_X], s->x, r->x, n->nx);
  enlarge(&e->largest[OF_W], s->w, r->w, n->nw);
  e->compared++;
}

static inline trm_status compare_sample(void *self, const trm_sample *sample, trm_error *err) {
  (void)err;
  comparison *c = self;
  assert_true(c->sample < c->ntimes);
  const double t = c->times[c->sample++];
  for (int k = 0; k < c->nruns; k++) {
    const history *h = &c->runs[k];
    if (c->next[k] == h->count || h->t[c->next[k]] != t) continue;
    const trm_state s = history_state(h, c->next[k]++);
    compare_states(c->system, &s, sample->state, c->dpi, &c->e[k]);
  }
  return TRM_OK;
}

static inline int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* All times of all runs, ascending, each once. */
static inline double *merge_times(const history *runs, int nruns, int *count) {
  size_t total = 0;
  for (int k = 0; k < nruns; k++) total += (size_t)runs[k].count;
  double *times = malloc(total * sizeof *times);
  assert_non_null(times);
  double *to = times;
  for (int k = 0; k < nruns; k++) {
    memcpy(to, runs[k].t, (size_t)runs[k].count * sizeof *to);
    to += runs[k].count;
  }
  qsort(times, total, sizeof *times, compare_numbers);
  *count = 0;
  for (size_t i = 0; i < total; i++) {
    if (*count == 0 || times[i] > times[*count - 1]) times[(*count)++] = times[i];
  }
  return times;
}

/* Errors of runs of one model against a reference with options o. */
static inline void compare_with(const model *m, const trm_options *o, const history *runs,
                                int nruns, errors *e) {
  trm_error err;
  trm_sim *sim = NULL;
  trm_options options = *o;
  int ntimes = 0;
  double *times = merge_times(runs, nruns, &ntimes);
  options.output_times = times;
  options.noutput_times = ntimes;
  trm_system *system = model_create(m);
  comparison c = {.system = system,
                  .times = times,
                  .ntimes = ntimes,
                  .runs = runs,
                  .e = e,
                  .nruns = nruns,
                  .dpi = calloc((size_t)runs->n.nv, sizeof(double))};
  for (int k = 0; k < nruns; k++) e[k] = (errors){.compared = 0};
  CHECK_OK(trm_sim_create(system, &options, &sim, &err), err);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &c, .sample = compare_sample}, &err), err);
  CHECK_OK(trm_sim_run(sim, &err), err);
  for (int k = 0; k < nruns; k++) {
    assert_int_equal(e[k].compared, runs[k].count);
    for (int i = 0; i < RMS_MAX; i++) e[k].rms[i] = sqrt(e[k].rms[i] / e[k].compared);
  }
  trm_sim_free(sim);
  trm_system_free(system);
  free(c.dpi);
  free(times);
}

static inline void compare(const model *m, double end, const history *runs, int nruns, errors *e) {
  const trm_options reference = options_explicit(end, 1e-13);
  compare_with(m, &reference, runs, nruns, e);
}

/* ---- orders ----------------------------------------------------------------- */

static const char *const kind_names[KINDS] = {"q", "v", "acc", "lam", "mu", "x", "w"};

static inline double order(double coarse, double fine) {
  return log2(coarse / fine);
}

/* Errors of nruns runs: with the steps of o, then with half of them, and so on. */
static inline void halve_steps(const model *m, const trm_options *o, int nruns, errors *e) {
  history runs[RUNS_MAX];
  trm_options options = *o;
  for (int k = 0; k < nruns; k++) {
    runs[k] = run(m, &options, KEEP_STEPS);
    for (int i = 0; i < options.nsteps; i++) options.steps[i] *= 0.5;
  }
  compare(m, o->end, runs, nruns, e);
  for (int k = 0; k < nruns; k++) history_free(&runs[k]);
}

/* Every order from run to run of every kind in the set lies between low and high. */
static inline void check_orders(const char *what, const errors *e, int nruns, int set, double low,
                                double high) {
  for (int i = 0; i < KINDS; i++) {
    if ((set & 1 << i) == 0) continue;
    print_message("%s: %s %.3g", what, kind_names[i], e[0].largest[i]);
    for (int k = 1; k < nruns; k++) {
      print_message(" %.3g (%.2f)", e[k].largest[i], order(e[k - 1].largest[i], e[k].largest[i]));
    }
    print_message("\n");
  }
  for (int i = 0; i < KINDS; i++) {
    for (int k = 1; k < nruns && (set & 1 << i) != 0; k++) {
      CHECK_BETWEEN(order(e[k - 1].largest[i], e[k].largest[i]), low, high,
                    "%s: order of %s from run %d to %d (errors %.3g, %.3g)", what, kind_names[i], k,
                    k + 1, e[k - 1].largest[i], e[k].largest[i]);
    }
  }
}

/* Orders over runs with the steps of o, half of them, .. */
static inline void check_halving(const char *what, const model *m, const trm_options *o, int nruns,
                                 int set, double low, double high) {
  errors e[RUNS_MAX];
  halve_steps(m, o, nruns, e);
  check_orders(what, e, nruns, set, low, high);
}

#endif
