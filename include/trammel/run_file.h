/* run_file.h - write and read run files (layout: docs/guide/results.md).
 *
 * Writing: trm_sim_create -> trm_run_sink_create -> trm_sim_add_sink(trm_run_sink_of) ->
 * trm_sim_run -> trm_run_sink_free. The file is created with the first sample or step, so invalid
 * input leaves no file and does not replace an older one. From then on it can be read at any time,
 * also after SIGKILL: only the samples of the last second may be missing, and no checkpoint is
 * later than the samples. A thread writes every 0.4 s, so that a slow step does not delay samples;
 * it does not affect any number.
 *
 * Reading: trm_run_open -> trm_run_info_of, signals, steps, events, messages, checkpoints ->
 * trm_run_close. The file of a run in progress or a killed run can be read like any other: it ends
 * with the last sample written. Every function returns for any content of the file: damage gives
 * TRM_ERR_IO with a sentence. Memory is bounded by the size of the requested data.
 *
 * HDF5 and libdeflate take their memory from the process, not from the allocator. Several threads
 * need a thread-safe HDF5, as Debian's is. */
#ifndef TRM_RUN_FILE_H
#define TRM_RUN_FILE_H
#include "trammel/columns.h"
#include "trammel/problems.h"
#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Facts about a run that are not available to sinks; initialized by trm_run_facts_default. Read by
 *  trm_run_sink_create; pointers must stay valid until the run has begun. */
typedef struct trm_run_facts {
  const char        *text;       /**< of the model file (trm_model_text); NULL: built-in    */
  const trm_setting *parameters; /**< all parameters of the model, as run  [nparameters]       */
  int                nparameters; /**< length of that list                                     */
  const char        *integrator, *formulation, *solver; /**< as used                           */
  double             resumed_from;   /**< time of the checkpoint; NaN: from the start [s]      */
  long               resumed_steps;  /**< accepted steps before the checkpoint                 */
  double             energy_initial; /**< at the start of the whole run; NaN: not resumed [J]  */
} trm_run_facts;

/** Facts of a run from the start, of a model without text and parameters. */
TRM_API trm_run_facts trm_run_facts_default(const trm_sim *sim);

/** A recording. */
typedef struct trm_run_sink trm_run_sink;

/** Prepare a recording; no file is accessed yet.
 *  @param path       must outlive the recording
 *  @param allocator  NULL: malloc
 *  @param sink       receives the recording; NULL on failure
 *  @return TRM_OK or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_run_sink_create(const char *path, const trm_run_facts *facts,
                                                   const trm_allocator *allocator,
                                                   trm_run_sink **sink, trm_error *err);

/** The functions for trm_sim_add_sink. They return TRM_ERR_IO if the file cannot be written. */
TRM_API trm_sink trm_run_sink_of(trm_run_sink *sink);

/** Close the file and free the recording. Accepts NULL. */
TRM_API void trm_run_sink_free(trm_run_sink *sink);

/** Size of the label of a signal, with the zero byte. */
enum { TRM_LABEL_MAX = 48 };

/** One recorded quantity over time. */
typedef struct trm_signal {
  char   name[TRM_COLUMN_MAX];   /**< unique in the file, as in columns.h: "t", "x", "d(x)"   */
  char   label[TRM_LABEL_MAX];   /**< in its group: velocity "x"                              */
  char   object[TRM_OBJECT_MAX]; /**< "body 'crank'", or ""                                   */
  char   unit[TRM_UNIT_MAX];     /**< "m", "rad/s", "N", or "" if it has none                 */
  trm_signal_group group;        /**< its group                                               */
  int    column;                 /**< in its group                                            */
  trm_kind kind;                 /**< what it measures                                        */
  double scale;                  /**< scale in the error test; NaN: none                      */
} trm_signal;

/** How a run ended. */
typedef enum trm_run_status {
  TRM_RUN_UNFINISHED, /**< in progress, or killed              */
  TRM_RUN_OK,         /**< it reached its end                  */
  TRM_RUN_ERROR       /**< ended by an error or the user       */
} trm_run_status;

/** Data of a run from its file. Strings live until trm_run_close. */
typedef struct trm_run_info {
  const char *path;         /**< as opened                                            */
  const char *model;        /**< name of the model                                    */
  const char *text;         /**< of its model file, or NULL                           */
  const char *version;      /**< of the library that wrote the file, "0.1.0"          */
  const char *integrator, *formulation, *solver; /**< as used                         */
  const trm_setting *settings; /**< all parameters of the model, as run  [nsettings]  */
  int         nsettings;    /**< length of that list                                  */
  const trm_setting *options; /**< options of the run as text: "end" "5"  [noptions]  */
  int         noptions;     /**< length of that list                                  */
  double      seconds;      /**< length of the unit of time, 1e-3 for ms [s]          */
  double      start;        /**< first sample, or where it was resumed; NaN: none [s] */
  double      end;          /**< as planned [s]                                       */
  double      tolerance;    /**< NaN with fixed steps                                 */
  double      resumed_from; /**< time of the checkpoint it continued from; NaN [s]    */
  double      energy_initial; /**< kinetic + potential at the start of the whole run [J] */
  trm_run_status status;    /**< how it ended                                         */
  trm_status  code;         /**< why it ended, if status is TRM_RUN_ERROR             */
  const char *sentence;     /**< the error, or ""                                     */
  const char *object;       /**< object of the error, or ""                           */
  double      error_t, error_h; /**< time and step of the error; NaN if unknown [s]   */
  bool        has_counters; /**< false while unfinished                               */
  trm_counters counters;    /**< work done                                            */
  long        nsamples;     /**< rows of every group                                  */
  long        nsteps;       /**< attempted steps in the history                       */
  long        nevents, nmessages; /**< located events, messages of the library        */
  int         nsignals, ncheckpoints; /**< signals, checkpoints                       */
} trm_run_info;

/** One event that was located. */
typedef struct trm_run_event {
  double t;     /**< [s] */
  int    index; /**< of the event function; its name: trm_run_label(run, TRM_EVENT, index) */
} trm_run_event;

/** One message of the library. */
typedef struct trm_run_message {
  double t;                     /**< [s] */
  char   text[TRM_MESSAGE_MAX]; /**< one sentence */
  bool   is_choice;             /**< the method chosen by `auto`, and the reason */
} trm_run_message;

/** One checkpoint: bytes from which a simulation can continue. */
typedef struct trm_run_checkpoint {
  double t;     /**< [s]                                 */
  long   steps; /**< accepted steps of the run before it */
  size_t size;  /**< bytes for trm_sim_load              */
} trm_run_checkpoint;

/** A run file opened for reading. */
typedef struct trm_run trm_run;

/** Open a run file.
 *  @param allocator  NULL: malloc
 *  @param run        receives the file; NULL on failure
 *  @return TRM_OK, TRM_ERR_IO (cannot be read, not a run file, damaged), TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_run_open(const char *path, const trm_allocator *allocator,
                                            trm_run **run, trm_error *err);

/** Close the file. Accepts NULL. */
TRM_API void trm_run_close(trm_run *run);

/** Data of the run. Valid until trm_run_close. */
TRM_API const trm_run_info *trm_run_info_of(const trm_run *run);

/** Signal i, 0 <= i < info->nsignals, in order of groups; signal 0 is the time. Valid until
 *  trm_run_close. */
TRM_API const trm_signal *trm_run_signal(const trm_run *run, int i);

/** Number of a signal by its name, or by "GROUP/LABEL" ("velocities/x").
 *  @return TRM_OK or TRM_ERR_INPUT with a sentence that suggests the nearest name */
TRM_API TRM_CHECKED trm_status trm_run_find(const trm_run *run, const char *name, int *index,
                                            trm_error *err);

/** All samples of one signal, or all times: the array must have room for info->nsamples. */
TRM_API TRM_CHECKED trm_status trm_run_read_signal(trm_run *run, int signal, double *values,
                                                   trm_error *err);
TRM_API TRM_CHECKED trm_status trm_run_read_times(trm_run *run, double *times, trm_error *err);

/** First signal of the modal coordinates of a flexible body, which are neighbours in the file.
 *  @param system  of the model of the run
 *  @param body    number of the flexible body, as of trm_flexible_at
 *  @return TRM_OK, or TRM_ERR_INPUT: the modes of the run differ from the present modes of the
 *  body */
TRM_API TRM_CHECKED trm_status trm_run_find_modes(const trm_run *run, const trm_system *system,
                                                  int body, int *signal, trm_error *err);

/** Signals that determine the stress of a flexible body: its modal coordinates and the values of
 *  its heat loads, in the order of trm_flexible_surface. */
typedef struct trm_run_amplitudes {
  int mode, modes; /**< first signal and number of adjacent signals               */
  int heat;        /**< first signal of heat, `columns - modes` adjacent ones     */
  int columns;     /**< total number                                              */
} trm_run_amplitudes;

/** As trm_run_find_modes. @return TRM_ERR_INPUT also if the run has no values of its heat */
TRM_API TRM_CHECKED trm_status trm_run_find_amplitudes(const trm_run *run,
                                                       const trm_system *system, int body,
                                                       trm_run_amplitudes *amplitudes,
                                                       trm_error *err);

/** Samples first .. first+count-1 of them: a [count][columns]. */
TRM_API TRM_CHECKED trm_status trm_run_read_amplitudes(trm_run *run,
                                                       const trm_run_amplitudes *amplitudes,
                                                       long first, long count, double *a,
                                                       trm_error *err);

/** Samples first .. first+count-1 of signals signal .. signal+nsignals-1, sample by sample:
 *  values has room for count * nsignals. Much faster than signal by signal. */
TRM_API TRM_CHECKED trm_status trm_run_read_block(trm_run *run, int signal, int nsignals,
                                                  long first, long count, double *values,
                                                  trm_error *err);

/** State of one sample of a run of `system`: fills the arrays that `s` points to and s->t; lists
 *  with a NULL pointer are skipped. Rates of inputs are not recorded: they are set to 0.
 *  @param sample  0 <= sample < info->nsamples
 *  @return TRM_OK, TRM_ERR_INPUT if the file does not hold all of the state, or TRM_ERR_IO */
TRM_API TRM_CHECKED trm_status trm_run_read_state(trm_run *run, const trm_system *system,
                                                  long sample, trm_state *s, trm_error *err);

/** Samples first .. first+count-1 of one signal. */
TRM_API TRM_CHECKED trm_status trm_run_read_range(trm_run *run, int signal, long first, long count,
                                                  double *values, trm_error *err);

/** Attempted steps first .. first+count-1 of the history. */
TRM_API TRM_CHECKED trm_status trm_run_read_steps(trm_run *run, long first, long count,
                                                  trm_step_record *steps, trm_error *err);

/** Name and object of an unknown, for list and index of a step (TRM_Q, TRM_V, TRM_LAM, TRM_MU,
 *  TRM_X, TRM_W, TRM_Z, TRM_U, TRM_EVENT, TRM_OUTPUT). Out of range: name "?". */
TRM_API void trm_run_label(const trm_run *run, trm_quantity list, int index, trm_label *label);

/** The same, but a velocity has the name of its coordinate if there is one for each. */
TRM_API void trm_run_unknown(const trm_run *run, trm_quantity list, int index, trm_label *label);

/** Events first .. first+count-1. */
TRM_API TRM_CHECKED trm_status trm_run_read_events(trm_run *run, long first, long count,
                                                   trm_run_event *events, trm_error *err);

/** Messages first .. first+count-1. */
TRM_API TRM_CHECKED trm_status trm_run_read_messages(trm_run *run, long first, long count,
                                                     trm_run_message *messages, trm_error *err);

/** Checkpoint k, 0 <= k < info->ncheckpoints, in order of time. */
TRM_API const trm_run_checkpoint *trm_run_checkpoint_at(const trm_run *run, int k);

/** Bytes of checkpoint k for trm_sim_load: data has room for its size. A damaged one is
 *  TRM_ERR_IO. */
TRM_API TRM_CHECKED trm_status trm_run_read_checkpoint(trm_run *run, int k, void *data,
                                                       trm_error *err);

/** Upper bound of the number of options. */
enum { TRM_OPTION_TEXTS = 64 };

/** One option of a run as text, as stored in run files. Names are those of the command line without
 *  the dashes. */
typedef struct trm_option_text {
  char name[32];   /**< "step-max"                                         */
  char value[200]; /**< numbers have the digits that restore the same bits */
} trm_option_text;

/** Options as texts; those with their default of zero are omitted.
 *  @return the number written */
TRM_API int trm_options_write(const trm_options *options, trm_option_text texts[TRM_OPTION_TEXTS]);

/** Set one option from its text; words are not copied. False if there is no such option or the text
 *  is not a value for it. */
TRM_API bool trm_options_read(trm_options *options, const char *name, const char *value);

/** True: another value changes the steps; false: only the samples (or, for the end, the length of
 *  the run). */
TRM_API bool trm_options_shape_steps(const char *name);

/** Do both paths refer to the same plain file, or would they if it were created? For programs that
 *  must not overwrite their input. */
TRM_API bool trm_is_same_file(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
