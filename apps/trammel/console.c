/* console.c - progress line and notes. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "console.h"
#include "report.h"
#include "terminal.h"
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Short runs show nothing; later the line changes ten times a second. */
static const double FIRST_AFTER = 0.3, AGAIN_AFTER = 0.1; /* [s] */
enum { LINE_WIDTH = 79, BAR_MAX = 20, PATIENCE_MAX = 4096 };

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void app_console_init(app_console *console, const app_options *options, const char *label) {
  *console = (app_console){
    .is_quiet = options->quiet, .options = options, .label = label, .end = NAN, .patience = 1,
    .has_bar = !options->quiet && isatty(STDERR_FILENO) == 1,
  };
}

void app_console_erase(app_console *console) {
  if (!console->is_drawn) return;
  FILE *line = app_terminal_progress();
  fputs("\r\033[K", line);
  fflush(line);
  console->is_drawn = false;
}

static void format_duration(double seconds, char *text, size_t size) {
  if (!(seconds < 359999)) {
    snprintf(text, size, "-:--");
    return;
  }
  const int whole = (int)(seconds + 0.5);
  if (whole >= 3600) {
    snprintf(text, size, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  } else {
    snprintf(text, size, "%d:%02d", whole / 60, whole % 60);
  }
}

static void draw(app_console *console, double t, double h, double now) {
  const double elapsed = now - console->clock_begin;
  double done = (t - console->start) / (console->end - console->start);
  if (!(done >= 0)) done = 0;
  if (done > 1) done = 1;
  char left[16], facts[128];
  format_duration(elapsed * (1 - done) / done, left, sizeof left);
  snprintf(facts, sizeof facts, "t = %.4g of %.4g %s  h = %.1e  %.3g steps/s  %s left", t,
           console->end, console->time_unit, h, (double)console->steps / elapsed, left);

  /* the bar fills the remaining width */
  const int room = LINE_WIDTH - 3 - (int)(strlen(facts) + strlen(console->label));
  const int width = room < 0 ? 0 : room < BAR_MAX ? room : BAR_MAX;
  const int filled = (int)(done * width);
  FILE *line = app_terminal_progress();
  fprintf(line, "\r%s[%.*s%.*s] %s\033[K", console->label, filled, "####################",
          width - filled, "....................", facts);
  fflush(line);
  console->is_drawn = true;
  console->clock_drawn = now;
}

static trm_status begin(void *self, const trm_system *system, const trm_options *options,
                        trm_error *err) {
  (void)err;
  app_console *console = self;
  memcpy(console->time_unit, trm_system_units(system)->time, sizeof console->time_unit);
  console->end = options->end;
  console->clock_begin = console->clock_seen = clock_now();
  return TRM_OK;
}

/* Reading the clock costs little, but a step of a small model costs less: read it less often while
 * attempts are quick, more often when they become slow. */
static trm_status step(void *self, const trm_step_record *record, trm_error *err) {
  (void)err;
  app_console *console = self;
  if (!console->has_bar) return TRM_OK;
  if (!console->has_begun) {
    console->has_begun = true;
    console->start = record->t;
  }
  if (record->accepted) console->steps++;
  if (++console->attempts < console->patience) return TRM_OK;

  const double now = clock_now();
  const double passed = now - console->clock_seen;
  if (passed < 0.002 && console->patience < PATIENCE_MAX) console->patience *= 2;
  if (passed > 0.050 && console->patience > 1) console->patience /= 2;
  console->attempts = 0;
  console->clock_seen = now;
  const bool is_time = now - console->clock_begin > FIRST_AFTER &&
                       now - console->clock_drawn > AGAIN_AFTER;
  if (is_time) draw(console, record->t + (record->accepted ? record->h : 0), record->h, now);
  return TRM_OK;
}

static void message(void *self, double t, const char *text) {
  app_console *console = self;
  if (console->is_quiet) return;
  app_console_erase(console);
  app_note(console->options, t, text);
}

/* The summary and the JSON object have it. */
static void choice(void *self, double t, const char *text) {
  (void)self, (void)t, (void)text;
}

static trm_status end(void *self, const trm_counters *counters, const trm_error *failure,
                      trm_error *err) {
  (void)counters, (void)failure, (void)err;
  app_console_erase(self);
  return TRM_OK;
}

trm_sink app_console_sink(app_console *console) {
  return (trm_sink){
    .self = console, .begin = begin, .step = step, .message = message, .choice = choice,
    .end = end};
}
