/* force_ends.c - the ends of a force: markers by name, or points of bodies at the start; the line
 * between them.
 *   d = x_B - x_A,  l = |d|                                                          (1) */
#include "elements/force/force_types.h"
#include "math/so3.h"
#include <string.h>

/* Axes of the key `orientation`, as rows; those of the ground if it is not given. */
static bool read_axes(trmi_mechanism *m, const trmi_force *a, double E[9]) {
  double p[4], R[9];
  if (!trmi_read_orientation(m, a->def, p)) return false;
  trmi_quat_matrix(p, R);
  for (int k = 0; k < 3; k++) v3_store(E + 3 * k, m3_column(R, k));
  return true;
}

/* marker: crank.end,  or  body: crank with at: [x, y, z] */
static bool read_one(trmi_mechanism *m, trmi_force *a) {
  const trmi_text *marker = trmi_part_texts(a->def, "marker");
  const trmi_text *body = trmi_part_texts(a->def, "body");
  double at[3], E[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  (void)trmi_find_marker(m, "ground", strlen("ground"), &a->A);
  if (!trmi_need_marker(m, marker != NULL ? marker : body, &a->B)) return false;
  if (marker != NULL && trmi_part_find(a->def, "at") != NULL) {
    return trmi_force_fault(m, a, "at", "a marker has a place of its own; 'at' is for bodies");
  }
  if (trmi_part_find(a->def, "at") != NULL) {
    if (!trmi_part_numbers(a->def, "at", 3, at)) return false;
    a->B = trmi_place_marker(m, a->B.body, v3_load(at), E);
  }
  if (a->B.body == 0) {
    return trmi_force_fault(m, a, marker != NULL ? "marker" : "body",
                             "it acts on the ground, which does not move");
  }
  return true;
}

/* bodies: [a, b], points: [[x, y, z], [x, y, z]]; x points from the first to the second */
static bool read_points(trmi_mechanism *m, trmi_force *a) {
  const trmi_text *names = trmi_part_texts(a->def, "bodies");
  double points[6], E[9], along[9];
  if (names == NULL || !trmi_need_marker(m, &names[0], &a->A) ||
      !trmi_need_marker(m, &names[1], &a->B)) {
    return false;
  }
  if (trmi_part_find(a->def, "points") == NULL) {
    return trmi_force_fault(m, a, "bodies", "with bodies two 'points' are needed");
  }
  if (!trmi_part_numbers(a->def, "points", 6, points)) return false;
  if (a->A.body == a->B.body) {
    return trmi_force_fault(m, a, "bodies", "both ends are on the same body");
  }
  const trmi_vec3 x_A = v3_load(points), x_B = v3_load(points + 3);
  if (trmi_part_has(a->def, "orientation")) {
    if (!read_axes(m, a, E)) return false;
  } else if (trmi_axes_from(v3_sub(x_B, x_A), NULL, along)) {
    for (int k = 0; k < 3; k++) v3_store(E + 3 * k, m3_row(along, (k + 2) % 3));
  } else {
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(E, identity, sizeof E);
  }
  a->A = trmi_place_marker(m, a->A.body, x_A, E);
  a->B = trmi_place_marker(m, a->B.body, x_B, E);
  return true;
}

/* The axes of two bodies at one point follow `orientation`, if given. */
static bool turn_ends(trmi_mechanism *m, trmi_force *a) {
  double at[3], E[9];
  const bool is_turned = trmi_part_has(a->def, "orientation");
  if (!is_turned || trmi_part_find(a->def, "bodies") == NULL) return true;
  if (trmi_part_find(a->def, "axis") != NULL) {
    return trmi_force_fault(m, a, "axis", "give 'axis' or 'orientation', not both");
  }
  if (!trmi_part_numbers(a->def, "at", 3, at) || !read_axes(m, a, E)) {
    return false;
  }
  a->A = trmi_place_marker(m, a->A.body, v3_load(at), E);
  a->B = trmi_place_marker(m, a->B.body, v3_load(at), E);
  return true;
}

static bool read_joint(trmi_mechanism *m, trmi_force *a) {
  const trmi_text *name = trmi_part_texts(a->def, "joint");
  if (name == NULL) return trmi_force_fault(m, a, "type", "it needs a 'joint'");
  a->joint = trmi_need_joint(m, name);
  return a->joint != NULL && trmi_read_coordinate(m, a->def, a->joint, &a->of_joint);
}

static bool read_both(trmi_mechanism *m, trmi_force *a) {
  const trmi_part *part = a->def;
  const bool is_one = trmi_part_find(part, "marker") != NULL ||
                      trmi_part_find(part, "body") != NULL;
  if (a->type->ends == TRMI_ON_JOINT) return read_joint(m, a);
  if (a->type->ends == TRMI_ON_ONE && is_one) return read_one(m, a);
  const bool by_bodies = trmi_part_find(part, "bodies") != NULL;
  if (a->type->ends == TRMI_ON_ONE && !by_bodies && trmi_part_find(part, "markers") == NULL) {
    return trmi_force_fault(m, a, "type", "it needs a 'marker' or 'body', or two of them");
  }
  if (a->type->ends == TRMI_ON_LINE && by_bodies) return read_points(m, a);
  if (!by_bodies) {
    static const char *const of_bodies[] = {"at", "axis", "points", "orientation"};
    for (int i = 0; i < 4; i++) {
      if (!trmi_part_has(part, of_bodies[i])) continue;
      return trmi_force_fault(m, a, of_bodies[i], "markers have a place of their own; this "
                                                   "key is for bodies");
    }
  }
  return trmi_read_ends(m, part, false, &a->A, &a->B) && turn_ends(m, a);
}

bool trmi_force_read_ends(trmi_mechanism *m, trmi_force *a) {
  const trmi_text *frame = trmi_part_texts(a->def, "frame");
  (void)trmi_find_marker(m, "ground", strlen("ground"), &a->frame);
  if (!read_both(m, a)) return false;
  if (frame != NULL && !trmi_need_marker(m, frame, &a->frame)) return false;
  if (a->type->ends == TRMI_ON_JOINT) return true;
  if (!trmi_check_point(m, a->def, &a->A) || !trmi_check_point(m, a->def, &a->B)) return false;
  if (!a->type->needs_turning) return true;
  const trmi_marker *const ends[2] = {&a->A, &a->B};
  for (int i = 0; i < 2; i++) {
    const trmi_body *body = &m->bodies[ends[i]->body];
    if (body->kind != TRMI_CARRIER_POINT) continue;
    trmi_complain(m->complaints, a->def->key.place, "force '%.60s': '%.60s' is a point, which "
                  "cannot turn", a->def->key.name, body->name);
    return false;
  }
  return true;
}

/* ---- the line between them ------------------------------------------------------------------ */

double trmi_force_distance(trmi_mechanism *m, const trmi_force *a) {
  trmi_vec3 x_A, x_B;
  double E[9];
  trmi_marker_at_start(m, &a->A, &x_A, E);
  trmi_marker_at_start(m, &a->B, &x_B, E);
  return v3_norm(v3_sub(x_B, x_A));
}

bool trmi_force_needs_distance(trmi_mechanism *m, const trmi_force *a) {
  trmi_vec3 x_A, x_B;
  double E[9];
  trmi_marker_at_start(m, &a->A, &x_A, E);
  trmi_marker_at_start(m, &a->B, &x_B, E);
  const double size = v3_norm(x_A) + v3_norm(x_B) + v3_norm(a->A.s) + v3_norm(a->B.s);
  if (v3_norm(v3_sub(x_B, x_A)) > 1e-12 * size) return true; /* rounding of the two points */
  return trmi_force_fault(m, a, "markers", "both ends are at the same place at the start: the "
                                            "line between them has no direction");
}

trmi_nodes3 trmi_force_between(trmi_mechanism *m, const trmi_force *a) {
  const trmi_frame A = trmi_frame_of(m, &a->A), B = trmi_frame_of(m, &a->B);
  return n3_sub(&m->b->graph, B.x, A.x);
}

void trmi_force_length(trmi_mechanism *m, trmi_force *a) {
  a->coordinate = n3_norm(&m->b->graph, trmi_force_between(m, a)); /* (1) */
}
