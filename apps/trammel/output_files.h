/* output_files.h - files to be written must not be files that are read, nor each other. */
#ifndef APP_OUTPUT_FILES_H
#define APP_OUTPUT_FILES_H
#include "options.h"

/* Refuse, with one sentence that names both, an output that is the same file as an input of the
 * command, or as its other output: by device and inode, so links are also found. To be called
 * before anything is opened for writing; `options` with all models that are loaded. */
TRM_CHECKED trm_status app_outputs_check(const app_options *options, trm_error *err);

/* TRM_ERR_INPUT unless the file of an option has that ending; NULL has every one. */
trm_status app_check_ending(const char *option, const char *path, const char *ending,
                            trm_error *err);

/* A new folder for temporary files, which the caller removes; "" after a failure. */
enum { APP_FOLDER_BYTES = 200 };
trm_status app_temporary_folder(char folder[APP_FOLDER_BYTES], trm_error *err);

#endif
