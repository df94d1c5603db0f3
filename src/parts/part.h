/* part.h - a part of a model: a struct of trammel/parts.h, and its texts with their positions. */
#ifndef TRMI_PART_H
#define TRMI_PART_H
#include "core/arena.h"
#include "core/complaint.h"
#include "expr/parse.h"
#include "parts/kinds.h"

/* A key of a list: `x:` under `coordinates:`. */
typedef struct trmi_key {
  const char *name;
  trmi_place  place;
} trmi_key;

/* What was given for a field. */
typedef struct trmi_given {
  bool             is_given;
  trmi_place       place;     /* of its key                                             */
  const trmi_text *texts;     /* of names, words and expressions; of numbers as written */
  int              count;     /* of numbers or texts                                    */
  int              rows;      /* 0: a single one; 1: a list; else a list of so many lists */
  trmi_dimension   dimension; /* of a single number                                     */
} trmi_given;

typedef struct trmi_part trmi_part;
struct trmi_part {
  trmi_key         key;
  const trmi_kind *kind;  /* NULL: unknown, after a complaint           */
  void            *def;   /* the struct                                 */
  trmi_given      *given; /* of each field                 [nfields]    */
  trmi_part       *inner; /* markers and shapes of a body, in the order of the text */
  trmi_part       *next;  /* after this one among them                  */
};

typedef struct trmi_parts {
  trmi_part *list;
  int        count;
} trmi_parts;

/* A struct of a kind in which nothing is given. */
void trmi_kind_clear(const trmi_kind *kind, void *def);

/* Take memory for a part of a kind whose fields are not given yet. False: there is none. */
bool trmi_part_make(trmi_part *part, const trmi_kind *kind, trmi_arena *arena);

/* What was given for a field by its key, "friction.static"; NULL: nothing. */
const trmi_given *trmi_part_find(const trmi_part *part, const char *key);

/* Is there a value of this key or below it? */
bool trmi_part_has(const trmi_part *part, const char *key);

/* Place of a value, or of the part itself if it is not given. */
trmi_place trmi_part_place(const trmi_part *part, const char *key);

/* A number, or its default; NaN where it has none. */
double trmi_part_number(const trmi_part *part, const char *key);
/* The same with a default that depends on others. */
double trmi_part_number_or(const trmi_part *part, const char *key, double otherwise);

/* Numbers of a value, as many as there are up to `count`. False: not given; `out` is untouched
 * then. */
bool trmi_part_numbers(const trmi_part *part, const char *key, int count, double *out);

/* All numbers of a value, NULL: it is not given. */
const double *trmi_part_list(const trmi_part *part, const char *key, int *count);

/* A word or name, or NULL. */
const char *trmi_part_word(const trmi_part *part, const char *key);

/* Texts of a value with their places, or NULL. */
const trmi_text *trmi_part_texts(const trmi_part *part, const char *key);

/* Its only text; of a value that is not given a text whose `text` is NULL. */
const trmi_text *trmi_part_text(const trmi_part *part, const char *key);

/* Position of its word among the choices of its field; 0 if it is not given. */
int trmi_part_choice(const trmi_part *part, const char *key);

/* Units that depend on whether a coordinate turns; complaints about what does not fit. */
bool trmi_part_check_turning(const trmi_part *part, bool turns, const trmi_units *units,
                             trmi_complaints *complaints);

#endif
