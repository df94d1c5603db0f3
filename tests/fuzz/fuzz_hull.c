/* Points of a hull. What is accepted is closed, has no hollow edge that counts, and has all points
 * behind all of its faces; what is refused has a sentence. A point that is in front of a face by
 * rounding may be farther off where two faces meet at a knife's edge. */
#include "elements/contact/core_distance.h"
#include "fuzz.h"
#include <math.h>

enum { MOST = 40 };

/* Between -2 and 2 in 16 steps, so that points lie on common lines and planes; or any number of a
 * byte more. */
static double number(fuzz_input *in, bool is_coarse) {
  uint8_t bits[2] = {0, 0};
  fuzz_take(in, bits, is_coarse ? 1 : 2);
  return is_coarse ? (bits[0] % 17 - 8) / 4.0 : (bits[0] + 256 * bits[1] - 32768) / 16384.0;
}

/* Is a point in front of no face, by 1e-7 of the size? That is 7 at most. */
static bool is_behind(const trmi_surface *s, trmi_vec3 p) {
  for (int i = 0; i < s->mesh.ntriangles; i++) {
    const trmi_vec3 x = s->mesh.points[s->mesh.corners[3 * i]];
    if (!(v3_dot(s->normal[i], v3_sub(p, x)) < 7e-7)) return false;
  }
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input in = {.data = data, .left = size};
  const int count = (int)fuzz_below(&in, MOST);
  const bool is_coarse = fuzz_below(&in, 2) == 0;
  trmi_vec3 points[MOST];
  char fault[TRMI_SURFACE_FAULT] = "";
  trmi_arena arena;
  trmi_mesh mesh;
  trmi_surface s;
  trmi_arena_init(&arena, &(trm_allocator){0});
  for (int i = 0; i < count; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = number(&in, is_coarse);
    points[i] = v3_load(x);
  }
  const bool is_good = trmi_hull_make(points, count, &arena, &mesh, fault);
  FUZZ_REQUIRE(is_good || fault[0] != '\0');
  if (is_good && trmi_surface_make(&mesh, &arena, &s, fault)) {
    FUZZ_REQUIRE(mesh.ntriangles == 2 * mesh.npoints - 4);
    for (int i = 0; i < count; i++) {
      FUZZ_REQUIRE(is_behind(&s, points[i]));
      FUZZ_REQUIRE(isfinite(trmi_surface_distance(&s, TRMI_SURFACE_ANY, points[i]).d));
    }
  }
  trmi_arena_clear(&arena);
  return 0;
}
