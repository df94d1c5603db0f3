/* file_loader.h - the loader of models that come from files: reads files, opens shared
 * libraries. */
#ifndef TRMI_FILE_LOADER_H
#define TRMI_FILE_LOADER_H
#include "parts/loader.h"

extern const trmi_loader trmi_file_loader;

/* Of a model that is given as a text: it reads no files. */
extern const trmi_loader trmi_text_loader;

#endif
