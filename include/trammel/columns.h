/* columns.h - a unique name for every number of a sample.
 *
 *   t, coordinates, velocities, accelerations, multipliers, states, variables,
 *   outputs, kinetic, potential; then power, rates of states, discrete values, inputs,
 *   loads of elements
 *
 * Run files, tables and plots use these names. Where a velocity has the name of a coordinate, x,
 * its column is d(x) and that of its derivative dd(x); a velocity with a name of its own, crank.vx,
 * keeps it, and its derivative is d(crank.vx). The rate of a state p is d(p). A name that is
 * already taken gets the name of its list as a prefix: "output:x".
 *
 * Life cycle: trm_columns_create -> trm_columns_find, trm_columns_gather -> trm_columns_free. */
#ifndef TRM_COLUMNS_H
#define TRM_COLUMNS_H
#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The lists of a sample in the order of the columns. Tables end with TRM_GROUP_ENERGY, run files
 *  hold all of them. */
typedef enum trm_signal_group {
  TRM_GROUP_TIME,
  TRM_GROUP_COORDINATES,
  TRM_GROUP_VELOCITIES,
  TRM_GROUP_ACCELERATIONS,
  TRM_GROUP_MULTIPLIERS,
  TRM_GROUP_STATES,
  TRM_GROUP_VARIABLES,
  TRM_GROUP_OUTPUTS,
  TRM_GROUP_ENERGY,
  TRM_GROUP_POWER,
  TRM_GROUP_STATE_RATES,
  TRM_GROUP_DISCRETE,
  TRM_GROUP_INPUTS,
  TRM_GROUP_LOADS,
  TRM_GROUPS
} trm_signal_group;

/** Size of the name of a column, with the zero byte. */
enum { TRM_COLUMN_MAX = 96 };

/** Name of a group: "time", "coordinates", .. */
TRM_API const char *trm_signal_group_name(trm_signal_group group);

/** The columns of one system. */
typedef struct trm_columns trm_columns;

/** Name all numbers of the samples of a system.
 *  @param system     must outlive the columns
 *  @param allocator  NULL: malloc
 *  @param columns    receives the columns; NULL on failure
 *  @return TRM_OK or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_columns_create(const trm_system *system,
                                                  const trm_allocator *allocator,
                                                  trm_columns **columns, trm_error *err);

/** Free the columns. Accepts NULL. */
TRM_API void trm_columns_free(trm_columns *columns);

/** First column of a group; with TRM_GROUPS the total number of columns. */
TRM_API int trm_columns_first(const trm_columns *columns, trm_signal_group group);

/** Name of column i. Valid until trm_columns_free. */
TRM_API const char *trm_columns_name(const trm_columns *columns, int i);

/** Number of the column with this name, -1 if there is none. */
TRM_API int trm_columns_find(const trm_columns *columns, const char *name);

/** Copy the numbers of a sample in the order of the columns.
 *  @param last    last group that is copied
 *  @param values  has room for trm_columns_first(columns, last + 1) numbers
 *  @return the number copied */
TRM_API int trm_columns_gather(const trm_columns *columns, const trm_sample *sample,
                               trm_signal_group last, double *values);

#ifdef __cplusplus
}
#endif
#endif
