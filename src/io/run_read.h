/* run_read.h - read a run file (layout: docs/guide/results.md).
 *
 * Life cycle: trmi_run_open -> trmi_run_info, signals, steps, events, messages,
 * checkpoints -> trmi_run_close. A file of a run that still goes on or was killed
 * reads like any other: it ends with the last sample that reached it.
 *
 * Whatever the bytes of the file are, every function returns: damage is
 * TRM_ERR_IO with a sentence. Memory is bounded by what the caller asks for: one
 * column, a range of steps. Several threads need an HDF5 that is thread-safe, as
 * Debian's is. */
#ifndef TRMI_RUN_READ_H
#define TRMI_RUN_READ_H
#include "io/columns.h"
#include "io/run_format.h"
#include "trammel/problems.h"
#include "trammel/sim.h"
#include <stdbool.h>


/* One recorded number over time. */
typedef struct trmi_signal {
  char       name[TRMI_COLUMN_MAX]; /* unique in the file, as in --csv: "t", "x", "d(x)",
                                       "lam1", "kinetic", "output:x" if x was taken */
  char       label[TRMI_LABEL_MAX]; /* in its group, as in --json: velocity "x"     */
  char       object[TRM_OBJECT_MAX]; /* "body 'crank'", or ""                       */
  char       unit[TRMI_UNIT_MAX];   /* "m", "rad/s", "N", or "" if it has none      */
  trmi_group group;
  int        column;                /* in its group                                 */
  trm_kind   kind;
  double     scale;                 /* size that counts as one in the error test; NaN: none   */
} trmi_signal;

typedef enum trmi_run_status {
  TRMI_RUN_UNFINISHED, /* goes on, or was killed                       */
  TRMI_RUN_OK,
  TRMI_RUN_ERROR,      /* ended by an error, or the user stopped it    */
} trmi_run_status;

/* What the file says about the run. Strings live until trmi_run_close. */
typedef struct trmi_run_info {
  const char *path;
  const char *model;        /* name of the model                                   */
  const char *text;         /* of its model file, or NULL                          */
  const char *version;      /* of the program that wrote the file, "0.1.0"         */
  const char *integrator, *formulation, *solver; /* as used                        */
  const trm_setting *settings; /* all parameters of the model, as run [nsettings]  */
  int         nsettings;
  const trm_setting *options; /* options of the run as text: "end" "5", ..  [noptions] */
  int         noptions;
  double      start;        /* first sample, or where it was resumed; NaN: none [s] */
  double      end;          /* as planned [s]                                      */
  double      tolerance;    /* NaN with fixed steps                                */
  double      resumed_from; /* time of the checkpoint this run went on from; NaN   */
  double      energy_initial; /* kinetic + potential at the start of the whole run [J] */
  trmi_run_status status;
  trm_status  code;         /* why it ended, if status is TRMI_RUN_ERROR           */
  const char *sentence;     /* the error, or ""                                    */
  const char *object;       /* what it blames, or ""                               */
  double      error_t, error_h; /* where; NaN if unknown [s]                       */
  bool        has_counters; /* false while unfinished                              */
  trm_counters counters;
  long        nsamples;     /* rows of every group                                 */
  long        nsteps;       /* attempted steps in the history                      */
  long        nevents, nmessages;
  int         nsignals, ncheckpoints;
} trmi_run_info;

/* One event that was located. */
typedef struct trmi_run_event {
  double t;     /* [s] */
  int    index; /* of the event function; its name: trmi_run_label(run, TRM_EVENT, index) */
} trmi_run_event;

/* One message of the library. */
typedef struct trmi_run_message {
  double t; /* [s] */
  char   text[TRM_MESSAGE_MAX];
} trmi_run_message;

/* A run file opened for reading. */
typedef struct trmi_run trmi_run;

/* Open a run file.
 * @param allocator  NULL: malloc
 * @param run        receives the file; NULL on failure
 * @return TRM_OK, TRM_ERR_IO (cannot be read, is no run file, is damaged), TRM_ERR_MEMORY */
TRM_CHECKED trm_status trmi_run_open(const char *path, const trm_allocator *allocator,
                                     trmi_run **run, trm_error *err);
/* Accepts NULL. */
void trmi_run_close(trmi_run *run);

const trmi_run_info *trmi_run_info_of(const trmi_run *run);

/* Signal i, 0 <= i < info->nsignals, in order of groups; signal 0 is the time.
 * Valid until trmi_run_close. */
const trmi_signal *trmi_run_signal(const trmi_run *run, int i);

/* Number of a signal by its name, or as "GROUP/LABEL" ("velocities/x"). An unknown
 * name is TRM_ERR_INPUT with a sentence that tells the nearest one. */
TRM_CHECKED trm_status trmi_run_find(const trmi_run *run, const char *name, int *index,
                                     trm_error *err);

/* All samples of one signal, or the times: values has room for info->nsamples. */
TRM_CHECKED trm_status trmi_run_read_signal(trmi_run *run, int signal, double *values,
                                            trm_error *err);
TRM_CHECKED trm_status trmi_run_read_times(trmi_run *run, double *times, trm_error *err);

/* Samples first .. first+count-1 of signals signal .. signal+nsignals-1, sample by sample:
 * values has room for count * nsignals. Much faster than signal by signal. */
TRM_CHECKED trm_status trmi_run_read_block(trmi_run *run, int signal, int nsignals, long first,
                                           long count, double *values, trm_error *err);

/* Samples first .. first+count-1 of one signal. */
TRM_CHECKED trm_status trmi_run_read_range(trmi_run *run, int signal, long first, long count,
                                           double *values, trm_error *err);

/* Attempted steps first .. first+count-1 of the history. */
TRM_CHECKED trm_status trmi_run_read_steps(trmi_run *run, long first, long count,
                                           trm_step_record *steps, trm_error *err);

/* Name and object of an unknown, for list and index of a step (TRM_Q, TRM_V, TRM_LAM, TRM_MU,
 * TRM_X, TRM_W, TRM_Z, TRM_U, TRM_EVENT, TRM_OUTPUT). Out of range: name "?". */
void trmi_run_label(const trmi_run *run, trm_quantity list, int index, trm_label *label);

TRM_CHECKED trm_status trmi_run_read_events(trmi_run *run, long first, long count,
                                            trmi_run_event *events, trm_error *err);
TRM_CHECKED trm_status trmi_run_read_messages(trmi_run *run, long first, long count,
                                              trmi_run_message *messages, trm_error *err);

/* One checkpoint: where it is, and whether its bytes are those that were written. */
typedef struct trmi_run_checkpoint {
  double t;     /* [s]                                 */
  long   steps; /* accepted steps of the run before it */
  size_t size;  /* bytes for trm_sim_load              */
} trmi_run_checkpoint;

/* Checkpoint k, 0 <= k < info->ncheckpoints, in order of time. */
const trmi_run_checkpoint *trmi_run_checkpoint_at(const trmi_run *run, int k);

/* Bytes of checkpoint k: data has room for its size. A damaged one is TRM_ERR_IO. */
TRM_CHECKED trm_status trmi_run_read_checkpoint(trmi_run *run, int k, void *data, trm_error *err);

#endif
