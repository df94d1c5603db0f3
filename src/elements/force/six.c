/* six.c - laws of six deformations of marker B against marker A: bushings and beams. Numbers of
 * the law and names in expressions; all of it is computed by six_law.c.
 *
 * With A the matrix whose columns are the axes of A, q the relative quaternion, (4) of
 * marker_frame.c:
 *   d = A^T (x_B - x_A),   d' = A^T (v_B - v_A - w_A x (x_B - x_A))                     (1)
 *   q = (c, n s),  c = cos(phi/2),  s = sin(phi/2),  phi from 0 to 2 pi
 *   theta = n phi = 2 q_v (phi/2)/s                    rotation vector                  (2)
 *   theta' = P A^T (w_B - w_A),  P = 1 - S/2 + kappa S^2,  S u = theta x u              (3)
 *   kappa = (1 - (phi/2) cot(phi/2))/phi^2 = (1 - c (phi/2)/s)/phi^2                    (4)
 * Law with e = (d, theta) - rest:
 *   s = K e + C e' - preload,  on B: -A s_d at x_B, -A P^T s_theta; on A the opposite   (5)
 *   potential e.K e/2 - preload.e   if K is symmetric                                   (6)
 * P^T makes theta and torque belong together: power is -s.e'. About a fixed axis P is 1.
 * (phi/2)/s and kappa are smooth at zero: series there. q is continuous, so theta passes half a
 * turn (marker_pairs.c carries q, the sign at the start is (4) of marker_frame.c); it has no
 * direction at a full one, and steps that come near are refused, (5) of six_law.c.
 * Derivation: docs/theory/12-forces.md, section 4. */
#include "elements/force/marker_pairs.h"
#include <math.h>

bool trmi_six_keep(trmi_mechanism *m, trmi_force *a, const trmi_six *six) {
  trmi_six *own = TRMI_TAKE(m->arena, trmi_six, 1);
  if (own == NULL) return false;
  *own = *six;
  a->own = own;
  double size = 0.0, difference = 0.0;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      size = fmax(size, fabs(own->K[6 * i + j]));
      difference = fmax(difference, fabs(own->K[6 * i + j] - own->K[6 * j + i]));
    }
  }
  for (int i = 0; i < 36; i++) own->has_damping = own->has_damping || own->C[i] != 0.0;
  own->is_symmetric = difference <= 1e-12 * size; /* rounding of what was typed */
  for (int i = 0; i < 6 && trmi_force_is_stiff(a); i++) {
    bool acts = false;
    for (int j = 0; j < 6; j++) acts = acts || own->K[6 * i + j] != 0.0;
    own->acts[i] = trmi_decide(m, acts);
  }
  return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

void trmi_six_measure(trmi_mechanism *m, trmi_force *a) {
  trmi_pair_nodes(m, a, TRMI_PAIR_DEFORMATION, false, a->e);
}

void trmi_six_law(trmi_mechanism *m, trmi_force *a) {
  trmi_pair_nodes(m, a, TRMI_PAIR_LOAD, false, a->load);
}
