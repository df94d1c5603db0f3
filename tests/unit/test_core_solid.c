/* test_core_solid.c - the place of a solid that is nearest to a core, against other
 * places of it. */
#include "unit/kit.h"
#include "elements/contact/core_solid.h"
#include "math/so3.h"
#include <stdbool.h>

/* Segments, boxes, cylinders, discs and ellipsoids, turned at random or along the axes. */
static trmi_solid random_solid(uint64_t *seed, int k) {
  static const struct {
    trmi_solid_kind kind;
    double          size[3];
  } kinds[] = {{TRMI_SOLID_BOX, {0, 0, .3}},          {TRMI_SOLID_BOX, {.3, .2, .1}},
               {TRMI_SOLID_CYLINDER, {.2, .2, .3}},   {TRMI_SOLID_CYLINDER, {.3, .3, 0}},
               {TRMI_SOLID_ELLIPSOID, {.3, .2, .15}}};
  trmi_solid s = {.kind = kinds[k % 5].kind, .bulge = k % 5 == 4 ? 0.0 : 1e-3};
  double q[4] = {1, 0, 0, 0}, size = 0.0;
  for (int i = 0; i < 3; i++) s.size[i] = kinds[k % 5].size[i];
  for (int i = 0; i < 4 && k / 5 % 4 > 0; i++) q[i] = kit_random(seed);
  for (int i = 0; i < 4; i++) size += q[i] * q[i];
  for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
  trmi_quat_matrix(q, s.E);
  s.o = v3(.3 * kit_random(seed), .3 * kit_random(seed), .9 + .2 * kit_random(seed));
  return s;
}

/* A place of the solid, at random. */
static trmi_vec3 any_place(const trmi_solid *s, uint64_t *seed) {
  double a[3];
  for (int i = 0; i < 3; i++) a[i] = s->size[i] * kit_random(seed);
  const double rho = hypot(a[0], a[1]);
  if (s->kind == TRMI_SOLID_CYLINDER && rho > s->size[0]) {
    a[0] *= s->size[0] / rho, a[1] *= s->size[0] / rho;
  }
  if (s->kind == TRMI_SOLID_ELLIPSOID) {
    const double b = v3_norm(v3(a[0] / s->size[0], a[1] / s->size[1], a[2] / s->size[2]));
    for (int i = 0; i < 3; i++) a[i] /= fmax(b, 1.0);
  }
  return v3_load(a);
}

static const trmi_core cores[] = {
  {.kind = TRMI_CORE_SEGMENT, .size = {0, 0, .3}},
  {.kind = TRMI_CORE_BOX, .size = {.4, .3, .1}},
  {.kind = TRMI_CORE_CYLINDER, .size = {.3, .3, .1}},
  {.kind = TRMI_CORE_CYLINDER, .size = {.3, .3, 0}},
  {.kind = TRMI_CORE_ELLIPSOID, .size = {.4, .3, .2}},
};
enum { CORES = sizeof cores / sizeof *cores };

/* The distance is convex: 200 places at random are not nearer, but for rounding. */
static void nothing_is_nearer(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < 5 * 40; k++) {
    const trmi_solid s = random_solid(&seed, k);
    for (int c = 0; c < CORES; c++) {
      trmi_core_place place;
      trmi_core_solid(&cores[c], &s, &place);
      const double least = place.at.d + place.raised;
      for (int i = 0; i < 200; i++) {
        const trmi_vec3 a = any_place(&s, &seed), x = v3_add(s.o, m3_mul(s.E, a));
        const double F = trmi_core_distance(&cores[c], x).d + .5 * s.bulge * v3_dot(a, a);
        if (F < least - 1e-12) fail_msg("solid %d, core %d: %.12g is below %.12g", k, c, F, least);
      }
      for (int i = 0; i < place.nfree; i++) { /* (2): what is free has no slope */
        const trmi_vec3 a = m3_tmul(s.E, v3_sub(place.x, s.o)), way = m3_tmul(s.E, place.free[i]);
        const double slope = v3_dot(place.at.n, place.free[i]) + s.bulge * v3_dot(a, way);
        CHECK_NEAR(slope, 0.0, 1e-10, "solid %d, core %d: slope", k, c);
      }
    }
  }
}

/* A disc above a face: d at its rim, wherever that is nearest. */
static void the_rim_of_a_disc_is_found(void **state) {
  (void)state;
  const trmi_core peg = {.kind = TRMI_CORE_SEGMENT, .size = {0, 0, 1}};
  const trmi_solid ring = {.kind = TRMI_SOLID_CYLINDER, .size = {.3, .3, 0},
                           .E = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .o = {.1, .05, 0}};
  CHECK_NEAR(trmi_solid_rim(&peg, &ring), .3 - hypot(.1, .05), 1e-9, "a peg in a hole");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_is_nearer),
    cmocka_unit_test(the_rim_of_a_disc_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
