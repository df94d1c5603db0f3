/* schema.h - every key of a model file, once: the table behind checking, the
 * published JSON Schema and the reference page.
 *
 * A row has a path from the root of the file; `*` in it stands for any name. The children of a
 * row are the rows whose path goes one step further. */
#ifndef TRMI_SCHEMA_H
#define TRMI_SCHEMA_H
#include "core/buffer.h"
#include "expr/units.h"
#include "io/yaml.h"
#include "trammel/methods.h"

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
  TRMI_NAME_PART   /* letters, digits and _: a dot leads to what is inside     */
} trmi_name_rule;

typedef struct trmi_schema_row {
  const char *path;     /* "equations.coordinates.*.value"                    */
  unsigned    types;    /* TRMI_IS_...                                        */
  const char *unit;     /* of its dimension, "s"; NULL: not fixed             */
  bool        is_required;
  const char *choices;  /* "a|b|c" of a word                                  */
  const char *(*choice_at)(int i); /* or its choices by number, those of a registry; NULL
                                      after the last                          */
  const char *fallback; /* the default, in words; NULL: none                  */
  const char *meaning;  /* one sentence                                       */
  void (*write_fallback)(char *text, size_t size); /* or they are made from a registry, see */
  void (*write_meaning)(char *text, size_t size);  /* schema_methods.c              */
  unsigned    reads;    /* TRM_READS_...: the meaning begins with the methods that read it */
  double      low, high; /* bounds of numbers; both zero: none                */
  unsigned    open;     /* TRMI_OPEN_...                                      */
  const char *shorthand; /* a scalar instead of the mapping stands for this key */
  trmi_name_rule names; /* of TRMI_IS_NAMES                                   */
  const char *sizes;    /* of lists and matrices, "3|6|6x6"; see trmi_schema_size_at */
  const char *one_of;   /* of a mapping: exactly one of these keys, "a|b|c"   */
  const char *not_both; /* of a mapping: at most one of these keys            */
} trmi_schema_row;

/* Version of model files this table describes. */
#define TRMI_MODEL_VERSION "1"

/* Row number i, or NULL after the last; row 0 is the file itself, with the path "". The rows below
 * a row follow it, and the keys of mechanisms have a table of their own. */
const trmi_schema_row *trmi_schema_at(int i);

/* The row of a key under a row: by its name, or the row of `*`. NULL: unknown. */
const trmi_schema_row *trmi_schema_child(const trmi_schema_row *row, const char *key);

/* The row of the key under `row` after that of `last`, at first `row` itself; NULL: no more. */
const trmi_schema_row *trmi_schema_next_child(const trmi_schema_row *row,
                                              const trmi_schema_row *last);

/* Row number i of the keys directly under a row, or NULL after the last. */
const trmi_schema_row *trmi_schema_child_at(const trmi_schema_row *row, int i);

/* The last part of the path: "value". */
const char *trmi_schema_key(const trmi_schema_row *row);

/* Dimension of the numbers of a row. */
trmi_dimension trmi_schema_dimension(const trmi_schema_row *row);

/* "greater than 0 and at most 1" */
void trmi_schema_range(const trmi_schema_row *row, char *text, size_t size);
bool trmi_schema_is_in_range(const trmi_schema_row *row, double number);

/* Position of a word in choices "a|b|c", or -1. */
int trmi_schema_choice(const char *choices, const char *word);

/* Word number i of choices "a|b|c"; false after the last. */
bool trmi_schema_word_at(const char *choices, int i, char word[TRMI_WORD_BYTES]);

/* Choice number i of the word of a row, wherever they stand; false after the last. */
bool trmi_schema_choice_at(const trmi_schema_row *row, int i, char word[TRMI_WORD_BYTES]);

/* All of them, "a|b|c"; empty if it has none. */
void trmi_schema_choices(const trmi_schema_row *row, char *text, size_t size);

/* Default in words, and meaning, wherever they come from. */
void trmi_schema_fallback(const trmi_schema_row *row, char *text, size_t size);
void trmi_schema_meaning(const trmi_schema_row *row, char *text, size_t size);

/* schema_methods.c: choices, defaults and meanings from the registry of methods. */
const char *trmi_schema_method_at(int i);
const char *trmi_schema_formulation_at(int i);
void trmi_schema_usual_method(char *text, size_t size);
void trmi_schema_usual_formulations(char *text, size_t size);
void trmi_schema_methods(char *text, size_t size);
void trmi_schema_formulations(char *text, size_t size);
/* The table of methods of the reference page. */
void trmi_schema_methods_page(trmi_buffer *out);

/* A list of `columns` values, or a matrix. */
typedef struct trmi_size {
  int rows;    /* 0: a list; TRMI_ANY_SIZE: two or more ("nx3") */
  int columns;
} trmi_size;

enum { TRMI_ANY_SIZE = -1 };

/* Size number i of a row that belongs to this type, a list or TRMI_IS_MATRIX; false after the
 * last. A row without any allows all. */
bool trmi_schema_size_at(const trmi_schema_row *row, unsigned type, int i, trmi_size *size);

/* "3 or 6 numbers", "6x6 numbers", "texts": what a list or matrix of a row holds. */
void trmi_schema_content(const trmi_schema_row *row, unsigned type, char *text, size_t size);

/* Unknown keys, wrong kinds and sizes of values, missing keys and values, bad names and words.
 * Numbers and expressions are not evaluated here. False: a whole section is missing or unreadable,
 * so that to go on would only give complaints about unknown names. */
bool trmi_schema_check(const trmi_yaml *root, trmi_complaints *complaints);

/* A model has equations, bodies or beams, perhaps repeated; these are the keys, "a|b|c". */
#define TRMI_MODEL_CONTENT "equations|bodies|beams|repeat"

/* Rows of the keys of mechanisms; the last has no path. */
extern const trmi_schema_row trmi_schema_mechanism[];

/* Print the JSON Schema, or the reference page with functions and units. */
void trmi_schema_json(trmi_buffer *buffer);
void trmi_schema_reference(trmi_buffer *buffer);

#endif
