/* profile_feet.c - feet of a profile against the cores of other shapes.
 *
 * Its corners at both ends are points. Its rims at both ends, convex parts of its two faces bounded
 * by arcs (body/outline_feet.c), touch with their nearest place, so it rolls on its arcs without
 * facets and lies on its faces. Where the other shape has edges, all of each rim and straight side
 * touch with their nearest place as well: that is where edges cross. The other shape
 * meets the distance from the profile with its own corners, and hollow arcs at both ends of the
 * profile with each of its edges: the distance of a straight line from the middle of an arc is
 * largest at an end, its own or that of the profile. A capsule that is not along the profile is one
 * edge with two corners. A cylinder has two rims, which may touch a profile without hollow arcs.
 * Both touch the four edges of a side and not its interior, where they would have only a single
 * point of contact. Ellipsoids have no corners, and curve into the profile, whose distance has
 * edges: they touch only rims, hollow arcs, sides and both faces. Against planes and terrains,
 * which have no radius, rims bulge by 2.5e-5 of their size, against others by 5e-4 of the radii
 * ((1) of core_solid.c).
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/profile_feet.h"
#include <string.h>

static bool is_of(const trmi_contact_shape *s, trmi_core_kind kind) {
  return s->core.kind == kind;
}

/* Capsules and cylinders. */
static bool is_long(const trmi_contact_shape *s) {
  return is_of(s, TRMI_CORE_SEGMENT) || is_of(s, TRMI_CORE_CYLINDER);
}

bool trmi_profile_meets(const trmi_contact_shape *profile, const trmi_contact_shape *other) {
  if (!is_of(profile, TRMI_CORE_PROFILE)) return false;
  if (is_long(other)) return !trmi_contact_shape_is_along(other, profile);
  return trmi_contact_shape_is_endless(other) || is_of(other, TRMI_CORE_BOX) ||
         is_of(other, TRMI_CORE_ELLIPSOID) || is_of(other, TRMI_CORE_SURFACE);
}

/* The largest size of a rim. */
static double widest_rim(const trmi_outline_feet *feet) {
  double most = 0.0;
  for (int i = 0; i < feet->nrims; i++) most = fmax(most, feet->rims[i].region.reach);
  return most;
}

bool trmi_profile_fits(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                       bool *are_sharp) {
  const trmi_outline *outline = profile->core.outline;
  *are_sharp = false;
  if (is_of(other, TRMI_CORE_PLANE)) return true;
  if (is_of(other, TRMI_CORE_TERRAIN)) {
    return widest_rim(outline->feet) < other->core.terrain->hollow;
  }
  if (is_of(other, TRMI_CORE_ELLIPSOID)) {
    return trmi_contact_shape_widest(other) < outline->hollow;
  }
  *are_sharp = !(other->core.radius > 0.0);
  if (is_of(other, TRMI_CORE_CYLINDER)) return !*are_sharp && !(outline->hollow < INFINITY);
  return !*are_sharp && other->core.radius < outline->hollow;
}

/* Number of feet of each kind, in their order: corners and rims at both ends, all of rims and
 * hollow arcs, these at both ends, sides, these at both ends, edges along the axis, faces. */
enum { CORNERS, ENDS, RIMS, HOLLOWS, HOLLOW_ENDS, SIDES, SIDE_ENDS, EDGES, FACES, KINDS };

static void count_feet(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                       int count[KINDS]) {
  const trmi_outline_feet *feet = profile->core.outline->feet;
  const bool is_round = is_of(other, TRMI_CORE_ELLIPSOID);
  const bool has_all = !trmi_contact_shape_is_endless(other);
  count[CORNERS] = is_round || is_long(other) ? 0 : 2 * feet->ncorners;
  count[ENDS] = is_round ? 0 : 2 * feet->nrims;
  count[RIMS] = has_all ? feet->nrims : 0;
  count[HOLLOWS] = is_round ? feet->nhollows : 0;
  count[HOLLOW_ENDS] = trmi_contact_shape_has_edges(other) ? 2 * feet->nhollows : 0;
  count[SIDES] = has_all && !is_long(other) ? feet->nsides : 0;
  count[SIDE_ENDS] = is_long(other) ? 2 * feet->nsides : 0;
  count[EDGES] = is_long(other) ? feet->ncorners : 0;
  count[FACES] = is_round ? 2 : 0;
}

int trmi_profile_feet(const trmi_contact_shape *profile, const trmi_contact_shape *other) {
  int count[KINDS], sum = 0;
  count_feet(profile, other, count);
  for (int k = 0; k < KINDS; k++) sum += count[k];
  return sum;
}

bool trmi_profile_is_hollow_end(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                                int i) {
  int count[KINDS], first = 0;
  count_feet(profile, other, count);
  for (int k = 0; k < HOLLOW_ENDS; k++) first += count[k];
  return i >= first && i < first + count[HOLLOW_ENDS];
}

/* A solid with its own axes x and the same z; bulge: of its size. */
static void make_solid(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                       const double along[2], trmi_touch_point *p) {
  const double *E = profile->E, size = v3_norm(v3_load(p->own));
  for (int k = 0; k < 3; k++) {
    p->F[k] = along[0] * E[k] + along[1] * E[3 + k];
    p->F[3 + k] = along[0] * E[3 + k] - along[1] * E[k];
    p->F[6 + k] = E[6 + k];
  }
  p->room = trmi_contact_shape_room(profile, other);
  const double room = trmi_contact_shape_is_endless(other) ? 0.05 * size : p->room;
  p->bulge = 1e-3 * room / (size * size);
}

/* A rim at an end, -1 or 1; 0: all of it. */
static void rim_foot(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                     const int bodies[2], const trmi_outline_rim *rim, int end,
                     trmi_touch_point *p) {
  static const double x[2] = {1.0, 0.0};
  const double half = profile->core.size[2], reach = rim->region.reach;
  trmi_contact_shape_point(profile, other, bodies,
                           v3(rim->middle[0], rim->middle[1], end * half), p);
  p->solid = TRMI_SOLID_RIM, p->region = &rim->region;
  p->own[0] = p->own[1] = reach, p->own[2] = end == 0 ? half : 0.0;
  p->rolling += reach;
  make_solid(profile, other, x, p);
}

/* A side at an end, -1 or 1; 0: all of it. */
static void side_foot(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                      const int bodies[2], const trmi_outline_side *side, int end,
                      trmi_touch_point *p) {
  const double half = profile->core.size[2];
  trmi_contact_shape_point(profile, other, bodies,
                           v3(side->middle[0], side->middle[1], end * half), p);
  p->solid = TRMI_SOLID_BOX;
  p->own[0] = side->half, p->own[2] = end == 0 ? half : 0.0;
  make_solid(profile, other, side->along, p);
}

/* From corner to corner, along the axis. */
static void edge_foot(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                      const int bodies[2], const double at[2], trmi_touch_point *p) {
  const trmi_outline_side none = {.middle = {at[0], at[1]}, .along = {1.0, 0.0}};
  side_foot(profile, other, bodies, &none, 0, p);
}

static void corner_foot(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                        const int bodies[2], const double at[2], int end, trmi_touch_point *p) {
  trmi_contact_shape_point(profile, other, bodies, v3(at[0], at[1], end * profile->core.size[2]),
                           p);
}

void trmi_profile_foot(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                       const int bodies[2], int i, trmi_touch_point *p) {
  const trmi_outline_feet *feet = profile->core.outline->feet;
  int count[KINDS], kind = 0;
  count_feet(profile, other, count);
  for (; i >= count[kind]; kind++) i -= count[kind];
  const int end = i % 2 == 0 ? -1 : 1;
  switch (kind) {
  case CORNERS: corner_foot(profile, other, bodies, feet->corners[i / 2], end, p); break;
  case ENDS: rim_foot(profile, other, bodies, &feet->rims[i / 2], end, p); break;
  case RIMS: rim_foot(profile, other, bodies, &feet->rims[i], 0, p); break;
  case HOLLOWS: rim_foot(profile, other, bodies, &feet->hollows[i], 0, p); break;
  case HOLLOW_ENDS: rim_foot(profile, other, bodies, &feet->hollows[i / 2], end, p); break;
  case SIDES: side_foot(profile, other, bodies, &feet->sides[i], 0, p); break;
  case SIDE_ENDS: side_foot(profile, other, bodies, &feet->sides[i / 2], end, p); break;
  case EDGES: edge_foot(profile, other, bodies, feet->corners[i], p); break;
  default: rim_foot(profile, other, bodies, &feet->all, end, p); break;
  }
}
