/* equations_marks.h - times at which smooth laws of the time alone change. Equations: head of
 * equations_marks.c. */
#ifndef TRMI_EQUATIONS_MARKS_H
#define TRMI_EQUATIONS_MARKS_H
#include "equations/equations_internal.h"

/* A smooth law of the time alone. */
typedef struct trmi_mark trmi_mark;
struct trmi_mark {
  trmi_node          part, x;
  const trmi_spline *curve; /* NULL: the law begins or ends where x is zero */
  bool               is_compiled; /* steps end at its marks */
  trmi_mark         *next;
};

/* Places where a law of the time changes, for its argument x: equations_marks.c. */
typedef struct trmi_marked {
  const double *points; /* [npoints] */
  int           npoints;
} trmi_marked;

/* A law of x, see trmi_scope.mark. */
void trmi_add_mark(trmi_compiler *b, trmi_node part, trmi_node x, const trmi_spline *curve);
/* All of them that equations use, when these are complete. */
void trmi_compile_marks(trmi_compiler *b, const trmi_input rates[TRMI_INPUT_LISTS]);
/* equations_pulses.c: all other laws of the time in the equations, whose nodes are `used`. */
void trmi_compile_pulses(trmi_compiler *b, const bool *used);
/* begin_run of trm_system_ops: the times at which they begin to move. */
trm_status trmi_equations_begin_run(void *self, const trm_state *s, double end, trm_error *err);
/* The first of these times after t. */
double trmi_pulse_after(const trmi_equations *eq, double t);
/* Points of n that remain if those are left out from which the line through the others is off by
 * `least` at most: their numbers in `kept` [n], how many. `stack` [n] is work space. */
int trmi_bends(const double *x, const double *y, int n, double least, int *stack, int *kept);

/* next_mark of trm_system_ops. */
trm_status trmi_equations_next_mark(void *self, const trm_state *s, double *mark, trm_error *err);

#endif
