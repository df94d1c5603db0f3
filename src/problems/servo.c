/* servo.c - a pendulum that follows a reference by a force controller, written
 * with everything a controller may do: an implicit filter, variables with an
 * algebraic loop, feedback of acceleration and of a reaction force.
 *
 * Bob at (x, y), y up, rod of length l; r(t) = amplitude sin(2 t), load =
 * lam l/(m gravity), which is 1 at rest, a_t = (x y'' - y x'')/l:
 *   g = (x^2 + y^2 - l^2)/2,   m x'' + x lam = F w1 (1 + k_s s1) - c x'
 *                              m y'' + y lam = -m gravity - c y'              (1)
 *   filter of the load, nonlinear in its rate, corrected by the accelerometer:
 *     0 = T s1' + b s1'^3 + s1 - load - k_a w2                                (2)
 *   integral of the error, which slows down as it grows:
 *     0 = (1 + s2^2) s2' + s2/T2 - (r - x)/l + k_v x' - k_m x''/gravity       (3)
 *   amplifier, with itself in a loop:
 *     w1 = gain (r - x)/l + k_i s2 - k_d x' - k_t tanh(w1) + k_w w2           (4)
 *   accelerometer along the path, disturbed by the filter and by the load:
 *     w2 = a_t/gravity + k_f s1' + k_l load - k_0 s1                          (5)
 * 1 - dW1/dw1 = 1 + k_t/cosh^2(w1) > 1 and T > k_a k_f: (2) to (5) always have
 * one solution. Data are ours, chosen for a smooth motion of a few tenths of l. */
#include "problems/problem.h"
#include <math.h>
#include <string.h>

static const double mass = 1.0, length = 1.0, gravity = 9.81; /* [kg], [m], [m/s^2] */
static const double force = 4.0;                              /* F [N]              */
static const double drag = 0.2;                               /* c [N s/m]          */
static const double T = 0.1, T2 = 2.0;                        /* [s]                */
static const double b = 1e-3;                                 /* [s^3]              */
static const double k_s = 0.1, k_a = 0.05, k_v = 0.2, k_m = 0.1, k_i = 0.8, k_d = 0.5, k_t = 0.4,
                    k_w = 0.15, k_f = 0.1, k_l = 0.2, k_0 = 0.2;

typedef struct servo {
  trmi_arena arena;
  double gain;
  double amplitude; /* of the reference [m] */
} servo;

static void sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 2, .ng = 1, .nx = 2, .nw = 2, .noutputs = 1};
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  (void)self;
  static const char *const q_names[] = {"x", "y"}, *const v_names[] = {"vx", "vy"};
  switch (list) {
  case TRM_Q: trmi_label(out, q_names[i], "body 'bob'", TRM_KIND_METRE, 0.0); break;
  case TRM_V: trmi_label(out, v_names[i], "body 'bob'", TRM_KIND_METRE, 0.0); break;
  case TRM_LAM: trmi_label(out, "lam", "joint 'rod'", TRM_KIND_NEWTON, 0.0); break;
  case TRM_X:
    trmi_label(out, i == 0 ? "s1" : "s2", i == 0 ? "state 's1' (filter)" : "state 's2' (integral)",
               TRM_KIND_STATE, 0.0);
    break;
  case TRM_W:
    trmi_label(out, i == 0 ? "w1" : "w2",
               i == 0 ? "variable 'w1' (amplifier)" : "variable 'w2' (accelerometer)",
               TRM_KIND_NONE, 0.0);
    break;
  case TRM_OUTPUT: trmi_label(out, "reference", "output 'reference'", TRM_KIND_METRE, 0.0); break;
  default: break;
  }
}

/* All entries of all blocks, in the order in which they are filled below. */
static void patterns(const void *self, trm_pattern *p) {
  (void)self;
  static const struct {
    trm_block block;
    int row, col;
  } entries[] = {
      {TRM_M, 0, 0},    {TRM_M, 1, 1},     {TRM_C, 0, 0},     {TRM_C, 1, 1},    {TRM_Q_X, 0, 0},
      {TRM_Q_W, 0, 0},  {TRM_G, 0, 0},     {TRM_G, 0, 1},     {TRM_GY_Q, 0, 0}, {TRM_GY_Q, 1, 1},
      {TRM_GV_Q, 0, 0}, {TRM_GV_Q, 0, 1},  {TRM_GB_V, 0, 0},  {TRM_GB_V, 0, 1}, {TRM_D_XD, 0, 0},
      {TRM_D_XD, 1, 1}, {TRM_D_X, 0, 0},   {TRM_D_X, 1, 1},   {TRM_D_Q, 1, 0},  {TRM_D_V, 1, 0},
      {TRM_D_VD, 1, 0}, {TRM_D_LAM, 0, 0}, {TRM_D_W, 0, 1},   {TRM_W_Q, 0, 0},  {TRM_W_Q, 1, 0},
      {TRM_W_Q, 1, 1},  {TRM_W_V, 0, 0},   {TRM_W_VD, 1, 0},  {TRM_W_VD, 1, 1}, {TRM_W_X, 0, 1},
      {TRM_W_X, 1, 0},  {TRM_W_XD, 1, 0},  {TRM_W_LAM, 1, 0}, {TRM_W_W, 0, 0},  {TRM_W_W, 0, 1},
  };
  trmi_pattern_all_given(p);
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    trm_pattern_entry(p, entries[i].block, entries[i].row, entries[i].col);
  }
  trm_pattern_node(p, TRM_V, 0, 2);
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self;
  (void)err;
  s->q[0] = length * sin(0.3);
  s->q[1] = -length * cos(0.3);
  s->x[0] = 1.0;
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const servo *p = self;
  const double x = s->q[0], y = s->q[1], vx = s->v[0], vy = s->v[1];
  const double reference = p->amplitude * sin(2.0 * s->t), error = (reference - x) / length;
  if (out->motion != NULL) { /* (1) */
    const double lam = s->lam[0], push = force * s->w[0] * (1.0 + k_s * s->x[0]);
    out->motion[0] = mass * s->vd[0] + x * lam - push + drag * vx;
    out->motion[1] = mass * s->vd[1] + y * lam + mass * gravity + drag * vy;
  }
  if (out->g != NULL) out->g[0] = 0.5 * (x * x + y * y - length * length);
  if (out->g_rate != NULL) out->g_rate[0] = x * vx + y * vy;
  if (out->g_bias != NULL) out->g_bias[0] = vx * vx + vy * vy;
  if (out->d != NULL) { /* (2), (3) */
    const double load = s->lam[0] * length / (mass * gravity), rate = s->xd[0], s2 = s->x[1];
    out->d[0] = T * rate + b * rate * rate * rate + s->x[0] - load - k_a * s->w[1];
    out->d[1] = (1.0 + s2 * s2) * s->xd[1] + s2 / T2 - error + k_v * vx - k_m * s->vd[0] / gravity;
  }
  if (out->w != NULL) { /* (4), (5) */
    const double load = s->lam[0] * length / (mass * gravity);
    const double a_t = (x * s->vd[1] - y * s->vd[0]) / length;
    out->w[0] = s->w[0] -
                (p->gain * error + k_i * s->x[1] - k_d * vx - k_t * tanh(s->w[0]) + k_w * s->w[1]);
    out->w[1] = s->w[1] - (a_t / gravity + k_f * s->xd[0] + k_l * load - k_0 * s->x[0]);
  }
  if (out->outputs != NULL) out->outputs[0] = reference;
  if (out->energy != NULL) {
    out->energy[0] = 0.5 * mass * (vx * vx + vy * vy);
    out->energy[1] = mass * gravity * y;
    out->energy[2] = force * s->w[0] * (1.0 + k_s * s->x[0]) * vx - drag * (vx * vx + vy * vy);
  }
  return TRM_OK;
}

/* Writes the entries of a block, if it is wanted. */
static void put(const trm_block_request *request, trm_block block, int n, const double *entries) {
  if (request->values[block] == NULL) return;
  memcpy(request->values[block], entries, (size_t)n * sizeof *entries);
}

static void motion_blocks(const trm_state *s, const trm_block_request *request) {
  const double *q = s->q, *v = s->v, w1 = s->w[0], s1 = s->x[0];
  put(request, TRM_M, 2, (const double[]){mass, mass});
  put(request, TRM_C, 2, (const double[]){drag, drag});
  put(request, TRM_Q_X, 1, (const double[]){force * w1 * k_s});
  put(request, TRM_Q_W, 1, (const double[]){force * (1.0 + k_s * s1)});
  put(request, TRM_G, 2, q);
  if (request->y != NULL) put(request, TRM_GY_Q, 2, (const double[]){request->y[0], request->y[0]});
  put(request, TRM_GV_Q, 2, v);
  put(request, TRM_GB_V, 2, (const double[]){2.0 * v[0], 2.0 * v[1]});
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)err;
  const servo *p = self;
  const double rate = s->xd[0], s2 = s->x[1], load_lam = length / (mass * gravity);
  const double along = 1.0 / (length * gravity), slope = 1.0 / cosh(s->w[0]);
  motion_blocks(s, request);
  put(request, TRM_D_XD, 2, (const double[]){T + 3.0 * b * rate * rate, 1.0 + s2 * s2});
  put(request, TRM_D_X, 2, (const double[]){1.0, 2.0 * s2 * s->xd[1] + 1.0 / T2});
  put(request, TRM_D_Q, 1, (const double[]){1.0 / length});
  put(request, TRM_D_V, 1, (const double[]){k_v});
  put(request, TRM_D_VD, 1, (const double[]){-k_m / gravity});
  put(request, TRM_D_LAM, 1, (const double[]){-load_lam});
  put(request, TRM_D_W, 1, (const double[]){-k_a});
  put(request, TRM_W_Q, 3,
      (const double[]){-p->gain / length, along * s->vd[1], -along * s->vd[0]});
  put(request, TRM_W_V, 1, (const double[]){-k_d});
  put(request, TRM_W_VD, 2, (const double[]){-along * s->q[1], along * s->q[0]});
  put(request, TRM_W_X, 2, (const double[]){k_i, -k_0});
  put(request, TRM_W_XD, 1, (const double[]){k_f});
  put(request, TRM_W_LAM, 1, (const double[]){k_l * load_lam});
  put(request, TRM_W_W, 2, (const double[]){-k_t * slope * slope, k_w});
  return TRM_OK;
}

static const trm_system_ops ops = {
    .name = "servo",
    .sizes = sizes,
    .label = label,
    .patterns = patterns,
    .start = start,
    .values = values,
    .gives_rates = true,
    .blocks = blocks,
    .shares_self = true,
    .free = trmi_problem_free,
};

enum { GAIN, AMPLITUDE, PARAMETERS };

static const trm_parameter parameters[PARAMETERS] = {
    [GAIN] = {"gain", "3", NULL, "of the amplifier [-]"},
    [AMPLITUDE] = {"amplitude", "0.3", NULL, "of the reference position [m]"},
};
static const trmi_rule rules[PARAMETERS] = {[GAIN] = TRMI_ANY, [AMPLITUDE] = TRMI_ANY};

static trm_status build(const double *value, const trm_allocator *allocator, trm_system_def *def,
                        trm_error *err) {
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(servo), &def->self, err));
  servo *p = def->self;
  p->gain = value[GAIN];
  p->amplitude = value[AMPLITUDE];
  def->ops = &ops;
  return TRM_OK;
}

const trmi_problem trmi_problem_servo = {
    .about = {"servo", "pendulum with an implicit controller and an algebraic loop", 2.0,
              parameters, PARAMETERS},
    .rules = rules,
    .build = build,
};
