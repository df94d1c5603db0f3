/* remarks.h - sentences about a model for its user, at the start of a run or later. */
#ifndef TRMI_REMARKS_H
#define TRMI_REMARKS_H
#include "equations/equations_internal.h"

/* A list of remarks. */
struct trmi_remark {
  trm_remark   remark;
  bool         holds; /* of a doubt: its condition was positive                 */
  bool         is_late, is_told; /* asked after every step; reported already    */
  int          row;   /* of a motion, which says nothing: its row; -1: a remark */
  double       asked; /* what it asked for at the start; NaN: not known yet     */
  const char  *format; /* of a share: its text with a %g; NULL: the text stands */
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
/* At the start and later: a share is above a limit. `square` is its square; `format`, which stays,
 * has one %g for it in percent. Only the first of several with one format is reported. */
void trmi_remark_add_share(trmi_compiler *b, const char *object, const char *format,
                           trmi_node square, double limit);
/* Note what a row asks its coordinate for at the start, as motions do. */
void trmi_remark_add_asked(trmi_compiler *b, int row, trmi_node wanted);
/* What a row asked for; NaN: nothing that is known. */
double trmi_remark_asked(const trmi_equations *eq, int row);

/* Inputs are those of the start, or of where the motion begins anew: see which doubts hold. */
void trmi_remarks_evaluate(trmi_equations *eq);
/* Inputs are those of an accepted step: see which late ones hold. */
void trmi_remarks_follow(trmi_equations *eq);
/* A late one that holds and has not been handed out yet, or NULL. */
const trm_remark *trmi_remark_news(trmi_equations *eq);
/* Nothing holds: before another start. */
void trmi_remarks_clear(trmi_equations *eq);
/* Number i of all remarks that hold at the start, or NULL. */
const trm_remark *trmi_remark_at(const trmi_equations *eq, int i);

/* table_ends.c: an expression uses a curve at x, see trmi_scope.use. */
void trmi_use_table(void *self, const trmi_spline *curve, trmi_node x);

#endif
