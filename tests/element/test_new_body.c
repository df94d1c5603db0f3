/* test_new_body.c - the body of modal_body.h, alone and with joints and forces on its markers. */
#include "element/modal_body.h"
#include "elements/force/marker_pairs.h"
#include "elements/joint/links.h"

/* ---- rows ----------------------------------------------------------------------------------- */

#define ROWS(list) .rows = (list), .nrows = (int)(sizeof(list) / sizeof *(list))
static const trmi_row hinge[] = {{.kind = TRMI_ROW_POINT}, {.kind = TRMI_ROW_DOT, .a = 0, .b = 2},
                                 {.kind = TRMI_ROW_DOT, .a = 1, .b = 2}};
static const trmi_row slider[] = {{.kind = TRMI_ROW_ALONG, .a = 1},
                                  {.kind = TRMI_ROW_ALONG, .a = 2},
                                  {.kind = TRMI_ROW_DOT, .a = 0, .b = 1}};
static const trmi_row rod[] = {{.kind = TRMI_ROW_DISTANCE}};
static const trmi_row twist[] = {{.kind = TRMI_ROW_TWIST}};
static const trmi_row ball[] = {{.kind = TRMI_ROW_POINT}};

static void add_link(assembled *m, trmi_links *links, trmi_link link, int A, int B) {
  memcpy(link.E_a, identity, sizeof identity);
  memcpy(link.E_b, identity, sizeof identity);
  link.m_a[0] = link.m_b[0] = 1.0;
  link.length = 1.3, link.offset = 0.1;
  const int count = trmi_rows_size(link.rows, link.nrows);
  trmi_links_add(links, &link, A, B, assembled_claim(m, TRM_LAM, "row", count), "joint");
}

/* f = -20 r - 3 r', t = -0.7 w, of B relative to A; the damping of f only with `is_damped`. */
static trm_status law(trmi_pair *pair, const trm_plugin_input *at, bool wants_derivative,
                      trm_error *err) {
  const trmi_vec3 r = v3_sub(v3_load(at->B.x), v3_load(at->A.x));
  const trmi_vec3 r1 = v3_sub(v3_load(at->B.v), v3_load(at->A.v));
  const trmi_vec3 w = v3_sub(v3_load(at->B.w), v3_load(at->A.w));
  (void)err;
  pair->load.force = v3_neg(v3_add(v3_scale(20.0, r), v3_scale(3.0, r1)));
  pair->load.torque = v3_scale(-0.7, w);
  pair->load.potential = 10.0 * v3_dot(r, r);
  pair->load.potential_rate = 20.0 * v3_dot(r, r1);
  for (int k = 0; k < 3 && wants_derivative; k++) {
    double(*const D)[TRM_PLUGIN_COLUMNS] = pair->load.derivative;
    D[k][12 + k] = -20.0, D[k][k] = 20.0;
    D[k][18 + k] = -3.0, D[k][6 + k] = 3.0;
    D[3 + k][21 + k] = -0.7, D[3 + k][9 + k] = 0.7;
  }
  return TRM_OK;
}

static void add_force(assembled *m, trmi_pairs *pairs, int A, int B, trmi_vec3 s_b) {
  trmi_pair *pair = TRMI_TAKE(&m->a->arena, trmi_pair, 1);
  assert_non_null(pair);
  pair->law = law;
  pair->sides[0] = (trmi_pair_side){.body = A, .s = v3(0.1, 0, 0.2)};
  pair->sides[1] = (trmi_pair_side){.body = B, .s = s_b};
  memcpy(pair->sides[0].E, identity, sizeof identity);
  memcpy(pair->sides[1].E, identity, sizeof identity);
  trmi_pairs_add(pairs, pair);
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* v . motion is the rate of all energy less the power put in, at any state without multipliers. */
static void check_power(assembled *m, const trm_state *s) {
  static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
  static assembled_values at[4], here;
  double energy[4], power = 0.0;
  for (int k = 0; k < 4; k++) {
    assembled_ahead(m, s, 1e-4 * steps[k], &at[k]);
    energy[k] = at[k].energy[0] + at[k].energy[1];
  }
  assembled_ahead(m, s, 0.0, &here);
  for (int i = 0; i < m->system->n.nv; i++) power += s->v[i] * here.motion[i];
  /* 1e-16 times energies of about 50, over the step */
  CHECK_NEAR(kit_slope(energy, 1e-4), power + here.energy[2], 1e-8, "power");
}

static void check_all(assembled *m, uint64_t seed) {
  for (int k = 0; k < 3; k++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &m->system->arena.allocator);
    trm_state s = assembled_state(m, &arena, &seed);
    assembled_check_blocks(m, &s);
    assembled_check_rates(m, &s);
    for (int i = 0; i < m->system->n.ng; i++) s.lam[i] = 0.0;
    check_power(m, &s);
    trmi_arena_clear(&arena);
  }
  trm_system_free(m->system);
}

static void a_free_body_has_exact_blocks_and_keeps_its_energy(void **state) {
  (void)state;
  const modal like = sample();
  assembled m = assembled_open("modal", gravity);
  (void)add_modal(&m, &like);
  assembled_close(&m);
  check_all(&m, 3);
}

static void every_row_is_exact_on_markers_that_map(void **state) {
  (void)state;
  const trmi_link kinds[] = {{ROWS(hinge)}, {ROWS(slider)}, {ROWS(rod)}, {ROWS(twist)}};
  const modal like = sample();
  for (int k = 0; k < 4 * 4; k++) { /* with a rigid body, the ground, each other, in turns */
    assembled m = assembled_open("links", gravity);
    const int rigid = assembled_body(&m, "rigid", 2.0, J_rigid, (double[]){1, 0.5, 0, 1, 0, 0, 0},
                                     NULL);
    const int point = assembled_body(&m, "p", 1.5, NULL, (double[]){0, 1, 0}, NULL);
    const modal *b = add_modal(&m, &like);
    trmi_links *links = trmi_links_create(m.a, m.carriers, ASSEMBLED_LINKS);
    assert_non_null(links);
    trmi_link link = kinds[k % 4];
    const int first = b->markers[0].carrier, second = b->markers[1].carrier;
    const int A = k / 4 == 0 ? rigid : k / 4 == 1 ? 0 : k / 4 == 2 ? second : first;
    const int B = k / 4 == 3 ? rigid : first;
    link.s_a = v3(0.2, 0.1, -0.3), link.s_b = v3(0.05, -0.2, 0.1);
    add_link(&m, links, link, A, B);
    add_link(&m, links, (trmi_link){ROWS(ball)}, point, second);
    add_link(&m, links, (trmi_link){ROWS(rod)}, 0, rigid); /* the usual path beside it */
    assembled_close(&m);
    check_all(&m, (uint64_t)(10 + k));
  }
}

static void forces_are_exact_on_markers_that_map(void **state) {
  (void)state;
  const modal like = sample();
  assembled m = assembled_open("forces", gravity);
  const int rigid = assembled_body(&m, "rigid", 2.0, J_rigid, (double[]){1, 0.5, 0, 1, 0, 0, 0},
                                   NULL);
  const int point = assembled_body(&m, "p", 1.5, NULL, (double[]){0, 1, 0}, NULL);
  const modal *b = add_modal(&m, &like);
  trmi_pairs *pairs = trmi_pairs_create(m.a, m.carriers, ASSEMBLED_PAIRS);
  assert_non_null(pairs);
  const int first = b->markers[0].carrier, second = b->markers[1].carrier;
  add_force(&m, pairs, rigid, first, v3(0.1, 0.2, 0.3));
  add_force(&m, pairs, first, rigid, v3(-0.1, 0.2, 0));
  add_force(&m, pairs, second, first, v3(0, 0, 0));
  add_force(&m, pairs, 0, second, v3(0, 0.3, 0));
  add_force(&m, pairs, second, point, v3(0, 0, 0));
  add_force(&m, pairs, rigid, point, v3(0, 0, 0)); /* the usual path beside them */
  assembled_close(&m);
  check_all(&m, 7);
}

/* Without shapes the masses are a rigid body: a pendulum of both kinds moves the same way. */
static void a_body_without_shapes_is_rigid(void **state) {
  (void)state;
  modal like = sample();
  double J[9] = {0.0}, mass = 0.0, end[2][7];
  trmi_vec3 com = v3(0, 0, 0);
  for (int i = 0; i < POINTS; i++) {
    like.points[i].phi[0] = like.points[i].phi[1] = v3(0, 0, 0);
    com = v3_add(com, v3_scale(like.mass[i], like.points[i].s));
    mass += like.mass[i];
  }
  com = v3_scale(1.0 / mass, com);
  for (int i = 0; i < POINTS; i++) {
    const trmi_vec3 r = v3_sub(like.points[i].s, com);
    const double list[3] = {r.x, r.y, r.z};
    for (int k = 0; k < 9; k++) {
      J[k] += like.mass[i] * ((k % 4 == 0) * v3_dot(r, r) - list[k / 3] * list[k % 3]);
    }
  }
  like.markers[0].at = (shape){.s = {0, 0, 0.5}, .a = {1, 0, 0}};
  like.nmarkers = 1;
  const double v0[N] = {0, 0, 0, 0.4, 0.3, 2.0};
  for (int k = 0; k < 2; k++) {
    assembled m = assembled_open("pendulum", gravity);
    int carrier;
    trmi_vec3 s = v3(0, 0, 0);
    if (k == 0) {
      trmi_body_part part = {.kind = TRMI_CARRIER_BODY, .q0 = like.q0, .v0 = v0,
                             .inertia = trmi_inertia_make(mass, com, J)};
      part.q = assembled_claim(&m, TRM_Q, "rigid", 7);
      part.v = assembled_claim(&m, TRM_V, "rigid", 6);
      trmi_assembly_rotation(m.a, part.v + 3);
      carrier = trmi_bodies_add(m.bodies, &part);
      s = like.markers[0].at.s;
    } else {
      memcpy(like.v0, v0, sizeof v0);
      like.q0[7] = like.q0[8] = 0.0;
      carrier = add_modal(&m, &like)->markers[0].carrier;
    }
    trmi_links *links = trmi_links_create(m.a, m.carriers, 2);
    assert_non_null(links);
    trmi_link link = {ROWS(ball), .s_b = s};
    link.s_a = v3_add(v3_load(like.q0), v3(0, 0, 0.5));
    add_link(&m, links, link, 0, carrier);
    assembled_close(&m);
    trm_options o = trm_options_default();
    o.integrator = "radau";
    o.tolerance = 1e-10;
    o.end = 1.0;
    trm_sim *sim = kit_sim(m.system, &o);
    kit_run(sim);
    memcpy(end[k], trm_sim_state(sim)->q, sizeof end[k]);
    trm_sim_free(sim);
    trm_system_free(m.system);
  }
  for (int i = 0; i < 7; i++) CHECK_NEAR(end[1][i], end[0][i], 1e-8, "tolerance 1e-10: q %d", i);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_free_body_has_exact_blocks_and_keeps_its_energy),
    cmocka_unit_test(every_row_is_exact_on_markers_that_map),
    cmocka_unit_test(forces_are_exact_on_markers_that_map),
    cmocka_unit_test(a_body_without_shapes_is_rigid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
