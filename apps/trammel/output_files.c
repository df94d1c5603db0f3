/* output_files.c - compares the outputs of a command with all files that it reads. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "output_files.h"
#include "report.h"
#include "trammel/model.h"
#include "trammel/run_file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One output against one file. @param what  the file, in words */
static trm_status compare(const char *option, const char *path, const char *what,
                          const char *other, trm_error *err) {
  if (path == NULL || other == NULL || !trm_is_same_file(path, other)) return TRM_OK;
  return app_fail(err, TRM_ERR_INPUT, option, "'%.150s' is %s '%.150s': give another name", path,
                  what, other);
}

static trm_status compare_inputs(const app_options *options, const char *option, const char *path,
                                 trm_error *err) {
  trm_status status = compare(option, path, "the file to continue from,", options->restart, err);
  /* without a model that was read it is a run file, or the name of a built-in problem */
  const bool is_file = options->loaded == NULL && options->model != NULL &&
                       trm_problem_find(options->model) == NULL;
  if (status == TRM_OK && is_file) {
    status = compare(option, path, "the input", options->model, err);
  }
  for (int i = 0; i < options->nwords && status == TRM_OK; i++) {
    status = compare(option, path, "the input", options->words[i], err);
  }
  const char *name;
  for (int i = 0; options->loaded != NULL && status == TRM_OK &&
                  (name = trm_model_file_at(options->loaded, i)) != NULL; i++) {
    status = compare(option, path, "a file that the model uses,", name, err);
  }
  return status;
}

trm_status app_outputs_check(const app_options *options, trm_error *err) {
  trm_status status = TRM_OK;
  if (options->out != NULL) status = compare_inputs(options, "--out", options->out, err);
  if (status == TRM_OK && options->loads != NULL) {
    status = compare_inputs(options, "--loads", options->loads, err);
  }
  if (status == TRM_OK && options->csv != NULL) {
    status = compare_inputs(options, "--csv", options->csv, err);
  }
  if (status == TRM_OK && options->report != NULL) {
    status = compare_inputs(options, "--report", options->report, err);
  }
  if (status == TRM_OK && options->report != NULL) {
    status = compare("--report", options->report, "also the file of --out,", options->out, err);
  }
  if (status == TRM_OK && options->report != NULL) {
    status = compare("--report", options->report, "also the file of --csv,", options->csv, err);
  }
  if (status == TRM_OK && options->out != NULL) {
    status = compare("--csv", options->csv, "also the file of --out,", options->out, err);
  }
  return status;
}

trm_status app_check_ending(const char *option, const char *path, const char *ending,
                            trm_error *err) {
  const size_t n = path != NULL ? strlen(path) : 0, k = strlen(ending);
  if (path == NULL || (n > k && strcmp(path + n - k, ending) == 0)) return TRM_OK;
  return app_fail(err, TRM_ERR_INPUT, option, "'%.200s' must end in %s", path, ending);
}

trm_status app_temporary_folder(char folder[APP_FOLDER_BYTES], trm_error *err) {
  const char *place = getenv("TMPDIR");
  snprintf(folder, APP_FOLDER_BYTES, "%.150s/trammel-XXXXXX",
           place != NULL && place[0] != '\0' ? place : "/tmp");
  if (mkdtemp(folder) != NULL) return TRM_OK;
  const int reason = errno;
  folder[0] = '\0';
  return app_fail(err, TRM_ERR_IO, NULL, "cannot make a folder for temporary files: %s",
                  strerror(reason));
}
