/* scalar_law.c - laws of one coordinate x, a length, an angle or that of a joint.
 *   f = preload - k (x - rest) - c x' + value,  positive if it increases x     (1)
 *   potential k (x - rest)^2 / 2 - preload (x - rest)                             (2)
 * The rest of (1) has the power f x', so it acts on each body with f dx/dq. It feeds energy into
 * the motion if it increases with its own rate: sum over velocities of df/dv dx'/dv > 0 (3)
 * Derivation: docs/theory/12-forces.md, section 2. */
#include "elements/force/force_types.h"
#include "equations/equations_quantities.h"
#include "equations/remarks.h"
#include <stdio.h>

typedef struct line {
  double k, c, preload;
  const char *unit; /* of the force or torque */
} line;

bool trmi_scalar_law_check(trmi_mechanism *m, trmi_force *a, bool turns) {
  line *l = TRMI_TAKE(m->arena, line, 1);
  if (l == NULL) return false;
  a->own = l;
  l->unit = turns ? "N*m" : "N";
  if (!trmi_part_check_turning(a->def, turns, &m->def->units, m->complaints)) return false;
  l->k = trmi_part_number(a->def, "stiffness");
  l->c = trmi_part_number(a->def, "damping");
  l->preload = trmi_part_number(a->def, "preload");
  static const char *const laws[] = {"stiffness", "damping", "preload", "value"};
  for (int i = 0; i < 4; i++) {
    if (trmi_part_find(a->def, laws[i]) != NULL) return true;
  }
  return trmi_force_fault(m, a, "type", "it needs a law: stiffness, damping, preload or value");
}

const double *trmi_scalar_law_pure_stiffness(const trmi_force *a) {
  const line *l = a->own;
  const bool is_pure = l->c == 0.0 && l->preload == 0.0 && trmi_part_find(a->def, "value") == NULL;
  return is_pure && l->k != 0.0 ? &l->k : NULL;
}

void trmi_scalar_law_numbers(trmi_mechanism *m, const trmi_force *a, trmi_node *k, trmi_node *c) {
  const line *l = a->own;
  *k = trmi_live_number(m, &l->k);
  *c = trmi_live_number(m, &l->c);
}

/* -c x' + value */
static trmi_node driven(trmi_mechanism *m, const trmi_force *a, trmi_node value) {
  const line *l = a->own;
  trmi_graph *g = &m->b->graph;
  return trmi_sub(g, value, trmi_mul(g, trmi_live_number(m, &l->c), a->rate));
}

void trmi_scalar_law_build(trmi_mechanism *m, trmi_force *a) {
  const line *l = a->own;
  trmi_graph *g = &m->b->graph;
  const trmi_node value = trmi_part_expression(m, a->def, "value", 0, TRMI_FOR_FORCE, l->unit);
  const trmi_node stretch = trmi_sub(g, a->coordinate, trmi_live_number(m, &a->rest));
  const trmi_node spring = trmi_sub(g, trmi_live_number(m, &l->preload),
                                    trmi_mul(g, trmi_live_number(m, &l->k), stretch));
  a->driven = driven(m, a, value);
  a->value = trmi_add(g, spring, a->driven); /* (1) */
}

void trmi_scalar_law_push(trmi_mechanism *m, trmi_force *a) {
  const line *l = a->own;
  trmi_graph *g = &m->b->graph;
  const trmi_node stretch = trmi_sub(g, a->coordinate, trmi_live_number(m, &a->rest));
  const trmi_node half_k = trmi_mul(g, trmi_constant(g, 0.5), trmi_live_number(m, &l->k));
  const trmi_node half = trmi_mul(g, half_k, stretch);
  const trmi_node slope = trmi_sub(g, half, trmi_live_number(m, &l->preload));
  m->b->potential = trmi_add(g, m->b->potential, trmi_mul(g, slope, stretch)); /* (2) */
  if (a->driven != 0) trmi_push_along(m, a->coordinate, a->driven);
  const trmi_node c = trmi_live_number(m, &l->c);
  if (trmi_is_true(g, trmi_less(g, c, 0))) trmi_force_warn_of_feeding(m, a);
  if (trmi_is_true(g, trmi_less(g, half_k, 0))) trmi_force_warn_of_pushing(m, a);
  const trmi_node drag = trmi_mul(g, trmi_neg(g, c), a->rate);
  trmi_count_power(m, &m->b->damper_power, trmi_mul(g, drag, a->rate));
}

/* (3) */
static trmi_node feeding(trmi_mechanism *m, trmi_node law, trmi_node rate) {
  trmi_graph *g = &m->b->graph;
  trmi_walk *w = &m->b->walk;
  trmi_gradient(w, rate);
  const int n = w->npartials;
  trmi_partial *of_rate = TRMI_TAKE(m->arena, trmi_partial, n);
  if (of_rate == NULL) return 0;
  for (int i = 0; i < n; i++) of_rate[i] = w->partials[i];
  trmi_gradient(w, law);
  trmi_node sum = 0;
  for (int i = 0, k = 0; i < w->npartials; i++) { /* both ascend */
    while (k < n && of_rate[k].symbol < w->partials[i].symbol) k++;
    if (k == n) break;
    const bool is_speed = (trmi_lists_of(m->b, of_rate[k].symbol) & 1U << TRMI_IN_V) != 0;
    if (of_rate[k].symbol != w->partials[i].symbol || !is_speed) continue;
    sum = trmi_add(g, sum, trmi_mul(g, w->partials[i].value, of_rate[k].value));
  }
  return sum;
}

void trmi_scalar_law_doubt(trmi_mechanism *m, const trmi_force *a) {
  char object[TRM_OBJECT_MAX];
  if (m->is_renewed || a->driven == 0 || trmi_part_find(a->def, "value") == NULL) return;
  const trmi_node sum = feeding(m, a->driven, a->rate);
  if (sum == 0) return;
  snprintf(object, sizeof object, "force '%.40s'", a->def->key.name);
  trmi_remark_add_if(m->b, object, "its law grows with its own rate at the start, like a negative "
                     "damping: it feeds energy into the motion, which may grow without end; "
                     "damping has a minus, -c*rate", sum);
}
