/* stress_run.h - a run of a model with flexible bodies or beams, and hot spots of its beams. */
#ifndef APP_STRESS_RUN_H
#define APP_STRESS_RUN_H
#include "options.h"
#include "trammel/trammel.h"
#include <jansson.h>

/* A run, its system, its times. */
typedef struct app_stress_run {
  trm_run    *run;
  trm_model  *model;
  trm_system *system;
  double     *times;
} app_stress_run;

/* Close it whatever is returned. TRM_ERR_INPUT: nothing in it has stress. */
trm_status app_stress_open(const app_options *options, app_stress_run *s, trm_error *err);
void app_stress_close(app_stress_run *s);

/* The largest von Mises stress of a section over all points and samples. */
typedef struct app_beam_spot {
  trm_beam_place place;
  double         from_start; /* distance along the beam      */
  int            point;      /* of the section, from 0 on    */
  double         mises;
  double         stress[6];
  long           instant;
} app_beam_spot;

/* Hot spots of all beams, one beam after the other, hottest first. */
typedef struct app_beam_spots {
  app_beam_spot *list;
  int            count;
} app_beam_spots;

/* Looks at beams with a section, if there are any. */
trm_status app_beam_stress(const app_options *options, const app_stress_run *s,
                           app_beam_spots *out, trm_error *err);
void app_beam_stress_free(app_beam_spots *spots);
void app_beam_stress_print(const app_stress_run *s, const app_beam_spots *spots);
json_t *app_beam_stress_json(const app_stress_run *s, const app_beam_spots *spots);

#endif
