/* columns.h - one name for every number of a sample, all different.
 *
 *   t, coordinates, velocities, accelerations, multipliers, states, variables,
 *   outputs, kinetic, potential
 *
 * Where a velocity has the name of a coordinate, x, its column is d(x) and that
 * of its derivative dd(x); a velocity with a name of its own, crank.vx, keeps it
 * and its derivative is d(crank.vx). A name used before gets its list in front:
 * "output:x". */
#ifndef APP_COLUMNS_H
#define APP_COLUMNS_H
#include "trammel/system.h"

/* The lists of a sample, in order of the columns. */
typedef enum app_section {
  APP_SECTION_TIME, APP_SECTION_COORDINATE, APP_SECTION_VELOCITY, APP_SECTION_ACCELERATION,
  APP_SECTION_HOLONOMIC, APP_SECTION_NONHOLONOMIC, APP_SECTION_STATE, APP_SECTION_VARIABLE,
  APP_SECTION_OUTPUT, APP_SECTION_ENERGY, APP_SECTIONS
} app_section;

enum { APP_COLUMN_MAX = 96 };

typedef struct app_column {
  char        name[APP_COLUMN_MAX];
  app_section section;
  int         index; /* of the column */
} app_column;

typedef struct app_columns {
  app_column *list;                /* [n]                                   */
  int         n;
  int         first[APP_SECTIONS + 1]; /* section s is first[s] .. first[s+1]-1 */
} app_columns;

TRM_CHECKED trm_status app_columns_create(const trm_system *system, app_columns *columns,
                                          trm_error *err);
void app_columns_free(app_columns *columns);

#endif
