/* joint_ends.c - the two markers of a joint, and numbers computed from their poses at the start.
 *
 * With bodies, all points and directions are in ground axes at the start:
 *   ACROSS  z_A = axis, z_B = axis2, made perpendicular to it; x_A = z_B if it is not
 *           given, x_B = z_A: the angles about both axes are then zero at the start    (1)
 *   BENT    z_A = axis, z_B = axis2, x of both along axis x axis2: the angles about
 *           both axes are then zero at the start                                       (2)
 *   POINTS  A at the first, B at the second; with an axis x of both across it towards
 *           the second, if it is not given                                             (3)
 *   WHEEL   B at the middle of the wheel, z_B its axis e; A at the lowest point, z_A
 *           the normal n: x_A = x_B - r u,  u = (n - (n.e) e)/|n - (n.e) e|            (4)
 *           x of A is given or ahead, e x n; x of B is up, u                           (5) */
#include "math/so3.h"
#include "elements/elements.h"
#include <string.h>

static bool complain(trmi_mechanism *m, const trmi_joint *j, const char *path,
                     const char *sentence) {
  trmi_complain(m->complaints, trmi_part_place(j->def, path), "joint '%.60s': %s",
                j->def->key.name, sentence);
  return false;
}

/* Unit vector, or a complaint. */
static bool read_direction(trmi_mechanism *m, const trmi_joint *j, const char *path,
                           trmi_vec3 *out) {
  double numbers[3];
  if (!trmi_part_numbers(j->def, path, 3, numbers)) return false;
  *out = v3_load(numbers);
  const double length = v3_norm(*out);
  if (!(length > 0.0)) return complain(m, j, path, "the axis is zero");
  *out = v3_scale(1.0 / length, *out);
  return true;
}

/* ---- axis2 ---------------------------------------------------------------------------------- */

/* (1) */
static bool place_across(trmi_mechanism *m, trmi_joint *j, trmi_vec3 axis) {
  trmi_vec3 axis2, x;
  double E[9];
  const bool has_x = trmi_part_find(j->def, "x") != NULL;
  if (trmi_part_find(j->def, "axis2") == NULL) {
    return complain(m, j, "bodies", "with bodies 'axis2' is needed, the axis on the second one");
  }
  if (!read_direction(m, j, "axis2", &axis2)) return false;
  const double product = v3_dot(axis, axis2);
  if (!(fabs(product) < 1e-3)) {
    return complain(m, j, "axis2", "axis and axis2 are not perpendicular at the start");
  }
  trmi_marker_at_start(m, &j->B, &x, E);
  (void)trmi_axes_from(v3_sub(axis2, v3_scale(product, axis)), &axis, E);
  j->B = trmi_place_marker(m, j->B.body, x, E);
  (void)trmi_axes_from(axis, &axis2, E);
  if (!has_x) j->A = trmi_place_marker(m, j->A.body, x, E);
  return true;
}

/* (2) */
static bool place_bent(trmi_mechanism *m, trmi_joint *j, trmi_vec3 axis) {
  trmi_vec3 axis2 = axis, x;
  double E[9];
  if (trmi_part_find(j->def, "axis2") != NULL && !read_direction(m, j, "axis2", &axis2)) {
    return false;
  }
  trmi_vec3 across = v3_cross(axis, axis2);
  if (v3_dot(axis, axis2) < -0.99) {
    return complain(m, j, "axis2", "the axes are opposite; they go through the joint in one sense");
  }
  if (v3_norm(across) < 1e-8) return true; /* straight: unchanged */
  trmi_marker_at_start(m, &j->A, &x, E);
  (void)trmi_axes_from(axis, &across, E);
  j->A = trmi_place_marker(m, j->A.body, x, E);
  (void)trmi_axes_from(axis2, &across, E);
  j->B = trmi_place_marker(m, j->B.body, x, E);
  return true;
}

/* ---- points --------------------------------------------------------------------------------- */

/* (3) */
static bool place_points(trmi_mechanism *m, trmi_joint *j, bool needs_axis) {
  double points[6], E[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  trmi_vec3 axis;
  const trmi_text *names = trmi_part_texts(j->def, "bodies");
  if (names == NULL) return false;
  if (!trmi_need_marker(m, &names[0], &j->A) || !trmi_need_marker(m, &names[1], &j->B)) {
    return false;
  }
  if (trmi_part_find(j->def, "points") == NULL) {
    return complain(m, j, "bodies", "with bodies 'points' is needed, one on each of them");
  }
  if (!trmi_part_numbers(j->def, "points", 6, points)) return false;
  if (needs_axis) {
    if (trmi_part_find(j->def, "axis") == NULL) {
      return complain(m, j, "bodies", "with bodies an 'axis' is needed");
    }
    if (!read_direction(m, j, "axis", &axis)) return false;
    trmi_vec3 x = v3_sub(v3_load(points + 3), v3_load(points));
    const bool has_x = trmi_part_find(j->def, "x") != NULL;
    if (has_x && !read_direction(m, j, "x", &x)) return false;
    const bool is_across = trmi_axes_from(axis, &x, E);
    if (!is_across && has_x) return complain(m, j, "x", "x is parallel to the axis");
    if (!is_across) (void)trmi_axes_from(axis, NULL, E);
  }
  if (j->A.body == j->B.body) return complain(m, j, "bodies", "both ends are on the same body");
  j->A = trmi_place_marker(m, j->A.body, v3_load(points), E);
  j->B = trmi_place_marker(m, j->B.body, v3_load(points + 3), E);
  return true;
}

/* ---- wheels --------------------------------------------------------------------------------- */

/* (4) */
static bool place_wheel(trmi_mechanism *m, trmi_joint *j) {
  trmi_vec3 n = v3(0, 0, 1), x;
  double E[9];
  const double radius = trmi_part_number(j->def, "radius");
  if (trmi_part_find(j->def, "normal") != NULL && !read_direction(m, j, "normal", &n)) return false;
  trmi_marker_at_start(m, &j->B, &x, E);
  const trmi_vec3 e = m3_row(E, 2), up = v3_sub(n, v3_scale(v3_dot(n, e), e));
  if (!(v3_norm(up) > 1e-6)) {
    return complain(m, j, "axis", "the wheel lies flat on the plane: it has no point of contact");
  }
  (void)trmi_axes_from(e, &up, E);
  j->B = trmi_place_marker(m, j->B.body, x, E);
  trmi_vec3 ahead = v3_cross(e, n);
  if (trmi_part_find(j->def, "x") != NULL && !read_direction(m, j, "x", &ahead)) return false;
  if (!trmi_axes_from(n, &ahead, E)) return complain(m, j, "x", "x is parallel to the normal");
  j->A = trmi_place_marker(m, j->A.body, v3_sub(x, v3_scale(radius / v3_norm(up), up)), E);
  return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Half turns also satisfy rows of perpendicular axes, and assembly converges to the nearest
 * solution: markers that start in this way would remain so. */
static bool check_flip(trmi_mechanism *m, const trmi_joint *j) {
  trmi_vec3 x;
  double E_A[9], E_B[9];
  const trmi_held held = trmi_rows_hold(j->type->rows, j->type->nrows);
  if (held == TRMI_HOLDS_NONE) return true;
  trmi_marker_at_start(m, &j->A, &x, E_A);
  trmi_marker_at_start(m, &j->B, &x, E_B);
  if (v3_dot(m3_row(E_A, 2), m3_row(E_B, 2)) < -0.9) {
    return complain(m, j, "markers", "the z axes of its markers point against each other at the "
                    "start; turn one of them");
  }
  if (held != TRMI_HOLDS_ALL || !(v3_dot(m3_row(E_A, 0), m3_row(E_B, 0)) < -0.9)) return true;
  return complain(m, j, "markers", "its markers are half a turn apart at the start; turn one of "
                  "them");
}

/* Complain about keys that do not apply: markers have a position and axes of their own, and x needs
 * an axis to be perpendicular to. */
static bool check_keys(trmi_mechanism *m, const trmi_joint *j, bool by_bodies) {
  static const char *const of_bodies[] = {"at", "axis", "x", "axis2", "points", "normal"};
  for (int i = 0; i < 6 && !by_bodies; i++) {
    if (!trmi_part_has(j->def, of_bodies[i])) continue;
    return complain(m, j, of_bodies[i], "markers have a place and axes of their own; this key is "
                    "for bodies");
  }
  if (trmi_part_has(j->def, "x") && !trmi_part_has(j->def, "axis")) {
    return complain(m, j, "x", "'x' is the direction across the 'axis', which is missing");
  }
  return true;
}

static bool read_ends(trmi_mechanism *m, trmi_joint *j) {
  const trmi_ends ends = j->type->ends;
  const bool by_bodies = trmi_part_find(j->def, "bodies") != NULL &&
                         trmi_part_find(j->def, "markers") == NULL;
  const bool is_one = by_bodies != (trmi_part_find(j->def, "markers") != NULL);
  if (is_one && !check_keys(m, j, by_bodies)) return false;
  if (ends == TRMI_ENDS_WHEEL && trmi_part_find(j->def, "radius") == NULL) {
    return complain(m, j, "type", "it needs the 'radius' of the wheel");
  }
  if (by_bodies && (ends == TRMI_ENDS_POINTS || ends == TRMI_ENDS_AXIS_POINTS)) {
    return place_points(m, j, ends == TRMI_ENDS_AXIS_POINTS);
  }
  const bool needs_axis = ends != TRMI_ENDS_POINT && ends != TRMI_ENDS_POINTS;
  if (!trmi_read_ends(m, j->def, needs_axis, &j->A, &j->B)) return false;
  if (!by_bodies) return check_flip(m, j);
  trmi_vec3 x;
  double E[9];
  trmi_marker_at_start(m, &j->A, &x, E);
  switch (ends) {
  case TRMI_ENDS_ACROSS: return place_across(m, j, m3_row(E, 2));
  case TRMI_ENDS_BENT: return place_bent(m, j, m3_row(E, 2));
  case TRMI_ENDS_WHEEL: return place_wheel(m, j);
  default: return true;
  }
}

bool trmi_read_joint_ends(trmi_mechanism *m, trmi_joint *j) {
  return read_ends(m, j) && trmi_check_point(m, j->def, &j->A) &&
         trmi_check_point(m, j->def, &j->B);
}

/* ---- numbers of rows ------------------------------------------------------------------------ */

bool trmi_check_offset(trmi_mechanism *m, trmi_joint *j) {
  (void)m; /* all its numbers are valid */
  j->offset = trmi_part_number(j->def, "offset");
  return true;
}

/* From the point of A to that of B at the start, and z of A. */
static trmi_vec3 start_gap(const trmi_mechanism *m, const trmi_joint *j, trmi_vec3 *z) {
  trmi_vec3 x_A, x_B;
  double E[9], E_B[9];
  trmi_marker_at_start(m, &j->A, &x_A, E);
  trmi_marker_at_start(m, &j->B, &x_B, E_B);
  *z = m3_row(E, 2);
  return v3_sub(x_B, x_A);
}

bool trmi_check_distance(trmi_mechanism *m, trmi_joint *j) {
  trmi_vec3 z;
  const double now = v3_norm(start_gap(m, j, &z));
  j->length = trmi_part_number_or(j->def, "length", now);
  if (j->length > 0.0) return true;
  return complain(m, j, "length", "the length is zero; a spherical joint holds points together");
}

bool trmi_check_rod(trmi_mechanism *m, trmi_joint *j) {
  trmi_vec3 z;
  const trmi_vec3 d = start_gap(m, j, &z);
  j->offset = trmi_part_number_or(j->def, "offset", v3_dot(z, d));
  j->length = trmi_part_number_or(j->def, "length", v3_norm(d));
  if (j->length > fabs(j->offset) * (1.0 + 1e-9)) return true;
  return complain(m, j, "length", "the ball lies on the axis: the rod has no length across it");
}
