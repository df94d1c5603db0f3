/* equations_marks.h - times at which smooth laws of time alone change. Equations: head of
 * equations_marks.c. */
#ifndef TRMI_EQUATIONS_MARKS_H
#define TRMI_EQUATIONS_MARKS_H
#include "equations/equations_internal.h"

/* A smooth law of time alone. */
typedef struct trmi_mark trmi_mark;
struct trmi_mark {
  trmi_node          part, x;
  const trmi_spline *curve; /* NULL: the law begins or ends at x = 0 */
  bool               is_compiled; /* steps end at its marks */
  trmi_mark         *next;
};

/* Points where a law of time changes, in its argument x: equations_marks.c. */
typedef struct trmi_marked {
  const double *points; /* [npoints] */
  int           npoints;
} trmi_marked;

/* A law of x, see trmi_scope.mark. */
void trmi_add_mark(trmi_compiler *b, trmi_node part, trmi_node x, const trmi_spline *curve);
/* All marks used by the equations, once these are complete. */
void trmi_compile_marks(trmi_compiler *b, const trmi_input rates[TRMI_INPUT_LISTS]);
/* equations_pulses.c: all other laws of time in the equations, whose nodes are `used`. */
void trmi_compile_pulses(trmi_compiler *b, const bool *used);
/* begin_run of trm_system_ops: the times at which they begin to change. */
trm_status trmi_equations_begin_run(void *self, const trm_state *s, double end, trm_error *err);
/* The first of these times after t. */
double trmi_pulse_after(const trmi_equations *eq, double t);
/* is_pulse of trm_system_ops. */
bool trmi_equations_is_pulse(const void *self, double t);
/* Simplify a polyline of n points with a deviation of at most `least`: indices of the remaining
 * points in `kept` [n]; returns their number. `stack` [n] is scratch. */
int trmi_bends(const double *x, const double *y, int n, double least, int *stack, int *kept);

/* next_mark of trm_system_ops. */
trm_status trmi_equations_next_mark(void *self, const trm_state *s, double *mark, trm_error *err);

#endif
