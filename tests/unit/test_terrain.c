/* test_terrain.c - surfaces of heights: planes are exact, second derivatives continuous, circles of
 * the section of a ball have its radius, and what is no grid has a sentence. */
#include "unit/kit.h"
#include "elements/body/terrain.h"
#include <string.h>

enum { MOST = 11 * 11 };
static double rows[3 * MOST], room[9 * MOST + 4];

/* Heights over a grid of n times n lines that are not equally far apart. */
static int grid(int n, double (*height)(double x, double y)) {
  for (int k = 0; k < n * n; k++) {
    const double u = 2.0 * (k % n) / (n - 1) - 1.0, v = 2.0 * (k / n) / (n - 1) - 1.0;
    rows[3 * k] = u + .1 * u * u, rows[3 * k + 1] = v - .1 * v * v;
    rows[3 * k + 2] = height(rows[3 * k], rows[3 * k + 1]);
  }
  return n * n;
}

static double flat(double x, double y) {
  return .3 * x - .2 * y + .7;
}

static double bowl(double x, double y) {
  return -sqrt(25.0 - x * x - y * y);
}

static double waves(double x, double y) {
  return .1 * sin(3 * x) * cos(2 * y);
}

static trmi_terrain made(int count) {
  trmi_terrain t;
  char fault[TRMI_TERRAIN_FAULT] = "";
  if (!trmi_terrain_make(rows, count, room, &t, fault)) fail_msg("%s", fault);
  return t;
}

static void planes_are_exact_also_beyond_the_borders(void **state) {
  (void)state;
  const trmi_terrain t = made(grid(4, flat));
  for (double x = -3.0; x < 3.0; x += .37) {
    const trmi_height h = trmi_terrain_at(&t, x, .8 * x - .4);
    CHECK_NEAR(h.z, flat(x, .8 * x - .4), 1e-14, "height, rounding");
    CHECK_NEAR(h.slope[0], .3, 1e-14, "slope along x, rounding");
    CHECK_NEAR(h.slope[1], -.2, 1e-14, "slope along y, rounding");
    for (int k = 0; k < 3; k++) CHECK_NEAR(h.bend[k], 0.0, 1e-13, "bend %d, rounding", k);
  }
  assert_true(t.hollow > 1e10 && t.ridge > 1e10);
}

/* Derivatives by differences, across lines of the grid and its borders as well. */
static void derivatives_are_those_of_the_surface(void **state) {
  (void)state;
  const trmi_terrain t = made(grid(5, waves));
  const double e = 1e-5;
  uint64_t seed = 3;
  for (int k = 0; k < 400; k++) {
    const double x = k % 4 == 0 ? t.x[k / 4 % 5] : 1.5 * kit_random(&seed);
    const double y = 1.5 * kit_random(&seed);
    const trmi_height at = trmi_terrain_at(&t, x, y);
    for (int i = 0; i < 2; i++) {
      const trmi_height a = trmi_terrain_at(&t, x + (i == 0 ? e : 0), y + (i == 1 ? e : 0));
      const trmi_height b = trmi_terrain_at(&t, x - (i == 0 ? e : 0), y - (i == 1 ? e : 0));
      /* third derivatives of about 3 jump at lines: e times them */
      CHECK_NEAR((a.z - b.z) / (2 * e), at.slope[i], 1e-8, "slope %d", i);
      CHECK_NEAR((a.slope[i] - b.slope[i]) / (2 * e), at.bend[2 * i], 1e-4, "bend %d", i);
      CHECK_NEAR((a.slope[1 - i] - b.slope[1 - i]) / (2 * e), at.bend[1], 1e-4, "twist %d", i);
    }
  }
}

/* A bowl of radius 5: natural ends flatten the outer cells, the inner ones bend as it does. */
static void a_bowl_has_its_radius(void **state) {
  (void)state;
  const trmi_terrain t = made(grid(11, bowl));
  const trmi_height h = trmi_terrain_at(&t, .05, -.03);
  CHECK_NEAR(h.z, bowl(.05, -.03), 1e-5, "height; fourth derivatives times w^4/384");
  CHECK_NEAR(h.bend[0], 1 / 5.0, 2e-3, "bend along x");
  CHECK_NEAR(h.bend[2], 1 / 5.0, 2e-3, "bend along y");
  if (!(t.hollow > 3.0 && t.hollow < 5.0)) fail_msg("hollow %g", t.hollow);
}

static void what_is_no_grid_has_a_sentence(void **state) {
  (void)state;
  static const struct {
    int count;
    double rows[15];
    const char *sentence;
  } cases[] = {
    {3, {0, 0, 0, 1, 0, 0, 0, 1, 0}, "no grid: 3 of them have 2 different x and 2 different y"},
    {4, {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0}, "4 different x and 1 different y"},
    {4, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2}, "two points at x = 0, y = 1"},
    {4, {0, 0, 0, 1, 0, 0, 0, 1, NAN, 1, 1, 2}, "number 9 of its terrain is not finite"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char fault[TRMI_TERRAIN_FAULT] = "";
    trmi_terrain t;
    assert_false(trmi_terrain_make(cases[i].rows, cases[i].count, room, &t, fault));
    if (strstr(fault, cases[i].sentence) == NULL) fail_msg("case %zu: %s", i, fault);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(planes_are_exact_also_beyond_the_borders),
    cmocka_unit_test(derivatives_are_those_of_the_surface),
    cmocka_unit_test(a_bowl_has_its_radius),
    cmocka_unit_test(what_is_no_grid_has_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
