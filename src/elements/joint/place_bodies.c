/* place_bodies.c - bodies without `at` and `orientation` are placed by the joints that hold them.
 *
 * A joint between markers puts its two frames together with all coordinates zero, so that from the
 * frame of one body the pose of the other follows:
 *   R_body = R_frame E,  x_body = x_frame - R_body s                                       (1)
 * with E, s the axes and the origin of its marker. Frames agree, except that z of one is x of the
 * other where arms of a cross are held perpendicular. A body that a joint names by `bodies` stays
 * where it is: the key `at` of the joint refers to that place. */
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

/* Markers that a joint puts together. False: it is not given by markers, or leaves them apart. */
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
    if (found == NULL) return false; /* whoever needs it complains */
    pair[k] = *found;
  }
  return true;
}

/* Place the body of one marker by the other, which is drawn; `offset` of a plane counts from A. */
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

/* Of all bodies: has it a place of its own? */
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

/* One pass over all joints, forwards or backwards; whether it placed a body. `first` receives a
 * body that no joint could place, -1: none. */
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
  if (is_drawn == NULL) return; /* the arena remembers */
  int first = -1;
  for (bool is_backwards = false;; is_backwards = !is_backwards) {
    if (place_pass(m, is_drawn, is_backwards, &first)) continue;
    if (first < 0) return;
    is_drawn[first] = true; /* of bodies that hang on nothing the first stays at the origin */
  }
}
