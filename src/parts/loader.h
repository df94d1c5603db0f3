/* loader.h - how a build reaches files and shared libraries.
 *
 * The core opens neither: whoever reads the model sets a loader in its definition
 * (io/file_loader.c). A definition without one may not name files or libraries. A library is opened
 * only if the definition allows it as well: opening it runs its code. */
#ifndef TRMI_LOADER_H
#define TRMI_LOADER_H
#include "core/buffer.h"
#include "fem/flexible_mesh.h"

enum { TRMI_LOADER_FAULT = 256 };

/* What a build does with the libraries that forces name. */
typedef enum trmi_plugin_use {
  TRMI_PLUGINS_REFUSED, /* complain                                */
  TRMI_PLUGINS_SKIPPED, /* open nothing: these forces are zero     */
  TRMI_PLUGINS_LOADED   /* open the library, its code runs         */
} trmi_plugin_use;

/* Any function of a library; converted to its own type before it is called. */
typedef void (*trmi_loaded_function)(void);

typedef struct trmi_loader {
  /* Appends the content of a file. False: `fault` has a sentence, or buffer->failed is true. */
  bool (*read_file)(const char *path, trmi_buffer *buffer, char fault[TRMI_LOADER_FAULT]);

  /* Reads or makes a mesh and reduces it; the result is in an arena. NULL: `fault` has a sentence,
   * or arena->failed is true. */
  const trmi_flexible_body *(*reduce)(const trmi_flexible_def *def, trmi_arena *arena,
                                      char fault[TRMI_FLEXIBLE_FAULT]);

  /* An open library, or NULL and a sentence in `fault`. */
  void *(*open_library)(const char *path, char fault[TRMI_LOADER_FAULT]);
  /* NULL: the library itself has no function of that name; functions of libraries it is linked
   * with, such as the C library, do not count. */
  trmi_loaded_function (*find_function)(void *library, const char *name);
  void (*close_library)(void *library);
} trmi_loader;

#endif
