/* read_shapes.c - mass, centre and inertia of a body from its density and its shapes. */
#include "body/mesh_file.h"
#include "mechanism/mechanism.h"
#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 200 };

/* One shape of a body: its values have paths that begin with `prefix`, "shapes.rim.cylinder". */
typedef struct shape {
  trmi_mechanism      *m;
  const trmi_part_def *part;
  char                 prefix[PATH_BYTES];
} shape;

static bool read_numbers(const shape *s, const char *key, int count, double *out) {
  char path[PATH_BYTES + 40];
  snprintf(path, sizeof path, "%s.%s", s->prefix, key);
  return trmi_part_numbers(s->m->parameters, s->part, path, "m", count, out);
}

static bool read_vector(const shape *s, const char *key, trmi_vec3 *out) {
  double x[3];
  if (!read_numbers(s, key, 3, x)) return false;
  *out = v3_load(x);
  return true;
}

static bool complain(const shape *s, const char *sentence) {
  trmi_place place = s->part->key.place;
  for (int i = 0; i < s->part->nvalues; i++) {
    const trmi_value_def *value = &s->part->values[i];
    if (strncmp(value->path, s->prefix, strlen(s->prefix)) != 0) continue;
    place = value->place;
    break;
  }
  trmi_complain(s->m->complaints, place, "body '%.60s': %s", s->part->key.name, sentence);
  return false;
}

static bool read_box(const shape *s, trmi_volume *out) {
  trmi_vec3 size, at = {0, 0, 0};
  read_vector(s, "at", &at);
  if (!read_vector(s, "size", &size)) return false;
  *out = trmi_volume_box(size, at);
  return true;
}

static bool read_sphere(const shape *s, trmi_volume *out) {
  trmi_vec3 at = {0, 0, 0};
  double radius;
  read_vector(s, "at", &at);
  if (!read_numbers(s, "radius", 1, &radius)) return false;
  *out = trmi_volume_sphere(at, radius);
  return true;
}

static bool read_round(const shape *s, bool is_capsule, trmi_volume *out) {
  trmi_vec3 from, to;
  double radius;
  if (!read_vector(s, "from", &from) || !read_vector(s, "to", &to) ||
      !read_numbers(s, "radius", 1, &radius)) {
    return false;
  }
  *out = is_capsule ? trmi_volume_capsule(from, to, radius)
                    : trmi_volume_cylinder(from, to, radius);
  return out->volume > 0.0 ? true : complain(s, "its cylinder has no length");
}

/* The ending .obj makes it an OBJ file, all others are STL. */
static bool load_mesh(const shape *s, const char *path, trmi_arena *arena, trmi_mesh *mesh,
                      char fault[TRMI_MESH_FAULT]) {
  const trmi_loader *loader = s->m->def->loader;
  char reason[TRMI_LOADER_FAULT] = "this program reads no files";
  const size_t n = strlen(path);
  const bool is_obj = n > 4 && strcmp(path + n - 4, ".obj") == 0;
  trmi_buffer content;
  trmi_buffer_init(&content, &arena->allocator);
  bool is_good = loader != NULL && loader->read_file(path, &content, reason);
  trmi_buffer_add(&content, "", 1); /* an empty file is a text, too */
  if (content.failed) arena->failed = true;
  if (!is_good) snprintf(fault, TRMI_MESH_FAULT, "%.*s", TRMI_MESH_FAULT - 1, reason);
  is_good = is_good && !content.failed &&
            trmi_mesh_parse(content.data, content.used - 1, is_obj, arena, mesh, fault);
  trmi_buffer_free(&content);
  return is_good;
}

static bool read_mesh(const shape *s, trmi_volume *out) {
  char path[PATH_BYTES + 40], fault[TRMI_MESH_FAULT], sentence[2 * TRMI_MESH_FAULT];
  trmi_arena arena;
  trmi_mesh mesh;
  snprintf(path, sizeof path, "%s.scale", s->prefix);
  const double scale = trmi_part_number(s->m->parameters, s->part, path, NULL, 1.0);
  snprintf(path, sizeof path, "%s.file", s->prefix);
  const char *file = trmi_part_word(s->part, path);
  if (file == NULL) return false;
  fault[0] = '\0';
  trmi_arena_init(&arena, &s->m->arena->allocator);
  const bool is_good = load_mesh(s, file, &arena, &mesh, fault) &&
                       trmi_mesh_is_closed(&mesh, &arena, fault);
  if (is_good) *out = trmi_volume_mesh(&mesh);
  if (arena.failed) s->m->arena->failed = true;
  const bool is_memory = arena.failed;
  trmi_arena_clear(&arena);
  if (is_memory) return false;
  snprintf(sentence, sizeof sentence, "the mesh '%.100s': %s", file, fault);
  if (!is_good) return complain(s, sentence);
  const double cube = scale * scale * scale;
  out->volume *= cube;
  out->centre = v3_scale(scale, out->centre);
  for (int i = 0; i < 9; i++) out->J[i] *= cube * scale * scale;
  return out->volume > 0.0 ? true : complain(s, "its mesh has no volume");
}

/* Its kind is the last word of the prefix. */
static bool read_shape(const shape *s, trmi_volume *out) {
  const char *kind = strrchr(s->prefix, '.') + 1;
  *out = (trmi_volume){.volume = 0.0};
  if (strcmp(kind, "box") == 0) return read_box(s, out);
  if (strcmp(kind, "sphere") == 0) return read_sphere(s, out);
  if (strcmp(kind, "cylinder") == 0) return read_round(s, false, out);
  if (strcmp(kind, "capsule") == 0) return read_round(s, true, out);
  if (strcmp(kind, "mesh") == 0) return read_mesh(s, out);
  return true; /* a line */
}

/* "shape.box" of "shape.box.size", "shapes.rim.cylinder" of "shapes.rim.cylinder.to"; false: this
 * is no value of a shape. */
static bool prefix_of(const char *path, char prefix[PATH_BYTES]) {
  const bool is_one = strncmp(path, "shape.", 6) == 0;
  const bool is_named = strncmp(path, "shapes.", 7) == 0;
  if (!is_one && !is_named) return false;
  size_t n = is_one ? 6 : 7 + strcspn(path + 7, ".") + 1;
  if (n > strlen(path)) return false;
  n += strcspn(path + n, ".");
  snprintf(prefix, PATH_BYTES, "%.*s", (int)n, path);
  return true;
}

bool trmi_read_volume(trmi_mechanism *m, const trmi_part_def *part, trmi_volume *out) {
  shape s = {.m = m, .part = part, .prefix = ""};
  *out = (trmi_volume){.volume = 0.0};
  for (int i = 0; i < part->nvalues; i++) { /* values of a shape follow each other */
    char prefix[PATH_BYTES];
    trmi_volume one;
    if (!prefix_of(part->values[i].path, prefix) || strcmp(prefix, s.prefix) == 0) continue;
    memcpy(s.prefix, prefix, sizeof prefix);
    if (!read_shape(&s, &one)) return false;
    *out = out->volume > 0.0 ? trmi_volume_add(out, &one) : one;
  }
  if (out->volume > 0.0) return true;
  trmi_complain(m->complaints, trmi_part_place(part, "density"),
                "body '%.60s' has a density but no shape with a volume", part->key.name);
  return false;
}
