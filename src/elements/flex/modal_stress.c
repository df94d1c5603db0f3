/* modal_stress.c - stress at a node of a flexible body as a node of the graph: each part is a sum
 * over modes and heat, von Mises stress the norm of five sums of them,
 *   (2 xx - yy - zz)/2,  sqrt(3)/2 (yy - zz),  sqrt(3) xy, sqrt(3) xz, sqrt(3) yz            (1) */
#include "elements/elements.h"
#include "elements/flex/modal_stress.h"
#include <math.h>

enum { MISES = 6 };

/* Column j of stress: a modal coordinate, or the value of a load that is heat. */
static trmi_node amplitude(trmi_mechanism *m, const trmi_flexible_part *f, int j) {
  const trmi_modal_arrays *arrays = &f->reduced->arrays;
  if (j < arrays->n) return trmi_input_node(m->b, TRMI_IN_Q, f->q + 7 + j);
  int k = 0;
  for (int left = j - arrays->n; !arrays->loads[k].is_heat || left-- > 0; k++) continue;
  return trmi_body_load_node(m, f, k);
}

/* Sum over columns of coefficients times amplitudes. */
static trmi_node add_up(trmi_mechanism *m, const trmi_flexible_part *f, const double *factors) {
  trmi_graph *g = &m->b->graph;
  trmi_node sum = trmi_constant(g, 0.0);
  for (int j = 0; j < f->reduced->stress.columns; j++) {
    const trmi_node part = trmi_mul(g, trmi_constant(g, factors[j]), amplitude(m, f, j));
    sum = trmi_add(g, sum, part);
  }
  return sum;
}

/* (1) of mode j, number k of five */
static double five_of(const float *sigma, int n, int j, int k) {
  const double xx = (double)sigma[j], yy = (double)sigma[n + j], zz = (double)sigma[2 * n + j];
  if (k == 0) return 0.5 * (2.0 * xx - yy - zz);
  if (k == 1) return 0.5 * sqrt(3.0) * (yy - zz);
  return sqrt(3.0) * (double)sigma[(k + 1) * n + j];
}

static bool make(trmi_mechanism *m, const trmi_flexible_part *f, int point, int part,
                 trmi_node *out) {
  trmi_graph *g = &m->b->graph;
  const int n = f->reduced->stress.columns;
  const float *sigma = f->reduced->stress.sigma + 6 * (size_t)point * (size_t)n;
  double *factors = TRMI_TAKE(m->arena, double, n);
  if (factors == NULL) return false;
  if (part < MISES) {
    for (int j = 0; j < n; j++) factors[j] = (double)sigma[part * n + j];
    *out = add_up(m, f, factors);
    return true;
  }
  trmi_node square = trmi_constant(g, 0.0);
  for (int k = 0; k < 5; k++) {
    for (int j = 0; j < n; j++) factors[j] = five_of(sigma, n, j, k);
    const trmi_node one = add_up(m, f, factors);
    square = trmi_add(g, square, trmi_mul(g, one, one));
  }
  *out = trmi_function(g, TRMI_OP_SQRT, square);
  return true;
}

bool trmi_modal_stress_node(trmi_mechanism *m, const trmi_flexible_part *f,
                            trmi_stress_place place, trmi_node *out) {
  const trmi_stress_modes *s = &f->reduced->stress;
  for (int p = 0, copy = 0; p < s->npoints; p++) {
    if (s->number[p] == place.node && ++copy == place.copy) return make(m, f, p, place.part, out);
  }
  return false;
}
