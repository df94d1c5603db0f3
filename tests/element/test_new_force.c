/* test_new_force.c - a force between two markers in one file, as docs/dev/add-an-element.md says.
 *
 * Two points attract each other by the square of their distance; r = x_B - x_A, l = |r|:
 *   f_B = -strength r/l^3,   V = -strength/l                                               (1)
 *   df_B = -strength (dr/l^3 - 3 r (r.dr)/l^5),   dr = dx_B - dx_A                          (2) */
#include "element/assembled.h"
#include "elements/force/marker_pairs.h"

/* ---- the force ------------------------------------------------------------------------------ */

typedef struct magnet {
  trmi_pair pair; /* first */
  double    strength;
} magnet;

static trm_status law(trmi_pair *pair, const trm_plugin_input *at, bool wants_derivative,
                      trm_error *err) {
  const magnet *m = (const magnet *)pair;
  const trmi_vec3 r = v3_sub(v3_load(at->B.x), v3_load(at->A.x));
  const trmi_vec3 r_rate = v3_sub(v3_load(at->B.v), v3_load(at->A.v));
  const double l = v3_norm(r), l3 = l * l * l;
  if (!(l > 0.0)) return trm_fail(err, TRM_RETRY_DOMAIN, pair->object, "its points meet");
  pair->load.force = v3_scale(-m->strength / l3, r); /* (1) */
  pair->load.torque = v3(0, 0, 0);
  pair->load.potential = -m->strength / l;
  pair->load.potential_rate = m->strength * v3_dot(r, r_rate) / l3;
  if (!wants_derivative) return TRM_OK;
  double(*const D)[TRM_PLUGIN_COLUMNS] = pair->load.derivative; /* zero but for positions */
  const double list[3] = {r.x, r.y, r.z};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) { /* (2) */
      D[i][12 + k] = -m->strength * ((i == k) / l3 - 3.0 * list[i] * list[k] / (l3 * l * l));
      D[i][k] = -D[i][12 + k];
    }
  }
  return TRM_OK;
}

static void add_magnet(assembled *m, trmi_pairs *pairs, int A, trmi_vec3 s_a, int B, trmi_vec3 s_b,
                       double strength) {
  static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  magnet *f = TRMI_TAKE(&m->a->arena, magnet, 1);
  assert_non_null(f);
  f->strength = strength;
  f->pair.law = law;
  snprintf(f->pair.object, sizeof f->pair.object, "force 'magnet'");
  f->pair.sides[0] = (trmi_pair_side){.body = A, .s = s_a};
  f->pair.sides[1] = (trmi_pair_side){.body = B, .s = s_b};
  for (int k = 0; k < 2; k++) memcpy(f->pair.sides[k].E, axes, sizeof axes);
  trmi_pairs_add(pairs, &f->pair);
}

/* ---- its tests ------------------------------------------------------------------------------ */

static const double J[9] = {1.2, 0, 0, 0, 0.9, 0, 0, 0, 1.5};

static void blocks_match_differences_on_bodies_points_and_the_ground(void **state) {
  (void)state;
  uint64_t seed = 5;
  assembled m = assembled_open("magnets", v3(0.1, 0.2, -9.81));
  const int a = assembled_body(&m, "a", 2.0, J, (double[]){1, 0, 0, 1, 0, 0, 0}, NULL);
  const int b = assembled_body(&m, "b", 1.0, J, (double[]){-1, 2, 0, 1, 0, 0, 0}, NULL);
  const int p = assembled_body(&m, "p", 0.5, NULL, (double[]){0, -2, 1}, NULL);
  trmi_pairs *pairs = trmi_pairs_create(m.a, m.carriers, ASSEMBLED_PAIRS);
  assert_non_null(pairs);
  add_magnet(&m, pairs, a, v3(0.1, 0.2, 0.3), b, v3(-0.2, 0.1, 0.4), 1.7);
  add_magnet(&m, pairs, b, v3(0.3, 0, 0.1), p, v3(0, 0, 0), 0.8);
  add_magnet(&m, pairs, 0, v3(0, 0, 3), a, v3(0, 0.5, 0), 2.2);
  assembled_close(&m);
  for (int k = 0; k < 3; k++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &m.system->arena.allocator);
    const trm_state s = assembled_state(&m, &arena, &seed);
    assembled_check_blocks(&m, &s);
    trmi_arena_clear(&arena);
  }
  trm_system_free(m.system);
}

/* m v^2/2 = strength/l at every l: with 2, m = 1 and l = 1 at the start l = (1 + 3 t)^(2/3). */
static void a_mass_without_energy_just_escapes(void **state) {
  (void)state;
  assembled m = assembled_open("escape", v3(0, 0, 0));
  const int p = assembled_body(&m, "p", 1.0, NULL, (double[]){0.6, 0, 0.8},
                               (double[]){1.2, 0, 1.6});
  trmi_pairs *pairs = trmi_pairs_create(m.a, m.carriers, 1);
  assert_non_null(pairs);
  add_magnet(&m, pairs, 0, v3(0, 0, 0), p, v3(0, 0, 0), 2.0);
  assembled_close(&m);
  trm_options o = trm_options_default();
  o.integrator = "radau";
  o.tolerance = 1e-11;
  o.end = 7.0 / 3.0;
  trm_sim *sim = kit_sim(m.system, &o);
  kit_run(sim);
  const double *q = trm_sim_state(sim)->q;
  /* tolerance 1e-11, some dozens of steps */
  CHECK_NEAR(q[0], 4.0 * 0.6, 1e-8, "x");
  CHECK_NEAR(q[2], 4.0 * 0.8, 1e-8, "z");
  trm_sim_free(sim);
  trm_system_free(m.system);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_match_differences_on_bodies_points_and_the_ground),
    cmocka_unit_test(a_mass_without_energy_just_escapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
