/* Drops onto stops: of joints, by IMPACT and BISTOP with several exponents. The energy must come
 * back, the force must have the peak that follows from it, and nothing may fly through. With
 * TRM_LONG in the environment the whole matrix of drops, stiffnesses and tolerances. */
#include "methods.h"
#include "verify/typed.h"
#include <math.h>
#include <stdlib.h>

static const double mass = 2.0, g = 9.81;

/* Results of a run. */
typedef struct outcome {
  double energy, least, peak; /* at the end over that of the start; lowest place; largest force */
  long   steps;
} outcome;

/* Step by step, looking at the force also between. */
static outcome fall(const char *text, const char *method, double tolerance) {
  typed m = typed_text(text, "drop", NULL);
  trm_options o = m.options;
  trm_error err = {.message = ""};
  double out[2], e[3] = {0};
  outcome r = {.least = INFINITY};
  bool done = false;
  o.integrator = method;
  o.formulation = NULL;
  o.tolerance = tolerance;
  trm_sim *sim = kit_sim(m.system, &o);
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                             &(trm_values){.energy = e}, &err), err);
  const double start = e[0] + e[1];
  while (!done) {
    const double t0 = trm_sim_state(sim)->t;
    const trm_status status = trm_sim_step(sim, &done, &err);
    if (status != TRM_OK) fail_msg("%s 1e%g: %s\n%s", method, log10(tolerance), err.message, text);
    const double t1 = trm_sim_state(sim)->t;
    for (int k = 0; k < 4; k++) {
      const trm_state *s = trm_sim_state(sim);
      if (k > 0 && trm_sim_interpolate(sim, t1 - 0.25 * k * (t1 - t0), &s, &err) != TRM_OK) break;
      CHECK_OK(trm_system_values(trm_sim_system(sim), s, &(trm_values){.outputs = out}, &err), err);
      r.least = fmin(r.least, out[0]);
      r.peak = fmax(r.peak, fabs(out[1]));
    }
  }
  CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                             &(trm_values){.energy = e}, &err), err);
  r.energy = (e[0] + e[1]) / start;
  r.steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

/* How deep a law U(p) is pressed in after a fall of `drop`. */
static double depth_of(double (*potential)(double p, const double *law), const double *law,
                       double drop) {
  double low = 0.0, high = 10.0 * drop + 1.0;
  for (int k = 0; k < 200; k++) {
    const double p = 0.5 * (low + high);
    if (potential(p, law) < mass * g * (drop + p)) low = p;
    else high = p;
  }
  return low;
}

/* Of limits.c: law is stiffness, depth. */
static double limit_force(double p, const double *law) {
  const double c = p / law[1];
  return c < 1.0 ? law[0] * law[1] * c * c * c * (1 - 0.5 * c) : law[0] * (p - 0.5 * law[1]);
}

static double limit_potential(double p, const double *law) {
  const double c = p / law[1], d = law[1];
  if (c < 1.0) return law[0] * d * d * c * c * c * c * (0.25 - 0.1 * c);
  return 0.5 * law[0] * (p * p - d * p) + 0.15 * law[0] * d * d;
}

/* k p^e */
static double power_force(double p, const double *law) {
  return law[0] * pow(p, law[1]);
}

static double power_potential(double p, const double *law) {
  return law[0] * pow(p, law[1] + 1) / (law[1] + 1);
}

/* A time of the flight after the bounce: the time in the stop is 2 int dp / speed. */
static double end_of(double (*potential)(double p, const double *law), const double *law,
                     double drop, double depth) {
  enum { PARTS = 4000 };
  const double flight = sqrt(2 * drop / g);
  double inside = 0.0;
  for (int k = 0; k < PARTS; k++) {
    const double s = (k + 0.5) / PARTS, p = depth * (1 - s * s);
    const double square = 2 * (g * (drop + p) - potential(p, law) / mass);
    inside += 2 * 2 * depth * s / PARTS / sqrt(fmax(square, 1e-300));
  }
  return 1.8 * flight + inside;
}

static int failures;

static bool is_long(void) {
  return getenv("TRM_LONG") != NULL;
}

static void check(const char *what, const outcome *r, double drop, double k, const char *method,
                  int digits, double peak, double depth) {
  const bool is_tight = digits >= 5;
  const bool is_kept = r->energy < 1.01 && (!is_tight || r->energy > 0.99);
  const bool is_peak = !is_tight || fabs(r->peak / peak - 1.0) < 0.02;
  if (is_kept && is_peak && r->least > -2 * depth) return;
  if (is_long()) {
    failures++;
    print_message("%s, drop %g, k %g, %s 1e-%d: energy %.4f, force %.5g of %.5g, lowest %g, %ld\n",
                  what, drop, k, method, digits, r->energy, r->peak, peak, r->least, r->steps);
    return;
  }
  fail_msg("%s, drop %g, k %g, %s 1e-%d: energy %.4f, force %.5g of %.5g, lowest %g, %ld steps",
           what, drop, k, method, digits, r->energy, r->peak, peak, r->least, r->steps);
}

/* Every method and tolerance, or every seventh. */
static void sweep(const char *what, const char *text, double drop, double k, double peak,
                  double depth, int n) {
  for (int m = 0; m < all_methods(); m++) {
    for (int digits = 3; digits <= 8; digits++, n++) {
      if (!is_long() && n % 7 != 0) continue;
      const outcome r = fall(text, methods[m], pow(10.0, -digits));
      check(what, &r, drop, k, methods[m], digits, peak, depth);
    }
  }
}

/* A body falls on the stop of a guide. */
static void write_fall(char *text, size_t size, double drop, double k, double end) {
  snprintf(text, size,
           "trammel: 1\ngravity: [0, 0, -%g]\n"
           "bodies: {b: {mass: %g, inertia: [1,1,1], at: [0,0,%g]}}\n"
           "joints: {g: {type: translational, bodies: [ground, b], at: [0,0,%g], "
           "axis: [0,0,1], limits: {lower: -%g, stiffness: %g}}}\n"
           "outputs: {z: b.z, stop: g.stop}\nsimulate: {end: %.17g}\n",
           g, mass, drop, drop, drop, k, end);
}

static void stops_of_joints_give_the_energy_back(void **state) {
  (void)state;
  static const double drops[] = {0.01, 0.1, 1.0, 10.0};
  for (int i = 0; i < 4; i++) {
    for (int j = 4; j <= 9; j++) {
      const double drop = drops[i], k = pow(10.0, j), law[2] = {k, 1e-3 * drop};
      const double depth = depth_of(limit_potential, law, drop);
      char text[700];
      write_fall(text, sizeof text, drop, k, end_of(limit_potential, law, drop, depth));
      sweep("joint", text, drop, k, limit_force(depth, law), depth, i + j);
    }
  }
}

/* IMPACT as a force, potential by hand; a BISTOP with the same force below. */
static void impacts_give_the_energy_back(void **state) {
  (void)state;
  static const double drops[] = {0.01, 0.1, 1.0, 10.0}, exponents[] = {1.0, 1.5, 2.2};
  for (int i = 0; i < 4 * 3; i++) {
    for (int j = 4; j <= 9; j++) {
      const double drop = drops[i % 4], e = exponents[i / 4], k = pow(10.0, j), law[2] = {k, e};
      const double depth = depth_of(power_potential, law, drop);
      char text[900], force[200];
      if (i % 2 == 0) snprintf(force, sizeof force, "IMPACT(z, z', 0, %g, %g, 0, 1e-4)", k, e);
      else snprintf(force, sizeof force, "BISTOP(z, z', 0, 100, %g, %g, 0, 1e-4)", k, e);
      snprintf(text, sizeof text,
               "trammel: 1\nequations:\n  coordinates: {z: %.17g}\n  kinetic: 0.5*%g*z'^2\n"
               "  potential: %g*%g*z\n  forces: {z: \"%s\"}\noutputs: {z: z, stop: \"%s\"}\n"
               "simulate: {end: %.17g}\n", drop, mass, mass, g, force, force,
               end_of(power_potential, law, drop, depth));
      sweep(force, text, drop, k, power_force(depth, law), depth, i + j);
    }
  }
}

/* The speed after a stop follows the tolerance, as everything else: the step that meets the stop,
 * and those inside, have a kink. Runs of radau show 1.6e-7, ten times that is allowed, those of
 * explicit 5.8e-8. Without (6) of impact_steps.c radau leaves 1e-4 at any tolerance, explicit
 * 7e-7. */
static void stops_follow_the_tolerance(void **state) {
  (void)state;
  static const double drops[] = {0.5, 0.7, 0.9, 1.1};
  for (int i = 0; i < 4 * 3; i++) {
    const double drop = drops[i % 4], k = pow(10.0, 4 + i / 4);
    char text[700];
    write_fall(text, sizeof text, drop, k, 2 * sqrt(2 * drop / g));
    CHECK_NEAR(fall(text, "radau", 1e-9).energy, 1.0, 2e-6, "radau, drop %g, k %g", drop, k);
    CHECK_NEAR(fall(text, "explicit", 1e-9).energy, 1.0, 2e-7, "explicit, drop %g, k %g", drop, k);
  }
}

/* Largest tension of the rope of the winch over that of its closed form, on other ground. */
static double winch_peak(const char *stiffness, const char *depth, const char *method,
                         double tolerance) {
  const trm_setting ground[] = {{.name = "joints.guide.limits.stiffness", .value = stiffness},
                                {.name = "joints.guide.limits.depth", .value = depth}, {0}};
  const double wanted = 500 * g + 0.5 * sqrt(2e5 * 500);
  typed m = typed_model("winch", ground);
  trm_error err = {.message = ""};
  double peak = 0.0, out[3];
  trm_sim *sim = typed_sim(&m, method, tolerance);
  for (bool done = false; !done;) {
    const double t0 = trm_sim_state(sim)->t;
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    const double t1 = trm_sim_state(sim)->t;
    for (int k = 0; k < 8; k++) {
      const trm_state *s = trm_sim_state(sim);
      if (k > 0 && trm_sim_interpolate(sim, t1 - 0.125 * k * (t1 - t0), &s, &err) != TRM_OK) break;
      CHECK_OK(trm_system_values(trm_sim_system(sim), s, &(trm_values){.outputs = out}, &err), err);
      peak = fmax(peak, out[1]);
    }
  }
  trm_sim_free(sim);
  typed_close(&m);
  return peak / wanted;
}

/* Light parts on a stop that damps them at once: from step to step the stop is closed and open, and
 * matrices of one are no use for the other. Energy at the end by radau at 1e-8; it was .7 % more in
 * 2783 steps, with .74 J from nowhere on the way. */
static void light_parts_on_a_stop_take_few_steps(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  b: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0.1]}\n"
      "  n: {mass: 1e-6, inertia: [1, 1, 1], at: [0, 0, 0.1]}\njoints:\n"
      "  g: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  f: {type: translational, bodies: [ground, n], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "      limits: {lower: -0.1, depth: 1e-4, stiffness: 2e5, damping: 50}}\nforces:\n"
      "  s: {type: joint, joint: g, value: -1000*(g.displacement - f.displacement)}\n"
      "  r: {type: joint, joint: f, value: 1000*(g.displacement - f.displacement)}\n"
      "outputs: {z: b.z, stop: f.stop}\nsimulate: {end: 0.5}\n";
  const outcome r = fall(text, "radau", 1e-5), fine = fall(text, "radau", 1e-8);
  CHECK_NEAR(r.energy, fine.energy, 1e-3, "energy at the end, of that at the start");
  assert_true(r.steps < 800);
}

/* A load that rests on stiff ground is lifted: what Newton leaves of its place is a force there. By
 * radau the peak was 2.5 % off at 1e-6 (1e9 N/m), and twice what it should be at 1e-4 (1e8 N/m); of
 * 360 runs of all methods at 1e-5 to 1e-8 16 were off by more than 2 %, by up to 70 % (tdg on 1e11
 * N/m at 1e-5), because an iteration ended in the stop without balance of forces. */
static void what_leaves_a_stop_from_rest_has_its_speed(void **state) {
  (void)state;
  static const char *const ground[][2] = {
      {"1e8", "10 um"}, {"1e11", "1 um"},  {"1e10", "0.1 um"},  {"3e10", "10 um"}, {"1e9", "1 um"},
      {"3e9", "10 um"}, {"1e10", "10 um"}, {"1e11", "0.01 um"}, {"1e11", "10 um"}};
  static const double tolerances[] = {1e-5, 1e-6, 5e-6, 2e-6, 1e-7};
  const bool is_long = getenv("TRM_LONG") != NULL;
  for (int i = 0; i < (is_long ? 9 * 5 : 4 * 2); i++) {
    const double tolerance = tolerances[is_long ? i / 9 : i / 4];
    const char *const *at = ground[is_long ? i % 9 : i % 4];
    for (int m = 0; m < all_methods(); m++) {
      const double peak = winch_peak(at[0], at[1], methods[m], tolerance);
      CHECK_NEAR(peak, 1.0, 0.02, "%s at %g, %s N/m, %s", methods[m], tolerance, at[0], at[1]);
    }
  }
  CHECK_NEAR(winch_peak("1e8", "10 um", "radau", 1e-4), 1.0, 0.02, "radau at 1e-4");
  /* a step in which the load lifts off between the stages of tdg: that of the end was accepted by
   * the matrix of a closed stop, and the peak was 4.3 % off */
  CHECK_NEAR(winch_peak("1e11", "0.01 um", "tdg", 5e-6), 1.0, 0.02, "tdg at 5e-6");
}

static const char slider[] =
    "trammel: 1\ngravity: [0, 0, -9.81]\n"
    "bodies: {b: {mass: 2, inertia: [1,1,1], at: [0,0,1]}}\n"
    "joints: {g: {type: translational, bodies: [ground, b], at: [0,0,1], axis: [0,0,1],\n"
    "  limits: {lower: -1, stiffness: 1e8, damping: 500}}}\n"
    "outputs: {z: b.z, stop: g.stop}\nsimulate: {end: 4}\n";

/* A checkpoint inside an impact, or on the way to it: the same bits at the end. */
static void runs_go_on_with_the_same_bits_inside_an_impact(void **state) {
  (void)state;
  for (int m = 0; m < all_methods(); m++) {
    for (int cut = 5; cut <= 35; cut += 10) {
      double end[2][2];
      unsigned char bytes[1 << 16];
      size_t size = 0;
      trm_error err;
      for (int part = 0; part < 2; part++) {
        typed model = typed_text(slider, "slider", NULL);
        trm_options o = model.options;
        o.integrator = methods[m];
        o.end = 0.6;
        o.checkpoint_steps = cut;
        trm_sim *sim = kit_sim(model.system, &o);
        if (part == 1) CHECK_OK(trm_sim_load(sim, bytes, size, &err), err);
        bool done = false;
        for (int k = 1; !done; k++) {
          CHECK_OK(trm_sim_step(sim, &done, &err), err);
          if (part == 0 && k == cut) {
            size = trm_sim_save_size(sim);
            assert_true(size <= sizeof bytes);
            trm_sim_save(sim, bytes);
          }
        }
        end[part][0] = trm_sim_state(sim)->q[2];
        end[part][1] = trm_sim_state(sim)->v[2];
        trm_sim_free(sim);
        typed_close(&model);
      }
      assert_memory_equal(end[0], end[1], sizeof end[0]);
    }
  }
}

/* Bounces fade and the body rests: long steps again. */
static void what_rests_on_a_stop_costs_nothing(void **state) {
  (void)state;
  for (int m = 0; m < all_methods(); m++) {
    if (strcmp(methods[m], "explicit") == 0) continue; /* stiff for it, and it says so */
    typed model = typed_text(slider, "slider", NULL);
    trm_options o = model.options;
    trm_error err;
    o.integrator = methods[m];
    o.end = 100.0;
    trm_sim *sim = kit_sim(model.system, &o);
    double longest = 0.0, highest = 0.0;
    bool done = false;
    while (!done) {
      const double t = trm_sim_state(sim)->t;
      CHECK_OK(trm_sim_step(sim, &done, &err), err);
      if (t > 30.0) longest = fmax(longest, trm_sim_state(sim)->t - t);
      if (t > 30.0) highest = fmax(highest, trm_sim_state(sim)->q[2]);
    }
    print_message("%s: %ld steps, longest at rest %.2g s\n", methods[m],
                  trm_sim_counters(sim)->steps, longest);
    assert_true(longest > 1.0 && highest < 1e-5 && trm_sim_counters(sim)->steps < 15000);
    trm_sim_free(sim);
    typed_close(&model);
  }
}

/* Messages of a run. */
static void hear(void *self, double t, const char *text) {
  (void)t;
  if (strstr(text, "stop of joint 'g'") != NULL) ++*(int *)self;
}

static void fixed_steps_too_long_for_a_stop_are_told(void **state) {
  (void)state;
  static const double steps[] = {5e-4, 1e-6};
  for (int k = 0; k < 2; k++) {
    typed model = typed_text(slider, "slider", NULL);
    trm_options o = model.options;
    trm_error err;
    int heard = 0;
    o.steps[0] = steps[k];
    o.nsteps = 1;
    o.end = 0.5;
    trm_sim *sim = kit_sim(model.system, &o);
    CHECK_OK(trm_sim_add_sink(sim, &(trm_sink){.self = &heard, .message = hear}, &err), err);
    kit_run(sim);
    assert_int_equal(heard, k == 0);
    trm_sim_free(sim);
    typed_close(&model);
  }
}

/* A motion takes a slider beyond both of its limits, whatever they push: no blow is to be resolved.
 * With a small impact tolerance what seemed one took 3000 (hht) to 12000 (bdf) steps. */
static void a_stop_that_a_motion_passes_limits_no_steps(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nbodies:\n  a: {mass: 1, inertia: [.01, .01, .01], at: [0, 0, 0]}\n"
      "  b: {mass: 1, inertia: [.01, .01, .01], at: [0, 0, -.3]}\njoints:\n"
      "  j: {type: translational, bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "      limits: {upper: 5 cm, lower: -7 cm, stiffness: 1e5}}\n"
      "  k: {type: revolute, bodies: [a, b], at: [0, 0, 0], axis: [0, 1, 0]}\n"
      "gravity: [0, 0, -9.81]\n"
      "motions: {m: {joint: j, coordinate: displacement, position: 0.1*sin(20*time)}}\n"
      "outputs: {x: b.x, force: m.force}\nsimulate: {end: 1}\n";
  typed m = typed_text(text, "passed.yaml", NULL);
  m.options.impact_tolerance = 1e-7;
  double right[2] = {0.0};
  for (int i = 0; i < all_methods(); i++) {
    double out[2];
    trm_error err = {.message = ""};
    trm_sim *sim = typed_sim(&m, methods[i], 1e-7);
    kit_run(sim);
    CHECK_OK(trm_sim_outputs(sim, out, &err), err);
    if (i == 0) memcpy(right, out, sizeof out);
    CHECK_NEAR(out[0], right[0], 1e-4, "place by %s", methods[i]); /* of orders 2 to 13 */
    CHECK_NEAR(out[1] / right[1], 1.0, 1e-4, "force by %s", methods[i]);
    const long steps = trm_sim_counters(sim)->steps;
    if (steps > 1500) fail_msg("%s: %ld steps", methods[i], steps);
    trm_sim_free(sim);
  }
  typed_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stops_of_joints_give_the_energy_back),
      cmocka_unit_test(stops_follow_the_tolerance),
      cmocka_unit_test(impacts_give_the_energy_back),
      cmocka_unit_test(light_parts_on_a_stop_take_few_steps),
      cmocka_unit_test(what_leaves_a_stop_from_rest_has_its_speed),
      cmocka_unit_test(runs_go_on_with_the_same_bits_inside_an_impact),
      cmocka_unit_test(what_rests_on_a_stop_costs_nothing),
      cmocka_unit_test(fixed_steps_too_long_for_a_stop_are_told),
      cmocka_unit_test(a_stop_that_a_motion_passes_limits_no_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0 || failures > 0;
}
