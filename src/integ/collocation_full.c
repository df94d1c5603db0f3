/* collocation_full.c - Newton with the derivatives of every stage at that stage.
 *
 * One matrix of all stages, refilled at every iterate; block (i, j) is
 *   e_ij P0_i + h a_ij P1_i + h^2 aa_ij P2_i                                  (1)
 * with e the unit matrix and P_i the parts of collocation_newton.c at stage i. Rows of
 * constraints at position or velocity level are two or one powers of h higher, as their
 * derivatives do, and are divided by h^2 or h. Used near singular poses, where the constraints of
 * different stages have very different derivatives. */
#include "integ/collocation.h"
#include <math.h>
#include <string.h>

/* Steps of radau that choose their order pass singular poses with three stages. */
static int full_stages(const trmi_collocation *co) {
  return co->is_tdg || co->ctx.fixed ? co->s_most : 3;
}

bool trmi_collocation_has_full(const trmi_collocation *co) {
  return co->full_plan.n > 0 && co->full_plan.n == co->rk->s * co->real.plan.n;
}

trm_status trmi_collocation_plan_full(trmi_collocation *co, bool bordered, trm_error *err) {
  const trmi_plan *plan = &co->real.plan;
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const int s = full_stages(co), n = plan->n, entries = plan->Ap[n];
  trmi_sparse *all = &co->full_block;
  *all = (trmi_sparse){.rows = s * n, .cols = s * n, .n = s * s * entries};
  all->row = TRMI_TAKE(&co->arena, int, all->n);
  all->col = TRMI_TAKE(&co->arena, int, all->n);
  all->values = TRMI_TAKE(&co->arena, double, all->n);
  co->full_b = TRMI_TAKE(&co->arena, double, s * n);
  TRMI_TRY(err, trmi_arena_check(&co->arena, err));
  int count = 0;
  for (int i = 0; i < s; i++) {
    for (int j = 0; j < s; j++) {
      for (int c = 0; c < n; c++) {
        for (int k = plan->Ap[c]; k < plan->Ap[c + 1]; k++) {
          all->row[count] = i * n + plan->Ai[k];
          all->col[count++] = j * n + c;
        }
      }
    }
  }
  const trmi_term term = {.block = all};
  /* multipliers of all stages lie between other unknowns: the border covers the whole diagonal,
   * with zeros outside their rows */
  const int border = bordered && at.x > at.lam ? s * n : 0;
  TRMI_TRY(err, trmi_plan_build(&co->full_plan, &co->arena, s * n, &term, 1,
                                (trmi_rotations){0}, 0, border, err));
  TRMI_TRY(err, trmi_linear_init(&co->full, &co->arena, &co->full_plan, co->ctx.options->solver,
                                 &co->ctx.sys->tally, err));
  return TRM_OK;
}

/* Power of h by which rows of a place are raised. */
static int shift_of(const trmi_collocation *co, const trmi_places *at, int row) {
  if (row < at->lam || row >= at->x || co->level == LEVEL_ACCELERATION) return 0;
  return row < at->mu && co->level == LEVEL_POSITION ? 2 : 1;
}

/* (1) for the rows of stage i, from the parts. */
static void fill_stage(trmi_collocation *co, int i, double h) {
  const trmi_collocation_table *rk = co->rk;
  const trmi_plan *plan = &co->real.plan;
  const trmi_places at = trmi_places_of(co->ctx.sys);
  const int s = rk->s, n = plan->n, entries = plan->Ap[n];
  for (int j = 0; j < s; j++) {
    const double power[5] = {i == j, h * rk->a[i * s + j], h * h * rk->aa[i * s + j], 0.0, 0.0};
    /* with exact integrals the rows of motion contain another part of Kt */
    const double extra = !co->is_exact ? 0.0 : i == 0 ? h * h / 72 : -h * h / 24;
    double *values = co->full_block.values + (size_t)(i * s + j) * (size_t)entries;
    for (int k = 0; k < entries; k++) {
      const int shift = shift_of(co, &at, plan->Ai[k]);
      const double *c = power + shift;
      const double unit = shift == 2 ? h * h : shift == 1 ? h : 1.0;
      values[k] = (c[0] * co->part[0][k] + c[1] * co->part[1][k] + c[2] * co->part[2][k]) / unit;
      if (plan->Ai[k] < at.lam) values[k] += extra * co->part[2][k];
    }
  }
}

static trm_status factor(trmi_collocation *co, double h, trm_error *err) {
  const trmi_places at = trmi_places_of(co->ctx.sys);
  for (int i = 0; i < co->rk->s; i++) {
    TRMI_TRY(err, trmi_collocation_evaluate(co, i, h, err));
    fill_stage(co, i, h);
    if (co->is_tdg) TRMI_TRY(err, trmi_collocation_note_sides(co, i, i, h, err));
  }
  trmi_plan_fill(&co->full_plan, (const double[]){1.0}, NULL);
  for (int b = 0; b < co->full_plan.nborder; b++) {
    const int m = b % at.n;
    co->full_plan.border[b] = m >= at.lam && m < at.x ? -1e-12 : 0.0;
  }
  const trm_status status = trmi_linear_factor(&co->full, err);
  if (status == TRM_RETRY_SINGULAR && co->full.bad_column >= 0) {
    return trmi_matrix_singular(co->ctx.sys, co->full.bad_column % at.n, err);
  }
  return status;
}

trm_status trmi_collocation_correct_full(trmi_collocation *co, double h, bool is_new,
                                         trm_error *err) {
  const trmi_places at = trmi_places_of(co->ctx.sys);
  const int s = co->rk->s;
  if (is_new) TRMI_TRY(err, factor(co, h, err));
  for (int i = 0; i < s; i++) {
    for (int m = 0; m < at.n; m++) {
      const int shift = shift_of(co, &at, m);
      co->full_b[i * at.n + m] = -co->r[i][m] / (shift == 2 ? h * h : shift == 1 ? h : 1.0);
    }
  }
  TRMI_TRY(err, trmi_linear_solve(&co->full, co->full_b, err));
  for (int i = 0; i < s; i++) {
    memcpy(co->d[i], co->full_b + i * at.n, (size_t)at.n * sizeof(double));
  }
  return TRM_OK;
}
