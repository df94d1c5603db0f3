/* contributor.h - contribution of one kind of element to the equations of a mechanism.
 *
 * A mechanism is a list of contributors (assembly.h). Each is the batch of all elements of one
 * kind: rigid bodies, rows of joints, forces between two markers, beams, the tape of expressions.
 * None of them is special: typed equations alone are a list with one contributor.
 *
 * Unknowns and rows are numbered before contributors work (trmi_assembly_claim); indices in a
 * state, in values and in patterns are those of the whole system. Every function has the meaning of
 * the same name in trm_system_ops, for the part of this contributor; optional ones may be NULL. How
 * to write one: docs/dev/add-an-element.md. */
#ifndef TRMI_CONTRIBUTOR_H
#define TRMI_CONTRIBUTOR_H
#include "trammel/system.h"

/* The order of all sums, and of entries in blocks. Within a rank: in the order of adding. */
typedef enum trmi_rank {
  TRMI_RANK_CARRIERS,  /* bodies: they compute the positions of markers (`move`) */
  TRMI_RANK_JOINTS,
  TRMI_RANK_FORCES,
  TRMI_RANK_EQUATIONS  /* expressions; they do not read carriers       */
} trmi_rank;

/* Rows that several contributors add to. */
typedef enum trmi_rows {
  TRMI_ROWS_MOTION, /* [nv]                         */
  TRMI_ROWS_G,      /* g, g_rate and g_bias    [ng] */
  TRMI_ROWS_A,      /* a_rate and a_bias       [na] */
  TRMI_ROWS_D,      /* [nx]                         */
  TRMI_ROWS_W,      /* [nw]                         */
  TRMI_ROWS_ENERGY, /* [3]                          */
  TRMI_ROWS
} trmi_rows;

/* Numbers first .. end-1 of a list. */
typedef struct trmi_span {
  int first, end;
} trmi_span;

/* Counts of what a contributor watches during a run, or their first numbers in the lists of the
 * system. */
typedef struct trmi_watched {
  int events, gaps, slips;
} trmi_watched;

struct trmi_assembly;

typedef struct trmi_contributor_ops {
  const char *name; /* "rigid bodies" */
  trmi_rank   rank;

  /* Called when it is added to an assembly. Optional. */
  void (*join)(void *self, struct trmi_assembly *a);

  /* Called once, when all contributors are known: the counts of what it watches, then their first
   * numbers. `label` is for numbers i of these lists, counted from 0. Optional: none. */
  void (*watched)(const void *self, trmi_watched *count);
  void (*place)(void *self, const trmi_watched *first);
  void (*label)(const void *self, trm_quantity list, int i, trm_label *label);

  /* Its gap i, counted from 0. Optional: defaults for all. */
  void (*gap_info)(const void *self, int i, trm_gap_info *info);

  /* Rows that `values` overwrites because no earlier contributor adds to them. All other rows are
   * zero before the first contributor is called, and `values` adds to them. Spans are empty before
   * the call. Optional: none. */
  void (*owns)(const void *self, trmi_span rows[TRMI_ROWS]);

  /* Declare its entries of one block, @return their number; p may be NULL to count only. Optional:
   * none. The result may change only with `epoch`, see `blocks`. */
  int (*pattern)(const void *self, trm_pattern *p, trm_block block);
  /* Unknowns that belong together, trm_pattern_node. Optional. */
  void (*nodes)(const void *self, trm_pattern *p);
  int (*epoch)(const void *self);

  bool (*is_given)(const void *self, trm_quantity list, int i);
  trm_status (*start)(void *self, trm_state *s, trm_error *err);
  trm_status (*settle)(void *self, trm_state *s, bool *changed, trm_error *err);

  /* Carriers: bring the markers to a state, before anything below that reads them. */
  void (*move)(void *self, const trm_state *s);

  /* Values of rows are added, or overwritten according to `owns`; energies and powers are added;
   * events, gaps, slips and outputs are written. */
  trm_status (*values)(void *self, const trm_state *s, const trm_values *out, trm_error *err);
  /* Write its own entries, in the order of `pattern`, from values[block] on; NULL: not requested.
   * Before the call they are zero, or have the values of an earlier call for this pattern. Called
   * only if at least one block is requested. With `epoch` it is called for every request, and
   * values[block] is not NULL for all blocks of the request: a state that needs entries outside the
   * pattern of one of them changes `epoch`, here (then with trmi_contributor_ask) or earlier, in
   * `values`. New patterns are then read before `blocks` is called for that block again. From the
   * start of a step to its acceptance a pattern may only grow, and `reject_step` may undo that
   * growth; those of M, G and A change only with `accept_step`, `event` or `settle`. */
  trm_status (*blocks)(void *self, const trm_state *s, const trm_block_request *request,
                       trm_error *err);
  /* Set number `set` of six quantities that expressions may name: loads or deformations.
   * `derivatives` has a row for each of them, by the columns that were declared with the name
   * (trmi_quantity_def); NULL: not requested. Carriers are at s. If `wanted` is false for the first
   * or the last three of them, these and their rows are not read and need not be written. */
  trm_status (*quantities)(void *self, int set, const trm_state *s, const bool wanted[2],
                           double values[6], double *derivatives, trm_error *err);

  void (*event_info)(const void *self, int i, trm_event_info *info); /* i counted from 0 */
  trm_status (*event)(void *self, int i, trm_state *s, trm_error *err);

  /* True: the functions below, and `settle`, read carriers, which are moved to s before. */
  bool hooks_read_carriers;
  trm_status (*begin_step)(void *self, const trm_state *s, double h, trm_error *err);
  trm_status (*accept_step)(void *self, const trm_state *s, trm_error *err);
  void (*reject_step)(void *self);
  bool keeps_gaps; /* as trm_system_ops, for its own gaps */
  trm_status (*step_limit)(void *self, const trm_state *s, double tolerance,
                           trm_step_limit *limit, trm_error *err);
  trm_status (*next_mark)(void *self, const trm_state *s, double *mark, trm_error *err);
  bool (*is_pulse)(const void *self, double t);
  trm_status (*begin_run)(void *self, const trm_state *s, double end, trm_error *err);
  trm_status (*test_step)(void *self, const trm_state *s, trm_error *err);
  bool (*cut_states)(void *self, const double *x, double *change); /* as trm_system_ops */
  bool (*match_states)(void *self, const trm_state *s, double slope, double *change, bool *is_new);
  double (*sliding_error)(void *self, const trm_state *s, double *off, double tolerance);

  size_t (*memory_size)(const void *self);
  void (*memory_save)(const void *self, void *data);
  void (*memory_load)(void *self, const void *data);

  const trm_remark *(*remark)(const void *self, int i); /* NULL after the last */
  const trm_remark *(*news)(void *self); /* as trm_system_ops */
  double (*asked)(const void *self, int row); /* as trm_system_ops; NaN: not a row of this
                                                 contributor */
  void (*free)(void *self); /* memory outside the arena of the assembly */
} trmi_contributor_ops;

/* For `step_limit`: gap `number` of all gaps, if open, shortens the limit if it closes within it
 * fast enough to bounce by more than `least`. */
void trmi_gap_limit(double least, int number, trm_step_limit *limit);

/* For `blocks`: position of the next `count` entries of a block, which is advanced; NULL: not
 * requested. */
static inline double *trmi_next_entries(double **place, int entries) {
  double *here = *place;
  if (here != NULL) *place += entries;
  return here;
}

/* The status for `blocks` if it needs entries outside the pattern. */
trm_status trmi_contributor_ask(const char *name, trm_error *err);

#endif
