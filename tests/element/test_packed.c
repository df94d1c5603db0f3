/* test_packed.c - products of packed matrices and of long rows against plain sums. */
#include "check.h"
#include "elements/flex/packed.h"
#include "math/combine.h"
#include <math.h>
#include <string.h>

enum { MOST = 134, MATRICES = 3, VECTORS = 2, WIDTH = 136 };

/* The same numbers on every run, between -1 and 1. */
static double next(unsigned *seed) {
  *seed = *seed * 1664525U + 1013904223U;
  return (double)(*seed >> 8) / (1 << 23) - 1.0;
}

/* A full matrix, symmetric or antisymmetric. */
static void make_full(int n, double sign, unsigned *seed, double *full) {
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) {
      full[n * i + j] = i == j && sign < 0.0 ? 0.0 : next(seed);
      full[n * j + i] = (i == j ? 1.0 : sign) * full[n * i + j];
    }
  }
}

/* Sums of n products of numbers up to one, in another order. */
static double rounding(int n) {
  return 1e-16 * n * n;
}

static void check_size(int n, double sign) {
  static double full[MATRICES][MOST * MOST], x[VECTORS * WIDTH], y[MATRICES * VECTORS * WIDTH];
  trmi_packed list[MATRICES];
  trmi_arena arena;
  unsigned seed = 7;
  double row[MOST];
  const int width = trmi_packed_width(n);
  assert_true(width >= n && width <= WIDTH && width % 8 == 0);
  trmi_arena_init(&arena, &(trm_allocator){0});
  for (int k = 0; k < MATRICES; k++) {
    make_full(n, sign, &seed, full[k]);
    const trmi_packing how = {.n = n, .is_antisymmetric = sign < 0.0};
    assert_true(trmi_packed_make(&list[k], full[k], &how, &arena));
  }
  memset(x, 0, sizeof x);
  for (int i = 0; i < VECTORS; i++) {
    for (int j = 0; j < n; j++) x[width * i + j] = next(&seed);
  }
  trmi_packed_multiply(list, MATRICES, VECTORS, x, y);
  for (int k = 0; k < MATRICES; k++) {
    for (int r = 0; r < n; r++) {
      trmi_packed_row(&list[k], r, row);
      for (int j = 0; j < n; j++) assert_true(row[j] == full[k][n * r + j]);
      for (int i = 0; i < VECTORS; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) sum += full[k][n * r + j] * x[width * i + j];
        CHECK_NEAR(y[width * (VECTORS * k + i) + r], sum, rounding(n), "n %d, matrix %d, row %d",
                   n, k, r);
      }
    }
    for (int i = 0; i < VECTORS; i++) { /* padding stays zero */
      for (int j = n; j < width; j++) assert_true(y[width * (VECTORS * k + i) + j] == 0.0);
    }
  }
  trmi_arena_clear(&arena);
}

static void products_of_all_sizes_match_plain_sums(void **state) {
  (void)state;
  static const int sizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 33, 100, 134};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_size(sizes[i], 1.0);
    check_size(sizes[i], -1.0);
  }
}

/* Results of one product do not depend on the number of matrices and vectors of a call. */
static void products_have_the_same_bits_in_any_company(void **state) {
  (void)state;
  enum { N = 29, W = 32 };
  static double full[N * N], x[2 * W], alone[W], both[2 * 2 * W];
  trmi_packed list[2];
  trmi_arena arena;
  unsigned seed = 3;
  trmi_arena_init(&arena, &(trm_allocator){0});
  for (int k = 0; k < 2; k++) {
    make_full(N, 1.0, &seed, full);
    assert_true(trmi_packed_make(&list[k], full, &(trmi_packing){.n = N}, &arena));
  }
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < N; j++) x[W * i + j] = next(&seed);
  }
  trmi_packed_multiply(list, 2, 2, x, both);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++) {
      trmi_packed_multiply(&list[k], 1, 1, x + W * i, alone);
      assert_memory_equal(alone, both + W * (2 * k + i), sizeof alone);
    }
  }
  trmi_arena_clear(&arena);
}

/* (1) and (2) of packed.c in plain C: every processor adds in this order. */
static void add_by_hand(int n, double sign, const double *full, const double *x, double *y) {
  enum { SIDE = 8 };
  for (int j = 0; j < n; j += SIDE) {
    double lanes[SIDE][SIDE] = {{0.0}};
    for (int c = j + SIDE; c < n; c += SIDE) {
      for (int r = 0; r < SIDE && j + r < n; r++) {
        for (int k = 0; k < SIDE && c + k < n; k++) {
          lanes[r][k] += full[n * (j + r) + c + k] * x[c + k];
          y[c + k] += full[n * (j + r) + c + k] * (sign * x[j + r]);
        }
      }
    }
    for (int k = 0; k < SIDE && j + k < n; k++) {
      for (int r = 0; r < SIDE && j + r < n; r++) y[j + r] += full[n * (j + r) + j + k] * x[j + k];
    }
    for (int r = 0; r < SIDE && j + r < n; r++) {
      const double *s = lanes[r];
      y[j + r] += ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
  }
}

static void products_have_one_order_on_every_processor(void **state) {
  (void)state;
  enum { N = 45, W = 48 };
  static double full[N * N], x[2 * W], y[2 * W];
  trmi_arena arena;
  unsigned seed = 5;
  for (int sign = -1; sign <= 1; sign += 2) {
    trmi_packed m;
    trmi_arena_init(&arena, &(trm_allocator){0});
    make_full(N, sign, &seed, full);
    for (int i = 0; i < 2 * W; i++) x[i] = i % W < N ? next(&seed) : 0.0;
    const trmi_packing how = {.n = N, .is_antisymmetric = sign < 0};
    assert_true(trmi_packed_make(&m, full, &how, &arena));
    trmi_packed_multiply(&m, 1, 2, x, y);
    for (int i = 0; i < 2; i++) {
      double expected[W] = {0.0};
      add_by_hand(N, sign, full, x + W * i, expected);
      for (int k = 0; k < N; k++) assert_true(y[W * i + k] == expected[k]);
    }
    trmi_arena_clear(&arena);
  }
}

/* Numbers of every third class meet alone: most tiles are left out, small numbers with them. */
static void sorted_matrices_have_few_tiles_and_the_same_products(void **state) {
  (void)state;
  enum { N = 100, W = 104, CLASSES = 5, SIDE_TILES = W / 8 };
  static double full[N * N], x[W], sorted[W], y[W], row[N];
  int number[N], count = 0;
  trmi_packed m;
  trmi_arena arena;
  unsigned seed = 11;
  for (int sign = -1; sign <= 1; sign += 2, count = 0) {
    make_full(N, sign, &seed, full);
    for (int e = 0; e < N * N; e++) {
      if (e / N % CLASSES != e % N % CLASSES) full[e] = 1e-14 * full[e];
    }
    for (int i = 0; i < CLASSES; i++) {
      for (int k = i; k < N; k += CLASSES) number[count++] = k;
    }
    trmi_arena_init(&arena, &(trm_allocator){0});
    const trmi_packing how = {.n = N, .is_antisymmetric = sign < 0, .number = number,
                              .zero = 1e-13};
    assert_true(trmi_packed_make(&m, full, &how, &arena));
    assert_true(m.first[SIDE_TILES] < SIDE_TILES * (SIDE_TILES + 1) / 4);
    for (int i = 0; i < N; i++) x[i] = next(&seed);
    for (int i = 0; i < N; i++) sorted[i] = x[number[i]];
    trmi_packed_multiply(&m, 1, 1, sorted, y);
    for (int i = 0; i < N; i++) {
      double sum = 0.0;
      trmi_packed_row(&m, number[i], row);
      for (int k = 0; k < N; k++) {
        const double there = full[N * number[i] + k];
        sum += there * x[k];
        assert_true(row[k] == there || (row[k] == 0.0 && fabs(there) <= how.zero));
      }
      CHECK_NEAR(y[i], sum, rounding(N), "row %d", i); /* what was left out is 1e-14 N at most */
    }
    trmi_arena_clear(&arena);
  }
}

static void combinations_match_plain_sums(void **state) {
  (void)state;
  enum { N = 45, STRIDE = 50 };
  static double C[6 * 7], A[6 * STRIDE], out[6 * STRIDE], before[6 * STRIDE];
  unsigned seed = 5;
  for (int terms = 1; terms <= 6; terms++) {
    for (int adds = 0; adds < 2; adds++) {
      for (int i = 0; i < 6 * 7; i++) C[i] = next(&seed);
      for (int i = 0; i < 6 * STRIDE; i++) A[i] = next(&seed), out[i] = before[i] = next(&seed);
      trmi_combine(N, 6, terms, adds, (trmi_long_const){C, 7}, (trmi_long_const){A, STRIDE},
                   (trmi_long_rows){out, STRIDE});
      for (int i = 0; i < 6; i++) {
        for (int j = 0; j < STRIDE; j++) {
          double sum = adds || j >= N ? before[STRIDE * i + j] : 0.0;
          for (int k = 0; k < terms && j < N; k++) sum += C[7 * i + k] * A[STRIDE * k + j];
          assert_true(out[STRIDE * i + j] == sum); /* in this order */
        }
      }
    }
  }
}

static void dots_match_plain_sums(void **state) {
  (void)state;
  enum { W = 40 };
  static double A[8 * W], x[W], out[8];
  unsigned seed = 9;
  for (int i = 0; i < 8 * W; i++) A[i] = next(&seed);
  for (int i = 0; i < W; i++) x[i] = next(&seed);
  for (int rows = 1; rows <= 8; rows++) {
    trmi_combine_dots(W, rows, A, x, out);
    for (int i = 0; i < 8; i++) {
      double sum = 0.0;
      for (int j = 0; j < W && i < rows; j++) sum += A[W * i + j] * x[j];
      CHECK_NEAR(out[i], sum, rounding(W), "row %d of %d", i, rows);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_of_all_sizes_match_plain_sums),
    cmocka_unit_test(products_have_the_same_bits_in_any_company),
    cmocka_unit_test(products_have_one_order_on_every_processor),
    cmocka_unit_test(sorted_matrices_have_few_tiles_and_the_same_products),
    cmocka_unit_test(combinations_match_plain_sums),
    cmocka_unit_test(dots_match_plain_sums),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
