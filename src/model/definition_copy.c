/* definition_copy.c - copies of definitions, with all texts, which outlive the reader. */
#include "model/definition_copy.h"
#include "trammel/parts.h"
#include <string.h>

static void *copy_bytes(trmi_pool *pool, const void *from, size_t bytes) {
  if (from == NULL || bytes == 0) return NULL;
  void *to = trmi_pool_take(pool, bytes);
  if (to != NULL) memcpy(to, from, bytes);
  return to;
}

static const char *copy_string(trmi_pool *pool, const char *text) {
  return text != NULL ? copy_bytes(pool, text, strlen(text) + 1) : NULL;
}

static void copy_text(trmi_pool *pool, trmi_text *text) {
  if (text->text == NULL) return;
  text->text = copy_bytes(pool, text->text, text->length + 1);
  text->anchors = copy_bytes(pool, text->anchors,
                             (size_t)text->nanchors * sizeof *text->anchors);
}

static void copy_key(trmi_pool *pool, trmi_key *key) {
  key->name = copy_string(pool, key->name);
}

/* Lists and words of a struct are copies, words those of the texts. */
static void copy_member(trmi_pool *pool, const trmi_field *field, trmi_given *given, void *member) {
  const int count = given->count;
  trmi_text *texts = copy_bytes(pool, given->texts, (size_t)count * sizeof *texts);
  for (int k = 0; texts != NULL && k < count; k++) copy_text(pool, &texts[k]);
  given->texts = texts;
  if (field->store == TRMI_STORE_LIST) {
    trm_numbers *numbers = member;
    numbers->list = copy_bytes(pool, numbers->list, (size_t)numbers->count * sizeof(double));
  }
  for (int k = 0; field->store == TRMI_STORE_TEXTS && texts != NULL && k < count && k < field->room;
       k++) {
    ((const char **)member)[k] = texts[k].text;
  }
}

static void copy_part(trmi_pool *pool, trmi_part *part) {
  copy_key(pool, &part->key);
  if (part->kind != NULL && part->def != NULL) {
    part->def = copy_bytes(pool, part->def, part->kind->size);
    part->given = copy_bytes(pool, part->given, (size_t)part->kind->nfields * sizeof *part->given);
    if (part->def == NULL || part->given == NULL) return;
    for (int i = 1; i < part->kind->nfields; i++) {
      const trmi_field *field = &part->kind->fields[i];
      if (!part->given[i].is_given || field->store == TRMI_STORE_NONE) continue;
      copy_member(pool, field, &part->given[i], (char *)part->def + field->offset);
    }
  }
  for (trmi_part **inner = &part->inner; *inner != NULL; inner = &(*inner)->next) {
    *inner = copy_bytes(pool, *inner, sizeof **inner);
    if (*inner == NULL) return;
    copy_part(pool, *inner);
  }
}

static void copy_parts(trmi_pool *pool, trmi_parts *parts) {
  parts->list = copy_bytes(pool, parts->list, (size_t)parts->count * sizeof *parts->list);
  for (int i = 0; parts->list != NULL && i < parts->count; i++) copy_part(pool, &parts->list[i]);
}

static void copy_texts(trmi_pool *pool, trmi_named_texts *texts) {
  texts->list = copy_bytes(pool, texts->list, (size_t)texts->count * sizeof *texts->list);
  for (int i = 0; texts->list != NULL && i < texts->count; i++) {
    copy_key(pool, &texts->list[i].key);
    copy_text(pool, &texts->list[i].text);
  }
}

static void copy_tables(trmi_pool *pool, trmi_definition *def) {
  def->tables = copy_bytes(pool, def->tables, (size_t)def->ntables * sizeof *def->tables);
  for (int i = 0; def->tables != NULL && i < def->ntables; i++) {
    trmi_table_def *table = &def->tables[i];
    copy_key(pool, &table->key);
    table->x = copy_bytes(pool, table->x, (size_t)table->n * sizeof(double));
    table->y = copy_bytes(pool, table->y, (size_t)table->n * sizeof(double));
  }
}

static void copy_events(trmi_pool *pool, trmi_definition *def) {
  def->events = copy_bytes(pool, def->events, (size_t)def->nevents * sizeof *def->events);
  for (int i = 0; def->events != NULL && i < def->nevents; i++) {
    trmi_event_def *event = &def->events[i];
    copy_key(pool, &event->key);
    copy_text(pool, &event->when);
    copy_text(pool, &event->every);
    copy_text(pool, &event->first);
    copy_texts(pool, &event->set);
  }
}

static void copy_mass(trmi_pool *pool, trmi_definition *def) {
  def->mass = copy_bytes(pool, def->mass, (size_t)def->nmass * sizeof *def->mass);
  for (int i = 0; def->mass != NULL && i < def->nmass; i++) {
    copy_key(pool, &def->mass[i].row);
    copy_key(pool, &def->mass[i].col);
    copy_text(pool, &def->mass[i].text);
  }
}

/* Coordinates, states, variables and inputs. */
static void copy_unknowns(trmi_pool *pool, trmi_definition *def) {
  def->coordinates =
      copy_bytes(pool, def->coordinates, (size_t)def->ncoordinates * sizeof *def->coordinates);
  for (int i = 0; def->coordinates != NULL && i < def->ncoordinates; i++) {
    trmi_coordinate_def *c = &def->coordinates[i];
    copy_key(pool, &c->key);
    copy_text(pool, &c->value);
    copy_text(pool, &c->velocity);
    copy_text(pool, &c->scale);
  }
  def->states = copy_bytes(pool, def->states, (size_t)def->nstates * sizeof *def->states);
  for (int i = 0; def->states != NULL && i < def->nstates; i++) {
    copy_key(pool, &def->states[i].key);
    copy_text(pool, &def->states[i].value);
    copy_text(pool, &def->states[i].rate);
    copy_text(pool, &def->states[i].residual);
    copy_text(pool, &def->states[i].scale);
  }
  def->variables =
      copy_bytes(pool, def->variables, (size_t)def->nvariables * sizeof *def->variables);
  for (int i = 0; def->variables != NULL && i < def->nvariables; i++) {
    copy_key(pool, &def->variables[i].key);
    copy_text(pool, &def->variables[i].guess);
    copy_text(pool, &def->variables[i].equals);
  }
  def->inputs = copy_bytes(pool, def->inputs, (size_t)def->ninputs * sizeof *def->inputs);
  for (int i = 0; def->inputs != NULL && i < def->ninputs; i++) {
    copy_key(pool, &def->inputs[i].key);
    copy_text(pool, &def->inputs[i].value);
    copy_text(pool, &def->inputs[i].rate);
  }
}

void trmi_definition_copy(trmi_definition *to, const trmi_definition *from, trmi_arena *arena) {
  trmi_pool pool = {.arena = arena};
  *to = *from;
  to->name = copy_string(&pool, from->name);
  to->files = copy_bytes(&pool, from->files, (size_t)from->nfiles * sizeof *from->files);
  for (int i = 0; to->files != NULL && i < to->nfiles; i++) {
    to->files[i] = copy_string(&pool, to->files[i]);
  }
  const size_t flags = (size_t)from->parameters.count * sizeof(bool);
  to->is_fixed = trmi_pool_take(&pool, flags);
  if (to->is_fixed != NULL && from->is_fixed != NULL) memcpy(to->is_fixed, from->is_fixed, flags);
  copy_texts(&pool, &to->parameters);
  copy_part(&pool, &to->world);
  copy_parts(&pool, &to->bodies);
  copy_parts(&pool, &to->beams);
  copy_parts(&pool, &to->joints);
  copy_parts(&pool, &to->motions);
  copy_parts(&pool, &to->actions);
  copy_tables(&pool, to);
  copy_unknowns(&pool, to);
  copy_events(&pool, to);
  copy_mass(&pool, to);
  copy_text(&pool, &to->kinetic);
  copy_text(&pool, &to->potential);
  trmi_named_texts *const lists[] = {&to->forces, &to->constraints, &to->nonholonomic,
                                     &to->discrete, &to->outputs, &to->measures};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) copy_texts(&pool, lists[k]);
}
