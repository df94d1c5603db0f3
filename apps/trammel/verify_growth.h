/* verify_growth.h - how much a motion magnifies a small change of its start.
 *
 * Life cycle: app_growth_keep (start of one run) -> app_growth_push -> `from` is the start of
 * another run -> app_growth_measure (its start, completed) -> `pushed`; app_growth_free. */
#ifndef APP_VERIFY_GROWTH_H
#define APP_VERIFY_GROWTH_H
#include "trammel/sim.h"

typedef struct app_growth {
  trm_state from;
  double   *v;       /* velocities before the push                   [nv] */
  int       nv;
  double    time;    /* duration of the run */
  double    pushed;  /* how far the push moves free bodies in the run, over their scales */
} app_growth;

/* A copy of the start of a run. */
TRM_CHECKED trm_status app_growth_keep(app_growth *growth, const trm_system *system,
                                       const trm_state *start, double time, trm_error *err);

/* Change the velocities of `from`.
 * @param number  of the direction: 0, 1, ..
 * @param scale   of coordinates  [nv]
 * @param size    `pushed`, before constraints are met */
void app_growth_push(app_growth *growth, int number, const double *scale, double size);

/* What constraints leave of the push.
 * @param start  of the other run */
void app_growth_measure(app_growth *growth, const trm_state *start, const double *scale);

void app_growth_free(app_growth *growth);

#endif
