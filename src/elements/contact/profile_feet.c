/* profile_feet.c - feet of a profile against the cores of other shapes.
 *
 * Its corners at both ends are points. Its rims at both ends, convex parts of its two faces bounded
 * by arcs (body/outline_feet.c), touch with their nearest place, so it rolls on its arcs without
 * facets and lies on its faces. Where the other shape has edges or bends, all of each rim and each
 * straight side touch with their nearest place as well: that is where edges cross. The other shape
 * meets the distance from the profile with its own corners, ends and rims.
 * Against planes and terrains, which have no radius, rims bulge by 2.5e-5 of their size, against
 * others by 5e-4 of the radii ((1) of core_solid.c).
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/profile_feet.h"
#include <string.h>

static bool is_of(const trmi_contact_shape *s, trmi_core_kind kind) {
  return s->core.kind == kind;
}

/* Half spaces and what is like them. */
static bool is_endless(const trmi_contact_shape *s) {
  return is_of(s, TRMI_CORE_PLANE) || is_of(s, TRMI_CORE_TERRAIN);
}

bool trmi_profile_meets(const trmi_contact_shape *profile, const trmi_contact_shape *other) {
  return is_of(profile, TRMI_CORE_PROFILE) &&
         (is_endless(other) || is_of(other, TRMI_CORE_BOX) || is_of(other, TRMI_CORE_ELLIPSOID) ||
          is_of(other, TRMI_CORE_SURFACE));
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
  return !*are_sharp && other->core.radius < outline->hollow;
}

int trmi_profile_feet(const trmi_contact_shape *profile, const trmi_contact_shape *other) {
  const trmi_outline_feet *feet = profile->core.outline->feet;
  const int ends = 2 * (feet->ncorners + feet->nrims);
  return is_endless(other) ? ends : ends + feet->nrims + feet->nsides;
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
  const double room = is_endless(other) ? 0.05 * size : p->room;
  p->bulge = 1e-3 * room / (size * size);
}

/* Rim i at an end, -1 or 1; 0: all of it. */
static void rim_foot(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                     const int bodies[2], int i, int end, trmi_touch_point *p) {
  static const double x[2] = {1.0, 0.0};
  const trmi_outline_rim *rim = &profile->core.outline->feet->rims[i];
  const double half = profile->core.size[2], reach = rim->region.reach;
  trmi_contact_shape_point(profile, other, bodies,
                           v3(rim->middle[0], rim->middle[1], end * half), p);
  p->solid = TRMI_SOLID_RIM, p->region = &rim->region;
  p->own[0] = p->own[1] = reach, p->own[2] = end == 0 ? half : 0.0;
  p->rolling += reach;
  make_solid(profile, other, x, p);
}

static void side_foot(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                      const int bodies[2], int i, trmi_touch_point *p) {
  const trmi_outline_side *side = &profile->core.outline->feet->sides[i];
  trmi_contact_shape_point(profile, other, bodies, v3(side->middle[0], side->middle[1], 0.0), p);
  p->solid = TRMI_SOLID_BOX;
  p->own[0] = side->half, p->own[2] = profile->core.size[2];
  make_solid(profile, other, side->along, p);
}

void trmi_profile_foot(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                       const int bodies[2], int i, trmi_touch_point *p) {
  const trmi_outline_feet *feet = profile->core.outline->feet;
  const int corners = 2 * feet->ncorners, rims = 2 * feet->nrims, end = i % 2 == 0 ? -1 : 1;
  if (i < corners) {
    const double *at = feet->corners[i / 2];
    trmi_contact_shape_point(profile, other, bodies,
                             v3(at[0], at[1], end * profile->core.size[2]), p);
  } else if (i < corners + rims) {
    rim_foot(profile, other, bodies, (i - corners) / 2, end, p);
  } else if (i < corners + rims + feet->nrims) {
    rim_foot(profile, other, bodies, i - corners - rims, 0, p);
  } else {
    side_foot(profile, other, bodies, i - corners - rims - feet->nrims, p);
  }
}
