/* model.c - public functions of models: read, query, build systems. */
#include "trammel/model.h"
#include "integ/measure_text.h"
#include "io/file_loader.h"
#include "io/model_file.h"
#include "io/run_options.h"
#include "mechanism/builder.h"
#include "elements/elements.h"
#include "parts/model_units.h"
#include "system/system.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Reading compiles the equations to find their faults; the result is kept for the first caller that
 * creates a system, in any thread. */
struct trmi_spare {
  atomic_flag    is_taken;
  trm_system_def def;
};

/* "model.yaml:3:7: sentence" */
static trm_status fail_first(const trm_model *m, const trmi_complaints *complaints,
                             trm_error *err) {
  const trmi_complaint *first = &complaints->list[0];
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s:%d:%d: %s",
                   m->sources.list[first->place.file].shown, first->place.line,
                   first->place.column, first->sentence);
}

/* ---- building ---------------------------------------------------------------------- */

static trm_status build(const trm_model *m, const trm_allocator *allocator,
                        trmi_complaints *complaints, trm_system_def *def, trm_error *err) {
  trmi_parameters parameters;
  TRMI_TRY(err, trmi_parameters_init(&parameters, &m->def, allocator, complaints, err));
  *def = trm_system_def_default();
  if (allocator != NULL) def->allocator = *allocator;
  const trm_status status = trmi_mechanism_build(&m->def, &parameters, complaints, def, err);
  trmi_parameters_free(&parameters);
  if (status == TRM_ERR_INPUT && complaints->count > 0) return fail_first(m, complaints, err);
  return status;
}

static void free_spare(trmi_spare *spare) {
  if (spare == NULL || atomic_flag_test_and_set(&spare->is_taken)) return;
  if (spare->def.ops->free != NULL) spare->def.ops->free(spare->def.self);
}

/* Names of files for messages of the equations. */
static void name_files(trm_model *m) {
  m->def.nfiles = m->sources.count;
  m->def.files = TRMI_TAKE(&m->arena, const char *, m->def.nfiles);
  if (m->def.files == NULL) return;
  for (int i = 0; i < m->def.nfiles; i++) m->def.files[i] = m->sources.list[i].shown;
}

static bool has_faulty_table(const trmi_definition *def) {
  const trmi_parts *tables = &def->parts[TRMI_TABLES];
  trmi_complaints ignored = {.count = 0};
  for (int i = 0; i < tables->count; i++) {
    const trmi_part *table = &tables->list[i];
    const bool has_file = trmi_part_find(table, "file") != NULL;
    if (has_file || !trmi_table_check(table, NULL, &ignored)) return true;
  }
  return false;
}

/* Reading must not run code: forces of plug-ins are omitted. */
static trm_status compile(trm_model *m, trmi_parameters *parameters, trm_system_def *def,
                          trm_error *err) {
  const trmi_plugin_use use = m->def.plugins;
  *def = trm_system_def_default();
  def->allocator = m->arena.allocator;
  m->def.plugins = TRMI_PLUGINS_SKIPPED;
  const trm_status status = trmi_mechanism_build(&m->def, parameters, &m->complaints, def, err);
  m->def.plugins = use;
  return status;
}

/* The same, repeated if measures need outputs that the model does not have. */
static trm_status compile_measured(trm_model *m, trmi_parameters *parameters, trm_system_def *def,
                                   trm_error *err) {
  TRMI_TRY(err, compile(m, parameters, def, err));
  const int added = trmi_model_measured_outputs(m, def);
  trm_status status = trmi_arena_check(&m->arena, err);
  if (status == TRM_OK && m->complaints.count > 0) status = TRM_ERR_INPUT;
  if (status == TRM_OK && added == 0) return TRM_OK;
  def->ops->free(def->self);
  return status == TRM_OK ? compile(m, parameters, def, err) : status;
}

/* Compile while reading. */
static trm_status try_equations(trm_model *m, trmi_parameters *parameters, trm_error *err) {
  name_files(m);
  trmi_model_resolve_measures(m, parameters);
  if (has_faulty_table(&m->def)) return TRM_OK; /* already reported */
  trmi_spare *spare = TRMI_TAKE(&m->arena, trmi_spare, 1);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  atomic_flag_clear(&spare->is_taken);
  const trm_status status = compile_measured(m, parameters, &spare->def, err);
  if (status == TRM_OK && trm_model_plugin_count(m) > 0) {
    spare->def.ops->free(spare->def.self); /* it lacks forces */
  } else if (status == TRM_OK) {
    m->spare = spare;
  }
  if (status == TRM_ERR_INPUT && m->complaints.count > 0) return TRM_OK;
  return status;
}

trm_status trm_model_create_system(const trm_model *model, const trm_allocator *allocator,
                                   trm_system **system, trm_error *err) {
  TRMI_NEED(err, system);
  *system = NULL;
  TRMI_NEED(err, model);
  if (model->complaints.count > 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the model has faults");
  }
  trm_system_def def;
  trmi_spare *spare = model->spare;
  const bool is_usual = allocator == NULL || memcmp(allocator, &model->arena.allocator,
                                                    sizeof *allocator) == 0;
  if (is_usual && spare != NULL && !atomic_flag_test_and_set(&spare->is_taken)) {
    def = spare->def;
  } else {
    trmi_complaints complaints = {.count = 0};
    TRMI_TRY(err, build(model, allocator, &complaints, &def, err));
  }
  TRMI_TRY(err, trm_system_create(&def, system, err));
  return TRM_OK;
}

trm_status trm_model_mechanism(const trm_model *model, const trm_allocator *allocator,
                               trm_mechanism **mechanism, trm_error *err) {
  TRMI_NEED(err, mechanism);
  *mechanism = NULL;
  TRMI_NEED(err, model);
  if (model->complaints.count > 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the model has faults");
  }
  TRMI_TRY(err, trmi_builder_from(&model->def, allocator, mechanism, err));
  return TRM_OK;
}

/* ---- reading ------------------------------------------------------------------------- */

/* All steps after the files are loaded. Faults are complaints. */
static trm_status interpret(trm_model *m, trm_error *err) {
  trmi_sources *s = &m->sources;
  TRMI_TRY(err, trmi_sources_tree(s, &m->root, err));
  /* an incomplete model would cause further faults */
  if (m->root == NULL || s->has_missing) return TRM_OK;
  trmi_sources_apply_settings(s, m->root);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  bool is_repeated;
  TRMI_TRY(err, trmi_model_repeat(m, &is_repeated, err));
  trmi_model_drop_disabled(m);
  trmi_model_divide_materials(m);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  const bool is_whole = trmi_schema_check(m->root, &m->complaints) && is_repeated;
  trmi_model_define(m);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  if (!is_whole) return TRM_OK;
  trmi_parameters parameters;
  TRMI_TRY(err, trmi_parameters_init(&parameters, &m->def, &m->arena.allocator, &m->complaints,
                                     err));
  trmi_part_values_read(&m->def, &parameters);
  trmi_model_tables(m);
  trmi_model_simulate(m, &parameters);
  trm_status status = trmi_arena_check(&m->arena, err);
  if (status == TRM_OK) status = trmi_graph_check(&parameters.graph, err);
  if (status == TRM_OK) status = try_equations(m, &parameters, err);
  trmi_parameters_free(&parameters);
  return status;
}

static trm_status make_text(trm_model *m, trm_error *err) {
  trmi_buffer buffer;
  trmi_buffer_init(&buffer, &m->arena.allocator);
  trmi_sources_text(&m->sources, &buffer);
  char *text = TRMI_TAKE(&m->arena, char, buffer.used + 1);
  if (text != NULL && !buffer.failed && buffer.used > 0) memcpy(text, buffer.data, buffer.used);
  const trm_status status = trmi_buffer_check(&buffer, err);
  trmi_buffer_free(&buffer);
  m->text = text;
  TRMI_TRY(err, status);
  return trmi_arena_check(&m->arena, err);
}

/* The part of reading that is independent of the source of the text. */
static trm_status read_model(trm_model *m, const trm_setting *settings, int nsettings,
                             trm_error *err) {
  TRMI_TRY(err, trmi_sources_add_settings(&m->sources, settings, nsettings, err));
  m->name = m->summary = m->text = "";
  TRMI_TRY(err, interpret(m, err));
  if (m->complaints.count > 0) {
    trmi_complaints_sort(&m->complaints);
    return TRM_OK;
  }
  return make_text(m, err);
}

static trm_status new_model(const trm_model_source *source, const trm_allocator *allocator,
                            trm_model **model, trm_error *err) {
  const trm_allocator none = {0};
  const bool has_files = source->path != NULL || source->has_meshes;
  trmi_arena arena;
  trmi_arena_init(&arena, allocator != NULL ? allocator : &none);
  trm_model *m = TRMI_TAKE(&arena, trm_model, 1);
  *model = m;
  TRMI_TRY(err, trmi_arena_check(&arena, err));
  m->arena = arena;
  m->sources.arena = &m->arena;
  m->sources.complaints = &m->complaints;
  m->sources.may_look = source->path == NULL && source->has_meshes;
  m->def.loader = has_files ? &trmi_file_loader : &trmi_text_loader;
  m->def.reductions = source->reductions;
  return TRM_OK;
}

/* Hand over a model, or free it. */
static trm_status finish(trm_model *m, trm_status status, trm_model **model, trm_error *err) {
  if (status != TRM_OK) {
    trm_model_free(m);
    return status;
  }
  *model = m;
  return m->complaints.count > 0 ? fail_first(m, &m->complaints, err) : TRM_OK;
}

/* The model has its own copy of the folder. */
static trm_status keep_folder(trm_model *m, trm_error *err) {
  const char *folder = m->def.reductions.cache;
  if (folder == NULL) return TRM_OK;
  char *copy = TRMI_TAKE(&m->arena, char, strlen(folder) + 1);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  memcpy(copy, folder, strlen(folder) + 1);
  m->def.reductions.cache = copy;
  return TRM_OK;
}

trm_status trm_model_read(const trm_model_source *source, const trm_allocator *allocator,
                          trm_model **model, trm_error *err) {
  TRMI_NEED(err, model);
  trm_model *m;
  *model = NULL;
  TRMI_NEED(err, source);
  if (source->path == NULL) TRMI_NEED(err, source->text, source->name);
  TRMI_TRY(err, new_model(source, allocator, &m, err));
  trm_status status = keep_folder(m, err);
  if (status == TRM_OK && source->path != NULL) {
    status = trmi_sources_open_file(&m->sources, source->path, err);
  } else if (status == TRM_OK) {
    status = trmi_sources_open_text(&m->sources, source->text, strlen(source->text), source->name,
                                    err);
  }
  if (status == TRM_OK) status = read_model(m, source->settings, source->nsettings, err);
  return finish(m, status, model, err);
}

trm_status trm_model_read_file(const char *path, const trm_setting *settings, int nsettings,
                               const trm_allocator *allocator, trm_model **model, trm_error *err) {
  const trm_model_source source = {.path = path, .settings = settings, .nsettings = nsettings};
  TRMI_NEED(err, model);
  *model = NULL;
  TRMI_NEED(err, path);
  return trm_model_read(&source, allocator, model, err);
}

trm_status trm_model_read_text(const char *text, const char *name, const trm_setting *settings,
                               int nsettings, const trm_allocator *allocator, trm_model **model,
                               trm_error *err) {
  const trm_model_source source = {.text = text, .name = name, .settings = settings,
                                   .nsettings = nsettings};
  TRMI_NEED(err, model);
  *model = NULL;
  TRMI_NEED(err, text, name);
  return trm_model_read(&source, allocator, model, err);
}

trm_status trm_model_read_stored(const char *text, const char *name, const trm_setting *settings,
                                 int nsettings, const trm_allocator *allocator, trm_model **model,
                                 trm_error *err) {
  const trm_model_source source = {.text = text, .name = name, .settings = settings,
                                   .nsettings = nsettings, .has_meshes = true};
  TRMI_NEED(err, model);
  *model = NULL;
  TRMI_NEED(err, text, name);
  return trm_model_read(&source, allocator, model, err);
}

void trm_model_use_plugins(trm_model *model, trm_plugin_use use) {
  if (model == NULL) return;
  model->def.plugins = (trmi_plugin_use)use;
}

void trm_model_free(trm_model *model) {
  if (model == NULL) return;
  free_spare(model->spare);
  trmi_arena arena = model->arena; /* contains the model */
  trmi_arena_clear(&arena);
}

/* ---- measures ------------------------------------------------------------------------------ */

static trm_status check_measure(const trm_model *m, const char *name, const char *text,
                                trm_error *err) {
  trmi_measure_text read;
  char fault[TRMI_MEASURE_FAULT];
  if (m->complaints.count > 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the model has faults");
  }
  if (name[0] == '\0' || strpbrk(name, "=\r\n") != NULL || strpbrk(text, "\r\n") != NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' cannot be the name of a measure", name);
  }
  for (int i = 0; i < m->def.measures.count; i++) {
    if (strcmp(m->def.measures.list[i].key.name, name) != 0) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the measure '%.60s' is given twice", name);
  }
  if (!trmi_measure_read(text, &read, fault) && read.level == NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s", fault);
  }
  return TRM_OK;
}

/* Build the model with the new measure, for the next caller. A fault becomes the sentence of
 * `err`. */
static trm_status build_measured(trm_model *m, trm_error *err) {
  trmi_parameters parameters;
  TRMI_TRY(err, trmi_parameters_init(&parameters, &m->def, &m->arena.allocator, &m->complaints,
                                     err));
  free_spare(m->spare);
  m->spare = NULL;
  const trm_status status = try_equations(m, &parameters, err);
  trmi_parameters_free(&parameters);
  TRMI_TRY(err, status);
  if (m->complaints.count == 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s", m->complaints.list[0].sentence);
}

trm_status trm_model_add_measure(trm_model *model, const char *name, const char *text,
                                 trm_error *err) {
  TRMI_NEED(err, model, name, text);
  TRMI_TRY(err, check_measure(model, name, text, err));
  trm_model *m = model;
  const trmi_definition before = m->def;
  const int nsettings = m->sources.nsettings;
  char path[TRM_MESSAGE_MAX];
  snprintf(path, sizeof path, "measures.%.300s", name);
  const trm_setting setting = {.name = path, .value = text}; /* so that trm_model_text contains
                                                                it */
  TRMI_TRY(err, trmi_sources_add_settings(&m->sources, &setting, 1, err));
  const trm_setting *kept = &m->sources.settings[nsettings];
  const int count = before.measures.count;
  trmi_named_text *list = TRMI_TAKE(&m->arena, trmi_named_text, count + 1);
  trmi_anchor *anchor = TRMI_TAKE(&m->arena, trmi_anchor, 1);
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  if (count > 0) memcpy(list, before.measures.list, (size_t)count * sizeof *list);
  *anchor = (trmi_anchor){.place = {.line = 1, .column = 1}};
  list[count] = (trmi_named_text){
    .key = {.name = kept->name + strlen("measures."), .place = anchor->place},
    .text = {.text = kept->value, .length = strlen(text), .anchors = anchor, .nanchors = 1}};
  m->def.measures = (trmi_named_texts){.list = list, .count = count + 1};
  const trm_status status = build_measured(m, err);
  if (status != TRM_OK) { /* as it was */
    m->def = before;
    m->sources.nsettings = nsettings;
    m->complaints.count = 0;
    return status;
  }
  return make_text(m, err);
}

/* ---- queries ------------------------------------------------------------------------------- */

int trm_model_complaint_count(const trm_model *model) {
  if (model == NULL) return 0;
  const int count = model->complaints.count;
  return count < TRMI_COMPLAINTS_MAX ? count : TRMI_COMPLAINTS_MAX;
}

int trm_model_complaint_total(const trm_model *model) {
  if (model == NULL) return 0;
  return model->complaints.count;
}

trm_complaint trm_model_complaint_at(const trm_model *model, int i) {
  if (i < 0 || i >= trm_model_complaint_count(model)) return (trm_complaint){0};
  const trmi_complaint *complaint = &model->complaints.list[i];
  const trmi_place place = complaint->place;
  return (trm_complaint){.file = model->sources.list[place.file].shown, .line = place.line,
                         .column = place.column, .sentence = complaint->sentence};
}

const char *trm_model_name(const trm_model *model) {
  if (model == NULL) return "";
  return model->name;
}

trm_unit_names trm_model_units(const trm_model *model) {
  if (model == NULL) return (trm_unit_names){0};
  trm_unit_names names = trmi_unit_names_basic();
  trmi_units_name(&model->def.units, &names);
  trmi_unit_names_complete(&names);
  return names;
}

/* Force i of those that need a plug-in; NULL: there are fewer. */
static const trmi_part *find_plugin(const trm_model *model, int i) {
  const trmi_parts *forces = &model->def.parts[TRMI_FORCES];
  for (int k = 0; k < forces->count && i >= 0; k++) {
    const trmi_part *action = &forces->list[k];
    if (trmi_part_find(action, "library") != NULL && i-- == 0) return action;
  }
  return NULL;
}

int trm_model_plugin_count(const trm_model *model) {
  if (model == NULL) return 0;
  int count = 0;
  while (find_plugin(model, count) != NULL) count++;
  return count;
}

trm_plugin_need trm_model_plugin_at(const trm_model *model, int i) {
  if (model == NULL) return (trm_plugin_need){0};
  const trmi_part *action = find_plugin(model, i);
  if (action == NULL) return (trm_plugin_need){0};
  return (trm_plugin_need){.force = action->key.name, .library = trmi_part_word(action, "library"),
                           .function = trmi_part_word(action, "function")};
}

const char *trm_model_summary(const trm_model *model) {
  if (model == NULL) return "";
  return model->summary;
}

const char *trm_model_text(const trm_model *model) {
  if (model == NULL) return "";
  return model->text;
}

const char *trm_model_file_at(const trm_model *model, int i) {
  if (model == NULL) return NULL;
  const trmi_sources *s = &model->sources;
  if (i < 0) return NULL;
  for (int k = 0; k < s->count && s->folder != NULL; k++) {
    if (k != s->set_file && i-- == 0) return s->list[k].shown;
  }
  const trmi_located *entry = s->located;
  while (entry != NULL && i-- > 0) entry = entry->next;
  return entry != NULL ? entry->path : NULL;
}

int trm_model_parameter_count(const trm_model *model) {
  if (model == NULL) return 0;
  return model->def.parameters.count;
}

trm_setting trm_model_parameter_at(const trm_model *model, int i) {
  if (i < 0 || i >= trm_model_parameter_count(model)) return (trm_setting){0};
  const trmi_named_text *parameter = &model->def.parameters.list[i];
  return (trm_setting){.name = parameter->key.name, .value = parameter->text.text};
}

int trm_model_measure_count(const trm_model *model) {
  return model != NULL ? model->def.measures.count : 0;
}

trm_model_measure trm_model_measure_at(const trm_model *model, int i) {
  if (i < 0 || i >= trm_model_measure_count(model)) return (trm_model_measure){0};
  const trmi_named_text *m = &model->def.measures.list[i];
  const trmi_place place = trmi_text_place(&m->text, 0);
  return (trm_model_measure){.name = m->key.name, .text = m->text.text,
                             .file = model->sources.list[place.file].shown, .line = place.line,
                             .column = place.column};
}

void trm_model_options(const trm_model *model, trm_options *options) {
  if (model == NULL || options == NULL) return;
  for (int i = 0; i < model->noptions; i++) {
    const trm_setting *option = &model->options[i];
    const bool is_known = trm_options_read(options, option->name, option->value);
    (void)is_known; /* a test compares the two tables */
  }
}
