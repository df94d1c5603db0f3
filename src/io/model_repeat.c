/* model_repeat.c - expands blocks of `repeat` to parts: a template is copied for every index.
 *
 * `<i+1>` in a template, without blanks, is a hole replaced by its whole number; / rounds down, %
 * is the remainder. Nodes without holes are shared by all copies: the tree is constant afterwards.
 *
 * Parameters are copied first; their counts and holes may only use those outside `repeat`. */
#include "core/index.h"
#include "io/model_file.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sections[] = {"bodies", "beams", "flexible", "joints", "motions", "forces",
                                       "contacts", "tables", "inputs", "outputs",
                                       "show", "measures"};
enum { SECTIONS = sizeof sections / sizeof *sections, NUMBER_BYTES = 24, NESTED_MAX = 50 };

/* A block being repeated. */
typedef struct block {
  trm_model             *m;
  const trmi_parameters *parameters;
  trmi_pool              pool;
  const trmi_yaml       *node;
  const char            *index; /* its name              */
  double                 from, count;
  double                 value; /* present value of the index */
  bool                   is_good; /* no fault so far */
} block;

/* ---- holes --------------------------------------------------------------------------- */

/* The expression of a hole being read. */
typedef struct formula {
  block      *b;
  const char *at, *end;
  int         depth;
  char        fault[160]; /* "": none so far */
} formula;

static double read_sum(formula *f);

static double read_name(formula *f, size_t length) {
  double number = 0.0;
  trmi_dimension dimension;
  const char *name = f->at;
  const int shown = length < 40 ? (int)length : 40;
  f->at += length;
  if (strlen(f->b->index) == length && memcmp(f->b->index, name, length) == 0) return f->b->value;
  if (!trmi_parameters_find(f->b->parameters, name, length, &number, &dimension)) {
    snprintf(f->fault, sizeof f->fault, "'%.*s' is neither the index '%.40s' nor a parameter",
             shown, name, f->b->index);
  } else if (number != floor(number)) {
    snprintf(f->fault, sizeof f->fault, "the parameter '%.*s' is %.6g, not a whole number", shown,
             name, number);
  }
  const int i = trmi_parameters_index(f->b->parameters, name, length);
  if (i >= 0) f->b->m->def.is_fixed[i] = true;
  return number;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* A letter of a name. */
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || is_digit(c);
}

static double read_factor(formula *f) {
  double number = 0.0;
  if (f->at == f->end || f->fault[0] != '\0' || f->depth == NESTED_MAX) {
    if (f->fault[0] == '\0') snprintf(f->fault, sizeof f->fault, "a number or a name is missing");
    return 0.0;
  }
  if (*f->at == '-') {
    f->at++, f->depth++;
    number = -read_factor(f);
    f->depth--;
  } else if (*f->at == '(') {
    f->at++, f->depth++;
    number = read_sum(f);
    f->depth--;
    if (f->at < f->end && *f->at == ')') f->at++;
    else if (f->fault[0] == '\0') snprintf(f->fault, sizeof f->fault, "a ')' is missing");
  } else if (is_digit(*f->at)) {
    while (f->at < f->end && is_digit(*f->at)) number = 10.0 * number + (*f->at++ - '0');
  } else {
    size_t length = 0;
    while (is_letter(f->at[length])) length++;
    if (length > 0) return read_name(f, length);
    snprintf(f->fault, sizeof f->fault, "a number or a name is missing before '%c'", *f->at);
  }
  return number;
}

/* a/b rounded down, or the remainder of a. */
static double divide(formula *f, double a, double b, bool is_rest) {
  const double whole = b != 0.0 ? floor(a / b) : 0.0;
  if (b == 0.0 && f->fault[0] == '\0') snprintf(f->fault, sizeof f->fault, "division by zero");
  return is_rest ? a - b * whole : whole;
}

static double read_product(formula *f) {
  double product = read_factor(f);
  while (f->fault[0] == '\0' && f->at < f->end && strchr("*/%", *f->at) != NULL) {
    const char sign = *f->at++;
    const double factor = read_factor(f);
    product = sign == '*' ? product * factor : divide(f, product, factor, sign == '%');
  }
  return product;
}

static double read_sum(formula *f) {
  double sum = read_product(f);
  while (f->fault[0] == '\0' && f->at < f->end && (*f->at == '+' || *f->at == '-')) {
    const double sign = *f->at++ == '+' ? 1.0 : -1.0;
    sum += sign * read_product(f);
  }
  return sum;
}

/* The first hole in a text, with its brackets; NULL: there is none. */
static const char *find_hole(const char *text, size_t *length) {
  for (const char *open = strchr(text, '<'); open != NULL; open = strchr(open + 1, '<')) {
    size_t n = 0;
    while (is_letter(open[1 + n]) || (open[1 + n] != '\0' && strchr("+-*/%()", open[1 + n]))) n++;
    *length = n + 2;
    if (n > 0 && open[1 + n] == '>') return open;
  }
  return NULL;
}

/* A whole number as a text, like "%.0f" without "-0". */
static void write_whole(double value, char text[NUMBER_BYTES]) {
  char digits[NUMBER_BYTES];
  int n = 0;
  long long left = (long long)fabs(value);
  do digits[n++] = (char)('0' + left % 10);
  while ((left /= 10) > 0);
  if (value < 0.0) *text++ = '-';
  while (n > 0) *text++ = digits[--n];
  *text = '\0';
}

/* The number of a hole as a text; "1" after a complaint. */
static void fill_hole(block *b, const char *hole, size_t length, trmi_place place,
                      char number[NUMBER_BYTES]) {
  formula f = {.b = b, .at = hole + 1, .end = hole + length - 1};
  const double value = read_sum(&f);
  if (f.fault[0] == '\0' && f.at != f.end) {
    snprintf(f.fault, sizeof f.fault, "'%c' has no meaning here", *f.at);
  }
  if (f.fault[0] == '\0' && !(fabs(value) <= 1e15)) {
    snprintf(f.fault, sizeof f.fault, "%.3g is too large", value);
  }
  if (f.fault[0] == '\0') {
    write_whole(value, number);
    return;
  }
  snprintf(number, NUMBER_BYTES, "1");
  b->is_good = false;
  trmi_complain(&b->m->complaints, place, "%.*s: %s", length < 60 ? (int)length : 60, hole,
                f.fault);
}

/* ---- texts --------------------------------------------------------------------------- */

static trmi_place copy_place(const block *b, trmi_place place) {
  place.is_copy = true;
  place.index = (int)b->value;
  return place;
}

/* Length of a text with its holes filled, and the number of holes. */
static size_t measure(const char *text, size_t length, int *holes) {
  size_t n = length, hole;
  *holes = 0;
  for (const char *at = text; (at = find_hole(at, &hole)) != NULL; at += hole) {
    n += NUMBER_BYTES;
    (*holes)++;
  }
  return n;
}

/* Anchors of the letters from `from` to `to` of the template, which now begin at `offset`. */
static int shift_anchors(const block *b, const trmi_text *text, size_t from, size_t to,
                         size_t offset, trmi_anchor *anchors) {
  int n = 0;
  anchors[n++] = (trmi_anchor){.offset = offset,
                               .place = copy_place(b, trmi_text_place(text, from))};
  for (int i = 0; i < text->nanchors; i++) {
    const trmi_anchor *old = &text->anchors[i];
    if (old->offset <= from || old->offset >= to) continue;
    anchors[n++] = (trmi_anchor){.offset = offset + (old->offset - from),
                                 .place = copy_place(b, old->place)};
  }
  return n;
}

/* A text with its holes filled. */
static trmi_text fill_text(block *b, const trmi_text *text) {
  int holes;
  const size_t room = measure(text->text, text->length, &holes) + 1;
  char *copy = trmi_pool_take(&b->pool, room);
  trmi_anchor *anchors =
      trmi_pool_take(&b->pool, (size_t)(2 * holes + 1 + text->nanchors) * sizeof *anchors);
  if (copy == NULL || anchors == NULL) return *text;
  size_t used = 0, from = 0, length;
  int n = 0;
  const char *hole;
  while ((hole = find_hole(text->text + from, &length)) != NULL) {
    char number[NUMBER_BYTES];
    const size_t at = (size_t)(hole - text->text);
    const trmi_place place = copy_place(b, trmi_text_place(text, at));
    if (at > from) n += shift_anchors(b, text, from, at, used, anchors + n);
    memcpy(copy + used, text->text + from, at - from);
    used += at - from;
    fill_hole(b, hole, length, place, number);
    anchors[n++] = (trmi_anchor){.offset = used, .place = place};
    memcpy(copy + used, number, strlen(number));
    used += strlen(number);
    from = at + length;
  }
  if (from < text->length) n += shift_anchors(b, text, from, text->length, used, anchors + n);
  memcpy(copy + used, text->text + from, text->length - from);
  used += text->length - from;
  copy[used] = '\0';
  return (trmi_text){.text = copy, .length = used, .anchors = anchors, .nanchors = n};
}

/* A key with its holes filled. */
static const char *fill_key(block *b, const char *key, trmi_place place) {
  size_t length;
  if (key == NULL || find_hole(key, &length) == NULL) return key;
  const trmi_anchor anchor = {.offset = 0, .place = place};
  const trmi_text text = {.text = key, .length = strlen(key), .anchors = &anchor, .nanchors = 1};
  return fill_text(b, &text).text;
}

/* ---- copies -------------------------------------------------------------------------- */

/* Find the nodes of a template with holes, once for all copies. */
static bool mark_holes(trmi_yaml *node) {
  size_t length;
  node->has_hole = node->kind == TRMI_YAML_SCALAR && find_hole(node->text.text, &length) != NULL;
  for (trmi_yaml *e = node->first; e != NULL; e = e->next) {
    const bool is_below = mark_holes(e);
    if (is_below || (e->key != NULL && find_hole(e->key, &length) != NULL)) node->has_hole = true;
  }
  return node->has_hole;
}

static void append(trmi_yaml *parent, trmi_yaml *node) {
  if (parent->last != NULL) parent->last->next = node;
  else parent->first = node;
  parent->last = node;
  parent->count++;
}

static trmi_yaml *copy_node(block *b, const trmi_yaml *node) {
  trmi_yaml *copy = trmi_pool_take(&b->pool, sizeof *copy);
  if (copy == NULL) return NULL;
  *copy = *node;
  copy->next = NULL;
  copy->key = fill_key(b, node->key, node->key_place);
  copy->key_place = copy_place(b, node->key_place);
  if (!node->has_hole) return copy;
  copy->place = copy_place(b, node->place);
  if (node->kind == TRMI_YAML_SCALAR) {
    copy->text = fill_text(b, &node->text);
    return copy;
  }
  copy->first = copy->last = NULL;
  copy->count = 0;
  for (const trmi_yaml *e = node->first; e != NULL; e = e->next) {
    trmi_yaml *child = copy_node(b, e);
    if (child == NULL) return NULL;
    append(copy, child);
  }
  return copy;
}

/* ---- sections ------------------------------------------------------------------------ */

/* The section of the model to which copies are added; NULL: not a mapping, reported elsewhere. */
static trmi_yaml *open_section(block *b, trmi_yaml *outer, const trmi_yaml *template) {
  trmi_yaml *section = trmi_yaml_find(outer, template->key);
  if (section == NULL) {
    return trmi_yaml_add(outer, template->key, template->key_place, TRMI_YAML_MAPPING,
                         &b->m->arena);
  }
  if (trmi_yaml_is_missing(section)) section->kind = TRMI_YAML_MAPPING;
  return section->kind == TRMI_YAML_MAPPING ? section : NULL;
}

/* Complain about entries of a section that would be the same in all copies. */
static bool check_keys(block *b, const trmi_yaml *template) {
  size_t length;
  bool is_good = true;
  const trmi_yaml *before = NULL;
  for (const trmi_yaml *e = template->first; e != NULL; before = e, e = e->next) {
    if (find_hole(e->key, &length) != NULL || b->count < 2.0) continue;
    if (before != NULL && trmi_yaml_is_open(before)) {
      trmi_complain(&b->m->complaints, e->key_place, "%s", trmi_yaml_comma);
      return false;
    }
    trmi_complain(&b->m->complaints, e->key_place,
                  "the name '%.60s' is the same in all copies: put the index in it, like "
                  "'%.40s<%.40s>'", e->key, e->key, b->index);
    is_good = false;
  }
  return is_good;
}

/* Add copies of a template to the section of the same name in `outer`. */
static void repeat_section(block *b, trmi_yaml *outer, const trmi_yaml *template) {
  if (!check_keys(b, template)) {
    b->is_good = false;
    return;
  }
  trmi_yaml *section = open_section(b, outer, template);
  trmi_arena scratch;
  trmi_index names = {.size = 0};
  if (section == NULL) return;
  trmi_arena_init(&scratch, &b->m->arena.allocator);
  for (const trmi_yaml *e = section->first; e != NULL; e = e->next) {
    trmi_index_add(&names, &scratch, e->key, strlen(e->key), 0);
  }
  for (double k = 0.0; k < b->count && b->is_good; k += 1.0) {
    b->value = b->from + k;
    for (const trmi_yaml *e = template->first; e != NULL && b->is_good; e = e->next) {
      trmi_yaml *copy = copy_node(b, e);
      if (copy == NULL) break;
      if (trmi_index_find(&names, copy->key, strlen(copy->key)) >= 0) {
        trmi_complain(&b->m->complaints, copy->key_place, "the name '%.60s' is made twice",
                      copy->key);
        b->is_good = false;
      }
      trmi_index_add(&names, &scratch, copy->key, strlen(copy->key), 0);
      append(section, copy);
    }
  }
  if (scratch.failed) b->m->arena.failed = true;
  trmi_arena_clear(&scratch);
}

/* ---- blocks -------------------------------------------------------------------------- */

/* Number of nodes of one copy by copy_node. */
static double count_nodes(const trmi_yaml *node) {
  double n = 1.0;
  if (node->kind == TRMI_YAML_SCALAR || !node->has_hole) return n;
  for (const trmi_yaml *e = node->first; e != NULL; e = e->next) n += count_nodes(e);
  return n;
}

/* The number of a key, or its default; false after a complaint, or if one follows. */
static bool read_number(block *b, trmi_parameters *parameters, const char *key, double otherwise,
                        double *number) {
  const trmi_field *row = trmi_field_child(trmi_schema_at(0), "repeat");
  const trmi_yaml *node = trmi_yaml_find(b->node, key);
  *number = otherwise;
  if (node == NULL) return isfinite(otherwise);
  row = trmi_field_child(trmi_field_child(row, "*"), key);
  if (node->kind == TRMI_YAML_SCALAR) trmi_parameters_fix(parameters, &node->text);
  return trmi_model_number(parameters, row, node, number);
}

static bool read_index(block *b) {
  const trmi_yaml *node = trmi_yaml_find(b->node, "index");
  double number;
  trmi_dimension dimension;
  b->index = node != NULL && node->kind == TRMI_YAML_SCALAR ? node->text.text : "i";
  const size_t length = strlen(b->index);
  const bool is_name = length > 0 && strchr("0123456789", b->index[0]) == NULL &&
                       strspn(b->index, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                        "0123456789") == length;
  if (!is_name) {
    trmi_complain(&b->m->complaints, node->place, "'%.40s' cannot be the name of an index",
                  b->index);
    return false;
  }
  if (!trmi_parameters_find(b->parameters, b->index, length, &number, &dimension)) return true;
  trmi_complain(&b->m->complaints, node != NULL ? node->place : b->node->key_place,
                "the index '%.40s' is also the name of a parameter: choose another with 'index'",
                b->index);
  return false;
}

/* Copy one section, after checking that there are not too many copies. */
static bool repeat_counted(block *b, trmi_yaml *outer, trmi_yaml *template, double *nodes) {
  if (template == NULL || template->kind != TRMI_YAML_MAPPING) return true;
  mark_holes(template);
  *nodes += b->count * (count_nodes(template) - 1.0); /* the section itself is not copied */
  if (*nodes > TRMI_YAML_NODES_MAX) {
    trmi_complain(&b->m->complaints, trmi_yaml_find(b->node, "count")->place,
                  "repeat.%.60s: %.0f copies make more than 2 million nodes", b->node->key,
                  b->count);
    return false;
  }
  repeat_section(b, outer, template);
  return true;
}

/* The sections of `equations`; energies are sums over everything and cannot be copied. */
static bool repeat_equations(block *b, trmi_yaml *template, double *nodes) {
  if (template == NULL || template->kind != TRMI_YAML_MAPPING) return true;
  trmi_yaml *outer = open_section(b, b->m->root, template);
  for (trmi_yaml *e = template->first; e != NULL && outer != NULL; e = e->next) {
    if (e->kind != TRMI_YAML_MAPPING) {
      trmi_complain(&b->m->complaints, e->key_place, "equations.%.60s is a single value: only "
                    "names can be repeated", e->key);
      return false;
    }
    if (!repeat_counted(b, outer, e, nodes)) return false;
  }
  return true;
}

/* Index, count and first number of a block; false after a complaint. */
static bool open_block(block *b, trmi_parameters *parameters) {
  return b->node->kind == TRMI_YAML_MAPPING &&
         read_number(b, parameters, "count", NAN, &b->count) &&
         read_number(b, parameters, "from", 1.0, &b->from) && read_index(b);
}

/* Copies of all blocks so far have `nodes` nodes. */
static bool repeat_block(trm_model *m, trmi_parameters *parameters, const trmi_yaml *node,
                         double *nodes) {
  block b = {.m = m, .parameters = parameters, .pool = {.arena = &m->arena}, .node = node,
             .is_good = true};
  if (!open_block(&b, parameters)) return false;
  for (int i = 0; i < SECTIONS; i++) {
    if (!repeat_counted(&b, m->root, trmi_yaml_find(node, sections[i]), nodes)) return false;
  }
  return repeat_equations(&b, trmi_yaml_find(node, "equations"), nodes) && b.is_good;
}

/* Only the parameters of a block. */
static bool repeat_parameters(trm_model *m, trmi_parameters *parameters, const trmi_yaml *node,
                              double *nodes) {
  block b = {.m = m, .parameters = parameters, .pool = {.arena = &m->arena}, .node = node,
             .is_good = true};
  trmi_yaml *template = trmi_yaml_find(node, "parameters");
  if (template == NULL) return true;
  return open_block(&b, parameters) && repeat_counted(&b, m->root, template, nodes) && b.is_good;
}

/* ---- the model --------------------------------------------------------------------------- */

/* The parameters of the tree; those that were fixed before remain so. */
static trm_status define_numbers(trm_model *m, trm_error *err) {
  const bool *before = m->def.is_fixed;
  const int nbefore = m->def.parameters.count;
  trmi_model_define_numbers(m);
  m->def.is_fixed = TRMI_TAKE(&m->arena, bool, m->def.parameters.count);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  for (int i = 0; i < nbefore; i++) m->def.is_fixed[i] = before[i];
  return TRM_OK;
}

/* Parts of all blocks, or only their parameters. Faults of parameters are reported when all numbers
 * are read. */
static trm_status repeat_blocks(trm_model *m, const trmi_yaml *blocks,
                                bool (*repeat)(trm_model *, trmi_parameters *, const trmi_yaml *,
                                               double *),
                                bool *is_whole, trm_error *err) {
  trmi_complaints faults = {.count = 0};
  trmi_parameters parameters;
  double nodes = 0.0;
  TRMI_TRY(err, trmi_parameters_init(&parameters, &m->def, &m->arena.allocator, &faults, err));
  parameters.complaints = &m->complaints;
  for (const trmi_yaml *e = blocks->first; e != NULL && !m->arena.failed; e = e->next) {
    if (nodes > TRMI_YAML_NODES_MAX) continue;
    *is_whole = repeat(m, &parameters, e, &nodes) && *is_whole;
  }
  const trm_status status = trmi_graph_check(&parameters.graph, err);
  trmi_parameters_free(&parameters);
  TRMI_TRY(err, status);
  return trmi_arena_check(&m->arena, err);
}

trm_status trmi_model_repeat(trm_model *m, bool *is_whole, trm_error *err) {
  const trmi_yaml *blocks = trmi_yaml_find(m->root, "repeat");
  bool has_parameters = false;
  *is_whole = true;
  TRMI_TRY(err, define_numbers(m, err));
  if (blocks == NULL || blocks->kind != TRMI_YAML_MAPPING) return TRM_OK;
  for (const trmi_yaml *e = blocks->first; e != NULL; e = e->next) {
    has_parameters = has_parameters || trmi_yaml_find(e, "parameters") != NULL;
  }
  if (has_parameters) {
    TRMI_TRY(err, repeat_blocks(m, blocks, repeat_parameters, is_whole, err));
    if (!*is_whole) return TRM_OK; /* further faults would only be consequences */
    TRMI_TRY(err, define_numbers(m, err));
  }
  return repeat_blocks(m, blocks, repeat_block, is_whole, err);
}
