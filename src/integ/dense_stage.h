/* dense_stage.h - a state inside a step as a stage of its own, where parts are stiff; see
 * dense_stage.c. */
#ifndef TRMI_DENSE_STAGE_H
#define TRMI_DENSE_STAGE_H
#include "integ/integrator.h"

typedef struct trmi_dense_stage {
  trm_system   *sys;
  const double *scale_v;
  const char   *solver;
  trmi_arena   *arena;      /* of this epoch                                 */
  trmi_matrix   matrix;     /* of its own, so that samples leave no trace    */
  bool          has_matrix; /* there are forces that can be stiff            */
  bool          is_factored; /* at an earlier sample of the step             */
  trm_state     smooth;     /* for the caller: the prediction                */
  trm_state     s;          /* the stage                                     */
  double        change;     /* norm of d, over the scales                    */
  double       *base, *r;   /* v', lam, mu, x', w as given; residuals    [n] */
  double       *step;       /* displacement                              [nv] */
  double       *kept;       /* values of blocks before a sample               */
  double        asked_t;    /* end of the step whose stiffness is known      */
  double        stiffness;  /* its largest K/M of a coordinate    [1/s^2]     */
} trmi_dense_stage;

/* Allocate memory; `epoch` is the arena of the method's matrices. */
void trmi_dense_stage_take(trmi_dense_stage *d, const trmi_context *ctx, trmi_arena *epoch);
/* Drop the matrix, before the arena of the epoch is cleared; build that of a new epoch. */
void trmi_dense_stage_drop(trmi_dense_stage *d);
trm_status trmi_dense_stage_plan(trmi_dense_stage *d, bool bordered, trm_error *err);
/* Forget pivots, as trmi_linear_forget. */
void trmi_dense_stage_forget(trmi_dense_stage *d);
/* A step was accepted. */
static inline void trmi_dense_stage_renew(trmi_dense_stage *d) {
  d->asked_t = NAN;
  d->is_factored = false;
}
/* Are there forces too stiff to be resolved by a step that ends at `end` with this z2? */
trm_status trmi_dense_stage_is_stiff(trmi_dense_stage *d, const trm_state *end, double z2,
                                     bool *is_stiff, trm_error *err);
/* From q, v, x, smooth v' and x', and a guess of lam, mu, w at a point inside a step: compute the
 * stage there into d->s. *is_found false: there is none. */
trm_status trmi_dense_stage_solve(trmi_dense_stage *d, const trm_state *s, const double z[2],
                                  bool *is_found, trm_error *err);

#endif
