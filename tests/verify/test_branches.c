/* Eigenvalues along a motion: ranges of [OSC], where pairs become real, assignments, refusals. */
#include "analysis/assignment.h"
#include "typed.h"

enum { MOST = 8 };

/* Ranges of the branches of a run at equal samples. */
typedef struct followed {
  int    count;
  double re[MOST][2], im[MOST][2], mac;
  long   splits, joins, others;
} followed;

typedef struct follower {
  trm_branches *branches;
  trm_sim      *sim;
} follower;

static trm_status sample(void *self, const trm_sample *now, trm_error *err) {
  const follower *f = self;
  return trm_branches_add(f->branches, trm_sim_system(f->sim), now->state, err);
}

static void read_branches(const trm_branches *branches, followed *result) {
  const trm_branch_point *p = NULL;
  const trm_branch_note *notes = NULL;
  const long n = trm_branches_points(branches, &p), nnotes = trm_branches_notes(branches, &notes);
  *result = (followed){.count = trm_branches_count(branches), .mac = 1.0};
  assert_true(result->count <= MOST);
  for (int k = 0; k < MOST; k++) {
    result->re[k][0] = result->im[k][0] = INFINITY;
    result->re[k][1] = result->im[k][1] = -INFINITY;
  }
  for (long i = 0; i < n; i++) {
    double *re = result->re[p[i].branch], *im = result->im[p[i].branch];
    re[0] = fmin(re[0], p[i].re), re[1] = fmax(re[1], p[i].re);
    im[0] = fmin(im[0], p[i].im), im[1] = fmax(im[1], p[i].im);
    result->mac = fmin(result->mac, p[i].mac);
  }
  for (long i = 0; i < nnotes; i++) {
    result->splits += notes[i].change == TRM_BRANCH_SPLIT;
    result->joins += notes[i].change == TRM_BRANCH_JOINED;
    result->others += notes[i].change == TRM_BRANCH_BORN || notes[i].change == TRM_BRANCH_ENDED;
  }
}

static void follow(const char *text, const char *method, double tolerance, int outputs,
                   followed *result) {
  trm_error err;
  typed m = typed_text(text, "branches", NULL);
  m.options.integrator = "explicit";
  m.options.tolerance = tolerance;
  m.options.outputs = outputs;
  follower f = {.sim = kit_sim(m.system, &m.options)};
  trm_modes_options options = trm_modes_options_default();
  options.method = method;
  CHECK_OK(trm_branches_create(&options, &f.branches, &err), err);
  CHECK_OK(trm_sim_add_sink(f.sim, &(trm_sink){.self = &f, .sample = sample}, &err), err);
  CHECK_OK(trm_sim_run(f.sim, &err), err);
  read_branches(f.branches, result);
  trm_branches_free(f.branches);
  trm_sim_free(f.sim);
  typed_close(&m);
}

static void check_range(const double range[2], double low, double high, const char *what) {
  const double tol = 0.01 * fmax(fabs(low), fabs(high)); /* the claim: within 1 % */
  CHECK_NEAR(range[0], low, tol, "%s: low end", what);
  CHECK_NEAR(range[1], high, tol, "%s: high end", what);
}

#define STIFF(eps2)                                                                            \
  "trammel: 1\nequations:\n  coordinates: {x: .9, y: .1}\n  mass: {x: 1, y: 1}\n"              \
  "  potential: 0.5/" eps2 "*(sqrt(x^2 + y^2) - 1)^2 - y\nsimulate: {end: 2}\n"

/* The spring of a stiff pendulum gives a constant pair; the swing is real while the spring is
 * stretched and a pair while it is pressed. Values as of [OSC], figures 2 and
 * 4, by a program of its own. */
static void the_stiff_pendulum_splits_and_joins(void **state) {
  (void)state;
  followed f;
  follow(STIFF("1e-5"), "dense", 1e-8, 4000, &f);
  check_range(f.im[2], 316.23, 316.23, "spring, eps2 1e-5");
  CHECK_NEAR(fmax(f.re[0][1], f.re[1][1]), 102.1, 1.02, "swing, real part, eps2 1e-5");
  CHECK_NEAR(fmax(f.im[0][1], f.im[1][1]), 92.9, 0.93, "swing, imaginary part, eps2 1e-5");
  follow(STIFF("1e-3"), "dense", 1e-8, 800, &f);
  print_message("%d branches, %ld splits, %ld joins, least MAC %.3f\n", f.count, f.splits, f.joins,
                f.mac);
  assert_int_equal(f.count, 3);
  assert_true(f.splits > 5 && labs(f.splits - f.joins) <= 1);
  assert_int_equal(f.others, 0);
  CHECK_BETWEEN(f.mac, 0.9, 1.0, "least MAC");
  check_range(f.im[2], 31.62, 31.62, "spring, eps2 1e-3");
  CHECK_NEAR(fmin(f.re[0][0], f.re[1][0]), -10.21, 0.1, "swing, real part");
  CHECK_NEAR(fmax(f.re[0][1], f.re[1][1]), 10.21, 0.1, "swing, real part");
  CHECK_NEAR(fmax(f.im[0][1], f.im[1][1]), 9.41, 0.094, "swing, imaginary part");
}

/* The same motion in polar coordinates: other values, since there is no equilibrium. */
static void values_depend_on_the_coordinates(void **state) {
  (void)state;
  followed f;
  follow("trammel: 1\nequations:\n"
         "  coordinates: {r: 0.9055385138137417, th: 0.11065722117389565}\n"
         "  kinetic: 0.5*(r'^2 + r^2*th'^2)\n"
         "  potential: 0.5/1e-3*(r - 1)^2 - r*sin(th)\nsimulate: {end: 10}\n",
         "dense", 1e-8, 4000, &f);
  double re = 0.0, im = 0.0, fast[2] = {INFINITY, 0.0};
  for (int k = 0; k < f.count; k++) {
    if (f.im[k][0] > 20.0) fast[0] = fmin(fast[0], f.im[k][0]), fast[1] = fmax(fast[1], f.im[k][1]);
    if (f.im[k][0] < 20.0) im = fmax(im, f.im[k][1]), re = fmax(re, fabs(f.re[k][0]));
  }
  print_message("%d branches, fast %.2f .. %.2f, swing Re %.2f, Im %.2f\n", f.count, fast[0],
                fast[1], re, im);
  check_range(fast, 31.62, 31.75, "spring, polar");
  CHECK_NEAR(re, 5.99, 0.06, "swing, polar: real part");
  CHECK_NEAR(im, 1.04, 0.011, "swing, polar: imaginary part");
}

/* [OSC] (10): three pairs that never meet; samples of 2000 a second, as in the prototype. */
static void bushing_has_three_branches(void **state) {
  (void)state;
  static const double range[3][2] = {{19.3, 34.3}, {100.0, 100.0}, {112.24, 113.28}};
  followed f;
  follow("trammel: 1\nequations:\n  coordinates: {x: 1.1, y: .1, th: 0}\n"
         "  mass: {x: 1, y: 1, th: 1}\n"
         "  potential: 0.5*1e4*(.5 - x + .5*cos(th))^2 + 0.5*1e4*(y - .5*sin(th))^2 +"
         " 0.5*1e3*th^2 + y\nsimulate: {end: 1}\n", "dense", 1e-8, 2000, &f);
  assert_int_equal(f.count, 3);
  assert_int_equal(f.splits + f.joins + f.others, 0);
  CHECK_BETWEEN(f.mac, 0.99, 1.0, "least MAC");
  for (int k = 0; k < 3; k++) check_range(f.im[k], range[k][0], range[k][1], "bushing");
}

enum { WANTED = 20 }; /* eigenvalues at each sample */

/* Eigenvalues of a row of masses with dampers by one method, at three samples of a run or at its
 * start alone. */
static void follow_masses(const char *masses, const char *method, bool runs,
                          trm_branch_point points[3 * WANTED]) {
  trm_setting settings[] = {{"masses", masses}, {"damping", "1"}};
  trm_error err;
  trm_system *system;
  trm_options o = trm_options_default();
  o.end = 0.2;
  o.outputs = 2;
  o.tolerance = 1e-6;
  CHECK_OK(trm_problem_create(trm_problem_find("oscillators"), settings, 2, NULL, &system, &err),
           err);
  follower f = {.sim = kit_sim(system, &o)};
  trm_modes_options options = trm_modes_options_default();
  options.method = method;
  CHECK_OK(trm_branches_create(&options, &f.branches, &err), err);
  if (runs) {
    CHECK_OK(trm_sim_add_sink(f.sim, &(trm_sink){.self = &f, .sample = sample}, &err), err);
    CHECK_OK(trm_sim_run(f.sim, &err), err);
  } else {
    CHECK_OK(trm_branches_add(f.branches, system, trm_sim_state(f.sim), &err), err);
  }
  const trm_branch_point *found = NULL;
  const long n = trm_branches_points(f.branches, &found);
  assert_int_equal(n, (runs ? 3 : 1) * WANTED);
  memcpy(points, found, (size_t)n * sizeof *found);
  trm_branches_free(f.branches);
  trm_sim_free(f.sim);
  trm_system_free(system);
}

static void compare_methods(const char *masses, bool runs) {
  trm_branch_point dense[3 * WANTED], sparse[3 * WANTED];
  follow_masses(masses, "dense", runs, dense);
  follow_masses(masses, "sparse", runs, sparse);
  double worst = 0.0;
  for (int i = 0; i < (runs ? 3 : 1) * WANTED; i++) {
    const trm_branch_point *a = &dense[i], *b = &sparse[i];
    const double off = hypot(b->re - a->re, b->im - a->im) / hypot(a->re, a->im);
    assert_int_equal(a->branch, b->branch);
    CHECK_BETWEEN(off, 0.0, 1e-8, "%s masses: eigenvalue %d", masses, i);
    worst = fmax(worst, off);
  }
  print_message("%s masses: eigenvalues differ by %.1e\n", masses, worst);
}

/* LAPACK and ARPACK, which finds eigenvalues to 1e-9 of the largest it looks for: along a motion,
 * and at the start for 1000 unknowns, positions and velocities of 500 masses. With TRM_LONG 1000
 * masses. */
static void sparse_branches_are_those_of_dense(void **state) {
  (void)state;
  compare_methods("100", true);
  compare_methods(getenv("TRM_LONG") != NULL ? "1000" : "500", false);
}

/* By enumeration of all assignments of up to five rows and columns. */
static double best_by_enumeration(const double *cost, int rows, int columns, int row,
                                  unsigned used, int left) {
  if (row == rows) return 0.0;
  double best = INFINITY;
  for (int j = 0; j < columns; j++) {
    if (used & 1u << j) continue;
    const double rest = best_by_enumeration(cost, rows, columns, row + 1, used | 1u << j, left);
    best = fmin(best, cost[row * columns + j] + rest);
  }
  if (left > 0) { /* rows without a column */
    best = fmin(best, best_by_enumeration(cost, rows, columns, row + 1, used, left - 1));
  }
  return best;
}

static void assignments_are_the_best(void **state) {
  (void)state;
  unsigned seed = 1;
  trm_error err;
  for (int k = 0; k < 300; k++) {
    double cost[25];
    int column_of[5];
    const int rows = 1 + k % 5, columns = 1 + k / 5 % 5;
    for (int i = 0; i < rows * columns; i++) {
      seed = seed * 1664525u + 1013904223u;
      cost[i] = (double)(seed >> 8) / (1 << 24);
    }
    CHECK_OK(trmi_assign(&(trm_allocator){0}, cost, rows, columns, column_of, &err), err);
    double sum = 0.0;
    int assigned = 0;
    for (int i = 0; i < rows; i++) {
      if (column_of[i] < 0) continue;
      sum += cost[i * columns + column_of[i]];
      assigned++;
    }
    assert_int_equal(assigned, rows < columns ? rows : columns);
    const int left = rows > columns ? rows - columns : 0;
    CHECK_NEAR(sum, best_by_enumeration(cost, rows, columns, 0, 0, left), 1e-12,
               "%d rows, %d columns", rows, columns);
  }
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  trm_branches *branches = NULL;
  trm_modes_options options = trm_modes_options_default();
  assert_int_equal(trm_branches_create(NULL, &branches, NULL), TRM_ERR_INPUT);
  assert_int_equal(trm_branches_add(NULL, NULL, NULL, NULL), TRM_ERR_INPUT);
  options.tag = 0;
  assert_int_equal(trm_branches_create(&options, &branches, NULL), TRM_ERR_INPUT);
  assert_null(branches);
  assert_int_equal(trm_branches_count(NULL), 0);
  assert_int_equal(trm_branches_points(NULL, NULL), 0);
  trm_branches_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_stiff_pendulum_splits_and_joins),
      cmocka_unit_test(values_depend_on_the_coordinates),
      cmocka_unit_test(bushing_has_three_branches),
      cmocka_unit_test(sparse_branches_are_those_of_dense),
      cmocka_unit_test(assignments_are_the_best),
      cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
