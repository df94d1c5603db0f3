/* explicit_tables.h - a Runge-Kutta method as numbers. */
#ifndef TRMI_EXPLICIT_TABLES_H
#define TRMI_EXPLICIT_TABLES_H

enum { RK_STAGES_MAX = 16 };

typedef struct trmi_rk_table {
  const char   *name;
  int           stages;       /* including the one at the end of the step    */
  int           dense_stages; /* including those of dense output             */
  int           error_power;  /* the error estimate goes like h^error_power  */
  double        stiff_limit;  /* of h times the largest eigenvalue           */
  const double *a;            /* strictly lower triangle, row by row         */
  const double *c;            /* [dense_stages] */
  const double *e;            /* weights of the error                        */
  const double *e_low;        /* of a second estimate, or NULL               */
  const double *dense;        /* see explicit.c                              */
} trmi_rk_table;

extern const trmi_rk_table trmi_dop853, trmi_dopri5;

#endif
