/* body_loads.c - distributed loads of flexible bodies as forces of the graph. With the arrays of
 * one unit of the load (fem/modal_arrays.h) and its value p, an expression:
 *   on x: p R force,   on the rotation, body axes: p (moment + X a),   on mode j: p f_j      (1)
 * which is the sum of p f over all points at s + phi a: a pressure rotates with the body, and its
 * power is that of all its points. Heat has only f_j. */
#include "elements/elements.h"
#include "fem/flexible_mesh.h"
#include <string.h>

/* The part of load number k. */
static const trmi_part *part_of(const trmi_flexible_part *f, int k) {
  const trmi_part *part = f->def->inner;
  while (part != NULL && (part->kind->group != TRMI_BODY_LOADS || k-- > 0)) part = part->next;
  return part;
}

int trmi_find_body_load(const trmi_flexible_part *f, const char *name, size_t length) {
  for (int k = 0; k < f->reduced->arrays.nloads; k++) {
    const char *known = f->reduced->arrays.loads[k].name;
    if (strlen(known) == length && memcmp(known, name, length) == 0) return k;
  }
  return -1;
}

/* Like the law of a force, see make_law in elements/force/force_types.c. */
static void read_law(trmi_mechanism *m, const trmi_part *part, bool is_heat, trmi_body_load *load) {
  trmi_compiler *b = m->b;
  const trmi_compiler outer = {.known = b->known, .allowed = b->allowed, .side = b->side,
                               .scope = b->scope, .graph.place = b->graph.place};
  load->law = TRMI_LAW_IN_WORK;
  trmi_graph_at(&b->graph, part->key.place);
  load->value = trmi_part_expression(m, part, is_heat ? "temperature" : "pressure", 0,
                                     TRMI_FOR_FORCE, is_heat ? "1" : "N/m^2");
  load->law = TRMI_LAW_READ;
  b->known = outer.known, b->allowed = outer.allowed, b->side = outer.side;
  b->scope = outer.scope, b->graph.place = outer.graph.place;
}

trmi_node trmi_body_load_node(trmi_mechanism *m, const trmi_flexible_part *f, int k) {
  const trmi_modal_load *load = &f->reduced->arrays.loads[k];
  const trmi_part *part = part_of(f, k);
  if (f->loads[k].law == TRMI_LAW_UNREAD) read_law(m, part, load->is_heat, &f->loads[k]);
  if (f->loads[k].law == TRMI_LAW_READ) return f->loads[k].value;
  trmi_complain(m->complaints, part->key.place, "the value of load '%.60s' of flexible body "
                "'%.60s' needs the load itself", load->name, f->def->key.name);
  return trmi_constant(&m->b->graph, 0.0);
}

static void push(trmi_mechanism *m, int row, trmi_node force) {
  m->b->force[row] = trmi_add(&m->b->graph, m->b->force[row], force);
}

/* moment + X a about axis k */
static trmi_node moment_of(trmi_mechanism *m, const trmi_flexible_part *f,
                           const trmi_modal_load *load, int k) {
  trmi_graph *g = &m->b->graph;
  const int n = f->reduced->arrays.n;
  trmi_node sum = trmi_constant(g, load->moment[k]);
  for (int j = 0; j < n; j++) {
    const trmi_node a = trmi_input_node(m->b, TRMI_IN_Q, f->q + 7 + j);
    sum = trmi_add(g, sum, trmi_mul(g, trmi_constant(g, load->X[n * k + j]), a));
  }
  return sum;
}

/* (1) */
static void push_load(trmi_mechanism *m, const trmi_flexible_part *f, int k) {
  trmi_graph *g = &m->b->graph;
  const trmi_modal_load *load = &f->reduced->arrays.loads[k];
  const trmi_node p = trmi_body_load_node(m, f, k);
  if (p == 0) return; /* after a complaint */
  for (int j = 0; j < f->reduced->arrays.n; j++) {
    push(m, f->v + 6 + j, trmi_mul(g, p, trmi_constant(g, load->f[j])));
  }
  if (load->is_heat) return;
  const trmi_node first = trmi_input_node(m->b, TRMI_IN_Q, f->q + 3);
  trmi_nodes3 axis[3];
  trmi_axes_of_quaternion(g, (const trmi_node[4]){first, first + 1, first + 2, first + 3}, axis);
  const trmi_nodes3 force = n3_combine(g, axis, n3_constant(g, v3_load(load->force)));
  for (int i = 0; i < 3; i++) {
    push(m, f->v + i, trmi_mul(g, p, n3_part(force, i)));
    push(m, f->v + 3 + i, trmi_mul(g, p, moment_of(m, f, load, i)));
  }
}

void trmi_build_body_loads(trmi_mechanism *m) {
  for (int i = 0; i < m->nflexible; i++) {
    const trmi_flexible_part *f = &m->flexible[i];
    for (int k = 0; k < f->reduced->arrays.nloads; k++) push_load(m, f, k);
  }
}
