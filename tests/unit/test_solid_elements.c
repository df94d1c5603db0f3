/* test_solid_elements.c - patch test, rigid motion, mass and inertia of every solid element, meshes
 * made by the program, and sentences on bad meshes. */
#include "kit.h"
#include "unit/solids.h"

static const trmi_solid_material soft = {.E = 1.0, .nu = 0.3, .density = 1.0};

/* Cells of a cube whose inner corners are moved; edges stay straight. */
static trmi_solid_mesh distorted(trmi_solid_type type, trmi_arena *arena, bool *is_inner) {
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = type, .size = {1, 1, 1},
                             .cells = {3, 3, 3}};
  trmi_solid_mesh mesh = solids_grid(&def, arena, soft);
  const trmi_solid_info *info = &trmi_solid_infos[type];
  bool *is_corner = TRMI_TAKE(arena, bool, mesh.nnodes);
  uint64_t seed = 7;
  for (int i = 0; i < mesh.nconnections; i++) {
    if (i % info->nodes < info->corners) is_corner[mesh.connections[i]] = true;
  }
  for (int i = 0; i < mesh.nnodes; i++) {
    is_inner[i] = true;
    for (int k = 0; k < 3; k++) {
      is_inner[i] = is_inner[i] && mesh.x[3 * i + k] > 1e-9 && mesh.x[3 * i + k] < 1.0 - 1e-9;
    }
    for (int k = 0; k < 3 && is_inner[i] && is_corner[i]; k++) {
      mesh.x[3 * i + k] += 0.06 * kit_random(&seed);
    }
  }
  for (int e = 0; e < mesh.nelements; e++) {
    const int *nodes = mesh.connections + mesh.elements[e].first;
    for (int k = info->corners; k < info->nodes; k++) {
      const int *edge = info->edges[k - info->corners];
      for (int d = 0; d < 3; d++) {
        mesh.x[3 * nodes[k] + d] = 0.5 * (mesh.x[3 * nodes[edge[0]] + d] +
                                          mesh.x[3 * nodes[edge[1]] + d]);
      }
    }
  }
  return mesh;
}

static double largest(const double *x, size_t n) {
  double most = 0.0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* A linear field needs no force inside; a rotation and a translation need none at all. */
static void every_element_passes_the_patch_test(void **state) {
  (void)state;
  static const double H[9] = {0.3, -1.1, 0.7, 0.4, 0.9, -0.2, 1.3, 0.5, -0.8};
  static const double turn[9] = {0, -0.3, 0.7, 0.3, 0, -0.2, -0.7, 0.2, 0};
  for (int t = 0; t < TRMI_SOLID_TYPES; t++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    bool is_inner[2000];
    const trmi_solid_mesh mesh = distorted((trmi_solid_type)t, &arena, is_inner);
    assert_true(mesh.nnodes < 2000);
    const trmi_fem fem = solids_matrices(&mesh, true, &arena);
    double *u = TRMI_TAKE(&arena, double, 6 * mesh.nnodes);
    double *f = TRMI_TAKE(&arena, double, 6 * mesh.nnodes), *v = u + 3 * mesh.nnodes;
    for (int i = 0; i < 3 * mesh.nnodes; i++) {
      const double *x = mesh.x + 3 * (i / 3);
      u[i] = H[3 * (i % 3)] * x[0] + H[3 * (i % 3) + 1] * x[1] + H[3 * (i % 3) + 2] * x[2];
      v[i] = turn[3 * (i % 3)] * x[0] + turn[3 * (i % 3) + 1] * x[1] +
             turn[3 * (i % 3) + 2] * x[2] + 0.5;
    }
    trmi_fem_stiffness(&fem, 2, u, f);
    const double scale = largest(fem.K, 9 * (size_t)fem.first[fem.n]);
    double inner = 0.0;
    for (int i = 0; i < 3 * mesh.nnodes; i++) {
      if (is_inner[i / 3]) inner = fmax(inner, fabs(f[i]));
    }
    /* rounding of sums of a few hundred products */
    CHECK_NEAR(inner / scale, 0.0, 1e-12, "%s: forces inside", trmi_solid_infos[t].name);
    CHECK_NEAR(largest(f + 3 * mesh.nnodes, 3 * (size_t)mesh.nnodes) / scale, 0.0, 1e-12,
               "%s: forces of a rigid motion", trmi_solid_infos[t].name);
    trmi_arena_clear(&arena);
  }
}

/* Of a cube that is sheared: x = u + v/2, y = v, z = w + u/4 has the volume of the cube and
 * int x^2 = 1/3 + 1/4 + 1/12, int x y = 1/4 + 1/6. The rules are exact where J is constant. */
static void mass_and_moments_are_those_of_the_body(void **state) {
  (void)state;
  for (int t = 0; t < TRMI_SOLID_TYPES; t++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = (trmi_solid_type)t,
                               .size = {1, 1, 1}, .cells = {2, 3, 2}};
    const trmi_solid_mesh mesh = solids_grid(&def, &arena, soft);
    double *u = TRMI_TAKE(&arena, double, 3 * mesh.nnodes);
    double *f = TRMI_TAKE(&arena, double, 3 * mesh.nnodes);
    double mass = 0.0, centre = 0.0, moment = 0.0, product = 0.0;
    for (int i = 0; i < mesh.nnodes; i++) {
      mesh.x[3 * i + 2] += 0.25 * mesh.x[3 * i];
      mesh.x[3 * i] += 0.5 * mesh.x[3 * i + 1];
      u[3 * i] = 1.0, u[3 * i + 1] = mesh.x[3 * i], u[3 * i + 2] = mesh.x[3 * i + 1];
    }
    const trmi_fem fem = solids_matrices(&mesh, true, &arena);
    trmi_fem_mass(&fem, 1, u, f); /* of the fields 1, x, y */
    for (int i = 0; i < mesh.nnodes; i++) {
      mass += f[3 * i];
      centre += f[3 * i + 1];
      moment += mesh.x[3 * i] * f[3 * i + 1];
      product += mesh.x[3 * i] * f[3 * i + 2];
    }
    const char *name = trmi_solid_infos[t].name;
    /* rounding of a sum over all nodes */
    CHECK_NEAR(mass, 1.0, 1e-13, "%s: mass", name);
    CHECK_NEAR(centre, 0.75, 1e-13, "%s: int x", name);
    CHECK_NEAR(moment, 1.0 / 3.0 + 1.0 / 4.0 + 1.0 / 12.0, 1e-13, "%s: int x^2", name);
    CHECK_NEAR(product, 1.0 / 4.0 + 1.0 / 6.0, 1e-13, "%s: int x y", name);
    trmi_arena_clear(&arena);
  }
}

/* Volumes: a rod of n cells across has a polygon or curved edges for a circle. */
static void generated_shapes_have_their_volume(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  const trmi_grid_def rod = {.shape = TRMI_GRID_ROD, .type = TRMI_C3D20, .size = {0.5, 0.1},
                             .cells = {4, 8, 8}};
  const trmi_grid_def tube = {.shape = TRMI_GRID_TUBE, .type = TRMI_C3D20, .size = {0.5, 0.1, 0.08},
                              .cells = {4, 1, 24}};
  const trmi_grid_def frame = {.shape = TRMI_GRID_FRAME, .type = TRMI_C3D8I, .size = {2.0, 0.8},
                               .tube = {0.06, 0.1, 0.01}, .cells = {3, 2, 4}};
  /* two rails, four cross members between them */
  const double section = 0.06 * 0.1 - 0.04 * 0.08, length = 2 * 2.0 + 4 * (0.8 - 2 * 0.06);
  const double volumes[] = {0.5 * pi * 0.01 / 4.0, 0.5 * pi * (0.01 - 0.0064) / 4.0,
                            section * length};
  const trmi_grid_def *const list[] = {&rod, &tube, &frame};
  for (int i = 0; i < 3; i++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    const trmi_solid_mesh mesh = solids_grid(list[i], &arena, soft);
    const trmi_fem fem = solids_matrices(&mesh, true, &arena);
    double mass = 0.0;
    for (int e = 0; e < fem.first[fem.n]; e++) mass += fem.m[e];
    for (int e = 0; e < fem.first[fem.n]; e++) mass += fem.m[e];
    for (int k = 0; k < fem.n; k++) mass -= fem.m[fem.first[k + 1] - 1];
    /* parabolas through points of a circle: h^4/1000 of the angle h to a cell; a frame: rounding */
    CHECK_NEAR(mass / volumes[i], 1.0, i < 2 ? 1e-4 : 1e-12, "volume of shape %d", i);
    int part[20000];
    assert_true(mesh.nnodes < 20000);
    assert_int_equal(trmi_fem_parts(&fem, part), 1);
    assert_non_null(trmi_solid_mesh_set(&mesh, "xmax", false));
    trmi_arena_clear(&arena);
  }
}

/* An element that is inside out is named. */
static void distorted_elements_are_named(void **state) {
  (void)state;
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D8I, .size = {1, 1, 1},
                             .cells = {3, 1, 1}};
  trmi_solid_mesh mesh = solids_grid(&def, &arena, soft);
  const int a = mesh.connections[mesh.elements[1].first];
  mesh.x[3 * a] = 0.9; /* beyond the next corner */
  char fault[TRMI_SOLID_FAULT];
  trmi_fem fem;
  assert_false(trmi_fem_assemble(&mesh, true, &arena, NULL, &fem, fault));
  assert_non_null(strstr(fault, "2 (C3D8I)"));
  assert_non_null(strstr(fault, "det J"));
  trmi_arena_clear(&arena);
}

static void impossible_grids_are_refused(void **state) {
  (void)state;
  const trmi_grid_def bad[] = {
    {.shape = TRMI_GRID_BOX, .type = TRMI_C3D4, .size = {1, 0, 1}, .cells = {1, 1, 1}},
    {.shape = TRMI_GRID_BOX, .type = TRMI_C3D4, .size = {1, 1, NAN}, .cells = {1, 1, 1}},
    {.shape = TRMI_GRID_ROD, .type = TRMI_C3D4, .size = {1, 1}, .cells = {1, 0, 1}},
    {.shape = TRMI_GRID_TUBE, .type = TRMI_C3D4, .size = {1, 1, 1}, .cells = {1, 1, 8}},
    {.shape = TRMI_GRID_TUBE, .type = TRMI_C3D4, .size = {1, 2, 1}, .cells = {1, 1, 2}},
    {.shape = TRMI_GRID_BOX, .type = TRMI_C3D4, .size = {1, 1, 1}, .cells = {2000000, 2000, 2000}},
    {.shape = TRMI_GRID_FRAME, .type = TRMI_C3D4, .size = {1, 1}, .tube = {0.1, 0.1, 0.05},
     .cells = {1, 1, 1}},
    {.shape = TRMI_GRID_FRAME, .type = TRMI_C3D4, .size = {1, 0.2}, .tube = {0.1, 0.1, 0.01},
     .cells = {1, 1, 1}},
    {.shape = TRMI_GRID_FRAME, .type = TRMI_C3D4, .size = {1, 1}, .tube = {0.1, 0.1, 0.01},
     .cells = {9, 1, 1}},
    {.shape = TRMI_GRID_FRAME, .type = TRMI_C3D4, .size = {1e9, 1}, .tube = {0.1, 0.1, 0.01},
     .cells = {2000, 2000000, 1}},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char fault[TRMI_SOLID_FAULT] = "";
    trmi_solid_draft draft;
    trmi_solid_draft_init(&draft, NULL);
    assert_false(trmi_solid_grid(&bad[i], &draft, fault));
    assert_true(fault[0] != '\0');
    trmi_solid_draft_free(&draft);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_element_passes_the_patch_test),
    cmocka_unit_test(mass_and_moments_are_those_of_the_body),
    cmocka_unit_test(generated_shapes_have_their_volume),
    cmocka_unit_test(distorted_elements_are_named),
    cmocka_unit_test(impossible_grids_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
