/* index.h - a hash table of numbers by name. */
#ifndef TRMI_INDEX_H
#define TRMI_INDEX_H
#include "core/arena.h"

/* One name; an empty place has none. */
typedef struct trmi_index_entry {
  const char *name; /* not copied, need not end with zero */
  size_t      length;
  int         number;
} trmi_index_entry;

/* All zero: empty. */
typedef struct trmi_index {
  trmi_index_entry *entries; /* a hash table with room for twice as many [size] */
  size_t            size;    /* a power of two, or 0                             */
  size_t            count;
} trmi_index;

/* Add a name; an existing name keeps its first number. The arena records failures. */
void trmi_index_add(trmi_index *index, trmi_arena *arena, const char *name, size_t length,
                    int number);

/* Number of a name, or -1. */
int trmi_index_find(const trmi_index *index, const char *name, size_t length);

#endif
