/* columns.h - columns of trammel/columns.h with their sources. */
#ifndef TRMI_COLUMNS_H
#define TRMI_COLUMNS_H
#include "core/arena.h"
#include "trammel/columns.h"

typedef struct trmi_column {
  char         name[TRM_COLUMN_MAX];
  trm_signal_group   group;
  trm_quantity list;  /* list of its label; time, energy, power have none          */
  int          place; /* in that list                                              */
  int          index; /* of the column                                             */
} trmi_column;

typedef struct trmi_columns {
  trmi_column *list;                   /* [n]                                   */
  int          n;
  int          first[TRM_GROUPS + 1]; /* group g is first[g] .. first[g+1]-1   */
} trmi_columns;

/* Memory comes from the arena, including scratch for sorting. `columns` must be zero: TRM_ERR_ORDER
 * if it was created before, since a sink belongs to one simulation. */
TRM_CHECKED trm_status trmi_columns_create(const trm_system *system, trmi_arena *arena,
                                           trmi_columns *columns, trm_error *err);

/* The numbers of a sample in order of the columns, up to the group `last`. Returns the number
 * written. */
int trmi_columns_gather(const trmi_columns *columns, const trm_system *system,
                        const trm_sample *sample, trm_signal_group last, double *values);

/* Label of a column: name as in its list, object, kind. */
void trmi_column_label(const trmi_column *column, const trm_system *system, trm_label *label);

/* False for time, energy and power: their names are not those of a list. */
bool trmi_column_has_list(const trmi_column *column);

/* Unit of a column by its label: "m/s", "" if none is known. Valid as long as the label, `room` and
 * the names of the units of its system. */
const char *trmi_column_unit(const trmi_column *column, const trm_label *label,
                             const trm_unit_names *names, char room[TRM_UNIT_MAX]);

/* The length of a unit of time by its name, "ms" or "0.04 s" [s]; 1 if it is unknown. */
double trmi_unit_seconds(const char *unit);

#endif
