/* slider_crank_rod.h - matrices of the elastic rod of slider_crank.c. */
#ifndef TRMI_SLIDER_CRANK_ROD_H
#define TRMI_SLIDER_CRANK_ROD_H
#include <stdbool.h>

enum { TRMI_CRANK_ELASTIC = 4 }; /* coordinates of the rod */

/* rho times the vectors and matrices of [CRANK], in the names of slider_crank.c, (1) to (7). */
typedef struct trmi_crank_rod {
  double C1[TRMI_CRANK_ELASTIC], C2[TRMI_CRANK_ELASTIC];
  double C12[TRMI_CRANK_ELASTIC], C21[TRMI_CRANK_ELASTIC];
  double B[TRMI_CRANK_ELASTIC][TRMI_CRANK_ELASTIC], Md[TRMI_CRANK_ELASTIC][TRMI_CRANK_ELASTIC];
  double K[TRMI_CRANK_ELASTIC][TRMI_CRANK_ELASTIC], D[TRMI_CRANK_ELASTIC][TRMI_CRANK_ELASTIC];
  double kn, beta; /* of the nonlinear beam, (7) */
} trmi_crank_rod;

/* A rod of that length [m]; `pi` as the parameter of the problem says. */
void trmi_crank_rod_fill(trmi_crank_rod *rod, double length, double pi, bool is_nonlinear,
                         bool is_damped);

#endif
