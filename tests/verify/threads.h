/* threads.h - simulations as jobs for threads, digests of all they give, and a pool of threads as
 * the hook parallel_for. */
#ifndef TRM_TEST_THREADS_H
#define TRM_TEST_THREADS_H
#include "verify/typed.h"
#include <pthread.h>

enum { STEPS_MAX = 40, OUTPUTS_MAX = 64, POOL_MAX = 8 };

/* One simulation: which method, how exact, and what is put in. */
typedef struct job {
  const char *integrator;
  double      tolerance, input;
  trm_system *system;
  trm_options options;  /* of the model */
  trm_sim    *sim;      /* while it runs */
  bool        is_done;
  int         steps;
  uint64_t    digest;   /* of all states and outputs */
  trm_status  status;
  trm_error   err;
} job;

static const job all_jobs[] = {
  {.integrator = "hht", .tolerance = 1e-5, .input = 1.0},
  {.integrator = "bdf", .tolerance = 1e-5, .input = 2.0},
  {.integrator = "alpha", .tolerance = 1e-4, .input = 0.5},
  {.integrator = "radau", .tolerance = 1e-6, .input = -1.0},
  {.integrator = "hht", .tolerance = 1e-7, .input = 1.5},
  {.integrator = "tdg", .tolerance = 1e-4, .input = 0.0},
  {.integrator = "bdf", .tolerance = 1e-3, .input = 1.0},
  {.integrator = "explicit", .tolerance = 1e-6, .input = 3.0},
};
enum { JOBS = sizeof all_jobs / sizeof *all_jobs };

/* FNV-1a */
static inline void digest_add(uint64_t *digest, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) *digest = (*digest ^ bytes[i]) * 1099511628211U;
}

static inline void digest_state(uint64_t *digest, const trm_system *system, const trm_state *s) {
  const trm_sizes *n = trm_system_sizes(system);
  const double *const lists[] = {&s->t, s->q, s->v, s->vd, s->lam, s->mu, s->x, s->w, s->z};
  const int count[] = {1, n->nv + n->nrot, n->nv, n->nv, n->ng, n->na, n->nx, n->nw, n->nz};
  for (size_t l = 0; l < sizeof count / sizeof *count; l++) {
    digest_add(digest, lists[l], (size_t)count[l] * sizeof(double));
  }
}

/* No checks here: cmocka belongs to one thread. */
static inline void job_open(job *j) {
  trm_options o = j->options;
  o.integrator = j->integrator;
  o.formulation = NULL;
  o.has_rho = o.has_alpha = false;
  o.nsteps = 0;
  o.tolerance = j->tolerance;
  j->digest = 14695981039346656037U;
  j->steps = 0;
  j->is_done = false;
  j->status = trm_sim_create(j->system, &o, &j->sim, &j->err);
  if (j->status == TRM_OK && trm_system_count(j->system, TRM_U) > 0) {
    j->status = trm_sim_set_input(j->sim, 0, j->input, 0.0, &j->err);
  }
}

static inline void job_step(job *j) {
  double outputs[OUTPUTS_MAX];
  const size_t noutputs = (size_t)trm_system_count(j->system, TRM_OUTPUT);
  if (j->status != TRM_OK || j->is_done) return;
  j->status = trm_sim_step(j->sim, &j->is_done, &j->err);
  if (j->status == TRM_OK) j->status = trm_sim_outputs(j->sim, outputs, &j->err);
  if (j->status != TRM_OK) return;
  digest_state(&j->digest, j->system, trm_sim_state(j->sim));
  digest_add(&j->digest, outputs, noutputs * sizeof *outputs);
  j->is_done = j->is_done || ++j->steps == STEPS_MAX;
}

static inline void job_close(job *j) {
  trm_sim_free(j->sim);
  j->sim = NULL;
}

/* A whole job, as a thread. */
static inline void *job_run(void *arg) {
  job *j = arg;
  job_open(j);
  while (j->status == TRM_OK && !j->is_done) job_step(j);
  job_close(j);
  return NULL;
}

/* ---- a pool ---------------------------------------------------------------------------------- */

/* The calling thread and count - 1 others take numbers of a loop as they come. */
typedef struct pool {
  pthread_t       threads[POOL_MAX];
  int             count;
  pthread_mutex_t lock;
  pthread_cond_t  begins, ends;
  bool            is_over;
  long            loop;    /* number of the present one */
  int             n, next, left;
  void          (*body)(void *arg, int i);
  void           *arg;
  long            calls;   /* of parallel_for */
} pool;

/* Take numbers until none is left; the lock is held before and after. */
static inline void pool_work(pool *p) {
  while (p->next < p->n) {
    const int i = p->next++;
    pthread_mutex_unlock(&p->lock);
    p->body(p->arg, i);
    pthread_mutex_lock(&p->lock);
    if (--p->left == 0) pthread_cond_broadcast(&p->ends);
  }
}

static inline void *pool_thread(void *arg) {
  pool *p = arg;
  long seen = 0;
  pthread_mutex_lock(&p->lock);
  while (!p->is_over) {
    if (p->loop == seen) {
      pthread_cond_wait(&p->begins, &p->lock);
      continue;
    }
    seen = p->loop;
    pool_work(p);
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

static inline void pool_open(pool *p, int count) {
  *p = (pool){.count = count};
  assert_true(count <= POOL_MAX);
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->begins, NULL);
  pthread_cond_init(&p->ends, NULL);
  for (int i = 1; i < count; i++) {
    assert_int_equal(pthread_create(&p->threads[i], NULL, pool_thread, p), 0);
  }
}

static inline void pool_close(pool *p) {
  pthread_mutex_lock(&p->lock);
  p->is_over = true;
  pthread_cond_broadcast(&p->begins);
  pthread_mutex_unlock(&p->lock);
  for (int i = 1; i < p->count; i++) pthread_join(p->threads[i], NULL);
}

/* trm_parallel_for */
static inline void pool_for(void *self, int n, void (*body)(void *arg, int i), void *arg) {
  pool *p = self;
  pthread_mutex_lock(&p->lock);
  p->calls++;
  p->n = p->left = n;
  p->next = 0;
  p->body = body;
  p->arg = arg;
  p->loop++;
  pthread_cond_broadcast(&p->begins);
  pool_work(p);
  while (p->left > 0) pthread_cond_wait(&p->ends, &p->lock);
  pthread_mutex_unlock(&p->lock);
}

#endif
