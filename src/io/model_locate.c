/* model_locate.c - paths of files that a model names. */
#define _XOPEN_SOURCE 700 /* realpath; NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/model_source.h"
#include "io/plain_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Remove `./` and `x/../` from a path, so that a file has one name. */
static void tidy(char *path) {
  char *to = path;
  for (const char *part = path; *part != '\0';) {
    const size_t length = strcspn(part, "/");
    const bool has_slash = part[length] == '/';
    const bool is_here = length == 1 && part[0] == '.' && has_slash;
    const bool is_up = length == 2 && part[0] == '.' && part[1] == '.' && has_slash;
    char *last = to; /* the previous part, if it is a name */
    if (to > path + 1) {
      for (last = to - 1; last > path && last[-1] != '/';) last--;
    }
    const bool is_name = last < to && strncmp(last, "../", 3) != 0 && last[0] != '/';
    if (is_up && is_name) {
      to = last;
    } else if (!is_here) {
      memmove(to, part, length + (has_slash ? 1 : 0));
      to += length + (has_slash ? 1 : 0);
    }
    part += length + (has_slash ? 1 : 0);
  }
  *to = '\0';
}

const char *trmi_sources_relative(trmi_sources *s, const char *name, int from, trmi_place place) {
  if (name[0] == '\0' || strpbrk(name, "\r\n") != NULL) {
    trmi_complain(s->complaints, place, "this is not the name of a file");
    return NULL;
  }
  const char *base = s->list[from].name;
  char *path = trmi_path_join(s->arena, base, name[0] != '/' ? trmi_path_folder(base) : 0, name);
  if (path != NULL) tidy(path);
  return path;
}

/* Record a file, so that it is not overwritten. */
static const char *remember(trmi_sources *s, const char *path) {
  trmi_located *entry = TRMI_TAKE(s->arena, trmi_located, 1);
  if (entry == NULL) return NULL;
  *entry = (trmi_located){.path = path, .next = s->located};
  s->located = entry;
  return path;
}

/* The absolute folder of the model file: relative names are useless when the text of the model is
 * read later. */
static void find_origin(trmi_sources *s) {
  if (s->origin != NULL || s->folder == NULL) return;
  char *path = realpath(s->folder[0] != '\0' ? s->folder : ".", NULL);
  if (path != NULL && strpbrk(path, "\r\n") == NULL) {
    s->origin = trmi_path_join(s->arena, path, strlen(path), "");
  }
  free(path);
}

static bool is_readable(const char *path, const char **reason) {
  FILE *file = trmi_plain_file_open(path, reason);
  if (file != NULL) fclose(file);
  return file != NULL;
}

/* A file named in a text without files: in the former folder of the model, or otherwise in the
 * present one, to which it may have been moved with its run. */
static const char *locate_again(trmi_sources *s, const char *name) {
  const char *reason;
  if (!s->may_look || s->origin == NULL || name[0] == '/') return remember(s, name);
  char *folder = trmi_path_join(s->arena, s->origin, strlen(s->origin), "/");
  char *path = folder != NULL ? trmi_path_join(s->arena, folder, strlen(folder), name) : NULL;
  if (path == NULL) return NULL;
  const bool is_here = !is_readable(path, &reason) && is_readable(name, &reason);
  return remember(s, is_here ? name : path);
}

const char *trmi_sources_locate(trmi_sources *s, const char *name, trmi_place place) {
  name = trmi_sources_relative(s, name, place.file == s->set_file ? 0 : place.file, place);
  if (name == NULL) return NULL;
  if (s->folder == NULL) return locate_again(s, name);
  find_origin(s);
  const char *path =
      name[0] == '/' ? name : trmi_path_join(s->arena, s->folder, strlen(s->folder), name);
  if (path == NULL) return NULL;
  const char *reason;
  if (!is_readable(path, &reason)) {
    trmi_complain(s->complaints, place, "cannot read '%.150s': %s", path, reason);
    return NULL;
  }
  return remember(s, path);
}
