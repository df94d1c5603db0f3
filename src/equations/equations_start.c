/* equations_start.c - start values and scales of typed unknowns. */
#include "equations/equations_internal.h"
#include <string.h>

static const trmi_dimension any = {.is_known = false};

/* A number of a part, whose text was evaluated before. */
static double read_number(trmi_compiler *b, const trmi_part *part, const char *key,
                          trmi_dimension expected, double otherwise) {
  const trmi_given *given = trmi_part_find(part, key);
  if (given == NULL) return otherwise;
  if (given->texts != NULL) {
    (void)trmi_check_dimension(b->complaints, &b->def->units, given->texts, given->dimension,
                               expected);
  }
  return trmi_part_number_or(part, key, otherwise);
}

/* The given scale, or one SI unit; 0 if the dimension is unknown: the system then decides by the
 * kind. */
static double read_scale(trmi_compiler *b, const trmi_part *part, trmi_dimension dimension,
                         trm_kind kind) {
  const double factor = kind == TRM_KIND_MODAL ? 1e-3 : 1.0;
  const double one = dimension.is_known ? factor * trmi_units_one(&b->def->units, dimension) : 0.0;
  return read_number(b, part, "scale", dimension, one);
}

static trmi_dimension dimension_of(trmi_compiler *b, const trmi_part *part) {
  return trmi_names_find(b, part->key.name, strlen(part->key.name))->dimension;
}

void trmi_equations_read_start(trmi_compiler *b) {
  trmi_equations *eq = b->eq;
  const trmi_parts *parts = b->def->parts;
  const trmi_dimension per_time = {.is_known = true, .time = -1};
  for (int i = 0; i < parts[TRMI_COORDINATES].count; i++) {
    const trmi_part *c = &parts[TRMI_COORDINATES].list[i];
    const trmi_dimension d = dimension_of(b, c);
    trm_label *label = &eq->labels[TRM_V][i];
    eq->given_q[i] = trmi_part_find(c, "guess") == NULL;
    eq->given_v[i] = trmi_part_find(c, "velocity") != NULL;
    eq->q[i] = read_number(b, c, eq->given_q[i] ? "value" : "guess", any, 0.0);
    eq->v[i] = read_number(b, c, "velocity", trmi_dimension_product(d, per_time, 1), 0.0);
    label->scale = read_scale(b, c, d, label->kind);
  }
  for (int i = 0; i < parts[TRMI_STATES].count; i++) {
    const trmi_part *x = &parts[TRMI_STATES].list[i];
    eq->x[i] = read_number(b, x, "value", any, 0.0);
    eq->labels[TRM_X][i].scale = read_scale(b, x, dimension_of(b, x), TRM_KIND_STATE);
  }
  for (int i = 0; i < parts[TRMI_VARIABLES].count; i++) {
    eq->w[i] = read_number(b, &parts[TRMI_VARIABLES].list[i], "guess", any, 0.0);
  }
  for (int i = 0; i < parts[TRMI_INPUTS].count; i++) {
    const trmi_part *u = &parts[TRMI_INPUTS].list[i];
    const trmi_dimension rate = trmi_dimension_product(dimension_of(b, u), per_time, 1);
    eq->u[i] = read_number(b, u, "value", any, 0.0);
    eq->ud[i] = read_number(b, u, "rate", rate, 0.0);
  }
}
