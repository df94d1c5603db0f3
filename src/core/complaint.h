/* complaint.h - faults of a text with their places, several at once.
 *
 * Readers continue after a fault if possible, so that the user sees all of them at once. At most
 * TRMI_COMPLAINTS_MAX are kept; `count` counts all. */
#ifndef TRMI_COMPLAINT_H
#define TRMI_COMPLAINT_H
#include "core/compiler.h"
#include <stdbool.h>

/* A place in a text, counted from 1; line 0: no place. Copies of a text that is repeated have the
 * same place and an index. */
typedef struct trmi_place {
  int  file; /* number of the file, 0 for the first */
  int  line, column;
  int  index;
  bool is_copy;
} trmi_place;

enum { TRMI_COMPLAINTS_MAX = 20, TRMI_SENTENCE_MAX = 640 };

typedef struct trmi_complaint {
  trmi_place place;
  char       sentence[TRMI_SENTENCE_MAX];
} trmi_complaint;

typedef struct trmi_complaints {
  trmi_complaint list[TRMI_COMPLAINTS_MAX];
  int            count;
} trmi_complaints;

/* Add one sentence; a second one for the same place is dropped. The index of a copy is added. */
void trmi_complain(trmi_complaints *c, trmi_place place, const char *fmt, ...) TRMI_PRINTF(3, 4);

/* Prepend "WORD 'NAME': " to the sentences from number `first` on. */
void trmi_complaints_name(trmi_complaints *c, int first, const char *word, const char *name);

/* Sort the list in the order of the text. */
void trmi_complaints_sort(trmi_complaints *c);

#endif
