/* loader.h - how a build reaches files and shared libraries.
 *
 * The core opens neither: whoever reads the model sets a loader in its definition (io/loader.c).
 * A definition without one may not name files or libraries. */
#ifndef TRMI_LOADER_H
#define TRMI_LOADER_H
#include "core/buffer.h"

enum { TRMI_LOADER_FAULT = 256 };

/* Any function of a library; converted to its own type before it is called. */
typedef void (*trmi_loaded_function)(void);

typedef struct trmi_loader {
  /* Appends the content of a file. False: `fault` has a sentence, or buffer->failed is true. */
  bool (*read_file)(const char *path, trmi_buffer *buffer, char fault[TRMI_LOADER_FAULT]);

  /* An open library, or NULL and a sentence in `fault`. */
  void *(*open_library)(const char *path, char fault[TRMI_LOADER_FAULT]);
  /* NULL: the library has no function of that name. */
  trmi_loaded_function (*find_function)(void *library, const char *name);
  void (*close_library)(void *library);
} trmi_loader;

#endif
