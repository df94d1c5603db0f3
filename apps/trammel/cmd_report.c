/* cmd_report.c - a page that shows one run, or two over each other; pictures and films of it. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "commands.h"
#include "json_out.h"
#include "output_files.h"
#include "pictures.h"
#include "report.h"
#include "trammel/page.h"
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* The run file's name with another ending. */
static trm_status name_page(const app_options *options, char path[PATH_BYTES], trm_error *err) {
  const char *from = options->out != NULL ? options->out : options->model;
  const size_t length = strlen(from);
  const size_t stem = options->out == NULL && length > 3 && strcmp(from + length - 3, ".h5") == 0
                          ? length - 3 : length;
  if (length > PATH_BYTES - 8) {
    return app_fail(err, TRM_ERR_INPUT, "--out", "the name of the page is too long");
  }
  snprintf(path, PATH_BYTES, "%.*s%s", (int)stem, from, options->out == NULL ? ".html" : "");
  return app_check_ending("--out", path, ".html", err);
}

static void put_picture(json_t *root, const char *key, const char *path) {
  if (path != NULL) app_json_put(root, key, app_json_text(path));
}

static trm_status print_page(const app_options *options, const char *path,
                             const trm_page_info *info, trm_error *err) {
  if (options->json) {
    json_t *root = json_object();
    app_json_put(root, "out", path != NULL ? app_json_text(path) : json_null());
    app_json_put(root, "bytes", json_integer(info->bytes));
    app_json_put(root, "resolution", app_json_number(info->resolution));
    app_json_put(root, "scene", json_boolean(info->has_scene));
    put_picture(root, "png", options->png);
    put_picture(root, "frames", options->frames_folder);
    put_picture(root, "webm", options->webm);
    return app_json_print(root, err);
  }
  if (options->quiet) return TRM_OK;
  if (path != NULL) {
    printf("%s: %.1f MB, open it in a browser%s\n", path, 1e-6 * (double)info->bytes,
           info->has_scene ? "" : "; the model has no bodies, so that it shows points and curves");
  }
  const char *const pictures[] = {options->png, options->frames_folder, options->webm};
  for (int i = 0; i < 3; i++) {
    if (pictures[i] != NULL) puts(pictures[i]);
  }
  return TRM_OK;
}

static trm_status write_page(const app_options *options, trm_run *const *runs, int nruns,
                             trm_error *err) {
  char path[PATH_BYTES], folder[APP_FOLDER_BYTES] = "";
  trm_page_info info;
  const bool is_hidden = options->out == NULL && app_pictures_wanted(options);
  trm_status status = app_pictures_check(options, err);
  if (status == TRM_OK) { /* a page that only pictures need is removed */
    status = is_hidden ? app_temporary_folder(folder, err) : name_page(options, path, err);
  }
  if (is_hidden) snprintf(path, sizeof path, "%s/page.html", folder);
  if (status == TRM_OK) {
    status = trm_page_write(runs, nruns, path, &options->reductions, &info, err);
  }
  if (status == TRM_OK && app_pictures_wanted(options)) {
    status = app_pictures_draw(options, path, err);
  }
  if (status == TRM_OK) status = print_page(options, is_hidden ? NULL : path, &info, err);
  if (folder[0] != '\0') {
    unlink(path);
    rmdir(folder);
  }
  return status;
}

trm_status app_report_command(const app_options *options, trm_error *err) {
  trm_run *runs[TRM_PAGE_RUNS_MAX] = {NULL};
  const int nruns = 1 + options->nwords;
  if (nruns > TRM_PAGE_RUNS_MAX) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "a page shows one run or two, not %d", nruns);
  }
  trm_status status = TRM_OK;
  for (int i = 0; i < nruns && status == TRM_OK; i++) {
    status = trm_run_open(i == 0 ? options->model : options->words[i - 1], NULL, &runs[i], err);
  }
  if (status == TRM_OK) status = write_page(options, runs, nruns, err);
  for (int i = 0; i < nruns; i++) trm_run_close(runs[i]);
  return status;
}
