/* collocation.c - Radau IIA methods on second-order equations: `tdg`, two stages, and
 * `radau` with three, five or seven.
 *
 * In local coordinates psi of the step (psi = 0 at its start; sums, and a rotation vector
 * for each rotation), q = q0 (+) psi, with stages at t_i = t + c_i h:
 *   psi'_i = v0 + h sum a_ij psi''_j,   psi_i = c_i h v0 + h^2 sum aa_ij psi''_j      (1)
 *   v_i = T psi'_i,   v'_i = T psi''_i + T' psi'_i,   x_i = x0 + h sum a_ij x'_j      (2)
 *   M v'_i + G^T lam_i + A^T mu_i = Q,  d = 0,  w = W,  A v + b = 0  at each stage    (3)
 *   and g = 0 (index3), G v + g_t = 0 (index2) or its derivative (index1)             (4)
 * The last stage is the end of the step. There positions and velocities are projected onto the
 * constraints in the metric of M, and v', lam, mu, x', w are solved for: only then do velocities
 * and multipliers have the order 2 s - 1 of positions. index1 is the default where states or forces
 * depend on reactions or accelerations.
 *
 * Two stages are the time-discontinuous Galerkin method with quadratic displacements,
 * integrated by the two-point Radau rule; its velocity jump is h (psi''_1 - psi''_2)/4. `paper`
 * omits this projection, as [TDG] does; `exact` evaluates the integrals exactly.
 * (1) and (2) are computed by trmi_collocation_sums and _turn in collocation_newton.c.
 * Sources: [HairerWanner], [TDG]. Derivation: docs/theory/08-collocation.md. */
#include "integ/collocation.h"
#include "math/so3.h"
#include <float.h>
#include <math.h>
#include <string.h>

static void take_arrays(trmi_collocation *co) {
  const trm_system *sys = co->ctx.sys;
  trmi_arena *arena = co->ctx.arena;
  const int n = trmi_places_of(sys).n, nv = sys->n.nv;
  trmi_state_take(sys, arena, &co->now);
  trmi_state_take(sys, arena, &co->next);
  trmi_state_take(sys, arena, &co->stage);
  co->stage_v = TRMI_TAKE(arena, double, nv);
  co->stage_vd = TRMI_TAKE(arena, double, nv);
  for (int i = 0; i < co->s_most; i++) {
    co->z[i] = TRMI_TAKE(arena, double, n);
    co->r[i] = TRMI_TAKE(arena, double, n);
    co->d[i] = TRMI_TAKE(arena, double, n);
    co->p[i] = TRMI_TAKE(arena, double, n);
    if (co->ctx.fixed) co->direction[i] = TRMI_TAKE(arena, double, n);
    if (co->ctx.fixed) co->found[i] = TRMI_TAKE(arena, double, n);
    co->psi[i] = TRMI_TAKE(arena, double, nv);
    co->rate[i] = TRMI_TAKE(arena, double, nv);
  }
  if (co->ctx.fixed) co->sizes = TRMI_TAKE(arena, double, co->s_most * n);
  co->psi_end = TRMI_TAKE(arena, double, nv);
  co->first = TRMI_TAKE(arena, double, n);
  co->last = TRMI_TAKE(arena, double, n);
  co->rate_end = TRMI_TAKE(arena, double, nv);
  co->T = TRMI_TAKE(arena, double, 9 * (size_t)sys->n.nrot);
  co->gaps = TRMI_TAKE(arena, double, 3 * (size_t)sys->n.ngaps);
  co->was_closed = TRMI_TAKE(arena, unsigned char, 2 * sys->n.ngaps);
  co->re = TRMI_TAKE(arena, double, n);
  co->im = TRMI_TAKE(arena, double, n);
  co->work = TRMI_TAKE(arena, double, 3 * (size_t)n);
  trmi_dense_stage_take(&co->inside, &co->ctx, &co->arena);
}

static trm_status create(trmi_collocation *co, const trmi_context *ctx, trm_error *err) {
  trmi_arena_init(&co->arena, &ctx->arena->allocator);
  take_arrays(co);
  trmi_collocation_find_tolerances(co);
  trmi_collocation_order_weights(co);
  co->rk_old = co->rk;
  TRMI_TRY(err, trmi_arena_check(ctx->arena, err));
  return TRM_OK;
}

/* Do forces or states depend on reactions or accelerations? With index 3 these have order s - 1 at
 * the stages, and so would quantities that depend on them. */
static bool feeds_back(const trm_system *sys) {
  const trmi_sparse *b = sys->block;
  const bool by_variables = b[TRM_W_LAM].n + b[TRM_W_VD].n > 0 && b[TRM_Q_W].n + b[TRM_D_W].n > 0;
  return sys->n.ng + sys->n.na > 0 && (by_variables || b[TRM_D_LAM].n + b[TRM_D_VD].n > 0);
}

static trm_status create_tdg(void *integ, const trmi_context *ctx, const char *formulation,
                             trm_error *err) {
  trmi_collocation *co = integ;
  *co = (trmi_collocation){.ctx = *ctx, .is_tdg = true, .s_most = 2, .rk = &trmi_radau_2,
                           .passes = ctx->options->passes};
  co->corrects = strcmp(formulation, "newton") != 0;
  co->is_plain = strcmp(formulation, "paper") == 0;
  co->is_exact = strcmp(formulation, "exact") == 0;
  co->energy.is_used = ctx->options->step_control != NULL &&
                       strcmp(ctx->options->step_control, "energy") == 0;
  if (feeds_back(ctx->sys)) co->level = LEVEL_ACCELERATION;
  return create(co, ctx, err);
}

static const char *choose_radau(const trm_system *sys) {
  return feeds_back(sys) ? "index1" : "index3";
}

/* Fixed steps use the largest allowed order, by default five. */
static trm_status create_radau(void *integ, const trmi_context *ctx, const char *formulation,
                               trm_error *err) {
  trmi_collocation *co = integ;
  const int given = ctx->options->max_order, order = given > 0 ? given : ctx->fixed ? 5 : 13;
  *co = (trmi_collocation){.ctx = *ctx};
  co->s_most = trmi_radau_of((order + 1) / 2)->s;
  co->rk = trmi_radau_of(ctx->fixed ? co->s_most : 3);
  if (strcmp(formulation, "index2") == 0) co->level = LEVEL_VELOCITY;
  if (strcmp(formulation, "index1") == 0) co->level = LEVEL_ACCELERATION;
  return create(co, ctx, err);
}

static trm_status plan(void *integ, bool bordered, trm_error *err) {
  trmi_collocation *co = integ;
  TRMI_TRY(err, trmi_collocation_plan(co, bordered, err));
  if (co->has_dense_matrix) return trmi_consistent_rebuild(&co->dense, bordered, err);
  co->has_dense_matrix = true;
  TRMI_TRY(err, trmi_consistent_init(&co->dense, co->ctx.sys, co->ctx.arena,
                                     co->ctx.options->solver, bordered, err));
  return TRM_OK;
}

static void release(void *integ) {
  trmi_collocation *co = integ;
  trmi_collocation_release(co);
  if (co->has_dense_matrix) trmi_consistent_free(&co->dense);
}

/* Quaternions count as one. */
static void measure_q(trmi_collocation *co) {
  const trm_system *sys = co->ctx.sys;
  co->q_size = 1.0;
  co->v_size = 0.0;
  double largest = 1.0, smallest = 1.0;
  for (int m = 0; m < sys->n.nv; m++) {
    co->v_size = fmax(co->v_size, fabs(co->now.v[m]) / co->ctx.scale_v[m]);
    smallest = fmin(smallest, co->ctx.scale_v[m] / sys->unit_v[m]);
  }
  int i = 0; /* v-index, the q-index is i + k */
  for (int k = 0; k <= sys->n.nrot; k++, i += 3) {
    const int end = k < sys->n.nrot ? sys->rot_v[k] : sys->n.nv;
    for (; i < end; i++) {
      co->q_size = fmax(co->q_size, fabs(co->now.q[i + k]) / co->ctx.scale_v[i]);
      largest = fmax(largest, fabs(co->now.q[i + k]) / sys->unit_v[i]);
    }
  }
  co->rounding = 100 * DBL_EPSILON * largest / smallest;
}

/* First step from the jerk, with the error h^3 jerk/6. */
static double first_step(trmi_collocation *co, const double *jerk, const double *bend) {
  const trm_system *sys = co->ctx.sys;
  const double span = co->ctx.options->end - co->now.t;
  const double limit = co->allowed[co->rk->s];
  double of_v = 0.0, of_x = 0.0, h = 0.02 * span;
  for (int i = 0; i < sys->n.nv; i++) of_v = fmax(of_v, fabs(jerk[i]) / co->ctx.scale_v[i]);
  for (int i = 0; i < sys->n.nx; i++) of_x = fmax(of_x, fabs(bend[i]) / sys->scale_x[i]);
  if (of_v > 0.0) h = fmin(h, cbrt(6 * limit / of_v));
  if (of_x > 0.0) h = fmin(h, sqrt(2 * limit / of_x));
  return h;
}

static bool chooses_order(const trmi_collocation *co) {
  return !co->is_tdg && !co->ctx.fixed;
}

static trm_status start(void *integ, const trm_state *s, double *h, trm_error *err) {
  trmi_collocation *co = integ;
  trmi_state_copy(co->ctx.sys, s, &co->now);
  memcpy(co->stage.z, s->z, (size_t)co->ctx.sys->n.nz * sizeof(double));
  co->h = co->h_matrix = 0.0;
  co->eta = 1.0;
  co->theta = co->close_rate = 1.0;
  co->hard = co->close_wait = 0;
  co->failed = co->turns.count = 0;
  co->closeness = co->closeness_next = 0.0; /* not known */
  if (chooses_order(co)) trmi_collocation_order_start(co);
  measure_q(co);
  TRMI_TRY(err, trmi_collocation_energy_start(co, err));
  if (*h > 0.0) return TRM_OK;
  double *jerk = co->re, *bend = co->im;
  TRMI_TRY(err, trmi_consistent_jerk(co->ctx.consistent, s,
                                     1e-6 * (co->ctx.options->end - s->t), jerk, bend, err));
  *h = first_step(co, jerk, bend);
  return TRM_OK;
}

static void set_discrete(void *integ, const double *z) {
  trmi_collocation *co = integ;
  const size_t bytes = (size_t)co->ctx.sys->n.nz * sizeof(double);
  if (bytes == 0) return;
  memcpy(co->now.z, z, bytes);
  memcpy(co->stage.z, z, bytes);
}

/* --- one step ------------------------------------------------------------------------ */

static void end_of_step(trmi_collocation *co, double h) {
  const trm_system *sys = co->ctx.sys;
  const int last = co->rk->s - 1;
  const trm_state *from = &co->stage;
  trm_state *to = &co->next;
  for (int i = 0; i < last; i++) trmi_collocation_sums(co, i, h);
  trmi_collocation_stage(co, last, h);
  trmi_state_copy(sys, from, to);
  trmi_state_at(sys, &co->now, co->now.t + h, to);
}

/* psi and psi' at the end of the step: those of the last stage, or of the projection. */
static void keep_end(trmi_collocation *co) {
  const trm_system *sys = co->ctx.sys;
  const int nv = sys->n.nv, last = co->rk->s - 1;
  memcpy(co->rate_end, co->next.v, (size_t)nv * sizeof(double));
  trm_system_difference(sys, co->next.q, co->stage.q, co->psi_end);
  for (int m = 0; m < nv; m++) co->psi_end[m] += co->psi[last][m];
  for (int k = 0; k < sys->n.nrot; k++) {
    const int m = sys->rot_v[k];
    double Tinv[9];
    trmi_so3_Tinv(co->psi_end + m, Tinv);
    const double *v = co->next.v + m;
    for (int e = 0; e < 3; e++) {
      co->rate_end[m + e] = Tinv[3 * e] * v[0] + Tinv[3 * e + 1] * v[1] + Tinv[3 * e + 2] * v[2];
    }
  }
}

/* Does the step end near a singular pose, where rounding would dominate the next one? See the head
 * of explicit.c about noise. */
static bool is_beside(const trmi_collocation *co, double h) {
  const double speed = fmax(co->v_size, 1.0 / co->ctx.sys->second);
  const double noise = trmi_singular_pose_noise(co->closeness_next, speed, h) / co->ctx.tolerance;
  return !co->ctx.fixed && co->closeness > 0.0 && co->closeness_next > 2.0 * co->closeness &&
         noise > TRMI_SINGULAR_BESIDE;
}

static trm_status attempt(void *integ, double h, trmi_attempt *result, trm_error *err) {
  trmi_collocation *co = integ;
  *result = (trmi_attempt){.index = -1};
  if (chooses_order(co)) trmi_collocation_order_take(co, h);
  co->factored = 0;
  const double eta = co->eta;
  const int hard = co->hard;
  const trm_status status = trmi_collocation_solve(co, h, result, err);
  if (status == TRM_RETRY_PATTERN) { /* no trace */
    co->eta = eta, co->hard = hard;
    return status;
  }
  if (status == TRM_RETRY_NEWTON && trmi_collocation_is_near(co)) {
    trmi_singular_turn(&co->turns, h, 0.85, result); /* other stages, not closer to the pose */
  }
  if (status > 0) co->failed++, co->h_matrix = 0.0, co->eta = 1.0;
  TRMI_TRY(err, status);
  end_of_step(co, h);
  TRMI_TRY(err, trmi_collocation_estimate(co, h, result, err));
  const bool by_energy = trmi_collocation_by_energy(co);
  if (!co->ctx.fixed && !by_energy && !(result->error <= 1.0)) {
    return TRM_OK; /* the driver rejects it */
  }
  if (!co->is_plain) TRMI_TRY(err, trmi_collocation_close(co, h, err));
  if (is_beside(co, h) && trmi_singular_turn(&co->turns, h, TRMI_SINGULAR_SHORTER, result)) {
    result->error = 2.0;
    return TRM_OK;
  }
  TRMI_TRY(err, trmi_consistent_violation(co->ctx.consistent, &co->next, &result->off, err));
  keep_end(co);
  if (chooses_order(co)) trmi_collocation_order_judge(co, h, result);
  trmi_singular_pass(&co->turns, h, result);
  if (by_energy) TRMI_TRY(err, trmi_collocation_energy_test(co, h, result, err));
  return TRM_OK;
}

static const trm_state *next(const void *integ) {
  return &((const trmi_collocation *)integ)->next;
}

static void accept(void *integ) {
  trmi_collocation *co = integ;
  const trm_state before = co->now;
  const double h = co->next.t - before.t;
  if (trmi_collocation_by_energy(co)) trmi_collocation_energy_accept(co);
  trmi_collocation_keep(co, h);
  co->now = co->next;
  co->next = before;
  co->choice = co->tried;
  trmi_dense_stage_renew(&co->inside);
  co->failed = co->turns.count = 0;
  if (co->closeness_next > TRMI_SINGULAR_LOST && !co->has_reported_pose) {
    co->has_reported_pose = true;
    trmi_singular_pose_report(&co->ctx, co->next.t);
  }
  co->closeness = co->closeness_next;
  const double closeness = co->closeness, least = co->closeness_least;
  if (closeness > 0.0) co->closeness_least = least > 0.0 ? fmin(least, closeness) : closeness;
  if (co->hard > 0 && --co->hard == 0) co->eta = 1.0; /* Newton's eta is not that of passes */
  if (co->close_wait > 0) co->close_wait--;
  /* derivatives at the old state are kept only while Newton's method converges fast */
  if (co->theta > trmi_keep_rate || co->is_tdg) co->h_matrix = 0.0;
  measure_q(co);
}

static const trm_state *state(const void *integ) {
  return &((const trmi_collocation *)integ)->now;
}

static trm_status interpolate(void *integ, double t, trm_state *s, trm_error *err) {
  return trmi_collocation_interpolate(integ, t, s, err);
}

static trm_status relax(void *integ, trm_state *s, trm_error *err) {
  return trmi_collocation_relax(integ, s, err);
}

static bool recall(void *integ, int i, trmi_stage *out) {
  return trmi_collocation_recall(integ, i, out);
}

static void forget(void *integ) {
  trmi_collocation *co = integ;
  co->h_matrix = 0.0;
  trmi_linear_forget(&co->real.lin);
  trmi_linear_forget(&co->full);
  for (int k = 0; k < PAIRS_MAX; k++) trmi_complex_forget(&co->pair[k]);
  if (co->has_dense_matrix) trmi_consistent_forget(&co->dense);
  trmi_dense_stage_forget(&co->inside);
}

static void visit(void *integ, trmi_visitor *v) {
  trmi_collocation *co = integ;
  const size_t n = (size_t)trmi_places_of(co->ctx.sys).n;
  int s = co->rk->s, s_old = co->rk_old->s;
  trmi_visit_state(v, co->ctx.sys, &co->now);
  trmi_visit(v, &s, sizeof s);
  trmi_visit(v, &s_old, sizeof s_old);
  co->rk = trmi_radau_of(s);
  co->rk_old = trmi_radau_of(s_old);
  for (int i = 0; i < co->s_most; i++) trmi_visit(v, co->p[i], n * sizeof(double));
  trmi_visit(v, &co->h, sizeof co->h);
  trmi_visit(v, &co->eta, sizeof co->eta);
  trmi_visit(v, &co->theta, sizeof co->theta);
  trmi_visit(v, &co->hard, sizeof co->hard);
  trmi_visit(v, &co->close_rate, sizeof co->close_rate);
  trmi_visit(v, &co->close_wait, sizeof co->close_wait);
  trmi_visit(v, &co->choice, sizeof co->choice);
  trmi_visit(v, &co->failed, sizeof co->failed);
  trmi_visit(v, &co->closeness, sizeof co->closeness);
  trmi_visit(v, &co->closeness_next, sizeof co->closeness_next);
  trmi_visit(v, &co->closeness_least, sizeof co->closeness_least);
  trmi_visit(v, &co->has_reported_pose, sizeof co->has_reported_pose);
  trmi_visit(v, &co->energy, sizeof co->energy);
  trmi_linear_visit(&co->real.lin, v);
  trmi_linear_visit(&co->full, v);
}

static trm_status settle(void *integ, trm_error *err) {
  trmi_collocation *co = integ;
  measure_q(co);
  memcpy(co->stage.z, co->now.z, (size_t)co->ctx.sys->n.nz * sizeof(double));
  TRMI_TRY(err, trmi_linear_settle(&co->real.lin, err));
  return trmi_linear_settle(&co->full, err);
}

static int order(const void *integ) {
  return 2 * ((const trmi_collocation *)integ)->rk->s - 1;
}

static int error_power(const void *integ) {
  return ((const trmi_collocation *)integ)->rk->s + 1;
}

static double error_unit(const void *integ) {
  const trmi_collocation *co = integ;
  return trmi_collocation_tolerance(co, co->rk->s);
}

static const trm_formulation tdg_formulations[] = {
    {.name = "multicorrector", .order = 3},
    {.name = "newton", .order = 3, .ignores = TRM_READS_PASSES},
    {.name = "paper", .order = 3},
    {.name = "exact", .order = 3},
    {.name = NULL}};
static const trm_formulation radau_formulations[] = {
    {.name = "index3", .order = 5},
    {.name = "index2", .order = 5},
    {.name = "index1", .order = 5,
     .where = "where states or forces depend on reactions or accelerations"},
    {.name = NULL}};

static trm_status check_tdg(const trm_options *opt, const trm_formulation *form, trm_error *err) {
  if (opt->passes < 0 || opt->passes == 1) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "%d passes: at least two are needed for stability", opt->passes);
  }
  if (opt->passes != 0 && (form->ignores & TRM_READS_PASSES) != 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "%d passes with formulation '%s': passes are those of the multicorrector",
                     opt->passes, form->name);
  }
  return TRM_OK;
}

static const int radau_orders[] = {5, 9, 13, 0};

static const trmi_matrix *newton_matrix(const void *integ) {
  return &((const trmi_collocation *)integ)->real;
}

#define COMMON                                                                                 \
  .size = sizeof(trmi_collocation), .plan = plan, .free = release, .start = start,          \
  .set_discrete = set_discrete,                                                                 \
  .attempt = attempt, .next = next, .accept = accept, .state = state,                           \
  .interpolate = interpolate, .relax = relax,                                                    \
  .forget = forget, .visit = visit, .settle = settle, .error_power = error_power,                \
  .newton_matrix = newton_matrix, .error_unit = error_unit,                                      \
  .steps_to_events = true,                                                                        \
  .order = order, .growth = 8.0, .hold = 1.2

const trmi_integrator_ops trmi_integ_tdg = {
    .about = {.name = "tdg", .formulations = tdg_formulations,
              .meaning = "Passes through singular poses; damps vibrations that it does not "
                         "resolve.",
              .reads = TRM_READS_PASSES | TRM_READS_ENERGY, .suits = TRM_SUITS_SINGULAR},
    .check = check_tdg, .create = create_tdg, .has_short_steps = true,
    .safety = 0.9, COMMON};
const trmi_integrator_ops trmi_integ_radau = {
    .about = {.name = "radau", .formulations = radau_formulations,
              .meaning = "Orders 5, 9 and 13 in one run: few steps with tight tolerances.",
              .reads = TRM_READS_MAX_ORDER, .suits = TRM_SUITS_TIGHT, .orders = radau_orders,
              .damps_unresolved = true},
    .create = create_radau, .choose = choose_radau, .recall = recall,
    .safety = 0.8, .predicts = true, .remembers = 10, COMMON};
