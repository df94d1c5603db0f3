/* system.h - a mechanical system for integrators and analyses.
 *
 *   q' = H(q) v                                        configuration, velocity
 *   M(q) v' + G(q,t)^T lam + A(q,t)^T mu = Q(q, v, x, w, z, u, t)   motion (1)
 *   g(q,t) = 0                                         holonomic rows      (2)
 *   A(q,t) v + b(q,t) = 0                              nonholonomic rows   (3)
 *   d(x', x, q, v, v', lam, w, z, u, t) = 0            first-order states  (4)
 *   w = W(q, v, v', x, x', lam, w, z, u, t)            variables           (5)
 *   z  discrete values, changed only at events;  u  inputs, set by the caller
 *
 * Q holds every velocity-quadratic inertia term. G is the derivative of g by the retract increment
 * dpi (nv columns): dg = G dpi + g_t dt. A coordinate is a scalar (a q, a v) or a rotation (unit
 * quaternion, scalar first, in q; angular velocity in body axes in v), in q and v in one order.
 *
 * A system is written as a table of functions (trm_system_ops) on a `self` of its own. Only sizes,
 * start and values are needed; missing derivatives are computed by differences. Life cycle:
 *   trm_system_create -> trm_sim_create (sim.h) -> trm_sim_run -> trm_sim_free -> trm_system_free.
 *
 * Each simulation and each analysis uses an instance of its own, a copy of all variable data
 * (`instance`, `shares_self`), so that several of one system may exist and run at the same time,
 * also in several threads: creating them only reads the system. All other calls on a system that is
 * not const change it: trm_system_set, trm_system_values. These must not overlap with each other or
 * with creating a simulation or an analysis. A system that offers neither `instance` nor
 * `shares_self` is used by one simulation at a time. */
#ifndef TRM_SYSTEM_H
#define TRM_SYSTEM_H
#include "trammel/instance.h"
#include "trammel/memory.h"
#include "trammel/status.h"
#include "trammel/units.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers of a system. All are zero or positive. */
typedef struct trm_sizes {
  int nv;       /**< velocities, also rows of motion (1)                        */
  int nrot;     /**< rotations among the coordinates; nq = nv + nrot            */
  int ng;       /**< holonomic rows (2), multipliers lam                        */
  int na;       /**< nonholonomic rows (3), multipliers mu                      */
  int nx;       /**< first-order states (4)                                     */
  int nw;       /**< variables (5) in loops; others are only expressions        */
  int nz;       /**< discrete values                                            */
  int nu;       /**< inputs                                                     */
  int nevents;  /**< event functions                                            */
  int noutputs; /**< named outputs                                              */
  int nshown;   /**< variables that are only expressions, for results           */
  int nstiff;   /**< deformations eta of stiff forces f = -B (K eta + C eta')   */
  int ngaps;    /**< gaps of stops and contacts                                 */
  int nslips;   /**< dry frictions whose force reverses within a small speed    */
  int nrecorded; /**< loads of elements recorded with samples                   */
} trm_sizes;

/** The lists of named numbers. */
typedef enum trm_quantity {
  TRM_Q, TRM_V, TRM_LAM, TRM_MU, TRM_X, TRM_W, TRM_Z, TRM_U, TRM_EVENT, TRM_OUTPUT, TRM_STIFF,
  TRM_GAP, TRM_SHOWN, TRM_SLIP, TRM_RECORDED, TRM_LISTS
} trm_quantity;

/** Physical kind of an unknown: its unit and default scale; bristles keep their value at rest. */
typedef enum trm_kind {
  TRM_KIND_NONE, TRM_KIND_METRE, TRM_KIND_RADIAN, TRM_KIND_MODAL, TRM_KIND_NEWTON,
  TRM_KIND_NEWTON_METRE, TRM_KIND_STATE, TRM_KIND_BRISTLE
} trm_kind;

/** Name of one number. `scale` is the scale in error tests (in the unit of the number itself; for
 *  coordinates that of TRM_V, where rotations have three; for rows of constraints that of their
 *  multipliers, for those of (3) times one unit of time). Zero means 1 m, in the unit of length of
 *  the system, for TRM_KIND_METRE and for the rows of multipliers of TRM_KIND_NEWTON; 1e-3 for
 *  TRM_KIND_MODAL; 1 for all others. */
typedef struct trm_label {
  char     name[48];               /**< unique in its list, "crank.x"       */
  char     object[TRM_OBJECT_MAX]; /**< the object for messages, "body 'crank'" */
  trm_kind kind;
  double   scale;
  char     unit[TRM_UNIT_MAX];     /**< of outputs, variables: "mm/s"; "": by kind */
} trm_label;

/** All numbers of a system at one instant. The arrays belong to whoever set them; a const state is
 *  not changed. */
typedef struct trm_state {
  double  t;   /**< time, in the unit of the system                */
  double *q;   /**< configuration                          [nq]    */
  double *v;   /**< velocity                               [nv]    */
  double *vd;  /**< acceleration v'                        [nv]    */
  double *lam; /**< multipliers of (2)                     [ng]    */
  double *mu;  /**< multipliers of (3)                     [na]    */
  double *x;   /**< first-order states                     [nx]    */
  double *xd;  /**< their rates x'                         [nx]    */
  double *w;   /**< variables                              [nw]    */
  double *z;   /**< discrete values                        [nz]    */
  double *u;   /**< inputs                                 [nu]    */
  double *ud;  /**< their rates, constant until they are set again [nu] */
} trm_state;

/** Request to `values`. NULL arrays are omitted; others are overwritten completely. */
typedef struct trm_values {
  double *motion;  /**< M v' + G^T lam + A^T mu - Q, from (1)       [nv]       */
  double *g;       /**< g                                           [ng]       */
  double *g_rate;  /**< G v + g_t                                   [ng]       */
  double *g_bias;  /**< d/dt(G v + g_t) - G v'                      [ng]       */
  double *a_rate;  /**< A v + b                                     [na]       */
  double *a_bias;  /**< d/dt(A v + b) - A v'                        [na]       */
  double *d;       /**< left side of (4)                            [nx]       */
  double *w;       /**< w - W                                       [nw]       */
  double *events;  /**< event functions                             [nevents]  */
  double *event_rates; /**< and their rates along the motion, by which two crossings in one step
                            are detected. NaN before the call; unknown ones remain NaN [nevents] */
  double *outputs; /**< named outputs                               [noutputs] */
  double *shown;   /**< variables that are only expressions         [nshown]   */
  double *recorded; /**< loads of elements                          [nrecorded] */
  double *gaps;    /**< of stops and contacts, positive while open: gap, first and second rate,
                        three successive numbers for each            [3 ngaps] */
  double *cuts;    /**< 1 if damping has cut off the force of a closed gap, a kink. Zero before
                        the call; unknown ones, and those with an event, remain zero [ngaps] */
  double *slips;   /**< of dry friction: three components of the speed of sliding, their rates,
                        and the speed up to which the force reverses: seven successive numbers
                        for each. The scale of their labels is a length [7 nslips] */
  double *eta;     /**< deformations of stiff forces                [nstiff]   */
  double *energy;  /**< kinetic, potential, power put in (J, W)     [3]        */
  double *powers;  /**< with `energy` only: its power by sources, zero if the
                        system does not separate them    [TRM_POWERS]          */
  int only_gap;    /**< 0: all numbers of all gaps. i + 1 (or -1): for gaps other than i (for all
                        gaps) only the first, and any positive number if clearly open. Optional */
} trm_values;

/** Separate sources of power; all others count as forces. */
typedef enum trm_power {
  TRM_POWER_MOTIONS,  /**< constraints that move                               */
  TRM_POWER_DAMPERS,  /**< dampers; negative while they dissipate              */
  TRM_POWER_FRICTION, /**< friction of joints                                  */
  TRM_POWERS
} trm_power;

/** Matrices of a system. Subscripts are partial derivatives; _Q means the
 *  retract increment (nv columns). In MU_Q, GY_Q, AY_Q the vector is given. */
typedef enum trm_block {
  TRM_M,      /**< M                               nv x nv       */
  TRM_MU_Q,   /**< d(M u)/dq                       nv x nv       */
  TRM_K,      /**< -dQ/dq                          nv x nv       */
  TRM_C,      /**< -dQ/dv                          nv x nv       */
  TRM_Q_X,    /**< dQ/dx                           nv x nx       */
  TRM_Q_W,    /**< dQ/dw                           nv x nw       */
  TRM_Q_U,    /**< dQ/du                           nv x nu       */
  TRM_Q_T,    /**< dQ/dt                           nv x 1        */
  TRM_G,      /**< G                               ng x nv       */
  TRM_GY_Q,   /**< d(G^T y)/dq                     nv x nv       */
  TRM_GV_Q,   /**< d(G v + g_t)/dq                 ng x nv       */
  TRM_GB_Q,   /**< d(g_bias)/dq                    ng x nv       */
  TRM_GB_V,   /**< d(g_bias)/dv                    ng x nv       */
  TRM_A,      /**< A                               na x nv       */
  TRM_AY_Q,   /**< d(A^T y)/dq                     nv x nv       */
  TRM_AV_Q,   /**< d(A v + b)/dq                   na x nv       */
  TRM_AB_Q,   /**< d(a_bias)/dq                    na x nv       */
  TRM_AB_V,   /**< d(a_bias)/dv                    na x nv       */
  TRM_D_XD,   /**< dd/dx'                          nx x nx       */
  TRM_D_X,    /**< dd/dx                           nx x nx       */
  TRM_D_Q,    /**< dd/dq                           nx x nv       */
  TRM_D_V,    /**< dd/dv                           nx x nv       */
  TRM_D_VD,   /**< dd/dv'                          nx x nv       */
  TRM_D_LAM,  /**< dd/dlam                         nx x ng       */
  TRM_D_W,    /**< dd/dw                           nx x nw       */
  TRM_D_U,    /**< dd/du                           nx x nu       */
  TRM_W_Q,    /**< dW/dq                           nw x nv       */
  TRM_W_V,    /**< dW/dv                           nw x nv       */
  TRM_W_VD,   /**< dW/dv'                          nw x nv       */
  TRM_W_X,    /**< dW/dx                           nw x nx       */
  TRM_W_XD,   /**< dW/dx'                          nw x nx       */
  TRM_W_LAM,  /**< dW/dlam                         nw x ng       */
  TRM_W_W,    /**< dW/dw                           nw x nw       */
  TRM_W_U,    /**< dW/du                           nw x nu       */
  TRM_STIFF_B, /**< B of the stiff forces          nv x nstiff   */
  TRM_STIFF_K, /**< their stiffness                nstiff x nstiff */
  TRM_STIFF_C, /**< their damping                  nstiff x nstiff */
  TRM_BLOCKS
} trm_block;

/** Request to `blocks`: values[b] is NULL, or has room for every entry declared for block b, in the
 *  order of declaration. */
typedef struct trm_block_request {
  double       *values[TRM_BLOCKS];
  const double *u; /**< vector of TRM_MU_Q  [nv] */
  const double *y; /**< vector of TRM_GY_Q  [ng] */
  const double *ya; /**< vector of TRM_AY_Q [na] */
  bool          is_strong; /**< for the library's own flexible bodies; ignored by others */
} trm_block_request;

/** Collects the sparsity patterns of a system, see trm_pattern_entry. */
typedef struct trm_pattern trm_pattern;

/** Declare one entry of a block. Repeated entries are summed. */
TRM_API void trm_pattern_entry(trm_pattern *p, trm_block block, int row, int col);
/** Declare a dense rectangle of a block, entries row by row. */
TRM_API void trm_pattern_dense(trm_pattern *p, trm_block block, int row, int col, int rows,
                               int cols);
/** Declare that a block is given, even without entries: it is then zero. Blocks not declared are
 *  computed by differences. */
TRM_API void trm_pattern_given(trm_pattern *p, trm_block block);
/** Declare that unknowns first .. first+count-1 of a list (TRM_V: a body;
 *  TRM_LAM, TRM_MU: a joint; TRM_X, TRM_W) belong together. Solvers treat them
 *  as one dense block. Unknowns not mentioned are nodes of their own. */
TRM_API void trm_pattern_node(trm_pattern *p, trm_quantity list, int first, int count);

/** Action when an event function crosses zero. */
typedef enum trm_event_kind {
  TRM_EVENT_SILENT,  /**< only located and reported                           */
  TRM_EVENT_RESTART, /**< `event` is called, the integrator restarts          */
  TRM_EVENT_STOP     /**< the run ends here, successfully                     */
} trm_event_kind;

/** At zero, as at a start: an expression is on neither side, x > 0 does not hold, x >= 0 does. */
typedef enum trm_event_edge { TRM_EDGE_NONE, TRM_EDGE_FALSE, TRM_EDGE_TRUE } trm_event_edge;

/** Kind and direction of an event: direction +1 rising only, -1 falling, 0 both. */
typedef struct trm_event_info {
  trm_event_kind kind;
  int            direction;
  bool           holds; /**< the condition of a discrete value holds while the function is
                             positive: leaving zero to the negative side also fires */
  trm_event_edge edge;
  double         every; /**< period, if it depends only on time: its function is t - next time */
} trm_event_info;

/** Limit of a step by a stop or contact that is about to close. */
typedef struct trm_step_limit {
  double h;     /**< time until then                */
  double speed; /**< closing speed at that time     */
  int    gap;   /**< its index, -1: none            */
  const double *gaps; /**< given: gap, rate and acceleration of all gaps at s [3 ngaps] */
} trm_step_limit;

/** Impacts on a gap: error of the speed over the speed before, factor of the length of steps. */
typedef struct trm_gap_info {
  double tolerance, stride;
  bool   keeps_speed; /**< its law keeps the speed that the last open state predicts */
} trm_gap_info;

/** A sentence about a part of a model that its user should read. */
typedef struct trm_remark {
  char object[TRM_OBJECT_MAX];  /**< "force 'd'"                   */
  char text[TRM_MESSAGE_MAX];   /**< the sentence */
} trm_remark;

/** Effect of setting a value. */
typedef enum trm_change {
  TRM_CHANGE_LIVE,      /**< used directly                                        */
  TRM_CHANGE_DERIVED,   /**< others are computed from it: inertia from a density  */
  TRM_CHANGE_STRUCTURAL /**< cannot be set; needs a new build                     */
} trm_change;

/** A named value of a system. */
typedef struct trm_value {
  const char *name;   /**< "strut.stiffness"                                      */
  const char *unit;   /**< of its dimension in SI, "N/m"; "" if any unit is allowed */
  double      number; /**< in the units of the model; NaN: it is an expression    */
  trm_change  change;
} trm_value;
struct trm_system_def; /**< see below */

/** The functions of a system. `self` is the pointer of the definition. A function that fails writes
 *  `err` (trm_fail below) and returns a status: a positive one, TRM_RETRY_DOMAIN, requests a
 *  smaller step. Entries marked optional may be NULL. */
typedef struct trm_system_ops {
  const char *name; /**< of the model, "slider-crank" */

  /** Fill in all sizes; called once, by trm_system_create. */
  void (*sizes)(const void *self, trm_sizes *n);

  /** v-index of the first rate of rotation i. Optional if nrot is zero. */
  int (*rotation)(const void *self, int i);

  /** Name number i of a list. Optional: "q3", "lam0" otherwise. */
  void (*label)(const void *self, trm_quantity list, int i, trm_label *label);

  /** Names of the units, if they are not SI. `names` has all SI units except derived ones, speed ..
   *  power, which are empty: those left empty are composed, "mm/ms", "N mm". For Hz in evaluations
   *  of run files, time is a unit of model files ("ms") or a multiple of one ("0.04 s"). Called
   *  once. Optional. */
  void (*units)(const void *self, trm_unit_names *names);
  /** The acceleration of free fall, in the units of the system, which trm_doctor_examine tests for
   *  a mistaken unit. Optional: none. */
  void (*gravity)(const void *self, double gravity[3]);
  /** Declare the blocks that `blocks` fills. Optional: all by differences. */
  void (*patterns)(const void *self, trm_pattern *p);

  /** Write t, q, v, x, w, z, u, ud at the start (all arrays are zero before, quaternions one).
   *  Guesses are completed: positions and velocities are projected onto the constraints, other
   *  unknowns are solved for. */
  trm_status (*start)(void *self, trm_state *s, trm_error *err);
  /** Is the start value of coordinate i (TRM_Q: position, TRM_V: velocity) given? Assembly then
   *  moves others if that is sufficient. Optional: all move equally. */
  bool (*is_given)(const void *self, trm_quantity list, int i);

  /** Update discrete values that depend on the state (sides of conditions); called after assembly
   *  and after events, with accelerations known. `changed` receives whether any did; then
   *  accelerations are solved for again. Optional. */
  trm_status (*settle)(void *self, trm_state *s, bool *changed, trm_error *err);

  /** Evaluate all lists that are not NULL in `out`. */
  trm_status (*values)(void *self, const trm_state *s, const trm_values *out, trm_error *err);

  /** False: the power of `energy` is always zero. Optional: true. */
  bool (*has_power)(const void *self);
  /** Remark i on the model, reported at the start of a run; NULL after the last. Optional. */
  const trm_remark *(*remark)(const void *self, int i);
  /** A remark caused by accepted steps, each once; NULL after the last. Optional. */
  const trm_remark *(*news)(void *self);

  /** The value that constraint row i prescribes for its coordinate at the start, as motions do: g =
   *  coordinate - value; NaN for other rows. Shown by trm_doctor_examine. Optional. */
  double (*asked)(const void *self, int row);

  /** True: `values` can give g_rate, a_bias, g_bias; false: they are differences of g, G, A. */
  bool gives_rates;
  /** `blocks` may request other patterns: requested blocks without entries are then not NULL. */
  bool asks_for_patterns;

  /** Fill the requested blocks. Optional if patterns is NULL. TRM_RETRY_PATTERN, if the system
   *  asks_for_patterns: a requested block needs entries that are not in its pattern at this state,
   *  and `epoch` has changed. Patterns are then read again and the attempt is repeated with the
   *  same step; this is not a rejection. From the start of a step to its acceptance a pattern may
   *  only grow. Patterns of M, G, A, also used outside attempts, change only at ends of steps and
   *  events. */
  trm_status (*blocks)(void *self, const trm_state *s, const trm_block_request *request,
                       trm_error *err);

  /** Kind and direction of event i. Optional: silent, both directions. */
  void (*event_info)(const void *self, int i, trm_event_info *info);
  /** React to event i of kind RESTART: may change q, v, x, z. Optional. */
  trm_status (*event)(void *self, int i, trm_state *s, trm_error *err);

  /** Before the attempts of a step, after its acceptance, after a rejection. Optional. */
  trm_status (*begin_step)(void *self, const trm_state *s, double h, trm_error *err);
  trm_status (*accept_step)(void *self, const trm_state *s, trm_error *err);
  void (*reject_step)(void *self);
  /** Before the attempts of a step from s: find the open stop or contact that closes first within
   *  limit->h, by gap, rate and acceleration, except those that would bounce by less than
   *  `tolerance` times the scale of their label. `limit` has h, gaps, gap -1. Optional: none. */
  trm_status (*step_limit)(void *self, const trm_state *s, double tolerance,
                           trm_step_limit *limit, trm_error *err);
  bool keeps_gaps; /**< gaps and cuts of a state are the same after begin_step and accept_step */
  /** How impacts on gap i are resolved; on entry `info` has the defaults. Optional. */
  void (*gap_info)(const void *self, int i, trm_gap_info *info);
  /** The first time after s->t at which a smooth law of time, such as STEP(time, ..), changes; it
   *  has passed within 1e-10 of it. Error-controlled steps end there. Optional: INFINITY. */
  trm_status (*next_mark)(void *self, const trm_state *s, double *mark, trm_error *err);
  bool (*is_pulse)(const void *self, double t); /**< steps after the mark t begin short; or NULL */
  /** A simulation from s to the time `end` is created: the system may prepare for it. Optional. */
  trm_status (*begin_run)(void *self, const trm_state *s, double end, trm_error *err);
  /** Elements with memory: accept a step that ends at s? A positive status retries with a smaller
   *  step, or ends a run with fixed steps. Optional. */
  trm_status (*test_step)(void *self, const trm_state *s, trm_error *err);
  /** Newton's method is about to change the states x: `change` may be limited if it skips a steep
   *  part of a law. True: it was limited, or another part of the law now applies. Optional. */
  bool (*cut_states)(void *self, const double *x, double *change);
  /** Changes of states x that solve their equations d = 0 at the motion of s, if xd grows with x by
   *  `slope`; `change` is zero before. `is_new`: a law has a new part. False: none. Optional. */
  bool (*match_states)(void *self, const trm_state *s, double slope, double *change, bool *is_new);
  /** Error of sliding at s over the permitted one, if q is off by `off`. Optional: 0. */
  double (*sliding_error)(void *self, const trm_state *s, double *off, double tolerance);
  /** A number that changes whenever the patterns change; asked at the start, after accepted steps,
   *  events and TRM_RETRY_PATTERN. Other sizes must be constant. Optional: constant. */
  int (*epoch)(const void *self);

  /** Save memory of elements (begin_step) into `data`, or load it: `size` bytes. Optional. */
  size_t (*memory_size)(const void *self);
  void (*memory_save)(const void *self, void *data);
  void (*memory_load)(void *self, const void *data);

  /** Values that can be set between simulations, trammel/values.h: how many, number i, the number
   *  of a name (-1: none), setting one. If setting fails, nothing is changed. Names live as long as
   *  the system. Optional: the system has none. */
  trm_status (*count_values)(void *self, int *count, trm_error *err);
  void (*value_at)(void *self, int i, trm_value *value);
  int (*find_value)(void *self, const char *name);
  trm_status (*set_value)(void *self, int i, double number, trm_error *err);
  /** If set_value refuses a value with TRM_ERR_INPUT: create a definition with that value, which
   *  replaces this one. An error status: the value is not valid there either. Optional. */
  trm_status (*compile_value)(void *self, int i, double number, struct trm_system_def *def,
                              trm_error *err);
  /** Derivatives with respect to value i at a fixed state, of the lists that are not NULL in
   *  `rates`: motion, g, g_rate, g_bias, a_rate, a_bias, d, w, outputs. Optional. */
  trm_status (*rate_value)(void *self, int i, const trm_state *s, const trm_values *rates,
                           trm_error *err);

  /** True: no function changes anything behind `self`, so that simulations may share it. */
  bool shares_self;

  /** A copy of `self` for one simulation, freed by `free`: its own scratch, memory, epoch, values.
   *  It has the sizes, labels and patterns of `self`, which outlives it, and does not change when
   *  values of `self` are set. Several threads may call it. Optional: one simulation at a time. */
  trm_status (*instance)(const void *self, const trm_instance_options *options, void **instance,
                         trm_error *err);

  /** Free `self`, or an instance of it. Optional. */
  void (*free)(void *self);
} trm_system_ops;

/** A system to be created: the tag is set by trm_system_def_default. */
typedef struct trm_system_def {
  unsigned              tag;
  const trm_system_ops *ops;
  void                 *self;      /**< freed by trm_system_free, also if create fails */
  trm_allocator         allocator; /**< memory functions of the system          */
} trm_system_def;

/** A system ready for use. */
typedef struct trm_system trm_system;

/** A definition with all fields at their defaults; ops and self must be set. */
TRM_API trm_system_def trm_system_def_default(void);

/** Check a definition and build the system: numbering, patterns, group, scales.
 *  @param def     read during the call; `self` is owned by the system from here on
 *  @param system  receives the system; NULL on failure
 *  @param err     receives the reason on failure; may be NULL
 *  @return TRM_OK, TRM_ERR_INPUT or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_system_create(const trm_system_def *def, trm_system **system,
                                                 trm_error *err);

/** Free a system and its `self`. Accepts NULL. */
TRM_API void trm_system_free(trm_system *system);

/** Sizes of a system; nq = nv + nrot. */
TRM_API const trm_sizes *trm_system_sizes(const trm_system *system);

/** Name of the system from its ops. */
TRM_API const char *trm_system_name(const trm_system *system);

/** Names of the units of a system; they live as long as it does. */
TRM_API const trm_unit_names *trm_system_units(const trm_system *system);

/** The acceleration of free fall, ground axes, in the units of the system; zero if there is none.
 *  @return does the system provide it? Typed equations contain it in their energies */
TRM_API bool trm_system_gravity(const trm_system *system, double gravity[3]);

/** Unit of a number of a system, "mm/s": that of its label, or the unit of its kind in its list; ""
 *  if it is a plain number or its unit is not known.
 *  @param list   of the number
 *  @param label  from trm_system_label; the result may point into it */
TRM_API const char *trm_system_unit(const trm_system *system, trm_quantity list,
                                    const trm_label *label);

/** Name number i of a list; complete even if the system has no `label`. */
TRM_API void trm_system_label(const trm_system *system, trm_quantity list, int i, trm_label *label);

/** Number of the entry with this name in a list (TRM_OUTPUT, TRM_U ..); -1: there is none. */
TRM_API int trm_system_find(const trm_system *system, trm_quantity list, const char *name);

/** Number of entries in a list, for example nq for TRM_Q. */
TRM_API int trm_system_count(const trm_system *system, trm_quantity list);

/** Move a configuration: q_out = q (+) dpi. Arrays may be the same.
 *  @param q      configuration, quaternions of length one   [nq]
 *  @param dpi    increment: sums, and rotation vectors in body axes [nv]
 *  @param q_out  receives the result, normalized            [nq] */
TRM_API void trm_system_retract(const trm_system *system, const double *q, const double *dpi,
                                double *q_out);

/** The increment that moves q0 to q1: retract(q0, dpi) = q1. */
TRM_API void trm_system_difference(const trm_system *system, const double *q1, const double *q0,
                                   double *dpi);

/** Evaluate a system at a state, with rates by differences where not given. A system with memory
 *  (angles over full turns, lengths fixed at the start) can be evaluated only in the owner of that
 *  memory, trm_sim_system or trm_static_system.
 *  @return TRM_OK, TRM_ERR_ORDER (the system has memory, see above), or what the system returns */
TRM_API TRM_CHECKED trm_status trm_system_values(trm_system *system, const trm_state *s,
                                                 const trm_values *out, trm_error *err);

/** The worst disagreement found by trm_system_check_blocks. */
typedef struct trm_block_check {
  trm_block block;      /**< the worst block                                 */
  int       row, col;   /**< the worst entry                                 */
  double    given;      /**< given by the system                             */
  double    difference; /**< by central differences                          */
  double    error;      /**< |given - difference| / (1 + largest |entry|) of that block */
} trm_block_check;

/** Compare every given block with central differences at a state. An entry outside the declared
 *  pattern counts as zero.
 *  @param worst  receives the worst entry of each block, error 0 where none is given [TRM_BLOCKS]
 *  @return TRM_OK, or what the system returns */
TRM_API TRM_CHECKED trm_status trm_system_check_blocks(trm_system *system, const trm_state *s,
                                                       trm_block_check worst[TRM_BLOCKS],
                                                       trm_error *err);

/** Short name of a block, "GY_Q". */
TRM_API const char *trm_block_name(trm_block block);

/** Write an error and return its status; `object`: the one responsible, "body 'crank'", or NULL. */
TRM_API trm_status trm_fail(trm_error *err, trm_status status, const char *object,
                            const char *sentence);

#ifdef __cplusplus
}
#endif
#endif
