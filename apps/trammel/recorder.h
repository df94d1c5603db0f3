/* recorder.h - keeps what only samples tell: energies and outputs. */
#ifndef APP_RECORDER_H
#define APP_RECORDER_H
#include "trammel/sim.h"

typedef struct app_recorder {
  int     noutputs;
  double *outputs;            /* of the last sample [noutputs]             */
  long    samples;
  double  t;                  /* of the last sample [s]                    */
  double  initial;            /* energy of the first sample [J]            */
  double  kinetic, potential; /* of the last sample [J]                    */
  double  resumed_from;       /* checkpoint the run went on from, NaN [s]  */
} app_recorder;

TRM_CHECKED trm_status app_recorder_init(app_recorder *recorder, const trm_system *system,
                                         trm_error *err);
trm_sink app_recorder_sink(app_recorder *recorder);
void app_recorder_free(app_recorder *recorder);

#endif
