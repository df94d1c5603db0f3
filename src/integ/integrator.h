/* integrator.h - an integrator as the driver sees it.
 *
 * The driver owns step size, retries, events, output and counters; an integrator
 * owns the state and knows how to try one step. A rejected attempt leaves no
 * trace. */
#ifndef TRMI_INTEGRATOR_H
#define TRMI_INTEGRATOR_H
#include "core/visit.h"
#include "system/consistent.h"
#include "system/rank.h"
#include "trammel/methods.h"
#include "trammel/sim.h"
#include <math.h>

/* What Newton may leave in a step with stops and contacts, see impact_steps.c. */
typedef struct trmi_care {
  double speed;     /* error of velocities, over the scales; INFINITY: there is no impact */
  double rate;      /* a step h may have min(1, rate h) of it [1/s]                       */
  bool   is_closed; /* one is closed, or will be: errors of positions are forces          */
} trmi_care;

/* The remainder of positions in a step h, (7) of impact_steps.c. */
static inline double trmi_care_limit(const trmi_care *care, double h) {
  return 0.03 * h * care->speed * fmin(1.0, care->rate * h);
}

/* Data that the driver shares with its integrator. */
typedef struct trmi_context {
  trm_system        *sys;
  const trm_options *options;
  trmi_consistent   *consistent;
  const trm_state   *start;      /* assembled positions and velocities         */
  const trm_rank    *rank;       /* of the constraints there                   */
  const bool        *has_unsure_loads; /* friction reads reactions that are not unique; known
                                          from the first step on                */
  trmi_arena        *arena;      /* lives as long as the simulation            */
  const double      *scale_v;    /* sizes that count as one        [nv]        */
  const double      *gap_scale;  /* the same of gaps [ngaps]      */
  const trmi_care   *care;       /* that stops and contacts ask for in the next step */
  double             tolerance;  /* of the local error; unused with fixed steps */
  bool               fixed;      /* steps are given                            */
  void (*message)(void *self, const char *text); /* to the sinks               */
  void              *message_self;
} trmi_context;

/* An error of a velocity is one of a place by what it does in so many steps: motion that the steps
 * follow turns round in about that time. */
static const double trmi_turn_steps = 10.0;

/* Result of one attempted step. */
typedef struct trmi_attempt {
  int          iterations;
  double       error; /* local error / tolerance (tolerance 1 with fixed steps) */
  trm_quantity list;  /* where the error, or Newton's correction, is largest    */
  int          index; /* -1: nowhere                                            */
  trmi_violation off; /* how far the new state is off its constraints           */
  double       largest; /* error there over its scale, of the method itself      */
  double       of_speed; /* and of its rate, were a force to have a kink in the step; 0: the same */
  bool         counts; /* the step is accepted whatever its error                */
  double       factor; /* of the step to try next, where the integrator knows; 0: as usual */
  int          patience; /* steps without growth after rejections that come often; 0: one */
} trmi_attempt;

/* A stage of a step: the integral of P over the step is the sum of weight P, its error about that
 * of off P. */
typedef struct trmi_stage {
  trm_state *state;
  double     weight, off;
  bool       is_end; /* the state after the step, which the driver has: `state` is not filled */
} trmi_stage;

/* How notes begin by which `explain` recognizes what a method said of the problem. */
#define TRMI_NOTE_STIFF "the problem is stiff for 'explicit'"
#define TRMI_NOTE_ORDER_HELD "order held at 2"
#define TRMI_NOTE_AUTO "auto " /* which method it takes, and why */

typedef struct trmi_integrator_ops {
  trm_method about; /* name, formulations, options it reads, advice */

  /* The default formulation for a system, if it is not always the first. Optional. */
  const char *(*choose)(const trm_system *sys);
  /* Refuse values of the options that this method reads. Optional. */
  trm_status (*check)(const trm_options *options, const trm_formulation *form, trm_error *err);

  /* Bytes of the integrator's own struct. */
  size_t size;
  /* Read options, take memory, check. `formulation` is one of the list. */
  trm_status (*create)(void *integ, const trmi_context *ctx, const char *formulation,
                       trm_error *err);
  /* Build matrices for the present epoch; `bordered`: constraints are redundant. */
  trm_status (*plan)(void *integ, bool bordered, trm_error *err);
  void (*free)(void *integ);
  /* Begin at a state with consistent q, v, v', lam, mu, x, x', w: at the start and
   * after every discontinuity. *h is a step to use first: kept if it is positive,
   * chosen if it is zero. */
  trm_status (*start)(void *integ, const trm_state *s, double *h, trm_error *err);
  /* Continue at a state at which rates of accelerations may jump but nothing else does, inside the
   * last accepted step or at its end. Optional: by `start`. */
  void (*continue_at)(void *integ, const trm_state *s);
  /* Other discrete values, which change nothing, at the present state. */
  void (*set_discrete)(void *integ, const double *z);
  /* A gap closed or opened in the last accepted step: forces of the steps before have another law.
   * Optional: the method remembers nothing of them. */
  trm_status (*pass_kink)(void *integ, trm_error *err);
  /* Compute the state a step h ahead. */
  trm_status (*attempt)(void *integ, double h, trmi_attempt *result, trm_error *err);
  /* The state that the last attempt came to, if it was good. */
  const trm_state *(*next)(const void *integ);
  void (*accept)(void *integ);
  /* Undo the last accept: the next attempt begins where the last accepted step began. Optional: by
   * `start` there. */
  void (*step_back)(void *integ);
  /* The state after the last accepted step. */
  const trm_state *(*state)(const void *integ);
  /* The state at t inside the last accepted step, before the next attempt. */
  trm_status (*interpolate)(void *integ, double t, trm_state *s, trm_error *err);
  /* s, the state after the last accepted step, as a sample: what Newton and projections leave in
   * stiff parts is no load of them. Optional: nothing is left. */
  trm_status (*relax)(void *integ, trm_state *s, trm_error *err);
  /* Stage i of the last accepted step; false: it has no more of them. Optional: none is kept. */
  bool (*recall)(void *integ, int i, trmi_stage *out);
  /* Forget whatever a simulation loaded from saved bytes would not have: matrices. */
  void (*forget)(void *integ);
  /* List all that shapes the next step. */
  void (*visit)(void *integ, trmi_visitor *v);
  /* Bring what `visit` has just loaded into effect: solvers go to their rung. */
  trm_status (*settle)(void *integ, trm_error *err);
  /* The matrix of Newton's iteration. Optional: there is none, only projections are solved. */
  const trmi_matrix *(*newton_matrix)(const void *integ);
  /* The error goes like h^error_power. */
  int (*error_power)(const void *integ);
  /* An error of one in the present attempt, over the scales. Optional: it is the tolerance. */
  double (*error_unit)(const void *integ);
  /* Order of the method in the present attempt: the error of a motion goes like h^order. */
  int (*order)(const void *integ);
  /* Largest step [s] where the user says none. Optional: no limit. */
  double (*longest_step)(const trm_options *options, double span);
  double safety; /* part of the step that the error would allow */
  double past;   /* exponent of the error of the step before, by which steps also go; 0: none */
  double growth; /* limit of the growth of a step            */
  double hold;   /* a step that could grow by less stays     */
  bool   has_short_steps; /* powers at the ends of steps are enough for their integral */
  bool   steps_to_events; /* dense output is worse than a step: go to events by one  */
  bool   predicts; /* the change of the error from step to step also counts */
  int    remembers; /* for up to so many steps where Newton failed; 0: not   */
} trmi_integrator_ops;

extern const trmi_integrator_ops trmi_integ_hht, trmi_integ_alpha, trmi_integ_explicit,
    trmi_integ_tdg, trmi_integ_radau, trmi_integ_bdf, trmi_integ_smooth, trmi_integ_kinematic,
    trmi_integ_auto;

/* methods.c: the method of this name, or NULL. */
const trmi_integrator_ops *trmi_integrator_find(const char *name);
/* "hht, alpha or kinematic": all names, cut off at `size` bytes. */
void trmi_method_names(char *text, size_t size);
/* "si2, index3, paper": all formulations of a method. */
void trmi_formulation_names(const trm_method *method, char *text, size_t size);

/* All arrays of a state, for `visit`. */
void trmi_visit_state(trmi_visitor *v, const trm_system *sys, trm_state *s);

#endif
