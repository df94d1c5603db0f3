/* assembled.h - a mechanism put together of contributors in a test, without a model file. */
#ifndef TRM_TEST_ASSEMBLED_H
#define TRM_TEST_ASSEMBLED_H
#include "assembly/assembly.h"
#include "elements/body/bodies.h"
#include "system/system.h"
#include "unit/kit.h"

enum { ASSEMBLED_BODIES = 16, ASSEMBLED_LINKS = 16, ASSEMBLED_PAIRS = 16 };

typedef struct assembled {
  trmi_assembly *a;
  trmi_carriers *carriers; /* with room for markers that map, too */
  trmi_bodies   *bodies;
  trm_system    *system;   /* from assembled_close on */
} assembled;

static inline assembled assembled_open(const char *name, trmi_vec3 gravity) {
  const trm_system_def def = trm_system_def_default();
  assembled m = {.a = trmi_assembly_create(&def.allocator, name)};
  assert_non_null(m.a);
  m.carriers = trmi_carriers_create(&m.a->arena, 2 * ASSEMBLED_BODIES);
  assert_non_null(m.carriers);
  m.bodies = trmi_bodies_create(m.a, m.carriers, ASSEMBLED_BODIES, gravity);
  assert_non_null(m.bodies);
  return m;
}

/* Take `count` numbers of a list, named "name0", "name1" .. */
static inline int assembled_claim(assembled *m, trm_quantity list, const char *name, int count) {
  trm_label labels[16] = {{.name = ""}};
  assert_true(count <= 16);
  for (int i = 0; i < count; i++) {
    snprintf(labels[i].name, sizeof labels[i].name, "%.30s%d", name, i);
    snprintf(labels[i].object, sizeof labels[i].object, "'%.30s'", name);
  }
  const int first = trmi_assembly_claim(m->a, list, labels, count);
  assert_true(first >= 0);
  return first;
}

/* A rigid body, or a point (J NULL), at x with velocity v; its carrier. */
static inline int assembled_body(assembled *m, const char *name, double mass, const double *J,
                                 const double *q0, const double *v0) {
  const trmi_carrier_kind kind = J != NULL ? TRMI_CARRIER_BODY : TRMI_CARRIER_POINT;
  trmi_body_part part = {.kind = kind, .q0 = q0, .v0 = v0};
  part.inertia = J != NULL ? trmi_inertia_make(mass, v3(0, 0, 0), J)
                           : (trmi_inertia){.kind = TRMI_INERTIA_POINT, .mass = mass};
  part.q = assembled_claim(m, TRM_Q, name, kind == TRMI_CARRIER_BODY ? 7 : 3);
  part.v = assembled_claim(m, TRM_V, name, (int)kind);
  if (kind == TRMI_CARRIER_BODY) trmi_assembly_rotation(m->a, part.v + 3);
  return trmi_bodies_add(m->bodies, &part);
}

static inline void assembled_close(assembled *m) {
  trm_error err = {.message = ""};
  trm_system_def def = trm_system_def_default();
  CHECK_OK(trmi_assembly_seal(m->a, &def, &err), err);
  CHECK_OK(trm_system_create(&def, &m->system, &err), err);
}

/* The start with everything moved by random numbers, from an arena of the caller. */
static inline trm_state assembled_state(assembled *m, trmi_arena *arena, uint64_t *seed) {
  trm_error err = {.message = ""};
  trm_state s = {.t = 0.7};
  double dpi[100];
  const trm_sizes *n = &m->system->n;
  assert_true(n->nv <= 100);
  trmi_state_take(m->system, arena, &s);
  assert_false(arena->failed);
  CHECK_OK(trmi_system_start(m->system, &s, &err), err);
  for (int i = 0; i < n->nv; i++) {
    dpi[i] = 0.3 * kit_random(seed);
    s.v[i] = kit_random(seed);
    s.vd[i] = kit_random(seed);
  }
  trm_system_retract(m->system, s.q, dpi, s.q);
  for (int i = 0; i < n->ng; i++) s.lam[i] = kit_random(seed);
  for (int i = 0; i < n->na; i++) s.mu[i] = kit_random(seed);
  return s;
}

/* All blocks against central differences at a state. */
static inline void assembled_check_blocks(assembled *m, const trm_state *s) {
  trm_block_check worst[TRM_BLOCKS];
  trm_error err = {.message = ""};
  CHECK_OK(trm_system_check_blocks(m->system, s, worst, &err), err);
  for (int k = 0; k < TRM_BLOCKS; k++) {
    /* central differences with a step of 6e-6 on numbers of size one to ten: 1e-10 each way */
    CHECK_NEAR(worst[k].error, 0.0, 1e-8, "block %s (%d, %d): given %.9g, difference %.9g",
               trm_block_name((trm_block)k), worst[k].row, worst[k].col, worst[k].given,
               worst[k].difference);
  }
}

/* Numbers of a system along its motion, a time h away from s: x = x0 + h v + h^2/2 v'. */
typedef struct assembled_values {
  double g[16], g_rate[16], g_bias[16], motion[100], energy[3];
} assembled_values;

static inline void assembled_ahead(assembled *m, const trm_state *s, double h,
                                   assembled_values *out) {
  trm_error err = {.message = ""};
  trmi_arena arena;
  trm_state ahead = {.t = s->t + h};
  double dpi[100];
  const int nv = m->system->n.nv;
  trmi_arena_init(&arena, &m->system->arena.allocator);
  trmi_state_take(m->system, &arena, &ahead);
  assert_false(arena.failed);
  trmi_state_copy(m->system, s, &ahead);
  ahead.t = s->t + h;
  for (int i = 0; i < nv; i++) {
    dpi[i] = h * (s->v[i] + 0.5 * h * s->vd[i]);
    ahead.v[i] += h * s->vd[i];
  }
  trm_system_retract(m->system, s->q, dpi, ahead.q);
  const trm_values values = {.g = out->g, .g_rate = out->g_rate, .g_bias = out->g_bias,
                             .motion = out->motion, .energy = out->energy};
  CHECK_OK(trm_system_values(m->system, &ahead, &values, &err), err);
  trmi_arena_clear(&arena);
}

/* g' = G v + g_t, and (G v + g_t)' = G v' + bias, by differences along the motion. */
static inline void assembled_check_rates(assembled *m, const trm_state *s) {
  static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
  const double h = 1e-4;
  static assembled_values at[4], here;
  const trm_sizes *n = &m->system->n;
  trm_error err = {.message = ""};
  for (int k = 0; k < 4; k++) assembled_ahead(m, s, steps[k] * h, &at[k]);
  assembled_ahead(m, s, 0.0, &here);
  CHECK_OK(trmi_system_rows(m->system, s, &err), err);
  double product[16] = {0.0};
  trmi_sparse_add_mul(&m->system->block[TRM_G], 1.0, s->vd, product);
  for (int i = 0; i < n->ng; i++) {
    const double g[4] = {at[0].g[i], at[1].g[i], at[2].g[i], at[3].g[i]};
    const double rate[4] = {at[0].g_rate[i], at[1].g_rate[i], at[2].g_rate[i], at[3].g_rate[i]};
    /* h^4 f^(5)/30 + 1e-16/h: 1e-12 on numbers of size one to ten */
    CHECK_NEAR(kit_slope(g, h), here.g_rate[i], 1e-10, "rate of row %d", i);
    CHECK_NEAR(kit_slope(rate, h), here.g_bias[i] + product[i], 1e-10, "bias of row %d", i);
  }
}

#endif
