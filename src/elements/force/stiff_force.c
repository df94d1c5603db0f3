/* stiff_force.c - deformations of forces with `vibrations: averaged`, for the integrator `smooth`.
 *   laws of one coordinate x (scalar_law.c): eta = x - rest, K = k, C = c                  (1)
 *   laws of six deformations (six.c): eta = those of (d, theta) - rest that K acts on      (2)
 * Preloads and other terms of a law act like all other forces. */
#include "elements/force/force_types.h"
#include "equations/equations_stiff.h"
#include <stdio.h>
#include <string.h>

bool trmi_force_is_stiff(const trmi_force *a) {
  const char *word = trmi_part_word(a->def, "vibrations");
  return word != NULL && strcmp(word, "averaged") == 0;
}

static void name_deformation(const trmi_force *a, const char *part, trm_label *label) {
  snprintf(label->name, sizeof label->name, "%.40s%s%s", a->def->key.name,
           part[0] != '\0' ? "." : "", part);
  snprintf(label->object, sizeof label->object, "force '%.48s'", a->def->key.name);
}

/* (1) */
static void add_scalar(trmi_mechanism *m, const trmi_force *a) {
  trmi_compiler *b = m->b;
  trmi_graph *g = &b->graph;
  trmi_node *nodes = TRMI_TAKE(&b->scratch, trmi_node, 3);
  trm_label *label = TRMI_TAKE(&b->scratch, trm_label, 1);
  if (nodes == NULL || label == NULL) return;
  trmi_scalar_law_numbers(m, a, &nodes[1], &nodes[2]);
  nodes[0] = trmi_sub(g, a->coordinate, trmi_live_number(m, &a->rest));
  name_deformation(a, a->type->has_length ? "length" : a->type->has_angle ? "angle" : "", label);
  label->kind = a->type->has_length ? TRM_KIND_METRE : TRM_KIND_RADIAN;
  if (a->joint != NULL && !trmi_joint_turns(a->joint, a->of_joint)) label->kind = TRM_KIND_METRE;
  trmi_add_stiff(b, &(trmi_stiff_def){.count = 1, .eta = nodes, .K = nodes + 1, .C = nodes + 2,
                                      .labels = label});
}

/* (2) */
static void add_six(trmi_mechanism *m, const trmi_force *a) {
  static const char *const names[6] = {"x", "y", "z", "rx", "ry", "rz"};
  const trmi_six *six = a->own;
  trmi_compiler *b = m->b;
  int chosen[6], n = 0;
  for (int i = 0; i < 6; i++) {
    if (six->acts[i]) chosen[n++] = i;
  }
  trmi_node *nodes = TRMI_TAKE(&b->scratch, trmi_node, n + 2 * n * n);
  trm_label *labels = TRMI_TAKE(&b->scratch, trm_label, n);
  if (n == 0 || nodes == NULL || labels == NULL) return;
  trmi_node *K = nodes + n, *C = K + n * n;
  for (int i = 0; i < n; i++) {
    const int row = chosen[i];
    nodes[i] = n3_part(a->e[row / 3], row % 3); /* without rest */
    name_deformation(a, names[row], &labels[i]);
    labels[i].kind = row < 3 ? TRM_KIND_METRE : TRM_KIND_RADIAN;
    for (int j = 0; j < n; j++) {
      K[n * i + j] = trmi_live_number(m, &six->K[6 * row + chosen[j]]);
      C[n * i + j] = trmi_live_number(m, &six->C[6 * row + chosen[j]]);
    }
  }
  trmi_add_stiff(b, &(trmi_stiff_def){.count = n, .eta = nodes, .K = K, .C = C,
                                      .labels = labels});
}

void trmi_force_add_stiff(trmi_mechanism *m, trmi_force *a) {
  if (!trmi_force_is_stiff(a)) return;
  trmi_force_measures(m, a);
  if (a->type->has_deformations) add_six(m, a);
  else add_scalar(m, a);
}
