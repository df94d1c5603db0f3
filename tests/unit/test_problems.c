/* Every built-in problem in every variant: derivatives, rates, mass, energy,
 * names, start; and what is special about one of them. */
#include "unit/problems.h"

/* Walks over all variants and a few random states of each. */
static void for_all_states(void (*check)(setup *u)) {
  for (int k = 0; k < VARIANTS; k++) {
    setup u;
    setup_open(&u, &variants[k]);
    for (int i = 0; i < STATES; i++) {
      random_state(&u, (unsigned long)(1 + i + 10 * k));
      check(&u);
    }
    setup_close(&u);
  }
}

static void check_blocks(setup *u) {
  trm_block_check worst[TRM_BLOCKS];
  trm_error err;
  CHECK_OK(trm_system_check_blocks(u->sys, &u->s, worst, &err), err);
  /* differences with a step of 6e-6: truncation and rounding 1e-10. The step of the
   * elastic coordinates of the crank is 6e-10 m, on terms that vary over .3 m: the
   * rounding is 1e-16/6e-10 of each, and they are sums of ten. */
  const double tol = u->v->speed > 1.0 ? 1e-5 : 1e-8;
  for (int b = 0; b < TRM_BLOCKS; b++) {
    CHECK_NEAR(worst[b].error, 0.0, tol, "%s: block %s (%d, %d): given %.9g, difference %.9g",
               u->name, trm_block_name((trm_block)b), worst[b].row, worst[b].col, worst[b].given,
               worst[b].difference);
  }
}

static void given_blocks_match_central_differences(void **state) {
  (void)state;
  for_all_states(check_blocks);
}

static void every_block_is_given(void **state) {
  (void)state;
  for (int k = 0; k < VARIANTS; k++) {
    setup u;
    setup_open(&u, &variants[k]);
    for (int b = 0; b < TRM_BLOCKS; b++) assert_true(u.sys->given[b]);
    setup_close(&u);
  }
}

static void check_rates(setup *u) {
  const double h = 1e-5 / u->v->speed;
  double q[MAX], plus[4][MAX], minus[4][MAX], at[4][MAX];
  trm_state moved;
  move(u, h, q, &moved);
  values(u, &moved, &(trm_values){.g = plus[0], .g_rate = plus[1], .a_rate = plus[2]});
  move(u, -h, q, &moved);
  values(u, &moved, &(trm_values){.g = minus[0], .g_rate = minus[1], .a_rate = minus[2]});
  values(u, &u->s, &(trm_values){.g_rate = at[0], .g_bias = at[1], .a_bias = at[2]});
  const int rows[3] = {u->sys->n.ng, u->sys->n.ng, u->sys->n.na};
  const char *const what[3] = {"rate", "bias", "bias of slip"};
  /* central difference: truncation 1e-10 of the third derivative, rounding 1e-11 */
  for (int k = 0; k < 3; k++) {
    const double size = pow(u->v->speed, k == 0 ? 1.0 : 2.0);
    for (int i = 0; i < rows[k]; i++) {
      CHECK_NEAR((plus[k][i] - minus[k][i]) / (2.0 * h), at[k][i], 1e-8 * (size + fabs(at[k][i])),
                 "%s: %s of row %d", u->name, what[k], i);
    }
  }
}

static void rates_are_derivatives_of_the_constraints(void **state) {
  (void)state;
  for_all_states(check_rates);
}

static void check_mass(setup *u) {
  const int n = u->sys->n.nv;
  static double M[MAX * MAX];
  memset(M, 0, sizeof M);
  add_block(u, TRM_M, M, n, false);
  /* Cholesky: all pivots positive */
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < j; i++) {
      CHECK_NEAR(M[j * n + i] - M[i * n + j], 0.0, 1e-15, "%s: symmetry (%d, %d)", u->name, i, j);
    }
  }
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) {
      for (int i = j; i < n; i++) M[i * n + j] -= M[i * n + k] * M[j * n + k];
    }
    assert_true(M[j * n + j] > 0.0);
    const double root = sqrt(M[j * n + j]);
    for (int i = j; i < n; i++) M[i * n + j] /= root;
  }
}

static void mass_is_symmetric_and_positive_definite(void **state) {
  (void)state;
  for_all_states(check_mass);
}

static void check_energy(setup *u) {
  double q[MAX], v[MAX], at[3], energy[2][3];
  trm_state moved;
  make_consistent(u);
  /* the crank vibrates with 25000 rad/s: (w h)^2 = 3e-9, elsewhere 1e-8 or less */
  const double h = u->v->speed > 1.0 ? 2e-9 : 1e-5;
  for (int side = 0; side < 2; side++) {
    const double step = side == 0 ? h : -h;
    move(u, step, q, &moved);
    for (int i = 0; i < u->sys->n.nv; i++) v[i] = u->s.v[i] + step * u->s.vd[i];
    moved.v = v;
    values(u, &moved, &(trm_values){.energy = energy[side]});
  }
  values(u, &u->s, &(trm_values){.energy = at});
  const double kinetic = (energy[0][0] - energy[1][0]) / (2.0 * h);
  const double potential = (energy[0][1] - energy[1][1]) / (2.0 * h);
  /* truncation as said, and rounding of the energy over h */
  const double tol =
      1e-7 * (fabs(kinetic) + fabs(potential)) + 1e-15 * (at[0] + fabs(at[1]) + 1.0) / h;
  CHECK_NEAR(kinetic + potential, at[2], tol, "%s: kinetic changes by %g W", u->name, kinetic);
}

static void energy_changes_by_the_power_put_in(void **state) {
  (void)state;
  for_all_states(check_energy);
}

static void check_names(const setup *u, trm_quantity list) {
  const int n = trm_system_count(u->sys, list);
  for (int i = 0; i < n; i++) {
    trm_label one, other;
    trm_system_label(u->sys, list, i, &one);
    if (one.name[0] == '\0' || one.object[0] == '\0' || strstr(one.object, "unknown '") != NULL ||
        strstr(one.object, "constraint '") != NULL) {
      fail_msg("%s: number %d of list %d has no name of its own", u->name, i, (int)list);
    }
    for (int j = 0; j < i; j++) {
      trm_system_label(u->sys, list, j, &other);
      assert_string_not_equal(one.name, other.name);
    }
  }
}

static void names_are_complete_and_unique(void **state) {
  (void)state;
  for (int k = 0; k < VARIANTS; k++) {
    setup u;
    setup_open(&u, &variants[k]);
    for (int list = TRM_Q; list <= TRM_STIFF; list++) check_names(&u, (trm_quantity)list);
    setup_close(&u);
  }
}

static void start_satisfies_the_constraints(void **state) {
  (void)state;
  for (int k = 0; k < VARIANTS; k++) {
    setup u;
    double r[3][MAX];
    setup_open(&u, &variants[k]);
    setup_start(&u);
    values(&u, &u.s, &(trm_values){.g = r[0], .g_rate = r[1], .a_rate = r[2]});
    /* rounding of positions of some metres, of velocities of 150 m/s */
    for (int i = 0; i < u.sys->n.ng; i++) {
      CHECK_NEAR(r[0][i], 0.0, 1e-15, "%s: position row %d", u.name, i);
      CHECK_NEAR(r[1][i], 0.0, 1e-13, "%s: velocity row %d", u.name, i);
    }
    for (int i = 0; i < u.sys->n.na; i++) CHECK_NEAR(r[2][i], 0.0, 1e-15, "slip row %d", i);
    setup_close(&u);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_block_is_given),
      cmocka_unit_test(given_blocks_match_central_differences),
      cmocka_unit_test(rates_are_derivatives_of_the_constraints),
      cmocka_unit_test(mass_is_symmetric_and_positive_definite),
      cmocka_unit_test(energy_changes_by_the_power_put_in),
      cmocka_unit_test(names_are_complete_and_unique),
      cmocka_unit_test(start_satisfies_the_constraints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
