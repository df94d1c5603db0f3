/* Points of a hull. What is accepted is closed, has no hollow edge that counts, and has all points
 * inside; what is refused has a sentence. */
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
      FUZZ_REQUIRE(trmi_surface_distance(&s, TRMI_SURFACE_ANY, points[i]).d < 1e-7);
    }
  }
  trmi_arena_clear(&arena);
  return 0;
}
