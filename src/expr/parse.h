/* parse.h - from the text of an expression to a node of the graph.
 *
 *   or      := and { "or" and }                    logic of conditions, inside if
 *   and     := not { "and" not }
 *   not     := "not" not | compare
 *   compare := sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
 *   sum     := product { ("+" | "-") product }
 *   product := sign { ("*" | "/") sign }
 *   sign    := ("-" | "+") sign | power
 *   power   := atom [ ("^" | "**") sign ]          binds to the right: 2^3^2 = 2^9, -x^2 = -(x^2)
 *   atom    := number [unit] | name {"'"} | function "(" [or {"," or}] ")" | "(" or ")"
 * Names may have dots; function names are not sensitive to case (STEP, step). `&&`, `||` and
 * `!` are `and`, `or` and `not`. A unit is a product without blanks: in `9.81 m/s^2 * m` the
 * last m is a name. Where `*` joins a unit that is also a name of the model, the quantity must be
 * the whole text, an argument or in parentheses: otherwise it is ambiguous and a fault. */
#ifndef TRMI_EXPR_PARSE_H
#define TRMI_EXPR_PARSE_H
#include "core/complaint.h"
#include "expr/graph.h"
#include "expr/units.h"

/* Position of a line of the text in its file. */
typedef struct trmi_anchor {
  size_t     offset; /* in the text */
  trmi_place place;
} trmi_anchor;

/* A text with its positions: anchors ascend, the first has offset 0. */
typedef struct trmi_text {
  const char        *text; /* ends with a zero byte */
  size_t             length;
  const trmi_anchor *anchors;
  int                nanchors;
} trmi_text;

/* The position of a letter. Columns count letters, not bytes (UTF-8). */
trmi_place trmi_text_place(const trmi_text *text, size_t offset);

/* Does a text have the required dimension? If not, a complaint. */
bool trmi_check_dimension(trmi_complaints *complaints, const trmi_units *units,
                          const trmi_text *text, trmi_dimension is, trmi_dimension should);

/* A node and its dimension. */
typedef struct trmi_meaning {
  trmi_node      node;
  trmi_dimension dimension;
  bool is_condition; /* a comparison, 1 or 0; only trmi_parse sets it                  */
  bool is_faulty;    /* set by a scope: the fault of this name was reported, trmi_parse stops
                        without a further complaint */
} trmi_meaning;

/* A function of objects instead of numbers: DX(crank.end, ground). */
enum { TRMI_MEASURE_ARGUMENTS = 4 };
typedef struct trmi_measure_call {
  const char *name; /* of the function, as written */
  size_t      length;
  trmi_place  place;
  struct {
    const char *text;
    size_t      length;
    trmi_place  place;
  } args[TRMI_MEASURE_ARGUMENTS];
  int n;
} trmi_measure_call;

/* Meaning of names. Entries may be NULL: no names of that kind. */
typedef struct trmi_scope {
  void *self;
  /* Meaning of a name with this number of primes. False: unknown name, the parser complains. It may
   * complain itself (a loop of parameters, a velocity where none is allowed) and then returns true
   * with node 0; is_faulty if that was reported before. `out` is cleared on entry. */
  bool (*name)(void *self, const char *name, size_t length, int primes, trmi_place place,
               trmi_meaning *out);
  /* A table of the model by its name, as a curve of that kind; kind -1: that of the table. NULL:
   * there is none. */
  const trmi_spline *(*curve)(void *self, const char *name, size_t length, int kind);
  /* Conditions that cause a jump. Returns a node for `difference` >= 0 that is 1 or 0 and changes
   * only at events. NULL: conditions are evaluated directly. */
  trmi_node (*held_sign)(void *self, trmi_node difference);
  /* The same for the cut-off of a force that is zero with the difference. */
  trmi_node (*held_cut)(void *self, trmi_node difference, trmi_node force);
  /* How often the law that is read will be differentiated before it acts as a force (2: positions
   * of a motion or constraint): where derivatives of that order jump or have a kink it is sharp. */
  int lost;
  /* The piece of a sharp curve at x, held between events likewise. */
  trmi_node (*held_piece)(void *self, const trmi_spline *curve, trmi_node x);
  /* A stop pushes when this gap is negative: reported when forces are built. NULL: ignored. */
  void (*touch)(void *self, trmi_node gap);
  /* A smooth law of x, which contains `part`, begins or ends where x passes zero, or a point of the
   * curve if there is one. NULL: nobody asks. */
  void (*mark)(void *self, trmi_node part, trmi_node x, const trmi_spline *curve);
  /* A curve is used at x. NULL: nobody asks. */
  void (*use)(void *self, const trmi_spline *curve, trmi_node x);
  /* Does a node change only at events (constants, discrete values)? Conditions of such nodes are
   * not held, and only they may use == and !=. NULL: only constants do. */
  bool (*is_steady)(void *self, trmi_node node);
  /* Is this a function of objects, and its call: false after a complaint. */
  bool (*is_measure)(void *self, const char *name, size_t length);
  bool (*measure)(void *self, const trmi_measure_call *call, trmi_meaning *out);
  /* For energies: 1/2 as a factor, whole numbers as divisors, sines and similar are plain numbers.
   * Other numbers without a unit may have any dimension. */
  bool has_plain_factors;
  /* Known names for "did you mean": name number i, or NULL after the last. */
  const char *(*known)(void *self, int i);
} trmi_scope;

typedef struct trmi_parser {
  trmi_graph       *graph;
  const trmi_scope *scope;
  const trmi_units *units;
  trmi_complaints  *complaints;
} trmi_parser;

/* Parse one expression. On a fault one complaint is added and false returned; the
 * node is then 0. No text hangs it or exhausts the stack: nesting ends at 200.
 * The whole may be a condition (`y < 0`): out->is_condition says so, and whoever needs a
 * number complains. When memory runs out false is returned and graph->failed set. */
bool trmi_parse(const trmi_parser *parser, const trmi_text *text, trmi_meaning *out);

/* A function of the language, for the reference page and for "did you mean". */
typedef struct trmi_function_info {
  const char *name;      /* "STEP"                     */
  const char *arguments; /* "x, x0, h0, x1, h1"        */
  const char *meaning;   /* one line                   */
} trmi_function_info;

/* Function number i in the order of the page, or NULL after the last. */
const trmi_function_info *trmi_function_at(int i);

#endif
