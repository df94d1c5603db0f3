/* dense_stage.c - a state inside a step as a stage of its own, where parts are stiff.
 *
 * A polynomial through the points of a step has an error e between them. Stiff forces turn it into
 * K e, not a small load: 1e-8 m in a steel rod is several newtons. The same holds for loads
 * computed from positions alone, such as stresses of beams and forces of springs, and for
 * accelerations solved for there. Where z2 K exceeds M for some coordinate, the polynomial is
 * therefore used as the prediction of one more stage, with its q_p, v_p, x_p and smooth v'_p, x'_p,
 *   q = q_p (+) z2 d,   v = v_p + z1 d,   v' = v'_p + d,   x = x_p + z1 d_x,   x' = x'_p + d_x  (1)
 * that satisfies the equations of motion, of states and variables, g = 0 and A v + b = 0. Newton's
 * matrix for it is, with rows of g over z2 and of A v + b over z1,
 *   M + z1 C + z2 Kt,  G^T,  A^T;  G;  A + z2/z1 Z_A;  and rows of x, w                        (2)
 * A mode of frequency om is displaced by -e z2 om^2/(1 + z2 om^2): stiff modes return to where
 * forces and smooth accelerations balance, with an error of accelerations of at most e/z2; slow
 * modes are unchanged. Bristles of friction have other solutions beyond their limit: a stage that
 * elements would not accept as the end of a step (test_step) is discarded. The matrix is formed at
 * the sample itself, since stiff parts rotate within a step, or reused from an earlier sample of
 * the step while the iteration converges, but not at the end of the step: results at the end of a
 * run do not depend on how many samples it has. A sample leaves no trace; blocks whose patterns
 * grow on evaluation, those of contacts with many pairs, are therefore not evaluated, and such a
 * sample has no stage. Derivation: docs/theory/08-collocation.md, section 7. */
#include "integ/dense_stage.h"
#include "system/tangent.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { CORRECTIONS_MAX = 10 };
/* Tolerance of a correction, relative to d. */
static const double good_part = 1e-3;
/* A matrix of an earlier sample of the step is kept while corrections decrease by this factor. */
static const double slow = 0.1;

void trmi_dense_stage_take(trmi_dense_stage *d, const trmi_context *ctx, trmi_arena *epoch) {
  const int n = trmi_places_of(ctx->sys).n;
  *d = (trmi_dense_stage){.sys = ctx->sys, .scale_v = ctx->scale_v,
                          .solver = ctx->options->solver, .arena = epoch, .asked_t = NAN};
  trmi_state_take(ctx->sys, ctx->arena, &d->smooth);
  trmi_state_take(ctx->sys, ctx->arena, &d->s);
  d->base = TRMI_TAKE(ctx->arena, double, n);
  d->r = TRMI_TAKE(ctx->arena, double, n);
  d->step = TRMI_TAKE(ctx->arena, double, ctx->sys->n.nv);
}

void trmi_dense_stage_drop(trmi_dense_stage *d) {
  if (d->has_matrix) trmi_matrix_free(&d->matrix);
  d->has_matrix = false;
  trmi_dense_stage_renew(d);
}

trm_status trmi_dense_stage_plan(trmi_dense_stage *d, bool bordered, trm_error *err) {
  trm_system *sys = d->sys;
  trmi_line lines[TRMI_TANGENT_MAX];
  const trmi_tangent tangent = {.by = TRMI_BY_ALL, .lam = TRMI_AT_POSITION,
                                .mu = TRMI_AT_VELOCITY, .scales_rows = true};
  const trmi_matrix_spec spec = {.lines = lines, .nlines = trmi_tangent_lines(&tangent, lines),
                                 .slot_one = TRMI_BY_VARIABLE, .iterated = true, .simplified = true,
                                 .bordered = bordered, .solver = d->solver};
  if (sys->ops->epoch != NULL || sys->n.nv == 0 || !trmi_system_may_fill(sys, TRM_K)) return TRM_OK;
  TRMI_TRY(err, trmi_system_want(sys, TRM_K, err));
  if (sys->block[TRM_K].n == 0) return TRM_OK;
  d->has_matrix = true;
  TRMI_TRY(err, trmi_matrix_build(&d->matrix, sys, d->arena, &spec, err));
  size_t entries = 0;
  for (int b = 0; b < TRM_BLOCKS; b++) {
    if ((d->matrix.blocks & TRMI_BIT(b)) != 0) entries += (size_t)sys->block[b].n;
  }
  d->kept = TRMI_TAKE(d->arena, double, entries);
  return trmi_arena_check(d->arena, err);
}

/* Copy values of all blocks of the matrix to d->kept, or back: the method still uses them. */
static void keep_blocks(trmi_dense_stage *d, bool is_back) {
  double *kept = d->kept;
  for (int b = 0; b < TRM_BLOCKS; b++) {
    const trmi_sparse *block = &d->sys->block[b];
    if ((d->matrix.blocks & TRMI_BIT(b)) == 0 || block->n == 0) continue;
    const size_t bytes = (size_t)block->n * sizeof *kept;
    memcpy(is_back ? block->values : kept, is_back ? kept : block->values, bytes);
    kept += block->n;
  }
}

void trmi_dense_stage_forget(trmi_dense_stage *d) {
  if (d->has_matrix) trmi_linear_forget(&d->matrix.lin);
  d->is_factored = false;
}

/* --- stiffness ------------------------------------------------------------------ */

/* Sums of entries on the diagonal of a block, into `diagonal`. */
static void find_diagonal(const trmi_sparse *block, int n, double *diagonal) {
  memset(diagonal, 0, (size_t)n * sizeof *diagonal);
  for (int k = 0; k < block->n; k++) {
    if (block->row[k] == block->col[k]) diagonal[block->row[k]] += block->values[k];
  }
}

static trm_status find_stiffness(trmi_dense_stage *d, const trm_state *end, trm_error *err) {
  trm_system *sys = d->sys;
  double *of_M = d->base, *of_K = d->r;
  const trmi_block_set set = TRMI_BIT(TRM_M) | TRMI_BIT(TRM_K);
  d->stiffness = 0.0;
  keep_blocks(d, false);
  trm_error own; /* near the boundary of a domain derivatives may not exist */
  trmi_error_clear(&own);
  const trm_status status = trmi_system_strong_blocks(sys, end, set, NULL, NULL, NULL, &own);
  find_diagonal(&sys->block[TRM_M], sys->n.nv, of_M);
  find_diagonal(&sys->block[TRM_K], sys->n.nv, of_K);
  for (int m = 0; m < sys->n.nv && status == TRM_OK; m++) {
    if (of_M[m] > 0.0) d->stiffness = fmax(d->stiffness, fabs(of_K[m]) / of_M[m]);
  }
  keep_blocks(d, true);
  if (status < 0 && err != NULL) *err = own;
  return status < 0 ? status : TRM_OK;
}

trm_status trmi_dense_stage_is_stiff(trmi_dense_stage *d, const trm_state *end, double z2,
                                     bool *is_stiff, trm_error *err) {
  *is_stiff = false;
  if (!d->has_matrix) return TRM_OK;
  if (!(d->asked_t == end->t)) TRMI_TRY(err, find_stiffness(d, end, err));
  d->asked_t = end->t;
  *is_stiff = z2 * d->stiffness > 1.0;
  return TRM_OK;
}

/* --- the stage ------------------------------------------------------------------ */

/* (2) at the present iterate. */
static trm_status factor(trmi_dense_stage *d, const double z[2], trm_error *err) {
  const trm_state *s = &d->s;
  double slots[TRMI_SLOTS];
  for (int by = 0; by < TRMI_BYS; by++) slots[by] = 1.0;
  slots[TRMI_BY_VELOCITY] = slots[TRMI_BY_STATE] = z[0];
  slots[TRMI_BY_POSITION] = slots[TRMI_BY_INERTIA_Q] = z[1];
  slots[TRMI_BY_BELOW] = z[1] / z[0];
  slots[TRMI_BY_TWO_BELOW] = 0.0; /* unused */
  trmi_tangent_complete(slots);
  d->is_factored = false;
  TRMI_TRY(err, trmi_system_strong_blocks(d->sys, s, d->matrix.blocks, s->vd, s->lam, s->mu, err));
  TRMI_TRY(err, trmi_matrix_factor(&d->matrix, d->sys, slots, NULL, err));
  d->is_factored = true;
  return TRM_OK;
}

/* (1) for the unknowns of d->s; s is the polynomial. */
static void displace(trmi_dense_stage *d, const trm_state *s, const double z[2]) {
  const trm_system *sys = d->sys;
  for (int m = 0; m < sys->n.nv; m++) {
    const double by = d->s.vd[m] - s->vd[m];
    d->step[m] = z[1] * by;
    d->s.v[m] = s->v[m] + z[0] * by;
  }
  for (int m = 0; m < sys->n.nx; m++) d->s.x[m] = s->x[m] + z[0] * (d->s.xd[m] - s->xd[m]);
  trm_system_retract(sys, s->q, d->step, d->s.q);
}

/* Norm of the unknowns over the scales: rms of v', and the largest x' by its effect on v' within
 * z1. */
static double length(const trmi_dense_stage *d, const double z[2], const double *u) {
  const trm_system *sys = d->sys;
  const int at_x = trmi_places_of(sys).x;
  double sum = 0.0, most = 0.0;
  for (int m = 0; m < sys->n.nv; m++) sum += (u[m] / d->scale_v[m]) * (u[m] / d->scale_v[m]);
  for (int m = 0; m < sys->n.nx; m++) {
    const double size = fmax(sys->scale_x[m], fabs(d->s.x[m]));
    most = fmax(most, fabs(u[at_x + m]) / (size * z[0]));
  }
  return fmax(sqrt(sum / sys->n.nv), most);
}

/* One correction, and its norm. */
static trm_status correct(trmi_dense_stage *d, const trm_state *s, const double z[2], double *size,
                          trm_error *err) {
  const trm_system *sys = d->sys;
  const trmi_places at = trmi_places_of(sys);
  double *r = d->r;
  const trm_values out = {.motion = r, .g = r + at.lam, .a_rate = r + at.mu, .d = r + at.x,
                          .w = r + at.w};
  TRMI_TRY(err, trm_system_values(d->sys, &d->s, &out, err));
  for (int m = at.lam; m < at.mu; m++) r[m] /= z[1];
  for (int m = at.mu; m < at.x; m++) r[m] /= z[0];
  TRMI_TRY(err, trmi_linear_solve(&d->matrix.lin, r, err));
  *size = length(d, z, r);
  trmi_unknowns_gather(sys, &d->s, d->base);
  for (int m = 0; m < at.n; m++) d->base[m] -= r[m];
  trmi_unknowns_scatter(sys, d->base, &d->s);
  displace(d, s, z);
  return TRM_OK;
}

/* Norm of d. */
static double change_of(trmi_dense_stage *d, const trm_state *s, const double z[2]) {
  const trmi_places at = trmi_places_of(d->sys);
  trmi_unknowns_gather(d->sys, s, d->r);
  trmi_unknowns_gather(d->sys, &d->s, d->base);
  for (int m = 0; m < at.n; m++) d->base[m] -= d->r[m];
  return length(d, z, d->base);
}

/* Effect of rounding of positions on d. */
static double rounding_of(const trmi_dense_stage *d, const trm_state *s, const double z[2]) {
  const trm_system *sys = d->sys;
  double most = 1.0;
  int i = 0; /* v-index, the q-index is i + k; quaternions count as one */
  for (int k = 0; k <= sys->n.nrot; k++, i += 3) {
    const int end = k < sys->n.nrot ? sys->rot_v[k] : sys->n.nv;
    for (; i < end; i++) most = fmax(most, fabs(s->q[i + k]) / d->scale_v[i]);
  }
  return 100 * DBL_EPSILON * most / z[1];
}

static trm_status iterate(trmi_dense_stage *d, const trm_state *s, const double z[2],
                          bool *is_found, trm_error *err) {
  const double rounding = rounding_of(d, s, z);
  bool is_own = !d->is_factored;
  double size = 0.0;
  if (is_own) TRMI_TRY(err, factor(d, z, err));
  for (int k = 0; k < CORRECTIONS_MAX; k++) {
    const double before = size;
    TRMI_TRY(err, correct(d, s, z, &size, err));
    d->change = change_of(d, s, z);
    *is_found = size <= fmax(good_part * d->change, rounding);
    if (*is_found || !isfinite(size)) return TRM_OK;
    if (k == 0 || (!is_own && size <= slow * before)) continue;
    TRMI_TRY(err, factor(d, z, err)); /* the loads at its sample had large errors */
    is_own = true;
  }
  return TRM_OK;
}

/* Implicit equations may have other solutions, which are not accepted as the end of a step
 * either. */
static trm_status test(trmi_dense_stage *d, trm_error *err) {
  const trm_system_ops *ops = d->sys->ops;
  if (ops->test_step == NULL) return TRM_OK;
  TRMI_ASK(err, ops->name, "test_step", ops->test_step(d->sys->self, &d->s, err));
  return TRM_OK;
}

trm_status trmi_dense_stage_solve(trmi_dense_stage *d, const trm_state *s, const double z[2],
                                  bool *is_found, trm_error *err) {
  trm_error own; /* after a failure that could be retried there is no stage */
  trmi_error_clear(&own);
  *is_found = false;
  if (s->t == d->asked_t) trmi_dense_stage_forget(d); /* the end: as without earlier samples */
  trmi_state_copy(d->sys, s, &d->s);
  keep_blocks(d, false);
  trm_status status = iterate(d, s, z, is_found, &own);
  keep_blocks(d, true);
  if (status == TRM_OK && *is_found && d->sys->n.nx > 0) status = test(d, &own);
  if (status == TRM_OK) return TRM_OK;
  *is_found = false;
  if (status > 0) return TRM_OK;
  if (err != NULL) *err = own;
  return trmi_note(err, __func__, status);
}
