/* Points of a terrain. What is accepted has finite distances with a unit normal, what is refused
 * has a sentence. */
#include "elements/contact/core_distance.h"
#include "fuzz.h"
#include <math.h>

enum { MOST = 36 };

/* Between -2 and 2 in 16 steps: grids are found soon. */
static double number(fuzz_input *in) {
  uint8_t bits;
  fuzz_take(in, &bits, sizeof bits);
  return (bits % 17 - 8) / 4.0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input in = {.data = data, .left = size};
  const int across = 1 + (int)fuzz_below(&in, 6), along = 1 + (int)fuzz_below(&in, 6);
  const int count = across * along;
  double lines[12], rows[3 * MOST], room[9 * MOST + 4];
  trmi_terrain t;
  char fault[TRMI_TERRAIN_FAULT] = "";
  for (int i = 0; i < across + along; i++) lines[i] = number(&in);
  for (int i = 0; i < count; i++) {
    rows[3 * i] = lines[i % across], rows[3 * i + 1] = lines[across + i / across];
    rows[3 * i + 2] = number(&in);
  }
  if (fuzz_below(&in, 4) == 0) rows[fuzz_below(&in, 3 * (uint32_t)count)] = number(&in);
  if (!trmi_terrain_make(rows, count, room, &t, fault)) {
    FUZZ_REQUIRE(fault[0] != '\0');
    return 0;
  }
  FUZZ_REQUIRE(t.hollow > 0.0 && t.ridge > 0.0);
  for (int k = 0; k < 8; k++) {
    const trmi_vec3 p = v3(number(&in), number(&in), number(&in));
    const trmi_distance at = trmi_terrain_distance(&t, p);
    FUZZ_REQUIRE(isfinite(at.d) && fabs(v3_norm(at.n) - 1.0) < 1e-9);
    for (int i = 0; i < 9; i++) FUZZ_REQUIRE(!isnan(at.H[i]));
  }
  return 0;
}
