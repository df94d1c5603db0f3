/* core_distance.c - distance d of a point p from the core of a shape, its gradient n and its
 * Hessian H, in the axes of the core. w is the vector from the nearest point of the core, D the
 * projector on the directions in which that point does not follow p, rho the distance from the z
 * axis, e the direction away from it, t = e_z x e:
 *   plane:    d = p_z, n = e_z, H = 0                                                     (1)
 *   point:    w = p, D = 1                                                                (2)
 *   segment:  w = p - e_z clip(p_z), D = 1 - e_z e_z^T beside it, 1 beyond its ends       (3)
 *   box:      w_i = p_i - clip(p_i), D = projector on the axes that are outside           (4)
 *     n = w/d,   H = (D - n n^T)/d
 *   cylinder: w = a e + b e_z, a = max(0, rho - R), b = p_z - clip(p_z)
 *   circle:   w = a e + p_z e_z, a = rho - R                                              (5)
 *     H = (D - n n^T)/d + a/(d rho) t t^T with D in the plane of e and e_z
 * Inside of a box or cylinder d is minus the distance from the nearest face, with
 *   H = 0, at the side of a cylinder t t^T/rho                                            (6)
 * Ellipsoids: core_ellipsoid.c, profiles: core_profile.c, terrains: core_terrain.c, triangles:
 * core_surface.c.
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/core_distance.h"
#include <stdbool.h>

/* H += f a a^T */
static void add_square(double H[9], double f, trmi_vec3 a) {
  const double v[3] = {a.x, a.y, a.z};
  for (int i = 0; i < 9; i++) H[i] += f * v[i / 3] * v[i % 3];
}

static double clipped(double x, double most) {
  return fmin(fmax(x, -most), most);
}

/* n and H of w; D is diagonal. At the core itself any direction is a normal. */
static trmi_distance from_offset(trmi_vec3 w, trmi_vec3 D) {
  trmi_distance out = {.d = v3_norm(w), .n = v3(0, 0, 1)};
  if (!(out.d > 0.0)) return out;
  out.n = v3_scale(1.0 / out.d, w);
  out.H[0] = D.x / out.d, out.H[4] = D.y / out.d, out.H[8] = D.z / out.d;
  add_square(out.H, -1.0 / out.d, out.n);
  return out;
}

/* (4) and (6) */
static trmi_distance from_box(trmi_vec3 p, const double size[3]) {
  const double at[3] = {p.x, p.y, p.z};
  double w[3], D[3];
  int nearest = 0;
  for (int i = 0; i < 3; i++) {
    w[i] = at[i] - clipped(at[i], size[i]);
    D[i] = w[i] != 0.0 ? 1.0 : 0.0;
    if (size[i] - fabs(at[i]) < size[nearest] - fabs(at[nearest])) nearest = i;
  }
  if (D[0] + D[1] + D[2] > 0.0) return from_offset(v3_load(w), v3_load(D));
  double n[3] = {0.0, 0.0, 0.0};
  n[nearest] = at[nearest] < 0.0 ? -1.0 : 1.0;
  return (trmi_distance){.d = fabs(at[nearest]) - size[nearest], .n = v3_load(n)};
}

/* (5): a along e and b along z, `has_a` and `has_b`: do they follow p? */
static trmi_distance around_axis(trmi_vec3 e, double rho, double a, double b, bool has_a,
                                 bool has_b) {
  trmi_distance out = {.d = hypot(a, b), .n = v3(0, 0, 1)};
  const trmi_vec3 z = v3(0, 0, 1), t = v3_cross(z, e);
  if (!(out.d > 0.0)) return out;
  out.n = v3_scale(1.0 / out.d, v3_add(v3_scale(a, e), v3_scale(b, z)));
  if (has_a) add_square(out.H, 1.0 / out.d, e);
  if (has_b) add_square(out.H, 1.0 / out.d, z);
  add_square(out.H, -1.0 / out.d, out.n);
  if (rho > 0.0) add_square(out.H, a / (out.d * rho), t);
  return out;
}

/* (5) and (6) */
static trmi_distance from_cylinder(trmi_vec3 p, double R, double half, bool is_circle) {
  const double rho = hypot(p.x, p.y);
  const trmi_vec3 e = rho > 0.0 ? v3(p.x / rho, p.y / rho, 0.0) : v3(1, 0, 0);
  if (is_circle) return around_axis(e, rho, rho - R, p.z, true, true);
  const double a = fmax(rho - R, 0.0), b = p.z - clipped(p.z, half);
  if (a > 0.0 || b != 0.0) return around_axis(e, rho, a, b, a > 0.0, b != 0.0);
  if (half - fabs(p.z) < R - rho) {
    return (trmi_distance){.d = fabs(p.z) - half, .n = v3(0, 0, p.z < 0.0 ? -1.0 : 1.0)};
  }
  trmi_distance out = {.d = rho - R, .n = e};
  if (rho > 0.0) add_square(out.H, 1.0 / rho, v3_cross(v3(0, 0, 1), e));
  return out;
}

/* Triangles are stored once and scaled here. */
static trmi_distance from_surface(const trmi_core *core, trmi_vec3 p) {
  const double scale = core->size[0];
  trmi_distance out = trmi_surface_distance(core->surface, core->patch, v3_scale(1.0 / scale, p));
  out.d *= scale;
  for (int i = 0; i < 9; i++) out.H[i] /= scale;
  return out;
}

trmi_distance trmi_core_distance(const trmi_core *core, trmi_vec3 p) {
  const double *size = core->size;
  switch (core->kind) {
  case TRMI_CORE_POINT: return from_offset(p, v3(1, 1, 1)); /* (2) */
  case TRMI_CORE_SEGMENT: { /* (3) */
    const double b = p.z - clipped(p.z, size[2]);
    return from_offset(v3(p.x, p.y, b), v3(1, 1, b != 0.0 ? 1.0 : 0.0));
  }
  case TRMI_CORE_BOX: return from_box(p, size);
  case TRMI_CORE_CYLINDER: return from_cylinder(p, size[0], size[2], false);
  case TRMI_CORE_CIRCLE: return from_cylinder(p, size[0], 0.0, true);
  case TRMI_CORE_ELLIPSOID: return trmi_ellipsoid_distance(size, p);
  case TRMI_CORE_PROFILE: return trmi_profile_distance(core->outline, size[2], p);
  case TRMI_CORE_TERRAIN: return trmi_terrain_distance(core->terrain, p);
  case TRMI_CORE_SURFACE: return from_surface(core, p);
  case TRMI_CORE_PLANE: break;
  }
  return (trmi_distance){.d = p.z, .n = v3(0, 0, 1)}; /* (1) */
}
