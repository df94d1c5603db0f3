/* converge.h - errors of fixed-step runs against one reference run.
 *
 * A run is kept as samples of its accepted steps. The reference then passes the
 * same instants, and every sample of the runs is compared there and then. */
#ifndef APP_CONVERGE_H
#define APP_CONVERGE_H
#include "options.h"

/* Kinds of compared quantities. */
typedef enum app_error_kind {
  APP_ERROR_POSITION, APP_ERROR_VELOCITY, APP_ERROR_ACCELERATION, APP_ERROR_MULTIPLIER,
  APP_ERROR_STATE, APP_ERROR_VARIABLE, APP_ERROR_KINDS
} app_error_kind;

/* One run with fixed steps. */
typedef struct app_history {
  const app_pattern *pattern;
  int     n, capacity;      /* samples                                        */
  double *t;                /* their times, ascending [s]         [n]         */
  double *numbers;          /* q v vd lam mu x w of each          [n * width] */
  int     next;             /* sample to compare next                         */
  int     compared;         /* samples that found their partner               */
  double  largest[APP_ERROR_KINDS]; /* NaN where there is nothing to compare  */
  double *rms;              /* of each coordinate                 [nq]        */
} app_history;

/* All runs. */
typedef struct app_study {
  const app_options *options;
  trm_system  *system;      /* for names and for differences of configurations */
  trm_sizes    sizes;
  int          nq, width;   /* numbers of a configuration, of a sample         */
  app_history *runs;        /* [nruns]                                         */
  int          nruns;
  double       same_time;   /* times closer than this are the same [s]         */
  double      *scratch;     /* [nv + nq]                                       */
} app_study;

TRM_CHECKED trm_status app_study_create(app_study *study, const app_options *options,
                                        trm_error *err);
void app_study_free(app_study *study);

/* Run every pattern, then the reference. */
TRM_CHECKED trm_status app_study_execute(app_study *study, trm_error *err);

/* Name of a kind, "position". */
const char *app_error_name(app_error_kind kind);

/* log(e0/e1) / log(h0/h1); NaN if it is meaningless. */
double app_order(double e0, double e1, double h0, double h1);

#endif
