/* kinematic.c - mechanisms without a degree of freedom: every instant is solved independently.
 *
 * From a known state at t to the state at t + h:
 *   q = q (+) (h v + h^2/2 v')                              guess              (1)
 *   G d = -g(q, t + h),  q <- q (+) d                       Newton             (2)
 *   G v = -g_t                                              velocities         (3)
 *   G v' = -bias,  M v' + G^T lam = Q,  w = W               accelerations, multipliers (4)
 * (2) to (4) are the equations of consistent.c, in which masses have no effect if nothing is free.
 * With theta = |d_2| / |d_1|, the ratio of the first two corrections, a step is accepted if
 *   theta <= 1/2;   |d_1| ~ h^3 and theta ~ |d_1| give  h_new = h (theta_0/theta)^(1/3)   (5)
 * so that the guess is well inside the region of convergence of Newton's method. Whether the
 * solution belongs to the same motion is tested at both ends, with psi the increment from q_0 to
 * q_1:
 *   |psi - h/2 (v_0 + T^-1 v_1) - h^2/12 (v'_0 - T^-1 v'_1)| << |psi|          (6)
 * The left side is of order h^5 along a smooth motion and of the size of psi after a jump. Dense
 * output also solves (1) to (4). Theory: docs/theory/06-start-and-rank.md. */
#include "integ/integrator.h"
#include "system/freedom.h"
#include "system/newton_loop.h"
#include <math.h>

static const double theta_most = 0.5, theta_wanted = 0.1;
/* Corrections this small over the scales are rounding if they no longer decrease. */
static const double rounding = 1e-11;
/* Constraints whose residual corrections cannot reduce below this contradict each other. */
static const double violation_most = 1e-10;
/* Limits of (6): a part of psi, and a part of the scales, for drives with a kink. */
static const double gap_most = 0.05, gap_floor = 1e-3;
enum { HALVINGS = 20, DEFAULT_STEPS = 100 };

typedef struct trmi_kinematic {
  trmi_context    ctx;
  trm_state       now, next;     /* after accept `next` is the previous step     */
  trm_state       here;          /* between the two                             */
  trmi_consistent dense;         /* of dense output, so that samples leave no trace */
  bool            has_dense_matrix;
  double         *guess;         /* increment (1), then that of (6)      [nv]    */
  double         *turned;        /* T^-1 v_1, T^-1 v'_1                  [2 nv]  */
  double         *Tinv;          /*                                      [9 nrot] */
} trmi_kinematic;

/* Result of a move. */
typedef struct move_info {
  int            iterations;
  double         theta, gap;
  int            worst; /* coordinate of the largest first correction, or -1 */
  trmi_violation off;
} move_info;

static trm_status check(const trmi_context *ctx, trm_error *err) {
  trm_system *sys = ctx->sys;
  trm_label label;
  if (sys->n.nx > 0) {
    trm_system_label(sys, TRM_X, 0, &label);
    return TRMI_FAIL(err, TRM_ERR_INPUT, label.object,
                     "the state '%s' has a rate and must be integrated: 'kinematic' cannot do "
                     "that, use integrator hht", label.name);
  }
  if (sys->n.na > 0) {
    trm_system_label(sys, TRM_MU, 0, &label);
    return TRMI_FAIL(err, TRM_ERR_INPUT, label.object,
                     "the constraint '%s' is one of velocities and does not hold positions: "
                     "'kinematic' cannot use it, use integrator hht", label.name);
  }
  if (ctx->rank->freedoms == 0) return TRM_OK;
  char names[160];
  trmi_freedom freedom;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &ctx->arena->allocator);
  const trm_status status =
      trmi_freedom_find(sys, ctx->start, ctx->rank, &scratch, &freedom, err);
  if (status == TRM_OK) trmi_freedom_names(sys, &freedom, names, sizeof names);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  const int left = ctx->rank->freedoms;
  if (ctx->rank->rows >= ctx->rank->nv) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "%d freedom%s left at the start%s%s, although there are enough constraints: "
                     "for 'kinematic' begin outside a singular pose, or drive the free "
                     "coordinates; or use integrator hht",
                     left, left == 1 ? " is" : "s are",
                     names[0] != '\0' ? ", for example of " : "", names);
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                   "%d freedom%s left%s%s: 'kinematic' needs a drive for each, a constraint with "
                   "the time; or use integrator hht",
                   left, left == 1 ? " is" : "s are", names[0] != '\0' ? ", for example of " : "",
                   names);
}

/* Samples are always solved for. */
static double longest_step(const trm_options *opt, double span) {
  if (opt->output_step > 0.0) return opt->output_step;
  return span / (opt->outputs > 0 ? opt->outputs : DEFAULT_STEPS);
}

static trm_status create(void *integ, const trmi_context *ctx, const char *formulation,
                         trm_error *err) {
  (void)formulation;
  trmi_kinematic *k = integ;
  *k = (trmi_kinematic){.ctx = *ctx};
  TRMI_TRY(err, check(ctx, err));
  trmi_state_take(ctx->sys, ctx->arena, &k->now);
  trmi_state_take(ctx->sys, ctx->arena, &k->next);
  trmi_state_take(ctx->sys, ctx->arena, &k->here);
  k->guess = TRMI_TAKE(ctx->arena, double, ctx->sys->n.nv);
  k->turned = TRMI_TAKE(ctx->arena, double, 2 * (size_t)ctx->sys->n.nv);
  k->Tinv = TRMI_TAKE(ctx->arena, double, 9 * (size_t)ctx->sys->n.nrot);
  TRMI_TRY(err, trmi_arena_check(ctx->arena, err));
  return TRM_OK;
}

/* The matrices of steps are those of the driver's consistent.c; dense output has its own. */
static trm_status plan(void *integ, bool bordered, trm_error *err) {
  trmi_kinematic *k = integ;
  if (k->has_dense_matrix) return trmi_consistent_rebuild(&k->dense, bordered, err);
  k->has_dense_matrix = true;
  TRMI_TRY(err, trmi_consistent_init(&k->dense, k->ctx.sys, k->ctx.arena, k->ctx.options->solver,
                                     bordered, err));
  return TRM_OK;
}

static void release(void *integ) {
  trmi_kinematic *k = integ;
  if (k->has_dense_matrix) trmi_consistent_free(&k->dense);
}

/* (1) */
static void predict(trmi_kinematic *k, const trm_state *from, double h, trm_state *to) {
  trm_system *sys = k->ctx.sys;
  trmi_state_copy(sys, from, to);
  for (int i = 0; i < sys->n.nv; i++) {
    k->guess[i] = h * (from->v[i] + 0.5 * h * from->vd[i]);
    to->v[i] += h * from->vd[i];
  }
  trm_system_retract(sys, from->q, k->guess, to->q);
}

/* (2) as the iteration of newton.h sees it: full steps. */
typedef struct iteration {
  const trmi_kinematic *k;
  trmi_consistent      *c;
  trm_state            *s;
  move_info            *info;
  trmi_correction       d; /* the last one */
} iteration;

static trm_status correct(void *self, const trmi_newton_monitor *m, double *size,
                          trm_error *err) {
  iteration *it = self;
  TRMI_TRY(err, trmi_consistent_correct(it->c, it->s, it->k->ctx.scale_v, &it->d, err));
  *size = it->d.length;
  it->info->iterations = m->k;
  if (*size > 0.0 && m->k == 0) it->info->worst = it->d.worst;
  if (*size > 0.0 && m->k == 1) it->info->theta = *size / m->size;
  return TRM_OK;
}

static trm_status doubt(void *self, const trmi_newton_monitor *m, trmi_newton_doubt why,
                        trmi_newton_verdict *verdict, trm_error *err) {
  const iteration *it = self;
  (void)err;
  if (why != NEWTON_STALLS) return TRM_OK;
  const bool is_rounding = m->size <= rounding && m->size >= 0.1 * m->last;
  if (is_rounding && it->d.violation <= violation_most) *verdict = NEWTON_IS_GOOD;
  return TRM_OK;
}

static trm_status find_positions(trmi_kinematic *k, trmi_consistent *c, trm_state *s,
                                 move_info *info, trm_error *err) {
  iteration step = {.k = k, .c = c, .s = s, .info = info};
  const trmi_iteration it = {.self = &step, .correct = correct, .doubt = doubt};
  const int most = k->ctx.options->max_iterations;
  trmi_newton_monitor m = trmi_newton_rules(most + 1, 0.0); /* one more confirms g = 0 */
  m.stall_from = 1, m.stall = 0.0;
  m.growth = m.growth_first = nextafter(theta_most, 1.0);
  trmi_newton_end end;
  TRMI_TRY(err, trmi_newton_iterate(&it, &m, &end, err));
  if (end == NEWTON_CONVERGED) return TRM_OK;
  info->iterations = m.k;
  trm_label label;
  trm_system_label(c->sys, TRM_LAM, step.d.row, &label);
  return TRMI_FAIL(err, TRM_RETRY_NEWTON, label.object,
                   "Newton finds no position at t = %g %s, constraint '%s' stays at %.2g; the "
                   "mechanism cannot be closed there, or is in a singular pose", s->t,
                   c->sys->units.time, label.name, step.d.violation);
}

/* (6) over its tolerance, and the coordinate where it is largest */
static double gap(trmi_kinematic *k, const trm_state *s0, const trm_state *s1, int *worst) {
  const trm_system *sys = k->ctx.sys;
  const int nv = sys->n.nv;
  const double h = s1->t - s0->t;
  double *psi = k->guess, *v1 = k->turned, *vd1 = k->turned + nv, largest = -1.0, size = 0.0;
  trm_system_difference(sys, s1->q, s0->q, psi);
  trmi_group_Tinv(sys, psi, k->Tinv);
  trmi_group_apply(sys, k->Tinv, s1->v, v1);
  trmi_group_apply(sys, k->Tinv, s1->vd, vd1);
  for (int i = 0; i < nv; i++) {
    const double displacement = h / 2 * (s0->v[i] + v1[i]) + h * h / 12 * (s0->vd[i] - vd1[i]);
    const double off = fabs(psi[i] - displacement) / k->ctx.scale_v[i];
    size = fmax(size, fabs(psi[i]) / k->ctx.scale_v[i]);
    if (!(off <= largest)) largest = off, *worst = i;
  }
  return largest / (gap_most * size + gap_floor);
}

/* From one state to the state a time h later, without smaller steps. */
static trm_status move(trmi_kinematic *k, trmi_consistent *c, const trm_state *from, double t,
                       trm_state *to, move_info *info, trm_error *err) {
  *info = (move_info){.worst = -1};
  predict(k, from, t - from->t, to);
  trmi_state_at(c->sys, from, t, to);
  TRMI_TRY(err, find_positions(k, c, to, info, err));
  TRMI_TRY(err, trmi_consistent_close(c, to, err));
  TRMI_TRY(err, trmi_consistent_violation(c, to, &info->off, err));
  double size = 1.0 / c->sys->second;
  for (int i = 0; i < c->sys->n.nv; i++) {
    size = fmax(size, fabs(to->v[i]) / c->sys->unit_v[i]);
  }
  if (!(info->off.velocity <= 1e-9 * size)) {
    return TRMI_FAIL(err, TRM_RETRY_SINGULAR, NULL,
                     "no velocities satisfy the constraints at t = %g %s: the pose is singular",
                     t, c->sys->units.time);
  }
  int worst = 0;
  info->gap = gap(k, from, to, &worst);
  if (!(info->gap <= 1.0)) {
    trm_label label;
    trm_system_label(c->sys, TRM_V, worst, &label);
    return TRMI_FAIL(err, TRM_RETRY_NEWTON, label.object,
                     "the motion of '%s' to t = %g %s cannot be followed: it jumps, or branches in "
                     "a singular pose", label.name, t, c->sys->units.time);
  }
  return TRM_OK;
}

/* The same with up to 2^HALVINGS smaller steps if Newton's method needs them. */
static trm_status march(trmi_kinematic *k, trmi_consistent *c, const trm_state *from, double t,
                        trm_state *to, move_info *info, trm_error *err) {
  const double whole = t - from->t;
  double step = whole, theta = 0.0;
  int iterations = 0;
  trmi_state_copy(k->ctx.sys, from, &k->here);
  for (;;) {
    const double left = t - k->here.t;
    const bool is_last = fabs(step) >= fabs(left) * (1.0 - 1e-9);
    const trm_status status =
        move(k, c, &k->here, is_last ? t : k->here.t + step, to, info, err);
    iterations += info->iterations, theta = fmax(theta, info->theta);
    info->iterations = iterations, info->theta = theta;
    if (status == TRM_OK) {
      if (is_last) return TRM_OK;
      trmi_state_copy(k->ctx.sys, to, &k->here);
      step *= 2.0;
    } else if (status < 0 || fabs(step) < ldexp(fabs(whole), -HALVINGS)) {
      return trmi_note(err, __func__, status);
    } else {
      step = 0.5 * (is_last ? left : step);
    }
  }
}

static trm_status start(void *integ, const trm_state *s, double *h, trm_error *err) {
  (void)err;
  trmi_kinematic *k = integ;
  trmi_state_copy(k->ctx.sys, s, &k->now);
  if (!(*h > 0.0)) *h = k->ctx.options->step_max;
  return TRM_OK;
}

static trm_status attempt(void *integ, double h, trmi_attempt *result, trm_error *err) {
  trmi_kinematic *k = integ;
  move_info info = {.worst = -1};
  const double t = k->now.t + h;
  const trm_status status =
      k->ctx.fixed ? march(k, k->ctx.consistent, &k->now, t, &k->next, &info, err)
                   : move(k, k->ctx.consistent, &k->now, t, &k->next, &info, err);
  *result = (trmi_attempt){.iterations = info.iterations, .list = TRM_V, .index = info.worst,
                           .off = info.off, .error = fmax(info.theta / theta_most, info.gap)};
  TRMI_TRY(err, status);
  const double wish = fmin(cbrt(theta_wanted / fmax(info.theta, 1e-6)), /* (5) */
                           pow(fmax(info.gap, 1e-6), -0.2));
  result->factor = fmin(fmax(wish, 0.3), 2.0);
  return TRM_OK;
}

static const trm_state *next(const void *integ) {
  return &((const trmi_kinematic *)integ)->next;
}

static void accept(void *integ) {
  trmi_kinematic *k = integ;
  const trm_state before = k->now;
  k->now = k->next;
  k->next = before;
}

static const trm_state *state(const void *integ) {
  return &((const trmi_kinematic *)integ)->now;
}

/* From the nearer end of the step. */
static trm_status interpolate(void *integ, double t, trm_state *s, trm_error *err) {
  trmi_kinematic *k = integ;
  move_info info;
  const trm_state *s0 = &k->next, *s1 = &k->now; /* swapped by accept */
  const trm_state *from = t - s0->t <= s1->t - t ? s0 : s1;
  TRMI_TRY(err, march(k, &k->dense, from, t, s, &info, err));
  return TRM_OK;
}

static void forget(void *integ) {
  trmi_kinematic *k = integ;
  trmi_consistent_forget(&k->dense);
}

static void visit(void *integ, trmi_visitor *v) {
  trmi_kinematic *k = integ;
  trmi_visit_state(v, k->ctx.sys, &k->now);
}

static trm_status settle(void *integ, trm_error *err) {
  (void)integ; /* the driver does this for its matrices */
  (void)err;
  return TRM_OK;
}

static int order(const void *integ) {
  (void)integ;
  return 2;
}

static int error_power(const void *integ) {
  (void)integ;
  return 3;
}

static const trm_formulation formulations[] = {{.name = "positions", .order = 2},
                                               {.name = NULL}};

const trmi_integrator_ops trmi_integ_kinematic = {
    .about = {.name = "kinematic", .formulations = formulations,
              .meaning = "Solves every instant by itself, without integrating.",
              .where = "where nothing is free to move", .suits = TRM_SUITS_DRIVEN},
    .size = sizeof(trmi_kinematic),
    .create = create, .plan = plan, .free = release, .start = start,
    .attempt = attempt, .next = next, .accept = accept, .state = state,
    .interpolate = interpolate,
    .forget = forget, .visit = visit, .settle = settle, .error_power = error_power, .order = order,
    .longest_step = longest_step, .safety = 0.9, .growth = 2.0,
    .hold = 1.0,
};
