/* reduction_cache.h - reduced meshes in files, identified by a hash of all their inputs. */
#ifndef TRMI_REDUCTION_CACHE_H
#define TRMI_REDUCTION_CACHE_H
#include "core/arena.h"
#include "core/sha256.h"
#include "fem/flexible_mesh.h"

enum { TRMI_CACHE_PATH = 1024, TRMI_CACHE_NOTE = 512 };

/* A result in a folder. */
typedef struct trmi_cache_entry {
  unsigned char key[TRMI_SHA256_BYTES];
  char          path[TRMI_CACHE_PATH]; /* "": its folder has too long a name */
  char          note[TRMI_CACHE_NOTE]; /* "", or the reason why it could not be read or written */
} trmi_cache_entry;

/* The code that reduces meshes and the compiler it was built with: their hash, written by
 * tools/reduction_code.cmake. Results of other code are ignored. */
extern const char trmi_reduction_code[];

/* The entry of a definition whose mesh file has these bytes. */
void trmi_cache_find(trmi_cache_entry *entry, const char *folder, const trmi_flexible_def *def,
                     const void *mesh, size_t bytes);

/* The result of an entry, in an arena; NULL: there is none, it is damaged (then with a note), or
 * arena->failed. */
trmi_flexible_body *trmi_cache_read(trmi_cache_entry *entry, trmi_arena *arena);

/* The path of an entry, in an arena. */
const char *trmi_cache_kept(const trmi_cache_entry *entry, trmi_arena *arena);

/* Store a result. It is first written under another name, so it is either complete or absent.
 * False: with a note. */
bool trmi_cache_write(trmi_cache_entry *entry, const trmi_flexible_body *body,
                      const trm_allocator *allocator);

#endif
