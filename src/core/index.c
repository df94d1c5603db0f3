/* index.c - a hash table with linear probing that doubles when it is half full. */
#include "core/index.h"
#include <stdint.h>
#include <string.h>

enum { FIRST_SIZE = 64 };

/* FNV-1a: one multiplication for each letter, good enough for names. */
static size_t hash(const char *name, size_t length) {
  uint64_t h = 14695981039346656037U;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * 1099511628211U;
  return (size_t)(h ^ h >> 32);
}

/* The place of a name, or the empty one where it would be. */
static trmi_index_entry *probe(const trmi_index *index, const char *name, size_t length) {
  size_t at = hash(name, length) & (index->size - 1);
  for (;; at = (at + 1) & (index->size - 1)) {
    trmi_index_entry *entry = &index->entries[at];
    const bool is_same = entry->name != NULL && entry->length == length &&
                         memcmp(entry->name, name, length) == 0;
    if (entry->name == NULL || is_same) return entry;
  }
}

static bool grow(trmi_index *index, trmi_arena *arena) {
  trmi_index larger = {.size = index->size > 0 ? 2 * index->size : FIRST_SIZE,
                       .count = index->count};
  larger.entries = TRMI_TAKE(arena, trmi_index_entry, larger.size);
  if (larger.entries == NULL) return false;
  for (size_t i = 0; i < index->size; i++) {
    const trmi_index_entry *entry = &index->entries[i];
    if (entry->name != NULL) *probe(&larger, entry->name, entry->length) = *entry;
  }
  *index = larger;
  return true;
}

void trmi_index_add(trmi_index *index, trmi_arena *arena, const char *name, size_t length,
                    int number) {
  if (2 * (index->count + 1) > index->size && !grow(index, arena)) return;
  trmi_index_entry *entry = probe(index, name, length);
  if (entry->name != NULL) return;
  *entry = (trmi_index_entry){.name = name, .length = length, .number = number};
  index->count++;
}

int trmi_index_find(const trmi_index *index, const char *name, size_t length) {
  if (index->count == 0) return -1;
  const trmi_index_entry *entry = probe(index, name, length);
  return entry->name != NULL ? entry->number : -1;
}
