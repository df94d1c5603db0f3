/* graph.h - expressions as one graph in which every node exists once.
 *
 * A node is built from earlier nodes, so the order of their numbers is an order of evaluation.
 * Building a node that exists returns the existing one, and constants are folded (make_node.c):
 * common parts are shared by construction, also between an expression and its derivatives. Errors
 * are deferred: when memory runs out or the graph exceeds its limit, `failed` is set, node 0 is
 * returned, and trmi_graph_check reports it once at the end. */
#ifndef TRMI_EXPR_GRAPH_H
#define TRMI_EXPR_GRAPH_H
#include "core/complaint.h"
#include "core/fail.h"
#include "expr/spline.h"
#include "trammel/memory.h"
#include <stdbool.h>

typedef int trmi_node; /* number of a node in its graph; 0 is the constant zero */

/* The operation of a node. Comparisons give 0 or 1 and have no derivative. */
typedef enum trmi_op {
  TRMI_OP_CONSTANT,
  TRMI_OP_SYMBOL,
  TRMI_OP_ADD, TRMI_OP_SUB, TRMI_OP_MUL, TRMI_OP_DIV, TRMI_OP_NEG,
  TRMI_OP_SQRT, TRMI_OP_EXP, TRMI_OP_LOG, TRMI_OP_SIN, TRMI_OP_COS, TRMI_OP_TAN, TRMI_OP_ASIN,
  TRMI_OP_ACOS, TRMI_OP_ATAN, TRMI_OP_SINH, TRMI_OP_COSH, TRMI_OP_TANH, TRMI_OP_ASINH,
  TRMI_OP_ACOSH, TRMI_OP_ATANH,
  TRMI_OP_FLOOR, /* has no derivative, as comparisons */
  TRMI_OP_ATAN2, TRMI_OP_POW,
  TRMI_OP_LESS, TRMI_OP_LESS_EQUAL, TRMI_OP_EQUAL,
  TRMI_OP_SELECT, /* a != 0 ? b : c, both of them are evaluated                   */
  TRMI_OP_SPLINE, /* derivative number `order` of a curve at a                    */
  TRMI_OP_PIECE,  /* coefficient number `order` of piece a of a curve; order -1: its
                     knot. a is rounded and clipped to the pieces there are       */
  TRMI_OP_LIVE,   /* a number that may change between runs; stands for itself, see trmi_live */
  TRMI_OPS
} trmi_op;

/* One node. */
typedef struct trmi_vertex {
  trmi_op   op;
  trmi_node a, b, c; /* arguments; 0 if unused                            */
  int       tag;     /* SYMBOL: the caller's; CURVE, PIECE: curve * 8 + order + 1;
                        CONSTANT: its fold + 1, 0: it stays as it is      */
  int       place;   /* first position in the text, see trmi_graph_place */
  double    value;   /* CONSTANT; LIVE: bytes of the address of its number */
} trmi_vertex;

typedef struct trmi_graph {
  trm_allocator allocator;
  trmi_vertex  *nodes;
  int           count, size;
  int          *hash; /* number of a node + 1, or 0; twice as long as size */
  trmi_place   *places;
  int           nplaces, places_size;
  const trmi_spline **curves; /* not owned */
  int           ncurves, curves_size;
  int           limit;  /* largest number of nodes                        */
  int           place;  /* of the nodes to be made                        */
  int           lists;  /* symbols belong to lists, tag % lists, which the tape keeps together;
                           0: all to one                                  */
  bool          failed, is_too_large;
  bool          keeps_zero; /* live numbers count as nonzero: for graphs of constants only, whose
                               structure is irrelevant */
} trmi_graph;

/* limit: largest number of nodes, 0 for the default of 5 million, some 600 MB with all that
 * is made of them. */
void trmi_graph_init(trmi_graph *g, const trm_allocator *allocator, int limit);
void trmi_graph_free(trmi_graph *g);
trm_status trmi_graph_check(const trmi_graph *g, trm_error *err);

/* Set the position in the text of the following nodes. */
void trmi_graph_at(trmi_graph *g, trmi_place place);
/* The place that was set last. */
trmi_place trmi_graph_here(const trmi_graph *g);
/* The place of a node; line 0 if it has none. */
trmi_place trmi_graph_place(const trmi_graph *g, trmi_node n);

trmi_node trmi_constant(trmi_graph *g, double value);
/* A new unknown with a number of the caller's. Never shared: call once, keep the node. */
trmi_node trmi_symbol(trmi_graph *g, int tag);

/* The present value of a number that may change between runs: a constant that folds like others,
 * but trmi_prologue can recompute all constants derived from it. `number` must outlive the graph
 * and its prologue; one address is one number. */
trmi_node trmi_live(trmi_graph *g, const double *number);

trmi_node trmi_add(trmi_graph *g, trmi_node a, trmi_node b);
trmi_node trmi_sub(trmi_graph *g, trmi_node a, trmi_node b);
trmi_node trmi_mul(trmi_graph *g, trmi_node a, trmi_node b);
trmi_node trmi_div(trmi_graph *g, trmi_node a, trmi_node b);
trmi_node trmi_neg(trmi_graph *g, trmi_node a);
trmi_node trmi_pow(trmi_graph *g, trmi_node a, trmi_node b);
/* sqrt, exp, log, sin, .. : all functions of one argument from SQRT to FLOOR */
trmi_node trmi_function(trmi_graph *g, trmi_op op, trmi_node a);
trmi_node trmi_atan2(trmi_graph *g, trmi_node y, trmi_node x);
trmi_node trmi_less(trmi_graph *g, trmi_node a, trmi_node b);
trmi_node trmi_less_equal(trmi_graph *g, trmi_node a, trmi_node b);
trmi_node trmi_equal(trmi_graph *g, trmi_node a, trmi_node b);
trmi_node trmi_select(trmi_graph *g, trmi_node condition, trmi_node yes, trmi_node no);
/* order 0..3: value and derivatives. The curve must outlive the graph. */
trmi_node trmi_spline_node(trmi_graph *g, const trmi_spline *curve, int order, trmi_node x);
trmi_node trmi_piece_node(trmi_graph *g, const trmi_spline *curve, int order, trmi_node index);

bool trmi_is_constant(const trmi_graph *g, trmi_node n);
/* Value of a constant; NaN for anything else. A live number that was read is fixed from then on:
 * the caller may base a decision on it. */
double trmi_value_of(trmi_graph *g, trmi_node n);
/* The same for callers that only test whether it is finite. */
double trmi_present(const trmi_graph *g, trmi_node n);
/* Is it a constant that is not zero? Of comparisons of numbers: do they hold? */
bool trmi_is_true(const trmi_graph *g, trmi_node n);
static inline bool trmi_is_live(const trmi_graph *g, trmi_node n) {
  return g->nodes[n].op == TRMI_OP_CONSTANT && g->nodes[n].tag != 0;
}
/* The operation on numbers, used by folding and the tape. */
double trmi_apply(const trmi_graph *g, const trmi_vertex *n, double a, double b, double c);

/* One partial derivative. */
typedef struct trmi_partial {
  trmi_node symbol, value;
} trmi_partial;

/* Scratch of gradients and searches; one for a graph, reused. */
typedef struct trmi_walk {
  trmi_graph   *graph;
  trmi_node    *nodes; /* reached nodes                                  */
  int           count, size;
  int          *mark;    /* [marks] place in `nodes` + 1 while walking, else 0 */
  int           marks;
  trmi_node    *adjoint; /* of nodes[i]                                    [size] */
  trmi_partial *partials; /* the result                                    */
  int           npartials, partials_size;
  long          work; /* nodes reached so far: all walks together have a limit */
} trmi_walk;

void trmi_walk_init(trmi_walk *w, trmi_graph *g);
void trmi_walk_free(trmi_walk *w);

/* The symbols an expression depends on, as nodes in ascending order in w->nodes[0..count). */
void trmi_symbols_of(trmi_walk *w, trmi_node n);

/* All partial derivatives that are not zero, in ascending order of the symbols,
 * in w->partials[0..npartials): valid until the next call. Exact; by the chain rule
 * from the result to the symbols, so the work is a few times that of n itself. */
void trmi_gradient(trmi_walk *w, trmi_node n);

#endif
