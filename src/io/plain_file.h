/* plain_file.h - open what a model names only if it is a plain file. A pipe would wait for a
 * writer, and a device may never end. */
#ifndef TRMI_PLAIN_FILE_H
#define TRMI_PLAIN_FILE_H
#include <stdio.h>

/* A file to be read; NULL: `reason` has the cause, a text that lives for ever or until the next
 * error of the process. */
FILE *trmi_plain_file_open(const char *path, const char **reason);

#endif
