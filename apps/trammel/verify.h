/* verify.h - a second, more accurate run shows the error of the first one.
 *
 * Life cycle: app_verify_init -> app_verify_sink in the first run -> app_verify_run after it ->
 * read or print -> app_verify_free. The second run has a tenth of the tolerance, or half of each
 * fixed step, and samples at the times of the first one; it is not recorded. */
#ifndef APP_VERIFY_H
#define APP_VERIFY_H
#include "json_out.h"
#include "options.h"

/* What is compared of one output or coordinate. */
typedef struct app_verify_value {
  double size;    /* largest |value| in the first run             */
  double error;   /* largest difference of the two runs           */
  double t;       /* where that is; NaN: there is none [s]        */
  bool   is_large; /* more than one would expect                  */
} app_verify_value;

typedef struct app_verify {
  int      noutputs, nvalues;   /* outputs first, then coordinates           */
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
} app_verify;

/* @param first  options of the first run; a tolerance with no room below is refused */
TRM_CHECKED trm_status app_verify_init(app_verify *verify, const trm_system *system,
                                       const trm_options *first, trm_error *err);
trm_sink app_verify_sink(app_verify *verify);

/* The second run. It may fail, then `failure` says why; a request to stop is returned.
 * @param first  options of the first run */
TRM_CHECKED trm_status app_verify_run(app_verify *verify, const app_options *options,
                                      const trm_options *first, trm_error *err);

/* Sentences about what is not as expected, in order; false: there is no such number. */
bool app_verify_sentence(const app_verify *verify, const trm_system *system, int number,
                         char *text, size_t size);

/* The object of --json, and lines of the summary. */
json_t *app_verify_json(const app_verify *verify, const trm_system *system);
void app_verify_print(const app_verify *verify, const trm_system *system);

void app_verify_free(app_verify *verify);

#endif
