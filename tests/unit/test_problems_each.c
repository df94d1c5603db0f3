/* test_problems_each.c - what is special about single built-in problems, and how they are set
 * up. */
#include "unit/problems.h"

/* ---- one problem at a time --------------------------------------------------- */

/* Columns of tests/data/slider_crank.csv behind pi, nonlinear, damping, init. */
enum { CRANK_CASES = 5, CRANK_NUMBERS = 24 };
typedef struct crank_case {
  char pi[16], nonlinear[4], damping[4], init[8];
  double y[CRANK_NUMBERS];
} crank_case;

static void read_crank_cases(crank_case cases[CRANK_CASES]) {
  FILE *file = fopen(TEST_DATA "/slider_crank.csv", "r");
  char line[1200];
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file)); /* names */
  for (int k = 0; k < CRANK_CASES; k++) {
    int used = 0;
    crank_case *c = &cases[k];
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(sscanf(line, "%15[^,],%3[^,],%3[^,],%7[^,]%n", c->pi, c->nonlinear, c->damping,
                            c->init, &used),
                     4);
    char *at = line + used;
    for (int i = 0; i < CRANK_NUMBERS; i++) c->y[i] = strtod(at + 1, &at);
  }
  fclose(file);
}

static void slider_crank_reference_follows_from_its_positions_and_velocities(void **state) {
  (void)state;
  crank_case cases[CRANK_CASES];
  read_crank_cases(cases);
  for (int k = 0; k < CRANK_CASES; k++) {
    const crank_case *c = &cases[k];
    const variant v = {
        "slider-crank",
        {{"pi", c->pi}, {"nonlinear", c->nonlinear}, {"damping", c->damping}, {"start", c->init}},
        1,
        1};
    setup u;
    setup_open(&u, &v);
    u.s.t = 0.1;
    memcpy(u.s.q, c->y, 7 * sizeof(double));
    memcpy(u.s.v, c->y + 7, 7 * sizeof(double));
    make_consistent(&u);
    /* the table has 24 digits; forces of 1e4 N have a rounding of 1e-12 N, on
     * modal masses of 1e-2 kg this is 1e-10 of accelerations up to 1e3 */
    for (int i = 0; i < 7; i++) {
      CHECK_NEAR(u.s.vd[i], c->y[14 + i], 1e-9 + 1e-12 * fabs(c->y[14 + i]), "case %d, a%d", k, i);
    }
    for (int i = 0; i < 3; i++) CHECK_NEAR(u.s.lam[i], c->y[21 + i], 1e-10, "case %d, lam%d", k, i);
    setup_close(&u);
  }
}

/* The stiffness of 2e8 N/m hides all other entries in a comparison by size, so
 * here each entry has its own tolerance. */
static void slider_crank_stiffness_has_its_small_entries_right(void **state) {
  (void)state;
  for (int k = 0; k < VARIANTS; k++) {
    if (strcmp(variants[k].problem, "slider-crank") != 0) continue;
    setup u;
    double given[7 * 7] = {0.0}, difference[7 * 7];
    const trm_block_request request = {0};
    trm_error err;
    setup_open(&u, &variants[k]);
    random_state(&u, (unsigned long)k);
    add_block(&u, TRM_K, given, 7, false);
    CHECK_OK(trmi_difference_block(u.sys, &u.s, TRM_K, &request, difference, &err), err);
    for (int i = 0; i < 49; i++) {
      /* rounding of 1e4 N over a step of 6e-10 m, and of 1e2 N or over 6e-6 rad */
      const double tol = i / 7 > 2 && i % 7 > 2 ? 0.1 : 1e-4;
      CHECK_NEAR(given[i], difference[i], tol, "%s: K (%d, %d)", u.name, i / 7, i % 7);
    }
    setup_close(&u);
  }
}

static void slider_crank_starts_with_the_accelerations_of_the_paper(void **state) {
  (void)state;
  static const double a[7] = {0.0,
                              -1.344541576709835e-3,
                              -5.062194924490193e3,
                              -6.829725665986310e-5,
                              1.813207639590617e-20,
                              -4.268463266810281,
                              2.098339029337557e-1};
  static const double lam[3] = {-6.552727150584648e-8, 3.824589509350831e2, -4.635908708561371e-9};
  const variant v = {"slider-crank", {{"pi", "3.1415927"}}, 1, 1};
  setup u;
  setup_open(&u, &v);
  setup_start(&u);
  make_consistent(&u);
  /* printed start: q to 1e-14 m, times stiffness 2e8 N/m over mass .1 kg */
  for (int i = 0; i < 7; i++) CHECK_NEAR(u.s.vd[i], a[i], 1e-5, "a%d", i);
  for (int i = 0; i < 3; i++) CHECK_NEAR(u.s.lam[i], lam[i], 1e-6, "lam%d", i);
  setup_close(&u);
}

static void pendulum_moves_the_same_in_any_unit(void **state) {
  (void)state;
  static const char *const units[] = {"m", "mm", "km"};
  static const double metres[] = {1.0, 1e-3, 1e3};
  for (int k = 0; k < 3; k++) {
    const variant v = {"pendulum", {{"unit_x", units[k]}}, 1, 1};
    setup u;
    setup_open(&u, &v);
    u.s.q[0] = 0.3 / metres[k];
    u.s.q[1] = 0.4;
    u.s.v[0] = -0.8 / metres[k];
    u.s.v[1] = 0.6;
    make_consistent(&u);
    /* lam = m (v^2 + g x)/l^2, rounding */
    CHECK_NEAR(u.s.lam[0], (1.0 + 9.81 * 0.3) / 0.25, 1e-12, "lam, %s", units[k]);
    CHECK_NEAR(u.s.vd[0] * metres[k], 9.81 - 0.3 * u.s.lam[0], 1e-12, "x'', %s", units[k]);
    CHECK_NEAR(u.s.vd[1], -0.4 * u.s.lam[0], 1e-12, "y'', %s", units[k]);
    setup_close(&u);
  }
}

static void double_pendulum_has_the_same_reactions_in_angles_and_quaternions(void **state) {
  (void)state;
  const variant v[2] = {{"double-pendulum", {{0}}, 1, 1},
                        {"double-pendulum", {{"coordinates", "angles"}}, 1, 1}};
  setup u[2];
  for (int k = 0; k < 2; k++) {
    setup_open(&u[k], &v[k]);
    setup_start(&u[k]);
    make_consistent(&u[k]);
  }
  for (int i = 0; i < 6; i++) CHECK_NEAR(u[0].s.lam[i], u[1].s.lam[i], 1e-13, "lam%d", i);
  for (int i = 0; i < 3; i++) {
    /* centres of both rods; six numbers a body in v, seven and six in q */
    CHECK_NEAR(u[0].s.q[7 + i], u[1].s.q[6 + i], 1e-15, "x of rod2, %d", i);
    CHECK_NEAR(u[0].s.v[6 + i], u[1].s.v[6 + i], 1e-15, "v of rod2, %d", i);
    CHECK_NEAR(u[0].s.vd[6 + i], u[1].s.vd[6 + i], 1e-13, "acceleration of rod2, %d", i);
  }
  setup_close(&u[0]);
  setup_close(&u[1]);
}

static void chain_of_one_link_falls_like_a_rod(void **state) {
  (void)state;
  const variant v = {"chain", {{"links", "1"}}, 1, 1};
  setup u;
  double tip[3];
  setup_open(&u, &v);
  setup_start(&u);
  make_consistent(&u);
  CHECK_NEAR(u.s.vd[4], 1.5 * 9.81, 1e-14, "3 g/(2 l), rounding"); /* +y turns x to -z */
  values(&u, &u.s, &(trm_values){.outputs = tip});
  CHECK_NEAR(tip[0], 1.0, 1e-15, "tip");
  setup_close(&u);
}

/* With two masses the outputs are the whole motion: it must solve the equations. */
static void oscillators_obey_their_closed_form(void **state) {
  (void)state;
  static const char *const damping[] = {"0", "2", "20", "60"}; /* mode 1 is critical at 20 */
  for (int k = 0; k < 4; k++) {
    const variant v = {"oscillators", {{"masses", "2"}, {"damping", damping[k]}}, 1, 1};
    setup u;
    double x[3][2], r[2];
    setup_open(&u, &v);
    const double h = 1e-4;
    for (double t = 0.05; t < 1.0; t += 0.11) {
      for (int i = 0; i < 3; i++) {
        u.s.t = t + (i - 1) * h;
        values(&u, &u.s, &(trm_values){.outputs = x[i]});
      }
      for (int i = 0; i < 2; i++) {
        u.s.q[i] = x[1][i];
        u.s.v[i] = (x[2][i] - x[0][i]) / (2.0 * h);
        u.s.vd[i] = (x[2][i] - 2.0 * x[1][i] + x[0][i]) / (h * h);
      }
      values(&u, &u.s, &(trm_values){.motion = r});
      /* truncation: h^2/12 times (20/s)^4 of a metre is 1e-4; modes with higher rates,
       * up to 180/s, have decayed at the first instant */
      const double tol = 2e-4;
      for (int i = 0; i < 2; i++) CHECK_NEAR(r[i], 0.0, tol, "c = %s, t = %g", damping[k], t);
    }
    setup_close(&u);
  }
}

/* ---- registry ------------------------------------------------------------------ */

static void wrong_settings_are_refused_by_name(void **state) {
  (void)state;
  static const struct {
    const char *problem;
    trm_setting setting;
    const char *text; /* must be in the message */
  } wrong[] = {
      {"pendulum", {"mass", "nan"}, "finite"},
      {"pendulum", {"mass", "-1"}, "above 0"},
      {"pendulum", {"mass", "1kg"}, "1kg"},
      {"pendulum", {"mass", ""}, "not a number"},
      {"pendulum", {"mas", "1"}, "mass, length, gravity, velocity, unit_x"},
      {"pendulum", {"unit_x", "inch"}, "m|mm|km"},
      {"pendulum", {"unit_x", "m|mm"}, "m|mm|km"},
      {"unit-pendulum", {"mass", "1"}, "no parameters"},
      {"chain", {"links", "0"}, "1 .. 100000"},
      {"chain", {"links", "2.5"}, "1 .. 100000"},
      {"chain", {"links", "1e9"}, "1 .. 100000"},
      {"slider-crank", {"speed", "inf"}, "finite"},
      {"slider-crank", {"pi", "3"}, "exact|3.1415927"},
      {"oscillators", {"damping", "-0.1"}, "0 or"},
      {"oscillators", {"damping", NULL}, "no value"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    trm_error err;
    trm_system *sys = (trm_system *)&err;
    CHECK_STATUS(trm_problem_create(trm_problem_find(wrong[k].problem), &wrong[k].setting, 1, NULL,
                                    &sys, &err),
                 TRM_ERR_INPUT);
    assert_null(sys);
    if (strstr(err.message, wrong[k].text) == NULL) {
      fail_msg("'%s' is not in '%s'", wrong[k].text, err.message);
    }
    if (wrong[k].setting.value != NULL) assert_non_null(strstr(err.object, wrong[k].setting.name));
  }
}

static void the_last_of_repeated_settings_counts(void **state) {
  (void)state;
  const trm_setting settings[] = {{"links", "3"}, {"links", "7"}};
  trm_system *sys = NULL;
  trm_error err;
  CHECK_OK(trm_problem_create(trm_problem_find("chain"), settings, 2, NULL, &sys, &err), err);
  assert_int_equal(trm_system_count(sys, TRM_V), 42);
  trm_system_free(sys);
}

static void every_problem_is_found_by_its_name(void **state) {
  (void)state;
  assert_null(trm_problem_at(-1));
  assert_null(trm_problem_at(trm_problem_count()));
  assert_null(trm_problem_find("no such problem"));
  assert_null(trm_problem_find(NULL));
  for (int i = 0; i < trm_problem_count(); i++) {
    const trm_problem *p = trm_problem_at(i);
    int used = 0; /* every problem must be among the variants */
    assert_ptr_equal(trm_problem_find(p->name), p);
    assert_true(p->end > 0.0 && p->summary[0] != '\0');
    for (int k = 0; k < VARIANTS; k++) used += strcmp(variants[k].problem, p->name) == 0;
    assert_true(used > 0);
  }
  trm_system *sys = NULL;
  trm_error err;
  const trm_problem stranger = {.name = "pendulum"};
  CHECK_STATUS(trm_problem_create(&stranger, NULL, 0, NULL, &sys, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_problem_create(NULL, NULL, 0, NULL, &sys, NULL), TRM_ERR_INPUT);
}

static void failing_release(void *self, void *block) {
  failing *f = self;
  if (block != NULL) f->live--;
  free(block);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (int i = 0; i < trm_problem_count(); i++) {
    trm_status status = TRM_ERR_MEMORY;
    for (int n = 0; status != TRM_OK; n++) {
      failing f = {.left = n};
      const trm_allocator allocator = {&f, failing_alloc, failing_release};
      trm_system *sys = NULL;
      trm_error err;
      status = trm_problem_create(trm_problem_at(i), NULL, 0, &allocator, &sys, &err);
      if (status != TRM_OK) CHECK_STATUS(status, TRM_ERR_MEMORY);
      trm_system_free(sys);
      assert_int_equal(f.live, 0);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slider_crank_reference_follows_from_its_positions_and_velocities),
      cmocka_unit_test(slider_crank_stiffness_has_its_small_entries_right),
      cmocka_unit_test(slider_crank_starts_with_the_accelerations_of_the_paper),
      cmocka_unit_test(pendulum_moves_the_same_in_any_unit),
      cmocka_unit_test(double_pendulum_has_the_same_reactions_in_angles_and_quaternions),
      cmocka_unit_test(chain_of_one_link_falls_like_a_rod),
      cmocka_unit_test(oscillators_obey_their_closed_form),
      cmocka_unit_test(wrong_settings_are_refused_by_name),
      cmocka_unit_test(the_last_of_repeated_settings_counts),
      cmocka_unit_test(every_problem_is_found_by_its_name),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
