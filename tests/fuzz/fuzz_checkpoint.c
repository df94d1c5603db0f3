/* Changes of a checkpoint: places and new bytes, in turn. One that differs is refused with a
 * sentence and leaves the simulation as it was; after that the good one is accepted. */
#include "fuzz.h"
#include "trammel/problems.h"
#include "trammel/sim.h"

typedef struct bench {
  trm_sim       *sim;
  unsigned char *good, *bad;
  size_t         size;
} bench;

/* A run of some steps, made once. */
static const bench *open_bench(void) {
  static bench b;
  if (b.sim != NULL) return &b;
  trm_error err;
  trm_system *system = NULL;
  trm_options options = trm_options_default();
  options.end = 1.0;
  options.integrator = "hht";
  bool done = false;
  const trm_problem *problem = trm_problem_find("pendulum");
  FUZZ_REQUIRE(trm_problem_create(problem, NULL, 0, NULL, &system, &err) == TRM_OK);
  FUZZ_REQUIRE(trm_sim_create(system, &options, &b.sim, &err) == TRM_OK);
  for (int i = 0; i < 10; i++) FUZZ_REQUIRE(trm_sim_step(b.sim, &done, &err) == TRM_OK);
  b.size = trm_sim_save_size(b.sim);
  b.good = malloc(b.size);
  b.bad = malloc(b.size);
  FUZZ_REQUIRE(b.good != NULL && b.bad != NULL);
  trm_sim_save(b.sim, b.good);
  return &b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const bench *b = open_bench();
  fuzz_input in = {data, size};
  trm_error err = {.status = TRM_OK};
  memcpy(b->bad, b->good, b->size);
  const size_t given = fuzz_byte(&in) < 8 ? fuzz_below(&in, (uint32_t)b->size + 64) : b->size;
  while (in.left > 0) {
    const size_t place = fuzz_below(&in, (uint32_t)b->size);
    b->bad[place] = fuzz_byte(&in);
  }
  if (given > b->size) { /* nobody reads beyond what there is */
    FUZZ_REQUIRE(trm_sim_load(b->sim, b->bad, given, &err) != TRM_OK);
    return 0;
  }
  const bool is_same = given == b->size && memcmp(b->bad, b->good, b->size) == 0;
  const double t = trm_sim_state(b->sim)->t;
  const trm_status status = trm_sim_load(b->sim, b->bad, given, &err);
  FUZZ_REQUIRE((status == TRM_OK) == is_same);
  FUZZ_REQUIRE(is_same || err.message[0] != '\0');
  FUZZ_REQUIRE(trm_sim_state(b->sim)->t == t);
  return 0;
}
