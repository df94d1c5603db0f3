/* Reactions of redundant constraints: the shortest ones, whatever the masses, the method and the
 * solver are. */
#include "methods.h"
#include "verify/watch.h"
#include <lapacke.h>

/* A door on two hinges. The moment of its weight goes over forces f across, 1.6 m apart, and
 * torques t, all forces and torques of least squares:
 *   1.6 f + 2 t = 0.4 m g,  f/t = 1.6/2;   each hinge bears half of the weight              (1) */
static const char door[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {m: 20, dynamic: 0, speed: 0}\n"
    "bodies:\n"
    "  door: {mass: m, inertia: [0.3 * m, 0.35 * m, 0.06 * m], at: [0.4, 0, 1],\n"
    "         velocity: [0, 0.4 * speed, 0], angular_velocity: [0, 0, speed]}\n"
    "joints:\n"
    "  low: {type: revolute, bodies: [ground, door], at: [0, 0, 0.2], axis: [0, 0, 1],\n"
    "        friction: {static: dynamic, dynamic: dynamic, radius: 0.02, velocity: 1e-4}}\n"
    "  high: {type: revolute, bodies: [ground, door], at: [0, 0, 1.8], axis: [0, 0, 1],\n"
    "         friction: {static: dynamic, dynamic: dynamic, radius: 0.02, velocity: 1e-4}}\n"
    "simulate: {end: 0.3}\n";

enum { ROWS = 5 }; /* of a hinge: three forces, two torques */
static const char *const solvers[] = {"block", "klu", "dense"};

static void check_door(const point *end, double mass, const char *what) {
  const double t = 0.4 * mass * 9.81 / (0.8 * 1.6 + 2.0), f = 0.8 * t;
  const double *low = end->s.lam, *high = end->s.lam + ROWS;
  /* 1e-16 over a border of 1e-5, see share.c */
  const double near = 1e-10 * mass * 9.81;
  for (int i = 0; i < 2; i++) {
    const double *hinge = i == 0 ? low : high;
    CHECK_NEAR(hypot(hinge[0], hinge[1]), f, near, "%s: across", what);
    CHECK_NEAR(fabs(hinge[2]), 0.5 * mass * 9.81, near, "%s: along", what);
    CHECK_NEAR(hypot(hinge[3], hinge[4]), t, near, "%s: torque", what);
  }
}

static void a_door_hangs_on_both_hinges_alike(void **state) {
  (void)state;
  static const char *const masses[] = {"0.02", "20", "20000"};
  for (size_t k = 0; k < sizeof masses / sizeof *masses; k++) {
    for (int i = 0; i < all_methods(); i++) {
      for (size_t j = 0; j < sizeof solvers / sizeof *solvers; j++) {
        char what[80];
        point end;
        typed m = typed_text(door, "door", (trm_setting[]){{"m", masses[k]}, {0}});
        m.options.integrator = methods[i];
        m.options.solver = solvers[j];
        snprintf(what, sizeof what, "%s kg, %s, %s", masses[k], methods[i], solvers[j]);
        watch_run(&m, NULL, &end);
        check_door(&end, atof(masses[k]), what);
        typed_close(&m);
      }
    }
  }
}

/* The same door in millimetres, where a torque has a thousand times as many units: the same
 * reactions, since lengths count in metres. */
static void units_do_not_matter(void **state) {
  (void)state;
  point end;
  typed m = typed_text(
      "trammel: 1\n"
      "units: {length: mm, mass: kg, time: s}\n"
      "gravity: [0, 0, -9810]\n"
      "bodies: {door: {mass: 20, inertia: [6e6, 7e6, 1.2e6], at: [400, 0, 1000]}}\n"
      "joints:\n"
      "  low: {type: revolute, bodies: [ground, door], at: [0, 0, 200], axis: [0, 0, 1]}\n"
      "  high: {type: revolute, bodies: [ground, door], at: [0, 0, 1800], axis: [0, 0, 1]}\n"
      "simulate: {end: 0.3}\n", "door in mm", NULL);
  watch_run(&m, NULL, &end);
  for (int i = 0; i < 2 * ROWS; i++) {
    end.s.lam[i] /= i % ROWS < 3 ? 1e3 : 1e6; /* kg mm/s^2 are mN */
  }
  check_door(&end, 20.0, "mm");
  typed_close(&m);
}

/* Friction of the hinges goes with what each transmits, so shares decide how the door slows down:
 * with w its speed, a = w', I = 0.06 m + m 0.4^2 and half of -m 0.4 w^2 and m 0.4 a on each hinge,
 *   I a = -dynamic r (|F_low| + |F_high|)                                                   (2) */
static void friction_follows_the_shares(void **state) {
  (void)state;
  const double m = 20, w = 2.0, d = 0.4, dynamic = 0.3, r = 0.02;
  const double f = 0.8 * d * m * 9.81 / (0.8 * 1.6 + 2.0), inertia = 0.06 * m + m * d * d;
  double a = 0.0;
  for (int k = 0; k < 50; k++) { /* a contributes 1e-3 of itself */
    const double in = 0.5 * m * d * w * w, along = 0.5 * m * d * a, down = 0.5 * m * 9.81;
    const double low = sqrt((f - in) * (f - in) + along * along + down * down);
    const double high = sqrt((f + in) * (f + in) + along * along + down * down);
    a = -dynamic * r * (low + high) / inertia;
  }
  point start;
  typed model = typed_text(door, "door", (trm_setting[]){{"dynamic", "0.3"}, {"speed", "2"}, {0}});
  point_start(&start, model.system);
  /* a load of zero is rounded off over 1e-4 of the weight: 1e-8 of its square */
  CHECK_NEAR(start.s.vd[5], a, 1e-7 * fabs(a), "slowing down");
  typed_close(&model);
}

/* Multipliers of the state against those of least squares, by LAPACK's singular values. */
static double off_least_squares(typed *m, const trm_state *s) {
  enum { ROWS_MAX = 64, COLS_MAX = 64 };
  static double GT[ROWS_MAX * COLS_MAX], force[ROWS_MAX], values[ROWS_MAX];
  trm_error err = {.message = ""};
  trm_system *sys = m->system;
  const int nv = sys->n.nv, ng = sys->n.ng;
  const trmi_sparse *G = &sys->block[TRM_G];
  assert_true(nv <= COLS_MAX && ng <= ROWS_MAX);
  CHECK_OK(trmi_system_rows(sys, s, &err), err);
  memset(GT, 0, sizeof GT);
  memset(force, 0, sizeof force);
  for (int k = 0; k < G->n; k++) {
    GT[G->row[k] * nv + G->col[k]] += G->values[k];
    force[G->col[k]] += G->values[k] * s->lam[G->row[k]];
  }
  lapack_int rank = 0;
  assert_int_equal(LAPACKE_dgelsd(LAPACK_COL_MAJOR, nv, ng, 1, GT, nv, force, ROWS_MAX, values,
                                  1e-9, &rank), 0);
  assert_true(rank < ng);
  double off = 0.0;
  for (int j = 0; j < ng; j++) off = fmax(off, fabs(force[j] - s->lam[j]));
  return off / largest(s->lam, ng);
}

static void loops_have_reactions_of_least_squares(void **state) {
  (void)state;
  static const char *const models[] = {"four-bar", "bricard"};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    for (int i = 0; i < all_methods(); i++) {
      point end;
      typed m = typed_model(models[k], NULL);
      m.options.integrator = methods[i];
      m.options.end = 0.5;
      watch_run(&m, NULL, &end);
      const double off = off_least_squares(&m, &end.s);
      print_message("%s, %s: %.2g\n", models[k], methods[i], off);
      /* singular values of loops down to 1e-2 or so multiply what rounding leaves */
      CHECK_NEAR(off, 0.0, 1e-8, "%s, %s", models[k], methods[i]);
      typed_close(&m);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_door_hangs_on_both_hinges_alike),
    cmocka_unit_test(units_do_not_matter),
    cmocka_unit_test(friction_follows_the_shares),
    cmocka_unit_test(loops_have_reactions_of_least_squares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
