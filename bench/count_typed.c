/* count_typed MODEL N - evaluate residual and Jacobian of a model N times, for callgrind: what
 * typed equations cost beside the same equations in C. MODEL is a problem or a shipped model. */
#include "system/system.h"
#include "trammel/trammel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const trm_block wanted[] = {TRM_M, TRM_MU_Q, TRM_K, TRM_C, TRM_G, TRM_GY_Q, TRM_GV_Q};

static trm_status create(const char *name, trm_system **system, trm_error *err) {
  const trm_problem *problem = trm_problem_find(name);
  if (problem != NULL) return trm_problem_create(problem, NULL, 0, NULL, system, err);
  const trm_shipped_model *shipped = trm_shipped_model_find(name);
  if (shipped == NULL) return trm_fail(err, TRM_ERR_INPUT, NULL, "no such model");
  trm_model *model = NULL;
  trm_status status = trm_model_read_text(shipped->text, name, NULL, 0, NULL, &model, err);
  if (status == TRM_OK) status = trm_model_create_system(model, NULL, system, err);
  trm_model_free(model);
  return status;
}

static trm_status evaluate(trm_system *system, trm_state *s, long count, trm_error *err) {
  const trm_sizes *n = trm_system_sizes(system);
  double *motion = calloc((size_t)(n->nv + 2 * n->ng + 1), sizeof *motion);
  trmi_block_set blocks = 0;
  trm_status status = motion != NULL ? TRM_OK : TRM_ERR_MEMORY;
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status == TRM_OK; i++) {
    status = trmi_system_want(system, wanted[i], err);
    blocks |= TRMI_BIT(wanted[i]);
  }
  const trm_values out = {.motion = motion, .g = motion + n->nv, .g_rate = motion + n->nv + n->ng};
  for (long i = 0; i < count && status == TRM_OK; i++) {
    s->q[0] += 1e-3; /* nothing may be kept from the call before */
    status = trm_system_values(system, s, &out, err);
    if (status == TRM_OK) status = trmi_system_blocks(system, s, blocks, s->vd, s->lam, s->mu, err);
  }
  free(motion);
  return status;
}

int main(int argc, char **argv) {
  trm_error err;
  trm_system *system = NULL;
  if (argc != 3) return 2;
  trm_status status = create(argv[1], &system, &err);
  if (status == TRM_OK) {
    trmi_arena arena;
    trm_state s;
    trmi_arena_init(&arena, &(trm_allocator){0});
    trmi_state_take(system, &arena, &s);
    for (int i = 0; i < trm_system_sizes(system)->nv; i++) {
      s.q[i] = 0.1 * i, s.v[i] = 1.0 + i, s.vd[i] = 2.0 - i;
    }
    status = evaluate(system, &s, atol(argv[2]), &err);
    trmi_arena_clear(&arena);
  }
  trm_system_free(system);
  if (status != TRM_OK) fprintf(stderr, "%s\n", err.message);
  return status != TRM_OK;
}
