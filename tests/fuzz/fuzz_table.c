/* Bytes of a file of points, as the second part of a bundle (io/model_source.h); the first byte
 * chooses the columns. What is accepted makes a system, what is refused has a sentence. */
#include "fuzz.h"
#include "trammel/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const columns[] = {"x: 1, y: 2", "x: t, y: f", "x: 2, y: 1", "x: 1, y: 1",
                                        "x: 1, y: 3", "x: \"a b\", y: 2"};
  if (size == 0) return 0;
  const size_t room = size + 300;
  char *text = malloc(room);
  FUZZ_REQUIRE(text != NULL);
  const int used = snprintf(text, room, "trammel: 1\ntables: {f: {file: points.csv, %s}}\n"
                            "equations: {coordinates: {x: 0}, mass: {x: 1}, forces: {x: f(time)}}\n"
                            "simulate: {end: 1}\n#-- file: points.csv\n",
                            columns[data[0] % (sizeof columns / sizeof *columns)]);
  memcpy(text + used, data + 1, size - 1);
  text[(size_t)used + size - 1] = '\0';
  trm_model *model = NULL;
  trm_system *system = NULL;
  trm_error err = {.status = TRM_OK};
  trm_status status = trm_model_read_text(text, "fuzz", NULL, 0, NULL, &model, &err);
  if (status == TRM_OK) {
    status = trm_model_create_system(model, NULL, &system, &err);
    FUZZ_REQUIRE(status == TRM_OK || err.message[0] != '\0');
  } else {
    FUZZ_REQUIRE(err.message[0] != '\0');
    FUZZ_REQUIRE(model == NULL || trm_model_complaint_count(model) > 0);
  }
  trm_system_free(system);
  trm_model_free(model);
  free(text);
  return 0;
}
