/* block_numeric.h - the numbers of block.h. Included by one file per machine, which
 * names the table it builds: BLOCK_TABLE and BLOCK_NAME.
 *
 * Everything is written once for M rows (1 to 8) and rows of 4 or 8 numbers; macros
 * make the sixteen cases, so that every loop over rows is unrolled and every row is
 * one or a few vectors of the machine. */
#include "core/compiler.h"
#include "linalg/block.h"
#include <math.h>
#include <string.h>

typedef TRMI_VECTOR(double, 4) row4;
typedef TRMI_VECTOR(double, 8) row8;

/* A pivot that small beside what was added up to it is lost. */
static const double lost_pivot = 1e-14;
/* One that small is not taken without looking for a better one in its block. */
static const double small_pivot = 1e-8;
/* Blocks that differ by less of their size are the same but for rounding. */
static const double symmetric_part = 1e-14;

/* C -= X^T Y for X of `terms` rows of ldx numbers, Y of as many rows, C of M rows. */
#define ACCUMULATE(M, LD)                                                                      \
  static TRMI_INLINE void accumulate_##M##_##LD(row##LD *C, const double *X, int ldx,          \
                                                const double *Y, int terms) {                  \
    for (int k = 0; k < terms; k++) {                                                          \
      const row##LD y = *(const row##LD *)(Y + LD * k);                                        \
      TRMI_UNROLL for (int i = 0; i < M; i++) C[i] -= X[ldx * k + i] * y;                      \
    }                                                                                          \
  }

/* Rows of a block, less its sources: U if `upper`, W otherwise. */
#define GATHER(M, LD)                                                                          \
  static TRMI_INLINE void gather_##M##_##LD(const trmi_block *b, int e, bool upper,            \
                                            row##LD *C) {                                      \
    const row##LD *A = (const row##LD *)(b->A + (upper ? b->upper : b->lower)[e]);             \
    const int ldx = M <= 4 ? 4 : 8;                                                            \
    TRMI_UNROLL for (int i = 0; i < M; i++) C[i] = A[i];                                       \
    for (int s = b->source_first[e]; s < b->source_first[e + 1]; s++) {                        \
      const int x = b->source[s].x, y = b->source[s].y;                                        \
      const double *X = b->F + (upper ? b->reduced : b->upper)[x];                             \
      const double *Y = b->F + (upper ? b->upper : b->reduced)[y];                             \
      accumulate_##M##_##LD(C, X, ldx, Y, b->dim[b->owner[x]]);                                \
    }                                                                                          \
  }

/* (2) and (3) for one neighbour, given the transposed inverse in F. */
#define NEIGHBOUR(M, LD)                                                                       \
  static TRMI_INLINE void neighbour_##M##_##LD(trmi_block *b, int k, int e) {                  \
    row##LD C[M], U[M];                                                                        \
    const double *inverse = b->F + b->diagonal[k]; /* transposed: X of C -= X^T Y */           \
    const int ldx = M <= 4 ? 4 : 8;                                                            \
    row##LD *W = (row##LD *)(b->F + b->reduced[e]);                                            \
    const bool has_sums = b->source_first[e] < b->source_first[e + 1];                         \
    if (has_sums && !b->is_symmetric) {                                                        \
      gather_##M##_##LD(b, e, false, C);                                                       \
      TRMI_UNROLL for (int i = 0; i < M; i++) W[i] = C[i];                                     \
    }                                                                                          \
    gather_##M##_##LD(b, e, true, C);                                                          \
    if (has_sums && b->is_symmetric) {                                                         \
      TRMI_UNROLL for (int i = 0; i < M; i++) W[i] = C[i];                                     \
    }                                                                                          \
    TRMI_UNROLL for (int i = 0; i < M; i++) U[i] = (row##LD){0};                               \
    TRMI_UNROLL for (int c = 0; c < M; c++) {                                                  \
      TRMI_UNROLL for (int i = 0; i < M; i++) U[i] += inverse[ldx * c + i] * C[c];             \
    }                                                                                          \
    row##LD *to = (row##LD *)(b->F + b->upper[e]);                                             \
    TRMI_UNROLL for (int i = 0; i < M; i++) to[i] = U[i];                                      \
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
 * f1, f2 being the row's numbers there, which become zero first. False where a pivot is
 * small beside what was added up to it. */
#define INVERT(M, LD)                                                                          \
  static TRMI_INLINE bool invert_##M(row##LD *rows, const double *size) {                      \
    bool good = true;                                                                          \
    TRMI_UNROLL for (int p = 0; p + 1 < M; p += 2) {                                           \
      const int q = p + 1;                                                                     \
      const double a = rows[p][p], b = rows[p][q], c = rows[q][p], d = rows[q][q];             \
      const double det = a * d - b * c, inverse = 1.0 / det;                                   \
      good = good && fabs(det) > small_pivot * fabs(size[p] * size[q]);                        \
      row##LD x = rows[p], y = rows[q];                                                        \
      x[p] = 1.0, x[q] = 0.0, y[p] = 0.0, y[q] = 1.0;                                          \
      rows[p] = (d * inverse) * x - (b * inverse) * y;                                         \
      rows[q] = (a * inverse) * y - (c * inverse) * x;                                         \
      TRMI_UNROLL for (int i = 0; i < M; i++) {                                                \
        if (i == p || i == q) continue;                                                        \
        const double f1 = rows[i][p], f2 = rows[i][q];                                         \
        rows[i][p] = rows[i][q] = 0.0;                                                         \
        rows[i] = (rows[i] - f1 * rows[p]) - f2 * rows[q];                                     \
      }                                                                                        \
    }                                                                                          \
    if (M % 2 == 1) {                                                                          \
      const int p = M - 1;                                                                     \
      const double pivot = rows[p][p];                                                         \
      good = good && fabs(pivot) > small_pivot * size[p];                                      \
      rows[p][p] = 1.0;                                                                        \
      rows[p] *= 1.0 / pivot;                                                                  \
      TRMI_UNROLL for (int i = 0; i < M - 1; i++) {                                            \
        const double f = rows[i][p];                                                           \
        rows[i][p] = 0.0;                                                                      \
        rows[i] -= f * rows[p];                                                                \
      }                                                                                        \
    }                                                                                          \
    return good;                                                                               \
  }

/* (1) and the inverse. `size` collects |A_ii| and all |contributions|. */
#define FACTOR(M, LD)                                                                          \
  static bool factor_##M(trmi_block *b, int k) {                                               \
    row##LD C[M];                                                                              \
    double size[LD] = {0};                                                                     \
    const row##LD *A = (const row##LD *)(b->A + b->diagonal[k]);                               \
    TRMI_UNROLL for (int i = 0; i < M; i++) C[i] = A[i];                                       \
    if (b->border != NULL) {                                                                   \
      for (int i = 0; i < M; i++) C[i][i] += b->border[b->place[k] + i];                       \
    }                                                                                          \
    for (int i = 0; i < M; i++) size[i] = fabs(C[i][i]);                                       \
    for (int s = b->diag_first[k]; s < b->diag_first[k + 1]; s++) {                            \
      const int x = b->diag_source[s].x, terms = b->dim[b->owner[x]];                          \
      const double *X = b->F + b->upper[x], *Y = b->F + b->reduced[x];                         \
      accumulate_##M##_##LD(C, X, LD, Y, terms);                                               \
      for (int t = 0; t < terms; t++) {                                                        \
        TRMI_UNROLL for (int i = 0; i < LD; i++) size[i] += fabs(X[LD * t + i] * Y[LD * t + i]); \
      }                                                                                        \
    }                                                                                          \
    double *D = b->F + b->diagonal[k];                                                         \
    row##LD inverse[M];                                                                        \
    TRMI_UNROLL for (int i = 0; i < M; i++) inverse[i] = C[i];                                 \
    if (invert_##M(inverse, size)) {                                                           \
      TRMI_UNROLL for (int i = 0; i < M; i++) ((row##LD *)D)[i] = inverse[i];                  \
    } else {                                                                                   \
      memcpy(D, C, sizeof C);                                                                  \
      b->bad_row = invert_pivoted_##M(D, size);                                                \
      if (b->bad_row >= 0) return false;                                                       \
    }                                                                                          \
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {                                      \
      if (b->ld[b->node[e]] == 4) {                                                            \
        neighbour_##M##_4(b, k, e);                                                            \
      } else {                                                                                 \
        neighbour_##M##_8(b, k, e);                                                            \
      }                                                                                        \
    }                                                                                          \
    return true;                                                                               \
  }

/* (4) of one vector */
#define FORWARD(M, LD)                                                                         \
  static TRMI_INLINE void forward_##M(trmi_block *b, int k, double *y) {                       \
    double *own = y + b->place[k];                                                             \
    const row##LD *inverse = (const row##LD *)(b->F + b->diagonal[k]);                         \
    row##LD even = own[0] * inverse[0], odd = {0}; /* two sums at a time */                    \
    TRMI_UNROLL for (int c = 1; c < M; c++) {                                                  \
      if (c % 2 == 0) even += own[c] * inverse[c];                                             \
      else odd += own[c] * inverse[c];                                                         \
    }                                                                                          \
    *(row##LD *)own = even + odd;                                                              \
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {                                      \
      double *other = y + b->place[b->node[e]];                                                \
      const double *W = b->F + b->reduced[e];                                                  \
      if (b->ld[b->node[e]] == 4) {                                                            \
        row4 part = own[0] * *(const row4 *)W;                                                 \
        TRMI_UNROLL for (int c = 1; c < M; c++) part += own[c] * *(const row4 *)(W + 4 * c);   \
        *(row4 *)other -= part;                                                                \
      } else {                                                                                 \
        row8 part = own[0] * *(const row8 *)W;                                                 \
        TRMI_UNROLL for (int c = 1; c < M; c++) part += own[c] * *(const row8 *)(W + 8 * c);   \
        *(row8 *)other -= part;                                                                \
      }                                                                                        \
    }                                                                                          \
  }

/* (5) of one vector */
#define BACKWARD(M, LD)                                                                        \
  static TRMI_INLINE void backward_##M(trmi_block *b, int k, double *y) {                      \
    double *own = y + b->place[k];                                                             \
    row4 sum[M];                                                                               \
    TRMI_UNROLL for (int i = 0; i < M; i++) sum[i] = (row4){0};                                \
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {                                      \
      const double *other = y + b->place[b->node[e]], *U = b->F + b->upper[e];                 \
      const row4 x0 = *(const row4 *)other;                                                    \
      if (b->ld[b->node[e]] == 4) {                                                            \
        TRMI_UNROLL for (int i = 0; i < M; i++) sum[i] += *(const row4 *)(U + 4 * i) * x0;     \
      } else {                                                                                 \
        const row4 x1 = *(const row4 *)(other + 4);                                            \
        TRMI_UNROLL for (int i = 0; i < M; i++) {                                              \
          sum[i] += *(const row4 *)(U + 8 * i) * x0;                                           \
          sum[i] += *(const row4 *)(U + 8 * i + 4) * x1;                                       \
        }                                                                                      \
      }                                                                                        \
    }                                                                                          \
    TRMI_UNROLL for (int i = 0; i < M; i++) {                                                  \
      own[i] -= (sum[i][0] + sum[i][1]) + (sum[i][2] + sum[i][3]);                             \
    }                                                                                          \
  }

#define SIZE(M, LD)                                                                            \
  ACCUMULATE(M, 4) ACCUMULATE(M, 8) GATHER(M, 4) GATHER(M, 8) NEIGHBOUR(M, 4) NEIGHBOUR(M, 8)  \
  INVERT_PIVOTED(M, LD) INVERT(M, LD) FACTOR(M, LD) FORWARD(M, LD) BACKWARD(M, LD)

SIZE(1, 4) SIZE(2, 4) SIZE(3, 4) SIZE(4, 4) SIZE(5, 8) SIZE(6, 8) SIZE(7, 8) SIZE(8, 8)

/* One line per size of node. */
#define EACH_SIZE(CALL)                                                                        \
  case 1: CALL(1) break; case 2: CALL(2) break; case 3: CALL(3) break; case 4: CALL(4) break;  \
  case 5: CALL(5) break; case 6: CALL(6) break; case 7: CALL(7) break; default: CALL(8) break;

/* Largest difference and largest number of two blocks of `size` numbers. */
static void compare(const double *U, const double *W, int size, double *difference,
                    double *largest) {
  double d = 0.0, l = 0.0;
  for (int i = 0; i < size; i++) {
    const double u = fabs(U[i]), e = fabs(U[i] - W[i]);
    d = e > d ? e : d;
    l = u > l ? u : l;
  }
  *difference = d;
  *largest = l;
}

static bool is_symmetric(const trmi_block *b) {
  for (int k = 0; k < b->count; k++) {
    const int ld = b->ld[k];
    const double *D = b->A + b->diagonal[k];
    double difference = 0.0, largest = 0.0;
    for (int i = 0; i < b->dim[k]; i++) {
      for (int j = 0; j <= i; j++) {
        difference = fmax(difference, fabs(D[ld * i + j] - D[ld * j + i]));
        largest = fmax(largest, fabs(D[ld * i + j]));
      }
    }
    if (difference > symmetric_part * largest) return false;
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {
      compare(b->A + b->upper[e], b->A + b->lower[e], b->dim[k] * b->ld[b->node[e]], &difference,
              &largest);
      if (difference > symmetric_part * largest) return false;
    }
  }
  return true;
}

static bool factor(trmi_block *b) {
  for (int k = 0; k < b->count; k++) {
    bool good = false;
    switch (b->dim[k]) {
#define CALL(M) good = factor_##M(b, k);
      EACH_SIZE(CALL)
#undef CALL
    }
    if (!good) {
      b->bad_node = k;
      return false;
    }
  }
  return true;
}

static void solve(trmi_block *b, int count) {
  for (int k = 0; k < b->count; k++) {
    switch (b->dim[k]) {
#define CALL(M)                                 \
  forward_##M(b, k, b->y[0]);                   \
  if (count == 2) forward_##M(b, k, b->y[1]);
      EACH_SIZE(CALL)
#undef CALL
    }
  }
  for (int k = b->count - 1; k >= 0; k--) {
    switch (b->dim[k]) {
#define CALL(M)                                 \
  backward_##M(b, k, b->y[0]);                  \
  if (count == 2) backward_##M(b, k, b->y[1]);
      EACH_SIZE(CALL)
#undef CALL
    }
  }
}

/* For a block S of `rows` rows: product of the rows with x into `row`, of the columns
 * with y into `col`, sizes likewise; NULL is not wanted. */
#define MULTIPLY(LD)                                                                           \
  static TRMI_INLINE void multiply_rows_##LD(const double *S, int rows, const double *x,       \
                                             double *product, double *size) {                  \
    for (int i = 0; i < rows; i++) {                                                           \
      double sum = 0.0, sum_size = 0.0;                                                        \
      TRMI_UNROLL for (int j = 0; j < LD; j++) {                                               \
        sum += S[LD * i + j] * x[j];                                                           \
        sum_size += fabs(S[LD * i + j] * x[j]);                                                \
      }                                                                                        \
      product[i] += sum;                                                                       \
      size[i] += sum_size;                                                                     \
    }                                                                                          \
  }                                                                                            \
  static TRMI_INLINE void multiply_columns_##LD(const double *S, int rows, const double *x,    \
                                                double *product, double *size) {               \
    for (int i = 0; i < rows; i++) {                                                           \
      TRMI_UNROLL for (int j = 0; j < LD; j++) {                                               \
        product[j] += S[LD * i + j] * x[i];                                                    \
        size[j] += fabs(S[LD * i + j] * x[i]);                                                 \
      }                                                                                        \
    }                                                                                          \
  }
MULTIPLY(4)
MULTIPLY(8)

static void multiply(const trmi_block *b, const double *x, double *product, double *size) {
  memset(product, 0, (size_t)b->vector * sizeof(double));
  memset(size, 0, (size_t)b->vector * sizeof(double));
  for (int k = 0; k < b->count; k++) {
    const int at = b->place[k], rows = b->dim[k];
    const double *D = b->A + b->diagonal[k];
    if (b->ld[k] == 4) {
      multiply_columns_4(D, rows, x + at, product + at, size + at);
    } else {
      multiply_columns_8(D, rows, x + at, product + at, size + at);
    }
    for (int e = b->first[k]; e < b->first[k + 1]; e++) {
      const int to = b->place[b->node[e]];
      const double *U = b->A + b->upper[e], *W = b->A + b->lower[e];
      if (b->ld[b->node[e]] == 4) {
        multiply_rows_4(U, rows, x + to, product + at, size + at);
        multiply_columns_4(W, rows, x + at, product + to, size + to);
      } else {
        multiply_rows_8(U, rows, x + to, product + at, size + at);
        multiply_columns_8(W, rows, x + at, product + to, size + to);
      }
    }
  }
}

const trmi_block_ops BLOCK_TABLE = {
    .name = BLOCK_NAME, .is_symmetric = is_symmetric, .factor = factor, .solve = solve,
    .multiply = multiply,
};
