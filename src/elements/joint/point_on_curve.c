/* point_on_curve.c - a point of B on a curve of A given by tables over a parameter p.
 *   g_k = e_k . (x_B - x_A) - c_k(p),  e_k axes of A, k = x, y, z                        (1)
 * p is a massless coordinate of the joint: three rows constrain the point and leave p free, and
 * determine p as long as the curve has a tangent, c'(p) != 0. Steps of a simulation in which p
 * leaves the range of all tables are rejected; tables continue linearly there, so that Newton's
 * method can evaluate them. */
#include "elements/elements.h"
#include <math.h>
#include <stdio.h>

enum { SAMPLES = 16 };

/* One table of the path, or NULL: there is none. False after a complaint. */
static bool find_table(trmi_mechanism *m, const trmi_joint *j, const char *path,
                       const trmi_spline **curve) {
  const trmi_text *name = trmi_part_texts(j->def, path);
  *curve = NULL;
  if (name == NULL) return true;
  *curve = m->b->scope.curve(m->b, name->text, name->length, -1);
  if (*curve == NULL) {
    trmi_complain(m->complaints, trmi_text_place(name, 0), "joint '%.60s': there is no table "
                  "'%.60s'", j->def->key.name, name->text);
  } else if ((*curve)->kind == TRMI_SPLINE_LINEAR) {
    trmi_complain(m->complaints, trmi_text_place(name, 0), "joint '%.60s': the table '%.60s' has "
                  "corners; a curve needs interpolation akima or cubic", j->def->key.name,
                  name->text);
    *curve = NULL;
  }
  return *curve != NULL;
}

static double squared_distance(const trmi_spline *const curve[3], const double at[3], double p) {
  double total = 0.0;
  for (int k = 0; k < 3; k++) {
    const double c = curve[k] != NULL ? trmi_spline_at(curve[k], 0, p) : 0.0;
    total += (at[k] - c) * (at[k] - c);
  }
  return total;
}

/* Parameter of the point of the curve nearest to B at the start: the best of samples, then a
 * search between its neighbours by thirds. */
static double nearest(const trmi_mechanism *m, const trmi_joint *j,
                      const trmi_spline *const curve[3]) {
  trmi_vec3 x_A, x_B;
  double E[9], E_B[9], at[3];
  trmi_marker_at_start(m, &j->A, &x_A, E);
  trmi_marker_at_start(m, &j->B, &x_B, E_B);
  v3_store(at, m3_mul(E, v3_sub(x_B, x_A)));
  const trmi_spline *c = curve[0];
  double best = c->x[0], low = c->x[0], high = c->x[c->n - 1];
  for (int i = 0; i + 1 < c->n; i++) {
    const double step = (c->x[i + 1] - c->x[i]) / SAMPLES;
    for (int k = 0; k <= SAMPLES; k++) {
      const double p = c->x[i] + k * step;
      if (squared_distance(curve, at, p) > squared_distance(curve, at, best)) continue;
      best = p, low = p - step, high = p + step;
    }
  }
  for (int i = 0; i < 100; i++) {
    const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    if (squared_distance(curve, at, a) < squared_distance(curve, at, b)) high = b;
    else low = a;
  }
  return 0.5 * (low + high);
}

/* p must be in the common range of all tables. */
static void add_range(trmi_mechanism *m, const trmi_joint *j, const trmi_spline *const curve[3]) {
  trmi_equations *eq = m->b->eq;
  trmi_range *range = TRMI_TAKE(&eq->arena, trmi_range, 1);
  if (range == NULL) return;
  *range = (trmi_range){.q = j->scalar_q, .low = -INFINITY, .high = INFINITY, .next = eq->ranges};
  for (int k = 0; k < 3; k++) {
    if (curve[k] == NULL) continue;
    range->low = fmax(range->low, curve[k]->x[0]);
    range->high = fmin(range->high, curve[k]->x[curve[k]->n - 1]);
  }
  snprintf(range->object, sizeof range->object, "joint '%.48s'", j->def->key.name);
  eq->ranges = range;
}

/* Build a joint on its curve. */
typedef struct on_curve {
  const trmi_joint *joint;
  const trmi_spline *curve[3];
} on_curve;

static void compute_start(trmi_mechanism *m, const void *of, double *p) {
  const on_curve *c = of;
  const trmi_part *part = c->joint->def;
  *p = trmi_part_find(part, "path.start") != NULL ? trmi_part_number(part, "path.start")
                                                  : nearest(m, c->joint, c->curve);
  m->b->eq->q[c->joint->scalar_q] = *p;
}

void trmi_build_curve(trmi_mechanism *m, trmi_joint *j) {
  trmi_compiler *b = m->b;
  trmi_graph *g = &b->graph;
  const trmi_spline *curve[3];
  const bool is_good = find_table(m, j, "path.x", &curve[0]) &&
                       find_table(m, j, "path.y", &curve[1]) &&
                       find_table(m, j, "path.z", &curve[2]);
  if (is_good && curve[0] == NULL) {
    trmi_complain(m->complaints, j->def->key.place, "joint '%.60s': a curve needs 'path' with a "
                  "table x", j->def->key.name);
  }
  if (!is_good || curve[0] == NULL) return;
  const trmi_frame A = trmi_frame_of(m, &j->A), B = trmi_frame_of(m, &j->B);
  const trmi_nodes3 d = n3_sub(g, B.x, A.x);
  const trmi_node p = trmi_input_node(b, TRMI_IN_Q, j->scalar_q);
  for (int k = 0; k < 3; k++) { /* (1) */
    const trmi_node c = curve[k] != NULL ? trmi_spline_node(g, curve[k], 0, p) : 0;
    b->g[m->extension.add.native_rows + j->node_row + k] =
        trmi_sub(g, n3_dot(g, A.axis[k], d), c);
  }
  on_curve *start = TRMI_TAKE(m->kept, on_curve, 1);
  if (start == NULL) return;
  *start = (on_curve){.joint = j, .curve = {curve[0], curve[1], curve[2]}};
  (void)trmi_derive(m, compute_start, start, 1);
  add_range(m, j, curve);
}
