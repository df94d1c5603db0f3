/* ida_crank.c - slider crank, linear beam, no damping, as a residual for IDA.
 *
 * Unknowns y = (q, v, lam), q = (phi1, phi2, x3, q1..q4); index 2, as in [CRANK]:
 *   q' - v = 0                                                              (1)
 *   M(q) v' + G(q)^T lam - Q(q, v) = 0                                      (2)
 *   G(q) v + g_t = 0                                                        (3)
 * With d = phi1 - phi2, c = cos d, s = sin d, A = k0 + l1 C1.q, N = l1 C2.q and elastic
 * q = (q1..q4):
 *   M12 = A c + N s,  M22 = J2 + q.(Md q + 2 C12),  M1q = l1 (c C2 - s C1),
 *   M2q = C21 - B q,  Mqq = Md                                              (4)
 *   Q1 = p2^2 (N c - A s) - 2 p2 l1 (c C1 + s C2).q'
 *   Q2 = p1^2 (A s - N c) - 2 p2 (C12 + Md q).q'
 *   Qq = p2^2 (Md q + C12) + l1 p1^2 (c C1 + s C2) + 2 p2 B q' - K q        (5)
 * IDA controls positions and velocities, not multipliers (which an index-2 system does not
 * allow), solves by its dense LU and gets the exact Jacobian. */
#include "ida_crank.h"
#include "bench.h"
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { NV = IDA_CRANK_NV, NG = IDA_CRANK_NG, NE = 4, E = 3, N_ALL = 2 * NV + NG };

static const double l1 = 0.15, l2 = 0.30, J1 = 0.002727, J2 = 0.0045339259, m2 = 0.151104,
                    m3 = 0.075552, speed = 150.0, end_time = 0.1, first_step = 1e-6;

/* Constants of the rod, filled by rod_fill. */
typedef struct rod {
  double k0, C1[NE], C2[NE], C12[NE], C21[NE], B[NE][NE], Md[NE][NE], K[NE][NE];
} rod;

static void rod_fill(rod *p) {
  const double pi = acos(-1.0), side = 0.008, mass = 7870.0 * side * side * l2;
  const double axial = 2e11 * side * side / l2, slender = side / l2 * (side / l2);
  memset(p, 0, sizeof *p);
  p->k0 = 0.5 * l1 * l2 * m2;
  p->C1[2] = mass * 2.0 / 3.0;
  p->C1[3] = mass / 6.0;
  p->C2[0] = mass * 2.0 / pi;
  p->C12[2] = mass * l2 / 3.0;
  p->C12[3] = mass * l2 / 6.0;
  p->C21[0] = mass * l2 / pi;
  p->C21[1] = -0.5 * mass * l2 / pi;
  p->B[0][2] = -16.0 * mass / pow(pi, 3);
  p->B[0][3] = mass * (8.0 / pow(pi, 3) - 1.0 / pi);
  p->B[1][3] = 0.5 * mass / pi;
  for (int i = 0; i < 2; i++) {
    for (int j = 2; j < NE; j++) p->B[j][i] = -p->B[i][j];
  }
  p->Md[0][0] = p->Md[1][1] = 0.5 * mass;
  p->Md[2][2] = 8.0 * mass;
  p->Md[2][3] = p->Md[3][2] = mass;
  p->Md[3][3] = 2.0 * mass;
  p->K[0][0] = axial * pow(pi, 4) / 24.0 * slender;
  p->K[1][1] = axial * pow(pi, 4) * 2.0 / 3.0 * slender;
  p->K[2][2] = axial * 16.0 / 3.0;
  p->K[2][3] = p->K[3][2] = -axial * 8.0 / 3.0;
  p->K[3][3] = axial * 7.0 / 3.0;
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* What residual and Jacobian have in common. */
typedef struct point {
  double c, s, A, N, A_d, N_d;  /* of d; A_d = l1 C1.q', N_d = l1 C2.q' */
  double s1, c1, s2, c2, L;     /* of phi1 and phi2; length of the rod  */
  double along[NE], across[NE]; /* l1 (c C1 + s C2), l1 (c C2 - s C1)   */
  double turn[NE];              /* Md q + C12                           */
} point;

static point point_of(const rod *p, const double *q, const double *v) {
  const double d = q[0] - q[1];
  point f = {.c = cos(d), .s = sin(d), .s1 = sin(q[0]), .c1 = cos(q[0]), .s2 = sin(q[1]),
             .c2 = cos(q[1]), .L = l2 + q[6]};
  f.A = p->k0 + l1 * dot(p->C1, q + E);
  f.N = l1 * dot(p->C2, q + E);
  f.A_d = l1 * dot(p->C1, v + E);
  f.N_d = l1 * dot(p->C2, v + E);
  for (int i = 0; i < NE; i++) {
    f.along[i] = l1 * (f.c * p->C1[i] + f.s * p->C2[i]);
    f.across[i] = l1 * (f.c * p->C2[i] - f.s * p->C1[i]);
    f.turn[i] = dot(p->Md[i], q + E) + p->C12[i];
  }
  return f;
}

/* (2) and (3) */
static void equations(const rod *p, const double *q, const double *v, const double *a,
                      const double *lam, double *motion, double *rate) {
  const point f = point_of(p, q, v);
  const double M12 = f.A * f.c + f.N * f.s, swing = f.A * f.s - f.N * f.c;
  double M22 = J2 + dot(p->C12, q + E) + dot(f.turn, q + E);
  motion[0] = (J1 + m2 * l1 * l1) * a[0] + M12 * a[1] + dot(f.across, a + E) +
              v[1] * v[1] * swing + 2.0 * v[1] * (f.c * f.A_d + f.s * f.N_d);
  motion[1] = M12 * a[0] + M22 * a[1] - v[0] * v[0] * swing + 2.0 * v[1] * dot(f.turn, v + E);
  motion[2] = m3 * a[2] + lam[1];
  for (int i = 0; i < NE; i++) {
    const double M2q = p->C21[i] - dot(p->B[i], q + E);
    motion[1] += M2q * a[E + i];
    motion[E + i] = f.across[i] * a[0] + M2q * a[1] + dot(p->Md[i], a + E) -
                    v[1] * v[1] * f.turn[i] - v[0] * v[0] * f.along[i] -
                    2.0 * v[1] * dot(p->B[i], v + E) + dot(p->K[i], q + E);
  }
  motion[0] += l1 * (f.c1 * lam[0] + f.s1 * lam[1]) + lam[2];
  motion[1] += f.L * (f.c2 * lam[0] + f.s2 * lam[1]);
  motion[6] += f.s2 * lam[0] - f.c2 * lam[1];
  rate[0] = l1 * f.c1 * v[0] + f.L * f.c2 * v[1] + f.s2 * v[6];
  rate[1] = l1 * f.s1 * v[0] + f.L * f.s2 * v[1] + v[2] - f.c2 * v[6];
  rate[2] = v[0] - speed;
}

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *rod_data) {
  (void)t;
  const double *q = N_VGetArrayPointer(y), *qp = N_VGetArrayPointer(yp);
  double *out = N_VGetArrayPointer(r);
  for (int i = 0; i < NV; i++) out[i] = qp[i] - q[NV + i];
  equations(rod_data, q, q + NV, qp + NV, q + 2 * NV, out + NV, out + 2 * NV);
  return 0;
}

/* Derivatives of (2) by the angle d, and by the elastic coordinates, into columns J. */
static void tangent_q(const rod *p, const point *f, const double *v, const double *a,
                      double **J) {
  const double w1 = v[0] * v[0], w2 = v[1] * v[1], M12_d = f->N * f->c - f->A * f->s;
  const double grip = f->A * f->c + f->N * f->s;
  double *by_d = J[0] + NV;
  by_d[0] = M12_d * a[1] - dot(f->along, a + E) + w2 * grip +
            2.0 * v[1] * (f->c * f->N_d - f->s * f->A_d);
  by_d[1] = M12_d * a[0] - w1 * grip;
  for (int j = 0; j < NE; j++) {
    double *by_q = J[E + j] + NV;
    by_d[E + j] = -f->along[j] * a[0] - w1 * f->across[j];
    by_q[0] = f->along[j] * a[1] - w2 * f->across[j];
    by_q[1] = f->along[j] * a[0] + 2.0 * f->turn[j] * a[1] + w1 * f->across[j] +
              2.0 * v[1] * dot(p->Md[j], v + E) + dot(p->B[j], a + E);
    for (int i = 0; i < NE; i++) {
      by_q[E + i] = -p->B[i][j] * a[1] - w2 * p->Md[i][j] + p->K[i][j];
    }
  }
  for (int i = 0; i < NV; i++) J[1][NV + i] = -by_d[i];
}

/* Derivatives of (2) by v' times cj and by v. */
static void tangent_v(const rod *p, const point *f, const double *q, const double *v, double cj,
                      double **J) {
  const double swing = f->A * f->s - f->N * f->c, M12 = f->A * f->c + f->N * f->s;
  double *by_1 = J[NV] + NV, *by_2 = J[NV + 1] + NV;
  by_1[0] = cj * (J1 + m2 * l1 * l1);
  by_1[1] = cj * M12 - 2.0 * v[0] * swing;
  by_2[0] = cj * M12 + 2.0 * v[1] * swing + 2.0 * (f->c * f->A_d + f->s * f->N_d);
  by_2[1] = cj * (J2 + dot(p->C12, q + E) + dot(f->turn, q + E)) + 2.0 * dot(f->turn, v + E);
  J[NV + 2][NV + 2] = cj * m3;
  for (int j = 0; j < NE; j++) {
    double *by_q = J[NV + E + j] + NV;
    const double M2q = p->C21[j] - dot(p->B[j], q + E);
    by_1[E + j] = cj * f->across[j] - 2.0 * v[0] * f->along[j];
    by_2[E + j] = cj * M2q - 2.0 * v[1] * f->turn[j] - 2.0 * dot(p->B[j], v + E);
    by_q[0] = cj * f->across[j] + 2.0 * v[1] * f->along[j];
    by_q[1] = cj * M2q + 2.0 * v[1] * f->turn[j];
    for (int i = 0; i < NE; i++) by_q[E + i] = cj * p->Md[i][j] - 2.0 * v[1] * p->B[i][j];
  }
}

/* Entries of constraints: (3), and G^T lam in (2). */
static void tangent_joints(const point *f, const double *v, const double *lam, double **J) {
  double G[NG][NV] = {{0.0}};
  G[0][0] = l1 * f->c1, G[0][1] = f->L * f->c2, G[0][6] = f->s2;
  G[1][0] = l1 * f->s1, G[1][1] = f->L * f->s2, G[1][2] = 1.0, G[1][6] = -f->c2;
  G[2][0] = 1.0;
  for (int k = 0; k < NG; k++) {
    for (int i = 0; i < NV; i++) J[2 * NV + k][NV + i] = J[NV + i][2 * NV + k] = G[k][i];
  }
  const double cross = f->c2 * lam[0] + f->s2 * lam[1];
  J[0][NV] += l1 * (f->c1 * lam[1] - f->s1 * lam[0]);
  J[1][NV + 1] += f->L * (f->c2 * lam[1] - f->s2 * lam[0]);
  J[6][NV + 1] += cross;
  J[1][NV + 6] += cross;
  double *rate_1 = J[0] + 2 * NV, *rate_2 = J[1] + 2 * NV, *rate_L = J[6] + 2 * NV;
  rate_1[0] = -l1 * f->s1 * v[0];
  rate_1[1] = l1 * f->c1 * v[0];
  rate_2[0] = -f->L * f->s2 * v[1] + f->c2 * v[6];
  rate_2[1] = f->L * f->c2 * v[1] + f->s2 * v[6];
  rate_L[0] = f->c2 * v[1];
  rate_L[1] = f->s2 * v[1];
}

/* dF/dy + cj dF/dy'; IDA hands it over as zero. */
static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix matrix,
                    void *rod_data, N_Vector t1, N_Vector t2, N_Vector t3) {
  (void)t, (void)r, (void)t1, (void)t2, (void)t3;
  const double *q = N_VGetArrayPointer(y), *v = q + NV, *lam = q + 2 * NV;
  double **J = SUNDenseMatrix_Cols(matrix);
  for (int i = 0; i < NV; i++) {
    J[i][i] = cj;
    J[NV + i][i] = -1.0;
  }
  const point f = point_of(rod_data, q, v);
  tangent_q(rod_data, &f, v, N_VGetArrayPointer(yp) + NV, J);
  tangent_v(rod_data, &f, q, v, cj, J);
  tangent_joints(&f, v, lam, J);
  return 0;
}

/* ---- run -------------------------------------------------------------------- */

void ida_crank_residual(const ida_crank_start *at, double motion[IDA_CRANK_NV],
                        double rate[IDA_CRANK_NG]) {
  rod p;
  rod_fill(&p);
  equations(&p, at->q, at->v, at->vd, at->lam, motion, rate);
}

/* Our start is consistent to rounding; both begin with the same numbers. */
void ida_crank_begin(ida_crank_start *start) {
  trm_error err;
  trm_system *system;
  trm_sim *sim;
  trm_options options = trm_options_default();
  options.end = end_time;
  bench_require(trm_problem_create(trm_problem_find("slider-crank"), NULL, 0, NULL, &system, &err),
                &err);
  bench_require(trm_sim_create(system, &options, &sim, &err), &err);
  const trm_state *s = trm_sim_state(sim);
  memcpy(start->q, s->q, sizeof start->q);
  memcpy(start->v, s->v, sizeof start->v);
  memcpy(start->vd, s->vd, sizeof start->vd);
  memcpy(start->lam, s->lam, sizeof start->lam);
  trm_sim_free(sim);
  trm_system_free(system);
}

static void set_up(void *ida, const ida_crank_start *start, double tolerance, rod *p, N_Vector y,
                   N_Vector yp, N_Vector id) {
  double *y0 = N_VGetArrayPointer(y), *yp0 = N_VGetArrayPointer(yp);
  memcpy(y0, start->q, sizeof start->q);
  memcpy(y0 + NV, start->v, sizeof start->v);
  memcpy(y0 + 2 * NV, start->lam, sizeof start->lam);
  memset(yp0, 0, N_ALL * sizeof *yp0);
  memcpy(yp0, start->v, sizeof start->v);
  memcpy(yp0 + NV, start->vd, sizeof start->vd);
  for (int i = 0; i < N_ALL; i++) N_VGetArrayPointer(id)[i] = i < 2 * NV ? 1.0 : 0.0;
  ida_require(IDAInit(ida, residual, 0.0, y, yp));
  ida_require(IDASStolerances(ida, tolerance, tolerance));
  ida_require(IDASetUserData(ida, p));
  ida_require(IDASetId(ida, id));
  ida_require(IDASetSuppressAlg(ida, SUNTRUE));
  ida_require(IDASetMaxNumSteps(ida, 10000000));
  ida_require(IDASetInitStep(ida, first_step));
  ida_require(IDASetStopTime(ida, end_time));
}

void ida_crank_run(const ida_crank_start *start, double tolerance, ida_crank_result *result) {
  rod p;
  rod_fill(&p);
  SUNContext context;
  ida_require(SUNContext_Create(NULL, &context));
  N_Vector y = N_VNew_Serial(N_ALL, context), yp = N_VClone(y), id = N_VClone(y);
  SUNMatrix matrix = SUNDenseMatrix(N_ALL, N_ALL, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  void *ida = IDACreate(context);
  set_up(ida, start, tolerance, &p, y, yp, id);
  ida_require(IDASetLinearSolver(ida, solver, matrix));
  ida_require(IDASetJacFn(ida, jacobian));

  double t = 0.0;
  const double begin = bench_seconds();
  ida_require(IDASolve(ida, end_time, &t, y, yp, IDA_NORMAL));
  result->seconds = bench_seconds() - begin;

  ida_read_counts(ida, &result->n);
  memcpy(result->q, N_VGetArrayPointer(y), sizeof result->q);
  memcpy(result->lam, N_VGetArrayPointer(y) + 2 * NV, sizeof result->lam);
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(yp);
  N_VDestroy(id);
  SUNContext_Free(&context);
}

double ida_crank_unit(int repeats) {
  ida_crank_start start;
  ida_crank_begin(&start);
  double unit = INFINITY;
  for (int i = 0; i < repeats; i++) {
    ida_crank_result result;
    ida_crank_run(&start, IDA_CRANK_UNIT_TOLERANCE, &result);
    unit = fmin(unit, result.seconds);
  }
  return unit;
}
