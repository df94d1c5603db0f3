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
/* next_mark of trm_system_ops. */
trm_status trmi_equations_next_mark(void *self, const trm_state *s, double *mark, trm_error *err);

#endif
