/* function_series.c - series of functions: equations (6) to (10) of functions.c. */
#include "expr/function_nodes.h"

static trmi_node shift(const trmi_call *call) {
  return trmi_sub(graph_of(call), arg(call, 0), arg(call, 1));
}

trmi_node trmi_lower_poly(trmi_call *call, trmi_op op) {
  (void)op;
  trmi_graph *g = graph_of(call);
  const trmi_node s = shift(call);
  trmi_node sum = arg(call, call->n - 1);
  for (int i = call->n - 2; i >= 2; i--) sum = trmi_add(g, arg(call, i), trmi_mul(g, s, sum));
  return sum;
}

trmi_node trmi_lower_cheby(trmi_call *call, trmi_op op) {
  (void)op;
  trmi_graph *g = graph_of(call);
  const trmi_node s = shift(call), twice = scaled(g, 2.0, s);
  trmi_node before = trmi_constant(g, 1.0), now = s;
  trmi_node sum = arg(call, 2);
  for (int i = 3; i < call->n; i++) {
    sum = trmi_add(g, sum, trmi_mul(g, arg(call, i), now));
    const trmi_node next = trmi_sub(g, trmi_mul(g, twice, now), before);
    before = now;
    now = next;
  }
  return sum;
}

/* (8) and (9) */
trmi_node trmi_lower_fourier(trmi_call *call, trmi_op op) {
  trmi_graph *g = graph_of(call);
  const trmi_node angle = trmi_mul(g, arg(call, 2), shift(call));
  trmi_node sum = arg(call, 3);
  for (int i = 4; i < call->n; i++) {
    const trmi_node wave = trmi_function(g, op, scaled(g, i - 3, angle));
    sum = trmi_add(g, sum, trmi_mul(g, arg(call, i), wave));
  }
  return sum;
}

trmi_node trmi_lower_shf(trmi_call *call, trmi_op op) {
  trmi_graph *g = graph_of(call);
  const trmi_node angle = trmi_sub(g, trmi_mul(g, arg(call, 3), shift(call)), arg(call, 4));
  return trmi_add(g, trmi_mul(g, arg(call, 2), trmi_function(g, op, angle)), arg(call, 5));
}
