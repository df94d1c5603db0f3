/* csv_sink.h - samples as a table of comma-separated values.
 *
 * The file is made when the run begins, so bad input leaves no file. A row is
 * written whole, so a run that fails leaves a readable table. */
#ifndef APP_CSV_SINK_H
#define APP_CSV_SINK_H
#include "io/columns.h"
#include "io/replace.h"
#include "trammel/sim.h"

typedef struct app_csv {
  const char       *path;
  const trm_system *system;  /* set by begin                         */
  trmi_arena        arena;   /* of the columns                       */
  trmi_columns      columns;
  int               width;   /* columns of the table                 */
  double           *values;  /* one line as numbers                  */
  char             *row;     /* one line as text                     */
  trmi_replace      place;   /* where the file is until it has its first line */
  int               file;    /* descriptor, -1 if closed             */
  long long         written; /* bytes of complete rows               */
} app_csv;

/* path must outlive the run. */
void app_csv_init(app_csv *csv, const char *path);
trm_sink app_csv_sink(app_csv *csv);
/* Close the file if it is open and free memory. */
void app_csv_free(app_csv *csv);

#endif
