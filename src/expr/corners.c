/* corners.c - orders of expressions at the corners of conditions.
 *
 * With o the order of a node and J that of its jump, both at d = 0, z the condition:
 *   d itself            o = 1; so has a node given to vanish with d                     (1)
 *   a + b, a - b        o = min(o_a, o_b)         J = min(J_a, J_b)                      (2)
 *   a b                 o = o_a + o_b             J = min(J_a + o_b, J_b + o_a)          (3)
 *   a / b               o = o_a - o_b             J = min(J_a - o_b, J_b + o_a - 2 o_b)  (4)
 *   a^p, root           o = p o_a                 J = p o_a if o_a > 0, else J_a         (5)
 *   z ? a : b           o = min(o_a, o_b)         J = min(order of a - b, J_a, J_b)      (6)
 *   odd functions       o = o_a                   J = J_a                                (7)
 * Cancellation is not detected: true orders may be larger, never smaller. */
#include "expr/corners.h"
#include "expr/graph_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool trmi_corners_init(trmi_corners *c, trmi_graph *g, trmi_arena *arena) {
  const int count = g->count;
  *c = (trmi_corners){.graph = g, .count = count};
  c->first = TRMI_TAKE(arena, int, count + 2);
  c->user = TRMI_TAKE(arena, int, 3 * (size_t)count);
  c->order = TRMI_TAKE(arena, double, count);
  c->jump = TRMI_TAKE(arena, double, count);
  c->mark = TRMI_TAKE(arena, int, count);
  c->list = TRMI_TAKE(arena, int, count);
  if (arena->failed) return false;
  for (int n = 0; n < count; n++) {
    const trmi_vertex *v = &g->nodes[n];
    c->first[v->a + 2]++, c->first[v->b + 2]++, c->first[v->c + 2]++;
  }
  for (int n = 0; n < count; n++) c->first[n + 2] += c->first[n + 1];
  for (int n = 0; n < count; n++) {
    const trmi_vertex *v = &g->nodes[n];
    c->user[c->first[v->a + 1]++] = n;
    c->user[c->first[v->b + 1]++] = n;
    c->user[c->first[v->c + 1]++] = n;
  }
  return true;
}

static void reach(trmi_corners *c, int k, trmi_node n) {
  if (n <= 0 || n >= c->count || c->mark[n] == k + 1 || trmi_is_constant(c->graph, n)) return;
  c->mark[n] = k + 1;
  c->list[c->n++] = n;
}

static int ascending(const void *x, const void *y) {
  const int a = *(const int *)x, b = *(const int *)y;
  return (a > b) - (a < b);
}

static double order_at(const trmi_corners *c, int k, trmi_node n) {
  if (trmi_is_constant(c->graph, n)) return n == 0 ? (double)INFINITY : 0.0;
  return n < c->count && c->mark[n] == k + 1 ? c->order[n] : 0.0;
}

double trmi_corners_jump(const trmi_corners *c, int k, trmi_node n) {
  return n < c->count && c->mark[n] == k + 1 ? c->jump[n] : (double)INFINITY;
}

/* Infinity means zero: any product with it remains infinite. */
static double sum(double a, double b) {
  return a == (double)INFINITY || b == (double)INFINITY ? (double)INFINITY : a + b;
}

/* (6): is a - b a multiple of d? */
static double difference(const trmi_corners *c, int k, trmi_node a, trmi_node b, trmi_node d) {
  trmi_node rest = 0, rest_d = 0;
  const trmi_node apart = trmi_sub(c->graph, a, b);
  (void)trmi_split_factor(c->graph, apart, &rest);
  (void)trmi_split_factor(c->graph, d, &rest_d);
  if (apart == 0) return (double)INFINITY;
  const bool is_opposite = trmi_neg(c->graph, rest) == rest_d || trmi_neg(c->graph, rest_d) == rest;
  if (rest == rest_d || is_opposite) return 1.0;
  return fmax(order_at(c, k, apart), fmin(order_at(c, k, a), order_at(c, k, b)));
}

/* (5) with exponent p */
static void power(double p, double o, double J, double *order, double *jump) {
  *order = o > 0.0 ? p * o : 0.0;
  *jump = o > 0.0 && J < (double)INFINITY ? p * o : J;
}

static void find_node(trmi_corners *c, int k, trmi_node n, const trmi_corner *corner) {
  const trmi_node d = corner->d;
  const trmi_vertex v = c->graph->nodes[n];
  const double oa = order_at(c, k, v.a), ob = order_at(c, k, v.b), oc = order_at(c, k, v.c);
  const double Ja = trmi_corners_jump(c, k, v.a), Jb = trmi_corners_jump(c, k, v.b);
  const double Jc = trmi_corners_jump(c, k, v.c);
  double o = 0.0, J = fmin(Ja, fmin(Jb, Jc));
  switch (v.op) {
  case TRMI_OP_SYMBOL: return; /* set before */
  case TRMI_OP_ADD:
  case TRMI_OP_SUB: o = fmin(oa, ob); break; /* (2) */
  case TRMI_OP_MUL: o = sum(oa, ob), J = fmin(sum(Ja, ob), sum(Jb, oa)); break; /* (3) */
  case TRMI_OP_DIV: /* (4) */
    o = sum(oa, -ob), J = fmin(sum(Ja, -ob), sum(Jb, sum(oa, -2 * ob)));
    break;
  case TRMI_OP_SQRT: power(0.5, oa, Ja, &o, &J); break;
  case TRMI_OP_POW:
    if (trmi_is_constant(c->graph, v.b)) power(trmi_value_of(c->graph, v.b), oa, Ja, &o, &J);
    break;
  case TRMI_OP_NEG: case TRMI_OP_SIN: case TRMI_OP_TAN: case TRMI_OP_ASIN: case TRMI_OP_ATAN:
  case TRMI_OP_SINH: case TRMI_OP_TANH: case TRMI_OP_ASINH: case TRMI_OP_ATANH: o = oa; break;
  case TRMI_OP_SELECT: /* (6) */
    o = fmin(ob, oc), J = fmin(Jb, Jc);
    if (Ja < (double)INFINITY) J = fmin(J, difference(c, k, v.b, v.c, d));
    break;
  case TRMI_OP_LESS: case TRMI_OP_LESS_EQUAL: case TRMI_OP_EQUAL: case TRMI_OP_PIECE:
  case TRMI_OP_FLOOR:
    if (J < (double)INFINITY) J = 0.0;
    break;
  default: break;
  }
  const bool vanishes = n == d || n == trmi_neg(c->graph, d) || n == corner->vanishes;
  if (vanishes) o = fmax(o, 1.0); /* (1) */
  c->order[n] = o, c->jump[n] = J;
}

void trmi_corners_find(trmi_corners *c, int k, const trmi_corner *corner) {
  const trmi_node z = corner->z;
  c->n = 0;
  reach(c, k, z);
  reach(c, k, corner->d);
  reach(c, k, trmi_neg(c->graph, corner->d));
  reach(c, k, corner->vanishes);
  const int starts = c->n;
  for (int i = 0; i < c->n; i++) {
    const trmi_node n = c->list[i];
    for (int m = c->first[n]; m < c->first[n + 1]; m++) reach(c, k, c->user[m]);
  }
  for (int i = 0; i < starts; i++) {
    const trmi_node n = c->list[i];
    c->order[n] = n == z ? 0.0 : 1.0;
    c->jump[n] = n == z ? 0.0 : (double)INFINITY;
  }
  qsort(c->list, (size_t)c->n, sizeof *c->list, ascending);
  for (int i = 0; i < c->n; i++) find_node(c, k, c->list[i], corner);
  c->work += c->n;
}
