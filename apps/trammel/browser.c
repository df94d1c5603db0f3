/* browser.c - chromium as a child process, questions and answers. */
#define _DEFAULT_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) for nftw */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "browser.h"
#include "output_files.h"
#include "report.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The page of a large run is drawn within a minute also on a slow machine. */
enum { PATIENCE_MS = 120000, PAUSE_MS = 50, TO_CHILD = 3, FROM_CHILD = 4 };

/* ---- the process ---------------------------------------------------------------------------- */

/* In the child: the pipes become descriptors 3 and 4, everything it prints is dropped. */
static void become_browser(const int in[2], const int out[2], const char *folder, int width,
                           int height) {
  static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
  char profile[APP_FOLDER_BYTES + 20], size[60];
  snprintf(profile, sizeof profile, "--user-data-dir=%s", folder);
  snprintf(size, sizeof size, "--window-size=%d,%d", width, height);
  const int read_end = fcntl(in[0], F_DUPFD, 10), write_end = fcntl(out[1], F_DUPFD, 10);
  const int nothing = open("/dev/null", O_RDWR);
  if (read_end < 0 || write_end < 0 || nothing < 0) _exit(126);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  dup2(read_end, TO_CHILD);
  dup2(write_end, FROM_CHILD);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    execlp(names[i], names[i], "--headless=new", "--remote-debugging-pipe", "--no-first-run",
           "--hide-scrollbars", "--mute-audio", "--use-gl=angle", "--use-angle=swiftshader",
           "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", profile, size,
           /* its sandbox refuses to run as root */
           geteuid() == 0 ? "--no-sandbox" : "--disable-gpu-watchdog", "about:blank",
           (char *)NULL);
  }
  _exit(127);
}

static trm_status start(app_browser *b, int width, int height, trm_error *err) {
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  const trm_status status = app_temporary_folder(b->folder, err);
  if (status != TRM_OK) return status;
  if (pipe(in) != 0 || pipe(out) != 0) {
    return app_fail(err, TRM_ERR_IO, NULL, "cannot make a pipe: %s", strerror(errno));
  }
  signal(SIGPIPE, SIG_IGN); /* the end of the browser is detected by read and write */
  b->process = fork();
  if (b->process == 0) become_browser(in, out, b->folder, width, height);
  close(in[0]);
  close(out[1]);
  b->to = in[1];
  b->from = out[0];
  if (b->process > 0) return TRM_OK;
  b->process = 0;
  return app_fail(err, TRM_ERR_IO, NULL, "cannot start a browser: %s", strerror(errno));
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where) {
  (void)about, (void)kind, (void)where;
  return remove(path);
}

void app_browser_close(app_browser *b) {
  if (b->to >= 0) close(b->to);
  if (b->from >= 0) close(b->from);
  if (b->process > 0) {
    kill(b->process, SIGKILL);
    waitpid(b->process, NULL, 0);
  }
  if (b->folder[0] != '\0') nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  free(b->text);
  *b = (app_browser){.to = -1, .from = -1};
}

/* ---- messages ------------------------------------------------------------------------------- */

/* The error if it has ended or could not be started. */
static trm_status fail_ended(app_browser *b, trm_error *err) {
  int result = 0;
  const bool is_gone = b->process > 0 && waitpid(b->process, &result, 0) == b->process;
  if (is_gone) b->process = 0;
  if (is_gone && WIFEXITED(result) && WEXITSTATUS(result) == 127) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "pictures are drawn by a browser, and none is "
                    "installed: chromium of Debian will do");
  }
  return app_fail(err, TRM_ERR_IO, NULL, "the browser that draws pictures has ended");
}

static trm_status send_text(app_browser *b, const char *text, trm_error *err) {
  size_t left = strlen(text) + 1;
  while (left > 0) {
    const ssize_t done = write(b->to, text, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return fail_ended(b, err);
    text += done;
    left -= (size_t)done;
  }
  return TRM_OK;
}

/* Read more output; fails after a long silence. */
static trm_status receive(app_browser *b, trm_error *err) {
  struct pollfd ready = {.fd = b->from, .events = POLLIN};
  if (b->used == b->size) {
    const size_t size = b->size > 0 ? 2 * b->size : 1 << 16;
    char *more = realloc(b->text, size);
    if (more == NULL) return app_fail_memory(err);
    b->text = more;
    b->size = size;
  }
  const int count = poll(&ready, 1, PATIENCE_MS);
  if (count < 0 && errno == EINTR) return TRM_OK;
  if (count == 0) {
    return app_fail(err, TRM_ERR_IO, NULL, "the browser that draws pictures does not answer");
  }
  const ssize_t done = read(b->from, b->text + b->used, b->size - b->used);
  if (done < 0 && errno == EINTR) return TRM_OK;
  if (done <= 0) return fail_ended(b, err);
  b->used += (size_t)done;
  return TRM_OK;
}

/* The next message, to be freed. */
static trm_status next_message(app_browser *b, json_t **message, trm_error *err) {
  const char *end;
  while ((end = b->used > 0 ? memchr(b->text, '\0', b->used) : NULL) == NULL) {
    const trm_status status = receive(b, err);
    if (status != TRM_OK) return status;
  }
  const size_t length = (size_t)(end - b->text) + 1;
  *message = json_loads(b->text, 0, NULL);
  memmove(b->text, b->text + length, b->used - length);
  b->used -= length;
  if (*message != NULL) return TRM_OK;
  return app_fail(err, TRM_ERR_IO, NULL, "the browser that draws pictures says what is no JSON");
}

trm_status app_browser_ask(app_browser *b, const char *method, json_t *parameters,
                           json_t **answer, trm_error *err) {
  *answer = NULL;
  json_t *question = json_pack("{s:i, s:s, s:o}", "id", ++b->number, "method", method, "params",
                               parameters != NULL ? parameters : json_object());
  if (b->session[0] != '\0') {
    json_object_set_new(question, "sessionId", json_string(b->session));
  }
  char *text = json_dumps(question, JSON_COMPACT);
  json_decref(question);
  if (text == NULL) return app_fail_memory(err);
  trm_status status = send_text(b, text, err);
  free(text);
  while (status == TRM_OK && *answer == NULL) { /* events come in between */
    json_t *message = NULL;
    status = next_message(b, &message, err);
    if (status != TRM_OK) break;
    const json_t *id = json_object_get(message, "id");
    if (json_is_integer(id) && json_integer_value(id) == b->number) {
      json_t *result = json_object_get(message, "result");
      *answer = result != NULL ? json_incref(result) : json_object();
    }
    json_decref(message);
  }
  return status;
}

trm_status app_browser_evaluate(app_browser *b, const char *expression, json_t **value,
                                trm_error *err) {
  json_t *answer = NULL;
  *value = NULL;
  const trm_status status = app_browser_ask(
      b, "Runtime.evaluate", json_pack("{s:s, s:b, s:b}", "expression", expression,
                                       "awaitPromise", 1, "returnByValue", 1), &answer, err);
  if (status != TRM_OK) return status;
  const json_t *fault = json_object_get(answer, "exceptionDetails");
  const char *sentence =
      json_string_value(json_object_get(json_object_get(fault, "exception"), "description"));
  json_t *result = json_object_get(json_object_get(answer, "result"), "value");
  *value = result != NULL ? json_incref(result) : json_null();
  trm_status outcome = TRM_OK;
  if (fault != NULL) {
    outcome = app_fail(err, TRM_ERR_IO, NULL, "the page fails in the browser: %.300s",
                       sentence != NULL ? sentence : "?");
  }
  json_decref(answer);
  return outcome;
}

/* ---- the page ------------------------------------------------------------------------------- */

static trm_status attach(app_browser *b, const char *path, trm_error *err) {
  json_t *answer = NULL;
  char url[4200];
  snprintf(url, sizeof url, "file://%.4100s", path);
  trm_status status =
      app_browser_ask(b, "Target.createTarget", json_pack("{s:s}", "url", url), &answer, err);
  if (status != TRM_OK) return status;
  const char *target = json_string_value(json_object_get(answer, "targetId"));
  json_t *attached = NULL;
  status = app_browser_ask(b, "Target.attachToTarget", json_pack("{s:s, s:b}", "targetId",
                           target != NULL ? target : "", "flatten", 1), &attached, err);
  json_decref(answer);
  if (status != TRM_OK) return status;
  const char *session = json_string_value(json_object_get(attached, "sessionId"));
  snprintf(b->session, sizeof b->session, "%s", session != NULL ? session : "");
  json_decref(attached);
  if (b->session[0] != '\0') return TRM_OK;
  return app_fail(err, TRM_ERR_IO, NULL, "the browser does not open the page");
}

/* Wait until the page is drawn. */
static trm_status wait_ready(app_browser *b, trm_error *err) {
  for (int waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
    json_t *value = NULL;
    const trm_status status =
        app_browser_evaluate(b, "document.body?.dataset.ready ?? ''", &value, err);
    const bool is_ready = json_string_length(value) > 0;
    json_decref(value);
    if (status != TRM_OK || is_ready) return status;
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
  }
  return app_fail(err, TRM_ERR_IO, NULL, "the page does not draw itself in the browser");
}

trm_status app_browser_open(app_browser *b, const char *path, int width, int height,
                            trm_error *err) {
  json_t *answer = NULL;
  *b = (app_browser){.to = -1, .from = -1};
  trm_status status = start(b, width, height, err);
  if (status == TRM_OK) status = attach(b, path, err);
  if (status == TRM_OK) {
    status = app_browser_ask(b, "Emulation.setDeviceMetricsOverride",
                             json_pack("{s:i, s:i, s:i, s:b}", "width", width, "height", height,
                                       "deviceScaleFactor", 1, "mobile", 0), &answer, err);
    json_decref(answer);
  }
  if (status == TRM_OK) status = wait_ready(b, err);
  return status;
}
