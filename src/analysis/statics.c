/* statics.c - finds an equilibrium: methods in turn, facts about the result.
 *
 *   Q(q, w) - G^T lam = 0,   g(q) = 0,   w = W,   at rest: v = v' = x' = 0                  (1)
 * Methods: statics_methods.c, statics_path.c. Stability: signs of K on the admissible motions;
 * docs/theory/09-static-modes.md. */
#include "analysis/statics.h"
#include "analysis/linearize.h"
#include "core/gate.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { TAG = 0x57a71c5, DENSE_MAX = 500 };

struct trm_static {
  trmi_operating_point base;
  trmi_statics     search;
  trm_static_facts facts;
};

trm_static_options trm_static_options_default(void) {
  return (trm_static_options){.tag = TAG, .start = NAN};
}

typedef struct method {
  const char *name;
  trm_status (*find)(trmi_statics *st, trm_error *err);
  int  patience;     /* steps in auto; 0: all                        */
  bool is_auto_only; /* the same method is in the list already       */
} method;

/* Newton's method is fast, or tried again at the end. The load path comes before relaxation, which
 * may jump to another branch; load steps that cross gaps come late: they ignore energy and may end
 * at a maximum. */
static const method methods[] = {{"newton", trmi_statics_newton, 20, false},
                                 {"load", trmi_statics_path, 0, false},
                                 {"relaxation", trmi_statics_relax, 0, false},
                                 {"load", trmi_statics_load, 0, false},
                                 {"newton", trmi_statics_newton, 0, true}};
enum { METHODS = sizeof methods / sizeof *methods };

static trm_status check_options(const trm_static_options *options, trm_error *err) {
  if (options == NULL || options->tag != TAG) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "options must come from trm_static_options_default");
  }
  const char *name = options->method;
  bool is_known = name == NULL || strcmp(name, "auto") == 0;
  for (int m = 0; m < METHODS; m++) is_known |= name != NULL && strcmp(name, methods[m].name) == 0;
  if (!is_known) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "'%.40s' is not a method for equilibria: use auto, newton, relaxation or load",
                     name);
  }
  if (options->max_iterations < 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%d iterations are asked for",
                     options->max_iterations);
  }
  return TRM_OK;
}

/* At rest: no velocities, accelerations, rates. */
static void stop(const trm_system *sys, trm_state *s) {
  memset(s->v, 0, (size_t)sys->n.nv * sizeof(double));
  memset(s->vd, 0, (size_t)sys->n.nv * sizeof(double));
  memset(s->xd, 0, (size_t)sys->n.nx * sizeof(double));
}

/* Try the methods in turn; `found` receives the successful one. */
static trm_status search(trmi_statics *st, const char *only, const method **found,
                         trm_error *err) {
  *found = NULL;
  const bool is_auto = only == NULL || strcmp(only, "auto") == 0;
  const int most = st->max_iterations;
  for (int m = 0; m < METHODS && *found == NULL; m++) {
    if (!is_auto && strcmp(only, methods[m].name) != 0) continue;
    if (!is_auto && methods[m].is_auto_only) continue;
    TRMI_TRY(err, trmi_statics_rewind(st, err));
    const int patience = is_auto ? methods[m].patience : 0;
    st->max_iterations = patience > 0 && most > patience ? patience : most;
    const trm_status status = methods[m].find(st, err);
    if (status < 0) return trmi_note(err, __func__, status);
    if (status == TRM_OK) *found = &methods[m];
    bool is_free = false;
    if (st->ran_away) TRMI_TRY(err, trmi_statics_is_free(st, &is_free, err));
    if (is_free) break; /* no method helps */
  }
  return TRM_OK;
}

/* Rounding error of a stiffness whose terms cancel, relative to their sizes. */
static const double nothing = 1e-13;

/* The symmetric part of P, every direction scaled by the size of its own terms: a soft spring next
 * to a stiff one remains a spring, and signs of eigenvalues do not change (Sylvester). */
static void make_own_scales(int n, const double *size, double *P) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double *upper = &P[(size_t)i * (size_t)n + (size_t)j];
      const double sum = *upper + P[(size_t)j * (size_t)n + (size_t)i];
      const double scale = sqrt(size[i]) * sqrt(size[j]);
      *upper = scale > 0.0 ? 0.5 * sum / scale : 0.0;
    }
  }
}

/* Eigenvalues of the stiffness in the directions that are free. */
static trm_status count_directions(trm_static *result, trmi_arena *arena, trm_error *err) {
  const trm_system *sys = result->base.sys;
  trmi_linearized l = {0};
  double *Z = NULL;
  int n = 0;
  TRMI_TRY(err, trmi_linearize(&l, &result->base, err));
  TRMI_TRY(err, trmi_linearized_freedoms(&l, arena, &Z, &n, err));
  const int lwork = 64 * (n + 1);
  double *P = TRMI_TAKE(arena, double, (size_t)n * (size_t)n);
  double *values = TRMI_TAKE(arena, double, n), *work = TRMI_TAKE(arena, double, lwork);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, trmi_linearized_project(&l, trmi_linearized_stiffness, Z, n, arena, P, err));
  double *size = TRMI_TAKE(arena, double, n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < n; i++) {
    size[i] = trmi_linearized_stiffness_size(&l, Z + (size_t)i * (size_t)sys->n.nv);
  }
  make_own_scales(n, size, P);
  if (n > 0 && TRMI_LAPACK(dsyev_work, LAPACK_COL_MAJOR, 'N', 'U', n, P, n, values, work,
                           lwork) != 0) {
    return TRM_OK; /* not known */
  }
  result->facts.neutral = result->facts.unstable = 0;
  for (int i = 0; i < n; i++) {
    if (fabs(values[i]) <= nothing * n) result->facts.neutral++;
    else if (values[i] < 0.0) result->facts.unstable++;
  }
  /* the forces of a controller are constant here, although they may stabilize the model */
  trm_static_facts *facts = &result->facts;
  const bool has_control = sys->n.nx > 0 || sys->n.nw > 0;
  if (has_control && facts->unstable > 0) facts->neutral = facts->unstable = -1;
  return TRM_OK;
}

static trm_status collect_facts(trm_static *result, trm_error *err) {
  trmi_statics *st = &result->search;
  const trm_system *sys = st->sys;
  trm_static_facts *facts = &result->facts;
  for (int i = 0; i < sys->n.nv; i++) {
    facts->unbalanced = fmax(facts->unbalanced, fabs(st->unbalanced[i]));
  }
  const double *g = st->r + sys->n.nv;
  for (int i = 0; i < sys->n.ng; i++) {
    facts->violation = fmax(facts->violation, fabs(g[i]) / sys->scale_g[i]);
  }
  TRMI_TRY(err, trmi_consistent_minimum_norm(&result->base.c, &result->base.s, err));
  trm_system_difference(sys, result->base.s.q, st->first.q, st->displacement);
  for (int i = 0; i < sys->n.nv; i++) facts->moved = fmax(facts->moved, fabs(st->displacement[i]));
  facts->iterations = st->iterations;
  facts->residuals = sys->residuals;
  facts->factorizations = sys->tally.factorizations;
  facts->holds_states = st->holds_states;
  facts->neutral = facts->unstable = -1;
  if (sys->n.nv > DENSE_MAX) return TRM_OK;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &result->base.arena.allocator);
  const trm_status status = count_directions(result, &scratch, err);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}

static trm_status find(trm_static *result, trm_system *system, const trm_static_options *options,
                       trm_error *err) {
  const trmi_operating_point_spec spec = {.from = options->from,
                                          .renews_values = options->renews_values,
                                          .start = options->start,
                                          .solver = options->solver, .lends_mass = true,
                                          .allocator = options->allocator};
  TRMI_TRY(err, trmi_operating_point_open(&result->base, system, &spec, err));
  const trm_system *sys = result->base.sys;
  trmi_statics *st = &result->search;
  *st = (trmi_statics){.base = &result->base, .sys = result->base.sys,
                       .solver = options->solver != NULL ? options->solver : "auto",
                       .should_stop = options->should_stop,
                       .should_stop_self = options->should_stop_self,
                       .max_iterations = options->max_iterations > 0 ? options->max_iterations
                                                                     : 2000};
  TRMI_TRY(err, trmi_statics_take(st, &result->base.arena, err));
  stop(sys, &result->base.s);
  trmi_state_copy(sys, &result->base.s, &st->first);
  const method *found = NULL;
  TRMI_TRY(err, trmi_statics_build(st, false, err));
  TRMI_TRY(err, search(st, options->method, &found, err));
  if (found == NULL && sys->n.nx > 0) {
    TRMI_TRY(err, trmi_statics_build(st, true, err));
    TRMI_TRY(err, search(st, options->method, &found, err));
  }
  if (found == NULL) return trmi_statics_blame(st, err);
  result->facts.method = found->name;
  TRMI_TRY(err, collect_facts(result, err));
  result->base.sys->lent_mass = NULL; /* other analyses about this state need the true one */
  return TRM_OK;
}

trm_status trm_static_find(trm_system *system, const trm_static_options *options,
                           trm_static **out, trm_error *err) {
  TRMI_NEED(err, out);
  *out = NULL;
  TRMI_NEED(err, system);
  TRMI_TRY(err, check_options(options, err));
  trm_static *result = trmi_allocate(&options->allocator, sizeof *result);
  if (result == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for an "
                                                                  "equilibrium");
  *result = (trm_static){0};
  trm_error own = {.status = TRM_OK}; /* on success the caller's error is unchanged */
  const trm_status status = trmi_operating_point_final(&own, find(result, system, options, &own));
  if (status != TRM_OK) {
    if (status != TRM_ERR_INPUT) trmi_note_time(&own, result->base.s.t, NAN, status);
    trm_static_free(result);
    if (err != NULL) *err = own;
    return trmi_note(err, __func__, status);
  }
  *out = result;
  return TRM_OK;
}

const trm_state *trm_static_state(const trm_static *result) {
  if (result == NULL) return NULL;
  return &result->base.s;
}

trm_system *trm_static_system(const trm_static *result) {
  if (result == NULL) return NULL;
  return result->base.sys;
}

const trm_static_facts *trm_static_facts_of(const trm_static *result) {
  if (result == NULL) return NULL;
  return &result->facts;
}

void trm_static_free(trm_static *result) {
  if (result == NULL) return;
  const trm_allocator allocator = result->base.arena.allocator;
  if (result->search.has_matrix) trmi_matrix_free(&result->search.matrix);
  trmi_arena_clear(&result->search.arena);
  trmi_operating_point_close(&result->base);
  trmi_release(&allocator, result);
}
