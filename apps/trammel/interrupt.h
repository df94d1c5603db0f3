/* interrupt.h - Ctrl-C ends a run between two steps, so that files stay whole. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H
#include <stdbool.h>

/* From here on the first SIGINT or SIGTERM only asks to stop, the second one kills, and a
 * limit on the size of files is an error of writing. */
void app_interrupt_install(void);

/* True after the signal; has the form of trm_options.should_stop. */
bool app_interrupt_asked(void *self);

#endif
