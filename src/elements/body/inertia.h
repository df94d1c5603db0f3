/* inertia.h - mass of a rigid body or of a point, and gravity on it. Equations: head of inertia.c.
 *
 * Pure functions on local numbers. Entries of blocks are written in the order in which
 * trmi_inertia_pattern declares them. */
#ifndef TRMI_INERTIA_H
#define TRMI_INERTIA_H
#include "elements/body/pose.h"
#include "trammel/system.h"

/* Terms to be computed; the first kind that fits. */
typedef enum trmi_inertia_kind {
  TRMI_INERTIA_NONE,     /* no mass at all: a node of a beam             */
  TRMI_INERTIA_POINT,    /* three velocities                             */
  TRMI_INERTIA_DIAGONAL, /* origin at the centre of mass, principal axes */
  TRMI_INERTIA_CENTRED,  /* origin at the centre of mass                 */
  TRMI_INERTIA_GENERAL,
  TRMI_INERTIA_KINDS
} trmi_inertia_kind;

typedef struct trmi_inertia {
  trmi_inertia_kind kind;
  double    mass;
  trmi_vec3 com;  /* centre of mass, body axes                        */
  double    J[9]; /* about the origin of the body frame, body axes    */
} trmi_inertia;

/* Convert inertia about the centre of mass to that about the origin; sets the kind of a body that
 * can rotate. */
trmi_inertia trmi_inertia_make(double mass, trmi_vec3 com, const double J_com[9]);

/* Declare the entries of M, MU_Q, K or C, first velocity at v; others have none.
 * @return their number; p may be NULL to count only */
int trmi_inertia_pattern(const trmi_inertia *in, trm_pattern *p, trm_block block, int v);

/* motion = M v' - Q of only the body; overwritten [3 or 6] */
void trmi_inertia_motion(const trmi_inertia *in, const trmi_pose *pose, const double *vd,
                         trmi_vec3 gravity, double *motion);

/* energy[0] += kinetic, energy[1] += potential of gravity */
void trmi_inertia_energy(const trmi_inertia *in, const trmi_pose *pose, trmi_vec3 gravity,
                         double *energy);

/* d(w x J w)/dw for principal moments J: entries off its diagonal, row by row */
static inline void trmi_principal_gyroscopic(trmi_vec3 J, trmi_vec3 w, double out[6]) {
  const trmi_vec3 d = v3(J.z - J.y, J.x - J.z, J.y - J.x);
  out[0] = d.x * w.z;
  out[1] = d.x * w.y;
  out[2] = d.y * w.z;
  out[3] = d.y * w.x;
  out[4] = d.z * w.y;
  out[5] = d.z * w.x;
}

/* Destination of the entries of blocks; NULL: not requested. */
typedef struct trmi_inertia_blocks {
  double       *M, *MU_Q, *K, *C;
  const double *u; /* vector of MU_Q [6] */
} trmi_inertia_blocks;

void trmi_inertia_fill(const trmi_inertia *in, const trmi_pose *pose, trmi_vec3 gravity,
                       const trmi_inertia_blocks *out);

#endif
