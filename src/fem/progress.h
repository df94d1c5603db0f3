/* progress.h - progress of a long computation. */
#ifndef TRMI_PROGRESS_H
#define TRMI_PROGRESS_H
#include <stddef.h>

/* `report` is NULL: no reports. */
typedef struct trmi_progress {
  void (*report)(void *self, const char *step, double done); /* the step that begins; 0 to 1 */
  void *self;
} trmi_progress;

static inline void trmi_progress_report(const trmi_progress *progress, const char *step,
                                        double done) {
  if (progress->report != NULL) progress->report(progress->self, step, done);
}

#endif
