/* test_contact_rejections.c - attempts that are rejected leave no trace in contacts: between any
 * two steps a run looks at states elsewhere, in which others touch, rejects them, and ends with the
 * same bits. Of groups these states lie beyond the skins, 2 mm: pairs get places in them, which
 * they give back. */
#include "methods.h"
#include "verify/typed.h"
#include <math.h>

#define LAW "stiffness: 1e7, restitution: .5, friction: {static: .4, dynamic: .3}"
static const char bodies[] =
    "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  ground: {shapes: {floor: {plane: {}}}}\n"
    "  b1: {mass: .5, inertia: [5e-4, 5e-4, 5e-4], at: [0, 0, .051], velocity: [.3, 0, 0],\n"
    "       shape: {sphere: {radius: .05}}}\n"
    "  b2: {mass: .4, inertia: [5e-4, 6e-4, 5e-4], at: [.12, 0, .06], velocity: [-.3, 0, 0],\n"
    "       shape: {ellipsoid: {radii: [.06, .05, .04]}}}\n"
    "  b3: {mass: .3, inertia: [5e-4, 5e-4, 5e-4], at: [.05, .09, .07],\n"
    "       shape: {sphere: {radius: .05}}}\n";
static const char *const contacts[] = {
  "contacts: {c12: {between: [b1, b2], " LAW "}, c13: {between: [b1, b3], " LAW "},\n"
  "           c23: {between: [b2, b3], " LAW "}, g1: {between: [b1, ground], " LAW "},\n"
  "           g2: {between: [b2, ground], " LAW "}, g3: {between: [b3, ground], " LAW "}}\n",
  "groups: {balls: {members: [b1, b3]}, all: {members: ['b*']}}\n"
  "contacts: {heap: {between: [balls, all], " LAW "}, floor: {between: [all, ground], " LAW "}}\n"};
enum { BODIES = 3, NV = 6 * BODIES, NQ = 7 * BODIES, NX = 100 };

/* An attempt that ends up to `far` from here, and is rejected. */
static void look_elsewhere(trm_sim *sim, double far, uint64_t *seed) {
  trm_system *sys = (trm_system *)trm_sim_system(sim);
  const trm_state *at = trm_sim_state(sim);
  trm_error err = {.message = ""};
  double q[NQ], v[NV], dpi[NV], motion[NV], d[NX], gaps[3 * NX];
  assert_true(trm_system_sizes(sys)->nx <= NX && trm_system_sizes(sys)->ngaps <= NX);
  for (int i = 0; i < NV; i++) {
    dpi[i] = far * kit_random(seed);
    v[i] = at->v[i] + kit_random(seed);
  }
  trm_system_retract(sys, at->q, dpi, q);
  trm_state s = *at;
  s.q = q, s.v = v, s.t += 1e-3;
  if (sys->ops->begin_step != NULL) {
    CHECK_OK(sys->ops->begin_step(sys->self, at, 1e-3, &err), err);
  }
  const trm_values out = {.motion = motion, .d = d, .gaps = gaps};
  CHECK_OK(trm_system_values(sys, &s, &out, &err), err);
  if (sys->ops->reject_step != NULL) sys->ops->reject_step(sys->self);
  CHECK_OK(trm_system_values(sys, at, &out, &err), err);
}

static void rejected_attempts_leave_no_trace(void **state) {
  (void)state;
  for (int k = 0; k < 2 * all_methods(); k++) {
    const char *method = methods[k / 2];
    char text[3000];
    trm_error err = {.message = ""};
    uint64_t seed = (uint64_t)k + 1;
    int touched = 0;
    snprintf(text, sizeof text, "%s%soutputs: {n: %s}\nsimulate: {end: .2}\n", bodies,
             contacts[k % 2], k % 2 == 0 ? "c12.touching + g1.touching" : "heap.touching");
    typed m = typed_text(text, "rejections", NULL);
    trm_sim *plain = typed_sim(&m, method, 1e-5), *other = typed_sim(&m, method, 1e-5);
    for (bool done = false; !done;) {
      double n = 0.0;
      look_elsewhere(other, .04, &seed);
      CHECK_OK(trm_sim_step(plain, &done, &err), err);
      CHECK_OK(trm_sim_step(other, &done, &err), err);
      CHECK_OK(trm_sim_outputs(plain, &n, &err), err);
      touched += n > 0.0;
      const trm_state *a = trm_sim_state(plain), *b = trm_sim_state(other);
      if (a->t != b->t || memcmp(a->q, b->q, NQ * sizeof *a->q) != 0 ||
          memcmp(a->v, b->v, NV * sizeof *a->v) != 0) {
        fail_msg("%s, %s: other bits at %.17g s", method, k % 2 == 0 ? "pairs" : "groups", a->t);
      }
    }
    assert_true(touched > 3);
    trm_sim_free(plain), trm_sim_free(other);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rejected_attempts_leave_no_trace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
