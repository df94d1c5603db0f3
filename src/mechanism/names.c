/* names.c - names of bodies, markers, joints and motions in expressions.
 *
 * After a frame (body or marker): x y z, vx vy vz in ground axes, wx wy wz in its own axes, and of
 * bodies q0 .. q3. After a joint: its coordinates (elements/joint/joint_types.c); force.x, torque.x
 * (on B from A, at the marker of B, ground axes, by rows alone), A.force.x, B.force.x (in the axes
 * of that marker); stop and friction (their force along the coordinate), normal (load of friction);
 * contact.x (point of contact of a wheel); load (force of a gear, rack, coupler or constraint along
 * its first coordinate, or row). After a motion: force or torque, its load on B. After a force: see
 * elements/force/force_types.c; after a contact elements/contact/read_contacts.c. After a beam:
 * element3.force.x, element3.moment.x, in axes of the section in the middle of the element. After a
 * flexible body: mode3; its interfaces are frames. A prime denotes the rate. */
#include "elements/elements.h"
#include "elements/force/force_types.h"
#include "elements/flex/modal_stress.h"
#include "equations/equations_quantities.h"
#include <stdio.h>
#include <string.h>

/* ---- expressions ---------------------------------------------------------------------------- */

/* A name split at its dots: words by start and length. */
typedef struct words {
  const char *at[6];
  size_t      length[6];
  int         count;
} words;

static bool is_word(const words *w, int i, const char *text) {
  return i < w->count && strlen(text) == w->length[i] &&
         memcmp(w->at[i], text, w->length[i]) == 0;
}

static words cut(const char *name, size_t length) {
  words w = {.count = 0};
  for (size_t from = 0; from <= length && w.count < 6;) {
    size_t to = from;
    while (to < length && name[to] != '.') to++;
    w.at[w.count] = name + from;
    w.length[w.count++] = to - from;
    from = to + 1;
  }
  return w;
}

/* 0, 1, 2 for a word that is `before` followed by x, y or z; otherwise -1 */
static int letter(const words *w, int i, const char *before) {
  const size_t n = strlen(before);
  if (i >= w->count || w->length[i] != n + 1 || memcmp(w->at[i], before, n) != 0) return -1;
  const char last = w->at[i][n];
  return last >= 'x' && last <= 'z' ? last - 'x' : -1;
}

static trmi_dimension dimension(int length, int time, int force) {
  return (trmi_dimension){.is_known = true, .length = (signed char)length,
                          .time = (signed char)time, .force = (signed char)force};
}

/* Names after a frame. */
static bool frame_name(trmi_mechanism *m, const trmi_marker *marker, const words *w, int i,
                       trmi_meaning *out) {
  trmi_graph *g = &m->b->graph;
  const trmi_body *body = &m->bodies[marker->body];
  if (i + 1 != w->count) return false;
  const trmi_frame f = trmi_frame_of(m, marker);
  int k;
  if ((k = letter(w, i, "")) >= 0) {
    out->node = n3_part(f.x, k);
    out->dimension = dimension(1, 0, 0);
  } else if ((k = letter(w, i, "v")) >= 0) {
    out->node = n3_part(f.v, k);
    out->dimension = dimension(1, -1, 0);
  } else if ((k = letter(w, i, "w")) >= 0) {
    out->node = n3_dot(g, f.axis[k], f.w);
    out->dimension = dimension(0, -1, 0);
  } else if (w->length[i] == 2 && w->at[i][0] == 'q' && body->kind == TRMI_CARRIER_BODY) {
    k = w->at[i][1] - '0';
    if (k < 0 || k > 3 || marker->name != body->name) return false;
    out->node = trmi_input_node(m->b, TRMI_IN_Q, body->q + 3 + k);
  } else {
    return false;
  }
  return true;
}

/* A single word after a joint. */
static bool joint_number(trmi_mechanism *m, trmi_joint *j, const words *w, int i,
                         trmi_meaning *out) {
  trmi_compiler *b = m->b;
  const int k = trmi_coordinate_find(j->type, w->at[i], w->length[i]);
  if (k >= 0) {
    out->node = trmi_joint_coordinate(m, j, k);
    if (j->type->coordinates[k].kind == TRMI_OWN) return true;
    out->dimension = dimension(trmi_joint_turns(j, k) ? 0 : 1, 0, 0);
  } else if (is_word(w, i, "normal") && j->variable >= 0) {
    out->node = trmi_input_node(b, TRMI_IN_W, m->def->parts[TRMI_VARIABLES].count + j->variable);
    out->dimension = dimension(0, 0, 1);
  } else if (is_word(w, i, "load") && j->type->ends == TRMI_ENDS_NONE) {
    const int row = m->extension.add.native_rows + j->node_row;
    out->node = trmi_neg(&b->graph, trmi_input_node(b, TRMI_IN_LAM, row));
    out->dimension = j->load_unit;
  } else if (is_word(w, i, "stop") && j->stop != 0) {
    out->node = j->stop;
    out->dimension = j->stop_unit;
  } else if (is_word(w, i, "friction") && j->friction != 0) {
    out->node = j->friction;
    out->dimension = j->friction_unit;
  } else {
    return false;
  }
  return true;
}

/* Names after a joint. */
static bool joint_name(trmi_mechanism *m, trmi_joint *j, const words *w, int i,
                       trmi_meaning *out) {
  trmi_graph *g = &m->b->graph;
  if (i + 1 == w->count) return joint_number(m, j, w, i, out);
  if (is_word(w, i, "contact") && j->rolling >= 0 && letter(w, i + 1, "") >= 0) {
    out->node = n3_part(trmi_contact_point(m, j), letter(w, i + 1, ""));
    out->dimension = dimension(1, 0, 0);
    return true;
  }
  const trmi_marker *along = is_word(w, i, "A") ? &j->A : is_word(w, i, "B") ? &j->B : NULL;
  if (along != NULL) i++;
  const bool is_force = is_word(w, i, "force"), is_torque = is_word(w, i, "torque");
  const int k = letter(w, i + 1, "");
  if ((!is_force && !is_torque) || k < 0 || i + 2 != w->count) return false;
  if (j->type->ends == TRMI_ENDS_NONE) return false;
  trmi_nodes3 force, torque;
  trmi_joint_reaction(m, j, &force, &torque);
  trmi_nodes3 load = is_force ? force : torque;
  if (along != NULL) {
    const trmi_frame f = trmi_frame_of(m, along);
    load = n3_along(g, f.axis, load);
  }
  out->node = n3_part(load, k);
  out->dimension = dimension(is_force ? 0 : 1, 0, 1);
  return true;
}

/* Load of a motion on B along or about its coordinate. */
static bool motion_name(trmi_mechanism *m, const words *w, trmi_meaning *out) {
  for (int i = 0; i < m->nmotions; i++) {
    const trmi_motion *motion = &m->motions[i];
    if (w->count != 2 || !is_word(w, 0, motion->def->key.name)) continue;
    const bool is_torque = is_word(w, 1, "torque");
    if (!is_torque && !is_word(w, 1, "force")) return false;
    const trmi_load_kind load = trmi_motion_load(motion);
    if (load != TRMI_LOAD_ANY && is_torque != (load == TRMI_LOAD_TORQUE)) return false;
    const int row = m->extension.add.native_rows + motion->row;
    out->node = trmi_neg(&m->b->graph, trmi_input_node(m->b, TRMI_IN_LAM, row));
    out->dimension = dimension(is_torque ? 1 : 0, 0, 1);
    return true;
  }
  return false;
}

/* The number of "element3" from 1 on; 0: something else. */
static int number_after(const words *w, int i, const char *word) {
  const size_t n = strlen(word);
  int number = 0;
  if (w->length[i] <= n || w->length[i] > n + 9 || memcmp(w->at[i], word, n) != 0) return 0;
  for (size_t k = n; k < w->length[i]; k++) {
    const char digit = w->at[i][k];
    if (digit < '0' || digit > '9') return 0;
    number = 10 * number + (digit - '0');
  }
  return number;
}

/* rod.element3.force.x */
static bool beam_name(trmi_mechanism *m, const words *w, trmi_meaning *out) {
  const trmi_beam_part *beam = trmi_find_beam(m, w->at[0], w->length[0]);
  if (beam == NULL || w->count != 4) return false;
  const bool is_force = is_word(w, 2, "force");
  const int element = number_after(w, 1, "element"), k = letter(w, 3, "");
  if ((!is_force && !is_word(w, 2, "moment")) || k < 0) return false;
  if (element < 1 || element > beam->elements) return false;
  trmi_nodes3 load[2];
  trmi_beam_loads_nodes(m, beam, element - 1, load);
  out->node = n3_part(load[is_force ? 0 : 1], k);
  out->dimension = dimension(is_force ? 0 : 1, 0, 1);
  return true;
}

/* rod.node12.mises, rod.node12.xy, rod.node12.2.mises */
static bool stress_name(trmi_mechanism *m, const trmi_flexible_part *f, const words *w,
                        trmi_meaning *out) {
  static const char *const parts[] = {"xx", "yy", "zz", "xy", "xz", "yz", "mises"};
  const int node = number_after(w, 1, "node"), last = w->count - 1;
  const int copy = w->count == 4 ? number_after(w, 2, "") : 1;
  for (int k = 0; k < 7; k++) {
    if (!is_word(w, last, parts[k])) continue;
    out->dimension = dimension(-2, 0, 1);
    return trmi_modal_stress_node(m, f, (trmi_stress_place){node, copy, k}, &out->node);
  }
  return false;
}

/* rod.mode3, rod.heat of a load, and rod.x .. of the floating frame */
static bool flexible_name(trmi_mechanism *m, const words *w, trmi_meaning *out) {
  const trmi_flexible_part *f = trmi_find_flexible(m, w->at[0], w->length[0]);
  if (f != NULL && (w->count == 3 || w->count == 4)) return stress_name(m, f, w, out);
  if (f == NULL || w->count != 2) return false;
  const int mode = number_after(w, 1, "mode");
  int k = trmi_find_body_load(f, w->at[1], w->length[1]);
  if (k >= 0) {
    if (!f->reduced->arrays.loads[k].is_heat) out->dimension = dimension(-2, 0, 1);
    out->node = trmi_body_load_node(m, f, k);
    return true;
  }
  if (mode >= 1 && mode <= f->reduced->arrays.n) {
    out->node = trmi_input_node(m->b, TRMI_IN_Q, f->q + 6 + mode);
  } else if ((k = letter(w, 1, "")) >= 0) {
    out->node = trmi_input_node(m->b, TRMI_IN_Q, f->q + k);
    out->dimension = dimension(1, 0, 0);
  } else if ((k = letter(w, 1, "v")) >= 0) {
    out->node = trmi_input_node(m->b, TRMI_IN_V, f->v + k);
    out->dimension = dimension(1, -1, 0);
  } else if ((k = letter(w, 1, "w")) >= 0) {
    out->node = trmi_input_node(m->b, TRMI_IN_V, f->v + 3 + k);
    out->dimension = dimension(0, -1, 0);
  } else {
    return false;
  }
  return true;
}

static bool has_hinge(const trmi_joint_type *type) {
  for (int k = 0; k < trmi_coordinate_count(type); k++) {
    if (trmi_coordinate_is_hinge(&type->coordinates[k])) return true;
  }
  return false;
}

/* The angle of a body is that of the only joint that defines one for it. */
static trmi_joint *joint_with_angle(trmi_mechanism *m, int body) {
  trmi_joint *found = NULL;
  for (int i = 0; i < m->njoints; i++) {
    trmi_joint *j = &m->joints[i];
    if (j->B.body != body || !has_hinge(j->type)) continue;
    if (found != NULL) return NULL;
    found = j;
  }
  return found;
}

static bool find_name(trmi_mechanism *m, const words *w, trmi_place place, trmi_meaning *out) {
  trmi_marker made;
  for (int i = w->count - 1; i > 0; i--) { /* the longest name of a frame takes precedence */
    const size_t length = (size_t)(w->at[i - 1] + w->length[i - 1] - w->at[0]);
    const trmi_marker *marker = trmi_find_marker(m, w->at[0], length, &made);
    if (marker != NULL && frame_name(m, marker, w, i, out)) return true;
  }
  const int body = trmi_find_body(m, w->at[0], w->length[0]);
  trmi_joint *joint = body > 0 && w->count == 2 && is_word(w, 1, "angle")
                          ? joint_with_angle(m, body)
                          : trmi_find_joint(m, w->at[0], w->length[0]);
  if (joint != NULL) return joint_name(m, joint, w, 1, out);
  if (w->count > 2) { /* the clamp of a beam, rod.first */
    joint = trmi_find_joint(m, w->at[0], w->length[0] + 1 + w->length[1]);
    if (joint != NULL) return joint_name(m, joint, w, 2, out);
  }
  if (beam_name(m, w, out) || flexible_name(m, w, out)) return true;
  trmi_force *action = trmi_find_force(m, w->at[0], w->length[0]);
  if (action != NULL && w->count > 1) {
    const char *end = w->at[w->count - 1] + w->length[w->count - 1];
    return trmi_force_number(m, action, w->at[1], (size_t)(end - w->at[1]), place, out);
  }
  const trmi_contact *contact = trmi_find_contact(m, w->at[0], w->length[0]);
  if (contact != NULL && w->count > 1) {
    const char *end = w->at[w->count - 1] + w->length[w->count - 1];
    return trmi_contact_number(m, contact, w->at[1], (size_t)(end - w->at[1]), out);
  }
  return motion_name(m, w, out);
}

/* List the names of an object, if the first word is one; false: it is not. */
static bool complain_of_rest(trmi_mechanism *m, const words *w, trmi_place place) {
  static const char frames[] = "x, y, z, vx .., wx .., and of bodies q0 .. q3";
  const size_t n = w->length[0];
  const char *sort = NULL, *has = frames, *loads = "";
  char list[TRMI_COORDINATE_LIST];
  const trmi_joint *joint = trmi_find_joint(m, w->at[0], n);
  const trmi_force *force = trmi_find_force(m, w->at[0], n);
  const trmi_flexible_part *flexible = trmi_find_flexible(m, w->at[0], n);
  if (trmi_find_body(m, w->at[0], n) >= 0) {
    sort = "body";
  } else if (flexible != NULL) {
    snprintf(list, sizeof list, "mode1 .. mode%d, ", flexible->reduced->arrays.n);
    sort = "flexible body", has = list;
    loads = "x, y, z, vx .., wx .., its interfaces and loads, and stress at nodes of its surface, "
            "node12.mises, node12.xx ..";
  } else if (force != NULL) {
    trmi_force_list(force, list, sizeof list);
    sort = "force", has = list;
  } else if (trmi_find_beam(m, w->at[0], n) != NULL) {
    sort = "beam";
    has = "nodes (first.x, last.vz, 3.x ..), loads of clamps (first.force.x, first.torque.x ..) "
          "and of elements (element1.force.x, element1.moment.x ..)";
  } else if (trmi_find_contact(m, w->at[0], n) != NULL) {
    sort = "contact", has = "force, gap, rate, slip, friction, sticks, force.x .., point.x ..";
  }
  if (joint != NULL) {
    const bool has_loads = joint->type->ends != TRMI_ENDS_NONE;
    trmi_coordinate_list(joint->type, NULL, list);
    sort = "joint", has = list;
    loads = !has_loads ? "load" : list[0] == '\0' ? "force.x .., torque.x .."
                                                  : " (with a prime its rate), force.x .., "
                                                    "torque.x ..";
  }
  for (int i = 0; i < m->nmotions && sort == NULL; i++) {
    if (!is_word(w, 0, m->motions[i].def->key.name)) continue;
    sort = "motion";
    has = trmi_motion_load(&m->motions[i]) == TRMI_LOAD_TORQUE ? "torque" : "force";
  }
  if (sort == NULL) return false;
  if (w->count < 2) {
    trmi_complain(m->complaints, place, "%s '%.*s' is not a number: say what of it, after a dot; "
                  "it has %s%s", sort, n < 60 ? (int)n : 60, w->at[0], has, loads);
    return true;
  }
  const char *end = w->at[w->count - 1] + w->length[w->count - 1];
  const int rest = end - w->at[1] < 60 ? (int)(end - w->at[1]) : 60;
  trmi_complain(m->complaints, place, "%s '%.*s' has no '%.*s'; it has %s%s", sort,
                n < 60 ? (int)n : 60, w->at[0], rest, w->at[1], has, loads);
  return true;
}

/* The list of the first symbols of a node that are not allowed here, or TRMI_INPUT_LISTS. */
static trmi_input forbidden(trmi_compiler *b, trmi_node node) {
  const unsigned lists = trmi_lists_of(b, node) & ~(b->allowed | 1U << TRMI_IN_MEMORY);
  for (int list = 0; list < TRMI_INPUT_LISTS; list++) {
    if ((lists & 1U << list) != 0) return (trmi_input)list;
  }
  return TRMI_INPUT_LISTS;
}

bool trmi_check_allowed(trmi_compiler *b, trmi_node node, const char *name, int length,
                        trmi_place place) {
  static const char *const sorts[TRMI_INPUT_LISTS] = {
    [TRMI_IN_Q] = "a position", [TRMI_IN_V] = "a velocity", [TRMI_IN_VD] = "an acceleration",
    [TRMI_IN_LAM] = "a reaction", [TRMI_IN_MU] = "a reaction", [TRMI_IN_XD] = "a rate",
    [TRMI_IN_INPUT] = "something that depends on an input"};
  const trmi_input list = forbidden(b, node);
  if (list == TRMI_INPUT_LISTS) return true;
  const bool may_be_variable = list == TRMI_IN_LAM || list == TRMI_IN_VD;
  trmi_complain(b->complaints, place, "'%.*s' is %s and cannot be used in %s%s", length, name,
                sorts[list] != NULL ? sorts[list] : "an unknown", b->known,
                may_be_variable ? "; give it a name under variables" : "");
  return false;
}

/* Accelerations, reactions and expressions of them are solved for: their rates are unknown. */
static const unsigned without_rate = 1U << TRMI_IN_VD | 1U << TRMI_IN_LAM | 1U << TRMI_IN_MU |
                                     1U << TRMI_IN_XD | 1U << TRMI_IN_W;

bool trmi_mechanism_number(trmi_mechanism *m, const char *name, trmi_meaning *out) {
  const words w = cut(name, strlen(name));
  return find_name(m, &w, (trmi_place){0}, out);
}

bool trmi_mechanism_name(void *self, trmi_compiler *b, const char *name, size_t length, int primes,
                         trmi_place place, trmi_meaning *out) {
  trmi_mechanism *m = self;
  const words w = cut(name, length);
  if (!find_name(m, &w, place, out)) return complain_of_rest(m, &w, place);
  for (int k = 0; k < primes; k++) {
    if ((trmi_lists_of(b, out->node) & without_rate) != 0) {
      trmi_complain(m->complaints, place, "'%.*s' depends on an acceleration, a reaction or a "
                    "variable: its rate is not known", (int)length + k, name);
      out->node = 0;
      return true;
    }
    out->node = trmi_velocity_of(m, out->node);
    out->dimension = trmi_dimension_product(out->dimension, dimension(0, 1, 0), -1);
  }
  if (!trmi_check_allowed(b, out->node, name, (int)length + primes, place)) out->node = 0;
  return true;
}

const char *trmi_mechanism_known(void *self, int i) {
  const trmi_mechanism *m = self;
  if (i < m->nbodies) return m->bodies[i].name;
  i -= m->nbodies;
  if (i < m->nmarkers) return m->markers[i].name;
  i -= m->nmarkers;
  if (i < m->njoints) return m->joints[i].def->key.name;
  i -= m->njoints;
  if (i < m->nmotions) return m->motions[i].def->key.name;
  i -= m->nmotions;
  if (i < m->nforces) return m->forces[i].def->key.name;
  i -= m->nforces;
  return i < m->ncontacts ? m->contacts[i].name : NULL;
}

/* ---- for the reference page ------------------------------------------------------------------ */

/* clang-format off */
static const trmi_function_info shown[] = {
  {"x y z", "body, marker", "Position, ground axes."},
  {"vx vy vz", "body, marker", "Velocity, ground axes."},
  {"wx wy wz", "body, marker", "Angular velocity, in the axes of the body or marker."},
  {"q0 q1 q2 q3", "body", "Quaternion of its orientation, scalar first."},
  {"angle", "body", "Angle of the only joint that turns it."},
  {"angle, displacement, x ..", "joint",
   "Its coordinates as the table of types has them, B against A; angles count full turns."},
  {"force.x, torque.x", "joint",
   "Force and moment of its rows on B, at the marker of B, ground axes; A.force.x, B.force.x: in "
   "the axes of that marker."},
  {"stop, friction, normal", "joint",
   "Force of stops and friction along the coordinate; the load of the friction."},
  {"contact.x", "joint", "rolling: where the wheel touches."},
  {"load", "joint", "gear, rack, coupler, constraint: its force along its first coordinate."},
  {"force, torque", "motion", "Force on B along, or moment about, the coordinate."},
  {"length, angle, rate", "force", "spring; torsion: its coordinate and rate."},
  {"x y z rx ry rz", "force", "bushing, beam: deformations."},
  {"force, torque", "force",
   "spring, torsion, joint: the value; others: force.x, torque.x, on B, ground axes."},
  {"force", "contact", "Normal force; force.x: the whole force on the second body, ground axes."},
  {"gap, rate", "contact",
   "Smallest distance of the shapes, negative where they overlap; its rate."},
  {"slip", "contact", "Speed of sliding where the normal force is largest."},
  {"friction, sticks", "contact", "Force across the normal; 1 while friction holds, else 0."},
  {"point.x", "contact", "Place of the force, ground axes."},
  {"element3.force.x, element3.moment.x", "beam",
   "Loads in the middle of an element, axes of the section."},
  {"node12.mises, node12.xx ..", "flexible body",
   "Stress at a node of its surface, or inside with `stress: {nodes: all}`: von Mises, or xx yy zz "
   "xy xz yz in body axes. Of a node between materials node12.2.mises is that of the second."},
};
/* clang-format on */

const trmi_function_info *trmi_mechanism_name_at(int i) {
  return i >= 0 && i < (int)(sizeof shown / sizeof *shown) ? &shown[i] : NULL;
}
