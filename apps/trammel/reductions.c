/* reductions.c - the cache of reduced meshes and the progress of a reduction. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "reductions.h"
#include "report.h"
#include "terminal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double FIRST_AFTER = 0.3; /* [s]; short reductions show nothing */
enum { BAR = 20 };

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void erase(app_reductions *shown) {
  if (!shown->is_drawn) return;
  FILE *line = app_terminal_progress();
  fputs("\r\033[K", line);
  fflush(line);
  shown->is_drawn = false;
}

/* Names of models may come from others: control characters of a name must not reach the
 * terminal. */
static void draw(app_reductions *shown, const trm_reduction_news *news) {
  char name[41] = "";
  for (int i = 0; i < 40 && news->body[i] != '\0'; i++) {
    const unsigned char letter = (unsigned char)news->body[i];
    name[i] = letter < 32 || letter == 127 ? '?' : (char)letter;
  }
  const int filled = (int)(news->done * BAR);
  FILE *line = app_terminal_progress();
  fprintf(line, "\rmesh of '%s' [%.*s%.*s] %s\033[K", name, filled, "####################",
          BAR - filled, "....................", news->step);
  fflush(line);
  shown->is_drawn = true;
}

/* A model is built several times, and two bodies may have the same mesh: notes are not repeated. */
static void print_note(app_reductions *shown, const trm_reduction_news *news) {
  char text[APP_CACHE_NOTE];
  unsigned long sum = 5381;
  for (const char *c = news->note; *c != '\0'; c++) sum = 33 * sum + (unsigned char)*c;
  for (int i = 0; i < shown->nseen; i++) {
    if (shown->seen[i] == sum) return;
  }
  if (shown->options->quiet) return;
  if (shown->nseen < APP_CACHE_NOTES) shown->seen[shown->nseen++] = sum;
  snprintf(text, sizeof text, "flexible body '%.60s': %s", news->body, news->note);
  app_note(shown->options, NAN, text);
}

static void report(void *self, const trm_reduction_news *news) {
  app_reductions *shown = self;
  const double now = clock_now();
  if (news->note != NULL) {
    erase(shown);
    print_note(shown, news);
    return;
  }
  if (news->done <= 0.0) shown->begun = now;
  if (news->done >= 1.0) {
    erase(shown);
  } else if (!shown->options->quiet && isatty(STDERR_FILENO) == 1 &&
             (now - shown->begun > FIRST_AFTER || news->done > 0.0)) {
    draw(shown, news);
  }
}

/* The specification of XDG ignores relative paths. False: too long. */
static bool find_folder(const char *given, char folder[APP_CACHE_BYTES]) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = 0;
  folder[0] = '\0';
  if (given != NULL) {
    if (strcmp(given, "none") != 0) length = snprintf(folder, APP_CACHE_BYTES, "%s", given);
  } else if (cache != NULL && cache[0] == '/') {
    length = snprintf(folder, APP_CACHE_BYTES, "%s/trammel", cache);
  } else if (home != NULL && home[0] == '/') {
    length = snprintf(folder, APP_CACHE_BYTES, "%s/.cache/trammel", home);
  }
  return length >= 0 && length < APP_CACHE_BYTES;
}

trm_status app_reductions_init(app_reductions *shown, app_options *options, trm_error *err) {
  *shown = (app_reductions){.options = options};
  if (options->cache != NULL && options->cache[0] == '\0') {
    return app_fail(err, TRM_ERR_INPUT, "--cache", "it needs a folder, or none");
  }
  if (!find_folder(options->cache, shown->folder)) {
    return app_fail(err, TRM_ERR_INPUT, "--cache", "the name of the folder is longer than %d "
                    "letters", APP_CACHE_BYTES - 1);
  }
  options->reductions = (trm_reductions){.report = report, .self = shown};
  if (shown->folder[0] != '\0') options->reductions.cache = shown->folder;
  return TRM_OK;
}
