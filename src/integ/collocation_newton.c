/* collocation_newton.c - the nonlinear system of one step.
 *
 * Unknowns of stage i are psi''_i, lam_i, mu_i, x'_i, w_i. Corrections d_j of all stages
 * change those of stage i by
 *   dpsi_i = h^2 sum aa_ij d_j,  dpsi'_i = h sum a_ij d_j,  dx_i = h sum a_ij d_j      (1)
 * With all derivatives at one point, the predicted middle stage, or the last one of two (columns of
 * v times T there; other terms of the rotation vector are omitted), and a = S diag(l) S^-1,
 * Newton's system decouples, z = h l:
 *
 *   [M + z C + z^2 Kt   G^T  A^T] [.]     [motion         ]
 *   [G                          ] [.] = - [g / z^2        ]    and rows of x, w       (2)
 *   [A + z Z_A                  ] [.]     [(A v + b) / z  ]
 *
 * for each eigenvalue l, right-hand sides and solutions transformed by S^-1 and S. All
 * these matrices are P0 + z P1 + z^2 P2; one of a pair of eigenvalues is enough. Index 2
 * has (G v + g_t)/z with G + z (G v + g_t)_q, index 1 has G v' + bias with
 * G + z bias_v + z^2 bias_q; (G v')_q, which brings no advantage, is omitted.
 *
 * Multicorrector (two stages), with one real matrix (2) of z = h/2, z^2 replaced by
 * h^2/6: L a a L^-1 with L = [1 1/9; 0 1] has pivots 1/6 and 1/6, those of a are 1/2, 1/3:
 *   S d1 = -(r1 + r2/9)                                 g rows times 6/h^2, A rows 2/h  (3)
 *   S d2 = -(r2 + (3/4 h P1 + 1/2 h^2 P2) d1)            g rows -(6/h^2 g2 + 3 G d1)
 *                                     A rows -(3/h a2 + (9/4 A + 3/2 h Z_A) d1)        (4)
 *   stage 1 += d1 - d2/9,  stage 2 += d2                                              (5)
 * It contracts by 1/3 or better for any stiffness.
 * Sources: [HairerWanner], [TDG]. Derivation: docs/theory/08-collocation.md. */
#include "integ/collocation.h"
#include "integ/point_sums.h"
#include "integ/stop_rules.h"
#include "math/both.h"
#include "math/so3.h"
#include "system/row_sizes.h"
#include "system/tangent.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* A step longer than the previous one by this factor is not predicted to its end. */
static const double far_step = 1.5;

/* Largest border of tdg, whose stages are predicted less accurately. */
static const double tdg_border = 1e9;

/* Power of z with which a quantity changes. */
static const int power_of[TRMI_BYS] = {
    [TRMI_BY_INERTIA_Q] = 2, [TRMI_BY_VELOCITY] = 1, [TRMI_BY_POSITION] = 2, [TRMI_BY_STATE] = 1,
    [TRMI_BY_BELOW] = 1,     [TRMI_BY_TWO_BELOW] = 2};

/* The matrix (2): all columns of v are multiplied by T. */
static trmi_tangent tangent_of(collocation_level level) {
  const trmi_level lam = level == LEVEL_POSITION   ? TRMI_AT_POSITION
                         : level == LEVEL_VELOCITY ? TRMI_AT_VELOCITY
                                                   : TRMI_AT_ACCELERATION;
  return (trmi_tangent){.by = TRMI_BY_ALL, .turned = TRMI_BY_ALL, .lam = lam,
                        .mu = lam == TRMI_AT_POSITION ? TRMI_AT_VELOCITY : lam,
                        .scales_rows = true};
}

void trmi_collocation_release(trmi_collocation *co) {
  trmi_matrix_free(&co->real);
  trmi_dense_stage_drop(&co->inside);
  trmi_linear_free(&co->full);
  for (int k = 0; k < PAIRS_MAX; k++) trmi_complex_free(&co->pair[k]);
  trmi_arena_clear(&co->arena);
  co->real = (trmi_matrix){0};
  co->full = (trmi_linear){0};
  co->full_plan = (trmi_plan){0};
}

trm_status trmi_collocation_plan(trmi_collocation *co, bool bordered, trm_error *err) {
  trm_system *sys = co->ctx.sys;
  trmi_collocation_release(co);
  co->h_matrix = 0.0;
  trmi_line lines[TRMI_TANGENT_MAX];
  const trmi_tangent tangent = tangent_of(co->level);
  const trmi_matrix_spec spec = {.lines = lines, .nlines = trmi_tangent_lines(&tangent, lines),
                                 .slot_one = TRMI_BY_VARIABLE, .iterated = true, .simplified = true,
                                 .bordered = bordered, .solver = co->ctx.options->solver};
  TRMI_TRY(err, trmi_matrix_build(&co->real, sys, &co->arena, &spec, err));
  const trmi_plan *plan = &co->real.plan;
  const int entries = plan->Ap[plan->n];
  for (int k = 0; k < 3; k++) co->part[k] = TRMI_TAKE(&co->arena, double, entries);
  co->columns = TRMI_TAKE(&co->arena, double, entries);
  if (co->is_tdg) trmi_anderson_plan(&co->close_anderson, plan->n, &co->arena);
  TRMI_TRY(err, trmi_arena_check(&co->arena, err));
  TRMI_TRY(err, trmi_dense_stage_plan(&co->inside, bordered, err));
  if (co->is_tdg || co->ctx.fixed || bordered) {
    TRMI_TRY(err, trmi_collocation_plan_full(co, bordered, err));
  }
  if (co->is_tdg) return TRM_OK;
  for (int k = 0; k < co->s_most / 2; k++) {
    TRMI_TRY(err, trmi_complex_init(&co->pair[k], &co->arena, plan, co->ctx.options->solver,
                                    &sys->tally, err));
  }
  return TRM_OK;
}

static void complete_stage(trmi_collocation *co, int i, double h);

/* --- matrices --------------------------------------------------------------------- */

trm_status trmi_collocation_evaluate(trmi_collocation *co, int i, double h, trm_error *err) {
  const trm_state *s = &co->stage;
  trmi_plan *plan = &co->real.plan;
  complete_stage(co, i, h);
  trmi_group_T(co->ctx.sys, co->psi[i], co->T);
  TRMI_TRY(err, trmi_system_strong_blocks(co->ctx.sys, s, co->real.blocks, s->vd, s->lam, s->mu,
                                          err));
  for (int k = 0; k < 3; k++) {
    double coefficient[TRMI_SLOTS];
    for (int by = 0; by < TRMI_BYS; by++) coefficient[by] = power_of[by] == k ? 1.0 : 0.0;
    trmi_tangent_complete(coefficient);
    trmi_plan_fill(plan, coefficient, co->T);
    trmi_plan_get(plan, co->part[k]);
  }
  co->h_matrix = 0.0;
  return TRM_OK;
}

static trm_status factor_real(trmi_collocation *co, double z, double z2, trm_error *err) {
  trmi_plan *plan = &co->real.plan;
  const int entries = plan->Ap[plan->n];
  for (int k = 0; k < entries; k++) {
    co->columns[k] = co->part[0][k] + z * co->part[1][k] + z2 * co->part[2][k];
  }
  trmi_plan_put(plan, co->columns);
  return trmi_matrix_factor_filled(&co->real, co->ctx.sys, err);
}

static trm_status factor_pairs(trmi_collocation *co, double h, trm_error *err) {
  const trmi_collocation_table *rk = co->rk;
  for (int k = 0; k < rk->s / 2; k++) {
    const double *l = rk->lambda + 2 * (k + 1);
    const double z[2] = {h * l[0], h * l[1]};
    co->pair[k].is_general = co->real.lin.rung > 0; /* what the real matrix needs, it needs too */
    const trm_status status = trmi_complex_factor(&co->pair[k], co->part, z, err);
    if (status == TRM_RETRY_SINGULAR && co->pair[k].bad_column >= 0) {
      return trmi_matrix_singular(co->ctx.sys, co->pair[k].bad_column, err);
    }
    TRMI_TRY(err, status);
  }
  return TRM_OK;
}

/* Stage of the derivatives: the middle one. With two stages the last one, so that the matrix also
 * serves the end of the step, if that is projected and the prediction reaches so far. */
static int place_of(const trmi_collocation *co, double h) {
  const bool is_far = h > far_step * co->h;
  return co->is_tdg && (co->is_plain || is_far) ? 0 : co->rk->s / 2;
}

/* Gaps below this, over their scales, count as neither open nor closed. */
static const double rounding_of_gaps = 1e-13;

/* Gaps at a stage, as it is now, without their rates. */
static trm_status find_gaps(trmi_collocation *co, int i, double h, trm_error *err) {
  trmi_collocation_stage(co, i, h);
  const trm_values sides = {.gaps = co->gaps, .only_gap = -1};
  return trm_system_values(co->ctx.sys, &co->stage, &sides, err);
}

trm_status trmi_collocation_touches(trmi_collocation *co, double h, double size, bool *touches,
                                    trm_error *err) {
  *touches = false;
  for (int i = 0; i < co->rk->s && !*touches; i++) {
    TRMI_TRY(err, find_gaps(co, i, h, err));
    for (int k = 0; k < co->ctx.sys->n.ngaps; k++) {
      *touches = *touches || trmi_stop_is_shallow(&co->ctx, co->gaps, k, size);
    }
  }
  return TRM_OK;
}

trm_status trmi_collocation_is_foreign(trmi_collocation *co, double h, bool counts_borders,
                                       bool *is_foreign, trm_error *err) {
  const int ngaps = co->ctx.sys->n.ngaps;
  *is_foreign = false;
  for (int k = 0; k < (co->is_tdg ? 2 : 1); k++) {
    TRMI_TRY(err, find_gaps(co, co->is_tdg ? k : place_of(co, h), h, err));
    for (int i = 0; i < ngaps; i++) {
      const bool is_border = trmi_stop_is_on_border(&co->ctx, co->gaps, i) ||
                             fabs(co->gaps[3 * i]) <= rounding_of_gaps * co->ctx.gap_scale[i];
      *is_foreign =
          *is_foreign || (trmi_stop_has_changed(co->gaps, co->was_closed + k * ngaps, i) &&
                          (counts_borders || !is_border));
    }
  }
  return TRM_OK;
}

trm_status trmi_collocation_note_sides(trmi_collocation *co, int i, int of, double h,
                                       trm_error *err) {
  const int ngaps = co->ctx.sys->n.ngaps;
  if (ngaps == 0) return TRM_OK;
  TRMI_TRY(err, find_gaps(co, i, h, err));
  trmi_stops_note(co->ctx.sys, co->gaps, co->was_closed + of * ngaps);
  return TRM_OK;
}

/* Violation of the constraints that sets the border: near a singular pose, whose rows need a small
 * border, the largest of all stages; elsewhere without limit, since the order of the stages makes
 * the remainder of a lock by (2) of matrix.c visible. */
static trm_status set_off(trmi_collocation *co, double h, trm_error *err) {
  trm_system *sys = co->ctx.sys;
  double off = trmi_collocation_is_near(co) ? 0.0 : INFINITY;
  int row = 0;
  if (co->real.plan.nborder == 0 || sys->n.ng == 0) return TRM_OK;
  for (int i = 0; i < co->rk->s && off < INFINITY; i++) {
    trmi_collocation_stage(co, i, h);
    TRMI_TRY(err, trm_system_values(sys, &co->stage, &(trm_values){.g = co->re}, err));
    off = fmax(off, trmi_worst_row(co->re, sys->scale_g, sys->n.ng, &row));
  }
  trmi_matrix_set_off(&co->real, co->ctx.fixed && !co->is_tdg ? 0.0 : off,
                      co->is_tdg ? tdg_border : trmi_border_most);
  return TRM_OK;
}

/* The matrix of the real eigenvalue, or of the passes. */
static trm_status factor_first(trmi_collocation *co, double h, trm_error *err) {
  const double gamma = co->rk->gamma;
  if (co->rk->s == 2) return factor_real(co, h / 2, h * h / 6, err);
  return factor_real(co, h * gamma, h * h * gamma * gamma, err);
}

/* All that a step by eigenvalues or passes solves with. */
static trm_status factor(trmi_collocation *co, double h, trm_error *err) {
  const trmi_collocation_table *rk = co->rk;
  const int place = place_of(co, h);
  TRMI_TRY(err, set_off(co, h, err));
  TRMI_TRY(err, trmi_collocation_evaluate(co, place, h, err));
  TRMI_TRY(err, factor_first(co, h, err));
  if (rk->s > 2) TRMI_TRY(err, factor_pairs(co, h, err));
  TRMI_TRY(err, trmi_collocation_note_sides(co, place, 0, h, err));
  if (co->is_tdg) TRMI_TRY(err, trmi_collocation_note_sides(co, place, 1, h, err));
  co->factored++;
  co->h_matrix = h;
  co->s_matrix = rk->s;
  co->is_of_end = place == rk->s - 1;
  return TRM_OK;
}

trm_status trmi_collocation_filter_matrix(trmi_collocation *co, double h, trm_error *err) {
  if (co->h_matrix == h && co->s_matrix == co->rk->s) return TRM_OK;
  TRMI_TRY(err, set_off(co, h, err));
  return factor_first(co, h, err); /* parts are those of the full matrix */
}

void trmi_collocation_multiply(const trmi_collocation *co, int k, const double *x, double *y) {
  const trmi_plan *plan = &co->real.plan;
  const double *Ax = co->part[k];
  memset(y, 0, (size_t)plan->n * sizeof *y);
  for (int j = 0; j < plan->n; j++) {
    if (x[j] == 0.0) continue;
    for (int e = plan->Ap[j]; e < plan->Ap[j + 1]; e++) y[plan->Ai[e]] += Ax[e] * x[j];
  }
}

/* --- stages ----------------------------------------------------------------------- */

void trmi_collocation_sums(trmi_collocation *co, int i, double h) {
  const trmi_collocation_table *rk = co->rk;
  const int s = rk->s, nv = co->ctx.sys->n.nv;
  const double *a = rk->a + i * s, *aa = rk->aa + i * s, *restrict v = co->now.v;
  double *restrict psi = co->psi[i], *restrict rate = co->rate[i];
  trmi_point_sums((const double *const *)co->z, aa, a, s, nv, psi, rate);
  const double c = rk->c[i];
  const trmi_both cc = both(c, c), hh = both(h, h);
  int m = 0;
  for (; m + 1 < nv; m += 2) {
    const trmi_both v_m = both_load(v + m), more = both_mul(hh, both_load(psi + m));
    both_store(psi + m, both_mul(hh, both_add(both_mul(cc, v_m), more)));
    both_store(rate + m, both_add(v_m, both_mul(hh, both_load(rate + m))));
  }
  if (m < nv) {
    psi[m] = h * (c * v[m] + h * psi[m]);
    rate[m] = v[m] + h * rate[m];
  }
}

void trmi_collocation_turn(trmi_collocation *co, double *psi, double *rate, double *acc) {
  const trm_system *sys = co->ctx.sys;
  const int nv = sys->n.nv;
  trm_state *st = &co->stage;
  st->v = rate, st->vd = acc;
  trm_system_retract(sys, co->now.q, psi, st->q);
  if (sys->n.nrot == 0) return;

  /* v = T psi', v' = T psi'' + T' psi' */
  st->v = co->stage_v, st->vd = co->stage_vd;
  memcpy(st->v, rate, (size_t)nv * sizeof(double));
  memcpy(st->vd, acc, (size_t)nv * sizeof(double));
  for (int k = 0; k < sys->n.nrot; k++) {
    const int m = sys->rot_v[k];
    double T[9], Tdot[9];
    trmi_so3_T(psi + m, T);
    trmi_so3_Tdot(psi + m, rate + m, Tdot);
    for (int e = 0; e < 3; e++) {
      const double *Te = T + 3 * e, *De = Tdot + 3 * e;
      st->v[m + e] = Te[0] * rate[m] + Te[1] * rate[m + 1] + Te[2] * rate[m + 2];
      st->vd[m + e] = Te[0] * acc[m] + Te[1] * acc[m + 1] + Te[2] * acc[m + 2] +
                      De[0] * rate[m] + De[1] * rate[m + 1] + De[2] * rate[m + 2];
    }
  }
}

/* Stage i into co->stage, from its psi and psi'. */
static void complete_stage(trmi_collocation *co, int i, double h) {
  const trm_system *sys = co->ctx.sys;
  const trmi_collocation_table *rk = co->rk;
  const trmi_places at = trmi_places_of(sys);
  const int s = rk->s, nx = sys->n.nx;
  const double *a = rk->a + i * s;
  double *psi = co->psi[i], *rate = co->rate[i], *z = co->z[i];
  trm_state *st = &co->stage;
  for (int m = 0; m < nx; m++) {
    double first = 0.0;
    for (int j = 0; j < s; j++) first += a[j] * co->z[j][at.x + m];
    st->x[m] = co->now.x[m] + h * first;
  }
  trmi_state_at(sys, &co->now, co->now.t + rk->c[i] * h, st);
  st->lam = z + at.lam, st->mu = z + at.mu, st->xd = z + at.x, st->w = z + at.w;
  trmi_collocation_turn(co, psi, rate, z);
}

void trmi_collocation_stage(trmi_collocation *co, int i, double h) {
  trmi_collocation_sums(co, i, h);
  complete_stage(co, i, h);
}

/* TRM_RETRY_DOMAIN names the first equation that is not finite. */
static trm_status test_finite(const trm_system *sys, const double *r, int n, trm_error *err) {
  trmi_both nothing = both(0.0, 0.0);
  int m = 0;
  for (; m + 1 < n; m += 2) nothing = both_add(nothing, both_scale(0.0, both_load(r + m)));
  if (m < n) nothing = both_add(nothing, both(0.0 * r[m], 0.0));
  if (both_at(nothing, 0) == 0.0 && both_at(nothing, 1) == 0.0) return TRM_OK;
  trm_label label;
  trm_quantity list = TRM_V;
  int index = 0;
  for (m = 0; m < n - 1 && isfinite(r[m]);) m++;
  trmi_place_unknown(sys, m, &list, &index);
  trm_system_label(sys, list, index, &label);
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, label.object, "the equation of '%s' is not finite",
                   label.name);
}

trm_status trmi_collocation_residual(trmi_collocation *co, int i, double h, trm_error *err) {
  trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  double *r = co->r[i];
  trmi_collocation_stage(co, i, h);
  const bool is_second = co->level == LEVEL_ACCELERATION;
  const trm_values out = {.motion = r,
                          .g = co->level == LEVEL_POSITION ? r + at.lam : NULL,
                          .g_rate = co->level == LEVEL_VELOCITY ? r + at.lam : NULL,
                          .g_bias = is_second ? r + at.lam : NULL,
                          .a_rate = is_second ? NULL : r + at.mu,
                          .a_bias = is_second ? r + at.mu : NULL,
                          .d = r + at.x, .w = r + at.w};
  TRMI_TRY(err, trm_system_values(sys, &co->stage, &out, err));
  if (is_second) {
    const trmi_block_set set = TRMI_BIT(TRM_G) | TRMI_BIT(TRM_A);
    TRMI_TRY(err, trmi_system_blocks(sys, &co->stage, set & co->real.blocks, NULL, NULL, NULL,
                                     err));
    if (sys->n.ng > 0) trmi_sparse_add_mul(&sys->block[TRM_G], 1.0, co->stage.vd, r + at.lam);
    if (sys->n.na > 0) trmi_sparse_add_mul(&sys->block[TRM_A], 1.0, co->stage.vd, r + at.mu);
  }
  return test_finite(sys, r, at.n, err);
}

/* --- one correction ---------------------------------------------------------------- */

/* Real part of (2): d_i = S_i times the solution. */
static trm_status solve_real(trmi_collocation *co, double h, trm_error *err) {
  const trmi_collocation_table *rk = co->rk;
  const trmi_places at = trmi_places_of(co->ctx.sys);
  const int s = rk->s;
  const double z = h * rk->gamma;
  const double of_g = co->level == LEVEL_POSITION ? 1 / (z * z)
                      : co->level == LEVEL_VELOCITY ? 1 / z : 1.0;
  const double of_a = co->level == LEVEL_ACCELERATION ? 1.0 : 1 / z;
  double *b = co->re, weight[STAGES_MAX];
  for (int j = 0; j < s; j++) weight[j] = -rk->Sinv[2 * j];
  trmi_point_values((const double *const *)co->r, weight, s, at.n, b);
  for (int m = at.lam; m < at.mu; m++) b[m] *= of_g;
  for (int m = at.mu; m < at.x; m++) b[m] *= of_a;
  TRMI_TRY(err, trmi_linear_solve(&co->real.lin, b, err));
  for (int i = 0; i < s; i++) {
    const double w = rk->S[2 * i];
    for (int m = 0; m < at.n; m++) co->d[i][m] = w * b[m];
  }
  return TRM_OK;
}

static void scale(double *re, double *im, int n, double fr, double fi) {
  for (int m = 0; m < n; m++) {
    const double r = re[m] * fr - im[m] * fi;
    im[m] = re[m] * fi + im[m] * fr;
    re[m] = r;
  }
}

/* Pair k of (2), added to d. */
static void solve_pair(trmi_collocation *co, int k, double h) {
  const trmi_collocation_table *rk = co->rk;
  const trmi_places at = trmi_places_of(co->ctx.sys);
  const int s = rk->s, place = k + 1;
  const double *l = rk->lambda + 2 * place;
  const double *Sinv = rk->Sinv + 2 * s * place, *S = rk->S + 2 * s * place;
  const double size = h * (l[0] * l[0] + l[1] * l[1]), ir = l[0] / size, ii = -l[1] / size;
  double *restrict re = co->re, *restrict im = co->im;
  double weight_re[STAGES_MAX], weight_im[STAGES_MAX];
  for (int j = 0; j < s; j++) weight_re[j] = -Sinv[2 * j], weight_im[j] = -Sinv[2 * j + 1];
  trmi_point_sums((const double *const *)co->r, weight_re, weight_im, s, at.n, re, im);
  if (co->level == LEVEL_POSITION) {
    scale(re + at.lam, im + at.lam, at.mu - at.lam, ir * ir - ii * ii, 2 * ir * ii);
  } else if (co->level == LEVEL_VELOCITY) {
    scale(re + at.lam, im + at.lam, at.mu - at.lam, ir, ii);
  }
  if (co->level != LEVEL_ACCELERATION) scale(re + at.mu, im + at.mu, at.x - at.mu, ir, ii);
  trmi_complex_solve(&co->pair[k], re, im);
  for (int i = 0; i < s; i++) {
    const double wr = 2 * S[2 * i], wi = 2 * S[2 * i + 1];
    double *restrict d = co->d[i];
    for (int m = 0; m < at.n; m++) d[m] += wr * re[m] - wi * im[m];
  }
}

static trm_status correct_eigenvalues(trmi_collocation *co, double h, trm_error *err) {
  TRMI_TRY(err, solve_real(co, h, err));
  for (int k = 0; k < co->rk->s / 2; k++) solve_pair(co, k, h);
  return TRM_OK;
}

/* (3) to (5) */
static trm_status correct_passes(trmi_collocation *co, double h, trm_error *err) {
  const trmi_places at = trmi_places_of(co->ctx.sys);
  double *d1 = co->d[0], *d2 = co->d[1], *t0 = co->work, *t1 = co->work + at.n,
         *t2 = co->work + 2 * at.n;
  const double *r1 = co->r[0], *r2 = co->r[1];
  const bool is_second = co->level == LEVEL_ACCELERATION; /* then g_rate has no rows of its own */
  for (int m = 0; m < at.n; m++) d1[m] = -(r1[m] + r2[m] / 9);
  for (int m = at.lam; m < at.mu && !is_second; m++) d1[m] *= 6 / (h * h);
  for (int m = at.mu; m < at.x && !is_second; m++) d1[m] *= 2 / h;
  TRMI_TRY(err, trmi_linear_solve(&co->real.lin, d1, err));
  for (int k = 0; k < 3; k++) trmi_collocation_multiply(co, k, d1, co->work + k * at.n);
  for (int m = 0; m < at.n; m++) d2[m] = -(r2[m] + 0.75 * h * t1[m] + 0.5 * h * h * t2[m]);
  for (int m = at.lam; m < at.mu && !is_second; m++) d2[m] = -(6 / (h * h) * r2[m] + 3 * t0[m]);
  for (int m = at.mu; m < at.x && !is_second; m++) {
    d2[m] = -(3 / h * r2[m] + 2.25 * t0[m] + 1.5 * h * t1[m]);
  }
  TRMI_TRY(err, trmi_linear_solve(&co->real.lin, d2, err));
  for (int m = 0; m < at.n; m++) d1[m] -= d2[m] / 9;
  return TRM_OK;
}

trm_status trmi_collocation_correct(trmi_collocation *co, double h, collocation_scheme scheme,
                                    bool is_slow, trm_error *err) {
  if (scheme == BY_FULL) return trmi_collocation_correct_full(co, h, true, err);
  const bool has_matrix = co->h_matrix == h && co->s_matrix == co->rk->s;
  if (!has_matrix || (is_slow && scheme == BY_EIGENVALUES)) TRMI_TRY(err, factor(co, h, err));
  TRMI_TRY(err, scheme == BY_PASSES ? correct_passes(co, h, err) : correct_eigenvalues(co, h, err));
  return TRM_OK;
}
