/* equations_names.c - the meaning of names of a typed model: numbering, labels, symbols,
 * and the scope in which its expressions are read. */
#include "equations/equations_marks.h"
#include "equations/equations_quantities.h"
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static trmi_dimension rate_of(trmi_dimension d, int primes) {
  const trmi_dimension second = {.is_known = true, .time = 1};
  for (int k = 0; k < primes; k++) d = trmi_dimension_product(d, second, -1);
  return d;
}

/* --- declaring ------------------------------------------------------------------ */

static void label(trmi_compiler *b, trm_quantity list, int i, const char *prefix, const char *sort,
                  const char *name) {
  trm_label *out = &b->eq->labels[list][i];
  snprintf(out->name, sizeof out->name, "%s%s", prefix, name);
  snprintf(out->object, sizeof out->object, "%s '%.48s'", sort, name);
}

static void declare(trmi_compiler *b, const trmi_key *key, trmi_input list, int index) {
  b->names[b->nnames++] = (trmi_name){.key = *key, .list = list, .index = index};
}

/* Dimension of a start value such as `8 mm`. */
static trmi_dimension dimension_of(const trmi_part *part, const char *key) {
  const trmi_given *given = trmi_part_find(part, key);
  return given != NULL ? given->dimension : (trmi_dimension){0};
}

static trm_kind kind_of(trm_kind given, trmi_dimension d) {
  if (given != TRM_KIND_NONE || !d.is_known) return given;
  if (d.length == 1 && d.mass == 0 && d.time == 0 && d.force == 0) return TRM_KIND_METRE;
  return trmi_dimension_is_number(d) ? TRM_KIND_RADIAN : TRM_KIND_NONE;
}

static void declare_coordinates(trmi_compiler *b) {
  static const trm_kind kinds[] = {TRM_KIND_NONE, TRM_KIND_METRE, TRM_KIND_RADIAN, TRM_KIND_MODAL};
  for (int i = 0; i < b->def->parts[TRMI_COORDINATES].count; i++) {
    const trmi_part *c = &b->def->parts[TRMI_COORDINATES].list[i];
    declare(b, &c->key, TRMI_IN_Q, i);
    const bool is_guess = trmi_part_find(c, "guess") != NULL;
    const trmi_dimension dimension = dimension_of(c, is_guess ? "guess" : "value");
    const trm_kind kind = kind_of(kinds[trmi_part_choice(c, "kind")], dimension);
    b->names[b->nnames - 1].dimension = dimension;
    label(b, TRM_Q, i, "", "coordinate", c->key.name);
    label(b, TRM_V, i, "v", "coordinate", c->key.name);
    b->eq->labels[TRM_Q][i].kind = b->eq->labels[TRM_V][i].kind = kind;
  }
}

static void declare_rows(trmi_compiler *b) {
  const trmi_parts *holonomic = &b->def->parts[TRMI_HOLONOMIC];
  const trmi_parts *nonholonomic = &b->def->parts[TRMI_NONHOLONOMIC];
  for (int i = 0; i < holonomic->count; i++) {
    const trmi_key *key = &holonomic->list[i].key;
    const int row = trmi_typed_rows(b) + i;
    declare(b, key, TRMI_IN_LAM, row);
    label(b, TRM_LAM, row, "", "constraint", key->name);
    b->eq->labels[TRM_LAM][row].kind = TRM_KIND_NEWTON;
  }
  for (int i = 0; i < nonholonomic->count; i++) {
    const trmi_key *key = &nonholonomic->list[i].key;
    declare(b, key, TRMI_IN_MU, i);
    label(b, TRM_MU, i, "", "constraint", key->name);
    b->eq->labels[TRM_MU][i].kind = TRM_KIND_NEWTON;
  }
}

trm_kind trmi_kind_of_load(trmi_dimension d) {
  const bool is_force = d.is_known && d.force == 1 && d.mass == 0 && d.time == 0;
  if (is_force && d.length == 0) return TRM_KIND_NEWTON;
  return is_force && d.length == 1 ? TRM_KIND_NEWTON_METRE : kind_of(TRM_KIND_NONE, d);
}

static void declare_inputs(trmi_compiler *b) {
  for (int i = 0; i < b->def->parts[TRMI_INPUTS].count; i++) {
    const trmi_part *input = &b->def->parts[TRMI_INPUTS].list[i];
    declare(b, &input->key, TRMI_IN_INPUT, i);
    b->names[b->nnames - 1].dimension = dimension_of(input, "value");
    label(b, TRM_U, i, "", "input", input->key.name);
    const trmi_dimension dimension = b->names[b->nnames - 1].dimension;
    b->eq->labels[TRM_U][i].kind = trmi_kind_of_load(dimension);
    trmi_unit_of_label(&b->def->units, dimension, &b->eq->labels[TRM_U][i]);
  }
}

static void declare_rest(trmi_compiler *b) {
  const trmi_parts *parts = b->def->parts;
  for (int i = 0; i < parts[TRMI_STATES].count; i++) {
    const trmi_part *state = &parts[TRMI_STATES].list[i];
    declare(b, &state->key, TRMI_IN_X, i);
    b->names[b->nnames - 1].dimension = dimension_of(state, "value");
    label(b, TRM_X, i, "", "state", state->key.name);
    b->eq->labels[TRM_X][i].kind = TRM_KIND_STATE;
    trmi_unit_of_label(&b->def->units, b->names[b->nnames - 1].dimension,
                       &b->eq->labels[TRM_X][i]);
  }
  for (int i = 0; i < parts[TRMI_VARIABLES].count; i++) {
    const trmi_key *key = &parts[TRMI_VARIABLES].list[i].key;
    declare(b, key, TRMI_IN_W, i);
    label(b, TRM_W, i, "", "variable", key->name);
  }
  for (int i = 0; i < parts[TRMI_DISCRETE].count; i++) {
    const trmi_part *value = &parts[TRMI_DISCRETE].list[i];
    declare(b, &value->key, TRMI_IN_Z, i);
    b->names[b->nnames - 1].dimension = dimension_of(value, "value");
  }
  declare_inputs(b);
  for (int i = 0; i < parts[TRMI_OUTPUTS].count; i++) {
    label(b, TRM_OUTPUT, i, "", "output", parts[TRMI_OUTPUTS].list[i].key.name);
  }
}

static int by_name(const void *x, const void *y) {
  const trmi_name *a = x, *b = y;
  const int order = strcmp(a->key.name, b->key.name);
  if (order != 0) return order;
  if (a->key.place.line != b->key.place.line) return a->key.place.line - b->key.place.line;
  return a->key.place.column - b->key.place.column;
}

/* Every name must have one meaning. */
static void find_doubles(trmi_compiler *b) {
  static const char *const reserved[] = {"time", "pi"};
  qsort(b->names, (size_t)b->nnames, sizeof *b->names, by_name);
  for (int i = 0; i < b->nnames; i++) {
    const trmi_key *key = &b->names[i].key;
    double number;
    trmi_dimension dimension;
    if (i > 0 && strcmp(key->name, b->names[i - 1].key.name) == 0) {
      trmi_complain(b->complaints, key->place, "the name '%.60s' is used twice; it stands first "
                    "in line %d", key->name, b->names[i - 1].key.place.line);
    } else if (trmi_parameters_find(b->parameters, key->name, strlen(key->name), &number,
                                    &dimension)) {
      trmi_complain(b->complaints, key->place, "the name '%.60s' is also that of a parameter",
                    key->name);
    }
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++) {
      if (strcmp(key->name, reserved[k]) == 0) {
        trmi_complain(b->complaints, key->place, "'%s' has a meaning of its own in expressions; "
                      "choose another name", reserved[k]);
      }
    }
  }
}

static void make_symbols(trmi_compiler *b) {
  const trm_sizes *n = &b->eq->n;
  const int counts[TRMI_INPUT_LISTS] = {
    [TRMI_IN_TIME] = 1,     [TRMI_IN_Q] = b->nq_all, [TRMI_IN_V] = b->nv_all,
    [TRMI_IN_VD] = b->nv_all, [TRMI_IN_BIAS] = b->nv_all - n->nv,
    [TRMI_IN_LAM] = n->ng,  [TRMI_IN_MU] = n->na,  [TRMI_IN_X] = n->nx,  [TRMI_IN_XD] = n->nx,
    [TRMI_IN_W] = n->nw,    [TRMI_IN_MEMORY] = b->eq->nmemory,
    [TRMI_IN_INPUT] = n->nu, [TRMI_IN_INPUT_RATE] = n->nu,
    [TRMI_IN_U] = n->nv,    [TRMI_IN_Y] = n->ng,   [TRMI_IN_YA] = n->na,
    [TRMI_IN_Z] = b->nz,
  };
  b->graph.lists = TRMI_INPUT_LISTS;
  for (int list = 0; list < TRMI_INPUT_LISTS; list++) {
    b->first[list] = b->graph.count;
    b->eq->first[list] = counts[list]; /* until the tape is built */
    for (int i = 0; i < counts[list]; i++) trmi_symbol(&b->graph, i * TRMI_INPUT_LISTS + list);
  }
}

/* Sizes of all lists, memory for names and labels. */
static void take_lists(trmi_compiler *b) {
  static const trmi_additions nothing = {0};
  const trmi_definition *def = b->def;
  const trmi_additions *add = b->extension == NULL ? &nothing : &b->extension->add;
  trmi_equations *eq = b->eq;
  trmi_arena *arena = &eq->arena;
  trm_sizes *n = &eq->n;
  const trmi_parts *parts = def->parts;
  *n = (trm_sizes){.nv = parts[TRMI_COORDINATES].count + add->nv, .nrot = add->nrot,
                   .ng = add->native_rows + add->rows + parts[TRMI_HOLONOMIC].count,
                   .na = parts[TRMI_NONHOLONOMIC].count + add->rolling_rows,
                   .nx = parts[TRMI_STATES].count + add->node_states + add->states,
                   .nw = parts[TRMI_VARIABLES].count + add->variables,
                   .nu = parts[TRMI_INPUTS].count,
                   .noutputs = parts[TRMI_OUTPUTS].count};
  eq->nstates = parts[TRMI_STATES].count + add->node_states;
  eq->nq = parts[TRMI_COORDINATES].count + add->nq;
  eq->nmemory = add->memories;
  eq->memory = TRMI_TAKE(arena, double, eq->nmemory);
  eq->laws = TRMI_TAKE(arena, trmi_law, add->laws);
  eq->rotation = TRMI_TAKE(arena, int, n->nrot);
  eq->labels[TRM_Q] = TRMI_TAKE(arena, trm_label, eq->nq);
  eq->labels[TRM_V] = TRMI_TAKE(arena, trm_label, n->nv);
  eq->labels[TRM_LAM] = TRMI_TAKE(arena, trm_label, n->ng);
  eq->labels[TRM_MU] = TRMI_TAKE(arena, trm_label, n->na);
  eq->labels[TRM_X] = TRMI_TAKE(arena, trm_label, n->nx);
  eq->labels[TRM_W] = TRMI_TAKE(arena, trm_label, n->nw);
  eq->labels[TRM_U] = TRMI_TAKE(arena, trm_label, n->nu);
  eq->labels[TRM_OUTPUT] = TRMI_TAKE(arena, trm_label, n->noutputs);
  b->nq_all = eq->nq + 7 * add->followers, b->nv_all = n->nv + 6 * add->followers;
  b->place_of_q = TRMI_TAKE(&b->scratch, trmi_place_of_q, b->nq_all);
  b->names = TRMI_TAKE(&b->scratch, trmi_name,
                       n->nv + n->ng + n->na + n->nx + n->nw + n->nu +
                           parts[TRMI_DISCRETE].count);
}

void trmi_names_declare(trmi_compiler *b) {
  const trmi_definition *def = b->def;
  take_lists(b);
  if (b->eq->arena.failed || b->scratch.failed) return;
  for (int i = 0; i < def->parts[TRMI_COORDINATES].count; i++) b->place_of_q[i].v = i;
  declare_coordinates(b);
  declare_rows(b);
  declare_rest(b);
  if (b->extension != NULL) b->extension->declare(b->extension->self, b);
  find_doubles(b);
  b->nz = def->parts[TRMI_DISCRETE].count;
  for (int i = 0; i < def->parts[TRMI_EVENTS].count; i++) {
    b->nz += trmi_part_find(&def->parts[TRMI_EVENTS].list[i], "every") != NULL;
  }
  make_symbols(b);
}

const trmi_name *trmi_names_find(const trmi_compiler *b, const char *name, size_t length) {
  int low = 0, high = b->nnames;
  while (low < high) {
    const int mid = (low + high) / 2;
    const char *known = b->names[mid].key.name;
    int order = strncmp(known, name, length);
    if (order == 0 && known[length] != '\0') order = 1;
    if (order == 0) return &b->names[mid];
    if (order < 0) low = mid + 1;
    else high = mid;
  }
  return NULL;
}

/* --- the scope ------------------------------------------------------------------ */

static const char *const sorts[TRMI_INPUT_LISTS] = {
  [TRMI_IN_TIME] = "the time",     [TRMI_IN_Q] = "a coordinate", [TRMI_IN_V] = "a velocity",
  [TRMI_IN_VD] = "an acceleration", [TRMI_IN_LAM] = "a multiplier", [TRMI_IN_MU] = "a multiplier",
  [TRMI_IN_X] = "a state",         [TRMI_IN_XD] = "the rate of a state",
  [TRMI_IN_W] = "a variable",      [TRMI_IN_Z] = "a discrete value",
  [TRMI_IN_INPUT] = "an input",
};

/* The list a name with primes belongs to, or TRMI_INPUT_LISTS. */
static trmi_input primed(trmi_input list, int primes) {
  if (primes == 0) return list;
  if (list == TRMI_IN_Q && primes <= 2) return primes == 1 ? TRMI_IN_V : TRMI_IN_VD;
  return list == TRMI_IN_X && primes == 1 ? TRMI_IN_XD : TRMI_INPUT_LISTS;
}

/* A mass among forces, or a force among masses, lacks the factor trmi_units_inertia. */
static void check_side(trmi_compiler *b, const char *name, size_t length, trmi_dimension d,
                       trmi_place place) {
  const double inertia = trmi_units_inertia(&b->def->units);
  const int wrong = b->side == TRMI_BALANCE_FORCE ? d.mass : d.force;
  if (b->side == TRMI_BALANCE_NONE || !d.is_known || wrong == 0 || fabs(inertia - 1.0) < 1e-12)
    return;
  trmi_complain(b->complaints, place,
                b->side == TRMI_BALANCE_FORCE
                    ? "'%.*s' has a mass in its unit, and in the units of this model a mass times "
                      "an acceleration is %.6g forces: give %s in units of force, for example a "
                      "weight in N"
                    : "'%.*s' has a force in its unit, and in the units of this model a mass times "
                      "an acceleration is %.6g forces: give %s in units of mass",
                (int)length, name, inertia, b->known);
}

/* Expand a variable into one without variables. False: it depends on itself, or on a long chain. */
static bool write_out(trmi_compiler *b, int i) {
  enum { DEEPEST = 100 };
  trmi_expanded_variable *w = &b->written[i];
  if (w->state == TRMI_IN_WORK || b->depth >= DEEPEST) return false;
  if (w->state == TRMI_READ) return w->is_good;
  const trmi_parser parser = {.graph = &b->graph, .scope = &b->scope, .units = &b->def->units,
                              .complaints = b->complaints};
  const trmi_place here = trmi_graph_here(&b->graph);
  const unsigned allowed = b->allowed;
  const bool was_lost = b->is_lost;
  trmi_meaning term = {0};
  w->state = TRMI_IN_WORK;
  b->allowed = ~(1U << TRMI_IN_W);
  b->is_lost = false;
  b->depth++;
  const trmi_text *equals = trmi_part_text(&b->def->parts[TRMI_VARIABLES].list[i], "equals");
  if (equals->text != NULL) {
    (void)trmi_parse(&parser, equals, &term); /* reports its faults */
  }
  b->depth--;
  trmi_graph_at(&b->graph, here);
  *w = (trmi_expanded_variable){.state = TRMI_READ, .is_good = !b->is_lost, .node = term.node,
                      .dimension = term.dimension};
  b->is_lost = b->is_lost || was_lost;
  b->allowed = allowed;
  return w->is_good;
}

/* The kind of unknown that is not allowed here, or NULL. */
static const char *foreign(trmi_compiler *b, trmi_node node) {
  trmi_symbols_of(&b->walk, node);
  for (int k = 0; k < b->walk.count; k++) {
    const unsigned lists = trmi_symbol_lists(b, b->walk.nodes[k]) & ~(b->allowed |
                                                                      1U << TRMI_IN_MEMORY);
    for (int list = 0; list < TRMI_INPUT_LISTS; list++) {
      if ((lists & 1U << list) == 0) continue;
      return sorts[list] != NULL ? sorts[list] : "an unknown";
    }
  }
  return NULL;
}

/* A variable where variables are not allowed: use its expression, if that is allowed. */
static void put_expression(trmi_compiler *b, int i, const char *name, int length, trmi_place place,
                           trmi_meaning *out) {
  const bool is_good = write_out(b, i);
  if (b->depth > 0) { /* within another one, which is reported if necessary */
    b->is_lost = b->is_lost || !is_good;
  } else {
    const char *of = is_good ? foreign(b, b->written[i].node) : "itself, or on too many others,";
    b->is_lost = false;
    if (of != NULL) {
      trmi_complain(b->complaints, place, "'%.*s' is a variable that depends on %s and cannot "
                    "be used in %s", length, name, of, b->known);
      return;
    }
  }
  out->node = b->written[i].node;
  out->dimension = b->written[i].dimension;
}

/* An output that is not read yet. False: it is not, or a measure equal to its own name. */
static bool complain_output(trmi_compiler *b, const char *name, size_t length, trmi_place place) {
  const trmi_parts *outputs = &b->def->parts[TRMI_OUTPUTS];
  for (int i = 0; i < outputs->count; i++) {
    const char *known = outputs->list[i].key.name;
    const trmi_text *text = trmi_part_text(&outputs->list[i], "equals");
    if (strlen(known) != length || memcmp(known, name, length) != 0) continue;
    if (text->length == length && memcmp(text->text, name, length) == 0) return false;
    trmi_complain(b->complaints, place, "'%.*s' is an output, which only outputs after it can use: "
                  "write here what it is, or make it one of equations.variables",
                  length < 60 ? (int)length : 60, name);
    return true;
  }
  return false;
}

static bool lookup(void *self, const char *name, size_t length, int primes, trmi_place place,
                   trmi_meaning *out) {
  trmi_compiler *b = self;
  *out = (trmi_meaning){0};
  /* the time, parameters */
  if (primes == 0 && length == 4 && memcmp(name, "time", 4) == 0) {
    out->node = b->first[TRMI_IN_TIME]; /* without a typed unit: sin(time) is valid */
    if ((b->allowed & 1U << TRMI_IN_TIME) != 0) return true;
    out->node = 0;
    trmi_complain(b->complaints, place, "the time cannot be used in %s", b->known);
    return true;
  }
  double number;
  if (primes == 0 &&
      trmi_parameters_find(b->parameters, name, length, &number, &out->dimension)) {
    const int i = trmi_parameters_index(b->parameters, name, length);
    out->node = trmi_live(&b->graph, &b->eq->parameters[i]);
    check_side(b, name, length, out->dimension, place);
    return true;
  }
  /* names of the model */
  const trmi_name *known = trmi_names_find(b, name, length);
  if (known == NULL && b->extension != NULL &&
      b->extension->name(b->extension->self, b, name, length, primes, place, out)) {
    return true;
  }
  if (known == NULL && primes == 0 && trmi_outputs_find(b, name, length, out)) return true;
  if (known == NULL) return complain_output(b, name, length, place);
  const trmi_input list = primed(known->list, primes);
  if (list == TRMI_INPUT_LISTS) {
    trmi_complain(b->complaints, place, "'%.*s' is %s: it has no %s derivative here", (int)length,
                  name, sorts[known->list], primes == 1 ? "time" : "such");
    return true;
  }
  if (list == TRMI_IN_W && (b->allowed & 1U << list) == 0) {
    put_expression(b, known->index, name, (int)length, place, out);
    return true;
  }
  if ((b->allowed & 1U << list) == 0) {
    trmi_complain(b->complaints, place, "'%.*s%.*s' is %s and cannot be used in %s", (int)length,
                  name, primes, "''''", sorts[list], b->known);
    return true;
  }
  out->node = trmi_input_node(b, list, known->index);
  out->dimension = rate_of(known->dimension, primes);
  return true;
}

static const char *known_name(void *self, int i) {
  const trmi_compiler *b = self;
  if (i < b->nnames) return b->names[i].key.name;
  const trmi_named_texts *parameters = &b->def->parameters;
  i -= b->nnames;
  if (i < parameters->count) return parameters->list[i].key.name;
  i -= parameters->count;
  if (i < b->noutputs) return b->def->parts[TRMI_OUTPUTS].list[i].key.name;
  i -= b->noutputs;
  if (i == 0) return "time";
  return b->extension != NULL ? b->extension->known(b->extension->self, i - 1) : NULL;
}

static trmi_spline_kind kind_of_table(const trmi_part *table) {
  static const trmi_spline_kind kinds[] = {TRMI_SPLINE_LINEAR, TRMI_SPLINE_AKIMA,
                                           TRMI_SPLINE_CUBIC};
  const bool is_given = trmi_part_find(table, "interpolation") != NULL;
  return is_given ? kinds[trmi_part_choice(table, "interpolation")] : TRMI_SPLINE_AKIMA;
}

static const trmi_spline *find_curve(void *self, const char *name, size_t length, int kind) {
  trmi_compiler *b = self;
  for (int i = 0; i < b->def->parts[TRMI_TABLES].count; i++) {
    const trmi_part *table = &b->def->parts[TRMI_TABLES].list[i];
    if (strlen(table->key.name) != length || memcmp(table->key.name, name, length) != 0) continue;
    const trmi_spline_kind wanted = kind < 0 ? kind_of_table(table) : (trmi_spline_kind)kind;
    const trmi_spline **curve = &b->curves[3 * i + (int)wanted];
    if (*curve != NULL) return *curve;
    trmi_spline *made = TRMI_TAKE(&b->eq->arena, trmi_spline, 1);
    trm_error err;
    int n;
    const double *x = trmi_part_list(table, "x", &n), *y = trmi_part_list(table, "y", &n);
    if (made == NULL) return NULL;
    if (trmi_spline_make(made, &b->eq->arena, wanted, x, y, n, &err) != TRM_OK) {
      trmi_complain(b->complaints, table->key.place, "table '%.40s': %.200s", table->key.name,
                    err.message);
      return NULL;
    }
    *curve = made;
    return made;
  }
  return NULL;
}

static bool is_steady(void *self, trmi_node node) {
  trmi_compiler *b = self;
  trmi_symbols_of(&b->walk, node);
  for (int k = 0; k < b->walk.count; k++) {
    if (trmi_input_of(b, b->walk.nodes[k]) != TRMI_IN_Z) return false;
  }
  return true;
}

static void touch(void *self, trmi_node gap) {
  trmi_add_gap(self, gap, NULL, NULL);
}

static void mark(void *self, trmi_node part, trmi_node x, const trmi_spline *curve) {
  trmi_add_mark(self, part, x, curve);
}

static trmi_node hold_sign(void *self, trmi_node difference) {
  return trmi_hold_condition(self, &(trmi_event){.trigger = TRMI_SIGN}, difference);
}

static trmi_node hold_cut(void *self, trmi_node difference, trmi_node force) {
  const trmi_event cut = {.trigger = TRMI_SIGN, .vanishes = force};
  return trmi_hold_condition(self, &cut, difference);
}

static trmi_node hold_piece(void *self, const trmi_spline *curve, trmi_node x) {
  return trmi_hold_condition(self, &(trmi_event){.trigger = TRMI_PIECE, .curve = curve}, x);
}

static bool is_measure(void *self, const char *name, size_t length) {
  const trmi_extension *e = ((trmi_compiler *)self)->extension;
  return e->is_measure(e->self, name, length);
}

static bool measure(void *self, const trmi_measure_call *call, trmi_meaning *out) {
  trmi_compiler *b = self;
  return b->extension->measure(b->extension->self, b, call, out);
}

void trmi_names_allow(trmi_compiler *b, const char *what, unsigned allowed, bool is_live) {
  b->known = what;
  b->allowed = allowed;
  b->side = TRMI_BALANCE_NONE;
  b->scope = (trmi_scope){.self = b, .name = lookup, .curve = find_curve, .is_steady = is_steady,
                          .known = known_name, .use = trmi_use_table};
  if (b->extension != NULL) {
    b->scope.is_measure = is_measure;
    b->scope.measure = measure;
  }
  if (is_live) return;
  b->scope.held_sign = hold_sign;
  b->scope.held_cut = hold_cut;
  b->scope.held_piece = hold_piece;
  b->scope.touch = touch;
  b->scope.mark = mark;
}
