/* model_c.c - a model as a C program that builds, runs and prints it.
 *
 * Numbers are written with 17 digits, so that the program gives the same bits as the file.
 * Expressions are set as texts; until then their number, or one in the valid range, is used. */
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

/* Is text k of a field a plain number? */
static bool is_plain(const trmi_field *field, const trmi_given *given, int k) {
  double number;
  const trmi_text *text = &given->texts[k];
  return trmi_plain_number(text->text, text->length, &number) && !is_expression(field);
}

/* Number k of a field; for an expression one in the valid range. */
static double number_of(const trmi_part *part, const trmi_field *field, int k) {
  int count;
  if (is_expression(field)) return trmi_field_allows(field, 1.0) ? 1.0 : field->low;
  if (field->store == TRMI_STORE_COUNT) return trmi_part_number(part, field->path);
  return trmi_part_list(part, field->path, &count)[k];
}

static void put_index(trmi_buffer *out, const trmi_field *field, int k) {
  if (field->room > 1) trmi_buffer_print(out, "[%d]", k);
}

static void put_list(trmi_buffer *out, const trmi_part *part, const trmi_field *field) {
  const trmi_given *given = &part->given[field - part->kind->fields];
  trmi_buffer_print(out, "  const double list_%s[] = {", field->member);
  for (int k = 0; k < given->count; k++) {
    trmi_buffer_print(out, "%s%.17g", k > 0 ? ", " : "", number_of(part, field, k));
  }
  trmi_buffer_print(out, "};\n  def.%s = (trm_numbers){list_%s, %d};\n", field->member,
                    field->member, given->count);
}

static void put_field(trmi_buffer *out, const trmi_part *part, const trmi_field *field) {
  const trmi_given *given = &part->given[field - part->kind->fields];
  if (field->store == TRMI_STORE_LIST) {
    put_list(out, part, field);
    return;
  }
  for (int k = 0; k < given->count && k < field->room; k++) {
    trmi_buffer_print(out, "  def.%s", field->member);
    put_index(out, field, k);
    trmi_buffer_text(out, " = ");
    if (field->store == TRMI_STORE_TEXTS) {
      put_text(out, &given->texts[k]);
    } else {
      trmi_buffer_print(out, "%.17g", number_of(part, field, k));
    }
    trmi_buffer_text(out, ";\n");
  }
}

/* Expressions are set after the part is added. */
static void put_expressions(trmi_buffer *out, const trmi_field *field, const trmi_given *given) {
  const bool has_texts = field->store != TRMI_STORE_TEXTS && given->texts != NULL;
  for (int k = 0; k < given->count && has_texts; k++) {
    if (is_plain(field, given, k)) continue;
    trmi_buffer_print(out, "  check(trm_set_text(m, part, \"%s", field->path);
    if (given->rows > 0) trmi_buffer_print(out, ".%d", k + 1);
    trmi_buffer_text(out, "\", ");
    put_text(out, &given->texts[k]);
    trmi_buffer_text(out, ", &err), &err);\n");
  }
}

/* One part with the parts inside it, which belong to the part `owner`. */
static void put_part(trmi_buffer *out, const trmi_part *part, bool has_owner) {
  const trmi_kind *kind = part->kind;
  const bool is_whole = kind->group == TRMI_WORLDS || kind->group == TRMI_ENERGIES;
  trmi_buffer_print(out, "  {\n  trm_%s_def def = trm_%s_default();\n", kind->name, kind->name);
  for (int i = 1; i < kind->nfields; i++) {
    const bool has_value = part->given[i].is_given && kind->fields[i].store != TRMI_STORE_NONE;
    if (has_value) put_field(out, part, &kind->fields[i]);
  }
  if (is_whole) {
    trmi_buffer_print(out, "  check(trm_set_%s(m, &def, &part, &err), &err);\n", kind->name);
  } else {
    trmi_buffer_print(out, "  check(trm_add_%s(m, %s", kind->name, has_owner ? "owner, " : "");
    put_string(out, part->key.name);
    trmi_buffer_text(out, ", &def, &part, &err), &err);\n");
  }
  for (int i = 1; i < kind->nfields; i++) {
    const bool has_value = part->given[i].is_given && kind->fields[i].store != TRMI_STORE_NONE;
    if (has_value) put_expressions(out, &kind->fields[i], &part->given[i]);
  }
  if (part->inner != NULL && has_owner) {
    trmi_buffer_text(out, "  const trm_part outer = owner;\n");
  }
  if (part->inner != NULL) trmi_buffer_text(out, "  owner = part;\n");
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    put_part(out, inner, true);
  }
  if (part->inner != NULL && has_owner) trmi_buffer_text(out, "  owner = outer;\n");
  trmi_buffer_text(out, "  }\n");
}

static void put_parts(trmi_buffer *out, const trmi_definition *d) {
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    for (int i = 0; i < d->parts[g].count; i++) put_part(out, &d->parts[g].list[i], false);
  }
}

static void put_parameters(trmi_buffer *out, const trmi_named_texts *parameters) {
  for (int i = 0; i < parameters->count; i++) {
    trmi_buffer_text(out, "  check(trm_add_parameter(m, ");
    put_string(out, parameters->list[i].key.name);
    trmi_buffer_text(out, ", ");
    put_text(out, &parameters->list[i].text);
    trmi_buffer_text(out, ", &err), &err);\n");
  }
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
    "  trm_part part, owner;\n"
    "  (void)part, (void)owner;\n";

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
  put_parameters(out, &d->parameters);
  put_part(out, &d->world, false);
  put_part(out, &d->energies, false);
  put_parts(out, d);
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
