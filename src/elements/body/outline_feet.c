/* outline_feet.c - features of an outline that meet other shapes: corners, straight sides, rims,
 * hollow arcs.
 *
 * A rim is a run of successive arcs r > 0 without a corner. With its chord it encloses a convex
 * part of the interior, unless the outline has a hollow behind the arcs: then the chord is not
 * inside, and the run is divided until it is,
 *   d(a + s (b - a)) <= 0,   0 < s < 1                                                    (1)
 * so that no contact occurs without material. An outline of arcs alone is one rim. A convex part
 * has one point nearest to another convex body, and its motion is continuous even where arcs of
 * different radii meet (core_solid.c). A hollow arc r < 0 is the border of a layer of the thickness
 * |r|/50, or less where the inside is thinner. */
#include "elements/body/outline.h"
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double straight = 1e-3; /* smaller angles are not corners [rad] */
enum { SAMPLES = 32, DIVISIONS = 5 };

/* Successive arcs, or a part of one. */
typedef struct run {
  int    first, count;
  double from, to; /* of its only arc, 0 to 1 */
  int    divided;  /* number of divisions     */
} run;

static const trmi_outline_piece *piece_of(const trmi_outline *o, int i) {
  return &o->pieces[(i + o->count) % o->count];
}

static double turned(const double m[2], const double n[2]) {
  return atan2(m[0] * n[1] - m[1] * n[0], m[0] * n[0] + m[1] * n[1]);
}

/* Angle by which an arc turns to the left. */
static double turn_of(const trmi_outline_piece *p) {
  const double by = turned(p->normal[0], p->normal[1]), sign = p->radius > 0.0 ? 1.0 : -1.0;
  return by * sign > 0.0 ? by : by + 2.0 * pi * sign;
}

/* Angle of the corner at which piece i begins. */
static double corner_angle(const trmi_outline *o, int i) {
  return turned(piece_of(o, i - 1)->normal[1], piece_of(o, i)->normal[0]);
}

static bool is_corner(const trmi_outline *o, int i) {
  return corner_angle(o, i) > straight;
}

/* Does piece i continue the rim of the previous one? */
static bool goes_on(const trmi_outline *o, int i) {
  return piece_of(o, i)->radius > 0.0 && piece_of(o, i - 1)->radius > 0.0 && !is_corner(o, i);
}

/* ---- runs ----------------------------------------------------------------------------------- */

/* The part of an arc between two fractions of its angle. */
static trmi_outline_piece part_of(const trmi_outline_piece *p, double from, double to) {
  const double first = atan2(p->normal[0][1], p->normal[0][0]);
  const double all = turn_of(p);
  trmi_outline_piece out = *p;
  for (int k = 0; k < 2; k++) {
    const double angle = first + (k == 0 ? from : to) * all;
    double *end = k == 0 ? out.a : out.b;
    if ((k == 0 ? from : to) == (double)k) continue; /* its own end */
    out.normal[k][0] = cos(angle), out.normal[k][1] = sin(angle);
    for (int i = 0; i < 2; i++) end[i] = p->centre[i] + p->radius * out.normal[k][i];
  }
  return out;
}

void trmi_outline_place(const trmi_outline_piece *arc, double part, double at[2]) {
  const trmi_outline_piece rest = part_of(arc, part, 1.0);
  memcpy(at, rest.a, sizeof rest.a);
}

static trmi_outline_piece run_piece(const trmi_outline *o, const run *r, int i) {
  return part_of(piece_of(o, r->first + i), r->from, r->to);
}

static trmi_outline_piece line_between(const double a[2], const double b[2]) {
  const double way[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(way[0], way[1]);
  trmi_outline_piece out = {.a = {a[0], a[1]}, .b = {b[0], b[1]}};
  for (int k = 0; k < 2; k++) {
    out.normal[k][0] = way[1] / length, out.normal[k][1] = -way[0] / length;
    out.centre[k] = 0.5 * (a[k] + b[k]);
  }
  return out;
}

static trmi_outline_piece chord_of(const trmi_outline *o, const run *r) {
  const trmi_outline_piece first = run_piece(o, r, 0), last = run_piece(o, r, r->count - 1);
  return line_between(last.b, first.a);
}

/* Is the run with its chord convex, and (1)? */
static bool is_whole(const trmi_outline *o, const run *r) {
  const trmi_outline_piece chord = chord_of(o, r), first = run_piece(o, r, 0);
  const trmi_outline_piece last = run_piece(o, r, r->count - 1);
  const double corners[2] = {turned(last.normal[1], chord.normal[0]),
                             turned(chord.normal[1], first.normal[0])};
  double turn = corners[0] + corners[1];
  for (int i = 0; i < r->count; i++) {
    const trmi_outline_piece p = run_piece(o, r, i);
    turn += turn_of(&p);
  }
  if (!(corners[0] > 0.0 && corners[1] > 0.0 && fabs(turn - 2.0 * pi) < 0.1)) return false;
  for (int i = 1; i < SAMPLES; i++) {
    const double s = (double)i / SAMPLES;
    const double at[2] = {chord.a[0] + s * (chord.b[0] - chord.a[0]),
                          chord.a[1] + s * (chord.b[1] - chord.a[1])};
    if (trmi_outline_nearest(o, at).d > 1e-9 * o->reach) return false;
  }
  return true;
}

/* A region of `count` pieces becomes a rim, relative to its centre of area. */
static void set_rim(trmi_outline_piece *pieces, int count, trmi_outline_rim *out) {
  trmi_outline *region = &out->region;
  *region = (trmi_outline){.pieces = pieces, .count = count, .hollow = INFINITY, .copies = 1};
  const trmi_vec3 centre = trmi_volume_outline(region, 1.0).centre;
  out->middle[0] = centre.x, out->middle[1] = centre.y;
  for (int i = 0; i < count; i++) {
    trmi_outline_piece *p = &pieces[i];
    for (int k = 0; k < 2; k++) {
      p->a[k] -= out->middle[k], p->b[k] -= out->middle[k], p->centre[k] -= out->middle[k];
    }
    for (int k = 0; k <= 8; k++) {
      const trmi_outline_piece part = p->radius != 0.0 ? part_of(p, 0.125 * k, 1.0) : *p;
      region->reach = fmax(region->reach, hypot(part.a[0], part.a[1]));
    }
  }
}

/* Add the rims of a run, or only count them if there is no array. */
static bool add_run(const trmi_outline *o, run r, trmi_arena *arena, trmi_outline_feet *feet) {
  if (!is_whole(o, &r) && r.divided < DIVISIONS) {
    run low = r, high = r;
    low.divided = high.divided = r.divided + (r.count == 1);
    if (r.count > 1) low.count = r.count / 2, high.first += low.count, high.count -= low.count;
    else low.to = high.from = 0.5 * (r.from + r.to);
    return add_run(o, low, arena, feet) && add_run(o, high, arena, feet);
  }
  const int number = feet->nrims++;
  if (feet->rims == NULL) return true;
  trmi_outline_piece *pieces = TRMI_TAKE(arena, trmi_outline_piece, r.count + 1);
  if (pieces == NULL) return false;
  for (int i = 0; i < r.count; i++) pieces[i] = run_piece(o, &r, i);
  pieces[r.count] = chord_of(o, &r);
  set_rim(pieces, r.count + 1, &feet->rims[number]);
  return true;
}

/* The whole interior. */
static bool set_all(const trmi_outline *o, trmi_arena *arena, trmi_outline_rim *out) {
  trmi_outline_piece *pieces = TRMI_TAKE(arena, trmi_outline_piece, o->count);
  if (pieces == NULL) return false;
  memcpy(pieces, o->pieces, (size_t)o->count * sizeof *pieces);
  set_rim(pieces, o->count, out);
  return true;
}

/* The other side of a layer behind a hollow arc, from its end to its beginning. */
static trmi_outline_piece back_of(const trmi_outline_piece *p, double thick) {
  trmi_outline_piece out = {.radius = thick - p->radius, .centre = {p->centre[0], p->centre[1]}};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++) out.normal[k][i] = -p->normal[1 - k][i];
  }
  for (int i = 0; i < 2; i++) {
    out.a[i] = p->b[i] + thick * out.normal[0][i], out.b[i] = p->a[i] + thick * out.normal[1][i];
  }
  return out;
}

static bool is_behind(const trmi_outline *o, const trmi_outline_piece *back) {
  for (int i = 1; i < SAMPLES; i++) {
    const trmi_outline_piece part = part_of(back, (double)i / SAMPLES, 1.0);
    if (trmi_outline_nearest(o, part.a).d > 0.0) return false;
  }
  return true;
}

static bool set_hollow(const trmi_outline *o, const trmi_outline_piece *p, trmi_arena *arena,
                       trmi_outline_rim *out) {
  trmi_outline_piece *pieces = TRMI_TAKE(arena, trmi_outline_piece, 4);
  if (pieces == NULL) return false;
  double thick = -0.02 * p->radius;
  pieces[2] = back_of(p, thick);
  for (int k = 0; k < 10 && !is_behind(o, &pieces[2]); k++) pieces[2] = back_of(p, thick *= 0.5);
  pieces[0] = *p;
  pieces[1] = line_between(p->b, pieces[2].a);
  pieces[3] = line_between(pieces[2].b, p->a);
  set_rim(pieces, 4, out);
  return true;
}

static bool add_rims(const trmi_outline *o, trmi_arena *arena, trmi_outline_feet *feet) {
  int begun = -1;
  feet->nrims = 0;
  for (int i = 0; i < o->count && begun < 0; i++) begun = goes_on(o, i) ? -1 : i;
  if (begun < 0) {
    feet->nrims = 1;
    return feet->rims == NULL || set_all(o, arena, &feet->rims[0]);
  }
  for (int i = 0, next; i < o->count; i = next) {
    const int first = begun + i;
    for (next = i + 1; next < o->count && goes_on(o, begun + next);) next++;
    const run r = {.first = first, .count = next - i, .to = 1.0};
    if (piece_of(o, first)->radius > 0.0 && !add_run(o, r, arena, feet)) return false;
  }
  return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void add_side(const trmi_outline_piece *p, trmi_outline_side *out) {
  const double way[2] = {p->b[0] - p->a[0], p->b[1] - p->a[1]}, length = hypot(way[0], way[1]);
  out->half = 0.5 * length;
  for (int k = 0; k < 2; k++) {
    out->middle[k] = 0.5 * (p->a[k] + p->b[k]);
    out->along[k] = way[k] / length;
  }
}

bool trmi_outline_find_feet(trmi_outline *o, trmi_arena *arena) {
  trmi_outline_feet *feet = TRMI_TAKE(arena, trmi_outline_feet, 1);
  if (feet == NULL) return false;
  *feet = (trmi_outline_feet){.ncorners = 0};
  (void)add_rims(o, arena, feet); /* counts them */
  for (int i = 0; i < o->count; i++) {
    const double r = piece_of(o, i)->radius;
    feet->ncorners += is_corner(o, i), feet->nsides += r == 0.0, feet->nhollows += r < 0.0;
  }
  feet->rims = TRMI_TAKE(arena, trmi_outline_rim, feet->nrims);
  feet->corners = (double (*)[2])TRMI_TAKE(arena, double, 2 * (size_t)feet->ncorners);
  feet->sides = TRMI_TAKE(arena, trmi_outline_side, feet->nsides);
  feet->hollows = TRMI_TAKE(arena, trmi_outline_rim, feet->nhollows);
  if (arena->failed || !set_all(o, arena, &feet->all)) return false;
  if (feet->nrims > 0 && !add_rims(o, arena, feet)) return false;
  feet->ncorners = feet->nsides = feet->nhollows = 0;
  for (int i = 0; i < o->count; i++) {
    const trmi_outline_piece *p = piece_of(o, i);
    if (is_corner(o, i)) memcpy(feet->corners[feet->ncorners++], p->a, sizeof p->a);
    if (p->radius == 0.0) add_side(p, &feet->sides[feet->nsides++]);
    if (p->radius >= 0.0) continue;
    if (!set_hollow(o, p, arena, &feet->hollows[feet->nhollows++])) return false;
  }
  o->feet = feet;
  return true;
}
