/* model_folder.h - a folder of its own for tests of model files. */
#ifndef TRM_TEST_MODEL_FOLDER_H
#define TRM_TEST_MODEL_FOLDER_H
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "fault/memory.h"
#include "io/model_reading.h"
#include "io/run_options.h"
#include <unistd.h>

#define MASS "equations: {coordinates: {x: 1}, kinetic: \"0.5*x'^2\"}\n"

/* Start value of coordinate 0. */
static inline double start_of(const trm_model *model) {
  trm_system *system;
  trm_sim *sim;
  trm_error err;
  trm_options options = trm_options_default();
  options.end = 1.0;
  CHECK_OK(trm_model_create_system(model, NULL, &system, &err), err);
  CHECK_OK(trm_sim_create(system, &options, &sim, &err), err);
  const double q = trm_sim_state(sim)->q[0];
  trm_sim_free(sim);
  trm_system_free(system);
  return q;
}

/* ---- files --------------------------------------------------------------------------- */

static char folder[] = "/tmp/trammel_model_XXXXXX";

static inline const char *path_of(const char *name) {
  static char paths[4][200];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static inline void write_file(const char *name, const char *text) {
  FILE *file = fopen(path_of(name), "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* A file of the folder has this complaint. */
static inline void file_refuses(const char *name, const char *in, int line, int column,
                                const char *part) {
  trm_model *m;
  trm_error err;
  CHECK_STATUS(trm_model_read_file(path_of(name), NULL, 0, NULL, &m, &err), TRM_ERR_INPUT);
  const trm_complaint c = trm_model_complaint_at(m, 0);
  assert_string_equal(c.file, path_of(in));
  if (c.line != line || c.column != column || strstr(c.sentence, part) == NULL) {
    fail_msg("%s: %d:%d: %s", name, c.line, c.column, c.sentence);
  }
  trm_model_free(m);
}

static inline int make_folder(void **state) {
  (void)state;
  if (mkdtemp(folder) == NULL) return 1;
  char command[300];
  snprintf(command, sizeof command, "mkdir %s/sub", folder);
  return system(command);
}

static inline int remove_folder(void **state) {
  (void)state;
  char command[300];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

#endif
