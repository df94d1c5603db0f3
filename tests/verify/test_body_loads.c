/* test_body_loads.c - distributed loads of flexible bodies: displacement and stress against the
 * full mesh, heat without stress and with it, derivatives, work, restarts, faults. */
#include "fem/solid_loads.h"
#include "fem/solid_recovery.h"
#include "fem/support.h"
#include "trammel/analysis.h"
#include "trammel/flexible.h"
#include "trammel/stress.h"
#include "unit/solids.h"
#include "verify/contact_runs.h"
#include "verify/mechanics.h"

#define BAR(element, nu, root, rest)                                                            \
  "trammel: 1\nflexible:\n  bar:\n"                                                             \
  "    box: {size: [0.4, 0.05, 0.04], cells: [4, 2, 2], element: " element "}\n"                \
  "    material: {E: 2e11, nu: " nu ", density: 7800, expansion: 1.2e-5}\n"                     \
  "    interfaces: {root: {nodes: XMIN, type: " root "}, tip: {nodes: XMAX, type: average}}\n"  \
  "    modes: {fixed: 3}\n    stress: {nodes: all}\n" rest
#define CLAMP "joints: {clamp: {type: fixed, bodies: [ground, bar.root]}}\n"

/* A body at rest, and its amplitudes as trm_surface_stress takes them. */
typedef struct rest {
  typed       m;
  trm_static *found;
  const trm_state *s;
  trm_flexible_surface surface;
  double      a[TYPED_MAX];
} rest;

static void rest_open(rest *r, const char *text) {
  trm_static_options options = trm_static_options_default();
  trm_error err = {.message = ""};
  *r = (rest){.m = typed_text(text, "bar", NULL)};
  CHECK_OK(trm_static_find(r->m.system, &options, &r->found, &err), err);
  r->s = trm_static_state(r->found);
  r->surface = trm_flexible_surface_at(r->m.system, 0);
  memcpy(r->a, r->s->q + 7, (size_t)r->surface.modes * sizeof *r->a);
}

static void rest_close(rest *r) {
  trm_static_free(r->found);
  typed_close(&r->m);
}

/* The same bar as elements, with static answers while XMIN is held. */
typedef struct whole {
  trmi_arena      arena;
  trmi_solid_mesh mesh;
  trmi_fem        fem;
  trmi_interface  root;
  trmi_support   *support;
  trmi_solid_surface surface;
} whole;

static void whole_open(whole *w, trmi_solid_type type, double nu) {
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = type, .size = {0.4, 0.05, 0.04},
                             .cells = {4, 2, 2}};
  const trmi_solid_material steel = {.E = 2e11, .nu = nu, .density = 7800.0, .expansion = 1.2e-5};
  trm_error err = {.message = ""};
  trmi_arena_init(&w->arena, &(trm_allocator){0});
  w->mesh = solids_grid(&def, &w->arena, steel);
  w->fem = solids_matrices(&w->mesh, true, &w->arena);
  const trmi_solid_set *nodes = trmi_solid_mesh_set(&w->mesh, "XMIN", false);
  w->root = (trmi_interface){.name = "root", .is_rigid = true, .count = nodes->count,
                             .nodes = nodes->list};
  CHECK_OK(trmi_support_create(&w->mesh, &w->fem, 1, &w->root, &w->arena, &w->support, &err), err);
  assert_true(trmi_solid_surface_make(&w->mesh, true, &w->arena, &w->surface));
}

static void whole_close(whole *w) {
  trmi_support_free(w->support);
  trmi_arena_clear(&w->arena);
}

/* Displacements u of forces, and the stress of u times `factor` at all points. */
static const float *whole_solve(whole *w, const trmi_solid_load *load, double factor, double *u) {
  trm_error err = {.message = ""};
  float *stress = TRMI_TAKE(&w->arena, float, 12 * w->surface.npoints);
  for (int i = 0; i < 3 * w->mesh.nnodes; i++) u[i] = factor * load->force[i];
  CHECK_OK(trmi_support_solve(w->support, 1, u, &err), err);
  const trmi_stress_fields fields = {.n = 1, .fields = u, .nloads = 1, .loads = load};
  CHECK_OK(trmi_solid_stress(&w->mesh, &w->surface, &fields, &w->arena, stress, &err), err);
  const int columns = trmi_stress_columns(&fields);
  for (int i = 0; i < 6 * w->surface.npoints; i++) {
    stress[i] = stress[columns * i] + (columns > 1 ? (float)factor * stress[columns * i + 1] : 0);
  }
  return stress;
}

/* Displacement of point p in ground axes: x + R (s + u) - s. */
static trmi_vec3 moved(const rest *r, int p) {
  const trmi_vec3 s = v3_load(r->surface.places + 3 * p);
  double R[9], u[3];
  trmi_quat_matrix(r->s->q + 3, R);
  trm_surface_displacement(&r->surface, p, r->a, u);
  return v3_sub(v3_add(v3_load(r->s->q), m3_mul(R, v3_add(s, v3_load(u)))), s);
}

/* All nodes move, and are stressed, as those of the full mesh. */
static void check_whole(const rest *r, const whole *w, const double *u, const float *stress,
                        const char *what) {
  double largest = 0.0, off = 0.0, hottest = 0.0, wrong = 0.0;
  assert_int_equal(r->surface.points, w->surface.npoints);
  for (int p = 0; p < r->surface.points; p++) {
    const trmi_vec3 exact = v3_load(u + 3 * w->surface.node[p]);
    double own[6];
    trm_surface_stress(&r->surface, p, r->a, own);
    largest = fmax(largest, v3_norm(exact));
    off = fmax(off, v3_norm(v3_sub(moved(r, p), exact)));
    for (int k = 0; k < 6; k++) {
      hottest = fmax(hottest, fabs((double)stress[6 * p + k]));
      wrong = fmax(wrong, fabs(own[k] - (double)stress[6 * p + k]));
    }
  }
  print_message("%s: displacement %.1e of %.2e m, stress %.1e of %.3e Pa\n", what, off / largest,
                largest, wrong / hottest, hottest);
  /* modes of displacement and stress are kept in single precision, a few dozen are summed */
  CHECK_NEAR(off / largest, 0.0, 2e-6, "%s: displacement", what);
  CHECK_NEAR(wrong / hottest, 0.0, 5e-6, "%s: stress", what);
}

/* So weak that what is of second order in its rotation, 1e-6, is below the tolerance. */
static void a_pressed_cantilever_is_that_of_the_full_mesh(void **state) {
  (void)state;
#define PRESSED(element) \
  BAR(element, "0.3", "rigid", "    loads: {wind: {pressure: 100, nodes: ZMAX}}\n" CLAMP)
  static const struct {
    trmi_solid_type type;
    const char     *text;
  } list[] = {{TRMI_C3D20, PRESSED("C3D20")}, {TRMI_C3D10, PRESSED("C3D10")},
              {TRMI_C3D15, PRESSED("C3D15")}, {TRMI_C3D8I, PRESSED("C3D8I")}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    rest r;
    whole w;
    rest_open(&r, list[i].text);
    whole_open(&w, list[i].type, 0.3);
    const trmi_solid_set *top = trmi_solid_mesh_set(&w.mesh, "ZMAX", false);
    bool *on = TRMI_TAKE(&w.arena, bool, w.mesh.nnodes);
    double *u = TRMI_TAKE(&w.arena, double, 3 * w.mesh.nnodes);
    trmi_solid_load load = {.on = on, .force = TRMI_TAKE(&w.arena, double, 3 * w.mesh.nnodes)};
    for (int k = 0; k < top->count; k++) on[top->list[k]] = true;
    assert_true(trmi_solid_press(&w.mesh, &load, &w.arena) > 0);
    double total = 0.0;
    for (int k = 0; k < w.mesh.nnodes; k++) total += load.force[3 * k + 2];
    CHECK_NEAR(total, -0.4 * 0.05, 1e-15, "force on the area");
    const float *stress = whole_solve(&w, &load, 100.0, u);
    check_whole(&r, &w, u, stress, trmi_solid_infos[list[i].type].name);
    rest_close(&r);
    whole_close(&w);
  }
}

/* Its weight needs no load: static modes of inertia loads hold that of gravity. */
static void a_heavy_cantilever_is_that_of_the_full_mesh(void **state) {
  (void)state;
  rest r;
  whole w;
  static const char text[] = BAR("C3D20", "0.3", "rigid", CLAMP "gravity: [0, 0, -0.03]\n");
  char exact[sizeof text + 20];
  const char *modes = strstr(text, "fixed: 3}");
  snprintf(exact, sizeof exact, "%.*sfixed: 3, inertia: exact%s", (int)(modes - text), text,
           modes + strlen("fixed: 3"));
  rest_open(&r, exact);
  whole_open(&w, TRMI_C3D20, 0.3);
  double *down = TRMI_TAKE(&w.arena, double, 3 * w.mesh.nnodes);
  double *u = TRMI_TAKE(&w.arena, double, 3 * w.mesh.nnodes);
  trmi_solid_load load = {.force = TRMI_TAKE(&w.arena, double, 3 * w.mesh.nnodes)};
  for (int i = 0; i < w.mesh.nnodes; i++) down[3 * i + 2] = -0.03;
  trmi_fem_mass(&w.fem, 1, down, load.force);
  const float *stress = whole_solve(&w, &load, 1.0, u);
  check_whole(&r, &w, u, stress, "weight");
  rest_close(&r);
  whole_close(&w);
}

static double largest_stress(const rest *r) {
  double most = 0.0;
  for (int p = 0; p < r->surface.points; p++) {
    double s[6];
    trm_surface_stress(&r->surface, p, r->a, s);
    for (int k = 0; k < 6; k++) most = fmax(most, fabs(s[k]));
  }
  return most;
}

/* A free body under a temperature that is linear in space has no stress: u is of second degree,
 * which these elements have but for the last two. */
static void free_expansion_has_no_stress(void **state) {
  (void)state;
#define HEATS                                                                              \
  "    loads: {even: {temperature: 50}, across: {temperature: 30, gradient: [0, 0, 25]}}\n" CLAMP
  static const char *const texts[] = {
    BAR("C3D20", "0.3", "average", HEATS),  BAR("C3D20R", "0.3", "average", HEATS),
    BAR("C3D10", "0.3", "average", HEATS),  BAR("C3D15", "0.3", "average", HEATS),
    BAR("C3D8I", "0.3", "average", HEATS),
    BAR("C3D4", "0.3", "average", "    loads: {even: {temperature: 50}}\n" CLAMP),
    BAR("C3D6", "0.3", "average", "    loads: {even: {temperature: 50}}\n" CLAMP)};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const bool has_both = strstr(texts[i], "across") != NULL;
    rest r;
    rest_open(&r, texts[i]);
    r.a[r.surface.modes] = 50.0, r.a[r.surface.modes + 1] = 30.0;
    assert_int_equal(r.surface.columns, r.surface.modes + (has_both ? 2 : 1));
    const double held = 2e11 * 1.2e-5 * 80.0 / 0.4;
    print_message("%zu: stress %.1e of that of a held body\n", i, largest_stress(&r) / held);
    /* single precision */
    CHECK_NEAR(largest_stress(&r) / held, 0.0, 3e-6, "text %zu: stress", i);
    double longer = 0.0;
    int count = 0;
    for (int p = 0; p < r.surface.points; p++) { /* at the middle of the end */
      const double *x = r.surface.places + 3 * p;
      if (x[0] < 0.4 - 1e-9 || fabs(x[1] - 0.025) > 1e-9 || fabs(x[2] - 0.02) > 1e-9) continue;
      longer += moved(&r, p).x, count++;
    }
    const double rise = has_both ? 50.0 + 30.0 * 25.0 * 0.02 : 50.0;
    /* the average of the root follows it by the bending that the gradient gives */
    CHECK_NEAR(longer / count / (0.4 * 1.2e-5 * rise), 1.0, 3e-3, "text %zu: length", i);
    rest_close(&r);
  }
}

/* Away from the clamps, which hold the section, xx = -E alpha T; so is the mean of any section,
 * since its integral over the length is that of the strain, which is zero. */
static void a_clamped_bar_is_pressed_by_heat(void **state) {
  (void)state;
  rest r;
  rest_open(&r, "trammel: 1\nflexible:\n  bar:\n"
            "    box: {size: [0.4, 0.02, 0.02], cells: [16, 2, 2]}\n"
            "    material: {E: 2e11, nu: 0, density: 7800, expansion: 1.2e-5}\n"
            "    interfaces: {root: {nodes: XMIN}, tip: {nodes: XMAX}}\n    modes: {fixed: 3}\n"
            "    stress: {nodes: all}\n    loads: {even: {temperature: 50}}\n"
            "joints: {a: {type: fixed, bodies: [ground, bar.root]}, b: {type: fixed, bodies: "
            "[ground, bar.tip]}}\noutputs: {own: bar.node9.xx, mises: bar.node9.mises, "
            "force: b.force.x}\n");
  r.a[r.surface.modes] = 50.0;
  const double expected = -2e11 * 1.2e-5 * 50.0;
  for (int p = 0; p < r.surface.points; p++) {
    double s[6];
    if (fabs(r.surface.places[3 * p] - 0.2) > 1e-9) continue;
    trm_surface_stress(&r.surface, p, r.a, s);
    /* the share of the clamps falls to 0.28 with each of the eight cells from there */
    CHECK_NEAR(s[0] / expected, 1.0, 1e-5, "stress at node %d", r.surface.numbers[p]);
  }
  double out[3];
  trm_error err = {.message = ""};
  const trm_values values = {.outputs = out};
  CHECK_OK(trm_system_values(trm_static_system(r.found), r.s, &values, &err), err);
  for (int p = 0; p < r.surface.points; p++) {
    double s[6];
    if (r.surface.numbers[p] != 9) continue;
    trm_surface_stress(&r.surface, p, r.a, s);
    CHECK_NEAR(out[0] / s[0], 1.0, 1e-12, "expression of a part");
    CHECK_NEAR(out[1] / trm_mises(s), 1.0, 1e-12, "expression of von Mises");
  }
  /* of the whole section, to the digits of the modes: 1e-9 of V^T M V is dropped */
  CHECK_NEAR(fabs(out[2]) / (0.02 * 0.02 * fabs(expected)), 1.0, 1e-6, "force on the clamp");
  rest_close(&r);
}

/* Loads of time, positions, velocities, other loads. */
#define MOVING                                                                                   \
  BAR("C3D8I", "0.3", "rigid",                                                                   \
      "    loads:\n      wind: {pressure: on*(2e4*(1 + 3*bar.tip.z)*cos(40*time) - "             \
      "1e3*bar.tip.vz), nodes: ZMAX}\n"                                                          \
      "      heat: {temperature: on*(20*sin(30*time) + 1e-3*bar.wind), gradient: [0, 0, 25]}\n"  \
      "joints: {pin: {type: revolute, bodies: [ground, bar.root], at: [0, 0, 0.02],\n"           \
      "               axis: [0, 1, 0]}}\nparameters: {on: 1}\n"                                  \
      "gravity: [0, 0, -9.81]\noutputs: {z: bar.tip.z}\nsimulate: {end: 0.05}\n")

/* A state that is turned, bent and moves; forces of modes are 10 N. */
static void disturb(const typed *m, point *p) {
  const double turn[4] = {0.95, 0.06, 0.3, -0.03};
  const int n = trm_system_count(m->system, TRM_V) - 6;
  double length = 0.0;
  point_start(p, m->system);
  p->s.t = 0.013;
  for (int k = 0; k < 4; k++) length += turn[k] * turn[k];
  for (int k = 0; k < 4; k++) p->s.q[3 + k] = turn[k] / sqrt(length);
  for (int j = 0; j < n; j++) {
    const double w = 6.283 * trm_flexible_mode_at(m->system, 0, j).frequency;
    p->s.q[7 + j] = 10.0 / (w * w) * sin(3.0 * j + 1.0), p->s.v[6 + j] = cos(2.0 * j) / w;
  }
  for (int k = 0; k < 6; k++) p->s.v[k] = 0.5 - 0.2 * k;
  for (int k = 0; k < n + 6; k++) p->s.vd[k] = sin(5.0 * k);
}

/* A block as it is given, dense. */
static void given_block(typed *m, const trm_state *s, trm_block block, double *out) {
  static double values[TYPED_MAX * TYPED_MAX];
  const trmi_sparse *S = &m->system->block[block];
  trm_error err = {.message = ""};
  trm_block_request request = {.u = s->vd, .y = s->lam, .ya = s->mu};
  assert_true(S->n <= TYPED_MAX * TYPED_MAX);
  request.values[block] = values;
  CHECK_OK(m->system->ops->blocks(m->system->self, s, &request, &err), err);
  memset(out, 0, (size_t)(S->rows * S->cols) * sizeof *out);
  for (int k = 0; k < S->n; k++) out[S->row[k] * S->cols + S->col[k]] += values[k];
}

/* Motion with loads less that without, moved along number j of positions or velocities. */
static void loads_at(typed m[2], const point *p, bool is_velocity, int j, double by, double *out) {
  const int nv = trm_system_count(m[0].system, TRM_V);
  double motion[2][TYPED_MAX], way[TYPED_MAX] = {0.0};
  static point q;
  for (int k = 0; k < 2; k++) {
    trm_error err = {.message = ""};
    const trm_values values = {.motion = motion[k]};
    point_clear(&q);
    trmi_state_copy(m[k].system, &p->s, &q.s);
    way[j] = by;
    if (is_velocity) q.s.v[j] += by;
    else trm_system_retract(m[k].system, p->s.q, way, q.s.q);
    CHECK_OK(trm_system_values(m[k].system, &q.s, &values, &err), err);
  }
  for (int i = 0; i < nv; i++) out[i] = motion[0][i] - motion[1][i];
}

/* Of the loads alone: squares of frequencies, 1e13, would hide them. */
static void derivatives_match_differences(void **state) {
  (void)state;
  typed m[2] = {typed_text(MOVING, "moving", NULL),
                typed_text(MOVING, "still", (const trm_setting[]){{"on", "0"}, {NULL, NULL}})};
  const int nv = trm_system_count(m[0].system, TRM_V);
  static double given[2][TYPED_MAX * TYPED_MAX], difference[TYPED_MAX * TYPED_MAX];
  static point p;
  for (int k = 0; k < 2; k++) disturb(&m[k], &p);
  for (int which = 0; which < 2; which++) {
    const trm_block block = which == 0 ? TRM_K : TRM_C;
    double largest = 0.0, ends[2][TYPED_MAX];
    for (int k = 0; k < 2; k++) given_block(&m[k], &p.s, block, given[k]);
    for (int j = 0; j < nv; j++) {
      /* loads are of second degree in modes; forces of 1e7 N by this step leave 1e-9/1e-6 */
      const double step = j < 6 ? 1e-5 : 1e-6;
      for (int k = 0; k < 2; k++) loads_at(m, &p, which == 1, j, k == 0 ? step : -step, ends[k]);
      for (int i = 0; i < nv; i++) {
        difference[nv * i + j] = (ends[0][i] - ends[1][i]) / (2.0 * step);
        largest = fmax(largest, fabs(difference[nv * i + j]));
      }
    }
    assert_true(largest > 10.0);
    for (int i = 0; i < nv * nv; i++) {
      CHECK_NEAR(given[0][i] - given[1][i], difference[i], 1e-6 * largest, "block %s (%d, %d)",
                 trm_block_name(block), i / nv, i % nv);
    }
  }
  typed_close(&m[0]);
  typed_close(&m[1]);
}

/* With p f at the nodes of the mesh, which are at x + R (s + u): on x R sum f, on the rotation
 * sum (s + u) x f, on mode j sum phi_j . f. */
static void loads_are_sums_over_the_nodes(void **state) {
  (void)state;
  typed m[2] = {typed_text(MOVING, "moving", NULL),
                typed_text(MOVING, "still", (const trm_setting[]){{"on", "0"}, {NULL, NULL}})};
  const trm_flexible_surface all = trm_flexible_surface_at(m[0].system, 0);
  const int n = all.modes;
  static point p;
  whole w;
  double found[TYPED_MAX], sum[TYPED_MAX] = {0.0}, force[3] = {0.0}, R[9], largest = 0.0;
  for (int k = 0; k < 2; k++) disturb(&m[k], &p);
  for (int j = 0; j < n; j++) p.s.q[7 + j] = 1e-3 * sin(3.0 * j + 1.0); /* bent by centimetres */
  p.s.t = acos(-1.0) / 60.0; /* sin(30 t) = 1 */
  loads_at(m, &p, false, 0, 0.0, found);
  whole_open(&w, TRMI_C3D8I, 0.3);
  const trmi_solid_set *top = trmi_solid_mesh_set(&w.mesh, "ZMAX", false);
  bool *on = TRMI_TAKE(&w.arena, bool, w.mesh.nnodes);
  trmi_solid_load load = {.on = on, .force = TRMI_TAKE(&w.arena, double, 3 * w.mesh.nnodes)};
  for (int k = 0; k < top->count; k++) on[top->list[k]] = true;
  assert_true(trmi_solid_press(&w.mesh, &load, &w.arena) > 0);
  trmi_quat_matrix(p.s.q + 3, R);
  for (int i = 0; i < all.points; i++) {
    const trmi_vec3 f = v3_load(load.force + 3 * trmi_solid_mesh_node(&w.mesh, all.numbers[i]));
    double u[3];
    trm_surface_displacement(&all, i, p.s.q + 7, u);
    v3_accumulate(force, f);
    v3_accumulate(sum + 3, v3_cross(v3_add(v3_load(all.places + 3 * i), v3_load(u)), f));
  }
  v3_store(sum, m3_mul(R, v3_load(force)));
  /* the pressure from the force that was found; heat has no share in these rows */
  const trmi_vec3 one = v3_load(sum);
  const double pressure = -v3_dot(v3_load(found), one) / v3_dot(one, one);
  for (int k = 0; k < 6; k++) largest = fmax(largest, fabs(pressure * sum[k]));
  assert_true(largest > 1.0);
  for (int k = 0; k < 6; k++) { /* modes of the surface are in single precision */
    CHECK_NEAR(-found[k] / largest, pressure * sum[k] / largest, 1e-6, "row %d", k);
  }
  whole_close(&w);
  typed_close(&m[0]);
  typed_close(&m[1]);
}

static void hear(void *self, double t, const char *text) {
  (void)self, (void)t, (void)text;
}

/* The balance is kept for those who listen. */
static void work_of_loads_is_counted(void **state) {
  (void)state;
  typed m = typed_text(MOVING, "moving", NULL);
  const trm_sink sink = {.message = hear};
  trm_error err = {.message = ""};
  trm_sim *sim = typed_sim(&m, "radau", 1e-9);
  CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  kit_run(sim);
  const trm_audit a = trm_sim_counters(sim)->audit;
  print_message("work of loads %.6g J, imbalance %.1e\n", a.forces, a.imbalance);
  assert_true(fabs(a.forces) > 0.1);
  CHECK_NEAR(a.imbalance / a.forces, 0.0, 1e-6, "imbalance"); /* of the quadrature of powers */
  trm_sim_free(sim);
  typed_close(&m);
}

static void a_restart_gives_the_same_bits(void **state) {
  (void)state;
  typed m = typed_text(MOVING, "moving", NULL);
  const int n = trm_system_count(m.system, TRM_Q);
  trm_sim *first = typed_sim(&m, "hht", 1e-5), *second = typed_sim(&m, "hht", 1e-5);
  trm_error err = {.message = ""};
  bool is_done = false;
  for (int i = 0; i < 20; i++) CHECK_OK(trm_sim_step(first, &is_done, &err), err);
  assert_false(is_done);
  contact_resume(first, second, n / 7);
  trm_sim_free(first);
  trm_sim_free(second);
  typed_close(&m);
}

static void bad_loads_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } list[] = {
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {pressure: 1, nodes: SIDE}}\n"),
     "load 'a': the mesh has no node set 'SIDE'; it has"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {pressure: 1, numbers: [1, 2]}}\n"),
     "load 'a': none of the faces of the mesh has all its nodes among the 2 that are chosen"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {nodes: XMAX}}\n"),
     "flexible.bar.loads.a needs one of pressure|temperature"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {pressure: 1, temperature: 1}}\n"),
     "flexible.bar.loads.a has 'pressure' and 'temperature': give one of them"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {pressure: 1}}\n"),
     "its load 'a' is a pressure and needs nodes"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {temperature: 1, nodes: XMIN}}\n"),
     "its load 'a' heats elements, not nodes"},
    {BAR("C3D20", "0.3", "rigid",
         "    loads: {a: {pressure: 1, nodes: XMIN, gradient: [1, 0, 0]}}\n"),
     "its load 'a' is a pressure: elements, gradient and at are of temperatures"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {temperature: 1, at: [0, 0, 1]}}\n"),
     "its load 'a' has `at`, which needs a `gradient`"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {mode2: {temperature: 1}}\n"),
     "its load 'mode2' has the name of a coordinate of the body"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {wz: {temperature: 1}}\n"),
     "its load 'wz' has the name of a coordinate of the body"},
    {BAR("C3D20", "0.3", "rigid",
         "    loads: {a_name_that_fills_all_room_of_a_signal_12345: {temperature: 1}}\n"),
     "has a name too long for results"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {temperature: 5 kg}}\n"), "kg"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {temperature: 1, elements: HOT}}\n"),
     "load 'a': the mesh has no element set 'HOT'"},
    {BAR("C3D20", "0.3", "rigid", "    loads: {a: {temperature: bar.node9.mises}}\n"),
     "the value of load 'a' of flexible body 'bar' needs the load itself"},
    {"trammel: 1\nflexible:\n  bar:\n    box: {size: [1, 1, 1], cells: [1, 1, 1]}\n"
     "    material: {E: 1e9, nu: 0, density: 1e3}\n    loads: {a: {temperature: 1}}\n",
     "load 'a' heats element 1, whose material has no `expansion`"},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    trm_error err = {.message = ""};
    trm_model *model = NULL;
    trm_system *system = NULL;
    trm_status status = trm_model_read_stored(list[i].text, "bad", NULL, 0, NULL, &model, &err);
    if (status == TRM_OK) status = trm_model_create_system(model, NULL, &system, &err);
    assert_int_equal(status, TRM_ERR_INPUT);
    if (strstr(err.message, list[i].sentence) == NULL) fail_msg("%zu: %s", i, err.message);
    trm_system_free(system);
    trm_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_pressed_cantilever_is_that_of_the_full_mesh),
    cmocka_unit_test(a_heavy_cantilever_is_that_of_the_full_mesh),
    cmocka_unit_test(free_expansion_has_no_stress),
    cmocka_unit_test(a_clamped_bar_is_pressed_by_heat),
    cmocka_unit_test(derivatives_match_differences),
    cmocka_unit_test(loads_are_sums_over_the_nodes),
    cmocka_unit_test(work_of_loads_is_counted),
    cmocka_unit_test(a_restart_gives_the_same_bits),
    cmocka_unit_test(bad_loads_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
