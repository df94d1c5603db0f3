/* Corrections of multipliers: their norm, and the test of their convergence. */
#include "integ/multiplier_test.h"
#include "verify/typed.h"

/* A matrix factored at the start of the four-bar, and a correction of all unknowns. */
typedef struct bench {
  typed  m;
  solver v;
  point  start;
  double correction[2 * TYPED_MAX], force[TYPED_MAX];
} bench;

static void bench_open(bench *b) {
  trm_error err;
  uint64_t seed = 5;
  *b = (bench){.m = typed_model("four-bar", NULL)};
  solver_open(&b->v, b->m.system);
  point_start(&b->start, b->m.system);
  CHECK_OK(trmi_consistent_accelerations(&b->v.c, &b->start.s, &err), err);
  for (int i = 0; i < 2 * TYPED_MAX; i++) b->correction[i] = kit_random(&seed);
}

static void bench_close(bench *b) {
  solver_close(&b->v);
  typed_close(&b->m);
}

/* G^T dlam of the present blocks. */
static void expect(const bench *b, double *force) {
  const trmi_sparse *G = &b->m.system->block[TRM_G];
  memset(force, 0, TYPED_MAX * sizeof(double));
  for (int k = 0; k < G->n; k++) {
    force[G->col[k]] += G->values[k] * b->correction[b->m.system->n.nv + G->row[k]];
  }
}

static void loads_are_those_of_the_matrix_whatever_is_evaluated_later(void **state) {
  (void)state;
  bench b;
  bench_open(&b);
  trm_system *sys = b.m.system;
  double expected[TYPED_MAX], moved[TYPED_MAX], dpi[TYPED_MAX] = {0};
  expect(&b, expected);
  dpi[5] = 0.1; /* the crank turns */
  trm_system_retract(sys, b.start.s.q, dpi, b.start.s.q);
  trm_error err;
  CHECK_OK(trmi_system_rows(sys, &b.start.s, &err), err);
  expect(&b, moved);
  trmi_multiplier_test_force(&b.v.c.project, sys, b.correction, NULL, b.force);
  double change = 0.0;
  for (int i = 0; i < sys->n.nv; i++) {
    /* rounding of sums of some numbers of size one */
    CHECK_NEAR(b.force[i], expected[i], 1e-14, "force %d", i);
    change = fmax(change, fabs(moved[i] - expected[i]));
  }
  CHECK_BETWEEN(change, 1e-3, 1.0, "what the blocks would say now");
  bench_close(&b);
}

static void loads_are_measured_by_what_they_would_move(void **state) {
  (void)state;
  bench b;
  bench_open(&b);
  trm_system *sys = b.m.system;
  const trmi_sparse *M = &sys->block[TRM_M];
  double D[TYPED_MAX] = {0}, scale[TYPED_MAX];
  for (int k = 0; k < M->n; k++) D[M->row[k]] += M->row[k] == M->col[k] ? M->values[k] : 0.0;
  for (int i = 0; i < sys->n.nv; i++) scale[i] = 2.0, b.force[i] = 6.0 * D[i];
  /* each coordinate moves by 6, three of its scales; exact but for a division */
  CHECK_NEAR(trmi_multiplier_test_square(&b.v.c.project, sys, scale, b.force), 9.0, 1e-14,
             "square");
  bench_close(&b);
}

/* How many corrections of a series are taken, the limit of positions being one. */
static int taken(double first, double ratio, double rounding) {
  trmi_multiplier_test loads = {.ratio = 0.5};
  double size = first;
  for (int k = 1; k <= 20; k++, size *= ratio) {
    if (trmi_multiplier_test_holds(&loads, size, 1.0, rounding)) return k;
  }
  return 0;
}

/* Ten may be left; r/(1-r) of a correction is expected to be. */
static void loads_hold_when_little_is_left_or_nothing_helps(void **state) {
  (void)state;
  assert_int_equal(taken(9.0, 0.1, 0.0), 1);    /* 9 left, by the ratio expected        */
  assert_int_equal(taken(11.0, 0.1, 0.0), 2);   /* 11 left; then 0.1                    */
  assert_int_equal(taken(8000.0, 0.1, 0.0), 3); /* 89 left after the second; then 9     */
  assert_int_equal(taken(20.0, 0.8, 0.0), 5);   /* 41 left after the fourth; stagnates  */
  assert_int_equal(taken(1e6, 2.0, 0.0), 5);    /* grows                                */
  assert_int_equal(taken(1e6, 0.29, 0.0), 10);  /* 20 left after the ninth; then 6      */
  assert_int_equal(taken(400.0, 2.0, 1.0), 1);  /* rounding                             */
  assert_int_equal(taken(NAN, 1.0, 1.0), 0);    /* no number is never good              */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_are_those_of_the_matrix_whatever_is_evaluated_later),
      cmocka_unit_test(loads_are_measured_by_what_they_would_move),
      cmocka_unit_test(loads_hold_when_little_is_left_or_nothing_helps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
