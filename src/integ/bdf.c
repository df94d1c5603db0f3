/* bdf.c - backward differentiation formulas of orders 1 to 5 on constrained systems, on the
 * rotation group, with variable order and step.
 *
 * Points y_i = (q, v, x) at t_n, t_(n-1), .. are stored unchanged (bdf_predict.c). A step h of
 * order k uses a base near its end,
 *   q_b = q_n (+) (h v_n + h^2/2 v_n'),   psi_i = log(q_b^-1 q_i)  (differences of scalars)     (1)
 * and for psi, v and x the polynomial of degree k through the newest k + 1 points: value y_p and
 * slope y_p' at t_n + h. Then, with u = v + s,
 *   1/b = sum_(j<k) 1/(t_n + h - t_(n-j))
 *   psi = psi_p + b (T^-1(psi) u - psi_p')                                                     (2)
 *   v' = v_p' + (v - v_p)/b,   x' = x_p' + (x - x_p)/b
 *   M v' + G^T lam + A^T mu = Q,   d = 0,   w = W   at t_n + h,   q = q_b (+) psi
 *   si2, lm:  g = 0, G v + g_t = 0 with M_C s + G^T eta = 0;   index3: g = 0, s = 0
 * The leading coefficient b varies with the steps: with a fixed one order 5 is unstable for
 * alternating steps h, 1.72 h. index2, cs, cs-qr and cm end a step with v' and lam of the index-1
 * system, (10) of alpha.c. Only q, v and x enter later steps, so si2, index2, cs and cm are the
 * same method and differ only in Newton's path and in lam. lm is si2 with extrapolated multipliers
 * in the first iterate, which all forms use here: residuals are linear in lam, and nothing else
 * changes.
 *
 * Newton's iteration is that of alpha_newton.c with c = 1, gamma h = b, beta h^2 = b^2, and
 *   dpsi = b^2 E P,   E = (I + b/2 skew(Omega))^-1 for rotations, I for scalars               (3)
 * in the place of T; T(psi) = I, since psi is of the size of the local error.
 * Order 6, the highest zero-stable one, is omitted: it amplifies vibrations with h omega from .85
 * to 17.4, and those with a damping ratio of 30 % still up to 14. Sources: [HHT], [OSC],
 * [GearGuptaLeimkuhler1985]. Derivation and figures: docs/theory/14-bdf.md. */
#include "integ/bdf.h"
#include <string.h>

/* As in alpha.c; here both matrices have the same age. */
static const double matrix_ratio = 1.2, matrix_rate = 0.2, light_rate = 0.1;
/* A step after a mark below this part of the one before it begins anew. */
static const double stale_part = 0.1;
/* Error constant of order 2, for the first step. */
static const double error_of_second = 0.2;

static const trm_formulation formulations[] = {
    {.name = "si2", .order = 2},    {.name = "index3", .order = 2}, {.name = "index2", .order = 2},
    {.name = "cs", .order = 2},     {.name = "cs-qr", .order = 2},  {.name = "cm", .order = 2},
    {.name = "lm", .order = 2},     {.name = NULL}};
static const int orders[] = {1, 2, 3, 4, BDF_ORDER_MAX, 0};

static void take_point(const trmi_context *ctx, bdf_point *p) {
  const trm_system *sys = ctx->sys;
  *p = (bdf_point){.q = TRMI_TAKE(ctx->arena, double, sys->nq),
                   .v = TRMI_TAKE(ctx->arena, double, sys->n.nv),
                   .x = TRMI_TAKE(ctx->arena, double, sys->n.nx),
                   .rest = TRMI_TAKE(ctx->arena, double, trmi_places_of(sys).n)};
}

static trm_status create(void *integ, const trmi_context *ctx, const char *formulation,
                         trm_error *err) {
  trmi_bdf *bd = integ;
  const trm_system *sys = ctx->sys;
  trmi_arena *arena = ctx->arena;
  const int nv = sys->n.nv, nx = sys->n.nx;
  *bd = (trmi_bdf){0};
  TRMI_TRY(err, trmi_alpha_create(&bd->core, ctx, formulation, err));
  bd->core.rule = &trmi_bdf_rule;
  bd->core.c = 1.0;
  bd->core.beta = bd->core.gamma = 1.0; /* set for each step in bdf_predict.c */
  bd->core.C_q = error_of_second;
  const int given = ctx->options->max_order;
  bd->order_max = given > 0 ? given : ctx->fixed ? formulations[0].order : BDF_ORDER_MAX;
  const char *in = ctx->options->error_in;
  bd->tests_velocities = in != NULL && strcmp(in, "velocities") == 0;
  for (int i = 0; i < BDF_POINTS; i++) {
    take_point(ctx, &bd->p[i]);
    bd->psi[i] = TRMI_TAKE(arena, double, nv);
  }
  double **const of_v[] = {&bd->increment, &bd->psi_p, &bd->psi_slope, &bd->v_p,
                           &bd->v_slope,   &bd->slide, &bd->slide_next};
  for (size_t i = 0; i < sizeof of_v / sizeof *of_v; i++) *of_v[i] = TRMI_TAKE(arena, double, nv);
  bd->base = TRMI_TAKE(arena, double, sys->nq);
  bd->x_p = TRMI_TAKE(arena, double, nx);
  bd->x_slope = TRMI_TAKE(arena, double, nx);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  return TRM_OK;
}

/* --- one step ------------------------------------------------------------------------- */

/* Choose the kind of matrix of this step, and whether to keep the old one. */
static void choose_matrix(trmi_alpha *ga, double h) {
  const trmi_bdf *bd = (const trmi_bdf *)ga;
  const bool is_cheap = trmi_alpha_is_cheap(ga);
  const bool light = ga->heavy == 0 && is_cheap && ga->form != ALPHA_CS;
  const double b = trmi_bdf_lead(bd, bd->order, h);
  const double ratio = ga->h_matrix > 0.0 ? b / ga->gh_matrix : 0.0;
  /* with fixed steps and an old matrix the iteration ends at the rounding of positions, and leaves
   * 1/b times as much in velocities */
  const bool is_exact = ga->ctx.fixed && ga->form == ALPHA_CM;
  if (is_exact || light != ga->is_light || ga->age >= (is_cheap ? BLOCK_AGE_MAX : MATRIX_AGE_MAX) ||
      ga->iterations > MATRIX_ITERATIONS || ga->measured > matrix_rate || ratio > matrix_ratio ||
      ratio * matrix_ratio < 1.0) {
    ga->h_matrix = 0.0;
  }
  ga->is_light = light;
}

static void predict(trmi_alpha *ga, double h) {
  trmi_bdf_predict((trmi_bdf *)ga, h);
}

/* A law begins at the newest point. The error of a step is known from points before it, as if the
 * motion were as smooth there: that of a step that is far shorter than the one to the last of them
 * would be taken for h/(2 h + that) of what it is. So it begins anew. */
static trm_status leave_mark(trmi_bdf *bd, double h, trm_error *err) {
  const bool is_far_shorter = h < stale_part * (bd->p[0].t - bd->p[1].t);
  if (!bd->choice.is_at_mark || bd->core.ctx.fixed || bd->nreal == 1 || !is_far_shorter) {
    return TRM_OK;
  }
  TRMI_TRY(err, trmi_bdf_start(bd, &bd->core.now, &h, err));
  return TRM_OK;
}

static trm_status attempt(void *integ, double h, trmi_attempt *result, trm_error *err) {
  static const alpha_scheme scheme = {choose_matrix, predict, trmi_alpha_newton};
  trmi_bdf *bd = integ;
  trmi_alpha *ga = &bd->core;
  *result = (trmi_attempt){.index = -1};
  TRMI_TRY(err, leave_mark(bd, h, err));
  if (!ga->ctx.fixed && bd->nreal == 1 && h != bd->h_start) trmi_bdf_begin(bd, h);
  bd->order = bd->choice.order < bd->npoints ? bd->choice.order : bd->npoints - 1;
  const trm_status status = trmi_alpha_solve(ga, &scheme, h, result, err);
  if (status == TRM_RETRY_PATTERN) return status;
  if (status > 0) {
    ga->h_matrix = 0.0;
    bd->choice.is_rising = false;
    bd->choice.since = 0;
  }
  TRMI_TRY(err, status);
  if (ga->traits->resolves) TRMI_TRY(err, trmi_alpha_resolve(ga, h, err));
  TRMI_TRY(err, trmi_consistent_minimum_norm(ga->ctx.consistent, &ga->next, err));
  /* Newton's method tests positions for convergence, but variables may act on none of them */
  if (ga->loops.n > 0) TRMI_TRY(err, trmi_variables_solve(&ga->loops, &ga->next, err));
  ga->iterations = result->iterations;
  if (ga->is_light && ga->age == 0 && ga->measured > light_rate) ga->heavy = HEAVY_STEPS;
  trmi_bdf_estimate(bd, h, result);
  bd->error = result->error;
  trmi_bdf_choose(bd, h, result);
  return TRM_OK;
}

static void exchange_slides(trmi_bdf *bd) {
  double *const before = bd->slide;
  bd->slide = bd->slide_next;
  bd->slide_next = before;
}

static void accept(void *integ) {
  trmi_bdf *bd = integ;
  trmi_alpha *ga = &bd->core;
  const trm_state before = ga->now;
  ga->now = ga->next;
  ga->next = before;
  ga->age++;
  trmi_dense_stage_renew(&ga->inside);
  if (ga->heavy > 0) ga->heavy--;
  bd->choice_before = bd->choice;
  bd->choice = bd->tried;
  bd->order_last = bd->order;
  bd->failures = 0;
  bd->error_last = bd->error;
  exchange_slides(bd);
  bd->has_dense = false;
  trmi_bdf_report_start(bd);
  trmi_bdf_remember(bd);
  trmi_alpha_measure(ga);
  trmi_alpha_keep_noise(ga);
}

static trm_status relax(void *integ, trm_state *s, trm_error *err) {
  trmi_bdf *bd = integ;
  return trmi_alpha_relax(&bd->core, bd->p[0].t - bd->p[1].t, s, err);
}

/* Points before the last one lie on the other side of the discontinuity. */
static trm_status pass_kink(void *integ, trm_error *err) {
  trmi_bdf *bd = integ;
  double h = bd->p[0].t - bd->p[1].t;
  if (!bd->core.ctx.fixed) TRMI_TRY(err, trmi_bdf_start(bd, &bd->core.now, &h, err));
  return TRM_OK;
}

/* Rates of accelerations have changed: while points lie on both sides, differences give no
 * information about vibrations. */
static void set_discrete(void *integ, const double *z) {
  trmi_alpha_set_discrete(integ, z);
  ((trmi_bdf *)integ)->choice.kinked = BDF_POINTS;
}

static void pass_mark(void *integ) {
  ((trmi_bdf *)integ)->choice.is_at_mark = true;
}

static void step_back(void *integ) {
  trmi_bdf *bd = integ;
  trmi_alpha *ga = &bd->core;
  const trm_state end = ga->now;
  ga->now = ga->next;
  ga->next = end;
  ga->h_matrix = 0.0;
  bd->choice = bd->choice_before;
  bd->has_dense = false;
  exchange_slides(bd);
  trmi_bdf_forget_newest(bd);
}

static void visit(void *integ, trmi_visitor *v) {
  trmi_bdf *bd = integ;
  trmi_alpha *ga = &bd->core;
  const trm_system *sys = ga->ctx.sys;
  const size_t one = sizeof(double);
  const size_t nq = (size_t)sys->nq * one, nv = (size_t)sys->n.nv * one;
  const size_t nx = (size_t)sys->n.nx * one, all = (size_t)trmi_places_of(sys).n * one;
  trmi_visit_state(v, sys, &ga->now);
  for (int i = 0; i < BDF_POINTS; i++) {
    bdf_point *p = &bd->p[i];
    trmi_visit(v, &p->t, sizeof p->t);
    trmi_visit(v, p->q, nq);
    trmi_visit(v, p->v, nv);
    trmi_visit(v, p->x, nx);
    trmi_visit(v, p->rest, all);
  }
  trmi_visit(v, &bd->npoints, sizeof bd->npoints);
  trmi_visit(v, &bd->nreal, sizeof bd->nreal);
  trmi_visit(v, &bd->order_last, sizeof bd->order_last);
  trmi_visit(v, &bd->h_start, sizeof bd->h_start);
  trmi_visit(v, ga->an, nv); /* v'' and x'' at the start */
  trmi_visit(v, ga->yn, nx);
  trmi_visit(v, &bd->choice, sizeof bd->choice);
  trmi_visit(v, &bd->failures, sizeof bd->failures);
  trmi_visit(v, &bd->error_last, sizeof bd->error_last);
  trmi_visit(v, bd->slide, nv);
  trmi_visit(v, &bd->begins_low, sizeof bd->begins_low);
  trmi_visit(v, &bd->has_reported_hold, sizeof bd->has_reported_hold);
  trmi_visit(v, &bd->has_reported_start, sizeof bd->has_reported_start);
  trmi_visit(v, &ga->q_size, sizeof ga->q_size);
  trmi_alpha_visit_newton(ga, v);
}

static int order(const void *integ) {
  return ((const trmi_bdf *)integ)->order;
}

static int error_power(const void *integ) {
  return ((const trmi_bdf *)integ)->order + 1;
}

const trmi_integrator_ops trmi_integ_bdf = {
    .about = {.name = "bdf", .formulations = formulations,
              .meaning = "Orders 1 to 5 in one run, with little work for a step; damps what it "
                         "does not resolve.",
              .reads = TRM_READS_MAX_ORDER | TRM_READS_ERROR_IN | TRM_READS_SCALING,
              .orders = orders,
              .is_multistep = true, .damps_unresolved = true},
    .size = sizeof(trmi_bdf),
    .create = create, .plan = trmi_alpha_replan, .free = trmi_alpha_release,
    .start = trmi_bdf_start, .set_discrete = set_discrete,
    .pass_kink = pass_kink, .pass_mark = pass_mark,
    .attempt = attempt, .next = trmi_alpha_next, .accept = accept, .step_back = step_back,
    .state = trmi_alpha_state, .steps_to_events = true,
    .interpolate = trmi_bdf_interpolate, .sketch = trmi_bdf_sketch,
    .relax = relax,
    .forget = trmi_alpha_forget, .visit = visit, .settle = trmi_alpha_settle,
    .newton_matrix = trmi_alpha_newton_matrix,
    .error_power = error_power, .order = order,
    .safety = 0.9, .growth = 2.0, .hold = 1.15,
};
