/* live_server.c - responses to viewers by HTTP on 127.0.0.1 (civetweb). Requests are short: the
 * page polls for new data. All addresses begin with the secret:
 *   GET  /SECRET/                      the page
 *   GET  /SECRET/state                 status, time, steps, messages, as JSON
 *   GET  /SECRET/rows?from=K&stride=S  rows, columns, stride, 0 as 32-bit numbers, then samples as
 *                                      64-bit ones; all from the first if the stride is another
 *   POST /SECRET/pause?on=1|0, /SECRET/stop, /SECRET/input?name=N&value=V
 * Requests by another name than 127.0.0.1 or localhost (Host), or from another page (Origin), are
 * refused. Bytes are copied under the lock and sent afterwards, so that a slow viewer blocks
 * nothing. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "live/live_internal.h"
#include "core/fail.h"
#include "page/page_internal.h"
#include <civetweb.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_BYTES = 4 << 20 };

/* ---- answers -------------------------------------------------------------------------------- */

static int answer(struct mg_connection *conn, int code, const char *type, const void *bytes,
                  size_t count) {
  static const struct { int code; const char *text; } texts[] = {
    {200, "OK"}, {400, "Bad Request"}, {403, "Forbidden"}, {404, "Not Found"},
    {405, "Method Not Allowed"}, {503, "Service Unavailable"}};
  const char *text = "Error";
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (texts[i].code == code) text = texts[i].text;
  }
  mg_printf(conn, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
            "Referrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n",
            code, text, type, count);
  if (count > 0) mg_write(conn, bytes, count);
  return code;
}

static int refuse(struct mg_connection *conn, int code, const char *sentence) {
  return answer(conn, code, "text/plain; charset=utf-8", sentence, strlen(sentence));
}

static int send_page(trm_live *live, struct mg_connection *conn) {
  pthread_mutex_lock(&live->lock);
  const char *page = live->page; /* constant until the server is closed */
  pthread_mutex_unlock(&live->lock);
  if (page == NULL) return refuse(conn, 503, "The run has not begun yet: load this page again.\n");
  return answer(conn, 200, "text/html; charset=utf-8", page, live->page_size);
}

static int send_state(trm_live *live, struct mg_connection *conn) {
  pthread_mutex_lock(&live->lock);
  json_t *state = json_pack(
      "{s:s, s:o, s:o, s:I, s:I, s:b, s:O, s:I}", "status", live->status, "error",
      trmi_json_text(live->sentence), "t", trmi_json_number(live->t), "steps",
      (json_int_t)live->nsteps, "samples", (json_int_t)live->nrows, "paused", live->is_paused,
      "messages", live->messages, "nmessages", (json_int_t)live->nmessages);
  char *text = state != NULL ? json_dumps(state, JSON_COMPACT) : NULL;
  json_decref(state);
  pthread_mutex_unlock(&live->lock);
  if (text == NULL) return refuse(conn, 503, "out of memory\n");
  const int code = answer(conn, 200, "application/json", text, strlen(text));
  free(text);
  return code;
}

/* A whole number of the query; -1: there is none. */
static long number_of(const char *query, const char *name) {
  char text[24];
  if (query == NULL || mg_get_var(query, strlen(query), name, text, sizeof text) <= 0) return -1;
  char *end;
  const long number = strtol(text, &end, 10);
  return *end == '\0' && number >= 0 ? number : -1;
}

static int send_rows(trm_live *live, struct mg_connection *conn, const char *query) {
  unsigned char *bytes = NULL;
  size_t count = 0;
  long from = number_of(query, "from");
  const long stride = number_of(query, "stride");
  pthread_mutex_lock(&live->lock);
  if (from < 0 || stride != live->stride) from = 0;
  const size_t row = (size_t)live->columns.n * sizeof(double);
  long rows = live->nrows > from ? live->nrows - from : 0;
  if (row > 0 && rows > (long)(ANSWER_BYTES / row) + 1) rows = (long)(ANSWER_BYTES / row) + 1;
  const uint32_t head[4] = {(uint32_t)rows, (uint32_t)live->columns.n, (uint32_t)live->stride,
                            (uint32_t)from};
  bytes = trmi_allocate(&live->arena.allocator, sizeof head + (size_t)rows * row);
  if (bytes != NULL) {
    count = sizeof head + (size_t)rows * row;
    memcpy(bytes, head, sizeof head);
    if (rows > 0) {
      memcpy(bytes + sizeof head, live->rows + (size_t)from * (size_t)live->columns.n,
             (size_t)rows * row);
    }
  }
  pthread_mutex_unlock(&live->lock);
  if (bytes == NULL) return refuse(conn, 503, "out of memory\n");
  const int code = answer(conn, 200, "application/octet-stream", bytes, count);
  trmi_release(&live->arena.allocator, bytes);
  return code;
}

/* ---- wishes --------------------------------------------------------------------------------- */

static int take_input(trm_live *live, struct mg_connection *conn, const char *query) {
  char name[TRM_LABEL_MAX], text[40], *end;
  const size_t length = query != NULL ? strlen(query) : 0;
  if (length == 0 || mg_get_var(query, length, "name", name, sizeof name) <= 0 ||
      mg_get_var(query, length, "value", text, sizeof text) <= 0) {
    return refuse(conn, 400, "an input needs name and value\n");
  }
  const double value = strtod(text, &end);
  const int i = live->page != NULL ? trm_system_find(live->system, TRM_U, name) : -1;
  if (i < 0) return refuse(conn, 400, "the model has no such input\n");
  if (*end != '\0' || !isfinite(value)) return refuse(conn, 400, "the value is not a number\n");
  pthread_mutex_lock(&live->lock);
  live->wishes[i] = value;
  pthread_mutex_unlock(&live->lock);
  return answer(conn, 200, "text/plain", "", 0);
}

static int take_flag(trm_live *live, struct mg_connection *conn, bool *flag, bool value) {
  pthread_mutex_lock(&live->lock);
  *flag = value;
  pthread_mutex_unlock(&live->lock);
  return answer(conn, 200, "text/plain", "", 0);
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Is it our own address, "127.0.0.1:PORT" or "localhost:PORT", after `before`? */
static bool is_own(const trm_live *live, const char *text, const char *before) {
  static const char *const hosts[] = {"127.0.0.1", "localhost"};
  char own[TRMI_ADDRESS];
  for (int i = 0; i < 2 && text != NULL; i++) {
    snprintf(own, sizeof own, "%s%s:%d", before, hosts[i], live->port);
    if (strcmp(text, own) == 0) return true;
  }
  return false;
}

/* The part after the secret; NULL: a wrong secret. Takes equally long for any wrong one. */
static const char *after_secret(const trm_live *live, const char *uri) {
  if (uri == NULL || strlen(uri) < TRMI_SECRET + 2 || uri[0] != '/') return NULL;
  unsigned difference = uri[TRMI_SECRET + 1] != '/';
  for (int i = 0; i < TRMI_SECRET; i++) difference |= (unsigned)(uri[1 + i] ^ live->secret[i]);
  return difference == 0 ? uri + TRMI_SECRET + 2 : NULL;
}

static int handle(struct mg_connection *conn, void *self) {
  trm_live *live = self;
  const struct mg_request_info *info = mg_get_request_info(conn);
  const char *origin = mg_get_header(conn, "Origin");
  if (!is_own(live, mg_get_header(conn, "Host"), "")) {
    return refuse(conn, 403, "this server answers to its own address only\n");
  }
  if (origin != NULL && !is_own(live, origin, "http://")) {
    return refuse(conn, 403, "this server answers to its own page only\n");
  }
  const char *path = after_secret(live, info->local_uri);
  if (path == NULL) return refuse(conn, 404, "there is nothing here\n");
  const bool is_get = strcmp(info->request_method, "GET") == 0;
  const bool is_post = strcmp(info->request_method, "POST") == 0;
  if (is_get && path[0] == '\0') return send_page(live, conn);
  if (is_get && strcmp(path, "state") == 0) return send_state(live, conn);
  if (is_get && strcmp(path, "rows") == 0) return send_rows(live, conn, info->query_string);
  if (is_post && strcmp(path, "stop") == 0) return take_flag(live, conn, &live->is_stopped, true);
  if (is_post && strcmp(path, "input") == 0) return take_input(live, conn, info->query_string);
  if (is_post && strcmp(path, "pause") == 0) {
    return take_flag(live, conn, &live->is_paused, number_of(info->query_string, "on") == 1);
  }
  if (!is_get && !is_post) return refuse(conn, 405, "only GET and POST are answered\n");
  return refuse(conn, 404, "there is nothing here\n");
}

/* ---- the server ----------------------------------------------------------------------------- */

static bool make_secret(char secret[TRMI_SECRET + 1]) {
  unsigned char bytes[TRMI_SECRET / 2];
  FILE *file = fopen("/dev/urandom", "rb");
  const bool is_done = file != NULL && fread(bytes, sizeof bytes, 1, file) == 1;
  if (file != NULL) fclose(file);
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
  return is_done;
}

trm_status trmi_live_listen(trm_live *live, int port, trm_error *err) {
  char place[32];
  const char *options[] = {"listening_ports", place, "num_threads", "16", "request_timeout_ms",
                           "10000", "enable_keep_alive", "no", NULL};
  const struct mg_callbacks callbacks = {.begin_request = NULL};
  struct mg_server_port used[1];
  snprintf(place, sizeof place, "127.0.0.1:%d", port);
  if (!make_secret(live->secret)) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "/dev/urandom cannot be read");
  }
  mg_init_library(0);
  struct mg_context *server = mg_start(&callbacks, live, options);
  if (server == NULL || mg_get_server_ports(server, 1, used) < 1) {
    if (server != NULL) mg_stop(server);
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot listen on 127.0.0.1, port %d; is it in use?",
                     port);
  }
  live->port = used[0].port;
  live->server = server;
  snprintf(live->address, sizeof live->address, "http://127.0.0.1:%d/%s/", live->port,
           live->secret);
  mg_set_request_handler(server, "**", handle, live);
  return TRM_OK;
}

void trmi_live_close(trm_live *live) {
  if (live->server == NULL) return;
  mg_stop(live->server);
  mg_exit_library();
  live->server = NULL;
}
