/* recorder.h - keeps results that only sinks receive: energies, outputs, orders, notes. */
#ifndef APP_RECORDER_H
#define APP_RECORDER_H
#include "trammel/explain.h"
#include "trammel/sim.h"

enum { APP_NOTES_MAX = 20, APP_NOTE_SIZE = 600 };

typedef struct app_recorder {
  int     noutputs, nshown;
  double *outputs;            /* of the last sample [noutputs]             */
  double *shown;              /* variables without a loop, there [nshown]  */
  long    samples;
  double  t;                  /* of the last sample [s]                    */
  double  initial;            /* energy of the first sample [J]            */
  double  kinetic, potential; /* of the last sample [J]                    */
  long    orders[TRM_ORDERS]; /* accepted steps by order of the method     */
  double  resumed_from;       /* checkpoint the run resumed from, NaN [s]  */
  int     nnotes;             /* total number; the first ones are kept     */
  char    notes[APP_NOTES_MAX][APP_NOTE_SIZE];
  double  note_times[APP_NOTES_MAX];
} app_recorder;

/* Number of stored notes. */
int app_recorder_notes(const app_recorder *recorder);


TRM_CHECKED trm_status app_recorder_init(app_recorder *recorder, const trm_system *system,
                                         trm_error *err);
trm_sink app_recorder_sink(app_recorder *recorder);
void app_recorder_free(app_recorder *recorder);

#endif
