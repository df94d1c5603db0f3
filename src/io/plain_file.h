/* plain_file.h - opens a file named by a model only if it is a plain file. A pipe would wait for a
 * writer, and a device may never end. */
#ifndef TRMI_PLAIN_FILE_H
#define TRMI_PLAIN_FILE_H
#include <stdio.h>

/* A file to be read; NULL: `reason` has the cause, a constant text, or one valid until the next
 * error of the process. */
FILE *trmi_plain_file_open(const char *path, const char **reason);

#endif
