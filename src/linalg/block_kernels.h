/* block_kernels.h - kernels of the block solver, for block_numeric.h, which is included by one file
 * per machine.
 *
 * Everything is written once for M rows (1 to 8) and rows of 4 or 8 numbers; macros
 * make the sixteen cases, so that every loop over rows is unrolled and every row is
 * one or a few vectors of the machine. */
#include "linalg/block_rows.h"
#include <math.h>
#include <string.h>

#include "linalg/block_vanish.h"
#include "linalg/fill_numeric.h"

/* A pivot that small relative to the terms of its sum is lost to rounding. */
static const double lost_pivot = 1e-14;
/* One that small is not taken without looking for a better one in its block. */
static const double small_pivot = 1e-8;
/* Blocks that differ by less of their size are the same but for rounding. */
static const double symmetric_part = 1e-14;

/* |row|, number by number */
#define SIZES(type, x) ((row##type)((bits##type)(x) & INT64_MAX))

/* The sums of four rows, side by side. */
static TRMI_INLINE void add_rows(const row4 *rows, row4 *sums) {
  const row4 a = rows[0], b = rows[1], c = rows[2], d = rows[3];
  const row4 ab = TRMI_SHUFFLE(a, b, 0, 4, 2, 6) + TRMI_SHUFFLE(a, b, 1, 5, 3, 7);
  const row4 cd = TRMI_SHUFFLE(c, d, 0, 4, 2, 6) + TRMI_SHUFFLE(c, d, 1, 5, 3, 7);
  *sums = TRMI_SHUFFLE(ab, cd, 0, 1, 4, 5) + TRMI_SHUFFLE(ab, cd, 2, 3, 6, 7);
}

/* C -= X^T Y for X of `terms` rows of ldx numbers, Y of as many rows, C of M rows. Bodies have
 * six, a number that the compiler may know. */
#define ACCUMULATE(M, LD)                                                                      \
  static TRMI_INLINE void subtract_##M##_##LD(part##LD (*C)[PARTS##LD], const double *x,       \
                                              const double *Y) {                               \
    const part##LD *y = (const part##LD *)Y;                                                   \
    TRMI_UNROLL for (int i = 0; i < M; i++) {                                                  \
      EACH_PART(LD) C[i][w] -= x[i] * y[w];                                                    \
    }                                                                                          \
  }                                                                                            \
  static TRMI_INLINE void accumulate_##M##_##LD(part##LD (*C)[PARTS##LD], const double *X,     \
                                                int ldx, const double *Y, int terms) {         \
    if (terms == 6) {                                                                          \
      TRMI_UNROLL for (int k = 0; k < 6; k++) subtract_##M##_##LD(C, X + ldx * k, Y + LD * k); \
      return;                                                                                  \
    }                                                                                          \
    for (int k = 0; k < terms; k++) subtract_##M##_##LD(C, X + ldx * k, Y + LD * k);           \
  }

/* Rows of the matrix, zero where it has none; and rows back. */
#define LOAD(M, LD)                                                                            \
  static TRMI_INLINE void load_##M##_##LD(const trmi_block *b, int place,                      \
                                          part##LD (*C)[PARTS##LD]) {                          \
    const part##LD *A = (const part##LD *)(b->A + place);                                      \
    if (place >= 0) {                                                                          \
      TRMI_UNROLL for (int i = 0; i < M; i++) EACH_PART(LD) C[i][w] = A[PARTS##LD * i + w];    \
    } else {                                                                                   \
      TRMI_UNROLL for (int i = 0; i < M; i++) EACH_PART(LD) C[i][w] = (part##LD){0};           \
    }                                                                                          \
  }                                                                                            \
  static TRMI_INLINE void store_##M##_##LD(double *to, part##LD (*C)[PARTS##LD]) {             \
    part##LD *F = (part##LD *)to;                                                              \
    TRMI_UNROLL for (int i = 0; i < M; i++) EACH_PART(LD) F[PARTS##LD * i + w] = C[i][w];      \
  }

/* C less the sources of entry e: X and Y by their places */
#define GATHER(M, LD)                                                                          \
  static TRMI_INLINE void gather_##M##_##LD(const trmi_block *b, int e, const int *X,          \
                                            const int *Y, part##LD (*C)[PARTS##LD]) {          \
    const int ldx = M <= 4 ? 4 : 8;                                                            \
    for (int s = b->source_first[e]; s < b->sum_end[e]; s++) {                                 \
      const int x = b->sum[s].x, y = b->sum[s].y;                                              \
      accumulate_##M##_##LD(C, b->F + X[x], ldx, b->F + Y[y], b->dim[b->owner[x]]);            \
    }                                                                                          \
  }                                                                                            \
  static TRMI_INLINE void gather_both_##M##_##LD(const trmi_block *b, int e,                   \
                                                 part##LD (*C)[PARTS##LD],                     \
                                                 part##LD (*R)[PARTS##LD]) {                   \
    const int ldx = M <= 4 ? 4 : 8;                                                            \
    for (int s = b->source_first[e]; s < b->sum_end[e]; s++) {                                 \
      const int x = b->sum[s].x, y = b->sum[s].y, terms = b->dim[b->owner[x]];                 \
      accumulate_##M##_##LD(C, b->F + b->reduced[x], ldx, b->F + b->scaled[y], terms);         \
      accumulate_##M##_##LD(R, b->F + b->scaled[x], ldx, b->F + b->reduced[y], terms);         \
    }                                                                                          \
  }

/* (2), and the transposed bracket of (3) into C. Both sums at once where the machine has
 * registers for them. */
#define BRACKET(M, LD)                                                                         \
  static void sums_##M##_##LD(trmi_block *b, int e, part##LD (*to)[PARTS##LD]) {               \
    part##LD C[M][PARTS##LD], R[M][PARTS##LD];                                                 \
    load_##M##_##LD(b, b->lower[e], C);                                                        \
    load_##M##_##LD(b, b->upper[e], R);                                                        \
    if (b->is_symmetric) {                                                                     \
      gather_##M##_##LD(b, e, b->reduced, b->scaled, C);                                       \
      store_##M##_##LD(b->F + b->reduced[e], C);                                               \
    } else if (BLOCK_WIDTH == 8) {                                                             \
      gather_both_##M##_##LD(b, e, C, R);                                                      \
      store_##M##_##LD(b->F + b->reduced[e], R);                                               \
    } else {                                                                                   \
      gather_##M##_##LD(b, e, b->scaled, b->reduced, R);                                       \
      store_##M##_##LD(b->F + b->reduced[e], R);                                               \
      gather_##M##_##LD(b, e, b->reduced, b->scaled, C);                                       \
    }                                                                                          \
    store_##M##_##LD((double *)to, C);                                                         \
  }                                                                                            \
  static TRMI_INLINE void bracket_##M##_##LD(trmi_block *b, int e, part##LD (*C)[PARTS##LD]) { \
    if (b->source_first[e] < b->source_first[e + 1]) {                                         \
      sums_##M##_##LD(b, e, C);                                                                \
    } else {                                                                                   \
      load_##M##_##LD(b, b->lower[e], C);                                                      \
    }                                                                                          \
  }

/* (2) and (3) for one neighbour, given the transposed inverse in F. */
#define NEIGHBOUR(M, LD)                                                                       \
  static TRMI_INLINE void neighbour_##M##_##LD(trmi_block *b, int k, int e) {                  \
    part##LD C[M][PARTS##LD], V[M][PARTS##LD];                                                 \
    const int ldx = M <= 4 ? 4 : 8;                                                            \
    const double *inverse = b->F + b->pivot[k];                                                \
    TRMI_OPAQUE(inverse); /* or its M M addresses are kept in registers between neighbours */  \
    bracket_##M##_##LD(b, e, C);                                                               \
    TRMI_UNROLL for (int i = 0; i < M; i++) EACH_PART(LD) V[i][w] = (part##LD){0};             \
    TRMI_UNROLL for (int c = 0; c < M; c++) {                                                  \
      TRMI_UNROLL for (int i = 0; i < M; i++) {                                                \
        EACH_PART(LD) V[i][w] += inverse[ldx * i + c] * C[c][w];                               \
      }                                                                                        \
    }                                                                                          \
    store_##M##_##LD(b->F + b->scaled[e], V);                                                  \
  }

/* In-place Gauss-Jordan inverse with row pivoting; -1, or the column without pivot. */
#define INVERT_PIVOTED(M, LD)                                                                  \
  static int invert_pivoted_##M(double *B, const double *size) {                               \
    int swapped[M];                                                                            \
    row##LD *rows = (row##LD *)B;                                                              \
    for (int c = 0; c < M; c++) {                                                              \
      int r = c;                                                                               \
      for (int i = c + 1; i < M; i++) {                                                        \
        if (fabs(B[LD * i + c]) > fabs(B[LD * r + c])) r = i;                                  \
      }                                                                                        \
      const double pivot = B[LD * r + c];                                                      \
      if (!(fabs(pivot) > lost_pivot * size[c])) return c;                                     \
      swapped[c] = r;                                                                          \
      if (r != c) {                                                                            \
        const row##LD keep = rows[c];                                                          \
        rows[c] = rows[r];                                                                     \
        rows[r] = keep;                                                                        \
      }                                                                                        \
      B[LD * c + c] = 1.0;                                                                     \
      rows[c] *= 1.0 / pivot;                                                                  \
      for (int i = 0; i < M; i++) {                                                            \
        if (i == c) continue;                                                                  \
        const double f = B[LD * i + c];                                                        \
        B[LD * i + c] = 0.0;                                                                   \
        rows[i] -= f * rows[c];                                                                \
      }                                                                                        \
    }                                                                                          \
    for (int c = M - 1; c >= 0; c--) {                                                         \
      for (int i = 0; i < M && swapped[c] != c; i++) {                                         \
        const double keep = B[LD * i + c];                                                     \
        B[LD * i + c] = B[LD * i + swapped[c]];                                                \
        B[LD * i + swapped[c]] = keep;                                                         \
      }                                                                                        \
    }                                                                                          \
    return -1;                                                                                 \
  }

/* The same with diagonal pivots of two unknowns at once, all in registers: bodies and
 * joints are definite, so this is the rule. With P = [a b; c d] in rows and columns p, q,
 *   rows p, q <- P^-1 (rows with P replaced by I),  row i <- row i - [f1 f2] (new rows),
 * f1, f2 being the row's numbers there, which become zero first. M rows E next to them, of
 * another block, take part: E <- inverse E, sooner than by a product afterwards. False
 * where a pivot is small relative to the terms of its sum. */
#define INVERT(M, LD, LDE)                                                                     \
  static TRMI_INLINE bool invert_##M##_##LDE(part##LD (*rows)[PARTS##LD],                      \
                                             part##LDE (*E)[PARTS##LDE], const double *size) { \
    bool good = true;                                                                          \
    TRMI_UNROLL for (int p = 0; p + 1 < M; p += 2) {                                           \
      const int q = p + 1;                                                                     \
      const double a = NUMBER(LD, rows[p], p), b = NUMBER(LD, rows[p], q);                     \
      const double c = NUMBER(LD, rows[q], p), d = NUMBER(LD, rows[q], q);                     \
      double bc = b * c;                                                                       \
      TRMI_ROUNDED(bc);                                                                        \
      const double det = a * d - bc, inverse = 1.0 / det;                                      \
      const double ia = a * inverse, ib = b * inverse, ic = c * inverse, id = d * inverse;     \
      good &= fabs(det) > small_pivot * (size[p] * size[q]);                                   \
      EACH_PART(LD) {                                                                          \
        const part##LD x = WITHOUT(LD, rows[p][w], p) + UNIT(LD, p);                           \
        const part##LD y = WITHOUT(LD, rows[q][w], p) + UNIT(LD, q);                           \
        part##LD by = ib * y, cx = ic * x;                                                     \
        TRMI_ROUNDED(by);                                                                      \
        TRMI_ROUNDED(cx);                                                                      \
        rows[p][w] = id * x - by;                                                              \
        rows[q][w] = ia * y - cx;                                                              \
      }                                                                                        \
      EACH_PART(LDE) {                                                                         \
        const part##LDE u = E[p][w], v = E[q][w];                                              \
        part##LDE bv = ib * v, cu = ic * u;                                                    \
        TRMI_ROUNDED(bv);                                                                      \
        TRMI_ROUNDED(cu);                                                                      \
        E[p][w] = id * u - bv;                                                                 \
        E[q][w] = ia * v - cu;                                                                 \
      }                                                                                        \
      TRMI_UNROLL for (int i = 0; i < M; i++) {                                                \
        if (i == p || i == q) continue;                                                        \
        const double f = NUMBER(LD, rows[i], p), g = NUMBER(LD, rows[i], q);                   \
        EACH_PART(LD) {                                                                        \
          rows[i][w] = (WITHOUT(LD, rows[i][w], p) - f * rows[p][w]) - g * rows[q][w];         \
        }                                                                                      \
        EACH_PART(LDE) E[i][w] = (E[i][w] - f * E[p][w]) - g * E[q][w];                        \
      }                                                                                        \
    }                                                                                          \
    if (M % 2 == 1) {                                                                          \
      const int p = M - 1;                                                                     \
      const double pivot = NUMBER(LD, rows[p], p), inverse = 1.0 / pivot;                      \
      good &= fabs(pivot) > small_pivot * size[p];                                             \
      EACH_PART(LD) rows[p][w] = (WITHOUT(LD, rows[p][w], p) + UNIT(LD, p)) * inverse;         \
      EACH_PART(LDE) E[p][w] *= inverse;                                                       \
      TRMI_UNROLL for (int i = 0; i < M - 1; i++) {                                            \
        const double f = NUMBER(LD, rows[i], p);                                               \
        EACH_PART(LD) rows[i][w] = WITHOUT(LD, rows[i][w], p) - f * rows[p][w];                \
        EACH_PART(LDE) E[i][w] -= f * E[p][w];                                                 \
      }                                                                                        \
    }                                                                                          \
    return good;                                                                               \
  }

/* D_k^-T from its rows C and, in the same go, (2) and (3) for the first neighbour e, if there
 * is one. False where pivots must be sought. */
#define INVERT_WITH(M, LD, LDE)                                                                \
  static TRMI_INLINE bool invert_with_##M##_##LDE(trmi_block *b, int k,                        \
                                                  part##LD (*C)[PARTS##LD],                    \
                                                  const double *size) {                        \
    const int e = b->first[k];                                                                 \
    part##LD inverse[M][PARTS##LD];                                                            \
    part##LDE E[M][PARTS##LDE];                                                                \
    TRMI_UNROLL for (int i = 0; i < M; i++) {                                                  \
      EACH_PART(LD) inverse[i][w] = C[i][w];                                                   \
      EACH_PART(LDE) E[i][w] = (part##LDE){0};                                                 \
    }                                                                                          \
    const bool has_first = e < b->kept_end[k];                                                 \
    if (has_first) bracket_##M##_##LDE(b, e, E);                                               \
    const bool good = invert_##M##_##LDE(inverse, E, size);                                    \
    store_##M##_##LD(b->F + b->pivot[k], inverse);                                             \
    if (has_first) store_##M##_##LDE(b->F + b->scaled[e], E);                                  \
    return good;                                                                               \
  }

/* (2) and (3) of a neighbour where D_k is diagonal: rows times the numbers of its inverse. */
#define DIAGONAL_NEIGHBOUR(M, LD)                                                              \
  static TRMI_INLINE void diagonal_neighbour_##M##_##LD(trmi_block *b, int e,                  \
                                                        const double *inverse) {               \
    part##LD C[M][PARTS##LD];                                                                  \
    bracket_##M##_##LD(b, e, C);                                                               \
    TRMI_UNROLL for (int i = 0; i < M; i++) EACH_PART(LD) C[i][w] *= inverse[i];               \
    store_##M##_##LD(b->F + b->scaled[e], C);                                                  \
  }

/* A node whose D_k is diagonal. */
#define FACTOR_DIAGONAL(M, LD)                                                                 \
  static TRMI_INLINE bool factor_diagonal_##M(trmi_block *b, int k) {                          \
    double *inverse = b->F + b->pivot[k];                                                      \
    const double *border = b->border != NULL ? b->border + b->place[k] : NULL;                 \
    for (int i = 0; i < M; i++) {                                                              \
      const double own = b->diagonal[k] >= 0 ? b->A[b->diagonal[k] + (LD + 1) * i] : 0.0;      \
      const double pivot = own + (border != NULL ? border[i] : 0.0);                           \
      if (!(fabs(pivot) > 0.0)) {                                                              \
        b->bad_row = i;                                                                        \
        return false;                                                                          \
      }                                                                                        \
      inverse[i] = 1.0 / pivot;                                                                \
    }                                                                                          \
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {                                      \
      if (b->ld[b->node[e]] == 4) {                                                            \
        diagonal_neighbour_##M##_4(b, e, inverse);                                             \
      } else {                                                                                 \
        diagonal_neighbour_##M##_8(b, e, inverse);                                             \
      }                                                                                        \
    }                                                                                          \
    return true;                                                                               \
  }

/* (1) and the inverse. `sum` collects |A_ii| and the sizes of all contributions. */
#define FACTOR(M, LD)                                                                          \
  static bool factor_##M(trmi_block *b, int k) {                                               \
    part##LD C[M][PARTS##LD], sum[PARTS##LD];                                                  \
    if (M > BLOCK_FULL && b->is_diagonal[k]) return factor_diagonal_##M(b, k);                 \
    load_##M##_##LD(b, b->diagonal[k], C);                                                     \
    if (b->border != NULL) {                                                                   \
      const double *border = b->border + b->place[k];                                          \
      TRMI_UNROLL for (int i = 0; i < M; i++) EACH_PART(LD) C[i][w] += border[i] * UNIT(LD, i); \
    }                                                                                          \
    EACH_PART(LD) {                                                                            \
      sum[w] = (part##LD){0};                                                                  \
      TRMI_UNROLL for (int i = 0; i < M; i++) sum[w] += C[i][w] * UNIT(LD, i);                 \
      sum[w] = PART_SIZES(LD, sum[w]);                                                         \
    }                                                                                          \
    for (int s = b->diag_first[k]; s < b->diag_end[k]; s++) {                                  \
      const int source = b->diag_sum[s].x, terms = b->dim[b->owner[source]];                   \
      const double *X = b->F + b->reduced[source], *Y = b->F + b->scaled[source];              \
      part##LD part[PARTS##LD];                                                                \
      EACH_PART(LD) part[w] = (part##LD){0};                                                   \
      for (int t = 0; t < terms; t++, X += LD, Y += LD) {                                      \
        const part##LD *x = (const part##LD *)X, *y = (const part##LD *)Y;                     \
        subtract_##M##_##LD(C, X, Y);                                                          \
        EACH_PART(LD) part[w] += x[w] * y[w];                                                  \
      }                                                                                        \
      EACH_PART(LD) sum[w] += PART_SIZES(LD, part[w]);                                         \
    }                                                                                          \
    double *D = b->F + b->pivot[k], size[LD];                                                  \
    memcpy(size, sum, sizeof size);                                                            \
    int e = b->first[k];                                                                       \
    const bool is_wide = e < b->kept_end[k] && b->ld[b->node[e]] == 8;                         \
    if (is_wide ? invert_with_##M##_8(b, k, C, size) : invert_with_##M##_4(b, k, C, size)) {   \
      e++;                                                                                     \
    } else {                                                                                   \
      memcpy(D, C, sizeof C);                                                                  \
      b->bad_row = invert_pivoted_##M(D, size);                                                \
      if (b->bad_row >= 0) return false;                                                       \
    }                                                                                          \
    for (; e < b->kept_end[k]; e++) {                                                          \
      const int kept = b->kept[e];                                                             \
      if (b->ld[b->node[kept]] == 4) {                                                         \
        neighbour_##M##_4(b, k, kept);                                                         \
      } else {                                                                                 \
        neighbour_##M##_8(b, k, kept);                                                         \
      }                                                                                        \
    }                                                                                          \
    return true;                                                                               \
  }

/* C = X^T y, two sums at a time: X has M rows, y M numbers. */
#define TIMES(M, LD)                                                                           \
  static TRMI_INLINE void times_##M##_##LD(const double *X, const double *y,                   \
                                           part##LD C[PARTS##LD]) {                            \
    const part##LD *x = (const part##LD *)X;                                                   \
    EACH_PART(LD) {                                                                            \
      part##LD even = y[0] * x[w], odd = {0};                                                  \
      TRMI_ROUNDED(even);                                                                      \
      TRMI_UNROLL for (int c = 1; c < M; c++) {                                                \
        if (c % 2 == 0) even += y[c] * x[PARTS##LD * c + w];                                   \
        else odd += y[c] * x[PARTS##LD * c + w];                                               \
      }                                                                                        \
      C[w] = even + odd;                                                                       \
    }                                                                                          \
  }                                                                                            \
  static TRMI_INLINE void take_off_##M##_##LD(const double *V, const double *own,              \
                                              double *other) {                                 \
    part##LD product[PARTS##LD];                                                               \
    times_##M##_##LD(V, own, product);                                                         \
    EACH_PART(LD) ((part##LD *)other)[w] -= product[w];                                        \
  }

/* (4) of one vector */
#define FORWARD(M, LD)                                                                         \
  static TRMI_INLINE void forward_##M(const trmi_block *b, int k, double *y) {                 \
    const double *own = y + b->place[k];                                                       \
    const trmi_block_live *e = b->live + b->live_first[k], *end = b->live + b->live_first[k + 1]; \
    for (; e < end; e++) {                                                                     \
      if (e->ld == 4) {                                                                        \
        take_off_##M##_4(b->F + e->scaled, own, y + e->place);                                 \
      } else {                                                                                 \
        take_off_##M##_8(b->F + e->scaled, own, y + e->place);                                 \
      }                                                                                        \
    }                                                                                          \
  }

/* (5) of one vector */
#define BACKWARD(M, LD)                                                                        \
  static TRMI_INLINE void sums_of_##M(const trmi_block *b, int k, const double *y, row4 *right) { \
    row4 sum[LD] = {{0}}, total;                                                               \
    const trmi_block_live *e = b->live + b->live_first[k], *end = b->live + b->live_first[k + 1]; \
    for (; e < end; e++) {                                                                     \
      const double *other = y + e->place, *U = b->F + e->reduced;                              \
      const row4 x0 = *(const row4 *)other;                                                    \
      if (e->ld == 4) {                                                                        \
        TRMI_UNROLL for (int i = 0; i < M; i++) sum[i] += *(const row4 *)(U + 4 * i) * x0;     \
      } else {                                                                                 \
        const row4 x1 = *(const row4 *)(other + 4);                                            \
        TRMI_UNROLL for (int i = 0; i < M; i++) {                                              \
          sum[i] += *(const row4 *)(U + 8 * i) * x0;                                           \
          sum[i] += *(const row4 *)(U + 8 * i + 4) * x1;                                       \
        }                                                                                      \
      }                                                                                        \
    }                                                                                          \
    TRMI_UNROLL for (int i = 0; i < LD / 4; i++) {                                             \
      add_rows(sum + 4 * i, &total);                                                           \
      right[i] -= total;                                                                       \
    }                                                                                          \
  }                                                                                            \
  static TRMI_INLINE void backward_##M(const trmi_block *b, int k, double *y) {                \
    double *own = y + b->place[k];                                                             \
    sums_of_##M(b, k, y, (row4 *)own);                                                         \
    const double *inverse = b->F + b->pivot[k];                                                \
    if (M > BLOCK_FULL && b->is_diagonal[k]) {                                                 \
      EACH_PART(LD) ((part##LD *)own)[w] *= ((const part##LD *)inverse)[w];                    \
      return;                                                                                  \
    }                                                                                          \
    part##LD x[PARTS##LD];                                                                     \
    times_##M##_##LD(inverse, own, x);                                                         \
    EACH_PART(LD) ((part##LD *)own)[w] = x[w];                                                 \
  }

/* product += S x and size += |S| |x| for a block of M rows as it is, and for its
 * transpose. */
#define MULTIPLY(M, LD)                                                                        \
  static TRMI_INLINE void multiply_##M##_##LD(const double *S, const double *x,                \
                                              double *product, double *size) {                 \
    row4 sum[8] = {{0}}, sizes[8] = {{0}}, total;                                              \
    TRMI_UNROLL for (int j = 0; j < LD / 4; j++) {                                             \
      const row4 y = *(const row4 *)(x + 4 * j);                                               \
      TRMI_UNROLL for (int i = 0; i < M; i++) {                                                \
        const row4 part = *(const row4 *)(S + LD * i + 4 * j) * y;                             \
        sum[i] += part;                                                                        \
        sizes[i] += SIZES(4, part);                                                            \
      }                                                                                        \
    }                                                                                          \
    TRMI_UNROLL for (int i = 0; i < (M + 3) / 4; i++) {                                        \
      add_rows(sum + 4 * i, &total);                                                           \
      ((row4 *)product)[i] += total;                                                           \
      add_rows(sizes + 4 * i, &total);                                                         \
      ((row4 *)size)[i] += total;                                                              \
    }                                                                                          \
  }                                                                                            \
  static TRMI_INLINE void multiply_transposed_##M##_##LD(const double *S, const double *x,     \
                                                         double *product, double *size) {      \
    row##LD sum = *(row##LD *)product, sizes = *(row##LD *)size;                               \
    TRMI_UNROLL for (int i = 0; i < M; i++) {                                                  \
      const row##LD part = *(const row##LD *)(S + LD * i) * x[i];                              \
      sum += part;                                                                             \
      sizes += SIZES(LD, part);                                                                \
    }                                                                                          \
    *(row##LD *)product = sum;                                                                 \
    *(row##LD *)size = sizes;                                                                  \
  }

/* A x of the blocks of node k */
#define MULTIPLY_NODE(M, LD)                                                                   \
  static TRMI_INLINE void multiply_node_##M(const trmi_block *b, int k, const double *x,       \
                                            double *product, double *size) {                   \
    const int at = b->place[k], own = b->diagonal[k];                                          \
    if (own >= 0) multiply_transposed_##M##_##LD(b->A + own, x + at, product + at, size + at); \
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {                                      \
      const int to = b->place[b->node[e]];                                                     \
      if (b->upper[e] < 0 || (b->is_zero != NULL && b->is_zero[e])) continue;                  \
      const double *U = b->A + b->upper[e], *W = b->A + b->lower[e];                           \
      if (b->ld[b->node[e]] == 4) {                                                            \
        multiply_##M##_4(U, x + to, product + at, size + at);                                  \
        multiply_transposed_##M##_4(W, x + at, product + to, size + to);                       \
      } else {                                                                                 \
        multiply_##M##_8(U, x + to, product + at, size + at);                                  \
        multiply_transposed_##M##_8(W, x + at, product + to, size + to);                       \
      }                                                                                        \
    }                                                                                          \
  }

#define SIZE(M, LD)                                                                            \
  ACCUMULATE(M, 4) ACCUMULATE(M, 8) LOAD(M, 4) LOAD(M, 8)                                          \
  GATHER(M, 4) GATHER(M, 8)                                                                    \
  BRACKET(M, 4) BRACKET(M, 8) NEIGHBOUR(M, 4) NEIGHBOUR(M, 8)                                  \
  INVERT_PIVOTED(M, LD) INVERT(M, LD, 4) INVERT(M, LD, 8)                                      \
  INVERT_WITH(M, LD, 4) INVERT_WITH(M, LD, 8)                                                  \
  DIAGONAL_NEIGHBOUR(M, 4) DIAGONAL_NEIGHBOUR(M, 8) FACTOR_DIAGONAL(M, LD) FACTOR(M, LD)       \
  TIMES(M, 4) TIMES(M, 8) FORWARD(M, LD) BACKWARD(M, LD)                                       \
  MULTIPLY(M, 4) MULTIPLY(M, 8) MULTIPLY_NODE(M, LD)

SIZE(1, 4) SIZE(2, 4) SIZE(3, 4) SIZE(4, 4) SIZE(5, 8) SIZE(6, 8) SIZE(7, 8) SIZE(8, 8)
