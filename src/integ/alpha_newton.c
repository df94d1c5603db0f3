/* alpha_newton.c - the nonlinear system of one step of the alpha family.
 *
 * Unknowns are corrections of a, lam, mu, y, w. With c = (1-am)/(1-af),
 * M_C = c M + gamma h C, Kt = (M acc)_q + (G^T lam)_q + (A^T mu)_q + K, T = T(delta),
 * Z = (G v + g_t)_q, Z_A = (A v + b)_q, one Newton step of the stabilized index-2 system separates
 * into an index-3 step and a velocity projection:
 *
 *   [M_C + beta h^2 Kt T  G^T  A^T] [P]     [-motion              ]
 *   [G T                          ] [L]  =  [-g / (beta h^2)      ]          (1)
 *   [A + beta h/gamma Z_A T       ] [N]     [-(A v + b)/(gamma h) ]
 *
 *   [M_C  G^T  A^T] [d]     [0                                                ]
 *   [G            ] [n]  =  [-(G v + g_t + beta h^2 Z T P)/(gamma h) - G P    ]  (2)
 *   [A            ] [m]     [0                                                ]
 *
 *   da = P + d,  dlam = L + n,  dmu = N + m,  ddelta = beta h^2 P,
 *   dv = gamma h da,  dacc = c da                                            (3)
 *
 * States (dx = gamma h dy, dx' = c dy) and variables are in both matrices, in (2) without
 * derivatives by q and with zero right-hand sides. Index 3 is (1) alone.
 *
 * Light steps: where h times the frequencies and angles of a step are small, Kt, Z and
 * T - I matter little. The matrix of (2) then also serves (1); since G P is
 * -g/(beta h^2) exactly in that case, both right-hand sides are known at once,
 *   second right-hand side   -(G v + g_t)/(gamma h) + g/(beta h^2)          (4)
 * The rate of convergence shows whether this pays, see alpha.c.
 *
 * Where motions leave no freedom, P and d give no information about the multipliers. These are also
 * tested if the matrix of (1) is from an earlier step (multiplier_test.c),
 *   beta h^2 (G^T dlam + A^T dmu)_i / D_i,   D the diagonal of that matrix                 (5)
 *
 * In a singular pose rows of constraints are dependent: g changes by kappa d^2/2 over a correction
 * d along the direction that they leave free. Rows that are rounded to rho, over the scales, bound
 * d by no more than
 *   d <= sqrt(2 rho),   kappa = 1 over the scales                                           (6)
 * so that corrections up to there are noise where all rows hold to rho.
 * Derivation: docs/theory/04-si2.md; [HHT], [ArnoldBruls2007], [GearGuptaLeimkuhler1985]. */
#include "integ/alpha.h"
#include "integ/multiplier_test.h"
#include "math/both.h"
#include "system/newton_loop.h"
#include "system/row_sizes.h"
#include <float.h>
#include <math.h>
#include <string.h>

static trm_status not_finite(const trm_system *sys, trm_quantity list, int index,
                             const char *what, trm_error *err) {
  trm_label label;
  trm_system_label(sys, list, index, &label);
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, label.object, "%s of '%s' is not finite", what,
                   label.name);
}

static bool are_finite(const double *list, int n) {
  trmi_both sum = both(0.0, 0.0);
  int i = 0;
  for (; i + 1 < n; i += 2) sum = both_add(sum, both_mul(both(0.0, 0.0), both_load(list + i)));
  const double last = i < n ? 0.0 * list[i] : 0.0; /* zero times infinity is no number */
  return both_at(sum, 0) + both_at(sum, 1) + last == 0.0;
}

trm_status trmi_alpha_residual(trmi_alpha *ga, trm_error *err) {
  trm_system *sys = ga->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  trm_values out = {.motion = ga->r, .g = ga->g, .a_rate = ga->a_rate,
                    .g_rate = trmi_alpha_has_projection(ga) ? ga->g_rate : NULL,
                    .d = ga->r + at.x, .w = ga->r + at.w};
  if (ga->form == ALPHA_PAPER) {
    /* motion has c a in the place of v', states and variables have a */
    trm_state with_a = ga->next;
    with_a.vd = ga->a_next;
    const trm_values rest = {.d = out.d, .w = out.w};
    TRMI_TRY(err, trm_system_values(sys, &with_a, &rest, err));
    out.d = out.w = NULL;
  }
  TRMI_TRY(err, trm_system_values(sys, &ga->next, &out, err));
  if (ga->form == ALPHA_PAPER) {
    for (int i = 0; i < sys->n.nv; i++) ga->r[i] += ga->F_old[i];
  }
  int row = 0;
  ga->off = ga->index3_matrix.plan.nborder > 0
                ? trmi_worst_row(ga->g, sys->scale_g, sys->n.ng, &row) : 0.0;
  if (are_finite(ga->r, at.lam) && are_finite(ga->g, sys->n.ng)) return TRM_OK;
  for (int i = 0; i < at.lam; i++) {
    if (!isfinite(ga->r[i])) return not_finite(sys, TRM_V, i, "the equation of motion", err);
  }
  row = 0;
  while (isfinite(ga->g[row])) row++;
  return not_finite(sys, TRM_LAM, row, "the constraint", err);
}

/* (5) of the correction in r and r2, rms over the scales. */
static double load_of(trmi_alpha *ga, double h) {
  const trm_system *sys = ga->ctx.sys;
  const bool two = trmi_alpha_has_projection(ga);
  const trmi_matrix *newest = two ? &ga->projection_matrix : &ga->index3_matrix;
  double *force = ga->turned;
  trmi_multiplier_test_force(newest, sys, ga->r, two ? ga->r2 : NULL, force);
  return ga->beta * h * h *
         sqrt(trmi_multiplier_test_square(&ga->index3_matrix, sys, ga->ctx.scale_v, force));
}

/* Until the rate is measured, it is expected to be this power of the rate of the previous step. It
 * tends to one, until a second correction becomes necessary and measures it. */
static const double careful = 0.8, steady = 0.95;
/* Rates below this are not trusted: they vary from step to step by a factor of ten. */
static const double least_rate = 1e-3, least_rate_large = 1e-4;

/* Corrections up to this part of the tolerance may be noise; near rounding, up to (6). */
static const double noise_of_tolerance = 0.05;
/* Noise varies between steps: its largest recent value counts, multiplied by this in each step. */
static const double noise_fades = 0.8;
/* Before this number of corrections the iteration may simply not have converged yet. */
static const int noise_shows = 5;

/* Are multipliers accurate enough? They are in doubt only with an old matrix. Where motions leave
 * no degree of freedom, they are the only unknowns left to iterate: they must satisfy the smallest
 * part of the tolerance. */
static bool loads_hold(trmi_alpha *ga, double h, double limit, trmi_multiplier_test *loads) {
  if (ga->age == 0 || ga->is_light) return true;
  const double least = trmi_alpha_least_limit(ga, h, limit), rounding = DBL_EPSILON * ga->q_size;
  return trmi_multiplier_test_holds(loads, load_of(ga, h), least, rounding);
}

/* One step as the iteration of newton.h sees it. */
typedef struct iteration {
  trmi_alpha   *ga;
  double        h;
  trmi_attempt *result;
  bool          is_mixed;
  bool          is_slow; /* every iterate has its own tangent  */
  bool          is_new;  /* this one has                       */
  bool          has_second; /* the second matrix is of this step */
  bool          was_old; /* the one before had none            */
  bool          is_cut, was_cut; /* states moved to another part of their law, now or before */
  trmi_multiplier_test loads;
} iteration;

/* After a correction: is a new matrix worth its price? */
static bool is_slow(const iteration *it, const trmi_newton_monitor *m) {
  const trmi_alpha *ga = it->ga;
  const bool is_best = ga->is_light || (it->is_mixed && ga->age == 0); /* the matrix */
  return !is_best && !m->is_noise && (m->k > 3 || (m->k > 1 && m->ratio > 0.1));
}

/* In a diverging iteration contacts may be far too deep and matrices without pivots. Then the
 * attempt fails and the solver is kept; linear.h tries the next one only for the first matrix. */
static bool may_stray(const trmi_alpha *ga, const trmi_newton_monitor *m) {
  return m->k > 0 && !ga->ctx.fixed && ga->index3_matrix.plan.nborder == 0;
}

/* Form new matrices where wanted, and compute the correction. */
static trm_status refresh_and_solve(iteration *it, const trmi_newton_monitor *m, int which,
                                    trm_error *err) {
  trmi_alpha *ga = it->ga;
  const bool strays = which != 0 && may_stray(ga, m);
  trmi_linear *const lin[] = {&ga->index3_matrix.lin, &ga->projection_matrix.lin};
  lin[0]->keeps_rung = lin[1]->keeps_rung = strays;
  const trm_status status = which != 0 ? trmi_alpha_renew(ga, it->h, which, err)
                                       : trmi_alpha_correct(ga, it->h, err);
  lin[0]->keeps_rung = lin[1]->keeps_rung = false;
  if (strays && status == TRM_RETRY_SINGULAR) {
    return TRMI_FAIL(err, TRM_RETRY_NEWTON, NULL,
                     "Newton's iteration went to a place where its matrix is singular");
  }
  TRMI_TRY(err, status);
  return TRM_OK;
}

static trm_status correct(void *self, const trmi_newton_monitor *m, double *size,
                          trm_error *err) {
  iteration *it = self;
  trmi_alpha *ga = it->ga;
  it->is_slow = it->is_slow || (m->k > 0 && is_slow(it, m));
  if (m->k == 0 && trmi_alpha_match_states(ga, it->h)) it->is_slow = true; /* as by a cut */
  TRMI_TRY(err, trmi_alpha_residual(ga, err));
  it->was_old = !it->is_new && m->k > 0;
  it->is_new = ga->h_matrix == 0.0 || it->is_slow;
  int which = 0;
  if (it->is_new || (m->k == 0 && trmi_alpha_has_projection(ga) && !trmi_alpha_keeps(ga))) {
    /* where it is costly one second matrix in a step is enough: d of (2) is small */
    const bool keeps_second = it->has_second && !ga->is_light && trmi_alpha_is_costly(ga);
    which = (it->is_new ? ALPHA_INDEX3_MATRIX : 0) | (keeps_second ? 0 : ALPHA_PROJECTION_MATRIX);
    it->has_second = true;
  }
  TRMI_TRY(err, refresh_and_solve(it, m, which, err));
  if (it->is_mixed) trmi_alpha_accelerate(ga, it->h, m->k == 0 || it->is_new);
  const alpha_correction now = trmi_alpha_update(ga, it->h);
  it->result->iterations++;
  it->result->list = now.list;
  it->result->index = now.index;
  it->was_cut = it->is_cut;
  it->is_cut = it->is_slow = now.is_cut; /* another part of a law has another tangent */
  *size = now.size;
  return TRM_OK;
}

/* Where laws have steep parts, corrections may grow: those that enter or leave such a part, and the
 * first one with a new matrix, since old matrices underestimate the distance. */
static bool may_grow(const iteration *it, const trmi_newton_monitor *m) {
  const bool is_first = it->is_new && it->was_old && m->ratio < m->growth_first;
  const bool has_parts = it->ga->ctx.sys->ops->cut_states != NULL;
  return it->is_cut || it->was_cut || (has_parts && is_first);
}

/* Do constraints hold so well that a correction of this size may be noise of a singular pose? At a
 * stop it may have another cause. */
static trm_status is_noise_of_pose(const iteration *it, const trmi_newton_monitor *m,
                                   bool *is_noise, trm_error *err) {
  trmi_alpha *ga = it->ga;
  const double unit = ga->newton_part > 0.0 ? 1.0 : ga->beta / fabs(ga->C_q);
  const double part = noise_of_tolerance * ga->ctx.tolerance * unit;
  const double rounding = trmi_alpha_rounding_of_rows(ga);
  trmi_violation *off = &it->result->off;
  alpha_stops stops;
  *is_noise = false;
  if (!it->is_new || ga->ctx.fixed || ga->ctx.sys->n.ng == 0) return TRM_OK;
  if (!(m->size <= fmax(part, sqrt(2 * rounding)))) return TRM_OK; /* (6) */
  TRMI_TRY(err, trmi_alpha_constraints(ga, it->h, off, is_noise, err));
  const double left = fmax(off->position, it->h * off->velocity);
  *is_noise = *is_noise && (m->size <= part || left <= rounding);
  if (!*is_noise) return TRM_OK;
  TRMI_TRY(err, trmi_alpha_stops_test(ga, m, it->h, false, &stops, err));
  *is_noise = stops == ALPHA_STOPS_HOLD;
  if (*is_noise && m->size > part) ga->noise_next = fmax(ga->noise_next, m->size);
  return TRM_OK;
}

/* Growing corrections may be noise. Near a singular pose, rounding of the constraints moves
 * positions along the free direction, and corrections stay at that size even with new matrices: a
 * part of the tolerance is accepted where the constraints hold. */
static trm_status doubt(void *self, const trmi_newton_monitor *m, trmi_newton_doubt why,
                        trmi_newton_verdict *verdict, trm_error *err) {
  const iteration *it = self;
  trmi_alpha *ga = it->ga;
  bool is_noise = false;
  (void)why; /* they grow */
  if (may_grow(it, m)) {
    *verdict = NEWTON_GOES_ON;
    return TRM_OK;
  }
  TRMI_TRY(err, is_noise_of_pose(it, m, &is_noise, err));
  if (is_noise) {
    *verdict = NEWTON_IS_GOOD;
    return TRM_OK;
  }
  TRMI_TRY(err, trmi_alpha_is_noise(ga, it->h, m->size, &is_noise, err));
  if (is_noise) *verdict = NEWTON_IS_NOISE;
  return TRM_OK;
}

/* Stops, multipliers and constraints must also pass their tests. */
static trm_status accept(void *self, const trmi_newton_monitor *m, bool is_noise, bool *is_good,
                         trm_error *err) {
  iteration *it = self;
  trmi_alpha *ga = it->ga;
  alpha_stops stops;
  *is_good = false;
  TRMI_TRY(err, trmi_alpha_stops_test(ga, m, it->h, is_noise, &stops, err));
  const bool is_foreign = stops == ALPHA_STOPS_FOREIGN && !ga->is_light;
  it->is_slow = it->is_slow || is_foreign;
  if (stops == ALPHA_STOPS_ITERATE || is_foreign) return TRM_OK;
  if (!loads_hold(ga, it->h, m->limit, &it->loads)) {
    it->is_slow = it->loads.count > 2 && it->loads.ratio > 0.3;
    return TRM_OK;
  }
  TRMI_TRY(err, trmi_alpha_constraints(ga, it->h, &it->result->off, is_good, err));
  *is_good = *is_good || is_noise;
  if (!*is_good) return TRM_OK;
  ga->rate = fmin(m->k > 0 ? m->worst : m->ratio, 0.9);
  ga->measured = m->k > 0 ? m->worst : 0.0;
  ga->load_rate = fmin(fmax(it->loads.ratio, 0.1), 0.9);
  return TRM_OK;
}

/* Attempts that will be rejected end at once. */
static trm_status give_up(void *self, const trmi_newton_monitor *m, trmi_newton_verdict *verdict,
                          trm_error *err) {
  const iteration *it = self;
  (void)err;
  if (trmi_alpha_is_lost(it->ga, it->h, m->rest * m->size, it->result)) *verdict = NEWTON_IS_GOOD;
  return TRM_OK;
}

/* Does the rate of convergence change little from step to step? Not with matrices of earlier steps,
 * which become less accurate, and not with laws of stops; matrices by blocks, formed in the same
 * step, omit terms that change as slowly as the motion. Other families have limits of their own,
 * and form differences in which a remainder is visible. */
static bool is_steady(const trmi_alpha *ga, bool is_mixed) {
  const bool is_new = trmi_alpha_is_cheap(ga) && ga->rule == NULL;
  return is_new && !is_mixed && !ga->ctx.fixed && ga->ctx.sys->n.ngaps == 0;
}

/* Iterate with the present matrices, or with new ones if there are none. */
trm_status trmi_alpha_newton(trmi_alpha *ga, double h, trmi_attempt *result, trm_error *err) {
  const bool is_mixed = ga->is_mixed && trmi_alpha_has_projection(ga);
  const int most = (is_mixed && !ga->ctx.fixed ? 2 : 1) * ga->ctx.options->max_iterations;
  iteration step = {.ga = ga, .h = h, .result = result, .is_mixed = is_mixed,
                    .loads = {.ratio = ga->load_rate}};
  const bool is_large = trmi_alpha_is_large(ga);
  const trmi_iteration it = {.self = &step, .correct = correct, .doubt = doubt, .accept = accept,
                             .advance = is_large && !ga->traits->resolves ? give_up : NULL};
  trmi_newton_monitor m = trmi_alpha_rules(ga, h, most);
  ga->noise_next = noise_fades * ga->noise;
  m.growth = is_mixed ? 3.0 : 1.0; /* mixed corrections may grow now and then */
  m.growth_first = 4.0;
  m.worst = is_large ? least_rate_large : least_rate;
  m.ratio = m.rate = pow(ga->rate, is_steady(ga, is_mixed) ? steady : careful);
  m.rest = trmi_newton_rest(m.rate);
  trmi_newton_end end;
  TRMI_TRY(err, trmi_newton_iterate(&it, &m, &end, err));
  bool is_good = end == NEWTON_CONVERGED;
  if (end == NEWTON_SLOW && most >= noise_shows) {
    TRMI_TRY(err, is_noise_of_pose(&step, &m, &is_good, err));
  }
  if (is_good) return TRM_OK;
  const trmi_worst worst = {.list = result->list, .index = result->index};
  const int count = end == NEWTON_SLOW ? most : m.k + 1;
  return trmi_newton_failed(ga->ctx.sys, end, count, m.size, worst, err);
}
