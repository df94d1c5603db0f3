/* test_solid_stress.c - the surface of a mesh, and stress at its nodes, for every solid element. */
#include "fem/fields.h"
#include "fem/solid_recovery.h"
#include "kit.h"
#include "unit/solids.h"

static const trmi_solid_material steel = {.E = 210.0, .nu = 0.3, .density = 1.0};

/* A box of 2 x 1 x 1, sheared. */
static trmi_solid_mesh box(trmi_solid_type type, trmi_arena *arena, double shear) {
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = type, .size = {2, 1, 1},
                             .cells = {3, 2, 2}};
  const trmi_solid_mesh mesh = solids_grid(&def, arena, steel);
  for (int i = 0; i < mesh.nnodes; i++) {
    double *x = mesh.x + 3 * i;
    x[0] += shear * x[1], x[2] += 0.5 * shear * x[0];
  }
  return mesh;
}

static const double *corner_of(const trmi_solid_mesh *mesh, const trmi_solid_surface *s, int t,
                               int k) {
  return mesh->x + 3 * s->node[s->corners[3 * t + k]];
}

/* Volume by the theorem of Gauss, and the sum of all area vectors, which is zero when the surface
 * is closed. */
static void surfaces_are_closed_and_face_outwards(void **state) {
  (void)state;
  for (int t = 0; t < TRMI_SOLID_TYPES; t++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    const trmi_solid_mesh mesh = box((trmi_solid_type)t, &arena, 0.4);
    trmi_solid_surface s;
    assert_true(trmi_solid_surface_make(&mesh, false, &arena, &s));
    double volume = 0.0, area[3] = {0.0};
    for (int i = 0; i < s.ntriangles; i++) {
      const double *a = corner_of(&mesh, &s, i, 0), *b = corner_of(&mesh, &s, i, 1);
      const double *c = corner_of(&mesh, &s, i, 2);
      for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        const double vector = 0.5 * ((b[p] - a[p]) * (c[q] - a[q]) - (b[q] - a[q]) * (c[p] - a[p]));
        area[k] += vector;
        volume += vector * a[k] / 3.0;
      }
    }
    CHECK_NEAR(volume, 2.0, 1e-12, "%s: volume", trmi_solid_infos[t].name); /* rounding */
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(area[k], 0.0, 1e-12, "%s: closed", trmi_solid_infos[t].name);
    }
    for (int p = 0; p < s.npoints; p++) {
      assert_int_equal(trmi_solid_surface_point(&s, s.node[p], s.material[p]), p);
    }
    trmi_solid_surface all;
    assert_true(trmi_solid_surface_make(&mesh, true, &arena, &all));
    assert_int_equal(all.npoints, mesh.nnodes);
    assert_true(all.npoints > s.npoints);
    trmi_arena_clear(&arena);
  }
}

/* Stress of one field at all points. */
static const float *stress_of(const trmi_solid_mesh *mesh, const trmi_solid_surface *s,
                              const double *u, trmi_arena *arena) {
  trm_error err = {.message = ""};
  float *stress = TRMI_TAKE(arena, float, 6 * s->npoints);
  const trmi_stress_fields fields = {.n = 1, .fields = u};
  CHECK_OK(trmi_solid_stress(mesh, s, &fields, arena, stress, &err), err);
  return stress;
}

/* u = H x has the stress lambda tr(H) 1 + mu (H + H^T) everywhere, also at nodes. */
static void uniform_strain_is_recovered(void **state) {
  (void)state;
  static const double H[9] = {0.3, -1.1, 0.7, 0.4, 0.9, -0.2, 1.3, 0.5, -0.8};
  static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const double mu = steel.E / 2.6, lambda = 2.0 * mu * 0.3 / 0.4, trace = H[0] + H[4] + H[8];
  for (int t = 0; t < TRMI_SOLID_TYPES; t++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    const trmi_solid_mesh mesh = box((trmi_solid_type)t, &arena, 0.4);
    trmi_solid_surface s;
    double *u = TRMI_TAKE(&arena, double, 3 * mesh.nnodes);
    assert_true(trmi_solid_surface_make(&mesh, true, &arena, &s));
    for (int i = 0; i < 3 * mesh.nnodes; i++) {
      const double *x = mesh.x + 3 * (i / 3), *row = H + 3 * (i % 3);
      u[i] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
    }
    const float *stress = stress_of(&mesh, &s, u, &arena);
    for (int i = 0; i < 6 * s.npoints; i++) {
      const int p = axes[i % 6][0], q = axes[i % 6][1];
      const double exact = mu * (H[3 * p + q] + H[3 * q + p]) + (p == q ? lambda * trace : 0.0);
      /* single precision, sums of up to 24 elements of a few hundred */
      CHECK_NEAR((double)stress[i], exact, 1e-3, "%s: stress %d", trmi_solid_infos[t].name, i % 6);
    }
    trmi_arena_clear(&arena);
  }
}

/* Pure bending, nu = 0: u = (x y, -x^2/2, 0) has xx = E y and nothing else. Elements with middle
 * nodes hold this field, C3D8I has it by its modes. */
static void bending_is_recovered(void **state) {
  (void)state;
  static const trmi_solid_type types[] = {TRMI_C3D10, TRMI_C3D8I, TRMI_C3D20, TRMI_C3D20R,
                                          TRMI_C3D15};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    const trmi_solid_mesh mesh = box(types[t], &arena, 0.0);
    trmi_solid_surface s;
    mesh.materials[0].nu = 0.0;
    double *u = TRMI_TAKE(&arena, double, 3 * mesh.nnodes);
    assert_true(trmi_solid_surface_make(&mesh, false, &arena, &s));
    for (int i = 0; i < mesh.nnodes; i++) {
      const double *x = mesh.x + 3 * i;
      u[3 * i] = x[0] * x[1], u[3 * i + 1] = -0.5 * x[0] * x[0];
    }
    const float *stress = stress_of(&mesh, &s, u, &arena);
    for (int i = 0; i < 6 * s.npoints; i++) {
      const double y = mesh.x[3 * s.node[i / 6] + 1], exact = i % 6 == 0 ? steel.E * y : 0.0;
      /* single precision of up to 210 */
      CHECK_NEAR((double)stress[i], exact, 1e-3, "%s: stress %d at y = %g",
                 trmi_solid_infos[types[t]].name, i % 6, y);
    }
    trmi_arena_clear(&arena);
  }
}

/* Two materials under the same strain: at their border each has its own stress. */
static void stress_jumps_between_materials(void **state) {
  (void)state;
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_solid_mesh mesh = box(TRMI_C3D20, &arena, 0.0);
  trmi_solid_material two[2] = {steel, steel};
  two[1].E = 2.0 * steel.E;
  mesh.materials = two, mesh.nmaterials = 2;
  for (int e = 0; e < mesh.nelements; e++) mesh.elements[e].material = e % 3 == 0 ? 1 : 0;
  trmi_solid_surface s;
  assert_true(trmi_solid_surface_make(&mesh, false, &arena, &s));
  double *u = TRMI_TAKE(&arena, double, 3 * mesh.nnodes);
  for (int i = 0; i < mesh.nnodes; i++) u[3 * i + 1] = mesh.x[3 * i]; /* shear xy */
  const float *stress = stress_of(&mesh, &s, u, &arena);
  int twice = 0;
  for (int p = 0; p < s.npoints; p++) {
    CHECK_NEAR((double)stress[6 * p + 3] / (two[s.material[p]].E / 2.6), 1.0, 1e-6, "point %d", p);
    twice += trmi_solid_surface_point(&s, s.node[p], 1 - s.material[p]) >= 0;
  }
  assert_int_equal(twice, 2 * 16); /* nodes around the section between both */
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(surfaces_are_closed_and_face_outwards),
    cmocka_unit_test(uniform_strain_is_recovered),
    cmocka_unit_test(bending_is_recovered),
    cmocka_unit_test(stress_jumps_between_materials),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
