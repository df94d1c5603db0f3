/* console.h - output on stderr during a run: notes of the library, and on a terminal a progress
 * line. */
#ifndef APP_CONSOLE_H
#define APP_CONSOLE_H
#include "options.h"

typedef struct app_console {
  bool        is_quiet;   /* no notes                                         */
  bool        has_bar;    /* stderr is a terminal                             */
  bool        is_drawn;   /* the line is shown now                            */
  bool        has_begun;  /* the first step was seen                          */
  const char *label;      /* before the line, may be ""                       */
  const app_options *options;
  char        time_unit[TRM_UNIT_MAX];
  double      start, end; /* of the run                                       */
  long        steps;      /* accepted                                         */
  long        attempts;   /* since the clock was read                         */
  long        patience;   /* attempts until the clock is read again           */
  double      clock_begin, clock_seen, clock_drawn; /* [s]                    */
} app_console;

/* label must outlive the run. */
void app_console_init(app_console *console, const app_options *options, const char *label);
trm_sink app_console_sink(app_console *console);
/* Erase the line at the end of a run and before other text. */
void app_console_erase(app_console *console);

#endif
