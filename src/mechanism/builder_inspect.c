/* builder_inspect.c - inspects a mechanism: its parts, their values; opens a model as a
 * mechanism. */
#include "mechanism/builder.h"
#include "elements/elements.h"
#include "parts/definition_copy.h"
#include "parts/parameters.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- parts ---------------------------------------------------------------------------------- */

/* Part number *i of those inside of another, each with its own after it; NULL: there are fewer. */
static const trmi_part *find_inner(const trmi_part *of, int *i, trm_part *id) {
  int number = 0;
  for (const trmi_part *p = of->inner; p != NULL; p = p->next, number++) {
    id->inner = number;
    if ((*i)-- == 0) return p;
    int below = 1;
    for (const trmi_part *q = p->inner; q != NULL; q = q->next, below++) {
      id->inner = number + TRMI_INNER_MOST * below;
      if ((*i)-- == 0) return q;
    }
  }
  return NULL;
}

bool trm_part_at(const trm_mechanism *m, int i, trm_part *part, trm_part_info *info) {
  if (m == NULL) return false;
  if (i < 0) return false;
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    const trmi_parts *parts = &m->def.parts[g];
    for (int n = 0; n < parts->count; n++) {
      const trmi_part *p = &parts->list[n];
      const trm_part own = {.group = g, .index = n, .inner = -1};
      *part = own;
      if (i-- > 0) {
        p = find_inner(p, &i, part);
        if (p == NULL) continue;
      }
      *info = (trm_part_info){.name = p->key.name, .kind = p->kind->name, .owner = own,
                              .section = trmi_part_group_section(p->kind->group)};
      return true;
    }
  }
  return false;
}

/* ---- values --------------------------------------------------------------------------------- */

const char *trm_get_text(const trm_mechanism *m, trm_part id, const char *key) {
  if (m == NULL) return NULL;
  int number = 0;
  const trmi_part *part = trmi_builder_part((trm_mechanism *)m, id);
  const int i = part != NULL && key != NULL ? trmi_builder_field(part, key, &number) : -1;
  if (i < 0 || !part->given[i].is_given || number >= part->given[i].count) return NULL;
  return part->given[i].texts != NULL ? part->given[i].texts[number].text : "";
}

/* The value of a text with parameters. */
static trm_status evaluate(const trm_mechanism *m, const trmi_text *text, double *number,
                           trm_error *err) {
  trmi_complaints complaints = {.count = 0};
  trmi_parameters parameters;
  trmi_dimension dimension;
  TRMI_TRY(err, trmi_parameters_init(&parameters, &m->def, &m->arena.allocator, &complaints, err));
  const bool is_good = trmi_parameters_value(&parameters, text, number, &dimension);
  trm_status status = trmi_graph_check(&parameters.graph, err);
  trmi_parameters_free(&parameters);
  if (status != TRM_OK || is_good) return status;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.100s' is not a number: %s", text->text,
                   complaints.list[0].sentence);
}

trm_status trm_get_number(trm_mechanism *m, trm_part id, const char *key, double *number,
                          trm_error *err) {
  TRMI_NEED(err, m, key, number);
  int k = 0, count;
  trmi_part *part = trmi_builder_part(m, id);
  TRMI_TRY(err, trmi_builder_need_part(part, err));
  const int i = trmi_builder_field(part, key, &k);
  const trmi_given *given = i >= 0 ? &part->given[i] : NULL;
  *number = NAN;
  if (given == NULL || !given->is_given || k >= given->count ||
      part->kind->fields[i].store == TRMI_STORE_TEXTS ||
      part->kind->fields[i].store == TRMI_STORE_NONE) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.60s' gives no number '%.60s'",
                     part->key.name, key);
  }
  if (given->texts != NULL) return evaluate(m, &given->texts[k], number, err);
  const bool is_count = part->kind->fields[i].store == TRMI_STORE_COUNT;
  const char *path = part->kind->fields[i].path;
  *number = is_count ? trmi_part_number(part, path) : trmi_part_list(part, path, &count)[k];
  return TRM_OK;
}

trm_status trm_set_number(trm_mechanism *m, trm_part id, const char *key, double number,
                          trm_error *err) {
  TRMI_NEED(err, m, key);
  char text[40], range[80];
  int k = 0;
  const trmi_part *part = trmi_builder_part(m, id);
  TRMI_TRY(err, trmi_builder_need_part(part, err));
  const int i = trmi_builder_field(part, key, &k);
  const trmi_field *field = i >= 0 ? &part->kind->fields[i] : NULL;
  if (!isfinite(number) || (field != NULL && !trmi_field_allows(field, number))) {
    if (field != NULL) trmi_field_range(field, range, sizeof range);
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s: %.6g is out of range: it must be %s", key,
                     number, field != NULL && isfinite(number) ? range : "a finite number");
  }
  snprintf(text, sizeof text, "%.17g", number);
  TRMI_TRY(err, trm_set_text(m, id, key, text, err));
  return TRM_OK;
}

/* ---- parameters ----------------------------------------------------------------------------- */

bool trm_parameter_at(const trm_mechanism *m, int i, trm_setting *parameter) {
  if (m == NULL) return false;
  if (i < 0 || i >= m->def.parameters.count) return false;
  const trmi_named_text *p = &m->def.parameters.list[i];
  *parameter = (trm_setting){.name = p->key.name, .value = p->text.text};
  return true;
}

trm_status trm_set_parameter(trm_mechanism *m, const char *name, const char *text,
                             trm_error *err) {
  TRMI_NEED(err, m, name, text);
  for (int i = 0; i < m->def.parameters.count; i++) {
    trmi_named_text *p = &m->def.parameters.list[i];
    if (strcmp(p->key.name, name) != 0) continue;
    if (m->def.is_fixed != NULL && m->def.is_fixed[i]) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the parameter '%.60s' decides which parts the "
                       "model has: read the file again with it", name);
    }
    const char *copy = trmi_builder_copy_text(m, text);
    TRMI_TRY(err, trmi_arena_check(&m->arena, err));
    p->text = trmi_builder_text_of(copy);
    return TRM_OK;
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no parameter '%.60s'", name);
}

/* ---- from a definition ---------------------------------------------------------------------- */

/* Lists of a builder have room for a power of two, see `grow` of builder.c. */
static void *roomy(trm_mechanism *m, void *list, int count, size_t size) {
  size_t room = 1;
  while (room < (size_t)count) room *= 2;
  if (count == 0) return NULL;
  void *larger = trmi_arena_take(&m->arena, room, size);
  if (larger != NULL && list != NULL) memcpy(larger, list, (size_t)count * size);
  return larger;
}

static void add_name(trm_mechanism *m, const char *name) {
  trmi_index_add(&m->names, &m->arena, name, strlen(name), 0);
}

static void add_parameters(trm_mechanism *m) {
  trmi_named_texts *texts = &m->def.parameters;
  texts->list = roomy(m, texts->list, texts->count, sizeof *texts->list);
  for (int i = 0; texts->list != NULL && i < texts->count; i++) {
    add_name(m, texts->list[i].key.name);
  }
}

static void add_parts(trm_mechanism *m, trmi_part_group group) {
  trmi_parts *parts = &m->def.parts[group];
  parts->list = roomy(m, parts->list, parts->count, sizeof *parts->list);
  if (!trmi_part_group_is_known(group) || parts->list == NULL) return;
  for (int i = 0; i < parts->count; i++) add_name(m, parts->list[i].key.name);
}

trm_status trmi_builder_from(const trmi_definition *def, const trm_allocator *allocator,
                             trm_mechanism **mechanism, trm_error *err) {
  trm_mechanism *m;
  TRMI_TRY(err, trm_mechanism_create(allocator, mechanism, err));
  m = *mechanism;
  trmi_definition_copy(&m->def, def, &m->arena);
  if (!m->arena.failed) {
    add_parameters(m);
    for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) add_parts(m, (trmi_part_group)g);
  }
  const trm_status status = trmi_arena_check(&m->arena, err);
  if (status == TRM_OK) return TRM_OK;
  trm_mechanism_free(m);
  *mechanism = NULL;
  return status;
}
