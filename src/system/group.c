/* group.c - motion on the configuration space R^n x SO(3)^m.
 *
 *   retract:     scalars add, p <- p o exp(psi) for rotations, (1) of so3.c (1)
 *   difference:  psi = log(p0^-1 o p1)                                      (2)
 *   T(psi):      Omega = T(psi) psi' along R = R_n exp(psi)                 (3)
 *   psi + 2 pi k psi/|psi| is the same rotation, k full turns further       (4)
 *
 * exp, log and T take the full rotation vector. Scalars and rotations have the same order in q and
 * v; each rotation has one more component in q. Derivation: docs/theory/02-rotations.md. */
#include "math/both.h"
#include "math/so3.h"
#include "math/vec.h"
#include "system/system.h"
#include <math.h>
#include <string.h>

void trm_system_retract(const trm_system *sys, const double *q, const double *dpi, double *q_out) {
  if (sys == NULL || q == NULL || dpi == NULL || q_out == NULL) return;
  int i = 0; /* v-index, the q-index is i + k */
  for (int k = 0; k <= sys->n.nrot; k++) {
    const int end = k < sys->n.nrot ? sys->rot_v[k] : sys->n.nv;
    for (; i + 1 < end; i += 2) { /* two at a time: most lists are short */
      both_store(q_out + i + k, both_add(both_load(q + i + k), both_load(dpi + i)));
    }
    for (; i < end; i++) q_out[i + k] = q[i + k] + dpi[i];
    i += 3;
  }
  for (int k = 0; k < sys->n.nrot; k += 2) { /* rotations, (1); the last one may be alone */
    const int one = sys->rot_v[k], more = k + 1 < sys->n.nrot, other = sys->rot_v[k + more];
    trmi_so3_turn((const double *const[2]){q + one + k, q + other + k + more},
                  (const double *const[2]){dpi + one, dpi + other},
                  (double *const[2]){q_out + one + k, q_out + other + k + more});
  }
}

void trm_system_difference(const trm_system *sys, const double *q1, const double *q0,
                           double *dpi) {
  if (sys == NULL || q1 == NULL || q0 == NULL || dpi == NULL) return;
  int i = 0;
  for (int k = 0; k <= sys->n.nrot; k++) {
    const int end = k < sys->n.nrot ? sys->rot_v[k] : sys->n.nv;
    for (; i + 1 < end; i += 2) {
      both_store(dpi + i, both_sub(both_load(q1 + i + k), both_load(q0 + i + k)));
    }
    for (; i < end; i++) dpi[i] = q1[i + k] - q0[i + k];
    if (k == sys->n.nrot) break;

    /* rotation, (2) */
    const double *p0 = q0 + i + k;
    const double inverse[4] = {p0[0], -p0[1], -p0[2], -p0[3]};
    double p[4];
    trmi_quat_mul(inverse, q1 + i + k, p);
    trmi_so3_log(p, dpi + i);
    i += 3;
  }
}

void trmi_group_difference_near(const trm_system *sys, const double *q1, const double *q0,
                                const double *near, double *dpi) {
  static const double full = 6.28318530717958647693;
  trm_system_difference(sys, q1, q0, dpi);
  for (int k = 0; k < sys->n.nrot; k++) {
    const double *wanted = near + sys->rot_v[k];
    double *d = dpi + sys->rot_v[k];
    const trmi_vec3 shortest = v3_load(d), far = v3_load(wanted);
    if (v3_norm(v3_sub(far, shortest)) < 3.0) continue; /* other candidates are farther away */
    const bool has_axis = v3_norm(shortest) > 1e-6; /* otherwise full turns about the axis of
                                                       `near` */
    const trmi_vec3 along = has_axis ? shortest : far;
    const trmi_vec3 axis = v3_scale(1.0 / v3_norm(along), along);
    const double turns = round((v3_dot(far, axis) - v3_dot(shortest, axis)) / full);
    v3_store(d, v3_add(shortest, v3_scale(turns * full, axis))); /* (4) */
  }
}

void trmi_group_T(const trm_system *sys, const double *dpi, double *T) {
  for (int k = 0; k < sys->n.nrot; k++) trmi_so3_T(dpi + sys->rot_v[k], T + 9 * k);
}

void trmi_group_Tinv(const trm_system *sys, const double *dpi, double *Tinv) {
  for (int k = 0; k < sys->n.nrot; k++) trmi_so3_Tinv(dpi + sys->rot_v[k], Tinv + 9 * k);
}

void trmi_group_apply(const trm_system *sys, const double *T, const double *x, double *y) {
  if (x != y) memcpy(y, x, (size_t)sys->n.nv * sizeof *y);
  for (int k = 0; k < sys->n.nrot; k++) {
    const double *R = T + 9 * k;
    double *yk = y + sys->rot_v[k];
    const double a = yk[0], b = yk[1], c = yk[2];
    for (int i = 0; i < 3; i++) yk[i] = R[3 * i] * a + R[3 * i + 1] * b + R[3 * i + 2] * c;
  }
}

void trmi_group_normalize(const trm_system *sys, double *q) {
  for (int k = 0; k < sys->n.nrot; k++) trmi_quat_normalize(q + sys->rot_v[k] + k);
}
