/* run_page.h - run --report: the page of a run, made when it is over. */
#ifndef APP_RUN_PAGE_H
#define APP_RUN_PAGE_H
#include "options.h"
#include "output_files.h"

typedef struct app_run_page {
  char folder[APP_FOLDER_BYTES]; /* of a run file that only the page needs, "": there is none */
  char file[220];
} app_run_page;

/* Before the run: without --out it is recorded in a folder for temporary files. */
trm_status app_run_page_begin(app_run_page *page, app_options *options, trm_error *err);

/* After the run file is closed: the page, also of a run that failed. Returns the status of the run,
 * or why there is no page. */
trm_status app_run_page_end(app_run_page *page, const app_options *options, trm_status status,
                            trm_error *err);

#endif
