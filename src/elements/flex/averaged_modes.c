/* averaged_modes.c - fast modes of flexible bodies for the integrator `smooth`: the coordinate of a
 * mode is a deformation eta = a_j with K = omega_j^2, C = 2 zeta_j omega_j. */
#include "elements/elements.h"
#include "equations/equations_stiff.h"
#include <math.h>
#include <stdio.h>

static void add_mode(trmi_mechanism *m, const trmi_flexible_part *body, int j) {
  trmi_compiler *b = m->b;
  const double omega2 = body->reduced->arrays.omega2[j];
  trmi_node *nodes = TRMI_TAKE(&b->scratch, trmi_node, 3);
  trm_label *label = TRMI_TAKE(&b->scratch, trm_label, 1);
  if (nodes == NULL || label == NULL) return;
  nodes[0] = trmi_input_node(b, TRMI_IN_Q, body->q + 7 + j);
  nodes[1] = trmi_constant(&b->graph, omega2);
  nodes[2] = trmi_constant(&b->graph, 2.0 * body->damping[j] * sqrt(omega2));
  snprintf(label->name, sizeof label->name, "%.30s.mode%d", body->def->key.name, j + 1);
  snprintf(label->object, sizeof label->object, "body '%.48s'", body->def->key.name);
  trmi_add_stiff(b, &(trmi_stiff_def){.count = 1, .eta = nodes, .K = nodes + 1, .C = nodes + 2,
                                      .labels = label});
}

void trmi_average_flexible(trmi_mechanism *m) {
  for (int i = 0; i < m->nflexible; i++) {
    const trmi_flexible_part *body = &m->flexible[i];
    const trmi_modal_arrays *arrays = &body->reduced->arrays;
    const double hertz = trmi_part_number_or(body->def, "modes.averaged", INFINITY);
    const double least = 2.0 * 3.14159265358979323846 * hertz;
    for (int j = 0; j < arrays->n && isfinite(hertz); j++) {
      if (arrays->omega2[j] >= least * least) add_mode(m, body, j);
    }
  }
}
