/* fail.h - raise an error once, add context while it is passed up. */
#ifndef TRMI_FAIL_H
#define TRMI_FAIL_H
#include "core/compiler.h"
#include "trammel/status.h"

/* err may be NULL, object may be NULL. Returns `status`. */
trm_status trmi_raise(trm_error *err, const char *func, trm_status status, const char *object,
                      const char *fmt, ...) TRMI_PRINTF(5, 6);
trm_status trmi_note(trm_error *err, const char *func, trm_status status);

/* Adds time and step to an error that does not have them yet. Returns `status`. */
trm_status trmi_note_time(trm_error *err, double t, double h, trm_status status);

/* Raise: the only place where a message is written. */
#define TRMI_FAIL(err, status, object, ...) \
  trmi_raise((err), __func__, (status), (object), __VA_ARGS__)

/* Pass on: leave the function with the status, after noting its name. */
#define TRMI_TRY(err, call)                           \
  do {                                                \
    const trm_status try_status_ = (call);            \
    if (try_status_ != TRM_OK) {                      \
      return trmi_note((err), __func__, try_status_); \
    }                                                 \
  } while (0)

#endif
