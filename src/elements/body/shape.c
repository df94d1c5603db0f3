/* shape.c - volume integrals over simple shapes and over closed surfaces of triangles.
 *
 * About the centre, V the volume, density one; 1 is the unit matrix, a the axis, L the length:
 *   box a b c:    J = V/12 diag(b^2 + c^2, a^2 + c^2, a^2 + b^2)                        (1)
 *   sphere:       V = 4/3 pi r^3,  J = 2/5 V r^2 1                                      (2)
 *   ellipsoid:    V = 4/3 pi a b c,  J = V/5 diag(b^2 + c^2, a^2 + c^2, a^2 + b^2)        (9)
 *   about an axis J = J_t 1 + (J_a - J_t) a a^T                                         (3)
 *   cylinder:     V = pi r^2 L,  J_a = V r^2/2,  J_t = V (3 r^2 + L^2)/12               (4)
 *   capsule:      a cylinder V and a sphere S: J_a = V r^2/2 + 2/5 S r^2,
 *                 J_t = V (3 r^2 + L^2)/12 + S (2/5 r^2 + L^2/4 + 3/8 L r)              (5)
 *   torus R, r:   V = 2 pi^2 R r^2,  J_a = V (R^2 + 3/4 r^2),  J_t = V (R^2/2 + 5/8 r^2)  (8)
 *   mesh: sum over the tetrahedra of triangles p q r and a point o, with d = p.(q x r) and
 *   s = p + q + r from o: V = sum d/6, V (centre - o) = sum d s/24,
 *   second moments S = sum d (s s^T + p p^T + q q^T + r r^T)/120, J = tr(S) 1 - S       (6)
 *   moved by c: S about another point increases by V c c^T                             (7) */
#include "elements/body/shape.h"

static const double pi = 3.14159265358979323846;

trmi_volume trmi_volume_box(trmi_vec3 size, trmi_vec3 at) {
  const double V = size.x * size.y * size.z;
  const double xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
  return (trmi_volume){.volume = V, .centre = at,
                       .J = {[0] = V / 12.0 * (yy + zz), [4] = V / 12.0 * (xx + zz),
                             [8] = V / 12.0 * (xx + yy)}}; /* (1) */
}

trmi_volume trmi_volume_sphere(trmi_vec3 at, double radius) {
  const double V = 4.0 / 3.0 * pi * radius * radius * radius, J = 0.4 * V * radius * radius;
  return (trmi_volume){.volume = V, .centre = at, .J = {[0] = J, [4] = J, [8] = J}}; /* (2) */
}

trmi_volume trmi_volume_ellipsoid(trmi_vec3 at, const double half[3]) {
  const double a = half[0], b = half[1], c = half[2], V = 4.0 / 3.0 * pi * a * b * c;
  return (trmi_volume){.volume = V, .centre = at,
                       .J = {[0] = 0.2 * V * (b * b + c * c), [4] = 0.2 * V * (a * a + c * c),
                             [8] = 0.2 * V * (a * a + b * b)}}; /* (9) */
}

/* (3) */
static trmi_volume around_axis(trmi_vec3 from, trmi_vec3 to, double V, double J_a, double J_t) {
  trmi_volume out = {.volume = V, .centre = v3_scale(0.5, v3_add(from, to))};
  const trmi_vec3 offset = v3_sub(to, from);
  const double length = v3_norm(offset);
  double a[3] = {1.0, 0.0, 0.0};
  if (length > 0.0) v3_store(a, v3_scale(1.0 / length, offset));
  for (int i = 0; i < 9; i++) {
    out.J[i] = (i % 4 == 0 ? J_t : 0.0) + (J_a - J_t) * a[i / 3] * a[i % 3];
  }
  return out;
}

trmi_volume trmi_volume_cylinder(trmi_vec3 from, trmi_vec3 to, double radius) {
  const double L = v3_norm(v3_sub(to, from)), rr = radius * radius, V = pi * rr * L;
  return around_axis(from, to, V, 0.5 * V * rr, V * (3.0 * rr + L * L) / 12.0); /* (4) */
}

trmi_volume trmi_volume_capsule(trmi_vec3 from, trmi_vec3 to, double radius) {
  const double L = v3_norm(v3_sub(to, from)), rr = radius * radius;
  const double V = pi * rr * L, S = 4.0 / 3.0 * pi * rr * radius;
  const double J_a = 0.5 * V * rr + 0.4 * S * rr;
  const double J_t = V * (3.0 * rr + L * L) / 12.0 +
                     S * (0.4 * rr + 0.25 * L * L + 0.375 * L * radius);
  return around_axis(from, to, V + S, J_a, J_t); /* (5) */
}

trmi_volume trmi_volume_torus(trmi_vec3 at, trmi_vec3 axis, double radius, double tube) {
  const double RR = radius * radius, rr = tube * tube, V = 2.0 * pi * pi * radius * rr;
  return around_axis(v3_sub(at, axis), v3_add(at, axis), V, V * (RR + 0.75 * rr),
                     V * (0.5 * RR + 0.625 * rr)); /* (8) */
}

/* ---- surfaces ------------------------------------------------------------------------ */

/* S += f a a^T */
static void add_moment(double S[9], double f, trmi_vec3 v) {
  const double a[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 9; i++) S[i] += f * a[i / 3] * a[i % 3];
}

static void inertia_of_moments(const double S[9], double J[9]) {
  const double trace = S[0] + S[4] + S[8];
  for (int i = 0; i < 9; i++) J[i] = (i % 4 == 0 ? trace : 0.0) - S[i];
}

trmi_volume trmi_volume_mesh(const trmi_mesh *mesh) {
  double V = 0.0, S[9] = {0.0};
  trmi_vec3 first = v3(0, 0, 0);
  const trmi_vec3 o = mesh->npoints > 0 ? mesh->points[0] : v3(0, 0, 0);
  for (int i = 0; i < mesh->ntriangles; i++) { /* (6) */
    const int *corner = mesh->corners + 3 * i;
    const trmi_vec3 p = v3_sub(mesh->points[corner[0]], o);
    const trmi_vec3 q = v3_sub(mesh->points[corner[1]], o);
    const trmi_vec3 r = v3_sub(mesh->points[corner[2]], o);
    const trmi_vec3 s = v3_add(p, v3_add(q, r));
    const double d = v3_dot(p, v3_cross(q, r));
    V += d / 6.0;
    first = v3_add(first, v3_scale(d / 24.0, s));
    add_moment(S, d / 120.0, s);
    add_moment(S, d / 120.0, p);
    add_moment(S, d / 120.0, q);
    add_moment(S, d / 120.0, r);
  }
  trmi_volume out = {.volume = fabs(V), .centre = o};
  if (V == 0.0) return out;
  const trmi_vec3 c = v3_scale(1.0 / V, first);
  add_moment(S, -V, c); /* (7) */
  for (int i = 0; i < 9; i++) S[i] *= V < 0.0 ? -1.0 : 1.0;
  inertia_of_moments(S, out.J);
  out.centre = v3_add(o, c);
  return out;
}

trmi_volume trmi_volume_add(const trmi_volume *a, const trmi_volume *b) {
  const double V = a->volume + b->volume;
  trmi_volume out = {.volume = V, .centre = a->centre};
  if (!(V > 0.0)) return out;
  const trmi_vec3 offset = v3_sub(b->centre, a->centre);
  double S[9] = {0.0}, J[9];
  out.centre = v3_add(a->centre, v3_scale(b->volume / V, offset));
  add_moment(S, a->volume * b->volume / V, offset); /* (7), of both about the common centre */
  inertia_of_moments(S, J);
  for (int i = 0; i < 9; i++) out.J[i] = a->J[i] + b->J[i] + J[i];
  return out;
}
