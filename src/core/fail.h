/* fail.h - raises an error once, adds context while it is passed up. */
#ifndef TRMI_FAIL_H
#define TRMI_FAIL_H
#include "core/compiler.h"
#include "trammel/status.h"
#include <stdbool.h>
#include <stddef.h>

/* err may be NULL, object may be NULL. Returns `status`. */
trm_status trmi_raise(trm_error *err, const char *func, trm_status status, const char *object,
                      const char *fmt, ...) TRMI_PRINTF(5, 6);
trm_status trmi_note(trm_error *err, const char *func, trm_status status);

/* Adds time and step to an error that does not have them yet. Returns `status`. */
trm_status trmi_note_time(trm_error *err, double t, double h, trm_status status);

/* Raise an error: the only place where a message is written. */
#define TRMI_FAIL(err, status, object, ...) \
  trmi_raise((err), __func__, (status), (object), __VA_ARGS__)

/* Pass an error on: leave the function with the status, after recording its name. */
#define TRMI_TRY(err, call)                           \
  do {                                                \
    const trm_status try_status_ = (call);            \
    if (try_status_ != TRM_OK) {                      \
      return trmi_note((err), __func__, try_status_); \
    }                                                 \
  } while (0)

/* A call of a function that belongs to the user, which may fail without writing the error:
 *   TRMI_ASK(err, sys->ops->name, "values", sys->ops->values(sys->self, s, out, err));
 * passes its status on, with a sentence that names the function if it wrote none. */
#define TRMI_ASK(err, object, name, call)                                                    \
  do {                                                                                       \
    const char ask_before_ = trmi_ask_begin((err));                                          \
    const trm_status ask_status_ = (call);                                                   \
    if (ask_status_ != TRM_OK) {                                                             \
      return trmi_ask_failed((err), __func__, ask_status_, (object), (name));                \
    }                                                                                        \
    trmi_ask_end((err), ask_before_);                                                        \
  } while (0)
static inline char trmi_ask_begin(trm_error *err) {
  if (err == NULL) return '\0';
  const char before = err->message[0];
  err->message[0] = '\0';
  return before;
}
static inline void trmi_ask_end(trm_error *err, char before) {
  if (err != NULL) err->message[0] = before;
}
trm_status trmi_ask_failed(trm_error *err, const char *func, trm_status status,
                           const char *object, const char *name);

/* Clear an error. */
void trmi_error_clear(trm_error *err);

/* Reject NULL for required pointers: leaves the function with TRM_ERR_INPUT and the name of the
 * first NULL pointer. Functions of every step use it: names are evaluated only if one is NULL. */
trm_status trmi_refuse_null(trm_error *err, const char *func, const char *names,
                            const void *const *pointers);
static inline bool trmi_has_null(const void *const *pointers, size_t count) {
  bool has = false;
  for (size_t i = 0; i < count; i++) has = has || pointers[i] == NULL;
  return has;
}
#define TRMI_NEED(err, ...)                                                \
  do {                                                                     \
    const void *const needed_[] = {__VA_ARGS__};                           \
    if (trmi_has_null(needed_, sizeof needed_ / sizeof *needed_)) {        \
      return trmi_refuse_null((err), __func__, #__VA_ARGS__, needed_);     \
    }                                                                      \
  } while (0)

#endif
