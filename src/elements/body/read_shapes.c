/* read_shapes.c - volume, centre and moments of a body from its shapes.
 *
 * Shapes of one body are added (shape.c); where they overlap, material counts twice. A mesh that is
 * scaled by k has k^3 its volume, k its centre and k^5 its second moments. Mass and inertia follow
 * with the density in read_bodies.c. Outlines, terrains and surfaces are read here for contacts as
 * well. */
#include "elements/elements.h"
#include "trammel/parts.h"
#include <stdio.h>
#include <string.h>

/* A shape of a body, and the destination of its messages. */
typedef struct shape {
  trmi_mechanism  *m;
  const trmi_part *body, *part;
} shape;

static bool complain(const shape *s, const char *sentence) {
  int i = 1; /* its first given value */
  while (i < s->part->kind->nfields - 1 && !s->part->given[i].is_given) i++;
  trmi_complain(s->m->complaints, s->part->given[i].place, "body '%.60s': %s", s->body->key.name,
                sentence);
  return false;
}

/* A point, by default the origin of the body. */
static trmi_vec3 place_of(const double at[3]) {
  return isnan(at[0]) ? v3(0.0, 0.0, 0.0) : v3_load(at);
}

static bool read_round(const shape *s, const double *from, const double *to, double radius,
                       bool is_capsule, trmi_volume *out) {
  *out = is_capsule ? trmi_volume_capsule(v3_load(from), v3_load(to), radius)
                    : trmi_volume_cylinder(v3_load(from), v3_load(to), radius);
  return out->volume > 0.0 ? true : complain(s, "its cylinder has no length");
}

/* ---- triangles ------------------------------------------------------------------------------ */

/* A loader of NULL reads no files. */
static bool load_file(const trmi_loader *loader, const char *path, trmi_arena *arena,
                      trmi_mesh *mesh, char fault[TRMI_MESH_FAULT]) {
  char reason[TRMI_LOADER_FAULT] = "this program reads no files";
  const size_t n = strlen(path);
  const bool is_obj = n > 4 && strcmp(path + n - 4, ".obj") == 0;
  trmi_buffer content;
  trmi_buffer_init(&content, &arena->allocator);
  bool is_good = loader != NULL && loader->read_file(path, &content, reason);
  trmi_buffer_add(&content, "", 1); /* an empty file is also a text */
  if (content.failed) arena->failed = true;
  if (!is_good) snprintf(fault, TRMI_MESH_FAULT, "%.*s", TRMI_MESH_FAULT - 1, reason);
  is_good = is_good && !content.failed &&
            trmi_mesh_parse(content.data, content.used - 1, is_obj, arena, mesh, fault);
  trmi_buffer_free(&content);
  return is_good;
}

static bool fail_mesh(char fault[TRMI_MESH_FAULT], const char *sentence) {
  snprintf(fault, TRMI_MESH_FAULT, "%s", sentence);
  return false;
}

/* Points given in the model itself. */
static trmi_vec3 *take_points(const trmi_part *part, trmi_arena *arena, int *count) {
  int numbers = 0;
  const double *rows = trmi_part_list(part, "points", &numbers);
  *count = rows != NULL ? numbers / 3 : 0;
  trmi_vec3 *points = TRMI_TAKE(arena, trmi_vec3, *count);
  for (int i = 0; i < *count && points != NULL; i++) points[i] = v3_load(rows + 3 * i);
  return points;
}

static bool load_points(const trmi_part *part, trmi_arena *arena, trmi_mesh *mesh,
                        char fault[TRMI_MESH_FAULT]) {
  int n = 0, count = 0;
  const double *rows = trmi_part_list(part, "triangles", &n);
  const trmi_vec3 *points = take_points(part, arena, &count);
  if (rows == NULL || count == 0) {
    return fail_mesh(fault, "it needs 'file', or 'points' and 'triangles'");
  }
  int *corners = TRMI_TAKE(arena, int, n);
  if (arena->failed) return false;
  for (int i = 0; i < n; i++) {
    if (!(rows[i] >= 0.0 && rows[i] < count) || rows[i] != floor(rows[i])) {
      snprintf(fault, TRMI_MESH_FAULT, "triangle %d has the point %g, which is none of 0 to %d",
               i / 3, rows[i], count - 1);
      return false;
    }
    corners[i] = (int)rows[i];
  }
  *mesh = (trmi_mesh){.points = points, .npoints = count, .corners = corners, .ntriangles = n / 3};
  return n > 0 ? true : fail_mesh(fault, "it has no triangles");
}

bool trmi_load_mesh(const trmi_mechanism *m, const trmi_part *part, trmi_arena *arena,
                    trmi_mesh *mesh, char fault[TRMI_MESH_FAULT]) {
  if (strcmp(part->kind->type, "hull") == 0) {
    int count = 0;
    const trmi_vec3 *points = take_points(part, arena, &count);
    return !arena->failed && trmi_hull_make(points, count, arena, mesh, fault);
  }
  const char *path = trmi_part_word(part, "file");
  if (path == NULL) return load_points(part, arena, mesh, fault);
  if (trmi_part_has(part, "points") || trmi_part_has(part, "triangles")) {
    return fail_mesh(fault, "it has a file as well as points: give one of them");
  }
  return load_file(m->def->loader, path, arena, mesh, fault);
}

/* Data computed earlier for a part; NULL: none. */
static const trmi_kept_shape *find_kept(const trmi_mechanism *m, const trmi_part *part,
                                        trmi_kept_kind kind) {
  const trmi_kept_shape *k = m->shapes;
  while (k != NULL && !(k->part == part && k->kind == kind)) k = k->next;
  return k;
}

/* Allocate data to be computed for a part, found after `keep`; NULL: out of memory. */
static trmi_kept_shape *take_kept(trmi_mechanism *m, const trmi_part *part, trmi_kept_kind kind) {
  trmi_kept_shape *k = TRMI_TAKE(m->kept, trmi_kept_shape, 1);
  if (k != NULL) *k = (trmi_kept_shape){.part = part, .kind = kind};
  return k;
}

static void keep(trmi_mechanism *m, trmi_kept_shape *k) {
  k->next = m->shapes;
  m->shapes = k;
}

const trmi_surface *trmi_read_surface(trmi_mechanism *m, const trmi_part *part,
                                      char fault[TRMI_SURFACE_FAULT]) {
  trmi_arena arena;
  trmi_mesh mesh;
  fault[0] = '\0';
  const trmi_kept_shape *known = find_kept(m, part, TRMI_KEPT_SURFACE);
  if (known != NULL) return &known->surface;
  trmi_kept_shape *k = take_kept(m, part, TRMI_KEPT_SURFACE);
  if (k == NULL) return NULL;
  trmi_arena_init(&arena, &m->arena->allocator);
  const bool is_good = trmi_load_mesh(m, part, &arena, &mesh, fault) &&
                       trmi_surface_make(&mesh, m->kept, &k->surface, fault);
  if (arena.failed) m->kept->failed = true;
  trmi_arena_clear(&arena);
  if (!is_good) return NULL;
  keep(m, k);
  return &k->surface;
}

/* Stored so that its file is not read again when numbers change; if out of memory, it will be. */
static void keep_volume(const shape *s, const trmi_volume *volume) {
  trmi_kept_shape *k = take_kept(s->m, s->part, TRMI_KEPT_VOLUME);
  if (k == NULL) return;
  k->volume = *volume;
  keep(s->m, k);
}

static bool read_mesh(const shape *s, trmi_volume *out) {
  char fault[TRMI_MESH_FAULT], sentence[2 * TRMI_MESH_FAULT];
  trmi_arena arena;
  trmi_mesh mesh;
  const double scale = trmi_part_number_or(s->part, "scale", 1.0);
  const char *type = s->part->kind->type, *path = trmi_part_word(s->part, "file");
  fault[0] = '\0';
  trmi_arena_init(&arena, &s->m->arena->allocator);
  const trmi_kept_shape *known = find_kept(s->m, s->part, TRMI_KEPT_VOLUME);
  const bool is_good = known != NULL || (trmi_load_mesh(s->m, s->part, &arena, &mesh, fault) &&
                                         trmi_mesh_is_closed(&mesh, &arena, fault));
  if (is_good) *out = known != NULL ? known->volume : trmi_volume_mesh(&mesh);
  if (is_good && known == NULL) keep_volume(s, out);
  if (arena.failed) s->m->arena->failed = true;
  const bool is_memory = arena.failed;
  trmi_arena_clear(&arena);
  if (is_memory) return false;
  if (path != NULL) snprintf(sentence, sizeof sentence, "the mesh '%.100s': %s", path, fault);
  else snprintf(sentence, sizeof sentence, "its %.20s: %s", type, fault);
  if (!is_good) return complain(s, sentence);
  const double cube = scale * scale * scale;
  out->volume *= cube;
  out->centre = v3_scale(scale, out->centre);
  for (int i = 0; i < 9; i++) out->J[i] *= cube * scale * scale;
  return out->volume > 0.0 ? true : complain(s, "its mesh has no volume");
}

/* ---- profiles ------------------------------------------------------------------------------- */

const trmi_outline *trmi_read_outline(trmi_mechanism *m, const trmi_part *part,
                                      char fault[TRMI_OUTLINE_FAULT]) {
  int count = 0;
  const double *rows = trmi_part_list(part, "outline", &count);
  snprintf(fault, TRMI_OUTLINE_FAULT, "its profile needs an outline");
  const trmi_kept_shape *known = find_kept(m, part, TRMI_KEPT_OUTLINE);
  if (known != NULL) return &known->outline;
  const int copies = (int)trmi_part_number(part, "copies"), points = count / 3 * copies;
  if (rows == NULL || points < 2) return NULL;
  trmi_outline_piece *pieces = TRMI_TAKE(m->kept, trmi_outline_piece, points);
  double *all = TRMI_TAKE(m->kept, double, 3 * points);
  trmi_kept_shape *k = take_kept(m, part, TRMI_KEPT_OUTLINE);
  if (pieces == NULL || all == NULL || k == NULL) return NULL;
  trmi_outline_copy(rows, count / 3, copies, all);
  if (!trmi_outline_make(all, points, copies, pieces, &k->outline, fault)) return NULL;
  if (!trmi_outline_find_feet(&k->outline, m->kept)) return NULL;
  keep(m, k);
  return &k->outline;
}

const trmi_terrain *trmi_read_terrain(trmi_mechanism *m, const trmi_part *part,
                                      char fault[TRMI_TERRAIN_FAULT]) {
  int count = 0;
  const double *rows = trmi_part_list(part, "points", &count);
  snprintf(fault, TRMI_TERRAIN_FAULT, "its terrain needs points");
  const trmi_kept_shape *known = find_kept(m, part, TRMI_KEPT_TERRAIN);
  if (known != NULL) return &known->terrain;
  if (rows == NULL || count < 3) return NULL;
  double *room = TRMI_TAKE(m->kept, double, trmi_terrain_room(count / 3));
  trmi_kept_shape *k = take_kept(m, part, TRMI_KEPT_TERRAIN);
  if (room == NULL || k == NULL) return NULL;
  if (!trmi_terrain_make(rows, count / 3, room, &k->terrain, fault)) return NULL;
  keep(m, k);
  return &k->terrain;
}

bool trmi_read_profile_axes(const trmi_part *part, double E[9]) {
  double z[3] = {0.0, 0.0, 1.0}, x[3];
  trmi_part_numbers(part, "axis", 3, z);
  const bool has_x = trmi_part_numbers(part, "x", 3, x);
  const trmi_vec3 along = has_x ? v3_load(x) : v3(0, 0, 0);
  return trmi_axes_from(v3_load(z), has_x ? &along : NULL, E);
}

static bool read_profile(const shape *s, const trm_profile_def *def, trmi_volume *out) {
  char fault[TRMI_OUTLINE_FAULT];
  double E[9], J[9], T[9];
  const trmi_outline *outline = trmi_read_outline(s->m, s->part, fault);
  if (outline == NULL) return s->m->kept->failed ? false : complain(s, fault);
  if (!trmi_read_profile_axes(s->part, E)) return complain(s, "axis and x of its profile are "
                                                              "parallel or zero");
  *out = trmi_volume_outline(outline, def->height);
  out->centre = v3_add(place_of(def->at), m3_tmul(E, out->centre));
  for (int k = 0; k < 3; k++) m3_set_column(T, k, m3_row(E, k)); /* into body axes */
  m3_mm(T, out->J, J);
  m3_mm(J, E, out->J);
  return true;
}

static bool read_shape(const shape *s, trmi_volume *out) {
  const char *type = s->part->kind->type;
  *out = (trmi_volume){.volume = 0.0};
  if (strcmp(type, "box") == 0) {
    const trm_box_def *box = s->part->def;
    *out = trmi_volume_box(v3_load(box->size), place_of(box->at));
  } else if (strcmp(type, "sphere") == 0) {
    const trm_sphere_def *sphere = s->part->def;
    *out = trmi_volume_sphere(place_of(sphere->at), sphere->radius);
  } else if (strcmp(type, "ellipsoid") == 0) {
    const trm_ellipsoid_def *e = s->part->def;
    *out = trmi_volume_ellipsoid(place_of(e->at), e->radii);
  } else if (strcmp(type, "cylinder") == 0) {
    const trm_cylinder_def *c = s->part->def;
    return read_round(s, c->from, c->to, c->radius, false, out);
  } else if (strcmp(type, "capsule") == 0) {
    const trm_capsule_def *c = s->part->def;
    return read_round(s, c->from, c->to, c->radius, true, out);
  } else if (strcmp(type, "torus") == 0) {
    const trm_torus_def *t = s->part->def;
    const trmi_vec3 axis = isnan(t->axis[0]) ? v3(0, 0, 1) : v3_load(t->axis);
    *out = trmi_volume_torus(place_of(t->at), axis, t->radius, t->tube);
  } else if (strcmp(type, "profile") == 0) {
    return read_profile(s, s->part->def, out);
  } else if (strcmp(type, "mesh") == 0 || strcmp(type, "hull") == 0) {
    return read_mesh(s, out);
  }
  return true; /* lines, planes and terrains have no volume */
}

bool trmi_read_volume(trmi_mechanism *m, const trmi_part *part, trmi_volume *out) {
  *out = (trmi_volume){.volume = 0.0};
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    const shape s = {.m = m, .body = part, .part = inner};
    trmi_volume one;
    if (inner->kind->group != TRMI_SHAPES) continue;
    if (!read_shape(&s, &one)) return false;
    *out = out->volume > 0.0 ? trmi_volume_add(out, &one) : one;
  }
  if (out->volume > 0.0) return true;
  trmi_complain(m->complaints, trmi_part_place(part, "density"),
                "body '%.60s' has a density but no shape with a volume", part->key.name);
  return false;
}
