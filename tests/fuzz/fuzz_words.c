/* Texts of options with a form of their own: measures, numbers with units, names that are compared
 * with known ones. What is accepted is finite, what is refused has a sentence. */
#include "fuzz.h"
#include "integ/measure_text.h"
#include "trammel/model.h"
#include "trammel/nearest.h"
#include <math.h>

static const char *known_at(const void *self, int i) {
  return ((const char *const *)self)[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const units[] = {"s", "m", "rad", "N", "1"};
  static const char *const known[] = {"run", "check", "static", "modes", "simulate.end", ""};
  if (size == 0) return 0;
  char *text = malloc(size);
  FUZZ_REQUIRE(text != NULL);
  memcpy(text, data + 1, size - 1);
  text[size - 1] = '\0';
  trmi_measure_text measure;
  char fault[TRMI_MEASURE_FAULT] = "";
  if (trmi_measure_read(text, &measure, fault)) {
    FUZZ_REQUIRE(isfinite(measure.argument));
    FUZZ_REQUIRE(measure.signal >= text && measure.signal + measure.length <= text + strlen(text));
  } else {
    FUZZ_REQUIRE(fault[0] != '\0');
  }
  double number = 0.0;
  bool has_unit = false;
  trm_error err = {.status = TRM_OK};
  const trm_status status =
      trm_quantity_read(text, units[data[0] % 5], &number, &has_unit, &err);
  FUZZ_REQUIRE(status == TRM_OK || err.message[0] != '\0');
  FUZZ_REQUIRE(status != TRM_OK || !isnan(number));
  FUZZ_REQUIRE(trm_nearest_close(text, known, 6, known_at) != NULL);
  FUZZ_REQUIRE(trm_nearest(text, known, 6, known_at) != NULL);
  free(text);
  return 0;
}
