/* reference.h - end values of a run that are far more accurate than those to be judged,
 * and how many digits of a run agree with them. */
#ifndef APP_REFERENCE_H
#define APP_REFERENCE_H
#include "options.h"

typedef struct app_reference {
  bool   exists;
  char   source[TRM_MESSAGE_MAX + 80]; /* where it comes from, or why there is none */
  double *numbers;                     /* all of the below                          */
  double *q, *v, *vd, *lam, *mu, *x;   /* the end of the run                        */
  double *near, *dpi;                  /* scratch of app_reference_digits           */
} app_reference;

/* The table of crank_reference.h where it applies, otherwise a run of explicit dop853 at
 * 1e-13. A run that fails is no error: `exists` is false then. */
TRM_CHECKED trm_status app_reference_find(app_reference *reference, const app_options *options,
                                          trm_error *err);
void app_reference_free(app_reference *reference);

/* Correct digits of an end state as the IVP test set counts them: scd from
 * relative errors of coordinates and multipliers; mescd from errors of all numbers over
 * one plus their size. NaN without a reference. */
void app_reference_digits(const app_reference *reference, const trm_system *system,
                          const trm_state *s, double *scd, double *mescd);

#endif
