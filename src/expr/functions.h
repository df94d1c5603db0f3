/* functions.h - the functions of the language: one table, and the construction of nodes of
 * calls. */
#ifndef TRMI_EXPR_FUNCTIONS_H
#define TRMI_EXPR_FUNCTIONS_H
#include "expr/parse.h"

/* A part of an expression being read. */
typedef struct trmi_value {
  trmi_node      node;
  trmi_dimension dimension;
  bool           is_condition;
  trmi_place     place; /* of its first letter; of the operator of a condition */
} trmi_value;

/* A call with its arguments. */
typedef struct trmi_call {
  const trmi_parser *parser;
  const char        *name; /* as in the table of functions */
  trmi_place         place;
  const trmi_value  *args;
  int                n;
  const trmi_spline *curve; /* of functions with a table, otherwise NULL */
  bool               failed; /* a complaint was made                 */
} trmi_call;

/* One line of the table of functions. Arguments count from 1; 0 is none of them. */
typedef struct trmi_callable {
  trmi_function_info info;
  int min, max; /* number of arguments; max 0: any                              */
  trmi_dimension (*dimension)(trmi_call *call); /* complains if units do not fit   */
  trmi_node (*lower)(trmi_call *call, trmi_op op);
  trmi_op op;        /* its operation, for those that share `lower`                */
  int condition_at;  /* the argument that is a condition                           */
  int table_at;      /* the argument that is the name of a table                   */
  int curve_kind;    /* of that table; -1: the kind of the table                   */
} trmi_callable;

/* Rules of dimensions (function_units.c). */
trmi_dimension trmi_rule_number(trmi_call *call);
trmi_dimension trmi_rule_same(trmi_call *call);
trmi_dimension trmi_rule_sign(trmi_call *call);
trmi_dimension trmi_rule_atan2(trmi_call *call);
trmi_dimension trmi_rule_if(trmi_call *call);
trmi_dimension trmi_rule_sqrt(trmi_call *call);
trmi_dimension trmi_rule_cbrt(trmi_call *call);
trmi_dimension trmi_rule_pow(trmi_call *call);
trmi_dimension trmi_rule_step(trmi_call *call);
trmi_dimension trmi_rule_contact(trmi_call *call);
trmi_dimension trmi_rule_poly(trmi_call *call);
trmi_dimension trmi_rule_cheby(trmi_call *call);
trmi_dimension trmi_rule_fourier(trmi_call *call);
trmi_dimension trmi_rule_shf(trmi_call *call);
trmi_dimension trmi_rule_sweep(trmi_call *call);
trmi_dimension trmi_rule_table(trmi_call *call);

/* NULL: there is no such function. Not sensitive to case. */
const trmi_callable *trmi_callable_find(const char *name, size_t length);

/* The value of a call with the right number of arguments. False: a complaint was made. */
bool trmi_call_make(const trmi_callable *f, trmi_call *call, trmi_value *out);

/* A smooth law of x, which contains `part`, begins or ends at zero. Laws that are differentiated
 * have events there. */
void trmi_mark_zero(const trmi_parser *parser, trmi_node part, trmi_node x);

/* function_series.c, function_rounding.c, for the table of functions. */
trmi_node trmi_lower_poly(trmi_call *call, trmi_op op);
trmi_node trmi_lower_cheby(trmi_call *call, trmi_op op);
trmi_node trmi_lower_fourier(trmi_call *call, trmi_op op);
trmi_node trmi_lower_shf(trmi_call *call, trmi_op op);
trmi_node trmi_lower_floor(trmi_call *call, trmi_op op);
trmi_node trmi_lower_ceil(trmi_call *call, trmi_op op);
trmi_node trmi_lower_round(trmi_call *call, trmi_op op);
trmi_node trmi_lower_mod(trmi_call *call, trmi_op op);
/* IF(x: a, b, c) of ADAMS. */
bool trmi_call_three_way(trmi_call *call, trmi_value *out);

/* function_splines.c, for the table of functions. */
trmi_node trmi_lower_spline(trmi_call *call, trmi_op op);
trmi_node trmi_lower_table(trmi_call *call, trmi_op op);

/* The value of a curve at a point. */
trmi_node trmi_spline_value(const trmi_parser *parser, const trmi_spline *curve, trmi_node x);

/* 1 where difference >= 0, otherwise 0: held between events if the scope holds conditions. */
trmi_node trmi_sharp_sign(const trmi_parser *parser, trmi_node difference);
/* Are the conditions of this node held? */
bool trmi_is_held(const trmi_parser *parser, trmi_node node);

#endif
