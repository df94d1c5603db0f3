/* equations_internal.h - shared by the files of typed equations, and the basis for elements.
 *
 * equations.c evaluates a compiled model (trmi_equations), equations_names.c resolves names,
 * equations_read.c turns texts into nodes, equations_derive.c nodes into equations of motion and
 * blocks, all three on a trmi_compiler. */
#ifndef TRMI_EQUATIONS_INTERNAL_H
#define TRMI_EQUATIONS_INTERNAL_H
#include "assembly/assembly.h"
#include "expr/tape.h"
#include "expr/vector.h"
#include "equations/equations.h"

/* Symbols, in the order of their slots. */
typedef enum trmi_input {
  TRMI_IN_TIME, TRMI_IN_Q, TRMI_IN_V, TRMI_IN_VD, TRMI_IN_LAM, TRMI_IN_MU, TRMI_IN_X, TRMI_IN_XD,
  TRMI_IN_W,
  TRMI_IN_MEMORY, /* of angles of joints and laws of motions (laws.c), numbers fixed at the start */
  TRMI_IN_LOAD, /* quantities of other contributors and their derivatives: added when named */
  TRMI_IN_BIAS, /* of the velocities of followers, see followers.h */
  TRMI_IN_INPUT, TRMI_IN_INPUT_RATE, /* of the model, set by the caller */
  TRMI_IN_U, TRMI_IN_Y, TRMI_IN_YA, /* the vectors of trm_block_request */
  TRMI_IN_Z,                        /* conditions add values            */
  TRMI_INPUT_LISTS
} trmi_input;

/* Groups of results: values first, then one group for each block. */
typedef enum trmi_result {
  TRMI_RESULT_MOTION, TRMI_RESULT_G, TRMI_RESULT_G_RATE, TRMI_RESULT_G_BIAS, TRMI_RESULT_A_RATE,
  TRMI_RESULT_A_BIAS, TRMI_RESULT_D, TRMI_RESULT_W, TRMI_RESULT_EVENTS, TRMI_RESULT_OUTPUTS,
  TRMI_RESULT_ENERGY,
  TRMI_RESULT_POWERS,
  TRMI_RESULT_SET, /* new values at events                             */
  TRMI_RESULT_EVENT_RATES, /* rates of the functions of events         */
  TRMI_RESULT_ANGLE, /* angles over full turns, and their rates        */
  TRMI_RESULT_MEMORY, /* memory, at the start                          */
  TRMI_RESULT_LAW,   /* velocities and accelerations of motions        */
  TRMI_RESULT_EVENT_SLOPES, /* of events: change along a fixed direction */
  TRMI_RESULT_SHOWN, /* variables that are expressions                 */
  TRMI_RESULT_RECORDED, /* loads of elements                           */
  TRMI_RESULT_GAP,   /* of stops: gaps, their first and second rates   */
  TRMI_RESULT_SLIP,  /* of dry friction: speeds, their rates, speed of reversal */
  TRMI_RESULT_REMARK_CONDITIONS, /* conditions of remarks             */
  TRMI_RESULT_MARK,  /* of laws of time: x and its rate                */
  TRMI_RESULT_FOLLOWED, /* forces on followers                         */
  TRMI_RESULT_PULSE, /* free laws of time, see equations_pulses.c      */
  TRMI_RESULT_ETA,   /* deformations of stiff forces                   */
  TRMI_RESULT_BLOCKS,
  TRMI_RESULTS = TRMI_RESULT_BLOCKS + TRM_BLOCKS
} trmi_result;

/* One result; row and col are for blocks. */
typedef struct trmi_entry {
  trmi_node node;
  int       group, row, col, slot;
} trmi_entry;

/* An assignment of an event: entry `entry` of TRMI_RESULT_SET goes to this place of the state. */
typedef struct trmi_assignment {
  trmi_input list; /* Q, V, X or Z */
  int        index, entry;
} trmi_assignment;

typedef enum trmi_event_trigger { TRMI_WHEN, TRMI_EVERY, TRMI_SIGN, TRMI_PIECE } trmi_event_trigger;

/* An event of the model, or the end of the validity of a held condition. */
typedef struct trmi_event {
  trmi_event_trigger trigger;
  trm_event_info  info;
  int             z;             /* EVERY: next time; SIGN, PIECE: the held value */
  double          first, period; /* EVERY; first is NaN if it was not given       */
  double          origin;        /* EVERY: time of the first one in this run      */
  const trmi_spline *curve;      /* PIECE                                         */
  int             set, nset;     /* in `assignments`                              */
  trmi_place      place;         /* SIGN, PIECE: of the condition in the text     */
  trmi_node       vanishes;      /* SIGN: a node with the same zeros, or 0        */
  char            object[TRM_OBJECT_MAX]; /* SIGN: its object; empty: the text    */
  bool            is_continuous; /* SIGN: causes a kink at most                   */
  trmi_node       size;          /* WHEN: size of the compared numbers, or 0      */
  bool            has_rate;      /* depends only on quantities with known rates   */
  double          turned_at;     /* time of the last change, which rounding must not undo */
} trmi_event;

/* A motion given by its velocity or acceleration, number i of TRMI_RESULT_LAW; see laws.c. Its
 * memory: time, position, velocity at the last step, and the same at the present time. */
typedef struct trmi_law {
  int  memory; /* first of six numbers of TRMI_IN_MEMORY */
  bool is_acceleration;
} trmi_law;
enum { TRMI_LAW_NOW = 3, TRMI_LAW_MEMORY = 6 };

/* Numbers of TRMI_IN_MEMORY for an angle over full turns: its reference (2) at the present time;
 * angle, first and second rate and time at the last step. TRMI_RESULT_ANGLE has four successive
 * entries for each: angle, rates, and the squared length, at most one, of its direction; their row
 * is the first of these numbers. */
enum {
  TRMI_ANGLE_NOW, TRMI_ANGLE_THEN, TRMI_ANGLE_RATE, TRMI_ANGLE_BEND, TRMI_ANGLE_TIME,
  TRMI_ANGLE_MEMORY, TRMI_ANGLE_ENTRIES = 4
};

/* A coordinate that must stay in its range, such as the parameter of a table. */
typedef struct trmi_range trmi_range;
struct trmi_range {
  int    q;
  double low, high;
  char   object[TRM_OBJECT_MAX]; /* whose it is */
  trmi_range *next;
};

typedef struct trmi_remark trmi_remark; /* remarks.h */

/* Six numbers computed by another contributor; see equations_quantities.c. */
enum { TRMI_QUANTITY = 6 };
typedef struct trmi_quantity {
  const char *of;          /* name of the contributor                              */
  int         set;         /* number of the set there                              */
  int         contributor; /* its index in the assembly                            */
  int         ncolumns;
  int         value;       /* first of its numbers in `loads`                      */
  int         derivative;  /* first of 6 x ncolumns there; -1: not needed          */
  uint64_t    groups, derivative_groups; /* of results that need them              */
  uint64_t    half_groups[2]; /* and the first or last three of them               */
} trmi_quantity;

typedef struct trmi_followers trmi_followers; /* followers.h */

/* Compiled expressions: the contributor that evaluates them on a tape. */
typedef struct trmi_equations {
  trmi_arena  arena;       /* contains everything, including this struct       */
  trmi_contributor_ops ops; /* trmi_equations_ops without unused functions     */
  bool        is_alone;    /* the only contributor: it owns all rows           */
  trmi_watched at;         /* its first event, gap and slip                    */
  const char **files;      /* for messages of evaluation                       */
  int         nfiles;
  trm_unit_names units;    /* as trmi_units_name gives them                    */
  double     *parameters;  /* their values, live numbers of the tape           */
  trm_sizes   n;
  int         nstates;     /* typed ones and those of nodes, first in n.nx */
  trm_label  *labels[TRM_LISTS];
  trmi_tape   tape;
  int         first[TRMI_INPUT_LISTS + 1]; /* slots of the inputs                   */
  trmi_entry *entries;                /* by groups, in the order of patterns   */
  int         group[TRMI_RESULTS + 1]; /* first entry of each                  */
  uint64_t    filled; /* bits of the groups with entries                       */
  trmi_event *events;
  trmi_assignment *assignments;
  int         used[TRMI_INPUT_LISTS][2];   /* first and end of the used range */
  uint64_t    users[TRMI_INPUT_LISTS];     /* groups that use a list                 */
  int         nq;
  int        *rotation;               /* first rate of each rotation    [nrot] */
  bool        has_power;              /* elements may supply power             */
  bool        has_sizes;              /* of conditions, in TRMI_RESULT_EVENT_SLOPES */
  struct trmi_marked *marked;         /* laws of the time            [nmarked] */
  int         nmarked;
  int         npulses;                /* free laws of the time                 */
  double     *pulse_times;            /* where they begin to change [npulse_times of pulse_room] */
  int         npulse_times, pulse_room;
  trmi_remark *remarks;               /* a list; NULL: none                    */
  trmi_remark *conditional_remarks;   /* those that depend on the start, in the order of
                                         TRMI_RESULT_REMARK_CONDITIONS           */
  int nlate;                          /* late ones of these that do not hold yet */
  double     *memory;                 /* values of TRMI_IN_MEMORY      [nmemory] */
  int         nmemory;
  double     *loads;                  /* numbers of quantities         [nloads] */
  int         nloads;
  trmi_quantity *quantities;
  int         nquantities;
  uint64_t    load_groups;            /* groups of results that need quantities */
  trmi_assembly *assembly;            /* its owner, whose contributors compute them */
  trmi_followers *followers;          /* NULL: none                             */
  double     *bias, *rows;            /* of followers; rows of motion with them */
  size_t      rows_size;              /* in bytes                               */
  trmi_range *ranges;                 /* a list; NULL: none                    */
  char      (*angles)[TRM_OBJECT_MAX]; /* whose angles are counted, "joint 'pin'" */
  trmi_law   *laws;
  int         nlaws;
  double      *q, *v, *x, *w, *z, *u, *ud; /* start                            */
  bool        *given_q, *given_v;     /* given, not only guessed          [nv] */
} trmi_equations;

extern const trmi_contributor_ops trmi_equations_ops;

/* Expressions are the last contributor of an assembly. */
static inline trmi_equations *trmi_equations_of(const trmi_assembly *a) {
  return a->list[a->count - 1].self;
}

/* --- equations.c, of a compiled model ------------------------------------------ */

/* Copy the inputs of a state to the tape, with the quantities that these groups of results need. */
trm_status trmi_equations_at(trmi_equations *eq, const trm_state *s, uint64_t groups,
                             trm_error *err);
/* The same for blocks, and run these groups. */
trm_status trmi_equations_request(trmi_equations *eq, const trm_state *s,
                                  const trm_block_request *request, uint64_t groups,
                                  trm_error *err);
/* Copy the results of a group; returns zero, or NaN if one of them is not finite. */
double trmi_equations_gather(const trmi_equations *eq, int group, double *out);
/* Report the expression of these groups that could not be computed, with its text position. */
trm_status trmi_equations_blame(const trmi_equations *eq, uint64_t groups, trm_error *err);
/* Limit of the rounding of the function of event i, which has been evaluated. */
double trmi_event_near(const trmi_equations *eq, int i);
/* Angles over full turns at the start of a step; the tape has the inputs at the time t. */
void trmi_angles_remember(trmi_equations *eq, double t);

/* --- equations_instance.c: a copy for one simulation; NULL: out of memory --------- */

trmi_equations *trmi_equations_instance(const trmi_equations *origin,
                                        const trm_allocator *allocator);

/* --- equations_events.c: of trmi_contributor_ops ----------------------------------- */

trm_status trmi_equations_start(void *self, trm_state *s, trm_error *err);
trm_status trmi_equations_settle(void *self, trm_state *s, bool *changed, trm_error *err);
trm_status trmi_equations_react(void *self, int i, trm_state *s, trm_error *err);

/* A name of the model and its meaning. */
typedef struct trmi_name {
  trmi_key       key;
  trmi_input     list;
  int            index;
  trmi_dimension dimension; /* of the quantity itself; its rates follow */
} trmi_name;

/* A growing list in an arena. */
typedef struct trmi_entries {
  trmi_entry *list;
  int         count, size;
} trmi_entries;

/* The side of Newton's law that an expression belongs to. If the unit of force is not that of mass
 * times acceleration, numbers of both sides must not be mixed. */
typedef enum trmi_balance_side {
  TRMI_BALANCE_NONE,
  TRMI_BALANCE_INERTIA,
  TRMI_BALANCE_FORCE
} trmi_balance_side;

/* Meaning of a number of the configuration: a coordinate with its velocity, or a component of a
 * quaternion with three rates from `v` on. */
typedef struct trmi_place_of_q {
  int v;
  int part; /* 0: coordinate; 1..4: of a quaternion, scalar first */
} trmi_place_of_q;

/* Counts of numbers added by elements. In q and v bodies follow the typed coordinates, in w and mu
 * they follow the typed ones; rows of g begin with `native_rows`, those of contributors that work
 * with numbers, then rows that elements build from nodes, then typed ones. */
typedef struct trmi_additions {
  int nq, nv, nrot, native_rows, rows, rolling_rows, variables, memories, laws;
  int node_states; /* with rows of nodes: they come after the typed ones */
  int states;    /* of contributors: they come after both */
  int followers; /* bodies only on the tape: their numbers come after all others, in q and v */
} trmi_additions;

typedef struct trmi_compiler trmi_compiler;

/* Callbacks of elements while a model is compiled; see src/mechanism. */
typedef struct trmi_extension {
  void          *self;
  trmi_additions add;
  /* Labels of all added numbers, places of q, rotations; starts and nodes are created by `read`. */
  void (*declare)(void *self, trmi_compiler *b);
  /* Nodes of rows, forces and variables, start values, and contributors to b->assembly. */
  void (*read)(void *self, trmi_compiler *b);
  /* After all expressions are read: angles in use (TRMI_RESULT_ANGLE). */
  void (*finish)(void *self, trmi_compiler *b);
  /* Names with dots and measures, for trmi_scope. */
  bool (*name)(void *self, trmi_compiler *b, const char *name, size_t length, int primes,
               trmi_place place, trmi_meaning *out);
  bool (*is_measure)(void *self, const char *name, size_t length);
  bool (*measure)(void *self, trmi_compiler *b, const trmi_measure_call *call, trmi_meaning *out);
  const char *(*known)(void *self, int i);
} trmi_extension;

/* One derivative by a retract increment or by another unknown. */
typedef struct trmi_derivative {
  int       col;
  trmi_node value;
} trmi_derivative;

/* An unknown that a quantity depends on; for TRMI_IN_Q: a retract increment. */
typedef struct trmi_dependence {
  trmi_input list; /* TIME, Q, V or LAM */
  int        col;
} trmi_dependence;

/* A set of six numbers that a contributor offers. */
typedef struct trmi_quantity_def {
  const char *of;     /* name of the contributor, a constant      */
  int         set;
  const char *object; /* for messages, "force 'bush'"             */
  const trmi_dependence *columns;
  const bool *is_zero; /* derivatives that are always zero [6 ncolumns]; NULL: none */
  int         ncolumns;
  int         rate;   /* the quantity that is its rate; -1: by (1) of equations_quantities.c */
} trmi_quantity_def;

/* The same once it has been named. */
typedef struct trmi_offered {
  trmi_quantity at_work;
  char          object[TRM_OBJECT_MAX];
  const trmi_dependence *columns;
  const bool   *is_zero;
  int           rate;
  trmi_node     value, derivative; /* first symbols             */
  trmi_place    place;             /* where it was first named  */
  bool          is_refused;
} trmi_offered;

/* A variable as its expression, with other variables substituted. */
typedef struct trmi_expanded_variable {
  enum { TRMI_UNREAD, TRMI_IN_WORK, TRMI_READ } state;
  bool           is_good; /* false: it depends on itself */
  trmi_node      node;
  trmi_dimension dimension;
} trmi_expanded_variable;

/* A stop: it pushes when the gap is negative. */
typedef struct trmi_gap trmi_gap;
struct trmi_gap {
  trmi_node node;
  char      name[48], object[TRM_OBJECT_MAX];
  trmi_gap *next;
};

/* Dry friction: components of the speed of sliding, and the speed of its reversal. */
typedef struct trmi_slip_def trmi_slip_def;
struct trmi_slip_def {
  trmi_node      speed[3]; /* 0: none */
  trmi_node      band;     /* speed up to which the force reverses */
  double         scale;    /* scale of lengths                       */
  char           name[48], object[TRM_OBJECT_MAX];
  trmi_slip_def *next;
};

/* Data while a model is compiled. */
struct trmi_compiler {
  const trmi_extension  *extension; /* NULL: only typed equations              */
  const trmi_definition *def;
  trmi_parameters       *parameters;
  trmi_complaints       *complaints;
  trmi_equations        *eq;
  trmi_assembly         *assembly;
  trmi_arena             scratch;
  trmi_graph             graph;
  trmi_walk              walk;
  trmi_scope             scope;
  trmi_name             *names; /* sorted, without parameters                  */
  int                    nnames;
  trmi_node              first[TRMI_INPUT_LISTS]; /* node of the first symbol       */
  const char            *known; /* the text being read, "the potential"        */
  unsigned               allowed; /* bits of trmi_input that are allowed there */
  trmi_balance_side      side;    /* and the side it belongs to                 */
  trmi_dimension         dimension; /* of the expression read last             */
  int                    nz, nz_size; /* discrete values so far; capacity       */
  trmi_event            *events; /* of the model, then held conditions          */
  trmi_node             *function; /* function of each event                    */
  trmi_node             *held_z;   /* symbol of its held value                  */
  int                    nevents, nevents_size;
  trmi_expanded_variable *written; /* of variables                 [nvariables] */
  trmi_meaning          *outputs; /* outputs read so far, for expressions of later ones */
  int                    noutputs;
  int                    depth;   /* of the variables being expanded            */
  bool                   is_lost; /* one of them depends on itself              */
  const trmi_spline    **curves; /* of each table, three kinds each            */
  trmi_entries           entries;
  trmi_gap              *gaps;   /* of stops, a list; NULL: none                */
  int                    ngaps;
  struct trmi_mark      *marks;  /* of laws of time, a list; NULL: none         */
  trmi_slip_def         *slips;  /* of dry friction, a list; NULL: none         */
  int                    nslips;
  struct trmi_stiff_def *stiff;  /* forces, a list; NULL: none                  */
  trmi_offered          *offered; /* quantities that were named                 */
  int                    noffered, offered_size;
  int                   *load_owner; /* quantity of each number     [nloads]    */
  int                    nloads, loads_size;

  /* nodes of the equations */
  trmi_node kinetic, potential;
  trmi_node damper_power, friction_power; /* supplied by elements, parts of `force` */
  trmi_node kinetic_shown;  /* also if masses are given                         */
  trmi_entry *mass;         /* of the key `mass`, row <= col                    */
  int        nmass;
  trmi_node *mass_row;      /* p_i = dT/dv_i                      [nv_all]      */
  trmi_node *force;         /* of the key `forces`                [nv_all]      */
  trmi_node *right;         /* Q of system.h                      [nv_all]      */
  trmi_node *g, *a, *d, *w; /* rows                                             */
  trmi_place_of_q *place_of_q; /* with followers                  [nq_all]      */
  int        nq_all, nv_all;
  trmi_derivative *columns; /* of trmi_columns_of                               */
  int        ncolumns, columns_size;
};

/* --- equations_names.c --------------------------------------------------------- */

/* Number everything, make labels and symbols, find names that are used twice. */
void trmi_names_declare(trmi_compiler *b);
/* Evaluate in this scope; conditions are held between events unless `is_live`. */
void trmi_names_allow(trmi_compiler *b, const char *what, unsigned allowed, bool is_live);
const trmi_name *trmi_names_find(const trmi_compiler *b, const char *name, size_t length);
/* An output already read; false: there is none of this name. */
bool trmi_outputs_find(const trmi_compiler *b, const char *name, size_t length, trmi_meaning *out);

/* --- equations_watch.c --------------------------------------------------------- */

/* Add an event that watches a node; returns its number, or -1 if out of memory. */
int trmi_add_event(trmi_compiler *b, const trmi_event *event, trmi_node function);
/* The value that holds a condition: one with this trigger, curve and node, or a new one. */
trmi_node trmi_hold_condition(trmi_compiler *b, const trmi_event *condition, trmi_node watched);
/* A stop that pushes when the gap is negative: limits steps. Of an expression: name NULL. */
void trmi_add_gap(trmi_compiler *b, trmi_node gap, const char *name, const char *object);
/* Dry friction, copied: limits steps so that a reversal of its force is not missed. */
void trmi_add_slip(trmi_compiler *b, const trmi_slip_def *slip);

/* --- equations_units.c --------------------------------------------------------- */
/* The unit of a number of this dimension, for samples; none if unknown. */
void trmi_unit_of_label(const trmi_units *units, trmi_dimension dimension, trm_label *label);
trm_kind trmi_kind_of_load(trmi_dimension d); /* equations_names.c: of inputs, multipliers */

/* --- equations_read.c ---------------------------------------------------------- */
void trmi_equations_read(trmi_compiler *b);
/* equations_start.c: start values and scales of typed unknowns. */
void trmi_equations_read_start(trmi_compiler *b);

/* Purpose of an expression of an element, which determines the allowed names. */
typedef enum trmi_purpose {
  TRMI_FOR_FORCE,      /* positions, velocities, states, variables, time */
  TRMI_FOR_MOTION,     /* time: a law of positions                       */
  TRMI_FOR_SPEED,      /* time: a law of speeds                          */
  TRMI_FOR_ACCELERATION, /* time: a law of accelerations                 */
  TRMI_FOR_CONSTRAINT, /* positions and time                             */
  TRMI_FOR_ROLLING,    /* and velocities                                 */
  TRMI_FOR_VARIABLE,   /* and accelerations, reactions, states           */
  TRMI_FOR_DRAWING     /* everything, conditions evaluated directly      */
} trmi_purpose;

/* Node of an expression; 0 after a complaint. `unit` has the dimension required of a completely
 * typed expression; NULL: any. */
trmi_node trmi_read_expression(trmi_compiler *b, const trmi_text *text, trmi_purpose purpose,
                               const char *unit);

/* The default scale of a row of TRM_LAM or TRM_MU, whose expression was read last: one unit of SI,
 * of the rate of a position for TRM_MU as for TRM_LAM; 1 if its dimension is unknown. */
void trmi_scale_row(trmi_compiler *b, trm_quantity list, int row);

/* --- equations_drawn.c --------------------------------------------------------- */

/* Turn points of `show` into recorded numbers; check lines. */
void trmi_read_drawn(trmi_compiler *b);
/* Allocate labels of `count` more recorded numbers: the first of them. NULL: out of memory. */
trm_label *trmi_recorded_labels(trmi_equations *eq, int more);

/* --- equations_variables.c ----------------------------------------------------- */

/* After all is read: variables without a loop become their expressions. */
void trmi_variables_resolve(trmi_compiler *b);

/* --- equations_conditions.c ---------------------------------------------------- */

/* After that: evaluate conditions that need not be held directly. */
void trmi_conditions_resolve(trmi_compiler *b);

/* --- laws.c -------------------------------------------------------------------- */

/* Advance the laws to a time; discrete values are set. */
void trmi_laws_follow(trmi_equations *eq, double t);
/* The present time becomes the start of the next step. */
void trmi_laws_remember(trmi_equations *eq);

/* --- equations_derive.c -------------------------------------------------------- */

void trmi_equations_derive(trmi_compiler *b);
/* All derivatives of y by the unknowns of a list, ascending, in b->columns[0..ncolumns): valid
 * until the next call. For TRMI_IN_Q: by retract increments, nv columns. */
void trmi_columns_of(trmi_compiler *b, trmi_node y, trmi_input list);
/* dy/dt = sum dy/dp p' + partial dy/dt over the lists p whose rates are given; others, marked by
 * TRMI_IN_TIME, are constant. */
trmi_node trmi_rate_of(trmi_compiler *b, trmi_node y, const trmi_input rates[TRMI_INPUT_LISTS]);
void trmi_add_entry(trmi_compiler *b, int group, int row, int col, trmi_node node);

static inline trmi_node trmi_input_node(const trmi_compiler *b, trmi_input list, int i) {
  return b->first[list] + i;
}
static inline trmi_nodes3 trmi_input_nodes3(const trmi_compiler *b, trmi_input list, int i) {
  const trmi_node first = trmi_input_node(b, list, i);
  return (trmi_nodes3){first, first + 1, first + 2};
}
/* First typed row of g. */
static inline int trmi_typed_rows(const trmi_compiler *b) {
  return b->extension == NULL ? 0 : b->extension->add.native_rows + b->extension->add.rows;
}
/* List and index of a symbol. */
static inline trmi_input trmi_input_of(const trmi_compiler *b, trmi_node symbol) {
  return (trmi_input)(b->graph.nodes[symbol].tag % TRMI_INPUT_LISTS);
}
static inline int trmi_index_of(const trmi_compiler *b, trmi_node symbol) {
  return b->graph.nodes[symbol].tag / TRMI_INPUT_LISTS;
}

#endif
