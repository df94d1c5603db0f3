/* model_c.c - a model as a C program that builds, runs and prints it.
 *
 * Numbers are written with 17 digits, so that the program has the bits of the file. What is an
 * expression is set as a text; until then a number that its range allows stands in its place. */
#include "io/model_write.h"
#include "trammel/parts.h"

/* ---- texts ---------------------------------------------------------------------------------- */

static void put_string(trmi_buffer *out, const char *text) {
  trmi_put_quoted(out, text, true);
}

static void put_text(trmi_buffer *out, const trmi_text *text) {
  if (text->text != NULL) put_string(out, text->text);
  else trmi_buffer_text(out, "NULL");
}

/* ---- parts ---------------------------------------------------------------------------------- */

static bool is_expression(const trmi_field *field) {
  return (field->types & (TRMI_IS_EXPRESSION | TRMI_IS_EXPRESSIONS)) != 0;
}

/* Is text k of a field a plain number? Else what stands in its place. */
static bool is_plain(const trmi_field *field, const trmi_given *given, int k, double *number) {
  const trmi_text *text = &given->texts[k];
  if (trmi_plain_number(text->text, text->length, number) && !is_expression(field)) return true;
  *number = trmi_field_allows(field, 1.0) ? 1.0 : field->low;
  return false;
}

/* "friction.static" -> "friction_static" */
static void put_member(trmi_buffer *out, const char *path) {
  for (; *path != '\0'; path++) trmi_buffer_add(out, *path == '.' ? "_" : path, 1);
}

static void put_index(trmi_buffer *out, const trmi_field *field, int k) {
  if (field->room > 1) trmi_buffer_print(out, "[%d]", k);
}

static void put_list(trmi_buffer *out, const trmi_field *field, const trmi_given *given) {
  trmi_buffer_text(out, "  const double list_");
  put_member(out, field->path);
  trmi_buffer_text(out, "[] = {");
  for (int k = 0; k < given->count; k++) {
    double number;
    (void)is_plain(field, given, k, &number);
    trmi_buffer_print(out, "%s%.17g", k > 0 ? ", " : "", number);
  }
  trmi_buffer_text(out, "};\n  def.");
  put_member(out, field->path);
  trmi_buffer_text(out, " = (trm_numbers){list_");
  put_member(out, field->path);
  trmi_buffer_print(out, ", %d};\n", given->count);
}

static void put_field(trmi_buffer *out, const trmi_field *field, const trmi_given *given) {
  if (field->store == TRMI_STORE_LIST) {
    put_list(out, field, given);
    return;
  }
  for (int k = 0; k < given->count && k < field->room; k++) {
    double number;
    trmi_buffer_text(out, "  def.");
    put_member(out, field->path);
    put_index(out, field, k);
    trmi_buffer_text(out, " = ");
    if (field->store == TRMI_STORE_TEXTS) {
      put_text(out, &given->texts[k]);
    } else {
      (void)is_plain(field, given, k, &number);
      trmi_buffer_print(out, "%.17g", number);
    }
    trmi_buffer_text(out, ";\n");
  }
}

/* Expressions are set when the part is there. */
static void put_expressions(trmi_buffer *out, const trmi_field *field, const trmi_given *given) {
  double number;
  for (int k = 0; k < given->count && field->store != TRMI_STORE_TEXTS; k++) {
    if (is_plain(field, given, k, &number)) continue;
    trmi_buffer_print(out, "  check(trm_set_text(m, part, \"%s", field->path);
    if (given->rows > 0) trmi_buffer_print(out, ".%d", k + 1);
    trmi_buffer_text(out, "\", ");
    put_text(out, &given->texts[k]);
    trmi_buffer_text(out, ", &err), &err);\n");
  }
}

/* One part with its markers and shapes. `owner`: it belongs to the part `body`. */
static void put_part(trmi_buffer *out, const trmi_part *part, bool has_owner) {
  const trmi_kind *kind = part->kind;
  const bool is_world = kind->group == TRMI_WORLDS;
  trmi_buffer_print(out, "  {\n  trm_%s_def def = trm_%s_default();\n", kind->name, kind->name);
  for (int i = 1; i < kind->nfields; i++) {
    const bool has_value = part->given[i].is_given && kind->fields[i].store != TRMI_STORE_NONE;
    if (has_value) put_field(out, &kind->fields[i], &part->given[i]);
  }
  if (is_world) {
    trmi_buffer_text(out, "  check(trm_set_world(m, &def, &part, &err), &err);\n");
  } else {
    trmi_buffer_print(out, "  check(trm_add_%s(m, %s", kind->name, has_owner ? "body, " : "");
    put_string(out, part->key.name);
    trmi_buffer_text(out, ", &def, &part, &err), &err);\n");
  }
  for (int i = 1; i < kind->nfields; i++) {
    const bool has_value = part->given[i].is_given && kind->fields[i].store != TRMI_STORE_NONE;
    if (has_value) put_expressions(out, &kind->fields[i], &part->given[i]);
  }
  if (part->inner != NULL) trmi_buffer_text(out, "  body = part;\n");
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    put_part(out, inner, true);
  }
  trmi_buffer_text(out, "  }\n");
}

static void put_parts(trmi_buffer *out, const trmi_parts *parts) {
  for (int i = 0; i < parts->count; i++) put_part(out, &parts->list[i], false);
}

/* ---- equations ------------------------------------------------------------------------------ */

static void put_named(trmi_buffer *out, const trmi_named_texts *texts, const char *call) {
  for (int i = 0; i < texts->count; i++) {
    trmi_buffer_print(out, "  check(%s", call);
    put_string(out, texts->list[i].key.name);
    trmi_buffer_text(out, ", ");
    put_text(out, &texts->list[i].text);
    trmi_buffer_text(out, ", &err), &err);\n");
  }
}

static void put_tables(trmi_buffer *out, const trmi_definition *d) {
  static const char *const kinds[] = {[TRMI_CURVE_LINEAR] = "TRM_LINEAR",
                                      [TRMI_CURVE_AKIMA] = "TRM_AKIMA",
                                      [TRMI_CURVE_CUBIC] = "TRM_CUBIC"};
  for (int i = 0; i < d->ntables; i++) {
    const trmi_table_def *t = &d->tables[i];
    for (int c = 0; c < 2; c++) {
      trmi_buffer_print(out, "%s  const double %s[] = {", c == 0 ? "  {\n" : "",
                        c == 0 ? "x" : "y");
      for (int k = 0; k < t->n; k++) {
        trmi_buffer_print(out, "%s%.17g", k > 0 ? ", " : "", c == 0 ? t->x[k] : t->y[k]);
      }
      trmi_buffer_text(out, "};\n");
    }
    trmi_buffer_text(out, "  check(trm_add_table(m, ");
    put_string(out, t->key.name);
    trmi_buffer_print(out, ", %s, %d, x, y, &err), &err);\n  }\n", kinds[t->kind], t->n);
  }
}

static void put_coordinates(trmi_buffer *out, const trmi_definition *d) {
  for (int i = 0; i < d->ncoordinates; i++) {
    const trmi_coordinate_def *c = &d->coordinates[i];
    trmi_buffer_text(out, "  check(trm_add_coordinate(m, ");
    put_string(out, c->key.name);
    trmi_buffer_text(out, ", &(trm_coordinate_def){.value = ");
    put_text(out, &c->value);
    trmi_buffer_text(out, ", .velocity = ");
    put_text(out, &c->velocity);
    trmi_buffer_text(out, ", .scale = ");
    put_text(out, &c->scale);
    trmi_buffer_print(out, ", .is_guess = %s, .kind = (trm_kind)%d}, &err), &err);\n",
                      c->is_guess ? "true" : "false", (int)c->kind);
  }
}

static void put_energy(trmi_buffer *out, const char *kind, const trmi_text *text) {
  if (text->text == NULL) return;
  trmi_buffer_print(out, "  check(trm_add_equation(m, %s, NULL, ", kind);
  put_text(out, text);
  trmi_buffer_text(out, ", &err), &err);\n");
}

static void put_masses(trmi_buffer *out, const trmi_definition *d) {
  for (int i = 0; i < d->nmass; i++) {
    trmi_buffer_print(out, "  check(trm_add_equation(m, TRM_MASS, \"%s, %s\", ",
                      d->mass[i].row.name, d->mass[i].col.name);
    put_text(out, &d->mass[i].text);
    trmi_buffer_text(out, ", &err), &err);\n");
  }
}

static void put_states(trmi_buffer *out, const trmi_definition *d) {
  for (int i = 0; i < d->nstates; i++) {
    const trmi_state_def *s = &d->states[i];
    const trmi_text *const texts[] = {&s->value, &s->rate, &s->residual, &s->scale};
    trmi_buffer_text(out, "  check(trm_add_state(m, ");
    put_string(out, s->key.name);
    trmi_buffer_text(out, ", &(trm_state_def){");
    for (int k = 0; k < 4; k++) {
      if (k > 0) trmi_buffer_text(out, ", ");
      put_text(out, texts[k]);
    }
    trmi_buffer_text(out, "}, &err), &err);\n");
  }
  for (int i = 0; i < d->nvariables; i++) {
    trmi_buffer_text(out, "  check(trm_add_variable(m, ");
    put_string(out, d->variables[i].key.name);
    trmi_buffer_text(out, ", ");
    put_text(out, &d->variables[i].equals);
    trmi_buffer_text(out, ", ");
    put_text(out, &d->variables[i].guess);
    trmi_buffer_text(out, ", &err), &err);\n");
  }
}

static void put_inputs(trmi_buffer *out, const trmi_definition *d) {
  for (int i = 0; i < d->ninputs; i++) {
    trmi_buffer_text(out, "  check(trm_add_input(m, ");
    put_string(out, d->inputs[i].key.name);
    trmi_buffer_text(out, ", ");
    put_text(out, &d->inputs[i].value);
    trmi_buffer_text(out, ", ");
    put_text(out, &d->inputs[i].rate);
    trmi_buffer_text(out, ", &err), &err);\n");
  }
}

static void put_events(trmi_buffer *out, const trmi_definition *d) {
  for (int i = 0; i < d->nevents; i++) {
    const trmi_event_def *e = &d->events[i];
    trmi_buffer_text(out, "  {\n  const trm_setting set[] = {");
    for (int k = 0; k < e->set.count; k++) {
      trmi_buffer_text(out, "{");
      put_string(out, e->set.list[k].key.name);
      trmi_buffer_text(out, ", ");
      put_text(out, &e->set.list[k].text);
      trmi_buffer_text(out, "}, ");
    }
    trmi_buffer_text(out, "{NULL, NULL}};\n  const trm_event_def event = {.when = ");
    put_text(out, &e->when);
    trmi_buffer_text(out, ", .every = ");
    put_text(out, &e->every);
    trmi_buffer_text(out, ", .first = ");
    put_text(out, &e->first);
    trmi_buffer_print(out, ", .direction = %d,\n    .kind = (trm_event_kind)%d, .set = set, "
                      ".nset = %d};\n  check(trm_add_event(m, ", e->direction, (int)e->kind,
                      e->set.count);
    put_string(out, e->key.name);
    trmi_buffer_text(out, ", &event, &err), &err);\n  }\n");
  }
}

static void put_equations(trmi_buffer *out, const trmi_definition *d) {
  put_coordinates(out, d);
  put_energy(out, "TRM_KINETIC", &d->kinetic);
  put_energy(out, "TRM_POTENTIAL", &d->potential);
  put_masses(out, d);
  put_named(out, &d->forces, "trm_add_equation(m, TRM_FORCE, ");
  put_named(out, &d->constraints, "trm_add_equation(m, TRM_HOLONOMIC, ");
  put_named(out, &d->nonholonomic, "trm_add_equation(m, TRM_NONHOLONOMIC, ");
  put_states(out, d);
  put_named(out, &d->discrete, "trm_add_equation(m, TRM_DISCRETE, ");
  put_events(out, d);
}

/* ---- the program ---------------------------------------------------------------------------- */

static const char head[] =
    "/* A model file as a program: it is built, run, and its end is printed. */\n"
    "#include \"trammel/trammel.h\"\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n\n"
    "static void check(trm_status status, const trm_error *err) {\n"
    "  if (status == TRM_OK) return;\n"
    "  fprintf(stderr, \"%s\\n\", err->message);\n"
    "  exit(1);\n"
    "}\n\n"
    "static void add_parts(trm_mechanism *m) {\n"
    "  trm_error err;\n"
    "  trm_part part, body;\n"
    "  (void)part, (void)body;\n";

static const char middle[] =
    "  trm_sim *sim;\n"
    "  check(trm_sim_create(system, &options, &sim, &err), &err);\n";

static const char tail[] =
    "  check(trm_sim_run(sim, &err), &err);\n"
    "  const trm_state *s = trm_sim_state(sim);\n"
    "  const int nq = trm_system_count(system, TRM_Q), nv = trm_system_count(system, TRM_V);\n"
    "  printf(\"time %.17g\\n\", s->t);\n"
    "  for (int i = 0; i < nq; i++) printf(\"q %.17g\\n\", s->q[i]);\n"
    "  for (int i = 0; i < nv; i++) printf(\"v %.17g\\n\", s->v[i]);\n"
    "  trm_sim_free(sim);\n"
    "  trm_system_free(system);\n"
    "  trm_mechanism_free(m);\n"
    "  return 0;\n"
    "}\n";

static void put_program(trmi_buffer *out, const trm_model *model) {
  const trmi_definition *d = &model->def;
  const trmi_units *u = &d->units;
  trmi_buffer_text(out, head);
  trmi_buffer_print(out, "  check(trm_mechanism_set_unit_sizes(m, %.17g, %.17g, %.17g, %.17g, "
                    "&err), &err);\n  trm_mechanism_allow_files(m);\n", u->length, u->mass, u->time,
                    u->force);
  if (trm_model_plugin_count(model) > 0) {
    trmi_buffer_text(out, "  trm_mechanism_use_plugins(m, TRM_PLUGINS_LOADED);\n");
  }
  put_named(out, &d->parameters, "trm_add_parameter(m, ");
  put_tables(out, d);
  put_part(out, &d->world, false);
  put_parts(out, &d->bodies);
  put_parts(out, &d->beams);
  put_parts(out, &d->joints);
  put_parts(out, &d->motions);
  put_parts(out, &d->actions);
  put_equations(out, d);
  put_inputs(out, d);
  put_named(out, &d->outputs, "trm_add_output(m, ");
  trmi_buffer_text(out, "}\n\nint main(void) {\n  trm_error err;\n  trm_mechanism *m;\n"
                        "  trm_system *system;\n  trm_options options = trm_options_default();\n"
                        "  check(trm_mechanism_create(NULL, &m, &err), &err);\n  add_parts(m);\n"
                        "  check(trm_mechanism_build(m, NULL, &system, &err), &err);\n");
  for (int i = 0; i < model->noptions; i++) {
    trmi_buffer_print(out, "  if (!trm_options_read(&options, \"%s\", ", model->options[i].name);
    put_string(out, model->options[i].value);
    trmi_buffer_text(out, ")) return 1;\n");
  }
  trmi_buffer_text(out, middle);
  for (int i = 0; i < d->measures.count; i++) {
    trmi_buffer_text(out, "  check(trm_sim_add_measure(sim, ");
    put_string(out, d->measures.list[i].key.name);
    trmi_buffer_text(out, ", ");
    put_string(out, d->measures.list[i].text.text);
    trmi_buffer_text(out, ", &err), &err);\n");
  }
  trmi_buffer_text(out, tail);
}

trm_status trm_model_write_c(const trm_model *model, trm_writer *writer, void *self,
                             trm_error *err) {
  TRMI_NEED(err, model);
  return trmi_model_write(model, put_program, writer, self, err);
}
