/* core_distance.c - distance d of a point p from the core of a shape, its gradient n and its
 * Hessian H, in the axes of the core.
 *   plane:  d = p_z,   n = e_z,    H = 0                                                  (1)
 *   point:  d = |p|,   n = p/d,    H = (1 - n n^T)/d                                      (2)
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/core_distance.h"

/* (2); at the point itself any direction is a normal */
static trmi_distance from_point(trmi_vec3 p) {
  trmi_distance out = {.d = v3_norm(p), .n = v3(0, 0, 1)};
  if (!(out.d > 0.0)) return out;
  out.n = v3_scale(1.0 / out.d, p);
  const double n[3] = {out.n.x, out.n.y, out.n.z};
  for (int i = 0; i < 9; i++) out.H[i] = ((i % 4 == 0 ? 1.0 : 0.0) - n[i / 3] * n[i % 3]) / out.d;
  return out;
}

trmi_distance trmi_core_distance(const trmi_core *core, trmi_vec3 p) {
  switch (core->kind) {
  case TRMI_CORE_POINT: return from_point(p);
  case TRMI_CORE_PLANE: break;
  }
  return (trmi_distance){.d = p.z, .n = v3(0, 0, 1)}; /* (1) */
}
