/* model_source.h - the files of a model: reading, including, and joining them in one text.
 *
 * The text of a model of several files, or with settings, is a bundle: the unchanged model file,
 * then each further file after a line `#-- file: NAME`, then a line `#-- folder: PATH` if it names
 * meshes or libraries, then a line `#-- set: PATH=VALUE` for each setting. Names are relative to
 * the model file, which was in that folder. A bundle is read without any file. */
#ifndef TRMI_MODEL_SOURCE_H
#define TRMI_MODEL_SOURCE_H
#include "core/buffer.h"
#include "io/yaml.h"
#include "trammel/problems.h"

enum { TRMI_SOURCES_MAX = 64, TRMI_INCLUDE_DEPTH_MAX = 16, TRMI_SETTINGS_MAX = 1000 };

typedef struct trmi_source {
  const char *name;  /* relative to the model file, as in a bundle           */
  const char *shown; /* name in messages                                     */
  const char *text;  /* ends with a zero byte, not counted                   */
  size_t      length;
} trmi_source;

/* A file named in the model but not read here. */
typedef struct trmi_located {
  const char                *path;
  const struct trmi_located *next;
} trmi_located;

typedef struct trmi_sources {
  trmi_arena      *arena;
  trmi_complaints *complaints;
  const char      *folder;               /* of the model file, with its slash; NULL: no files */
  trmi_source      list[TRMI_SOURCES_MAX]; /* their numbers are those of places */
  int              count;
  trmi_source      bundle[TRMI_SOURCES_MAX]; /* parts not yet asked for         */
  int              nbundle;
  trm_setting      settings[TRMI_SETTINGS_MAX]; /* of the bundle, then of the caller */
  int              nsettings;
  const trmi_located *located;           /* newest first                                  */
  const char      *origin;               /* of the model file when it was read, from anywhere */
  bool             may_look;             /* a text may use files in that folder           */
  bool             has_missing;          /* a file that was named could not be read       */
  int              set_file;             /* number of the file called --set; -1: none yet */
} trmi_sources;

/* Begin with a file; TRM_ERR_IO if it cannot be read. */
trm_status trmi_sources_open_file(trmi_sources *s, const char *path, trm_error *err);
/* Begin with a text, perhaps a bundle. @param shown  its name in messages */
trm_status trmi_sources_open_text(trmi_sources *s, const char *text, size_t length,
                                  const char *shown, trm_error *err);

/* Add settings of the caller; they are copied. */
trm_status trmi_sources_add_settings(trmi_sources *s, const trm_setting *settings, int count,
                                     trm_error *err);

/* Number of a further file named in file `from`, read now if it is new; -1 after a complaint
 * at `place`. */
int trmi_sources_find(trmi_sources *s, const char *name, int from, trmi_place place);

/* Convert a name given in file `from` to one relative to the model file; NULL after a complaint. */
const char *trmi_sources_relative(trmi_sources *s, const char *name, int from, trmi_place place);

/* The first `length` letters of a path and a name. */
char *trmi_path_join(trmi_arena *arena, const char *a, size_t length, const char *b);
/* Length of the folder in a path, with its last slash. */
size_t trmi_path_folder(const char *path);

/* Path of a file named at `place` but not read here: a mesh, a library. From a text without files
 * it is relative to the model file. A file that cannot be opened is a complaint and gives NULL. */
const char *trmi_sources_locate(trmi_sources *s, const char *name, trmi_place place);

/* The tree of the model file with all it includes; NULL after complaints. */
trm_status trmi_sources_tree(trmi_sources *s, trmi_yaml **root, trm_error *err);

/* Replace scalars by settings. */
void trmi_sources_apply_settings(trmi_sources *s, trmi_yaml *root);

/* All files and settings as one text. */
void trmi_sources_text(const trmi_sources *s, trmi_buffer *buffer);

#endif
