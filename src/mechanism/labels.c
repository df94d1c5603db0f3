/* labels.c - names of unknowns and rows of a mechanism in results and messages. */
#include "elements/elements.h"
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = sizeof(((trm_label *)NULL)->name) };

/* An object with one label for each of its coordinates, velocities or multipliers. */
typedef struct labelled {
  const char *name;
  size_t      length;                 /* of the name */
  char        object[TRM_OBJECT_MAX]; /* "body 'crank'" */
} labelled;

static labelled labelled_as(const char *sort, const char *name) {
  labelled thing = {.name = name, .length = strlen(name)};
  snprintf(thing.object, sizeof thing.object, "%s '%.48s'", sort, name);
  return thing;
}

/* "crank.x", truncated to the available room. Returns whether it fits; truncated names might be
 * equal. */
static bool name_part(trm_label *label, const labelled *thing, const char *part, trm_kind kind) {
  const size_t dot = part[0] != '\0' ? 1 : 0;
  const size_t room = NAME_BYTES - 1 - dot - strlen(part);
  const size_t length = thing->length < room ? thing->length : room;
  memcpy(label->name, thing->name, length);
  if (dot == 1) label->name[length] = '.';
  strcpy(label->name + length + dot, part);
  memcpy(label->object, thing->object, sizeof label->object);
  label->kind = kind;
  return thing->length <= room;
}

static void complain_long(trmi_mechanism *m, const trmi_key *key) {
  trmi_complain(m->complaints, key->place, "the name '%.60s' is too long: with its suffix in "
                "results, as in '.vx', it has more than %d letters", key->name,
                NAME_BYTES - 1);
}

static bool label_body(trmi_equations *eq, const trmi_body *body) {
  static const char *const q_names[] = {"x", "y", "z", "q0", "q1", "q2", "q3"};
  static const char *const v_names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  const labelled thing = labelled_as(body->def != NULL ? "body" : "node", body->name);
  bool has_room = true;
  for (int k = 0; k < (body->kind == TRMI_CARRIER_BODY ? 7 : 3); k++) {
    has_room &= name_part(&eq->labels[TRM_Q][body->q + k], &thing, q_names[k],
                          k < 3 ? TRM_KIND_METRE : TRM_KIND_NONE);
  }
  for (int k = 0; k < (int)body->kind; k++) {
    has_room &= name_part(&eq->labels[TRM_V][body->v + k], &thing, v_names[k],
                          k < 3 ? TRM_KIND_METRE : TRM_KIND_RADIAN);
  }
  return has_room;
}

/* rod.x .. rod.wz of the frame, rod.mode1, rod.rate1 of the modes. The scale of a mode moves no
 * node by more than a millimetre. */
static bool label_flexible(trmi_mechanism *m, const trmi_flexible_part *f) {
  trmi_equations *eq = m->b->eq;
  const trmi_body frame = {.name = f->def->key.name, .def = f->def, .kind = TRMI_CARRIER_BODY,
                           .q = f->q, .v = f->v};
  const labelled thing = labelled_as("body", f->def->key.name);
  const trmi_modal_arrays *arrays = &f->reduced->arrays;
  bool has_room = label_body(eq, &frame);
  for (int k = 0; k < arrays->n; k++) {
    char word[16];
    snprintf(word, sizeof word, "mode%d", k + 1);
    has_room &= name_part(&eq->labels[TRM_Q][f->q + 7 + k], &thing, word, TRM_KIND_MODAL);
    snprintf(word, sizeof word, "rate%d", k + 1);
    has_room &= name_part(&eq->labels[TRM_V][f->v + 6 + k], &thing, word, TRM_KIND_MODAL);
    eq->labels[TRM_V][f->v + 6 + k].scale = 1e-3 / (m->def->units.length * arrays->size[k]);
  }
  return has_room;
}

/* Rows of a list beyond the names of its type are numbered. */
static bool label_joint(const trmi_mechanism *m, const trmi_joint *j) {
  trmi_equations *eq = m->b->eq;
  const labelled joint = labelled_as("joint", j->def->key.name);
  const int node_row = m->extension.add.native_rows + j->node_row;
  const int rolling = m->def->parts[TRMI_NONHOLONOMIC].count + j->rolling;
  char number[12];
  bool has_room = true;
  for (int k = 0; j->row >= 0 && k < trmi_rows_size(j->type->rows, j->type->nrows); k++) {
    const char *part = j->type->row_names[k];
    has_room &= name_part(&eq->labels[TRM_LAM][j->row + k], &joint, part,
                          part[0] == 'e' ? TRM_KIND_NEWTON_METRE : TRM_KIND_NEWTON);
  }
  for (int k = 0; j->node_row >= 0 && k < j->type->node_rows; k++) {
    snprintf(number, sizeof number, "r%d", k + 1);
    has_room &= name_part(&eq->labels[TRM_LAM][node_row + k], &joint, number,
                          TRM_KIND_NEWTON);
  }
  for (int k = 0; j->rolling >= 0 && k < j->type->rolling_rows; k++) {
    snprintf(number, sizeof number, "r%d", k + 1);
    has_room &= name_part(&eq->labels[TRM_MU][rolling + k], &joint, number,
                          TRM_KIND_NEWTON);
  }
  for (int k = 0; j->scalar >= 0 && k < j->type->scalars; k++) {
    has_room &= name_part(&eq->labels[TRM_Q][j->scalar_q + k], &joint, "parameter",
                          TRM_KIND_NONE);
    has_room &= name_part(&eq->labels[TRM_V][j->scalar + k], &joint, "rate",
                          TRM_KIND_NONE);
  }
  if (j->variable >= 0) {
    const int w = m->def->parts[TRMI_VARIABLES].count + j->variable;
    has_room &= name_part(&eq->labels[TRM_W][w], &joint,
                          "normal", TRM_KIND_NEWTON);
  }
  return has_room;
}

void trmi_mechanism_labels(trmi_mechanism *m) {
  trmi_equations *eq = m->b->eq;
  const trmi_beam_part *last_beam = NULL; /* nodes of a beam are consecutive */
  for (int i = 1; i < m->nbodies; i++) {
    const trmi_body *body = &m->bodies[i];
    if (body->carrier_n > 0 || label_body(eq, body)) continue;
    if (body->beam != NULL && body->beam == last_beam) continue;
    last_beam = body->beam;
    complain_long(m, body->beam != NULL ? &body->beam->def->key : &body->def->key);
  }
  for (int i = 0; i < m->nflexible; i++) {
    if (!label_flexible(m, &m->flexible[i])) complain_long(m, &m->flexible[i].def->key);
  }
  for (int i = 0; i < m->njoints; i++) {
    if (!label_joint(m, &m->joints[i])) complain_long(m, &m->joints[i].def->key);
  }
  trmi_bristle_labels(m);
  trmi_contact_labels(m);
  for (int i = 0; i < m->nmotions; i++) {
    const trmi_motion *motion = &m->motions[i];
    const bool is_torque = trmi_motion_load(motion) == TRMI_LOAD_TORQUE;
    const trm_kind kind = is_torque ? TRM_KIND_NEWTON_METRE : TRM_KIND_NEWTON;
    const labelled thing = labelled_as("motion", motion->def->key.name);
    if (!name_part(&eq->labels[TRM_LAM][m->extension.add.native_rows + motion->row], &thing, "",
                   kind)) {
      complain_long(m, &motion->def->key);
    }
  }
}
