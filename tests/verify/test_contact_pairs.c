/* test_contact_pairs.c - boxes and capsules against each other: rates of gaps, edges that cross,
 * logs and stacks at rest, energy and momentum of collisions. */
#include "methods.h"
#include "verify/contact_runs.h"
#include <math.h>

static const char *const pairs[][2] = {
  {"capsule: {from: [-.2, 0, 0], to: [.2, .05, 0], radius: .05}",
   "capsule: {from: [0, -.3, 0], to: [.1, .3, .1], radius: .04}"},
  {"box: {size: [.4, .3, .2], rounding: .02}",
   "capsule: {from: [0, -.3, 0], to: [.1, .3, .1], radius: .04}"},
  {"box: {size: [.4, .3, .2], rounding: .02}", "box: {size: [.2, .3, .5], rounding: .03}"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs, GAPS = 17 };

/* ---- gaps ----------------------------------------------------------------------------------- */

/* Second derivatives jump where a nearest point comes to an edge: most states are far from that. */
static void rates_of_gaps_follow_the_motion(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  for (int k = 0; k < PAIRS; k++) {
    char text[700];
    uint64_t seed = (uint64_t)k + 1;
    int jumps = 0;
    snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
             "  a: {mass: 1, inertia: [.01, .01, .01], shape: {%s}}\n"
             "  b: {mass: 1, inertia: [.01, .01, .01], at: [.1, .2, -.6], shape: {%s}}\n"
             "contacts: {c: {between: [a, b], stiffness: 1e6}}\n", pairs[k][0], pairs[k][1]);
    typed m = typed_text(text, "gaps", NULL);
    const int n = trm_system_sizes(m.system)->ngaps;
    for (int i = 0; i < 40; i++) {
      point p;
      double at[3 * GAPS], plus[3 * GAPS], minus[3 * GAPS], dpi[12];
      const double h = 1e-5;
      assert_true(n <= GAPS);
      point_clear(&p);
      CHECK_OK(trmi_system_start(m.system, &p.s, &err), err);
      for (int j = 0; j < 12; j++) {
        dpi[j] = .3 * kit_random(&seed);
        p.s.v[j] = kit_random(&seed), p.s.vd[j] = kit_random(&seed);
      }
      trm_system_retract(m.system, p.s.q, dpi, p.s.q);
      contact_gaps_at(&m, &p, 0.0, at);
      contact_gaps_at(&m, &p, h, plus), contact_gaps_at(&m, &p, -h, minus);
      for (int g = 0; g < 3 * n; g += 3) {
        const double rate = (plus[g] - minus[g]) / (2 * h);
        const double second = (plus[g + 1] - minus[g + 1]) / (2 * h);
        if (fabs(second - at[g + 2]) > 1e-4 * (1.0 + fabs(second))) {
          jumps++;
          continue;
        }
        CHECK_NEAR(at[g + 1], rate, 1e-6 * (1.0 + fabs(rate)), "pair %d, gap %d: rate", k, g / 3);
      }
    }
    if (jumps > n) fail_msg("pair %d: %d of %d second rates are not those of the motion", k, jumps,
                            40 * n);
    typed_close(&m);
  }
}

/* ---- rest ----------------------------------------------------------------------------------- */

/* What falls on a beam or a plate rests at the sum of both half heights, but for the depth of the
 * contact. */
static void what_falls_on_a_beam_stays_there(void **state) {
  (void)state;
  static const struct {
    const char *below, *above;
    double height;
  } cases[] = {
    /* edges cross: no corner is above the other */
    {"box: {size: [.1, 1, .1], rounding: 5 mm}", "box: {size: [1, .1, .1], rounding: 5 mm}", .1},
    {"capsule: {from: [0, -.5, 0], to: [0, .5, 0], radius: .05}",
     "box: {size: [1, .1, .1], rounding: 5 mm}", .1},
    {"box: {size: [1, 1, .1], rounding: 5 mm}",
     "capsule: {from: [-.1, -.1, 0], to: [.1, .1, 0], radius: .05}", .1},
    {"box: {size: [1, 1, .1], rounding: 5 mm}", "box: {size: [.2, .2, .1], rounding: 5 mm}", .1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static const char *const both[] = {"hht", "radau"};
    char text[1200];
    snprintf(text, sizeof text, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  ground: {shapes: {beam: {%s}}}\n"
             "  b: {mass: 1, inertia: [.02, .02, .02], at: [0, 0, .102], shape: {%s}}\n"
             "joints: {g: {type: translational, bodies: [ground, b], at: [0, 0, 0],\n"
             "             axis: [0, 0, 1]}}\n"
             "contacts: {c: {between: [b, ground], stiffness: 1e7, restitution: .3,\n"
             "               friction: {static: .5}}}\n"
             "outputs: {z: b.z, load: c.force, v: b.vz}\nsimulate: {end: .5}\n",
             cases[i].below, cases[i].above);
    for (int k = 0; k < 2; k++) {
      double out[4];
      contact_run(text, both[k], out);
      CHECK_NEAR(out[0], cases[i].height, 1.2e-4, "%s, case %d: height", both[k], (int)i);
      /* 3/2 of 9.81 N/1e-4 m times a hundredth of the tolerance */
      CHECK_NEAR(out[1], 9.81, 2e-2, "%s, case %d: weight", both[k], (int)i);
      CHECK_NEAR(out[2], 0.0, 1e-4, "%s, case %d: rest", both[k], (int)i);
    }
  }
}

/* ---- collisions ----------------------------------------------------------------------------- */

/* Elastic and without friction: energy, momentum and angular momentum stay. */
static void collisions_keep_what_they_have_to(void **state) {
  (void)state;
  for (int k = 0; k < PAIRS; k++) {
    for (int i = 0; i < all_methods(); i++) {
      char text[1200];
      trm_error err = {.message = ""};
      double e0[3], e1[3];
      snprintf(text, sizeof text, "trammel: 1\nbodies:\n"
               "  a: {mass: 1, inertia: [.01, .02, .03], velocity: [0, 0, -1],\n"
               "      angular_velocity: [1, 2, 3], shape: {%s}}\n"
               "  b: {mass: 2, inertia: [.03, .02, .03], at: [.02, .01, -.5],\n"
               "      angular_velocity: [-2, 1, 0], velocity: [.1, 0, .5], shape: {%s}}\n"
               "contacts: {c: {between: [a, b], stiffness: 1e7}}\n"
               "outputs: {gap: c.gap}\nsimulate: {end: .5}\n", pairs[k][0], pairs[k][1]);
      typed m = typed_text(text, "collision", NULL);
      trm_sim *sim = typed_sim(&m, methods[i], 1e-6);
      CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                                 &(trm_values){.energy = e0}, &err), err);
      kit_run(sim);
      const trm_state *s = trm_sim_state(sim);
      CHECK_OK(trm_system_values(trm_sim_system(sim), s, &(trm_values){.energy = e1}, &err), err);
      const double energy = (e1[0] + e1[1]) / (e0[0] + e0[1]);
      CHECK_NEAR(energy, 1.0, 1e-2, "%s, pair %d: energy", methods[i], k); /* of impacts */
      for (int j = 0; j < 3; j++) {
        const double sum = s->v[j] + 2 * s->v[6 + j];
        CHECK_NEAR(sum, j == 0 ? .2 : 0.0, 1e-12, "%s, pair %d: momentum", methods[i], k);
      }
      if (fabs(s->v[2] + 1.0) < .1) fail_msg("%s, pair %d: they did not meet", methods[i], k);
      trm_sim_free(sim);
      typed_close(&m);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rates_of_gaps_follow_the_motion),
    cmocka_unit_test(what_falls_on_a_beam_stays_there),
    cmocka_unit_test(collisions_keep_what_they_have_to),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
