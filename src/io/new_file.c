/* new_file.c - files of programs that replace older ones when complete. */
#include "core/fail.h"
#include "io/export_file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct trm_new_file {
  trmi_out out;
  char     path[TRMI_PATH_MAX];
};

trm_status trm_new_file_open(const char *path, trm_new_file **file, trm_error *err) {
  TRMI_NEED(err, path, file);
  *file = NULL;
  if (strlen(path) >= TRMI_PATH_MAX) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot write '%.100s..': %s", path,
                     strerror(ENAMETOOLONG));
  }
  trm_new_file *made = malloc(sizeof *made);
  if (made == NULL) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory for a file");
  }
  memcpy(made->path, path, strlen(path) + 1);
  const trm_status status = trmi_out_open(&made->out, made->path, err);
  if (status == TRM_OK) *file = made;
  if (status != TRM_OK) free(made);
  return status;
}

FILE *trm_new_file_stream(trm_new_file *file) {
  return file->out.file;
}

trm_status trm_new_file_close(trm_new_file *file, trm_status before, trm_error *err) {
  TRMI_NEED(err, file);
  FILE *stream = file->out.file;
  const bool has_failed = ferror(stream) != 0;
  errno = 0;
  if (has_failed) { /* its reason is gone; a disk that is full is so for one more byte */
    clearerr(stream);
    (void)fputc('\n', stream);
  }
  if (fflush(stream) != 0 || has_failed) file->out.reason = errno != 0 ? errno : EIO;
  const trm_status status = trmi_out_close(&file->out, before, err);
  free(file);
  return status;
}
