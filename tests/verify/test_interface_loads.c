/* test_interface_loads.c - loads at the interfaces of a flexible body in motion: against reactions
 * of joints, and put on the full mesh, whose stress is then that of the run. */
#include "fem/solid_recovery.h"
#include "fem/support.h"
#include "trammel/flexible.h"
#include "trammel/stress.h"
#include "unit/solids.h"
#include "verify/mechanics.h"
#include <pthread.h>

/* A rotor arm with a weight at its tip, brought to 60 rad/s; modes are damped so much that they
 * follow. */
#define ARM                                                                                      \
  "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"                                                \
  "  weight: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], at: [0.4, 0.025, 0.02]}\nflexible:\n"      \
  "  arm:\n    box: {size: [0.4, 0.05, 0.04], cells: [4, 1, 1]}\n"                               \
  "    material: {E: 7e10, nu: 0.3, density: 2700}\n    damping: 1\n"                            \
  "    interfaces: {root: {nodes: XMIN}, tip: {nodes: XMAX, type: average}}\n"                   \
  "    modes: {fixed: 2, inertia: exact}\n    stress: {nodes: all}\n"                            \
  "    loads: {wind: {pressure: 3e4, nodes: ZMAX}}\n"                                            \
  "joints:\n  pin: {type: revolute, bodies: [ground, arm.root], at: [0, 0.025, 0.02],\n"         \
  "        axis: [0, 0, 1]}\n  weld: {type: fixed, bodies: [arm.tip, weight]}\n"                 \
  "motions: {turn: {joint: pin, velocity: '60*step(time, 0, 0, 0.2, 1)'}}\n"                       \
  "outputs: {fx: weld.force.x, fy: weld.force.y, fz: weld.force.z, tx: weld.torque.x,\n"         \
  "          ty: weld.torque.y, tz: weld.torque.z, px: pin.force.x, py: pin.force.y,\n"          \
  "          pz: pin.force.z}\nsimulate: {end: END}\n"

/* A run to an instant, and the loads there. */
typedef struct loaded {
  typed       m;
  trm_sim    *sim;
  double      out[9], R[9];
  trm_flexible_wrench at[2];
  trm_flexible_loads  loads;
} loaded;

static void loaded_open(loaded *l, const char *end) {
  char text[sizeof ARM + 20];
  const char *place = strstr(ARM, "END");
  trm_error err = {.message = ""};
  const double wind = 3e4;
  snprintf(text, sizeof text, "%.*s%s%s", (int)(place - ARM), ARM, end, place + 3);
  *l = (loaded){.m = typed_text(text, "arm", NULL)};
  l->sim = typed_sim(&l->m, "radau", 1e-8);
  kit_run(l->sim);
  CHECK_OK(trm_sim_outputs(l->sim, l->out, &err), err);
  const trm_state *s = trm_sim_state(l->sim);
  l->loads.wrenches = l->at;
  CHECK_OK(trm_flexible_balance(l->m.system, 0, s, &wind, &l->loads, &err), err);
  trmi_quat_matrix(s->q + 7 + 3, l->R); /* behind the weight */
}

static void loaded_close(loaded *l) {
  trm_sim_free(l->sim);
  typed_close(&l->m);
}

/* Also while it speeds up. Reactions on the tip are the negative of those on the weight. */
static void loads_are_reactions_of_joints(void **state) {
  (void)state;
  static const char *const ends[] = {"0.05", "0.13", "0.3"};
  for (int i = 0; i < 3; i++) {
    loaded l;
    loaded_open(&l, ends[i]);
    const trmi_vec3 tip = m3_mul(l.R, v3_load(l.at[1].force));
    const trmi_vec3 root = m3_mul(l.R, v3_load(l.at[0].force));
    const trmi_vec3 weld = v3_load(l.out), pin = v3_load(l.out + 6);
    const trmi_vec3 torque = m3_mul(l.R, v3_load(l.at[1].moment));
    const double size = v3_norm(weld);
    print_message("%s s: force %.4g N, residual %.1e\n", ends[i], size, l.loads.residual);
    /* accelerations of radau are those of the balance to its tolerance */
    CHECK_NEAR(v3_norm(v3_add(tip, weld)) / size, 0.0, 1e-5, "%s s: force at the tip", ends[i]);
    CHECK_NEAR(v3_norm(v3_sub(root, pin)) / size, 0.0, 1e-5, "%s s: force at the root", ends[i]);
    CHECK_NEAR(v3_norm(v3_add(torque, v3_load(l.out + 3))) / (0.4 * size), 0.0, 1e-5,
               "%s s: moment", ends[i]);
    CHECK_NEAR(l.loads.residual, 0.0, 1e-5, "%s s: balance", ends[i]);
    loaded_close(&l);
  }
}

/* Balances of two states in turn, as one thread asks for them. */
enum { TURNS = 20000 };
typedef struct asker {
  const trm_system *system;
  const trm_state  *s[2];
  int               first;
  trm_flexible_wrench at[2];
  uint64_t          sum;
} asker;

static void *ask(void *self) {
  asker *a = self;
  trm_error err = {.message = ""};
  const double wind = 3e4;
  a->sum = 0;
  for (int i = 0; i < TURNS; i++) {
    trm_flexible_loads loads = {.wrenches = a->at};
    uint64_t bits;
    const trm_state *s = a->s[(i + a->first) % 2];
    if (trm_flexible_balance(a->system, 0, s, &wind, &loads, &err) != TRM_OK) return NULL;
    memcpy(&bits, &a->at[1].force[i % 3], sizeof bits);
    a->sum = a->sum * UINT64_C(0x100000001B3) + bits;
  }
  return a;
}

/* Two threads with different states of one shared system get the bits of each alone. Without a
 * body of its own for each call nearly every sum is another one. */
static void threads_may_share_the_system(void **state) {
  (void)state;
  loaded l, other;
  uint64_t alone[2];
  asker askers[2];
  pthread_t threads[2];
  loaded_open(&l, "0.05");
  loaded_open(&other, "0.3");
  for (int i = 0; i < 2; i++) {
    askers[i] = (asker){.system = l.m.system, .first = i,
                        .s = {trm_sim_state(l.sim), trm_sim_state(other.sim)}};
    assert_non_null(ask(&askers[i]));
    alone[i] = askers[i].sum;
  }
  for (int i = 0; i < 2; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
  }
  for (int i = 0; i < 2; i++) {
    void *done = NULL;
    assert_int_equal(pthread_join(threads[i], &done), 0);
    assert_non_null(done);
    assert_true(askers[i].sum == alone[i]);
  }
  loaded_close(&l);
  loaded_close(&other);
}

/* Forces at the nodes of the full mesh: interface 1, inertia, pressure. */
static void put_forces(const trmi_solid_mesh *mesh, const trmi_fem *fem, const loaded *l,
                       trmi_arena *arena, double *f) {
  const trmi_solid_set *nodes = trmi_solid_mesh_set(mesh, "XMAX", false);
  const trmi_solid_set *top = trmi_solid_mesh_set(mesh, "ZMAX", false);
  const trmi_interface tip = {.name = "tip", .count = nodes->count, .nodes = nodes->list,
                              .at = {0.4, 0.025, 0.02}};
  const size_t size = 3 * (size_t)mesh->nnodes;
  double *rows = TRMI_TAKE(arena, double, 6 * size), *acceleration = TRMI_TAKE(arena, double, size);
  bool *on = TRMI_TAKE(arena, bool, mesh->nnodes);
  trmi_solid_load wind = {.on = on, .force = TRMI_TAKE(arena, double, size)};
  const trmi_vec3 w = v3_load(l->loads.angular_velocity), a0 = v3_load(l->loads.acceleration);
  const trmi_vec3 wd = v3_load(l->loads.angular_acceleration);
  for (int k = 0; k < top->count; k++) on[top->list[k]] = true;
  assert_true(trmi_average_rows(mesh, &tip, rows) && trmi_solid_press(mesh, &wind, arena) > 0);
  for (int i = 0; i < mesh->nnodes; i++) {
    const trmi_vec3 x = v3_load(mesh->x + 3 * i);
    v3_store(acceleration + 3 * i, v3_add(a0, v3_add(v3_cross(wd, x),
                                                     v3_cross(w, v3_cross(w, x)))));
  }
  trmi_fem_mass(fem, 1, acceleration, f);
  for (size_t i = 0; i < size; i++) {
    f[i] = 3e4 * wind.force[i] - f[i];
    for (size_t k = 0; k < 3; k++) {
      f[i] += rows[k * size + i] * l->at[1].force[k];
      f[i] += rows[(3 + k) * size + i] * l->at[1].moment[k];
    }
  }
}

/* At constant speed all forces on the mesh are in balance, and its stress is that of the run. */
static void the_full_mesh_has_the_stress_of_the_run(void **state) {
  (void)state;
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D20, .size = {0.4, 0.05, 0.04},
                             .cells = {4, 1, 1}};
  const trmi_solid_material aluminium = {.E = 7e10, .nu = 0.3, .density = 2700.0};
  trm_error err = {.message = ""};
  trmi_arena arena;
  trmi_support *support = NULL;
  trmi_solid_surface surface;
  loaded l;
  loaded_open(&l, "0.4");
  trmi_arena_init(&arena, &(trm_allocator){0});
  const trmi_solid_mesh mesh = solids_grid(&def, &arena, aluminium);
  trmi_fem fem = solids_matrices(&mesh, true, &arena);
  const trmi_solid_set *nodes = trmi_solid_mesh_set(&mesh, "XMIN", false);
  const trmi_interface root = {.name = "root", .is_rigid = true, .count = nodes->count,
                               .nodes = nodes->list, .at = {0.0, 0.025, 0.02}};
  double *f = TRMI_TAKE(&arena, double, 3 * mesh.nnodes), sum[3] = {0.0};
  put_forces(&mesh, &fem, &l, &arena, f);
  for (int i = 0; i < mesh.nnodes; i++) v3_accumulate(sum, v3_load(f + 3 * i));
  const double size = v3_norm(v3_load(l.at[0].force));
  CHECK_NEAR(v3_norm(v3_add(v3_load(sum), v3_load(l.at[0].force))) / size, 0.0, 1e-4,
             "sum of forces"); /* inertia of the deformed body */
  CHECK_OK(trmi_support_create(&mesh, &fem, 1, &root, &arena, &support, &err), err);
  CHECK_OK(trmi_support_solve(support, 1, f, &err), err);
  assert_true(trmi_solid_surface_make(&mesh, true, &arena, &surface));
  float *stress = TRMI_TAKE(&arena, float, 6 * surface.npoints);
  const trmi_stress_fields fields = {.n = 1, .fields = f};
  CHECK_OK(trmi_solid_stress(&mesh, &surface, &fields, &arena, stress, &err), err);
  const trm_flexible_surface own = trm_flexible_surface_at(l.m.system, 0);
  double largest = 0.0, off = 0.0;
  for (int p = 0; p < own.points; p++) {
    double s[6];
    trm_surface_stress(&own, p, trm_sim_state(l.sim)->q + 14, s);
    for (int k = 0; k < 6; k++) {
      largest = fmax(largest, fabs((double)stress[6 * p + k]));
      off = fmax(off, fabs(s[k] - (double)stress[6 * p + k]));
    }
  }
  print_message("stress: %.1e of %.3e Pa\n", off / largest, largest);
  /* the run has the inertia of the deformed body, 1e-4 m in 0.4 m */
  CHECK_NEAR(off / largest, 0.0, 1e-3, "stress");
  trmi_support_free(support);
  trmi_arena_clear(&arena);
  loaded_close(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(loads_are_reactions_of_joints),
    cmocka_unit_test(threads_may_share_the_system),
    cmocka_unit_test(the_full_mesh_has_the_stress_of_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
