/* test_new_contributor.c - a contributor whose pattern changes while it runs, in one file, as
 * docs/dev/add-an-element.md says.
 *
 * Balls push each other apart where they overlap; r = x_B - x_A, l = |r|, e = r/l:
 *   f_B = b p^2 e,   V = b p^3/3,   p = reach - l > 0                                      (1)
 *   df_B = (-2 b p e e^T + b p^2/l (1 - e e^T)) dr                                         (2)
 *   gap = l - reach,   gap' = e.r',   gap'' = e.r'' + (r'.r' - gap'^2)/l                    (3)
 * The blocks have entries of pairs that are near only. A pair that touches inside an attempt and
 * is not among them changes the epoch: patterns are read again, and the attempt is repeated. */
#include "element/assembled.h"
#include "elements/joint/links.h"
#include "methods.h"
#include "trammel/analysis.h"

/* ---- the contributor ------------------------------------------------------------------------ */

enum { BALLS = 4, PAIRS = BALLS * (BALLS - 1) / 2 };

typedef struct balls {
  const trmi_carriers *carriers;
  int    first;         /* carrier of the first ball                          */
  double reach, b;
  double margin;        /* pairs are near up to reach + margin at the end of a step */
  bool   is_full;       /* all pairs are always in the pattern                */
  bool   has_gaps;      /* they are watched                                   */
  int    gap;           /* number of the first                                */
  int    asked;         /* patterns that attempts asked for                   */
  /* memory */
  bool   is_near[PAIRS];
  int    epoch;
} balls;

/* Carriers A and B of pair k. */
static void ends_of(const balls *o, int k, int ends[2]) {
  int a = 0;
  while (k >= BALLS - 1 - a) k -= BALLS - 1 - a, a++;
  ends[0] = o->first + a, ends[1] = o->first + a + 1 + k;
}

static trmi_vec3 between(const balls *o, const int ends[2]) {
  return v3_sub(o->carriers->poses[ends[1]].x, o->carriers->poses[ends[0]].x);
}

/* A pair touches: it has to be in the pattern. */
static void need(balls *o, int k) {
  if (o->is_near[k] || o->is_full) return;
  o->is_near[k] = true;
  o->epoch++;
  o->asked++;
}

static void watched(const void *self, trmi_watched *count) {
  if (((const balls *)self)->has_gaps) count->gaps = PAIRS;
}

static void place(void *self, const trmi_watched *first) {
  ((balls *)self)->gap = first->gaps;
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  (void)self, (void)list;
  snprintf(out->name, sizeof out->name, "pair%d", i);
  snprintf(out->object, sizeof out->object, "pair %d", i);
}

/* (3) of pair k */
static void fill_gap(const balls *o, const trm_state *s, int k, double gap[3]) {
  int ends[2];
  ends_of(o, k, ends);
  const trmi_vec3 r = between(o, ends);
  const int a = o->carriers->list[ends[0]].v, b = o->carriers->list[ends[1]].v;
  const trmi_vec3 r1 = v3_sub(v3_load(s->v + b), v3_load(s->v + a));
  const trmi_vec3 r2 = v3_sub(v3_load(s->vd + b), v3_load(s->vd + a));
  const double l = v3_norm(r);
  gap[0] = l - o->reach;
  gap[1] = v3_dot(r, r1) / l;
  gap[2] = (v3_dot(r, r2) + v3_dot(r1, r1) - gap[1] * gap[1]) / l;
}

static trm_status step_limit(void *self, const trm_state *s, double tolerance,
                             trm_step_limit *limit, trm_error *err) {
  const balls *o = self;
  (void)s, (void)err;
  for (int k = 0; k < PAIRS && o->has_gaps; k++) trmi_gap_limit(tolerance, o->gap + k, limit);
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  balls *o = self;
  (void)err;
  for (int k = 0; k < PAIRS && o->has_gaps && out->gaps != NULL; k++) {
    fill_gap(o, s, k, out->gaps + 3 * (o->gap + k));
  }
  if (out->motion == NULL && out->energy == NULL) return TRM_OK;
  for (int k = 0; k < PAIRS; k++) {
    int ends[2];
    ends_of(o, k, ends);
    const trmi_vec3 r = between(o, ends);
    const double l = v3_norm(r), p = o->reach - l;
    if (!(p > 0.0)) continue;
    need(o, k);
    if (out->energy != NULL) out->energy[1] += o->b * p * p * p / 3.0;
    if (out->motion == NULL) continue;
    const trmi_vec3 f = v3_scale(o->b * p * p / l, r); /* (1) */
    v3_accumulate(out->motion + o->carriers->list[ends[0]].v, f);
    v3_accumulate(out->motion + o->carriers->list[ends[1]].v, v3_neg(f));
  }
  return TRM_OK;
}

static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const balls *o = self;
  int count = 0;
  for (int k = 0; k < PAIRS && block == TRM_K; k++) {
    int ends[2];
    if (!o->is_near[k] && !o->is_full) continue;
    ends_of(o, k, ends);
    for (int i = 0; i < 4; i++) {
      const int row = o->carriers->list[ends[i / 2]].v, col = o->carriers->list[ends[i % 2]].v;
      if (p != NULL) trm_pattern_dense(p, TRM_K, row, col, 3, 3);
      count += 9;
    }
  }
  return count;
}

/* (2) with the sign of K; rows and columns of A and B */
static void fill_pair(const balls *o, trmi_vec3 r, double *K) {
  const double l = v3_norm(r), p = fmax(o->reach - l, 0.0);
  const double e[3] = {r.x / l, r.y / l, r.z / l};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const double slope = -2.0 * o->b * p * e[i] * e[j] +
                           o->b * p * p / l * ((i == j) - e[i] * e[j]);
      K[3 * i + j] = K[27 + 3 * i + j] = -slope;
      K[9 + 3 * i + j] = K[18 + 3 * i + j] = slope;
    }
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  balls *o = self;
  double *K = request->values[TRM_K];
  const int before = o->epoch;
  (void)s;
  if (K == NULL) return TRM_OK;
  for (int k = 0; k < PAIRS; k++) { /* nothing is written before all are known */
    int ends[2];
    ends_of(o, k, ends);
    if (v3_norm(between(o, ends)) < o->reach) need(o, k);
  }
  if (o->epoch != before) return trmi_contributor_ask("balls", err);
  for (int k = 0; k < PAIRS; k++) {
    int ends[2];
    if (!o->is_near[k] && !o->is_full) continue;
    ends_of(o, k, ends);
    fill_pair(o, between(o, ends), K);
    K += 36;
  }
  return TRM_OK;
}

/* Which pairs the next step may meet. */
static trm_status accept_step(void *self, const trm_state *s, trm_error *err) {
  balls *o = self;
  bool is_new = false;
  (void)s, (void)err;
  for (int k = 0; k < PAIRS && !o->is_full; k++) {
    int ends[2];
    ends_of(o, k, ends);
    const bool is_near = v3_norm(between(o, ends)) < o->reach + o->margin;
    is_new = is_new || is_near != o->is_near[k];
    o->is_near[k] = is_near;
  }
  o->epoch += is_new;
  return TRM_OK;
}

static int epoch(const void *self) {
  return ((const balls *)self)->epoch;
}

static size_t memory_size(const void *self) {
  return sizeof((const balls *)self)->is_near;
}

static void memory_save(const void *self, void *data) {
  memcpy(data, ((const balls *)self)->is_near, memory_size(self));
}

static void memory_load(void *self, const void *data) {
  balls *o = self;
  memcpy(o->is_near, data, memory_size(self));
  o->epoch++;
}

static const trmi_contributor_ops balls_ops = {
  .name = "balls", .rank = TRMI_RANK_FORCES, .watched = watched, .place = place, .label = label,
  .pattern = pattern, .epoch = epoch, .step_limit = step_limit,
  .values = values, .blocks = blocks, .hooks_read_carriers = true, .accept_step = accept_step,
  .memory_size = memory_size, .memory_save = memory_save, .memory_load = memory_load,
};

/* ---- its tests ------------------------------------------------------------------------------ */

/* Four balls nearly in a row, the first flies at the others. */
static assembled open_balls(const balls *like, balls **added) {
  static const double x[BALLS][3] = {{-0.4, 0, 0}, {0, 0.01, 0}, {0.25, 0, 0.02}, {0.5, 0.03, 0}};
  static const double v[BALLS][3] = {{2, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  assembled m = assembled_open("balls", v3(0, 0, 0));
  balls *o = TRMI_TAKE(&m.a->arena, balls, 1);
  assert_non_null(o);
  *o = *like;
  o->carriers = m.carriers, o->reach = 0.2, o->b = 2e5;
  for (int i = 0; i < BALLS; i++) {
    const int carrier = assembled_body(&m, "ball", 1.0 + 0.3 * i, NULL, x[i], v[i]);
    if (i == 0) o->first = carrier;
  }
  trmi_assembly_add(m.a, &balls_ops, o);
  assembled_close(&m);
  *added = o;
  return m;
}

static void blocks_match_differences_in_every_pattern(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  for (int pairs = 0; pairs < 1 << PAIRS; pairs++) {
    balls like = {.is_full = false}, *o;
    for (int k = 0; k < PAIRS; k++) like.is_near[k] = pairs >> k & 1;
    assembled m = open_balls(&like, &o);
    trmi_arena arena;
    trm_state s = {.t = 0.0};
    trm_block_check worst[TRM_BLOCKS];
    trmi_arena_init(&arena, &m.system->arena.allocator);
    trmi_state_take(m.system, &arena, &s);
    for (int i = 0; i < 3 * BALLS; i++) s.q[i] = 0.1 * (i / 3) + 0.02 * (i % 5); /* some overlap */
    bool is_complete = true;
    for (int k = 0; k < PAIRS; k++) {
      int ends[2];
      ends_of(o, k, ends);
      const trmi_vec3 r = v3_sub(v3_load(s.q + 3 * (ends[1] - o->first)),
                                 v3_load(s.q + 3 * (ends[0] - o->first)));
      is_complete = is_complete && (like.is_near[k] || v3_norm(r) >= o->reach);
    }
    const trm_status status = trm_system_check_blocks(m.system, &s, worst, &err);
    if (is_complete) assembled_check_blocks(&m, &s);
    else CHECK_STATUS(status, TRM_RETRY_PATTERN); /* it never writes outside */
    trmi_arena_clear(&arena);
    trm_system_free(m.system);
  }
}

typedef struct ending {
  double       q[3 * BALLS];
  trm_counters counters;
  int          asked, epochs;
} ending;

static ending run(const balls *like, const char *method, double step, const char *solver) {
  balls *o;
  ending end;
  assembled m = open_balls(like, &o);
  trm_options options = trm_options_default();
  options.integrator = method;
  options.solver = solver;
  options.end = 0.6;
  options.steps[0] = step;
  options.nsteps = step > 0.0 ? 1 : 0;
  options.tolerance = 1e-6;
  options.newton_tolerance = 1e-14;
  if (strcmp(method, "radau") == 0) options.max_order = 5;
  trm_sim *sim = kit_sim(m.system, &options);
  kit_run(sim);
  memcpy(end.q, trm_sim_state(sim)->q, sizeof end.q);
  end.counters = *trm_sim_counters(sim);
  end.asked = o->asked, end.epochs = o->epoch;
  trm_sim_free(sim);
  trm_system_free(m.system);
  return end;
}

/* A pattern that is met inside attempts, one that is foreseen, and one that is always full. */
static void results_do_not_depend_on_which_pattern_came_first(void **state) {
  (void)state;
  static const double steps[] = {5e-4, 0.0};
  static const char *const solvers[] = {"klu", "block", "dense"};
  const balls met = {.margin = 0.0}, foreseen = {.margin = 0.05}, full = {.is_full = true};
  for (int i = 0; i < all_methods(); i++) {
    for (int k = 0; k < 6; k++) {
      const double step = steps[k % 2];
      const char *solver = solvers[k / 2];
      if (strcmp(methods[i], "explicit") == 0 && step > 0.0) continue;
      const ending a = run(&met, methods[i], step, solver);
      const ending b = run(&foreseen, methods[i], step, solver);
      const ending c = run(&full, methods[i], step, solver);
      assert_true(a.asked >= 3);   /* three blows */
      assert_true(b.epochs >= 3);
      assert_int_equal(c.epochs, 0);
      assert_int_equal(a.counters.steps, c.counters.steps);
      assert_int_equal(b.counters.steps, c.counters.steps);
      assert_int_equal(a.counters.rejected_newton, c.counters.rejected_newton);
      assert_int_equal(a.counters.rejected_error, c.counters.rejected_error);
      for (int n = 0; n < 3 * BALLS; n++) {
        /* Newton leaves 1e-14 in positions, 1e-14/h = 2e-11 in velocities of each step; some dozens
         * of steps are inside a blow, and half a second follows */
        CHECK_NEAR(a.q[n], c.q[n], 1e-9, "%s %g %s: met, q %d", methods[i], step, solver, n);
        CHECK_NEAR(b.q[n], c.q[n], 1e-9, "%s %g %s: foreseen, q %d", methods[i], step, solver, n);
      }
      assert_true(c.q[9] > 0.6); /* the last one was hit */
    }
  }
}

/* A ball that flies by itself has no local error: without its gaps a step would pass the others.
 * Two contributors watch, so that numbers of the second do not begin at zero. */
static void gaps_limit_steps_before_they_close(void **state) {
  (void)state;
  double worst[2] = {0.0, 0.0};
  for (int k = 0; k < 2; k++) {
    balls like = {.margin = 0.0, .has_gaps = k == 1}, *o;
    assembled m = assembled_open("balls", v3(0, 0, 0));
    for (int c = 0; c < 2; c++) { /* the first pushes nothing: it reaches not so far */
      o = TRMI_TAKE(&m.a->arena, balls, 1);
      assert_non_null(o);
      *o = like;
      o->carriers = m.carriers, o->reach = c == 0 ? 1e-3 : 0.2, o->b = 2e9, o->first = 1;
      trmi_assembly_add(m.a, &balls_ops, o);
    }
    for (int i = 0; i < BALLS; i++) {
      const double x[3] = {i == 0 ? -30.0 : 0.25 * i, 0, 0}, v[3] = {i == 0 ? 20.0 : 0.0, 0, 0};
      (void)assembled_body(&m, "ball", 1.0, NULL, x, v);
    }
    assembled_close(&m);
    assert_int_equal(m.system->n.ngaps, k == 1 ? 2 * PAIRS : 0);
    if (k == 1) assert_int_equal(o->gap, PAIRS);
    trm_options options = trm_options_default();
    options.integrator = "radau";
    options.end = 2.0;
    trm_sim *sim = kit_sim(m.system, &options);
    kit_run(sim);
    const double *q = trm_sim_state(sim)->q;
    worst[k] = fmax(q[0] - q[3], fmax(q[3] - q[6], q[6] - q[9])); /* positive: passed through */
    trm_sim_free(sim);
    trm_system_free(m.system);
  }
  assert_true(worst[0] > 0.0); /* the test can fail */
  assert_true(worst[1] < 0.0);
}

/* Three balls on a vertical line above one that is fixed: b p^2 is the weight above. */
static void equilibria_and_modes_ask_for_patterns_too(void **state) {
  (void)state;
  static const trmi_row guide[2] = {{.kind = TRMI_ROW_ALONG, .a = 0},
                                    {.kind = TRMI_ROW_ALONG, .a = 1}};
  static const trmi_row fixed[1] = {{.kind = TRMI_ROW_POINT}};
  static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  trm_error err = {.message = ""};
  balls o = {.first = 1, .reach = 0.2, .b = 2e4}; /* the ground is carrier 0 */
  assembled m = assembled_open("pile", v3(0, 0, -10));
  o.carriers = m.carriers;
  trmi_links *links = trmi_links_create(m.a, m.carriers, ASSEMBLED_LINKS);
  assert_non_null(links);
  for (int i = 0; i < BALLS; i++) {
    trmi_link link = {.rows = i == 0 ? fixed : guide, .nrows = i == 0 ? 1 : 2};
    const double x[3] = {0, 0, 0.199 * i}; /* they touch, but not in the pattern */
    const int carrier = assembled_body(&m, "ball", 1.0, NULL, x, NULL);
    memcpy(link.E_a, axes, sizeof axes), memcpy(link.E_b, axes, sizeof axes);
    const int row = assembled_claim(&m, TRM_LAM, "guide", i == 0 ? 3 : 2);
    trmi_links_add(links, &link, 0, carrier, row, "guide");
  }
  trmi_assembly_add(m.a, &balls_ops, &o);
  assembled_close(&m);
  trm_static *rest = NULL;
  const trm_static_options options = trm_static_options_default();
  CHECK_OK(trm_static_find(m.system, &options, &rest, &err), err);
  assert_true(o.asked >= 3);
  const double *q = trm_static_state(rest)->q;
  double below = 0.0;
  for (int i = 1; i < BALLS; i++) {
    const double p = sqrt(10.0 * (BALLS - i) / o.b);
    CHECK_NEAR(q[3 * i + 2] - below, o.reach - p, 1e-9, "tolerance of statics: ball %d", i);
    below = q[3 * i + 2];
  }
  /* a state whose pattern was forgotten: modes ask again */
  memset(o.is_near, 0, sizeof o.is_near);
  o.epoch++;
  trm_modes *modes = NULL;
  const trm_modes_options how = trm_modes_options_default();
  CHECK_OK(trm_modes_find(trm_static_system(rest), trm_static_state(rest),
                          &how, &modes, &err), err);
  assert_int_equal(trm_modes_count(modes), 3);
  assert_true(trm_mode_at(modes, 0).frequency > 0.0);
  trm_modes_free(modes);
  trm_static_free(rest);
  trm_system_free(m.system);
}

/* A contributor that asks without a new epoch, or for ever, is told so. */
typedef struct stubborn {
  bool is_new;
  int  number;
} stubborn;

static int stubborn_pattern(const void *self, trm_pattern *p, trm_block block) {
  (void)self;
  if (p != NULL && block == TRM_K) trm_pattern_entry(p, TRM_K, 0, 0);
  return block == TRM_K;
}

static trm_status stubborn_blocks(void *self, const trm_state *s, const trm_block_request *request,
                                  trm_error *err) {
  stubborn *o = self;
  (void)s;
  if (request->values[TRM_K] == NULL) return TRM_OK;
  o->number += o->is_new;
  return trmi_contributor_ask("stubborn", err);
}

static int stubborn_epoch(const void *self) {
  return ((const stubborn *)self)->number;
}

static void a_contributor_that_is_never_content_ends_the_run(void **state) {
  (void)state;
  static const trmi_contributor_ops ops = {.name = "stubborn", .rank = TRMI_RANK_FORCES,
                                           .pattern = stubborn_pattern, .epoch = stubborn_epoch,
                                           .blocks = stubborn_blocks};
  static const char *const words[2] = {"the epoch is the same", "change without end"};
  for (int k = 0; k < 2; k++) {
    trm_error err = {.message = ""};
    stubborn o = {.is_new = k == 1};
    assembled m = assembled_open("stubborn", v3(0, 0, -9.81));
    (void)assembled_body(&m, "p", 1.0, NULL, (double[]){0, 0, 0}, NULL);
    trmi_assembly_add(m.a, &ops, &o);
    assembled_close(&m);
    trm_options options = trm_options_default();
    options.integrator = "radau";
    options.end = 1.0;
    trm_sim *sim = kit_sim(m.system, &options);
    const trm_status status = trm_sim_run(sim, &err);
    assert_true(status < 0);
    if (strstr(err.message, words[k]) == NULL) fail_msg("'%s' not in '%s'", words[k], err.message);
    trm_sim_free(sim);
    trm_system_free(m.system);
  }
}

/* Two contributors may not own the same rows. */
static void owns_first_row(const void *self, trmi_span rows[TRMI_ROWS]) {
  (void)self;
  rows[TRMI_ROWS_MOTION] = (trmi_span){0, 1};
}

static void rows_with_two_owners_are_an_error(void **state) {
  (void)state;
  static const trmi_contributor_ops ops = {.name = "thief", .rank = TRMI_RANK_FORCES,
                                           .owns = owns_first_row};
  trm_error err = {.message = ""};
  trm_system_def def = trm_system_def_default();
  assembled m = assembled_open("thief", v3(0, 0, 0));
  (void)assembled_body(&m, "p", 1.0, NULL, (double[]){0, 0, 0}, NULL);
  trmi_assembly_add(m.a, &ops, NULL);
  CHECK_STATUS(trmi_assembly_seal(m.a, &def, &err), TRM_ERR_INPUT);
  assert_string_equal(err.object, "thief");
  trmi_assembly_free(m.a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_match_differences_in_every_pattern),
    cmocka_unit_test(results_do_not_depend_on_which_pattern_came_first),
    cmocka_unit_test(gaps_limit_steps_before_they_close),
    cmocka_unit_test(equilibria_and_modes_ask_for_patterns_too),
    cmocka_unit_test(a_contributor_that_is_never_content_ends_the_run),
    cmocka_unit_test(rows_with_two_owners_are_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
