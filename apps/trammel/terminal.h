/* terminal.h - what is printed on a terminal cannot steer it: names of models, parts and files may
 * come from others. */
#ifndef APP_TERMINAL_H
#define APP_TERMINAL_H
#include <stdio.h>

/* From now on stdout and stderr show control characters as \x1b, where they are terminals. */
void app_terminal_guard(void);

/* From now on colours, and nothing else, reach the terminal of stdout: for drawings. */
void app_terminal_allow_colours(void);

/* The stream of stderr that shows them as they are: for the progress line. */
FILE *app_terminal_progress(void);

#endif
