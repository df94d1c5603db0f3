/* modal_arrays.h - all that the motion of a modal body needs: n modes phi of a body whose points
 * are s in its frame.
 *
 *   mass, mc = int s,  Sigma = int s s^T,  D = int phi,  L_pq = int s_p phi_q,
 *   N_pq = int phi_p phi_q,  N_qp = N_pq^T                                              (1)
 * with densities of mass and p, q axes. Modes are mass-normal: N_11 + N_22 + N_33 = 1. */
#ifndef TRMI_MODAL_ARRAYS_H
#define TRMI_MODAL_ARRAYS_H

enum { TRMI_AXIS_PAIRS = 6 };

typedef struct trmi_modal_interface {
  const char *name;
  double      at[3];   /* reference point, body axes */
  const double *F, *S; /* displacement and rotation by each mode [3 n] */
} trmi_modal_interface;

typedef struct trmi_modal_arrays {
  int           n;
  double        mass, mc[3], Sigma[9];
  const double *omega2;              /* [n]    */
  const double *D;                   /* [3 n]  */
  const double *L;                   /* [9 n]: L_pq in row 3 p + q */
  const double *N[TRMI_AXIS_PAIRS];  /* of the pairs 11 22 33 12 13 23 [n n], row major */
  const double *size;                /* largest displacement of a node in each mode [n] */
  int           ninterfaces;
  trmi_modal_interface *interfaces;
} trmi_modal_arrays;

#endif
