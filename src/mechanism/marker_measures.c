/* marker_measures.c - functions of markers and joints in expressions, as in ADAMS.
 *
 * With x, v, w, e of frames in ground axes, i `to`, j `from`, k `along` (ground if not given):
 *   DX  e_k.(x_i - x_j)          VX  e_k.(v_i - v_j)          WX  e_k.(w_i - w_j)        (1)
 *   ACCX, WDTX: the same of the time derivatives of v and w                             (2)
 *   DM, VM, WM, ACCM, WDTM: length of the vector;  VR = d/dt DM                         (3)
 *   AX = atan2(-z_i.y_j, z_i.z_j),  AY = atan2(z_i.x_j, z_i.z_j),  AZ = atan2(x_i.y_j, x_i.x_j) (4)
 *   FX, TX: reaction of a joint on B from A, at the marker of B                          (5)
 * A length has no derivative at zero; there the derivative of its square is used, which is zero
 * (6). */
#include "elements/elements.h"
#include <ctype.h>
#include <string.h>

typedef enum measure_kind {
  OF_D, OF_V, OF_W, OF_ACC, OF_WDT, OF_A, OF_F, OF_T, OF_VR
} measure_kind;

typedef struct measure {
  trmi_function_info info;
  measure_kind       kind;
  int                part;     /* 0, 1, 2: component; 3: length */
  int                min, max; /* arguments                     */
} measure;

#define VECTOR(letters, kind, what)                                                          \
  {{letters "X", "to, from, along", "x component of " what}, kind, 0, 1, 3},                 \
  {{letters "Y", "to, from, along", "y component of " what}, kind, 1, 1, 3},                 \
  {{letters "Z", "to, from, along", "z component of " what}, kind, 2, 1, 3},                 \
  {{letters "M", "to, from", "length of that vector"}, kind, 3, 1, 2}
#define LOAD(letter, kind, what)                                                             \
  {{letter "X", "joint, along", "x component of the " what " of a joint on B"}, kind, 0, 1, 2}, \
  {{letter "Y", "joint, along", "y component of it"}, kind, 1, 1, 2},                         \
  {{letter "Z", "joint, along", "z component of it"}, kind, 2, 1, 2},                         \
  {{letter "M", "joint", "its size"}, kind, 3, 1, 1}

static const measure measures[] = {
  VECTOR("D", OF_D, "the vector from one marker to another, along the axes of a third; from and "
                    "along "
                    "are the ground if not given"),
  VECTOR("V", OF_V, "the difference of their velocities"),
  {{"VR", "to, from", "rate of the distance"}, OF_VR, 0, 1, 2},
  VECTOR("W", OF_W, "the difference of their angular velocities"),
  VECTOR("ACC", OF_ACC, "the difference of their accelerations"),
  VECTOR("WDT", OF_WDT, "the difference of their angular accelerations"),
  {{"AX", "of, about", "angle about the x axis of a marker, -pi to pi"}, OF_A, 0, 1, 2},
  {{"AY", "of, about", "angle about its y axis"}, OF_A, 1, 1, 2},
  {{"AZ", "of, about", "angle about its z axis"}, OF_A, 2, 1, 2},
  LOAD("F", OF_F, "force"),
  LOAD("T", OF_T, "torque"),
};
enum { MEASURES = (int)(sizeof measures / sizeof *measures) };

const trmi_function_info *trmi_measure_at(int i) {
  return i >= 0 && i < MEASURES ? &measures[i].info : NULL;
}

static const measure *find(const char *name, size_t length) {
  for (int i = 0; i < MEASURES; i++) {
    const char *known = measures[i].info.name;
    size_t k = 0;
    while (k < length && known[k] != '\0' && toupper((unsigned char)name[k]) == known[k]) k++;
    if (k == length && known[k] == '\0') return &measures[i];
  }
  return NULL;
}

bool trmi_is_measure(void *self, const char *name, size_t length) {
  (void)self;
  return find(name, length) != NULL;
}

/* ---- evaluation ----------------------------------------------------------------------------- */

static trmi_nodes3 rate(trmi_mechanism *m, trmi_nodes3 a) {
  return (trmi_nodes3){trmi_velocity_of(m, a.x), trmi_velocity_of(m, a.y),
                       trmi_velocity_of(m, a.z)};
}

/* The vectors whose difference is taken in (1) and (2). */
static trmi_nodes3 vector_of(trmi_mechanism *m, measure_kind kind, const trmi_frame *f) {
  switch (kind) {
  case OF_V: return f->v;
  case OF_W: return f->w;
  case OF_ACC: return rate(m, f->v);
  case OF_WDT: return rate(m, f->w);
  default: return f->x;
  }
}

static trmi_node angle_of(trmi_graph *g, const trmi_frame *i, const trmi_frame *j, int part) {
  static const struct { int of, up, right; double sign; } axes[3] = {
    {2, 1, 2, -1.0}, {2, 0, 2, 1.0}, {0, 1, 0, 1.0}};
  const trmi_nodes3 e = i->axis[axes[part].of];
  const trmi_node up = n3_dot(g, e, j->axis[axes[part].up]);
  return trmi_atan2(g, axes[part].sign < 0.0 ? trmi_neg(g, up) : up,
                    n3_dot(g, e, j->axis[axes[part].right])); /* (4) */
}

static trmi_dimension dimension_of(const measure *what) {
  static const signed char exponents[][3] = { /* length, time, force */
    [OF_D] = {1, 0, 0}, [OF_V] = {1, -1, 0}, [OF_W] = {0, -1, 0}, [OF_ACC] = {1, -2, 0},
    [OF_WDT] = {0, -2, 0}, [OF_A] = {0, 0, 0}, [OF_F] = {0, 0, 1}, [OF_T] = {1, 0, 1},
    [OF_VR] = {1, -1, 0}};
  const signed char *e = exponents[what->kind];
  return (trmi_dimension){.is_known = true, .length = e[0], .time = e[1], .force = e[2]};
}

/* The frame named by argument i; the ground if there is none. */
static bool frame_at(trmi_mechanism *m, const trmi_measure_call *call, int i, trmi_frame *frame) {
  trmi_marker made;
  const bool is_given = i < call->n;
  const char *name = is_given ? call->args[i].text : "ground";
  const size_t length = is_given ? call->args[i].length : strlen(name);
  const trmi_marker *marker = trmi_find_marker(m, name, length, &made);
  if (marker == NULL) {
    trmi_complain(m->complaints, call->args[i].place, "there is no body or marker '%.*s'",
                  length < 60 ? (int)length : 60, name);
    return false;
  }
  *frame = trmi_frame_of(m, marker);
  return true;
}

/* (6): 1e-100 changes no length, and its powers up to -5/2 do not overflow */
static trmi_node length_of(trmi_graph *g, trmi_nodes3 a) {
  const trmi_node square = trmi_add(g, n3_dot(g, a, a), trmi_constant(g, 1e-100));
  return trmi_function(g, TRMI_OP_SQRT, square);
}

static trmi_node part_of(trmi_graph *g, trmi_nodes3 a, const trmi_frame *along, int part) {
  return part == 3 ? length_of(g, a) : n3_dot(g, along->axis[part], a);
}

/* (5) */
static bool load_of(trmi_mechanism *m, const measure *what, const trmi_measure_call *call,
                    trmi_node *node) {
  trmi_nodes3 force, torque;
  trmi_frame along;
  trmi_joint *joint = trmi_find_joint(m, call->args[0].text, call->args[0].length);
  if (joint == NULL) {
    const int length = call->args[0].length < 60 ? (int)call->args[0].length : 60;
    trmi_complain(m->complaints, call->args[0].place, "there is no joint '%.*s'", length,
                  call->args[0].text);
    return false;
  }
  if (joint->type->ends == TRMI_ENDS_NONE) {
    trmi_complain(m->complaints, call->args[0].place, "'%.60s' acts on the joints it ties and has "
                  "no force of its own: use %.60s.load", joint->def->key.name,
                  joint->def->key.name);
    return false;
  }
  if (!frame_at(m, call, 1, &along)) return false;
  trmi_joint_reaction(m, joint, &force, &torque);
  *node = part_of(&m->b->graph, what->kind == OF_F ? force : torque, &along, what->part);
  return true;
}

static bool node_of(trmi_mechanism *m, const measure *what, const trmi_measure_call *call,
                    trmi_node *node) {
  trmi_graph *g = &m->b->graph;
  trmi_frame i, j, k;
  if (what->kind == OF_F || what->kind == OF_T) return load_of(m, what, call, node);
  if (!frame_at(m, call, 0, &i) || !frame_at(m, call, 1, &j) || !frame_at(m, call, 2, &k)) {
    return false;
  }
  if (what->kind == OF_A) {
    *node = angle_of(g, &i, &j, what->part);
  } else if (what->kind == OF_VR) {
    *node = trmi_velocity_of(m, length_of(g, n3_sub(g, i.x, j.x)));
  } else {
    const trmi_nodes3 a = vector_of(m, what->kind, &i), b = vector_of(m, what->kind, &j);
    *node = part_of(g, n3_sub(g, a, b), &k, what->part);
  }
  return true;
}

bool trmi_measure(void *self, trmi_compiler *b, const trmi_measure_call *call, trmi_meaning *out) {
  trmi_mechanism *m = self;
  const measure *what = find(call->name, call->length);
  if (call->n < what->min || call->n > what->max) {
    trmi_complain(b->complaints, call->place, "%s takes %d to %d arguments (%s), not %d",
                  what->info.name, what->min, what->max, what->info.arguments, call->n);
    return false;
  }
  out->dimension = dimension_of(what);
  if (!node_of(m, what, call, &out->node)) return false;
  return trmi_check_allowed(b, out->node, what->info.name, (int)strlen(what->info.name),
                            call->place);
}
