/* typed.h - what the tests of typed models share: open a model that is shipped or stands in the
 * test, random states that satisfy its constraints, and the numbers of a state. */
#ifndef TRM_TEST_TYPED_H
#define TRM_TEST_TYPED_H
#include "integ/create.h"
#include "system/consistent.h"
#include "system/system.h"
#include "trammel/model.h"
#include "unit/kit.h"

enum { TYPED_SETTINGS = 6, TYPED_MAX = 170 };

/* A model with its system and the options of its `simulate`. */
typedef struct typed {
  trm_model *model;
  trm_system *system;
  trm_options options;
} typed;

/* The program's cache of reduced meshes, in the folder of the build that CTest names; none where
 * nothing is named. */
static inline const char *typed_cache(void) {
  static char folder[4096];
  const char *home = getenv("XDG_CACHE_HOME");
  if (home == NULL) return NULL;
  snprintf(folder, sizeof folder, "%s/trammel", home);
  return folder;
}

/* Open a text; `settings` end with one without a name; `cache` may be NULL. */
static inline typed typed_open(const char *text, const char *name, const trm_setting *settings,
                               const char *cache) {
  trm_error err = {.message = ""};
  typed m = {.options = trm_options_default()};
  trm_model_source source = {.text = text, .name = name, .has_meshes = true,
                             .settings = settings, .reductions = {.cache = cache}};
  while (settings != NULL && source.nsettings < TYPED_SETTINGS &&
         settings[source.nsettings].name != NULL) {
    source.nsettings++;
  }
  CHECK_OK(trm_model_read(&source, NULL, &m.model, &err), err);
  trm_model_use_plugins(m.model, TRM_PLUGINS_LOADED);
  CHECK_OK(trm_model_create_system(m.model, NULL, &m.system, &err), err);
  trm_model_options(m.model, &m.options);
  return m;
}

static inline typed typed_text(const char *text, const char *name, const trm_setting *settings) {
  return typed_open(text, name, settings, NULL);
}

/* Open a shipped model by its name; its meshes are reduced by the first test that does. */
static inline typed typed_model(const char *name, const trm_setting *settings) {
  const trm_shipped_model *shipped = trm_shipped_model_find(name);
  if (shipped == NULL) fail_msg("no shipped model '%s'", name);
  return typed_open(shipped->text, name, settings, typed_cache());
}

/* A simulation by a method in its usual formulation. */
static inline trm_sim *typed_sim(typed *m, const char *method, double tolerance) {
  m->options.integrator = method;
  m->options.formulation = NULL;
  m->options.tolerance = tolerance;
  return kit_sim(m->system, &m->options);
}

static inline void typed_close(typed *m) {
  trm_system_free(m->system);
  trm_model_free(m->model);
  *m = (typed){0};
}

/* Machines of hundreds of bodies do not fit into `point`, and a matrix of their runs would take
 * hours: tests/cli/test_machine_runs.py checks them instead. */
static inline bool typed_is_large(const char *name) {
  static const char *const large[] = {"belt",  "capstan", "dominoes", "engine",
                                      "stack", "track",   "vehicle"};
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    if (strcmp(large[i], name) == 0) return true;
  }
  return false;
}

/* How much of a shipped model's run is enough for a test of one method. Beams are stiff: explicit
 * would take millions of steps. */
static inline double typed_part(const char *name, const char *integrator) {
  static const struct {
    const char *name;
    double part, part_explicit;
  } parts[] = {{"cantilever-tdg", 0.1, 0.01}, {"spinning-beam", 0.1, 1e-3},
               {"slider-crank-beam", 0.05, 2e-6},
               {"bricard", 0.02, 0.1}, /* later the solver of hht falls back, which takes memory */
               {"slider-crank-modal", 0.05, 1e-3}, {"satellite", 0.02, 2e-3},
               {"flexible-link", 0.05, 1e-3}, {"ladder-frame", 0.02, 1e-5},
               {"four-bars", 0.08, 0.08}, /* before the second singular pose */
               {"geneva", 0.25, 0.01}, {"rattleback", 0.05, 0.01}, /* stiff contacts */
               {"gripper", 0.3, 5e-3},
               {"dominoes", 9e-3, 9e-3}, /* before pairs come near, which takes memory */
               {"spheres", 8e-3, 8e-3}}; /* as there */
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (strcmp(parts[i].name, name) != 0) continue;
    return strcmp(integrator, "explicit") == 0 ? parts[i].part_explicit : parts[i].part;
  }
  return 0.5;
}

/* Options of a model for another method, and a part of its run. */
static inline trm_options typed_options(const typed *m, const char *integrator, double part) {
  trm_options o = m->options;
  const bool is_explicit = strcmp(integrator, "explicit") == 0;
  o.integrator = integrator;
  o.formulation = NULL;
  o.has_rho = o.has_alpha = false;
  o.end *= part;
  if (is_explicit && o.nsteps > 0) o.nsteps = 0, o.tolerance = 1e-6;
  return o;
}

/* A state with room of its own. */
typedef struct point {
  trm_state s;
  double room[11][TYPED_MAX];
} point;

static inline void point_clear(point *p) {
  *p = (point){0};
  double **const lists[11] = {&p->s.q, &p->s.v,  &p->s.vd, &p->s.lam, &p->s.mu, &p->s.x,
                              &p->s.xd, &p->s.w, &p->s.z,  &p->s.u,   &p->s.ud};
  for (int k = 0; k < 11; k++) *lists[k] = p->room[k];
}

/* The assembled start; what is remembered there stays in the system itself. */
static inline void point_start(point *p, trm_system *system) {
  trm_error err = {.message = ""};
  trm_sim *sim = NULL;
  point_clear(p);
  assert_true(trm_system_count(system, TRM_Q) <= TYPED_MAX);
  trm_options o = trm_options_default();
  o.end = 1.0;
  CHECK_OK(trmi_sim_create_in(system, &o, &sim, &err), err);
  trmi_state_copy(system, trm_sim_state(sim), &p->s);
  trm_sim_free(sim);
}

/* Solver of positions, velocities and accelerations of one system. */
typedef struct solver {
  trmi_arena arena;
  trmi_consistent c;
} solver;

static inline void solver_open(solver *v, trm_system *system) {
  trm_error err;
  trmi_arena_init(&v->arena, &(trm_allocator){0});
  CHECK_OK(trmi_consistent_init(&v->c, system, &v->arena, "auto", false, &err), err);
}

static inline void solver_close(solver *v) {
  trmi_consistent_free(&v->c);
  trmi_arena_clear(&v->arena);
}

/* How far random states may lie from the start, times the scales of the coordinates. */
typedef struct spread {
  double q, v, x, t; /* positions, velocities, states; times 0 .. t */
} spread;

/* A random state near `start` that satisfies the constraints and all equations. */
static inline void point_random(point *p, const point *start, solver *v, const spread *by,
                                uint64_t *seed) {
  trm_error err;
  const trm_system *sys = v->c.sys;
  point_clear(p);
  trmi_state_copy(sys, &start->s, &p->s);
  p->s.t = 0.5 * by->t * (1.0 + kit_random(seed));
  double dpi[TYPED_MAX];
  for (int i = 0; i < sys->n.nv; i++) {
    dpi[i] = by->q * sys->scale_v[i] * kit_random(seed);
    p->s.v[i] += by->v * sys->scale_v[i] * kit_random(seed);
  }
  trm_system_retract(sys, p->s.q, dpi, p->s.q);
  for (int i = 0; i < sys->n.nx; i++) p->s.x[i] += by->x * kit_random(seed);
  CHECK_OK(trmi_consistent_positions(&v->c, &p->s, 50, &err), err);
  CHECK_OK(trmi_consistent_velocities(&v->c, &p->s, &err), err);
  CHECK_OK(trmi_consistent_accelerations(&v->c, &p->s, &err), err);
}

static inline double largest(const double *x, int n) {
  double size = 0.0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

#endif
