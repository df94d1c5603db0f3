/* averaged_modes.c - fast modes of flexible bodies and beams for the integrator `smooth`: the
 * coordinate of a mode is a deformation eta with K = omega^2; of a flexible body C = 2 zeta omega,
 * of a beam C = beta omega^2, (4) of beam_modes.c. */
#include "elements/flex/averaged_modes.h"
#include "elements/flex/beam_modes.h"
#include "equations/equations_stiff.h"
#include <math.h>
#include <stdio.h>

static const double two_pi = 6.283185307179586477;

/* Mode `number` of an object with deformation eta. */
typedef struct averaged_mode {
  const char *sort, *name;
  int         number;
  trmi_node   eta;
  double      K, C;
} averaged_mode;

static void add_mode(trmi_mechanism *m, const averaged_mode *mode) {
  trmi_compiler *b = m->b;
  trmi_node *nodes = TRMI_TAKE(&b->scratch, trmi_node, 3);
  trm_label *label = TRMI_TAKE(&b->scratch, trm_label, 1);
  if (nodes == NULL || label == NULL) return;
  nodes[0] = mode->eta;
  nodes[1] = trmi_constant(&b->graph, mode->K);
  nodes[2] = trmi_constant(&b->graph, mode->C);
  snprintf(label->name, sizeof label->name, "%.30s.mode%d", mode->name, mode->number);
  snprintf(label->object, sizeof label->object, "%s '%.48s'", mode->sort, mode->name);
  trmi_add_stiff(b, &(trmi_stiff_def){.count = 1, .eta = nodes, .K = nodes + 1, .C = nodes + 2,
                                      .labels = label});
}

static void average_body(trmi_mechanism *m, const trmi_flexible_part *body) {
  const trmi_modal_arrays *arrays = &body->reduced->arrays;
  const double least = two_pi * trmi_part_number_or(body->def, "modes.averaged", INFINITY);
  for (int j = 0; j < arrays->n && isfinite(least); j++) {
    const double omega2 = arrays->omega2[j];
    if (!(omega2 >= least * least)) continue;
    add_mode(m, &(averaged_mode){.sort = "body", .name = body->def->key.name, .number = j + 1,
                                 .eta = trmi_input_node(m->b, TRMI_IN_Q, body->q + 7 + j),
                                 .K = omega2, .C = 2.0 * body->damping[j] * sqrt(omega2)});
  }
}

/* Modes of a beam are numbered from the first that vibrates. */
static void average_beam(trmi_mechanism *m, const trmi_beam_part *beam) {
  const trmi_beam_modes *modes = beam->averaged;
  for (int j = 0; modes != NULL && j < modes->count; j++) {
    const double omega2 = modes->omega2[j];
    add_mode(m, &(averaged_mode){.sort = "beam", .name = beam->def->key.name,
                                 .number = modes->nstrains - modes->count + j + 1,
                                 .eta = trmi_averaged_mode(m, beam, j), .K = omega2,
                                 .C = beam->section.damping * omega2});
  }
}

void trmi_average_modes(trmi_mechanism *m) {
  if (m->complaints->count > 0) return;
  for (int i = 0; i < m->nflexible; i++) average_body(m, &m->flexible[i]);
  for (int i = 0; i < m->nbeams; i++) average_beam(m, &m->beams[i]);
}
