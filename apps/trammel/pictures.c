/* pictures.c - pictures and films of a page. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) for realpath */
#include "pictures.h"
#include "browser.h"
#include "output_files.h"
#include "report.h"
#include "trammel/export.h"
#include "trammel/page.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WIDTH = 1280, HEIGHT = 720, SIZE_MAX_SIDE = 8192, RATE = 30 };

bool app_pictures_wanted(const app_options *options) {
  return options->png != NULL || options->frames_folder != NULL || options->webm != NULL;
}

static trm_status read_size(const app_options *options, int *width, int *height, trm_error *err) {
  char rest;
  *width = WIDTH, *height = HEIGHT;
  if (options->size == NULL) return TRM_OK;
  if (sscanf(options->size, "%dx%d%c", width, height, &rest) == 2 && *width >= 16 &&
      *height >= 16 && *width <= SIZE_MAX_SIDE && *height <= SIZE_MAX_SIDE) {
    return TRM_OK;
  }
  return app_fail(err, TRM_ERR_INPUT, "--size", "'%.40s' is no size in pixels such as 1280x720, "
                  "each from 16 to %d", options->size, SIZE_MAX_SIDE);
}

trm_status app_pictures_check(const app_options *options, trm_error *err) {
  int width, height;
  trm_status status = app_check_ending("--png", options->png, ".png", err);
  if (status == TRM_OK) status = app_check_ending("--webm", options->webm, ".webm", err);
  if (status == TRM_OK) status = read_size(options, &width, &height, err);
  if (status != TRM_OK || options->png != NULL || !options->given[APP_OPT_REPORT_AT]) return status;
  return app_fail(err, TRM_ERR_INPUT, "--at", "is for --png");
}

/* ---- files ---------------------------------------------------------------------------------- */

static int digit_of(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  if (letter >= '0' && letter <= '9') return letter - '0' + 52;
  return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

/* The bytes of a text in base64. */
static void put_base64(const char *text, FILE *file) {
  unsigned bits = 0;
  int count = 0;
  for (; digit_of(*text) >= 0; text++) {
    bits = bits << 6 | (unsigned)digit_of(*text);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    putc((int)(bits >> count & 255), file);
  }
}

/* Write the bytes of a text in base64; an older file is kept until the new one is complete. */
static trm_status write_base64(const char *path, const char *text, trm_error *err) {
  trm_new_file *file = NULL;
  if (text == NULL || text[0] == '\0') {
    return app_fail(err, TRM_ERR_IO, NULL, "the browser made no picture for '%.200s'", path);
  }
  const trm_status status = trm_new_file_open(path, &file, err);
  if (status != TRM_OK) return status;
  put_base64(text, trm_new_file_stream(file));
  return trm_new_file_close(file, TRM_OK, err);
}

/* ---- pictures ------------------------------------------------------------------------------- */

static trm_status draw_at(app_browser *browser, double t, const char *path, trm_error *err) {
  char expression[100];
  json_t *value = NULL, *answer = NULL;
  snprintf(expression, sizeof expression, "trammel.pose(%.17g)", t);
  trm_status status = app_browser_evaluate(browser, expression, &value, err);
  json_decref(value);
  if (status != TRM_OK) return status;
  status = app_browser_ask(browser, "Page.captureScreenshot",
                           json_pack("{s:s}", "format", "png"), &answer, err);
  if (status == TRM_OK) {
    status = write_base64(path, json_string_value(json_object_get(answer, "data")), err);
  }
  json_decref(answer);
  return status;
}

/* The last instant unless --at says otherwise. */
static trm_status draw_picture(const app_options *options, app_browser *browser, trm_error *err) {
  const double t = options->given[APP_OPT_REPORT_AT] ? options->picture_time : 1e300;
  return draw_at(browser, t, options->png, err);
}

static trm_status draw_frames(const app_options *options, app_browser *browser, trm_error *err) {
  char expression[60], path[4200];
  json_t *times = NULL;
  if (mkdir(options->frames_folder, 0777) != 0 && errno != EEXIST) {
    return app_fail(err, TRM_ERR_IO, "--frames", "cannot make the folder '%.200s': %s",
                    options->frames_folder, strerror(errno));
  }
  snprintf(expression, sizeof expression, "trammel.times(%d)", RATE);
  trm_status status = app_browser_evaluate(browser, expression, &times, err);
  for (size_t i = 0; i < json_array_size(times) && status == TRM_OK; i++) {
    snprintf(path, sizeof path, "%.4000s/frame_%06zu.png", options->frames_folder, i);
    status = draw_at(browser, json_number_value(json_array_get(times, i)), path, err);
  }
  json_decref(times);
  return status;
}

static trm_status draw_film(const app_options *options, app_browser *browser, trm_error *err) {
  char expression[160];
  json_t *value = NULL;
  trm_status status = app_browser_evaluate(browser, "String(Boolean(trammel.canvas()))", &value,
                                           err);
  const char *word = json_string_value(value);
  if (status == TRM_OK && (word == NULL || strcmp(word, "true") != 0)) {
    status = app_fail(err, TRM_ERR_INPUT, "--webm", "the model has nothing that moves in a film: "
                      "it shows curves");
  }
  json_decref(value);
  if (status == TRM_OK) {
    value = NULL;
    status = app_browser_evaluate(browser, trm_page_film_script(), &value, err);
    json_decref(value);
  }
  if (status != TRM_OK) return status;
  snprintf(expression, sizeof expression,
           "trammel.pose(0), trammelFilm(trammel.times(%d), %d)", RATE, RATE);
  value = NULL;
  status = app_browser_evaluate(browser, expression, &value, err);
  if (status == TRM_OK) status = write_base64(options->webm, json_string_value(value), err);
  json_decref(value);
  return status;
}

trm_status app_pictures_draw(const app_options *options, const char *page, trm_error *err) {
  char path[PATH_MAX];
  int width, height;
  app_browser browser = {.to = -1, .from = -1};
  trm_status status = read_size(options, &width, &height, err);
  if (status == TRM_OK && realpath(page, path) == NULL) {
    status = app_fail(err, TRM_ERR_IO, NULL, "cannot find '%.200s': %s", page, strerror(errno));
  }
  if (status == TRM_OK) status = app_browser_open(&browser, path, width, height, err);
  if (status == TRM_OK && options->png != NULL) status = draw_picture(options, &browser, err);
  if (status == TRM_OK && options->frames_folder != NULL) {
    status = draw_frames(options, &browser, err);
  }
  if (status == TRM_OK && options->webm != NULL) status = draw_film(options, &browser, err);
  app_browser_close(&browser);
  return status;
}
