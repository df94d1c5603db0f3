/* alpha.c - HHT and generalized-alpha on constrained systems, on the rotation group.
 *
 *   M(q) acc + G^T lam + A^T mu - Q = 0  and  d = 0, w = W   at t + h          (1)
 *   (1-am) a1 + am a0 = (1-af) acc1 + af acc0                                  (2)
 *   v1 = v0 + h ((1-gamma) a0 + gamma a1)                                      (3)
 *   q1 = q0 (+) delta,  delta = h v0 + h^2 ((1/2-beta) a0 + beta (a1 + s))     (4)
 *   si2:     g = 0, G v + g_t = 0 with M_C s + G^T eta = 0;  index3: g = 0, s = 0
 *   states:  (2) for y, x' in place of a, acc;  x1 = x0 + h ((1-gamma) y0 + gamma y1)  (5)
 *
 * Second order for any sequence of steps needs two corrections, theta = am - af:
 *   start          a0 = acc0 + theta h acc0'                                   (6)
 *   step change    a0 <- acc0 + (h / h_old) (a0 - acc0)                        (7)
 * Local error: C_q h^2 (a1 - a0) in q, C_q = beta + theta/2 - 1/6; for a rotation
 *   C_q h^2 (a1 - a0) - h^3/12 Omega x Omega', curvature of the rotation vector; (8)
 *   C_x h^3 x''' in x, C_x = kappa + gamma theta + gamma/2 - 1/6,
 *   kappa = (1-af)/2 - (1-am)(theta + 1/2).                                    (9)
 * Errors of v are not tested: h times the error of v has the size of (8), so testing it would only
 * change the meaning of the tolerance by a constant.
 *
 * index2, cs, cm [ALPHA] end a step with accelerations and multipliers of the index-1
 * system at the new q, v in place of those of (1):
 *   acc1, lam1 of M acc + G^T lam + A^T mu = Q, G acc + g_bias = 0, and a1 by (2)      (10)
 * see alpha_forms.c, alpha_split.c for cs, alpha_projected.c for projected.
 *
 * `paper` is the method as printed in [HHT] (10), (26): the forces of the previous step in place of
 * M acc0, neither (6) nor (7), the printed constant of the estimate, and the rule for states with
 * rho = gamma. It is first order when M depends on q or steps change, and is kept for comparison.
 * Sources: [HHT], [ChungHulbert1993], [ArnoldBruls2007], [BrulsCardona2010].
 * Derivation: docs/theory/03-alpha.md. */
#include "integ/alpha.h"
#include "integ/singular_pose.h"
#include "math/both.h"
#include <math.h>
#include <string.h>

/* A matrix is kept for at most MATRIX_AGE_MAX steps, while step sizes stay within matrix_ratio and
 * Newton's method needs no more than MATRIX_ITERATIONS; refactoring by blocks costs less than an
 * iteration. Light matrices, which pay only by blocks, are given up for HEAVY_STEPS steps when they
 * converge more slowly than light_rate. For si2 this concerns the first matrix: the second one is
 * part of the method, since s of (4) depends on it, and belongs to the present step unless it is
 * costly (trmi_alpha_keeps). */
static const double matrix_ratio = 1.2, matrix_rate = 0.2, light_rate = 0.1;

/* For cm, whose corrections are mixed. It takes v' and lam from (10), so a step rejected by the
 * error test keeps its light matrix if the new step is longer than kept_part of the old one. Light
 * matrices may converge more slowly, and after more than MIXED_ITERATIONS the step does not
 * grow. */
enum { MIXED_ITERATIONS = 7 };
static const double kept_part = 0.2, light_rate_mixed = 0.3;

/* Vibrations make errors fluctuate. Where attempts are costly, the step size does not grow for this
 * number of steps after consecutive rejections, see driver.c. */
enum { PATIENCE = 10 };

static trm_status read_coefficients(trmi_alpha *ga, bool is_hht, trm_error *err) {
  const trm_options *opt = ga->ctx.options;
  if (opt->has_coefficients) {
    ga->am = opt->alpha_m, ga->af = opt->alpha_f, ga->beta = opt->beta, ga->gamma = opt->gamma;
  } else if (is_hht) {
    const double alpha = opt->has_alpha ? opt->alpha : -0.3;
    if (!(alpha >= -1.0 / 3 - 1e-12 && alpha <= 0.0)) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "alpha is %g: hht takes -1/3 .. 0", alpha);
    }
    ga->am = 0.0, ga->af = -alpha;
    ga->gamma = 0.5 - alpha, ga->beta = 0.25 * (1 - alpha) * (1 - alpha);
  } else {
    const double rho = opt->has_rho ? opt->rho : 0.5;
    if (!(rho >= 0.0 && rho <= 1.0)) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "rho is %g: alpha takes 0 .. 1", rho);
    }
    ga->am = (2 * rho - 1) / (rho + 1), ga->af = rho / (rho + 1);
    ga->gamma = 0.5 - ga->am + ga->af;
    ga->beta = 0.25 * (1 - ga->am + ga->af) * (1 - ga->am + ga->af);
  }
  if (!(ga->am < 1.0 && ga->af < 1.0 && ga->beta > 0.0 && ga->gamma > 0.0)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "alpha_m = %g, alpha_f = %g, beta = %g, gamma = %g is not a method: "
                     "alpha_m, alpha_f < 1 and beta, gamma > 0 are needed",
                     ga->am, ga->af, ga->beta, ga->gamma);
  }
  if (ga->am > 0.5 + 1e-12 && ga->form != ALPHA_PAPER) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "alpha_m = %g is unstable with any step: deviations of the auxiliary "
                     "acceleration grow by alpha_m/(1 - alpha_m) in each; take 1/2 at most",
                     ga->am);
  }
  trmi_alpha_constants(ga);
  return TRM_OK;
}

static void take_arrays(trmi_alpha *ga) {
  const trm_system *sys = ga->ctx.sys;
  trmi_arena *arena = ga->ctx.arena;
  const trm_sizes *n = &sys->n;
  const int all = trmi_places_of(sys).n;
  trmi_state_take(sys, arena, &ga->now);
  trmi_state_take(sys, arena, &ga->next);
  if (ga->form == ALPHA_PROJECTED) trmi_state_take(sys, arena, &ga->end);
  double **const of_v[] = {&ga->a,  &ga->a_next, &ga->F,      &ga->F_next,
                           &ga->an, &ga->delta,  &ga->turned, &ga->F_old};
  double **const of_x[] = {&ga->y, &ga->y_next, &ga->yn, &ga->x_change};
  for (size_t i = 0; i < sizeof of_v / sizeof *of_v; i++) {
    *of_v[i] = TRMI_TAKE(arena, double, n->nv);
  }
  for (size_t i = 0; i < sizeof of_x / sizeof *of_x; i++) {
    *of_x[i] = TRMI_TAKE(arena, double, n->nx);
  }
  for (int k = 0; k < ALPHA_HISTORY; k++) ga->point[k] = TRMI_TAKE(arena, double, all);
  ga->T = TRMI_TAKE(arena, double, 9 * (size_t)n->nrot);
  ga->T_dense = TRMI_TAKE(arena, double, 9 * (size_t)n->nrot);
  trmi_dense_stage_take(&ga->inside, &ga->ctx, &ga->arena);
  ga->r = TRMI_TAKE(arena, double, all);
  ga->r2 = TRMI_TAKE(arena, double, all);
  double **const of_damped[] = {&ga->direction, &ga->direction2, &ga->sizes, &ga->found[0],
                                &ga->found[1]};
  for (int k = 0; k < 5 && ga->ctx.fixed; k++) *of_damped[k] = TRMI_TAKE(arena, double, all);
  ga->g = TRMI_TAKE(arena, double, n->ng);
  ga->multipliers = TRMI_TAKE(arena, double, n->ng);
  ga->g_rate = TRMI_TAKE(arena, double, n->ng);
  ga->a_rate = TRMI_TAKE(arena, double, n->na);
  ga->gaps = TRMI_TAKE(arena, double, 3 * (size_t)n->ngaps);
  ga->was_closed = TRMI_TAKE(arena, unsigned char, n->ngaps);
}

trm_status trmi_alpha_create(trmi_alpha *ga, const trmi_context *ctx, const char *formulation,
                             trm_error *err) {
  *ga = (trmi_alpha){.ctx = *ctx, .traits = trmi_alpha_forms};
  while (strcmp(ga->traits->name, formulation) != 0) ga->traits++;
  ga->form = ga->traits->form;
  trmi_arena_init(&ga->arena, &ctx->arena->allocator);
  take_arrays(ga);
  TRMI_TRY(err, trmi_arena_check(ctx->arena, err));
  return TRM_OK;
}

static trm_status create(trmi_alpha *ga, const trmi_context *ctx, const char *formulation,
                         bool is_hht, trm_error *err) {
  TRMI_TRY(err, trmi_alpha_create(ga, ctx, formulation, err));
  TRMI_TRY(err, read_coefficients(ga, is_hht, err));
  return TRM_OK;
}

static trm_status create_hht(void *integ, const trmi_context *ctx, const char *formulation,
                             trm_error *err) {
  return create(integ, ctx, formulation, true, err);
}

static trm_status create_alpha(void *integ, const trmi_context *ctx, const char *formulation,
                               trm_error *err) {
  return create(integ, ctx, formulation, false, err);
}

trm_status trmi_alpha_replan(void *integ, bool bordered, trm_error *err) {
  return trmi_alpha_plan(integ, bordered, err);
}

void trmi_alpha_release(void *integ) {
  trmi_alpha *ga = integ;
  trmi_matrix_free(&ga->index3_matrix);
  trmi_matrix_free(&ga->projection_matrix);
  trmi_split_free(&ga->split);
  trmi_dense_stage_drop(&ga->inside);
  trmi_arena_clear(&ga->arena);
}

static void copy(double *to, const double *from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

void trmi_alpha_measure(trmi_alpha *ga) {
  const trm_system *sys = ga->ctx.sys;
  ga->q_size = 1.0;
  int i = 0; /* v-index, the q-index is i + k */
  for (int k = 0; k <= sys->n.nrot; k++, i += 3) {
    const int end = k < sys->n.nrot ? sys->rot_v[k] : sys->n.nv;
    for (; i < end; i++) {
      const double size = fabs(ga->now.q[i + k]), scale = ga->ctx.scale_v[i];
      if (size > ga->q_size * scale) ga->q_size = size / scale;
    }
  }
}

/* The auxiliary variables keep their difference from v' and x'. */
static void continue_at(void *integ, const trm_state *s) {
  trmi_alpha *ga = integ;
  trm_system *sys = ga->ctx.sys;
  for (int i = 0; i < sys->n.nv; i++) ga->a[i] += s->vd[i] - ga->now.vd[i];
  for (int i = 0; i < sys->n.nx; i++) ga->y[i] += s->xd[i] - ga->now.xd[i];
  trmi_state_copy(sys, s, &ga->now);
  while (ga->npoints > 0 && ga->point_t[ga->npoints - 1] >= s->t) ga->npoints--;
  ga->degree = 1;
  ga->h_matrix = 0.0;
  trmi_alpha_remember(ga);
  trmi_alpha_measure(ga);
}

void trmi_alpha_set_discrete(void *integ, const double *z) {
  trmi_alpha *ga = integ;
  copy(ga->now.z, z, ga->ctx.sys->n.nz);
}

/* --- one step ------------------------------------------------------------- */

void trmi_alpha_predict(trmi_alpha *ga, double h) {
  trmi_alpha_extrapolate(ga, ga->now.t + h);
  trmi_alpha_first(ga, h);
}

/* Data of the motion; none of the lists overlap. */
typedef struct first_lists {
  const double *v0, *acc0, *a, *acc1;
  double       *an, *a_next, *vd, *v, *delta;
  double        h, ratio, am, af, rest, c, beta, gamma;
  bool          is_paper;
} first_lists;

/* Components i and i + 1, or i alone. */
static TRMI_INLINE void first_pair(const first_lists *l, int i, bool two) {
  const double h = l->h, beta = l->beta, gamma = l->gamma;
  const trmi_both v0 = both_some(l->v0 + i, two), acc0 = both_some(l->acc0 + i, two);
  const trmi_both lead = both_sub(both_some(l->a + i, two), acc0);
  const trmi_both a0 = both_add(acc0, both_scale(l->ratio, lead));                        /* (7) */
  const trmi_both known = both_scale(l->rest, both_sub(both_scale(l->am, a0),
                                                       both_scale(l->af, acc0)));
  const trmi_both acc1 = both_some(l->acc1 + i, two), c = both(l->c, l->c);
  const trmi_both a1 = l->is_paper ? acc1 : both_div(both_sub(acc1, known), c);           /* (2) */
  const trmi_both for_v = both_add(both_scale(1 - gamma, a0), both_scale(gamma, a1));
  const trmi_both for_q = both_add(both_scale(0.5 - beta, a0), both_scale(beta, a1));
  both_keep(l->an + i, a0, two);
  both_keep(l->a_next + i, a1, two);
  both_keep(l->vd + i, both_add(both_mul(c, a1), known), two);
  both_keep(l->v + i, both_add(v0, both_scale(h, for_v)), two);                           /* (3) */
  both_keep(l->delta + i, both_add(both_scale(h, v0), both_scale(h * h, for_q)), two);    /* (4) */
}

static void first_motion(trmi_alpha *ga, double h, double ratio) {
  const int nv = ga->ctx.sys->n.nv;
  const bool is_paper = ga->form == ALPHA_PAPER;
  const first_lists lists = {
      .v0 = ga->now.v, .acc0 = ga->now.vd, .a = ga->a, .acc1 = ga->r, .an = ga->an,
      .a_next = ga->a_next, .vd = ga->next.vd, .v = ga->next.v, .delta = ga->delta, .h = h,
      .ratio = ratio, .am = ga->am, .af = is_paper ? 0.0 : ga->af, .rest = 1.0 / (1 - ga->af),
      .c = ga->c, .beta = ga->beta, .gamma = ga->gamma, .is_paper = is_paper};
  int i = 0;
  for (; i + 1 < nv; i += 2) first_pair(&lists, i, true);
  if (i < nv) first_pair(&lists, i, false);
  for (i = 0; i < nv && is_paper; i++) ga->F_old[i] = ga->af * lists.rest * ga->F[i];
}

void trmi_alpha_first(trmi_alpha *ga, double h) {
  if (ga->rule != NULL) {
    ga->rule->first(ga, h);
    return;
  }
  const trm_system *sys = ga->ctx.sys;
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  const trm_state *s0 = &ga->now;
  trm_state *s1 = &ga->next;
  const bool paper = ga->form == ALPHA_PAPER;
  const double ratio = paper ? 1.0 : h / ga->h_old;
  const double gamma = ga->gamma, rest = 1.0 / (1 - ga->af);
  copy(s1->z, s0->z, n->nz);
  trmi_state_at(sys, s0, s0->t + h, s1);
  copy(s1->lam, ga->r + at.lam, n->ng);
  copy(s1->mu, ga->r + at.mu, n->na);
  copy(s1->w, ga->r + at.w, n->nw);
  first_motion(ga, h, ratio);
  for (int i = 0; i < n->nx; i++) {
    const double y0 = s0->xd[i] + ratio * (ga->y[i] - s0->xd[i]), xd1 = ga->r[at.x + i];
    const double known = (ga->am * y0 - ga->af * s0->xd[i]) * rest;
    ga->yn[i] = y0;
    ga->y_next[i] = paper ? xd1 : (xd1 - known) / ga->c;
    s1->xd[i] = xd1;
    s1->x[i] = s0->x[i] + h * ((1 - gamma) * y0 + gamma * ga->y_next[i]);     /* (5) */
  }
  trm_system_retract(sys, s0->q, ga->delta, s1->q);
}

/* History term of the next step by the printed method, and its acceleration. */
static trm_status close_paper(trmi_alpha *ga, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  memset(ga->next.vd, 0, (size_t)sys->n.nv * sizeof(double));
  TRMI_TRY(err, trm_system_values(sys, &ga->next, &(trm_values){.motion = ga->F_next}, err));
  copy(ga->next.vd, ga->a_next, sys->n.nv);
  return TRM_OK;
}

/* Choose the kind of matrix of this step, and whether to keep the old one. */
static void choose_matrix(trmi_alpha *ga, double h) {
  const bool is_cheap = trmi_alpha_is_cheap(ga);
  const bool light = ga->heavy == 0 && is_cheap && ga->form != ALPHA_CS &&
                     ga->form != ALPHA_PROJECTED;
  const double ratio = ga->h_matrix > 0.0 ? h / ga->h_matrix : 0.0;
  if (light && trmi_alpha_keeps(ga) && ratio > kept_part) return;
  if (light != ga->is_light || ga->age >= (is_cheap ? BLOCK_AGE_MAX : MATRIX_AGE_MAX) ||
      ga->iterations > MATRIX_ITERATIONS || ga->measured > matrix_rate || ratio > matrix_ratio ||
      ratio * matrix_ratio < 1.0) {
    ga->h_matrix = 0.0;
  }
  ga->is_light = light;
  /* a matrix of a rejected attempt with another h would cost an iteration and two new matrices */
  if (is_cheap && trmi_alpha_is_large(ga) && ratio != 1.0) ga->h_matrix = 0.0;
}

static trm_status iterate(trmi_alpha *ga, double h, trmi_attempt *result, trm_error *err) {
  return trmi_alpha_is_projected(ga) ? trmi_alpha_projected(ga, h, result, err)
                                     : trmi_alpha_newton(ga, h, result, err);
}

static trm_status attempt(void *integ, double h, trmi_attempt *result, trm_error *err) {
  static const alpha_scheme scheme = {choose_matrix, trmi_alpha_predict, iterate};
  trmi_alpha *ga = integ;
  *result = (trmi_attempt){.index = -1};
  const trm_status status = trmi_alpha_solve(ga, &scheme, h, result, err);
  if (status == TRM_RETRY_PATTERN) return status; /* the whole attempt will be repeated */
  if (status > 0) ga->h_matrix = 0.0;
  TRMI_TRY(err, status);
  if (result->error > 1.0) return TRM_OK; /* rejected: the iteration has ended early */
  if (ga->traits->resolves) TRMI_TRY(err, trmi_alpha_resolve(ga, h, err));
  TRMI_TRY(err, trmi_consistent_minimum_norm(ga->ctx.consistent, &ga->next, err));
  /* Newton's method tests positions for convergence, but variables may act on none of them */
  if (ga->loops.n > 0 && ga->form != ALPHA_PAPER) {
    TRMI_TRY(err, trmi_variables_solve(&ga->loops, &ga->next, err));
  }
  ga->iterations = result->iterations;
  const double most = ga->is_mixed ? light_rate_mixed : light_rate;
  if (ga->is_light && ga->age == 0 && ga->measured > most) ga->heavy = HEAVY_STEPS;
  if (ga->form == ALPHA_PAPER) TRMI_TRY(err, close_paper(ga, err));
  trmi_alpha_estimate(ga, h, result);
  if (trmi_alpha_is_large(ga) && ga->ctx.sys->n.ngaps == 0) result->patience = PATIENCE;
  const bool is_slow = ga->is_mixed && result->iterations > MIXED_ITERATIONS;
  if (is_slow && result->error < 0.7) result->factor = 1.0; /* the step grows no further */
  return TRM_OK;
}

static void swap(double **a, double **b) {
  double *const c = *a;
  *a = *b;
  *b = c;
}

const trm_state *trmi_alpha_next(const void *integ) {
  return &((const trmi_alpha *)integ)->next;
}

void trmi_alpha_keep_noise(trmi_alpha *ga) {
  ga->noise = ga->noise_next;
  if (!(ga->noise > ga->ctx.tolerance) || ga->has_reported_pose) return;
  ga->has_reported_pose = true;
  trmi_singular_pose_report(&ga->ctx, ga->now.t);
}

static void accept(void *integ) {
  trmi_alpha *ga = integ;
  trmi_alpha_choose_degree(ga);
  const trm_state before = ga->now;
  ga->h_old = ga->next.t - before.t;
  ga->now = ga->next;
  ga->next = before;
  swap(&ga->a, &ga->a_next);
  swap(&ga->y, &ga->y_next);
  swap(&ga->F, &ga->F_next);
  ga->age++;
  trmi_dense_stage_renew(&ga->inside);
  if (ga->heavy > 0) ga->heavy--;
  trmi_alpha_remember(ga);
  trmi_alpha_measure(ga);
  trmi_alpha_keep_noise(ga);
}

static trm_status relax(void *integ, trm_state *s, trm_error *err) {
  trmi_alpha *ga = integ;
  return trmi_alpha_relax(ga, ga->h_old, s, err);
}

const trm_state *trmi_alpha_state(const void *integ) {
  return &((const trmi_alpha *)integ)->now;
}

void trmi_alpha_forget(void *integ) {
  trmi_alpha *ga = integ;
  ga->h_matrix = 0.0;
  trmi_split_forget(&ga->split);
  trmi_linear_forget(&ga->index3_matrix.lin);
  trmi_dense_stage_forget(&ga->inside);
  trmi_linear_forget(&ga->projection_matrix.lin);
}

void trmi_alpha_visit_newton(trmi_alpha *ga, trmi_visitor *v) {
  trmi_visit(v, &ga->rate, sizeof ga->rate);
  trmi_visit(v, &ga->load_rate, sizeof ga->load_rate);
  trmi_visit(v, &ga->measured, sizeof ga->measured);
  trmi_visit(v, &ga->iterations, sizeof ga->iterations);
  trmi_visit(v, &ga->is_light, sizeof ga->is_light);
  trmi_visit(v, &ga->heavy, sizeof ga->heavy);
  trmi_visit(v, &ga->age, sizeof ga->age);
  trmi_visit(v, &ga->resolve_rate, sizeof ga->resolve_rate);
  trmi_visit(v, &ga->noise, sizeof ga->noise);
  trmi_visit(v, &ga->has_reported_pose, sizeof ga->has_reported_pose);
  trmi_linear_visit(&ga->index3_matrix.lin, v);
  trmi_linear_visit(&ga->projection_matrix.lin, v);
}

static void visit(void *integ, trmi_visitor *v) {
  trmi_alpha *ga = integ;
  const trm_system *sys = ga->ctx.sys;
  const size_t nv = (size_t)sys->n.nv * sizeof(double), nx = (size_t)sys->n.nx * sizeof(double);
  const size_t all = (size_t)trmi_places_of(sys).n * sizeof(double);
  trmi_visit_state(v, sys, &ga->now);
  trmi_visit(v, ga->a, nv);
  trmi_visit(v, ga->y, nx);
  trmi_visit(v, ga->F, nv);
  trmi_visit(v, &ga->h_old, sizeof ga->h_old);
  trmi_visit(v, &ga->q_size, sizeof ga->q_size);
  trmi_visit(v, &ga->npoints, sizeof ga->npoints);
  trmi_visit(v, ga->point_t, sizeof ga->point_t);
  for (int k = 0; k < ALPHA_HISTORY; k++) trmi_visit(v, ga->point[k], all);
  trmi_visit(v, &ga->degree, sizeof ga->degree);
  trmi_alpha_visit_newton(ga, v);
}

trm_status trmi_alpha_settle(void *integ, trm_error *err) {
  trmi_alpha *ga = integ;
  TRMI_TRY(err, trmi_linear_settle(&ga->index3_matrix.lin, err));
  TRMI_TRY(err, trmi_linear_settle(&ga->projection_matrix.lin, err));
  return TRM_OK;
}

const trmi_matrix *trmi_alpha_newton_matrix(const void *integ) {
  return &((const trmi_alpha *)integ)->index3_matrix;
}

static int order(const void *integ) {
  return ((const trmi_alpha *)integ)->D > 0.0 ? 1 : 2;
}

static int error_power(const void *integ) {
  return ((const trmi_alpha *)integ)->D > 0.0 ? 2 : 3;
}

const alpha_traits trmi_alpha_forms[] = {
    {"si2", ALPHA_SI2, true, true, false, false, false},
    {"index3", ALPHA_INDEX3, false, true, false, false, false},
    {"paper", ALPHA_PAPER, false, true, false, false, false},
    {"index2", ALPHA_INDEX2, true, true, true, false, false},
    {"cs", ALPHA_CS, true, true, true, false, false},
    {"cs-qr", ALPHA_CS, true, true, true, false, true},
    {"cm", ALPHA_CM, true, false, true, false, false},
    {"lm", ALPHA_SI2, true, true, false, false, false}, /* of bdf */
    {"projected", ALPHA_PROJECTED, true, true, false, false, false},
    {"projected-final", ALPHA_PROJECTED, true, true, false, true, false},
};
static const trm_formulation formulations[] = {
    {.name = "si2", .order = 2},       {.name = "index3", .order = 2},
    {.name = "paper", .order = 2},     {.name = "index2", .order = 2},
    {.name = "cs", .order = 2},        {.name = "cs-qr", .order = 2},
    {.name = "cm", .order = 2},        {.name = "projected", .order = 2},
    {.name = "projected-final", .order = 2}, {.name = NULL}};

#define BOTH_METHODS                                                                               \
  .size = sizeof(trmi_alpha), .plan = trmi_alpha_replan, .free = trmi_alpha_release,               \
  .start = trmi_alpha_start, .continue_at = continue_at,                                           \
  .set_discrete = trmi_alpha_set_discrete, .attempt = attempt, .next = trmi_alpha_next,            \
  .accept = accept, .state = trmi_alpha_state, .interpolate = trmi_alpha_interpolate,              \
  .relax = relax,                                                                                  \
  .forget = trmi_alpha_forget, .visit = visit, .settle = trmi_alpha_settle,                        \
  .newton_matrix = trmi_alpha_newton_matrix,                                                       \
  .error_power = error_power, .order = order, .safety = 0.9, .growth = 2.0,                        \
  .has_short_steps = true, .hold = 1.15, .remembers = 40

const trmi_integrator_ops trmi_integ_hht = {
    .about = {.name = "hht", .formulations = formulations,
              .meaning = "Damps fast vibrations, steps over them with moderate tolerances.",
              .reads = TRM_READS_ALPHA | TRM_READS_COEFFICIENTS | TRM_READS_SCALING,
              .suits = TRM_SUITS_MOST | TRM_SUITS_REDUNDANT},
    .create = create_hht, BOTH_METHODS,
};

const trmi_integrator_ops trmi_integ_alpha = {
    .about = {.name = "alpha", .formulations = formulations,
              .meaning = "As hht, with the damping set by the spectral radius at infinity.",
              .reads = TRM_READS_RHO | TRM_READS_COEFFICIENTS | TRM_READS_SCALING},
    .create = create_alpha, BOTH_METHODS,
};
