/* ida_system.c - any system of ours by SUNDIALS IDA, through the interface of systems.
 *
 * Unknowns y = (u, v, lam, x), u the increment of the configuration since the start; index 2, as
 * in ida_crank.c:
 *   T(u) u' - v = 0                                                                  (1)
 *   M v' + G^T lam - Q = 0,   q = q_0 (+) u                                          (2)
 *   G v + g_t = 0                                                                    (3)
 *   d(t, q, v, v', x, x', lam) = 0                                                   (4)
 * Its matrix, c = cj of IDA; in (1) the derivative of T is left out, which beside c T is of the
 * size of the rotation in one step:
 *   [ c T                                -I                                     ]
 *   [ (K + (M v')_q + (G^T lam)_q) T     c M + C       G^T    -Q_X              ]    (5)
 *   [ (G v + g_t)_q T                    G                                      ]
 *   [ D_Q T                              D_V + c D_VD  D_LAM  D_X + c D_XD      ]
 * Columns are filled by a plan of ours and solved by KLU as IDA has it. IDA tests u and x, and v
 * if asked to, never lam; one counts as one as in our own tests. Rotation vectors u are not
 * changed on the way: no body may turn by 2 pi. */
#include "ida_system.h"
#include "bench.h"
#include "linalg/plan.h"
#include "system/system.h"
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

enum { SLOT_ONE, SLOT_MINUS, SLOT_C, SLOTS, TERMS_MAX = 20 };

static const double first_step = 1e-6;

typedef struct problem {
  trm_system *sys;
  trm_state   s;
  trmi_arena  arena, plan_arena;
  int         nv, lam, x, n; /* first places: v at nv, lam, x; their number */
  double     *q0, *T;
  trmi_sparse identity;      /* nv x nv */
  trmi_block_set blocks;
  trmi_plan   plan;
  SUNLinearSolver solver;
  long        patterns;
} problem;

/* ---- the equations ------------------------------------------------------------------ */

static void scatter(problem *p, double t, const double *y, const double *yp) {
  const size_t one = sizeof(double);
  const trm_sizes *n = &p->sys->n;
  p->s.t = t;
  trm_system_retract(p->sys, p->q0, y, p->s.q);
  memcpy(p->s.v, y + p->nv, (size_t)n->nv * one);
  memcpy(p->s.vd, yp + p->nv, (size_t)n->nv * one);
  memcpy(p->s.lam, y + p->lam, (size_t)n->ng * one);
  memcpy(p->s.x, y + p->x, (size_t)n->nx * one);
  memcpy(p->s.xd, yp + p->x, (size_t)n->nx * one);
}

/* What IDA is told: a positive status is worth a smaller step. */
static int flag_of(trm_status status) {
  return status == TRM_OK ? 0 : status > 0 ? 1 : -1;
}

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *self) {
  problem *p = self;
  trm_error err;
  const double *at = N_VGetArrayPointer(y), *rate = N_VGetArrayPointer(yp);
  double *out = N_VGetArrayPointer(r);
  scatter(p, t, at, rate);
  trmi_group_T(p->sys, at, p->T);
  trmi_group_apply(p->sys, p->T, rate, out);
  for (int i = 0; i < p->nv; i++) out[i] -= at[p->nv + i];
  const trm_values values = {.motion = out + p->nv, .g_rate = out + p->lam, .d = out + p->x};
  return flag_of(trm_system_values(p->sys, &p->s, &values, &err));
}

/* ---- its matrix --------------------------------------------------------------------- */

typedef struct place {
  trm_block block;
  int       row, col, slot;
  bool      transposed, times_T;
} place;

/* (5) but for its first row. */
static int places_of(const problem *p, place list[TERMS_MAX]) {
  const int v = p->nv, lam = p->lam, x = p->x;
  const place all[] = {
      {TRM_K, v, 0, SLOT_ONE, false, true},      {TRM_MU_Q, v, 0, SLOT_ONE, false, true},
      {TRM_GY_Q, v, 0, SLOT_ONE, false, true},   {TRM_M, v, v, SLOT_C, false, false},
      {TRM_C, v, v, SLOT_ONE, false, false},     {TRM_G, v, lam, SLOT_ONE, true, false},
      {TRM_Q_X, v, x, SLOT_MINUS, false, false}, {TRM_GV_Q, lam, 0, SLOT_ONE, false, true},
      {TRM_G, lam, v, SLOT_ONE, false, false},   {TRM_D_Q, x, 0, SLOT_ONE, false, true},
      {TRM_D_V, x, v, SLOT_ONE, false, false},   {TRM_D_VD, x, v, SLOT_C, false, false},
      {TRM_D_LAM, x, lam, SLOT_ONE, false, false}, {TRM_D_X, x, x, SLOT_ONE, false, false},
      {TRM_D_XD, x, x, SLOT_C, false, false}};
  memcpy(list, all, sizeof all);
  return (int)(sizeof all / sizeof *all);
}

static trm_status build_plan(problem *p, trm_error *err) {
  place list[TERMS_MAX];
  const int count = places_of(p, list);
  trmi_term terms[TERMS_MAX] = {
      {.block = &p->identity, .slot = SLOT_C, .times_T = true},
      {.block = &p->identity, .col = p->nv, .slot = SLOT_MINUS}};
  int nterms = 2;
  p->blocks = 0;
  for (int i = 0; i < count; i++) {
    const trm_block block = list[i].block;
    TRMI_TRY(err, trmi_system_want(p->sys, block, err));
    if (p->sys->block[block].n == 0) continue;
    p->blocks |= TRMI_BIT(block);
    terms[nterms++] = (trmi_term){.block = &p->sys->block[block], .row = list[i].row,
                                  .col = list[i].col, .slot = list[i].slot,
                                  .transposed = list[i].transposed, .times_T = list[i].times_T};
  }
  trmi_arena_clear(&p->plan_arena);
  p->plan = (trmi_plan){0};
  const trmi_rotations rotations = {p->sys->n.nrot, p->sys->rot_v};
  TRMI_TRY(err, trmi_plan_build(&p->plan, &p->plan_arena, p->n, terms, nterms, rotations, 0, 0, err));
  p->plan.nAx = p->plan.Ap[p->n];
  p->plan.Ax = TRMI_TAKE(&p->plan_arena, double, p->plan.nAx);
  TRMI_TRY(err, trmi_arena_check(&p->plan_arena, err));
  return TRM_OK;
}

/* Columns and rows of the plan into a matrix of IDA. */
static int copy_pattern(const problem *p, SUNMatrix J) {
  const int entries = p->plan.Ap[p->n];
  if (SUNSparseMatrix_Reallocate(J, entries) != 0) return -1;
  sunindextype *columns = SUNSparseMatrix_IndexPointers(J), *rows = SUNSparseMatrix_IndexValues(J);
  for (int j = 0; j <= p->n; j++) columns[j] = p->plan.Ap[j];
  for (int k = 0; k < entries; k++) rows[k] = p->plan.Ai[k];
  return 0;
}

/* The blocks at a state; where contacts come near they ask for other patterns. */
static trm_status fill_blocks(problem *p, SUNMatrix J, trm_error *err) {
  for (int i = 0; i < TRMI_PATTERNS_MAX; i++) {
    const trm_status status =
        trmi_system_blocks(p->sys, &p->s, p->blocks, p->s.vd, p->s.lam, p->s.mu, err);
    if (status != TRM_RETRY_PATTERN) return status;
    TRMI_TRY(err, trmi_system_renew(p->sys, err));
    TRMI_TRY(err, build_plan(p, err));
    p->patterns++;
    if (SUNLinSol_KLUReInit(p->solver, J, p->plan.Ap[p->n], SUNKLU_REINIT_PARTIAL) != 0) {
      return TRM_ERR_MEMORY;
    }
  }
  return TRM_ERR_ORDER;
}

static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                    void *self, N_Vector t1, N_Vector t2, N_Vector t3) {
  (void)r, (void)t1, (void)t2, (void)t3;
  problem *p = self;
  trm_error err;
  scatter(p, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
  trmi_group_T(p->sys, N_VGetArrayPointer(y), p->T);
  const trm_status status = fill_blocks(p, J, &err);
  if (status != TRM_OK) return flag_of(status);
  const double slots[SLOTS] = {[SLOT_ONE] = 1.0, [SLOT_MINUS] = -1.0, [SLOT_C] = cj};
  trmi_plan_fill(&p->plan, slots, p->T);
  if (copy_pattern(p, J) != 0) return -1; /* IDA has set the matrix to zero, pattern and all */
  memcpy(SUNSparseMatrix_Data(J), p->plan.Ax, (size_t)p->plan.nAx * sizeof(double));
  return 0;
}

/* ---- a run -------------------------------------------------------------------------- */

static void begin(problem *p, trm_sim *sim) {
  trm_error err;
  trm_system *sys = trm_sim_system(sim);
  *p = (problem){.sys = sys, .nv = sys->n.nv};
  if (sys->n.na > 0 || sys->n.nw > 0) bench_fail("IDA: no nonholonomic rows, no variables");
  p->lam = 2 * p->nv;
  p->x = p->lam + sys->n.ng;
  p->n = p->x + sys->n.nx;
  trmi_arena_init(&p->arena, &(trm_allocator){0});
  trmi_arena_init(&p->plan_arena, &(trm_allocator){0});
  trmi_state_take(sys, &p->arena, &p->s);
  p->q0 = TRMI_TAKE(&p->arena, double, sys->nq);
  p->T = TRMI_TAKE(&p->arena, double, 9 * (size_t)sys->n.nrot);
  p->identity = (trmi_sparse){.rows = p->nv, .cols = p->nv, .n = p->nv,
                              .row = TRMI_TAKE(&p->arena, int, p->nv),
                              .col = TRMI_TAKE(&p->arena, int, p->nv),
                              .values = TRMI_TAKE(&p->arena, double, p->nv)};
  bench_require(trmi_arena_check(&p->arena, &err), &err);
  for (int i = 0; i < p->nv; i++) {
    p->identity.row[i] = p->identity.col[i] = i;
    p->identity.values[i] = 1.0;
  }
  trmi_state_copy(sys, trm_sim_state(sim), &p->s);
  memcpy(p->q0, p->s.q, (size_t)sys->nq * sizeof(double));
  bench_require(build_plan(p, &err), &err);
}

/* Start values, the scales of the test, and what is tested. */
static void fill_start(const problem *p, const ida_system_run *run, double *y, double *yp,
                       double *scale, double *id) {
  const trm_system *sys = p->sys;
  const trm_sizes *n = &sys->n;
  for (int i = 0; i < n->nv; i++) {
    y[i] = 0.0, yp[i] = y[p->nv + i] = p->s.v[i], yp[p->nv + i] = p->s.vd[i];
    scale[i] = run->tolerance * sys->scale_v[i];
    scale[p->nv + i] = scale[i] / sys->second;
    id[i] = 1.0, id[p->nv + i] = run->tests_velocities ? 1.0 : 0.0;
  }
  for (int i = 0; i < n->ng; i++) {
    y[p->lam + i] = p->s.lam[i], yp[p->lam + i] = 0.0;
    scale[p->lam + i] = 1.0, id[p->lam + i] = 0.0;
  }
  for (int i = 0; i < n->nx; i++) {
    y[p->x + i] = p->s.x[i], yp[p->x + i] = p->s.xd[i];
    scale[p->x + i] = run->tolerance * sys->scale_x[i], id[p->x + i] = 1.0;
  }
}

static void sample(problem *p, const ida_system_run *run, double t, N_Vector y, N_Vector yp,
                   double *outputs, int k) {
  trm_error err;
  scatter(p, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
  bench_require(trm_system_values(p->sys, &p->s, &(trm_values){.outputs = outputs}, &err), &err);
  for (int i = 0; i < run->noutputs; i++) {
    run->found[k * run->noutputs + i] = outputs[run->outputs[i]];
  }
}

static void advance(problem *p, void *ida, const ida_system_run *run, N_Vector y, N_Vector yp,
                    ida_system_result *result) {
  N_Vector at = N_VClone(y), rate = N_VClone(y);
  double *outputs = TRMI_TAKE(&p->arena, double, trm_system_count(p->sys, TRM_OUTPUT));
  int next = 1;
  sample(p, run, 0.0, y, yp, outputs, 0);
  for (double t = 0.0; t < run->end;) {
    const double before = bench_seconds();
    const int flag = IDASolve(ida, run->end, &t, y, yp, IDA_ONE_STEP);
    result->seconds += bench_seconds() - before;
    result->reached = t;
    if (flag < 0) break;
    int order;
    ida_require(IDAGetLastOrder(ida, &order));
    result->orders[order]++;
    for (; next <= run->samples && run->end * next / run->samples <= t; next++) {
      const double then = run->end * next / run->samples;
      ida_require(IDAGetDky(ida, then, 0, at));
      ida_require(IDAGetDky(ida, then, 1, rate));
      sample(p, run, then, at, rate, outputs, next);
    }
  }
  N_VDestroy(at);
  N_VDestroy(rate);
}

void ida_system_solve(trm_sim *sim, const ida_system_run *run, ida_system_result *result) {
  problem p;
  begin(&p, sim);
  *result = (ida_system_result){0};
  SUNContext context;
  ida_require(SUNContext_Create(NULL, &context));
  N_Vector y = N_VNew_Serial(p.n, context), yp = N_VClone(y), scale = N_VClone(y), id = N_VClone(y);
  fill_start(&p, run, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(scale),
             N_VGetArrayPointer(id));
  SUNMatrix matrix = SUNSparseMatrix(p.n, p.n, p.plan.Ap[p.n], CSC_MAT, context);
  p.solver = SUNLinSol_KLU(y, matrix, context);
  void *ida = IDACreate(context);
  ida_require(IDAInit(ida, residual, 0.0, y, yp));
  ida_require(IDASVtolerances(ida, 0.0, scale));
  ida_require(IDASetUserData(ida, &p));
  ida_require(IDASetId(ida, id));
  ida_require(IDASetSuppressAlg(ida, SUNTRUE));
  ida_require(IDASetMaxNumSteps(ida, 10000000));
  ida_require(IDASetInitStep(ida, first_step));
  ida_require(IDASetStopTime(ida, run->end));
  ida_require(IDASetLinearSolver(ida, p.solver, matrix));
  ida_require(IDASetJacFn(ida, jacobian));
  advance(&p, ida, run, y, yp, result);
  ida_read_counts(ida, &result->n);
  result->patterns = p.patterns;
  IDAFree(&ida);
  SUNLinSolFree(p.solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(yp);
  N_VDestroy(scale);
  N_VDestroy(id);
  SUNContext_Free(&context);
  trmi_arena_clear(&p.arena);
  trmi_arena_clear(&p.plan_arena);
}
