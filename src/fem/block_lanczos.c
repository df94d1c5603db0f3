/* block_lanczos.c - the lowest vibrations of a mesh whose interfaces are held, by block Lanczos.
 *
 * In the inner product x . M y the operator A = K^-1 M (K with interfaces held) is symmetric; its
 * largest eigenvalues theta = 1/omega^2 are wanted. From a random block, with V all blocks so far:
 *   Z = A Q_j - V H_j,   H_j = V^T M A Q_j,   Z = Q_j+1 R                               (1)
 * with full reorthogonalization, twice. For H y = theta y the field V y has the residual
 *   |A V y - theta V y|_M = |R y_j|,   y_j: the part of the last block                  (2)
 * and the error of theta is of the order of its square. Blocks of eight cost little more than two
 * single fields, and find multiple eigenvalues. */
#include "fem/block_lanczos.h"
#include "core/compiler.h"
#include "fem/fields.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 8, CHUNK = BLOCK, CHUNKS_MAX = 1000, ROWS = 512 };

/* Residual (2) over theta at which a mode counts, and at which one beyond the limit is believed to
 * exist. The former is an error of the span of all modes, on which the higher frequencies of the
 * free body depend in proportion. */
static const double converged = 1e-9, believed = 1e-3;

/* Relative difference up to which two frequencies are a pair. Meshes of square bars are symmetric
 * to rounding, those of round ones in files to the digits of their nodes. */
static const double same = 1e-6;

typedef struct lanczos {
  trmi_support   *support;
  const trmi_fem *fem;
  trmi_arena     *arena;
  size_t  size;
  int     most;              /* columns of the basis at most                      */
  int     p, width;          /* columns of the basis, of the last block            */
  double *V[CHUNKS_MAX];     /* the basis, CHUNK columns or less in each: it grows */
  int     columns[CHUNKS_MAX], nchunks;
  trmi_arena  room;          /* of what follows but MZ                             */
  double *H;                 /* [most most]                                        */
  double *Z, *MZ;            /* [BLOCK][size]                                      */
  double  R[BLOCK * BLOCK];  /* Z = Q R: [next width][width], column k in R[BLOCK k ..] */
  double *C;                 /* [BLOCK most]                                       */
  int     solves;
} lanczos;

/* The block Z joins the basis. */
static trm_status append(lanczos *l, int width, trm_error *err) {
  int last = l->nchunks - 1;
  if (last < 0 || l->columns[last] + width > CHUNK) {
    last = l->nchunks++;
    if (last >= CHUNKS_MAX) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "too many fields");
    l->V[last] = trmi_allocate(&l->arena->allocator, CHUNK * l->size * sizeof(double));
    if (l->V[last] == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  }
  memcpy(l->V[last] + (size_t)l->columns[last] * l->size, l->Z,
         (size_t)width * l->size * sizeof *l->Z);
  l->columns[last] += width;
  l->p += width;
  l->width = width;
  return TRM_OK;
}

static double random_number(uint64_t *seed) {
  *seed = *seed * 6364136223846793005U + 1442695040888963407U;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

/* Q becomes an orthonormal basis of its columns, and T [kept][n] with Q_old = Q_new T; columns
 * shorter than 1e-11 of `before` are rounding and dropped; *left of them stay. */
static trm_status orthonormalize(lanczos *l, int n, const double *before, double *Q, double *T,
                                 int *left, trm_error *err) {
  double G[BLOCK * BLOCK], e[BLOCK], scale[BLOCK], U[BLOCK * BLOCK] = {0.0};
  int kept = 0;
  trmi_fem_mass(l->fem, n, Q, l->MZ);
  trmi_fields_dot(l->size, n, Q, n, l->MZ, G);
  for (int i = 0; i < n; i++) {
    const double length = sqrt(fmax(G[(n + 1) * i], 0.0));
    scale[i] = length > 1e-11 * before[i] ? 1.0 / length : 0.0;
  }
  for (int i = 0; i < n * n; i++) G[i] *= scale[i % n] * scale[i / n];
  TRMI_TRY(err, trmi_fields_eigen(l->arena, n, G, e, err));
  memset(T, 0, BLOCK * BLOCK * sizeof *T);
  for (int k = n - 1; k >= 0; k--) {
    if (!(e[k] > 1e-12)) continue;
    for (int i = 0; i < n; i++) {
      U[n * kept + i] = scale[i] * G[n * k + i] / sqrt(e[k]);
      if (scale[i] > 0.0) T[BLOCK * i + kept] = sqrt(e[k]) * G[n * k + i] / scale[i];
    }
    kept++;
  }
  memset(l->MZ, 0, (size_t)kept * l->size * sizeof *l->MZ);
  trmi_fields_add(l->size, n, Q, kept, U, 1.0, l->MZ);
  memcpy(Q, l->MZ, (size_t)kept * l->size * sizeof *Q);
  *left = kept;
  return TRM_OK;
}

/* Twice, because one pass loses digits; R = T2 T1. */
static trm_status orthonormalize_twice(lanczos *l, int n, const double *before, double *Q,
                                       int *kept, trm_error *err) {
  const double one[BLOCK] = {1, 1, 1, 1, 1, 1, 1, 1};
  double first[BLOCK * BLOCK], second[BLOCK * BLOCK];
  int between = 0;
  *kept = 0;
  TRMI_TRY(err, orthonormalize(l, n, before, Q, first, &between, err));
  if (between > 0) TRMI_TRY(err, orthonormalize(l, between, one, Q, second, kept, err));
  memset(l->R, 0, sizeof l->R);
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < between; j++) {
      for (int i = 0; i < *kept; i++) {
        l->R[BLOCK * k + i] += second[BLOCK * j + i] * first[BLOCK * k + j];
      }
    }
  }
  return TRM_OK;
}

/* Z -= V V^T M Z, and these coefficients are added to the columns of H of the last block. */
static void project(lanczos *l, int n, bool count) {
  trmi_fem_mass(l->fem, n, l->Z, l->MZ);
  for (int k = 0, first = 0; k < l->nchunks; first += l->columns[k++]) {
    const int columns = l->columns[k];
    trmi_fields_dot(l->size, columns, l->V[k], n, l->MZ, l->C);
    trmi_fields_add(l->size, columns, l->V[k], n, l->C, -1.0, l->Z);
    for (int c = 0; c < n && count; c++) {
      double *H = l->H + (size_t)l->most * (size_t)(l->p - n + c) + first;
      for (int i = 0; i < columns; i++) H[i] += l->C[columns * c + i];
    }
  }
}

static trm_status take_MZ(lanczos *l, trm_error *err) {
  l->MZ = trmi_allocate(&l->arena->allocator, BLOCK * l->size * sizeof(double));
  if (l->MZ == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  return TRM_OK;
}

static void free_MZ(lanczos *l) {
  if (l->MZ == NULL) return;
  trmi_release(&l->arena->allocator, l->MZ);
  l->MZ = NULL;
}

/* Z becomes K^-1 Z. MUMPS needs as much memory as MZ, which is free meanwhile. Blocks of that size
 * leave holes between others, which go back to the system. */
static trm_status solve(lanczos *l, int n, trm_error *err) {
  free_MZ(l);
  TRMI_TRIM();
  TRMI_TRY(err, trmi_support_solve(l->support, n, l->Z, err));
  TRMI_TRIM();
  l->solves += n;
  return take_MZ(l, err);
}

/* Z = A (the last block), with lengths before the projection. */
static trm_status apply(lanczos *l, double before[BLOCK], trm_error *err) {
  const int last = l->nchunks - 1;
  const double *Q = l->V[last] + (size_t)(l->columns[last] - l->width) * l->size;
  trmi_fem_mass(l->fem, l->width, Q, l->Z);
  TRMI_TRY(err, solve(l, l->width, err));
  trmi_fem_mass(l->fem, l->width, l->Z, l->MZ);
  for (int c = 0; c < l->width; c++) {
    const size_t at = (size_t)c * l->size;
    double square;
    trmi_fields_dot(l->size, 1, l->Z + at, 1, l->MZ + at, &square);
    before[c] = sqrt(fmax(square, 0.0));
  }
  return TRM_OK;
}

/* One step of (1). @return width of the next block in *next */
static trm_status step(lanczos *l, int *next, trm_error *err) {
  double before[BLOCK];
  TRMI_TRY(err, apply(l, before, err));
  project(l, l->width, true);
  project(l, l->width, true);
  TRMI_TRY(err, orthonormalize_twice(l, l->width, before, l->Z, next, err));
  return TRM_OK;
}

static trm_status start(lanczos *l, trm_error *err) {
  uint64_t seed = 42;
  double before[BLOCK] = {0.0};
  const int n = l->most < BLOCK ? l->most : BLOCK;
  for (size_t i = 0; i < (size_t)n * l->size; i++) l->MZ[i] = random_number(&seed);
  trmi_fem_mass(l->fem, n, l->MZ, l->Z);
  TRMI_TRY(err, solve(l, n, err));
  int width = 0;
  TRMI_TRY(err, orthonormalize_twice(l, n, before, l->Z, &width, err));
  TRMI_TRY(err, append(l, width, err));
  return TRM_OK;
}

/* Pairs of H: theta ascending, vectors in Y. */
static trm_status ritz(lanczos *l, trmi_arena *scratch, double **theta, double **Y,
                       trm_error *err) {
  const int p = l->p;
  *Y = TRMI_TAKE(scratch, double, p * p);
  *theta = TRMI_TAKE(scratch, double, p);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int i = 0; i < p; i++) { /* columns of the last block are whole, its rows are theirs */
    for (int k = 0; k <= i; k++) {
      const double h = l->H[(size_t)l->most * (size_t)i + (size_t)k];
      (*Y)[p * i + k] = (*Y)[p * k + i] = h;
    }
  }
  TRMI_TRY(err, trmi_fields_eigen(scratch, p, *Y, *theta, err));
  return TRM_OK;
}

/* (2) over theta. */
static double residual(const lanczos *l, int next, const double *y, double theta) {
  double sum = 0.0;
  for (int i = 0; i < next; i++) {
    double r = 0.0;
    for (int k = 0; k < l->width; k++) r += l->R[BLOCK * k + i] * y[l->p - l->width + k];
    sum += r * r;
  }
  return sqrt(sum) / theta;
}

/* How many modes there are to give, -1: not yet. *found of them are known. */
static int count_done(const lanczos *l, int next, int wanted, double limit, const double *theta,
                      const double *Y, int *found) {
  for (int k = 0; k < l->p; k++) {
    *found = k;
    const int i = l->p - 1 - k; /* the largest first */
    const double off = residual(l, next, Y + (size_t)l->p * (size_t)i, theta[i]);
    if (!(theta[i] > 0.0)) return next == 0 ? k : -1;
    if (k == wanted) return k;
    if (1.0 / theta[i] >= limit) return off < believed ? k : -1;
    if (!(off < converged)) return -1;
  }
  return next == 0 || l->p == wanted ? l->p : -1;
}

/* Has the first mode that is not wanted the frequency of the last one? Values of modes that are not
 * found yet are too small, so that what is equal here is equal. */
static bool is_pair_cut(const lanczos *l, int count, int wanted, double limit,
                        const double *theta) {
  const int next = l->p - 1 - count;
  if (count != wanted || next < 0 || !(theta[next] > 0.0)) return false;
  return 1.0 / theta[next] < limit && theta[next] > (1.0 - 2.0 * same) * theta[next + 1];
}

/* Chunks of the basis from one on. */
static void release(lanczos *l, int from) {
  for (int c = from; c < l->nchunks; c++) trmi_release(&l->arena->allocator, l->V[c]);
  if (l->nchunks > from) l->nchunks = from;
}

/* Some rows of V Y into the first columns of V; old and out [p][ROWS] are scratch. */
static void mix_rows(lanczos *l, int count, const double *Y, size_t from, double *old,
                     double *out) {
  const size_t rows = l->size - from < ROWS ? l->size - from : ROWS;
  double *next = old;
  for (int c = 0; c < l->nchunks; c++) {
    for (int i = 0; i < l->columns[c]; i++, next += rows) {
      memcpy(next, l->V[c] + (size_t)i * l->size + from, rows * sizeof *next);
    }
  }
  memset(out, 0, (size_t)count * rows * sizeof *out);
  trmi_fields_add(rows, l->p, old, count, Y, 1.0, out);
  for (int k = 0; k < count; k++) {
    memcpy(l->V[k / CHUNK] + (size_t)(k % CHUNK) * l->size + from, out + (size_t)k * rows,
           rows * sizeof *out);
  }
}

/* Modes take the place of the basis, of which the rest is given back before they are copied: large
 * bodies have no memory for both. */
static trm_status give(lanczos *l, int count, const double *theta, const double *Y,
                       trmi_fixed_modes *modes, trm_error *err) {
  const size_t p = (size_t)l->p;
  trmi_arena_clear(&l->room);
  free_MZ(l);
  double *mix = TRMI_TAKE(&l->room, double, (size_t)count * p);
  double *old = TRMI_TAKE(&l->room, double, p * ROWS), *out = TRMI_TAKE(&l->room, double, p * ROWS);
  modes->count = count;
  modes->solves = l->solves;
  modes->omega2 = TRMI_TAKE(l->arena, double, count);
  TRMI_TRY(err, trmi_arena_check(&l->room, err));
  TRMI_TRY(err, trmi_arena_check(l->arena, err));
  for (int k = 0; k < count; k++) {
    const int i = l->p - 1 - k;
    modes->omega2[k] = 1.0 / theta[i];
    memcpy(mix + (size_t)k * p, Y + p * (size_t)i, p * sizeof *mix);
  }
  for (size_t from = 0; from < l->size; from += ROWS) mix_rows(l, count, mix, from, old, out);
  release(l, (count + CHUNK - 1) / CHUNK);
  modes->fields = TRMI_TAKE(l->arena, double, (size_t)count * l->size);
  TRMI_TRY(err, trmi_arena_check(l->arena, err));
  for (int k = 0; k < count; k++) {
    memcpy(modes->fields + (size_t)k * l->size,
           l->V[k / CHUNK] + (size_t)(k % CHUNK) * l->size, l->size * sizeof *modes->fields);
  }
  return TRM_OK;
}

static trm_status run(lanczos *l, const trmi_fixed_modes_def *def, int wanted,
                      trmi_fixed_modes *modes, trm_error *err) {
  TRMI_TRY(err, start(l, err));
  while (l->width > 0) {
    int next = 0, found = 0;
    double *theta, *Y;
    TRMI_TRY(err, step(l, &next, err));
    if (l->p == trmi_support_freedoms(l->support)) next = 0; /* the rest is rounding */
    trmi_arena scratch;
    trmi_arena_init(&scratch, &l->arena->allocator);
    trm_status status = ritz(l, &scratch, &theta, &Y, err);
    const int done =
        status == TRM_OK ? count_done(l, next, wanted, def->limit, theta, Y, &found) : -1;
    if (done > 0) modes->is_cut = is_pair_cut(l, done, wanted, def->limit, theta);
    if (done >= 0) status = give(l, done, theta, Y, modes, err);
    trmi_arena_clear(&scratch);
    if (status != TRM_OK || done >= 0) return status;
    trmi_progress_report(&def->progress, "fixed-interface modes", (double)found / wanted);
    if (next > l->most - l->p) next = l->most - l->p; /* the last block of a small mesh */
    if (next == 0) break;
    TRMI_TRY(err, append(l, next, err));
  }
  return TRMI_FAIL(err, TRM_ERR_BALANCE, NULL, "%d fixed-interface modes were not found with "
                   "%d fields: ask for fewer, or set a lower limit of frequency", wanted, l->p);
}

trm_status trmi_block_lanczos(const trmi_fixed_modes_def *def, trmi_arena *arena,
                              trmi_fixed_modes *modes, trm_error *err) {
  const int freedoms = trmi_support_freedoms(def->support), enough = 4 * def->wanted + 100;
  const int wanted = def->wanted < freedoms ? def->wanted : freedoms;
  *modes = (trmi_fixed_modes){.count = 0};
  if (wanted <= 0) return TRM_OK;
  lanczos l = {.support = def->support, .fem = def->fem, .arena = arena,
               .size = 3 * (size_t)def->fem->n, .most = enough < freedoms ? enough : freedoms};
  trmi_arena_init(&l.room, &arena->allocator);
  l.H = TRMI_TAKE(&l.room, double, (size_t)l.most * (size_t)l.most);
  l.Z = TRMI_TAKE(&l.room, double, BLOCK * l.size);
  l.C = TRMI_TAKE(&l.room, double, BLOCK * CHUNK);
  trm_status status = trmi_arena_check(&l.room, err);
  if (status == TRM_OK) status = take_MZ(&l, err);
  if (status == TRM_OK) status = run(&l, def, wanted, modes, err);
  release(&l, 0);
  free_MZ(&l);
  trmi_arena_clear(&l.room);
  return status;
}
