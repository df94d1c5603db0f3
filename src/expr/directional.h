/* directional.h - exact derivatives of results with respect to live numbers along one direction.
 *
 * Every operation f(a, b, c) has the change f_a da + f_b db + f_c dc, from live numbers through the
 * prologue to the constants of a tape, and on to its results. */
#ifndef TRMI_DIRECTIONAL_H
#define TRMI_DIRECTIONAL_H
#include "expr/tape.h"

/* Changes of all steps of a prologue, `change` [nfolds]; `rate` says how a live number changes. The
 * prologue has been run. Steps that store their result where others read it (parameters) also pass
 * on their change: `rate` is called for a number after the step that stores it. */
typedef double (*trmi_live_rate)(const void *self, const double *live);
void trmi_prologue_tangent(const trmi_prologue *p, trmi_live_rate rate, const void *self,
                           double *change);

/* Changes of all slots of a tape [nslots] that these groups need, from those of its symbols, which
 * come first and are given. The groups are up to date. `of_folds` are the changes of its
 * prologue. */
void trmi_tape_tangent(const trmi_tape *tape, uint64_t groups, const double *of_folds,
                       double *change);

#endif
