/* report.c - errors as a line for people and as an object for programs. */
#include "report.h"
#include "interrupt.h"
#include "json_out.h"
#include "load_model.h"
#include "trammel/system.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

trm_status app_fail(trm_error *err, trm_status status, const char *object, const char *fmt, ...) {
  char sentence[TRM_MESSAGE_MAX];
  va_list args;
  va_start(args, fmt);
  vsnprintf(sentence, sizeof sentence, fmt, args);
  va_end(args);
  return trm_fail(err, status, object, sentence);
}

trm_status app_fail_memory(trm_error *err) {
  return trm_fail(err, TRM_ERR_MEMORY, NULL, "out of memory");
}

static int exit_code(trm_status status) {
  switch (status) {
  case TRM_OK: return APP_EXIT_OK;
  case TRM_ERR_INPUT: return APP_EXIT_INPUT;
  case TRM_ERR_IO: return APP_EXIT_FILES;
  default: return APP_EXIT_NUMERICAL;
  }
}

/* What to try next, or NULL. */
static const char *hint_for(const trm_error *err, const app_options *options) {
  const bool is_fixed = options->sim.nsteps > 0 || options->npatterns > 0;
  switch (err->status) {
  case TRM_ERR_STEP:
    if (options->npatterns > 0) return "try smaller --steps";
    if (is_fixed) return "try a smaller --step, or error-controlled steps with --tolerance";
    if (options->sim.step_min > 0.0) return "try a smaller --step-min";
    if (strstr(err->message, "began inside each other") != NULL) return NULL; /* that says it */
    return "try a larger --tolerance; if it stops at one place, look at the motion just before it";
  case TRM_RETRY_NEWTON: return "try a smaller --step or more --max-iterations";
  case TRM_ERR_NOT_FINITE:
    if (!isfinite(err->h)) return NULL; /* at the start: no step was taken */
    return is_fixed ? "try a smaller --step" : "try a smaller --step-first or --step-max";
  case TRM_ERR_SINGULAR:
    if (strstr(err->message, "redundant") == NULL) return NULL; /* it has no mass, and says so */
    return "'trammel check MODEL' lists redundant constraints";
  case TRM_ERR_ASSEMBLY:
    return "give start values nearer to the assembled place; if that does not help, these parts "
           "contradict each other: check their lengths, or leave one out";
  default: return NULL;
  }
}

static void print_line(const char *context, const app_options *options, const trm_error *err) {
  const trm_unit_names units = app_model_units(options);
  fputs("trammel: ", stderr);
  /* a fault of the file that only building shows has its name already */
  const bool is_named = context != NULL && strncmp(err->message, context, strlen(context)) == 0 &&
                        err->message[strlen(context)] == ':';
  if (context != NULL && !is_named) fprintf(stderr, "%s: ", context);
  if (err->object[0] != '\0') fprintf(stderr, "%s: ", err->object);
  fputs(err->message, stderr);
  if (isfinite(err->t) && isfinite(err->h)) {
    fprintf(stderr, "  [t = %.9g %s, h = %.6g %s]", err->t, units.time, err->h, units.time);
  } else if (isfinite(err->t)) {
    fprintf(stderr, "  [t = %.9g %s]", err->t, units.time);
  }
  fputc('\n', stderr);
}

/* All faults of a model file, one line each. */
static void print_complaints(const trm_model *model) {
  const int count = trm_model_complaint_count(model), total = trm_model_complaint_total(model);
  for (int i = 0; i < count; i++) {
    const trm_complaint c = trm_model_complaint_at(model, i);
    fprintf(stderr, "trammel: %s:%d:%d: %s\n", c.file, c.line, c.column, c.sentence);
  }
  if (total > count) fprintf(stderr, "trammel: and %d more\n", total - count);
}

int app_report(const char *context, const app_options *options, const trm_error *failure) {
  trm_error own = *failure;
  const trm_error *err = &own;
  if (own.status == TRM_ERR_STOPPED) {
    const size_t used = strlen(own.message);
    snprintf(own.message + used, sizeof own.message - used, "%s", app_interrupt_reason());
  }
  if (options->loaded != NULL && trm_model_complaint_count(options->loaded) > 0) {
    print_complaints(options->loaded);
  } else {
    print_line(context, options, err);
  }
  const char *hint = hint_for(err, options);
  if (hint != NULL) fprintf(stderr, "hint: %s\n", hint);
  if (err->status == TRM_ERR_STOPPED && options->out != NULL) {
    fprintf(stderr, "hint: continue with 'trammel run --restart %s'\n", options->out);
  }
  if (options->json) app_json_error(err);
  return exit_code(err->status);
}

void app_note(const app_options *options, double t, const char *text) {
  fprintf(stderr, "trammel: note: %s", text);
  if (isfinite(t)) fprintf(stderr, "  [t = %.9g %s]", t, app_model_units(options).time);
  fputc('\n', stderr);
}
