/* test_new_joint.c - a joint in one file, as docs/dev/add-an-element.md says.
 *
 * A point P of a body stays on the surface of an ellipsoid around the origin of the ground, with
 * half axes 1/sqrt(u_i): what a trammel draws, in space. P = x + R s, n = u P:
 *   g = (P.u P - 1)/2,   G = (n, s x R^T n)                                                (1)
 *   g_rate = n.P',   P' = v + R c,   c = w x s                                             (2)
 *   g_bias = P'.u P' + n.R f,   f = w x c                                                  (3)
 * Increments: dP = dx + R (dtheta x s), d(R^T n) = R^T u dP + (R^T n) x dtheta,
 *   dP' = dv + R (dw x s) + R (dtheta x c),   df = dw x c + w x (dw x s)                   (4) */
#include "element/assembled.h"

/* ---- the joint ------------------------------------------------------------------------------ */

typedef struct ellipsoid {
  const trmi_carriers *carriers;
  int       carrier, row;
  trmi_vec3 s, u;
} ellipsoid;

/* P, n and their rates at the present pose. */
typedef struct moment {
  const trmi_pose *at;
  trmi_vec3 P, P1, n, n_b, c, f;
} moment;

static moment moment_of(const ellipsoid *e) {
  moment z = {.at = &e->carriers->poses[e->carrier]};
  z.P = v3_add(z.at->x, m3_mul(z.at->R, e->s));
  z.n = v3_times(e->u, z.P);
  z.n_b = m3_tmul(z.at->R, z.n);
  z.c = v3_cross(z.at->w, e->s);
  z.f = v3_cross(z.at->w, z.c);
  z.P1 = v3_add(z.at->v, m3_mul(z.at->R, z.c));
  return z;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const ellipsoid *e = self;
  const int v = e->carriers->list[e->carrier].v;
  const moment z = moment_of(e);
  (void)err;
  if (out->g != NULL) out->g[e->row] += 0.5 * (v3_dot(z.n, z.P) - 1.0);
  if (out->g_rate != NULL) out->g_rate[e->row] += v3_dot(z.n, z.P1);
  if (out->g_bias != NULL) {
    out->g_bias[e->row] += v3_dot(z.P1, v3_times(e->u, z.P1)) +
                           v3_dot(z.n, m3_mul(z.at->R, z.f)); /* (3) */
  }
  if (out->motion != NULL) {
    v3_accumulate(out->motion + v, v3_scale(s->lam[e->row], z.n));
    v3_accumulate(out->motion + v + 3, v3_scale(s->lam[e->row], v3_cross(e->s, z.n_b)));
  }
  return TRM_OK;
}

static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const ellipsoid *e = self;
  const int v = e->carriers->list[e->carrier].v;
  switch (block) {
  case TRM_G:
  case TRM_GV_Q:
  case TRM_GB_Q:
  case TRM_GB_V:
    if (p != NULL) trm_pattern_dense(p, block, e->row, v, 1, 6);
    return 6;
  case TRM_GY_Q:
    if (p != NULL) trm_pattern_dense(p, block, v, v, 6, 6);
    return 36;
  default: return 0;
  }
}

static void nodes(const void *self, trm_pattern *p) {
  trm_pattern_node(p, TRM_LAM, ((const ellipsoid *)self)->row, 1);
}

/* Column k of all blocks, (4). */
static void fill_column(const ellipsoid *e, const moment *z, int k, double y,
                        double *const values_of[TRM_BLOCKS]) {
  const trmi_vec3 unit = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2), zero = v3(0, 0, 0);
  const trmi_vec3 dx = k < 3 ? unit : zero, turn = k < 3 ? zero : unit;
  const double *R = z->at->R;
  const trmi_vec3 dP = v3_add(dx, m3_mul(R, v3_cross(turn, e->s))), dn = v3_times(e->u, dP);
  const trmi_vec3 u_P1 = v3_times(e->u, z->P1);
  if (values_of[TRM_G] != NULL) values_of[TRM_G][k] = v3_dot(z->n, dP);
  if (values_of[TRM_GV_Q] != NULL) {
    values_of[TRM_GV_Q][k] = v3_dot(dn, z->P1) + v3_dot(z->n_b, v3_cross(turn, z->c));
  }
  if (values_of[TRM_GB_Q] != NULL) {
    values_of[TRM_GB_Q][k] = 2.0 * v3_dot(u_P1, m3_mul(R, v3_cross(turn, z->c))) +
                             v3_dot(dn, m3_mul(R, z->f)) + v3_dot(z->n_b, v3_cross(turn, z->f));
  }
  if (values_of[TRM_GB_V] != NULL) {
    const trmi_vec3 df = v3_add(v3_cross(turn, z->c), v3_cross(z->at->w, v3_cross(turn, e->s)));
    values_of[TRM_GB_V][k] = 2.0 * v3_dot(u_P1, dP) + v3_dot(z->n_b, df);
  }
  if (values_of[TRM_GY_Q] != NULL) {
    const trmi_vec3 dn_b = v3_add(m3_tmul(R, dn), v3_cross(z->n_b, turn));
    double column[6];
    v3_store(column, dn);
    v3_store(column + 3, v3_cross(e->s, dn_b));
    for (int i = 0; i < 6; i++) values_of[TRM_GY_Q][6 * i + k] = y * column[i];
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  const ellipsoid *e = self;
  const moment z = moment_of(e);
  const double y = request->y != NULL ? request->y[e->row] : 0.0;
  (void)s, (void)err;
  for (int k = 0; k < 6; k++) fill_column(e, &z, k, y, request->values);
  return TRM_OK;
}

static const trmi_contributor_ops ellipsoid_ops = {
  .name = "ellipsoid", .rank = TRMI_RANK_JOINTS, .pattern = pattern, .nodes = nodes,
  .values = values, .blocks = blocks,
};

static void add_ellipsoid(assembled *m, int carrier, trmi_vec3 s, trmi_vec3 u) {
  ellipsoid *e = TRMI_TAKE(&m->a->arena, ellipsoid, 1);
  assert_non_null(e);
  *e = (ellipsoid){.carriers = m->carriers, .carrier = carrier, .s = s, .u = u,
                   .row = assembled_claim(m, TRM_LAM, "ellipsoid", 1)};
  trmi_assembly_add(m->a, &ellipsoid_ops, e);
}

/* ---- its tests ------------------------------------------------------------------------------ */

static const double J[9] = {0.12, 0, 0, 0, 0.09, 0, 0, 0, 0.15};
static const double q0[7] = {2, 0, -0.3, 1, 0, 0, 0}, v0[6] = {0, 0.5, 0, 1, 2, 3};

static assembled open_ellipsoid(void) {
  assembled m = assembled_open("ellipsoid", v3(0, 0, -9.81));
  const int body = assembled_body(&m, "b", 2.0, J, q0, v0);
  add_ellipsoid(&m, body, v3(0, 0, 0.3), v3(0.25, 1.0, 0.5)); /* P is at (2, 0, 0) */
  assembled_close(&m);
  return m;
}

static void blocks_and_rates_match_differences(void **state) {
  (void)state;
  uint64_t seed = 7;
  assembled m = open_ellipsoid();
  for (int k = 0; k < 3; k++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &m.system->arena.allocator);
    const trm_state s = assembled_state(&m, &arena, &seed);
    assembled_check_blocks(&m, &s);
    assembled_check_rates(&m, &s);
    trmi_arena_clear(&arena);
  }
  trm_system_free(m.system);
}

/* Nothing dissipates: energy is that of the start, and the point stays on the surface. */
static void energy_and_surface_are_kept(void **state) {
  (void)state;
  assembled m = open_ellipsoid();
  trm_options o = trm_options_default();
  o.integrator = "radau";
  o.tolerance = 1e-10;
  o.end = 2.0;
  trm_sim *sim = kit_sim(m.system, &o);
  trm_error err = {.message = ""};
  double before[3], after[3], g[1];
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                             &(trm_values){.energy = before}, &err), err);
  kit_run(sim);
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                             &(trm_values){.energy = after, .g = g}, &err), err);
  /* tolerance 1e-10 of some hundred steps, energies of about 20 */
  CHECK_NEAR(after[0] + after[1], before[0] + before[1], 1e-6, "energy");
  CHECK_NEAR(g[0], 0.0, 1e-12, "rounding: the surface");
  assert_true(fabs(after[1] - before[1]) > 0.5); /* it has moved */
  trm_sim_free(sim);
  trm_system_free(m.system);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_and_rates_match_differences),
    cmocka_unit_test(energy_and_surface_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
