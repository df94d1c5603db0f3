/* summary.h - a finished run in a few lines for people. */
#ifndef APP_SUMMARY_H
#define APP_SUMMARY_H
#include "recorder.h"
#include "trammel/sim.h"

void app_summary(const trm_sim *sim, const trm_system *system, const app_recorder *recorder);

/* Named values of a list, a few lines; the first has the title. */
void app_summary_values(const char *title, const trm_system *system, trm_quantity list,
                        const double *values);

#endif
