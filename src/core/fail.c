/* fail.c - writing of errors. */
#include "core/fail.h"
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

trm_status trmi_raise(trm_error *err, const char *func, trm_status status, const char *object,
                      const char *fmt, ...) {
  if (err == NULL) return status;
  *err = (trm_error){.status = status, .t = NAN, .h = NAN};
  va_list args;
  va_start(args, fmt);
  vsnprintf(err->message, sizeof err->message, fmt, args);
  va_end(args);
  snprintf(err->object, sizeof err->object, "%s", object != NULL ? object : "");
  return trmi_note(err, func, status);
}

trm_status trmi_note(trm_error *err, const char *func, trm_status status) {
  if (err != NULL && err->depth < TRM_TRAIL_MAX) err->trail[err->depth++] = func;
  return status;
}

trm_status trmi_note_time(trm_error *err, double t, double h, trm_status status) {
  if (err != NULL && isnan(err->t)) {
    err->t = t;
    err->h = h;
  }
  return status;
}

trm_status trmi_need(trm_error *err, const char *func, const char *names,
                     const void *const *pointers, int count) {
  for (int i = 0; i < count; i++) {
    const int length = (int)strcspn(names, ",");
    if (pointers[i] == NULL) {
      return trmi_raise(err, func, TRM_ERR_INPUT, NULL, "%s: '%.*s' is NULL", func, length, names);
    }
    names += length;
    names += strspn(names, ", ");
  }
  return TRM_OK;
}

void trmi_error_clear(trm_error *err) {
  err->status = TRM_OK;
  err->message[0] = err->object[0] = '\0';
  err->t = err->h = NAN;
  err->depth = 0;
}

char trmi_ask_begin(trm_error *err) {
  if (err == NULL) return '\0';
  const char before = err->message[0];
  err->message[0] = '\0';
  return before;
}

void trmi_ask_end(trm_error *err, char before) {
  if (err != NULL) err->message[0] = before;
}

trm_status trmi_ask_failed(trm_error *err, const char *func, trm_status status,
                           const char *object, const char *name) {
  const bool is_known = status >= TRM_ERR_BALANCE && status <= TRM_RETRY_PATTERN;
  const trm_status result = is_known ? status : TRM_ERR_INPUT;
  if (!is_known) {
    return trmi_raise(err, func, result, object, "its function '%s' returned %d, which is not "
                      "a status", name, (int)status);
  }
  if (err == NULL || err->message[0] != '\0') return trmi_note(err, func, result);
  return trmi_raise(err, func, result, object, "its function '%s' returned %s and no sentence",
                    name, trm_status_name(result));
}

const char *trm_status_name(trm_status status) {
  switch (status) {
  case TRM_OK: return "TRM_OK";
  case TRM_RETRY_NEWTON: return "TRM_RETRY_NEWTON";
  case TRM_RETRY_ERROR: return "TRM_RETRY_ERROR";
  case TRM_RETRY_DOMAIN: return "TRM_RETRY_DOMAIN";
  case TRM_RETRY_SINGULAR: return "TRM_RETRY_SINGULAR";
  case TRM_RETRY_PATTERN: return "TRM_RETRY_PATTERN";
  case TRM_ERR_INPUT: return "TRM_ERR_INPUT";
  case TRM_ERR_ORDER: return "TRM_ERR_ORDER";
  case TRM_ERR_MEMORY: return "TRM_ERR_MEMORY";
  case TRM_ERR_SINGULAR: return "TRM_ERR_SINGULAR";
  case TRM_ERR_STEP: return "TRM_ERR_STEP";
  case TRM_ERR_NOT_FINITE: return "TRM_ERR_NOT_FINITE";
  case TRM_ERR_ASSEMBLY: return "TRM_ERR_ASSEMBLY";
  case TRM_ERR_IO: return "TRM_ERR_IO";
  case TRM_ERR_STOPPED: return "TRM_ERR_STOPPED";
  case TRM_ERR_BALANCE: return "TRM_ERR_BALANCE";
  }
  return "unknown status";
}
