/* yaml.h - YAML (and JSON, a subset) as a tree with positions in the text.
 *
 * Nothing is interpreted: every scalar is a text, with anchors that determine the position of each
 * letter (trmi_text_place). Features of YAML that make texts grow or change their meaning are
 * rejected with a message: aliases, tags, several documents, keys that are not plain texts. */
#ifndef TRMI_YAML_H
#define TRMI_YAML_H
#include "core/arena.h"
#include "core/complaint.h"
#include "expr/parse.h"
#include <stdbool.h>

/* Limits, so that no file blocks the reader or exhausts memory. */
enum {
  TRMI_YAML_BYTES_MAX = 16 * 1024 * 1024,
  TRMI_YAML_DEPTH_MAX = 64,
  TRMI_YAML_NODES_MAX = 2000000
};

typedef enum trmi_yaml_kind {
  TRMI_YAML_SCALAR, TRMI_YAML_SEQUENCE, TRMI_YAML_MAPPING
} trmi_yaml_kind;

typedef struct trmi_yaml trmi_yaml;

/* A value. Entries of sequences and mappings are linked in the order of the text. */
struct trmi_yaml {
  trmi_yaml_kind kind;
  bool           is_quoted; /* scalar in quotes or as a block: never a missing value */
  bool           is_flow;   /* sequence or mapping in brackets                       */
  bool           has_hole;  /* of `repeat`: <i> in its text or below it              */
  trmi_place     place;     /* its first letter                                      */
  trmi_text      text;      /* scalar                                                */
  trmi_yaml     *first, *last; /* sequence, mapping: its entries                     */
  int            count;
  trmi_yaml     *next;      /* entry after this one                                  */
  const char    *key;       /* entry of a mapping; NULL otherwise                    */
  trmi_place     key_place;
};

/* A text of one file. */
typedef struct trmi_yaml_source {
  int         file; /* its number, for places  */
  const char *text; /* need not end with zero  */
  size_t      length;
} trmi_yaml_source;

/* Read a text. Faults go to `complaints`; the tree then contains the readable part, or is NULL.
 * libyaml takes its memory from the process, the tree comes from the arena.
 * @return TRM_OK (also with complaints) or TRM_ERR_MEMORY */
trm_status trmi_yaml_read(const trmi_yaml_source *source, trmi_arena *arena,
                          trmi_complaints *complaints, trmi_yaml **root, trm_error *err);

/* Entry of a mapping, or NULL. */
trmi_yaml *trmi_yaml_find(const trmi_yaml *mapping, const char *key);

/* A scalar without a value: `x:`, `x: ~` or `x: null`. */
bool trmi_yaml_is_missing(const trmi_yaml *node);
/* Does the text of a value end inside parentheses, because a comma has split it? */
bool trmi_yaml_is_open(const trmi_yaml *node);
/* The sentence about that. */
extern const char trmi_yaml_comma[];

/* A new entry at the end of a mapping; the key is not copied. NULL: out of memory. */
trmi_yaml *trmi_yaml_add(trmi_yaml *mapping, const char *key, trmi_place place,
                         trmi_yaml_kind kind, trmi_arena *arena);

/* Make a scalar of a node. The text is copied and ends with zero; its letters are in one
 * line from `place` on. False: out of memory. */
bool trmi_yaml_set(trmi_yaml *node, const char *text, size_t length, trmi_place place,
                   trmi_arena *arena);

#endif
