/* marker_frame.c - bodies, markers and angles as nodes of the graph.
 *
 * With R the matrix of the body's quaternion, s and E of the marker in body axes:
 *   x = x_body + R s,   axis_k = R E_k,   w = R w_body,   v = v_body + w x (R s)        (1)
 *   force f at x and torque t: f on x_body, R^T (t + (R s) x f) on its rotation         (2)
 *   angle = r + atan2(S cos r - C sin r, C cos r + S sin r),  S = y_A.x_B, C = x_A.x_B  (3)
 * r is a reference near the angle, extrapolated from the last step, so that the angle counts full
 * turns.
 *   q = conj(p_A o m_A) o (p_B o m_B), p and m quaternions of body and marker              (4)
 * q and -q are the same rotation; the sign is chosen by q_0 >= 0 at the start, and afterwards by
 * continuity: a rotation vector computed from it may grow up to a full turn. */
#include "math/so3.h"
#include "elements/elements.h"
#include <string.h>

void trmi_axes_of_quaternion(trmi_graph *g, const trmi_node p[4], trmi_nodes3 axis[3]) {
  const trmi_node one = trmi_constant(g, 1.0), two = trmi_constant(g, 2.0);
  trmi_node pp[4][4];
  for (int i = 0; i < 4; i++) {
    for (int j = i; j < 4; j++) pp[i][j] = trmi_mul(g, two, trmi_mul(g, p[i], p[j]));
  }
  const trmi_node xx = pp[1][1], yy = pp[2][2], zz = pp[3][3];
  axis[0] = (trmi_nodes3){trmi_sub(g, one, trmi_add(g, yy, zz)), trmi_add(g, pp[1][2], pp[0][3]),
                          trmi_sub(g, pp[1][3], pp[0][2])};
  axis[1] = (trmi_nodes3){trmi_sub(g, pp[1][2], pp[0][3]), trmi_sub(g, one, trmi_add(g, xx, zz)),
                          trmi_add(g, pp[2][3], pp[0][1])};
  axis[2] = (trmi_nodes3){trmi_add(g, pp[1][3], pp[0][2]), trmi_sub(g, pp[2][3], pp[0][1]),
                          trmi_sub(g, one, trmi_add(g, xx, yy))};
}

static const trmi_frame *body_frame(trmi_mechanism *m, int i) {
  trmi_body *body = &m->bodies[i];
  trmi_compiler *b = m->b;
  trmi_graph *g = &b->graph;
  trmi_frame *f = &body->frame;
  if (body->has_frame) return f;
  body->has_frame = true;
  const trmi_vec3 zero = v3(0, 0, 0);
  *f = (trmi_frame){.x = n3_constant(g, zero), .v = n3_constant(g, zero),
                    .w = n3_constant(g, zero)};
  f->axis[0] = n3_constant(g, v3(1, 0, 0));
  f->axis[1] = n3_constant(g, v3(0, 1, 0));
  f->axis[2] = n3_constant(g, v3(0, 0, 1));
  if (body->kind == TRMI_CARRIER_GROUND) return f;
  f->x = trmi_input_nodes3(b, TRMI_IN_Q, body->q);
  f->v = trmi_input_nodes3(b, TRMI_IN_V, body->v);
  if (body->kind == TRMI_CARRIER_POINT) return f;
  const int p = trmi_input_node(b, TRMI_IN_Q, body->q + 3);
  trmi_axes_of_quaternion(g, (const trmi_node[4]){p, p + 1, p + 2, p + 3}, f->axis);
  f->w = n3_combine(g, f->axis, trmi_input_nodes3(b, TRMI_IN_V, body->v + 3));
  return f;
}

/* A marker whose numbers are live; NULL: the frame of a body, which has none. */
static const trmi_marker *live_marker(const trmi_mechanism *m, const trmi_marker *marker) {
  if (trmi_arena_holds(m->arena, marker)) return marker;
  if (marker->name == NULL) return NULL;
  const int i = trmi_index_find(&m->marker_names, marker->name, strlen(marker->name));
  return i >= 0 ? &m->markers[i] : NULL;
}

/* s and axis k of a marker, in body axes. */
static trmi_nodes3 place_of(trmi_mechanism *m, const trmi_marker *marker) {
  const trmi_marker *live = live_marker(m, marker);
  if (live == NULL) return n3_constant(&m->b->graph, marker->s);
  return (trmi_nodes3){trmi_live_number(m, &live->s.x), trmi_live_number(m, &live->s.y),
                       trmi_live_number(m, &live->s.z)};
}

static trmi_nodes3 axis_of(trmi_mechanism *m, const trmi_marker *marker, int k) {
  const trmi_marker *live = live_marker(m, marker);
  if (live == NULL) return n3_constant(&m->b->graph, m3_row(marker->E, k));
  const double *axis = live->E + 3 * k;
  return (trmi_nodes3){trmi_direction(m, &axis[0]), trmi_direction(m, &axis[1]),
                       trmi_direction(m, &axis[2])};
}

trmi_frame trmi_frame_of(trmi_mechanism *m, const trmi_marker *marker) {
  trmi_graph *g = &m->b->graph;
  const trmi_frame *body = body_frame(m, marker->body);
  trmi_frame out = {.w = body->w};
  const trmi_nodes3 r = n3_combine(g, body->axis, place_of(m, marker));
  out.x = n3_add(g, body->x, r);
  out.v = n3_add(g, body->v, n3_cross(g, body->w, r));
  for (int k = 0; k < 3; k++) {
    out.axis[k] = n3_combine(g, body->axis, axis_of(m, marker, k));
  }
  return out;
}

/* A force at the origin of a marker and a torque on its body, ground axes. */
static void push(trmi_mechanism *m, const trmi_marker *marker, trmi_nodes3 force,
                 trmi_nodes3 torque) {
  trmi_graph *g = &m->b->graph;
  const trmi_body *body = &m->bodies[marker->body];
  if (body->kind == TRMI_CARRIER_GROUND) return;
  trmi_node *row = m->b->force + body->v;
  for (int k = 0; k < 3; k++) row[k] = trmi_add(g, row[k], n3_part(force, k));
  if (body->kind == TRMI_CARRIER_POINT) return;
  const trmi_frame *frame = body_frame(m, marker->body);
  const trmi_nodes3 r = n3_combine(g, frame->axis, place_of(m, marker));
  const trmi_nodes3 moment = n3_add(g, torque, n3_cross(g, r, force)); /* (2) */
  for (int k = 0; k < 3; k++) {
    row[3 + k] = trmi_add(g, row[3 + k], n3_dot(g, frame->axis[k], moment));
  }
}

void trmi_push_pair(trmi_mechanism *m, const trmi_marker *A, const trmi_marker *B,
                    trmi_nodes3 force, trmi_nodes3 torque) {
  trmi_graph *g = &m->b->graph;
  push(m, B, force, torque);
  if (m->bodies[A->body].kind == TRMI_CARRIER_GROUND) return;
  const trmi_frame a = trmi_frame_of(m, A), b = trmi_frame_of(m, B);
  const trmi_nodes3 moment = n3_add(g, torque, n3_cross(g, n3_sub(g, b.x, a.x), force));
  push(m, A, n3_neg(g, force), n3_neg(g, moment));
}

void trmi_push_along(trmi_mechanism *m, trmi_node coordinate, trmi_node value) {
  trmi_graph *g = &m->b->graph;
  trmi_columns_of(m->b, coordinate, TRMI_IN_Q);
  for (int k = 0; k < m->b->ncolumns; k++) {
    const trmi_derivative c = m->b->columns[k];
    m->b->force[c.col] = trmi_add(g, m->b->force[c.col], trmi_mul(g, value, c.value));
  }
}

void trmi_count_power(trmi_mechanism *m, trmi_node *sum, trmi_node power) {
  *sum = trmi_add(&m->b->graph, *sum, power);
}

trmi_node trmi_velocity_of(trmi_mechanism *m, trmi_node node) {
  static const trmi_input rates[TRMI_INPUT_LISTS] = {
    [TRMI_IN_Q] = TRMI_IN_V, [TRMI_IN_V] = TRMI_IN_VD, [TRMI_IN_X] = TRMI_IN_XD};
  return trmi_rate_of(m->b, node, rates);
}

/* ---- relative quaternion -------------------------------------------------------------------- */

void trmi_marker_quats(const trmi_mechanism *m, const trmi_marker *A, const trmi_marker *B,
                       double m_a[4], double m_b[4]) {
  const trmi_marker *const markers[2] = {A, B};
  double *const out[2] = {m_a, m_b}, at[2][4];
  for (int i = 0; i < 2; i++) {
    const trmi_body *body = &m->bodies[markers[i]->body];
    const bool turns = body->kind == TRMI_CARRIER_BODY;
    trmi_quat_of_axes(markers[i]->E, out[i]);
    memcpy(at[i], out[i], sizeof at[i]);
    if (turns) trmi_quat_mul(body->q0 + 3, out[i], at[i]);
  }
  double start = 0.0; /* q_0 of (4) */
  for (int i = 0; i < 4; i++) start += at[0][i] * at[1][i];
  for (int i = 0; i < 4 && start < 0.0; i++) m_b[i] = -m_b[i];
}

/* ---- angles -------------------------------------------------------------------------------- */

trmi_node trmi_angle_near(trmi_mechanism *m, trmi_node S, trmi_node C, int memory) {
  trmi_graph *g = &m->b->graph;
  const trmi_node r = trmi_input_node(m->b, TRMI_IN_MEMORY, memory);
  const trmi_node sin_r = trmi_function(g, TRMI_OP_SIN, r);
  const trmi_node cos_r = trmi_function(g, TRMI_OP_COS, r);
  const trmi_node y = trmi_sub(g, trmi_mul(g, S, cos_r), trmi_mul(g, C, sin_r));
  const trmi_node x = trmi_add(g, trmi_mul(g, C, cos_r), trmi_mul(g, S, sin_r));
  return trmi_add(g, r, trmi_atan2(g, y, x)); /* (3) */
}

trmi_node trmi_angle_between(trmi_mechanism *m, const trmi_marker *A, const trmi_marker *B,
                             int memory) {
  trmi_graph *g = &m->b->graph;
  const trmi_frame a = trmi_frame_of(m, A), b = trmi_frame_of(m, B);
  return trmi_angle_near(m, n3_dot(g, a.axis[1], b.axis[0]), n3_dot(g, a.axis[0], b.axis[0]),
                         memory);
}

int trmi_body_columns(const trmi_body *body, trmi_input list, trmi_dependence *out) {
  const bool follows = body->carrier_n > 0;
  const int first = follows ? body->carrier_v : body->v;
  const int count = follows ? body->carrier_n : (int)body->kind;
  for (int i = 0; out != NULL && i < count; i++) out[i] = (trmi_dependence){list, first + i};
  return count;
}
