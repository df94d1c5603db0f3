/* outline_nearest.c - distance of a point from an outline in its plane, inside negative.
 *
 * The nearest of all pieces counts. With the outward normal n of a line, u = p - centre of an arc
 * of radius r and rho = |u|, v a corner:
 *   line:    d = n.(p - a),            H = 0                                              (1)
 *   arc:     d = +-(rho - |r|), n = +-u/rho, H = +-(1 - u u^T/rho^2)/rho, - where r < 0     (2)
 *   corner:  d = +-|p - v|,     n = (p - v)/d, H = (1 - n n^T)/d                           (3)
 * each if its foot belongs to the piece; a corner has the sign of (p - v).(n_1 + n_2) of its sides.
 * Hollow corners are rejected (outline.c), so outside the normal does not jump except where two
 * pieces are equally distant: in the middle of a slot wider than the body in it. Theory:
 * docs/theory/15-contact.md, section 4. */
#include "elements/body/outline.h"

static double dot2(const double a[2], const double b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

static double cross2(const double a[2], const double b[2]) {
  return a[0] * b[1] - a[1] * b[0];
}

/* A normal u/length whose direction changes with `bend`. */
static trmi_outline_near made(double d, const double u[2], double length, double bend) {
  const double n[2] = {u[0] / length, u[1] / length};
  return (trmi_outline_near){.d = d, .n = {n[0], n[1]},
                .H = {bend * n[1] * n[1], -bend * n[0] * n[1], bend * n[0] * n[0]}};
}

/* (1), (2); false: the foot of p is not on the piece. */
static bool from_piece(const trmi_outline_piece *s, const double p[2], trmi_outline_near *out) {
  const double slack = 1e-12;
  if (s->radius == 0.0) {
    const double from[2] = {p[0] - s->a[0], p[1] - s->a[1]};
    const double chord[2] = {s->b[0] - s->a[0], s->b[1] - s->a[1]}, square = dot2(chord, chord);
    const double along = dot2(from, chord);
    if (along < -slack * square || along > (1.0 + slack) * square) return false;
    *out = made(dot2(from, s->normal[0]), s->normal[0], 1.0, 0.0);
    return true;
  }
  const double sign = s->radius > 0.0 ? 1.0 : -1.0;
  const double u[2] = {p[0] - s->centre[0], p[1] - s->centre[1]};
  const double first[2] = {s->a[0] - s->centre[0], s->a[1] - s->centre[1]};
  const double last[2] = {s->b[0] - s->centre[0], s->b[1] - s->centre[1]};
  const double before = sign * cross2(first, u), behind = sign * cross2(u, last);
  const double surely = -slack * (fabs(u[0]) + fabs(u[1])) * fabs(s->radius); /* below `least` */
  if (before < 2.0 * surely || behind < 2.0 * surely) return false; /* rejects most pieces
                                                                       without a square root */
  const double rho = hypot(u[0], u[1]), least = -slack * rho * fabs(s->radius);
  if (!(rho > 0.0) || before < least || behind < least) return false;
  const double turned[2] = {sign * u[0], sign * u[1]};
  *out = made(sign * (rho - fabs(s->radius)), turned, rho, sign / rho);
  return true;
}

/* (3) for the point at which a piece begins */
static trmi_outline_near from_corner(const trmi_outline_piece *last, const trmi_outline_piece *s,
                        const double p[2]) {
  const double u[2] = {p[0] - s->a[0], p[1] - s->a[1]}, length = hypot(u[0], u[1]);
  const double sum[2] = {last->normal[1][0] + s->normal[0][0],
                         last->normal[1][1] + s->normal[0][1]};
  const double sign = dot2(u, sum) < 0.0 ? -1.0 : 1.0;
  if (!(length > 0.0)) return made(0.0, s->normal[0], 1.0, 0.0);
  const double turned[2] = {sign * u[0], sign * u[1]};
  return made(sign * length, turned, length, sign / length);
}

/* The pieces that may be nearest to p: all, or five of many copies ((4) of outline.c). */
static int choose_pieces(const trmi_outline *o, const double p[2], int *count) {
  *count = o->count;
  if (o->copies <= 5) return 0;
  const double part = 2.0 * 3.14159265358979323846 / o->copies;
  const int own = (int)floor((atan2(p[1], p[0]) - o->first) / part);
  const int from = ((own - 2) % o->copies + o->copies) % o->copies;
  *count = 5 * (o->count / o->copies);
  return from * (o->count / o->copies);
}

trmi_outline_near trmi_outline_nearest(const trmi_outline *o, const double p[2]) {
  trmi_outline_near best = {.d = INFINITY};
  int count;
  const int from = choose_pieces(o, p, &count);
  for (int k = 0; k < count; k++) {
    const int i = from + k < o->count ? from + k : from + k - o->count;
    const trmi_outline_piece *s = &o->pieces[i], *last = &o->pieces[i > 0 ? i - 1 : o->count - 1];
    const double u[2] = {p[0] - s->a[0], p[1] - s->a[1]};
    trmi_outline_near side;
    if (dot2(u, u) <= best.d * best.d * (1.0 + 1e-12)) { /* otherwise it is farther; no square
                                                            root needed */
      const trmi_outline_near corner = from_corner(last, s, p);
      if (fabs(corner.d) < fabs(best.d)) best = corner, best.piece = i;
    }
    if (from_piece(s, p, &side) && fabs(side.d) <= fabs(best.d)) best = side, best.piece = i;
  }
  return best;
}
