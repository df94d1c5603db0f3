/* Rows of an outline. What is accepted has finite distances with a unit normal, what is refused has
 * a sentence. */
#include "elements/contact/core_distance.h"
#include "fuzz.h"
#include <math.h>

enum { MOST = 32 };

/* Between -2 and 2, in steps of 2^-14: small numbers meet each other. */
static double number(fuzz_input *in) {
  int16_t bits;
  fuzz_take(in, &bits, sizeof bits);
  return bits / 16384.0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input in = {.data = data, .left = size};
  const int count = 2 + (int)fuzz_below(&in, MOST - 1);
  double rows[3 * MOST];
  trmi_outline_piece pieces[MOST];
  trmi_outline outline;
  char fault[TRMI_OUTLINE_FAULT] = "";
  for (int i = 0; i < 3 * count; i++) rows[i] = number(&in);
  if (!trmi_outline_make(rows, count, 1, pieces, &outline, fault)) {
    FUZZ_REQUIRE(fault[0] != '\0');
    return 0;
  }
  const trmi_volume all = trmi_volume_outline(&outline, 1.0);
  FUZZ_REQUIRE(isfinite(all.volume) && outline.reach > 0.0);
  for (int k = 0; k < 8; k++) {
    const trmi_vec3 p = v3(number(&in), number(&in), number(&in));
    const trmi_distance at = trmi_profile_distance(&outline, k < 4 ? 0.5 : INFINITY, p);
    FUZZ_REQUIRE(isfinite(at.d) && fabs(v3_norm(at.n) - 1.0) < 1e-9);
    for (int i = 0; i < 9; i++) FUZZ_REQUIRE(!isnan(at.H[i]));
  }
  return 0;
}
