/* browser.h - chromium without a window, which draws pages for pictures and films.
 *
 * Communication uses the Chrome DevTools Protocol over two pipes: JSON objects that end with a zero
 * byte. Life cycle: app_browser_open -> app_browser_ask .. -> app_browser_close. */
#ifndef APP_BROWSER_H
#define APP_BROWSER_H
#include "output_files.h"
#include "trammel/status.h"
#include <jansson.h>
#include <sys/types.h>

typedef struct app_browser {
  pid_t  process;   /* 0: none                            */
  int    to, from;  /* pipes; -1: closed                  */
  char   folder[APP_FOLDER_BYTES]; /* of its profile      */
  char   session[80]; /* of the page                      */
  int    number;    /* of the last question               */
  char  *text;      /* output so far                      */
  size_t used, size;
} app_browser;

/* Start it and open a file of an absolute path, in a window of that size; returns when the page has
 * drawn itself. TRM_ERR_INPUT: no browser is installed. */
trm_status app_browser_open(app_browser *browser, const char *path, int width, int height,
                            trm_error *err);

/* Send one request; takes over `parameters`. *answer receives the response, to be freed. */
trm_status app_browser_ask(app_browser *browser, const char *method, json_t *parameters,
                           json_t **answer, trm_error *err);

/* The value of an expression of JavaScript, which may be a promise. */
trm_status app_browser_evaluate(app_browser *browser, const char *expression, json_t **value,
                                trm_error *err);

/* End it, and remove its profile. Safe after any failure. */
void app_browser_close(app_browser *browser);

#endif
