/* analysis.h - analyses of a system without time integration: equilibrium, and vibrations about a
 * state.
 *
 * Life cycle: trm_static_options_default -> trm_static_find -> trm_static_state and its
 * facts -> trm_static_free; likewise trm_modes_options_default -> trm_modes_find ->
 * trm_modes_count, trm_mode_at -> trm_modes_free; trm_linear_options_default ->
 * trm_linear_model_find -> trm_linear_model_matrices, _poles, _zeros, _response ->
 * trm_linear_model_free; trm_branches_create -> trm_branches_add for each state ->
 * trm_branches_points -> trm_branches_free. A state of an equilibrium, or of a simulation, may be
 * passed to the others. Nothing here prints. */
#ifndef TRM_ANALYSIS_H
#define TRM_ANALYSIS_H
#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- equilibrium --------------------------------------------------------------------- */

/** Options of the search for an equilibrium. Zero or NULL means the default given in each line. */
typedef struct trm_static_options {
  unsigned    tag;            /**< set by trm_static_options_default                    */
  double      start;          /**< time of the model [s]; NaN (default): as the system says */
  const trm_state *from;      /**< a state of this system at which the search begins, such as an
                                   equilibrium under another load; read during the call. NULL:
                                   the start values */
  bool        renews_values;  /**< inputs and discrete values are those of the start instead of
                                   `from`, because a value set since then changes them */
  const char *solver;         /**< "auto" (default), "block", "klu", "dense"            */
  const char *method;         /**< "auto" (default): the others in turn; "newton", "relaxation",
                                   "load": only this one */
  int         max_iterations; /**< of each method; 2000                                 */
  bool (*should_stop)(void *self); /**< called before each Newton step; may be NULL     */
  void       *should_stop_self;
  trm_allocator allocator;
} trm_static_options;

/** Options with all defaults. */
TRM_API trm_static_options trm_static_options_default(void);

/** An equilibrium that was found. */
typedef struct trm_static trm_static;

/** Facts about an equilibrium. */
typedef struct trm_static_facts {
  const char *method;         /**< that found it: "newton", "relaxation", "load"        */
  int         iterations;     /**< Newton steps, of all methods tried                   */
  long        residuals;      /**< evaluations of the equations                         */
  long        factorizations; /**< numeric factorizations                               */
  double      unbalanced;     /**< largest force or torque left                [N, N m] */
  double      violation;      /**< largest |g| over its scale                           */
  double      moved;          /**< largest displacement of a coordinate from the start  */
  bool        holds_states;   /**< first-order states could not come to rest and kept
                                   their start values                                   */
  int         neutral;        /**< directions without stiffness, in which the position is
                                   arbitrary; -1: not known, the system is large or a controller
                                   may stabilize it */
  int         unstable;       /**< directions with negative stiffness; -1: not known     */
} trm_static_facts;

/** Find an equilibrium: velocities, accelerations and rates of states are zero, forces balance and
 *  constraints are satisfied, at the time of the start. The search begins at the start values; a
 *  minimum of energy is preferred.
 *  @param system   read during the call, and as long as the result lives
 *  @param options  read during the call
 *  @param result   receives the equilibrium; NULL on failure
 *  @param err      receives the reason: the unbalanced part, and the likely cause
 *  @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_MEMORY, TRM_ERR_ASSEMBLY, TRM_ERR_BALANCE,
 *          TRM_ERR_NOT_FINITE, TRM_ERR_STOPPED, or what the system returns */
TRM_API TRM_CHECKED trm_status trm_static_find(trm_system *system,
                                               const trm_static_options *options,
                                               trm_static **result, trm_error *err);

/** The equilibrium; multipliers are the shortest ones. Valid until trm_static_free. */
TRM_API const trm_state *trm_static_state(const trm_static *result);

/** The instance of the system that the state belongs to: evaluate the state in it
 *  (trm_system_values, trm_modes_find, trm_linear_model_find). It lives until trm_static_free. */
TRM_API trm_system *trm_static_system(const trm_static *result);

/** Facts about the equilibrium. Valid until trm_static_free. */
TRM_API const trm_static_facts *trm_static_facts_of(const trm_static *result);

/** Free an equilibrium, not the system. Accepts NULL. */
TRM_API void trm_static_free(trm_static *result);

/* --- modes --------------------------------------------------------------------------- */

/** Options of the computation of modes. Zero or NULL means the default given in each line. */
typedef struct trm_modes_options {
  unsigned    tag;    /**< set by trm_modes_options_default                             */
  double      start;  /**< time of the model [s] if no state is given; NaN (default): as
                           the system says                                              */
  int         count;  /**< number of modes, lowest frequencies first; 20                */
  const char *solver; /**< as of trm_options; "auto"                                    */
  const char *method; /**< "auto" (default): dense below 500 velocities; "dense", all
                           modes by LAPACK; "sparse", the lowest by ARPACK               */
  trm_allocator allocator;
} trm_modes_options;

/** Options with all defaults. */
TRM_API trm_modes_options trm_modes_options_default(void);

/** Modes of a system about a state. */
typedef struct trm_modes trm_modes;

/** One mode: a motion Re(shape exp(eigenvalue t)). A pair of complex eigenvalues is one mode,
 *  with the positive imaginary part; a real one is a mode of its own. */
typedef struct trm_mode {
  double frequency;        /**< |eigenvalue| / 2 pi, in 1/time unit of the system (Hz if
                                that is s); 0 of a rigid-body mode                      */
  double damping;          /**< part of the critical damping, -Re/|eigenvalue|; 0 if that is 0 */
  double re, im;           /**< eigenvalue, in 1/time unit of the system                */
  const double *shape_re;  /**< retract increments, largest part one           [nv]     */
  const double *shape_im;  /**< their imaginary parts                          [nv]     */
  const double *state_re;  /**< first-order states in the same motion          [nx]     */
  const double *state_im;  /**< their imaginary parts                          [nx]     */
} trm_mode;

/** Linearize about a state and solve the eigenvalue problem with all constraints, damping,
 *  gyroscopic terms and first-order states.
 *  @param system   read during the call, and as long as the result lives. A system with memory and
 *                  a state: trm_sim_system or trm_static_system, not used elsewhere meanwhile
 *  @param at       a consistent state; read during the call. NULL: the assembled start
 *  @param options  read during the call
 *  @param result   receives the modes, lowest frequency first; NULL on failure
 *  @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_MEMORY, TRM_ERR_SINGULAR, TRM_ERR_NOT_FINITE,
 *          TRM_ERR_ASSEMBLY, or what the system returns */
TRM_API TRM_CHECKED trm_status trm_modes_find(trm_system *system, const trm_state *at,
                                              const trm_modes_options *options, trm_modes **result,
                                              trm_error *err);

/** Number of modes found, at most the requested number. */
TRM_API int trm_modes_count(const trm_modes *modes);

/** Mode i, 0 .. count-1; its arrays live until trm_modes_free. */
TRM_API trm_mode trm_mode_at(const trm_modes *modes, int i);

/** "dense" or "sparse". */
TRM_API const char *trm_modes_method(const trm_modes *modes);

/** A sentence about effects of rotating bodies that the modes do not contain; "" if none. Valid
 *  until trm_modes_free. */
TRM_API const char *trm_modes_note(const trm_modes *modes);

/** The state about which the system was linearized. */
TRM_API const trm_state *trm_modes_state(const trm_modes *modes);

/** Free modes, not the system. Accepts NULL. */
TRM_API void trm_modes_free(trm_modes *modes);

/* --- eigenvalues along a motion -------------------------------------------------------- */

/** Eigenvalues at a series of states, followed from one to the next by their shapes. Away from
 *  equilibrium they depend on the coordinates: they describe the matrix of a Newton iteration, not
 *  the stability of the motion. */
typedef struct trm_branches trm_branches;

/** One eigenvalue of a branch. */
typedef struct trm_branch_point {
  int    branch; /**< number of the branch, from 0                                       */
  double t;      /**< time of the state                                                  */
  double re, im; /**< eigenvalue, in 1/time unit of the system; im is not negative       */
  double mac;    /**< modal assurance criterion of its shape with that at the previous state, 0
                      .. 1; NaN at the first point */
} trm_branch_point;

/** Change of a branch between two states. */
typedef enum trm_branch_change {
  TRM_BRANCH_BORN,  /**< it begins: no earlier branch has a similar shape                */
  TRM_BRANCH_ENDED, /**< it ends: no mode has a similar shape                            */
  TRM_BRANCH_SPLIT, /**< a pair of complex eigenvalues became two real ones: `branch` and
                         `other`, which begins or had joined it                          */
  TRM_BRANCH_JOINED /**< two real ones became a pair: `branch` continues, `other` ends   */
} trm_branch_change;

/** A change of branches just before the state at t. */
typedef struct trm_branch_note {
  double            t;
  trm_branch_change change;
  int               branch, other; /**< numbers from 0; other is -1 if there is none       */
} trm_branch_note;

/** Begin to follow eigenvalues.
 *  @param options of the computation of modes at each state; copied, its strings must outlive the
 *  result
 *  @return TRM_OK, TRM_ERR_INPUT or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_branches_create(const trm_modes_options *options,
                                                   trm_branches **result, trm_error *err);

/** Find the modes at one more state and continue the branches with them. A state that is not later
 *  than the last one is skipped.
 *  @param system  as for trm_modes_find; the same in all calls, or an instance of it
 *  @param at      a consistent state with its accelerations and multipliers
 *  @return as trm_modes_find */
TRM_API TRM_CHECKED trm_status trm_branches_add(trm_branches *branches, trm_system *system,
                                                const trm_state *at, trm_error *err);

/** Number of branches so far. */
TRM_API int trm_branches_count(const trm_branches *branches);

/** All points in order of time.
 *  @param points  receives the list, which lives until the next trm_branches_add
 *  @return their number */
TRM_API long trm_branches_points(const trm_branches *branches, const trm_branch_point **points);

/** All changes in order of time, as trm_branches_points. */
TRM_API long trm_branches_notes(const trm_branches *branches, const trm_branch_note **notes);

/** Accepts NULL. */
TRM_API void trm_branches_free(trm_branches *branches);

/* --- linear models ------------------------------------------------------------------- */

/** Options of the linearization. Zero or NULL means the default given in each line. */
typedef struct trm_linear_options {
  unsigned    tag;    /**< set by trm_linear_options_default                            */
  double      start;  /**< time of the model [s] if no state is given; NaN (default): as
                           the system says                                              */
  const char *solver; /**< as of trm_options; "auto"                                    */
  trm_allocator allocator;
} trm_linear_options;

/** Options with all defaults. */
TRM_API trm_linear_options trm_linear_options_default(void);

/** A system to first order about a state, y' = A y + B du, d(outputs) = C y + D du. y contains
 *  changes of independent coordinates and velocities, as many as the system has degrees of freedom,
 *  and of its first-order states; du changes of all inputs. */
typedef struct trm_linear_model trm_linear_model;

/** The four matrices, row by row, owned by the linear model. */
typedef struct trm_matrices {
  const double *A; /**< [n n]         */
  const double *B; /**< [n nu]        */
  const double *C; /**< [noutputs n]  */
  const double *D; /**< [noutputs nu] */
} trm_matrices;

/** Meaning of a component of y. */
typedef struct trm_linear_unknown {
  trm_quantity list; /**< TRM_Q: increment of a position, of rotations in body axes; TRM_V, TRM_X */
  int          index; /**< of the velocity, also for TRM_Q; of the state                    */
} trm_linear_unknown;

/** Linearize about a state. This is also exact for a moving system; A and B are then those of this
 *  instant. At rest the eigenvalues of A are those of trm_modes_find. Discrete values are constant.
 *  @param system   read during the call, and as long as the result lives. A system with memory and
 *                  a state: trm_sim_system or trm_static_system, not used elsewhere meanwhile
 *  @param at       a consistent state; read during the call. NULL: the assembled start
 *  @param options  read during the call
 *  @param result   receives the linear model; NULL on failure
 *  @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_MEMORY, TRM_ERR_SINGULAR, TRM_ERR_NOT_FINITE,
 *          TRM_ERR_ASSEMBLY, or what the system returns */
TRM_API TRM_CHECKED trm_status trm_linear_model_find(trm_system *system, const trm_state *at,
                                                     const trm_linear_options *options,
                                                     trm_linear_model **result, trm_error *err);

/** Length n of y: positions first, then velocities, then states. */
TRM_API int trm_linear_model_size(const trm_linear_model *model);

/** The matrices; they live until trm_linear_model_free. */
TRM_API trm_matrices trm_linear_model_matrices(const trm_linear_model *model);

/** Meaning of component i of y. */
TRM_API trm_linear_unknown trm_linear_model_unknown(const trm_linear_model *model, int i);

/** Name of component i: that of the coordinate, velocity or state; "int(crank.wx)" of a rotation
 *  increment. */
TRM_API void trm_linear_model_label(const trm_linear_model *model, int i, trm_label *label);

/** The state about which the system was linearized. */
TRM_API const trm_state *trm_linear_model_state(const trm_linear_model *model);

/** Poles: eigenvalues of A in 1/time unit of the system, those of least magnitude first.
 *  @param re  receives the real parts       [n of trm_linear_model_size]
 *  @param im  receives the imaginary parts  [n]
 *  @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_MEMORY, TRM_ERR_NOT_FINITE */
TRM_API TRM_CHECKED trm_status trm_linear_model_poles(const trm_linear_model *model, double *re,
                                                      double *im, trm_error *err);

/** Zeros from an input to an output, those of least magnitude first: where [A - s, b; c, d] is
 *  singular. They include poles that the input does not excite or the output does not contain.
 *  @param count receives their number, -1: the input has no effect on the output
 *  @param re     receives the real parts       [n of trm_linear_model_size]
 *  @param im     receives the imaginary parts  [n]
 *  @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_MEMORY, TRM_ERR_NOT_FINITE */
TRM_API TRM_CHECKED trm_status trm_linear_model_zeros(const trm_linear_model *model, int input,
                                                      int output, int *count, double *re,
                                                      double *im, trm_error *err);

/** Frequency response C (i omega - A)^-1 B + D, row by row: outputs over inputs. At a pole it is
 *  infinite, or limited by rounding.
 *  @param omega  angular frequency, in rad/time unit of the system; 0: the gain at rest
 *  @param re     receives the real parts       [noutputs nu]
 *  @param im     receives the imaginary parts  [noutputs nu]
 *  @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_linear_model_response(const trm_linear_model *model,
                                                         double omega, double *re, double *im,
                                                         trm_error *err);

/** Free a linear model, not the system. Accepts NULL. */
TRM_API void trm_linear_model_free(trm_linear_model *model);

/* --- integrators --------------------------------------------------------------------- */

/** Effect of an integrator on the vibration q'' + omega^2 q = 0 with a fixed step h: the roots of
 *  its recurrence are exp((-damping +- i) omega' h). */
typedef struct trm_amplification {
  double omega_h;         /**< omega h                                                      */
  double spectral_radius; /**< infinite if numbers overflow within a few steps              */
  double damping;         /**< of the root that decays most slowly; NaN if the radius is infinite */
  double period_error;    /**< omega/omega' - 1; NaN without oscillation or if the radius is
                               infinite                                                     */
} trm_amplification;

/** Measure the amplification of an integrator by runs of its code.
 *  @param options  integrator, formulation and coefficients; end and steps are not read
 *  @param omega_h  frequency times step, greater than 0
 *  @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_MEMORY, or what the run returns */
TRM_API TRM_CHECKED trm_status trm_amplification_find(const trm_options *options, double omega_h,
                                                      trm_amplification *out, trm_error *err);

#ifdef __cplusplus
}
#endif
#endif
