/* friction.c - friction in joints: Coulomb with a smooth change from rest to motion, and viscous.
 *
 * c are the components of sliding: speeds of B relative to A along the free directions, for
 * rotations times the radius r; V = |c|. With the speed vs below which the joint counts as at rest
 *   mu(V) = static (3 V/vs - (V/vs)^3)/2 up to vs, then from static to dynamic by a cubic at 2 vs,
 *   then dynamic: its slope has no jump                                                  (1)
 *   N = h(|F|, eps) [+ h(|T|, eps r)/r] + preload,  h(a, e) = a^2/sqrt(a^2 + e^2)         (2)
 *   with a length l of the bearing: its two ends carry f, f+ + f- = F and
 *   (l/2) a x (f+ - f-) = T across the axis a, so f+- = F/2 +- (T x a)/l,
 *   N = h(|f+|, eps/2) + h(|f-|, eps/2) [+ h(|T.a|, eps r)/r] + preload                  (4)
 *   force on B  -(mu(V) N/V + viscous) c,  of rotations times r                          (3)
 * F and T are the force and torque that the rows of the joint transmit. Forces may not depend on
 * multipliers, so N without preload is a variable of the model, w = W(q, lam). T counts in joints
 * that only slide and have a radius; its part across the axis also counts in bearings with a
 * length. eps is 1e-4 of a weight, so that N has a derivative at F = 0; h vanishes there, and for a
 * load as large as a weight the error is below 1e-8. Without radius the torque of viscous friction
 * is
 * -viscous w. `model: bristle` replaces -mu(V) c/V by the law of friction_bristle.c.
 * Theory: docs/theory/11-joints.md, section 7. */
#include "elements/elements.h"
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>

static bool complain(trmi_mechanism *m, const trmi_joint *j, const char *sentence) {
  trmi_complain(m->complaints, trmi_part_place(j->def, "friction"), "joint '%.60s': %s",
                j->def->key.name, sentence);
  return false;
}

static bool has_friction(const trmi_joint *j) {
  return trmi_part_has(j->def, "friction");
}

/* Does it constrain its axis and slide along or rotate about it? */
static bool is_bearing(const trmi_joint *j) {
  return trmi_rows_hold(j->type->rows, j->type->nrows) != TRMI_HOLDS_NONE &&
         j->type->slip != TRMI_SLIP_PLANE;
}

bool trmi_check_friction(trmi_mechanism *m, trmi_joint *j) {
  if (!has_friction(j)) return false;
  const trmi_slip slip = j->type->slip;
  if (slip == TRMI_SLIP_NONE) {
    return complain(m, j, "this type of joint has no friction");
  }
  if (!is_bearing(j) && trmi_part_find(j->def, "friction.length") != NULL) {
    return complain(m, j, "this type of joint has no bearing along its axis, whose 'length' could "
                    "be given");
  }
  const bool is_dry = trmi_part_number_or(j->def, "friction.static", 0.0) > 0.0 ||
                      trmi_part_number_or(j->def, "friction.dynamic", 0.0) > 0.0;
  const bool needs_radius = slip == TRMI_SLIP_ABOUT || slip == TRMI_SLIP_BALL;
  if (is_dry && needs_radius && trmi_part_find(j->def, "friction.radius") == NULL) {
    return complain(m, j, "dry friction in a joint that turns needs 'radius', its arm");
  }
  return is_dry;
}

/* Free directions: speeds times arms, and their points of action. */
typedef struct sliding {
  trmi_nodes3 direction[3];
  bool        is_turn[3];
  trmi_node   speed[3]; /* c of the head; without a radius the rates of rotations themselves */
  int         count;
} sliding;

static void add_direction(trmi_graph *g, sliding *s, trmi_nodes3 direction, trmi_nodes3 rate,
                          trmi_node arm, bool is_turn) {
  s->direction[s->count] = direction;
  s->is_turn[s->count] = is_turn;
  s->speed[s->count++] = trmi_mul(g, arm, n3_dot(g, direction, rate));
}

static sliding find_sliding(trmi_mechanism *m, const trmi_joint *j, trmi_node arm) {
  trmi_graph *g = &m->b->graph;
  const trmi_frame A = trmi_frame_of(m, &j->A), B = trmi_frame_of(m, &j->B);
  const trmi_nodes3 d = n3_sub(g, B.x, A.x), w = n3_sub(g, B.w, A.w);
  const trmi_nodes3 v = n3_sub(g, n3_sub(g, B.v, A.v), n3_cross(g, A.w, d));
  sliding s = {.count = 0};
  const trmi_node one = trmi_constant(g, 1.0);
  switch (j->type->slip) {
  case TRMI_SLIP_ALONG: add_direction(g, &s, A.axis[2], v, one, false); break;
  case TRMI_SLIP_ABOUT: add_direction(g, &s, A.axis[2], w, arm, true); break;
  case TRMI_SLIP_SCREW:
    add_direction(g, &s, A.axis[2], v, one, false);
    if (trmi_part_find(j->def, "friction.radius") != NULL) {
      add_direction(g, &s, A.axis[2], w, arm, true);
    }
    break;
  case TRMI_SLIP_BALL:
    for (int k = 0; k < 3; k++) add_direction(g, &s, A.axis[k], w, arm, true);
    break;
  case TRMI_SLIP_PLANE:
    for (int k = 0; k < 2; k++) add_direction(g, &s, A.axis[k], v, one, false);
    break;
  case TRMI_SLIP_NONE: break;
  }
  return s;
}

static trmi_node turning_speed(trmi_mechanism *m, const trmi_joint *j) {
  const trmi_units *units = &m->def->units;
  return trmi_part_node(m, j->def, "friction.velocity", 1e-3 * units->time / units->length);
}

/* Arm of rotational friction; one if it is not given. */
static double arm_of(const trmi_joint *j) {
  return trmi_part_number_or(j->def, "friction.radius", 1.0);
}

/* Joint and number of its sliding. */
typedef struct watched {
  const trmi_joint *joint;
  int  number;
  bool turns;
} watched;

/* Scale of lengths: for rotation that of 1 rad. */
static void compute_scale(trmi_mechanism *m, const void *of, double *scale) {
  const watched *w = of;
  *scale = 1.0 / m->def->units.length;
  if (w->turns) *scale = fmin(*scale, arm_of(w->joint));
  if (m->is_renewed) m->b->eq->labels[TRM_SLIP][w->number].scale = *scale;
}

/* Integrators must not step over a reversal: the force reverses within 2 vs, (1) */
static void watch_sliding(trmi_mechanism *m, const trmi_joint *j, const sliding *s) {
  trmi_graph *g = &m->b->graph;
  trmi_slip_def slip = {.band = trmi_mul(g, trmi_constant(g, 2.0), turning_speed(m, j))};
  watched *w = TRMI_TAKE(m->kept, watched, 1);
  if (w == NULL) return;
  *w = (watched){.joint = j, .number = m->b->nslips};
  for (int k = 0; k < s->count; k++) {
    slip.speed[k] = s->speed[k];
    w->turns = w->turns || s->is_turn[k];
  }
  const double *scale = trmi_derive(m, compute_scale, w, 1);
  if (scale == NULL) return;
  slip.scale = *scale;
  snprintf(slip.name, sizeof slip.name, "%.36s.sliding", j->def->key.name);
  snprintf(slip.object, sizeof slip.object, "friction of joint '%.36s'", j->def->key.name);
  trmi_add_slip(m->b, &slip);
}

/* A remark if friction increases when sliding begins. */
static void doubt_rest(trmi_mechanism *m, const trmi_joint *j, trmi_node excess) {
  char object[TRM_OBJECT_MAX];
  snprintf(object, sizeof object, "joint '%.48s'", j->def->key.name);
  trmi_remark_add_if(m->b, object, "its static friction is below its dynamic friction: are they "
                     "exchanged?", excess);
}

/* mu(V)/V from V^2, (1): up to vs a polynomial, so that V = 0 needs no special case */
static trmi_node friction_factor(trmi_mechanism *m, const trmi_joint *j, trmi_node V2) {
  trmi_graph *g = &m->b->graph;
  const trmi_node vs = turning_speed(m, j);
  const bool has_dynamic = trmi_part_find(j->def, "friction.dynamic") != NULL;
  const bool has_static = trmi_part_find(j->def, "friction.static") != NULL;
  const char *at_rest = has_static ? "friction.static" : "friction.dynamic";
  const trmi_node rest = trmi_part_node(m, j->def, at_rest, 0.0);
  const trmi_node moving = has_dynamic ? trmi_part_node(m, j->def, "friction.dynamic", 0.0) : rest;
  if (has_static && has_dynamic) doubt_rest(m, j, trmi_sub(g, moving, rest));
  const trmi_node one = trmi_constant(g, 1.0), three = trmi_constant(g, 3.0);
  const trmi_node square = trmi_mul(g, vs, vs), half = trmi_constant(g, 0.5);
  const trmi_node is_slow = trmi_less(g, V2, square);
  const trmi_node slow = trmi_mul(g, trmi_div(g, trmi_mul(g, half, rest), vs),
                                  trmi_sub(g, three, trmi_div(g, V2, square)));
  const trmi_node V = trmi_function(g, TRMI_OP_SQRT, trmi_select(g, is_slow, square, V2));
  const trmi_node excess = trmi_sub(g, trmi_div(g, V, vs), one);
  const trmi_node c = trmi_select(g, trmi_less(g, one, excess), one, excess);
  const trmi_node cubic = trmi_mul(g, trmi_mul(g, c, c), trmi_sub(g, three, trmi_add(g, c, c)));
  const trmi_node mu = trmi_add(g, rest, trmi_mul(g, trmi_sub(g, moving, rest), cubic));
  return trmi_select(g, is_slow, slow, trmi_div(g, mu, V));
}

/* A force that is small compared with the usual load of the joint. */
static void compute_small_force(trmi_mechanism *m, const void *of, double *force) {
  const trmi_joint *j = of;
  const trmi_units *units = &m->def->units;
  const double fall = v3_norm(m->gravity), second = 1.0 / units->time;
  const double g = fall > 0.0 ? fall : 9.80665 / units->length / (second * second);
  const int bodies[2] = {j->A.body, j->B.body};
  double weight = trmi_part_number(j->def, "friction.preload");
  for (int k = 0; k < 2; k++) weight = fmax(weight, m->bodies[bodies[k]].inertia.mass * g);
  *force = 1e-4 * (weight > 0.0 ? weight : 1.0 / units->force);
}

/* h of (2) */
static trmi_node soft_size(trmi_graph *g, trmi_nodes3 a, trmi_node eps) {
  const trmi_node square = n3_dot(g, a, a);
  const trmi_node sum = trmi_add(g, square, trmi_mul(g, eps, eps));
  return trmi_div(g, square, trmi_function(g, TRMI_OP_SQRT, sum));
}

/* Loads of both ends of a bearing, (4); `across` is T x a */
static trmi_node end_loads(trmi_graph *g, trmi_nodes3 force, trmi_nodes3 across, trmi_node length,
                           trmi_node eps) {
  const trmi_node one = trmi_constant(g, 1.0), a_half = trmi_constant(g, 0.5);
  const trmi_nodes3 half = n3_scale(g, a_half, force);
  const trmi_nodes3 pair = n3_scale(g, trmi_div(g, one, length), across);
  const trmi_node half_eps = trmi_mul(g, a_half, eps);
  return trmi_add(g, soft_size(g, n3_add(g, half, pair), half_eps),
                  soft_size(g, n3_sub(g, half, pair), half_eps));
}

/* A remark if a torque across the axis should add to the load, but does not: if it exceeds half the
 * force times the radius, or times 1 cm. */
static void doubt_moment(trmi_mechanism *m, const trmi_joint *j, trmi_nodes3 force,
                         trmi_nodes3 torque, trmi_node eps) {
  trmi_graph *g = &m->b->graph;
  char object[TRM_OBJECT_MAX];
  const trmi_node arm = trmi_part_node(m, j->def, "friction.radius", 0.01 / m->def->units.length);
  const trmi_nodes3 a = trmi_frame_of(m, &j->A).axis[2], across = n3_cross(g, torque, a);
  const trmi_node size = trmi_function(g, TRMI_OP_SQRT, n3_dot(g, across, across));
  const trmi_node sum = trmi_add(g, n3_dot(g, force, force), trmi_mul(g, eps, eps));
  const trmi_node most = trmi_mul(g, trmi_mul(g, trmi_constant(g, 0.5), arm),
                                  trmi_function(g, TRMI_OP_SQRT, sum));
  snprintf(object, sizeof object, "joint '%.48s'", j->def->key.name);
  trmi_remark_add_if(m->b, object, "torques across its axis do not load its friction: give the "
                 "'length' of the bearing, if it does not align itself", trmi_sub(g, size, most));
}

/* The variable of the load and its equation, (2) or (4) */
static trmi_node find_load(trmi_mechanism *m, trmi_joint *j) {
  trmi_compiler *b = m->b;
  trmi_graph *g = &b->graph;
  const double *small = trmi_derive(m, compute_small_force, j, 1);
  if (small == NULL) return 0;
  const trmi_node eps = trmi_live_number(m, small);
  const trmi_node length = trmi_part_node(m, j->def, "friction.length", 0.0);
  const trmi_node radius = trmi_part_node(m, j->def, "friction.radius", 0.0);
  const trmi_slip slip = j->type->slip;
  trmi_nodes3 force, torque;
  trmi_joint_reaction(m, j, &force, &torque);
  trmi_node load = soft_size(g, force, eps);
  if (length != 0) {
    const trmi_nodes3 a = trmi_frame_of(m, &j->A).axis[2];
    load = end_loads(g, force, n3_cross(g, torque, a), length, eps);
    torque = n3_scale(g, n3_dot(g, torque, a), a);
  }
  if ((slip == TRMI_SLIP_ALONG || slip == TRMI_SLIP_PLANE) && radius != 0) {
    const trmi_node size = soft_size(g, torque, trmi_mul(g, eps, radius));
    load = trmi_add(g, load, trmi_div(g, size, radius));
  }
  if (length == 0 && is_bearing(j) && !(slip == TRMI_SLIP_ALONG && radius != 0)) {
    doubt_moment(m, j, force, torque, eps);
  }
  const int w = m->def->parts[TRMI_VARIABLES].count + j->variable;
  b->w[w] = load;
  b->eq->w[w] = 0.0;
  return trmi_add(g, trmi_input_node(b, TRMI_IN_W, w),
                  trmi_part_node(m, j->def, "friction.preload", 0.0));
}

/* Force and torque on B, back on A. */
typedef struct load {
  trmi_nodes3 force, torque;
} load;

/* A force along component k of sliding; for rotation times the arm. */
static void add_drag(trmi_graph *g, trmi_joint *j, const sliding *s, int k, trmi_node arm,
                     trmi_node size, load *sum) {
  const trmi_node scaled = s->is_turn[k] ? trmi_mul(g, arm, size) : size;
  trmi_nodes3 *part = s->is_turn[k] ? &sum->torque : &sum->force;
  *part = n3_add(g, *part, n3_scale(g, scaled, s->direction[k]));
  if (k > 0 || s->count > 1) return;
  j->friction = scaled;
  j->friction_unit = trmi_unit_dimension(s->is_turn[k] ? "N*m" : "N");
}

/* (3) with the force of bristles in place of -mu(V) c/V */
static void build_sticking(trmi_mechanism *m, trmi_joint *j, const sliding *s, trmi_node arm,
                           trmi_node viscous) {
  trmi_graph *g = &m->b->graph;
  const trmi_node N = find_load(m, j);
  trmi_node dry[3] = {0, 0, 0}, power = 0;
  load sum = {.force = {0, 0, 0}, .torque = {0, 0, 0}};
  trmi_build_bristles(m, j, s->speed, dry);
  for (int k = 0; k < s->count; k++) {
    const trmi_node size = trmi_sub(g, trmi_mul(g, N, dry[k]), trmi_mul(g, viscous, s->speed[k]));
    add_drag(g, j, s, k, arm, size, &sum);
    power = trmi_add(g, power, trmi_mul(g, size, s->speed[k]));
  }
  trmi_push_pair(m, &j->A, &j->B, sum.force, sum.torque);
  trmi_count_power(m, &m->b->friction_power, power);
}

void trmi_build_friction(trmi_mechanism *m, trmi_joint *j) {
  trmi_graph *g = &m->b->graph;
  if (!has_friction(j) || j->type->slip == TRMI_SLIP_NONE) return;
  const trmi_node arm = trmi_part_node(m, j->def, "friction.radius", 1.0);
  const sliding s = find_sliding(m, j, arm);
  const trmi_node viscous = trmi_part_node(m, j->def, "friction.viscous", 0.0);

  /* drag = force over speed of sliding, (3) */
  const bool turns = j->type->slip == TRMI_SLIP_ABOUT || j->type->slip == TRMI_SLIP_BALL;
  trmi_node drag = turns ? trmi_div(g, viscous, trmi_mul(g, arm, arm)) : viscous;
  if (j->nbristles > 0) {
    build_sticking(m, j, &s, arm, drag);
    return;
  }
  if (j->variable >= 0) {
    trmi_node V2 = 0;
    for (int k = 0; k < s.count; k++) V2 = trmi_add(g, V2, trmi_mul(g, s.speed[k], s.speed[k]));
    const trmi_node N = find_load(m, j);
    drag = trmi_add(g, drag, trmi_mul(g, friction_factor(m, j, V2), N));
    watch_sliding(m, j, &s);
  }
  load sum = {.force = {0, 0, 0}, .torque = {0, 0, 0}};
  for (int k = 0; k < s.count; k++) {
    add_drag(g, j, &s, k, arm, trmi_neg(g, trmi_mul(g, drag, s.speed[k])), &sum);
  }
  trmi_push_pair(m, &j->A, &j->B, sum.force, sum.torque);
  trmi_node power = 0;
  for (int k = 0; k < s.count; k++) {
    power = trmi_sub(g, power, trmi_mul(g, drag, trmi_mul(g, s.speed[k], s.speed[k])));
  }
  trmi_count_power(m, &m->b->friction_power, power);
}
