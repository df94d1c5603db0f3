/* model_values.c - queries, lists and sets values of a built system by name.
 *
 * A number of the model follows from its text, which may contain parameters, until it is set
 * itself. Texts are parsed once, on the first query for values; setting one then evaluates all of
 * them again in their order (expr/prologue.h), reads the parts again (blueprint.h) and updates the
 * constants of the equations. An invalid value is restored to the old one. */
#include "equations/remarks.h"
#include "mechanism/blueprint.h"
#include "trammel/parts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Data while the list is built; counted first, then written. */
typedef struct listing {
  trmi_blueprint *bp;
  trmi_pool       pool;
  trmi_settable_value *list; /* NULL: count only */
  int             count;
} listing;

enum { NAME_BYTES = 250, UNIT_BYTES = 64 };

/* "first.second"; counting needs no names. */
static const char *join(listing *l, const char *first, const char *second) {
  char text[NAME_BYTES];
  if (l->list == NULL) return "";
  snprintf(text, sizeof text, "%.150s%s%.80s", first, first[0] != '\0' ? "." : "", second);
  char *copy = trmi_pool_take(&l->pool, strlen(text) + 1);
  return copy != NULL ? strcpy(copy, text) : "";
}

static trmi_settable_value *add(listing *l) {
  trmi_settable_value *value = l->list != NULL ? &l->list[l->count] : NULL;
  l->count++;
  if (value != NULL) *value = (trmi_settable_value){.unit = "", .parameter = -1, .step = -1};
  return value;
}

/* Parse the text of a number; its dependencies are resolved when all are parsed. */
static void read_text(listing *l, trmi_settable_value *value, const trmi_text *text) {
  trmi_node node = 0;
  double plain;
  if (text == NULL || text->text == NULL) return;
  if (trmi_plain_number(text->text, text->length, &plain)) return;
  if (trmi_parameters_node(&l->bp->parameters, text, &node)) value->step = node;
}

/* ---- parameters ----------------------------------------------------------------------------- */

/* The unit of a dimension, "" if it is unknown. */
static const char *unit_of(listing *l, trmi_dimension dimension) {
  char text[UNIT_BYTES];
  if (!dimension.is_known) return "";
  trmi_dimension_print(dimension, text, sizeof text);
  return join(l, "", text);
}

static void add_parameters(listing *l) {
  const trmi_named_texts *parameters = &l->bp->def.parameters;
  for (int i = 0; i < parameters->count; i++) {
    trmi_settable_value *value = add(l);
    if (value == NULL) continue;
    value->name = parameters->list[i].key.name;
    value->unit = unit_of(l, l->bp->parameters.terms[i].dimension);
    value->parameter = i;
    value->target = &l->bp->parameters.numbers[i];
    value->step = l->bp->parameters.texts[i];
  }
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* Can the field be set? Texts are compiled unless they are plain numbers: see
 * trmi_part_expression. */
static bool is_settable(const trmi_field *field, const trmi_text *text) {
  double number;
  const trmi_change change = trmi_field_change(field);
  if (change != TRMI_LIVE_NUMBER) return change != TRMI_STRUCTURAL;
  return text != NULL && trmi_plain_number(text->text, text->length, &number);
}

/* "NAME.key", for lists with an index from 1 on, for lists of lists with two. */
static const char *name_number(listing *l, const char *name, const trmi_given *given, bool is_list,
                               int k) {
  char text[NAME_BYTES];
  if (!is_list) return name;
  const int columns = given->rows > 1 ? given->count / given->rows : given->count;
  if (given->rows > 1) snprintf(text, sizeof text, "%d.%d", k / columns + 1, k % columns + 1);
  else snprintf(text, sizeof text, "%d", k + 1);
  return join(l, name, text);
}

/* The storage of number k of a field. */
static double *target_of(const trmi_part *part, const trmi_field *field, int k) {
  void *member = (char *)part->def + field->offset;
  if (field->store == TRMI_STORE_LIST) return (double *)((trm_numbers *)member)->list + k;
  return (double *)member + k;
}

/* List the numbers and expressions of a field, including those that need a new build. */
static void add_field(listing *l, const trmi_part *part, const char *name, int i) {
  const trmi_field *field = &part->kind->fields[i];
  const trmi_given *given = &part->given[i];
  const bool is_list = given->rows > 0 || field->store == TRMI_STORE_LIST || given->count > 1;
  const bool is_whole = (part->kind->fields->types & TRMI_IS_MAP) == 0; /* the part itself is the
                                                                           value */
  const char *path = is_whole ? name : join(l, name, field->path);
  for (int k = 0; k < given->count; k++) {
    trmi_settable_value *value = add(l);
    if (value == NULL) continue;
    value->name = name_number(l, path, given, is_list, k);
    const bool is_fixed = field->unit != NULL && field->unit_turning == NULL; /* not N/m or N m */
    value->unit = is_fixed ? field->unit : "";
    value->field = field;
    value->part = part;
    const trmi_text *text = given->texts != NULL ? &given->texts[k] : NULL;
    const bool is_text = field->store == TRMI_STORE_TEXTS;
    value->is_structural = !is_settable(field, text);
    if (trmi_field_change(field) == TRMI_STRUCTURAL && !is_text && text != NULL) {
      trmi_parameters_fix(&l->bp->parameters, text);
    }
    if (value->is_structural) continue;
    value->target = target_of(part, field, k);
    read_text(l, value, text);
  }
}

/* Does a field have numbers, or an expression? Names and words are not values. */
static bool has_values(const trmi_field *field) {
  if (field->store == TRMI_STORE_TEXTS) return (field->types & TRMI_IS_EXPRESSION) != 0;
  return field->store != TRMI_STORE_NONE;
}

/* Numbers stored as texts are read only once: their parameters need a new build. */
static void fix_rows(listing *l, const trmi_field *field, const trmi_given *given) {
  const bool is_text = field->store == TRMI_STORE_TEXTS && (field->types & TRMI_IS_MATRIX) != 0;
  for (int k = 0; is_text && given->count > 1 && k < given->count; k++) {
    trmi_parameters_fix(&l->bp->parameters, &given->texts[k]);
  }
}

static void add_part(listing *l, const trmi_part *part, const char *name) {
  if (part->kind == NULL) return;
  for (int i = 1; i < part->kind->nfields; i++) {
    if (!part->given[i].is_given) continue;
    if (has_values(&part->kind->fields[i])) add_field(l, part, name, i);
    else fix_rows(l, &part->kind->fields[i], &part->given[i]);
  }
  for (const trmi_part *p = part->inner; p != NULL; p = p->next) {
    const trmi_part_group group = p->kind->group;
    const bool is_shape = group == TRMI_SHAPES;
    const bool is_single = is_shape && strcmp(p->key.name, "shape") == 0;
    const char *key = is_shape                   ? "shapes"
                      : group == TRMI_MARKERS    ? "markers"
                      : group == TRMI_INTERFACES ? "interfaces"
                      : group == TRMI_MATERIALS  ? "materials"
                      : group == TRMI_BODY_LOADS ? "loads"
                                                 : "set";
    const char *inner = join(l, is_single ? name : join(l, name, key), p->key.name);
    add_part(l, p, is_shape ? join(l, inner, p->kind->type) : inner);
  }
}

static void add_all(listing *l) {
  const trmi_definition *def = &l->bp->def;
  l->count = 0;
  add_parameters(l);
  if (def->world.def != NULL) add_part(l, &def->world, "");
  if (def->energies.def != NULL) add_part(l, &def->energies, "equations");
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    for (int i = 0; i < def->parts[g].count; i++) {
      const trmi_part *part = &def->parts[g].list[i];
      add_part(l, part, join(l, trmi_part_group_section((trmi_part_group)g), part->key.name));
    }
  }
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Convert nodes of texts into the steps that compute their numbers. */
static void link_steps(trmi_blueprint *bp) {
  for (int i = 0; i < bp->nvalues; i++) {
    trmi_settable_value *value = &bp->values[i];
    const int step = value->step > 0
                         ? trmi_prologue_step(&bp->prologue, &bp->parameters.graph, value->step)
                         : -1;
    value->step = step;
    if (value->target != NULL) value->number = *value->target;
    if (value->parameter >= 0) value->is_structural = bp->def.is_fixed[value->parameter];
    if (value->parameter >= 0 && step >= 0) bp->prologue.folds[step].store = value->target;
  }
}

trm_status trmi_values_open(trmi_blueprint *bp, trm_error *err) {
  if (bp->is_open) return bp->names != NULL ? TRM_OK : trmi_value_names_make(bp, err);
  const trm_allocator *allocator = &bp->arena.allocator;
  TRMI_TRY(err, trmi_parameters_init(&bp->parameters, &bp->def, allocator, &bp->complaints, err));
  bp->is_open = true;
  listing l = {.bp = bp, .pool = {.arena = &bp->arena}};
  trmi_arena scratch;
  trmi_arena_init(&scratch, allocator);
  add_all(&l);
  l.list = TRMI_TAKE(&bp->arena, trmi_settable_value, l.count);
  if (l.list != NULL) add_all(&l);
  if (!bp->arena.failed && !bp->parameters.graph.failed) {
    trmi_prologue_build(&bp->prologue, &bp->parameters.graph, NULL, &bp->arena, &scratch);
  }
  const bool failed = bp->arena.failed || scratch.failed || bp->parameters.graph.failed;
  trmi_arena_clear(&scratch);
  if (failed) {
    trmi_parameters_free(&bp->parameters);
    bp->is_open = bp->arena.failed = false;
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  }
  bp->values = l.list;
  bp->nvalues = l.count;
  link_steps(bp);
  if (bp->names != NULL) {
    trmi_value_names_share(bp, bp->names);
    return TRM_OK;
  }
  return trmi_value_names_make(bp, err);
}

/* ---- setting -------------------------------------------------------------------------------- */

trm_status trmi_value_needs_build(const trmi_settable_value *value, trm_error *err) {
  const bool is_count = value->field != NULL && value->field->store == TRMI_STORE_COUNT;
  const char *why = value->target != NULL ? "it decides which parts the model has"
                    : is_count            ? "it is a number of parts"
                                          : "it is an expression; set a parameter that it uses";
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.100s' needs a new build: %s", value->name, why);
}

/* The same messages as when it is read. */
trm_status trmi_value_check(const trmi_settable_value *value, double number,
                            trm_error *err) {
  if (!isfinite(number)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%.100s: the value is not a finite number",
                     value->name);
  }
  if (value->field != NULL && !trmi_field_allows(value->field, number)) {
    char range[80];
    trmi_field_range(value->field, range, sizeof range);
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s '%.60s': %s: %.6g is out of range: it must be "
                     "%s", trmi_part_group_word(value->part->kind->group), value->part->key.name,
                     value->field->path, number, range);
  }
  return TRM_OK;
}

/* Compute all numbers of the model from the given ones. */
static trm_status evaluate(trmi_blueprint *bp, trm_error *err) {
  for (int i = 0; i < bp->nvalues; i++) {
    const trmi_settable_value *value = &bp->values[i];
    if (value->parameter < 0) continue;
    if (value->step >= 0) {
      bp->prologue.folds[value->step].store = value->is_set ? NULL : value->target;
    }
    if (value->is_set || value->step < 0) *value->target = value->number;
  }
  const bool is_same = trmi_prologue_run(&bp->prologue);
  for (int i = 0; i < bp->nvalues; i++) {
    const trmi_settable_value *value = &bp->values[i];
    const bool is_plain = value->is_set || value->step < 0;
    if (value->target == NULL) continue;
    const double number = is_plain ? value->number : bp->prologue.value[value->step];
    TRMI_TRY(err, trmi_value_check(value, number, err));
    const bool is_fixed = value->parameter >= 0 && value->is_structural;
    if (is_fixed && number != bp->eq->parameters[value->parameter]) {
      return trmi_value_needs_build(value, err);
    }
    *value->target = number;
  }
  if (is_same) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "this needs a new build: the result of a "
                   "comparison between parameters changes");
}

/* Only variables in loops are unknowns with a guess. */
static void renew_guess(trmi_equations *eq, const trmi_part *variable) {
  if (trmi_part_find(variable, "guess") == NULL) return;
  for (int i = 0; i < eq->n.nw; i++) {
    const bool is_own = strcmp(eq->labels[TRM_W][i].name, variable->key.name) == 0;
    if (is_own) eq->w[i] = trmi_part_number(variable, "guess");
  }
}

/* Update start values and scales of typed unknowns, and periods of events. */
static void renew_starts(trmi_blueprint *bp) {
  const trmi_parts *parts = bp->def.parts;
  trmi_equations *eq = bp->eq;
  trm_label *const *labels = bp->assembly->labels;
  for (int i = 0; i < parts[TRMI_COORDINATES].count; i++) {
    const trmi_part *c = &parts[TRMI_COORDINATES].list[i];
    const char *key = trmi_part_find(c, "guess") != NULL ? "guess" : "value";
    eq->q[i] = trmi_part_number_or(c, key, eq->q[i]);
    eq->v[i] = trmi_part_number_or(c, "velocity", eq->v[i]);
    labels[TRM_V][i].scale = trmi_part_number_or(c, "scale", labels[TRM_V][i].scale);
  }
  for (int i = 0; i < parts[TRMI_STATES].count; i++) {
    const trmi_part *x = &parts[TRMI_STATES].list[i];
    eq->x[i] = trmi_part_number_or(x, "value", eq->x[i]);
    labels[TRM_X][i].scale = trmi_part_number_or(x, "scale", labels[TRM_X][i].scale);
  }
  for (int i = 0; i < parts[TRMI_VARIABLES].count; i++) {
    renew_guess(eq, &parts[TRMI_VARIABLES].list[i]);
  }
  for (int i = 0; i < parts[TRMI_INPUTS].count; i++) {
    eq->u[i] = trmi_part_number_or(&parts[TRMI_INPUTS].list[i], "value", eq->u[i]);
    eq->ud[i] = trmi_part_number_or(&parts[TRMI_INPUTS].list[i], "rate", eq->ud[i]);
  }
  for (int i = 0; i < parts[TRMI_DISCRETE].count; i++) {
    eq->z[i] = trmi_part_number_or(&parts[TRMI_DISCRETE].list[i], "value", eq->z[i]);
  }
  int typed = 0; /* conditions of laws lie among the events of the model */
  for (int i = 0; i < eq->n.nevents; i++) {
    trmi_event *event = &eq->events[i];
    if (event->trigger != TRMI_WHEN && event->trigger != TRMI_EVERY) continue;
    const trmi_part *e = &parts[TRMI_EVENTS].list[typed++];
    event->period = trmi_part_number_or(e, "every", event->period);
    event->first = trmi_part_number_or(e, "first", event->first);
  }
}

trm_status trmi_values_apply(trmi_blueprint *bp, trm_error *err) {
  trmi_equations *eq = bp->eq;
  const int n = bp->def.parameters.count;
  TRMI_TRY(err, evaluate(bp, err));
  TRMI_TRY(err, trmi_blueprint_renew(bp, err));
  renew_starts(bp);
  if (n > 0) memcpy(eq->parameters, bp->parameters.numbers, (size_t)n * sizeof(double));
  trmi_remarks_clear(eq);
  if (trmi_tape_renew(&eq->tape)) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "this needs a new build: terms that were zero would "
                   "join the equations, or terms would leave them");
}

trm_status trmi_values_set(void *self, int i, double number, trm_error *err) {
  trmi_blueprint *bp = ((trmi_assembly *)self)->keeper;
  trmi_settable_value *value = &bp->values[i];
  if (value->target == NULL) return trmi_value_needs_build(value, err);
  const trmi_settable_value before = *value;
  value->is_set = true;
  value->number = number;
  const trm_status status = trmi_values_apply(bp, err);
  if (status == TRM_OK) return TRM_OK;
  *value = before;
  trm_error unused; /* it was valid before */
  const trm_status back = trmi_values_apply(bp, &unused);
  return back == TRM_OK ? trmi_note(err, __func__, status) : back;
}

/* ---- queries -------------------------------------------------------------------------------- */

trm_status trmi_values_count(void *self, int *count, trm_error *err) {
  trmi_blueprint *bp = ((trmi_assembly *)self)->keeper;
  *count = 0;
  TRMI_TRY(err, trmi_values_open(bp, err));
  *count = bp->nvalues;
  return TRM_OK;
}

void trmi_values_at(void *self, int i, trm_value *out) {
  const trmi_blueprint *bp = ((trmi_assembly *)self)->keeper;
  const trmi_settable_value *value = &bp->values[i];
  const bool is_derived = value->field != NULL && value->field->change == TRMI_DERIVED;
  *out = (trm_value){.name = value->name, .unit = value->unit, .number = NAN,
                     .change = value->is_structural ? TRM_CHANGE_STRUCTURAL
                               : is_derived         ? TRM_CHANGE_DERIVED
                                                    : TRM_CHANGE_LIVE};
  if (value->target != NULL) out->number = *value->target;
  if (value->field != NULL && value->field->store == TRMI_STORE_COUNT) {
    out->number = trmi_part_number(value->part, value->field->path);
  }
}

/* "bodies.crank.markers.end.at.1" without the names of sections: "crank.end.at.1". */
static void shorten(const char *name, char text[NAME_BYTES]) {
  static const char sections[] = "equations|parameters|bodies|joints|motions|forces|beams|flexible|"
                                 "coordinates|states|variables|discrete|events|inputs|outputs|"
                                 "tables|markers|shapes|interfaces|materials";
  size_t used = 0;
  while (*name != '\0') {
    const size_t length = strcspn(name, ".");
    char word[TRMI_WORD_BYTES];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const bool is_section = length < sizeof word && trmi_word_find(sections, word) >= 0;
    if (!is_section && used + length + 2 < NAME_BYTES) {
      if (used > 0) text[used++] = '.';
      memcpy(text + used, name, length);
      used += length;
    }
    name += length + (name[length] == '.' ? 1 : 0);
  }
  text[used] = '\0';
}

int trmi_values_find(void *self, const char *name) {
  const trmi_blueprint *bp = ((trmi_assembly *)self)->keeper;
  for (int i = 0; i < bp->nvalues; i++) {
    if (strcmp(bp->values[i].name, name) == 0) return i;
  }
  char wanted[NAME_BYTES], known[NAME_BYTES];
  shorten(name, wanted);
  for (int i = 0; i < bp->nvalues; i++) {
    shorten(bp->values[i].name, known);
    if (strcmp(known, wanted) == 0) return i;
  }
  return -1;
}
