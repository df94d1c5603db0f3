/* tape.h - a graph prepared for repeated evaluation.
 *
 * Results belong to groups, up to 64 (a row of the equations, a block of the Jacobian,
 * ..). Every node knows the set of groups that need it; nodes with the same set form a
 * segment. An argument is needed by every group that needs the result, so its set is
 * larger or equal: segments in descending order of size are an order of evaluation, and a request
 * for any set of groups runs exactly the segments that intersect it, each node once. Inside a
 * segment equal operations form runs: one loop each, without branches.
 *
 * While no input changes, results of one request are reused by the next. */
#ifndef TRMI_EXPR_TAPE_H
#define TRMI_EXPR_TAPE_H
#include "core/arena.h"
#include "expr/prologue.h"
#include <stdint.h>
#include <string.h>

/* A result: its node and the group it belongs to. */
typedef struct trmi_root {
  trmi_node node;
  int       group;
} trmi_root;

/* A run of equal operations. */
typedef struct trmi_run {
  trmi_op op;
  int     count;
  int     slot; /* of the first result                 */
  int     code; /* of the first argument in tape->code */
} trmi_run;

/* Runs that the same groups need. */
typedef struct trmi_segment {
  uint64_t groups;
  int      run, nruns;
} trmi_segment;

typedef struct trmi_tape {
  const trmi_spline **curves;
  double       *value;    /* symbols, constants, results      [nslots]          */
  trmi_segment *segments;
  trmi_run     *runs;
  int          *code;     /* slots of arguments, and tags of curves             */
  trmi_place   *place;    /* of the node in each slot         [nslots]          */
  uint64_t     *used_by;  /* groups that need a symbol        [nsymbols]        */
  int           nslots, nsymbols, nsegments, nruns, ncode;
  uint64_t      done;     /* groups that are computed for the present inputs    */
  trmi_prologue prologue; /* of its constants                                   */
} trmi_tape;

/* Lay out the tape; memory comes from the arena. slots[i] receives the slot of roots[i] and
 * is stable. Symbols take the first slots, list by list (trmi_graph.lists), in each in the order
 * in which they were made.
 * The curves of the graph must outlive the tape, the graph itself need not.
 * @return TRM_OK, TRM_ERR_MEMORY, TRM_ERR_INPUT (graph too large) */
trm_status trmi_tape_build(trmi_tape *tape, const trmi_graph *g, const trmi_root *roots,
                           int nroots, int *slots, trmi_arena *arena, trm_error *err);

/* Set `count` inputs from `first` on; any change invalidates all results. */
void trmi_tape_set(trmi_tape *tape, int first, int count, const double *values);
/* The same for at least one input, if only these groups need them. */
static inline void trmi_tape_set_for(trmi_tape *tape, uint64_t users, int first, int count,
                                     const double *values) {
  double *input = tape->value + first;
  const size_t size = (size_t)count * sizeof *input;
  if ((tape->done & users) != 0 && memcmp(input, values, size) == 0) return;
  tape->done &= ~users;
  memcpy(input, values, size);
}

/* Update the results of these groups (bits). */
void trmi_tape_run(trmi_tape *tape, uint64_t groups);

/* Recompute constants from the present live numbers. False: the tape would have to change; it is
 * unchanged. */
bool trmi_tape_renew(trmi_tape *tape);

/* The reason why the result in a slot is not finite: a clause such as "the root of -0.3 is taken"
 * and its position. False: an input is not finite. */
bool trmi_tape_blame(const trmi_tape *tape, int slot, char *text, size_t size, trmi_place *place);

#endif
