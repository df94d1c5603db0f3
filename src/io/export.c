/* export.c - choice of the format, files. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "core/fail.h"
#include "io/export_file.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* ---- files -------------------------------------------------------------------- */

static trm_status fail_write(const trmi_out *out, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot write '%.200s': %s", out->path,
                   strerror(out->reason));
}

trm_status trmi_out_open(trmi_out *out, const char *path, trm_error *err) {
  int descriptor;
  *out = (trmi_out){.path = path};
  out->reason = trmi_replace_begin(&out->place, path, &descriptor);
  if (out->reason == EAGAIN) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot write '%.200s': another program is writing it",
                     path);
  }
  if (out->reason == 0) out->file = fdopen(descriptor, "wb");
  if (out->file != NULL) return TRM_OK;
  if (out->reason == 0) {
    out->reason = errno;
    trmi_replace_discard(&out->place);
    close(descriptor);
  }
  return fail_write(out, err);
}

void trmi_out_bytes(trmi_out *out, const void *bytes, size_t count) {
  if (out->reason != 0 || count == 0) return;
  errno = 0;
  if (fwrite(bytes, 1, count, out->file) != count) out->reason = errno != 0 ? errno : EIO;
}

void trmi_out_print(trmi_out *out, const char *fmt, ...) {
  char text[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  trmi_out_bytes(out, text, strlen(text));
}

trm_status trmi_out_close(trmi_out *out, trm_status before, trm_error *err) {
  if (fclose(out->file) != 0 && out->reason == 0) out->reason = errno;
  if (before == TRM_OK && out->reason == 0) out->reason = trmi_replace_publish(&out->place);
  if (before == TRM_OK && out->reason == 0) return TRM_OK;
  trmi_replace_discard(&out->place);
  return before != TRM_OK ? before : fail_write(out, err);
}

/* ---- forms -------------------------------------------------------------------- */

trm_status trm_export_format_of(const char *path, trm_export_format *format, trm_error *err) {
  TRMI_NEED(err, path, format);
  static const char *const endings[] = {".csv", ".mat", ".pvd"};
  const char *dot = strrchr(path, '.');
  for (int i = 0; dot != NULL && i < 3; i++) {
    if (strcmp(dot, endings[i]) != 0) continue;
    *format = (trm_export_format)i;
    return TRM_OK;
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                   "'%.200s' cannot be exported to: its name must end in .csv, .mat or .pvd", path);
}

trm_status trm_export(trm_run *run, const char *path, long frames, trm_error *err) {
  TRMI_NEED(err, run, path);
  trm_export_format format = TRM_EXPORT_CSV;
  TRMI_TRY(err, trm_export_format_of(path, &format, err));
  if (trm_run_info_of(run)->nsamples < 1) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run file holds no sample to export");
  }
  trmi_out out;
  TRMI_TRY(err, trmi_out_open(&out, path, err));
  trm_status status = TRM_OK;
  switch (format) {
  case TRM_EXPORT_CSV: status = trmi_export_csv(run, &out, err); break;
  case TRM_EXPORT_MAT: status = trmi_export_mat(run, &out, err); break;
  case TRM_EXPORT_PVD: status = trmi_export_pvd(run, NULL, &out, frames, err); break;
  }
  TRMI_TRY(err, trmi_out_close(&out, status, err));
  return TRM_OK;
}

trm_status trm_export_stress(trm_run *run, const trm_system *system, const char *path,
                             const trm_stress_export *choice, trm_error *err) {
  TRMI_NEED(err, run, system, path, choice);
  trm_export_format format = TRM_EXPORT_CSV;
  TRMI_TRY(err, trm_export_format_of(path, &format, err));
  if (trm_run_info_of(run)->nsamples < 1) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run file holds no sample to export");
  }
  if (format == TRM_EXPORT_MAT || (format == TRM_EXPORT_CSV && choice->nodes == NULL)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "stress can be written as .pvd, or as .csv for a "
                     "list of nodes: '%.200s' cannot be exported to", path);
  }
  trmi_out out;
  TRMI_TRY(err, trmi_out_open(&out, path, err));
  const trm_status status =
      format == TRM_EXPORT_PVD ? trmi_export_pvd(run, system, &out, choice->frames, err)
                               : trmi_export_stress_csv(run, system, choice->nodes, &out, err);
  TRMI_TRY(err, trmi_out_close(&out, status, err));
  return TRM_OK;
}
