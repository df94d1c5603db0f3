/* problem.h - the registry entry of a built-in problem, and what all problems share. A problem is
 * one file with its equations in the head, one
 * table of functions (trm_system_ops) and one trmi_problem; the registry does
 * all parsing. */
#ifndef TRMI_PROBLEM_H
#define TRMI_PROBLEM_H
#include "core/arena.h"
#include "trammel/problems.h"

enum { TRMI_COUNT_MAX = 100000 };

/* Allowed range of a number. Parameters with choices need no rule. */
typedef enum trmi_rule {
  TRMI_ANY,          /* finite                            */
  TRMI_POSITIVE,     /* finite, above zero                */
  TRMI_NOT_NEGATIVE, /* finite, zero or above             */
  TRMI_COUNT         /* whole number 1 .. TRMI_COUNT_MAX  */
} trmi_rule;

typedef struct trmi_problem {
  trm_problem about;      /* first, so that its address finds the rest    */
  const trmi_rule *rules; /* one for each parameter                       */

  /* Sets def->ops and def->self. `values` has one number for each parameter:
   * the number itself, or the index of the choice. */
  trm_status (*build)(const double *values, const trm_allocator *allocator, trm_system_def *def,
                      trm_error *err);
} trmi_problem;

/* One for each problem, in its file; the registry lists them. */
extern const trmi_problem trmi_problem_pendulum, trmi_problem_unit_pendulum,
    trmi_problem_slider_crank, trmi_problem_slider_crank_hermite,
    trmi_problem_double_pendulum, trmi_problem_heavy_top,
    trmi_problem_chain, trmi_problem_rolling_disc, trmi_problem_servo, trmi_problem_oscillators;

/* A cleared `self` of that many bytes, which must begin with a trmi_arena: self
 * lies in its own arena, and so does whatever it takes later. */
trm_status trmi_problem_self(const trm_allocator *allocator, size_t bytes, void **self,
                             trm_error *err);

/* trm_system_ops.free of every problem. */
void trmi_problem_free(void *self);

/* trm_system_ops.has_power of problems whose energy is conserved. */
bool trmi_problem_without_power(const void *self);

/* Declares every block as given, so that none is made by differences. */
void trmi_pattern_all_given(trm_pattern *p);

/* Fills in a label; text is cut at the size of its field. */
void trmi_label(trm_label *label, const char *name, const char *object, trm_kind kind,
                double scale);

#endif
