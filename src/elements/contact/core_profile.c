/* core_profile.c - distance of a point from an outline that is extruded along z, inside negative.
 *
 * d, n, H are those of the outline in the plane (body/outline_nearest.c).
 * Between the ends |z| < h this is the distance outside; beyond them, a = max(0, d), b = |z| - h:
 *   d_3 = hypot(a, b),   n_3 = (a n + b e_z)/d_3,
 *   H_3 = (n n^T + e_z e_z^T - n_3 n_3^T)/d_3 + a/d_3 H where both are positive            (1)
 * Inside the nearest of side and ends counts, with its H.
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/core_distance.h"
#include <string.h>

trmi_distance trmi_profile_distance(const trmi_outline *outline, double half, trmi_vec3 p) {
  const double at[2] = {p.x, p.y}, b = fabs(p.z) - half, up = p.z < 0.0 ? -1.0 : 1.0;
  const trmi_outline_near s = trmi_outline_nearest(outline, at);
  trmi_distance out = {.d = s.d, .n = v3(s.n[0], s.n[1], 0.0)};
  const double H[9] = {s.H[0], s.H[1], 0.0, s.H[1], s.H[2], 0.0, 0.0, 0.0, 0.0};
  if (b <= 0.0 && (s.d > 0.0 || s.d >= b)) { /* outside at its side, or inside near its side */
    memcpy(out.H, H, sizeof H);
    return out;
  }
  if (s.d <= 0.0) return (trmi_distance){.d = b, .n = v3(0.0, 0.0, up)};
  const double d = hypot(s.d, b), n[3] = {s.d / d * s.n[0], s.d / d * s.n[1], b / d * up};
  out.d = d, out.n = v3_load(n); /* (1) */
  for (int k = 0; k < 9; k++) {
    const int i = k / 3, j = k % 3;
    const double D = i == 2 && j == 2 ? 1.0 : i < 2 && j < 2 ? s.n[i] * s.n[j] : 0.0;
    out.H[k] = (D - n[i] * n[j]) / d + s.d / d * H[k];
  }
  return out;
}
