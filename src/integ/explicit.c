/* explicit.c - DOPRI5 and DOP853 on the index-1 form, projected after each step.
 *
 * Local coordinates psi of the configuration (psi = 0 at the start of a step; sums,
 * and a rotation vector for each rotation) turn the equations into ordinary differential equations:
 *   y = (psi, v, x),   q = q0 (+) psi,   psi' = T^-1(psi) v,
 *   v', x' from the index-1 system of consistent.c                          (1)
 *   y_i = y0 + h sum_j a_ij k_j,   k_i = y'(t + c_i h, y_i)                 (2)
 * The last stage is the end of the step. It is projected onto both constraint levels in the metric
 * of M before its k is computed; with redundant rows so are the other stages. Its error:
 * explicit_error.c. Dense output, x in 0 .. 1:
 *   DOPRI5:  y0 + h sum_i k_i (p_i1 x + .. + p_i4 x^4) + (y1 - end) x^2 (3 - 2 x)  (3)
 *   DOP853:  y0 + x (f0 + (1-x) (f1 + x (f2 + (1-x) (f3 + ..)))), f0 = y1 - y0,
 *            f1 = h k0 - f0, f2 = 2 f0 - h (k0 + k1), f3.. = h sum d_i k_i  (4)
 * Singular poses. At a small distance delta from one, rounding eps of the constraints moves the
 * state by eps z along
 *   [M G^T; G 0] [z; *] = [0; scale_g],   |z| ~ 1/delta                     (5)
 * off a curve that ends in the pose, onto one that turns away from it: accelerations change by
 * eps v^2/delta^3, which appears in a step h as an error of
 *   h eps v |z|^3                                                           (6)
 * over the tolerance. Shorter steps do not help: they follow the wrong curve. So steps must jump
 * across such poses: none ends where (6) is large, states near them are projected once more, and an
 * excessive error is compared with that of a step from a start perturbed by rounding, q (+) eps z,
 * v + eps v z. An error that is only rounding is accepted and reported.
 * Sources: [HairerNorsettWanner], [MuntheKaas]. Theory: docs/theory/05-explicit.md. */
#include "integ/explicit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A local error is rounding up to this multiple of its change by a start perturbed by rounding, */
static const double noise_part = 50.0;
/* and is accepted up to this number of tolerances, or up to this part of the scales. */
static const double noise_most = 100.0, noise_error = 1e-6;
/* The largest recent step is multiplied by this factor in each following step. */
static const double h_fades = 0.95;
/* Above this tolerance stages need not be solved to rounding. */
static const double staged_tolerance = 1e-10;
/* Part of the displacement by the projection that counts as an error. */
static const double projected_part = 0.1;

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
  for (int i = 1; i < ex->rk->stages; i++) {
    ex->loads[i] = TRMI_TAKE(ctx->arena, double, sys->n.ng + sys->n.na + sys->n.nw);
  }
  ex->y = TRMI_TAKE(ctx->arena, double, ex->n);
  ex->y_before = TRMI_TAKE(ctx->arena, double, ex->n);
  ex->k_new = TRMI_TAKE(ctx->arena, double, ex->n);
  ex->e_first = TRMI_TAKE(ctx->arena, double, ex->n);
  trmi_state_take(sys, ctx->arena, &ex->shaken);
  ex->direction = TRMI_TAKE(ctx->arena, double, sys->n.nv);
  ex->direction_next = TRMI_TAKE(ctx->arena, double, sys->n.nv);
  ex->v_most = TRMI_TAKE(ctx->arena, double, sys->n.nv);
  ex->Tinv = TRMI_TAKE(ctx->arena, double, 9 * (size_t)sys->n.nrot);
  TRMI_TRY(err, trmi_arena_check(ctx->arena, err));
  return TRM_OK;
}

/* The matrices of steps are those of the driver's consistent.c; dense output has its own. */
static trm_status plan(void *integ, bool bordered, trm_error *err) {
  trmi_explicit *ex = integ;
  if (!ex->ctx.fixed && ex->ctx.tolerance >= staged_tolerance) {
    trmi_consistent_set_staged(ex->ctx.consistent);
  }
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

/* y' of a state with its accelerations; psi is the position in local coordinates. */
static void derivative(trmi_explicit *ex, const trm_state *s, const double *psi, double *k) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  trmi_group_Tinv(sys, psi, ex->Tinv);
  trmi_group_apply(sys, ex->Tinv, s->v, k);
  memcpy(k + nv, s->vd, (size_t)nv * sizeof(double));
  memcpy(k + 2 * nv, s->xd, (size_t)sys->n.nx * sizeof(double));
}

void trmi_explicit_unpack(const trmi_explicit *ex, const double *y, const double *q0,
                          trm_state *s) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  trm_system_retract(sys, q0, y, s->q);
  memcpy(s->v, y + nv, (size_t)nv * sizeof(double));
  memcpy(s->x, y + 2 * nv, (size_t)sys->n.nx * sizeof(double));
}

/* (2) */
void trmi_explicit_point(const trmi_explicit *ex, const trm_state *s0, int i, double h, double *y) {
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

static void keep_loads(trmi_explicit *ex, int i) {
  const trm_sizes *n = &ex->ctx.sys->n;
  double *to = ex->loads[i];
  for (int m = 0; m < n->ng; m++) *to++ = ex->stage.lam[m];
  for (int m = 0; m < n->na; m++) *to++ = ex->stage.mu[m];
  for (int m = 0; m < n->nw; m++) *to++ = ex->stage.w[m];
}

trm_status trmi_explicit_stage(trmi_explicit *ex, const trm_state *s0, int i, double h, double *y,
                        trm_error *err) {
  trmi_consistent *consistent = i < ex->rk->stages ? ex->ctx.consistent : &ex->dense;
  trmi_explicit_point(ex, s0, i, h, y);
  trmi_explicit_unpack(ex, y, s0->q, &ex->stage);
  trmi_state_at(ex->ctx.sys, s0, s0->t + ex->rk->c[i] * h, &ex->stage);
  /* off the constraints redundant rows contradict each other, theory 6.3 */
  if (consistent->bordered) TRMI_TRY(err, trmi_consistent_project(consistent, &ex->stage, err));
  TRMI_TRY(err, trmi_consistent_accelerations(consistent, &ex->stage, err));
  derivative(ex, &ex->stage, y, ex->k[i]);
  if (i < ex->rk->stages) keep_loads(ex, i);
  return TRM_OK;
}

/* A first step by [HairerNorsettWanner] II.4, with jerk in place of a trial step. */
static double first_step(trmi_explicit *ex, const double *jerk, const double *xdd) {
  const trm_system *sys = ex->ctx.sys;
  const int nv = sys->n.nv;
  const double span = ex->ctx.options->end - ex->now.t, unit = sys->second;
  double d1 = 0.0, d2 = 0.0;
  for (int m = 0; m < ex->n; m++) {
    const double w = trmi_explicit_weight(ex, m, unit) * ex->ctx.tolerance;
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

static trm_status start(void *integ, const trm_state *s, double *h, trm_error *err) {
  trmi_explicit *ex = integ;
  trm_system *sys = ex->ctx.sys;
  trmi_state_copy(sys, s, &ex->now);
  trmi_explicit_note_speeds(ex, s);
  ex->stiff = ex->calm = ex->turns.count = 0;
  ex->closeness = 0.0; /* not known */
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

/* Displacement of the end of the step by the projection from `free`, rms over the weights. It is of
 * the order of the local error; near a singular pose a part of it counts, since it may lead to
 * another branch. */
static double projected_by(const trmi_explicit *ex, double h, const double *free) {
  const int n = 2 * ex->ctx.sys->n.nv;
  double sum = 0.0;
  for (int m = 0; m < n; m++) {
    const double e = (ex->y[m] - free[m]) / trmi_explicit_weight(ex, m, h);
    sum += e * e;
  }
  return n > 0 ? projected_part * sqrt(sum / n) : 0.0;
}

/* All stages and the end of a step from s0, with its error. */
/* Far beyond the stability limit the end of a step may be acceptable while its stages, and so the
 * dense output, are not: bristles deflected to 30 times their limit. The last stage, which is at
 * the end of the step, must pass the test of the end. */
static trm_status test_stage(const trmi_explicit *ex, trm_error *err) {
  const trm_system *sys = ex->ctx.sys;
  if (ex->ctx.fixed || sys->n.nx == 0 || sys->ops->test_step == NULL) return TRM_OK;
  TRMI_ASK(err, sys->ops->name, "test_step", sys->ops->test_step(sys->self, &ex->stage, err));
  return TRM_OK;
}

static trm_status take_step(trmi_explicit *ex, const trm_state *s0, double h, trmi_attempt *result,
                            trm_error *err) {
  trm_system *sys = ex->ctx.sys;
  const int last = ex->rk->stages - 1;
  *result = (trmi_attempt){.index = -1};
  memcpy(ex->k[0], ex->k_new, (size_t)ex->n * sizeof(double));
  trmi_state_copy(sys, s0, &ex->stage); /* guess of accelerations */
  for (int i = 1; i < last; i++) {
    double *y = i == last - 1 ? ex->y_before : ex->y;
    TRMI_TRY(err, trmi_explicit_stage(ex, s0, i, h, y, err));
  }
  TRMI_TRY(err, test_stage(ex, err));

  /* the end of the step, projected onto the constraints */
  trmi_explicit_point(ex, s0, last, h, ex->y);
  trmi_state_copy(sys, &ex->stage, &ex->next);
  trmi_explicit_unpack(ex, ex->y, s0->q, &ex->next);
  trmi_state_at(sys, s0, s0->t + h, &ex->next);
  TRMI_TRY(err, trmi_consistent_project(ex->ctx.consistent, &ex->next, err));
  if (!ex->ctx.fixed) {
    TRMI_TRY(err, trmi_consistent_sensitivity(ex->ctx.consistent, &ex->next,
                                              ex->direction_next, &ex->closeness_next, err));
  }
  const bool is_near = ex->closeness_next > TRMI_SINGULAR_NEAR * ex->closeness_least;
  if (is_near) {
    TRMI_TRY(err, trmi_consistent_polish(ex->ctx.consistent, &ex->next, err));
  }
  TRMI_TRY(err, trmi_consistent_accelerations(ex->ctx.consistent, &ex->next, err));
  memcpy(ex->k[last], ex->y, 2 * (size_t)sys->n.nv * sizeof(double));
  trmi_group_difference_near(sys, ex->next.q, s0->q, ex->k[last], ex->y);
  memcpy(ex->y + sys->n.nv, ex->next.v, (size_t)sys->n.nv * sizeof(double));
  const double moved = projected_by(ex, h, ex->k[last]);
  derivative(ex, &ex->next, ex->y, ex->k[last]);
  TRMI_TRY(err, trmi_consistent_violation(ex->ctx.consistent, &ex->next, &result->off, err));
  ex->left_next = result->off.position;
  trmi_explicit_estimate(ex, h, result);
  if (!ex->ctx.fixed && is_near) {
    const double most = fmax(ex->ctx.tolerance, projected_part * noise_error);
    result->error = fmax(result->error, moved / most);
  }
  if (!isfinite(result->error)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a value of the equations is not finite");
  }
  return TRM_OK;
}

static double speed_of(const trmi_explicit *ex) {
  double speed = 1.0 / ex->ctx.sys->second;
  for (int i = 0; i < ex->ctx.sys->n.nv; i++) {
    speed = fmax(speed, fabs(ex->now.v[i]) / ex->ctx.scale_v[i]);
  }
  return speed;
}

/* (6) over the tolerance */
static double noise_at(const trmi_explicit *ex, double closeness, double h) {
  return trmi_singular_pose_noise(closeness, speed_of(ex), h) / ex->ctx.tolerance;
}

/* The start of the step, perturbed like the rounding of the constraints. */
static void shake(trmi_explicit *ex) {
  const trm_system *sys = ex->ctx.sys;
  const double little = fmax(2 * DBL_EPSILON, ex->left), speed = speed_of(ex);
  trmi_state_copy(sys, &ex->now, &ex->shaken);
  for (int i = 0; i < sys->n.nv; i++) {
    ex->y[i] = little * ex->direction[i];
    ex->shaken.v[i] += little * speed * ex->direction[i];
  }
  trm_system_retract(sys, ex->now.q, ex->y, ex->shaken.q);
}

/* The error is too large: is it rounding, amplified by a singular pose within the step? The step is
 * repeated from a start that is equally accurate. */
static trm_status try_again(trmi_explicit *ex, double h, trmi_attempt *result, trm_error *err) {
  for (int m = 0; m < ex->n; m++) ex->e_first[m] = trmi_explicit_error_of(ex, m);
  shake(ex);
  TRMI_TRY(err, take_step(ex, &ex->shaken, h, result, err));
  double sum = 0.0;
  for (int m = 0; m < ex->n; m++) {
    const double change = trmi_explicit_error_of(ex, m) - ex->e_first[m];
    const double e = change / trmi_explicit_weight(ex, m, h);
    sum += e * e;
  }
  const double noise = h * sqrt(sum / ex->n) / ex->ctx.tolerance;
  const double floor = fmax(noise_part * noise, noise_at(ex, ex->closeness, h));
  const double most = fmin(floor, fmax(noise_most, noise_error / ex->ctx.tolerance));
  if (!(result->error > 1.0)) return TRM_OK;
  if (result->error <= most) {
    ex->floor = result->error;
    result->error = 0.9;
  } else if (result->error <= 10.0 * floor) {
    trmi_singular_turn(&ex->turns, h, 0.9, result); /* stages elsewhere */
  }
  return TRM_OK;
}

static trm_status attempt(void *integ, double h, trmi_attempt *result, trm_error *err) {
  trmi_explicit *ex = integ;
  ex->floor = 0.0;
  TRMI_TRY(err, take_step(ex, &ex->now, h, result, err));
  if (ex->ctx.fixed || ex->ctx.sys->n.ng == 0) return TRM_OK;
  const double closest = fmax(ex->closeness, ex->closeness_next);
  if (result->error > 1.0 && closest > TRMI_SINGULAR_NEAR * ex->closeness_least) {
    TRMI_TRY(err, try_again(ex, h, result, err));
  }
  const bool is_beside = ex->closeness > 0.0 && ex->closeness_next > 2.0 * ex->closeness &&
                         noise_at(ex, ex->closeness_next, h) > TRMI_SINGULAR_BESIDE;
  if (!(result->error <= 1.0)) return TRM_OK;
  if (is_beside && trmi_singular_turn(&ex->turns, h, TRMI_SINGULAR_SHORTER, result)) {
    result->error = 2.0;
  } else {
    trmi_singular_pass(&ex->turns, h, result);
  }
  return TRM_OK;
}

static const trm_state *next(const void *integ) {
  return &((const trmi_explicit *)integ)->next;
}

static void report_floor(trmi_explicit *ex) {
  char text[300];
  ex->has_reported_floor = true;
  snprintf(text, sizeof text,
           "next to a singular pose at %.6g %s rounding is larger than the tolerance: a step was "
           "accepted with a local error of %.2g times the tolerance",
           ex->next.t, ex->ctx.sys->units.time, ex->floor);
  ex->ctx.message(ex->ctx.message_self, text);
}

static void accept(void *integ) {
  trmi_explicit *ex = integ;
  ex->h = ex->next.t - ex->now.t;
  trmi_explicit_look_for_stiffness(ex, ex->h);
  ex->h_slow = fmax(ex->h, h_fades * ex->h_slow);
  trmi_explicit_note_speeds(ex, &ex->next);
  if (ex->floor > 0.0 && !ex->has_reported_floor) report_floor(ex);
  if (ex->closeness_next > TRMI_SINGULAR_LOST && !ex->has_reported_pose) {
    ex->has_reported_pose = true;
    trmi_singular_pose_report(&ex->ctx, ex->next.t);
  }
  const trm_state before = ex->now;
  ex->now = ex->next;
  ex->next = before;
  ex->has_dense = false;
  double *const direction = ex->direction;
  ex->direction = ex->direction_next;
  ex->direction_next = direction;
  ex->left = ex->left_next;
  ex->closeness = ex->closeness_next;
  if (!(ex->closeness_least > 0.0)) ex->closeness_least = ex->closeness;
  ex->closeness_least = fmin(ex->closeness_least, ex->closeness);
  ex->turns.count = 0;

  /* the next step starts where this one ends: psi = 0 there */
  memset(ex->y, 0, (size_t)ex->n * sizeof(double));
  derivative(ex, &ex->now, ex->y, ex->k_new);
}

static const trm_state *state(const void *integ) {
  return &((const trmi_explicit *)integ)->now;
}

static void forget(void *integ) {
  trmi_explicit *ex = integ; /* the driver does this for its matrices */
  if (ex->has_dense_matrix) trmi_consistent_forget(&ex->dense);
}

static void visit(void *integ, trmi_visitor *v) {
  trmi_explicit *ex = integ;
  trmi_visit_state(v, ex->ctx.sys, &ex->now);
  trmi_visit(v, ex->k_new, (size_t)ex->n * sizeof(double));
  trmi_visit(v, &ex->h_slow, sizeof ex->h_slow);
  trmi_visit(v, ex->v_most, (size_t)ex->ctx.sys->n.nv * sizeof(double));
  trmi_visit(v, &ex->stiff, sizeof ex->stiff);
  trmi_visit(v, &ex->calm, sizeof ex->calm);
  trmi_visit(v, &ex->warned, sizeof ex->warned);
  trmi_visit(v, ex->direction, (size_t)ex->ctx.sys->n.nv * sizeof(double));
  trmi_visit(v, &ex->closeness, sizeof ex->closeness);
  trmi_visit(v, &ex->left, sizeof ex->left);
  trmi_visit(v, &ex->closeness_least, sizeof ex->closeness_least);
  trmi_visit(v, &ex->has_reported_floor, sizeof ex->has_reported_floor);
  trmi_visit(v, &ex->has_reported_pose, sizeof ex->has_reported_pose);
}

static trm_status settle(void *integ, trm_error *err) {
  (void)integ; /* the driver does this for its matrices */
  (void)err;
  return TRM_OK;
}

/* The estimates of both methods have the exponent of their order. */
static int order(const void *integ) {
  return ((const trmi_explicit *)integ)->rk->error_power;
}

static int error_power(const void *integ) {
  return ((const trmi_explicit *)integ)->rk->error_power;
}

static double error_unit(const void *integ) {
  return ((const trmi_explicit *)integ)->ctx.tolerance;
}

static const trm_formulation formulations[] = {
    {.name = "dop853", .order = 8}, {.name = "dopri5", .order = 5}, {.name = NULL}};

const trmi_integrator_ops trmi_integ_explicit = {
    .about = {.name = "explicit", .formulations = formulations,
              .meaning = "Solves for accelerations only: fast where nothing is stiff.",
              .suits = TRM_SUITS_FREE, .is_explicit = true},
    .size = sizeof(trmi_explicit),
    .create = create, .plan = plan, .free = release, .start = start,
    .set_discrete = set_discrete,
    .attempt = attempt, .next = next, .accept = accept, .state = state,
    .interpolate = trmi_explicit_interpolate, .recall = trmi_explicit_recall,
    .forget = forget, .visit = visit, .settle = settle, .error_power = error_power, .order = order,
    .error_unit = error_unit, .safety = 0.9, .past = 0.04, .growth = 5.0, .steps_to_events = true,
    .hold = 1.0,
};
