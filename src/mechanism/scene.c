/* scene.c - the parts of a mechanism, read as for a build. */
#include "mechanism/scene.h"
#include "mechanism/builder.h"
#include "parts/parameters.h"

static trm_status read_parts(trmi_blueprint *bp, trmi_parameters *parameters,
                             trmi_complaints *complaints, trm_error *err) {
  trmi_mechanism *m = &bp->m;
  *m = (trmi_mechanism){.def = &bp->def, .parameters = parameters, .complaints = complaints,
                        .arena = &bp->parts_arena, .kept = &bp->arena};
  trmi_mechanism_read(m);
  m->parameters = NULL;
  m->complaints = NULL;
  TRMI_TRY(err, trmi_arena_check(m->arena, err));
  TRMI_TRY(err, trmi_graph_check(&parameters->graph, err));
  if (complaints->count == 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s", complaints->list[0].sentence);
}

trm_status trmi_scene_read(trm_mechanism *mechanism, trmi_scene *scene, trm_error *err) {
  trmi_complaints complaints = {.count = 0};
  trmi_parameters parameters;
  const trm_allocator *allocator = &mechanism->arena.allocator;
  *scene = (trmi_scene){.m = NULL};
  trmi_blueprint *bp = trmi_blueprint_make(&mechanism->def, allocator);
  if (bp == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  trm_status status = trmi_parameters_init(&parameters, &bp->def, allocator, &complaints, err);
  if (status == TRM_OK) {
    status = read_parts(bp, &parameters, &complaints, err);
    trmi_parameters_free(&parameters);
  }
  if (status != TRM_OK) {
    trmi_blueprint_free(bp);
    return trmi_note(err, __func__, status);
  }
  *scene = (trmi_scene){.blueprint = bp, .m = &bp->m};
  return TRM_OK;
}

void trmi_scene_free(trmi_scene *scene) {
  if (scene->blueprint != NULL) trmi_blueprint_free(scene->blueprint);
  *scene = (trmi_scene){.m = NULL};
}
