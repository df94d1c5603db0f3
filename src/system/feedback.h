/* feedback.h - loops through variables that depend on multipliers, such as the load of friction,
 * and variables whose multipliers are not unique. */
#ifndef TRMI_FEEDBACK_H
#define TRMI_FEEDBACK_H
#include "system/consistent.h"
#include "system/rank.h"

/* Gain of the feedback of variables on themselves at a state. */
typedef struct trmi_feedback_gain {
  double gain;   /* of the loop through all variables; below one there is exactly one solution */
  int    index;  /* the variable with the largest part                                         */
  double own;    /* gain of that variable alone                                                */
} trmi_feedback_gain;

/* Does any variable depend on multipliers and act on the motion? */
bool trmi_feedback_exists(const trm_system *sys);

/* The gain at positions and velocities of s, (1) of feedback.c. */
trm_status trmi_feedback_find(trmi_consistent *c, const trm_state *s, trmi_feedback_gain *out,
                          trm_error *err);

/* If the gain is one or more: a sentence about the variable responsible, and its label. */
bool trmi_feedback_sentence(const trm_system *sys, const trmi_feedback_gain *gain, trm_label *label,
                        char *text, size_t size);

/* Newton's method for accelerations and variables did not converge: fail and name the loop. */
trm_status trmi_feedback_failed(trmi_consistent *c, const trm_state *s, trm_error *err);

/* One sentence that names quantities depending on multipliers that are not unique at s, at most
 * `size` bytes; empty if there are none. */
trm_status trmi_feedback_unsure(trm_system *sys, const trm_state *s, const trm_rank *rank,
                            const trmi_relations *relations, char *text, size_t size,
                            trm_error *err);

#endif
