/* record_loads.c - loads of elements recorded with samples, by their names in expressions:
 * distributed loads of flexible bodies, reactions of joints, loads of motions, forces and contacts,
 * section loads of beams.
 *
 * They are evaluated only with samples, and only if they are recorded. A kind of part with very
 * many loads is omitted completely: a file of unused loads would be larger than the motion. The
 * page names the missing kinds. */
#include "elements/elements.h"
#include "fem/flexible_mesh.h"
#include "elements/force/force_types.h"
#include "equations/equations_internal.h"
#include "mechanism/blueprint.h"
#include <stdio.h>
#include <string.h>

enum {
  LOADS_MOST = 1000, OF_JOINT = 8, OF_MOTION = 2, OF_FORCE = 6, OF_CONTACT = 8, OF_ELEMENT = 6
};

/* Add a load by its name, if the element has it and the name is new. */
static void record(trmi_mechanism *m, const char *sort, const char *element, const char *load) {
  trmi_equations *eq = m->b->eq;
  trm_label *label = &eq->labels[TRM_RECORDED][eq->n.nrecorded];
  char name[TRM_OBJECT_MAX + 48];
  trmi_meaning meaning = {0};
  const int length = snprintf(name, sizeof name, "%s.%s", element, load);
  if (length < 0 || (size_t)length >= sizeof label->name) return;
  for (int i = 0; i < eq->n.nrecorded; i++) {
    if (strcmp(eq->labels[TRM_RECORDED][i].name, name) == 0) return;
  }
  if (!trmi_mechanism_number(m, name, &meaning)) return;
  *label = (trm_label){.kind = TRM_KIND_NONE};
  memcpy(label->name, name, (size_t)length + 1);
  snprintf(label->object, sizeof label->object, "%s '%.48s'", sort, element);
  trmi_unit_of_label(&m->def->units, meaning.dimension, label);
  trmi_add_entry(m->b, TRMI_RESULT_RECORDED, eq->n.nrecorded++, 0, meaning.node);
}

static void record_all(trmi_mechanism *m, const char *sort, const char *element,
                       const char *const *loads, int count) {
  for (int i = 0; i < count; i++) record(m, sort, element, loads[i]);
}

static void record_beam(trmi_mechanism *m, const trmi_beam_part *beam) {
  static const char *const loads[OF_ELEMENT] = {"force.x",  "force.y",  "force.z",
                                                "moment.x", "moment.y", "moment.z"};
  char load[48];
  for (int i = 0; i < beam->elements; i++) {
    for (int k = 0; k < OF_ELEMENT; k++) {
      snprintf(load, sizeof load, "element%d.%s", i + 1, loads[k]);
      record(m, "beam", beam->def->key.name, load);
    }
  }
}

/* ---- kinds of parts, in the order in which they are recorded -------------------------------- */

static const char *const six[] = {"force.x",  "force.y",  "force.z", "torque.x", "torque.y",
                                  "torque.z", "stop",     "friction"};
static const char *const one[] = {"force", "torque"};

/* Heat first: io/run_modes.c reads it as neighbours. */
static void record_body_loads(trmi_mechanism *m) {
  for (int i = 0; i < m->nflexible; i++) {
    const trmi_modal_arrays *arrays = &m->flexible[i].reduced->arrays;
    for (int k = 0; k < 2 * arrays->nloads; k++) {
      const trmi_modal_load *load = &arrays->loads[k % arrays->nloads];
      if (load->is_heat != (k < arrays->nloads)) continue;
      record(m, "body", m->flexible[i].def->key.name, load->name);
    }
  }
}

static void record_joints(trmi_mechanism *m) {
  for (int i = 0; i < m->njoints; i++) {
    const char *name = m->joints[i].def->key.name;
    if (m->joints[i].type->ends == TRMI_ENDS_NONE) record(m, "joint", name, "load");
    else record_all(m, "joint", name, six, OF_JOINT);
  }
}

static void record_motions(trmi_mechanism *m) {
  for (int i = 0; i < m->nmotions; i++) {
    record_all(m, "motion", m->motions[i].def->key.name, one, OF_MOTION);
  }
}

static void record_forces(trmi_mechanism *m) {
  for (int i = 0; i < m->nforces; i++) {
    const trmi_force *force = &m->forces[i];
    if (force->type->has_loads) record_all(m, "force", force->def->key.name, six, OF_FORCE);
    else record_all(m, "force", force->def->key.name, one, 2);
  }
}

static void record_beams(trmi_mechanism *m) {
  for (int i = 0; i < m->nbeams; i++) record_beam(m, &m->beams[i]);
}

static void record_contacts(trmi_mechanism *m) {
  static const char *const loads[OF_CONTACT] = {"force.x", "force.y", "force.z", "point.x",
                                                "point.y", "point.z", "force",   "friction"};
  for (int i = 0; i < m->ncontacts; i++) {
    record_all(m, "contact", m->contacts[i].name, loads, OF_CONTACT);
  }
}

void trmi_record_loads(trmi_mechanism *m) {
  int elements = 0, most = 0, body_loads = 0;
  for (int i = 0; i < m->nbeams; i++) elements += m->beams[i].elements;
  for (int i = 0; i < m->nflexible; i++) body_loads += m->flexible[i].reduced->arrays.nloads;
  const struct {
    int most; /* largest number of loads of this kind */
    void (*record)(trmi_mechanism *);
  } kinds[] = { /* stress needs the first */
    {body_loads, record_body_loads},
    {OF_JOINT * m->njoints, record_joints},       {OF_MOTION * m->nmotions, record_motions},
    {OF_FORCE * m->nforces, record_forces},       {OF_ELEMENT * elements, record_beams},
    {OF_CONTACT * m->ncontacts, record_contacts},
  };
  enum { KINDS = sizeof kinds / sizeof *kinds };
  bool is_recorded[KINDS];
  for (int i = 0; i < KINDS; i++) {
    is_recorded[i] = kinds[i].most <= LOADS_MOST - most;
    if (is_recorded[i]) most += kinds[i].most;
  }
  if (most == 0 || trmi_recorded_labels(m->b->eq, most) == NULL) return;
  for (int i = 0; i < KINDS; i++) {
    if (is_recorded[i]) kinds[i].record(m);
  }
}
