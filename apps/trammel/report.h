/* report.h - errors of the program: raise them, show them, exit codes. */
#ifndef APP_REPORT_H
#define APP_REPORT_H
#include "options.h"
#include "trammel/status.h"

#if defined(__GNUC__)
#define APP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define APP_PRINTF(fmt, args)
#endif

enum { APP_EXIT_OK = 0, APP_EXIT_INPUT = 2, APP_EXIT_NUMERICAL = 3, APP_EXIT_FILES = 4 };

/* Write an error and return its status; object may be NULL. */
trm_status app_fail(trm_error *err, trm_status status, const char *object, const char *fmt, ...)
    APP_PRINTF(4, 5);

/* The usual failure of malloc. */
trm_status app_fail_memory(trm_error *err);

/* Show an error: one line and perhaps a hint on stderr, and with --json the
 * error object on stdout. `context` is the model or the command, or NULL.
 * Returns the exit code. */
int app_report(const char *context, const app_options *options, const trm_error *err);

/* "trammel: note: TEXT" on stderr, with the time if it is finite. */
void app_note(const app_options *options, double t, const char *text);

#endif
