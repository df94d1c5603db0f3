/* Texts of model files, as bundles. What is refused has a sentence and a place; what is accepted
 * is the same model when its text is read again, and its system can be evaluated. */
#include "fuzz.h"
#include "system/system.h"
#include "trammel/model.h"

/* Values and blocks at the start; a status that says why not is as good. */
static void evaluate(trm_system *system) {
  const trm_sizes *n = trm_system_sizes(system);
  trmi_arena arena;
  trm_state s;
  trm_error err;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_state_take(system, &arena, &s);
  const trm_values values = {
    .motion = TRMI_TAKE(&arena, double, n->nv),     .g = TRMI_TAKE(&arena, double, n->ng),
    .g_rate = TRMI_TAKE(&arena, double, n->ng),     .g_bias = TRMI_TAKE(&arena, double, n->ng),
    .a_rate = TRMI_TAKE(&arena, double, n->na),     .a_bias = TRMI_TAKE(&arena, double, n->na),
    .d = TRMI_TAKE(&arena, double, n->nx),          .w = TRMI_TAKE(&arena, double, n->nw),
    .events = TRMI_TAKE(&arena, double, n->nevents),
    .outputs = TRMI_TAKE(&arena, double, n->noutputs), .energy = TRMI_TAKE(&arena, double, 3),
  };
  trm_status status = trmi_system_start(system, &s, &err);
  if (status == TRM_OK) status = trm_system_values(system, &s, &values, &err);
  trmi_block_set all = 0;
  for (int b = 0; b < TRM_BLOCKS && status == TRM_OK; b++) {
    if (!system->given[b]) continue;
    all |= TRMI_BIT(b);
    status = trmi_system_want(system, (trm_block)b, &err);
  }
  if (status == TRM_OK) {
    status = trmi_system_blocks(system, &s, all, s.v, s.lam, s.mu, &err);
  }
  FUZZ_REQUIRE(status == TRM_OK || err.message[0] != '\0');
  trmi_arena_clear(&arena);
}

static void read_again(const trm_model *model) {
  trm_model *again;
  trm_error err;
  const char *text = trm_model_text(model);
  FUZZ_REQUIRE(trm_model_read_text(text, "m", NULL, 0, NULL, &again, &err) == TRM_OK);
  FUZZ_REQUIRE(strcmp(trm_model_text(again), text) == 0);
  trm_model_free(again);
}

static void check_refusal(const trm_model *model, trm_status status, const trm_error *err) {
  FUZZ_REQUIRE(status == TRM_ERR_INPUT && err->message[0] != '\0');
  if (model == NULL) return;
  const int count = trm_model_complaint_count(model);
  FUZZ_REQUIRE(count > 0);
  for (int i = 0; i < count; i++) {
    const trm_complaint c = trm_model_complaint_at(model, i);
    FUZZ_REQUIRE(c.file[0] != '\0' && c.line > 0 && c.column > 0 && c.sentence[0] != '\0');
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  trm_model *model;
  trm_error err;
  const trm_status status = trm_model_read_text(text, "m", NULL, 0, NULL, &model, &err);
  if (status == TRM_OK) {
    trm_system *system;
    trm_options options = trm_options_default();
    trm_model_options(model, &options);
    if (trm_model_create_system(model, NULL, &system, &err) == TRM_OK) evaluate(system);
    trm_system_free(system);
    if (size % 4 == 0) read_again(model);
  } else {
    check_refusal(model, status, &err);
  }
  trm_model_free(model);
  free(text);
  return 0;
}
