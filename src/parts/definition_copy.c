/* definition_copy.c - copies of definitions, with all texts, which outlive the reader. */
#include "parts/definition_copy.h"
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

void trmi_definition_copy(trmi_definition *to, const trmi_definition *from, trmi_arena *arena) {
  trmi_pool pool = {.arena = arena};
  *to = *from;
  to->name = copy_string(&pool, from->name);
  to->reductions.cache = copy_string(&pool, from->reductions.cache);
  to->files = copy_bytes(&pool, from->files, (size_t)from->nfiles * sizeof *from->files);
  for (int i = 0; to->files != NULL && i < to->nfiles; i++) {
    to->files[i] = copy_string(&pool, to->files[i]);
  }
  const size_t flags = (size_t)from->parameters.count * sizeof(bool);
  to->is_fixed = trmi_pool_take(&pool, flags);
  if (to->is_fixed != NULL && from->is_fixed != NULL) memcpy(to->is_fixed, from->is_fixed, flags);
  copy_texts(&pool, &to->parameters);
  copy_part(&pool, &to->world);
  copy_part(&pool, &to->energies);
  for (int g = 0; g < TRMI_PART_GROUPS; g++) copy_parts(&pool, &to->parts[g]);
  copy_texts(&pool, &to->measures);
}
