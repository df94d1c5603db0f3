/* driver.h - internals of a simulation, shared by the files of the driver. */
#ifndef TRMI_DRIVER_H
#define TRMI_DRIVER_H
#include "integ/create.h"
#include "integ/integrator.h"
#include "system/rank.h"
#include <stdatomic.h>
#include <time.h>

enum { SINKS_MAX = 8 };

/* Added to a value of event_side if a reaction turned the function back, see events.c. */
enum { TRMI_BOUNCED = 2 };

/* State of a gap. */
enum { TRMI_GAP_AT_REST, TRMI_GAP_OPEN, TRMI_GAP_IN_IMPACT };

/* Data of one stop or contact, see impact_steps.c. */
typedef struct trmi_impact {
  int    phase;    /* one of these                                                    */
  double speed;    /* with which it closes, or closed; 0: negligible              */
  double depth;    /* expected penetration; 0: not known, infinity: no force      */
  double of_speed; /* speed for which it was computed                             */
  double share;    /* part of the absorbed energy that is due to the speed        */
  double hit;      /* speed before the last impact                                */
  double time;     /* depth over it                                               */
  double until;    /* end of that impact                                          */
  double rough, rough_next; /* b of (3) in impact_steps.c: now, after the attempt    */
  double touch;    /* time of the last closing                                    */
  bool   was_open, is_looked_at, is_driven; /* in this run; see driven_stops.c      */
  bool   is_known; /* steps of this run have begun with it                       */
  int    looks;    /* steps to come that look for a release, after its forces jumped or bent */
} trmi_impact;

enum { TRMI_AUDIT_BEFORE = 4 };

/* Energies and powers at a time: total power first, then by source. */
typedef struct trmi_audit_point {
  double t, kinetic, potential, power[1 + TRM_POWERS];
} trmi_audit_point;

/* The energy balance so far, see audit.c. */
typedef struct trmi_audit {
  bool   is_on, has_power;
  int    nbefore;                  /* points before `now` in the same smooth interval */
  int    steps;                    /* accepted since `now`                 */
  int    stride;                   /* steps between points                 */
  trmi_audit_point now, before[TRMI_AUDIT_BEFORE]; /* the newest first     */
  double work[1 + TRM_POWERS];     /* integrals of power                   */
  double initial, kinetic_initial, events, uncertainty;
  double kinetic_max, potential_min, potential_max;
} trmi_audit;

/* Jumps at the end of a held condition: accelerations, only their rates, or nothing. */
typedef enum trmi_switch_effect { TRMI_JUMP, TRMI_KINK, TRMI_NOTHING } trmi_switch_effect;

typedef struct trmi_measure trmi_measure; /* measures.h */

/* Methods that `auto` chooses from, and how often it changes. */
enum { TRMI_CANDIDATES = 5, TRMI_TURNS_MAX = 64 };

/* Cost of the steps of a method: see auto.c. */
typedef struct trmi_rates {
  double work, error; /* over time; no work: not known          */
  double order;
} trmi_rates;

/* Data of `auto`; saved byte by byte. */
typedef struct trmi_choice {
  int        is_on;
  int        which;                 /* the candidate that runs              */
  int        chosen;                /* the best one so far                  */
  int        is_step_own;           /* step_max is that of the candidate    */
  int        why;                   /* reason for the first one, see auto.c */
  double     rho;                   /* latest estimate of the largest eigenvalue */
  double     looked;                /* total work at that estimate          */
  double     tight;                 /* its tolerance over that of the run   */
  int        nturns;
  int        turns[TRMI_TURNS_MAX]; /* sequence of candidates               */
  double     since[TRMI_TURNS_MAX]; /* and their start times                */
  long       failed;                /* candidates that failed recently, as bits */
  long       steps, counted;        /* since the last change; of this stretch */
  double     work, time, error;     /* of this stretch                      */
  double     last;                  /* its work over time in the previous stretch; 0: none */
  double     total;                 /* work of the run                      */
  double     tried;                 /* total after the last trial           */
  trmi_rates rates[TRMI_CANDIDATES];
  double     then;                  /* work over time at that point         */
} trmi_choice;

/* An event that happens or is at zero, before all reactions at that time. */
typedef struct trmi_fired {
  bool   happens;  /* false: it is only at zero, or not even that */
  double rounding; /* of its function, which is zero up to this; -1: it is elsewhere */
  double rate;     /* of its function   */
  int    side;     /* its event_side    */
} trmi_fired;

struct trm_sim {
  trm_system    *sys;            /* the system it uses, usually an instance */
  trm_system    *origin;         /* the system it was created from; NULL: the caller owns sys */
  trm_options    options;
  trmi_arena     arena;
  trmi_arena     method_arena;   /* of the method                           */
  trmi_choice    choice;
  double         work_before;    /* work when the present step began, see auto.c */
  double         errors_before;  /* and the sum of local errors             */
  const trmi_integrator_ops *ops;
  const char    *formulation;
  void          *integ;
  bool           has_plan;       /* integ->create succeeded                 */
  bool           is_between;     /* between methods: sim->start is the state */
  trmi_consistent consistent;
  bool           has_consistent;
  trm_rank       rank;
  int            rank_ahead;     /* rank near a singular start, else 0      */
  trmi_relations relations;      /* of the constraints at the start         */
  bool           bordered;       /* matrices have a border                  */
  double        *scale_v;        /* [nv] */
  trm_sink       sinks[SINKS_MAX];
  int            nsinks;
  bool           has_begun, has_ended;
  atomic_bool    is_at_work;     /* a call is under way, see calls.c        */
  atomic_bool    is_given_up;    /* the simulation was freed during that call */
  bool           is_assembled; /* positions and velocities of the start satisfy the constraints */
  bool           is_done;        /* at the end of the run                   */
  double         last_start;     /* start of the last step; NaN: none       */
  double         mark;           /* the next one of the system; -INFINITY: unknown */
  double         target;         /* a step ends here, see advance.c         */
  bool           has_target;     /* false: only at the end of the run       */

  /* displacement of the start by assembly; before that, the given start */
  double        *q_moved, *v_moved;
  double *start_displacement; /* increment from the given start to the assembled one [nv] */

  double        *row_size, *row_now; /* squares of rows of G and A, see singular_rows.c [ng + na] */

  /* scratch states */
  trm_state      start, dense;
  double        *outputs;                 /* [noutputs] */
  double        *shown;                   /* [nshown]   */
  double        *recorded;                /* [nrecorded] */
  bool           is_unsettled;            /* was reported */
  double         energy[3];

  /* time and step, saved with a checkpoint */
  double t_start;
  double h_next;        /* error-controlled: next step to try                */
  long   step_number;   /* accepted steps since the fixed grid began         */
  double grid_start;    /* where the grid of fixed steps starts              */
  bool   has_reported_branch, has_reported_loop, has_reported_chatter, has_reported_kick;
  bool   has_unsure_loads; /* friction reads reactions that are not unique */
  bool   just_rejected; /* no growth after a rejection                       */
  int    patience;      /* of the last attempt                               */
  int    since_rejected, between_rejected; /* accepted steps since the last rejection, and between
                                              it and the one before          */
  double factor;        /* of the next step, proposed by the last attempt; 0: none */
  double factor_most;   /* its bound by stops and contacts; INFINITY: none         */
  double h_failed;      /* step at the last failure of Newton's method; 0: none */
  int    since_failed;  /* accepted steps since                              */
  int    failed_steps;  /* for how many it is remembered; 0: none has failed */
  double h_before, error_before; /* of the last accepted step; 0: none       */
  trm_limit chosen_by;  /* reason for h_next                                 */
  long   next_output;   /* number of the next output time                    */
  /* event functions, then their rates, at the start and the end of a step, inside it and in its
     middle, at half_t                                                      [2 nevents] */
  double *event_values, *event_new, *event_mid, *event_half;
  double  half_t;
  double *event_steep; /* their steepness, see crossing.c                    [nevents] */
  double *event_noise; /* what rounding of the state changes in them         [nevents] */
  double  searched_h;  /* length of the step in which events were searched last     */
  double *event_t;      /* times of crossings                                [nevents] */
  trmi_fired *event_fired; /* state of the events that happen at one time    [nevents] */
  int    *event_side;   /* -1, 1: side of zero on which a function counts, 0: neither;
                         * times TRMI_BOUNCED, see events.c                        [nevents] */
  double *rates_before; /* v', x', w before a condition changed            [nv + nx + nw] */
  double *rows_before;  /* rows of constraints before and after it        [2 (2 ng + na)] */
  double last_event;  /* time of the last one that ended a step [s] */
  int    crowded;     /* number of immediately successive events                     */
  int    chatter_event; /* event that ended the last such step                       */
  long   chatter;       /* consecutive steps that it ended                           */
  long   chatter_steps; /* accepted steps when this began                            */
  trmi_impact *impacts; /*                                                   [ngaps] */
  trm_gap_info *gap_info; /*                                                 [ngaps] */
  double      *gap_scale; /* sizes that count as one                         [ngaps] */
  double *gap_now, *gap_next, *gap_probe, *gap_left; /*                    [3 ngaps] */
  double *cut_now, *cut_next; /* `cuts` of trm_values                        [ngaps] */
  double *probe;        /* displacement to a trial position                  [nv]    */
  trmi_care care;       /* limits for the next step                                  */
  bool   has_reported_impact;
  bool   is_end_tested; /* slip_next and gap_next belong to the present state */
  bool   is_gap_of_state; /* gaps depend on the state only, not on accepted steps     */
  double *gap_z;        /* discrete values of gap_next                       [nz]    */
  double slip_most;     /* permitted turn of friction in a step, see slips.c          */
  double *slip_now, *slip_next; /* at the start and the end of a step      [7 nslips] */
  double h_last;        /* the last step, if accepted in full, or 0                   */
  double *slip_scale;   /* lengths that count as one                       [nslips]   */
  double sampled_t;     /* time of the last sample                           */
  double *power;        /* scratch of stiffness.c           [6 nv + 3 nx] of `auto`, or 0 */
  double *inputs;       /* set for the next step: value, rate; see inputs.c [2 nu] */
  bool   input_changed; /* they wait                                         */
  bool   input_jumped;  /* and one of them jumps                             */
  long   attempts;
  long   saved_at;      /* accepted steps when it was saved or loaded: checkpoints count from it */
  trmi_measure *measures;   /*                                     [TRMI_MEASURES_MAX] */
  double       *measured;   /* their signals in a step, see measures.c                 */
  int           nmeasures;
  trmi_audit   audit;
  double       error_votes; /* votes for the unknown to name, see error_sum.c */
  trm_counters counters;
  clock_t      clock_start;
};

/* inputs.c: inputs that were set take effect; `stop`: an event caused by this ends the run. */
trm_status trmi_inputs_apply(trm_sim *sim, bool *stop, trm_error *err);

/* advance.c: the index of a name in a list; `sort` is the noun for its items in messages. */
trm_status trmi_sim_find(const trm_sim *sim, trm_quantity list, const char *sort, const char *name,
                         int *i, trm_error *err);
/* advance.c: the time at which a step has to end, the end of the run or an earlier target. */
double trmi_sim_horizon(const trm_sim *sim);

/* driver.c: end of step `number` of the grid of fixed steps. */
double trmi_grid_time(const trm_sim *sim, long number);

/* sim_options.c */
trm_status trmi_options_check(trm_sim *sim, trm_error *err);
/* Did the options come from trm_options_default? Asked before anything in them is used. */
trm_status trmi_options_check_tag(const trm_options *options, trm_error *err);
/* Is the end after the start, by a time long enough to be divided into steps? */
trm_status trmi_options_check_length(const trm_sim *sim, trm_error *err);

/* driver.c: the smallest step to try [s]. */
double trmi_smallest_step(const trm_sim *sim);

/* driver_messages.c: the run ends because the step cannot be reduced further; err holds the last
 * cause. */
trm_status trmi_give_up(trm_sim *sim, double h, trm_status cause, const trmi_attempt *attempt,
                        trm_error *err);
/* Is there a singular pose within a step h, or a singular matrix (is_matrix) with redundant
 * constraints? If so, a sentence with the parts responsible, and the label of a vanished row, if
 * any. */
bool trmi_say_singular(trm_sim *sim, double h, bool is_matrix, trm_label *row, char *text,
                       size_t size);
/* Notes: constraints became singular; after rejected attempts the step may have passed a singular
 * pose (reported once); an event that begins at zero; given start values that were changed; remarks
 * of the system. */
void trmi_report_singular(trm_sim *sim);
void trmi_report_branch(trm_sim *sim);
/* The run has ended without any degree of freedom. */
void trmi_report_stillness(trm_sim *sim);
/* The expression of event i is zero at the start and leaves it to `side`, which is no crossing. */
void trmi_report_edge(trm_sim *sim, int i, int side);
/* Before the first step: does event i depend only on time, with its first time after the end of the
 * run or far too often? If so, a sentence. */
bool trmi_say_clock(const trm_sim *sim, int i, char *text, size_t size);
void trmi_report_clocks(trm_sim *sim);
void trmi_report_changes(trm_sim *sim);
void trmi_report_remarks(trm_sim *sim);
void trmi_report_news(trm_sim *sim); /* remarks caused by accepted steps */

/* sinks.c */
trm_status trmi_sinks_begin(trm_sim *sim, trm_error *err);
trm_status trmi_sinks_sample(trm_sim *sim, const trm_state *s, trm_error *err);
trm_status trmi_sinks_step(trm_sim *sim, const trm_step_record *record, trm_error *err);
trm_status trmi_sinks_event(trm_sim *sim, double t, int index, trm_error *err);
trm_status trmi_sinks_checkpoint(trm_sim *sim, trm_error *err);
trm_status trmi_sinks_end(trm_sim *sim, const trm_error *failure, trm_error *err);
void trmi_sinks_message(trm_sim *sim, const char *text);
void trmi_sinks_choice(trm_sim *sim, const char *text);

/* output_times.c: samples inside the last step up to t; the last one at the end. */
trm_status trmi_outputs_until(trm_sim *sim, double t, bool at_end, trm_error *err);
/* The next sample is the first one after t: a loaded run may ask for other samples. */
void trmi_outputs_skip(trm_sim *sim, double t);

/* events.c: evaluate event functions at a state, and their rates (NULL: omitted). */
trm_status trmi_events_evaluate(trm_sim *sim, const trm_state *s, double *values, double *rates,
                                trm_error *err);
/* Sides of zero on which events count, and their rounding, before the first step. */
trm_status trmi_events_begin(trm_sim *sim, trm_error *err);
/* A step without an event: its end is the start of the next one. */
void trmi_events_accept(trm_sim *sim);
/* The first event after `from` inside the last step, which began at t0, that ends it: *index = -1
 * if there is none. Silent events before it are reported. */
trm_status trmi_events_find(trm_sim *sim, double t0, double from, int *index, double *t,
                            trm_error *err);
/* The longest step, up to h, that event functions allow; `index` receives the one that limits. */
double trmi_events_reach(const trm_sim *sim, double h, int *index);
/* crossing.c: when event i crosses zero first after `from` in the last step, which began at
 * `start`, in its direction; infinity: never. Values at its ends: event_values, event_new. */
trm_status trmi_crossing_find(trm_sim *sim, int i, const trm_event_info *info, double start,
                              double from, double *t, trm_error *err);
/* sim->start is the state at the event: let the system react, then restart there, or at a kink
 * continue. */
trm_status trmi_events_handle(trm_sim *sim, int index, double t, trmi_switch_effect change,
                              bool *stop, trm_error *err);
/* Inputs have changed at t: event_mid has the event functions before, event_values those after.
 * Events carried across zero by the change happen. */
trm_status trmi_events_follow(trm_sim *sim, double t, bool *stop, trm_error *err);
/* switching.c: what jumps at event `index` at time t inside the last step? If nothing does, the
 * event is done: the step is accepted, and the search continues after t. */
trm_status trmi_switch_judge(trm_sim *sim, int index, double t, trmi_switch_effect *change,
                             trm_error *err);
/* switching.c: residuals of the constraints g, g_rate, a_rate, one after the other; the largest
 * jump of rows `from` to `to` from sim->rows_before to the second set there, over their scales and
 * a second, and its row, `worst`. */
trm_status trmi_rows_of(trm_sim *sim, const trm_state *s, double *rows, trm_error *err);
double trmi_rows_jump(const trm_sim *sim, int from, int to, int *worst);
/* newton_memory.c: Newton's method failed with a step h; `factor` by which the step h may grow. */
void trmi_newton_memory_note(trm_sim *sim, double h);
double trmi_newton_memory_limit(trm_sim *sim, double h, double factor);
/* events.c: kind and direction of event i. */
trm_event_info trmi_event_info(const trm_sim *sim, int i);

/* Data of a gap that is open at the start of a step and closes within it. */
typedef struct trmi_closing {
  double x;      /* part of the step; above 1: it does not close                  */
  double before; /* a part at which it is certainly open, or INFINITY             */
  double speed;  /* with which it closes                                          */
  double push;   /* additional acceleration of the gap when closed                */
} trmi_closing;

/* impact_steps.c: does a gap that closes with speed w under acceleration a bounce by more than (9)
 * of that file? */
bool trmi_impact_matters(const trm_sim *sim, int i, double w, double a);
/* impact_kinks.c: (6) of a step h from time t that closes or opens gap i, cuts off its force or is
 * in an impact, over the permitted error; 0: it does none of that, or is short. */
double trmi_kink_error(const trm_sim *sim, int i, double t, double h, const trmi_attempt *attempt);
/* Factor of a step with this error that is repeated, or bound of the next one. */
double trmi_kink_factor(const trm_sim *sim, int i, double h, double error);
/* A step with a kink of gap i leaves an error of the speed, which grows until the end. */
void trmi_kink_count(const trm_sim *sim, int i, double t, trmi_attempt *attempt);
/* impact_look.c: data of gap i in the attempted step h from s. */
trm_status trmi_impact_look(trm_sim *sim, int i, const trm_state *s, double h,
                            trmi_closing *closing, trm_error *err);
/* Part of the step after which a gap with these values and rates at both ends closes. */
double trmi_impact_closes_at(const double *g0, const double *g1, double h);
/* impact_look.c: compute gap i at s, and whether others are closed, in sim->gap_probe. */
trm_status trmi_impact_probe(trm_sim *sim, int i, const trm_state *s, trm_error *err);
/* impact_depth.c: compute the depth of gap i and its `share`, unless known. It closes with the
 * speed w at the time td after `s`. A depth that cannot be found does not limit steps. h bounds the
 * search. */
trm_status trmi_impact_depth(trm_sim *sim, int i, const trm_state *s, double td, double w,
                             double h, trm_error *err);
/* The same for a gap that has just closed; the prediction is kept if it is close. */
trm_status trmi_impact_depth_once_more(trm_sim *sim, int i, const trm_state *s, double w, double h,
                                       trm_error *err);
/* A gap that is closed when the run begins: speed and depth of the impact whose second half it is,
 * if it will open by more than the tolerance. */
trm_status trmi_impact_release(trm_sim *sim, int i, const trm_state *s, double h, trm_error *err);

/* impact_steps.c: shorten a step for stops and contacts; `gap` receives the one responsible, or
 * -1. */
trm_status trmi_impacts_limit(trm_sim *sim, double *h, int *gap, trm_error *err);
/* Accept the attempted step? A positive status retries with a smaller step. */
trm_status trmi_impacts_test(trm_sim *sim, double h, trmi_attempt *attempt, trm_error *err);
/* Forces may have jumped, or begin to change (`is_bend`): gaps at rest may be released. */
void trmi_impacts_jump(trm_sim *sim, bool is_bend);
/* Has a gap opened or closed in the accepted step? */
bool trmi_impacts_changed(const trm_sim *sim);
/* After the last one. */
trm_status trmi_impacts_end(trm_sim *sim, trm_error *err);
/* Before the first step. */
void trmi_impacts_begin(trm_sim *sim);

/* driven_stops.c: gap i is closed at s, the present state: a note if a motion is the cause. */
trm_status trmi_driven_stop_look(trm_sim *sim, int i, const trm_state *s, trm_error *err);

/* slips.c: shorten a step in which dry friction reverses; `slip` receives the one responsible, or
 * -1. */
trm_status trmi_slips_limit(trm_sim *sim, double *h, int *slip, trm_error *err);
/* Accept the attempted step? A positive status retries with a smaller step. */
trm_status trmi_slips_test(trm_sim *sim, double h, trmi_attempt *attempt, trm_error *err);
/* Before the first step. */
void trmi_slips_begin(trm_sim *sim);

/* event_state.c: the state at an event at t inside the last step, which began at t0, into
 * sim->start; t is corrected. Dense output of that step is lost. */
trm_status trmi_event_state(trm_sim *sim, int event, double t0, double *t, trm_error *err);
/* The same state on the constraints, as the restart after the reaction will have it: event
 * functions that the reaction does not change must not change sign then. Fails only without
 * memory. */
trm_status trmi_event_settle(trm_sim *sim, trm_error *err);

/* singular_rows.c: record the sizes of constraint rows at a state; has one decreased to a small
 * part of it at the present state? If so, its label and that part. */
trm_status trmi_singular_rows_measure(trm_sim *sim, const trm_state *s, trm_error *err);
bool trmi_singular_rows_find(trm_sim *sim, const trm_state *s, trm_label *label, double *part);

/* start_singular.c: accelerations and multipliers of a start in a singular pose, by continuity. */
trm_status trmi_start_pose(trm_sim *sim, trm_state *s, trm_error *err);

/* sim.c: restart the motion at sim->start, whose accelerations are completed: at the start of a run
 * and after an event that changes the motion (in models `do: restart`). A run that continues from
 * saved bytes (`run --restart`) is loaded, by checkpoint.c. */
trm_status trmi_sim_begin_anew(trm_sim *sim, trm_error *err);
/* start_from.c: set sim->start to the state of options.from. */
trm_status trmi_start_from(trm_sim *sim, trm_error *err);
/* sim.c: the same after a kink; the integrator keeps its history. */
trm_status trmi_sim_continue(trm_sim *sim, trm_error *err);
/* sim.c: discard data that a simulation loaded from saved bytes would not have. */
void trmi_sim_forget(trm_sim *sim);
/* sim.c: rebuild all matrices: at a new epoch, or with a border from now on. */
trm_status trmi_sim_replan(trm_sim *sim, bool bordered, trm_error *err);
/* sim.c: read patterns that have changed, and rebuild all matrices. */
trm_status trmi_sim_follow(trm_sim *sim, trm_error *err);
/* sim.c: attempt and start of the integrator, repeated while blocks request new patterns. An
 * attempt abandoned for this reason leaves no trace. */
trm_status trmi_sim_attempt(trm_sim *sim, double h, trmi_attempt *attempt, trm_error *err);
trm_status trmi_sim_start_at(trm_sim *sim, const trm_state *s, double *h, trm_error *err);

/* driver.c: one accepted step. */
trm_status trmi_sim_one_step(trm_sim *sim, bool *done, trm_error *err);

/* calls.c: TRM_ERR_STOPPED if the user asked to stop. */
trm_status trmi_sim_ask_stop(const trm_sim *sim, trm_error *err);

/* step_counts.c: count an accepted step that violates its constraints by `off`. */
void trmi_count_step(trm_sim *sim, const trm_step_record *record, const trmi_violation *off);

#endif
