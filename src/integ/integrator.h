/* integrator.h - an integrator as the driver sees it.
 *
 * The driver owns step size, retries, events, output and counters; an integrator owns the state and
 * attempts one step at a time. A rejected attempt leaves no trace. */
#ifndef TRMI_INTEGRATOR_H
#define TRMI_INTEGRATOR_H
#include "core/visit.h"
#include "system/consistent.h"
#include "system/rank.h"
#include "trammel/methods.h"
#include "trammel/sim.h"
#include <math.h>

/* Error that Newton's method may leave in a step with stops and contacts, see impact_steps.c. */
typedef struct trmi_care {
  double speed;     /* error of velocities, over the scales; INFINITY: there is no impact */
  double rate;      /* a step h may use min(1, rate h) of it  [1/s]                       */
  bool   is_closed; /* a gap is closed, or will be: errors of positions are forces        */
} trmi_care;

/* The permitted error of positions in a step h, (7) of impact_steps.c. */
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
  const bool        *has_unsure_loads; /* friction depends on reactions that are not unique;
                                          known from the first step on */
  trmi_arena        *arena;      /* lives as long as the simulation            */
  const double      *scale_v;    /* sizes that count as one        [nv]        */
  const double      *gap_scale;  /* the same of gaps [ngaps]      */
  const trmi_care   *care;       /* required by stops and contacts in the next step */
  double             tolerance;  /* of the local error; unused with fixed steps */
  bool               fixed;      /* steps are given                            */
  void (*message)(void *self, const char *text); /* to the sinks               */
  void              *message_self;
} trmi_context;

/* Number of steps after which an error of a velocity is measured as a displacement: resolved motion
 * reverses in about that time. */
static const double trmi_turn_steps = 10.0;

/* Result of one attempted step. */
typedef struct trmi_attempt {
  int          iterations;
  double       error; /* local error / tolerance (tolerance 1 with fixed steps) */
  trm_quantity list;  /* where the error, or Newton's correction, is largest    */
  int          index; /* -1: nowhere                                            */
  trmi_violation off; /* violation of the constraints by the new state          */
  double       largest; /* error there over its scale, of the method itself      */
  double       of_speed; /* the same for its rate, if a force has a kink in the step; 0: equal */
  double       of_states; /* estimate of states over their scales, where `error` counts them less */
  bool         counts; /* the step is accepted whatever its error                */
  double       factor; /* of the next step, if set by the integrator; 0: the driver's rule */
  double       most;   /* bound of that factor by stops and contacts; 0: none              */
  int          patience; /* steps without growth after frequent rejections; 0: one */
} trmi_attempt;

/* A stage of a step: the integral of P over the step is the sum of weight P, its error about the
 * sum of off P. */
typedef struct trmi_stage {
  trm_state *state;
  double     weight, off;
  double     low; /* of a second, less accurate estimate of that error; 0: there is none */
  bool       is_end; /* the end of the step, known to the driver: `state` is not filled */
} trmi_stage;

/* Beginnings of notes, by which `explain` recognizes what a method reported. */
#define TRMI_NOTE_STIFF "the problem is stiff for 'explicit'"
#define TRMI_NOTE_ORDER_HELD "order held at 2"
#define TRMI_NOTE_AUTO "auto " /* the chosen method and the reason */

typedef struct trmi_integrator_ops {
  trm_method about; /* name, formulations, options it reads, advice */

  /* The default formulation for a system, if it is not always the first. Optional. */
  const char *(*choose)(const trm_system *sys);
  /* Refuse values of the options that this method reads. Optional. */
  trm_status (*check)(const trm_options *options, const trm_formulation *form, trm_error *err);

  /* Bytes of the integrator's own struct. */
  size_t size;
  /* Read options, allocate memory, check. `formulation` is one of the list. */
  trm_status (*create)(void *integ, const trmi_context *ctx, const char *formulation,
                       trm_error *err);
  /* Build matrices for the present epoch; `bordered`: constraints are redundant. */
  trm_status (*plan)(void *integ, bool bordered, trm_error *err);
  void (*free)(void *integ);
  /* Begin at a state with consistent q, v, v', lam, mu, x, x', w: at the start and after every
   * discontinuity. *h is the first step to try: kept if positive, chosen if zero. */
  trm_status (*start)(void *integ, const trm_state *s, double *h, trm_error *err);
  /* Continue at a state at which rates of accelerations may jump but nothing else does, inside the
   * last accepted step or at its end. Optional: by `start`. */
  void (*continue_at)(void *integ, const trm_state *s);
  /* Other discrete values at the present state, without effect on it. */
  void (*set_discrete)(void *integ, const double *z);
  /* A gap closed or opened in the last accepted step: forces of earlier steps follow another law.
   * Optional: the method does not use them. */
  trm_status (*pass_kink)(void *integ, trm_error *err);
  /* A law of the time begins, ends or bends at the present state. Optional: the method does not use
   * earlier steps. */
  void (*pass_mark)(void *integ);
  /* Attempt a step h. */
  trm_status (*attempt)(void *integ, double h, trmi_attempt *result, trm_error *err);
  /* The end state of the last attempt, if it succeeded. */
  const trm_state *(*next)(const void *integ);
  void (*accept)(void *integ);
  /* Undo the last accept: the next attempt begins at the start of the last accepted step. Optional:
   * by `start` there. */
  void (*step_back)(void *integ);
  /* The state after the last accepted step. */
  const trm_state *(*state)(const void *integ);
  /* The state at t inside the last accepted step, before the next attempt. */
  trm_status (*interpolate)(void *integ, double t, trm_state *s, trm_error *err);
  /* The same from the polynomials of the step alone; nothing is solved for. Optional. */
  void (*sketch)(void *integ, double t, trm_state *s);
  /* Correct s, the state after the last accepted step, as a sample: removes loads of stiff parts
   * that are only remainders of Newton's method and projections. Optional: nothing to remove. */
  trm_status (*relax)(void *integ, trm_state *s, trm_error *err);
  /* Stage i of the last accepted step; false: it has fewer stages. Optional: none is kept. */
  bool (*recall)(void *integ, int i, trmi_stage *out);
  /* Discard data that a simulation loaded from saved bytes would not have: matrices. */
  void (*forget)(void *integ);
  /* List all data that influence the next step. */
  void (*visit)(void *integ, trmi_visitor *v);
  /* Put data loaded by `visit` into effect, such as the choice of solvers. */
  trm_status (*settle)(void *integ, trm_error *err);
  /* The matrix of Newton's iteration. Optional: there is none, only projections are solved. */
  const trmi_matrix *(*newton_matrix)(const void *integ);
  /* The error estimate is of order h^error_power. */
  int (*error_power)(const void *integ);
  /* The error over the scales that counts as one in the present attempt. Optional: the
   * tolerance. */
  double (*error_unit)(const void *integ);
  /* Order of the method in the present attempt: the global error is of order h^order. */
  int (*order)(const void *integ);
  /* Largest step [s] if the user gives none. Optional: no limit. */
  double (*longest_step)(const trm_options *options, double span);
  double safety; /* part of the step that the error would allow */
  double past;   /* exponent of the error of the previous step in the controller; 0: unused */
  double growth; /* limit of the growth of a step            */
  double hold;   /* a step that could grow by less is kept   */
  bool   has_short_steps; /* powers at the ends of steps suffice for their integral */
  bool   steps_to_events; /* dense output is less accurate than a step: reach events by a step */
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
