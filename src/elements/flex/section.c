/* section.c - constants of sections: closed forms of rectangle, ellipse and round tube, outlines of
 * the others.
 *
 * Without lateral contraction shear stress by a force along z is the gradient of Psi,
 *   Psi_yy + Psi_zz = -(Iz z - Iyz y)/(Iy Iz - Iyz^2),   dPsi/dn = 0                        (1)
 * and along y likewise; shear flexibility s = int grad Psi_i . grad Psi_k, sheared = s^-1. Closed
 * forms, semiaxes a, b along y, z and a force along z:
 *   ellipse  Psi = A z (1 - z^2/(3 b^2) - y^2/(2 b^2 + a^2)),
 *            A = b^2 (2 b^2 + a^2)/(2 Iy (3 b^2 + a^2)), J = pi a^3 b^3/(a^2 + b^2)         (2)
 *   tube     Psi = sin(angle) (A r + B r^3 + C/r), B = -1/(8 Iy), C = -3 B ro^2 ri^2,
 *            A = -3 B (ro^2 + ri^2)                                                         (3)
 *   rectangle of sides l >= t: Psi depends on z alone, sheared = 5/6 area,
 *            J = l t^3/3 (1 - 192 t/(pi^5 l) sum tanh(n pi l/2t)/n^5), n odd                (4)
 * Derivation: docs/theory/10-beam.md, section 9. */
#include "elements/flex/section.h"
#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

enum { ROUND_POINTS = 24, TERMS = 41, SECTION_SIZE = 6 };

/* ---- closed forms ---------------------------------------------------------------------------- */

/* Sums of (4): of J, of the stress in the middle of the long sides and of the short ones. */
static void sum_torsion(double ratio, double sums[3]) {
  const double fifth_powers = 1.00452376279513961613, catalan = 0.91596559417721901505;
  sums[0] = fifth_powers; /* for all tanh equal to one */
  sums[1] = 0.0;
  sums[2] = catalan;
  for (int n = 1; n <= TERMS; n += 2) {
    const double x = 0.5 * n * pi * ratio, square = (double)n * n, t = tanh(x);
    sums[0] -= (1.0 - t) / (square * square * n);
    sums[1] += 1.0 / (square * cosh(x));
    sums[2] -= (n % 4 == 1 ? 1.0 : -1.0) * (1.0 - t) / square;
  }
}

static void make_rectangle(const double size[2], trmi_section *out) {
  const double w = size[0], h = size[1], l = fmax(w, h), t = fmin(w, h), area = w * h;
  double sums[3];
  sum_torsion(l / t, sums);
  *out = (trmi_section){.area = area, .Iy = area * h * h / 12.0, .Iz = area * w * w / 12.0,
                        .J = l * t * t * t / 3.0 * (1.0 - 192.0 * t / (pow(pi, 5) * l) * sums[0]),
                        .sheared = {area / 1.2, area / 1.2}, .npoints = 8, .points = out->points};
  const double at_long = t / out->J * (1.0 - 8.0 / (pi * pi) * sums[1]);
  const double at_short = t / out->J * 8.0 / (pi * pi) * sums[2];
  const double at_z = w >= h ? at_long : at_short, at_y = w >= h ? at_short : at_long;
  static const int sign[8][2] = {{-1, -1}, {0, -1}, {1, -1}, {1, 0},
                                 {1, 1},   {0, 1},  {-1, 1}, {-1, 0}};
  for (int i = 0; i < 8; i++) {
    const int y = sign[i][0], z = sign[i][1];
    trmi_section_point *p = &out->points[i];
    *p = (trmi_section_point){.y = 0.5 * w * y, .z = 0.5 * h * z};
    if (y == 0) p->shear[0][0] = -z * at_z, p->shear[1][0] = 1.5 / area;
    if (z == 0) p->shear[0][1] = y * at_y, p->shear[2][1] = 1.5 / area;
  }
}

/* Flexibility of (2) by a force along the semiaxis b, and grad Psi at (y, z), y across it. */
static double bend_ellipse(double a, double b, double I, const double at[2], double grad[2]) {
  const double c = 2.0 * b * b + a * a;
  const double A = b * b * c / (2.0 * I * (3.0 * b * b + a * a));
  const double y = at[0], z = at[1];
  grad[0] = -2.0 * A * y * z / c;
  grad[1] = A * (1.0 - z * z / (b * b) - y * y / c);
  return A * (5.0 / 6.0 - a * a / (6.0 * c));
}

/* (2) */
static void make_ellipse(const double size[2], trmi_section *out) {
  const double a = 0.5 * size[0], b = 0.5 * size[1], area = pi * a * b;
  *out = (trmi_section){.area = area, .Iy = area * b * b / 4.0, .Iz = area * a * a / 4.0,
                        .J = area * a * a * b * b / (a * a + b * b), .npoints = ROUND_POINTS,
                        .points = out->points};
  for (int i = 0; i < ROUND_POINTS; i++) {
    const double angle = 2.0 * pi * i / ROUND_POINTS, y = a * cos(angle), z = b * sin(angle);
    trmi_section_point *p = &out->points[i];
    *p = (trmi_section_point){.y = y, .z = z};
    p->shear[0][0] = -2.0 * z / (area * b * b);
    p->shear[0][1] = 2.0 * y / (area * a * a);
    double grad[2];
    out->sheared[1] = 1.0 / bend_ellipse(a, b, out->Iy, (double[2]){y, z}, p->shear[2]);
    out->sheared[0] = 1.0 / bend_ellipse(b, a, out->Iz, (double[2]){z, y}, grad);
    p->shear[1][0] = grad[1], p->shear[1][1] = grad[0];
  }
}

/* (3); only the tangential stress is left at the outside */
static void make_tube(const double size[2], trmi_section *out) {
  const double ro = 0.5 * size[0], ri = 0.5 * size[1], o = ro * ro, i2 = ri * ri;
  const double I = pi / 4.0 * (o * o - i2 * i2);
  const double B = -1.0 / (8.0 * I), C = -3.0 * B * o * i2, A = -3.0 * B * (o + i2);
  const double s = pi / I * (A * (o * o - i2 * i2) / 4.0 + B * (o * o * o - i2 * i2 * i2) / 6.0 +
                             C * (o - i2) / 2.0);
  *out = (trmi_section){.area = pi * (o - i2), .Iy = I, .Iz = I, .J = 2.0 * I,
                        .sheared = {1.0 / s, 1.0 / s}, .npoints = ROUND_POINTS,
                        .points = out->points};
  for (int i = 0; i < ROUND_POINTS; i++) {
    const double angle = 2.0 * pi * i / ROUND_POINTS, y = cos(angle), z = sin(angle);
    const double by_force = A + B * o + C / o;
    trmi_section_point *p = &out->points[i];
    *p = (trmi_section_point){.y = ro * y, .z = ro * z};
    const double along[3] = {ro / out->J, -z * by_force, y * by_force};
    for (int k = 0; k < 3; k++) p->shear[k][0] = -z * along[k], p->shear[k][1] = y * along[k];
  }
}

/* ---- outlines -------------------------------------------------------------------------------- */

static void put(double *corners, int *count, double y, double z) {
  corners[2 * *count] = y;
  corners[2 * (*count)++ + 1] = z;
}

static void outline_box(const double size[3], double outer[8], double inner[8]) {
  const double y = 0.5 * size[0], z = 0.5 * size[1], u = y - size[2], v = z - size[2];
  const double out[8] = {-y, -z, y, -z, y, z, -y, z}, in[8] = {-u, -v, -u, v, u, v, u, -v};
  for (int k = 0; k < 8; k++) outer[k] = out[k], inner[k] = in[k];
}

static int outline_I(const double size[4], double *c) {
  const double y = 0.5 * size[0], z = 0.5 * size[1], w = 0.5 * size[2], f = z - size[3];
  int n = 0;
  put(c, &n, -y, -z), put(c, &n, y, -z), put(c, &n, y, -f), put(c, &n, w, -f);
  put(c, &n, w, f), put(c, &n, y, f), put(c, &n, y, z), put(c, &n, -y, z);
  put(c, &n, -y, f), put(c, &n, -w, f), put(c, &n, -w, -f), put(c, &n, -y, -f);
  return n;
}

static int outline_channel(const double size[4], double *c) {
  const double y = size[0], z = 0.5 * size[1], w = size[2], f = z - size[3];
  int n = 0;
  put(c, &n, 0.0, -z), put(c, &n, y, -z), put(c, &n, y, -f), put(c, &n, w, -f);
  put(c, &n, w, f), put(c, &n, y, f), put(c, &n, y, z), put(c, &n, 0.0, z);
  return n;
}

/* ---- polygons -------------------------------------------------------------------------------- */

/* Twice the area of the triangle p q r, positive: counterclockwise. */
static double turn_of(const double *p, const double *q, const double *r) {
  return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* Do the edges p q and r s have a point in common? */
static bool cross(const double *p, const double *q, const double *r, const double *s) {
  const double a = turn_of(p, q, r), b = turn_of(p, q, s);
  const double c = turn_of(r, s, p), d = turn_of(r, s, q);
  const bool overlaps = fmax(p[0], q[0]) >= fmin(r[0], s[0]) &&
                        fmax(r[0], s[0]) >= fmin(p[0], q[0]) &&
                        fmax(p[1], q[1]) >= fmin(r[1], s[1]) &&
                        fmax(r[1], s[1]) >= fmin(p[1], q[1]);
  return overlaps && a * b <= 0.0 && c * d <= 0.0;
}

static bool check_edges(const double *c, int n, char fault[TRMI_SECTION_FAULT]) {
  for (int i = 0; i < n; i++) {
    const double *p = c + 2 * i, *q = c + 2 * ((i + 1) % n), *r = c + 2 * ((i + 2) % n);
    const double back = (q[0] - p[0]) * (r[0] - q[0]) + (q[1] - p[1]) * (r[1] - q[1]);
    if (hypot(q[0] - p[0], q[1] - p[1]) > 0.0 && !(turn_of(p, q, r) == 0.0 && back < 0.0)) continue;
    snprintf(fault, TRMI_SECTION_FAULT, "corners %d and %d of its polygon coincide, or the edge "
             "after them runs back", i + 1, (i + 1) % n + 1);
    return false;
  }
  return true;
}

static bool check_crossings(const double *c, int n, char fault[TRMI_SECTION_FAULT]) {
  for (int i = 0; i < n; i++) {
    for (int k = i + 2; k < n && !(i == 0 && k == n - 1); k++) {
      if (!cross(c + 2 * i, c + 2 * (i + 1), c + 2 * k, c + 2 * ((k + 1) % n))) continue;
      snprintf(fault, TRMI_SECTION_FAULT, "the edges after corners %d and %d of its polygon cross "
               "or touch each other", i + 1, k + 1);
      return false;
    }
  }
  return true;
}

/* Corners counterclockwise. */
static bool outline_polygon(const trmi_section_def *def, double *out,
                            char fault[TRMI_SECTION_FAULT]) {
  const int n = def->ncorners;
  double area = 0.0;
  if (n < 3 || n > TRMI_SECTION_CORNERS) {
    snprintf(fault, TRMI_SECTION_FAULT, "its polygon has %d corners: 3 to %d are possible", n,
             TRMI_SECTION_CORNERS);
    return false;
  }
  for (int i = 0; i < n; i++) area += turn_of((double[2]){0}, def->corners + 2 * i,
                                              def->corners + 2 * ((i + 1) % n));
  for (int i = 0; i < n; i++) {
    const double *from = def->corners + 2 * (area > 0.0 ? i : n - 1 - i);
    out[2 * i] = from[0], out[2 * i + 1] = from[1];
  }
  return check_edges(def->corners, n, fault) && check_crossings(def->corners, n, fault);
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool check_sizes(const trmi_section_def *def, char fault[TRMI_SECTION_FAULT]) {
  const double *s = def->size;
  const char *sentence = NULL;
  if (def->shape == TRMI_SECTION_TUBE && !(s[1] < s[0])) {
    sentence = "the inner diameter of its tube is not less than the outer one";
  } else if (def->shape == TRMI_SECTION_BOX && !(2.0 * s[2] < fmin(s[0], s[1]))) {
    sentence = "the walls of its box are thicker than half of it";
  } else if (def->shape == TRMI_SECTION_I || def->shape == TRMI_SECTION_CHANNEL) {
    if (!(s[2] < s[0])) sentence = "its web is not thinner than its flanges are wide";
    if (!(2.0 * s[3] < s[1])) sentence = "its flanges are thicker than half of its height";
  }
  if (sentence != NULL) snprintf(fault, TRMI_SECTION_FAULT, "%s", sentence);
  return sentence == NULL;
}

/* Maximum number of points of the section; reading a system again must use the same memory. */
static int points_of(const trmi_section_def *def) {
  static const int corners[] = {[TRMI_SECTION_RECTANGLE] = 4, [TRMI_SECTION_BOX] = 8,
                                [TRMI_SECTION_I] = 12, [TRMI_SECTION_CHANNEL] = 8};
  if (def->shape == TRMI_SECTION_POLYGON) return 2 * def->ncorners;
  if (def->shape == TRMI_SECTION_ELLIPSE || def->shape == TRMI_SECTION_TUBE) return ROUND_POINTS;
  return 2 * corners[def->shape];
}

bool trmi_section_make(const trmi_section_def *def, trmi_arena *arena, trmi_section *out,
                       char fault[TRMI_SECTION_FAULT]) {
  const int room = def->shape == TRMI_SECTION_POLYGON ? def->ncorners : 12;
  *out = (trmi_section){.points = TRMI_TAKE(arena, trmi_section_point, points_of(def))};
  double *corners = TRMI_TAKE(arena, double, 4 * room), *inner = corners + 2 * room;
  if (arena->failed || !check_sizes(def, fault)) return false;
  trmi_section_outline outline = {.nloops = 1, .count = {4, 4}, .corners = {corners, inner}};
  switch (def->shape) {
  case TRMI_SECTION_RECTANGLE: make_rectangle(def->size, out); return true;
  case TRMI_SECTION_ELLIPSE: make_ellipse(def->size, out); return true;
  case TRMI_SECTION_TUBE: make_tube(def->size, out); return true;
  case TRMI_SECTION_BOX: outline_box(def->size, corners, inner), outline.nloops = 2; break;
  case TRMI_SECTION_I: outline.count[0] = outline_I(def->size, corners); break;
  case TRMI_SECTION_CHANNEL: outline.count[0] = outline_channel(def->size, corners); break;
  case TRMI_SECTION_POLYGON:
    if (!outline_polygon(def, corners, fault)) return false;
    outline.count[0] = def->ncorners;
  }
  return trmi_section_solve(&outline, arena, out);
}

/* ---- use ------------------------------------------------------------------------------------- */

/* Shear acts at the shear centre: strain there is (Gamma_y - kappa_x z, Gamma_z + kappa_x y). */
void trmi_section_stiffness(const trmi_section *s, double E, double G, double D[36]) {
  const double at[3][2] = {{1.0, 0.0}, {0.0, 1.0}, {-s->centre[1], s->centre[0]}};
  const double *A = s->sheared;
  for (int k = 0; k < SECTION_SIZE * SECTION_SIZE; k++) D[k] = 0.0;
  D[0] = E * s->area;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      D[6 * (i + 1) + k + 1] = G * (at[i][0] * (A[0] * at[k][0] + A[2] * at[k][1]) +
                                    at[i][1] * (A[2] * at[k][0] + A[1] * at[k][1]));
    }
  }
  D[21] += G * s->J;
  D[28] = E * s->Iy;
  D[35] = E * s->Iz;
  D[29] = D[34] = -E * s->Iyz;
}

void trmi_section_stress(const trmi_section *s, int point, const double loads[6],
                         double stress[3]) {
  const trmi_section_point *p = &s->points[point];
  const double det = s->Iy * s->Iz - s->Iyz * s->Iyz, My = loads[4], Mz = loads[5];
  const double torque = loads[3] - s->centre[0] * loads[2] + s->centre[1] * loads[1];
  const double unit[3] = {torque, loads[1], loads[2]};
  stress[0] = loads[0] / s->area + ((s->Iz * My + s->Iyz * Mz) * p->z -
                                    (s->Iy * Mz + s->Iyz * My) * p->y) / det;
  for (int i = 0; i < 2; i++) {
    stress[i + 1] = 0.0;
    for (int k = 0; k < 3; k++) stress[i + 1] += unit[k] * p->shear[k][i];
  }
}
