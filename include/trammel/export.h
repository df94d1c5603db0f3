/* export.h - results in formats of other programs, from a run file or during a run.
 *
 *   .csv   a table: one row for each sample, one column for each signal, 17 digits
 *   .mat   MATLAB level 5, also for Octave: t, signals (a struct with a column for each
 *          signal), names, fields and units (cells of texts), model, integrator
 *   .pvd   ParaView: a list of times, and next to it a folder with a .vtu file for each:
 *          a point for every NAME.x NAME.y NAME.z, lines between neighbouring bodies
 *   .h5    HDF5: reduced flexible bodies (trm_export_modal)
 *
 * Memory does not grow with the length of the run. */
#ifndef TRM_EXPORT_H
#define TRM_EXPORT_H
#include "trammel/run_file.h"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Form of an exported file. */
typedef enum trm_export_format { TRM_EXPORT_CSV, TRM_EXPORT_MAT, TRM_EXPORT_PVD } trm_export_format;

/** The format of a file by its ending.
 *  @return TRM_OK, or TRM_ERR_INPUT for an unknown ending */
TRM_API TRM_CHECKED trm_status trm_export_format_of(const char *path, trm_export_format *format,
                                                    trm_error *err);

/** Export a run file, in the format of the ending of `path`. An incomplete file is removed.
 *  @param frames upper bound of the number of .vtu files; with more samples some are skipped evenly
 *  @return TRM_OK, TRM_ERR_INPUT (nothing to export in that form), TRM_ERR_IO, TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_export(trm_run *run, const char *path, long frames,
                                          trm_error *err);

/** Selection of the exported stress. */
typedef struct trm_stress_export {
  long        frames; /**< of .pvd, as for trm_export                                             */
  const char *nodes;  /**< of .csv: "rod.node12,rod.node15", flexible bodies and numbers of nodes
                           of their meshes; a node between materials has several stresses,
                           rod.node12 and rod.node12.2                                            */
} trm_stress_export;

/** Export the stress of flexible bodies, by the ending of `path`:
 *   .csv   at nodes over time: xx yy zz xy xz yz in body axes, and von Mises stress
 *   .pvd   as trm_export, and a .vtu file for each flexible body and time: places in the ground,
 *          `displacement` in ground axes, `stress` (XX YY ZZ XY YZ XZ) in body axes, `mises`,
 *          `node`. Cells are the elements with `stress: {nodes: all}` (types 10, 12, 13, 24, 25, 26
 *          of VTK), else triangles of the surface. NAME_BODY_max.vtu in the same folder holds the
 *          largest von Mises stress of all samples, `mises_max`, and its time, `time_of_max`
 *  @param system  of the model of the run
 *  @return as trm_export; TRM_ERR_INPUT also: no flexible body, other modes, no such node */
TRM_API TRM_CHECKED trm_status trm_export_stress(trm_run *run, const trm_system *system,
                                                 const char *path, const trm_stress_export *choice,
                                                 trm_error *err);

/** Write the reduced flexible bodies of a system to an HDF5 file. Each has a group with its name:
 *   frequency [Hz], damping, fixed_frequency [Hz]; mass, first, second, D, L, N as of
 *   trm_flexible_arrays; interfaces/NAME/at, displacement, rotation as of trm_flexible_motion_at;
 *   surface/node, place, displacement, stress as of trm_flexible_surface
 *  Attributes of the file: format, model, unit_length, unit_mass, unit_time, unit_force.
 *  @return TRM_OK, TRM_ERR_INPUT (no flexible body), TRM_ERR_IO or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_export_modal(const trm_system *system, const char *path,
                                                trm_error *err);

/** A file that replaces an older one when it is complete. */
typedef struct trm_new_file trm_new_file;

/** Begin a file. An older one is not changed until trm_new_file_close; devices and pipes are
 *  written in place.
 *  @param file  receives the file; NULL on failure
 *  @return TRM_OK, TRM_ERR_IO (it cannot be written, or another program is writing it) or
 *          TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_new_file_open(const char *path, trm_new_file **file,
                                                 trm_error *err);

/** The stream to write to; owned and closed by the file. */
TRM_API FILE *trm_new_file_stream(trm_new_file *file);

/** End a file and free it.
 *  @param before status of the work before: if it is not TRM_OK, or writing failed, the file is
 *  removed and an older one is kept
 *  @return before, if that is not TRM_OK; otherwise TRM_OK or TRM_ERR_IO */
TRM_API TRM_CHECKED trm_status trm_new_file_close(trm_new_file *file, trm_status before,
                                                  trm_error *err);

/** A table that is written during the run. */
typedef struct trm_csv_sink trm_csv_sink;

/** Prepare a table; no file is touched before the run begins. Each row is written immediately, so
 *  that a failed run leaves a readable table.
 *  @param path       must outlive the sink
 *  @param allocator  NULL: malloc
 *  @param sink       receives the sink; NULL on failure
 *  @return TRM_OK or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_csv_sink_create(const char *path, const trm_allocator *allocator,
                                                   trm_csv_sink **sink, trm_error *err);

/** The functions for trm_sim_add_sink. They return TRM_ERR_IO if the file cannot be written. */
TRM_API trm_sink trm_csv_sink_of(trm_csv_sink *sink);

/** Close the file and free the sink. Accepts NULL. */
TRM_API void trm_csv_sink_free(trm_csv_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
