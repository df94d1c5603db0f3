/* outline.c - closed lines of straight pieces and arcs.
 *
 * A piece from a to b has the chord c = b - a of length L, t = c/L and the outward normal of the
 * chord m = (t_y, -t_x). The centre of an arc of radius r > 0 lies inside, of r < 0 outside:
 *   centre = (a + b)/2 -+ m sqrt(r^2 - L^2/4),   turn = +-2 asin(L/(2 |r|)) <= pi           (1)
 * The normals of an arc are (p - centre)/r. All turns of pieces and corners make 2 pi unless the
 * outline crosses itself. By Green's theorem, summed over the pieces with five Gauss points:
 *   A = int x dy,   S_x = int x^2/2 dy,   S_y = -int y^2/2 dx                               (2)
 *   S_xx = int x^3/3 dy,   S_yy = -int y^3/3 dx,   S_xy = int x^2 y/2 dy
 * Extruded by h: V = A h, S_zz = A h^3/12, J_xx = h S_yy + S_zz .. about the centre of area.  (3)
 * Arcs are divided into eight parts, which leaves only rounding. With copies around the origin, the
 * nearest point to p is within half of 2 pi/copies of its angle, since rotating q to the next copy
 * reduces
 *   |p - q|^2 = |p|^2 + |q|^2 - 2 |p| |q| cos(angle)                                       (4) */
#include "elements/body/outline.h"
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double sharpest = -1e-3; /* angle from which a corner counts as hollow [rad] */

static double cross2(const double a[2], const double b[2]) {
  return a[0] * b[1] - a[1] * b[0];
}

/* ---- pieces --------------------------------------------------------------------------------- */

/* Area of the polygon through the points. */
static double polygon_area(const double *rows, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += cross2(rows + 3 * i, rows + 3 * ((i + 1) % count));
  return 0.5 * sum;
}

/* (1); false: there is no such piece */
static bool make_piece(const double a[2], const double b[2], double r, trmi_outline_piece *p) {
  *p = (trmi_outline_piece){.a = {a[0], a[1]}, .b = {b[0], b[1]}, .radius = r};
  const double c[2] = {b[0] - a[0], b[1] - a[1]}, L = hypot(c[0], c[1]);
  const double square = r * r - 0.25 * L * L;
  if (!(L > 0.0) || (r != 0.0 && square < -1e-9 * r * r)) return false;
  const double m[2] = {c[1] / L, -c[0] / L};
  const double depth = (r > 0.0 ? -1.0 : 1.0) * sqrt(fmax(square, 0.0));
  for (int k = 0; k < 2; k++) {
    p->centre[k] = 0.5 * (a[k] + b[k]) + depth * m[k];
    p->normal[0][k] = r == 0.0 ? m[k] : (a[k] - p->centre[k]) / r;
    p->normal[1][k] = r == 0.0 ? m[k] : (b[k] - p->centre[k]) / r;
  }
  return true;
}

/* Angle by which a piece turns to the left. */
static double turn_of(const trmi_outline_piece *p) {
  if (p->radius == 0.0) return 0.0;
  const double half = 0.5 * hypot(p->b[0] - p->a[0], p->b[1] - p->a[1]) / fabs(p->radius);
  return (p->radius > 0.0 ? 2.0 : -2.0) * asin(fmin(half, 1.0));
}

static bool check_corners(const trmi_outline *o, bool is_reversed,
                          char fault[TRMI_OUTLINE_FAULT]) {
  double sum = 0.0;
  for (int i = 0; i < o->count; i++) {
    const trmi_outline_piece *p = &o->pieces[i], *last = &o->pieces[(i + o->count - 1) % o->count];
    const double *m = last->normal[1], *n = p->normal[0];
    const double angle = atan2(cross2(m, n), m[0] * n[0] + m[1] * n[1]);
    sum += angle + turn_of(p);
    if (angle > sharpest) continue;
    const int number = is_reversed ? o->count - i : i + 1;
    snprintf(fault, TRMI_OUTLINE_FAULT, "point %d of its outline is a hollow corner, in which two "
             "sides would touch at once: join them by an arc with a negative radius", number);
    return false;
  }
  if (fabs(sum - 2.0 * pi) < 1e-3) return true;
  snprintf(fault, TRMI_OUTLINE_FAULT, "its outline crosses itself: its pieces turn by %g in all, "
           "not by 2 pi", sum);
  return false;
}

void trmi_outline_copy(const double *rows, int count, int copies, double *all) {
  for (int k = 0; k < copies; k++) {
    const double c = cos(2.0 * pi * k / copies), s = sin(2.0 * pi * k / copies);
    for (int i = 0; i < count; i++) {
      const double *from = rows + 3 * i;
      double *to = all + 3 * (k * count + i);
      to[0] = k > 0 ? c * from[0] - s * from[1] : from[0];
      to[1] = k > 0 ? s * from[0] + c * from[1] : from[1];
      to[2] = from[2];
    }
  }
}

/* Does one copy stay within the angles of its neighbours? Then the nearest piece of a point belongs
 * to its own copy or to one of the two next to it on either side, (4). */
static bool is_narrow(const trmi_outline *o) {
  const double part = 2.0 * pi / o->copies;
  for (int i = 0; i < o->count / o->copies; i++) {
    const trmi_outline_piece *p = &o->pieces[i];
    const double far = hypot(p->centre[0], p->centre[1]), r = fabs(p->radius);
    const double wide = r == 0.0 ? 0.0 : r < far ? asin(r / far) : 2.0 * pi;
    const double *at = r == 0.0 ? p->a : p->centre;
    const double angle = remainder(atan2(at[1], at[0]) - o->first - 0.5 * part, 2.0 * pi);
    if (!(fabs(angle) + wide < 1.5 * part)) return false;
  }
  return true;
}

bool trmi_outline_make(const double *rows, int count, int copies, trmi_outline_piece *pieces,
                       trmi_outline *out, char fault[TRMI_OUTLINE_FAULT]) {
  const bool is_reversed = polygon_area(rows, count) < 0.0;
  *out = (trmi_outline){.pieces = pieces, .count = count, .hollow = INFINITY, .copies = copies};
  for (int i = 0; i < count; i++) {
    /* in reverse order the arc of a point is that of the previous one */
    const int from = is_reversed ? count - 1 - i : i;
    const int to = (from + (is_reversed ? count - 1 : 1)) % count;
    const double r = rows[3 * (is_reversed ? to : from) + 2];
    if (!make_piece(rows + 3 * from, rows + 3 * to, r, &pieces[i])) {
      const char *what = r == 0.0 ? "the same"
                                  : "farther from each other than an arc of that radius reaches";
      snprintf(fault, TRMI_OUTLINE_FAULT, "points %d and %d of its outline are %s", from + 1,
               to + 1, what);
      return false;
    }
    const double far = hypot(pieces[i].centre[0], pieces[i].centre[1]) + fmax(r, 0.0);
    out->reach = fmax(out->reach, hypot(rows[3 * from], rows[3 * from + 1]));
    if (r > 0.0) out->reach = fmax(out->reach, far);
    if (r < 0.0) out->hollow = fmin(out->hollow, -r);
  }
  out->first = atan2(pieces[0].a[1], pieces[0].a[0]);
  if (copies > 1 && !is_narrow(out)) out->copies = 1;
  return check_corners(out, is_reversed, fault);
}

/* ---- volume --------------------------------------------------------------------------------- */

/* Sums of (2) over the part of a piece between s0 and s1 of its length. */
static void add_integrals(const trmi_outline_piece *p, double s0, double s1, double sum[6]) {
  static const double at[5] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                               0.9061798459386640};
  static const double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                   0.4786286704993665, 0.2369268850561891};
  const double turn = turn_of(p), r = fabs(p->radius);
  const double first = atan2(p->a[1] - p->centre[1], p->a[0] - p->centre[0]);
  for (int i = 0; i < 5; i++) {
    const double s = 0.5 * (s0 + s1 + at[i] * (s1 - s0)), w = 0.5 * weight[i] * (s1 - s0);
    const double angle = first + s * turn, dx = p->b[0] - p->a[0], dy = p->b[1] - p->a[1];
    const bool is_line = p->radius == 0.0;
    const double x = is_line ? p->a[0] + s * dx : p->centre[0] + r * cos(angle);
    const double y = is_line ? p->a[1] + s * dy : p->centre[1] + r * sin(angle);
    const double wx = w * (is_line ? dx : -r * turn * sin(angle));
    const double wy = w * (is_line ? dy : r * turn * cos(angle));
    sum[0] += x * wy;
    sum[1] += 0.5 * x * x * wy, sum[2] -= 0.5 * y * y * wx;
    sum[3] += x * x * x / 3.0 * wy, sum[4] -= y * y * y / 3.0 * wx, sum[5] += 0.5 * x * x * y * wy;
  }
}

trmi_volume trmi_volume_outline(const trmi_outline *outline, double height) {
  double s[6] = {0.0};
  for (int i = 0; i < outline->count; i++) {
    const trmi_outline_piece *p = &outline->pieces[i];
    const int parts = p->radius == 0.0 ? 1 : 8;
    for (int k = 0; k < parts; k++) {
      add_integrals(p, (double)k / parts, (double)(k + 1) / parts, s);
    }
  }
  const double A = s[0], V = A * height, x = s[1] / A, y = s[2] / A;
  const double xx = height * (s[3] - A * x * x), yy = height * (s[4] - A * y * y);
  const double xy = height * (s[5] - A * x * y), zz = V * height * height / 12.0;
  return (trmi_volume){.volume = V, .centre = v3(x, y, 0.0), /* (3) */
                       .J = {yy + zz, -xy, 0.0, -xy, xx + zz, 0.0, 0.0, 0.0, xx + yy}};
}
