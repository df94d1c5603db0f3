/* friction_law.h - dry friction for one, two components of sliding. Equations: friction_law.c. */
#ifndef TRMI_FRICTION_LAW_H
#define TRMI_FRICTION_LAW_H

typedef enum trmi_friction_kind {
  TRMI_FRICTION_NONE,
  TRMI_FRICTION_BRISTLE,    /* states: it sticks              */
  TRMI_FRICTION_REGULARIZED /* a function of the speed alone: it creeps */
} trmi_friction_kind;

typedef struct trmi_friction_law {
  trmi_friction_kind kind;
  double rest, moving; /* coefficients mu_s, mu_d                            */
  double velocity;     /* v_s of (1) or (4)                                  */
  double depth, time;  /* break-away deflection, tau of (3)                  */
} trmi_friction_law;

/* Force over the normal force, rates of the deflections, and derivatives by c and z. */
typedef struct trmi_friction_force {
  double force[2], rate[2];
  double force_c[2][2], force_z[2][2];
  double rate_c[2][2], rate_z[2][2];
  double grip;  /* |z| over its limit, at least one when sliding */
  double limit; /* of bristles: lim of (1)                           */
} trmi_friction_force;

/* a of (2) at Z/lim, and its slope. */
double trmi_friction_plastic(double ratio, double *slope);

/* n = 1 or 2 components c of the speed of sliding, deflections z in units of the depth. */
trmi_friction_force trmi_friction_at(const trmi_friction_law *law, int n, const double *c,
                                     const double *z);

#endif
