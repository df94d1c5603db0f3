/* Beam element: derivatives against differences, invariance, mass, loads. Known solutions
 * are in tests/verify/test_beam_answers.c. */
#include "kit.h"
#include "flex/beam.h"
#include "math/so3.h"
#include "math/vec.h"
#include <float.h>
#include <lapacke.h>

enum { SIZE = TRMI_BEAM_SIZE };

/* An element with numbers of size one everywhere: a bent and twisted reference, a random
 * full D, and another bent and twisted pose that moves. */
typedef struct sample {
  trmi_beam_section section;
  trmi_beam beam;
  double q0[4][7], q[4][7], v[4][6];
  trmi_beam_state state;
} sample;

static void randomize(uint64_t *seed, double scale, int n, double *out) {
  for (int i = 0; i < n; i++) out[i] = scale * kit_random(seed);
}

/* x + dx, p o exp(theta) */
static void retract(double q[7], const double step[6]) {
  double turn[4];
  for (int i = 0; i < 3; i++) q[i] += step[i];
  trmi_so3_exp(step + 3, turn);
  trmi_quat_mul(q + 3, turn, q + 3);
}

/* F F^T + I with random F: symmetric and positive */
static void random_positive(uint64_t *seed, int n, double *out) {
  double F[36];
  randomize(seed, 1.0, n * n, F);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      out[n * i + j] = i == j ? 1.0 : 0.0;
      for (int k = 0; k < n; k++) out[n * i + j] += F[n * i + k] * F[n * j + k];
    }
  }
}

static void make_sample(sample *s, int n, uint64_t seed) {
  trm_error err;
  const double *q0[4];
  *s = (sample){.beam.n = n};
  random_positive(&seed, 6, s->section.D);
  random_positive(&seed, 3, s->section.J);
  s->section.mass = 1.3;
  s->section.damping = 0.3;
  for (int i = 0; i < n; i++) {
    double step[6];
    memset(s->q0[i], 0, sizeof s->q0[i]);
    s->q0[i][0] = 1.6 * i / (n - 1);
    s->q0[i][3] = 1.0;
    randomize(&seed, 0.2, 6, step);
    retract(s->q0[i], step);
    memcpy(s->q[i], s->q0[i], sizeof s->q[i]);
    randomize(&seed, 0.5, 6, step);
    retract(s->q[i], step);
    randomize(&seed, 1.0, 6, s->v[i]);
    q0[i] = s->q0[i];
    s->state.q[i] = s->q[i];
    s->state.v[i] = s->v[i];
  }
  for (int j = 0; j < 4; j++) s->q[n - 1][3 + j] *= -1.0; /* the same rotation */
  CHECK_OK(trmi_beam_setup(&s->beam, n, q0, &s->section, &err), err);
}

static trmi_beam_out internal(const sample *s, double *f, double *K, double *C) {
  trmi_beam_out out = {.f = f, .K = K, .C = C};
  CHECK_STATUS(trmi_beam_internal(&s->beam, &s->state, &out), TRM_OK);
  return out;
}

/* Node and direction of unknown j moved by eps. */
static void move(sample *s, int j, double eps) {
  double step[6] = {0.0};
  step[j % 6] = eps;
  retract(s->q[j / 6], step);
}

/* Truncation eps^2/6 times third derivatives up to 1e3, rounding 1e-15/eps times numbers of
 * size 10: both near 1e-9 at 1e-6. */
static const double eps = 1e-6, difference_tol = 2e-8;

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

/* Turn everything about the origin and shift it. */
static void move_rigidly(sample *s, const double turn[3], const double shift[3], double R[9]) {
  double p[4];
  trmi_so3_exp(turn, p);
  trmi_quat_matrix(p, R);
  for (int i = 0; i < s->beam.n; i++) {
    v3_store(s->q[i], v3_add(m3_mul(R, v3_load(s->q[i])), v3_load(shift)));
    v3_store(s->v[i], m3_mul(R, v3_load(s->v[i])));
    trmi_quat_mul(p, s->q[i] + 3, s->q[i] + 3);
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

/* a . D^-1 a */
static double compliance(const double D[36], const double a[6]) {
  double copy[36], x[6], sum = 0.0;
  memcpy(copy, D, sizeof copy);
  memcpy(x, a, sizeof x);
  assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', 6, 1, copy, 6, x, 1), 0);
  for (int i = 0; i < 6; i++) sum += a[i] * x[i];
  return sum;
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
      cmocka_unit_test(force_is_the_gradient_of_the_energy),
      cmocka_unit_test(K_matches_central_differences),
      cmocka_unit_test(C_matches_differences_over_velocity),
      cmocka_unit_test(K_is_symmetric_but_for_the_turning_axes),
      cmocka_unit_test(rigid_motion_turns_the_forces_and_keeps_the_rest),
      cmocka_unit_test(internal_forces_are_in_equilibrium),
      cmocka_unit_test(reference_is_free_of_stress_wherever_it_is_moved),
      cmocka_unit_test(power_of_the_internal_force_is_stored_or_lost),
      cmocka_unit_test(quaternion_signs_do_not_matter),
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
