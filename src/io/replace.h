/* replace.h - write a file under a hidden name next to it, then put it in its place.
 *
 * Whoever kills the program meets the old file or the new one, never a part. The draft of
 * 'a.h5' is '.a.h5.trammel' in the same folder; it is locked, and the lock stays with the file
 * when it is put in its place, so that two programs never write the same file. Devices, pipes and
 * what is reached through /proc (/dev/stdout) are written in place.
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
 * this file. An old file stays as it is, and its access rights are those of the new one. */
int trmi_replace_begin(trmi_replace *replace, const char *path, int *descriptor);

/* The new file takes the place of the old one. Returns 0 or errno. Once is enough. */
int trmi_replace_publish(trmi_replace *replace);

/* Remove the draft, if it was not published. */
void trmi_replace_discard(trmi_replace *replace);

#endif
