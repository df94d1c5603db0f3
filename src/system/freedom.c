/* freedom.c - free directions by QR with column pivoting.
 *
 * With B = [G; A], columns times the scales of their coordinates, rows of length one:
 *   B P = Q [R1 R2; 0 0],   Z = P [-R1^-1 R2; I]                              (1)
 * The columns pivoted last are coordinates that may be chosen freely; column k of Z moves one of
 * them by its scale, and with it the coordinates that must follow. The mass of a direction Z y is
 *   y^T (Z^T M Z) y                                                           (2)
 * Theory: docs/theory/06-start-and-rank.md. */
#include "system/freedom.h"
#include "core/gate.h"
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* B by columns, scaled. */
static void fill(const trm_system *sys, int rows, double *B) {
  const trmi_sparse *const blocks[2] = {&sys->block[TRM_G], &sys->block[TRM_A]};
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < blocks[b]->n; k++) {
      const int row = blocks[b]->row[k] + (b == 1 ? sys->n.ng : 0), col = blocks[b]->col[k];
      B[(size_t)col * (size_t)rows + (size_t)row] += blocks[b]->values[k] * sys->scale_v[col];
    }
  }
  for (int row = 0; row < rows; row++) {
    double length = 0.0;
    for (int col = 0; col < sys->n.nv; col++) {
      const double e = B[(size_t)col * (size_t)rows + (size_t)row];
      length += e * e;
    }
    for (int col = 0; col < sys->n.nv && length > 0.0; col++) {
      B[(size_t)col * (size_t)rows + (size_t)row] /= sqrt(length);
    }
  }
}

/* (1); pivot[k] counts from one */
static void directions(const trm_system *sys, double *B, int rows, const lapack_int *pivot,
                       trmi_freedom *f) {
  const int nv = f->nv, rank = nv - f->count;
  for (int k = 0; k < f->count; k++) {
    double *column = B + (size_t)(rank + k) * (size_t)rows, *z = f->Z + (size_t)k * (size_t)nv;
    f->coordinate[k] = pivot[rank + k] - 1;
    if (rank > 0) {
      (void)TRMI_LAPACK(dtrtrs_work, LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, 1, B, rows, column,
                        rows);
    }
    for (int i = 0; i < rank; i++) z[pivot[i] - 1] = -column[i] * sys->scale_v[pivot[i] - 1];
    z[f->coordinate[k]] = sys->scale_v[f->coordinate[k]];
  }
}

/* The factors use a scratch arena of their own. */
static trm_status decompose(trm_system *sys, int rows, trmi_arena *scratch, trmi_freedom *f,
                            trm_error *err) {
  const int nv = f->nv, lwork = 64 * (nv + 1), most = rows < nv ? rows : nv;
  double *B = TRMI_TAKE(scratch, double, (size_t)(rows + 1) * (size_t)nv);
  double *tau = TRMI_TAKE(scratch, double, most + 1), *work = TRMI_TAKE(scratch, double, lwork);
  lapack_int *pivot = TRMI_TAKE(scratch, lapack_int, nv);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int i = 0; i < nv; i++) pivot[i] = i + 1;
  if (rows > 0) {
    fill(sys, rows, B);
    memset(pivot, 0, (size_t)nv * sizeof *pivot);
    (void)TRMI_LAPACK(dgeqp3_work, LAPACK_COL_MAJOR, rows, nv, B, rows, pivot, tau, work, lwork);
  }
  directions(sys, B, rows, pivot, f);
  return TRM_OK;
}

trm_status trmi_freedom_find(trm_system *sys, const trm_state *s, const trm_rank *rank,
                             trmi_arena *arena, trmi_freedom *f, trm_error *err) {
  *f = (trmi_freedom){.nv = sys->n.nv};
  if (f->nv > TRMI_FREEDOM_MAX || rank->rows > 4 * TRMI_FREEDOM_MAX || !rank->complete ||
      rank->freedoms <= 0) {
    return TRM_OK;
  }
  f->count = rank->freedoms;
  f->coordinate = TRMI_TAKE(arena, int, f->count);
  f->Z = TRMI_TAKE(arena, double, (size_t)f->count * (size_t)f->nv);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  if (rank->rows > 0) {
    TRMI_TRY(err, trmi_system_rows(sys, s, err));
  }
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  const trm_status status = decompose(sys, rank->rows, &scratch, f, err);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}

bool trmi_coordinate_label(const trm_system *sys, int i, trm_label *label) {
  int before = 0;
  while (before < sys->n.nrot && sys->rot_v[before] + 3 <= i) before++;
  const bool is_turning = before < sys->n.nrot && sys->rot_v[before] <= i;
  trm_system_label(sys, is_turning ? TRM_V : TRM_Q, is_turning ? i : i + before, label);
  return is_turning;
}

/* Append "'name'" to a list of at most `most`; a longer list ends with dots. */
static void add_name(const trm_system *sys, int i, int place, int most, char *text, size_t size) {
  const size_t used = strlen(text);
  trm_label label;
  (void)trmi_coordinate_label(sys, i, &label);
  if (place < most) {
    snprintf(text + used, size - used, "%s'%s'", place > 0 ? ", " : "", label.name);
  } else if (place == most) {
    snprintf(text + used, size - used, ", ...");
  }
}

void trmi_freedom_names(const trm_system *sys, const trmi_freedom *f, char *text, size_t size) {
  text[0] = '\0';
  for (int k = 0; k < f->count; k++) add_name(sys, f->coordinate[k], k, 5, text, size);
}

void trmi_direction_names(const trm_system *sys, const double *direction, char *text,
                          size_t size) {
  enum { NAMED = 4 };
  int found[NAMED];
  text[0] = '\0';
  for (int place = 0; place < NAMED; place++) {
    double largest = 1e-3; /* relative to the largest part, which is one */
    found[place] = -1;
    for (int i = 0; i < sys->n.nv; i++) {
      const double part = fabs(direction[i]) / sys->scale_v[i];
      bool is_named = false;
      for (int k = 0; k < place; k++) is_named = is_named || found[k] == i;
      if (!is_named && part > largest * (1.0 + 1e-9)) largest = part, found[place] = i;
    }
    if (found[place] < 0) return;
    add_name(sys, found[place], place, NAMED, text, size);
  }
}

/* Z^T M Z */
static void reduce_mass(const trm_system *sys, const trmi_freedom *f, double *product,
                        double *reduced) {
  const trmi_sparse *M = &sys->block[TRM_M];
  for (int k = 0; k < f->count; k++) {
    memset(product, 0, (size_t)f->nv * sizeof(double));
    trmi_sparse_add_mul(M, 1.0, f->Z + (size_t)k * (size_t)f->nv, product);
    for (int j = 0; j < f->count; j++) {
      const double *z = f->Z + (size_t)j * (size_t)f->nv;
      double sum = 0.0;
      for (int i = 0; i < f->nv; i++) sum += z[i] * product[i];
      reduced[(size_t)k * (size_t)f->count + (size_t)j] = sum;
    }
  }
}

static trm_status lightest(trm_system *sys, const trmi_freedom *f, trmi_arena *scratch,
                           double *direction, double *mass, trm_error *err) {
  const int n = f->count, lwork = 64 * (n + 1);
  double *A = TRMI_TAKE(scratch, double, (size_t)n * (size_t)n);
  double *values = TRMI_TAKE(scratch, double, n), *work = TRMI_TAKE(scratch, double, lwork);
  double *product = TRMI_TAKE(scratch, double, f->nv);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  reduce_mass(sys, f, product, A);
  if (TRMI_LAPACK(dsyev_work, LAPACK_COL_MAJOR, 'V', 'U', n, A, n, values, work, lwork) != 0) {
    return TRMI_FAIL(err, TRM_ERR_NOT_FINITE, NULL, "the masses have no eigenvalues");
  }
  const double largest_mass = fmax(fabs(values[0]), fabs(values[n - 1]));
  *mass = largest_mass > 0.0 ? values[0] / largest_mass : 0.0;
  memset(direction, 0, (size_t)f->nv * sizeof(double));
  double largest = 0.0;
  for (int i = 0; i < f->nv; i++) {
    for (int k = 0; k < n; k++) direction[i] += f->Z[(size_t)k * (size_t)f->nv + (size_t)i] * A[k];
    largest = fmax(largest, fabs(direction[i]) / sys->scale_v[i]);
  }
  for (int i = 0; i < f->nv && largest > 0.0; i++) direction[i] /= largest;
  return TRM_OK;
}

trm_status trmi_freedom_lightest(trm_system *sys, const trm_state *s, const trmi_freedom *f,
                                 double *direction, double *mass, trm_error *err) {
  *mass = 1.0;
  if (f->count == 0) return TRM_OK;
  TRMI_TRY(err, trmi_system_want(sys, TRM_M, err));
  TRMI_TRY(err, trmi_system_blocks(sys, s, TRMI_BIT(TRM_M), NULL, NULL, NULL, err));
  trmi_arena scratch;
  trmi_arena_init(&scratch, &sys->arena.allocator);
  const trm_status status = lightest(sys, f, &scratch, direction, mass, err);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}
