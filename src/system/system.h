/* system.h - internals of a system: numbering, patterns, group, scales.
 *
 * Only this folder calls trm_system_ops for values and blocks. Integrators and analyses use
 * trm_system_values, the blocks below, and the group; the driver notifies trm_system_ops of the
 * start and of each step. */
#ifndef TRMI_SYSTEM_H
#define TRMI_SYSTEM_H
#include "core/arena.h"
#include "linalg/linear.h"
#include "linalg/sparse.h"
#include "trammel/system.h"
#include <stdatomic.h>

/* Unknowns that belong together: a body, a joint. */
typedef struct trmi_nodes {
  int  count;
  int *first; /* first unknown of node k, first[count] = size of the list */
} trmi_nodes;

/* kept_matrices.c */
typedef struct trmi_kept_matrix trmi_kept_matrix;

struct trm_system {
  const trm_system_ops *ops;
  void      *self;
  trmi_arena arena;       /* data with the lifetime of the system */
  trmi_arena epoch_arena; /* data valid until the patterns change */
  trm_sizes  n;
  int        nq;
  trm_unit_names units;
  int       *rot_v;       /* first v-index of each rotation, ascending    [nrot] */
  double     second;      /* one second, in the unit of time                     */
  double    *unit_v;      /* one metre where lengths are, one elsewhere   [nv]   */
  double    *scale_v;     /* scale of each                                [nv]   */
  double    *scale_x;     /*                                              [nx]   */
  double    *unit_x;      /* their usual size: of bristles one            [nx]   */
  int        nbristles;   /* states of friction: their rates are linear          */
  double    *scale_g;     /*                                              [ng]   */
  unsigned char *is_length; /* rows of G, then of A: lengths and speeds   [ng+na] */
  double    *scale_a;     /* of rows of (3) times one unit of time        [na]   */
  trm_system *origin;     /* of an instance; NULL: it is the system itself       */
  atomic_int *references; /* the caller's, and those of simulations and analyses */
  int        nsims;       /* simulations that use the system itself, at most one */
  int        changes;     /* values that were set in the system so far           */
  double    *lent_mass;   /* scratch of lent_mass.c; NULL: no masses are lent      [nv]   */
  bool       lacks_memory; /* elements with memory have not been started yet     */
  int        epoch;
  long       residuals;   /* evaluations of motion so far  */
  long       jacobians;   /* evaluations of blocks so far  */
  trmi_tally tally;       /* of all matrices of the system */
  trmi_kept_matrix *kept; /* matrices whose patterns may recur, newest first */

  /* of this epoch, written by pattern.c */
  trmi_sparse block[TRM_BLOCKS];
  bool        given[TRM_BLOCKS]; /* provided by the system; the others by differences */
  trmi_nodes  node_v, node_lam, node_mu, node_x, node_w;

  /* scratch of differences.c */
  trm_state probe;
  double   *probe_plus, *probe_minus, *probe_zero; /* longest list of values */
  double   *probe_v;

  /* scratch of rates.c, only if the system does not provide its rates */
  trm_state moved, unit;
  double   *unit_out, *unit_zero;      /* [nv] */
  double   *g_ahead, *g_behind;        /* [ng] */
  double   *rate_ahead, *rate_behind;  /* [max(ng, na)] */
};

/* instance.c: the system that a simulation or an analysis uses: an instance, the system itself if
 * it can be shared completely or not copied at all, or `sys` if that is already an instance. */
trm_status trmi_system_open(trm_system *sys, const trm_instance_options *options,
                            trm_system **out, trm_error *err);
/* Release the system returned by trmi_system_open. */
void trmi_system_close(trm_system *opened, trm_system *sys);
/* TRM_ERR_ORDER if a simulation uses the system itself. */
trm_status trmi_system_check_free(const trm_system *sys, trm_error *err);
/* TRM_ERR_ORDER if states of a simulation cannot be evaluated in the system itself. */
trm_status trmi_system_check_memory(const trm_system *sys, trm_error *err);

/* kept_matrices.c: free them. */
void trmi_kept_clear(trm_system *sys);

/* lent_mass.c: from now on trmi_system_blocks fills the diagonal of M for massless velocities,
 * until lent_mass is NULL again: for equilibria, where M only measures displacements.
 * @param scratch  must be valid during that time
 * @param is_whole  does every velocity now have a mass? If not, nothing is lent. */
trm_status trmi_system_lend_mass(trm_system *sys, const trm_state *s, trmi_arena *scratch,
                                 bool *is_whole, trm_error *err);
/* Fill the diagonal; called by trmi_system_blocks. */
void trmi_lent_mass_fill(trm_system *sys);

/* Start values, and the memory that belongs to them. */
trm_status trmi_system_start(trm_system *sys, trm_state *s, trm_error *err);

/* A state with room for everything, from an arena. */
void trmi_state_take(const trm_system *sys, trmi_arena *arena, trm_state *s);
void trmi_state_copy(const trm_system *sys, const trm_state *from, trm_state *to);
/* Set the time of s to t, and its inputs to those of `from` at that time: u + ud (t - from->t).
 * Every state inside or at the end of a step gets its time in this way. */
void trmi_state_at(const trm_system *sys, const trm_state *from, double t, trm_state *s);

/* Scales, from the labels. */
trm_status trmi_system_read_scales(trm_system *sys, trm_error *err);

/* Rows and columns of a block. */
int trmi_block_rows(const trm_sizes *n, trm_block block);
int trmi_block_cols(const trm_sizes *n, trm_block block);

/* complete_units.c: length, mass, time and force of SI, without composed units. */
trm_unit_names trmi_unit_names_basic(void);
/* Compose the names that are not given. */
void trmi_unit_names_complete(trm_unit_names *names);
/* Unit of a kind, or of its first or second derivative in time; "": none. */
const char *trmi_unit_of_kind(const trm_unit_names *names, trm_kind kind, int rate);

/* pattern.c: read the patterns of the system (again, at a new epoch). */
trm_status trmi_system_read_patterns(trm_system *sys, trm_error *err);
/* Do so if the epoch has changed; `is_new` receives whether it has. Plans for the old patterns must
 * then be rebuilt. */
trm_status trmi_system_follow(trm_system *sys, bool *is_new, trm_error *err);
/* After TRM_RETRY_PATTERN: the epoch must have changed. */
trm_status trmi_system_renew(trm_system *sys, trm_error *err);
/* Maximum number of attempts of one step that request other patterns. */
enum { TRMI_PATTERNS_MAX = 100 };
/* Allocate the values of a block for this epoch. */
trm_status trmi_system_want(trm_system *sys, trm_block block, trm_error *err);

/* Does a block have entries, or may it get some during a run? */
static inline bool trmi_system_may_fill(const trm_system *sys, trm_block block) {
  return sys->block[block].n > 0 || (sys->ops->asks_for_patterns && sys->given[block]);
}

/* A set of blocks, one bit each. */
typedef unsigned long long trmi_block_set;
#define TRMI_BIT(block) (1ULL << (block))

/* Fill the values of all blocks in the set (each must have been requested by trmi_system_want). The
 * vectors u, y, ya belong to MU_Q, GY_Q, AY_Q. */
trm_status trmi_system_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                              const double *u, const double *y, const double *ya,
                              trm_error *err);
/* The same for matrices that are `simplified`: weak entries need not be updated. */
trm_status trmi_system_strong_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                                     const double *u, const double *y, const double *ya,
                                     trm_error *err);

/* A rectangle of a block between unknowns of which those after the first `head` are modes: the
 * coupling of a mode with every other mode is weak, but not with the first unknowns, nor with
 * itself, unless the diagonal is also weak. */
typedef struct trmi_arrow {
  int  row, col, rows, cols, head;
  bool has_weak_diagonal;
  int  zero_rows, zero_cols; /* first unknowns of the head: zero in rows or columns of modes,
                                thus weak */
} trmi_arrow;

/* Declare such a rectangle, entries in the order of trmi_arrow_parts. Omitting an entry from the
 * matrix of an iteration costs iterations, not accuracy, but it must be small: couplings of modes
 * are small by the ratio of rates of rotation to frequencies. */
void trmi_pattern_arrow(trm_pattern *p, trm_block block, const trmi_arrow *at);

/* Order of the entries of an arrow: those that an iteration reads first, modes next to each other.
 * Modes are those after the first TRMI_ARROW_HEAD unknowns. */
enum { TRMI_ARROW_HEAD = 6 };
typedef struct trmi_arrow_parts {
  int     rows, cols, top, left; /* of the rectangle, and those of them that are no modes */
  double *head;  /* the first rows, row by row           [top][cols]                     */
  double *below; /* the first columns, column by column  [left][rows - top]              */
  double *own;   /* diagonal [rows - top]; NULL: in `rest`, as the diagonal is weak, too */
  double *rest;  /* other entries of modes, row by row                                   */
} trmi_arrow_parts;

static inline trmi_arrow_parts trmi_arrow_split(double *at, int rows, int cols, bool has_own) {
  const int top = rows < TRMI_ARROW_HEAD ? rows : TRMI_ARROW_HEAD;
  const int left = cols < TRMI_ARROW_HEAD ? cols : TRMI_ARROW_HEAD;
  trmi_arrow_parts parts = {.rows = rows, .cols = cols, .top = top, .left = left, .head = at};
  parts.below = at + top * cols;
  parts.rest = parts.below + left * (rows - top);
  if (has_own) parts.own = parts.rest, parts.rest += rows - top;
  return parts;
}

/* Copy a full matrix to its parts. */
void trmi_arrow_store(const trmi_arrow_parts *parts, const double *full);
/* The last `count` entries declared for a block are a run, see sparse.h. */
void trmi_pattern_run(trm_pattern *p, trm_block block, int count);
/* Declare a rectangle of weak entries. */
void trmi_pattern_weak(trm_pattern *p, trm_block block, int row, int col, int rows, int cols);
/* Allocate and fill G and A at a state. */
trm_status trmi_system_rows(trm_system *sys, const trm_state *s, trm_error *err);

/* differences.c: one block by central differences, dense, row by row. */
trm_status trmi_difference_block(trm_system *sys, const trm_state *s, trm_block block,
                                 const trm_block_request *request, double *dense, trm_error *err);
/* rates.c: g_rate, g_bias, a_bias if the system does not provide them. */
trm_status trmi_difference_rates(trm_system *sys, const trm_state *s, const trm_values *out,
                                 trm_error *err);
/* Allocate scratch for the above. */
void trmi_differences_take(trm_system *sys);
void trmi_rates_take(trm_system *sys);

/* group.c: for each rotation T(psi), T^-1(psi), 3x3 row major [nrot 9]; psi is the part of an
 * increment for that rotation. */
/* As trm_system_difference, but for rotations of more than half a turn: not the shortest rotation
 * vector but the one nearest to `near` [nv], an array other than dpi. */
void trmi_group_difference_near(const trm_system *sys, const double *q1, const double *q0,
                                const double *near, double *dpi);
void trmi_group_T(const trm_system *sys, const double *dpi, double *T);
void trmi_group_Tinv(const trm_system *sys, const double *dpi, double *Tinv);
/* y = T x on rotations, y = x elsewhere; x and y may be the same. */
void trmi_group_apply(const trm_system *sys, const double *T, const double *x, double *y);
/* Quaternions of q to length one. */
void trmi_group_normalize(const trm_system *sys, double *q);

#endif
