/* test_energy_balance.c - work by source, and the energy balance of a run. */
#include "methods.h"
#include "verify/mechanics.h"

/* Words of messages. */
typedef struct listener {
  char said[2000];
} listener;

static void hear(void *self, double t, const char *text) {
  listener *l = self;
  (void)t;
  const size_t used = strlen(l->said);
  snprintf(l->said + used, sizeof l->said - used, "%s\n", text);
}

static trm_status run(const char *text, const char *integrator, double tolerance, double end,
                      listener *l, trm_audit *audit, trm_error *err) {
  typed m = typed_text(text, "test", NULL);
  trm_options o = trm_options_default();
  o.integrator = integrator;
  o.tolerance = tolerance;
  o.end = end;
  trm_sim *sim = kit_sim(m.system, &o);
  *l = (listener){.said = ""};
  const trm_sink sink = {.self = l, .message = hear};
  CHECK_OK(trm_sim_add_sink(sim, &sink, err), *err);
  const trm_status status = trm_sim_run(sim, err);
  *audit = trm_sim_counters(sim)->audit;
  trm_sim_free(sim);
  typed_close(&m);
  return status;
}


/* Each source alone, with what it must do; all end at 1 s. */
static const struct {
  const char *text;
  double motions, forces, dampers, friction, events;
} cases[] = {
  /* m = 2, c = 3: v = 4 exp(-1.5 t), all that is lost went into the damper */
  {"trammel: 1\nbodies: {b: {mass: 2, inertia: [1,1,1], velocity: [4,0,0]}}\n"
   "joints: {g: {type: translational, bodies: [ground, b], at: [0,0,0], axis: [1,0,0]}}\n"
   "forces: {d: {type: joint, joint: g, damping: 3}}\n",
   0, 0, -15.203406105058257, 0, 0}, /* -16 (1 - exp(-3)) */
  /* a bushing as damper alone, the same motion */
  {"trammel: 1\nbodies: {b: {mass: 2, inertia: [1,1,1], velocity: [4,0,0]}}\n"
   "forces: {d: {type: bushing, bodies: [ground, b], at: [0,0,0], stiffness: [0,0,0,0,0,0],\n"
   "             damping: [3,3,3,1,1,1]}}\n",
   0, 0, -15.203406105058257, 0, 0},
  /* a constant force of 5 N on 2 kg: 1.25 m in 1 s */
  {"trammel: 1\nbodies: {b: {mass: 2, inertia: [1,1,1]}}\n"
   "forces: {f: {type: force, body: b, force: [5, 0, 0]}}\n",
   0, 6.25, 0, 0, 0},
  /* a flywheel of 3 kg m^2 is brought to 2 t rad/s */
  {"trammel: 1\nbodies: {b: {mass: 2, inertia: [2,2,3]}}\n"
   "joints: {p: {type: revolute, bodies: [ground, b], at: [0,0,0], axis: [0,0,1]}}\n"
   "motions: {m: {joint: p, velocity: 2*time}}\n",
   6, 0, 0, 0, 0},
  /* a block of 2 kg slides with friction 0.3 m g = 5.886 N, from 4 m/s: 2.5285 m in 1 s */
  {"trammel: 1\ngravity: [0, 0, -9.81]\n"
   "bodies: {b: {mass: 2, inertia: [1,1,1], velocity: [4,0,0]}}\n"
   "joints: {g: {type: translational, bodies: [ground, b], at: [0,0,0], axis: [1,0,0],\n"
   "             friction: {dynamic: 0.3}}}\n",
   0, 0, 0, -14.882751, 0},
  /* a ball of 1 kg at 2 m/s hits a wall 0.5 m away and keeps half of its speed */
  {"trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: 2}}\n  mass: {x: 1}\n"
   "  events: {wall: {when: x - 0.5, direction: rising, set: {x': -0.5*x'}}}\n",
   0, 0, 0, 0, -1.5},
  /* a mass that grows, m = 1 + t, moves at constant speed: nothing pushes, its energy grows */
  {"trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: 2}}\n  mass: {x: 1 + time}\n"
   "outputs: {x: x}\n",
   0, 2, 0, 0, 0},
};

static void work_is_told_by_its_sources(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int k = 0; k < all_methods(); k++) {
      listener l;
      trm_audit a;
      trm_error err = {.message = ""};
      CHECK_OK(run(cases[i].text, methods[k], 1e-7, 1.0, &l, &a, &err), err);
      /* hht and alpha at 1e-7: local errors of velocities add up to some 1e-4 of these energies */
      const double tol = 2e-4 * fmax(1.0, a.scale);
      CHECK_NEAR(a.motions, cases[i].motions, tol, "case %zu, %s: motions", i, methods[k]);
      CHECK_NEAR(a.forces, cases[i].forces, tol, "case %zu, %s: forces", i, methods[k]);
      CHECK_NEAR(a.dampers, cases[i].dampers, tol, "case %zu, %s: dampers", i, methods[k]);
      CHECK_NEAR(a.friction, cases[i].friction, tol, "case %zu, %s: friction", i, methods[k]);
      CHECK_NEAR(a.events, cases[i].events, tol, "case %zu, %s: events", i, methods[k]);
      CHECK_NEAR(a.imbalance, 0.0, tol, "case %zu, %s: imbalance", i, methods[k]);
      if (strstr(l.said, "balance") != NULL) fail_msg("case %zu: %s", i, l.said);
    }
  }
}

/* A vibration of 5000 rad/s that steps of hht do not follow is damped away. */
static void lost_energy_is_told(void **state) {
  (void)state;
  static const char text[] = "trammel: 1\nequations:\n"
                             "  coordinates: {x: {value: 1e-3, velocity: 0}}\n  mass: {x: 1}\n"
                             "  potential: 0.5*2.5e7*x^2\n";
  listener l;
  trm_audit a;
  trm_error err = {.message = ""};
  CHECK_OK(run(text, "hht", 1e-2, 1.0, &l, &a, &err), err);
  if (strstr(l.said, "the energy balance does not close") == NULL) fail_msg("said: %s", l.said);
  assert_true(a.imbalance < -6.0); /* of 12.5 J */
  CHECK_OK(run(text, "explicit", 1e-9, 0.01, &l, &a, &err), err);
  assert_string_equal(l.said, "");
  CHECK_NEAR(a.imbalance, 0.0, 1e-4, "resolved");
}

static void negative_damping_is_named_and_ends_a_run_it_feeds(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\n"
      "bodies: {a: {mass: 1, inertia: [1,1,1], angular_velocity: [0, 0.001, 0]}}\n"
      "joints: {p: {type: revolute, bodies: [ground, a], at: [0,0,0], axis: [0,1,0]}}\n"
      "forces: {d: {type: joint, joint: p, damping: -5}}\n";
  for (int k = 0; k < all_methods(); k++) {
    listener l;
    trm_audit a;
    trm_error err = {.message = ""};
    const trm_status status = run(text, methods[k], 1e-5, 20.0, &l, &a, &err);
    CHECK_STATUS(status, TRM_ERR_NOT_FINITE);
    assert_string_equal(err.object, "force 'd'");
    if (strstr(err.message, "negative damping has put in") == NULL) fail_msg("%s", err.message);
    if (strstr(l.said, "force 'd': its damping is negative") == NULL) fail_msg("%s", l.said);
    /* exp(10 t) = 1e12 */
    CHECK_NEAR(err.t, 2.763, 0.5, "%s: the end", methods[k]);
  }
}

/* T has a part that is linear in the velocity: T + V is not what is kept. */
static void there_is_no_balance_where_energies_have_none(void **state) {
  (void)state;
  listener l;
  trm_audit a;
  trm_error err = {.message = ""};
  CHECK_OK(run("trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: 1}}\n"
               "  kinetic: 0.5*(x' + 3*time)^2\n", "hht", 1e-5, 1.0, &l, &a, &err), err);
  assert_true(isnan(a.imbalance));
  assert_string_equal(l.said, "");
}

/* Counters of a shipped model; `l` may be NULL. Order 0: all orders. */
static trm_counters run_shipped(const char *name, const char *method, int order, double tolerance,
                                listener *l) {
  typed m = typed_model(name, NULL);
  trm_error err = {.message = ""};
  m.options.max_order = order;
  trm_sim *sim = typed_sim(&m, method, tolerance);
  const trm_sink sink = {.self = l, .message = hear};
  if (l != NULL) CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
  kit_run(sim);
  const trm_counters c = *trm_sim_counters(sim);
  trm_sim_free(sim);
  typed_close(&m);
  return c;
}

/* Dense output, solved for in stiff parts, once lost 8 % of the energy at 1e-5. Order 1 is left
 * out: its steps damp the vibrations of the rod. */
static void a_stiff_beam_is_balanced_by_bdf(void **state) {
  (void)state;
  for (int order = 2; order <= 5; order++) {
    listener l = {.said = ""};
    const trm_audit a = run_shipped("slider-crank-beam", "bdf", order, 1e-5, &l).audit;
    print_message("order %d: imbalance %.1e, uncertain by %.1e\n", order, a.imbalance / a.scale,
                  a.uncertainty / a.scale);
    CHECK_NEAR(a.imbalance / a.scale, 0.0, 5e-3, "order %d: imbalance", order);
    CHECK_NEAR(a.uncertainty / a.scale, 0.0, 2e-3, "order %d: uncertainty", order);
    if (strstr(l.said, "balance") != NULL) fail_msg("order %d: %s", order, l.said);
  }
}

/* Long steps by the weights of their stages, as accurate as the motion. By dense output the first
 * was off by 2e-5 at 1e-6, with twice the evaluations, and the second lost 21 % of its energy. */
static void explicit_is_balanced_by_its_stages(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double tolerance, most; /* measured: 3.4e-8, 1.3e-3 */
  } runs[] = {{"slider-crank-rigid", 1e-6, 1e-6}, {"slide-and-roll", 1e-4, 5e-3}};
  for (int i = 0; i < 2; i++) {
    listener l = {.said = ""};
    const trm_counters c = run_shipped(runs[i].name, "explicit", 0, runs[i].tolerance, &l);
    const double off = c.audit.imbalance / c.audit.scale;
    print_message("%s: imbalance %.1e, %ld residuals in %ld steps\n", runs[i].name, off,
                  c.residuals, c.steps);
    CHECK_NEAR(off, 0.0, runs[i].most, "%s", runs[i].name);
    if (strstr(l.said, "balance") != NULL) fail_msg("%s: %s", runs[i].name, l.said);
  }
}

/* At rest up to 16 steps are one stride. A pulse that began in the middle of one had its power only
 * at the ends of strides: 94 % of its energy was reported as lost by hht, of a motion that was
 * right. */
static void a_pulse_after_a_rest_is_balanced(void **state) {
  (void)state;
  static const char text[] = "trammel: 1\nequations:\n  coordinates: {x: 0}\n  mass: {x: 1}\n"
    "  forces: {x: \"-25*x + 200*STEP(time, 1, 0, 1.003, 1)*STEP(time, 1.007, 1, 1.01, 0)\"}\n";
  for (int k = 0; k < all_methods(); k++) {
    listener l;
    trm_audit a;
    trm_error err = {.message = ""};
    for (int power = 4; power <= 6; power += 2) {
      CHECK_OK(run(text, methods[k], pow(10.0, -power), 2.0, &l, &a, &err), err);
      print_message("%s 1e-%d: imbalance %.1e\n", methods[k], power, a.imbalance / a.scale);
      /* local errors of velocities in the pulse: up to 5e-2 and 4e-3 of the energy */
      const double tol = power == 4 ? 0.1 : 1e-2;
      CHECK_NEAR(a.imbalance / a.scale, 0.0, tol, "%s 1e-%d", methods[k], power);
      if (strstr(l.said, "balance") != NULL) fail_msg("%s 1e-%d: %s", methods[k], power, l.said);
    }
  }
}

/* Who listens to a run pays for energies, not for solutions; only `radau` and `explicit` solve, for
 * parts of steps that end at events. */
static void the_balance_solves_for_nothing(void **state) {
  (void)state;
  static const char *const names[] = {"slider-crank-beam", "cam-follower", "quarter-car"};
  static const char *const solvers[] = {"hht", "alpha", "tdg", "bdf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
      listener l = {.said = ""};
      const long with = run_shipped(names[i], solvers[k], 0, 1e-4, &l).residuals;
      const long without = run_shipped(names[i], solvers[k], 0, 1e-4, NULL).residuals;
      print_message("%s, %s: %ld and %ld residuals\n", names[i], solvers[k], with, without);
      assert_int_equal(with, without);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(work_is_told_by_its_sources),
    cmocka_unit_test(lost_energy_is_told),
    cmocka_unit_test(negative_damping_is_named_and_ends_a_run_it_feeds),
    cmocka_unit_test(there_is_no_balance_where_energies_have_none),
    cmocka_unit_test(a_stiff_beam_is_balanced_by_bdf),
    cmocka_unit_test(explicit_is_balanced_by_its_stages),
    cmocka_unit_test(a_pulse_after_a_rest_is_balanced),
    cmocka_unit_test(the_balance_solves_for_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
