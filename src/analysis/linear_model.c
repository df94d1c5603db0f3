/* linear_model.c - the equations of a system to first order about a state, in minimal coordinates:
 *   y' = A y + B du,   d(outputs) = C y + D du                                             (1)
 * y has the increments p of free coordinates, the changes r of free velocities, and those of all
 * first-order states. With dpi the retract increment, dv, dx, .. changes
 * of the other unknowns and S the skew matrices of angular velocities on rotations:
 *   G dpi = 0                                              gives dpi from p                (2)
 *   G dv + d(G v + g_t)/dq dpi = 0,  A dv + d(A v + b)/dq dpi = 0   gives dv from r, dpi   (3)
 *   M dv' + G^T dlam + A^T dmu - Q_w dw = -(Kt dpi + C dv) + Q_x dx + Q_u du
 *   G dv' = -(d(G v')/dq + GB_Q) dpi - GB_V dv,   likewise A                               (4)
 *   p' = dv - S dpi,   r' = dv'                            at the free ones                (5)
 * with (4), (5) of linearize.c for states and variables, and D_U du, W_U du there. These are exact
 * derivatives also while the system moves. d(G v')/dq is GV_Q with v' in place of v, less GV_Q
 * with v = 0. Outputs are functions of all unknowns; their derivative along the direction of
 * a column is found by differences (slopes.c), the first with a step of 1e-3 of the sizes.
 * Derivation: docs/theory/09-static-modes.md. */
#include "analysis/linear_model.h"
#include "analysis/linearize.h"
#include "analysis/slopes.h"
#include "core/gate.h"
#include "system/freedom.h"
#include "trammel/analysis.h"
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TAG = 0x11ea2, VELOCITIES_MOST = 5000 };
static const double rank_tolerance = 1e-9, step = 1e-3;

/* Rows B x = b that determine some unknowns by the others, by QR with column pivoting. */
typedef struct elimination {
  int     rows, cols, rank;
  double *qr, *tau;   /* of B, rows of length one, columns times `scale`; column by column */
  double *length;     /* of the rows                                              [rows]  */
  const double *scale; /*                                                         [cols]  */
  lapack_int *pivot;  /* from one; the first `rank` are dependent, the others free [cols] */
  double *right;      /*                                                          [rows]  */
  double *work;
  int     lwork;
} elimination;

struct trm_linear_model {
  trmi_operating_point base;
  trmi_linearized l;
  elimination positions, velocities;
  int     n, np, nr;          /* states, positions and velocities among them           */
  double *A, *B, *C, *D;      /* row by row                                            */
  trmi_sparse GV, AV, Ga, Aa; /* GV_Q, AV_Q; d(G v')/dq, d(A v')/dq                    */
  double *dpi, *dv, *turned;  /* [nv] */
  double *rows;               /* [ng + na] */
  double *unknowns;           /* dv', dlam, dmu, dx', dw                               */
  double *y, *du;             /* [n], [nu] */
  trm_state probe;
  trmi_slopes slopes;         /* of the outputs                                        */
};

/* --- free and dependent coordinates ---------------------------------------------------------- */

static trm_status eliminate(elimination *e, const trm_system *sys, const trmi_sparse *const *blocks,
                            int nblocks, trmi_arena *arena, trm_error *err) {
  const int cols = e->cols = sys->n.nv;
  for (int b = 0; b < nblocks; b++) e->rows += blocks[b]->rows;
  const int rows = e->rows, most = rows < cols ? rows : cols;
  e->lwork = 64 * (rows + cols + 1);
  e->qr = TRMI_TAKE(arena, double, (size_t)rows * (size_t)cols + 1);
  e->tau = TRMI_TAKE(arena, double, most + 1);
  e->length = TRMI_TAKE(arena, double, rows);
  e->right = TRMI_TAKE(arena, double, rows + 1);
  e->work = TRMI_TAKE(arena, double, e->lwork);
  e->pivot = TRMI_TAKE(arena, lapack_int, cols);
  e->scale = sys->scale_v;
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int b = 0, first = 0; b < nblocks; first += blocks[b++]->rows) {
    for (int k = 0; k < blocks[b]->n; k++) {
      const int row = first + blocks[b]->row[k], col = blocks[b]->col[k];
      e->qr[(size_t)col * (size_t)rows + (size_t)row] += blocks[b]->values[k] * e->scale[col];
    }
  }
  for (int i = 0; i < rows; i++) {
    double *row = e->qr + i, square = 0.0;
    for (size_t j = 0; j < (size_t)cols; j++) square += pow(row[j * (size_t)rows], 2);
    e->length[i] = square > 0.0 ? sqrt(square) : 1.0;
    for (size_t j = 0; j < (size_t)cols; j++) row[j * (size_t)rows] /= e->length[i];
  }
  for (int j = 0; j < cols && most == 0; j++) e->pivot[j] = j + 1;
  if (most == 0) return TRM_OK;
  (void)TRMI_LAPACK(dgeqp3_work, LAPACK_COL_MAJOR, rows, cols, e->qr, rows, e->pivot, e->tau,
                    e->work, e->lwork);
  const double limit = rank_tolerance * fmax(fabs(e->qr[0]), 1e-300);
  while (e->rank < most && fabs(e->qr[(size_t)e->rank * (size_t)(rows + 1)]) > limit) e->rank++;
  return TRM_OK;
}

static int free_count(const elimination *e) {
  return e->cols - e->rank;
}

/* Independent velocity coordinates, in the order of the system. */
static void list_free(elimination *e) {
  lapack_int *list = e->pivot + e->rank;
  for (int i = 1; i < free_count(e); i++) { /* exchanged with columns of R2 */
    for (int k = i; k > 0 && list[k] < list[k - 1]; k--) {
      const lapack_int other = list[k];
      list[k] = list[k - 1];
      list[k - 1] = other;
      for (int row = 0; row < e->rank; row++) {
        double *a = e->qr + (size_t)(e->rank + k) * (size_t)e->rows + row, *b = a - e->rows;
        const double value = *a;
        *a = *b;
        *b = value;
      }
    }
  }
}

static int free_at(const elimination *e, int k) {
  return (int)e->pivot[e->rank + k] - 1;
}

/* x from its free part and the right sides b (NULL: zero), which are overwritten. */
static void complete(elimination *e, const double *free, double *b, double *x) {
  const int rows = e->rows, rank = e->rank;
  for (int k = 0; k < free_count(e); k++) x[free_at(e, k)] = free[k];
  if (rank == 0) return;
  for (int i = 0; i < rows; i++) e->right[i] = b != NULL ? b[i] / e->length[i] : 0.0;
  (void)TRMI_LAPACK(dormqr_work, LAPACK_COL_MAJOR, 'L', 'T', rows, 1, rank, e->qr, rows, e->tau,
                    e->right, rows, e->work, e->lwork);
  for (int k = 0; k < free_count(e); k++) {
    const double *column = e->qr + (size_t)(rank + k) * (size_t)rows;
    const double part = free[k] / e->scale[free_at(e, k)];
    for (int i = 0; i < rank; i++) e->right[i] -= column[i] * part;
  }
  (void)TRMI_LAPACK(dtrtrs_work, LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, 1, e->qr, rows, e->right,
                    rows);
  for (int i = 0; i < rank; i++) {
    const int at = (int)e->pivot[i] - 1;
    x[at] = e->right[i] * e->scale[at];
  }
}

/* --- blocks ----------------------------------------------------------------------------------- */

static trm_status want(trm_system *sys, trm_block block, trmi_block_set *set, trm_error *err) {
  if (sys->block[block].n == 0) return TRM_OK;
  *set |= TRMI_BIT(block);
  return trmi_system_want(sys, block, err);
}

/* The present values of a block; with `less` their difference to those. */
static trm_status keep(trm_linear_model *m, trm_block block, trmi_sparse *out, bool is_less,
                       trm_error *err) {
  const trmi_sparse *now = &m->base.sys->block[block];
  if (!is_less) {
    *out = *now;
    out->values = TRMI_TAKE(&m->base.arena, double, now->n);
    TRMI_TRY(err, trmi_arena_check(&m->base.arena, err));
  }
  for (int k = 0; k < now->n; k++) {
    out->values[k] = is_less ? out->values[k] - now->values[k] : now->values[k];
  }
  return TRM_OK;
}

/* All blocks at the state, then those that need other velocities. */
static trm_status fill_blocks(trm_linear_model *m, trm_error *err) {
  static const trm_block extra[] = {TRM_GB_Q, TRM_GB_V, TRM_AB_Q, TRM_AB_V,
                                    TRM_Q_U,  TRM_D_U,  TRM_W_U};
  trm_system *sys = m->base.sys;
  trm_state other = m->base.s;
  trmi_block_set set = 0, rates = 0;
  TRMI_TRY(err, trmi_linearize(&m->l, &m->base, err));
  for (size_t i = 0; i < sizeof extra / sizeof *extra; i++) {
    TRMI_TRY(err, want(sys, extra[i], &set, err));
  }
  TRMI_TRY(err, want(sys, TRM_GV_Q, &rates, err));
  TRMI_TRY(err, want(sys, TRM_AV_Q, &rates, err));
  TRMI_TRY(err, trmi_system_blocks(sys, &other, set | rates, NULL, NULL, NULL, err));
  TRMI_TRY(err, keep(m, TRM_GV_Q, &m->GV, false, err));
  TRMI_TRY(err, keep(m, TRM_AV_Q, &m->AV, false, err));
  if (rates == 0) {
    m->Ga = m->GV, m->Aa = m->AV; /* nothing */
    return TRM_OK;
  }
  other.v = m->base.s.vd;
  TRMI_TRY(err, trmi_system_blocks(sys, &other, rates, NULL, NULL, NULL, err));
  TRMI_TRY(err, keep(m, TRM_GV_Q, &m->Ga, false, err));
  TRMI_TRY(err, keep(m, TRM_AV_Q, &m->Aa, false, err));
  other.v = m->probe.v; /* zero */
  TRMI_TRY(err, trmi_system_blocks(sys, &other, rates, NULL, NULL, NULL, err));
  TRMI_TRY(err, keep(m, TRM_GV_Q, &m->Ga, true, err));
  return keep(m, TRM_AV_Q, &m->Aa, true, err);
}

/* --- one column ------------------------------------------------------------------------------ */

/* (2) and (3) for m->y. */
static void move(trm_linear_model *m) {
  const trm_sizes *n = &m->base.sys->n;
  complete(&m->positions, m->y, NULL, m->dpi);
  memset(m->rows, 0, (size_t)(n->ng + n->na) * sizeof(double));
  trmi_sparse_add_mul(&m->GV, -1.0, m->dpi, m->rows);
  trmi_sparse_add_mul(&m->AV, -1.0, m->dpi, m->rows + n->ng);
  complete(&m->velocities, m->y + m->np, m->rows, m->dv);
}

/* Right sides of (4). */
static void fill_right(trm_linear_model *m) {
  const trm_system *sys = m->base.sys;
  const trmi_sparse *b = sys->block;
  const trmi_places at = trmi_places_of(sys);
  const double *dx = m->y + m->np + m->nr;
  double *r = m->unknowns;
  memset(r, 0, (size_t)at.n * sizeof(double));
  trmi_linearized_stiffness(&m->l, m->dpi, r);
  trmi_sparse_add_mul(&b[TRM_C], 1.0, m->dv, r);
  for (int i = 0; i < sys->n.nv; i++) r[i] = -r[i];
  trmi_sparse_add_mul(&b[TRM_Q_U], 1.0, m->du, r);
  trmi_sparse_add_mul(&m->Ga, -1.0, m->dpi, r + at.lam);
  trmi_sparse_add_mul(&b[TRM_GB_Q], -1.0, m->dpi, r + at.lam);
  trmi_sparse_add_mul(&b[TRM_GB_V], -1.0, m->dv, r + at.lam);
  trmi_sparse_add_mul(&m->Aa, -1.0, m->dpi, r + at.mu);
  trmi_sparse_add_mul(&b[TRM_AB_Q], -1.0, m->dpi, r + at.mu);
  trmi_sparse_add_mul(&b[TRM_AB_V], -1.0, m->dv, r + at.mu);
  if (sys->n.nx > 0) {
    trmi_sparse_add_mul(&b[TRM_Q_X], 1.0, dx, r);
    trmi_sparse_add_mul(&b[TRM_D_X], -1.0, dx, r + at.x);
    trmi_sparse_add_mul(&b[TRM_D_Q], -1.0, m->dpi, r + at.x);
    trmi_sparse_add_mul(&b[TRM_D_V], -1.0, m->dv, r + at.x);
    trmi_sparse_add_mul(&b[TRM_D_U], -1.0, m->du, r + at.x);
  }
  if (sys->n.nw > 0) {
    trmi_sparse_add_mul(&b[TRM_W_Q], 1.0, m->dpi, r + at.w);
    trmi_sparse_add_mul(&b[TRM_W_V], 1.0, m->dv, r + at.w);
    trmi_sparse_add_mul(&b[TRM_W_X], 1.0, dx, r + at.w);
    trmi_sparse_add_mul(&b[TRM_W_U], 1.0, m->du, r + at.w);
  }
}

/* The outputs with all unknowns displaced by e along the direction of the column. */
static trm_status outputs_at(void *self, double e, double *out, trm_error *err) {
  trm_linear_model *m = self;
  trm_system *sys = m->base.sys;
  const trm_state *s = &m->base.s;
  const trmi_places at = trmi_places_of(sys);
  trm_state *p = &m->probe;
  const double *d = m->unknowns, *dx = m->y + m->np + m->nr;
  trmi_state_copy(sys, s, p);
  for (int i = 0; i < sys->n.nv; i++) {
    m->turned[i] = e * m->dpi[i];
    p->v[i] += e * m->dv[i];
    p->vd[i] += e * d[i];
  }
  trm_system_retract(sys, s->q, m->turned, p->q);
  for (int i = 0; i < sys->n.ng; i++) p->lam[i] += e * d[at.lam + i];
  for (int i = 0; i < sys->n.na; i++) p->mu[i] += e * d[at.mu + i];
  for (int i = 0; i < sys->n.nx; i++) p->x[i] += e * dx[i], p->xd[i] += e * d[at.x + i];
  for (int i = 0; i < sys->n.nw; i++) p->w[i] += e * d[at.w + i];
  for (int i = 0; i < sys->n.nu; i++) p->u[i] += e * m->du[i];
  return trm_system_values(sys, p, &(trm_values){.outputs = out}, err);
}

/* A step along the direction by which positions and velocities change by 1e-3 of their sizes. */
static double step_of(const trm_linear_model *m) {
  const trm_system *sys = m->base.sys;
  const trm_state *s = &m->base.s;
  const double *dx = m->y + m->np + m->nr;
  double size = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    const double speed = fmax(sys->scale_v[i] / sys->second, fabs(s->v[i]));
    size = fmax(size, fmax(fabs(m->dpi[i]) / sys->scale_v[i], fabs(m->dv[i]) / speed));
  }
  for (int i = 0; i < sys->n.nx; i++) {
    size = fmax(size, fabs(dx[i]) / fmax(sys->scale_x[i], fabs(s->x[i])));
  }
  for (int i = 0; i < sys->n.nu; i++) {
    size = fmax(size, fabs(m->du[i]) / fmax(1.0, fabs(s->u[i])));
  }
  return size > 0.0 ? step / size : step;
}

/* Derivatives of the outputs along the column, into column j of `matrix`. */
static trm_status show(trm_linear_model *m, double *matrix, int columns, int j, trm_error *err) {
  TRMI_TRY(err, trmi_slopes_find(&m->slopes, outputs_at, m, step_of(m), err));
  for (int i = 0; i < m->slopes.n; i++) {
    matrix[(size_t)i * (size_t)columns + (size_t)j] = m->slopes.slope[i];
  }
  return TRM_OK;
}

/* Column j of A and C, or of B and D, for the direction in m->y and m->du. */
static trm_status fill_column(trm_linear_model *m, trmi_matrix *index1, bool is_input, int j,
                              trm_error *err) {
  const trm_system *sys = m->base.sys;
  const int columns = is_input ? sys->n.nu : m->n;
  double *F = is_input ? m->B : m->A;
  move(m);
  fill_right(m);
  TRMI_TRY(err, trmi_linear_solve(&index1->lin, m->unknowns, err));
  trmi_linearized_spin(&m->l, m->dpi, m->turned);
  for (int i = 0; i < m->n; i++) {
    const int k = i < m->np ? free_at(&m->positions, i)
                            : i < m->np + m->nr ? free_at(&m->velocities, i - m->np) : 0;
    F[(size_t)i * (size_t)columns + (size_t)j] =
        i < m->np           ? m->dv[k] - m->turned[k]                                   /* (5) */
        : i < m->np + m->nr ? m->unknowns[k]
                            : m->unknowns[trmi_places_of(sys).x + i - m->np - m->nr];
  }
  return show(m, is_input ? m->D : m->C, columns, j, err);
}

/* --- the model ------------------------------------------------------------------------------- */

static trm_status find_coordinates(trm_linear_model *m, trm_error *err) {
  const trm_system *sys = m->base.sys;
  const trmi_sparse *const blocks[] = {&sys->block[TRM_G], &sys->block[TRM_A]};
  TRMI_TRY(err, eliminate(&m->positions, sys, blocks, 1, &m->base.arena, err));
  TRMI_TRY(err, eliminate(&m->velocities, sys, blocks, 2, &m->base.arena, err));
  list_free(&m->positions);
  list_free(&m->velocities);
  m->np = free_count(&m->positions);
  m->nr = free_count(&m->velocities);
  m->n = m->np + m->nr + sys->n.nx;
  return TRM_OK;
}

static trm_status take(trm_linear_model *m, trm_error *err) {
  const trm_sizes *sizes = &m->base.sys->n;
  trmi_arena *arena = &m->base.arena;
  const size_t n = (size_t)m->n, nu = (size_t)sizes->nu, ny = (size_t)sizes->noutputs;
  m->A = TRMI_TAKE(arena, double, n * n);
  m->B = TRMI_TAKE(arena, double, n * nu);
  m->C = TRMI_TAKE(arena, double, ny * n);
  m->D = TRMI_TAKE(arena, double, ny * nu);
  m->y = TRMI_TAKE(arena, double, n + 1);
  m->du = TRMI_TAKE(arena, double, nu + 1);
  m->dpi = TRMI_TAKE(arena, double, sizes->nv);
  m->dv = TRMI_TAKE(arena, double, sizes->nv);
  m->turned = TRMI_TAKE(arena, double, sizes->nv);
  m->rows = TRMI_TAKE(arena, double, sizes->ng + sizes->na + 1);
  m->unknowns = TRMI_TAKE(arena, double, trmi_places_of(m->base.sys).n);
  trmi_slopes_take(&m->slopes, sizes->noutputs, arena);
  return trmi_arena_check(arena, err);
}

static trm_status find(trm_linear_model *m, trm_system *system, const trm_state *at,
                       const trm_linear_options *options, trm_error *err) {
  const trmi_operating_point_spec spec = {.at = at,
                                          .start = options->start,
                                          .solver = options->solver,
                                          .allocator = options->allocator};
  if (system->n.nv > VELOCITIES_MOST) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "linear models are dense: at most %d velocities, "
                     "the system has %d", VELOCITIES_MOST, system->n.nv);
  }
  TRMI_TRY(err, trmi_operating_point_open(&m->base, system, &spec, err));
  const trm_system *sys = m->base.sys;
  trmi_state_take(sys, &m->base.arena, &m->probe);
  TRMI_TRY(err, trmi_arena_check(&m->base.arena, err));
  trmi_matrix *index1 = NULL;
  TRMI_TRY(err, trmi_consistent_factor(&m->base.c, &m->base.s, true, &index1, err));
  TRMI_TRY(err, fill_blocks(m, err)); /* a border may have rebuilt them */
  TRMI_TRY(err, find_coordinates(m, err));
  TRMI_TRY(err, take(m, err));
  for (int j = 0; j < m->n; j++) {
    m->y[j] = 1.0;
    TRMI_TRY(err, fill_column(m, index1, false, j, err));
    m->y[j] = 0.0;
  }
  for (int j = 0; j < sys->n.nu; j++) {
    m->du[j] = 1.0;
    TRMI_TRY(err, fill_column(m, index1, true, j, err));
    m->du[j] = 0.0;
  }
  return TRM_OK;
}

trm_linear_options trm_linear_options_default(void) {
  return (trm_linear_options){.tag = TAG, .start = NAN};
}

trm_status trm_linear_model_find(trm_system *system, const trm_state *at,
                                 const trm_linear_options *options, trm_linear_model **out,
                                 trm_error *err) {
  TRMI_NEED(err, out);
  *out = NULL;
  TRMI_NEED(err, system);
  if (options == NULL || options->tag != TAG) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "options must come from trm_linear_options_default");
  }
  trm_linear_model *m = trmi_allocate(&options->allocator, sizeof *m);
  if (m == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for a linear "
                                                             "model");
  *m = (trm_linear_model){0};
  trmi_arena_init(&m->base.arena, &options->allocator);
  trm_error own = {.status = TRM_OK}; /* on success the caller's error is unchanged */
  const trm_status status = trmi_operating_point_final(&own, find(m, system, at, options, &own));
  if (status != TRM_OK) {
    if (status != TRM_ERR_INPUT) trmi_note_time(&own, m->base.s.t, NAN, status);
    trm_linear_model_free(m);
    if (err != NULL) *err = own;
    return trmi_note(err, __func__, status);
  }
  *out = m;
  return TRM_OK;
}

int trm_linear_model_size(const trm_linear_model *m) {
  if (m == NULL) return 0;
  return m->n;
}

trm_matrices trm_linear_model_matrices(const trm_linear_model *m) {
  if (m == NULL) return (trm_matrices){0};
  return (trm_matrices){.A = m->A, .B = m->B, .C = m->C, .D = m->D};
}

const trm_system *trmi_linear_model_system(const trm_linear_model *m) {
  return m->base.sys;
}

const trm_allocator *trmi_linear_model_allocator(const trm_linear_model *m) {
  return &m->base.arena.allocator;
}

const trm_state *trm_linear_model_state(const trm_linear_model *m) {
  if (m == NULL) return NULL;
  return &m->base.s;
}

trm_linear_unknown trm_linear_model_unknown(const trm_linear_model *m, int i) {
  if (i < 0 || i >= trm_linear_model_size(m)) return (trm_linear_unknown){.index = -1};
  if (i < m->np) return (trm_linear_unknown){TRM_Q, free_at(&m->positions, i)};
  i -= m->np;
  if (i < m->nr) return (trm_linear_unknown){TRM_V, free_at(&m->velocities, i)};
  return (trm_linear_unknown){TRM_X, i - m->nr};
}

void trm_linear_model_label(const trm_linear_model *m, int i, trm_label *label) {
  if (m == NULL || label == NULL) return;
  const trm_linear_unknown unknown = trm_linear_model_unknown(m, i);
  if (unknown.list != TRM_Q) {
    trm_system_label(m->base.sys, unknown.list, unknown.index, label);
  } else if (trmi_coordinate_label(m->base.sys, unknown.index, label)) {
    char name[sizeof label->name];
    memcpy(name, label->name, sizeof name);
    snprintf(label->name, sizeof label->name, "int(%.42s)", name);
  }
}

void trm_linear_model_free(trm_linear_model *m) {
  if (m == NULL) return;
  const trm_allocator allocator = m->base.arena.allocator;
  trmi_operating_point_close(&m->base);
  trmi_release(&allocator, m);
}
