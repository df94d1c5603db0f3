/* field.h - properties of a key of a model file, or of a kind of part.
 *
 * A table of fields is a list of rows with paths; the rows below a row follow it, and a row
 * without a path is the last. In a path `*` means any name. The first row of a kind of part
 * has the path "": it is the part itself. */
#ifndef TRMI_FIELD_H
#define TRMI_FIELD_H
#include "expr/units.h"
#include <stddef.h>

/* Bytes of the longest name of anything in a model: labels of run files have room for them. */
enum { TRMI_NAME_MAX = 47 };

/* What a value may be; bits, a row may have several. */
enum {
  TRMI_IS_MAP = 1,         /* a mapping with the keys of the table          */
  TRMI_IS_NAMES = 2,       /* a mapping with names of the user              */
  TRMI_IS_EXPRESSION = 4,  /* an expression in time and unknowns            */
  TRMI_IS_NUMBER = 8,      /* a number, or an expression of parameters      */
  TRMI_IS_COUNT = 16,      /* a whole number likewise                       */
  TRMI_IS_WORD = 32,       /* one of the choices                            */
  TRMI_IS_TEXT = 64,       /* any text                                      */
  TRMI_IS_NUMBERS = 128,   /* a list of numbers                             */
  TRMI_IS_TEXTS = 256,     /* a list of texts                               */
  TRMI_IS_EXPRESSIONS = 512, /* a list of expressions                       */
  TRMI_IS_MATRIX = 1024,   /* a list of lists of numbers, all of one length */
  TRMI_IS_PARTS = 2048,    /* parts with holes <i>: keys as in the section of that name */
  TRMI_TYPES = 4096        /* no type: beyond the last                      */
};

/* Bounds that are themselves not allowed. */
enum { TRMI_OPEN_LOW = 1, TRMI_OPEN_HIGH = 2 };

/* Of a word of choices and of all choices of a word, with the zero. */
enum { TRMI_WORD_BYTES = 40, TRMI_CHOICES_BYTES = 2000, TRMI_MEANING_BYTES = 1000 };

/* What the names of a list must look like. */
typedef enum trmi_name_rule {
  TRMI_NAME_WORD,  /* letters, digits, _ and dots, as expressions have them    */
  TRMI_NAME_TEXT,  /* any text of up to 47 letters                             */
  TRMI_NAME_PART   /* letters, digits and _: a dot leads to inner parts        */
} trmi_name_rule;

/* What a member of a struct of parts.h is. */
typedef enum trmi_store {
  TRMI_STORE_NONE,    /* there is none: a row of the file itself, or a key that holds others */
  TRMI_STORE_NUMBERS, /* double                                                        */
  TRMI_STORE_COUNT,   /* int                                                           */
  TRMI_STORE_TEXTS,   /* const char *                                                  */
  TRMI_STORE_LIST     /* trm_numbers                                                   */
} trmi_store;

/* Kinds of parts that belong together; the sections of a model file, and what bodies hold. */
typedef enum trmi_part_group {
  TRMI_NO_PARTS, TRMI_WORLDS, TRMI_ENERGIES, TRMI_MARKERS, TRMI_SHAPES, TRMI_INTERFACES,
  TRMI_MATERIALS, TRMI_BODY_LOADS, TRMI_ASSIGNMENTS,
  TRMI_BODIES, TRMI_BEAMS, TRMI_FLEXIBLE, TRMI_JOINTS, TRMI_MOTIONS, TRMI_FORCES,
  TRMI_CONTACTS, /* as listed */
  TRMI_GROUPS, TRMI_TABLES, TRMI_COORDINATES, TRMI_MASSES, TRMI_COORDINATE_FORCES, TRMI_HOLONOMIC,
  TRMI_NONHOLONOMIC, TRMI_STATES, TRMI_VARIABLES, TRMI_DISCRETE, TRMI_EVENTS, TRMI_INPUTS,
  TRMI_OUTPUTS, TRMI_DRAWN, TRMI_PART_GROUPS
} trmi_part_group;

/* What setting a value of a built system means. */
typedef enum trmi_change {
  TRMI_STRUCTURAL, /* the system has to be built again      */
  TRMI_LIVE,       /* it counts from the next run on        */
  TRMI_DERIVED,    /* and others follow from it             */
  TRMI_LIVE_NUMBER /* live as a plain number, compiled as an expression */
} trmi_change;

typedef struct trmi_field {
  const char *path;     /* "equations.coordinates.*.value", "friction.static"  */
  unsigned    types;    /* TRMI_IS_...                                         */
  const char *unit;     /* of its dimension, "s"; NULL: not fixed              */
  const char *unit_turning; /* of coordinates that are angles, where it differs; NULL: no  */
  bool        is_required;
  const char *choices;  /* "a|b|c" of a word                                   */
  const char *(*choice_at)(int i); /* or its choices by number, those of a registry; NULL
                                      after the last                           */
  const char *fallback; /* the default, in words; NULL: `initial`, if it has one */
  const char *meaning;  /* one sentence                                        */
  void (*write_fallback)(char *text, size_t size); /* or they are made from a registry */
  void (*write_meaning)(char *text, size_t size);
  unsigned    reads;    /* TRM_READS_...: the meaning begins with the methods that read it */
  double      low, high; /* bounds of numbers; both zero: none                 */
  unsigned    open;     /* TRMI_OPEN_...                                       */
  const char *shorthand; /* a scalar instead of the mapping is the value of this key */
  trmi_name_rule names; /* of TRMI_IS_NAMES without parts                      */
  const char *sizes;    /* of lists and matrices, "3|6|6x6"; see trmi_field_size */
  const char *one_of;   /* of a mapping: exactly one of these keys, "a|b|c"    */
  const char *not_both; /* of a mapping: at most one of these keys             */
  trmi_part_group parts; /* the entries below are parts of these kinds         */
  trmi_part_group also;  /* of a mapping: besides its keys, parts of this kind by name, which
                            are moved when a model is read, before tables are used */

  /* of kinds of parts */
  trmi_store  store;
  const char *member;   /* of its struct                                       */
  int         room;     /* numbers or texts of its member                      */
  size_t      offset;   /* of its member                                       */
  bool        has_initial;
  double      initial;  /* each of its numbers where it is not given           */
  trmi_change change;   /* when it is set later                                */
} trmi_field;

/* The row of a key under a row, NULL: unknown. Of NAMES the row of `*`, which must be in the table:
 * not of parts. */
const trmi_field *trmi_field_child(const trmi_field *row, const char *key);

/* The row of the key under `row` after that of `last`, at first `row` itself; NULL: no more. */
const trmi_field *trmi_field_next(const trmi_field *row, const trmi_field *last);

/* Row number i of the keys directly under a row, or NULL after the last. */
const trmi_field *trmi_field_child_at(const trmi_field *row, int i);

/* The last part of the path: "value". */
const char *trmi_field_key(const trmi_field *row);

/* Dimension of the numbers of a row. */
trmi_dimension trmi_field_dimension(const trmi_field *row);

/* What setting a value of a row means. */
trmi_change trmi_field_change(const trmi_field *row);

/* The same in a word, "derived"; "" of rows that have no value of a part. */
const char *trmi_field_change_word(const trmi_field *row);

/* The default in words: "" where it has none. */
void trmi_field_fallback(const trmi_field *row, char *text, size_t size);

/* "greater than 0 and at most 1" */
void trmi_field_range(const trmi_field *row, char *text, size_t size);
bool trmi_field_allows(const trmi_field *row, double number);

/* Position of a word in choices "a|b|c", or -1. */
int trmi_word_find(const char *choices, const char *word);

/* Word number i of choices "a|b|c"; false after the last. */
bool trmi_word_at(const char *choices, int i, char word[TRMI_WORD_BYTES]);

/* Choice number i of the word of a row, wherever they are defined; false after the last. */
bool trmi_field_choice(const trmi_field *row, int i, char word[TRMI_WORD_BYTES]);

bool trmi_field_has_choice(const trmi_field *row, const char *word);

/* All of them, "a|b|c"; empty if it has none. */
void trmi_field_choices(const trmi_field *row, char *text, size_t size);

/* A list of `columns` values, or a matrix. */
typedef struct trmi_size {
  int  rows;    /* 0: a list                   */
  int  columns;
  bool or_more; /* rows, at least ("2+x3")     */
} trmi_size;

/* Size number i of a row that belongs to this type, a list or TRMI_IS_MATRIX; false after the
 * last. A row without any allows all. */
bool trmi_field_size(const trmi_field *row, unsigned type, int i, trmi_size *size);
bool trmi_field_has_size(const trmi_field *row, unsigned type, trmi_size size);

/* "3 or 6 numbers", "6x6 numbers", "texts": what a list or matrix of a row holds. */
void trmi_field_content(const trmi_field *row, unsigned type, char *text, size_t size);

#endif
