/* pendulum.c - a point mass on a massless rod, in Cartesian coordinates.
 *
 * Coordinate x may be measured in a unit of u metres; X = u x and y are metres,
 * e is the direction of gravity in (X, y):
 *   g = (X^2 + y^2 - l^2)/2 = 0,     G = (u X, y)                           (1)
 *   m u^2 x'' + u X lam = m u gravity e_X,  m y'' + y lam = m gravity e_y   (2)
 *   G v = X X' + y y',    d/dt(G v) - G v' = X'^2 + y'^2                    (3)
 *   potential = -m gravity (e_X X + e_y y)                                  (4)
 * The motion in metres does not depend on u: a test of invariance under units.
 *
 * Two problems share these equations:
 *   pendulum       section 5.1 of [TDG]: x down, y horizontal, start at (l, 0)
 *   unit-pendulum  all data one, y up, start at (1, 0) with velocity (0, .5) */
#include "problems/problem.h"

typedef struct pendulum {
  trmi_arena arena;
  double mass, length;
  double unit;      /* of coordinate x                          [m]     */
  double weight[2]; /* m gravity e                              [N]     */
  double velocity;  /* y' at the start                          [m/s]   */
} pendulum;

static void sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 2, .ng = 1};
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  const pendulum *p = self;
  static const char *const q_names[] = {"x", "y"}, *const v_names[] = {"vx", "vy"};
  const double scale = i == 0 ? 1.0 / p->unit : 1.0;
  switch (list) {
  case TRM_Q: trmi_label(out, q_names[i], "body 'bob'", TRM_KIND_METRE, scale); break;
  case TRM_V: trmi_label(out, v_names[i], "body 'bob'", TRM_KIND_METRE, scale); break;
  case TRM_LAM: trmi_label(out, "lam", "joint 'rod'", TRM_KIND_NEWTON, 0.0); break;
  default: break;
  }
}

static void patterns(const void *self, trm_pattern *p) {
  (void)self;
  trmi_pattern_all_given(p);
  static const trm_block diagonal[] = {TRM_M, TRM_GY_Q};
  static const trm_block row[] = {TRM_G, TRM_GV_Q, TRM_GB_V};
  for (int i = 0; i < 2; i++) {
    for (int b = 0; b < 2; b++) trm_pattern_entry(p, diagonal[b], i, i);
    for (int b = 0; b < 3; b++) trm_pattern_entry(p, row[b], 0, i);
  }
  trm_pattern_node(p, TRM_V, 0, 2);
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  const pendulum *p = self;
  s->q[0] = p->length / p->unit;
  s->v[1] = p->velocity;
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const pendulum *p = self;
  const double m = p->mass, u = p->unit;
  const double X = u * s->q[0], y = s->q[1], vX = u * s->v[0], vy = s->v[1];
  if (out->motion != NULL) { /* (2) */
    out->motion[0] = u * (m * u * s->vd[0] + X * s->lam[0] - p->weight[0]);
    out->motion[1] = m * s->vd[1] + y * s->lam[0] - p->weight[1];
  }
  if (out->g != NULL) out->g[0] = 0.5 * (X * X + y * y - p->length * p->length); /* (1) */
  if (out->g_rate != NULL) out->g_rate[0] = X * vX + y * vy;                     /* (3) */
  if (out->g_bias != NULL) out->g_bias[0] = vX * vX + vy * vy;
  if (out->energy != NULL) {
    out->energy[0] = 0.5 * m * (vX * vX + vy * vy);
    out->energy[1] = -(p->weight[0] * X + p->weight[1] * y); /* (4) */
    out->energy[2] = 0.0;
  }
  return TRM_OK;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)err;
  const pendulum *p = self;
  const double unit2[2] = {p->unit * p->unit, 1.0};
  double *const *b = request->values;
  for (int i = 0; i < 2; i++) {
    if (b[TRM_M] != NULL) b[TRM_M][i] = p->mass * unit2[i];
    if (b[TRM_GY_Q] != NULL) b[TRM_GY_Q][i] = unit2[i] * request->y[0];
    if (b[TRM_G] != NULL) b[TRM_G][i] = unit2[i] * s->q[i];
    if (b[TRM_GV_Q] != NULL) b[TRM_GV_Q][i] = unit2[i] * s->v[i];
    if (b[TRM_GB_V] != NULL) b[TRM_GB_V][i] = 2.0 * unit2[i] * s->v[i];
  }
  return TRM_OK;
}

#define PENDULUM_OPS(called)                                                                       \
  {                                                                                                \
    .name = (called), .sizes = sizes, .label = label, .patterns = patterns, .start = start,        \
    .values = values, .has_power = trmi_problem_without_power, .gives_rates = true,                \
    .blocks = blocks, .shares_self = true, .free = trmi_problem_free,                              \
  }
static const trm_system_ops pendulum_ops = PENDULUM_OPS("pendulum");
static const trm_system_ops unit_pendulum_ops = PENDULUM_OPS("unit-pendulum");

enum { MASS, LENGTH, GRAVITY, VELOCITY, UNIT_X, PARAMETERS };

static const trm_parameter parameters[PARAMETERS] = {
    [MASS] = {"mass", "1", NULL, "mass of the bob [kg]"},
    [LENGTH] = {"length", "0.5", NULL, "length of the rod [m]"},
    [GRAVITY] = {"gravity", "9.81", NULL, "along +x [m/s^2]"},
    [VELOCITY] = {"velocity", "-1.695", NULL, "along y at the start [m/s]"},
    [UNIT_X] = {"unit_x", "m", "m|mm|km", "unit of coordinate x; the motion is the same"},
};
static const trmi_rule rules[PARAMETERS] = {
    [MASS] = TRMI_POSITIVE,
    [LENGTH] = TRMI_POSITIVE,
    [GRAVITY] = TRMI_ANY,
    [VELOCITY] = TRMI_ANY,
};

static trm_status build(const double *value, const trm_allocator *allocator, trm_system_def *def,
                        trm_error *err) {
  static const double units[] = {1.0, 1e-3, 1e3};
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(pendulum), &def->self, err));
  pendulum *p = def->self;
  p->mass = value[MASS];
  p->length = value[LENGTH];
  p->unit = units[(int)value[UNIT_X]];
  p->weight[0] = value[MASS] * value[GRAVITY];
  p->velocity = value[VELOCITY];
  def->ops = &pendulum_ops;
  return TRM_OK;
}

static trm_status build_unit(const double *value, const trm_allocator *allocator,
                             trm_system_def *def, trm_error *err) {
  (void)value;
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(pendulum), &def->self, err));
  pendulum *p = def->self;
  p->mass = p->length = p->unit = 1.0;
  p->weight[1] = -1.0;
  p->velocity = 0.5;
  def->ops = &unit_pendulum_ops;
  return TRM_OK;
}

const trmi_problem trmi_problem_pendulum = {
    .about = {"pendulum", "point mass on a rod, Cartesian coordinates", 10.0, parameters,
              PARAMETERS},
    .rules = rules,
    .build = build,
};

const trmi_problem trmi_problem_unit_pendulum = {
    .about = {"unit-pendulum", "pendulum with mass, length and gravity one", 2.0, NULL, 0},
    .build = build_unit,
};
