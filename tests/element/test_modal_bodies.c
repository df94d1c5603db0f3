/* test_modal_bodies.c - modal bodies of elements/flex against sums over points (the body of
 * modal_body.h), blocks and markers against differences. */
#include "element/modal_body.h"
#include "elements/flex/modal_body.h"
#include "elements/joint/links.h"

/* The sample with modes of mass one that do not couple, as a reduction gives them. */
static modal normal_sample(void) {
  modal b = sample();
  for (int k = 0; k < MODES; k++) {
    for (int j = 0; j <= k; j++) { /* Gram and Schmidt, then the length */
      double product = 0.0;
      for (int i = 0; i < POINTS; i++) {
        product += b.mass[i] * v3_dot(b.points[i].phi[j], b.points[i].phi[k]);
      }
      for (int i = 0; i < POINTS; i++) {
        trmi_vec3 *phi = b.points[i].phi;
        phi[k] = j < k ? v3_sub(phi[k], v3_scale(product, phi[j]))
                       : v3_scale(1.0 / sqrt(product), phi[k]);
      }
    }
    b.own[k] = 0.0;
  }
  b.nmarkers = 0;
  return b;
}

/* Its arrays; numbers of the first three markers' shapes are free. */
typedef struct arrays_of_points {
  trmi_modal_arrays    arrays;
  double               D[3 * MODES], L[9 * MODES], N[6][MODES * MODES], F[2][6 * MODES];
  double               Kg[6 * MODES * MODES], H[2][6 * MODES * MODES];
  trmi_modal_interface interfaces[2];
} arrays_of_points;

static void sum_points(const modal *b, arrays_of_points *out) {
  static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  memset(out, 0, sizeof *out);
  trmi_modal_arrays *a = &out->arrays;
  for (int i = 0; i < POINTS; i++) {
    const double m = b->mass[i];
    double s[3], phi[MODES][3];
    v3_store(s, b->points[i].s);
    for (int k = 0; k < MODES; k++) v3_store(phi[k], b->points[i].phi[k]);
    a->mass += m;
    for (int p = 0; p < 3; p++) {
      a->mc[p] += m * s[p];
      for (int k = 0; k < MODES; k++) out->D[MODES * p + k] += m * phi[k][p];
      for (int q = 0; q < 3; q++) {
        a->Sigma[3 * p + q] += m * s[p] * s[q];
        for (int k = 0; k < MODES; k++) out->L[MODES * (3 * p + q) + k] += m * s[p] * phi[k][q];
      }
    }
    for (int e = 0; e < 6 * MODES * MODES; e++) {
      const int *pair = pairs[e / (MODES * MODES)], j = e / MODES % MODES, k = e % MODES;
      out->N[e / (MODES * MODES)][MODES * j + k] += m * phi[j][pair[0]] * phi[k][pair[1]];
    }
  }
  a->n = MODES;
  a->omega2 = b->k, a->D = out->D, a->L = out->L;
  for (int k = 0; k < 6; k++) a->N[k] = out->N[k];
  a->ninterfaces = 2, a->interfaces = out->interfaces;
  uint64_t seed = 5;
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 6 * MODES; k++) out->F[i][k] = kit_random(&seed);
    out->interfaces[i] = (trmi_modal_interface){
        .name = "face", .at = {0.8 - i, 0.2, 0.1}, .F = out->F[i], .S = out->F[i] + 3 * MODES};
  }
}

/* Six symmetric matrices. */
static void fill_symmetric(double *out, double size, uint64_t *seed) {
  for (int k = 0; k < 6; k++, out += MODES * MODES) {
    for (int i = 0; i < MODES; i++) {
      for (int j = 0; j <= i; j++) {
        out[MODES * i + j] = out[MODES * j + i] = size * kit_random(seed);
      }
    }
  }
}

/* Geometric stiffness as large as all else. */
static void stiffen(arrays_of_points *out) {
  uint64_t seed = 77;
  fill_symmetric(out->Kg, 0.1, &seed);
  out->arrays.Kg = out->Kg;
  for (int i = 0; i < 2; i++) {
    fill_symmetric(out->H[i], 1.0, &seed);
    out->interfaces[i].H = out->H[i];
  }
}

/* A body in an assembly. @return its first carrier */
static int add_arrays(assembled *m, const arrays_of_points *like, const double *damping,
                      const modal *at) {
  trmi_modal_bodies *all = trmi_modal_bodies_create(m->a, m->carriers, 1, gravity);
  assert_non_null(all);
  const trmi_modal_part part = {
      .arrays = &like->arrays, .damping = damping, .q0 = at->q0, .v0 = at->v0,
      .q = assembled_claim(m, TRM_Q, "modal", 7 + MODES),
      .v = assembled_claim(m, TRM_V, "modal", 6 + MODES)};
  trmi_assembly_rotation(m->a, part.v + 3);
  const int carrier = trmi_modal_bodies_add(all, &part);
  assert_true(carrier > 0);
  return carrier;
}

static const double undamped[MODES] = {0.0, 0.0}, some_damping[MODES] = {0.02, 0.07};

static void motion_and_energy_are_sums_over_points(void **state) {
  (void)state;
  const modal points = normal_sample();
  arrays_of_points sums;
  sum_points(&points, &sums);
  assembled m[2] = {assembled_open("points", gravity), assembled_open("arrays", gravity)};
  (void)add_modal(&m[0], &points);
  (void)add_arrays(&m[1], &sums, undamped, &points);
  uint64_t seed = 11;
  for (int k = 0; k < 2; k++) assembled_close(&m[k]);
  for (int round = 0; round < 5; round++) {
    trmi_arena arena;
    trm_error err = {.message = ""};
    trmi_arena_init(&arena, &m[0].system->arena.allocator);
    const trm_state s = assembled_state(&m[0], &arena, &seed);
    double motion[2][N], energy[2][3];
    for (int k = 0; k < 2; k++) {
      const trm_values values = {.motion = motion[k], .energy = energy[k]};
      CHECK_OK(trm_system_values(m[k].system, &s, &values, &err), err);
    }
    /* rounding: sums of products of size one to a hundred */
    for (int i = 0; i < N; i++) CHECK_NEAR(motion[1][i], motion[0][i], 1e-12, "row %d", i);
    for (int i = 0; i < 3; i++) CHECK_NEAR(energy[1][i], energy[0][i], 1e-12, "energy %d", i);
    trmi_arena_clear(&arena);
  }
  for (int k = 0; k < 2; k++) trm_system_free(m[k].system);
}

static void add_hinge(assembled *m, trmi_links *links, int A, int B) {
  static const trmi_row rows[] = {{.kind = TRMI_ROW_POINT}, {.kind = TRMI_ROW_DOT, .a = 0, .b = 2},
                                  {.kind = TRMI_ROW_DOT, .a = 1, .b = 2}};
  trmi_link link = {.rows = rows, .nrows = 3, .s_a = {0.2, 0.1, -0.3}, .s_b = {0.05, -0.2, 0.1}};
  memcpy(link.E_a, identity, sizeof identity);
  memcpy(link.E_b, identity, sizeof identity);
  link.m_a[0] = link.m_b[0] = 1.0;
  trmi_links_add(links, &link, A, B, assembled_claim(m, TRM_LAM, "row", 5), "joint");
}

/* All blocks, rates and biases of rows on markers that bend and turn by large angles. */
static void check_differences(const arrays_of_points *sums) {
  const modal points = normal_sample();
  for (int k = 0; k < 3; k++) {
    assembled m = assembled_open("modal", gravity);
    const int rigid = assembled_body(&m, "rigid", 2.0, J_rigid, (double[]){1, 0.5, 0, 1, 0, 0, 0},
                                     NULL);
    const int first = add_arrays(&m, sums, some_damping, &points);
    trmi_links *links = trmi_links_create(m.a, m.carriers, ASSEMBLED_LINKS);
    assert_non_null(links);
    if (k > 0) add_hinge(&m, links, k == 1 ? 0 : first + 1, first);
    if (k > 0) add_hinge(&m, links, first + 1, rigid);
    assembled_close(&m);
    uint64_t seed = (uint64_t)(3 + k);
    for (int round = 0; round < 3; round++) {
      trmi_arena arena;
      trmi_arena_init(&arena, &m.system->arena.allocator);
      const trm_state s = assembled_state(&m, &arena, &seed);
      assembled_check_blocks(&m, &s);
      assembled_check_rates(&m, &s);
      trmi_arena_clear(&arena);
    }
    trm_system_free(m.system);
  }
}

static void blocks_and_markers_match_differences(void **state) {
  (void)state;
  const modal points = normal_sample();
  arrays_of_points sums;
  sum_points(&points, &sums);
  check_differences(&sums);
}

/* With Kg in the inertia and markers of second order in the modes. */
static void blocks_and_markers_of_stiffened_bodies_match_differences(void **state) {
  (void)state;
  const modal points = normal_sample();
  arrays_of_points sums;
  sum_points(&points, &sums);
  stiffen(&sums);
  check_differences(&sums);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(motion_and_energy_are_sums_over_points),
    cmocka_unit_test(blocks_and_markers_match_differences),
    cmocka_unit_test(blocks_and_markers_of_stiffened_bodies_match_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
