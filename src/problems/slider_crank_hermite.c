/* slider_crank_hermite.c - rigid crank driven by a torque, rod of k Hermite elements, block;
 * section 4.3 of [ALPHA].
 *
 * Coordinates (phi1, phi2, x3, w), phi2 the angle of the line from pin to pin, w the free nodal
 * values of a simply supported beam: theta0, w1, theta1, .., thetak. d = phi1 - phi2, B the mass
 * matrix of the beam, K its stiffness, c = int N dm, e = int x N dm, a = m2 l2/2, S = c.w:
 *   M11 = J1 + m2 l1^2,  M22 = J2 + w.B w,  M33 = m3,  M12 = l1 (a cos d + S sin d)      (1)
 *   M1w = l1 cos d c,    M2w = e,           Mww = B                                      (2)
 *   Q1  = torque - l1 (phi2'^2 (a sin d - S cos d) + 2 phi2' sin d S')                   (3)
 *   Q2  = l1 phi1'^2 (a sin d - S cos d) - 2 phi2' w'.B w                                (4)
 *   Qw  = l1 sin d phi1'^2 c + phi2'^2 B w - K w                                         (5)
 *   g   = (l1 sin phi1 + l2 sin phi2, x3 - l1 cos phi1 - l2 cos phi2)                    (6)
 * The torque, 0.2 N m, ends at 0.3 s: an event. The paper measures w from the tangent at the
 * crank pin and does not say what carries the beam; a line from pin to pin gives its largest
 * frequency (1.3e4 Hz) with k = 4. E = 2e11 N/m^2. */
#include "problems/problem.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BAND = 3, FIRST = 3 }; /* half the band of the beam; first nodal coordinate */

static const double l1 = 0.15, l2 = 0.30;             /* [m]      */
static const double J1 = 0.002727, J2 = 0.0045339259; /* [kg m^2] */
static const double m2 = 0.151104, m3 = 0.075552;     /* [kg]     */
static const double height = 0.008, width = 0.008;    /* [m]      */
static const double density = 7870.0, young = 2e11;   /* [kg/m^3], [N/m^2] */
static const double push_end = 0.3;                   /* [s]      */

typedef struct rod {
  trmi_arena arena;
  double torque;          /* up to push_end                [N m]                 */
  int     k, n;           /* elements; nodal coordinates, 2k                     */
  double *B, *K;          /* rows of 2 BAND + 1 numbers     [n (2 BAND + 1)]     */
  double *c, *e;          /* [n]                                                 */
  double *Bw, *Bwd, *Kw;  /* scratch                        [n]                  */
  double *Mv;             /* scratch                        [3 + n]              */
} rod;

/* Terms that the equations share at one state. */
typedef struct pose {
  const double *w, *wd;
  double s, c;     /* sin d, cos d        */
  double S, Sd;    /* c.w, c.w'           */
  double swing;    /* a sin d - S cos d   */
  double swing_d;  /* its derivative by d */
  double p1, p2;   /* phi1', phi2'        */
  double wBw, wBwd;
} pose;

/* --- the beam ---------------------------------------------------------------------- */

/* y = band matrix times x */
static void multiply(const rod *p, const double *band, const double *x, double *y) {
  for (int i = 0; i < p->n; i++) {
    const double *row = band + (size_t)i * (2 * BAND + 1) + BAND - i;
    const int low = i > BAND ? i - BAND : 0, high = i + BAND < p->n ? i + BAND : p->n - 1;
    double sum = 0.0;
    for (int j = low; j <= high; j++) sum += row[j] * x[j];
    y[i] = sum;
  }
}

/* Number of a nodal value of the free beam among ours, or -1: both ends stay on the line. */
static int place_of(const rod *p, int full) {
  if (full == 0 || full == 2 * p->k) return -1;
  return full < 2 * p->k ? full - 1 : p->n - 1;
}

static void add_element(rod *p, int element) {
  const double L = l2 / p->k, A = width * height, I = width * height * height * height / 12.0;
  const double stiff = young * I / (L * L * L), heavy = density * A * L / 420.0;
  const double Ke[4][4] = {{12, 6 * L, -12, 6 * L},
                           {6 * L, 4 * L * L, -6 * L, 2 * L * L},
                           {-12, -6 * L, 12, -6 * L},
                           {6 * L, 2 * L * L, -6 * L, 4 * L * L}};
  const double Me[4][4] = {{156, 22 * L, 54, -13 * L},
                           {22 * L, 4 * L * L, 13 * L, -3 * L * L},
                           {54, 13 * L, 156, -22 * L},
                           {-13 * L, -3 * L * L, -22 * L, 4 * L * L}};
  const double N[4] = {L / 2, L * L / 12, L / 2, -L * L / 12};
  const double xN[4] = {3 * L * L / 20, L * L * L / 30, 7 * L * L / 20, -L * L * L / 20};
  for (int i = 0; i < 4; i++) {
    const int row = place_of(p, 2 * element + i);
    if (row < 0) continue;
    p->c[row] += density * A * N[i];
    p->e[row] += density * A * (element * L * N[i] + xN[i]);
    for (int j = 0; j < 4; j++) {
      const int col = place_of(p, 2 * element + j);
      if (col < 0) continue;
      const size_t at = (size_t)row * (2 * BAND + 1) + (size_t)(col - row + BAND);
      p->K[at] += stiff * Ke[i][j];
      p->B[at] += heavy * Me[i][j];
    }
  }
}

/* --- equations ----------------------------------------------------------------------- */

static double dot(const double *a, const double *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static pose pose_of(rod *p, const trm_state *s) {
  const double d = s->q[0] - s->q[1], a = 0.5 * m2 * l2;
  pose o = {.w = s->q + FIRST, .wd = s->v + FIRST, .s = sin(d), .c = cos(d), .p1 = s->v[0],
            .p2 = s->v[1]};
  multiply(p, p->B, o.w, p->Bw);
  multiply(p, p->B, o.wd, p->Bwd);
  o.S = dot(p->c, o.w, p->n);
  o.Sd = dot(p->c, o.wd, p->n);
  o.swing = a * o.s - o.S * o.c;
  o.swing_d = a * o.c + o.S * o.s;
  o.wBw = dot(o.w, p->Bw, p->n);
  o.wBwd = dot(o.w, p->Bwd, p->n);
  return o;
}

/* M u, (1), (2) */
static void inertia(rod *p, const pose *o, const double *u, double *out) {
  const double *uw = u + FIRST, M12 = l1 * o->swing_d;
  out[0] = (J1 + m2 * l1 * l1) * u[0] + M12 * u[1] + l1 * o->c * dot(p->c, uw, p->n);
  out[1] = M12 * u[0] + (J2 + o->wBw) * u[1] + dot(p->e, uw, p->n);
  out[2] = m3 * u[2];
  multiply(p, p->B, uw, out + FIRST);
  for (int i = 0; i < p->n; i++) out[FIRST + i] += l1 * o->c * p->c[i] * u[0] + p->e[i] * u[1];
}

static void motion(rod *p, const pose *o, const trm_state *s, double *out) {
  const double s1 = sin(s->q[0]), c1 = cos(s->q[0]), s2 = sin(s->q[1]), c2 = cos(s->q[1]);
  inertia(p, o, s->vd, out);
  multiply(p, p->K, o->w, p->Kw);
  out[0] -= s->z[0] - l1 * (o->p2 * o->p2 * o->swing + 2.0 * o->p2 * o->s * o->Sd); /* (3) */
  out[1] -= l1 * o->p1 * o->p1 * o->swing - 2.0 * o->p2 * o->wBwd;                  /* (4) */
  for (int i = 0; i < p->n; i++) {                                                  /* (5) */
    out[FIRST + i] -= l1 * o->s * o->p1 * o->p1 * p->c[i] + o->p2 * o->p2 * p->Bw[i] - p->Kw[i];
  }
  out[0] += l1 * (c1 * s->lam[0] + s1 * s->lam[1]);
  out[1] += l2 * (c2 * s->lam[0] + s2 * s->lam[1]);
  out[2] += s->lam[1];
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  rod *p = self;
  const double s1 = sin(s->q[0]), c1 = cos(s->q[0]), s2 = sin(s->q[1]), c2 = cos(s->q[1]);
  const double v1 = s->v[0], v2 = s->v[1];
  if (out->g != NULL) {
    out->g[0] = l1 * s1 + l2 * s2;
    out->g[1] = s->q[2] - l1 * c1 - l2 * c2;
  }
  if (out->g_rate != NULL) {
    out->g_rate[0] = l1 * c1 * v1 + l2 * c2 * v2;
    out->g_rate[1] = s->v[2] + l1 * s1 * v1 + l2 * s2 * v2;
  }
  if (out->g_bias != NULL) {
    out->g_bias[0] = -l1 * s1 * v1 * v1 - l2 * s2 * v2 * v2;
    out->g_bias[1] = l1 * c1 * v1 * v1 + l2 * c2 * v2 * v2;
  }
  if (out->events != NULL) out->events[0] = s->t - push_end;
  if (out->event_rates != NULL) out->event_rates[0] = 1.0;
  if (out->outputs != NULL) out->outputs[0] = p->k % 2 == 0 ? s->q[FIRST + p->k - 1] : 0.0;
  if (out->motion == NULL && out->energy == NULL) return TRM_OK;
  const pose o = pose_of(p, s);
  if (out->motion != NULL) motion(p, &o, s, out->motion);
  if (out->energy != NULL) {
    double *Mv = p->Mv;
    inertia(p, &o, s->v, Mv);
    multiply(p, p->K, o.w, p->Kw);
    out->energy[0] = 0.5 * dot(s->v, Mv, FIRST + p->n);
    out->energy[1] = 0.5 * dot(o.w, p->Kw, p->n);
    out->energy[2] = s->z[0] * v1;
  }
  return TRM_OK;
}

/* --- blocks: phi1, phi2 with everything, the beam with its neighbours ------------------ */

/* Targets of numbers in the order of `arrow`. */
typedef struct arrow {
  double *corner;       /* (0,0) (0,1) (1,0) (1,1)                        */
  double *rows[2];      /* rows 0, 1, columns of w             [n]        */
  double *columns[2];   /* columns 0, 1, rows of w             [n]        */
  double *band;         /* rows of w, their band               [entries]  */
} arrow;

static int band_entries(const rod *p) {
  int count = 0;
  for (int i = 0; i < p->n; i++) {
    for (int j = i - BAND; j <= i + BAND; j++) count += j >= 0 && j < p->n;
  }
  return count;
}

static arrow arrow_of(const rod *p, double *values) {
  double *at = values + 4;
  return (arrow){.corner = values, .rows = {at, at + p->n},
                 .columns = {at + 2 * p->n, at + 3 * p->n}, .band = at + 4 * p->n};
}

static void declare_arrow(const rod *p, trm_pattern *pattern, trm_block block) {
  trm_pattern_dense(pattern, block, 0, 0, 2, 2);
  for (int r = 0; r < 2; r++) trm_pattern_dense(pattern, block, r, FIRST, 1, p->n);
  for (int c = 0; c < 2; c++) trm_pattern_dense(pattern, block, FIRST, c, p->n, 1);
  for (int i = 0; i < p->n; i++) {
    for (int j = i - BAND; j <= i + BAND; j++) {
      if (j >= 0 && j < p->n) trm_pattern_entry(pattern, block, FIRST + i, FIRST + j);
    }
  }
}

/* out = factor_B B + factor_K K in the order of the pattern */
static void put_band(const rod *p, double factor_B, double factor_K, double *out) {
  for (int i = 0; i < p->n; i++) {
    for (int j = i - BAND; j <= i + BAND; j++) {
      if (j < 0 || j >= p->n) continue;
      const size_t at = (size_t)i * (2 * BAND + 1) + (size_t)(j - i + BAND);
      *out++ = factor_B * p->B[at] + factor_K * p->K[at];
    }
  }
}

static void put_corner(double *corner, double a, double b, double c, double d) {
  corner[0] = a, corner[1] = b, corner[2] = c, corner[3] = d;
}

static void put_mass(const rod *p, const pose *o, double *values) {
  const arrow m = arrow_of(p, values);
  const double M12 = l1 * o->swing_d;
  put_corner(m.corner, J1 + m2 * l1 * l1, M12, M12, J2 + o->wBw);
  for (int i = 0; i < p->n; i++) {
    m.rows[0][i] = m.columns[0][i] = l1 * o->c * p->c[i];
    m.rows[1][i] = m.columns[1][i] = p->e[i];
  }
  put_band(p, 1.0, 0.0, m.band);
  m.band[band_entries(p)] = m3;
}

static void put_mass_tangent(const rod *p, const pose *o, const double *u, double *values) {
  const arrow m = arrow_of(p, values);
  const double turn0 = -l1 * (o->swing * u[1] + o->s * dot(p->c, u + FIRST, p->n));
  const double turn1 = -l1 * o->swing * u[0];
  put_corner(m.corner, turn0, -turn0, turn1, -turn1);
  for (int i = 0; i < p->n; i++) {
    m.rows[0][i] = l1 * o->s * p->c[i] * u[1];
    m.rows[1][i] = l1 * o->s * p->c[i] * u[0] + 2.0 * p->Bw[i] * u[1];
    m.columns[0][i] = -l1 * o->s * p->c[i] * u[0];
    m.columns[1][i] = -m.columns[0][i];
  }
  put_band(p, 0.0, 0.0, m.band);
}

static void put_stiffness(const rod *p, const pose *o, double *values) {
  const arrow m = arrow_of(p, values);
  const double w1 = o->p1 * o->p1, w2 = o->p2 * o->p2;
  const double turn0 = l1 * (w2 * o->swing_d + 2.0 * o->p2 * o->c * o->Sd);
  const double turn1 = -l1 * w1 * o->swing_d;
  put_corner(m.corner, turn0, -turn0, turn1, -turn1);
  for (int i = 0; i < p->n; i++) {
    m.rows[0][i] = -l1 * w2 * o->c * p->c[i];
    m.rows[1][i] = l1 * w1 * o->c * p->c[i] + 2.0 * o->p2 * p->Bwd[i];
    m.columns[0][i] = -l1 * o->c * w1 * p->c[i];
    m.columns[1][i] = -m.columns[0][i];
  }
  put_band(p, -w2, 1.0, m.band);
}

static void put_damping(const rod *p, const pose *o, double *values) {
  const arrow m = arrow_of(p, values);
  put_corner(m.corner, 0.0, 2.0 * l1 * (o->p2 * o->swing + o->s * o->Sd),
             -2.0 * l1 * o->p1 * o->swing, 2.0 * o->wBwd);
  for (int i = 0; i < p->n; i++) {
    m.rows[0][i] = 2.0 * l1 * o->p2 * o->s * p->c[i];
    m.rows[1][i] = 2.0 * o->p2 * p->Bw[i];
    m.columns[0][i] = -2.0 * l1 * o->s * o->p1 * p->c[i];
    m.columns[1][i] = -2.0 * o->p2 * p->Bw[i];
  }
  put_band(p, 0.0, 0.0, m.band);
}

static void put_constraints(const trm_state *s, const trm_block_request *request) {
  const double s1 = sin(s->q[0]), c1 = cos(s->q[0]), s2 = sin(s->q[1]), c2 = cos(s->q[1]);
  const double v1 = s->v[0], v2 = s->v[1], *y = request->y;
  double *const *b = request->values;
  const struct {
    double *to, numbers[5];
    int     count;
  } lists[] = {
    {b[TRM_G], {l1 * c1, l2 * c2, l1 * s1, l2 * s2, 1.0}, 5},
    {b[TRM_GV_Q], {-l1 * s1 * v1, -l2 * s2 * v2, l1 * c1 * v1, l2 * c2 * v2}, 4},
    {b[TRM_GB_Q], {-l1 * c1 * v1 * v1, -l2 * c2 * v2 * v2, -l1 * s1 * v1 * v1,
                   -l2 * s2 * v2 * v2}, 4},
    {b[TRM_GB_V], {-2 * l1 * s1 * v1, -2 * l2 * s2 * v2, 2 * l1 * c1 * v1, 2 * l2 * c2 * v2}, 4},
  };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (lists[i].to == NULL) continue;
    memcpy(lists[i].to, lists[i].numbers, (size_t)lists[i].count * sizeof(double));
  }
  if (b[TRM_GY_Q] == NULL) return;
  b[TRM_GY_Q][0] = l1 * (c1 * y[1] - s1 * y[0]);
  b[TRM_GY_Q][1] = l2 * (c2 * y[1] - s2 * y[0]);
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)err;
  rod *p = self;
  const pose o = pose_of(p, s);
  double *const *b = request->values;
  if (b[TRM_M] != NULL) put_mass(p, &o, b[TRM_M]);
  if (b[TRM_MU_Q] != NULL) put_mass_tangent(p, &o, request->u, b[TRM_MU_Q]);
  if (b[TRM_K] != NULL) put_stiffness(p, &o, b[TRM_K]);
  if (b[TRM_C] != NULL) put_damping(p, &o, b[TRM_C]);
  put_constraints(s, request);
  return TRM_OK;
}

static void patterns(const void *self, trm_pattern *pattern) {
  static const trm_block tangents[] = {TRM_M, TRM_MU_Q, TRM_K, TRM_C};
  static const trm_block rates[] = {TRM_G, TRM_GV_Q, TRM_GB_Q, TRM_GB_V};
  const rod *p = self;
  trmi_pattern_all_given(pattern);
  for (int i = 0; i < 4; i++) declare_arrow(p, pattern, tangents[i]);
  trm_pattern_entry(pattern, TRM_M, 2, 2);
  for (int i = 0; i < 4; i++) trm_pattern_dense(pattern, rates[i], 0, 0, 2, 2);
  trm_pattern_entry(pattern, TRM_G, 1, 2);
  trm_pattern_entry(pattern, TRM_GY_Q, 0, 0);
  trm_pattern_entry(pattern, TRM_GY_Q, 1, 1);
}

/* --- names, start, event ----------------------------------------------------------------- */

static void sizes(const void *self, trm_sizes *n) {
  const rod *p = self;
  *n = (trm_sizes){.nv = FIRST + p->n, .ng = 2, .nz = 1, .nevents = 1, .noutputs = 1};
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  static const char *const rigid[] = {"phi1", "phi2", "x3"};
  const rod *p = self;
  char name[24], full[32];
  const int node = i - FIRST + 1; /* number of the nodal value in the free beam, but the last */
  const bool is_last = i == FIRST + p->n - 1;
  switch (list) {
  case TRM_Q:
  case TRM_V:
    if (i < FIRST) snprintf(name, sizeof name, "%s", rigid[i]);
    else if (is_last) snprintf(name, sizeof name, "theta%d", p->k);
    else snprintf(name, sizeof name, "%s%d", node % 2 == 0 ? "w" : "theta", node / 2);
    snprintf(full, sizeof full, "%s%s", list == TRM_V ? "v" : "", name);
    trmi_label(out, full, i < FIRST ? "crank, rod and block" : "beam of the rod",
               i < FIRST ? (i < 2 ? TRM_KIND_RADIAN : TRM_KIND_METRE) : TRM_KIND_MODAL,
               i < FIRST ? 1.0 : node % 2 == 0 && !is_last ? 1e-4 : 1e-3);
    break;
  case TRM_LAM:
    trmi_label(out, i == 0 ? "lam1" : "lam2", "joint 'block'", TRM_KIND_NEWTON, 0.0);
    break;
  case TRM_Z: trmi_label(out, "torque", "drive 'crank'", TRM_KIND_NEWTON_METRE, 0.0); break;
  case TRM_EVENT: trmi_label(out, "release", "end of the torque", TRM_KIND_NONE, 0.0); break;
  case TRM_OUTPUT: trmi_label(out, "middle", "middle of the rod", TRM_KIND_METRE, 0.0); break;
  default: break;
  }
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  s->q[2] = l1 + l2;
  s->z[0] = ((const rod *)self)->torque;
  return TRM_OK;
}

static void event_info(const void *self, int i, trm_event_info *info) {
  (void)self, (void)i;
  *info = (trm_event_info){.kind = TRM_EVENT_RESTART, .direction = 1};
}

static trm_status event(void *self, int i, trm_state *s, trm_error *err) {
  (void)self, (void)i, (void)err;
  s->z[0] = 0.0;
  return TRM_OK;
}

static trm_status take_scratch(rod *p, trm_error *err) {
  double **const vectors[] = {&p->Bw, &p->Bwd, &p->Kw};
  for (int i = 0; i < 3; i++) *vectors[i] = TRMI_TAKE(&p->arena, double, p->n);
  p->Mv = TRMI_TAKE(&p->arena, double, p->n + FIRST);
  return trmi_arena_check(&p->arena, err);
}

/* The matrices are shared. */
static trm_status instance(const void *self, const trm_instance_options *options, void **out,
                           trm_error *err) {
  TRMI_TRY(err, trmi_problem_self(&options->allocator, sizeof(rod), out, err));
  rod *p = *out;
  const trmi_arena arena = p->arena;
  *p = *(const rod *)self;
  p->arena = arena;
  const trm_status status = take_scratch(p, err);
  if (status == TRM_OK) return TRM_OK;
  trmi_problem_free(p);
  *out = NULL;
  return trmi_note(err, __func__, status);
}

static const trm_system_ops ops = {
    .name = "slider-crank-hermite",
    .sizes = sizes,
    .label = label,
    .patterns = patterns,
    .start = start,
    .values = values,
    .gives_rates = true,
    .blocks = blocks,
    .event_info = event_info,
    .event = event,
    .instance = instance,
    .free = trmi_problem_free,
};

enum { ELEMENTS, TORQUE, PARAMETERS };

static const trm_parameter parameters[PARAMETERS] = {
    [ELEMENTS] = {"elements", "4", NULL, "Hermite elements of the rod"},
    [TORQUE] = {"torque", "0.2", NULL, "on the crank up to 0.3 s [N m]"},
};
static const trmi_rule rules[PARAMETERS] = {[ELEMENTS] = TRMI_COUNT, [TORQUE] = TRMI_ANY};

static trm_status build(const double *value, const trm_allocator *allocator, trm_system_def *def,
                        trm_error *err) {
  TRMI_TRY(err, trmi_problem_self(allocator, sizeof(rod), &def->self, err));
  rod *p = def->self;
  p->k = (int)value[ELEMENTS];
  p->n = 2 * p->k;
  p->torque = value[TORQUE];
  const size_t n = (size_t)p->n, band = n * (2 * BAND + 1);
  p->B = TRMI_TAKE(&p->arena, double, band);
  p->K = TRMI_TAKE(&p->arena, double, band);
  p->c = TRMI_TAKE(&p->arena, double, n);
  p->e = TRMI_TAKE(&p->arena, double, n);
  TRMI_TRY(err, take_scratch(p, err));
  for (int i = 0; i < p->k; i++) add_element(p, i);
  def->ops = &ops;
  return TRM_OK;
}

const trmi_problem trmi_problem_slider_crank_hermite = {
    .about = {"slider-crank-hermite", "crank with a torque, rod of Hermite elements, block", 1.0,
              parameters, PARAMETERS},
    .rules = rules,
    .build = build,
};
