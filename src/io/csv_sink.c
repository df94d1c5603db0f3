/* csv_sink.c - write a table row by row. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/columns.h"
#include "io/replace.h"
#include "trammel/export.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A quoted name at most doubles every letter; a number has up to 24 letters. */
enum { CELL_MAX = 2 * TRM_COLUMN_MAX + 3 };

struct trm_csv_sink {
  trm_allocator     allocator;
  const char       *path;
  const trm_system *system;  /* set by begin                         */
  trmi_arena        arena;   /* of the columns                       */
  trmi_columns      columns;
  int               width;   /* columns of the table                 */
  double           *values;  /* one line as numbers                  */
  char             *row;     /* one line as text                     */
  trmi_replace      place;   /* the draft, until the file has its first line */
  int               file;    /* descriptor, -1 if closed             */
  long long         written; /* bytes of complete rows               */
};

/* Write one line completely, or truncate the file to the lines before it. */
static trm_status write_row(trm_csv_sink *csv, size_t length, trm_error *err) {
  for (size_t done = 0; done < length;) {
    const ssize_t count = write(csv->file, csv->row + done, length - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int reason = errno;
      /* devices cannot be truncated, and nothing is lost then */
      if (ftruncate(csv->file, (off_t)csv->written) != 0) errno = reason;
      return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot write '%.200s': %s", csv->path,
                      strerror(reason));
    }
    done += (size_t)count;
  }
  csv->written += (long long)length;
  return TRM_OK;
}

/* Append a name, in quotes if it holds a comma, a quote or a line end. */
static size_t put_name(char *out, const char *name) {
  const bool is_quoted = strpbrk(name, ",\"\r\n") != NULL;
  size_t n = 0;
  if (is_quoted) out[n++] = '"';
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '"') out[n++] = '"';
    out[n++] = *c;
  }
  if (is_quoted) out[n++] = '"';
  return n;
}

static trm_status write_header(trm_csv_sink *csv, trm_error *err) {
  size_t length = 0;
  for (int i = 0; i < csv->width; i++) {
    if (i > 0) csv->row[length++] = ',';
    length += put_name(csv->row + length, csv->columns.list[i].name);
  }
  csv->row[length++] = '\n';
  return write_row(csv, length, err);
}

static trm_status fail_open(const trm_csv_sink *csv, int reason, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot write '%.200s': %s", csv->path,
                  reason == EAGAIN ? "another run is writing it" : strerror(reason));
}

/* The table gets its name with its first line; until then an older one is kept. */
static trm_status open_file(trm_csv_sink *csv, trm_error *err) {
  int reason = trmi_replace_begin(&csv->place, csv->path, &csv->file);
  if (reason != 0) return fail_open(csv, reason, err);
  const trm_status status = write_header(csv, err);
  if (status == TRM_OK) reason = trmi_replace_publish(&csv->place);
  if (status == TRM_OK && reason == 0) return TRM_OK;
  trmi_replace_discard(&csv->place);
  return status != TRM_OK ? status : fail_open(csv, reason, err);
}

static trm_status begin(void *self, const trm_system *system, const trm_options *options,
                        trm_error *err) {
  (void)options;
  trm_csv_sink *csv = self;
  TRMI_TRY(err, trmi_columns_create(system, &csv->arena, &csv->columns, err));
  csv->system = system;
  csv->width = csv->columns.first[TRM_GROUP_ENERGY + 1];
  csv->values = TRMI_TAKE(&csv->arena, double, csv->width);
  csv->row = TRMI_TAKE(&csv->arena, char, (size_t)csv->width * (CELL_MAX + 1) + 1);
  TRMI_TRY(err, trmi_arena_check(&csv->arena, err));
  return open_file(csv, err);
}

static trm_status sample(void *self, const trm_sample *now, trm_error *err) {
  trm_csv_sink *csv = self;
  trmi_columns_gather(&csv->columns, csv->system, now, TRM_GROUP_ENERGY, csv->values);
  size_t length = 0;
  for (int i = 0; i < csv->width; i++) {
    length += (size_t)snprintf(csv->row + length, CELL_MAX, i > 0 ? ",%.17g" : "%.17g",
                               csv->values[i]);
  }
  csv->row[length++] = '\n';
  return write_row(csv, length, err);
}

static trm_status end(void *self, const trm_counters *counters, const trm_error *failure,
                      trm_error *err) {
  (void)counters, (void)failure;
  trm_csv_sink *csv = self;
  if (csv->file < 0) return TRM_OK;
  const int result = close(csv->file);
  csv->file = -1;
  if (result == 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot finish '%.200s': %s", csv->path,
                  strerror(errno));
}

trm_status trm_csv_sink_create(const char *path, const trm_allocator *allocator,
                               trm_csv_sink **sink, trm_error *err) {
  TRMI_NEED(err, path, sink);
  const trm_allocator use = allocator != NULL ? *allocator : (trm_allocator){0};
  trm_csv_sink *csv = trmi_allocate(&use, sizeof *csv);
  *sink = csv;
  if (csv == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for a table");
  *csv = (trm_csv_sink){.allocator = use, .path = path, .file = -1};
  trmi_arena_init(&csv->arena, &use);
  return TRM_OK;
}

trm_sink trm_csv_sink_of(trm_csv_sink *sink) {
  if (sink == NULL) return (trm_sink){0};
  return (trm_sink){.self = sink, .begin = begin, .sample = sample, .end = end};
}

void trm_csv_sink_free(trm_csv_sink *sink) {
  if (sink == NULL) return;
  if (sink->file >= 0) close(sink->file);
  trmi_arena_clear(&sink->arena);
  const trm_allocator allocator = sink->allocator;
  trmi_release(&allocator, sink);
}
