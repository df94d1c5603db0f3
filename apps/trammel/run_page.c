/* run_page.c - run --report. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "run_page.h"
#include "output_files.h"
#include "report.h"
#include "trammel/page.h"
#include <unistd.h>

trm_status app_run_page_begin(app_run_page *page, app_options *options, trm_error *err) {
  *page = (app_run_page){.folder = ""};
  if (options->report == NULL) return TRM_OK;
  if (!trm_page_is_built()) {
    return app_fail(err, TRM_ERR_INPUT, "--report", "this program was built without the page, "
                    "which needs nodejs, npm and its registry: install them, and build it again");
  }
  trm_status status = app_check_ending("--report", options->report, ".html", err);
  if (status != TRM_OK || options->out != NULL) return status;
  status = app_temporary_folder(page->folder, err);
  if (status != TRM_OK) return status;
  snprintf(page->file, sizeof page->file, "%s/run.h5", page->folder);
  options->out = page->file;
  return TRM_OK;
}

static trm_status write_page(const app_options *options, trm_error *err) {
  trm_run *run = NULL;
  trm_status status = trm_run_open(options->out, NULL, &run, err);
  if (status == TRM_OK) {
    status = trm_page_write(&run, 1, options->report, &options->reductions, NULL, err);
  }
  trm_run_close(run);
  return status;
}

trm_status app_run_page_end(app_run_page *page, const app_options *options, trm_status status,
                            trm_error *err) {
  if (options->report != NULL && options->out != NULL && access(options->out, F_OK) == 0) {
    trm_error own; /* the sentence of a run that failed is worth more */
    const trm_status made = write_page(options, status == TRM_OK ? err : &own);
    if (made == TRM_OK && !options->quiet && !options->json) printf("page %s\n", options->report);
    if (status == TRM_OK) status = made;
  }
  if (page->folder[0] != '\0') {
    unlink(page->file);
    rmdir(page->folder);
  }
  return status;
}
