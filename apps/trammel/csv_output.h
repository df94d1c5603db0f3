/* csv_output.h - the table of --csv: that of the library, with errors that name the option. */
#ifndef APP_CSV_OUTPUT_H
#define APP_CSV_OUTPUT_H
#include "trammel/export.h"

typedef struct app_csv {
  trm_csv_sink *file; /* NULL: no table */
  trm_sink      sink; /* of the file    */
} app_csv;

/* path must outlive the run. */
TRM_CHECKED trm_status app_csv_init(app_csv *csv, const char *path, trm_error *err);
trm_sink app_csv_sink(app_csv *csv);
void app_csv_free(app_csv *csv);

#endif
