/* Consistent values: positions, velocities, accelerations, jerk at one instant. */
#include "system/consistent.h"
#include "unit/kit.h"

enum { MAX = 64 };

/* Problems with everything: rotations, rolling, states, variables, a flexible rod. */
static const struct {
  const char *problem, *name, *value;
} cases[] = {
    {"unit-pendulum", NULL, NULL}, {"chain", "links", "4"}, {"rolling-disc", NULL, NULL},
    {"servo", NULL, NULL},         {"heavy-top", NULL, NULL}, {"slider-crank", NULL, NULL},
};
enum { CASES = sizeof cases / sizeof *cases };

/* A problem at its start, with the solver under test. */
typedef struct setup {
  trm_system     *sys;
  trmi_arena      arena;
  trmi_consistent c;
  trm_state       s, old;
  const char     *name;
} setup;

static void setup_open(setup *u, int i, const char *solver) {
  trm_error err;
  const trm_allocator allocator = {0};
  u->sys = kit_problem(cases[i].problem, cases[i].name, cases[i].value);
  u->name = cases[i].problem;
  trmi_arena_init(&u->arena, &allocator);
  CHECK_OK(trmi_consistent_init(&u->c, u->sys, &u->arena, solver, false, &err), err);
  trmi_state_take(u->sys, &u->arena, &u->s);
  trmi_state_take(u->sys, &u->arena, &u->old);
  for (int k = 0; k < u->sys->n.nrot; k++) u->s.q[u->sys->rot_v[k] + k] = 1.0;
  CHECK_OK(trmi_system_start(u->sys, &u->s, &err), err);
}

static void setup_close(setup *u) {
  trmi_consistent_free(&u->c);
  trmi_arena_clear(&u->arena);
  trm_system_free(u->sys);
}

/* Moves q and v by about `size` times the scale of each coordinate. */
static void disturb(setup *u, uint64_t *seed, double size) {
  double dpi[MAX];
  for (int i = 0; i < u->sys->n.nv; i++) {
    dpi[i] = size * u->sys->scale_v[i] * kit_random(seed);
    u->s.v[i] += size * u->sys->scale_v[i] * kit_random(seed);
  }
  trm_system_retract(u->sys, u->s.q, dpi, u->s.q);
}

/* Largest |g|, and largest rate over the largest velocity. */
static void violation(setup *u, double *position, double *velocity) {
  trm_error err;
  double g[MAX] = {0}, rate[MAX] = {0}, roll[MAX] = {0}, speed = 1.0;
  const trm_values out = {.g = g, .g_rate = rate, .a_rate = roll};
  CHECK_OK(trm_system_values(u->sys, &u->s, &out, &err), err);
  for (int i = 0; i < u->sys->n.nv; i++) speed = fmax(speed, fabs(u->s.v[i]));
  *position = *velocity = 0.0;
  for (int i = 0; i < u->sys->n.ng; i++) {
    *position = fmax(*position, fabs(g[i]));
    *velocity = fmax(*velocity, fabs(rate[i]) / speed);
  }
  for (int i = 0; i < u->sys->n.na; i++) *velocity = fmax(*velocity, fabs(roll[i]) / speed);
}

static void check_holds(setup *u, const char *when) {
  double position = NAN, velocity = NAN;
  violation(u, &position, &velocity);
  /* rounding of sums over a few bodies of size one */
  CHECK_NEAR(position, 0.0, 1e-13, "%s %s: position", u->name, when);
  CHECK_NEAR(velocity, 0.0, 1e-13, "%s %s: velocity", u->name, when);
}

static void assemble(setup *u) {
  trm_error err;
  CHECK_OK(trmi_consistent_positions(&u->c, &u->s, 50, &err), err);
  CHECK_OK(trmi_consistent_velocities(&u->c, &u->s, &err), err);
}

static void disturbed_states_converge(void **unused) {
  (void)unused;
  uint64_t seed = 1;
  for (int i = 0; i < CASES; i++) {
    for (int k = 0; k < 10; k++) {
      setup u;
      setup_open(&u, i, k % 2 == 0 ? "klu" : "dense");
      disturb(&u, &seed, k < 5 ? 1e-3 : 0.05);
      double position = 0.0, velocity = 0.0;
      violation(&u, &position, &velocity);
      assert_true(position > 1e-6); /* there was something to do */
      assemble(&u);
      check_holds(&u, "assembled");
      setup_close(&u);
    }
  }
}

static void a_consistent_state_keeps_its_bits(void **unused) {
  (void)unused;
  uint64_t seed = 2;
  for (int i = 0; i < CASES; i++) {
    for (int k = 0; k < 10; k++) {
      setup u;
      setup_open(&u, i, "auto");
      if (k > 0) disturb(&u, &seed, 0.01);
      assemble(&u);
      trmi_state_copy(u.sys, &u.s, &u.old);
      for (int again = 0; again < 3; again++) assemble(&u);
      assert_memory_equal(u.s.q, u.old.q, (size_t)u.sys->nq * sizeof(double));
      assert_memory_equal(u.s.v, u.old.v, (size_t)u.sys->n.nv * sizeof(double));
      setup_close(&u);
    }
  }
}

/* From a rod of a hundredth of its length the full step goes to fifty times its length,
 * which is worse than where it began. */
static void far_guesses_are_reached_by_shortened_steps(void **unused) {
  (void)unused;
  const double far[][2] = {{0.01, 0.0}, {0.003, -0.004}, {30.0, 40.0}};
  for (int k = 0; k < 3; k++) {
    setup u;
    setup_open(&u, 0, "auto");
    u.s.q[0] = far[k][0];
    u.s.q[1] = far[k][1];
    assemble(&u);
    check_holds(&u, "from far");
    /* along the rod, as the masses are equal: rounding */
    const double length = hypot(far[k][0], far[k][1]);
    CHECK_NEAR(u.s.q[0], far[k][0] / length, 1e-13, "x from %g", length);
    setup_close(&u);
  }
}

/* y = M x at the state */
static void times_mass(setup *u, const double *x, double *y) {
  trm_error err;
  CHECK_OK(trmi_system_want(u->sys, TRM_M, &err), err);
  CHECK_OK(trmi_system_blocks(u->sys, &u->s, TRMI_BIT(TRM_M), NULL, NULL, NULL, &err), err);
  memset(y, 0, (size_t)u->sys->n.nv * sizeof(double));
  trmi_sparse_add_mul(&u->sys->block[TRM_M], 1.0, x, y);
}

static double dot(const double *x, const double *y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* Cosine, in the metric of M, of the angle between `moved` and a random direction along
 * the constraints. */
static double cosine_with_tangent(setup *u, const double *moved, uint64_t *seed) {
  trm_error err;
  const int nv = u->sys->n.nv;
  double tangent[MAX] = {0}, Mt[MAX], Mm[MAX], base[MAX];
  memcpy(base, u->s.v, (size_t)nv * sizeof(double));
  for (int i = 0; i < nv; i++) u->s.v[i] += u->sys->scale_v[i] * kit_random(seed);
  CHECK_OK(trmi_consistent_velocities(&u->c, &u->s, &err), err);
  for (int i = 0; i < nv; i++) tangent[i] = u->s.v[i] - base[i];
  memcpy(u->s.v, base, (size_t)nv * sizeof(double));
  times_mass(u, tangent, Mt);
  times_mass(u, moved, Mm);
  return dot(moved, Mt, nv) / sqrt(dot(tangent, Mt, nv) * dot(moved, Mm, nv));
}

static void velocities_move_orthogonally_to_the_motion(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  for (int i = 0; i < CASES; i++) {
    for (int k = 0; k < 5; k++) {
      setup u;
      trm_error err;
      double moved[MAX];
      setup_open(&u, i, "auto");
      assemble(&u);
      const int nv = u.sys->n.nv;
      for (int j = 0; j < nv; j++) u.s.v[j] += u.sys->scale_v[j] * kit_random(&seed);
      trmi_state_copy(u.sys, &u.s, &u.old);
      CHECK_OK(trmi_consistent_velocities(&u.c, &u.s, &err), err);
      for (int j = 0; j < nv; j++) moved[j] = u.s.v[j] - u.old.v[j];
      /* rounding in v (150 rad/s for the top) over a move of size one, and the masses */
      CHECK_NEAR(cosine_with_tangent(&u, moved, &seed), 0.0, 1e-11, "%s", u.name);
      setup_close(&u);
    }
  }
}

/* One Newton step is orthogonal at its start; the angle there and at its end differ by
 * the length of the step. */
static void positions_move_orthogonally_to_the_motion(void **unused) {
  (void)unused;
  uint64_t seed = 4;
  for (int i = 0; i < CASES; i++) {
    for (int k = 0; k < 5; k++) {
      setup u;
      trm_error err;
      double moved[MAX];
      const double size = 1e-5;
      setup_open(&u, i, "auto");
      disturb(&u, &seed, size);
      trmi_state_copy(u.sys, &u.s, &u.old);
      assemble(&u);
      trm_system_difference(u.sys, u.s.q, u.old.q, moved);
      CHECK_OK(trmi_consistent_velocities(&u.c, &u.s, &err), err);
      CHECK_NEAR(cosine_with_tangent(&u, moved, &seed), 0.0, 100 * size, "%s", u.name);
      setup_close(&u);
    }
  }
}

static void project_serves_positions_and_velocities_at_once(void **unused) {
  (void)unused;
  uint64_t seed = 5;
  for (int i = 0; i < CASES; i++) {
    setup u;
    trm_error err;
    setup_open(&u, i, "auto");
    assemble(&u);
    disturb(&u, &seed, 1e-6);
    CHECK_OK(trmi_consistent_project(&u.c, &u.s, &err), err);
    check_holds(&u, "projected");
    setup_close(&u);
  }
}

/* All equations hold that the index-1 form has. */
static void accelerations_solve_their_equations(void **unused) {
  (void)unused;
  uint64_t seed = 6;
  for (int i = 0; i < CASES; i++) {
    setup u;
    trm_error err;
    double motion[MAX], g[MAX] = {0}, a[MAX] = {0}, d[MAX] = {0}, w[MAX] = {0}, size = 1.0;
    setup_open(&u, i, i % 2 == 0 ? "klu" : "dense");
    disturb(&u, &seed, 1e-3);
    assemble(&u);
    CHECK_OK(trmi_consistent_accelerations(&u.c, &u.s, &err), err);
    const trm_values out = {.motion = motion, .g_bias = g, .a_bias = a, .d = d, .w = w};
    CHECK_OK(trm_system_values(u.sys, &u.s, &out, &err), err);
    trmi_sparse_add_mul(&u.sys->block[TRM_G], 1.0, u.s.vd, g);
    trmi_sparse_add_mul(&u.sys->block[TRM_A], 1.0, u.s.vd, a);
    const trm_sizes *n = &u.sys->n;
    for (int k = 0; k < n->nv; k++) size = fmax(size, fabs(u.s.vd[k]));
    for (int k = 0; k < n->ng; k++) size = fmax(size, fabs(u.s.lam[k]));
    /* rounding of terms as large as accelerations and multipliers */
    const double tol = 1e-13 * size;
    for (int k = 0; k < n->nv; k++) CHECK_NEAR(motion[k], 0.0, tol, "%s: motion %d", u.name, k);
    for (int k = 0; k < n->ng; k++) CHECK_NEAR(g[k], 0.0, tol, "%s: g'' %d", u.name, k);
    for (int k = 0; k < n->na; k++) CHECK_NEAR(a[k], 0.0, tol, "%s: A v' %d", u.name, k);
    for (int k = 0; k < n->nx; k++) CHECK_NEAR(d[k], 0.0, tol, "%s: state %d", u.name, k);
    for (int k = 0; k < n->nw; k++) CHECK_NEAR(w[k], 0.0, tol, "%s: variable %d", u.name, k);
    setup_close(&u);
  }
}

/* Pendulum of length one at the angle f from below, f'' = -sin f: all by hand. */
static void jerk_of_a_pendulum_is_that_of_the_formula(void **unused) {
  (void)unused;
  setup u;
  trm_error err;
  setup_open(&u, 0, "auto");
  const double f = 0.7, f1 = 0.9, f2 = -sin(f), f3 = -cos(f) * f1, e = 1e-5;
  u.s.q[0] = sin(f), u.s.q[1] = -cos(f);
  u.s.v[0] = cos(f) * f1, u.s.v[1] = sin(f) * f1;
  CHECK_OK(trmi_consistent_accelerations(&u.c, &u.s, &err), err);
  CHECK_NEAR(u.s.vd[0], cos(f) * f2 - sin(f) * f1 * f1, 1e-14, "rounding: acceleration");
  CHECK_NEAR(u.s.lam[0], f1 * f1 + cos(f), 1e-14, "rounding: tension");
  double jerk[2];
  CHECK_OK(trmi_consistent_jerk(&u.c, &u.s, e, jerk, NULL, &err), err);
  /* truncation: e times a derivative of size one */
  CHECK_NEAR(jerk[0], cos(f) * (f3 - f1 * f1 * f1) - 3 * sin(f) * f1 * f2, 3 * e, "x'''");
  CHECK_NEAR(jerk[1], sin(f) * (f3 - f1 * f1 * f1) + 3 * cos(f) * f1 * f2, 3 * e, "y'''");
  setup_close(&u);
}

/* Jerk and second rate of states against the accelerations along an accurate motion. */
static void jerk_follows_the_motion(void **unused) {
  (void)unused;
  const int used[] = {1, 2, 3};
  for (int k = 0; k < 3; k++) {
    const int i = used[k];
    const double e = 1e-4;
    trm_error err;
    setup u;
    double jerk[MAX], bend[MAX];
    setup_open(&u, i, "auto");
    assemble(&u);
    CHECK_OK(trmi_consistent_accelerations(&u.c, &u.s, &err), err);
    CHECK_OK(trmi_consistent_jerk(&u.c, &u.s, 1e-6, jerk, bend, &err), err);
    trm_options options = trm_options_default();
    options.integrator = "explicit";
    options.tolerance = 1e-13;
    options.end = e;
    trm_sim *sim = kit_sim(u.sys, &options);
    kit_run(sim);
    const trm_state *end = trm_sim_state(sim);
    /* both slopes are of first order, in e and 1e-6, with derivatives of up to 500 and 1000 */
    for (int j = 0; j < u.sys->n.nv; j++) {
      CHECK_NEAR(jerk[j], (end->vd[j] - u.s.vd[j]) / e, 1000 * e, "%s: v'' %d", u.name, j);
    }
    for (int j = 0; j < u.sys->n.nx; j++) {
      CHECK_NEAR(bend[j], (end->xd[j] - u.s.xd[j]) / e, 2000 * e, "%s: x'' %d", u.name, j);
    }
    trm_sim_free(sim);
    setup_close(&u);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(disturbed_states_converge),
      cmocka_unit_test(a_consistent_state_keeps_its_bits),
      cmocka_unit_test(far_guesses_are_reached_by_shortened_steps),
      cmocka_unit_test(velocities_move_orthogonally_to_the_motion),
      cmocka_unit_test(positions_move_orthogonally_to_the_motion),
      cmocka_unit_test(project_serves_positions_and_velocities_at_once),
      cmocka_unit_test(accelerations_solve_their_equations),
      cmocka_unit_test(jerk_of_a_pendulum_is_that_of_the_formula),
      cmocka_unit_test(jerk_follows_the_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
