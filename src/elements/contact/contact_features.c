/* contact_features.c - finds corners and edges of surfaces that are near other shapes.
 *
 * A surface of triangles touches with its corners, small spheres with its radius, against the core
 * of the other shape; by corners of the other shape against its patches; and by edges of both that
 * cross. Edges count where they point outwards and bend so much that corners alone would notice the
 * contact late: with length l, angle b and the radii of both shapes
 *   l b > (r_0 + r_1)/2                                                                   (1)
 * A cylinder touches each patch with its rims and with its nearest point, a torus only with the
 * latter (core_solid.c).
 * A profile has its own feet (profile_feet.c); the other shape touches it with corners, and touches
 * its hollow arcs with edges. An ellipsoid touches each patch at the nearest point of the patch, in
 * a face, on an edge or at a corner (core_patch.c).
 * The search descends the tree of boxes of one surface: a box whose ball is far from the core of
 * the other shape is excluded with its content, so the work grows with the number of near features.
 * Theory: docs/theory/15-contact.md, section 5. */
#include "elements/contact/contact_features.h"
#include "elements/contact/profile_feet.h"
#include "elements/elements.h"
#include <math.h>
#include <string.h>

static bool is_of(const trmi_contact_shape *s, trmi_core_kind kind) {
  return s->core.kind == kind;
}

bool trmi_features_are_single(const trmi_contact_shape *const pair[2]) {
  return is_of(pair[0], TRMI_CORE_SURFACE) || is_of(pair[1], TRMI_CORE_SURFACE) ||
         trmi_profile_meets(pair[0], pair[1]) || trmi_profile_meets(pair[1], pair[0]);
}

bool trmi_features_fit(const trmi_contact_shape *const pair[2], bool *are_sharp) {
  *are_sharp = false;
  for (int k = 0; k < 2; k++) {
    if (!trmi_profile_meets(pair[k], pair[1 - k])) continue;
    return trmi_profile_fits(pair[k], pair[1 - k], are_sharp);
  }
  for (int k = 0; k < 2; k++) {
    const trmi_contact_shape *own = pair[k], *other = pair[1 - k];
    if (!is_of(own, TRMI_CORE_SURFACE)) continue;
    if (is_of(other, TRMI_CORE_PLANE)) return true;
    if (is_of(other, TRMI_CORE_POINT) || is_of(other, TRMI_CORE_ELLIPSOID)) return true;
    if (is_of(other, TRMI_CORE_TERRAIN)) return own->core.radius < other->core.terrain->hollow;
    const bool is_meant = trmi_contact_shape_has_edges(other) || trmi_contact_shape_is_solid(other);
    *are_sharp = is_meant && !(own->core.radius + other->core.radius > 0.0);
    return is_meant && !*are_sharp;
  }
  return false;
}

/* ---- features of a shape -------------------------------------------------------------------- */

/* Do corners of a shape meet the core of another? */
static bool has_feet(const trmi_contact_shape *of, const trmi_contact_shape *against) {
  const bool is_round = is_of(against, TRMI_CORE_POINT) || is_of(against, TRMI_CORE_ELLIPSOID) ||
                        is_of(against, TRMI_CORE_CIRCLE);
  if (is_of(of, TRMI_CORE_SURFACE)) return !is_round; /* their centre touches the patches */
  if (is_of(of, TRMI_CORE_PROFILE)) return trmi_profile_meets(of, against);
  if (is_of(of, TRMI_CORE_ELLIPSOID)) return is_of(against, TRMI_CORE_SURFACE);
  return trmi_contact_shape_has_edges(of) || is_of(of, TRMI_CORE_POINT) ||
         trmi_contact_shape_is_solid(of);
}

/* Number of corners of a shape other than a surface. */
static int feet_of(const trmi_contact_shape *s, const trmi_contact_shape *against) {
  if (is_of(s, TRMI_CORE_PROFILE)) return trmi_profile_feet(s, against);
  if (is_of(s, TRMI_CORE_CYLINDER)) { /* two rims, and all of it, which feet of profiles meet */
    return is_of(against, TRMI_CORE_PROFILE) ? 2 : 3;
  }
  return is_of(s, TRMI_CORE_BOX) ? 8 : is_of(s, TRMI_CORE_SEGMENT) ? 2 : 1;
}

/* A corner, axes of the shape. */
static trmi_vec3 foot_at(const trmi_contact_shape *s, int i) {
  const double *size = s->core.size;
  if (is_of(s, TRMI_CORE_SURFACE)) return v3_scale(size[0], s->core.surface->mesh.points[i]);
  if (is_of(s, TRMI_CORE_BOX)) return trmi_contact_shape_corner(s, i);
  if (is_of(s, TRMI_CORE_ELLIPSOID) || i == 2) return v3(0, 0, 0);
  return v3(0.0, 0.0, i == 0 ? -size[2] : size[2]); /* of a point both are the same */
}

static int edges_of(const trmi_contact_shape *s) {
  return is_of(s, TRMI_CORE_SURFACE) ? s->core.surface->nedges : is_of(s, TRMI_CORE_BOX) ? 12 : 1;
}

double trmi_features_count(const trmi_contact_shape *const pair[2]) {
  double feet = 0.0, edges = 1.0;
  for (int k = 0; k < 2; k++) {
    const trmi_contact_shape *own = pair[k];
    edges *= trmi_contact_shape_has_edges(own) ? edges_of(own) : 0.0;
    if (!has_feet(own, pair[1 - k])) continue;
    feet += is_of(own, TRMI_CORE_SURFACE) ? own->core.surface->mesh.npoints
                                          : feet_of(own, pair[1 - k]);
  }
  return feet + fmax(feet, edges);
}

/* Ends of an edge, axes of the shape. */
static void edge_at(const trmi_contact_shape *s, int i, trmi_vec3 ends[2]) {
  int corner[2] = {0, 1};
  if (is_of(s, TRMI_CORE_SURFACE)) {
    for (int k = 0; k < 2; k++) corner[k] = s->core.surface->edges[i].end[k];
  } else if (is_of(s, TRMI_CORE_BOX)) { /* along axis i/4, between corners that differ by its bit */
    const int bit = 1 << i / 4, low = i % 4 & (bit - 1);
    corner[0] = low | (i % 4 - low) << 1;
    corner[1] = corner[0] | bit;
  }
  for (int k = 0; k < 2; k++) ends[k] = foot_at(s, corner[k]);
}

/* (1) */
static bool is_sharp(const trmi_feature_search *s, int of, int edge) {
  const trmi_core *core = &s->pair[of]->core;
  if (core->kind != TRMI_CORE_SURFACE) return true;
  const trmi_surface_edge *e = &core->surface->edges[edge];
  const double radii = s->pair[0]->core.radius + s->pair[1]->core.radius;
  return core->size[0] * e->length * e->bend > 0.5 * radii;
}

/* ---- points --------------------------------------------------------------------------------- */

/* Middle and axes of an edge, body axes; z is along it. @return half its length */
static double edge_frame(const trmi_contact_shape *s, int i, trmi_vec3 *middle, double E[9]) {
  trmi_vec3 ends[2];
  edge_at(s, i, ends);
  *middle = v3_add(s->o, m3_tmul(s->E, v3_scale(0.5, v3_add(ends[0], ends[1]))));
  const trmi_vec3 way = m3_tmul(s->E, v3_sub(ends[1], ends[0]));
  (void)trmi_axes_from(way, NULL, E);
  return 0.5 * v3_norm(way);
}

static void edges_point(const trmi_contact_shape *const pair[2], const int bodies[2],
                        trmi_contact_feature f, trmi_touch_point *p) {
  const double radius = pair[1]->core.radius;
  trmi_contact_shape_point(pair[0], pair[1], bodies, v3(0, 0, 0), p);
  p->is_pair = true;
  p->core = (trmi_core){.kind = TRMI_CORE_SEGMENT, .radius = radius};
  p->own[2] = edge_frame(pair[0], f.i, &p->s, p->F);
  p->core.size[2] = edge_frame(pair[1], f.k, &p->o, p->E);
  p->far = p->own[2] + p->core.size[2] + p->radius + radius;
}

/* Does foot i of a shape meet edges of the other one? */
static bool meets_edges(const trmi_contact_shape *of, const trmi_contact_shape *other, int i) {
  return is_of(of, TRMI_CORE_PROFILE) && trmi_profile_is_hollow_end(of, other, i);
}

/* A hollow arc of a profile that meets an edge. */
static void hollow_point(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                         const int bodies[2], trmi_contact_feature f, trmi_touch_point *p) {
  const double radius = other->core.radius;
  trmi_profile_foot(profile, other, bodies, f.i, p);
  p->core = (trmi_core){.kind = TRMI_CORE_SEGMENT, .radius = radius};
  p->core.size[2] = edge_frame(other, f.k, &p->o, p->E);
  p->far = v3_norm(v3_load(p->own)) + p->core.size[2] + p->radius + radius;
}

/* A patch of a surface that meets an ellipsoid. */
static void sheet_point(const trmi_contact_shape *of, const trmi_contact_shape *round,
                        const int bodies[2], int patch, trmi_touch_point *p) {
  const double *half = round->core.size;
  trmi_contact_shape_point(of, round, bodies, v3(0, 0, 0), p);
  p->sheet = of->core.surface, p->patch = patch;
  p->own[0] = of->core.size[0];
  memcpy(p->F, of->E, sizeof p->F);
  p->rolling = fmax(half[0], fmax(half[1], half[2]));
  p->far = trmi_contact_shape_reach(of) + trmi_contact_shape_reach(round);
}

int trmi_feature_points(const trmi_contact_shape *const pair[2], const int bodies[2],
                        trmi_contact_feature f, trmi_touch_point points[TRMI_PAIR_POINTS]) {
  if (f.which == TRMI_FEATURE_ALL) return trmi_contact_shape_points(pair, bodies, points);
  if (f.which == TRMI_FEATURE_EDGES) {
    edges_point(pair, bodies, f, points);
    return 1;
  }
  const int of = f.which == TRMI_FEATURE_FOOT_0 ? 0 : 1, sides[2] = {bodies[of], bodies[1 - of]};
  if (is_of(pair[of], TRMI_CORE_ELLIPSOID)) {
    const int turned[2] = {sides[1], sides[0]};
    sheet_point(pair[1 - of], pair[of], turned, f.k, points);
    return 1;
  }
  if (meets_edges(pair[of], pair[1 - of], f.i)) {
    hollow_point(pair[of], pair[1 - of], sides, f, points);
    return 1;
  }
  if (is_of(pair[of], TRMI_CORE_PROFILE)) {
    trmi_profile_foot(pair[of], pair[1 - of], sides, f.i, points);
  } else if (trmi_contact_shape_is_solid(pair[of])) {
    static const int ends[3] = {-1, 1, 0};
    const int end = is_of(pair[of], TRMI_CORE_CIRCLE) ? 0 : ends[f.i];
    trmi_contact_shape_solid(pair[of], pair[1 - of], sides, end, points);
  } else {
    trmi_contact_shape_point(pair[of], pair[1 - of], sides, foot_at(pair[of], f.i), points);
  }
  points->core.patch = f.k;
  points->far = trmi_contact_shape_far(pair[1 - of], points);
  return 1;
}

/* ---- search --------------------------------------------------------------------------------- */

/* A point given in axes of shape k, in ground axes. */
static trmi_vec3 to_ground(const trmi_feature_search *s, int k, trmi_vec3 at) {
  const trmi_pose *pose = &s->poses[s->bodies[k]];
  const trmi_vec3 own = v3_add(s->pair[k]->o, m3_tmul(s->pair[k]->E, at));
  return v3_add(pose->x, m3_mul(pose->R, own));
}

static trmi_vec3 from_ground(const trmi_feature_search *s, int k, trmi_vec3 x) {
  const trmi_pose *pose = &s->poses[s->bodies[k]];
  const trmi_vec3 own = m3_tmul(pose->R, v3_sub(x, pose->x));
  return m3_mul(s->pair[k]->E, v3_sub(own, s->pair[k]->o));
}

static double radii_of(const trmi_feature_search *s) {
  return s->pair[0]->core.radius + s->pair[1]->core.radius;
}

/* Note a feature if its gap is small. */
static bool offer(const trmi_feature_search *s, trmi_contact_feature f) {
  trmi_touch_point points[TRMI_PAIR_POINTS];
  trmi_touch touch;
  (void)trmi_feature_points(s->pair, s->bodies, f, points);
  trmi_touch_find(points, s->poses, &touch);
  return touch.gap < s->within ? s->note(s->self, f) : true;
}

/* Centre of a foot, axes of the shape, and its radius. */
static trmi_vec3 middle_of(const trmi_feature_search *s, int of, int i, double *reach) {
  const trmi_contact_shape *own = s->pair[of];
  const bool has_size = is_of(own, TRMI_CORE_ELLIPSOID) || trmi_contact_shape_is_solid(own);
  *reach = has_size ? trmi_contact_shape_reach(own) : 0.0;
  if (!is_of(own, TRMI_CORE_PROFILE)) return foot_at(own, i);
  trmi_touch_point point;
  trmi_profile_foot(own, s->pair[1 - of], s->bodies, i, &point);
  *reach = v3_norm(v3_load(point.own));
  return m3_mul(own->E, v3_sub(point.s, own->o));
}

/* A corner of shape `of` against all patches of the other one. */
static bool offer_foot(const trmi_feature_search *s, int of, int i) {
  const trmi_core *core = &s->pair[1 - of]->core;
  const int which = of == 0 ? TRMI_FEATURE_FOOT_0 : TRMI_FEATURE_FOOT_1;
  const int patches = core->kind == TRMI_CORE_SURFACE ? core->surface->npatches : 1;
  if (patches == 1) return offer(s, (trmi_contact_feature){which, i, TRMI_SURFACE_ANY});
  double own = 0.0;
  const trmi_vec3 middle = middle_of(s, of, i, &own);
  const trmi_vec3 at = from_ground(s, 1 - of, to_ground(s, of, middle));
  const trmi_vec3 p = v3_scale(1.0 / core->size[0], at);
  const double within = (s->within + radii_of(s) + own) / core->size[0];
  for (int k = 0; k < patches; k++) {
    if (!(trmi_surface_nearest(core->surface, p, k, within).square < INFINITY)) continue;
    if (!offer(s, (trmi_contact_feature){which, i, k})) return false;
  }
  return true;
}

/* A triangle in a box that is near, of shape `of`. */
typedef bool (*visitor)(const trmi_feature_search *s, int of, int triangle, int edge);

/* Ball around a box, size 1. */
static trmi_vec3 ball_of(const trmi_surface_node *node, double *radius) {
  const trmi_vec3 low = v3_load(node->low), high = v3_load(node->high);
  *radius = 0.5 * v3_norm(v3_sub(high, low));
  return v3_scale(0.5, v3_add(low, high));
}

/* Instead of an edge: foot i of a profile. */
static int as_edge(int i) {
  return -2 - i;
}

/* Is a ball about a point in ground axes near the core of shape k, or near an edge if one is
 * given? */
static bool is_near(const trmi_feature_search *s, int k, int edge, trmi_vec3 x, double radius) {
  const double most = radius + s->within + radii_of(s);
  if (edge < -1) {
    double reach;
    const trmi_vec3 middle = to_ground(s, k, middle_of(s, k, as_edge(edge), &reach));
    return v3_norm(v3_sub(x, middle)) < most + reach;
  }
  if (edge < 0) return trmi_core_distance(&s->pair[k]->core, from_ground(s, k, x)).d < most;
  trmi_vec3 ends[2];
  edge_at(s->pair[k], edge, ends);
  const trmi_vec3 a = to_ground(s, k, ends[0]), way = v3_sub(to_ground(s, k, ends[1]), a);
  const double part = v3_dot(v3_sub(x, a), way) / v3_dot(way, way);
  const trmi_vec3 foot = v3_add(a, v3_scale(fmin(fmax(part, 0.0), 1.0), way));
  return v3_norm(v3_sub(x, foot)) < most;
}

/* All triangles of the surface `of` that may be near the other shape, or an edge of it. */
static bool walk(const trmi_feature_search *s, int of, int edge, visitor visit) {
  const trmi_core *core = &s->pair[of]->core;
  int stack[TRMI_SURFACE_DEPTH], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const int number = stack[--depth];
    const trmi_surface_node *node = &core->surface->nodes[number];
    double radius;
    const trmi_vec3 middle = v3_scale(core->size[0], ball_of(node, &radius));
    if (!is_near(s, 1 - of, edge, to_ground(s, of, middle), core->size[0] * radius)) continue;
    for (int i = 0; i < node->count && node->other == 0; i++) {
      if (!visit(s, of, core->surface->order[node->first + i], edge)) return false;
    }
    if (node->other > 0) stack[depth++] = node->other, stack[depth++] = number + 1;
  }
  return true;
}

/* Corners belong to one of their triangles. */
static bool visit_feet(const trmi_feature_search *s, int of, int triangle, int edge) {
  const trmi_surface *surface = s->pair[of]->core.surface;
  (void)edge;
  for (int k = 0; k < 3; k++) {
    const int point = surface->mesh.corners[3 * triangle + k];
    if (surface->owner[point] == triangle && !offer_foot(s, of, point)) return false;
  }
  return true;
}

/* An edge of shape `of` and one of the other. */
static bool offer_edges(const trmi_feature_search *s, int of, int own, int other) {
  return offer(s, (trmi_contact_feature){TRMI_FEATURE_EDGES, of == 0 ? own : other,
                                         of == 0 ? other : own});
}

/* Edges of a triangle of `of` against an edge of the other shape. */
static bool visit_other_edges(const trmi_feature_search *s, int of, int triangle, int edge) {
  const trmi_surface *surface = s->pair[of]->core.surface;
  for (int k = 0; k < 3; k++) {
    const int own = surface->side[3 * triangle + k];
    if (surface->edges[own].face[0] != triangle || !is_sharp(s, of, own)) continue;
    if (!offer_edges(s, of, own, edge)) return false;
  }
  return true;
}

/* Edges of a triangle against all edges of the other shape that are near. */
static bool visit_edges(const trmi_feature_search *s, int of, int triangle, int edge) {
  const trmi_surface *surface = s->pair[of]->core.surface;
  const trmi_contact_shape *other = s->pair[1 - of];
  (void)edge;
  for (int k = 0; k < 3; k++) {
    const int own = surface->side[3 * triangle + k];
    if (surface->edges[own].face[0] != triangle || !is_sharp(s, of, own)) continue;
    if (is_of(other, TRMI_CORE_SURFACE)) {
      if (!walk(s, 1 - of, own, visit_other_edges)) return false;
      continue;
    }
    for (int i = 0; i < edges_of(other); i++) {
      if (!offer_edges(s, of, own, i)) return false;
    }
  }
  return true;
}

/* Edges of a triangle against a hollow arc of the other shape. */
static bool visit_hollow(const trmi_feature_search *s, int of, int triangle, int edge) {
  const trmi_surface *surface = s->pair[of]->core.surface;
  const int which = of == 0 ? TRMI_FEATURE_FOOT_1 : TRMI_FEATURE_FOOT_0;
  for (int k = 0; k < 3; k++) {
    const int own = surface->side[3 * triangle + k];
    if (surface->edges[own].face[0] != triangle || !is_sharp(s, of, own)) continue;
    if (!offer(s, (trmi_contact_feature){which, as_edge(edge), own})) return false;
  }
  return true;
}

/* Hollow arc i of shape `of` against all edges of the other one. */
static bool offer_hollow(const trmi_feature_search *s, int of, int i) {
  const trmi_contact_shape *other = s->pair[1 - of];
  const int which = of == 0 ? TRMI_FEATURE_FOOT_0 : TRMI_FEATURE_FOOT_1;
  if (is_of(other, TRMI_CORE_SURFACE)) return walk(s, 1 - of, as_edge(i), visit_hollow);
  for (int k = 0; k < edges_of(other); k++) {
    if (!offer(s, (trmi_contact_feature){which, i, k})) return false;
  }
  return true;
}

bool trmi_features_near(const trmi_feature_search *s) {
  for (int of = 0; of < 2; of++) {
    const trmi_contact_shape *own = s->pair[of];
    if (!has_feet(own, s->pair[1 - of])) continue;
    const bool is_surface = is_of(own, TRMI_CORE_SURFACE);
    if (is_surface && !walk(s, of, -1, visit_feet)) return false;
    for (int i = 0; i < feet_of(own, s->pair[1 - of]) && !is_surface; i++) {
      const bool is_hollow = meets_edges(own, s->pair[1 - of], i);
      if (!(is_hollow ? offer_hollow(s, of, i) : offer_foot(s, of, i))) return false;
    }
  }
  for (int k = 0; k < 2; k++) {
    if (!trmi_contact_shape_has_edges(s->pair[k])) return true;
  }
  return walk(s, is_of(s->pair[0], TRMI_CORE_SURFACE) ? 0 : 1, -1, visit_edges);
}
