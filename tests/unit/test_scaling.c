/* test_scaling.c - the scalings of Newton matrices, alpha_scaling.c. */
#include "integ/alpha.h"
#include "integ/driver.h"
#include "unit/kit.h"
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

typedef struct sample {
  const char *name, *parameter, *value;
} sample;

/* With constraints, rotations, stiff parts, many bodies, rows linear in velocities, states. */
static const sample samples[] = {
    {"pendulum", NULL, NULL},       {"double-pendulum", NULL, NULL}, {"slider-crank", NULL, NULL},
    {"chain", "links", "4"},        {"rolling-disc", NULL, NULL},    {"servo", NULL, NULL},
};
enum { SAMPLES = sizeof samples / sizeof *samples, UNKNOWNS = 60, NUMBERS = 60 };

static trm_system *open_sample(const sample *s) {
  return kit_problem(s->name, s->parameter, s->value);
}

static trm_options options_of(const char *method, const char *form, const char *scaling) {
  trm_options o = trm_options_default();
  o.integrator = method, o.formulation = form, o.scaling = scaling;
  return o;
}

/* ---- conditions ----------------------------------------------------------------------------- */

/* Largest over smallest singular value of the matrix that the solver of hht has in a step h. */
static double condition_of(const sample *of, double h, const char *scaling) {
  static double matrix[UNKNOWNS * UNKNOWNS], sigma[UNKNOWNS], work[UNKNOWNS], none[1];
  trm_error err;
  trm_system *system = open_sample(of);
  trm_options o = options_of("hht", "index3", scaling);
  o.solver = "klu", o.steps[0] = h, o.nsteps = 1, o.end = 2 * h;
  trm_sim *sim = kit_sim(system, &o);
  kit_run(sim);
  trmi_alpha *ga = sim->integ;
  ga->is_light = false;
  CHECK_OK(trmi_alpha_refresh(ga, h, ALPHA_INDEX3_MATRIX, &err), err);
  const trmi_plan *plan = &ga->index3_matrix.plan;
  const double *columns = trmi_linear_columns(&ga->index3_matrix.lin);
  assert_true(plan->n <= UNKNOWNS);
  memset(matrix, 0, sizeof matrix);
  for (int j = 0; j < plan->n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      matrix[j * plan->n + plan->Ai[k]] = columns[k];
    }
  }
  assert_int_equal(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', plan->n, plan->n, matrix, plan->n,
                                  sigma, none, 1, none, 1, work), 0);
  const double condition = sigma[0] / sigma[plan->n - 1];
  trm_sim_free(sim);
  trm_system_free(system);
  return condition;
}

/* h^-4, h^-2 and h^0, where forces are not stiff: next to M all else is of the order h. */
static void conditions_grow_with_the_fourth_and_second_power(void **unused) {
  (void)unused;
  static const struct {
    const char *scaling;
    double      power;
  } rules[] = {{"a", 4}, {"b", 2}, {"c", 0}, {"auto", 0}, {NULL, 0}};
  for (int k = 0; k < 2 * 5; k++) {
    const sample *of = &samples[k / 5];
    const char *scaling = rules[k % 5].scaling;
    const double coarse = condition_of(of, 1e-2, scaling), fine = condition_of(of, 2e-3, scaling);
    /* the order h that is left */
    CHECK_NEAR(log(fine / coarse) / log(5.0), rules[k % 5].power, 0.05, "%s, scaling %s", of->name,
               scaling != NULL ? scaling : "none");
  }
}

/* ---- results -------------------------------------------------------------------------------- */

typedef struct result {
  int    count;
  double numbers[NUMBERS];
  long   steps;
} result;

static void add(result *r, const double *list, int count) {
  assert_true(r->count + count <= NUMBERS);
  if (count > 0) memcpy(r->numbers + r->count, list, (size_t)count * sizeof *list);
  r->count += count;
}

static result run(const sample *of, trm_options o) {
  result r = {.count = 0};
  trm_system *system = open_sample(of);
  trm_sim *sim = kit_sim(system, &o);
  kit_run(sim);
  const trm_state *s = trm_sim_state(sim);
  add(&r, s->q, trm_system_count(system, TRM_Q));
  add(&r, s->v, trm_system_count(system, TRM_V));
  add(&r, s->x, trm_system_count(system, TRM_X));
  r.steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  trm_system_free(system);
  return r;
}

static void check_same(const sample *of, const char *method, const char *form, const char *solver) {
  trm_options o = options_of(method, form, NULL);
  o.solver = solver, o.steps[0] = 1e-3, o.nsteps = 1, o.end = 0.05;
  const result usual = run(of, o);
  for (int k = 0; k < 2; k++) {
    o.scaling = k == 0 ? "a" : "b";
    const result other = run(of, o);
    for (int i = 0; i < usual.count; i++) {
      /* Newton leaves 1e-8 of h^2 times the acceleration; what rounding changes is below that */
      CHECK_NEAR(other.numbers[i], usual.numbers[i], 1e-9 * (1.0 + fabs(usual.numbers[i])),
                 "%s by %s %s, %s, scaling %s: number %d", of->name, method, form, solver,
                 o.scaling, i);
    }
  }
}

static void results_are_the_same_to_rounding(void **unused) {
  (void)unused;
  for (int k = 0; k < SAMPLES; k++) {
    check_same(&samples[k], "hht", "si2", "klu");
    check_same(&samples[k], "hht", "index3", "dense");
    check_same(&samples[k], "alpha", "index2", "klu");
    check_same(&samples[k], "bdf", "si2", "klu");
  }
  for (const trm_formulation *form = trm_method_find("hht")->formulations; form->name != NULL;
       form++) {
    check_same(&samples[2], "hht", form->name, "klu");
  }
}

static void c_is_what_is_done_without_the_option(void **unused) {
  (void)unused;
  for (int k = 0; k < SAMPLES; k++) {
    trm_options o = options_of("hht", NULL, NULL);
    o.end = 0.2;
    const result usual = run(&samples[k], o);
    for (int i = 0; i < 2; i++) {
      o.scaling = i == 0 ? "auto" : "c";
      const result other = run(&samples[k], o);
      assert_int_equal(other.steps, usual.steps);
      assert_memory_equal(other.numbers, usual.numbers, (size_t)usual.count * sizeof(double));
    }
  }
}

/* Steps of error-controlled runs are those of the usual scaling but for a few. */
static void steps_hardly_change(void **unused) {
  (void)unused;
  for (int k = 0; k < SAMPLES; k++) {
    trm_options o = options_of("hht", NULL, NULL);
    o.end = 0.2, o.solver = "klu";
    const result usual = run(&samples[k], o);
    o.scaling = "a";
    const result other = run(&samples[k], o);
    /* rounding changes rates of convergence, which decide on matrices, and steps with them: 39 of
       1996 of the slider crank, none of the others */
    CHECK_NEAR((double)other.steps, (double)usual.steps, 0.03 * (double)usual.steps, "steps of %s",
               samples[k].name);
  }
}

/* ---- options -------------------------------------------------------------------------------- */

static void check_refused(const trm_options *o, const char *part) {
  trm_error err;
  trm_sim *sim = NULL;
  trm_system *system = open_sample(&samples[0]);
  assert_int_equal(trm_sim_create(system, o, &sim, &err), TRM_ERR_INPUT);
  if (strstr(err.message, part) == NULL) fail_msg("'%s' is not in '%s'", part, err.message);
  trm_system_free(system);
}

static void other_names_and_blocks_are_refused(void **unused) {
  (void)unused;
  static const char *const names[] = {"", "d", "ab", "none"};
  for (int i = 0; i < 4; i++) {
    trm_options o = options_of("hht", NULL, names[i]);
    o.end = 1.0;
    check_refused(&o, "auto, a, b or c");
  }
  trm_options o = options_of("hht", NULL, "a");
  o.end = 1.0, o.solver = "block";
  check_refused(&o, "takes matrices as they are: klu or dense");
}

static void it_means_hht_where_no_method_is_named(void **unused) {
  (void)unused;
  trm_options o = options_of(NULL, NULL, "b");
  assert_string_equal(trm_options_integrator(&o), "hht");
  o.scaling = "auto"; /* as if it were not there */
  assert_string_equal(trm_options_integrator(&o), "auto");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conditions_grow_with_the_fourth_and_second_power),
      cmocka_unit_test(results_are_the_same_to_rounding),
      cmocka_unit_test(c_is_what_is_done_without_the_option),
      cmocka_unit_test(steps_hardly_change),
      cmocka_unit_test(other_names_and_blocks_are_refused),
      cmocka_unit_test(it_means_hht_where_no_method_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
