/* read_joints.c - joints of a definition: types, ends, numbers of rows, nodes of rows. */
#include "trammel/nearest.h"
#include "math/so3.h"
#include "elements/elements.h"
#include <stdio.h>
#include <string.h>

trmi_joint *trmi_find_joint(const trmi_mechanism *m, const char *name, size_t length) {
  const int i = trmi_index_find(&m->joint_names, name, length);
  return i >= 0 ? &m->joints[i] : NULL;
}

/* ---- joints ------------------------------------------------------------------------------ */

/* Numbers of rows and unknowns, in the order of joints. */
static void number_joint(trmi_mechanism *m, trmi_joint *j) {
  trmi_additions *add = &m->extension.add;
  const trmi_joint_type *type = j->type;
  j->row = j->node_row = j->rolling = j->scalar = j->variable = j->memory = -1;
  if (type->nrows > 0) {
    j->row = add->native_rows;
    add->native_rows += trmi_rows_size(type->rows, type->nrows);
  }
  if (type->node_rows > 0) j->node_row = add->rows, add->rows += type->node_rows;
  if (type->rolling_rows > 0) {
    j->rolling = add->rolling_rows;
    add->rolling_rows += type->rolling_rows;
  }
  if (type->scalars > 0) {
    j->scalar = m->def->parts[TRMI_COORDINATES].count + add->nv;
    j->scalar_q = m->def->parts[TRMI_COORDINATES].count + add->nq;
    add->nv += type->scalars, add->nq += type->scalars;
  }
  for (int k = 0; k < TRMI_COORDINATES_MAX; k++) {
    const bool is_counted = type->coordinates[k].kind == TRMI_ROTATION;
    j->freedom[k].memory = is_counted ? add->memories : -1;
    add->memories += is_counted ? TRMI_ANGLE_MEMORY : 0;
  }
  if (type->memories > 0) j->memory = add->memories, add->memories += type->memories;
  if (trmi_check_friction(m, j)) {
    j->variable = add->variables++;
    j->bristle = m->def->parts[TRMI_STATES].count + add->node_states;
    j->nbristles = trmi_count_bristles(j);
    add->node_states += j->nbristles;
  }
}

static void read_joint(trmi_mechanism *m, const trmi_part *part) {
  trmi_joint *j = &m->joints[m->njoints];
  const trmi_joint_type *type = trmi_joint_type_find(part->kind->type);
  *j = (trmi_joint){.def = part, .type = type};
  if (type->ends != TRMI_ENDS_NONE && !trmi_read_joint_ends(m, j)) return;
  m->njoints++;
  if ((type->check != NULL && !type->check(m, j)) || !trmi_read_joint_start(m, j)) {
    m->njoints--;
    return;
  }
  trmi_index_add(&m->joint_names, m->arena, part->key.name, strlen(part->key.name),
                 m->njoints - 1);
  number_joint(m, j);
}

/* The fixed joint requested by a beam at its first or last node: "rod.first". */
static void add_clamp(trmi_mechanism *m, const trmi_beam_part *beam, int end) {
  const char *name = beam->def->key.name, *word = end == 0 ? ".first" : ".last";
  const size_t size = strlen(name) + strlen(word) + 1;
  trmi_part *part = TRMI_TAKE(m->arena, trmi_part, 1);
  char *text = TRMI_TAKE(m->arena, char, size);
  if (part == NULL || text == NULL) return;
  snprintf(text, size, "%s%s", name, word);
  part->key = (trmi_key){.name = text, .place = beam->def->key.place};
  if (!trmi_part_make(part, trmi_kind_find(TRMI_JOINTS, "fixed"), m->arena)) return;
  m->nclamps++;
  const int node = beam->first + (end == 0 ? 0 : beam->nnodes - 1);
  trmi_joint *j = &m->joints[m->njoints++];
  *j = (trmi_joint){.def = part, .type = trmi_joint_type_find("fixed"), .B = {.body = node}};
  double R[9], E[9];
  trmi_quat_matrix(m->bodies[node].q0 + 3, R);
  for (int k = 0; k < 3; k++) v3_store(E + 3 * k, m3_column(R, k));
  j->A = trmi_place_marker(m, beam->end[end].body, v3_load(m->bodies[node].q0), E);
  j->B = trmi_place_marker(m, node, v3_load(m->bodies[node].q0), E);
  (void)trmi_read_joint_start(m, j); /* it has none */
  trmi_index_add(&m->joint_names, m->arena, text, size - 1, m->njoints - 1);
  number_joint(m, j);
}

void trmi_read_joints(trmi_mechanism *m) {
  const trmi_parts *parts = &m->def->parts[TRMI_JOINTS];
  m->joints = TRMI_TAKE(m->arena, trmi_joint, parts->count + 2 * m->nbeams);
  if (m->joints == NULL) return;
  for (int i = 0; i < parts->count; i++) read_joint(m, &parts->list[i]);
  for (int i = 0; i < 2 * m->nbeams; i++) {
    if (m->beams[i / 2].is_fixed[i % 2]) add_clamp(m, &m->beams[i / 2], i % 2);
  }
}

void trmi_build_joint(trmi_mechanism *m, trmi_joint *j) {
  if (j->is_built) return;
  j->is_built = true;
  if (j->type->build != NULL) j->type->build(m, j);
}

/* ---- queries --------------------------------------------------------------------------------- */

static const char *known_joint(const void *self, int i) {
  return ((const trmi_mechanism *)self)->joints[i].def->key.name;
}

trmi_joint *trmi_need_joint(trmi_mechanism *m, const trmi_text *name) {
  trmi_joint *joint = trmi_find_joint(m, name->text, name->length);
  if (joint != NULL) return joint;
  for (int i = 0; m->complaints->count > 0 && i < m->def->parts[TRMI_JOINTS].count; i++) {
    const trmi_part *faulty = &m->def->parts[TRMI_JOINTS].list[i];
    if (strcmp(faulty->key.name, name->text) == 0) return NULL;
  }
  const char *near = trm_nearest_close(name->text, m, m->njoints, known_joint);
  const bool is_near = near[0] != '\0';
  trmi_complain(m->complaints, trmi_text_place(name, 0), "there is no joint '%.60s'%s%.60s%s",
                name->text, is_near ? "; did you mean '" : "", near, is_near ? "'?" : "");
  return NULL;
}
