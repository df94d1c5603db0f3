/* model.h - models from files: reads models and creates systems from them.
 *
 * Life cycle: trm_model_read_file or trm_model_read_text -> trm_model_options,
 * trm_model_create_system (may be repeated) -> trm_model_free. A model does not change after it is
 * read and may be used by several threads.
 *
 * Faults of the text are reported as complaints: sentences with file, line and column, as many as
 * can be found at once. Contents of a file: docs/guide/reference.md. */
#ifndef TRM_MODEL_H
#define TRM_MODEL_H
#include "trammel/flexible.h"
#include "trammel/mechanism.h"
#include "trammel/problems.h"
#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A model that was read. */
typedef struct trm_model trm_model;

/** A fault of a text. Its texts live until trm_model_free. */
typedef struct trm_complaint {
  const char *file;     /**< as given; "--set" for settings                       */
  int         line;     /**< from 1; with "--set" the number of the setting       */
  int         column;   /**< from 1, in letters                                   */
  const char *sentence;
} trm_complaint;

/** Source of a model, for trm_model_read. Members that are zero are not given. */
typedef struct trm_model_source {
  const char        *path;       /**< of a model file; NULL: `text`                            */
  const char        *text;       /**< of a model, ends with a zero byte                        */
  const char        *name;       /**< of the text, as for trm_model_read_text                  */
  bool               has_meshes; /**< the text may name meshes, as for trm_model_read_stored   */
  const trm_setting *settings;   /**< as for trm_model_read_file                               */
  int                nsettings;
  trm_reductions     reductions; /**< of meshes: reading a model already reduces them          */
} trm_model_source;

/** Read a model from any source. trm_model_read_file, trm_model_read_text and
 *  trm_model_read_stored are the same without a cache of reductions.
 *  @return as trm_model_read_file */
TRM_API TRM_CHECKED trm_status trm_model_read(const trm_model_source *source,
                                              const trm_allocator *allocator, trm_model **model,
                                              trm_error *err);

/** Read a model file with everything it includes.
 *  @param path       name of the file
 *  @param settings   values of the model to be replaced, by path ("parameters.eps",
 *                    "simulate.end"); a name without a dot is a parameter, or otherwise a key.
 *                    A value in brackets is a list
 *  @param nsettings their number
 *  @param allocator  NULL: malloc; libyaml takes its memory from the process
 *  @param model      receives the model. With complaints the status is TRM_ERR_INPUT, and the model
 *                    can only be used to read them, and freed. NULL after other failures
 *  @param err        receives the first complaint as "file:line:column: sentence"
 *  @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_IO (the file cannot be read) or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_model_read_file(const char *path, const trm_setting *settings,
                                                   int nsettings, const trm_allocator *allocator,
                                                   trm_model **model, trm_error *err);

/** Read a model from a text, or from the result of trm_model_text. No file is accessed: included
 *  parts must be in the text, and it must not name meshes.
 *  @param text  ends with a zero byte
 *  @param name  of the text in complaints, and of the model if it has none
 *  The rest is as for trm_model_read_file. */
TRM_API TRM_CHECKED trm_status trm_model_read_text(const char *text, const char *name,
                                                   const trm_setting *settings, int nsettings,
                                                   const trm_allocator *allocator,
                                                   trm_model **model, trm_error *err);

/** Read a result of trm_model_text, with the meshes that it names, by their paths. The rest is as
 *  for trm_model_read_text. */
TRM_API TRM_CHECKED trm_status trm_model_read_stored(const char *text, const char *name,
                                                     const trm_setting *settings, int nsettings,
                                                     const trm_allocator *allocator,
                                                     trm_model **model, trm_error *err);

/** Treatment of forces of type plugin when a system is built. */
typedef enum trm_plugin_use {
  TRM_PLUGINS_REFUSED = 0, /**< a model that has one gives TRM_ERR_INPUT; the default         */
  TRM_PLUGINS_SKIPPED = 1, /**< no library is opened, these forces are zero: to inspect an
                                untrusted model */
  TRM_PLUGINS_LOADED  = 2  /**< libraries are opened, and their code runs in this process     */
} trm_plugin_use;

/** Set the treatment of plug-ins before systems are created. Reading a model never opens a
 *  library. */
TRM_API void trm_model_use_plugins(trm_model *model, trm_plugin_use use);

/** A force that needs a plug-in; its texts live until trm_model_free. */
typedef struct trm_plugin_need {
  const char *force;    /**< its name                      */
  const char *library;  /**< path that would be opened     */
  const char *function; /**< that would be called          */
} trm_plugin_need;

/** Number of forces that need a plug-in, in a model without complaints. */
TRM_API int trm_model_plugin_count(const trm_model *model);

/** Plug-in need number i, 0 <= i < count; all NULL otherwise. */
TRM_API trm_plugin_need trm_model_plugin_at(const trm_model *model, int i);

/** Free a model, not systems created from it. Accepts NULL. */
TRM_API void trm_model_free(trm_model *model);

/** Number of stored complaints, at most 20; 0 for a valid model. */
TRM_API int trm_model_complaint_count(const trm_model *model);

/** Total number of complaints. */
TRM_API int trm_model_complaint_total(const trm_model *model);

/** Complaint i in the order of the text, 0 <= i < count. */
TRM_API trm_complaint trm_model_complaint_at(const trm_model *model, int i);

/** Name of the model: its key `name`, or the name of the file without folder and extension. */
TRM_API const char *trm_model_name(const trm_model *model);

/** Names of the units of a valid model. */
TRM_API trm_unit_names trm_model_units(const trm_model *model);

/** One line about the model: its key `summary`, or its first comment, or "". */
TRM_API const char *trm_model_summary(const trm_model *model);

/** The whole text as run, with included files, tables and settings; trm_model_read_text creates the
 *  same model from it. */
TRM_API const char *trm_model_text(const trm_model *model);

/** Path of file i used by the model: the model file, included files, tables, meshes, plug-ins. NULL
 *  after the last one. Valid until trm_model_free. */
TRM_API const char *trm_model_file_at(const trm_model *model, int i);

/** Number of parameters. */
TRM_API int trm_model_parameter_count(const trm_model *model);

/** Parameter i as run: its name and its text. */
TRM_API trm_setting trm_model_parameter_at(const trm_model *model, int i);

/** A measure of a model, for trm_sim_add_measure; its texts live until trm_model_free. */
typedef struct trm_model_measure {
  const char *name;
  const char *text;         /**< "max(load)"                            */
  const char *file;         /**< its place, as of trm_complaint         */
  int         line, column;
} trm_model_measure;

/** Number of measures. */
TRM_API int trm_model_measure_count(const trm_model *model);

/** Measure i, 0 <= i < count; all NULL otherwise. */
TRM_API trm_model_measure trm_model_measure_at(const trm_model *model, int i);

/** Add a measure to those of a model, before systems are created: of an output, a coordinate, or
 *  any expression, "max(hinge.angle)", which becomes an output of the model. To evaluate them, call
 *  trm_sim_add_measure for each measure of the model.
 *  @param name  by which the result is known; copied
 *  @param text  the reduction, as for trm_sim_add_measure; copied
 *  @return TRM_OK, TRM_ERR_INPUT with a sentence (the model is unchanged), or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_model_add_measure(trm_model *model, const char *name,
                                                     const char *text, trm_error *err);

/** Set the options that the model gives under `simulate`; all others are unchanged.
 *  @param options  its texts then belong to the model */
TRM_API void trm_model_options(const trm_model *model, trm_options *options);

/** Build the system of a model.
 *  @param allocator  NULL: malloc
 *  @param system     receives the system, freed by trm_system_free; NULL on failure
 *  @return TRM_OK, TRM_ERR_INPUT or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_model_create_system(const trm_model *model,
                                                       const trm_allocator *allocator,
                                                       trm_system **system, trm_error *err);

/** The parts and equations of a model as a mechanism, which can be inspected, changed and built
 *  with trammel/mechanism.h; built without changes, it gives the same bits. It is independent of
 *  the model.
 *  @param allocator  NULL: malloc
 *  @return TRM_OK, TRM_ERR_INPUT (the model has faults) or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_model_mechanism(const trm_model *model,
                                                   const trm_allocator *allocator,
                                                   trm_mechanism **mechanism, trm_error *err);

/** Write a model as a C program that builds it with trammel/mechanism.h, runs it and prints the
 *  state at the end: the same bits as from the file.
 *  @return TRM_OK, TRM_ERR_INPUT (the model has faults) or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_model_write_c(const trm_model *model, trm_writer *writer,
                                                 void *self, trm_error *err);

/** Write a model as the text of one file, with included, repeated and set values as plain parts;
 *  read again it gives the same bits.
 *  @return as trm_model_write_c */
TRM_API TRM_CHECKED trm_status trm_model_write_yaml(const trm_model *model, trm_writer *writer,
                                                    void *self, trm_error *err);

/** Let a mechanism from C read the mesh files named by its parts. */
TRM_API void trm_mechanism_allow_files(trm_mechanism *mechanism);

/** Set how a mechanism from C reduces its meshes; texts are copied. Without it there is no cache.
 *  @return TRM_OK, TRM_ERR_INPUT or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_mechanism_use_reductions(trm_mechanism *mechanism,
                                                            const trm_reductions *reductions,
                                                            trm_error *err);

/** Set the treatment of plug-ins before the mechanism is built; without it they are refused. */
TRM_API void trm_mechanism_use_plugins(trm_mechanism *mechanism, trm_plugin_use use);

/** A model file that comes with the library. */
typedef struct trm_shipped_model {
  const char *name;    /**< "stiff-spring"        */
  const char *text;    /**< of the file           */
} trm_shipped_model;

/** Number of model files that come with the library. */
TRM_API int trm_shipped_model_count(void);

/** Shipped model i in the order of names, 0 <= i < count; NULL otherwise. */
TRM_API const trm_shipped_model *trm_shipped_model_at(int i);

/** Shipped model of that name, or NULL. */
TRM_API const trm_shipped_model *trm_shipped_model_find(const char *name);

/** Read a number that may have a unit: "2", "2 s", "200 ms".
 *  @param unit      gives its dimension, "s"; "" allows any
 *  @param number    receives it, in SI if it has a unit
 *  @param has_unit  receives whether one is written
 *  @return TRM_OK or TRM_ERR_INPUT */
TRM_API TRM_CHECKED trm_status trm_quantity_read(const char *text, const char *unit,
                                                 double *number, bool *has_unit, trm_error *err);

/** The same in the units of a model, as trm_system_set takes numbers: "2 kN" is 2000 where the unit
 *  of force is N. A number without a unit is used unchanged.
 *  @return TRM_OK or TRM_ERR_INPUT */
TRM_API TRM_CHECKED trm_status trm_model_quantity(const trm_model *model, const char *text,
                                                  const char *unit, double *number,
                                                  bool *has_unit, trm_error *err);

#ifdef __cplusplus
}
#endif
#endif
