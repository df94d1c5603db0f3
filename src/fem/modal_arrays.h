/* modal_arrays.h - all that the motion of a modal body needs: n modes phi of a body whose points
 * are s in its frame.
 *
 *   mass, mc = int s,  Sigma = int s s^T,  D = int phi,  L_pq = int s_p phi_q,
 *   N_pq = int phi_p phi_q,  N_qp = N_pq^T                                              (1)
 * with densities of mass and p, q axes. Modes are mass-normal: N_11 + N_22 + N_33 = 1.
 * Geometric stiffness of a load, Kg = int grad phi . sigma grad phi with its stress sigma
 * (modal_stiffening.c): of w_p w_q, and of a unit force or moment at an interface. */
#ifndef TRMI_MODAL_ARRAYS_H
#define TRMI_MODAL_ARRAYS_H
#include <stdbool.h>

enum { TRMI_AXIS_PAIRS = 6 };
static const int trmi_axis_pairs[TRMI_AXIS_PAIRS][2] = {{0, 0}, {1, 1}, {2, 2},
                                                        {0, 1}, {0, 2}, {1, 2}};

/* Which loads stiffen a body: none, those of its rotation, those at interfaces too. */
typedef enum trmi_stiffening {
  TRMI_STIFFENING_OFF, TRMI_STIFFENING_ROTATION, TRMI_STIFFENING_FULL
} trmi_stiffening;

typedef struct trmi_modal_interface {
  const char *name;
  double      at[3];   /* reference point, body axes */
  const double *F, *S; /* displacement and rotation by each mode [3 n] */
  const double *H;     /* Kg of three forces and three moments [6 n n]; NULL: none */
} trmi_modal_interface;

/* A distributed load: forces f at points s by one unit of pressure or temperature
 * (modal_loads.c). */
typedef struct trmi_modal_load {
  const char   *name;
  bool          is_heat;
  double        force[3], moment[3]; /* int f, int s x f                     */
  const double *f, *X;               /* int phi . f [n], int phi x f [3 n]   */
} trmi_modal_load;

typedef struct trmi_modal_arrays {
  int           n;
  double        mass, mc[3], Sigma[9];
  const double *omega2;              /* [n]    */
  const double *D;                   /* [3 n]  */
  const double *L;                   /* [9 n]: L_pq in row 3 p + q */
  const double *N[TRMI_AXIS_PAIRS];  /* of the pairs 11 22 33 12 13 23 [n n], row major */
  const double *Kg;                  /* of the same pairs [6 n n]; NULL: none */
  const double *size;                /* largest displacement of a node in each mode [n] */
  double        scalar_rest;         /* largest correction of N, see modal_turning.c */
  int           ninterfaces;
  trmi_modal_interface *interfaces;
  int           nloads;
  trmi_modal_load *loads;
} trmi_modal_arrays;

#endif
