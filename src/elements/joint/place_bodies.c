/* place_bodies.c - places bodies without `at` and `orientation` by their joints.
 *
 * A joint between markers joins its two frames with all coordinates zero, so that the frame of one
 * body determines the pose of the other:
 *   R_body = R_frame E,  x_body = x_frame - R_body s                                       (1)
 * with E, s the axes and the origin of its marker. Frames agree, except that z of one is x of the
 * other where arms of a cross are perpendicular. A body that a joint names by `bodies` is not
 * moved: the key `at` of the joint refers to its given pose. */
#include "elements/joint/joint_pose.h"
#include <string.h>

/* Axes of the other marker in those of this one; the relation is its own inverse. */
static const double same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double crossed[9] = {0, 0, 1, 0, -1, 0, 1, 0, 0};

void trmi_body_on_frame(const trmi_marker *marker, trmi_vec3 x, const double E[9],
                        trmi_body *body) {
  double axes[9], R[9];
  if (body->kind == TRMI_CARRIER_BODY) { /* columns of `axes` are ground axes, rows those of body */
    for (int k = 0; k < 3; k++) {
      trmi_vec3 axis = v3(0, 0, 0);
      for (int i = 0; i < 3; i++) {
        axis = v3_add(axis, v3_scale(marker->E[3 * i + k], m3_row(E, i)));
      }
      v3_store(axes + 3 * k, axis);
    }
    trmi_quat_of_axes(axes, body->q0 + 3);
  }
  trmi_quat_matrix(body->q0 + 3, R);
  v3_store(body->q0, v3_sub(x, m3_mul(R, marker->s))); /* (1) */
}

/* Markers joined by a joint. False: it is not given by markers, or does not join them. */
static bool read_pair(const trmi_mechanism *m, const trmi_part *part, trmi_marker pair[2],
                      const double **relation) {
  const trmi_text *names = part->kind != NULL ? trmi_part_texts(part, "markers") : NULL;
  const trmi_joint_type *type =
      part->kind != NULL ? trmi_joint_type_find(part->kind->type) : NULL;
  if (names == NULL || type == NULL || type->nrows == 0) return false;
  if (type->ends != TRMI_ENDS_POINT && type->ends != TRMI_ENDS_AXIS &&
      type->ends != TRMI_ENDS_BENT && type->ends != TRMI_ENDS_ACROSS) {
    return false;
  }
  *relation = type->ends == TRMI_ENDS_ACROSS ? crossed : same;
  for (int k = 0; k < 2; k++) {
    trmi_marker made;
    const trmi_marker *found = trmi_find_marker(m, names[k].text, names[k].length, &made);
    if (found == NULL) return false; /* reported where it is needed */
    pair[k] = *found;
  }
  return true;
}

/* Place the body of one marker by the other, which is already placed; `offset` of a plane counts
 * from A. */
static void place(trmi_mechanism *m, const trmi_part *part, const trmi_marker pair[2],
                  const double *relation, int end) {
  trmi_vec3 x;
  double E[9], turned[9];
  trmi_marker_at_start(m, &pair[1 - end], &x, E);
  m3_mm(relation, E, turned);
  const bool has_offset = trmi_part_find(part, "offset") != NULL;
  const double offset = has_offset ? trmi_part_number(part, "offset") : 0.0;
  x = v3_add(x, v3_scale(end == 1 ? offset : -offset, m3_row(E, 2)));
  trmi_body_on_frame(&pair[end], x, turned, &m->bodies[pair[end].body]);
}

/* For all bodies: does it have a pose of its own? */
static bool *find_drawn(trmi_mechanism *m) {
  const trmi_parts *joints = &m->def->parts[TRMI_JOINTS];
  bool *is_drawn = TRMI_TAKE(m->arena, bool, m->nbodies);
  if (is_drawn == NULL) return NULL;
  for (int i = 0; i < m->nbodies; i++) {
    const trmi_part *def = m->bodies[i].def;
    is_drawn[i] = i == 0 || def == NULL || trmi_part_has(def, "at") ||
                  trmi_part_has(def, "orientation") || m->bodies[i].is_guess;
  }
  for (int i = 0; i < joints->count; i++) {
    const trmi_part *part = &joints->list[i];
    const trmi_text *names = part->kind != NULL ? trmi_part_texts(part, "bodies") : NULL;
    for (int k = 0; names != NULL && k < 2; k++) {
      trmi_marker made;
      const trmi_marker *found = trmi_find_marker(m, names[k].text, names[k].length, &made);
      if (found != NULL) is_drawn[found->body] = true;
    }
  }
  return is_drawn;
}

/* One pass over all joints, forward or backward; returns whether it placed a body. `first` receives
 * a body that no joint could place, -1: none. */
static bool place_pass(trmi_mechanism *m, bool *is_drawn, bool is_backwards, int *first) {
  const trmi_parts *joints = &m->def->parts[TRMI_JOINTS];
  bool any = false;
  *first = -1;
  for (int i = 0; i < joints->count; i++) {
    const trmi_part *part = &joints->list[is_backwards ? joints->count - 1 - i : i];
    trmi_marker pair[2];
    const double *relation;
    if (!read_pair(m, part, pair, &relation)) continue;
    const bool has_A = is_drawn[pair[0].body], has_B = is_drawn[pair[1].body];
    if (!has_A && !has_B && (*first < 0 || is_backwards)) *first = pair[0].body;
    if (has_A == has_B) continue;
    place(m, part, pair, relation, has_A ? 1 : 0);
    is_drawn[pair[0].body] = is_drawn[pair[1].body] = any = true;
  }
  return any;
}

void trmi_place_bodies(trmi_mechanism *m) {
  bool *is_drawn = find_drawn(m);
  if (is_drawn == NULL) return; /* recorded by the arena */
  int first = -1;
  for (bool is_backwards = false;; is_backwards = !is_backwards) {
    if (place_pass(m, is_drawn, is_backwards, &first)) continue;
    if (first < 0) return;
    is_drawn[first] = true; /* the first of unconnected bodies remains at the origin */
  }
}
