/* modes_sparse.c - the lowest modes of a large system, by ARPACK with shift and invert.
 *
 * With E y' = F y the form (1) to (5) of linearize.c, eigenvalues lambda near a small positive
 * shift sigma are the large theta of
 *   (sigma E - F)^-1 E b = theta b,   lambda = sigma - 1/theta                           (1)
 * From b = (b1, b2, bx), parts of dpi, dv and dx, eliminating dv = sigma dpi - b1 and with
 * N = sigma^2 - sigma S, c = b2 + sigma b1 - S b1:
 *   motion  (M N + sigma C + Kt) dpi + G^T dlam + A^T dmu - Q_x dx - Q_w dw = M c + C b1
 *   G dpi = 0,   (sigma A + AV_Q) dpi = A b1
 *   states  (D_Q + sigma D_V + D_VD N) dpi + (D_X + sigma D_XD) dx + D_LAM dlam + D_W dw
 *           = D_XD bx + D_VD c + D_V b1
 *   variables, with the sign of w - W, likewise                                          (2)
 * Without damping, spin, states and rolling, b1 = 0 and w^2 = -lambda^2:
 *   (Kt + sigma^2 M)^-1 M b2 = b2 / (w^2 + sigma^2),  under G dpi = 0                    (3)
 * is symmetric in the product b . M b. */
#include "analysis/modes.h"
#include "core/gate.h"
#include <arpack/arpack.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { VECTORS_MAX = 20000 }; /* ARPACK counts its scratch, 3 n^2 numbers, in an int */

typedef struct sparse {
  trmi_modes_search *m;
  trm_system *sys;
  trmi_arena *arena;   /* scratch                                    */
  trmi_matrix matrix;
  double      sigma;
  double     *T;       /* 1 - S/sigma of each rotation   [nrot 9]    */
  double     *rhs;     /* [n] */
  double     *turned;  /* [nv] */
  int         size;    /* of b: 2 nv + nx, symmetric: nv             */
} sparse;

/* The shift as a part of the typical stiffness over mass: far below the wanted eigenvalues ARPACK
 * is slow, far above digits are lost. */
static double choose_sigma(const sparse *p) {
  static const trm_block blocks[] = {TRM_K, TRM_GY_Q, TRM_AY_Q, TRM_MU_Q};
  double stiffness = 0.0, mass = 0.0, damping = 0.0;
  const trmi_sparse *M = &p->sys->block[TRM_M], *C = &p->sys->block[TRM_C];
  for (int k = 0; k < M->n; k++) mass += M->row[k] == M->col[k] ? fabs(M->values[k]) : 0.0;
  for (int k = 0; k < C->n; k++) damping += C->row[k] == C->col[k] ? fabs(C->values[k]) : 0.0;
  for (int b = 0; b < 4; b++) {
    const trmi_sparse *K = &p->sys->block[blocks[b]];
    for (int k = 0; k < K->n; k++) stiffness += K->row[k] == K->col[k] ? fabs(K->values[k]) : 0.0;
  }
  const double slow = 1.0 / p->sys->second;
  if (!(mass > 0.0)) return slow;
  if (stiffness > 0.0) return 1e-3 * sqrt(stiffness / mass);
  return damping > 0.0 ? 1e-3 * damping / mass : slow;
}

static trm_status build(sparse *p, trm_error *err) {
  trmi_line lines[TRMI_TANGENT_MAX];
  const trmi_matrix_spec spec = {.lines = lines,
                                 .nlines = trmi_tangent_lines(&trmi_linearized_tangent, lines),
                                 .slot_one = TRMI_BY_VARIABLE,
                                 .bordered = p->m->l.base->c.bordered, .solver = p->m->solver};
  TRMI_TRY(err, trmi_matrix_build(&p->matrix, p->sys, p->arena, &spec, err));
  p->sigma = choose_sigma(p);
  const double s = p->sigma;
  double coefficient[TRMI_SLOTS] = {
      [TRMI_BY_INERTIA] = s * s,  [TRMI_BY_INERTIA_Q] = 1.0,  [TRMI_BY_VELOCITY] = s,
      [TRMI_BY_POSITION] = 1.0,   [TRMI_BY_MULTIPLIER] = 1.0, [TRMI_BY_ACCELERATION] = s * s,
      [TRMI_BY_STATE_RATE] = s,   [TRMI_BY_STATE] = 1.0,      [TRMI_BY_VARIABLE] = 1.0};
  trmi_tangent_complete(coefficient);
  p->T = TRMI_TAKE(p->arena, double, 9 * p->sys->n.nrot);
  p->rhs = TRMI_TAKE(p->arena, double, trmi_places_of(p->sys).n);
  p->turned = TRMI_TAKE(p->arena, double, p->sys->n.nv);
  TRMI_TRY(err, trmi_arena_check(p->arena, err));
  for (int k = 0; k < 9 * p->sys->n.nrot; k++) {
    p->T[k] = (k % 9 % 4 == 0 ? 1.0 : 0.0) - p->m->l.spin[k] / s;
  }
  TRMI_TRY(err, trmi_matrix_factor(&p->matrix, p->sys, coefficient, p->T, err));
  return TRM_OK;
}

/* (3); b is M b2 already if has_mass. b and out may be the same. */
static trm_status apply_symmetric(sparse *p, const double *b, bool has_mass, double *out,
                                  trm_error *err) {
  const int nv = p->sys->n.nv, n = trmi_places_of(p->sys).n;
  memset(p->rhs, 0, (size_t)n * sizeof(double));
  if (has_mass) {
    memcpy(p->rhs, b, (size_t)nv * sizeof(double));
  } else {
    trmi_linearized_mass(&p->m->l, b, p->rhs);
  }
  TRMI_TRY(err, trmi_linear_solve(&p->matrix.lin, p->rhs, err));
  memcpy(out, p->rhs, (size_t)nv * sizeof(double));
  return TRM_OK;
}

/* (2); b and out may not be the same. */
static trm_status apply_general(sparse *p, const double *b, double *out, trm_error *err) {
  const trm_sizes *n = &p->sys->n;
  const trmi_sparse *blocks = p->sys->block;
  const trmi_places at = trmi_places_of(p->sys);
  const double *b1 = b, *b2 = b + n->nv, *bx = b + 2 * n->nv, s = p->sigma;
  double *r = p->rhs, *c = p->turned;
  memset(r, 0, (size_t)at.n * sizeof(double));
  trmi_linearized_spin(&p->m->l, b1, c);
  for (int i = 0; i < n->nv; i++) c[i] = b2[i] + s * b1[i] - c[i];
  trmi_sparse_add_mul(&blocks[TRM_M], 1.0, c, r);
  trmi_sparse_add_mul(&blocks[TRM_C], 1.0, b1, r);
  trmi_sparse_add_mul(&blocks[TRM_A], 1.0, b1, r + at.mu);
  if (n->nx > 0) {
    trmi_sparse_add_mul(&blocks[TRM_D_XD], 1.0, bx, r + at.x);
    trmi_sparse_add_mul(&blocks[TRM_D_VD], 1.0, c, r + at.x);
    trmi_sparse_add_mul(&blocks[TRM_D_V], 1.0, b1, r + at.x);
  }
  if (n->nw > 0) {
    trmi_sparse_add_mul(&blocks[TRM_W_VD], -1.0, c, r + at.w);
    trmi_sparse_add_mul(&blocks[TRM_W_V], -1.0, b1, r + at.w);
    if (n->nx > 0) trmi_sparse_add_mul(&blocks[TRM_W_XD], -1.0, bx, r + at.w);
  }
  TRMI_TRY(err, trmi_linear_solve(&p->matrix.lin, r, err));
  memcpy(out, r, (size_t)n->nv * sizeof(double));
  for (int i = 0; i < n->nv; i++) out[n->nv + i] = s * r[i] - b1[i];
  memcpy(out + 2 * n->nv, r + at.x, (size_t)n->nx * sizeof(double));
  return TRM_OK;
}

/* --- ARPACK ------------------------------------------------------------------------------- */

typedef struct arnoldi {
  a_int   n, nev, ncv, lworkl;
  a_int   ido, info, iparam[11], ipntr[14];
  double *resid, *V, *workd, *workl;
  double *re, *im, *workev;
  a_int  *select;
} arnoldi;

static int least(int a, int b) {
  return a < b ? a : b;
}

/* Eigenvalues that are not infinite. */
static int count_finite(const sparse *p) {
  const trmi_operating_point *base = p->m->l.base;
  return base->freedoms + base->mobilities + p->sys->n.nx;
}

static trm_status take(sparse *p, arnoldi *a, trm_error *err) {
  const a_int n = p->size;
  a->n = n;
  a->nev = p->m->is_symmetric ? least(p->m->wanted, p->m->l.base->freedoms)
                              : least(2 * p->m->wanted + 2, count_finite(p));
  a->nev = least(a->nev, n - 2);
  a->ncv = 2 * a->nev + 20 < n ? 2 * a->nev + 20 : n;
  if (a->ncv > VECTORS_MAX) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "%d modes are too many for the method 'sparse': ask for fewer",
                     p->m->wanted);
  }
  a->lworkl = 3 * a->ncv * a->ncv + 8 * a->ncv;
  a->resid = TRMI_TAKE(p->arena, double, n);
  a->V = TRMI_TAKE(p->arena, double, (size_t)n * (size_t)(a->ncv + 1));
  a->workd = TRMI_TAKE(p->arena, double, 3 * (size_t)n);
  a->workl = TRMI_TAKE(p->arena, double, a->lworkl);
  a->re = TRMI_TAKE(p->arena, double, a->nev + 1);
  a->im = TRMI_TAKE(p->arena, double, a->nev + 1);
  a->workev = TRMI_TAKE(p->arena, double, 3 * (size_t)a->ncv);
  a->select = TRMI_TAKE(p->arena, a_int, a->ncv);
  TRMI_TRY(err, trmi_arena_check(p->arena, err));
  a->info = 1; /* with our first vector */
  a->iparam[0] = 1;
  a->iparam[2] = 1000;
  a->iparam[6] = p->m->is_symmetric ? 3 : 1;
  return TRM_OK;
}

/* Pseudo-random numbers in -1 .. 1, the same in every run. */
static void fill_random(double *x, int n, unsigned long long *seed) {
  for (int i = 0; i < n; i++) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    x[i] = (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
  }
}

/* A first vector inside the constraints at both levels. */
static trm_status first_vector(sparse *p, arnoldi *a, trm_error *err) {
  unsigned long long seed = 1;
  fill_random(a->resid, a->n, &seed);
  for (int k = 0; k < 3; k++) {
    if (p->m->is_symmetric) {
      TRMI_TRY(err, apply_symmetric(p, a->resid, false, a->resid, err));
    } else {
      TRMI_TRY(err, apply_general(p, a->resid, a->workd, err));
      memcpy(a->resid, a->workd, (size_t)a->n * sizeof(double));
    }
    double largest = 0.0;
    for (int i = 0; i < a->n; i++) largest = fmax(largest, fabs(a->resid[i]));
    for (int i = 0; i < a->n && largest > 0.0; i++) a->resid[i] /= largest;
  }
  return TRM_OK;
}

static trm_status check_info(const arnoldi *a, trm_error *err) {
  if (a->info >= 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_BALANCE, NULL,
                   "the iteration for modes ends with code %d of ARPACK", (int)a->info);
}

static trm_status iterate(sparse *p, arnoldi *a, trm_error *err) {
  const bool is_symmetric = p->m->is_symmetric;
  for (;;) {
    trm_lapack_enter();
    if (is_symmetric) {
      dsaupd_c(&a->ido, "G", a->n, "LM", a->nev, 0.0, a->resid, a->ncv, a->V, a->n, a->iparam,
               a->ipntr, a->workd, a->workl, a->lworkl, &a->info);
    } else {
      dnaupd_c(&a->ido, "I", a->n, "LM", a->nev, 0.0, a->resid, a->ncv, a->V, a->n, a->iparam,
               a->ipntr, a->workd, a->workl, a->lworkl, &a->info);
    }
    trm_lapack_leave();
    if (a->ido == 99) break;
    const double *x = a->workd + a->ipntr[0] - 1;
    double *y = a->workd + a->ipntr[1] - 1;
    if (!is_symmetric) {
      TRMI_TRY(err, apply_general(p, x, y, err));
    } else if (a->ido == 2) {
      memset(y, 0, (size_t)a->n * sizeof(double));
      trmi_linearized_mass(&p->m->l, x, y);
    } else if (a->ido == 1) {
      TRMI_TRY(err, apply_symmetric(p, a->workd + a->ipntr[2] - 1, true, y, err));
    } else {
      TRMI_TRY(err, apply_symmetric(p, x, false, y, err));
    }
  }
  TRMI_TRY(err, check_info(a, err));
  if (a->iparam[4] < a->nev) a->nev = a->iparam[4];
  if (a->nev < 1) {
    return TRMI_FAIL(err, TRM_ERR_BALANCE, NULL, "no mode converges; ask for fewer of them");
  }
  return TRM_OK;
}

/* A theta below this part of the largest belongs to constraints, whose eigenvalues are infinite. */
static const double not_finite = 1e-8;

static trm_status fetch_symmetric(sparse *p, arnoldi *a, trm_error *err) {
  trm_lapack_enter();
  dseupd_c(1, "A", a->select, a->re, a->V, a->n, -p->sigma * p->sigma, "G", a->n, "LM", a->nev, 0.0,
           a->resid, a->ncv, a->V, a->n, a->iparam, a->ipntr, a->workd, a->workl, a->lworkl,
           &a->info);
  trm_lapack_leave();
  TRMI_TRY(err, check_info(a, err));
  TRMI_TRY(err, trmi_eigenpairs_take(p->m, 2 * a->nev, err));
  double largest = 0.0; /* of theta */
  for (int k = 0; k < a->nev; k++) {
    largest = fmax(largest, 1.0 / fabs(a->re[k] + p->sigma * p->sigma));
  }
  for (int k = 0; k < a->nev; k++) {
    if (1.0 / fabs(a->re[k] + p->sigma * p->sigma) <= not_finite * largest) continue;
    trmi_eigenpairs_add_square(p->m, a->re[k], a->V + (size_t)k * (size_t)a->n);
  }
  return TRM_OK;
}

static trm_status fetch_general(sparse *p, arnoldi *a, trm_error *err) {
  const int nv = p->sys->n.nv, nx = p->sys->n.nx;
  trm_lapack_enter();
  dneupd_c(1, "A", a->select, a->re, a->im, a->V, a->n, 0.0, 0.0, a->workev, "I", a->n, "LM",
           a->nev, 0.0, a->resid, a->ncv, a->V, a->n, a->iparam, a->ipntr, a->workd, a->workl,
           a->lworkl, &a->info);
  trm_lapack_leave();
  TRMI_TRY(err, check_info(a, err));
  TRMI_TRY(err, trmi_eigenpairs_take(p->m, a->nev + 1, err));
  double largest = 0.0;
  for (int k = 0; k < a->nev; k++) largest = fmax(largest, hypot(a->re[k], a->im[k]));
  for (int k = 0; k < a->nev; k++) {
    const double size2 = a->re[k] * a->re[k] + a->im[k] * a->im[k];
    const bool is_pair = a->im[k] != 0.0;
    if (is_pair && k + 1 == a->nev) break; /* its conjugate did not converge */
    if (sqrt(size2) > not_finite * largest) {
      const double re = p->sigma - a->re[k] / size2, im = a->im[k] / size2; /* (1) */
      trmi_eigenpair *pair = trmi_eigenpairs_next(&p->m->pairs, re, fabs(im));
      for (int part = 0; part < (is_pair ? 2 : 1); part++) {
        const double *v = a->V + (size_t)(k + part) * (size_t)a->n;
        const double sign = part == 1 && im < 0.0 ? -1.0 : 1.0;
        double *to = part == 0 ? pair->y_re : pair->y_im;
        for (int i = 0; i < nv; i++) to[i] = sign * v[i];
        for (int i = 0; i < nx; i++) to[nv + i] = sign * v[2 * nv + i];
      }
    }
    if (is_pair) k++;
  }
  return TRM_OK;
}

/* Is the stiffness symmetric along admissible directions? Tested with two of them. */
static trm_status check_symmetry(sparse *p, trm_error *err) {
  const int nv = p->sys->n.nv;
  double *x = TRMI_TAKE(p->arena, double, nv), *y = TRMI_TAKE(p->arena, double, nv);
  double *Kx = TRMI_TAKE(p->arena, double, nv), *Ky = TRMI_TAKE(p->arena, double, nv);
  TRMI_TRY(err, trmi_arena_check(p->arena, err));
  unsigned long long seed = 7;
  fill_random(x, nv, &seed);
  fill_random(y, nv, &seed);
  TRMI_TRY(err, apply_symmetric(p, x, false, x, err));
  TRMI_TRY(err, apply_symmetric(p, y, false, y, err));
  trmi_linearized_stiffness(&p->m->l, x, Kx);
  trmi_linearized_stiffness(&p->m->l, y, Ky);
  double off = 0.0;
  for (int i = 0; i < nv; i++) off += x[i] * Ky[i] - y[i] * Kx[i];
  const double size = sqrt(trmi_linearized_stiffness_size(&p->m->l, x) *
                           trmi_linearized_stiffness_size(&p->m->l, y));
  if (!(fabs(off) <= 1e-10 * size)) p->m->is_symmetric = false;
  return TRM_OK;
}

static trm_status find(sparse *p, arnoldi *a, trm_error *err) {
  TRMI_TRY(err, iterate(p, a, err));
  if (p->m->is_symmetric) return fetch_symmetric(p, a, err);
  return fetch_general(p, a, err);
}

static trm_status solve(sparse *p, trm_error *err) {
  const trm_sizes *n = &p->sys->n;
  if (count_finite(p) == 0) return trmi_eigenpairs_take(p->m, 0, err); /* nothing moves */
  TRMI_TRY(err, build(p, err));
  if (p->m->is_symmetric) TRMI_TRY(err, check_symmetry(p, err));
  p->size = p->m->is_symmetric ? n->nv : 2 * n->nv + n->nx;
  arnoldi a = {0};
  TRMI_TRY(err, take(p, &a, err));
  TRMI_TRY(err, first_vector(p, &a, err));
  trmi_gate_enter(&trmi_gate_arpack);
  const trm_status status = find(p, &a, err);
  return (trm_status)trmi_gate_leave(&trmi_gate_arpack, (int)status);
}

trm_status trmi_modes_sparse(trmi_modes_search *m, trm_error *err) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &m->arena->allocator);
  sparse p = {.m = m, .sys = m->l.base->sys, .arena = &scratch};
  const trm_status status = solve(&p, err);
  trmi_matrix_free(&p.matrix);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}
