/* test_rows_patterns.c - rows of joints: forces, patterns, invariance, values by hand. */
#include "unit/row_links.h"

/* A point has three velocities, the ground none: nothing is written behind them. */
static void check_force(sample *s, const list *of) {
  (void)of;
  const trmi_link *l = &s->link;
  const trmi_pose A = pose_of(l->A, s->q, s->v);
  const trmi_pose B = pose_of(l->B, s->q + q_count(l->A), s->v + l->A);
  double on_A[6] = {0.0}, on_B[6] = {0.0};
  trmi_link_force(l, &A, &B, s->lam, on_A, on_B);
  for (int i = 0; i < 6; i++) {
    if (i >= (int)l->A) CHECK_NEAR(on_A[i], 0.0, 0.0, "%s: %d on A", s->name, i); /* untouched */
    if (i >= (int)l->B) CHECK_NEAR(on_B[i], 0.0, 0.0, "%s: %d on B", s->name, i);
  }
}

static void force_stays_within_the_velocities_of_its_sides(void **unused) {
  (void)unused;
  for_all(check_force);
}

/* Blocks write exactly the entries that are counted; all together or alone, the same bits. */
static void check_counts(sample *s, const list *of) {
  (void)of;
  enum { GUARD = 4 };
  const double guard = 12345.0;
  trm_error err;
  double all[BLOCKS][ENTRIES_MAX + 2 * GUARD], alone[ENTRIES_MAX + 2 * GUARD];
  trm_block_request together = {.y = s->lam};
  for (int k = 0; k < BLOCKS; k++) together.values[joint_blocks[k]] = all[k] + GUARD;
  for (int k = 0; k < BLOCKS; k++) {
    for (int i = 0; i < ENTRIES_MAX + 2 * GUARD; i++) all[k][i] = guard;
  }
  CHECK_OK(blocks(&s->link, &s->state, &together, &err), err);
  for (int k = 0; k < BLOCKS; k++) {
    const trm_block block = joint_blocks[k];
    const int count = trmi_link_pattern(&s->link, NULL, block, NULL);
    assert_int_equal(count, s->sys->block[block].n);
    for (int i = 0; i < ENTRIES_MAX + 2 * GUARD; i++) alone[i] = guard;
    trm_block_request one = {.y = s->lam};
    one.values[block] = alone + GUARD;
    CHECK_OK(blocks(&s->link, &s->state, &one, &err), err);
    for (int i = 0; i < ENTRIES_MAX + 2 * GUARD; i++) {
      const bool inside = i >= GUARD && i < GUARD + count;
      if ((alone[i] != guard) != inside || alone[i] != all[k][i]) {
        fail_msg("%s: %s has %d entries, number %d is %g, all together %g", s->name,
                 trm_block_name(block), count, i - GUARD, alone[i], all[k][i]);
      }
    }
  }
}

static void fill_writes_what_the_pattern_counts(void **unused) {
  (void)unused;
  for_all(check_counts);
}

static void other_blocks_have_no_entries(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  const trmi_link link = random_link(&lists[LISTS - 1], sides[0], &seed);
  assert_int_equal(trmi_link_pattern(&link, NULL, TRM_M, NULL), 0);
  assert_int_equal(trmi_link_pattern(&link, NULL, TRM_K, NULL), 0);
  assert_int_equal(trmi_link_pattern(&link, NULL, TRM_C, NULL), 0);
}

/* Counts that solvers rely on: as few as the equations allow. */
static void patterns_are_sparse(void **unused) {
  (void)unused;
  static const struct {
    const char *list;
    int G, GV_Q, GY_Q;
  } counts[] = {
      {"point", 2 * 12, 2 * 9, 2 * 9},          {"dot", 2 * 3, 2 * 3, 4 * 9},
      {"twist", 2 * 3, 2 * 3, 4 * 9},           {"along", 2 * 6, 2 * 6, 4 * 9 + 4 * 9},
      {"distance", 2 * 6, 2 * 6, 120},          {"revolute", 36, 30, 4 * 9},
      {"translational", 42, 42, 4 * 9 + 4 * 9},
  };
  uint64_t seed = 5;
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    int which = 0;
    while (strcmp(lists[which].name, counts[c].list) != 0) which++;
    const trmi_link link = random_link(&lists[which], sides[0], &seed);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_G, NULL), counts[c].G);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_GV_Q, NULL), counts[c].GV_Q);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_GB_Q, NULL), counts[c].GV_Q);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_GB_V, NULL), counts[c].GV_Q);
    assert_int_equal(trmi_link_pattern(&link, NULL, TRM_GY_Q, NULL), counts[c].GY_Q);
  }
}

static bool has_point(const list *of) {
  return of->rows[0].kind == TRMI_ROW_POINT;
}

/* Rows and the force do not see where both bodies are together; the three rows of a point and the
 * translations turn with them. */
static void rows_are_invariant_under_rigid_motion(void **unused) {
  (void)unused;
  uint64_t seed = 11;
  for (int which = 0; which < LISTS; which++) {
    sample s;
    double turned[2][4], g[2][6], rate[2][6], force[2][NV_MAX] = {{0}};
    sample_make(&s, which, 0, &seed);
    shift by = {.p = random_vector(&seed), .V = random_vector(&seed), .W = random_vector(&seed)};
    random_rotation(&seed, by.quat, by.Q);
    if (has_point(&lists[which])) by.W = v3(0.0, 0.0, 0.0); /* rates of a gap turn, too */
    const trmi_pose A = pose_of(s.link.A, s.q, s.v), B = pose_of(s.link.B, s.q + 7, s.v + 6);
    const trmi_pose A1 = shifted(&A, &by, turned[0]), B1 = shifted(&B, &by, turned[1]);
    double lam[6];
    memcpy(lam, s.lam, sizeof lam);
    if (has_point(&lists[which])) v3_store(lam, m3_mul(by.Q, v3_load(s.lam)));
    const trmi_link_place at = {0};
    trmi_link_evaluate(&s.link, &at, &A, &B, &(trmi_link_values){.g = g[0], .g_rate = rate[0]});
    trmi_link_evaluate(&s.link, &at, &A1, &B1, &(trmi_link_values){.g = g[1], .g_rate = rate[1]});
    trmi_link_force(&s.link, &A, &B, s.lam, force[0], force[0] + 6);
    trmi_link_force(&s.link, &A1, &B1, lam, force[1], force[1] + 6);

    /* what turns is turned here, the rest must be equal; rounding of numbers below ten */
    const double tol = 2e-14;
    if (has_point(&lists[which])) {
      v3_store(g[0], m3_mul(by.Q, v3_load(g[0])));
      v3_store(rate[0], m3_mul(by.Q, v3_load(rate[0])));
    }
    for (int i = 0; i < NV_MAX; i += 6) v3_store(force[0] + i, m3_mul(by.Q, v3_load(force[0] + i)));
    for (int i = 0; i < s.ng; i++) {
      CHECK_NEAR(g[1][i], g[0][i], tol, "%s: row %d", s.name, i);
      CHECK_NEAR(rate[1][i], rate[0][i], tol, "%s: rate %d", s.name, i);
    }
    for (int i = 0; i < NV_MAX; i++) {
      CHECK_NEAR(force[1][i], force[0][i], tol, "%s: force %d", s.name, i);
    }
    trm_system_free(s.sys);
  }
}

/* ---- rows by hand ----------------------------------------------------------------- */

/* B stands 3 along x of A and is turned by a quarter about z: its x axis is y of A, and its
 * quaternion (1, 0, 0, 1)/sqrt(2). */
static void rows_have_the_values_of_their_definition(void **unused) {
  (void)unused;
  const trmi_row rows[] = {{TRMI_ROW_DOT, 1, 0},
                           {TRMI_ROW_TWIST, 0, 0},
                           {TRMI_ROW_ALONG, 0, 0},
                           {TRMI_ROW_DISTANCE, 0, 0}};
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  trmi_link link = {.rows = rows,
                    .nrows = 4,
                    .A = TRMI_CARRIER_GROUND,
                    .B = TRMI_CARRIER_BODY,
                    .offset = 0.5,
                    .length = 2.0};
  memcpy(link.E_a, unit, sizeof unit);
  memcpy(link.E_b, unit, sizeof unit);
  link.m_a[0] = link.m_b[0] = 1.0;
  const trmi_pose A = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const double s = sqrt(0.5), quarter[4] = {s, 0, 0, s};
  const trmi_pose B = {.R = {0, -1, 0, 1, 0, 0, 0, 0, 1}, .x = {3.0, 0.0, 0.0}, .p = quarter};
  double g[4], motion[6] = {0};
  trmi_link_evaluate(&link, &(trmi_link_place){0}, &A, &B, &(trmi_link_values){.g = g});
  CHECK_NEAR(g[0], 1.0, 0.0, "y of A and x of B"); /* whole numbers: exact */
  CHECK_NEAR(g[1], 2.0 * s, 0.0, "twice the third part of the quaternion");
  CHECK_NEAR(g[2], 3.0 - 0.5, 0.0, "3 along x, less the offset");
  CHECK_NEAR(g[3], (9.0 - 4.0) / 4.0, 0.0, "distance 3 instead of 2");

  /* lam of ALONG pushes motion of B along x; the reaction is the opposite */
  trmi_link_force(&link, &A, &B, (const double[4]){0.0, 0.0, 2.0, 0.0}, NULL, motion);
  CHECK_NEAR(motion[0], 2.0, 0.0, "G_B^T lam");
}

/* All numbers of a link: rows, rates, force, G and GY_Q. */
typedef struct numbers {
  double g[6], rate[6], force[NV_MAX], G[ENTRIES_MAX], GY_Q[ENTRIES_MAX];
} numbers;

static void evaluate_all(const trmi_link *link, const sample *s, numbers *out) {
  const trmi_pose A = pose_of(link->A, s->q, s->v);
  const trmi_pose B = pose_of(link->B, s->q + q_count(link->A), s->v + link->A);
  const trmi_link_values values = {.g = out->g, .g_rate = out->rate, .lam = s->lam,
                                   .motion_A = out->force, .motion_B = out->force + 6};
  memset(out, 0, sizeof *out);
  trmi_link_evaluate(link, &(trmi_link_place){0}, &A, &B, &values);
  trmi_link_fill(link, &A, &B, &(trmi_link_blocks){.G = out->G, .GY_Q = out->GY_Q, .y = s->lam});
}

static void same_either_way(sample *s, const list *of) {
  trmi_link any = s->link;
  numbers short_way, general;
  any.shape = TRMI_LINK_ANY;
  evaluate_all(&s->link, s, &short_way);
  evaluate_all(&any, s, &general);
  const double *a = (const double *)&short_way, *b = (const double *)&general;
  for (size_t i = 0; i < sizeof general / sizeof *b; i++) {
    /* sums of a few products of numbers of size one, in another order */
    CHECK_NEAR(a[i], b[i], 1e-14, "%s", of->name);
  }
}

static void short_ways_of_frequent_lists_agree_with_the_general_one(void **unused) {
  (void)unused;
  int shapes[3] = {0};
  for (int which = 0; which < LISTS; which++) {
    shapes[trmi_rows_shape(lists[which].rows, lists[which].nrows)]++;
  }
  assert_int_equal(shapes[TRMI_LINK_POINT], 1);
  assert_int_equal(shapes[TRMI_LINK_HINGE], 1);
  for_all(same_either_way);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_stays_within_the_velocities_of_its_sides),
      cmocka_unit_test(fill_writes_what_the_pattern_counts),
      cmocka_unit_test(other_blocks_have_no_entries),
      cmocka_unit_test(patterns_are_sparse),
      cmocka_unit_test(rows_are_invariant_under_rigid_motion),
      cmocka_unit_test(rows_have_the_values_of_their_definition),
      cmocka_unit_test(short_ways_of_frequent_lists_agree_with_the_general_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
