/* export_vtu.h - files of ParaView: parts shared by points of bodies and meshes. */
#ifndef TRMI_EXPORT_VTU_H
#define TRMI_EXPORT_VTU_H
#include "core/arena.h"
#include "io/export_file.h"

enum { TRMI_PVD_FOLDER = 4096, TRMI_PVD_PATH = TRMI_PVD_FOLDER + 400 };

/* The path without .pvd: the folder; its last part begins the names of the frames. */
typedef struct trmi_pvd_place {
  char        folder[TRMI_PVD_FOLDER];
  const char *base;
} trmi_pvd_place;

void trmi_vtu_begin(trmi_out *out, int points, int cells);
void trmi_vtu_array(trmi_out *out, const char *type, const char *name, int components);
void trmi_vtu_end(trmi_out *out);

/* A file of the list of times, by its path in the folder. */
void trmi_pvd_add(trmi_out *list, const trmi_pvd_place *place, double t, int part,
                  const char *path);

/* Flexible bodies of a run, export_stress.c. */
typedef struct trmi_stress_scene trmi_stress_scene;

TRM_CHECKED trm_status trmi_stress_scene_make(trm_run *run, const trm_system *system,
                                              trmi_arena *arena, trmi_stress_scene **scene,
                                              trm_error *err);
/* One file for each body. @param values  all signals of the sample */
TRM_CHECKED trm_status trmi_stress_frame(trmi_stress_scene *scene, const trmi_pvd_place *place,
                                         trmi_out *list, long frame, const double *values,
                                         trm_error *err);
/* One file for each body with the largest stress of all samples. */
TRM_CHECKED trm_status trmi_stress_maxima(trmi_stress_scene *scene, trm_run *run,
                                          const trmi_pvd_place *place, trm_error *err);

#endif
