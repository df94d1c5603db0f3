/* start_values.c - start values of joint coordinates: `start` and `start_rate`.
 *
 * Bodies are drawn at `at` and `orientation`, or by their joints (place_bodies.c); all points and
 * directions in ground axes, and lengths and angles derived from the start, refer to this drawing.
 * From it the joints of a spanning tree, those with start values first, move the bodies to their
 * start: frame B relative to frame A by joint_pose.c if the joint has values, otherwise as drawn.
 * With A known, and (r) a vector of A in ground axes,
 *   b_j = sum_i P_ij a_i,  x_B = x_A + (d),  v_B = v_A + w_A x (d) + (d'),  w_B = w_A + (w)   (1)
 * and likewise for A if B is known. Beams move like rigid bodies. If joints close loops, assembly
 * does the rest: bodies whose pose is determined by start values from the ground are kept, others
 * move first. A remark reports a value that could not be kept. */
#include "elements/joint/joint_pose.h"
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reading -------------------------------------------------------------------------------- */

static void clear(double *values) {
  for (int k = 0; k < TRMI_COORDINATES_MAX; k++) values[k] = NAN;
}

static bool has_any(const double *values) {
  for (int k = 0; k < TRMI_COORDINATES_MAX; k++) {
    if (!isnan(values[k])) return true;
  }
  return false;
}

/* Dimensions of the typed values. */
static bool check_units(trmi_mechanism *m, const trmi_joint *j, const char *key, bool is_rate,
                        int first) {
  const trmi_given *given = trmi_part_find(j->def, key);
  const int before = m->complaints->count;
  bool is_good = true;
  for (int i = 0; given->texts != NULL && !m->is_renewed && i < given->count; i++) {
    double number;
    trmi_dimension is;
    if (!trmi_parameters_value(m->parameters, &given->texts[i], &number, &is)) return false;
    const bool turns = trmi_joint_turns(j, first + i);
    const char *unit = turns ? (is_rate ? "rad/s" : "rad") : is_rate ? "m/s" : "m";
    is_good = trmi_check_dimension(m->complaints, &m->def->units, &given->texts[i], is,
                                   trmi_unit_dimension(unit)) && is_good;
  }
  trmi_complaints_name(m->complaints, before, "joint", j->def->key.name);
  return is_good;
}

/* One key: a single number is that of the only coordinate, a list has one for each. */
static bool read_values(trmi_mechanism *m, const trmi_joint *j, const char *key, double *values) {
  char list[TRMI_COORDINATE_LIST];
  int count, first = 0;
  const double *numbers = trmi_part_list(j->def, key, &count);
  const trmi_place place = trmi_part_place(j->def, key);
  clear(values);
  if (numbers == NULL) return true;
  if (trmi_coordinate_count(j->type) == 0) {
    return trmi_choose_coordinate(m, j->def, j, NULL, place, &first); /* complains */
  }
  if (!trmi_joint_has_pose(j->type)) {
    trmi_complain(m->complaints, place, "joint '%.60s': a %.40s joint has no '%s'; place its "
                  "bodies by at and orientation", j->def->key.name, j->type->name, key);
    return false;
  }
  if (count == 1) first = j->type->is_tied ? 0 : trmi_only_coordinate(j->type);
  if (first < 0 || (count != 1 && count != trmi_coordinate_count(j->type))) {
    trmi_coordinate_list(j->type, "and", list);
    trmi_complain(m->complaints, place, "joint '%.60s': '%s' has %d value%s; it needs one for each "
                  "of %s", j->def->key.name, key, count, count > 1 ? "s" : "", list);
    return false;
  }
  memcpy(values + first, numbers, (size_t)count * sizeof *values);
  return check_units(m, j, key, strcmp(key, "start_rate") == 0, first);
}

/* A motion determines the start of its coordinate. */
static void check_motions(trmi_mechanism *m, const trmi_joint *j) {
  for (int i = 0; i < m->nmotions; i++) {
    const trmi_motion *motion = &m->motions[i];
    if (motion->joint != j) continue;
    const bool has_value = !isnan(j->start[motion->coordinate]);
    if (!has_value && isnan(j->start_rate[motion->coordinate])) continue;
    trmi_complain(m->complaints, trmi_part_place(j->def, has_value ? "start" : "start_rate"),
                  "joint '%.60s': its start follows from motion '%.60s'; leave one of them out",
                  j->def->key.name, motion->def->key.name);
  }
}

bool trmi_read_joint_start(trmi_mechanism *m, trmi_joint *j) {
  const bool has_start = read_values(m, j, "start", j->start);
  return read_values(m, j, "start_rate", j->start_rate) && has_start;
}

/* ---- the tree ------------------------------------------------------------------------------- */

/* A joint, or two neighbouring nodes of a beam. */
typedef struct edge {
  int         a, b;
  const trmi_joint *joint; /* NULL: of a beam */
  bool        is_in_tree;
} edge;

typedef struct tree {
  trmi_mechanism *m;
  trmi_mechanism  drawn;   /* with the bodies as drawn                       */
  edge *edges;
  int   nedges;
  int  *group;             /* groups of bodies connected by joints, without the ground */
  bool *has_start, *has_rate; /* of such a group, at its number               */
  bool *is_done, *is_moved;   /* of bodies                                    */
  bool *is_held, *is_held_v;  /* given by start values                        */
} tree;

/* The representative of a body, with path compression. */
static int find_root(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static bool starts(const trmi_joint *j) {
  return j != NULL && (has_any(j->start) || has_any(j->start_rate));
}

/* Joints with values first, then those without degrees of freedom, then all others. */
static int rank_of(const edge *e) {
  if (starts(e->joint)) return 0;
  return e->joint == NULL || trmi_coordinate_count(e->joint->type) == 0 ? 1 : 2;
}

static void add_edges(tree *t) {
  const trmi_mechanism *m = t->m;
  for (int i = 0; i < m->njoints; i++) {
    const trmi_joint *j = &m->joints[i];
    if (j->type->ends == TRMI_ENDS_NONE) continue;
    t->edges[t->nedges++] = (edge){.a = j->A.body, .b = j->B.body, .joint = j};
  }
  for (int i = 0; i < m->nbeams; i++) {
    const trmi_beam_part *beam = &m->beams[i];
    for (int k = beam->first; k + 1 < beam->first + beam->nnodes; k++) {
      t->edges[t->nedges++] = (edge){.a = k, .b = k + 1};
    }
  }
}

static void choose_tree(tree *t, int *parent) {
  for (int rank = 0; rank < 3; rank++) {
    for (int i = 0; i < t->nedges; i++) {
      edge *e = &t->edges[i];
      if (rank_of(e) != rank) continue;
      const int a = find_root(parent, e->a), b = find_root(parent, e->b);
      e->is_in_tree = a != b;
      parent[a] = b;
    }
  }
}

static void group_bodies(tree *t) {
  for (int i = 0; i < t->nedges; i++) {
    const edge *e = &t->edges[i];
    if (e->a == 0 || e->b == 0) continue;
    t->group[find_root(t->group, e->a)] = find_root(t->group, e->b);
  }
  for (int i = 0; i < t->nedges; i++) {
    const edge *e = &t->edges[i];
    if (!starts(e->joint)) continue;
    const int group = find_root(t->group, e->a != 0 ? e->a : e->b);
    t->has_start[group] = true;
    t->has_rate[group] = t->has_rate[group] || has_any(e->joint->start_rate);
  }
}

static bool make_tree(trmi_mechanism *m, tree *t) {
  const int n = m->nbodies;
  *t = (tree){.m = m, .drawn = *m};
  trmi_body *bodies = TRMI_TAKE(m->arena, trmi_body, n);
  int *parent = TRMI_TAKE(m->arena, int, n);
  bool *flags = TRMI_TAKE(m->arena, bool, 6 * (size_t)n);
  t->group = TRMI_TAKE(m->arena, int, n);
  t->edges = TRMI_TAKE(m->arena, edge, m->njoints + n);
  if (m->arena->failed) return false;
  memcpy(bodies, m->bodies, (size_t)n * sizeof *bodies);
  t->drawn.bodies = bodies;
  t->has_start = flags, t->has_rate = flags + n, t->is_done = flags + 2 * n;
  t->is_moved = flags + 3 * n, t->is_held = flags + 4 * n, t->is_held_v = flags + 5 * n;
  for (int i = 0; i < n; i++) parent[i] = t->group[i] = i;
  add_edges(t);
  choose_tree(t, parent);
  group_bodies(t);
  return true;
}

/* ---- poses and velocities ------------------------------------------------------------------- */

static const double no_values[TRMI_COORDINATES_MAX] = {NAN, NAN, NAN, NAN, NAN};

/* Frame and motion of a marker, ground axes. */
typedef struct moving_frame {
  trmi_vec3 x, v, w;
  double    E[9]; /* axis k is row k */
} moving_frame;

static moving_frame frame_of(const trmi_mechanism *m, const trmi_marker *marker) {
  const trmi_body *body = &m->bodies[marker->body];
  moving_frame f;
  double R[9];
  trmi_marker_at_start(m, marker, &f.x, f.E);
  trmi_quat_matrix(body->q0 + 3, R);
  f.w = m3_mul(R, v3_load(body->v0 + 3));
  f.v = v3_add(v3_load(body->v0), v3_cross(f.w, v3_sub(f.x, v3_load(body->q0))));
  return f;
}

/* B relative to A, as drawn, then with the values of the joint. */
static trmi_relative_pose relate(const tree *t, const edge *e, const trmi_marker ends[2]) {
  trmi_relative_pose pose;
  const moving_frame A = frame_of(&t->drawn, &ends[0]), B = frame_of(&t->drawn, &ends[1]);
  double *P = pose.P;
  for (int i = 0; i < 9; i++) P[i] = v3_dot(m3_row(A.E, i / 3), m3_row(B.E, i % 3));
  pose.d = m3_mul(A.E, v3_sub(B.x, A.x));
  pose.w = pose.d_rate = v3(0, 0, 0);
  if (starts(e->joint)) trmi_joint_pose(e->joint, e->joint->start, e->joint->start_rate, &pose);
  return pose;
}

/* (1) */
static moving_frame follow(const trmi_relative_pose *pose, const moving_frame *known, bool is_A) {
  moving_frame f;
  double Pt[9];
  for (int i = 0; i < 9; i++) Pt[i] = pose->P[3 * (i % 3) + i / 3];
  m3_mm(is_A ? Pt : pose->P, known->E, f.E);
  const double *E_A = is_A ? known->E : f.E;
  const double sign = is_A ? 1.0 : -1.0;
  const trmi_vec3 d = m3_tmul(E_A, pose->d), rate = m3_tmul(E_A, pose->d_rate);
  f.w = v3_add(known->w, v3_scale(sign, m3_tmul(E_A, pose->w)));
  const trmi_vec3 w_A = is_A ? known->w : f.w;
  f.x = v3_add(known->x, v3_scale(sign, d));
  f.v = v3_add(known->v, v3_scale(sign, v3_add(v3_cross(w_A, d), rate)));
  return f;
}

static void move_body(trmi_body *body, const trmi_marker *marker, const moving_frame *f) {
  trmi_body_on_frame(marker, f->x, f->E, body);
}

static void push_body(trmi_body *body, const moving_frame *f) {
  double R[9];
  trmi_quat_matrix(body->q0 + 3, R);
  if (body->kind == TRMI_CARRIER_BODY) v3_store(body->v0 + 3, m3_tmul(R, f->w));
  const trmi_vec3 w = body->kind == TRMI_CARRIER_BODY ? f->w : v3(0, 0, 0);
  v3_store(body->v0, v3_sub(f->v, v3_cross(w, v3_sub(f->x, v3_load(body->q0)))));
}

static bool has_own_velocity(const trmi_body *body) {
  const trmi_part *def = body->beam != NULL ? body->beam->def : body->def;
  return def != NULL && (trmi_part_has(def, "velocity") || trmi_part_has(def, "angular_velocity"));
}

/* Are all coordinates of an edge among the values? */
static bool holds(const edge *e, const double *values) {
  const int count = e->joint != NULL ? trmi_coordinate_count(e->joint->type) : 0;
  int given = 0;
  for (int k = 0; k < count; k++) given += !isnan(values[k]);
  return given == count || (e->joint->type->is_tied && given > 0);
}

/* Place the body at one end of an edge from the other end. */
static void place_end(tree *t, const edge *e, int end) {
  const int known = end == 0 ? e->b : e->a, other = end == 0 ? e->a : e->b;
  trmi_marker ends[2] = {{.body = e->a, .E = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                         {.body = e->b, .E = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  const double *start = no_values, *rate = no_values;
  trmi_body *body = &t->m->bodies[other];
  if (e->joint != NULL) {
    ends[0] = e->joint->A, ends[1] = e->joint->B;
    start = e->joint->start, rate = e->joint->start_rate;
  }
  const int group = find_root(t->group, other);
  t->is_done[other] = true;
  t->is_held[other] = t->is_held[known] && holds(e, start);
  t->is_held_v[other] = t->is_held_v[known] && holds(e, rate);
  t->is_moved[other] = t->is_moved[known] || starts(e->joint);
  if (!t->is_moved[other] || !t->has_start[group]) return;
  const trmi_relative_pose pose = relate(t, e, ends);
  const moving_frame base = frame_of(t->m, &ends[1 - end]);
  const moving_frame f = follow(&pose, &base, end == 1);
  if (body->flexible != NULL) {
    trmi_complain(t->m->complaints, body->flexible->def->key.place, "start values of joints would "
                  "move flexible body '%.60s': give its `at`, `orientation` and velocities in "
                  "their place", body->flexible->def->key.name);
    return;
  }
  move_body(body, &ends[end], &f);
  if (t->has_rate[group] && (t->is_held_v[other] || !has_own_velocity(body))) push_body(body, &f);
}

static void walk(tree *t) {
  for (bool any = true, is_backwards = false; any; is_backwards = !is_backwards) {
    any = false;
    for (int i = 0; i < t->nedges; i++) {
      const edge *e = &t->edges[is_backwards ? t->nedges - 1 - i : i];
      if (!e->is_in_tree || t->is_done[e->a] == t->is_done[e->b]) continue;
      place_end(t, e, t->is_done[e->a] ? 1 : 0);
      any = true;
    }
  }
}

static void begin_at(tree *t, int body) {
  const trmi_body *b = &t->m->bodies[body];
  const bool is_ground = body == 0;
  t->is_done[body] = true;
  t->is_held[body] = is_ground || (!b->is_guess && b->def != NULL && trmi_part_has(b->def, "at"));
  t->is_held_v[body] = is_ground || has_own_velocity(b);
}

void trmi_place_starts(trmi_mechanism *m) {
  tree t;
  bool any = false;
  for (int i = 0; i < m->njoints; i++) {
    any = any || starts(&m->joints[i]);
    check_motions(m, &m->joints[i]);
  }
  if (!any || !make_tree(m, &t)) return;
  for (int i = 0; i < m->nbodies; i++) {
    if (t.is_done[i]) continue;
    begin_at(&t, i); /* the first of unconnected bodies is kept */
    walk(&t);
  }
  for (int i = 1; i < m->nbodies; i++) {
    const int group = find_root(t.group, i);
    if (!t.has_start[group]) continue;
    m->bodies[i].hold = t.is_held[i] ? TRMI_HELD : TRMI_FREE;
    if (t.has_rate[group] && t.is_held_v[i]) m->bodies[i].hold_v = TRMI_HELD;
  }
}

/* ---- building ------------------------------------------------------------------------------- */

/* A remark if assembly could not keep a value, at the start only. */
static void doubt(trmi_mechanism *m, const trmi_joint *j, int k, trmi_node difference,
                  const char *word, double value) {
  trmi_graph *g = &m->b->graph;
  char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
  const bool is_rate = strcmp(word, "start_rate") == 0;
  const char *unit = trmi_joint_turns(j, k) ? (is_rate ? "rad/s" : "rad") : is_rate ? "m/s" : "m";
  const double one = trmi_units_one(&m->def->units, trmi_unit_dimension(unit));
  const trmi_node square = trmi_mul(g, difference, difference);
  const trmi_node limit = trmi_constant(g, 1e-12 * (one * one + value * value));
  const trmi_node later = trmi_less(g, trmi_constant(g, 0.0), m->b->first[TRMI_IN_TIME]);
  snprintf(object, sizeof object, "joint '%.48s'", j->def->key.name);
  snprintf(text, sizeof text, "its %s of %s, %.6g, is not kept: joints that close a loop ask for "
           "another value; give start values of the joints between it and the ground as well",
           word, j->type->coordinates[k].name, value);
  trmi_remark_add_if(m->b, object, text,
                     trmi_select(g, later, trmi_constant(g, -1.0), trmi_sub(g, square, limit)));
}

void trmi_build_starts(trmi_mechanism *m) {
  trmi_graph *g = &m->b->graph;
  for (int i = 0; i < m->njoints; i++) {
    trmi_joint *j = &m->joints[i];
    if (!starts(j)) continue;
    for (int k = 0; k < trmi_coordinate_count(j->type); k++) {
      const bool has_start = !isnan(j->start[k]), has_rate = !isnan(j->start_rate[k]);
      if (!has_start && !has_rate) continue;
      const trmi_node c = trmi_joint_coordinate(m, j, k);
      if (has_start) {
        const trmi_node start = trmi_live_number(m, &j->start[k]);
        const int memory = j->freedom[k].memory; /* full turns count from here */
        if (memory >= 0) trmi_add_entry(m->b, TRMI_RESULT_MEMORY, memory, 0, start);
        doubt(m, j, k, trmi_sub(g, c, start), "start", j->start[k]);
      }
      if (has_rate) {
        const trmi_node rate = trmi_live_number(m, &j->start_rate[k]);
        doubt(m, j, k, trmi_sub(g, trmi_velocity_of(m, c), rate), "start_rate", j->start_rate[k]);
      }
    }
  }
}
