/* sim.h - simulate a system: options, run, results.
 *
 * Life cycle: trm_options_default -> trm_sim_create (completes the start values) ->
 * trm_sim_add_sink -> trm_sim_run, or trm_sim_advance, trm_sim_step -> trm_sim_state,
 * trm_sim_counters -> trm_sim_free. Results leave through sinks; nothing here prints.
 *
 * Only one call at a time may use a simulation. During trm_sim_run, _step, _advance and _load,
 * calls of these, trm_sim_interpolate, trm_sim_output and trm_sim_outputs by a sink, a callback or
 * another thread return TRM_ERR_ORDER, and trm_sim_prepare_save does nothing. Sinks may set inputs
 * and read the state, counters and measures. */
#ifndef TRM_SIM_H
#define TRM_SIM_H
#include "trammel/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum length of a cycle of fixed steps. */
enum { TRM_STEPS_MAX = 8 };

/** Options of a simulation. Zero or NULL means the default given in each line. [s], [J], [W] here
 *  and below are the units of the system, which are those of SI unless its `units` says
 *  otherwise. */
typedef struct trm_options {
  unsigned    tag;            /**< set by trm_options_default                         */
  const char *integrator;     /**< name of a method, see trammel/methods.h; NULL
                                   (default): see trm_options_integrator              */
  const char *formulation;    /**< one of that method; its first, or its default for the system */
  const char *solver;         /**< "auto" (default), "block", "klu", "dense"          */
  double start;               /**< time of the start [s]; NaN: as the system says     */
  const trm_state *from;      /**< a state of this system at which to begin, such as that of
                                   trm_static_state; NULL: the start values. Read by
                                   trm_sim_create; uses positions, velocities, states, variables
                                   and discrete values */
  double end;                 /**< end of the run [s]                                 */
  double tolerance;           /**< local error per step, relative to scales; 1e-5     */
  double steps[TRM_STEPS_MAX]; /**< fixed steps [s], used cyclically; instead of tolerance */
  int    nsteps;              /**< their number; 0: error-controlled                  */
  double step_max, step_min;  /**< limits of error-controlled steps [s]; none, 1e-14 of the span */
  double step_first;          /**< first error-controlled step [s]; chosen            */
  int    max_order;           /**< radau: 5, 9 or 13, bdf: 1 to 5; with fixed steps the order
                                   itself, 5 or 2; with error control the largest */
  const char *error_in;       /**< bdf: the local error is tested in "positions" (default), or in
                                   positions and "velocities"; states always          */
  const char *scaling;        /**< hht, alpha, bdf: scaling of the Newton matrix of [HHT]: "a",
                                   positions and states are its unknowns; "b", accelerations
                                   and rates are; "c", the same with constraints over beta h^2
                                   and gamma h; "auto" (default): as "c"              */
  int    passes;              /**< tdg, not "newton": passes of a step; as many as needed */
  const char *step_control;   /**< tdg: "local" (default): local error; "energy": change of the
                                   total energy as in [TDG], relative to it, below tolerance */
  double energy_datum;        /**< energy that counts as zero [J]; 0. This and the following are
                                   only for control by energy */
  int    energy_repetitions;  /**< maximum number of repeats of a step, after which it is
                                   accepted; 3 */
  int    energy_wait;         /**< consecutive steps with little change before growth; 8 */
  double energy_accept;       /**< accepted change, over the tolerance; 1             */
  double energy_reduce;       /**< target of a repetition; 0.95                       */
  double energy_grow;         /**< little change; 0.6                                 */
  double energy_from, energy_to; /**< control by energy from .. to [s], by local error
                                   otherwise; always                                  */
  int    max_iterations;      /**< Newton iterations of one attempt of a step; 10. An attempt
                                   that fails with an old or simplified matrix is repeated with a
                                   new one. With fixed steps and newton_tolerance this holds for
                                   all methods; otherwise tdg and radau use more: with fixed
                                   steps three times as many, to rounding, otherwise some more
                                   for higher orders, and 25 passes of the multicorrector; cm
                                   uses twice as many under error control */
  double newton_tolerance;    /**< error left by Newton in scaled positions; 1e-4 of the
                                   tolerance, in the forms si2 and index3 up to 1e-2 in long
                                   steps; with fixed steps 1e-8 of h^2 acceleration, of
                                   tdg and radau rounding. With fixed steps and this given, cm
                                   iterates as in [ALPHA]                             */
  double constraint_tolerance; /**< |g| / scale left in an accepted step, also of rates
                                   times the step; 1e-9, with fixed steps 5e-14       */
  double impact_tolerance;    /**< error of the speed after an impact on a stop or contact, in a
                                   step and as part of the speed before; 1e-3         */
  double alpha;               /**< hht: -1/3 .. 0; default -0.3                       */
  double rho;                 /**< alpha: spectral radius at infinity 0 .. 1; default 0.5 */
  bool   has_alpha, has_rho;  /**< alpha, rho are given                               */
  bool   has_coefficients;    /**< the four below are given and used as they are      */
  double alpha_m, alpha_f, beta, gamma;
  double output_step;         /**< distance of samples [s]                            */
  int    outputs;             /**< or number of equal intervals; 0: no samples but start and end */
  const double *output_times; /**< or this ascending list; read while running         */
  int    noutput_times;       /**< length of that list                                */
  long   checkpoint_steps;    /**< accepted steps between checkpoints; 100            */
  long   max_steps;           /**< maximum number of attempted steps; no limit        */
  const double *scales_v;     /**< sizes that count as one, per velocity coordinate [nv]; the
                                   labels of the system                               */
  bool (*should_stop)(void *self); /**< called between steps and samples of a run that has
                                        begun; may be NULL                          */
  void *should_stop_self;
  trm_parallel_for *parallel_for; /**< evaluates large batches of bodies, joints and beams in fixed
                                   chunks; sums keep their order, so that results have the same
                                   bits for any number of threads and without it (default)    */
  void *parallel_self;
  trm_allocator allocator;
} trm_options;

/** Options with all defaults; `end` must be set. */
TRM_API trm_options trm_options_default(void);

/** The method selected by the options: the named one; without a name "alpha" if `rho` is given,
 *  "hht" if a formulation, `alpha`, a scaling, the four coefficients or fixed steps are given,
 *  otherwise the default, "auto". A constant, or the name in the options. */
TRM_API const char *trm_options_integrator(const trm_options *options);

/** Energy balance since the start of the run:
 *      imbalance = kinetic + potential - initial - motions - forces - dampers - friction - events.
 *  All are NaN if there is none: before the first step, or if the system does not provide its
 *  energies. */
typedef struct trm_audit {
  double initial;     /**< kinetic + potential energy at the start [J]            */
  double motions;     /**< work of moving constraints    [J]                      */
  double forces;      /**< work of forces without a potential, except the next two [J] */
  double dampers;     /**< work of dampers; negative while they dissipate [J]     */
  double friction;    /**< work of friction in joints [J]                         */
  double events;      /**< sum of the jumps of the energy at events [J]           */
  double imbalance;   /**< energy that is not accounted for [J]                   */
  double uncertainty; /**< of the integrals of power [J]                          */
  double scale;       /**< largest energy or work exchanged          [J]          */
} trm_audit;

/** Sum of local errors: over all accepted steps, the largest local error of a coordinate or state
 *  over its scale. For motion that neither amplifies nor damps errors this is about, or above, the
 *  error at the end. Also with fixed steps. */
typedef struct trm_errors {
  double       sum;
  trm_quantity list;  /**< the list that contributes most                    */
  int          index; /**< -1: nowhere                                       */
} trm_errors;

/** Work done so far. */
typedef struct trm_counters {
  long   steps;           /**< accepted steps                                  */
  long   rejected_error;  /**< attempts rejected by the error test             */
  long   rejected_newton; /**< attempts rejected because Newton failed, or the
                               system left its domain                          */
  long   newton_iterations;
  long   residuals;       /**< evaluations of the equations                    */
  long   jacobians;       /**< evaluations of the blocks                       */
  long   factorizations;  /**< numeric factorizations, with old or new pivots  */
  long   solves;          /**< right-hand sides solved                         */
  long   lu_entries;      /**< entries of the factors of the largest matrix    */
  long   events;          /**< events located                                  */
  double step_min, step_max; /**< of accepted steps [s]                        */
  double pace_min, pace_max; /**< the same for steps limited only by the motion and the options,
                                  not shortened by an event, input, change of a law or the end of
                                  the run; infinite and 0: there was none */
  double violation_position; /**< largest |g| at accepted steps                */
  double violation_velocity; /**< largest |G v + g_t|, |A v + b|               */
  double seconds;         /**< CPU time of the loop, including other threads running meanwhile */
  double seconds_setup;   /**< CPU time of trm_sim_create                      */
  trm_audit audit;        /**< energy balance                                  */
  trm_errors errors;      /**< sum of local errors                             */
} trm_counters;

/** Reason for the end of an attempt, or for the size of the next step. */
typedef enum trm_limit {
  TRM_LIMIT_NONE,       /**< fixed step, or no limit                      */
  TRM_LIMIT_ERROR,      /**< local error of `list`, `index`               */
  TRM_LIMIT_NEWTON,     /**< Newton did not converge; worst unknown named */
  TRM_LIMIT_DOMAIN,     /**< the system left its domain                   */
  TRM_LIMIT_EVENT,      /**< an event ended the step                      */
  TRM_LIMIT_GROWTH,     /**< growth limit                                 */
  TRM_LIMIT_MAXIMUM,    /**< step_max, or the end of the run              */
  TRM_LIMIT_STOP,       /**< a stop or contact, TRM_GAP `index`           */
  TRM_LIMIT_SLIP        /**< dry friction that reverses, TRM_SLIP `index` */
} trm_limit;

/** One attempted step. */
typedef struct trm_step_record {
  double       t, h;       /**< start and size of the step [s]                 */
  bool         accepted;
  trm_limit    limit;
  trm_quantity list;       /**< limit of the step: list and index              */
  int          index;      /**< -1: nothing                                    */
  double       error;      /**< local error over tolerance; NaN if fixed       */
  int          iterations; /**< of Newton                                      */
  double       violation_position; /**< largest |g| after it; NaN if rejected  */
  double       violation_velocity; /**< largest |G v + g_t|, |A v + b|         */
  int          order;      /**< of the method in this step; 0: unknown         */
} trm_step_record;

/** One output point. Everything is valid only during the call. */
typedef struct trm_sample {
  const trm_state *state;
  const double    *outputs;   /**< [noutputs]               */
  const double    *shown;     /**< variables that are only expressions [nshown] */
  const double    *recorded;  /**< loads of elements [nrecorded]; NULL: no sink wants them */
  double kinetic, potential;  /**< [J]                      */
  double power;               /**< [W]                      */
} trm_sample;

/** A receiver of results. Every function is optional. A failing one ends the run with its status.
 *  `begin` is called by the first trm_sim_step or _run. */
typedef struct trm_sink {
  void *self;
  bool  wants_loads; /**< samples have `recorded` */
  trm_status (*begin)(void *self, const trm_system *system, const trm_options *options,
                      trm_error *err);
  trm_status (*sample)(void *self, const trm_sample *sample, trm_error *err);
  trm_status (*step)(void *self, const trm_step_record *record, trm_error *err);
  trm_status (*event)(void *self, double t, int index, trm_error *err);
  void (*message)(void *self, double t, const char *text);
  /** The method chosen by `auto` and the reason, unless a method failed: "auto takes 'radau': ..".
   *  NULL: sent as an ordinary message. */
  void (*choice)(void *self, double t, const char *text);
  /** `data` is the input of trm_sim_load. */
  trm_status (*checkpoint)(void *self, double t, const void *data, size_t size, trm_error *err);
  /** `failure` is NULL after success. Called once, by trm_sim_run, also after failure. */
  trm_status (*end)(void *self, const trm_counters *counters, const trm_error *failure,
                    trm_error *err);
} trm_sink;

/** A simulation. */
typedef struct trm_sim trm_sim;

/** Complete the start (positions, velocities, accelerations, multipliers) and
 *  prepare the integrator.
 *  @param system   read during the call and until trm_sim_free. Values set meanwhile apply from the
 *                  next simulation on. Simulations of one system may be created and run
 *                  in several threads if it offers `instance` or `shares_self`, as all built
 *                  systems do; otherwise only one may exist at a time
 *  @param options  read during the call; its strings and lists must outlive the simulation
 *  @param sim      receives the simulation; NULL on failure
 *  @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_MEMORY, TRM_ERR_ASSEMBLY, TRM_ERR_SINGULAR,
 *          TRM_ERR_NOT_FINITE, TRM_ERR_ORDER (it is made for one simulation and has one), or what
 *          the system returns */
TRM_API TRM_CHECKED trm_status trm_sim_create(trm_system *system, const trm_options *options,
                                              trm_sim **sim, trm_error *err);

/** Free a simulation, not the system. Accepts NULL. If a sink frees a running simulation, its run
 *  ends first: the running call returns TRM_ERR_ORDER. */
TRM_API void trm_sim_free(trm_sim *sim);

/** Add a receiver of results before the run. The struct is copied. At most 8. */
TRM_API TRM_CHECKED trm_status trm_sim_add_sink(trm_sim *sim, const trm_sink *sink, trm_error *err);

/** Run to the end of the options, or to an event that stops. */
TRM_API TRM_CHECKED trm_status trm_sim_run(trm_sim *sim, trm_error *err);

/** Take one accepted step. `done` receives true at the end of the run. */
TRM_API TRM_CHECKED trm_status trm_sim_step(trm_sim *sim, bool *done, trm_error *err);

/** Advance to a time: take steps, the last of which ends at t. Steps and samples in between are
 *  those of trm_sim_run, which may follow to complete the run and to end the sinks. An event that
 *  ends the run may come first: then the time of trm_sim_state is before t.
 *  @param t not before the present time and not after the end of the options; the present time has
 *  no effect
 *  @return TRM_OK, TRM_ERR_INPUT, or what trm_sim_run returns */
TRM_API TRM_CHECKED trm_status trm_sim_advance(trm_sim *sim, double t, trm_error *err);

/** The instance of the system that the simulation uses: evaluate its states in it
 *  (trm_system_values, trm_modes_find, trm_linear_model_find, trm_system_value_rates). It lives
 *  until trm_sim_free. */
TRM_API trm_system *trm_sim_system(const trm_sim *sim);

/** The state after the last accepted step. Valid until the next call. */
TRM_API const trm_state *trm_sim_state(const trm_sim *sim);

/** The state at a time inside the last accepted step, by the dense output of the
 *  integrator. Valid until the next call. */
TRM_API TRM_CHECKED trm_status trm_sim_interpolate(trm_sim *sim, double t, const trm_state **state,
                                                   trm_error *err);

/** All outputs at the state of trm_sim_state. Must not be called by a sink, which receives them in
 *  its sample.
 *  @param values  receives them [noutputs] */
TRM_API TRM_CHECKED trm_status trm_sim_outputs(trm_sim *sim, double *values, trm_error *err);

/** Reduce a signal over the run, on the dense output and not only at samples: max, min, rms, mean
 *  or final of an output (or of a coordinate, velocity, state, variable or multiplier), its value
 *  at a time, or the time of its first crossing of a level, which is 0 if none is given. To be
 *  called before the first step, and before trm_sim_load, in the same order as when it was saved.
 *  @param name  by which the result is known; copied
 *  @param text  "max(load)", "at(load, 0.5)", "at(load, 20 ms)", "crossing(angle, 1.5)"
 *  @return TRM_OK, TRM_ERR_INPUT (with a sentence), TRM_ERR_ORDER or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_sim_add_measure(trm_sim *sim, const char *name,
                                                   const char *text, trm_error *err);

/** Number of added measures. */
TRM_API int trm_sim_measure_count(const trm_sim *sim);

/** Name of measure i; "" if there is none. */
TRM_API const char *trm_sim_measure_name(const trm_sim *sim, int i);

/** Unit of measure i, "N"; "" if it is a plain number, its unit is not known or there is none. */
TRM_API const char *trm_sim_measure_unit(const trm_sim *sim, int i);

/** Present value of measure i; NaN if there is none, or no value yet: a level not crossed. */
TRM_API double trm_sim_measure(const trm_sim *sim, int i);

/** One output by its name; if speed matters use trm_system_find and trm_sim_outputs.
 *  @return TRM_OK, TRM_ERR_INPUT with a sentence that suggests the nearest name, or what the system
 *          returns */
TRM_API TRM_CHECKED trm_status trm_sim_output(trm_sim *sim, const char *name, double *value,
                                              trm_error *err);

/** Set input i: from the present time t0 on it is value + rate (t - t0). It takes effect when the
 *  next step begins. If the value differs from the present one it jumps, and the integrator
 *  restarts; events carried across zero by the jump happen. A new rate alone is a kink: the
 *  integrator continues. Before the first step it is the value of the start.
 *  @param i  its number, trm_system_find(system, TRM_U, "drive")
 *  @return TRM_OK or TRM_ERR_INPUT */
TRM_API TRM_CHECKED trm_status trm_sim_set_input(trm_sim *sim, int i, double value, double rate,
                                                 trm_error *err);

/** The same by its name. */
TRM_API TRM_CHECKED trm_status trm_sim_input(trm_sim *sim, const char *name, double value,
                                             double rate, trm_error *err);

/** The same for a signal without jumps that is known at points, as between coupled simulations: the
 *  value may differ slightly from the previous value + rate (t - t0), and the integrator keeps its
 *  step. */
TRM_API TRM_CHECKED trm_status trm_sim_follow_input(trm_sim *sim, int i, double value, double rate,
                                                    trm_error *err);

/** Work done so far. */
TRM_API const trm_counters *trm_sim_counters(const trm_sim *sim);

/** Names as used: integrator (the present one of `auto`), formulation, solver of its matrix. */
TRM_API const char *trm_sim_integrator(const trm_sim *sim);
TRM_API const char *trm_sim_formulation(const trm_sim *sim);
TRM_API const char *trm_sim_solver(const trm_sim *sim);

/** A method used by `auto`. */
typedef struct trm_turn {
  const char *integrator;
  double      from; /**< [s] */
} trm_turn;

/** Number of methods used in turn by `auto`; 0 for other integrators. */
TRM_API int trm_sim_turn_count(const trm_sim *sim);

/** Method number i, in the order of time; empty and NaN if there is none. */
TRM_API trm_turn trm_sim_turn(const trm_sim *sim, int i);

/** Discard the matrices that the next step would reuse, so that the present step can be saved like
 *  a checkpoint. This simulation then recomputes them: it takes the same steps as a loaded one.
 *  */
TRM_API void trm_sim_prepare_save(trm_sim *sim);

/** All data that influence the next steps, as bytes. A simulation made from the same system and
 *  options continues from them to the same bits, provided they were taken at a checkpoint (sink),
 *  before the first step, or after trm_sim_prepare_save. */
TRM_API size_t trm_sim_save_size(const trm_sim *sim);
TRM_API void trm_sim_save(const trm_sim *sim, void *data);
TRM_API TRM_CHECKED trm_status trm_sim_load(trm_sim *sim, const void *data, size_t size,
                                            trm_error *err);

/** Displacement of the start by assembly: largest change of an unknown of `list`
 *  (TRM_Q or TRM_V), and per unknown in `moved` if not NULL. */
TRM_API double trm_sim_moved(const trm_sim *sim, trm_quantity list, double *moved);

/** Freedoms and redundancy of a system at its start. */
typedef struct trm_rank {
  int  nv;           /**< velocity coordinates                            */
  int  rows;         /**< constraint rows ng + na                         */
  int  rank;         /**< independent ones                                */
  int  freedoms;     /**< nv - rank                                       */
  bool complete;     /**< false: a loop was too large, its rows counted as independent */
  const unsigned char *redundant;  /**< row i depends on others   [rows]  */
  const unsigned char *not_unique; /**< its multiplier is not unique [rows] */
} trm_rank;

/** Rank of the constraints at the assembled start; computed by trm_sim_create. */
TRM_API const trm_rank *trm_sim_rank(const trm_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
