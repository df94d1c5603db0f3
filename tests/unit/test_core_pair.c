/* test_core_pair.c - nearest points of two cores: against all other points, and how they move
 * against differences. */
#include "unit/kit.h"
#include "elements/contact/core_pair.h"
#include "math/so3.h"
#include <stdbool.h>

/* Segments, boxes, a plate; turned at random, or parallel. */
static trmi_core_pair random_pair(uint64_t *seed, int k) {
  static const double sizes[3][3] = {{0, 0, .3}, {.3, .2, .1}, {.2, .25, 0}};
  trmi_core_pair p = {.bulge = 1e-4};
  for (int side = 0; side < 2; side++) {
    double q[4] = {1, 0, 0, 0}, R[9];
    const bool is_parallel = k % 4 == 0;
    for (int i = 0; i < 4 && !is_parallel; i++) q[i] = kit_random(seed);
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= size;
    trmi_quat_matrix(q, R);
    for (int i = 0; i < 3; i++) p.axis[side][i] = m3_column(R, i);
    for (int i = 0; i < 3; i++) p.size[side][i] = sizes[(side == 0 ? k : k / 3) % 3][i];
    p.c[side] = v3(kit_random(seed), kit_random(seed), kit_random(seed));
  }
  return p;
}

/* F of (1) at given places */
static double value_of(const trmi_core_pair *p, const double at[6]) {
  trmi_vec3 w = v3_sub(p->c[0], p->c[1]);
  double square = 0.0;
  for (int i = 0; i < 6; i++) {
    w = v3_add(w, v3_scale(i < 3 ? at[i] : -at[i], p->axis[i / 3][i % 3]));
    square += at[i] * at[i];
  }
  return .5 * v3_dot(w, w) + .5 * p->bulge * square;
}

/* F is convex: nothing lies below it in any direction if nothing near does. */
static void nothing_is_nearer(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < 3000; k++) {
    const trmi_core_pair p = random_pair(&seed, k);
    trmi_nearest n;
    trmi_core_nearest(&p, &n);
    const double F = .5 * n.d * n.d;
    for (int i = 0; i < 6; i++) assert_true(fabs(n.at[i]) <= p.size[i / 3][i % 3]);
    CHECK_NEAR(value_of(&p, n.at), F, 1e-15, "value, rounding");
    for (int i = 0; i < 40; i++) {
      double at[6];
      const double reach = i < 20 ? 1.0 : 1e-4;
      for (int j = 0; j < 6; j++) {
        const double bound = p.size[j / 3][j % 3];
        at[j] = fmin(fmax(n.at[j] + reach * kit_random(&seed), -bound), bound);
      }
      if (value_of(&p, at) < F - 1e-14) {
        fail_msg("pair %d: %.17g is below %.17g", k, value_of(&p, at), F);
      }
    }
  }
}

/* Core 0 moves by e u and turns by e phi about its middle. */
static trmi_core_pair moved(const trmi_core_pair *p, trmi_vec3 u, trmi_vec3 phi, double e) {
  trmi_core_pair m = *p;
  m.c[0] = v3_add(p->c[0], v3_scale(e, u));
  for (int i = 0; i < 3; i++) { /* second order: exact to e^3 */
    const trmi_vec3 once = v3_cross(phi, p->axis[0][i]), twice = v3_cross(phi, once);
    m.axis[0][i] = v3_add(p->axis[0][i], v3_add(v3_scale(e, once), v3_scale(.5 * e * e, twice)));
  }
  return m;
}

static void changes_match_differences(void **state) {
  (void)state;
  uint64_t seed = 5;
  int seen = 0;
  for (int k = 0; k < 2000; k++) {
    const double e = 1e-7;
    const trmi_core_pair p = random_pair(&seed, k);
    const trmi_vec3 u = v3(kit_random(&seed), kit_random(&seed), kit_random(&seed));
    const trmi_vec3 phi[2] = {v3(kit_random(&seed), kit_random(&seed), kit_random(&seed)),
                              v3(0, 0, 0)};
    const trmi_core_pair plus = moved(&p, u, phi[0], e), minus = moved(&p, u, phi[0], -e);
    trmi_nearest n, a, b;
    double change[6];
    trmi_core_nearest(&p, &n), trmi_core_nearest(&plus, &a), trmi_core_nearest(&minus, &b);
    if (n.d < .05) continue;
    trmi_vec3 arm = v3(0, 0, 0);
    for (int i = 0; i < 3; i++) arm = v3_add(arm, v3_scale(n.at[i], p.axis[0][i]));
    const trmi_vec3 own = v3_add(u, v3_cross(phi[0], arm));
    trmi_core_slide(&p, &n, own, phi, change);
    bool is_smooth = true; /* which places are at bounds */
    for (int i = 0; i < 6; i++) {
      const double bound = p.size[i / 3][i % 3];
      const bool is_free = fabs(n.at[i]) < bound;
      is_smooth = is_smooth && is_free == (fabs(a.at[i]) < bound) &&
                  is_free == (fabs(b.at[i]) < bound);
    }
    if (!is_smooth) continue; /* where they change, second derivatives jump by 1/bulge */
    seen++;
    CHECK_NEAR((a.d - b.d) / (2 * e), v3_dot(n.w, own) / n.d, 1e-6, "pair %d: distance", k);
    for (int i = 0; i < 6; i++) { /* the bulge lets places slide by 1e4 times a turn */
      CHECK_NEAR((a.at[i] - b.at[i]) / (2 * e), change[i], 1e-3 * (1.0 + fabs(change[i])),
                 "pair %d: place %d", k, i);
    }
  }
  assert_true(seen > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_is_nearer),
    cmocka_unit_test(changes_match_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
