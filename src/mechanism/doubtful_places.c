/* doubtful_places.c - remarks on doubtful positions: a body, a joint or an end of a force far from
 * everything it belongs to, whose position is often in another unit; a radius of friction larger
 * than all that moves; two contacts between the same bodies, which both push; gears and couplers of
 * the same two joints, which may lock them.
 *
 * The arm of a body at a joint is the distance of its origin from the joint at the start. The
 * longest arm of a model is compared with the arms of other bodies at other joints, since a
 * misplaced body has only long arms, and a misplaced joint gives both its bodies one. If there are
 * no others, it is compared with the radius of gyration of the body: then the factor must be 300,
 * since bobs on long rods are small. The arm of an end of a force is compared with all arms at
 * joints and at other forces. */
#include "mechanism/blueprint.h"
#include "elements/joint/joint_types.h"
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double most_of_arms = 100.0, most_of_size = 300.0;
static const double bearing_most = 1.0, most_of_model = 3.0; /* radii of friction [m], [1] */

/* Are both bodies of a joint at its position? Slides, rods and curves may be long. */
static bool shares_place(const trmi_joint *j) {
  return strstr("|revolute|fixed|spherical|universal|constant_velocity|", j->type->name) != NULL;
}

/* The arm of a body at a marker; 0 if it has none: the ground, nodes of beams, interfaces. */
static double arm_at(const trmi_mechanism *m, const trmi_marker *end) {
  const trmi_body *body = &m->bodies[end->body];
  const bool is_rigid = body->kind == TRMI_CARRIER_BODY && body->def != NULL &&
                        body->flexible == NULL && body->beam == NULL;
  return is_rigid ? v3_norm(end->s) : 0.0;
}

static double arm_of(const trmi_mechanism *m, const trmi_joint *j, const trmi_marker *end) {
  return shares_place(j) ? arm_at(m, end) : 0.0;
}

/* sqrt(J/m), by the largest moment of inertia */
static double radius_of_gyration(const trmi_body *body) {
  const double *J = body->inertia.J;
  const double most = fmax(J[0], fmax(J[4], J[8]));
  return body->inertia.mass > 0.0 && most > 0.0 ? sqrt(most / body->inertia.mass) : 0.0;
}

/* @param from    what it is far from, "its joint 'hinge'"
 * @param others  the longest of the arms it is compared with, those of `whom`; 0: none */
static void remark(trmi_mechanism *m, const char *from, const trmi_body *body, double arm,
                   double others, const char *whom) {
  char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
  snprintf(object, sizeof object, "body '%.40s'", body->name);
  const double size = others > 0.0 ? others : radius_of_gyration(body);
  snprintf(text, sizeof text, "it is %.4g away from %.64s, %.3g times %s: is one of the two places "
           "in another unit?", arm, from, arm / size,
           others > 0.0 ? whom : "its radius of gyration");
  trmi_remark_add(m->b, object, text);
}

/* Is the arm of a body much longer than the others, and than the body? */
static bool is_far(const trmi_body *body, double arm, double others) {
  const double size = radius_of_gyration(body);
  return arm > most_of_arms * others && (others > 0.0 || size > 0.0) &&
         arm > (others > 0.0 ? most_of_arms : most_of_size) * size;
}

static bool is_same_text(const trmi_text *a, const trmi_text *b) {
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* Are the two names under a key of two parts the same, in any order? */
static bool is_same_pair(const trmi_part *a, const trmi_part *b, const char *key) {
  const trmi_given *x = trmi_part_find(a, key), *y = trmi_part_find(b, key);
  if (x == NULL || y == NULL || x->count != 2 || y->count != 2) return false;
  if (x->texts == NULL || y->texts == NULL) return false;
  return (is_same_text(&x->texts[0], &y->texts[0]) && is_same_text(&x->texts[1], &y->texts[1])) ||
         (is_same_text(&x->texts[0], &y->texts[1]) && is_same_text(&x->texts[1], &y->texts[0]));
}

/* Contacts between the same two bodies; joints that couple the same two joints by the same
 * coordinates. */
static void doubt_pairs(trmi_mechanism *m, trmi_part_group group, const char *key) {
  const trmi_parts *parts = &m->def->parts[group];
  const bool is_contact = group == TRMI_CONTACTS;
  for (int i = 0; i < parts->count; i++) {
    const trmi_part *second = &parts->list[i];
    if (trmi_part_find(second, key) == NULL) continue;
    for (int k = 0; k < i; k++) {
      const trmi_part *first = &parts->list[k];
      if (!is_same_pair(first, second, key)) continue;
      const bool may_differ = first->kind != second->kind || /* a gear and a rack */
                              trmi_part_find(second, "coordinates") != NULL;
      if (!is_contact && may_differ) continue;
      char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
      snprintf(object, sizeof object, "%s '%.40s'", is_contact ? "contact" : "joint",
               second->key.name);
      snprintf(text, sizeof text, is_contact
                   ? "it is between the same two as contact '%.40s': both push"
                   : "it ties the same two joints as '%.40s': with another ratio neither can move",
               first->key.name);
      trmi_remark_add(m->b, object, text);
    }
  }
}

static void doubt_arms(trmi_mechanism *m) {
  const trmi_joint *far_joint = NULL;
  int far_body = 0;
  double longest = 0.0, others = 0.0;
  for (int i = 0; i < 2 * m->njoints; i++) {
    const trmi_joint *j = &m->joints[i / 2];
    const trmi_marker *end = i % 2 == 0 ? &j->A : &j->B;
    const double arm = arm_of(m, j, end);
    if (!(arm > longest)) continue;
    longest = arm, far_joint = j, far_body = end->body;
  }
  if (far_joint == NULL) return;
  for (int i = 0; i < 2 * m->njoints; i++) {
    const trmi_joint *j = &m->joints[i / 2];
    const trmi_marker *end = i % 2 == 0 ? &j->A : &j->B;
    if (j == far_joint || end->body == far_body) continue;
    others = fmax(others, arm_of(m, j, end));
  }
  char from[80];
  snprintf(from, sizeof from, "its joint '%.40s'", far_joint->def->key.name);
  const trmi_body *body = &m->bodies[far_body];
  if (!is_far(body, longest, others)) return;
  remark(m, from, body, longest, others, "as far as any other body");
}

/* Does a force of that type act on bodies at places that are given? */
static bool has_places(const trmi_force *a) {
  return trmi_word_find("spring|force|bushing|general", a->def->kind->type) >= 0;
}

/* The longest arm at the ends of forces but one. */
static double longest_at_forces(const trmi_mechanism *m, int but) {
  double longest = 0.0;
  for (int i = 0; i < m->nforces; i++) {
    const trmi_force *a = &m->forces[i];
    if (i == but || !has_places(a)) continue;
    longest = fmax(longest, fmax(arm_at(m, &a->A), arm_at(m, &a->B)));
  }
  return longest;
}

static void doubt_ends(trmi_mechanism *m) {
  double of_joints = 0.0, longest = 0.0;
  int far = -1;
  for (int i = 0; i < 2 * m->njoints; i++) {
    const trmi_joint *j = &m->joints[i / 2];
    of_joints = fmax(of_joints, arm_of(m, j, i % 2 == 0 ? &j->A : &j->B));
  }
  for (int i = 0; i < m->nforces; i++) {
    const trmi_force *a = &m->forces[i];
    if (!has_places(a) || !(fmax(arm_at(m, &a->A), arm_at(m, &a->B)) > longest)) continue;
    longest = fmax(arm_at(m, &a->A), arm_at(m, &a->B));
    far = i;
  }
  if (far < 0) return;
  const trmi_force *a = &m->forces[far];
  const trmi_marker *end = arm_at(m, &a->A) < longest ? &a->B : &a->A;
  const double others = fmax(of_joints, longest_at_forces(m, far));
  char from[80];
  snprintf(from, sizeof from, "an end of force '%.40s'", a->def->key.name);
  if (!is_far(&m->bodies[end->body], longest, others)) return;
  remark(m, from, &m->bodies[end->body], longest, others,
         "as far as from any joint or other force");
}

/* The longest arm or radius of gyration of all bodies. */
static double size_of_model(const trmi_mechanism *m) {
  double size = longest_at_forces(m, -1);
  for (int i = 0; i < m->nbodies; i++) size = fmax(size, radius_of_gyration(&m->bodies[i]));
  for (int i = 0; i < m->njoints; i++) {
    size = fmax(size, fmax(v3_norm(m->joints[i].A.s), v3_norm(m->joints[i].B.s)));
  }
  return size;
}

static void doubt_bearings(trmi_mechanism *m) {
  const double size = size_of_model(m);
  for (int i = 0; i < m->njoints; i++) {
    const trmi_joint *j = &m->joints[i];
    if (!trmi_part_has(j->def, "friction")) continue;
    const double radius = trmi_part_number_or(j->def, "friction.radius", 0.0);
    if (!(radius * m->def->units.length > bearing_most && radius > most_of_model * size)) continue;
    char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
    snprintf(object, sizeof object, "joint '%.40s'", j->def->key.name);
    snprintf(text, sizeof text, "its friction.radius of %g is %.3g times as long as anything that "
             "moves: is it in another unit?", radius, radius / size);
    trmi_remark_add(m->b, object, text);
  }
}

void trmi_doubt_places(trmi_mechanism *m) {
  if (m->is_renewed) return; /* it was said */
  doubt_arms(m);
  doubt_ends(m);
  doubt_bearings(m);
  doubt_pairs(m, TRMI_CONTACTS, "between");
  doubt_pairs(m, TRMI_JOINTS, "joints");
}
