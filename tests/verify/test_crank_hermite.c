/* The slider crank of the DAE alpha-method: end values, energy, frequencies. */
#include "runs.h"
#include "system/system.h"
#include <lapacke.h>

static const model crank = {"slider-crank-hermite", {{0}}};

/* Kinetic and potential; the torque has no part in it. */
static double energy(const trm_state *last) {
  trm_error err;
  trm_system *system = model_create(&crank);
  double energies[3], torque = 0.0;
  trm_state s = *last;
  s.z = &torque;
  CHECK_OK(trm_system_values(system, &s, &(trm_values){.energy = energies}, &err), err);
  trm_system_free(system);
  return energies[0] + energies[1];
}

/* Listed figures have seven digits; explicit at 1e-7 is good to ten. */
static void end_of_the_push_is_as_listed(void **state) {
  (void)state;
  const trm_options o = options_explicit(0.3, 1e-7);
  history h = run(&crank, &o, KEEP_LAST);
  const trm_state s = history_last(&h);
  CHECK_NEAR(s.q[0], 1.606556, 6e-7, "phi1 at 0.3 s");
  CHECK_NEAR(energy(&s), 0.321311, 6e-7, "energy at 0.3 s");
  /* the work of the torque is all there is */
  CHECK_NEAR(energy(&s), 0.2 * s.q[0], 1e-10, "work");
  history_free(&h);
}

static void end_of_the_run_is_as_listed(void **state) {
  (void)state;
  const trm_options o = options_explicit(1.0, 1e-6);
  history h = run(&crank, &o, KEEP_LAST);
  const trm_state s = history_last(&h);
  CHECK_NEAR(s.q[0], 8.988394, 6e-7, "phi1 at 1 s");
  CHECK_NEAR(s.q[1], -0.212938, 6e-7, "phi2 at 1 s");
  history_free(&h);
}

enum { NV = 11, NG = 2, FREE = NV - NG };

/* Dense copy of a block at the start, row major. */
static void dense(trm_system *system, const trm_state *s, trm_block block, double *out) {
  trm_error err;
  const trmi_sparse *b = &system->block[block];
  CHECK_OK(trmi_system_want(system, block, &err), err);
  CHECK_OK(trmi_system_blocks(system, s, TRMI_BIT(block), NULL, NULL, NULL, &err), err);
  memset(out, 0, (size_t)(b->rows * b->cols) * sizeof(double));
  for (int k = 0; k < b->n; k++) out[b->row[k] * b->cols + b->col[k]] += b->values[k];
}

/* N^T A N */
static void reduce(const double *N, const double *A, double *out) {
  for (int i = 0; i < FREE; i++) {
    for (int j = 0; j < FREE; j++) {
      double sum = 0.0;
      for (int k = 0; k < NV; k++) {
        for (int l = 0; l < NV; l++) sum += N[k * FREE + i] * A[k * NV + l] * N[l * FREE + j];
      }
      out[i * FREE + j] = sum;
    }
  }
}

static void frequencies_are_as_listed(void **state) {
  (void)state;
  static const double listed[] = {1408, 5273, 11849, 22846, 36246, 57234, 85730, 104134};
  trm_system *system = model_create(&crank);
  trmi_arena arena;
  trm_state s;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_state_take(system, &arena, &s);
  s.q[2] = 0.45;
  double M[NV * NV], K[NV * NV], G[NG * NV], values[FREE], Mr[FREE * FREE], Kr[FREE * FREE];
  double U[NG * NG], VT[NV * NV], sigma[NG], work[NG], N[NV * FREE];
  dense(system, &s, TRM_M, M);
  dense(system, &s, TRM_K, K);
  dense(system, &s, TRM_G, G);
  assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', NG, NV, G, NV, sigma, U, NG, VT, NV,
                                  work), 0);
  for (int i = 0; i < NV; i++) {
    for (int j = 0; j < FREE; j++) N[i * FREE + j] = VT[(NG + j) * NV + i];
  }
  reduce(N, M, Mr);
  reduce(N, K, Kr);
  assert_int_equal(LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'U', FREE, Kr, FREE, Mr, FREE, values),
                   0);
  for (int i = 0; i < FREE - 1; i++) {
    /* listed as whole numbers */
    CHECK_NEAR(sqrt(values[i + 1]), listed[i], 0.51, "frequency %d", i);
  }
  trmi_arena_clear(&arena);
  trm_system_free(system);
}

static void alpha_is_second_order(void **state) {
  (void)state;
  /* the jump of the torque excites all modes: h times 1e5 rad/s is .2 and less */
  trm_options o = options_steps(1e-3, 2e-6, 0.0);
  o.integrator = "alpha";
  check_halving("slider-crank-hermite", &crank, &o, 3, SET_Q, 1.8, 2.2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(end_of_the_push_is_as_listed),
    cmocka_unit_test(end_of_the_run_is_as_listed),
    cmocka_unit_test(frequencies_are_as_listed),
    cmocka_unit_test(alpha_is_second_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
