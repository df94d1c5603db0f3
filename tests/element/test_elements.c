/* test_elements.c - what must hold for every element: derivatives, rates, powers, rigid motions,
 * names. Loops over the registries; a new element needs a sample (samples.h). */
#include "element/samples.h"
#include "elements/force/force_types.h"
#include "elements/joint/joint_types.h"
#include "math/so3.h"
#include "verify/typed.h"

enum { STATES = 3 };

/* An open sample at a random state that satisfies nothing in particular. */
typedef struct bench {
  const element_sample *sample;
  typed   m;
  point   p;
  const trm_sizes *n;
} bench;

static void random_state(bench *b, uint64_t *seed) {
  trm_state *s = &b->p.s;
  double dpi[TYPED_MAX];
  for (int i = 0; i < b->n->nv; i++) {
    dpi[i] = 0.3 * kit_random(seed);
    s->v[i] = kit_random(seed);
    s->vd[i] = kit_random(seed);
  }
  trm_system_retract(b->m.system, s->q, dpi, s->q);
  for (int i = 0; i < b->n->ng; i++) s->lam[i] = kit_random(seed);
  for (int i = 0; i < b->n->na; i++) s->mu[i] = kit_random(seed);
  for (int i = 0; i < b->n->nw; i++) s->w[i] = kit_random(seed);
  for (int i = 0; i < b->n->nx; i++) s->x[i] = .6 * kit_random(seed), s->xd[i] = kit_random(seed);
  s->t = 0.7;
}

/* The start as it is written, not assembled: elements must be right off their constraints too. */
static void open_bench(bench *b, const element_sample *sample, const char *more, uint64_t *seed) {
  char text[4000];
  trm_error err = {.message = ""};
  snprintf(text, sizeof text, "%s%s%s", sample_bodies, more, sample->text);
  b->sample = sample;
  b->m = typed_text(text, sample->type, NULL);
  b->n = trm_system_sizes(b->m.system);
  point_clear(&b->p);
  CHECK_OK(trmi_system_start(b->m.system, &b->p.s, &err), err);
  random_state(b, seed);
}

/* States follow from the sample alone: a new one changes none of the others. */
static void for_all_samples(const char *more, void (*check)(bench *)) {
  const bool is_shown = getenv("TRM_SHOW_SAMPLES") != NULL; /* which elements are visited */
  for (int i = 0; i < SAMPLES; i++) {
    if (is_shown) print_message("visited %s %s\n", samples[i].section, samples[i].type);
    uint64_t seed = kit_seed(samples[i].text);
    for (int k = 0; k < STATES; k++) {
      bench b;
      open_bench(&b, &samples[i], more, &seed);
      check(&b);
      typed_close(&b.m);
    }
  }
}

static const char with_gravity[] = "gravity: [.3, -.7, -9.81]\n";

/* ---- registries ---------------------------------------------------------------------------- */

static bool has_sample(const char *section, const char *type) {
  for (int i = 0; i < SAMPLES; i++) {
    if (strcmp(samples[i].section, section) == 0 && strcmp(samples[i].type, type) == 0) return true;
  }
  return false;
}

static void every_element_has_a_sample(void **state) {
  (void)state;
  for (int i = 0; trmi_joint_type_at(i) != NULL; i++) {
    const trmi_joint_type *type = trmi_joint_type_at(i);
    if (!has_sample("joints", type->name)) fail_msg("joint '%s' has no sample", type->name);
  }
  for (int i = 0; trmi_force_type_at(i) != NULL; i++) {
    const trmi_force_type *type = trmi_force_type_at(i);
    if (!has_sample("forces", type->name)) fail_msg("force '%s' has no sample", type->name);
  }
  for (int n = 2; n <= TRMI_BEAM_NODES; n++) {
    const char type[2] = {(char)('0' + n), '\0'};
    if (!has_sample("beams", type)) fail_msg("beams of %d nodes have no sample", n);
  }
}

/* ---- derivatives --------------------------------------------------------------------------- */

static void check_blocks(bench *b) {
  trm_block_check worst[TRM_BLOCKS];
  trm_error err = {.message = ""};
  CHECK_OK(trm_system_check_blocks(b->m.system, &b->p.s, worst, &err), err);
  for (int k = 0; k < TRM_BLOCKS; k++) {
    /* central differences with a step of 6e-6 on numbers of size one to ten: 1e-10 each way */
    CHECK_NEAR(worst[k].error, 0.0, 1e-8, "%s %s: block %s (%d, %d): given %.9g, difference %.9g",
               b->sample->section, b->sample->type, trm_block_name((trm_block)k), worst[k].row,
               worst[k].col, worst[k].given, worst[k].difference);
  }
}

static void blocks_match_central_differences(void **state) {
  (void)state;
  for_all_samples(with_gravity, check_blocks);
}

/* The numbers of a system a time h along its motion. */
typedef struct ahead {
  double g[TYPED_MAX], g_rate[TYPED_MAX], g_bias[TYPED_MAX], motion[TYPED_MAX], energy[3];
  double a_rate[TYPED_MAX], a_bias[TYPED_MAX];
} ahead;

static void evaluate(bench *b, double h, ahead *out) {
  trm_error err = {.message = ""};
  point p = b->p;
  double dpi[TYPED_MAX], *const lists[11] = {p.room[0], p.room[1], p.room[2], p.room[3],
                                             p.room[4], p.room[5], p.room[6], p.room[7],
                                             p.room[8], p.room[9], p.room[10]};
  trm_state *s = &p.s;
  s->q = lists[0], s->v = lists[1], s->vd = lists[2], s->lam = lists[3], s->mu = lists[4];
  s->x = lists[5], s->xd = lists[6], s->w = lists[7], s->z = lists[8];
  s->u = lists[9], s->ud = lists[10];
  for (int i = 0; i < b->n->nv; i++) {
    dpi[i] = h * (s->v[i] + 0.5 * h * s->vd[i]);
    s->v[i] += h * s->vd[i];
  }
  trm_system_retract(b->m.system, s->q, dpi, s->q);
  s->t += h;
  const trm_values values = {.g = out->g, .g_rate = out->g_rate, .g_bias = out->g_bias,
                             .motion = out->motion, .energy = out->energy,
                             .a_rate = out->a_rate, .a_bias = out->a_bias};
  CHECK_OK(trm_system_values(b->m.system, s, &values, &err), err);
}

/* The numbers at -2h, -h, h, 2h, and the slope of one of them over the time. */
typedef struct course {
  ahead at[4];
} course;

static const double course_step = 1e-4;

static void evaluate_course(bench *b, course *c) {
  static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
  for (int i = 0; i < 4; i++) evaluate(b, steps[i] * course_step, &c->at[i]);
}

#define SLOPE(c, number)                                                           \
  kit_slope((const double[4]){(c).at[0].number, (c).at[1].number, (c).at[2].number, \
                              (c).at[3].number}, course_step)

/* G v' from the motion itself: the residual changes by G^T lam, so v'.G^T e_k is a row of G v'. */
static double row_times_acceleration(bench *b, bool is_rolling, int row) {
  double *list = is_rolling ? b->p.s.mu : b->p.s.lam;
  const double kept = list[row];
  ahead with, without;
  list[row] = 1.0;
  evaluate(b, 0.0, &with);
  list[row] = 0.0;
  evaluate(b, 0.0, &without);
  list[row] = kept;
  double sum = 0.0;
  for (int i = 0; i < b->n->nv; i++) sum += (with.motion[i] - without.motion[i]) * b->p.s.vd[i];
  return sum;
}

static void check_rates(bench *b) {
  const double tol = 1e-9; /* h^4/30 times fifth derivatives up to 1e8; rounding 1e-11 */
  course c;
  ahead at;
  evaluate_course(b, &c);
  evaluate(b, 0.0, &at);
  for (int k = 0; k < b->n->ng; k++) {
    CHECK_NEAR(at.g_rate[k], SLOPE(c, g[k]), tol, "%s: rate of row %d",
               b->sample->type, k);
    CHECK_NEAR(at.g_bias[k] + row_times_acceleration(b, false, k), SLOPE(c, g_rate[k]), tol,
               "%s: bias of row %d", b->sample->type, k);
  }
  for (int k = 0; k < b->n->na; k++) {
    CHECK_NEAR(at.a_bias[k] + row_times_acceleration(b, true, k), SLOPE(c, a_rate[k]), tol,
               "%s: bias of rolling row %d", b->sample->type, k);
  }
}

static void rates_follow_the_motion(void **state) {
  (void)state;
  for_all_samples(with_gravity, check_rates);
}

/* ---- power --------------------------------------------------------------------------------- */

/* dE/dt = power put in + v.residual - lam.(G v + g_t): what is left of the residual does work, and
 * the reactions do where the rows are not satisfied. */
static void check_power(bench *b) {
  const double tol = 1e-8; /* as above; energies are ten times larger */
  course c;
  ahead at;
  evaluate_course(b, &c);
  evaluate(b, 0.0, &at);
  double right = at.energy[2];
  for (int i = 0; i < b->n->nv; i++) right += b->p.s.v[i] * at.motion[i];
  for (int k = 0; k < b->n->ng; k++) right -= b->p.s.lam[k] * at.g_rate[k];
  CHECK_NEAR(SLOPE(c, energy[0]) + SLOPE(c, energy[1]), right, tol, "%s %s: power",
             b->sample->section, b->sample->type);
}

static void powers_balance(void **state) {
  (void)state;
  for_all_samples(with_gravity, check_power);
}

/* ---- mass ---------------------------------------------------------------------------------- */

/* M u from the residual: two accelerations that differ by u. */
static void mass_times(bench *b, const double *u, double *out) {
  ahead at, without;
  double kept[TYPED_MAX];
  evaluate(b, 0.0, &without);
  memcpy(kept, b->p.s.vd, sizeof kept);
  for (int i = 0; i < b->n->nv; i++) b->p.s.vd[i] += u[i];
  evaluate(b, 0.0, &at);
  memcpy(b->p.s.vd, kept, sizeof kept);
  for (int i = 0; i < b->n->nv; i++) out[i] = at.motion[i] - without.motion[i];
}

static double product(const double *a, const double *c, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += a[i] * c[i];
  return sum;
}

static void check_mass(bench *b) {
  uint64_t seed = 11;
  double u[TYPED_MAX], y[TYPED_MAX], Mu[TYPED_MAX], My[TYPED_MAX];
  for (int k = 0; k < 10; k++) {
    for (int i = 0; i < b->n->nv; i++) u[i] = kit_random(&seed), y[i] = kit_random(&seed);
    mass_times(b, u, Mu);
    mass_times(b, y, My);
    /* sums of twenty terms of size ten */
    CHECK_NEAR(product(y, Mu, b->n->nv), product(u, My, b->n->nv), 1e-12, "%s: symmetry",
               b->sample->type);
    assert_true(product(u, Mu, b->n->nv) > 0.0);
  }
}

static void the_mass_is_symmetric_and_positive(void **state) {
  (void)state;
  for_all_samples(with_gravity, check_mass);
}

/* ---- rigid motion -------------------------------------------------------------------------- */

static const double turn_p[4] = {0.7071067811865476, 0.3, -0.5, 0.4}; /* normalized below */

static void turn3(const double R[9], double *v) {
  v3_store(v, m3_mul(R, v3_load(v)));
}

/* Rows of a POINT are ground components and turn with everything else. */
static void turn_rows(const bench *b, const double R[9], double *rows) {
  const trmi_joint_type *type = strcmp(b->sample->section, "joints") == 0
                                    ? trmi_joint_type_find(b->sample->type)
                                    : NULL;
  if (type != NULL && type->nrows > 0 && type->rows[0].kind == TRMI_ROW_POINT) turn3(R, rows);
}

/* Bodies follow each other in q and v: two with rotations, the point, then nodes of a beam. */
enum { POINT = 2 };

static int first_q(int body) {
  return body <= POINT ? 7 * body : 7 * body - 4;
}

static int first_v(int body) {
  return body <= POINT ? 6 * body : 6 * body - 3;
}

static int count_bodies(const bench *b) {
  const bool has_nodes = strcmp(b->sample->section, "beams") == 0;
  return POINT + 1 + (has_nodes ? (b->n->nv - first_v(POINT + 1)) / 6 : 0);
}

static void check_rigid_motion(bench *b) {
  if (b->sample->hold == FIXED) return;
  double p[4], R[9];
  ahead before, after;
  trm_state *s = &b->p.s;
  memcpy(p, turn_p, sizeof p);
  trmi_quat_normalize(p);
  trmi_quat_matrix(p, R);
  evaluate(b, 0.0, &before);
  for (int i = 0; i < count_bodies(b); i++) {
    const int iq = first_q(i), iv = first_v(i);
    turn3(R, s->q + iq);
    turn3(R, s->v + iv);
    turn3(R, s->vd + iv);
    if (i != POINT) trmi_quat_mul(p, s->q + iq + 3, s->q + iq + 3);
    s->q[iq] += 3.0;
    turn3(R, before.motion + iv);
  }
  turn_rows(b, R, s->lam);
  turn_rows(b, R, before.g);
  evaluate(b, 0.0, &after);
  for (int k = 0; k < b->n->ng; k++) { /* rounding of a shift by three */
    CHECK_NEAR(after.g[k], before.g[k], 1e-13, "%s: row %d", b->sample->type, k);
  }
  for (int i = 0; i < b->n->nv; i++) {
    CHECK_NEAR(after.motion[i], before.motion[i], 1e-12, "%s: motion %d", b->sample->type, i);
  }
}

static void a_rigid_motion_changes_nothing(void **state) {
  (void)state;
  for_all_samples("", check_rigid_motion);
}

/* ---- names --------------------------------------------------------------------------------- */

static void check_names(bench *b) {
  static const trm_quantity lists[] = {TRM_Q, TRM_V, TRM_LAM, TRM_MU, TRM_W};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    const int count = trm_system_count(b->m.system, lists[k]);
    for (int i = 0; i < count; i++) {
      trm_label label, other;
      trm_system_label(b->m.system, lists[k], i, &label);
      assert_true(label.name[0] != '\0' && label.object[0] != '\0');
      for (int j = 0; j < i; j++) {
        trm_system_label(b->m.system, lists[k], j, &other);
        assert_string_not_equal(label.name, other.name);
      }
    }
  }
  trm_label row;
  for (int i = 0; i < b->n->ng; i++) { /* a message must be able to blame it */
    trm_system_label(b->m.system, TRM_LAM, i, &row);
    assert_true(strstr(row.object, "'s'") != NULL || strstr(row.object, "'drive") != NULL ||
                strstr(row.object, "'r") != NULL);
  }
}

static void every_unknown_and_row_has_a_name(void **state) {
  (void)state;
  for_all_samples("", check_names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_element_has_a_sample),
    cmocka_unit_test(blocks_match_central_differences),
    cmocka_unit_test(rates_follow_the_motion),
    cmocka_unit_test(powers_balance),
    cmocka_unit_test(the_mass_is_symmetric_and_positive),
    cmocka_unit_test(a_rigid_motion_changes_nothing),
    cmocka_unit_test(every_unknown_and_row_has_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
