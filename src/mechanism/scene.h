/* scene.h - a mechanism read for pictures: its parts and their positions, without compilation. */
#ifndef TRMI_SCENE_H
#define TRMI_SCENE_H
#include "mechanism/blueprint.h"
#include "trammel/mechanism.h"

typedef struct trmi_scene {
  trmi_blueprint *blueprint;  /* its memory                                       */
  const trmi_mechanism *m;    /* bodies, markers, beams, joints, forces, contacts */
} trmi_scene;

/* Read it. TRM_ERR_INPUT: parts do not fit together. */
trm_status trmi_scene_read(trm_mechanism *mechanism, trmi_scene *scene, trm_error *err);
void trmi_scene_free(trmi_scene *scene);

#endif
