/* Order of elimination: a permutation that keeps the rule for constraints, fills
 * nothing in trees of joints, and needs no pivoting. */
#include "linalg/order.h"
#include "unit/kit.h"

enum { BODIES = 24, JOINTS = 2 * BODIES, NODES = BODIES + JOINTS, N = 6 * NODES };

/* Bodies first, then joints. A joint ties bodies `end`; -1 is ground. */
typedef struct mechanism {
  uint64_t seed;
  int nbody, njoint, n;
  int size[NODES];
  int end[JOINTS][2];
  int first[NODES + 1];
  unsigned char is_constraint[NODES];
  int Ap[N + 1], *Ai;  /* pattern                 */
  double *A;           /* numbers, row by row     */
  int order[NODES], place[NODES];
} mechanism;

static void add_joint(mechanism *m, int a, int b, int rows) {
  m->size[m->nbody + m->njoint] = rows;
  m->end[m->njoint][0] = a;
  m->end[m->njoint++][1] = b;
}

static void put(mechanism *m, int i, int j, double value) {
  m->A[(size_t)i * (size_t)m->n + (size_t)j] = value;
}

static double at(const mechanism *m, int i, int j) {
  return m->A[(size_t)i * (size_t)m->n + (size_t)j];
}

/* Positive definite blocks of bodies, random rows of joints on their bodies. */
static void fill_numbers(mechanism *m) {
  for (int b = 0; b < m->nbody; b++) {
    for (int i = m->first[b]; i < m->first[b + 1]; i++) {
      for (int j = m->first[b]; j < i; j++) {
        const double value = 0.3 * kit_random(&m->seed);
        put(m, i, j, value);
        put(m, j, i, value);
      }
      put(m, i, i, 2.0);
    }
  }
  for (int k = 0; k < m->njoint; k++) {
    for (int e = 0; e < 2; e++) {
      const int b = m->end[k][e], joint = m->nbody + k;
      if (b < 0) continue;
      for (int i = m->first[joint]; i < m->first[joint + 1]; i++) {
        for (int j = m->first[b]; j < m->first[b + 1]; j++) {
          const double value = kit_random(&m->seed);
          put(m, i, j, value);
          put(m, j, i, value);
        }
      }
    }
  }
}

/* Numbers, pattern and order of a mechanism whose bodies and joints are listed. */
static void find_order(mechanism *m) {
  trm_error err;
  const trm_allocator allocator = {0};
  const int count = m->nbody + m->njoint;
  for (int a = 0; a < count; a++) {
    m->first[a + 1] = m->first[a] + m->size[a];
    m->is_constraint[a] = a >= m->nbody;
  }
  m->n = m->first[count];
  m->A = calloc((size_t)m->n * (size_t)m->n, sizeof(double));
  m->Ai = malloc((size_t)m->n * (size_t)m->n * sizeof(int));
  assert_true(m->A != NULL && m->Ai != NULL);
  fill_numbers(m);
  int entries = 0;
  for (int j = 0; j < m->n; j++) {
    for (int i = 0; i < m->n; i++) {
      if (at(m, i, j) != 0.0) m->Ai[entries++] = i;
    }
    m->Ap[j + 1] = entries;
  }
  const trmi_node_list nodes = {.count = count, .first = m->first,
                                .is_constraint = m->is_constraint};
  CHECK_OK(trmi_order_find(&nodes, m->Ap, m->Ai, m->order, &allocator, &err), err);
}

static void release(mechanism *m) {
  free(m->A);
  free(m->Ai);
}

static void check_permutation(mechanism *m) {
  const int count = m->nbody + m->njoint;
  for (int a = 0; a < count; a++) m->place[a] = -1;
  for (int k = 0; k < count; k++) {
    assert_true(m->order[k] >= 0 && m->order[k] < count);
    assert_int_equal(m->place[m->order[k]], -1);
    m->place[m->order[k]] = k;
  }
}

/* Is `to` reached from `from` (bodies, or nbody for ground) without joint `cut`? */
static bool is_connected(const mechanism *m, int from, int to, int cut) {
  bool seen[BODIES + 1] = {false}, grown = true;
  seen[from] = true;
  while (grown) {
    grown = false;
    for (int k = 0; k < m->njoint; k++) {
      const int a = m->end[k][0] < 0 ? m->nbody : m->end[k][0];
      const int b = m->end[k][1] < 0 ? m->nbody : m->end[k][1];
      if (k == cut || seen[a] == seen[b]) continue;
      seen[a] = seen[b] = grown = true;
    }
  }
  return seen[to];
}

/* A bridge waits for the body away from ground (either one, where there is no ground);
 * any other joint for all its bodies. */
static void check_rule(const mechanism *m) {
  for (int k = 0; k < m->njoint; k++) {
    const int joint = m->place[m->nbody + k], a = m->end[k][0], b = m->end[k][1];
    const int va = a < 0 ? m->nbody : a, vb = b < 0 ? m->nbody : b;
    const bool a_gone = a < 0 || m->place[a] < joint, b_gone = b < 0 || m->place[b] < joint;
    if (is_connected(m, va, vb, k)) {
      assert_true(a_gone && b_gone);
    } else if (is_connected(m, va, m->nbody, k)) {
      assert_true(b_gone);
    } else if (is_connected(m, vb, m->nbody, k)) {
      assert_true(a_gone);
    } else {
      assert_true(a_gone || b_gone);
    }
  }
}

/* LU without pivoting in that order; returns the smallest pivot beside its row. The
 * factors stand in LU in the new order, `unknown` says who is who. */
static double factor(const mechanism *m, double *LU, int *unknown, int *entries) {
  const size_t n = (size_t)m->n;
  int count = 0;
  for (int k = 0; k < m->nbody + m->njoint; k++) {
    for (int i = m->first[m->order[k]]; i < m->first[m->order[k] + 1]; i++) unknown[count++] = i;
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) LU[i * n + j] = at(m, unknown[i], unknown[j]);
  }
  double smallest = INFINITY;
  for (size_t k = 0; k < n; k++) {
    double largest = 0.0;
    for (size_t j = k; j < n; j++) largest = fmax(largest, fabs(LU[k * n + j]));
    smallest = fmin(smallest, fabs(LU[k * n + k]) / largest);
    for (size_t i = k + 1; i < n; i++) {
      if (LU[i * n + k] == 0.0) continue;
      const double f = LU[i * n + k] /= LU[k * n + k];
      for (size_t j = k + 1; j < n; j++) LU[i * n + j] -= f * LU[k * n + j];
    }
  }
  *entries = 0;
  for (size_t k = 0; k < n * n; k++) *entries += LU[k] != 0.0;
  return smallest;
}

/* Largest error of a solution with all ones, solved with the factors. */
static double solve_ones(const mechanism *m, const double *LU, const int *unknown) {
  const size_t n = (size_t)m->n;
  double *b = calloc(n, sizeof(double)), worst = 0.0;
  assert_non_null(b);
  for (size_t i = 0; i < n; i++) {
    for (int j = 0; j < m->n; j++) b[i] += at(m, unknown[i], j);
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) b[i] -= LU[i * n + j] * b[j];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) b[i] -= LU[i * n + j] * b[j];
    b[i] /= LU[i * n + i];
    if (!(fabs(b[i] - 1.0) <= worst)) worst = fabs(b[i] - 1.0);
  }
  free(b);
  return worst;
}

static void check_elimination(const mechanism *m, bool without_fill) {
  const size_t n = (size_t)m->n;
  double *LU = malloc(n * n * sizeof(double));
  int *unknown = malloc(n * sizeof(int)), entries = 0;
  assert_true(LU != NULL && unknown != NULL);
  const double smallest = factor(m, LU, unknown, &entries);
  /* random rows: now and then two are nearly parallel, which costs digits but not
   * the solution; without the rule a pivot is zero or rounding */
  CHECK_BETWEEN(smallest, 1e-7, 1.0, "pivot beside its row, %d bodies %d joints", m->nbody,
                m->njoint);
  CHECK_NEAR(solve_ones(m, LU, unknown), 0.0, 1e-6, "solution with such pivots");
  if (without_fill) {
    int given = 0;
    /* blocks of constraints fill themselves: rows x rows each, and no other place */
    for (int k = 0; k < m->njoint; k++) given += m->size[m->nbody + k] * m->size[m->nbody + k];
    assert_int_equal(entries, m->Ap[m->n] + given);
  }
  free(LU);
  free(unknown);
}

static void check_all(mechanism *m, bool is_tree) {
  find_order(m);
  check_permutation(m);
  check_rule(m);
  check_elimination(m, is_tree);
  release(m);
}

static void chains_go_from_the_tip_without_fill(void **unused) {
  (void)unused;
  for (int links = 1; links <= BODIES; links++) {
    mechanism m = {.seed = (uint64_t)links, .nbody = links};
    for (int b = 0; b < links; b++) m.size[b] = 6;
    for (int b = 0; b < links; b++) add_joint(&m, b - 1, b, 5);
    find_order(&m);
    for (int k = 0; k < links; k++) {
      assert_int_equal(m.order[2 * k], links - 1 - k);             /* body */
      assert_int_equal(m.order[2 * k + 1], links + links - 1 - k); /* its joint */
    }
    release(&m);
    m.njoint = 0;
    for (int b = 0; b < links; b++) add_joint(&m, b - 1, b, 5);
    check_all(&m, true);
  }
}

static void random_tree(mechanism *m, int least_rows) {
  m->nbody = 1 + kit_below(&m->seed, BODIES);
  for (int b = 0; b < m->nbody; b++) m->size[b] = 6;
  for (int b = 0; b < m->nbody; b++) {
    const int rows = least_rows + kit_below(&m->seed, 6 - least_rows);
    add_joint(m, kit_below(&m->seed, b + 1) - 1, b, rows);
  }
}

/* Four rows are more than half of a body: a leaf, then its joint, weigh less than any
 * body with two joints. */
static void trees_of_stiff_joints_are_eliminated_without_fill(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    mechanism m = {.seed = seed};
    random_tree(&m, 4);
    check_all(&m, true);
  }
}

static void trees_of_any_joints_keep_the_rule(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    mechanism m = {.seed = seed};
    random_tree(&m, 1);
    check_all(&m, false);
  }
}

static void loops_wait_for_all_their_bodies(void **unused) {
  (void)unused;
  for (int bodies = 1; bodies <= 12; bodies++) {
    mechanism m = {.seed = (uint64_t)bodies, .nbody = bodies};
    for (int b = 0; b < bodies; b++) m.size[b] = 6;
    /* a ring over ground: from ground through all bodies and back */
    for (int b = 0; b < bodies; b++) add_joint(&m, b - 1, b, 3);
    add_joint(&m, bodies - 1, -1, 3);
    check_all(&m, false);
  }
}

/* Planar four-bars one behind the other: rod 1 on ground, coupler, rod 2 on ground,
 * and the next one on the coupler of the last. */
static void four_bars_in_a_row_keep_the_rule(void **unused) {
  (void)unused;
  mechanism m = {.seed = 5, .nbody = 18};
  for (int b = 0; b < m.nbody; b++) m.size[b] = 3;
  for (int b = 0; b < m.nbody; b += 3) {
    const int base = b == 0 ? -1 : b - 2;
    add_joint(&m, base, b, 2);
    add_joint(&m, b, b + 1, 2);
    add_joint(&m, b + 1, b + 2, 2);
    add_joint(&m, b + 2, base, 2);
  }
  check_all(&m, false);
}

/* Each body hangs on one earlier body, or on ground or nothing, and may have one joint
 * more: at most 3 + 2 rows against 6 columns of its own, so the rows are independent. */
static void random_mechanisms_keep_the_rule(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    mechanism m = {.seed = seed};
    m.nbody = 1 + kit_below(&m.seed, BODIES);
    for (int b = 0; b < m.nbody; b++) m.size[b] = 6;
    for (int b = 0; b < m.nbody; b++) {
      if (kit_below(&m.seed, 6) != 0) {
        add_joint(&m, kit_below(&m.seed, b + 1) - 1, b, 1 + kit_below(&m.seed, 3));
      }
      const int other = kit_below(&m.seed, m.nbody + 1) - 1;
      if (kit_below(&m.seed, 3) == 0 && other != b) {
        add_joint(&m, b, other, 1 + kit_below(&m.seed, 2));
      }
    }
    check_all(&m, false);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_go_from_the_tip_without_fill),
      cmocka_unit_test(trees_of_stiff_joints_are_eliminated_without_fill),
      cmocka_unit_test(trees_of_any_joints_keep_the_rule),
      cmocka_unit_test(loops_wait_for_all_their_bodies),
      cmocka_unit_test(four_bars_in_a_row_keep_the_rule),
      cmocka_unit_test(random_mechanisms_keep_the_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
