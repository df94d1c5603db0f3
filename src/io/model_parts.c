/* model_parts.c - converts sections of the tree to parts: bodies, joints, equations, tables,
 * outputs.
 *
 * A part has a name, a kind and for each field that is given its texts; numbers follow when
 * parameters are known (parts/part_values.c). */
#include "io/model_file.h"
#include "trammel/parts.h"
#include <stdlib.h>
#include <string.h>

trmi_yaml *trmi_model_section(const trm_model *m, trmi_part_group group) {
  const char *path = trmi_part_group_section(group);
  const char *dot = path != NULL ? strchr(path, '.') : NULL;
  if (path == NULL) return NULL;
  const trmi_yaml *outer = dot != NULL ? trmi_yaml_find(m->root, "equations") : m->root;
  trmi_yaml *section = trmi_yaml_find(outer, dot != NULL ? dot + 1 : path);
  return section != NULL && section->kind == TRMI_YAML_MAPPING ? section : NULL;
}

static trmi_parts name_parts(trm_model *m, const trmi_yaml *mapping, trmi_part_group group) {
  if (mapping == NULL) return (trmi_parts){.count = 0};
  trmi_part *list = TRMI_TAKE(&m->arena, trmi_part, mapping->count);
  if (list == NULL) return (trmi_parts){.count = 0};
  int n = 0;
  for (const trmi_yaml *e = mapping->first; e != NULL; e = e->next, n++) {
    list[n].key = (trmi_key){.name = e->key, .place = e->key_place};
    list[n].kind = trmi_schema_kind(group, e);
  }
  return (trmi_parts){.list = list, .count = n};
}

/* ---- names ------------------------------------------------------------------------- */

/* A name of the model. */
typedef struct known_name {
  trmi_key key;
  bool     is_part, is_parameter;
} known_name;

static int compare_names(const void *x, const void *y) {
  const known_name *a = x, *b = y;
  const trmi_place p = a->key.place, q = b->key.place;
  const int order = strcmp(a->key.name, b->key.name);
  if (order != 0) return order;
  if (a->is_parameter != b->is_parameter) return a->is_parameter ? -1 : 1;
  if (p.file != q.file) return p.file - q.file;
  return p.line != q.line ? p.line - q.line : p.column - q.column;
}

typedef struct name_list {
  known_name *list; /* NULL while counting */
  int         count;
} name_list;

static void add_name(name_list *names, const trmi_key *key, bool is_part, bool is_parameter) {
  if (names->list != NULL) names->list[names->count] = (known_name){*key, is_part, is_parameter};
  names->count++;
}

/* May such a name be followed by a dot and a value? */
static bool holds_values(trmi_part_group group) {
  return trmi_part_group_names(group) == TRMI_NAME_PART;
}

static void collect_names(const trm_model *m, name_list *names) {
  const trmi_definition *d = &m->def;
  for (int i = 0; i < d->parameters.count; i++) {
    add_name(names, &d->parameters.list[i].key, false, true);
  }
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    const trmi_part_group group = (trmi_part_group)g;
    for (int i = 0; trmi_part_group_is_known(group) && i < d->parts[g].count; i++) {
      add_name(names, &d->parts[g].list[i].key, holds_values(group), false);
    }
  }
}

/* The part with this name, or NULL. */
static const known_name *find_part(const name_list *names, const char *name, size_t length) {
  int low = 0, high = names->count;
  while (low < high) {
    const int mid = (low + high) / 2;
    const char *known = names->list[mid].key.name;
    int order = strncmp(known, name, length);
    if (order == 0 && known[length] != '\0') order = 1;
    if (order == 0 && names->list[mid].is_part) return &names->list[mid];
    if (order < 0) low = mid + 1;
    else high = mid;
  }
  return NULL;
}

static void check_name(trm_model *m, const name_list *names, int i) {
  const known_name *name = &names->list[i], *before = i > 0 ? name - 1 : name;
  const char *text = name->key.name, *dot = strchr(text, '.');
  if (i > 0 && strcmp(text, before->key.name) == 0 && (name->is_part || before->is_part)) {
    if (before->is_parameter) {
      trmi_complain(&m->complaints, name->key.place,
                    "the name '%.60s' is also that of a parameter", text);
    } else {
      trmi_complain(&m->complaints, name->key.place,
                    "the name '%.60s' is used twice, first in line %d", text,
                    before->key.place.line);
    }
  }
  const known_name *part = dot != NULL ? find_part(names, text, (size_t)(dot - text)) : NULL;
  if (part == NULL) return;
  trmi_complain(&m->complaints, name->key.place,
                "'%.60s' would be a value of '%s' in line %d: choose another name", text,
                part->key.name, part->key.place.line);
}

/* Parts share one name space with each other and with all names of expressions. */
static void check_names(trm_model *m) {
  name_list names = {.count = 0};
  collect_names(m, &names);
  names.list = TRMI_TAKE(&m->arena, known_name, names.count);
  if (names.list == NULL) return;
  names.count = 0;
  collect_names(m, &names);
  if (names.count == 0) return;
  qsort(names.list, (size_t)names.count, sizeof *names.list, compare_names);
  for (int i = 0; i < names.count; i++) check_name(m, &names, i);
}

/* Words that cannot be names. */
static void check_words(trm_model *m, const trmi_yaml *names, const char *words, const char *why) {
  if (names == NULL || names->kind != TRMI_YAML_MAPPING) return;
  for (const trmi_yaml *e = names->first; e != NULL; e = e->next) {
    if (trmi_word_find(words, e->key) < 0) continue;
    trmi_complain(&m->complaints, e->key_place, "'%s' %s: choose another name", e->key, why);
  }
}

/* The ground may be named among the bodies, for its markers and shapes. */
static void check_ground(trm_model *m, const trmi_yaml *bodies) {
  const trmi_yaml *ground = trmi_yaml_find(bodies, "ground");
  if (ground == NULL || ground->kind != TRMI_YAML_MAPPING) return;
  for (const trmi_yaml *e = ground->first; e != NULL; e = e->next) {
    if (trmi_word_find("markers|shape|shapes|color", e->key) >= 0) continue;
    trmi_complain(&m->complaints, e->key_place,
                  "the ground does not move and has only markers and shapes, no '%.60s'", e->key);
    return;
  }
}

static void check_markers(trm_model *m) {
  const trmi_yaml *bodies = trmi_yaml_find(m->root, "bodies");
  if (bodies == NULL || bodies->kind != TRMI_YAML_MAPPING) return;
  for (const trmi_yaml *body = bodies->first; body != NULL; body = body->next) {
    if (body->kind != TRMI_YAML_MAPPING) continue;
    check_words(m, trmi_yaml_find(body, "markers"), "x|y|z|q0|q1|q2|q3|vx|vy|vz|wx|wy|wz",
                "is a value of the body itself");
  }
}

static void name_all(trm_model *m) {
  static const char words[] = "time|pi|and|or|not|if";
  static const char why[] = "has a meaning of its own in expressions";
  check_words(m, trmi_yaml_find(m->root, "parameters"), words, why);
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    const trmi_part_group group = (trmi_part_group)g;
    const trmi_yaml *mapping = trmi_model_section(m, group);
    m->def.parts[g] = name_parts(m, mapping, group);
    if (trmi_part_group_is_known(group)) check_words(m, mapping, words, why);
    if (group == TRMI_BODIES) check_ground(m, mapping);
    else if (holds_values(group)) check_words(m, mapping, "ground", "is the body that does not "
                                                                    "move");
  }
  check_markers(m);
  if (!m->arena.failed) check_names(m);
}

/* ---- values ------------------------------------------------------------------------------- */

static int count_scalars(const trmi_yaml *node) {
  if (node->kind == TRMI_YAML_SCALAR) return trmi_yaml_is_missing(node) ? 0 : 1;
  int count = 0;
  if (node->kind != TRMI_YAML_SEQUENCE) return count;
  for (const trmi_yaml *item = node->first; item != NULL; item = item->next) {
    count += count_scalars(item);
  }
  return count;
}

static int count_rows(const trmi_yaml *node) {
  if (node->kind != TRMI_YAML_SEQUENCE) return 0;
  const bool is_matrix = node->first != NULL && node->first->kind == TRMI_YAML_SEQUENCE;
  return is_matrix ? node->count : 1;
}

/* Texts of all scalars of a scalar, a list or a list of lists; returns their number. */
static int read_texts(const trmi_yaml *node, trmi_text *texts) {
  if (node->kind == TRMI_YAML_SCALAR && !trmi_yaml_is_missing(node)) *texts = node->text;
  if (node->kind != TRMI_YAML_SEQUENCE) return count_scalars(node);
  int count = 0;
  for (const trmi_yaml *item = node->first; item != NULL; item = item->next) {
    count += read_texts(item, texts + count);
  }
  return count;
}

/* The file a value names, relative to the file that names it. */
static void find_file(trm_model *m, const trmi_field *field, trmi_text *text) {
  const bool is_mesh = field->store == TRMI_STORE_TEXTS &&
                       (strcmp(field->path, "mesh") == 0 ||
                        strncmp(field->path, "matrices.", strlen("matrices.")) == 0);
  if (!is_mesh && trmi_word_find("file|library", trmi_field_key(field)) < 0) return;
  const trmi_place place = trmi_text_place(text, 0);
  const char *name = trmi_sources_locate(&m->sources, text->text, place);
  if (name == NULL) return;
  text->text = name;
  text->length = strlen(name);
}

static void read_value(trm_model *m, const trmi_yaml *node, const trmi_field *field,
                       trmi_part *part) {
  void *member = (char *)part->def + field->offset;
  const int count = count_scalars(node);
  trmi_text *texts = TRMI_TAKE(&m->arena, trmi_text, count);
  double *numbers = field->store == TRMI_STORE_LIST ? TRMI_TAKE(&m->arena, double, count) : NULL;
  if (m->arena.failed) return;
  part->given[field - part->kind->fields] =
      (trmi_given){.is_given = count > 0, .place = node->key_place, .texts = texts,
                   .count = read_texts(node, texts), .rows = count_rows(node)};
  if (field->store == TRMI_STORE_LIST) {
    *(trm_numbers *)member = (trm_numbers){.list = numbers, .count = count};
  }
  const bool is_table = part->kind->group == TRMI_TABLES; /* its file is read with the model */
  for (int i = 0; field->store == TRMI_STORE_TEXTS && i < count && i < field->room; i++) {
    if (!is_table) find_file(m, field, &texts[i]);
    ((const char **)member)[i] = texts[i].text;
  }
}

static void read_keys(trm_model *m, const trmi_yaml *mapping,
                      const trmi_field *row, trmi_part *part);

/* All values of a part: a mapping of its keys, or a single value for one key. */
static void read_part(trm_model *m, const trmi_yaml *node, trmi_part *part) {
  const trmi_field *row = part->kind->fields;
  if (node->kind == TRMI_YAML_SCALAR && row->shorthand != NULL) {
    read_value(m, node, trmi_field_child(row, row->shorthand), part);
  } else if ((row->types & TRMI_IS_MAP) != 0) {
    read_keys(m, node, row, part);
  }
}

/* A marker or shape of a body, an assignment of an event. */
static void read_inner(trm_model *m, const trmi_yaml *node,
                       const trmi_kind *kind, const trmi_yaml *name, trmi_part *part) {
  trmi_part *inner = TRMI_TAKE(&m->arena, trmi_part, 1), **last = &part->inner;
  if (inner == NULL || kind == NULL || !trmi_part_make(inner, kind, &m->arena)) return;
  inner->key = (trmi_key){.name = name->key, .place = name->key_place};
  while (*last != NULL) last = &(*last)->next;
  *last = inner;
  read_part(m, node, inner);
}

/* Shapes are mappings with one key, their kind. */
static void read_shape(trm_model *m, const trmi_yaml *node,
                       trmi_part *part) {
  if (node->kind != TRMI_YAML_MAPPING || node->first == NULL) return;
  const trmi_yaml *kind = node->first;
  read_inner(m, kind, trmi_kind_find(TRMI_SHAPES, kind->key), node, part);
}

static void read_parts_of(trm_model *m, const trmi_yaml *node,
                          const trmi_field *field, trmi_part *part) {
  const bool is_single = (field->types & TRMI_IS_NAMES) == 0;
  if (is_single) read_shape(m, node, part);
  if (is_single || node->kind != TRMI_YAML_MAPPING) return;
  for (const trmi_yaml *entry = node->first; entry != NULL; entry = entry->next) {
    if (field->parts == TRMI_SHAPES) {
      read_shape(m, entry, part);
    } else {
      read_inner(m, entry, trmi_kind_at(field->parts, 0), entry, part);
    }
  }
}

/* All keys of a mapping; unknown keys have complaints already. */
static void read_keys(trm_model *m, const trmi_yaml *mapping,
                      const trmi_field *row, trmi_part *part) {
  if (mapping->kind != TRMI_YAML_MAPPING) return;
  for (const trmi_yaml *entry = mapping->first; entry != NULL && !m->arena.failed;
       entry = entry->next) {
    const trmi_field *field = trmi_field_child(row, entry->key);
    if (field == NULL) continue;
    if (field->parts != TRMI_NO_PARTS) {
      read_parts_of(m, entry, field, part);
    } else if (field->store != TRMI_STORE_NONE) {
      read_value(m, entry, field, part);
    } else if ((field->types & TRMI_IS_MAP) != 0) {
      part->given[field - part->kind->fields].is_given = true;
      part->given[field - part->kind->fields].place = entry->key_place;
      read_keys(m, entry, field, part);
    }
  }
}

/* Keys of a mapping that belong to the mechanism as a whole. */
static void read_whole(trm_model *m, trmi_part_group group, const trmi_yaml *mapping,
                       trmi_part *part) {
  const trmi_kind *kind = trmi_kind_at(group, 0);
  part->key = (trmi_key){.name = "the model", .place = m->root->place};
  if (!trmi_part_make(part, kind, &m->arena) || mapping == NULL) return;
  read_keys(m, mapping, kind->fields, part);
}

void trmi_model_parts(trm_model *m) {
  name_all(m);
  read_whole(m, TRMI_WORLDS, m->root, &m->def.world);
  read_whole(m, TRMI_ENERGIES, trmi_yaml_find(m->root, "equations"), &m->def.energies);
  for (int g = TRMI_BODIES; g < TRMI_PART_GROUPS; g++) {
    const trmi_yaml *mapping = trmi_model_section(m, (trmi_part_group)g);
    trmi_part *part = m->def.parts[g].list;
    if (mapping == NULL) continue;
    for (const trmi_yaml *e = mapping->first; e != NULL && part != NULL; e = e->next, part++) {
      if (part->kind == NULL || !trmi_part_make(part, part->kind, &m->arena)) continue;
      read_part(m, e, part);
    }
  }
}
