/* test_beam_loads.c - beam element: mass, loads, sections, refusals. */
#include "unit/beam_bench.h"

static void mass_is_symmetric_positive_and_complete(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double total = 0.0, share = 0.0, v[TRMI_BEAM_NODES];
    uint64_t seed = 53;
    make_sample(&s, n, 53);
    for (int i = 0; i < n; i++) {
      share += s.beam.share[i];
      for (int j = 0; j < n; j++) {
        assert_true(s.beam.mass[i][j] == s.beam.mass[j][i]);
        total += s.beam.mass[i][j];
      }
    }
    CHECK_NEAR(total, s.section.mass * s.beam.length, 1e-14, "n = %d, mass", n); /* rounding */
    CHECK_NEAR(share, s.beam.length, 1e-14, "n = %d, shares", n);                /* rounding */
    for (int k = 0; k < 100; k++) {
      double energy = 0.0;
      randomize(&seed, 1.0, n, v);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) energy += v[i] * s.beam.mass[i][j] * v[j];
      }
      assert_true(energy > 0.0);
    }
  }
}

/* Integrals of N_i N_j of a straight element with equidistant nodes, fractions of its length. */
static void mass_of_a_straight_element_is_integrated_exactly(void **state) {
  (void)state;
  static const double want[3][4] = {/* first row */
                                    {1.0 / 3.0, 1.0 / 6.0},
                                    {2.0 / 15.0, 1.0 / 15.0, -1.0 / 30.0},
                                    {8.0 / 105.0, 33.0 / 560.0, -3.0 / 140.0, 19.0 / 1680.0}};
  for (int n = 2; n <= 4; n++) {
    trm_error err;
    const trmi_beam_section section = {.mass = 1.0};
    double q0[4][7] = {{0.0}};
    for (int i = 0; i < n; i++) q0[i][0] = 2.5 * i / (n - 1), q0[i][3] = 1.0;
    const double *const nodes[4] = {q0[0], q0[1], q0[2], q0[3]};
    trmi_beam beam;
    CHECK_OK(trmi_beam_setup(&beam, n, nodes, &section, &err), err);
    CHECK_NEAR(beam.length, 2.5, 1e-15, "length"); /* rounding */
    for (int j = 0; j < n; j++) {
      CHECK_NEAR(beam.mass[0][j], 2.5 * want[n - 2][j], 1e-15, "n = %d, mass[0][%d]", n, j);
    }
  }
}

static void load_tangents_match_central_differences(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double Q[2][SIZE], Q_q[SIZE * SIZE] = {0.0};
    const trmi_beam_loads loads = {.dead_force = {0.3, -0.2, 0.9},
                                   .follower_force = {-0.4, 0.8, 0.5},
                                   .dead_moment = {0.7, 0.1, -0.6},
                                   .follower_moment = {0.2, -0.9, 0.4}};
    make_sample(&s, n, 59);
    CHECK_STATUS(trmi_beam_load(&s.beam, &s.state, &loads, Q[0], Q_q), TRM_OK);
    for (int j = 0; j < 6 * n; j++) {
      for (int side = 0; side < 2; side++) {
        sample moved = s;
        for (int i = 0; i < n; i++) moved.state.q[i] = moved.q[i];
        move(&moved, j, side == 0 ? -eps : eps);
        memset(Q[side], 0, sizeof Q[side]);
        CHECK_STATUS(trmi_beam_load(&moved.beam, &moved.state, &loads, Q[side], NULL), TRM_OK);
      }
      for (int i = 0; i < 6 * n; i++) {
        CHECK_NEAR(Q_q[i * 6 * n + j], (Q[1][i] - Q[0][i]) / (2.0 * eps), difference_tol,
                   "n = %d, Q_q[%d][%d]", n, i, j);
      }
    }
  }
}

/* Resultant and moment about the origin of loads on the deformed element: the dead ones are
 * load times length; the follower force is compared with its integral over the line. */
static void loads_have_their_resultants(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double Q[SIZE] = {0.0};
    const trmi_beam_loads loads = {.dead_force = {0.3, -0.2, 0.9}, .dead_moment = {0.7, 0.1, -0.6}};
    make_sample(&s, n, 61);
    CHECK_STATUS(trmi_beam_load(&s.beam, &s.state, &loads, Q, NULL), TRM_OK);
    for (int k = 0; k < 3; k++) {
      double force = 0.0, moment = 0.0, length = 0.0;
      for (int g = 0; g < n - 1; g++) length += s.beam.point[g].ds;
      for (int i = 0; i < n; i++) {
        double R[9];
        trmi_quat_matrix(s.q[i] + 3, R);
        force += Q[6 * i + k];
        moment += v3_dot(m3_row(R, k), v3_load(Q + 6 * i + 3));
      }
      /* rounding */
      CHECK_NEAR(force, loads.dead_force[k] * s.beam.length, 1e-14, "force, n = %d", n);
      CHECK_NEAR(moment, loads.dead_moment[k] * length, 1e-14, "moment, n = %d", n);
    }
  }
}

/* A rigid turn is a section-wise turn: virtual work of follower loads in a straight element. */
static void follower_loads_turn_with_the_section(void **state) {
  (void)state;
  sample s;
  double Q[SIZE] = {0.0}, R[9];
  const trmi_beam_loads loads = {.follower_force = {0.0, 2.0, 0.0},
                                 .follower_moment = {0.0, 0.0, 3.0}};
  make_sample(&s, 3, 67);
  for (int i = 0; i < 3; i++) { /* straight, along the second axis of the ground */
    const double straight[7] = {0.0, 0.8 * i, 0.0, sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
    memcpy(s.q[i], straight, sizeof straight);
  }
  CHECK_STATUS(trmi_beam_load(&s.beam, &s.state, &loads, Q, NULL), TRM_OK);
  trmi_quat_matrix(s.q[0] + 3, R);
  for (int i = 0; i < 3; i++) {
    double share = 0.0;
    for (int g = 0; g < 2; g++) share += s.beam.point[g].ds * s.beam.point[g].N[i];
    CHECK_NEAR(Q[6 * i], -2.0 * share, 1e-15, "force of node %d", i); /* rounding */
    CHECK_NEAR(Q[6 * i + 5], 3.0 * share, 1e-15, "moment of node %d", i);
  }
}

/* Section forces carry the forces on the nodes, the energy and the dissipation. */
static void section_forces_belong_to_force_and_energy(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    double f[SIZE], resting[3][6], moving[3][6], energy = 0.0, lost = 0.0;
    make_sample(&s, n, 79);
    const trmi_beam_out out = internal(&s, f, NULL, NULL);
    CHECK_STATUS(trmi_beam_stress(&s.beam, &s.state, moving), TRM_OK);
    s.state.v[0] = NULL;
    CHECK_STATUS(trmi_beam_stress(&s.beam, &s.state, resting), TRM_OK);
    for (int g = 0; g < n - 1; g++) {
      const trmi_beam_shape *shape = &s.beam.point[g];
      double x[3], p[4], R[9], viscous[6];
      for (int i = 0; i < 6; i++) viscous[i] = moving[g][i] - resting[g][i];
      energy += 0.5 * shape->ds * compliance(s.section.D, resting[g]);
      lost += shape->ds * compliance(s.section.D, viscous) / s.section.damping;
      CHECK_STATUS(trmi_beam_at(&s.beam, &s.state, trmi_beam_point_place(n, g), x, p), TRM_OK);
      trmi_quat_matrix(p, R);
      const trmi_vec3 force = m3_mul(R, v3_load(moving[g]));
      for (int i = 0; i < n; i++) {
        v3_accumulate(f + 6 * i, v3_scale(-shape->ds * shape->dN[i], force));
      }
    }
    const double tol = 1e-12; /* rounding of numbers of size ten */
    CHECK_NEAR(energy, out.energy, tol, "n = %d, energy", n);
    CHECK_NEAR(lost, out.dissipation, tol, "n = %d, dissipation", n);
    for (int i = 0; i < n; i++) CHECK_NEAR(v3_norm(v3_load(f + 6 * i)), 0.0, tol, "node %d", i);
  }
}

static void sections_between_nodes_pass_through_the_nodes(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    make_sample(&s, n, 71);
    for (int i = 0; i < n; i++) {
      double x[3], p[4];
      CHECK_STATUS(trmi_beam_at(&s.beam, &s.state, (double)i / (n - 1), x, p), TRM_OK);
      const double *q = s.q[i] + 3;
      for (int k = 0; k < 3; k++) CHECK_NEAR(x[k], s.q[i][k], 1e-15, "x"); /* rounding */
      const double cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
      CHECK_NEAR(fabs(cosine), 1.0, 4.0 * DBL_EPSILON, "rotation of node %d", i); /* rounding */
    }
  }
}

static void bad_elements_and_poses_are_refused(void **state) {
  (void)state;
  sample s;
  trm_error err;
  double f[SIZE];
  const double half[6] = {0.0, 0.0, 0.0, 3.1, 0.0, 0.0};
  trmi_beam_out out = {.f = f};
  make_sample(&s, 3, 73);
  const double *const nodes[4] = {s.q0[0], s.q0[1], s.q0[2], s.q0[2]};
  const double *const same[4] = {s.q0[0], s.q0[0], s.q0[0], s.q0[0]};
  trmi_beam beam;
  CHECK_STATUS(trmi_beam_setup(&beam, 1, nodes, &s.section, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trmi_beam_setup(&beam, 5, nodes, &s.section, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trmi_beam_setup(&beam, 2, same, &s.section, &err), TRM_ERR_INPUT);
  memcpy(s.q[2], s.q[1], sizeof s.q[2]);
  retract(s.q[2], half);
  CHECK_STATUS(trmi_beam_internal(&s.beam, &s.state, &out), TRM_RETRY_DOMAIN);
  s.q[2][4] = NAN;
  CHECK_STATUS(trmi_beam_internal(&s.beam, &s.state, &out), TRM_RETRY_DOMAIN);
  const double *const turned[4] = {s.q0[0], s.q0[1]};
  retract(s.q0[1], half);
  CHECK_STATUS(trmi_beam_setup(&beam, 2, turned, &s.section, &err), TRM_ERR_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_is_symmetric_positive_and_complete),
      cmocka_unit_test(mass_of_a_straight_element_is_integrated_exactly),
      cmocka_unit_test(load_tangents_match_central_differences),
      cmocka_unit_test(loads_have_their_resultants),
      cmocka_unit_test(follower_loads_turn_with_the_section),
      cmocka_unit_test(section_forces_belong_to_force_and_energy),
      cmocka_unit_test(sections_between_nodes_pass_through_the_nodes),
      cmocka_unit_test(bad_elements_and_poses_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
