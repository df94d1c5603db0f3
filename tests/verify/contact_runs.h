/* contact_runs.h - pieces that tests of contacts share. */
#ifndef TRM_CONTACT_RUNS_H
#define TRM_CONTACT_RUNS_H
#include "integ/driver.h"
#include "sanitized.h"
#include "verify/typed.h"

/* A ball of 2 mm and 1 g with a velocity along x, format %g, which comes from far away. */
#define CONTACT_SHOT(z)                                                                            \
  "  shot: {mass: 1e-3, inertia: [1e-9, 1e-9, 1e-9], velocity: [%g, 0, 0],\n"                     \
  "         at: [-1, 0, " z "], shape: {sphere: {radius: 1e-3}}}\n"

/* Two methods of different kinds. */
static const char *const contact_both[] = {"hht", "radau"};

/* Does method k of the two take part in a case? With sanitizers each case has one of them. */
static inline bool contact_has(int number, int k) {
  return !IS_SANITIZED || (number + k) % 2 == 0;
}

/* Gaps of two bodies with their rates, a time h after the state of a point. */
static inline void contact_gaps_at(trm_system *system, const point *p, double h, double *gaps) {
  trm_error err = {.message = ""};
  double dpi[12], q[14], v[12];
  trm_state s = p->s;
  for (int i = 0; i < 12; i++) {
    dpi[i] = h * (p->s.v[i] + .5 * h * p->s.vd[i]);
    v[i] = p->s.v[i] + h * p->s.vd[i];
  }
  trm_system_retract(system, p->s.q, dpi, q);
  s.q = q, s.v = v;
  CHECK_OK(trm_system_values(system, &s, &(trm_values){.gaps = gaps}, &err), err);
}

/* Two bodies with a shape each, the first one turned, the second one at a place. */
static inline void contact_two_turned(const char *a, const char *turn, const char *b,
                                      const char *at, char *text, size_t size) {
  const int length = snprintf(text, size, "trammel: 1\nbodies:\n"
      "  a: {mass: 1, inertia: [.01, .01, .01], orientation: {vector: [%s]}, shape: {%s}}\n"
      "  b: {mass: 1, inertia: [.01, .01, .01], at: [%s], shape: {%s}}\n"
      "contacts: {c: {between: [a, b], stiffness: 1e6}}\n", turn, a, at, b);
  assert_true(length > 0 && (size_t)length < size);
}

/* The first one not turned. */
static inline void contact_two(const char *a, const char *b, const char *at, char *text,
                               size_t size) {
  contact_two_turned(a, "0, 0, 0", b, at, text, size);
}

enum { CONTACT_GAPS = 256 };

/* What is left of gaps where one of them, or none (-1), is asked for: that one as it is, of others
 * the first number, where it is not infinite and the gap open. */
static inline void contact_check_sides(trm_system *system, const point *p, int one) {
  static double found[3 * CONTACT_GAPS], gaps[3 * CONTACT_GAPS];
  trm_error err = {.message = ""};
  const trm_values out = {.gaps = found, .only_gap = one < 0 ? -1 : one + 1};
  CHECK_OK(trm_system_values(system, &p->s, &(trm_values){.gaps = gaps}, &err), err);
  CHECK_OK(trm_system_values(system, &p->s, &out, &err), err);
  for (int g = 0; g < trm_system_sizes(system)->ngaps; g++) {
    const double *a = found + 3 * g, *b = gaps + 3 * g;
    const bool is_same = g == one ? memcmp(a, b, 3 * sizeof *a) == 0
                                  : a[0] == b[0] || (isinf(a[0]) && a[0] > 0.0 && b[0] > 0.0);
    if (!is_same) fail_msg("gap %d of %d: %.17g, asked for alone %.17g", g, one, b[0], a[0]);
  }
}

/* Rates of all gaps of two bodies against differences, at states up to `far` from the start. Second
 * derivatives jump where a nearest place comes to an edge: most states are far from that. Places
 * that nobody has are left out, and gaps below `deepest`. */
static inline void contact_check_rates_above(const char *text, double far, double deepest,
                                             int number) {
  trm_error err = {.message = ""};
  uint64_t seed = (uint64_t)number + 1;
  int jumps = 0, seen = 0;
  typed m = typed_text(text, "gaps", NULL);
  m.options.end = 1.0;
  trm_sim *sim = typed_sim(&m, "hht", 1e-5);
  const int n = trm_system_sizes(sim->sys)->ngaps;
  assert_true(n <= CONTACT_GAPS);
  for (int i = 0; i < 40; i++) {
    static double at[3 * CONTACT_GAPS], plus[3 * CONTACT_GAPS], minus[3 * CONTACT_GAPS];
    const double h = 1e-5;
    double dpi[12];
    point p;
    point_clear(&p);
    CHECK_OK(trmi_system_start(sim->sys, &p.s, &err), err);
    for (int j = 0; j < 12; j++) {
      dpi[j] = far * kit_random(&seed);
      p.s.v[j] = kit_random(&seed), p.s.vd[j] = kit_random(&seed);
    }
    trm_system_retract(sim->sys, p.s.q, dpi, p.s.q);
    contact_gaps_at(sim->sys, &p, 0.0, at);
    contact_check_sides(sim->sys, &p, i % (n + 1) - 1);
    contact_gaps_at(sim->sys, &p, h, plus), contact_gaps_at(sim->sys, &p, -h, minus);
    for (int g = 0; g < 3 * n; g += 3) {
      const double rate = (plus[g] - minus[g]) / (2 * h);
      const double second = (plus[g + 1] - minus[g + 1]) / (2 * h);
      if (isinf(at[g]) || at[g] < deepest) continue;
      seen++;
      CHECK_NEAR(at[g + 1], rate, 1e-6 * (1.0 + fabs(rate)), "case %d, gap %d: rate", number,
                 g / 3);
      if (fabs(second - at[g + 2]) > 1e-4 * (1.0 + fabs(second))) jumps++;
    }
  }
  assert_true(seen > 0);
  if (40 * jumps > seen) {
    fail_msg("case %d: %d of %d second rates are not those of the motion", number, jumps, seen);
  }
  trm_sim_free(sim);
  typed_close(&m);
}

static inline void contact_check_rates(const char *text, double far, int number) {
  contact_check_rates_above(text, far, -INFINITY, number);
}

/* The run of a scene to its end; outputs there, and how many steps it took. */
static inline long contact_run_at(const char *text, const char *method, double tolerance,
                                  double *out) {
  typed m = typed_text(text, "scene", NULL);
  trm_error err = {.message = ""};
  trm_sim *sim = typed_sim(&m, method, tolerance);
  const trm_status status = trm_sim_run(sim, &err);
  if (status != TRM_OK) fail_msg("%s: %s\n%s", method, err.message, text);
  CHECK_OK(trm_sim_outputs(sim, out, &err), err);
  const long steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  typed_close(&m);
  return steps;
}

/* The same at 1e-5. */
static inline void contact_run(const char *text, const char *method, double *out) {
  contact_run_at(text, method, 1e-5, out);
}

/* Blocks of a scene against differences, at its start with random velocities and bristles. Outputs
 * of the start say how many points touch. */
static inline void contact_check_blocks(const char *text, double *touching) {
  trm_error err = {.message = ""};
  uint64_t seed = 7;
  typed m = typed_text(text, "scene", NULL);
  m.options.end = 1.0;
  trm_sim *sim = typed_sim(&m, "hht", 1e-5);
  trm_system *sys = sim->sys;
  trmi_arena arena;
  trm_state s = {.t = 0.0};
  CHECK_OK(trm_sim_outputs(sim, touching, &err), err);
  trmi_arena_init(&arena, &sys->arena.allocator);
  trmi_state_take(sys, &arena, &s);
  for (int i = 0; i < 10; i++) {
    trm_block_check worst[TRM_BLOCKS];
    trmi_state_copy(sys, trm_sim_state(sim), &s);
    for (int k = 0; k < sys->n.nv; k++) s.v[k] += .2 * kit_random(&seed);
    for (int k = 0; k < sys->n.nx; k++) s.x[k] = .5 * kit_random(&seed);
    CHECK_OK(trm_system_check_blocks(sys, &s, worst, &err), err);
    for (int b = 0; b < TRM_BLOCKS; b++) { /* differences of p^1.5 some millimetres deep */
      if (!(worst[b].error <= 1e-6)) {
        fail_msg("block %s (%d, %d): %.9g, difference %.9g\n%s", trm_block_name((trm_block)b),
                 worst[b].row, worst[b].col, worst[b].given, worst[b].difference, text);
      }
    }
  }
  trmi_arena_clear(&arena);
  trm_sim_free(sim);
  typed_close(&m);
}

/* The same of two shapes that overlap, turned a little; how many points touch. */
static inline double contact_check_pair(const char *a, const char *b, const char *at,
                                        bool is_turned) {
  char text[3000];
  double touching[2];
  const int length = snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
      "  a: {mass: 1, inertia: [.01, .02, .03], orientation: {vector: [.03, .02, .3]},\n"
      "      shape: {%s}}\n"
      "  b: {mass: 1, inertia: [.01, .02, .01], at: [%s], shape: {%s}}\n"
      "contacts: {c: {between: [%s], stiffness: 100, damping: .3,\n"
      "               friction: {static: .6, dynamic: .4, velocity: 8, depth: .7}}}\n"
      "outputs: {n: c.touching}\n", a, at, b, is_turned ? "b, a" : "a, b");
  assert_true(length > 0 && (size_t)length < sizeof text);
  contact_check_blocks(text, touching);
  return touching[0];
}

/* What falls on a shape of the ground along a guide stays at a height, but for the depth of the
 * contact and bulges; how many points touch. */
static inline double contact_check_rest(const char *below, const char *above, double height,
                                        const double within[2], int number) {
  double touching = -1.0; /* not known */
  for (int k = 0; k < 2; k++) {
    char text[3000];
    double out[4];
    if (!contact_has(number, k)) continue;
    snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  ground: {shapes: {below: {%s}}}\n"
             "  b: {mass: 1, inertia: [.02, .02, .02], at: [0, 0, %g], shape: {%s}}\n"
             "joints: {g: {type: translational, bodies: [ground, b], at: [0, 0, 0],\n"
             "             axis: [0, 0, 1]}}\n"
             "contacts: {c: {between: [b, ground], stiffness: 1e7, restitution: .3,\n"
             "               friction: {static: .5}}}\n"
             "outputs: {z: b.z, load: c.force, v: b.vz, n: c.touching}\nsimulate: {end: .5}\n",
             below, height + 2e-3, above);
    contact_run(text, contact_both[k], out);
    CHECK_NEAR(out[0], height, within[0], "%s, case %d: height", contact_both[k], number);
    /* 3/2 of 9.81 N/1e-4 m times a hundredth of the tolerance */
    CHECK_NEAR(out[1], 9.81, within[1], "%s, case %d: weight", contact_both[k], number);
    CHECK_NEAR(out[2], 0.0, 1e-4, "%s, case %d: rest", contact_both[k], number);
    if (touching >= 0.0) assert_true(out[3] == touching);
    touching = out[3];
  }
  return touching;
}

/* Without a guide: nothing turns, creeps or falls over within 2 s. */
static inline void contact_check_lying(const char *below, const char *above, double height,
                                       int number) {
  char text[3000];
  snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
           "  ground: {shapes: {below: {%s}}}\n"
           "  b: {mass: 1, inertia: [4e-3, 4e-3, 4e-3], at: [0, 0, %g], shape: {%s}}\n"
           "contacts: {c: {between: [b, ground], stiffness: 1e7, restitution: .3,\n"
           "               friction: {static: .5, torsion: 1 cm}}}\n"
           "outputs: {z: b.z, x: b.x, y: b.y, w: b.wy}\nsimulate: {end: 2}\n",
           below, height + 1e-3, above);
  for (int k = 0; k < 2; k++) {
    double out[4];
    if (!contact_has(number, k)) continue;
    contact_run(text, contact_both[k], out);
    CHECK_NEAR(out[0], height, 1.5e-4, "%s, case %d: height", contact_both[k], number);
    for (int j = 1; j < 3; j++) CHECK_NEAR(out[j], 0.0, 1e-4, "%s, %d", contact_both[k], number);
    CHECK_NEAR(out[3], 0.0, 1e-3, "%s, case %d: turning", contact_both[k], number);
  }
}

/* Two bodies that turn collide, elastic and without friction: momentum to 1e-12, energy to 1 %. */
static inline void contact_check_collision(const char *a, const char *b, const char *method,
                                           int number) {
  char text[3000];
  trm_error err = {.message = ""};
  double e[2][3];
  snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
           "  a: {mass: 1, inertia: [.01, .02, .03], velocity: [0, 0, -1],\n"
           "      angular_velocity: [1, 2, 3], shape: {%s}}\n"
           "  b: {mass: 2, inertia: [.03, .02, .03], at: [.02, .01, -.5],\n"
           "      angular_velocity: [-2, 1, 0], velocity: [.1, 0, .5], shape: {%s}}\n"
           "contacts: {c: {between: [a, b], stiffness: 1e7}}\nsimulate: {end: .5}\n", a, b);
  typed m = typed_text(text, "collision", NULL);
  trm_sim *sim = typed_sim(&m, method, 1e-6);
  for (int j = 0; j < 2; j++) {
    CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                               &(trm_values){.energy = e[j]}, &err), err);
    if (j == 0) kit_run(sim);
  }
  const trm_state *s = trm_sim_state(sim);
  CHECK_NEAR((e[1][0] + e[1][1]) / (e[0][0] + e[0][1]), 1.0, 1e-2, "%s, pair %d: energy", method,
             number); /* of impacts */
  for (int j = 0; j < 3; j++) {
    const double sum = s->v[j] + 2 * s->v[6 + j];
    CHECK_NEAR(sum, j == 0 ? .2 : 0.0, 1e-12, "%s, pair %d: momentum", method, number);
  }
  if (fabs(s->v[2] + 1.0) < .1) fail_msg("%s, pair %d: they did not meet", method, number);
  trm_sim_free(sim);
  typed_close(&m);
}

/* A small body that comes from afar at a speed along z bounces off a plate of the ground: one that
 * is not known to be there before. Elastic. */
static inline void contact_check_shot(const char *plate, const char *shot, double x, double speed,
                                      const char *method, int number) {
  const double k = speed > 100.0 ? 1e13 : speed > 10.0 ? 1e10 : 1e9;
  char text[2500];
  double out[1];
  snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
           "  ground: {shapes: {plate: {%s}}}\n"
           "  shot: {mass: .02, inertia: [1e-5, 1e-5, 1e-5], at: [%g, .05, -1],\n"
           "         velocity: [0, 0, %g], shape: {%s}}\n"
           "joints: {g: {type: translational, bodies: [ground, shot], at: [0, 0, 0],\n"
           "             axis: [0, 0, 1]}}\n"
           "contacts: {c: {between: [shot, ground], stiffness: %g}}\n"
           "outputs: {v: shot.vz}\nsimulate: {end: %g}\n", plate, x, speed, shot, k, 1.5 / speed);
  contact_run(text, method, out);
  CHECK_NEAR(out[0] / speed, -1.0, 1e-2, "%s, case %d at %g m/s", method, number, speed);
}

/* Steps until the first output, a number of touching points, is not zero. @return it; 0: the end */
static inline double contact_until_touching(trm_sim *sim) {
  trm_error err = {.message = ""};
  double n = 0.0;
  for (bool done = false; !done && n == 0.0;) {
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    CHECK_OK(trm_sim_outputs(sim, &n, &err), err);
  }
  return n;
}

/* Save the first run and load it into the second, of so many bodies: they end with the same
 * bits. */
static inline void contact_resume(trm_sim *first, trm_sim *second, int bodies) {
  trm_error err = {.message = ""};
  trm_sim_prepare_save(first);
  const size_t size = trm_sim_save_size(first);
  void *kept = malloc(size);
  assert_non_null(kept);
  trm_sim_save(first, kept);
  CHECK_OK(trm_sim_load(second, kept, size, &err), err);
  free(kept);
  kit_run(first), kit_run(second);
  const trm_state *a = trm_sim_state(first), *b = trm_sim_state(second);
  assert_memory_equal(a->q, b->q, 7 * (size_t)bodies * sizeof *a->q);
  assert_memory_equal(a->v, b->v, 6 * (size_t)bodies * sizeof *a->v);
}

#endif
