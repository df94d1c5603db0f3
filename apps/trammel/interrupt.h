/* interrupt.h - Ctrl-C ends a run between two steps, so that files are finished. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H
#include "options.h"
#include <stdbool.h>

/* From here on the first SIGINT, SIGTERM, SIGHUP or SIGXCPU asks to stop. The program ends
 * immediately if the flag is not yet in use (during set-up, before a file is created), at the
 * second signal, or if the flag is not read within two seconds. */
void app_interrupt_install(const app_options *options);

/* Files exist from here on: also a signal before the first step is answered by the run. */
void app_interrupt_keep_files(void);

/* From here on a limit on the size of files is an error of writing, like a full disk. */
void app_interrupt_allow_limits(void);

/* The reason of a request to stop, to be added to "stopped on request"; "" for SIGINT and
 * SIGTERM. */
const char *app_interrupt_reason(void);

/* True after the signal; has the form of trm_options.should_stop. */
bool app_interrupt_asked(void *self);

#endif
