/* measures.c - reduces signals over a run on dense output, independent of samples and steps. In a
 * step from t0 to t0 + h the signal y is evaluated at both ends and at the 14 nodes c_i of Gauss'
 * quadrature, with weights b_i on (0, 1):
 *   mean = 1/T int y dt,  rms^2 = 1/T int y^2 dt,  int f dt = h sum b_i f(t0 + c_i h)       (1)
 * exact for polynomials of degree 27: squares of every dense output, whose degree is at most 13.
 * A largest value between nodes is enclosed by its neighbours and found by golden section, whose
 * interval shrinks by
 *   r = (sqrt(5) - 1)/2                                                                     (2)
 * each time; at 1e-8 of a step the value is that of the maximum to rounding. A crossing is found by
 * bisection between two nodes, to the rounding of time.
 * A signal is not an unknown of the integrator: it may change faster than the steps resolve, or
 * have corners and jumps of its own. With Legendre's polynomials P_k on (-1, 1) its series has the
 * coefficients
 *   a_k = (2 k + 1) sum b_i P_k(2 c_i - 1) y(t0 + c_i h)                                   (3)
 * and where one of the last three, k = 11 .. 13, exceeds 1e-5 of the largest value of the step, the
 * step is halved, and its halves likewise, down to 1/4096 of the run or a quarter of the step. */
#include "integ/measures.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GAUSS = 14, NODES = GAUSS + 2, BISECTIONS = 60, TAIL = 11 };
enum { PARTS_OF_RUN = 4096, PARTS_OF_STEP = 4 };
static const double resolved = 1e-5; /* largest permitted part of the last coefficients */

/* clang-format off */
static const double gauss_at[GAUSS] = {
  0.0068580956515938308, 0.035782558168213241, 0.086399342465117504, 0.15635354759415726,
  0.24237568182092295, 0.34044381553605513, 0.44597252564632817, 0.55402747435367183,
  0.65955618446394493, 0.75762431817907705, 0.84364645240584268, 0.91360065753488251,
  0.9642174418317867, 0.99314190434840621};
static const double gauss_weight[GAUSS] = {
  0.01755973016587593, 0.040079043579880104, 0.060759285343951593, 0.078601583579096773,
  0.092769198738968911, 0.1025992318606478, 0.1076319267315789, 0.1076319267315789,
  0.1025992318606478, 0.092769198738968911, 0.078601583579096773, 0.060759285343951593,
  0.040079043579880104, 0.01755973016587593};
/* clang-format on */

/* ---- signals ----------------------------------------------------------------- */

static double signal_of(const trm_sim *sim, const trmi_measure *m, const trm_state *s) {
  switch (m->list) {
  case TRM_Q: return s->q[m->index];
  case TRM_V: return s->v[m->index];
  case TRM_LAM: return s->lam[m->index];
  case TRM_X: return s->x[m->index];
  case TRM_W: return s->w[m->index];
  case TRM_SHOWN: return sim->shown[m->index];
  default: return sim->outputs[m->index];
  }
}

/* sim->outputs and sim->shown of a state. */
static trm_status evaluate(trm_sim *sim, const trm_state *s, trm_error *err) {
  const trm_values out = {.outputs = sim->outputs, .shown = sim->shown};
  const trm_sizes *n = &sim->sys->n;
  if (n->noutputs + n->nshown == 0) return TRM_OK;
  TRMI_TRY(err, trm_system_values(sim->sys, s, &out, err));
  return TRM_OK;
}

/* The state inside the last step, with its outputs. */
static trm_status look(trm_sim *sim, double t, const trm_state **s, trm_error *err) {
  *s = trm_sim_state(sim);
  if (t != (*s)->t) {
    TRMI_TRY(err, sim->ops->interpolate(sim->integ, t, &sim->dense, err));
    *s = &sim->dense;
  }
  return evaluate(sim, *s, err);
}

static trm_status signal_at(trm_sim *sim, const trmi_measure *m, double t, double *y,
                            trm_error *err) {
  const trm_state *s;
  TRMI_TRY(err, look(sim, t, &s, err));
  *y = signal_of(sim, m, s);
  return TRM_OK;
}

/* ---- reductions -------------------------------------------------------------- */

static double sign_of(const trmi_measure *m) {
  return m->reduction == TRMI_MAX ? 1.0 : -1.0;
}

static void take_extreme(trmi_measure *m, double y) {
  if (!(sign_of(m) * (m->value - y) >= 0.0)) m->value = y; /* also the first, after NaN */
}

/* The largest or smallest value between a and b, (2). */
static trm_status search(trm_sim *sim, trmi_measure *m, double a, double b, trm_error *err) {
  const double sign = sign_of(m), r = 0.5 * (sqrt(5.0) - 1.0), width = 1e-8 * (b - a);
  double c = b - r * (b - a), d = a + r * (b - a), yc = 0.0, yd = 0.0;
  TRMI_TRY(err, signal_at(sim, m, c, &yc, err));
  TRMI_TRY(err, signal_at(sim, m, d, &yd, err));
  while (b - a > width && c < d) {
    if (sign * yc > sign * yd) {
      b = d, d = c, yd = yc, c = b - r * (b - a);
      TRMI_TRY(err, signal_at(sim, m, c, &yc, err));
    } else {
      a = c, c = d, yc = yd, d = a + r * (b - a);
      TRMI_TRY(err, signal_at(sim, m, d, &yd, err));
    }
  }
  take_extreme(m, yc);
  take_extreme(m, yd);
  return TRM_OK;
}

static trm_status find_extreme(trm_sim *sim, trmi_measure *m, const double *t, const double *y,
                               trm_error *err) {
  const double sign = sign_of(m);
  for (int k = 0; k < NODES; k++) take_extreme(m, y[k]);
  for (int k = 1; k + 1 < NODES; k++) {
    const double here = sign * y[k], one = sign * y[k - 1], two = sign * y[k + 1];
    if (!(here >= one && here >= two)) continue;
    /* a curve through the three exceeds the middle one by less than this */
    if (here + (here - fmin(one, two)) <= sign * m->value) continue;
    TRMI_TRY(err, search(sim, m, t[k - 1], t[k + 1], err));
  }
  return TRM_OK;
}

/* The time between a and b at which the signal leaves the side of `left`. */
static trm_status bisect(trm_sim *sim, trmi_measure *m, double a, double b, double left,
                         trm_error *err) {
  for (int i = 0; i < BISECTIONS; i++) {
    const double middle = 0.5 * (a + b);
    double now = 0.0;
    if (middle <= a || middle >= b) break;
    TRMI_TRY(err, signal_at(sim, m, middle, &now, err));
    if ((now - m->argument) * left > 0.0) a = middle;
    else b = middle;
  }
  m->value = b;
  return TRM_OK;
}

/* Did an event move the signal onto the level or across it? */
static bool jumps_across(const trmi_measure *m, double y) {
  const double before = m->before - m->argument, after = y - m->argument;
  return before != 0.0 && before * after <= 0.0;
}

/* The first time at which the signal reaches the level from one of its sides. */
static trm_status find_crossing(trm_sim *sim, trmi_measure *m, const double *t, const double *y,
                                trm_error *err) {
  const double level = m->argument;
  if (!isnan(m->value)) return TRM_OK;
  if (jumps_across(m, y[0])) {
    m->value = t[0];
    return TRM_OK;
  }
  for (int k = 0; k + 1 < NODES; k++) {
    const double left = y[k] - level, right = y[k + 1] - level;
    if (left == 0.0 || left * right > 0.0) continue;
    return bisect(sim, m, t[k], t[k + 1], left, err);
  }
  return TRM_OK;
}

static void integrate(trmi_measure *m, double h, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < GAUSS; i++) {
    sum += gauss_weight[i] * (m->reduction == TRMI_RMS ? y[i + 1] * y[i + 1] : y[i + 1]);
  }
  m->integral += h * sum; /* (1) */
  m->span += h;
  m->value = m->integral / m->span;
  if (m->reduction == TRMI_RMS) m->value = sqrt(m->value);
}

static trm_status reduce(trm_sim *sim, trmi_measure *m, const double *t, const double *y,
                         trm_error *err) {
  const double t0 = t[0], t1 = t[NODES - 1];
  switch (m->reduction) {
  case TRMI_MAX: case TRMI_MIN: TRMI_TRY(err, find_extreme(sim, m, t, y, err)); break;
  case TRMI_RMS: case TRMI_MEAN: integrate(m, t1 - t0, y); break;
  case TRMI_CROSSING: TRMI_TRY(err, find_crossing(sim, m, t, y, err)); break;
  case TRMI_VALUE_AT:
    if (m->argument >= t0 && m->argument <= t1) {
      TRMI_TRY(err, signal_at(sim, m, m->argument, &m->value, err));
    }
    break;
  default: m->value = y[NODES - 1]; break;
  }
  m->before = y[NODES - 1];
  return TRM_OK;
}

/* ---- parts of a step ---------------------------------------------------------- */

/* Largest of the last coefficients, (3). */
static double last_coefficient(const double *y) {
  double sum[GAUSS - TAIL] = {0.0}, largest = 0.0;
  for (int i = 0; i < GAUSS; i++) {
    const double x = 2.0 * gauss_at[i] - 1.0;
    double before = 1.0, now = x; /* P_(k-1), P_k */
    for (int k = 1; k < GAUSS; k++) {
      if (k >= TAIL) sum[k - TAIL] += (2 * k + 1) * gauss_weight[i] * now * y[i + 1];
      const double next = ((2 * k + 1) * x * now - k * before) / (k + 1);
      before = now, now = next;
    }
  }
  for (int k = 0; k < GAUSS - TAIL; k++) largest = fmax(largest, fabs(sum[k]));
  return largest;
}

static bool needs_curve(const trmi_measure *m) {
  switch (m->reduction) {
  case TRMI_VALUE_AT: case TRMI_FINAL: return false;
  case TRMI_CROSSING: return isnan(m->value);
  default: return true;
  }
}

static bool is_resolved(const trm_sim *sim) {
  for (int i = 0; i < sim->nmeasures; i++) {
    const trmi_measure *m = &sim->measures[i];
    if (!needs_curve(m)) continue;
    const double tail = last_coefficient(sim->measured + (ptrdiff_t)NODES * i);
    if (tail > resolved * m->largest) return false;
  }
  return true;
}

/* All signals at the nodes between t0 and t1. */
static trm_status read_signals(trm_sim *sim, double t0, double t1, double t[NODES],
                               trm_error *err) {
  t[0] = t0, t[NODES - 1] = t1;
  for (int i = 0; i < GAUSS; i++) t[i + 1] = t0 + gauss_at[i] * (t1 - t0);
  for (int k = 0; k < NODES; k++) {
    const trm_state *s;
    TRMI_TRY(err, look(sim, t[k], &s, err));
    for (int i = 0; i < sim->nmeasures; i++) {
      sim->measured[NODES * i + k] = signal_of(sim, &sim->measures[i], s);
    }
  }
  return TRM_OK;
}

static void find_largest(trm_sim *sim) {
  for (int i = 0; i < sim->nmeasures; i++) {
    trmi_measure *m = &sim->measures[i];
    m->largest = 0.0;
    for (int k = 0; k < NODES; k++) {
      m->largest = fmax(m->largest, fabs(sim->measured[NODES * i + k]));
    }
  }
}

/* Part number `index` of 2^level of the step from t0 to t1; `level_most` halves it no more. */
typedef struct part {
  double t0, t1;
  int    level, level_most;
  long   index;
} part;

static trm_status measure_part(trm_sim *sim, const part *p, trm_error *err) {
  double t[NODES];
  const double width = ldexp(p->t1 - p->t0, -p->level);
  const double from = p->t0 + (double)p->index * width;
  const bool is_last = p->index + 1 == 1L << p->level;
  const double to = is_last ? p->t1 : p->t0 + (double)(p->index + 1) * width;
  TRMI_TRY(err, read_signals(sim, from, to, t, err));
  if (p->level == 0) find_largest(sim);
  if (p->level < p->level_most && !is_resolved(sim)) {
    for (int half = 0; half < 2; half++) {
      part next = *p;
      next.level++;
      next.index = 2 * p->index + half;
      TRMI_TRY(err, measure_part(sim, &next, err));
    }
    return TRM_OK;
  }
  for (int i = 0; i < sim->nmeasures; i++) {
    TRMI_TRY(err, reduce(sim, &sim->measures[i], t, sim->measured + (ptrdiff_t)NODES * i, err));
  }
  return TRM_OK;
}

/* ---- the run ------------------------------------------------------------------ */

trm_status trmi_measures_step(trm_sim *sim, double t0, double t1, trm_error *err) {
  if (sim->nmeasures == 0 || !(t1 > t0)) return TRM_OK;
  const double run = sim->options.end - sim->t_start;
  const double parts = fmin(fmax(PARTS_OF_STEP, PARTS_OF_RUN * (t1 - t0) / run), PARTS_OF_RUN);
  const part whole = {.t0 = t0, .t1 = t1, .level_most = ilogb(parts)};
  return measure_part(sim, &whole, err);
}

trm_status trmi_measures_end(trm_sim *sim, trm_error *err) {
  if (sim->nmeasures == 0) return TRM_OK;
  const trm_state *s = trm_sim_state(sim);
  TRMI_TRY(err, evaluate(sim, s, err));
  for (int i = 0; i < sim->nmeasures; i++) {
    trmi_measure *m = &sim->measures[i];
    const double y = signal_of(sim, m, s);
    if (m->reduction == TRMI_MAX || m->reduction == TRMI_MIN) take_extreme(m, y);
    if (m->reduction == TRMI_FINAL) m->value = y;
    if (m->reduction == TRMI_CROSSING && isnan(m->value) && jumps_across(m, y)) m->value = s->t;
  }
  return TRM_OK;
}

void trmi_measures_visit(trm_sim *sim, trmi_visitor *v) {
  for (int i = 0; i < sim->nmeasures; i++) {
    trmi_measure *m = &sim->measures[i];
    trmi_visit(v, &m->value, sizeof m->value);
    trmi_visit(v, &m->integral, sizeof m->integral);
    trmi_visit(v, &m->span, sizeof m->span);
    trmi_visit(v, &m->before, sizeof m->before);
  }
}

/* ---- public functions ----------------------------------------------------------- */

/* The signal of a name: an output before all others. */
static trm_status find_signal(const trm_sim *sim, const char *name, trmi_measure *m,
                              trm_error *err) {
  static const trm_quantity lists[] = {TRM_OUTPUT, TRM_Q, TRM_V, TRM_X, TRM_W, TRM_SHOWN, TRM_LAM};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    m->list = lists[i];
    m->index = trm_system_find(sim->sys, lists[i], name);
    if (m->index >= 0) return TRM_OK;
  }
  const bool has_outputs = sim->sys->n.noutputs > 0;
  return trmi_sim_find(sim, has_outputs ? TRM_OUTPUT : TRM_Q,
                       has_outputs ? "output" : "output or coordinate", name, &m->index, err);
}

static trm_status check(const trm_sim *sim, const char *name, trm_error *err) {
  if (sim->has_begun) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "measures are added before the run");
  }
  if (sim->nmeasures == TRMI_MEASURES_MAX) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "more than %d measures", TRMI_MEASURES_MAX);
  }
  if (strlen(name) >= TRMI_MEASURE_NAME) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "names of measures have at most %d characters",
                     TRMI_MEASURE_NAME - 1);
  }
  for (int i = 0; i < sim->nmeasures; i++) {
    if (strcmp(sim->measures[i].name, name) != 0) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the measure '%s' is given twice", name);
  }
  return TRM_OK;
}

/* A crossing is a time, all others have the unit of their signal. */
static void set_unit(const trm_sim *sim, trmi_measure *m) {
  trm_label label;
  const char *unit = sim->sys->units.time;
  if (m->reduction != TRMI_CROSSING) {
    trm_system_label(sim->sys, m->list, m->index, &label);
    unit = trm_system_unit(sim->sys, m->list, &label);
  }
  snprintf(m->unit, sizeof m->unit, "%s", unit);
}

/* A level with a unit, in the unit of its signal. */
static trm_status convert_level(const trm_sim *sim, const trmi_measure_text *read, trmi_measure *m,
                                trm_error *err) {
  trm_label label;
  char unit[TRM_UNIT_MAX];
  const trmi_units si = trmi_units_si();
  trmi_dimension dimension = {.is_known = false};
  double factor = 1.0;
  trm_system_label(sim->sys, m->list, m->index, &label);
  snprintf(unit, sizeof unit, "%s", trm_system_unit(sim->sys, m->list, &label));
  for (char *c = unit; *c != '\0'; c++) *c = *c == ' ' ? '*' : *c;
  const size_t length = strlen(unit);
  const bool is_number = length == 0 && trmi_dimension_is_number(read->dimension);
  const bool is_known =
      is_number || (length > 0 && trmi_unit_read(unit, length, &si, &dimension, &factor) == length);
  if (!is_known || (!is_number && !trmi_dimension_agrees(dimension, read->dimension))) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the unit of the level is not that of '%s'%s%s: "
                     "give a number in the units of the model", label.name,
                     length > 0 ? ", " : "", unit);
  }
  m->argument /= factor;
  return TRM_OK;
}

/* Resolve a parsed measure in this simulation. */
static trm_status define(const trm_sim *sim, const char *text, trmi_measure *m, trm_error *err) {
  trmi_measure_text read;
  char fault[TRMI_MEASURE_FAULT], signal[TRMI_MEASURE_NAME];
  if (!trmi_measure_read(text, &read, fault)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s", fault);
  }
  *m = (trmi_measure){.reduction = read.reduction, .argument = read.argument, .value = NAN,
                      .before = NAN};
  const size_t most = sizeof signal - 1;
  snprintf(signal, sizeof signal, "%.*s", (int)(read.length < most ? read.length : most),
           read.signal);
  TRMI_TRY(err, find_signal(sim, signal, m, err));
  set_unit(sim, m);
  if (m->reduction == TRMI_CROSSING && read.is_si) TRMI_TRY(err, convert_level(sim, &read, m, err));
  if (m->reduction != TRMI_VALUE_AT) return TRM_OK;
  const char *unit = sim->sys->units.time;
  if (read.is_si) m->argument /= sim->sys->units.seconds;
  if (m->argument >= sim->t_start && m->argument <= sim->options.end) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s': %g %s is outside of the run, %g to %g %s",
                   text, m->argument, unit, sim->t_start, sim->options.end, unit);
}

trm_status trm_sim_add_measure(trm_sim *sim, const char *name, const char *text, trm_error *err) {
  TRMI_NEED(err, sim, name, text);
  trmi_measure m;
  TRMI_TRY(err, check(sim, name, err));
  TRMI_TRY(err, define(sim, text, &m, err));
  snprintf(m.name, sizeof m.name, "%s", name);
  if (sim->measures == NULL) {
    sim->measures = TRMI_TAKE(&sim->arena, trmi_measure, TRMI_MEASURES_MAX);
    sim->measured = TRMI_TAKE(&sim->arena, double, TRMI_MEASURES_MAX * NODES);
    TRMI_TRY(err, trmi_arena_check(&sim->arena, err));
  }
  sim->measures[sim->nmeasures++] = m;
  return TRM_OK;
}

int trm_sim_measure_count(const trm_sim *sim) {
  return sim != NULL ? sim->nmeasures : 0;
}

const char *trm_sim_measure_name(const trm_sim *sim, int i) {
  return i >= 0 && i < trm_sim_measure_count(sim) ? sim->measures[i].name : "";
}

const char *trm_sim_measure_unit(const trm_sim *sim, int i) {
  return i >= 0 && i < trm_sim_measure_count(sim) ? sim->measures[i].unit : "";
}

double trm_sim_measure(const trm_sim *sim, int i) {
  return i >= 0 && i < trm_sim_measure_count(sim) ? sim->measures[i].value : NAN;
}
