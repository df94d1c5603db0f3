/* test_hot_spots.c - the search for hot spots against a plain search in double precision, and what
 * it lists. */
#include "trammel/stress.h"
#include "verify/typed.h"

enum { INSTANTS = 700 }; /* more than one block of the search */

typedef struct history {
  typed  m;
  trm_flexible_surface surface;
  double *a;
  trm_hot_spots *spots;
} history;

static history open_history(void) {
  trm_error err = {.message = ""};
  uint64_t seed = 5;
  history h = {.m = typed_model("slider-crank-modal", NULL)};
  h.surface = trm_flexible_surface_at(h.m.system, 0);
  const int n = h.surface.modes;
  h.a = calloc((size_t)(INSTANTS * n), sizeof *h.a);
  assert_non_null(h.a);
  for (int i = 0; i < INSTANTS * n; i++) h.a[i] = 1e-4 * kit_random(&seed) / (1 + i % n);
  CHECK_OK(trm_hot_spots_create(&h.surface, NULL, &h.spots, &err), err);
  return h;
}

static void close_history(history *h) {
  trm_hot_spots_free(h->spots);
  free(h->a);
  typed_close(&h->m);
}

static double mises_at(const history *h, int where, int instant) {
  double stress[6];
  trm_surface_stress(&h->surface, where, h->a + instant * h->surface.modes, stress);
  return trm_mises(stress);
}

static void the_largest_stress_is_found_within_the_bound(void **state) {
  (void)state;
  history h = open_history();
  trm_hot_spots_add(h.spots, 100, h.a); /* in two parts */
  trm_hot_spots_add(h.spots, INSTANTS - 100, h.a + 100 * h.surface.modes);
  const double bound = trm_hot_spots_bound(h.spots);
  double hottest = 0.0, worst = 0.0;
  for (int p = 0; p < h.surface.points; p++) {
    double most = 0.0;
    for (int i = 0; i < INSTANTS; i++) most = fmax(most, mises_at(&h, p, i));
    const trm_hot_spot spot = trm_hot_spots_at(h.spots, p);
    assert_true(spot.instant >= 0 && spot.instant < INSTANTS);
    worst = fmax(worst, fabs(spot.mises - most));
    worst = fmax(worst, fabs(mises_at(&h, p, (int)spot.instant) - most));
    hottest = fmax(hottest, most);
  }
  print_message("errors %.1e of the highest stress, bound %.1e\n", worst / hottest,
                bound / hottest);
  assert_true(worst <= bound && worst > 0.0);
  assert_true(bound < 1e-4 * hottest);
  close_history(&h);
}

static void listed_points_are_apart_and_not_excluded(void **state) {
  (void)state;
  enum { TOP = 10 };
  trm_hot_spot list[TOP];
  history h = open_history();
  assert_int_equal(trm_hot_spots_list(h.spots, TOP, 0.0, list), 0); /* nothing was seen */
  trm_hot_spots_add(h.spots, INSTANTS, h.a);
  const double radius = 0.03;
  const int count = trm_hot_spots_list(h.spots, TOP, radius, list);
  assert_true(count > 1);
  double hottest = 0.0;
  for (int p = 0; p < h.surface.points; p++) {
    if (!h.surface.is_excluded[p]) hottest = fmax(hottest, trm_hot_spots_at(h.spots, p).mises);
  }
  CHECK_NEAR(list[0].mises, hottest, 0.0, "the first");
  for (int i = 0; i < count; i++) {
    assert_false(h.surface.is_excluded[list[i].point]);
    if (i > 0) assert_true(list[i].mises <= list[i - 1].mises);
    for (int k = 0; k < i; k++) {
      const double *x = h.surface.places + 3 * list[i].point;
      const double *y = h.surface.places + 3 * list[k].point;
      assert_true(hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) > radius);
    }
  }
  close_history(&h);
}

/* Tension alone, pure shear, and equal tension on all sides. */
static void von_mises_is_known(void **state) {
  (void)state;
  CHECK_NEAR(trm_mises((const double[6]){3, 0, 0, 0, 0, 0}), 3.0, 1e-15, "tension");
  CHECK_NEAR(trm_mises((const double[6]){0, 0, 0, 0, 2, 0}), 2.0 * sqrt(3.0), 1e-15, "shear");
  CHECK_NEAR(trm_mises((const double[6]){7, 7, 7, 0, 0, 0}), 0.0, 1e-15, "pressure");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_largest_stress_is_found_within_the_bound),
    cmocka_unit_test(listed_points_are_apart_and_not_excluded),
    cmocka_unit_test(von_mises_is_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
