/* oscillators.c - masses in a row between two walls, with a closed-form motion.
 *
 * N masses m = 1 kg, N+1 springs (stiffness k) with parallel dampers (c):
 *   eta_j = x_j - x_{j-1},  j = 0 .. N,  x_{-1} = x_N = 0                     (1)
 *   m x_i'' = k (eta_{i+1} - eta_i) + c (eta_{i+1}' - eta_i')                 (2)
 * Mode r = 1 .. N has the shape sin(i r pi/(N+1)), i = 1 .. N, and since the
 * damping is in proportion to the stiffness it moves alone:
 *   w_r^2 = 4 k/m sin^2(r pi/(2 (N+1))),   d_r = w_r^2 c/(2 k)                (3)
 *   a'' + 2 d a' + w^2 a = 0,  a(0) = 1, a'(0) = 0:  with p^2 = |w^2 - d^2|
 *   a = exp(-d t) (cos p t + d/p sin p t), cosh and sinh if d > w             (4)
 * Start at rest in mode 1 with amplitude 1 m and, if N > 1, mode N with .1 m: the
 * slowest and the fastest. The springs are the stiff forces of the system. */
#include "problems/problem.h"
#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846, mass = 1.0; /* [kg] */

typedef struct oscillators {
  trmi_arena arena;
  int n;
  double k, c; /* of each spring [N/m], [N s/m] */
} oscillators;

/* Amplitude of the two modes, and the number of each. */
enum { MODES = 2 };
static const double amplitude[MODES] = {1.0, 0.1};

static int mode_number(const oscillators *p, int mode) {
  return mode == 0 ? 1 : p->n;
}

static int mode_count(const oscillators *p) {
  return p->n > 1 ? MODES : 1;
}

static double shape(const oscillators *p, int mode, int i) {
  return sin((double)(i + 1) * mode_number(p, mode) * pi / (p->n + 1));
}

/* (3), (4) */
static double modal_motion(const oscillators *p, int mode, double t) {
  const double half_wave = sin(0.5 * mode_number(p, mode) * pi / (p->n + 1));
  const double w2 = 4.0 * p->k / mass * half_wave * half_wave;
  const double d = 2.0 * p->c / mass * half_wave * half_wave;
  const double p2 = w2 - d * d, root = sqrt(fabs(p2));
  if (root == 0.0) return exp(-d * t) * (1.0 + d * t);
  if (p2 > 0.0) return exp(-d * t) * (cos(root * t) + d / root * sin(root * t));
  /* exp inside, or cosh overflows */
  return 0.5 * ((1.0 + d / root) * exp((root - d) * t) + (1.0 - d / root) * exp(-(root + d) * t));
}

static double exact(const oscillators *p, int i, double t) {
  double x = 0.0;
  for (int mode = 0; mode < mode_count(p); mode++) {
    x += amplitude[mode] * shape(p, mode, i) * modal_motion(p, mode, t);
  }
  return x;
}

static void sizes(const void *self, trm_sizes *n) {
  const oscillators *p = self;
  *n = (trm_sizes){.nv = p->n, .nstiff = p->n + 1, .noutputs = p->n > 1 ? 2 : 1};
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  const oscillators *p = self;
  char name[24], object[32];
  const int number = list == TRM_OUTPUT && i > 0 ? p->n : i + 1;
  const char *what = list == TRM_Q        ? "x"
                     : list == TRM_V      ? "vx"
                     : list == TRM_OUTPUT ? "exact."
                                          : "spring";
  snprintf(name, sizeof name, "%s%d", what, number);
  snprintf(object, sizeof object, list == TRM_STIFF ? "spring '%d'" : "mass '%d'", number);
  trmi_label(out, name, object, TRM_KIND_METRE, 0.0);
}

static void patterns(const void *self, trm_pattern *p) {
  const oscillators *o = self;
  trmi_pattern_all_given(p);
  for (int i = 0; i < o->n; i++) {
    trm_pattern_entry(p, TRM_M, i, i);
    for (int j = i - 1; j <= i + 1; j++) {
      if (j < 0 || j >= o->n) continue;
      trm_pattern_entry(p, TRM_K, i, j);
      trm_pattern_entry(p, TRM_C, i, j);
    }
    trm_pattern_entry(p, TRM_STIFF_B, i, i);
    trm_pattern_entry(p, TRM_STIFF_B, i, i + 1);
  }
  for (int j = 0; j <= o->n; j++) {
    trm_pattern_entry(p, TRM_STIFF_K, j, j);
    trm_pattern_entry(p, TRM_STIFF_C, j, j);
  }
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  const oscillators *p = self;
  for (int i = 0; i < p->n; i++) s->q[i] = exact(p, i, 0.0);
  return TRM_OK;
}

/* Elongation j of x, (1). */
static double elongation(const oscillators *p, const double *x, int j) {
  return (j < p->n ? x[j] : 0.0) - (j > 0 ? x[j - 1] : 0.0);
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const oscillators *p = self;
  if (out->motion != NULL) { /* (2) */
    for (int i = 0; i < p->n; i++) {
      const double stretch = elongation(p, s->q, i) - elongation(p, s->q, i + 1);
      const double rate = elongation(p, s->v, i) - elongation(p, s->v, i + 1);
      out->motion[i] = mass * s->vd[i] + p->k * stretch + p->c * rate;
    }
  }
  if (out->eta != NULL) {
    for (int j = 0; j <= p->n; j++) out->eta[j] = elongation(p, s->q, j);
  }
  if (out->outputs != NULL) {
    out->outputs[0] = exact(p, 0, s->t);
    if (p->n > 1) out->outputs[1] = exact(p, p->n - 1, s->t);
  }
  if (out->energy != NULL) {
    out->energy[0] = out->energy[1] = out->energy[2] = 0.0;
    for (int i = 0; i < p->n; i++) out->energy[0] += 0.5 * mass * s->v[i] * s->v[i];
    for (int j = 0; j <= p->n; j++) {
      const double eta = elongation(p, s->q, j), rate = elongation(p, s->v, j);
      out->energy[1] += 0.5 * p->k * eta * eta;
      out->energy[2] -= p->c * rate * rate;
      if (out->powers != NULL) out->powers[TRM_POWER_DAMPERS] -= p->c * rate * rate;
    }
  }
  return TRM_OK;
}

/* factor * (2 on the diagonal, -1 next to it), in the order of the pattern */
static void put_rows(const oscillators *p, double factor, double *out) {
  int k = 0;
  for (int i = 0; out != NULL && i < p->n; i++) {
    if (i > 0) out[k++] = -factor;
    out[k++] = 2.0 * factor;
    if (i + 1 < p->n) out[k++] = -factor;
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)err;
  (void)s;
  const oscillators *p = self;
  double *const *b = request->values;
  put_rows(p, p->k, b[TRM_K]);
  put_rows(p, p->c, b[TRM_C]);
  for (int i = 0; i < p->n; i++) {
    if (b[TRM_M] != NULL) b[TRM_M][i] = mass;
    if (b[TRM_STIFF_B] != NULL) {
      b[TRM_STIFF_B][2 * i] = 1.0;
      b[TRM_STIFF_B][2 * i + 1] = -1.0;
    }
  }
  for (int j = 0; j <= p->n; j++) {
    if (b[TRM_STIFF_K] != NULL) b[TRM_STIFF_K][j] = p->k;
    if (b[TRM_STIFF_C] != NULL) b[TRM_STIFF_C][j] = p->c;
  }
  return TRM_OK;
}

static const trm_system_ops ops = {
    .name = "oscillators",
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

enum { MASSES, STIFFNESS, DAMPING, PARAMETERS };

static const trm_parameter parameters[PARAMETERS] = {
    [MASSES] = {"masses", "4", NULL, "number of masses of 1 kg, 1 .. 100000"},
    [STIFFNESS] = {"stiffness", "100", NULL, "of each spring [N/m]"},
    [DAMPING] = {"damping", "0", NULL, "of each spring [N s/m]"},
};
static const trmi_rule rules[PARAMETERS] = {
    [MASSES] = TRMI_COUNT,
    [STIFFNESS] = TRMI_POSITIVE,
    [DAMPING] = TRMI_NOT_NEGATIVE,
};

static trm_status build(const double *value, const trm_allocator *allocator, trm_system_def *def,
                        trm_error *err) {
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(oscillators), &def->self, err));
  oscillators *p = def->self;
  p->n = (int)value[MASSES];
  p->k = value[STIFFNESS];
  p->c = value[DAMPING];
  def->ops = &ops;
  return TRM_OK;
}

const trmi_problem trmi_problem_oscillators = {
    .about = {"oscillators", "masses and springs in a row, with the exact motion as output", 5.0,
              parameters, PARAMETERS},
    .rules = rules,
    .build = build,
};
