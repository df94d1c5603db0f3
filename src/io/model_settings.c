/* model_settings.c - settings replace scalars and lists of the tree by their path.
 *
 * `equations.coordinates.x.value` names a scalar; a name without dot is a parameter, or else a key
 * of the model. A list is given in brackets, or one of its numbers by `gravity.3`. Keys of the
 * table that are missing in the file are added; names of the user are not, except new outputs and
 * measures. */
#include "trammel/nearest.h"
#include "io/model_source.h"
#include "io/schema.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATHS_MAX = 5000 }; /* paths compared with an unknown one */

/* Position reached by a path. */
typedef struct spot {
  trmi_yaml             *node;
  const trmi_field *row;
  const char            *rest; /* of the path, "" at the end */
} spot;

/* ---- following a path ---------------------------------------------------------- */

/* Does the path go through this key? Letters used, or 0. */
static size_t match(const char *path, const char *key) {
  const size_t n = strlen(key);
  if (n == 0 || strncmp(path, key, n) != 0) return 0;
  return path[n] == '\0' ? n : path[n] == '.' ? n + 1 : 0;
}

/* The entry the path names, with the longest key: names may have dots. */
static trmi_yaml *find_entry(const trmi_yaml *mapping, const char *path, size_t *used) {
  trmi_yaml *best = NULL;
  *used = 0;
  for (trmi_yaml *entry = mapping->first; entry != NULL; entry = entry->next) {
    const size_t n = match(path, entry->key);
    if (n <= *used) continue;
    best = entry;
    *used = n;
  }
  return best;
}

static trmi_yaml *find_item(const trmi_yaml *list, const char *path, size_t *used) {
  char *end;
  const long number = strtol(path, &end, 10);
  *used = (size_t)(end - path) + (*end == '.' ? 1 : 0);
  if (end == path || number < 1 || (*end != '\0' && *end != '.')) return NULL;
  trmi_yaml *item = list->first;
  for (long i = 1; i < number && item != NULL; i++) item = item->next;
  return item;
}

/* A scalar that is a shorthand for one key of a mapping becomes that mapping. */
static bool unfold(spot *at, trmi_arena *arena) {
  trmi_yaml *node = at->node;
  const trmi_yaml old = *node;
  node->kind = TRMI_YAML_MAPPING;
  node->first = node->last = NULL;
  node->count = 0;
  if (trmi_yaml_is_missing(&old)) return true;
  trmi_yaml *entry = trmi_yaml_add(node, at->row->shorthand, old.place, TRMI_YAML_SCALAR, arena);
  if (entry == NULL) return false;
  entry->text = old.text;
  entry->is_quoted = old.is_quoted;
  return true;
}

/* May a setting add a name to this section? */
static bool takes_names(const trmi_field *row) {
  return trmi_word_find("outputs|measures", row->path) >= 0;
}

/* A new output or measure: the rest of the path is its name. */
static trmi_yaml *add_name(const spot *at, trmi_place place, trmi_arena *arena, size_t *used) {
  if (!takes_names(at->row) || at->node->kind != TRMI_YAML_MAPPING) return NULL;
  *used = strlen(at->rest);
  char *key = TRMI_TAKE(arena, char, *used + 1);
  if (key == NULL) return NULL;
  memcpy(key, at->rest, *used);
  return trmi_yaml_add(at->node, key, place, TRMI_YAML_SCALAR, arena);
}

/* Add a key of the table that the file does not have. */
static trmi_yaml *add_known(const spot *at, trmi_place place, trmi_arena *arena, size_t *used) {
  if ((at->row->types & TRMI_IS_MAP) == 0) return NULL;
  const trmi_field *child;
  for (int i = 0; (child = trmi_field_child_at(at->row, i)) != NULL; i++) {
    const char *key = trmi_field_key(child);
    *used = match(at->rest, key);
    if (*used == 0) continue;
    const bool is_end = at->rest[*used] == '\0';
    if (!is_end && (child->types & TRMI_IS_MAP) == 0 && !takes_names(child)) return NULL;
    return trmi_yaml_add(at->node, key, place, is_end ? TRMI_YAML_SCALAR : TRMI_YAML_MAPPING,
                         arena);
  }
  return NULL;
}

/* One step along the path. */
static bool step(spot *at, trmi_place place, trmi_arena *arena) {
  size_t used = 0;
  trmi_yaml *next = NULL;
  if (at->node->kind == TRMI_YAML_SEQUENCE) {
    next = find_item(at->node, at->rest, &used);
    if (next == NULL) return false;
    *at = (spot){.node = next, .row = at->row, .rest = at->rest + used};
    return true;
  }
  const bool is_empty = trmi_yaml_is_missing(at->node);
  const bool has_keys = (at->row->types & TRMI_IS_MAP) != 0;
  const bool can_unfold = (at->row->shorthand != NULL && has_keys) || is_empty;
  if (at->node->kind == TRMI_YAML_SCALAR) {
    if (!can_unfold || !unfold(at, arena)) return false;
  }
  next = find_entry(at->node, at->rest, &used);
  if (next == NULL) next = add_known(at, place, arena, &used);
  if (next == NULL) next = add_name(at, place, arena, &used);
  if (next == NULL) return false;
  const trmi_field *row = trmi_schema_below(at->row, next);
  if (row == NULL) return false;
  *at = (spot){.node = next, .row = row, .rest = at->rest + used};
  return true;
}

/* ---- paths that do not exist ------------------------------------------------------ */

typedef struct path_list {
  const char **list;
  int          count;
  trmi_arena  *arena;
  char         path[256];
} path_list;

static void collect(path_list *paths, const trmi_yaml *node) {
  if (paths->count == PATHS_MAX) return;
  const size_t length = strlen(paths->path);
  if (node->kind == TRMI_YAML_SCALAR) {
    char *copy = TRMI_TAKE(paths->arena, char, length + 1);
    if (copy == NULL) return;
    memcpy(copy, paths->path, length);
    paths->list[paths->count++] = copy;
  }
  if (node->kind != TRMI_YAML_MAPPING) return;
  for (const trmi_yaml *entry = node->first; entry != NULL; entry = entry->next) {
    snprintf(paths->path + length, sizeof paths->path - length, "%s%.100s", length > 0 ? "." : "",
             entry->key);
    collect(paths, entry);
    paths->path[length] = '\0';
  }
}

static const char *path_at(const void *list, int i) {
  return ((const char *const *)list)[i];
}

/* The section with a part of the name that a path begins with, "arm.mass"; NULL: none. */
static const char *find_section(const trmi_yaml *root, const char *path) {
  if (root->kind != TRMI_YAML_MAPPING) return NULL;
  for (const trmi_yaml *section = root->first; section != NULL; section = section->next) {
    if (section->kind != TRMI_YAML_MAPPING) continue;
    size_t used = 0;
    if (find_entry(section, path, &used) != NULL) return section->key;
  }
  return NULL;
}

/* The first path that ends with a name: "bodies.arm.mass" for "mass"; NULL: none. */
static const char *find_ending(const path_list *paths, const char *name) {
  const size_t n = strlen(name);
  for (int i = 0; i < paths->count; i++) {
    const size_t length = strlen(paths->list[i]);
    if (length <= n || paths->list[i][length - n - 1] != '.') continue;
    if (strcmp(paths->list[i] + length - n, name) == 0) return paths->list[i];
  }
  return NULL;
}

/* Possible meaning of a path without its section, or of only a name. False: none. */
static bool suggest_section(trmi_sources *s, const trmi_yaml *root, path_list *paths,
                            const char *name, trmi_place place) {
  const bool is_path = strchr(name, '.') != NULL;
  const char *section = find_section(root, name);
  if (section != NULL && strcmp(section, "inputs") == 0 && !is_path) {
    trmi_complain(s->complaints, place, "'%.80s' is an input, not a parameter: it is set by "
                  "--input %.80s=VALUE", name, name);
    return true;
  }
  if (section != NULL) {
    trmi_complain(s->complaints, place, is_path ? "the model has no value '%.80s'; did you mean "
                  "'%.40s.%.80s'?" : "the model has no parameter '%.80s'; values of this part are "
                  "'%.40s.%.80s.KEY'", name, section, name);
    return true;
  }
  if (is_path) return false;
  collect(paths, root);
  const char *ending = find_ending(paths, name);
  if (ending == NULL) return false;
  trmi_complain(s->complaints, place, "the model has no parameter '%.80s'; did you mean '%.80s'?",
                name, ending);
  return true;
}

static void complain_unknown(trmi_sources *s, const trmi_yaml *root, const char *name,
                             trmi_place place) {
  if (strchr(name, '[') != NULL) {
    trmi_complain(s->complaints, place, "the model has no value '%.80s'; numbers of a list are "
                  "counted from 1 and follow a dot: gravity.3, forces.strut.points.2.1", name);
    return;
  }
  if (s->complaints->count >= TRMI_COMPLAINTS_MAX) { /* will not be shown: skip the search */
    trmi_complain(s->complaints, place, "the model has no value '%.80s'", name);
    return;
  }
  path_list *paths = TRMI_TAKE(s->arena, path_list, 1);
  const char **list = TRMI_TAKE(s->arena, const char *, PATHS_MAX);
  if (s->arena->failed) return;
  *paths = (path_list){.list = list, .arena = s->arena};
  const trmi_yaml *parameters = trmi_yaml_find(root, "parameters");
  const bool is_parameter = strchr(name, '.') == NULL;
  if (!is_parameter) {
    collect(paths, root);
  } else if (parameters != NULL) {
    collect(paths, parameters);
  }
  const char *nearest = trm_nearest_close(name, list, paths->count, path_at);
  if (nearest[0] == '\0' && suggest_section(s, root, paths, name, place)) return;
  const char *what = is_parameter ? "parameter" : "value";
  if (nearest[0] == '\0') {
    trmi_complain(s->complaints, place, "the model has no %s '%.80s'", what, name);
  } else {
    trmi_complain(s->complaints, place, "the model has no %s '%.80s'; did you mean '%.80s'?", what,
                  name, nearest);
  }
}

/* ---- settings ------------------------------------------------------------------------ */

/* The value with blanks before it, so that its letters keep their place. */
static const char *padded(const char *value, trmi_place place, trmi_arena *arena) {
  const size_t lines = (size_t)(place.line - 1), blanks = (size_t)(place.column - 1);
  char *text = TRMI_TAKE(arena, char, lines + blanks + strlen(value) + 1);
  if (text == NULL) return NULL;
  memset(text, '\n', lines);
  memset(text + lines, ' ', blanks);
  memcpy(text + lines + blanks, value, strlen(value));
  return text;
}

/* A list in brackets replaces a node. */
static void set_list(trmi_sources *s, trmi_yaml *node, const char *value, trmi_place place) {
  trm_error err; /* only for memory, which the arena reports later */
  trmi_yaml *list = NULL;
  const char *end = value + strlen(value);
  while (end[-1] == ' ') end--; /* it begins with a bracket */
  if (end[-1] != ']') {
    trmi_complain(s->complaints, place, "this '[' is never closed");
    return;
  }
  const char *text = padded(value, place, s->arena);
  if (text == NULL) return;
  const trmi_yaml_source source = {.file = s->set_file, .text = text, .length = strlen(text)};
  const int before = s->complaints->count;
  if (trmi_yaml_read(&source, s->arena, s->complaints, &list, &err) != TRM_OK) {
    s->arena->failed = true;
  }
  if (s->arena->failed || s->complaints->count > before || list == NULL) return;
  node->kind = list->kind;
  node->place = list->place;
  node->text = list->text;
  node->first = list->first, node->last = list->last, node->count = list->count;
}

static void apply(trmi_sources *s, trmi_yaml *root, const trm_setting *setting, int number) {
  trmi_place place = {.file = s->set_file, .line = number, .column = 1};
  spot at = {.node = root, .row = trmi_schema_at(0), .rest = setting->name};
  trmi_yaml *parameters = trmi_yaml_find(root, "parameters");
  const bool has_parameter = trmi_yaml_find(parameters, setting->name) != NULL;
  const bool is_key = trmi_field_child(at.row, setting->name) != NULL;
  if (has_parameter || (strchr(setting->name, '.') == NULL && !is_key)) {
    at = (spot){.node = parameters, .row = trmi_field_child(at.row, "parameters"),
                .rest = setting->name};
  }
  bool is_found = at.node != NULL;
  while (is_found && at.rest[0] != '\0') is_found = step(&at, place, s->arena);
  if (!is_found) {
    complain_unknown(s, root, setting->name, place);
    return;
  }
  if (at.node->kind == TRMI_YAML_MAPPING && at.row->shorthand != NULL) {
    at.rest = at.row->shorthand;
    if (!step(&at, place, s->arena)) return; /* out of memory */
  }
  const unsigned groups = TRMI_IS_MAP | TRMI_IS_NAMES;
  if (at.node->kind != TRMI_YAML_SCALAR && (at.row->types & groups) != 0) {
    trmi_complain(s->complaints, place, "'%.80s' is not a single value", setting->name);
    return;
  }
  place.column = (int)strlen(setting->name) + 2;
  if (setting->value[0] == '[') {
    set_list(s, at.node, setting->value, place);
    return;
  }
  trmi_yaml_set(at.node, setting->value, strlen(setting->value), place, s->arena);
}

void trmi_sources_apply_settings(trmi_sources *s, trmi_yaml *root) {
  if (s->nsettings == 0) return;
  s->set_file = s->count;
  s->list[s->count++] = (trmi_source){.name = "--set", .shown = "--set", .text = ""};
  for (int i = 0; i < s->nsettings && !s->arena->failed; i++) {
    apply(s, root, &s->settings[i], i + 1);
  }
}
