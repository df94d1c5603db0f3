/* limits.c - stops of a joint coordinate: springs and dampers on one side.
 *
 * p is the penetration of a stop, lower - coordinate or coordinate - upper, d the depth, k and b
 * stiffness and damping, c = p/d:
 *   s = STEP(p, 0, 0, d, 1) = c^2 (3 - 2 c), the active share, then 1
 *   f(p) = int k s = k d (c^3 - c^4/2) up to d, then k (p - d/2)
 *   U(p) = int f = k d^2 (c^4/4 - c^5/10), then k (p^2 - d p)/2 + 3 k d^2/20             (1)
 *   push = max(0, f + b s p'): a stop never pulls                                        (2)
 * Where damping cuts off the force, the force has a kink, which ends a step. It is located as a
 * zero of
 *   f/s + b p',   f/s = k d (c - c^2/2)/(3 - 2 c) up to d, then f; mirrored out of contact (3)
 * U is added to the potential, push - f to the forces; derivatives come from expr/gradient.c. This
 * is not the law of IMPACT, (4) of expr/functions.c. Steps through an impact: integ/impact_steps.c.
 * Derivation: docs/theory/11-joints.md. */
#include "elements/elements.h"
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>

typedef struct stop {
  const char *joint;
  trmi_node   stiffness, damping, depth;
} stop;

static trmi_node times(trmi_graph *g, double factor, trmi_node n) {
  return trmi_mul(g, trmi_constant(g, factor), n);
}

/* (3). Out of contact c = -p/d up to 1: a gap that opens with a negative value closes with a
 * positive one, with no change in between. */
static trmi_node add_cut(trmi_mechanism *m, const stop *s, trmi_node penetration, trmi_node f) {
  trmi_graph *g = &m->b->graph;
  const trmi_node one = trmi_constant(g, 1.0), zero = trmi_constant(g, 0.0);
  const trmi_node along = trmi_div(g, penetration, s->depth), back = trmi_neg(g, along);
  const trmi_node capped = trmi_select(g, trmi_less(g, back, one), back, one);
  const trmi_node c = trmi_select(g, trmi_less(g, zero, along), along, capped);
  const trmi_node part = trmi_mul(g, c, trmi_sub(g, one, times(g, 0.5, c)));
  const trmi_node inner = trmi_sub(g, trmi_constant(g, 3.0), trmi_add(g, c, c));
  const trmi_node near = trmi_mul(g, trmi_mul(g, s->stiffness, s->depth),
                                  trmi_div(g, part, inner));
  const trmi_node over = trmi_select(g, trmi_less(g, s->depth, penetration), f, near);
  return trmi_add(g, over, trmi_mul(g, s->damping, trmi_velocity_of(m, penetration)));
}

static void name_stop(char object[TRM_OBJECT_MAX], const char *joint) {
  snprintf(object, TRM_OBJECT_MAX, "stop of joint '%.40s'", joint);
}

/* Does a stop with the force f + drag push? The condition is held if damping may cut off the
 * force. */
static trmi_node is_pushing(trmi_mechanism *m, const stop *s, trmi_node penetration, trmi_node f,
                            trmi_node sum) {
  trmi_graph *g = &m->b->graph;
  const trmi_node zero = trmi_constant(g, 0.0);
  const trmi_node has_damper = trmi_less(g, zero, s->damping);
  const bool is_elastic = trmi_is_constant(g, has_damper) && !trmi_is_true(g, has_damper);
  if (is_elastic) return trmi_less_equal(g, zero, sum);
  trmi_event cut = {.trigger = TRMI_SIGN, .vanishes = sum};
  name_stop(cut.object, s->joint);
  return trmi_hold_condition(m->b, &cut, add_cut(m, s, penetration, f));
}

/* (1), (2) at a penetration; `push` receives the part of the damper */
static trmi_node add_stop(trmi_mechanism *m, const stop *s, trmi_node penetration,
                          trmi_node *push) {
  trmi_graph *g = &m->b->graph;
  const trmi_node zero = trmi_constant(g, 0.0), d = s->depth, k = s->stiffness;
  const trmi_node is_in = trmi_less(g, zero, penetration), is_deep = trmi_less(g, d, penetration);

  const trmi_node kd = trmi_mul(g, k, d), kdd = trmi_mul(g, kd, d);
  const trmi_node c = trmi_div(g, penetration, d), cc = trmi_mul(g, c, c),
                  one = trmi_constant(g, 1.0);

  /* potential */
  const trmi_node U_share = trmi_sub(g, times(g, 0.25, kdd),
                                     trmi_mul(g, times(g, 0.1, kdd), c));
  const trmi_node near_U = trmi_mul(g, trmi_mul(g, cc, cc), U_share);
  const trmi_node product = trmi_mul(g, penetration, trmi_sub(g, penetration, d));
  const trmi_node deep_U = trmi_add(g, trmi_mul(g, times(g, 0.5, k), product),
                                    times(g, 0.15, kdd));
  const trmi_node U = trmi_select(g, is_in, trmi_select(g, is_deep, deep_U, near_U), zero);
  m->b->potential = trmi_add(g, m->b->potential, U);

  /* its force, and the damper */
  const trmi_node f_share = trmi_mul(g, kd,
                                     trmi_sub(g, one, trmi_mul(g, trmi_constant(g, 0.5), c)));
  const trmi_node near_f = trmi_mul(g, trmi_mul(g, cc, c), f_share);
  const trmi_node deep_f = trmi_mul(g, k, trmi_sub(g, penetration, times(g, 0.5, d)));
  const trmi_node f = trmi_select(g, is_in, trmi_select(g, is_deep, deep_f, near_f), zero);
  const trmi_node cubic = trmi_mul(g, cc, trmi_sub(g, trmi_constant(g, 3.0), trmi_add(g, c, c)));
  const trmi_node share = trmi_select(g, is_in, trmi_select(g, is_deep, one, cubic), zero);
  const trmi_node drag = trmi_mul(g, trmi_mul(g, s->damping, share),
                                  trmi_velocity_of(m, penetration));
  const trmi_node sum = trmi_add(g, f, drag);
  const trmi_node pushes = is_pushing(m, s, penetration, f, sum);
  const trmi_node damper = trmi_select(g, pushes, drag, trmi_neg(g, f)); /* (2) */
  *push = trmi_add(g, f, damper);
  return damper;
}

/* Penetration at which a stop is fully active: given, or a thousandth of the range. */
static void compute_depth(trmi_mechanism *m, const void *of, double *depth) {
  const trmi_part *part = of;
  const double lower = trmi_part_number_or(part, "limits.lower", -INFINITY);
  const double upper = trmi_part_number_or(part, "limits.upper", INFINITY);
  (void)m;
  double range = upper - lower;
  if (!isfinite(range)) range = isfinite(lower) ? fabs(lower) : fabs(upper);
  if (!(range > 0.0)) range = 1.0;
  *depth = trmi_part_number_or(part, "limits.depth", 1e-3 * range);
}

/* A remark if the start is beyond the stop, by more than for a body resting on it. */
static void doubt_start(trmi_mechanism *m, const char *joint, const char *side, const stop *s,
                        trmi_node penetration) {
  char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
  trmi_graph *g = &m->b->graph;
  snprintf(object, sizeof object, "joint '%.48s'", joint);
  snprintf(text, sizeof text, "its start is beyond its %s limit: the stop pushes it back from the "
           "first step on, also against a motion", side);
  trmi_remark_add_if(m->b, object, text, trmi_sub(g, penetration, times(g, 2.0, s->depth)));
}

/* Steps are limited by the stop. */
static void add_gap(trmi_mechanism *m, const char *joint, const char *side, trmi_node penetration) {
  char name[48], object[TRM_OBJECT_MAX];
  snprintf(name, sizeof name, "%.32s.%.8s", joint, side);
  name_stop(object, joint);
  trmi_add_gap(m->b, trmi_neg(&m->b->graph, penetration), name, object);
}

void trmi_build_limits(trmi_mechanism *m, trmi_joint *j) {
  trmi_graph *g = &m->b->graph;
  const trmi_part *part = j->def;
  const trmi_given *word = trmi_part_find(part, "limits.coordinate");
  const bool has_lower = trmi_part_find(part, "limits.lower") != NULL;
  const bool has_upper = trmi_part_find(part, "limits.upper") != NULL;
  int coordinate;
  if (!has_lower && !has_upper && trmi_part_find(part, "limits.stiffness") == NULL) return;
  const trmi_place place = word != NULL ? word->place : trmi_part_place(part, "limits.stiffness");
  if (!trmi_choose_coordinate(m, part, j, word != NULL ? word->texts[0].text : NULL, place,
                              &coordinate)) {
    return;
  }
  const bool has_unit = j->type->coordinates[coordinate].kind != TRMI_OWN;
  const bool turns = trmi_joint_turns(j, coordinate);
  if (has_unit && !trmi_part_check_turning(part, turns, &m->def->units, m->complaints)) return;
  const double lower = trmi_part_number_or(part, "limits.lower", -INFINITY);
  const double upper = trmi_part_number_or(part, "limits.upper", INFINITY);
  if (!has_lower && !has_upper) {
    trmi_complain(m->complaints, place, "joint '%.60s': limits need 'lower' or 'upper', or both",
                  part->key.name);
    return;
  }
  if (!(lower < upper)) {
    trmi_complain(m->complaints, trmi_part_place(part, "limits.lower"), "joint '%.60s': its lower "
                  "limit, %.6g%s, is not below the upper one, %.6g%s", part->key.name, lower,
                  turns ? " rad" : "", upper, turns ? " rad" : "");
    return;
  }
  const double *depth = trmi_derive(m, compute_depth, part, 1);
  if (depth == NULL) return;
  const stop s = {.joint = part->key.name,
                  .stiffness = trmi_part_node(m, part, "limits.stiffness", 0.0),
                  .damping = trmi_part_node(m, part, "limits.damping", 0.0),
                  .depth = trmi_live_number(m, depth)};
  const trmi_node low = trmi_part_node(m, part, "limits.lower", -INFINITY);
  const trmi_node high = trmi_part_node(m, part, "limits.upper", INFINITY);
  (void)trmi_less(g, low, high); /* permanent decision: see trmi_live */
  const trmi_node c = trmi_joint_coordinate(m, j, coordinate);
  if (has_unit) j->stop_unit = trmi_unit_dimension(turns ? "N*m" : "N");
  trmi_node force = 0, push;
  if (has_lower) {
    const trmi_node penetration = trmi_sub(g, low, c);
    force = trmi_add(g, force, add_stop(m, &s, penetration, &push));
    add_gap(m, part->key.name, "lower", penetration);
    doubt_start(m, part->key.name, "lower", &s, penetration);
    j->stop = trmi_add(g, j->stop, push);
  }
  if (has_upper) {
    const trmi_node penetration = trmi_sub(g, c, high);
    force = trmi_sub(g, force, add_stop(m, &s, penetration, &push));
    add_gap(m, part->key.name, "upper", penetration);
    doubt_start(m, part->key.name, "upper", &s, penetration);
    j->stop = trmi_sub(g, j->stop, push);
  }
  trmi_push_along(m, c, force);
  trmi_count_power(m, &m->b->damper_power, trmi_mul(g, force, trmi_velocity_of(m, c)));
}
