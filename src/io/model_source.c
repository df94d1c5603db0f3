/* model_source.c - load files, follow includes, bundle. */
#include "io/model_source.h"
#include "io/model_likeness.h"
#include "io/plain_file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char FILE_MARK[] = "#-- file: ", SET_MARK[] = "#-- set: ",
                  FOLDER_MARK[] = "#-- folder: ";

/* ---- texts ------------------------------------------------------------------ */

static const char *copy_text(trmi_arena *arena, const char *text, size_t length) {
  char *copy = TRMI_TAKE(arena, char, length + 1);
  if (copy != NULL && length > 0) memcpy(copy, text, length);
  return copy;
}

char *trmi_path_join(trmi_arena *arena, const char *a, size_t length, const char *b) {
  char *text = TRMI_TAKE(arena, char, length + strlen(b) + 1);
  if (text == NULL) return NULL;
  memcpy(text, a, length);
  memcpy(text + length, b, strlen(b) + 1);
  return text;
}

size_t trmi_path_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static bool begins(const char *text, size_t length, const char *mark) {
  const size_t n = strlen(mark);
  return length >= n && memcmp(text, mark, n) == 0;
}

static size_t line_length(const char *text, size_t length) {
  const char *end = memchr(text, '\n', length);
  return end != NULL ? (size_t)(end - text) : length;
}

/* ---- files ------------------------------------------------------------------- */

/* Read a file of at most 16 MB. Returns NULL and a reason on failure. */
static const char *load(trmi_arena *arena, const char *path, size_t *length, const char **reason) {
  FILE *file = trmi_plain_file_open(path, reason);
  if (file == NULL) return NULL;
  trmi_buffer buffer;
  trmi_buffer_init(&buffer, &arena->allocator);
  char block[65536];
  size_t got;
  errno = 0;
  while (buffer.used <= TRMI_YAML_BYTES_MAX && (got = fread(block, 1, sizeof block, file)) > 0) {
    trmi_buffer_add(&buffer, block, got);
  }
  const char *text = NULL;
  if (ferror(file) != 0) {
    *reason = errno != 0 ? strerror(errno) : "read error";
  } else if (buffer.used > TRMI_YAML_BYTES_MAX) {
    *reason = "it has more than 16 MB";
  } else {
    *length = buffer.used;
    *reason = "out of memory";
    if (!buffer.failed) text = copy_text(arena, buffer.data != NULL ? buffer.data : "", *length);
  }
  trmi_buffer_free(&buffer);
  fclose(file);
  return text;
}

/* Lines of a file must not look like marks of a bundle. */
static void check_marks(trmi_sources *s, int number) {
  const trmi_source *source = &s->list[number];
  int line = 1;
  for (size_t p = 0; p < source->length; line++) {
    const char *text = source->text + p;
    const size_t left = source->length - p;
    if (begins(text, left, FILE_MARK) || begins(text, left, SET_MARK) ||
        begins(text, left, FOLDER_MARK)) {
      trmi_complain(s->complaints, (trmi_place){.file = number, .line = line, .column = 1},
                    "a comment cannot begin with '%.9s'", text);
      return;
    }
    p += line_length(text, left) + 1;
  }
}

trm_status trmi_sources_open_file(trmi_sources *s, const char *path, trm_error *err) {
  const char *reason;
  size_t length = 0;
  const char *text = load(s->arena, path, &length, &reason);
  TRMI_TRY(err, trmi_arena_check(s->arena, err));
  if (text == NULL) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot read '%.250s': %s", path, reason);
  }
  const size_t folder = trmi_path_folder(path);
  s->folder = copy_text(s->arena, path, folder);
  s->list[0] = (trmi_source){.name = copy_text(s->arena, path + folder, strlen(path + folder)),
                             .shown = copy_text(s->arena, path, strlen(path)),
                             .text = text, .length = length};
  s->count = 1;
  s->set_file = -1;
  check_marks(s, 0);
  return trmi_arena_check(s->arena, err);
}

/* ---- bundles ------------------------------------------------------------------ */

static void split_setting(trmi_sources *s, const char *line, size_t length) {
  const char *equals = memchr(line, '=', length);
  if (equals == NULL || s->nsettings == TRMI_SETTINGS_MAX) return;
  const size_t name = (size_t)(equals - line);
  s->settings[s->nsettings++] = (trm_setting){
    .name = copy_text(s->arena, line, name),
    .value = copy_text(s->arena, equals + 1, length - name - 1),
  };
}

trm_status trmi_sources_open_text(trmi_sources *s, const char *text, size_t length,
                                  const char *shown, trm_error *err) {
  trmi_source *part = &s->list[0];
  size_t from = 0;
  *part = (trmi_source){.name = "", .shown = copy_text(s->arena, shown, strlen(shown))};
  s->count = 1;
  s->set_file = -1;
  for (size_t p = 0; p <= length;) {
    const size_t n = line_length(text + p, length - p), left = length - p;
    const bool is_file = begins(text + p, left, FILE_MARK);
    const bool is_set = begins(text + p, left, SET_MARK);
    const bool is_folder = begins(text + p, left, FOLDER_MARK);
    if (is_file || is_set || is_folder || p == length) {
      if (part != NULL) {
        part->length = p - from;
        part->text = copy_text(s->arena, text + from, part->length);
      }
      part = NULL;
    }
    if (p == length) break;
    if (is_file && s->nbundle < TRMI_SOURCES_MAX) {
      part = &s->bundle[s->nbundle++];
      part->name = copy_text(s->arena, text + p + strlen(FILE_MARK), n - strlen(FILE_MARK));
      part->shown = part->name;
      from = p + n < length ? p + n + 1 : length;
    }
    if (is_set) split_setting(s, text + p + strlen(SET_MARK), n - strlen(SET_MARK));
    if (is_folder) {
      s->origin = copy_text(s->arena, text + p + strlen(FOLDER_MARK), n - strlen(FOLDER_MARK));
    }
    p = p + n < length ? p + n + 1 : length;
  }
  return trmi_arena_check(s->arena, err);
}

trm_status trmi_sources_add_settings(trmi_sources *s, const trm_setting *settings, int count,
                                     trm_error *err) {
  if (count > 0) TRMI_NEED(err, settings);
  for (int i = 0; i < count; i++) {
    TRMI_NEED(err, settings[i].name, settings[i].value);
    if (s->nsettings == TRMI_SETTINGS_MAX) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, "--set", "more than %d settings", TRMI_SETTINGS_MAX);
    }
    const char *name = settings[i].name, *value = settings[i].value;
    if (strpbrk(name, "\r\n") != NULL || strpbrk(value, "\r\n") != NULL) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, "--set", "'%.60s': a value has only one line", name);
    }
    s->settings[s->nsettings++] = (trm_setting){
      .name = copy_text(s->arena, name, strlen(name)),
      .value = copy_text(s->arena, value, strlen(value)),
    };
  }
  return trmi_arena_check(s->arena, err);
}

static void end_line(trmi_buffer *buffer) {
  if (buffer->used > 0 && buffer->data[buffer->used - 1] != '\n') trmi_buffer_text(buffer, "\n");
}

void trmi_sources_text(const trmi_sources *s, trmi_buffer *buffer) {
  for (int i = 0; i < s->count; i++) {
    const trmi_source *source = &s->list[i];
    if (i == s->set_file) continue;
    if (i > 0) {
      end_line(buffer);
      trmi_buffer_text(buffer, FILE_MARK);
      trmi_buffer_text(buffer, source->name);
      trmi_buffer_text(buffer, "\n");
    }
    trmi_buffer_add(buffer, source->text, source->length);
  }
  if (s->located != NULL && s->origin != NULL) {
    end_line(buffer);
    trmi_buffer_text(buffer, FOLDER_MARK);
    trmi_buffer_text(buffer, s->origin);
    trmi_buffer_text(buffer, "\n");
  }
  for (int i = 0; i < s->nsettings; i++) {
    end_line(buffer);
    trmi_buffer_text(buffer, SET_MARK);
    trmi_buffer_text(buffer, s->settings[i].name);
    trmi_buffer_text(buffer, "=");
    trmi_buffer_text(buffer, s->settings[i].value);
    trmi_buffer_text(buffer, "\n");
  }
}

/* ---- further files -------------------------------------------------------------- */

static int add_source(trmi_sources *s, const trmi_source *source) {
  s->list[s->count] = *source;
  return s->count++;
}

static int read_bundle(trmi_sources *s, const char *name, trmi_place place) {
  for (int i = 0; i < s->nbundle; i++) {
    if (strcmp(s->bundle[i].name, name) == 0) return add_source(s, &s->bundle[i]);
  }
  trmi_complain(s->complaints, place, "cannot read '%.150s': a model given as a text has no files",
                name);
  s->has_missing = true;
  return -1;
}

static int read_disk(trmi_sources *s, const char *name, trmi_place place) {
  const bool is_absolute = name[0] == '/';
  const char *path =
      is_absolute ? name : trmi_path_join(s->arena, s->folder, strlen(s->folder), name);
  if (path == NULL) return -1;
  const char *reason;
  trmi_source source = {.name = name, .shown = path};
  source.text = load(s->arena, path, &source.length, &reason);
  if (s->arena->failed) return -1;
  if (source.text == NULL) {
    trmi_complain(s->complaints, place, "cannot read '%.150s': %s", path, reason);
    s->has_missing = true;
    return -1;
  }
  const int number = add_source(s, &source);
  check_marks(s, number);
  return number;
}

int trmi_sources_find(trmi_sources *s, const char *name, int from, trmi_place place) {
  name = trmi_sources_relative(s, name, from, place);
  if (name == NULL) return -1;
  for (int i = 0; i < s->count; i++) {
    if (strcmp(s->list[i].name, name) == 0) return i;
  }
  if (s->count >= TRMI_SOURCES_MAX - 1) { /* one is reserved for --set */
    trmi_complain(s->complaints, place, "a model has at most %d files", TRMI_SOURCES_MAX - 1);
    return -1;
  }
  return s->folder != NULL ? read_disk(s, name, place) : read_bundle(s, name, place);
}

/* ---- merging ----------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b) {
  return strcmp((*(trmi_yaml *const *)a)->key, (*(trmi_yaml *const *)b)->key);
}

static trmi_yaml **sorted_entries(trmi_arena *arena, const trmi_yaml *mapping) {
  trmi_yaml **list = TRMI_TAKE(arena, trmi_yaml *, mapping->count);
  if (list == NULL) return NULL;
  int n = 0;
  for (trmi_yaml *entry = mapping->first; entry != NULL; entry = entry->next) list[n++] = entry;
  qsort(list, (size_t)n, sizeof *list, compare_keys);
  return list;
}

/* How two files are joined. */
typedef enum joining {
  JOIN_EQUALS,   /* two included files: a value in both is an error                       */
  JOIN_INCLUDER  /* values of the including file replace those of the included one */
} joining;

/* Add the entries of `from` to `into`; both are mappings. */
static void merge(trmi_sources *s, trmi_yaml *into, trmi_yaml *from, bool is_root, joining how) {
  const int known = into->count;
  trmi_yaml **list = sorted_entries(s->arena, into);
  if (list == NULL) return;
  for (trmi_yaml *entry = from->first, *next; entry != NULL; entry = next) {
    next = entry->next;
    trmi_yaml **found = bsearch(&entry, list, (size_t)known, sizeof *list, compare_keys);
    if (found == NULL) {
      entry->next = NULL;
      if (into->last != NULL) {
        into->last->next = entry;
      } else {
        into->first = entry;
      }
      into->last = entry;
      into->count++;
      continue;
    }
    trmi_yaml *old = *found;
    const bool is_head = strcmp(entry->key, "trammel") == 0 || strcmp(entry->key, "name") == 0 ||
                         strcmp(entry->key, "summary") == 0 || strcmp(entry->key, "include") == 0;
    const bool is_replaced = (is_root && is_head) || trmi_yaml_is_missing(old) ||
                             (how == JOIN_INCLUDER && !trmi_yaml_is_missing(entry));
    if (old->kind == TRMI_YAML_MAPPING && entry->kind == TRMI_YAML_MAPPING) {
      merge(s, old, entry, false, how);
    } else if (is_replaced) {
      trmi_yaml *after = old->next;
      *old = *entry;
      old->next = after;
    } else if (!trmi_yaml_is_missing(entry)) {
      trmi_complain(s->complaints, entry->key_place, "'%.60s' is already in '%.100s', line %d",
                    entry->key, s->list[old->key_place.file].shown, old->key_place.line);
    }
  }
}

/* ---- trees ---------------------------------------------------------------------------- */

/* Files being read, outermost first. */
typedef struct chain {
  int numbers[TRMI_INCLUDE_DEPTH_MAX];
  int count;
} chain;

static trm_status read_tree(trmi_sources *s, int number, chain *open, trmi_yaml **root,
                            trm_error *err);

/* "a.yaml -> b.yaml -> a.yaml" */
static void complain_cycle(trmi_sources *s, const chain *open, int number, trmi_place place) {
  char names[240];
  size_t used = 0;
  for (int i = 0; i <= open->count && used < sizeof names; i++) {
    const int k = i < open->count ? open->numbers[i] : number;
    const int more = snprintf(names + used, sizeof names - used, "%s%.60s", i > 0 ? " -> " : "",
                              s->list[k].shown);
    used += (size_t)more;
  }
  trmi_complain(s->complaints, place, "files include each other: %s", names);
}

static trm_status include(trmi_sources *s, const trmi_yaml *name, int from, chain *open,
                          trmi_yaml *into, trm_error *err) {
  if (name->kind != TRMI_YAML_SCALAR) {
    trmi_complain(s->complaints, name->place, "include: the name of a file is expected here");
    return TRM_OK;
  }
  const int before = s->count;
  const int number = trmi_sources_find(s, name->text.text, from, name->place);
  TRMI_TRY(err, trmi_arena_check(s->arena, err));
  if (number < 0) return TRM_OK;
  for (int i = 0; i < open->count; i++) {
    if (open->numbers[i] != number) continue;
    complain_cycle(s, open, number, name->place);
    return TRM_OK;
  }
  if (number < before) return TRM_OK; /* already included elsewhere */
  if (!trmi_is_like_a_model(s->list[number].text, s->list[number].length)) {
    trmi_complain(s->complaints, name->place, "'%.150s' cannot be included: it has none of the "
                  "keys of a model file", s->list[number].shown);
    return TRM_OK;
  }
  if (open->count == TRMI_INCLUDE_DEPTH_MAX) {
    trmi_complain(s->complaints, name->place, "files include files more than %d deep",
                  TRMI_INCLUDE_DEPTH_MAX);
    return TRM_OK;
  }
  trmi_yaml *root;
  TRMI_TRY(err, read_tree(s, number, open, &root, err));
  if (root != NULL) merge(s, into, root, true, JOIN_EQUALS);
  return trmi_arena_check(s->arena, err);
}

static bool check_version(trmi_sources *s, const trmi_yaml *root, int number) {
  const trmi_yaml *version = trmi_yaml_find(root, "trammel");
  if (number == 0 && (version == NULL || root->first != version)) {
    trmi_complain(s->complaints, root->first != NULL ? root->first->key_place : root->place,
                  "a model file begins with 'trammel: 1'");
    return version != NULL;
  }
  if (version == NULL) return true;
  if (version->kind == TRMI_YAML_SCALAR && strcmp(version->text.text, "1") == 0) return true;
  trmi_complain(s->complaints, version->place,
                "'%.20s' is not a version of model files that this program reads: it reads version "
                "1",
                version->kind == TRMI_YAML_SCALAR ? version->text.text : "..");
  return false;
}

static trm_status read_tree(trmi_sources *s, int number, chain *open, trmi_yaml **root,
                            trm_error *err) {
  const trmi_source *source = &s->list[number];
  const trmi_yaml_source text = {.file = number, .text = source->text, .length = source->length};
  const int faults = s->complaints->count;
  trmi_yaml *own;
  *root = NULL;
  TRMI_TRY(err, trmi_yaml_read(&text, s->arena, s->complaints, &own, err));
  if (s->complaints->count > faults) return TRM_OK;
  const trmi_place start = {.file = number, .line = 1, .column = 1};
  if (own == NULL || (own->kind == TRMI_YAML_SCALAR && trmi_yaml_is_missing(own))) {
    trmi_complain(s->complaints, start, "the file is empty");
    return TRM_OK;
  }
  if (own->kind != TRMI_YAML_MAPPING) {
    trmi_complain(s->complaints, own->place, "a model file begins with 'trammel: 1'");
    return TRM_OK;
  }
  if (!check_version(s, own, number)) return TRM_OK;

  trmi_yaml *names = trmi_yaml_find(own, "include");
  *root = own;
  if (names == NULL || trmi_yaml_is_missing(names)) return TRM_OK;
  trmi_yaml *all = TRMI_TAKE(s->arena, trmi_yaml, 1);
  if (all == NULL) return trmi_arena_check(s->arena, err);
  *all = (trmi_yaml){.kind = TRMI_YAML_MAPPING, .place = own->place};
  open->numbers[open->count++] = number;
  if (names->kind == TRMI_YAML_SEQUENCE) {
    for (const trmi_yaml *name = names->first; name != NULL; name = name->next) {
      TRMI_TRY(err, include(s, name, number, open, all, err));
    }
  } else {
    TRMI_TRY(err, include(s, names, number, open, all, err));
  }
  open->count--;
  merge(s, all, own, true, JOIN_INCLUDER);
  *root = all;
  return trmi_arena_check(s->arena, err);
}

trm_status trmi_sources_tree(trmi_sources *s, trmi_yaml **root, trm_error *err) {
  chain open = {.count = 0};
  TRMI_TRY(err, read_tree(s, 0, &open, root, err));
  return TRM_OK;
}
