/* system.h - the inside of a system: numbering, patterns, group, scales.
 *
 * Only this folder asks trm_system_ops for values and blocks. Integrators and
 * analyses use trm_system_values, the blocks below, and the group; what happens at
 * the start and with each step is passed to trm_system_ops by the driver. */
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
  trmi_arena arena;       /* what lives as long as the system */
  trmi_arena epoch_arena; /* what lives until the patterns change */
  trm_sizes  n;
  int        nq;
  trm_unit_names units;
  int       *rot_v;       /* first v-index of each rotation, ascending    [nrot] */
  double     second;      /* one second, in the unit of time                     */
  double    *unit_v;      /* one metre where lengths are, one elsewhere   [nv]   */
  double    *scale_v;     /* size that counts as one                      [nv]   */
  double    *scale_x;     /*                                              [nx]   */
  double    *unit_x;      /* their usual size: of bristles one            [nx]   */
  int        nbristles;   /* states of friction: their rates are linear          */
  double    *scale_g;     /*                                              [ng]   */
  unsigned char *is_length; /* rows of G, then of A: lengths and speeds   [ng+na] */
  double    *scale_a;     /* of rows of (3) times one unit of time        [na]   */
  trm_system *origin;     /* of an instance; NULL: it is the system itself       */
  atomic_int *references; /* the caller's, and those of simulations and analyses */
  int        nsims;       /* simulations that work in the system itself, at most one */
  int        changes;     /* values that were set in the system so far           */
  double    *lent_mass;   /* scratch of lent_mass.c; NULL: masses are as they are  [nv]   */
  bool       lacks_memory; /* nothing has been remembered yet: it was not started */
  int        epoch;
  long       residuals;   /* evaluations of motion so far  */
  long       jacobians;   /* evaluations of blocks so far  */
  trmi_tally tally;       /* of all matrices of the system */
  trmi_kept_matrix *kept; /* matrices of patterns that may come back, the last one first */

  /* of this epoch, written by pattern.c */
  trmi_sparse block[TRM_BLOCKS];
  bool        given[TRM_BLOCKS]; /* by the system; the others by differences */
  trmi_nodes  node_v, node_lam, node_mu, node_x, node_w;

  /* scratch of differences.c */
  trm_state probe;
  double   *probe_plus, *probe_minus, *probe_zero; /* longest list of values */
  double   *probe_v;

  /* scratch of rates.c, only if the system does not give its rates */
  trm_state moved, unit;
  double   *unit_out, *unit_zero;      /* [nv] */
  double   *g_ahead, *g_behind;        /* [ng] */
  double   *rate_ahead, *rate_behind;  /* [max(ng, na)] */
};

/* instance.c: where a simulation or an analysis works: an instance of the system, the system itself
 * if all of it may be shared or none of it copied, or `sys` if that is an instance already. */
trm_status trmi_system_open(trm_system *sys, const trm_instance_options *options,
                            trm_system **out, trm_error *err);
/* What trmi_system_open gave for sys. */
void trmi_system_close(trm_system *opened, trm_system *sys);
/* TRM_ERR_ORDER if a simulation works in the system itself. */
trm_status trmi_system_check_free(const trm_system *sys, trm_error *err);
/* TRM_ERR_ORDER if states of a simulation cannot be evaluated in the system itself. */
trm_status trmi_system_check_memory(const trm_system *sys, trm_error *err);

/* kept_matrices.c: free them. */
void trmi_kept_clear(trm_system *sys);

/* lent_mass.c: from now on trmi_system_blocks fills the diagonal of M where the system has no mass,
 * until lent_mass is NULL again: for equilibria, where M only measures displacements.
 * @param scratch  lives as long as that
 * @param is_whole  is there a mass for every velocity now? If not, nothing is lent. */
trm_status trmi_system_lend_mass(trm_system *sys, const trm_state *s, trmi_arena *scratch,
                                 bool *is_whole, trm_error *err);
/* Fills it; called by trmi_system_blocks. */
void trmi_lent_mass_fill(trm_system *sys);

/* Start values, and the memory that belongs to them. */
trm_status trmi_system_start(trm_system *sys, trm_state *s, trm_error *err);

/* A state with room for everything, from an arena. */
void trmi_state_take(const trm_system *sys, trmi_arena *arena, trm_state *s);
void trmi_state_copy(const trm_system *sys, const trm_state *from, trm_state *to);
/* The time of s becomes t, and its inputs what those of `from` are then: u + ud (t - from->t).
 * Every state inside or at the end of a step gets its time in this way. */
void trmi_state_at(const trm_system *sys, const trm_state *from, double t, trm_state *s);

/* Sizes that count as one, from the labels. */
trm_status trmi_system_read_scales(trm_system *sys, trm_error *err);

/* Rows and columns of a block. */
int trmi_block_rows(const trm_sizes *n, trm_block block);
int trmi_block_cols(const trm_sizes *n, trm_block block);

/* complete_units.c: length, mass, time and force of SI, nothing that is made of them. */
trm_unit_names trmi_unit_names_basic(void);
/* Put together what has no name yet. */
void trmi_unit_names_complete(trm_unit_names *names);
/* Unit of a kind, or of its first or second derivative in time; "": it has none. */
const char *trmi_unit_of_kind(const trm_unit_names *names, trm_kind kind, int rate);

/* pattern.c: ask the system for its patterns (again, at a new epoch). */
trm_status trmi_system_read_patterns(trm_system *sys, trm_error *err);
/* Do so if the epoch has changed; `is_new` receives whether it has. What was planned for the old
 * patterns must then be planned again. */
trm_status trmi_system_follow(trm_system *sys, bool *is_new, trm_error *err);
/* After TRM_RETRY_PATTERN: the epoch must have changed. */
trm_status trmi_system_renew(trm_system *sys, trm_error *err);
/* Attempts of one step that may ask for other patterns. */
enum { TRMI_PATTERNS_MAX = 100 };
/* Make room for the values of a block in this epoch. */
trm_status trmi_system_want(trm_system *sys, trm_block block, trm_error *err);

/* Has a block entries, or may it get some during a run? */
static inline bool trmi_system_may_fill(const trm_system *sys, trm_block block) {
  return sys->block[block].n > 0 || (sys->ops->asks_for_patterns && sys->given[block]);
}

/* A set of blocks, one bit each. */
typedef unsigned long long trmi_block_set;
#define TRMI_BIT(block) (1ULL << (block))

/* Fill the values of all blocks in the set (each must have been wanted). The
 * vectors u, y, ya belong to MU_Q, GY_Q, AY_Q. */
trm_status trmi_system_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                              const double *u, const double *y, const double *ya,
                              trm_error *err);
/* The same for matrices that are `simplified`: weak entries may stay as they are. */
trm_status trmi_system_strong_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                                     const double *u, const double *y, const double *ya,
                                     trm_error *err);

/* A rectangle of a block between unknowns of which those behind the first `head` are modes: a mode
 * is coupled weakly with every other mode, but not with the first ones, nor with itself, unless the
 * diagonal is weak too. */
typedef struct trmi_arrow {
  int  row, col, rows, cols, head;
  bool has_weak_diagonal;
  int  zero_rows, zero_cols; /* the first ones of the head: always zero next to modes, thus weak */
} trmi_arrow;

/* Declare such a rectangle, entries row by row as trm_pattern_dense. Leaving an entry out of the
 * matrix of an iteration costs iterations, not digits, but it must be small: couplings of modes
 * are, by the ratio of rates of rotation to frequencies. */
void trmi_pattern_arrow(trm_pattern *p, trm_block block, const trmi_arrow *at);
/* The last `count` entries that were declared for a block are a run, sparse.h. */
void trmi_pattern_run(trm_pattern *p, trm_block block, int count);
/* Declare a rectangle whose entries are all weak. */
void trmi_pattern_weak(trm_pattern *p, trm_block block, int row, int col, int rows, int cols);
/* G and A at a state, room for them included. */
trm_status trmi_system_rows(trm_system *sys, const trm_state *s, trm_error *err);

/* differences.c: one block by central differences, dense, row by row. */
trm_status trmi_difference_block(trm_system *sys, const trm_state *s, trm_block block,
                                 const trm_block_request *request, double *dense, trm_error *err);
/* rates.c: g_rate, g_bias, a_bias where the system does not give them. */
trm_status trmi_difference_rates(trm_system *sys, const trm_state *s, const trm_values *out,
                                 trm_error *err);
/* Room for the above. */
void trmi_differences_take(trm_system *sys);
void trmi_rates_take(trm_system *sys);

/* group.c: for each rotation T(psi), T^-1(psi), 3x3 row major [nrot 9]; psi is
 * the part of an increment that belongs to the rotation. */
/* As trm_system_difference, of rotations by more than half a turn: not the shortest way but the one
 * nearest to `near` [nv], which is another array than dpi. */
void trmi_group_difference_near(const trm_system *sys, const double *q1, const double *q0,
                                const double *near, double *dpi);
void trmi_group_T(const trm_system *sys, const double *dpi, double *T);
void trmi_group_Tinv(const trm_system *sys, const double *dpi, double *Tinv);
/* y = T x on rotations, y = x elsewhere; x and y may be the same. */
void trmi_group_apply(const trm_system *sys, const double *T, const double *x, double *y);
/* Quaternions of q to length one. */
void trmi_group_normalize(const trm_system *sys, double *q);

#endif
