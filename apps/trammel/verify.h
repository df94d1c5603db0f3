/* verify.h - a second, more accurate run shows the error of the first one; others, from starts
 * that are a little different, show whether the motion magnifies errors.
 *
 * Life cycle: app_verify_init -> app_verify_sink in the first run -> app_verify_run after it ->
 * read or print -> app_verify_free. The second run has a tenth of the tolerance, or half of each
 * fixed step, and samples at the times of the first one; it is not recorded. */
#ifndef APP_VERIFY_H
#define APP_VERIFY_H
#include "json_out.h"
#include "options.h"
#include "verify_growth.h"

/* What is compared of one output or coordinate. */
typedef struct app_verify_value {
  double size;    /* largest |value| in the first run             */
  double error;   /* largest difference of the two runs           */
  double t;       /* where that is; NaN: there is none [s]        */
  double from;    /* first sample with more than one would expect; NaN: none [s] */
  bool   is_large; /* more than one would expect                  */
} app_verify_value;

/* All coordinates together, each relative to its scale. */
typedef struct app_verify_motion {
  double sum;     /* local errors of the first run add up to this */
  double size;    /* largest displacement from the start          */
  double error;   /* largest difference of the two runs           */
  int    index;   /* whose, in the list TRM_V; -1: nobody's       */
  double t, from; /* when; when it first is more than one would expect; NaN: never [s] */
  double growth;  /* of a change of the start, see verify_growth.c; NaN: not known */
  double farthest; /* largest difference of a run from another start and the second */
} app_verify_motion;

typedef struct app_verify {
  int      noutputs, nvalues;   /* outputs first, then coordinates           */
  int      nv;
  const trm_system *system;
  double  *scale;               /* of coordinates, at TRM_V   [nv]           */
  double  *moved;               /* an increment               [nv]           */
  double  *apart;               /* difference of coordinates  [capacity + 1] */
  app_verify_value *values;     /*                            [nvalues]      */
  double  *times;               /* of samples that are kept   [capacity + 1] */
  double  *kept;                /* their values               [capacity + 1][nvalues] */
  double  *last;                /* values of the last sample  [nvalues]      */
  double   last_t;
  long     capacity, count, stride, seen;
  long     compared;            /* samples of the second run so far          */
  /* after app_verify_run */
  double   tolerance, step;     /* of the second run; the other one is NaN   */
  double   limit;               /* part of the size that is expected at most */
  double   end;                 /* where the second run ended [s]            */
  long     steps;
  trm_error failure;            /* of the second run; status TRM_OK: none    */
  app_verify_motion motion;
  /* during the other runs */
  app_growth growth;
  bool     is_pushed;           /* runs from other starts; `kept` is of the second */
} app_verify;

/* @param first  options of the first run; a tolerance with no room below is refused */
TRM_CHECKED trm_status app_verify_init(app_verify *verify, const trm_system *system,
                                       const trm_options *first, trm_error *err);
trm_sink app_verify_sink(app_verify *verify);

/* The second run, and those from other starts if they are needed. They may fail: then `failure`
 * says why, or the growth is unknown; a request to stop is returned.
 * @param first  options of the first run
 * @param done   the first run */
TRM_CHECKED trm_status app_verify_run(app_verify *verify, const app_options *options,
                                      const trm_options *first, const trm_sim *done,
                                      trm_error *err);

/* Sentences about what is not as expected, in order; false: there is no such number. */
bool app_verify_sentence(const app_verify *verify, const trm_system *system, int number,
                         char *text, size_t size);

/* The object of --json, and lines of the summary. */
json_t *app_verify_json(const app_verify *verify, const trm_system *system);
void app_verify_print(const app_verify *verify, const trm_system *system);

void app_verify_free(app_verify *verify);

#endif
