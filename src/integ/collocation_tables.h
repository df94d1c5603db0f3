/* collocation_tables.h - a Radau IIA method as numbers. */
#ifndef TRMI_COLLOCATION_TABLES_H
#define TRMI_COLLOCATION_TABLES_H

enum { STAGES_MAX = 7, PAIRS_MAX = 3 };

typedef struct trmi_collocation_table {
  int           s;      /* stages; the last one is the end of the step                       */
  double        gamma;  /* real eigenvalue of a, or for even s its size: weight of the start
                           in the error estimate                                             */
  const double *c;      /* nodes                                            [s]              */
  const double *a;      /* coefficients, row by row                         [s s]            */
  const double *aa;     /* a a                                              [s s]            */
  const double *lambda; /* eigenvalues (re, im): the real one, if any, then one of each pair */
  const double *S;      /* their eigenvectors, one after the other (re, im) [s each]         */
  const double *Sinv;   /* rows of the inverse (re, im)                     [s each]         */
  const double *e;      /* weights of y'(0) and of the stages in the error  [s + 1]          */
  const double *dense;  /* powers of the Lagrange polynomials at 0, c_1 ..  [(s + 1)(s + 1)] */
} trmi_collocation_table;

extern const trmi_collocation_table trmi_radau_2, trmi_radau_3, trmi_radau_5, trmi_radau_7;

/* The method with the most stages up to s, at least two. */
static inline const trmi_collocation_table *trmi_radau_of(int s) {
  return s >= 7 ? &trmi_radau_7 : s >= 5 ? &trmi_radau_5 : s >= 3 ? &trmi_radau_3 : &trmi_radau_2;
}

#endif
