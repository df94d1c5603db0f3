/* remarks.h - sentences about a model for its user, at the start of a run or later. */
#ifndef TRMI_REMARKS_H
#define TRMI_REMARKS_H
#include "equations/equations_internal.h"

/* A list of remarks. */
struct trmi_remark {
  trm_remark   remark;
  bool         holds; /* its condition was positive                             */
  bool         is_late, is_told; /* tested after every step; reported already   */
  int          row;   /* row of a motion, without a sentence; -1: a remark      */
  double       asked; /* value prescribed at the start; NaN: not known yet      */
  const char  *format; /* of a share: its text with a %g; NULL: fixed text      */
  double       limit;  /* of the share */
  trmi_remark *next;
};

/* Report a sentence about an object, "force 'd'", at the start of each run. */
void trmi_remark_add(trmi_compiler *b, const char *object, const char *text);
/* The same if a node is positive at the start. */
void trmi_remark_add_if(trmi_compiler *b, const char *object, const char *text,
                        trmi_node condition);
/* The same once a node is positive at the end of a step. */
void trmi_remark_add_late(trmi_compiler *b, const char *object, const char *text,
                          trmi_node condition);
/* At the start and later: a share is above a limit. `square` is its square; `format`, not copied,
 * has one %g for it in percent. Only the first of several with one format is reported. */
void trmi_remark_add_share(trmi_compiler *b, const char *object, const char *format,
                           trmi_node square, double limit);
/* Record the value that a row prescribes for its coordinate at the start, as motions do. */
void trmi_remark_add_asked(trmi_compiler *b, int row, trmi_node wanted);
/* The value prescribed by a row; NaN: unknown. */
double trmi_remark_asked(const trmi_equations *eq, int row);

/* With the inputs of the start, or of a restart: determine which remarks hold. */
void trmi_remarks_evaluate(trmi_equations *eq);
/* With the inputs of an accepted step: determine which late remarks hold. */
void trmi_remarks_follow(trmi_equations *eq);
/* A late remark that holds and has not been returned yet, or NULL. */
const trm_remark *trmi_remark_news(trmi_equations *eq);
/* Reset all remarks before another start. */
void trmi_remarks_clear(trmi_equations *eq);
/* Number i of all remarks that hold at the start, or NULL. */
const trm_remark *trmi_remark_at(const trmi_equations *eq, int i);

/* table_ends.c: an expression uses a curve at x, see trmi_scope.use. */
void trmi_use_table(void *self, const trmi_spline *curve, trmi_node x);

#endif
