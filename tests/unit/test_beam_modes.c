/* Vibrations of a free beam as sums of its strains: energy, force, derivatives, frequencies, and
 * what is refused. */
#include "elements/flex/beam_modes.h"
#include "unit/beam_bench.h"
#include <math.h>

enum { LENGTHS = 8, NODES = 3 * LENGTHS + 1 };

static trmi_beam_modes find(const trmi_free_beam *beam, double least, trmi_arena *arena) {
  trm_error err = {.message = ""};
  trmi_beam_modes modes;
  trmi_arena_init(arena, &(trm_allocator){0});
  CHECK_OK(trmi_beam_modes_find(beam, least, arena, &modes, &err), err);
  return modes;
}

/* eta of all modes of one element, six at a time, and d eta/dq. */
static void values(const trmi_beam_modes *modes, const sample *s, double *eta, double *B) {
  const int n = s->beam.n;
  for (int first = 0; first < modes->count; first += 6) {
    const trmi_beam_modes_out out = {first, n, eta + first, B != NULL ? B + 6 * n * first : NULL};
    memset(out.eta, 0, 6 * sizeof(double));
    if (B != NULL) memset(out.derivatives, 0, 36 * (size_t)n * sizeof(double));
    CHECK_STATUS(trmi_beam_modes_add(modes, &s->beam, 0, &s->state, &out), TRM_OK);
  }
}

/* (3) and (4): in a pose that is bent and twisted by half a radian, energy and force of the modes
 * are those of the element; both are sums of some hundred numbers of size one. */
static void energy_and_force_are_those_of_the_beam(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    trmi_arena arena;
    double f[SIZE], eta[18], B[18 * SIZE];
    make_sample(&s, n, 31);
    s.section.damping = 0.0;
    const trmi_beam_modes modes =
        find(&(trmi_free_beam){&s.beam, 1, s.q0[0], sizeof s.q0[0]}, 0.0, &arena);
    assert_int_equal(modes.count, 6 * (n - 1));
    const double energy = internal(&s, f, NULL, NULL).energy;
    values(&modes, &s, eta, B);
    double sum = 0.0;
    for (int i = 0; i < modes.count; i++) sum += 0.5 * modes.omega2[i] * eta[i] * eta[i];
    CHECK_NEAR(sum / energy, 1.0, 1e-13, "energy, %d nodes", n);
    for (int k = 0; k < 6 * n; k++) {
      double force = 0.0;
      for (int i = 0; i < modes.count; i++) force += modes.omega2[i] * eta[i] * B[6 * n * i + k];
      CHECK_NEAR(force, f[k], 1e-11, "force %d, %d nodes", k, n);
    }
    trmi_arena_clear(&arena);
  }
}

static void derivatives_match_central_differences(void **state) {
  (void)state;
  for (int n = 2; n <= 4; n++) {
    sample s;
    trmi_arena arena;
    double eta[2][18], B[18 * SIZE];
    make_sample(&s, n, 37);
    const trmi_beam_modes modes =
        find(&(trmi_free_beam){&s.beam, 1, s.q0[0], sizeof s.q0[0]}, 0.0, &arena);
    values(&modes, &s, eta[0], B);
    for (int j = 0; j < 6 * n; j++) {
      for (int side = 0; side < 2; side++) {
        sample moved = s;
        moved.beam.section = &s.section;
        for (int i = 0; i < n; i++) moved.state.q[i] = moved.q[i];
        move(&moved, j, side == 0 ? -eps : eps);
        values(&modes, &moved, eta[side], NULL);
      }
      for (int i = 0; i < modes.count; i++) {
        CHECK_NEAR(B[6 * n * i + j], (eta[1][i] - eta[0][i]) / (2.0 * eps), difference_tol,
                   "%d nodes, mode %d by %d", n, i, j);
      }
    }
    trmi_arena_clear(&arena);
  }
}

/* A straight beam of length 1 with EI = rho A = 1, and EA = 1e8, so that shear and rotary inertia
 * count for less than 1e-6. */
typedef struct straight {
  trmi_beam_section section;
  trmi_beam elements[LENGTHS];
  double q[NODES][7];
} straight;

static void make_straight(straight *b) {
  trm_error err = {.message = ""};
  *b = (straight){.section.mass = 1.0};
  static const double D[6] = {1e8, 1e8, 1e8, 1.0, 1.0, 1.0};
  for (int i = 0; i < 6; i++) b->section.D[7 * i] = D[i];
  for (int i = 0; i < 3; i++) b->section.J[4 * i] = i == 0 ? 1e-6 : 1e-8;
  for (int i = 0; i < NODES; i++) b->q[i][0] = i / (NODES - 1.0), b->q[i][3] = 1.0;
  for (int i = 0; i < LENGTHS; i++) {
    const double *q[4];
    for (int k = 0; k < 4; k++) q[k] = b->q[3 * i + k];
    CHECK_OK(trmi_beam_setup(&b->elements[i], 4, q, &b->section, &err), err);
  }
}

/* Free and free: cos x cosh x = 1 at 4.730041, 7.853205, 10.995608; bending in both directions
 * has the same frequency. Errors grow with the sixth power of the roots, to 1e-4 at the third. */
static void frequencies_are_those_of_a_free_beam(void **state) {
  (void)state;
  static const double roots[3] = {4.730040745, 7.853204624, 10.99560784};
  straight b;
  trmi_arena arena;
  make_straight(&b);
  const trmi_free_beam beam = {b.elements, LENGTHS, b.q[0], sizeof b.q[0]};
  const trmi_beam_modes all = find(&beam, 0.0, &arena);
  assert_int_equal(all.count, 6 * (NODES - 1));
  for (int i = 0; i < 6; i++) {
    const double root = roots[i / 2], tol = 6e-11 * pow(root, 6.0) + 1e-6;
    CHECK_NEAR(sqrt(all.omega2[i]) / (root * root), 1.0, tol, "mode %d", i + 1);
  }
  for (int i = 1; i < all.count; i++) assert_true(all.omega2[i] >= all.omega2[i - 1]);
  trmi_arena_clear(&arena);
  const trmi_beam_modes fast = find(&beam, 50.0, &arena); /* 22.4 twice, then 61.7 */
  assert_int_equal(fast.count, all.count - 2);
  trmi_arena_clear(&arena);
}

static void check_refused(straight *b, int count, const char *words) {
  trm_error err = {.message = ""};
  trmi_beam_modes modes;
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  const trmi_free_beam beam = {b->elements, count, b->q[0], sizeof b->q[0]};
  CHECK_STATUS(trmi_beam_modes_find(&beam, 1.0, &arena, &modes, &err), TRM_ERR_INPUT);
  if (strstr(err.message, words) == NULL) fail_msg("%s", err.message);
  trmi_arena_clear(&arena);
}

static void beams_that_cannot_be_averaged_are_refused(void **state) {
  (void)state;
  straight b;
  make_straight(&b);
  b.section.J[4] = 0.0;
  check_refused(&b, LENGTHS, "rotary inertia about all axes");
  make_straight(&b);
  check_refused(&b, 10000, "at most 101 nodes; use fewer elements");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_and_force_are_those_of_the_beam),
      cmocka_unit_test(derivatives_match_central_differences),
      cmocka_unit_test(frequencies_are_those_of_a_free_beam),
      cmocka_unit_test(beams_that_cannot_be_averaged_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
