/* run_format.h - names of the contents of a run file, for writer and reader; the
 * layout for people: docs/guide/results.md. */
#ifndef TRMI_RUN_FORMAT_H
#define TRMI_RUN_FORMAT_H
#include "trammel/run_file.h"
#include <stdint.h>

/* First text of every run file; the number changes with the layout. */
#define TRMI_RUN_FORMAT "trammel run 1"

/* Longest texts of each kind. */
enum { TRMI_WORD_MAX = 32, TRMI_VALUE_MAX = 200 };

/* Columns of `steps`, in order. */
enum {
  TRMI_STEP_T, TRMI_STEP_H, TRMI_STEP_ACCEPTED, TRMI_STEP_LIMIT, TRMI_STEP_LIST, TRMI_STEP_INDEX,
  TRMI_STEP_ERROR, TRMI_STEP_ITERATIONS, TRMI_STEP_POSITION, TRMI_STEP_VELOCITY, TRMI_STEP_ORDER,
  TRMI_STEP_COLUMNS, TRMI_STEP_COLUMNS_OLD = TRMI_STEP_ORDER /* older files without the order */
};
static const char *const trmi_step_names[TRMI_STEP_COLUMNS] = {
  "t", "h", "accepted", "limit", "list", "index", "error", "iterations", "violation_position",
  "violation_velocity", "order",
};

/* Numbers of `counters`, in order of trm_counters. */
enum { TRMI_COUNTERS = 28 };
static const char *const trmi_counter_names[TRMI_COUNTERS] = {
  "steps", "rejected_error", "rejected_newton", "newton_iterations", "residuals", "jacobians",
  "factorizations", "solves", "lu_entries", "events", "step_min", "step_max",
  "violation_position", "violation_velocity", "cpu_seconds", "cpu_setup_seconds",
  "energy_initial", "work_motions", "work_forces", "work_dampers", "work_friction", "jumps_events",
  "energy_imbalance", "work_uncertainty", "energy_scale",
  "error_sum", "error_list", "error_index",
};

/* How a run ended; each part is a dataset, trmi_lookup3 of the whole is `end_sum`. Counters come
 * last: older files have fewer. */
typedef struct trmi_run_end {
  char    sentence[TRM_MESSAGE_MAX]; /* `error`                                  */
  char    object[TRM_OBJECT_MAX];    /* `error_object`                           */
  int64_t code;                      /* `error_code`: trm_status                 */
  double  place[2];                  /* `error_place`: t, h [s]                  */
  double  counters[TRMI_COUNTERS];   /* `counters`, in order of trmi_counter_names */
} trmi_run_end;

/* Words of `status`. */
static const char *const trmi_run_words[] = {"unfinished", "ok", "error"};

/* A checkpoint in the bytes of `checkpoints`: this head, then `size` bytes, then zeros up to
 * a multiple of eight. The rest after the last one is zero. */
typedef struct trmi_checkpoint_head {
  char     mark[8];  /* TRMI_CHECKPOINT_MARK                          */
  double   t;        /* [s]                                           */
  uint64_t steps;    /* accepted steps of the run before it           */
  uint64_t size;     /* bytes for trm_sim_load                        */
  uint32_t data_sum; /* trmi_lookup3 of those                         */
  uint32_t head_sum; /* trmi_lookup3 of the head before this number   */
} trmi_checkpoint_head;
#define TRMI_CHECKPOINT_MARK "TRMPOINT"

#endif
