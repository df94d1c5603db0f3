/* Beam element: derivatives against differences, invariance, mass, loads. Known solutions
 * are in tests/verify/test_beam_answers.c. */
#include "unit/beam_bench.h"

static void force_is_the_gradient_of_the_energy(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s, moved;
    double f[SIZE];
    make_sample(&s, n, 11);
    s.section.damping = 0.0;
    internal(&s, f, NULL, NULL);
    for (int j = 0; j < 6 * n; j++) {
      double energy[2];
      for (int side = 0; side < 2; side++) {
        moved = s;
        for (int i = 0; i < n; i++) moved.state.q[i] = moved.q[i];
        move(&moved, j, side == 0 ? -eps : eps);
        energy[side] = internal(&moved, NULL, NULL, NULL).energy;
      }
      CHECK_NEAR(f[j], (energy[1] - energy[0]) / (2.0 * eps), difference_tol, "n = %d, f[%d]", n,
                 j);
    }
  }
}

/* K with and without velocity, with and without damping. */
static void K_matches_central_differences(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    for (int variant = 0; variant < 3; variant++) {
      sample s, moved;
      double f[2][SIZE], K[SIZE * SIZE];
      make_sample(&s, n, 17 + (uint64_t)variant);
      if (variant == 1) s.section.damping = 0.0;
      if (variant == 2) s.state.v[0] = NULL;
      internal(&s, f[0], K, NULL);
      for (int j = 0; j < 6 * n; j++) {
        for (int side = 0; side < 2; side++) {
          moved = s;
          moved.beam.section = &s.section;
          for (int i = 0; i < n; i++) moved.state.q[i] = moved.q[i];
          move(&moved, j, side == 0 ? -eps : eps);
          internal(&moved, f[side], NULL, NULL);
        }
        for (int i = 0; i < 6 * n; i++) {
          CHECK_NEAR(K[i * 6 * n + j], (f[1][i] - f[0][i]) / (2.0 * eps), difference_tol,
                     "n = %d, variant %d, K[%d][%d]", n, variant, i, j);
        }
      }
    }
  }
}

static void C_matches_differences_over_velocity(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double f[2][SIZE], C[SIZE * SIZE];
    make_sample(&s, n, 23);
    internal(&s, f[0], NULL, C);
    for (int j = 0; j < 6 * n; j++) {
      const double kept = s.v[j / 6][j % 6];
      for (int side = 0; side < 2; side++) {
        s.v[j / 6][j % 6] = kept + (side == 0 ? -0.1 : 0.1);
        internal(&s, f[side], NULL, NULL);
      }
      s.v[j / 6][j % 6] = kept;
      for (int i = 0; i < 6 * n; i++) {
        /* the force is linear in v: the difference is exact up to rounding */
        CHECK_NEAR(C[i * 6 * n + j], (f[1][i] - f[0][i]) / 0.2, 1e-12, "n = %d, C[%d][%d]", n, i,
                   j);
      }
    }
  }
}

/* The tangent is symmetric but for half the skew matrix of each moment. */
static void K_is_symmetric_but_for_the_turning_axes(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double f[SIZE], K[SIZE * SIZE], S[9];
    make_sample(&s, n, 29);
    s.section.damping = 0.0;
    internal(&s, f, K, NULL);
    for (int node = 0; node < n; node++) {
      m3_skew(v3_load(f + 6 * node + 3), S);
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
          K[(6 * node + 3 + i) * 6 * n + 6 * node + 3 + j] -= 0.5 * S[3 * i + j];
        }
      }
    }
    for (int i = 0; i < 6 * n; i++) {
      for (int j = 0; j < i; j++) {
        CHECK_NEAR(K[i * 6 * n + j], K[j * 6 * n + i], 1e-12, "K[%d][%d]", i, j); /* rounding */
      }
    }
  }
}

static void rigid_motion_turns_the_forces_and_keeps_the_rest(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double f[2][SIZE], R[9], stress[2][3][6];
    make_sample(&s, n, 31);
    const trmi_beam_out before = internal(&s, f[0], NULL, NULL);
    CHECK_STATUS(trmi_beam_stress(&s.beam, &s.state, stress[0]), TRM_OK);
    move_rigidly(&s, (const double[3]){1.1, -2.0, 0.7}, (const double[3]){3.0, -1.0, 2.0}, R);
    const trmi_beam_out after = internal(&s, f[1], NULL, NULL);
    CHECK_STATUS(trmi_beam_stress(&s.beam, &s.state, stress[1]), TRM_OK);
    const double tol = 1e-12; /* rounding of numbers of size ten */
    CHECK_NEAR(after.energy, before.energy, tol, "energy");
    CHECK_NEAR(after.dissipation, before.dissipation, tol, "dissipation");
    for (int i = 0; i < n; i++) {
      double turned[3];
      v3_store(turned, m3_mul(R, v3_load(f[0] + 6 * i)));
      for (int k = 0; k < 3; k++) {
        CHECK_NEAR(f[1][6 * i + k], turned[k], tol, "force of node %d", i);
        CHECK_NEAR(f[1][6 * i + 3 + k], f[0][6 * i + 3 + k], tol, "moment of node %d", i);
      }
    }
    for (int g = 0; g < n - 1; g++) {
      for (int k = 0; k < 6; k++) CHECK_NEAR(stress[1][g][k], stress[0][g][k], tol, "stress");
    }
  }
}

/* The resultant of internal forces and their moment about the origin vanish. */
static void internal_forces_are_in_equilibrium(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double f[SIZE];
    make_sample(&s, n, 37);
    internal(&s, f, NULL, NULL);
    trmi_vec3 force = v3(0.0, 0.0, 0.0), moment = force;
    for (int i = 0; i < n; i++) {
      double R[9];
      trmi_quat_matrix(s.q[i] + 3, R);
      force = v3_add(force, v3_load(f + 6 * i));
      moment = v3_add(moment, m3_mul(R, v3_load(f + 6 * i + 3)));
      moment = v3_add(moment, v3_cross(v3_load(s.q[i]), v3_load(f + 6 * i)));
    }
    CHECK_NEAR(v3_norm(force), 0.0, 1e-12, "n = %d, force", n); /* rounding */
    CHECK_NEAR(v3_norm(moment), 0.0, 1e-12, "n = %d, moment", n);
  }
}

static void reference_is_free_of_stress_wherever_it_is_moved(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double f[SIZE], R[9];
    const double w[3] = {0.4, -0.3, 0.9};
    make_sample(&s, n, 41);
    memcpy(s.q, s.q0, sizeof s.q);
    move_rigidly(&s, (const double[3]){-2.1, 0.3, 1.4}, (const double[3]){1.0, 2.0, -3.0}, R);
    for (int i = 0; i < n; i++) { /* a rigid motion makes no viscous stress either */
      v3_store(s.v[i], v3_cross(v3_load(w), v3_load(s.q[i])));
      trmi_quat_matrix(s.q[i] + 3, R);
      v3_store(s.v[i] + 3, m3_tmul(R, v3_load(w)));
    }
    const trmi_beam_out out = internal(&s, f, NULL, NULL);
    CHECK_NEAR(out.energy, 0.0, 1e-28, "energy"); /* square of rounding */
    for (int i = 0; i < 6 * n; i++) CHECK_NEAR(f[i], 0.0, 1e-13, "f[%d]", i); /* rounding */
  }
}

/* v . f = d/dt energy + dissipation */
static void power_of_the_internal_force_is_stored_or_lost(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s, moved;
    double f[SIZE], energy[2], power = 0.0;
    make_sample(&s, n, 43);
    const trmi_beam_out out = internal(&s, f, NULL, NULL);
    for (int side = 0; side < 2; side++) {
      moved = s;
      for (int i = 0; i < n; i++) {
        double step[6];
        for (int k = 0; k < 6; k++) step[k] = (side == 0 ? -eps : eps) * s.v[i][k];
        moved.state.q[i] = moved.q[i];
        retract(moved.q[i], step);
      }
      energy[side] = internal(&moved, NULL, NULL, NULL).energy;
    }
    for (int i = 0; i < 6 * n; i++) power += f[i] * s.v[i / 6][i % 6];
    CHECK_NEAR(power, (energy[1] - energy[0]) / (2.0 * eps) + out.dissipation, difference_tol,
               "n = %d, power", n);
    assert_true(out.dissipation > 0.1);
  }
}

static void quaternion_signs_do_not_matter(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double f[2][SIZE], K[2][SIZE * SIZE];
    make_sample(&s, n, 47);
    internal(&s, f[0], K[0], NULL);
    for (int j = 0; j < 4; j++) s.q[1][3 + j] *= -1.0;
    internal(&s, f[1], K[1], NULL);
    assert_memory_equal(f[0], f[1], 6 * (size_t)n * sizeof(double));
    assert_memory_equal(K[0], K[1], 36 * (size_t)(n * n) * sizeof(double));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_is_the_gradient_of_the_energy),
      cmocka_unit_test(K_matches_central_differences),
      cmocka_unit_test(C_matches_differences_over_velocity),
      cmocka_unit_test(K_is_symmetric_but_for_the_turning_axes),
      cmocka_unit_test(rigid_motion_turns_the_forces_and_keeps_the_rest),
      cmocka_unit_test(internal_forces_are_in_equilibrium),
      cmocka_unit_test(reference_is_free_of_stress_wherever_it_is_moved),
      cmocka_unit_test(power_of_the_internal_force_is_stored_or_lost),
      cmocka_unit_test(quaternion_signs_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
