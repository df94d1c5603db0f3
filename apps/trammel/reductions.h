/* reductions.h - where the program keeps reduced meshes, and what it shows while it reduces one. */
#ifndef APP_REDUCTIONS_H
#define APP_REDUCTIONS_H
#include "options.h"

enum { APP_CACHE_BYTES = 900, APP_CACHE_NOTE = 600, APP_CACHE_NOTES = 32 };

/* What a reduction shows on stderr: notes, each once, and on a terminal a line of progress. */
typedef struct app_reductions {
  const app_options *options;
  char   folder[APP_CACHE_BYTES];
  unsigned long seen[APP_CACHE_NOTES]; /* sums of notes that were printed */
  int    nseen;
  bool   is_drawn;             /* the line is shown now               */
  double begun;                /* time of the first news [s]          */
} app_reductions;

/* Set options->reductions: the folder of --cache, else $XDG_CACHE_HOME/trammel or
 * $HOME/.cache/trammel, else none. `shown` must live as long as models do. */
TRM_CHECKED trm_status app_reductions_init(app_reductions *shown, app_options *options,
                                           trm_error *err);

#endif
