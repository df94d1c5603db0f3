/* contact_shape.c - shapes of parts become cores with radii, and pairs of shapes points that meet
 * cores.
 * A pin, a capsule or cylinder with half length h_0, is along a profile with half height h_1 if
 * their axes a, b and the displacement w between their centres are so at the start:
 *   |a x b| <= sin 2 deg,   |w.b| <= |h_0 - h_1| + min(h_0, h_1)/5                         (1)
 * Two points of its axis touch then; its gap is off by less than 1/1600 of its radius, and they by
 * a tenth of the shorter of both along the axis. Other pins meet feet of the profile
 * (profile_feet.c), but a cylinder that cannot do so may begin beyond the ends of the profile. A
 * run stops where a pin touches that has left (1).
 * Theory: docs/theory/15-contact.md, section 4. */
#include "elements/contact/contact_shape.h"
#include "elements/elements.h"
#include <stdio.h>
#include <string.h>

/* ---- reading -------------------------------------------------------------------------------- */

static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Between the middles of two ends; z is the axis. */
static bool read_ends(const trmi_part *part, trmi_contact_shape *out) {
  double from[3] = {0.0}, to[3] = {0.0};
  trmi_part_numbers(part, "from", 3, from);
  trmi_part_numbers(part, "to", 3, to);
  const trmi_vec3 way = v3_sub(v3_load(to), v3_load(from));
  out->o = v3_scale(0.5, v3_add(v3_load(from), v3_load(to)));
  out->core.size[2] = 0.5 * v3_norm(way);
  return trmi_axes_from(way, NULL, out->E);
}

/* A direction as z axis. */
static bool read_axis(const trmi_part *part, const char *key, trmi_contact_shape *out) {
  double z[3] = {0.0, 0.0, 1.0};
  trmi_part_numbers(part, key, 3, z);
  return trmi_axes_from(v3_load(z), NULL, out->E);
}

static bool read_box(const trmi_part *part, trmi_contact_shape *out) {
  double size[3] = {0.0};
  trmi_part_numbers(part, "size", 3, size);
  out->core.kind = TRMI_CORE_BOX;
  out->core.radius = trmi_part_number(part, "rounding");
  bool is_good = true;
  for (int i = 0; i < 3; i++) {
    out->core.size[i] = 0.5 * size[i] - out->core.radius;
    is_good = is_good && out->core.size[i] >= 0.0;
  }
  return is_good;
}

/* The core of a cylinder is smaller by its rounding, which is the radius around it. */
static bool round_rims(const trmi_part *part, trmi_contact_shape *out) {
  out->core.radius = trmi_part_number(part, "rounding");
  out->core.size[0] -= out->core.radius, out->core.size[2] -= out->core.radius;
  return out->core.size[0] >= 0.0 && out->core.size[2] >= 0.0;
}

static const char *read_profile(trmi_mechanism *m, const trmi_part *part, trmi_contact_shape *out,
                                char fault[TRMI_SHAPE_FAULT]) {
  out->core = (trmi_core){.kind = TRMI_CORE_PROFILE,
                          .size = {0.0, 0.0, 0.5 * trmi_part_number(part, "height")},
                          .outline = trmi_read_outline(m, part, fault)};
  if (out->core.outline == NULL) return fault;
  return trmi_read_profile_axes(part, out->E) ? NULL : "axis and x of its profile are parallel or "
                                                       "zero";
}

static const char *read_terrain(trmi_mechanism *m, const trmi_part *part, trmi_contact_shape *out,
                                char fault[TRMI_SHAPE_FAULT]) {
  out->core = (trmi_core){.kind = TRMI_CORE_TERRAIN,
                          .terrain = trmi_read_terrain(m, part, fault)};
  return out->core.terrain != NULL ? NULL : fault;
}

static const char *read_surface(trmi_mechanism *m, const trmi_part *part, trmi_contact_shape *out,
                                char fault[TRMI_SHAPE_FAULT]) {
  out->core = (trmi_core){.kind = TRMI_CORE_SURFACE, .patch = TRMI_SURFACE_ANY,
                          .radius = trmi_part_number(part, "radius"),
                          .size = {trmi_part_number_or(part, "scale", 1.0)},
                          .surface = trmi_read_surface(m, part, fault)};
  return out->core.surface != NULL ? NULL : fault;
}

/* @return NULL, or a description of the fault */
static const char *read_core(trmi_mechanism *m, const trmi_part *part, trmi_contact_shape *out,
                             char fault[TRMI_SHAPE_FAULT]) {
  const char *type = part->kind->type;
  if (strcmp(type, "sphere") == 0) {
    out->core = (trmi_core){.kind = TRMI_CORE_POINT, .radius = trmi_part_number(part, "radius")};
    return NULL;
  }
  if (strcmp(type, "plane") == 0) {
    out->core.kind = TRMI_CORE_PLANE;
    return read_axis(part, "normal", out) ? NULL : "the normal of its plane is zero";
  }
  if (strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0) {
    const bool is_capsule = strcmp(type, "capsule") == 0;
    const double radius = trmi_part_number(part, "radius");
    out->core.kind = is_capsule ? TRMI_CORE_SEGMENT : TRMI_CORE_CYLINDER;
    *(is_capsule ? &out->core.radius : &out->core.size[0]) = radius;
    if (!read_ends(part, out)) return "the ends of its cylinder or capsule coincide";
    if (is_capsule) return NULL;
    return round_rims(part, out) ? NULL : "the rounding of its cylinder exceeds its radius or half "
                                          "its length";
  }
  if (strcmp(type, "box") == 0) {
    return read_box(part, out) ? NULL : "the rounding of its box exceeds half an edge";
  }
  if (strcmp(type, "torus") == 0) {
    out->core = (trmi_core){.kind = TRMI_CORE_CIRCLE, .radius = trmi_part_number(part, "tube"),
                            .size = {trmi_part_number(part, "radius")}};
    return read_axis(part, "axis", out) ? NULL : "the axis of its torus is zero";
  }
  if (strcmp(type, "ellipsoid") == 0) {
    out->core.kind = TRMI_CORE_ELLIPSOID;
    trmi_part_numbers(part, "radii", 3, out->core.size);
    return NULL;
  }
  if (strcmp(type, "profile") == 0) return read_profile(m, part, out, fault);
  if (strcmp(type, "terrain") == 0) return read_terrain(m, part, out, fault);
  if (strcmp(type, "mesh") == 0 || strcmp(type, "hull") == 0) {
    return read_surface(m, part, out, fault);
  }
  return "lines cannot touch anything: name shapes that can, as 'body.shape'";
}

bool trmi_contact_shape_read(trmi_mechanism *m, const trmi_part *part, trmi_contact_shape *out,
                             char fault[TRMI_SHAPE_FAULT]) {
  double at[3] = {0.0, 0.0, 0.0};
  *out = (trmi_contact_shape){.type = part->kind->type};
  memcpy(out->E, upright, sizeof upright);
  if (trmi_part_numbers(part, "at", 3, at)) out->o = v3_load(at);
  const char *sentence = read_core(m, part, out, fault);
  if (sentence != NULL && sentence != fault) {
    snprintf(fault, TRMI_SHAPE_FAULT, "%s", sentence);
  }
  return sentence == NULL;
}

double trmi_contact_shape_reach(const trmi_contact_shape *s) {
  const double *size = s->core.size;
  switch (s->core.kind) {
  case TRMI_CORE_PLANE:
  case TRMI_CORE_TERRAIN: break;
  case TRMI_CORE_POINT: return s->core.radius;
  case TRMI_CORE_SEGMENT: return size[2] + s->core.radius;
  case TRMI_CORE_BOX: return v3_norm(v3_load(size)) + s->core.radius;
  case TRMI_CORE_CYLINDER: return hypot(size[0], size[2]) + s->core.radius;
  case TRMI_CORE_CIRCLE: return size[0] + s->core.radius;
  case TRMI_CORE_PROFILE: return hypot(s->core.outline->reach, size[2]) + s->core.radius;
  case TRMI_CORE_ELLIPSOID: return fmax(size[0], fmax(size[1], size[2])) + s->core.radius;
  case TRMI_CORE_SURFACE: return size[0] * s->core.surface->reach + s->core.radius;
  }
  return INFINITY;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

/* Points of a pair while they are found. */
typedef struct finding {
  const trmi_contact_shape *of, *against;
  int               bodies[2];
  trmi_touch_point *points;
  int               count;
} finding;

void trmi_contact_shape_point(const trmi_contact_shape *of, const trmi_contact_shape *against,
                              const int bodies[2], trmi_vec3 at, trmi_touch_point *p) {
  *p = (trmi_touch_point){.carrier = {bodies[0], bodies[1]},
                          .s = v3_add(of->o, m3_tmul(of->E, at)), .radius = of->core.radius,
                          .rolling = of->core.radius, .o = against->o, .core = against->core};
  memcpy(p->E, against->E, sizeof p->E);
}

/* Shape k of a pair has the points, the other one the core. */
static void turn_to(finding *f, const trmi_contact_shape *const pair[2], const int bodies[2],
                    int k) {
  f->of = pair[k], f->against = pair[1 - k];
  f->bodies[0] = bodies[k], f->bodies[1] = bodies[1 - k];
}

/* A point at `at` in the axes of the shape `of`. */
static trmi_touch_point *add_point(finding *f, trmi_vec3 at) {
  trmi_touch_point *p = &f->points[f->count++];
  trmi_contact_shape_point(f->of, f->against, f->bodies, at, p);
  return p;
}

/* A of (6) in touch.c from its half axes along those of the shape `of`, turned into body axes. */
static void make_round(const finding *f, const double half[3], double flat, trmi_touch_point *p) {
  p->is_round = true;
  p->flat = flat;
  p->rolling += fmax(half[0], fmax(half[1], half[2]));
  for (int k = 0; k < 9; k++) {
    p->A[k] = 0.0;
    for (int i = 0; i < 3; i++) {
      p->A[k] += half[i] * half[i] * f->of->E[3 * i + k / 3] * f->of->E[3 * i + k % 3];
    }
  }
}

/* The lowest point of a circle about the axis; without a radius it is its middle. */
static void add_circle(finding *f, trmi_vec3 at, double radius) {
  static const double flat = 1e-3; /* eps of (6) over the radius */
  const double R = radius / (sqrt(1.0 + flat * flat) - flat), half[3] = {R, R, 0.0};
  trmi_touch_point *p = add_point(f, at);
  if (radius > 0.0) make_round(f, half, flat * R, p);
}

trmi_vec3 trmi_contact_shape_corner(const trmi_contact_shape *s, int k) {
  const trmi_vec3 sign = v3(k % 2 == 0 ? -1 : 1, k / 2 % 2 == 0 ? -1 : 1, k / 4 == 0 ? -1 : 1);
  return v3_times(v3_load(s->core.size), sign);
}

static void add_corners(finding *f) {
  for (int k = 0; k < 8; k++) add_point(f, trmi_contact_shape_corner(f->of, k));
}

/* Points of a shape that meet a plane: corners, ends, or the lowest of circles. */
static void add_to_plane(finding *f) {
  const double *size = f->of->core.size;
  switch (f->of->core.kind) {
  case TRMI_CORE_PLANE: /* two of them do not touch in points */
  case TRMI_CORE_TERRAIN: break;
  case TRMI_CORE_POINT: add_point(f, v3(0, 0, 0)); break;
  case TRMI_CORE_CIRCLE: add_circle(f, v3(0, 0, 0), size[0]); break;
  case TRMI_CORE_SEGMENT:
  case TRMI_CORE_CYLINDER:
    for (int k = -1; k <= 1; k += 2) add_circle(f, v3(0, 0, k * size[2]), size[0]);
    break;
  case TRMI_CORE_PROFILE:
  case TRMI_CORE_SURFACE: break; /* their corners are found one by one */
  case TRMI_CORE_ELLIPSOID: make_round(f, size, 0.0, add_point(f, v3(0, 0, 0))); break;
  case TRMI_CORE_BOX: add_corners(f); break;
  }
}

/* Does it have a core that is a box or a segment? */
static bool is_edged(const trmi_contact_shape *s) {
  return s->core.kind == TRMI_CORE_BOX || s->core.kind == TRMI_CORE_SEGMENT;
}

/* Corners and ends of each against the other, and the nearest points of both: edges that cross. */
static void add_edged(finding *f, const trmi_contact_shape *const pair[2], const int bodies[2]) {
  for (int k = 0; k < 2; k++) {
    turn_to(f, pair, bodies, k);
    const double half = f->of->core.size[2];
    if (f->of->core.kind == TRMI_CORE_BOX) add_corners(f);
    else add_point(f, v3(0, 0, -half)), add_point(f, v3(0, 0, half));
  }
  turn_to(f, pair, bodies, 0);
  trmi_touch_point *p = add_point(f, v3(0, 0, 0));
  p->is_pair = true;
  memcpy(p->own, f->of->core.size, sizeof p->own);
  memcpy(p->F, f->of->E, sizeof p->F);
}

/* ---- solids ---------------------------------------------------------------------------------- */

/* Radius of the sharpest bend of an ellipsoid. */
static double sharpest(const trmi_contact_shape *s) {
  const double *h = s->core.size, least = fmin(h[0], fmin(h[1], h[2]));
  return least * least / fmax(h[0], fmax(h[1], h[2]));
}

static bool is_ellipsoid(const trmi_contact_shape *s) {
  return s->core.kind == TRMI_CORE_ELLIPSOID;
}

bool trmi_contact_shape_is_solid(const trmi_contact_shape *s) {
  const trmi_core_kind kind = s->core.kind;
  return kind == TRMI_CORE_CYLINDER || kind == TRMI_CORE_CIRCLE;
}

double trmi_contact_shape_room(const trmi_contact_shape *of, const trmi_contact_shape *against) {
  double room = of->core.radius + against->core.radius;
  if (is_ellipsoid(of)) room += sharpest(of);
  if (is_ellipsoid(against)) room += sharpest(against);
  return room;
}

void trmi_contact_shape_solid(const trmi_contact_shape *of, const trmi_contact_shape *against,
                              const int bodies[2], int end, trmi_touch_point *p) {
  const double *size = of->core.size, z = end * size[2];
  const trmi_core_kind kind = of->core.kind;
  trmi_contact_shape_point(of, against, bodies, v3(0, 0, z), p);
  p->solid = is_ellipsoid(of)                  ? TRMI_SOLID_ELLIPSOID
             : trmi_contact_shape_is_solid(of) ? TRMI_SOLID_CYLINDER
                                               : TRMI_SOLID_BOX;
  memcpy(p->own, size, sizeof p->own);
  memcpy(p->F, of->E, sizeof p->F);
  if (p->solid == TRMI_SOLID_CYLINDER) p->own[1] = size[0], p->rolling += size[0];
  if (is_ellipsoid(of)) p->rolling += fmax(size[0], fmax(size[1], size[2]));
  if (end != 0) p->own[2] = 0.0;
  p->is_ring = kind == TRMI_CORE_CIRCLE;
  p->room = trmi_contact_shape_room(of, against);
  const double square = v3_dot(v3_load(p->own), v3_load(p->own));
  if (!is_ellipsoid(of) && square > 0.0) p->bulge = 1e-3 * p->room / square;
  if (p->core.kind == TRMI_CORE_CIRCLE) p->core.kind = TRMI_CORE_CYLINDER; /* a disc */
}

/* Rims of a cylinder, all of a torus or ellipsoid. */
static void add_rims(finding *f) {
  const int last = f->of->core.kind == TRMI_CORE_CYLINDER ? 1 : 0;
  for (int end = -last; end <= last; end += 2) {
    trmi_contact_shape_solid(f->of, f->against, f->bodies, end, &f->points[f->count++]);
  }
}

/* Which shapes are solids, whose bulges count: rings before cylinders before others, ellipsoids
 * last. */
static int rank_of(const trmi_contact_shape *s) {
  const trmi_core_kind kind = s->core.kind;
  return is_ellipsoid(s) ? 0 : kind == TRMI_CORE_CYLINDER ? 2 : kind == TRMI_CORE_CIRCLE ? 3 : 1;
}

/* The nearest place of shape k of a pair. */
static trmi_touch_point *add_solid(finding *f, const trmi_contact_shape *const pair[2],
                                   const int bodies[2], int k) {
  trmi_touch_point *p = &f->points[f->count++];
  turn_to(f, pair, bodies, k);
  trmi_contact_shape_solid(f->of, f->against, f->bodies, 0, p);
  return p;
}

/* Corners, ends and rims of each against the other, and the nearest place of the solid: cylinders,
 * tori and ellipsoids against each other and against boxes and capsules. Two cylinders, or two
 * rings, are both solids, with half of the force each: the bulge of one of them alone would draw
 * the contact of two parallel logs towards the middle of that one. */
static void add_solids(finding *f, const trmi_contact_shape *const pair[2], const int bodies[2]) {
  const bool are_smooth = is_ellipsoid(pair[0]) || is_ellipsoid(pair[1]);
  for (int k = 0; k < 2 && !are_smooth; k++) {
    turn_to(f, pair, bodies, k);
    const double half = f->of->core.size[2];
    if (f->of->core.kind == TRMI_CORE_BOX) add_corners(f);
    if (f->of->core.kind == TRMI_CORE_CYLINDER) add_rims(f);
    if (f->of->core.kind == TRMI_CORE_SEGMENT) {
      add_point(f, v3(0, 0, -half)), add_point(f, v3(0, 0, half));
    }
    for (int i = 0; i < f->count; i++) { /* a torus is a disc for all but spheres and planes */
      trmi_core *core = &f->points[i].core;
      if (core->kind == TRMI_CORE_CIRCLE) core->kind = TRMI_CORE_CYLINDER;
    }
  }
  const int rank[2] = {rank_of(pair[0]), rank_of(pair[1])};
  const bool are_both = rank[0] == rank[1] && !are_smooth;
  if (are_both) {
    for (int k = 0; k < 2; k++) add_solid(f, pair, bodies, k)->is_half = true;
  } else {
    add_solid(f, pair, bodies, rank[1] > rank[0] ? 1 : 0);
  }
}

/* ---- all pairs ------------------------------------------------------------------------------- */

/* How far the middle of a pin may be from that of its profile along the axis, (1). */
static double pin_room(double half, double high) {
  return fabs(half - high) + 0.2 * fmin(half, high);
}

/* A pin along a profile touches it by two points of its axis, at its ends or those of the profile.
 * It is taken to stay between these: the profile is endless for it. */
static void add_pin(finding *f) {
  const double *size = f->of->core.size, high = f->against->core.size[2];
  const double half = fmin(size[2], high);
  for (int k = -1; k <= 1; k += 2) {
    trmi_touch_point *p = add_point(f, v3(0, 0, k * half));
    p->radius += size[0]; /* of a cylinder */
    p->rolling = p->radius;
    p->core.size[2] = INFINITY;
    p->is_pin = true, p->room = pin_room(size[2], high);
    p->own[2] = k * half;
    memcpy(p->F, f->of->E, sizeof p->F);
  }
}

bool trmi_contact_shape_is_along(const trmi_contact_shape *pin, const trmi_contact_shape *profile) {
  const trmi_vec3 a = pin->axis, b = profile->axis;
  const double half = pin->core.size[2], high = profile->core.size[2];
  const double way = v3_dot(v3_sub(pin->middle, profile->middle), b);
  if (pin->is_free || !(v3_norm(v3_cross(a, b)) <= trmi_pin_tilt)) return false;
  const bool has_feet = pin->core.kind == TRMI_CORE_SEGMENT ||
                        (pin->core.radius > 0.0 && !(profile->core.outline->hollow < INFINITY));
  return !has_feet || fabs(way) <= pin_room(half, high);
}

bool trmi_contact_shape_is_pin(const trmi_contact_shape *s) {
  const trmi_core_kind kind = s->core.kind;
  return kind == TRMI_CORE_POINT || kind == TRMI_CORE_SEGMENT || kind == TRMI_CORE_CYLINDER;
}

/* Not too large for the hollows of a profile. */
static bool fits_profile(const trmi_contact_shape *s, const trmi_contact_shape *profile) {
  return trmi_contact_shape_is_pin(s) &&
         s->core.radius + s->core.size[0] < profile->core.outline->hollow;
}

/* Is it not a plane, profile, terrain or surface? Such shapes may touch terrains. */
static bool has_feet(const trmi_contact_shape *s) {
  const trmi_core_kind kind = s->core.kind;
  return kind == TRMI_CORE_POINT || kind == TRMI_CORE_SEGMENT || kind == TRMI_CORE_BOX ||
         trmi_contact_shape_is_solid(s) || is_ellipsoid(s);
}

double trmi_contact_shape_widest(const trmi_contact_shape *s) {
  const double *h = s->core.size;
  if (trmi_contact_shape_is_solid(s)) return s->core.radius + h[0];
  if (!is_ellipsoid(s)) return s->core.radius;
  const double most = fmax(h[0], fmax(h[1], h[2]));
  return most * most / fmin(h[0], fmin(h[1], h[2]));
}

/* Does the shape have points for a terrain, and do they fit into its hollows? */
static bool fits_terrain(const trmi_contact_shape *s, const trmi_contact_shape *terrain) {
  return has_feet(s) && trmi_contact_shape_widest(s) < terrain->core.terrain->hollow;
}

static bool is_rolling(const trmi_contact_shape *s) {
  return trmi_contact_shape_is_solid(s) || is_ellipsoid(s);
}

double trmi_contact_shape_far(const trmi_contact_shape *against, const trmi_touch_point *p) {
  const bool has_size = p->is_pair || p->solid != TRMI_SOLID_NONE;
  const double own = p->radius + (has_size ? v3_norm(v3_load(p->own)) : 0.0);
  if (p->is_round) return INFINITY;
  if (against->core.kind == TRMI_CORE_PLANE) return own;
  return p->core.size[2] < INFINITY ? own + trmi_contact_shape_reach(against) : INFINITY;
}

static int find_points(const trmi_contact_shape *const pair[2], const int bodies[2],
                       trmi_touch_point points[TRMI_PAIR_POINTS]) {
  finding f = {.points = points};
  if (trmi_contact_shape_is_surface(pair[0]) || trmi_contact_shape_is_surface(pair[1])) return 0;
  for (int k = 0; k < 2; k++) {
    if (pair[1 - k]->core.kind != TRMI_CORE_PLANE) continue;
    turn_to(&f, pair, bodies, k);
    add_to_plane(&f);
    return f.count;
  }
  for (int k = 0; k < 2; k++) {
    if (pair[1 - k]->core.kind != TRMI_CORE_TERRAIN) continue;
    turn_to(&f, pair, bodies, k);
    if (!fits_terrain(pair[k], pair[1 - k])) return 0;
    if (is_rolling(pair[k])) add_rims(&f);
    else add_to_plane(&f);
    return f.count;
  }
  for (int k = 0; k < 2; k++) {
    if (pair[1 - k]->core.kind != TRMI_CORE_PROFILE) continue;
    turn_to(&f, pair, bodies, k);
    if (!fits_profile(pair[k], pair[1 - k])) return 0;
    if (pair[k]->core.kind == TRMI_CORE_POINT) add_point(&f, v3(0, 0, 0));
    else add_pin(&f);
    return f.count;
  }
  for (int k = 0; k < 2; k++) {
    if (pair[k]->core.kind != TRMI_CORE_POINT) continue;
    turn_to(&f, pair, bodies, k);
    add_point(&f, v3(0, 0, 0));
    return f.count;
  }
  const bool are_edged = is_edged(pair[0]) && is_edged(pair[1]);
  /* edges of both have no radius */
  if (!(trmi_contact_shape_room(pair[0], pair[1]) > 0.0)) return 0;
  if (are_edged) add_edged(&f, pair, bodies);
  else add_solids(&f, pair, bodies);
  return f.count;
}

int trmi_contact_shape_points(const trmi_contact_shape *const pair[2], const int bodies[2],
                              trmi_touch_point points[TRMI_PAIR_POINTS]) {
  const int count = find_points(pair, bodies, points);
  for (int i = 0; i < count; i++) {
    const int other = points[i].carrier[0] == bodies[0] ? 1 : 0;
    points[i].far = trmi_contact_shape_far(pair[other], &points[i]);
  }
  return count;
}
