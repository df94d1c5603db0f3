/* Texts of options, as a run file may have them: name, zero, value, zero, .. What was accepted
 * comes back to the same value when it is written and read again. */
#include "fuzz.h"
#include "io/run_options.h"

enum { PAIRS = 40 };

/* The next text, cut to `size`, always with its zero. */
static void take_text(fuzz_input *in, char *text, size_t size) {
  size_t used = 0;
  for (char letter; in->left > 0 && (letter = (char)fuzz_byte(in)) != '\0';) {
    if (used + 1 < size) text[used++] = letter;
  }
  text[used] = '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input in = {data, size};
  trm_options options = {0}; /* zero is what is left out */
  static trm_option_text given[PAIRS];
  int count = 0;
  for (; count < PAIRS && in.left > 0; count++) {
    take_text(&in, given[count].name, sizeof given[count].name);
    take_text(&in, given[count].value, sizeof given[count].value);
    trm_options_shape_steps(given[count].name);
    if (!trm_options_read(&options, given[count].name, given[count].value)) return 0;
  }
  trm_option_text texts[TRM_OPTION_TEXTS], again[TRM_OPTION_TEXTS];
  const int written = trm_options_write(&options, texts);
  FUZZ_REQUIRE(written <= TRM_OPTION_TEXTS);
  trm_options back = {0};
  for (int i = 0; i < written; i++) {
    FUZZ_REQUIRE(trm_options_read(&back, texts[i].name, texts[i].value));
  }
  FUZZ_REQUIRE(trm_options_write(&back, again) == written);
  FUZZ_REQUIRE(memcmp(texts, again, (size_t)written * sizeof *texts) == 0);
  return 0;
}
