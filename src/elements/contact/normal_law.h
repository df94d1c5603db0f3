/* normal_law.h - force of a contact along its normal. Equations: head of normal_law.c. */
#ifndef TRMI_NORMAL_LAW_H
#define TRMI_NORMAL_LAW_H
#include <stdbool.h>

typedef struct trmi_normal_law {
  double stiffness, exponent;
  double damping;        /* c of (1), if no restitution is given                  */
  double restitution_y;  /* c v- that gives the restitution, (2); 0: none given   */
  double slowest;        /* speed of approach below which it counts as this one   */
  double impact_damping, impact_depth; /* of (3); depth 0: law (1)                */
} trmi_normal_law;

/* Force at penetration p that grows with the rate p', and its derivatives. */
typedef struct trmi_normal_force {
  double N, by_p, by_rate;
  double elastic; /* k p^e, the part with a potential */
  double stored;  /* that potential                   */
} trmi_normal_force;

/* (1) or (3); v_minus is the speed of approach of this contact. */
trmi_normal_force trmi_normal_force_at(const trmi_normal_law *law, double v_minus, double p,
                                       double rate);

/* y0 of (2) for a coefficient of restitution 0 < r <= 1. */
double trmi_restitution_factor(double r);

/* Of a closed gap: has damping cut the force off? */
static inline bool trmi_normal_is_cut(const trmi_normal_force *f) {
  return f->elastic > 0.0 && f->N == 0.0;
}

#endif
