/* friction_bristle.c - friction of joints with sticking: the law of contacts as nodes.
 *
 * c are the components of sliding of friction.c, z the deflections of bristles over their
 * break-away depth, states of the model; V = |c|, Z = |z|:
 *   lim = mu(V)/mu_s,   mu = mu_d + (mu_s - mu_d)/(1 + (V/v_s)^2)                          (1)
 *   z' = (c - f z)/depth,   f = a(Z/lim) max(0, z.c)/(lim Z)                               (2)
 *   force over N = -mu_s (z + g z'),   g = tau/(1 + tau V/depth)                           (3)
 * as in elements/contact/friction_law.c, which gives the reasons. Z never exceeds 1: a step whose
 * implicit equations converge to another solution is repeated, as for contacts. Theory:
 * docs/theory/11-joints.md, section 7, and 15-contact.md, section 3. */
#include "core/fail.h"
#include "elements/elements.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

int trmi_count_bristles(const trmi_joint *j) {
  if (trmi_part_choice(j->def, "friction.model") == 0) return 0;
  switch (j->type->slip) {
  case TRMI_SLIP_ALONG:
  case TRMI_SLIP_ABOUT: return 1;
  case TRMI_SLIP_SCREW: return trmi_part_find(j->def, "friction.radius") != NULL ? 2 : 1;
  case TRMI_SLIP_BALL: return 3;
  case TRMI_SLIP_PLANE: return 2;
  case TRMI_SLIP_NONE: break;
  }
  return 0;
}

/* ---- law ------------------------------------------------------------------------------------ */

static double depth_of(const trmi_mechanism *m, const trmi_joint *j) {
  return trmi_part_number_or(j->def, "friction.depth", 1e-5 / m->def->units.length);
}

/* tau = 2 sqrt(depth/(mu_s g)) */
static void compute_time(trmi_mechanism *m, const void *of, double *time) {
  const trmi_joint *j = of;
  const trmi_units *units = &m->def->units;
  const double moving = trmi_part_number_or(j->def, "friction.dynamic", 0.0);
  const double rest = trmi_part_number_or(j->def, "friction.static", moving);
  const double fall = v3_norm(m->gravity);
  const double g = fall > 0.0 ? fall : 9.80665 * units->time * units->time / units->length;
  *time = trmi_part_number_or(j->def, "friction.time",
                              2.0 * sqrt(depth_of(m, j) / (fmax(rest, 1e-6) * g)));
}

/* |a|, modified to be differentiable at zero */
static trmi_node size_of(trmi_graph *g, trmi_node square, double least) {
  const trmi_node small = trmi_constant(g, least * least);
  return trmi_function(g, TRMI_OP_SQRT, trmi_select(g, trmi_less(g, square, small), small, square));
}

static trmi_node sum_of(trmi_graph *g, const trmi_node *a, const trmi_node *b, int n) {
  trmi_node sum = 0;
  for (int k = 0; k < n; k++) sum = trmi_add(g, sum, trmi_mul(g, a[k], b[k]));
  return sum;
}

/* a of (2): 0 below .9, then a cubic to 1 */
static trmi_node plastic_part(trmi_graph *g, trmi_node ratio) {
  const trmi_node one = trmi_constant(g, 1.0), zero = 0;
  const trmi_node u = trmi_mul(g, trmi_constant(g, 10.0),
                               trmi_sub(g, ratio, trmi_constant(g, 0.9)));
  const trmi_node cubic = trmi_mul(g, trmi_mul(g, u, u),
                                   trmi_sub(g, trmi_constant(g, 3.0), trmi_add(g, u, u)));
  return trmi_select(g, trmi_less(g, u, zero), zero,
                     trmi_select(g, trmi_less(g, one, u), one, cubic));
}

/* Coefficients at rest and in motion. */
static void find_coefficients(trmi_mechanism *m, const trmi_joint *j, trmi_node *rest,
                              trmi_node *moving) {
  const bool has_dynamic = trmi_part_find(j->def, "friction.dynamic") != NULL;
  const bool has_static = trmi_part_find(j->def, "friction.static") != NULL;
  *rest = trmi_part_node(m, j->def, has_static ? "friction.static" : "friction.dynamic", 0.0);
  *moving = has_dynamic ? trmi_part_node(m, j->def, "friction.dynamic", 0.0) : *rest;
}

void trmi_build_bristles(trmi_mechanism *m, const trmi_joint *j, const trmi_node *speed,
                         trmi_node *force) {
  trmi_compiler *b = m->b;
  trmi_graph *g = &b->graph;
  const int n = j->nbristles;
  const double *time = trmi_derive(m, compute_time, j, 1);
  trmi_node z[3], rest, moving;
  if (time == NULL) return;
  find_coefficients(m, j, &rest, &moving);
  const trmi_units *units = &m->def->units;
  const trmi_node vs = trmi_part_node(m, j->def, "friction.velocity",
                                      1e-3 * units->time / units->length);
  const trmi_node depth = trmi_part_node(m, j->def, "friction.depth", depth_of(m, j));
  const trmi_node tau = trmi_live_number(m, time), one = trmi_constant(g, 1.0);
  for (int k = 0; k < n; k++) z[k] = trmi_input_node(b, TRMI_IN_X, j->bristle + k);
  const trmi_node V2 = sum_of(g, speed, speed, n), Z = size_of(g, sum_of(g, z, z, n), 1e-3);
  const trmi_node V = size_of(g, V2, 1e-9 * units->time / units->length);
  const trmi_node square = trmi_div(g, V2, trmi_mul(g, vs, vs));
  const trmi_node mu = trmi_add(g, moving, trmi_div(g, trmi_sub(g, rest, moving),
                                                    trmi_add(g, one, square))); /* (1) */
  const trmi_node lim = trmi_div(g, mu, rest), along = sum_of(g, z, speed, n);
  const trmi_node push = trmi_select(g, trmi_less(g, 0, along), along, 0);
  const trmi_node f = trmi_div(g, trmi_mul(g, plastic_part(g, trmi_div(g, Z, lim)), push),
                               trmi_mul(g, lim, Z));
  const trmi_node damper = trmi_div(g, tau, trmi_add(g, one, trmi_div(g, trmi_mul(g, tau, V),
                                                                      depth)));
  for (int k = 0; k < n; k++) {
    const trmi_node rate = trmi_div(g, trmi_sub(g, speed[k], trmi_mul(g, f, z[k])), depth);
    b->d[j->bristle + k] = trmi_sub(g, trmi_input_node(b, TRMI_IN_XD, j->bristle + k), rate);
    force[k] = trmi_neg(g, trmi_mul(g, rest, trmi_add(g, z[k], trmi_mul(g, damper, rate))));
  }
}

/* ---- labels, steps -------------------------------------------------------------------------- */

void trmi_bristle_labels(trmi_mechanism *m) {
  for (int i = 0; i < m->njoints; i++) {
    const trmi_joint *j = &m->joints[i];
    for (int k = 0; k < j->nbristles; k++) {
      trm_label *label = &m->b->eq->labels[TRM_X][j->bristle + k];
      if (j->nbristles == 1) snprintf(label->name, sizeof label->name, "%.40s.z", j->def->key.name);
      else snprintf(label->name, sizeof label->name, "%.34s.z%d", j->def->key.name, k + 1);
      snprintf(label->object, sizeof label->object, "friction of joint '%.36s'", j->def->key.name);
      label->kind = TRM_KIND_BRISTLE;
      label->scale = 500.0; /* .005 of the depth at the usual tolerance of 1e-5 */
    }
  }
}

/* Bristles of one joint, and of all. */
typedef struct bristles {
  int  x, count;
  char object[TRM_OBJECT_MAX];
} bristles;

typedef struct all_bristles {
  bristles *list;
  int       count;
} all_bristles;

static trm_status test_step(void *self, const trm_state *s, trm_error *err) {
  const all_bristles *o = self;
  const double most = 1.002; /* margin for Newton's method and rounding */
  for (int i = 0; i < o->count; i++) {
    double square = 0.0;
    for (int k = 0; k < o->list[i].count; k++) {
      square += s->x[o->list[i].x + k] * s->x[o->list[i].x + k];
    }
    if (square <= most * most) continue;
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, o->list[i].object, "friction would exceed its limit");
  }
  return TRM_OK;
}

static const trmi_contributor_ops ops = {
  .name = "friction of joints", .rank = TRMI_RANK_FORCES, .test_step = test_step,
};

void trmi_contribute_bristles(trmi_mechanism *m) {
  trmi_assembly *a = m->b->assembly;
  int count = 0;
  for (int i = 0; i < m->njoints; i++) count += m->joints[i].nbristles > 0;
  if (count == 0) return;
  all_bristles *o = TRMI_TAKE(&a->elements, all_bristles, 1);
  bristles *list = TRMI_TAKE(&a->elements, bristles, count);
  if (a->elements.failed) return; /* recorded by the arena */
  *o = (all_bristles){.list = list};
  for (int i = 0; i < m->njoints; i++) {
    const trmi_joint *j = &m->joints[i];
    if (j->nbristles == 0) continue;
    bristles *own = &list[o->count++];
    *own = (bristles){.x = j->bristle, .count = j->nbristles};
    snprintf(own->object, sizeof own->object, "friction of joint '%.36s'", j->def->key.name);
  }
  trmi_assembly_add(a, &ops, o);
}
