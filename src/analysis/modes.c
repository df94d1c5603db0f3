/* modes.c - natural frequencies and modes: options, the list of modes, zero frequencies. The
 * eigenvalue problems are (1) to (4) of modes_dense.c and (1) to (3) of modes_sparse.c; the null
 * space of the constraints is found in linearize.c.
 *
 * The frequency of an undamped mode follows from its shape, w^2 = y . Kt y / (y . M y). If the
 * terms of y . Kt y cancel up to rounding,
 *   |y . Kt y| <= 1e-13 |y| . |Kt| |y|                                                  (1)
 * it is a rigid-body mode, with frequency zero. In the general problem this is a double eigenvalue,
 * split by the square root of rounding; the modes are a basis of the space spanned by all its
 * vectors. */
#include "analysis/modes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 0x30de5, DENSE_MAX = 500, SPARSE_MIN = 6, DEFAULT_COUNT = 20 };
enum { DENSE_MOST = 20000 }; /* LAPACK counts its scratch, 2 n^2 numbers, in an int */
static const double pi = 3.14159265358979323846;

struct trm_modes {
  trmi_operating_point base;
  trmi_modes_search search;
  const char       *method;
  int               count;
  trm_mode         *mode;
  char              note[TRM_MESSAGE_MAX];
};

trm_modes_options trm_modes_options_default(void) {
  return (trm_modes_options){.tag = TAG, .start = NAN, .count = DEFAULT_COUNT};
}

/* --- pairs ---------------------------------------------------------------------------- */

trm_status trmi_eigenpairs_take(trmi_modes_search *m, int n, trm_error *err) {
  const trm_sizes *sizes = &m->l.base->sys->n;
  const size_t length = (size_t)(sizes->nv + sizes->nx);
  m->pairs = (trmi_eigenpairs){.room = n, .pair = TRMI_TAKE(m->arena, trmi_eigenpair, n)};
  double *y = TRMI_TAKE(m->arena, double, 2 * length * (size_t)n);
  TRMI_TRY(err, trmi_arena_check(m->arena, err));
  for (int k = 0; k < n; k++) {
    m->pairs.pair[k].y_re = y + 2 * length * (size_t)k;
    m->pairs.pair[k].y_im = y + 2 * length * (size_t)k + length;
  }
  return TRM_OK;
}

trmi_eigenpair *trmi_eigenpairs_next(trmi_eigenpairs *pairs, double re, double im) {
  if (pairs->count == pairs->room) return NULL;
  trmi_eigenpair *pair = &pairs->pair[pairs->count++];
  pair->re = re;
  pair->im = im;
  return pair;
}

/* y . B y */
static double form(const trmi_linearized *l, trmi_product product, const double *y,
                   double *scratch) {
  const int nv = l->base->sys->n.nv;
  double sum = 0.0;
  memset(scratch, 0, (size_t)nv * sizeof(double));
  product(l, y, scratch);
  for (int i = 0; i < nv; i++) sum += y[i] * scratch[i];
  return sum;
}

/* (1); and the bound below which it is negligible compared with the largest one */
static const double cancelled = 1e-13, nothing = 1e-20;

void trmi_eigenpairs_add_square(trmi_modes_search *m, double w2, const double *y) {
  const int nv = m->l.base->sys->n.nv;
  const double mass = form(&m->l, trmi_linearized_mass, y, m->scratch);
  const double stiffness = form(&m->l, trmi_linearized_stiffness, y, m->scratch);
  if (mass > 0.0) w2 = stiffness / mass;
  if (fabs(stiffness) <= cancelled * trmi_linearized_stiffness_size(&m->l, y)) w2 = 0.0;
  if (fabs(w2) <= nothing * trmi_linearized_kappa(&m->l)) w2 = 0.0;
  const double w = sqrt(fabs(w2));
  for (int k = 0; k < (w2 < 0.0 ? 2 : 1); k++) {
    trmi_eigenpair *pair = w2 < 0.0 ? trmi_eigenpairs_next(&m->pairs, k == 0 ? w : -w, 0.0)
                               : trmi_eigenpairs_next(&m->pairs, 0.0, w);
    if (pair != NULL) memcpy(pair->y_re, y, (size_t)nv * sizeof(double));
  }
}

/* --- zero frequencies of the general problem ------------------------------------------- */

static bool is_zero(trmi_modes_search *m, const trmi_eigenpair *pair, double largest) {
  const trmi_linearized *l = &m->l;
  const double lambda2 = pair->re * pair->re + pair->im * pair->im;
  if (lambda2 <= 1e-30 * largest * largest) return true;
  double mass = 0.0, stiffness = 0.0, size = 0.0;
  for (int part = 0; part < 2; part++) {
    const double *y = part == 0 ? pair->y_re : pair->y_im;
    mass += form(l, trmi_linearized_mass, y, m->scratch);
    stiffness += form(l, trmi_linearized_stiffness, y, m->scratch);
    size += trmi_linearized_stiffness_size(l, y);
  }
  const double rounding = fmax(10.0 * cancelled * size, 1e-15 * trmi_linearized_kappa(l) * mass);
  if (!(mass > 0.0) || fabs(stiffness) > rounding) return false;
  return lambda2 * mass <= 10.0 * cancelled * size || lambda2 <= 1e-14 * largest * largest;
}

/* Shapes of the eigenvalue zero as columns: real and imaginary part of each, together of length
 * one. Vectors of a multiple eigenvalue are arbitrary in its space, and twice its dimension in
 * number for double ones: only their span matters. They may be nearly parallel, but without states
 * a shape belongs to at most two eigenvalues. */
typedef struct zero_space {
  double **y;    /* the vectors, orthonormal from 0 to nkept - 1 [ny]        */
  int      ny, nkept, length;
  int      values; /* eigenvalues, conjugate ones included                   */
} zero_space;

static double square_of(const double *y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += y[i] * y[i];
  return sum;
}

/* Unknown i over its scale, so that the same vectors are independent in all units. */
static double scale_of(const trm_system *sys, int i) {
  return i < sys->n.nv ? sys->scale_v[i] : sys->scale_x[i - sys->n.nv];
}

static void add_to_space(zero_space *space, const trm_system *sys, const trmi_eigenpair *pair) {
  const int n = space->length;
  for (int i = 0; i < n; i++) {
    pair->y_re[i] /= scale_of(sys, i);
    pair->y_im[i] /= scale_of(sys, i);
  }
  const double length = sqrt(square_of(pair->y_re, n) + square_of(pair->y_im, n));
  if (!(length > 0.0)) return;
  for (int i = 0; i < n; i++) pair->y_re[i] /= length, pair->y_im[i] /= length;
  space->y[space->ny++] = pair->y_re;
  space->y[space->ny++] = pair->y_im;
  space->values += pair->im != 0.0 ? 2 : 1;
}

/* Gram-Schmidt, the vector with the largest independent part first. */
static void find_basis(zero_space *space, bool has_states) {
  const double independent = 1e-5; /* far above the rounding of the vectors, 1e-8 */
  const double rounding = 1e-12;   /* of vectors that must be independent          */
  const int n = space->length, least = has_states ? 0 : (space->values + 1) / 2;
  for (space->nkept = 0; space->nkept < space->ny; space->nkept++) {
    int best = space->nkept;
    double largest = 0.0;
    for (int k = space->nkept; k < space->ny; k++) {
      const double size = square_of(space->y[k], n);
      if (size > largest * (1.0 + 1e-9)) largest = size, best = k;
    }
    const double bound = space->nkept < least ? rounding : independent;
    if (!(largest > bound * bound)) return;
    double *chosen = space->y[best];
    space->y[best] = space->y[space->nkept];
    space->y[space->nkept] = chosen;
    for (int i = 0; i < n; i++) chosen[i] /= sqrt(largest);
    for (int k = space->nkept + 1; k < space->ny; k++) {
      double along = 0.0;
      for (int i = 0; i < n; i++) along += chosen[i] * space->y[k][i];
      for (int i = 0; i < n; i++) space->y[k][i] -= along * chosen[i];
    }
  }
}

/* One mode with frequency zero for each dimension of the space of their shapes. */
static trm_status merge_zeros(trmi_modes_search *m, trm_error *err) {
  const trm_system *sys = m->l.base->sys;
  const int n = sys->n.nv + sys->n.nx;
  trmi_eigenpairs *pairs = &m->pairs;
  zero_space space = {.y = TRMI_TAKE(m->arena, double *, 2 * pairs->count), .length = n};
  double *nothing_imaginary = TRMI_TAKE(m->arena, double, n);
  TRMI_TRY(err, trmi_arena_check(m->arena, err));
  double largest = 0.0;
  int count = 0;
  for (int k = 0; k < pairs->count; k++) {
    largest = fmax(largest, hypot(pairs->pair[k].re, pairs->pair[k].im));
  }
  for (int k = 0; k < pairs->count; k++) {
    const trmi_eigenpair pair = pairs->pair[k];
    if (is_zero(m, &pair, largest)) add_to_space(&space, sys, &pair);
    else pairs->pair[count++] = pair;
  }
  find_basis(&space, sys->n.nx > 0);
  for (int k = 0; k < space.nkept && count < pairs->room; k++) {
    for (int i = 0; i < n; i++) space.y[k][i] *= scale_of(sys, i);
    pairs->pair[count++] = (trmi_eigenpair){.y_re = space.y[k], .y_im = nothing_imaginary};
  }
  pairs->count = count;
  return TRM_OK;
}

/* --- the list --------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  const trmi_eigenpair *one = a, *other = b;
  const double first = hypot(one->re, one->im), second = hypot(other->re, other->im);
  if (first != second) return first < second ? -1 : 1;
  if (one->im != other->im) return one->im < other->im ? -1 : 1;
  if (one->re != other->re) return one->re < other->re ? -1 : 1;
  return one->y_re < other->y_re ? -1 : 1; /* in order of appearance */
}

/* The largest part becomes one, and real. */
static void normalize(trmi_eigenpair *pair, int nv, int nx) {
  int at = 0;
  double largest = 0.0;
  for (int list = 0; list < 2 && largest == 0.0; list++) {
    for (int i = list == 0 ? 0 : nv; i < (list == 0 ? nv : nv + nx); i++) {
      const double size = hypot(pair->y_re[i], pair->y_im[i]);
      if (size > largest * (1.0 + 1e-9)) largest = size, at = i;
    }
  }
  if (!(largest > 0.0)) return;
  const double re = pair->y_re[at] / (largest * largest), im = pair->y_im[at] / (largest * largest);
  for (int i = 0; i < nv + nx; i++) {
    const double a = pair->y_re[i], b = pair->y_im[i];
    pair->y_re[i] = a * re + b * im;
    pair->y_im[i] = b * re - a * im;
  }
}

static trm_status list_modes(trm_modes *modes, trm_error *err) {
  const trm_sizes *n = &modes->base.sys->n;
  trmi_eigenpairs *pairs = &modes->search.pairs;
  if (!modes->search.is_symmetric) TRMI_TRY(err, merge_zeros(&modes->search, err));
  if (pairs->count > 1) qsort(pairs->pair, (size_t)pairs->count, sizeof *pairs->pair, compare);
  modes->count = pairs->count < modes->search.wanted ? pairs->count : modes->search.wanted;
  modes->mode = TRMI_TAKE(&modes->base.arena, trm_mode, modes->count);
  TRMI_TRY(err, trmi_arena_check(&modes->base.arena, err));
  for (int k = 0; k < modes->count; k++) {
    trmi_eigenpair *pair = &pairs->pair[k];
    normalize(pair, n->nv, n->nx);
    const double size = hypot(pair->re, pair->im);
    modes->mode[k] = (trm_mode){
        .frequency = size / (2.0 * pi), .damping = size > 0.0 ? -pair->re / size : 0.0,
        .re = pair->re, .im = pair->im, .shape_re = pair->y_re, .shape_im = pair->y_im,
        .state_re = pair->y_re + n->nv, .state_im = pair->y_im + n->nv};
    if (modes->mode[k].damping == 0.0) modes->mode[k].damping = 0.0; /* no -0 */
  }
  return TRM_OK;
}

/* --- the search -------------------------------------------------------------------------- */

/* May the problem be symmetric? Damping that is only the rounding of differences does not count. */
static bool may_be_symmetric(const trm_system *sys, const trmi_linearized *l) {
  if (sys->n.nx + sys->n.nw + sys->n.na > 0 || l->is_spinning) return false;
  double damping = 0.0, stiffness = 0.0, mass = 0.0;
  const struct {
    trm_block block;
    double   *largest;
  } sizes[] = {{TRM_C, &damping}, {TRM_K, &stiffness}, {TRM_GY_Q, &stiffness}, {TRM_M, &mass}};
  for (size_t b = 0; b < sizeof sizes / sizeof *sizes; b++) {
    const trmi_sparse *B = &sys->block[sizes[b].block];
    for (int k = 0; k < B->n; k++) *sizes[b].largest = fmax(*sizes[b].largest, fabs(B->values[k]));
  }
  return damping <= 1e-13 * sqrt(stiffness * mass);
}

static trm_status check_options(const trm_modes_options *options, trm_error *err) {
  if (options == NULL || options->tag != TAG) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "options must come from trm_modes_options_default");
  }
  if (options->count < 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%d modes are asked for", options->count);
  }
  const char *name = options->method;
  if (name != NULL && strcmp(name, "auto") != 0 && strcmp(name, "dense") != 0 &&
      strcmp(name, "sparse") != 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "'%.40s' is not a method for modes: use auto, dense or sparse", name);
  }
  return TRM_OK;
}

static trm_status find(trm_modes *modes, trm_system *system, const trm_state *at,
                       const trm_modes_options *options, trm_error *err) {
  const trmi_operating_point_spec spec = {.at = at,
                                          .start = options->start,
                                          .solver = options->solver,
                                          .allocator = options->allocator};
  TRMI_TRY(err, trmi_operating_point_open(&modes->base, system, &spec, err));
  const trm_system *sys = modes->base.sys;
  trmi_modes_search *m = &modes->search;
  *m = (trmi_modes_search){.arena = &modes->base.arena,
                           .wanted = options->count > 0 ? options->count : DEFAULT_COUNT,
                           .solver = options->solver != NULL ? options->solver : "auto"};
  m->scratch = TRMI_TAKE(&modes->base.arena, double, sys->n.nv);
  TRMI_TRY(err, trmi_arena_check(&modes->base.arena, err));
  TRMI_TRY(err, trmi_linearize(&m->l, &modes->base, err));
  TRMI_TRY(err, trmi_modes_describe_turning(modes->base.sys, &modes->base.s, &modes->base.arena,
                                            modes->note, err));
  m->is_symmetric = may_be_symmetric(sys, &m->l);
  const bool is_auto = options->method == NULL || strcmp(options->method, "auto") == 0;
  const bool is_dense = sys->n.nv < SPARSE_MIN ||
                        (is_auto ? sys->n.nv < DENSE_MAX : strcmp(options->method, "dense") == 0);
  if (is_dense && sys->n.nv > DENSE_MOST) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "the method 'dense' takes at most %d velocities and the system has %d: take "
                     "'sparse'", DENSE_MOST, sys->n.nv);
  }
  modes->method = is_dense ? "dense" : "sparse";
  TRMI_TRY(err, is_dense ? trmi_modes_dense(m, err) : trmi_modes_sparse(m, err));
  TRMI_TRY(err, list_modes(modes, err));
  return TRM_OK;
}

trm_status trm_modes_find(trm_system *system, const trm_state *at,
                          const trm_modes_options *options, trm_modes **out, trm_error *err) {
  TRMI_NEED(err, out);
  *out = NULL;
  TRMI_NEED(err, system);
  TRMI_TRY(err, check_options(options, err));
  trm_modes *modes = trmi_allocate(&options->allocator, sizeof *modes);
  if (modes == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for modes");
  *modes = (trm_modes){0};
  trm_error own = {.status = TRM_OK}; /* on success the caller's error is unchanged */
  const trm_status status =
      trmi_operating_point_final(&own, find(modes, system, at, options, &own));
  if (status != TRM_OK) {
    if (status != TRM_ERR_INPUT) trmi_note_time(&own, modes->base.s.t, NAN, status);
    trm_modes_free(modes);
    if (err != NULL) *err = own;
    return trmi_note(err, __func__, status);
  }
  *out = modes;
  return TRM_OK;
}

int trm_modes_count(const trm_modes *modes) {
  if (modes == NULL) return 0;
  return modes->count;
}

trm_mode trm_mode_at(const trm_modes *modes, int i) {
  if (i < 0 || i >= trm_modes_count(modes)) return (trm_mode){0};
  return modes->mode[i];
}

const char *trm_modes_method(const trm_modes *modes) {
  if (modes == NULL) return "";
  return modes->method;
}

const char *trm_modes_note(const trm_modes *modes) {
  if (modes == NULL) return "";
  return modes->note;
}

const trm_state *trm_modes_state(const trm_modes *modes) {
  if (modes == NULL) return NULL;
  return &modes->base.s;
}

void trm_modes_free(trm_modes *modes) {
  if (modes == NULL) return;
  const trm_allocator allocator = modes->base.arena.allocator;
  trmi_operating_point_close(&modes->base);
  trmi_release(&allocator, modes);
}
