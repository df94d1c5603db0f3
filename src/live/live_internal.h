/* live_internal.h - data exchanged between the run and viewers. */
#ifndef TRMI_LIVE_INTERNAL_H
#define TRMI_LIVE_INTERNAL_H
#include "core/arena.h"
#include "core/buffer.h"
#include "io/columns.h"
#include "trammel/live.h"
#include <jansson.h>
#include <pthread.h>

enum { TRMI_SECRET = 32, TRMI_ADDRESS = 96 };

struct trm_live {
  trm_run_facts  facts;
  trm_reductions reductions;
  trmi_arena     arena;
  char           secret[TRMI_SECRET + 1];
  char           address[TRMI_ADDRESS];
  int            port;
  void          *server;     /* mg_context; NULL: none                              */

  pthread_mutex_t lock;      /* held for all below, never while bytes are sent      */
  const trm_system *system;  /* NULL: the run has not begun                         */
  trmi_columns   columns;
  char          *page;       /* HTML, made when the run begins                      */
  size_t         page_size;
  double        *rows;       /* samples  [nrows columns.n]                          */
  long           nrows, rows_size;
  int            stride;     /* one sample in this number is kept                   */
  long           nsamples;   /* that came                                           */
  json_t        *messages;   /* {t, text}, the first and the last of `nmessages`    */
  long           nmessages;
  double         t;          /* of the last step                                    */
  long           nsteps;
  const char    *status;     /* a word of run files                                 */
  char           sentence[TRM_MESSAGE_MAX];
  bool           is_paused, is_stopped;
  double        *wishes;     /* values of inputs; NaN: none  [nu]                   */
};

/* live_page.c: the page of a run that begins. */
trm_status trmi_live_page(const trm_live *live, const trm_options *options, trmi_buffer *html,
                          trm_error *err);

/* live_server.c */
trm_status trmi_live_listen(trm_live *live, int port, trm_error *err);
void trmi_live_close(trm_live *live);

#endif
