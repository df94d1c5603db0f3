/* model_yaml.c - a model as the text of one file: included, repeated and set parts are written as
 * plain ones. Numbers keep their text, so that they have the same bits when read again. */
#include "io/model_write.h"
#include <string.h>

/* ---- values --------------------------------------------------------------------------------- */

/* A text in quotes, unless it is a plain number. */
static void put_string(trmi_buffer *out, const char *text) {
  double number;
  if (trmi_plain_number(text, strlen(text), &number)) {
    trmi_buffer_text(out, text);
    return;
  }
  trmi_put_quoted(out, text, false);
}

/* A key of a mapping in braces, with a comma before it if it is not the first. */
static void put_key(trmi_buffer *out, const char *key, bool *is_first) {
  trmi_buffer_text(out, *is_first ? "" : ", ");
  *is_first = false;
  const bool is_word = strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"
                                   ".") == strlen(key);
  if (is_word) trmi_buffer_text(out, key);
  else trmi_put_quoted(out, key, false);
  trmi_buffer_text(out, ": ");
}

/* A text, a list, or a list of lists. */
static void put_value(trmi_buffer *out, const trmi_part *part, const trmi_field *field) {
  const trmi_given *given = &part->given[field - part->kind->fields];
  const unsigned lists = TRMI_IS_NUMBERS | TRMI_IS_TEXTS | TRMI_IS_EXPRESSIONS;
  const bool is_one = given->rows == 1 && (field->types & lists) == 0; /* a matrix of one row */
  const bool is_matrix = given->rows > 1 || is_one;
  const int columns = is_matrix ? given->count / given->rows : given->count;
  int count;
  trmi_buffer_text(out, is_matrix ? "[[" : given->rows == 1 ? "[" : "");
  for (int k = 0; k < given->count; k++) {
    if (k > 0) trmi_buffer_text(out, is_matrix && k % columns == 0 ? "], [" : ", ");
    if (given->texts != NULL) put_string(out, given->texts[k].text);
    else trmi_buffer_print(out, "%.17g", trmi_part_list(part, field->path, &count)[k]);
  }
  trmi_buffer_text(out, is_matrix ? "]]" : given->rows == 1 ? "]" : "");
}

/* ---- parts ---------------------------------------------------------------------------------- */

static void put_fields(trmi_buffer *out, const trmi_part *part, const trmi_field *row,
                       bool *is_first) {
  const trmi_field *child;
  for (int i = 0; (child = trmi_field_child_at(row, i)) != NULL; i++) {
    const trmi_given *given = &part->given[child - part->kind->fields];
    if (!given->is_given) continue;
    put_key(out, trmi_field_key(child), is_first);
    if (child->store != TRMI_STORE_NONE) {
      put_value(out, part, child);
      continue;
    }
    bool is_first_below = true;
    trmi_buffer_text(out, "{");
    put_fields(out, part, child, &is_first_below);
    trmi_buffer_text(out, "}");
  }
}

/* The value of a part with a single value, or its keys in braces. */
static void put_part(trmi_buffer *out, const trmi_part *part);

/* Parts of a group inside a part; a shape without a name of its own is called `shape`. */
static void put_inner(trmi_buffer *out, const trmi_part *part, const char *key,
                      trmi_part_group group, bool *is_first) {
  bool has_any = false, is_first_below = true;
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    if (inner->kind->group != group) continue;
    const bool is_shape = group == TRMI_SHAPES;
    const bool is_single = is_shape && strcmp(inner->key.name, "shape") == 0;
    if (!has_any && !is_single) {
      put_key(out, key, is_first);
      trmi_buffer_text(out, "{");
      has_any = true;
    }
    put_key(out, inner->key.name, is_single ? is_first : &is_first_below);
    if (is_shape) trmi_buffer_print(out, "{%s: ", inner->kind->type);
    put_part(out, inner);
    if (is_shape) trmi_buffer_text(out, "}");
  }
  if (has_any) trmi_buffer_text(out, "}");
}

static void put_part(trmi_buffer *out, const trmi_part *part) {
  const trmi_field *row = part->kind->fields;
  const bool has_type = trmi_part_group_has_types(part->kind->group);
  bool is_first = true;
  if ((row->types & TRMI_IS_MAP) == 0) {
    put_value(out, part, trmi_field_child(row, row->shorthand));
    return;
  }
  trmi_buffer_text(out, "{");
  if (has_type && strcmp(part->key.name, "ground") != 0) {
    put_key(out, "type", &is_first);
    trmi_buffer_text(out, part->kind->type);
  }
  put_fields(out, part, row, &is_first);
  put_inner(out, part, "markers", TRMI_MARKERS, &is_first);
  put_inner(out, part, "shapes", TRMI_SHAPES, &is_first);
  put_inner(out, part, "interfaces", TRMI_INTERFACES, &is_first);
  put_inner(out, part, "materials", TRMI_MATERIALS, &is_first);
  put_inner(out, part, "loads", TRMI_BODY_LOADS, &is_first);
  put_inner(out, part, "set", TRMI_ASSIGNMENTS, &is_first);
  trmi_buffer_text(out, "}");
}

/* A part of a section, on a line of its own. */
static void put_line(trmi_buffer *out, const char *indent, const trmi_part *part) {
  bool is_first = true;
  trmi_buffer_text(out, indent);
  put_key(out, part->key.name, &is_first);
  put_part(out, part);
  trmi_buffer_text(out, "\n");
}

static void put_section(trmi_buffer *out, const trmi_definition *d, trmi_part_group group) {
  const char *section = trmi_part_group_section(group), *dot = strchr(section, '.');
  const trmi_parts *parts = &d->parts[group];
  if (parts->count == 0) return;
  trmi_buffer_print(out, "%s%s:\n", dot != NULL ? "  " : "", dot != NULL ? dot + 1 : section);
  for (int i = 0; i < parts->count; i++) {
    put_line(out, dot != NULL ? "    " : "  ", &parts->list[i]);
  }
}

static bool is_equation(trmi_part_group group) {
  return strchr(trmi_part_group_section(group), '.') != NULL;
}

static bool has_equations(const trmi_definition *d) {
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    if (is_equation((trmi_part_group)g) && d->parts[g].count > 0) return true;
  }
  return trmi_part_has(&d->energies, "kinetic") || trmi_part_has(&d->energies, "potential");
}

/* The given values of a part whose keys belong to a mapping of the file. */
static void put_whole(trmi_buffer *out, const trmi_part *part, const char *indent) {
  for (int i = 1; i < part->kind->nfields; i++) {
    if (!part->given[i].is_given) continue;
    trmi_buffer_print(out, "%s%s: ", indent, part->kind->fields[i].path);
    put_value(out, part, &part->kind->fields[i]);
    trmi_buffer_text(out, "\n");
  }
}

static void put_parts(trmi_buffer *out, const trmi_definition *d) {
  put_whole(out, &d->world, "");
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    if (!is_equation((trmi_part_group)g)) put_section(out, d, (trmi_part_group)g);
  }
  if (!has_equations(d)) return;
  trmi_buffer_text(out, "equations:\n");
  put_whole(out, &d->energies, "  ");
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    if (is_equation((trmi_part_group)g)) put_section(out, d, (trmi_part_group)g);
  }
}

static void put_named(trmi_buffer *out, const char *section, const trmi_named_texts *texts) {
  if (texts->count > 0) trmi_buffer_print(out, "%s:\n", section);
  for (int i = 0; i < texts->count; i++) {
    bool is_first = true;
    trmi_buffer_text(out, "  ");
    put_key(out, texts->list[i].key.name, &is_first);
    put_string(out, texts->list[i].text.text);
    trmi_buffer_text(out, "\n");
  }
}

/* ---- the file ------------------------------------------------------------------------------- */

static void put_options(trmi_buffer *out, const trm_model *model) {
  if (model->noptions > 0) trmi_buffer_text(out, "simulate:\n");
  for (int i = 0; i < model->noptions; i++) {
    const char *value = model->options[i].value;
    const bool is_list = strchr(value, ',') != NULL;
    trmi_buffer_text(out, "  ");
    for (const char *p = model->options[i].name; *p != '\0'; p++) {
      trmi_buffer_add(out, *p == '-' ? "_" : p, 1);
    }
    trmi_buffer_print(out, ": %s%s%s\n", is_list ? "[" : "", value, is_list ? "]" : "");
  }
}

static void put_model(trmi_buffer *out, const trm_model *model) {
  const trmi_definition *d = &model->def;
  const trm_unit_names units = trm_model_units(model);
  trmi_buffer_text(out, "trammel: 1\nname: ");
  put_string(out, model->name);
  trmi_buffer_print(out, "\nunits: {length: %s, mass: %s, time: %s, force: %s}\n", units.length,
                    units.mass, units.time, units.force);
  put_named(out, "parameters", &d->parameters);
  put_parts(out, d);
  put_named(out, "measures", &d->measures);
  put_options(out, model);
}

trm_status trm_model_write_yaml(const trm_model *model, trm_writer *writer, void *self,
                                trm_error *err) {
  TRMI_NEED(err, model);
  return trmi_model_write(model, put_model, writer, self, err);
}
