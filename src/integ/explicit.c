/* explicit.c - DOPRI5 and DOP853 on the index-1 form, projected after each step.
 *
 * Local coordinates psi of the configuration (psi = 0 at the start of a step; sums,
 * and a rotation vector for each rotation) make the equations ordinary ones:
 *   y = (psi, v, x),   q = q0 (+) psi,   psi' = T^-1(psi) v,
 *   v', x' from the index-1 system of consistent.c                          (1)
 *   y_i = y0 + h sum_j a_ij k_j,   k_i = y'(t + c_i h, y_i)                 (2)
 * The last stage is the step. It is moved onto both constraint levels, mass
 * orthogonally, before its k is computed. Error of DOP853 from two estimates,
 *   |h| e5^2 / sqrt(n (e5^2 + e3^2/100)),                                   (3)
 * of DOPRI5 from one, the rms of h e. Dense output, x in 0 .. 1:
 *   DOPRI5:  y0 + h sum_i k_i (p_i1 x + .. + p_i4 x^4) + (y1 - end) x^2 (3 - 2 x)  (4)
 *   DOP853:  y0 + x (f0 + (1-x) (f1 + x (f2 + (1-x) (f3 + ..)))), f0 = y1 - y0,
 *            f1 = h k0 - f0, f2 = 2 f0 - h (k0 + k1), f3.. = h sum d_i k_i  (5)
 * Stiffness: h |k_last - k_before| / |y_last - y_before| stays above the limit of
 * the method; both stages stand at t + h.
 * Sources: [HairerNorsettWanner], [MuntheKaas]. Theory: docs/theory/05-explicit.md. */
#include "integ/explicit_tables.h"
#include "integ/integrator.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STIFF_COUNT = 15, CALM_COUNT = 6 };

typedef struct trmi_explicit {
  trmi_context         ctx;
  const trmi_rk_table *rk;
  int        n;                 /* 2 nv + nx                                    */
  trm_state  now, next;         /* after accept `next` is the step before       */
  trm_state  stage;
  trmi_consistent dense;        /* of dense output, so that samples leave no trace  */
  bool       has_dense_matrix;
  double    *k[RK_STAGES_MAX];  /* y' of the stages                      [n]    */
  double    *y, *y_before;      /* last stage and the one before it      [n]    */
  double    *k_new;             /* y' at the end, in coordinates there   [n]    */
  double    *Tinv;              /*                                    [9 nrot]  */
  double     h;                 /* of the last accepted step                    */
  bool       has_dense;         /* extra stages of it are there                 */
  int        stiff, calm;       /* steps that looked stiff, or not, in a row    */
  bool       warned;
} trmi_explicit;

static trm_status create(void *integ, const trmi_context *ctx, const char *formulation,
                         trm_error *err) {
  trmi_explicit *ex = integ;
  *ex = (trmi_explicit){.ctx = *ctx, .rk = &trmi_dop853};
  if (strcmp(formulation, "dopri5") == 0) ex->rk = &trmi_dopri5;
  const trm_system *sys = ctx->sys;
  ex->n = 2 * sys->n.nv + sys->n.nx;
  trmi_state_take(sys, ctx->arena, &ex->now);
  trmi_state_take(sys, ctx->arena, &ex->next);
  trmi_state_take(sys, ctx->arena, &ex->stage);
  for (int i = 0; i < ex->rk->dense_stages; i++) ex->k[i] = TRMI_TAKE(ctx->arena, double, ex->n);
  ex->y = TRMI_TAKE(ctx->arena, double, ex->n);
  ex->y_before = TRMI_TAKE(ctx->arena, double, ex->n);
  ex->k_new = TRMI_TAKE(ctx->arena, double, ex->n);
  ex->Tinv = TRMI_TAKE(ctx->arena, double, 9 * (size_t)sys->n.nrot);
  TRMI_TRY(err, trmi_arena_check(ctx->arena, err));
  return TRM_OK;
}

/* The matrices of steps are those of the driver's consistent.c; dense output has its own. */
static trm_status plan(void *integ, bool bordered, trm_error *err) {
  trmi_explicit *ex = integ;
  if (ex->has_dense_matrix) return trmi_consistent_rebuild(&ex->dense, bordered, err);
  ex->has_dense_matrix = true;
  TRMI_TRY(err, trmi_consistent_init(&ex->dense, ex->ctx.sys, ex->ctx.arena,
                                     ex->ctx.options->solver, bordered, err));
  return TRM_OK;
}

static void release(void *integ) {
  trmi_explicit *ex = integ;
  if (ex->has_dense_matrix) trmi_consistent_free(&ex->dense);
}

/* y' of a state with its accelerations; psi is the place in local coordinates. */
static void derivative(trmi_explicit *ex, const trm_state *s, const double *psi, double *k) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  trmi_group_Tinv(sys, psi, ex->Tinv);
  trmi_group_apply(sys, ex->Tinv, s->v, k);
  memcpy(k + nv, s->vd, (size_t)nv * sizeof(double));
  memcpy(k + 2 * nv, s->xd, (size_t)sys->n.nx * sizeof(double));
}

/* psi, v, x of `y` into a state around q0. */
static void unpack(const trmi_explicit *ex, const double *y, const double *q0, trm_state *s) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  trm_system_retract(sys, q0, y, s->q);
  memcpy(s->v, y + nv, (size_t)nv * sizeof(double));
  memcpy(s->x, y + 2 * nv, (size_t)sys->n.nx * sizeof(double));
}

/* y_i by (2) */
static void stage_point(const trmi_explicit *ex, const trm_state *s0, int i, double h, double *y) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  const double *a = ex->rk->a + i * (i - 1) / 2;
  memset(y, 0, (size_t)nv * sizeof(double));
  memcpy(y + nv, s0->v, (size_t)nv * sizeof(double));
  memcpy(y + 2 * nv, s0->x, (size_t)sys->n.nx * sizeof(double));
  for (int j = 0; j < i; j++) {
    if (a[j] == 0.0) continue;
    const double ha = h * a[j];
    const double *k = ex->k[j];
    for (int m = 0; m < ex->n; m++) y[m] += ha * k[m];
  }
}

/* Stage i of the last or the next step, which starts at s0; its point is left in y. */
static trm_status stage(trmi_explicit *ex, const trm_state *s0, int i, double h, double *y,
                        trm_error *err) {
  trmi_consistent *consistent = i < ex->rk->stages ? ex->ctx.consistent : &ex->dense;
  stage_point(ex, s0, i, h, y);
  unpack(ex, y, s0->q, &ex->stage);
  ex->stage.t = s0->t + ex->rk->c[i] * h;
  TRMI_TRY(err, trmi_consistent_accelerations(consistent, &ex->stage, err));
  derivative(ex, &ex->stage, y, ex->k[i]);
  return TRM_OK;
}

/* Size that counts as one: scales of positions, and the larger of scale and value
 * for velocities, of which the scale is gone in a second, and states. */
static double weight(const trmi_explicit *ex, int m) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  if (m < nv) return ex->ctx.scale_v[m];
  if (m < 2 * nv) return fmax(ex->ctx.scale_v[m - nv] / sys->second, fabs(ex->now.v[m - nv]));
  return fmax(sys->scale_x[m - 2 * nv], fabs(ex->now.x[m - 2 * nv]));
}

static void name_unknown(const trmi_explicit *ex, int m, trm_quantity *list, int *index) {
  const int nv = ex->ctx.sys->n.nv;
  *list = m < 2 * nv ? TRM_V : TRM_X;
  *index = m < 2 * nv ? m % (nv > 0 ? nv : 1) : m - 2 * nv;
}

/* (3) over the tolerance */
static void estimate(const trmi_explicit *ex, double h, trmi_attempt *result) {
  const trmi_rk_table *rk = ex->rk;
  double high = 0.0, low = 0.0, worst = -1.0;
  int at = -1;
  for (int m = 0; m < ex->n; m++) {
    double e = 0.0, e_low = 0.0;
    for (int i = 0; i < rk->stages; i++) {
      e += rk->e[i] * ex->k[i][m];
      if (rk->e_low != NULL) e_low += rk->e_low[i] * ex->k[i][m];
    }
    const double w = weight(ex, m);
    high += e / w * (e / w);
    low += e_low / w * (e_low / w);
    if (fabs(e / w) > worst) worst = fabs(e / w), at = m;
  }
  const double tolerance = ex->ctx.fixed ? 1.0 : ex->ctx.tolerance;
  result->error = h * sqrt(high / ex->n) / tolerance;
  if (rk->e_low != NULL && high > 0.0) {
    result->error = h * high / sqrt(ex->n * (high + 0.01 * low)) / tolerance;
  }
  result->index = -1;
  if (at >= 0) name_unknown(ex, at, &result->list, &result->index);
}

static void warn_stiff(trmi_explicit *ex, int worst, double h_lambda) {
  char text[240];
  trm_quantity list = TRM_V;
  int index = 0;
  trm_label label;
  name_unknown(ex, worst, &list, &index);
  trm_system_label(ex->ctx.sys, list, index, &label);
  snprintf(text, sizeof text,
           "the problem is stiff for 'explicit' (step times eigenvalue %.2g, fastest is '%s' of "
           "%s): --integrator hht takes longer steps",
           h_lambda, label.name, label.object);
  ex->ctx.message(ex->ctx.message_self, text);
}

static void look_for_stiffness(trmi_explicit *ex, double h) {
  const int last = ex->rk->stages - 1;
  double dk = 0.0, dy = 0.0, worst = -1.0;
  int at = 0;
  for (int m = 0; m < ex->n; m++) {
    const double w = weight(ex, m);
    const double k = (ex->k[last][m] - ex->k[last - 1][m]) / w;
    const double y = (ex->y[m] - ex->y_before[m]) / w;
    dk += k * k;
    dy += y * y;
    if (fabs(k) > worst) worst = fabs(k), at = m;
  }
  const double h_lambda = dy > 0.0 ? h * sqrt(dk / dy) : 0.0;
  if (h_lambda > ex->rk->stiff_limit) {
    ex->calm = 0;
    if (++ex->stiff == STIFF_COUNT && !ex->warned) {
      ex->warned = true;
      warn_stiff(ex, at, h_lambda);
    }
  } else if (++ex->calm == CALM_COUNT) {
    ex->stiff = 0;
  }
}

/* A first step by [HairerNorsettWanner] II.4, with jerk in place of a trial step. */
static double first_step(trmi_explicit *ex, const double *jerk, const double *xdd) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  const double span = ex->ctx.options->end - ex->now.t, unit = sys->second;
  double d1 = 0.0, d2 = 0.0;
  for (int m = 0; m < ex->n; m++) {
    const double w = weight(ex, m) * ex->ctx.tolerance;
    const double first = m < nv ? ex->now.v[m] : m < 2 * nv ? ex->now.vd[m - nv]
                                                            : ex->now.xd[m - 2 * nv];
    const double second = m < nv ? ex->now.vd[m] : m < 2 * nv ? jerk[m - nv] : xdd[m - 2 * nv];
    d1 += first / w * (first / w);
    d2 += second / w * (second / w);
  }
  const double size = fmax(sqrt(d1 / ex->n) * unit, sqrt(d2 / ex->n) * unit * unit);
  const double h = size > 0.0 ? unit * pow(0.01 / size, 1.0 / ex->rk->error_power) : span;
  return fmin(h, 0.02 * span);
}

static trm_status restart(void *integ, const trm_state *s, double *h, trm_error *err) {
  trmi_explicit *ex = integ;
  trm_system *sys = ex->ctx.sys;
  trmi_state_copy(sys, s, &ex->now);
  ex->stiff = ex->calm = 0;
  ex->has_dense = false;
  memset(ex->y, 0, (size_t)ex->n * sizeof(double));
  derivative(ex, &ex->now, ex->y, ex->k_new);
  if (*h > 0.0) return TRM_OK;
  double *jerk = ex->y, *xdd = ex->y + sys->n.nv;
  TRMI_TRY(err, trmi_consistent_jerk(ex->ctx.consistent, s,
                                     1e-6 * (ex->ctx.options->end - s->t), jerk, xdd, err));
  *h = first_step(ex, jerk, xdd);
  return TRM_OK;
}

static void set_discrete(void *integ, const double *z) {
  trmi_explicit *ex = integ;
  const size_t bytes = (size_t)ex->ctx.sys->n.nz * sizeof(double);
  if (bytes > 0) memcpy(ex->now.z, z, bytes);
}

static trm_status attempt(void *integ, double h, trmi_attempt *result, trm_error *err) {
  trmi_explicit *ex = integ;
  trm_system *sys = ex->ctx.sys;
  const int last = ex->rk->stages - 1;
  *result = (trmi_attempt){.index = -1};
  memcpy(ex->k[0], ex->k_new, (size_t)ex->n * sizeof(double));
  trmi_state_copy(sys, &ex->now, &ex->stage); /* guess of accelerations */
  for (int i = 1; i < last; i++) {
    double *y = i == last - 1 ? ex->y_before : ex->y;
    TRMI_TRY(err, stage(ex, &ex->now, i, h, y, err));
  }

  /* the step itself, moved onto the constraints */
  stage_point(ex, &ex->now, last, h, ex->y);
  trmi_state_copy(sys, &ex->stage, &ex->next);
  unpack(ex, ex->y, ex->now.q, &ex->next);
  ex->next.t = ex->now.t + h;
  TRMI_TRY(err, trmi_consistent_project(ex->ctx.consistent, &ex->next, err));
  TRMI_TRY(err, trmi_consistent_accelerations(ex->ctx.consistent, &ex->next, err));
  memcpy(ex->k[last], ex->y, (size_t)sys->n.nv * sizeof(double));
  trmi_group_difference_near(sys, ex->next.q, ex->now.q, ex->k[last], ex->y);
  memcpy(ex->y + sys->n.nv, ex->next.v, (size_t)sys->n.nv * sizeof(double));
  derivative(ex, &ex->next, ex->y, ex->k[last]);
  TRMI_TRY(err, trmi_consistent_violation(ex->ctx.consistent, &ex->next, &result->off, err));
  estimate(ex, h, result);
  if (!isfinite(result->error)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a value of the equations is not finite");
  }
  return TRM_OK;
}

static const trm_state *next(const void *integ) {
  return &((const trmi_explicit *)integ)->next;
}

static void accept(void *integ) {
  trmi_explicit *ex = integ;
  ex->h = ex->next.t - ex->now.t;
  look_for_stiffness(ex, ex->h);
  const trm_state before = ex->now;
  ex->now = ex->next;
  ex->next = before;
  ex->has_dense = false;

  /* the next step starts where this one ends: psi = 0 there */
  memset(ex->y, 0, (size_t)ex->n * sizeof(double));
  derivative(ex, &ex->now, ex->y, ex->k_new);
}

static const trm_state *state(const void *integ) {
  return &((const trmi_explicit *)integ)->now;
}

/* (4), bent to end where the projection put the step; f0 is y1 - y0 of component m */
static double dense_low(const trmi_explicit *ex, int m, double f0, double x) {
  double sum = 0.0, end = 0.0;
  for (int i = 0; i < 7; i++) {
    const double *p = ex->rk->dense + 4 * i;
    sum += ex->k[i][m] * (x * (p[0] + x * (p[1] + x * (p[2] + x * p[3]))));
    end += ex->k[i][m] * (p[0] + p[1] + p[2] + p[3]);
  }
  return ex->h * sum + (f0 - ex->h * end) * x * x * (3 - 2 * x);
}

/* (5); f0 is y1 - y0 of component m */
static double dense_high(const trmi_explicit *ex, int m, double f0, double x) {
  double f[7] = {f0, ex->h * ex->k[0][m] - f0, 2 * f0 - ex->h * (ex->k[12][m] + ex->k[0][m])};
  for (int r = 0; r < 4; r++) {
    const double *d = ex->rk->dense + 16 * r;
    for (int i = 0; i < 16; i++) f[3 + r] += ex->h * d[i] * ex->k[i][m];
  }
  double y = 0.0;
  for (int i = 6; i >= 0; i--) y = (y + f[i]) * (i % 2 == 0 ? x : 1 - x);
  return y;
}

static trm_status interpolate(void *integ, double t, trm_state *s, trm_error *err) {
  trmi_explicit *ex = integ;
  trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  const trm_state *s0 = &ex->next, *s1 = &ex->now; /* swapped by accept */
  for (int i = ex->rk->stages; i < ex->rk->dense_stages && !ex->has_dense; i++) {
    TRMI_TRY(err, stage(ex, s0, i, ex->h, ex->y, err));
  }
  ex->has_dense = true;
  const double x = (t - s0->t) / ex->h;
  double *delta = ex->y, *y = ex->y_before;
  stage_point(ex, s0, ex->rk->stages - 1, ex->h, y); /* where the step went before projection */
  trmi_group_difference_near(sys, s1->q, s0->q, y, delta);
  for (int i = 0; i < nv; i++) delta[nv + i] = s1->v[i] - s0->v[i];
  for (int i = 0; i < sys->n.nx; i++) delta[2 * nv + i] = s1->x[i] - s0->x[i];
  for (int m = 0; m < ex->n; m++) {
    y[m] = ex->rk == &trmi_dop853 ? dense_high(ex, m, delta[m], x)
                                  : dense_low(ex, m, delta[m], x);
  }
  for (int i = 0; i < nv; i++) y[nv + i] += s0->v[i];
  for (int i = 0; i < sys->n.nx; i++) y[2 * nv + i] += s0->x[i];
  trmi_state_copy(sys, s1, s);
  unpack(ex, y, s0->q, s);
  s->t = t;
  TRMI_TRY(err, trmi_consistent_accelerations(&ex->dense, s, err));
  return TRM_OK;
}

static void forget(void *integ) {
  (void)integ; /* the driver does it for its own matrices */
}

static void visit(void *integ, trmi_visitor *v) {
  trmi_explicit *ex = integ;
  trmi_visit_state(v, ex->ctx.sys, &ex->now);
  trmi_visit(v, ex->k_new, (size_t)ex->n * sizeof(double));
  trmi_visit(v, &ex->stiff, sizeof ex->stiff);
  trmi_visit(v, &ex->calm, sizeof ex->calm);
  trmi_visit(v, &ex->warned, sizeof ex->warned);
}

static trm_status settle(void *integ, trm_error *err) {
  (void)integ; /* the driver does it for its own matrices */
  (void)err;
  return TRM_OK;
}

/* The estimate of both methods has the power of their order. */
static int order(const void *integ) {
  return ((const trmi_explicit *)integ)->rk->error_power;
}

static int error_power(const void *integ) {
  return ((const trmi_explicit *)integ)->rk->error_power;
}

static const char *const formulations[] = {"dop853", "dopri5", NULL};

const trmi_integrator_ops trmi_integ_explicit = {
    .name = "explicit", .formulations = formulations, .size = sizeof(trmi_explicit),
    .create = create, .plan = plan, .free = release, .restart = restart,
    .set_discrete = set_discrete,
    .attempt = attempt, .next = next, .accept = accept, .state = state,
    .interpolate = interpolate,
    .forget = forget, .visit = visit, .settle = settle, .error_power = error_power, .order = order,
    .safety = 0.9, .growth = 5.0,
    .hold = 1.0,
};
