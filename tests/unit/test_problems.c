/* Every built-in problem in every variant: derivatives, rates, mass, energy,
 * names, start; and what is special about one of them. */
#include "check.h"
#include "core/fail.h"
#include "system/system.h"
#include "trammel/problems.h"
#include <string.h>

enum { SETTINGS = 4, STATES = 3, MAX = 128 };

/* One choice of parameters. Random states have velocities of size `speed` and
 * accelerations of size `pull` (times the scale of the coordinate). */
typedef struct variant {
  const char *problem;
  trm_setting settings[SETTINGS];
  double speed, pull;
} variant;

static const variant variants[] = {
    {"pendulum", {{0}}, 1, 1},
    {"pendulum", {{"unit_x", "mm"}, {"mass", "2"}, {"length", "0.7"}}, 1, 1},
    {"pendulum", {{"unit_x", "km"}}, 1, 1},
    {"unit-pendulum", {{0}}, 1, 1},
    /* stiff forces of 1e4 N stand beside the inertia: their rounding is covered
   * only by accelerations as large as in a real motion */
    {"slider-crank", {{0}}, 100, 1e5},
    {"slider-crank", {{"nonlinear", "1"}}, 100, 1e5},
    {"slider-crank", {{"damping", "1"}, {"start", "rigid"}}, 100, 1e5},
    {"slider-crank", {{"nonlinear", "1"}, {"damping", "1"}, {"pi", "3.1415927"}}, 100, 1e5},
    {"slider-crank", {{"speed", "40"}, {"pi", "3.1415927"}}, 100, 1e5},
    {"slider-crank-hermite", {{0}}, 10, 1e5},
    {"slider-crank-hermite", {{"elements", "1"}}, 10, 1e5},
    {"slider-crank-hermite", {{"elements", "7"}}, 10, 1e6},
    {"double-pendulum", {{0}}, 1, 1},
    {"double-pendulum", {{"coordinates", "angles"}}, 1, 1},
    {"heavy-top", {{0}}, 1, 1},
    {"chain", {{"links", "1"}}, 1, 1},
    {"chain", {{"links", "1"}, {"joint", "spherical"}}, 1, 1},
    {"chain", {{"links", "4"}}, 1, 1},
    {"chain", {{"links", "3"}, {"joint", "spherical"}}, 1, 1},
    {"rolling-disc", {{0}}, 1, 1},
    {"servo", {{0}}, 1, 1},
    {"oscillators", {{0}}, 1, 1},
    {"oscillators", {{"masses", "1"}}, 1, 1},
    {"oscillators", {{"masses", "5"}, {"damping", "3"}, {"stiffness", "40"}}, 1, 1},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* A system with a state; the arrays of the state are in `numbers`. */
typedef struct setup {
  const variant *v;
  trm_system *sys;
  trm_state s;
  double numbers[11][MAX];
  char name[80]; /* for messages */
} setup;

static void setup_open(setup *u, const variant *v) {
  trm_error err;
  int n = 0;
  *u = (setup){.v = v};
  snprintf(u->name, sizeof u->name, "%s", v->problem);
  while (n < SETTINGS && v->settings[n].name != NULL) {
    const size_t used = strlen(u->name);
    snprintf(u->name + used, sizeof u->name - used, " %s=%s", v->settings[n].name,
             v->settings[n].value);
    n++;
  }
  CHECK_OK(trm_problem_create(trm_problem_find(v->problem), v->settings, n, NULL, &u->sys, &err),
           err);
  assert_true(trm_system_count(u->sys, TRM_Q) <= MAX);
  double *const a[11] = {u->numbers[0], u->numbers[1], u->numbers[2], u->numbers[3],
                         u->numbers[4], u->numbers[5], u->numbers[6], u->numbers[7],
                         u->numbers[8], u->numbers[9], u->numbers[10]};
  u->s = (trm_state){.q = a[0],
                     .v = a[1],
                     .vd = a[2],
                     .lam = a[3],
                     .mu = a[4],
                     .x = a[5],
                     .xd = a[6],
                     .w = a[7],
                     .z = a[8],
                     .u = a[9],
                     .ud = a[10]};
}

static void setup_close(setup *u) {
  trm_system_free(u->sys);
}

/* -1 .. 1, the same numbers in every run */
static double next_random(unsigned long *seed) {
  *seed = (*seed * 6364136223846793005UL + 1442695040888963407UL) & 0xffffffffffffffffUL;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static void fill(double *x, int n, unsigned long *seed) {
  for (int i = 0; i < n; i++) x[i] = next_random(seed);
}

static void random_state(setup *u, unsigned long seed) {
  const trm_sizes *n = trm_system_sizes(u->sys);
  const double still[MAX] = {0.0};
  double *const lists[] = {u->s.vd, u->s.lam, u->s.mu, u->s.x, u->s.xd, u->s.w};
  const int sizes[] = {n->nv, n->ng, n->na, n->nx, n->nx, n->nw};
  fill(u->s.q, u->sys->nq, &seed);
  fill(u->s.v, n->nv, &seed);
  for (int k = 0; k < 6; k++) fill(lists[k], sizes[k], &seed);
  u->s.t = 0.3 * next_random(&seed);
  for (int i = 0; i < n->nv; i++) {
    trm_label label;
    trm_system_label(u->sys, TRM_V, i, &label);
    if (n->nrot == 0) u->s.q[i] *= label.scale;
    u->s.v[i] *= u->v->speed * fmax(label.scale, label.kind == TRM_KIND_MODAL ? 0.01 : 0.0);
    u->s.vd[i] *= u->v->pull * (label.kind == TRM_KIND_MODAL ? 1.0 : label.scale);
  }
  trm_system_retract(u->sys, u->s.q, still, u->s.q); /* quaternions to length one */
}

static void values(setup *u, const trm_state *s, const trm_values *out) {
  trm_error err;
  CHECK_OK(trm_system_values(u->sys, s, out, &err), err);
}

/* Walks over all variants and a few random states of each. */
static void for_all_states(void (*check)(setup *u)) {
  for (int k = 0; k < VARIANTS; k++) {
    setup u;
    setup_open(&u, &variants[k]);
    for (int i = 0; i < STATES; i++) {
      random_state(&u, (unsigned long)(1 + i + 10 * k));
      check(&u);
    }
    setup_close(&u);
  }
}

static void check_blocks(setup *u) {
  trm_block_check worst[TRM_BLOCKS];
  trm_error err;
  CHECK_OK(trm_system_check_blocks(u->sys, &u->s, worst, &err), err);
  /* differences with a step of 6e-6: truncation and rounding 1e-10. The step of the
   * elastic coordinates of the crank is 6e-10 m, on terms that vary over .3 m: the
   * rounding is 1e-16/6e-10 of each, and they are sums of ten. */
  const double tol = u->v->speed > 1.0 ? 1e-5 : 1e-8;
  for (int b = 0; b < TRM_BLOCKS; b++) {
    CHECK_NEAR(worst[b].error, 0.0, tol, "%s: block %s (%d, %d): given %.9g, difference %.9g",
               u->name, trm_block_name((trm_block)b), worst[b].row, worst[b].col, worst[b].given,
               worst[b].difference);
  }
}

static void given_blocks_match_central_differences(void **state) {
  (void)state;
  for_all_states(check_blocks);
}

static void every_block_is_given(void **state) {
  (void)state;
  for (int k = 0; k < VARIANTS; k++) {
    setup u;
    setup_open(&u, &variants[k]);
    for (int b = 0; b < TRM_BLOCKS; b++) assert_true(u.sys->given[b]);
    setup_close(&u);
  }
}

/* The state after the time h at constant velocity. */
static void move(setup *u, double h, double *q, trm_state *moved) {
  double dpi[MAX];
  for (int i = 0; i < u->sys->n.nv; i++) dpi[i] = h * u->s.v[i];
  *moved = u->s;
  moved->q = q;
  moved->t = u->s.t + h;
  trm_system_retract(u->sys, u->s.q, dpi, q);
}

static void check_rates(setup *u) {
  const double h = 1e-5 / u->v->speed;
  double q[MAX], plus[4][MAX], minus[4][MAX], at[4][MAX];
  trm_state moved;
  move(u, h, q, &moved);
  values(u, &moved, &(trm_values){.g = plus[0], .g_rate = plus[1], .a_rate = plus[2]});
  move(u, -h, q, &moved);
  values(u, &moved, &(trm_values){.g = minus[0], .g_rate = minus[1], .a_rate = minus[2]});
  values(u, &u->s, &(trm_values){.g_rate = at[0], .g_bias = at[1], .a_bias = at[2]});
  const int rows[3] = {u->sys->n.ng, u->sys->n.ng, u->sys->n.na};
  const char *const what[3] = {"rate", "bias", "bias of slip"};
  /* central difference: truncation 1e-10 of the third derivative, rounding 1e-11 */
  for (int k = 0; k < 3; k++) {
    const double size = pow(u->v->speed, k == 0 ? 1.0 : 2.0);
    for (int i = 0; i < rows[k]; i++) {
      CHECK_NEAR((plus[k][i] - minus[k][i]) / (2.0 * h), at[k][i], 1e-8 * (size + fabs(at[k][i])),
                 "%s: %s of row %d", u->name, what[k], i);
    }
  }
}

static void rates_are_derivatives_of_the_constraints(void **state) {
  (void)state;
  for_all_states(check_rates);
}

/* A block as a dense matrix with `stride` columns, or its transpose. */
static void add_block(setup *u, trm_block block, double *dense, int stride, bool transposed) {
  static double entries[64 * MAX];
  const trmi_sparse *S = &u->sys->block[block];
  trm_block_request request = {.u = u->s.vd, .y = u->s.lam, .ya = u->s.mu};
  trm_error err;
  if (S->n == 0) return;
  assert_true(S->n <= 64 * MAX);
  request.values[block] = entries;
  CHECK_OK(u->sys->ops->blocks(u->sys->self, &u->s, &request, &err), err);
  for (int k = 0; k < S->n; k++) {
    const int row = transposed ? S->col[k] : S->row[k], col = transposed ? S->row[k] : S->col[k];
    dense[row * stride + col] += entries[k];
  }
}

static void check_mass(setup *u) {
  const int n = u->sys->n.nv;
  static double M[MAX * MAX];
  memset(M, 0, sizeof M);
  add_block(u, TRM_M, M, n, false);
  /* Cholesky: all pivots positive */
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < j; i++) {
      CHECK_NEAR(M[j * n + i] - M[i * n + j], 0.0, 1e-15, "%s: symmetry (%d, %d)", u->name, i, j);
    }
  }
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) {
      for (int i = j; i < n; i++) M[i * n + j] -= M[i * n + k] * M[j * n + k];
    }
    assert_true(M[j * n + j] > 0.0);
    const double root = sqrt(M[j * n + j]);
    for (int i = j; i < n; i++) M[i * n + j] /= root;
  }
}

static void mass_is_symmetric_and_positive_definite(void **state) {
  (void)state;
  for_all_states(check_mass);
}

/* Solves A x = b, x in b; Gauss with row pivots. */
static void solve_dense(double *A, double *b, int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    }
    for (int j = 0; j < n; j++) {
      const double x = A[k * n + j];
      A[k * n + j] = A[best * n + j];
      A[best * n + j] = x;
    }
    const double x = b[k];
    b[k] = b[best];
    b[best] = x;
    for (int i = k + 1; i < n; i++) {
      const double f = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
    b[i] /= A[i * n + i];
  }
}

/* [M G^T A^T; G 0 0; A 0 0] x = b */
static void solve_motion(setup *u, double *b) {
  static double K[4 * MAX * MAX];
  const trm_sizes *n = &u->sys->n;
  const int size = n->nv + n->ng + n->na;
  assert_true(size <= 2 * MAX);
  memset(K, 0, sizeof K);
  add_block(u, TRM_M, K, size, false);
  add_block(u, TRM_G, K + n->nv * size, size, false);
  add_block(u, TRM_G, K + n->nv, size, true);
  add_block(u, TRM_A, K + (n->nv + n->ng) * size, size, false);
  add_block(u, TRM_A, K + n->nv + n->ng, size, true);
  solve_dense(K, b, size);
}

/* Velocities onto the constraints, then v', lam, mu from the equations; x and w
 * stay as they are. */
static void make_consistent(setup *u) {
  const trm_sizes *n = &u->sys->n;
  double b[2 * MAX] = {0.0};
  values(u, &u->s, &(trm_values){.g_rate = b + n->nv, .a_rate = b + n->nv + n->ng});
  solve_motion(u, b);
  for (int i = 0; i < n->nv; i++) u->s.v[i] -= b[i];

  memset(u->s.vd, 0, sizeof u->numbers[0]);
  memset(u->s.lam, 0, sizeof u->numbers[0]);
  memset(u->s.mu, 0, sizeof u->numbers[0]);
  values(u, &u->s, &(trm_values){.motion = b, .g_bias = b + n->nv, .a_bias = b + n->nv + n->ng});
  solve_motion(u, b);
  for (int i = 0; i < n->nv; i++) u->s.vd[i] = -b[i];
  for (int i = 0; i < n->ng; i++) u->s.lam[i] = -b[n->nv + i];
  for (int i = 0; i < n->na; i++) u->s.mu[i] = -b[n->nv + n->ng + i];
}

static void check_energy(setup *u) {
  double q[MAX], v[MAX], at[3], energy[2][3];
  trm_state moved;
  make_consistent(u);
  /* the crank vibrates with 25000 rad/s: (w h)^2 = 3e-9, elsewhere 1e-8 or less */
  const double h = u->v->speed > 1.0 ? 2e-9 : 1e-5;
  for (int side = 0; side < 2; side++) {
    const double step = side == 0 ? h : -h;
    move(u, step, q, &moved);
    for (int i = 0; i < u->sys->n.nv; i++) v[i] = u->s.v[i] + step * u->s.vd[i];
    moved.v = v;
    values(u, &moved, &(trm_values){.energy = energy[side]});
  }
  values(u, &u->s, &(trm_values){.energy = at});
  const double kinetic = (energy[0][0] - energy[1][0]) / (2.0 * h);
  const double potential = (energy[0][1] - energy[1][1]) / (2.0 * h);
  /* truncation as said, and rounding of the energy over h */
  const double tol =
      1e-7 * (fabs(kinetic) + fabs(potential)) + 1e-15 * (at[0] + fabs(at[1]) + 1.0) / h;
  CHECK_NEAR(kinetic + potential, at[2], tol, "%s: kinetic changes by %g W", u->name, kinetic);
}

static void energy_changes_by_the_power_put_in(void **state) {
  (void)state;
  for_all_states(check_energy);
}

static void check_names(const setup *u, trm_quantity list) {
  const int n = trm_system_count(u->sys, list);
  for (int i = 0; i < n; i++) {
    trm_label one, other;
    trm_system_label(u->sys, list, i, &one);
    if (one.name[0] == '\0' || one.object[0] == '\0' || strstr(one.object, "unknown '") != NULL ||
        strstr(one.object, "constraint '") != NULL) {
      fail_msg("%s: number %d of list %d has no name of its own", u->name, i, (int)list);
    }
    for (int j = 0; j < i; j++) {
      trm_system_label(u->sys, list, j, &other);
      assert_string_not_equal(one.name, other.name);
    }
  }
}

static void names_are_complete_and_unique(void **state) {
  (void)state;
  for (int k = 0; k < VARIANTS; k++) {
    setup u;
    setup_open(&u, &variants[k]);
    for (int list = TRM_Q; list <= TRM_STIFF; list++) check_names(&u, (trm_quantity)list);
    setup_close(&u);
  }
}

static void setup_start(setup *u) {
  trm_error err;
  for (int k = 0; k < u->sys->n.nrot; k++) u->s.q[u->sys->rot_v[k] + k] = 1.0;
  CHECK_OK(u->sys->ops->start(u->sys->self, &u->s, &err), err);
}

static void start_satisfies_the_constraints(void **state) {
  (void)state;
  for (int k = 0; k < VARIANTS; k++) {
    setup u;
    double r[3][MAX];
    setup_open(&u, &variants[k]);
    setup_start(&u);
    values(&u, &u.s, &(trm_values){.g = r[0], .g_rate = r[1], .a_rate = r[2]});
    /* rounding of positions of some metres, of velocities of 150 m/s */
    for (int i = 0; i < u.sys->n.ng; i++) {
      CHECK_NEAR(r[0][i], 0.0, 1e-15, "%s: position row %d", u.name, i);
      CHECK_NEAR(r[1][i], 0.0, 1e-13, "%s: velocity row %d", u.name, i);
    }
    for (int i = 0; i < u.sys->n.na; i++) CHECK_NEAR(r[2][i], 0.0, 1e-15, "slip row %d", i);
    setup_close(&u);
  }
}

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

/* An allocator whose n-th allocation fails. */
typedef struct failing {
  int left, live;
} failing;

static void *failing_alloc(void *self, size_t bytes) {
  failing *f = self;
  if (f->left-- <= 0) return NULL;
  f->live++;
  return malloc(bytes);
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
      cmocka_unit_test(every_block_is_given),
      cmocka_unit_test(given_blocks_match_central_differences),
      cmocka_unit_test(rates_are_derivatives_of_the_constraints),
      cmocka_unit_test(mass_is_symmetric_and_positive_definite),
      cmocka_unit_test(energy_changes_by_the_power_put_in),
      cmocka_unit_test(names_are_complete_and_unique),
      cmocka_unit_test(start_satisfies_the_constraints),
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
