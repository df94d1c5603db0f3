/* test_reduction.c - fixed-interface frequencies against CalculiX, modes against the full mesh,
 * rigid and averaging interfaces, inertia arrays against sums over nodes, bad interfaces. */
#include "fem/block_lanczos.h"
#include "fem/fields.h"
#include "fem/reduction.h"
#include "unit/kit.h"
#include "unit/solids.h"

static const trmi_solid_material aluminium = {.E = 7e10, .nu = 0.33, .density = 2700.0};
static const trmi_solid_material steel = {.E = 2.1e11, .nu = 0.3, .density = 7850.0};

/* The reference block: tapered, twisted and bent. */
static void warp(const trmi_solid_mesh *mesh) {
  for (int i = 0; i < mesh->nnodes; i++) {
    double *x = mesh->x + 3 * i;
    const double s = 1.0 - 0.4 * x[0] / 0.3, angle = 0.8 * x[0] / 0.3;
    const double y = s * (x[1] - 0.02), z = s * (x[2] - 0.015);
    x[1] = cos(angle) * y - sin(angle) * z + 0.3 * x[0] * x[0];
    x[2] = sin(angle) * y + cos(angle) * z;
  }
}

/* Frequencies of the clamped block, exact mass, from the prototype; with the points of the
 * stiffness for the mass they are those of CalculiX to 3e-7 (NUMERICS-modal, M2). */
static void frequencies_of_the_clamped_block_are_known(void **state) {
  (void)state;
  static const struct {
    trmi_solid_type type;
    int    cells[3];
    double f[6], tolerance; /* 1e-5, or the last digit */
  } list[] = {
    {TRMI_C3D4, {12, 4, 3}, {508.72, 600.58, 2343.7, 2713.9, 5225.6, 5701.1}, 2.2e-5},
    {TRMI_C3D10, {8, 3, 3}, {338.014, 442.639, 1534.33, 1939.04, 3372.27, 3809.86}, 1e-5},
    {TRMI_C3D8I, {12, 4, 3}, {338.082, 443.075, 1553.60, 1966.10, 3455.43, 3943.08}, 1e-5},
    {TRMI_C3D20, {8, 3, 3}, {337.153, 441.518, 1527.55, 1930.25, 3353.37, 3779.96}, 1e-5},
    {TRMI_C3D20R, {8, 3, 3}, {335.753, 439.684, 1518.00, 1919.56, 3347.21, 3745.18}, 1e-5},
    {TRMI_C3D15, {8, 3, 3}, {336.729, 441.605, 1523.96, 1933.04, 3354.33, 3764.28}, 1e-5},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = list[i].type,
                               .size = {0.3, 0.04, 0.03},
                               .cells = {list[i].cells[0], list[i].cells[1], list[i].cells[2]}};
    const trmi_solid_mesh mesh = solids_grid(&def, &arena, aluminium);
    warp(&mesh);
    trmi_fem fem = solids_matrices(&mesh, true, &arena);
    const trmi_interface root = solids_face(&mesh, "XMIN", true);
    trmi_support *support = NULL;
    trmi_fixed_modes modes;
    trm_error err;
    CHECK_OK(trmi_support_create(&mesh, &fem, 1, &root, &arena, &support, &err), err);
    const trmi_fixed_modes_def wanted = {.support = support, .fem = &fem, .wanted = 6,
                                         .limit = INFINITY};
    CHECK_OK(trmi_block_lanczos(&wanted, &arena, &modes, &err), err);
    assert_int_equal(modes.count, 6);
    for (int k = 0; k < 6; k++) {
      const double f = sqrt(modes.omega2[k]) / (2.0 * 3.14159265358979323846);
      CHECK_NEAR(f / list[i].f[k], 1.0, list[i].tolerance, "%s, frequency %d",
                 trmi_solid_infos[list[i].type].name, k + 1);
    }
    trmi_support_free(support);
    trmi_arena_clear(&arena);
  }
}

/* A bar and its reduction. */
typedef struct bar {
  trmi_arena      arena;
  trmi_solid_mesh mesh;
  trmi_fem        fem;
  trmi_interface  faces[2];
} bar;

static void open_bar(bar *b, const trmi_grid_def *def, trmi_solid_material material,
                     const bool is_rigid[2]) {
  trmi_arena_init(&b->arena, &(trm_allocator){0});
  b->mesh = solids_grid(def, &b->arena, material);
  b->fem = solids_matrices(&b->mesh, true, &b->arena);
  b->faces[0] = solids_face(&b->mesh, "XMIN", is_rigid[0]);
  b->faces[1] = solids_face(&b->mesh, "XMAX", is_rigid[1]);
}

static trmi_mesh_reduction reduce_bar(bar *b, int fixed) {
  const trmi_reduction_def def = {.mesh = &b->mesh, .fem = &b->fem, .ninterfaces = 2,
                                  .interfaces = b->faces, .fixed = fixed, .up_to = INFINITY,
                                  .inertia = true};
  trmi_mesh_reduction out;
  trm_error err;
  CHECK_OK(trmi_reduce(&def, &b->arena, &out, &err), err);
  return out;
}

/* Bending of a square bar comes in pairs: 1 and 2, 3 and 4. One of a pair alone is told. */
static void a_pair_that_is_cut_is_told(void **state) {
  (void)state;
  static const struct {
    int  fixed;
    bool is_square, is_cut;
  } list[] = {{1, true, true}, {2, true, false}, {3, true, true}, {1, false, false},
              {3, false, false}};
  static const bool both[2] = {true, true};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D20,
                               .size = {0.5, 0.02, list[i].is_square ? 0.02 : 0.021},
                               .cells = {6, 1, 1}};
    bar b;
    open_bar(&b, &def, steel, both);
    assert_true(reduce_bar(&b, list[i].fixed).is_pair_cut == list[i].is_cut);
    trmi_arena_clear(&b.arena);
  }
}

static const bool kinds[3][2] = {{true, true}, {false, false}, {true, false}};

/* Displacement of face 1 under unit loads on it while face 0 is held, [6 6] of rigid motion and
 * modes: (W, G0^T; G0, 0) (y, lam) = (G1^T, 0), C = G1 y. */
static void modal_compliance(const trmi_mesh_reduction *r, trmi_arena *arena, double *C) {
  const int n = r->arrays.n, all = 6 + n + 6;
  double *A = TRMI_TAKE(arena, double, all * all), *right = TRMI_TAKE(arena, double, 6 * all);
  double *G[2];
  trm_error err;
  for (int i = 0; i < 2; i++) {
    const trmi_modal_interface *at = &r->arrays.interfaces[i];
    G[i] = TRMI_TAKE(arena, double, 6 * (6 + n));
    for (int k = 0; k < 6; k++) {
      G[i][(6 + n) * k + k] = 1.0;
      for (int j = 0; j < n; j++) G[i][(6 + n) * k + 6 + j] = at->F[n * k + j];
    }
    const double skew[9] = {0, at->at[2], -at->at[1], -at->at[2], 0, at->at[0],
                            at->at[1], -at->at[0], 0};
    for (int k = 0; k < 9; k++) G[i][(6 + n) * (k / 3) + 3 + k % 3] = skew[k];
  }
  for (int j = 0; j < n; j++) A[(all + 1) * (6 + j)] = r->arrays.omega2[j];
  for (int k = 0; k < 6; k++) {
    for (int j = 0; j < 6 + n; j++) {
      A[all * (6 + n + k) + j] = A[all * j + 6 + n + k] = G[0][(6 + n) * k + j];
      right[all * k + j] = G[1][(6 + n) * k + j];
    }
  }
  CHECK_OK(trmi_fields_solve(arena, all, A, 6, right, &err), err);
  for (int i = 0; i < 36; i++) {
    C[i] = 0.0;
    for (int j = 0; j < 6 + n; j++) C[i] += G[1][(6 + n) * (i / 6) + j] * right[all * (i % 6) + j];
  }
}

/* The same of the whole mesh: the inverse of the stiffness of face 1, psi^T K psi with the
 * constraint modes psi of that face. */
static void mesh_compliance(bar *b, double *C) {
  trmi_support *support = NULL;
  const size_t size = 3 * (size_t)b->mesh.nnodes;
  double *psi = TRMI_TAKE(&b->arena, double, 12 * size);
  double *K = TRMI_TAKE(&b->arena, double, 6 * size), stiffness[36];
  trm_error err;
  CHECK_OK(trmi_support_create(&b->mesh, &b->fem, 2, b->faces, &b->arena, &support, &err), err);
  CHECK_OK(trmi_support_constraint_modes(support, psi, &err), err);
  trmi_fem_stiffness(&b->fem, 6, psi + 6 * size, K);
  trmi_fields_dot(size, 6, psi + 6 * size, 6, K, stiffness);
  for (int i = 0; i < 36; i++) C[i] = i % 7 == 0;
  CHECK_OK(trmi_fields_solve(&b->arena, 6, stiffness, 6, C, &err), err);
  trmi_support_free(support);
}

static void static_compliance_is_that_of_the_mesh(void **state) {
  (void)state;
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D20, .size = {0.2, 0.03, 0.02},
                             .cells = {8, 2, 2}};
  for (int kind = 0; kind < 3; kind++) {
    for (int fixed = 1; fixed <= 9; fixed += 8) {
      bar b;
      double C[36], exact[36], most = 0.0;
      open_bar(&b, &def, steel, kinds[kind]);
      const trmi_mesh_reduction r = reduce_bar(&b, fixed);
      modal_compliance(&r, &b.arena, C);
      mesh_compliance(&b, exact);
      for (int i = 0; i < 36; i++) most = fmax(most, fabs(exact[i]));
      for (int i = 0; i < 36; i++) { /* rounding of the stiffness: condition 1e7 */
        CHECK_NEAR(C[i] / most, exact[i] / most, 1e-8, "kinds %d, %d fixed modes, entry %d", kind,
                   fixed, i);
      }
      trmi_arena_clear(&b.arena);
    }
  }
}

/* Mean axes, mass-normal modes, K phi = omega^2 M phi within the span of the modes. */
static void modes_are_normal_and_in_mean_axes(void **state) {
  (void)state;
  const trmi_grid_def def = {.shape = TRMI_GRID_TUBE, .type = TRMI_C3D20R,
                             .size = {0.3, 0.04, 0.03}, .cells = {6, 1, 8}};
  for (int kind = 0; kind < 3; kind++) {
    bar b;
    open_bar(&b, &def, steel, kinds[kind]);
    const trmi_mesh_reduction r = reduce_bar(&b, 10);
    const trmi_modal_arrays *a = &r.arrays;
    const int n = a->n;
    assert_int_equal(n + 6 + r.ndropped, 12 + 10 + 12);
    assert_true(r.rigid_ratio < 1e-4);
    double scale = 0.0;
    for (int i = 0; i < 9 * n; i++) scale = fmax(scale, fabs(a->L[i]));
    for (int j = 0; j < n; j++) {
      /* rounding of sums over all nodes */
      for (int p = 0; p < 3; p++) {
        CHECK_NEAR(a->D[n * p + j] / sqrt(a->mass), 0.0, 1e-12, "int phi of mode %d", j);
        for (int q = 0; q < p; q++) {
          CHECK_NEAR((a->L[n * (3 * p + q) + j] - a->L[n * (3 * q + p) + j]) / scale, 0.0, 1e-12,
                     "int s x phi of mode %d", j);
        }
      }
      for (int k = 0; k < n; k++) {
        const int e = n * j + k;
        CHECK_NEAR(a->N[0][e] + a->N[1][e] + a->N[2][e], j == k, 1e-12, "mass of modes %d %d", j,
                   k);
      }
    }
    trmi_arena_clear(&b.arena);
  }
}

/* Largest |phi(image) - sign S phi| of a mode over its largest number; the better sign. */
static double unevenness(const trmi_solid_mesh *mesh, const double *phi, int axis, double size) {
  double off[2] = {0.0, 0.0}, most = 0.0;
  for (int i = 0; i < mesh->nnodes; i++) {
    int k = 0;
    for (; k < mesh->nnodes; k++) {
      double distance = 0.0;
      for (int d = 0; d < 3; d++) {
        const double there = d == axis ? size - mesh->x[3 * i + d] : mesh->x[3 * i + d];
        distance = fmax(distance, fabs(mesh->x[3 * k + d] - there));
      }
      if (distance < 1e-9) break;
    }
    assert_true(k < mesh->nnodes);
    for (int d = 0; d < 3; d++) {
      const double here = (d == axis ? -1.0 : 1.0) * phi[3 * i + d], there = phi[3 * k + d];
      most = fmax(most, fabs(here));
      off[0] = fmax(off[0], fabs(there - here)), off[1] = fmax(off[1], fabs(there + here));
    }
  }
  return fmin(off[0], off[1]) / most;
}

/* About the planes of the mesh and of its interfaces; modes are vibrations of the span still. */
static void modes_of_a_symmetric_mesh_are_even_or_odd(void **state) {
  (void)state;
  static const int planes[3] = {3, 3, 2}; /* the last has a rigid and an averaging end */
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D20R,
                             .size = {0.3, 0.04, 0.03}, .cells = {6, 2, 2}};
  for (int kind = 0; kind < 3; kind++) {
    bar b;
    open_bar(&b, &def, steel, kinds[kind]);
    const trmi_mesh_reduction r = reduce_bar(&b, 20);
    const int n = r.arrays.n;
    const size_t size = 3 * (size_t)b.mesh.nnodes;
    double *K = TRMI_TAKE(&b.arena, double, (size_t)n * size);
    double *small = TRMI_TAKE(&b.arena, double, n * n);
    assert_int_equal(r.nplanes, planes[kind]);
    for (int j = 0; j < n; j++) {
      for (int axis = 3 - planes[kind]; axis < 3; axis++) { /* rounding of normalization */
        CHECK_NEAR(unevenness(&b.mesh, r.phi + (size_t)j * size, axis, def.size[axis]), 0.0, 1e-11,
                   "mode %d about axis %d", j, axis);
      }
    }
    trmi_fem_stiffness(&b.fem, n, r.phi, K);
    trmi_fields_dot(size, n, r.phi, n, K, small);
    for (int e = 0; e < n * n; e++) { /* rounding of K times the largest frequency */
      const double own = e % (n + 1) == 0 ? r.arrays.omega2[e / n] : 0.0;
      CHECK_NEAR((small[e] - own) / r.arrays.omega2[n - 1], 0.0, 1e-10, "entry %d", e);
    }
    for (int j = 1; j < n; j++) assert_true(r.arrays.omega2[j] >= r.arrays.omega2[j - 1]);
    trmi_arena_clear(&b.arena);
  }
}

/* Tetrahedra of a box have its nodes, but no symmetry: their modes stay as they are. */
static void a_mesh_without_symmetry_has_no_planes(void **state) {
  (void)state;
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D10,
                             .size = {0.3, 0.04, 0.03}, .cells = {6, 2, 2}};
  bar b;
  open_bar(&b, &def, steel, kinds[0]);
  assert_int_equal(reduce_bar(&b, 10).nplanes, 0);
  trmi_arena_clear(&b.arena);
}

/* Of a box from the origin: mass, int s, int s s^T in closed form. */
static void inertia_of_a_box_is_known(void **state) {
  (void)state;
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D10, .size = {0.2, 0.03, 0.02},
                             .cells = {5, 1, 1}};
  bar b;
  open_bar(&b, &def, steel, kinds[0]);
  const trmi_mesh_reduction r = reduce_bar(&b, 4);
  const double mass = 7850.0 * 0.2 * 0.03 * 0.02;
  CHECK_NEAR(r.arrays.mass / mass, 1.0, 1e-13, "mass"); /* rounding, here and below */
  for (int p = 0; p < 3; p++) {
    CHECK_NEAR(r.arrays.mc[p] / mass, 0.5 * def.size[p], 1e-13, "centre %d", p);
    for (int q = 0; q < 3; q++) {
      const double part = p == q ? 1.0 / 3.0 : 0.25;
      CHECK_NEAR(r.arrays.Sigma[3 * p + q] / mass, part * def.size[p] * def.size[q], 1e-14,
                 "moment %d %d", p, q);
    }
  }
  trmi_arena_clear(&b.arena);
}

/* Euler's beam of length l, square section: free-free beta l = 4.730041, twice. A height of l/50
 * lowers the first by 0.5 (pi h)^2/(12 l^2) (1 + ..) and rigid faces raise it: 1e-3. */
static void a_slender_bar_vibrates_as_a_beam(void **state) {
  (void)state;
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D20, .size = {1, 0.02, 0.02},
                             .cells = {20, 1, 1}};
  const trmi_solid_material thin = {.E = 7e10, .nu = 0.0, .density = 2700.0};
  bar b;
  open_bar(&b, &def, thin, kinds[0]);
  const trmi_mesh_reduction r = reduce_bar(&b, 12);
  const double beta = 4.730040744862704, EI_rhoA = 7e10 * 0.02 * 0.02 / 12.0 / 2700.0;
  for (int k = 0; k < 2; k++) { /* a double eigenvalue: both are found */
    CHECK_NEAR(sqrt(r.arrays.omega2[k] / EI_rhoA) / (beta * beta), 1.0, 2e-3, "mode %d", k);
  }
  CHECK_NEAR(r.arrays.omega2[0] / r.arrays.omega2[1], 1.0, 1e-8, "both planes"); /* Lanczos */
  trmi_arena_clear(&b.arena);
}

/* All motions of one cell: Lanczos ends when its space is exhausted, and finds each of them. */
static void all_modes_of_a_small_mesh_are_found(void **state) {
  (void)state;
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D8I, .size = {1, 1, 1},
                             .cells = {1, 1, 1}};
  bar b;
  open_bar(&b, &def, steel, kinds[0]);
  trmi_support *support = NULL;
  trmi_fixed_modes modes;
  trm_error err;
  CHECK_OK(trmi_support_create(&b.mesh, &b.fem, 1, b.faces, &b.arena, &support, &err), err);
  const trmi_fixed_modes_def wanted = {.support = support, .fem = &b.fem, .wanted = 50,
                                       .limit = INFINITY};
  CHECK_OK(trmi_block_lanczos(&wanted, &b.arena, &modes, &err), err);
  assert_int_equal(modes.count, 12);
  double K[24], M[24];
  for (int k = 0; k < 12; k++) {
    const double *phi = modes.fields + 24 * k;
    trmi_fem_stiffness(&b.fem, 1, phi, K);
    trmi_fem_mass(&b.fem, 1, phi, M);
    for (int i = 0; i < 24; i++) {
      if (b.mesh.x[i - i % 3] < 0.5) continue; /* held */
      /* rounding, of the size of the highest frequency */
      CHECK_NEAR(K[i] / modes.omega2[11], modes.omega2[k] / modes.omega2[11] * M[i], 1e-10 *
                 sqrt(7850.0), "mode %d, row %d", k, i);
    }
  }
  trmi_support_free(support);
  trmi_arena_clear(&b.arena);
}

/* Below a frequency: those and no others. */
/* Their number need not be a multiple of the block of Lanczos' method. */
static void as_many_modes_as_there_are_may_be_asked_for(void **state) {
  (void)state;
  const trmi_grid_def def = {.type = TRMI_C3D8I, .size = {0.4, 0.03, 0.02}, .cells = {8, 2, 1}};
  bar b;
  open_bar(&b, &def, steel, kinds[2]);
  assert_int_equal(reduce_bar(&b, 60).nfixed, 60);
  assert_int_equal(reduce_bar(&b, 1000).nfixed, 3 * (b.mesh.nnodes - b.faces[0].count) - 6);
  trmi_arena_clear(&b.arena);
}

static void modes_below_a_frequency_are_counted(void **state) {
  (void)state;
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D20, .size = {0.3, 0.03, 0.02},
                             .cells = {6, 1, 1}};
  bar b;
  open_bar(&b, &def, steel, kinds[0]);
  trmi_support *support = NULL;
  trmi_fixed_modes some, all;
  trm_error err;
  CHECK_OK(trmi_support_create(&b.mesh, &b.fem, 1, b.faces, &b.arena, &support, &err), err);
  const trmi_fixed_modes_def wanted = {.support = support, .fem = &b.fem, .wanted = 20,
                                       .limit = INFINITY};
  CHECK_OK(trmi_block_lanczos(&wanted, &b.arena, &all, &err), err);
  for (int k = 0; k < 19; k += 3) {
    const double limit = 0.5 * (all.omega2[k] + all.omega2[k + 1]);
    const trmi_fixed_modes_def below = {.support = support, .fem = &b.fem, .wanted = 500,
                                        .limit = limit};
    CHECK_OK(trmi_block_lanczos(&below, &b.arena, &some, &err), err);
    assert_int_equal(some.count, k + 1);
    CHECK_NEAR(some.omega2[k] / all.omega2[k], 1.0, 1e-11, "mode %d", k); /* residual squared */
  }
  trmi_support_free(support);
  trmi_arena_clear(&b.arena);
}

static void refused(bar *b, const trmi_interface *faces, int n, const char *sentence) {
  trmi_support *support = NULL;
  trm_error err = {.message = ""};
  assert_int_equal(trmi_support_create(&b->mesh, &b->fem, n, faces, &b->arena, &support, &err),
                   TRM_ERR_INPUT);
  if (strstr(err.message, sentence) == NULL) print_error("'%s'\n", err.message);
  assert_non_null(strstr(err.message, sentence));
  trmi_support_free(support);
}

static void bad_interfaces_are_named(void **state) {
  (void)state;
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D20, .size = {1, 1, 1},
                             .cells = {2, 1, 1}};
  bar b;
  open_bar(&b, &def, steel, kinds[2]);
  trmi_interface faces[2] = {b.faces[0], b.faces[1]};
  faces[1].name = "small", faces[1].nodes = faces[0].nodes;
  refused(&b, faces, 2, "interfaces 'XMIN' and 'small' share node 1");
  int line[3], n = 0;
  for (int i = 0; i < b.mesh.nnodes && n < 3; i++) {
    if (b.mesh.x[3 * i] == 1.0 && b.mesh.x[3 * i + 1] == 1.0) line[n++] = i;
  }
  faces[1].nodes = line, faces[1].count = n;
  assert_int_equal(n, 3);
  refused(&b, faces, 2, "'small' has 3 nodes, all on a line");
  faces[1].count = 2;
  refused(&b, faces, 2, "'small' has 2 nodes: it needs three");
  b.mesh.nelements = 1, b.mesh.nconnections = 20; /* the nodes of the second element are loose */
  b.fem = solids_matrices(&b.mesh, true, &b.arena);
  refused(&b, b.faces, 2, "parts that share no node");
  trmi_arena_clear(&b.arena);
}

/* Without interfaces: K phi = omega^2 M phi for the vibrations that were asked for, and the stretch
 * of a turning bar is static: it is a sum of all modes. */
static void a_body_without_interfaces_has_the_vibrations_of_the_free_mesh(void **state) {
  (void)state;
  enum { FIXED = 6 };
  const trmi_grid_def grid = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D10,
                              .size = {0.3, 0.04, 0.03}, .cells = {5, 1, 1}};
  bar b;
  trm_error err = {.message = ""};
  trmi_mesh_reduction r;
  open_bar(&b, &grid, steel, kinds[0]);
  const size_t size = 3 * (size_t)b.mesh.nnodes;
  const trmi_reduction_def def = {.mesh = &b.mesh, .fem = &b.fem, .fixed = FIXED,
                                  .up_to = INFINITY, .inertia = true};
  CHECK_OK(trmi_reduce(&def, &b.arena, &r, &err), err);
  assert_int_equal(r.nfixed, FIXED);
  assert_int_equal(r.arrays.n, FIXED + r.nstatic - r.ndropped);
  const int n = r.arrays.n;
  double *K = TRMI_TAKE(&b.arena, double, (size_t)n * size);
  double *M = TRMI_TAKE(&b.arena, double, (size_t)n * size);
  double *f = TRMI_TAKE(&b.arena, double, size), *u = TRMI_TAKE(&b.arena, double, size);
  assert_false(b.arena.failed);
  trmi_fem_stiffness(&b.fem, n, r.phi, K);
  trmi_fem_mass(&b.fem, n, r.phi, M);
  for (int k = 0; k < FIXED; k++) {
    double most = 0.0, off = 0.0;
    for (size_t i = (size_t)k * size; i < (size_t)(k + 1) * size; i++) {
      most = fmax(most, fabs(r.arrays.omega2[k] * M[i]));
      off = fmax(off, fabs(K[i] - r.arrays.omega2[k] * M[i]));
    }
    const double hertz = sqrt(r.arrays.omega2[k]) / 6.283185307179586;
    CHECK_NEAR(hertz / r.fixed[k], 1.0, 1e-9, "frequency %d", k);
    CHECK_NEAR(off / most, 0.0, 1e-6, "vibration %d, %.4g Hz", k, hertz);
  }

  /* K u = centrifugal force about the centre of mass: the best sum of modes leaves next to none */
  double *x = TRMI_TAKE(&b.arena, double, size), *Ku = TRMI_TAKE(&b.arena, double, size);
  for (int i = 0; i < b.mesh.nnodes; i++) x[3 * i] = b.mesh.x[3 * i] - 0.15;
  trmi_fem_mass(&b.fem, 1, x, f);
  for (int k = 0; k < n; k++) {
    double c = 0.0;
    for (size_t i = 0; i < size; i++) c += r.phi[(size_t)k * size + i] * f[i];
    for (size_t i = 0; i < size; i++) u[i] += c / r.arrays.omega2[k] * r.phi[(size_t)k * size + i];
  }
  double most = 0.0, off = 0.0;
  trmi_fem_stiffness(&b.fem, 1, u, Ku);
  for (size_t i = 0; i < size; i++) {
    most = fmax(most, fabs(f[i])), off = fmax(off, fabs(Ku[i] - f[i]));
  }
  CHECK_NEAR(off / most, 0.0, 1e-5, "stretch of a turning bar");
  trmi_arena_clear(&b.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(frequencies_of_the_clamped_block_are_known),
    cmocka_unit_test(static_compliance_is_that_of_the_mesh),
    cmocka_unit_test(modes_are_normal_and_in_mean_axes),
    cmocka_unit_test(modes_of_a_symmetric_mesh_are_even_or_odd),
    cmocka_unit_test(a_mesh_without_symmetry_has_no_planes),
    cmocka_unit_test(inertia_of_a_box_is_known),
    cmocka_unit_test(a_slender_bar_vibrates_as_a_beam),
    cmocka_unit_test(all_modes_of_a_small_mesh_are_found),
    cmocka_unit_test(as_many_modes_as_there_are_may_be_asked_for),
    cmocka_unit_test(modes_below_a_frequency_are_counted),
    cmocka_unit_test(a_body_without_interfaces_has_the_vibrations_of_the_free_mesh),
    cmocka_unit_test(a_pair_that_is_cut_is_told),
    cmocka_unit_test(bad_interfaces_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
