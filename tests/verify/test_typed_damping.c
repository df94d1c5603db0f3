/* What generalized alpha leaves of the energy of the stiff models of [ALPHA], and the two-mass
 * slider crank of [TDG] through its singular poses. */
#include "verify/typed.h"
#include <lapacke.h>

/* Energy at the start and at the end. */
typedef struct energies {
  double first, last;
} energies;

static double energy_of(trm_system *system, const trm_state *s) {
  trm_error err;
  double e[3];
  CHECK_OK(trm_system_values(system, s, &(trm_values){.energy = e}, &err), err);
  return e[0] + e[1];
}

static energies run_alpha(const char *name, const trm_setting *settings, const char *formulation,
                          double rho, double step) {
  typed m = typed_model(name, settings);
  trm_options o = m.options;
  o.formulation = formulation;
  o.rho = rho;
  o.has_rho = true;
  if (step > 0.0) o.steps[0] = step;
  trm_sim *sim = kit_sim(m.system, &o);
  assert_string_equal(trm_sim_integrator(sim), "alpha");
  assert_string_equal(trm_sim_formulation(sim), formulation);
  energies e = {.first = energy_of(m.system, trm_sim_state(sim))};
  kit_run(sim);
  e.last = energy_of(m.system, trm_sim_state(sim));
  trm_sim_free(sim);
  typed_close(&m);
  return e;
}

/* Independent prototype of the method, to 1 % or .005 as its figures ask for. */
static void the_stiff_spring_loses_the_energy_of_the_prototype(void **state) {
  (void)state;
  enum { STEPS = 5, RHOS = 5 };
  static const double steps[STEPS] = {1e-3, 5e-3, 1e-2, 2e-2, 5e-2};
  static const double rhos[RHOS] = {1.0, 0.75, 0.5, 0.25, 0.0};
  static const double left[STEPS][RHOS] = {{5.00001, 4.99992, 4.99897, 4.99425, 4.97420},
                                           {5.00057, 4.99126, 4.88712, 4.39307, 2.82984},
                                           {5.00436, 4.93441, 4.20184, 1.95677, 0.12988},
                                           {4.98849, 4.49490, 1.57812, 0.01614, -0.00336},
                                           {4.94973, 1.98318, -0.00979, -0.00470, -0.00905}};
  for (int i = 0; i < STEPS; i++) {
    for (int k = 0; k < RHOS; k++) {
      const energies e = run_alpha("stiff-spring", NULL, "si2", rhos[k], steps[i]);
      CHECK_NEAR(e.first, 5.0, 1e-13, "energy at the start");
      print_message("h = %g, rho = %g: %.5f (%.5f)\n", steps[i], rhos[k], e.last, left[i][k]);
      CHECK_NEAR(e.last, left[i][k], fmax(0.01 * fabs(left[i][k]), 0.005), "h = %g, rho = %g",
                 steps[i], rhos[k]);
    }
  }
}

/* The forms of [ALPHA] take accelerations from the new positions and velocities, our si2 from the
 * multiplier of the step, which damps less. `kept` are figures of independent prototypes of both;
 * the positions of si2 are projected along G of the last iterate, theirs along G of the end. */
static const struct {
  const char *formulation;
  double      kept[3][3]; /* 200, 500, 1200 steps; rho = 0, .5, .75 */
} bushings[] = {
    {"index2", {{0.0125, 0.158, 0.513}, {0.0801, 0.797, 0.933}, {0.7296, 0.980, 0.994}}},
    {"cm", {{0.0125, 0.158, 0.513}, {0.0801, 0.797, 0.933}, {0.7296, 0.980, 0.994}}},
    {"si2", {{0.0126, 0.1754, 0.6841}, {0.0803, 0.8365, 0.9689}, {0.7380, 0.9848, 0.9969}}},
};
enum { BUSHINGS = sizeof bushings / sizeof *bushings };

static void the_bushing_keeps_the_energy_of_the_prototypes(void **state) {
  (void)state;
  static const char *const steps[] = {"200", "500", "1200"};
  static const double rhos[] = {0.0, 0.5, 0.75};
  for (int n = 0; n < 9; n++) {
    const int i = n / 3, k = n % 3;
    const trm_setting settings[] = {{"steps", steps[i]}, {0}};
    double part[BUSHINGS];
    for (int f = 0; f < BUSHINGS; f++) {
      const char *form = bushings[f].formulation;
      const energies e = run_alpha("bushing-alpha", settings, form, rhos[k], 0.0);
      part[f] = e.last / e.first;
      CHECK_NEAR(part[f], bushings[f].kept[i][k], 0.003, "%s, %s steps, rho = %g", form, steps[i],
                 rhos[k]);
    }
    print_message("%s steps, rho = %g: index2 %.5f, cm %.5f, si2 %.5f\n", steps[i], rhos[k],
                  part[0], part[1], part[2]);
    CHECK_NEAR(part[0], part[1], 1e-5, "cm and index2, %s steps, rho = %g", steps[i], rhos[k]);
  }
}

/* Both coordinates describe one motion. */
static void the_stiff_spring_moves_alike_in_both_coordinates(void **state) {
  (void)state;
  const trm_setting start[] = {{"y0", "0.1"}, {0}};
  typed cartesian = typed_model("stiff-spring", start),
        polar = typed_model("stiff-spring-polar", NULL);
  typed *const both[2] = {&cartesian, &polar};
  double x[2] = {0.0}, y[2] = {0.0};
  for (int k = 0; k < 2; k++) {
    trm_options o = trm_options_default();
    o.integrator = "explicit";
    o.tolerance = 1e-12;
    o.end = 5.0;
    trm_sim *sim = kit_sim(both[k]->system, &o);
    kit_run(sim);
    const double *q = trm_sim_state(sim)->q;
    x[k] = k == 0 ? q[0] : q[0] * cos(q[1]);
    y[k] = k == 0 ? q[1] : q[0] * sin(q[1]);
    trm_sim_free(sim);
    typed_close(both[k]);
  }
  /* a few hundred steps of 1e-12 */
  CHECK_NEAR(x[0], x[1], 1e-9, "x after 5 s");
  CHECK_NEAR(y[0], y[1], 1e-9, "y after 5 s");
}

/* Ranges of the local frequencies along a motion: roots of the eigenvalues of K, M = 1. */
typedef struct ranges {
  trm_system *system;
  double      low[3], high[3];
} ranges;

static trm_status widen(void *self, const trm_sample *sample, trm_error *err) {
  ranges *r = self;
  const trmi_sparse *block = &r->system->block[TRM_K];
  double K[9] = {0.0}, entries[9], eigenvalues[3];
  const trm_block_request request = {.values = {[TRM_K] = entries}};
  assert_true(block->n <= 9);
  TRMI_TRY(err, r->system->ops->blocks(r->system->self, sample->state, &request, err));
  for (int i = 0; i < block->n; i++) K[3 * block->row[i] + block->col[i]] += entries[i];
  assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', 3, K, 3, eigenvalues), 0);
  for (int i = 0; i < 3; i++) {
    const double w = sqrt(fabs(eigenvalues[i]));
    r->low[i] = fmin(r->low[i], w);
    r->high[i] = fmax(r->high[i], w);
  }
  return TRM_OK;
}

/* Listed for (10) of [OSC] over its motion: 19.2 to 34.3, 100, 112.2 to 113.3 rad/s. */
static void the_bushing_has_the_frequencies_listed(void **state) {
  (void)state;
  static const double low[3] = {19.2, 100.0, 112.2}, high[3] = {34.3, 100.0, 113.3};
  trm_error err;
  typed m = typed_model("bushing-osc", NULL);
  trm_options o = m.options;
  o.integrator = "explicit";
  o.tolerance = 1e-10;
  o.outputs = 4000;
  ranges r = {.system = m.system, .low = {1e9, 1e9, 1e9}};
  trm_sim *sim = kit_sim(m.system, &o);
  CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &r, .sample = widen}, &err), err);
  kit_run(sim);
  for (int i = 0; i < 3; i++) {
    print_message("%.2f .. %.2f rad/s\n", r.low[i], r.high[i]);
    /* the list has three or four digits, and ends at another time */
    CHECK_NEAR(r.low[i], low[i], 0.01 * low[i], "lowest of pair %d", i);
    CHECK_NEAR(r.high[i], high[i], 0.01 * high[i], "highest of pair %d", i);
  }
  trm_sim_free(sim);
  typed_close(&m);
}

/* theta2 = pi - 2 theta1 leaves (1 + 4 cos^2 th) th'' = 4 cos th sin th th'^2 - g sin th. */
static void reduced(double th, double *acceleration, double rate) {
  const double c = cos(th), s = sin(th);
  *acceleration = (4.0 * c * s * rate * rate - 9.81 * s) / (1.0 + 4.0 * c * c);
}

static void reference(double end, double *th, double *rate) {
  enum { STEPS = 100000 };
  const double h = end / STEPS;
  for (int i = 0; i < STEPS; i++) {
    double a1, a2, a3, a4;
    const double q1 = *th, v1 = *rate;
    reduced(q1, &a1, v1);
    reduced(q1 + 0.5 * h * v1, &a2, v1 + 0.5 * h * a1);
    reduced(q1 + 0.5 * h * (v1 + 0.5 * h * a1), &a3, v1 + 0.5 * h * a2);
    reduced(q1 + h * (v1 + 0.5 * h * a2), &a4, v1 + h * a3);
    *th += h * v1 + h * h / 6.0 * (a1 + a2 + a3);
    *rate += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
  }
}

static void the_two_mass_crank_passes_its_singular_poses(void **state) {
  (void)state;
  static const struct {
    const char *integrator;
    double tolerance, step, error;
  } runs[] = {{"hht", 1e-6, 0.0, 2e-3},
              {"hht", 1e-8, 0.0, 1e-4},
              {"explicit", 1e-8, 0.0, 1e-7},
              {"tdg", 0.0, 5e-3, 2e-7}}; /* bound of the prototype */
  double th = acos(-1.0) / 4.0, rate = 0.0;
  reference(10.0, &th, &rate);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    typed m = typed_model("slider-crank-two-mass", NULL);
    trm_options o = m.options;
    o.integrator = runs[i].integrator;
    o.tolerance = runs[i].tolerance;
    o.steps[0] = runs[i].step;
    o.nsteps = runs[i].step > 0.0 ? 1 : 0;
    trm_sim *sim = kit_sim(m.system, &o);
    kit_run(sim);
    const double *q = trm_sim_state(sim)->q;
    print_message("%s %g: theta1 off by %.1e, %ld steps\n", runs[i].integrator, runs[i].tolerance,
                  q[0] - th, trm_sim_counters(sim)->steps);
    /* what the tolerance leaves after 10 s, times 5. An explicit method at a tighter one feels
     * its way into the singular pose and may leave it on the other branch. */
    CHECK_NEAR(q[0], th, runs[i].error, "theta1 after 10 s by %s", runs[i].integrator);
    CHECK_NEAR(q[0] + 0.5 * q[1], acos(0.0), 1e-6, "theta2 = 180 deg - 2 theta1");
    trm_sim_free(sim);
    typed_close(&m);
  }
}

static void hear(void *self, double t, const char *text) {
  (void)t;
  bool *is_told = self;
  if (strstr(text, "singular pose") != NULL && strstr(text, "'height'") != NULL) *is_told = true;
}

/* Which of the three is a matter of rounding: through the poses on the right way, theta1 at 10 s
 * being -0.682739; through them with a note that motions may branch; or a stop that names the
 * constraint. Fixed steps have the pose inside of the step that fails. At 10 s hht is off by 2e-3
 * at 1e-5 and at 0.01 s; another branch by more than 4e-3 twenty times over. */
static void others_pass_tell_or_name_the_constraint(void **state) {
  (void)state;
  static const struct {
    const char *integrator, *formulation;
    double      tolerance, step;
  } ways[] = {
    {"hht", NULL, 1e-5, 0}, {"hht", NULL, 1e-7, 0}, {"hht", NULL, 0, 1e-2},
    {"alpha", "cm", 0, 1e-2},
    {"radau", NULL, 1e-5, 0}, {"radau", NULL, 1e-10, 0}, {"radau", NULL, 1e-12, 0},
    {"radau", NULL, 0, 0.1}, {"radau", NULL, 0, 5e-3}, {"radau", NULL, 0, 1e-3},
    {"radau", "index2", 0, 2e-3}, {"radau", "index1", 0, 1e-3}, {"explicit", NULL, 1e-6, 0},
    {"explicit", NULL, 1e-12, 0},
  };
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    trm_error err = {.message = ""};
    bool is_told = false;
    typed m = typed_model("slider-crank-two-mass", NULL);
    m.options.end = 10.0;
    m.options.integrator = ways[k].integrator;
    m.options.formulation = ways[k].formulation;
    m.options.tolerance = ways[k].tolerance;
    m.options.nsteps = ways[k].step > 0.0;
    m.options.steps[0] = ways[k].step;
    trm_sim *sim = kit_sim(m.system, &m.options);
    CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &is_told, .message = hear}, &err), err);
    const trm_status status = trm_sim_run(sim, &err);
    const double theta = trm_sim_state(sim)->q[0];
    print_message("%s, %g, %g: %s %.6f %s\n", ways[k].integrator, ways[k].tolerance, ways[k].step,
                  is_told ? "told" : "", theta, err.message);
    if (status != TRM_OK) {
      assert_non_null(strstr(err.message, "the pose is singular: constraint 'height'"));
      assert_string_equal(err.object, "constraint 'height'");
    } else if (!is_told) {
      CHECK_NEAR(theta, -0.682739, 4e-3, "%s: theta1", ways[k].integrator);
    }
    trm_sim_free(sim);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_stiff_spring_loses_the_energy_of_the_prototype),
      cmocka_unit_test(the_bushing_keeps_the_energy_of_the_prototypes),
      cmocka_unit_test(the_stiff_spring_moves_alike_in_both_coordinates),
      cmocka_unit_test(the_bushing_has_the_frequencies_listed),
      cmocka_unit_test(the_two_mass_crank_passes_its_singular_poses),
      cmocka_unit_test(others_pass_tell_or_name_the_constraint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
