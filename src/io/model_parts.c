/* model_parts.c - bodies, beams, joints, motions and forces of the tree become lists of values.
 *
 * Nothing is interpreted: a value is its path below the part ("markers.end.at") and its texts.
 * Each part is walked twice, first to count, then to fill. */
#include "io/model_file.h"
#include <stdlib.h>
#include <string.h>

/* Where a walk is: the keys from the part down to a node. */
typedef struct trail {
  const struct trail *up; /* NULL: the part itself */
  const trmi_yaml    *node;
} trail;

/* Values of one part; the lists are NULL while they are counted. */
typedef struct filling {
  trm_model      *model;
  trmi_value_def *values;
  trmi_text      *texts;
  char           *letters; /* of paths */
  int             nvalues, ntexts;
  size_t          nletters;
} filling;

/* The sections of a model that hold parts, and where they go. */
typedef struct section {
  const char     *key;
  trmi_parts_def *parts;
} section;

enum { SECTIONS = 5 };

static void list_sections(trm_model *m, section list[SECTIONS]) {
  list[0] = (section){"bodies", &m->def.bodies};
  list[1] = (section){"beams", &m->def.beams};
  list[2] = (section){"joints", &m->def.joints};
  list[3] = (section){"motions", &m->def.motions};
  list[4] = (section){"forces", &m->def.actions};
}

/* ---- values ---------------------------------------------------------------------- */

/* "markers.end.at" of a trail: written backwards from its end. */
static const char *write_path(filling *f, const trail *at) {
  size_t length = 0;
  for (const trail *t = at; t->up != NULL; t = t->up) length += strlen(t->node->key) + 1;
  char *path = f->letters != NULL ? f->letters + f->nletters : NULL;
  f->nletters += length;
  if (path == NULL) return NULL;
  char *end = path + length;
  for (const trail *t = at; t->up != NULL; t = t->up) {
    const size_t n = strlen(t->node->key);
    *--end = t == at ? '\0' : '.';
    end -= n;
    memcpy(end, t->node->key, n);
  }
  return path;
}

/* The file a value names, relative to the file that names it. */
static void find_file(filling *f, const char *path, trmi_text *text) {
  const char *dot = strrchr(path, '.');
  const char *key = dot != NULL ? dot + 1 : path;
  if (trmi_schema_choice("file|library", key) < 0) return;
  trmi_sources *s = &f->model->sources;
  const trmi_place place = trmi_text_place(text, 0);
  const char *name = trmi_sources_locate(s, text->text, place);
  if (name == NULL) return;
  text->text = name;
  text->length = strlen(name);
}

static void add_text(filling *f, const trmi_yaml *node) {
  if (f->texts != NULL) f->texts[f->ntexts] = node->text;
  f->ntexts++;
}

/* All scalars of a scalar, a list or a list of lists. Others have a complaint and are left out. */
static void add_texts(filling *f, const trmi_yaml *node) {
  if (node->kind == TRMI_YAML_SCALAR && !trmi_yaml_is_missing(node)) add_text(f, node);
  if (node->kind != TRMI_YAML_SEQUENCE) return;
  for (const trmi_yaml *item = node->first; item != NULL; item = item->next) add_texts(f, item);
}

static int count_rows(const trmi_yaml *node) {
  if (node->kind != TRMI_YAML_SEQUENCE) return 0;
  const bool is_matrix = node->first != NULL && node->first->kind == TRMI_YAML_SEQUENCE;
  return is_matrix ? node->count : 1;
}

static void add_value(filling *f, const trail *at) {
  const int first = f->ntexts;
  const char *path = write_path(f, at);
  add_texts(f, at->node);
  if (f->values != NULL && path != NULL) {
    f->values[f->nvalues] = (trmi_value_def){
      .path = path, .place = at->node->key_place, .texts = f->texts + first,
      .count = f->ntexts - first, .rows = count_rows(at->node),
    };
    if (at->node->kind == TRMI_YAML_SCALAR && f->ntexts > first) {
      find_file(f, path, &f->texts[first]);
    }
  }
  f->nvalues++;
}

/* Everything below a node; mappings without entries are values without texts. */
static void walk(filling *f, const trail *at) {
  const trmi_yaml *node = at->node;
  const bool is_mapping = node->kind == TRMI_YAML_MAPPING;
  if (at->up != NULL && (!is_mapping || node->count == 0)) {
    add_value(f, at);
    return;
  }
  if (!is_mapping) return;
  for (const trmi_yaml *entry = node->first; entry != NULL; entry = entry->next) {
    walk(f, &(trail){.up = at, .node = entry});
  }
}

static trmi_part_def read_part(trm_model *m, const trmi_yaml *node) {
  filling f = {.model = m};
  const trail top = {.up = NULL, .node = node};
  walk(&f, &top);
  f.values = TRMI_TAKE(&m->arena, trmi_value_def, f.nvalues);
  f.texts = TRMI_TAKE(&m->arena, trmi_text, f.ntexts);
  f.letters = TRMI_TAKE(&m->arena, char, f.nletters);
  const trmi_key key = {.name = node->key, .place = node->key_place};
  if (m->arena.failed) return (trmi_part_def){.key = key};
  f.nvalues = f.ntexts = 0;
  f.nletters = 0;
  walk(&f, &top);
  return (trmi_part_def){.key = key, .values = f.values, .nvalues = f.nvalues};
}

static trmi_parts_def read_parts(trm_model *m, const trmi_yaml *mapping) {
  if (mapping == NULL || mapping->kind != TRMI_YAML_MAPPING) return (trmi_parts_def){.count = 0};
  trmi_part_def *list = TRMI_TAKE(&m->arena, trmi_part_def, mapping->count);
  if (list == NULL) return (trmi_parts_def){.count = 0};
  int n = 0;
  for (const trmi_yaml *e = mapping->first; e != NULL; e = e->next) list[n++] = read_part(m, e);
  return (trmi_parts_def){.list = list, .count = n};
}

/* Values at the top of the file that belong to the mechanism as a whole. */
static void read_settings(trm_model *m) {
  static const char *const keys[] = {"gravity"};
  trmi_yaml group = {.kind = TRMI_YAML_MAPPING, .key = "the model", .key_place = m->root->place};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const trmi_yaml *node = trmi_yaml_find(m->root, keys[i]);
    if (node == NULL) continue;
    trmi_yaml *copy = trmi_yaml_add(&group, node->key, node->key_place, node->kind, &m->arena);
    if (copy == NULL) return;
    *copy = *node;
    copy->next = NULL;
  }
  m->def.settings = read_part(m, &group);
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
  known_name *list; /* NULL while they are counted */
  int         count;
} name_list;

static void add_name(name_list *names, const trmi_key *key, bool is_part, bool is_parameter) {
  if (names->list != NULL) names->list[names->count] = (known_name){*key, is_part, is_parameter};
  names->count++;
}

static void add_named(name_list *names, const trmi_named_texts *texts, bool is_parameter) {
  for (int i = 0; i < texts->count; i++) add_name(names, &texts->list[i].key, false, is_parameter);
}

static void collect_names(trm_model *m, name_list *names) {
  section sections[SECTIONS];
  const trmi_definition *d = &m->def;
  list_sections(m, sections);
  for (int k = 0; k < SECTIONS; k++) {
    const trmi_parts_def *parts = sections[k].parts;
    for (int i = 0; i < parts->count; i++) add_name(names, &parts->list[i].key, true, false);
  }
  add_named(names, &d->parameters, true);
  for (int i = 0; i < d->ncoordinates; i++) add_name(names, &d->coordinates[i].key, false, false);
  add_named(names, &d->constraints, false);
  add_named(names, &d->nonholonomic, false);
  for (int i = 0; i < d->nstates; i++) add_name(names, &d->states[i].key, false, false);
  for (int i = 0; i < d->nvariables; i++) add_name(names, &d->variables[i].key, false, false);
  add_named(names, &d->discrete, false);
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
                    "the name '%.60s' is used twice; it stands first in line %d", text,
                    before->key.place.line);
    }
  }
  const known_name *part = dot != NULL ? find_part(names, text, (size_t)(dot - text)) : NULL;
  if (part == NULL) return;
  trmi_complain(&m->complaints, name->key.place,
                "'%.60s' would be a value of '%s' in line %d: choose another name", text,
                part->key.name, part->key.place.line);
}

/* Parts share one space of names with each other and with all that stands in expressions. */
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

/* Words that no name may be. */
static void check_words(trm_model *m, const trmi_yaml *names, const char *words, const char *why) {
  if (names == NULL || names->kind != TRMI_YAML_MAPPING) return;
  for (const trmi_yaml *e = names->first; e != NULL; e = e->next) {
    if (trmi_schema_choice(words, e->key) < 0) continue;
    trmi_complain(&m->complaints, e->key_place, "'%s' %s: choose another name", e->key, why);
  }
}

/* The ground may be named among the bodies, for its markers. */
static void check_ground(trm_model *m, const trmi_yaml *bodies) {
  const trmi_yaml *ground = trmi_yaml_find(bodies, "ground");
  if (ground == NULL || ground->kind != TRMI_YAML_MAPPING) return;
  for (const trmi_yaml *e = ground->first; e != NULL; e = e->next) {
    if (strcmp(e->key, "markers") == 0) continue;
    trmi_complain(&m->complaints, e->key_place,
                  "the ground does not move and has only markers, no '%.60s'", e->key);
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

void trmi_model_parts(trm_model *m) {
  section sections[SECTIONS];
  list_sections(m, sections);
  read_settings(m);
  for (int i = 0; i < SECTIONS; i++) {
    const trmi_yaml *mapping = trmi_yaml_find(m->root, sections[i].key);
    *sections[i].parts = read_parts(m, mapping);
    check_words(m, mapping, "time|pi|and|or|not|if", "has a meaning of its own in expressions");
    if (sections[i].parts == &m->def.bodies) check_ground(m, mapping);
    else check_words(m, mapping, "ground", "is the body that does not move");
  }
  check_markers(m);
  if (!m->arena.failed) check_names(m);
}

/* ---- numbers -------------------------------------------------------------------------- */

/* Every number below a node has its dimension and range; expressions are not looked at. */
static void check_numbers(trm_model *m, trmi_parameters *parameters, const trmi_schema_row *row,
                          const trmi_yaml *node) {
  const unsigned numbers = TRMI_IS_NUMBER | TRMI_IS_COUNT | TRMI_IS_NUMBERS | TRMI_IS_MATRIX;
  if (node->kind == TRMI_YAML_MAPPING) {
    for (const trmi_yaml *entry = node->first; entry != NULL; entry = entry->next) {
      const trmi_schema_row *child = trmi_schema_child(row, entry->key);
      if (child != NULL) check_numbers(m, parameters, child, entry);
    }
    return;
  }
  if ((row->types & numbers) == 0) return;
  if (node->kind == TRMI_YAML_SCALAR) {
    double number;
    const bool is_good = trmi_model_number(m, parameters, row, node, &number);
    (void)is_good; /* what is wrong with it has been said */
    return;
  }
  for (const trmi_yaml *item = node->first; item != NULL; item = item->next) {
    check_numbers(m, parameters, row, item);
  }
}

/* The same for all parts of a section; what is found names its part. */
static void check_section(trm_model *m, trmi_parameters *parameters, const char *key,
                          const char *word) {
  const trmi_yaml *node = trmi_yaml_find(m->root, key);
  const trmi_schema_row *row = trmi_schema_child(trmi_schema_at(0), key);
  if (node == NULL || node->kind != TRMI_YAML_MAPPING) return;
  for (const trmi_yaml *part = node->first; part != NULL; part = part->next) {
    const trmi_schema_row *child = trmi_schema_child(row, part->key);
    const int before = m->complaints.count;
    if (child != NULL) check_numbers(m, parameters, child, part);
    trmi_complaints_name(&m->complaints, before, word, part->key);
  }
}

void trmi_model_check_parts(trm_model *m, trmi_parameters *parameters) {
  const trmi_yaml *gravity = trmi_yaml_find(m->root, "gravity");
  const trmi_schema_row *row = trmi_schema_child(trmi_schema_at(0), "gravity");
  if (gravity != NULL) check_numbers(m, parameters, row, gravity);
  check_section(m, parameters, "bodies", "body");
  check_section(m, parameters, "beams", "beam");
  check_section(m, parameters, "joints", "joint");
  check_section(m, parameters, "motions", "motion");
  check_section(m, parameters, "forces", "force");
}
