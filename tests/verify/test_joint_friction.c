/* test_joint_friction.c - loads of bearings: moments across the axis, reactions that are not
 * unique, friction that jams. */
#include "methods.h"
#include "trammel/doctor.h"
#include "verify/claims.h"


#define ALL_METHODS(limit) \
  WAYS({"hht", 1e-7, limit}, {"alpha", 1e-7, limit}, {"radau", 1e-8, limit}, \
       {"tdg", 1e-8, limit}, {"explicit", 1e-9, limit})

/* Run a text; its notes and its status. */
static trm_status run_with_notes(const char *text, const char *integrator, kit_notes *n,
                                 trm_error *err) {
  typed m = typed_text(text, integrator, NULL);
  trm_sim *sim = NULL;
  *n = (kit_notes){.text = ""};
  m.options.integrator = integrator;
  trm_status status = trm_sim_create(m.system, &m.options, &sim, err);
  const trm_sink sink = {.self = n, .message = kit_note};
  if (status == TRM_OK) status = trm_sim_add_sink(sim, &sink, err);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  trm_sim_free(sim);
  typed_close(&m);
  return status;
}

/* ---- loads near zero ------------------------------------------------------------------------ */

/* Without gravity an eccentric rotor of 0.1 kg loads its bearing with .1*.01*9 N and less and less;
 * how small a load is small beside a weight does not depend on the unit of force. */
static void small_loads_are_the_same_in_all_units(void **state) {
  (void)state;
  static const char *const units[] = {"m-kg-s-N", "kN-t-m-s", "mm-t-s-N", "lbf-lbm-in-s"};
  static const double newtons[] = {1.0, 1e3, 1.0, 4.4482216152605};
  double first = NAN;
  for (int k = 0; k < 4; k++) {
    char text[700];
    double load = NAN;
    trm_error err;
    snprintf(text, sizeof text,
             "trammel: 1\nunits: %s\n"
             "bodies: {r: {mass: .1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2],\n"
             "  at: [.01 m, 0, 0], velocity: [0, .03 m/s, 0], angular_velocity: [0, 0, 3 rad/s]}}\n"
             "joints: {h: {type: revolute, bodies: [ground, r], at: [0, 0, 0], axis: [0, 0, 1],\n"
             "  friction: {dynamic: .3, radius: 2 cm}}}\n"
             "outputs: {load: h.normal}\nsimulate: {end: 1 s, tolerance: 1e-9}\n", units[k]);
    typed m = typed_text(text, "radau", NULL);
    m.options.integrator = "radau";
    trm_sim *sim = kit_sim(m.system, &m.options);
    kit_run(sim);
    CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim),
                               &(trm_values){.outputs = &load}, &err), err);
    if (k == 0) first = load;
    CHECK_NEAR(load * newtons[k], first, 1e-12, "%s", units[k]); /* rounding of 9e-3 N */
    trm_sim_free(sim);
    typed_close(&m);
  }
}

/* ---- moments across the axis --------------------------------------------------------------- */

/* A weight of 98.1 N hangs 1.5 m beside the middle of a bearing of 1 m: its ends carry 98.1 and
 * 196.2 N. The torque 0.3 * 0.02 * 294.3 N slows 0.1 kg m^2 down. eps is 1e-4 of the weight: at the
 * end with 98.1 N, (eps/2)^2/2 of it are missing. */
#define SHAFT(joints)                                                                            \
  "trammel: 1\n"                                                                                 \
  "gravity: [0, 0, -9.81]\n"                                                                     \
  "bodies: {shaft: {mass: 10, inertia: [.1, .1, .1], at: [2, 0, 0],\n"                           \
  "                 angular_velocity: [10, 0, 0]}}\n"                                            \
  "joints: {" joints "}\n"
#define BEARING "friction: {dynamic: .3, radius: 2 cm}"

static void an_overhung_shaft_loads_both_ends_of_its_bearing(void **state) {
  (void)state;
  outputs_are_zero(
      SHAFT("h: {type: revolute, bodies: [ground, shaft], at: [.5, 0, 0], axis: [1, 0, 0],\n"
            "    friction: {dynamic: .3, radius: 2 cm, length: 1}}")
      "outputs: {load: h.normal - 294.3, rate: h.angle' - 10 + .006*294.3/.1*time}\n"
      "simulate: {end: .2}\n",
      "shaft with a length", ALL_METHODS(2e-6));
}

/* Two balls carry the same; the second may slide, so that nothing is redundant. */
static void an_overhung_shaft_on_two_balls_is_the_same(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies:\n"
      "  shaft: {mass: 10, inertia: [.1, .1, .1], at: [2, 0, 0], angular_velocity: [10, 0, 0]}\n"
      "  block: {mass: 1e-6, inertia: [1e-6, 1e-6, 1e-6], at: [1, 0, 0]}\n"
      "joints:\n"
      "  a: {type: spherical, bodies: [ground, shaft], at: [0, 0, 0], " BEARING "}\n"
      "  b: {type: spherical, bodies: [block, shaft], at: [1, 0, 0], " BEARING "}\n"
      "  slide: {type: translational, bodies: [ground, block], at: [1, 0, 0], axis: [1, 0, 0]}\n"
      "outputs: {a: a.force.z + 98.1, b: b.force.z - 196.2,\n"
      "          rate: shaft.wx - 10 + .006*294.3/.1*time}\n"
      "simulate: {end: .2}\n",
      "shaft on two balls", WAYS({"hht", 1e-7, 1e-4}, {"radau", 1e-8, 1e-4}));
}

/* A slider of 0.2 m is pushed by 10 N, 0.3 m beside its line: its ends carry +-15 N; with a torque
 * of 2 N m about the line and a radius of 0.1 m there are 20 N more. */
static void moments_load_the_ends_of_a_slider(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1], velocity: [1, 0, 0]}}\n"
      "joints: {s: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "             friction: {dynamic: .1, radius: .1, length: .2}}}\n"
      "forces: {push: {type: force, body: b, at: [0, .3, 0], force: [10, 0, 0]},\n"
      "         turn: {type: torque, body: b, torque: [2, 0, 0]}}\n"
      "outputs: {load: s.normal - 50, speed: b.vx - 1 - 2.5*time}\n"
      "simulate: {end: 1}\n",
      "slider", ALL_METHODS(1e-5));
}

/* With a cylinder the same moment slows both, sliding and turning. A force of 3 N across the axis
 * and a moment of 4 N m about the same direction: ends carry (1.5, +-4/l), at right angles. */
static void a_cylinder_adds_force_and_moment_as_vectors(void **state) {
  (void)state;
  outputs_are_zero(
      "trammel: 1\n"
      "parameters: {l: 2}\n"
      "bodies: {b: {mass: 2, inertia: [.1, .1, .1], velocity: [0, 0, 1]}}\n"
      "joints: {s: {type: cylindrical, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "             friction: {dynamic: .1, radius: .1, length: l}}}\n"
      "forces: {push: {type: force, body: b, force: [3, 0, 0], torque: [4, 0, 0]}}\n"
      "outputs: {load: s.normal - 2*sqrt(1.5^2 + (4/l)^2)}\n"
      "simulate: {end: .1}\n",
      "cylinder", ALL_METHODS(1e-6));
}

static void other_joints_have_no_length(void **state) {
  (void)state;
  static const char *const types[] = {"spherical", "point_on_line", "planar", "constant_velocity"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    char text[400];
    trm_model *model = NULL;
    trm_error err;
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {j: {type: %s, markers: [ground, b],\n"
             "             friction: {dynamic: .1, radius: .1, length: .1}}}\n", types[i]);
    CHECK_STATUS(trm_model_read_text(text, types[i], NULL, 0, NULL, &model, &err), TRM_ERR_INPUT);
    trm_model_free(model);
  }
}

/* A moment that would load a bearing of unknown length is reported; where there is none, it is
 * not. */
static void a_moment_without_a_length_is_named(void **state) {
  (void)state;
  static const struct {
    const char *joint, *at;
    bool        is_named;
  } cases[] = {{"revolute", "0, 0, 0", true},       {"revolute", "2, 0, 0", false},
               {"cylindrical", "0, 0, 0", true},    {"cylindrical", "2, 0, 0", false},
               {"translational", "0, 0, 0", false}, /* loaded by the torque over the radius */
               {"spherical", "2, 0, 0", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    kit_notes n;
    trm_error err;
    snprintf(text, sizeof text, SHAFT("h: {type: %s, bodies: [ground, shaft], at: [%s]%s, " BEARING
                                      "}") "simulate: {end: .01}\n", cases[i].joint, cases[i].at,
             i == 5 ? "" : ", axis: [1, 0, 0]");
    CHECK_OK(run_with_notes(text, "hht", &n, &err), err);
    const bool is_named = strstr(n.text, "joint 'h': torques across its axis") != NULL;
    assert_int_equal(is_named, cases[i].is_named);
  }
}

/* ---- reactions that are not unique --------------------------------------------------------- */

#define TWO_HINGES                                                                               \
  SHAFT("h1: {type: revolute, bodies: [ground, shaft], at: [0, 0, 0], axis: [1, 0, 0], " BEARING \
        "},\n h2: {type: revolute, bodies: [ground, shaft], at: [1, 0, 0], axis: [1, 0, 0]"      \
        ", " BEARING "}")                                                                        \
  "simulate: {end: .01}\n"

static void friction_on_shared_reactions_is_named_before_the_run(void **state) {
  (void)state;
  kit_notes n;
  trm_error err;
  CHECK_OK(run_with_notes(TWO_HINGES, "hht", &n, &err), err);
  assert_non_null(strstr(n.text, "load of the friction of joint 'h1', joint 'h2' is not unique"));
  assert_null(strstr(n.text, "the motion is right"));
}

static void friction_on_shared_reactions_is_named_by_check(void **state) {
  (void)state;
  typed m = typed_text(TWO_HINGES, "hinges", NULL);
  trm_sim *sim = NULL;
  trm_doctor *doctor = NULL;
  trm_error err;
  bool is_named = false;
  CHECK_OK(trm_doctor_examine_start(m.system, &m.options, &sim, &doctor, &err), err);
  for (int i = 0; i < doctor->nwarnings; i++) {
    const char *found = strstr(doctor->warnings[i], "friction of joint 'h1', joint 'h2'");
    is_named = is_named || found != NULL;
  }
  assert_true(is_named);
  trm_doctor_free(doctor);
  trm_sim_free(sim);
  typed_close(&m);
}

/* A plane four-bar linkage of hinges has three redundant rows, but the loads of its friction,
 * forces in the plane, do not depend on them. */
static void friction_in_a_plane_linkage_is_unique(void **state) {
  (void)state;
  kit_notes n;
  trm_error err;
  CHECK_OK(run_with_notes(
      "trammel: 1\n"
      "gravity: [0, -9.81, 0]\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: [.1, .1, .1], at: [0, .5, 0], angular_velocity: [0, 0, -1]}\n"
      "  b: {mass: 1, inertia: [.1, .1, .1], at: [1, 1, 0]}\n"
      "  c: {mass: 1, inertia: [.1, .1, .1], at: [2, .5, 0]}\n"
      "joints:\n"
      "  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], " BEARING "}\n"
      "  q: {type: revolute, bodies: [a, b], at: [0, 1, 0], axis: [0, 0, 1], " BEARING "}\n"
      "  r: {type: revolute, bodies: [b, c], at: [2, 1, 0], axis: [0, 0, 1], " BEARING "}\n"
      "  s: {type: revolute, bodies: [ground, c], at: [2, 0, 0], axis: [0, 0, 1], " BEARING "}\n"
      "simulate: {end: .1}\n", "hht", &n, &err), err);
  assert_non_null(strstr(n.text, "redundant"));
  assert_non_null(strstr(n.text, "the motion is right"));
  assert_null(strstr(n.text, "load of the friction"));
}

/* ---- friction that jams -------------------------------------------------------------------- */

/* The weight hangs 0.3 m beside a guide of length l: friction f = mu w acts on the guide, so that
 * w = |a + 2*0.3/l mu w|: a gain of 0.3 with l = 1, of 3 with l = 0.1. */
#define GUIDE_FROM(length, push, velocity)                                                       \
  "trammel: 1\n"                                                                                 \
  "gravity: [" push ", 0, -9.81]\n"                                                              \
  "bodies: {b: {mass: 1, inertia: [.01, .01, .01], at: [.3, 0, 0],\n"                            \
  "             velocity: [0, 0, " velocity "]}}\n"                                              \
  "joints: {g: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"     \
  "             friction: {dynamic: .5, length: " length "}}}\n"                                 \
  "simulate: {end: .2}\n"
#define GUIDE(length, push) GUIDE_FROM(length, push, "-1")

static void a_guide_that_jams_is_named_with_its_gain(void **state) {
  (void)state;
  for (int i = 0; i < all_methods(); i++) {
    kit_notes n;
    trm_error err = {.message = ""};
    /* nothing loads it: a motion without friction, one of several */
    CHECK_OK(run_with_notes(GUIDE("0.1", "0"), methods[i], &n, &err), err);
    assert_non_null(strstr(n.text, "joint 'g': friction raises its own load"));
    assert_non_null(strstr(n.text, "'g.normal' by 3 times"));
    /* from rest its friction begins with the motion, and the run has few steps */
    CHECK_OK(run_with_notes(GUIDE_FROM("0.1", "0", "0"), methods[i], &n, &err), err);
    assert_non_null(strstr(n.text, "joint 'g': friction raises its own load"));
    /* a push loads it: there is no solution */
    assert_true(run_with_notes(GUIDE("0.1", "3"), methods[i], &n, &err) < 0);
    assert_string_equal(err.object, "joint 'g'");
    assert_non_null(strstr(err.message, "by 3 times"));
    /* long enough: it slides, and nobody complains */
    CHECK_OK(run_with_notes(GUIDE("1", "3"), methods[i], &n, &err), err);
    assert_string_equal(n.text, "");
  }
}

/* A slide whose guide loses its grip while it runs: the gain passes one along the way, since the
 * load's lever arm grows with a second body that moves out. The run ends, by the end or by name. */
static void a_jam_on_the_way_is_named(void **state) {
  (void)state;
  for (int i = 0; i < all_methods(); i++) {
    kit_notes n;
    trm_error err = {.message = ""};
    const trm_status status = run_with_notes(
        "trammel: 1\n"
        "gravity: [3, 0, -9.81]\n"
        "bodies:\n"
        "  b: {mass: .1, inertia: [.01, .01, .01], velocity: [0, 0, -1]}\n"
        "  c: {mass: 2, inertia: [.01, .01, .01], at: [.05, 0, 0], velocity: [1, 0, -1]}\n"
        "joints:\n"
        "  g: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
        "      friction: {dynamic: .5, length: .3}}\n"
        "  out: {type: translational, bodies: [b, c], at: [.05, 0, 0], axis: [1, 0, 0]}\n"
        "motions: {m: {joint: out, position: time}}\n"
        "simulate: {end: 1, tolerance: 1e-6}\n", methods[i], &n, &err);
    print_message("%s: %d %s %s\n", methods[i], (int)status, n.text, err.message);
    const bool is_noted = strstr(n.text, "joint 'g': friction raises") != NULL;
    const bool is_blamed = status < 0 && strcmp(err.object, "joint 'g'") == 0 &&
                           strstr(err.message, "friction raises") != NULL;
    assert_true(is_noted || is_blamed);
  }
}

/* A plane linkage of hinges whose axis is none of the ground: three rows are redundant, and
 * contradict each other by rounding. The load of a bearing with a length reads their multipliers,
 * which each Newton step moves on: they are shared out, and the loop converges, with all solvers to
 * the same motion [mm]. */
static void loads_on_redundant_rows_that_round_converge(void **state) {
  (void)state;
#define AXIS "axis: [0.5184546133047977, -0.7688759869743359, -0.374211879283934]"
  static const char *const text =
      "trammel: 1\n"
      "units: N-kg-ms-mm\n"
      "gravity: [0, 0, -0.00981]\n"
      "bodies:\n"
      "  b1: {mass: 1, inertia: [4000, 5000, 6000],\n"
      "       at: [-134.44111310092913, -65.95246844616803, -50.75292123651988]}\n"
      "  b2: {mass: 1.3, inertia: [4000, 5000, 6000],\n"
      "       at: [-390.04093506582296, -336.44402071430585, 17.2768602057858]}\n"
      "  b3: {mass: 1.6, inertia: [4000, 5000, 6000],\n"
      "       at: [-353.9051314888049, -516.0094297837842, 302.67214321788134]}\n"
      "joints:\n"
      "  j1: {type: revolute, bodies: [ground, b1], at: [0, 0, 0], " AXIS "}\n"
      "  j2: {type: revolute, bodies: [b1, b2], " AXIS ",\n"
      "       at: [-268.88222620185826, -131.90493689233605, -101.50584247303976],\n"
      "       friction: {static: .2, dynamic: .15, radius: 10, velocity: .001, length: 50}}\n"
      "  j3: {type: revolute, bodies: [b2, b3], " AXIS ",\n"
      "       at: [-563.0451052602674, -464.0955058388421, 173.4807508130048]}\n"
      "  j4: {type: revolute, bodies: [b3, ground], " AXIS ",\n"
      "       at: [-248.4560803783021, -414.14815633385905, 506.7059114795447]}\n"
      "outputs: {x: b2.x}\n"
      "simulate: {end: 200, tolerance: 1e-10}\n";
#undef AXIS
  static const char *const solvers[] = {"dense", "klu", "block"};
  static const char *const tried[] = {"tdg", "radau"};
  for (int i = 0; i < 2; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) {
      typed m = typed_text(text, tried[i], NULL);
      trm_error err;
      m.options.integrator = tried[i];
      m.options.solver = solvers[k];
      trm_sim *sim = kit_sim(m.system, &m.options);
      CHECK_OK(trm_sim_run(sim, &err), err);
      const trm_values out = {.outputs = &x[k]};
      CHECK_OK(trm_system_values(trm_sim_system(sim), trm_sim_state(sim), &out, &err), err);
      trm_sim_free(sim);
      typed_close(&m);
      CHECK_NEAR(x[k], x[0], 1e-5, "%s with %s", tried[i], solvers[k]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_loads_are_the_same_in_all_units),
      cmocka_unit_test(an_overhung_shaft_loads_both_ends_of_its_bearing),
    cmocka_unit_test(an_overhung_shaft_on_two_balls_is_the_same),
    cmocka_unit_test(moments_load_the_ends_of_a_slider),
    cmocka_unit_test(a_cylinder_adds_force_and_moment_as_vectors),
    cmocka_unit_test(a_moment_without_a_length_is_named),
    cmocka_unit_test(other_joints_have_no_length),
    cmocka_unit_test(friction_on_shared_reactions_is_named_before_the_run),
    cmocka_unit_test(friction_on_shared_reactions_is_named_by_check),
    cmocka_unit_test(friction_in_a_plane_linkage_is_unique),
    cmocka_unit_test(a_guide_that_jams_is_named_with_its_gain),
    cmocka_unit_test(a_jam_on_the_way_is_named),
    cmocka_unit_test(loads_on_redundant_rows_that_round_converge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
