/* test_inertia_loads.c - modes, frequencies and stress do not depend on the place, the orientation
 * and the units of a mesh. */
#include "fem/fields.h"
#include "fem/reduction.h"
#include "unit/kit.h"
#include "unit/solids.h"

/* A mesh somewhere else: x <- scale (R x + shift), R a rotation about (1, 2, 3)/sqrt(14). */
typedef struct place {
  double angle, shift[3], scale;
} place;

static const place places[] = {{0.0, {0.0, 0.0, 0.0}, 1.0}, {0.0, {20.0, 0.0, 0.0}, 1.0},
                               {0.0, {-7.0, 13.0, 15.0}, 1.0}, {1.1, {0.0, 0.0, 0.0}, 1.0},
                               {2.0, {5.0, 12.0, -15.0}, 1.0}, {0.0, {0.0, 0.0, 0.0}, 1e3},
                               {2.0, {5.0, 12.0, -15.0}, 1e3}};

typedef struct body {
  trmi_arena      arena;
  trmi_solid_mesh mesh;
  trmi_fem        fem;
  trmi_interface  faces[2];
  trmi_reduction_def def;
  trmi_mesh_reduction out;
  double *own; /* places of the nodes in the first mesh [3 nodes] */
  double *mises; /* under the load of `spin` [points] */
  int     points;
} body;

static void turn(const place *to, const double x[3], double out[3]) {
  const double n = sqrt(14.0), e[3] = {1.0 / n, 2.0 / n, 3.0 / n};
  const double c = cos(to->angle), s = sin(to->angle);
  const double along = (e[0] * x[0] + e[1] * x[1] + e[2] * x[2]) * (1.0 - c);
  for (int d = 0; d < 3; d++) {
    const int i = (d + 1) % 3, j = (d + 2) % 3;
    out[d] = c * x[d] + s * (e[i] * x[j] - e[j] * x[i]) + along * e[d];
  }
}

/* Von Mises stress [Pa] under the static load of an angular velocity (30, 50, 70) rad/s and an
 * acceleration, both along with the mesh: modes (phi . f)/omega^2. */
static void load(body *b, const place *to) {
  const size_t size = 3 * (size_t)b->mesh.nnodes;
  const int n = b->out.arrays.n;
  double *a = TRMI_TAKE(&b->arena, double, size), *f = TRMI_TAKE(&b->arena, double, size);
  double *q = TRMI_TAKE(&b->arena, double, n);
  const double w[3] = {30.0, 50.0, 70.0}, g[3] = {3.0, -5.0, 9.0};
  trmi_stress_modes stress;
  trm_error err;
  for (int k = 0; k < b->mesh.nnodes; k++) {
    const double *x = b->own + 3 * k, wx = w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
    double one[3];
    for (int d = 0; d < 3; d++) one[d] = g[d] + w[d] * wx - x[d] * (900.0 + 2500.0 + 4900.0);
    turn(to, one, a + 3 * k);
    for (int d = 0; d < 3; d++) a[3 * k + d] *= to->scale;
  }
  trmi_fem_mass(&b->fem, 1, a, f);
  trmi_fields_dot(size, n, b->out.phi, 1, f, q);
  CHECK_OK(trmi_stress_modes_make(&b->def, n, b->out.phi, false, &b->arena, &stress, &err), err);
  b->points = stress.npoints;
  b->mises = TRMI_TAKE(&b->arena, double, stress.npoints);
  for (int p = 0; p < stress.npoints; p++) {
    double s[6] = {0.0};
    for (int i = 0; i < 6 * n; i++) {
      s[i / n] += (double)stress.sigma[6 * n * p + i] * q[i % n] / b->out.arrays.omega2[i % n];
    }
    const double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
    const double shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    b->mises[p] = sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * shear) * to->scale * to->scale;
  }
}

static void open_body(body *b, const trmi_grid_def *grid, int ninterfaces, const place *to) {
  const double unit = to->scale; /* in mm, tonnes and s for 1e3 */
  const trmi_solid_material material = {.E = 7e10 / (unit * unit), .nu = 0.33,
                                        .density = 2700.0 / (unit * unit * unit * unit)};
  trm_error err;
  *b = (body){.points = 0};
  trmi_arena_init(&b->arena, &(trm_allocator){0});
  b->mesh = solids_grid(grid, &b->arena, material);
  b->own = TRMI_TAKE(&b->arena, double, 3 * b->mesh.nnodes);
  memcpy(b->own, b->mesh.x, 3 * sizeof(double) * (size_t)b->mesh.nnodes);
  for (int i = 0; i < b->mesh.nnodes; i++) {
    double *x = b->mesh.x + 3 * i;
    turn(to, b->own + 3 * i, x);
    for (int d = 0; d < 3; d++) x[d] = unit * (x[d] + to->shift[d]);
  }
  b->fem = solids_matrices(&b->mesh, true, &b->arena);
  b->faces[0] = solids_face(&b->mesh, "XMIN", true);
  b->faces[1] = solids_face(&b->mesh, "XMAX", false);
  b->def = (trmi_reduction_def){.mesh = &b->mesh, .fem = &b->fem, .ninterfaces = ninterfaces,
                                .interfaces = b->faces, .fixed = 4, .up_to = INFINITY,
                                .inertia = true};
  CHECK_OK(trmi_reduce(&b->def, &b->arena, &b->out, &err), err);
  load(b, to);
}

/* An arm, a slender rod whose loads across it are dropped, and a block. */
static const trmi_grid_def grids[] = {
    {.shape = TRMI_GRID_BOX, .type = TRMI_C3D20, .size = {0.4, 0.05, 0.02}, .cells = {8, 1, 1}},
    {.shape = TRMI_GRID_BOX, .type = TRMI_C3D20, .size = {0.3, 0.007, 0.008}, .cells = {20, 1, 1}},
    {.shape = TRMI_GRID_BOX, .type = TRMI_C3D8I, .size = {0.2, 0.15, 0.1}, .cells = {3, 3, 2}},
};

static void modes_are_the_same_wherever_the_mesh_is(void **state) {
  (void)state;
  for (int i = 0; i < 9; i++) {
    body first, b;
    open_body(&first, &grids[i / 3], i % 3, &places[0]);
    double most = 0.0;
    for (int p = 0; p < first.points; p++) most = fmax(most, first.mises[p]);
    for (size_t k = 1; k < sizeof places / sizeof *places; k++) {
      open_body(&b, &grids[i / 3], i % 3, &places[k]);
      assert_int_equal(b.out.arrays.n, first.out.arrays.n);
      for (int j = 0; j < b.out.arrays.n; j++) {
        /* the span of fixed-interface modes is known to 1e-9 over gaps of frequencies */
        CHECK_NEAR(sqrt(b.out.arrays.omega2[j] / first.out.arrays.omega2[j]), 1.0, 1e-8,
                   "grid %d, %d interfaces, place %zu, mode %d", i / 3, i % 3, k, j + 1);
      }
      assert_int_equal(b.points, first.points);
      for (int p = 0; p < b.points; p++) {
        /* single precision; parts of many modes */
        CHECK_NEAR(b.mises[p] / most, first.mises[p] / most, 2e-6,
                   "grid %d, %d interfaces, place %zu, stress at point %d", i / 3, i % 3, k, p);
      }
      trmi_arena_clear(&b.arena);
    }
    print_message("grid %d, %d interfaces: %d modes\n", i / 3, i % 3, first.out.arrays.n);
    trmi_arena_clear(&first.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(modes_are_the_same_wherever_the_mesh_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
