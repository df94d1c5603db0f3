/* model_yaml.c - a model as the text of one file: what was included, repeated and set stands in it
 * as plain parts. Numbers keep their letters, so that they have the same bits when it is read. */
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

static void put_entry(trmi_buffer *out, const char *key, const trmi_text *text, bool *is_first) {
  if (text->text == NULL) return;
  put_key(out, key, is_first);
  put_string(out, text->text);
}

/* A text, a list, or a list of lists. */
static void put_value(trmi_buffer *out, const trmi_given *given) {
  const int columns = given->rows > 1 ? given->count / given->rows : given->count;
  trmi_buffer_text(out, given->rows > 1 ? "[[" : given->rows == 1 ? "[" : "");
  for (int k = 0; k < given->count; k++) {
    if (k > 0) trmi_buffer_text(out, given->rows > 1 && k % columns == 0 ? "], [" : ", ");
    put_string(out, given->texts[k].text);
  }
  trmi_buffer_text(out, given->rows > 1 ? "]]" : given->rows == 1 ? "]" : "");
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
      put_value(out, given);
      continue;
    }
    bool is_first_below = true;
    trmi_buffer_text(out, "{");
    put_fields(out, part, child, &is_first_below);
    trmi_buffer_text(out, "}");
  }
}

/* Markers, then shapes; one without a name of its own is called `shape`. */
static void put_inner(trmi_buffer *out, const trmi_part *part, trmi_group group, bool *is_first) {
  bool has_any = false, is_first_below = true;
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    if (inner->kind->group != group) continue;
    const bool is_shape = group == TRMI_SHAPES, is_single = strcmp(inner->key.name, "shape") == 0;
    if (!has_any && !(is_shape && is_single)) {
      put_key(out, is_shape ? "shapes" : "markers", is_first);
      trmi_buffer_text(out, "{");
      has_any = true;
    }
    put_key(out, inner->key.name, is_shape && is_single ? is_first : &is_first_below);
    bool is_first_field = true;
    if (is_shape) trmi_buffer_print(out, "{%s: ", inner->kind->type);
    trmi_buffer_text(out, "{");
    put_fields(out, inner, inner->kind->fields, &is_first_field);
    trmi_buffer_text(out, is_shape ? "}}" : "}");
  }
  if (has_any) trmi_buffer_text(out, "}");
}

static void put_parts(trmi_buffer *out, const char *section, const trmi_parts *parts) {
  if (parts->count > 0) trmi_buffer_print(out, "%s:\n", section);
  for (int i = 0; i < parts->count; i++) {
    const trmi_part *part = &parts->list[i];
    bool is_first = true;
    trmi_buffer_print(out, "  %s: {", part->key.name);
    if (part->kind->type != NULL && strcmp(part->key.name, "ground") != 0) {
      put_key(out, "type", &is_first);
      trmi_buffer_text(out, part->kind->type);
    }
    put_fields(out, part, part->kind->fields, &is_first);
    put_inner(out, part, TRMI_MARKERS, &is_first);
    put_inner(out, part, TRMI_SHAPES, &is_first);
    trmi_buffer_text(out, "}\n");
  }
}

/* ---- equations ------------------------------------------------------------------------------ */

static void put_named(trmi_buffer *out, const char *indent, const char *key,
                      const trmi_named_texts *texts) {
  bool is_first = true;
  if (texts->count == 0) return;
  trmi_buffer_print(out, "%s%s: {", indent, key);
  for (int i = 0; i < texts->count; i++) {
    put_entry(out, texts->list[i].key.name, &texts->list[i].text, &is_first);
  }
  trmi_buffer_text(out, "}\n");
}

static void put_tables(trmi_buffer *out, const trmi_definition *d) {
  static const char *const kinds[] = {[TRMI_CURVE_LINEAR] = "linear", [TRMI_CURVE_AKIMA] = "akima",
                                      [TRMI_CURVE_CUBIC] = "cubic"};
  if (d->ntables > 0) trmi_buffer_text(out, "tables:\n");
  for (int i = 0; i < d->ntables; i++) {
    const trmi_table_def *t = &d->tables[i];
    trmi_buffer_print(out, "  %s: {interpolation: %s", t->key.name, kinds[t->kind]);
    for (int c = 0; c < 2; c++) {
      trmi_buffer_print(out, ", %s: [", c == 0 ? "x" : "y");
      for (int k = 0; k < t->n; k++) {
        trmi_buffer_print(out, "%s%.17g", k > 0 ? ", " : "", c == 0 ? t->x[k] : t->y[k]);
      }
      trmi_buffer_text(out, "]");
    }
    trmi_buffer_text(out, "}\n");
  }
}

static void put_coordinates(trmi_buffer *out, const trmi_definition *d) {
  if (d->ncoordinates > 0) trmi_buffer_text(out, "  coordinates:\n");
  for (int i = 0; i < d->ncoordinates; i++) {
    const trmi_coordinate_def *c = &d->coordinates[i];
    const char *kind = c->kind == TRM_KIND_METRE    ? "length"
                       : c->kind == TRM_KIND_RADIAN ? "angle"
                       : c->kind == TRM_KIND_MODAL  ? "modal"
                                                    : "none";
    bool is_first = false;
    trmi_buffer_print(out, "    \"%s\": {kind: %s", c->key.name, kind);
    put_entry(out, c->is_guess ? "guess" : "value", &c->value, &is_first);
    put_entry(out, "velocity", &c->velocity, &is_first);
    put_entry(out, "scale", &c->scale, &is_first);
    trmi_buffer_text(out, "}\n");
  }
}

static void put_states(trmi_buffer *out, const trmi_definition *d) {
  if (d->nstates > 0) trmi_buffer_text(out, "  states:\n");
  for (int i = 0; i < d->nstates; i++) {
    const trmi_state_def *s = &d->states[i];
    bool is_first = true;
    trmi_buffer_print(out, "    \"%s\": {", s->key.name);
    put_entry(out, "value", &s->value, &is_first);
    put_entry(out, "rate", &s->rate, &is_first);
    put_entry(out, "residual", &s->residual, &is_first);
    put_entry(out, "scale", &s->scale, &is_first);
    trmi_buffer_text(out, "}\n");
  }
  if (d->nvariables > 0) trmi_buffer_text(out, "  variables:\n");
  for (int i = 0; i < d->nvariables; i++) {
    bool is_first = true;
    trmi_buffer_print(out, "    \"%s\": {", d->variables[i].key.name);
    put_entry(out, "equals", &d->variables[i].equals, &is_first);
    put_entry(out, "guess", &d->variables[i].guess, &is_first);
    trmi_buffer_text(out, "}\n");
  }
}

static void put_inputs(trmi_buffer *out, const trmi_definition *d) {
  if (d->ninputs > 0) trmi_buffer_text(out, "inputs:\n");
  for (int i = 0; i < d->ninputs; i++) {
    bool is_first = true;
    trmi_buffer_print(out, "  \"%s\": {", d->inputs[i].key.name);
    put_entry(out, "value", &d->inputs[i].value, &is_first);
    put_entry(out, "rate", &d->inputs[i].rate, &is_first);
    trmi_buffer_text(out, "}\n");
  }
}

static void put_events(trmi_buffer *out, const trmi_definition *d) {
  static const char *const kinds[] = {[TRM_EVENT_SILENT] = "silent",
                                      [TRM_EVENT_RESTART] = "restart", [TRM_EVENT_STOP] = "stop"};
  if (d->nevents > 0) trmi_buffer_text(out, "  events:\n");
  for (int i = 0; i < d->nevents; i++) {
    const trmi_event_def *e = &d->events[i];
    bool is_first = false, is_first_set = true;
    trmi_buffer_text(out, "    ");
    trmi_put_quoted(out, e->key.name, false);
    trmi_buffer_print(out, ": {do: %s, direction: %s", kinds[e->kind],
                      e->direction > 0 ? "rising" : e->direction < 0 ? "falling" : "both");
    put_entry(out, "when", &e->when, &is_first);
    put_entry(out, "every", &e->every, &is_first);
    put_entry(out, "first", &e->first, &is_first);
    if (e->set.count > 0) trmi_buffer_text(out, ", set: {");
    for (int k = 0; k < e->set.count; k++) {
      put_entry(out, e->set.list[k].key.name, &e->set.list[k].text, &is_first_set);
    }
    trmi_buffer_text(out, e->set.count > 0 ? "}}\n" : "}\n");
  }
}

static void put_equations(trmi_buffer *out, const trmi_definition *d) {
  const trmi_text *const energies[] = {&d->kinetic, &d->potential};
  trmi_buffer_text(out, "equations:\n");
  put_coordinates(out, d);
  for (int i = 0; i < 2; i++) {
    if (energies[i]->text == NULL) continue;
    trmi_buffer_print(out, "  %s: ", i == 0 ? "kinetic" : "potential");
    put_string(out, energies[i]->text);
    trmi_buffer_text(out, "\n");
  }
  if (d->nmass > 0) trmi_buffer_text(out, "  mass:\n");
  for (int i = 0; i < d->nmass; i++) {
    trmi_buffer_print(out, "    \"%s, %s\": ", d->mass[i].row.name, d->mass[i].col.name);
    put_string(out, d->mass[i].text.text);
    trmi_buffer_text(out, "\n");
  }
  put_named(out, "  ", "forces", &d->forces);
  put_named(out, "  ", "constraints", &d->constraints);
  put_named(out, "  ", "nonholonomic", &d->nonholonomic);
  put_states(out, d);
  put_named(out, "  ", "discrete", &d->discrete);
  put_events(out, d);
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

static bool has_equations(const trmi_definition *d) {
  return d->ncoordinates + d->nstates + d->nvariables + d->nevents + d->constraints.count +
                 d->nonholonomic.count + d->discrete.count + d->forces.count + d->nmass > 0 ||
         d->kinetic.text != NULL || d->potential.text != NULL;
}

static void put_model(trmi_buffer *out, const trm_model *model) {
  const trmi_definition *d = &model->def;
  const trm_unit_names units = trm_model_units(model);
  trmi_buffer_text(out, "trammel: 1\nname: ");
  put_string(out, model->name);
  trmi_buffer_print(out, "\nunits: {length: %s, mass: %s, time: %s, force: %s}\n", units.length,
                    units.mass, units.time, units.force);
  put_named(out, "", "parameters", &d->parameters);
  put_tables(out, d);
  if (d->world.given != NULL && trmi_part_has(&d->world, "gravity")) {
    trmi_buffer_text(out, "gravity: ");
    put_value(out, trmi_part_find(&d->world, "gravity"));
    trmi_buffer_text(out, "\n");
  }
  put_parts(out, "bodies", &d->bodies);
  put_parts(out, "beams", &d->beams);
  put_parts(out, "joints", &d->joints);
  put_parts(out, "motions", &d->motions);
  put_parts(out, "forces", &d->actions);
  if (has_equations(d)) put_equations(out, d);
  put_inputs(out, d);
  put_named(out, "", "outputs", &d->outputs);
  put_named(out, "", "measures", &d->measures);
  put_options(out, model);
}

trm_status trm_model_write_yaml(const trm_model *model, trm_writer *writer, void *self,
                                trm_error *err) {
  TRMI_NEED(err, model);
  return trmi_model_write(model, put_model, writer, self, err);
}
