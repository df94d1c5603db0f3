/* replace.h - writes a file under a hidden name next to its target, then renames it.
 *
 * If the program is killed, the old or the new file exists, never a part. The draft of 'a.h5' is
 * '.a.h5.trammel' in the same folder; it is locked, and the lock remains with the renamed file, so
 * that two programs never write the same file. Devices, pipes and targets reached through /proc
 * (/dev/stdout) are written in place.
 *
 * Life cycle: trmi_replace_begin -> write to the descriptor -> trmi_replace_publish or
 * trmi_replace_discard; the caller closes the descriptor, before or after. */
#ifndef TRMI_REPLACE_H
#define TRMI_REPLACE_H
#include <stdbool.h>

enum { TRMI_PATH_MAX = 4096 };

typedef struct trmi_replace {
  char target[TRMI_PATH_MAX]; /* the file itself: links are followed            */
  char draft[TRMI_PATH_MAX];  /* "": none, in place or already published        */
} trmi_replace;

/* Open for reading and writing, empty. Returns 0 or errno; EAGAIN: another program is writing
 * this file. An old file is unchanged, and the new one gets its access rights. */
int trmi_replace_begin(trmi_replace *replace, const char *path, int *descriptor);

/* Replace the old file by the new one. Returns 0 or errno. Repeated calls do nothing. */
int trmi_replace_publish(trmi_replace *replace);

/* Remove the draft, if it was not published. */
void trmi_replace_discard(trmi_replace *replace);

#endif
