/* export_csv.c - a run as a table of text. */
#include "core/arena.h"
#include "io/export_file.h"
#include <string.h>

/* Numbers held at a time. */
enum { BLOCK = 1 << 19 };

void trmi_csv_name(trmi_out *out, const char *name) {
  if (strpbrk(name, ",\"\r\n") == NULL) {
    trmi_out_print(out, "%s", name);
    return;
  }
  trmi_out_print(out, "\"");
  for (const char *c = name; *c != '\0'; c++) trmi_out_print(out, *c == '"' ? "\"\"" : "%c", *c);
  trmi_out_print(out, "\"");
}

trm_status trmi_export_csv(trm_run *run, trmi_out *out, trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  const long columns = info->nsignals, fitting = columns < BLOCK ? BLOCK / columns : 1;
  const long most = fitting < info->nsamples ? fitting : info->nsamples;
  for (int i = 0; i < info->nsignals; i++) {
    if (i > 0) trmi_out_print(out, ",");
    trmi_csv_name(out, trm_run_signal(run, i)->name);
  }
  trmi_out_print(out, "\n");

  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  double *block = TRMI_TAKE(&arena, double, (size_t)columns * (size_t)most);
  trm_status status = trmi_arena_check(&arena, err);
  for (long row = 0; row < info->nsamples && status == TRM_OK && out->reason == 0; row += most) {
    const long rows = info->nsamples - row < most ? info->nsamples - row : most;
    status = trm_run_read_block(run, 0, info->nsignals, row, rows, block, err);
    for (long k = 0; k < rows && status == TRM_OK; k++) {
      for (int i = 0; i < info->nsignals; i++) {
        trmi_out_print(out, i == 0 ? "%.17g" : ",%.17g", block[k * columns + i]);
      }
      trmi_out_print(out, "\n");
    }
  }
  trmi_arena_clear(&arena);
  return status;
}
